"""The archive: pages, lists and mailboxes of the games that were played."""
