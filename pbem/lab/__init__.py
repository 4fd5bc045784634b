"""The laboratory: games that computer opponents play among themselves in large numbers, and what they say of the games.

- `play`: one game by its seed, plain data in and out.
- `results`: the file that keeps every game as soon as it is over, so that a run can end at any moment and go on later.
- `run`: many games on all cores, or on a cluster.
- `figures`: what the games come to: shares with their intervals, lengths, what decided; and a sentence on them.
"""
