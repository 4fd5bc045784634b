"""Campaigns of Ozz: two to four nations on a map, and battles that are fought fast or on a board.

- `house/`, `data`: counters, map, numbers and scenarios as values.
- `orders`: what a letter can say, as values; their canonical form is English, as `str` writes it.
- `canonical`: orders from that form, quickly.
- `state`: where everything stands.
- `table`: the map during a round, and what any part of the rules does with it.
- `board`: the spaces of the battleboard. `battle`: a battle on it, turn by turn; `wishes`: what a side's letter says of
  it; `field`: who stands where during a turn; `spells`, `bell`, `activations`, `movement`, `exchange`, `leaving`: what
  they do there, in the order of a turn; `aftermath`: what follows on the map.
"""
