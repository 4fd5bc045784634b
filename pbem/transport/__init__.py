"""Transport of letters as raw bytes: IMAP, SMTP and Maildir."""
