"""The words of languages, and a trial language: French is put beside the others as files, understood and spoken."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from pbem.games import GAMES
from pbem.games.words import word_files
from pbem.i18n import words
from pbem.i18n.languages import say_in
from pbem.mail.quotes import MARKER, own_words
from pbem.orders.commands import COMMAND_ROWS, find_command
from pbem.orders.reader import may_be_order
from pbem.resources import resource
from support.paths import ROOT, TESTS

PROGRAM = """
import json, sys
from datetime import UTC, date, datetime
from pathlib import Path
from support.correspondents import ALICE, BOB, Correspondents
from pbem.cli.demo import DemoDesk, letter_text
from pbem.i18n.languages import say_in
from pbem.i18n.words import parse_language
from pbem.orders.reader import read_words
from pbem.times.dates import parse_dates, parse_pace, parse_when
from pbem.times.moments import format_duration, parse_duration
from pbem.times.dates import parse_zone

asked = json.load(sys.stdin)
table = DemoDesk(Path(sys.argv[1]), datetime(2026, 11, 22, 12, tzinfo=UTC))
table.poll()
people = Correspondents(table)
told = {
    "letters": [people.say(ALICE if who == "Alice" else BOB, text) for who, text in asked["letters"]],
    "first": letter_text(people.got[BOB][0]),
    "commands": {text: repr(read_words(text).commands) for text in asked["commands"]},
    "dates": {text: list(map(str, parse_dates(text, date(2026, 11, 22)))) for text in asked["dates"]},
    "moments": {text: str(parse_when(text, table.now, "UTC")) for text in asked["moments"]},
    "paces": {text: str(parse_pace(text)) for text in asked["paces"]},
    "lengths": {text: format_duration(parse_duration(text)) for text in asked["lengths"]},
    "zones": {text: parse_zone(text) for text in asked["zones"]},
    "languages": {text: parse_language(text) for text in asked["languages"]},
    "days": [say_in("fr").many("{number} day", "{number} days", number) for number in asked["days"]],
}
json.dump(told, sys.stdout)
"""
LETTERS = {
    "language": ("Alice", "langue français"),
    "data": ("Alice", "Mes données, s'il vous plaît"),
    "help": ("Alice", "AIDE"),
    "vacation": ("Alice", "vacances du 25 novembre au 3 décembre"),
    "answer": ("Alice", "2 A to AC\n\n== Répondez au-dessus de cette ligne ==\n\nD'autres mots."),
    "orders": ("Alice", "Bonjour !\n\n1 pion de A à AC et 1 A vers M, s'il vous plaît; frappe sur Elfin City"),
    "pass": ("Alice", "Sans coup."),
    "German": ("Bob", "sprache französisch\nsprache deutsch"),
    "Klingon": ("Alice", "langue klingon"),
}
COMMANDS = {
    "oui": "Simple(word='yes')",
    "Oui!": "Simple(word='yes')",
    "aide coups": "Help(topic='orders')",
    "Je aide": "",
    "pas de nulle": "Simple(word='no draw')",
    "pas attendre": "Simple(word='no wait')",
    "cède ma place à bob@example.org": "Asking(word='hand', argument='bob@example.org')",
    "observer oz-7 plus": "Asking(word='unobserve', argument='oz-7')",
    "challenge Bob dans la ligue Berg": "Asking(word='challenge', argument='Bob in Berg')",
    "vacances terminées": "Asking(word='vacation', argument='none')",
    "vacances terminees": "Asking(word='vacation', argument='none')",
    "vacances étaient belles": "",
    "lettre:\nBonjour, Bob\nfin lettre": "Press(text='Bonjour, Bob', to='', open=False)",
    "Hilfe Züge": "Help(topic='orders')",
}
DATES = {
    "25 novembre": ["2026-11-25", "2026-11-25"],
    "du 25 au 27 novembre": ["2026-11-25", "2026-11-27"],
    "20 déc. au 3 janv.": ["2026-12-20", "2027-01-03"],
    "demain": ["2026-11-23", "2026-11-23"],
    "1er mai": ["2027-05-01", "2027-05-01"],
    "25. November bis 3 décembre": ["2026-11-25", "2026-12-03"],
}
MOMENTS = {"demain à 20:00": "2026-11-23T20:00 UTC", "25 novembre 20 h": "2026-11-25T20:00 UTC"}
PACES = {
    "quotidien 20:00": "daily 20:00",
    "lun, mer et ven 20:00": "Mon, Wed and Fri 20:00",
    "tous les 3 jours": "3 days",
}
LENGTHS = {"3 jours": "3 days", "1 semaine et 12 heures": "7 days 12 hours", "2 Tage 5 minutes": "2 days 5 minutes"}
ZONES = {"Lyon": "Europe/Paris", "hec": "Europe/Paris", "Wien": "Europe/Vienna"}
LANGUAGES = {
    "français": "fr",
    "francais": "fr",
    "French": "fr",
    "fr": "fr",
    "anglais": "en",
    "ALLEMAND": "de",
    "deutsch": "de",
}
DAYS = {0: "0 jour", 1: "1 jour", 2: "2 jours", 21: "21 jours"}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a copy of the product says and understands that has the files of French besides its own."""
    copy = tmp_path_factory.mktemp("copy")
    for name in ("pbem", "locale", "grammar", "templates"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "config.example.ini", copy)
    shutil.copytree(Path(__file__).parent / "french" / "fr", copy / "locale" / "fr")
    shutil.copy(Path(__file__).parent / "french" / "ozymandia.toml", copy / "pbem/games/ozymandia/words/fr.toml")
    for path in (copy / "locale" / "fr").rglob("*.po"):
        with path.open("rb") as source, path.with_suffix(".mo").open("wb") as made:
            write_mo(made, read_po(source, locale="fr"))
    asked = {
        "letters": list(LETTERS.values()),
        "commands": list(COMMANDS),
        "dates": list(DATES),
        "paces": list(PACES),
        "moments": list(MOMENTS),
        "lengths": list(LENGTHS),
        "zones": list(ZONES),
        "languages": list(LANGUAGES),
        "days": list(DAYS),
    }
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(copy / "desk")],
        input=json.dumps(asked),
        env=os.environ | {"PYTHONPATH": f"{copy}{os.pathsep}{TESTS}"},
        cwd=copy,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found | {"letters": dict(zip(LETTERS, found["letters"], strict=True))}


def test_a_language_that_is_files_only_is_asked_for_in_itself_and_its_letters_come(told):
    letter = told["letters"]["language"]
    assert letter.startswith(
        "== Répondez au-dessus de cette ligne == La langue de vos lettres est désormais : français."
    )
    assert "Toutes les langues sont comprises : français, anglais, allemand et russe." in letter
    assert "Langue français" in told["letters"]["data"]
    assert "How to write orders" in told["letters"]["help"]  # of which there is no translation
    ways = "écrivez `language english`, `sprache deutsch`, `langue français` ou `язык русский`."
    assert ways in told["letters"]["Klingon"]


def test_its_dates_are_read_and_told(told):
    vacation = told["letters"]["vacation"]
    assert "Vous êtes absent du 25 novembre 2026 (mercredi) au 3 décembre 2026 (jeudi)" in vacation


def test_an_answer_is_read_down_to_its_line(told):
    assert "Your orders for turn 1 are in" in told["letters"]["answer"]
    assert "D'autres mots" not in told["letters"]["answer"]


def test_orders_are_read_by_the_words_of_the_game_and_those_that_games_share(told):
    assert "receipt 1-2, which replaces receipt 1-1. 1 A to AC, 1 A to M; Bomb EC" in told["letters"]["orders"]
    assert "receipt 1-3, which replaces receipt 1-2. Pass" in told["letters"]["pass"]


def test_others_are_told_how_to_ask_for_it_and_go_on_in_their_own(told):
    assert (
        "Auf Deutsch: Antworte `Sprache deutsch`.\n\nEn français : répondez `langue français`.\n\nПо-русски:"
        in told["first"]
    )
    assert "von jetzt an auf Deutsch" in told["letters"]["German"]


@pytest.mark.parametrize(
    ("kind", "meant"),
    [
        ("dates", DATES),
        ("moments", MOMENTS),
        ("paces", PACES),
        ("lengths", LENGTHS),
        ("zones", ZONES),
        ("languages", LANGUAGES),
    ],
)
def test_its_words_are_read(told, kind, meant):
    assert told[kind] == meant


def test_its_commands_are_read(told):
    assert told["commands"] == {text: f"({command},)" if command else "()" for text, command in COMMANDS.items()}


def test_its_numbers_have_the_forms_that_its_grammar_asks_for(told):
    assert told["days"] == list(DAYS.values())


# The files there are


@pytest.mark.parametrize("code", words.files())
def test_a_file_of_words_has_no_table_and_no_word_that_nobody_reads(code):
    file, english = words.files()[code], words.files()["en"]
    assert set(file) <= set(english)
    assert code in file["languages"]
    assert all(set(file.get(table, ())) <= set(english[table]) for table in ("around", "times", "orders"))
    rows = {row.word for row in COMMAND_ROWS}
    assert {*file["commands"], *file["behind"]} <= rows


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_a_game_has_order_words_of_every_language_and_none_that_its_grammar_does_not_use(game):
    folder = game.grammar.parent / "words"
    own = set(re.findall(r"<([a-z_]+)>", game.grammar.read_text(encoding="utf-8")))
    for path in game.grammar.parent.glob("*.py"):  # a game may look words up itself
        own |= {word for text in re.findall(r'"([a-z_ ]+)"', path.read_text(encoding="utf-8")) for word in text.split()}
    files = {path.stem for path in folder.glob("*.toml")}
    assert files == set(words.files())
    english, *others = word_files(game.grammar.parent)
    tables = {name for name, said in english.items() if isinstance(said, dict)}
    own |= {f"{word}{number}" for word in ("n", "nth") for number in range(11)}  # numbers in words
    assert set(english) - tables <= own
    for file in others:
        assert set(file) <= {
            *english,
            "options",
            "notation",
            "names",
        }  # which are in English as they are called and kept
        assert all(set(file["prose"]) <= set(english["prose"]) for _ in file.keys() & {"prose"})


@pytest.mark.parametrize("path", [resource("grammar/orders.lark"), *(game.grammar for game in GAMES.values())], ids=str)
def test_what_a_grammar_takes_from_the_files_stands_there(path):
    english = words.files()["en"]
    for table, kind in re.findall(r"<([a-z]+)\.([a-z_]+)>", path.read_text(encoding="utf-8")):
        assert english[table][kind]


def _filled(phrase: str, gaps: list[str]) -> str:
    """A phrase with something in place of each `...`."""
    for gap in gaps:
        phrase = phrase.replace("...", gap, 1)
    return phrase


@pytest.mark.parametrize("code", words.files())
def test_what_stands_behind_a_command_in_a_file_is_a_command(code):
    examples = {"hand": "alice@example.org", "resend": "3", "withdraw": "6", "digest": "7:30", "try": "ozymandia"}
    for word, phrases in words.files()[code]["behind"].items():
        for phrase, english in phrases.items():
            example = examples.get(word, "oz-1")
            if word == "challenge" and phrase.count("...") == 1:
                example = "alice@example.org"
            gaps = [example] * 2
            if word == "substitute":
                gaps = ["Autumn", "2" if english.endswith("off") else "2 Ann"]
            line = _filled(english, gaps)
            command = find_command(*line.split(" ", 1))
            assert command is not None, f"{word} {phrase!r}: {line!r} is no command; what stands for ... is above here"
            assert find_command(word, _filled(phrase, gaps)) == command


@pytest.mark.parametrize("code", words.files())
def test_an_answer_above_our_line_in_each_language_is_read_to_that_line(code):
    line = say_in(code)(MARKER)
    assert own_words(["Pass", line, "other words"], may_be_order) == "Pass"


def test_the_longest_of_several_words_is_found():
    assert re.fullmatch(words.pattern("times", "to"), "bis zum")
    assert re.match(words.alternatives(()), "") is None
