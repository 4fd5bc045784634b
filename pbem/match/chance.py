"""The sources of chance in a match: its secrets, the words that its seats contribute, and rounds of a public beacon. In
a match with a beacon, the orders of each turn are closed before the turn waits for its round; the set-up also waits for
a round, once all players have accepted. A match that goes on after its secret was revealed gets a new secret.
"""

import json
from dataclasses import replace
from datetime import datetime
from typing import Any

from pbem.games.base import Seat
from pbem.games.capabilities import dealt_anew, decks_of, opening_of
from pbem.games.capabilities import reshuffled as with_decks_shuffled
from pbem.games.chance import (
    NO_CHANCE,
    NO_WORDS,
    Chance,
    SecretChance,
    Source,
    deal_seed,
    newest,
    read_source,
    renewed_secret,
    rollback_seed,
    set_up_chance,
    source_behind,
    turn_chance,
    turn_secret,
)
from pbem.match.effects import Effect, Note, WithdrawOrders
from pbem.match.model import Match, Turn, without


def new_secret(match: Match, turn: int, attempt: int | None = None) -> str:
    """Return the source of chance for `turn`, derived from the match's own secret; "" for a game without chance.
    `attempt` says how many times this chance has been drawn again; if None, it has been drawn again as many times as
    the chance of the current turn."""
    if not match.game.chance:
        return ""
    number = attempt_of(match) if attempt is None else attempt
    return str(Source(turn_secret(match.deck, turn, number), attempt=number))


def attempt_of(match: Match) -> int:
    """Return how many times the chance of the current turn has been drawn again."""
    return read_source(match.secret).attempt if match.secret else 0


def source_of(match: Match) -> str:
    """Return the source of chance for the current turn, with the words of the seats, as text; "" for a game without
    chance. A replayed turn keeps its old source."""
    if not match.game.chance:
        return ""
    return str(with_words(match, read_source(match.secret)))


def chance_of(match: Match) -> Chance:
    """Return the `Chance` from which the current turn draws when it is played."""
    if not match.game.chance:
        return NO_CHANCE
    return turn_chance(source_of(match), source_behind(match.secret, match.deck, match.turn) or newest(match.deck))


def dealt(match: Match) -> Match:
    """Return the match with its set-up dealt anew, now that the seats have sent their words with their acceptances. If
    the chance of the match does not use words, return the match unchanged."""
    if not match.takes_words:
        return match
    return _set_up(_with_newest(match, with_words(match, read_source(newest(match.deck)))))


def _set_up(match: Match) -> Match:
    """Return the match with its set-up drawn from its source of chance."""
    headers = match.game.headers(match.state, match.options)
    return replace(match, state=match.game.from_headers(headers, set_up_chance(match.deck))[0])


def reshuffled(match: Match, turn: Turn, attempt: int) -> Any:
    """Return the state at the beginning of `turn`, which is being taken back, with all cards that have been drawn since
    then shuffled back into their decks. `attempt` says how many times the chance of the turn has been drawn again."""
    if not match.chance:
        return turn.before
    since = [decks_of(match.game, later.after) for later in match.turns if later.turn >= turn.turn]
    return with_decks_shuffled(
        match.game, turn.before, since, SecretChance(rollback_seed(match.deck, turn.turn, attempt))
    )


# A new secret of a match


def with_new_secret(match: Match, at: datetime | None = None) -> Match:
    """Return the match with a new secret, from which all further chance is derived. It replaces a secret that was
    revealed or, if an older database has been restored, one that may have been revealed before the moment `at`."""
    if not match.game.chance:
        return match
    known = read_source(newest(match.deck))
    number = max(known.attempt + 1, int(at.timestamp()) if at else 0)  # higher than any that an older database lacks
    source = Source(renewed_secret(match.root, number), attempt=number)
    if match.is_set_up:
        return replace(match, deck=f"{match.deck} {source}")
    source = source._replace(kind=match.chance)
    after = _set_up(replace(match, deck=f"{never_dealt(match).deck} {source}"))
    if match.drawing:  # another round will be named; the words that have come so far are kept
        after = with_chance(after, with_words(match, source)._replace(beacon="0:"))
    return replace(after, secret=new_secret(after, after.turn, attempt_of(after) + 1))


def comes_from_older_secret(match: Match, secret: str, turn: int) -> bool:
    """Return whether `secret`, the secret of `turn`, derives from a secret of the match that is older than its newest
    one."""
    return bool(secret) and source_behind(secret, match.deck, turn) not in ("", newest(match.deck))


def dealt_again(match: Match) -> Match:
    """Return the match with everything hidden dealt again, because people have seen the old deal, and with new chance
    for the current turn. The orders of a seat are dropped if what the seat sees has changed."""
    if not (match.game.chance and match.is_set_up):
        return match
    attempt = attempt_of(match) + 1
    state = dealt_anew(match.game, match.state, SecretChance(deal_seed(match.deck, match.turn, attempt)))
    after = replace(match, state=state, secret=new_secret(match, match.turn, attempt))
    for seat in outdated(match, after):
        after = replace(after, standing=without(after.standing, seat), proposals=without(after.proposals, seat))
    return after


def outdated(before: Match, after: Match) -> list[Seat]:
    """Return the seats whose orders no longer count after a new deal, because what they see in `after` differs from
    what they saw in `before`."""
    view = before.game.view
    return [seat for seat in before.standing if view(before.state, seat) != view(after.state, seat)]


def renewed(before: Match, after: Match) -> dict[str, Any]:
    """Return values for a letter: `renewed`, whether the match has a new secret; `dealt`, whether anything was dealt
    again; and `void`, the seats whose orders no longer count."""
    is_dealt = after.is_set_up and after.state != before.state
    void = [seat for seat in before.standing if seat not in after.standing]
    return {"renewed": after.deck != before.deck, "dealt": is_dealt, "void": void}


def dealing(before: Match, after: Match) -> list[Effect]:
    """Return a note for the record about what was dealt again, or about the new set-up, and effects that withdraw the
    orders that no longer count."""
    if not after.game.chance:
        return []
    content: dict[str, Any] = {"turn": after.turn, "state": json.dumps(after.game.dump(after.state))}
    if not after.is_set_up:
        content |= {"opening": opening_of(after.game, after.state, never_dealt(after).deck)}
    withdrawn = [WithdrawOrders(after, seat) for seat in before.standing if seat not in after.standing]
    return [Note("deal again", content, after), *withdrawn]


def with_words(match: Match, source: Source) -> Source:
    """Return `source` with the words that the seats have contributed so far. If `source` already has words, or if the
    match uses none, return `source` unchanged."""
    if source.words or not match.takes_words:
        return source
    return source._replace(words=tuple(match.words.get(seat, NO_WORDS) for seat in match.seats))


# A round of a beacon


def must_close(match: Match) -> bool:
    """Return whether the match must wait for a round of the beacon before its turn is played or its set-up is dealt. A
    replayed turn keeps its old round."""
    return match.chance == "beacon" and not read_source(chance_text(match)).words


def with_round(match: Match) -> tuple[Match, Note]:
    """Return the match with the beacon round that has come, and the note about this round for the record."""
    source = match.drawing
    assert source is not None
    note = Note("pulse", {"turn": turn_of_round(match), "round": source.round, "value": match.pulse}, match)
    return with_chance(match, source._replace(beacon=f"{source.round}:{match.pulse}")), note


def without_round(match: Match) -> Match:
    """Return the match with chance from its own secret and the words of its seats alone, because a game master has
    decided not to wait for the beacon."""
    assert match.drawing is not None
    return with_chance(match, match.drawing._replace(beacon=""))


def reopened(match: Match) -> Match:
    """Return the match with its orders open again: the beacon round that was named no longer counts, and chance is
    drawn again. If the orders are not closed, return the match unchanged."""
    if not (match.drawing and match.is_set_up):
        return match
    return replace(match, secret=new_secret(match, match.turn, attempt_of(match) + 1), cooling=None)


def freed_round(match: Match) -> dict[str, int]:
    """Return values for a letter: `freed` is the number of the beacon round that was named for the match and no longer
    counts, if there is such a round."""
    return {"freed": match.drawing.round} if match.drawing and match.drawing.round else {}


def never_dealt(match: Match) -> Match:
    """If the set-up of the match is waiting for a beacon round, return the match with the source of chance that it had
    before everybody accepted. Otherwise, return the match unchanged."""
    if not match.drawing or match.is_set_up:
        return match
    return with_chance(match, match.drawing._replace(beacon="", words=()))


def turn_of_round(match: Match) -> int:
    """Return the number of the turn that is waiting for a beacon round, or 0 if the set-up is waiting for it."""
    return match.turn if match.is_set_up else 0


def chance_text(match: Match) -> str:
    """Return, as text, the source of chance of the current turn or, if the match has not been set up yet, of its
    set-up."""
    return match.secret if match.is_set_up else newest(match.deck)


def with_chance(match: Match, source: Source) -> Match:
    """Return the match with `source` as the source of chance of its current turn or, if it has not been set up yet, of
    its set-up."""
    if match.is_set_up:
        return replace(match, secret=str(source))
    return _with_newest(match, source)


def _with_newest(match: Match, source: Source) -> Match:
    """Return the match with the newest of its own sources of chance replaced by `source`."""
    return replace(match, deck=f"{match.deck.removesuffix(newest(match.deck))}{source}")
