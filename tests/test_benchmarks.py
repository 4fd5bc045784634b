"""The scripts of benchmarks/ that prove something: that they run, and that they could find something."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.verify import campaigns

CHECKOUT = Path(__file__).parents[1]


def golden(*words: object, seed: int = 0) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, CHECKOUT / "benchmarks" / "golden.py", *map(str, words)]
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT), "PYTHONHASHSEED": str(seed)}
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def test_the_golden_batch_is_the_same_each_time_and_shows_a_letter_that_is_not(tmp_path):
    first, again = tmp_path / "first", tmp_path / "again"
    assert golden("make", first, "--letters", 4).returncode == 0
    assert golden("make", again, "--like", first, "--letters", 4, seed=1).returncode == 0
    same = golden("compare", first, again)
    assert (same.returncode, same.stdout) == (0, "all the same\n"), same.stdout[:2000]

    told = again / "letters-out.txt"
    told.write_text(told.read_text("utf-8").replace("your orders", "all your orders", 1), "utf-8")
    other = golden("compare", first, again)
    assert other.returncode == 1
    assert "all your orders" in other.stdout


def test_whole_campaigns_are_verified_beside_adjudicating_them_twice(tmp_path):
    row = campaigns(tmp_path / "desk", number=1, turns=1)
    assert row.number > 0
    assert row.beside > 0


@pytest.mark.long
def test_the_flood_is_measured_and_printed_with_its_ratios_first():
    code = (
        "import os, sys; from pathlib import Path; from benchmarks import flood;"
        "from benchmarks.installation import Installation; from benchmarks.report import Noise, table;"
        "noise = Noise(); noise.listen(); noise.listen(); python = Path(sys.executable);"
        "ours = Installation(python, python.with_name('pbem'), os.environ);"
        "print(table(flood.flooded(ours, 2, 20, 20))); print(noise)"
    )
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, cwd=CHECKOUT, capture_output=True, text=True, check=False
    )
    head, memory, growth, turn, noise = done.stdout.splitlines()
    assert head.split()[:3] == ["what", "ratio", "target"], done.stderr
    assert memory.startswith("20 letters in one run: memory")
    assert " met " in f"{memory} "
    assert " met " in f"{growth} "
    assert "first turn beside 20 letters" in turn
    assert noise.startswith("The same loop took")
