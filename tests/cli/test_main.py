"""The commands: what they print, their exit statuses, and that no mistake of a user shows a traceback."""

import importlib
import json
import os
import pty
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.cli.main import main
from pbem.config.config import read_key
from pbem.resources import unread_part
from support.commands import RED_AND_BLUE, pbem, program, shell, wrong
from support.desks import TestDesk, bound_by_modes, flat
from support.paths import ROOT

LINE = (
    '{"id": 1, "board": "lattice", "turn": 4, "pieces": {"red": {"M": 4}, "blue": {"S": 3, "HC": 1}},'
    ' "bombs": {"red": 3, "blue": 2}, "orders": {"red": "2 M to S", "blue": "3 S to M; New H; Bomb MC"}}\n'
)


# init, check-config, and where the configuration is


def test_init_makes_a_desk_that_works_as_it_is(tmp_path):
    desk = tmp_path / "deep" / "desk"
    result = pbem("init", desk)
    assert f"The desk in {desk.resolve()} is ready." in result.output
    assert f"`pbem --config {desk}/config.ini check-config`" in result.output
    assert {path.name for path in desk.iterdir()} == {"config.ini", "pbem.key", "pbem.db", "mail"}
    for secret in ("pbem.key", "pbem.db"):
        assert (desk / secret).stat().st_mode & 0o777 == 0o600
    assert pbem("--config", desk / "config.ini", "check-config").exit_code == 0
    assert pbem("--config", desk / "config.ini", "poll").output == ""


def test_no_two_desks_have_one_key(tmp_path):
    keys = set()
    for name in "ab":
        pbem("init", tmp_path / name)
        keys.add((tmp_path / name / "pbem.key").read_text())
    assert len(keys) == 2


@pytest.mark.parametrize("part", ["config.ini", "pbem.key", "pbem.db"])
def test_init_overwrites_nothing(tmp_path, part):
    (tmp_path / part).write_text("mine")
    assert wrong(2, "init", tmp_path) == f"{tmp_path / part}: already exists; pbem does not overwrite a desk."
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(part, "mine")]


def test_init_where_nothing_can_be_made(tmp_path):
    (tmp_path / "file").touch()
    assert wrong(2, "init", tmp_path / "file" / "desk").endswith("cannot be made: Not a directory.")
    (tmp_path / "locked").mkdir(mode=0o555)
    with bound_by_modes():
        assert wrong(2, "init", tmp_path / "locked" / "desk").endswith("cannot be made: Permission denied.")


def test_init_is_told_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for unset in ("", " "):
        result = pbem("init", unset)
        assert result.exit_code == 2
        assert "DIR is empty: name the folder of the new desk, or `.` for this one." in result.stderr
    assert not [*tmp_path.iterdir()]


def test_check_config_tells_every_problem_at_once(config):
    config.write_text("[mailbox]\nurl = imap://host\nuser = me\n[outgoing]\nurl = smtp://host\n[desk]\nzone = Mars\n")
    result = pbem("--config", config, "check-config")
    assert result.exit_code == 2
    for problem in (
        "line 3 has an unknown key",
        "[mailbox] url names no user",
        "[outgoing] from is missing",
        "[desk] operator is missing",
        "[desk] key_file is missing",
        "[desk] zone must be the name of a time zone",
    ):
        assert problem in result.stderr


def test_check_config_looks_behind_the_configuration(config):
    config.with_name("pbem.key").chmod(0o640)
    config.with_name("pbem.db").unlink()
    shutil.rmtree(config.with_name("mail"))
    result = pbem("--config", config, "check-config")
    assert result.exit_code == 2
    parts = ["pbem.key", "pbem.db", "mail/in", "mail/out"]
    assert [[part for part in parts if part in line] for line in result.stderr.splitlines()] == [[one] for one in parts]


def test_check_config_tells_trouble_with_a_server_from_a_wrong_configuration(config):
    shutil.rmtree(config.with_name("mail"))
    assert pbem("--config", config, "check-config").exit_code == 1


def test_the_configuration_is_found_by_option_then_variable_then_folder(tmp_path, monkeypatch):
    for number, name in enumerate(("option", "variable", "folder")):
        pbem("init", tmp_path / name)
        for _ in range(number + 1):
            pbem("--config", tmp_path / name / "config.ini", "game", "new", *RED_AND_BLUE)
    monkeypatch.chdir(tmp_path / "folder")
    assert len(pbem("game", "list").output.splitlines()) == 3
    monkeypatch.setenv("PBEM_CONFIG", str(tmp_path / "variable" / "config.ini"))
    assert len(pbem("game", "list").output.splitlines()) == 2
    assert len(pbem("--config", tmp_path / "option" / "config.ini", "game", "list").output.splitlines()) == 1


@pytest.mark.parametrize("command", [["poll"], ["check-config"], ["game", "list"]])
def test_a_configuration_that_cannot_be_read(tmp_path, command):
    missing, folder, binary = tmp_path / "none.ini", tmp_path / "folder", tmp_path / "binary.ini"
    folder.mkdir()
    binary.write_bytes(b"[mailbox]\n\xff\xfe")
    assert "none.ini: cannot be read: No such file" in wrong(2, "--config", missing, *command)
    assert "folder: cannot be read: Is a directory" in wrong(2, "--config", folder, *command)
    assert "binary.ini: line 2 is not UTF-8 text" in wrong(2, "--config", binary, *command)
    (tmp_path / "locked.ini").touch(0o200)
    with bound_by_modes():
        assert "cannot be read: Permission denied" in wrong(2, "--config", tmp_path / "locked.ini", *command)


def test_a_key_that_is_missing_or_open_to_others_is_told_when_it_is_needed(config):
    key = config.with_name("pbem.key")
    key.chmod(0o644)
    assert "can be read by others: run `chmod 600` on it." in wrong(2, "--config", config, "game", "list")
    key.unlink()
    assert "pbem.key cannot be read: No such file" in wrong(2, "--config", config, "game", "new", *RED_AND_BLUE)


# poll and the moment


def test_poll_is_silent_when_all_is_well(config):
    for _ in range(2):
        done = shell("--config", config, "poll")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("moment", "deadline"),
    [
        ("2026-11-21T20:00Z", "2026-11-28T20:00:00Z"),
        ("2026-11-21T20:00:30Z", "2026-11-28T20:01:00Z"),
        ("2026-11-21T21:00+01:00", "2026-11-28T20:00:00Z"),
    ],
)
def test_now_may_be_any_moment_with_a_zone(tmp_path, moment, deadline):
    config = tmp_path / "desk" / "config.ini"
    pbem("init", "--rehearsal", config.parent)
    pbem("--config", config, "--now", moment, "game", "new", *RED_AND_BLUE)
    assert json.loads(pbem("--config", config, "game", "show", "oz-1", "--json").output)["deadline"] == deadline


@pytest.mark.parametrize(
    "words",
    [
        ["poll"],
        ["game", "new", *RED_AND_BLUE],
        ["game", "pause", "oz-1", "--reason", "why"],
        ["letters", "retry", "1"],
        ["rekey", "--yes"],
    ],
)
def test_only_a_rehearsal_desk_is_told_what_time_it_is(config, words):
    result = pbem("--config", config, "--now", "2026-11-21T20:00Z", *words)
    assert result.exit_code == 2
    assert "This desk goes by the clock: --now is for desks made by `pbem init --rehearsal`." in result.output


@pytest.mark.parametrize(("answer", "is_new"), [("", False), ("n\n", False), ("y\n", True)])
def test_a_new_key_is_made_only_after_a_yes(config, answer, is_new):
    before = read_key(config.with_name("pbem.key"))
    result = pbem("--config", config, "rekey", text=answer)
    assert "Every reply address in players' hands becomes worthless." in result.stderr
    assert (result.exit_code, read_key(config.with_name("pbem.key")) != before) == (0 if is_new else 2, is_new)
    assert ("pbem rekey --yes" in result.stderr) is not is_new


@pytest.mark.parametrize("moment", ["yesterday", "2026-11-21", "2026-11-21T20:00", "2026-13-01T00:00Z", "12:00Z"])
def test_now_must_be_a_moment(config, moment):
    expected = f'"{moment}" is not a point in time: write, for example, 2026-11-21T20:00Z.'
    assert wrong(2, "--config", config, "--now", moment, "poll") == expected


# game


def test_the_last_word_of_game_new_is_the_id_of_the_game(config):
    for number in (1, 2):
        assert pbem("--config", config, "game", "new", *RED_AND_BLUE).output.split()[-1] == f"oz-{number}"


def test_nobody_of_a_league_has_the_address_of_the_desk(config, tmp_path):
    players = tmp_path / "players.txt"
    players.write_text("Carla <carla@example.org>\nDora <gm@example.org>\n")
    words = ("league", "new", "Winter", "--format", "round-robin", "--players", players)
    assert wrong(2, "--config", config, *words).startswith("Dora: has the desk's own address, where nobody reads.")
    assert pbem("--config", config, "league", "list").stdout == ""


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--blue", "Bob"), "--blue: must be an address such as gm@example.org"),
        (("--blue", "Bob <bob@example.com>, Eve <eve@example.com>"), "--blue: must be an address"),
        (("--blue", "Bob <bob@example.com>\nBcc: <eve@example.com>"), "--blue: must be an address"),
        (("--blue", "Bob <GM+x@example.org>"), "blue: has the desk's own address, where nobody reads."),
        (("--blue", f"Bob <17-red-7-{'a' * 16}@example.org>"), "blue: has the desk's own address, where nobody reads."),
        (("--blue", "Al <ALICE@example.net>"), "--blue: has the address of --red: each seat needs a different person."),
        (("--board", "mars"), 'There is no board "mars": lattice and triangles are shipped'),
        (("--board", "/"), 'There is no board "/"'),
        (("--trade", "A/Q"), '"A/Q" is no trade of this board; possible are: A/V, M/H, W/E.'),
        (("--trade", "A/V", "--trade", "A/V"), 'The trade "A/V" is named twice'),
        (
            ("--deadline", "soon"),
            '"soon" does not say how long turns take: write, for example, "3 days", "daily 20:00" or',
        ),
        (("--deadline", "0 days"), '"0 days" does not say how long turns take'),
        (("--deadline", "-1 day"), '"-1 day" does not say how long turns take'),
    ],
)
def test_a_game_that_cannot_be_set_up_leaves_nothing_behind(config, options, sentence):
    assert wrong(2, "--config", config, "game", "new", *RED_AND_BLUE, *options).startswith(sentence)
    assert pbem("--config", config, "game", "list").stdout == ""
    with closing(sqlite3.connect(config.with_name("pbem.db"))) as db:
        assert db.execute("SELECT (SELECT count(*) FROM players), (SELECT count(*) FROM outbox)").fetchone() == (0, 0)


@pytest.mark.parametrize(
    "words", [["--red", "a@b.example"], [*RED_AND_BLUE, "--turn-limit", "0"], [*RED_AND_BLUE, "--turn-limit", "x"]]
)
def test_game_new_used_wrongly(config, words):
    assert pbem("--config", config, "game", "new", *words).exit_code == 2


def test_games_are_listed_and_shown_with_what_they_wait_for(tmp_path):
    desk = TestDesk(tmp_path / "desk")
    desk.new_game("--deadline", "none")
    (line,) = desk.run("game", "list").lines
    assert line == "oz-1  ozymandia, turn 1, waits for red and blue"
    assert desk.run("game", "pause", "oz-1", "--reason", "it is Christmas").status == 0
    (line,) = desk.run("game", "list").lines
    assert line == "oz-1  ozymandia, turn 1, paused: no turn is played"
    assert desk.run("game", "show", "oz-1").lines[-1] == "It is paused: no turn is played."
    players = tmp_path / "players.txt"
    players.write_text("Carla <carla@example.org>\nDora <dora@example.org>\n")
    assert desk.run("league", "new", "Winter", "--format", "round-robin", "--players", str(players)).status == 0
    assert desk.run("game", "list").lines[-1] == "oz-2  ozymandia, turn 1, offered: not all have accepted"


def test_a_game_has_board_trades_deadline_and_turn_limit_as_asked_for(tmp_path):
    desk = TestDesk(tmp_path / "desk")
    desk.new_game("--board", "triangles", "--trade", "A/V", "--trade", "W/E", "--deadline", "none", "--turn-limit", "1")
    shown = json.loads(desk.run("game", "show", "oz-1", "--json").lines[0])
    assert (shown["board"], shown["deadline"]) == ("triangles", None)
    assert shown["pieces"] == {"red": {"V": 3, "M": 3, "E": 3}, "blue": {"A": 3, "H": 3, "W": 3}}
    assert desk.run("game", "show", "oz-1").lines[-1] == "Waiting for red and blue; there is no deadline."
    desk.quiet_poll()
    for seat in ("red", "blue"):
        desk.write(seat, "Pass")
    (*_, (_, report)) = desk.quiet_poll()
    assert "The game is a draw" in flat(report)
    over = json.loads(desk.run("game", "show", "oz-1", "--json").lines[0])
    assert (over["status"], over["winner"], over["waiting"], over["turn"]) == ("finished", "draw", [], 2)
    assert "draw" in desk.run("game", "show", "oz-1").lines[-1]


def test_a_board_of_ones_own_stays_with_the_game(tmp_path):
    from pbem.games.ozymandia import board as boards

    mine = tmp_path / "mine.toml"
    shipped = Path(boards.__file__).with_name("boards") / "lattice.toml"
    mine.write_text(shipped.read_text().replace('name = "lattice"', 'name = "mine"'))
    desk = TestDesk(tmp_path / "desk")
    desk.new_game("--board", str(mine))
    mine.unlink()
    desk.quiet_poll()
    desk.write("red", "Pass")
    assert "receipt 1-1" in flat(desk.quiet_poll()[0][1])


def test_game_show_has_exactly_what_other_programs_rely_on(tmp_path):
    desk = TestDesk(tmp_path / "desk")
    desk.new_game("--deadline", "3 days")
    desk.quiet_poll()
    desk.write("red", "3 A to M; Bomb EC")
    desk.quiet_poll()
    expected = {
        "id": "oz-1",
        "game": "ozymandia",
        "board": "lattice",
        "status": "running",
        "turn": 1,
        "turn_name": "1",
        "pieces": {"red": {"A": 3, "M": 3, "W": 3}, "blue": {"V": 3, "H": 3, "E": 3}},
        "bombs": {"red": 3, "blue": 3},
        "waiting": ["blue"],
        "winner": None,
        "deadline": "2026-11-24T12:00:00Z",
    }
    for name in ("oz-1", "OZ-1"):
        assert json.loads(desk.run("game", "show", name, "--json").lines[0]) == expected
    assert json.loads(desk.run("game", "list", "--json").lines[0]) == [expected]
    shown = "\n".join(desk.run("game", "show", "oz-1").lines)
    assert "oz-1: Ozymandia, turn 1, running. red Alice, blue Bob." in shown
    assert "| A  Red 3     |" in shown
    assert "Waiting for blue; the deadline is 2026-11-24T12:00:00Z." in shown


def test_game_show_hides_no_key_of_a_game_behind_the_name_of_the_turn(tmp_path):
    desk = TestDesk(tmp_path / "desk")
    desk.run(
        "game",
        "new",
        "--game",
        "rocknroll",
        "--seat",
        "vpa=Alice <alice@example.org>",
        "--seat",
        "vietnam=Bob <bob@example.net>",
    )
    shown = json.loads(desk.run("game", "show", "rnr-1", "--json").lines[0])
    assert (shown["round"], shown["turn_name"]) == (1, "1")


def test_a_game_that_is_not_there(config):
    assert (
        wrong(2, "--config", config, "game", "show", "oz-7") == 'There is no game "oz-7": `pbem game list` shows all.'
    )
    assert json.loads(pbem("--config", config, "game", "list", "--json").output) == []


# adjudicate, board, check


def test_adjudicate_reads_a_line_and_writes_a_line():
    result = pbem("adjudicate", "--json", text=LINE)
    assert result.exit_code == 0
    answer = json.loads(result.output)
    assert answer["pieces"] == {"red": {"M": 1}, "blue": {"H": 1, "HC": 1}}
    assert list(answer) == ["id", "turn", "pieces", "bombs", "winner", "events"]


def test_adjudicate_reads_a_file_too(tmp_path):
    (tmp_path / "lines").write_text(LINE)
    from_file, dash = pbem("adjudicate", "--json", tmp_path / "lines"), pbem("adjudicate", "--json", "-", text=LINE)
    assert from_file.output == dash.output
    assert "Battle of Mu" in pbem("adjudicate", tmp_path / "lines").output


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        ("", 0),
        (LINE * 3, 0),
        (LINE + LINE.replace("2 M to S", "2 M to EC"), 1),
        (LINE + "what?\n", 1),
        ("what?\n", 2),
        ("what?\n[]\n", 2),
    ],
)
def test_the_exit_status_of_adjudicate(lines, status):
    result = pbem("adjudicate", "--json", text=lines)
    assert result.exit_code == status
    assert len(result.output.splitlines()) == len(lines.splitlines())


def test_adjudicate_cannot_read_what_is_no_file(tmp_path):
    assert wrong(2, "adjudicate", "--json", tmp_path / "none").endswith(
        "none cannot be read: No such file or directory."
    )
    assert wrong(2, "adjudicate", tmp_path).endswith("cannot be read: Is a directory.")


def test_adjudicate_answers_while_lines_still_come():
    """Far more lines than any pipe holds go in before the last one: what could not stream would stand still."""
    lines = LINE * 200
    with subprocess.Popen(program("adjudicate", "--json"), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(lines.encode())
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["turn"] == 5
        process.stdin.close()
        assert len(process.stdout.readlines()) == 199


@pytest.mark.parametrize("words", [["adjudicate", "--json"], ["adjudicate"]])
def test_a_reader_that_goes_away_early_is_no_accident(words):
    with subprocess.Popen(
        program(*words), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        try:
            process.stdin.write(LINE.encode() * 500)
            process.stdin.close()
        except BrokenPipeError:
            pass
        assert process.stderr.read() == b""


def test_a_part_of_the_program_that_is_missing_is_named(tmp_path):
    shutil.copytree(ROOT / "pbem", tmp_path / "pbem", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "pbem" / "service" / "desk.py").unlink()
    done = shell("init", "desk", cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(tmp_path)})
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "pbem: a part of the program cannot be read: pbem.service.desk. Nothing is lost; "
        "install pbem again, or let the user who runs it read where it is installed.\n"
    )


def test_a_part_of_the_program_that_may_not_be_read_is_no_file_of_the_users(tmp_path, monkeypatch):
    part = tmp_path / "locked_part.py"
    part.touch(0o200)
    monkeypatch.syspath_prepend(tmp_path)
    with bound_by_modes(), pytest.raises(PermissionError) as locked:
        importlib.import_module("locked_part")
    assert unread_part(locked.value) == str(part)
    with pytest.raises(FileNotFoundError) as missing:
        (tmp_path / "config.ini").read_text()
    assert unread_part(missing.value) is None


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
@pytest.mark.parametrize("words", [["board"], ["adjudicate", "--json"]])
def test_a_full_disk_is_told(words):
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    for env in (buffered, {**buffered, "PYTHONUNBUFFERED": "1"}):
        with open("/dev/full", "w") as full:
            asked = {"input": LINE, "stdout": full, "stderr": subprocess.PIPE, "text": True, "env": env}
            done = subprocess.run(program(*words), check=False, **asked)
        assert done.returncode == 1
        assert done.stderr == "pbem: the output: No space left on device.\n"


@pytest.mark.parametrize("name", ["lattice", "triangles"])
def test_board_shows_a_board(name):
    data = json.loads(pbem("board", name, "--json").output)
    assert list(data) == ["name", "areas", "links", "setup"]
    assert data["name"] == name
    assert len(data["areas"]) == 18
    assert data["areas"]["M"] == {"name": "Mu", "kind": "province", "invented": False}
    assert ["A", "AC"] in data["links"] or ["AC", "A"] in data["links"]
    assert data["setup"]["red"] == {"A": 3, "M": 3, "W": 3}
    assert "reconstruct" in pbem("board", name).output


def test_board_without_a_name_is_the_default():
    assert pbem("board").output == pbem("board", "lattice").output


def test_a_board_that_is_not_there_or_wrong(tmp_path):
    assert wrong(2, "board", "mars").startswith('There is no board "mars"')
    (tmp_path / "bad.toml").write_text('name = "bad"\n')
    result = pbem("board", tmp_path / "bad.toml")
    assert result.exit_code == 2
    assert "cannot be used" in result.stderr


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["3 A to M, Bomb EC"], 0, "3 A to M; Bomb EC\nFrom Atlantea three pieces go to Mu"),
        (["3 H to S", "--seat", "blue"], 0, "3 H to S\n"),
        (["3 A to V", "--board", "triangles", "--seat", "red"], 1, "^"),
        (["new M, 1 m to s", "--position", "7 red M2 MC1 bombs 3 blue H4 bombs 2"], 0, "New M; 1 M to S\n"),
        (["Pass"], 0, "Pass\n"),
        (["3 Atlantae to M"], 1, "Did you mean this? 3 A to M"),
        (["Hi Bob"], 1, 'Taken as remarks, not as orders: "Hi Bob"'),
        ([""], 1, "There are no orders in this text."),
    ],
)
def test_check_reads_orders_as_the_desk_would(words, status, said):
    result = pbem("check", *words)
    assert result.exit_code == status
    assert said in result.stdout


def test_check_of_a_position_that_cannot_be():
    assert "A position" in wrong(2, "check", "Pass", "--position", "x")
    assert 'no board "mars"' in wrong(2, "check", "Pass", "--board", "mars")


# demo


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files, empty."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_the_demo_plays_to_the_end_and_leaves_nothing_behind(temporary):
    result = pbem("demo")
    assert result.exit_code == 0
    assert "5 Wyvernai to WC" in result.output
    assert 'There is no area "Wyvernai". Did you mean Wyvernia (W)?' in result.output
    assert "Answer `yes` to send them" in result.output
    assert "You have won" in result.output
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    ("said", "options", "reports"),
    [("\nquit\n", (), [1]), ("\x04", (), []), ("", ("--all",), [1, 2, 3, 4, 5])],
)
def test_on_a_terminal_the_demo_waits_after_each_turn(temporary, said, options, reports):
    ours, theirs = pty.openpty()
    os.write(ours, said.encode())
    command = [sys.executable, "-m", "pbem", "demo", *options]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=subprocess.STDOUT) as process:
        os.close(theirs)
        output = "".join(iter(partial(read, ours), ""))
    os.close(ours)
    assert process.returncode == 0
    assert [turn for turn in range(1, 6) if re.search(rf"Alice .*turn {turn}: the (last )?report", output)] == reports
    assert output.count("Enter goes on") == (0 if options else len(reports) + 1)


def read(terminal: int) -> str:
    """What a program has written to a terminal; "" once it has ended."""
    try:
        return os.read(terminal, 65536).decode(errors="replace")
    except OSError:
        return ""


def test_the_demo_of_a_game_with_dice_is_a_whole_war_between_computers(temporary):
    result = pbem("demo", "--game", "rocknroll")
    assert result.exit_code == 0
    for words in (
        "Alice answers",
        "Bob answers",
        "Deploy ",
        "End of round 5",
        "has won the war",
        "Thank you for playing",
    ):
        assert words in result.output
    assert list(temporary.iterdir()) == []


def test_a_war_against_the_computer_asks_the_reader_when_it_is_their_turn(temporary):
    result = pbem("demo", "--game", "rocknroll", "--play", text="Pass\n\n" * 3 + "quit\n\n")
    assert result.exit_code == 0
    assert result.output.count("Your orders (") == 4
    assert result.output.count("We received your orders for turn ") == 3
    assert "No orders in this letter were accepted" not in result.output
    assert list(temporary.iterdir()) == []


def test_the_demo_of_a_game_with_battles_is_a_skirmish_and_a_short_campaign_between_computers(temporary):
    result = pbem("demo", "--game", "ozz")
    assert result.exit_code == 0
    for words in (
        "This game's settings differ from the usual ones (scenario: Harvest",
        "Battle, turn 2 of 8.",
        "This game's settings differ from the usual ones (turns: 2).",
        "Turn 2 of 2.",
    ):
        assert words in result.output
    assert result.output.count("Thank you for playing") == 2
    assert list(temporary.iterdir()) == []


def test_who_quits_the_first_game_of_a_demo_is_not_asked_to_play_the_second(temporary):
    result = pbem("demo", "--game", "ozz", "--play", text="Order ZOR: advance\n\nquit\n\n")
    assert result.exit_code == 0
    assert result.output.count("Your orders (") == 2
    assert "ozz-2" not in result.output


def test_who_plays_the_first_game_of_a_demo_to_its_end_plays_the_second(temporary):
    result = pbem("demo", "--game", "ozz", "--play", text="Pass\n\n" * 12 + "quit\n\n")
    assert result.exit_code == 0
    assert "Turn 1 of 2." in result.output


def test_the_demo_keeps_its_desk_where_it_is_told_to(tmp_path):
    kept = tmp_path / "kept"
    assert pbem("demo", "--keep", kept).exit_code == 0
    shown = json.loads(pbem("--config", kept / "config.ini", "game", "show", "oz-1", "--json").output)
    assert (shown["status"], shown["winner"]) == ("finished", "red")
    assert wrong(2, "demo", "--keep", kept) == f"{kept} is not empty: name a folder that is not there yet."


def test_a_game_against_the_computer_is_played_by_letters(temporary):
    said = "2 A to AC\n\nhelp\n\n3 Q to X\n\nstatus\n\n2 W to WC\n\nquit\n\n"
    result = pbem("demo", "--play", text=said)
    assert result.exit_code == 0
    for words in (
        "you play Red",
        "Turn 1 has been played",
        "How to write orders",
        'no area "Q"',
        "Your games",
        "turn 2 is",
    ):
        assert words in result.output
    assert result.output.endswith("The game is left as it is. Thank you for playing.\n")
    assert list(temporary.iterdir()) == []


def test_words_in_another_encoding_are_answered_like_any_others(temporary):
    result = shell("demo", "--play", input="Schöne Grüße\n\nquit\n", encoding="latin-1")
    assert (result.returncode, result.stderr) == (0, "")
    assert "We found neither orders nor a command" in result.stdout
    assert result.stdout.endswith("Thank you for playing.\n")


@pytest.mark.parametrize("said", ["", "\n\n", "2 A to AC\n\n", "2 A to AC", "quit"])
def test_the_end_of_the_input_ends_the_game_against_the_computer(temporary, said):
    result = pbem("demo", "--play", text=said)
    assert result.exit_code == 0
    assert result.output.endswith("Thank you for playing.\n")
    assert ("Turn 1 has been played" in result.output) == ("AC" in said)
    assert list(temporary.iterdir()) == []


def test_quit_on_a_line_of_its_own_ends_the_game_at_once_whatever_was_written_above(temporary):
    result = pbem("demo", "--play", text="2 A to AC\nQuit\n1 A to M\n\n")
    assert "Turn 1 has been played" not in result.output
    assert result.output.endswith("The game is left as it is. Thank you for playing.\n")


def test_a_game_against_the_computer_ends(temporary):
    turns = [*(f"{orders}\n\n" for orders in ("2 A to AC", "1 AC to MC")), "Pass\n\n" * 60]
    result = pbem("demo", "--play", text="".join(turns))
    assert "Blue) has won" in result.output
    assert "Thank you for playing." in result.output


# The archive


def test_what_a_poll_reads_does_not_grow_with_the_archive(tmp_path, monkeypatch):
    desk = TestDesk(tmp_path / "desk")
    desk.new_game()
    desk.quiet_poll()
    steps = count_steps(monkeypatch)

    def work() -> list[int]:
        """Steps of SQLite's machine: for a run with nothing to do, for one with a letter, for one that plays a turn."""
        counts = []
        for seat in ("", "red", "blue"):
            if seat:
                desk.write(seat, "Pass")
            steps.clear()
            desk.quiet_poll()
            counts.append(sum(steps))
        return counts

    work()
    before = work()
    fill_archive(desk.folder / "pbem.db", 10_000)
    after = work()
    assert all(0.9 * then <= now <= 1.1 * then for then, now in zip(before, after, strict=True)), (before, after)


def count_steps(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by one for every 10 steps that SQLite does from now on."""
    steps: list[int] = []
    connect = sqlite3.connect

    def connect_counting(*words: Any, **options: Any) -> sqlite3.Connection:
        conn = connect(*words, **options)
        conn.set_progress_handler(lambda: steps.append(1), 10)
        return conn

    monkeypatch.setattr("pbem.store.database.sqlite3.connect", connect_counting)
    return steps


def fill_archive(path: Path, games: int) -> None:
    """Finished games of other people, with all that is kept of them: letters, orders, turns, record."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript(f"""
            BEGIN;
            CREATE TEMP TABLE n AS WITH RECURSIVE n (i) AS
                (SELECT 101 UNION ALL SELECT i + 1 FROM n WHERE i < {100 + games}) SELECT i FROM n;
            INSERT INTO players (id, name, since) VALUES (101, 'Eve', ''), (102, 'Mallory', '');
            INSERT INTO matches (id, name, game, options, rules, state, phase, turn, waiting, winner, reason, since,
                                 ended)
                SELECT i, 'oz-' || i, game, options, rules, state, 'finished', 9, 0,
                'red', 'Red holds five cities.', since, since FROM n, matches WHERE id = 1;
            INSERT INTO seats (match, seat, player, name) SELECT i, 'red', 101, 'Eve' FROM n;
            INSERT INTO seats (match, seat, player, name) SELECT i, 'blue', 102, 'Mallory' FROM n;
            INSERT INTO letters (id, sha256, arrived, size, raw, state, sender, message_id, words, match, seat, turn)
                SELECT i, 'hash' || i, '', 0, X'', 'handled', 'eve@example.org', i || '@x', '', i, 'red', 8 FROM n;
            INSERT INTO orders (match, turn, seat, state, number, letter, written, canonical)
                SELECT i, 8, 'red', 'played', 1, i, 'Pass', 'Pass' FROM n;
            INSERT INTO turns (match, turn, before, orders, after, events, rules, played)
                SELECT i, 8, '', '{{"red": {{"canonical": "Pass"}}}}', '', '', '1', '' FROM n;
            INSERT INTO outbox (message_id, match, seat, player, kind, recipient, envelope, raw, made, due, sent)
                SELECT 'x' || i, i, 'red', 101, 'report', 'eve@example.org', '', X'', '', '', '2026' FROM n;
            INSERT INTO record (id, at, kind, match, digest, hash) SELECT i, '', 'turn', i, '', '' FROM n;
            INSERT INTO record_contents SELECT i, X'', '' FROM n;
            COMMIT;
        """)


def test_games_are_listed_in_the_order_they_were_set_up(config):
    for _ in range(11):
        pbem("--config", config, "game", "new", *RED_AND_BLUE)
    listed = [re.split(r"\s", line)[0] for line in pbem("--config", config, "game", "list").output.splitlines()]
    assert listed == [f"oz-{number}" for number in range(1, 12)]


# Help


@pytest.mark.parametrize("words", [[], ["game"], ["poll"], ["game", "new"], ["adjudicate"]])
def test_every_command_explains_itself(words):
    assert "Usage: " in pbem(*words, "--help").output
    assert pbem(*words, "-h").exit_code == 0


def test_an_unknown_command_is_wrong_use():
    assert pbem("pol").exit_code == 2
    assert pbem("--colour", "poll").exit_code == 2
    assert "version" in pbem("--version").output


def test_a_dash_that_begins_an_order_is_a_bullet_and_no_option():
    done = pbem("check", "-3 A to M")
    assert done.exit_code == 0
    assert done.output.startswith("3 A to M\n")


def test_a_key_that_is_gone_is_told_even_when_there_is_nothing_to_do(config):
    Path(config).with_name("pbem.key").unlink()
    done = pbem("--config", config, "poll")
    assert done.exit_code == 2
    assert "pbem.key cannot be read" in done.output


@pytest.mark.parametrize("group", ["", "game", "league", "player", "letters", "archive", "lab"])
def test_the_list_of_commands_says_of_each_what_it_does_in_a_whole_sentence(group):
    listed = CliRunner().invoke(main, [*group.split(), "--help"], terminal_width=80).output
    assert "Commands:" in listed
    assert [line for line in listed.splitlines() if line.endswith("...") and "Usage" not in line] == []


def test_help_is_what_a_command_says_of_itself():
    for words in ([], ["poll"], ["game"], ["game", "new"]):
        said = pbem("help", *words)
        assert (said.exit_code, said.output) == (0, pbem(*words, "--help").output)
    assert "No such command 'gme'. Did you mean 'game'?" in pbem("help", "gme").stderr
    assert pbem("help", "poll", "now").exit_code == 2
