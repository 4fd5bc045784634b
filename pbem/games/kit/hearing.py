"""Hearing orders in everyday words: what a letter names, the part that each name plays, and a search over all readings.

People tell the same order in endless ways, but the names of things are few, and the position allows little. So a game
says what a letter names, and a trained model (`hearing.json`, `tools/train_hearing.py`) judges, from the words around
each name, which role it plays: does this unit go, is that point the target, or is it only mentioned? A beam search
builds orders from the likeliest roles. Readings that the rules forbid are dropped, and the others share the likelihood.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from itertools import pairwise
from math import exp, log
from pathlib import Path
from typing import NamedTuple, Protocol, Self, TypeVar

from pbem.games.kit.linear import LinearModel, loaded

NO = "no"
"""The role of a name that is only mentioned."""

_STEM = 5  # the number of letters that stand for a word, whatever its ending
_NEAR = 3  # the number of tokens on each side of a mention that are features of their own
_UNLIKELY = 0.01  # roles that are less likely are not tried
_LEAST = 1e-4  # the smallest likelihood that counts, so that one odd word does not rule a reading out
_WIDTH = 40  # the number of drafts that the search keeps
_MOST = 40  # the most mentions, numbers and sentences of a letter; one with more is no letter of orders
_CHECKED = 8  # the most readings whose legality is checked
_CONTRACTED = re.compile(r"n['’]t$")
_BREAKS = frozenset(",;:.()-–—")
_EXCEPT = 2  # the most tokens from a word such as "except" to what is excepted
_ADDS = frozenset(("and", "but", "then"))
_JOINS = frozenset(("and", "with", "the", "sign"))
_IDLE = frozenset(("sign", "filler", "the", "digits", "number"))

Meaning = tuple[str, str]
"""A kind of thing, such as `unit`, and the thing: its code or name."""


class Token(NamedTuple):
    """A word or sign in lower case, its cues, which are the names of the order words that it may be, and the number of
    its sentence."""

    text: str
    cues: frozenset[str]
    sentence: int


def token_of(word: str, cues: frozenset[str], sentence: int) -> Token:
    """Make a token of a folded word. A contraction such as "mustn't" is a "not" as well."""
    return Token(word, cues | {"not"} if _CONTRACTED.search(word) else cues, sentence)


class Mention(NamedTuple):
    """Tokens from `start` up to `end` that name something; several `meanings` if the name fits several things."""

    start: int
    end: int
    meanings: tuple[Meaning, ...]
    sentence: int


class Role(NamedTuple):
    """A role that a `mention` may play, its meaning in that role, and the logarithm of the likelihood."""

    mention: Mention
    name: str
    meaning: Meaning
    score: float


class Passage:
    """The tokens of a text, its mentions, and its numbers, which are mentions of the kind `number`."""

    def __init__(self, tokens: Sequence[Token], mentions: Sequence[Mention], numbers: Sequence[Mention] = ()) -> None:
        self.tokens, self.mentions, self.numbers = tokens, mentions, numbers
        self._inside = {at: one for one in mentions for at in range(one.start, one.end)}
        self._bags = {number: self._bag(number) for number in {token.sentence for token in tokens}}

    def sentences(self) -> Iterator[Mention]:
        """Yield an empty mention at the end of each sentence, for orders that name nothing."""
        ends = {token.sentence: at + 1 for at, token in enumerate(self.tokens)}
        yield from (Mention(end, end, (("sentence", ""),), number) for number, end in ends.items())

    def within(self, sentence: int, kind: str) -> list[Mention]:
        """Return the mentions in a sentence that may be of a kind."""
        mentions = (one for one in self.mentions if one.sentence == sentence)
        return [one for one in mentions if any(kind == other for other, _ in one.meanings)]

    def around(self, mention: Mention) -> list[str]:
        """Return the features of the words around a mention: those next to it, those up to the next mention of its kind
        on each side, those of its clause, and those of its sentence."""
        if mention.start == mention.end:
            return self._of_sentence(mention.sentence)
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
        """Yield the stem and the cues of a token; a mention is represented by its kinds alone."""
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

    def _of_sentence(self, sentence: int) -> list[str]:
        words = [token.text[:_STEM] for token in self.tokens if token.sentence == sentence]
        pairs = (f"{one}_{other}" for one, other in pairwise(words))
        named = any(one.sentence == sentence for one in self.mentions)
        return [*dict.fromkeys((*self._bags[sentence], *pairs, "named" if named else "bare"))]

    def _side(self, mention: Mention, step: int) -> Iterator[int]:
        """Yield the places of the tokens up to the next mention of the same kind on one side; mentions that are only
        joined by a word such as "and" count as one."""
        kind, joined = mention.meanings[0][0], True
        for at in self._clause(mention, step, whole=True):
            one = self._inside.get(at)
            if one is None:
                joined &= not self.tokens[at].cues.isdisjoint(_JOINS)
            elif not joined and any(kind == other for other, _ in one.meanings):
                return
            yield at

    def is_denied(self, mention: Mention, limits: "Limits") -> bool:
        """Return whether something that is mentioned is not ordered: its clause denies it or is a condition, it is
        excepted, or the writer leaves the choice between it and another one, as in `M4 or M1`."""
        sides = ((mention.end, mention.end + 1), (mention.start - 1, mention.start - 2))
        chosen = any(self._chooses(at) and other in self._inside for at, other in sides)
        before = self.tokens[max(0, mention.start - _EXCEPT) : mention.start]
        excepted = any("but" in token.cues and token.sentence == mention.sentence for token in before)
        return chosen or excepted or self.has_beside(mention, limits.cues)

    def has_beside(self, mention: Mention, cues: Set[str]) -> bool:
        """Return whether the clause of a mention has one of the cues."""
        places = (at for step in (1, -1) for at in self._clause(mention, step))
        return any(not self.tokens[at].cues.isdisjoint(cues) for at in places if at not in self._inside)

    def _begins_condition(self, at: int) -> bool:
        """Return whether a token joins a condition to what stands before it: `and if ...`."""
        behind = self.tokens[at + 1 : at + 2]
        return not self.tokens[at].cues.isdisjoint(_ADDS) and any("if" in token.cues for token in behind)

    def _chooses(self, at: int) -> bool:
        return 0 <= at < len(self.tokens) and "or" in self.tokens[at].cues

    def _clause(self, mention: Mention, step: int, *, whole: bool = False) -> Iterator[int]:
        """Yield the places of the tokens on one side up to a comma or the like, or of the `whole` rest of the
        sentence."""
        at = mention.end if step > 0 else mention.start - 1
        while 0 <= at < len(self.tokens) and self.tokens[at].sentence == mention.sentence:
            if not whole and (self.tokens[at].text in _BREAKS or self._begins_condition(at)):
                return
            yield at
            at += step


class Limits(NamedTuple):
    """The limits of what letters order, whatever a model says.

    Words with one of the `cues` deny their clause or make it a condition. Names there play no role except one of
    `roles`, such as that of a Hero who recruits nobody.
    """

    cues: frozenset[str]
    roles: frozenset[str]


Features = Callable[[Passage, Mention, Meaning], list[str]]
"""A function that returns everything that a model may know about a mention in one of its meanings."""


@cache
def read_models(path: Path) -> Mapping[str, LinearModel]:
    """Load the shipped model for each kind of thing."""
    return {kind: loaded(model) for kind, model in json.loads(path.read_text(encoding="utf-8")).items()}


def roles_of(
    passage: Passage, models: Mapping[str, LinearModel], features: Features, limits: Limits
) -> list[list[Role]]:
    """Return the likely roles of each mention, number and sentence, in the order of the text; [] if there are too
    many. What its clause denies plays no role."""
    places = sorted((*passage.mentions, *passage.numbers, *passage.sentences()), key=lambda one: (one.start, one.end))
    if len(places) > _MOST:
        return []
    return [
        [role for role in _roles(passage, one, models, features) if _may_play(passage, one, role.name, limits)]
        for one in places
    ]


def _may_play(passage: Passage, mention: Mention, role: str, limits: Limits) -> bool:
    if mention.start == mention.end:
        return True
    return role in limits.roles or not passage.is_denied(mention, limits)


def _roles(passage: Passage, mention: Mention, models: Mapping[str, LinearModel], features: Features) -> list[Role]:
    shares = {meaning: models[meaning[0]].shares(features(passage, mention, meaning)) for meaning in mention.meanings}
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
    start: AnyDraft, roles: Sequence[Sequence[Role]], follow: Callable[[AnyDraft, Role], Iterable[AnyDraft]]
) -> list[AnyDraft]:
    """Return the likeliest drafts, best first. `follow` returns the drafts that a role makes of one."""
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
            if len(best) == _WIDTH:
                break
        drafts = [*best.values()]
    return drafts


AnyOrders = TypeVar("AnyOrders", bound=Hashable)


def likeliest(
    readings: Iterable[tuple[AnyOrders, float]], is_legal: Callable[[AnyOrders], bool]
) -> tuple[AnyOrders | None, float]:
    """Return the likeliest legal orders among some readings, and their share in the likelihood of all that are not
    known to be illegal; (None, 0) if none of the likeliest is legal. Each reading has the logarithm of its
    likelihood."""
    totals: defaultdict[AnyOrders, float] = defaultdict(float)
    for orders, score in readings:
        totals[orders] += exp(score)
    ranked = sorted(totals, key=totals.__getitem__, reverse=True)
    legal = [orders for orders in ranked[:_CHECKED] if is_legal(orders)]
    every = sum(totals[one] for one in (*legal, *ranked[_CHECKED:]))  # those that were not checked count against it
    return (legal[0], totals[legal[0]] / every) if legal else (None, 0.0)
