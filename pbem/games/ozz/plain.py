"""Taking plain data apart: what is wrong becomes a problem, and something harmless takes its place."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_args

from pbem.games.base import Seat
from pbem.games.kit.checking import Checker
from pbem.games.options import quote
from pbem.games.ozz.data import BELL, Card, Data, Switches
from pbem.games.ozz.state import Battles, Options, plain_switches

MAX_TURNS = 999
BATTLES: tuple[Battles, ...] = get_args(Battles)


class Plain(Checker):
    """Values of a position, checked against a data set; `skirmish`: it has no map."""

    def __init__(self, data: Data, position: Mapping[str, Any] = {}) -> None:
        super().__init__()
        self.data, self.position = data, position
        self.seats: tuple[Seat, ...] = ()
        self.skirmish = False

    def seat(self, where: str, value: Any) -> Seat:
        """A nation in play."""
        if not isinstance(value, str) or value not in self.seats:
            self.problem(where, f"{quote(value)} is no nation in play.")
            return self.seats[0]
        return value

    def point(self, where: str, value: Any) -> str | None:
        if not isinstance(value, str) or value not in self.data.points:
            self.problem(where, f"there is no point {quote(value)}.")
            return None
        return value

    def counter(self, where: str, value: Any) -> str | None:
        """The code of a unit or leader, intrinsic or not."""
        if not isinstance(value, str) or value not in self.data.counters or value == BELL:
            self.problem(where, f"there is no counter {quote(value)}.")
            return None
        return value

    def leader(self, where: str, value: Any) -> str | None:
        code = self.counter(where, value)
        if code and not self.data.counters[code].leader:
            self.problem(where, f"{code} is no leader.")
            return None
        return code

    def spell(self, where: str, value: Any) -> str | None:
        if not isinstance(value, str) or value not in self.data.spells:
            self.problem(where, f"there is no spell {quote(value)}.")
            return None
        return value

    def owner(self, where: str, card: Card, given: Mapping[str, Any], default: Seat | None = None) -> Seat:
        """Whose a counter is: a nation's own is its nation's."""
        seat = self.seat(where, given.get("seat", card.nation or default))
        if card.nation not in (None, seat) and card.nation in self.seats:
            self.problem(where, f"{card.code} is of the {card.nation}.")
        return seat

    # What is chosen of a match

    def options(self, given: Mapping[str, Any], *, skirmish: bool) -> Options:
        """Battles, turns and switches; what is not said is as usual."""
        battles = self.one_of("battles", given.get("battles", "board" if skirmish else "fast"), BATTLES)
        turns = self.number("turns", given.get("turns", self.data.values["turns"]), 1, MAX_TURNS)
        return Options(battles, turns, self._switches(given.get("switches", {})))

    def _switches(self, value: Any) -> Switches:
        usual = plain_switches(self.data.switches)
        if value == usual:
            return self.data.switches
        given = self.object("switches", value, usual)
        found: dict[str, Any] = {}
        for key in usual:
            if key in given and key == "dissipation":
                found[key] = self.number("switches, dissipation", given[key], 0, 3)
            elif key in given:
                found[key] = self.truth(f"switches, {key}", given[key])
        return replace(self.data.switches, **found)
