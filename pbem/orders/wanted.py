"""The game that a command asks for, and its options: `... to ozymandia with board triangles`."""

import re
from typing import Any, NamedTuple

from pbem import Sentence
from pbem.games import DEFAULT, find_game, game_called
from pbem.games.base import AnyGame, GameError, seats_of
from pbem.games.capabilities import LEVELS
from pbem.games.options import Option, check, parse_options
from pbem.games.words import words_in
from pbem.i18n import words
from pbem.orders.patterns import AGAINST_COMPUTER, AND, COMPUTER, COMPUTER_FOR, NAMED, REPLACED, TRIED

USUAL_LEVEL = 2
"""The computer's default level."""

_COMPUTERS_LEVEL = Option(
    "level", "number", Sentence("How strong the computer plays."), USUAL_LEVEL, least=LEVELS[0], most=LEVELS[-1]
)


class Wanted(NamedTuple):
    """The wish for a game in a command: the people named there (as written), the game, and the chosen options."""

    people: str
    game: AnyGame
    options: dict[str, Any]


def parse_wanted(text: str) -> Wanted:
    """Parse `text`, which names people and may name a game and its options. Raises GameError for an unknown game or
    option.

    An option must have one of its fixed values, so that letters cannot name files.
    """
    parts = NAMED.fullmatch(text)
    return _wanted(parts, parts["people"]) if parts else Wanted(text, find_game(DEFAULT), {})


def is_computer(text: str) -> bool:
    """Return whether `text` asks for a game against the computer."""
    return re.fullmatch(AGAINST_COMPUTER, text, re.I) is not None


def computers_level(game: AnyGame, text: str) -> int:
    """Return the level in `text` if it names the computer, such as `computer level 2`; otherwise return 0. Raises
    GameError if the computer has no such level."""
    parts = re.fullmatch(COMPUTER, text, re.I)
    level = int(parts["level"] or USUAL_LEVEL) if parts else 0
    if parts:
        check(game.title, (_COMPUTERS_LEVEL,), {"level": level})
    return level


def parse_replaced(game: AnyGame, text: str) -> tuple[str, int]:
    """Return whom `text`, such as `computer for blue level 2` or `replace blue with computer`, names, and the level of
    the computer, 0 if it names none. The name is "" if it is missing. Raises GameError if the computer has no such
    level."""
    parts = re.fullmatch(COMPUTER_FOR, text, re.I) or re.fullmatch(REPLACED, text, re.I)
    if parts is None:
        return "", 0
    named = {"also": "", **parts.groupdict()}
    level = int(named["level"] or named["also"] or 0)
    if level:
        check(game.title, (_COMPUTERS_LEVEL,), {"level": level})
    return named["name"], level


def parse_against_computer(text: str) -> Wanted:
    """Parse `text`, which asks for a game against the computer. The options in the result include the computer's level.
    Raises GameError for an unknown game or option."""
    parts = re.fullmatch(AGAINST_COMPUTER, text, re.I)
    assert parts
    wanted = _wanted(parts, "", _COMPUTERS_LEVEL)
    written = parts["level"] or parts["also"]
    level = int(written) if written else wanted.options.get("level", USUAL_LEVEL)
    check(wanted.game.title, (_COMPUTERS_LEVEL,), {"level": level})
    return wanted._replace(options={**wanted.options, "level": level})


def _wanted(match: re.Match[str], people: str, *also: Option) -> Wanted:
    """Return `people` with the game and the options in `match`, a match of a regular expression. `also` contains
    options besides those of the game."""
    return Wanted(people, *_with_options(find_game(match["game"] or DEFAULT), match["options"] or "", *also))


def _with_options(game: AnyGame, written: str, *also: Option) -> tuple[AnyGame, dict[str, Any]]:
    """Return `game` with the options that are `written` behind it. Raises GameError for an unknown option."""
    folder = game.grammar.parent
    option_words = {
        **words_in(folder, "options"),
        **{option.name: words.words("around", option.name) for option in also},
    }
    chosen = parse_options((*game.options({}), *also), written, option_words)
    check(game.title, (*game.options({}), *also), chosen, folder)
    check(game.title, (*game.options(chosen), *also), chosen, folder)
    return game, chosen


def parse_challenge(text: str) -> Wanted:
    """Parse `text`, which asks for a game between the writer and all people named. Raises GameError for an unknown game
    or option, a repeated address, or the wrong number of people."""
    wanted = parse_wanted(text)
    game, named = wanted.game, [name.lower() for name in split_people(wanted.people)]
    if len(set(named)) < len(named):
        raise GameError(Sentence("The same address appears twice: each seat needs a different person."))
    if (number := len(seats_of(game, wanted.options))) == len(named) + 1:
        return wanted
    values = {"game": game.title, "number": number, "others": len(named)}
    if option := next((option for option in game.options(wanted.options) if option.of_seats), None):
        values["example"] = f"with {option.name} {' '.join(option.choices[: max(len(named) + 1, 2)])}"
        sentence = Sentence(
            "{game} with these options is for {number}, and you name {others} besides yourself: name an address "
            "for each of the other seats, or choose the seats, for example `{example}`; the first is yours.",
            **values,
        )
    else:
        sentence = Sentence(
            "{game} with these options is for {number}, and you name {others} besides yourself: name an address "
            "for each of the other seats.",
            **values,
        )
    raise GameError(sentence)


class Tried(NamedTuple):
    """What somebody wants to try in a sandbox: a game with the chosen options or, if `match` is not "", the position at
    the beginning of a turn of that match; `turn` is "" if no turn is named."""

    game: AnyGame
    options: dict[str, Any]
    match: str = ""
    turn: str = ""


def parse_tried(text: str) -> Tried:
    """Parse `text`, which names a game and perhaps its options, or a match and perhaps a turn. Raises GameError for an
    unknown game or option."""
    parts = re.fullmatch(TRIED, text, re.I)
    if parts is None or parts["match"]:
        return Tried(find_game(), {}, parts["match"] if parts else text, (parts and parts["turn"]) or "")
    game = game_called(parts["game"])
    wanted = _with_options(game or find_game(parts["game"]), parts["options"] or "")
    return Tried(*wanted)


def split_people(text: str) -> list[str]:
    """Return the people whom `text` names, each as written."""
    return re.sub(rf"(@[^\s,<>]+>?)(?:{AND})", r"\1\n", text, flags=re.I).split("\n")
