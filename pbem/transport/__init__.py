"""Bytes in, bytes out: IMAP, SMTP, Maildir."""
