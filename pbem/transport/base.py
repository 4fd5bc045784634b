"""What the desk and the world of mail hand each other: letters, in and out, and two kinds of trouble."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from types import TracebackType
from typing import NamedTuple, Protocol, Self

from pbem import PbemError

MAX_LETTER = 262_144
"""Bytes of a letter that are fetched; what is longer is cut off there."""

BATCH = 50
"""Letters that are fetched, kept and marked together."""


class TransportError(PbemError):
    """Trouble with a server, a line, a login or a folder: nothing is lost, the next run goes on."""

    trouble = True


class Interrupted(TransportError):  # noqa: N818 - a word of the trade
    """The line broke: a letter that was on its way may have been taken, or may be what breaks the line."""


class Unread(TransportError):  # noqa: N818
    """Some letters could not be read, and all others were: `letters` are their names there, each with a sentence why.

    They stay where they are; each run asks for them again, until they are read or gone.
    """

    def __init__(self, letters: Mapping[str, str]) -> None:
        self.letters = letters
        super().__init__(" ".join(f"{why} That is the letter {name}." for name, why in letters.items()))


class Refused(PbemError):  # noqa: N818 - a word of the trade
    """One letter was not taken; the next may still go. `code` is the SMTP reply code (RFC 5321 §4.2)."""

    def __init__(self, code: int, answer: str) -> None:
        self.code = code
        self.permanent = code >= 500
        super().__init__(f"The mail server refused the letter with {code}: {answer}")


class Arrived(NamedTuple):
    """A letter in the mailbox.

    `key` names it to `Mailbox.handled` and means nothing else; `when` it was delivered, in UTC; `raw` are at
    most MAX_LETTER of its `size` bytes. `handled`: it is marked as dealt with. `late`: what came after it was given
    before it.
    """

    key: str
    when: datetime
    raw: bytes
    size: int
    handled: bool = False
    late: bool = False


class Unwanted(NamedTuple):
    """A letter that is to go: the SHA-256 of its first MAX_LETTER bytes in hexadecimal, its bytes, and when it was
    delivered, to the second."""

    sha256: str
    size: int
    when: datetime


class Batch(NamedTuple):
    """Letters in order of arrival, maybe none, and the mark to keep: the next `fetch` starts after it."""

    letters: Sequence[Arrived]
    mark: str


class Mailbox(Protocol):
    """Where letters come in; connected between `with` and its end."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def fetch(self, mark: str) -> Iterator[Batch]:
        """The letters after `mark` ("" for all that are not handled), at most BATCH at a time.

        They stay as they are until `handled` is told, and a letter may come again in another run. Raises
        TransportError; Unread after the last batch, if some letters could not be read.
        """

    def again(self, since: datetime) -> None:
        """Let `fetch` give the letters that came after a moment, handled or not; others may be among them."""

    def look_back(self) -> None:
        """Let `fetch` give all letters that are not handled, also such as should lie before its mark."""

    def overlooked(self, mark: str) -> int:
        """How many letters lie before a mark and are not handled."""

    def handled(self, keys: Sequence[str]) -> None:
        """Mark letters as dealt with, once they are safe in the store. Some may have gone meanwhile."""

    def remove(self, letters: Sequence[Unwanted]) -> None:
        """Remove letters for good, handled or not, each as often as it is there, and nothing else. Some may have gone
        before. Raises TransportError if any may be left.
        """


def is_among(raw: bytes, letters: Sequence[Unwanted]) -> bool:
    """Whether these are the bytes of one of some letters."""
    from hashlib import sha256  # a poll that finds nothing has no use for it

    digest = sha256(raw).hexdigest()
    return any(letter.sha256 == digest for letter in letters)


class Outgoing(Protocol):
    """Where letters go out; connected between `with` and its end."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def send(self, raw: bytes, recipient: str, sender: str, name: str) -> None:
        """Send one letter, byte for byte. `sender` is the envelope's and may be "" (RFC 5321 §4.5.5).

        `name` is the letter's own in the outbox: delivered into a folder twice, it replaces itself. Raises
        Refused if this letter is not taken, Interrupted if nobody knows, TransportError if none is.
        """


class Bell(Protocol):
    """Rings when there may be new letters; connected between `with` and its end."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def set(self) -> None:
        """What comes from now on rings. To be told at least every half hour. Raises TransportError."""

    def wait(self, seconds: float) -> bool:
        """Wait for a ring, at most so many seconds, and return whether it rang; it may ring for nothing."""
