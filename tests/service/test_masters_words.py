"""Game masters say in their own words what they want, and get the lines that do it. Such words decide nothing."""

import json
from email.message import Message

import pytest

from pbem.config.config import Address
from pbem.store.matches import load_match
from support.desks import flat
from support.leagues import PEOPLE, LeagueDesk

GINA = Address("Gina", "gina@example.com")


@pytest.fixture
def desk(tmp_path):
    return LeagueDesk(tmp_path / "desk")


def found(desk: LeagueDesk, name: str = "Herbst", shape: str = "swiss", terms: str = "") -> None:
    people = json.dumps([f"{one.name} <{one.address}>" for one in PEOPLE[:4]])
    rounds = "rounds = 2\n" if shape == "swiss" else ""
    desk.found_by_file(
        f'name = "{name}"\nformat = "{shape}"\nconfirmed = true\n{rounds}'
        f'masters = [{{ name = "{GINA.name}", address = "{GINA.address}" }}]\n'
        f'divisions = [{{ players = {people} }}]\n[terms]\ndeadline = "3 days"\n{terms}'
    )
    desk.poll_well()


def written(desk: LeagueDesk, text: str, who: Address = GINA) -> Message:
    desk.write(who, text)
    desk.poll_well()
    return desk.letters_of(who)[-1]


def game_of(desk: LeagueDesk, name: str) -> str:
    """The only running game in which somebody plays."""
    numbers = desk.store.column("SELECT id FROM matches WHERE phase = 'running'")
    matches = [load_match(desk.store, number) for number in numbers]
    (game,) = [match.name for match in matches if name in [holder.own_name for holder in match.holders.values()]]
    return game


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("two more days for Dora", "2 days because ..."),
        ("Dora needs three more days because she is ill", "3 days because she is ill"),
        ("Zwei Tage mehr für Dora", "2 days because ..."),
        ("Ещё два дня для Доры", "2 days because ..."),
        ("give Dora until Friday", "to 2026-11-27 12:00 because ..."),
        ("gib Dora bis Freitag Zeit", "to 2026-11-27 12:00 because ..."),
        ("Дай Доре время до пятницы", "to 2026-11-27 12:00 because ..."),
    ],
)
def test_more_time_for_somebody_is_a_line_with_the_right_game(desk: LeagueDesk, text: str, line: str) -> None:
    found(desk)
    game = game_of(desk, "Dora")
    before = desk.store.value("SELECT due FROM matches WHERE name = ?", (game,))
    told = flat(written(desk, text))
    assert f"Nothing is decided yet. If you mean this, reply with the line: extend {game} {line}" in told
    assert "extend " not in told.replace(f"extend {game}", "")
    assert desk.store.value("SELECT due FROM matches WHERE name = ?", (game,)) == before


def test_the_line_does_what_it_says_when_it_comes_back(desk: LeagueDesk) -> None:
    found(desk)
    game = game_of(desk, "Dora")
    told = flat(written(desk, "Dora needs 2 more days because she is ill"))
    line = f"extend {game} 2 days because she is ill"
    assert line in told
    assert f"Done: extend {game} 2 days." in flat(desk.direct(GINA, line))


def test_somebody_with_two_games_gets_two_lines(desk: LeagueDesk) -> None:
    found(desk)
    found(desk, "Winter", "round-robin")
    told = flat(written(desk, "two more days for Dora"))
    assert "reply with those of these lines that you mean:" in told.lower()
    assert told.count("extend oz-") == 2


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("let Jakob join late", "enter Herbst Jakob <ADDRESS> because ..."),
        (
            "Please add Jakob Kern <jakob@example.net> to Herbst",
            "enter Herbst Jakob Kern <jakob@example.net> because ...",
        ),
        ("Lass Jakob nachträglich mitspielen", "enter Herbst Jakob <ADDRESS> because ..."),
        ("Пусть Якоб вступит позже", "enter Herbst Якоб <ADDRESS> because ..."),
        ("How do I let somebody join late?", "enter Herbst NAME <ADDRESS> because ..."),
    ],
)
def test_a_latecomer_is_a_line_with_the_league(desk: LeagueDesk, text: str, line: str) -> None:
    found(desk)
    assert line in flat(written(desk, text))


def test_a_league_that_takes_nobody_late_has_a_line_for_its_standby_list(desk: LeagueDesk) -> None:
    found(desk, "Winter", "round-robin")
    assert "reply with the line: join Winter Jakob <ADDRESS> Put your own words" in flat(
        written(desk, "let Jakob join late")
    )


def test_what_cannot_be_done_is_said_instead_of_a_line(desk: LeagueDesk) -> None:
    found(desk)
    assert "Nothing is decided: this cannot be done now. Herbst Bob is already in Herbst." in flat(
        written(desk, "let Bob join late")
    )
    game = game_of(desk, "Dora")
    desk.direct(GINA, f"pause {game} because of the flood")
    told = flat(written(desk, "two more days for Dora"))
    assert f"{game} {game} is paused: resume it first." in told
    assert f"extend {game}" not in told


def test_a_pause_for_somebody_is_a_line_too(desk: LeagueDesk) -> None:
    found(desk)
    assert f"pause {game_of(desk, 'Dora')} because ..." in flat(written(desk, "Dora is ill, please pause her game"))


def test_a_player_gets_no_such_lines(desk: LeagueDesk) -> None:
    found(desk)
    for text in ("two more days for Dora", "let Jakob join late"):
        told = flat(written(desk, text, PEOPLE[0]))
        assert "extend oz-" not in told
        assert "enter Herbst" not in told


def test_who_is_not_told_the_names_of_players_gets_the_same_answer_whoever_plays(desk: LeagueDesk) -> None:
    found(desk, terms='anonymous = "season"\nanonymous_to_masters = true\n')
    first, second = (flat(written(desk, f"two more days for {name}")) for name in ("Dora", "Zoey"))
    assert first.replace("Dora", "Zoey") == second
    assert "extend oz-" not in first
