"""The options of a match according to the schema of its game: parse them from text, and check them."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, Self, assert_never

from pbem import Sentence
from pbem.games.values import GameError
from pbem.games.words import display_names
from pbem.typed import quote


@dataclass(frozen=True, slots=True)
class Option:
    """A choice about a match before it begins. The command line, league files, challenges by mail and the docs are
    generated from it.

    `kind` says whether its value is a whole number from `least` to `most`, one of the `choices`, or several of them.
    `default` applies if the option is not set; if it is None, None is always allowed. `help` explains the option in one
    sentence. `flag` is its name on the command line if that differs, such as the singular of a list. `is_open`: the
    operator and league files may also give a value outside the choices, such as the path of a file, which the game
    checks itself. `varies`: in a league it changes from round to round unless the league fixes it. `is_shown`: the
    invitation mentions it if it differs from the default. `of_seats`: the choices are seats, and the chosen ones take
    part.
    """

    name: str
    kind: Literal["number", "choice", "several"]
    help: Sentence
    default: Any = None
    choices: tuple[str, ...] = ()
    least: int = 1
    most: int = 1
    flag: str = ""
    is_open: bool = False
    varies: bool = False
    is_shown: bool = True
    of_seats: bool = False

    def varied(self, number: int) -> Any:
        """Return the value in opening `number`, counted from 0: each choice in turn. If several choices may be taken,
        the first value is none of them, and each later one is a single choice."""
        if self.kind == "choice":
            return self.choices[number % len(self.choices)]
        at = number % (len(self.choices) + 1)
        return (self.choices[at - 1],) if at else ()


class OptionWord(Sentence):
    """An option or one of its choices. Each language names it with the words of its game, which people may also use in
    letters."""

    folder: Path

    def __new__(cls, folder: Path, word: str) -> Self:
        """Create the word for the game in `folder`."""
        self = super().__new__(cls, "{word}", word=word)
        self.folder = folder
        return self

    def translated(self, look_up: Callable[[str], str], language: str = "") -> str:
        return describe_option(self.folder, str(self), language)


def describe_option(folder: Path, word: str, language: str) -> str:
    """Name an option or one of its choices in a language, for the game in a folder."""
    return display_names(folder, "options", language).get(word) or word.replace("_", " ")


def with_defaults(title: str, schema: Sequence[Option], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return all options of a game, with defaults for those that were not chosen. Raises GameError for the first
    invalid one."""
    check(title, schema, chosen)
    return {option.name: chosen.get(option.name, option.default) for option in schema}


def check(title: str, schema: Sequence[Option], chosen: Mapping[str, Any], folder: Path | None = None) -> None:
    """Raise GameError for the first invalid option, saying what would be valid.

    `folder` is the folder of the game, and is given for options from letters. Letters may use only the listed choices,
    because they must not make the desk open files. The error then names options in the reader's language.
    """
    word, closed = partial(OptionWord, folder) if folder else str, folder is not None
    names = [word(option.name) for option in schema]
    if unknown := sorted(chosen.keys() - set(names)):
        listed = (
            Sentence("{first} and {last}", first=tuple(names[:-1]), last=names[-1]) if names[1:] else "".join(names)
        )
        values = {"game": title, "unknown": tuple(unknown), "names": listed or "none"}
        raise GameError(Sentence("{game} has no option {unknown}; there are {names}.", **values))
    for option in schema:
        value = chosen.get(option.name, option.default)
        if value != option.default and not _fits(option, value, closed=closed):
            raise GameError(_right(option, value, word))


def with_seats(schema: Sequence[Option], chosen: Mapping[str, Any], seats: Collection[str]) -> dict[str, Any]:
    """Complete the choices for a match in which these seats are taken, if the seats of the game are an option."""
    of_seats = {
        option.name: tuple(choice for choice in option.choices if choice in seats)
        for option in schema
        if option.of_seats and set(seats) <= set(option.choices)
    }
    return {**of_seats, **chosen}


def seats_chosen(schema: Sequence[Option], chosen: Mapping[str, Any], seats: Sequence[str]) -> Sequence[str]:
    """Return the seats of a match; if seats were chosen, in the order of that choice."""
    named = next((chosen[option.name] for option in schema if option.of_seats and chosen.get(option.name)), seats)
    return tuple(named)


def read_texts(schema: Sequence[Option], texts: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Convert the texts given for each option into values. Nonsensical ones are left for `check` to reject."""
    return {option.name: _read(option, texts[option.name]) for option in schema if texts.get(option.name)}


def parse_options(schema: Sequence[Option], text: str, words: Mapping[str, Sequence[str]] = {}) -> dict[str, Any]:
    """Parse options as letters write them, separated by commas: `board triangles, trades A/V M/H, turn limit 30`.
    `words` contains the names of options and choices in other languages."""
    english = {_plain(word): name for name, others in words.items() for word in others}
    texts: dict[str, list[str]] = {}
    for part in filter(None, map(str.strip, re.split("[,;]", text))):
        tokens = [english.get(_plain(word), word) for word in part.replace("=", " ").replace(":", " ").split()]
        option, values = _named(schema, tokens)
        texts.setdefault(option, []).extend(values)
    return {name: " ".join(entries) for name, entries in texts.items()} | read_texts(schema, texts)


def _plain(word: str) -> str:
    return word.casefold().replace("ё", "е")


def _named(schema: Sequence[Option], words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Find the option with whose name the words begin, or else take the first word as the name; return the name and the
    remaining words."""
    for option in schema:
        for name in filter(None, (option.name, option.flag.replace("-", "_"))):
            for length in (1, name.count("_") + 1):
                if "_".join(words[:length]).casefold().replace("-", "_") == name:
                    return option.name, words[length:]
    return words[0] if words else "", words[1:]


def _read(option: Option, texts: Sequence[str]) -> Any:
    choices = option.choices
    values = [next((choice for choice in choices if choice.casefold() == text.casefold()), text) for text in texts]
    match option.kind:
        case "several":
            return tuple(values)
        case "number" if re.fullmatch("[0-9]{1,9}", values[-1]):
            return int(values[-1])
        case _:
            return values[-1]


def _fits(option: Option, value: Any, *, closed: bool) -> bool:
    def is_choice(entry: object) -> bool:
        return isinstance(entry, str) and (entry in option.choices or (option.is_open and not closed))

    match option.kind:
        case "number":
            return type(value) is int and option.least <= value <= option.most  # a bool does not count as a number
        case "choice":
            return is_choice(value)
        case "several":
            return isinstance(value, list | tuple) and all(map(is_choice, value)) and not (closed and _doubled(value))
        case _:
            assert_never(option.kind)


def _doubled(values: Sequence[object]) -> bool:
    return len(set(values)) < len(values)


def _right(option: Option, value: Any, word: Callable[[str], str]) -> Sentence:
    """Return the error sentence that says what would be valid."""
    choices = tuple(map(word, option.choices))
    values: dict[str, object] = {"name": word(option.name), "choices": choices, "found": quote(value)}
    match option.kind:
        case "number":
            values = {**values, "least": option.least, "most": option.most}
            return Sentence("{name} is a number from {least} to {most}, not {found}.", **values)
        case "choice":
            return Sentence("{name} is one of {choices}, not {found}.", **values)
        case "several":
            return Sentence("{name} is a list of some of {choices}, not {found}.", **values)
        case _:
            assert_never(option.kind)
