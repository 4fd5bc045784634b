"""Hear orders in everyday words: judge which role each name in a letter plays, and search for the likeliest orders.

People word the same order in endless ways, but they name few things, and the position allows few orders. A game finds
the names in a letter. From the words around each name, a trained model (`hearing.json`, `tools/train_hearing.py`)
judges which role the name plays: is it a unit that goes somewhere, is it the target, or is it only mentioned? A beam
search builds orders from the likeliest roles. Readings that the rules forbid are dropped, and the likelihood is divided
among the other readings.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from itertools import pairwise, takewhile
from math import exp, log
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, Self, TypeVar

from pbem.games.kit.linear import LinearModel, loaded
from pbem.games.kit.talk import NAME, NUMBER

NO = "no"
"""The role of a name that is only mentioned, without being part of an order."""
AGAIN = "+"
"""The end of the name of a model that judges for the second time, when the likeliest roles beside a name are known."""
PASS = "pass"  # noqa: S105 - no password
"""The role of a sentence that says that the writer passes."""

_STEM = 5  # the number of letters that stand for a word, whatever its ending
_NEAR = 3  # the number of tokens next to a mention, on each side, that become separate features
_UNLIKELY = 0.01  # less likely roles are not tried
_LEAST = 1e-4  # the smallest likelihood that counts, so that one odd word does not rule a reading out
_WIDTH = 40  # the number of drafts that the search keeps, unless a game needs more
_MOST = 40  # the most mentions and numbers in a letter; one with more does not give orders
_BENT = 9.0
"""How much less likely than the likeliest draft a draft may be, as the difference of the logarithms. Otherwise the only
legal reading would be heard even if it left out what is certainly a part of the orders."""
_CHECKED = 8  # the number of the likeliest orders that are checked for legality
_CONTRACTED = re.compile(r"n['’]t$")
BREAKS = frozenset(",;:.()-–—")
ENDS = frozenset(".!?;")
"""The signs that end a sentence."""
_EXCEPT = 2  # the most tokens from a word such as "except" to the name of the thing excepted
_BEFORE, _AFTER = 8, 5
"""The most tokens between a name and a word before or after it that denies it."""
_LEADS = frozenset(("place", "origin", "target", "the"))
_ADDS = frozenset(("and", "but", "then"))
_JOINS = frozenset(("and", "with", "the", "sign"))
_IDLE = frozenset(("sign", "filler", "the", "digits", "number"))

Meaning = tuple[str, str]
"""A meaning of a name: a kind of thing, such as `unit`, and the code or name of the thing."""

CLAUSE: Meaning = ("clause", "")
"""The meaning of an empty mention at the end of a clause."""


class Token(NamedTuple):
    """A word or sign in lower case; its cues, which are the names of the word lists to which it belongs, such as `not`
    or `and`; and the number of its sentence."""

    text: str
    cues: frozenset[str]
    sentence: int


def token_of(word: str, cues: frozenset[str], sentence: int) -> Token:
    """Make a token from a folded word. A contraction such as "mustn't" also has the cue `not`."""
    return Token(word, cues | {"not"} if _CONTRACTED.search(word) else cues, sentence)


class Mention(NamedTuple):
    """A name in a text: the tokens from `start` up to, but not including, `end`. It has several `meanings` if it fits
    several things."""

    start: int
    end: int
    meanings: tuple[Meaning, ...]
    sentence: int


class Role(NamedTuple):
    """A role that `mention` may play: the name of the role, the meaning of the mention in this role, and the logarithm
    of the likelihood of the role."""

    mention: Mention
    name: str
    meaning: Meaning
    score: float


class Passage:
    """The tokens of a text, its mentions of things, and its numbers, which are mentions of the kind `number`.

    For orders that name nothing, there is an empty mention at the end of each sentence or, if `in_clauses` is true, at
    the end of each clause (`stops`).
    """

    def __init__(
        self,
        tokens: Sequence[Token],
        mentions: Sequence[Mention],
        numbers: Sequence[Mention] = (),
        *,
        in_clauses: bool = False,
    ) -> None:
        self.tokens, self.mentions, self.numbers = tokens, mentions, numbers
        self.stops = {one: range(start, one.end) for start, one in (self._clauses() if in_clauses else self._whole())}
        self._inside = {at: one for one in mentions for at in range(one.start, one.end)}
        self._bags = {number: self._bag(number) for number in {token.sentence for token in tokens}}

    def masked(self) -> list[str]:
        """Return the tokens with placeholders for names and numbers, as `kit.talk` reads them."""
        tokens = [token.text for token in self.tokens]
        for mentions, form in ((self.numbers, NUMBER), (self.mentions, NAME)):
            for one in mentions:
                tokens[one.start : one.end] = [form, *[""] * (one.end - one.start - 1)]
        return tokens

    def _whole(self) -> Iterator[tuple[int, Mention]]:
        """Yield the start of each sentence, and an empty mention at its end."""
        start, ends = 0, {token.sentence: at + 1 for at, token in enumerate(self.tokens)}
        for number, end in ends.items():
            yield start, Mention(end, end, (("sentence", ""),), number)
            start = end

    def _clauses(self) -> Iterator[tuple[int, Mention]]:
        """Yield the start of each clause, and an empty mention at its end. A clause ends before a sign or a word such
        as "and"."""
        start = 0
        for at, token in enumerate(self.tokens):
            breaks = token.text in BREAKS or token.text in ENDS or not token.cues.isdisjoint(_ADDS)
            if at > start and (breaks or self.tokens[at - 1].sentence != token.sentence):
                yield start, Mention(at, at, (CLAUSE,), self.tokens[at - 1].sentence)
                start = at
            start += breaks and at == start
        if start < len(self.tokens):
            end = len(self.tokens)
            yield start, Mention(end, end, (CLAUSE,), self.tokens[-1].sentence)

    def within(self, sentence: int, kind: str) -> list[Mention]:
        """Return the mentions in `sentence` that have a meaning of the kind `kind`."""
        mentions = (one for one in self.mentions if one.sentence == sentence)
        return [one for one in mentions if any(kind == other for other, _ in one.meanings)]

    def around(self, mention: Mention) -> list[str]:
        """Return the features of a mention: the words next to it, the words on each side up to the next mention of the
        same kind, the words of its clause, and the words of its sentence. An empty mention has the features of the
        sentence or clause that it ends."""
        if mention.start == mention.end:
            return self._of_stop(mention)
        found = list[str]()
        for distance in range(1, _NEAR + 1):
            for sign, at in (("-", mention.start - distance), ("+", mention.end - 1 + distance)):
                found += (f"{sign}{distance if distance == 1 else ''}{shape}" for shape in self._shapes(at))
        for sign, step in (("r", 1), ("l", -1)):
            found += (f"{sign}{shape}" for at in self._side(mention, step) for shape in self._shapes(at))
        clause = (at for step in (1, -1) for at in self._clause(mention, step))
        found += (f"c{shape}" for at in clause if at not in self._inside for shape in self._shapes(at))
        return [*dict.fromkeys((*found, *self._bags[mention.sentence]))]

    def _shapes(self, at: int) -> Iterator[str]:
        """Yield the stem and the cues of the token at index `at`. If the token is part of a mention, yield only the
        kinds of the mention."""
        if not 0 <= at < len(self.tokens):
            yield "^"
        elif one := self._inside.get(at):
            yield f"<{'|'.join(sorted({kind for kind, _ in one.meanings}))}>"
        else:
            token = self.tokens[at]
            yield f"={token.text[:_STEM]}"
            yield from (f"~{cue}" for cue in sorted(token.cues - _IDLE))

    def _bag(self, sentence: int) -> list[str]:
        here = [at for at, token in enumerate(self.tokens) if token.sentence == sentence and at not in self._inside]
        return [f"s{shape}" for at in here for shape in self._shapes(at)]

    def _of_stop(self, mention: Mention) -> list[str]:
        part = self.stops[mention]
        words = [self.tokens[at].text[:_STEM] for at in part]
        pairs = (f"{one}_{other}" for one, other in pairwise(words))
        clause = (f"c{shape}" for at in part for shape in self._shapes(at)) if mention.meanings == (CLAUSE,) else ()
        named = any(at in self._inside for at in part)
        return [*dict.fromkeys((*clause, *self._bags[mention.sentence], *pairs, "named" if named else "bare"))]

    def _side(self, mention: Mention, step: int) -> Iterator[int]:
        """Yield the indexes of the tokens on one side of a mention, up to the next mention of the same kind. Mentions
        that are joined only by a word such as "and" count as one. `step` is 1 for the side after the mention, and -1
        for the side before it."""
        kind, joined = mention.meanings[0][0], True
        for at in self._clause(mention, step, whole=True):
            one = self._inside.get(at)
            if one is None:
                joined &= not self.tokens[at].cues.isdisjoint(_JOINS)
            elif not joined and any(kind == other for other, _ in one.meanings):
                return
            yield at

    def is_denied(self, mention: Mention, limits: "Limits") -> bool:
        """Return whether the text rules out that `mention` is part of an order: because its clause denies something or
        is a condition, because it follows a word such as "except", or because the writer leaves open which of two
        things is meant, as in `M4 or M1`."""
        sides = ((mention.end, mention.end + 1), (mention.start - 1, mention.start - 2))
        chosen = any(self._chooses(at) and other in self._inside for at, other in sides)
        before = self.tokens[max(0, mention.start - _EXCEPT) : mention.start]
        excepted = any("but" in token.cues and token.sentence == mention.sentence for token in before)
        return chosen or excepted or self._has_denial(mention, limits.cues)

    def has_beside(self, mention: Mention, cues: Set[str]) -> bool:
        """Return whether any word in the clause of a mention has one of the given cues. Words that name something do
        not count."""
        places = (at for step in (1, -1) for at in self._clause(mention, step))
        return any(not self.tokens[at].cues.isdisjoint(cues) for at in places if at not in self._inside)

    def _has_denial(self, mention: Mention, cues: Set[str]) -> bool:
        """Return whether a word in the clause of a mention that has one of the given cues denies the mention. With a
        word such as "only", another clause begins, and a "not" counts only if it is near."""
        for step, near in ((1, _AFTER), (-1, _BEFORE)):
            clause = takewhile(lambda at: "only" not in self.tokens[at].cues, self._clause(mention, step))
            for distance, at in enumerate(clause, 1):
                found = self.tokens[at].cues & cues if at not in self._inside else frozenset()
                if found and ("not" not in found or (distance <= near and not self._is_of_others(at, mention))):
                    return True
        return False

    def _is_of_others(self, at: int, mention: Mention) -> bool:
        """Return whether the denial at index `at` is about something else than a mention: about all the rest, as in
        "nothing else", or, if it comes after the mention, about what follows, as in "not in the city" or "no bombs"."""
        behind = self.tokens[at + 1 : at + 3]
        beside = (*self.tokens[max(0, at - 1) : at], *behind)
        is_about_next = "no" in self.tokens[at].cues or (bool(behind) and not behind[0].cues.isdisjoint(_LEADS))
        return any("else" in token.cues for token in beside) or (at >= mention.end and is_about_next)

    def _begins_condition(self, at: int) -> bool:
        """Return whether the token at index `at` adds a condition to the words before it, as in `and if ...`."""
        behind = self.tokens[at + 1 : at + 2]
        return not self.tokens[at].cues.isdisjoint(_ADDS) and any("if" in token.cues for token in behind)

    def _chooses(self, at: int) -> bool:
        return 0 <= at < len(self.tokens) and "or" in self.tokens[at].cues

    def _clause(self, mention: Mention, step: int, *, whole: bool = False) -> Iterator[int]:
        """Yield the indexes of the tokens on one side of a mention, up to a comma or a similar break or, if `whole` is
        true, up to the limit of the sentence. `step` is 1 for the side after the mention, and -1 for the side before
        it."""
        at = mention.end if step > 0 else mention.start - 1
        while 0 <= at < len(self.tokens) and self.tokens[at].sentence == mention.sentence:
            if not whole and (self.tokens[at].text in BREAKS or self._begins_condition(at)):
                return
            yield at
            at += step


class Limits(NamedTuple):
    """Limits on the orders in a letter, which apply whatever the models judge.

    A word with one of the `cues` denies its clause or makes it a condition. A name in such a clause can play only one
    of the `roles`: `NO`, or a role that fits there, such as that of a Hero who recruits nobody.
    """

    cues: frozenset[str]
    roles: frozenset[str]


Features = Callable[[Passage, Mention, Meaning], list[str]]
"""A function that returns the features of a mention for the model that judges it, on the assumption that the mention
has the given meaning."""


@cache
def read_models(path: Path) -> Mapping[str, LinearModel]:
    """Load the models in a file, keyed by the kind of thing that each model judges."""
    return {kind: loaded(model) for kind, model in json.loads(path.read_text(encoding="utf-8")).items()}


class Hearing(NamedTuple):
    """What is heard in a letter: the likeliest legal orders, best first, each with its likelihood, where None stands
    for the reading that the letter orders nothing; and what this rests on: the passage, the likely roles of each
    mention, the scores of the best drafts, and the models. `made_up` is true if the likeliest orders contain something
    that the letter does not say, such as a number of pieces."""

    readings: Sequence[tuple[Any, float]]
    passage: Passage
    roles: Sequence[Sequence[Role]] = ()
    scores: Sequence[float] = ()
    models: Mapping[str, LinearModel] = MappingProxyType({})
    made_up: bool = False

    def is_unknown(self, at: int) -> bool:
        """Return whether no model knows the word at index `at`, which names nothing."""
        token = self.passage.tokens[at]
        named = any(one.start <= at < one.end for one in self.passage.mentions)
        return not (
            named or token.cues or any(f"s={token.text[:_STEM]}" in one.weights for one in self.models.values())
        )


Shares = Mapping[Meaning, Mapping[str, float]]
"""The probability of each role of a mention, for each of its meanings."""
Told = Mapping[Mention, Mapping[Meaning, list[str]]]
"""The features of each mention in each of its meanings, in the order of the text."""
Likely = Mapping[Mention, tuple[str, str]]
"""The kind of each mention in its likeliest meaning, and its likeliest role."""


def roles_of(
    passage: Passage, models: Mapping[str, LinearModel], features: Features, limits: Limits
) -> list[list[Role]]:
    """Return the likely roles of each mention, number and sentence, in the order of the text; return [] if there are
    too many of these. A mention that is denied can play only a role in `limits.roles`.

    Each mention is judged twice: by itself, and then again with the likeliest roles of the mentions around it.
    """
    if len(passage.mentions) + len(passage.numbers) > _MOST:
        return []
    told = features_of(passage, features)
    likely = likeliest_roles(told, models)
    known = {
        one: {meaning: [*found, *beside(likely, one)] for meaning, found in meanings.items()}
        for one, meanings in told.items()
    }
    return [
        [role for role in _roles(one, shares) if _may_play(passage, one, role.name, limits)]
        for one, shares in _judged(known, models, AGAIN).items()
    ]


def features_of(passage: Passage, features: Features) -> Told:
    """Return the features of each mention, number and sentence of a passage."""
    places = sorted((*passage.mentions, *passage.numbers, *passage.stops), key=lambda one: (one.start, one.end))
    return {one: {meaning: features(passage, one, meaning) for meaning in one.meanings} for one in places}


def _judged(told: Told, models: Mapping[str, LinearModel], again: str = "") -> dict[Mention, Shares]:
    return {
        one: {meaning: models[meaning[0] + again].shares(found) for meaning, found in meanings.items()}
        for one, meanings in told.items()
    }


def likeliest_roles(told: Told, models: Mapping[str, LinearModel]) -> Likely:
    """Return the likeliest role of each mention, judged by itself."""
    found = dict[Mention, tuple[str, str]]()
    for one, shares in _judged(told, models).items():
        parts = ((part, kind, role) for (kind, _), share in shares.items() for role, part in share.items())
        part, kind, role = max(one for one in parts if one[2] != NO)
        found[one] = (kind, role if part > min(share[NO] for share in shares.values()) else NO)
    return found


def beside(likely: Likely, mention: Mention) -> list[str]:
    """Return the features of a mention by which models judge for the second time: its own likeliest role, and those of
    the mentions beside it, before and after it, and in its sentence. Only empty mentions have other empty ones beside
    them."""
    places = [*likely]
    at, (kind, own) = places.index(mention), likely[mention]
    found = [f"!own {own}"]
    for sign, row in (("<", places[:at][::-1]), (">", places[at + 1 :])):
        near = (one for one in row if one.start < one.end or one.meanings == mention.meanings)
        for distance in (1, 2):
            other = next(near, None)
            told = " ".join(likely[other]) if other else "^"
            is_apart = other is None or other.sentence != mention.sentence
            found.append(f"!{sign}{distance} {told}{' apart' if is_apart else ''}")
        alike = (likely[one][1] for one in row if likely[one][0] == kind and likely[one][1] != NO)
        found.append(f"!{sign}{next(alike, '^')}")
        found += (f"!{sign}in {' '.join(likely[one])}" for one in row if one.sentence == mention.sentence)
    return [*dict.fromkeys(found)]


def _may_play(passage: Passage, mention: Mention, role: str, limits: Limits) -> bool:
    if mention.start == mention.end:
        return True
    return role in limits.roles or not passage.is_denied(mention, limits)


def _roles(mention: Mention, shares: Shares) -> list[Role]:
    none = sum(_log(share[NO]) for share in shares.values())
    roles = [Role(mention, NO, mention.meanings[0], none)]
    for meaning, share in shares.items():
        others = none - _log(share[NO])
        likely = ((name, part) for name, part in share.items() if name != NO and part > _UNLIKELY)
        roles += (Role(mention, name, meaning, others + _log(part)) for name, part in likely)
    return roles


def _log(part: float) -> float:
    return log(max(part, _LEAST))


class Draft(Protocol):
    """Orders that are being put together, and the logarithm of their likelihood."""

    @property
    def score(self) -> float: ...

    def scored(self, score: float, /) -> Self:
        """Return the same draft with another score."""


AnyDraft = TypeVar("AnyDraft", bound=Draft)


def search(
    start: AnyDraft,
    roles: Sequence[Sequence[Role]],
    follow: Callable[[AnyDraft, Role], Iterable[AnyDraft]],
    width: int = _WIDTH,
) -> list[AnyDraft]:
    """Build orders by a beam search, and return the likeliest drafts, best first. Each entry of `roles` contains the
    roles that one mention may play, and `width` drafts are kept after each. `follow` returns the drafts that a draft
    can become if a role is added to it."""
    drafts = [start]
    for choices in roles:
        grown = (
            after
            for draft in drafts
            for role in choices
            for after in follow(draft.scored(draft.score + role.score), role)
        )
        best: dict[AnyDraft, AnyDraft] = {}
        for draft in sorted(grown, key=lambda one: -one.score):
            best.setdefault(draft.scored(0.0), draft)
            if len(best) == width:
                break
        drafts = [*best.values()]
    return [draft for draft in drafts if draft.score > drafts[0].score - _BENT]


AnyOrders = TypeVar("AnyOrders", bound=Hashable)


def likeliest(
    readings: Iterable[tuple[AnyOrders, float]], is_legal: Callable[[AnyOrders], bool]
) -> list[tuple[AnyOrders, float]]:
    """Return the likeliest legal orders, best first, each with its share in the likelihood of all orders that are not
    known to be illegal. The shares add up to at most 1.

    A reading consists of orders and the logarithm of its likelihood. Only the likeliest orders are checked for
    legality.
    """
    totals: defaultdict[AnyOrders, float] = defaultdict(float)
    for orders, score in readings:
        totals[orders] += exp(score)
    ranked = sorted(totals, key=totals.__getitem__, reverse=True)
    legal = [orders for orders in ranked[:_CHECKED] if is_legal(orders)]
    every = sum(totals[one] for one in (*legal, *ranked[_CHECKED:]))  # unchecked orders count against the best ones
    return [(orders, totals[orders] / every) for orders in legal]
