"""After the moves: Rulers return, Heroes recruit (ozz §8)."""

from collections.abc import Iterable

from pbem.games.base import Seat
from pbem.games.ozz.data import Card
from pbem.games.ozz.map_wishes import MapWishes
from pbem.games.ozz.state import MERCENARIES
from pbem.games.ozz.table import Table


def return_ruler(table: Table, seat: Seat, wishes: MapWishes) -> None:
    """A die for a nation's Ruler who fell in an earlier turn, if there is a place for him (§8.5)."""
    for code in _fallen(table, seat):
        place = _place(table, seat, wishes.return_to)
        if place is None or table.fallen[code] >= table.turn:
            continue
        razed = [table.points[point].kind for point in table.razed if table.points[point].nation == seat]
        added = razed.count("castle") + razed.count("fort") // 2
        needs = table.values["ruler_returns"] - added
        if table.roll("return", seat=seat, unit=code, needs=needs) <= needs:
            _bring_back(table, seat, code, place)


def return_at_once(table: Table, seat: Seat, wishes: MapWishes) -> None:
    """The same without the seed's option: without a die, in the same turn."""
    for code in _fallen(table, seat):
        place = _place(table, seat, wishes.return_to)
        if place is not None:
            _bring_back(table, seat, code, place)


def _fallen(table: Table, seat: Seat) -> list[str]:
    return [code for code in table.in_roster_order(table.fallen) if table.data.counters[code].nation == seat]


def _place(table: Table, seat: Seat, wish: str | None) -> str | None:
    """Where a Ruler can return: the Castle, else a fort, else a population center; None if there is no place."""
    for kind in ("castle", "fort", "town"):
        found = [
            code
            for code, point in table.points.items()
            if point.kind == kind and _holds(table, seat, code) and not table.is_enemy_to(seat, code)
        ]
        if found:
            return wish if wish in found else found[0]
    return None


def _holds(table: Table, seat: Seat, point: str) -> bool:
    """Whether a nation has intrinsic strength in a point, or controls it."""
    if point in table.control:
        return table.control[point] == seat
    return table.points[point].nation == seat and bool(table.strength(point))


def _bring_back(table: Table, seat: Seat, code: str, point: str) -> None:
    del table.fallen[code]
    bring(table, code, seat, point)
    table.tell({"type": "ruler", "seat": seat, "unit": code, "at": point})


def bring(table: Table, code: str, seat: Seat, point: str) -> None:
    """Bring a counter into play, with the spells that it has always had."""
    card = table.data.counters[code]
    if card.leader:
        table.spells.setdefault(code, tuple(spell for spell in card.spells if spell != "?"))
    table.put(code, seat, point)


def recruit(table: Table, seat: Seat, wishes: MapWishes) -> None:
    """Let every Hero of a nation who is not done recruit (§8.1): as the letter says, then all others."""
    cards = table.data.counters
    able = (code for code, one in table.units.items() if one.seat == seat and not one.done)
    heroes = table.in_roster_order(code for code in able if cards[code].kind == "hero")
    how = {wish.hero: wish.how for wish in wishes.recruits}
    for hero in (*(code for code in how if code in heroes), *(code for code in heroes if code not in how)):
        if how.get(hero) != "none":
            _draw(table, seat, hero, special=how.get(hero) == "special")


def _draw(table: Table, seat: Seat, hero: str, *, special: bool) -> None:
    at = table.units[hero].at
    assert at is not None
    grounds = table.points[at].kind == "grounds"
    if not (grounds or _holds(table, seat, at)):
        return
    if grounds and not special:
        code = _hire(table, seat, hero, at)
    else:
        cards = (table.data.counters[code] for code in table.pools[seat])
        code = next((card.code for card in cards if not special or at in card.special), None)
        if code is not None:
            table.pools[seat].remove(code)
    if code is not None:
        bring(table, code, seat, at)
        table.tell({"type": "recruit", "seat": seat, "by": hero, "unit": code, "at": at})


def _hire(table: Table, seat: Seat, hero: str, at: str) -> str | None:
    """The first mercenary that a nation may have, unless a mishap keeps it away (§8.3)."""
    cards = table.data.counters
    kinds = kinds_of(cards[code] for code, one in table.units.items() if one.seat == seat)
    pool = table.pools[MERCENARIES]
    able = (code for code in pool if not kinds or cards[code].leader or cards[code].mercenary in kinds)
    code = next(able, None)
    if code is None:
        return None
    needs = table.values["mishap"] - 1
    if table.roll("mishap", seat=seat, by=hero, at=at, needs=needs) > needs:
        table.tell({"type": "mishap", "seat": seat, "by": hero, "at": at})
        return None
    pool.remove(code)
    return code


def kinds_of(cards: Iterable[Card]) -> set[str]:
    """The kinds of mercenary units among some counters; the witch is no unit."""
    return {card.mercenary for card in cards if card.mercenary and not card.leader}
