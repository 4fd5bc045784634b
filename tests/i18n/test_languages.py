"""Letters in German: a game in which Red is written to in German and Blue in English, and the catalogues."""

import ast
import re
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from email.message import Message
from types import SimpleNamespace
from typing import Any, get_args
from zoneinfo import ZoneInfo

import pytest
from jinja2 import Environment, nodes

from pbem import ENGLISH, Sentence, dump_sentence, load_sentence
from pbem.cli.demo import DemoDesk, letter_text
from pbem.config.config import load_config
from pbem.games import find_game
from pbem.games.base import Result
from pbem.i18n.languages import say_in, translate
from pbem.match.effects import Course, Direct, Notice, Section
from pbem.match.facts import Ruling
from pbem.match.model import Entry, LaterOrders
from pbem.match.questions import EVENTS, Question
from pbem.orders.command import Decision
from pbem.orders.conditions import Checked, Choice, Wish
from pbem.render.letters import render_letter
from pbem.store.matches import load_match
from pbem.times.dates import parse_zone
from pbem.times.deadlines import EVERY_DAY, Absence, Pace, deadline_at
from pbem.times.moments import TimeError, day_in_words, deadline_in_words, format_duration
from pbem.tournament.pairing import NOTES
from pbem.tournament.standings import TIE_BREAKS
from support.correspondents import ALICE, BOB, CAROL, Correspondents, flat
from support.each import each
from support.game_masters import decide
from tools import catalogues

GERMAN = say_in("de")
NOW = datetime(2026, 11, 26, 15, 0, tzinfo=UTC)
ENGLISH_WORDS = re.compile(
    r"\b(the|your|you|of|is|are|this|that|turn|game|letter|deadline|orders|nobody|changed)\b", re.I
)
GERMAN_WORDS = re.compile(r"\b(und|der|dein|deine|ist|nicht|Runde|Partie|Brief|Frist|Befehle|niemand)\b")

VOTE: dict[str, Any] = {
    "on": "rollback",
    "turn": "2",
    "moved_to": NOW,
    "replaced": "blue",
    "level": 2,
    "until": NOW,
    "why": "refused",
    "all": True,
    "voters": 3,
    "agreeing": ["red"],
    "refusing": ["blue"],
    "silent": [],
}
"""What a letter tells of a vote."""

PLAYER_WRITES = (
    *("status\nhilfe", "hilfe regeln", "3 A nach Q, 2 W nach M", "ja", "2 A nach AC\nViel Glück", "prüfe: 2 M nach W"),
    *("zurückziehen", "zurückziehen", "warten", "nicht warten", "nicht warten", "remis", "kein remis", "pause"),
    *("keine pause", "weiter", "aufgeben", "presse: Hallo\nende presse", "presse:\nende presse", "stumm", "laut"),
    *(
        "presse: 3 A nach M\nende presse",
        "verlauf",
        "protokoll",
        "nochmal 1",
        "nochmal 7",
        "annehmen",
        "ablehnen immer",
        "revanche",
    ),
    *("urlaub 20.12. bis 3.1.", "urlaub 1.1. bis 1.3.", "urlaub gestern bis morgen", "urlaub beendet", "zeitzone Wien"),
    *("zeitzone IST", "zeitzone Atlantis", "zeitzone UTC+1", "meine daten", "beobachte oz-1", "beobachte oz-9"),
    *("beobachte oz-1 nicht mehr", "mitmachen", "mitmachen", "austreten", "austreten", "mitmachen Berg", "fordere"),
    *("fordere alice@example.net heraus", "fordere Bob in Berg heraus", "adresse neu@example.org", "vergiss mich"),
    *(
        "sprache klingonisch",
        "protokoll oz-9",
        "Wie geht es dir?",
        "adresse alice@example.net",
        "übergebe an bob@example.com",
        " ",
    ),
)


@pytest.fixture
def people(table: DemoDesk) -> Correspondents:
    """Alice is Red and reads German; Bob is Blue, and has not said what he reads."""
    people = Correspondents(table)
    assert "Wir schreiben dir von jetzt an auf Deutsch." in people.say(ALICE, "Sprache deutsch")
    return people


def own_words(letter: Message) -> str:
    """What a letter of ours says by itself: not the game's short form of orders, nor what somebody else wrote."""
    text = re.sub(r"`[^`]*`|\"[^\"]*\"|^  .*$", "", letter_text(letter), flags=re.M)
    return re.sub(r"\S+@\S+|-{8}", "", text)


# Whole letters


def test_no_letter_to_a_german_reader_holds_english_and_none_to_others_german(people):
    people.write(ALICE, "2 A nach AC")
    people.write(BOB, "2 H to S; Bomb W")
    for text in PLAYER_WRITES:
        people.table.now += timedelta(minutes=2)
        people.write(ALICE, text)
    for letter in people.got[ALICE][2:]:
        found = ENGLISH_WORDS.search(own_words(letter))
        assert not found, letter_text(letter)
    for letter in people.got[BOB]:
        assert not GERMAN_WORDS.search(letter_text(letter)), letter_text(letter)
    assert len(people.got[ALICE]) > len(PLAYER_WRITES)


def test_what_changes_the_course_of_a_game_is_told_in_german(people):
    for text in ("draw", "no draw", "pause", "no pause", "press: Hi\nend press", "vacation 24.11. to 30.11."):
        people.write(BOB, text)
    people.write(BOB, "pause")
    people.write(ALICE, "pause")
    people.write(BOB, "resume")
    people.write(ALICE, "weiter")
    for text in (
        *(
            "extend oz-1 2 days because snow",
            "orders oz-1 red: 3 A to M because he asked",
            "process oz-1 because so",
        ),
        *("readjudicate oz-1 because so", "rollback oz-1 1 because so", "say oz-1: Hello\nend say"),
        *("position oz-1 1 red A3 M3 W3 bombs 3 blue V3 H3 E3 bombs 3 because so", "award oz-1 draw because so"),
    ):
        people.table.now += timedelta(hours=2)
        decide(people.table, text)
    people.poll()
    letters = [flat(letter) for letter in people.got[ALICE][2:]]
    german = [re.sub(r"Begründung des Spielleiters: .*?\.", "", own_words(letter)) for letter in people.got[ALICE][2:]]
    assert not [text for text in german if ENGLISH_WORDS.search(text)]
    assert any("Bob (Blau) bietet Remis an." in text for text in letters)
    assert any("pausiert auf Wunsch beider Spieler" in text for text in letters)
    assert "Die Partie endet remis. Der Spielleiter hat die Partie als Remis gewertet." in letters[-1]


def test_what_a_no_settles_is_told_in_the_readers_words_and_notation(people):
    people.write(ALICE, "resign")
    assert "dein Kommando `aufgeben`" in people.say(ALICE, "nein")
    people.write(ALICE, f"hand over to {CAROL}")
    assert f"`übergebe an {CAROL}`" in people.say(ALICE, "nein")
    people.write(ALICE, "Vielleicht 3 A nach M")
    assert "vorgeschlagen wurden: 3 A nach M)" in people.say(ALICE, "nein")


def test_why_a_game_ended_is_told_in_the_language_of_whoever_asks_later(people):
    people.write(BOB, "resign")
    people.write(BOB, "yes")
    assert "Du hast gewonnen. Blau hat aufgegeben." in flat(people.got[ALICE][-1])
    assert "zu Ende. Blau hat aufgegeben." in people.say(ALICE, "status")
    assert "over. Blue resigned." in people.say(BOB, "status")
    assert "Die Partie ist zu Ende. Blau hat aufgegeben." in people.say(ALICE, "3 A nach M")


def test_a_letter_in_german_has_the_same_headers_and_structure(people):
    people.write(ALICE, "3 A nach M")
    german, english = people.got[ALICE][-1], people.got[ALICE][0]
    assert german["Subject"] == "Ozymandia oz-1, Runde 1: deine Befehle"
    assert german["References"].split()[0] == english["References"].split()[0]
    assert german["Reply-To"] == english["Reply-To"]
    assert set(german.keys()) == {*english.keys(), "In-Reply-To"}
    assert {part.get_content_type() for part in german.walk()} >= {"text/plain", "text/html"}
    html = next(part for part in german.walk() if part.get_content_type() == "text/html")
    assert '<html lang="de">' in html.get_payload(decode=True).decode()
    assert letter_text(german).startswith("== Antworte oberhalb dieser Zeile ==\n")
    assert max(map(len, letter_text(german).splitlines())) <= 72


def test_an_answer_above_the_german_line_is_read_to_that_line(people):
    assert "Deine Befehle für Runde 1 sind da" in people.say(ALICE, "3 A nach M")
    answer = people.say(ALICE, "2 A nach M")
    assert "Deine Befehle für Runde 1 sind da" in answer
    assert "„" not in answer  # nothing else was found in the letter


def test_language_is_that_of_the_reader_wherever_he_is_written_to_and_can_be_changed_back(people):
    assert "From now on, our letters to you will be in English." in people.say(ALICE, "language english")
    assert '<html lang="en">' in people.got[ALICE][-1].as_string()
    people.write_anew(CAROL, "join")
    people.write(CAROL, "yes\nsprache deutsch")
    assert people.got[CAROL][-1]["Subject"] == "Deine Partien"


def test_the_calendar_entry_of_a_deadline_is_in_german(people):
    people.write(ALICE, "2 A nach AC")
    people.write(BOB, "2 H to S")
    entry = next(part for part in people.got[ALICE][-1].walk() if part.get_content_type() == "text/calendar")
    assert "SUMMARY:Ozymandia oz-1: Runde 2" in entry.get_payload(decode=True).decode()


# Every sentence of the templates


@pytest.fixture(scope="module")
def values(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A value for whatever a notice may tell, in a game that is over for Red."""
    table = DemoDesk(tmp_path_factory.mktemp("desk") / "desk", NOW)
    table.poll()
    match = load_match(table.store, 1)
    table.close()
    match = replace(match, turn=3, due=NOW, phase="finished", result=Result("red", Sentence("Blue resigned.")))
    bob, absence = match.holders["blue"], Absence(date(2026, 12, 20), date(2027, 1, 3), "UTC")
    names = dict.fromkeys(
        ("name", "league", "wish", "address", "instead", "zone", "unknown", "near", "wrong", "line"), "Xanten"
    ) | {
        "word": "joined",
        "vote": VOTE,
        "replaced": "blue",
        "agrees": True,
        "unanswered": True,
        "beside": False,
        "usage": "join",
        "about": "join",
    }
    numbers = dict.fromkeys(
        ("turn", "round", "missed", "first", "last", "later", "limit", "level", "used", "left", "year", "board"), 7
    )
    flags = dict.fromkeys(
        ("again", "agreed", "always", "at_once", "old", "needed", "private", "begun", "leaves", "swiss", "waits"), False
    ) | {
        "waited": True,
        "lost": [("Anna", "Berta")],
        "part": True,
        "bye": True,
        "captain": True,
        "affected": True,
        "team": "Xanten",
        "rivals": "Xanten",
        "sitting": ["1. Anna", "2. Berta"],
        "moved": [match],
        "names": ["Anna", "Berta"],
        "taken": "blue",
        "what": "pair",
        "people": ["Xanten"],
        "points": "0.5",
        "rating": 1850,
        "known": [("ozymandia", 3)],
        "conditional": Wish("H S", True, "resign"),
        "form": Sentence("if Blue holds S: 3 M to W, else 3 M to S"),
        "choices": [Choice((Checked("H S", True), Checked("H A", False)), "")],
        "choice": None,
        "says": True,
    }
    return {
        "match": match,
        "at": match,
        "seat": "red",
        "by": bob,
        "holder": bob,
        "holders": [bob],
        "readers": [bob],
        "theirs": ["blue"],
        "absence": absence,
        "entry": Entry(2, 1, "", "3 A to M"),
        "canonical": "Standing 3 A",
        "orders": "2 A to M",
        "missing": ["red", "blue"],
        "deadline": NOW,
        "until": NOW,
        "start": NOW,
        "untold": True,
        "claim": 7,
        "of": "red",
        "appeal": 7,
        "ruling": Ruling(5, NOW, "award", "draw", "Xanten", "player 9"),
        "upheld": False,
        "commands": ("wait", "vacation 1 December to 3 December"),
        "remarks": ["Hm."] * 7,
        "unread": ["Hm."],
        "problems": ("cut at 256 kB",),
        "items": ["3 A to M"],
        "text": ["  Hm."],
        "words": ["join"],
        "addresses": ["x@example.org"],
        "argument": "",
        "about": "withdraw",
        "why": Sentence("That is your own address."),
        "reason": Sentence("an invitation was declined"),
        "decision": Decision("award", "oz-1", "draw", "so"),
        "language": "de",
        "since": "2026-11-21 12:05 UTC",
        "question": Question("draw"),
        "gone": [LaterOrders(4, 1, "3 A to M", "")],
        "dropped": ("red",),
        "anew": True,
        "renewed": True,
        "dealt": True,
        "void": ("red",),
        "place": None,
        "back": ("red",),
        "same": "3 A to M",
        "help": "shows the state of all your games",
        "kind": "fewer",
        "hash": "0" * 64,
        "on": True,
        "first": "2",
        "later": "6",
        "played": ["Xanten"],
        "tried": "ozymandia",
        "begun": 0,
        "waiting": [],
        "letters": 2,
        "direct": Direct("Berg", "next", "", "so", "operator", None, 0),
        "stands": True,
        "changed": match,
        "before": timedelta(days=1),
        "more": 0.5,
        "because": "so",
        **names,
        **numbers,
        **flags,
    }


def in_german(section: Section, language: str = "de") -> str:
    """The text of a letter with one section, to a German reader, or to another one."""
    frame = {
        "language": language,
        "now": NOW,
        "zone": ZoneInfo("UTC"),
        "title": "",
        "run": "heute",
        "last_run": "",
        "to": ("", ""),
        "secrets": (),
        "beacon": "drand",
    }
    return render_letter([section], {**frame, "notes": (), "game_master": "gm@example.org"})[0]


def waiting_for(values: dict[str, Any], what: str) -> dict[str, Any]:
    """The values, with a match that waits for a round of a beacon where that is what is told."""
    if what not in ("accepted", "closed", "silent", "words"):
        return values
    source, phase = f"{'ab' * 32}+12:+-+-", "offered" if what == "accepted" else "running"
    return {**values, "match": replace(values["match"], phase=phase, deck=source, secret=source, cooling=NOW)}


@each("language", ["de", "ru"])
@each("reason", get_args(Notice))
def test_every_notice_can_be_told_in_another_language(values, reason, language):
    text = in_german(Section("notice", {**waiting_for(values, reason), "reason": reason}), language)
    assert len(text.splitlines()) > 2
    assert not re.search("[{}]", text), text
    assert not ENGLISH_WORDS.search(re.sub(r"`[^`]*`|\"[^\"]*\"|\S+@\S+", "", text)), text


@each("language", ["en", "de", "ru"])
@each("reason", get_args(Notice))
def test_who_plays_against_several_is_told_nothing_of_one_opponent(values, reason, language):
    values = waiting_for(values, reason)
    holders = values["match"].holders
    match = replace(values["match"], holders={**holders, "green": replace(holders["blue"], seat="green")})
    for wish in ("draw", "rematch", "wait", *EVENTS):
        told = {**values, "match": match, "wish": wish, "vote": {**VOTE, "on": wish}, "reason": reason}
        text = in_german(Section("notice", told), language)
        assert not re.search(r"\b([Bb]oth|your opponent|beide|dein\w* Gegner|вы оба|соперник)\b", text), text


@each("language", ["de", "ru"])
@each("what", get_args(Course))
def test_every_turn_of_a_games_course_can_be_told_in_another_language(values, what, language):
    by = Sentence("both players") if what in ("pause", "resume", "extended", "rollback", "annul") else values["by"]
    match = replace(values["match"], deadline=deadline_at(NOW))
    values = waiting_for({**values, "what": what, "by": by, "match": match, "until": NOW, "freed": 11}, what)
    unfetched = Section("course", {**values, "match": replace(values["match"], unfetched=True)})
    text = in_german(Section("course", values), language) + in_german(unfetched, language)
    assert len(text.splitlines()) > 2
    assert not re.search("[{}]", text), text
    assert not ENGLISH_WORDS.search(re.sub(r"`[^`]*`|\S+@\S+", "", text)), text


def test_how_a_league_stands_is_told_in_german():
    games = [
        {"name": f"oz-{n}", "first": "Anna", "second": "Bert", "outcome": outcome, "winner": "Anna", "forfeit": n == 2}
        for n, outcome in enumerate(("draw", "won", "won", "forfeit", "annulled"))
    ]
    row = SimpleNamespace(rank=1, points=2.5, won=2, drawn=1, lost=0, tie_breaks=(1, 5.5, 4, 3.25, 12, 2))
    row.decided = {*TIE_BREAKS}
    strength = SimpleNamespace(rating=SimpleNamespace(points=1512, margin=80), reliability=0.9)
    table = [SimpleNamespace(name="Anna", row=row, strength=strength, has_left=True, by_hand=0.5, external=None)]
    values = {
        "league": "Berg",
        "game": find_game(),
        "seats": ("red", "blue"),
        "at_tables": False,
        "tie_breaks": TIE_BREAKS,
        "asked": False,
        "division": 2,
        "round": 3,
        "over": True,
        "boards": 0,
        "matches": [],
        "coming_matches": [],
        "games": games,
        "byes": ["Carl"],
        "resting": ["Carl"],
        "struck": ["Dirk"],
        "reasons": (),
        "directs": False,
    }
    text = in_german(Section("standings", {**values, "notes": NOTES, "table": table, "coming": games[:1]}))
    flat = " ".join(text.split())
    assert "Spieltag 3 der Gruppe 2 der Liga Berg ist zu Ende, und damit die Saison." in text
    assert "1. Anna (ausgeschieden)" in text
    assert (
        "Punkte 2.5; gewonnen 2, remis 1, verloren 0; davon von Hand +0.5; direkter Vergleich 1; Buchholz 5.5;" in flat
    )
    assert not ENGLISH_WORDS.search(text)


@pytest.mark.parametrize(("language", "told"), [("de", "2. Bert (Winkies), kampflos"), ("ru", "2. Bert (")])
def test_how_a_league_of_tables_stands_is_told_in_another_language(language, told):
    sitting = [("Anna", "munchkins"), ("Bert", "winkies"), ("Carl", "gillikins")]
    places = [(rank, *one, rank == 2) for rank, one in enumerate(sitting, start=1)]
    games = [
        {"name": "ozz-1", "outcome": "won", "sitting": sitting, "places": places},
        {"name": "ozz-2", "outcome": "annulled", "sitting": sitting, "places": []},
    ]
    row = SimpleNamespace(rank=1, points=2.5, places=((1, 2, 3),))
    line = SimpleNamespace(
        name="Anna",
        row=row,
        strength=SimpleNamespace(rating=None, reliability=None),
        has_left=False,
        by_hand=0,
        external=1850,
    )
    values = {
        "league": "Berg",
        "game": find_game("ozz"),
        "seats": ("munchkins", "winkies"),
        "at_tables": True,
        "tie_breaks": (),
        "asked": False,
        "division": 0,
        "round": 1,
        "over": False,
        "boards": 0,
        "matches": [],
        "coming_matches": [],
        "games": games,
        "byes": [],
        "resting": [],
        "struck": [],
        "notes": (),
        "reasons": (),
        "directs": False,
    }
    text = in_german(Section("standings", {**values, "table": [line], "coming": games[:1]}), language)
    assert told in text
    assert "2/3" in text
    assert not ENGLISH_WORDS.search(re.sub(r"`[^`]*`|\S+@\S+", "", text)), text


# Times


def test_moments_and_lengths_of_time_are_told_as_germans_tell_them():
    due, berlin = datetime(2026, 11, 29, 19, 0, tzinfo=UTC), ZoneInfo("Europe/Berlin")
    told = deadline_in_words(due, NOW, berlin, GERMAN)
    assert told == "Sonntag, 29. November 2026, 20:00 Uhr in Berlin (in 3 Tagen und 4 Stunden)"
    assert deadline_in_words(due, due, berlin, GERMAN).endswith("(jetzt)")
    assert deadline_in_words(due, due - timedelta(days=1), berlin, GERMAN).endswith("(in 1 Tag)")
    assert deadline_in_words(due, due - timedelta(minutes=61), berlin, GERMAN).endswith("(in 1 Stunde und 1 Minute)")
    assert format_duration(timedelta(days=2, minutes=5), 3, GERMAN) == "2 Tage 5 Minuten"
    assert day_in_words(date(2027, 3, 1), GERMAN) == "Montag, 1. März 2027"


@pytest.mark.parametrize(
    ("pace", "german"),
    [
        (Pace(), "keine"),
        (Pace(every=timedelta(days=3)), "3 Tage"),
        (Pace(hour=time(20), weekdays=EVERY_DAY), "täglich 20:00"),
        (Pace(hour=time(20), weekdays=frozenset((6,))), "jeden Sonntag 20:00"),
        (
            Pace(hour=time(8, 30), weekdays=frozenset((0, 2, 4)), least=timedelta(days=1)),
            "Mo, Mi und Fr 08:30, mindestens 1 Tag",
        ),
    ],
)
def test_the_pace_of_turns_is_told_in_german_and_in_english_as_it_is_stored(pace, german):
    assert pace.in_words(GERMAN) == german
    assert pace.in_words(ENGLISH) == str(pace)


def test_what_is_wrong_with_a_time_is_told_in_german():
    with pytest.raises(TimeError) as caught:
        parse_zone("IST")
    (sentence,) = caught.value.args
    told = "„IST“ kann Europe/Dublin, Asia/Jerusalem oder Asia/Kolkata sein: Schreib, welche du meinst."
    assert translate(GERMAN, sentence) == told


# Sentences


def test_what_has_no_translation_is_said_in_english_and_so_is_a_language_that_nobody_has():
    assert GERMAN("Nobody has ever said {what}.", what="this") == "Nobody has ever said this."
    assert say_in("") is say_in("tlh") is ENGLISH
    assert GERMAN("") == ""


def test_what_people_write_is_never_taken_for_a_sentence():
    assert translate(GERMAN, "Monday") == "Monday"
    assert GERMAN("{first} and {last}", first="{last}", last="{0}") == "{last} und {0}"


@pytest.mark.parametrize(
    "text", ["a plain text", '["no JSON', "[1]", '["x", 3]', Sentence("Both sides agreed to a draw.")]
)
def test_a_text_comes_back_from_the_store_as_it_was(text):
    kept = load_sentence(dump_sentence(text))
    assert (kept, translate(GERMAN, kept)) == (text, translate(GERMAN, text))


def test_a_sentence_comes_back_from_the_store_with_all_its_values():
    names = (Sentence("{name} ({side})", name="Alice", side=Sentence("Red")), "Bob")
    who = Sentence("{first} and {last}", first=names, last="Carol")
    kept = load_sentence(dump_sentence(Sentence("{who} missed {number} turns in a row.", who=who, number=2)))
    assert kept == "Alice (Red), Bob and Carol missed 2 turns in a row."
    assert translate(GERMAN, kept) == "Alice (Rot), Bob und Carol: 2 Runden in Folge versäumt."


# Catalogues


@pytest.mark.parametrize("path", catalogues.catalogues(), ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_a_catalogue_has_a_translation_of_every_sentence_with_all_its_gaps(path):
    assert list(catalogues.check(path)) == []


def _says_within_a_string(path):
    for string in filter(lambda node: isinstance(node, ast.JoinedStr), ast.walk(ast.parse(path.read_text()))):
        for call in filter(lambda node: isinstance(node, ast.Call), ast.walk(string)):
            if ast.unparse(call.func).split(".")[-1] in ("say", "many") and isinstance(call.args[0], ast.Constant):
                yield ast.unparse(call)


def test_no_sentence_stands_within_another_string_where_no_catalogue_finds_it():
    paths = sorted((catalogues.ROOT / "pbem").rglob("*.py"))
    assert [(path.name, said) for path in paths for said in _says_within_a_string(path)] == []


def test_german_has_a_catalogue_of_every_domain():
    assert {path.stem for path in catalogues.catalogues() if path.parts[-3] == "de"} == set(catalogues.DOMAINS)


def test_a_sentence_is_given_what_its_template_has_set_itself():
    """`say` does not see it, nor variables of loops: without this test the mistake shows only in a letter."""
    environment = Environment()
    for path in sorted((catalogues.ROOT / "templates").rglob("*.j2")):
        tree = environment.parse(path.read_text())
        hidden = {name.name for name in tree.find_all(nodes.Name) if name.ctx == "store"}
        for call in tree.find_all(nodes.Call):
            if isinstance(call.node, nodes.Name) and call.node.name in ("say", "many") and call.dyn_kwargs is None:
                gaps = set().union(*(catalogues.gaps(one.value) for one in call.args if isinstance(one, nodes.Const)))
                used = {re.split(r"[.\[]", gap)[0] for gap in gaps} - {pair.key for pair in call.kwargs}
                assert not used & hidden, f"{path.name}: {sorted(used & hidden)}"


def test_first_letters_are_in_the_language_of_the_desk_or_of_who_invites(table: DemoDesk) -> None:
    people = Correspondents(table)
    config = table.config.path
    config.write_text(config.read_text().replace("language = en", "language = ru"))
    table.config = load_config(config)
    assert "Ваши приказы" in people.say(ALICE, "3 A to M")
    people.write(BOB, "language german")
    (invitation,) = people.write(BOB, f"challenge {CAROL}")[CAROL]
    assert "Bob lädt dich" in invitation
    people.write(CAROL, "accept")
    assert "Deine Befehle" in people.say(CAROL, "3 V to Z")
