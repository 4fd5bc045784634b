"""The terms of a league or a single game, such as how long turns take, what happens after a missed turn, and who is
told what.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from pbem import PbemError
from pbem.times.deadlines import Deadline, Milestones, Pace, milestones
from pbem.times.moments import DurationError, ZoneError, format_duration, load_zone, parse_duration, parse_pause


class TermsError(PbemError):
    """Raised for invalid terms; `problems` contains a sentence for each mistake."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__(" ".join(problems))
        self.problems = problems


_FOR_EVER = Pace()
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a game.

    When a deadline passes, the turn is extended by `extension` up to `extensions` times and then played without the
    missing orders. A seat that misses `forfeit` turns in a row loses the game, or the computer plays it from then on; 0
    means that this never happens.
    """

    deadline: Pace = _FOR_EVER
    round_deadline: Pace | None = None  # the pace of rounds within a turn of the game, if these have less time
    remind: tuple[timedelta, ...] = (timedelta(days=1),)  # how long before the deadline
    grace: timedelta = timedelta()  # how long after the deadline late letters still count
    bank: timedelta = timedelta()  # how long each person may let the others wait in all; 0: there are no banks
    increment: timedelta = timedelta()  # what each turn that waits for a person adds to their bank
    extensions: int = 0
    extension: timedelta = timedelta(days=1)
    forfeit: int = 0
    computer: int = 0  # the level of the computer that takes over a seat instead of a forfeit; 0: it forfeits
    come_back: bool = True  # somebody for whom the computer plays may take the seat back
    no_show: str = "play"  # what happens if a seat gives no orders in the first turn: "play" on, or "forfeit"
    accept: timedelta = timedelta(days=14)  # how long an invitation can be accepted
    vacation: int = 30  # days per calendar year that a player may be away
    early: bool = True  # play a turn once all orders are in and `cooling_off` has passed
    cooling_off: timedelta = timedelta()  # the time for second thoughts after the last orders
    press: bool = True
    review: timedelta | None = None  # how long a report waits for the game master; None if it does not wait
    unreviewed: str = "send"  # if every game master plays: "send" the report, or ask the "operator"
    open_orders: bool = False  # the game master sees orders before the turn is played
    sealed: bool = True  # tell the others the seal of orders as soon as they are in
    chance: str = "words"  # the source of dice and cards
    what_if: bool = True  # players may ask for forecasts
    failing: bool = False  # tell the others when letters to a seat bounce
    take_back: bool | None = None  # players may take back a turn together; None: only in a game outside leagues
    votes: str = "all"  # how many must agree to what players vote on: "all" or the "majority"
    vote_time: timedelta = timedelta()  # how long a vote is open; 0: until the deadline
    appeal_time: timedelta = timedelta(days=14)  # how long a player can appeal against a decision
    anonymous: str = "no"  # nobody is told who plays, until the end of the "game" or of its league's "season"
    anonymous_to_masters: bool = False  # nor are the game masters


USUAL = Terms()

CLAIM = timedelta(days=7)
"""The time within which a claim should be decided."""


def read_terms(table: Mapping[str, Any]) -> Terms:
    """Read terms from the table "terms" of a league file or from the output of `dump_terms`. Raises TermsError, with a
    sentence for every problem."""
    problems: list[str] = []
    values: dict[str, Any] = {}
    for key, value in {"zone": "UTC", **table}.items():
        if key not in _READ:
            problems.append(f'"{key}" is no term; there are {", ".join(_READ)}.')
            continue
        try:
            values[key] = _READ[key](value)
        except (PbemError, ValueError) as error:
            problems.append(f'"{key}": {error}')
    if values.get("extensions") and values.get("extension") == timedelta():
        problems.append('"extension": a turn that is extended needs a length of time, for example "1 day".')
    if values.get("early") is False and values.get("deadline", _FOR_EVER) == _FOR_EVER:
        problems.append('"early": turns without a deadline are played as soon as all orders are in.')
    problems += _problems_of_banks(values)
    if values.get("computer") and not values.get("forfeit"):
        problems.append('"computer": say with "forfeit" after how many missed turns it takes over.')
    if problems:
        raise TermsError(problems)
    zone = values.pop("zone")
    pace = replace(values.pop("deadline", _FOR_EVER), zone=zone)
    if values.get("round_deadline"):
        values["round_deadline"] = replace(values["round_deadline"], zone=zone)
    return Terms(pace, **values)


def _problems_of_banks(values: Mapping[str, Any]) -> list[str]:
    """Return a sentence if the terms about banks of time do not fit together. Without an increment, anyone whose bank
    is empty would miss all later turns at once."""
    if values.get("increment") and not values.get("bank"):
        return ['"increment": say with "bank" how much time everybody begins with.']
    ends = values.get("forfeit") == 1 and not values.get("computer")
    if values.get("bank") and not (values.get("increment") or ends):
        return ['"bank": say with "increment" how much each turn adds to it, or let one missed turn lose the game.']
    return []


def milestones_of(deadline: Deadline, terms: Terms, began: datetime | None) -> Milestones:
    """Return the milestones of a deadline that was set at `began`."""
    return milestones(began or datetime.min.replace(tzinfo=UTC), deadline.moment, terms.remind, terms.grace)


def offer_due(terms: Terms, since: datetime, now: datetime) -> datetime:
    """Return the next moment after `now` at which an invitation to a league game, made at `since`, needs attention.
    There is a reminder halfway to its end and another a day before its end, or only the first if the two are less than
    a day apart. The last such moment is the end itself."""
    half = terms.accept / 2
    remind = (half, _DAY) if half >= 2 * _DAY else (half,)
    marks = milestones(since, since + terms.accept, remind, timedelta())
    return min((moment for moment in (*marks.reminders, marks.closes) if moment > now), default=marks.closes)


def next_due(deadline: Deadline, terms: Terms, began: datetime | None, now: datetime) -> datetime:
    """Return the next moment after `now` at which a deadline set at `began` needs attention."""
    marks = milestones_of(deadline, terms, began)
    moments = (*marks.reminders, deadline.moment, marks.closes)
    return min((moment for moment in moments if moment > now), default=marks.closes)


def dump_terms(terms: Terms) -> dict[str, Any]:
    """Return terms as plain data that `read_terms` can read. Terms with their default values are left out."""
    table: dict[str, Any] = {"zone": terms.deadline.zone}
    for field in fields(Terms):
        value = getattr(terms, field.name)
        if value != getattr(USUAL, field.name):
            table[field.name] = _as_written(value)
    return table


def _as_written(value: Any) -> Any:
    match value:
        case Pace():
            return str(value)
        case timedelta():
            return format_duration(value, units=3) if value else "none"
        case tuple():
            return [_as_written(item) for item in value]
        case None:
            return "none"
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f'write a text, for example "3 days", not {value!r}.')
    return value


def _span(value: Any) -> timedelta:
    return timedelta() if _text(value) == "none" else parse_duration(value)


def _spans(value: Any) -> tuple[timedelta, ...]:
    if not isinstance(value, list):
        raise DurationError('write a list of durations, for example ["1 day", "2 hours"].')
    return tuple(sorted(map(_span, value), reverse=True))


def whole_number(least: int, most: int) -> Callable[[Any], int]:
    """Return a function that reads a whole number between `least` and `most`, both included, from a file. The function
    raises ValueError for anything else."""

    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise ValueError(f"write a number from {least} to {most}, not {value!r}.")
        return value

    return read


def switch(value: Any) -> bool:
    """Read a yes-or-no value from a file. Raises ValueError if it is anything else."""
    if not isinstance(value, bool):
        raise ValueError(f"write true or false, not {value!r}.")
    return value


def one_of(*words: str) -> Callable[[Any], str]:
    """Return a function that reads one of `words` from a file. The function raises ValueError for anything else."""

    def read(value: Any) -> str:
        if value not in words:
            raise ValueError(f"write one of {', '.join(words)}, not {value!r}.")
        return str(value)

    return read


def parse_kind(value: Any) -> str:
    """Read the kind of chance that a game uses. Raises TermsError if there is no such kind."""
    from pbem.games.chance import KINDS

    if value not in KINDS:
        raise TermsError([f"write {' or '.join(KINDS)}, not {value!r}."])
    return str(value)


def _zone(value: Any) -> str:
    """Return the official name of a time zone. Everyday names are looked up only if `value` is not an official name."""
    try:
        return load_zone(_text(value)).key
    except ZoneError:
        from pbem.times.dates import parse_zone

        return parse_zone(value)


def read_pace(text: str, zone: str = "UTC") -> Pace:
    """Parse a pace that a person has written. Most paces are plain durations, which are parsed without loading the
    words for other forms. Raises TimeError if `text` is not a pace."""
    if re.fullmatch(r"[1-9]\d? (day|hour|minute)s?|[1-9] weeks?", text):
        return Pace(every=parse_duration(text), zone=zone)
    from pbem.times.dates import parse_pace

    return parse_pace(text, zone)


_count = whole_number(0, 999)

_READ: Mapping[str, Callable[[Any], Any]] = {
    "zone": _zone,
    "deadline": lambda value: read_pace(_text(value)),
    "round_deadline": lambda value: None if _text(value) == "same" else read_pace(value),
    "remind": _spans,
    "grace": _span,
    "bank": _span,
    "increment": _span,
    "extensions": _count,
    "extension": _span,
    "forfeit": _count,
    "computer": whole_number(0, 5),
    "come_back": switch,
    "no_show": one_of("play", "forfeit"),
    "accept": lambda value: parse_duration(_text(value)),
    "vacation": _count,
    "early": switch,
    "cooling_off": lambda value: parse_pause("0" if value == 0 else _text(value)),
    "press": switch,
    "review": lambda value: _span(value) or None,
    "unreviewed": one_of("send", "operator"),
    "open_orders": switch,
    "sealed": switch,
    "chance": parse_kind,
    "what_if": switch,
    "failing": switch,
    "take_back": lambda value: None if value == "friendly" else switch(value),
    "votes": one_of("all", "majority"),
    "vote_time": _span,
    "appeal_time": lambda value: parse_duration(_text(value)),
    "anonymous": one_of("no", "game", "season"),
    "anonymous_to_masters": switch,
}
