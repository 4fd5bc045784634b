"""Leagues as values: their files and their seasons."""
