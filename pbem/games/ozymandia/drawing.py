"""The map as text: the board's own drawing, with the owner and the number of pieces in every slot, and a legend.

The styles of the spans are "red" and "blue" (an occupied cell), "changed" in front of these or alone (a cell that
differs from the earlier position), "" (an empty cell), "name" (an area's name), "link" (frames and links) and "legend".
Owners are written as words and changes as `*`, so the map can be read without colours.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from pbem import ENGLISH, Say
from pbem.games.base import Picture, Seat, Span
from pbem.games.ozymandia.board import MAX_SHOWN, MAX_WIDTH, SLOT, Board
from pbem.games.ozymandia.state import MAX_BOMBS, SEATS, State

_NAME = re.compile("[A-Za-z]+(?:[ '-][A-Za-z]+)*")
_LEGEND_WIDTH = 60
_EMPTY: tuple[Seat, int] = ("", 0)


class _Slot(NamedTuple):
    """The place of a cell in a line of the drawing. `label` is the area's code with the blanks after it, and `width` is
    the number of dots."""

    area: str
    label: str
    width: int
    ends_line: bool


class _Row(NamedTuple):
    """A line of the drawing: its spans, and its slots, each with the index of the span that shows it."""

    spans: tuple[Span, ...]
    slots: tuple[tuple[int, _Slot], ...] = ()


@lru_cache(maxsize=4)  # both sides get the same picture
def picture(state: State, since: State | None = None, say: Say = ENGLISH) -> Picture:
    """Draw the map of a position with its legend, at most 72 columns wide.

    Areas whose owner or number of pieces differs from `since` are marked.
    """
    now = occupation(state)
    before = now if since is None else occupation(since)
    names = short_names(say)

    def filled(row: _Row) -> tuple[Span, ...]:
        """Return the spans of a row with each slot filled."""
        spans = [*row.spans]
        for at, slot in row.slots:
            seat, number = now.get(slot.area, _EMPTY)
            changed = (seat, number) != before.get(slot.area, _EMPTY)
            spans[at] = _cell(slot, seat, names.get(seat, ""), number, changed)
        return tuple(spans)

    return tuple(filled(row) if row.slots else row.spans for row in _canvas(state.board, say))


def describe(board: Board) -> str:
    """Describe a board for people to read: the map of the set-up, the areas with their neighbours, the possible trades,
    and the invented areas and links."""
    start = State(board, 1, board.setup, dict.fromkeys(SEATS, MAX_BOMBS))
    title = f'Board "{board.name}"' + (" (reconstructed board)" if board.reconstructed else "")
    rows = ["".join(span.text for span in row) for row in picture(start)]
    table = ["", *_table(board)] if board.drawing else []  # otherwise the map is already a list
    return "\n".join([title, "", *rows, *table, *_notes(board)])


def short_names(say: Say) -> dict[Seat, str]:
    """Return short names of the sides for cells: at most four letters, with a blank after each name."""
    return {"red": say("Red "), "blue": say("Blue ")}


def occupation(state: State) -> dict[str, tuple[Seat, int]]:
    """Return the owner and the number of pieces of each occupied area."""
    return {area: (seat, number) for seat in SEATS for area, number in state.pieces[seat].items()}


@lru_cache(maxsize=1024)
def _cell(slot: _Slot, seat: Seat, name: str, number: int, changed: bool) -> Span:
    if not seat:
        content = ""
    elif number <= MAX_SHOWN:
        content = f"{name}{number}"
    else:
        content = f"{name.rstrip()}>{MAX_SHOWN}"
    text = slot.label + content.ljust(slot.width - 1) + ("*" if changed else " ")
    style = f"changed {seat}".rstrip() if changed else seat
    return Span(text.rstrip() if slot.ends_line else text, style)


@lru_cache(maxsize=16)
def _canvas(board: Board, say: Say) -> tuple[_Row, ...]:
    """Return the part of the map that is the same in every position: the parsed drawing and everything below it."""
    drawing = board.drawing or tuple(_plain_list(board, say))
    legend = _legend(board, say) if board.drawing else ((Span(kinds(say), "legend key"),),)
    return (*map(_row, drawing), _Row(()), *map(_Row, legend))


def _row(line: str) -> _Row:
    spans: list[Span] = []
    slots = []
    at = 0
    for slot in SLOT.finditer(line):
        spans += _art(line[at : slot.start()])
        code, blanks, dots = slot.groups()
        at = slot.end()
        slots.append((len(spans), _Slot(code, code + blanks, len(dots), at == len(line))))
        spans.append(Span(""))
    return _Row((*spans, *_art(line[at:])), tuple(slots))


def _art(text: str) -> Iterator[Span]:
    at = 0
    for name in _NAME.finditer(text):
        yield Span(text[at : name.start()], "link")
        yield Span(name[0], "name")
        at = name.end()
    yield Span(text[at:], "link")


def _legend(board: Board, say: Say) -> Iterator[tuple[Span, ...]]:
    province, city, *_ = board.areas
    link, legend = "link", "legend key"
    yield (
        Span("| ", link),
        Span(f"{province}  {short_names(say)['red']}3".ljust(11) + "*", "changed red"),
        Span(" |", link),
        Span("  " + say("a province with 3 red pieces; * = changed"), legend),
    )
    nobody = Span("  " + say("a city with nobody in it"), legend)
    yield Span("( ", link), Span(city), Span("           )", link), nobody
    for sign, meaning in (
        ("======  ||", say("a pass between two provinces")),
        ("        ::", say("a gate between a province and its own city")),
        ("######  ##", say("a bridge between two cities")),
    ):
        yield Span(f"{sign:<18}", link), Span(meaning, legend)
    drawn = {name for line in board.drawing or () for name in _NAME.findall(line)}
    yield from _wrapped(f"{area.code} {area.name}" for area in board.areas.values() if area.name not in drawn)


def _wrapped(entries: Iterable[str]) -> Iterator[tuple[Span, ...]]:
    unbroken = ", ".join(entry.replace(" ", "\xa0") for entry in entries)
    for line in textwrap.wrap(unbroken, _LEGEND_WIDTH, break_on_hyphens=False):
        yield (Span(line.replace("\xa0", " "), "legend key"),)


def _plain_list(board: Board, say: Say) -> Iterator[str]:
    """Yield a line with slot, name and neighbours for each area of a board without a drawing."""
    width = _longest_name(board)
    pieces, heading, near = say("Pieces"), say("Area"), say("Adjacent to")
    yield f"     {pieces:<9}  {heading:<{width}}  {near}"
    for code, area in board.areas.items():
        yield from _with_neighbours(f"{code:<3}  .........  {area.name:<{width}}  ", board, code)


def kinds(say: Say) -> str:
    """Return an explanation of the codes and the star, for maps that do not explain their symbols in any other way."""
    return say("One letter: a province. Two letters: a city. * = changed.")


def _table(board: Board) -> Iterator[str]:
    width = _longest_name(board)
    yield f"Code  {'Area':<{width}}  Kind      Adjacent to"
    for code, area in board.areas.items():
        yield from _with_neighbours(f"{code:<4}  {area.name:<{width}}  {area.kind:<8}  ", board, code)


def _longest_name(board: Board) -> int:
    return max(len(area.name) for area in board.areas.values())


def _with_neighbours(head: str, board: Board, code: str) -> Iterator[str]:
    """Yield `head` followed by the neighbours of an area in board order, wrapped to several lines if necessary."""
    neighbours = ", ".join(sorted(board.adjacent[code], key=board.order.__getitem__))
    first, *rest = textwrap.wrap(neighbours, MAX_WIDTH - len(head))
    yield head + first
    yield from (" " * len(head) + line for line in rest)


def _notes(board: Board) -> Iterator[str]:
    if board.trades:
        yield ""
        yield f"Trades possible before the game: {', '.join('/'.join(pair) for pair in board.trades)}."
    if board.reconstructed:
        yield ""
        yield from textwrap.wrap(
            "This board is reconstructed: the printed drawing is lost to us. All that the printed rules say of"
            " it holds here; what they leave open is made up.",
            MAX_WIDTH,
        )
    areas = [code for code, area in board.areas.items() if area.invented]
    links = [f"{link.a}-{link.b}" for link in board.links if link.invented]
    for kind, invented in (("Areas", areas), ("Links", links)):
        if invented:
            text = f"{kind} made up: {', '.join(invented)}."
            yield from textwrap.wrap(text, MAX_WIDTH, break_on_hyphens=False)
