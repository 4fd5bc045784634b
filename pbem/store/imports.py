"""Games that were played elsewhere, put into the archive from their records."""

import json
import re
from dataclasses import replace
from datetime import datetime

from pbem import PbemError
from pbem.games.base import Result
from pbem.i18n.languages import dump_sentence
from pbem.match.effects import said_of
from pbem.match.identity import Player
from pbem.record.history import History, Placed, Played, Remark, Resigned, RolledBack
from pbem.record.notation import write_record
from pbem.store.audit_log import sha256
from pbem.store.database import Store
from pbem.store.erase_player import NOBODY
from pbem.store.histories import load_history
from pbem.store.matches import add_match, number_of
from pbem.times.moments import stamp


class ImportRefused(PbemError):  # noqa: N818 - what it is
    """A game that does not belong into the archive."""


class Archive:
    """A desk's archive as it grows: which games are in it already is looked up once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        rows = store.conn.execute(
            """SELECT content ->> '$.identity' FROM record JOIN record_contents ON record = id WHERE kind = 'import'"""
        )
        self._known = {identity for (identity,) in rows}

    def add(self, history: History, now: datetime) -> str:
        """Put a game that is over into the archive, all or nothing; its name there, "" if it is there already.

        It keeps its name unless that is taken. Its players are people without an address; nobody's rating changes.
        Raises ImportRefused for a game that goes on.
        """
        if history.phase() == "running":
            raise ImportRefused("it is not over, and only games that are over can be imported.")
        identity = _identity(history)
        if identity in self._known or self._is_here(history.name, identity):
            return ""
        with self._store.transaction():
            number = _add_match(self._store, history, now)
            _note_all(self._store, number, history, identity, now)
        self._known.add(identity)
        (name,) = self._store.conn.execute("SELECT name FROM matches WHERE id = ?", (number,)).fetchone()
        return str(name)

    def _is_here(self, name: str, identity: str) -> bool:
        """Whether a game of this name was played here, and is the same."""
        number = number_of(self._store, name)
        return number is not None and _identity(load_history(self._store, number)) == identity


def _identity(history: History) -> str:
    """What two records of one game have in common, whatever it is called and whether they have its press."""
    steps = tuple(step for step in history.steps if not isinstance(step, Remark))
    return sha256(write_record(replace(history, name="", steps=steps)).encode())


def _add_match(store: Store, history: History, now: datetime) -> int:
    """The rows of a match and of its seats; its number."""
    game = history.game
    row = {
        "name": game.short,
        "game": game.name,
        "options": json.dumps(history.options),
        "rules": history.rules,
        "state": json.dumps(game.dump(history.start)),
        "phase": history.phase(),
        "waiting": 1,  # no turn can be played
        "terms": "{}",
        "deadline": None,
        "due": None,
        "league": None,
        "season": history.season,
        "division": history.division,
        "round": history.round,
        "since": stamp(history.began or now),
        "deck": history.secret,
    }
    names = {seat: name or str(history.game.called[seat]) for seat, name in history.players.items()}
    seats = {seat: (_person(store, name, now), name, True) for seat, name in names.items()}
    number = add_match(store, row, seats, _own_name(store, history))
    _end(store, number, history, now)
    return number


def _end(store: Store, number: int, history: History, now: datetime) -> None:
    """A match that was added stands where its history ends, with its result and its scores."""
    game, result = history.game, history.result or Result(None, "")
    last = history.turns()[-1].turn if history.turns() else 0
    store.conn.execute(
        """UPDATE matches SET state = ?, turn = ?, winner = ?, reason = ?, forfeit = ?, ranking = ?,
                  ended = ? WHERE id = ?""",
        (
            json.dumps(game.dump(history.state)),
            last + 1,
            result.winner,
            dump_sentence(result.reason),
            result.forfeit,
            json.dumps(result.ranking) if result.ranking else None,
            stamp(history.ended or now),
            number,
        ),
    )
    for seat, score in game.scores(history.state).items():
        store.conn.execute("UPDATE seats SET score = ? WHERE match = ? AND seat = ?", (score, number, seat))


def _own_name(store: Store, history: History) -> str:
    """The name of a game if it can be its name here, too; else ""."""
    could_be = re.fullmatch(rf"{history.game.short}-[1-9][0-9]{{0,5}}", history.name)
    return history.name if could_be and number_of(store, history.name) is None else ""


def _person(store: Store, name: str, now: datetime) -> Player:
    """Somebody of whom nothing is known but a name: the same one for all games that were imported."""
    row = store.conn.execute(
        """SELECT id FROM players p WHERE name = ? AND name <> ? AND confirmed IS NULL
           AND NOT EXISTS (SELECT 1 FROM addresses WHERE player = p.id)""",
        (name, NOBODY),
    ).fetchone()
    if row is None:
        row = (store.conn.execute("INSERT INTO players (name, since) VALUES (?, ?)", (name, stamp(now))).lastrowid,)
    return Player(int(row[0]), name, "")


def _note_all(store: Store, number: int, history: History, identity: str, now: datetime) -> None:
    """The record of the game as it came, for whoever asks for its history; then its turns, as of any other game."""
    start = json.dumps(history.game.dump(history.start))
    store.note("import", {"identity": identity, "state": start, "record": write_record(history)}, now, number)
    for step in history.steps:
        match step:
            case Played():
                _add_turn(store, number, history, step, now)
            case Placed():
                told = {"turn": step.turn, "state": history.game.dump(step.state), "reason": step.reason}
                store.note("position", told, now, number)
            case Resigned():
                told = {"seat": step.seat, "state": history.game.dump(step.state)}
                store.note("resign", told, now, number)
            case RolledBack():
                store.note("undo", {"turn": step.turn}, now, number)
                store.note("rollback", {"turn": step.turn, "reason": step.reason}, now, number)
    if history.result:
        store.note("end", said_of(history.result), now, number)


def _add_turn(store: Store, number: int, history: History, step: Played, now: datetime) -> None:
    game = history.game
    told = {
        seat: text and {"written": text, "canonical": text, "number": 0, "letter": None}
        for seat, text in step.orders.items()
    }
    turn = {
        "match": number,
        "turn": step.turn,
        "before": json.dumps(game.dump(step.before)),
        "orders": json.dumps(told),
        "after": json.dumps(game.dump(step.after)),
        "events": json.dumps(step.events),
        "rules": step.rules,
        "played": stamp(step.at or now),
        "secret": step.secret,
    }
    store.conn.execute(
        """INSERT INTO turns (match, turn, before, orders, after, events, rules, played, undone, secret)
           VALUES (:match, :turn, :before, :orders, :after, :events, :rules, :played, :undone, :secret)""",
        {**turn, "undone": stamp(now) if step.undone else None},
    )
    store.note("turn", {**turn, "orders": dict(step.orders)}, now, number)
