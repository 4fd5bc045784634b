"""Campaigns of Ozz: two to four nations on a map, and battles that are fought fast or on a board.

- `house/`, `data`: counters, map, numbers and scenarios as values.
- `orders`: what a letter can say, as values; their canonical form is English, as `str` writes it.
- `canonical`: orders from that form, quickly.
- `state`: where everything stands.
"""
