"""The laboratory: computer opponents play large numbers of games against each other to test the games themselves.

- `play`: one game, given by its number; the result is plain data.
- `results`: a file that keeps every finished game, so that a run can end at any moment and be continued.
- `run`: many games on all cores, or on a cluster.
- `figures`: the results: shares with their intervals, lengths and endings of games, and a sentence that sums these up.
"""
