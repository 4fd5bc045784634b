"""Rock'n'Roll: two sides fight for a row of Points with cards, dice and hidden hands, their turns one after the other.

What is here, and what builds on it:

- `cards`, `cardfile`: the cards of a set as values, read from `sets/*.json` or a file of that form, and checked.
- `orders`: commands and standing orders as values; their canonical form is English, as `str` writes it.

Whatever reads letters ends in `orders.Orders`; the rules begin there and look at the position only when a line's turn
comes.
"""
