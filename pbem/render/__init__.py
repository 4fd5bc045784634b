"""Rendering the sections of a letter as text and as HTML."""
