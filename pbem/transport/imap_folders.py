"""Mailboxes on IMAP servers in which, besides the main folder, the junk folder and other configured folders are
read."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any

from pbem.config.config import MailboxConfig
from pbem.transport.base import BATCH, Arrived, Batch, TransportError, Unwanted
from pbem.transport.further import Found, IsOurs, merge, told
from pbem.transport.imap import ImapMailbox

_MOST = 500
"""The maximum number of letters that a run examines in a further folder. It examines the newest ones."""

_SHARE = 1 / 3
"""The part of a run's time that further folders may take, so that the main folder is read even if the others are
slow."""

_HEADER = 65_536
"""The maximum number of bytes of a header that are searched for a token."""

_JUNK = rb"\junk"  # the flag of the junk folder (RFC 6154)


class ImapFolders(ImapMailbox):
    """A folder on an IMAP server, together with letters for the desk in further folders. All other letters in further
    folders are left unchanged.

    The first line of a mark is the mark of the main folder. The second line contains the marks of the further folders,
    keyed by the folders' names.
    """

    def __init__(self, config: MailboxConfig, deadline: float, is_ours: IsOurs | None = None) -> None:
        super().__init__(config, deadline)
        self._main, self._is_ours = self._server.folder, is_ours
        self._listed: dict[str, set[bytes]] | None = None
        self._passed_over = 0

    def fetch(self, mark: str) -> Iterator[Batch]:
        main, _, further = mark.partition("\n\n")[0].partition("\n")  # there may be no old mailbox any more
        found = self._find(further) if self._is_ours else Found(before=further, after=further)
        return merge(super().fetch(main), main, found)

    def further_folders(self) -> Sequence[str]:
        names, missing = self._look_for_folders()
        if missing:
            raise TransportError(missing)
        return names

    def _look_for_folders(self) -> tuple[tuple[str, ...], str]:
        """Return the names of further folders that exist, and a sentence about folders that are configured but missing,
        or ""."""
        if self._listed is None:
            with self._conversation():
                folders = self._client.list_folders()
            self._listed = {name: {flag.lower() for flag in flags} for flags, _, name in folders}
        junk = (name for name, flags in self._listed.items() if _JUNK in flags)
        names = dict.fromkeys((*self._config.folders, *junk))
        missing = [name for name in self._config.folders if not (self._is_main(name) or name in self._listed)]
        there = tuple(name for name in names if name not in missing and not self._is_main(name))
        trouble = f"{self._name} has no folder {', '.join(missing)}: mend `folders` in config.ini."
        return there, trouble if missing else ""

    def handled(self, keys: Sequence[str]) -> None:
        super().handled([key for key in keys if " " not in key])
        elsewhere: dict[tuple[str, str], list[str]] = {}
        for uid, validity, folder in (key.split(" ", 2) for key in keys if " " in key):
            elsewhere.setdefault((validity, folder), []).append(uid)
        opened = self._selected  # the main folder as it was when opened, which shows what this run has seen of it
        for (validity, folder), uids in elsewhere.items():
            self._turn_to(folder)
            if validity == str(self._validity):
                super().handled(uids)
        if elsewhere:
            self._turn_to(self._main)
            now, self._selected = self._validity, opened
            if self._validity != now:
                raise TransportError(f"{self._name} has numbered its letters anew: the next run reads them.")

    def remove(self, letters: Sequence[Unwanted]) -> None:
        super().remove(letters)
        names, _ = self._look_for_folders()
        for folder in names:
            self._turn_to(folder)
            super().remove(letters)
        if names:
            self._turn_to(self._main)

    def _waiting(self, last: int | None) -> list[int]:
        """Return the UIDs to fetch. In a further folder, these are the UIDs of letters for the desk among the newest
        letters."""
        uids = super()._waiting(last)
        if self._is_main(self._server.folder):
            return uids
        self._passed_over = len(uids[:-_MOST]) if last is not None else 0  # at first, older ones predate the desk
        return self._ours(uids[-_MOST:])

    def _ours(self, uids: Sequence[int]) -> list[int]:
        """Return those of `uids` whose letters are for the desk, judging by their headers. Fetching the headers marks
        nothing."""
        ours: list[int] = []
        for start in range(0, len(uids), BATCH):
            answers = self._client.fetch(uids[start : start + BATCH], [f"BODY.PEEK[HEADER]<0.{_HEADER}>"])
            ours += [uid for uid, answer in answers.items() if self._is_ours and self._is_ours(_header(answer))]
        return sorted(ours)

    def _find(self, further: str) -> Found:
        """Find letters for the desk in further folders, after the mark `further`. Trouble with one folder does not
        prevent the others from being read."""
        marks, letters, troubles = json.loads(further or "{}"), list[Arrived](), list[str]()
        names = tuple[str, ...]()
        with self._within_share():
            try:
                names, missing = self._look_for_folders()
                troubles += [missing] if missing else []
            except TransportError as error:
                troubles.append(str(error))
            for folder in names:
                try:
                    letters += self._find_in(folder, marks)
                except TransportError as error:
                    troubles.append(f"{error} That is about the folder {folder}.")
                if self._passed_over:
                    passed = f"passed over: {self._passed_over}. Look there for letters of players."
                    troubles.append(f"Of what is new in {folder} a run looks at {_MOST} letters; {passed}")
        if names or self._broken:
            self._turn_to(self._main)
        return Found(letters, further, json.dumps(marks) if marks else "", told(troubles))

    def _find_in(self, folder: str, marks: dict[str, str]) -> Iterator[Arrived]:
        """Yield the letters for the desk in `folder`, and update the folder's mark in `marks`."""
        self._passed_over = 0
        self._turn_to(folder)
        for batch in super().fetch(marks.get(folder, "")):
            yield from (letter._replace(key=self._key(letter), folder=folder) for letter in batch.letters)
            marks[folder] = batch.mark

    @contextmanager
    def _within_share(self) -> Iterator[None]:
        """Limit the conversation in the `with` block to part of the time that is left."""
        whole, now = self._deadline, monotonic()
        self.limit(now + (whole - now) * _SHARE)
        try:
            yield
        finally:
            self.limit(whole)

    def limit(self, deadline: float) -> None:
        self._deadline = deadline
        if self._client and not self._broken:
            self._client.socket().deadline = deadline

    def _key(self, letter: Arrived) -> str:
        return f"{letter.key} {self._validity} {self._server.folder}"

    def _turn_to(self, folder: str) -> None:
        """Open `folder`, on a new connection if the present connection is no longer usable."""
        self._server = self._server._replace(folder=folder)
        # Once a server has mentioned READ-ONLY, imaplib raises nothing else on this connection.
        if self._broken or self._client.untagged("READ-ONLY") is not None:
            self.__exit__(TransportError)
            self._client, self._broken = None, False
            self.__enter__()
            return
        with self._conversation():
            self._selected = self._client.select_folder(folder)

    def _is_main(self, folder: str) -> bool:
        return folder == self._main or folder.upper() == self._main.upper() == "INBOX"


def _header(answer: Mapping[bytes, Any]) -> bytes:
    header = answer.get(b"BODY[HEADER]<0>")
    return header if isinstance(header, bytes) else b""
