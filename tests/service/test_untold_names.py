"""The names of players in anonymous games, as game masters write them: those who are told the names may use them, and
are asked before a name goes out; for others they are names of nobody."""

import json
from pathlib import Path

import pytest

from pbem.cli.demo import answer_letter
from pbem.config.config import Address
from pbem.match.model import Match
from pbem.store.matches import load_match, match_numbers
from support.desks import flat
from support.leagues import PEOPLE, LeagueDesk

GINA = Address("Gina", "gina@example.com")
OTHERS = ("Alice", "Bob", "Carla Brown", "Dora")


@pytest.fixture
def desk(tmp_path: Path) -> LeagueDesk:
    return found(LeagueDesk(tmp_path / "desk"))


def found(desk: LeagueDesk, terms: str = "", players: tuple[str, ...] = OTHERS) -> LeagueDesk:
    people = json.dumps([f"{one.name} <{one.address}>" for one in PEOPLE if one.name in players])
    desk.found_by_file(
        'name = "Winter"\nformat = "round-robin"\nconfirmed = true\n'
        f'masters = [{{ name = "{GINA.name}", address = "{GINA.address}" }}]\ndivisions = [{{ players = {people} }}]\n'
        f'[terms]\ndeadline = "3 days"\nanonymous = "season"\n{terms}\n'
    )
    desk.poll_well()
    return desk


def game_of(desk: LeagueDesk, name: str) -> tuple[Match, str]:
    """The running game in which somebody plays, and their seat."""
    matches = [load_match(desk.store, number) for number in match_numbers(desk.store, "running")]
    ((match, seat),) = [
        (match, seat) for match in matches for seat, holder in match.holders.items() if holder.own_name == name
    ]
    return match, seat


def told_since(desk: LeagueDesk, name: str, before: int) -> str:
    return " ".join(map(flat, desk.letters_to(name)[before:]))


def record_of(desk: LeagueDesk, match: Match) -> str:
    kept = desk.run("record", match.name)
    assert kept.status == 0
    return "\n".join(
        (*kept.lines, *desk.store.column("SELECT content FROM record_contents WHERE content LIKE '%decision%'"))
    )


def test_a_message_may_name_the_player_whom_the_game_master_is_told(desk: LeagueDesk) -> None:
    match, seat = game_of(desk, "Bob")
    other = next(holder.own_name for one, holder in match.holders.items() if one != seat)
    counts = {name: len(desk.letters_to(name)) for name in ("Bob", other)}
    assert f"Done: tell {match.name}" in flat(desk.direct(GINA, f"tell {match.name} Bob: Please write sooner."))
    assert "Please write sooner." in told_since(desk, "Bob", counts["Bob"])
    assert not told_since(desk, other, counts[other])
    assert "Bob" not in record_of(desk, match)


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("replace {match} Bob with Erin <erin@example.net> because of the time", "{seat} with Erin"),
        ("award {match} Bob because the other side has gone", "{seat}"),
        ("award {match} to bob because the other side has gone", "to {seat}"),
        ("orders {match} Bob: pass because the mail is broken", "{seat}: pass"),
    ],
)
def test_a_decision_may_name_the_player_and_the_record_names_the_seat(desk: LeagueDesk, line: str, kept: str) -> None:
    match, seat = game_of(desk, "Bob")
    other = next(holder.own_name for one, holder in match.holders.items() if one != seat)
    before = len(desk.letters_to(other))
    assert "Done:" in flat(desk.direct(GINA, line.format(match=match.name)))
    (argument,) = desk.store.column(
        "SELECT content ->> '$.argument' FROM record JOIN record_contents ON record = id WHERE kind = 'decision'"
    )
    assert argument == kept.format(seat=seat)
    assert "Bob" not in told_since(desk, other, before)
    assert "Bob" not in record_of(desk, match)


def test_nobody_with_that_name_is_a_side_that_does_not_exist(desk: LeagueDesk) -> None:
    match, _ = game_of(desk, "Bob")
    for line in (f"tell {match.name} Zoe: Hello", f"replace {match.name} Zoe with E <erin@example.net> because so"):
        assert f'There is no side "Zoe" in {match.name}' in flat(desk.direct(GINA, line))


@pytest.mark.parametrize(
    "word", ["tell {match} {name}: Hello", "replace {match} {name} with E <e@example.net> because so"]
)
def test_who_is_not_told_gets_the_same_answer_for_a_player_as_for_anybody(tmp_path: Path, word: str) -> None:
    """Two worlds: the same league, and a name that plays in the game or is in no game at all."""
    answers = []
    for number, name in enumerate(("Bob", "Zoe")):
        desk = found(LeagueDesk(tmp_path / f"{number}"), "anonymous_to_masters = true")
        match, _ = game_of(desk, "Bob")
        answer = flat(desk.direct(GINA, word.format(match=match.name, name=name)))
        answers.append(answer.replace(name, "X").replace(match.name, "oz-X"))
    assert answers[0] == answers[1]
    assert 'There is no side "X" in oz-X' in answers[0]


# Before a name goes out


@pytest.mark.parametrize(
    "line",
    [
        "say {match}: Bob has been ill, please wait.",
        "extend {match} 2 days because Bob is ill",
        "tell {match} {other}: Bob has been ill.",
    ],
)
def test_who_names_a_player_is_asked_before_the_others_read_it(desk: LeagueDesk, line: str) -> None:
    match, seat = game_of(desk, "Bob")
    other = next(one for one in match.holders if one != seat)
    name = match.holders[other].own_name
    before, due = len(desk.letters_to(name)), match.deadline
    asked = flat(desk.direct(GINA, line.format(match=match.name, other=other)))
    assert f"This names Bob, and the players of {match.name} are not told yet who plays. Nothing has been done" in asked
    assert not told_since(desk, name, before)
    assert game_of(desk, "Bob")[0].deadline == due
    desk.send(answer_letter(desk.letters_of(GINA)[-1], GINA, "yes", desk.now))
    desk.poll_well()
    assert "Done:" in flat(desk.letters_of(GINA)[-1])
    assert "Bob" in told_since(desk, name, before)


def test_a_player_reads_their_own_name_without_a_question(desk: LeagueDesk) -> None:
    match, seat = game_of(desk, "Bob")
    assert f"Done: tell {match.name} {seat}" in flat(desk.direct(GINA, f"tell {match.name} {seat}: Dear Bob, write!"))


def test_each_of_two_such_messages_needs_a_letter_of_its_own(desk: LeagueDesk) -> None:
    match, _ = game_of(desk, "Bob")
    asked = flat(
        desk.direct(GINA, f"extend {match.name} 1 day because Bob is ill\npause {match.name} because Bob is ill")
    )
    assert "This names Bob" in asked
    assert "It names Bob, but the players are not told who plays: send it in a letter of its own." in asked


def test_who_is_not_told_is_asked_about_every_member_of_the_league(tmp_path: Path) -> None:
    desk = found(LeagueDesk(tmp_path / "desk"), "anonymous_to_masters = true")
    for name in ("Alice", "Bob", "Carla Brown", "Dora"):
        asked = flat(desk.direct(GINA, f"extend oz-1 1 day because {name} is ill"))
        assert f"This names {name}, and the players of oz-1" in asked
    assert "Done:" in flat(desk.direct(GINA, "extend oz-1 1 day because Zoe is ill"))
