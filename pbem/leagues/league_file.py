"""League files and players' files: their content as types, and a reader that reports all problems at once."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal, NamedTuple, get_args

from pbem import PbemError
from pbem.games import DEFAULT, find_game
from pbem.games.base import AnyGame, GameError, Seat, seats_of
from pbem.games.capabilities import LEVELS
from pbem.games.chance import any_chance
from pbem.games.options import Option
from pbem.mail.addresses import read_mailbox
from pbem.match.identity import Person, PersonError, computer, parse_person
from pbem.match.model import Master
from pbem.match.names import checked_name, forms
from pbem.match.terms import USUAL, Terms, dump_terms, read_terms
from pbem.orders.commands import DECISIONS
from pbem.times.moments import format_duration, parse_duration
from pbem.tournament.standings import Scoring
from pbem.tournament.tables import Seating
from pbem.typed import TOML_WORDS, Between, Named, Parsed, Place, Reader, named, quote

Format = Literal["round-robin", "swiss", "ladder"]
FORMATS: tuple[Format, ...] = get_args(Format)

RIGHTS = tuple(dict.fromkeys(["pause", "resume", *(row.word for row in DECISIONS if row.word not in ("ok", "desk"))]))
"""The rights that a game master can be given, which are the command words of the decisions."""

_USUAL_SCORING = Scoring()

OF_TEAMS: Mapping[str, Any] = {
    "win": 2,
    "draw": 1,
    "bye": 1,
    "requested": 1,
    "tie_breaks": ["game points", "head to head", "sonneborn-berger"],
}
"""The usual match points of teams. A team without a match has a drawn one, as in the Olympiads of chess."""

_COMPUTER = re.compile(rf"computer,? level ([{LEVELS[0]}-{LEVELS[-1]}])", re.I)


class LeagueFileError(PbemError):
    """The error for a file that does not describe a valid league; `problems` contains a sentence for each thing that
    has to be corrected, with its place in the file."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n  ".join(["", *self.problems] if len(self.problems) > 1 else self.problems))


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise ValueError(f"write a text in quotes, not {quote(value)}.")
    return value.strip()


def _name(value: Any, of: str = "league") -> str:
    name = _text(value)
    if len(name) > 40 or not name[0].isalnum() or not all(char.isalnum() or char in " _-" for char in name):
        raise ValueError(f'"{name}" cannot be the name of a {of}: write up to 40 letters, digits, blanks and hyphens.')
    return name


def _length(value: Any) -> timedelta:
    return parse_duration(_text(value))


def _start(value: Any) -> str:
    """Return a date, perhaps read by TOML, with its hour: `2026-12-01 20:00`. Without an hour it is 0:00."""
    try:
        moment = datetime.fromisoformat(value if isinstance(value, str) else str(value))
    except ValueError:
        moment = datetime.max.replace(tzinfo=UTC)
    if moment.tzinfo or moment.second:
        raise ValueError(f'write a day, or a day and an hour, "2026-12-01 20:00", not {quote(value)}.')
    return moment.isoformat(" ", "minutes")


def _table(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError("this is a table: write its name in brackets on a line of its own.")
    return value


def _options(table: Any) -> Mapping[str, Any]:
    """Return `table`, the options of a game, after checking that their values are strings, whole numbers, booleans, or
    lists of these. Raises ValueError for any other value, such as one of TOML's dates."""
    for key, value in _table(table).items():
        if not all(isinstance(item, str | int) for item in (value if isinstance(value, list) else [value])):
            raise ValueError(f"{key} is a word in quotation marks, a whole number, true or false, or a list of these.")
    return table  # type: ignore[no-any-return]


class _MasterEntry(NamedTuple):
    """A game master's entry in the file; without `rights`, the game master may decide everything."""

    name: str
    address: str
    rights: tuple[Annotated[str, Named("right")], ...] = ()


def _master(value: Any) -> Master:
    reader = Reader({"right": RIGHTS}, words=TOML_WORDS)
    entry = reader.read(_MasterEntry, value)
    if reader.problems:
        raise LeagueFileError(reader.problems)
    return Master(*_named_person(f"{entry.name} <{entry.address}>"), entry.rights)


From0To99 = Annotated[int, Between(0, 99)]
From1To99 = Annotated[int, Between(1, 99)]


_Player = Annotated[Person, Parsed(lambda value: parse_player(value))]  # noqa: PLW0108 - is defined below


class TeamEntry(NamedTuple):
    """A team as the file lists it, with its players in board order."""

    name: Annotated[str, Parsed(lambda value: _name(value, "team"))]
    players: tuple[_Player, ...]
    captain: str = ""  # the name of one of them; "" for the first
    substitutes: tuple[_Player, ...] = ()
    division: Annotated[int, Between(1, 20)] = 1

    @property
    def people(self) -> tuple[Person, ...]:
        return (*self.players, *self.substitutes)


@dataclass(frozen=True, slots=True)
class League:
    """A league as its file describes it."""

    name: Annotated[str, Parsed(_name)]
    format: Format
    game: Annotated[str, Parsed(lambda value: find_game(_text(value)).name)] = DEFAULT
    options: Annotated[Mapping[str, Any], Parsed(_options)] = field(default_factory=dict)
    terms: Annotated[Terms, Parsed(lambda value: read_terms(_table(value)))] = USUAL
    scoring: Scoring = _USUAL_SCORING
    masters: tuple[Annotated[Master, Parsed(_master)], ...] = ()
    appeal: Annotated[str, Parsed(_text)] = ""  # the name of the game master who hears appeals; "" for nobody
    boards: Annotated[int, Between(2, 8)] = 0  # on which two teams play each other; 0 in a league of single players
    table: Annotated[int, Between(2, 4)] = 0  # players in a game; 0 for the number of seats that the options provide
    even: Literal["tables", "meetings"] = "tables"  # what to distribute evenly first: smaller tables, or meetings
    rounds: From1To99 = 0  # in a Swiss season, or a round robin at tables for three or more; 0 for as many as needed
    acceleration: Literal["none", "baku"] = "none"  # whether the upper half of a Swiss season has virtual points
    starts: tuple[Annotated[str, Parsed(_start)], ...] = ()  # of the rounds, by the zone in `terms`
    every: Annotated[timedelta | None, Parsed(_length)] = None  # from one start to the next after those
    announce: Annotated[timedelta, Parsed(_length)] = timedelta(days=3)  # how long before, the pairings are told
    cycles: Annotated[int, Between(1, 9)] = 1  # how often each pair meets in a round robin
    reach: From1To99 = 3  # how many places above their own a ladder's players may challenge
    length: Annotated[timedelta | None, Parsed(_length)] = None  # of a ladder's season
    up: From0To99 = 0  # players promoted
    down: From0To99 = 0  # players relegated
    ratings: Literal["own", "external"] = "own"  # the desk's, or those that are given with the players
    rated: bool = True  # whether its games count for ratings
    rate_unplayed: bool = False  # whether games count for ratings even if they ended before a turn was played
    anonymous_divisions: tuple[From1To99, ...] = ()  # those to which the term `anonymous` applies; () for all
    confirmed: bool = False  # whether its players are known to have agreed to take part
    divisions: tuple[tuple[Person, ...], ...] = ()  # highest first; players in order of strength
    standby: tuple[Person, ...] = ()
    forbidden: tuple[tuple[str, str], ...] = ()
    teams: tuple[TeamEntry, ...] = ()  # of all divisions, in order of strength; () in a league of single players

    @property
    def entered(self) -> tuple[tuple[Person, ...], ...]:
        """The players of each division, those of a team together, the team's strongest player first."""
        return self.divisions or tuple(
            tuple(person for team in teams for person in team.people) for teams in self.teams_of_divisions
        )

    @property
    def teams_of_divisions(self) -> tuple[tuple[TeamEntry, ...], ...]:
        """The teams of each division, the highest division first."""
        numbers = sorted({team.division for team in self.teams})
        return tuple(tuple(team for team in self.teams if team.division == number) for number in numbers)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats of the league's games in the game's order; at a table, only some of them may be taken."""
        return _seats(find_game(self.game), self.options, self.table)

    @property
    def seating(self) -> Seating | None:
        """The seating in games with more than two players; None for two-player games."""
        game = find_game(self.game)
        most = self.table or len(seats_of(game, self.options))
        if most == 2:
            return None
        return Seating(most, len(self.seats), _chosen_seats(game, self.options) is not None, self.even == "meetings")

    def options_of(self, seats: Sequence[int]) -> dict[str, Any]:
        """Return the options of a game in which exactly the seats with the indexes in `seats` are taken."""
        names = self.seats
        return {**self.options, **_taking(find_game(self.game), self.options, [names[at] for at in seats])}


def _chosen_seats(game: AnyGame, options: Mapping[str, Any]) -> Option | None:
    """Return the option that selects a game's seats, and so lets fewer people play; None if the game has no such
    option."""
    return next((option for option in game.options(options) if option.of_seats), None)


def _seats(game: AnyGame, options: Mapping[str, Any], table: int) -> tuple[Seat, ...]:
    """Return the seats of a league's games: those in the options or, if the options name no seats and `table` is larger
    than the default number of seats, every seat that the game offers."""
    option, own = _chosen_seats(game, options), seats_of(game, options)
    return option.choices if option and table > len(own) and not options.get(option.name) else own


def _taking(game: AnyGame, options: Mapping[str, Any], seats: Sequence[Seat]) -> dict[str, Any]:
    """Return the options that give a game exactly `seats`; empty if the seats of the game cannot be chosen."""
    option = _chosen_seats(game, options)
    return {option.name: [*seats]} if option else {}


def parse_league(text: str, usual: Terms = USUAL) -> League:
    """Read a league file; `usual` supplies any terms that the file does not set. Raises LeagueFileError."""
    import tomllib

    try:
        table = tomllib.loads(text.removeprefix("\ufeff") + "\n")  # a line end, so that every error has a line number
    except (ValueError, RecursionError) as error:
        raise LeagueFileError([f"It is not correct TOML: {error}."]) from None
    terms = table.get("terms", {})
    if isinstance(terms, Mapping):
        supplied = dump_terms(usual)
        if "bank" in terms:
            supplied.pop("deadline", None)  # banks of time take the place of a deadline that nobody has asked for
        terms = {**supplied, **terms}
    league = read_league({**table, "terms": terms})
    if league.boards and not league.teams:
        raise LeagueFileError(["a league with boards is one of teams: write [[teams]] above each of them."])
    return league


def read_league(table: Mapping[str, Any]) -> League:
    """Build a league from `table`, the contents of its file or the result of `dump_league`. Raises LeagueFileError."""
    reader = _LeagueReader()
    league = reader.league(table)
    if reader.problems:
        raise LeagueFileError(reader.problems)
    return league


def dump_league(league: League) -> dict[str, Any]:
    """Return a league as plain data that `read_league` reads back, without its players and without default values."""
    table: dict[str, Any] = {}
    for setting in fields(League):
        value, usual = getattr(league, setting.name), setting.default
        if value != usual and setting.name not in _PEOPLE:
            table[setting.name] = _PLAIN.get(setting.name, lambda plain: plain)(value)
    return table


def parse_players(text: str) -> tuple[Person, ...]:
    """Read a players' file: one `Name <address>` per line; comments begin with #. Raises LeagueFileError."""
    problems, seen, people = list[str](), Seen(), list[Person]()
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        if not line.strip() or line.strip()[0] == "#":
            continue
        try:
            person = parse_player(line)
        except (PersonError, ValueError) as error:
            problems.append(f"line {number}: {error}")
        else:
            problems += [f"line {number}: {sentence}" for sentence in seen.again(person, f"line {number}")]
            people.append(person)
    if len(people) < 2 and not problems:
        problems.append("There are fewer than two players: write one `Name <address>` a line.")
    if problems:
        raise LeagueFileError(problems)
    return tuple(people)


def parse_player(text: Any) -> Person:
    """Read a player from `text`, which is either `Name <address>` or, for a computer player, a text such as `computer
    level 3`. The name is kept as written, except for quotes around it. Raises PersonError, or ValueError if `text` is
    not a string."""
    if not isinstance(text, str):
        raise ValueError(f"write a text such as Alice <alice@example.net>, not {quote(text)}.")
    if level := _COMPUTER.fullmatch(text.strip()):
        at = computer(int(level[1]))
        return Person(at.name, at.address)
    person = _named_person(text)
    return person._replace(name=checked_name(person.name))


def _named_person(text: str) -> Person:
    line = " ".join(text.split())
    mailbox = read_mailbox(line) if line.isprintable() else None
    if mailbox is None or not 0 < len(mailbox.name) <= 60 or "@" in mailbox.name:
        printable = "".join(char if char.isprintable() else "?" for char in line)
        raise PersonError(f'"{printable}" is no player: write a name and an address, Alice <alice@example.net>.')
    return Person(mailbox.name, parse_person(mailbox.address).address)


class Seen:
    """The names and addresses read so far, with the place where each occurred first."""

    def __init__(self) -> None:
        self._where: dict[str, str] = {}

    def again(self, person: Person, place: str) -> Iterator[str]:
        """Record the name and the address of `person` at `place`; yield a sentence for each earlier place where one of
        them occurred."""
        for kind, keys in (("name", forms(person.name)), ("address", {person.address.casefold()})):
            firsts = {self._where.setdefault(key, place) for key in keys} - {place}
            like = ", or one that looks like it," if kind == "name" else ""
            yield from (f"this {kind}{like} stands at {first} already." for first in sorted(firsts))


class _Division(NamedTuple):
    """A division as the file lists it."""

    players: tuple[_Player, ...]


class _People(NamedTuple):
    """The people that the file lists."""

    divisions: tuple[_Division, ...] = ()
    standby: tuple[_Player, ...] = ()
    forbidden: tuple[tuple[str, str], ...] = ()
    teams: tuple[TeamEntry, ...] = ()


class _LeagueReader(Reader):
    """A reader of a league file, which checks that its values fit together."""

    def __init__(self) -> None:
        super().__init__(words=TOML_WORDS)

    def line(self, where: Place, sentence: str) -> str:
        """Return a problem and its place as one line, with tables written as in the file: `[scoring] win`,
        `[[divisions]] 1, players`."""
        return super().line((), f"{_place(where)} {sentence}".strip())

    def mistaken(self, where: Place, wanted: str, value: object) -> None:
        """Report a wrong `value`, which is replaced with a default; if the expected form is unusual, show an
        example."""
        super().mistaken(where, _FORMS.get(where, wanted), value)

    def league(self, table: Mapping[str, Any]) -> League:
        """Return the league that `table` describes. If there are any `problems` afterwards, the league cannot be
        played."""
        settings = {key: value for key, value in table.items() if key not in _PEOPLE}
        if "boards" in table and isinstance(scoring := table.get("scoring", {}), Mapping):
            settings["scoring"] = {**OF_TEAMS, **scoring}
        league = self.read(League, settings)
        people = self.read(_People, {key: value for key, value in table.items() if key in _PEOPLE})
        self._check_doubles(table)
        divisions = tuple(division.players for division in people.divisions)
        league = replace(
            league, divisions=divisions, standby=people.standby, forbidden=self._pairs(people), teams=people.teams
        )
        self._check_format(league, table)
        if self.sound():
            self._check_season(league, table)
        return league

    def _check_doubles(self, table: Mapping[str, Any]) -> None:
        """Report names and addresses that occur more than once."""
        lists: dict[Place, Any] = {
            (key, at, part): one.get(part)
            for key, parts in (("divisions", ("players",)), ("teams", ("players", "substitutes")))
            for at, one in enumerate(_listed(table, key), start=1)
            for part in (parts if isinstance(one, Mapping) else ())
        }
        lists[("standby",)] = table.get("standby", [])
        seen = Seen()
        for where, texts in lists.items():
            for at, text in enumerate(texts if isinstance(texts, list) else (), start=1):
                if self.sound(*where, at):
                    place = (*where, at)
                    for sentence in seen.again(parse_player(text), _place(place).removesuffix(":")):
                        self.problem(place, sentence)

    def _pairs(self, people: _People) -> tuple[tuple[str, str], ...]:
        """Return the pairs of players who must not meet, with names spelt as in the lists of players; report unknown
        names."""
        groups = (*(division.players for division in people.divisions), people.standby)
        names = {person.name.casefold(): person.name for group in groups for person in group}
        for at, pair in enumerate(people.forbidden, start=1):
            for name in pair:
                if name.casefold() not in names and self.sound():
                    self.problem(("forbidden", at), f"no player is called {quote(name)}.")
        return tuple((names.get(a.casefold(), a), names.get(b.casefold(), b)) for a, b in people.forbidden)

    def _check_format(self, league: League, table: Mapping[str, Any]) -> None:
        shape = league.format
        for key, only in _ONLY.items():
            if key in table and shape != only and self.sound("format"):
                self.problem((key,), f"this is for the format {only}, not for {shape}.")

    def _check_season(self, league: League, table: Mapping[str, Any]) -> None:
        shape, divisions = league.format, league.divisions
        number, least = self._players_of_game(league)
        if league.forbidden and shape != "swiss":
            self.problem(("forbidden",), f"this is for the format swiss, not for {shape}.")
        if "rounds" in table and not (shape == "swiss" or (shape == "round-robin" and number > 2)):
            self.problem(("rounds",), f"this is for the format swiss, not for {shape}.")
        if league.acceleration != "none":
            self._check_acceleration(league, number)
        if shape == "ladder" and len(divisions) > 1:
            self.problem(("divisions",), f"a ladder has one division, not {len(divisions)}.")
        if shape == "ladder" and league.terms.anonymous != "no":
            self.problem(("terms", "anonymous"), "in a ladder players challenge each other by name.")
        moving = league.up + league.down
        if moving and len(divisions) == 1:
            self.problem(("up",), "there is only one division; nobody can go up or down.")
        self._check_dates(league, table)
        self._check_appeal(league)
        self._check_scoring(league)
        if league.boards or league.teams:
            self._check_teams(league, number)
            return
        for at, players in enumerate(divisions, start=1):
            if len(players) < max(least, moving):
                self.problem(
                    ("divisions", at), f"at least {max(least, moving)} players are needed, not {len(players)}."
                )
                return
        self._check_moves(league, [*map(len, divisions)], least, len(league.standby))

    def _check_moves(self, league: League, sizes: list[int], least: int, waiting: int) -> None:
        """Report a division that would be too small for another season, because more leave it by `up` and `down` than
        come in and the people who are `waiting` do not suffice. `sizes` are those of the divisions, `least` is what a
        season needs."""
        for at, size in enumerate(sizes, start=1):
            is_first, is_last = at == 1, at == len(sizes)
            gone = (0 if is_first else league.up) + (0 if is_last else league.down)
            come = (0 if is_last else league.up) + (0 if is_first else league.down)
            left = size - gone + come + (waiting if is_last else 0)
            if left < least:
                word = "up" if league.up > league.down else "down"
                other = "down" if word == "up" else "up"
                why = f"after a season division {at} would have {left} left, and needs {least}"
                self.problem((word,), f"{why}: set `{other}` to the same number, or make the division bigger.")

    def _check_appeal(self, league: League) -> None:
        """Report a second instance who is not one of several game masters."""
        names = [master.name for master in league.masters]
        if league.appeal and (names.count(league.appeal) != 1 or len(names) < 2):
            sentence = f"{quote(league.appeal)} is not the name of one of two or more [[masters]]."
            self.problem(("appeal",), sentence)

    def _check_dates(self, league: League, table: Mapping[str, Any]) -> None:
        """Report dates that do not follow each other, and what is said about dates that are not there."""
        if league.format == "ladder" and league.starts:
            self.problem(("starts",), "a ladder has no rounds.")
        if list(league.starts) != sorted({*league.starts}):
            self.problem(("starts",), "write the dates of the rounds in their order, each later than the one before.")
        for key in ("every", "announce"):
            if key in table and not league.starts:
                self.problem((key,), "this is for rounds with dates: name the first of them in starts.")

    def _check_acceleration(self, league: League, number: int) -> None:
        """Report acceleration in a league whose rounds are not paired by points and seeds."""
        if number > 2:
            self.problem(
                ("acceleration",), f"this is for games of two; {find_game(league.game).title} is for {number} here."
            )
        if league.terms.anonymous != "no":
            self.problem(("acceleration",), "anonymous games are paired by lot, not by strength.")

    def _check_scoring(self, league: League) -> None:
        """Report tie-breaks that do not fit teams, or players."""
        for name, fits in (("game points", bool(league.boards)), ("score", not league.boards)):
            if name in league.scoring.tie_breaks and not fits:
                only = "teams" if league.boards == 0 else "single players"
                self.problem(("scoring", "tie_breaks"), f'"{name}" is for leagues of {only}.')

    def _check_teams(self, league: League, number: int) -> None:
        """Report what does not fit a league of teams, whose games are for `number` players."""
        if league.divisions:
            self.problem(("divisions",), "a league of teams has [[teams]] instead, each with its division.")
        if league.forbidden:
            self.problem(("forbidden",), "this is for single players, not for teams.")
        if league.format == "ladder":
            self.problem(("format",), "teams play a round-robin or a swiss tournament, no ladder.")
        if league.terms.anonymous != "no":
            self.problem(("terms", "anonymous"), "teams and their boards are known to all.")
        if number > 2:
            title = find_game(league.game).title
            self.problem(("game",), f"teams play games of two; {title} is for {number} here.")
        if not league.boards:
            self.problem(("boards",), "say on how many boards two teams play each other, from 2 to 8.")
        counts = Counter(team.division for team in league.teams)
        least = max(2, league.up + league.down)
        for at in range(1, max(counts, default=0) + 1):
            if counts[at] < least:
                self.problem(("teams",), f"division {at} needs at least {least} teams, not {counts[at]}.")
        if counts and min(counts[at] for at in range(1, max(counts) + 1)) >= least:
            self._check_moves(league, [counts[at] for at in range(1, max(counts) + 1)], 2, 0)
        self._check_each_team(league)

    def _check_each_team(self, league: League) -> None:
        """Report teams with too few players, a captain who is not one of them, or the name of another team."""
        seen: set[str] = set()
        for at, team in enumerate(league.teams, start=1):
            where, names = ("teams", at), {person.name.casefold() for person in team.people}
            if len(team.players) < league.boards:
                missing = f"{league.boards} boards need as many players, not {len(team.players)}."
                self.problem((*where, "players"), missing)
            if team.captain and team.captain.casefold() not in names:
                self.problem((*where, "captain"), f"{quote(team.captain)} is no player of the team.")
            if team.name.casefold() in seen:
                self.problem((*where, "name"), f"another team is called {quote(team.name)} already.")
            seen.add(team.name.casefold())

    def _players_of_game(self, league: League) -> tuple[int, int]:
        """Return the number of players in a game of the league, and the smallest number with which the game can be
        played; report options with which no such game can begin."""
        game, options = find_game(league.game), league.options
        try:
            game.new(options, any_chance())
            seats = league.seats
            number = league.table or len(seats)
            for chosen in (seats[:number], seats[-2:]) if number > 2 else ():
                game.new({**options, **_taking(game, options, chosen)}, any_chance())
        except GameError as error:
            self.problem(("options",), str(error))
            return 2, 2
        fewer = _chosen_seats(game, options) is not None
        if len(seats) < number or (number < len(seats) and not (fewer and number > 2)):
            self.problem(("table",), f"with these options {game.title} is for {len(seats)}, not for {number}.")
        elif number > 2 and league.format == "ladder":
            self.problem(("game",), f"a ladder is for games of two; {game.title} is for {number} here.")
        return number, 2 if fewer else number


def _listed(table: Mapping[str, Any], key: str) -> Sequence[Any]:
    listed = table.get(key)
    return listed if isinstance(listed, list) else ()


def _place(where: Place) -> str:
    """Return the name of a place in a league file in the file's own notation, such as `[scoring] win:`."""
    if not where:
        return ""
    first, *rest = where
    if first in ("options", "scoring", "terms"):
        return f"[{first}]{' ' if rest else ''}{named(tuple(rest))}{':' if rest else ''}"
    if first in ("divisions", "masters", "teams") and rest:
        return f"[[{first}]] {', '.join(filter(None, (str(rest[0]), named(tuple(rest[1:])))))}:"
    return f"{named(where)}:"


_FORMS: Mapping[Place, str] = {
    ("divisions",): "[[divisions]] above the players of each",
    ("teams",): "[[teams]] above the name and players of each",
    ("standby",): 'a list, for example ["Alice <alice@example.net>"]',
    ("forbidden",): 'a list of pairs, for example [["Alice", "Bob"]]',
}
_PEOPLE = ("divisions", "standby", "forbidden", "teams")

_ONLY = {"acceleration": "swiss", "cycles": "round-robin", "reach": "ladder", "length": "ladder"}

_PLAIN: Mapping[str, Callable[[Any], Any]] = {
    "options": dict,
    "terms": dump_terms,
    "scoring": lambda scoring: {**scoring._asdict(), "tie_breaks": list(scoring.tie_breaks)},
    "masters": lambda masters: [{**master._asdict(), "rights": list(master.rights)} for master in masters],
    "starts": list,
    **dict.fromkeys(("length", "every", "announce"), lambda length: format_duration(length, units=3)),
}
