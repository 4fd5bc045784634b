"""What a server's refusal is about, by its codes and words as servers send them."""

from pbem.transport.refusals import about
from support.each import each

REFUSALS = """
us | 550 | 5.4.5 Daily user sending limit exceeded. For more information on Gmail sending limits go to ...
us | 550 | Daily user sending quota exceeded
us | 554 | 5.7.0 limit on the number of allowed outgoing messages was exceeded. Try again later
us | 554 | 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException
us | 554 | 5.2.0 OutboundSpamException
us | 550 | 5.1.8 Access denied, bad outbound sender
us | 550 | 5.1.7 sender's address is not valid
us | 550 | 5.7.1 looks like spam
us | 550 | 5.7.26 This mail has been blocked because the sender is unauthenticated
us | 554 | 5.7.1 <***>: Relay access denied
us | 550 | relay not permitted
us | 550 | 5.1.1 relaying denied
us | 550 | Unable to relay
us | 554 | Message rejected as spam
us | 550 | You have sent too many messages, try again later
us | 550 | Your IP is on a blacklist
address | 550 | 5.1.1 The email account that you tried to reach does not exist
address | 550 | 5.1.0 Address rejected
address | 550 | 5.1.2 Host unknown
address | 553 | 5.1.3 Bad destination mailbox address syntax
address | 550 | 5.1.10 RESOLVER.ADR.RecipientNotFound
address | 550 | <***>: Recipient address rejected: User unknown in local recipient table
address | 550 | No such user here
address | 550 | 5.0.0 unknown user
address | 551 | Mailbox unavailable
unclear | 552 | 5.2.2 mailbox full
unclear | 552 | The user's mailbox is over quota
unclear | 552 | Mailbox quota exceeded
unclear | 550 | 5.2.1 This mailbox is disabled
unclear | 552 | 5.3.4 Message too big
unclear | 550 | 5.4.1 Recipient address rejected: Access denied
unclear | 550 | No thanks
unclear | 550 | 5.5.0 Requested action not taken
unclear | 450 | 4.1.1 User unknown, says a server that has just started
unclear | 452 | 4.5.3 Too many recipients, try again later
"""


@each("refusal", REFUSALS.strip().splitlines())
def test_a_refusal_is_about_us_or_the_address_or_unclear(refusal):
    whose, code, text = (part.strip() for part in refusal.split("|"))
    assert about(int(code), text) == whose
