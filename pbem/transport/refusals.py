"""The cause of a mail server's refusal: the desk, the recipient's address, or something else.

RFC 3463 defines codes for such causes. Many servers send these codes; others give the cause only in words.
"""

import re
from typing import Literal

About = Literal["us", "address", "unclear"]
"""The cause of a refusal. "us": the desk's account or server, so that all letters are affected; "address": the
recipient's address, which does not exist; "unclear": anything else, such as a full mailbox."""


def about(code: int, text: str) -> About:
    """Return the cause of a refusal, judging by its reply code (RFC 5321) and its text.

    A temporary refusal never means that the address does not exist, and a limit that it mentions may concern a single
    recipient.
    """
    if code < 500:
        return "unclear"
    status = _STATUS.search(text)
    detail = (int(status[1]), int(status[2])) if status else None
    if _OURS.search(text) or (detail and (detail in _OURS_BY_STATUS or detail[0] == _POLICY)):
        return "us"
    if detail and detail != (0, 0):
        return "address" if detail in _NOBODY_BY_STATUS else "unclear"
    if _FULL.search(text):
        return "unclear"
    if _LIMIT.search(text):
        return "us"
    return "address" if _NOBODY.search(text) else "unclear"


_STATUS = re.compile(r"(?<![\d.])5\.(\d{1,3})\.(\d{1,3})(?![.\d])")
_POLICY = 7
_OURS_BY_STATUS = frozenset(((1, 7), (1, 8), (2, 0), (4, 5)))  # the desk's own address, a limit (Exchange, Gmail)
_NOBODY_BY_STATUS = frozenset(((1, 0), (1, 1), (1, 2), (1, 3), (1, 6), (1, 10)))

# Words that show that a refusal concerns the desk, whatever code precedes them.
_OURS = re.compile(
    r"\brelay(?:ing)?\b(?: access)?.{0,30}\b(?:denied|not|prohibited|refused)|unable to relay|cannot relay|not relay"
    r"|(?:sending|submission|outgoing|outbound|message|hourly|daily|rate)[\w ]{0,30}\b(?:limit|quota|spam)"
    r"|outboundspam|sender.{0,40}(?:blocked|suspended|disabled|rejected|denied)",
    re.I,
)
_FULL = re.compile(
    r"(?:mailbox|inbox|recipient|user|account|storage|disk)\b.{0,40}(?:full|quota|storage|space)|over ?quota"
    r"|quota exceeded|too (?:large|big)|size limit|exceeds.{0,20}size",
    re.I,
)
_LIMIT = re.compile(
    r"\blimit|\bquota|exceeded|too many|\brate\b|try again|spam|black ?list|block ?list|\bblocked|reputation|policy"
    r"|authenticat|log ?in|suspended",
    re.I,
)
_THERE = r"(?:user|recipient|mailbox|address|account|addressee|destination)"
_NOBODY = re.compile(
    rf"\bno such|{_THERE}\b.{{0,60}}(?:unknown|not found|not exist|n't exist|not known|invalid|not listed|no longer"
    rf"|not here|disabled|inactive|unavailable)|(?:unknown|invalid|nonexistent|non-existent) (?:local )?{_THERE}"
    rf"|(?:does not|doesn't) exist|no (?:mailbox|account)\b|unrouteable address|(?:domain|host)\b.{{0,30}}not found",
    re.I,
)
