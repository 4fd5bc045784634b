"""What may be chosen where a writer offers something in the place of his orders: `3 A to M or 2 A to Z`.

Only what is written is offered: each way whole, and none where a part of it is not read, or is conditioned, negated or
asked about as well.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, combinations
from typing import Any

from pbem.games.base import AnyGame, Seat
from pbem.games.extras import reads_clauses
from pbem.i18n.words import alternatives
from pbem.orders import doubt
from pbem.orders.doubt_words import folded, phrases
from pbem.orders.lines import read_text
from pbem.patterns import compiled

_STEM = 4  # letters with which words of one meaning begin
_MOST = 4  # of what is offered
_ITEM = compiled(r"[,;\n]\s*")
_SIGNS = " \t,;.:!?()-–—"
_GAP = compiled(r"[ ,]+")
_LETTERS, _DIGITS = compiled(r"[^\W\d_]+"), compiled(r"\d+")


def choices(game: AnyGame, state: Any, seat: Seat, lines: Sequence[str]) -> tuple[str, ...]:
    """The orders to choose from, in canonical form; nothing unless one sentence of these lines offers others, or asks
    whether what it says can be."""
    sentences = [one for line in lines for one in doubt.sentences(line)]
    offering = [one for one in sentences if doubt.turns(one)]
    how = doubt.turns(offering[0]) if len(offering) == 1 else None
    if how not in ("alternative", "correction", "later", "negation", "question"):
        return ()
    place = end = sentences.index(offering[0])
    offer = offering[0]
    if how == "correction" and not any(map(_bare, doubt.ways(offer))) and end + 1 < len(sentences):
        end += 1  # "Forget that. 2 W to M"
        offer = f"{_bare(offer)}, {sentences[end]}"
    before, after = ("\n".join(map(_bare, some)) for some in (sentences[:place], sentences[end + 1 :]))

    def read(text: str) -> Any | None:
        return _orders_of(game, state, seat, text)

    def can_be_read(text: str) -> bool:
        return read(text) is not None

    def is_named(text: str) -> bool:
        return can_be_read(text) or bool(game.names_in(state, f"x {text}"))

    def is_no_verb(text: str) -> bool:
        return bool(game.names_in(state, f"x {text}")) or not game.is_about(state, folded(text))

    opening = None if before else _opening("instead").match(offer)
    ways = _behind(_bare(offer[opening.end() :]), is_named, can_be_read) if opening else ()
    texts: Iterable[str] = [f"{way}\n{after}" for way in ways]
    texts = texts or _of_sentence(_without_asking(offer), before, after, is_no_verb, can_be_read)

    def found_in(texts: Iterable[str]) -> tuple[str, ...]:
        meant = map(read, texts)
        return tuple(dict.fromkeys(str(orders) for orders in meant if orders is not None))[:_MOST]

    if ways := found_in(texts):
        return ways
    rest = found_in([f"{before}\n{after}"])
    return () if rest and says_otherwise(game, state, rest[0], offer) else rest


def says_otherwise(game: AnyGame, state: Any, orders: str, sentence: str) -> bool:
    """Whether a sentence beside orders says what is meant in the place of some of them, or forbids what they say; then
    they are what nobody means."""
    how = doubt.turns(sentence)
    if how in ("correction", "alternative") and doubt.counts_or_names(game, state, sentence):
        return True
    if how not in ("correction", "negation"):
        return False
    if not set(game.names_in(state, f"x {sentence}")).isdisjoint(game.names_in(state, orders)):
        return True
    begun = {word[:_STEM] for word in _LETTERS.findall(folded(orders)) if len(word) >= _STEM}
    return any(word[:_STEM] in begun for word in _LETTERS.findall(folded(sentence)))


def _orders_of(game: AnyGame, state: Any, seat: Seat, text: str) -> Any | None:
    """The orders that a text says, in notation or in everyday sentences; None if that is not one thing."""
    orders = read_text(game, state, seat, text).orders
    clauses = reads_clauses(game)
    said = [*doubt.sentences(text)]
    if orders is not None or not clauses or not said or not all(clauses.explains(state, one) for one in said):
        return orders
    found = clauses.readings(state, seat, said)
    return read_text(game, state, seat, found[0]).orders if len(found) == 1 else None


def _of_sentence(
    sentence: str, before: str, after: str, is_named: Callable[[str], bool], can_be_read: Callable[[str], bool]
) -> Iterable[str]:
    """What a sentence offers between others, as texts; what it says itself if nothing is offered in its place, and it
    does not forbid: `3 A to M?`, but not `no, 3 A to M`."""
    forbids = doubt.turns(sentence) == "negation"
    begun, *others = map(_bare, doubt.ways(sentence))
    others = [way for way in others if way]
    if not all(can_be_read(way) or is_named(way) for way in others):
        return ()  # "no bomb" offers none
    if any(map(doubt.turns, filter(None, (begun, *others)))):
        return ()
    if forbids and not (others and (begun or before)):
        return ()
    if not others:
        return (f"{before}\n{begun}\n{after}",) if can_be_read(begun) else ()
    first = begun
    if begun and not can_be_read(begun):
        kept, last = _parted(begun)
        last = _completed(last, others[0], can_be_read)
        first = last and kept + last
    said = "\n".join(filter(None, (before, first)))
    if not said and not begun:
        return (f"{way}\n{after}" for way in others if all(map(can_be_read, others)))
    ways = [_completed(way, _parted(said)[1], can_be_read) for way in others]
    if not (said and all(ways)) or (begun and not first):
        return ()
    texts = _texts(said, ways, after)
    if not begun:  # a sentence of its own may say what comes to the others
        texts = chain(texts, (f"{said}\n{way}\n{after}" for way in ways))
    return texts


def _behind(text: str, is_named: Callable[[str], bool], can_be_read: Callable[[str], bool]) -> Sequence[str]:
    """What is said in the place of something else: `EC bomb HC`, `2 A to AC to 1 A to AC`; nothing if it is not clear
    where that ends."""
    gaps = [found.span() for found in _GAP.finditer(text)]
    ways = [text[end:] for start, end in gaps if is_named(text[:start]) and can_be_read(text[end:])]
    return ways if len(ways) == 1 else ()


def _without_asking(sentence: str) -> str:
    """A sentence without what leaves the choice to somebody else: `..., you choose`, `...?`"""
    return _bare(_closing().sub("", _bare(sentence)))


@cache
def _closing() -> re.Pattern[str]:
    return compiled(rf"[ ,;:–—-]+{alternatives(phrases('choice', 'closing'))}\W*$", re.I)


@cache
def _opening(kind: str) -> re.Pattern[str]:
    return compiled(rf"\W*{alternatives(phrases('choice', kind))}(?!\w)\W*", re.I)


def _parted(text: str) -> tuple[str, str]:
    """A text in two, the second its last item."""
    start = max((found.end() for found in _ITEM.finditer(text)), default=0)
    return text[:start], text[start:]


def _completed(way: str, other: str, can_be_read: Callable[[str], bool]) -> str:
    """A way that can be read, one with the words that it shares with the other if need be: `or WC`; "" for none."""
    if can_be_read(way):
        return way
    words, model = way.split(), other.split()
    front, back = model[: len(words)], model[-len(words) :]
    longer = {" ".join(words + model[len(words) :]): front, " ".join(model[: -len(words)] + words): back}
    found = [text for text in longer if len(text.split()) == len(model) and can_be_read(text)]
    if len(found) > 1:  # "M2-M1" stands for "M2-M4", and not for "Move"
        found = [text for text in found if _shape(longer[text]) == _shape(words)]
    return found[0] if len(found) == 1 else ""


def _shape(words: Sequence[str]) -> str:
    """What kinds of letters and signs words are made of."""
    return _DIGITS.sub("0", _LETTERS.sub("a", " ".join(words)))


def _texts(said: str, ways: Sequence[str], after: str) -> Iterator[str]:
    """What may be meant, the likeliest first: what was said first, or another way in the place of its last item or of
    all of it."""
    yield f"{said}\n{after}"
    for way in ways:
        yield f"{_parted(said)[0]}{way}\n{after}"
        yield way


def _bare(text: str) -> str:
    """A text without the signs around it, and without what is polite behind and before it."""
    text = text.strip(_SIGNS)
    while kind := _polite().match(text) or _thanks().search(text):
        text = (text[: kind.start()] + text[kind.end() :]).strip(_SIGNS)
    return text


@cache
def _polite() -> re.Pattern[str]:
    return compiled(rf"{alternatives(phrases('courtesy', 'words'))}(?!\w)", re.I)


@cache
def _thanks() -> re.Pattern[str]:
    return compiled(rf"(?<!\w){alternatives(phrases('courtesy', 'words'))}$", re.I)


def offered(game: AnyGame, state: Any, seat: Seat, lines: Sequence[str]) -> tuple[str, ...]:
    """The orders that a letter in doubt may mean: of each line alone, and of more of them together."""
    some = lines[:_MOST]
    chosen = [group for size in range(1, len(some) + 1) for group in combinations(some, size)]
    found: dict[str, None] = {}
    for group in chosen:
        meant = read_text(game, state, seat, "\n".join(group))
        if meant.orders is not None:
            found[str(meant.orders)] = None
    return tuple(found)[:_MOST]
