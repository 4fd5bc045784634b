"""Time zones as people write them. Only names of the IANA database come out, never the path of a file."""

import re
import unicodedata

from pbem.games.base import Sentence
from pbem.times.moments import ZoneError

# Names that the database lacks, or has for something that hardly anybody means: its EST and MST know no summer time.
_MEANT_BY = {
    "Europe/Berlin": "mez mesz cest germany deutschland cologne frankfurt hamburg koln munchen munich",
    "Europe/Vienna": "austria osterreich wien",
    "Europe/Zurich": "basel bern geneva genf schweiz switzerland",
    "Europe/London": "bst england uk",
    "Europe/Dublin": "ist",
    "America/New_York": "est edt et",
    "America/Chicago": "cst cdt ct",
    "America/Denver": "mst mdt mt",
    "America/Los_Angeles": "pst pdt pt",
    "America/Panama": "est",
    "America/Phoenix": "mst",
    "Asia/Jerusalem": "ist",
    "Asia/Kolkata": "ist",
    "Asia/Shanghai": "cst",
    "Australia/Sydney": "est",
}
_NOT_PLACES = frozenset(("Factory", "localtime", "posixrules"))


def parse_zone(text: str) -> str:
    """The IANA name of a time zone: `Europe/Berlin` for `europe/berlin`, `Berlin` or `MEZ`. Raises ZoneError."""
    from zoneinfo import available_timezones

    keys = sorted(available_timezones() - _NOT_PLACES)
    name = fold(text).strip(" .").replace(" ", "_")
    if re.fullmatch(r"(?:utc|gmt)?[+-]\d.*", name):
        raise ZoneError('"{text}" knows no summer time: write a region and a city, such as Europe/Berlin.', text=text)
    found = [key for key, names in _MEANT_BY.items() if name in names.split()]
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


def fold(text: str) -> str:
    """Small letters without accents, blanks single: words as they are looked up."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(letter for letter in letters if not unicodedata.combining(letter)).split())


def _place(key: str) -> str:
    return key.rsplit("/", 1)[-1].casefold()


def _near(name: str, keys: list[str]) -> list[str]:
    from difflib import get_close_matches

    places = {_place(key): key for key in keys if not key.startswith("Etc/")}
    return [places[near] for near in get_close_matches(_place(name)[:40], places, 3, 0.75)]


def _listed(zones: list[str]) -> str:
    *first, last = zones
    return Sentence("{first} or {last}", first=tuple(first), last=last) if first else last
