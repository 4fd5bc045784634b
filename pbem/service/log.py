"""The log of a desk: a line for each thing that has happened, in a file, in systemd's journal or on the screen.

The lines are made from the record, so they contain nothing that was not committed, and none is lost if a run dies: the
next run goes on where the log has ended.
"""

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from pbem.service.run import Run
from pbem.store.database import remember
from pbem.store.events import events_after, last_entry

JOURNAL = Path("/run/systemd/journal/socket")

Show = Callable[[str], None]


class Log:
    """The log of one run. `show` is called with each line, too, if it is not None."""

    def __init__(self, run: Run, show: Show | None) -> None:
        self._run, self._show = run, show
        self._kept = run.config.desk.log != "none"
        self._from = last_entry(run.store)
        begins = self._from if run.look.last_run else 0  # the log of a new desk tells of its first games
        if not run.look.logged:
            self._note(begins)
        self._logged = min(int(run.look.logged or begins), self._from)  # less if the database was put back

    def close(self) -> None:
        """Write what has happened since the log was closed last. If that is not possible, it is told as a trouble, and
        the next run tries again."""
        run, last = self._run, last_entry(self._run.store)
        if self._show:
            for event in events_after(run.store, self._from):
                self._show(str(event))
        if self._kept and last > self._logged:
            try:
                _SINKS[run.config.desk.log](run.config.path.parent, map(str, events_after(run.store, self._logged)))
            except OSError as error:
                run.troubles["the log"] = f"The log cannot be written: {error.strerror}."
            else:
                self._note(last)

    def _note(self, entry: int) -> None:
        if self._kept:
            remember(self._run.conn, logged=str(entry))


def _to_file(folder: Path, lines: Iterable[str]) -> None:
    with os.fdopen(os.open(folder / "pbem.log", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "a") as file:
        file.writelines(f"{line}\n" for line in lines)


def _to_journal(folder: Path, lines: Iterable[str]) -> None:
    """Write `lines` by the journal's own protocol: a datagram of fields for each."""
    import socket  # most of what a log costs a run that finds nothing

    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as journal:
        journal.connect(str(JOURNAL))
        for line in lines:
            journal.send(f"MESSAGE={line}\nPRIORITY=6\nSYSLOG_IDENTIFIER=pbem\nPBEM_DESK={folder}\n".encode())


_SINKS: dict[str, Callable[[Path, Iterable[str]], None]] = {"file": _to_file, "journal": _to_journal}
