"""Chance as an argument of the rules: dice and picks from given values, or from a secret that is revealed later.

The rules ask for numbers in an order that the rules define: `die(n)` returns a number from 1 to n, and `pick(n)`, which
is used for shuffles, a number from 0 to n - 1. docs/chance.md shows how to check by hand which numbers follow from a
secret.
"""

import hashlib
import hmac
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, Protocol, TypeVar

from pbem import Sentence
from pbem.games.values import GameError

KINDS = ("desk", "words", "beacon")
"""The kinds of chance for a match. Chance comes from the desk's secret alone (`desk`), from that secret and words of
the seats (`words`), or from both and a public number that did not yet exist when the last of the words arrived
(`beacon`)."""

NO_WORDS = "-"
"""The placeholder for the words of a seat that has not sent any."""

SECRET = 32
"""The length of a secret in bytes."""

_MOST = 256
_Item = TypeVar("_Item")


class ChanceError(GameError):
    """The error for too few or too many values, a value out of range, or an invalid source of chance."""


class Chance(Protocol):
    """Chance as the rules use it. It answers one question at a time. With the same secret, the same sequence of
    questions always gets the same answers."""

    def die(self, sides: int) -> int:
        """Return a number from 1 to `sides`. `sides` is at most 256."""

    def pick(self, number: int) -> int:
        """Return a number from 0 to `number` - 1. `number` is at most 256."""


class GivenChance:
    """Chance that returns given values in order. Raises ChanceError if there are too few values, or if a value is out
    of range."""

    def __init__(self, values: Iterable[int]) -> None:
        self._values, self._answered = list(values), 0

    def die(self, sides: int) -> int:
        return self._next(1, sides)

    def pick(self, number: int) -> int:
        return self._next(0, number - 1)

    def _next(self, least: int, most: int) -> int:
        if self._answered == len(self._values):
            raise ChanceError(Sentence("There are only {number} values, fewer than are needed.", number=self._answered))
        value = self._values[self._answered]
        self._answered += 1
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            values = {"at": self._answered, "least": least, "most": most, "value": value}
            raise ChanceError(Sentence("Value {at} must be from {least} to {most}, not {value}.", **values))
        return value

    def finish(self) -> None:
        """Raise ChanceError if values are left over."""
        if number := len(self._values) - self._answered:
            raise ChanceError(Sentence("Values left over: {left}.", left=number))


NO_CHANCE: Chance = GivenChance(())
"""The chance of a game that does not use chance. Any question raises ChanceError."""


class SecretChance:
    """Chance derived from a secret through two streams of bytes: `dice` for dice and `deck` for picks. Each block of a
    stream is the SHA-256 of the secret, the name of the stream and a counter. If the argument `deck` is given, it is
    the secret of the second stream."""

    def __init__(self, secret: bytes, deck: bytes | None = None) -> None:
        self._dice: Iterator[int] = _stream(secret, "dice")
        self._deck: Iterator[int] = _stream(secret if deck is None else deck, "deck")

    def die(self, sides: int) -> int:
        return 1 + _draw(self._dice, sides)

    def pick(self, number: int) -> int:
        return _draw(self._deck, number)


class Drawn(NamedTuple):
    """An answer and its origin: the stream, the number of possible values, the place of the deciding byte in the stream
    (counted from 0), this byte itself, the bytes rejected before it, and the answer."""

    stream: Literal["dice", "deck"]
    number: int
    place: int
    byte: int
    rejected: tuple[int, ...]
    answer: int


class TracedChance(SecretChance):
    """A SecretChance that records the origin of each answer in `drawn`. A question with only one possible answer
    consumes no bytes and is not recorded."""

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
    """A stream that counts the bytes read from it in `count`, and keeps these bytes in `read` until that list is
    cleared."""

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
    """Draw a number from 0 to `number` - 1. All numbers are equally likely, because bytes that would favour small
    numbers are discarded."""
    if not 1 <= number <= _MOST:
        raise ValueError(f"a question of {number} values")
    if number == 1:
        return 0
    limit = _MOST - _MOST % number
    return next(byte for byte in stream if byte < limit) % number


def shuffled(items: Sequence[_Item], chance: Chance) -> tuple[_Item, ...]:
    """Return the items in random order (Fisher-Yates): for each place from the last down to the second, one of the
    items up to that place is picked."""
    order = list(items)
    for at in range(len(order) - 1, 0, -1):
        picked = chance.pick(at + 1)
        order[at], order[picked] = order[picked], order[at]
    return tuple(order)


class Source(NamedTuple):
    """The source of chance for a turn or a match. In the store, in letters and in records, its parts are joined by `+`.

    `secret` is the desk's secret in 64 hexadecimal digits. `kind` is one of KINDS for the set-up of a match, otherwise
    "". For a turn, `attempt` is the number of times that its chance was drawn again; for a match, it is the number of
    its secret, 0 for the first. A match that went on after its secret had been revealed has several sources (see
    `newest`).

    `words` contains the SHA-256 of the latest words of each seat, in the game's order of seats; for a match, it
    contains those used in the set-up. It is empty if only the desk's secret counts. `beacon` is the round of a public
    beacon that was mixed in: `ROUND:VALUE`, with a value of 64 hexadecimal digits, or `ROUND:` while the value is
    awaited. ROUND is 0 until a round is chosen.
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
        """The number of the beacon's round, or 0 if there is no beacon."""
        return int(self.beacon.partition(":")[0] or 0)

    @property
    def waits(self) -> bool:
        """Whether the value of the beacon's round has yet to be published."""
        return self.beacon.endswith(":")

    @property
    def seed(self) -> bytes:
        """The seed of the streams: the secret itself or, if there are words, the HMAC-SHA-256 (RFC 2104) of the words
        and the beacon, one per line, with the secret as the key. Raises ChanceError while the value of the beacon is
        awaited."""
        if self.waits:
            raise ChanceError(Sentence("Round {round} of the beacon is not out yet.", round=self.round))
        secret, lines = bytes.fromhex(self.secret), filter(None, (*self.words, self.beacon))
        return hmac.digest(secret, "\n".join(lines).encode(), "sha256") if self.words else secret


def _pattern(value: str) -> str:
    kind, beacon = rf"(?:\+(?:{'|'.join(KINDS)}))?", rf"(?:\+[0-9]{{1,12}}:{value})?"
    return rf"[0-9a-f]{{64}}{kind}(?:\+[0-9]{{1,10}}\b(?!:))?{beacon}(?:\+(?:[0-9a-f]{{64}}|-))*"


SOURCE = _pattern("[0-9a-f]{64}")
"""A pattern for the text form of a Source that does not wait for a beacon."""
SOURCES = rf"{SOURCE}(?: {SOURCE})*"
"""A pattern for all sources of a match, separated by blanks."""
_SOURCE = re.compile(_pattern("(?:[0-9a-f]{64})?"))


def read_source(text: str) -> Source:
    """Parse the text form of a Source, which is the result of `str`. Raises ChanceError if `text` has another form."""
    if not _SOURCE.fullmatch(text):
        raise ChanceError("What chance came from is 64 hexadecimal digits and what joined them.")
    secret, *parts = text.split("+")
    kind = parts.pop(0) if parts and parts[0] in KINDS else ""
    attempt = int(parts.pop(0)) if parts and len(parts[0]) < 64 and parts[0].isdecimal() else 0
    beacon = parts.pop(0) if parts and ":" in parts[0] else ""
    return Source(secret, kind, attempt, tuple(parts), beacon)


def newest(match: str) -> str:
    """Return the newest source in `match`, which contains the sources of a match, oldest first, separated by blanks.
    The secret of the open turn is derived from the newest source."""
    return match.rpartition(" ")[2]


def set_up_source(match: str) -> str:
    """Return the source of a match's set-up: the newest source in `match` that has a kind. A match may get another
    source before it begins; sources that it gets later have no kind."""
    sources = match.split(" ")
    return next((source for source in reversed(sources) if read_source(source).kind), sources[0])


def source_behind(turn: str, match: str, number: int) -> str:
    """Return the source in `match` from which the secret of turn `number` was derived, or "" if there is no such
    source. `turn` is the source of that turn."""
    own, sources = read_source(turn), reversed(match.split(" "))
    return next((source for source in sources if own.secret == turn_secret(source, number, own.attempt)), "")


def renewed_secret(root: str, number: int) -> str:
    """Derive secret `number` of a match, with which the match goes on after an earlier secret has been revealed. The
    match's `root`, from which such secrets are derived, is never revealed."""
    return hmac.digest(bytes.fromhex(root), f"secret {number}".encode(), "sha256").hex()


def commitment(source: str) -> str:
    """Return the commitment to the newest secret in `source`: its SHA-256 in 64 hexadecimal digits. A commitment is
    published before the secret is revealed. `source` is the source of a turn, or the sources of a match."""
    return hashlib.sha256(bytes.fromhex(read_source(newest(source)).secret)).hexdigest()


def turn_secret(match: str, turn: int, attempt: int = 0) -> str:
    """Derive the secret of turn `turn` from the newest secret of its match. The result does not reveal the secret of
    the match. The set-up is turn 0."""
    return _derived(match, f"turn {turn}.{attempt}".encode()).hex()


def deck_seed(match: str, turn: str) -> bytes:
    """Return the seed of a turn's picks. It remains hidden until the secret of the match is revealed."""
    return _derived(match, b"deck " + read_source(turn).seed)


def deal_seed(match: str, number: int, attempt: int) -> bytes:
    """Return the seed for dealing everything hidden again at the start of turn `number`, after hidden things have been
    revealed."""
    return _derived(match, f"deal {number}.{attempt}".encode())


def rollback_seed(match: str, number: int, attempt: int) -> bytes:
    """Return the seed for reshuffling decks when a match is taken back to the start of turn `number`."""
    return _derived(match, f"rollback {number}.{attempt}".encode())


def set_up_seed(match: str) -> bytes:
    """Return the seed of all chance in a match's set-up."""
    source = set_up_source(match)
    return read_source(source)._replace(secret=turn_secret(source, 0)).seed


def set_up_chance(match: str) -> Chance:
    """Create the chance of a match's set-up from the sources of the match."""
    return SecretChance(set_up_seed(match))


def _derived(match: str, message: bytes) -> bytes:
    return hmac.digest(bytes.fromhex(read_source(newest(match)).secret), message, "sha256")


def any_chance() -> Chance:
    """Return chance for trials in which the outcome does not matter. Its answers are always the same."""
    return set_up_chance("00" * SECRET)


def turn_chance(turn: str, match: str) -> Chance:
    """Create the chance of a turn from `turn`, the source of the turn, and `match`, the sources of its match. Dice
    depend only on `turn`; picks depend on both."""
    return SecretChance(read_source(turn).seed, deck_seed(match, turn))
