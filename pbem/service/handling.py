"""Handling letters and playing turns, with each letter and each match in a transaction of its own."""

import traceback
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, TypeVar

from pbem import PbemError
from pbem.service import budget
from pbem.service.failures import failures
from pbem.service.run import GROUP, Run
from pbem.store.audit_log import sha256
from pbem.store.database import KeptLetter, Store
from pbem.transport.base import Mailbox

if TYPE_CHECKING:
    from pbem.match.case import Case
    from pbem.match.effects import Effect
    from pbem.match.model import Match
    from pbem.service.desk import Desk

DEATHS = 8
"""The number of runs that may die while handling a letter before the letter is set aside.

The number is high because runs that are killed for other reasons may happen to die several times at the same letter.
"""

Item = TypeVar("Item")

_HELD, _LET_GO = 1.0, 0.12
"""The number of seconds after which a run commits, and that it then leaves the database to other processes. SQLite
looks ten times a second whether a database is free."""


def in_commits(store: Store, items: Iterable[Item], handle: Callable[[Item], None]) -> None:
    """Call `handle` with each of the `items`, many of them within one transaction, because commits are slow; but end
    the transaction after a while, so that another process which wants to write need not wait for all of them."""
    waiting = deque(items)
    while waiting:
        with store.transaction():
            end = monotonic() + _HELD
            handle(waiting.popleft())
            while waiting and monotonic() < end:
                handle(waiting.popleft())
        if waiting:
            sleep(_LET_GO)


class Handler:
    """Handles letters and plays turns as of the moment `now`, by default the moment of the run."""

    asks_interpreter = True
    """Whether letters may wait for the interpreter."""

    live = True
    """Whether this is an ordinary run, which also plays the turns that are due and sends notices."""

    def __init__(self, run: Run, now: datetime | None = None) -> None:
        self.run, self.now = run, now or run.now
        self.budget = budget.Budget(budget.BEFORE_TURNS)

    @cached_property
    def desk(self) -> "Desk":
        """The desk as of `now`. It is created only when it is needed, so that an idle run never imports its code."""
        return self._open_desk()

    def _open_desk(self) -> "Desk":
        from pbem.service.desk import Desk

        run = self.run
        beacon, images = run.config.beacon, run.images
        return Desk(run.config, run.store, self.now, run.look.last_run, run.key, beacon, images=images)

    # Steps that differ for a restored database

    def position(self, mailbox: Mailbox) -> None:
        """Choose the letters that the mailbox will return: the new letters and, once a day, any earlier letters that
        were overlooked."""
        if self.run.is_new_day:
            mailbox.look_back()

    def rank(self, raw: bytes) -> int:
        """Return the rank with which the letter `raw` must wait, because the time of its account is spent; 0 if it need
        not wait."""
        if self.budget.has_room_for_all():
            return 0
        account = self.desk.incoming.account(raw)
        return 0 if self.budget.has_room(account) else account.rank

    def finish(self) -> "Handler":
        """Finish handling letters after all letters of this run have been read; return the handler for the next
        steps."""
        return self

    def _play(self, match: "Match", outage: tuple[datetime, datetime] | None) -> Sequence["Effect"]:
        """Do what is due in `match` at the moment `now`, such as playing its turn; return the effects after applying
        them."""
        from pbem.match.clock import tick

        if match.drawing:
            match = replace(match, pulse=self.run.rounds.values.get(match.drawing.round, ""))
        effects = tick(match, self.now, outage)
        self.desk.apply(effects)
        return effects

    def _ask_beacon(self, numbers: Sequence[int]) -> None:
        """Fetch the rounds of the public beacon for which the matches with these `numbers` are waiting."""
        from pbem.store.waiting import rounds_awaited

        run = self.run
        if awaited := rounds_awaited(run.store, numbers):
            run.rounds.look(awaited, self.now)
            if run.rounds.trouble:
                run.troubles["the public beacon"] = run.rounds.trouble

    # Letters

    def handle_group(self, group: Sequence[KeptLetter], *, at_once: bool = False) -> int:
        """Handle the letters of `group`; return how many were handled. The caller has already counted this attempt to
        handle them.

        A letter waits if its account has no time left, unless all letters must be handled `at_once`.
        """
        done = 0

        def handle(kept_letter: KeptLetter) -> None:
            nonlocal done
            if at_once or self._has_room(kept_letter):
                done += 1
                with self.budget.charge(partial(self.desk.incoming.account, kept_letter.raw)):
                    self._handle(kept_letter)

        try:
            in_commits(self.run.store, group, handle)
        except Exception:
            # Letters are not to blame for a full disk or an incomplete installation.
            self.run.store.count_attempts(group, -1)
            raise
        return done

    def _has_room(self, kept_letter: KeptLetter) -> bool:
        """Return whether there is time to handle a letter now. If not, record in the store that the letter must
        wait."""
        if rank := self.rank(kept_letter.raw):
            self.run.store.queue_by_rank(kept_letter.id, rank)
        return not rank

    def _handle(self, kept_letter: KeptLetter) -> None:
        """Handle one letter completely or not at all. If this fails, set the letter aside, so that other letters are
        still handled."""
        with failures() as failed, self.run.store.transaction():
            if kept_letter.attempts >= DEATHS:
                raise RuntimeError("runs died over this letter")
            self._answer(kept_letter)
        for error in failed:
            self._quarantine(kept_letter, error)

    def _answer(self, kept_letter: KeptLetter) -> None:
        from pbem.match.receive import outcome_of, receive
        from pbem.service.load_case import read_letter

        store = self.run.store
        letter = read_letter(store, kept_letter.raw)
        words = sha256((letter.text or letter.subject).encode("utf-8", "replace"))
        if store.seen_before(kept_letter.id, letter.sender or "", letter.message_id or "", words):
            store.close_letter(kept_letter.id, "the same letter again", self.now)
            return
        case = self.desk.incoming.case(kept_letter, letter)
        effects = receive(case, self.now)
        if self.asks_interpreter and self.run.config.interpreter:
            if self._waits_for_interpreter(kept_letter, case, effects):
                return
            if self._handle_waiting(kept_letter, case, effects):
                case = self.desk.incoming.case(kept_letter, letter)
                effects = receive(case, self.now)
        token = case.writer.token if case.match else None  # a player's own token names no match
        store.close_letter(kept_letter.id, outcome_of(effects), self.now, token=token)
        self.desk.apply(effects)

    def _waits_for_interpreter(self, kept_letter: KeptLetter, case: "Case", effects: "Sequence[Effect]") -> bool:
        """Return whether a letter with these `effects` waits for the interpreter. If so, record this in the store."""
        from pbem.match.interpretation import is_wanted
        from pbem.store import interpretations

        store, token = self.run.store, case.writer.token
        if not is_wanted(case, effects) or interpretations.was_wanted(store, kept_letter.id):
            return False
        assert token
        interpretations.wait(store, kept_letter.id, token.match, token.seat)
        return True

    def _handle_waiting(self, kept_letter: KeptLetter, case: "Case", effects: "Sequence[Effect]") -> bool:
        """Handle, without the interpreter, the letters that came before this one from the same seat and still wait for
        the interpreter, and those about the matches whose course this letter changes; return whether there were
        any."""
        from pbem.match.effects import Play, Save
        from pbem.store import interpretations

        store, token = self.run.store, case.writer.token
        changed = {effect.after.id for effect in effects if isinstance(effect, Play)}
        changed |= {effect.match.id for effect in effects if isinstance(effect, Save)}
        earlier = [
            one
            for one in interpretations.waiting(store)
            if one.letter.id < kept_letter.id
            and (one.match in changed or (token and (token.match, token.seat) == (one.match, one.seat)))
        ]
        for one in earlier:
            interpretations.answer(store, one.letter.id, self.now, interpretations.NOT_ASKED)
            self._handle(one.letter)
        return bool(earlier)

    def _quarantine(self, kept_letter: KeptLetter, error: Exception) -> None:
        """Set a letter aside for the operator and, if it is known which seat wrote it, apologise to that seat.

        The operator learns in which function and line the program failed, but sees none of the letter's text.
        """
        from pbem.games import NoGameError
        from pbem.mail import letters
        from pbem.match.model import NO_GAME
        from pbem.match.receive import apologise
        from pbem.store.matches import match_name

        store, token = self.run.store, None
        frames = [f"{Path(at.filename).name}:{at.lineno} {at.name}" for at in traceback.extract_tb(error.__traceback__)]
        where = NO_GAME if isinstance(error, NoGameError) else " > ".join([*frames[-8:], type(error).__name__])
        with failures():
            head = letters.read_head(kept_letter.raw)
            token = self.desk.incoming.token(kept_letter, head)
            with store.transaction():  # if this fails, only the operator is told
                self.desk.apply(apologise(self.desk.incoming.case(kept_letter, head), self.now))
        store.close_letter(kept_letter.id, where, self.now, token=token, failed=True)
        whose = f" of {token.seat} in {match_name(store, token.match)}" if token else ""
        self.run.aside.setdefault(whose, []).append(f"{kept_letter.id}{whose} was set aside ({where})")

    # Games

    def advance(self, due: datetime | None, outage: tuple[datetime, datetime] | None = None) -> None:
        """Play every turn for which all orders are in, or whose deadline has passed by the moment `due`.

        A deadline within the `outage` does not count as missed. `due` is None while letters cannot be fetched, because
        there may be orders in the mailbox; in that case, only turns for which all orders are in are played. Turns for
        which a letter waits for the interpreter are left for later.
        """
        from pbem.store.interpretations import waiting_matches
        from pbem.store.waiting import ready

        run, store, last, played = self.run, self.run.store, 0, 0
        while numbers := ready(store, due, last, GROUP):
            last = numbers[-1]
            waiting = waiting_matches(store)
            numbers = [number for number in numbers if number not in waiting]
            self._ask_beacon(numbers)
            in_commits(store, numbers, partial(self._play_or_tell, outage=outage))
            played += len(numbers)
            run.progress(f"{played} turns played")

    def _play_or_tell(self, number: int, outage: tuple[datetime, datetime] | None) -> None:
        """Do what is due in the match with this `number`, or note for the operator why that failed."""
        from pbem.store.matches import match_name

        store = self.run.store
        with failures() as failed, store.transaction():
            self.play_on(number, outage)
        for error in failed:
            name, failure = match_name(store, number), type(error).__name__
            why = f": {error} Nothing" if isinstance(error, PbemError) else f" ({failure}); nothing"
            self.run.troubles[name] = f"{name} cannot be played on{why} of it was changed."

    def give_back(self, outage: tuple[datetime, datetime]) -> None:
        """Give back to the players' banks of time what an outage has taken out of them. Doing so again for the same
        outage, or for a longer one with the same beginning, does no harm."""
        from pbem.match.clock import after_outage
        from pbem.store.waiting import running_clocks

        store = self.run.store
        for number in running_clocks(store):
            with failures(), store.transaction():  # a match that cannot be loaded is reported when it is played on
                self.desk.apply(after_outage(self.desk.judged(number), outage, self.now))

    def play_on(self, number: int, outage: tuple[datetime, datetime] | None = None) -> None:
        """Do what is due in the match with this `number`, such as playing its turn, in the caller's transaction."""
        unfetched = self.run.troubles.unread_of_late
        match = replace(self.desk.judged(number), unfetched=unfetched)
        if (
            match.deadline
            and match.deadline.moment <= self.now
            and any(holder.level for holder in match.holders.values())
        ):
            self.desk.let_computer_move(number, at_once=True)  # the computer is never late
            match = replace(self.desk.judged(number), unfetched=unfetched)
        self._play(match, outage)
