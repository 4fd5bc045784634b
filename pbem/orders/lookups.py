"""Lines that look up something in the game, such as `card Bao`. Each game defines the words with which such lines
begin."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pbem import games
from pbem.games.base import AnyGame, with_default_files
from pbem.games.capabilities import AnswersLookups
from pbem.games.chance import SECRET, SecretChance
from pbem.games.spelling import caseless
from pbem.games.words import words_in
from pbem.i18n import words
from pbem.orders.command import LetterText, LookUp
from pbem.orders.grammar import sound_folders
from pbem.orders.situation import AnySituation

MOST = 20
"""The maximum number of look-ups that are answered for one letter."""

_MAX_LINE = 100  # the maximum number of characters in a line that looks something up
_POLITE = words.pattern("around", "polite")
_ROUND = " .,:;?!…\"'“”„«»‘’`*_-–—=>"  # characters that may surround a name or a single word
_FEW = r"(?:\W+\w+){0,4}\W*$"  # a pattern for what may follow the first word of a short look-up


class _Spellings(NamedTuple):
    """A pattern for lines that begin with one of the game's look-up words, and a mapping from each look-up word, in
    lower case, to its English word."""

    line: re.Pattern[str]
    english: Mapping[str, str]


@cache
def consulted(game: AnyGame) -> AnswersLookups | None:
    """Return `game`, typed as one that answers look-ups; None if it has nothing to look up."""
    return game if isinstance(game, AnswersLookups) else None


def take_lookups(situation: AnySituation, letter: LetterText) -> LetterText:
    """Return `letter` with the lines that look up something in its game turned into commands.

    The game decides whether a line that begins with a look-up word is indeed a look-up. If not, the line remains in the
    text.
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
    """Return `letter`, which is about no match, with its look-ups turned into commands. Each look-up must name a game:
    `card Bao of rocknroll`."""
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
    """Return the look-up in `line`, which begins or ends with the name of a game; None if `line` is not a look-up."""
    for game in games.GAMES.values():
        reference, rest = consulted(game), _without_game(game, line)
        command = _command(game.grammar.parent, rest) if reference and rest is not None else None
        if reference and command and reference.look_up(initial_view(game), *command) is not None:
            return LookUp(*command, game.name)
    return None


def _without_game(game: AnyGame, line: str) -> str | None:
    """Return `line` without the name of `game` at its beginning or end; None if the name is in neither place."""
    names = words.alternatives((game.name, game.title, game.title.replace("'", "’")))
    parts = re.fullmatch(rf"\W*{names}\b\W+(.+)|(.+?)\W+(?:(?:of|in|from|aus|von|из|в|для)\W+)?{names}\W*", line, re.I)
    return None if parts is None else parts[1] or parts[2]


@cache
def initial_view(game: AnyGame) -> Any:
    """Return the public view of `game`, with its usual options, before the first turn. The view belongs to no match, so
    the random draws in it mean nothing."""
    return game.view(game.new(with_default_files(game, {}), SecretChance(bytes(SECRET))), None)


def is_lookup_of_all(game: AnyGame, line: str) -> bool:
    """Return whether `line` is a single word, such as "map", that asks `game` for everything of a kind but may mean
    something else in another game."""
    words_alone = {
        caseless(word) for group in words_in(game.grammar.parent, "lookups_alone").values() for word in group
    }
    return caseless(line.strip(_ROUND)) in words_alone


def may_consult(text: str, game: AnyGame | None) -> bool:
    """Return whether any line of `text` begins like a look-up in `game` or, if `game` is None, in any game."""
    lines = text.split("\n")
    return any(
        _command(folder, line) for folder in ([game.grammar.parent] if game else sound_folders()) for line in lines
    )


def may_be_lookup(line: str) -> bool:
    """Return whether `line` is short and may be a look-up in some game, judging by its first word alone."""
    return any(_few(folder).match(line) for folder in sound_folders())


def _command(folder: Path, line: str) -> tuple[str, str] | None:
    """Return the English look-up word and the name after it in `line`; None if `line` does not begin with a look-up
    word of the game in `folder`."""
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
