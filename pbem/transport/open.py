"""Mail in and out: bytes, without a look into them. Which module does it, the configuration's urls say."""

from time import monotonic

from pbem.config.config import Config, Maildir
from pbem.transport.base import Bell, Mailbox, Outgoing

_SECONDS = 300.0


def open_mailbox(config: Config, deadline: float | None = None) -> Mailbox:
    """What [mailbox] names, to be used in `with`, which logs in and may raise TransportError or ConfigError.

    The whole conversation ends at `deadline`, a moment of time.monotonic; by default five minutes from now.
    """
    if isinstance(config.mailbox.place, Maildir):
        from pbem.transport.maildir import MaildirMailbox

        return MaildirMailbox(config.mailbox.place.path)
    from pbem.transport.imap import ImapMailbox

    return ImapMailbox(config.mailbox, deadline or monotonic() + _SECONDS)


def open_outgoing(config: Config, deadline: float | None = None) -> Outgoing:
    """The way out of [outgoing], to be used as `open_mailbox`."""
    if isinstance(config.outgoing.place, Maildir):
        from pbem.transport.maildir import MaildirOutgoing

        return MaildirOutgoing(config.outgoing.place.path)
    from pbem.transport.smtp import SmtpOutgoing

    return SmtpOutgoing(config.outgoing, deadline or monotonic() + _SECONDS)


def open_bell(config: Config) -> Bell:
    """What rings when letters come into what [mailbox] names, to be used as `open_mailbox`."""
    if isinstance(config.mailbox.place, Maildir):
        from pbem.transport.maildir import MaildirBell

        return MaildirBell(config.mailbox.place.path)
    from pbem.transport.imap import ImapBell

    return ImapBell(config.mailbox, monotonic() + _SECONDS)
