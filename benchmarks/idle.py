"""`pbem poll` on an empty mailbox, as a whole process, compared with a bare script that checks it with imapclient."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.installation import installation
from benchmarks.report import Row
from benchmarks.servers import DISCARD, PASSWORD, dovecot, served_desk

RUNS = 30

_BARE = """
import sys
from imapclient import IMAPClient

client = IMAPClient("127.0.0.1", int(sys.argv[1]), ssl=False)
client.login(sys.argv[2], sys.argv[3])
client.select_folder("INBOX")
client.search("ALL")
client.logout()
"""


def measure() -> Iterator[Row]:
    """Take the cheapest of several runs of each kind, in alternation. The first poll of a mailbox stores its state, and
    is measured separately."""
    ours = installation()
    with dovecot() as server, TemporaryDirectory(prefix="pbem-bench-") as name:
        folder, account = Path(name), server.account()
        config = served_desk(folder / "desk", account, DISCARD)
        script = folder / "bare.py"
        script.write_text(_BARE)
        database = sqlite3.connect(folder / "desk" / "pbem.db", isolation_level=None)

        def bare() -> float:
            return ours.run(ours.python, script, server.imap, account.name, PASSWORD).cpu

        def poll() -> float:
            return ours.run(ours.pbem, "--config", config, "poll").cpu

        def first_poll() -> float:
            database.execute("DELETE FROM desk")
            return poll()

        looked, polled, first = (min(taken) * 1000 for taken in _in_turns(bare, poll, first_poll))
        database.close()
    yield Row("poll, nothing to do: CPU", polled, "ms", "bare imapclient", looked, "<= 1.15 x", polled <= 1.15 * looked)
    yield Row("  mailbox seen first: CPU", first, "ms", "bare imapclient", looked)


def _in_turns(*works: Callable[[], float]) -> Iterator[list[float]]:
    """Yield the times of each kind of work over all rounds, without the first three, which warm up."""
    rounds = [[work() for work in works] for _ in range(RUNS + 3)]
    return map(list, zip(*rounds[3:], strict=True))
