"""The options of a match: the schema that a game defines for them, and functions that parse and check chosen values."""

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
    """An option that is chosen before a match begins. Arguments of the command line, keys of league files, challenges
    by mail and the docs are generated from it.

    `kind` specifies whether the value is a whole number from `least` to `most`, one of the `choices`, or several of
    them. `default` applies if the option is not set; a default of None is also a valid value. `help` explains the
    option in one sentence. `flag` is the option's name on the command line if this differs from `name`, for example the
    singular of a list.

    If `is_open` is true, the operator and league files may also give a value that is not among the choices, such as the
    path of a file; the game itself checks such a value. If `varies` is true, the value changes from round to round of a
    league, unless the league fixes it. If `is_shown` is true, an invitation mentions a value that differs from the
    default. If `of_seats` is true, the choices are seats, and the chosen seats take part.
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
        """Return the value for the league round with index `number`, counted from 0. An option with one value takes
        each choice in turn. An option with several values begins with no choice, and then takes each choice alone."""
        if self.kind == "choice":
            return self.choices[number % len(self.choices)]
        at = number % (len(self.choices) + 1)
        return (self.choices[at - 1],) if at else ()


class OptionWord(Sentence):
    """The name of an option or of one of its choices. It is translated with the words of its game, which people may
    also use in letters."""

    folder: Path

    def __new__(cls, folder: Path, word: str) -> Self:
        """Create the name for `word`, an option or a choice of the game in `folder`."""
        self = super().__new__(cls, "{word}", word=word)
        self.folder = folder
        return self

    def translated(self, look_up: Callable[[str], str], language: str = "") -> str:
        return describe_option(self.folder, str(self), language)


def describe_option(folder: Path, word: str, language: str) -> str:
    """Return the name in `language` for `word`, which is an option of the game in `folder` or a choice of such an
    option."""
    return display_names(folder, "options", language).get(word) or word.replace("_", " ")


def with_defaults(title: str, schema: Sequence[Option], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of all options of a game, with defaults for options that are not in `chosen`. Raises GameError
    for the first invalid value."""
    check(title, schema, chosen)
    return {option.name: chosen.get(option.name, option.default) for option in schema}


def check(title: str, schema: Sequence[Option], chosen: Mapping[str, Any], folder: Path | None = None) -> None:
    """Raise GameError for the first invalid option in `chosen`, with a message that explains what would be valid.

    `folder`, the folder of the game, is given for options from a letter. Letters may use only the listed choices,
    because they must not make the desk open files; and error messages about letters name options in the reader's
    language.
    """
    word, closed = partial(OptionWord, folder) if folder else str, folder is not None
    names = [word(option.name) for option in schema]
    if unknown := sorted(chosen.keys() - set(names)):
        listed = (
            Sentence("{first} and {last}", first=tuple(names[:-1]), last=names[-1]) if names[1:] else "".join(names)
        )
        values = {"game": title, "unknown": tuple(unknown), "names": listed or "none"}
        raise GameError(Sentence("{game} has no option {unknown}; its options are {names}.", **values))
    for option in schema:
        value = chosen.get(option.name, option.default)
        if value != option.default and not _fits(option, value, closed=closed):
            raise GameError(_right(option, value, word))


def with_seats(schema: Sequence[Option], chosen: Mapping[str, Any], seats: Collection[str]) -> dict[str, Any]:
    """Return `chosen` with `seats` as the value of the option that selects the seats of a match. Nothing is added if
    `chosen` has a value for that option, or if the game has no such option for these seats."""
    of_seats = {
        option.name: tuple(choice for choice in option.choices if choice in seats)
        for option in schema
        if option.of_seats and set(seats) <= set(option.choices)
    }
    return {**of_seats, **chosen}


def seats_chosen(schema: Sequence[Option], chosen: Mapping[str, Any], seats: Sequence[str]) -> Sequence[str]:
    """Return the seats that were chosen with an option, in the order of the choice. If no seats were chosen, return
    `seats`."""
    named = next((chosen[option.name] for option in schema if option.of_seats and chosen.get(option.name)), seats)
    return tuple(named)


def read_texts(schema: Sequence[Option], texts: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Convert the texts given for each option to values. Invalid texts are kept, and `check` rejects them later."""
    return {option.name: _read(option, texts[option.name]) for option in schema if texts.get(option.name)}


def parse_options(schema: Sequence[Option], text: str, words: Mapping[str, Sequence[str]] = {}) -> dict[str, Any]:
    """Parse options as people write them in letters, separated by commas:
    `board triangles, trades A/V M/H, turn limit 30`. `words` contains the names of options and choices in other
    languages."""
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
    """Find the option whose name is at the start of `words`; if there is no such option, take the first word as the
    name. Return the name and the remaining words."""
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
    """Return an error message that explains which values of `option` are valid."""
    choices = tuple(map(word, option.choices))
    values: dict[str, object] = {"name": word(option.name), "choices": choices, "found": quote(value)}
    match option.kind:
        case "number":
            values = {**values, "least": option.least, "most": option.most}
            return Sentence("{name} must be a number from {least} to {most}, not {found}.", **values)
        case "choice":
            return Sentence("{name} must be one of {choices}, not {found}.", **values)
        case "several":
            return Sentence("{name} must be a list of some of {choices}, not {found}.", **values)
        case _:
            assert_never(option.kind)
