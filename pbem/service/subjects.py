"""The subjects of letters: the title of the game, which is the same in all of its letters, and what the letter is
about."""

import re
from collections.abc import Mapping
from functools import cache

from pbem import Say, Sentence
from pbem.i18n import words
from pbem.i18n.languages import say_in
from pbem.match.effects import Send
from pbem.match.identity import GAME_MASTER, MASTER
from pbem.match.reports import may_write_into

MATTERS: Mapping[str, Sentence] = {
    "invitation": Sentence("an invitation"),
    "begin": Sentence("the game begins"),
    "receipt": Sentence("your orders"),
    "refusal": Sentence("orders not accepted"),
    "doubt": Sentence("a question about your orders"),
    "open": Sentence("a question"),
    "reminder": Sentence("a reminder"),
    "report": Sentence("the report"),
    "end": Sentence("the last report"),
    "press": Sentence("a letter"),
}
"""What letters about a match are about. None of these may be a command in any language, because the subjects of answers
are read."""

_OF_THIS_TURN = ("receipt", "refusal", "doubt", "reminder")


def subject_of(send: Send, title: str, say: Say) -> str:
    """Return the subject of a letter with this `title`: to a seat or an observer, it also says what the letter is
    about. Threads do not depend on it, because they are kept by References."""
    match = send.match
    matter = _matter(send) if match and not is_for_masters(send) else ""
    if not match or not matter:
        return title
    played = next((section.values["played"] for section in send.sections if section.template == "report"), "")
    turn = match.round if matter in _OF_THIS_TURN else played
    return _with_matter(title, turn, say(MATTERS[matter]), say)


def _with_matter(title: str, turn: str, matter: str, say: Say) -> str:
    if turn:
        return say("{title}, turn {turn}: {matter}", title=title, turn=turn, matter=matter)
    return say("{title}: {matter}", title=title, matter=matter)


def is_for_masters(send: Send) -> bool:
    """Return whether a letter goes to the game masters. A letter to somebody who watches a sandbox does not."""
    of_master = bool(send.holder and send.holder.seat == MASTER)
    if of_master and send.match and may_write_into(send.match, send.player):
        return False
    return of_master or send.player == GAME_MASTER or send.kind in ("gm", "desk")


def _matter(send: Send) -> str:
    """Return what a letter about a match is about, as a key of `MATTERS`, or "" if its title says enough."""
    match = send.match
    templates = [section.template for section in send.sections]
    if send.kind == "report" or "report" in templates:
        return "end" if match and match.result else "report"
    if send.kind == "invitation":
        return "begin" if match and match.is_set_up and send.holder else "invitation"
    if send.kind in ("press", "reminder"):
        return "" if send.kind == "reminder" and match and match.phase == "offered" else send.kind
    if any(section.values.get("what") == "begin" for section in send.sections):
        return "begin"
    return next((name for name in ("refusal", "doubt", "open", "receipt") if name in templates), "")


def without_matter(subject: str, name: str) -> str:
    """Return the subject of an answer to a letter about the match called `name` without what the letter was about."""
    return re.sub(rf"({re.escape(name)}){_behind_title()}", r"\1", " ".join(subject.split()), count=1, flags=re.I)


@cache
def _behind_title() -> str:
    """Return a pattern for what stands behind the title in the subjects of letters in any language."""
    forms = []
    for language in words.codes():
        say = say_in(language)
        said = sorted((say(matter) for matter in MATTERS.values()), key=len, reverse=True)  # "your orders" comes last
        matters = "|".join(map(re.escape, said))
        for turn in ("TURN", ""):
            form = re.escape(_with_matter("", turn, "MATTER", say))
            forms.append(form.replace("TURN", r"\S+").replace("MATTER", f"(?:{matters})"))
    return f"(?:{'|'.join(forms)})"
