"""A seat's options: its cards with their present uses, and the decisions that it has to make."""

from collections.abc import Iterator

from pbem import Say
from pbem.games.base import Seat, Side
from pbem.games.chance import NO_CHANCE
from pbem.games.rocknroll import wording
from pbem.games.rocknroll.cards import SIDES, CardSet, Order, opponent
from pbem.games.rocknroll.narrative import many_orders, many_units
from pbem.games.rocknroll.orders import Strike
from pbem.games.rocknroll.script import Script
from pbem.games.rocknroll.state import State
from pbem.games.rocknroll.table import Table
from pbem.games.rocknroll.wording import CALLED, written

_SHOWN = 3  # the most attacks shown for one card
_NEAR = 5  # how many rounds before its last possible one the end of the war is told


class Prospects:
    """The actions that a seat can take from the present position of the units."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.state, self.seat, self.cards = state, seat, state.cards
        self.side = state.side_of(seat)
        self.table = Table(state, NO_CHANCE)
        self.hand = state.hands[seat]

    def own(self) -> list[tuple[str, str]]:
        """Return the units of the seat's side that are on Points, each with its Point."""
        return [(unit, point) for point in self.state.row for unit in self.state.points[point][self.side]]

    def strikes(self, number: int | None = None) -> list[tuple[Strike, int]]:
        """Return the attacks that can be ordered, each with the natural value needed; those most likely to hit come
        first. If `number` is given, only units with that number in the corner attack."""
        script, enemy = Script(self.table, self.seat), opponent(self.side)
        enemies = [unit for point in self.state.row for unit in self.state.points[point][enemy]]
        pairs = (Strike(unit, target) for unit, _ in self.own() for target in enemies)
        rated = [(pair, wording.needed(self.table, *pair)) for pair in pairs if not script.pair_reason(pair, number)]
        return sorted(rated, key=lambda strike: -wording.percent(strike[1], self.cards.units[strike[0].unit].dice))


def holdings(state: State, seat: Seat, say: Say) -> tuple[tuple[str, str], ...]:
    """Return rows, each with a heading and a text: the cards of the hand with their present uses, the standing orders
    and, for the seat to move, the reserve and the enemy's units."""
    prospects = Prospects(state, seat)
    cards, hand = state.cards, state.hands[seat]
    rows = [(wording.carded(cards, unit, say), _unit(state, unit, say)) for unit in hand.units]
    for name in dict.fromkeys(hand.orders):
        number = hand.orders.count(name)
        rows.append((wording.listed(cards, (name,) * number, say), _order(prospects, cards.orders[name], say)))
    if state.on_turn == seat:
        if reserve := _reserve(state, prospects.side, say):
            rows.append((say("In the reserve"), reserve))
        rows += _met(prospects, say)
    standing = state.standing.get(seat, {})
    if rules := wording.describe_standing(cards, prospects.side, standing, say):
        rows.append((say("Standing orders"), rules))
    return tuple(rows)


def _unit(state: State, unit: str, say: Say) -> str:
    """Return the text on the card of a unit in the hand, or a dash if it has none."""
    return _text(state.cards, unit, say) or "–"


def _reserve(state: State, side: Side, say: Say) -> str:
    """Return the texts on the cards in the reserve of `side`. The seat to move can get some of these cards."""
    cards = state.cards
    texts = {unit: _text(cards, unit, say) for unit in state.reserve[side]}
    return " ".join(f"{wording.card(cards, unit, say)}: {text}" for unit, text in texts.items() if text)


def _met(prospects: Prospects, say: Say) -> Iterator[tuple[str, str]]:
    """Yield a heading and a text about the enemy's units on each Point. Units that attack whoever enters the Point come
    first."""
    state, cards = prospects.state, prospects.cards
    for at in state.row:
        there = state.points[at][opponent(prospects.side)]
        sentences = [f"{wording.card(cards, unit, say)}: {text}" for unit in there if (text := _text(cards, unit, say))]
        if waiting := [unit for unit in there if cards.units[unit].feature.kind in ("blocker", "raider")]:
            names = ", ".join(f"{wording.card(cards, unit, say)} ({_odds(cards, unit, say)})" for unit in waiting)
            sentences.insert(
                0, say("If you enter {point}, you are attacked by {names}.", point=wording.point(at, say), names=names)
            )
        if sentences:
            yield say("Enemies in {point}", point=wording.point(at, say)), " ".join(sentences)


def _odds(cards: CardSet, unit: str, say: Say) -> str:
    return wording.chance(cards.units[unit].chance, cards.units[unit].dice, say)


def _text(cards: CardSet, unit: str, say: Say) -> str:
    return wording.named(cards.units[unit].text, say)


def _order(prospects: Prospects, order: Order, say: Say) -> str:
    """Return a text that says what an order can do now."""
    match order.kind:
        case "attack" | "all":
            return _strikes(prospects, order, say)
        case "move" | "march":
            return wording.moves(order, say)
        case _:
            return _super(prospects, order, say)


def _strikes(prospects: Prospects, order: Order, say: Say) -> str:
    strikes = prospects.strikes(order.number if order.kind == "all" else None)
    if not strikes and prospects.hand.units:
        return say("no target yet")
    if not strikes:
        return say("nobody can be attacked with it now")
    cards, attacks = prospects.cards, []
    for (unit, target), number in strikes[:_SHOWN]:
        names = f"{wording.card(cards, unit, say)} > {wording.card(cards, target, say)}"
        attacks.append(f"{names} ({wording.chance(number, cards.units[unit].dice, say)})")
    text = "; ".join(attacks)
    return say("{attacks}; others", attacks=text) if len(strikes) > _SHOWN else text


def _super(prospects: Prospects, order: Order, say: Say) -> str:
    state, side = prospects.state, prospects.side
    if order.side not in (None, side):
        return say("the other side's order: only for a trade or a reroll")
    targets = []
    for point in state.row:
        own, enemies = (len(state.points[point][whose]) for whose in (side, opponent(side)))
        if enemies:
            values = {"point": wording.point(point, say), "enemies": str(enemies), "own": str(own)}
            targets.append(say("{point} (enemies {enemies}, yours {own})", **values))
    chance = wording.chance(order.number, 1, say)
    return say("destroys all units in one Point ({chance})", chance=chance) + (
        f": {'; '.join(targets)}" if targets else ""
    )


# The turn


def advice(state: State, seat: Seat, say: Say) -> str:
    """Return a text that says what the seat to move has to decide. In the first round, the text has a line for each
    decision."""
    row = state.row
    ends = {"first": wording.point(row[0], say), "last": wording.point(row[-1], say)}
    task = say("It is your turn: deploy units to {first} or {last}, then play orders, any number of each.", **ends)
    return "\n".join((task, *_decisions(state, seat, say))) if state.round == 1 else task


def _decisions(state: State, seat: Seat, say: Say) -> Iterator[str]:
    """Yield an explanation of each decision for a player to whom the set may be new, with that player's cards as
    examples."""
    cards, hand, side = state.cards, state.hands[seat], state.side_of(seat)
    own = [name for name, card in cards.units.items() if card.side == side]
    unit = next(name for name in (*hand.units, *own) if name in cards.units)
    order = next(name for name in (*hand.orders, *cards.orders) if name in cards.orders)
    wished = next(iter((*state.reserve[side], *own)))

    def noted(orders: str) -> str:
        return written(cards, orders, say)

    yield say(
        "`{deploy}` brings a unit to the row; it can attack and move at once.",
        deploy=noted(f"Deploy {unit} {state.row[0]}"),
    )
    yield say(
        "`{order}` trades an order for a unit and comes before other orders; `{unit}` trades a unit for an order.",
        order=noted(f"Trade {order} for deck"),
        unit=noted(f"Trade {unit} for order"),
    )
    yield say(
        "Unless its card says otherwise, a unit can only attack an enemy in its own Point; it moves to a neighbouring"
        " Point, and a blocker attacks any enemy that enters its own."
    )
    yield say(
        "Standing orders apply every turn: `Reroll attack: 1 with orders` rolls each missed attack once more, for an"
        " order card; `{income}` names the units you want as income.",
        income=noted(f"Income: {wished}, deck"),
    )
    yield say("`card {card}` shows you the card; to try out orders, write `check:` above them.", card=noted(unit))


# The state of the war


def phase(state: State, say: Say) -> str:
    """Return a sentence with the number of the round and, during the war, the seat to move."""
    if state.on_turn is None:
        return say("Round {round}.", round=state.round)
    return say("Round {round}; it is {seat}'s turn.", round=state.round, seat=say(CALLED[state.on_turn]))


def summary(state: State, say: Say) -> tuple[str, ...]:
    """Return sentences about the score, the sizes of hands and decks, and all face-up cards."""
    return tuple(_summary(state, say))


def _summary(state: State, say: Say) -> Iterator[str]:
    cards = state.cards
    yield say(
        "Score in OK: {ok}; whoever has {victory} wins the war.",
        ok=wording.sides(state.ok, say),
        victory=cards.numbers.victory,
    )
    if cards.switches.rd:
        yield say("RD: {rd}.", rd=wording.sides(state.rd, say))
    if any(state.losses.values()):
        losses = wording.sides(state.losses, say)
        yield say("Losses this round not yet compensated for: {losses}.", losses=losses)
    for seat, hand in state.hands.items():
        held = ", ".join((many_units(len(hand.units), say), many_orders(len(hand.orders), say)))
        yield say("Hand of {seat}: {held}.", seat=say(CALLED[seat]), held=held)
    decks = wording.sides({side: len(units) for side, units in state.decks.units.items()}, say)
    yield say("Left in the decks: units ({units}), orders ({orders}).", units=decks, orders=len(state.decks.orders))
    yield from _lying_open(state, say)
    if state.echo and cards.switches.echo:
        yield say("Echo: {text}.", text=wording.named(cards.echo[state.echo].text, say))
    untouched = not any(state.points[at][side] for at in state.row for side in SIDES)
    if state.limit and ((state.round == 1 and untouched) or state.limit - state.round < _NEAR):
        yield say("The war ends after round {limit} at the latest.", limit=state.limit)


def _lying_open(state: State, say: Say) -> Iterator[str]:
    """Yield sentences that list all face-up cards except those on Points."""
    for side in SIDES:
        values = {"side": say(CALLED[side])}
        if units := state.reserve[side]:
            yield say("Reserve of {side}: {cards}.", **values, cards=wording.carded_all(state.cards, units, say))
        if units := state.captives[side]:
            yield say("Prisoners of {side}: {cards}.", **values, cards=wording.carded_all(state.cards, units, say))
        if units := state.graveyard[side]:
            yield say("Graveyard of {side}: {cards}.", **values, cards=wording.carded_all(state.cards, units, say))
    if state.discard:
        yield say("Discard: {cards}.", cards=wording.listed(state.cards, state.discard, say))
