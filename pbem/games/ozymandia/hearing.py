"""Hear orders in everyday words (see `pbem/games/kit/hearing.py`): which areas pieces leave and enter, how many go,
where new pieces appear, and which area is bombarded.

A sentence either orders something, or only talks about areas, or says that nothing moves; a model judges which. Only
the names and numbers of sentences that order something play roles.

No count is made up: a move needs a number, a word such as "all" or "both", or words from which the model judges that
all pieces leave an area.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import exp, log
from pathlib import Path
from typing import NamedTuple, Self

from pbem.games.base import Seat
from pbem.games.capabilities import Suggestion
from pbem.games.kit import hearing as kit
from pbem.games.kit.hearing import NO, PASS, Hearing, Limits, Meaning, Passage, Role
from pbem.games.kit.linear import LinearModel
from pbem.games.ozymandia.areas import Mention, NamedAreas, around, function_words, named_in
from pbem.games.ozymandia.guess import is_new, says_of
from pbem.games.ozymandia.interpret import interpret
from pbem.games.ozymandia.orders import Orders, read_canonical
from pbem.games.ozymandia.state import State, opponent

MODELS = Path(__file__).with_name("hearing.json")
SURETY = Path(__file__).with_name("surety.json")
TALK = "talk"
"""The role of a sentence that names areas but orders nothing."""

_LIMITS = Limits(frozenset(("not",)), frozenset((NO,)))
_IF = "if"
"""The cue of words that make what their sentence orders a condition."""
_KINDS = (
    "origin",
    "target",
    "except",
    "bomb",
    "place",
    "new",
    "every",
    "and",
    "not",
    "open",
    "or",
    "if",
    "only",
    "else",
    "no",
    "article",
)
"""The function words that help to tell what role an area near them plays."""
_CUES = {"except": "but", "article": "the"}  # the names of these cues in the kit
_FRAGMENT = re.compile(r"\b\d+ ?[A-ZА-Я]{1,2}\b")
"""A part of an order in notation, such as `3 A`. A letter with one is read by its notation, or asked about."""
_BREAK = re.compile(r"\s*\n\s*")
_CONTRADICTS = 0.7  # the least likelihood of a reading that speaks against another
_CONFIRMS = 0.8  # the least likelihood of a reading that confirms another
_UNSAID = log(0.25)
"""The least likelihood at which all pieces leave an area, or an area is bombarded, without a word for it in the
sentence."""
_MANY = 3
_ONE = (("number", "1"),)
_UNSAID_COUNT = "whole"
"""The number of a move of all pieces if the text has no word for it."""
_WEIGHT = 0.5
"""The power to which the likelihood of the roles is raised when it is weighed against that of the sentences. Below 1,
because of many possible roles, few lead to legal orders."""
_WIDTH = 200  # the number of drafts that are kept, because a move consists of three parts in any order
_NEAR = 3  # the most tokens from "all" to the count that is taken from it
_REFERRED = 3  # the most areas to which a word such as "there" may refer


def heard(state: State, seat: Seat, text: str, models: Mapping[str, LinearModel] | None = None) -> Hearing:
    """Return the likeliest legal orders in a text, as judged by `models` or, by default, by the shipped models."""
    here = text_of(state, seat, text)
    if _FRAGMENT.search(text) or _leaves_some_out(here.passage):
        return Hearing((), here.passage)
    models = models or kit.read_models(MODELS)
    judged = roles = kit.roles_of(here.passage, models, partial(features, here), _LIMITS)
    roles = sorted(roles, key=lambda some: (some[0].mention.sentence, some[0].mention.start < some[0].mention.end))
    roles = [[role for role in some if _may_be(here, role)] for some in roles]
    groups = defaultdict[tuple[str, ...], list[Draft]](list)
    drafts = kit.search(Draft(), roles, followed, _WIDTH)
    for draft in drafts:
        if _is_whole(here, draft):
            groups[draft.sentences].append(draft)
    totals, counted = defaultdict[Orders | None, float](float), set[Orders | None]()
    for group in groups.values():
        readings = [*_readings(state, seat, group)]
        found = kit.likeliest(readings, lambda one: not one or bool(legal(state, seat, one)))
        likely = {orders for orders, _ in found}
        mass = sum(exp(score) for orders, score in readings if orders in likely)
        said = (one for one in group if all(move.number != _UNSAID_COUNT for move in one.moves))
        counted |= {legal(state, seat, one) for draft in said for one in finished(state, seat, draft) if one in likely}
        for orders, share in found:
            totals[legal(state, seat, orders) if orders else None] += share * exp(group[0].certainty) * mass**_WEIGHT
    every = sum(totals.values())
    ranked = sorted(((orders, total / every) for orders, total in totals.items()), key=lambda one: -one[1])
    likeliest = ranked[0][0] if ranked else None
    made_up = likeliest is not None and (likeliest not in counted or not _counts_as_said(here, likeliest))
    return Hearing(ranked, here.passage, judged, [draft.score for draft in drafts[:2]], models, made_up)


def _counts_as_said(text: "Text", orders: Orders) -> bool:
    """Return whether each number that a text tells is the number of a move."""
    said = Counter(value for one in text.passage.numbers for _, value in one.meanings if value.isdigit())
    return said <= Counter(str(move.count) for move in orders.moves)


def lines_of(orders: Orders) -> list[str]:
    """Return the lines of orders in canonical form."""
    return re.split("[;,] ", str(orders))


def confirmed(state: State, seat: Seat, text: str, found: Suggestion) -> Suggestion:
    """Return what other readers have `found` in a text, as far as what is heard in it confirms this. Orders are sure
    only if nothing speaks against them, and likely only if they are heard themselves."""
    if not found.orders:
        return found
    orders, likelihood = next(iter(heard(state, seat, text).readings), (None, 0.0))
    same = str(orders) == found.orders
    return found._replace(
        sure=found.sure and (same or likelihood < _CONTRADICTS), likely=found.likely and same and likelihood > _CONFIRMS
    )


def _readings(state: State, seat: Seat, drafts: Sequence["Draft"]) -> Iterator[tuple[str, float]]:
    for draft in drafts:
        yield from ((orders, draft.score - draft.certainty) for orders in finished(state, seat, draft))


def _leaves_some_out(passage: Passage) -> bool:
    """Return whether a count is taken from all pieces, as in "all but one": what remains is not heard."""
    counts = {one.end: one for one in passage.numbers if one.meanings[0][1] == "all"}
    return any(
        "but" in passage.tokens[at].cues and any(end in counts for end in range(one.start - _NEAR, at + 1))
        for one in passage.numbers
        for at in range(max(0, one.start - _NEAR), one.start)
    )


def _is_whole(text: "Text", draft: "Draft") -> bool:
    """Return whether `draft` has a bombardment if the text asks for one; but orders that lack one may lack everything,
    as in mere talk."""
    return bool(draft.bombs) or not _asks_for(text, "bomb") or not (draft.moves or draft.new)


def _asks_for(text: "Text", kind: str) -> bool:
    """Return whether the text has a word for new pieces or a bombardment (`kind`, as in `says_of`) outside clauses that
    deny something, such as `no bombs`."""
    clauses: list[list[kit.Token]] = [[]]
    for token in text.passage.tokens:
        if token.text in kit.BREAKS or token.text in kit.ENDS:
            clauses.append([])
        clauses[-1].append(token)
    said = (one for clause in clauses if all("not" not in token.cues for token in clause) for one in clause)
    return says_of(text.named._replace(tokens=tuple(token.text for token in said)), kind)


def _may_be(text: "Text", role: Role) -> bool:
    """Return whether a role is possible. Nothing is ordered in a sentence with a condition. Without a word for it, all
    pieces leave an area, or an area with the opponent's pieces is bombarded, only in a sentence without a number; and
    another area is bombarded only in a sentence with a word for it."""
    passage, sentence = text.passage, role.mention.sentence
    if role.mention.start == role.mention.end:
        return True
    counts = any(one.sentence == sentence for one in passage.numbers)
    if role.name == "whole" and (role.score < _UNSAID or counts or not _says_more(passage, sentence)):
        return False
    if role.name == "bomb" and not says_of(_sentence(text, role.mention), "bomb"):
        is_meant = says_of(text.named, "bomb") or not counts
        return is_meant and role.score > _UNSAID and _is_target(text, role)
    return role.name == NO or not any(_IF in token.cues for token in passage.tokens if token.sentence == sentence)


def _says_more(passage: Passage, sentence: int) -> bool:
    """Return whether a sentence has a word that neither names an area nor is a function word: "A to M" has none."""
    named = {at for one in passage.mentions for at in range(one.start, one.end)}
    return any(
        token.sentence == sentence and token.text[:1].isalpha() and not token.cues and at not in named
        for at, token in enumerate(passage.tokens)
    )


def _is_target(text: "Text", role: Role) -> bool:
    """Return whether `role` names, beyond doubt, an area with the opponent's pieces."""
    sure = any(one.sure and one.start == role.mention.start for one in text.named.mentions)
    return sure and role.meaning[1] in text.state.pieces[opponent(text.seat)]


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
        sentence += word in kit.ENDS
    areas, numbers = list[kit.Mention](), list[kit.Mention]()
    for one in named.mentions:
        kind, places = ("area", areas) if one.is_area else ("number", numbers)
        values = _referred_to(named, one) if one.role else (str(one.value),)
        meanings = tuple((kind, value) for value in values)
        mention = kit.Mention(one.start, one.end, meanings, tokens[one.start].sentence)
        if places and places[-1].meanings == mention.meanings == _ONE and places[-1].end == mention.start:
            places.pop()  # "the last one"
        places.append(mention)
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
        kinds = Counter(one.meanings[0][0] for one in _named(passage, mention.sentence))
        beside = (
            f"{at:+}{token.text[:5]}"
            for at in (-1, 1)
            for token in passage.tokens
            if token.sentence == mention.sentence + at
        )
        return [*found, *(f"{kind} {min(number, _MANY)}" for kind, number in kinds.items()), *dict.fromkeys(beside)]
    named = text.named
    one = next(other for other in named.mentions if other.start == mention.start)
    if one.is_area and one.value != meaning[1]:
        meant = one._replace(value=meaning[1])
        named = named._replace(mentions=tuple(meant if other is one else other for other in named.mentions))
        one = meant
    known = (f"role={one.role}", f"new={one.is_area and is_new(named, one)}")
    said = (
        f"{kind} {where}={says_of(part, kind)}"
        for kind in ("bomb", "new")
        for where, part in (("text", named), ("sentence", _sentence(text, mention)))
    )
    return [*found, *(f"o{feature}" for feature in around(text.state, text.seat, named, one)), *known, *said]


def _named(passage: Passage, sentence: int) -> list[kit.Mention]:
    """Return the areas and numbers in a sentence."""
    return [one for one in (*passage.mentions, *passage.numbers) if one.sentence == sentence]


def _sentence(text: Text, mention: kit.Mention) -> NamedAreas:
    """Return the sentence of a mention."""
    said = (token.text for token in text.passage.tokens if token.sentence == mention.sentence)
    return text.named._replace(tokens=tuple(said))


class Leg(NamedTuple):
    """A move that is being put together. `number` is a number of pieces, or "all", "both", "half" or "rest"; "" stands
    for what has not been said yet."""

    origin: str = ""
    target: str = ""
    number: str = ""


class Draft(NamedTuple):
    """Orders that are being put together. If `each` is true, one count is for several moves; if `talk` is true, the
    text orders nothing; if `passes` is true, it says that nothing moves."""

    score: float = 0.0
    moves: tuple[Leg, ...] = ()
    new: tuple[str, ...] = ()
    bombs: tuple[str, ...] = ()
    each: bool = False
    sentences: tuple[str, ...] = ()
    certainty: float = 0.0

    def scored(self, score: float, /) -> Self:
        """Return the same draft with another score."""
        return self._replace(score=score)


def followed(draft: Draft, role: Role) -> Iterable[Draft]:
    """Yield the drafts that result when a role is added to `draft`."""
    kind, value = role.meaning
    if kind == "sentence":
        yield draft._replace(sentences=(*draft.sentences, role.name), certainty=draft.certainty + role.score)
        return
    if draft.sentences[-1] != NO:  # whatever such a sentence names is only mentioned
        if role.name == NO:
            yield draft.scored(draft.score - role.score)
        return
    match role.name:
        case "origin" | "target" | "number":
            yield from _moved(draft, role.name, value)
        case "whole":
            moved = _moved(draft, "origin", value)
            yield from (
                one._replace(moves=(*one.moves[:-1], last._replace(number=_UNSAID_COUNT)))
                for one in moved
                if not (last := one.moves[-1]).number
            )
        case "new":
            yield draft._replace(new=(*draft.new, value))
        case "bomb":
            yield draft._replace(bombs=tuple(dict.fromkeys((*draft.bombs, value))))
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
    if part == "number" and value.isdigit() and last.number in ("all", "both", "rest"):
        yield draft._replace(moves=(*draft.moves[:-1], last._replace(number=value)))  # "all three go"
    if not getattr(last, part):
        yield draft._replace(moves=(*draft.moves[:-1], last._replace(**{part: value})))
    if draft.moves:
        yield draft._replace(moves=(*draft.moves, Leg()._replace(**{part: value})))


def finished(state: State, seat: Seat, draft: Draft) -> Iterator[str]:
    """Yield the orders of a draft in notation, "" if it orders nothing. Yield nothing if the draft is incomplete."""
    if not (draft.moves or draft.new or draft.bombs):
        yield "Pass" if PASS in draft.sentences else ""
        return
    moves = [*draft.moves]
    if moves and len(draft.bombs) == 1 and not any(move.target for move in moves):
        moves[0] = moves[0]._replace(target=draft.bombs[0])  # "bomb U, then two from W go in"
    if moves and len(draft.new) == 1 and not any(move.origin for move in moves):
        moves[0] = moves[0]._replace(origin=draft.new[0])  # "the new one to W, then all go to U"
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
        elif move.number in ("all", "rest", _UNSAID_COUNT):
            numbers[at] = here - beside
    return numbers


def legal(state: State, seat: Seat, text: str) -> Orders | None:
    """Return the orders in `text`, which is in notation; None if they are illegal."""
    items = read_canonical(text)
    meant = interpret(state, seat, items) if items else None
    return meant.orders if meant and not meant.mistakes else None
