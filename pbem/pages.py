"""The pages of the archive: histories, lists and tables to HTML, from templates. Functions of values.

Nothing that looks like an address stands on any page, whoever wrote it into a name or a reason.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import normalize
from zoneinfo import ZoneInfo

from pbem.games.base import Event, Game, Picture, Result, Seat
from pbem.history import Ended, History, Placed, Played, RolledBack
from pbem.resources import resource

if TYPE_CHECKING:
    from jinja2 import Environment

CHUNK = 100
"""Games on a page of a list: the older ones, in hundreds from the first, never move to another page."""

MOST_PEOPLE = 300
"""Players on one page; if there are more, each initial has a page of its own."""

ASSETS = ("style.css", "icon.svg", "game.js", "search.js")
"""Files that pages need and that are the same in every archive."""


class Site(NamedTuple):
    """What all pages share: the name of the whole, and the zone of its dates."""

    title: str
    zone: ZoneInfo


class Person(NamedTuple):
    """Somebody in a game or a table; `number` is that of his page, None if he has none."""

    number: int | None
    name: str


class Place(NamedTuple):
    """Where a league game belongs; `league` is the number of the league."""

    league: int
    name: str
    season: int
    round: int

    @property
    def file(self) -> str:
        return season_file(self.league, self.season)


class Listed(NamedTuple):
    """A game as lists show it. `phase` is "running", "finished" or "annulled"; `turns` are those that count; `result`
    is None while it goes on."""

    number: int
    name: str
    game: str
    phase: str
    seats: Mapping[Seat, Person]
    turns: int
    result: Result | None
    place: Place | None
    began: datetime
    ended: datetime | None


class Profile(NamedTuple):
    """Somebody with a page, and his games, oldest first."""

    number: int
    name: str
    games: Sequence[Listed]

    def tally(self) -> Counter[str]:
        """How many games he has won, drawn, lost and still plays; annulled ones are not counted."""
        return Counter(filter(None, (_outcome(game, self.number) for game in self.games)))

    def seasons(self) -> list[Place]:
        """The seasons he has played in, newest first, each as the place of a game there."""
        found = {game.place.file: game.place for game in self.games if game.place}
        return [*found.values()][::-1]

    @property
    def initial(self) -> str:
        """What his name begins with, as lists of names have it: a letter from A to Z, else `#`."""
        first = normalize("NFD", self.name)[:1].upper()
        return first if "A" <= first <= "Z" else "#"


class TableRow(NamedTuple):
    """A line of a season's table."""

    rank: int
    player: Person
    points: float
    played: int
    won: int
    drawn: int
    lost: int


class Fixture(NamedTuple):
    """A game of a round; `game` is the name of its page, None if there is none."""

    game: str | None
    seats: Mapping[Seat, Person]
    result: str


class RoundOf(NamedTuple):
    """A round with its games, and who had none."""

    number: int
    fixtures: Sequence[Fixture]
    byes: Sequence[Person]


class DivisionOf(NamedTuple):
    """A division of a season: its table and its rounds."""

    number: int
    table: Sequence[TableRow]
    rounds: Sequence[RoundOf]


class SeasonOf(NamedTuple):
    """A season of a league, which has a number of its own."""

    league: int
    name: str
    format: str
    number: int
    divisions: Sequence[DivisionOf]

    @property
    def file(self) -> str:
        return season_file(self.league, self.number)

    def players(self) -> int:
        """How many take part."""
        return sum(len(division.table) for division in self.divisions)


def season_file(league: int, season: int) -> str:
    """Where the page of a season is, below the archive."""
    return f"leagues/{league}-season-{season}.html"


def game_file(name: str) -> str:
    """Where the page of a game is, below the archive."""
    return f"games/{name}.html"


def chunks(games: Sequence[Listed]) -> int:
    """How many pages of older games a list has: all but the newest hundred or two, in hundreds."""
    return max(0, len(games) // CHUNK - 1)


def list_file(base: str, number: int) -> str:
    """Where a page of a list is, below the archive; number 0 is its first one, see `chunk_of`."""
    return f"{base}-{number}.html" if number else f"{base}.html"


def chunk_of(games: Sequence[Listed], number: int) -> Sequence[Listed]:
    """The games on a page of a list, newest first: number 1 is the oldest hundred, 0 the newest that there are."""
    part = games[(number - 1) * CHUNK : number * CHUNK] if number else games[chunks(games) * CHUNK :]
    return part[::-1]


# Pages


def game_page(site: Site, listed: Listed, history: History) -> str:
    """A game turn by turn."""
    game, steps = history.game, [*_steps(history)]
    view = game.view(history.start, None)
    steps[-1] = steps[-1]._replace(verdict=_verdict(listed))
    return _page(
        "game",
        site,
        "../",
        game=listed,
        lead=_lead(listed),
        style=f"{game.name}.css",
        plan=game.plan(view),
        steps=steps,
        legend=_split(game.picture(view))[1],
        notes=game.notes(view),
    )


def index_page(site: Site, games: Sequence[Listed], leagues: Sequence[SeasonOf], **facts: Any) -> str:
    """The front page; `leagues` are their newest seasons, `facts` how many `players` there are, and when and by what it
    was `built`."""
    running = [game for game in reversed(games) if game.phase == "running"]
    over = [game for game in games if game.phase != "running" and game.ended]
    recent = sorted(over, key=lambda game: (game.ended, game.number), reverse=True)
    turns = sum(game.turns for game in games)
    return _page(
        "index", site, "", games=games, running=running, recent=recent[:10], leagues=leagues, turns=turns, **facts
    )


def games_page(site: Site, games: Sequence[Listed], number: int) -> str:
    """A page of the list of all games: see `chunk_of`."""
    shown, last = chunk_of(games, number), chunks(games)
    pages = [] if number else [(at, chunk_of(games, at)) for at in range(last, 0, -1)]
    return _page("games", site, "", games=shown, number=number, last=last, pages=pages)


def initials(people: Sequence[Profile]) -> tuple[str, ...]:
    """The letters that the list of players is divided by: none while it is short."""
    return tuple(sorted({one.initial for one in people})) if len(people) > MOST_PEOPLE else ()


def players_file(letter: str) -> str:
    """Where the players with an initial are listed, below the archive; "": where the list begins."""
    return f"players-{letter.lower() if letter != '#' else 'other'}.html" if letter else "players.html"


def players_page(site: Site, people: Sequence[Profile], letter: str) -> str:
    """Who has played, by name: all with an initial, or "": all there are, if they are few."""
    letters, number = initials(people), Counter(one.initial for one in people)
    shown = [one for one in people if one.initial == letter or not letters]
    named = [(one, players_file(one), number[one]) for one in letters]
    return _page("players", site, "", people=sorted(shown, key=_by_name), letter=letter, letters=named)


def player_page(site: Site, person: Profile, number: int) -> str:
    """Somebody's games: see `chunk_of`."""
    shown, last = chunk_of(person.games, number), chunks(person.games)
    return _page("player", site, "../", person=person, games=shown, number=number, last=last)


def leagues_page(site: Site, leagues: Sequence[Sequence[SeasonOf]]) -> str:
    """All leagues, each with its seasons, newest first."""
    return _page("leagues", site, "", leagues=leagues)


def season_page(site: Site, season: SeasonOf) -> str:
    """A season of a league: tables and rounds."""
    return _page("season", site, "../", season=season)


def search_page(site: Site) -> str:
    """Where games and players are searched for."""
    return _page("search", site, "")


def search_data(games: Sequence[Listed], people: Sequence[Profile]) -> str:
    """What the search page searches, as a script that sets one variable."""
    players = [(one.number, _masked(one.name), len(one.games)) for one in people]
    rows = [
        (
            game.name,
            [person.number or _masked(person.name) for person in game.seats.values()],
            verdict(game),
            (game.ended or game.began).year,
        )
        for game in reversed(games)
    ]
    data = json.dumps({"players": players, "games": rows}, ensure_ascii=True, separators=(",", ":"))
    return f"const ARCHIVE = {data};\n"


def asset(name: str) -> str:
    """One of `ASSETS`."""
    return (resource("templates") / "pages" / name).read_text("utf-8")


# Words


def verdict(game: Listed) -> str:
    """How a game stands, in a few words: `Red won`, `Draw`, `Turn 5`."""
    if game.phase == "annulled":
        return "Annulled"
    if game.result is None:
        return f"Turn {game.turns + 1}"
    return outcome_in_words(game.result.winner, forfeit=game.result.forfeit)


def outcome_in_words(winner: Seat | None, *, forfeit: bool) -> str:
    """`Red won`, `Red won by forfeit`, `Draw`, `Forfeited by all`."""
    if winner is None:
        return "Forfeited by all" if forfeit else "Draw"
    return f"{winner.capitalize()} won{' by forfeit' * forfeit}"


def _verdict(game: Listed) -> str:
    """`Red won. Red holds five cities.`; "" while it goes on."""
    if game.result is None:
        return ""
    reason = _masked(game.result.reason).strip().rstrip(".")
    reason = reason[:1].upper() + reason[1:]
    told = [reason] if game.phase == "annulled" else [verdict(game), reason]
    return " ".join(f"{sentence}." for sentence in told if sentence)


def _lead(game: Listed) -> str:
    """What became of a game, in a sentence or two."""
    return _verdict(game) or f"Being played: turn {game.turns + 1}."


def _outcome(game: Listed, player: int) -> str:
    """What a game is to one of its players: "won", "drawn", "lost", "running", or "" if it counts for nothing."""
    if game.phase != "finished" or game.result is None:
        return "running" if game.phase == "running" else ""
    if game.result.winner is None:
        return "lost" if game.result.forfeit else "drawn"
    return "won" if game.seats[game.result.winner].number == player else "lost"


_ADDRESS = re.compile(r"[^\s<>()\[\],;:\"]+@[^\s<>()\[\],;:\"]+")


def _masked(text: str) -> str:
    """Words of people without addresses in them."""
    return _ADDRESS.sub("(address)", text) if "@" in text else text


# The steps of a game


class _Step(NamedTuple):
    """What stands under one heading of a game's page. `kind` is "start", "turn", "correction", "rollback" or "end"."""

    id: str
    kind: str
    title: str
    short: str
    map: str
    picture: str
    summary: Sequence[str]
    at: datetime | None = None
    orders: Sequence[tuple[Seat, str, bool]] = ()
    story: Sequence[tuple[str, str]] = ()
    note: str = ""
    undone: bool = False
    verdict: str = ""


def _steps(history: History) -> Iterator[_Step]:
    game, number, began = history.game, Counter[str](), {1: history.start}
    yield _Step("start", "start", "Start", "Start", *_shown(game, history.start), at=history.began)
    state = history.start
    for step in history.steps:
        match step:
            case Played():
                yield _turn(game, step, number)
                began[step.turn], state = step.before, step.after
            case Placed():
                yield _Step(
                    _id("correction", number),
                    "correction",
                    "Position corrected",
                    "Corrected",
                    *_shown(game, step.state, state),
                    at=step.at,
                    note=_masked(step.reason),
                )
                state = step.state
            case RolledBack():
                state = began[step.turn]
                yield _Step(
                    _id("rollback", number),
                    "rollback",
                    f"Back to turn {step.turn}",
                    "Back",
                    *_shown(game, state),
                    at=step.at,
                    note=_masked(step.reason),
                )
            case Ended():
                yield _Step(
                    "end",
                    "end",
                    "Annulled" if step.annulled else "Result",
                    "End",
                    *_shown(game, state),
                    at=step.at,
                )


def _turn(game: Game, step: Played, number: Counter[str]) -> _Step:
    name = f"turn-{step.turn}"
    awaited = game.awaiting(step.before)
    return _Step(
        _id(f"{name}-undone", number) if step.undone else name,
        "turn",
        f"Turn {step.turn}",
        f"{step.turn}",
        *_shown(game, step.after, step.before, step.events),
        at=step.at,
        orders=[_orders(seat, step.orders.get(seat), awaited=seat in awaited) for seat in game.seats],
        story=[*game.story(step.before, step.events)],
        undone=step.undone,
    )


def _orders(seat: Seat, said: str | None, *, awaited: bool) -> tuple[Seat, str, bool]:
    """A seat, its orders in canonical form or words for their absence, and whether they are orders."""
    if said is not None:
        return seat, said, True
    return seat, "no orders came" if awaited else "nothing left to order", False


def _id(name: str, number: Counter[str]) -> str:
    number[name] += 1
    return f"{name}-{number[name]}" if number[name] > 1 else name


def _shown(
    game: Game, state: Any, since: Any | None = None, events: Sequence[Event] = ()
) -> tuple[str, str, Sequence[str]]:
    """The board as a drawing and as text, and the standing in lines."""
    view = game.view(state, None)
    board, _ = _split(game.picture(view, since))
    return game.overlay(view, since, events), board, game.summary(view)


def _split(picture: Picture) -> tuple[str, str]:
    """The board and the legend of a picture: an empty line without any spans divides them."""
    at = picture.index(()) if () in picture else len(picture)
    return _text(picture[:at]), _text(picture[at + 1 :])


def _text(picture: Picture) -> str:
    return "\n".join("".join([span.text for span in line]).rstrip() for line in picture)


# Templates


def _by_name(person: Profile) -> tuple[str, int]:
    return person.name.casefold(), person.number


def _page(name: str, site: Site, root: str, **values: Any) -> str:
    environment = _environment()
    dated = {"day": lambda moment: _day(moment, site.zone), "stamp": lambda moment: f"{moment:%Y-%m-%dT%H:%MZ}"}
    return environment.get_template(f"{name}.j2").render(site=site, root=root, here=name, **dated, **values)


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "June", "July", "Aug", "Sept", "Oct", "Nov", "Dec")


def _day(moment: datetime, zone: ZoneInfo) -> str:
    """`21 Nov 2026`."""
    local = moment.astimezone(zone)
    return f"{local.day} {_MONTHS[local.month - 1]} {local.year}"


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(resource("templates") / "pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        keep_trailing_newline=True,
    )
    environment.filters |= {"masked": _masked, "verdict": verdict, "count": _count, "file": game_file}
    return environment


def _count(number: int, one: str, many: str) -> str:
    """`1 game`, `10,000 games`."""
    return f"{number:,} {one if number == 1 else many}"
