"""Recognition of automatic mail (RFC 3834)."""

import re
from functools import cache
from itertools import chain

from pbem.mail import mime
from pbem.resources import read_toml, resource

LOOP = "pbem"  # the X-Loop header of every letter from the desk; an incoming letter with this header is one of these

BY_SUBJECT = "the subject of an automatic answer"
REACTION = "a reaction to a letter"
SURE = (
    *("Auto-Submitted", "X-Loop: our own letter", "a delivery report", "an answer to a calendar entry"),
    *(REACTION, BY_SUBJECT),
)
# People's letters may have these, too.
WEAK = ("Precedence", "a mailing list", "an automatic answer", "sent by a mail server")
_AUTOMATIC_HEADERS = {
    *("x-autoreply", "x-autorespond", "x-autoresponder", "x-autoreply-from", "x-mail-autoreply"),
    *("x-failed-recipients", "x-auto-reply-from"),
}
_REPORTS = frozenset(("multipart/report", "message/delivery-status", "message/disposition-notification"))
_REACTION = "text/vnd.google.email-reaction+json"
# The text that programs show instead of a reaction if they do not support reactions: its emoji, and a sentence.
_REACTS = re.compile(
    r"(?:\W|\[\w+\])*[^\n]{0,80}\b(?:reacted (?:to your (?:message|email)|via \w+)"
    r"|hat (?:auf (?:Ihre|deine|eure) (?:Nachricht|E-?Mail)|(?:via|über) \w+) reagiert"
    r"|отреагировал(?:а|\(а\))?(?: на (?:ваше|твоё) (?:сообщение|письмо)| (?:через|с помощью) \w+))[.: ]*(?:<\S+>|\s)*"
    r"|(?:Liked|Loved|Disliked|Laughed at|Emphasized|Questioned) (?:[“\"„][^\n]*[”\"“]|an (?:image|attachment))\s*",
    re.I,
)
_LONGEST_REACTION = 2_000
_ROBOT = re.compile(
    r"(?:mailer[-_.]?daemon|mail[-_.]?daemon|mdaemon|postmaster|(?:no|do[-_.]?not)[-_.]?reply|auto[-_.]?reply"
    r"|(?:.{1,50}-)?bounces?)(?:[+._-].*)?$"
)
# Beginnings of subjects that mail servers write.
_SERVERS_SUBJECT = re.compile(
    r"undeliver|returned mail|mail delivery (?:fail|problem|error|system|warning)|delivery (?:status|failure)"
    r"|delivery notification|failure notice|mail system error|message delayed|non-?delivery"
    r"|.{0,60}could not be delivered|.{0,120}\(delivery failed\)",
    re.I,
)


def reason_of(parts: list[mime.Part], address: str, subject: str, text: str = "") -> str | None:
    """Return the reason why a letter counts as automatic mail, which must not be answered (RFC 3834); None if it is not
    automatic.

    `parts` are all parts of the letter, `address` is the sender's address, and `text` contains the writer's own words.
    The header X-Auto-Response-Suppress alone proves nothing, because some companies put it into every letter.
    """
    letter = parts[0]
    submitted = re.split(r"[;(\s]", letter.first("auto-submitted").strip().lower())[0]
    local = address.lower().partition("@")[0]
    return_path = letter.first("return-path").strip().lower() if "return-path" in letter.header else None
    kinds = {part.kind for part in parts}
    signs = {
        "Auto-Submitted": submitted not in ("", "no"),
        "X-Loop: our own letter": LOOP in letter.header.get("x-loop", []),
        "a delivery report": not _REPORTS.isdisjoint(kinds),
        "an answer to a calendar entry": any(map(_is_calendar_answer, parts)),
        REACTION: _REACTION in kinds or (len(text) <= _LONGEST_REACTION and _REACTS.fullmatch(text.strip())),
        BY_SUBJECT: _SERVERS_SUBJECT.match(subject) or tells_absence(subject),
        "Return-Path is empty": return_path in ("<>", "", "<mailer-daemon>"),
        "Precedence": letter.first("precedence").strip().lower() in ("bulk", "junk", "list", "auto_reply"),
        "a mailing list": any(name.startswith("list-") for name in letter.header),
        "an automatic answer": any(letter.first(name).strip().lower() not in ("", "no") for name in _AUTOMATIC_HEADERS),
        "sent by a mail server": _ROBOT.match(local) is not None,
    }
    return next((sign for sign, applies in signs.items() if applies), None)


def tells_absence(subject: str) -> bool:
    """Return whether `subject` begins like the subject of an absence notice in any language."""
    text = subject.lstrip(" \t\n[(<*+-")
    lower = text.lower()
    return any(re.match(_begins(phrase), text, re.I) for phrase in _absences() if lower.startswith(phrase.rstrip(": ")))


@cache
def _absences() -> frozenset[str]:
    return frozenset(chain.from_iterable(read_toml(resource("locale/absence.toml")).values()))


def _begins(phrase: str) -> str:
    """Return a pattern for `phrase` at the start of a subject. In scripts without spaces, a word may follow
    directly."""
    if phrase.endswith(":"):
        return re.escape(phrase[:-1].rstrip()) + r"(?:\s*[:：]|\s+[\u2013\u2014-]+\s)"
    return re.escape(phrase) + (r"\b" if phrase[-1] < "\u3000" else "")


def _is_calendar_answer(part: mime.Part) -> bool:
    if part.kind != "text/calendar":
        return False
    method = part.parameter("method") or part.text[:4_000].upper().partition("METHOD:")[2][:20]
    return method.strip().upper().startswith(("REPLY", "COUNTER"))
