"""Records by mail: what the word `record` brings, and what comes with a game's last report."""

from email.message import Message

import pytest
from click.testing import CliRunner

from pbem.cli.demo import DemoDesk
from pbem.cli.main import main
from pbem.mail.letters import SEALS
from pbem.record.notation import check_checksum, write_record
from pbem.store.histories import load_history
from support.correspondents import ALICE, BOB, CAROL, Correspondents, come, finish
from support.game_masters import decide


@pytest.fixture
def people(table: DemoDesk) -> Correspondents:
    """Alice is Red and Bob is Blue in oz-1."""
    return Correspondents(table)


def attached(letter: Message) -> dict[str, str]:
    """The text files that go along with a letter, as a mail program saves them, but for that of its seals."""
    return {
        part.get_filename(): part.get_payload(decode=True).decode().replace("\r\n", "\n")
        for part in letter.walk()
        if part.get_filename() not in (None, SEALS) and part.get_content_type() == "text/plain"
    }


def last(people: Correspondents, who: str) -> dict[str, str]:
    return attached(people.got[who][-1])


def expected(people: Correspondents, *, press: bool = True) -> dict[str, str]:
    return {"oz-1.txt": write_record(load_history(people.table.store, 1, press=press))}


def play(people: Correspondents) -> None:
    people.write(ALICE, "3 A to M")
    people.write(BOB, "press: Grüße aus {Köln}\nend press\nPass")


def test_the_record_so_far_comes_as_a_file_with_a_sentence(people):
    play(people)
    answer = people.say(ALICE, "record")
    assert "The attached record of oz-1 is" in answer
    assert last(people, ALICE) == expected(people)
    assert "Grüße" in last(people, ALICE)["oz-1.txt"]
    assert check_checksum(last(people, ALICE)["oz-1.txt"])


@pytest.mark.usefixtures("desk_table")
def test_one_answer_brings_three_records(people):
    for n in range(4):
        begin = ("game", "new", "--red", f"C <c{n}@example.org>", "--blue", f"D <d{n}@example.org>")
        assert CliRunner().invoke(main, ["--config", str(people.table.config.path), *begin]).exit_code == 0
    answer = people.say(ALICE, "\n".join(f"record oz-{n}" for n in range(1, 6)) * 8)
    assert sorted(last(people, ALICE)) == ["oz-1.txt", "oz-2.txt", "oz-3.txt"]
    assert answer.count("ask for the others") == 1


def test_orders_that_wait_are_not_in_it(people):
    play(people)
    people.write(BOB, "1 E to U")
    people.say(ALICE, "record")
    assert "1 E to U" not in last(people, ALICE)["oz-1.txt"]


def test_who_wants_no_press_gets_none_with_the_record(people):
    play(people)
    people.say(ALICE, "mute\nrecord")
    assert last(people, ALICE) == expected(people, press=False)


def test_somebody_else_may_have_the_record_of_a_game_that_he_names_without_its_press(people):
    come(people, CAROL)
    play(people)
    people.say(CAROL, "record oz-1")
    assert last(people, CAROL) == expected(people, press=False)


def test_the_record_of_a_game_that_is_named_wrongly_or_not_at_all_is_not_sent(people):
    come(people, CAROL)
    assert "There is no record of oz-9, because no such game has begun." in people.say(CAROL, "record oz-9")
    assert "record [GAME]" in people.say(CAROL, "record")
    assert last(people, CAROL) == {}


def test_an_invitation_has_no_record(people):
    come(people, CAROL)
    people.write(ALICE, f"challenge {CAROL}")
    assert "There is no record of oz-2" in people.say(BOB, "record oz-2")


def test_the_last_letter_of_a_game_that_was_given_up_brings_its_record(people):
    play(people)
    finish(people)
    assert last(people, BOB) == expected(people)
    assert "award blue" in last(people, BOB)["oz-1.txt"]


def test_a_game_that_ends_on_the_board_brings_its_record_with_the_last_report(tmp_path):
    table = DemoDesk(tmp_path / "desk", turn_limit=1)
    people = Correspondents(table)
    people.poll()
    people.write(ALICE, "Pass")
    told = people.write(BOB, "Pass")
    assert "The attached record of oz-1 is" in told[ALICE][-1]
    assert last(people, ALICE) == last(people, BOB) == expected(people)
    people.write(ALICE, "resend")
    assert [attached(letter) for letter in people.got[ALICE]].count(expected(people)) == 2
    table.close()


def test_a_game_that_is_annulled_brings_no_record_by_itself_but_has_one(people):
    play(people)
    decide(people.table, "annul oz-1 because nobody plays")
    people.poll()
    assert last(people, ALICE) == {}
    people.say(ALICE, "record")
    assert "annul @" in last(people, ALICE)["oz-1.txt"]
