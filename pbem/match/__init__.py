"""The service core: what a letter, the clock or a game master's decision means for a match. All functions are pure:
values and `now` in, effects out.
"""
