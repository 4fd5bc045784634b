"""What has happened at a desk, as a log tells it: entries of the record, without addresses, orders, tokens or words."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from pbem.store.database import Store
from pbem.store.outbox import called, whom
from pbem.times.moments import stamp

BOUNCED = "delivery report"
"""The outcome of a letter that says that a letter of ours could not be delivered."""

_TEXTS = {
    "clock": "the clock of the last runs was wrong",
    "decision": "a game master decides, or the players do",
    "end": "the game is over",
    "game": "the game is set up",
    "holder": "{seat} has another player",
    "letter again": "letter {letter} is to be sent again",
    "letter held": "letter {letter} is held until its writer says yes",
    "letter in": "letter {letter} is read: {outcome}",
    "letter refused": "letter {letter} to {whom} is given up: {kind}",
    "letter retried": "letter {letter} is to be read again",
    "letter set aside": "letter {letter} is set aside: the program failed on it",
    "letters sent": "letter {letter} to {whom} is sent{within}: {kind}",
    "mail arrives": "letters to {seat} arrive again",
    "mail fails": "letters to {seat} come back",
    "orders": "orders of {seat} are taken",
    "put back": "the database was put back",
    "round": "round {round} of a league begins",
    "stand in": "{seat} is played by the computer, or by its player again",
    "turn": "the turn is played",
    "undo": "the turn is taken back",
    "withdraw": "orders of {seat} are taken back",
}
"""What a log says about entries of the record, keyed by their kinds. Entries of other kinds are left out."""


class Event(NamedTuple):
    """Something that happened: when, in which match and turn (None if it belongs to none), and what."""

    at: str
    game: str | None
    turn: int | None
    what: str

    def __str__(self) -> str:
        where = f"{self.game}{f', turn {self.turn}' if self.turn else ''}: " if self.game else ""
        return f"{self.at} {where}{self.what}"


def last_entry(store: Store) -> int:
    """Return the number of the last entry of the record; 0 if it is empty."""
    return int(store.value("SELECT max(id) FROM record") or 0)


def events_after(store: Store, entry: int) -> Iterator[Event]:
    """Yield what the entries of the record with numbers above `entry` tell, oldest first."""
    rows = store.conn.execute(
        f"""SELECT at, kind, name, content FROM record r JOIN record_contents ON record = r.id
            LEFT JOIN matches m ON m.id = r.match
            WHERE r.id > ? AND kind IN ({", ".join("?" * len(_TEXTS))}) ORDER BY r.id""",  # noqa: S608 - no value
        (entry, *_TEXTS),
    )
    for at, kind, game, text in rows.fetchall():
        for of, content in _letters(store, kind, json.loads(text)):
            yield Event(at, of or game, content.get("turn"), _TEXTS[kind].format_map(content))


def _letters(store: Store, kind: str, content: Mapping[str, Any]) -> Iterator[tuple[str | None, Mapping[str, Any]]]:
    """Yield `content` with what the tables say of the letters that it names, once for each letter, and the name of the
    match of a letter that was sent."""
    if kind in ("letters sent", "letter refused"):
        numbers = content["letters"] if kind == "letters sent" else [content["letter"]]
        for number, about, seat, player, name, within in store.conn.execute(
            """SELECT o.id, o.kind, seat, player, name, within FROM outbox o
               LEFT JOIN matches m ON m.id = o.match LEFT JOIN gathered ON letter = o.id
               WHERE o.id IN (SELECT value FROM json_each(?)) ORDER BY o.id""",
            (json.dumps(numbers),),
        ).fetchall():
            yield (
                name,
                {
                    "letter": number,
                    "kind": called(about),
                    "whom": seat or whom(None, None, player),
                    "within": f" within letter {within}" if within else "",
                },
            )
    elif kind in ("letter in", "letter set aside"):
        turn = store.value("SELECT turn FROM letters WHERE id = ?", (content["letter"],))
        yield None, {**content, "turn": turn}
    else:
        yield None, content


def bounces(store: Store, since: datetime) -> int:
    """Return how many letters came after `since` which say that a letter of ours could not be delivered."""
    return int(store.value("SELECT count(*) FROM letters WHERE outcome = ? AND arrived > ?", (BOUNCED, stamp(since))))


def phases(store: Store) -> dict[str, int]:
    """Return the number of matches in each phase that is not the end of a match."""
    rows = store.conn.execute(
        """SELECT phase, count(*) FROM matches WHERE phase IN ('offered', 'running', 'paused', 'review')
           GROUP BY phase ORDER BY phase"""
    )
    return dict(rows.fetchall())
