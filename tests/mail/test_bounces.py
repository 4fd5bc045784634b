"""Delivery reports: what became of a letter of ours, in the words of the servers that could not deliver it."""

from datetime import UTC, datetime

import pytest

from pbem.mail.letters import Draft, Letter, read, write
from pbem.match.identity import Holder, Player, find_tokens, make_token
from pbem.orders.reader import may_be_order
from support.each import each

HOLDER = Holder("red", Player(1, "Alice", "alice@example.net"), "Alice", 0, frozenset(["alice@example.net"]))
TOKEN = make_token(b"k" * 32, 17, HOLDER, 7)
OURS = write(
    Draft(
        message_id=f"{TOKEN}.answer-3@example.org",
        sender=("Desk", "desk@example.org"),
        to=("Alice", "alice@example.net"),
        reply_to=f"desk+{TOKEN}@example.org",
        subject="Ozymandia oz-17",
        date=datetime(2026, 11, 21, 12, 0, tzinfo=UTC),
        text="Turn 7 waits for your orders.\n",
        html="<p>Turn 7 waits for your orders.",
        automatic="auto-generated",
    )
).decode()
HEAD = OURS.partition("\r\n\r\n")[0]


def bounce(body: str, *headers: str, sender: str = "MAILER-DAEMON@mx.example.net", subject: str = "Hm") -> Letter:
    """A letter of a mail server's, as it is read."""
    lines = (f"From: {sender}", "To: desk@example.org", f"Subject: {subject}", "MIME-Version: 1.0", *headers)
    return read(("\n".join(lines) + "\n\n" + body).replace("\r\n", "\n").encode(), is_order=may_be_order)


def multipart(fields: str, text: str = "Sorry.", returned: str = OURS, kind: str = "message/rfc822") -> str:
    return (
        f"--b\nContent-Type: text/plain\n\n{text}\n--b\nContent-Type: message/delivery-status\n\n"
        f"Reporting-MTA: dns; mx.example.net\n\nFinal-Recipient: rfc822; alice@example.net\n{fields}\n"
        f"--b\nContent-Type: {kind}\n\n{returned}\n--b--\n"
    )


REPORT = "Content-Type: multipart/report; report-type=delivery-status; boundary=b"


@each(
    ("fields", "outcome", "status", "permanent"),
    [
        ("Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 No such user", "failed", "5.1.1", True),
        ("Action: Failed\nStatus: 5.2.2 (mailbox full)", "failed", "5.2.2", True),
        ("Action: failed\nStatus: 4.4.7", "failed", "4.4.7", False),
        ("Action: failed\nDiagnostic-Code: smtp; 554 spam", "failed", "5.0.0", True),
        ("Action: failed", "failed", "", None),
        ("Action: failure\nStatus: 553 too big", "failed", "5.0.0", True),
        ("Action: delayed\nStatus: 4.2.0\nWill-Retry-Until: Mon", "delayed", "4.2.0", False),
        ("Action: delivered\nStatus: 2.0.0", "delivered", "2.0.0", None),
        ("Action: relayed", "delivered", "", None),
        ("Action: delayed\nStatus: 4.2.0\n\nAction: failed\nStatus: 5.1.1", "failed", "5.1.1", True),
    ],
)
def test_a_report_says_what_became_of_the_letter(
    fields: str, outcome: str, status: str, permanent: bool | None
) -> None:
    report = bounce(multipart(fields), REPORT).report
    assert report
    assert (report.outcome, report.status, report.permanent) == (outcome, status, permanent)


SORRY = "I'm sorry to have to inform you that your message could not be delivered to one or more recipients."
EXIM = "A message that you sent could not be delivered to one or more of its recipients. This is a permanent error."
QMAIL = "Hi. This is the qmail-send program.\nI'm afraid I wasn't able to deliver your message.\n\n<alice@example.net>:"
EXCHANGE = "Your message to alice@example.net couldn't be delivered.\nalice wasn't found at example.net."
FORMS = {
    "RFC 3464": (multipart("Action: failed\nStatus: 5.1.1"), (REPORT,)),
    "RFC 3464, header only": (multipart("Action: failed", SORRY, HEAD, "text/rfc822-headers"), (REPORT,)),
    "RFC 6533": (
        multipart("Action: failed", SORRY).replace("message/delivery", "message/global-delivery"),
        (REPORT,),
    ),
    "within a gateway's multipart": (
        f"--o\n{REPORT}\n\n{multipart('Action: failed')}--o--",
        ("Content-Type: multipart/mixed; boundary=o",),
    ),
    "Postfix of old": (
        f"--b\n\n{SORRY}\n--b\nContent-Type: message/rfc822\n\n{OURS}\n--b--",
        ("Content-Type: multipart/mixed; boundary=b",),
    ),
    "Exim": (
        f"{EXIM}\n\n  alice@example.net\n    550 unknown user\n\n------ This is a copy of the message ------\n\n{OURS}",
        ("X-Failed-Recipients: alice@example.net",),
    ),
    "qmail": (
        f"{QMAIL}\nSorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy.\n\n{OURS}",
        (),
    ),
    "Exchange": (f"{EXCHANGE}\n\nOriginal Message Headers\n\n{HEAD}", ("Auto-Submitted: auto-replied",)),
}


@pytest.mark.parametrize(("body", "headers"), FORMS.values(), ids=FORMS)
def test_the_letter_it_is_about_is_known_by_its_token(body: str, headers: tuple[str, ...]) -> None:
    letter = bounce(body, *headers, subject="Undelivered Mail Returned to Sender")
    assert letter.automatic
    assert letter.report
    assert letter.report.outcome == "failed"
    assert find_tokens(letter.report.names) == [TOKEN]


@pytest.mark.parametrize(
    ("subject", "body"),
    [
        ("Delayed Mail (still being retried)", "Your message could not be delivered for 15 minutes."),
        ("Warning: message delayed 24 hours", "A message that you sent has not yet been delivered."),
        ("Delivery Status Notification", "It was not delivered.\nYou do not need to resend your message."),
        ("Mail Delivery Warning", "Delivery has been postponed. We will continue to try to deliver your message."),
    ],
)
def test_a_warning_is_about_delay_and_not_about_failure(subject: str, body: str) -> None:
    report = bounce(body, subject=subject).report
    assert report
    assert report.outcome == "delayed"


@pytest.mark.parametrize(
    ("sender", "subject", "body"),
    [
        ("gateway@example.net", "Mail could not be delivered", "The following mail could not be delivered."),
        ("ndr@example.net", "Delivery failure notification", "Your message can not be sent to alice@example.net."),
        ("MAILER-DAEMON@example.net", "?", "Unknown user: alice"),
        ("postmaster@example.net", "Unzustellbar: Ozymandia oz-17", "Diese Nachricht erreichte niemanden."),
        ("MAILER-DAEMON@example.net", "Re: x", "Ваше сообщение не доставлено."),
    ],
)
def test_two_of_sender_subject_and_words_tell_a_report_of_no_known_form(sender: str, subject: str, body: str) -> None:
    assert bounce(body, "Auto-Submitted: auto-replied", sender=sender, subject=subject).report


@pytest.mark.parametrize(
    ("sender", "subject", "body"),
    [
        (
            "alice@example.net",
            "Re: Undelivered Mail Returned to Sender",
            "Mail to Bob could not be delivered. 3 A to M",
        ),
        ("alice@example.net", "Mail Delivery", "My letter was returned to sender: user unknown. What now?"),
        ("alice@example.net", "Re: Ozymandia oz-17", "Bob's address: permanent error, over quota. 5.1.1"),
    ],
)
def test_a_persons_letter_is_no_report_whatever_it_is_about(sender: str, subject: str, body: str) -> None:
    assert bounce(body, sender=sender, subject=subject).report is None


@pytest.mark.parametrize(
    ("header", "sender", "subject", "body"),
    [
        ("Auto-Submitted: auto-replied", "alice@example.net", "Automatic reply: oz-17", "I am away until Monday."),
        ("Return-Path: <>", "alice@example.net", "Away", "I am away. Your letter will be delivered to my deputy."),
        ("List-Id: <ozy.example.org>", "bob@example.net", "[ozy] New boards", "My mail was returned: user unknown."),
        ("X-Loop: pbem", "desk@example.org", "Ozymandia oz-17", "Turn 7 waits for your orders."),
    ],
)
def test_other_automatic_mail_is_no_report(header: str, sender: str, subject: str, body: str) -> None:
    letter = bounce(body, header, sender=sender, subject=subject)
    assert letter.automatic
    assert letter.report is None


def test_a_note_that_a_letter_was_read_is_no_report_on_delivery() -> None:
    kind = "Content-Type: multipart/report; report-type=disposition-notification; boundary=b"
    note = "--b\nContent-Type: message/disposition-notification\n\nDisposition: manual-action; displayed\n--b--"
    body = f"--b\n\nYour message was displayed.\n{note}"
    letter = bounce(body, kind, sender="alice@example.net", subject="Read: Ozymandia oz-17")
    assert letter.automatic
    assert letter.report is None


def test_a_report_without_our_letter_names_nobody() -> None:
    report = bounce(multipart("Action: failed", returned="", kind="text/rfc822-headers"), REPORT).report
    assert report
    assert find_tokens(report.names) == []
