"""Time zones as people write them. Only names of the IANA database come out, never the path of a file."""

import re
from collections.abc import Mapping
from functools import cache

from pbem.games.base import Sentence
from pbem.i18n import words
from pbem.i18n.words import fold
from pbem.times.moments import ZoneError

_NOT_PLACES = frozenset(("Factory", "localtime", "posixrules"))


def parse_zone(text: str) -> str:
    """The IANA name of a time zone: `Europe/Berlin` for `europe/berlin`, `Berlin` or `MEZ`. Raises ZoneError."""
    from zoneinfo import available_timezones

    keys = sorted(available_timezones() - _NOT_PLACES)
    name = fold(text).strip(" .").replace(" ", "_")
    if re.fullmatch(r"(?:utc|gmt)?[+-]\d.*", name):
        raise ZoneError('"{text}" knows no summer time: write a region and a city, such as Europe/Berlin.', text=text)
    found = [key for key, names in _other_names().items() if name in names]
    found = found or [key for key in keys if key.casefold() == name]
    found = found or [key for key in keys if _place(key) == name and not key.startswith("Etc/")]
    if len(found) == 1 and found[0] in keys:
        return found[0]
    if found:
        raise ZoneError('"{text}" could be {zones}: write the one you mean.', text=text, zones=_listed(found))
    near = _near(name, keys)
    if near:
        raise ZoneError('There is no time zone "{text}". Did you mean {zones}?', text=text, zones=_listed(near))
    raise ZoneError(
        'There is no time zone "{text}": write a region and a big city near you, such as Europe/Berlin.', text=text
    )


@cache
def _other_names() -> Mapping[str, frozenset[str]]:
    return {key: frozenset(name.replace(" ", "_") for name in names) for key, names in words.zones().items()}


def _place(key: str) -> str:
    return key.rsplit("/", 1)[-1].casefold()


def _near(name: str, keys: list[str]) -> list[str]:
    from difflib import get_close_matches

    places = {_place(key): key for key in keys if not key.startswith("Etc/")}
    return [places[near] for near in get_close_matches(_place(name)[:40], places, 3, 0.75)]


def _listed(zones: list[str]) -> str:
    *first, last = zones
    return Sentence("{first} or {last}", first=tuple(first), last=last) if first else last
