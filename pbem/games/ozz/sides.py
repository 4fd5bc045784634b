"""Who and what a letter can be about: a seat's counters and those of others, where they are."""

from collections.abc import Collection, Mapping, Sequence

from pbem.games.base import Seat
from pbem.games.ozz.data import BELL, Data
from pbem.games.ozz.names import names_of
from pbem.games.ozz.spelled import speller
from pbem.games.ozz.state import Counter, Fighter, State


class Side:
    """A seat in a position; of no seat all counters are its own. With data alone nobody stands anywhere."""

    def __init__(self, position: State | Data, seat: Seat | None = None) -> None:
        self.state = position if isinstance(position, State) else None
        self.seat, self.data = seat, position.data if isinstance(position, State) else position
        self.names, self.speller = names_of(self.data), speller(self.data)
        self.battle = self.state.battle if self.state and self.state.phase == "battle" else None
        self.units: Mapping[str, Counter] = self.state.units if self.state else {}
        here: Mapping[str, Counter | Fighter] = self.battle.units if self.battle else self.units
        self.everybody: Collection[str] = {*here, BELL}
        self.own: Collection[str] = {code for code, one in here.items() if one.seat == seat} if seat else {*here}
        self.moved: set[str] = set()
        """The counters that earlier moves of the letter name."""
        self.staying: set[str] = set()
        """Those of which it says that they stay."""
        counters: Collection[str] = self.data.counters
        nation = {code for code, card in self.data.counters.items() if card.nation == seat} if seat else counters
        self.pools = (self.own, nation, self.everybody, counters)
        self.pools_of_all = (self.everybody, counters)

    def at(self, code: str) -> str | None:
        """The point where a counter of one's own stands."""
        one = self.units.get(code)
        return one.at if one and code in self.own else None

    def in_point(self, point: str | None) -> tuple[str, ...]:
        """One's own counters in a point, roster order."""
        return tuple(code for code in in_order(self.data, self.own) if self.at(code) == point)

    def own_points(self, points: Sequence[str]) -> tuple[str, ...]:
        """Of several points those of one's own nation."""
        return tuple(code for code in points if self.data.points[code].nation == self.seat)


def in_order(data: Data, codes: Collection[str]) -> tuple[str, ...]:
    """Counters in roster order."""
    return tuple(sorted(codes, key=data.roster.__getitem__))
