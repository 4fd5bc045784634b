"""Leagues as values: their files, their seasons."""
