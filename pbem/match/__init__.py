"""The service core: what a letter, the clock and a game master mean for a match. Values and `now` in, effects out."""
