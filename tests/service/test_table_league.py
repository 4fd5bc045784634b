"""Leagues of Campaigns of Ozz for two to four at a table, as their game master and their players see them."""

import email
import json
import re
from email.message import Message

import pytest

from pbem.cli.demo import answer_letter, letter_text
from pbem.config.config import Address
from pbem.store.database import Store, connect
from pbem.store.ratings import rate_all
from support.desks import TestDesk, flat

NAMES = ("Alice", "Bob", "Carla", "Dora", "Erin", "Flo")
PEOPLE = {name: Address(name, f"{name.lower()}@example.net") for name in NAMES}


class OzzLeague(TestDesk):
    """A desk with a league of short campaigns, and members who pass."""

    __test__ = False

    def found(self, size: int, more: str = "", standby: str = "", terms: str = "") -> None:
        people = ", ".join(f'"{one.name} <{one.address}>"' for one in [*PEOPLE.values()][:size])
        waiting = f'"{standby} <{PEOPLE[standby].address}>"' if standby else ""
        (self.folder / "ozz.toml").write_text(
            f'name = "Ozz"\nformat = "round-robin"\ngame = "ozz"\ntable = 4\nconfirmed = true\n{more}\n'
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
    assert "Round 4 of the league Ozz is over, and with it the season." in flat(last)
    assert max(map(len, letter_text(last).splitlines())) <= 72
    first = flat(next(one for one in desk.letters_to("Bob") if one["Subject"] == "League Ozz"))
    assert re.search(r"- ozz-1: 1\. \w+ \(\w+\); \d\. \w+ \(\w+\); \d\. \w+ \(\w+\) - ozz-2: 1\. ", first)
    assert re.search(r"1\. \w+ points [\d.]+; places 1/[23]; rating", first)
    assert max(map(len, desk.does("league", "standings", "Ozz").splitlines())) <= 72
    before = [(row["player"], row["rating"]) for row in desk.asked("league", "standings", "Ozz")]
    store = desk.store
    with store.transaction():
        rate_all(store)
    store.conn.close()
    assert [(row["player"], row["rating"]) for row in desk.asked("league", "standings", "Ozz")] == before
    assert desk.does("verify").startswith("All is as it was")
    desk.does("archive", "build", str(desk.folder / "site"))
    page = (desk.folder / "site" / "leagues" / "1-season-1.html").read_text()
    assert page.count("1. <span") == 8
    assert '<abbr title="Place in round 4">R4</abbr>' in page
