"""Everything that is waiting for a certain time, or until the limits on letters leave room: matches that are due or
stuck, leagues with news, and answers to strangers."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from pbem.match.terms import next_due, read_terms
from pbem.store.database import Store, recall, remember
from pbem.times.deadlines import parse_deadline
from pbem.times.moments import parse_moment, stamp

if TYPE_CHECKING:
    from pbem.match.effects import Wait

_AWAITED = "(CASE phase WHEN 'offered' THEN deck WHEN 'running' THEN secret ELSE '' END)"
"""An SQL expression for the source of chance that a match uses next. While the match is waiting for a beacon round, the
source contains the number of the round and a colon, but no value."""


def ready(store: Store, due: datetime | None, after: int, limit: int) -> list[int]:
    """Return the numbers of matches that can proceed, because all their orders are in, or because a deadline has passed
    or a cooling-off time has ended by `due`; with `due=None`, time plays no part. Only numbers above `after` are
    returned, in ascending order and at most `limit` of them."""
    return store.column(
        """SELECT id FROM (SELECT id FROM matches WHERE phase = 'running' AND waiting = 0
                           UNION SELECT id FROM matches WHERE due <= ?1
                           UNION SELECT id FROM matches WHERE cooling <= ?1)
           WHERE id > ?2 ORDER BY id LIMIT ?3""",
        (due and stamp(due), after, limit),
    )


def wait_no_longer(store: Store, now: datetime) -> None:
    """Correct the moments that earlier runs with a fast clock have stored: everything that they postponed becomes due
    at `now`, and invitations that they counted at a later moment count as made at `now`."""
    for statement in (
        "UPDATE outbox SET due = :now WHERE sent IS NULL AND refused IS NULL AND due <> '' AND made > :now",
        "UPDATE outbox SET due = :now WHERE sent IS NULL AND refused IS NULL AND due > :far",
        "UPDATE removals SET due = :now WHERE due > :far",
        "UPDATE digests SET due = :now WHERE due > :far",
        "UPDATE invitations SET made = :now WHERE made > :now",
    ):
        store.conn.execute(statement, {"now": stamp(now), "far": stamp(now + timedelta(days=8))})


_THINKS = "thinks"  # the key of a list: the matches whose computer players have to think, longest-waiting first


def waiting_to_think(store: Store) -> list[int]:
    """Return the numbers of the matches whose computer players have to think, longest-waiting first."""
    return [int(number) for number in recall(store.conn, _THINKS).split()]


def think_later(store: Store, number: int) -> None:
    """Have the computer think about match `number` after the letters of this run have been sent."""
    remember(store.conn, thinks=" ".join(map(str, dict.fromkeys([*waiting_to_think(store), number]))))


def clear_thinking(store: Store, number: int) -> None:
    """Remove match `number` from the list of matches whose computer players have to think."""
    remember(store.conn, thinks=" ".join(str(thinking) for thinking in waiting_to_think(store) if thinking != number))


def rounds_awaited(store: Store, numbers: Sequence[int] = ()) -> list[int]:
    """Return the numbers of the beacon rounds for which the matches with these `numbers` are waiting. The number 0
    stands for a round that has yet to be named."""
    from pbem.games.chance import read_source

    rows = store.conn.execute(
        f"SELECT {_AWAITED} FROM matches WHERE id IN ({','.join('?' * len(numbers))}) AND {_AWAITED} LIKE '%:+%'",  # noqa: S608 - question marks
        numbers,
    )
    return [read_source(source).round for (source,) in rows]


def waiting_for_rounds(store: Store, late: datetime) -> list[str]:
    """Return the names of matches that have been waiting for a beacon round since before `late`."""
    rows = store.conn.execute(
        f"SELECT name FROM matches WHERE cooling < ? AND {_AWAITED} LIKE '%:+%' ORDER BY id",  # noqa: S608 - no value
        (stamp(late),),
    )
    return [name for (name,) in rows]


def cooled(store: Store, until: datetime) -> list[int]:
    """Return the numbers of the matches whose cooling-off time has ended by `until`."""
    return store.column("SELECT id FROM matches WHERE cooling <= ? ORDER BY id", (stamp(until),))


def stuck(store: Store, late: datetime) -> list[str]:
    """Return the names of matches that have not moved on although they were due, or had all their orders, before
    `late`. Matches that are waiting for a beacon round are left out."""
    rows = store.conn.execute(
        f"""SELECT name FROM matches m WHERE (:late > due OR :late > cooling OR (phase = 'running' AND waiting = 0
               AND NOT EXISTS (
               SELECT 1 FROM orders o JOIN letters l ON l.id = o.letter
               WHERE o.match = m.id AND o.turn = m.turn AND o.state = 'standing' AND l.arrived >= :late)))
               AND {_AWAITED} NOT LIKE '%:+%'
           ORDER BY id""",  # noqa: S608 - no value
        {"late": stamp(late)},
    )
    return [name for (name,) in rows]


def deserted(store: Store) -> list[str]:
    """Return the names of matches without a deadline in which at least one player no longer has an address."""
    return store.column(
        """SELECT name FROM matches m WHERE phase IN ('running', 'paused') AND deadline IS NULL AND EXISTS (
               SELECT 1 FROM seats s WHERE s.match = m.id AND NOT s.stand_in
               AND NOT EXISTS (SELECT 1 FROM addresses a WHERE a.player = s.player))
           ORDER BY id"""
    )


def running_clocks(store: Store) -> list[int]:
    """Return the numbers of the matches in which time is being taken out of somebody's bank."""
    return store.column("SELECT DISTINCT match FROM seats WHERE runs IS NOT NULL ORDER BY match")


def due_leagues(store: Store, now: datetime) -> list[int]:
    """Return the numbers of the leagues in which a game has ended or has been reopened and has not been settled since,
    in which a member is leaving, or in which a round is to be told or to begin by `now`."""
    return store.column(
        """SELECT league FROM matches WHERE settled = 0
           UNION SELECT id FROM leagues WHERE due <= ?
           UNION SELECT l.id FROM entrants e JOIN leagues l ON l.id = e.league AND l.season = e.season
           WHERE e.state = 'leaving'""",
        (stamp(now),),
    )


def renew_due(store: Store, now: datetime) -> bool:
    """Recalculate the moments at which matches are due, because the rules of a time zone may have changed. Returns
    whether any of these moments has changed."""
    from zoneinfo import ZoneInfo

    ZoneInfo.clear_cache()
    terms_in = cache(lambda text: read_terms(json.loads(text)))

    moved = []
    for deadline, terms, began, due in store.conn.execute(  # many games share these values
        """SELECT DISTINCT deadline, terms, began, due FROM matches
           WHERE due > ? AND deadline IS NOT NULL AND deadline NOT LIKE '% UTC' AND terms ->> '$.bank' IS NULL
                 AND id NOT IN
                 (SELECT match FROM wishes WHERE until IS NOT NULL)""",  # which may end before the deadline
        (stamp(now),),
    ):
        since = parse_moment(began) if began else None
        again = stamp(next_due(parse_deadline(deadline), terms_in(terms), since, now))
        if again != due:
            moved.append((again, due, deadline, terms, began))
    if moved:
        with store.transaction():
            store.conn.executemany(
                """UPDATE matches SET due = ? WHERE due = ? AND deadline = ? AND terms = ? AND began IS ?
                   AND id NOT IN (SELECT match FROM wishes WHERE until IS NOT NULL)""",
                moved,
            )
    return bool(moved) | _renew_due_with_banks(store, now)


def _renew_due_with_banks(store: Store, now: datetime) -> bool:
    """Recalculate the moments at which matches with banks of time are due, as `renew_due` does."""
    numbers = store.column("SELECT id FROM matches WHERE due > ? AND latest IS NOT NULL ORDER BY id", (stamp(now),))
    if not numbers:
        return False
    from pbem.match.time_control import with_next_look
    from pbem.store.matches import playable

    looks = [(stamp(due), match.id) for match in playable(store, *numbers) if (due := with_next_look(match, now).due)]
    with store.transaction():
        changed = store.conn.executemany("UPDATE matches SET due = ?1 WHERE id = ?2 AND due <> ?1", looks).rowcount
    return changed > 0


_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)

_VOUCHED, _UNPROVEN = 2, 3  # ranks of waiting letters

WAITING = 60
"""The maximum number of waiting letters in each of their two ranks: letters for which a provider vouches, and all
others. The limits in `SHARED` allow at least this many answers in a day."""


class Room(NamedTuple):
    """A limit on letters: within `span`, at most `most` letters are sent to all addresses for which `common` returns
    the same key."""

    most: int
    span: timedelta
    common: Callable[[str], str]


def person_of(address: str) -> str:
    """Return a key that is the same for all addresses of one person at a provider, because many providers deliver mail
    for `a.b+c@` to `ab@`. Use the key only for counting: two people may share it."""
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0].replace('.', '')}@{domain}"


def _domain(address: str) -> str:
    """Return the last two labels of the domain of `address`. Whoever owns that domain can create any number of domains
    below it."""
    return ".".join(address.lower().rpartition("@")[2].split(".")[-2:])


def _all(_: str) -> str:
    return ""


OWN = {"stranger": 1, "newcomer": 3}
"""The maximum number of letters of each kind that one person gets in a day. `stranger` explains what this desk is, and
`newcomer` asks whether the person wants to play."""

SHARED = {
    True: (Room(20, _HOUR, _domain), Room(100, _HOUR, _all)),
    False: (Room(6, _HOUR, _domain), Room(20, _HOUR, _all), Room(60, _DAY, _all)),
}
"""The limits on answers to strangers, keyed by whether a provider vouches for the letter that is answered. Letters for
which none vouches may be forged, so the answers to them must never use up the whole room of a domain."""


class _Answered:
    """A count of the letters queued for strangers in the last 24 hours, which shows how much room is left."""

    def __init__(self, store: Store, now: datetime) -> None:
        rows = store.conn.execute(
            "SELECT kind, recipient, made FROM outbox WHERE kind IN ('stranger', 'newcomer') AND made > ?",
            (stamp(now - _DAY),),
        ).fetchall()
        self._last = {(kind, person_of(to)): queued for kind, to, queued in rows}
        self._own = Counter((kind, person_of(to)) for kind, to, _ in rows)
        self._shared = {
            room: Counter(room.common(to) for _, to, queued in rows if queued > stamp(now - room.span))
            for room in (*SHARED[True], *SHARED[False])
        }

    def kinds(self, address: str) -> frozenset[str]:
        """Return the kinds of letters that the person at `address` may still get."""
        return frozenset(kind for kind, most in OWN.items() if self._own[kind, person_of(address)] < most)

    def full(self, address: str, *, vouched: bool) -> bool:
        """Return whether the room that `address` shares with other addresses is used up. `vouched` says which limits
        apply."""
        return any(self._shared[room][room.common(address)] >= room.most for room in SHARED[vouched])

    def since(self, letter: "_Waiting") -> bool:
        """Return whether the writer of `letter` has been sent a suitable answer since the letter arrived. A writer who
        wants to join needs a `newcomer` letter; for other writers, either kind is suitable."""
        kinds = ("newcomer",) if letter.joins else OWN
        return any(self._last.get((kind, person_of(letter.sender)), "") >= letter.arrived for kind in kinds)

    def take(self, address: str) -> None:
        """Count one more letter to `address` against the shared limits."""
        for room, count in self._shared.items():
            count[room.common(address)] += 1


def room_for(store: Store, address: str, now: datetime, *, vouched: bool) -> tuple[frozenset[str], bool]:
    """Return the kinds of letters that the stranger at `address` may still get, and whether an answer has to wait for
    room."""
    answered = _Answered(store, now)
    return answered.kinds(address), answered.full(address, vouched=vouched)


def unanswered(store: Store, address: str, now: datetime) -> int:
    """Return the number of letters sent at the request of players to which the person at `address` has yet to reply:
    invitations, offers of seats, and questions about whether an address belongs to that person."""
    from pbem.match.model import UNDO  # a run without work never needs this import

    rows = store.conn.execute(
        """SELECT address FROM matches m JOIN seats s ON s.match = m.id JOIN addresses a ON a.player = s.player
           WHERE m.phase = 'offered' AND m.league IS NULL AND s.accepted IS NULL
           UNION ALL SELECT address FROM offers o JOIN addresses a ON a.player = o.player WHERE made > :since
           UNION ALL SELECT address FROM claims WHERE taken IS NULL AND answered IS NULL AND made > :since""",
        {"since": stamp(now - UNDO)},
    )
    return sum(person_of(recipient) == person_of(address) for (recipient,) in rows)


def letters_of_players(store: Store, since: datetime, most: int) -> list[bytes]:
    """Return the bytes of the newest letters, at most `most`, that arrived from addresses of players at or after
    `since`."""
    return store.column(
        """SELECT raw FROM letters WHERE arrived >= ? AND raw IS NOT NULL AND sender IN (SELECT address FROM addresses)
           ORDER BY id DESC LIMIT ?""",
        (stamp(since), most),
    )


class _Waiting(NamedTuple):
    """A letter that is waiting for room. Letters for which a provider vouches sort before all others; apart from that,
    older letters come first."""

    rank: int
    id: int
    sender: str
    arrived: str
    joins: bool


def _waiting(store: Store) -> list[_Waiting]:
    from pbem.match.model import WANTS_TO_JOIN

    rows = store.conn.execute(
        """SELECT rank, id, sender, arrived, outcome LIKE ? || '%' FROM letters
           WHERE state = 'handled' AND rank > 0 AND raw IS NOT NULL ORDER BY rank, id""",
        (WANTS_TO_JOIN,),
    )
    return [_Waiting(*row) for row in rows]


def wait(store: Store, effect: "Wait") -> None:
    """Have a letter wait until there is room for its answer. If too many letters are waiting, the oldest letter from
    the domain with the most waiting letters stops waiting."""
    rank = _VOUCHED if effect.vouched else _UNPROVEN
    store.conn.execute("UPDATE letters SET rank = ?, sender = ? WHERE id = ?", (rank, effect.address, effect.letter))
    waiting = [letter for letter in _waiting(store) if letter.rank == rank]
    if len(waiting) > WAITING:
        ((domain, _),) = Counter(_domain(letter.sender) for letter in waiting).most_common(1)
        _end_waiting(store, [next(letter for letter in waiting if _domain(letter.sender) == domain)])


def _end_waiting(store: Store, letters: Iterable[_Waiting]) -> None:
    store.conn.executemany("UPDATE letters SET rank = 0 WHERE id = ?", ((letter.id,) for letter in letters))


def retry_letters_of_repaired_games(store: Store, now: datetime) -> None:
    """Have the letters handled again that were set aside because the game of their match could not be played, if it can
    be played now."""
    from pbem.match.model import NO_GAME
    from pbem.store.matches import playable

    for letter, match in store.conn.execute(  # as the index has it
        """SELECT id, match FROM letters WHERE state IN ('held', 'set aside') AND state = 'set aside' AND outcome = ?
           AND match IS NOT NULL ORDER BY id""",
        (NO_GAME,),
    ).fetchall():
        for _ in playable(store, match):
            store.retry(letter)
            store.note("letter retried", {"letter": letter}, now)


def admit_waiting_letters(store: Store, now: datetime) -> None:
    """Have waiting letters handled if there is room for their answers now: one letter from each person, but none if the
    person has been sent a suitable answer in the meantime."""
    answered, people = _Answered(store, now), dict[str, list[_Waiting]]()
    for letter in _waiting(store):
        people.setdefault(person_of(letter.sender), []).append(letter)
    for letters in people.values():
        best = max(letters, key=lambda letter: (-letter.rank, letter.joins, letter.id))
        if answered.since(best):
            _end_waiting(store, letters)
        elif not answered.full(best.sender, vouched=best.rank == _VOUCHED):
            answered.take(best.sender)
            _end_waiting(store, [letter for letter in letters if letter != best])
            store.conn.execute("UPDATE letters SET state = 'kept' WHERE id = ?", (best.id,))
            store.note("letter retried", {"letter": best.id}, now)


def unused_sandboxes(store: Store, since: datetime) -> list[int]:
    """Return the numbers of the sandboxes that are open, were there before the moment `since`, and to which no letter
    has come since then."""
    return store.column(
        """SELECT id FROM matches WHERE sandbox AND phase = 'running' AND since < :since
           AND id NOT IN (SELECT match FROM letters WHERE match IS NOT NULL AND arrived >= :since)
           AND NOT EXISTS (SELECT 1 FROM record WHERE record.match = matches.id AND at >= :since)""",
        {"since": stamp(since)},
    )
