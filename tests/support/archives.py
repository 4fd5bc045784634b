"""A desk with an example of everything that an archive shows, and games as histories without a desk."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from pbem.archive.listed import PlayerLink
from pbem.archive.pages import ListedGame, Site
from pbem.archive.site import build
from pbem.config.config import Address, load_config, read_key
from pbem.games import find_game
from pbem.games.base import Result, Seat, seats_of
from pbem.games.ozymandia.bot import choose
from pbem.leagues.league_file import parse_league
from pbem.match import clock
from pbem.match.model import Entry
from pbem.match.terms import Terms
from pbem.orders.command import Decision
from pbem.orders.reader import parse
from pbem.record.history import Ended, History, Played
from pbem.service import league_rounds
from pbem.service.desk import Desk, make_desk
from pbem.store.database import Store, connect
from pbem.store.matches import find_match, load_match

OZYMANDIA = find_game("ozymandia")
NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
SITE = Site("Game Desk", ZoneInfo("UTC"), "gm@example.org")
EVE = '<b>Eve</b> & "Co" eve@example.org'
PEOPLE = {name: Address(name, f"{name.split()[0].lower()}@example.net") for name in ("Alice", "Bob", "Carol", "Dave")}
PEOPLE[EVE] = Address(EVE, "eve@example.org")

LEAGUE = """
name = "Autumn"
format = "round-robin"
confirmed = true
divisions = [{ players = ["Alice <alice@example.net>", "Bob <bob@example.net>", "Carol <carol@example.net>"] }]
"""


class Office:
    """A desk in a folder. Its games are played without letters, and its archive is built there."""

    def __init__(self, folder: Path, now: datetime = NOON) -> None:
        if not folder.exists():
            make_desk(folder, rehearsal=True)
        self.config = load_config(folder / "config.ini")
        self.store = Store(connect(self.config.database))
        self.now = now
        self.site = folder.with_name(f"{folder.name}-site")

    @property
    def desk(self) -> Desk:
        return Desk(self.config, self.store, self.now, "", read_key(self.config.desk.key_file))

    def begin(self, red: str, blue: str, **options: object) -> str:
        """Begin a game between two of `PEOPLE`; return its name."""
        terms = options.pop("terms", Terms())
        return self.desk.new_game("ozymandia", {"red": PEOPLE[red], "blue": PEOPLE[blue]}, options, terms)

    def play(self, name: str, red: str | None = "Pass", blue: str | None = "Pass") -> None:
        """Play a turn; None means that no orders came."""
        self.now += timedelta(days=3)
        match = load_match(self.store, find_match(self.store, name))
        written = {seat: text for seat, text in (("red", red), ("blue", blue)) if text is not None}
        orders = {
            seat: Entry(1, None, text, str(parse(match.standpoint(seat), text))) for seat, text in written.items()
        }
        with self.store.transaction():
            self.desk.apply(clock.play(replace(match, standing=orders), self.now))

    def play_on(self, name: str) -> None:
        """Play a turn with the computer on both sides."""
        state = load_match(self.store, find_match(self.store, name)).state
        self.play(name, *(str(choose(state, seat)) for seat in ("red", "blue")))

    def decide(self, word: str, name: str, argument: str = "", reason: str = "it is only right") -> None:
        self.desk.decide(Decision(word, name, argument, reason))

    def found(self) -> None:
        """Begin a league of three, with one game in each round."""
        desk = self.desk
        with self.store.transaction():
            league_rounds.found_league(desk, parse_league(LEAGUE, desk.terms))

    def award(self, name: str, result: str) -> None:
        """End a league game, and let its league follow."""
        self.decide("award", name, result)
        with self.store.transaction():
            league_rounds.settle(self.desk, 1)

    def players_of(self, name: str) -> set[int]:
        match = find_match(self.store, name)
        return {number for (number,) in self.store.conn.execute("SELECT player FROM seats WHERE match = ?", (match,))}

    def build(self) -> int:
        """Build the archive as `pbem archive build` does; return the number of changed files."""
        return build(self.store, self.site, SITE, self.now, lambda text: None)

    def page(self, path: str) -> str:
        return (self.site / path).read_text()

    def files(self) -> dict[str, Path]:
        return {str(path.relative_to(self.site)): path for path in self.site.rglob("*") if path.is_file()}


def with_everything(folder: Path) -> Office:
    """Make a desk where oz-1 is over, oz-2 was rolled back, corrected and goes on, oz-3 was annulled, and oz-4 and oz-5
    belong to a league."""
    office = Office(folder)
    one = office.begin("Alice", "Bob", turn_limit=7)
    for _ in range(7):
        office.play_on(one)
    two = office.begin("Carol", EVE)
    office.play(two, "2 A to AC", "2 H to S")
    office.play(two, None, "2 S to M; Bomb W")
    office.decide("rollback", two, "2", reason="eve@example.org had sent orders")
    office.play(two, "2 W to WC", "2 S to M; Bomb W")
    office.decide("position", two, "red A3 M2 bombs 1 blue H4 bombs 2", reason="the board was wrong")
    three = office.begin("Dave", "Alice")
    office.play(three)
    office.decide("annul", three, reason="nobody had time")
    office.found()
    office.award("oz-4", "red")
    return office


def played(turns: int, *, winner: Seat | None = None, name: str = "oz-1", board: str = "lattice") -> History:
    """Play a game of the computer against itself, without a desk; with `winner`, it was awarded to that seat."""
    start = state = OZYMANDIA.new({"board": board})
    steps: list[Played | Ended] = []
    for number in range(turns):
        orders = {seat: choose(state, seat) for seat in seats_of(OZYMANDIA, {})}
        ruling = OZYMANDIA.resolve(state, orders)
        told = {seat: str(one) for seat, one in orders.items()}
        steps.append(Played(state.turn, state, told, ruling.state, ruling.events, NOON + timedelta(days=number)))
        state = ruling.state
    result = Result(winner, "the other side has left", forfeit=True) if winner else None
    if result:
        steps.append(Ended(result))
    players = {"red": "Alice", "blue": "Bob"}
    return History(name, OZYMANDIA, {}, "1", players, start, state, tuple(steps), result, began=NOON)


def listed(history: History, number: int = 1, people: Sequence[int | None] = (1, 2)) -> ListedGame:
    """The line of a history in a list."""
    persons = map(PlayerLink, people, history.players.values())
    return ListedGame(
        number,
        history.name,
        OZYMANDIA.name,
        OZYMANDIA.title,
        "finished" if history.result else "running",
        dict(zip(history.players, persons, strict=True)),
        len(history.turns()),
        history.result,
        None,
        NOON,
        NOON + timedelta(days=30) if history.result else None,
        frozenset({history.result.winner or ""} if history.result else ()),
        str(len(history.turns()) + 1),
    )


@contextmanager
def untouched(paths: dict[str, Path]) -> Iterator[set[str]]:
    """Collect the names of the files that are rewritten during the block, whatever their content."""
    before = {name: (path.stat().st_mtime_ns, path.stat().st_ino) for name, path in paths.items()}
    touched: set[str] = set()
    yield touched
    for name, path in paths.items():
        if not path.exists() or (path.stat().st_mtime_ns, path.stat().st_ino) != before[name]:
            touched.add(name)
