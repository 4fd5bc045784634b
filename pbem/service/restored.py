"""Runs of a desk whose database was restored from an older backup.

Three signs show that a database is older than the work that its desk has done: it is marked as a copy; its record lacks
the entry that a witness names (`service/witness.py`); or letters that it has never seen are marked as handled. In that
case a new epoch begins (`store/backup.py`), letters are read again turn by turn, and everybody is told where their
games stand. The remaining work is noted in the database until all of it is done, so that a run may die at any point.
"""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pbem.service.failures import failures
from pbem.service.handling import Handler
from pbem.service.run import Run
from pbem.service.witness import read_witnesses, write_witness
from pbem.store.audit_log import holds
from pbem.store.database import KeptLetter, remember
from pbem.times.moments import parse_moment, stamp
from pbem.transport.base import Arrived, Mailbox

if TYPE_CHECKING:
    from pbem.match.effects import Effect
    from pbem.match.model import Match
    from pbem.service.desk import Desk


def handler_of(run: Run) -> Handler:
    """Create the handler that a run begins with, depending on whether the desk's database was restored."""
    if run.look.put_back:
        write_witness(run)
        return Restored(run, **json.loads(run.look.put_back))
    witnesses = [*read_witnesses(run.config)]
    newer = [at for head, at in witnesses if not holds(run.conn, head)]
    if newer or (run.look.copied and not witnesses):
        return _begin_epoch(run, max(newer, default=""))
    if run.look.copied:  # nothing has left the desk since the copy was made
        remember(run.conn, copied="")
    return Handler(run)


def handler_after(handler: Handler, letters: Sequence[Arrived]) -> Handler:
    """Return the handler for `letters`, which have arrived: `handler`, or a new one if the letters show that the
    database was restored.

    This is so if some of the letters are marked as handled although the database has never seen them.
    """
    run = handler.run
    handled = [letter.when for letter in letters if letter.handled and not run.store.has_letter(letter.raw)]
    if not handled:
        return handler
    restored = handler if isinstance(handler, Restored) else _begin_epoch(run, "")
    restored.extend(max(handled))
    return restored


def _begin_epoch(run: Run, until: str) -> "Restored":
    """Begin a new epoch, and return the handler for it. The work to do is noted before any of it is done. `until` is
    the last moment at which the desk is known to have worked, or "" if no such moment is known."""
    from pbem.store import backup

    since = run.look.last_run or stamp(datetime.fromtimestamp(0, UTC))
    state = {"since": since, "until": max(since, until)}
    with run.store.transaction():
        backup.begin_epoch(run.store, run.now)
        remember(run.conn, put_back=json.dumps(state), copied="")
        run.store.note("put back", state, run.now)
    write_witness(run)
    return Restored(run, **state)


class Replay(Handler):
    """Handles letters and plays turns as of a moment in the past, as an earlier run did or would have done."""

    asks_interpreter = False

    def _open_desk(self) -> "Desk":
        """Open the desk without a beacon, and with a computer that moves at once.

        With a beacon, the replay could name a round whose value is already known. A move that the computer made later
        would not belong to the moment that is being replayed.
        """
        from pbem.service.desk import Desk

        run = self.run
        look, images = run.look, run.images
        return Desk(run.config, run.store, self.now, look.last_run, run.key, thinks_later=False, images=images)

    def rank(self, raw: bytes) -> int:
        """Return 0, so that every letter is handled in order of arrival."""
        return 0

    def play_cooled(self) -> None:
        """Play the turns whose cooling-off time ended so early that an earlier run must have played them."""
        from pbem.store.waiting import cooled

        store = self.run.store
        for number in cooled(store, self.now - self.run.config.desk.every):
            with store.transaction():
                self.play_on(number)

    def _ask_beacon(self, numbers: Sequence[int]) -> None:
        """Do nothing, because the public beacon is asked only after the replay."""

    def _play(self, match: "Match", outage: tuple[datetime, datetime] | None) -> Sequence["Effect"]:
        """Do what is due in `match`, such as playing its turn, unless the match is waiting for the beacon; return the
        effects.

        If a turn of a match with chance is played, the tokens of the match become invalid. The secrets of later turns
        are lost, so the letters that were sent about those turns concern other dice.
        """
        from pbem.match.effects import Play
        from pbem.store import matches

        if match.drawing:
            return ()
        effects = super()._play(match, outage)
        if match.game.chance and any(isinstance(effect, Play) for effect in effects):
            matches.renew_tokens(self.run.store, match.id)
        return effects


class Restored(Replay):
    """Handles the letters of a restored database, each as of the moment at which it arrived.

    `since` is the last run that the database remembers. Everything that the desk is known to have done since then
    happened before `until`.
    """

    asks_interpreter = False
    live = False

    def __init__(self, run: Run, since: str, until: str) -> None:
        super().__init__(run)
        self._since, self._until = parse_moment(since), min(parse_moment(until), run.now)
        self._reached = min(self._since, run.now)

    def extend(self, until: datetime) -> None:
        """Record that the desk was still working at the moment `until`."""
        self._until = min(max(self._until, until), self.run.now)

    def position(self, mailbox: Mailbox) -> None:
        """Have the mailbox return all letters since the backup, whether they are marked as handled or not."""
        mailbox.again(self._since)

    def handle_group(self, group: Sequence[KeptLetter], *, at_once: bool = False) -> int:
        """Handle all letters of `group` in this run; return their number. The caller has already counted this attempt
        to handle them."""
        for kept_letter in group:
            self._replay(kept_letter)
        return len(group)

    def _replay(self, kept_letter: KeptLetter) -> None:
        """Handle a letter as of the moment at which it arrived, after playing the turns that must have been played
        before it was written."""
        at = min(parse_moment(kept_letter.arrived), self.run.now)
        if at > self._until:
            self._close()
        self._reached = max(self._reached, at)
        self._catch_up(kept_letter)
        replay = Replay(self.run, self._reached)
        replay.play_cooled()
        replay.handle_group([kept_letter])
        replay.advance(None)

    def _catch_up(self, kept_letter: KeptLetter) -> None:
        """Play the turns up to the one whose report a letter answers, because that report must have been sent."""
        from pbem.mail.letters import read_head
        from pbem.store.matches import load_match

        run, match, token = self.run, None, None
        with failures():  # a failure is reported when the letter itself is handled
            case = Replay(run).desk.incoming.case(kept_letter, read_head(kept_letter.raw))
            match, token = case.match, case.writer.token
        while match and token and match.turn < token.turn and (due := self._due(match)):
            with run.store.transaction():
                Replay(run, max(self._reached, due)).play_on(match.id)
            before, match = match, load_match(run.store, match.id)
            if (match.turn, match.due, match.cooling) == (before.turn, before.due, before.cooling):
                return

    def _due(self, match: "Match") -> datetime | None:
        """Return a moment at which the current turn of `match`, which is known to have been played, could have been
        played.

        This is the moment that the replay has reached if all orders are in, otherwise the end of the cooling-off time,
        otherwise the deadline if it has passed. Returns None if none of these applies.
        """
        if match.can_play():
            return self._reached
        over = match.due if match.due and match.due <= self._until else None
        return match.cooling or over

    def _close(self) -> None:
        """Play the turns whose deadlines passed while the desk is known to have worked, so that letters which came
        later do not count for these turns."""
        if self._reached < self._until:
            self._reached = self._until
            Replay(self.run, self._until).advance(self._until)

    def finish(self) -> Handler:
        """Tell everybody where their games stand, in letters that supersede all earlier letters, and end the replay.
        Return the handler for ordinary runs."""
        from pbem.match.effects import Send, notice
        from pbem.match.reports import to_master
        from pbem.match.rollback import tell_restored
        from pbem.store import matches

        self._close()
        run, since = self.run, f"{self._since:%Y-%m-%d %H:%M} UTC"
        store, desk, count = run.store, Replay(run).desk, 0
        with store.transaction():
            for number in matches.match_numbers(store, "offered", "running", "paused", "review"):
                matches.renew_tokens(store, number)
                for match in matches.playable(store, number):
                    effects = tell_restored(match, since, run.now)
                    desk.apply(effects)
                    count += sum(isinstance(effect, Send) for effect in effects)
            desk.apply([to_master(None, "put-back", notice("put back for master", since=since))])
            remember(run.conn, put_back="")
            store.note("put back", {"letters": count}, run.now)
        run.events.append(
            f"The database was put back to what it was at {since}. Letters since then that are still in the mailbox"
            f" were read again, and {count} letters tell where games stand; what was done by commands has to be done"
            " again."
        )
        run.look = run.look._replace(last_run=stamp(self._reached), down_since="", put_back="")
        return Handler(run)
