"""Turn the parsed items of a letter into orders, or report every mistake in them with a correction.

Only matters that do not depend on the position of the cards are checked: names, the requirements of cards, whose turn
it is, and which rules the set has. Whether a line can be carried out is decided when the rules reach it (§6, §8).
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Literal

from pbem import Sentence
from pbem.games.base import Interpretation, Mistake, Seat, Unread
from pbem.games.kit.reading import Token, Written, Wrong, mistake, no_orders, quoted, too_many
from pbem.games.rocknroll import orders
from pbem.games.rocknroll.cards import VIETNAM, VPA, CardSet
from pbem.games.rocknroll.guess import after, guessed, mentions_in, unreadable, which_units
from pbem.games.rocknroll.names import (
    Amount,
    Item,
    Limit,
    Lookup,
    first_word,
    is_word,
    word_among,
)
from pbem.games.rocknroll.state import State
from pbem.games.rocknroll.wording import CALLED
from pbem.games.values import MAX_ITEMS

_MAX_IFS = 20
_MAX_NUMBER = 9  # the largest number in a condition


def interpret(state: State, seat: Seat, items: Sequence[Item | Unread]) -> Interpretation[orders.Orders]:
    """Interpret `items` as orders of `seat`, or report the mistakes in them in the order of the text.

    If there are mistakes, the proposal uses the nearest names and whatever else was probably meant. There is no
    proposal if the meaning of a line is unclear.
    """
    if len(items) > MAX_ITEMS:
        return too_many()
    draft = _Draft(state, seat)
    for item in items:
        draft.add(item)
    return draft.interpretation()


class _Draft:
    """A collector of the orders and mistakes in the items of a letter."""

    def __init__(self, state: State, seat: Seat) -> None:
        self._state, self._seat, self._reader = state, seat, _reader(state.cards)
        self._told_turn = seat == state.on_turn
        self._rules: dict[str, orders.Rule] = {}
        self._commands: list[orders.Command] = []
        self._mistakes: list[Mistake] = []
        self._chat: list[Mistake] = []  # words that name nothing in the game; reported only if nothing else is wrong
        self._decided = True  # whether the probable meaning of every line is known

    def add(self, item: Item | Unread) -> None:
        if isinstance(item, Unread):
            self._guess(item)
            return
        try:
            self._take(item, self._reader)
        except Wrong as wrong:
            which = which_units(self._state, self._seat, wrong.at.value) if item.rule == "deploy" else None
            self._refuse(Wrong(wrong.at, which) if which else wrong)
            try:
                for meant in wrong.instead or (self._all_named(item),):
                    self._take(meant, _Reader(self._state.cards, mends=self._state))
            except Wrong:
                self._decided = False

    def _guess(self, words: Unread) -> None:
        """Reject `words`, which do not make an order, and keep their probable meaning for the proposal."""
        guess = guessed(after(self._state, self._seat, self._commands), self._seat, words.value)
        wrong = unreadable(self._state, self._seat, words, guess)
        says_something = {mention.kind for mention in mentions_in(self._state.cards, words.value)} - {"cut", "w_all"}
        if guess or says_something or not words.value:
            self._refuse(wrong)
            self._decided &= bool(guess)
        else:
            self._chat.append(mistake(wrong.at, wrong.sentence))  # such as "All clear" in "All clear. Doc to A"
        if guess and not self._told_turn and not isinstance(guess[0], orders.Rule):
            self._see_whose_turn_it_is(words)
        self._keep(guess)

    def _all_named(self, item: Item) -> Item:
        """Return `item` with the units of the hand in place of `all` if it deploys units; otherwise return `item`
        unchanged."""
        if item.rule != "deploy":
            return item
        hand, parts = self._state.hands[self._seat].units, list[Item]()
        for part in item.parts:
            who = part.parts[0]
            named = hand if who.type == "WORD" and is_word(who.value, "all") else (who.value,)
            parts += [Item(part.rule, (Unread(unit, who.start_pos), *part.parts[1:])) for unit in named]
        return Item("deploy", tuple(parts))

    def _refuse(self, wrong: Wrong) -> None:
        self._mistakes.append(mistake(wrong.at, wrong.sentence))

    def _take(self, item: Item, reader: "_Reader") -> None:
        if self._commands and (number := reader.poured_once(item, self._commands[-1])) is not None:
            self._commands[-1] = orders.Pour(number, self._commands[-1])
            return
        lines = list(reader.read(item))
        if not self._told_turn and lines and not isinstance(lines[0], orders.Rule):
            self._see_whose_turn_it_is(first_word(item))
        for line in lines:
            if isinstance(line, orders.Rule) and line.key in orders.ALLIED:
                self._see_allies(first_word(item), line)
        self._keep(lines)

    def _see_allies(self, at: Written, rule: orders.Rule) -> None:
        """Check that `rule`, a standing order on which allies agree, names only seats that play on the writer's side.
        Raises Wrong if it names another seat."""
        side = self._state.side_of(self._seat)
        allies = [seat for seat, on in self._state.playing if on == side]
        if len(allies) > 1 and rule.value != orders.DEFAULT and not set(rule.value.split(", ")) <= set(allies):
            names = tuple(CALLED[seat] for seat in allies)
            raise Wrong(at, Sentence("Only seats of your side can be named here: {seats}.", seats=names))

    def _keep(self, items: Sequence[orders.Command | orders.Rule]) -> None:
        for line in items:
            if isinstance(line, orders.Rule):
                self._rules.pop(line.key, None)
                self._rules[line.key] = line  # the last line for a key counts
            else:
                self._commands.append(line)

    def _see_whose_turn_it_is(self, at: Written) -> None:
        self._told_turn, self._decided = True, False  # report this only once
        seat = CALLED.get(self._state.on_turn or "", "nobody")
        self._refuse(Wrong(at, Sentence("It is {seat}'s turn; you can send standing orders.", seat=seat)))

    def interpretation(self) -> Interpretation[orders.Orders]:
        rules, commands = tuple(self._rules.values()), tuple(self._commands)
        mistakes = self._mistakes or self._chat
        if not (rules or commands or mistakes):
            return no_orders()
        if mistakes:
            in_order = tuple(sorted(mistakes, key=lambda error: error.start))
            proposal = orders.Orders(rules, commands) if self._decided and (rules or commands) else None
            return Interpretation(None, in_order, proposal)
        return Interpretation(orders.Orders(rules, commands) if commands else None, (), standing=tuple(map(str, rules)))


class _Reader(Lookup):
    """A reader of items, which raises Wrong for a wrong item. If `mends` is given (see `Lookup`), the reader uses the
    probable meaning of the item instead, where possible."""

    def unit(self, word: Written) -> str:
        if len(self.names.find(word.value)) != 1 and (is_word(word.value, "all") or is_word(word.value, "others")):
            raise Wrong(word, Sentence("Which units? Write their names: `March: Zulu, Doc to B`."))
        return super().unit(word)

    def read(self, item: Item) -> Iterator[orders.Command | orders.Rule]:
        """Read the commands or standing orders in `item` with the method for its grammar rule."""
        lines: Iterator[orders.Command | orders.Rule] = getattr(self, f"_{item.rule}")(*item.parts)
        return lines

    # Commands

    def _pass(self, word: Token) -> Iterator[orders.Command]:
        yield orders.Pass()

    def _deploy(self, *parts: Item) -> Iterator[orders.Command]:
        *_, last = shared = _shared(parts)
        if last.rule == "alone":
            unit = last.parts[0]
            values = {"unit": quoted(unit.value), "point": self.called(self.cards.row[0], unit)}
            raise Wrong(unit, Sentence("Where to? `Deploy {unit} {point}`, for example.", **values))
        for part in shared:
            yield orders.Deploy(self.unit(part.parts[0]), self.point(part.parts[1]))

    def _trade(self, *words: Token) -> Iterator[orders.Command]:
        for offered, wanted in zip(words[::2], words[1::2], strict=True):
            if wanted.type == "ORDER":
                yield orders.TradeForOrder(self.unit(offered))
            else:
                yield orders.TradeForUnit(self.order(offered), self._unit_or_deck(wanted))

    def _unit_or_deck(self, word: Token) -> str:
        if word.type == "SOME_UNIT":
            if self.mends:
                return orders.DECK
            deck = self.called(orders.DECK, word)
            raise Wrong(
                word, Sentence("Which unit? Name one in the reserve, or write `{deck}` for the top one.", deck=deck)
            )
        return orders.DECK if word.type == "DECK" or is_word(word.value, orders.DECK) else self.unit(word)

    def _sell(self, *cards: Token) -> Iterator[orders.Command]:
        self._needed(cards[0], self.cards.switches.rd)
        yield from (orders.Sell(self.card(card)) for card in cards)

    def _buy(self, *wanted: Token) -> Iterator[orders.Command]:
        self._needed(wanted[0], self.cards.switches.rd)
        for word in wanted:
            yield orders.BuyOrder() if word.type == "ORDER" else orders.BuyUnit(self._unit_or_deck(word))

    def _capture(self, unit: Token, card: Token) -> Iterator[orders.Command]:
        self._needed(unit, self.cards.switches.captives)
        yield orders.Capture(self.unit(unit), self.card(card))

    def _use(self, unit: Token, target: Token) -> Iterator[orders.Command]:
        yield orders.Use(self.unit(unit), self.unit(target))

    def _act(self, first: Token, second: Token, part: Item) -> Iterator[orders.Command]:
        self._needed(first, self.cards.switches.act)
        yield orders.Act((self.card(first), self.card(second)), self._pair(part))

    def _needed(self, at: Token, has_it: bool) -> None:
        if not has_it:
            raise Wrong(at, Sentence("This belongs to EXPANSION; this war is played without it."))

    def _play(self, card: Token, parts: Sequence[Item]) -> Iterator[orders.Command]:
        name = self.order(card)
        match self.cards.orders[name].kind:
            case "super":
                only = parts[0].parts[0]
                if len(parts) > 1 or parts[0].rule != "alone" or only.type == "UNIT":
                    title, at = (self.called(english, card) for english in (name, self.cards.row[0]))
                    raise Wrong(card, Sentence("{card} is for a Point: `{card}: {point}`.", card=title, point=at))
                yield orders.PlaySuper(name, self.point(only))
            case "march":
                yield self._march(name, card, parts)
            case "move":
                steps = tuple(self._step(name, part) for part in _shared(parts))
                self._count_units(card, parts, self.cards.orders[name].number)
                yield orders.PlayPairs(name, steps)
            case kind:
                strikes = tuple(self._strike(name, part) for part in (_shared(parts) if self.mends else parts))
                self._count_units(card, parts, self.cards.orders[name].number if kind == "attack" else None)
                yield orders.PlayPairs(name, strikes)

    def _fire(self, card: Token, point: Token) -> Iterator[orders.Command]:
        name = self.order(card)
        if self.cards.orders[name].kind != "super":
            part = Item("alone", (point,))
            self._strike(name, part) if self.cards.orders[name].kind in ("attack", "all") else self._step(name, part)
        yield orders.PlaySuper(name, self.point(point))

    def _strike(self, name: str, part: Item) -> orders.Strike:
        unit, *others = part.parts
        if part.rule == "strike" or (self.mends and part.rule == "step"):
            return orders.Strike(self.unit(unit), self.unit(others[0]))
        values = {"card": self.called(name, unit)}
        raise Wrong(unit, Sentence('"{card}" needs a target: `{card}: Zulu > Bao`, for example.', **values))

    def _step(self, name: str, part: Item) -> orders.Step:
        unit, *others = part.parts
        if others and (part.rule == "step" or others[0].type == "WORD"):
            return orders.Step(self.unit(unit), self.point(others[0]))
        sentence = Sentence(
            "`{card}` goes to a Point: `{card}: {unit} to {point}`, for example.",
            card=self.called(name, unit),
            unit=self.called("Zulu" if others else self.unit(unit), unit),
            point=self.called(self.cards.row[0], unit),
        )
        raise Wrong(unit, sentence)

    def _march(self, name: str, card: Token, parts: Sequence[Item]) -> orders.PlayMarch:
        points = {step.point: part for part in parts if part.rule != "alone" for step in (self._step(name, part),)}
        if len(points) > 1:
            at = [*points.values()][1].parts[0]
            raise Wrong(at, Sentence("{card} goes to one Point.", card=self.called(name, at)))
        if parts[-1].rule == "alone":
            self._step(name, parts[-1])
        self._count_units(card, parts, None)
        return orders.PlayMarch(name, tuple(self.unit(part.parts[0]) for part in parts), *points)

    def _count_units(self, card: Token, parts: Sequence[Item], most: int | None) -> None:
        """Check that `parts` name no more than `most` units, and no unit twice. Raises Wrong otherwise."""
        if most is not None and len(parts) > most:
            name = self.order(card)
            values = {"card": self.called(name, card), "most": most, "number": len(parts)}
            sentence = Sentence('At most {most} can act by "{card}"; you named {number}.', **values)
            raise Wrong(card, sentence, *self._for_more(name, card, parts))
        seen: set[str] = set()
        for part in parts:
            unit = self.unit(part.parts[0])
            if unit in seen:
                name = self.called(unit, part.parts[0])
                raise Wrong(part.parts[0], Sentence("{unit} is named twice; each unit acts once.", unit=name))
            seen.add(unit)

    def _for_more(self, card: str, word: Token, parts: Sequence[Item]) -> list[Item]:
        """Return a list with an item that plays, instead of `card`, an order of the same kind for as many units as
        `parts` name. The list is empty if the set has no such order."""
        kind, number = self.cards.orders[card].kind, len(parts)
        others = (name for name, order in self.cards.orders.items() if order.kind == kind and order.number == number)
        return [Item("play", (Unread(name, word.start_pos), parts)) for name in others][:1]

    def _pair(self, part: Item) -> orders.Pair:
        unit, *others = part.parts
        match part.rule:
            case "strike":
                return orders.Strike(self.unit(unit), self.unit(others[0]))
            case "step":
                return orders.Step(self.unit(unit), self.point(others[0]))
            case _:
                called = self.called(self.unit(unit), unit)
                raise Wrong(unit, Sentence("Whom does {unit} attack, or where does it move?", unit=called))

    # Conditions

    def _if(self, condition: Item, command: Item, *joining: Token, negated: bool = False) -> Iterator[orders.Command]:
        inner, number = command, 1
        while inner.rule in ("if", "unless"):
            inner, number = inner.parts[1], number + 1
        if number > _MAX_IFS:
            raise Wrong(first_word(condition), Sentence("We read at most {most} conditions.", most=_MAX_IFS))
        for sign in joining:
            if any(is_word(word, "and") for word in sign.value.replace(",", " ").split()) or set("&+") & set(
                sign.value
            ):
                raise Wrong(sign, Sentence("A condition ends with a colon: `If hit: If Bao in A: Pass`, for example."))
        commands = [line for line in self.read(command) if not isinstance(line, orders.Rule)]
        if len(commands) > 1:
            sentence = Sentence("A condition is for one command; write it before each: `If ...: Deploy Zulu A`.")
            raise Wrong(first_word(command), sentence)
        nested = commands[0]
        for term in reversed([*self._conditions(condition, command)]):
            if not negated:
                nested = orders.If(term, nested)
            elif isinstance(term, orders.Stands):
                nested = orders.If(orders.Stands(term.unit, term.point, not term.negated), nested)
            else:
                raise Wrong(first_word(condition), Sentence("Say it with `If`: `If enemy B <= 1: ...`, for example."))
        yield nested

    def _unless(self, condition: Item, command: Item, *joining: Token) -> Iterator[orders.Command]:
        return self._if(condition, command, *joining, negated=True)

    def _conditions(self, item: Item, command: Item) -> Iterator[orders.Condition]:
        """Yield the conditions in `item`, all of which must hold. `command` is the command that depends on them."""
        match item:
            case Item("stands", (unit, negated, point)):
                yield orders.Stands(self.unit(unit), self.point(point), negated)
            case Item("count", (whose, point, limits)):
                side: Literal["mine", "enemy"] = "enemy" if is_word(whose.value, "enemy") else "mine"
                there = self._required_point(whose, point or _place_of(command))
                yield from (orders.Count(side, there, sign, number) for sign, number in self._within(whose, limits))
            case Item("stock", (limits,)):
                yield from (orders.Stock(sign, number) for sign, number in self._within(first_word(command), limits))
            case Item("nobody", (point,)):
                yield from (orders.Count(side, self.point(point), "<=", 0) for side in ("enemy", "mine"))
            case Item("fate", (unit, alive)):
                yield self._fate(unit, alive)
            case Item("last", (_, hit)):
                yield orders.Last("hit" if hit else "missed")

    def _required_point(self, at: Token, point: Token | None) -> str:
        if point is None:
            raise Wrong(at, Sentence("In which Point? `If enemy B >= 2: ...`, for example."))
        return self.point(point)

    def _within(self, at: Token, limits: Sequence[Limit]) -> Sequence[tuple[Any, int]]:
        if any(not 0 <= number <= _MAX_NUMBER for _, number in limits):
            raise Wrong(at, Sentence("A number 0-9 is needed here after `>=` or `<=`, such as `If RD >= 2: ...`."))
        return limits

    def _fate(self, unit: Token, alive: bool) -> orders.Condition:
        """Reject a condition on whether a unit is alive, because conditions can only ask where a unit is. If `mends` is
        given, return the probable meaning instead: that the unit is, or is not, on its present Point."""
        name = self.unit(unit)
        points = self.mends.points.items() if self.mends else ()
        if here := next((point for point, sides in points if any(name in units for units in sides.values())), None):
            return orders.Stands(name, here, not alive)
        values = {"unit": self.called(name, unit), "point": self.called(self.cards.row[0], unit)}
        sentence = (
            Sentence("Where does {unit} stand then? `If {unit} in {point}: ...`, or `If missed: ...`.", **values)
            if alive
            else Sentence("Where is {unit} no longer? `If {unit} not in {point}: ...`, or `If hit: ...`.", **values)
        )
        raise Wrong(unit, sentence)

    # Standing orders

    def _rule(self, word: Token, key: Token | None, value: Amount | Sequence[Token]) -> Iterator[orders.Rule]:
        name = (word_among(word.value, map(str.casefold, (*orders.KINDS, *orders.ALLIED))) or "").capitalize()
        self._needed(word, orders.needs(name, self.cards.switches))
        yield orders.Rule(self._key(name, word, key), self._value(name, word, value))

    _bare = _loose = _rule  # standing orders written without a colon

    def poured_once(self, item: Item, command: orders.Command) -> int | None:
        """Return the RD that `item` adds to the throw of the preceding `command`, as in `pour 1 into this attack`; None
        if `item` means anything else.

        Raises Wrong if `item` could be meant either for the throw of that command only or as a standing order.
        """
        match item:
            case Item("bare" | "loose", (word, key, Amount() as value)) if is_word(word.value, "pour"):
                pass
            case _:
                return None
        self._needed(word, self.cards.switches.rd)
        number = self._number_once(word, value) if key is None or not value.upto else None
        if key is None or number is None:
            return number
        once = self.called(str(orders.Pour(number, command)), word)
        lasting = self.called(str(orders.Rule(self._key("Pour", word, key), str(number))), word)
        sentence = Sentence(
            "For this throw only, or for all from now on? `{once}` is for this one; for all, write"
            " `{lasting}` before the orders.",
            once=once,
            lasting=lasting,
        )
        raise Wrong(word, sentence, Item("bare", (word, None, value)))

    def _number_once(self, word: Token, value: Amount) -> int:
        """Return the number of RD for one throw. Raises Wrong if `value` contains more than a number."""
        if value.upto or value.each or value.how:
            values = {
                "rule": self.called("Pour", word),
                "example": self.called("Pour 1: Attack: Hardman > Cobra", word),
            }
            raise Wrong(word, Sentence("`{rule}` is written like this: `{example}`.", **values))
        return value.number

    def _pour(self, word: Token, value: Amount, command: Item) -> Iterator[orders.Command]:
        if not is_word(word.value, "pour"):
            raise Wrong(word, Sentence('"{text}" cannot be read.', text=quoted(word.value)))
        self._needed(word, self.cards.switches.rd)
        number = self._number_once(word, value)
        yield from (orders.Pour(number, line) for line in self.read(command) if not isinstance(line, orders.Rule))

    def _negated(self, word: Token, key: Token) -> Iterator[orders.Rule]:
        """Yield the standing order in lines such as `no rerolls for Doc`, `never rocknroll with Zulu` or `do not pour
        for attack`."""
        name = word_among(word.value, ("reroll", "rocknroll", "pour"))
        if name is None:
            raise Wrong(word, Sentence('"{text}" cannot be read.', text=quoted(word.value)))
        name = name.capitalize()
        self._needed(word, orders.needs(name, self.cards.switches))
        yield orders.Rule(self._key(name, word, key), orders.NEVER if name == "Rocknroll" else "0")

    def _silent(self, *units: Token) -> Iterator[orders.Rule]:
        yield from (orders.Rule(f"React {self.unit(unit)}", "no") for unit in units)

    def _key(self, name: str, word: Token, key: Token | None) -> str:
        others = orders.KINDS[name].about if name in orders.KINDS else None
        if others is None:
            if key:
                rule = self.called(name, word)
                raise Wrong(key, Sentence("Only its value comes after `{rule}`: `{rule}: ...`.", rule=rule))
            return name
        if key is None:
            rule, *some = (self.called(english, word) for english in (name, *others))
            sentence = Sentence(
                "What is `{rule}` for? Choose from: {choices}.", rule=rule, choices=(*some, Sentence("a unit"))
            )
            raise Wrong(word, sentence)
        return f"{name} {word_among(key.value, others) or self.unit(key)}"

    def _value(self, name: str, rule: Token, value: Amount | Sequence[Token]) -> str:
        if isinstance(value, Amount):
            return self._amount(name, rule, value)
        if len(value) == 1 and is_word(value[0].value, orders.DEFAULT):
            return orders.DEFAULT
        if name in orders.ALLIED:
            return ", ".join(map(self._ally, value))
        kind = orders.KINDS[name]
        if kind.how and len(value) == 1 and word_among(value[0].value, (orders.NEVER, "no")):
            return "0"
        if kind.how:
            called, how = (self.called(english, rule) for english in (name, kind.how))
            sentence = Sentence(
                "A number 0-9 is needed here, such as `{rule} attack: 1 {how} orders`.", rule=called, how=how
            )
            raise Wrong(value[0], sentence)
        if len(value) == 1 and (word := word_among(value[0].value, kind.words)):
            return word
        if name == "Goto":
            return ", ".join(map(self.point, value))
        if kind.among is None:
            called, *some = (self.called(english, rule) for english in (name, *kind.words, orders.DEFAULT))
            raise Wrong(value[0], Sentence("`{rule}` is one of {choices}.", rule=called, choices=tuple(some)))
        return ", ".join(map(self._unit_or_deck if orders.DECK in kind.among else self.unit, value))

    def _ally(self, word: Token) -> str:
        """Return the seat that `word` names. Raises Wrong unless it is a seat of a side that has several seats."""
        if word.type != "SEAT":
            raise Wrong(word, Sentence("Seats belong here: `Sequence: VPA 2, VPA 1`, for example."))
        side = VPA if is_word(word.value, "vpa_seat") else VIETNAM
        return f"{side}{word.value[-1]}"

    def _amount(self, name: str, rule: Token, value: Amount) -> str:
        how = orders.KINDS[name].how if name in orders.KINDS else ""
        if not how:
            raise Wrong(value.at, Sentence("`{rule}` takes no number.", rule=self.called(name, rule)))
        wrong = value.upto if name == "Reroll" else value.each
        if wrong or (value.how and not is_word(value.how.value, how)):
            example = "Reroll attack: 1 each with orders" if name == "Reroll" else "Pour attack: to 4 sell orders"
            values = {"rule": self.called(name, rule), "example": self.called(example, rule)}
            sentence = Sentence("`{rule}` is written like this: `{example}`.", **values)
            raise Wrong(wrong or value.how or rule, sentence)
        text = f"{'to ' if value.upto else ''}{value.number}{' each' if value.each else ''}"
        return f"{text} {how} {', '.join(map(self._payment, value.cards))}" if value.cards else text

    def _payment(self, word: Token) -> str:
        """Return the payment that `word` offers: `orders`, `units`, or the name of a card."""
        return word_among(word.value, (orders.ORDERS, orders.UNITS)) or self.card(word)


def _shared(parts: Sequence[Item]) -> list[Item]:
    """Return `parts`, giving each unit that has neither a target nor a Point that of the next unit."""
    shared: list[Item] = []
    for part in reversed(parts):
        is_alone = part.rule == "alone" and shared and shared[-1].rule != "alone"
        shared.append(Item(shared[-1].rule, (part.parts[0], shared[-1].parts[1])) if is_alone else part)
    return shared[::-1]


def _place_of(command: Item) -> Token | None:
    """Return the Point at which `command` is aimed, or None. In a condition of that command, `there` means this
    Point."""
    match command:
        case Item("fire", (_, point)) | Item("play", (_, (Item("step", (_, point)),))):
            return point  # type: ignore[no-any-return]
        case _:
            return None


@lru_cache(maxsize=16)
def _reader(cards: CardSet) -> _Reader:
    """Return the cached reader for a set of cards."""
    return _Reader(cards)
