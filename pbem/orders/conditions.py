"""Orders with a condition, such as `if Blue holds S: 3 M to H, else 3 M to S`, and wishes with one, such as `if I lose
Mu I resign`.

The game says whether a text is a condition and whether it is met (`KnowsConditions`); this module only knows the words
around it: `[around]` and `[wishes]` in `locale/<language>/words.toml`. Without a turn, orders with a condition are for
the next turn. Anything that is not a condition followed by orders or by a wish is read as any other line.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from pbem.games.base import AnyGame
from pbem.games.capabilities import KnowsConditions
from pbem.i18n.words import alternatives, pattern, words
from pbem.orders.command import ANY_TURN, Checked, Choice, Later, LetterText
from pbem.orders.headings import heading_of, is_orders
from pbem.orders.lines import Reading
from pbem.orders.situation import AnyStandpoint

_MOST = 5  # the most conditions of one turn, as in `if ...: ..., else if ...: ..., else ...`
_LONGEST = 120  # the most characters in a condition
_MOST_LINES = 250


class Wish(NamedTuple):
    """What a seat wants if a condition is met: the condition, whether it is met, and `resign` or `draw`."""

    condition: str
    is_met: bool
    word: str


def choose(standpoint: AnyStandpoint, text: str) -> Choice | None:
    """Return what follows from `text` in the present position; None if `text` is not orders with a condition."""
    checked: list[Checked] = []
    while len(checked) < _MOST and (parts := _parts(standpoint, text)):
        condition, is_met, then, text = parts
        checked.append(Checked(condition, is_met))
        if is_met:
            return Choice(tuple(checked), then)
    return Choice(tuple(checked), text) if checked else None


def branches(standpoint: AnyStandpoint, text: str) -> tuple[str, ...]:
    """Return the texts of all orders in `text` that may apply, one for each case; `text` itself if it has no
    condition."""
    found: list[str] = []
    while len(found) < _MOST and (parts := _parts(standpoint, text)):
        then, text = parts[2:]
        found.append(then)
    return (*found, *filter(None, [text])) if found else (text,)


def wish(standpoint: AnyStandpoint, line: str) -> Wish | None:
    """Return the wish with a condition that `line` consists of, if any."""
    game = _knowing(standpoint.game)
    for word, shape in _wishes() if game and len(line) <= 2 * _LONGEST else ():
        if parts := shape.fullmatch(line):
            condition = parts["condition"] or parts["behind"]
            is_met = game.holds(standpoint.state, standpoint.seat, condition) if game else None
            if is_met is not None:
                return Wish(condition, is_met, word)
    return None


def take_wishes(standpoint: AnyStandpoint, letter: LetterText) -> tuple[LetterText, tuple[Later, ...]]:
    """Take the lines that are wishes with a condition out of `letter`; return them as entries for any turn."""
    if not _may_have(standpoint.game, letter.rest):
        return letter, ()
    lines, taken = letter.rest.split("\n"), list[Later]()
    for number, line in enumerate(lines):
        if wish(standpoint, line.strip()):
            taken.append(Later(ANY_TURN, line.strip()))
            lines[number] = " " * len(line)
    return letter._replace(rest="\n".join(lines)), tuple(taken)


def with_turns(standpoint: AnyStandpoint, letter: LetterText, read: Callable[[str], Reading]) -> LetterText:
    """Return `letter` with all orders with a condition on one line each, behind the turn that they are for: the turn
    that a heading names, otherwise the next turn. All cases must be orders, as the function `read` reads them."""
    if not _may_have(standpoint.game, letter.rest) or ":" not in letter.rest:
        return letter
    lines = letter.rest.split("\n")[:_MOST_LINES]
    for first, last, heading in _blocks(lines):
        text = _joined([heading_of(lines[first])[1], *lines[first + 1 : last]])
        if _are_orders(standpoint, text, read):
            lines[first] = f"{heading}: {text}"
            lines[first + 1 : last] = [""] * (last - first - 1)
    return letter._replace(rest="\n".join([*lines, *letter.rest.split("\n")[_MOST_LINES:]]))


def decided(
    standpoint: AnyStandpoint, letter: LetterText, read: Callable[[str], Reading]
) -> tuple[LetterText, tuple[Choice, ...]]:
    """Return `letter` with the orders that apply now in place of each line of orders with a condition that is left in
    it, and what was decided. The parameters are those of `with_turns`."""
    if not _may_have(standpoint.game, letter.rest):
        return letter, ()
    lines, choices = letter.rest.split("\n"), list[Choice]()
    for number, line in enumerate(lines):
        if _are_orders(standpoint, line.strip(), read) and (choice := choose(standpoint, line.strip())):
            choices.append(choice)
            lines[number] = choice.orders
    return letter._replace(rest="\n".join(lines)), tuple(choices)


def _are_orders(standpoint: AnyStandpoint, text: str, read: Callable[[str], Reading]) -> bool:
    """Return whether `text` has a condition, and is orders in all cases."""
    cases = branches(standpoint, text)
    return cases != (text,) and all(case and is_orders(read(case)) for case in cases)


def _parts(standpoint: AnyStandpoint, text: str) -> tuple[str, bool, str, str] | None:
    """Return the first condition of `text`, whether it is met, the orders for this case, and the text for any other
    case; None if `text` does not begin with a condition."""
    game, begun = _knowing(standpoint.game), _begins().match(text)
    if game is None or begun is None:
        return None
    is_met = game.holds(standpoint.state, standpoint.seat, begun["condition"])
    if is_met is None:
        return None
    then, *others = _else().split(text[begun.end() :], maxsplit=1)
    return begun["condition"], is_met, then.strip(), "".join(others).strip()


def _blocks(lines: list[str]) -> Iterator[tuple[int, int, str]]:
    """Yield, for each place in `lines` that may be orders with a condition, the numbers of its first line and of the
    line after its last, and the heading that names its turn. A heading on a line of its own is part of the place."""
    number = 0
    while number < len(lines):
        first, (heading, rest) = number, heading_of(lines[number])
        if heading and not rest.strip():  # the orders begin on the next line with words
            number = next((at for at in range(number + 1, len(lines)) if lines[at].strip()), number)
            rest = lines[number]
        if _begins().match(rest.strip()):
            number = _end(lines, number)
            yield first, number, heading or words("around", "next_turn")[0]
        elif number == first or not heading_of(rest)[0]:
            number += 1


def _end(lines: list[str], first: int) -> int:
    """Return the number of the line after the orders with a condition that begin in line `first`. They go on after a
    colon, a comma or a semicolon at the end of a line, and before a line that begins with `else`."""
    is_list, at = lines[first].rstrip().endswith(":"), first + 1
    while at < len(lines) and lines[at].strip() and not heading_of(lines[at])[0]:
        if _else().match(lines[at]):
            is_list = lines[at].strip(" :").casefold() in words("around", "else") or lines[at].rstrip().endswith(":")
        elif _begins().match(lines[at]) or not (is_list or lines[at - 1].rstrip().endswith((",", ";"))):
            break
        at += 1
    return at


def _joined(lines: list[str]) -> str:
    """Return `lines` of orders on one line."""
    text = ""
    for line in filter(None, map(str.strip, lines)):
        text += f"{'' if not text else ' ' if text.endswith((':', ',', ';')) else '; '}{line}"
    return text


@cache
def _knowing(game: AnyGame) -> KnowsConditions | None:
    return game if isinstance(game, KnowsConditions) else None


def _may_have(game: AnyGame, text: str) -> bool:
    """Return whether `text` may contain a condition. The check is quick but not exact."""
    return _knowing(game) is not None and re.search(_if(), text, re.I) is not None


@cache
def _if() -> str:
    return rf"\b{alternatives(('if', *words('commands', 'if')))}\b"


@cache
def _begins() -> re.Pattern[str]:
    """Return a pattern for the beginning of orders with a condition, up to the colon."""
    return re.compile(rf"\W{{0,4}}{_if()} +(?P<condition>[^:\n]{{1,{_LONGEST}}}?) *: *", re.I)


@cache
def _else() -> re.Pattern[str]:
    return re.compile(rf"[\s,;.–—-]*\b{pattern('around', 'else')}\b[\s:,]*", re.I)


@cache
def _wishes() -> tuple[tuple[str, re.Pattern[str]], ...]:
    condition = rf"(?P<{{}}>[^:,\n]{{{{1,{_LONGEST}}}}}?)"
    before, behind = condition.format("condition"), condition.format("behind")
    shapes = ((word, pattern("wishes", word)) for word in ("resign", "draw"))
    return tuple(
        (word, re.compile(rf"\W*(?:{_if()} +{before}[ ,:;–—-]+{said}|{said},? +{_if()} +{behind}) *[.!]*", re.I))
        for word, said in shapes
    )
