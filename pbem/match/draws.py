"""A public beacon's part in chance: orders close, a round is named that nobody knows yet, and the turn waits for it.

Values and `now` in, effects out. What is said here of a turn is true of the set-up, too, when all have accepted.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from pbem.games.chance import Source, read_source
from pbem.match import reports
from pbem.match.commitments import attempt_of, new_secret, with_words
from pbem.match.effects import Effect, Note, Save, Send
from pbem.match.model import Match, Section
from pbem.match.notices import Course

_PATIENCE, _AGAIN = timedelta(hours=1), timedelta(days=1)
"""After what time everybody is told that a round does not come, and how often game masters are told again."""


def must_close(match: Match) -> bool:
    """Whether a turn that is to be played has to wait for a round first; one that is played again has its old one."""
    return match.chance == "beacon" and not read_source(_text(match)).words


def close(match: Match, now: datetime) -> list[Effect]:
    """Orders are closed, what seats have brought is settled, and a round is named as soon as that can be."""
    source = with_words(match, read_source(_text(match)))._replace(beacon="0:")
    return name(replace(_with(match, source), deadline=None, due=now + _PATIENCE, cooling=now), now)


def name(match: Match, now: datetime) -> list[Effect]:
    """The round is named, in the record and to everybody; where there is no beacon, the match waits for one."""
    source, beacon = match.drawing, match.beacon
    if source is None or beacon is None:
        return [Save(match)]
    number = beacon.ahead(now)
    after = _with(match, source._replace(beacon=f"{number}:"))
    after = replace(after, began=now, due=now + _PATIENCE, cooling=beacon.moment(number))
    note = Note("beacon", {"turn": _turn(match), "round": number, "of": beacon.name}, match)
    if match.phase == "running":
        return [Save(after), note, *reports.tell(after, "closed", now)]
    letters = reports.tell(after, "accepted", now)
    if match.began:  # it was set up for people who take part, and who have heard nothing of it
        letters = [_inviting(after, one) for one in letters if isinstance(one, Send)]
    return [Save(after), note, *letters]


def _inviting(match: Match, send: Send) -> Send:
    """The letter that names the round is the first one of its game: it says what game that is."""
    if send.holder is None:
        return send
    values = {"match": match, "seat": send.holder.seat, "others": match.others(send.holder.seat)}
    return replace(send, kind="invitation", key="invitation", sections=(Section("invitation", values), *send.sections))


def drawn(match: Match) -> tuple[Match, Note]:
    """The round has come: the match with it, and what the record says."""
    source = match.drawing
    assert source is not None
    note = Note("pulse", {"turn": _turn(match), "round": source.round, "value": match.pulse}, match)
    return _with(match, source._replace(beacon=f"{source.round}:{match.pulse}")), note


def without(match: Match) -> Match:
    """The match with chance from the words of its seats alone, as the game master has decided."""
    assert match.drawing is not None
    return _with(match, match.drawing._replace(beacon=""))


def late(match: Match, now: datetime) -> list[Effect]:
    """The round does not come: everybody is told once, game masters every day."""
    kind: Course = "silent"
    told = reports.tell(match, kind, now) if match.due == (match.began or now) + _PATIENCE else []
    section = Section("course", {"what": kind, "match": match, "seat": None})
    master = reports.to_master(match, f"silent-{match.name}-{now:%Y%m%d%H%M%S}", section)
    return [Save(replace(match, due=now + _AGAIN)), *told, master]


def reopened(match: Match) -> Match:
    """The match with its orders open again: a round that was named counts no longer, and chance is called for anew."""
    if not match.drawing or match.phase != "running":
        return match
    return replace(match, secret=new_secret(match, match.turn, attempt_of(match) + 1), cooling=None)


def freed(match: Match) -> dict[str, int]:
    """For a letter: the round that was named for a match, and counts no longer."""
    return {"freed": match.drawing.round} if match.drawing and match.drawing.round else {}


def never_dealt(match: Match) -> Match:
    """A match that ends before its round has come, as it was before all had accepted."""
    if not match.drawing or match.phase != "offered":
        return match
    return _with(match, match.drawing._replace(beacon="", words=()))


def _turn(match: Match) -> int:
    return 0 if match.phase == "offered" else match.turn


def _text(match: Match) -> str:
    return match.deck if match.phase == "offered" else match.secret


def _with(match: Match, source: Source) -> Match:
    return replace(match, deck=str(source)) if match.phase == "offered" else replace(match, secret=str(source))
