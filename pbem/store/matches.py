"""Matches as values made from rows of the database, and the people who play in them."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, get_args

from pbem import PbemError, Sentence, dump_sentence, load_sentence
from pbem.games import NoGameError, find_game
from pbem.games.base import Result, Seat, seats_of
from pbem.match.identity import Holder, Player
from pbem.match.model import (
    Entry,
    Former,
    LaterOrders,
    Master,
    Match,
    Matter,
    Motion,
    OpenCommand,
    Phase,
    Place,
    Turn,
    Wish,
)
from pbem.match.terms import Terms, read_terms
from pbem.orders.command import Asking, Command, Decision, Press, Simple, press_of
from pbem.store import players
from pbem.store.database import Row, Snapshot, Store
from pbem.store.decisions import looked_since_end
from pbem.times.banks import Bank
from pbem.times.deadlines import parse_deadline
from pbem.times.moments import parse_moment, stamp


def add_match(
    store: Store,
    row: Mapping[str, Any],
    seats: Mapping[Seat, tuple[Player, str, bool]],
    name: str = "",
    *,
    anonymous: bool = False,
) -> int:
    """Insert a match with its seats, and return the number of the match. `seats` maps each seat to its holder, the
    holder's name in the match, and whether the holder has accepted.

    `row` contains the columns of `matches` that differ from their defaults. The new number is higher than that of any
    other match, and higher than the number at the end of any other match's name. The match is called `name`, which must
    not be taken; if `name` is empty, it is called `row["name"]` followed by its number. If the match is `anonymous`,
    the names of the holders are kept apart, and those of the sides stand in their places.
    """
    number = store.value(
        "SELECT coalesce(max(max(id, CAST(substr(name, instr(name, '-') + 1) AS INTEGER))), 0) + 1 FROM matches"
    )
    store.insert("matches", **{**row, "id": number, "name": name or f"{row['name']}-{number}"})
    for seat, (player, known_as, accepted) in seats.items():
        since = row["since"] if accepted else None
        shown = find_game(row["game"]).called[seat] if anonymous else known_as
        untold = known_as if anonymous else ""
        store.insert("seats", match=number, seat=seat, player=player.id, name=shown, untold=untold, accepted=since)
    return int(number)


class MatchUnknown(PbemError):  # noqa: N818 - says what happened
    """Raised when no match has the given name."""


def find_match(store: Store, name: str) -> int:
    """Return the number of the match with this name. Raises MatchUnknown if there is no such match."""
    number = number_of(store, name)
    if number is None:
        raise MatchUnknown(f'There is no game "{name}": `pbem game list` shows all.')
    return number


def number_of(store: Store, name: str) -> int | None:
    """Return the number of the match with this name; None if there is no such match."""
    number: int | None = store.value("SELECT id FROM matches WHERE name = ?", (name.lower(),))
    return number


def exists(store: Store, number: int) -> bool:
    """Return whether there is a match with this number."""
    return store.conn.execute("SELECT 1 FROM matches WHERE id = ?", (number,)).fetchone() is not None


def match_name(store: Store, number: int) -> str:
    """Return the name of a match: the inverse of `find_match`."""
    return str(store.value("SELECT name FROM matches WHERE id = ?", (number,)))


_HOLDERS = """
    SELECT seat, s.player, p.name AS own_name, s.name, s.epoch, oldest, p.zone, p.language, failing, stand_in,
           unrated, untold,
           (SELECT written FROM addresses a WHERE a.player = p.id ORDER BY confirmed IS NULL, rowid LIMIT 1) AS written,
           (SELECT json_group_array(address) FROM addresses a
            WHERE a.player = p.id AND (a.confirmed IS NOT NULL OR p.confirmed IS NULL)) AS addresses,
           (SELECT json_group_array(json_array(first, last, zone)) FROM absences a
            WHERE a.player = p.id AND NOT spent) AS absences
    FROM seats s JOIN players p ON p.id = s.player WHERE match = ?"""


def holders(store: Store, match: int) -> dict[Seat, Holder]:
    """Return the holders of a match's seats, keyed by seat; the mapping is empty if the match does not exist."""
    return {row["seat"]: _holder(row) for row in store.rows(_HOLDERS, (match,))}


def _holder(row: Row) -> Holder:
    absences = players.read_absences(row["absences"])
    return Holder(
        seat=row["seat"],
        player=Player(row["player"], row["own_name"], row["written"] or "", row["zone"], absences, row["language"]),
        name=Sentence(row["name"]) if row["untold"] else row["name"],
        epoch=row["epoch"],
        addresses=frozenset(json.loads(row["addresses"])),
        failing=row["failing"] is not None,
        oldest=row["oldest"],
        stand_in=row["stand_in"],
        unrated=row["unrated"],
        untold=row["untold"],
    )


_MATCH = """
    SELECT m.*, l.name AS league_name, l.settings ->> '$.masters' AS masters,
           l.settings ->> '$.appeal' AS appeal,
           (SELECT json_group_array(address) FROM entrants e JOIN addresses a ON a.player = e.player
            WHERE e.league = l.id AND e.season = l.season AND e.state <> 'withdrawn') AS members,
           (SELECT json_group_array(json_array(wish, seat, agrees, asks, argument, until, asked_with)) FROM wishes w
            WHERE w.match = m.id) AS wishes,
           (SELECT json_group_array(json_object(
                'seat', seat, 'accepted', accepted, 'muted', muted, 'missed', missed, 'gone', gone, 'words', words,
                'bank', bank, 'runs', runs,
                'later', json(later), 'standing_orders',
                (SELECT canonical FROM standing_orders t WHERE t.match = s.match AND t.seat = s.seat)))
            FROM seats s WHERE s.match = m.id) AS seats,
           (SELECT json_group_array(json_array(seat, letter, word, argument)) FROM questions q
            WHERE q.match = m.id AND q.turn = m.turn) AS open_commands,
           (SELECT json_group_array(json_object('id', p.id, 'name', p.name, 'address', coalesce(
                (SELECT written FROM addresses WHERE player = p.id AND confirmed IS NOT NULL ORDER BY rowid LIMIT 1),
                ''), 'zone', p.zone, 'language', p.language))
            FROM observers o JOIN players p ON p.id = o.player WHERE o.match = m.id AND NOT o.asked) AS observers
    FROM matches m LEFT JOIN leagues l ON l.id = m.league WHERE m.id = ?"""


@dataclass
class StoredPast:
    """The past of a match up to its current turn, as stored when the match was loaded. Each property is loaded when it
    is first read; loading a property raises Stale if the store has been written to since the match was loaded."""

    snapshot: Snapshot
    match: int
    turn: int

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """The turns of the match, oldest first, without undone ones."""
        return load_turns(self.snapshot.store, self.match)

    @cached_property
    def last(self) -> Turn | None:
        """The newest turn of the match that was not undone, or None. Only this turn is loaded, unless `turns` has been
        loaded already."""
        known = self.__dict__.get("turns")
        newest = load_turns(self.snapshot.store, self.match, since=self.turn - 1) if known is None else known[-1:]
        return newest[-1] if newest else None

    @cached_property
    def undone(self) -> frozenset[int]:
        """The numbers of the turns that were undone, even if they were played again."""
        return undone_turns(self.snapshot.store, self.match)

    @cached_property
    def claims(self) -> Mapping[int, Seat]:
        """The seats that have made claims which are still undecided, keyed by the number of the claim."""
        return {claim.number: claim.seat for claim in waiting_claims(self.snapshot.store, self.match)}

    @cached_property
    def place(self) -> Place | None:
        """The place of the match in its league, or None if the match has no such place."""
        return _place(self.snapshot.store, self.match)

    @cached_property
    def looked(self) -> bool:
        """Whether a game master has looked at the match's letters since it ended."""
        return looked_since_end(self.snapshot.store, self.match)


def playable(store: Store, *numbers: int) -> Iterator[Match]:
    """Load the matches with the given numbers, but leave out any whose game cannot be played here, because it must not
    stop those of other games."""
    for number in numbers:
        with suppress(NoGameError):
            yield load_match(store, number)


def load_match(store: Store, number: int, *, sitting: Mapping[Seat, Holder] | None = None) -> Match:
    """Load a match with the orders for its current turn. The past of the match is read on demand, which is possible
    only until something is written to the store.

    `sitting` is the result of `holders` for the match, if the caller already has that.
    """
    (row,) = store.rows(_MATCH, (number,))
    game, options, sitting = find_game(row["game"]), json.loads(row["options"]), sitting or holders(store, number)
    past = StoredPast(Snapshot(store), number, row["turn"])
    if row["phase"] == "review":  # loaded now, because letters about a change also report this turn
        _ = past.last
    return Match(
        id=number,
        name=row["name"],
        game=game,
        state=game.load(json.loads(row["state"])),
        turn=row["turn"],
        holders={seat: sitting[seat] for seat in seats_of(game, options)},
        terms=_terms(row["terms"]),
        wishes=_wishes(json.loads(row["wishes"])),
        motions=_motions(json.loads(row["wishes"])),
        league=row["league_name"] or "",
        sandbox=bool(row["sandbox"]),
        masters=read_masters(row["masters"] or "[]"),
        appeal=row["appeal"] or "",
        members=frozenset(json.loads(row["members"])),
        observers=tuple(Player(**observer) for observer in json.loads(row["observers"])),
        past=past,
        options=options,
        open_commands=_open_commands(json.loads(row["open_commands"])),
        result=load_result(row) if row["phase"] in ("finished", "annulled") else None,
        former=_former(row["former"]) if row["former"] else None,
        **{name: row[name] for name in ("phase", "extended", "secret", "deck", "root")},
        **_times(row),
        **_seat_fields(json.loads(row["seats"])),
        **_orders(store, number, row["turn"]),
        **_kept_back(store, number, row["turn"]),
    )


def _times(row: Row) -> dict[str, Any]:
    """Return the deadlines and moments of a match."""
    deadlines = {name: row[name] and parse_deadline(row[name]) for name in ("deadline", "latest")}
    return {**deadlines, **{name: _moment(row[name]) for name in ("since", "began", "due", "cooling")}}


def _moment(text: str | None) -> datetime | None:
    return parse_moment(text) if text else None


def _seat_fields(seats: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the fields of a Match that come from the rows of its seats."""
    return {
        "accepted": frozenset(row["seat"] for row in seats if row["accepted"]),
        "muted": frozenset(row["seat"] for row in seats if row["muted"]),
        "missed": {row["seat"]: row["missed"] for row in seats},
        "gone": {row["seat"]: row["gone"] for row in seats if row["gone"] is not None},
        "standing_orders": {row["seat"]: row["standing_orders"] for row in seats if row["standing_orders"]},
        "later": {row["seat"]: tuple(LaterOrders(*one) for one in row["later"]) for row in seats if row["later"]},
        "words": {row["seat"]: row["words"] for row in seats if row["words"]},
        "banks": {
            row["seat"]: Bank(timedelta(seconds=row["bank"]), _moment(row["runs"]))
            for row in seats
            if row["bank"] is not None
        },
    }


def result_columns(result: Result | None) -> dict[str, Any]:
    """Return the result of a match as columns of its row; the inverse of `load_result`."""
    return {
        "winner": result and result.winner,
        "reason": result and dump_sentence(result.reason),
        "forfeit": result is not None and result.forfeit,
        "ranking": json.dumps(result.ranking) if result and result.ranking else None,
    }


def load_result(row: Row | Mapping[str, Any]) -> Result:
    """Return the result of a match from the columns of its row."""
    places = tuple(map(tuple, json.loads(row["ranking"]))) if row["ranking"] else ()
    return Result(row["winner"], load_sentence(row["reason"] or ""), bool(row["forfeit"]), places)


def former_as_text(former: Former | None) -> str | None:
    """Return the phase and result that a match had before its end was decided or taken back, as the JSON text that its
    column stores; None if `former` is None."""
    if former is None:
        return None
    phase, result = former
    return json.dumps({"phase": phase, **(result_columns(result) if result else {})})


def _former(text: str) -> Former:
    """Parse the former phase and result of a match from its column: the inverse of `former_as_text`."""
    columns = json.loads(text)
    return Former(columns["phase"], load_result(columns) if "reason" in columns else None)


def place_of(store: Store, match: int) -> dict[str, int]:
    """Return the numbers of a match's league, season, division and round, keyed by the name of the column. Columns
    without a value are left out."""
    columns = ("league", "season", "division", "round")
    row = store.conn.execute("SELECT league, season, division, round FROM matches WHERE id = ?", (match,)).fetchone()
    return {name: number for name, number in zip(columns, row, strict=True) if number is not None}


class WaitingClaim(NamedTuple):
    """A claim that nobody has decided yet: its match, its number, the seat that made it, and when it was made."""

    match: int
    number: int
    seat: Seat
    at: datetime


def waiting_claims(store: Store, match: int | None = None) -> list[WaitingClaim]:
    """Return the undecided claims about `match`, or about all matches if `match` is None, oldest first. A claim is
    decided once a decision names it."""
    rows = store.conn.execute(
        """SELECT r.match, content ->> 'claim', content ->> 'seat', r.at
           FROM record r JOIN record_contents ON record = r.id
           WHERE (:match IS NULL OR r.match = :match) AND r.kind = 'gm' AND content ->> 'claim' IS NOT NULL
             AND NOT EXISTS (
                 SELECT 1 FROM record d JOIN record_contents c ON c.record = d.id
                 WHERE d.match = r.match AND d.kind = 'decision' AND c.content ->> 'decision' = 'decide'
                   AND c.content ->> 'argument' LIKE (record_contents.content ->> 'claim') || ':%')
           ORDER BY r.id""",
        {"match": match},
    )
    return [WaitingClaim(of, int(number), seat, parse_moment(at)) for of, number, seat, at in rows]


def undone_turns(store: Store, match: int) -> frozenset[int]:
    """Return the numbers of a match's turns that were undone, even if they were played again."""
    return frozenset(store.column("SELECT turn FROM turns WHERE match = ? AND undone IS NOT NULL", (match,)))


def _place(store: Store, match: int) -> Place | None:
    """Return the place of a match in its league; None if the match does not belong to a round of a league."""
    row = store.conn.execute(
        """SELECT m.season, m.round, l.season > m.season,
                  EXISTS (SELECT 1 FROM rounds r WHERE r.league = m.league AND r.season = m.season
                          AND r.division = m.division AND r.round > m.round AND r.begun IS NOT NULL),
                  EXISTS (SELECT 1 FROM pairings p WHERE p.league = m.league AND p.season = m.season
                          AND p.division = m.division AND p.round = m.round AND p.match = m.id),
                  l.settings ->> '$.format' = 'swiss'
           FROM matches m JOIN leagues l ON l.id = m.league WHERE m.id = ? AND m.round IS NOT NULL""",
        (match,),
    ).fetchone()
    return row and Place(*row[:2], *map(bool, row[2:]))._replace(left=_left(store, match))


def _left(store: Store, match: int) -> tuple[tuple[str, str], ...]:
    """Return the names of the players who were paired for a league game but have left the season, each with the name of
    the player who has taken their place in the season, or "" if nobody has."""
    rows = store.conn.execute(
        """SELECT e.name, coalesce(other.name, '')
           FROM pairings p
           JOIN entrants e ON (e.league, e.season) = (p.league, p.season)
                              AND e.player IN (p.first, p.second, p.third, p.fourth) AND e.state = 'withdrawn'
           LEFT JOIN entrants other ON (other.league, other.season, other.division, other.seed, other.state)
                                       = (e.league, e.season, e.division, e.seed, 'playing')
           WHERE p.match = ? ORDER BY e.seed""",
        (match,),
    )
    return tuple(rows)


@lru_cache(maxsize=256)
def read_masters(text: str) -> tuple[Master, ...]:
    return tuple(
        Master(master["name"], master["address"], tuple(master.get("rights", ()))) for master in json.loads(text)
    )


@lru_cache(maxsize=256)  # all games of a league have the same text
def _terms(text: str) -> Terms:
    return read_terms(json.loads(text))


_WishRow = tuple[Any, Seat, int, int, str, str | None, str]
"""A row of the table `wishes`: the wish, or what a vote is about, and the seat; for a vote also whether the seat
agrees, whether it has asked for the vote, and, if so, the details of the vote, its end, and the key of its letters."""

_MATTERS = get_args(Matter)


def _wishes(rows: Iterable[_WishRow]) -> dict[Wish, frozenset[Seat]]:
    wishes: dict[Wish, frozenset[Seat]] = {}
    for wish, seat, *_ in rows:
        if wish not in _MATTERS:
            wishes[wish] = wishes.get(wish, frozenset()) | {seat}
    return wishes


def _motions(rows: Iterable[_WishRow]) -> dict[Matter, Motion]:
    """Return the open votes, keyed by what they are about. A vote ends with the row of the seat that has asked for it,
    which is deleted if its player is banned."""
    votes: dict[Matter, dict[Seat, bool]] = {}
    asked: dict[Matter, Motion] = {}
    for matter, seat, agrees, asks, argument, until, key in rows:
        if matter in _MATTERS:
            votes.setdefault(matter, {})[seat] = bool(agrees)
            if asks:
                asked[matter] = Motion(seat, {}, argument, _moment(until), key)
    return {matter: motion._replace(votes=votes[matter]) for matter, motion in asked.items()}


def _open_commands(rows: Iterable[tuple[Seat, int, str, str | None]]) -> dict[Seat, tuple[OpenCommand, ...]]:
    """Return the commands that are waiting for a `yes`, keyed by seat, in order of their letters."""
    commands: dict[Seat, tuple[OpenCommand, ...]] = {}
    for seat, letter, word, argument in sorted(rows, key=lambda row: row[1]):
        commands[seat] = (*commands.get(seat, ()), read_open_command(letter, word, argument, match=True))
    return commands


_DECISION = "decision"


def open_command_row(command: Command) -> tuple[str, str | None]:
    """Return the word and the argument that `read_open_command` makes into `command` again."""
    if isinstance(command, Decision):
        return _DECISION, json.dumps([command.word, command.match, command.argument, command.reason])
    return command.word, None if isinstance(command, Simple) else command.argument


def read_open_command(letter: int, word: str, argument: str | None, *, match: bool) -> OpenCommand:
    """Make an open command from the values of its row. `argument` is None if the command consists of its word alone.
    `match` says whether the command is about a match."""
    if word == _DECISION and argument:
        return OpenCommand(letter, Decision(*json.loads(argument)), match)
    if word == Press.word:
        return OpenCommand(letter, press_of(argument or ""), match)
    return OpenCommand(letter, Simple(word) if argument is None else Asking(word, argument), match)


def load_turns(store: Store, match: int, *, since: int = 1) -> tuple[Turn, ...]:
    """Return the turns of a match from turn `since` on, oldest first, without undone ones."""
    rows = store.conn.execute(
        """SELECT game, t.turn, before, orders, after, events, t.secret, t.banks
           FROM turns t JOIN matches m ON m.id = match
           WHERE match = ? AND undone IS NULL AND t.turn >= ? ORDER BY t.turn""",
        (match, since),
    ).fetchall()
    return tuple(
        Turn(
            turn,
            find_game(game).load(json.loads(before)),
            {seat: entry and Entry(**entry) for seat, entry in json.loads(orders).items()},
            find_game(game).load(json.loads(after)),
            tuple(json.loads(events)),
            secret,
            {seat: timedelta(seconds=left) for seat, left in json.loads(banks or "{}").items()},
        )
        for game, turn, before, orders, after, events, secret, banks in rows
    )


def _orders(store: Store, match: int, turn: int) -> dict[str, Any]:
    """Return those fields of a Match that are about the orders for a turn: the orders that stand, the highest receipt
    number, and the proposals. Each field is keyed by seat."""
    standing: dict[Seat, Entry] = {}
    numbers: dict[Seat, int] = {}
    proposals: dict[Seat, dict[int, tuple[str, ...]]] = {}
    for seat, state, number, letter, written, canonical, nonce in store.conn.execute(
        "SELECT seat, state, number, letter, written, canonical, nonce FROM orders WHERE match = ? AND turn = ?"
        " ORDER BY id",
        (match, turn),
    ):
        if number is not None:
            numbers[seat] = max(number, numbers.get(seat, 0))
        if state == "proposed":
            of_seat = proposals.setdefault(seat, {})
            of_seat[letter] = (*of_seat.get(letter, ()), canonical)
        elif state == "standing":
            standing[seat] = Entry(number, letter, written, canonical, nonce)
    return {"standing": standing, "numbers": numbers, "proposals": proposals}


def _kept_back(store: Store, match: int, turn: int) -> dict[str, Any]:
    """Return those fields of a Match that are about unprocessed letters for a turn: the senders of the held letters,
    and the number of letters set aside. Each field is keyed by seat."""
    held: dict[Seat, dict[int, str]] = {}
    quarantined: Counter[Seat] = Counter()
    for seat, number, state, sender in store.conn.execute(
        """SELECT seat, id, state, sender FROM letters
           WHERE match = ? AND turn = ? AND state IN ('held', 'set aside') ORDER BY id""",
        (match, turn),
    ):
        if state == "held":
            held.setdefault(seat, {})[number] = sender or ""
        else:
            quarantined[seat] += 1
    return {"held": held, "quarantined": quarantined}


def count_press(store: Store, match: int, seat: Seat, since: datetime) -> int:
    """Return the number of messages that a seat has sent after `since` to the other seats of its match, including
    letters that told them of its wishes."""
    wishes = "SELECT count(*) FROM outbox WHERE match = ? AND seat <> ? AND kind = 'wish' AND made > ?"
    words = """SELECT count(*) FROM record JOIN record_contents ON record = id
               WHERE match = ? AND kind = 'press' AND content ->> 'seat' = ? AND at > ?"""
    return sum(int(store.value(query, (match, seat, stamp(since)))) for query in (wishes, words))


def take_notices(store: Store) -> list[tuple[int, Seat]]:
    """Return the seats (match, seat) whose new orders have yet to be announced to the other players, and empty the list
    of these seats. Seats whose turn has been played in the meantime are left out."""
    notices = store.conn.execute(
        """SELECT match, seat FROM notices JOIN matches ON matches.id = match AND matches.turn = notices.turn
           ORDER BY match, seat"""
    ).fetchall()
    store.conn.execute("DELETE FROM notices")
    return notices


def unfinished(store: Store, player: int) -> list[int]:
    """Return the numbers of the unfinished matches in which a player has a seat."""
    return store.column(
        """SELECT DISTINCT match FROM seats JOIN matches ON matches.id = match
           WHERE player = ? AND phase NOT IN ('finished', 'annulled') ORDER BY match""",
        (player,),
    )


def watched(store: Store, player: int) -> tuple[str, ...]:
    """Return the names of the matches that a player observes."""
    rows = store.conn.execute(
        "SELECT name FROM observers JOIN matches ON matches.id = match WHERE player = ? AND NOT asked ORDER BY match",
        (player,),
    )
    return tuple(name for (name,) in rows)


def ask_to_watch(store: Store, match: int, player: int) -> None:
    """Store that a player was asked to watch a sandbox."""
    store.conn.execute("INSERT OR IGNORE INTO observers (match, player, asked) VALUES (?, ?, 1)", (match, player))


def asked_to_watch(store: Store, player: int) -> tuple[str, ...]:
    """Return the names of the sandboxes that a player was asked to watch and has not agreed to watch yet."""
    return tuple(
        store.column(
            "SELECT name FROM observers JOIN matches ON matches.id = match WHERE player = ? AND asked ORDER BY match",
            (player,),
        )
    )


def match_numbers(store: Store, *phases: Phase) -> list[int]:
    """Return the numbers of the matches in any of `phases`, or of all matches if no phase is given, oldest first."""
    rows = store.conn.execute(
        f"SELECT id FROM matches WHERE phase IN ({','.join('?' * len(phases))}) OR NOT ? ORDER BY id",  # noqa: S608 - question marks
        (*phases, len(phases)),
    )
    return [number for (number,) in rows]


def tell_names(store: Store, match: int) -> bool:
    """Put the names of the players of an anonymous match in the place of those of the sides. Return False if they were
    told before."""
    told = store.conn.execute("UPDATE seats SET name = untold, untold = '' WHERE match = ? AND untold <> ''", (match,))
    return told.rowcount > 0


def running_seats(store: Store, player: int) -> list[tuple[int, Seat, int]]:
    """Return the seats of a player in matches that are running, paused or in review: match, seat and turn."""
    return store.conn.execute(
        """SELECT match, seat, turn FROM seats JOIN matches ON matches.id = match
           WHERE player = ? AND phase IN ('running', 'paused', 'review') AND NOT sandbox ORDER BY match, seat""",
        (player,),
    ).fetchall()


def renew_tokens(store: Store, match: int) -> None:
    """Void all tokens of a match that are older than the desk's current epoch. The unsent letters of the match become
    due at once, so that those with void tokens are sent before any letters that can be answered."""
    waiting = "UPDATE outbox SET due = made WHERE match = ? AND sent IS NULL AND refused IS NULL"
    store.conn.execute(waiting, (match,))
    store.conn.execute(
        """UPDATE seats SET epoch = since, oldest = since
           FROM (SELECT CAST(value AS INTEGER) AS since FROM desk WHERE key = 'epoch' AND value <> '') AS desk
           WHERE match = ? AND oldest < since""",
        (match,),
    )
