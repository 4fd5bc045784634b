"""Which game people want to begin, and what they choose of it: `... to ozymandia with board triangles`."""

import re
from typing import Any, NamedTuple

from pbem.games import DEFAULT, find_game
from pbem.games.base import AnyGame, GameError, Sentence
from pbem.games.options import check, parse_options
from pbem.i18n import words

_TO, _WITH = words.pattern("around", "to_game"), words.pattern("around", "with_options")
WANTED = rf"(?:\s+{_TO}\s+(?P<game>[\w-]{{1,40}}))?(?:\s+{_WITH}\s+(?P<options>.{{1,400}}))?"
"""What may stand behind the people whom somebody names."""

_NAMED = re.compile(rf"(?P<people>.*(?:@[^\s<>]+|>)){WANTED}", re.I | re.S)


class Wanted(NamedTuple):
    """The people that a command names, as they were written; the game, and those of its options that were said."""

    people: str
    game: AnyGame
    options: dict[str, Any]


def parse_wanted(text: str) -> Wanted:
    """Which game is wanted with whom. Raises GameError for a game or options that there are not.

    Letters choose among the options' choices alone: they name no files.
    """
    found = _NAMED.fullmatch(text)
    if not found:
        return Wanted(text, find_game(DEFAULT), {})
    game = find_game(found["game"] or DEFAULT)
    chosen = parse_options(game.options({}), found["options"] or "")
    check(game.title, game.options({}), chosen, closed=True)
    check(game.title, game.options(chosen), chosen, closed=True)
    return Wanted(found["people"], game, chosen)


def parse_challenge(text: str) -> Wanted:
    """The same, of a game for two. Raises GameError."""
    wanted = parse_wanted(text)
    if (number := len(wanted.game.seats(wanted.options))) != 2:
        values = {"game": wanted.game.title, "number": number}
        raise GameError(Sentence("{game} is for {number}, and a challenge for two: ask the game master.", **values))
    return wanted
