"""What the desk does for every game, done with wars of Rock'n'Roll: hidden hands, dice, turns one after the other."""

from collections.abc import Iterator
from datetime import timedelta
from email.message import Message
from pathlib import Path

import pytest

from pbem.cli.demo import Table
from pbem.games.base import Seat
from pbem.match.model import Match
from pbem.match.terms import Terms
from pbem.record.notation import read_record, write_record
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


def resign(table: Table, seat: Seat) -> dict[Seat, list[Message]]:
    told(table, seat, "resign")
    return told(table, seat, "yes")


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


def test_it_ends_the_war_for_all_when_the_last_of_a_side_resigns(four):
    for seat in ("vpa1", "vpa2"):
        letters = resign(four, seat)
    assert match_of(four).result.winner == "vietnam"
    assert set(letters) == {"vpa1", "vpa2", "vietnam1", "vietnam2"}
    assert "VPA resigned." in flat(letters["vpa1"][-1])


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


def test_a_war_in_which_somebody_resigned_is_recorded_replayed_and_verified(four, tmp_path):
    play(four, 5)
    resign(four, match_of(four).missing()[0])
    play(four)
    assert match_of(four).phase == "finished"
    reading = read_record(write_record(history(four)))
    assert not reading.problems
    assert reading.history.state == match_of(four).state
    record = tmp_path / "war.txt"
    record.write_text(write_record(history(four)))
    command(four, "verify")
    command(four, "verify", record)
    command(four, "replay", record)
    command(four, "archive", "build", tmp_path / "site")
    assert "plays on no longer" in next((tmp_path / "site" / "games").glob("*.html")).read_text()


def test_a_rollback_to_before_somebody_resigned_brings_the_seat_back(four):
    (first,) = match_of(four).missing()
    hand = match_of(four).state.hands[first]
    told(four, *_pass(four))
    resign(four, first)
    assert not match_of(four).state.hands[first].units
    command(four, "game", "rollback", "rnr-1", "1", "--reason", "a letter was lost")
    four.poll()
    match = match_of(four)
    assert (match.gone, match.missing(), match.state.hands[first]) == ({}, [first], hand)
    command(four, "verify")
