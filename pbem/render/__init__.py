"""Rendering: sections of a letter as text and HTML."""
