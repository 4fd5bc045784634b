"""What people write who do not know this desk yet: that they would like to play, in words of their own.

The words are data: `[door]` in `locale/<language>/words.toml`. So generous a reading does no harm: whoever is meant is
asked first.
"""

import re

from pbem.i18n import words
from pbem.orders.command import Asking, Words
from pbem.orders.reader import read_words
from pbem.patterns import compiled

_LONGEST = 600  # characters of somebody's own words that are looked at
_WISH = rf"\b{words.pattern('door', 'wish')}"
_PLAY = rf"\b{words.pattern('door', 'play')}"
_WISHES = compiled(rf"(?s){_WISH}.{{0,60}}{_PLAY}|{_PLAY}.{{0,60}}{_WISH}", re.I)
_NOT = compiled(rf"\b{words.pattern('door', 'not')}\b", re.I)
_ALONE = compiled(rf"\W*{words.pattern('door', 'alone')}\W*", re.I)
_REPLY = compiled(r"(?:\s*(?:re|aw|fwd?|wg|ha)\s*:)*\s*", re.I)


def read_knock(found: Words, text: str, subject: str, *, generous: bool) -> Words:
    """What a letter says that is about no game: its commands, or else those of its subject; and, of somebody new, the
    wish to play."""
    subject = subject[match.end() :] if (match := _REPLY.match(subject)) else subject
    if not found.commands and (said := read_words(subject).commands):
        found = found._replace(commands=said)
    if generous and not found.commands and any(map(wants_to_play, (text, subject))):
        found = found._replace(commands=(Asking("join", ""),), rest="")
    return found


def wants_to_play(text: str) -> bool:
    """Whether a text says that its writer would like to play, however it is put."""
    said = " ".join(text[:_LONGEST].split())
    return not _NOT.search(said) and bool(_WISHES.search(said) or _ALONE.fullmatch(said))
