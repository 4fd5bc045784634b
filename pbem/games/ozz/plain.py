"""Taking plain data apart: what is wrong becomes a problem, and something harmless takes its place."""

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar, get_args

from pbem.games.base import Seat
from pbem.games.options import quote
from pbem.games.ozz.data import BELL, Data, Switches
from pbem.games.ozz.dumping import plain_switches
from pbem.games.ozz.state import Battles, Options

MAX_NUMBER = 999_999
MAX_TURNS = 999
BATTLES: tuple[Battles, ...] = get_args(Battles)
_Item = TypeVar("_Item")


class Plain:
    """Values of a position, checked against a data set; `problems` has a sentence for each that cannot be."""

    def __init__(self, data: Data) -> None:
        self.data, self.problems = data, list[str]()
        self.seats: tuple[Seat, ...] = ()

    def problem(self, where: str, sentence: str) -> None:
        self.problems.append(f"{where}: {sentence}")

    def object(self, where: str, value: Any, keys: Container[str] | None = None) -> Mapping[str, Any]:
        """An object; `keys` are all that it may have."""
        if not isinstance(value, dict):
            self.problem(where, f"this is an object, not {quote(value)}.")
            return {}
        if keys is not None:
            for key in value:
                if key not in keys:
                    self.problem(where, f"{quote(key)} is no key.")
        return value

    def list(self, where: str, value: Any, read: Callable[[str, Any], _Item | None]) -> tuple[_Item, ...]:
        """A list of what `read` makes of each entry; those that it makes nothing of are left out."""
        if not isinstance(value, list):
            self.problem(where, f"this is a list, not {quote(value)}.")
            return ()
        found = (read(where, one) for one in value)
        return tuple(one for one in found if one is not None)

    def number(self, where: str, value: Any, least: int, most: int = MAX_NUMBER) -> int:
        if type(value) is not int or not least <= value <= most:
            self.problem(where, f"this is a number from {least} to {most}, not {quote(value)}.")
            return least
        return value

    def truth(self, where: str, value: Any) -> bool:
        if not isinstance(value, bool):
            self.problem(where, f"this is true or false, not {quote(value)}.")
        return value is True

    def one_of(self, where: str, value: Any, choices: Iterable[str | None]) -> Any:
        """One of some texts; the first of them if it is none."""
        choices = tuple(choices)
        if not isinstance(value, str | None) or value not in choices:
            self.problem(where, f"this is one of {', '.join(map(quote, choices))}, not {quote(value)}.")
            return choices[0]
        return value

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
