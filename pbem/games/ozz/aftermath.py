"""After a battle on the board: who has won, what is razed, who arrives where, who stays (ozz §5.33, §5.37, §9.4)."""

from dataclasses import replace

from pbem.games.base import Seat
from pbem.games.ozz.bell import skeletons
from pbem.games.ozz.field import Field
from pbem.games.ozz.scoring import values
from pbem.games.ozz.state import Battle, MapBell, Outcome
from pbem.games.ozz.table import Table


def decide(field: Field, battle: Battle) -> Outcome:
    """Who has won a skirmish that has come to this: more value on the board (§9.4)."""
    worth = values(battle, field.table)
    winners = [seat for seat in worth if worth[seat] == max(worth.values())]
    held = all(field.units(seat) for seat in field.sides)
    return Outcome(winners[0] if len(winners) == 1 else None, "strength" if held else "field")


def settle(field: Field) -> None:
    """Leave the board: survivors stand in the point, those who left arrive, and surplus skeletons are gone."""
    table, at = field.table, field.before.at
    assert at is not None
    table.battle = None
    _return_bell(field, at)
    _raze(field, at)
    for one in field.men.values():
        if one.seat == field.attacker and one.code in table.units:
            table.units[one.code] = replace(table.units[one.code], done=True)
    for seat in field.sides:
        if field.left[seat]:
            attacks, losses = seat == field.attacker, field.wishes[seat].losses
            table.arrive(seat, tuple(field.left[seat]), field.exit[seat], losses, attacks=attacks)
    for seat in field.sides:
        _choose_mercenaries(field, seat)
    for seat in field.sides:
        _keep_skeletons(table, seat)
    table.take_up_bell()
    table.take()


def _return_bell(field: Field, at: str) -> None:
    if field.bell:
        field.table.bell = MapBell(field.bell.seat, at, field.bell.carrier)


def _raze(field: Field, at: str) -> None:
    """A Fortified Center falls if nobody of its nation is left on the board (§5.37)."""
    if field.before.fort and not field.units(field.defender):
        field.table.raze(at, field.attacker)


def _choose_mercenaries(field: Field, seat: Seat) -> None:
    """Give up raised skeletons, or the other mercenaries: an army has one kind of them (§5.33)."""
    table, cards = field.table, field.data.counters
    own = [code for code in table.in_roster_order(table.units) if table.units[code].seat == seat]
    raised = [code for code in own if code in field.raised]
    hired = [code for code in own if cards[code].mercenary not in (None, "skeletons") and not cards[code].leader]
    if raised and hired:
        for code in hired if field.wishes[seat].keep == "skeletons" else raised:
            table.eliminate(code)


def _keep_skeletons(table: Table, seat: Seat) -> None:
    """A side keeps no more skeletons than a nation has (L185)."""
    mine = [card.code for card in skeletons(table.data.counters.values()) if card.code in table.units]
    mine = [code for code in mine if table.units[code].seat == seat]
    for code in mine[table.values["national_skeletons"] :]:
        table.eliminate(code)
