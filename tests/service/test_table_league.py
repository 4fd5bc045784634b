"""Leagues of Campaigns of Ozz for two to four at a table, as their game master and their players see them."""

import email
import json
import re
from datetime import timedelta
from email.message import Message

import pytest

from pbem.cli.demo import answer_letter, letter_text
from pbem.config.config import Address
from pbem.record.notation import read_record
from pbem.store.database import Store, connect
from pbem.store.matches import find_match
from pbem.store.ratings import rate
from support.desks import TestDesk, flat

NAMES = ("Alice", "Bob", "Carla", "Dora", "Erin", "Flo")
PEOPLE = {name: Address(name, f"{name.lower()}@example.net") for name in NAMES}


class OzzLeague(TestDesk):
    """A desk with a league of short campaigns, and members who pass."""

    __test__ = False

    def found(self, size: int, more: str = "", standby: str = "", terms: str = "", confirmed: str = "true") -> None:
        people = ", ".join(f'"{one.name} <{one.address}>"' for one in [*PEOPLE.values()][:size])
        waiting = f'"{standby} <{PEOPLE[standby].address}>"' if standby else ""
        (self.folder / "ozz.toml").write_text(
            f'name = "Ozz"\nformat = "round-robin"\ngame = "ozz"\ntable = 4\nconfirmed = {confirmed}\n{more}\n'
            f'standby = [{waiting}]\nmasters = [{{ name = "Gina", address = "gina@example.org" }}]\n'
            f"divisions = [{{ players = [{people}] }}]\n"
            f'[options]\nbattles = "fast"\nturns = 2\n[terms]\ndeadline = "7 days"\ncooling_off = "0"\n{terms}\n'
        )
        self.does("league", "new", "--file", str(self.folder / "ozz.toml"))

    def does(self, *words: str) -> str:
        told = self.run(*words)
        assert told.status == 0, told.lines
        return "\n".join(told.lines)

    def asked(self, *words: str):
        return json.loads(self.does(*words, "--json"))

    def going(self) -> list[dict]:
        rounds = self.asked("league", "rounds", "Ozz")
        return [game for one in rounds for game in one["games"] if game["game"] and game["result"] is None]

    def letters_to(self, name: str) -> list[Message]:
        found = map(email.message_from_bytes, self.post.sent())
        return [letter for letter in found if letter["To"].endswith(f"<{PEOPLE[name].address}>")]

    def says(self, name: str, text: str, about: str = "ozz-") -> None:
        last = [letter for letter in self.letters_to(name) if about in letter["Subject"]][-1]
        self.send(answer_letter(last, PEOPLE[name], text, self.now))

    def pass_all(self, *but: str) -> None:
        """Everybody who is awaited passes."""
        for game in self.going():
            for seat in self.asked("game", "show", game["game"])["waiting"]:
                if game[seat] not in but:
                    self.says(game[seat], "pass", game["game"])
        self.poll_well()

    def poll_well(self) -> None:
        told = self.poll()
        assert told == (0, []), told.lines

    def table(self) -> dict[str, tuple]:
        return {
            row["player"]: (row["points"], *((one["place"], one["of"]) for one in row["places"]))
            for row in self.asked("league", "standings", "Ozz")
        }

    @property
    def store(self) -> Store:
        return Store(connect(self.folder / "pbem.db"))


@pytest.fixture
def desk(tmp_path):
    return OzzLeague(tmp_path / "desk")


def test_a_season_of_five_is_played_at_tables_of_three_and_two(desk):
    desk.found(5)
    assert [[len(game) - 2 for game in one["games"]] for one in desk.asked("league", "rounds", "Ozz")] == [[3, 2]] * 4
    desk.poll_well()
    for _ in range(8):
        desk.pass_all()
    rounds = desk.asked("league", "rounds", "Ozz")
    assert all(game["result"] for one in rounds for game in one["games"])
    nations = [seat for one in rounds for game in one["games"] for seat in game if game[seat] == "Alice"]
    assert sorted(nations) == ["gillikins", "munchkins", "quadlings", "winkies"]
    table = desk.table()
    assert all(len(places) == 4 for _, *places in table.values())
    last = desk.letters_to("Bob")[-1]
    assert "Round 4 of the league Ozz is over, and so is the season." in flat(last)
    assert max(map(len, letter_text(last).splitlines())) <= 72
    first = flat(next(one for one in desk.letters_to("Bob") if one["Subject"] == "League Ozz"))
    assert re.search(r"- ozz-1: 1\. \w+ \(\w+\); \d\. \w+ \(\w+\); \d\. \w+ \(\w+\) - ozz-2: 1\. ", first)
    assert re.search(
        r"1\. \w+ points [\d.]+; places 1/[23]; (Sonneborn-Berger [\d.]+; )?(material at the end \d+; )?rating", first
    )
    assert max(map(len, desk.does("league", "standings", "Ozz").splitlines())) <= 72
    before = [(row["player"], row["rating"]) for row in desk.asked("league", "standings", "Ozz")]
    store = desk.store
    with store.transaction():
        rate(store, find_match(store, "ozz-1"))
    store.conn.close()
    assert [(row["player"], row["rating"]) for row in desk.asked("league", "standings", "Ozz")] == before
    assert desk.does("verify").startswith("All is as it was")
    desk.does("archive", "build", str(desk.folder / "site"))
    page = (desk.folder / "site" / "leagues" / "1-season-1.html").read_text()
    assert page.count("1. <span") == 8
    assert '<abbr title="Place in round 4">R4</abbr>' in page


def test_of_four_who_resigns_or_leaves_is_last_by_forfeit_and_the_others_play_on(desk):
    desk.found(4, "rounds = 2", standby="Flo")
    desk.poll_well()
    desk.says("Bob", "leave Ozz")
    desk.poll_well()
    desk.says("Bob", "yes")  # Flo waits, and goes on for him
    desk.poll_well()
    desk.poll_well()
    assert "You play ozz-1 from now on, as Winkies." in flat(desk.letters_to("Flo")[-1])
    desk.does("league", "withdraw", "Ozz", "Carla", "--reason", "she asked for it")  # nobody waits any more
    desk.poll_well()
    told = flat(desk.letters_to("Alice")[-1])
    assert "Carla (Quadlings) has left ozz-1; the others play on. Carla (Quadlings) has left the league." in told
    assert "The game master's reason: | she asked for it" in told
    assert "You have left ozz-1; the others play on." in flat(desk.letters_to("Carla")[-1])
    assert [len(game) for game in desk.asked("league", "rounds", "Ozz")[1]["games"]] == [5]  # three, of whom Flo is one
    desk.says("Dora", "resign")
    desk.poll_well()
    desk.says("Dora", "yes")
    desk.poll_well()
    desk.pass_all()
    desk.pass_all()
    (game,) = desk.asked("league", "rounds", "Ozz")[0]["games"]
    assert (game["places"]["quadlings"], game["places"]["gillikins"]) == (3, 3)
    table = desk.table()
    assert (table["Dora"], table["Carla"], table["Bob"]) == ((0, (3, 4)), (0, (3, 4)), (0,))
    assert table["Alice"][0] + table["Flo"][0] == 5
    ratings = {row["player"]: row["rating"] for row in desk.asked("league", "standings", "Ozz")}
    assert {ratings["Bob"], ratings["Carla"], ratings["Dora"]} == {1500}
    assert "Carla (Quadlings), by forfeit" in flat(desk.letters_to("Dora")[-1])
    desk.does("game", "rollback", "ozz-1", "2", "--reason", "a letter was lost")
    desk.poll_well()
    assert {points for points, *_ in desk.table().values()} == {0}
    desk.pass_all()
    assert desk.table()["Carla"] == (0, (3, 4))
    assert desk.does("verify").startswith("All is as it was")


def test_who_misses_too_many_turns_is_out_alone(desk):
    desk.found(3, terms="forfeit = 1")
    desk.poll_well()
    desk.pass_all("Bob")
    assert desk.poll(timedelta(days=8)) == (0, [])
    assert "has left ozz-1; the others play on. Bob (Winkies) missed a turn." in flat(desk.letters_to("Alice")[-1])
    desk.pass_all("Alice", "Carla")
    assert desk.poll(timedelta(days=8)) == (0, [])  # both miss the last turn, which the board decides
    assert desk.table()["Bob"] == (0, (3, 3))
    assert desk.does("verify").startswith("All is as it was")


def test_a_game_master_can_award_places_and_the_record_of_the_game_keeps_them(desk):
    desk.found(4)
    desk.poll_well()
    for wrong, sentence in (
        ("winkies, munchkins, winkies", "Each side has one place: name each only once."),
        ("winkies, red", 'There is no side "red" in ozz-1'),
    ):
        told = desk.run("game", "award", "ozz-1", *wrong.split(), "--reason", "why")
        assert (told.status, sentence in told.lines[0]) == (2, True)
    desk.does("game", "award", "ozz-1", "winkies,", "munchkins", "and", "gillikins", "--reason", "it has to end")
    desk.poll_well()
    told = flat(next(one for one in desk.letters_to("Dora")[::-1] if "ozz-1" in one["Subject"]))
    assert "1. Bob, Winkies 2. Alice, Munchkins 2. Dora, Gillikins 4. Carla, Quadlings" in told
    table = {name: points for name, (points, *_) in desk.table().items()}
    assert table == {"Alice": 1.5, "Bob": 3, "Carla": 0, "Dora": 1.5}
    assert "award winkies munchkins and gillikins quadlings" in desk.does("record", "ozz-1")
    history = read_record(desk.does("record", "ozz-1")).history
    assert history.result.ranking == (("winkies",), ("munchkins", "gillikins"), ("quadlings",))
    assert desk.does("verify").startswith("All is as it was")


@pytest.mark.parametrize("declined", [True, False])
def test_who_does_not_take_part_leaves_a_smaller_table_to_the_others(desk, declined):
    desk.found(4, confirmed="false")
    desk.poll_well()
    assert len(desk.going()) == 1
    desk.says("Alice", "accept")
    desk.poll_well()
    if declined:  # the two who have not answered yet are asked again
        desk.says("Bob", "decline")
        desk.poll_well()
        for name in ("Carla", "Dora"):
            desk.says(name, "accept", "ozz-2")
    else:
        desk.says("Carla", "accept")
        desk.says("Dora", "accept")
        desk.poll_well()
        assert desk.poll(timedelta(days=15)).status == 0
    desk.poll_well()
    (game,) = desk.going()
    assert game == {"game": "ozz-2", "munchkins": "Alice", "quadlings": "Carla", "gillikins": "Dora", "result": None}
    desk.pass_all()
    desk.pass_all()
    assert desk.table()["Bob"] == (0,)
    assert sum(points for points, *_ in desk.table().values()) == 4.5
    assert desk.does("verify").startswith("All is as it was")
