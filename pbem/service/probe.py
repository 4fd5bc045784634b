"""Which reply addresses reach the mailbox? Letters to ourselves tell: one for each form that `reply` may have."""

import secrets
from contextlib import closing
from datetime import datetime
from time import monotonic, sleep

from pbem.config.config import Config, Maildir
from pbem.mail import letters
from pbem.service.compose import reply_address
from pbem.store.database import connect, look
from pbem.transport.base import Refused, TransportError
from pbem.transport.open import open_mailbox, open_outgoing

FORMS = ("plus", "catch-all", "none")
PAUSE = 2.0
"""Seconds between two looks into the mailbox."""

_WORDS = "pbem check-config --probe asks whether this address reaches its mailbox. Nothing is to be done."


def probe(config: Config, now: datetime, patience: float) -> dict[str, bool]:
    """Whether a letter to each form of address arrived within `patience` seconds. Raises PbemError.

    The letters stay in the mailbox as automatic mail, which the next run passes over.
    """
    if isinstance(config.mailbox.place, Maildir) != isinstance(config.outgoing.place, Maildir):
        raise TransportError("A Maildir on one side only brings no letter back: there is nothing to probe.")
    sender = config.outgoing.sender
    domain = sender.address.rpartition("@")[2]
    names = {form: f"probe-{secrets.token_hex(8)}" for form in FORMS}
    arrived = dict.fromkeys(FORMS, False)
    with open_outgoing(config) as outgoing:
        for form, name in names.items():
            address = reply_address(sender.address, form, name)
            draft = letters.Draft(
                message_id=f"{name}@{domain}",
                sender=(sender.name, sender.address),
                to=("", address),
                reply_to=sender.address,
                subject=f"A probe: {form}",
                date=now,
                text=f"{_WORDS}\n",
                html=f"<p>{_WORDS}</p>",
                automatic="auto-generated",
            )
            try:
                outgoing.send(letters.write(draft), address, sender.address, f"{name}.pbem")
            except Refused:
                continue  # an address that does not exist: that is an answer, too
    until = monotonic() + patience
    while True:
        seen = _arrived(config, now)
        arrived = {form: arrived[form] or f"{name}@{domain}" in seen for form, name in names.items()}
        if all(arrived.values()) or monotonic() > until:
            return arrived
        sleep(min(PAUSE, max(0.0, until - monotonic())))


def _arrived(config: Config, now: datetime) -> set[str | None]:
    """The ids of the letters that the next run would find."""
    with closing(connect(config.database)) as conn:
        mark = look(conn, now).mark
    with open_mailbox(config) as mailbox:
        return {letters.read_head(one.raw).message_id for batch in mailbox.fetch(mark) for one in batch.letters}
