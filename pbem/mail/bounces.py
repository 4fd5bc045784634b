"""Delivery reports about letters from the desk, in the form of RFC 3464 and in the many forms that are older or ignore
that standard."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from pbem.mail.mime import Part

_TEXT = 65_536  # the maximum number of characters of a part that are searched
_NAMES = 200

DeliveryAction = Literal["failed", "delayed", "delivered"]


@dataclass(frozen=True, slots=True)
class DeliveryReport:
    """The content of a delivery report about a letter from the desk.

    `outcome` is "failed" if the letter could not be delivered, "delayed" if delivery is still being tried, and
    "delivered" if the letter reached a mailbox or another system. `status` is the code of RFC 3463, such as "5.1.1"
    ("5.0.0" if there is only an SMTP code), or "" if there is no code. `names` are the addresses and Message-IDs in the
    report and in the letter that it returns, in order of appearance; the token in one of them shows to whom the desk
    sent that letter.
    """

    outcome: DeliveryAction
    status: str
    names: tuple[str, ...]

    @property
    def permanent(self) -> bool | None:
        """Whether sending again is pointless (True for 5.x.x, False for 4.x.x); None if the report does not say."""
        return {"5": True, "4": False}.get(self.status[:1])


def delivery_report(parts: Sequence[Part], sender: str, subject: str) -> DeliveryReport | None:
    """Parse an automatic letter, given its parts, as a delivery report; return None if it is not a delivery report.

    `sender` is the address in From, or "". A machine-readable part, or a header that mail servers write, identifies a
    report. Without either, two of three things must look like those of a report: the sender's name, the subject, and
    the text.
    """
    fields = "\n".join(part.text[:_TEXT] for part in parts if part.kind in _FIELDS)
    words = next((part.text[:_TEXT] for part in parts if part.kind.startswith("text/")), "")
    words = _RETURNED.split(words, maxsplit=1)[0]
    by_server = _SENDER.match(sender) or parts[0].header.get("return-path") == ["<>"]
    signs = (by_server, _SUBJECT.match(subject), _WORDS.search(words))
    is_certain = fields or "x-failed-recipients" in parts[0].header or _is_report(parts)
    if not is_certain and sum(map(bool, signs)) < 2:
        return None
    return DeliveryReport(
        outcome=_outcome(_ACTION.findall(fields), subject, words),
        status=_status(fields, words),
        names=tuple(islice(_names(parts), _NAMES)),
    )


def _is_report(parts: Sequence[Part]) -> bool:
    """Return whether one of `parts` reports on the delivery of a letter, rather than on whether the letter was read
    (RFC 8098)."""
    reports = (part.parameter("report-type").lower() for part in parts if part.kind == "multipart/report")
    return any(kind in ("", "delivery-status") for kind in reports)


def _outcome(actions: Sequence[str], subject: str, words: str) -> DeliveryAction:
    """Return what became of the letter, judging by the `actions` in the report or, if there are none, by the report's
    `subject` and `words`. If the letter had several recipients, the worst outcome counts."""
    values = {action.lower() for action in actions}
    if values - {"delayed", *_ARRIVED}:
        return "failed"
    if "delayed" in values or (not values and (_DELAY_SUBJECT.search(subject) or _DELAY.search(words))):
        return "delayed"
    return "delivered" if values or _SUCCESS_SUBJECT.search(subject) else "failed"


def _status(fields: str, words: str) -> str:
    statuses: list[str] = _STATUS_FIELD.findall(fields)
    if statuses:
        return max(statuses)
    if enhanced := _STATUS.search(fields) or _STATUS.search(words):
        return enhanced[1]
    code = _SMTP_CODE.search(fields) or _SMTP_CODE.search(words)
    if code:
        return f"{code[1]}.0.0"
    return "5.0.0" if _PERMANENT.search(words) else ""


def _names(parts: Sequence[Part]) -> Iterator[str]:
    seen: set[str] = set()
    for part in parts:
        if not part.kind.startswith("multipart/"):
            for name in _NAME.findall(part.text[:_TEXT]):
                if name not in seen:
                    seen.add(name)
                    yield name


# Beginnings of the subjects of delivery reports. The subject of a person's answer to a report begins with "Re:".
_SUBJECT = re.compile(
    r"undeliver|(?:returned|failed) mail|(?:automatically )?rejected mail|(?:mail|message) (?:delivery|system)\b"
    r"|(?:e-?mail )?delivery (?:status|failure|report|has failed|incomplete|delayed)|delivery notification"
    r"|failure (?:notice|delivery)|(?:warning: )?(?:message|mail) (?:is |was |has been )?delayed|delayed mail"
    r"|non-?delivery|(?:mail|message) (?:failed|failure|error|rejected|not delivered|status)"
    r"|.{0,60}(?:could|can) ?not be delivered|.{0,120}\(delivery failed\)|unzustellbar|nicht zustellbar"
    r"|non remis|remise impossible|no se (?:puede|pudo) entregar|mancato recapito|onbestelbaar",
    re.I,
)

_FIELDS = frozenset(("message/delivery-status", "message/global-delivery-status"))
_SENDER = re.compile(
    r"(?:mailer|mail|delivery)?[-_.]?(?:daemon|delivery)|mdaemon|postmaster|mail[-_.]?adm|microsoftexchange", re.I
)
_WORDS = re.compile(
    r"(?:could|can|was|were|has|have|is|did|been) ?(?:not|n't|unable|failed) (?:to )?(?:be |been |yet )?(?:deliver|send"
    r"|sent|reach|receive)|unable to (?:deliver|relay|send)|undeliver|delivery (?:\w+ ){0,6}failed"
    r"|fail(?:ed|ure) (?:to deliver|delivering|recipient)|failed (?:\w+ ){0,4}(?:delivery|recipient)"
    r"|permanent (?:fatal )?error|fatal error|not deliverable|(?:recipient|user|mailbox|address)\S{0,40} (?:\w+ ){0,3}"
    r"(?:unknown|rejected|unavailable|not found|disabled|full)|unknown (?:user|recipient|address)|no such user"
    r"|returned to (?:you|sender)|not (?:accepting|delivered)|delivery error|over ?quota"
    r"|has been (?:delayed|postponed|returned)|not yet (?:been )?delivered"
    r"|nicht zugestellt|n'a pas (?:pu )?(?:être|etre) |no (?:se )?(?:ha )?(?:podido|pudo) (?:ser )?entrega"
    r"|impossibile (?:consegnare|recapitare)|не (?:было |может быть )?доставлен|无法(?:发送|送达|投递)"
    r"|無法(?:傳送|送達)",
    re.I,
)
# The returned letter begins below such a line; the text there does not come from the server.
_RETURNED = re.compile(
    r"^[-=* ]{0,80}(?:(?:this is a copy of|below (?:this line )?is|returned|original|unsent|the unsent) (?:\w+ ){0,6}"
    r"(?:message|mail|header|text)\w*(?:,? \w+){0,4}[-=*.: ]{0,80}|received: from .*)$",
    re.I | re.M,
)
_PERMANENT = re.compile(r"\bpermanent|\bno such user|unknown (?:user|recipient)|(?:user|recipient) unknown", re.I)
_ARRIVED = frozenset(("delivered", "relayed", "expanded"))
_ACTION = re.compile(r"^action:[ \t]*(\w{1,20})", re.I | re.M)
_STATUS_FIELD = re.compile(r"^status:[ \t]*([245]\.\d{1,3}\.\d{1,3})", re.I | re.M)
_STATUS = re.compile(r"(?<![\d.])([45]\.\d{1,3}\.\d{1,3})(?!\.?\d)")
_SMTP_CODE = re.compile(r"(?<![\w.:-])([45])[0-5]\d[ -](?=[\w<'\"#(])")
_DELAY_SUBJECT = re.compile(r"\bdelay|\bwarning\b|being retried", re.I)
_DELAY = re.compile(
    r"(?:do not|don't|no) need to (?:resend|retry)"
    r"|(?:will|continue|keep) (?:\w+ ){0,3}(?:retr(?:y|ied)|trying|try|attempt)|still trying|postponed|not yet been",
    re.I,
)
_SUCCESS_SUBJECT = re.compile(r"success|\brelayed\b", re.I)
_LOCAL = r"[\w.!#$%&'*+/=?^`{|}~-]"
_NAME = re.compile(rf"(?<!{_LOCAL}){_LOCAL}{{1,200}}@[A-Za-z0-9][A-Za-z0-9.-]{{0,200}}", re.A)
