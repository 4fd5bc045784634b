"""Letters as values: bytes to a person's own words, and drafts to bytes. Knows no game."""
