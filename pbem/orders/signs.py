"""Signs without words: pictures that turn orders as words do, and asterisks with which people correct a word."""

from pbem.orders.doubt_words import folded
from pbem.orders.weighing import Kind, speaks_of_the_world
from pbem.patterns import compiled

_TURNING: dict[Kind, str] = {
    "correction": "❌❎✖✗✘🚫⛔👎🙅🆖↩🔙🔄🗑",
    "question": "🤔🤷❓❔⁉🤨",
    "later": "⏳⌛⏸🛑",
}
FACE = compiled(
    r"(?<![^\s.!?,])[:;=]['-]?[()DP](?!\w)[()]*"
    r"|(?:(?![💣🔀-🔄🔙-🔟🔴🔵🟠-🟫])[☺-❵\U0001F300-\U0001FAFF][\uFE0E\uFE0F\u200D]*)+"
)
"""What adds nothing to orders: a smile, or any picture that is no arrow, number, bomb or colour of a side."""
_STARRED = compiled(r"\*\s?[^\s*]+(?: [^\s*]+)?|[^\s*]+(?: [^\s*]+)? ?\*")


def turns_by_picture(line: str, *, orders: bool) -> Kind | None:
    """How a picture in a line turns the orders of its letter; one beside words about the world, and no `orders`, says
    how its writer feels about that."""
    if not orders and speaks_of_the_world(line):
        return None
    return next((kind for kind, signs in _TURNING.items() if not set(signs).isdisjoint(line)), None)


def is_starred(line: str) -> bool:
    """Whether a line is a word or two with an asterisk, as people mend a letter: "*Wyvernia"."""
    return _STARRED.fullmatch(folded(line).strip()) is not None
