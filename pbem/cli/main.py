"""The main commands of `pbem`. Any failure becomes one line and an exit status; users never see a traceback."""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem import __version__
from pbem.cli import tools
from pbem.cli.flags import GameCommand, Settings
from pbem.cli.run import TROUBLE, WRONG_USE, progress, say_if_empty, status_of, tell, tell_lines
from pbem.cli.run import poll as run_poll
from pbem.typed import unseen

if TYPE_CHECKING:
    from pbem.config.config import Address
    from pbem.games.base import AnyGame, Seat
    from pbem.match.terms import Terms


_WORDS = "pbem.words"  # the key of the command line's words in click's context


class LazyGroup(click.Group):
    """A group that loads most of its commands only when they are needed; `pbem poll` never needs them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.loaders: list[Callable[[click.Group], None]] = []

    def list_commands(self, ctx: click.Context) -> list[str]:
        self._load()
        return super().list_commands(ctx)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.commands:
            self._load()
        return super().get_command(ctx, cmd_name)

    def _load(self) -> None:
        while self.loaders:
            self.loaders.pop()(self)


class Commands(LazyGroup):
    """A group of commands that reports any failure of a command in one line."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_WORDS] = tuple(args)
        for word in args:
            if (char := unseen(word)) and not Path(word).exists():
                raise click.UsageError(f"A word holds the character {char}, which cannot be seen: leave it out.", ctx)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:  # noqa: BLE001 - every failure is reported in one line
            ctx.exit(status_of(error, ctx.meta[_WORDS]))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--config", metavar="FILE", help="The desk's configuration; else PBEM_CONFIG, else ./config.ini.")
@click.option("--now", metavar="MOMENT", help="Act as if it were this moment, for example 2026-11-21T20:00Z.")
@click.version_option(__version__, prog_name="pbem")
@click.pass_context
def main(ctx: click.Context, config: str | None, now: str | None) -> None:
    """Games by e-mail, adjudicated."""
    ctx.obj = Settings(config, now)


@main.command("help")
@click.argument("words", metavar="[COMMAND]...", nargs=-1)
@click.pass_context
def show_help(ctx: click.Context, /, words: tuple[str, ...]) -> None:
    """Explain the program or one of its commands. `--help` after a command does the same."""
    context = ctx.find_root()
    for word in words:
        if not isinstance(context.command, click.Group):
            raise click.UsageError(f"`{context.command_path}` has no commands of its own: `pbem help` lists all.")
        name, command, _ = context.command.resolve_command(context, [word])
        assert command
        context = click.Context(command, info_name=name, parent=context)
    click.echo(context.get_help())


@main.command()
@click.argument("folder_name", metavar="DIR", type=click.Path())
@click.option("--rehearsal", is_flag=True, help="A desk to try things at: its clock is what --now says.")
def init(folder_name: str, rehearsal: bool) -> None:
    """Make a desk in DIR. The desk gets a configuration, a key, a database and Maildirs."""
    from pbem.service.desk import make_desk

    if not folder_name.strip():
        raise click.UsageError("DIR is empty: name the folder of the new desk, or `.` for this one.")
    folder = Path(folder_name)
    path = make_desk(folder, rehearsal=rehearsal)
    click.echo(f"The desk in {folder.resolve()} is ready. Put your mailbox and addresses into {path},")
    click.echo(f"then try it: `pbem --config {path} check-config`.")


verbose_option = click.option("-v", "--verbose", is_flag=True, help="Show a line for each thing that happens.")


@main.command()
@click.option("--clock-is-right", is_flag=True, help="Go on although the last run was later: its clock was wrong.")
@verbose_option
@click.pass_obj
def poll(settings: Settings, /, clock_is_right: bool, verbose: bool) -> None:
    """Fetch letters, play turns and send letters. Cron calls this command, which prints nothing when all is well.

    Exit status 0: done. 1: trouble with the desk itself, such as a server that refuses the login, or a full disk.
    2: wrong use or configuration. Trouble with a letter or an address is told, and does not count.
    """
    if clock_is_right:
        from pbem.service.maintenance import trust_clock

        tell_lines(trust_clock(settings.config(), settings.now()))
    if status := run_poll(settings.config(), settings.now(), verbose=verbose):
        sys.exit(status)


@main.command()
@verbose_option
@click.pass_obj
def watch(settings: Settings, /, verbose: bool) -> None:
    """Run the desk whenever there is something to do. It ends with SIGTERM; cron may call `pbem poll` meanwhile."""
    from pbem.service.watch import watch as run

    if settings.rehearsal:
        raise click.UsageError("watch goes by the clock: leave --now out.")
    run(settings.config(), tell_lines, progress(), tell if verbose else None)


@main.command("check-config")
@click.option("--probe", "probing", is_flag=True, help="Write to ourselves, and tell what becomes of it.")
@click.option("--patience", default=60, show_default=True, metavar="SECONDS", help="How long a probe may take.")
@click.pass_obj
def check_config(settings: Settings, /, probing: bool, patience: int) -> None:
    """Report every problem in the configuration, and try to log in. With --probe, find out which reply addresses work,
    and whether other servers would believe and deliver our letters."""
    from pbem.config.ini import ConfigError
    from pbem.service.maintenance import check, left_to_fill_in

    problems = check(settings.config(), settings.now())
    for _, problem in problems:
        click.echo(f"pbem: {problem}", err=True)
    unfilled = [*left_to_fill_in(settings.config())]
    for finding in unfilled:
        click.echo(f"pbem: {finding.what} {finding.remedy}", err=True)
    if problems:
        sys.exit(WRONG_USE if any(isinstance(problem, ConfigError) for _, problem in problems) else TROUBLE)
    if probing:
        _probe(settings, patience)
    if unfilled:
        click.echo("Mailbox and outgoing mail can be used, but the configuration is not complete.")
        sys.exit(WRONG_USE)
    click.echo("All is well: the configuration is complete, and mailbox and outgoing mail can be used.")
    if settings.config().mailbox.reply == "none" and not probing:
        click.echo("Whether replies show what they answer, only `pbem check-config --probe` can tell.")


@click.group(cls=LazyGroup)
def game() -> None:
    """Set up and look at games."""


main.add_command(game)


@game.command("new", cls=GameCommand, seated=True)
@click.option("--deadline", metavar="'3 DAYS'|none", help="Time for a turn; else as configured.")
@click.option("--round-deadline", metavar="'1 DAY'", help="Time for a round within a turn, such as one of a battle.")
@click.option(
    "--bank", metavar="'14 DAYS'", help="A bank of time for each player, in place of a deadline or beside it."
)
@click.option("--increment", metavar="'2 DAYS'", help="What each turn adds to the bank of whom it waits for.")
@click.option(
    "--cooling-off", metavar="'10 MINUTES'|0", help="Time to think again after the last orders; else as configured."
)
@click.option("--chance", metavar="desk|words|beacon", help="What dice and cards come from; else as configured.")
@click.option("--sandbox", metavar="'NAME <ADDRESS>'", help="One person plays all sides, and sees everything.")
@click.option("--from", "from_game", metavar="ID", help="A sandbox begins from a position of this game.")
@click.option("--turn", metavar="TURN", help="The turn of --from at which it begins; else the last one.")
@click.option("--teacher", metavar="'NAME <ADDRESS>'", help="Somebody who is asked to watch a sandbox.")
@click.option("--anonymous", is_flag=True, help="Nobody but the game master is told who plays before the game is over.")
@click.option("--anonymous-to-masters", is_flag=True, help="Nor is the game master.")
@click.pass_obj
def new_game(
    settings: Settings,
    /,
    game: "AnyGame",
    people: "Mapping[Seat, Address]",
    chosen: Mapping[str, Any],
    **texts: Any,
) -> None:
    """Set up a game and queue its invitations. The last word of the output is the id of the game."""
    from dataclasses import replace

    from pbem.games.options import with_defaults
    from pbem.match.terms import parse_kind

    options = with_defaults(game.title, game.options(chosen), chosen)
    if texts["sandbox"]:
        name = _new_sandbox(settings, game, options, people, texts)
        click.echo(f"The first letter goes out with the next poll. The game is {name}")
        return
    if given := [name for name in ("from_game", "turn", "teacher") if texts[name]]:
        raise click.UsageError(f"--{given[0].removesuffix('_game')} is only for a sandbox: add --sandbox.")
    with settings.desk() as desk:
        terms = _with_own_times(desk.terms, desk.config.desk.zone, texts)
        if texts["anonymous"] or texts["anonymous_to_masters"]:
            terms = replace(terms, anonymous="game", anonymous_to_masters=bool(texts["anonymous_to_masters"]))
        if chance := texts["chance"]:
            terms = replace(terms, chance=parse_kind(chance))
        name = desk.new_game(game.name, people, options, desk.agreed(terms) if game.chance else terms)
    click.echo(f"The invitations go out with the next poll. The game is {name}")


def _with_own_times(terms: "Terms", zone: str, texts: Mapping[str, str | None]) -> "Terms":
    """Return `terms` with the times that are given on the command line."""
    from dataclasses import replace

    from pbem.match.terms import dump_terms, read_terms
    from pbem.times.dates import parse_pace
    from pbem.times.moments import parse_pause

    if deadline := texts["deadline"]:
        terms = replace(terms, deadline=parse_pace(deadline, zone))
    if within := texts["round_deadline"]:
        terms = replace(terms, round_deadline=parse_pace(within, zone))
    if texts["bank"] or texts["increment"]:
        banks = {"bank": texts["bank"] or "none", "increment": texts["increment"] or "none"}
        kept = {key: value for key, value in dump_terms(terms).items() if key != "deadline" or texts["deadline"]}
        terms = read_terms({**kept, **banks})
    if cooling_off := texts["cooling_off"]:
        terms = replace(terms, cooling_off=parse_pause(cooling_off))
    return terms


def _new_sandbox(
    settings: Settings,
    game: "AnyGame",
    options: Mapping[str, Any],
    people: "Mapping[Seat, Address]",
    texts: Mapping[str, str | None],
) -> str:
    """Set up a sandbox; return its name."""
    from pbem.config.config import parse_address
    from pbem.match.identity import Player
    from pbem.match.sandboxes import from_position, new_sandbox
    from pbem.store.matches import find_match, load_match

    (person, *_) = people.values()
    player = Player(0, person.name, person.address)
    with settings.desk() as desk:
        if name := texts["from_game"]:
            match = load_match(desk.store, find_match(desk.store, name))
            if not match.over:
                raise click.UsageError(f"{match.name} has not ended: a sandbox would show what is hidden in it.")
            new = from_position(match, texts["turn"] or "", player, desk.terms)
        else:
            new = new_sandbox(game, options, player, desk.terms)
        teacher = texts["teacher"]
        return desk.new_sandbox(new, parse_address(teacher, "--teacher") if teacher else None)


_STANDS = {
    "offered": "offered: not all have accepted",
    "accepted": "accepted: it begins with a round of the public beacon",
    "closed": "closed: it waits for a round of the public beacon",
    "paused": "paused: no turn is played",
    "review": "in review: the game master looks at the report",
    "annulled": "annulled",
}
"""Descriptions of games that are not waiting for orders, keyed by the status of the game."""


@game.command("list")
@click.option("--json", "as_json", is_flag=True)
@click.pass_obj
def list_games(settings: Settings, /, as_json: bool) -> None:
    """List all games, newest last."""
    from pbem.store.matches import match_numbers

    with settings.desk() as desk:
        games = [desk.show_game(number) for number in match_numbers(desk.store)]
    if as_json:
        click.echo(json.dumps(games))
        return
    say_if_empty(games, "There are no games yet: `pbem game new` sets one up.")
    for game in games:
        runs = game["status"] == "running" and game["waiting"]
        stands = f"waits for {' and '.join(game['waiting'])}" if runs else _STANDS.get(game["status"], game["status"])
        due = f", deadline {game['deadline']}" if game["deadline"] else ""
        kind = ", a sandbox" if game.get("sandbox") else ""
        click.echo(f"{game['id']}  {game['game']}{kind}, turn {game['turn_name']}, {stands}{due}")


@game.command("show")
@click.argument("name", metavar="ID")
@click.option("--json", "as_json", is_flag=True)
@click.option("--names", is_flag=True, help="Also the names of players who have yet to be told.")
@click.pass_obj
def show_game(settings: Settings, /, name: str, as_json: bool, names: bool) -> None:
    """Show the state of a game. Orders that have yet to be revealed are never shown."""
    from datetime import timedelta

    from pbem.match.anonymous import with_names
    from pbem.render.blocks import plain
    from pbem.store.matches import find_match, load_match
    from pbem.times.moments import format_duration

    with settings.desk() as desk:
        number = find_match(desk.store, name)
        content = desk.show_game(number)
        match = load_match(desk.store, number).as_told()
    if as_json:
        click.echo(json.dumps(content))
        return
    view = match.view(None)
    shown = with_names(match) if names else match
    players = ", ".join(seat if one.untold else f"{seat} {one.name}" for seat, one in shown.holders.items())
    kind = ", a sandbox" if match.sandbox else ""
    click.echo(f"{match.name}: {match.game.title}{kind}, turn {match.round}, {content['status']}. {players}.\n")
    click.echo(plain(match.game.picture(view)))
    click.echo("\n" + "\n".join(match.game.summary(view)))
    if match.result:
        verdict = f"{match.game.called[match.result.winner]} has won." if match.result.winner else "The game is a draw."
        click.echo(f"{verdict} {match.result.reason}")
    elif content["status"] in _STANDS:
        click.echo(f"It is {_STANDS[content['status']]}.")
    else:
        due = f"the deadline is {content['deadline']}" if content["deadline"] else "there is no deadline"
        click.echo(f"Waiting for {' and '.join(content['waiting']) or 'the next poll'}; {due}.")
        for seat, seconds in content.get("seconds_left", {}).items():
            click.echo(f"The clock of {seat}: {format_duration(timedelta(seconds=seconds))}.")


@main.command()
@click.option("--yes", "sure", is_flag=True, help="Don't ask.")
@click.pass_obj
def rekey(settings: Settings, /, sure: bool) -> None:
    """Make a new key. All earlier reply addresses become worthless, and players get a letter with their new one."""
    from pbem.service.maintenance import rekey as run

    config, now = settings.config(), settings.now()
    if not sure and not _agreed("Every reply address in players' hands becomes worthless. Make a new key?"):
        raise click.UsageError("The key is the old one. Say `pbem rekey --yes` to make a new one.")
    count = run(config, now)
    click.echo(f"The key is new. {count} letters with new reply addresses go out with the next poll.")


def _agreed(question: str) -> bool:
    """Return whether the person at the terminal answers `question` with yes. Aborting the prompt counts as no."""
    try:
        return click.confirm(question, err=True)
    except click.Abort:
        click.echo(err=True)
        return False


def _load_more(group: click.Group) -> None:
    from pbem.cli.data import COMMANDS
    from pbem.cli.dice import dice
    from pbem.cli.lab import lab
    from pbem.cli.leagues import league
    from pbem.cli.letters import letters, words
    from pbem.cli.operation import status, units
    from pbem.cli.players import player, show_desk
    from pbem.cli.records import archive, decisions, import_games, record, replay, verify

    of_people = (league, letters, words, player, show_desk, decisions)
    on_games = (record, replay, import_games, verify, dice, archive)
    for command in (*of_people, *on_games, *COMMANDS, tools.cards, tools.data, lab, status, units):
        group.add_command(command)


def _load_decisions(group: click.Group) -> None:
    from pbem.cli.players import add_decisions

    add_decisions(group)


for _command in (tools.adjudicate, tools.board, tools.check, tools.demo, tools.letter):
    main.add_command(_command)
main.loaders.append(_load_more)
game.loaders.append(_load_decisions)


def _probe(settings: Settings, patience: int) -> None:
    """Print what became of letters to the desk itself. Exit with status 2 if the configured kind of reply address does
    not work, and with status 1 if something else needs the operator."""
    from pbem.service.probe import findings, probe

    config = settings.config()
    returned = probe(config, settings.now(), patience)
    told = [*findings(config, returned, patience)]
    for finding in told:
        click.echo(str(finding))
    form = config.mailbox.reply
    if form not in returned or not returned[form].ties(form):
        click.echo(f"pbem: [mailbox] reply = {form} does not work with this mailbox.", err=True)
        sys.exit(WRONG_USE)
    if not all(finding.well for finding in told):
        click.echo("pbem: Letters may not arrive: see what is marked with !.", err=True)
        sys.exit(TROUBLE)
