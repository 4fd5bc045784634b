"""Opening mailboxes and outgoing mail. The URLs in the configuration decide which module is used."""

from time import monotonic

from pbem.config.config import Config, MailboxConfig, Maildir
from pbem.transport.base import Bell, Mailbox, Outgoing
from pbem.transport.further import IsOurs

_SECONDS = 300.0


def open_mailbox(config: Config, deadline: float | None = None, is_ours: IsOurs | None = None) -> Mailbox:
    """Return the mailbox that the section [mailbox] of `config` describes, together with that of [mailbox.old], if
    there is one. Its `with` block logs in and may raise TransportError or ConfigError.

    The whole conversation ends at `deadline`, a value of time.monotonic(), or by default after five minutes. From
    further folders, only letters whose headers `is_ours` accepts are fetched; if `is_ours` is None, no letters are
    fetched from them.
    """
    deadline = deadline or monotonic() + _SECONDS
    main, *others = (open_one(mailbox, deadline, is_ours) for mailbox in config.mailboxes.values())
    if not others:
        return main
    from pbem.transport.old_mailbox import WithOldMailbox

    return WithOldMailbox(main, others[0], deadline)


def open_one(mailbox: MailboxConfig, deadline: float | None = None, is_ours: IsOurs | None = None) -> Mailbox:
    """Return a single mailbox of a desk, as `open_mailbox` does."""
    if isinstance(mailbox.place, Maildir):
        from pbem.transport.maildir import MaildirMailbox

        return MaildirMailbox(mailbox.place.path, mailbox.folders, is_ours)
    from pbem.transport.imap_folders import ImapFolders

    return ImapFolders(mailbox, deadline or monotonic() + _SECONDS, is_ours)


def open_outgoing(config: Config, deadline: float | None = None) -> Outgoing:
    """Return the outgoing mail that the section [outgoing] of `config` describes. It is used in a `with` block and has
    a deadline, like a mailbox."""
    if isinstance(config.outgoing.place, Maildir):
        from pbem.transport.maildir import MaildirOutgoing

        return MaildirOutgoing(config.outgoing.place.path)
    from pbem.transport.smtp import SmtpOutgoing

    return SmtpOutgoing(config.outgoing, deadline or monotonic() + _SECONDS)


def open_bell(config: Config) -> Bell:
    """Return the bell for new letters in the mailbox of `config`. It is used in a `with` block, like a mailbox."""
    if isinstance(config.mailbox.place, Maildir):
        from pbem.transport.maildir import MaildirBell

        return MaildirBell(config.mailbox.place.path)
    from pbem.transport.imap import ImapBell

    return ImapBell(config.mailbox, monotonic() + _SECONDS)
