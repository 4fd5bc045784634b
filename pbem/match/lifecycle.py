"""The life of a match as a table of the events that are possible at each stage. The code consults the table; the manual
shows it as a diagram.
"""

from collections.abc import Mapping
from typing import Literal

from pbem import Sentence
from pbem.match.model import Match, Phase

Stage = Phase | Literal["accepted", "closed"]
"""A phase, or a part of a phase in which a match is waiting for a round of a public beacon: "accepted" is the part of
"offered" after all players have accepted, and "closed" the part of "running" after the orders have been closed."""

_NEXT: tuple[Phase, ...] = ("running", "review", "finished")
"""The phases that can follow a turn: the next turn, the game master's review of the report, or the end."""

_LIFE: Mapping[Stage, Mapping[str, tuple[Stage, ...]]] = {
    "offered": {
        "all accept": ("running", "accepted"),
        "somebody declines, nobody answers, annul": ("annulled",),
        "award": ("finished",),
    },
    "accepted": {
        "the round comes, words": ("running",),
        "somebody declines, annul": ("annulled",),
    },
    "running": {
        "orders close": ("closed",),
        "a turn is played, process, readjudicate": _NEXT,
        "extend, rollback, position, orders, replace, say, tell, decide, uphold, overturn, orders come, somebody "
        "waits, somebody hands over, somebody watches, somebody writes press": ("running",),
        "both pause, pause": ("paused",),
        "both extend, both take back, both replace": ("running",),
        "both draw, somebody resigns, somebody leaves the league, award": ("finished",),
        "both annul, annul": ("annulled",),
    },
    "closed": {
        "the round comes, words, readjudicate": _NEXT,
        "rollback, position, replace, somebody hands over, both take back": ("running",),
        "say, tell, decide, uphold, overturn, somebody watches, somebody writes press": ("closed",),
        "both pause, pause": ("paused",),
        "both draw, somebody leaves the league, award": ("finished",),
        "somebody resigns": ("finished", "running"),
        "both annul, annul": ("annulled",),
    },
    "paused": {
        "both resume, resume": ("running",),
        "rollback, position, orders, replace, say, tell, decide, uphold, overturn, orders come, somebody waits, "
        "somebody hands over, somebody watches, somebody writes press, both take back": ("paused",),
        "both draw, somebody resigns, somebody leaves the league, award": ("finished",),
        "both annul, annul": ("annulled",),
    },
    "review": {
        "its time is over, release": ("running", "finished"),
        "somebody leaves the league": ("finished",),
        "rollback": ("running",),
        "readjudicate, replace, say, tell, decide, uphold, overturn, somebody watches, somebody writes press": (
            "review",
        ),
        "annul": ("annulled",),
    },
    "finished": {
        "rollback": ("running",),
        "reopen": ("running", "offered"),
        "readjudicate": _NEXT,
        "say, tell, decide, uphold, overturn, somebody writes press, both rematch": ("finished",),
        "annul": ("annulled",),
    },
    "annulled": {
        "reopen": ("running", "offered", "review", "finished"),
        "replay, uphold, overturn": ("annulled",),
    },
}
"""The events that are possible for a match at each stage, and the stages to which each event can lead."""

TRANSITIONS: Mapping[tuple[Stage, str], tuple[Stage, ...]] = {
    (before, word): after
    for before, rows in _LIFE.items()
    for words, after in rows.items()
    for word in words.split(", ")
}
"""The stages to which an event can lead, keyed by the present stage and the word for the event. The words for decisions
of game masters are those of `commands.DECISIONS`; all others are for events that players or the clock cause."""

PLAYED = ("a turn is played", "process")
"""The events by which a turn is played."""

_STAGES: Mapping[str, frozenset[Stage]] = {
    word: frozenset(stage for stage, allowed in TRANSITIONS if allowed == word) for _, word in TRANSITIONS
}

_REFUSALS: Mapping[Stage, Sentence] = {
    "offered": Sentence("has not begun, because not everyone has accepted"),
    "accepted": Sentence("has not begun, because it is waiting for a round of the public beacon"),
    "running": Sentence("is running"),
    "closed": Sentence("is waiting for a round of the public beacon, and its orders are closed"),
    "paused": Sentence("is paused: resume it first"),
    "review": Sentence("has a report waiting for you: release it, or roll it back"),
    "finished": Sentence("is over"),
    "annulled": Sentence("is annulled"),
}


def stage(match: Match) -> Stage:
    """Return the stage that the match has reached."""
    if match.drawing:
        return "accepted" if match.phase == "offered" else "closed"
    return match.phase


def may(match: Match, *words: str) -> bool:
    """Return whether any of the events that `words` name can happen to the match now. Raises KeyError if a word is not
    in the table."""
    stages = [_STAGES[word] for word in words]
    return any(stage(match) in allowed for allowed in stages)


def becomes(match: Match, phase: Phase, *words: str) -> Phase:
    """Return `phase` if any of the events that `words` name can bring the match to this phase now. Raises ValueError if
    not; callers must ask `may` first."""
    if any(phase in TRANSITIONS.get((stage(match), word), ()) for word in words):
        return phase
    raise ValueError(f"{match.name} is {stage(match)}: nothing of {', '.join(words)} makes it {phase}")


def refusal(match: Match, word: str) -> str:
    """Return a sentence that explains why the decision `word` cannot be carried out now, or "" if it can. The decision
    `letters` is always possible, because it changes nothing."""
    if word == "letters" or may(match, word):
        return ""
    if word == "release":
        return Sentence("{match} has no report waiting for your release.", match=match.name)
    if word == "words":
        return Sentence("{match} is not waiting for a round of the public beacon.", match=match.name)
    why = _REFUSALS[stage(match)]
    if word == "pause" and match.phase == "paused":
        return Sentence("{match} is already paused.", match=match.name)
    if word == "resume":
        return Sentence("{match} {why}; you can only resume a paused game.", match=match.name, why=why)
    if word == "replay":
        return Sentence("{match} {why}: `annul` it first, then you can replay it.", match=match.name, why=why)
    if word == "reopen":
        return Sentence("{match} {why}; you can only reopen a game that is over.", match=match.name, why=why)
    return Sentence("{match} {why}.", match=match.name, why=why)
