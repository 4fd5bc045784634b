"""The interfaces of mailboxes and of outgoing mail, and the errors that they raise."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from types import TracebackType
from typing import NamedTuple, Protocol, Self

from pbem import PbemError

MAX_LETTER = 262_144
"""The maximum number of bytes fetched of each letter; the rest is cut off."""

BATCH = 50
"""The maximum number of letters that are fetched, kept and marked together."""


class TransportError(PbemError):
    """Raised for trouble with a server, a connection, a login or a folder. Nothing is lost; the next run tries
    again."""

    trouble = True


class Interrupted(TransportError):  # noqa: N818 - a word of the trade
    """Raised when the connection breaks.

    The server may or may not have accepted the letter that was being sent, and that letter may even be what broke the
    connection.
    """


class Blocked(TransportError):  # noqa: N818
    """Raised when the server refuses a letter for a reason that concerns the desk rather than the recipient, such as a
    limit or a policy."""


class Unread(TransportError):  # noqa: N818
    """Raised when some letters could not be read but all others could.

    `letters` contains the reason for each such letter, keyed by the letter's name in the mailbox. The letters remain in
    the mailbox, and each run asks for them again until they are read or gone.
    """

    def __init__(self, letters: Mapping[str, str]) -> None:
        self.letters = letters
        super().__init__(" ".join(f"{why} That is the letter {name}." for name, why in letters.items()))


class Refused(PbemError):  # noqa: N818 - a word of the trade
    """Raised when the server refuses a letter; it may still accept the next letter. `code` is the SMTP reply code (RFC
    5321 §4.2).

    A `permanent` refusal means that the recipient's address does not exist.
    """

    def __init__(self, code: int, answer: str, *, permanent: bool) -> None:
        self.code = code
        self.permanent = permanent
        super().__init__(f"The mail server refused the letter with {code}: {answer}")


class Arrived(NamedTuple):
    """A letter in the mailbox.

    `key` identifies the letter for `Mailbox.handled` and has no other meaning. `when` is the time of delivery, in UTC.
    `raw` contains the first MAX_LETTER of its `size` bytes. `handled` means that the letter is marked as handled.
    `late` means that letters that arrived after this one have already been returned. `mailbox` is the name of the
    mailbox in `Config.mailboxes`. `folder` is the further folder that contains the letter, or "" for the main folder.
    """

    key: str
    when: datetime
    raw: bytes
    size: int
    handled: bool = False
    late: bool = False
    mailbox: str = ""
    folder: str = ""


class Unwanted(NamedTuple):
    """A letter to remove.

    `sha256` is the hash of its first MAX_LETTER bytes, in hexadecimal. `size` is in bytes, and `when` is the time of
    delivery, precise to the second.
    """

    sha256: str
    size: int
    when: datetime


class Batch(NamedTuple):
    """Letters in order of arrival, perhaps none, and the mark to store. The next `fetch` starts after that mark.

    `troubles` contains a sentence about each further place that could not be read, although the main place was read.
    It is keyed by the name of the place.
    """

    letters: Sequence[Arrived]
    mark: str
    troubles: Mapping[str, str] = {}


class Mailbox(Protocol):
    """A source of letters, connected while its `with` block runs."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def fetch(self, mark: str) -> Iterator[Batch]:
        """Yield the letters after `mark`, or all unhandled letters if `mark` is "", in batches of at most BATCH.

        The letters remain unhandled until `handled` is called, so that another run may fetch them again. Raises
        TransportError if the mailbox cannot be read and, after the last batch, Unread if only some letters could not be
        read.
        """

    def again(self, since: datetime) -> None:
        """Make `fetch` return all letters that arrived after `since`, whether handled or not, and perhaps some earlier
        letters."""

    def limit(self, deadline: float) -> None:
        """Make the whole conversation end at `deadline`, a value of time.monotonic()."""

    def used(self) -> float:
        """Return the part of the mailbox's room that is used, or 0 if it is not known. Raises TransportError."""

    def further_folders(self) -> Sequence[str]:
        """Return the names of further folders, such as the junk folder, in which only letters with a token are read.

        Raises TransportError if a folder that is configured does not exist.
        """

    def look_back(self) -> None:
        """Make `fetch` return all unhandled letters, including any before its mark."""

    def overlooked(self, mark: str) -> int:
        """Return the number of unhandled letters before `mark`."""

    def handled(self, keys: Sequence[str]) -> None:
        """Mark the letters with the given keys as handled, once they are safely in the store. Letters that are gone are
        ignored."""

    def remove(self, letters: Sequence[Unwanted]) -> None:
        """Remove `letters` permanently, whether handled or not, with all their copies, and nothing else.

        It is not an error if a letter is already gone. Raises TransportError if any of the letters may be left.
        """


def is_among(raw: bytes, letters: Sequence[Unwanted]) -> bool:
    """Return whether `raw`, the beginning of a letter, belongs to one of `letters`."""
    from hashlib import sha256  # a poll that finds nothing does not need this import

    digest = sha256(raw).hexdigest()
    return any(letter.sha256 == digest for letter in letters)


class Outgoing(Protocol):
    """A way to send letters, connected while its `with` block runs."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def send(self, raw: bytes, recipient: str, sender: str, name: str) -> None:
        """Send the letter `raw`, byte for byte. `sender` is the envelope sender, which may be "" (RFC 5321 §4.5.5).

        `name` is unique in the outbox; if letters are delivered to a folder, a letter replaces an earlier letter with
        the same name. Raises Refused if the server does not accept this letter, Blocked if it does not accept the
        letter for a reason that concerns the desk, Interrupted if it is unknown whether the letter was accepted, and
        TransportError if the server accepts no letters.
        """


class Bell(Protocol):
    """A bell that rings when there may be new letters, connected while its `with` block runs."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def set(self) -> None:
        """Set the bell to ring for anything that happens from now on. This must be called at least once every half
        hour.

        Raises TransportError.
        """

    def wait(self, seconds: float) -> bool:
        """Wait for at most `seconds`; return whether the bell rang. It may ring even if there are no new letters."""
