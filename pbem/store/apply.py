"""Functions that store the effects on which the service core has decided. The caller opens the transaction."""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from pbem.games.base import OPEN, Seat
from pbem.games.capabilities import opening_of
from pbem.games.chance import commitment, newest, read_source, set_up_source
from pbem.match import effects
from pbem.match.anonymous import names_are_told
from pbem.match.chance import source_of
from pbem.match.commitments import order_commitment
from pbem.match.model import Match
from pbem.store import players, questions, waiting
from pbem.store.database import EffectHandler, Store
from pbem.store.matches import former_as_text, result_columns, tell_names
from pbem.store.outbox import arrives_again
from pbem.times.moments import stamp


def write(store: Store, effect: effects.Effect, now: datetime) -> None:
    """Store `effect` in the database. Effects of the types `Following` and `Outcome` are skipped here: the desk carries
    out the former, and the latter are stored when the letter that caused them is closed."""
    if handler := HANDLERS.get(type(effect)):
        handler(store, effect, now)
    elif not isinstance(effect, effects.Following | effects.Outcome):
        raise AssertionError(f"{type(effect).__name__} is no effect")


def _save(store: Store, effect: effects.Save, now: datetime) -> None:
    """Store the match of an effect: the match's row, its wishes and votes, and its seats. The column `ended` is set
    when the match ends, and cleared if the match goes on after all."""
    match = effect.match
    if match.game.chance:
        _save_secret(store, match, now)
    row = {
        "state": json.dumps(match.game.dump(match.state)),
        "turn": match.turn,
        "phase": match.phase,
        "waiting": 0 if match.can_play() else 1,
        "cooling": match.cooling and stamp(match.cooling),
        "deadline": match.deadline and str(match.deadline),
        "latest": match.latest and str(match.latest),
        "began": match.began and stamp(match.began),
        "due": match.due and stamp(match.due),
        **({"since": stamp(match.since)} if match.since else {}),
        "extended": match.extended,
        "hidden": match.sandbox or match.reader(None) != OPEN,
        "former": former_as_text(match.former),
        **result_columns(match.result),
    }
    store.conn.execute(
        f"""UPDATE matches SET settled = iif(league IS NULL OR (phase = :phase AND winner IS :winner
                                             AND ranking IS :ranking), settled, 0),
                   ended = iif(:over, coalesce(ended, :now), NULL), {_assignments(row)}
            WHERE id = :id""",  # noqa: S608 - our own names
        {**row, "over": match.result is not None, "now": stamp(now), "id": match.id},
    )
    _save_wishes(store, match)
    _save_seats(store, match, now)
    if names_are_told(match):
        tell_names(store, match.id)


def _save_wishes(store: Store, match: Match) -> None:
    store.conn.execute("DELETE FROM wishes WHERE match = ?", (match.id,))
    rows: list[tuple[Any, ...]] = [
        (match.id, wish, seat, 1, 0, "", None, "") for wish, seats in match.wishes.items() for seat in seats
    ]
    for matter, motion in match.motions.items():
        asked = (1, motion.argument, motion.until and stamp(motion.until), motion.key)
        rows += [
            (match.id, matter, seat, int(agrees), *(asked if seat == motion.by else (0, "", None, "")))
            for seat, agrees in motion.votes.items()
        ]
    store.conn.executemany("INSERT INTO wishes VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)


def _save_secret(store: Store, match: Match, now: datetime) -> None:
    """Store a match's source of chance, and enter the hashes of new secrets in the record before anyone can give
    orders. If the set-up has just been dealt, the resulting state enters the record, too."""
    _save_words(store, match, now)
    game = match.game
    known = store.value("SELECT deck FROM matches WHERE id = ?", (match.id,))
    store.conn.execute("UPDATE matches SET deck = ? WHERE id = ? AND deck <> ?", (match.deck, match.id, match.deck))
    if match.deck.count(" ") > known.count(" "):
        content = {"number": read_source(newest(match.deck)).attempt, "hash": commitment(match.deck)}
        store.note("secret", content, now, match.id)
    source = read_source(set_up_source(match.deck))
    if str(source) != set_up_source(known) and source.words and not source.waits:
        content = {"state": json.dumps(game.dump(match.state)), "opening": opening_of(game, match.state, match.deck)}
        store.note("deal", content, now, match.id)
    before = store.value("SELECT secret FROM matches WHERE id = ?", (match.id,))
    store.conn.execute("UPDATE matches SET secret = ? WHERE id = ?", (match.secret, match.id))
    if not before or commitment(before) != commitment(match.secret):
        store.note("dice", {"turn": match.turn, "hash": commitment(match.secret)}, now, match.id)


def _save_words(store: Store, match: Match, now: datetime) -> None:
    """Store the hashes of the words that the seats have contributed to chance, and note each new hash in the record."""
    for seat, words in match.words.items():
        put = "UPDATE seats SET words = ? WHERE match = ? AND seat = ? AND words <> ?"
        if store.conn.execute(put, (words, match.id, seat, words)).rowcount:
            store.note("words", {"seat": seat, "hash": words}, now, match.id)


def _save_seats(store: Store, match: Match, now: datetime) -> None:
    """Store the state of each seat of a match: whether it has accepted, is muted or was given up, how many turns it has
    missed, its orders for later turns, the epoch of its tokens, the computer that plays it, and its score once the
    match has ended."""
    scores = match.game.scores(match.state) if match.result else {}
    for seat, holder in match.holders.items():
        row = {
            "missed": match.missed.get(seat, 0),
            "score": scores.get(seat),
            "gone": match.gone.get(seat),
            "later": json.dumps(match.later[seat]) if match.later.get(seat) else None,
            "stand_in": holder.stand_in,
            **_bank_columns(match, seat),
        }
        store.conn.execute(
            f"""UPDATE seats SET accepted = iif(:accepts, coalesce(accepted, :now), NULL),
                       muted = iif(:mutes, coalesce(muted, :now), NULL), epoch = max(epoch, :epoch),
                       {_assignments(row)}
                WHERE match = :match AND seat = :seat""",  # noqa: S608 - our own names
            {
                **row,
                "accepts": seat in match.accepted,
                "mutes": seat in match.muted,
                "epoch": holder.epoch,
                "now": stamp(now),
                "match": match.id,
                "seat": seat,
            },
        )


def _bank_columns(match: Match, seat: Seat) -> dict[str, Any]:
    bank = match.banks.get(seat)
    return {
        "bank": bank and _seconds(bank.left),
        "runs": bank and bank.since and stamp(bank.since),
    }


def _seconds(span: timedelta) -> int:
    return int(span.total_seconds())


def _assignments(row: Mapping[str, Any]) -> str:
    """Return the assignments of an UPDATE's SET clause for the columns in `row`, with named placeholders."""
    return ", ".join(f"{column} = :{column}" for column in row)


def _set_words(store: Store, effect: effects.SetWords, now: datetime) -> None:
    _save_words(store, effect.match, now)


def _note(store: Store, effect: effects.Note, now: datetime) -> None:
    store.note(effect.kind, effect.content, now, effect.match.id if effect.match else None)


def _set_standing(store: Store, effect: effects.SetStanding, now: datetime) -> None:
    match, seat = effect.match, effect.seat
    store.conn.execute(
        """INSERT INTO standing_orders VALUES (?, ?, ?)
           ON CONFLICT (match, seat) DO UPDATE SET canonical = excluded.canonical""",
        (match.id, seat, effect.canonical),
    )
    store.note("standing", {"turn": match.turn, "seat": seat, "orders": effect.canonical}, now, match.id)


def _take_orders(store: Store, effect: effects.TakeOrders, now: datetime) -> None:
    match, seat, entry = effect.match, effect.seat, effect.entry
    _retire_orders(store, match, seat, "replaced")
    store.conn.execute(
        """INSERT INTO orders (match, turn, seat, state, number, letter, written, canonical, nonce)
           VALUES (?, ?, ?, 'standing', ?, ?, ?, ?, ?)""",
        (match.id, match.turn, seat, entry.number, entry.letter, entry.written, entry.canonical, entry.nonce),
    )
    _update_waiting(store, match)
    # The first turn with orders of the computer, for the rating; orders of the holder for the same turn replace them.
    store.conn.execute(
        """UPDATE seats SET unrated = CASE WHEN ?1 THEN coalesce(nullif(unrated, 0), ?2) ELSE 0 END
           WHERE match = ?3 AND seat = ?4 AND (?1 OR unrated = ?2)""",
        (bool(match.holders[seat].stand_in and entry.letter is None), match.turn, match.id, seat),
    )
    content = {"turn": match.turn, "seat": seat, "number": entry.number, "letter": entry.letter}
    content |= {
        "orders": entry.canonical,
        "nonce": entry.nonce,
        "seal": order_commitment(match.name, match.turn, seat, entry),
    }
    store.note("orders", content, now, match.id)


def _take_part(store: Store, effect: effects.TakesPart, now: datetime) -> None:
    player = effect.match.holders[effect.seat].player.id
    store.conn.execute(
        """UPDATE entrants SET agreed = ? WHERE player = ? AND agreed IS NULL
           AND (league, season) = (SELECT league, season FROM matches WHERE id = ?)""",
        (stamp(now), player, effect.match.id),
    )


def _withdraw(store: Store, effect: effects.WithdrawOrders, now: datetime) -> None:
    match = effect.match
    _retire_orders(store, match, effect.seat, "withdrawn")
    _update_waiting(store, match)
    store.note("withdraw", {"turn": match.turn, "seat": effect.seat}, now, match.id)


def _update_waiting(store: Store, match: Match) -> None:
    store.conn.execute(
        "UPDATE matches SET waiting = ?, cooling = ? WHERE id = ?",
        (0 if match.can_play() else 1, match.cooling and stamp(match.cooling), match.id),
    )
    if match.banks:
        _save_clocks(store, match)


def _save_clocks(store: Store, match: Match) -> None:
    """Store the banks of time of a match, and the deadline that follows from them."""
    store.conn.execute(
        "UPDATE matches SET deadline = ?, due = ? WHERE id = ?",
        (match.deadline and str(match.deadline), match.due and stamp(match.due), match.id),
    )
    store.conn.executemany(
        "UPDATE seats SET bank = :bank, runs = :runs WHERE match = :match AND seat = :seat",
        [{**_bank_columns(match, seat), "match": match.id, "seat": seat} for seat in match.banks],
    )


def _retire_orders(store: Store, match: Match, seat: Seat, state: str) -> None:
    store.conn.execute(
        "UPDATE orders SET state = ? WHERE match = ? AND turn = ? AND seat = ? AND state = 'standing'",
        (state, match.id, match.turn, seat),
    )


def _propose(store: Store, effect: effects.Propose, now: datetime) -> None:
    match, seat, letter = effect.match, effect.seat, effect.letter
    store.conn.execute(
        """INSERT INTO orders (match, turn, seat, state, letter, written, canonical)
           VALUES (?, ?, ?, 'proposed', ?, ?, ?)""",
        (match.id, match.turn, seat, letter, effect.written, effect.canonical),
    )
    store.note("proposal", {"turn": match.turn, "seat": seat, "letter": letter}, now, match.id)


def _announce(store: Store, effect: effects.Announce, now: datetime) -> None:
    store.conn.execute(
        "INSERT INTO notices VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        (effect.match.id, effect.seat, effect.match.turn),
    )


def _hold(store: Store, effect: effects.Hold, now: datetime) -> None:
    held = "UPDATE letters SET state = 'held', sender = ? WHERE id = ?"
    store.conn.execute(held, (effect.address, effect.letter))
    store.note("letter held", {"letter": effect.letter}, now)


def _release(store: Store, effect: effects.Release, now: datetime) -> None:
    """Record that a player has confirmed that a held letter is theirs, and queue the letter to be handled again. It is
    handled after all letters that arrived before the confirmation."""
    store.conn.execute("UPDATE letters SET vouched = ? WHERE id = ?", (effect.player.id, effect.letter))
    store.retry(effect.letter)
    store.note("letter vouched", {"player": effect.player.id, "letter": effect.letter}, now)


def _mark_failing(store: Store, effect: effects.MarkFailing, now: datetime) -> None:
    match, seat = effect.match, effect.seat
    if not effect.failing:
        arrives_again(store, match.holders[seat].player.id, now)
        return
    store.conn.execute("UPDATE seats SET failing = ? WHERE match = ? AND seat = ?", (stamp(now), match.id, seat))
    store.note("mail fails", {"seat": seat}, now, match.id)


def _play(store: Store, effect: effects.Play, now: datetime) -> None:
    match, game, after = effect.match, effect.match.game, effect.after
    orders = {
        seat: entry
        and {name: getattr(entry, name) for name in ("written", "canonical", "number", "letter", "nonce")}
        | ({"joined": entry.joined} if entry.joined else {})
        for seat, entry in effect.orders.items()
    }
    turn = {
        "match": match.id,
        "turn": match.turn,
        "before": json.dumps(game.dump(match.state)),
        "orders": json.dumps(orders),
        "after": json.dumps(game.dump(effect.ruling.state)),
        "events": json.dumps(effect.ruling.events),
        "rules": game.rules_version,
        "played": stamp(now),
        "secret": source_of(match),
        "banks": json.dumps({seat: _seconds(bank.left) for seat, bank in match.banks.items()}) if match.banks else "",
    }
    store.insert("turns", **turn)
    _attend(store, match)
    store.conn.execute(
        "UPDATE orders SET state = 'played' WHERE match = ? AND turn = ? AND state = 'standing'",
        (match.id, match.turn),
    )
    questions.drop(store, match.id)
    _save(store, effects.Save(after), now)
    short = {seat: (entry and entry.canonical) or None for seat, entry in effect.orders.items()}
    # The entry contains no text that people wrote, because they may want it deleted; the hash of the row in `turns`
    # covers everything else.
    store.note("turn", {"turn": match.turn, "orders": short}, now, match.id)
    if after.result:
        store.note("end", effects.result_content(after.result), now, match.id)


def _attend(store: Store, match: Match) -> None:
    """Record for each seat of a match whether its orders for the current turn had arrived when the turn was played. A
    sandbox says nothing about how reliable its player is."""
    for seat, wrote in () if match.sandbox else match.attendance().items():
        store.conn.execute(
            """INSERT INTO attendance (match, turn, seat, player, missed) VALUES (?, ?, ?, ?, ?)
               ON CONFLICT DO NOTHING""",
            (match.id, match.turn, seat, match.holders[seat].player.id, not wrote),
        )


def _undo(store: Store, effect: effects.Undo, now: datetime) -> None:
    """Mark all turns from `effect.turn` on, and their orders, as undone. A turn that is still in review is also marked
    as unseen, because only the game master has seen it."""
    match = effect.match
    store.conn.execute(
        """UPDATE turns SET undone = ?, unseen = EXISTS (SELECT 1 FROM matches m WHERE m.id = match
                                                          AND m.phase = 'review' AND m.turn = turns.turn + 1)
           WHERE match = ? AND turn >= ? AND undone IS NULL""",
        (stamp(now), match.id, effect.turn),
    )
    store.conn.execute(
        """UPDATE orders SET state = 'undone'
           WHERE match = ? AND turn >= ? AND state IN ('standing', 'proposed', 'played')""",
        (match.id, effect.turn),
    )
    store.conn.execute("UPDATE seats SET unrated = 0 WHERE match = ? AND unrated >= ?", (match.id, effect.turn))
    questions.drop(store, match.id)
    store.note("undo", {"turn": effect.turn}, now, match.id)


def _seat_holder(store: Store, effect: effects.NewHolder, now: datetime) -> None:
    """Give a seat to another holder. The former holder's tokens become void, and their standing orders, as well as
    their orders and proposals for the current turn, are dropped."""
    match, seat = effect.match, effect.seat
    player = players.add_player(store, effect.player.name, effect.player.address, now)
    store.conn.execute(
        """UPDATE seats SET player = ?1, name = iif(untold = '', ?2, name), untold = iif(untold = '', '', ?2),
                  epoch = epoch + 1, oldest = epoch + 1, failing = NULL, muted = NULL, missed = 0
           WHERE match = ?3 AND seat = ?4""",
        (player.id, effect.player.name or player.name or str(match.game.called[seat]), match.id, seat),
    )
    store.conn.execute(
        """UPDATE orders SET state = 'withdrawn'
           WHERE match = ? AND turn = ? AND seat = ? AND state IN ('standing', 'proposed')""",
        (match.id, match.turn, seat),
    )
    store.conn.execute("DELETE FROM standing_orders WHERE match = ? AND seat = ?", (match.id, seat))
    questions.drop(store, match.id, [seat])
    dropped = "UPDATE letters SET state = 'handled' WHERE match = ? AND seat = ? AND state = 'held'"
    store.conn.execute(dropped, (match.id, seat))
    store.note("holder", {"seat": seat, "player": player.id}, now, match.id)
    store.conn.execute("DELETE FROM observers WHERE match = ? AND player = ?", (match.id, player.id))
    _end_offer(store, effects.EndOffer(match, seat), now)


def _end_offer(store: Store, effect: effects.EndOffer, now: datetime) -> None:
    store.conn.execute("DELETE FROM offers WHERE match = ? AND seat = ?", (effect.match.id, effect.seat))


def _observe(store: Store, effect: effects.Observe, now: datetime) -> None:
    if effect.on:
        store.conn.execute(
            "INSERT INTO observers (match, player) VALUES (?, ?) ON CONFLICT DO UPDATE SET asked = 0",
            (effect.match.id, effect.player.id),
        )
    else:
        store.conn.execute(
            "DELETE FROM observers WHERE match = ? AND ? IN (player, 0)", (effect.match.id, effect.player.id)
        )


HANDLERS: Mapping[type, EffectHandler] = {
    effects.Save: _save,
    effects.Note: _note,
    effects.Play: _play,
    effects.Undo: _undo,
    effects.NewHolder: _seat_holder,
    effects.EndOffer: _end_offer,
    effects.Observe: _observe,
    effects.MarkFailing: _mark_failing,
    effects.SetStanding: _set_standing,
    effects.SetWords: _set_words,
    effects.TakeOrders: _take_orders,
    effects.TakesPart: _take_part,
    effects.WithdrawOrders: _withdraw,
    effects.Propose: _propose,
    effects.Announce: _announce,
    effects.Hold: _hold,
    effects.Release: _release,
    effects.Wait: lambda store, effect, now: waiting.wait(store, effect),
    **players.HANDLERS,
    **questions.HANDLERS,
}
"""The functions that store effects, keyed by the class of the effect."""
