"""Rock'n'Roll: two sides fight for a row of Points with cards, dice and hidden hands, their turns one after the other.

From the file of cards to a turn:

- `cards`, `cardfile`: the cards of a set as values, read from `sets/*.json` or a file of that form, and checked.
- `orders`: commands and standing orders as values; their canonical form is English, as `str` writes it.
- `standing`: what keys and values of standing orders can be, and what they say to the rules.
- `orders.lark`, `items`, `words/`: what the grammar makes of a letter; `canonical`: the same, quickly.
- `names`, `lookup`, `interpret`: items as orders, or every mistake with what would be right.
- `state`: where every card lies.

Whatever reads letters ends in `orders.Orders`; the rules begin there, and look at the position only when a line's turn
comes.
"""
