"""The sources of a match's chance: its secrets, the words of its seats, and a round of a public beacon. A beacon makes
orders close and a turn, or the set-up of a match that all have accepted, wait.
"""

from dataclasses import replace
from typing import Any

from pbem.games.capabilities import decks_of
from pbem.games.capabilities import reshuffled as dealt_anew
from pbem.games.chance import (
    NO_CHANCE,
    NO_WORDS,
    Chance,
    SecretChance,
    Source,
    read_source,
    rollback_seed,
    set_up_chance,
    turn_chance,
    turn_secret,
)
from pbem.match.effects import Note
from pbem.match.model import Match, Turn


def new_secret(match: Match, turn: int, attempt: int | None = None) -> str:
    """The secret that the chance of a turn comes from, at the attempt that the match is at, or a given one; "" for a
    game without chance. It follows from the secret of the match."""
    if not match.game.chance:
        return ""
    number = attempt_of(match) if attempt is None else attempt
    return str(Source(turn_secret(match.deck, turn, number), attempt=number))


def attempt_of(match: Match) -> int:
    """How often the chance of a match has been drawn anew."""
    return read_source(match.secret).attempt if match.secret else 0


def source_of(match: Match) -> str:
    """The source of chance for the turn about to be played; a replayed turn keeps its old one."""
    if not match.game.chance:
        return ""
    return str(with_words(match, read_source(match.secret)))


def chance_of(match: Match) -> Chance:
    """The chance of the turn about to be played."""
    return turn_chance(source_of(match), match.deck) if match.game.chance else NO_CHANCE


def dealt(match: Match) -> Match:
    """Deal the set-up of a match from the words that came with its acceptances, as its kind of chance requires."""
    deck = str(with_words(match, read_source(match.deck))) if match.takes_words else ""
    if not deck:
        return match
    start, _ = match.game.from_headers(match.game.headers(match.state, match.options), set_up_chance(deck))
    return replace(match, deck=deck, state=start)


def reshuffled(match: Match, turn: Turn, attempt: int) -> Any:
    """The state in which a turn begins that is taken back: what was drawn of decks since is shuffled into them anew."""
    if not match.chance:
        return turn.before
    since = [decks_of(match.game, later.after) for later in match.turns if later.turn >= turn.turn]
    return dealt_anew(match.game, turn.before, since, SecretChance(rollback_seed(match.deck, turn.turn, attempt)))


def with_words(match: Match, source: Source) -> Source:
    """Add what the seats have contributed so far to a source of chance, unless it is settled."""
    if source.words or not match.takes_words:
        return source
    return source._replace(words=tuple(match.words.get(seat, NO_WORDS) for seat in match.seats))


# A round of a beacon


def must_close(match: Match) -> bool:
    """Tell whether a turn must wait for a beacon round before it is played; a replayed turn keeps its old round."""
    return match.chance == "beacon" and not read_source(chance_text(match)).words


def with_round(match: Match) -> tuple[Match, Note]:
    """Return the match with the round that has come, and the note for the record."""
    source = match.drawing
    assert source is not None
    note = Note("pulse", {"turn": turn_of_round(match), "round": source.round, "value": match.pulse}, match)
    return with_chance(match, source._replace(beacon=f"{source.round}:{match.pulse}")), note


def without_round(match: Match) -> Match:
    """Return the match with chance from the words of its seats alone, as the game master has decided."""
    assert match.drawing is not None
    return with_chance(match, match.drawing._replace(beacon=""))


def reopened(match: Match) -> Match:
    """Reopen the orders of a match: a round that was named no longer counts, and chance is drawn anew."""
    if not (match.drawing and match.is_set_up):
        return match
    return replace(match, secret=new_secret(match, match.turn, attempt_of(match) + 1), cooling=None)


def freed_round(match: Match) -> dict[str, int]:
    """For a letter: the round that was named for a match and no longer counts."""
    return {"freed": match.drawing.round} if match.drawing and match.drawing.round else {}


def never_dealt(match: Match) -> Match:
    """Return a match that ends before its round has come to the state before all had accepted."""
    if not match.drawing or match.is_set_up:
        return match
    return with_chance(match, match.drawing._replace(beacon="", words=()))


def turn_of_round(match: Match) -> int:
    """The turn that waits for a round, 0 for the set-up."""
    return match.turn if match.is_set_up else 0


def chance_text(match: Match) -> str:
    """The source of chance that may be waiting for a round, as text."""
    return match.secret if match.is_set_up else match.deck


def with_chance(match: Match, source: Source) -> Match:
    """Return the match with another source of chance, for its turn or, before it is dealt, for its set-up."""
    return replace(match, secret=str(source)) if match.is_set_up else replace(match, deck=str(source))
