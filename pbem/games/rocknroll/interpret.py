"""What items come to: orders as values, or every mistake with what would be right.

Only what does not depend on the position is looked at: names, what a card needs, whose turn it is, which rules the set
has. Whether a line can be carried out is seen when its turn comes (rnr §6, §8).
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, assert_never

from pbem.games.base import Interpretation, Mistake, Seat, Sentence, Side, Unread
from pbem.games.rocknroll import items as said
from pbem.games.rocknroll import standing
from pbem.games.rocknroll.cards import CardSet
from pbem.games.rocknroll.deeds import meant_by
from pbem.games.rocknroll.items import ItemPart, Word
from pbem.games.rocknroll.lookup import Lookup, Wrong, quoted
from pbem.games.rocknroll.names import is_word, word_among
from pbem.games.rocknroll.orders import (
    DECK,
    DEFAULT,
    Act,
    BuyOrder,
    BuyUnit,
    Capture,
    Command,
    Compare,
    Condition,
    Count,
    Deploy,
    If,
    Last,
    Orders,
    Pair,
    Pass,
    PlayMarch,
    PlayPairs,
    PlaySuper,
    Rule,
    Sell,
    Stands,
    Step,
    Stock,
    Strike,
    TradeForOrder,
    TradeForUnit,
    Use,
)
from pbem.games.rocknroll.phrases import read_line
from pbem.games.rocknroll.prose import is_prose
from pbem.games.rocknroll.state import State
from pbem.games.rocknroll.wording import CALLED

_Said = said.CommandItem | said.RuleItem | Unread

MAX_ITEMS = 200
"""Far more lines than any turn needs."""


def interpret(state: State, seat: Seat, items: Sequence[said.Line | _Said]) -> Interpretation[Orders]:
    """The orders that items come to for a seat, or the mistakes in the order they stand in the text.

    The proposal is what the orders would be with the nearest names and all else that was probably meant; there is none
    where that cannot be said of a line.
    """
    if len(items) > MAX_ITEMS:
        told = Sentence("Orders of more than {most} lines are not read.", most=MAX_ITEMS)
        return Interpretation(None, (_mistake(ItemPart(""), told),))
    draft = _Draft(state, seat)
    for item in items:
        if not isinstance(item, said.Line):
            draft.add(item)
            continue
        for found in read_line(state.cards, item):
            draft.add(found, is_prose=isinstance(found, Wrong) and is_prose(state.cards, item))
    return draft.interpretation()


class _Draft:
    """What the items of a letter come to, one after the other."""

    def __init__(self, state: State, seat: Seat) -> None:
        self._reader = _reader(state.cards)
        self._state, self._seat, self._hand = state, seat, state.hands[seat].units
        self._told_turn = seat == state.on_turn
        self._rules: dict[str, Rule] = {}
        self._commands: list[Command] = []
        self._mistakes: list[Mistake] = []
        self._decided = True  # whether it can be said of each line what it probably means

    def add(self, item: _Said | Wrong, *, is_prose: bool = False) -> None:
        if isinstance(item, Wrong):
            self._refuse(item, meant_by(item, self._reader.names, self._hand), is_prose=is_prose)
            return
        try:
            self._take(item, self._reader)
        except Wrong as wrong:
            self._refuse(wrong, wrong.instead or item)

    def _refuse(self, wrong: Wrong, meant: _Said | None, *, is_prose: bool = False) -> None:
        self._mistakes.append(_mistake(wrong.at, wrong.sentence))
        self._decided &= is_prose or (meant is not None and self._mend(meant, either_way=wrong.either_way))

    def _mend(self, item: _Said, *, either_way: bool) -> bool:
        """Takes an item as it was probably meant; false if that cannot be said."""
        mending = _reader(self._state.cards, mends=True)
        try:
            self._take(mending.own_attack(item, self._state.side_of(self._seat)) if either_way else item, mending)
        except Wrong:
            return False
        return True

    def _take(self, item: _Said, reader: "_Reader") -> None:
        if isinstance(item, said.RuleItem):
            rule = reader.rule(item)
            self._rules.pop(rule.key, None)
            self._rules[rule.key] = rule  # the last line for one key holds
        elif isinstance(item, Unread):
            raise Wrong(item, Sentence('"{text}" cannot be read.', text=quoted(item.value)))
        else:
            self._see_whose_turn_it_is(item)
            self._commands.append(reader.command(item))

    def _see_whose_turn_it_is(self, item: said.CommandItem) -> None:
        if self._told_turn:
            return
        self._told_turn, self._decided = True, False  # once is enough
        seat = CALLED.get(self._state.on_turn or "", "nobody")
        told = Sentence("It is the turn of {seat}; standing orders can be sent.", seat=seat)
        self._mistakes.append(_mistake(said.first_word(item), told))

    def interpretation(self) -> Interpretation[Orders]:
        kept, commands = tuple(self._rules.values()), tuple(self._commands)
        if not (kept or commands or self._mistakes):
            return Interpretation(None, (_mistake(ItemPart(""), Sentence("There are no orders here.")),))
        if self._mistakes:
            found = tuple(sorted(self._mistakes, key=lambda mistake: mistake.start))
            return Interpretation(None, found, Orders(kept, commands) if self._decided and (kept or commands) else None)
        return Interpretation(Orders(kept, commands) if commands else None, (), standing=tuple(map(str, kept)))


def _mistake(at: Word, sentence: Sentence) -> Mistake:
    return Mistake(at.start_pos, at.start_pos + len(at.value), sentence)


def _compare(word: Word) -> Compare:
    return ">=" if word.value in (">=", "≥") else "<="


class _Reader(Lookup):
    """Reads items. Raises Wrong for what is wrong with one."""

    def own_attack(self, item: _Said, side: Side) -> _Said:
        """Attacks between two units of which it is not said who attacks: those of the own side's."""
        if isinstance(item, said.PlayItem):
            return said.PlayItem(item.card, tuple(self._own_pair(part, side) for part in item.parts))
        return item

    def _own_pair(self, part: said.PartItem, side: Side) -> said.PartItem:
        is_turned = isinstance(part, said.StrikeItem) and self.cards.units[self.unit(part.target)].side == side
        return said.StrikeItem(part.target, part.unit) if is_turned else part  # type: ignore[union-attr]

    # Commands

    def command(self, item: said.CommandItem) -> Command:  # noqa: C901 - a row for each command
        match item:
            case said.DeployItem():
                return self._deploy(item)
            case said.TradeItem():
                return self._trade(item)
            case said.PlayItem():
                return self._play(item)
            case said.SuperItem():
                return self._super(item.card, item.point)
            case said.UseItem():
                return Use(self.unit(item.unit), self.unit(item.target))
            case said.ActItem():
                self._needed(item.first, self.cards.switches.act)
                return Act((self.card(item.first), self.card(item.second)), self._pair(item.part))
            case said.SellItem():
                self._needed(item.card, self.cards.switches.rd)
                return Sell(self.card(item.card))
            case said.BuyItem():
                self._needed(item.what, self.cards.switches.rd)
                return self._buy(item.what)
            case said.CaptureItem():
                self._needed(item.target, self.cards.switches.captives)
                return Capture(self.unit(item.target), self.card(item.card))
            case said.IfItem():
                return If(self._condition(item.condition), self.command(item.command))
            case said.PassItem():
                return Pass()
            case _:
                assert_never(item)

    def _needed(self, at: Word, has_it: bool) -> None:
        if not has_it:
            raise Wrong(at, Sentence("This belongs to EXPANSION; this war is played without it."))

    def _deploy(self, item: said.DeployItem) -> Deploy:
        unit = self.unit(item.unit)
        if item.point is None:
            values = {"unit": quoted(item.unit.value), "point": self.called(self.cards.row[0], item.unit)}
            raise Wrong(item.unit, Sentence("Where to? `Deploy {unit} {point}`, for example.", **values))
        return Deploy(unit, self.point(item.point))

    def _trade(self, item: said.TradeItem) -> TradeForUnit | TradeForOrder:
        if is_word(item.wanted.value, "order"):
            return TradeForOrder(self.unit(item.given))
        return TradeForUnit(self.order(item.given), self.unit_or_deck(item.wanted))

    def _buy(self, what: Word) -> BuyUnit | BuyOrder:
        return BuyOrder() if is_word(what.value, "order") else BuyUnit(self.unit_or_deck(what))

    def _play(self, item: said.PlayItem) -> Command:
        name = self.order(item.card)
        order = self.cards.orders[name]
        match order.kind:
            case "super":
                only = item.parts[0]
                if len(item.parts) > 1 or not isinstance(only, said.AloneItem):
                    card, at = (self.called(one, item.card) for one in (name, self.cards.row[0]))
                    raise Wrong(item.card, Sentence("{card} is for a Point: `{card}: {point}`.", card=card, point=at))
                return self._super(item.card, only.unit)
            case "march":
                return self._march(name, item)
            case "attack" | "all":
                strikes = tuple(self._strike(name, part) for part in item.parts)
                self._count(item, None if order.kind == "all" else order.number)
                return PlayPairs(name, strikes)
            case "move":
                steps = tuple(self._step(name, part) for part in item.parts)
                self._count(item, order.number)
                return PlayPairs(name, steps)
            case _:
                assert_never(order.kind)

    def _super(self, card: Word, point: Word) -> PlaySuper:
        name = self.order(card)
        if self.cards.orders[name].kind != "super":
            self._strike(name, said.AloneItem(point)) if self._attacks(name) else self._step(
                name, said.AloneItem(point)
            )
        return PlaySuper(name, self.point(point))

    def _attacks(self, name: str) -> bool:
        return self.cards.orders[name].kind in ("attack", "all")

    def _strike(self, name: str, part: said.PartItem) -> Strike:
        if isinstance(part, said.StrikeItem) or (self.mends and isinstance(part, said.StepItem)):
            return Strike(self.unit(part.unit), self.unit(part[1]))
        raise Wrong(
            part.unit,
            Sentence('"{card}" needs a target: `{card}: Zulu > Bao`, for example.', card=self.called(name, part.unit)),
        )

    def _step(self, name: str, part: said.PartItem) -> Step:
        if isinstance(part, said.StepItem):
            return Step(self.unit(part.unit), self.point(part.point))
        unit = part.unit.value if isinstance(part, said.AloneItem) else "Zulu"
        told = Sentence(
            "`{card}` goes to a Point: `{card}: {unit} to {point}`, for example.",
            card=self.called(name, part.unit),
            unit=unit,
            point=self.called(self.cards.row[0], part.unit),
        )
        raise Wrong(part.unit, told)

    def _march(self, name: str, item: said.PlayItem) -> PlayMarch:
        units, point = [], ""
        for part in item.parts:
            if not isinstance(part, said.AloneItem):
                step = self._step(name, part)
                if point not in ("", step.point):
                    raise Wrong(part.unit, Sentence("{card} goes to one Point.", card=self.called(name, part.unit)))
                point = step.point
            units.append(self.unit(part.unit))
        if isinstance(item.parts[-1], said.AloneItem):
            self._step(name, item.parts[-1])
        self._count(item, None)
        return PlayMarch(name, tuple(units), point)

    def _count(self, item: said.PlayItem, most: int | None) -> None:
        """See that a card is not for more units than it can be, nor twice for one."""
        if most is not None and len(item.parts) > most:
            card = self.order(item.card)
            values = {"card": self.called(card, item.card), "most": most, "number": len(item.parts)}
            told = Sentence('At most {most} can act by "{card}", and here are {number}.', **values)
            raise Wrong(item.card, told, self._for_more(card, item))
        seen: set[str] = set()
        for part in item.parts:
            unit = self.unit(part.unit)
            if unit in seen:
                told = Sentence("{unit} stands here twice; each unit acts once.", unit=self.called(unit, part.unit))
                raise Wrong(part.unit, told)
            seen.add(unit)

    def _for_more(self, card: str, item: said.PlayItem) -> said.PlayItem | None:
        """The same by an order of the same kind that is for as many units as are named."""
        kind, number = self.cards.orders[card].kind, len(item.parts)
        others = (name for name, one in self.cards.orders.items() if one.kind == kind and one.number == number)
        return next((item._replace(card=ItemPart(name, item.card.start_pos)) for name in others), None)

    def _pair(self, part: said.PartItem) -> Pair:
        match part:
            case said.StrikeItem():
                return Strike(self.unit(part.unit), self.unit(part.target))
            case said.StepItem():
                return Step(self.unit(part.unit), self.point(part.point))
            case said.AloneItem():
                unit = self.called(self.unit(part.unit), part.unit)
                raise Wrong(part.unit, Sentence("Whom does {unit} attack, or where to does it move?", unit=unit))
            case _:
                assert_never(part)

    def _condition(self, item: said.ConditionItem) -> Condition:
        match item:
            case said.StandsItem() | said.StandsNotItem():
                return Stands(self.unit(item.unit), self.point(item.point), isinstance(item, said.StandsNotItem))
            case said.CountItem():
                whose: Literal["mine", "enemy"] = "mine" if is_word(item.whose.value, "mine") else "enemy"
                return Count(whose, self.point(item.point), _compare(item.compare), int(item.number.value))
            case said.StockItem():
                return Stock(_compare(item.compare), int(item.number.value))
            case said.LastItem():
                return Last("hit" if is_word(item.outcome.value, "hit") else "missed")
            case _:
                assert_never(item)

    # Standing orders

    def rule(self, item: said.RuleItem) -> Rule:
        word = word_among(item.rule.value, tuple(map(str.casefold, standing.KEYS)))
        name = (word or "").capitalize()
        self._needed(item.rule, standing.needs(name, self.cards.switches))
        key = self._key(name, item)
        return Rule(key, self._value(name, item))

    def _key(self, name: str, item: said.RuleItem) -> str:
        others = standing.KEYS[name]
        if others is None:
            if item.key:
                rule = self.called(name, item.rule)
                raise Wrong(
                    item.key, Sentence("Nothing stands behind `{rule}` but its value: `{rule}: ...`.", rule=rule)
                )
            return name
        if item.key is None:
            rule, *some = (self.called(one, item.rule) for one in (name, *others))
            told = Sentence(
                "`{rule}` is for what? There are: {choices}.", rule=rule, choices=(*some, Sentence("a unit"))
            )
            raise Wrong(item.rule, told)
        return f"{name} {word_among(item.key.value, others) or self.unit(item.key)}"

    def _value(self, name: str, item: said.RuleItem) -> str:
        value = item.value
        if isinstance(value, said.AmountItem):
            return self._amount(name, item.rule, value)
        if not isinstance(value, said.NamesItem):
            return DEFAULT
        names = value.words
        if name in standing.AMOUNTS:
            how = standing.AMOUNTS[name]
            rule, how = (self.called(one, item.rule) for one in (name, how))
            told = Sentence("A number 0-9 is needed here, such as `{rule} attack: 1 {how} orders`.", rule=rule, how=how)
            raise Wrong(names[0], told)
        words = standing.WORDS.get(name, ())
        if len(names) == 1 and (word := word_among(names[0].value, words)):
            return word
        if name == "Goto":
            return ", ".join(map(self.point, names))
        if name not in standing.LISTS:
            rule, *some = (self.called(one, item.rule) for one in (name, *words, DEFAULT))
            raise Wrong(names[0], Sentence("`{rule}` is one of {choices}.", rule=rule, choices=tuple(some)))
        return ", ".join(map(self.unit_or_deck if DECK in standing.LISTS[name] else self.unit, names))

    def _amount(self, name: str, at: Word, value: said.AmountItem) -> str:
        how = standing.AMOUNTS.get(name)
        if how is None:
            raise Wrong(value.number, Sentence("`{rule}` takes no number.", rule=self.called(name, at)))
        wrong = value.upto if name == "Reroll" else value.each
        if wrong or (value.how and not is_word(value.how.value, how)):
            example = "Reroll attack: 1 each with orders" if name == "Reroll" else "Pour attack: to 4 sell orders"
            values = {"rule": self.called(name, at), "example": self.called(example, at)}
            raise Wrong(
                wrong or value.how or at, Sentence("This is not how `{rule}` is written: `{example}`.", **values)
            )
        text = f"{'to ' if value.upto else ''}{int(value.number.value)}{' each' if value.each else ''}"
        return f"{text} {how} {', '.join(map(self._given, value.names))}" if value.names else text

    def _given(self, word: Word) -> str:
        """A card of a list of what may be given: `orders`, `units`, or a card."""
        return word_among(word.value, (standing.ORDERS, standing.UNITS)) or self.card(word)


@lru_cache(maxsize=16)
def _reader(cards: CardSet, *, mends: bool = False) -> _Reader:
    """A reader of a set, made once."""
    return _Reader(cards, mends=mends)
