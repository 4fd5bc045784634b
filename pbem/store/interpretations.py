"""The letters about which the desk asks an interpreter, and its answers. The record does not cover them."""

import json
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from pbem.store.database import KeptLetter, Store
from pbem.times.moments import stamp

if TYPE_CHECKING:
    from pbem.games.base import Seat
    from pbem.match.case import Interpretation

FAILED, NOT_ASKED = "", "-"
"""What is stored in place of an answer: the interpreter failed, or it was not asked after all."""

RANK = 9
"""The rank of letters in the store that wait for the interpreter."""

_WAITING = (
    "SELECT id FROM letters WHERE state = 'kept' AND (attempts > 0) IN (0, 1) AND rank = ?"  # as the index has it
)


class Waiting(NamedTuple):
    """A letter that waits for the interpreter, with its match and seat. If the interpreter was asked about it already,
    by a run that did not end, `asked` is true."""

    letter: KeptLetter
    match: int
    seat: "Seat"
    asked: bool


def wait(store: Store, letter: int, match: int, seat: "Seat") -> None:
    """Let a letter from a seat wait for the interpreter."""
    store.conn.execute("INSERT INTO interpretations (letter, match, seat) VALUES (?, ?, ?)", (letter, match, seat))
    store.queue_by_rank(letter, RANK)


def was_wanted(store: Store, letter: int) -> bool:
    """Return whether a letter waits for the interpreter, or has done so before."""
    return store.value("SELECT 1 FROM interpretations WHERE letter = ?", (letter,)) is not None


def waiting(store: Store) -> list[Waiting]:
    """Return the letters that wait for the interpreter, oldest first."""
    rows = store.conn.execute(
        """SELECT id, arrived, raw, size, attempts, mailbox, i.match, i.seat, asked IS NOT NULL
           FROM letters l JOIN interpretations i ON i.letter = l.id
           WHERE l.state = 'kept' AND (attempts > 0) IN (0, 1) AND rank = ? AND raw IS NOT NULL ORDER BY id""",
        (RANK,),
    )
    return [Waiting(KeptLetter(*row), match, seat, bool(asked)) for *row, match, seat, asked in rows]


def waiting_matches(store: Store) -> frozenset[int]:
    """Return the numbers of the matches about which letters wait for the interpreter."""
    return frozenset(store.column(f"SELECT match FROM interpretations WHERE letter IN ({_WAITING})", (RANK,)))  # noqa: S608


def release(store: Store) -> None:
    """Let all letters that wait for the interpreter be handled like other letters, without it."""
    store.conn.execute(
        f"UPDATE interpretations SET asked = '', answer = ? WHERE asked IS NULL AND letter IN ({_WAITING})",  # noqa: S608
        (NOT_ASKED, RANK),
    )
    store.conn.execute(f"UPDATE letters SET rank = 0 WHERE id IN ({_WAITING})", (RANK,))  # noqa: S608


def asked_since(store: Store, since: datetime, match: int | None = None, seat: "Seat" = "") -> int:
    """Return about how many letters the interpreter has been asked since the moment `since`, in all or, if `match` is
    given, how many of these came from a `seat`."""
    sql = "SELECT count(*) FROM interpretations WHERE asked >= ? AND answer <> ?"
    values: tuple[object, ...] = (stamp(since), NOT_ASKED)
    if match is not None:
        sql, values = f"{sql} AND match = ? AND seat = ?", (*values, match, seat)
    return int(store.value(sql, values))


def answer(store: Store, letter: int, now: datetime, text: str) -> None:
    """Store the interpreter's answer about a letter: JSON, `FAILED` or `NOT_ASKED`."""
    store.conn.execute("UPDATE interpretations SET asked = ?, answer = ? WHERE letter = ?", (stamp(now), text, letter))


def interpretation_of(store: Store, letter: int) -> "Interpretation | None":
    """Return the interpreter's reading of a letter; None if it has none."""
    from pbem.match.case import Interpretation

    values = json.loads(answer_about(store, letter) or "{}")
    fields = {name: values[name] for name in Interpretation._fields if values.get(name)}
    if not fields.keys() - {"because"}:
        return None
    return Interpretation(**{**fields, "because": tuple(fields.get("because", ()))})


def answer_about(store: Store, letter: int) -> str:
    """Return the interpreter's answer about a letter, as JSON; "" if it has not answered."""
    text = str(store.value("SELECT answer FROM interpretations WHERE letter = ?", (letter,)) or "")
    return "" if text == NOT_ASKED else text
