"""Letters out: sent in the order of the outbox, and marked as sent only after the server has taken them."""

import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.service.put_back import write_witness
from pbem.store import outbox
from pbem.store.outbox import OutLetter
from pbem.times.moments import parse_moment
from pbem.transport.base import Interrupted, Refused, TransportError
from pbem.transport.open import open_outgoing

if TYPE_CHECKING:
    from pbem.service.tick import Run

ATTEMPTS = 14
"""Tries after which a letter out is given up: with growing pauses that is six days (RFC 5321 §4.5.4.1)."""

_EPOCH = re.compile(r"\.e\d{9,}(?=[.@])")
_GROUP = 50
_DAY = timedelta(days=1)
_FIRST_PAUSE = timedelta(minutes=5)


def send(run: "Run", deadline: float) -> None:
    """Send all that is to go out now, until a moment of time.monotonic; after trouble nothing more in this run."""
    from pbem.service.gathering import gather

    store, after, sent = run.desk.store, 0, 0
    if "outgoing" in run.troubles or not outbox.waiting(store, run.now, 0, 1):
        return
    with store.transaction():
        gather(run.desk)
    write_witness(run)
    try:
        with open_outgoing(run.config, deadline) as outgoing:
            while letters := outbox.waiting(store, run.now, after, _GROUP):
                after = letters[-1].id
                sent += _send_some(run, outgoing.send, letters)
                run.progress(f"{sent} letters sent")
    except TransportError as error:
        run.troubles["outgoing"] = f"Letters cannot be sent: {error}"


def _send_some(run: "Run", send: Callable[[bytes, str, str, str], None], letters: Sequence[OutLetter]) -> int:
    """Send a group; what the server took is marked, even if the line breaks in the middle."""
    taken = []
    try:
        for letter in letters:
            try:
                send(letter.raw, letter.recipient, letter.envelope, _file_name(letter))
                taken.append(letter.id)
            except Refused as error:
                _not_taken(run, letter, str(error), permanent=error.permanent)
            except Interrupted as error:
                _not_taken(run, letter, str(error))  # the others go first next time
                raise
    finally:
        outbox.mark_sent(run.desk.store, taken, run.now)
    return len(taken)


def _not_taken(run: "Run", letter: OutLetter, why: str, *, permanent: bool = False) -> None:
    """Try again after pauses that grow to a day, but not for ever; then the game master is told, too."""
    from pbem.match.identity import hide_number
    from pbem.match.receive import mail_fails
    from pbem.store.matches import load_match, match_name

    store = run.desk.store
    if permanent or letter.attempts + 1 >= ATTEMPTS:
        with store.transaction():
            outbox.give_up(store, letter, run.now, why)
            if letter.match and letter.seat:
                key = f"out-{hide_number(run.key, letter.id)}"
                run.desk.apply(mail_fails(load_match(store, letter.match), letter.seat, key))
        to = f"{letter.seat} of {match_name(store, letter.match)}" if letter.match else f"player {letter.player}"
        what = "was refused for good" if permanent else f"is given up after {ATTEMPTS} tries"
        run.events.append(f"The {letter.kind} for {to} {what}: {why}")
    else:
        outbox.postpone(store, letter, run.now, min(_FIRST_PAUSE * 2 ** min(letter.attempts, 12), _DAY))


def _file_name(letter: OutLetter) -> str:
    """What a letter is called where it becomes a file: the same for every try, and in the order of the outbox.

    After a database was put back, numbers come again.
    """
    epoch = _EPOCH.search(letter.message_id)
    again = epoch[0] if epoch else ""
    return f"{parse_moment(letter.made).timestamp():.0f}.Q{letter.id}{again}.pbem"
