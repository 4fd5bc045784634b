"""Decisions on the command line: the same words as in letters, and exactly those that the life of a match allows."""

import json
import re
import shlex
import shutil
from copy import copy
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.cli.demo import DemoDesk, letter_text
from pbem.cli.main import main
from pbem.config.config import load_config
from pbem.games.base import Result
from pbem.match import clock
from pbem.match.lifecycle import TRANSITIONS, may
from pbem.match.model import Phase
from pbem.orders.command import Decision, Simple
from pbem.orders.commands import DECISIONS
from pbem.orders.reader import read_words
from pbem.store.database import Store, connect
from pbem.store.matches import load_match
from support.paths import DOCS
from tools.docs import decisions_by_phase, diagram

PHASES: tuple[Phase, ...] = ("offered", "running", "paused", "review", "finished", "annulled")

WORDS = {
    "extend": ("2 days",),
    "pause": (),
    "resume": (),
    "process": (),
    "words": (),
    "rollback": ("1",),
    "readjudicate": (),
    "replace": ("red", "Carl <carl@example.net>"),
    "award": ("draw",),
    "annul": (),
    "reopen": (),
    "replay": (),
    "position": ("red A3 bombs 3 blue H2 bombs 3",),
    "orders": ("red", "Pass"),
    "release": (),
    "say": ("Hello.",),
    "tell": ("red", "Hello."),
    "decide": ("1", "The turn stands."),
    "uphold": ("2",),
    "overturn": ("3",),
}
"""What stands behind each word in these tests."""


def run(table: DemoDesk, *words: str):
    start = ["--config", str(table.config.path), "--now", f"{table.now:%Y-%m-%dT%H:%MZ}"]
    return CliRunner().invoke(main, [*start, *words])


def decide(table: DemoDesk, word: str, game: str = "oz-1"):
    reason = () if word in ("release", "say", "tell", "decide") else ("--reason", "as the rules want it")
    return run(table, "game", word, game, *WORDS[word], *reason)


def play(table: DemoDesk) -> None:
    table.write("red", "Pass")
    table.write("blue", "Pass")
    table.poll()


def brought_to(phase: Phase, folder: Path) -> DemoDesk:
    """A game in a phase; but for one that is only offered, a turn of it was played."""
    table = DemoDesk(folder)
    table.poll()
    with table.store.transaction():
        table.store.note("gm", {"seat": "red", "letter": 1, "claim": 1, "text": "I was in time."}, table.now, 1)
        decided = {"decision": "extend", "argument": "2 days", "reason": "so", "by": "operator", "letter": None}
        table.store.note("decision", decided, table.now, 1)
        against = table.store.head().number
        for number in (2, 3):
            told = {"appeal": number, "against": against, "seat": "red", "player": 1, "text": "I was in time."}
            table.store.note("appeal", told, table.now, 1)
    if phase == "offered":
        table.store.conn.execute("UPDATE matches SET phase = 'offered'")
        return table
    play(table)
    if phase == "review":
        table.store.conn.execute("""UPDATE matches SET terms = '{"deadline": "3 days", "review": "1 day"}'""")
        play(table)
    elif phase in ("paused", "annulled"):
        assert decide(table, {"paused": "pause", "annulled": "annul"}[phase]).exit_code == 0
    elif phase == "finished":
        table.store.conn.execute("""UPDATE matches SET terms = '{"deadline": "3 days", "forfeit": 1}'""")
        table.write("blue", "Pass")
        table.now += timedelta(days=4)
        table.poll()
    assert load_match(table.store, 1).phase == phase
    return table


def copied(model: DemoDesk, folder: Path) -> DemoDesk:
    """A copy of a desk with its game."""
    shutil.copytree(model.config.path.parent, folder)
    table = copy(model)
    table.config = load_config(folder / "config.ini")
    table.store = Store(connect(table.config.database))
    return table


def state(table: DemoDesk) -> list[tuple]:
    """All that a decision could change."""
    tables = ("matches", "seats", "orders", "turns", "outbox", "record", "players")
    return [row for name in tables for row in table.store.conn.execute(f"SELECT * FROM {name}").fetchall()]


# The life of a match


@pytest.mark.parametrize("phase", PHASES)
def test_a_decision_is_done_where_the_life_of_a_match_has_it_and_refused_everywhere_else(phase, tmp_path):
    model = brought_to(phase, tmp_path / "model")
    for word in WORDS:
        table = copied(model, tmp_path / word)
        before = state(table)
        result = decide(table, word)
        after = load_match(table.store, 1).phase
        if (phase, word) in TRANSITIONS:
            assert result.exit_code == 0, f"{word}: {result.output}"
            assert after in TRANSITIONS[phase, word], word
        else:
            assert result.exit_code == 2, f"{word}: {result.output}"
            assert result.output.startswith("pbem: ")
            assert result.output.count("\n") == 1
            assert state(table) == before, word
        table.close()


def test_what_the_clock_and_the_players_do_is_in_the_life_of_a_match(tmp_path):
    assert {word for _, word in TRANSITIONS} - WORDS.keys() == {
        *("all accept", "somebody declines", "nobody answers", "a turn is played", "its time is over"),
        *("both take back", "both extend", "both annul", "both replace"),
        *("both pause", "both resume", "both draw", "both rematch", "somebody resigns", "somebody leaves the league"),
        "somebody writes press",
        *("orders come", "somebody waits", "somebody hands over", "somebody watches"),
        *("orders close", "the round comes"),
    }
    table = brought_to("running", tmp_path / "desk")
    seen = []
    for said in (("pause", "pause"), ("resume", "resume"), ("draw", "draw")):
        table.write("red", said[0])
        table.write("blue", said[1])
        table.poll()
        seen.append(load_match(table.store, 1).phase)
    assert seen == ["paused", "running", "finished"]
    table.close()


def test_the_diagram_has_every_change_of_phase_and_every_phase():
    drawn = diagram()
    assert drawn.startswith("stateDiagram-v2\n")
    for (before, word), phases in TRANSITIONS.items():
        for after in phases:
            line = next((line for line in drawn.splitlines() if line.startswith(f"    {before} --> {after}: ")), "")
            assert (word in line.partition(": ")[2].split(", ")) == (before != after or word == "a turn is played")
    assert all(f" {phase}" in drawn for phase in PHASES)


def test_every_decision_on_a_game_has_phases_in_which_it_can_be_done():
    assert [word for word, _ in decisions_by_phase()] == [
        row.word for row in DECISIONS if " GAME" in row.usage and row.word != "letters"
    ]


# The commands


def test_there_is_a_command_for_every_word_that_decides_on_a_game(table):
    shown = run(table, "game", "--help").output
    assert [word for word in WORDS if f"\n  {word} " not in shown] == []
    assert set(WORDS) == {word for word, _ in decisions_by_phase()}


def test_a_decision_on_the_command_line_is_told_to_the_players_and_the_game_masters_and_stands_in_the_record(table):
    result = decide(table, "extend")
    assert (result.exit_code, result.output) == (0, "Done: extend oz-1. Letters go out with the next poll.\n")
    letters = {letter["To"]: " ".join(letter_text(letter).split()) for _, letter in table.poll()}
    assert set(letters) == {"Alice <alice@example.net>", "Bob <bob@example.com>", "Game master <operator@example.org>"}
    assert all("as the rules want it" in text for text in letters.values())
    rows = table.store.conn.execute(
        "SELECT content FROM record JOIN record_contents ON record = id WHERE kind = 'decision' AND match = 1"
    )
    (content,) = (json.loads(text) for (text,) in rows)
    assert content == {
        "decision": "extend",
        "argument": "2 days",
        "reason": "as the rules want it",
        "by": "operator",
        "letter": None,
    }


def test_the_same_decision_twice_in_a_moment_is_told_twice(table):
    for _ in range(3):
        assert decide(table, "extend").exit_code == 0
    assert len([1 for seat, _ in table.poll() if seat == "red"]) == 3


def test_orders_are_entered_with_or_without_a_colon(table):
    for words in (("red: 3 A to M",), ("red", "3 A to M"), ("red", "3", "A", "to", "M")):
        assert run(table, "game", "orders", "oz-1", *words, "--reason", "she rang").exit_code == 0
        assert load_match(table.store, 1).standing["red"].canonical == "3 A to M"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("extend", "oz-99", "2 days", "--reason", "x"), 'There is no game "oz-99": `pbem game list` shows all.'),
        (("extend", "17", "2 days", "--reason", "x"), '"17" is no name of a game: they are such as oz-17.'),
        (("extend", "oz-1", "--reason", "x"), "Missing argument"),
        (("extend", "oz-1", "2 days"), "Missing option '--reason'"),
        (("extend", "oz-1", "2 days", "--reason", " "), "Give a reason"),
        (
            ("extend", "oz-1", "a while", "--reason", "x"),
            "could not be read: write `pbem game extend oz-1 '2 days' --reason TEXT`.",
        ),
        (("extend", "oz-1", "to 31 February 2027 20:00", "--reason", "x"), "as a date: write"),
        (("award", "oz-1", "red", "blue", "--reason", "x"), "could not be read: write `pbem game"),
        (("rollback", "oz-1", "5", "--reason", "x"), "no turn has been played so far"),
        (("replace", "oz-1", "red", "Carl", "--reason", "x"), "could not be read: write `pbem game"),
        (("position", "oz-1", "red A3 blue H2", "--reason", "x"), "bombs"),
        (("say", "oz-1", " "), "There are no words"),
    ],
)
def test_wrong_use_changes_nothing_and_ends_with_status_2(table, words, why):
    before = state(table)
    result = run(table, "game", *words)
    assert result.exit_code == 2
    assert why in result.output
    assert state(table) == before


# People


def test_player_list_and_show_print_everybody_and_one(table):
    people = json.loads(run(table, "player", "list", "--json").output)
    assert [(one["name"], one["games"], one["banned"]) for one in people] == [("Alice", 1, False), ("Bob", 1, False)]
    assert "1  Alice <alice@example.net>, 1 game\n" in run(table, "player", "list").output
    shown = json.loads(run(table, "player", "show", "alice@example.net", "--json").output)
    assert shown["seats"] == [{"game": "oz-1", "side": "red"}]
    assert "oz-1: red, running" in run(table, "player", "show", "1").output


def test_player_show_tells_how_somebody_likes_letters_and_what_they_wait_for(table):
    table.write("red", "text only\ndigest daily at 7:30\nzone Tokyo\njoin rocknroll")
    table.poll()
    shown = run(table, "player", "show", "1").output.splitlines()
    for line in ("zone: Asia/Tokyo", "mail: digest=07:30 text", "waits for: rocknroll"):
        assert line in shown


def test_player_show_does_not_tell_orders(table):
    table.write("red", "3 A to M")
    table.poll()
    for words in (("show", "1"), ("show", "1", "--json"), ("list",)):
        assert "3 A to M" not in run(table, "player", *words).output


def test_player_ban_shuts_somebody_out(table):
    assert run(table, "player", "ban", "alice@example.net", "--reason", "threats").exit_code == 0
    table.write("red", "3 A to M")
    assert [letter["To"] for _, letter in table.poll()] == ["Game master <operator@example.org>"]
    assert not load_match(table.store, 1).standing
    assert "1  Alice <alice@example.net>, 1 game, banned" in run(table, "player", "list").output
    assert run(table, "player", "unban", "1", "--reason", "a mistake").exit_code == 0
    assert "1  Alice <alice@example.net>, 1 game\n" in run(table, "player", "list").output


@pytest.mark.parametrize(
    "words", [("show", "99"), ("show", "x@example.net"), ("ban", "x@example.net", "--reason", "x")]
)
def test_unknown_people_are_wrong_use(table, words):
    result = run(table, "player", *words)
    assert result.exit_code == 2
    assert "`pbem player list` shows all" in result.output


# Decisions in a file


def test_the_decisions_of_a_file_are_done_one_by_one(table, tmp_path):
    file = tmp_path / "decisions.txt"
    file.write_text("extend oz-1 2 days because it snows\naward oz-2 red because she won\naward oz-1 draw because so\n")
    result = run(table, "game", "do", str(file))
    assert result.exit_code == 2
    assert result.output.splitlines() == [
        "Done: extend oz-1 2 days because it snows",
        "Not done: award oz-2 red because she won",
        '  You are not the game master of a game "oz-2".',
        "Done: award oz-1 draw because so",
        "2 of 3 are done. Letters go out with the next poll.",
    ]
    assert load_match(table.store, 1).phase == "finished"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"award oz-1 draw because so\nAnd thank you\nstatus\n", "no decisions:\n  And thank you\n  status\n"),
        (b"award oz-1 draw because \xff\n", "The file is not UTF-8 text"),
    ],
)
def test_of_a_file_that_cannot_be_read_nothing_is_done(table, tmp_path, content, why):
    (tmp_path / "decisions.txt").write_bytes(content)
    before = state(table)
    result = run(table, "game", "do", str(tmp_path / "decisions.txt"))
    assert result.exit_code == 2
    assert why in result.output
    assert state(table) == before


# The manual


MANUAL = (DOCS / "gamemasters.md").read_text("utf-8")


def section(heading: str) -> str:
    return MANUAL.partition(f"## {heading}\n")[2].partition("\n## ")[0]


FILLED = {
    "[GAME or LEAGUE]": "oz-17",
    "GAME": "oz-17",
    "SEAT or draw": "draw",
    "SEAT": "red",
    "[TURN]": "3",
    "LEAGUE": "Autumn",
    "[daily]": "daily",
    "[with everybody]": "with everybody",
    "TURN": "6",
    "ROUND": "3",
    "NAME - NAME, ...": "Carl - Dave, Erin - Flo",
    "NAME": "Carl",
    "<ADDRESS>": "<carl@example.net>",
    "ADDRESS": "carl@example.net",
    "OLD": "alice@old.example",
    "NEW": "alice@new.example",
    "A3 ...": "A3 bombs 3 blue H4 bombs 2",
    "A to M, ...": "A to M",
    "NUMBER: ...": "5: The turn stands.",
    "NUMBER": "5",
    "league: ...": "league:\nname = 'Autumn'",
    ": ...": ": Please write to me.",
    "...": "Bob is ill",
}
"""What may stand in the gaps of the table of decisions."""


@pytest.mark.parametrize(("word", "usage"), [(row.word, row.usage) for row in DECISIONS])
def test_each_word_of_the_table_in_the_manual_is_read_as_it(word, usage):
    line = usage.replace("|", " or ")
    assert f"| `{line}` |" in section("By mail")
    for gap, text in FILLED.items():
        line = line.replace(gap, text)
    (decision,) = read_words(line).commands
    if word == "ok":  # releases a report where it answers one that waits, and is a plain yes elsewhere
        assert decision == Simple("yes")
    else:
        assert isinstance(decision, Decision)
        assert (decision.word, decision.understood) == (word, True)


def test_the_letter_in_the_manual_is_read_as_two_decisions():
    (letter,) = re.findall(r"```text\n(.*?)```", section("By mail"), re.S)
    extend, say = read_words(letter).commands
    assert extend == Decision("extend", "oz-17", "2 days", "Bob is ill")
    assert say == Decision("say", "oz-17", "There is no turn on Sunday.\nSee you on Monday.", "")


def test_the_commands_in_the_manual_do_what_they_say(table):
    (lines,) = re.findall(r"```sh\n(.*?)```", section("On the command line"), re.S)
    for line in lines.replace("oz-17", "oz-1").splitlines():
        result = run(table, *shlex.split(line)[1:])
        assert result.exit_code == 0, result.output
    assert load_match(table.store, 1).result.winner is None


@pytest.mark.parametrize("phase", ["finished", "annulled"])
def test_what_the_table_of_the_life_of_a_match_does_not_allow_cannot_happen(tmp_path, phase):
    table = brought_to(phase, tmp_path / "desk")
    match = load_match(table.store, 1)
    for act in (clock.begin, clock.play, clock.release):
        with pytest.raises(ValueError, match=f"oz-1 is {phase}"):
            act(match, table.now)
    with pytest.raises(ValueError, match="makes it paused"):
        clock.pause(match, table.now, "")
    assert not may(match, "both pause", "both resume")
    table.close()


@pytest.mark.parametrize("phase", ["running", "paused", "review"])
def test_a_game_whose_player_leaves_the_league_ends_wherever_it_is(tmp_path, phase):
    table = brought_to(phase, tmp_path / "desk")
    match = load_match(table.store, 1)
    saved, *_ = clock.finish(match, Result("blue", "Alice has left.", forfeit=True), table.now, "Alice")
    assert saved.match.phase == "finished"
    table.close()


def test_to_ask_for_what_happens_to_no_match_is_an_error(table):
    with pytest.raises(KeyError):
        may(load_match(table.store, 1), "both paws")
