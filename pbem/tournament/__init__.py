"""Pairings, ratings and standings."""
