"""Understand orders in everyday words (see `pbem/games/kit/hearing.py`): which units are deployed, move, attack or are
traded, which Points are bombed, and which standing orders are given.

Cards and Points are recognised by their names in any language and grammatical case. The name of a card may also contain
a typo, and that of a unit may be spelt as it sounds. A unit in the hand can only be deployed, and a unit on the row can
only move; the order that is played for a move is chosen from the hand.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache, partial
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple, Self

from pbem.games.base import Seat
from pbem.games.kit.hearing import (
    NO,
    Hearing,
    Limits,
    Meaning,
    Mention,
    Passage,
    Role,
    Token,
    likeliest,
    read_models,
    roles_of,
    search,
    token_of,
)
from pbem.games.kit.linear import LinearModel
from pbem.games.kit.sounds import Sounds
from pbem.games.rocknroll import orders
from pbem.games.rocknroll.cards import CardSet
from pbem.games.rocknroll.names import FOLDER, names_of, patterns
from pbem.games.rocknroll.orders import DECK, Command, Orders, Rule, Step, Strike
from pbem.games.rocknroll.playable import revised
from pbem.games.rocknroll.state import State
from pbem.games.spelling import folded
from pbem.games.words import meant_by

MODELS = Path(__file__).with_name("hearing.json")
SURETY = Path(__file__).with_name("surety.json")

_REACTIONS = {"reacts no": "no", "reacts attack": "attack", "reacts move": "move"}
"""The roles of units in `React`, each with the value that it leads to."""
_LISTS = {
    "paid": "paid",
    "wished": "wishes",
    "gambler": "gamble",
    "gambled": "gamble",
    "earlier": "turns",
    "played": "played",
}
"""The roles that only add a name to a list, each with the field of `_Draft` that contains this list."""
_LIMITS = Limits(
    frozenset(("not", "no", "never", "nobody", "without", "if", "unless")),
    frozenset(
        (NO, "paid", "times", "wished", "gambler", "gambled", "gambles", "rerolled", "blocker", "blocked", "earlier")
    )
    | _REACTIONS.keys(),
)

_TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[^\w\s]")
_LETTERS = frozenset("ABCDEАБСДЭ")  # the letters of the Points, in both alphabets
_CUES = (
    "deploy", "trade", "use", "act", "sell", "buy", "capture", "if", "unless", "pass", "idle", "play", "for", "at",
    "against", "goes", "to", "from", "with", "by", "of", "without", "else", "reserve", "throws", "others", "stays",
    "marches", "in", "not", "each", "times", "and", "then", "point", "filler", "polite", "stands", "own", "hit",
    "missed", "enemy", "income", "reroll", "rocknroll", "react", "first", "block", "goto", "lose", "default", "deck",
    "order", "orders", "unit", "units", "all", "attack", "feature", "always", "never", "yes", "no", "move", "strike",
    "walk", "but", "or", "n1", "n2", "n3", "nobody", "greeting", "turning",
)  # fmt: skip
"""The order words that help to tell what role a name near them plays."""
_BEFORE_POINTS = frozenset(("to", "at", "in", "point"))
_PLURALS = ("all", "others")
_MOST_WORDS = 3  # the most words in a name
_LEAST, _LONG = 4, 5  # the fewest letters of a word that is recognised by its sound, and of one that may be misspelt
_ALIKE = 0.8
_ENDING = 3  # the most letters by which a case ending can lengthen a Point's name


class Lexicon:
    """The names of the cards and Points in a set, as people write them."""

    def __init__(self, cards: CardSet) -> None:
        self.cards, self.names = cards, names_of(cards)
        called = ((name, key) for key, unit in cards.units.items() for name in (key, unit.name.ru, *unit.aliases))
        self._sounds = Sounds((name, key) for name, key in called if name)
        self._points = {
            name: point.id for point in cards.points for name in map(folded, (point.name.en, point.name.ru)) if name
        }
        self.find = lru_cache(maxsize=4096)(self._find)

    def _find(self, text: str) -> tuple[Meaning, ...]:
        """Return the meanings of `text`, a name of up to three words; empty if it names nothing."""
        name = folded(text)
        point = self.names.point(text) if len(text) > 1 else None
        if point := point or self._point(name):
            return (("point", point),)
        if cards := self.names.exactly(name):
            return tuple(self._meaning(card) for card in cards)
        if " " in name or len(name) < _LEAST or cues_of(name):
            return ()
        if meant := [card for card in meant_by(FOLDER, name) if card in self.cards.units or card in self.cards.orders]:
            return tuple(self._meaning(card) for card in meant)
        if unit := self._sounds.heard(name):
            return (("unit", unit),)
        alike = [one for one in self.names.spelt if one[0] == name[0] and one.isascii() == name.isascii()]
        near = get_close_matches(name, alike, 1, _ALIKE) if len(name) >= _LONG else ()
        if near:
            return tuple(self._meaning(card) for card in self.names.exactly(near[0]))
        unit = self._sounds.resembled(name)
        return (("unit", unit),) if unit else ()

    def _point(self, name: str) -> str:
        """Return the Point that `name` means with a case ending, as in `Альфу`; "" if there is no such Point."""
        for called, point in self._points.items():
            stem = called.rstrip("аяй")
            if len(stem) >= _LEAST - 1 and name.startswith(stem) and len(name) <= len(called) + _ENDING:
                return point
        return ""

    def _meaning(self, card: str) -> Meaning:
        return ("unit" if card in self.cards.units else "card"), card


@lru_cache(maxsize=8)
def lexicon(cards: CardSet) -> Lexicon:
    """Return the cached lexicon of a set of cards."""
    return Lexicon(cards)


@lru_cache(maxsize=8192)
def cues_of(word: str) -> frozenset[str]:
    """Return the order words in `_CUES` of which `word` is a form."""
    return frozenset(cue for cue in _CUES if patterns()[cue].fullmatch(folded(word)))


def passage_of(state: State, text: str) -> Passage:
    """Return `text` as a passage, with its numbers and its mentions of units, orders (`card`), Points, the deck, and
    all units of the hand (`all`)."""
    words = [*_words(lexicon(state.cards), text)]
    tokens, mentions, at = list[Token](), list[Mention](), 0
    while at < len(words):
        count, meanings = _named(lexicon(state.cards), words, at)
        start, sentence = len(tokens), words[at][1]
        are_cues = all(kind in ("card", "deck", "all") for kind, _ in meanings)
        tokens += (
            token_of(folded(word), cues_of(word) if are_cues else frozenset(), sentence)
            for word, _ in words[at : at + count]
        )
        if meanings:
            mentions.append(Mention(start, len(tokens), meanings, sentence))
        at += count
    return Passage(tokens, mentions, [*_numbers(tokens)], in_clauses=True)


def _words(lexicon: Lexicon, text: str) -> Iterator[tuple[str, int]]:
    """Yield the words and signs of a text, each with the number of its sentence. A hyphenated word is split unless it
    is a name."""
    sentence = end = 0
    for match in _TOKEN.finditer(text):
        sentence += "\n" in text[end : match.start()]
        end = match.end()
        parts = [match[0]] if lexicon.find(match[0]) else re.split("(-)", match[0])
        yield from ((part, sentence) for part in parts if part)
        sentence += match[0] in ".!?;"


def _named(lexicon: Lexicon, words: Sequence[tuple[str, int]], at: int) -> tuple[int, tuple[Meaning, ...]]:
    """Return the number of words in the longest name that begins at the index `at`, and the meanings of that name;
    (1, ()) if no name begins there."""
    word, sentence = words[at]
    if not word[0].isalnum():
        return 1, ()
    for count in range(_MOST_WORDS, 0, -1):
        run = words[at : at + count]
        is_whole = len(run) == count and all(one[0].isalnum() and number == sentence for one, number in run)
        if is_whole and (meanings := lexicon.find(" ".join(one for one, _ in run))):
            return count, meanings
    before = cues_of(words[at - 1][0]) if at else frozenset()
    begins = not at or words[at - 1][1] != sentence
    is_letter = word.upper() in _LETTERS and (word.isupper() or not before.isdisjoint(_BEFORE_POINTS))
    if is_letter and not (begins and word.upper() in "AА") and (point := lexicon.names.point(word)):
        return 1, (("point", point),)
    cues = cues_of(word)
    if not cues.isdisjoint(_PLURALS):
        return 1, (("all", ""),)
    return 1, (("deck", DECK),) if "deck" in cues else ()


def _numbers(tokens: Sequence[Token]) -> Iterator[Mention]:
    for at, token in enumerate(tokens):
        numbers = [cue[1:] for cue in sorted(token.cues) if re.fullmatch(r"n\d", cue)] or [token.text]
        if re.fullmatch(r"\d", numbers[0]):
            yield Mention(at, at + 1, (("number", numbers[0]),), token.sentence)


def features(state: State, seat: Seat, passage: Passage, mention: Mention, meaning: Meaning) -> list[str]:
    """Return the features by which a model judges the role of `mention` if it has the given meaning: the words around
    it, and facts about the meaning in the position and among the other mentions."""
    kind, name = meaning
    of_kind = {"unit": _of_unit, "card": _of_card, "point": _of_point}.get(kind)
    found = [*of_kind(state, seat, passage, mention, name)] if of_kind else []
    if kind in ("all", "deck", "number"):
        text = passage.tokens[mention.start].text
        found += (text, *(other for other in ("unit", "card", "point") if passage.within(mention.sentence, other)))
    return [*passage.around(mention), *(f"{kind}:{one}" for one in (*found, f"meanings={len(mention.meanings)}"))]


def _of_unit(state: State, seat: Seat, passage: Passage, mention: Mention, name: str) -> Iterator[str]:
    points, units = (passage.within(mention.sentence, kind) for kind in ("point", "unit"))
    yield "own" if _is_own(state, seat, name) else "enemy"
    yield "in hand" if name in state.hands[seat].units else "not in hand"
    yield "then" if any(one.start > mention.start for one in points) else "last"
    yield "behind" if any(one.start < mention.start for one in points) else "before"
    yield "first" if units and units[0] == mention else "later"
    earlier = (one for one in passage.mentions if one.start < mention.start)
    yield "again" if any(("unit", name) in one.meanings for one in earlier) else "new"
    yield f"points={min(len(points), 3)}"
    yield "cards" if passage.within(mention.sentence, "card") else "no cards"
    yield "enemies" if any(not _is_own(state, seat, unit) for unit in _names(units, "unit")) else "no enemies"


def _of_card(state: State, seat: Seat, passage: Passage, mention: Mention, name: str) -> Iterator[str]:
    kind, held = state.cards.orders[name].kind, state.hands[seat].orders.count(name)
    yield f"kind={kind}"
    yield f"held={held}"
    yield f"kind={kind} held={min(held, 1)}"
    yield f"name={name}"
    for other in ("point", "unit", "deck"):
        yield other if passage.within(mention.sentence, other) else f"no {other}"
    units = _names(passage.within(mention.sentence, "unit"), "unit")
    yield "enemies" if any(not _is_own(state, seat, unit) for unit in units) else "no enemies"


def _of_point(state: State, seat: Seat, passage: Passage, mention: Mention, name: str) -> Iterator[str]:
    points, units = (passage.within(mention.sentence, kind) for kind in ("point", "unit"))
    at, side = points.index(mention), state.side_of(seat)
    cards = passage.within(mention.sentence, "card")
    fires = any(state.cards.orders[card].kind == "super" for card in _names(cards, "card"))
    yield "end" if name in (state.row[0], state.row[-1]) else "middle"
    yield f"place={min(at, 2)}"
    yield "fires" if fires else "holds fire"
    before = [one for one in units if one.start < mention.start]
    fresh = [one for one in before if not at or one.start > points[at - 1].start]
    yield "behind" if any(_is_own(state, seat, unit) for unit in _names(before, "unit")) else "before"
    yield "then" if any(one.start > mention.start for one in units) else "last"
    yield "enemies" if any(there for on, there in state.points[name].items() if on != side) else "no enemies"
    yield "fresh" if fresh else "stale"
    first = fresh[0].start if fresh else mention.start
    earlier = {*_names((one for one in passage.mentions if one.start < first), "unit")}
    yield "moved" if fresh and earlier.issuperset(_names(fresh, "unit")) else "unmoved"


def _names(mentions: Iterable[Mention], kind: str) -> list[str]:
    return [name for one in mentions for other, name in one.meanings if kind == other]


def _is_own(state: State, seat: Seat, unit: str) -> bool:
    return unit in state.hands[seat].units or state.cards.units[unit].side == state.side_of(seat)


class _Move(NamedTuple):
    """A move of a unit from one Point to another. The order that is played for it is chosen when the draft is
    finished."""

    unit: str
    start: str
    end: str


class _Draft(NamedTuple):
    """Unfinished orders. `who` lists the units that still need a Point, `last` the units that were the last to get one,
    and `where` all units that have got one, each with its Point. `place` is a Point that still needs units, with the
    role that says how they get there: `deploy` or `step`. `said` contains whole standing orders, and most other fields
    parts of commands and of standing orders; `turns` are the units whose features come first, in this order."""

    score: float = 0.0
    commands: tuple[Command | _Move, ...] = ()
    who: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    place: tuple[str, str] | None = None
    where: tuple[tuple[str, str], ...] = ()
    attackers: tuple[str, ...] = ()
    played: tuple[str, ...] = ()
    paid: tuple[str, ...] = ()
    times: int = 0
    rerolls: str = ""
    wishes: tuple[str, ...] = ()
    gamble: tuple[str, ...] = ()
    rerolled: str = ""
    blocker: str = ""
    blocked: str = ""
    turns: tuple[str, ...] = ()
    said: tuple[Rule, ...] = ()
    passes: bool = False

    def scored(self, score: float, /) -> Self:
        """Return the same draft with another score."""
        return self._replace(score=score)

    def with_command(self, command: Command, number: int = 1) -> Self:
        """Return the draft with `command` added `number` times."""
        return self._replace(commands=(*self.commands, *(command,) * number))


def heard(state: State, seat: Seat, text: str, models: Mapping[str, LinearModel] | None = None) -> Hearing:
    """Return the likeliest legal orders in a text, as judged by `models` or, by default, by the shipped models."""
    passage, models = passage_of(state, text), models or read_models(MODELS)
    roles = roles_of(passage, models, partial(features, state, seat), _LIMITS)
    hearer = _Hearer(state, seat, [one for one in passage.mentions if passage.is_denied(one, _LIMITS)])
    drafts = search(_Draft(), roles, hearer.followed)
    readings = ((letter, draft.score) for draft in drafts for letter in hearer.finished(draft))

    def is_legal(letter: Orders | None) -> bool:
        return letter is None or not (letter.commands and revised(state, seat, letter).faults)

    return Hearing(likeliest(readings, is_legal), passage, roles, [draft.score for draft in drafts[:2]], models)


def lines_of(letter: Orders) -> list[str]:
    """Return the lines of orders in canonical form."""
    return [*map(str, letter.standing), *map(str, letter.commands)]


class _Hearer:
    """A builder of a seat's orders from the roles of the mentions in a letter. The mentions in `denied` order
    nothing."""

    def __init__(self, state: State, seat: Seat, denied: Iterable[Mention]) -> None:
        self.state, self.seat, self.denied = state, seat, frozenset(_names(denied, "unit"))
        self.hand, side = state.hands[seat], state.side_of(seat)
        self.stands = {unit: point for point, sides in state.points.items() for unit in sides[side]}

    def followed(self, draft: _Draft, role: Role) -> Iterable[_Draft]:
        """Yield the drafts that can result when `role` is added to `draft`."""
        name = role.meaning[1]
        match role.name:
            case "go":
                yield from self._gone(draft, name)
            case "everybody":
                yield from self._everybody(draft)
            case "deploy" | "step":
                yield from self._placed(draft, name, role.name)
            case "attacker":
                yield draft._replace(attackers=(*draft.attackers, name))
            case "target":
                yield from _attacked(self, draft, name)
            case "bombed" | "trade" | "trade all" | "given":
                yield from self._exchanged(draft, role.name, name)
            case both if "+" in both:
                first, _, second = both.partition("+")
                for after in self.followed(draft, role._replace(name=first)):
                    yield from self.followed(after, role._replace(name=second))
            case _:
                yield from _ruled(draft, role.name, name)

    def _gone(self, draft: _Draft, unit: str) -> Iterator[_Draft]:
        """Yield drafts in which `unit` is sent to the Point that still needs units, or in which `unit` itself still
        needs a Point."""
        if unit in draft.who:
            yield draft
        elif unit in self.hand.units or unit in self.stands or unit in dict(draft.where):
            if draft.place and not draft.who and (after := self._put(draft, (unit,), *draft.place)):
                yield after._replace(place=draft.place)
            yield draft._replace(who=(*draft.who, unit), place=None if draft.last else draft.place)

    def _everybody(self, draft: _Draft) -> Iterator[_Draft]:
        """Yield the draft in which all units left in the hand, except those in `denied`, still need a Point."""
        gone = {*dict(draft.where), *draft.who, *self.denied}
        left = [unit for unit in self.hand.units if unit not in gone]
        if left:
            yield draft._replace(who=(*draft.who, *left))

    def _placed(self, draft: _Draft, point: str, how: str) -> Iterator[_Draft]:
        """Yield a draft that sends the units that still need a Point to `point`. If there are no such units, yield a
        draft that sends the units in `last` there, and a draft in which `point` still needs units."""
        if (who := draft.who or draft.last) and (after := self._put(draft, who, point, how)):
            yield after
        if not draft.who:
            yield draft._replace(place=(point, how), last=())

    def _put(self, draft: _Draft, units: Sequence[str], point: str, how: str) -> _Draft | None:
        """Return the draft with commands that deploy `units` to `point` or move them there, depending on `how`; None if
        that is impossible."""
        row, where, commands = self.state.row, dict(draft.where), list(draft.commands)
        for unit in units:
            here = where.get(unit) or self.stands.get(unit)
            if here is None and how == "deploy" and unit in self.hand.units and point in (row[0], row[-1]):
                commands.append(orders.Deploy(unit, point))
            elif here is not None and how == "step" and abs(row.index(here) - row.index(point)) == 1:
                commands.append(_Move(unit, here, point))
            else:
                return None
            where[unit] = point
        where_now, went = tuple(where.items()), tuple(units)
        return draft._replace(commands=tuple(commands), where=where_now, last=went, who=(), place=None)

    def _exchanged(self, draft: _Draft, role: str, name: str) -> Iterator[_Draft]:
        """Yield drafts with a new command: it fires a super weapon at the Point `name` if `role` is `bombed`, and
        otherwise trades the card `name`."""
        by_name = self.state.cards.orders
        if role == "bombed":
            own = (card for card in self.hand.orders if by_name[card].kind == "super" and self._can_fire(card))
            yield from (draft.with_command(orders.PlaySuper(card, name)) for card in dict.fromkeys(own))
        elif role == "given":
            yield draft.with_command(orders.TradeForOrder(name))
        elif held := self.hand.orders.count(name):
            yield draft.with_command(orders.TradeForUnit(name, DECK), held if role == "trade all" else 1)

    def _can_fire(self, card: str) -> bool:
        """Return whether the seat's side can play the order `card`."""
        return self.state.cards.orders[card].side in (None, self.state.side_of(self.seat))

    def finished(self, draft: _Draft) -> Iterator[Orders | None]:
        """Yield the orders of a draft, or None if it orders nothing. Yield nothing if the draft is incomplete, or if
        the hand has too few orders for it."""
        if draft.who and draft.place:
            draft = self._put(draft, draft.who, *draft.place) or draft
        if draft.place and any(point == draft.place[0] for _, point in draft.where):
            draft = draft._replace(place=None)
        is_whole = not (draft.who or draft.place or draft.attackers) and len(draft.gamble) in (0, 2)
        is_whole &= bool(draft.blocker) == bool(draft.blocked) and len(draft.turns) != 1
        if not is_whole or ((draft.paid or draft.times) and not draft.rerolls):
            return
        if draft.rerolls == "unit" and not draft.rerolled:
            return
        commands = self._with_orders(draft)
        rules = tuple(_rules(draft))
        if commands is not None:
            idle = (orders.Pass(),) if draft.passes and not rules else ()
            yield Orders(rules, commands or idle) if commands or rules or idle else None

    def _with_orders(self, draft: _Draft) -> tuple[Command, ...] | None:
        """Return the commands of a draft, with commands that play orders from the hand in place of the moves; None if
        the hand has too few orders."""
        hand = list(self.hand.orders)
        if any(isinstance(command, orders.TradeForOrder) for command in draft.commands):
            hand += [card for card in dict.fromkeys(draft.played) if card not in hand]  # the trade may bring it
        for command in draft.commands:
            if isinstance(command, orders.TradeForUnit):
                if command.order not in hand:
                    return None
                hand.remove(command.order)
        done, left = list[Command](), list(draft.commands)
        while left:
            if not isinstance(first := left[0], _Move):
                done.append(first)
                del left[0]
                continue
            moves = [one for one in takewhile(lambda one: isinstance(one, _Move), left) if isinstance(one, _Move)]
            play, moved = self._move(moves, hand, draft.played)
            if play is None:
                return None
            hand.remove(play.card)
            done.append(play)
            left = [one for one in left if one not in moved]
        return tuple(done)

    def _move(
        self, left: Sequence[_Move], hand: Sequence[str], named: Sequence[str]
    ) -> tuple[orders.PlayMarch | orders.PlayPairs | None, Sequence[_Move]]:
        """Return a command that plays an order from the hand for the first of the moves in `left`, and the moves that
        it carries out; None and no moves if there is no such order. Orders in `named` are preferred."""
        by_name = self.state.cards.orders
        together = [one for one in left if one[1:] == left[0][1:]]
        marches = [card for card in hand if by_name[card].kind == "march"]
        steps = sorted((card for card in hand if by_name[card].kind == "move"), key=lambda card: by_name[card].number)
        called = [card for card in named if card in hand]
        steps = [card for card in called if card in steps] or steps
        if marches and (any(card in marches for card in called) or not steps or len(together) > 1):
            return orders.PlayMarch(marches[0], tuple(one.unit for one in together), left[0].end), together
        if not steps:
            return None, ()
        card = next((card for card in steps if by_name[card].number >= len(left)), steps[-1])
        moved = left[: by_name[card].number]
        return orders.PlayPairs(card, tuple(Step(one.unit, one.end) for one in moved)), moved


def _attacked(hearer: _Hearer, draft: _Draft, target: str) -> Iterator[_Draft]:
    """Yield the draft in which the unit that was named as the attacker, or else the unit that was named last, attacks
    `target`."""
    who = draft.attackers or draft.who or draft.last
    cards, by_name = hearer.hand.orders, hearer.state.cards.orders
    attack = next((card for card in by_name if by_name[card].kind == "attack" and by_name[card].number == 1), "")
    held = next((card for card in cards if by_name[card].kind == "attack"), attack)
    if len(who) == 1 and held:
        waiting = draft.who if draft.attackers else ()
        yield draft._replace(attackers=(), who=waiting).with_command(orders.PlayPairs(held, (Strike(who[0], target),)))


def _ruled(draft: _Draft, role: str, name: str) -> Iterator[_Draft]:
    """Yield the draft with `name` noted as the part of a standing order that `role` names."""
    parts: dict[str, Any] = {}
    match role:
        case "times":
            parts = {"times": int(name)}
        case "rerolls attack" | "rerolls feature" | "rerolls unit":
            parts = {"rerolls": role.removeprefix("rerolls ")}
        case "pass":
            parts = {"passes": True}
        case "rerolled" | "blocker" | "blocked":
            parts = {role: name}
        case "gambles":
            parts = {"said": (*draft.said, Rule(f"Rocknroll {name}", "always"))}
        case _ if role in _REACTIONS:
            parts = {"said": (*draft.said, Rule(f"React {name}", _REACTIONS[role]))}
        case _ if role in _LISTS:
            parts = {_LISTS[role]: (*getattr(draft, _LISTS[role]), name)}
    yield draft._replace(**parts)


def _rules(draft: _Draft) -> Iterator[Rule]:
    if draft.rerolls:
        value = f"{draft.times or 1} with {', '.join(draft.paid) or 'orders'}"
        yield Rule(f"Reroll {draft.rerolled or draft.rerolls}", value)
    if draft.wishes:
        yield Rule("Income", ", ".join(dict.fromkeys(draft.wishes)))
    if draft.gamble:
        yield Rule(f"Rocknroll {draft.gamble[0]}", draft.gamble[1])
    if draft.blocker:
        yield Rule(f"Block {draft.blocker}", draft.blocked)
    if draft.turns:
        yield Rule("First", ", ".join(dict.fromkeys(draft.turns)))
    yield from dict.fromkeys(draft.said)
