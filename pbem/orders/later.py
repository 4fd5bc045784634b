"""Orders for later turns in a letter: `next turn: ...`, or `turn 6: ...` with the lines that follow.

A heading in front of what is no orders stays where it is. What stands behind a block and may be orders, too, could
belong to either turn, and puts the letter in doubt.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from pbem.i18n.words import alternatives, words
from pbem.orders.command import Later, Words
from pbem.orders.doubt import Doubt
from pbem.orders.lines import Reading
from pbem.patterns import compiled

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
def _heading() -> re.Pattern[str]:
    later = {
        kind: alternatives(words("around", kind)) for kind in ("before_turn", "next_turn", "this_turn", "turn_number")
    }
    which = (
        rf"(?P<next>{later['next_turn']})|(?P<this>{later['this_turn']})|{later['turn_number']} *(?P<turn>\d{{1,4}})"
    )
    return compiled(rf"\W{{0,4}}(?:{later['before_turn']} +)*(?:{which})\W{{0,3}}?:(?P<rest>.*)", re.I)


def is_heading(line: str) -> bool:
    """Whether what stands behind a line's beginning is for a turn that it names."""
    return _heading().fullmatch(line) is not None


def take(found: Words, read: Callable[[str], Reading]) -> Found:
    """A letter's words, and what in them is for later turns; `read` tells what a text of its seat's says."""
    if ":" not in found.rest:
        return Found(found)
    lines = found.rest.split("\n")
    blocks = [one for one in _blocks(lines, found.turn) if _is_orders(read(one.text))]
    if not blocks:
        return Found(found)
    doubts = tuple(Doubt(text, "other") for text in _beside(lines, blocks) if _is_orders(read(text)))
    past = tuple(Doubt(lines[one.first].strip(), "other") for one in blocks if 0 < one.turn < found.turn)
    far = tuple(Doubt(lines[one.first].strip(), "other") for one in blocks if one.turn > found.turn + MOST)
    today = [one for one in blocks if one.turn == _today(found.turn)]
    for one in blocks:
        if one in today:
            rest = _rest(lines[one.first])
            lines[one.first] = " " * (len(lines[one.first]) - len(rest)) + rest
        else:
            lines[one.first : one.last] = [" " * len(line) for line in lines[one.first : one.last]]
    kept = tuple(Later(one.turn, one.text) for one in blocks if one not in today)
    unsure = (*doubts, *past, *(far if found.turn else ()), *_twice(kept))
    return Found(found._replace(rest="\n".join(lines)), () if unsure else kept, unsure)


def _today(now: int) -> int:
    """The number that stands for this turn, whichever it is."""
    return now or -1


def _rest(line: str) -> str:
    match = _heading().fullmatch(line)
    return match["rest"] if match else line


def _blocks(lines: list[str], now: int) -> Iterator[_Block]:
    """The blocks of a letter; one of this turn goes on to the end of its paragraph, as the others do."""
    number = 0
    while number < len(lines):
        match = _heading().fullmatch(lines[number]) if len(lines[number]) <= _MAX_LINE else None
        if match is None:
            number += 1
            continue
        end = number + 1 if match["rest"].strip() else _end(lines, number + 1)
        text = "\n".join((match["rest"].strip(), *lines[number + 1 : end])).strip()
        yield _Block(number, end, _today(now) if match["this"] else int(match["turn"] or 0), text)
        number = end


def _end(lines: list[str], at: int) -> int:
    """Where the paragraph ends that begins at a line, or behind empty ones, or at the next heading."""
    while at < len(lines) and not lines[at].strip():
        at += 1
    while at < len(lines) and lines[at].strip() and not is_heading(lines[at]):
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
