"""Games as mailboxes for mail programs: everything that is public about a game, told in letters.

The letters are made from the history, like the record and the pages. The letters that were really sent and received are
not used, because they contain facts that only their readers may know. The format is mboxrd.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime

from pbem.archive.pages import ShownStep, outcome_in_words, shown_steps
from pbem.match.identity import hide_tokens
from pbem.record.history import Ended, History, Remark
from pbem.render.blocks import Blocks, looks_of
from pbem.store.database import Store
from pbem.store.histories import load_history
from pbem.times.moments import parse_moment, stamp

_AT = r"(?:@|%40|&#64;|&#x40;)"
_ENCODED_ADDRESS = re.compile(rf"""(?:"[^"\n]*"|[^\s<>()",;:]+){_AT}[^\s<>()"',;]+""", re.IGNORECASE)
_FROM = re.compile(rb"^(>*From )", re.MULTILINE)
_DESK, _ALL = "desk", "players"


def game_mailbox(store: Store, number: int, *, press: bool = False) -> Iterator[bytes]:
    """Yield the letters of the mailbox for match `number`, oldest first, each as bytes of an mboxrd file.

    For each turn, there are letters with the orders of the seats, and a report like the desk's. If `press` is true, the
    messages between the seats are included.
    """
    history = load_history(store, number, press=press)
    steps = shown_steps(history)
    writer = _Writer(history)
    yield from writer.step_letters(next(steps))
    for step in history.steps:
        match step:
            case Remark():
                yield writer.remark_letter(step)
            case Ended():
                yield writer.ended(step)
            case _:
                yield from writer.step_letters(next(steps))
    if history.result and not any(isinstance(step, Ended) for step in history.steps):
        yield writer.ended(Ended(history.result, moment=history.ended))


class _Writer:
    """Writes the letters of one mailbox. Each letter is a reply to the desk's latest report."""

    def __init__(self, history: History) -> None:
        self._history, self._domain = history, f"{history.name}.invalid"
        self._at = history.began or datetime(1970, 1, 1, tzinfo=UTC)
        self._number, self._answered = 0, 0

    def step_letters(self, step: ShownStep) -> Iterator[bytes]:
        """Yield a letter with the orders of each seat in `step`, and then the desk's report of `step`."""
        self._at = step.at or self._at
        for seat, orders, written in step.orders:
            if written:
                yield self._letter(seat, (_DESK,), step.title, orders)
        blocks, called = Blocks(), self._history.game.called
        blocks.letters((f"{called[seat]}, {self._history.players[seat]}", orders) for seat, orders, _ in step.orders)
        blocks.p(step.note)
        blocks.story(step.story, "Dice")
        blocks.quote(step.text.splitlines())
        blocks.lines(step.summary)
        text = "\n\n".join(filter(str.strip, (looks_of(block).text for block in blocks.written)))
        yield self._letter(_DESK, (_ALL,), step.title, text)
        self._answered = self._number

    def remark_letter(self, words: Remark) -> bytes:
        """Return a letter with `words`, a remark that was made between turns."""
        self._at = words.moment or self._at
        return self._letter(words.seat or _DESK, words.to or (_ALL,), "Press" if words.seat else "Told", words.text)

    def ended(self, end: Ended) -> bytes:
        """Return a letter that reports how the game ended."""
        self._at, result = end.moment or self._at, end.result
        won = outcome_in_words(self._history.game.name, result.winner, forfeit=result.forfeit)
        return self._letter(_DESK, (_ALL,), "Result", f"{'Annulled' if end.annulled else won}: {result.reason}")

    def _letter(self, sender: str, to: tuple[str, ...], title: str, text: str) -> bytes:
        self._number += 1
        letter = EmailMessage()
        letter["From"], letter["To"] = self._address(sender), ", ".join(map(self._address, to))
        letter["Subject"] = f"{self._history.game.title} {self._history.name}: {title}"
        letter["Date"] = format_datetime(self._at)
        letter["Message-ID"] = self._id(self._number)
        if self._answered:
            letter["In-Reply-To"] = letter["References"] = self._id(self._answered)
        letter.set_content(self._scrubbed(text))
        return in_mailbox(f"{sender}@{self._domain}", stamp(self._at), letter.as_bytes())

    def _address(self, who: str) -> str:
        game = self._history.game
        called = {_DESK: game.title, _ALL: "All players"}.get(who) or game.called[who]
        return f"{called} <{who}@{self._domain}>"

    def _id(self, number: int) -> str:
        return f"<{number}@{self._domain}>"

    def _scrubbed(self, text: str) -> str:
        """Return `text` without anything that could be an address or a reply token."""
        text = text.encode("utf-8", "replace").decode()  # an unpaired surrogate cannot be written
        return hide_tokens(_ENCODED_ADDRESS.sub(f"nobody@{self._domain}", text))


def in_mailbox(sender: str, at: str, letter: bytes) -> bytes:
    """Format `letter` for an mbox file (RFC 4155), quoting its lines that begin with "From ". `at` is the time in the
    separator line."""
    head = f"From {sender} {parse_moment(at):%a %b %d %H:%M:%S %Y}\n"
    return head.encode() + _FROM.sub(rb">\1", letter.replace(b"\r\n", b"\n")) + b"\n"
