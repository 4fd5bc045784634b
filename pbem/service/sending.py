"""Sending the letters in the outbox, in order. Letters that the server refuses are sent again later, unless they are
refused for good.
"""

import re
from collections.abc import Callable, Sequence
from datetime import timedelta

from pbem.service.handling import Handler
from pbem.service.run import GROUP, Run
from pbem.service.sending_limits import later, room
from pbem.service.witness import write_witness
from pbem.store import outbox
from pbem.store.outbox import OutLetter
from pbem.times.moments import parse_moment
from pbem.transport.base import Blocked, Interrupted, Refused, TransportError
from pbem.transport.open import open_outgoing

ATTEMPTS = 14
"""The number of attempts after which an outgoing letter counts as refused for good. With growing pauses between them,
the attempts span six days (RFC 5321 §4.5.4.1)."""

DEAD_FOR = timedelta(days=7)
"""How long no letters are sent to an address that does not exist, according to its server. After that, one letter is
sent to try the address again, because servers make mistakes."""

_EPOCH = re.compile(r"\.e\d{9,}(?=[.@])")
_NOT_TRIED = "Not sent, because the mail server of that address says that nobody is there."

Send = Callable[[bytes, str, str, str], None]


def send(handler: Handler, deadline: float) -> None:
    """Send all letters in the outbox that are due, until `deadline`, a value of `time.monotonic`.

    After trouble with the server, no more letters are sent in this run. Letters are marked as sent only after the
    server has taken them.
    """
    run, store, after = handler.run, handler.run.store, outbox.FIRST
    if "outgoing" in run.troubles or not outbox.due(store, run.now) or not _room(run):
        return
    with store.transaction():
        handler.desk.outgoing.gather()
    write_witness(run)
    sending = _Sending(handler)
    try:
        with open_outgoing(run.config, deadline) as outgoing:
            while letters := _next_letters(run, after):
                after = _place(run, letters[-1])
                sending.send_some(outgoing.send, letters)
                run.progress(f"{sending.taken} letters sent")
    except TransportError as error:
        run.troubles["outgoing"] = f"Letters cannot be sent: {error}"
    sending.settle()


def _next_letters(run: Run, after: outbox.Place) -> list[OutLetter]:
    """Return the letters that are sent next, behind the place `after`: no more of them than the limits admit, and if
    there are limits, the most urgent first."""
    return outbox.waiting(run.store, run.now, after, _room(run), later(run.config.outgoing))


def _place(run: Run, letter: OutLetter) -> outbox.Place:
    return letter.kind in later(run.config.outgoing), letter.attempts > 0, letter.id


def _room(run: Run) -> int:
    """Return how many letters may be sent now, at most a group."""
    return room(run.config.outgoing, run.store, run.now, GROUP)


class _Sending:
    """Sends the letters of one run, and collects the letters that were refused because their address does not exist."""

    def __init__(self, handler: Handler) -> None:
        self.taken = 0
        self._handler, self._run, self._store = handler, handler.run, handler.run.store
        self._dead = outbox.dead_addresses(self._store, self._run.now - DEAD_FOR)
        self._refused: dict[str, tuple[str, list[OutLetter]]] = {}  # by address: the server's answer, and the letters

    def send_some(self, send: Send, letters: Sequence[OutLetter]) -> None:
        """Send `letters`. The letters that the server has taken are marked as sent, even if the connection breaks."""
        sent: list[OutLetter] = []
        try:
            for letter in letters:
                if self._send(send, letter):
                    sent.append(letter)
        finally:
            outbox.mark_sent(self._store, [letter.id for letter in sent], self._run.now)
            self._arrives_again(sent)

    def _send(self, send: Send, letter: OutLetter) -> bool:
        """Send one letter; return whether the server took it. Raises TransportError if no more letters should be
        sent."""
        from pbem.mail.letters import readdressed  # not needed by a run that sends nothing

        address, now = letter.recipient.lower(), self._run.now
        if address in self._dead:
            with self._store.transaction():
                outbox.give_up(self._store, letter, now, _NOT_TRIED)
                self._tell_people(letter)
            return False
        if address in self._refused:
            self._refused[address][1].append(letter)
            return False
        try:
            send(readdressed(letter.raw, letter.recipient), letter.recipient, letter.envelope, _file_name(letter))
        except Blocked as error:
            if not letter.attempts or not self._takes_others(letter):
                self._wait(letter)
                raise
            self._postpone(letter, str(error))
        except Refused as error:
            if error.permanent:
                self._refused[address] = str(error), [letter]
            else:
                self._postpone(letter, str(error))
        except Interrupted as error:
            self._postpone(letter, str(error))  # next time the other letters go first
            raise
        else:
            self.taken += 1
            return True
        return False

    def _takes_others(self, letter: OutLetter) -> bool:
        """Return whether the server has taken other letters since it last refused `letter`. If it has, `letter` itself
        is the problem."""
        tried = parse_moment(letter.due) - _pause(letter.attempts - 1)
        return self.taken > 0 or outbox.taken_since(self._store, tried)

    def settle(self) -> None:
        """Mark the letters to addresses that do not exist as refused for good. If the server refused several addresses,
        all in the same words, and took no letters in this run, postpone the refused letters instead, because the reason
        seems to be the desk rather than the addresses."""
        answers = {why for why, _ in self._refused.values()}
        if len(self._refused) > 1 and len(answers) == 1 and not outbox.taken_since(self._store, self._run.now):
            for _, letters in self._refused.values():
                for letter in letters:
                    self._wait(letter)
            why = f"every address is refused alike, which seems to be about us. {answers.pop()}."
            self._run.troubles.setdefault("outgoing", f"Letters cannot be sent: {why}")
        else:
            self._give_up_dead()

    def _give_up_dead(self) -> None:
        """Mark the letters to addresses that do not exist as refused for good."""
        for why, letters in self._refused.values():
            self._run.notes.append(f"{_which(letters)} for {self._whom(letters[0])} cannot be delivered: {why}.")
            with self._store.transaction():
                outbox.refuses(self._store, letters[0].recipient, self._run.now, nobody=True)
                for letter in letters:
                    outbox.give_up(self._store, letter, self._run.now, why)
                    self._tell_people(letter)

    def _wait(self, letter: OutLetter) -> None:
        """Postpone a letter that the server refused for a reason that concerns the desk. Such a refusal does not count
        as a failed attempt, so it never causes a letter to be marked as refused for good."""
        attempts = max(letter.attempts, 1)
        outbox.postpone(self._store, letter, self._run.now, _pause(attempts - 1), attempts)

    def _postpone(self, letter: OutLetter, why: str) -> None:
        """Postpone a letter that the server did not take, with pauses that grow up to a day. After `ATTEMPTS` attempts,
        mark the letter as refused for good. `why` is the server's reason."""
        if letter.attempts + 1 < ATTEMPTS:
            outbox.postpone(self._store, letter, self._run.now, _pause(letter.attempts), letter.attempts + 1)
            return
        with self._store.transaction():
            outbox.refuses(self._store, letter.recipient, self._run.now, nobody=False)
            outbox.give_up(self._store, letter, self._run.now, why)
            self._tell_people(letter)
        whom = self._whom(letter)
        self._run.notes.append(f"{_which([letter])} for {whom} is given up after {ATTEMPTS} tries: {why}.")

    def _tell_people(self, letter: OutLetter) -> None:
        """Tell the game master that letters to a seat come back. If `letter` contains press or an invitation, also tell
        the people who wrote it that it was not delivered."""
        from pbem.match.identity import hide_number
        from pbem.match.reports import mail_fails, undelivered
        from pbem.store.matches import load_match

        if not letter.match:
            return
        match, key = load_match(self._store, letter.match), f"out-{hide_number(self._run.key, letter.id)}"
        if letter.seat:
            self._handler.desk.apply(mail_fails(match, letter.seat, key))
        self._handler.desk.apply(undelivered(match, letter.seat, outbox.writers_of(self._store, letter), key))

    def _arrives_again(self, sent: Sequence[OutLetter]) -> None:
        """Forget past trouble with addresses whose server takes letters again. Recent letters to these addresses that
        were refused for good are queued again."""
        for address in outbox.refusing(self._store, (letter.recipient for letter in sent)):
            with self._store.transaction():
                outbox.takes_again(self._store, address, self._run.now)

    def _whom(self, letter: OutLetter) -> str:
        from pbem.store.matches import match_name

        match = match_name(self._store, letter.match) if letter.match else None
        return outbox.whom(letter.seat, match, letter.player)


def _pause(attempts: int) -> timedelta:
    """Return the pause after a failed attempt; `attempts` is the number of attempts that failed before it. Pauses grow
    up to a day."""
    return timedelta(minutes=min(5 << min(attempts, 12), 24 * 60))


def _which(letters: Sequence[OutLetter]) -> str:
    return f"Letter {letters[0].id}" if len(letters) == 1 else f"{len(letters)} letters"


def _file_name(letter: OutLetter) -> str:
    """Return the file name of a letter. It is the same for each attempt, and file names sort in the order of the
    outbox.

    The name contains the epoch of the database, because letter numbers are reused after a database has been restored.
    """
    epoch = _EPOCH.search(letter.message_id)
    again = epoch[0] if epoch else ""
    return f"{parse_moment(letter.made).timestamp():.0f}.Q{letter.id}{again}.pbem"
