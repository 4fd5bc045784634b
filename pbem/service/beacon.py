"""Rounds of the public beacon, fetched by the command that the operator has configured (`[chance] beacon`), with limits
on its time and output.
"""

import json
import re
from collections.abc import Iterable
from datetime import datetime

from pbem import PbemError
from pbem.config.config import BeaconConfig
from pbem.config.ini import CommandError, output_of

SECONDS = 20.0
"""The number of seconds that the command may take for one round."""

_MOST = 8_192  # the largest number of bytes of output that are read
_VALUE = r"[0-9a-fA-F]{64}"


class BeaconError(PbemError):
    """Raised when a round cannot be fetched. Its message completes a sentence that begins with the command."""


def ask(config: BeaconConfig, number: int) -> str:
    """Fetch the value of the beacon's round `number`: 64 hexadecimal digits. Raises BeaconError."""
    import shlex  # imported here, because only games that wait for a round need it

    try:
        words = [*shlex.split(config.command), str(number)]
        output = output_of(words, config.folder, seconds=SECONDS, most=_MOST)
    except CommandError as error:
        raise BeaconError(str(error)) from None
    text = output.decode("utf-8", "replace").strip()
    if re.fullmatch(_VALUE, text):
        return text.lower()
    try:
        answer = json.loads(text)
        round_number, value = answer["round"], answer["randomness"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise BeaconError('printed neither JSON with "round" and "randomness" nor 64 hexadecimal digits.') from None
    if isinstance(round_number, bool) or round_number != number:
        raise BeaconError(f"printed another round than {number}.")
    if not (isinstance(value, str) and re.fullmatch(_VALUE, value)):
        raise BeaconError('printed a "randomness" that is not 64 hexadecimal digits.')
    return value.lower()


def last_round(config: BeaconConfig | None, now: datetime) -> None:
    """Test the beacon, if one is configured, by fetching the last round but one. Raises BeaconError."""
    number = config.beacon.latest(now) - 1 if config else 0
    if config and number > 0:
        try:
            ask(config, number)
        except BeaconError as error:
            raise BeaconError(f"The command of [chance] beacon {error}") from None


class Rounds:
    """The rounds of the beacon that one run fetches. Each round is fetched only once. After a failure, no more rounds
    are fetched."""

    def __init__(self, config: BeaconConfig | None) -> None:
        self._config = config
        self.values: dict[int, str] = {}
        self.trouble = ""

    def look(self, wanted: Iterable[int], now: datetime) -> None:
        """Fetch the rounds in `wanted` that have been published by `now`. In `wanted`, 0 stands for a round that has
        yet to be named; it is not fetched."""
        if self._config is None:
            for _ in wanted:
                self.trouble = (
                    "Games wait for a round of a public beacon, but the configuration has none: put [chance] beacon"
                    " back in, or have them go on without one: `pbem game words`."
                )
            return
        for number in sorted({*wanted} - self.values.keys()):
            if number and not self.trouble and self._config.beacon.moment(number) <= now:
                try:
                    self.values[number] = ask(self._config, number)
                except BeaconError as error:
                    self.trouble = (
                        f"Round {number} of the public beacon cannot be got: the command of [chance] beacon {error}"
                        " Games wait for it; each run asks again, and `pbem game words` has one go on without it."
                    )
