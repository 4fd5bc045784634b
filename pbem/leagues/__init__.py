"""Leagues as values: their files, their seasons, and pure functions that work out what happens in them."""
