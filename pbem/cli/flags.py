"""The global options, and a class for commands that have a flag for each seat and each option of a game."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.run import config_of

if TYPE_CHECKING:
    from pbem.config.config import Address, Config
    from pbem.games.base import AnyGame, Seat
    from pbem.games.options import Option
    from pbem.service.desk import Desk


class Settings:
    """The global options. The configuration is read only when a command needs it."""

    def __init__(self, config: str | None, now: str | None) -> None:
        self._config, self._now = config, now
        self.rehearsal = now is not None

    def config(self) -> "Config":
        return config_of(self._config)

    def now(self) -> datetime:
        """Return the moment that a command treats as the present: the moment given by `--now`, or else the actual time.
        Raises UsageError if `--now` is given but the desk is not a rehearsal desk."""
        from pbem.service.tick import clock
        from pbem.times.moments import parse_moment

        if self._now is None:
            return clock()
        moment = parse_moment(self._now)
        if not self.config().desk.rehearsal:
            raise click.UsageError("This desk goes by the clock: --now is for desks made by `pbem init --rehearsal`.")
        return moment

    @contextmanager
    def desk(self) -> "Iterator[Desk]":
        """Yield the open desk to a command that reads or changes games, and close the desk's database afterwards."""
        from pbem.config.config import read_key
        from pbem.service.desk import Desk
        from pbem.store.database import Store, connect, look

        config = self.config()
        conn = connect(config.database)
        try:
            now = self.now()
            yield Desk(config, Store(conn), now, look(conn, now).last_run, read_key(config.desk.key_file))
        finally:
            conn.close()


class Command(click.Command):
    """A command whose usage shows which options are required, since `[OPTIONS]` looks as if none were."""

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        required = [one for one in self.get_params(ctx) if isinstance(one, click.Option) and one.required]
        return [*super().collect_usage_pieces(ctx), *(f"{one.opts[0]} {one.make_metavar(ctx)}" for one in required)]


class Group(click.Group):
    """A group of such commands."""

    command_class = Command
    group_class = type


class GameCommand(click.Command):
    """A command about a game: `--game` names the game, and each option of the game has a flag.

    The command's function gets `game` and, in `chosen`, the options that were given. A command that is `seated` also
    has `--seat` and a flag for each seat; its function gets `people`, which maps each seat to its player.
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

    def _of_game(self, game: "AnyGame") -> Iterator[click.Parameter]:
        yield click.Option(["--game"], metavar="NAME", default=game.name, show_default=True, help="Which game.")
        if self._seated:
            yield click.Option(
                ["--seat"], multiple=True, metavar="SEAT='NAME <ADDRESS>'", help="Who plays a seat, once for each."
            )
            for seat in _all_seats(game):
                yield click.Option([f"--{seat}", _seat(seat)], metavar="'NAME <ADDRESS>'", help=f"The same as {seat}=.")
        for option in game.options({}):
            yield click.Option(
                [f"--{flag(option)}", _option(option)],
                multiple=option.kind == "several",
                metavar=_metavar(option),
                help=str(option.help),
            )

    def invoke(self, ctx: click.Context) -> Any:
        from pbem.games.base import seats_of
        from pbem.games.options import check, read_texts, with_seats

        game: AnyGame = ctx.meta[__name__]
        params, schema = ctx.params, game.options({})
        written = {option.name: params.pop(_option(option)) or () for option in schema}
        chosen = read_texts(schema, {option.name: _texts(option, written[option.name]) for option in schema})
        check(game.title, game.options(chosen), chosen)
        if self._seated:
            named = [(f"--{seat}", seat, params.pop(_seat(seat))) for seat in _all_seats(game)]
            if whole := params.get("sandbox"):
                named = [("--sandbox", seat, whole) for seat in seats_of(game, chosen)]
            seats = [*(seat_flag for seat_flag in named if seat_flag[2]), *map(_split, params.pop("seat"))]
            wanted = {seat for _, seat, _ in seats}
            if len(wanted) > 1 and wanted != set(seats_of(game, chosen)):
                chosen = with_seats(schema, chosen, wanted)
            params["people"] = _seating(game, seats_of(game, chosen), seats)
        params.update(game=game, chosen=chosen)
        return super().invoke(ctx)


def flag(option: "Option") -> str:
    """Return the command-line flag for `option`, without its two hyphens."""
    return option.flag or option.name.replace("_", "-")


def _all_seats(game: "AnyGame") -> "tuple[Seat, ...]":
    """Return all seats that a match of `game` can have: the choices of the option that selects the seats or, if the
    game has no such option, the seats of a match with default options."""
    from pbem.games.base import seats_of

    return next((option.choices for option in game.options({}) if option.of_seats), seats_of(game, {}))


def _texts(option: "Option", written: str | Sequence[str]) -> Sequence[str]:
    """Return the texts given for `option` as a sequence. If the option can be given several times, each text may
    contain several choices, separated by commas or blanks. A text is not split if the option also accepts texts that
    are not among its choices, such as file names."""
    if isinstance(written, str):
        return (written,)
    return (
        written
        if option.is_open
        else tuple(choice for text in written for choice in re.split(r"[,\s]+", text) if choice)
    )


def _split(text: str) -> "tuple[str, Seat, str]":
    """Split `text`, which has the form `SEAT=PLAYER`. Return `--seat SEAT`, for use in error messages, together with
    the seat and the player. Raises ConfigError if there is no `=`."""
    from pbem.config.ini import ConfigError

    name, mark, person = text.partition("=")
    if not mark:
        raise ConfigError("--seat", f'"{text}" is no seat with its player: write SEAT="Alice <alice@example.net>".')
    return f"--seat {name.strip().lower()}", name.strip().lower(), person.strip()


def _seating(
    game: "AnyGame", seats: "Sequence[Seat]", written: "Sequence[tuple[str, Seat, str]]"
) -> "dict[Seat, Address]":
    """Return a mapping from each of `seats` to its player. `written` contains the flag, the seat and the player for
    each seat that was given. Raises ConfigError if the players do not match the seats."""
    from pbem.config.config import parse_address
    from pbem.config.ini import ConfigError

    people: dict[Seat, Address] = {}
    first: dict[str, str] = {}
    for where, seat, text in written:
        if seat not in seats:
            possible = _all_seats(game) if seat not in _all_seats(game) else seats
            raise ConfigError("--seat", f'{game.title} has no seat "{seat}"; there are {listed(possible)}.')
        if seat in people:
            raise ConfigError(where, f"{seat} has somebody already: name each seat once.")
        people[seat] = parse_address(text, where)
        earlier = first.setdefault(people[seat].address.lower(), where)
        if earlier != where:
            raise ConfigError(where, f"has the address of {earlier}: each seat needs a different person.")
    if missing := [seat for seat in seats if seat not in people]:
        example = f'--{missing[0]} "Alice <alice@example.net>"'
        raise ConfigError(f"--{missing[0]}", f"nobody plays {listed(missing)}: write {example}.")
    return {seat: people[seat] for seat in seats}


def listed(names: Sequence[str]) -> str:
    """Join names as in a sentence: a, b and c."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def _find_game(args: Sequence[str]) -> "AnyGame":
    """Return the game that `--game` in `args` names, or Ozymandia if `--game` is missing. Raises GameError for an
    unknown game."""
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
