"""How people want to receive their letters: the commands that set it."""

from pbem.match import effects
from pbem.match.effects import Notice
from pbem.match.identity import MailWishes
from pbem.match.reply import Reply
from pbem.times.dates import parse_hour

USUAL_HOUR = "18:00"
"""The default hour for letters that are gathered into one, in the reader's time zone."""


def set_parts(reply: Reply, **wishes: bool) -> None:
    """Change whether the writer gets some kinds of letters, or some parts of letters, as `wishes` says."""
    set_mail(reply, reply.mail._replace(**wishes))  # type: ignore[arg-type]
    _tell_mail(reply, "mail wishes", kind=next(iter(wishes)), on=next(iter(wishes.values())))


def set_number_of_letters(reply: Reply, *, apart: bool) -> None:
    """Send the writer a letter for each thing at once, if `apart` is true, or else as few letters as possible: what
    asks nothing of them is gathered into one letter a day."""
    set_mail(reply, reply.mail._replace(apart=apart, digest="" if apart else reply.mail.digest or USUAL_HOUR))
    _tell_mail(reply, "mail wishes", kind="apart", on=apart, hour=reply.mail.digest)


def set_digest(reply: Reply, argument: str) -> None:
    """Gather all letters that ask nothing of the writer into one letter a day. `argument` contains the hour, in the
    writer's time zone, at which this letter is sent; if `argument` is `off`, go back to sending all letters at once."""
    time_of_day = parse_hour(argument)
    hour = f"{time_of_day:%H:%M}" if time_of_day else USUAL_HOUR
    set_mail(reply, reply.mail._replace(digest="" if argument.casefold() == "off" else hour))
    _tell_mail(reply, "mail digest", hour=reply.mail.digest, zone=reply.person.zone or reply.case.zone)


def set_mail(reply: Reply, wishes: MailWishes) -> None:
    """Store how the writer wants to receive letters."""
    reply.done.append(effects.SetMail(reply.person, wishes))
    reply.mail = wishes


def _tell_mail(reply: Reply, reason: Notice, **values: object) -> None:
    """Report a changed setting, and show all settings once, at the end of the answer."""
    reply.sections = [section for section in reply.sections if section.values.get("reason") != "mail settings"]
    reply.notice(reason, **values)
    reply.notice("mail settings")
