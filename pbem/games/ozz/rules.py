"""The rules of Campaigns of Ozz: a round of letters as a function of values. § and J are those of docs/games/ozz.md.

Nothing here does I/O, knows a clock, or changes what it is given.
"""

from collections.abc import Mapping
from dataclasses import replace

from pbem.games.base import Departure, Result, Ruling, Seat, Sentence
from pbem.games.chance import Chance
from pbem.games.ozz import battle, campaign, plans
from pbem.games.ozz.orders import Orders
from pbem.games.ozz.scoring import active, scores
from pbem.games.ozz.state import State
from pbem.games.ozz.table import Table
from pbem.games.ozz.wording import CALLED

RULES_VERSION = "1"  # a ruling that has shipped is frozen; another reading gets another number

REASONS = {
    "castle": Sentence("The enemy's Castle is razed."),
    "points": Sentence("Most points after the last turn."),
    "alone": Sentence("No other nation is left."),
    "field": Sentence("The field of battle is theirs."),
    "strength": Sentence("Most strength on the board."),
}
"""Why a game is over, where somebody has won."""
_DRAWN = Sentence("All is equal at the end.")


def awaiting(state: State) -> tuple[Seat, ...]:
    """Who must write, in seat order: both sides of a battle on the board, but for those whose orders stand; else every
    nation that is not out. Nobody where the other side has given up while orders stand: then the turn is played."""
    plans = state.battle.plans if state.battle else {}
    return tuple(seat for seat in heard(state) if seat not in plans)


def heard(state: State) -> tuple[Seat, ...]:
    """Whose letters count, in seat order: those of whoever must write, and of whose orders stand in a battle."""
    if state.phase == "over":
        return ()
    if state.battle:
        sides = (state.battle.attacker, state.battle.defender)
        asked = tuple(seat for seat in state.seats if seat in sides and seat not in state.resigned)
        if asked:
            return asked
    return tuple(seat for seat in active(state) if seat not in state.resigned)


def resolve(state: State, letters: Mapping[Seat, Orders | None], chance: Chance) -> Ruling[State]:
    """A round of letters, which are legal; a seat that is absent has missed it."""
    if state.phase == "over":
        return Ruling(state, ())
    table = Table(state, chance)
    for seat in awaiting(state):
        if letters.get(seat) is None:
            table.tell({"type": "missed", "seat": seat})
    if state.phase == "orders":
        campaign.play(table, letters)
    elif _fight(table, letters) and table.queue:
        campaign.resume(table)
    return Ruling(table.state(), tuple(table.events))


def _fight(table: Table, letters: Mapping[Seat, Orders | None]) -> bool:
    """A turn of the battle, and those after it in which nobody has to write (§5.38); whether the battle is over."""
    while table.battle:
        before, told = table.battle, len(table.events)
        if battle.play_turn(table, plans.in_force(table, letters)):
            return True
        plans.go_on(table, before, letters, table.events[told:])
        letters = {}
        if not table.battle.plans or not table.battle.plans.keys() >= {*heard(table.state())}:
            break
        table.tell({"type": "turn", "turn": table.battle.turn})
    return False


def result(state: State) -> Result | None:
    """How the game ended; ranks by points, those last who have resigned."""
    outcome = state.result
    if outcome is None:
        return None
    reason = REASONS[outcome.reason] if outcome.winner else _DRAWN
    return Result(outcome.winner, reason, ranking=ranking(state, outcome.winner))


def ranking(state: State, winner: Seat | None) -> tuple[tuple[Seat, ...], ...]:
    """The seats by places, of more than two: the winner, the others by their points, who has resigned together last."""
    if len(state.seats) < 3:
        return ()
    points, left = scores(state), set(active(state))

    def key(seat: Seat) -> tuple[bool, bool, bool, int]:
        resigned = seat in state.resigned
        return seat != winner, resigned, resigned or seat not in left, 0 if resigned else -points[seat]

    places: dict[tuple[bool, bool, bool, int], list[Seat]] = {}
    for seat in state.seats:
        places.setdefault(key(seat), []).append(seat)
    return tuple(tuple(places[place]) for place in sorted(places))


def resigned(state: State, seat: Seat) -> Departure[State]:
    """J34: of two nations the other has won; of more the nation plays on by default, and is ranked last."""
    after = replace(state, resigned=(*state.resigned, seat))
    if after.battle and seat in after.battle.plans:
        plans = {other: plan for other, plan in after.battle.plans.items() if other != seat}
        after = replace(after, battle=replace(after.battle, plans=plans))
    left = [one for one in active(after) if one not in after.resigned]
    if len(left) > 1:
        return Departure(after, None)
    winner = left[0] if left else None
    values = {"nation": CALLED[seat]}
    why = Sentence("{nation} have given up.", **values)
    return Departure(after, Result(winner, why, forfeit=True, ranking=ranking(after, winner)))
