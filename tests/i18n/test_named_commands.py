"""Whatever our letters and manuals name as something to write is read as that, in each language."""

import re
from collections.abc import Iterator

from babel.messages.pofile import read_po

from pbem.games.spelling import caseless
from pbem.i18n import words
from pbem.orders import reader
from pbem.orders.commands import COMMAND_WORDS
from pbem.orders.situation import Standpoint
from support.cases import begun
from support.each import each
from support.paths import ROOT

LANGUAGES = ("de", "ru")
MANUALS = ("playing.md", "playing.ru.md", "votes.md", "sandbox.md", "gamemasters.md")

SPAN = re.compile(r"`([^`\n]+)`")
FILLED = {
    **dict.fromkeys(("GAME", "PARTIE", "ПАРТИЯ"), "oz-1"),
    **dict.fromkeys(("SPIEL", "ИГРА"), "ozz"),
    **dict.fromkeys(("<ADDRESS>", "<ADRESSE>", "<АДРЕС>"), "<tom@example.org>"),
    **dict.fromkeys(("ADDRESS", "ADRESSE", "АДРЕС", "OLD", "ALT", "СТАРЫЙ"), "tom@example.org"),
    **dict.fromkeys(("NEW", "NEU", "НОВЫЙ"), "tom@example.net"),
    **dict.fromkeys(("LEAGUE", "LIGA", "ЛИГА"), "Autumn"),
    **dict.fromkeys(("NAME", "ИМЯ", "[name]", "[Name]", "[название]"), "Tom"),
    **dict.fromkeys(("ROUND", "TURN", "SPIELTAG", "RUNDE", "ТУР", "ХОД", "[turn]", "[Runde]", "[ход]"), "3"),
    **dict.fromkeys(("NUMBER", "NUMMER", "НОМЕР", "[number]", "[Nummer]", "[номер]"), "1"),
    **dict.fromkeys(("SEAT|draw", "SEAT or draw", "SEAT", "SEITE", "СТОРОНА"), "red"),
    **dict.fromkeys(("TEAM", "MANNSCHAFT", "КОМАНДА"), "Rooks"),
    "[topic]": "rules",
    "[Thema]": "regeln",
    "[тема]": "правила",
    **dict.fromkeys(("FROM", "TAG", "с ДЕНЬ"), "3.12.2026"),
    **dict.fromkeys(("TO", "ДЕНЬ"), "7.12.2026"),
}
"""What readers put in the place of a word in capitals."""

PARTS = frozenset(
    (
        *("because", "because of", "by", "all", "alle", "allies", "to", "or", "oder", "или", "always", "immer"),
        *(
            "навсегда",
            "daily",
            "weekly",
            "never",
            "off",
            "with 1 point",
            "with 0 points",
            "in division 1",
            "in division 1 rating 1850 with 1 point",
            "next",
            "hand over",
        ),
        *("weil", "wegen", "потому что", "из-за", "if ...", "league:", "league: ...", "no_show", "vote_time"),
        "appeal_time",
        *("round 3", "aus", "отмена", "this turn:", "diese runde:", "этот ход:"),
        "pair autumn 3 alice - bob",  # without its reason, because the manual speaks of what it does
    )
)
"""Words that are named as parts of commands, or as settings."""


def _in_catalogues() -> Iterator[str]:
    """Everything between backquotes in the sentences of letters, which the catalogues have from the templates."""
    for language in LANGUAGES:
        with (ROOT / "locale" / language / "LC_MESSAGES" / "pbem.po").open("rb") as file:
            catalogue = read_po(file)
        for message in catalogue:
            texts = (message.id, message.string)
            for text in texts if isinstance(message.id, str) else (*message.id, *message.string):
                yield from SPAN.findall(text)


def _in_manuals() -> Iterator[str]:
    """Everything between backquotes in the manuals that begins like a command."""
    for name in MANUALS:
        for span in SPAN.findall((ROOT / "docs" / name).read_text(encoding="utf-8")):
            first = re.match(r"[^\W\d_]+(?:-[^\W\d_]+)*", span)
            if first and caseless(first[0]) in COMMAND_WORDS:
                yield span


def _named() -> Iterator[str]:
    ends = ("end", *words.words("around", "end"))
    for span in dict.fromkeys((*_in_catalogues(), *_in_manuals())):
        text = span.strip()
        program = text.startswith("pbem ") or "{" in text or "=" in text
        if not (program or caseless(text) in (*COMMAND_WORDS, *PARTS) or caseless(text.split()[0]) in ends):
            yield text


def _filled(span: str) -> str:
    """A command as somebody would write it: with their own words in the place of those in capitals and of the dots."""
    for name in sorted(FILLED, key=len, reverse=True):
        span = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", FILLED[name], span)
    span = re.sub(r"[\[\]]", "", span)
    return span.replace(": ...", ": Pass").replace("...", "of illness")


@each("span", sorted(_named()))
def test_what_is_named_as_a_command_is_read_as_a_command_or_as_orders(span: str) -> None:
    match = begun()
    letter = reader.read_words(_filled(span), match.name, match.situation)
    reading = reader.read_orders(Standpoint(match.game, match.state, "red"), letter)
    assert letter.commands or reading.commands or reading.orders is not None
