"""Positions of Ozz on one line."""

from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from pbem.games import find_game
from pbem.games.base import Seat
from pbem.games.ozz.dataset import find_data
from pbem.games.ozz.state import Battle, BoardBell, Counter, Fighter, MapBell, Options, State
from pbem.orders.reader import Reading
from pbem.orders.situation import Standpoint

DATA = find_data("house")
SEATS = ("munchkins", "winkies", "quadlings", "gillikins")


def on_map(text: str, **others: Any) -> State:
    """A campaign of four nations: `M2 MAY SOU M3 HAR`; a counter of no nation is written as `SK1=winkies`."""
    units: dict[str, Counter] = {}
    point = ""
    for word in text.split():
        code, _, seat = word.partition("=")
        if code in DATA.points:
            point = code
        else:
            units[code] = Counter(seat or DATA.counters[code].nation or "winkies", point)
    spells = {code: card.spells for code, card in DATA.counters.items() if card.leader}
    state = State(
        data=DATA, scenario="meeting", seats=SEATS, options=Options("great", 10, DATA.switches), turn=2, phase="orders",
        units=units, control={}, razed={}, pools={}, fallen={}, spells=spells, bell=None, queue=None, battle=None,
        result=None,
    )  # fmt: skip
    return replace(state, **others)


def on_board(text: str, attacker: Seat, defender: Seat, turn: int = 2, **others: Any) -> State:
    """A battle: `1L SOU 2C ZOR GUA/ZOR 4C THI`; a unit of a group has its leader after a slash, and `-` is not
    deployed."""
    fighters: dict[str, Fighter] = {}
    space: str | None = None
    for word in text.split():
        if word == "-" or word[0].isdigit():
            space = None if word == "-" else word
            continue
        who, _, seat = word.partition("=")
        code, _, leader = who.partition("/")
        nation = DATA.counters[code].nation or defender
        fighters[code] = Fighter(seat or nation, space, leader or None)
    battle = Battle(
        at=None, origin=None, terrain="open", walls=0, turn=turn, attacker=attacker, defender=defender, units=fighters,
        spells=(), cast=(), raised=(), exit={attacker: "off", defender: "off"}, left={attacker: (), defender: ()},
        bell=None, **({"fort": False} if "fort" in Battle.__dataclass_fields__ else {}),
    )  # fmt: skip
    battle = replace(battle, **{key: value for key, value in others.items() if key in Battle.__dataclass_fields__})
    units = {code: Counter(one.seat, None) for code, one in fighters.items() if not DATA.counters[code].intrinsic}
    more = {key: value for key, value in others.items() if key not in Battle.__dataclass_fields__}
    seats = tuple(seat for seat in SEATS if seat in (attacker, defender))
    return replace(on_map(""), seats=seats, phase="battle", units=units, battle=battle, scenario="hill", **more)


GAME = find_game("ozz")
ASKED, NOTHING = "?", "-"


class Example(NamedTuple):
    """A position, a text, and its meaning."""

    position: str
    text: str
    meant: str


@cache
def placed(position: str) -> Standpoint[State]:
    """Parse a position on one line, and the seat whose letter is read in it: `map munchkins M1 ZOR | bell W4 WI1`."""
    text, _, more = position.partition(" | ")
    where, seat, *others = text.split(" ", 2)
    bell = more.split()[1:]
    if where == "map":
        state = on_map(" ".join(others), bell=MapBell(seat, bell[0], bell[1]) if bell else None)
        return Standpoint(GAME, state, seat)
    other, _, rest = " ".join(others).partition(" ")
    turn, _, rest = rest.partition(" ") if rest.startswith("turn") else ("turn2", "", rest)
    on_it = BoardBell(bell[0], bell[1], bell[2]) if bell else None
    return Standpoint(GAME, on_board(rest, seat, other, int(turn[-1]), bell=on_it), seat)


def meaning(reading: Reading) -> str:
    """A reading in the format of the examples: `?` means that the writer is asked, with any proposal after it; `-`
    orders nothing."""
    if reading.doubts or reading.perhaps:
        return ASKED
    if reading.mistakes:
        return f"{ASKED} {reading.proposal}" if reading.proposal else ASKED
    if reading.orders is not None:
        return "; ".join((str(reading.orders), *reading.standing))
    return "; ".join(reading.standing) or NOTHING
