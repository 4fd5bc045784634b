"""Headings of orders in a letter, and the turns to which the orders belong.

A heading such as "My orders:" or "Hi Bob, here are my new orders: ..." announces the orders of a letter. The name of
another match may also be a heading. A heading such as `next turn: ...`, `turn 6: ...` or, with the name of a round,
`T6: ...` names the turn to which the lines below belong.

The words are data: `[heading]` in `locale/<language>/ambiguity.toml`. A heading for a later turn is ignored if the text
after it is not orders. If text below the lines that belong to such a heading may also be orders, it could belong to
either turn, which puts the letter in doubt.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from pbem.games.capabilities import ROUND, means_round
from pbem.games.spelling import caseless
from pbem.i18n.words import alternatives, pattern, words
from pbem.orders.ambiguity import WORD, Doubt, folded, is_greeting, phrases
from pbem.orders.command import Later, LetterText
from pbem.orders.lines import Reading
from pbem.orders.situation import AnySituation

_APART = re.compile(r"[,.!]")
_MOST = 80  # the maximum number of characters in a heading


def without_heading(situation: AnySituation, letter: LetterText) -> LetterText:
    """Return `letter` with blanks in place of a heading above all its orders. Only greetings may come before such a
    heading.

    The blanks keep all other text in its place.
    """
    lines = letter.rest.split("\n")
    number = next((at for at, line in enumerate(lines) if line.strip() and not is_greeting(line)), 0)
    line, alone = lines[number].rstrip(), not any(map(str.strip, lines[number + 1 :]))
    ends = [heading.end() for heading in _heading_end().finditer(line[: _MOST + 1])]
    whole = [len(line)] if not alone and len(line) <= _MOST else []
    end = next((end for end in (*whole, *reversed(ends)) if _announces(line[:end], letter.turn)), 0)
    if not end or situation.is_order(line):
        return letter
    lines[number] = " " * end + line[end:]
    return letter._replace(rest="\n".join(lines))


@cache
def _heading_end() -> re.Pattern[str]:
    """Return a pattern for the end of a heading: a colon that is not part of a smiley, or a word such as "are"."""
    return re.compile(rf":(?!\S?\))|(?<!\w){alternatives(phrases('heading', 'ends'))}(?!\w|:)", re.I)


def _announces(heading: str, turn: int) -> bool:
    *before, title = _APART.split(heading.rstrip(": "))
    title_words = frozenset(WORD.findall(folded(title)))
    title_words -= {str(turn)} if turn and not title_words.isdisjoint(phrases("heading", "turns")) else set()
    alone = frozenset(phrases("heading", "alone"))
    names = alone.union(phrases("heading", "names"))
    beside = names.union(phrases("heading", "beside"), phrases("heading", "turns"))
    if title_words.isdisjoint(names) or not title_words <= beside:
        return False
    # "Move:" may begin an order.
    kind = (is_greeting(part) or beside.issuperset(WORD.findall(folded(part))) for part in before)
    return all(kind) and (len(title_words) > 1 or not title_words.isdisjoint(alone))


def another_game(lines: Sequence[str], name: str) -> str:
    """Return the first match, other than `name`, whose name is a whole line or precedes a colon at the start of a line;
    "" if there is no such match.

    People who play two matches often answer a letter from the wrong one.
    """
    kind = re.escape(name.rpartition("-")[0])
    heading = re.compile(rf"\W*(?:{pattern('around', 'game')}\b\W*)*({kind}-\d{{1,9}})\W*(?::|$)", re.I)
    named = (hit[1].lower() for line in lines if (hit := heading.match(line)))
    return next((named_match for named_match in named if named_match != name), "")


MOST = 20
"""The maximum number of turns ahead for which orders can be kept."""

_MAX_LINE = 600  # the maximum number of characters in a line with a heading
_READ = 2 * MOST  # the maximum number of blocks that are read; any others count as orders, so that the writer is asked


class NowAndLater(NamedTuple):
    """A letter without its orders for later turns; the orders for later turns; and doubts about which turn some lines
    are for."""

    letter: LetterText
    later: tuple[Later, ...] = ()
    doubts: tuple[Doubt, ...] = ()


class _Block(NamedTuple):
    """A heading and the orders that belong to it.

    The block extends from line `first` up to but not including line `last`. `turn` is the turn that the heading names,
    or 0 for the next turn. `text` is everything after the heading.
    """

    first: int
    last: int
    turn: int
    text: str


@cache
def _which() -> str:
    """Return a regular expression for the words of a heading that name a turn."""
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
    """Return a pattern for the blanks, inside a line, before a sentence that begins by naming a turn."""
    return re.compile(rf"(?<=[.;!]) +(?={_which()})", re.I)


def is_heading(line: str) -> bool:
    """Return whether `line` begins by naming the turn of its orders."""
    return _heading().fullmatch(line) is not None


def heading_of(line: str) -> tuple[str, str]:
    """Return the words at the start of `line` that name the turn of its orders, or "", and the rest of the line. The
    present turn is always called `this turn`."""
    heading = _heading().fullmatch(line) if len(line) <= _MAX_LINE else None
    if heading is None:
        return "", line
    named = words("around", "this_turn")[0] if heading["this"] else line[: heading.start("rest")].strip(" :")
    return named, heading["rest"]


def _turn(line: str, now: LetterText) -> int | None:
    """Return the turn that a heading at the start of `line` names, with 0 for the next turn; None if there is no such
    heading."""
    heading = _heading().fullmatch(line) if len(line) <= _MAX_LINE else None
    if heading is None:
        return None
    name = caseless(heading["name"] or "")
    if heading["this"] or (name and means_round(now.round, name)):
        return _today(now)
    if not name:
        return int(heading["turn"] or 0)
    named = name[1:].isdigit() and name[0] == (now.first[:1].casefold() or "t")
    return int(name[1:]) if named else None


def take_later(letter: LetterText, read: Callable[[str], Reading]) -> NowAndLater:
    """Take the orders for later turns out of `letter`. The function `read` reads the orders in a text from the
    standpoint of the seat that wrote the letter."""
    if ":" not in letter.rest:
        return NowAndLater(letter)
    lines = _within().sub("\n", letter.rest).split("\n")
    blocks, standing = list[_Block](), list[_Block]()
    for number, block in enumerate(_blocks(lines, letter)):
        reading = read(block.text) if number < _READ else Reading()
        if number >= _READ or reading.standing or is_orders(reading):
            blocks.append(block)
        if reading.standing:
            standing.append(block)
    if not blocks:
        return NowAndLater(letter)
    doubts = tuple(Doubt(text, "unread") for text in _beside(lines, blocks) if is_orders(read(text)))
    past = tuple(Doubt(lines[block.first].strip(), "another turn") for block in blocks if 0 < block.turn < letter.turn)
    far = tuple(
        Doubt(lines[block.first].strip(), "another turn") for block in blocks if block.turn > letter.turn + MOST
    )
    which = tuple(
        Doubt(lines[block.first].strip(), "another turn")
        for block in blocks
        if not block.turn and letter.round != letter.first
    )
    today = [block for block in blocks if block.turn == _today(letter)]
    lasting = tuple(Doubt(block.text.split("\n")[0], "lasting") for block in standing if block not in today)
    for block in blocks:
        if block in today:
            rest = _rest(lines[block.first])
            lines[block.first] = " " * (len(lines[block.first]) - len(rest)) + rest
        else:
            lines[block.first : block.last] = [" " * len(line) for line in lines[block.first : block.last]]
    later = tuple(Later(block.turn, block.text) for block in blocks if block not in today)
    unsure = (*doubts, *past, *which, *lasting, *(far if letter.turn else ()), *_twice(later))
    return NowAndLater(letter._replace(rest="\n".join(lines)), () if unsure else later, unsure)


def _today(now: LetterText) -> int:
    """Return the number of the current turn, or -1 if the turn is unknown."""
    return now.turn or -1


def _rest(line: str) -> str:
    match = _heading().fullmatch(line)
    return match["rest"] if match else line


def _blocks(lines: list[str], now: LetterText) -> Iterator[_Block]:
    """Yield the blocks of a letter, given its lines. A heading with text after it on its line is a block by itself; any
    other heading forms a block with the paragraph below it."""
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


def _end(lines: list[str], at: int, now: LetterText) -> int:
    """Return the number of the line after the paragraph that begins at line `at` or, if that line is blank, below it.
    The next heading also ends the paragraph."""
    while at < len(lines) and not lines[at].strip():
        at += 1
    while at < len(lines) and lines[at].strip() and _turn(lines[at], now) is None:
        at += 1
    return at


def _beside(lines: list[str], blocks: list[_Block]) -> Iterator[str]:
    """Yield the lines below the first heading that belong to no block. It is unclear which turn such a line is for."""
    within = {at for block in blocks for at in range(block.first, block.last)}
    yield from (lines[at] for at in range(blocks[0].first, len(lines)) if at not in within and lines[at].strip())


def _twice(later: tuple[Later, ...]) -> tuple[Doubt, ...]:
    """Return a doubt about each entry of `later` that is for the same turn as an entry before it."""
    turns = [entry.turn for entry in later]
    return tuple(
        Doubt(entry.text.split("\n")[0], "two sets") for at, entry in enumerate(later) if entry.turn in turns[:at]
    )


def is_orders(reading: Reading) -> bool:
    """Return whether a text with this reading consists of orders, legal or not, and no standing orders."""
    return not reading.standing and (reading.orders is not None or bool(reading.mistakes or reading.readings))
