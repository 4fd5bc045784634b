"""Anonymous games: nobody is told who plays, by anything, until the game or the season is over.

Worlds that differ only in which persons sit in the seats of the others look alike, byte by byte, to a player, an
observer, a stranger and everybody who reads the pages of the archive; the names are told at the end.
"""

import re
from collections.abc import Mapping
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.config.config import Address
from pbem.leagues.anonymous import drawn, shuffled
from pbem.leagues.league_file import LeagueFileError, parse_league
from pbem.leagues.season import first_rounds
from pbem.match.identity import Player
from pbem.match.model import Match
from pbem.store import players
from support.trials import decoded
from support.worlds import MASTER, MEMBERS, OBSERVER, OPERATOR, STRANGER, World, changes, differences

ALICE, BOB, CARLA, DORA = (MEMBERS[name] for name in ("Alice", "Bob", "Carla", "Dora"))
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
READERS = (ALICE, OBSERVER, STRANGER)


class AnonymousWorld(World):
    """A desk that knows all members, in the same order in all worlds."""

    __test__ = False

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, nonces: str) -> None:
        super().__init__(folder, patch, 7, nonces)
        store = self.store
        with store.transaction():
            for one in MEMBERS.values():
                players.add_player(store, one.name, one.address, self.now)
        store.conn.close()

    def sit_down(self, game: str, sitting: dict[str, str], *options: str) -> None:
        seats = [f"--{seat}={name} <{MEMBERS[name].address}>" for seat, name in sitting.items()]
        self.does("game", "new", "--game", game, *seats, "--anonymous", "--deadline", "7 days", *options)
        self.watched()
        self.look()

    def load(self, name: str = "") -> Match:
        found = [one for one in self.matches(played=False) if one.name == name or not name]
        return found[-1]

    def by_seat(self, texts: dict[str, str], name: str = "") -> None:
        """Let the seats write, whoever sits there."""
        for seat, text in texts.items():
            match = self.load(name)
            self.says(match.holders[seat].player, text, match.name)
        self.look()

    def show(self) -> None:
        commands = [
            ("search", "Bob"),
            ("search", "Pass"),
            ("game", "list"),
            ("record", "--all"),
            ("player", "show", "Bob"),
        ]
        for match in self.matches(played=False):
            commands += [("export", match.name, "--format", one) for one in ("json", "mbox")]
            commands += [("record", match.name), ("game", "show", match.name), ("game", "show", match.name, "--json")]
        self.shows(commands)

    def to(self, *readers: Player) -> str:
        return "\n".join(self.all_told(readers).values())


SEATS = {
    "ozymandia": ("red", "blue"),
    "rocknroll": ("vpa", "vietnam"),
    "ozz": ("munchkins", "winkies", "quadlings"),
}


def play(world: AnonymousWorld, game: str, sitting: dict[str, str]) -> None:
    """Talk, vote, be away, ask, play a turn and miss one."""
    world.sit_down(game, sitting, *(("--nation", ",".join(sitting)) if game == "ozz" else ()))
    first, second, *more = tuple(sitting)
    world.by_seat(
        {second: "press: Good luck to you.\nend press\ndraw", first: "who plays?\nstatus\nhistory\ngames\nstandings"}
    )
    world.by_seat({second: "pause", first: "press: You, too.\nend press"})
    world.by_seat({second: "vacation 2026-12-24 to 2026-12-26\nclaim: That is wrong.", first: "no"})
    world.asks(STRANGER, "games")
    world.asks(OBSERVER, "status\ngames\nlanguage deutsch")
    world.by_seat({one: f"word: {one}\nPass" for one in (second, *more)})
    world.look(DAY)
    world.by_seat({first: "Pass\nmy data"})
    world.look(2 * HOUR)
    world.by_seat({first: "Pass"})
    world.look(8 * DAY)
    world.look(DAY)
    world.by_seat({first: "status\nrecord"})
    world.show()


class Told(NamedTuple):
    """Everything that readers were told in a world before the names were."""

    texts: Mapping[str, str]

    def all_told(self, _: object) -> Mapping[str, str]:
        return self.texts


def told(folder: Path, game: str, others: tuple[str, ...], nonces: str) -> tuple[Told, AnonymousWorld]:
    """What was told in a game that Alice plays with `others`, and the world after its end."""
    with pytest.MonkeyPatch.context() as patch:
        world = AnonymousWorld(folder, patch, nonces)
        sitting = dict(zip(SEATS[game], ("Alice", *others), strict=False))
        play(world, game, sitting)
        before = Told(world.all_told(READERS))
        for seat in tuple(sitting)[1:]:
            world.by_seat({seat: "resign"})
            world.by_seat({seat: "yes"})
        world.look(HOUR)
        world.show()
    return before, world


@pytest.mark.parametrize("game", ["ozymandia", "rocknroll", "ozz"])
def test_nobody_is_told_who_plays_before_the_game_is_over(tmp_path: Path, game: str) -> None:
    here, there = ("Bob", "Carla", "Dora"), ("Carla", "Dora", "Bob")
    worlds = [
        told(tmp_path / f"{number}", game, *one)
        for number, one in enumerate(((here, "nonces"), (there, "nonces"), (there, "others")))
    ]
    number, different = differences([before for before, _ in worlds], READERS)
    assert not different, "\n".join(different)
    assert number > 30
    for (_, world), name in zip(worlds, ("Bob", "Carla"), strict=False):
        end = decoded(world.letters_to(ALICE)[-1].as_bytes())
        assert re.search(rf"told\s+who\s+has\s+played:.*{name}", end, re.S)
        assert any(f">{name}</a>" in text for where, text in world.all_told(()).items() if "games/" in where)


# Leagues

LEAGUE = """
name = "Winter"
format = "round-robin"
confirmed = true
rate_unplayed = true
masters = [{{ name = "Gina", address = "gina@example.org" }}]
divisions = [{{ players = [{people}] }}]
[terms]
deadline = "7 days"
{terms}
"""


def pairings(lot: str) -> list[tuple[tuple[int, ...], ...]]:
    """The rounds that four players are paired in by a lot; they are numbered from 1."""
    league = parse_league('name = "Winter"\nformat = "round-robin"\n')
    rounds = first_rounds(league, drawn(lot, [1, 2, 3, 4]))
    return [shuffled(lot, number, pairing).games for number, pairing in enumerate(rounds, 1)]


def exchanged(rounds: list[tuple[tuple[int, ...], ...]]) -> list[tuple[tuple[int, ...], ...]]:
    """The same rounds with the second and the third player exchanged."""
    other = {2: 3, 3: 2}
    return [tuple(tuple(other.get(one, one) for one in game) for game in games) for games in rounds]


def lots() -> tuple[str, str]:
    """Two lots by which a league pairs alike, but with Bob and Carla exchanged."""
    first = pairings("0")
    return "0", next(lot for lot in map(str, count()) if pairings(lot) == exchanged(first))


class LeagueWorld(AnonymousWorld):
    """A league of four, paired by a given lot."""

    __test__ = False

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, nonces: str, lot: str, terms: str) -> None:
        super().__init__(folder, patch, nonces)
        patch.setattr("pbem.store.leagues.token_hex", lambda _: lot)
        people = ", ".join(f'"{one.name} <{one.address}>"' for one in (ALICE, BOB, CARLA, DORA))
        (folder / "league.toml").write_text(LEAGUE.format(people=people, terms=terms))
        self.does("league", "new", "--file", str(folder / "league.toml"))
        self.watched()
        self.look()

    @property
    def own(self) -> str:
        """Alice's running game."""
        return next(one.name for one in self.matches() if one.plays(ALICE.address))

    def show_all(self) -> None:
        shown = [("league", one, "Winter") for one in ("standings", "crosstable", "rounds", "show", "export")]
        self.shows([*(one for one in shown), *((*one, "--json") for one in shown[:3])])
        self.shows([("league", "export", "Winter", "--format", "trf"), ("search", "Bob")])

    def ask(self) -> None:
        self.says(ALICE, "status\ntable\ncross table\nrounds\nschedule\nleagues\nhistory\nwho plays?", self.own)
        self.asks(OBSERVER, "status\ntable Winter\nrounds Winter")
        self.look()

    def play(self, rounds: int) -> None:
        """Play some rounds: red wins some games, and one ends by a resignation."""
        for number in range(rounds):
            running = [one.name for one in self.matches()]
            self.by_seat({"red": "press: Hello.\nend press", "blue": "draw"}, running[number % 2])
            self.ask()
            self.does("game", "award", running[0], "red", "--reason", "it is late")
            self.look()
            self.show_all()
            self.by_seat({"blue": "resign"}, running[1])
            self.by_seat({"blue": "yes"}, running[1])
            self.look(HOUR)
            self.look(HOUR)


def season(folder: Path, terms: str, lot: str, nonces: str, rounds: int) -> tuple[Told, LeagueWorld]:
    """What was told in the first rounds of a season and the beginning of the next, and the world afterwards."""
    with pytest.MonkeyPatch.context() as patch:
        world = LeagueWorld(folder, patch, nonces, lot, terms)
        world.play(rounds)
        world.by_seat({"red": "press: Hello.\nend press", "blue": "claim: That is wrong."}, world.own)
        world.ask()
        world.asks(MASTER, f"status\nletters {world.own}")
        world.look(DAY)
        world.says(MASTER, "yes")
        world.look()
        world.show_all()
        world.show()
        before = Told(world.all_told((*READERS, MASTER, OPERATOR)))
        world.play(3 - rounds)
        world.show_all()
    return before, world


SEASON = 'anonymous = "season"\nanonymous_to_masters = true'


@pytest.mark.parametrize(
    ("terms", "rounds"),
    [(SEASON, 2), ('anonymous = "game"\nanonymous_to_masters = true', 0)],
)
def test_nobody_is_told_who_plays_whom_before_the_season_or_the_game_is_over(
    tmp_path: Path, terms: str, rounds: int
) -> None:
    first, second = lots()
    worlds = [
        season(tmp_path / f"{number}", terms, *one, rounds)
        for number, one in enumerate(((first, "nonces"), (second, "nonces"), (second, "others")))
    ]
    number, different = differences([before for before, _ in worlds], READERS)
    assert not different, "\n".join(different)
    assert number > 60
    for _, world in worlds[:2]:
        table = world.does("league", "crosstable", "Winter")
        assert table == world.does("league", "crosstable", "Winter", "--names")
        assert any(
            re.search("Alice against|against Alice", decoded(one.as_bytes())) for one in world.letters_to(MASTER)
        )


def test_the_end_of_a_season_tells_all_players_and_game_masters_are_told_before_as_the_terms_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = LeagueWorld(tmp_path, monkeypatch, "nonces", lots()[0], 'anonymous = "season"')
    world.play(1)
    against = re.compile(r"(\w+) against (\w+)")
    assert against.search(" ".join(decoded(one.as_bytes()) for one in world.letters_to(MASTER)))
    assert not against.search(last(world, DORA))
    assert not world.store.conn.execute("SELECT 1 FROM ratings").fetchall()
    world.play(2)
    assert len({frozenset(pair) for pair in against.findall(last(world, DORA))}) == 6
    rated = world.store.conn.execute("SELECT DISTINCT match FROM ratings ORDER BY id").fetchall()
    assert len(rated) == 6


@pytest.mark.parametrize("what", ["pbem.archive.seasons.told", "pbem.service.leagues_shown.told_round"])
def test_what_tells_too_much_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    monkeypatch.setattr(what, lambda whole: whole)
    worlds = [season(tmp_path / lot, SEASON, lot, "nonces", 0) for lot in lots()]
    assert [*changes(*(before.texts for before, _ in worlds))]


def begun(folder: Path, patch: pytest.MonkeyPatch, *options: str) -> World:
    """A desk with an anonymous game of Ozymandia, of Alice against Bob."""
    world = World(folder, patch, 1, "nonces")
    seats = [f"--{seat}={one.name} <{one.address}>" for seat, one in (("red", ALICE), ("blue", BOB))]
    world.does("game", "new", "--game", "ozymandia", *seats, "--anonymous", *options)
    world.look()
    return world


def last(world: World, who: Address) -> str:
    """The text of the last letter to somebody, in one line."""
    return " ".join(decoded(world.letters_to(who)[-1].as_bytes()).partition("<!doctype")[0].split())


def test_the_record_of_an_anonymous_game_names_sides_until_it_is_over_and_is_verified_before_and_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = begun(tmp_path, monkeypatch)
    assert '[Red "Red"]' in world.does("export", "oz-1", "--format", "record")
    world.does("verify")
    world.does("game", "award", "oz-1", "red", "--reason", "it is late")
    assert '[Red "Alice"]' in world.does("export", "oz-1", "--format", "record")
    world.does("verify")
    world.look()
    assert "Now you are told who has played: Alice (Red) and Bob (Blue)." in last(world, ALICE)
    assert "The game master awarded the game to Red." in last(world, ALICE)


def test_the_operator_is_told_the_names_if_they_ask_for_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = begun(tmp_path, monkeypatch)
    assert "red, blue." in world.does("game", "show", "oz-1")
    assert "red Alice, blue Bob." in world.does("game", "show", "oz-1", "--names")


@pytest.mark.parametrize(("options", "name"), [((), "Bob (Blue)"), (("--anonymous-to-masters",), "Blue")])
def test_game_masters_are_told_the_names_or_not_as_the_terms_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], name: str
) -> None:
    world = begun(tmp_path, monkeypatch, *options)
    world.says(BOB, "gm: I have a question.", "oz-1")
    world.look()
    letters = [" ".join(decoded(one.as_bytes()).split()) for one in world.letters_to(OPERATOR)]
    assert any(f" {name} writes to you about oz-1" in one for one in letters)
    assert any("Bob" in one for one in letters) == (not options)


def test_a_new_player_of_a_seat_is_not_named_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = begun(tmp_path, monkeypatch)
    world.does("game", "replace", "oz-1", "blue", "Carla <carla@example.net>", "--reason", "he is ill")
    world.look()
    world.shows([("export", "oz-1", "--format", "record")])
    assert not re.search("Bob|Carla", "".join(world.all_told((ALICE,)).values()))
    world.does("game", "award", "oz-1", "blue", "--reason", "it is late")
    world.look()
    assert "Carla (Blue) has won." in last(world, ALICE)


def test_whoever_names_themselves_in_a_letter_to_the_others_is_asked_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = begun(tmp_path, monkeypatch)
    number = len(world.letters_to(ALICE))
    world.says(BOB, "press: Good luck!\nYours, Bob\nend press", "oz-1")
    world.look()
    assert "Your words contain Bob, and in this game nobody is told yet who plays." in last(world, BOB)
    assert len(world.letters_to(ALICE)) == number
    world.says(BOB, "yes", "oz-1")
    world.look()
    assert "Blue writes to you in oz-1:" in last(world, ALICE)
    world.says(BOB, "press: Bobbing up and down.\nend press", "oz-1")
    world.look()
    assert "Bobbing" in last(world, ALICE)


def test_a_rematch_of_an_anonymous_game_names_its_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = begun(tmp_path, monkeypatch)
    world.does("game", "award", "oz-1", "red", "--reason", "it is late")
    world.look()
    for one in (ALICE, BOB):
        world.says(one, "rematch", "oz-1")
    world.look()
    assert "red Bob, blue Alice." in world.does("game", "show", "oz-2")


def test_an_annulled_game_tells_no_names_because_it_may_be_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = begun(tmp_path, monkeypatch)
    world.does("game", "annul", "oz-1", "--reason", "a mistake")
    world.look()
    assert "Bob" not in last(world, ALICE)


def test_players_challenge_each_other_in_a_ladder_so_that_it_cannot_be_anonymous() -> None:
    with pytest.raises(LeagueFileError, match="in a ladder players challenge each other by name"):
        parse_league('name = "Winter"\nformat = "ladder"\n[terms]\nanonymous = "game"\n')


def test_only_some_divisions_of_a_league_are_anonymous(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(tmp_path, monkeypatch, 1, "nonces")
    people = [f'"{one.name} <{one.address}>"' for one in (ALICE, BOB, CARLA, DORA)]
    (tmp_path / "league.toml").write_text(
        'name = "Winter"\nformat = "round-robin"\nconfirmed = true\nanonymous_divisions = [1]\n'
        + "".join(f"[[divisions]]\nplayers = [{', '.join(two)}]\n" for two in (people[:2], people[2:]))
        + '[terms]\nanonymous = "season"\n'
    )
    world.does("league", "new", "--file", str(tmp_path / "league.toml"))
    assert "not told yet who plays" in world.does("league", "rounds", "Winter", "--division", "1")
    assert "Carla" in world.does("league", "rounds", "Winter", "--division", "2")


def test_players_paired_by_hand_are_not_told_whom_they_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(tmp_path, monkeypatch, 1, "nonces")
    people = ", ".join(f'"{one.name} <{one.address}>"' for one in (ALICE, BOB, CARLA, DORA))
    (tmp_path / "league.toml").write_text(
        'name = "Winter"\nformat = "swiss"\nrounds = 3\nconfirmed = true\n[terms]\nanonymous = "season"\n'
        f"[[divisions]]\nplayers = [{people}]\n"
    )
    world.does("league", "new", "--file", str(tmp_path / "league.toml"))
    world.look()
    number = len(world.letters_to(ALICE))
    met = [{one.own_name for one in match.holders.values()} for match in world.matches()]
    other = next(name for name in ("Bob", "Carla") if {"Alice", name} not in met)
    world.does("league", "pair", "Winter", f"2 Alice - {other}", "--reason", "they wish it")
    world.does("league", "pair", "Winter", "2", "--reason", "no longer")
    world.look()
    assert not [one for one in world.letters_to(ALICE)[number:] if other in decoded(one.as_bytes())]


def test_somebody_new_in_a_seat_is_told_that_nobody_is_told_who_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = begun(tmp_path, monkeypatch)
    world.says(BOB, f"hand over to {DORA.address}", "oz-1")
    world.look()
    world.says(BOB, "yes", "oz-1")
    world.look()
    offer = last(world, DORA)
    assert "You are offered a seat in Ozymandia oz-1: you would play Blue against Red" in offer
    world.says(DORA, "accept")
    world.look()
    begins = " ".join(decoded(world.letters_to(DORA, "oz-1")[1].as_bytes()).split())
    for letter in (offer, begins):
        assert "Do not sign your words to the others. Only the game masters know it." in letter
    assert "Someone new plays Blue in oz-1 from now on." in last(world, ALICE)


def test_a_computer_that_plays_for_somebody_untold_plays_for_the_player_of_a_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = begun(tmp_path, monkeypatch, "--anonymous-to-masters")
    world.does("game", "replace", "oz-1", "blue", "with", "computer level 1", "--reason", "ill")
    world.look()
    told = last(world, ALICE)
    assert "The computer (level 1) plays Blue for its player in oz-1 from now on." in told
    assert "The computer (level 1) plays Blue for its player. " in told
    world.says(BOB, "back", "oz-1")
    world.look()
    assert "The player of Blue in oz-1 is back and plays again, in place of the computer." in last(world, ALICE)
    world.look(DAY)
    news = "".join(" ".join(decoded(one.as_bytes()).split()) for one in world.letters_to(OPERATOR))
    assert "the computer (level 1) plays Blue for its player" in news
    assert "the player of Blue plays again" in news


@pytest.mark.parametrize(("language", "side"), [("Deutsch", "Blau: 13 Tage"), ("русский", "Синие: 13 дней")])
def test_clocks_in_a_status_name_sides_in_the_language_of_the_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, side: str
) -> None:
    world = begun(tmp_path, monkeypatch, "--deadline", "none", "--bank", "14 days", "--increment", "2 days")
    world.says(ALICE, f"language {language}", "oz-1")
    world.look()
    world.says(ALICE, "status", "oz-1")
    world.look()
    own, _, rest = last(world, ALICE).partition("; ")
    assert own
    assert side in rest
    assert "Blue" not in rest
