"""Flags that a command takes from the game that it is for: one for each seat, one for each option."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from pbem.config.config import Address
    from pbem.games.base import Game, Option, Seat

_NUMBERS = ("none", "one", "two", "three", "four", "five", "six")


class OfGame(click.Command):
    """A command that is for a game: `--game` names it, and its options are flags.

    The function behind it gets `game` and, in `chosen`, those of its options that were written. Of a command that is
    `seated` the seats are flags, too, beside `--seat`; it gets `people`, by seat.
    """

    def __init__(self, *args: Any, seated: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._seated = seated

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[__name__] = _find_game(args)
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        own = super().get_params(ctx)
        return [*own[:-1], *self._of_game(ctx.meta.get(__name__) or _find_game([])), *own[-1:]]

    def _of_game(self, game: "Game") -> Iterator[click.Parameter]:
        yield click.Option(["--game"], metavar="NAME", default=game.name, show_default=True, help="Which game.")
        if self._seated:
            yield click.Option(
                ["--seat"], multiple=True, metavar="SEAT='NAME <ADDRESS>'", help="Who plays a seat, once for each."
            )
            for seat in game.seats:
                yield click.Option([f"--{seat}", _seat(seat)], metavar="'NAME <ADDRESS>'", help=f"The same as {seat}=.")
        for option in game.options({}):
            yield click.Option(
                [f"--{flag(option)}", _option(option)],
                multiple=option.kind == "several",
                metavar=_metavar(option),
                help=str(option.help),
            )

    def invoke(self, ctx: click.Context) -> Any:
        from pbem.games.options import read_texts

        game: Game = ctx.meta[__name__]
        params, schema = ctx.params, game.options({})
        written = {option.name: params.pop(_option(option)) or () for option in schema}
        texts = {name: (found,) if isinstance(found, str) else found for name, found in written.items()}
        params.update(game=game, chosen=read_texts(schema, texts))
        if self._seated:
            named = {seat: found for seat in game.seats if (found := params.pop(_seat(seat)))}
            params["people"] = _seating(game, named, params.pop("seat"))
        return super().invoke(ctx)


def flag(option: "Option") -> str:
    """What an option is called on the command line."""
    return option.flag or option.name.replace("_", "-")


def _seating(game: "Game", named: "Mapping[Seat, str]", written: Sequence[str]) -> "dict[Seat, Address]":
    """Who plays each seat, by flags of the seats' own and by `--seat`. Raises ConfigError."""
    from pbem.config.config import parse_address
    from pbem.config.ini import ConfigError

    where = {seat: f"--{seat}" for seat in game.seats}
    found = {seat: parse_address(text, where[seat]) for seat, text in named.items()}
    for text in written:
        name, mark, person = text.partition("=")
        seat = name.strip().lower()
        if not mark:
            raise ConfigError("--seat", f'"{text}" is no seat with its player: write {_example(game.seats[0])}.')
        if seat not in game.seats:
            raise ConfigError("--seat", f'{game.title} has no seat "{name.strip()}"; there are {_listed(game.seats)}.')
        if seat in found:
            raise ConfigError("--seat", f"{seat} has somebody already: name each seat once.")
        where[seat] = f"--seat {seat}"
        found[seat] = parse_address(person.strip(), where[seat])
    if missing := [seat for seat in game.seats if seat not in found]:
        raise ConfigError("--seat", f"nobody plays {_listed(missing)}: write {_example(missing[0])}.")
    _all_different(where, found)
    return {seat: found[seat] for seat in game.seats}


def _all_different(where: "Mapping[Seat, str]", found: "Mapping[Seat, Address]") -> None:
    from pbem.config.ini import ConfigError

    first: dict[str, Seat] = {}
    for seat in where:
        other = first.setdefault(found[seat].address.lower(), seat)
        if other != seat:
            number = _NUMBERS[len(where)] if len(where) < len(_NUMBERS) else len(where)
            raise ConfigError(where[seat], f"has the address of {where[other]}: a game is for {number}.")


def _example(seat: "Seat") -> str:
    return f'--seat {seat}="Alice <alice@example.net>"'


def _listed(names: Sequence[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def _find_game(args: Sequence[str]) -> "Game":
    """The game that a command line names. Raises GameError for one that is not there."""
    from pbem.games import DEFAULT, find_game

    name = DEFAULT
    for word, after in zip(args, [*args[1:], ""], strict=False):
        if word == "--game" or word.startswith("--game="):
            name = word.partition("=")[2] or after
    return find_game(name)


def _metavar(option: "Option") -> str:
    if option.kind == "number":
        return "N"
    return "|".join((*option.choices, *(["FILE"] if option.is_open and option.kind == "choice" else [])))


def _seat(seat: "Seat") -> str:
    return f"seat_{seat}"


def _option(option: "Option") -> str:
    return f"option_{option.name}"
