"""Playing many games: on the cores of this machine, or wherever else an executor has its workers."""

import logging
import os
import signal
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from threading import Thread
from time import monotonic

from pbem.lab.play import Experiment, LabError, LabTrouble, PlayedGame, code_of_games, play_games
from pbem.lab.results import Results

AHEAD = 4000
"""The largest number of tasks that are handed out and not finished yet; a task is a batch of games."""
_FIRST = 64  # the same while each task is a single game, until the duration of a game is known
_LONGEST = 1000  # the largest number of games in a task
_GRACE = 3.0
"""The number of seconds that worker processes are given to end. Without a limit, the program would wait indefinitely
for a process that was killed while it was sending its results."""


class Workers:
    """The executor that plays games, and `task`, the CPU time in milliseconds that a task should take there: long
    enough that handing out a task costs almost nothing, and short enough that little is lost with a task that fails."""

    def __init__(self, executor: Executor, task: float, remark: str = "") -> None:
        self.executor, self.task = executor, task
        self.remark = remark
        """A remark about the workers for the user, or ""."""


@contextmanager
def processes(number: int | None = None) -> Iterator[Workers]:
    """Start worker processes on this machine: `number` of them or, by default, one for each core."""
    pool = ProcessPoolExecutor(number or cores(), get_context("spawn"), _end_with_parent)
    try:
        yield Workers(pool, 250.0)
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        until = monotonic() + _GRACE
        for process in active_children():
            process.join(max(0.0, until - monotonic()))
            process.terminate()
        raise
    pool.shutdown()


@contextmanager
def cluster(address: str) -> Iterator[Workers]:
    """Use the workers of the Dask scheduler at `address`, such as `tcp://10.0.0.1:8786`. Dask gives the task of a dead
    worker to another one. Raises LabError if Dask is missing or no scheduler answers, and LabTrouble if the workers
    keep dying or the scheduler stops answering."""
    try:
        from distributed import CancelledError, Client, KilledWorker
    except ImportError:
        raise LabError("--scheduler needs Dask, which is not here: `pip install '.[lab]'`.") from None
    logging.disable()  # failures are reported in a sentence instead
    try:
        client = Client(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError):
        raise LabError(f"No scheduler of Dask answers at {address}: write for example tcp://10.0.0.1:8786.") from None
    try:
        with client:
            yield Workers(client.get_executor(pure=False), 5000.0, remark(client.nthreads()))
    except (CancelledError, KilledWorker) as error:
        gone = "Workers die" if isinstance(error, KilledWorker) else "The scheduler is gone"
        raise LabTrouble(f"{gone}; what was played is kept: the same line goes on.") from None
    finally:
        logging.disable(logging.NOTSET)


def remark(threads: Mapping[str, int]) -> str:
    """Return a sentence about what is wrong with the workers of a scheduler; "" if nothing is wrong. `threads` contains
    the number of threads of each worker."""
    if not threads:
        return "The scheduler has no workers yet; games begin when one comes."
    if max(threads.values()) > 1:
        return "Threads of a worker share one core here: start workers with `--nthreads 1`, one for each core."
    return ""


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _end_with_parent() -> None:
    """Make a worker process end as soon as its parent has ended. Ctrl-C is left to the parent, which reports it; if the
    worker reacted to it, the parent would believe that the worker had been killed."""

    def watch() -> None:
        if parent := parent_process():
            parent.join()
        os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=watch, daemon=True).start()


def play_all(
    of: Experiment, games: int, results: Results, workers: Workers, tell: Callable[[int], None] = lambda number: None
) -> None:
    """Play those of the first `games` games that are not in `results` yet, and store each of them there. After each
    task, `tell` is called with the number of games that it has played.

    Raises LabTrouble if a worker process is killed; games that were stored remain.
    """
    code, missing = code_of_games(), iter([number for number in range(games) if number not in results.games])
    waiting: set[Future[list[PlayedGame]]] = set()
    try:
        while True:
            size, ahead = _size(workers, results), AHEAD if results.took else _FIRST
            while len(waiting) < ahead and (some := [*islice(missing, size)]):
                waiting.add(workers.executor.submit(play_games, of, code, some))
            if not waiting:
                return
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                results.add(outcomes := future.result())
                tell(len(outcomes))
    except BrokenProcessPool:
        raise LabTrouble("A process of ours was killed; what was played is kept: the same line goes on.") from None


def _size(workers: Workers, results: Results) -> int:
    """Return the number of games to put into a task, estimated from the duration of earlier games."""
    if not results.took:
        return 1
    return max(1, min(_LONGEST, round(workers.task * len(results.games) / results.took)))
