"""The commands that need no desk. They adjudicate streams of turns, show boards, read orders and letters, play a
demonstration game, and check card files and folders with maps and counters."""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from pbem.cli.flags import GameCommand, listed
from pbem.cli.run import TROUBLE, WRONG_USE, printable

if TYPE_CHECKING:
    from pbem.games.base import AnyGame
    from pbem.mail.letters import Letter
    from pbem.orders.lines import Reading
    from pbem.orders.situation import AnyStandpoint

_game = click.option("--game", "game_name", metavar="NAME", help="Which game; by default, Ozymandia.")


def _lines(file: str | None) -> BinaryIO:
    """Return the opened `file` or, if that is None or "-", standard input; exit if the file cannot be read."""
    try:
        return open(file, "rb") if file and file != "-" else sys.stdin.buffer
    except OSError as error:
        click.echo(f"pbem: {printable(str(file))} cannot be read: {error.strerror}.", err=True)
        sys.exit(WRONG_USE)


@click.command()
@click.argument("file", required=False, metavar="[FILE]")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line, in and out.")
@_game
def adjudicate(file: str | None, as_json: bool, game_name: str | None) -> None:
    """Adjudicate turns from a stream of lines. Each line of FILE or standard input is a JSON object; without --json the
    answers are reports and maps.

    Exit status 0: every line was adjudicated. 1: some lines had errors. 2: no line could be read.
    """
    from pbem.cli.adjudicate import run
    from pbem.games import DEFAULT

    with _lines(file) as lines:
        status = run(lines, sys.stdout.buffer, as_json=as_json, game_name=game_name or DEFAULT)
    sys.exit(status)


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--json", "as_json", is_flag=True)
@click.option("--answers", metavar="FILE", help="The letter of ours that it answers.")
@click.option("--board", metavar="BOARD", help="With --json: the board; by default, the usual one.")
@click.option("--position", metavar="POSITION", help="With --json: the position; by default, the set-up.")
@click.option("--seat", metavar="SEAT", help="With --json: whose letter it is; by default, the first seat's.")
@_game
def letter(file: str, as_json: bool, answers: str | None, game_name: str | None, **where: str | None) -> None:
    """Show how a letter is read. The output contains its sender, the sender's own words, and the orders in them. FILE
    `-` is standard input.

    Exit status 0: the letter can be read. 1: it cannot be read, and would be set aside. 2: there is no such file.
    """
    from pbem.games import DEFAULT, find_game
    from pbem.games.chance import any_chance
    from pbem.mail.automatic import WEAK
    from pbem.match.identity import find_tokens
    from pbem.orders.reader import attempts, read_words
    from pbem.orders.situation import Situation

    letter, sent = _read_files(file, answers)
    game_played = find_game(game_name or DEFAULT)
    words = read_words(letter.text)
    token = next(map(str, find_tokens((*letter.recipients, *letter.references))), None)
    facts = {
        "from": letter.sender,
        "automatic": letter.automatic,
        "token": token,
        "text": letter.text,
        "orders": ()
        if letter.automatic and not token
        else attempts(Situation(game_played, game_played.new({}, any_chance())), words),
        "problems": (*letter.problems, *words.problems),
    }
    if as_json:
        click.echo(json.dumps({**facts, "reading": _reading(game_played, letter, sent, where)}))
        return
    if letter.automatic and token:
        answered = "and answered" if letter.automatic in WEAK else "but not answered"
        facts["automatic"] = f"{letter.automatic}: orders from the seat's own address are used, {answered}"
    for key, value in facts.items():
        lines = map(printable, value.split("\n") if isinstance(value, str) else value or ["-"])
        click.echo(f"{key + ':':<11}" + f"\n{'':<11}".join(lines))


def _read_files(file: str, answers: str | None) -> tuple["Letter", str]:
    """Return the letter in `file`, and the text of the earlier letter that it answers. The earlier letter is in the
    file `answers`; if `answers` is None, the text is "". Exit if either letter cannot be read."""
    from pbem.mail.letters import MAX_BYTES, text_part
    from pbem.mail.sandbox import Unreadable, shared_reader
    from pbem.orders.reader import may_be_order

    try:
        sent = ""
        if answers:
            with click.open_file(answers, "rb") as source:
                sent = text_part(source.read(MAX_BYTES))
        with click.open_file(file, "rb") as source:
            raw = source.read(MAX_BYTES + 1)
        letter = shared_reader(may_be_order).read(raw, sent)
    except OSError as error:
        click.echo(f"pbem: {printable(error.filename or file)} cannot be read: {error.strerror}.", err=True)
        sys.exit(WRONG_USE)
    except Unreadable as error:
        click.echo(f"pbem: {error}", err=True)
        sys.exit(TROUBLE)
    return letter, sent


def _reading(game: "AnyGame", letter: "Letter", sent: str, where: "Mapping[str, str | None]") -> dict[str, Any]:
    """Return the answer that `pbem check --json` would give for the writer's own words in `letter`: either their
    reading or `errors`.

    `sent` is the text of the letter that `letter` answers. `where` names the board, the position and the writer's seat;
    those that are None have their defaults.
    """
    from pbem.cli.adjudicate import LineError
    from pbem.cli.check import read_letter
    from pbem.games.base import seats_of
    from pbem.orders.reader import own_subject

    options = {key: value for key, value in where.items() if value}
    seat = options.pop("seat", None) or seats_of(game, {})[0]
    try:
        return read_letter(
            {"game": game.name, "seat": seat, "text": letter.text, "answers": sent, **options},
            letter.aside,
            letter.halves,
            own_subject(letter.subject, "", game.title)[0],
        )
    except LineError as error:
        return error.as_json()


@click.command()
@click.argument("name", default="", metavar="[NAME]")
@click.option("--json", "as_json", is_flag=True)
@_game
def board(name: str, as_json: bool, game_name: str | None) -> None:
    """Show a board. NAME is the name of a board that comes with the program, or the path of a file."""
    from pbem.games import DEFAULT, find_game
    from pbem.games.base import GameError
    from pbem.games.capabilities import HasBoards

    game_played = find_game(game_name or DEFAULT)
    if not isinstance(game_played, HasBoards):
        raise GameError(f"{game_played.title} has no boards to show.")
    click.echo(json.dumps(game_played.board_data(name)) if as_json else game_played.describe_board(name))


@click.command(cls=GameCommand, context_settings={"ignore_unknown_options": True})  # "-3 A to M" is an order
@click.option("--position", metavar="'7 red A3 bombs 3 blue H4 bombs 2'", help="Else the set-up.")
@click.option("--seat", metavar="SEAT", help="Whose orders; by default, the first seat's.")
@click.option("--json", "as_json", is_flag=True, help="Letters from a file, one JSON object per line, in and out.")
@click.argument("orders", required=False)
def check(game: "AnyGame", chosen: Mapping[str, Any], orders: str | None, as_json: bool, **place: str | None) -> None:
    """Read orders as the desk would, and say what they mean. If there is a mistake in them, the exit status is 1.

    With --json, ORDERS is a file with letters from other programs; if ORDERS is left out, they are read from standard
    input. See docs/checker.md.
    """
    if as_json:
        sys.exit(_check_letters(orders))
    if orders is None:
        raise click.UsageError("Missing argument 'ORDERS'.")
    from pbem.games.base import GameError, seats_of, with_default_files
    from pbem.games.capabilities import ParsesPositions
    from pbem.games.chance import any_chance
    from pbem.orders.reader import read
    from pbem.orders.situation import Standpoint

    seats, position = seats_of(game, chosen), place["position"]
    seat = (place["seat"] or seats[0]).lower()
    if seat not in seats:
        raise GameError(f'{game.title} has no seat "{seat}"; there are {listed(seats)}.')
    if position and isinstance(game, ParsesPositions):
        state = game.parse_position(chosen, position)
    else:
        state = game.new(with_default_files(game, chosen), any_chance())
        state = game.placed(state, position) if position else state
    standpoint = Standpoint(game, state, seat)
    reading = read(standpoint, orders)
    _tell_reading(standpoint, reading)
    sys.exit(0 if reading.orders is not None else TROUBLE)


def _tell_reading(standpoint: "AnyStandpoint", reading: "Reading") -> None:
    """Print the meaning of the orders in `reading` in plain words, or the mistakes in them."""
    from pbem.orders.reader import render_mistake
    from pbem.render.blocks import wrap

    game, seat = standpoint.game, standpoint.seat
    view = game.view(standpoint.state, seat)
    if reading.orders is not None:
        click.echo(str(reading.orders))
        for line in game.paraphrase(view, seat, reading.orders).splitlines():
            click.echo(wrap(line, "", "  "))
        click.echo("\n".join(wrap(line, "- ", "  ") for line in game.cautions(view, seat, reading.orders)))
    for mistake in reading.mistakes:
        click.echo("\n".join(render_mistake(mistake)))
    if reading.proposal:
        click.echo(f"Did you mean this? {reading.proposal}")
    if reading.orders is None and not reading.mistakes:
        _, example = game.prospects(view, seat)
        click.echo(f'There are no orders in this text. Write for example "{example}".')
    for line in reading.perhaps:
        click.echo(f'"{line}": does this change your orders?')
    for remark in reading.remarks:
        click.echo(f'Taken as remarks, not as orders: "{remark}"')


def _check_letters(file: str | None) -> int:
    from pbem.cli.check import run

    with _lines(file) as lines:
        return run(lines, sys.stdout.buffer)


@click.command()
@click.option("--keep", metavar="DIR", type=click.Path(path_type=Path), help="Leave the desk there to look at.")
@click.option("--play", is_flag=True, help="Play the first seat yourself, against a simple opponent.")
@click.option("--all", "whole", is_flag=True, help="Do not wait after each turn.")
@click.option("--language", type=click.Choice(["en", "de", "ru"]), default="en", help="Of the letters; by default, en.")
@_game
def demo(keep: Path | None, play: bool, whole: bool, language: str, game_name: str | None) -> None:
    """Play a short game by letter on a temporary desk."""
    from pbem.cli.demo import run
    from pbem.games import DEFAULT

    run(keep, play=play, whole=whole, game_name=game_name or DEFAULT, language=language)


@click.group()
def cards() -> None:
    """Inspect card files."""


@cards.command("check")
@click.argument("file", metavar="FILE")
@click.option("--game", "game_name", metavar="NAME", default="rocknroll", show_default=True, help="Whose cards.")
def check_cards(file: str, game_name: str) -> None:
    """Report every problem in a card file. FILE is a path, or the name of a set that comes with the program.

    Exit status 0: a war can be played with the file. 1: the file has problems, which are printed one per line. 2: the
    file cannot be read.
    """
    from pbem.games import find_game
    from pbem.games.base import GameError
    from pbem.games.capabilities import HasCardFiles

    game = find_game(game_name)
    if not isinstance(game, HasCardFiles):
        raise GameError(f"{game.title} has no files of cards.")
    _check_files(file, game.describe_cards, folder=False)


@click.group()
def data() -> None:
    """Inspect folders that contain a map and counters."""


@data.command(name="check")
@click.argument("folder", metavar="DIR")
@click.option("--game", "game_name", metavar="NAME", default="ozz", show_default=True, help="Whose map and counters.")
def check_data(folder: str, game_name: str) -> None:
    """Report every problem in a folder that contains a map and counters. DIR is a path, or the name of a set that comes
    with the program.

    Exit status 0: a match can be played with the folder. 1: the folder has problems, which are printed one per line. 2:
    the folder cannot be read.
    """
    from pbem.games import find_game
    from pbem.games.base import GameError
    from pbem.games.capabilities import HasDataFolders

    game = find_game(game_name)
    if not isinstance(game, HasDataFolders):
        raise GameError(f"{game.title} has no folders of map and counters.")
    _check_files(folder, game.describe_data, folder=True)


def _check_files(path: str, show: Callable[[str], str], *, folder: bool) -> None:
    """Print the description that `show` returns for the file at `path` or, if `folder` is true, for the folder there.
    If this file or folder has problems, print all of them instead, and exit with status 1. Exit with status 2 if there
    is no such file or folder."""
    from pbem.games.base import GameError

    place = Path(path)
    if place.exists() and not (place.is_dir() if folder else place.is_file()):
        click.echo(f"pbem: {path} is no {'folder' if folder else 'file'}.", err=True)
        sys.exit(WRONG_USE)
    try:
        click.echo(f"{path}: {show(path)}")
    except GameError as error:
        for problem in error.problems:
            click.echo(f"{path}: {problem}", err=True)
        sys.exit(TROUBLE if Path(path).exists() else WRONG_USE)
