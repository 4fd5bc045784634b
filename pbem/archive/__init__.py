"""The archive: pages, lists and mailboxes of the games played at a desk."""
