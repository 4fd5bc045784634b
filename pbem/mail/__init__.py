"""Letters as values: from bytes to the writer's own words, and from drafts to bytes. This package knows nothing of
games."""
