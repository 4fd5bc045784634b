"""Lines that consult the game itself, such as `card Bao`. The game defines their words."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pbem import games
from pbem.games import folders
from pbem.games.base import AnyGame, with_default_files
from pbem.games.capabilities import AnswersLookups
from pbem.games.chance import SECRET, SecretChance
from pbem.games.spelling import caseless
from pbem.games.words import words_in
from pbem.i18n import words
from pbem.orders.command import LetterText, LookUp
from pbem.orders.situation import AnySituation

MOST = 20
"""Most lines of one letter that are answered."""

_MAX_LINE = 100  # characters; a longer line does not consult a game
_POLITE = words.pattern("around", "polite")
_ROUND = " .,:;?!…\"'“”„«»‘’`*_-–—=>"  # may stand around a name
_FEW = r"(?:\W+\w+){0,4}\W*$"  # may follow a word that may ask something


class _Spellings(NamedTuple):
    """A pattern for lines that begin with a word of the game, and the English word for each, in small letters."""

    line: re.Pattern[str]
    english: Mapping[str, str]


@cache
def consulted(game: AnyGame) -> AnswersLookups | None:
    """The game as one that letters can consult; None if it has nothing to look up."""
    return game if isinstance(game, AnswersLookups) else None


def take_lookups(situation: AnySituation, letter: LetterText) -> LetterText:
    """The letter with the lines that consult its game among the commands.

    The game decides whether a line that begins with such a word does; if not, the line stays.
    """
    game, reference = situation.game, consulted(situation.game)
    if reference is None:
        return letter
    lines, look_ups = letter.rest.split("\n"), list[LookUp]()
    for number, line in enumerate(lines):
        command = _command(game.grammar.parent, line) if len(look_ups) < MOST else None
        if command and reference.look_up(game.view(situation.state, None), *command) is not None:
            lines[number] = " " * len(line)
            look_ups.append(LookUp(*command))
    return (
        letter._replace(commands=(*letter.commands, *dict.fromkeys(look_ups)), rest="\n".join(lines))
        if look_ups
        else letter
    )


def take_named(letter: LetterText) -> LetterText:
    """The same for a letter that is about no match, with lines that name a game: `card Bao of rocknroll`."""
    lines, look_ups = letter.rest.split("\n"), list[LookUp]()
    for number, line in enumerate(lines):
        named = _of_a_game(line) if len(line) <= _MAX_LINE and len(look_ups) < MOST else None
        if named is not None:
            lines[number] = " " * len(line)
            look_ups.append(named)
    return (
        letter._replace(commands=(*letter.commands, *dict.fromkeys(look_ups)), rest="\n".join(lines))
        if look_ups
        else letter
    )


def _of_a_game(line: str) -> LookUp | None:
    """A line that consults a game and names it before or behind."""
    for game in games.GAMES.values():
        reference, rest = consulted(game), _without_game(game, line)
        command = _command(game.grammar.parent, rest) if reference and rest is not None else None
        if reference and command and reference.look_up(initial_view(game), *command) is not None:
            return LookUp(*command, game.name)
    return None


def _without_game(game: AnyGame, line: str) -> str | None:
    """A line without the name of a game; None if it does not have it."""
    names = words.alternatives((game.name, game.title, game.title.replace("'", "’")))
    parts = re.fullmatch(rf"\W*{names}\b\W+(.+)|(.+?)\W+(?:(?:of|in|from|aus|von|из|в|для)\W+)?{names}\W*", line, re.I)
    return None if parts is None else parts[1] or parts[2]


@cache
def initial_view(game: AnyGame) -> Any:
    """What everybody sees of a game with its usual options before its first turn. It stands for no match, so its random
    draws mean nothing."""
    return game.view(game.new(with_default_files(game, {}), SecretChance(bytes(SECRET))), None)


def is_lookup_of_all(game: AnyGame, line: str) -> bool:
    """Whether a line is a word that asks this game for everything it has, and another one for something else: a map."""
    words_alone = {
        caseless(word) for group in words_in(game.grammar.parent, "lookups_alone").values() for word in group
    }
    return caseless(line.strip(_ROUND)) in words_alone


def may_consult(text: str, game: AnyGame | None) -> bool:
    """Whether a line of a text begins like one that consults the game, or any game if `game` is None."""
    lines = text.split("\n")
    return any(_command(folder, line) for folder in ([game.grammar.parent] if game else folders()) for line in lines)


def may_be_lookup(line: str) -> bool:
    """Whether a short line may consult some game, judged by its first word alone."""
    return any(_few(folder).match(line) for folder in folders())


def _command(folder: Path, line: str) -> tuple[str, str] | None:
    """The English word and the name behind it, of a line that begins with a word of the game in a folder."""
    parts = _spellings(folder).line.fullmatch(line) if len(line) <= _MAX_LINE else None
    return (_spellings(folder).english[caseless(parts[1])], parts[2].strip(_ROUND)) if parts else None


@cache
def _spellings(folder: Path) -> _Spellings:
    table = words_in(folder, "lookups")
    english = {spelling.casefold(): word for word, spellings in table.items() for spelling in spellings}
    begin = rf"\W{{0,4}}(?:{_POLITE}\b\W{{1,3}})?({words.alternatives(english)})\b"
    return _Spellings(re.compile(rf"{begin}(.*?)(?:[ ,]+{_POLITE})?[ .!]*", re.I), english)


@cache
def _few(folder: Path) -> re.Pattern[str]:
    return re.compile(rf"\W{{0,4}}({words.alternatives(_spellings(folder).english)})\b{_FEW}", re.I)
