"""Whatever somebody writes on the command line or into a file, a command ends with sentences."""

import json
import os
import pty
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from pbem.cli.main import main
from pbem.record.exports import write_json
from pbem.record.notation import read_record
from support.commands import RED_AND_BLUE, context, pbem, program
from support.docs import fenced, page
from support.paths import TESTS

ODD = (
    *("", "-", "--", "-1", "0", "1", "9" * 30, "1e999", "nan", "٣", "é" * 50, "\udcff", "\u202e", "\r\n", "\x1b[2J"),
    *("%s", "'", '"', "[", "](", "x" * 300, "x" * 5_000, "3 A to M", "pass", "because", "A" * 2_000 + " to M"),
    *("oz-1", "OZ-1", "oz-2", "oz-0", "oz-99999999999999999999", "oz-٣", "red", "blue", "red=", "="),
    *("red=Ann <ann@example.org>", "<a@b>", "@", "x <y@z", "alice@example.net", "Alice <alice@example.net>"),
    *("2026-01-01", "2026-13-45T99:99Z", "9999-12-31T23:59:59Z", "0001-01-01", "10000-01-01"),
    *("3 days", "9" * 20 + " days", "0 days", "none", "ozymandia", "rocknroll", "classic", "Etc/GMT+99", "../x"),
    *("folder", "empty", "bytes", "nul", "deep.json", "deep.toml", "big.json", "loop", "cut.gz", "no/such"),
    *("/dev/null", "desk", "desk/config.ini", "desk/pbem.db"),
)
"""What nobody should write where something else is meant; files of these names are there."""

VALUES = (
    *("", "0", "-1", "9" * 25, "1e400", "nan", "inf", "1_0", "0x7fffffffffffffffff", "true", "[]", "{}", "[[]]", '""'),
    *('"\\u0000"', '"a\\u0000b"', "a\0b", "\0", "2026-01-01", "1979-05-27 07:32:00", "x" * 500, "\u202e", "é", "٣"),
    *("folder", "/dev/null", "/", "smtp://", "smtp://u:p@h", "smtp://h:abc", "imap://u@h:99999999/x", "imap://[::1"),
    *("maildir:", "maildir:\0", "maildir:/dev/null", "Europe/../x", "Europe/Ber\0lin", "9" * 17 + " days", "<>", "a@b"),
)

relentless = settings(
    deadline=None,
    max_examples=60,
    phases=(Phase.generate,),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture
def around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a desk and with files that hold nothing good."""
    monkeypatch.chdir(tmp_path)
    make_desk()
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty").write_text("")
    (tmp_path / "bytes").write_bytes(bytes(range(255, -1, -1)))
    (tmp_path / "nul").write_bytes(b"\0" * 50)
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "deep.toml").write_text("a=" + "[" * 100_000)
    (tmp_path / "big.json").write_text('{"id": 1, "state": {"turn": ' + "9" * 5_000 + "}}\n")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "cut.gz").write_bytes(b"\x1f\x8b\x08\0\0\0\0\0\0\xffab")
    return tmp_path


def make_desk() -> None:
    assert pbem("init", "desk", "--rehearsal").exit_code == 0
    assert pbem("--config", "desk/config.ini", "game", "new", *RED_AND_BLUE).exit_code == 0


def every_command(
    command: click.Command, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    if isinstance(command, click.Group):
        for name in command.list_commands(context(command)):
            found = command.get_command(context(command), name)
            assert found
            yield from every_command(found, (*path, name))
    if not isinstance(command, click.Group) or command.invoke_without_command:
        yield path, command


LASTING = ("watch", "demo")
COMMANDS = [(path, command) for path, command in every_command(main) if path[0] not in LASTING]


@st.composite
def words(draw: st.DrawFn) -> list[str]:
    """A command, with odd words wherever it takes one."""
    path, command = draw(st.sampled_from(COMMANDS))
    odd = st.sampled_from(ODD)
    said = ["--config", draw(odd) if draw(st.integers(0, 19)) == 0 else "desk/config.ini"]
    if draw(st.integers(0, 5)) == 0:
        said += ["--now", draw(odd)]
    said += path
    for one in command.get_params(context(command)):
        if isinstance(one, click.Argument):
            said += draw(st.lists(odd | st.just("oz-1"), max_size=2, min_size=1))
        elif one.name not in ("help", "probing") and draw(st.integers(0, 3)) == 0:
            assert isinstance(one, click.Option)
            said += [draw(st.sampled_from(one.opts)), *([] if one.is_flag else [draw(odd)])]
    return said


def test_any_words_are_answered_by_any_command(around: Path) -> None:
    @relentless
    @given(words())
    def says_sentences(said: list[str]) -> None:
        shown = pbem(*said, text="x\n")
        assert "\x1b" not in shown.output

    says_sentences()


@pytest.mark.parametrize(
    "said",
    [
        ("letters", "retry", "9" * 30),
        ("search", "Alice", "--limit", "9" * 20),
        ("league", "next", "\udcff"),
        ("game", "show", "\udcff"),
        ("player", "show", "\udcff"),
        ("init", "\udcff"),
        ("search", "\x1b[31mAlice"),
        ("game", "award", "oz-1", "red", "--reason", "lost\u202e"),
    ],
)
def test_a_word_that_nothing_can_be_made_of_is_told(around: Path, said: tuple[str, ...]) -> None:
    told = pbem("--config", "desk/config.ini", *said)
    assert told.exit_code in (1, 2)
    assert told.output.count("pbem: ") <= 1


def spoilt(text: str) -> st.SearchStrategy[bytes]:
    """The text of a file in which some values, lines or signs are others."""
    lines = text.split("\n")

    @st.composite
    def some(draw: st.DrawFn) -> bytes:
        changed = [*lines]
        for _ in range(draw(st.integers(1, 4))):
            at = draw(st.integers(0, len(changed) - 1))
            line, value = changed[at], draw(st.sampled_from(VALUES))
            places = [found.span() for found in re.finditer(r'\d+|"[^"]*"|(?<== ).+', line)] or [(0, 0)]
            start, end = draw(st.sampled_from(places))
            cut = draw(st.integers(0, len(line)))
            changed[at] = draw(
                st.sampled_from(
                    (line[:start] + value + line[end:], line[:cut] + value + line[cut:], line[:cut], line + "\n" + line)
                )
            )
        raw = bytearray("\n".join(changed).encode())
        if draw(st.integers(0, 9)) == 0:
            raw.insert(draw(st.integers(0, len(raw))), draw(st.integers(0, 255)))
        return bytes(raw)

    return some()


def boards() -> str:
    return (TESTS.parent / "pbem/games/ozymandia/boards/lattice.toml").read_text()


def record() -> str:
    """The game of the manual."""
    return fenced(page("docs/record.md"), "text")[0]


def export() -> str:
    """The same as JSON, all of it at the beginning of a line."""
    history = read_record(record()).history
    assert history
    return json.dumps(json.loads(write_json(history)), indent=0)


FILES = {
    "a board": (boards, "board.toml", [("board", "board.toml"), ("check", "--board", "board.toml", "3 A to M")]),
    "records": (
        record,
        "games.txt",
        [("replay", "games.txt"), ("--config", "desk/config.ini", "import", "games.txt")],
    ),
    "a league": (
        (TESTS / "golden/season.toml").read_text,
        "league.toml",
        [("--config", "desk/config.ini", "league", "new", "league.toml")],
    ),
    "an export": (
        export,
        "oz-1.json",
        [("verify", "oz-1.json")],
    ),
}


@pytest.mark.parametrize("what", FILES)
def test_whatever_is_wrong_in_a_file_is_told(around: Path, what: str) -> None:
    read, name, commands = FILES[what]

    @relentless
    @given(spoilt(read()), st.sampled_from(commands))
    def says_sentences(raw: bytes, said: tuple[str, ...]) -> None:
        (around / name).write_bytes(raw)
        assert "\x1b" not in pbem(*said).output

    says_sentences()


def test_whatever_is_wrong_in_a_configuration_is_told(around: Path) -> None:
    commands = (("poll",), ("doctor",), ("check-config",), ("player", "list"))
    as_made = (around / "desk/config.ini").read_text()

    @relentless
    @given(spoilt(as_made.replace("#", "")), st.sampled_from(commands))
    def says_sentences(raw: bytes, said: tuple[str, ...]) -> None:
        (around / "desk/config.ini").write_bytes(raw)
        pbem("--config", "desk/config.ini", *said)

    says_sentences()


@pytest.mark.parametrize("key", ["key_file", "url", "zone", "operator"])
def test_a_nul_in_the_configuration_is_told(around: Path, key: str) -> None:
    path = around / "desk/config.ini"
    path.write_text(re.sub(rf"(?m)^{key} *=.*$", f"{key} = a\0b", path.read_text()))
    told = pbem("--config", path, "poll")
    assert told.exit_code == 2
    assert f"{key} holds a NUL character: write the line anew." in told.stderr


def test_no_name_of_a_file_is_too_odd(around: Path) -> None:
    """A file may be called by bytes that are no text; only where text is needed are they wrong."""
    (around / os.fsdecode(b"\xff.eml")).write_bytes(b"From: a@example.org\n\n3 A to M\n")
    assert pbem("letter", os.fsdecode(b"\xff.eml")).exit_code == 0


@pytest.mark.parametrize("command", ["replay", "letter", "adjudicate", "verify", "board"])
def test_the_name_of_a_file_is_not_obeyed_by_a_terminal(around: Path, command: str) -> None:
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", pbem(command, "\x1b]0;x\x07\x9b\u202e").output)


@pytest.mark.parametrize("said", [("export", "oz-1", "--format", "mbox"), ("letters", "oz-1", "--raw")])
def test_letters_as_they_came_are_for_files_and_for_no_terminal(around: Path, said: tuple[str, ...]) -> None:
    ours, theirs = pty.openpty()
    try:
        words = program("--config", "desk/config.ini", *said)
        done = subprocess.run(words, stdout=theirs, stderr=subprocess.PIPE, text=True, check=False)
    finally:
        os.close(theirs)
        os.close(ours)
    assert done.returncode == 2
    assert "What a letter holds may not be good for a terminal" in done.stderr


@pytest.mark.parametrize("words", [("check", "--json"), ("adjudicate",), ("replay", "-"), ("letter", "-")])
def test_standard_input_that_is_closed_is_empty(words: tuple[str, ...]) -> None:
    command = ["sh", "-c", 'exec "$@" <&-', "sh", *program(*words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "mistake of ours" not in done.stderr, done.stderr
    empty = subprocess.run(program(*words), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (empty.returncode, empty.stdout, empty.stderr)


def test_a_mistake_of_ours_away_from_a_database_blames_none(monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem.cli import run

    monkeypatch.delitem(sys.modules, "pbem.store.database", raising=False)
    told = run._program_error(_raised())
    assert "AttributeError in test_any_input.py" in told
    assert "database" not in told


def _raised() -> Exception:
    try:
        return None.odd  # type: ignore[attr-defined]
    except AttributeError as error:
        return error


def test_where_a_value_of_the_database_is_spoilt_the_way_to_find_out_is_told(around: Path) -> None:
    with closing(sqlite3.connect("desk/pbem.db")) as db, db:
        db.execute("UPDATE matches SET terms = '{'")
    told = CliRunner().invoke(main, ["--config", "desk/config.ini", "game", "show", "oz-1"])
    assert (told.exit_code, told.stdout) == (1, "")
    assert "or the database is damaged: `pbem verify --all` says whether it is" in told.stderr
