"""`pbem lab`: what self-play shows about the computer opponents and the games."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.flags import GameCommand, flag, listed
from pbem.cli.run import tell

if TYPE_CHECKING:
    from pbem.games.base import AnyGame
    from pbem.lab.figures import Figures


@click.group()
def lab() -> None:
    """Test levels of the computer and games by self-play."""


_OPTIONS = (
    click.option("--games", "number", type=click.IntRange(1), default=1000, show_default=True, metavar="N"),
    click.option(
        "--seed", type=click.IntRange(0), default=1, show_default=True, metavar="N", help="The seed of all chance."
    ),
    click.option(
        "--results", type=click.Path(path_type=Path), metavar="FILE", help="Keep games there, and continue from them."
    ),
    click.option("--workers", type=click.IntRange(1), metavar="N", help="Processes; else one for each core."),
    click.option("--scheduler", metavar="ADDRESS", help="A Dask cluster that plays the games instead."),
    click.option("--plot", type=click.Path(path_type=Path), metavar="FILE", help="A picture, such as figures.svg."),
    click.option("--json", "as_json", is_flag=True),
)


def _experiment_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that all experiments share."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@lab.command("match", cls=GameCommand)
@click.argument("first", metavar="LEVEL")
@click.argument("second", metavar="LEVEL")
@_experiment_options
def match_levels(game: "AnyGame", chosen: Mapping[str, Any], first: str, second: str, **how: Any) -> None:
    """Let two levels play each other, changing sides. A level is a number from 1 to 5, or `simple`, which stands for
    the opponent in `pbem demo`."""
    _show(game, chosen, (first, second), **how)


class _ChoiceCommand(GameCommand):
    """A command about a game whose first argument may be a board, a set or a scenario, such as `lattice`. That argument
    then also determines the game."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and not args[0].startswith("-"):
            args = [*_of_choice(args[0]), *args[1:]]
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [click.Argument(["word"], required=False, metavar="[BOARD|SET|SCENARIO]"), *super().get_params(ctx)]

    def invoke(self, ctx: click.Context) -> Any:
        if ctx.params.pop("word") is not None:
            raise click.UsageError("Name a board, a set or a scenario first, and options behind it.")
        return super().invoke(ctx)


def _of_choice(word: str) -> list[str]:
    """Return the options that select the board, set or scenario `word` and the game to which it belongs. Raises
    GameError if no game has it."""
    from pbem.games import GAMES
    from pbem.games.base import GameError

    choices: list[str] = []
    for game in GAMES.values():
        for option in game.options({}):
            if option.kind == "choice" and word in option.choices:
                return ["--game", game.name, f"--{flag(option)}", word]
            choices += option.choices if option.kind == "choice" else ()
    raise GameError(f'No game has "{word}" to choose from; there are {listed(choices)}. Files go behind their option.')


@lab.command(cls=_ChoiceCommand)
@click.option("--level", default="2", show_default=True, metavar="LEVEL", help="The level of all sides.")
@_experiment_options
def balance(game: "AnyGame", chosen: Mapping[str, Any], level: str, **how: Any) -> None:
    """Let a level play itself, and say whether the sides are fair. The first word is the board, set or scenario to
    play, such as `lattice`, `expansion` or `hill`. A level is given as for `match`."""
    _show(game, chosen, (level,), **how)


@lab.command(cls=GameCommand)
@click.argument("name", metavar="OPTION|KEY")
@click.argument("values", metavar="VALUE...", nargs=-1, required=True)
@click.option("--level", default="2", show_default=True, metavar="LEVEL", help="The level of all sides.")
@_experiment_options
def tune(
    game: "AnyGame", chosen: Mapping[str, Any], name: str, values: tuple[str, ...], level: str, **how: Any
) -> None:
    """Find the value for which the sides are fairest. Each VALUE is tried for an option, or for a number in the game's
    files such as `numbers.opening_units`. With this command, `--results` names a folder."""
    from pbem.lab.tuning import candidates, file_name, tuned

    if plot := how["plot"]:
        from pbem.lab.plot import check_file, draw_tuned

        check_file(plot)
    results_folder: Path | None = how.pop("results")
    by_value = {}
    with TemporaryDirectory(prefix="pbem-lab-") as scratch:
        folder = results_folder or Path(scratch)
        folder.mkdir(exist_ok=True)
        for value, options in candidates(game, chosen, name, values, folder).items():
            results = results_folder and results_folder / f"{file_name(name, value)}.jsonl"
            by_value[value] = _played(game, options, (level,), results=results, **how)
    if how["as_json"]:
        click.echo(json.dumps({value: figures.as_data() for value, figures in by_value.items()}))
    else:
        click.echo(tuned(name, by_value))
    if plot:
        draw_tuned(name, by_value, plot)


def _played(game: "AnyGame", chosen: Mapping[str, Any], players: tuple[str, ...], **how: Any) -> "Figures":
    """Return the figures of an experiment, after playing any games that were still missing."""
    from pbem.games.options import with_defaults
    from pbem.lab.figures import figures_of
    from pbem.lab.play import experiment
    from pbem.lab.results import open_results
    from pbem.lab.run import cluster, play_all, processes

    of = experiment(game, with_defaults(game.title, game.options(chosen), chosen), players, how["seed"])
    number: int = how["number"]
    with open_results(how["results"], of) as results:
        remaining = sum(at not in results.games for at in range(number))
        if remaining:
            where = cluster(how["scheduler"]) if how["scheduler"] else processes(how["workers"])
            with where as workers, _progress(number, number - remaining) as played:
                if workers.remark:
                    tell(workers.remark)
                try:
                    play_all(of, number, results, workers, played)
                except KeyboardInterrupt:
                    outcome = "what was played is kept: the same line goes on" if how["results"] else "nothing is kept"
                    tell(f"\nEnded after {len(results.games)} of {number} games; {outcome}.")
                    raise
        return figures_of(of, results.first(number))


@contextmanager
def _progress(games: int, there: int) -> Iterator[Callable[[int], None]]:
    """Yield a function that adds to the number of games played, which is shown on a terminal. `there` is the number of
    games that had been played before."""
    if not sys.stderr.isatty():
        yield lambda number: None
        return
    with click.progressbar(length=games, show_pos=True, file=sys.stderr) as bar:
        bar.update(there)
        yield bar.update


def _show(game: "AnyGame", chosen: Mapping[str, Any], players: tuple[str, ...], **how: Any) -> None:
    """Run an experiment, and print its results."""
    from pbem.lab.figures import table

    if plot := how["plot"]:
        from pbem.lab.plot import check_file, draw

        check_file(plot)
    figures = _played(game, chosen, players, **how)
    click.echo(json.dumps(figures.as_data()) if how["as_json"] else table(figures))
    if plot:
        draw(figures, plot)
