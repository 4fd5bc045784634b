"""The commands `pbem record`, `decisions`, `replay`, `import`, `archive` and `verify`: games as text and as pages, and
checks that nothing has been changed."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import click

from pbem import PbemError
from pbem.cli.flags import Settings
from pbem.cli.run import TROUBLE, WRONG_USE, printable, progress, say_if_empty
from pbem.record.history import Played

if TYPE_CHECKING:
    from pbem.games import NoGameError
    from pbem.record.history import History, Played
    from pbem.record.notation import RecordReading
    from pbem.record.openings import Opening


class TurnUnknown(PbemError):  # noqa: N818 - describes the turn
    """Raised if a game has no turn with the number that was asked for."""


class NotBegun(PbemError):  # noqa: N818 - describes the game
    """Raised if a game has no record yet, because it has not begun."""


@click.command()
@click.argument("names", nargs=-1, metavar="[ID]...")
@click.option("--all", "everything", is_flag=True, help="All games that have begun, oldest first.")
@click.option("--press", is_flag=True, help="With what the players wrote to each other.")
@click.pass_obj
def record(settings: Settings, /, names: tuple[str, ...], everything: bool, press: bool) -> None:
    """Print the records of games. Both people and `pbem replay` can read them."""
    from pbem.record.notation import write_record
    from pbem.store.histories import begun, load_history
    from pbem.store.matches import find_match, match_name, match_numbers

    if bool(names) == everything:
        raise click.UsageError("Say which games, or --all.")
    with settings.desk() as desk:
        numbers = begun(desk.store) if everything else [find_match(desk.store, name) for name in names]
        if unknown := set(numbers).intersection(match_numbers(desk.store, "offered")):
            name = match_name(desk.store, min(unknown))
            raise NotBegun(f"{name} has not begun, so there is no record of it.")
        for place, number in enumerate(_with_progress(numbers, "game", len(numbers))):
            text = write_record(load_history(desk.store, number, press=press))
            click.echo(f"\n{text}" if place else text, nl=False)


@click.command()
@click.argument("name", required=False, metavar="[ID|LEAGUE]")
@click.option("--json", "as_json", is_flag=True)
@click.pass_obj
def decisions(settings: Settings, /, name: str | None, as_json: bool) -> None:
    """List what game masters have decided, newest last. The list shows when each decision was made, by whom and why, in
    all games and leagues or only in the game ID or the league LEAGUE."""
    from pbem.store.decisions import decisions as decided
    from pbem.store.matches import find_match
    from pbem.store.search import league_names

    with settings.desk() as desk:
        leagues = {league.casefold(): league for league in league_names(desk.store)}
        league = leagues.get((name or "").casefold(), "")
        match = find_match(desk.store, name) if name and not league else None
        listed = decided(desk.store, match=match, league=league)
    if as_json:
        click.echo(json.dumps([decision._asdict() for decision in listed]))
        return
    say_if_empty(listed, "No game master has decided anything yet.")
    for decision in listed:
        click.echo(
            printable(f"{decision.at}  {decision.by}  {': '.join(filter(None, (decision.wording, decision.reason)))}")
        )


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--turn", type=click.IntRange(1), metavar="N", help="The report of this turn, and the board after it.")
@click.option("--json", "as_json", is_flag=True, help="A JSON object for each game, as `game show --json` has it.")
def replay(files: tuple[str, ...], turn: int | None, as_json: bool) -> None:
    """Replay recorded games, and show how they stand. FILE `-` is standard input; files compressed with gzip are
    unpacked.

    Exit status 0: every game came out as recorded. 1: some games did not, or could not be read completely. 2: no game
    could be read.
    """
    wrong = read = 0
    for file in files:
        for reading in _with_progress(_games(file), "game"):
            wrong += isinstance(reading, str) or bool(reading.problems)
            if isinstance(reading, str) or reading.history is None:
                continue
            read += 1
            try:
                click.echo(_as_json(reading.history, turn) if as_json else _as_text(reading.history, turn))
            except TurnUnknown as error:
                wrong += 1
                _tell(f"{file}, line {reading.line}, {error}")
    if not read:
        sys.exit(WRONG_USE)
    sys.exit(TROUBLE if wrong else 0)


@click.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.pass_obj
def import_games(settings: Settings, /, files: tuple[str, ...]) -> None:
    """Put finished games from records into the archive. Each game is imported completely or not at all, and only once.

    Exit status 0: all games are in the archive. 1: some games are not. 2: no game could be read.
    """
    from pbem.store.histories import Archive, ImportRefused

    wrong = read = 0
    with settings.desk() as desk:
        archive = Archive(desk.store)
        for file in files:
            for reading in _with_progress(_games(file), "game"):
                history = None if isinstance(reading, str) else reading.history
                read += history is not None
                if history is None or reading.problems:
                    wrong += 1
                    continue
                name = _clean(history.name) or "A game"
                try:
                    added = archive.add(history, desk.now)
                    click.echo(f"{name} is in the archive as {added}." if added else f"{name} is here already.")
                except ImportRefused as error:
                    wrong += 1
                    _tell(f"{file}, line {reading.line}, {name}: {error}")
    if not read:
        sys.exit(WRONG_USE)
    sys.exit(TROUBLE if wrong else 0)


def _games(file: str) -> "Iterator[RecordReading | str]":
    """Yield the reading of each game in `file`, and report its problems on standard error. If the file contains no game
    or cannot be read, report that and yield a message instead, which may be empty."""
    from pbem.record.history import RecordError
    from pbem.record.notation import read_games

    count = 0
    try:
        with click.open_file(file, "rb") as source:
            for reading in read_games(cast("BinaryIO", source)):
                count += 1
                name = _clean(reading.name) or "a game"
                for problem in reading.problems:
                    _tell(f"{file}, line {problem.line}, {name}: {_clean(problem.sentence)}")
                yield reading
        if not count:
            _tell(f"{file}: there is no game in it.")
            yield ""
    except RecordError as error:
        _tell(f"{file}: {error}")
        yield str(error)
    except OSError as error:
        _tell(f"{file} cannot be read: {error.strerror}.")
        yield str(error)


def _as_json(history: "History", number: int | None) -> str:
    from pbem.record.history import show_history

    return json.dumps(show_history(history, _turn(history, number)))


def _as_text(history: "History", number: int | None) -> str:
    """Return a description of a game: the players, the report of turn `number` unless that is None, the board, and the
    standings or the result."""
    from pbem.render.blocks import plain, wrap

    game, turns, turn = history.game, history.turns(), _turn(history, number)
    players = ", ".join(f"{seat} {_clean(name) or 'nobody'}" for seat, name in history.players.items())
    played = f"{len(turns)} turn{'s' * (len(turns) != 1)}"
    lines = [wrap(f"{_clean(history.name) or 'A game'}: {game.title}, {played}. {players}."), ""]
    last = turn or (turns[-1] if turns else None)
    state = turn.after if turn else history.state
    view = game.view(state, history.reader)
    since = game.view(last.before, history.reader) if last and last.after == state else None
    if turn:
        lines += [*_report(history, turn), ""]
    lines += [plain(game.picture(view, since)), "", *game.summary(view)]
    if state == history.state:
        lines.append(wrap(_verdict(history)))
    return "\n".join([*lines, ""])


def _turn(history: "History", number: int | None) -> "Played | None":
    """Return turn `number` of the game, or None if `number` is None. Raises TurnUnknown if the turn was not played."""
    if number is None:
        return None
    played = next((turn for turn in history.turns() if turn.turn == number), None)
    if played is None:
        raise TurnUnknown(f"{_clean(history.name) or 'a game'}: turn {number} was not played.")
    return played


def _report(history: "History", turn: "Played") -> Iterator[str]:
    """Yield the lines of a report of `turn`."""
    from pbem.render.blocks import wrap

    game = history.game
    yield f"Turn {turn.turn}"
    for seat in history.seats:
        missed = "no orders" if seat in game.awaiting(turn.before) else "nothing to order"
        yield wrap(f"{game.called[seat]}: {turn.orders[seat] or missed}", "  ", " " * 4)
    story = game.story(game.view(turn.before, history.reader), game.redact_events(turn.events, history.reader))
    for heading, text, dice in story:
        yield wrap(f"{heading}: {text}" if heading else text, "  ", " " * 4)
        yield from (wrap(die, "    - ", " " * 6) for die in dice)


def _verdict(history: "History") -> str:
    if history.annulled:
        return "The game was annulled."
    if history.result is None:
        return "The game is not over."
    winner = history.result.winner
    verdict = f"{history.game.called[winner]} has won." if winner else "The game is a draw."
    return f"{verdict} {_clean(history.result.reason)}"


def _clean(text: str) -> str:
    """Return `text` on one line, with a blank in place of each unprintable character, such as terminal control
    characters."""
    return "".join(char if char.isprintable() else " " for char in text)


def _with_progress(values: Iterable[Any], unit: str, total: int | None = None) -> Iterator[Any]:
    """Yield `values` one by one, and show the progress on the terminal unless the command's output goes there as well.
    `unit` is the noun for a value, such as "game"."""
    tell: Callable[[str], None] = progress() if not sys.stdout.isatty() else lambda text: None
    number = 0
    for number, value in enumerate(values, start=1):
        if number % 10 == 0:
            tell(f"{unit} {number}{f' of {total}' if total else ''}")
        yield value
    if number >= 10:
        tell("")


def _tell(line: str) -> None:
    click.echo(f"pbem: {printable(line)}", err=True)


@click.group()
def archive() -> None:
    """Publish the games as pages. The pages need no server, no JavaScript and no pbem."""


@archive.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.pass_obj
def build(settings: Settings, /, folder: Path) -> None:
    """Build the pages in DIR, or bring them up to date. Only changed pages are written.

    DIR must be new, empty, or an archive made by pbem. Without a terminal, the command prints nothing.
    """
    from pbem.archive import site
    from pbem.archive.pages import Site
    from pbem.times.moments import load_zone

    with settings.desk() as desk:
        sender = desk.config.outgoing.sender
        about = Site(sender.name or "Games by e-mail", load_zone(desk.config.desk.zone), sender.address)
        changed = site.build(desk.store, folder, about, desk.now, progress())
    if sys.stdout.isatty():
        click.echo(f"{folder / 'index.html'}: {changed} files have changed.")


@archive.command()
@click.argument("name", metavar="GAME")
@click.option("--depth", default=3, show_default=True, type=click.IntRange(1, 20), help="Turns of a seat.")
@click.option("--least", default=1, show_default=True, type=click.IntRange(1), help="Fewest games of a line.")
@click.pass_obj
def openings(settings: Settings, /, name: str, depth: int, least: int) -> None:
    """Show how games of GAME began, as a tree for each seat.

    Each line shows how many finished games began with certain orders, and the seat's share of the points in those
    games. A draw counts as half a win. GAME is a name such as ozymandia.
    """
    from pbem.games import find_game
    from pbem.record.openings import openings as tree
    from pbem.store.histories import load_history, published

    game = find_game(name)
    with settings.desk() as desk:
        over = [match.number for match in published(desk.store) if (match.game, match.phase) == (game.name, "finished")]
        histories = [load_history(desk.store, number) for number in _with_progress(over, "game", len(over))]
    click.echo(f"Games of {game.title} that are over: {len(histories)}")
    for seat in dict.fromkeys(seat for history in histories for seat in history.seats):
        click.echo(f"\n{game.called[seat]}")
        _tell_openings(tree(histories, seat, depth), least)


def _tell_openings(openings: "Sequence[Opening]", least: int, indent: str = "") -> None:
    """Print a line for each opening that occurred in at least `least` games, with its continuations below it."""
    for opening in openings:
        if opening.games >= least:
            click.echo(f"{indent}{opening.games:>4} x {100 * opening.share:>3.0f} %  {opening.orders}")
            _tell_openings(opening.then, least, f"{indent}    ")


@click.command()
@click.argument("what", required=False, metavar="[ID|FILE]")
@click.option("--all", "every", is_flag=True, help="All games, as without ID.")
@click.option("--json", "as_json", is_flag=True)
@click.pass_obj
def verify(settings: Settings, /, what: str | None, every: bool, as_json: bool) -> None:
    """Replay every turn, and compare everything with the record.

    The whole record is always read. With ID, only the rows of that game are compared with it. If FILE is named instead,
    which is a game record or exported JSON, that file is checked against its own checksum.

    Exit status 0: everything that was checked is unchanged; the second line says what was not checked. 1: something has
    changed; the first difference is named. Or a game is not installed, so that turns could not be replayed.
    """
    from pbem.games import LeftOutError, NoGameError
    from pbem.store.database import StoreError

    if what and every:
        raise click.UsageError("Either ID, FILE or --all.")
    if what and not Path(what).is_file() and ("." in what or "/" in what):  # no game has such a name
        raise click.UsageError(f"There is no file {what}.")
    left_out: Mapping[str, list[str]] = {}
    missing: Mapping[str, NoGameError] = {}
    if what and Path(what).is_file():
        counts, difference = _audit_file(Path(what))
    else:
        counts, difference, left_out, missing = _audit(settings.config().database, what)
    if as_json:
        content = {"intact": difference is None, "difference": difference, "counts": counts, "not_looked_at": left_out}
        click.echo(json.dumps(content))
    elif difference is None:
        click.echo(_summary(counts))
        if left_out:
            parts = (f"{why} ({', '.join(names)})" if names else why for why, names in left_out.items())
            click.echo(f"Not looked at: {'; '.join(parts)}.")
    if difference is not None:
        raise StoreError(difference)
    if missing:
        raise LeftOutError(missing, "Their turns were not played anew; their rows are as the record has them.")


def _audit_file(path: Path) -> tuple[dict[str, int], str | None]:
    """Check the games in the file at `path`; return counts of the games and turns that were checked, and the first
    problem or None."""
    counts = {"games": 0, "adjudicated": 0}
    try:
        for history in _histories(path):
            counts["games"] += 1
            counts["adjudicated"] += sum(isinstance(step, Played) for step in history.steps)
    except PbemError as error:
        return counts, f"{path}: {error}"
    return counts, None if counts["games"] else f"{path}: there is no game in it."


def _histories(path: Path) -> "Iterator[History]":
    """Yield each game in the file at `path` after adjudicating its turns again. Raises PbemError for the first problem,
    and OSError if the file cannot be read."""
    from pbem.record.exports import read_json
    from pbem.record.notation import read_file
    from pbem.store.replay import retrace_history

    with path.open("rb") as file:
        is_json = file.read(100).lstrip().startswith(b"{")
    if is_json:
        history = read_json(path.read_bytes().decode("utf-8", "replace"))
        for difference in retrace_history(history):
            raise PbemError(difference)
        yield history
        return
    for reading in read_file(path):  # this adjudicates, because a record does not contain the outcome of turns
        if reading.problems:
            raise PbemError(str(reading.problems[0]))
        if reading.checksum is None or reading.history is None:
            raise PbemError(f"line {reading.line}: this game has no checksum, so it may have been changed.")
        yield reading.history


def _audit(
    path: Any, game: str | None
) -> "tuple[dict[str, int], str | None, dict[str, list[str]], Mapping[str, NoGameError]]":
    """Check the database at `path`; if `game` is given, only the rows of that game. Raises StoreError.

    Returns the numbers of things that were checked, keyed by kind; the first problem or None; the names of tables and
    columns that were not checked, keyed by a description of their content; and the errors of matches whose game cannot
    be played here, keyed by their names. Damage to the database or to its schema
    is reported before any difference from the record.
    """
    from pbem.store.audit_log import NOT_COVERED
    from pbem.store.backup import damage
    from pbem.store.database import SQLiteError, Store, StoreError, connect
    from pbem.store.matches import find_match
    from pbem.store.schema import REMEDY, schema_differences
    from pbem.store.verify import Audit

    with closing(connect(path)) as conn:
        store = Store(conn)
        try:
            with store.snapshot():
                if problem := damage(conn):
                    return {}, f"The database {path} is damaged ({problem}): restore it from a backup.", {}, {}
                if altered := [*schema_differences(conn)]:
                    return {}, " ".join((*altered, REMEDY, "The rows are compared after that.")), {}, {}
                audit = Audit(conn, find_match(store, game) if game else None)
                with _progress(audit.size) as progress:
                    difference = next(audit.differences(progress), None)
        except SQLiteError as error:
            raise StoreError(f"The database {path} is damaged ({error}): restore it from a backup.") from None
    others = {"rows of other games, and of what is of no game": audit.not_read()} if game else {}
    if audit.left_out:
        others["turns of games that cannot be played here"] = [*audit.left_out]
    not_covered = {why: [*names] for why, names in {**others, **NOT_COVERED}.items()}
    return dict(audit.counts), difference, not_covered, audit.left_out


def _summary(counts: dict[str, int]) -> str:
    """Return one line that sums up `counts`, the numbers of things that were checked and found unchanged."""

    def number(key: str, singular: str, plural: str) -> str:
        count = counts.get(key, 0)
        return f"{count:,} {singular if count == 1 else plural}"

    if "entries" not in counts:
        return (
            f"All is as it was written: {number('adjudicated', 'turn', 'turns')} of {number('games', 'game', 'games')}."
        )
    removed, others = counts.get("removed", 0), counts.get("turns", 0) - counts.get("adjudicated", 0)
    named = ("entries", "heads", "games", "adjudicated", "turns", "orders", "letters", "outbox", "removed")
    rows = sum(number for key, number in counts.items() if key not in named)
    return (
        f"All is as it was: {number('entries', 'entry', 'entries')} of the record"
        + (f" ({removed:,} without content, as somebody wished)" if removed else "")
        + f", {number('adjudicated', 'turn', 'turns')}"
        + (f" ({others:,} more by other rules than these)" if others else "")
        + f" of {number('games', 'game', 'games')}, {number('orders', 'order list', 'order lists')},"
        + f" {number('letters', 'letter', 'letters')} in, {number('outbox', 'letter', 'letters')} out,"
        + f" {rows:,} rows of other tables."
    )


@contextmanager
def _progress(size: Callable[[], int]) -> Iterator[Callable[[int], None]]:
    """Yield a function that advances a progress bar by a number of rows. The bar is shown only on a terminal; `size`
    returns the total number of rows."""
    if not sys.stderr.isatty():
        yield lambda rows: None
        return
    with click.progressbar(length=size(), label="Verifying", file=sys.stderr) as bar:
        yield bar.update
