"""`pbem lab`: what it puts out, and that neither the number of its processes nor its end in the middle matter."""

import json
import os
import re
import signal
import subprocess
import time
from functools import partial
from pathlib import Path

import pytest

from support.commands import pbem, program, wrong

WAR = ("--game", "rocknroll", "--length", "short")
MATCH = ("lab", "match", "simple", "simple", *WAR)


def kept(path: Path) -> list[dict]:
    """What a results file has, without what the machine has to do with."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [lines[0], *sorted(({**line, "took": None} for line in lines[1:]), key=lambda one: one["number"])]


def test_the_number_of_processes_makes_no_difference(tmp_path):
    words = (*MATCH, "--games", 12, "--workers")
    told = [pbem(*words, number, "--results", tmp_path / f"{number}").output for number in (1, 2)]
    assert kept(tmp_path / "1") == kept(tmp_path / "2")
    assert len(kept(tmp_path / "1")) == 13
    first, second = (text.partition("A decision of")[0] for text in told)
    assert first == second
    assert first.startswith("Rock'n'Roll, set base-2, length short: simple against simple, 12 games of seed 1\n")


def test_more_games_go_on_where_the_file_ends_and_fewer_are_the_first(tmp_path):
    results = ("--workers", 1, "--results", tmp_path / "r")
    few = pbem(*MATCH, "--games", 4, *results).output
    before = (tmp_path / "r").read_text()
    assert "8 games" in pbem(*MATCH, "--games", 8, *results).output
    assert (tmp_path / "r").read_text().startswith(before)
    assert pbem(*MATCH, "--games", 4, *results).output == few


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_is_ended_in_the_middle_is_gone_on_with(tmp_path, how):
    words = (*MATCH, "--workers", 1, "--results", tmp_path / "r", "--games")
    run = subprocess.Popen(
        program(*words, 9999),
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
        # A shell has what it runs behind ignore the signal, and so would this.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - of one call
    )
    until(lambda: (tmp_path / "r").exists() and (tmp_path / "r").read_bytes().count(b"\n") > 5)
    if how == signal.SIGINT:
        os.killpg(run.pid, how)  # as a terminal does
    else:
        run.kill()
    said, told = run.communicate(timeout=30)
    assert (said, b"Traceback" in told) == (b"", False)
    if how == signal.SIGINT:
        assert re.search(rb"Ended after \d+ of 9999 games; what was played is kept: the same line goes on\.", told)
    assert run.returncode == (1 if how == signal.SIGINT else -signal.SIGKILL)
    until(lambda: not group_lives(run.pid))  # no process of ours is left behind
    there = (tmp_path / "r").read_bytes()
    (tmp_path / "r").write_bytes(there + b'{"number":59,"play')  # and as if it had been killed while it wrote
    pbem(*words, games := there.count(b"\n") + 10)
    assert (tmp_path / "r").read_bytes().startswith(there)
    assert [one["number"] for one in kept(tmp_path / "r")[1:]] == [*range(games)]


def until(true, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_the_json_says_what_the_table_says(tmp_path):
    words = (*MATCH, "--games", 6, "--workers", 1, "--results", tmp_path / "r")
    found, shown = json.loads(pbem(*words, "--json").output), pbem(*words).output
    assert found["experiment"] == kept(tmp_path / "r")[0]["experiment"]
    assert found["games"] == sum(found["decided"].values()) == 6
    assert set(found["scores"]) == {"simple", "simple as vpa", "simple as vietnam"}
    assert found["scores"]["simple"]["games"] == 6
    assert shown.endswith(f"\n\n{found['says']}\n")


def test_what_cannot_be_is_said_in_a_sentence(tmp_path):
    assert wrong(2, "lab", "match", "simple", "9", *WAR) == ('There is no level "9": there are simple, 1, 2, 3, 4, 5.')
    (tmp_path / "r").write_text("mine")
    assert wrong(2, *MATCH, "--results", tmp_path / "r") == (
        f"{tmp_path / 'r'}: has no results of `pbem lab`; name another file."
    )
    assert wrong(1, *MATCH, "--results", tmp_path / "none" / "r").endswith("r: No such file or directory.")
    assert pbem(*MATCH, "--games", 0).exit_code == 2


@pytest.mark.parametrize(
    ("word", "title"),
    [
        ("triangles", "Ozymandia, board triangles"),
        ("expansion", "Rock'n'Roll, set expansion"),
        ("hill", "Campaigns of Ozz, scenario hill"),
        ("fast", "Campaigns of Ozz, scenario meeting, battles fast"),
    ],
)
def test_a_first_word_says_what_the_balance_is_of(word, title):
    shown = pbem("lab", "balance", word, "--level", "simple", "--games", 2, "--workers", 1).output
    assert shown.startswith(f"{title}: simple, 2 games of seed 1\n")


def test_other_words_of_balance_are_refused():
    said = wrong(2, "lab", "balance", "mars")
    assert said.startswith('No game has "mars" to choose from; there are lattice, triangles, hill,')
    assert "Name a board, a set or a scenario first" in pbem("lab", "balance", "--games", 1, "hill").output
