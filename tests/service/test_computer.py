"""The computer as an opponent by mail: it answers at once, sees what its seat sees, and counts for nothing."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.cli.demo import ALICE, DemoDesk, answer_letter
from pbem.config.config import OpponentConfig, read_key
from pbem.games import GAMES, find_game
from pbem.games.ozymandia import Ozymandia
from pbem.match.model import Match
from pbem.match.names import plain_name
from pbem.orders.command import Decision
from pbem.service.desk import Desk
from pbem.service.tick import poll
from pbem.store import players
from pbem.store.matches import load_match
from pbem.store.verify import Audit
from pbem.store.waiting import deserted, think_later, waiting_to_think
from support.desks import flat
from support.leagues import LeagueDesk


@pytest.fixture
def table(tmp_path: Path) -> Iterator[DemoDesk]:
    table = DemoDesk(tmp_path / "desk")
    table.poll()
    yield table
    table.close()


def say(table: DemoDesk, text: str) -> list[str]:
    """Red answers the last letter that it got; what it is told."""
    table.write("red", text)
    return [text for seat, text in told(table) if seat == "red"]


def told(table: DemoDesk) -> list[tuple[str, str]]:
    return [(seat, flat(letter)) for seat, letter in table.poll()]


def second(table: DemoDesk) -> Match:
    return load_match(table.store, 2)


@pytest.mark.parametrize(
    "words",
    [
        "challenge computer",
        "challenge the computer to ozymandia",
        "challenge computer with turn limit 9",
        "I want to play against the computer.",
        "fordere den Computer heraus",
        "Ich möchte gegen den Computer spielen",
        "вызов компьютер",
        "Хочу сыграть с компьютером!",
    ],
)
def test_a_game_against_the_computer_begins_at_once(table, words):
    letters = say(table, words)
    assert "against the computer" in letters[0]
    assert "you play Red, Computer (level 2) plays Blue" in letters[1]
    match = second(table)
    assert (match.phase, match.missing(), [*match.standing]) == ("running", ["red"], ["blue"])


@pytest.mark.parametrize(
    ("words", "level"),
    [
        ("challenge computer level 1", 1),
        ("challenge the computer, at level 3, to ozymandia", 3),
        ("challenge computer to ozymandia level 4 with turn limit 9", 4),
        ("challenge computer with turn limit 9, level 5", 5),
        ("challenge computer with level 1, turn limit 9", 1),
        ("fordere den Computer auf Stufe 3 heraus", 3),
        ("вызов компьютер на уровне 4", 4),
    ],
)
def test_it_plays_at_the_level_that_is_asked_for(table, words, level):
    letters = say(table, words)
    assert f"at level {level} of 5" in letters[0]
    assert second(table).holders["blue"].level == level
    assert "level" not in second(table).options


@pytest.mark.parametrize("words", ["level 9", "level 99999999", "with level 0", "level 3 to ozymandia with level five"])
def test_a_level_that_there_is_not_is_explained(table, words):
    assert "level must be a number from 1 to 5" in say(table, f"challenge computer {words}")[0]
    assert table.store.conn.execute("SELECT max(id) FROM matches").fetchone() == (1,)


def with_seconds(table: DemoDesk, a_turn: int, a_run: int) -> None:
    table.config = table.config._replace(opponent=OpponentConfig(a_turn, a_run))


def test_a_level_that_thinks_long_does_so_when_all_letters_are_sent(table):
    table.write("red", "challenge computer level 5")
    progress: list[str] = []
    poll(table.config, table.now, progress.append)
    assert progress == ["1 letters read", "2 letters sent", "1 turns thought about"]
    assert [*second(table).standing] == ["blue"]
    assert waiting_to_think(table.store) == []


def test_what_a_run_has_no_time_for_is_thought_about_by_the_next_one(table):
    with_seconds(table, 5, 0)
    say(table, "challenge computer level 4")
    assert (second(table).standing, waiting_to_think(table.store)) == ({}, [2])
    say(table, "2 A to AC")
    assert second(table).turn == 1
    with_seconds(table, 5, 30)
    told(table)
    assert (second(table).turn, [*second(table).standing], waiting_to_think(table.store)) == (2, ["blue"], [])


def test_a_game_that_it_cannot_think_about_stops_no_other(table, monkeypatch):
    first = table.last["red"]
    say(table, "challenge computer level 4 with turn limit 9")
    table.last["red"] = first
    say(table, "challenge computer level 4")
    think = Ozymandia.think

    def fails(game, state, *more):
        if state.turn_limit:
            raise ValueError(state.turn_limit)
        return think(game, state, *more)

    monkeypatch.setattr(Ozymandia, "think", fails)
    for number in (2, 3):
        think_later(table.store, number)
        with table.store.transaction():
            table.store.conn.execute("DELETE FROM orders WHERE match = ?", (number,))
    report = poll(table.config, table.now, lambda text: None)
    assert report.lines == ["The computer cannot think about oz-2 (ValueError); the turn waits."]
    assert [load_match(table.store, number).missing() for number in (2, 3)] == [["red", "blue"], ["red"]]
    assert waiting_to_think(table.store) == [2]


def test_orders_that_a_game_master_enters_while_it_thinks_stand(table, monkeypatch):
    with_seconds(table, 5, 0)
    say(table, "challenge computer level 4")
    with_seconds(table, 5, 30)
    think = Ozymandia.think

    def thinks_long(game, *more):
        desk = Desk(table.config, table.store, table.now, "", read_key(table.config.desk.key_file))
        desk.decide(Decision("orders", "oz-2", "blue: 3 V to Z", "for a test"))
        return think(game, *more)

    monkeypatch.setattr(Ozymandia, "think", thinks_long)
    told(table)
    assert second(table).standing["blue"].canonical == "3 V to Z"


def test_it_is_never_late_for_a_deadline(table):
    with_seconds(table, 5, 0)
    say(table, "challenge computer level 5")
    say(table, "2 A to AC")
    table.now = second(table).deadline.moment
    told(table)
    match = second(table)
    assert match.turn == 2
    assert match.turns[0].orders["blue"].came


@pytest.mark.parametrize("game", sorted(GAMES))
def test_it_plays_every_game_and_is_never_waited_for(table, game):
    say(table, f"challenge computer to {game}")
    match = second(table)
    mine = [seat for seat, holder in match.holders.items() if not holder.is_computer]
    assert len(mine) == 1
    for _ in range(4):
        match = second(table)
        if match.result:
            break
        assert match.missing() == mine
        bot = find_game(game)
        seat = mine[0]
        orders = str(bot.choose(match.game.view(match.state, match.reader(seat)), seat))
        table.deliver(answer_letter(table.last[seat], ALICE, orders, table.now).as_bytes())
        table.poll()
        assert second(table).turn > match.turn
    audit = Audit(table.store.conn)
    assert [*audit.differences(lambda rows: None)] == []


def test_no_letter_goes_to_the_computer_and_the_record_says_what_it_is(table):
    say(table, "challenge computer")
    say(table, "2 A to AC")
    assert second(table).turn == 2
    number = second(table).holders["blue"].player.id
    rows = table.store.conn.execute("SELECT count(*) FROM outbox WHERE player = ? OR recipient = ''", (number,))
    assert rows.fetchone() == (0,)
    notes = table.store.conn.execute(
        "SELECT content FROM record JOIN record_contents ON record = id WHERE kind = 'game' AND match = 2"
    ).fetchone()
    assert json.loads(notes[0])["computer"] == ["blue"]
    assert deserted(table.store) == []


def test_letters_of_such_a_game_are_kept_as_those_of_any(table):
    say(table, "challenge computer")
    raws = table.store.conn.execute("SELECT raw, recipient FROM outbox WHERE match = 2 AND sent IS NOT NULL").fetchall()
    assert raws
    assert all(raw and recipient for raw, recipient in raws)


def test_a_draw_is_taken_where_it_does_not_stand_better(table):
    say(table, "challenge computer")
    assert "agreed to a draw" in say(table, "draw")[0]
    assert second(table).result.winner is None


def correct(table: DemoDesk, position: str) -> None:
    """The game master sets the pieces of the second game."""
    desk = Desk(table.config, table.store, table.now, "", read_key(table.config.desk.key_file))
    desk.decide(Decision("position", "oz-2", position, "for a test"))


def test_no_draw_is_taken_where_it_stands_better(table):
    say(table, "challenge computer")
    correct(table, "1 red A3 bombs 0 blue V5 H5 VC5 HC4 bombs 3")
    told(table)
    assert "declines the draw" in say(table, "draw")[0]
    assert second(table).result is None


def test_it_gives_up_what_is_lost(table):
    say(table, "challenge computer")
    correct(table, "1 red A9 M9 W9 AC9 MC9 WC9 bombs 3 blue H1 bombs 0")
    told(table)
    result = second(table).result
    assert (result.winner, str(result.reason)) == ("red", "Blue resigned.")


def test_what_people_wish_is_done(table):
    say(table, "challenge computer")
    say(table, "pause")
    assert second(table).phase == "paused"
    say(table, "resume")
    assert second(table).phase == "running"
    say(table, "resign")
    say(table, "yes")
    assert second(table).result.winner == "blue"
    say(table, "rematch")
    third = load_match(table.store, 3)
    assert [third.holders[seat].is_computer for seat in ("red", "blue")] == [True, False]
    assert third.missing() == ["blue"]


def test_nobody_has_more_than_three_such_games(table):
    first = table.last["red"]
    for _ in range(4):
        table.deliver(table.answer("red", "challenge computer", to=first).as_bytes())
        letters = told(table)
    assert "You already play 3 games against the computer" in letters[0][1]
    assert table.store.conn.execute("SELECT max(id) FROM matches").fetchone() == (4,)


def test_two_challenges_in_a_letter_count_as_two(table):
    say(table, "\n".join(["challenge computer"] * 5))
    assert table.store.conn.execute("SELECT max(id) FROM matches").fetchone() == (4,)


def test_the_computer_does_not_play_what_it_cannot(table):
    assert 'no game "chess"' in say(table, "challenge computer to chess")[0].replace("There is ", "")


@pytest.mark.parametrize("name", ["Computer", "the computer", "КОМПЬЮТЕР", "Game Master"])
def test_nobody_is_called_like_it(name):
    assert plain_name(name) == ""


def test_no_letter_can_come_from_it(table):
    say(table, "challenge computer")
    for sender in ("(computer 2)", "Computer <(computer 2)>", "computer", '"(computer 2)" <>'):
        letter = table.answer("red", "1 A to AC")
        del letter["From"]
        letter["From"] = sender
        table.deliver(letter.as_bytes())
        table.poll()
        assert [*second(table).standing] == ["blue"]
    assert players.player_by_address(table.store, "computer") is None


# In a league, where somebody puts it


def winter(tmp_path: Path, shape: str, *options: str) -> LeagueDesk:
    desk = LeagueDesk(tmp_path / "desk")
    (desk.folder / "players.txt").write_text("Alice <alice@example.net>\nBob <bob@example.com>\ncomputer level 2\n")
    told = desk.run("league", "new", "Winter", "--format", shape, "--players", f"{desk.folder}/players.txt", *options)
    assert told.status == 0, told.lines
    return desk


def test_it_plays_in_a_league_as_anybody_and_gets_no_letters(tmp_path):
    league = winter(tmp_path, "round-robin", "--confirmed")
    first, *_ = league.rounds()
    assert first["games"] == [{"game": "oz-1", "red": "Bob", "blue": "Computer (level 2)", "result": None}]
    match = load_match(league.store, 1)
    assert (match.phase, match.missing()) == ("running", ["red"])
    league.award("oz-1", "blue")
    league.poll()
    won = {one["player"]: one["won"] for one in league.standings()}
    assert won == {"Alice": 0, "Bob": 0, "Computer (level 2)": 1}
    (lost,) = league.store.conn.execute("SELECT count(*) FROM outbox WHERE recipient = '' OR sent IS NULL").fetchone()
    assert lost == 0


def test_it_accepts_every_game_of_a_league(tmp_path):
    league = winter(tmp_path, "round-robin")
    match = load_match(league.store, 1)
    assert (match.phase, match.accepted) == ("offered", {"blue"})
    league.poll()
    league.respond("Bob", "accept")
    league.poll()
    assert load_match(league.store, 1).missing() == ["red"]


def test_a_league_can_take_it_in_later_at_a_level_that_there_is(tmp_path):
    league = winter(tmp_path, "swiss", "--confirmed")
    told = league.run("league", "enter", "Winter", "computer level 7", "--reason", "we are odd")
    assert (told.status, "is no player" in told.lines[0]) == (2, True)
    assert league.run("league", "enter", "Winter", "computer level 4", "--reason", "we are odd").status == 0
    assert [one["player"] for one in league.standings()][-1] == "Computer (level 4)"
