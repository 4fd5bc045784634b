"""Letters about which the desk asks its interpreter. They wait until all work that needs no interpreter is done."""

import json
from collections.abc import Collection, Mapping
from datetime import timedelta
from functools import partial
from time import monotonic
from typing import Any

from pbem.interpreter.program import Answer, InterpreterError, Program
from pbem.match.case import Case
from pbem.match.interpretation import constraint, is_wanted, question_about, try_orders, without_addresses
from pbem.match.receive import receive
from pbem.service.compose import Composer
from pbem.service.failures import failures
from pbem.service.handling import Handler
from pbem.service.load_case import read_letter
from pbem.service.run import INTERPRETER
from pbem.store import interpretations
from pbem.store.interpretations import Waiting

_DAY = timedelta(days=1)
PROTOCOL = 1
"""The version of the protocol, which every question contains."""


A_SEAT = 20
"""The maximum number of letters from one seat in a day about which the interpreter is asked."""

_FAILURES = 3
"""How often the program may fail in a run before the run goes on without it."""


class _Asking:
    """The program that is asked about letters in one run, with the limits on that."""

    def __init__(self, handler: Handler) -> None:
        self.handler, self.run, self.store = handler, handler.run, handler.run.store
        self.config = self.run.config.interpreter
        self._until = monotonic() + (self.config.run if self.config else 0)
        self._program: Program | None = None
        self._failures = 0

    def close(self) -> None:
        """End the program, if it was started."""
        if self._program:
            self._program.close()
            self._program = None

    @property
    def seconds(self) -> float:
        """How many seconds the interpreter may take for the next letter; at most 0 if no time is left."""
        return min(self.config.seconds, self._until - monotonic()) if self.config else 0

    def may_ask(self, one: Waiting) -> bool:
        """Whether the interpreter may be asked about a letter in this run, if there is time."""
        if not self.config or one.asked or self._failures >= _FAILURES:
            return False
        since = self.run.now - _DAY
        if interpretations.asked_since(self.store, since) >= self.config.day:
            return False
        return interpretations.asked_since(self.store, since, one.match, one.seat) < A_SEAT

    def ask(self, one: Waiting) -> None:
        """Ask about a letter if it is still wanted, and store the answer. Should the run die meanwhile, the letter
        counts as one on which the interpreter has failed, and is not asked about again."""
        case = self.handler.desk.incoming.case(one.letter, read_letter(self.store, one.letter.raw))
        if not is_wanted(case, receive(case, self.handler.now)) or not self._is_started():
            self._note(one, interpretations.NOT_ASKED)
            return
        question = question_of(self.handler.desk.outgoing, case)
        self._note(one, interpretations.FAILED)

        def reply(line: Answer) -> Mapping[str, Any]:
            if line.grammar:
                return {"grammar": constraint(case)}
            canonical, mistakes = try_orders(case, line.attempt)
            return {"legal": not mistakes, "orders": canonical, "mistakes": mistakes}

        assert self._program
        try:
            answer = self._program.ask(question, reply, self.seconds)
        except InterpreterError as error:
            self.fail(str(error))
        else:
            self.run.troubles.interpreted = True
            values = {name: value for name, value in answer._asdict().items() if value and name != "id"}
            self._note(one, json.dumps(values, ensure_ascii=False))

    def _is_started(self) -> bool:
        """Start the program, unless it runs; return whether that worked."""
        assert self.config
        try:
            self._program = self._program or Program(self.config.command, self.config.folder)
        except InterpreterError as error:
            self.fail(str(error))
        return self._program is not None

    def fail(self, why: str) -> None:
        """Note a failure, and end the program, so that it is started anew for the next letter."""
        self.close()
        self._failures += 1
        self.run.troubles[INTERPRETER] = (
            f"The interpreter {why} Letters of which the desk is not sure are answered without it."
        )

    def _note(self, one: Waiting, answer: str) -> None:
        with self.store.transaction():
            interpretations.answer(self.store, one.letter.id, self.run.now, answer)


def question_of(composer: Composer, case: Case) -> Mapping[str, Any]:
    """Return the question about the letter of `case` in the form in which the program gets it."""
    question = question_about(case)
    write = partial(composer.text_of, question.language)
    asked = tuple(map(without_addresses, question.asked))
    texts = {"rules": write(question.rules), "position": write(question.position)}
    shown = {name: without_addresses(text) for name, text in texts.items()}
    return {"protocol": PROTOCOL, **question._asdict(), "asked": asked, **shown}


def interpret(handler: Handler, due: Collection[int]) -> int:
    """Ask the interpreter about the letters that wait for it, and handle them; return how many were handled.

    If there is no time for a letter in this run, it goes on waiting, unless its match is in `due` and must not wait.
    After failures, and after as many letters in a day as are allowed, letters are handled without the interpreter.
    """
    store, done = handler.run.store, 0
    asking = _Asking(handler)
    try:
        for one in sorted(interpretations.waiting(store), key=lambda one: one.match not in due):
            may_ask = asking.may_ask(one)
            if may_ask and asking.seconds <= 0 and one.match not in due:
                continue
            store.count_attempts([one.letter])
            if may_ask and asking.seconds > 0:
                with failures() as failed:
                    asking.ask(one)
                for error in failed:
                    asking.fail(f"could not be asked ({type(error).__name__}).")
            done += handler.handle_group([one.letter], at_once=True)
    finally:
        asking.close()
    return done
