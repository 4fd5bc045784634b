"""The sources of chance in a match: its secrets, the words of its seats, and a round of a public beacon. With a beacon,
orders are closed and the turn waits for its round, as does the set-up of a match once all have accepted. A match that
goes on after its secret was revealed gets a new secret.
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
    """Return the secret for the chance of a turn, in the match's current attempt or a given one; "" for a game without
    chance. The secret is derived from that of the match."""
    if not match.game.chance:
        return ""
    number = attempt_of(match) if attempt is None else attempt
    return str(Source(turn_secret(match.deck, turn, number), attempt=number))


def attempt_of(match: Match) -> int:
    """Return how many times the chance of a match has been drawn again."""
    return read_source(match.secret).attempt if match.secret else 0


def source_of(match: Match) -> str:
    """Return the source of chance for the turn about to be played; a replayed turn keeps its old one."""
    if not match.game.chance:
        return ""
    return str(with_words(match, read_source(match.secret)))


def chance_of(match: Match) -> Chance:
    """Return the chance from which the turn about to be played draws."""
    if not match.game.chance:
        return NO_CHANCE
    return turn_chance(source_of(match), source_behind(match.secret, match.deck, match.turn) or newest(match.deck))


def dealt(match: Match) -> Match:
    """Deal the set-up of a match, with the words that came with its acceptances if its kind of chance uses them."""
    if not match.takes_words:
        return match
    return _set_up(_with_newest(match, with_words(match, read_source(newest(match.deck)))))


def _set_up(match: Match) -> Match:
    """Set up a match from its source of chance."""
    headers = match.game.headers(match.state, match.options)
    return replace(match, state=match.game.from_headers(headers, set_up_chance(match.deck))[0])


def reshuffled(match: Match, turn: Turn, attempt: int) -> Any:
    """Return the state at the beginning of a turn that is taken back. The cards drawn from decks since then are
    shuffled back into the decks."""
    if not match.chance:
        return turn.before
    since = [decks_of(match.game, later.after) for later in match.turns if later.turn >= turn.turn]
    return with_decks_shuffled(
        match.game, turn.before, since, SecretChance(rollback_seed(match.deck, turn.turn, attempt))
    )


# A new secret of a match


def with_new_secret(match: Match, at: datetime | None = None) -> Match:
    """Return a match with a new secret, because the last one was revealed or, when an older database has been restored,
    may have been revealed before `at`. Whatever is still open is drawn from the new one."""
    if not match.game.chance:
        return match
    known = read_source(newest(match.deck))
    number = max(known.attempt + 1, int(at.timestamp()) if at else 0)  # higher than any number used and forgotten
    source = Source(renewed_secret(match.root, number), attempt=number)
    if match.is_set_up:
        return replace(match, deck=f"{match.deck} {source}")
    source = source._replace(kind=match.chance)
    after = _set_up(replace(match, deck=f"{never_dealt(match).deck} {source}"))
    if match.drawing:  # another round will be named, for the words that have come so far
        after = with_chance(after, with_words(match, source)._replace(beacon="0:"))
    return replace(after, secret=new_secret(after, after.turn, attempt_of(after) + 1))


def comes_from_older_secret(match: Match, secret: str, turn: int) -> bool:
    """Return whether a turn's secret derives from a secret of its match other than the newest."""
    return bool(secret) and source_behind(secret, match.deck, turn) not in ("", newest(match.deck))


def dealt_again(match: Match) -> Match:
    """Deal everything hidden in a match again, because people have seen it, and draw the chance of its turn again.
    Orders no longer count if their seat now sees something else."""
    if not (match.game.chance and match.is_set_up):
        return match
    attempt = attempt_of(match) + 1
    state = dealt_anew(match.game, match.state, SecretChance(deal_seed(match.deck, match.turn, attempt)))
    after = replace(match, state=state, secret=new_secret(match, match.turn, attempt))
    for seat in outdated(match, after):
        after = replace(after, standing=without(after.standing, seat), proposals=without(after.proposals, seat))
    return after


def outdated(before: Match, after: Match) -> list[Seat]:
    """Return the seats whose orders for the open turn no longer count after a new deal, because they now see something
    else."""
    view = before.game.view
    return [seat for seat in before.standing if view(before.state, seat) != view(after.state, seat)]


def renewed(before: Match, after: Match) -> dict[str, Any]:
    """Return values for a letter: whether a match has a new secret, whether anything was dealt again, and which seats'
    orders no longer count."""
    is_dealt = after.is_set_up and after.state != before.state
    void = [seat for seat in before.standing if seat not in after.standing]
    return {"renewed": after.deck != before.deck, "dealt": is_dealt, "void": void}


def dealing(before: Match, after: Match) -> list[Effect]:
    """Note for the record what was dealt again in a match, or its new set-up, and withdraw orders that no longer
    count."""
    if not after.game.chance:
        return []
    content: dict[str, Any] = {"turn": after.turn, "state": json.dumps(after.game.dump(after.state))}
    if not after.is_set_up:
        content |= {"opening": opening_of(after.game, after.state, never_dealt(after).deck)}
    withdrawn = [WithdrawOrders(after, seat) for seat in before.standing if seat not in after.standing]
    return [Note("deal again", content, after), *withdrawn]


def with_words(match: Match, source: Source) -> Source:
    """Add what the seats have contributed so far to a source of chance, unless it already has their words."""
    if source.words or not match.takes_words:
        return source
    return source._replace(words=tuple(match.words.get(seat, NO_WORDS) for seat in match.seats))


# A round of a beacon


def must_close(match: Match) -> bool:
    """Return whether a turn must wait for a beacon round before it is played; a replayed turn keeps its old round."""
    return match.chance == "beacon" and not read_source(chance_text(match)).words


def with_round(match: Match) -> tuple[Match, Note]:
    """Return the match after its round has come, with the note for the record."""
    source = match.drawing
    assert source is not None
    note = Note("pulse", {"turn": turn_of_round(match), "round": source.round, "value": match.pulse}, match)
    return with_chance(match, source._replace(beacon=f"{source.round}:{match.pulse}")), note


def without_round(match: Match) -> Match:
    """Return the match with chance that comes from its own secret and the words of its seats alone, as the game master
    decided."""
    assert match.drawing is not None
    return with_chance(match, match.drawing._replace(beacon=""))


def reopened(match: Match) -> Match:
    """Reopen the orders of a match: a round that was named no longer counts, and chance is drawn again."""
    if not (match.drawing and match.is_set_up):
        return match
    return replace(match, secret=new_secret(match, match.turn, attempt_of(match) + 1), cooling=None)


def freed_round(match: Match) -> dict[str, int]:
    """Return values for a letter: the round that was named for a match and no longer counts, if there is one."""
    return {"freed": match.drawing.round} if match.drawing and match.drawing.round else {}


def never_dealt(match: Match) -> Match:
    """Return the match with the source of chance that it had before everybody accepted, if its set-up still waits for a
    round; otherwise return it unchanged."""
    if not match.drawing or match.is_set_up:
        return match
    return with_chance(match, match.drawing._replace(beacon="", words=()))


def turn_of_round(match: Match) -> int:
    """Return the turn that waits for a round; 0 if the set-up is waiting."""
    return match.turn if match.is_set_up else 0


def chance_text(match: Match) -> str:
    """Return the source of chance that may be waiting for a round, as text."""
    return match.secret if match.is_set_up else newest(match.deck)


def with_chance(match: Match, source: Source) -> Match:
    """Return the match with another source of chance: for its turn or, if it has not been dealt yet, for its set-up."""
    if match.is_set_up:
        return replace(match, secret=str(source))
    return _with_newest(match, source)


def _with_newest(match: Match, source: Source) -> Match:
    """Return the match with its newest source of chance replaced by another."""
    return replace(match, deck=f"{match.deck.removesuffix(newest(match.deck))}{source}")
