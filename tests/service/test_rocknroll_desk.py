"""What the desk does for every game, done with wars of Rock'n'Roll: hidden hands, dice, turns one after the other."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from email.message import Message
from pathlib import Path

import pytest

from pbem.cli.demo import Table
from pbem.games.base import Seat
from pbem.match.model import Match
from pbem.match.terms import Terms
from pbem.record.exports import read_json, write_json
from pbem.record.notation import read_record
from pbem.store.matches import load_match
from pbem.times.deadlines import Pace
from support.commands import pbem
from support.tables import history
from support.trials import NOON, flat, match_of


def war(folder: Path, **options: object) -> Table:
    """A desk with a war whose first letters are out."""
    table = Table(folder, NOON, "rocknroll", **{"length": "short", **options})
    table.poll()
    return table


def told(table: Table, seat: Seat, text: str) -> dict[Seat, list[Message]]:
    """A seat writes; the letters that each seat is sent then."""
    table.write(seat, text)
    found: dict[Seat, list[Message]] = {}
    for reader, letter in table.poll():
        found.setdefault(reader, []).append(letter)
    return found


def play(table: Table, turns: int = 99) -> list[Seat]:
    """So many turns, in which the computer writes for each seat; the seats that were awaited."""
    seats: list[Seat] = []
    while len(seats) < turns and not table.over():
        (seat,) = match_of(table).missing()
        told(table, seat, table.opponent_orders(seat))
        seats.append(seat)
    return seats


def command(table: Table, *words: object) -> str:
    """What a command says, all being well."""
    result = pbem("--config", table.config.path, "--now", f"{table.now:%Y-%m-%dT%H:%MZ}", *words)
    assert result.exit_code == 0, result.output
    return result.output


def turns_of(table: Table) -> Match:
    return load_match(table.store, 1, turns=True)


@pytest.fixture
def four(tmp_path: Path) -> Iterator[Table]:
    """Two against two."""
    table = war(tmp_path / "desk", seats="2v2")
    yield table
    table.close()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Table]:
    """One against one."""
    table = war(tmp_path / "desk")
    yield table
    table.close()


def resign(table: Table, seat: Seat) -> dict[Seat, list[Message]]:
    told(table, seat, "resign")
    return told(table, seat, "yes")


# The set-up


@pytest.mark.parametrize("cards", ["base", "expansion"])
def test_first_letters_and_the_page_tell_who_begins_and_what_was_dealt(tmp_path, cards):
    table = war(tmp_path / "desk", set=cards)
    state, letters = match_of(table).state, {seat: flat(letter) for seat, letter in table.last.items()}
    first = {"vpa": "VPA", "vietnam": "Vietnam"}[state.order[0]]
    for seat, other in (("vpa", "Vietnam"), ("vietnam", "VPA")):
        told = letters[seat].partition("How it was set up")[2].partition("The row of Points")[0]
        assert f"Order of play in round 1: {first}, " in told
        assert all(unit in told for unit in state.hands[seat].units)
        assert f"{other} gets 4 units, 4 orders." in told
        assert ("Echo's die shows" in told) == (cards == "expansion")
    command(table, "verify")
    command(table, "archive", "build", tmp_path / "running")
    assert "VPA gets 4 units, 4 orders." in (tmp_path / "running" / "games" / "rnr-1.html").read_text()
    table.close()


def test_the_throws_of_the_set_up_are_thrown_again_when_the_war_is_over(desk, tmp_path):
    told = flat(desk.last["vpa"])
    thrown = re.findall(r"(?:VPA|Vietnam) throws (\d)\.", told.partition("How it was set up")[2])
    resign(desk, "vpa")
    record = tmp_path / "war.txt"
    record.write_text(command(desk, "export", "rnr-1", "--format", "record"))
    dice = command(desk, "dice", record, "--turn", 0)
    assert re.findall(r"a die of 6: (\d)", dice) == thrown
    exported = tmp_path / "war.json"
    exported.write_text(command(desk, "export", "rnr-1", "--format", "json"))
    command(desk, "verify", exported)
    opening = read_record(record.read_text()).history.opening
    assert [event["value"] for event in opening if event["type"] == "roll"] == [*map(int, thrown)]
    assert opening == read_json(exported.read_text()).opening


def test_an_exported_war_whose_set_up_was_rewritten_is_found_out(desk, tmp_path):
    resign(desk, "vpa")
    (roll, *rest) = history(desk).opening
    other = {**roll, "value": roll["value"] % 6 + 1}
    exported = tmp_path / "war.json"
    exported.write_text(write_json(replace(history(desk), opening=(other, *rest))))
    result = pbem("verify", exported)
    assert result.exit_code
    assert "rnr-1 was set up otherwise by its secret than it says." in result.output


# A seat of several resigns


def test_allies_play_on_when_one_resigns_and_its_letters_stop(four):
    first, *later = match_of(four).state.order
    letters = resign(four, first)
    assert all("plays on no longer" in flat(letters[seat][-1]) for seat in later)
    gone = match_of(four)
    assert (gone.phase, gone.missing()) == ("running", [later[0]])
    sent = [seat for _ in range(4) for seat in told(four, *_pass(four))]
    assert first not in sent
    assert set(later) <= set(sent)
    assert [seat for turn in turns_of(four).turns for seat, entry in turn.orders.items() if entry] == [*later, later[0]]
    command(four, "verify")


def _pass(table: Table) -> tuple[Seat, str]:
    (seat,) = match_of(table).missing()
    return seat, "Pass"


def test_the_last_seat_of_a_round_resigns_and_the_round_ends_at_once(four):
    for _ in range(3):
        told(four, *_pass(four))
    (last,) = match_of(four).missing()
    letters = resign(four, last)
    match = match_of(four)
    assert (match.state.round, match.turn) == (2, 5)
    assert match.missing() != [last]
    assert "Round 2" in flat(letters[match.missing()[0]][-1])
    command(four, "verify")


def test_who_is_gone_can_change_nothing_and_is_told_so(four):
    resign(four, "vpa1")
    for text in (
        "Deploy Doc A",
        "Reroll attack: 1",
        "draw",
        "resign",
        "hand over to grace@example.org",
        "press: Hello",
    ):
        letters = told(four, "vpa1", text)
        assert set(letters) == {"vpa1"}, text
        assert "that seat plays on no longer" in flat(letters["vpa1"][0]), text


def test_a_seat_that_has_given_up_is_given_to_nobody(four):
    resign(four, "vpa1")
    instead = ("vpa1", "Grace <grace@example.org>", "--reason", "a friend")
    result = pbem("--config", four.config.path, "game", "replace", "rnr-1", *instead)
    assert result.exit_code
    assert "`rollback` to an earlier turn brings that seat back" in result.output


def test_whoever_misses_too_many_turns_is_out_and_the_ally_plays_on(tmp_path):
    terms = Terms(deadline=Pace(every=timedelta(days=3)), remind=(), forfeit=2)
    table = war(tmp_path / "desk", seats="1v2", terms=terms)
    for _ in range(5):
        (seat,) = match_of(table).missing()
        if seat == "vietnam1":
            table.now += timedelta(days=4)
            table.poll()
        else:
            told(table, seat, "Pass")
    match = match_of(table)
    assert (match.phase, [*match.gone], match.missing()) == ("running", ["vietnam1"], ["vietnam2"])
    assert "vietnam1" not in play(table, 4)
    command(table, "verify")
    table.close()


# Leagues, records, files


def test_a_league_is_played_and_counted(desk, tmp_path):
    (tmp_path / "league.toml").write_text(
        """
name = "Winter"
format = "round-robin"
game = "rocknroll"
confirmed = true
options = { length = "short" }
divisions = [{ players = ["Alice <alice@example.net>", "Bob <bob@example.com>"] }]
"""
    )
    command(desk, "league", "new", "--file", tmp_path / "league.toml")
    desk.poll()
    command(desk, "game", "award", "rnr-2", "vietnam", "--reason", "it is late")
    desk.poll()
    assert "Bob" in command(desk, "league", "standings", "Winter")
    assert "Bob" in command(desk, "player", "show", "bob@example.com")


def test_a_war_that_is_over_leaves_the_desk_and_comes_back(desk, tmp_path):
    play(desk)
    assert match_of(desk).phase == "finished"
    kept, found = history(desk), match_of(desk)
    assert read_json(write_json(kept)).state == kept.state
    record = tmp_path / "war.txt"
    record.write_text(command(desk, "export", "rnr-1", "--format", "record"))
    assert found.result.reason in command(desk, "replay", record) or "has won" in command(desk, "replay", record)
    command(desk, "import", record)
    assert "rnr-1" in command(desk, "search", "Alice")
    command(desk, "archive", "build", tmp_path / "site")
    page = (tmp_path / "site" / "games" / "rnr-1.html").read_text()
    assert page.count("<svg") > len(kept.steps)
    assert "<em>not on turn</em>" in page
    for words in (("export", "rnr-1", "--format", "mbox"), ("export", "rnr-1", "--format", "svg"), ("dice", record)):
        assert command(desk, *words)


def test_whoever_is_forgotten_leaves_no_name_and_the_war_is_verified_all_the_same(desk, tmp_path):
    play(desk)
    told(desk, "vpa", "forget me")
    told(desk, "vpa", "yes")
    assert "Alice" not in command(desk, "game", "show", "rnr-1")
    command(desk, "verify")
    command(desk, "archive", "build", tmp_path / "site")
    assert "Alice" not in (tmp_path / "site" / "games" / "rnr-1.html").read_text()
