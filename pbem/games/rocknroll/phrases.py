"""Lines read by the cards they name: commands and conditions, whatever people write around them (rnr §8, Tolerance).

Only the shape of a line is found here, with its names still in the player's words. What has one meaning is read; where
there is doubt a line is Wrong, if possible with what it probably means.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache

from pbem.games.base import Sentence
from pbem.games.rocknroll import items as said
from pbem.games.rocknroll.cards import CardSet
from pbem.games.rocknroll.conditions import read_condition, read_unless
from pbem.games.rocknroll.cursor import COMMANDS, RULES, Cursor
from pbem.games.rocknroll.deeds import named_behind, read_sentence
from pbem.games.rocknroll.items import CommandItem, ConditionItem, ItemPart, Line, RuleItem
from pbem.games.rocknroll.lookup import Wrong, quoted
from pbem.games.rocknroll.names import names_of
from pbem.games.rocknroll.plays import read_part, read_play
from pbem.games.rocknroll.wishes import read_negated, read_rule

_BEHIND = ("deploy", "trade", "buy", "sell")  # commands whose word may stand behind the first name
_PARTICLES = ("filler", "polite")
_MAX_IFS = 20
_MAX_WORDS = 600  # of a line; more than any needs


@lru_cache(maxsize=256)
def read_line(cards: CardSet, line: Line) -> tuple[CommandItem | RuleItem | Wrong, ...]:
    """What a line says, one item after the other: remembered while its letter is read, which asks several times.

    Behind a mistake it goes on where another item begins.
    """
    return tuple(_items(cards, line))


def _items(cards: CardSet, line: Line) -> Iterator[CommandItem | RuleItem | Wrong]:
    reader = _LineReader(cards, line)
    cursor = reader.cursor
    if len(line.tokens) > _MAX_WORDS:
        yield Wrong(cursor.here(), Sentence("This line is too long; write a line for each command."))
        return
    cursor.between()
    while not cursor.at_end:
        try:
            reader.skip_particles()
            if cursor.is_of_others() and cursor.word("stays"):
                cursor.between()
            if cursor.at_end:
                return
            found = reader.on_condition(reader.item())
            if not cursor.ends():
                cursor.skip(*_PARTICLES)
            if not cursor.ends():
                raise cursor.unreadable()
        except Wrong as wrong:
            yield wrong.with_traceback(None)  # how it came about is not worth remembering
            yield from wrong.more
            reader.to_next()
        else:
            yield from found
        cursor.between()


class _LineReader:
    """Reads the items of a line. Raises Wrong for one that cannot be read."""

    def __init__(self, cards: CardSet, line: Line) -> None:
        self.cards, self.cursor = cards, Cursor(line.tokens, names_of(cards))

    def to_next(self) -> None:
        """To where the next item begins: a command word behind a comma."""
        cursor = self.cursor
        cursor.at += not cursor.ends()
        while not cursor.ends():
            cursor.at += 1

    def item(self) -> list[CommandItem | RuleItem]:
        """A command or a standing order; of some commands several at once."""
        cursor = self.cursor
        if self._is_rule():
            return [read_rule(cursor)]
        if rules := read_negated(cursor):
            return [*rules]
        return [*self._commands(0)]

    def on_condition(self, found: list[CommandItem | RuleItem]) -> list[CommandItem | RuleItem]:
        """What was read, on the condition that closes its line: `Napalm: B, if at least 2 enemies are there`."""
        cursor, at = self.cursor, self.cursor.at
        if len(found) != 1 or isinstance(found[0], RuleItem | said.IfItem):
            return found
        cursor.sign("COMMA")
        if cursor.word("if"):
            condition = read_condition(cursor, _place_of(found[0]))
            if cursor.at_end and not isinstance(condition, said.LastItem):  # "..., if hit" goes on with the next line
                return [said.IfItem(condition, found[0])]
        cursor.at = at
        return found

    def skip_particles(self) -> None:
        """`please`, `I`; `first` and `play` where a command or a card follows."""
        cursor = self.cursor
        while True:
            kinds = cursor.kinds()
            if not kinds.isdisjoint(_PARTICLES) and not cursor.names.find(cursor.here().value):
                cursor.skip(*_PARTICLES)
                cursor.between()
            elif "first" in kinds and (cursor.is_start(1) or _follows_comma(cursor)):
                cursor.at += 1
                cursor.between()
            elif "play" in kinds or (kinds & {"card_word", "throws"} and self._is_before_card()):
                cursor.at += 1
                cursor.sign("COLON")
            else:
                return

    def _is_before_card(self) -> bool:
        """Whether the name of an order follows, perhaps with an article: `drop the napalm on B`."""
        cursor = self.cursor
        return bool(cursor.order_card(1) or (cursor.kinds(1) & {"article", "filler"} and cursor.order_card(2)))

    def _is_rule(self) -> bool:
        """Whether a standing order begins here. `Плен` is a command, and `Марш` might begin with one."""
        cursor = self.cursor
        found = cursor.may_be(RULES) and any(self._peeks(word) for word in RULES)
        return found and not cursor.names.find(cursor.here().value)

    def _peeks(self, word: str) -> bool:
        at = self.cursor.at
        found = self.cursor.word(word)
        self.cursor.at = at
        return found is not None

    def _commands(self, depth: int) -> list[CommandItem]:
        cursor = self.cursor
        if not cursor.may_be(COMMANDS):
            return self._named()
        if cursor.word("if"):
            return [self._conditional(read_condition, depth)]
        if cursor.word("unless"):
            return [self._conditional(read_unless, depth)]
        if word := cursor.word("pass"):
            return [said.PassItem(word)]
        for name, read in (
            ("deploy", self._deploy), ("trade", self._trade), ("sell", self._sell), ("buy", self._buy),
            ("act", self._act), ("capture", self._capture), ("use", self._use),
        ):  # fmt: skip
            if word := cursor.word(name):
                cursor.sign("COLON", "DASH")
                if cursor.ends():
                    raise Wrong(word, _HOW[name])
                return [*read([])]
        return self._named()

    def _conditional(self, read: Callable[[Cursor], ConditionItem], depth: int) -> said.IfItem:
        cursor = self.cursor
        if depth >= _MAX_IFS:
            raise cursor.unreadable()
        condition = read(cursor)
        cursor.sign("COMMA", "COLON", "DASH")
        cursor.skip("then", "so")
        cursor.sign("COLON", "DASH")
        if cursor.at_end:
            raise Wrong(cursor.here(), Sentence("What is to be done then? `If hit: Move: Zulu to B`, for example."))
        self.skip_particles()
        commands = self._commands(depth + 1)
        if len(commands) > 1:
            raise Wrong(
                _first(commands[1]),
                Sentence("A condition is for one command; write it before each: `If ...: Deploy Zulu A`."),
            )
        return said.IfItem(condition, commands[0])

    # Commands by their first word, or behind the first name

    def _named(self) -> list[CommandItem]:
        """A command that begins with a name: of an order, or of what a word behind it is for."""
        cursor, at = self.cursor, self.cursor.at
        name = cursor.name()
        if name is None:
            raise self._no_command()
        names = [name]
        while cursor.listing() and (more := cursor.name()):
            names.append(more)
        for word in _BEHIND:
            if cursor.word(word):
                return self._behind(word, names)
        if (place := self._place()) and cursor.word("deploy"):  # Дока на А развернуть
            return [said.DeployItem(one, place) for one in names] + ([*self._deploy([])] if cursor.listing() else [])
        if not cursor.ends() and (march := named_behind(self.cards, cursor, names)):
            return [march]
        cursor.at = at
        name = cursor.name() or name
        if sentence := read_sentence(self.cards, cursor, name):
            raise sentence
        return [read_play(self.cards, cursor, name)]

    def _behind(self, word: str, names: list[ItemPart]) -> list[CommandItem]:
        match word:
            case "deploy":
                return [*self._deploy(names)]
            case "sell":
                return [said.SellItem(name) for name in names]
            case "buy":
                return [*map(said.BuyItem, names)]
            case _:
                return [*self._trade(names)]

    def _no_command(self) -> Wrong:
        return self.cursor.unreadable()

    def _deploy(self, names: list[ItemPart]) -> Iterator[CommandItem]:
        cursor = self.cursor
        if not names and (place := self._place()):
            cursor.sign("COLON", "DASH")
            yield from (said.DeployItem(unit, place) for unit in cursor.listed(self._needed_name))
            return
        while True:
            names = names or cursor.listed(self._needed_name)
            cursor.sign("COLON", "DASH")
            place = self._place()
            if place is None:
                if not cursor.ends():
                    raise cursor.unreadable()
                yield from map(said.DeployItem, names)
                return
            yield from (said.DeployItem(name, place) for name in names)
            if not cursor.listing():
                return
            names = []

    def _place(self) -> ItemPart | None:
        """A Point, with or without a sign before it."""
        cursor, at = self.cursor, self.cursor.at
        sign = cursor.place_sign()
        if point := cursor.point(behind_sign=sign is not None):
            return point
        if sign and sign[0].value.casefold() == "в":
            return sign[0]
        if sign and (name := cursor.name()):
            return name
        cursor.at = at
        return None

    def _needed_name(self) -> ItemPart:
        name = self.cursor.name()
        if name is None:
            raise self.cursor.unreadable()
        return name

    def _trade(self, names: list[ItemPart]) -> Iterator[CommandItem]:
        cursor = self.cursor
        given = names[0] if names else self._needed_name()
        if names[1:] or cursor.listing():
            raise Wrong(given, Sentence("One card is traded for one: write a line for each, `Trade Doc for order`."))
        if not (cursor.word("for", "against", "to", "with") or cursor.sign("ARROW")):
            raise Wrong(given, Sentence("For what? `Trade Doc for order` or `Trade Attack for deck`, for example."))
        yield said.TradeItem(given, self._wanted())
        cursor.skip("reserve")
        at = cursor.at
        if cursor.listing() and (another := cursor.name()) and cursor.may_be(("for", "against", "to", "with")):
            yield from self._trade([another])
        else:
            cursor.at = at

    def _wanted(self) -> ItemPart:
        """What a card is traded for, or bought: `order`, `deck` or a name."""
        cursor = self.cursor
        if word := cursor.word("order"):
            cursor.word("deck")
            return ItemPart("order", word.start_pos)
        at = cursor.at
        cursor.skip("article", "unit")
        if word := cursor.word("deck"):
            return ItemPart("deck", word.start_pos)
        cursor.at = at
        if word := cursor.word("deck"):
            return ItemPart("deck", word.start_pos)
        return self._needed_name()

    def _sell(self, names: list[ItemPart]) -> Iterator[CommandItem]:
        yield from map(said.SellItem, self.cursor.listed(self._needed_name))
        self.cursor.skip("card_word")

    def _buy(self, names: list[ItemPart]) -> Iterator[CommandItem]:
        cursor = self.cursor
        at = cursor.at
        cursor.skip("article", "unit")
        if cursor.ends():
            cursor.at = at
            raise Wrong(cursor.here(), _HOW["buy"])
        cursor.at = at
        yield said.BuyItem(self._wanted())

    def _act(self, names: list[ItemPart]) -> Iterator[CommandItem]:
        cursor = self.cursor
        cursor.word("with")
        first = self._needed_name()
        if not cursor.listing(of_cards=True):
            raise Wrong(first, _HOW["act"])
        second = self._needed_name()
        cursor.sign("COLON", "DASH", "COMMA")
        part = read_part(cursor, None)
        yield said.ActItem(first, second, part)

    def _capture(self, names: list[ItemPart]) -> Iterator[CommandItem]:
        cursor = self.cursor
        target = self._needed_name()
        if not cursor.word("with", "for", "by"):
            raise Wrong(target, _HOW["capture"])
        yield said.CaptureItem(target, self._needed_name())

    def _use(self, names: list[ItemPart]) -> Iterator[CommandItem]:
        cursor = self.cursor
        unit = self._needed_name()
        if (found := cursor.names.find(unit.value)) and found[0] in self.cards.orders:
            yield read_play(self.cards, cursor, unit)
            return
        cursor.word("feature")
        if not (cursor.sign("COLON", "DASH") or cursor.place_sign()):
            raise Wrong(unit, Sentence("On whom? `Use {unit}: Johnny`, for example.", unit=quoted(unit.value)))
        cursor.place_sign()
        yield said.UseItem(unit, self._needed_name())


def _follows_comma(cursor: Cursor) -> bool:
    token = cursor.token(1)
    return token is not None and token.type == "COMMA"


def _place_of(item: object) -> ItemPart | None:
    """The Point that a command is for, if it is one."""
    match item:
        case said.SuperItem(_, point) if isinstance(point, ItemPart):
            return point
        case said.PlayItem(_, (said.StepItem(_, point),)) if isinstance(point, ItemPart):
            return point
        case _:
            return None


def _first(item: object) -> ItemPart:
    while isinstance(item, tuple) and not isinstance(item, ItemPart):
        item = item[0]
    assert isinstance(item, ItemPart)
    return item


_HOW = {
    "deploy": Sentence("Whom, and where to? `Deploy Johnny A`, for example."),
    "trade": Sentence("What for what? `Trade Doc for order` or `Trade Attack for deck`, for example."),
    "sell": Sentence("Which card? `Sell Move`, for example."),
    "buy": Sentence("One buys an order or a unit: `Buy order`, `Buy unit deck` or `Buy unit` and a name."),
    "act": Sentence("Two cards are given for what a unit does: `Act Doc, Move: Zulu > Bao`, for example."),
    "capture": Sentence("A card is given for it: `Capture Bao with Move`, for example."),
    "use": Sentence("Whose feature, and on whom? `Use Horny: Johnny`, for example."),
}
