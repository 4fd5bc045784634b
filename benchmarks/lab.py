"""The laboratory: two cooperating processes compared with two that do not know of each other, which is what linear
speed means on a busy machine; and the overhead of a task, here and on a Dask cluster.
"""

import os
import pickle
from collections.abc import Iterator
from concurrent.futures import Executor
from multiprocessing import get_context
from time import perf_counter, process_time

from distributed import LocalCluster

from benchmarks.report import Row
from pbem.games import find_game
from pbem.lab.play import Experiment, code_of_games, experiment, play_games
from pbem.lab.results import Results
from pbem.lab.run import cluster, play_all, processes

Process = get_context("spawn").Process
GAMES = 200
ROUNDS = 4
TASKS = 2000


def measure() -> Iterator[Row]:
    of = experiment(find_game("rocknroll"), {"length": "short"}, ("simple",), 1)
    taken = [(_halves(of), _pool(of)) for _ in range(ROUNDS)]
    for at, what in enumerate(("games a second", "games a second of CPU")):
        alone, ours = (ROUNDS * GAMES / sum(one[which][at] for one in taken) for which in (0, 1))
        yield Row(f"lab, two processes: {what}", ours, "", "two on their own", alone, ">= 0.85 x", ours >= 0.85 * alone)
    task = (play_games, of, code_of_games(), [*range(100)])
    outcomes = play_games(*task[1:])
    yield Row("  a task of 100 games", len(pickle.dumps(task)), "bytes")
    yield Row("  what comes back", len(pickle.dumps(outcomes)), "bytes")
    yield Row("  keeping a game: CPU", _keeping(of), "us")
    with processes(1) as workers:
        yield Row("  a task in a process", _overhead(of, workers.executor)[0], "ms")
    with (
        LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as local,
        cluster(local.scheduler_address) as workers,
    ):
        clock, cpu = _overhead(of, workers.executor)
        yield Row("  a task by Dask", clock, "ms")
        yield Row("  a task by Dask: CPU of scheduler and client", cpu, "ms")


def _halves(of: Experiment) -> tuple[float, float]:
    """Wall-clock and CPU seconds in which two independent processes play half of the games each."""
    with _Measured() as taken:
        halves = [Process(target=play_games, args=(of, code_of_games(), range(at, GAMES, 2))) for at in range(2)]
        for one in halves:
            one.start()
        for one in halves:
            one.join()
    return taken.clock, taken.cpu


def _pool(of: Experiment) -> tuple[float, float]:
    """The same for a pool of worker processes."""
    with _Measured() as taken, processes(2) as workers:
        play_all(of, GAMES, Results(), workers)
    return taken.clock, taken.cpu


class _Measured:
    """The wall-clock and CPU seconds of the enclosed work, including processes that have ended."""

    clock = cpu = 0.0

    def __enter__(self) -> "_Measured":
        self.clock, self.cpu = perf_counter(), _cpu()
        return self

    def __exit__(self, *_: object) -> None:
        self.clock, self.cpu = perf_counter() - self.clock, _cpu() - self.cpu


def _cpu() -> float:
    taken = os.times()
    return taken.user + taken.system + taken.children_user + taken.children_system


def _keeping(of: Experiment) -> float:
    """The microseconds that the process that hands out games spends on each game that comes back."""
    raw = pickle.dumps(play_games(of, code_of_games(), range(100)))
    begun = process_time()
    for _ in range(20):
        with open("/dev/null", "wb") as file:
            Results(file).add(pickle.loads(raw))
    return 1e6 * (process_time() - begun) / 2000


def _overhead(of: Experiment, executor: Executor) -> tuple[float, float]:
    """The milliseconds for a task without games: by the wall clock, and of this process's CPU."""
    executor.submit(play_games, of, code_of_games(), [0]).result()
    begun, spent = perf_counter(), process_time()
    for one in [executor.submit(play_games, of, code_of_games(), []) for _ in range(TASKS)]:
        one.result()
    return 1000 * (perf_counter() - begun) / TASKS, 1000 * (process_time() - spent) / TASKS
