"""Letters in which people who do not know the desk say that they want to play, or ask what the desk is.

The wordings are data: `[door]` in `locale/<language>/words.toml`. They may match more letters than they should, which
does no harm, because the desk asks the writer before it does anything.
"""

import re

from pbem.games import GAMES
from pbem.i18n import words
from pbem.orders.command import Asking, Help, LetterText
from pbem.orders.reader import REPLY, read_words
from pbem.orders.sentences import plain_words

_LONGEST = 600  # the maximum number of characters of a text that are read
_WISH = rf"\b{words.pattern('door', 'wish')}"
_PLAY = rf"\b{words.pattern('door', 'play')}"
_WISHES = re.compile(rf"(?s){_WISH}.{{0,60}}{_PLAY}|{_PLAY}.{{0,60}}{_WISH}", re.I)
_NOT = re.compile(rf"\b{words.pattern('door', 'not')}\b", re.I)
_ALONE = re.compile(rf"\W*{words.pattern('door', 'alone')}\W*", re.I)
_ASKS = re.compile("|".join(words.words("door", "asks")))
_FEW, _SOME = 10, 30  # the maximum number of words in a sentence that asks what the desk is, and in the whole letter
_ENDS = re.compile(r"[.!?\n]+")  # ends of sentences


def read_newcomer(letter: LetterText, text: str, subject: str, *, generous: bool) -> LetterText:
    """Return `letter`, which is about no match, with the commands that its writer seems to mean.

    They are the commands in the text or, if it has none, those in the subject. A letter without commands means `join`
    if `generous` is true and its writer would like to play, and `help` if it asks what the desk is.
    """
    subject = REPLY.sub("", subject, count=1)
    if not letter.commands and (commands := read_words(subject).commands):
        letter = letter._replace(commands=commands)
    if generous and not letter.commands and any(map(wants_to_play, (text, subject))):
        letter = letter._replace(commands=(Asking("join", _game_in(f"{subject}\n{text}")),), rest="")
    elif not letter.commands and asks_what_this_is(text if text.strip() else subject):
        letter = letter._replace(commands=(Help(),))
    return letter


def _game_in(text: str) -> str:
    """Return the game that `text` names by its title or short name; "" if it names no game or several games."""
    spoken, run_together = text[:_LONGEST].casefold().split(), _letters(text[:_LONGEST])
    named = [
        game.name
        for game in GAMES.values()
        if _letters(game.title) in run_together or game.name in map(_letters, spoken)
    ]
    return named[0] if len(named) == 1 else ""


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def asks_what_this_is(text: str) -> bool:
    """Return whether `text` is short and asks what this desk is. Only its short sentences are considered."""
    words = plain_words(text)
    if len(words) > _SOME or (len(words) > _FEW and _NOT.search(" ".join(words))):
        return False
    parts = map(plain_words, _ENDS.split(text))
    asking = [words] if len(words) <= _FEW else [part for part in parts if len(part) <= _FEW]
    return any(_ASKS.search(" ".join(part)) for part in asking)


def wants_to_play(text: str) -> bool:
    """Return whether `text` says, in one way or another, that its writer would like to play."""
    plain = " ".join(text[:_LONGEST].split())
    return not _NOT.search(plain) and bool(_WISHES.search(plain) or _ALONE.fullmatch(plain))
