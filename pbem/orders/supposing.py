"""Lines such as `if 3 A to M and Blue 2 S to M`, which ask what these orders would lead to.

Such a line begins with the word "if" and then contains nothing but orders, in the game's notation, for the seats that
it names. A line that is itself an order does not count, because orders of some games begin with the same word. A line
whose condition is in ordinary words, such as `if Blue attacks, 3 A to M`, does not count either; it puts the orders in
doubt.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache

from pbem.games.base import Seat
from pbem.i18n import words
from pbem.orders import inquiries
from pbem.orders.command import LetterText, Suppose
from pbem.orders.grammar import may_begin
from pbem.orders.situation import AnySituation, AnyStandpoint

MOST = 10
"""The maximum number of turns that one letter can try out, one per line. If there are more, the answer says so."""

_READ = 40  # the maximum number of lines of a letter that are parsed
_MAX_LINE = 300  # the maximum number of characters in a line


@cache
def _begins() -> re.Pattern[str]:
    word = words.alternatives(("if", *words.words("commands", "if")))
    return re.compile(rf"\W{{0,3}}(?:{words.pattern('around', 'polite')}\b\W{{1,3}})?{word}\b[ :,]*(?=\S)", re.I)


def may_suppose(text: str) -> bool:
    """Return whether any line of `text` may suppose orders. The check is quick but not exact."""
    return any(map(_begins().match, text.split("\n")))


def take(standpoint: AnyStandpoint, letter: LetterText) -> tuple[LetterText, tuple[Suppose, ...]]:
    """Take the lines that suppose orders out of `letter`; return the letter with blanks in their place, and one
    `Suppose` with the turns of all these lines in order. There is no `Suppose` if there are no such lines."""
    if not may_suppose(letter.rest):
        return letter, ()
    lines, seats = letter.rest.split("\n"), inquiries.seats_by_name(standpoint, letter.people)
    turns, texts, tried, over_limit = list[tuple[tuple[Seat, str], ...]](), list[str](), 0, 0
    for number, line in enumerate(lines):
        begun = _begins().match(line)
        if not begun or _is_order(standpoint, lines[:number], line):
            continue
        tried += 1
        if tried > _READ and may_begin(line, begun.end()):
            over_limit += 1
        elif turn := _turn(standpoint, by_seat(standpoint.seat, seats, line[begun.end() :])) if tried <= _READ else ():
            over_limit += len(turns) == MOST
            turns, texts = [*turns, turn][:MOST], [*texts, line.strip()][:MOST]
        else:
            continue
        lines[number] = " " * len(line)
    if not turns:
        return letter, ()
    return letter._replace(rest="\n".join(lines)), (Suppose(tuple(turns), tuple(texts), over_limit),)


def _is_order(situation: AnySituation, above: Sequence[str], line: str) -> bool:
    """Return whether `line` is orders by itself, or is the end of orders that begin in the line above it and were
    broken by a mail program."""
    if situation.is_order(line):
        return True
    broken = above[-1].strip() if above else ""
    return bool(broken) and not _begins().match(broken) and situation.is_in_notation(f"{broken} {line.strip()}")


def by_seat(seat: Seat, seats: Mapping[str, tuple[Seat, ...]], text: str) -> list[tuple[Seat, str]] | None:
    """Return the orders in `text` for each seat; None if `text` is too long, or if a part of it is about several seats
    at once."""
    if len(text) > _MAX_LINE:
        return None
    parts = [*inquiries.by_seat(seat, seats, text.rstrip(" ?!.…"))]
    return None if any(len(who) != 1 for who, _ in parts) else [(who[0], part.strip()) for who, part in parts]


def _turn(situation: AnySituation, orders: Sequence[tuple[Seat, str]] | None) -> tuple[tuple[Seat, str], ...]:
    """Return `orders`, the texts that `by_seat` found in a line, if the line supposes orders. The result is empty if it
    does not: if the text for any seat is not orders, or if a seat occurs twice."""
    if not orders or len({seat for seat, _ in orders}) < len(orders):
        return ()
    clear = all(situation.is_in_notation(text) for _, text in orders)
    return tuple(orders) if clear or (len(orders) == 1 and _is_nearly(situation, orders[0][1])) else ()


def _is_nearly(situation: AnySituation, text: str) -> bool:
    """Return whether `text` is a single order with an unknown name or with something missing, so that its mistake can
    be explained. For games whose orders can have conditions, the result is always False."""
    grammar = situation.grammar
    if situation.game.turning_words or len([*grammar.parts(text, 0, len(text))]) != 1:
        return False
    return grammar.parse(text) is not None and bool(situation.names_within(text)) and any(map(str.isdigit, text))
