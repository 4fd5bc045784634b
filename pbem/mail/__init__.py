"""Letters as values: from bytes to a person's own words, and from drafts to bytes. This package knows no games."""
