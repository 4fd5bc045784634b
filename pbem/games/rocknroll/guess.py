"""Guesses about words that the grammar cannot read: whether they are meant as orders, what is wrong with them, and what
they probably mean. A guess is only proposed to the player, never played.

Only the names, Points, numbers and a few verbs in a text are examined. If exactly one interpretation uses all of them,
it is the guess. A word that may reverse the meaning, such as `not`, rules a guess out. A name alone does not make an
order, because people also mention cards in prose: "Good luck, Doc was great".
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import combinations, zip_longest
from typing import NamedTuple

from pbem import Sentence
from pbem.games.base import Seat, Unread
from pbem.games.kit.reading import Wrong, quoted
from pbem.games.rocknroll import orders
from pbem.games.rocknroll.bot import example
from pbem.games.rocknroll.cards import CardSet
from pbem.games.rocknroll.names import FOLDER, Amount, Item, names_of, words_of
from pbem.games.rocknroll.orders import COMMANDS, DECK, KINDS, Command, Rule, Step, cards_of
from pbem.games.rocknroll.state import State
from pbem.games.rocknroll.wording import like
from pbem.games.words import order_words

Guess = tuple[Command | Rule, ...]

_WORDS = (
    "deploy", "trade", "sell", "buy", "capture", "use", "order", "deck", "unit", "others", "all",
    "income", "goto", "captives", "torture", "execute", "recruit", "leave", "first", "marches", "reroll", "rocknroll",
    "pour", "react", "block", "lose", "act", "pass",
)  # fmt: skip
_LETTER = (
    r"(?:(?:(?<=to )|(?<=on )|(?<=at )|(?<=nach )|(?<=auf )|(?<=в )|(?<=на ))[a-eабсдеэ]|(?<!^)(?-i:[A-EАБСДЕЭ]))\b"
)
_MOST_CUTS = 5  # the most separators in a text that may be orders; a text with more is prose
_LONGEST = 400  # the most characters of a text that are examined


class Mention(NamedTuple):
    """A word with a meaning in the game: its kind, and the name of the card or Point that it means, or "" if it means
    neither."""

    kind: str
    name: str = ""


def guessed(state: State, seat: Seat, text: str) -> Guess:
    """Return the orders that `text` probably means; empty unless it has exactly one likely meaning."""
    mentions = _all_named(state, seat, mentions_in(state.cards, text))
    cuts = [at for at, mention in enumerate(mentions) if mention.kind == "cut"]
    kinds = {mention.kind for mention in mentions}
    if len(text) > _LONGEST or len(cuts) > _MOST_CUTS:
        return ()
    if kinds & {"turning", "number", "w_others", "w_pass"} or {"w_all", "unit"} <= kinds:
        return ()
    maker = _Maker(state, seat)
    for number in range(len(cuts) + 1):
        ways = {way: some for some in combinations(cuts, number) if (way := maker.way(mentions, some))}
        # In "Rook and Zulu to D, Chili and Doc to A", prefer splits in which each part ends with its Point
        if len(ways) > 1:
            ways = {way: some for way, some in ways.items() if all(map(_ends_with_its_point, _parts(mentions, some)))}
        if ways:
            return next(iter(ways)) if len(ways) == 1 else ()
    return ()


def _all_named(state: State, seat: Seat, mentions: Sequence[Mention]) -> Sequence[Mention]:
    """Return `mentions` with the units of the hand in place of `all` or `the others`, if these words mean units to be
    deployed."""
    hand = state.hands[seat].units
    stands = any(sides[state.side_of(seat)] for sides in state.points.values())
    if stands and not any(mention.kind == "w_deploy" for mention in mentions):
        return mentions
    named = {mention.name for mention in mentions if mention.kind == "unit"}
    if named and named == {*hand}:  # the units are named, too, as in "all to D: Doc, Rook"
        return [mention for mention in mentions if mention.kind != "w_all"]
    expanded = list[Mention]()
    for mention, behind in zip_longest(mentions, mentions[1:], fillvalue=Mention("cut")):
        everybody = mention.kind == "w_all" and not named and any(place.kind == "point" for place in mentions)
        if everybody or (mention.kind == "w_others" and behind.kind == "point" and named):
            expanded += [Mention("unit", unit) for unit in hand if unit not in named]
        else:
            expanded.append(mention)
    return expanded


def _parts(mentions: Sequence[Mention], cuts: Sequence[int]) -> Iterator[Sequence[Mention]]:
    """Split `mentions` at the separators whose indices are in `cuts`, and yield the parts without other separators."""
    for start, end in zip((0, *(at + 1 for at in cuts)), (*cuts, len(mentions)), strict=True):
        yield [mention for mention in mentions[start:end] if mention.kind != "cut"]


def _ends_with_its_point(part: Sequence[Mention]) -> bool:
    return all(mention.kind != "point" for mention in part[:-1])


@lru_cache(maxsize=1024)
def mentions_in(cards: CardSet, text: str) -> tuple[Mention, ...]:
    """Return the words in `text` that have a meaning in the game, in order."""
    scan, names = _scanner(cards), names_of(cards)
    mentions = list[Mention]()
    for match in scan.finditer(text[:_LONGEST]):
        kind = match.lastgroup or ""
        if kind in ("unit", "card"):
            card = names.find(match[0])
            mentions.append(Mention(kind, card[0]) if len(card) == 1 else Mention("turning"))
        elif kind == "point":
            mentions.append(Mention(kind, names.point(match[0]) or "?"))
        elif kind != "nothing":
            mentions.append(Mention(kind))
    return tuple(mentions)


def idle_words(cards: CardSet, text: str) -> int:
    """Return the number of words in `text` that could not belong to an order."""
    small = dict(names_of(cards).terminals)
    joining = "|".join(small[name] for name in ("to", "from", "with", "for"))
    return len(re.sub(rf"\b(?:{joining})\b", "", _scanner(cards).sub(" ", text), flags=re.I).split())


@lru_cache(maxsize=16)
def _scanner(cards: CardSet) -> re.Pattern[str]:
    """Return a pattern that matches the words with a meaning in the game. Words that reverse a meaning are tried
    first."""
    words = dict(names_of(cards).terminals)
    points = "|".join(names_of(cards).points.values())
    kinds = {
        "turning": rf"\b(?:{words['turning']}|{words['else']})\b|\?",
        "nothing": rf"\b(?:{words['filler']}|{words['polite']})(?![\w'’])",
        "cut": rf"[,;.!\n]|\b(?:{words['and']}|{words['then']})\b",
        "sign": rf"[-–—=]*>|→|⇒|➔|➜|➡|\b(?:{words['at']})\b(?! *(?:{points}|{_LETTER}))",
        "origin": rf"\b(?:{words['from']}) +(?:{words['point']} +)?(?:{points}|{_LETTER})",
        "unit": rf"\b{words['unit_cards']}",
        "w_against": rf"\b(?:{words['against']})\b",
        "w_goes": rf"\b(?:{words['goes']})\b",
        "card": rf"\b{words['order_cards']}",
        "point": rf"\b(?:{points})\b|{_LETTER}",
        "number": r"\d+",
        **{f"w_{word}": rf"\b(?:{words[word]})\b" for word in _WORDS},
    }
    alternatives = "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in kinds.items())
    return re.compile(alternatives, re.I)


def after(state: State, seat: Seat, lines: Sequence[Command | Rule]) -> State:
    """Return the state to which `lines` lead, disregarding everything that depends on dice. The cards that the lines
    need are assumed to be available: units come to the hand or to a Point, or move to another Point, and orders that
    are used leave the hand."""
    side, hand = state.side_of(seat), list(state.hands[seat].units)
    points = {point: {on: list(units) for on, units in sides.items()} for point, sides in state.points.items()}
    for unit, to in _goings(lines):
        for units in (hand, *(sides[side] for sides in points.values())):
            if unit in units:
                units.remove(unit)
        (points[to][side] if to in points else hand).append(unit)
    orders_left = list(state.hands[seat].orders)
    for line in lines:
        for card in cards_of(line) if isinstance(line, orders.Play | orders.TradeForUnit) else ():
            if card in orders_left:
                orders_left.remove(card)
    places = {point: {on: tuple(units) for on, units in sides.items()} for point, sides in points.items()}
    own = replace(state.hands[seat], units=tuple(hand), orders=tuple(orders_left))
    return replace(state, points=places, hands={**state.hands, seat: own})


def _goings(lines: Sequence[Command | Rule]) -> Iterator[tuple[str, str]]:
    """Yield each unit that `lines` get, deploy or move, with its new Point, or "" if the unit comes to the hand."""
    for order in lines:
        match order:
            case orders.TradeForUnit(unit=unit) | orders.BuyUnit(unit) if unit != DECK:
                yield unit, ""
            case orders.Deploy(unit, point):
                yield unit, point
            case orders.PlayPairs(pairs=pairs):
                yield from ((pair.unit, pair.point) for pair in pairs if isinstance(pair, Step))
            case orders.PlayMarch(units=units, point=point):
                yield from ((unit, point) for unit in units)
            case _:
                pass


class _Maker:
    """A builder of orders from the mentions in a text. It finds a meaning only if it can use all mentions."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.start, self.cards, self.seat = state, state.cards, seat
        self.side = state.side_of(seat)
        self.ends = (state.row[0], state.row[-1])
        self.subject = ""  # the unit that acted last, and now shoots in "Doc moves to B and shoots Zulu"
        self.see(state)

    def see(self, state: State) -> None:
        """From now on, use the positions of the cards in `state`."""
        self.state = state
        self.hand = state.hands[self.seat].units
        self.stands = {
            unit: (side, point)
            for point, sides in state.points.items()
            for side, units in sides.items()
            for unit in units
        }

    def way(self, mentions: Sequence[Mention], cuts: Sequence[int]) -> Guess:
        """Return the meaning of `mentions` split at the indices in `cuts`; empty if the meaning of any part is
        unclear."""
        self.subject = ""
        self.see(self.start)
        lines = list[Command | Rule]()
        for part in _parts(mentions, cuts):
            if not any(mention.name or mention.kind.startswith("w_") for mention in part):
                continue
            some = self.part(part)
            if not some:
                return ()
            lines[-1:] = self.joined(lines[-1:], some)
            self.see(after(self.start, self.seat, lines))
        return tuple(lines)

    def joined(self, before: Sequence[Command | Rule], following: Sequence[Command | Rule]) -> Sequence[Command | Rule]:
        """Return the lines in `before` and `following`. Two moves become one command if the hand contains an order for
        all their units."""
        match (*before, *following):
            case (orders.PlayPairs(pairs=first), orders.PlayPairs(pairs=second)):
                pairs, by_name = (*first, *second), self.cards.orders
                units = {pair.unit for pair in pairs if isinstance(pair, Step)}
                goes = len(units) == len(pairs)
                for name in self.start.hands[self.seat].orders if goes else ():
                    if by_name[name].kind == "move" and by_name[name].number == len(pairs):
                        return [orders.PlayPairs(name, pairs)]
        return [*before, *following]

    def part(self, mentions: Sequence[Mention]) -> Sequence[Command | Rule]:
        """Return the meaning of `mentions`, which form a part of a text; empty unless they have exactly one meaning."""
        kinds = {mention.kind.removeprefix("w_") for mention in mentions}
        units = [mention.name for mention in mentions if mention.kind == "unit"]
        named = self._named(mentions)
        points = [mention.name for mention in mentions if mention.kind == "point"]
        own = [unit for unit in units if self.is_own(unit)]
        if len(set(own)) < len(own) or "?" in points:
            return ()
        ways = [way for way in self._ways(kinds, units, named, points) if way]
        return ways[0] if len(ways) == 1 else ()

    def _ways(
        self, kinds: set[str], units: Sequence[str], named: Sequence[str], points: Sequence[str]
    ) -> Iterator[Sequence[Command | Rule]]:
        if not kinds.isdisjoint(("reroll", "rocknroll", "pour", "react", "block", "lose", "act")):
            return
        if not kinds.isdisjoint(("income", "goto", "captives")):
            yield self._rule(kinds, units, points) if not named else ()
            return
        if points:
            yield self._to_points(kinds, units, named, points)
            return
        yield self._exchange(kinds, units, named)
        if not kinds.isdisjoint(("trade", "sell", "buy", "capture", "deploy", "order", "deck", "use")):
            return
        if named or not kinds.isdisjoint(("against", "sign")):
            yield self._attack(units, named, either_way=bool(named) and kinds.isdisjoint(("against", "sign")))

    def _rule(self, kinds: set[str], units: Sequence[str], points: Sequence[str]) -> Sequence[Rule]:
        if "income" in kinds and (units or "deck" in kinds) and not points:
            return [Rule("Income", ", ".join((*units, *([DECK] if "deck" in kinds else []))))]
        if "goto" in kinds and len(units) == 1 and points:
            return [Rule(f"Goto {units[0]}", ", ".join(points))]
        fates = [fate for fate in KINDS["Captives"].words if fate in kinds]
        if "captives" in kinds and len(fates) == 1 and not units and not points and self.cards.switches.captives:
            return [Rule("Captives", fates[0])]
        return []

    def _to_points(
        self, kinds: set[str], units: Sequence[str], named: Sequence[str], points: Sequence[str]
    ) -> Sequence[Command]:
        """Return the commands by which `units` go to a Point, or by which a super weapon is fired at a Point; empty if
        there are no such commands."""
        if len(points) > 1 or len(named) > 1 or not kinds.isdisjoint(("trade", "sell", "buy", "capture", "use")):
            return []
        point = points[0]
        order = self.cards.orders[named[0]] if named else None
        if order and order.kind == "super":
            return [orders.PlaySuper(named[0], point)] if not units and "deploy" not in kinds else []
        if not units and self.subject and "goes" in kinds:
            units = [self.subject]
        if not units or not all(map(self.is_own, units)) or "against" in kinds:
            return []
        self.subject = units[-1]
        if not order and all(unit in self.hand for unit in units):
            return [orders.Deploy(unit, point) for unit in units] if point in self.ends else []
        if "deploy" in kinds or not all(self.may_step(unit, point) for unit in units):
            return []
        if order:
            march, fits = order.kind == "march", order.kind == "move" and len(units) <= order.number
            name = named[0] if march or fits else ""
        else:
            march = "marches" in kinds
            name = self.held("march" if march else "move", len(units))
        if not name:
            return []
        if march:
            return [orders.PlayMarch(name, (*units,), point)]
        return [orders.PlayPairs(name, tuple(Step(unit, point) for unit in units))]

    def _exchange(self, kinds: set[str], units: Sequence[str], named: Sequence[str]) -> Sequence[Command]:
        """Return the commands that trade, sell or buy cards, capture a unit or use a feature; empty if there are no
        such commands."""
        cards = self.cards
        match sorted(kinds & {"trade", "sell", "buy", "capture", "use", "order", "deck", "deploy", "against"}):
            case ["order"] | ["order", "trade"] if units and not named:
                return [orders.TradeForOrder(unit) for unit in units] if all(map(self.is_own, units)) else []
            case ["deck", "trade"] if len(named) == 1 and not units:
                return [orders.TradeForUnit(named[0], DECK)]
            case ["trade"] if len(named) == len(units) == 1 and self.is_own(units[0]):
                return [orders.TradeForUnit(named[0], units[0])]
            case ["sell"] if cards.switches.rd and all(map(self.is_own, units)):
                return [orders.Sell(card) for card in (*named, *units)]
            case ["buy", "order"] if cards.switches.rd and not units and not named:
                return [orders.BuyOrder()]
            case ["buy"] if cards.switches.rd and not named:
                return [orders.BuyUnit(unit) for unit in units]
            case ["buy", "deck"] if cards.switches.rd and not named and not units:
                return [orders.BuyUnit(DECK)]
            case ["capture"] if cards.switches.captives and len(units) + len(named) == 2:
                enemies = [unit for unit in units if not self.is_own(unit)]
                paid = [card for card in (*named, *units) if card not in enemies]
                return [orders.Capture(enemies[0], paid[0])] if len(enemies) == len(paid) == 1 else []
            case ["use"] if len(units) == 2 and not named and cards.units[units[0]].feature.kind == "lure":
                return [orders.Use(units[0], units[1])] if self.is_own(units[0]) and not self.is_own(units[1]) else []
            case _:
                return []

    def _named(self, mentions: Sequence[Mention]) -> Sequence[str]:
        """Return the orders that `mentions` name. If only one of them is more than a verb, return that one alone:
        `Attack two` in `Zulu attack Bao with Attack two`."""
        names = [mention.name for mention in mentions if mention.kind == "card"]
        others = [name for name in names if name not in (self.order_of("attack", 1), self.order_of("move", 1))]
        return others if len(others) == 1 else names

    def _attack(self, units: Sequence[str], named: Sequence[str], *, either_way: bool) -> Sequence[Command]:
        """Return the command by which the side's units attack enemies, each its own target or all of them the same
        target; empty if there is no such command. An attacker must be named first, unless `either_way` is true."""
        own = [unit for unit in units if self.is_own(unit)] or [self.subject] * bool(self.subject)
        enemies = [unit for unit in units if not self.is_own(unit)]
        if not own or not enemies or len(enemies) not in (1, len(own)) or len(named) > 1:
            return []
        if own[0] in units and units[0] != own[0] and not either_way:
            return []
        self.subject = own[-1]
        targets = enemies * len(own) if len(enemies) == 1 else enemies
        order = self.cards.orders[named[0]] if named else None
        if order and order.kind not in ("attack", "all"):
            return []
        fits = order is not None and (order.kind == "all" or len(own) <= order.number)
        name = named[0] if fits else self.held("attack", len(own), own)
        return [orders.PlayPairs(name, tuple(map(orders.Strike, own, targets)))] if name else []

    def order_of(self, kind: str, number: int) -> str:
        """Return the set's order of the given kind for `number` units; "" if the set has no such order."""
        by_name = self.cards.orders
        return next((name for name, order in by_name.items() if order.kind == kind and order.number in (number, 0)), "")

    def held(self, kind: str, number: int, units: Sequence[str] = ()) -> str:
        """Return the smallest order of the given kind in the hand with which `number` units can act. If there is none,
        return an order in the hand for all units with the corner number that `units` have. Failing both, return the
        set's order for `number` units."""
        by_name, cards = self.cards.orders, self.state.hands[self.seat].orders
        fit = {name: by_name[name] for name in cards if by_name[name].kind == kind}
        fitting = sorted((card.number, name) for name, card in fit.items() if card.number >= number or not card.number)
        alike = [
            name
            for name in cards
            if units and by_name[name].kind == "all"
            if all(self.cards.units[unit].chance == by_name[name].number for unit in units)
        ]
        return next((name for name in (*(name for _, name in fitting), *alike)), self.order_of(kind, number))

    def is_own(self, unit: str) -> bool:
        """Return whether a unit belongs to the seat's side, judging by what the seat can see."""
        return unit in self.hand or self.stands.get(unit, (self.cards.units[unit].side,))[0] == self.side

    def may_step(self, unit: str, point: str) -> bool:
        """Return whether `unit` may be able to step to `point`: it is on a neighbouring Point, or it is not on a Point
        yet."""
        row = self.state.row
        here = self.stands.get(unit, ("", ""))[1]
        return not here or (point in row and abs(row.index(here) - row.index(point)) == 1)


def unreadable(state: State, seat: Seat, words: Unread, guess: Guess) -> Wrong:
    """Return the mistake in `words`, which cannot be read. `guess` is their probable meaning, empty if it is
    unknown."""
    cards, text = state.cards, words.value
    if not text:
        return Wrong(words, Sentence("Another order begins here: put a semicolon or a new line before it."))
    mentions = mentions_in(cards, text)
    kinds = {mention.kind for mention in mentions}
    units, names = (
        tuple(dict.fromkeys(like(cards, name, text) for kind, name in mentions if name and kind in some))
        for some in (("unit",), ("unit", "card", "point"))
    )
    if "w_all" in kinds and "w_deploy" in kinds and (which := which_units(state, seat, text)):
        return Wrong(words, which)
    if "w_all" in kinds and names and not guess:
        return Wrong(words, Sentence("Which units? Write their names: `March: Zulu, Doc to B`."))
    if (
        len(units) == len(("first", "second"))
        and "card" in kinds
        and not kinds & {"sign", "point", "w_against", "turning"}
    ):
        values = dict(zip(("first", "second"), units, strict=True))
        return Wrong(words, Sentence("Who attacks whom? Write `{first} > {second}` or `{second} > {first}`.", **values))
    of_units = "_DEPLOY" in words.expected  # the grammar has read only units so far
    if not guess and not of_units and words.stop and words.stop > words.start_pos:
        return _stopped(words, words.stop, _HOW.get(mentions[0].kind) if mentions else None)
    if names:
        possible = str(example(state, seat)) if seat == state.on_turn else "Reroll attack: 1 with orders"
        line = like(cards, "; ".join(map(str, guess)) or possible.partition("; ")[0], text)
        return Wrong(words, Sentence("{names}: which order? `{example}`, for example.", names=names, example=line))
    return Wrong(words, Sentence('"{text}" cannot be read.', text=quoted(text)))


def which_units(state: State, seat: Seat, text: str) -> Sentence | None:
    """Return a sentence that asks for the names of the units that `text` calls "all"; None if `text` does not say
    "all", or if the seat's hand has no unit."""
    hand, mentions = state.hands[seat].units, mentions_in(state.cards, text)
    if not hand or "w_all" not in {mention.kind for mention in mentions}:
        return None
    point = next((mention.name for mention in mentions if mention.kind == "point"), state.row[0])
    example = "; ".join(f"Deploy {unit} {point}" for unit in hand)
    return Sentence("Which units? Write their names: `{example}`.", example=like(state.cards, example, text))


def _stopped(words: Unread, stop: int, how: Sentence | None) -> Wrong:
    """Return the mistake in `words`, which the grammar read up to the offset `stop`. The sentence of the mistake says
    what must follow there, if that is known. If the grammar read all of `words`, the sentence is `how`, which shows how
    such a line is written."""
    end = words.start_pos + len(words.value)
    if stop >= end and how:
        return Wrong(words, how)
    rest = Unread(words.value[stop - words.start_pos :], stop) if stop < end else words
    wanted = [terminal for terminal in _WANTED if terminal in words.expected and "_SEP" not in words.expected]
    if "NUMBER" in words.expected and rest.value[0] in "-0123456789":
        wanted = ["NUMBER"]
    if not wanted:
        return Wrong(rest, Sentence('"{text}" cannot be read.', text=quoted(rest.value)))
    values = {"text": quoted(rest.value), "wanted": _WANTED[wanted[0]]}
    return Wrong(rest, Sentence('"{text}" cannot be read: {wanted} belongs here.', **values))


_WANTED: Mapping[str, Sentence] = {
    "UNIT": Sentence("a unit"),
    "POINT": Sentence("a Point"),
    "CARD": Sentence("an order card"),
    "NUMBER": Sentence("a number 0-9"),
}
"""The things that may be required where the grammar stops, keyed by grammar terminal."""

_HOW: Mapping[str, Sentence] = {
    "w_deploy": Sentence("Whom, and where to? `Deploy Johnny A`, for example."),
    "w_trade": Sentence("What for what? `Trade Doc for order` or `Trade Attack for deck`, for example."),
    "w_sell": Sentence("Which card? `Sell Move`, for example."),
    "w_buy": Sentence("You can buy an order or a unit: `Buy order`, `Buy unit deck` or `Buy unit` and a name."),
    "w_act": Sentence("A Current Action costs two cards: `Act Doc, Move: Zulu > Bao`, for example."),
    "w_capture": Sentence("A capture costs a card: `Capture Bao with Move`, for example."),
    "w_use": Sentence("Whose feature, and on whom? `Use Horny: Johnny`, for example."),
    "w_income": Sentence("Which units would you like? `Income: Doc, deck`, for example."),
    "w_reroll": Sentence("For what, and how often? `Reroll attack: 1 with orders`, for example."),
    "w_rocknroll": Sentence("For whom, and when? `Rocknroll Zulu: Bao` or `Rocknroll all: never`, for example."),
    "w_pour": Sentence("For what, and how many? `Pour attack: to 4 sell orders`, for example."),
    "w_react": Sentence("Who, and how? `React Johnny: no`, for example."),
    "w_first": Sentence("Who? `First: Doc, Johny`, for example."),
    "w_block": Sentence("Who blocks whom? `Block Bao: Zulu`, for example."),
    "w_goto": Sentence("Who, and where to? `Goto Mai: B`, for example."),
    "w_lose": Sentence("What? `Lose: deck`, for example."),
    "w_captives": Sentence("What should happen to them? `Captives: recruit`, for example."),
}
"""Sentences that show how a line is written, keyed by the first word of the line."""


STARTS = (*COMMANDS, "unless", "play", *map(str.casefold, KINDS))
"""The words with which a line of orders may begin, apart from the names of cards."""
_FEW = 6  # the most words in a short order
_LONG = 12  # the most words in a remark that may be an order


def is_attempt(state: State, items: Sequence[Item | Unread]) -> bool:
    """Return whether a line of a letter is meant as orders. `items` are its parts, both those that could be read and
    those that could not."""
    return any(
        _looks_like_orders(state, item.value) if isinstance(item, Unread) else _is_order(state.cards, item)
        for item in items
    )


def _is_order(cards: CardSet, item: Item) -> bool:
    """Return whether an item can only be an order. "Use force" and "Note: thanks" may be prose, because they do not
    name a card or a Point."""
    if item.rule in ("pass", "rule", "loose", "pour", "negated", "if", "unless") or any(
        isinstance(part, Amount) for part in item.parts
    ):
        return True
    names, words = names_of(cards), words_of(item)
    naming = [
        word
        for word in words
        if word.type in ("UNIT", "CARD", "POINT", "NO_POINT", "ORDER", "DECK", "VALUE")
        or (word.type == "WORD" and item.rule != "bare" and names.nearest(word.value))
    ]
    return len(naming) > (item.rule == "play")


def _looks_like_orders(state: State, text: str) -> bool:
    """Return whether `text`, which cannot be read, looks like orders: because of its first word or the things that it
    names, or because its meaning can be guessed."""
    mentions = mentions_in(state.cards, text)
    kinds = [mention.kind for mention in mentions]
    named = sum(bool(mention.name) for mention in mentions)
    if _begins().match(text):
        return named > 0 or bool({"w_deck", "w_order", "w_unit"} & {*kinds[1:]})
    if named > 1 and ("card" in kinds or (kinds[-1] == "point" and len(text.split()) <= _FEW)):
        return True
    if {"w_all", "point"} <= {*kinds} and len(text.split()) <= _FEW:
        return True
    if "point" in kinds and named > 1 and 2 * idle_words(state.cards, text) <= named:
        return True
    if "sign" in kinds and named > 1 and re.search("[>→⇒➔➜➡]", text):
        return True
    return any(guessed(state, seat, text) for seat, _ in state.seats)


@cache
def _begins() -> re.Pattern[str]:
    words = order_words(FOLDER)
    leading = "|".join(words[name] for name in ("filler", "polite", "then", "and"))
    return re.compile(rf"\W*(?:(?:{leading})\b\W*)*(?:{'|'.join(words[name] for name in STARTS)})\b", re.I)


def is_about(cards: CardSet, text: str) -> bool:
    """Return whether `text`, a remark in lower case, may be an order in prose. It must be short, and contain a verb of
    orders together with a card, or a verb of movement or attack together with "all" or "others" and a Point."""
    if len(text.split()) > _LONG:
        return False
    mentions = mentions_in(cards, text)
    kinds = {mention.kind for mention in mentions}
    verbs = kinds & {"w_goes", "w_against", "w_marches"}
    if verbs and kinds & {"w_all", "w_others"} and "point" in kinds:
        return True
    deeds = {f"w_{verb}" for verb in ("deploy", "trade", "use", "act", "sell", "buy", "capture")}
    return bool(verbs or deeds & kinds) and bool(kinds & {"unit", "card"})
