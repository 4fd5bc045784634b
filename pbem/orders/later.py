"""Orders for later turns in a letter: `next turn: ...`, `turn 6: ...` or, by the name of a round, `T6: ...` with the
lines that follow.

A heading in front of what is no orders stays where it is. What stands behind a block and may be orders, too, could
belong to either turn, and puts the letter in doubt.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from pbem.games.extras import ROUND, is_called
from pbem.games.spelling import caseless
from pbem.i18n.words import alternatives, words
from pbem.orders.command import Later, Words
from pbem.orders.doubt import Doubt
from pbem.orders.lines import Reading

MOST = 20
"""Turns that orders can be kept for."""

_MAX_LINE = 200  # characters of a line with a heading


class Found(NamedTuple):
    """A letter's words without what they hold for later turns; that; and what nobody can be sure of."""

    words: Words
    later: tuple[Later, ...] = ()
    doubts: tuple[Doubt, ...] = ()


class _Block(NamedTuple):
    """A heading with the lines that belong to it: from a line to another, and the turn, 0 for the next one."""

    first: int
    last: int
    turn: int
    text: str


@cache
def _which() -> str:
    """Says which turn is meant."""
    later = {
        kind: alternatives(words("around", kind)) for kind in ("before_turn", "next_turn", "this_turn", "turn_number")
    }
    number = later["turn_number"]
    which = (
        rf"(?P<next>{later['next_turn']})|(?P<this>{later['this_turn']})|{number} *(?P<turn>[1-9]\d{{0,3}})"
        rf"|(?:{number} *)?(?P<name>{ROUND})"
    )
    return rf"(?:{later['before_turn']} +)*(?:{which})\W{{0,3}}?:"


@cache
def _heading() -> re.Pattern[str]:
    return re.compile(rf"\W{{0,4}}{_which()}(?P<rest>.*)", re.I)


@cache
def _within() -> re.Pattern[str]:
    """Finds where a sentence begins, within a line, that says for which turn its orders are."""
    return re.compile(rf"(?<=[.;!]) +(?={_which()})", re.I)


def is_heading(line: str) -> bool:
    """Whether a line says at its beginning for which turn its orders are."""
    return _heading().fullmatch(line) is not None


def _turn(line: str, now: Words) -> int | None:
    """The turn that a heading at a line's beginning names, 0 for the next one; None if there is none."""
    heading = _heading().fullmatch(line) if len(line) <= _MAX_LINE else None
    if heading is None:
        return None
    name = caseless(heading["name"] or "")
    if heading["this"] or (name and is_called(now.round, name)):
        return _today(now)
    if not name:
        return int(heading["turn"] or 0)
    named = name[1:].isdigit() and name[0] == (now.first[:1].casefold() or "t")
    return int(name[1:]) if named else None


def take(found: Words, read: Callable[[str], Reading]) -> Found:
    """A letter's words, and what in them is for later turns; `read` tells what a text of its seat's says."""
    if ":" not in found.rest:
        return Found(found)
    lines = _within().sub("\n", found.rest).split("\n")
    blocks = [one for one in _blocks(lines, found) if _is_orders(read(one.text))]
    if not blocks:
        return Found(found)
    doubts = tuple(Doubt(text, "unread") for text in _beside(lines, blocks) if _is_orders(read(text)))
    past = tuple(Doubt(lines[one.first].strip(), "another turn") for one in blocks if 0 < one.turn < found.turn)
    far = tuple(Doubt(lines[one.first].strip(), "another turn") for one in blocks if one.turn > found.turn + MOST)
    which = tuple(
        Doubt(lines[one.first].strip(), "another turn") for one in blocks if not one.turn and _is_within(found)
    )
    today = [one for one in blocks if one.turn == _today(found)]
    for one in blocks:
        if one in today:
            rest = _rest(lines[one.first])
            lines[one.first] = " " * (len(lines[one.first]) - len(rest)) + rest
        else:
            lines[one.first : one.last] = [" " * len(line) for line in lines[one.first : one.last]]
    kept = tuple(Later(one.turn, one.text) for one in blocks if one not in today)
    unsure = (*doubts, *past, *which, *(far if found.turn else ()), *_twice(kept))
    return Found(found._replace(rest="\n".join(lines)), () if unsure else kept, unsure)


def _today(now: Words) -> int:
    """The number that stands for this turn, whichever it is."""
    return now.turn or -1


def _is_within(now: Words) -> bool:
    """Whether the game stands within a turn: then the next one may be the next round or the next turn."""
    return now.round != now.first


def _rest(line: str) -> str:
    match = _heading().fullmatch(line)
    return match["rest"] if match else line


def _blocks(lines: list[str], now: Words) -> Iterator[_Block]:
    """The blocks of a letter; one of this turn goes on to the end of its paragraph, as the others do."""
    number = 0
    while number < len(lines):
        turn = _turn(lines[number], now)
        if turn is None:
            number += 1
            continue
        rest = _rest(lines[number]).strip()
        end = number + 1 if rest else _end(lines, number + 1, now)
        text = "\n".join((rest, *lines[number + 1 : end])).strip()
        yield _Block(number, end, turn, text)
        number = end


def _end(lines: list[str], at: int, now: Words) -> int:
    """Where the paragraph ends that begins at a line, or behind empty ones, or at the next heading."""
    while at < len(lines) and not lines[at].strip():
        at += 1
    while at < len(lines) and lines[at].strip() and _turn(lines[at], now) is None:
        at += 1
    return at


def _beside(lines: list[str], blocks: list[_Block]) -> Iterator[str]:
    """The lines behind the first block that belong to none: of which turn are they?"""
    within = {at for one in blocks for at in range(one.first, one.last)}
    yield from (lines[at] for at in range(blocks[0].first, len(lines)) if at not in within and lines[at].strip())


def _twice(kept: tuple[Later, ...]) -> tuple[Doubt, ...]:
    """The same turn, twice."""
    turns = [one.turn for one in kept]
    return tuple(Doubt(one.text.split("\n")[0], "twice") for one in kept if turns.count(one.turn) > 1)


def _is_orders(reading: Reading) -> bool:
    return not reading.standing and (reading.orders is not None or bool(reading.mistakes or reading.readings))
