"""What a league is, by its file: read from TOML or from a list of players, with every mistake told at once."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import timedelta
from typing import Any, Literal, get_args

from pbem import PbemError
from pbem.games import DEFAULT, find_game
from pbem.games.base import AnyGame, GameError, Seat, seats_of
from pbem.games.capabilities import LEVELS
from pbem.games.chance import any_chance
from pbem.games.options import Option
from pbem.match.identity import Person, PersonError, computer, parse_person
from pbem.match.model import Master
from pbem.match.names import checked_name, forms
from pbem.match.terms import USUAL, Terms, TermsError, dump_terms, one_of, read_terms, switch, whole_number
from pbem.orders.commands import DECISIONS
from pbem.times.moments import format_duration, parse_duration
from pbem.tournament.standings import TIE_BREAKS, Scoring
from pbem.tournament.tables import Seating

Format = Literal["round-robin", "swiss", "ladder"]
FORMATS: tuple[Format, ...] = get_args(Format)

RIGHTS = tuple(dict.fromkeys(["pause", "resume", *(row.word for row in DECISIONS if row.word not in ("ok", "desk"))]))
"""What a game master can be given the right to do: the words of the decisions."""

_USUAL_SCORING = Scoring()

_COMPUTER = re.compile(rf"computer,? level ([{LEVELS[0]}-{LEVELS[-1]}])", re.I)


class LeagueFileError(PbemError):
    """A file that makes no league; `problems` has a sentence for each thing to be mended, with where it stands."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n  ".join(["", *self.problems] if len(self.problems) > 1 else self.problems))


@dataclass(frozen=True, slots=True)
class League:
    """What a league file says."""

    name: str
    format: Format
    game: str = DEFAULT
    options: Mapping[str, Any] = field(default_factory=dict)
    terms: Terms = USUAL
    scoring: Scoring = _USUAL_SCORING
    masters: tuple[Master, ...] = ()
    table: int = 0  # how many play a game, 0 for as many as it has seats with these options
    even: str = "tables"  # what comes first: that smaller "tables" go round, or that all have equally many "meetings"
    rounds: int = 0  # of a Swiss season, or of a round robin at tables of more than two; 0 for as many as it takes
    cycles: int = 1  # how often each meets each in a round robin
    reach: int = 3  # how many places above them somebody may challenge in a ladder
    length: timedelta | None = None  # of a ladder's season
    up: int = 0  # how many are promoted
    down: int = 0  # and relegated
    rated: bool = True  # its games count for ratings,
    rate_unplayed: bool = False  # also those that ended before a turn was played
    confirmed: bool = False  # its players are known to take part
    divisions: tuple[tuple[Person, ...], ...] = ()  # the highest first, players in the order of their strength
    standby: tuple[Person, ...] = ()
    forbidden: tuple[tuple[str, str], ...] = ()

    @property
    def seats(self) -> tuple[Seat, ...]:
        """What the seats of its games are called, in the game's order: at a table there may be some of them only."""
        return _seats(find_game(self.game), self.options, self.table)

    @property
    def seating(self) -> Seating | None:
        """How its games have tables of more than two; None if they are games of two."""
        game = find_game(self.game)
        most = self.table or len(seats_of(game, self.options))
        if most == 2:
            return None
        return Seating(most, len(self.seats), _chosen_seats(game, self.options) is not None, self.even == "meetings")

    def options_of(self, seats: Sequence[int]) -> dict[str, Any]:
        """What is chosen of a game in which these of its seats are taken."""
        names = self.seats
        return {**self.options, **_taking(find_game(self.game), self.options, [names[at] for at in seats])}


def _chosen_seats(game: AnyGame, options: Mapping[str, Any]) -> Option | None:
    """The option by which a game lets its seats be chosen, so that fewer can play it; None if it has none."""
    return next((option for option in game.options(options) if option.of_seats), None)


def _seats(game: AnyGame, options: Mapping[str, Any], table: int) -> tuple[Seat, ...]:
    """The seats of a league's games: those of its options; else, where a league says how many play, all there are."""
    option, own = _chosen_seats(game, options), seats_of(game, options)
    return option.choices if option and table > len(own) and not options.get(option.name) else own


def _taking(game: AnyGame, options: Mapping[str, Any], seats: Sequence[Seat]) -> dict[str, Any]:
    """Options by which a game has these seats, where it lets them be chosen."""
    option = _chosen_seats(game, options)
    return {option.name: [*seats]} if option else {}


def parse_league(text: str, usual: Terms = USUAL) -> League:
    """A league file. `usual` are the terms where it says none. Raises LeagueFileError."""
    import tomllib

    try:
        table = tomllib.loads(text.removeprefix("\ufeff") + "\n")  # so that every error has a line
    except (ValueError, RecursionError) as error:
        raise LeagueFileError([f"It is not correct TOML: {error}."]) from None
    terms = table.get("terms", {})
    return read_league({**table, "terms": {**dump_terms(usual), **terms} if isinstance(terms, Mapping) else terms})


def read_league(table: Mapping[str, Any]) -> League:
    """A league from the table of its file, or from what `dump_league` gave. Raises LeagueFileError."""
    reader = _Reader()
    values = {key: reader.take(key, value, _READ.get(key)) for key, value in table.items() if key not in _PEOPLE}
    values["divisions"], values["standby"] = reader.people(table)
    values["forbidden"] = reader.pairs(table.get("forbidden", []), (*values["divisions"], values["standby"]))
    for key in ("name", "format"):
        if key not in table:
            reader.problems.append(f"{key}: this is missing.")
    reader.agree(values, table)
    if reader.problems:
        raise LeagueFileError(reader.problems)
    return League(**values)


def dump_league(league: League) -> dict[str, Any]:
    """A league as plain data that `read_league` reads back, without its players; what is as usual is left out."""
    table: dict[str, Any] = {}
    for setting in fields(League):
        value, usual = getattr(league, setting.name), setting.default
        if value != usual and setting.name not in _PEOPLE:
            table[setting.name] = _PLAIN.get(setting.name, lambda plain: plain)(value)
    return table


def parse_players(text: str) -> tuple[Person, ...]:
    """A players' file: one `Name <address>` a line, remarks begin with #. Raises LeagueFileError."""
    lines = enumerate(text.removeprefix("\ufeff").splitlines(), start=1)
    reader = _Reader()
    people = reader.some((f"line {number}", line) for number, line in lines if line.strip() and line.strip()[0] != "#")
    if len(people) < 2 and not reader.problems:
        reader.problems.append("There are fewer than two players: write one `Name <address>` a line.")
    if reader.problems:
        raise LeagueFileError(reader.problems)
    return people


def parse_player(text: Any) -> Person:
    """`Name <address>`, the name exactly as it was written, but for quotes around it; or `computer level 3`. Raises
    PersonError."""
    if not isinstance(text, str):
        raise ValueError(f"write a text such as Alice <alice@example.net>, not {text!r}.")
    if level := _COMPUTER.fullmatch(text.strip()):
        at = computer(int(level[1]))
        return Person(at.name, at.address)
    person = _named_person(text)
    return person._replace(name=checked_name(person.name))


def _named_person(text: str) -> Person:
    line = " ".join(text.split())
    name, mark, address = line.rpartition("<")
    name = name.strip().strip('"').strip()
    if not (mark and name and line.isprintable() and len(name) <= 60 and address.endswith(">")):
        printable = "".join(char if char.isprintable() else "?" for char in line)
        raise PersonError(f'"{printable}" is no player: write a name and an address, Alice <alice@example.net>.')
    return Person(name, parse_person(address.removesuffix(">")).address)


class _Reader:
    """Takes a league file apart; `problems` has a sentence for all that is wrong with it."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self._where: dict[str, str] = {}  # names and addresses so far, as they are compared, and where they stand

    def take(self, key: str, value: Any, read: Callable[[Any], Any] | None) -> Any:
        """The value of a key; None, with a problem noted, if there is no such key or value."""
        if read is None:
            self.problems.append(f'"{key}": this is no key; the keys are {", ".join((*_READ, *_PEOPLE))}.')
            return None
        try:
            return read(value)
        except TermsError as error:
            self.problems += [f"[terms] {problem}" for problem in error.problems]
        except LeagueFileError as error:
            self.problems += error.problems
        except (PbemError, ValueError) as error:
            self.problems.append(f"{key}: {error}")
        return None

    def people(self, table: Mapping[str, Any]) -> tuple[tuple[tuple[Person, ...], ...], tuple[Person, ...]]:
        """The divisions and the standby list."""
        divisions, listed = table.get("divisions", []), []
        if not isinstance(divisions, list):
            self.problems.append("divisions: write [[divisions]] above the players of each.")
            divisions = []
        for number, division in enumerate(divisions, start=1):
            place = f"[[divisions]] {number}"
            if isinstance(division, Mapping) and set(division) == {"players"}:
                listed.append(self._listed(place, "player", division["players"]))
            else:
                self.problems.append(f"{place}: this has one key, players, and no other.")
        return tuple(listed), self._listed("standby", "entry", table.get("standby", []))

    def pairs(self, value: Any, people: Iterable[Iterable[Person]]) -> tuple[tuple[str, str], ...]:
        """Who shall not meet: pairs of names as they stand among the players."""
        names = {person.name.casefold(): person.name for group in people for person in group}
        pairs = []
        for number, pair in enumerate(value if isinstance(value, list) else [value], start=1):
            if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(name, str) for name in pair):
                self.problems.append(f'forbidden, pair {number}: write two names, for example ["Alice", "Bob"].')
            elif unknown := [name for name in pair if name.casefold() not in names]:
                self.problems += [f'forbidden, pair {number}: no player is called "{name}".' for name in unknown]
            else:
                pairs.append((names[pair[0].casefold()], names[pair[1].casefold()]))
        return tuple(pairs)

    def _listed(self, place: str, kind: str, value: Any) -> tuple[Person, ...]:
        if not isinstance(value, list):
            self.problems.append(f'{place}: this is a list, for example ["Alice <alice@example.net>"].')
            return ()
        return self.some((f"{place}, {kind} {number}", text) for number, text in enumerate(value, start=1))

    def some(self, entries: Iterable[tuple[str, Any]]) -> tuple[Person, ...]:
        """People from texts, each with its place; a name or address that stands twice is a mistake."""
        people = []
        for place, text in entries:
            try:
                person = parse_player(text)
            except (PersonError, ValueError) as error:
                self.problems.append(f"{place}: {error}")
                continue
            for kind, keys in (("name", forms(person.name)), ("address", {person.address.casefold()})):
                firsts = {self._where.setdefault(key, place) for key in keys} - {place}
                like = ", or one that looks like it," if kind == "name" else ""
                self.problems += [f"{place}: this {kind}{like} stands at {first} already." for first in sorted(firsts)]
            people.append(person)
        return tuple(people)

    def agree(self, values: Mapping[str, Any], table: Mapping[str, Any]) -> None:
        """What each part by itself may say, but not beside the others."""
        shape, divisions = values.get("format"), values["divisions"]
        for key, only in _ONLY.items():
            if key in table and shape and shape != only:
                self.problems.append(f"{key}: this is for the format {only}, not for {shape}.")
        if self.problems:
            return
        number, least = self._agree_on_game(values, shape)
        if values["forbidden"] and shape != "swiss":
            self.problems.append(f"forbidden: this is for the format swiss, not for {shape}.")
        if "rounds" in table and not (shape == "swiss" or (shape == "round-robin" and number > 2)):
            self.problems.append(f"rounds: this is for the format swiss, not for {shape}.")
        if shape == "ladder" and len(divisions) > 1:
            self.problems.append(f"[[divisions]]: a ladder has one division, not {len(divisions)}.")
        moving = values.get("up", 0) + values.get("down", 0)
        if moving and len(divisions) == 1:
            self.problems.append("up, down: there is one division only; nobody can go up or down.")
        for number, players in enumerate(divisions, start=1):
            if len(players) < max(least, moving):
                self.problems.append(f"[[divisions]] {number}: there are {len(players)} players, too few.")

    def _agree_on_game(self, values: Mapping[str, Any], shape: str | None) -> tuple[int, int]:
        """How many play a game, and how few can, once it is clear that there are such games."""
        game, options, table = (values.get(key) or usual for key, usual in _OF_GAME.items())
        game = find_game(game)
        try:
            game.new(options, any_chance())
            seats = _seats(game, options, table)
            number = table or len(seats)
            for chosen in (seats[:number], seats[-2:]) if number > 2 else ():
                game.new({**options, **_taking(game, options, chosen)}, any_chance())
        except GameError as error:
            self.problems.append(f"[options] {error}")
            return 2, 2
        fewer = _chosen_seats(game, options) is not None
        if len(seats) < number or (number < len(seats) and not (fewer and number > 2)):
            self.problems.append(f"table: with these options {game.title} is for {len(seats)}, not for {number}.")
        elif number > 2 and shape == "ladder":
            self.problems.append(f"game: a ladder is for games of two; {game.title} is for {number} here.")
        return number, 2 if fewer else number


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise ValueError(f"write a text in quotes, not {value!r}.")
    return value.strip()


def _name(value: Any) -> str:
    name = _text(value)
    if len(name) > 40 or not name[0].isalnum() or not all(char.isalnum() or char in " _-" for char in name):
        raise ValueError(f'"{name}" is no name for a league: write up to 40 letters, digits, blanks and hyphens.')
    return name


def _table(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError("this is a table: write its name in brackets on a line of its own.")
    return value


def _options(table: Any) -> Mapping[str, Any]:
    """What can be chosen of a game is words, whole numbers and switches, or lists of them: no dates, which TOML has."""
    for key, value in _table(table).items():
        if not all(isinstance(item, str | int) for item in (value if isinstance(value, list) else [value])):
            raise ValueError(f"{key} is a word in quotation marks, a whole number, true or false, or a list of these.")
    return table  # type: ignore[no-any-return]


def _scoring(table: Any) -> Scoring:
    problems: list[str] = []
    values: dict[str, Any] = {}
    for key, value in _table(table).items():
        if key == "tie_breaks":
            values[key] = named = _tie_breaks(value)
            unknown = [name for name in named if name not in TIE_BREAKS] if isinstance(value, list) else [value]
            problems += [
                f"[scoring] {key}: there is no tie-break {name!r}: {', '.join(TIE_BREAKS)}." for name in unknown
            ]
        elif key not in Scoring._fields:
            problems.append(f'[scoring] "{key}": this is no key; the keys are {", ".join(Scoring._fields)}.')
        elif isinstance(value, bool) or not isinstance(value, int | float) or not -100 <= value <= 100:
            problems.append(f"[scoring] {key}: write a number of points from -100 to 100, not {value!r}.")
        else:
            values[key] = value
    if problems:
        raise LeagueFileError(problems)
    return Scoring(**values)


def _tie_breaks(value: Any) -> tuple[Any, ...]:
    """A list of tie-breaks, not checked yet: a single name stands for a list of one."""
    return tuple(value if isinstance(value, list) else [value])


def _masters(value: Any) -> tuple[Master, ...]:
    problems: list[str] = []
    masters = []
    for number, entry in enumerate(value if isinstance(value, list) else [value], start=1):
        place = f"[[masters]] {number}"
        if not isinstance(entry, Mapping) or not {"name", "address"} <= set(entry) <= {"name", "address", "rights"}:
            problems.append(f"{place}: this has the keys name and address, perhaps rights, and no other.")
            continue
        rights = entry.get("rights", [])
        unknown = [word for word in rights if word not in RIGHTS] if isinstance(rights, list) else [rights]
        problems += [f"{place}, rights: there is no {word!r}: {', '.join(RIGHTS)}." for word in unknown]
        try:
            person = _named_person(f"{entry['name']} <{entry['address']}>")
        except PersonError as error:
            problems.append(f"{place}: {error}")
        else:
            masters.append(Master(*person, tuple(rights)))
    if problems:
        raise LeagueFileError(problems)
    return tuple(masters)


_READ: Mapping[str, Callable[[Any], Any]] = {
    "name": _name,
    "format": one_of(*FORMATS),
    "game": lambda value: find_game(_text(value)).name,
    "options": _options,
    "terms": lambda value: read_terms(_table(value)),
    "scoring": _scoring,
    "masters": _masters,
    "table": whole_number(2, 4),
    "even": one_of("tables", "meetings"),
    "rounds": whole_number(1, 99),
    "cycles": whole_number(1, 9),
    "reach": whole_number(1, 99),
    "length": lambda value: parse_duration(_text(value)),
    "up": whole_number(0, 99),
    "down": whole_number(0, 99),
    "rated": switch,
    "rate_unplayed": switch,
    "confirmed": switch,
}

_PEOPLE = ("divisions", "standby", "forbidden")

_OF_GAME: Mapping[str, Any] = {"game": DEFAULT, "options": {}, "table": 0}

_ONLY = {"cycles": "round-robin", "reach": "ladder", "length": "ladder"}

_PLAIN: Mapping[str, Callable[[Any], Any]] = {
    "options": dict,
    "terms": dump_terms,
    "scoring": lambda scoring: {**scoring._asdict(), "tie_breaks": list(scoring.tie_breaks)},
    "masters": lambda masters: [{**master._asdict(), "rights": list(master.rights)} for master in masters],
    "length": lambda length: format_duration(length, units=3),
}
