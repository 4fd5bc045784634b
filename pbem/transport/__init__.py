"""Transport of raw letters: IMAP, SMTP and Maildir."""
