"""A game of three seats with turns one after the other, dice and hands, through the whole service."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import MappingProxyType

import pytest

from pbem import PbemError, Sentence
from pbem.cli.demo import DemoDesk, answer_letter
from pbem.config.config import Address
from pbem.games.base import Chair
from pbem.match.clock import ending
from pbem.match.terms import Terms
from pbem.record.exports import read_json, write_json
from pbem.record.notation import read_record, write_record
from pbem.store import matches
from pbem.store.database import Store, connect
from pbem.store.matches import load_match
from pbem.times.deadlines import Pace
from support import trial
from support.commands import pbem
from support.game_masters import GINA, last_to
from support.game_masters import say as say_as_master
from support.tables import history
from support.trials import SEATS, add_trial, flat, hand, match_of, play, told, trial_table


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DemoDesk]:
    add_trial(monkeypatch)
    table = trial_table(tmp_path / "desk")
    yield table
    table.close()


def command(table: DemoDesk, *words: str) -> str:
    """What a command says, all being well."""
    result = pbem("--config", table.config.path, "--now", f"{table.now:%Y-%m-%dT%H:%MZ}", *words)
    assert result.exit_code == 0, result.output
    return result.output


def test_each_of_three_seats_is_invited_and_sees_its_own_cards_alone(table):
    for seat in SEATS:
        letter = flat(table.last[seat])
        assert f"you play {trial.CALLED[seat]}" in letter
        assert "three cards that nobody else sees" in letter
        assert f"{seat} dice 0 laid hand {' '.join(map(str, hand(table, seat)))}" in letter
        assert letter.count("hand ? ? ?") == 2


def test_a_seat_is_called_what_its_game_calls_it_in_letters_on_pages_and_on_the_command_line(table, tmp_path):
    play(table, 3)
    for seat in ("birch", "cedar"):
        told(table, seat, "resign")
        told(table, seat, "yes")
    (winner,) = match_of(table).winners()
    called = trial.CALLED[winner]
    assert called in flat(table.last["birch"])
    assert f"{called} has won." in command(table, "game", "show", "tr-1")
    command(table, "archive", "build", str(tmp_path / "pages"))
    page = (tmp_path / "pages" / "games" / "tr-1.html").read_text()
    assert all(f">{name}</span>" in page for name in trial.CALLED.values())
    assert "not their turn" in page
    assert "nothing left to order" not in page
    assert f"{called} won" in (tmp_path / "pages" / "games.html").read_text()
    assert "Cedar" not in page + flat(table.last["birch"])


def test_orders_in_another_alphabet_get_a_receipt_and_play_the_turn_of_one_seat(table):
    card = hand(table, "amber")[0]
    told(table, "amber", "more letters")
    letters = told(table, "amber", f"Ставлю {card} золота")
    assert f"Ставлю {card}" in letters["amber"][0]
    assert f"You say Ставлю {card}." in letters["amber"][0]
    assert match_of(table).missing() == ["birch"]
    assert "turn 2 is waiting for your orders" in letters["birch"][0]
    assert "turn 2 is waiting for your orders" not in letters["cedar"][0]


def test_a_mistake_is_shown_in_its_place_with_what_would_be_right(table):
    letters = told(table, "amber", "Ставлю 77 золота")
    assert "1 | Ставлю 77 золота ^^" in letters["amber"][0]
    assert "Lay one of your cards" in letters["amber"][0]
    told(table, "amber", "yes")
    assert match_of(table).turn == 2


def test_orders_of_a_seat_that_is_not_on_turn_are_answered_and_not_taken(table):
    letters = told(table, "birch", "Пас")
    assert "It is not your turn." in letters["birch"][0]
    assert not match_of(table).standing


def test_only_the_seat_on_turn_is_reminded_and_misses_its_turn(table):
    table.now += timedelta(days=4)
    letters = dict(table.poll())
    match = match_of(table)
    assert (match.turn, match.missing()) == (2, ["birch"])
    assert {seat: count for seat, count in match.missed.items() if count} == {"amber": 1}
    assert "no orders: no card" in flat(letters["cedar"])
    table.now += timedelta(days=2, hours=23)
    assert all(seat == "birch" for seat, letter in table.poll() if letter["Subject"].startswith("Trial"))


def test_a_draw_takes_all_three(table):
    told(table, "amber", "draw")
    told(table, "cedar", "draw")
    assert not match_of(table).result
    letters = told(table, "birch", "draw")
    assert match_of(table).phase == "finished"
    assert "All sides agreed to a draw." in letters["cedar"][-1]


def test_the_deadline_waits_for_the_vacation_of_the_seat_on_turn_alone(table):
    before = match_of(table).deadline
    told(table, "cedar", "vacation 22.11. to 1.12.")
    assert match_of(table).deadline == before
    told(table, "amber", "vacation 22.11. to 1.12.")
    assert match_of(table).deadline.moment > before.moment


def test_another_person_takes_a_seat_with_its_cards(table):
    cards = hand(table, "birch")
    command(table, "game", "replace", "tr-1", "birch", "Grace <grace@example.org>", "--reason", "Bob is away")
    letters = {letter["To"]: flat(letter) for _, letter in table.letters()}
    assert f"hand {' '.join(map(str, cards))}" in letters["Grace <grace@example.org>"]
    assert f"hand {' '.join(map(str, cards))}" not in letters["Bob <bob@example.com>"]


def test_letters_are_german_for_a_reader_who_wants_that(table):
    told(table, "birch", "Sprache deutsch")
    letters = told(table, "amber", "Пас")
    assert "Runde 1 ist gespielt" in letters["birch"][0]
    assert "Turn 1 has been played" in letters["cedar"][0]


def test_a_game_is_played_to_its_end_and_told_whole(table):
    play(table)
    match = match_of(table)
    assert match.phase == "finished"
    assert match.turn == 10
    told_all = flat(table.last["amber"])
    assert "hand ?" not in told_all
    for seat in SEATS:
        assert " ".join(map(str, match.state["hands"][seat])) in told_all


def test_record_and_export_of_a_game_that_is_over_read_back_and_are_checked(table, tmp_path):
    play(table)
    told_history = history(table)
    reading = read_record(write_record(told_history))
    assert not reading.problems
    assert reading.history.state == told_history.state
    assert read_json(write_json(told_history)).state == told_history.state
    command(table, "verify")
    record = tmp_path / "tr-1.txt"
    record.write_text(write_record(told_history))
    command(table, "verify", str(record))
    command(table, "replay", str(record))


def test_record_and_export_of_a_game_that_goes_on_hold_no_cards(table):
    told(table, "amber", f"Ставлю {hand(table, 'amber')[0]}")
    for text in (write_record(history(table)), write_json(history(table))):
        assert "Ставлю" not in text
    command(table, "verify")
    assert json.loads(command(table, "game", "show", "tr-1", "--json"))["hands"]["birch"] == [0, 0, 0]


def test_a_game_is_imported_from_its_record(table, tmp_path):
    play(table)
    record = tmp_path / "tr-1.txt"
    record.write_text(write_record(history(table)))
    command(table, "import", str(record))
    assert "tr-1" in command(table, "search", "Alice")


def test_pages_are_built_and_a_backup_holds_the_game(table, tmp_path):
    told(table, "amber", f"Ставлю {hand(table, 'amber')[0]}")
    command(table, "archive", "build", str(tmp_path / "site"))
    assert "?" in (tmp_path / "site" / "games" / "tr-1.html").read_text()
    command(table, "backup", str(tmp_path / "backup.tar"))


def test_two_of_three_play_on_when_one_resigns_and_the_last_one_wins(table):
    told(table, "birch", "resign")
    letters = told(table, "birch", "yes")
    assert match_of(table).phase == "running"
    assert "cedar" in letters
    told(table, "amber", "Пас")
    assert match_of(table).missing() == ["cedar"]
    told(table, "amber", "resign")
    told(table, "amber", "yes")
    result = match_of(table).result
    assert (result.winner, match_of(table).phase) == ("cedar", "finished")


def test_a_league_plays_it_between_two(table, tmp_path):
    text = """
name = "Winter"
format = "round-robin"
game = "trial"
confirmed = true
options = { seats = 2 }
divisions = [{ players = ["Alice <alice@example.net>", "Bob <bob@example.com>"] }]
"""
    (tmp_path / "league.toml").write_text(text)
    command(table, "league", "new", "--file", str(tmp_path / "league.toml"))
    table.poll()
    assert match_of(table, 2).seats == ("amber", "birch")
    command(table, "game", "award", "tr-2", "birch", "--reason", "it is late")
    table.poll()
    assert "Bob" in command(table, "league", "standings", "Winter")


def test_each_round_of_turns_has_its_name_in_the_letters(table):
    assert "Round 1" in flat(table.last["amber"])


def test_standing_orders_of_a_seat_that_is_not_on_turn_play_for_it_when_it_misses_its_turn(table):
    card = hand(table, "birch")[1]
    letters = told(table, "birch", f"Всегда {card}")
    assert set(letters) == {"birch"}
    assert f"Всегда {card}" in letters["birch"][0]
    assert match_of(table).missing() == ["amber"]
    told(table, "amber", "Пас")
    table.now += timedelta(days=4)
    table.poll()
    assert match_of(table).state["laid"]["birch"] == [card]


def test_standing_orders_with_a_token_of_long_ago_do_not_count(table):
    """Whoever has it may have found it anywhere."""
    old = table.last["birch"]
    play(table, 1)
    table.store.conn.execute("UPDATE matches SET deadline = NULL, due = NULL")
    table.now += timedelta(days=20)
    table.deliver(answer_letter(old, table.people["birch"], f"Всегда {hand(table, 'birch')[1]}", table.now).as_bytes())
    ((seat, letter),) = table.poll()
    assert seat == "birch"
    assert "turn 2" in flat(letter)
    assert not match_of(table).standing_orders


def test_standing_orders_of_a_seat_that_has_given_up_play_nothing(table):
    told(table, "birch", f"Всегда {hand(table, 'birch')[1]}")
    told(table, "birch", "resign")
    told(table, "birch", "yes")
    told(table, "amber", "Пас")
    told(table, "cedar", "Пас")
    match = load_match(table.store, 1)
    assert [[seat for seat, entry in turn.orders.items() if entry] for turn in match.turns] == [["amber"], ["cedar"]]
    assert match.missing() == ["amber"]
    command(table, "verify")


def test_the_seat_on_turn_is_reminded_before_its_deadline_and_nobody_else(tmp_path, monkeypatch):
    add_trial(monkeypatch)
    terms = Terms(deadline=Pace(every=timedelta(days=3)), remind=(timedelta(days=1),))
    table = trial_table(tmp_path / "desk", terms=terms)
    for seat in ("amber", "birch"):
        table.now = match_of(table).deadline.moment - timedelta(hours=23)
        ((reminded, letter),) = table.poll()
        assert reminded == seat
        assert "orders" in flat(letter)
        assert table.poll() == []
        told(table, seat, "Пас")
    table.close()


def test_a_turn_that_is_missed_after_somebody_has_resigned_passes_to_who_is_left(table):
    told(table, "birch", "resign")
    told(table, "birch", "yes")
    told(table, "amber", "Пас")
    table.now += timedelta(days=4)
    letters = dict(table.poll())
    match = match_of(table)
    assert (match.turn, match.missing()) == (3, ["amber"])
    assert {seat: count for seat, count in match.missed.items() if count} == {"cedar": 1}
    assert "turn 3 is waiting for your orders" in flat(letters["amber"])


def test_a_backup_is_restored_and_the_game_played_on_to_its_end(table, tmp_path):
    told(table, "amber", f"Ставлю {hand(table, 'amber')[0]}")
    told(table, "cedar", f"Всегда {hand(table, 'cedar')[0]}")
    kept = match_of(table)
    command(table, "backup", str(tmp_path / "copy.db"))
    play(table, 2)
    table.store.conn.close()
    command(table, "restore", str(tmp_path / "copy.db"), "--replace")
    table.store = Store(connect(table.config.database))
    again = match_of(table)
    assert (again.state, again.standing_orders, again.secret) == (kept.state, kept.standing_orders, kept.secret)
    with pytest.raises(PbemError, match="The database was put back to what it was"):
        table.poll()
    table._seen = 0  # numbers come again
    list(table.letters())
    play(table)
    assert match_of(table).phase == "finished"
    command(table, "verify")


def test_a_turn_that_is_taken_back_is_played_with_new_dice_from_the_old_cards(table):
    before = match_of(table).state
    orders = {seat: hand(table, seat)[0] for seat in SEATS}
    secrets = []  # that the dice come from; the dice themselves may fall alike
    for _ in range(2):
        for seat, card in orders.items():
            told(table, seat, f"Ставлю {card}")
        secrets += [turn.secret for turn in load_match(table.store, 1).turns]
        command(table, "game", "rollback", "tr-1", "1", "--reason", "a letter was lost")
        table.poll()
        assert match_of(table).state == before
    assert len(set(secrets)) == len(secrets) == 2 * len(SEATS)
    command(table, "verify")


def test_a_seat_is_handed_over_with_its_cards_and_its_standing_orders(table):
    cards = " ".join(map(str, hand(table, "birch")))
    told(table, "birch", f"Всегда {hand(table, 'birch')[1]}")
    table.write("birch", "hand over to grace@example.org")
    table.poll()
    table.write("birch", "yes")
    offer = last_to(table.poll(), "grace@example.org")
    assert f"hand {cards}" not in flat(offer)
    grace = Address("Grace", "grace@example.org")
    table.deliver(answer_letter(offer, grace, "accept", table.now).as_bytes())
    letters = [(letter["To"], flat(letter)) for _, letter in table.poll()]
    assert any("grace@example.org" in to and f"hand {cards}" in text for to, text in letters)
    assert not any(f"hand {cards}" in text for to, text in letters if "grace" not in to)
    assert match_of(table).holders["birch"].player.address == "grace@example.org"


def test_orders_can_be_checked_without_being_taken(table):
    card = hand(table, "amber")[0]
    letters = told(table, "amber", f"check: Ставлю {card}")
    assert set(letters) == {"amber"}
    assert f"You say Ставлю {card}." in letters["amber"][0]
    assert match_of(table).missing() == ["amber"]
    assert not match_of(table).standing


def test_orders_of_a_turn_that_waits_are_withdrawn(table):
    command(table, "game", "pause", "tr-1", "--reason", "it is Christmas")
    table.poll()
    card = hand(table, "amber")[0]
    told(table, "amber", f"Ставлю {card}")
    assert [*match_of(table).standing] == ["amber"]
    letters = told(table, "amber", "withdraw")
    assert set(letters) == {"amber"}
    assert not match_of(table).standing
    command(table, "game", "resume", "tr-1", "--reason", "it is over")
    table.poll()
    assert (match_of(table).turn, match_of(table).missing()) == (1, ["amber"])


def test_all_three_wish_a_rematch_and_are_dealt_new_cards(table):
    play(table)
    dealt = history(table).start["hands"]
    for seat in SEATS:
        assert matches.number_of(table.store, "tr-2") is None
        told(table, seat, "rematch")
    again = match_of(table, 2)
    assert {one.player.name for one in again.holders.values()} == {"Alice", "Bob", "Carla"}
    assert again.seats == SEATS
    assert again.state["hands"] != dealt


def test_a_report_waits_for_the_game_master_who_sees_no_cards_in_it(tmp_path, monkeypatch):
    add_trial(monkeypatch)
    terms = Terms(deadline=Pace(every=timedelta(days=3)), remind=(), review=timedelta(days=1))
    table = trial_table(tmp_path / "desk", terms=terms)
    card = hand(table, "amber")[0]
    table.write("amber", f"Ставлю {card}")
    letters = table.poll()
    assert match_of(table).phase == "review"
    review = last_to(letters, "operator@example.org")
    assert "Amber throws" in flat(review)
    assert f"lays {card}" not in flat(review)
    assert flat(review).count("hand ? ? ?") == 3
    assert not any("throws" in flat(letter) for seat, letter in letters if letter is not review)
    table.deliver(answer_letter(review, GINA, "ok", table.now).as_bytes())
    told_then = dict(table.poll())
    assert f"Amber lays {card}." in flat(told_then["amber"])
    assert "Amber throws" in flat(told_then["birch"])
    assert f"lays {card}" not in flat(told_then["birch"])
    assert match_of(table).missing() == ["birch"]
    table.close()


class Sided(trial.Trial):
    """Two seats on one side."""

    called = MappingProxyType({**trial.CALLED, "wood": Sentence("The Wood")})
    seats = staticmethod(lambda options: tuple(Chair(one, "amber" if one == "amber" else "wood") for one in SEATS))


@pytest.fixture
def sided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DemoDesk]:
    add_trial(monkeypatch, Sided())
    table = trial_table(tmp_path / "desk")
    yield table
    table.close()


@pytest.mark.parametrize("word", ["wood", "birch"])
def test_seats_of_a_side_win_together_in_letters_on_pages_and_in_records(sided, tmp_path, word):
    command(sided, "game", "award", "tr-1", word, "--reason", "it is late")
    assert match_of(sided).winners() == ("birch", "cedar")
    sided.poll()
    assert "(The Wood)" in flat(sided.last["amber"])
    command(sided, "archive", "build", str(tmp_path / "site"))
    page = (tmp_path / "site" / "games.html").read_text()
    assert "The Wood won" in page
    assert page.partition("<footer>")[0].count("<b>") == 2
    record = command(sided, "export", "tr-1", "--format", "record")
    (tmp_path / "game.txt").write_text(record)
    assert "has won" in command(sided, "replay", str(tmp_path / "game.txt"))


def test_a_side_wins_when_all_seats_of_the_other_have_missed_too_many_turns(sided):
    match = replace(match_of(sided), missed={"amber": 99}, terms=replace(match_of(sided).terms, forfeit=1))
    assert ending(match).winner == "wood"
    match = replace(match, missed={"birch": 99})
    assert ending(match) is None


def test_the_game_takes_a_folder_with_at_most_160_lines_of_python():
    (module,) = Path(trial.__file__).parent.glob("*.py")
    assert len(module.read_text().splitlines()) <= 160


def test_a_game_master_gives_no_standing_orders_which_are_the_players_own(table):
    for text in (f"Всегда {hand(table, 'amber')[0]}", f"Ставлю {hand(table, 'amber')[0]}; Всегда 3"):
        letters = say_as_master(table, f"orders tr-1 amber: {text} because his mail is broken")
        assert "is a standing order, which only the player can send: leave it out." in flat(
            last_to(letters, GINA.address)
        )
        assert match_of(table).missing() == ["amber"]
        assert match_of(table).standing == {}
