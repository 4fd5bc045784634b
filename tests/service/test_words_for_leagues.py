"""A game master's words for everyone in a league."""

import json
from pathlib import Path

import pytest

from pbem.cli.demo import answer_letter, letter_text
from pbem.config.config import Address
from support.desks import flat
from support.leagues import BY_NAME, PEOPLE, LeagueDesk

GINA = Address("Gina", "gina@example.com")
HAL = Address("Hal", "hal@example.org")
PLAYERS, STANDBY, OUTSIDER = ("Alice", "Bob"), "Dora", "Erin"


@pytest.fixture
def desk(tmp_path: Path) -> LeagueDesk:
    return found(LeagueDesk(tmp_path / "desk"))


def found(desk: LeagueDesk, name: str = "Winter", terms: str = "", second: str = "Bob", rights: str = "") -> LeagueDesk:
    """Found a league of Alice and `second`, with Dora on standby. `rights` are those of Gina, as in the file."""
    people = [f"{BY_NAME[one].name} <{BY_NAME[one].address}>" for one in ("Alice", second, "Dora")]
    masters = (
        f'{{ name = "{GINA.name}", address = "{GINA.address}"{rights} }}, '
        f'{{ name = "{HAL.name}", address = "{HAL.address}" }}'
    )
    desk.found_by_file(
        f'name = "{name}"\nformat = "round-robin"\nconfirmed = true\nmasters = [{masters}]\n'
        f"divisions = [{{ players = {json.dumps(people[:2])} }}]\nstandby = {json.dumps(people[2:])}\n"
        f'[terms]\ndeadline = "3 days"\n{terms}\n'
    )
    desk.poll_well()
    return desk


def readers(desk: LeagueDesk, text: str) -> list[str]:
    """Those whose last letter contains `text`."""
    people = (*PEOPLE, GINA, HAL)
    return [one.name for one in people if any(text in flat(letter) for letter in desk.letters_of(one))]


def test_everyone_who_plays_or_waits_and_the_other_game_masters_get_the_words(desk: LeagueDesk) -> None:
    answer = desk.direct(GINA, "tell Winter:\nThe hall is closed on Sunday.\nPlay on.\nend tell")
    assert "Done: tell Winter." in flat(answer)
    assert readers(desk, "writes to everyone in the league Winter") == [*PLAYERS, STANDBY, "Hal"]
    for name in (*PLAYERS, STANDBY):
        assert "The hall is closed on Sunday. Play on." in flat(desk.letters_to(name)[-1]).replace("| ", "")


def test_no_letter_names_another_reader(desk: LeagueDesk) -> None:
    desk.direct(GINA, "tell Winter: The hall is closed.")
    for name in (*PLAYERS, STANDBY):
        raw = desk.letters_to(name)[-1].as_string()
        assert not [one.address for one in PEOPLE if one.name != name and one.address in raw]


def test_the_letter_is_the_same_whoever_else_is_a_member(tmp_path: Path) -> None:
    """Two worlds: Bob or Erin plays with Alice."""
    letters = []
    for second in ("Bob", "Erin"):
        desk = found(LeagueDesk(tmp_path / second), terms='anonymous = "season"', second=second)
        desk.direct(GINA, "tell Winter: The hall is closed.")
        last = desk.letters_to("Alice")[-1]
        letters.append((last["To"], last["Subject"], letter_text(last)))
    assert letters[0] == letters[1]
    assert "The hall is closed." in letters[0][2]


def test_the_words_come_in_a_letter_in_the_reader_s_language(desk: LeagueDesk) -> None:
    for name, language in (("Alice", "deutsch"), ("Dora", "русский")):
        desk.write(BY_NAME[name], f"language {language}")
        desk.poll_well()
        if "Did you write this" in desk.letters_to(name)[-1].as_string():
            desk.respond(name, "yes")
            desk.poll_well()
    desk.direct(GINA, "tell Winter: The hall is closed.")
    assert "Der Spielleiter schreibt an alle in der Liga Winter:" in flat(desk.letters_to("Alice")[-1])
    assert "Ведущий пишет всем в лиге Winter:" in flat(desk.letters_to("Dora")[-1])


def test_a_game_master_needs_the_right(tmp_path: Path) -> None:
    desk = found(LeagueDesk(tmp_path / "desk"), rights=', rights = ["extend"]')
    answer = flat(desk.direct(GINA, "tell Winter: The hall is closed."))
    assert "`tell Winter` was not done. You do not have this right in Winter." in answer


def test_a_league_may_have_a_name_of_several_words(tmp_path: Path) -> None:
    desk = found(LeagueDesk(tmp_path / "desk"), "Große Liga 2")
    assert "Done: tell Große Liga 2." in flat(desk.direct(GINA, "tell große liga 2: The hall is closed."))
    assert readers(desk, "writes to everyone in the league Große Liga 2") == [*PLAYERS, STANDBY, "Hal"]


def test_an_answer_reaches_the_game_master(desk: LeagueDesk) -> None:
    desk.direct(GINA, "tell Winter: The hall is closed.")
    desk.respond("Dora", "gm: Where do we meet then?")
    desk.poll_well()
    assert "Where do we meet then?" in flat(desk.letters_of(GINA)[-1])


def test_who_is_no_game_master_of_the_league_writes_to_nobody(desk: LeagueDesk) -> None:
    for name in ("Bob", OUTSIDER):
        before = len(desk.post.sent())
        desk.write(BY_NAME[name], "tell Winter: I have won.")
        desk.poll_well()
        if name == "Bob":
            desk.respond(name, "yes")
            desk.poll_well()
        assert not [raw for raw in desk.post.sent()[before:] if b"writes to everyone" in raw]


def test_without_words_nothing_is_sent(desk: LeagueDesk) -> None:
    answer = flat(desk.direct(GINA, "tell Winter:\nend tell"))
    assert "`tell Winter` was not done. There are no words: write them after the colon." in answer
    assert readers(desk, "writes to everyone") == []


def test_the_list_of_decisions_has_the_words(desk: LeagueDesk) -> None:
    desk.direct(GINA, "tell Winter: Note this: the hall is closed.")
    assert "Gina tell Winter Note this: the hall is closed." in flat(desk.direct(GINA, "decisions Winter"))


def test_the_operator_writes_on_the_command_line(desk: LeagueDesk) -> None:
    told = desk.run("league", "tell", "winter", "The hall is closed.")
    assert told == (0, ["Done: tell Winter. Letters go out with the next poll."])
    desk.poll_well()
    assert readers(desk, "The hall is closed.") == [*PLAYERS, STANDBY, "Gina", "Hal"]


def test_a_file_of_decisions_may_contain_words_for_a_league(tmp_path: Path) -> None:
    desk = found(LeagueDesk(tmp_path / "desk"), "Cup of Oz")
    (desk.folder / "decisions").write_text("tell Cup of Oz:\nThe hall is closed.\nend tell\n")
    assert desk.run("game", "do", str(desk.folder / "decisions")).status == 0
    desk.poll_well()
    assert readers(desk, "The hall is closed.") == [*PLAYERS, STANDBY, "Gina", "Hal"]


def test_a_seat_of_the_game_comes_before_a_league_of_its_name(tmp_path: Path) -> None:
    desk = found(LeagueDesk(tmp_path / "desk"), "Red")
    desk.respond("Alice", "gm: Hello", "oz-1")
    desk.poll_well()
    letter = next(one for one in desk.letters_of(GINA) if "oz-1" in one["Subject"])
    desk.send(answer_letter(letter, GINA, "tell red: You alone.", desk.now))
    desk.poll_well()
    assert len(readers(desk, "You alone.")) == 1


def test_a_player_who_is_forgotten_takes_the_words_out_of_the_record(desk: LeagueDesk) -> None:
    desk.direct(GINA, "tell Winter: Dora has broken her arm.")
    for text in ("forget me", "yes"):
        desk.respond("Dora", text)
        desk.poll_well()
    assert not desk.store.column("SELECT record FROM record_contents WHERE content LIKE '%broken her arm%'")


# While nobody is told who plays


def test_who_names_a_member_of_an_anonymous_league_is_asked_first(tmp_path: Path) -> None:
    desk = found(LeagueDesk(tmp_path / "desk"), terms='anonymous = "season"')
    asked = flat(desk.direct(GINA, "tell Winter: Bob is ill."))
    assert "This names Bob, and the players of Winter are not told yet who plays." in asked
    assert readers(desk, "writes to everyone") == []
    desk.send(answer_letter(desk.letters_of(GINA)[-1], GINA, "yes", desk.now))
    desk.poll_well()
    assert readers(desk, "Bob is ill.")[:3] == [*PLAYERS, STANDBY]


def test_words_without_a_name_go_out_in_an_anonymous_league(tmp_path: Path) -> None:
    desk = found(LeagueDesk(tmp_path / "desk"), terms='anonymous = "season"')
    assert "Done: tell Winter." in flat(desk.direct(GINA, "tell Winter: The hall is closed."))


def test_a_name_needs_no_question_where_everybody_knows_who_plays(desk: LeagueDesk) -> None:
    assert "Done: tell Winter." in flat(desk.direct(GINA, "tell Winter: Bob is ill."))
