"""Mailboxes on IMAP servers whose junk folder, and further folders that are configured, are read as well."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.config.config import MailboxConfig
from pbem.transport.base import BATCH, Arrived, Batch, TransportError, Unread, Unwanted
from pbem.transport.further import Found, IsOurs, merge
from pbem.transport.imap import ImapMailbox

_FIRST = 500
"""Letters of a further folder that are looked at when it is first seen: the newest ones."""

_HEADER = 65_536
"""Bytes of a header in which a token is looked for."""

_JUNK = rb"\junk"  # RFC 6154


class ImapFolders(ImapMailbox):
    """A folder on an IMAP server, and our letters in further ones, whose other letters stay as they are.

    Below the mark of the main folder stand those of the others, by name.
    """

    def __init__(self, config: MailboxConfig, deadline: float, is_ours: IsOurs | None = None) -> None:
        super().__init__(config, deadline)
        self._main, self._is_ours = self._server.folder, is_ours
        self._listed: dict[str, set[bytes]] | None = None

    def fetch(self, mark: str) -> Iterator[Batch]:
        main, _, further = mark.partition("\n")
        found = self._find(further) if self._is_ours else Found(before=further, after=further)
        return merge(super().fetch(main), main, found)

    def further_folders(self) -> Sequence[str]:
        names, missing = self._look_for_folders()
        if missing:
            raise TransportError(missing)
        return names

    def _look_for_folders(self) -> tuple[tuple[str, ...], str]:
        """Return the names of further folders, and a sentence about those that are configured and missing."""
        if self._listed is None:
            with self._conversation():
                folders = self._client.list_folders()
            self._listed = {name: {flag.lower() for flag in flags} for flags, _, name in folders}
        junk = (name for name, flags in self._listed.items() if _JUNK in flags)
        names = dict.fromkeys((*self._config.folders, *junk))
        missing = [name for name in self._config.folders if not (self._is_main(name) or name in self._listed)]
        there = tuple(name for name in names if name not in missing and not self._is_main(name))
        trouble = f"{self._server.host} has no folder {', '.join(missing)}: mend [mailbox] folders."
        return there, trouble if missing else ""

    def handled(self, keys: Sequence[str]) -> None:
        super().handled([key for key in keys if " " not in key])
        elsewhere: dict[tuple[str, str], list[str]] = {}
        for uid, validity, folder in (key.split(" ", 2) for key in keys if " " in key):
            elsewhere.setdefault((validity, folder), []).append(uid)
        opened = self._selected  # how many letters were there then decides which of them a run has seen
        for (validity, folder), uids in elsewhere.items():
            self._turn_to(folder)
            if validity == str(self._validity):
                super().handled(uids)
        if elsewhere:
            self._turn_to(self._main)
            now, self._selected = self._validity, opened
            if self._validity != now:
                raise TransportError(f"{self._server.host} has numbered its letters anew: the next run reads them.")

    def remove(self, letters: Sequence[Unwanted]) -> None:
        super().remove(letters)
        names, _ = self._look_for_folders()
        for folder in names:
            self._turn_to(folder)
            super().remove(letters)
        if names:
            self._turn_to(self._main)

    def _waiting(self, last: int | None) -> list[int]:
        """Return the UIDs to fetch. In a further folder that is seen for the first time, only the newest are looked
        at."""
        uids = super()._waiting(last)
        if self._is_main(self._server.folder):
            return uids
        return self._ours(uids if last else uids[-_FIRST:])

    def _ours(self, uids: Sequence[int]) -> list[int]:
        """Choose the letters that are ours, by their headers, which are asked for without marking anything."""
        ours: list[int] = []
        for start in range(0, len(uids), BATCH):
            answers = self._client.fetch(uids[start : start + BATCH], [f"BODY.PEEK[HEADER]<0.{_HEADER}>"])
            ours += [uid for uid, answer in answers.items() if self._is_ours and self._is_ours(_header(answer))]
        return sorted(ours)

    def _find(self, further: str) -> Found:
        """Find our letters in further folders. Trouble with one of them keeps no other from being read."""
        marks, letters, troubles = json.loads(further or "{}"), list[Arrived](), list[str]()
        after, names = dict(marks), tuple[str, ...]()
        try:
            names, missing = self._look_for_folders()
            troubles += [missing] if missing else []
        except TransportError as error:
            troubles.append(str(error))
        for folder in names:
            try:
                self._turn_to(folder)
                for batch in super().fetch(marks.get(folder, "")):
                    letters += [letter._replace(key=self._key(letter)) for letter in batch.letters]
                    after[folder] = batch.mark
            except Unread as error:
                troubles.append(f"{error} It is in the folder {folder}.")
            except TransportError as error:
                troubles.append(f"{error} That is about the folder {folder}.")
        if names or self._broken:
            self._turn_to(self._main)
        return Found(letters, further, json.dumps(after) if after else "", " ".join(troubles))

    def _key(self, letter: Arrived) -> str:
        return f"{letter.key} {self._validity} {self._server.folder}"

    def _turn_to(self, folder: str) -> None:
        """Open another folder, on another connection if this one is of no more use."""
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
