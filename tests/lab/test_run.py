"""Games on a cluster: a real scheduler, real workers, one of which dies."""

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

MATCH = ("lab", "match", "simple", "1", "--game", "rocknroll", "--length", "short", "--games", "60")


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


def games(path: Path) -> list[dict]:
    return [{**json.loads(line), "took": None} for line in path.read_text().splitlines()[1:]]


def test_a_worker_that_dies_loses_no_game_and_none_is_counted_twice(dask, tmp_path):
    from distributed import Client

    address = json.loads((tmp_path / "scheduler.json").read_text())["address"]
    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=30)
    results = tmp_path / "r"
    with subprocess.Popen(
        program(*MATCH, "--scheduler", address, "--results", results), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as run:
        try:
            until(lambda: results.exists() and results.read_bytes().count(b"\n") > 5)
            dask[1].send_signal(signal.SIGKILL)
            told, said = run.communicate(timeout=60)
        finally:
            run.kill()
    assert (run.returncode, said) == (0, b"")
    assert results.read_bytes().count(b"\n") == 61
    pbem(*MATCH, "--workers", 1, "--results", tmp_path / "here")
    by_number = sorted(games(results), key=lambda one: one["number"])
    assert by_number == sorted(games(tmp_path / "here"), key=lambda one: one["number"])
    assert b"60 games of seed 1" in told


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
        "--scheduler needs Dask, which is not here: `pip install 'pbem[lab]'`."
    )
