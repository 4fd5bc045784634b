"""Orders in canonical form, as states and standing orders keep them; the grammar reads them as all others."""

from functools import lru_cache
from typing import Any

from pbem.games.ozz.data import Data
from pbem.games.ozz.items import SHAPES, Said
from pbem.games.ozz.lexicon import FOLDER
from pbem.games.ozz.meaning import read_letter
from pbem.games.ozz.orders import NOTHING, Item, Orders
from pbem.games.ozz.sides import Side
from pbem.games.ozz.spelled import speller
from pbem.games.words import with_names


def read_canonical(data: Data, text: str) -> Orders | None:
    """Orders in canonical form, the inverse of `str(orders)`; None for any other text."""
    if text == NOTHING:
        return Orders()
    orders = Orders(_read(data, text))
    return orders if str(orders) == text else None


def read_item(data: Data, text: str) -> Item | None:
    """One item in canonical form; None for any other text."""
    found = read_canonical(data, text)
    return found.items[0] if found and len(found.items) == 1 else None


@lru_cache(maxsize=4096)
def _read(data: Data, text: str) -> tuple[Any, ...]:
    from lark import UnexpectedInput

    try:
        phrases: Any = _parser(data).parse(speller(data).spell(text))
    except UnexpectedInput:
        return ()
    found = list(read_letter(Side(data), phrases))
    return tuple(one.item for one in found if isinstance(one, Said))


@lru_cache(maxsize=4)
def _parser(data: Data) -> Any:
    from lark import Lark, Transformer

    text = with_names((FOLDER / "orders.lark").read_text(encoding="utf-8"), dict(speller(data).terminals))
    shapes = type("Shapes", (Transformer,), {name: staticmethod(shape) for name, shape in SHAPES.items()})()
    return Lark(text, parser="lalr", lexer="contextual", start="orders", transformer=shapes)
