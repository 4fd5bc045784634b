"""Games by e-mail, adjudicated: a program that cron starts, and letters that people answer."""

__version__ = "0.1.0"


class PbemError(Exception):
    """What a person can be told: its text says what is wrong, where, and what to do.

    It never holds a secret, an address or a token: it may stand in a log or in a letter.
    """

    trouble = False
    """Whether machines are to blame, not what somebody wrote: commands end with another status then."""
