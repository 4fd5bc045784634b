"""`pbem league`: the commands for game masters of leagues."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.flags import Group, Settings
from pbem.cli.league_lists import enter_all, placed, read_entries, reading, worth
from pbem.cli.run import say_if_empty

if TYPE_CHECKING:
    from pbem.leagues.cross_table import CrossTableRow
    from pbem.leagues.league_file import League
    from pbem.leagues.season import Division, LeagueSeason
    from pbem.service.desk import Desk


def _season_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that are shared by all commands that show a season."""
    flags = (
        click.argument("name"),
        click.option(
            "--division", type=click.IntRange(1), metavar="N", help="Only this one; else all, the highest first."
        ),
        click.option("--season", type=click.IntRange(1), metavar="N", help="An earlier one."),
        click.option("--round", "until", type=click.IntRange(1), metavar="N", help="As it stood after this round."),
        click.option("--names", is_flag=True, help="Also with the players of games who have yet to be told."),
    )
    for flag in reversed(flags):
        command = flag(command)
    return command


_REASON = click.option("--reason", required=True, metavar="TEXT", help="Why: the players concerned are told.")


@click.group(cls=Group)
def league() -> None:
    """Set up and run leagues. They are round robins, Swiss tournaments or ladders."""


@league.command("new")
@click.argument("name", required=False)
@click.option("--format", "shape", type=click.Choice(("round-robin", "swiss", "ladder")))
@click.option("--players", type=click.Path(path_type=Path), metavar="FILE", help="`Name <address>`, one a line.")
@click.option("--file", "path", type=click.Path(path_type=Path), metavar="FILE", help="A league file instead.")
@click.option("--confirmed", is_flag=True, help="The players are known to take part: games begin at once.")
@click.pass_obj
def new_league(settings: Settings, /, name: str | None, shape: str | None, **options: Any) -> None:
    """Make a league, and begin its first round. Give either NAME, --format and a file of players, or a league file,
    which contains everything."""
    from pbem.games import find_game
    from pbem.leagues.dates import start_of
    from pbem.service import league_rounds

    players, path, confirmed = options["players"], options["path"], options["confirmed"]
    if bool(path) == bool(name or shape or players) or not (path or (name and shape and players)):
        raise click.UsageError("Say either NAME, --format and --players, or --file alone.")
    with settings.desk() as desk:
        read = _from_file(desk, path) if path else _from_players(desk, players, {"name": name, "format": shape})
        if find_game(read.game).chance:
            desk.agreed(read.terms)
        with desk.store.transaction():
            season = league_rounds.found_league(desk, replace(read, confirmed=read.confirmed or confirmed))
    first = [round_ for division in season.divisions for round_ in division.rounds[:1]]
    games, start = sum(len(round_.fixtures) for round_ in first), start_of(season.league, 1)
    if season.divisions and start and not any(round_.begun for round_ in first):
        begun = f"its first round begins on {start:%d %B %Y at %H:%M} ({season.league.terms.deadline.zone})"
    elif games:
        begun = f"{games} {'game begins' if games == 1 else 'games begin'}"
    else:
        begun = f"{len(season.members)} players take part" if season.members else "it is open to players"
    click.echo(f"The league {season.league.name} is made, and {begun}. Letters go out with the next poll.")


def _from_file(desk: "Desk", path: Path) -> "League":
    from pbem.leagues.league_file import parse_league

    with reading(path):
        return parse_league(path.read_text("utf-8"), desk.terms)


def _from_players(desk: "Desk", path: Path, table: dict[str, Any]) -> "League":
    from pbem.leagues.league_file import parse_players, read_league

    league = read_league(table)
    with reading(path):
        return replace(league, terms=desk.terms, divisions=(parse_players(path.read_text("utf-8")),))


@league.command("list")
@click.option("--json", "as_json", is_flag=True)
@click.pass_obj
def list_leagues(settings: Settings, /, as_json: bool) -> None:
    """List all leagues."""
    from pbem.leagues.plain import show_season
    from pbem.store import leagues
    from pbem.store.search import league_names

    with settings.desk() as desk:
        names = league_names(desk.store)
        seasons = [show_season(leagues.find_season(desk.store, name)) for name in names]
    if as_json:
        click.echo(json.dumps(seasons))
        return
    say_if_empty(seasons, "There are no leagues yet.")
    for season in seasons:
        players = sum(map(len, season["divisions"]))
        click.echo(f"{season['league']}  {season['format']}, season {season['season']}, {players} players")


@league.command("show")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True)
@click.pass_obj
def show_league(settings: Settings, /, name: str, as_json: bool) -> None:
    """List the players of a league by division, and those on standby."""
    from pbem.leagues.plain import show_season

    with _season(settings, name) as (_, season):
        content = show_season(season)
    if as_json:
        click.echo(json.dumps(content))
        return
    click.echo(f"{content['league']}: {content['format']}, season {content['season']}.")
    for team in content.get("teams", ()):
        names = ", ".join(team["players"]) or "has left"
        click.echo(f"{team['name']} (division {team['division']}, captain {team['captain'] or 'nobody'}): {names}")
    for number, division in enumerate(() if "teams" in content else content["divisions"], start=1):
        click.echo(f"Division {number}:")
        for member in division:
            state = "" if member["state"] == "playing" else f", {member['state']}"
            click.echo(f"  {member['player']}{state}")
    for number, names in enumerate(content.get("planned", ()), start=1):
        click.echo(f"Division {number} begins with {', '.join(names) or 'nobody yet'}.")
    if content["standby"] and "planned" not in content:
        click.echo(f"On standby: {', '.join(content['standby'])}.")


@league.command()
@_season_options
@click.option("--json", "as_json", is_flag=True)
@click.pass_obj
def standings(settings: Settings, /, name: str, division: int | None, as_json: bool, **when: Any) -> None:
    """Show the table of the season."""
    from pbem.store.standings import show_standings

    with _season(settings, name, **when) as (desk, season):
        lists = [show_standings(desk.store, season, part) for part in _divisions(season, division)]
    if as_json:
        click.echo(json.dumps([row for rows in lists for row in rows]))
        return
    for rows in lists:
        if season.league.boards:
            _tell_teams(rows)
            continue
        tables = rows and "places" in rows[0]
        games = "  places" + " " * 13 if tables else "   won drawn  lost"
        click.echo(f"rank  points  played{games}  rating  on time  player")
        for row in rows:
            share = "" if row["reliability"] is None else f"{row['reliability']:.0%}"
            games = _places(row["places"]) if tables else f"{row['won']:6}{row['drawn']:6}{row['lost']:6}"
            click.echo(
                f"{row['rank']:4}  {row['points']:6g}  {row['played']:6}{games}"
                f"  {row['rating']:6}  {share:>7}  {row['player']}{' (has left)' if row['left'] else ''}"
                f"{' ({:+g} by hand)'.format(row['given']) if 'given' in row else ''}"
            )
        _tell_tie_breaks(rows)


def _tell_teams(rows: list[dict[str, Any]]) -> None:
    click.echo("rank  match points  played   won drawn  lost  team")
    for row in rows:
        click.echo(
            f"{row['rank']:4}  {row['points']:12g}  {row['played']:6}{row['won']:6}{row['drawn']:6}{row['lost']:6}"
            f"  {row['team']}{' (has left)' if row['left'] else ''}"
            f"{' ({:+g} by hand)'.format(row['given']) if 'given' in row else ''}"
        )
    _tell_tie_breaks(rows)


def _tell_tie_breaks(rows: list[dict[str, Any]]) -> None:
    """Print the tie-breaks of players with equal points, in the order in which they are applied."""
    shared = Counter(row["points"] for row in rows)
    tied = [row for row in rows if shared[row["points"]] > 1 and row["tie_breaks"]]
    if tied:
        click.echo("Those with equal points:")
        who = "team" if "team" in tied[0] else "player"
        click.echo(f"rank  {''.join(f'{name}  ' for name in tied[0]['tie_breaks'])}{who}")
    for row in tied:
        values = [
            f"{'-' if value is None else format(value, 'g'):>{len(name)}}  "
            for name, value in row["tie_breaks"].items()
        ]
        click.echo(f"{row['rank']:4}  {''.join(values)}{row[who]}")


def _places(places: list[dict[str, int]]) -> str:
    """Summarise how often a player took each place: `1st 2, 3rd 1`."""
    counted = Counter(place["place"] for place in places)
    text = ", ".join(f"{_ORDINALS[place - 1]} {times}" for place, times in sorted(counted.items()))
    return f"  {text:19}"


_ORDINALS = ("1st", "2nd", "3rd", "4th")


@league.command()
@_season_options
@click.option("--json", "as_json", is_flag=True)
@click.pass_obj
def crosstable(settings: Settings, /, name: str, division: int | None, as_json: bool, **when: Any) -> None:
    """Show who has played whom, and with what result."""
    from pbem.leagues.cross_table import cells, columns, cross_table, show_cross_table
    from pbem.leagues.team_matches import contest

    with _season(settings, name, **when) as (_, season):
        divisions = _divisions(season, division)
    if as_json:
        click.echo(json.dumps([row for part in divisions for row in show_cross_table(season, part)]))
        return
    for part in divisions:
        lines = cross_table(season.league, contest(season.league, part))
        _tell_cross_table(lines, [columns(season.league, lines), *cells(season.league, lines)])


def _tell_cross_table(lines: "list[CrossTableRow]", rows: list[list[str]]) -> None:
    names = ["", *(f"{line.name}{' (has left)' if line.has_left else ''}" for line in lines)]
    wide, longest = max(len(cell) for row in rows for cell in (*row, "")), max(map(len, names))
    heading = "points" if not lines or lines[0].rating is None else "points  rating"
    for number, (name, row) in enumerate(zip(names, rows, strict=True)):
        cells = "".join(f"{cell:>{wide}}  " for cell in row)
        points = f"{lines[number - 1].row.points:6g}" if number else heading
        if number and lines[number - 1].rating is not None:
            points += f"  {lines[number - 1].rating:6}"
        if number and (by_hand := lines[number - 1].by_hand):
            points += f"  ({by_hand:+g} by hand)"
        click.echo(f"{number or '':3}  {name:{longest}}  {cells}{points}")


@league.command()
@_season_options
@click.option("--format", "shape", type=click.Choice(("csv", "trf")), default="csv", show_default=True)
@click.pass_obj
def export(settings: Settings, /, name: str, division: int | None, shape: str, **when: Any) -> None:
    """Export a season as CSV, or as FIDE's TRF16."""
    from pbem.leagues.cross_table import as_csv, as_trf
    from pbem.leagues.season import LeagueError, external_ratings
    from pbem.store.ratings import ratings_of

    with _season(settings, name, **when) as (desk, season):
        chosen = {number: part for number, part in enumerate(season.divisions, start=1) if division in (None, number)}
        if not chosen or (shape == "trf" and len(chosen) > 1):
            raise LeagueError(f"{season.league.name} has {len(season.divisions)} divisions: say which by --division.")
        strong = ratings_of(desk.store, season.members)
    if shape == "csv":
        click.echo(as_csv(season, chosen), nl=False)
        return
    (part,) = chosen.values()
    own = {player: strength.rating.points for player, strength in strong.items() if strength.rating}
    click.echo(as_trf(season, part, external_ratings(season.league, part) or own), nl=False)


@league.command()
@_season_options
@click.option("--json", "as_json", is_flag=True)
@click.pass_obj
def rounds(settings: Settings, /, name: str, division: int | None, as_json: bool, **when: Any) -> None:
    """Show the rounds of the season with every game and its result."""
    from pbem.games import find_game
    from pbem.leagues.plain import show_rounds

    with _season(settings, name, **when) as (_, season):
        listed = [round_ for part in _divisions(season, division) for round_ in show_rounds(season, part)]
        seats, called = season.league.seats, find_game(season.league.game).called
    if as_json:
        click.echo(json.dumps(listed))
        return
    for round_ in listed:
        click.echo(f"Round {round_['round']}:")
        for match in round_.get("matches", ()):
            told = any(match["game_points"]) or any(game["result"] for game in match["boards"])
            points = "{:g} : {:g}".format(*match["game_points"]) if told else ""
            click.echo(f"  {' - '.join(match['teams'])}  {points}".rstrip())
            for board, game in enumerate(match["boards"], start=1):
                sitting = " - ".join(f"{game[seat]} ({called[seat]})" for seat in seats)
                click.echo(f"    {board}. {game['game'] or 'to come'}  {sitting}  {game['result'] or ''}".rstrip())
        for game in round_.get("games", ()):
            begun = game["game"] or "to come"
            if "untold" in game:
                click.echo(f"  {begun}  not told yet who plays")
                continue
            if len(seats) > 2:
                click.echo(f"  {begun}  {game['result'] or ''}".rstrip())
                places = {seat: game.get("places", {}).get(seat, 0) for seat in seats if seat in game}
                for seat in sorted(places, key=places.__getitem__):
                    click.echo(f"    {f'{places[seat]}.' if places[seat] else ' -'} {game[seat]} ({called[seat]})")
                continue
            sitting = " - ".join(f"{game[seat]} ({called[seat]})" for seat in seats)
            click.echo(f"  {begun}  {sitting}  {game['result'] or ''}".rstrip())
        for player in round_["byes"]:
            click.echo(f"  {player} has a bye")


@league.command("next")
@click.argument("name")
@click.pass_obj
def next_round(settings: Settings, /, name: str) -> None:
    """Begin the next round now. Unfinished games of the current round go on."""
    with _directed(settings, "next", name) as (_, season):
        click.echo(f"The next round of {season.league.name} begins. Letters go out with the next poll.")


@league.command()
@click.argument("name")
@click.option("--everybody", is_flag=True, help="Everyone on standby enters the lowest division.")
@click.pass_obj
def season(settings: Settings, /, name: str, everybody: bool) -> None:
    """Begin the next season, with promotions and new players."""
    with _directed(settings, "season", name, "with everybody" if everybody else "") as (_, season):
        click.echo(f"Season {season.number} of {season.league.name} begins. Letters go out with the next poll.")


@league.command()
@click.argument("name")
@click.argument("person", metavar="'NAME <ADDRESS>'")
@click.option("--division", type=click.IntRange(1, 99), metavar="N", help="In a first season; by default, the lowest.")
@click.option("--rating", type=click.IntRange(1, 9999), metavar="N", help="In a league with external ratings.")
@click.pass_obj
def join(settings: Settings, /, name: str, person: str, **options: Any) -> None:
    """Put a player on standby in a league, or at the foot of a ladder."""
    from pbem.leagues.league_file import parse_player
    from pbem.store.players import number_of_player

    newcomer = parse_player(person)
    with _directed(settings, "join", name, f"{person}{placed(options)}") as (desk, season):
        joined = season.members[number_of_player(desk.store, newcomer.address) or 0]
        state = joined.state if joined.state == "playing" else "on standby"
        click.echo(f"{joined.name} is {state} in {season.league.name}.")


@league.command()
@click.argument("name")
@click.argument("player")
@click.option("--reason", required=True, metavar="TEXT", help="Why: the players of their games are told.")
@click.pass_obj
def withdraw(settings: Settings, /, name: str, player: str, reason: str) -> None:
    """Take a player out of a league. The first player on standby takes their place; if nobody is on standby, their
    games are forfeited."""
    with _directed(settings, "withdraw", name, player, reason) as (_, season):
        click.echo(f"{player} no longer takes part in {season.league.name}. Letters go out with the next poll.")


@league.command(context_settings={"ignore_unknown_options": True})
@click.argument("name")
@click.argument("player")
@click.argument("number", type=float)
@click.option("--reason", required=True, metavar="TEXT", help="Why: the players of the division are told.")
@click.pass_obj
def points(settings: Settings, /, name: str, player: str, number: float, reason: str) -> None:
    """Give a player points by hand. A negative number takes points away."""
    with _directed(settings, "points", name, f"{player} {number:g}", reason) as (_, season):
        click.echo(f"{player} has {number:+g} points in {season.league.name}. Letters go out with the next poll.")


@league.command()
@click.argument("name")
@click.argument("player")
@click.argument("rating", type=click.IntRange(0, 9999))
@_REASON
@click.pass_obj
def rate(settings: Settings, /, name: str, player: str, rating: int, reason: str) -> None:
    """Correct an external rating of a player; 0 is none."""
    with _directed(settings, "rate", name, f"{player} {rating}", reason) as (_, season):
        click.echo(f"{player} has the rating {rating} in {season.league.name}. Letters go out with the next poll.")


@league.command()
@click.argument("name")
@click.argument("challenger")
@click.argument("rival")
@click.pass_obj
def challenge(settings: Settings, /, name: str, challenger: str, rival: str) -> None:
    """Have CHALLENGER play RIVAL, who is above them on a ladder."""
    with _directed(settings, "challenge", name, f"{challenger} against {rival}") as (_, season):
        *_, game = season.divisions[0].fixtures
        click.echo(f"Letters go out with the next poll. The game is {game.name}")


@league.command("tell")
@click.argument("name")
@click.argument("text")
@click.pass_obj
def tell_members(settings: Settings, /, name: str, text: str) -> None:
    """Write to everyone who plays or is on standby in a league."""
    with _directed(settings, "tell", name, f": {text}") as (_, season):
        click.echo(f"Done: tell {season.league.name}. Letters go out with the next poll.")


@league.command()
@click.argument("name")
@click.argument("person", metavar="'NAME <ADDRESS>'", required=False)
@click.option("--from", "path", type=click.Path(path_type=Path), metavar="FILE", help="A list instead: CSV, or TRF16.")
@click.option("--addresses", type=click.Path(path_type=Path), metavar="FILE", help="CSV, for a TRF16: name, address.")
@click.option(
    "--division", type=click.IntRange(1, 99), metavar="N", help="For players without one; by default, the lowest."
)
@click.option("--rating", type=click.IntRange(1, 9999), metavar="N", help="In a league with external ratings.")
@click.option("--points", metavar="N", help="For the rounds that have begun; else what the league gives.")
@_REASON
@click.pass_obj
def enter(settings: Settings, /, name: str, person: str | None, path: Path | None, **options: Any) -> None:
    """Enter a player, or a list of players, in a Swiss season.

    They play from its next round on, those of a list with the best rated first, those of a TRF16 by their starting
    ranks. Before the first season, those of a list are put on standby.
    """
    if bool(person) == bool(path):
        raise click.UsageError("Say either 'NAME <ADDRESS>' or --from FILE.")
    if options["addresses"] and not path:
        raise click.UsageError("--addresses is for a list: name it by --from FILE.")
    if path:
        entries = read_entries(path, options["addresses"])
        enter_all(settings, name, (path, entries), options)
        return
    with _directed(settings, "enter", name, f"{person}{placed(options)}", options["reason"]):
        click.echo("Letters go out with the next poll.")


@league.command()
@click.argument("name")
@click.argument("player")
@click.argument("number", metavar="ROUND")
@click.option("--points", metavar="N", help="What it is worth; else what the league gives.")
@click.option("--off", is_flag=True, help="They play after all.")
@_REASON
@click.pass_obj
def bye(settings: Settings, /, name: str, player: str, number: str, **options: Any) -> None:
    """Give a player a bye in a coming round of a Swiss season."""
    rest = " off" if options["off"] else worth(options["points"])
    with _directed(settings, "bye", name, f"{player} {number}{rest}", options["reason"]):
        click.echo("Letters go out with the next poll.")


@league.command()
@click.argument("name")
@click.argument("team")
@click.argument("board", type=click.IntRange(1, 8))
@click.argument("player", required=False)
@click.option("--round", "number", type=click.IntRange(1, 99), metavar="N", help="This round; else the next one.")
@click.option("--off", is_flag=True, help="Whoever the order of the boards gives plays after all.")
@_REASON
@click.pass_obj
def substitute(settings: Settings, /, name: str, team: str, board: int, player: str | None, **options: Any) -> None:
    """Name who plays on a board of a team in a round. Somebody on standby joins the team."""
    if bool(player) == options["off"]:
        raise click.UsageError("Say either PLAYER or --off.")
    when = f" round {options['number']}" if options["number"] else ""
    with _directed(settings, "substitute", name, f"{team} board {board} {player or 'off'}{when}", options["reason"]):
        click.echo("Letters go out with the next poll.")


@league.command()
@click.argument("name")
@click.argument("number", metavar="ROUND")
@click.argument("pairs", nargs=-1, metavar="'NAME - NAME'...")
@_REASON
@click.pass_obj
def pair(settings: Settings, /, name: str, number: str, pairs: tuple[str, ...], reason: str) -> None:
    """Decide who plays whom in a round of a Swiss season. The first player of a pair has the first seat. The program
    pairs everyone who is not named."""
    with _directed(settings, "pair", name, f"{number} {', '.join(pairs)}".strip(), reason):
        click.echo("Letters go out with the next poll.")


def _add_pair_command(word: str, text: str) -> None:
    """Add the command `word` for a decision about two players, with `text` as its help text."""

    @league.command(word, help=text)
    @click.argument("name")
    @click.argument("pair", metavar="'NAME - NAME'")
    @_REASON
    @click.pass_obj
    def decide(settings: Settings, /, name: str, pair: str, reason: str) -> None:
        with _directed(settings, word, name, pair, reason):
            click.echo("Letters go out with the next poll.")


_add_pair_command("forbid", "Never pair two players.")
_add_pair_command("allow", "Let two players be paired again.")


@contextmanager
def _season(
    settings: Settings, name: str, season: int | None = None, until: int | None = None, *, names: bool = False
) -> "Iterator[tuple[Desk, LeagueSeason]]":
    """Yield the desk and, for reading only, a season of the league `name`: the one with the number `season` or, by
    default, the current one. If `until` is given, the season is yielded as it was after the round with that number. It
    is yielded as everybody may know it, or completely if `names` is true."""
    from pbem.leagues.anonymous import told
    from pbem.store import leagues

    with settings.desk() as desk:
        loaded = leagues.find_season(desk.store, name, season)
        loaded = loaded.until(until) if until else loaded
        yield desk, loaded if names else told(loaded)


@contextmanager
def _directed(
    settings: Settings, word: str, name: str, argument: str = "", reason: str = ""
) -> "Iterator[tuple[Desk, LeagueSeason]]":
    """Carry out the decision `word` about the league `name` as if it had come in a letter; then yield the desk and the
    current season of the league."""
    from pbem.orders.command import Decision
    from pbem.store import leagues

    with settings.desk() as desk:
        full_name = leagues.find_season(desk.store, name).league.name
        desk.decide(Decision(word, full_name, argument, reason))
        yield desk, leagues.find_season(desk.store, name)


def _divisions(season: "LeagueSeason", number: int | None) -> "tuple[Division, ...]":
    from pbem.leagues.season import LeagueError

    if number is None:
        return season.divisions
    if number > len(season.divisions):
        raise LeagueError(f"{season.league.name} has {len(season.divisions)} divisions.")
    return season.divisions[number - 1 : number]
