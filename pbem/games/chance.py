"""Chance as an argument of the rules: dice and picks from given values, or from a secret that is revealed later.

The rules ask two kinds of questions, in an order that they define: `die(n)` is a number from 1 to n, and `pick(n)` one
from 0 to n - 1, used for shuffles. docs/chance.md shows how to check by hand what follows from a secret.
"""

import hashlib
import hmac
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, Protocol, TypeVar

from pbem import Sentence
from pbem.games.values import GameError

KINDS = ("desk", "words", "beacon")
"""The sources of a match's chance: the desk's secret alone, or together with words from its seats, or also with a
public number that did not exist yet when the last of the words arrived."""

NO_WORDS = "-"
"""The stand-in for the words of a seat that has sent none."""

SECRET = 32
"""The length of a secret in bytes."""

_MOST = 256
_Item = TypeVar("_Item")


class ChanceError(GameError):
    """Too few or too many values, a value out of range, or an invalid source of chance."""


class Chance(Protocol):
    """Chance as the rules use it: it answers their questions one at a time, and the same questions to the same secret
    get the same answers."""

    def die(self, sides: int) -> int:
        """Return a number from 1 to `sides`, which is at most 256."""

    def pick(self, number: int) -> int:
        """Return a number from 0 to `number` - 1, which is at most 255."""


class GivenChance:
    """Chance that returns given values in order. Raises ChanceError if they run out or do not fit."""

    def __init__(self, values: Iterable[int]) -> None:
        self._values, self._answered = list(values), 0

    def die(self, sides: int) -> int:
        return self._next(1, sides)

    def pick(self, number: int) -> int:
        return self._next(0, number - 1)

    def _next(self, least: int, most: int) -> int:
        if self._answered == len(self._values):
            raise ChanceError(Sentence("More values are asked for than there are: {number}.", number=self._answered))
        value = self._values[self._answered]
        self._answered += 1
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            values = {"at": self._answered, "least": least, "most": most, "value": value}
            raise ChanceError(Sentence("Value {at} is from {least} to {most}, not {value}.", **values))
        return value

    def finish(self) -> None:
        """Raise ChanceError if values are left over."""
        if number := len(self._values) - self._answered:
            raise ChanceError(Sentence("Values are left over: {left}.", left=number))


NO_CHANCE: Chance = GivenChance(())
"""The chance of games that use none: any question raises ChanceError."""


class SecretChance:
    """Chance derived from a secret: two streams of bytes, `dice` for dice and `deck` for picks, each made of SHA-256 of
    the secret, the name of the stream and a counter. `deck` may be a separate secret for the second stream."""

    def __init__(self, secret: bytes, deck: bytes | None = None) -> None:
        self._dice: Iterator[int] = _stream(secret, "dice")
        self._deck: Iterator[int] = _stream(secret if deck is None else deck, "deck")

    def die(self, sides: int) -> int:
        return 1 + _draw(self._dice, sides)

    def pick(self, number: int) -> int:
        return _draw(self._deck, number)


class Drawn(NamedTuple):
    """The origin of an answer: the stream, the number of possible values, the `place` of its byte in the stream,
    counted from 0, the byte itself, and the bytes rejected before it."""

    stream: Literal["dice", "deck"]
    number: int
    place: int
    byte: int
    rejected: tuple[int, ...]
    answer: int


class TracedChance(SecretChance):
    """SecretChance that records how each answer came about in `drawn`. Questions with one possible value consume no
    bytes and are not recorded."""

    def __init__(self, secret: bytes, deck: bytes | None = None) -> None:
        super().__init__(secret, deck)
        self.drawn: list[Drawn] = []
        self._dice, self._deck = _Counted(self._dice), _Counted(self._deck)

    def die(self, sides: int) -> int:
        return self._traced("dice", self._dice, sides, super().die(sides))

    def pick(self, number: int) -> int:
        return self._traced("deck", self._deck, number, super().pick(number))

    def _traced(self, stream: Literal["dice", "deck"], bytes_of: Iterator[int], number: int, answer: int) -> int:
        assert isinstance(bytes_of, _Counted)
        if bytes_of.read:
            *rejected, byte = bytes_of.read
            self.drawn.append(Drawn(stream, number, bytes_of.count - 1, byte, tuple(rejected), answer))
            bytes_of.read.clear()
        return answer


class _Counted(Iterator[int]):
    """A stream that counts the bytes read from it, and keeps them until they are cleared."""

    def __init__(self, stream: Iterator[int]) -> None:
        self._stream, self.count = stream, 0
        self.read: list[int] = []

    def __next__(self) -> int:
        self.count += 1
        self.read.append(next(self._stream))
        return self.read[-1]


def block(secret: bytes, stream: str, number: int) -> bytes:
    """Return block `number` of a stream: the 32 bytes that begin at byte 32 * `number`."""
    return hashlib.sha256(secret + stream.encode() + number.to_bytes(8, "big")).digest()


def _stream(secret: bytes, label: str) -> Iterator[int]:
    count = 0
    while True:
        yield from block(secret, label, count)
        count += 1


def _draw(stream: Iterator[int], number: int) -> int:
    """Draw a number below `number`, all equally likely: bytes that would favour small numbers are discarded."""
    if not 1 <= number <= _MOST:
        raise ValueError(f"a question of {number} values")
    if number == 1:
        return 0
    limit = _MOST - _MOST % number
    return next(byte for byte in stream if byte < limit) % number


def shuffled(items: Sequence[_Item], chance: Chance) -> tuple[_Item, ...]:
    """Shuffle items by Fisher-Yates: for each place from the last down, pick one of the items up to it."""
    order = list(items)
    for at in range(len(order) - 1, 0, -1):
        picked = chance.pick(at + 1)
        order[at], order[picked] = order[picked], order[at]
    return tuple(order)


class Source(NamedTuple):
    """The source of chance for a turn or a match, as it is stored, published and written into records, with its parts
    joined by `+`.

    `secret` is the desk's, in 64 hexadecimal digits. For a match, `kind` is one of KINDS. For a turn, `attempt` is the
    number of times that its chance was drawn again; for a match, it is the number of its secret, 0 for the first. A
    match that went on after its secret had been revealed has several sources (see `newest`). `words` holds the SHA-256
    of the latest words of each seat, for a match those used in its set-up, in the game's order; it is empty where only
    the desk's secret counts. `beacon` is the round of a public beacon that was mixed in, `ROUND:VALUE` with a value of
    64 hexadecimal digits, or `ROUND:` while it is awaited, with round 0 until one is named.
    """

    secret: str
    kind: str = ""
    attempt: int = 0
    words: tuple[str, ...] = ()
    beacon: str = ""

    def __str__(self) -> str:
        parts = (self.secret, self.kind, str(self.attempt or ""), self.beacon, *self.words)
        return "+".join(filter(None, parts))

    @property
    def round(self) -> int:
        """The number of the beacon's round, 0 if there is no beacon."""
        return int(self.beacon.partition(":")[0] or 0)

    @property
    def waits(self) -> bool:
        """Whether the beacon's round has yet to be published."""
        return self.beacon.endswith(":")

    @property
    def seed(self) -> bytes:
        """The seed of the streams: the secret itself, or its HMAC-SHA-256 (RFC 2104) over the words and the beacon's
        round, one per line. Raises ChanceError while the beacon is awaited."""
        if self.waits:
            raise ChanceError(Sentence("Round {round} of the beacon has not come yet.", round=self.round))
        secret, lines = bytes.fromhex(self.secret), filter(None, (*self.words, self.beacon))
        return hmac.digest(secret, "\n".join(lines).encode(), "sha256") if self.words else secret


def _pattern(value: str) -> str:
    kind, beacon = rf"(?:\+(?:{'|'.join(KINDS)}))?", rf"(?:\+[0-9]{{1,12}}:{value})?"
    return rf"[0-9a-f]{{64}}{kind}(?:\+[0-9]{{1,10}}\b(?!:))?{beacon}(?:\+(?:[0-9a-f]{{64}}|-))*"


SOURCE = _pattern("[0-9a-f]{64}")
"""A pattern for the text form of a Source that waits for nothing."""
SOURCES = rf"{SOURCE}(?: {SOURCE})*"
"""A pattern for the sources of a match."""
_SOURCE = re.compile(_pattern("(?:[0-9a-f]{64})?"))


def read_source(text: str) -> Source:
    """Parse the text form of a Source, the inverse of `str`. Raises ChanceError."""
    if not _SOURCE.fullmatch(text):
        raise ChanceError("What chance came from is 64 hexadecimal digits and what joined them.")
    secret, *parts = text.split("+")
    kind = parts.pop(0) if parts and parts[0] in KINDS else ""
    attempt = int(parts.pop(0)) if parts and len(parts[0]) < 64 and parts[0].isdecimal() else 0
    beacon = parts.pop(0) if parts and ":" in parts[0] else ""
    return Source(secret, kind, attempt, tuple(parts), beacon)


def newest(match: str) -> str:
    """Return the newest of a match's sources, which are joined by blanks, oldest first. The secret of the open turn
    derives from it."""
    return match.rpartition(" ")[2]


def set_up_source(match: str) -> str:
    """Return the source of a match's set-up. A match may get another one before it begins; the sources that it gets
    after that have no kind."""
    sources = match.split(" ")
    return next((source for source in reversed(sources) if read_source(source).kind), sources[0])


def source_behind(turn: str, match: str, number: int) -> str:
    """Return the source, among those of a match, from which the secret of a turn derives; "" if there is none."""
    own, sources = read_source(turn), reversed(match.split(" "))
    return next((source for source in sources if own.secret == turn_secret(source, number, own.attempt)), "")


def renewed_secret(root: str, number: int) -> str:
    """Derive the secret with which a match goes on after an earlier one was revealed. The `root` is never revealed."""
    return hmac.digest(bytes.fromhex(root), f"secret {number}".encode(), "sha256").hex()


def commitment(source: str) -> str:
    """Return the commitment that is published for a secret before it is revealed, or for the newest secret of a match:
    its SHA-256 in 64 hexadecimal digits."""
    return hashlib.sha256(bytes.fromhex(read_source(newest(source)).secret)).hexdigest()


def turn_secret(match: str, turn: int, attempt: int = 0) -> str:
    """Derive the secret of a turn from that of its match, without revealing the latter; the set-up is turn 0."""
    return _derived(match, f"turn {turn}.{attempt}".encode()).hex()


def deck_seed(match: str, turn: str) -> bytes:
    """Return the seed of a turn's picks, which stays hidden until the secret of the match is revealed."""
    return _derived(match, b"deck " + read_source(turn).seed)


def deal_seed(match: str, number: int, attempt: int) -> bytes:
    """Return the seed for dealing everything hidden again at the start of a turn, because it was revealed."""
    return _derived(match, f"deal {number}.{attempt}".encode())


def rollback_seed(match: str, number: int, attempt: int) -> bytes:
    """Return the seed for reshuffling decks when a match is taken back to the start of a turn."""
    return _derived(match, f"rollback {number}.{attempt}".encode())


def set_up_seed(match: str) -> bytes:
    """Return the seed of all chance in a match's set-up."""
    source = set_up_source(match)
    return read_source(source)._replace(secret=turn_secret(source, 0)).seed


def set_up_chance(match: str) -> Chance:
    """Create the chance of a match's set-up, from the sources of the match."""
    return SecretChance(set_up_seed(match))


def _derived(match: str, message: bytes) -> bytes:
    return hmac.digest(bytes.fromhex(read_source(newest(match)).secret), message, "sha256")


def any_chance() -> Chance:
    """Return chance for trials in which the outcome does not matter; it is always the same."""
    return set_up_chance("00" * SECRET)


def turn_chance(turn: str, match: str) -> Chance:
    """Create the chance of a turn, from its own source and that of the match from which it derives: dice depend only on
    the turn's, picks on both."""
    return SecretChance(read_source(turn).seed, deck_seed(match, turn))
