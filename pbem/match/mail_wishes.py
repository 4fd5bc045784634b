"""How somebody likes their letters: how many, how soon, and with which parts. Values only."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from pbem.match.effects import Send, SetMail
from pbem.match.identity import GAME_MASTER, MailWishes
from pbem.match.model import Section
from pbem.match.notices import Notice
from pbem.match.reply import Reply
from pbem.times.vacations import Absence

USUAL_HOUR = "18:00"
"""When what is gathered goes, in its reader's zone."""

_GATHERED = frozenset(("sealed", "press", "away", "standings"))
_NEWS = frozenset(("no wish", "wish declined", "offer declined", "resigned", "replace"))
"""What of a game's course asks nothing of a seat, and moves no deadline to an earlier hour."""


def set_parts(reply: Reply, **wishes: bool) -> None:
    """Which letters they get, or what stands in them."""
    _set(reply, reply.case.mail._replace(**wishes))  # type: ignore[arg-type]
    _tell(reply, "mail wishes", kind=next(iter(wishes)), on=next(iter(wishes.values())))


def set_digest(reply: Reply, argument: str) -> None:
    """All that asks nothing of them comes in one letter a day, at an hour of their zone; or at once again."""
    from pbem.times.dates import parse_hour

    said = parse_hour(argument)
    hour = f"{said:%H:%M}" if said else USUAL_HOUR
    _set(reply, reply.case.mail._replace(digest="" if argument.casefold() == "off" else hour))
    _tell(reply, "mail digest", hour=reply.case.mail.digest, zone=reply.person.zone or reply.case.zone)


def _set(reply: Reply, wishes: MailWishes) -> None:
    reply.done.append(SetMail(reply.person, wishes))
    reply.case = replace(reply.case, mail=wishes)


def _tell(reply: Reply, reason: Notice, **values: object) -> None:
    """What is set now, and once below all of it where that is shown."""
    reply.sections = [one for one in reply.sections if one.values.get("reason") != "mail settings"]
    reply.notice(reason, **values)
    reply.notice("mail settings")


def settings(reply: Reply, *, alone: bool = True) -> None:
    """All that they have set, and how each is changed."""
    person, case = reply.person, reply.case
    told = {"person": person, "mail": case.mail, "away": away(reply), "alone": alone}
    reply.tell("settings", **told, zone=person.zone or case.zone, usual=not person.zone)


def away(reply: Reply) -> list[Absence]:
    """Their vacations that are not over, each once."""
    person = reply.person
    return sorted({one for one in person.absences if one.ends > reply.now}, key=lambda one: one.first)


def next_digest(wishes: MailWishes, now: datetime, zone: str) -> datetime:
    """When the next letter goes that gathers what there was."""
    hour, minute = map(int, wishes.digest.split(":"))
    here = now.astimezone(ZoneInfo(zone))
    at = here.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return (at if at > here else at + timedelta(days=1)).astimezone(UTC)


def can_wait(send: Send) -> bool:
    """Whether a letter asks nothing of its reader, so that it may be gathered with others of the day."""
    match, holder = send.match, send.holder
    with_files = any(one.template in ("record", "letters") for one in send.sections)
    if send.answers or send.player == GAME_MASTER or with_files:
        return False
    if send.kind in _GATHERED:
        return True
    if match is None or holder is None:
        return match is not None and send.kind in ("report", "course")  # of whoever watches
    if send.kind == "report":
        return not (match.over or holder.seat in match.missing())
    told = send.sections[0].values
    return send.kind == "course" and told["what"] in _NEWS and told.get("by") != holder


def is_report_of(receipt: Send, send: Send) -> bool:
    """Whether a letter is the report of the turn that a receipt is of, and no older one that is sent again."""
    return send.kind == "report" and send.turn > receipt.turn


def with_receipt(receipt: Send, report: Send) -> Send:
    """The report of a turn that was played at once, with what there was to say of the orders that it waited for."""
    told = tuple(
        Section("taken", one.values) if one.template == "receipt" else one
        for one in receipt.sections
        if one.template not in ("seals", "position")
    )
    return replace(report, sections=(*told, *report.sections), answers=receipt.answers)
