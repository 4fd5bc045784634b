"""Values of single keys of a configuration: each function parses the text of one kind of value, and raises
BadValueError if the text cannot be used."""

import re
from collections.abc import Callable
from datetime import timedelta

from pbem import PbemError


class BadValueError(PbemError):
    """Raised when a value cannot be used. The message completes a sentence that begins with the section and the key."""


def number(what: str, least: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not re.fullmatch("[0-9]{1,11}", text) or int(text) < least:
            raise BadValueError(f"must be a number of {what}, {least} or more.")
        return int(text)

    return parse


def time_to_think(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,3})?", text):
        raise BadValueError("must be a number of seconds, such as 5 or 0.2.")
    return float(text)


def time_to_ask(text: str) -> float:
    seconds = time_to_think(text)
    if not seconds:
        raise BadValueError("must be more than 0.")
    return seconds


def title(text: str) -> str:
    if len(text) > 150 or not text.isprintable() or "`" in text:
        raise BadValueError("must be at most 150 characters that can be printed.")
    return text


def folders(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    if not all(name and name.isprintable() for name in names):
        raise BadValueError("must be names of folders with commas between them, such as Junk, Old games.")
    return names


def ping(text: str) -> str:
    return _web_address(text, "https://hc.example.org/ping/...")


def pages(text: str) -> str:
    return _web_address(text, "https://games.example.org").rstrip("/")


def _web_address(text: str, example: str) -> str:
    if not re.fullmatch(r"https?://[^\s/]+(/\S*)?", text):
        raise BadValueError(f"must be an address such as {example}.")
    return text


def host_name(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", text):
        raise BadValueError("must be the name of a mail server, as it stands first in its Authentication-Results.")
    return text.lower()


def language(text: str) -> str:
    if text != "en":
        from pbem.i18n.words import files

        if text not in files():
            raise BadValueError(f"must be one of {', '.join(files())}.")
    return text


def zone(text: str) -> str:
    if text != "UTC":
        from zoneinfo import ZoneInfo

        try:
            ZoneInfo(text)
        except (ValueError, OSError, LookupError):
            raise BadValueError("must be the name of a time zone, such as Europe/Berlin or UTC.") from None
    return text


def every(text: str) -> timedelta:
    from pbem.times.moments import parse_duration

    try:
        return parse_duration(text)
    except PbemError:
        raise BadValueError("must be a length of time such as 5 minutes or 1 hour.") from None


def keeping(text: str) -> timedelta | None:
    from pbem.times.moments import parse_duration

    try:
        return None if text == "for ever" else parse_duration(text)
    except PbemError:
        raise BadValueError("must be a length of time such as 90 days, or for ever.") from None


def cooling(text: str) -> timedelta:
    from pbem.times.moments import parse_pause

    try:
        return parse_pause(text)
    except PbemError:
        raise BadValueError("must be a length of time such as 10 minutes, or 0.") from None


def pace(text: str) -> str:
    if re.fullmatch(r"[1-9]\d{0,2} (day|hour|week)s?", text):  # the usual form must not slow down every run
        return text
    from pbem.times.dates import parse_pace

    try:
        parse_pace(text)
    except PbemError as error:
        raise BadValueError(f"cannot be read. {error}") from None
    return text


def command(text: str) -> str:
    import shlex

    try:
        shlex.split(text)
    except ValueError:
        raise BadValueError("has a quotation mark that is not closed.") from None
    return text
