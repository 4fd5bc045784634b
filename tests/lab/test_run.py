"""Games on this machine and on a cluster: a real scheduler and real workers, one of which dies, and what is cut off."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.lab.run import remark
from support.commands import pbem, program, wrong

MATCH = ("lab", "match", "simple", "simple", "--game", "rocknroll", "--length", "short")


CUT_OFF = """
import time
from pbem.lab.run import processes

if __name__ == "__main__":
    try:
        with processes(1) as workers:
            results = [workers.executor.submit(bytes, 50_000_000) for _ in range(9)]
            results[0].result()
            time.sleep(0.05)  # while the next one comes
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        print("ended")
"""


def test_who_ends_waits_for_no_result_that_was_cut_off(tmp_path: Path) -> None:
    (tmp_path / "cut_off.py").write_text(CUT_OFF)
    done = subprocess.run([sys.executable, tmp_path / "cut_off.py"], capture_output=True, timeout=60, check=True)
    assert (done.stdout, done.stderr) == (b"ended\n", b"")


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[list[subprocess.Popen[bytes]]]:
    """A scheduler and two workers of one core each; `scheduler.json` says where."""
    where = ("--scheduler-file", tmp_path / "scheduler.json", "--no-dashboard")
    environment = {**os.environ, "DASK_TEMPORARY_DIRECTORY": str(tmp_path)}
    commands = [("scheduler", "--host", "127.0.0.1", "--port", "0", *where)]
    commands += [("worker", "--nthreads", "1", "--no-nanny", *where)] * 2
    started = []
    try:
        for words in commands:
            started.append(
                subprocess.Popen(
                    [sys.executable, "-m", "dask", *map(str, words)],
                    env=environment,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
            )
            until((tmp_path / "scheduler.json").exists)
        yield started
    finally:
        for process in started:
            process.kill()
            process.wait()


def until(true, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_neither_a_worker_nor_a_scheduler_that_dies_loses_a_game_and_none_is_counted_twice(dask, tmp_path):
    from distributed import Client

    address = json.loads((tmp_path / "scheduler.json").read_text())["address"]
    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=30)
    first = end_in_the_middle(dask[1], 60, address, tmp_path / "r")
    assert (first.returncode, first.stderr) == (0, b"")
    assert b"60 games of seed 1" in first.stdout
    assert [one["number"] for one in games(tmp_path / "r")] == [*range(60)]
    second = end_in_the_middle(dask[0], 60, address, tmp_path / "s")
    assert (second.returncode, second.stdout) == (1, b"")
    assert second.stderr == b"pbem: The scheduler is gone; what was played is kept: the same line goes on.\n"
    assert 4 < len(games(tmp_path / "s")) < 60
    pbem(*MATCH, "--games", 60, "--workers", 1, "--results", tmp_path / "s")
    assert games(tmp_path / "s") == games(tmp_path / "r")


def end_in_the_middle(what, number, address, results):
    """A run of so many games, while which a process is killed."""
    words = program(*MATCH, "--games", number, "--scheduler", address, "--results", results)
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        try:
            until(lambda: results.exists() and len(games(results)) > 4)
            what.send_signal(signal.SIGKILL)
            return subprocess.CompletedProcess(words, run.wait(60), *run.communicate())
        finally:
            run.kill()


def games(path: Path) -> list[dict]:
    """The whole games of a file, by their numbers; none of them is there twice."""
    lines = [json.loads(line) for line in path.read_text().split("\n")[1:-1]]
    assert len({line["number"] for line in lines}) == len(lines)
    return sorted(({**line, "took": None} for line in lines), key=lambda one: one["number"])


def test_workers_that_are_missing_or_have_threads_are_remarked_on():
    assert remark({}) == "The scheduler has no workers yet; games begin when one comes."
    assert remark({"a": 1, "b": 8}).startswith("Threads of a worker share one core here: start workers with `--nthre")
    assert remark({"a": 1, "b": 1}) == ""


def test_a_scheduler_that_is_not_there_is_told(tmp_path):
    said = wrong(2, *MATCH, "--scheduler", "mars")
    assert said == "No scheduler of Dask answers at mars: write for example tcp://10.0.0.1:8786."


def test_who_has_no_dask_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert wrong(2, *MATCH, "--scheduler", "tcp://127.0.0.1:1") == (
        "--scheduler needs Dask, which is not here: `pip install '.[lab]'`."
    )
