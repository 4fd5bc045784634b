"""Recognise orders for the map in everyday language (see `pbem/games/kit/hearing.py`): moves, flights, recruiting and
retreats.

A counter or point is recognised by its code, by its name or part of its name, by a translation, by its sound, and even
if it is misspelt. A name may fit several things: `Hardsole`, for example, is both a regiment and a town. Which of them
is meant is decided by the roles that lead to legal orders.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from itertools import groupby, permutations
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

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
from pbem.games.ozz import naming, orders
from pbem.games.ozz.interpret import faults_of
from pbem.games.ozz.names import FOLDER, Seen, scan
from pbem.games.ozz.naming import Side
from pbem.games.ozz.orders import Item, Orders
from pbem.games.ozz.state import State
from pbem.games.spelling import folded, latin
from pbem.games.words import meant_by

MODELS = Path(__file__).with_name("hearing.json")
SURETY = Path(__file__).with_name("surety.json")

_LIMITS = Limits(
    frozenset(("not", "never", "none", "n0", "if")),
    frozenset((NO, "none", "loss", "refuge", "below", "below here", "held", "fast at", "accept", "return")),
)

_COMPANY = frozenset(("with", "all", "n2", "n3", "stack"))
_GOING = {"move": False, "crew": False, "fly": True}
"""The roles of counters that go somewhere, each with whether the counter flies. A counter in the role `crew` takes
along all counters that are on the same point."""
_HOWS: Mapping[str, Literal["pool", "special", "none"]] = {"pool": "pool", "special": "special", "none": "none"}
"""The roles of Heroes in recruiting, each with the value of `Recruit.how` that it leads to."""
_ITEMS: Mapping[str, Callable[[str], Item]] = {
    "offer": partial(orders.Honors, "offer"),
    "accept": partial(orders.Honors, "accept"),
    "return": orders.Return,
    "fast": lambda _: orders.FightFast(()),
}
"""The roles of points and clauses that lead to an order of their own, each with the function that makes this order."""
_BELOW: Mapping[str, Callable[[str], int | None]] = {"below": int, "never": lambda _: 0, "always": lambda _: None}
"""The roles of numbers and clauses that lead to a retreat, each with the function that returns `Retreat.below`. If the
name of a role ends with `here`, the retreat is limited to where the last stack goes."""
_HERE = " here"
_LISTS = {
    "take": "takes",
    "loss": "losses",
    "refuge": "refuges",
    "fast at": "fast",
}
"""The roles that only add a counter or point to a list, each with the field of `_Draft` that contains this list."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\w\s]|_")
_SPACED = re.compile(r"(?<!\w)([MWQGHRМР]) (\d)(?!\w)", re.I)  # a dictated code, such as M 4
_CODE = re.compile(r"[а-я]\d", re.I)
_AS_HEARD = str.maketrans("МВРГХКмвргхк", "MWRGHQMWRGHQ")  # Cyrillic letters in codes: Р1 is R1
_SILENT = frozenset(("the", "of", "unit", "units", "regiment", "my", "our", "and", "to"))
_HYPHENS = ("-", "‐")
_BETWEEN = frozenset((*_HYPHENS, "the", "of", "der", "die", "den", "dem"))
_VAGUE = ("neighbour", "flank")  # order words that are also mere articles in some language
_LEAST = 3  # the minimum length of a word that is recognised by its sound
_LONG = 5  # the minimum length of a word that may be misspelt
_ALIKE = 0.8
_FEW = 3  # up to this number of stops, every order of them is tried
_OUT_OF_ORDER = 0.8  # the cost of going through stops in a different order from the text


class Lexicon:
    """The words that can name the counters and points of a position."""

    def __init__(self, side: Side) -> None:
        cards, points = side.data.counters, side.data.points
        names = [(("counter", code), cards[code].name) for code in side.everybody if code in cards]
        names += [(("point", code), point.name) for code, point in points.items()]
        self.side = side
        self.whole: dict[Meaning, frozenset[str]] = {meaning: frozenset(_words(name)) for meaning, name in names}
        self.meanings: defaultdict[str, set[Meaning]] = defaultdict(set)
        for meaning, words in self.whole.items():
            for word in words:
                self.meanings[word].add(meaning)
        self._sounds = Sounds((word, word) for word in self.meanings if len(word) >= _LEAST and word.isalpha())
        self._whole_sounds = Sounds((name, name) for _, name in names if "-" in name)
        self._long = [word for word in self.meanings if len(word) >= _LONG - 1]

    def heard(self, text: str) -> frozenset[str]:
        """Return the words of the hyphenated name that `text` sounds like; the set is empty if there is no such
        name."""
        return frozenset(_words(self._whole_sounds.heard(text)))

    def english(self, text: str, cues: frozenset[str]) -> frozenset[str]:
        """Return the words of English names that the word `text` stands for: the same word, an ordinal, translations,
        or a word that sounds or looks similar. `cues` contains the order words that `text` may be; if there are any,
        similar words do not count."""
        word = folded(text).removesuffix("'s")
        nth = {number for number in "12345" if f"nth{number}" in cues} & self.meanings.keys()
        exact = {word, word.removesuffix("s")} & self.meanings.keys()
        if exact or nth:
            return frozenset(exact | nth)
        meant = (one for name in meant_by(FOLDER, word) for one in name.split())
        translated = {*meant} & self.meanings.keys()
        if translated or cues or len(word) < _LEAST or not word.isalpha():
            return frozenset(translated)
        if heard := self._sounds.heard(word):
            return frozenset((heard,))
        alike = (one for one in self._long if one[0] == word[0])
        near = get_close_matches(word, alike, 1, _ALIKE) if len(word) >= _LONG else ()
        return frozenset(near or filter(None, [self._sounds.resembled(word)])) or self.heard(word)

    def find(self, text: str, cues: frozenset[str]) -> tuple[frozenset[Meaning], frozenset[str]]:
        """Return the counters and points that the word `text` may name, and the words of English names that it stands
        for. There are no such words if `text` is a code."""
        side, code = self.side, latin(text).upper()
        if _CODE.fullmatch(text):
            code = text.translate(_AS_HEARD).upper()
        if code in side.data.points:
            return frozenset((("point", code),)), frozenset()
        if code in side.everybody and code in side.data.counters and ("counter" in cues or text.isupper()):
            return frozenset((("counter", code),)), frozenset()
        words = self.english(text, cues - {"counter", "point"}) if cues.isdisjoint(_LIMITS.cues) else frozenset[str]()
        sets = [frozenset(self.meanings[word]) for word in words]
        together = frozenset.intersection(*sets) if sets else frozenset()
        return together or frozenset().union(*sets), words


def _words(name: str) -> Iterator[str]:
    """Yield the distinctive words of a name, in lower case: `zoraster` and `guard` for `Zoraster's Guard`."""
    for word in re.findall(r"[^\W_]+(?:'[^\W_]+)*", folded(name)):
        plain = re.sub(r"'s?$", "", word)
        nth = re.fullmatch(r"(\d)(?:st|nd|rd|th)?", plain)
        if nth or plain not in _SILENT:
            yield nth[1] if nth else plain


class _Named(NamedTuple):
    """A name in a text: its tokens from `start` up to `end`, its possible meanings, the words of English names that it
    stands for, and the number of its sentence."""

    start: int
    end: int
    meanings: frozenset[Meaning]
    words: frozenset[str]
    sentence: int


def passage_of(lexicon: Lexicon, text: str) -> Passage:
    """Return a text as a passage: its tokens, the counters and points that it mentions, and its numbers."""
    plain = _SPACED.sub(r"\1\2 ", text)
    tokens, names = list[Token](), list[_Named]()
    sentence = end = 0
    for seen in _hyphenated(lexicon, scan(lexicon.side.data, plain)):
        sentence += "\n" in plain[end : seen.start]
        end = seen.start + len(seen.value)
        pieces = _WORD.findall(seen.value)
        meanings, words = _meanings(lexicon, seen, pieces)
        cues = frozenset() if meanings else seen.kinds - frozenset(_VAGUE)
        start = len(tokens)
        tokens += (token_of(folded(piece), cues, sentence) for piece in pieces)
        if meanings:
            names.append(_Named(start, len(tokens), meanings, words, sentence))
        sentence += seen.value in ".!?;"
    mentions = [
        Mention(name.start, name.end, tuple(sorted(_whole(lexicon, name))), name.sentence)
        for name in _together(tokens, names)
        if not _is_number(tokens[name.start : name.end])
    ]
    return Passage(tokens, mentions, [*_numbers(tokens)], in_clauses=True)


def _hyphenated(lexicon: Lexicon, words: Sequence[Seen]) -> Iterator[Seen]:
    """Yield the words of a text. Two words that are joined by a hyphen count as one if together they sound like a name,
    such as Тик-Ток."""
    at = 0
    while at < len(words):
        first, *others = words[at : at + 3]
        whole = "".join(word.value for word in (first, *others))
        is_joined = (
            len(others) == 2
            and others[0].value in _HYPHENS
            and others[1].start == first.start + len(whole) - len(others[1].value)
        )
        if is_joined and first.value.isalpha() and not first.may_be("counter", "point") and lexicon.heard(whole):
            yield first._replace(value=whole, spelled="", kinds=frozenset())
            at += 3
        else:
            yield first
            at += 1


def _meanings(lexicon: Lexicon, seen: Seen, pieces: Sequence[str]) -> tuple[frozenset[Meaning], frozenset[str]]:
    side = lexicon.side
    names = set[Meaning]()
    if seen.may_be("counter") and seen.spelled and not seen.spelled.endswith("*"):
        meant = side.names.find(seen.spelled)
        here = [code for code in (*meant.whole, *meant.less) if code in side.everybody]
        names |= {("counter", code) for code in [code for code in here if code in side.own] or here}
    if seen.may_be("counter", "point"):
        names |= {("point", code) for code in side.names.find_points(seen.spelled)}
    if len(pieces) > 1 and (words := lexicon.heard(seen.value)):
        return frozenset.intersection(*(frozenset(lexicon.meanings[word]) for word in words)), words
    if len(pieces) > 1:
        return frozenset(names), frozenset(word for piece in pieces for word in lexicon.find(piece, frozenset())[1])
    if not seen.value[0].isalnum():
        return frozenset(), frozenset()
    found, words = lexicon.find(seen.value, seen.kinds)
    is_code = bool(found) and not words
    return found if is_code or not names else frozenset(names), words


def _together(tokens: Sequence[Token], names: Sequence[_Named]) -> list[_Named]:
    """Join neighbouring names that are parts of the same name, such as `Admiral` and `Jinjar`, or `Castle` and
    `Zoraster` in `the Castle of Zoraster`."""
    joined = list[_Named]()
    for name in names:
        before = joined[-1] if joined else None
        between = tokens[before.end : name.start] if before else ()
        if (
            before
            and before.sentence == name.sentence
            and before.meanings & name.meanings
            and all(token.text in _BETWEEN for token in between)
        ):
            joined[-1] = _Named(
                before.start, name.end, before.meanings & name.meanings, before.words | name.words, name.sentence
            )
        else:
            joined.append(name)
    return joined


def _whole(lexicon: Lexicon, name: _Named) -> frozenset[Meaning]:
    """Return the meanings for which `name` is the full name or, if there are none, all its meanings: `Zoraster` means
    the Ruler rather than Zoraster's Guard. If several points remain, keep only those of the side's own nation, if there
    are any: `the Castle`."""
    whole = frozenset(meaning for meaning in name.meanings if lexicon.whole.get(meaning, frozenset("?")) <= name.words)
    meanings = whole or name.meanings
    points = [code for kind, code in meanings if kind == "point"]
    own = frozenset(("point", code) for code in lexicon.side.own_points(points))
    return own | {one for one in meanings if one[0] != "point"} if len(points) > 1 and own else meanings


def _is_number(tokens: Sequence[Token]) -> bool:
    """Return whether a name is only a number, such as `1st` without `National Guard`."""
    return len(tokens) == 1 and (
        tokens[0].text.isdigit() or any(re.fullmatch(r"n(th)?\d+", cue) for cue in tokens[0].cues)
    )


def _numbers(tokens: Sequence[Token]) -> Iterator[Mention]:
    for at, token in enumerate(tokens):
        numbers = [cue[1:] for cue in token.cues if re.fullmatch(r"n\d+", cue)]
        if re.fullmatch(r"\d\d?", token.text):
            numbers = [token.text]
        if numbers:
            yield Mention(at, at + 1, (("number", min(numbers)),), token.sentence)


def features(side: Side, passage: Passage, mention: Mention, meaning: Meaning) -> list[str]:
    """Return the features of a mention, taken in the sense of `meaning`: those of the words around it, of its place on
    the map, and of its place among the other mentions."""
    kind, code = meaning
    found = list[str]()
    if kind == "counter":
        found = [*_of_counter(side, passage, mention, code)]
    elif kind == "point":
        found = [*_of_point(side, passage, mention, code)]
    several = len(mention.meanings) > 1
    found += (f"?{one}" for one in found[:] if several)
    return [*passage.around(mention), *(f"{kind}:{one}" for one in (*found, f"meanings={len(mention.meanings)}"))]


def _of_counter(side: Side, passage: Passage, mention: Mention, code: str) -> Iterator[str]:
    card, points = side.data.counters[code], passage.within(mention.sentence, "point")
    yield f"kind={card.kind}"
    if code not in side.own:
        yield "enemy"
        return
    here, others = side.location(code), [*_own(side, passage.within(mention.sentence, "counter"), mention)]
    beside = {other for other in others if side.location(other) == here and other != code}
    counters = passage.within(mention.sentence, "counter")
    yield f"here={min(len(side.in_point(here)), 3)}"
    yield "named" if any(("point", here) in one.meanings for one in passage.mentions) else "unnamed"
    yield "first" if counters and counters[0] == mention else "later"
    yield f"points={min(len(points), 3)}"
    yield f"beside={min(len(beside), 2)}"
    yield "complete" if len(beside) + 1 == len(side.in_point(here)) else "incomplete"
    yield "near" if any(side.location(other) == here for other in _own(side, passage.mentions, mention)) else "far"
    yield "then" if any(one.start > mention.start for one in points) else "last"
    yield "behind" if any(one.start < mention.start for one in points) else "before"


def _of_point(side: Side, passage: Passage, mention: Mention, code: str) -> Iterator[str]:
    links, points = side.data.links, passage.within(mention.sentence, "point")
    at = points.index(mention) if mention in points else 0
    starts = {side.location(other) for other in _own(side, passage.mentions, mention)}
    enemies = any(unit.at == code and other not in side.own for other, unit in side.units.items())
    place = "only" if len(points) == 1 else "first" if at == 0 else "last" if at == len(points) - 1 else "middle"
    yield f"place={place}"
    yield "start" if code in starts else "elsewhere"
    yield "own" if side.in_point(code) else "no own"
    yield "enemies" if enemies else "no enemies"
    counters = [one for one in passage.within(mention.sentence, "counter") if _own(side, (one,))]
    yield "behind" if any(one.start < mention.start for one in counters) else "before"
    yield "next" if any(code in links.get(start or "", {}) for start in starts) else "distant"
    for name, near in (("on", points[at + 1 : at + 2]), ("since", points[max(at - 1, 0) : at])):
        for other in near:
            is_linked = any(end in links.get(code, {}) for kind, end in other.meanings if kind == "point")
            yield f"{name} {'linked' if is_linked else 'apart'}"


def _own(side: Side, mentions: Iterable[Mention], but: Mention | None = None) -> list[str]:
    """Return the side's counters that `mentions` name without ambiguity, leaving out the mention `but`."""
    certain = (one.meanings[0] for one in mentions if one != but and len(one.meanings) == 1)
    return [code for kind, code in certain if kind == "counter" and code in side.own]


class _Draft(NamedTuple):
    """Orders that are being put together. `items` contains the complete ones. The counters in `who` are to go to
    `target` by way of `vias`, by air if `flies` is true, from the points in `starts` if any are named; if `crew` is
    true, they take along all counters that are with them. On their way they leave those in `drops` and pick up those in
    `takes`. `held` is the point of a retreat that is still to be determined; `garrison` and `guns` are the point and
    the number of batteries of a garrison. Those in `left` are excepted: they go only by themselves."""

    score: float = 0.0
    items: tuple[Item, ...] = ()
    who: tuple[str, ...] = ()
    crew: bool = False
    flies: bool = False
    starts: tuple[str, ...] = ()
    vias: tuple[str, ...] = ()
    target: str = ""
    drops: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    recruits: tuple[orders.Recruit, ...] = ()
    losses: tuple[str, ...] = ()
    refuges: tuple[str, ...] = ()
    held: str | None = None
    fast: tuple[str, ...] = ()
    garrison: str = ""
    guns: str = ""
    left: frozenset[str] = frozenset()
    passes: bool = False

    def scored(self, score: float, /) -> Self:
        """Return the same draft with another score."""
        return self._replace(score=score)


def heard(state: State, seat: Seat, text: str, models: Mapping[str, LinearModel] | None = None) -> Hearing:
    """Return the likeliest legal orders in a text, as judged by `models` or, by default, by the shipped models."""
    side, models = Side(state, seat), models or read_models(MODELS)
    passage = passage_of(Lexicon(side), text)
    roles = roles_of(passage, models, partial(features, side), _LIMITS)
    roles = [[role for role in some if _may_go(side, passage, role)] for some in roles]
    left = frozenset(_own(side, (one for one in passage.mentions if passage.is_denied(one, _LIMITS))))
    drafts = search(_Draft(left=left), roles, partial(_followed, side))

    def is_legal(letter: Orders | None) -> bool:
        return letter is None or not faults_of(state, seat, letter)

    ranked = likeliest(_readings(side, drafts), is_legal)
    return Hearing(ranked, passage, roles, [draft.score for draft in drafts[:2]], models)


def lines_of(letter: Orders) -> list[str]:
    """Return the lines of orders in canonical form."""
    return [*map(str, letter.items)]


def _may_go(side: Side, passage: Passage, role: Role) -> bool:
    """Return whether `role` is possible, regardless of its likelihood. A counter cannot walk if the clause that
    mentions it says that it flies, and only a Ruler can take everybody along without a word such as `with` or `all` in
    that clause."""
    if role.name in ("move", "crew") and passage.has_beside(role.mention, {"fly"}):
        return False
    may = role.name != "crew" or side.data.counters[role.meaning[1]].kind == "ruler"
    return may or passage.has_beside(role.mention, _COMPANY)


def _followed(side: Side, draft: _Draft, role: Role) -> Iterable[_Draft]:
    """Yield the drafts that result when a role is added to `draft`."""
    code = role.meaning[1]
    if field := _LISTS.get(role.name):
        longer: dict[str, Any] = {field: (*getattr(draft, field), code)}
        yield draft._replace(**longer)
        return
    match role.name:
        case "move" | "crew" | "fly":
            yield from _gone(side, draft, code, role.name)
        case "origin" | "via" | "target":
            yield from _led(side, draft, code, role.name)
        case "pool" | "special" | "none":
            yield draft._replace(recruits=(*draft.recruits, orders.Recruit(code, _HOWS[role.name])))
        case "drop":
            yield draft._replace(drops=(*draft.drops, code), who=tuple(dict.fromkeys((*draft.who, code))))
        case _:
            yield from _ruled(draft, role.name, code)


def _ruled(draft: _Draft, role: str, code: str) -> Iterator[_Draft]:
    """Yield the drafts that result when a role that moves nobody is added to `draft`."""
    match role:
        case "offer" | "accept" | "return" | "fast":
            yield draft._replace(items=(*draft.items, _ITEMS[role](code)))
        case "fast here":
            yield from (draft._replace(fast=(*draft.fast, at)) for at in _last_target(draft))
        case "held":
            yield _held(draft, code)
        case "garrison":
            yield _garrisoned(draft._replace(garrison=code))
        case "guns":
            yield _garrisoned(draft._replace(guns=code))
        case "pass":
            yield draft._replace(passes=True)
        case _:
            yield from _retreating(draft, role, code)


def _retreating(draft: _Draft, role: str, code: str) -> Iterator[_Draft]:
    """Yield `draft` with the retreat to which `role` leads, or without one if it leads to none."""
    word = role.removesuffix(_HERE)
    if word not in _BELOW:
        yield draft
        return
    for at in _last_target(draft) if word != role else (draft.held,):
        yield draft._replace(items=(*draft.items, orders.Retreat(_BELOW[word](code), at)), held=None)


def _garrisoned(draft: _Draft) -> _Draft:
    """Return `draft` with a garrison if both its point and its number of batteries are known."""
    if not (draft.garrison and draft.guns):
        return draft
    item = orders.Garrison(draft.garrison, int(draft.guns))
    return draft._replace(items=(*draft.items, item), garrison="", guns="")


def _last_target(draft: _Draft) -> list[str]:
    """Return the point to which the stack of `draft` goes or, if there is none, the last complete one; the list is
    empty if nobody goes anywhere."""
    went = [item.way[-1] for item in draft.items if isinstance(item, orders.Move | orders.Fly)]
    return [*went, *draft.vias[-1:], *filter(None, (draft.target,))][-1:]


def _held(draft: _Draft, point: str) -> _Draft:
    """Return `draft` with the last retreat, or else the next one, limited to `point`."""
    if draft.items and isinstance(last := draft.items[-1], orders.Retreat) and last.at is None:
        return draft._replace(items=(*draft.items[:-1], orders.Retreat(last.below, point)))
    return draft._replace(held=point)


def _gone(side: Side, draft: _Draft, code: str, role: str) -> Iterator[_Draft]:
    """Let the counter `code` go along with the stack of `draft`, and yield the result. If that stack already has a
    point to go to, it may also be complete, and the counter begins a new one."""
    if code not in side.own:
        return
    goes = bool(draft.target or draft.vias)
    begun = [*_complete(side, draft)] if goes and (draft.who or draft.starts) else []
    beside = side.location(code) == side.location(draft.who[0]) if draft.who else True
    if not draft.who or (draft.flies == _GOING[role] and (beside or not goes)):
        begun.append(draft)
    for before in begun:
        who = before.who if code in before.who else (*before.who, code)
        yield before._replace(who=who, crew=before.crew or role == "crew", flies=_GOING[role])


def _led(side: Side, draft: _Draft, code: str, role: str) -> Iterator[_Draft]:
    """Yield `draft` with the point `code` as the origin, a stop or the target of its stack. If that stack already has a
    target, it may also be complete, and the point belongs to the next one."""
    begun = [*_complete(side, draft)] if draft.target and code != draft.target else []
    if role == "origin":
        yield from (one._replace(starts=(*one.starts, code)) for one in (*begun, draft))
    elif role == "via":
        yield from (one._replace(vias=(*one.vias, code)) for one in (*begun, draft))
    else:
        yield from (one._replace(target=code) for one in begun or (draft,) if one.target in ("", code))


def _complete(side: Side, draft: _Draft) -> Iterator[_Draft]:
    """Yield `draft`, adding the moves of the counters in `who` to its items; yield nothing if they cannot make these
    moves."""
    if not (draft.who or draft.vias or draft.target or draft.starts or draft.takes):
        yield draft
        return
    there = side.in_point(draft.starts[0]) if len(draft.starts) == 1 else ()
    who = draft.who or tuple(code for code in there if code not in draft.left)
    busy = {code for item in draft.items for code in getattr(item, "units", ())}
    busy |= {recruit.hero for recruit in draft.recruits}
    if draft.crew:
        places = dict.fromkeys(map(side.location, who))
        who = tuple(code for place in places for code in side.in_point(place) if code not in busy | draft.left)
    if not who or not (draft.target or draft.vias) or not busy.isdisjoint(who):
        return
    stacks = groupby(sorted(who, key=lambda code: (side.location(code) or "", side.data.roster[code])), side.location)
    items, score = list(draft.items), draft.score
    for start, codes in stacks:
        if start is None or (draft.starts and start not in draft.starts):
            return
        item, cost = _going(side, start, tuple(codes), draft)
        if item is None:
            return
        items, score = [*items, item], score - cost
    if {*draft.drops, *draft.takes} - {code for item in items for code in _changing(item)}:
        return
    done = draft._replace(score=score, items=tuple(items), who=(), crew=False, flies=False)
    yield done._replace(starts=(), vias=(), target="", drops=(), takes=())


def _changing(item: Item) -> tuple[str, ...]:
    return (*item.drop, *item.take) if isinstance(item, orders.Move) else ()


def _going(side: Side, start: str, who: tuple[str, ...], draft: _Draft) -> tuple[Item | None, float]:
    """Return the move or flight of the counters `who` from `start`, and the amount by which it lowers the draft's
    score; the item is None if there is no way. Without a target, the last stop is the target."""
    vias = tuple(dict.fromkeys(point for point in draft.vias if point not in (start, draft.target)))
    vias, target = (vias, draft.target) if draft.target else (vias[:-1], "".join(vias[-1:]))
    if target in ("", start) or (draft.flies and vias):
        return None, 0.0
    if draft.flies:
        return orders.Fly(who, (start, target)), 0.0
    for row in permutations(vias) if len(vias) <= _FEW else (vias,):
        if ways := naming.ways_of(side, start, (*row, target)):
            move = orders.Move(who, ways[0], tuple(code for code in draft.drops if code in who), draft.takes)
            return move, 0.0 if row == vias else _OUT_OF_ORDER
    return None, 0.0


def _readings(side: Side, drafts: Iterable[_Draft]) -> Iterator[tuple[Orders | None, float]]:
    """Yield the orders that each draft leads to, with the score of the draft; the orders are None if the draft contains
    none."""
    for draft in (complete for one in drafts for complete in _complete(side, one)):
        if draft.held or draft.garrison or draft.guns:
            continue
        items: list[Item] = [*draft.items, *draft.recruits]
        items += [orders.FightFast(tuple(dict.fromkeys(draft.fast)))] * bool(draft.fast)
        items += [orders.Losses(tuple(dict.fromkeys(draft.losses)))] * bool(draft.losses)
        items += [orders.RetreatTo(tuple(dict.fromkeys(draft.refuges)))] * bool(draft.refuges)
        yield Orders(tuple(dict.fromkeys(items))) if items or draft.passes else None, draft.score
