"""Hear orders in everyday words (see `pbem/games/kit/hearing.py`): which areas pieces leave and enter, how many go,
where new pieces appear, and which area is bombarded.

No count is made up: a move without a number, or a word such as "all" or "both", is not heard.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import log
from pathlib import Path
from typing import NamedTuple, Self

from pbem.games.base import Seat
from pbem.games.kit import hearing as kit
from pbem.games.kit.hearing import NO, Limits, Meaning, Passage, Role
from pbem.games.kit.linear import LinearModel
from pbem.games.ozymandia.areas import Mention, NamedAreas, around, function_words, named_in
from pbem.games.ozymandia.guess import is_new, says_of
from pbem.games.ozymandia.interpret import interpret
from pbem.games.ozymandia.orders import Orders, read_canonical
from pbem.games.ozymandia.state import State

MODELS = Path(__file__).with_name("hearing.json")
TALK = "talk"
"""The role of a sentence that names areas but orders nothing."""

_LIMITS = Limits(frozenset(("not",)), frozenset((NO,)))
_OPEN = "open"
"""The cue of words that leave open what their sentence orders, such as "if" and "or"."""
_KINDS = ("origin", "target", "except", "bomb", "place", "new", "every", "and", "not", "open")
"""The function words that help to tell what role an area near them plays."""
_CUES = {"except": "but"}  # the names of these cues in the kit
_FRAGMENT = re.compile(r"\b\d+ ?[A-ZА-Я]{1,2}\b")
"""A part of an order in notation, such as `3 A`. A letter with one is read by its notation, or asked about."""
_BREAK = re.compile(r"\s*\n\s*")
_LEFT_OUT = log(0.05)  # a mention that is less likely to be left out is not left out
_ENDS = (".", "!", "?", ";")
_REFERRED = 3  # the most areas to which a word such as "there" may refer


def heard(
    state: State, seat: Seat, text: str, models: Mapping[str, LinearModel] | None = None
) -> list[tuple[Orders | None, float]]:
    """Return the likeliest legal orders in a text, best first, with their likelihoods, as judged by `models` or, by
    default, by the shipped models. None stands for the reading that the text orders nothing."""
    if _FRAGMENT.search(text):
        return []
    here = text_of(state, seat, text)
    passage = here.passage
    roles = kit.roles_of(passage, models or kit.read_models(MODELS), partial(features, here), _LIMITS)
    roles = [[role for role in some if _may_be(here, role)] for some in roles]
    drafts = [draft for draft in kit.search(Draft(), roles, followed) if _is_whole(here, draft)]

    def readings() -> Iterator[tuple[str, float]]:
        for draft in drafts:
            yield from ((orders, draft.score) for orders in finished(state, seat, draft))

    found = kit.likeliest(readings(), lambda orders: not orders or bool(legal(state, seat, orders)))
    return [(legal(state, seat, orders) if orders else None, likelihood) for orders, likelihood in found]


def _is_whole(text: "Text", draft: "Draft") -> bool:
    """Return whether `draft` has a bombardment if the text asks for one, and new pieces likewise; but orders that lack
    them may lack them all, as in mere talk."""
    lacks = any(not got and _asks_for(text, kind) for kind, got in (("bomb", draft.bombs), ("new", draft.new)))
    return not lacks or not (draft.moves or draft.new or draft.bombs)


def _asks_for(text: "Text", kind: str) -> bool:
    """Return whether the text has a word for new pieces or a bombardment (`kind`, as in `says_of`) outside clauses that
    deny something, such as `no bombs`."""
    clauses: list[list[kit.Token]] = [[]]
    for token in text.passage.tokens:
        if token.text in kit.BREAKS or token.text in _ENDS:
            clauses.append([])
        clauses[-1].append(token)
    said = (one for clause in clauses if all("not" not in token.cues for token in clause) for one in clause)
    return says_of(text.named._replace(tokens=tuple(token.text for token in said)), kind)


def _may_be(text: "Text", role: Role) -> bool:
    """Return whether a role is possible. Nothing is ordered in a sentence that leaves it open. New pieces and
    bombardments need a word for them in the text. Elsewhere, a name or number that is likely to be a part of the orders
    is never left out, so that no half of them is heard. Only a sentence that names an area talks about moves."""
    passage, sentence = text.passage, role.mention.sentence
    if role.name in ("bomb", "new") and not says_of(text.named, role.name):
        return False
    if role.mention.start == role.mention.end:
        return role.name == NO or bool(passage.within(sentence, "area"))
    if any(_OPEN in token.cues for token in passage.tokens if token.sentence == sentence):
        return role.name == NO
    return role.name != NO or role.score > _LEFT_OUT or passage.is_denied(role.mention, _LIMITS)


class Text(NamedTuple):
    """A text that `seat` writes in a position: the areas and counts named in it, and the text as a passage, in which
    they are mentions of the kinds `area` and `number`."""

    state: State
    seat: Seat
    named: NamedAreas
    passage: Passage


def text_of(state: State, seat: Seat, text: str) -> Text:
    """Find the areas and counts in `text`. The end of a line ends a sentence."""
    named = named_in(state, _BREAK.sub(" . ", text.strip()))
    tokens, sentence = list[kit.Token](), 0
    for word in named.tokens:
        kinds = {kind for kind in _KINDS if word in function_words(kind)}
        if "place" in kinds and not (tokens and tokens[-1].text in function_words("up to")):
            kinds.discard("except")  # "auf Mu", but not "alle bis auf Mu"
        cues = frozenset(_CUES.get(kind, kind) for kind in kinds)
        tokens.append(kit.token_of(word, cues, sentence))
        sentence += word in _ENDS
    areas, numbers = list[kit.Mention](), list[kit.Mention]()
    for one in named.mentions:
        kind, places = ("area", areas) if one.is_area else ("number", numbers)
        values = _referred_to(named, one) if one.role else (str(one.value),)
        places.append(
            kit.Mention(one.start, one.end, tuple((kind, value) for value in values), tokens[one.start].sentence)
        )
    return Text(state, seat, named, Passage(tokens, areas, numbers))


def _referred_to(named: NamedAreas, word: Mention) -> tuple[str, ...]:
    """Return the areas to which a word such as "there" may refer: those named last before it, the last one first."""
    before = [str(one.value) for one in named.mentions if one.is_area and not one.role and one.start < word.start]
    return tuple(dict.fromkeys(reversed(before)))[:_REFERRED]


def features(text: Text, passage: Passage, mention: kit.Mention, meaning: Meaning) -> list[str]:
    """Return the features by which a model judges the role of `mention`: the words around it and, for an area, facts
    about it in the position and among the areas named."""
    found = passage.around(mention)
    if mention.start == mention.end:
        return found
    named = text.named
    one = next(other for other in named.mentions if other.start == mention.start)
    if one.is_area and one.value != meaning[1]:
        meant = one._replace(value=meaning[1])
        named = named._replace(mentions=tuple(meant if other is one else other for other in named.mentions))
        one = meant
    known = (f"role={one.role}", f"new={one.is_area and is_new(named, one)}")
    return [*found, *(f"o{feature}" for feature in around(text.state, text.seat, named, one)), *known]


class Leg(NamedTuple):
    """A move that is being put together. `number` is a number of pieces, or "all", "both", "half" or "rest"; "" stands
    for what has not been said yet."""

    origin: str = ""
    target: str = ""
    number: str = ""


class Draft(NamedTuple):
    """Orders that are being put together. If `each` is true, one count is for several moves; if `talk` is true, the
    text orders nothing."""

    score: float = 0.0
    moves: tuple[Leg, ...] = ()
    new: tuple[str, ...] = ()
    bombs: tuple[str, ...] = ()
    each: bool = False
    talk: bool = False

    def scored(self, score: float, /) -> Self:
        """Return the same draft with another score."""
        return self._replace(score=score)


def followed(draft: Draft, role: Role) -> Iterable[Draft]:
    """Yield the drafts that result when a role is added to `draft`."""
    value = role.meaning[1]
    match role.name:
        case "origin" | "target" | "number":
            yield from _moved(draft, role.name, value)
        case "new":
            yield draft._replace(new=(*draft.new, value))
        case "bomb":
            yield draft._replace(bombs=tuple(dict.fromkeys((*draft.bombs, value))))
        case "talk":
            yield draft._replace(talk=True)
        case _:
            yield draft


def _moved(draft: Draft, part: str, value: str) -> Iterator[Draft]:
    """Yield the drafts in which `value` is the origin, target or number (`part`) of the last move, or of a new one."""
    if part == "number" and value == "each":
        yield draft._replace(each=True)
        return
    last = draft.moves[-1] if draft.moves else Leg()
    if part == "number" and value == "all" and last.number:
        yield draft  # "the three all go"
    if part == "number" and value.isdigit() and last.number in ("all", "both"):
        yield draft._replace(moves=(*draft.moves[:-1], last._replace(number=value)))  # "all three go"
    if not getattr(last, part):
        yield draft._replace(moves=(*draft.moves[:-1], last._replace(**{part: value})))
    if draft.moves:
        yield draft._replace(moves=(*draft.moves, Leg()._replace(**{part: value})))


def finished(state: State, seat: Seat, draft: Draft) -> Iterator[str]:
    """Yield the orders of a draft in notation, "" if it orders nothing. Yield nothing if the draft is incomplete."""
    if draft.talk or not (draft.moves or draft.new or draft.bombs):
        yield ""
        return
    moves = [*draft.moves]
    for part in ("origin", "target", *(("number",) if draft.each else ())):
        moves = _carried(moves, part)
    moves = [move if move.number else move._replace(number=_single(state, seat, move)) for move in moves]
    if all(map(all, moves)) and len({move[:2] for move in moves}) == len(moves):
        numbers = _numbers(state, seat, draft, moves)
        lines = [f"New {area}" for area in draft.new]
        lines += [f"{number} {move.origin} to {move.target}" for number, move in zip(numbers, moves, strict=True)]
        if all(number > 0 for number in numbers):
            yield ", ".join((*lines, *(f"Bomb {area}" for area in draft.bombs)))


def _single(state: State, seat: Seat, move: Leg) -> str:
    """Return the number of a move without one: 1 if a single piece stands where the move begins, otherwise ""."""
    return "1" if state.pieces[seat].get(move.origin) == 1 else ""


def _carried(moves: Sequence[Leg], part: str) -> list[Leg]:
    """Return `moves`; those that lack the origin, target or number (`part`) get that of the move before them or, if
    there is none, of the first move that has it: "from Mu one to MC and one to S"."""
    at = next((getattr(move, part) for move in moves if getattr(move, part)), "")
    carried = []
    for move in moves:
        at = getattr(move, part) or at
        carried.append(move._replace(**{part: at}))
    return carried


def _numbers(state: State, seat: Seat, draft: Draft, moves: Sequence[Leg]) -> list[int]:
    """Return the number of pieces of each move; 0 if its count makes no sense. New pieces can move (§2.2)."""
    there = state.with_new_pieces(seat, draft.new)
    numbers = [int(move.number) if move.number.isdigit() else 2 * (move.number == "both") for move in moves]
    for at, move in enumerate(moves):
        beside = sum(numbers[n] for n, other in enumerate(moves) if n != at and other.origin == move.origin)
        here = there.get(move.origin, 0)
        if move.number == "half":
            numbers[at] = 0 if here % 2 else here // 2
        elif move.number in ("all", "rest"):
            numbers[at] = here - beside
    return numbers


def legal(state: State, seat: Seat, text: str) -> Orders | None:
    """Return the orders in `text`, which is in notation; None if they are illegal."""
    items = read_canonical(text)
    meant = interpret(state, seat, items) if items else None
    return meant.orders if meant and not meant.mistakes else None
