"""`pbem demo`: a game by letters, in each language in which they are written."""

import re

import pytest

from support.commands import pbem

ENGLISH = re.compile(
    r"\b(your|you|is|are|this|that|turn|game|letter|deadline|orders|nobody|changed|answers|yes)\b", re.I
)
"""Words of our sentences, but none that may stand in the name of a person or a place of a game."""
OTHERS = {"de": re.compile("[а-яё]", re.I), "ru": re.compile(r"[äöüß]|\b(der|die|das|und|nicht)\b", re.I)}
HINT = r"По-русски: ответьте `язык русский`\.|Auf Deutsch: [^\n]*|In English: [^\n]*"
"""The lines of a first letter about its other languages, each in that language."""
ORDERS = {
    "de": {"ozymandia": "2 A nach AC", "rocknroll": "Neuwurf Angriff: ", "ozz": "Gruppe "},
    "ru": {"ozymandia": "2 A в AC", "rocknroll": "Переброс атака: ", "ozz": "Группа "},
}


@pytest.mark.parametrize("game", ["ozymandia", "rocknroll", "ozz"])
@pytest.mark.parametrize("language", ["de", "ru"])
def test_a_demonstration_holds_its_language_alone_and_orders_in_its_notation(language: str, game: str) -> None:
    told = pbem("demo", "--all", "--language", language, "--game", game).output
    told = re.sub(HINT, "", told)
    assert [line for line in told.splitlines() if ENGLISH.search(line) or OTHERS[language].search(line)] == []
    assert ORDERS[language][game] in told


def test_a_demonstration_is_english_unless_another_language_is_named() -> None:
    shown = pbem("demo", "--all").output
    assert "=== Alice answers ==" in shown
    assert "=== To Alice <alice@example.net>: Ozymandia oz-1: the game begins ==" in shown
    assert "2 A to AC" in shown


def test_a_kept_desk_keeps_its_language(tmp_path) -> None:
    pbem("demo", "--all", "--language", "de", "--keep", str(tmp_path / "desk"))
    assert "\nlanguage = de\n" in (tmp_path / "desk" / "config.ini").read_text("utf-8")
