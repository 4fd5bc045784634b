"""Mailboxes on IMAP servers, accessed with imapclient. Importing imapclient takes 40 ms, so this module is imported
only for desks that need it."""

import imaplib
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from select import select
from time import monotonic, sleep
from typing import Any, Self, cast

from imapclient import IMAPClient
from imapclient.exceptions import LoginError, ProtocolError
from imapclient.response_parser import parse_fetch_response, parse_response

from pbem.config.config import MailboxConfig, Server
from pbem.transport.base import BATCH, MAX_LETTER, Arrived, Batch, TransportError, Unread, Unwanted, is_among
from pbem.transport.sockets import (
    Credential,
    broken_line,
    connect,
    name_of,
    quote_answer,
    refused_login,
    say_goodbye,
    tls_context,
    xoauth2,
)

_SEARCH = 5_000
"""The number of letters that one SEARCH covers. The server answers a SEARCH with a single line, of which imaplib reads
at most a million bytes."""

_SIZES = 500
"""The number of letters whose sizes are requested together. It is limited because the command, a single line, lists all
their UIDs."""

_EXCHANGE = 60.0
"""The number of seconds that leaving IDLE and entering it again may take."""

_ITEMS = [f"BODY.PEEK[]<0.{MAX_LETTER}>", "RFC822.SIZE", "INTERNALDATE", "FLAGS"]

_MARGIN = timedelta(days=1)
"""The margin for searches by date. It is needed because a server counts days in its own time zone."""

_NO_IMAP = (ProtocolError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""The exceptions that imapclient raises for answers that it cannot read. Their texts are not shown, because the text of
a ProtocolError may come from a letter."""


class ImapMailbox:
    """A folder on an IMAP server.

    A mark consists of the UIDVALIDITY and the UID of the last letter seen (RFC 9051 §2.3.1.1), followed by the UIDs of
    earlier letters whose text the server did not return. Each run asks for these letters one by one until they are read
    or gone.
    """

    def __init__(self, config: MailboxConfig, deadline: float) -> None:
        if not isinstance(config.place, Server):
            raise TypeError("a Maildir is no server")
        self._config, self._server, self._deadline = config, config.place, deadline
        self._client: Any = None
        self._selected: dict[bytes, Any] = {}
        self._since: datetime | None = None
        self._broken = self._looks_back = False
        self._why: dict[int, str] = {}  # the reasons why letters failed even when fetched alone

    def __enter__(self) -> Self:
        password = self._config.password()
        try:
            with self._conversation():
                self._client = Client(self._server, self._deadline)
                self._encrypt()
            self._login(password)
            with self._conversation():
                self._selected = self._client.select_folder(self._server.folder)
        except BaseException as error:  # a signal may end the run here, too
            self.__exit__(type(error))
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        """Log out or, after trouble, hang up at once, because a stuck server would keep the desk waiting again."""
        if self._client:
            with suppress(OSError, imaplib.IMAP4.error):
                if kind is None:
                    say_goodbye(self._client.socket())
                    self._client.logout()
            with suppress(OSError):
                self._client.shutdown()

    def fetch(self, mark: str) -> Iterator[Batch]:
        validity = self._validity
        last, unread = _read_mark(mark, validity)
        if (self._looks_back and self._keeps_keyword()) or (last and 0 < self._selected.get(b"UIDNEXT", 0) <= last):
            last = None  # UIDNEXT never decreases (RFC 9051 §2.3.1.1), so its earlier value was wrong
        doubtful = set(unread)  # letters that have come without text, but were not fetched alone in this run
        with self._conversation():
            waiting = self._waiting(last)
        for start in range(0, len(waiting), BATCH):
            arrivals, alone, trouble = self._letters(waiting[start : start + BATCH])
            missing = self._find_remaining([uid for uid, letter in arrivals.items() if not letter])
            unread |= missing
            doubtful |= set() if alone else missing
            last = max(arrivals, default=last)
            mark = _mark(validity, last, unread)
            if arrivals:
                yield Batch([letter for letter in arrivals.values() if letter], mark)
            if trouble:
                raise trouble
        # All letters that were in the folder when it was opened are below UIDNEXT, so they now all count as seen.
        last = max(last or 0, self._selected.get(b"UIDNEXT", 1) - 1)
        unread &= self._find_remaining(sorted(unread))
        for uid in sorted(unread & doubtful):
            if letter := self._retry_alone(uid):
                unread.remove(uid)
                mark = _mark(validity, last, unread)
                yield Batch([letter._replace(late=uid < last)], mark)
        if (end := _mark(validity, last, unread)) != mark:
            yield Batch([], end)
        if unread:
            why = f"{self._name} gives no text of it."
            raise Unread({f"UID {uid}": self._why.get(uid, why) for uid in sorted(unread)})

    @property
    def _name(self) -> str:
        return name_of("IMAP", self._server)

    def used(self) -> float:
        """Return the part of the mailbox's room that is used, at most 1, as the server tells it (RFC 9208); 0 if it
        tells nothing. Raises TransportError."""
        if not self._client.has_capability("QUOTA"):
            return 0.0
        with self._conversation():
            _, quotas = self._client.get_quota_root(self._server.folder)
        return max((quota.usage / quota.limit for quota in quotas if quota.limit), default=0.0)

    @property
    def _validity(self) -> int:
        return int(self._selected.get(b"UIDVALIDITY", 0))

    def _letters(self, uids: Sequence[int]) -> tuple[dict[int, Arrived | None], bool, TransportError | None]:
        """Fetch the letters with these UIDs; return three values.

        The first maps each UID to its letter, or to None if the letter has no text. The second is true if each letter
        was fetched alone because the server failed on one of them. The third is the error that stopped the fetching
        before the end, or None.
        """
        with suppress(TransportError):
            answers = self._fetch_texts(uids)
            return {uid: answers.get(uid) for uid in uids}, False, None
        arrivals: dict[int, Arrived | None] = {}
        try:
            for uid in uids:
                arrivals[uid] = self._fetch_alone(uid)
        except TransportError as error:
            return arrivals, True, error
        return arrivals, True, None

    def _fetch_alone(self, uid: int) -> Arrived | None:
        """Fetch one letter; return None if the server fails on it or returns no text. Raises TransportError if the
        connection cannot be opened again, or when the time is up."""
        self._connect_again()
        try:
            return self._fetch_texts([uid]).get(uid)
        except TransportError as error:
            if monotonic() >= self._deadline:
                raise
            self._why[uid] = str(error)
            return None

    def _retry_alone(self, uid: int) -> Arrived | None:
        """Fetch a letter whose text was missing; return None if the text is still missing.

        Any trouble counts as a missing text and is not raised, because all other letters have been read by then.
        """
        with suppress(TransportError):
            return self._fetch_alone(uid)
        return None

    def _find_remaining(self, uids: Sequence[int]) -> set[int]:
        """Return those of `uids` that are still in the folder. UIDs about which the server does not answer are
        included."""
        remaining = set(uids)
        with suppress(TransportError):
            for start in range(0, len(uids), BATCH):
                chunk = uids[start : start + BATCH]
                self._connect_again()
                with self._conversation():
                    self._client.noop()  # makes the server report expunged letters and forget them
                    present = self._client.search(f"UID {','.join(map(str, chunk))}")
                remaining -= set(chunk).difference(present)
        return remaining

    def _fetch_texts(self, uids: Sequence[int]) -> dict[int, Arrived]:
        """Fetch the letters with these UIDs; return those that have a text, keyed by UID. Raises TransportError."""
        with self._conversation():
            answers = self._client.fetch(uids, _ITEMS)
            numbered = self._client.untagged("UIDVALIDITY")
            if numbered and int(numbered) != self._validity:
                raise ValueError("UIDs of another folder")
            arrivals = {uid: arrived(uid, answers[uid]) for uid in answers}
            return {uid: whole for uid, letter in arrivals.items() if letter and (whole := self._complete(letter))}

    def _complete(self, letter: Arrived) -> Arrived | None:
        """Return `letter`, completed if it is shorter than the server announced.

        Return None if the rest cannot be determined, or if the letter is longer than announced and the server does not
        return the surplus a second time. Some servers announce too much and then return an empty rest: for Exchange,
        RFC822.SIZE is an estimate.
        """
        start = len(letter.raw)
        if start > letter.size:
            rest = self._rest(letter, letter.size)
            self._why[int(letter.key)] = f"{self._name} gives more text of it than it has announced."
            return letter._replace(size=start) if rest == letter.raw[letter.size :] else None
        if start >= min(letter.size, MAX_LETTER):
            return letter
        if not start:
            return None
        try:
            rest = self._rest(letter, start)
        except (imaplib.IMAP4.abort, ProtocolError):
            raise
        except imaplib.IMAP4.error:
            return letter
        if rest is None:
            return None
        raw = letter.raw + rest
        return letter._replace(raw=raw[:MAX_LETTER], size=len(raw))

    def _rest(self, letter: Arrived, start: int) -> bytes | None:
        """Fetch the bytes of `letter` from position `start` on; return None if the server returns nothing."""
        uid, item = int(letter.key), f"BODY[]<{start}>".encode()
        answer = self._client.fetch([uid], [f"BODY.PEEK[]<{start}.{MAX_LETTER - start}>"]).get(uid, {})
        return bytes(answer[item] or b"") if item in answer else None

    def _connect_again(self) -> None:
        """Reconnect if the connection is no longer usable. Raises TransportError if that fails, or if the known UIDs
        are no longer valid."""
        # Once a server has mentioned READ-ONLY, if only as a reason, imaplib raises nothing else on this connection.
        if not self._broken and self._client.untagged("READ-ONLY") is None:
            return
        validity = self._validity
        self.__exit__(TransportError)
        self._client, self._broken = None, False
        self.__enter__()
        if self._validity != validity:
            raise TransportError(f"{self._name} has numbered its letters anew: the next run reads them.")

    def again(self, since: datetime) -> None:
        """If the mark given to `fetch` comes from another folder, make `fetch` return all letters that arrived after
        `since`.

        If the mark comes from this folder, `fetch` returns all letters after the mark, whatever `since` is.
        """
        self._since = since

    def look_back(self) -> None:
        """Make `fetch` return all unhandled letters.

        Some of them may be before the mark if the server once reported a UIDNEXT that was too high.
        """
        self._looks_back = True

    def overlooked(self, mark: str) -> int:
        last, unread = _read_mark(mark, self._validity)
        if not last or not self._keeps_keyword():
            return 0
        with self._conversation():
            without_keyword = {uid for uids in self._pieces(f"UNKEYWORD {KEYWORD}") for uid in uids}
        return len({uid for uid in without_keyword if uid <= last} - unread)

    def handled(self, keys: Sequence[str]) -> None:
        flags = [KEYWORD, r"\Seen"] if self._keeps_keyword() else [r"\Seen"]
        for start in range(0, len(keys), BATCH):
            with self._conversation():
                self._client.add_flags([int(key) for key in keys[start : start + BATCH]], flags, silent=True)

    def remove(self, letters: Sequence[Unwanted]) -> None:
        name = self._name
        unwanted: list[int] = []
        unread: set[int] = set()
        with self._conversation():
            alike = self._candidates(letters)
        for start in range(0, len(alike), BATCH):
            arrivals, _, trouble = self._letters(alike[start : start + BATCH])
            if trouble:
                raise trouble
            unread |= self._find_remaining([uid for uid, letter in arrivals.items() if not letter])
            unwanted += [uid for uid, letter in arrivals.items() if letter and is_among(letter.raw, letters)]
        with self._conversation():
            self._expunge(unwanted)
        if unread:
            raise TransportError(f"{name} gives no text of UID {min(unread)}, which may be one of them.")
        if uids := self._find_remaining(unwanted):
            raise TransportError(f"{name} says that it has removed the letter UID {min(uids)}, and it is still there.")

    def _candidates(self, letters: Sequence[Unwanted]) -> list[int]:
        """Return the UIDs of all letters in the folder that have the size or the delivery time of one of `letters`.

        One of the two is enough, because some servers do not always report the same size.
        """
        sizes, times = {letter.size for letter in letters}, {letter.when for letter in letters}
        alike = []
        uids = sorted(uid for piece in self._pieces("ALL") for uid in piece)
        for start in range(0, len(uids), _SIZES):
            answers = self._client.fetch(uids[start : start + _SIZES], ["RFC822.SIZE", "INTERNALDATE"])
            alike += [uid for uid, answer in answers.items() if size_of(answer) in sizes or when_of(answer) in times]
        return alike

    def _expunge(self, uids: Sequence[int]) -> None:
        """Remove the letters with these UIDs and no others.

        Without UIDs, EXPUNGE would remove all letters marked as deleted (RFC 4315 §2.1).
        """
        has_uidplus = self._client.has_capability("UIDPLUS")
        if not has_uidplus and (others := set(self._client.search("DELETED")).difference(uids)):
            raise TransportError(
                f"{self._name} cannot remove single letters, and UID {min(others)}, which is none of ours, is"
                " marked as deleted: expunge the folder, or take that mark away."
            )
        for start in range(0, len(uids), BATCH):
            chunk = uids[start : start + BATCH]
            self._client.delete_messages(chunk, silent=True)
            if has_uidplus:
                self._client.uid_expunge(chunk)
            else:
                self._client.expunge()

    def _encrypt(self) -> None:
        if self._server.tls != "starttls":
            return
        if not self._client.has_capability("STARTTLS"):
            raise TransportError(
                f"{self._name} offers no STARTTLS, and no password goes over an open line: try imaps://"
            )
        self._client.starttls(tls_context(self._server, self._deadline))

    def _login(self, password: str) -> None:
        user, name = self._server.user, self._name
        credential: Credential = "login"
        try:
            with self._conversation(password):
                if self._config.auth == "xoauth2":
                    credential = "access token"
                    self._client.sasl_login("XOAUTH2", xoauth2(user, password))
                elif (user + password).isascii():
                    self._client.login(user, password)
                else:  # LOGIN carries only ASCII (RFC 3501 §6.2.3)
                    self._client.plain_login(user, password)
        except LoginError as error:
            if isinstance(error.__context__, imaplib.IMAP4.abort):  # imapclient raises LoginError for this, too
                raise TransportError(f"{name} broke off at the login: {quote_answer(error, password)}.") from None
            raise refused_login(name, credential, quote_answer(error, password)) from None

    def _waiting(self, last: int | None) -> list[int]:
        """Return the UIDs after `last`, in ascending order. If `last` is None, return the UIDs of all letters since the
        time given to `again` or, without such a time, of all letters without the desk's keyword.

        The folder is searched from its newest letter down, in chunks of positions rather than of UIDs, because UIDs may
        have gaps of millions. If letters are expunged meanwhile, others move down into chunks that are still to be
        searched.
        """
        if last is None and self._since:
            wanted = f"SINCE {self._since - _MARGIN:%d-%b-%Y}"
        elif last is None:
            wanted = f"UNKEYWORD {KEYWORD}" if self._keeps_keyword() else "ALL"
        elif 0 < self._selected.get(b"UIDNEXT", 0) <= last + 1:
            return []
        else:
            wanted = f"UID {last + 1}:*"
        waiting: set[int] = set()
        for uids in self._pieces(wanted):
            # `n:*` includes the newest letter even if its UID is below n (RFC 3501 §6.4.8).
            new = uids if last is None else {uid for uid in uids if uid > last}
            if last is not None and not new:
                break
            waiting |= new
        return sorted(waiting)

    def _pieces(self, wanted: str) -> Iterator[set[int]]:
        """Yield the UIDs that a SEARCH for `wanted` finds, newest letters first, in sets that are each small enough for
        one answer."""
        top, high = self._selected[b"EXISTS"], "*"
        while top > 0:
            low = max(1, top - _SEARCH + 1)
            yield set(self._client.search(f"{low}:{high} {wanted}"))
            top = low - 1
            high = str(top)

    def _keeps_keyword(self) -> bool:
        flags = {flag.lower() for flag in self._selected.get(b"PERMANENTFLAGS", ())}
        return rb"\*" in flags or KEYWORD.lower().encode() in flags

    @contextmanager
    def _conversation(self, password: str = "") -> Iterator[None]:
        """Turn any error in the conversation with the server into a TransportError whose text does not contain
        `password`."""
        name = self._name
        try:
            yield
        except (LoginError, TransportError):
            raise
        except OSError as error:
            self._broken = True
            raise broken_line(name, error) from None
        except imaplib.IMAP4.readonly:
            raise TransportError(f"{name} lets us only read the folder: letters must be marked there.") from None
        except _NO_IMAP:
            self._broken = True  # it is unknown where the next answer begins
            raise TransportError(f"{name} said something that is no IMAP.") from None
        except imaplib.IMAP4.error as error:
            self._broken |= isinstance(error, imaplib.IMAP4.abort)
            raise TransportError(f"{name} said: {quote_answer(error, password)}.") from None


class ImapBell(ImapMailbox):
    """A separate connection on which the server announces new letters by IDLE (RFC 2177).

    The bell rings for anything that the server sends, including flags that the desk itself has set and a mere "still
    here". On servers without IDLE, the bell never rings.
    """

    _idling = False

    def set(self) -> None:
        with self._conversation():
            self._client.socket().deadline = monotonic() + _EXCHANGE
            if self._idling:
                self._idling = False
                self._client.idle_done()
            if self._client.has_capability("IDLE"):
                self._client.idle()
                self._idling = True
            else:
                self._client.noop()

    def wait(self, seconds: float) -> bool:
        if self._idling:
            return bool(select([self._client.socket()], [], [], seconds)[0])
        sleep(seconds)
        return False


def _read_mark(mark: str, validity: int) -> tuple[int | None, set[int]]:
    """Split `mark` into the UID after which letters are new, and the UIDs of unread letters before it.

    The first value is None if the mark comes from another folder, as its UIDVALIDITY shows.
    """
    place, _, unread = mark.partition("\n")[0].partition(" ")  # the second line is about further folders
    old_validity, _, last = place.partition(":")
    if not (last.isdigit() and validity and old_validity == str(validity)):
        return None, set()
    return int(last), {int(uid) for uid in unread.split(",") if uid.isdigit()}


def _mark(validity: int, last: int | None, unread: Iterable[int]) -> str:
    return " ".join(filter(None, (f"{validity}:{last or 0}", ",".join(map(str, sorted(unread))))))


KEYWORD = "$PbemHandled"
"""The flag that the desk sets on handled letters, on servers that keep such flags."""

_UNKNOWN = datetime.fromtimestamp(0, UTC)
"""The time of arrival of a letter for which the server returns no valid date."""


class ImapLine(imaplib.IMAP4):
    """An imaplib connection on a socket with a deadline. It refuses texts that are far longer than requested."""

    def __init__(self, server: Server, deadline: float) -> None:
        self._server, self._deadline = server, deadline
        self._line: socket.socket | None = None
        try:
            super().__init__(server.host, server.port)
        except BaseException:  # imaplib hangs up only after an Exception, which a signal need not raise
            if self._line:
                self._line.close()
            raise

    def _create_socket(self, timeout: float | None = None) -> socket.socket:
        self._line = connect(self._server, self._deadline)
        return self._line

    def read(self, size: int) -> bytes:
        if size > 2 * MAX_LETTER:  # a literal of 99 GB would raise MemoryError
            raise self.abort(f"a literal of {size} bytes")
        return super().read(size)


def _is_of_two(answer: Any) -> bool:
    """Return whether the FETCH response `answer` has several texts or UIDs. If it has, the first text was announced as
    longer than it is, and has swallowed the beginning of the next response."""
    items = [(name.upper().removesuffix(b"<0>"), value) for name, value in zip(answer[::2], answer[1::2], strict=False)]
    return any(len({value for name, value in items if name == once}) > 1 for once in (b"UID", b"BODY[]"))


class Client(IMAPClient):  # type: ignore[misc]  # imapclient has no types
    """An IMAPClient on an `ImapLine`. Its dates have time zones, and it refuses an answer that mixes up two letters."""

    def __init__(self, server: Server, deadline: float) -> None:
        self._connect: Callable[[], ImapLine] = lambda: ImapLine(server, deadline)
        super().__init__(server.host, server.port, ssl=server.tls == "direct")
        self.normalise_times = False

    def fetch(self, messages: Sequence[int], data: Sequence[str]) -> dict[int, Mapping[bytes, Any]]:
        """Return the items in `data` for each letter whose UID is in `messages`."""
        if not messages:
            return {}
        typ, answer = self._imap.uid("FETCH", ",".join(map(str, messages)), f"({' '.join(data)})")
        if typ != "OK":
            raise self.Error(f"fetch failed: {bytes(answer[0] or b'').decode('utf-8', 'replace')}")
        if any(map(_is_of_two, parse_response(answer)[1::2])):
            raise ProtocolError("two letters in one answer")
        letters = parse_fetch_response(answer, self.normalise_times)
        return {uid: letters[uid] for uid in messages if uid in letters}

    def untagged(self, name: str) -> bytes | None:
        """Return the last untagged response called `name`, or None."""
        responses = self._imap.untagged_responses.get(name)
        return bytes(responses[-1] or b"") if responses else None

    def _create_IMAP4(self) -> imaplib.IMAP4:  # noqa: N802
        return self._connect()


def arrived(uid: int, answer: Mapping[bytes, Any]) -> Arrived | None:
    """Return the letter in the FETCH response `answer`; None if the server returned no text for it."""
    raw, size = answer.get(b"BODY[]<0>", answer.get(b"BODY[]")), size_of(answer)
    if not isinstance(raw, bytes) or size is None:  # the text may have swallowed its size
        return None
    flag_list = answer.get(b"FLAGS")
    flags = {flag.lower() for flag in flag_list if isinstance(flag, bytes)} if isinstance(flag_list, tuple) else set()
    when = when_of(answer) or _UNKNOWN
    return Arrived(str(uid), when, raw[:MAX_LETTER], size, KEYWORD.lower().encode() in flags)


def size_of(answer: Mapping[bytes, Any]) -> int | None:
    """Return the size of a letter in bytes, as reported by the server in `answer`. The size may be too large, because
    Exchange only estimates it."""
    size = answer.get(b"RFC822.SIZE")
    return size if isinstance(size, int) else None


def when_of(answer: Mapping[bytes, Any]) -> datetime | None:
    """Return the time at which a letter was delivered, in UTC, as reported by the server in `answer`; None if the time
    is missing or invalid."""
    try:
        return cast(datetime, answer[b"INTERNALDATE"].astimezone(UTC))
    except (KeyError, AttributeError, ValueError, OverflowError):
        return None
