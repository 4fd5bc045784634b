"""Moving a deadline to a later moment, as people ask for it."""

from datetime import datetime, timedelta

from pbem.match.model import Match
from pbem.match.sections import DecisionError
from pbem.times.dates import parse_when
from pbem.times.deadlines import Deadline

LONGEST = timedelta(days=60)
"""How far into the future a deadline can be moved."""


def later_deadline(match: Match, text: str, now: datetime) -> Deadline:
    """Return the deadline to which `text`, such as `2 days` or `to Sunday 20:00`, moves the deadline of the match.
    Raises DecisionError if the match has no deadline, or if the new one is not later or too far away, and TimeError if
    `text` cannot be read."""
    if match.deadline is None:
        raise DecisionError("{match} has no deadline to move.", match=match.name)
    zone = match.terms.deadline.zone if match.banks else match.deadline.zone  # a bank is empty at a moment of no zone
    deadline = parse_when(text, now, zone, match.deadline)
    if deadline.moment <= match.deadline.moment:
        raise DecisionError(
            "The deadline is already {deadline}, and can only be moved to a later time.", deadline=match.deadline
        )
    if deadline.moment > now + LONGEST:
        values = {"deadline": deadline, "days": LONGEST.days}
        raise DecisionError("{deadline} is more than {days} days from now: pause the game instead.", **values)
    return deadline
