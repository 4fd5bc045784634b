"""The service core. It works out how a letter, the passage of time or a game master's decision affects a match. All
functions are pure: they take values and `now`, and return effects.
"""
