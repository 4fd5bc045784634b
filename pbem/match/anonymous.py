"""Anonymous games: who is told the names of the players, and when.

While the names are untold, the `name` of every holder is that of their side, in the store as well, so that whatever
shows a name shows this one. Only `own_name` is the name of the person.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pbem import Say, Sentence
from pbem.games.base import Seat
from pbem.match.identity import Holder
from pbem.match.model import Match


def names_are_told(match: Match) -> bool:
    """Return whether the end of a match tells the names of its players. In a league they may only be told at the end of
    the season. An annulled match tells no names, because the same people may play it again."""
    at_end = match.terms.anonymous == "game" or not match.league
    return at_end and match.phase == "finished"


def told(match: Match) -> Match:
    """Return the match with the names of its players, if its end tells them."""
    return with_names(match) if names_are_told(match) else match


def with_names(match: Match) -> Match:
    """Return the match with the names of its players, for somebody who may be told them."""
    holders = {seat: replace(holder, name=holder.own_name, untold="") for seat, holder in match.holders.items()}
    return replace(match, holders=holders)


def renamed(holder: Holder, name: str) -> Holder:
    """Return a holder with another name, which is not shown while it is untold."""
    return replace(holder, untold=name) if holder.untold else replace(holder, name=name)


def with_side(match: Match, seat: Seat) -> str:
    """Return the name of the holder of `seat` and that of the seat, or only the latter if the former is untold."""
    side, holder = match.game.called[seat], match.holders[seat]
    return Sentence(side) if holder.untold else Sentence("{name} ({side})", name=holder.name, side=side)


def sees_names(match: Match, address: str) -> bool:
    """Return whether the person with this address is told the names of an anonymous match before its end, as a game
    master who may decide on it."""
    masters = () if match.terms.anonymous_to_masters else match.judges
    return any(master.address.lower() == address.lower() for master in masters)


def hides_from_masters(match: Match) -> bool:
    """Return whether the names of the players of a match are hidden from its game masters, too."""
    return match.terms.anonymous_to_masters and _is_untold(match)


Sees = Callable[[Match], bool]
"""Says whether the reader of a letter is told the names of an anonymous match."""


def for_reader(values: Mapping[str, Any], sees: Sees, say: Say) -> dict[str, Any]:
    """Return the values of a section of a letter with the names that its reader may be told. Names of sides are in the
    reader's language."""
    match = values.get("match")
    is_told = isinstance(match, Match) and _is_untold(match) and sees(match)
    return {key: _shown(value, sees, say, is_told=is_told) for key, value in values.items()}


def _is_untold(match: Match) -> bool:
    return any(holder.untold for holder in match.holders.values())


def _shown(value: Any, sees: Sees, say: Say, *, is_told: bool) -> Any:
    match value:
        case Holder(untold=name) if name:
            return replace(value, name=name, untold="") if is_told else replace(value, name=say(value.name))
        case Match() if _is_untold(value):
            is_told = sees(value)
            holders = {seat: _shown(holder, sees, say, is_told=is_told) for seat, holder in value.holders.items()}
            return replace(value, holders=holders)
        case list() | tuple() if type(value) in (list, tuple):
            return type(value)(_shown(item, sees, say, is_told=is_told) for item in value)
    return value


def names_in(match: Match, seat: Seat, text: str) -> list[str]:
    """Return the names and addresses of the holder of `seat` that `text` contains, while they are untold."""
    holder = match.holders[seat]
    if not holder.untold:
        return []
    first, *_ = holder.untold.split()
    sought = dict.fromkeys((holder.untold, first, *sorted(holder.addresses)))
    return [name for name in sought if is_named(name, text)]


def is_named(name: str, text: str) -> bool:
    """Return whether `text` contains `name` as a word of its own."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.I) is not None


def once(text: str) -> str:
    """Return `text` without the names of sides in brackets that follow the same names: they stand where the names of
    players would."""
    at = text.find(" (")
    while at >= 0:
        end = text.find(")", at)
        inside = text[at + 2 : end]
        if inside and text[:at].endswith(inside):
            text = text[:at] + text[end + 1 :]
        else:
            at += 2
        at = text.find(" (", at)
    return text
