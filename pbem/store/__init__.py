"""All SQL: what the desk knows as rows, and back as values."""
