"""Which letter of ours a letter answers, as far as the references in its head prove it."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pbem.match.identity import find_tokens, hidden_number, is_ours
from pbem.store import outbox
from pbem.store.database import Store

_ANSWER_ID = re.compile(r"\.(?:answer|warning|offer)-(\d[a-z2-7]*)\.")
_WISH_ID = re.compile(r"\.wish-([a-z]+)-\d")
_PRESS_ID = re.compile(r"\.press-(?:([a-z][a-z0-9]*)-)?\d")
_LEAGUE_ID = re.compile(r"\.(?:standings|bye)-(\d+)-")
_COMMITMENT_ID = re.compile(r"\.(?:un)?sealed-\d")  # comes between a question of ours and its answer


class Answered(NamedTuple):
    """The Message-ID of ours that a letter replies to, "" if that cannot be seen; the number of the letter whose answer
    that was, 0 if it was none and None if it cannot be seen; and the wish of other seats that it told, if any."""

    message_id: str = ""
    letter: int | None = None
    asks: str = ""


def press_by(references: Sequence[str]) -> str | None:
    """The seat whose press a letter answers, by the first of its `references`; "" if that does not say whose, and None
    if it answers no press."""
    found = _PRESS_ID.search(next(iter(references), "").lower())
    return (found[1] or "") if found else None


def league_of(references: Iterable[str]) -> int | None:
    """The number of the league whose letter another answers, by the first of its `references`; None if it is of no
    league."""
    found = _LEAGUE_ID.search(next(iter(references), "").lower())
    return int(found[1]) if found else None


def find_answered(store: Store, key: bytes, references: Iterable[str], *, rereads: bool) -> Answered:
    """The letter of ours that the `references` of a letter name.

    Of answers that the database has forgotten the numbers mean something else by now, unless it `rereads` letters.
    """
    ours = next((text for text in references if find_tokens([text])), None)
    if ours is None or _COMMITMENT_ID.search(ours.lower()) or not is_ours(key, ours):
        return Answered()
    found, wish = _ANSWER_ID.search(ours.lower()), _WISH_ID.search(ours.lower())
    known = found and (rereads or outbox.sent_letter(store, [ours]) is not None)
    return Answered(ours, hidden_number(key, found[1]) if found and known else 0, wish[1] if wish else "")
