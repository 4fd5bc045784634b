"""Orders with a condition, such as `if Blue holds S: 3 M to W, else 3 M to S`, and wishes with one, such as `if I lose
Mu I resign`.

The game says whether a text is a condition and whether it is met (`KnowsConditions`); this module only knows the words
around it: `[around]` and `[wishes]` in `locale/<language>/words.toml`. Without a turn, orders with a condition are for
the next turn. Anything that is not a condition followed by orders or by a wish is read as any other line.

A colon says where a condition ends. Without one, as in `If Blue holds S, 3 M to H`, the longest text that the game
reads as a condition counts, and the orders behind it must be in its notation.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from pbem.games.base import AnyGame
from pbem.games.capabilities import KnowsConditions
from pbem.i18n.languages import say_in
from pbem.i18n.words import ENGLISH, alternatives, files, pattern, words
from pbem.orders.command import ANY_TURN, Checked, Choice, Later, LetterText
from pbem.orders.grammar import line_start
from pbem.orders.headings import heading_of, is_orders
from pbem.orders.lines import Reading
from pbem.orders.situation import AnyStandpoint

_MOST = 5  # the most conditions of one turn, as in `if ...: ..., else if ...: ..., else ...`
_LONGEST = 120  # the most characters in a condition
_MOST_LINES = 250
_LONGEST_TEXT = 500  # the most characters of orders with conditions, which stand on one line behind their turn
_APART = re.compile(r"[\s,;]")  # where a condition may end
_SIGNS = " \t,;–—-"  # what may stand between a condition and orders


class _Parts(NamedTuple):
    """A text that begins with a condition: the condition, whether it is met, the orders for this case, and the text for
    any other case. `has_colon` is true if a colon ends the condition."""

    condition: str
    is_met: bool
    then: str
    otherwise: str
    has_colon: bool


class Wish(NamedTuple):
    """What a seat wants if a condition is met: the condition, whether it is met, and `resign` or `draw`."""

    condition: str
    is_met: bool
    word: str


def choose(standpoint: AnyStandpoint, text: str) -> Choice | None:
    """Return what follows from `text` in the present position; None if `text` is not orders with a condition."""
    checked: list[Checked] = []
    while len(checked) < _MOST and (parts := _parts(standpoint, text)):
        text = parts.otherwise
        checked.append(Checked(parts.condition, parts.is_met))
        if parts.is_met:
            return Choice(tuple(checked), parts.then)
    return Choice(tuple(checked), text) if checked else None


def branches(standpoint: AnyStandpoint, text: str) -> tuple[str, ...]:
    """Return the texts of all orders in `text` that may apply, one for each case; `text` itself if it has no
    condition."""
    found: list[str] = []
    while len(found) < _MOST and (parts := _parts(standpoint, text)):
        text = parts.otherwise
        found.append(parts.then)
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
        text = _with_sides(standpoint, letter, line.strip())
        if wish(standpoint, text):
            taken.append(Later(ANY_TURN, text))
            lines[number] = " " * len(line)
    return letter._replace(rest="\n".join(lines)), tuple(taken)


def is_shaped_like_wish(line: str) -> bool:
    """Return whether `line` has the form of a wish with a condition, whether or not a game can read the condition."""
    return len(line) <= 2 * _LONGEST and any(shape.fullmatch(line.strip()) for _, shape in _wishes())


def seem_meant(standpoint: AnyStandpoint, text: str) -> bool:
    """Return whether a line of `text` seems to have a condition with orders or with a wish, in whatever form. The check
    is not exact: it is for a sentence in the answer to a letter from which nothing was taken."""
    lines = text.split("\n")[:_MOST_LINES]
    found = ((line, word) for line in lines if len(line) <= 2 * _LONGEST and (word := re.search(_if(), line, re.I)))
    return any(
        is_shaped_like_wish(line)
        or (_begins().match(line) and ":" in line)
        or (re.search(r"[:\d]", line) and standpoint.names_within(line[word.end() :]))
        for line, word in found
    )


def with_turns(standpoint: AnyStandpoint, letter: LetterText, read: Callable[[str], Reading]) -> LetterText:
    """Return `letter` with all orders with a condition on one line each, behind the turn that they are for: the turn
    that a heading names, otherwise the next turn. All cases must be orders, as the function `read` reads them."""
    if not _may_have(standpoint.game, letter.rest):
        return letter
    lines = letter.rest.split("\n")[:_MOST_LINES]
    named = [_with_sides(standpoint, letter, line) for line in lines]
    for first, last, heading in _blocks(standpoint, named):
        text = _joined(standpoint, [heading_of(named[first])[1], *named[first + 1 : last]])
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
    """Return whether `text` has a condition, and is orders in all cases. Without a colon behind the condition, they
    must be in the notation of the game, because many sentences begin like this."""
    parts = _parts(standpoint, text)
    cases = branches(standpoint, text) if parts else ()
    if not parts or len(text) > _LONGEST_TEXT or not all(cases):
        return False
    return all(map(standpoint.is_in_notation, cases)) or (
        parts.has_colon and all(is_orders(read(case)) for case in cases)
    )


def _parts(standpoint: AnyStandpoint, text: str) -> _Parts | None:
    """Return the parts of `text`; None if it does not begin with a condition."""
    game, begun = _knowing(standpoint.game), _begins().match(text)
    if game is None or begun is None:
        return None
    whole, before, start = (
        text[begun.end() :],
        text[begun.end() :].partition(":")[0],
        line_start(standpoint.game.grammar.parent),
    )
    for end in _ends(before):
        condition, orders = before[:end].strip(_SIGNS), _then().sub("", whole[end:], count=1)
        if orders and end < len(before) and not start.match(orders):
            continue  # the game is asked only where orders may follow
        is_met = game.holds(standpoint.state, standpoint.seat, condition) if condition else None
        if is_met is not None:
            then, *others = _else().split(orders, maxsplit=1)
            return _Parts(condition, is_met, then.strip(), "".join(others).strip(), whole[end : end + 1] == ":")
    return None


def _ends(text: str) -> Iterator[int]:
    """Yield the places at which a condition at the beginning of `text` may end, the last first."""
    ends = [apart.start() for apart in _APART.finditer(text[: _LONGEST + 1])]
    yield from sorted({*ends, *([len(text)] if len(text) <= _LONGEST else ())}, reverse=True)


def _with_sides(standpoint: AnyStandpoint, letter: LetterText, text: str) -> str:
    """Return `text` with the names of sides in place of those of their players, if that makes its beginning a
    condition. What is kept is then right even if somebody else plays the side by then."""
    heading, rest = heading_of(text) if _may_have(standpoint.game, text) else ("", text)
    begun = _begins().match(rest)
    if begun is None or not letter.people or _parts(standpoint, rest) or wish(standpoint, rest.strip()):
        return text
    word = begun["if"].casefold()
    language = next((code for code, file in files().items() if word in file["commands"].get("if", ())), ENGLISH)
    sides = {
        name.casefold(): str(say_in(language)(standpoint.game.called[seat])) for name, seat in letter.people if name
    }
    called = re.compile(rf"\b{alternatives(sides)}\b", re.I)
    renamed = called.sub(lambda name: sides[name[0].casefold()], rest)
    known = renamed != rest and (_parts(standpoint, renamed) or wish(standpoint, renamed.strip()))
    return f"{heading}: {renamed.strip()}".removeprefix(": ") if known else text


def _blocks(standpoint: AnyStandpoint, lines: list[str]) -> Iterator[tuple[int, int, str]]:
    """Yield, for each place in `lines` that may be orders with a condition, the numbers of its first line and of the
    line after its last, and the heading that names its turn. A heading on a line of its own is part of the place."""
    number = 0
    while number < len(lines):
        first, (heading, rest) = number, heading_of(lines[number])
        if heading and not rest.strip():  # the orders begin on the next line with words
            number = next((at for at in range(number + 1, len(lines)) if lines[at].strip()), number)
            rest = lines[number]
        if _begins().match(rest.strip()):
            number = _end(lines, number, is_list=_is_bare(standpoint, rest))
            yield first, number, heading or words("around", "next_turn")[0]
        elif number == first or not heading_of(rest)[0]:
            number += 1


def _is_bare(standpoint: AnyStandpoint, line: str) -> bool:
    """Return whether `line` is a condition without orders, which stand below it then."""
    parts = _parts(standpoint, line.strip())
    return line.rstrip().endswith(":") or (parts is not None and not parts.then)


def _end(lines: list[str], first: int, *, is_list: bool) -> int:
    """Return the number of the line after the orders with a condition that begin in line `first`. They go on after a
    colon, a comma or a semicolon at the end of a line, and before a line that begins with `else`, even if that is below
    a blank line. If `is_list` is true, the lines below the first belong to them."""
    at, last = first + 1, first + 1
    while at < len(lines) and not heading_of(lines[at])[0]:
        if _else().match(lines[at]):
            is_list = _is_else(lines[at]) or lines[at].rstrip().endswith(":")
        elif lines[at].strip() and (
            last < at or _begins().match(lines[at]) or not (is_list or lines[at - 1].rstrip().endswith((",", ";")))
        ):
            break
        at += 1
        last = at if lines[at - 1].strip() else last
    return last


def _is_else(line: str) -> bool:
    """Return whether `line` consists of a word such as `else`."""
    return line.strip(_SIGNS + ":").casefold() in words("around", "else")


def _joined(standpoint: AnyStandpoint, lines: list[str]) -> str:
    """Return `lines` of orders with a condition on one line."""
    first, *others = filter(None, map(str.strip, lines))
    text = f"{first.rstrip(_SIGNS + ':')}:" if others and _is_bare(standpoint, first) else first
    for line in others:
        text = text if text.endswith((":", ",", ";")) else f"{text.rstrip('.')};"
        text += f" {line}:" if _is_else(line) and not line.endswith(":") else f" {line}"
    return text


@cache
def _knowing(game: AnyGame) -> KnowsConditions | None:
    return game if isinstance(game, KnowsConditions) else None


def _may_have(game: AnyGame, text: str) -> bool:
    """Return whether `text` may contain a condition. The check is quick but not exact."""
    return _knowing(game) is not None and re.search(_if(), text, re.I) is not None


@cache
def _if() -> str:
    return rf"\b{alternatives(('if', *words('commands', 'if'), *words('around', 'when')))}\b"


@cache
def _begins() -> re.Pattern[str]:
    """Return a pattern for the beginning of orders with a condition, up to the condition."""
    return re.compile(rf"\W{{0,4}}(?P<if>{_if()}) +(?=\S)", re.I)


@cache
def _then() -> re.Pattern[str]:
    """Return a pattern for what may stand between a condition and the orders."""
    return re.compile(rf"^[\s,;:–—-]*(?:{pattern('around', 'then')}\b[\s:,]*)?", re.I)


@cache
def _else() -> re.Pattern[str]:
    return re.compile(rf"[\s,;.–—-]*\b{pattern('around', 'else')}\b[\s:,]*", re.I)


@cache
def _wishes() -> tuple[tuple[str, re.Pattern[str]], ...]:
    condition = rf"(?P<{{}}>[^:,\n]{{{{1,{_LONGEST}}}}}?)"
    before, behind, then = condition.format("condition"), condition.format("behind"), pattern("around", "then")
    shapes = ((word, pattern("wishes", word)) for word in ("resign", "draw"))
    return tuple(
        (
            word,
            re.compile(
                rf"\W*(?:{_if()} +{before}[ ,:;–—-]+(?:{then} +)?{said}|{said},? +{_if()} +{behind}) *[.!]*", re.I
            ),
        )
        for word, said in shapes
    )
