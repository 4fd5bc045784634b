"""Chance as an argument of the rules: dice and picks from given values, or from a secret that is opened later.

There are two questions: `die(n)`, a number from 1 to n, and `pick(n)`, one from 0 to n - 1, from which shuffles are
made. The rules say in which order they ask. docs/chance.md shows how to check by hand what came of a secret.
"""

import hashlib
import hmac
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, Protocol, TypeVar

from pbem import Sentence
from pbem.games.values import GameError

KINDS = ("desk", "words", "beacon")
"""What the chance of a match comes from: the desk's secret alone, also words of its seats, or also a public number that
did not exist when the last of them came."""

NO_WORDS = "-"
"""In place of the words of a seat that has brought none."""

SECRET = 32
"""Bytes of a secret."""

_MOST = 256
_Item = TypeVar("_Item")


class ChanceError(GameError):
    """Values that are too few, too many or out of their range, or a source of them that is none."""


class Chance(Protocol):
    """Answers the questions of the rules, one at a time; whoever asks the same of the same secret gets the same."""

    def die(self, sides: int) -> int:
        """A number from 1 to `sides`, which are at most 256."""

    def pick(self, number: int) -> int:
        """A number from 0 to `number` - 1, which is at most 255."""


class GivenChance:
    """Values that somebody names, in the order in which they are asked for. Raises ChanceError."""

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
        """Raises ChanceError if values are left over."""
        if number := len(self._values) - self._answered:
            raise ChanceError(Sentence("Values are left over: {left}.", left=number))


NO_CHANCE: Chance = GivenChance(())
"""For games that ask for nothing."""


class SecretChance:
    """What follows from a secret: two streams of bytes, `dice` for dice and `deck` for picks, each its SHA-256 with the
    stream's name and a counter; `deck` may be the secret of the other stream."""

    def __init__(self, secret: bytes, deck: bytes | None = None) -> None:
        self._dice: Iterator[int] = _stream(secret, "dice")
        self._deck: Iterator[int] = _stream(secret if deck is None else deck, "deck")

    def die(self, sides: int) -> int:
        return 1 + _draw(self._dice, sides)

    def pick(self, number: int) -> int:
        return _draw(self._deck, number)


class Drawn(NamedTuple):
    """How an answer came about: which stream, how many values it had, the `place` of its byte in the stream, from 0,
    the byte, and those before it that were thrown away."""

    stream: Literal["dice", "deck"]
    number: int
    place: int
    byte: int
    rejected: tuple[int, ...]
    answer: int


class TracedChance(SecretChance):
    """The same, which tells how each answer came about: `drawn`, without questions of one value, which take nothing."""

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
    """A stream that counts the bytes that are read of it, and keeps those that nobody has cleared yet."""

    def __init__(self, stream: Iterator[int]) -> None:
        self._stream, self.count = stream, 0
        self.read: list[int] = []

    def __next__(self) -> int:
        self.count += 1
        self.read.append(next(self._stream))
        return self.read[-1]


def block(secret: bytes, stream: str, number: int) -> bytes:
    """Thirty-two bytes of a stream, from 32 times a number on."""
    return hashlib.sha256(secret + stream.encode() + number.to_bytes(8, "big")).digest()


def _stream(secret: bytes, label: str) -> Iterator[int]:
    count = 0
    while True:
        yield from block(secret, label, count)
        count += 1


def _draw(stream: Iterator[int], number: int) -> int:
    """A number below `number`, each as likely as any other: bytes that would favour the small ones are thrown away."""
    if not 1 <= number <= _MOST:
        raise ValueError(f"a question of {number} values")
    if number == 1:
        return 0
    limit = _MOST - _MOST % number
    return next(byte for byte in stream if byte < limit) % number


def shuffled(items: Sequence[_Item], chance: Chance) -> tuple[_Item, ...]:
    """Items in an order of chance (Fisher-Yates): for each place from the last, one of those up to it is picked."""
    order = list(items)
    for at in range(len(order) - 1, 0, -1):
        picked = chance.pick(at + 1)
        order[at], order[picked] = order[picked], order[at]
    return tuple(order)


class Source(NamedTuple):
    """What chance comes from, of a turn or of a match, as it is kept, told and written into records, joined by `+`.

    `secret` is the desk's, 64 hexadecimal digits. Of a match, `kind` is one of KINDS, "" for one from before there were
    kinds; `words` are what its set-up was dealt with. Of a turn, `attempt` counts how often chance was called for anew.
    `words` are the SHA-256 of what each seat has brought last, in the game's order; none where only the desk's secret
    counts. `beacon` is the round of a public beacon that joined them, `ROUND:VALUE`, the value 64 hexadecimal digits;
    or `ROUND:` while it is waited for, round 0 until one is named.
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
        """The number of the beacon's round, 0 if there is none."""
        return int(self.beacon.partition(":")[0] or 0)

    @property
    def waits(self) -> bool:
        """Whether the round of the beacon has not come yet."""
        return self.beacon.endswith(":")

    @property
    def seed(self) -> bytes:
        """What a stream is made from: the secret itself, or its HMAC-SHA-256 (RFC 2104) over the words and the beacon's
        round, a line each. Raises ChanceError while that is waited for."""
        if self.waits:
            raise ChanceError(Sentence("Round {round} of the beacon has not come yet.", round=self.round))
        secret, lines = bytes.fromhex(self.secret), filter(None, (*self.words, self.beacon))
        return hmac.digest(secret, "\n".join(lines).encode(), "sha256") if self.words else secret


def _pattern(value: str) -> str:
    kind, beacon = rf"(?:\+(?:{'|'.join(KINDS)}))?", rf"(?:\+[0-9]{{1,12}}:{value})?"
    return rf"[0-9a-f]{{64}}{kind}(?:\+[0-9]{{1,10}}\b(?!:))?{beacon}(?:\+(?:[0-9a-f]{{64}}|-))*"


SOURCE = _pattern("[0-9a-f]{64}")
"""A Source in its written form, as a pattern; of one that waits for nothing."""
_SOURCE = re.compile(_pattern("(?:[0-9a-f]{64})?"))


def read_source(text: str) -> Source:
    """The inverse of `str`. Raises ChanceError."""
    if not _SOURCE.fullmatch(text):
        raise ChanceError("What chance came from is 64 hexadecimal digits and what joined them.")
    secret, *parts = text.split("+")
    kind = parts.pop(0) if parts and parts[0] in KINDS else ""
    attempt = int(parts.pop(0)) if parts and len(parts[0]) < 64 and parts[0].isdecimal() else 0
    beacon = parts.pop(0) if parts and ":" in parts[0] else ""
    return Source(secret, kind, attempt, tuple(parts), beacon)


def commitment(source: str) -> str:
    """What is told of a secret before it is opened: its SHA-256, in 64 hexadecimal digits."""
    return hashlib.sha256(bytes.fromhex(read_source(source).secret)).hexdigest()


def turn_secret(match: str, turn: int, attempt: int = 0) -> str:
    """The secret of a turn, which follows from that of its match and tells nothing of it; the set-up is turn 0."""
    return _derived(match, f"turn {turn}.{attempt}".encode()).hex()


def follows(turn: str, match: str, number: int) -> bool:
    """Whether the secret of a turn follows from that of its match, as it has to since there are kinds."""
    own, source = read_source(turn), read_source(match)
    return not source.kind or own.secret == turn_secret(match, number, own.attempt)


def deck_seed(match: str, turn: str, number: int) -> bytes:
    """What the picks of a turn come from, which stays closed until the secret of the match is opened."""
    source = read_source(match)
    if not source.kind:  # from before there were kinds
        return hashlib.sha256(bytes.fromhex(source.secret) + number.to_bytes(8, "big")).digest()
    return _derived(match, b"deck " + read_source(turn).seed)


def rollback_seed(match: str, number: int, attempt: int) -> bytes:
    """What decks are shuffled anew from when a match is taken back to the start of a turn."""
    return _derived(match, f"rollback {number}.{attempt}".encode())


def set_up_seed(match: str) -> bytes:
    """What all of a match's set-up comes from."""
    source = read_source(match)
    if not source.kind:
        return deck_seed(match, "", 0)
    return source._replace(secret=turn_secret(match, 0)).seed


def set_up_chance(match: str) -> Chance:
    """The chance of a match's set-up, from what its chance comes from."""
    return SecretChance(set_up_seed(match))


def _derived(match: str, message: bytes) -> bytes:
    return hmac.digest(bytes.fromhex(read_source(match).secret), message, "sha256")


def any_chance() -> Chance:
    """For trying something out whose chance does not matter."""
    return set_up_chance("00" * SECRET)


def turn_chance(turn: str, match: str, number: int) -> Chance:
    """The chance of a turn, from what its own and that of its match come from: dice by the turn's, picks by both."""
    return SecretChance(read_source(turn).seed, deck_seed(match, turn, number))
