"""The public histories of games, read from the store; and the import of games from elsewhere."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from secrets import token_bytes
from typing import Any, NamedTuple

from pbem import PbemError
from pbem.games import find_game
from pbem.games.base import OPEN, AnyGame, Event, Result, Seat, seats_of
from pbem.games.chance import SECRET, commitment
from pbem.match.commitments import order_commitment
from pbem.match.effects import result_content
from pbem.match.identity import Player
from pbem.match.model import Entry, Phase
from pbem.match.time_control import with_banks_after, with_increments
from pbem.record.history import (
    DEALT,
    SEALED,
    SHUFFLED,
    Ended,
    History,
    Placed,
    Played,
    Remark,
    Resigned,
    RolledBack,
    Step,
)
from pbem.record.notation import read_record, write_record
from pbem.store.audit_log import sha256
from pbem.store.database import Row, Store
from pbem.store.decisions import ON_THE_COURSE, explained
from pbem.store.forgetting import NOBODY
from pbem.store.matches import add_match, load_match, load_result, number_of, result_columns
from pbem.times.moments import parse_moment, stamp

Seats = frozenset[Seat]


class _Noted(NamedTuple):
    """An entry of the record about a match, made between two turns; `content` is empty if it was deleted."""

    kind: str
    at: str
    content: Mapping[str, Any]


def load_history(store: Store, match: int, *, press: bool | Seats = False) -> History:
    """Return the public history of a match, with all its press if `press` is True, with none if it is False, or with
    the press that the given seats wrote or received.

    A turn that the game master has yet to review does not count as played.
    """
    (row,) = store.rows(_MATCH, (match,))
    game, options, names = find_game(row["game"]), json.loads(row["options"]), _names(store, match)
    over, state, turn = row["phase"] in ("finished", "annulled"), game.load(json.loads(row["state"])), row["turn"]
    played = _turns(store, (match, row["name"]), game, None if row["phase"] == "review" else state, over=over)
    noted = _notes(store, match, game)
    if imported := _imported(noted[0], row["name"], names, press=press):
        return imported
    if row["phase"] == "review":
        *played, last = played
        turn, state = last.turn, last.before
    start, ended = _start(noted[0], game, played[0].before if played else state), _moment(row["ended"])
    result = load_result(row) if over else None
    steps = [*_steps(game, start, played, (turn, state), noted), *_ending(row, game, state, result)]
    return History(
        name=row["name"],
        game=game,
        options=options,
        rules=row["rules"],
        players={seat: names[seat] for seat in seats_of(game, options)},
        start=start,
        state=state,
        steps=tuple(_public_steps(steps, _unseen(store, match), press=press)),
        result=None if row["phase"] == "annulled" else result,
        annulled=row["phase"] == "annulled",
        league=row["league_name"] or "",
        **{name: row[name] for name in ("season", "division", "round")},
        secret=row["deck"] if over else "",
        secret_hash=commitment(row["deck"]) if row["deck"] else "",
        began=_moment(row["since"]),
        ended=ended,
        opening=game.redact_events(_opening(noted[0]), OPEN if over else None),
        clocks={} if over else _clocks(store, match, turn, state),
    )


def _ending(row: Row, game: AnyGame, state: Any, result: Result | None) -> Iterator[Ended]:
    """Yield the end of a match if it did not end with its last turn. `row` is that of the match."""
    if result and (row["phase"] == "annulled" or game.result(state) is None):
        yield Ended(result, row["phase"] == "annulled", _moment(row["ended"]))


def _clocks(store: Store, number: int, turn: int, state: Any) -> dict[Seat, timedelta]:
    """Return what people had left in their banks of time when `turn` began in the given public state, as the report of
    the turn before told them; {} in a match without banks, or before the first report."""
    select = "SELECT banks FROM turns WHERE match = ? AND turn = ? AND undone IS NULL"
    if not store.value(select, (number, turn - 1)):
        return {}
    match = load_match(store, number)
    before = next(played for played in match.turns if played.turn == turn - 1)
    match = with_increments(with_banks_after(match.at_turn(turn, state), before))
    return {seat: match.banks[seat].left for seat in match.playing() if seat in match.banks}


def _moment(text: str | None) -> datetime | None:
    return parse_moment(text) if text else None


def _names(store: Store, match: int) -> dict[Seat, str]:
    """Return the names of the players of a match, keyed by seat."""
    return dict(store.conn.execute("SELECT seat, name FROM seats WHERE match = ?", (match,)).fetchall())


def _imported(
    noted: Sequence[_Noted], name: str, players: Mapping[Seat, str], *, press: bool | Seats
) -> History | None:
    """Return the history of an imported game, read from the imported record, with the names that its players have on
    this desk.

    Returns None if the match was not imported, or if the current rules find problems in its record. In either case, the
    caller makes the history from the stored turns instead.
    """
    note = next((note for note in noted if note.kind == "import" and note.content), None)
    reading = read_record(note.content["record"]) if note else None
    if reading is None or reading.history is None or reading.problems:
        return None
    history = reading.history
    steps = tuple(step for step in history.steps if _is_for(step, press))
    return replace(history, name=name, steps=steps, players={seat: players[seat] for seat in history.seats})


def begun(store: Store) -> list[int]:
    """Return the numbers of all matches that have begun and that everybody may see, oldest first. A match that not
    every seat has accepted does not count, nor does a sandbox."""
    return store.column("""SELECT id FROM matches m WHERE phase <> 'offered' AND NOT sandbox
           AND NOT EXISTS (SELECT 1 FROM seats WHERE match = m.id AND accepted IS NULL) ORDER BY id""")


_MATCH = """
    SELECT m.*, l.name AS league_name
    FROM matches m LEFT JOIN leagues l ON l.id = m.league WHERE m.id = ?"""


def _turns(store: Store, match: tuple[int, str], game: AnyGame, now: Any | None, *, over: bool) -> list[Played]:
    """Return all played turns of `match` (number, name), including undone ones. `now` is the public state; None means
    that the last turn is in review, and that the state before that turn is public. If `over` is true, the match has
    ended, and no orders are secret any more."""
    number, name = match

    def public_orders(turn: int, before: Any, seat: Seat, stored: Mapping[str, Any], now: Any) -> str | None:
        """Return the public form of a seat's orders: the orders themselves or, if the game keeps them secret until its
        end, only their seal. Returns None if secret orders consisted only of standing orders."""
        text = str(stored.get("joined") or stored["canonical"])
        if over or game.redact_orders(text, seat, None, before, now) == text:
            return text
        entry = Entry(0, None, "", stored["canonical"], stored.get("nonce", ""))
        return f"{SEALED} {order_commitment(name, turn, seat, entry)}".rstrip() if entry.canonical else None

    rows = store.conn.execute(
        """SELECT turn, before, orders, after, events, played, rules, undone, secret
           FROM turns WHERE match = ? ORDER BY id""",
        (number,),
    ).fetchall()
    known_state = game.load(json.loads(rows[-1][1])) if now is None and rows else now
    return [
        Played(
            turn,
            start,
            {
                seat: entry and public_orders(turn, start, seat, entry, end if undone else known_state)
                for seat, entry in entries.items()
            },
            end,
            tuple(json.loads(events)),
            parse_moment(at),
            rules,
            undone is not None,
            secret,
        )
        for turn, before, orders, after, events, at, rules, undone, secret in rows
        for start, entries, end in ((game.load(json.loads(before)), json.loads(orders), game.load(json.loads(after))),)
    ]


def _unseen(store: Store, match: int) -> list[bool]:
    """Return for each turn whether it was undone before anyone but the game master had seen it."""
    return [bool(unseen) for unseen in store.column("SELECT unseen FROM turns WHERE match = ? ORDER BY id", (match,))]


def _is_for(step: Step, press: bool | Seats) -> bool:
    """Return whether a history includes `step`. Steps other than press are always included; for press, `press` decides
    as in `load_history`."""
    if not (isinstance(step, Remark) and step.seat) or isinstance(press, bool):
        return press is True or not (isinstance(step, Remark) and step.seat)
    return bool(press) and (not step.to or not {step.seat, *step.to}.isdisjoint(press))


def _public_steps(steps: Iterable[Step], unseen: Iterable[bool], *, press: bool | Seats) -> Iterator[Step]:
    """Yield the steps that are public. `unseen` says for each turn whether it was undone before anyone but the game
    master had seen it; such a turn is left out entirely."""
    flags, hidden = iter(unseen), 0
    for step in steps:
        if isinstance(step, Played) and next(flags):
            hidden = step.turn
        elif not (isinstance(step, RolledBack) and step.turn == hidden) and _is_for(step, press):
            hidden = 0 if isinstance(step, Played | RolledBack) else hidden
            yield step


def _notes(store: Store, match: int, game: AnyGame) -> list[list[_Noted]]:
    """Return the record's entries about a match as one list for each gap between turns: first the entries before its
    first turn, then those between its first and second turn, and so on."""
    notes: list[list[_Noted]] = [[]]
    explanations = explained(store, match, game)
    for number, kind, at, content in store.conn.execute(
        """SELECT id, kind, at, content FROM record LEFT JOIN record_contents ON record = id
           WHERE match = ? AND kind IN ('game', 'deal', 'import', 'turn', 'rollback', 'readjudicate', 'position',
                                        'press', 'resign', 'decision', 'holder', 'stand in', 'annul',
                                        'deal again')
           ORDER BY id""",
        (match,),
    ):
        if kind == "turn":
            notes.append([])
        elif kind not in ("decision", "holder", "stand in", "annul"):
            values = json.loads(content) if content else {}
            notes[-1].append(
                _Noted(kind, at, values | {"reason": explanations[number]} if number in explanations else values)
            )
        elif number in explanations:
            notes[-1].append(_Noted("told", at, {"seat": None, "text": explanations[number]}))
    return notes


def _start(noted: Sequence[_Noted], game: AnyGame, first: Any) -> Any:
    """Return the state in which a match was set up, or `first`, the first known state, if the record does not contain
    the set-up."""
    begun = [note.content["state"] for note in noted if _is_set_up(note) or (note.kind == "import" and note.content)]
    return game.load(json.loads(begun[-1])) if begun else first


def _opening(noted: Sequence[_Noted]) -> tuple[Event, ...]:
    """Return the events of a match's set-up, or () if the record does not contain them."""
    return tuple(next((note.content.get("opening", ()) for note in reversed(noted) if _is_set_up(note)), ()))


def _is_set_up(note: _Noted) -> bool:
    """Return whether an entry records a set-up of a match, either the first or a later one."""
    return bool(note.content) and (
        note.kind in ("game", "deal") or (note.kind == "deal again" and "opening" in note.content)
    )


def _steps(
    game: AnyGame, start: Any, played: Sequence[Played], now: tuple[int, Any], noted: Sequence[list[_Noted]]
) -> Iterator[Step]:
    """Yield the turns, everything that happened between them, and everything that has happened since the last one.
    `now` is the number of the current turn and its state. Changes of the position are yielded even if the record does
    not mention them."""
    state, last, began = start, 0, {1: start}
    for number, notes in enumerate(noted[: len(played) + 1]):
        step = played[number] if number < len(played) else None
        turn, wanted = (step.turn, step.before) if step else now
        back = max((at for at, note in enumerate(notes) if note.kind in _BACK), default=len(notes))
        yield from _remarks(notes[:back])
        if number and turn <= last and (step or played[-1].undone):
            yield RolledBack(turn, *_why(notes, *_BACK))
            state = began[turn]
        yield from _remarks(notes[back:])
        for note in notes:
            if note.kind == "resign" and note.content:
                state = game.resigned(state, note.content["seat"]).state
                yield Resigned(note.content["seat"], state, parse_moment(note.at))
        if state != wanted:
            yield Placed(turn, wanted, *_why_placed(notes))
        if step:
            yield step
            state, last, began[turn] = step.after, turn, step.before


_BACK = ("rollback", "readjudicate")


def _remarks(notes: Sequence[_Noted]) -> Iterator[Step]:
    """Yield the press and the explanations among `notes`, the entries between two turns."""
    for note in notes:
        if note.kind in ("press", "told") and note.content:
            to = tuple(note.content.get("to", ()))
            yield Remark(note.content["seat"], note.content["text"].strip(), parse_moment(note.at), to)


def _why(notes: Sequence[_Noted], *kinds: str) -> tuple[Any, str]:
    """Return the moment and the reason of the last note whose kind is one of `kinds`; None and "" if there is no such
    note."""
    note = next((note for note in reversed(notes) if note.kind in kinds), None)
    return (parse_moment(note.at), note.content.get("reason", "")) if note else (None, "")


def _why_placed(notes: Sequence[_Noted]) -> tuple[Any, str]:
    """Return when and why the position was changed between two turns. The reason is that of the game master who set the
    position, or a remark that hidden things were shuffled or dealt anew."""
    kinds = ("position", "rollback", "deal again")
    last = next((note for note in reversed(notes) if note.kind in kinds and "state" in note.content), None)
    if last is None or last.kind == "position":
        return _why(notes, "position")
    return parse_moment(last.at), SHUFFLED if last.kind == "rollback" else DEALT


_PUBLISHED = """
    SELECT m.id, m.name, m.game, m.options, m.phase, m.winner, m.reason, m.forfeit, m.since, m.ended, m.league, l.name,
           m.season, m.round,
           (SELECT count(*) FROM turns t INDEXED BY turns_that_count
            WHERE t.match = m.id AND t.undone IS NULL),
           (SELECT json_group_array(json_array(seat, iif(untold = '', s.player, 0), s.name,
                                               p.name = :nobody OR untold <> ''))
            FROM seats s JOIN players p ON p.id = s.player WHERE s.match = m.id),
           iif(m.phase = 'review', '', m.state),
           (SELECT max(id) FROM turns t INDEXED BY turns_that_count
            WHERE t.match = m.id AND t.undone IS NULL),
           (SELECT json_group_array(json_array(id, c.record)) FROM record r LEFT JOIN record_contents c ON c.record = id
            WHERE r.match = m.id AND (kind IN ('rollback', 'readjudicate', 'position', 'holder', 'stand in')
                  OR kind = 'decision' AND content ->> '$.decision' IN (SELECT value FROM json_each(:course))))
    FROM matches m LEFT JOIN leagues l ON l.id = m.league
    WHERE m.phase <> 'offered' AND NOT m.sandbox AND NOT EXISTS
        (SELECT 1 FROM seats s WHERE s.match = m.id AND s.accepted IS NULL)
    ORDER BY m.id"""
# The index named above covers all columns that this query reads from `turns`, whose rows are large.


class PublishedMatch(NamedTuple):
    """A match as it appears in lists, with everything else on which its page depends.

    `since` is "" and `ended` None if an imported record does not say when the game began or ended. `seats` contains
    for each seat its name, the number and name of its player, and whether the player has no page, because they were
    forgotten or have yet to be told: the number is then 0, and the name that of the side. `turns` is the number of
    turns that were not undone, including a turn in review. `state` is "" while the last turn is in review;
    `last_turn` is the number of the last turn's row in the table `turns`. `notes` (JSON) lists the decisions about
    the match by their numbers in the record, and shows which of them have lost their content.
    """

    number: int
    name: str
    game: str
    options: Mapping[str, Any]
    phase: Phase
    winner: Seat | None
    reason: str | None
    forfeit: int | None
    since: str
    ended: str | None
    league: int | None
    league_name: str
    season: int
    round: int
    turns: int
    seats: Sequence[tuple[Seat, int, str, int]]
    state: str
    last_turn: int | None
    notes: str


def published(store: Store) -> Iterator[PublishedMatch]:
    """Yield all public matches, oldest first; a match is public once it has begun, unless it is a
    sandbox."""
    for row in store.conn.execute(_PUBLISHED, {"nobody": NOBODY, "course": json.dumps([*ON_THE_COURSE])}):
        yield PublishedMatch(*row)._replace(options=json.loads(row[3]), seats=json.loads(row[15]))


class ImportRefused(PbemError):  # noqa: N818 - says what happened
    """Raised when a game cannot be imported."""


class Archive:
    """An importer of finished games into a desk's archive. The games imported before are looked up only once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        rows = store.conn.execute(
            """SELECT content ->> '$.identity' FROM record JOIN record_contents ON record = id WHERE kind = 'import'"""
        )
        self._identities = {identity for (identity,) in rows}

    def add(self, history: History, now: datetime) -> str:
        """Import a finished game, completely or not at all. Returns the game's name on this desk, or "" if the desk
        already has the game.

        The game keeps its name if the name is valid here and not taken. Its players have no addresses, and nobody's
        rating changes. Raises ImportRefused if the game has not ended.
        """
        if history.phase() == "running":
            raise ImportRefused("it is not over, and only games that are over can be imported.")
        identity = _identity(history)
        if identity in self._identities or self._is_here(history.name, identity):
            return ""
        with self._store.transaction():
            number = _add_match(self._store, history, now)
            _note_all(self._store, number, history, identity, now)
        self._identities.add(identity)
        return str(self._store.value("SELECT name FROM matches WHERE id = ?", (number,)))

    def _is_here(self, name: str, identity: str) -> bool:
        """Return whether this desk has a game with this name and this identity."""
        number = number_of(self._store, name)
        return number is not None and _identity(load_history(self._store, number)) == identity


def _identity(history: History) -> str:
    """Return a hash that is equal for any two records of the same game, even if they give the game different names or
    only one of them contains press."""
    steps = tuple(step for step in history.steps if not isinstance(step, Remark))
    return sha256(write_record(replace(history, name="", steps=steps)).encode())


def _add_match(store: Store, history: History, now: datetime) -> int:
    """Insert a match and its seats in the state at the end of `history`; return the number of the match."""
    game = history.game
    row = {
        "name": game.short,
        "game": game.name,
        "options": json.dumps(history.options),
        "rules": history.rules,
        "state": json.dumps(game.dump(history.state)),
        "phase": history.phase(),
        "turn": history.turns()[-1].turn + 1 if history.turns() else 1,
        "waiting": 1,  # no turn can be played
        "season": history.season,
        "division": history.division,
        "round": history.round,
        "since": stamp(history.began) if history.began else "",
        "ended": history.ended and stamp(history.ended),
        "deck": history.secret,
        "root": token_bytes(SECRET).hex() if game.chance else "",
        **result_columns(history.result or Result(None, "")),
    }
    names = {seat: name or str(history.game.called[seat]) for seat, name in history.players.items()}
    seats = {seat: (_person(store, name, now), name, True) for seat, name in names.items()}
    number = add_match(store, row, seats, _own_name(store, history))
    for seat, score in game.scores(history.state).items():
        store.conn.execute("UPDATE seats SET score = ? WHERE match = ? AND seat = ?", (score, number, seat))
    return number


def _own_name(store: Store, history: History) -> str:
    """Return the game's name in `history` if the game can keep it on this desk; otherwise ""."""
    could_be = re.fullmatch(rf"{history.game.short}-[1-9][0-9]{{0,5}}", history.name)
    return history.name if could_be and number_of(store, history.name) is None else ""


def _person(store: Store, name: str, now: datetime) -> Player:
    """Find or add a player known only by name; all imported games share one such player for each name."""
    number = store.value(
        """SELECT id FROM players p WHERE name = ? AND name <> ? AND confirmed IS NULL
           AND NOT EXISTS (SELECT 1 FROM addresses WHERE player = p.id)""",
        (name, NOBODY),
    )
    return Player(number or store.insert("players", name=name, since=stamp(now)), name, "")


def _note_all(store: Store, number: int, history: History, identity: str, now: datetime) -> None:
    """Add an imported game to the record: first its exported record, unchanged, from which its history is read, and
    then its turns and other steps like those of any other game."""
    start = json.dumps(history.game.dump(history.start))
    store.note("import", {"identity": identity, "state": start, "record": write_record(history)}, now, number)
    for step in history.steps:
        match step:
            case Played():
                _add_turn(store, number, history, step, now)
            case Placed():
                content = {"turn": step.turn, "state": history.game.dump(step.state), "reason": step.reason}
                store.note("position", content, now, number)
            case Resigned():
                content = {"seat": step.seat, "state": history.game.dump(step.state)}
                store.note("resign", content, now, number)
            case RolledBack():
                store.note("undo", {"turn": step.turn}, now, number)
                store.note("rollback", {"turn": step.turn, "reason": step.reason}, now, number)
    if history.result:
        store.note("end", result_content(history.result), now, number)


def _add_turn(store: Store, number: int, history: History, step: Played, now: datetime) -> None:
    game = history.game
    orders = {
        seat: text and {"written": text, "canonical": text, "number": 0, "letter": None}
        for seat, text in step.orders.items()
    }
    turn = {
        "match": number,
        "turn": step.turn,
        "before": json.dumps(game.dump(step.before)),
        "orders": json.dumps(orders),
        "after": json.dumps(game.dump(step.after)),
        "events": json.dumps(step.events),
        "rules": step.rules,
        "played": stamp(step.moment or now),
        "secret": step.secret,
    }
    store.insert("turns", **turn, undone=stamp(now) if step.undone else None)
    store.note("turn", {**turn, "orders": dict(step.orders)}, now, number)
