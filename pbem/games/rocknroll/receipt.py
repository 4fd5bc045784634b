"""Receipts: the orders of a letter in plain words, the results that are known before they are played, and warnings.

Everything before the first die is certain. From there on, a script is tried in wars that its seat cannot tell from the
real one, with other arrangements of the hidden cards and other dice. A line that is skipped in all these wars is
reported as one that will be skipped as things stand.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import fields, replace
from typing import Any, NamedTuple, assert_never

from pbem import Say
from pbem.games.base import Seat, Side
from pbem.games.chance import NO_CHANCE, SECRET, Chance, ChanceError, SecretChance, shuffled
from pbem.games.rocknroll import orders, wording
from pbem.games.rocknroll.cards import SIDES
from pbem.games.rocknroll.events import Reason, TurnEvent
from pbem.games.rocknroll.narrative import REASONS
from pbem.games.rocknroll.orders import ALLIED, ALWAYS, DECK, Command, Orders, cards_of
from pbem.games.rocknroll.script import Script
from pbem.games.rocknroll.state import UNKNOWN, Cards, Decks, Hand, State
from pbem.games.rocknroll.table import Table
from pbem.games.rocknroll.wording import written

_TRIES = 16


class Skip(NamedTuple):
    """A line, or one `unit` of a line, that is skipped. It is skipped in every war that was tried (`always`), or in
    some of the wars because a card is missing."""

    line: int
    unit: str | None
    reason: Reason
    always: bool
    paid: tuple[str, str] | None = None
    """A card that the line needs, but that was given for an earlier throw, and the unit or card that made the throw;
    None if there is no such card."""


class Foresight(NamedTuple):
    """The certain part of a script: the state before the line with the first die, and the number of that line. If there
    is no die, the state is the final one, and `die_in` is None."""

    state: State
    die_in: int | None


class _Always:
    """Dice that always show the same value."""

    def __init__(self, value: int) -> None:
        self.value = value

    def die(self, sides: int) -> int:
        return self.value

    def pick(self, number: int) -> int:
        return 0


def foresee(seen: State, seat: Seat, commands: Sequence[Command]) -> Foresight:
    """Carry out `commands` up to the first die. Standing orders are ignored, because they matter only with dice."""
    quiet = replace(seen, standing={name: {} for name, _ in seen.seats})
    state = quiet
    for number in range(1, len(commands) + 1):
        table = _table(quiet, seat, NO_CHANCE)
        try:
            Script(table, seat).play(commands[:number])
        except ChanceError:  # this line throws the first die
            return Foresight(replace(state, standing=seen.standing), number)
        state = table.state()
    return Foresight(replace(state, standing=seen.standing), None)


def skips(seen: State, seat: Seat, letter: Orders, tries: int = _TRIES) -> tuple[Skip, ...]:
    """Return the lines of `letter` that are skipped in each of `tries` wars that the seat cannot tell from the real
    one, and the lines that are skipped in some of these wars because a card is missing."""
    standing = {name: dict(seen.standing.get(name, {})) for name, _ in seen.seats}
    letter.change(standing[seat])
    counters: dict[tuple[int, str | None], Counter[Reason]] = {}
    paid: dict[int, tuple[str, str]] = {}
    for number in range(tries):
        chance = _chance(number)
        table = _table(guessed(replace(seen, standing=standing), chance), seat, chance)
        Script(table, seat).play(letter.commands)
        spent = _spent(table.events, seat)
        for event in table.events:
            if event["type"] == "skipped":
                if event["reason"] == "hand":
                    named = (card for card in cards_of(letter.commands[event["line"] - 1]) if card in spent)
                    paid.update((event["line"], (card, spent[card])) for card in named)
                counters.setdefault((event["line"], event["unit"]), Counter())[event["reason"]] += 1
    skipped = []
    for (line, unit), reasons in counters.items():
        ((reason, _),) = reasons.most_common(1)
        always = reasons.total() == tries
        if always or reason == "hand":
            skipped.append(Skip(line, unit, reason, always, paid.get(line)))
    return tuple(sorted(skipped, key=lambda skip: skip.line))


def _spent(events: Sequence[TurnEvent], seat: Seat) -> Mapping[str, str]:
    """Return the cards that a seat has given for throws, each with the unit or card that made the throw.

    If cards are sold to pay for a throw, the sales come right before the RD are poured in, and the throw may be
    announced after that.
    """
    spent, thrower = dict[str, str](), ""
    sold, paid = list[str](), list[str]()
    for event in events:
        if event["type"] == "discard":
            if event["seat"] == seat and event["why"] == "reroll":
                spent.setdefault(event["card"], thrower)
            elif event["seat"] == seat and event["why"] == "sell":
                sold.append(event["card"])
        elif event["type"] == "rd":
            if event["why"] == "pour":
                paid, sold = [*paid, *sold], []
        else:
            sold = []
            if event["type"] in ("attack", "check"):
                thrower = str(event["unit"] or event.get("card") or "")
            if event["type"] in ("attack", "check", "roll"):
                spent, paid = {**dict.fromkeys(paid, thrower), **spent}, []
    return spent


def _chance(number: int) -> Chance:
    """Return the dice for try `number`. In the first try all dice show 6, in the second all show 1, and in all others
    they are random."""
    if number < len(_ALWAYS):
        return _ALWAYS[number]
    return SecretChance(bytes([number]) * SECRET)


_ALWAYS = (_Always(6), _Always(1))


def _table(state: State, seat: Seat, chance: Chance) -> Table:
    table = Table(state, chance)
    table.on_turn = seat
    return table


def guessed(seen: State, chance: Chance) -> State:
    """Return a state that looks like `seen` to its reader, with the hidden cards dealt at random to the hidden
    places."""
    hidden = hidden_cards(seen)
    units = {side: [*shuffled([card for card in hidden if _side(seen, card) == side], chance)] for side in SIDES}
    pile = [*shuffled([card for card in hidden if card in seen.cards.orders], chance)]

    def dealt(places: Cards, cards: list[str]) -> Cards:
        filled = [card or (cards.pop() if cards else UNKNOWN) for card in places]
        return tuple(filter(None, filled))

    sides: Mapping[Seat, Side] = dict(seen.seats)
    hands = {
        seat: Hand(dealt(hand.units, units[sides[seat]]), dealt(hand.orders, pile)) for seat, hand in seen.hands.items()
    }
    decks = {side: dealt(seen.decks.units[side], units[side]) for side in SIDES}
    return replace(seen, hands=hands, decks=Decks(decks, dealt(seen.decks.orders, pile)), box=())


def _side(state: State, name: str) -> Side | None:
    return state.cards.units[name].side if name in state.cards.units else None


def hidden_cards(state: State) -> list[str]:
    """Return the cards of the set that are not visible anywhere."""
    seen: Counter[str] = Counter((*state.discard, *state.box, *state.decks.orders))
    for lists in (*state.points.values(), state.reserve, state.graveyard, state.captives, state.decks.units):
        for side in SIDES:
            seen.update(lists[side])
    for hand in state.hands.values():
        seen.update((*hand.units, *hand.orders))
    whole = Counter({name: order.count for name, order in state.cards.orders.items()})
    whole.update(dict.fromkeys(state.cards.units, 1))
    return [*(whole - seen).elements()]


def paraphrase(state: State, seat: Seat, letter: Orders, say: Say) -> str:
    """Return the commands of `letter` in plain words. The lines are numbered if there are several."""
    lines = [_Words(state, seat, say).command(command) for command in letter.commands]
    if len(lines) > 1:
        lines = [f"{number}. {line}" for number, line in enumerate(lines, start=1)]
    return " ".join(lines)


class _Words:
    """A translator of commands into sentences."""

    def __init__(self, state: State, seat: Seat, say: Say) -> None:
        self.state, self.cards, self.seat, self.say = state, state.cards, seat, say
        self.side = state.side_of(seat)

    def _called(self, name: str) -> str:
        """Return the reader's name for a card, a Point, or the top card of the deck."""
        return self.say("the top of the deck") if name == DECK else wording.called(self.cards, name, self.say)

    def command(self, command: Command) -> str:
        if isinstance(command, orders.Pour):
            values = {"number": str(command.number), "command": self.command(command.command)}
        elif isinstance(command, orders.If):
            values = {"condition": self._condition(command.condition), "command": self.command(command.command)}
        else:
            values = {field.name: self._value(field.name, getattr(command, field.name)) for field in fields(command)}
        if isinstance(command, orders.PlaySuper):
            values["number"] = wording.least(self.cards.orders[command.card].number)
        return self.say(command.template, **values)

    def _value(self, name: str, value: Any) -> str:
        """Return words for the value of a command's attribute `name`: a card, a Point, an action of a unit, or several
        of these."""
        match value:
            case orders.Strike(unit, target):
                values = {"unit": self._called(unit), "target": self._called(target)}
                return self.say("{unit} attacks {target} ({chance})", **values, chance=self._chance(value))
            case orders.Step(unit, point):
                return self.say("{unit} to {point}", unit=self._called(unit), point=self._called(point))
            case tuple():
                return (" + " if name == "cards" else ", ").join(self._value(name, part) for part in value)
            case _:
                return self._called(value)

    def _chance(self, pair: orders.Strike) -> str:
        """Return the chance that an attack hits if both units stay where they are now. If one of them is not on a
        Point, return the chance printed on the attacker's card."""
        card, table = self.cards.units[pair.unit], Table(self.state, NO_CHANCE)
        standing = table.place(pair.unit) is not None and table.place(pair.target) is not None
        number = wording.needed(table, pair.unit, pair.target) if standing else card.chance
        return wording.chance(number, card.dice, self.say)

    def _condition(self, condition: orders.Condition) -> str:
        say = self.say
        match condition:
            case orders.Stands(unit, point, negated):
                values = {"unit": self._called(unit), "point": self._called(point)}
                return say("{unit} is not in {point}", **values) if negated else say("{unit} is in {point}", **values)
            case orders.Count(whose, point, compare, number):
                values = {"point": self._called(point), "compare": compare, "number": str(number)}
                if whose == "mine":
                    return say("own units in {point} {compare} {number}", **values)
                return say("enemies in {point} {compare} {number}", **values)
            case orders.Stock(compare, number):
                return f"RD {compare} {number}"
            case orders.Last(outcome):
                return say("the throw before was a hit") if outcome == "hit" else say("the throw before was a miss")
            case _:
                assert_never(condition)


def cautions(state: State, seat: Seat, letter: Orders, say: Say) -> tuple[str, ...]:
    """Return warnings about lines without effect and about gambles, a sentence about the defaults that apply, and a
    sentence that names the line before which the picture of the row shows the position."""
    return tuple(_cautions(state, seat, letter, say))


def _skipped(state: State, letter: Orders, skipped: Iterable[Skip], say: Say) -> Iterator[str]:
    """Yield, for each line or unit in `skipped`, a sentence that says that it will or may have no effect."""
    for skip in skipped:
        values = {
            "line": skip.line,
            "command": written(state.cards, str(letter.commands[skip.line - 1]), say),
            "reason": say(REASONS[skip.reason]),
        }
        if skip.paid:
            card, unit = (wording.card(state.cards, name, say) for name in skip.paid)
            values |= {"card": card, "unit": unit}
            yield say(
                "Line {line}, `{command}`, may be skipped: your standing orders may spend {card} on a"
                " throw before it ({unit}). To keep it, list other cards there.",
                **values,
            )
        elif skip.unit:
            unit = wording.card(state.cards, skip.unit, say)
            yield say("Line {line}: {unit} will be left out as things stand: {reason}.", unit=unit, **values)
        elif skip.always:
            yield say("Line {line}, `{command}`, will be skipped as things stand: {reason}.", **values)
        else:
            yield say("Line {line}, `{command}`, counts only if you draw its cards.", **values)


def _cautions(state: State, seat: Seat, letter: Orders, say: Say) -> Iterator[str]:
    skipped = skips(state, seat, letter)
    yield from _skipped(state, letter, skipped, say)
    yield from _marches(state, seat, letter, say)
    yield from _throws(letter, {skip.line for skip in skipped if not skip.unit}, say)
    rules = {**state.standing.get(seat, {}), **dict(letter.standing)}
    if any(key.startswith("Rocknroll") and value == ALWAYS for key, value in rules.items()):
        yield say(
            "ROCK'N'ROLL is set to `always`, a gamble: each failed attack costs its unit if the free throw"
            " fails, too. Anyone who gambles on every attack wins about one in five otherwise even wars."
        )
    if not any(on == state.side_of(seat) for ally, on in state.playing if ally != seat):
        for key in (key for key, _ in letter.standing if key in ALLIED):
            idle = written(state.cards, key, say)
            yield say("`{rule}` does nothing in this war: your side has one seat.", rule=idle)
    is_new = state.round == 1 or letter.standing
    if is_new and (usual := wording.usual(state.cards, rules, say)):
        yield usual
    die = foresee(state, seat, letter.commands).die_in
    if die is not None:
        yield say(
            "The first die may fall in line {line}; the row below shows how things stand before it.",
            line=die,
        )


def left_behind(state: State, seat: Seat, letter: Orders) -> Iterator[tuple[int, str]]:
    """Yield a line number and a unit for each unit of a march that is not on a Point and that no line deploys. The
    other units march without it (J7)."""
    side = state.side_of(seat)
    here = {unit for sides in state.points.values() for unit in sides.get(side, ())}
    here |= {command.unit for command in map(bare, letter.commands) if isinstance(command, orders.Deploy)}
    for line, command in enumerate(map(bare, letter.commands), 1):
        units = command.units if isinstance(command, orders.PlayMarch) and here.intersection(command.units) else ()
        yield from ((line, unit) for unit in units if unit not in here)


def _marches(state: State, seat: Seat, letter: Orders, say: Say) -> Iterator[str]:
    reason = REASONS["unit"]
    for line, unit in left_behind(state, seat, letter):
        values = {"line": line, "unit": wording.card(state.cards, unit, say), "reason": say(reason)}
        yield say("Line {line}: {unit} will be left out as things stand: {reason}.", **values)


def bare(command: Command) -> orders.Plain:
    """Return the command inside `command`, without conditions and without RD for its throw."""
    return bare(command.command) if isinstance(command, orders.If | orders.Pour) else command


def _throws(letter: Orders, skipped: Set[int], say: Say) -> Iterator[str]:
    """Yield a warning for each line that depends on the previous throw and comes right after a line that may be
    skipped."""
    for line, command in enumerate(letter.commands, 1):
        if isinstance(command, orders.If) and isinstance(command.condition, orders.Last) and line - 1 in skipped:
            yield say(
                "If line {before} is skipped, line {line} looks at the throw before it, whatever that was for.",
                line=line,
                before=line - 1,
            )
