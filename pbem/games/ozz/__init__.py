"""Campaigns of Ozz: two to four nations on a map, and battles that are fought fast or on a board.

- `house/`, `data`: counters, map, numbers and scenarios as values.
- `orders`: what a letter can say, as values; their canonical form is English, as `str` writes it.
- `canonical`: orders from that form, quickly; `reading`: what the order reader asks first.
- `orders.lark`, `words/`, `lexicon`: a letter as lines of words and signs, and what the words are in every language.
- `names`, `sides`: what people call counters and points, and whose those are; `cursor`, `lists`: a place in a line.
- `phrases`, `map_phrases`, `board_phrases`, `force_phrases`: lines as `items`, by the names in them.
- `legality`, `map_legality`, `board_legality`, `positions`: what makes a letter illegal; `interpret`: items as orders,
  or every mistake with what would be right; `standing`: lines that hold until they are taken back.
- `prose`: which lines of a letter are meant as orders.
- `state`: where everything stands.
- `table`: the map during a round, and what any part of the rules does with it.
- `board`: the spaces of the battleboard. `battle`: a battle on it, turn by turn; `wishes`: what a side's letter says of
  it; `field`: who stands where during a turn; `spells`, `bell`, `activations`, `movement`, `exchange`, `leaving`: what
  they do there, in the order of a turn; `aftermath`: what follows on the map.
"""
