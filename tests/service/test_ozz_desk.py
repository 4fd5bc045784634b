"""What the desk does for every game, done with Campaigns of Ozz: turns that battles stop, any of the seats awaited."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from email.message import Message
from hashlib import sha256
from pathlib import Path

import pytest

from pbem import PbemError
from pbem.cli.demo import DemoDesk, answer_letter
from pbem.games.base import Seat
from pbem.games.capabilities import means_round
from pbem.match.commitments import order_commitment
from pbem.match.model import Match
from pbem.match.terms import Terms, dump_terms, read_terms
from pbem.orders.command import TURN
from pbem.record.exports import read_json, write_json
from pbem.record.notation import read_record, write_record
from pbem.store.database import Store, connect
from pbem.store.matches import load_match
from pbem.store.search import lobby
from pbem.times.deadlines import Pace
from support.commands import pbem
from support.game_masters import GINA, last_to
from support.leaks import settled
from support.tables import history
from support.trials import NOON, flat, match_of

THREE = ("munchkins", "winkies", "quadlings")
TO_THE_GROUNDS = {
    "munchkins": "Move MAY SOU MCA: M2-M4-R1; Move ZOR GUA TIC: M1-M2",
    "winkies": "Move ZEP HER ZIL: W2-W4-R1; Move ZER WI5: W3-W1",
    "quadlings": "Move ROL NOR QCA: Q2-Q4; Move CAP CEN PU1: Q3-Q1",
}
"""Two nations meet at R1; whoever of them comes later attacks, with a move behind the battle."""


def campaign(folder: Path, patch: pytest.MonkeyPatch, **options: object) -> DemoDesk:
    """A desk with a game whose first letters are out, and always the same dice."""
    settled(patch, 1)
    table = DemoDesk(folder, NOON, "ozz", **options)
    table.poll()
    return table


def told(table: DemoDesk, seat: Seat, text: str) -> dict[Seat, list[Message]]:
    """A seat writes; the letters that each seat is sent then."""
    table.write(seat, text)
    found: dict[Seat, list[Message]] = {}
    for reader, letter in table.poll():
        found.setdefault(reader, []).append(letter)
    return found


def to_battle(table: DemoDesk) -> dict[Seat, list[Message]]:
    """The first turn up to the battle at the Recruiting Grounds; the letters of its last run."""
    letters: dict[Seat, list[Message]] = {}
    for seat in match_of(table).seats:
        letters = told(table, seat, TO_THE_GROUNDS.get(seat, "Pass"))
    return letters


def play(table: DemoDesk, rounds: int = 99) -> int:
    """So many rounds, in which everybody passes; how many there were."""
    for number in range(rounds):
        if table.over():
            return number
        for seat in match_of(table).missing():
            table.write(seat, "Pass")
        table.poll()
    return rounds


def test_first_letters_and_the_page_tell_which_spells_were_drawn(tmp_path, monkeypatch):
    table = campaign(tmp_path / "desk", monkeypatch)
    state = match_of(table).state
    drawn = [code for code, card in state.data.counters.items() if card.leader and "?" in card.spells]
    assert drawn
    letters = [flat(letter).partition("Spells drawn")[2].partition("The position")[0] for letter in table.last.values()]
    for told in letters:
        assert all(f"can cast {', '.join(state.spells[code])}." in told for code in drawn if code in state.spells)
    command(table, "archive", "build", tmp_path / "site")
    assert "Spells drawn" in (tmp_path / "site" / "games" / "ozz-1.html").read_text()
    table.close()


def turns_of(table: DemoDesk) -> Match:
    return load_match(table.store, 1)


def command(table: DemoDesk, *words: object) -> str:
    """What a command says, all being well."""
    result = pbem("--config", table.config.path, "--now", f"{table.now:%Y-%m-%dT%H:%MZ}", *words)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DemoDesk]:
    table = campaign(tmp_path / "desk", monkeypatch, nations=THREE, battles="board")
    yield table
    table.close()


# A turn that a battle stops


def test_both_sides_of_a_battle_are_asked_and_the_third_nation_has_nothing_to_do(three):
    letters = to_battle(three)
    match = match_of(three)
    assert (match.state.round, match.missing()) == ("B1.R1.1", ["munchkins", "winkies"])
    for seat in match.missing():
        assert "Battle of R1 Recruiting Grounds" in flat(letters[seat][-1])
        assert "any that you do not name start in " in flat(letters[seat][-1])
        assert "turn B1.R1.1 comes first, and is waiting for your orders" in flat(letters[seat][-1])
    waits = flat(letters["quadlings"][-1])
    assert "is waiting for your orders" not in waits
    told_then = told(three, "quadlings", "Move GLE: Q1-Q2")
    assert set(told_then) == {"quadlings"}
    assert "You have nothing to order now; you can send standing orders." in flat(told_then["quadlings"][0])


def test_a_nation_that_waits_for_a_battle_sees_the_map_with_both_sides_of_it(three):
    letters = to_battle(three)
    waits = flat(letters["quadlings"][-1])
    assert "The position, turn B1.R1.1" in waits
    assert "R1 Recruiting Grounds Munchkins MAY SOU MCA (8)" in waits
    assert "R1 Recruiting Grounds Winkies ZEP HER ZIL (9)" in waits
    assert "Quadlings ROL NOR QCA (8)" in waits
    assert "The battleboard, turn" in flat(letters["winkies"][-1])


def test_who_has_given_up_in_a_battle_sees_the_map_in_the_last_letter(three):
    to_battle(three)
    told(three, "munchkins", "resign")
    last = flat(told(three, "munchkins", "yes")["munchkins"][0])
    assert "You have left ozz-1" in last
    assert "R1 Recruiting Grounds Munchkins MAY SOU MCA (8)" in last
    assert "where you deploy" not in last


def test_the_list_of_games_names_the_round_as_the_letters_do(three):
    to_battle(three)
    (game,) = lobby(three.store, player=0).running  # as somebody else sees it
    assert (game.match, game.round, game.players) == ("ozz-1", "B1.R1.1", "Alice, Bob, Carla")


def test_the_rules_mark_numbers_that_are_house_values(three):
    rules = flat(told(three, "winkies", "help rules")["winkies"][0])
    for number in ("a trail 2", "13 or more costs a unit", "the defender in row 4", "the die shows 9 or 10"):
        assert f"{number} (house)." in rules
    assert "(house): our own value" in rules
    held = flat(told(three, "winkies", "rule 5.6")["winkies"][0])
    assert "a unit moves 1 (L55)" in held


def test_the_history_lists_who_was_asked_alone(three):
    to_battle(three)
    for seat in match_of(three).missing():
        told(three, seat, "Pass")
    lists = flat(told(three, "quadlings", "history")["quadlings"][0])
    assert "T1 Quadlings Move ROL NOR QCA: Q2-Q4" in lists
    assert "B1.R1.1 Winkies Pass" in lists
    assert "B1.R1.1 Quadlings" not in lists


def test_orders_beside_a_question_that_puts_them_in_doubt_are_asked_about_and_not_dropped(three):
    question = "hm, would R1 be good?"
    letter = flat(told(three, "winkies", f"{question}\nMove ZEP HER ZIL: W2-W4-R1")["winkies"][0])
    assert "No orders in it were accepted." in letter
    assert f'"{question}": what does this mean for your orders?' in letter


@pytest.mark.parametrize("question", ["how do I get R1?", "why is R1 not red?"])
def test_orders_beside_a_question_about_a_point_stand_and_the_question_is_answered(question, three):
    letter = flat(told(three, "winkies", f"{question}\nMove ZEP HER ZIL: W2-W4-R1")["winkies"][0])
    assert "Your orders for turn T1 are in" in letter
    assert f'You asked: "{question}" R1 Recruiting Grounds: recruiting grounds.' in letter


def test_of_a_stopped_turn_only_what_is_carried_out_is_told_and_all_of_it_when_the_turn_is_over(three):
    letters = to_battle(three)
    waiting = {seat for seat, _ in match_of(three).state.queue.todo}
    attacker = match_of(three).state.battle.attacker
    assert attacker in waiting
    first, second = TO_THE_GROUNDS[attacker].split("; ")
    for seat in THREE:
        report = flat(letters[seat][-1])
        assert first in report
        assert (second in report) == (seat == attacker)
    while match_of(three).state.battle:
        for seat in match_of(three).missing():
            letters = told(three, seat, "Retreat always")
    assert match_of(three).state.round == "T2"
    for seat in THREE:
        report = flat(letters[seat][-1])
        assert "Orders of this turn" in report
        assert all(letter in report for letter in TO_THE_GROUNDS.values())


def test_seals_of_a_stopped_turn_are_opened_when_it_is_over(three):
    letters = to_battle(three)
    sealed = {
        seat: order_commitment("ozz-1", 1, seat, entry)
        for turn in turns_of(three).turns
        for seat, entry in turn.orders.items()
        if turn.turn == 1 and entry
    }
    for seat in THREE:
        report = flat(letters[seat][-1])
        assert all(seal in report for seal in sealed.values())
        assert {other for other in THREE if f"ozz-1 1 {other} " in report} == {seat}
    while match_of(three).state.battle:
        for seat in match_of(three).missing():
            letters = told(three, seat, "Retreat always")
    for seat in THREE:
        report = flat(letters[seat][-1])
        assert "Seals of earlier turns whose orders were still secret are opened here, too." in report
        for other in set(THREE) - {seat}:
            (line,) = re.findall(rf"ozz-1 1 {other} [0-9a-f]{{32}} {TO_THE_GROUNDS[other]}", report)
            assert sha256(line.encode()).hexdigest() == sealed[other]


def test_a_record_of_a_stopped_turn_has_seals_and_later_the_letters(three):
    to_battle(three)
    record = write_record(history(three))
    assert "Move ZOR" not in record
    assert record.count("sealed ") >= 1
    assert "Move ZOR" not in write_json(history(three))
    command(three, "verify")
    while match_of(three).state.battle:
        play(three, 1)
    record = write_record(history(three))
    assert all(letter in record for letter in TO_THE_GROUNDS.values())
    command(three, "verify")


def test_a_stopped_turn_that_is_taken_back_does_not_tell_its_letters(three):
    to_battle(three)
    seat = match_of(three).state.battle.attacker
    command(three, "game", "rollback", "ozz-1", "1", "--reason", "a letter was lost")
    letters = three.poll()
    assert match_of(three).state.round == "T1"
    hidden = TO_THE_GROUNDS[seat].split("; ")[1]
    assert hidden not in write_record(history(three))
    assert not any(hidden in flat(letter) for reader, letter in letters if reader != seat)
    play(three, 2)
    assert hidden not in write_record(history(three)) + write_json(history(three))
    command(three, "verify")


def test_a_turn_of_a_battle_is_taken_back_and_the_map_waits_behind_it_as_before(three):
    to_battle(three)
    before = match_of(three).state
    play(three, 1)
    assert match_of(three).state.round == "B1.R1.2"
    command(three, "game", "rollback", "ozz-1", "2", "--reason", "a letter was lost")
    three.poll()
    assert match_of(three).state == before
    play(three, 1)
    command(three, "verify")
    site = three.config.path.parent / "site"
    command(three, "archive", "build", site)
    assert "Back to turn B1.R1.1" in (site / "games" / "ozz-1.html").read_text()
    assert "Turn B1.R1.2" in (site / "index.html").read_text()


def test_a_backup_in_the_middle_of_a_battle_is_restored_and_played_on(three, tmp_path):
    to_battle(three)
    kept = match_of(three)
    command(three, "backup", str(tmp_path / "copy.db"))
    play(three, 1)
    three.store.conn.close()
    command(three, "restore", str(tmp_path / "copy.db"), "--replace")
    three.store = Store(connect(three.config.database))
    assert (match_of(three).state, match_of(three).secret) == (kept.state, kept.secret)
    with pytest.raises(PbemError, match="The database was put back to what it was"):
        three.poll()
    three._seen = 0  # numbers come again
    list(three.letters())
    play(three, 2)
    command(three, "verify")


def test_a_report_of_a_stopped_turn_waits_for_the_game_master_who_sees_no_letter_behind_it(tmp_path, monkeypatch):
    terms = Terms(deadline=Pace(every=timedelta(days=3)), remind=(), review=timedelta(days=1))
    table = campaign(tmp_path / "desk", monkeypatch, nations=THREE, battles="board", terms=terms)
    for seat in THREE:
        table.write(seat, TO_THE_GROUNDS[seat])
    letters = table.poll()
    table.write("quadlings", "status")
    (answer,) = [flat(letter) for seat, letter in table.poll() if seat == "quadlings"]
    assert "is the SHA-256 of the secret of turn T1" in answer  # nothing of the battle that has begun
    review = last_to(letters, "operator@example.org")
    hidden = TO_THE_GROUNDS[match_of(table).state.battle.attacker].split("; ")[1]
    assert "Battle of R1" in flat(review)
    assert "nothing to order" not in flat(review)  # it is no seat's letter
    assert hidden not in flat(review)
    table.deliver(answer_letter(review, GINA, "ok", table.now).as_bytes())
    table.poll()
    assert match_of(table).missing() == ["munchkins", "winkies"]
    table.close()


# The names of rounds


def test_letters_commands_and_the_record_call_rounds_by_their_names(three):
    letters = to_battle(three)
    call = flat(letters["munchkins"][-1])
    assert (
        "Turn T1 has been played as far as it goes; turn B1.R1.1 comes first, and is waiting for your orders." in call
    )
    assert "The battleboard, turn B1.R1.1" in call
    assert "You have nothing to order in it." in flat(letters["quadlings"][-1])
    receipt = flat(told(three, "munchkins", "Retreat always")["munchkins"][-1])
    assert "Your orders for turn B1.R1.1 are in: receipt B1.R1.1-1." in receipt
    assert "turn B1.R1.1 is waiting for your orders" in flat(told(three, "winkies", "status")["winkies"][-1])
    again = told(three, "winkies", "resend t1")["winkies"]
    assert ["Turn T1 has been played" in flat(letter) for letter in again] == [True]
    assert "There is no report of turn B9.9" in flat(told(three, "winkies", "resend B9.9")["winkies"][0])
    assert " 1. T1 " in flat_record(three)
    play(three, 1)
    assert "Turn B1.R1.1 has been played; turn T2 is waiting for your orders." in flat(three.last["munchkins"])
    assert "2. B1.R1.1 Retreat always | Pass | -" in flat_record(three)


def test_the_name_that_a_round_had_without_its_place_is_still_read(three):
    to_battle(three)
    told(three, "munchkins", "B1.1: Retreat always")
    play(three, 1)
    again = flat(told(three, "winkies", "resend B1.1")["winkies"][0])
    assert "Turn B1.R1.1 has been played" in again
    command(three, "game", "rollback", "ozz-1", "b1.1", "--reason", "a letter was lost")
    assert match_of(three).round == "B1.R1.1"
    command(three, "game", "annul", "ozz-1", "--reason", "enough")
    record = write_record(history(three))
    old = record.replace("2. B1.R1.1 ", "2. B1.1 ")
    assert old != record
    assert read_record(old).history.steps == read_record(record).history.steps


def test_two_battles_of_one_turn_have_rounds_of_different_names(three):
    to_battle(three)
    state = match_of(three).state
    another = replace(state, battle=replace(state.battle, at="Q4"))
    assert [state.round, another.round] == ["B1.R1.1", "B1.Q4.1"]


def to_second_battle(table: DemoDesk) -> list[str]:
    """All three nations meet at the Recruiting Grounds, so that these are fought for twice in the first turn: all
    letters up to the second battle."""
    letters = [[letter] for letter in table.last.values()]
    for seat in THREE:
        letters += told(table, seat, TO_THE_GROUNDS[seat].replace("Q2-Q4;", "Q2-Q4-R1;")).values()
    for seat in match_of(table).missing():
        letters += told(table, seat, "Retreat always" if seat == attacker(table) else "Pass").values()
    return [flat(letter) for some in letters for letter in some]


def attacker(table: DemoDesk) -> Seat:
    battle = match_of(table).state.battle
    assert battle
    return str(battle.attacker)


def test_a_second_battle_for_a_point_within_a_turn_has_rounds_and_secrets_of_its_own(three):
    letters = to_second_battle(three)
    assert match_of(three).round == "B1.R1.2.1"
    first, second = match_of(three).missing()
    receipt = flat(told(three, first, "B1.R1.2.1: Retreat always")[first][0])
    assert "Your orders for turn B1.R1.2.1 are in: receipt B1.R1.2.1-1." in receipt
    letters += [flat(letter) for letter in told(three, second, "Pass")[second]]
    assert "Turn B1.R1.2.1 has been played; turn T2 is waiting for your orders." in letters[-1]
    told_of = re.findall(r"([0-9a-f]{64}) is the SHA-256 of the secret of turn ([\w.]*\w)", " ".join(letters))
    assert {name for _, name in told_of} == {"T1", "B1.R1.1", "B1.R1.2.1", "T2"}
    assert len({*told_of}) == len({secret for secret, _ in told_of}) == 4
    assert "3. B1.R1.2.1 " in flat_record(three)
    command(three, "verify")
    command(three, "game", "annul", "ozz-1", "--reason", "enough")
    record = write_record(history(three))
    assert read_record(record).history.steps
    told_twice = read_record(record.replace("3. B1.R1.2.1 ", "3. B1.R1.1 "))
    assert "turn 3 is B1.R1.2.1, not B1.R1.1." in " ".join(map(str, told_twice.problems))


def test_a_name_of_the_first_battle_for_a_point_never_means_the_second(three):
    to_second_battle(three)
    one = match_of(three).missing()[0]
    doubt = flat(told(three, one, "B1.R1.1: Retreat always")[one][0])
    assert '"B1.R1.1: Retreat always": what does this mean for your orders?' in doubt
    assert match_of(three).standing == {}
    play(three, 1)
    for name in ("B1.R1.1", "B1.R1.2.1"):
        assert f"Turn {name} has been played" in flat(told(three, one, f"resend {name}")[one][0])
    result = pbem("--config", three.config.path, "game", "rollback", "ozz-1", "B1.1", "--reason", "a mistake")
    assert "Several turns of ozz-1 are called B1.1: give the number, 2, 3." in result.stderr
    command(three, "game", "rollback", "ozz-1", "b1.r1.2.1", "--reason", "a letter was lost")
    assert match_of(three).round == "B1.R1.2.1"
    command(three, "game", "rollback", "ozz-1", "B1.R1.1", "--reason", "another letter was lost")
    assert match_of(three).round == "B1.R1.1"
    play(three, 2)
    command(three, "verify")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("B3.Q4.2", "b3.q4.2"),
        ("B3.Q4.2", "B3.2"),
        ("B3.Q4.2.1", "b3.q4.2.1"),
        ("B3.Q4.2.1", "B3.1"),
        ("B3.QX4.12.1", "B3.QX4.12.1"),
        ("T3", "t3"),
        ("3", "3"),
    ],
)
def test_a_round_is_called_by_its_name_in_any_case_and_without_its_place(name, said):
    assert re.fullmatch(TURN, said, re.IGNORECASE)
    assert means_round(name, said)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("B3.Q4.2", "B3.Q3.2"),
        ("B3.Q4.2", "B3.Q4"),
        ("B3.Q4.2.1", "B3.Q4.1"),
        ("B3.Q4.2.1", "B3.Q4.2"),
        ("B3.Q4.1", "B3.Q4.2.1"),
        ("T3", "T3.T3"),
        ("3", "3.3"),
    ],
)
def test_what_names_another_round_does_not_call_this_one(name, said):
    assert not means_round(name, said)


def test_a_round_is_taken_back_by_its_name_and_one_that_is_not_there_is_told(three):
    to_battle(three)
    play(three, 1)
    result = pbem("--config", three.config.path, "game", "rollback", "ozz-1", "B9.1", "--reason", "a mistake")
    assert "There is no turn B9.1 of ozz-1: turns T1 to B1.R1.1 have been played." in result.stderr
    command(three, "game", "rollback", "ozz-1", "B1.R1.1", "--reason", "a letter was lost")
    letters = dict(three.poll())
    assert "goes back to the start of turn B1.R1.1" in flat(letters["munchkins"])
    assert "Reply to this letter with your orders for turn B1.R1.1" in flat(letters["munchkins"])
    assert "Reply to this letter" not in flat(letters["quadlings"])  # who has nothing to order in it
    assert match_of(three).round == "B1.R1.1"


def test_orders_for_later_are_kept_by_the_name_of_their_turn_whatever_battles_come_before(three):
    to_battle(three)
    call = three.last["winkies"]
    news = told(three, "quadlings", "T2: Move GLE: Q1-Q2")["quadlings"]
    assert "Your orders for turn T2 are kept until it begins" in flat(news[0])
    assert "As things stand" not in flat(news[0])  # they are for another board
    assert "`turn T2: ...`" in flat(told(three, "quadlings", "Move GLE: Q1-Q2")["quadlings"][0])
    assert "another turn" in flat(told(three, "munchkins", "next turn: Order MAY: stand")["munchkins"][0])
    told(three, "munchkins", "B1.R1.1: Retreat always")
    told(three, "winkies", "Retreat always")
    assert match_of(three).round == "T2"
    assert "Your orders for turn T2 are in (receipt T2-1): Move GLE: Q1-Q2" in flat(three.last["quadlings"])
    assert match_of(three).standing["quadlings"].canonical == "Move GLE: Q1-Q2"
    three.deliver(three.answer("winkies", "Order ZEP: stand", to=call).as_bytes())
    letters = dict(three.poll())
    assert "it answers a letter of turn B1.R1.1, and turn T2 is waiting" in flat(letters["winkies"])


def test_who_has_given_up_is_said_to_play_on_by_the_usual_answers(three):
    told(three, "munchkins", "resign")
    letters = told(three, "munchkins", "yes")
    assert "Given up, and played by default orders: Munchkins." in flat(letters["quadlings"][0])
    for seat in ("winkies", "quadlings"):
        letters = told(three, seat, TO_THE_GROUNDS[seat])
    assert "Munchkins, Alice has left the game" in flat(letters["winkies"][-1])
    told(three, "quadlings", "resign")
    assert "enemies can get here" not in flat(told(three, "quadlings", "yes")["winkies"][0])


def test_a_record_with_a_round_of_another_name_is_not_read_through(tmp_path, monkeypatch):
    table = campaign(tmp_path / "desk", monkeypatch, nations=THREE[:2], turns=1)
    play(table)
    record = write_record(history(table))
    assert not read_record(record).problems
    unsealed = "\n".join(line for line in record.split("\n") if not line.startswith("[Checksum"))
    assert not read_record(unsealed.replace("1. T1 ", "1. ")).problems
    assert "turn 1 is T1, not T2." in str(read_record(unsealed.replace("1. T1 ", "1. T2 ")).problems)
    table.close()


def flat_record(table: DemoDesk) -> str:
    return " ".join(write_record(history(table)).split())


# The end, records, pages


@pytest.mark.parametrize("options", [
    {"nations": THREE, "turns": 2, "battles": "board"},
    {"nations": (*THREE, "gillikins"), "turns": 2, "battles": "fast", "without": ("flight", "honors")},
    {"scenario": "sisters"},
    {"scenario": "siege"},
])  # fmt: skip
def test_a_game_is_played_to_its_end_and_its_record_is_read_checked_and_imported(options, tmp_path, monkeypatch):
    table = campaign(tmp_path / "desk", monkeypatch, **options)
    if len(options) > 2:
        to_battle(table)
    play(table)
    assert match_of(table).phase == "finished"
    reading = read_record(write_record(history(table)))
    assert not reading.problems
    assert reading.history.state == history(table).state
    assert read_json(write_json(history(table))).state == history(table).state
    record = tmp_path / "ozz-1.txt"
    record.write_text(write_record(history(table)))
    command(table, "verify")
    command(table, "verify", record)
    command(table, "replay", record)
    command(table, "import", record)
    command(table, "archive", "build", tmp_path / "site")
    assert "<svg" in (tmp_path / "site" / "games" / "ozz-1.html").read_text()
    table.close()


# People


def test_a_nation_that_is_not_asked_sends_standing_orders_and_nothing_else(three):
    to_battle(three)
    letters = told(three, "quadlings", "Standing Retreat always")
    assert set(letters) == {"quadlings"}
    assert "Retreat always" in flat(letters["quadlings"][0])
    assert match_of(three).standing_orders["quadlings"] == "Standing Retreat always"
    assert not match_of(three).standing


def test_a_side_that_misses_a_turn_of_a_battle_has_missed_it_alone(three):
    to_battle(three)
    told(three, "winkies", "Pass")
    three.now += timedelta(days=4)
    letters = dict(three.poll())
    match = match_of(three)
    assert match.state.round == "B1.R1.2"
    assert {seat: count for seat, count in match.missed.items() if count} == {"munchkins": 1}
    assert "no letter came, so the defaults count" in flat(letters["quadlings"])


def test_rounds_of_a_battle_may_have_a_shorter_deadline_than_turns(tmp_path, monkeypatch):
    terms = Terms(deadline=Pace(every=timedelta(days=7)), round_deadline=Pace(every=timedelta(days=1)), remind=())
    table = campaign(tmp_path / "desk", monkeypatch, nations=THREE, battles="board", terms=terms)
    assert match_of(table).deadline.moment - NOON == timedelta(days=7)
    to_battle(table)
    assert match_of(table).state.battle
    assert match_of(table).deadline.moment - table.now == timedelta(days=1)
    for seat in match_of(table).missing():
        told(table, seat, "Retreat always")
    assert match_of(table).round == "T2"
    assert match_of(table).deadline.moment - table.now == timedelta(days=7)
    assert read_terms(dump_terms(terms)) == terms
    table.close()


def test_the_deadline_of_a_battle_waits_for_the_vacation_of_its_sides_alone(three):
    to_battle(three)
    before = match_of(three).deadline
    told(three, "quadlings", "vacation 22.11. to 1.12.")
    assert match_of(three).deadline == before
    told(three, "munchkins", "vacation 22.11. to 1.12.")
    assert match_of(three).deadline.moment > before.moment


def test_one_of_three_resigns_in_a_battle_and_the_others_play_on(three):
    to_battle(three)
    told(three, "winkies", "resign")
    letters = told(three, "winkies", "yes")
    assert "Bob (Winkies) has left ozz-1" in flat(letters["quadlings"][-1])
    assert match_of(three).missing() == ["munchkins"]
    play(three, 9)
    command(three, "verify")
    told(three, "quadlings", "resign")
    told(three, "quadlings", "yes")
    assert match_of(three).result.winner == "munchkins"


def test_who_has_resigned_is_told_so_at_once_whatever_their_letters_wait_for(three):
    for seat in THREE:
        told(three, seat, "digest daily")
    told(three, "winkies", "resign")
    letters = told(three, "winkies", "yes")
    assert "You have left" in " ".join(map(flat, letters["winkies"]))
    waiting = three.store.conn.execute("SELECT seat FROM outbox JOIN gathered ON letter = id ORDER BY seat").fetchall()
    assert waiting == [("munchkins",), ("quadlings",)]


def test_places_are_told_when_all_but_one_have_resigned(three, tmp_path):
    for seat in ("winkies", "quadlings"):
        told(three, seat, "resign")
        letters = told(three, seat, "yes")
    assert "1. Alice, Munchkins 2. Bob, Winkies 2. Carla, Quadlings" in flat(letters["munchkins"][-1])
    places = [["munchkins"], ["winkies", "quadlings"]]
    shown = json.loads(command(three, "game", "show", "ozz-1", "--json"))
    assert (shown["winner"], shown["ranking"]) == ("munchkins", places)
    assert json.loads(command(three, "export", "ozz-1"))["result"]["ranking"] == places
    (tmp_path / "ozz-1.txt").write_text(command(three, "record", "ozz-1"))
    assert json.loads(command(three, "replay", "--json", tmp_path / "ozz-1.txt"))["ranking"] == places


def test_who_has_left_after_a_turn_stays_away_when_it_is_played_again(three):
    play(three, 1)
    told(three, "winkies", "resign")
    told(three, "winkies", "yes")
    before = match_of(three)
    command(three, "game", "readjudicate", "ozz-1", "--reason", "the program was mended")
    letters: dict[Seat, list[str]] = {}
    for seat, letter in three.poll():
        letters.setdefault(seat, []).append(flat(letter))
    after = match_of(three)
    assert (after.gone, after.missing(), after.state) == (before.gone, before.missing(), before.state)
    gone = "Bob (Winkies) had left before the turn was played again."
    assert "Bob (Winkies) has left ozz-1; the others play on. " + gone in letters["quadlings"][-1]
    (only,) = letters["winkies"]  # nobody asks them for orders first
    assert "You have left ozz-1; the others play on." in only
    told(three, "quadlings", "resign")
    told(three, "quadlings", "yes")
    command(three, "verify")
    assert not read_record(write_record(history(three))).problems


def test_a_turn_that_was_missed_by_who_has_standing_orders_is_played_again_and_told_as_missed(three):
    told(three, "winkies", "Standing Retreat below 2")
    told(three, "quadlings", "Pass")
    told(three, "munchkins", "Pass")
    command(three, "game", "process", "ozz-1", "--reason", "Bob is late")
    said = "no letter came, so the defaults count; standing orders: Retreat below 2"
    letters = {seat: flat(letter) for seat, letter in three.poll()}
    assert said in letters["munchkins"]
    assert said in flat(told(three, "munchkins", "what did Bob do last turn?")["munchkins"][-1])
    before = match_of(three)
    assert before.missed["winkies"] == 1
    told(three, "winkies", "Standing Retreat below 3")
    command(three, "game", "readjudicate", "ozz-1", "--reason", "the program was mended")
    letters = {seat: flat(letter) for seat, letter in three.poll()}
    assert said in letters["munchkins"]
    after = match_of(three)
    assert (after.state, after.missed, after.turn) == (before.state, before.missed, before.turn)
    command(three, "verify")


def test_who_has_left_after_a_turn_plays_again_when_the_game_is_taken_back_to_it_and_all_are_told(three):
    play(three, 1)
    told(three, "winkies", "resign")
    told(three, "winkies", "yes")
    command(three, "game", "rollback", "ozz-1", "1", "--reason", "the program was mended")
    letters = {seat: flat(letter) for seat, letter in three.poll()}
    assert "Bob (Winkies) had left the game since, and is in it again." in letters["quadlings"]
    assert "You had left the game since, and are in it again." in letters["winkies"]
    assert match_of(three).missing() == list(THREE)


def test_another_person_takes_a_seat_with_the_letter_that_waits(three):
    to_battle(three)
    seat = match_of(three).state.battle.attacker
    command(three, "game", "replace", "ozz-1", seat, "Grace <grace@example.org>", "--reason", "away")
    letters = {letter["To"]: flat(letter) for _, letter in three.letters()}
    assert "where you deploy" in letters["Grace <grace@example.org>"]
    assert match_of(three).state.queue.letters[seat] is not None


def test_a_draw_takes_all_three(three):
    told(three, "munchkins", "draw")
    told(three, "winkies", "draw")
    told(three, "quadlings", "draw")
    assert "All sides agreed to a draw." in flat(three.last["winkies"])


def test_letters_are_german_for_a_reader_who_wants_that(three):
    told(three, "winkies", "Sprache deutsch")
    letters = to_battle(three)
    assert "Schlacht um R1" in flat(letters["winkies"][-1])
    assert "Runde T1 ist gespielt" in flat(letters["winkies"][-1])


def test_help_lists_the_optional_rules_that_are_in_force_and_the_first_letter_counts_them(tmp_path, monkeypatch):
    table = campaign(tmp_path / "desk", monkeypatch, nations=THREE, without=("flight", "honors"))
    letter = flat(table.last["winkies"])
    assert "`help rules` explains the rules, including 14 optional ones." in letter
    assert "After turn 10, whoever has the most points wins" in letter
    table.write("winkies", "help rules")
    (rules,) = (flat(told) for _, told in table.poll())
    assert "L95 flank guards L101 leaders alone go back to their units" in rules
    assert "L147" not in rules
    assert "Unusual options: flight off, honors off." in rules
    assert all("Left out: flight, honors." in told for told in (letter, rules))
    table.close()


def test_a_position_in_one_line_stands_between_campaign_turns_only(three):
    line = match_of(three).game.position(match_of(three).state)
    command(three, "game", "position", "ozz-1", line, "--reason", "as it was")
    three.poll()
    to_battle(three)
    result = pbem("--config", three.config.path, "game", "position", "ozz-1", line, "--reason", "as it was")
    assert result.exit_code
    assert "battle" in result.output


def test_a_receipt_says_what_standing_orders_add_and_calls_nothing_a_default_that_they_say(three):
    told(three, "munchkins", "Standing Retreat below 2; Standing Losses SOU")
    receipt = flat(told(three, "munchkins", "Move MAY SOU MCA: M2-M4")["munchkins"][-1])
    assert "Your standing orders are added: Retreat below 2; Losses SOU" in receipt
    assert "Retreat: never (default)" not in receipt
    assert "Losses: weakest first" not in receipt
    receipt = flat(told(three, "munchkins", "Move MAY SOU MCA: M2-M4; Retreat always")["munchkins"][-1])
    assert "Your standing orders are added: Losses SOU" in receipt
