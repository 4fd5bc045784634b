"""Which game people want to begin, and what they choose of it: `... to ozymandia with board triangles`."""

import re
from typing import Any, NamedTuple

from pbem.games import DEFAULT, find_game
from pbem.games.base import AnyGame, GameError, Sentence, seats_of
from pbem.games.options import check, parse_options
from pbem.games.words import words_in
from pbem.i18n import words

_TO, _WITH = words.pattern("around", "to_game"), words.pattern("around", "with_options")
WANTED = rf"(?:\s+{_TO}\s+(?P<game>[\w-]{{1,40}}))?(?:\s+{_WITH}\s+(?P<options>.{{1,400}}))?"
"""What may stand behind the people whom somebody names."""

AND = rf"(?:,\s*|\s+){words.pattern('around', 'and')}\s+|,\s*"
"""What stands between people."""

_NAMED = re.compile(rf"(?P<people>.*(?:@[^\s<>]+|>)){WANTED}", re.I | re.S)


AGAINST_COMPUTER = rf"{words.pattern('around', 'computer')}{WANTED}"
"""What may be wanted of the computer."""

_AGAINST_COMPUTER = re.compile(AGAINST_COMPUTER, re.I)


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
    return _wanted(found, found["people"]) if found else Wanted(text, find_game(DEFAULT), {})


def is_computer(text: str) -> bool:
    """Whether somebody wants to play against the computer."""
    return _AGAINST_COMPUTER.fullmatch(text) is not None


def parse_against_computer(text: str) -> Wanted:
    """The same of a text that wants the computer. Raises GameError."""
    found = _AGAINST_COMPUTER.fullmatch(text)
    assert found
    return _wanted(found, "")


def _wanted(found: re.Match[str], people: str) -> Wanted:
    game = find_game(found["game"] or DEFAULT)
    folder = game.grammar.parent
    chosen = parse_options(game.options({}), found["options"] or "", words_in(folder, "options"))
    check(game.title, game.options({}), chosen, folder)
    check(game.title, game.options(chosen), chosen, folder)
    return Wanted(people, game, chosen)


def parse_challenge(text: str) -> Wanted:
    """The same, of a game for the writer and as many others as are named. Raises GameError."""
    wanted = parse_wanted(text)
    game, named = wanted.game, [one.lower() for one in split_people(wanted.people)]
    if len(set(named)) < len(named):
        raise GameError(Sentence("An address stands there twice: each seat is for another person."))
    if (number := len(seats_of(game, wanted.options))) == len(named) + 1:
        return wanted
    values = {"game": game.title, "number": number, "others": len(named)}
    if option := next((one for one in game.options(wanted.options) if one.of_seats), None):
        example = f"with {option.name} {' '.join(option.choices[: max(len(named) + 1, 2)])}"
        said = Sentence(
            "{game} is for {number} as you choose it, and you name {others} besides yourself: name an address for each "
            "of the other seats, or choose the seats, for example `{example}`; the first is yours.",
            **values,
            example=example,
        )
        raise GameError(said)
    raise GameError(
        Sentence(
            "{game} is for {number} as you choose it, and you name {others} besides yourself: name an address for each "
            "of the other seats.",
            **values,
        )
    )


def split_people(text: str) -> list[str]:
    """The people that a command names, each as they were written."""
    return re.sub(rf"(@[^\s,<>]+>?)(?:{AND})", r"\1\n", text, flags=re.I).split("\n")
