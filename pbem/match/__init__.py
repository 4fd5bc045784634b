"""The service core. It decides what follows for a match from a letter, from the clock or from a game master's decision.
All functions are pure: they take values and `now`, and return effects.
"""
