"""The pages of the archive: histories, lists and tables, rendered as HTML from templates.

All functions are pure. No page shows anything that looks like an address, even if somebody has written one in a name or
a reason.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import normalize
from zoneinfo import ZoneInfo

from pbem.archive.curve import curve_of
from pbem.archive.listed import ListedSeason, PlayerLink, count, season_file
from pbem.games import find_game
from pbem.games.base import AnyGame, Event, Paragraph, Picture, Result, Seat, Side
from pbem.games.capabilities import round_name
from pbem.record.history import Ended, History, Placed, Played, Remark, Resigned, RolledBack, Step
from pbem.render.blocks import parts_of, plain
from pbem.resources import resource
from pbem.times.moments import format_duration

if TYPE_CHECKING:
    from jinja2 import Environment


CHUNK = 100
"""The number of games on a page of a list. Pages are filled from the oldest game on, so that old games never move."""

MOST_PEOPLE = 300
"""The largest number of players listed on one page. If there are more players, each initial has a page of its own."""


class Place(NamedTuple):
    """The place of a game in a league: the league's number and name, the season and the round."""

    league: int
    name: str
    season: int
    round: int

    @property
    def file(self) -> str:
        return season_file(self.league, self.season)


class ListedGame(NamedTuple):
    """A game as shown in lists.

    `kind` is the name of the game that is played, `title` the form of that name shown to readers. `phase` is "running",
    "finished" or "annulled". `turns` is the number of valid turns; `round` is the name of the current turn. `result` is
    None until the game has ended; `winners` are the seats of the winning side. `began` and `ended` are None if the game
    was imported from a record that does not say them; `ended` is also None while the game is running.
    """

    number: int
    name: str
    kind: str
    title: str
    phase: str
    seats: Mapping[Seat, PlayerLink]
    turns: int
    result: Result | None
    place: Place | None
    began: datetime | None
    ended: datetime | None
    winners: frozenset[Seat] = frozenset()
    round: str = ""


class ListedPlayer(NamedTuple):
    """A person with a page, and their games, oldest first."""

    number: int
    name: str
    games: Sequence[ListedGame]

    def tally(self) -> Counter[str]:
        """Count the person's games by outcome: `won`, `drawn`, `lost` or `running`. Annulled games do not count."""
        return Counter(filter(None, (_outcome(game, self.number) for game in self.games)))

    def by_game(self) -> list[tuple[str, Counter[str]]]:
        """Return what `tally` counts for each game that the person has played, by its title in order of the titles."""
        tallies: dict[str, Counter[str]] = {}
        for game in self.games:
            if outcome := _outcome(game, self.number):
                tallies.setdefault(game.title, Counter())[outcome] += 1
        return sorted(tallies.items())

    def by_opponent(self) -> list[tuple[PlayerLink, Counter[str]]]:
        """Return what `tally` counts against each opponent with a page in games of two, the most frequent one first."""
        tallies: dict[PlayerLink, Counter[str]] = {}
        for game in self.games:
            outcome = _outcome(game, self.number)
            for opponent in game.seats.values() if outcome and len(game.seats) == 2 else ():
                if opponent.number not in (None, self.number):
                    tallies.setdefault(opponent, Counter())[outcome] += 1
        return sorted(
            tallies.items(), key=lambda item: (-item[1].total(), item[0].name.casefold(), item[0].number or 0)
        )

    def seasons(self) -> list[Place]:
        """Return the seasons that the person has played in, newest first, each as the place of one of their games."""
        places = {game.place.file: game.place for game in self.games if game.place}
        return [*places.values()][::-1]

    @property
    def initial(self) -> str:
        """The initial under which the person is listed: a letter from A to Z, or `#`."""
        first = normalize("NFD", self.name)[:1].upper()
        return first if "A" <= first <= "Z" else "#"


def game_file(name: str) -> str:
    """Return the path of a game's page."""
    return f"games/{name}.html"


def chunks(games: Sequence[ListedGame]) -> int:
    """Return how many pages of 100 games follow the first page of a list, which has the newest games (up to 199)."""
    return max(0, len(games) // CHUNK - 1)


def list_file(base: str, number: int) -> str:
    """Return the path of page `number` of the list `base`; 0 is the first page (see `chunk_of`)."""
    return f"{base}-{number}.html" if number else f"{base}.html"


def chunk_of(games: Sequence[ListedGame], number: int) -> Sequence[ListedGame]:
    """Return the games on page `number` of a list, newest first. Page 1 has the oldest games, page 0 the newest."""
    part = games[(number - 1) * CHUNK : number * CHUNK] if number else games[chunks(games) * CHUNK :]
    return part[::-1]


def initials(people: Sequence[ListedPlayer]) -> tuple[str, ...]:
    """Return the initials that have pages of their own in the list of players; () if the list is short."""
    return tuple(sorted({person.initial for person in people})) if len(people) > MOST_PEOPLE else ()


def players_file(letter: str) -> str:
    """Return the path of the page of players with the initial `letter`; "" stands for the first page of the list."""
    return f"players-{letter.lower() if letter != '#' else 'other'}.html" if letter else "players.html"


# In words


def in_short(game: ListedGame) -> str:
    """Describe the state of a game in a few words: `Red won`, `Draw`, `Turn 5`."""
    if game.phase == "annulled":
        return "Annulled"
    if game.result is None:
        return f"Turn {game.round}"
    return outcome_in_words(game.kind, game.result.winner, forfeit=game.result.forfeit)


def title_of(game: ListedGame) -> str:
    """Return the title of a game: `Alice against Bob`, or just the names if there are more than two players."""
    return (" against " if len(game.seats) == 2 else ", ").join(seat.name for seat in game.seats.values())


def outcome_in_words(kind: str, winner: Side | None, *, forfeit: bool) -> str:
    """Describe an outcome: `Red won`, `Red won by forfeit`, `Draw`, `Forfeited by all`."""
    if winner is None:
        return "Forfeited by all" if forfeit else "Draw"
    return f"{find_game(kind).called[winner]} won{' by forfeit' * forfeit}"


def _outcome(game: ListedGame, player: int) -> str:
    """Return the outcome of a game for `player`: "won", "drawn", "lost" or "running"; "" if the game was annulled."""
    if game.phase != "finished" or game.result is None:
        return "running" if game.phase == "running" else ""
    if game.result.winner is None:
        return "lost" if game.result.forfeit else "drawn"
    return "won" if any(game.seats[seat].number == player for seat in game.winners) else "lost"


class Site(NamedTuple):
    """The values that all pages share: the name of the archive, the time zone of its dates, and the address of the
    desk."""

    title: str
    zone: ZoneInfo
    address: str


# Pages


def game_page(site: Site, listed: ListedGame, history: History, thoughts: str = "") -> str:
    """Render the page of a game, turn by turn. A finished game also has a curve; see `curve_of` for `thoughts`."""
    game, steps = history.game, [*shown_steps(history)]
    view = game.view(history.start, history.reader)
    steps[-1] = steps[-1]._replace(verdict=in_full(listed))
    return page(
        "game",
        site,
        "../",
        game=listed,
        lead=_lead(listed),
        clocks=_clocks(history),
        style=f"{game.name}.css",
        plan=game.plan(view),
        steps=steps,
        curve=curve_of(history, thoughts),
        sides=_sides(history),
        legend=_split(game.picture(view))[1],
        notes=game.notes(history.start),
    )


def public(history: History) -> History:
    """Return `history` without the addresses that people have written in texts and names, for use in downloads."""

    def masked(step: Step) -> Step:
        if isinstance(step, Placed | RolledBack):
            return step._replace(reason=_masked(step.reason))
        if isinstance(step, Remark):
            return step._replace(text=_masked(step.text))
        return step._replace(result=_result(step.result)) if isinstance(step, Ended) else step

    return replace(
        history,
        players={seat: _masked(name) for seat, name in history.players.items()},
        league=_masked(history.league),
        result=history.result and _result(history.result),
        steps=tuple(map(masked, history.steps)),
    )


def _result(result: Result) -> Result:
    return replace(result, reason=_masked(result.reason))


def _sides(history: History) -> list[list[Seat]]:
    """Return the seats of a game, grouped by side. The seats of a side win and lose together."""
    sides: dict[str, list[Seat]] = {}
    for seat, side in history.game.seats(history.options):
        sides.setdefault(side, []).append(seat)
    return [*sides.values()]


def index_page(site: Site, games: Sequence[ListedGame], leagues: Sequence[ListedSeason], **facts: Any) -> str:
    """Render the front page.

    `leagues` has the newest season of each league. `facts` are `players`, the number of players, and `built`, a text
    that names the time of the build and the version of the program.
    """
    running = [game for game in reversed(games) if game.phase == "running"]
    over = [game for game in games if game.phase != "running" and game.ended]
    recent = sorted(over, key=lambda game: (game.ended, game.number), reverse=True)
    turns = sum(game.turns for game in games)
    return page(
        "index", site, "", games=games, running=running, recent=recent[:10], leagues=leagues, turns=turns, **facts
    )


def games_page(site: Site, games: Sequence[ListedGame], number: int) -> str:
    """Render page `number` of the list of all games (see `chunk_of`)."""
    chunk, last = chunk_of(games, number), chunks(games)
    pages = [] if number else [(at, chunk_of(games, at)) for at in range(last, 0, -1)]
    return page("games", site, "", games=chunk, number=number, last=last, pages=pages)


def players_page(site: Site, people: Sequence[ListedPlayer], letter: str) -> str:
    """Render the page of players with the initial `letter`. "" is the first page: all players or, if many, initials."""
    letters = initials(people)
    listed = [person for person in people if person.initial == letter or not letters]
    named = [(initial, players_file(initial)) for initial in letters]
    return page("players", site, "", people=sorted(listed, key=_by_name), letter=letter, letters=named)


def player_page(site: Site, person: ListedPlayer, number: int) -> str:
    """Render page `number` of the list of a person's games (see `chunk_of`)."""
    chunk, last = chunk_of(person.games, number), chunks(person.games)
    return page("player", site, "../", person=person, games=chunk, number=number, last=last)


def search_data(
    games: Sequence[ListedGame], people: Sequence[ListedPlayer], leagues: Sequence[Sequence[ListedSeason]]
) -> str:
    """Return the data of the search page, as a script that sets one variable."""
    players = [(person.number, _masked(person.name), len(person.games)) for person in people]
    seasons = [
        (season.file, f"{_masked(season.name)}, season {season.number}", _summary(season))
        for league in leagues
        for season in league
    ]
    rows = [
        (
            game.name,
            [person.number or _masked(person.name) for person in game.seats.values()],
            in_short(game),
            _year(game),
            _masked(game.place.name) if game.place else "",
        )
        for game in reversed(games)
    ]
    data = json.dumps({"players": players, "leagues": seasons, "games": rows}, ensure_ascii=True, separators=(",", ":"))
    return f"const ARCHIVE = {data};\n"


def last_known(game: ListedGame) -> datetime:
    """Return when a game ended or, if that is not known, began; a moment before all others if that is not known
    either."""
    return game.ended or game.began or datetime.min.replace(tzinfo=UTC)


def _year(game: ListedGame) -> int | str:
    known = game.ended or game.began
    return known.year if known else ""


def _summary(season: ListedSeason) -> str:
    """Summarise a season: `swiss, 8 players, won by Alice`."""
    winners = [_masked(who.name) for division in season.divisions for who in division.winners]
    facts = [season.format, season.size()]
    return ", ".join([*facts, f"won by {' and '.join(winners)}"] if winners else facts)


# Words


def in_full(game: ListedGame) -> str:
    """Return the result and its reason: `Red won. Red holds five cities.`; "" if the game is not over."""
    if game.result is None:
        return ""
    reason = why(game)
    sentences = [reason] if game.phase == "annulled" else [in_short(game), reason]
    return " ".join(f"{sentence}." for sentence in sentences if sentence)


def why(game: ListedGame) -> str:
    """Return the reason for the result of a game, without a full stop; "" if no reason is known."""
    reason = _masked(game.result.reason).strip().rstrip(".") if game.result else ""
    return reason[:1].upper() + reason[1:]


def _lead(game: ListedGame) -> str:
    """Describe the result of a game, or the current turn of a running game, in a sentence or two."""
    return in_full(game) or f"Being played: turn {game.round}."


def _clocks(history: History) -> str:
    """Return what people had left in their banks of time at the last report; "" if there is nothing to say."""
    called = history.game.called
    left = [f"{called[seat]} {format_duration(span)}" for seat, span in history.clocks.items()]
    turn = round_name(history.game, history.state, len(history.turns()) + 1)
    return f"The clocks at the start of turn {turn}: {'; '.join(left)}." if left else ""


_WRITTEN_ADDRESS = re.compile(r"[^\s<>()\[\],;:\"]+@[^\s<>()\[\],;:\"]+")


def _masked(text: str) -> str:
    """Replace each e-mail address in `text` with `(address)`."""
    return _WRITTEN_ADDRESS.sub("(address)", text) if "@" in text else text


# The steps of a game


class ShownStep(NamedTuple):
    """The content under one heading of a game's page. `short` is the form of `title` that links show.

    `map` is the board as SVG, `text` the board as text. `before` lists decisions and replacements before the step.
    """

    id: str
    title: str
    short: str
    map: str
    text: str
    summary: Sequence[str]
    at: datetime | None
    note: str = ""
    stage: str = ""
    orders: Sequence[tuple[Seat, str, bool]] = ()
    story: Sequence[Paragraph] = ()
    undone: bool = False
    verdict: str = ""
    before: Sequence[str] = ()


def shown_steps(history: History) -> Iterator[ShownStep]:
    """Yield the steps of a game, each with the board after it and, in `before`, the remarks since the last step."""
    steps, before = _shown_steps(history), list[str]()
    yield next(steps)
    for step in history.steps:
        if isinstance(step, Remark):
            before += [] if step.seat else [_masked(step.text)]
        else:
            yield next(steps)._replace(before=before)
            before = []
    if before:
        yield ShownStep("told", "Since then", "Since", *_board(history, history.state), None, before=before)


def _shown_steps(history: History) -> Iterator[ShownStep]:
    """Yield the start and all steps other than remarks, with `before` left empty."""
    number, game, reader = Counter[str](), history.game, history.reader
    state, began = history.start, {1: history.start}
    begun = game.story(game.view(state, reader), history.opening) if history.opening else ()
    yield ShownStep("start", "Start", "Start", *_board(history, state), history.began, story=begun)
    for step in history.steps:
        match step:
            case Remark():
                continue
            case Played():
                began[step.turn], state = step.before, step.after
                yield _turn(history, step, number)
                continue
            case Placed() | Resigned():
                board = _board(history, step.state, state)
                state = step.state
            case RolledBack():
                state = began[step.turn]
                board = _board(history, state)
            case Ended():
                board = _board(history, state)
        name, title, short, note = _called(game, step, state)
        yield ShownStep(_id(name, number), title, short, *board, step.moment, _masked(note))


def _called(game: AnyGame, step: Step, state: Any) -> tuple[str, str, str, str]:
    """Return the name, the title, the short title and the note of a step other than a turn."""
    match step:
        case Placed(reason=reason):
            return "correction", "Position corrected", "Corrected", reason
        case Resigned(seat):
            return "resigned", f"{game.called[seat]} has left the game", "Resigned", ""
        case RolledBack(turn, reason=reason):
            return "rollback", f"Back to turn {round_name(game, state, turn)}", "Back", reason
    title = "Annulled" if isinstance(step, Ended) and step.annulled else "Result"
    return "end", title, title, ""


def _turn(history: History, step: Played, number: Counter[str]) -> ShownStep:
    game, name = history.game, f"turn-{step.turn}"
    awaited = game.awaiting(step.before)
    return ShownStep(
        _id(f"{name}-undone", number) if step.undone else name,
        f"Turn {round_name(game, step.before, step.turn)}",
        round_name(game, step.before, step.turn),
        *_board(history, step.after, step.before, step.events),
        step.moment,
        stage=game.phase(game.view(step.before, history.reader)),
        orders=[_orders(game, seat, step.orders.get(seat), awaited=seat in awaited) for seat in history.seats],
        story=game.story(game.view(step.before, history.reader), game.redact_events(step.events, history.reader)),
        undone=step.undone,
    )


def _orders(game: AnyGame, seat: Seat, orders: str | None, *, awaited: bool) -> tuple[Seat, str, bool]:
    """Return `seat`, its orders or words that explain their absence, and whether there are any orders. `awaited` says
    whether the seat had to send orders."""
    if orders is not None:
        return seat, orders, True
    return seat, "no orders came" if awaited else game.phrases.unasked, False


def _id(name: str, number: Counter[str]) -> str:
    """Return a step's id: `name`, followed by a number if an earlier step on the page has the same name."""
    number[name] += 1
    return f"{name}-{number[name]}" if number[name] > 1 else name


def _board(
    history: History, state: Any, since: Any | None = None, events: Sequence[Event] = ()
) -> tuple[str, str, Sequence[str]]:
    """Return the board in `state` as SVG and as text, marking changes since `since`, and the lines that sum it up."""
    game, reader = history.game, history.reader
    view, since = game.view(state, reader), None if since is None else game.view(since, reader)
    events = game.redact_events(tuple(events), reader)
    board, _ = _split(game.picture(view, since))
    return game.overlay(view, since, events), board, game.summary(view)


def _split(picture: Picture) -> tuple[str, str]:
    """Split a picture into the texts of the board and the legend, which an empty line without spans separates."""
    at = picture.index(()) if () in picture else len(picture)
    return plain(picture[:at]), plain(picture[at + 1 :])


# Templates


def _by_name(person: ListedPlayer) -> tuple[str, int]:
    return person.name.casefold(), person.number


def page(name: str, site: Site, root: str, **values: Any) -> str:
    """Render a page from the template `name`; `root` is the relative path to the folder of the front page."""
    site = site._replace(title=_masked(site.title))
    dated = {"day": lambda moment: _day(moment, site.zone), "stamp": lambda moment: f"{moment:%Y-%m-%dT%H:%MZ}"}
    return _environment().get_template(f"{name}.j2").render(site=site, root=root, here=name, **dated, **values)


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "June", "July", "Aug", "Sept", "Oct", "Nov", "Dec")


def _day(moment: datetime, zone: ZoneInfo) -> str:
    """Format a date: `21 Nov 2026`."""
    local = moment.astimezone(zone)
    return f"{local.day} {_MONTHS[local.month - 1]} {local.year}"


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(resource("templates") / "site"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "masked": _masked,
        "printable": lambda text: "".join(char if char.isprintable() else " " for char in text),
        "called": lambda seat, kind: find_game(kind).called[seat],
        "in_short": in_short,
        "count": count,
        "order_lines": parts_of,
        "file": game_file,
    }
    return environment
