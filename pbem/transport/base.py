"""The interface of mailboxes and outgoing mail, and the errors that they raise."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from types import TracebackType
from typing import NamedTuple, Protocol, Self

from pbem import PbemError

MAX_LETTER = 262_144
"""The maximum number of bytes fetched of each letter; the rest is cut off."""

BATCH = 50
"""The most letters that are fetched, kept and marked together."""


class TransportError(PbemError):
    """Raised for trouble with a server, a connection, a login or a folder. Nothing is lost; the next run tries
    again."""

    trouble = True


class Interrupted(TransportError):  # noqa: N818 - a word of the trade
    """Raised when the connection breaks.

    The letter that was being sent may or may not have been taken, or may be what broke the connection.
    """


class Blocked(TransportError):  # noqa: N818
    """Raised when the server refuses a letter for a reason that concerns us rather than its recipient: a limit, a
    policy."""


class Unread(TransportError):  # noqa: N818
    """Raised when some letters could not be read, though all others were.

    `letters` holds a reason for each, by its name in the mailbox.

    They stay in the mailbox, and each run asks for them again until they are read or gone.
    """

    def __init__(self, letters: Mapping[str, str]) -> None:
        self.letters = letters
        super().__init__(" ".join(f"{why} That is the letter {name}." for name, why in letters.items()))


class Refused(PbemError):  # noqa: N818 - a word of the trade
    """Raised when a letter is refused; the next one may still be taken. `code` is the SMTP reply code (RFC 5321 §4.2).

    A `permanent` refusal says that the address does not exist.
    """

    def __init__(self, code: int, answer: str, *, permanent: bool) -> None:
        self.code = code
        self.permanent = permanent
        super().__init__(f"The mail server refused the letter with {code}: {answer}")


class Arrived(NamedTuple):
    """A letter in the mailbox.

    `key` identifies it for `Mailbox.handled` and has no other meaning. `when` is the time of delivery, in UTC. `raw`
    holds the first MAX_LETTER of its `size` bytes. `handled` says that it is marked as handled, and `late` that letters
    which arrived after it were returned before it.
    """

    key: str
    when: datetime
    raw: bytes
    size: int
    handled: bool = False
    late: bool = False


class Unwanted(NamedTuple):
    """A letter to remove.

    `sha256` is the hash of its first MAX_LETTER bytes, in hexadecimal; `size` is in bytes, and `when` precise to the
    second.
    """

    sha256: str
    size: int
    when: datetime


class Batch(NamedTuple):
    """Letters in order of arrival, perhaps none, with the mark to store, after which the next `fetch` starts.

    `trouble` is a sentence about further folders that could not be read, although the main one was.
    """

    letters: Sequence[Arrived]
    mark: str
    trouble: str = ""


class Mailbox(Protocol):
    """A source of letters, connected while its `with` block runs."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def fetch(self, mark: str) -> Iterator[Batch]:
        """Yield the letters after `mark`, or all unhandled ones if that is "", in batches of at most BATCH.

        They stay unhandled until `handled` is called, and another run may fetch them again. Raises TransportError, and
        after the last batch Unread, if some letters could not be read.
        """

    def again(self, since: datetime) -> None:
        """Make `fetch` return all letters that arrived after `since`, handled or not, and perhaps earlier ones."""

    def further_folders(self) -> Sequence[str]:
        """Return the names of further folders, in which letters with a token are read.

        Raises TransportError if one that is configured does not exist.
        """

    def look_back(self) -> None:
        """Make `fetch` return all unhandled letters, including any before its mark."""

    def overlooked(self, mark: str) -> int:
        """Count the unhandled letters before a mark."""

    def handled(self, keys: Sequence[str]) -> None:
        """Mark letters as handled, once they are safely in the store. Some of them may be gone."""

    def remove(self, letters: Sequence[Unwanted]) -> None:
        """Remove letters for good, handled or not, with all their copies, and nothing else.

        It is not an error if a letter is already gone. Raises TransportError if any may be left.
        """


def is_among(raw: bytes, letters: Sequence[Unwanted]) -> bool:
    """Check whether `raw` is one of `letters`."""
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
        """Send one letter, byte for byte. `sender` is the envelope sender, which may be "" (RFC 5321 §4.5.5).

        `name` is unique in the outbox; in a folder, a letter that is delivered again under the same name replaces
        itself. Raises Refused if this letter is not taken, Blocked if it is not taken for a reason that concerns us,
        Interrupted if it is unknown whether it was taken, and TransportError if no letters are taken at all.
        """


class Bell(Protocol):
    """A bell that rings when there may be new letters, connected while its `with` block runs."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def set(self) -> None:
        """Set the bell to ring for anything that happens from now on; call this at least once every half hour.

        Raises TransportError.
        """

    def wait(self, seconds: float) -> bool:
        """Wait for at most `seconds`; return whether the bell rang. It may ring even if there are no new letters."""
