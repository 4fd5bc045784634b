"""What the order reader asks first: texts of our own, without the grammar, and whether items say all they need to."""

from collections.abc import Sequence
from typing import Any

from pbem.games.ozz.canonical import read_item
from pbem.games.ozz.items import Forget, Line, Nothing, Said
from pbem.games.ozz.orders import NOTHING
from pbem.games.ozz.phrases import is_readable
from pbem.games.ozz.sides import Side
from pbem.games.ozz.standing import NONE, WORD
from pbem.games.ozz.state import State


def read_items(text: str) -> tuple[Said, ...] | None:
    """The items of orders and standing orders in canonical form; None for any other text."""
    found = tuple(map(_said, text.replace("\n", "; ").split("; ")))
    return None if None in found else found  # type: ignore[return-value]


def _said(text: str) -> Said | None:
    if text == NOTHING:
        return Said(Nothing())
    if text == NONE:
        return Said(Forget(), standing=True)
    stands = text.startswith(f"{WORD} ")
    item = read_item(text.removeprefix(f"{WORD} "))
    return Said(item, standing=stands) if item else None


def is_complete(state: State, items: Sequence[Any]) -> bool:
    """Whether items say all that they need to and name only what there is, whoever writes them."""
    side = Side(state, None)
    return all(isinstance(item, Line) and is_readable(side, item) for item in items)
