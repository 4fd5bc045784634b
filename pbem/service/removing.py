"""Letters that the database has forgotten go from the mailbox, too, once that is committed."""

from datetime import timedelta
from time import monotonic
from typing import TYPE_CHECKING

from pbem.store.removals import not_removed, removed, to_remove, why_not
from pbem.times.moments import parse_moment, stamp
from pbem.transport.base import TransportError, Unwanted
from pbem.transport.open import open_mailbox

if TYPE_CHECKING:
    from pbem.service.tick import Run

_SECONDS = 60.0
"""What a run may spend on it with the server."""

_PAUSE = timedelta(hours=1)
"""A folder is looked through for them: not in each run, if it was in vain."""


def remove_forgotten(run: "Run") -> None:
    """Remove what is still to be removed; what cannot be stays known, is told, and is tried again."""
    letters = to_remove(run.conn)
    if not letters:
        return
    if any(one.due <= stamp(run.now) for one in letters) and not (run.put_back or "mailbox" in run.troubles):
        try:
            with open_mailbox(run.config, monotonic() + _SECONDS) as mailbox:
                mailbox.remove([Unwanted(one.sha256, one.size, parse_moment(one.arrived)) for one in letters])
            removed(run.conn, letters)
        except TransportError as error:
            not_removed(run.conn, letters, str(error), run.now + _PAUSE)
    if why := why_not(run.conn):
        run.troubles["letters to be removed"] = f"Letters cannot be removed from the mailbox: {why}"
