"""The names of all that a letter can tell in a sentence or two; the sentences stand in `templates/notices`,
a block for each name."""

from collections.abc import Mapping
from typing import Any, Literal, get_args

Notice = Literal[
    "accepted", "address agreed", "address answered", "address asked",
    "address dropped", "address known", "address yours", "agreed", "another address",
    "another game", "another turn", "asked already", "away", "back", "begun", "beside yes", "bye", "challenged",
    "closed", "computer begins", "computer draw", "confirm",
    "confirm first", "confirmed", "decided", "decided by another", "declined", "digest", "dropped", "empty press",
    "enough commands", "enough computer", "enough records",
    "enough resent", "enough unanswered", "forget later", "forgotten", "going", "gm empty", "gm sent", "gm too often",
    "handed over", "held",
    "incomplete", "invited", "joined", "joined already", "language", "last answer", "last question", "league decides",
    "later", "later checked", "later withdrawn", "left", "letters come here",
    "mail digest", "mail fails", "mail settings", "mail wishes",
    "master says", "muted", "no longer observing", "no press", "no record", "no rematch", "no seat",
    "no such game", "no words wanted",
    "no such league", "no such rival", "no such turn", "no such wish", "no token", "not awaited", "not decided",
    "not joined", "not now", "not observing", "not paused", "not understood", "not yours", "nearly", "nothing asked",
    "no advice", "not mine", "press offered", "reminders", "same impossible", "same stands", "stopping", "usage",
    "nothing found", "nothing later", "nothing open", "nothing readable", "nothing to check", "nothing to do",
    "nothing to undo", "nothing to withdraw", "not so called", "observing", "our own",
    "offered", "only game", "over", "own game",
    "paused already", "press asked", "press muted", "press of ours", "press sent",
    "press to whom",
    "press with orders", "put back", "put back for master",
    "really forget", "really hand over", "really leave", "really resign", "refused", "rekey", "released", "resigned",
    "review", "seat declined", "seat gone", "seat set aside",
    "sent before", "standing", "standing checked",
    "set aside", "still playing", "stranger", "taken over", "too long away", "too many invitations", "too many words",
    "two seats", "undo orders", "undo there", "undo turn", "undone", "undone for master",
    "unmuted", "unsigned", "waiting", "who are you", "wish taken back", "wished", "withdrawn",
    "withdrawn before", "words brought",
    "wrong token", "yes and orders", "your new address", "yourself", "zone",
]  # fmt: skip
"""What became of a letter or of a command: `reason` in the section `notice`, a block in `notice.j2`."""

Course = Literal[
    "accepted", "annul", "away", "banned", "begin", "closed", "decided", "declined", "end", "extended", "late",
    "missing", "no wish", "offer", "offer declined", "orders", "outage", "pause", "position", "process",
    "readjudicate", "reminder", "replace", "replaced", "resigned", "resume", "review", "rollback", "say", "silent",
    "stuck", "tell", "wish", "wish declined", "words",
]  # fmt: skip
"""What has changed the course of a match: `what` in the section `course`, a block in `course.j2`."""

_NAMES: Mapping[str, tuple[str, frozenset[str]]] = {
    "notice": ("reason", frozenset(get_args(Notice))),
    "course": ("what", frozenset(get_args(Course))),
}


def check(template: str, values: Mapping[str, Any]) -> None:
    """Raises ValueError if a section would say nothing, since it names what has no sentence."""
    if template in _NAMES:
        key, known = _NAMES[template]
        if values.get(key) not in known:
            raise ValueError(f"there is no {template} named {values.get(key)!r}")
