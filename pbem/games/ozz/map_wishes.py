"""What a nation wants in a campaign turn: its letter's lines by what they are about (ozz §12, §14)."""

from pbem.games.ozz import orders as said
from pbem.games.ozz.orders import Codes, Orders


class MapWishes:
    """A campaign letter, and the defaults of what it does not say; None is a letter that was missed."""

    def __init__(self, letter: Orders | None) -> None:
        self.moves: list[said.Move | said.Fly] = []
        self.recruits: list[said.Recruit] = []
        self.garrison: dict[str, int] = {}
        self.offers: set[str] = set()
        self.accepts: set[str] = set()
        self.return_to: str | None = None
        self.carry: str | None = None
        self.losses: Codes = ()
        self.retreat_to: Codes = ()
        self._retreats: dict[str | None, said.Retreat] = {}
        items = letter.items if letter else ()
        self._fast = next((item for item in items if isinstance(item, said.FightFast)), None)
        for item in items:
            self._note(item)

    def _note(self, item: said.Item) -> None:
        match item:
            case said.Move() | said.Fly():
                self.moves.append(item)
            case said.Recruit():
                self.recruits.append(item)
            case said.Garrison(point, batteries):
                self.garrison[point] = batteries
            case said.Honors(what, point):
                (self.offers if what == "offer" else self.accepts).add(point)
            case said.Return(point):
                self.return_to = point
            case said.Carry(unit):
                self.carry = unit
            case said.Losses(units):
                self.losses = units
            case said.RetreatTo(points):
                self.retreat_to = points
            case said.Retreat(at=point):
                self._retreats[point] = item

    def fights_fast(self, at: str) -> bool:
        """Whether it would fight a battle there fast rather than on the board (§3.9)."""
        return self._fast is not None and (not self._fast.at or at in self._fast.at)

    def retreats(self, at: str, units_left: int) -> bool:
        """Whether it retreats from a point with so many of its own units left, intrinsic ones not counted (§6.1)."""
        wish = self._retreats.get(at) or self._retreats.get(None)
        return wish is not None and (wish.below is None or units_left < wish.below)
