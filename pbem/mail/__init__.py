"""Bytes to a person's own words, and drafts to bytes. It knows no game."""
