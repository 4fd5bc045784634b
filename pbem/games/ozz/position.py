"""The notation for a position between campaign turns (§17), a single line such as
`3 munchkins M1 ZOR M4 MAY winkies W1 EVO fallen GLE 2`.

Default values are left out. Points are in point order, and counters in roster order.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pbem.games.base import GameError
from pbem.games.ozz.data import Data
from pbem.games.ozz.loading import known_spells, load
from pbem.games.ozz.state import MERCENARIES, State, dump, home_towns
from pbem.typed import quote

_NONE = "none"
_SECTIONS = ("towns", "razed", "fallen", "bell", "pools", "spells")


def position(state: State) -> str:
    """Return the map of `state` as a line that `placed` can read; a battle on the board is not included."""
    return " ".join((str(state.turn), *_counters(state), *_rest(state)))


def _counters(state: State) -> Iterator[str]:
    for seat in state.seats:
        yield seat
        for point in state.data.points:
            here = (code for code, counter in state.units.items() if (counter.seat, counter.at) == (seat, point))
            there = state.data.in_order(here)
            yield from (point, *there) if there else ()


def _rest(state: State) -> Iterator[str]:
    data, roster = state.data, state.data.roster.__getitem__
    homes = home_towns(data, state.seats)
    towns = [(town, seat or _NONE) for town, seat in state.control.items() if seat != homes[town]]
    yield from _section("towns", towns)
    yield from _section("razed", [(point, state.razed[point]) for point in data.points if point in state.razed])
    yield from _section("fallen", [(code, state.fallen[code]) for code in sorted(state.fallen, key=roster)])
    if state.bell:
        yield from ("bell", state.bell.seat, state.bell.at or _NONE, state.bell.carrier or _NONE)
    owners = (*state.seats, MERCENARIES)
    yield from _section("pools", [(owner, *state.pools[owner]) for owner in owners if state.pools.get(owner)])
    usual = _usual_spells(state)
    spells = [(code, state.spells[code]) for code in sorted(state.spells, key=roster)]
    yield from _section("spells", [(code, *(names or (_NONE,))) for code, names in spells if names != usual.get(code)])


def _usual_spells(state: State) -> dict[str, tuple[str, ...]]:
    """Return the spells that leaders in play or in a pool know by default."""
    codes = (*state.units, *(code for pool in state.pools.values() for code in pool))
    cards = (state.data.counters[code] for code in codes)
    return {card.code: known_spells(card) for card in cards if card.leader}


def _section(name: str, entries: list[tuple[Any, ...]]) -> Iterator[str]:
    if entries:
        yield name
        yield from (str(word) for entry in entries for word in entry)


def placed(text: str, state: State) -> State:
    """Return `state` with its position replaced by the one that the line `text` describes.

    During a battle, `text` may differ from the present position only in the order of the pools, which are shuffled
    again if their order has become known. The result of a finished game stays. Raises GameError if `text` is not valid.
    """
    before = dump(state)
    setup = {key: before[key] for key in ("scenario", "seats", "options", "result")}
    words = _Words(state.data, text, setup["seats"]).position()
    if not state.battle:
        return replace(load({**setup, **words}, state.data), resigned=state.resigned)
    pools = {owner: tuple(words["pools"].get(owner, ())) for owner in state.pools}
    dealt = replace(state, pools=pools)
    same = all(sorted(codes) == sorted(state.pools[owner]) for owner, codes in pools.items())
    if not same or position(dealt).split() != text.split():
        raise GameError("A position can be corrected only between campaign turns, not during a battle.")
    return dealt


class _Words:
    """A parser that reads a position word by word."""

    def __init__(self, data: Data, text: str, seats: list[str]) -> None:
        self.data, self.seats, self.words = data, seats, text.split()
        self.at = 0

    def position(self) -> dict[str, Any]:
        turn = self._next()
        if not turn.isdecimal() or len(turn) > 6:
            raise GameError(f"A position begins with the number of the turn, not {quote(turn)}.")
        sections: dict[str, Any] = {"turn": int(turn), "units": {}, "pools": {}}
        while self.at < len(self.words):
            word = self._next()
            if word in self.seats:
                self._stacks(word, sections["units"])
            elif word in _SECTIONS:
                sections[{"towns": "control"}.get(word, word)] = getattr(self, f"_{word}")()
            else:
                raise GameError(f"{quote(word)}: here is a nation in play, or one of {', '.join(_SECTIONS)}.")
        return sections

    def _next(self) -> str:
        if self.at == len(self.words):
            raise GameError("The position ends too early.")
        self.at += 1
        return self.words[self.at - 1]

    def _more(self, *, seats: bool = False) -> bool:
        """Return whether the current section continues; if `seats` is true, the name of a nation does not end the
        section."""
        if self.at == len(self.words) or self.words[self.at] in _SECTIONS:
            return False
        return seats or self.words[self.at] not in self.seats

    def _stacks(self, seat: str, units: dict[str, Any]) -> None:
        point = None
        while self._more():
            word = self._next()
            if word in self.data.points:
                point = word
            elif point is None or word in units:
                raise GameError(f"{quote(word)} stands in no point, or in two.")
            else:
                units[word] = {"seat": seat, "at": point}

    def _pairs(self) -> dict[str, str]:
        pairs = {}
        while self._more():
            key = self._next()
            pairs[key] = self._next()
        return pairs

    def _towns(self) -> Mapping[str, Any]:
        return {town: None if seat == _NONE else seat for town, seat in self._pairs().items()}

    def _razed(self) -> Mapping[str, Any]:
        return self._pairs()

    def _fallen(self) -> Mapping[str, Any]:
        return {code: int(turn) if turn.isdecimal() and len(turn) < 7 else turn for code, turn in self._pairs().items()}

    def _bell(self) -> Mapping[str, Any]:
        seat, at, carrier = self._next(), self._next(), self._next() if self._more() else _NONE
        return {"seat": seat, "at": at, "carrier": None if carrier == _NONE else carrier}

    def _pools(self) -> Mapping[str, Any]:
        pools: dict[str, list[str]] = {}
        owner = None
        while self._more(seats=True):
            word = self._next()
            if word in self.seats or word == MERCENARIES:
                owner = word
                pools[owner] = []
            elif owner is None:
                raise GameError(f"{quote(word)} is in no pool.")
            else:
                pools[owner].append(word)
        return pools

    def _spells(self) -> Mapping[str, Any]:
        spells: dict[str, list[str]] = {}
        while self._more():
            leader = self._next()
            spells[leader] = []
            while self._more() and (spell := self._spell()):
                spells[leader] += [spell] if spell != _NONE else []
        return spells

    def _spell(self) -> str | None:
        """Parse the name of a spell, which may consist of several words, or the word `none`; return None if neither
        comes next."""
        for name in (*self.data.spells, _NONE):
            words = name.split()
            if self.words[self.at : self.at + len(words)] == words:
                self.at += len(words)
                return name
        return None
