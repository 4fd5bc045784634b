"""Sandboxes: one person plays all sides, sees everything, and nobody else learns of it but whom they have asked."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.archive import site
from pbem.cli.demo import DemoDesk, letter_text
from pbem.match.sandboxes import MOST
from pbem.store.database import connect
from pbem.store.matches import load_match
from pbem.store.ratings import rate
from pbem.store.verify import Audit
from support.archives import SITE
from support.commands import pbem
from support.cores import Core
from support.correspondents import ALICE, BOB, CAROL, Correspondents, finish
from support.each import each

BOTH = "Red:\n3 A to M\n\nBlue:\n2 H to S"


@pytest.fixture
def people(table: DemoDesk) -> Correspondents:
    """Alice plays Bob in oz-1."""
    return Correspondents(table)


@pytest.fixture
def alice(people: Correspondents) -> Correspondents:
    """The same, and Alice has a sandbox, oz-2."""
    people.write(ALICE, "try ozymandia")
    return people


@pytest.fixture
def taught(alice: Correspondents) -> Correspondents:
    """The same, and Carol watches the sandbox, as Alice has asked."""
    alice.write(ALICE, "teacher carol@example.org")
    alice.write(CAROL, "observe oz-2")
    return alice


def played(people: Correspondents) -> dict[str, str | None]:
    """The orders of the last turn of the sandbox."""
    last = people.match("oz-2").past.last
    assert last
    return {seat: entry and entry.canonical for seat, entry in last.orders.items()}


# How it begins


@each(
    "command",
    [
        "try ozymandia",
        "Try out Ozymandia with board triangles",
        "probiere Ozymandia aus",
        "попробовать ozymandia",
        "try oz",
    ],
)
def test_a_sandbox_begins_at_once_in_any_language(command, table):
    people = Correspondents(table)
    news = people.write(ALICE, command)
    assert news.keys() == {ALICE}
    (letter,) = news[ALICE]
    assert "you play all sides, and nothing is hidden from you." in letter
    assert "Reply with your orders, for example: Red: 1 " in letter


def test_the_letters_of_a_stranger_who_wants_to_try_wait_for_a_yes_like_those_of_one_who_joins(people):
    news = people.write_anew(CAROL, "try rocknroll")
    assert "yes" in news[CAROL][0]
    (letter,) = people.write(CAROL, "yes")[CAROL][-1:]
    assert "Rock'n'Roll, sandbox rnr-2" in letter


@each("text", ["try harder", "try this:", "Let us try ozymandia", "try chess"])
def test_other_words_begin_no_sandbox(text, table):
    people = Correspondents(table)
    people.write(ALICE, text)
    assert table.store.value("SELECT count(*) FROM matches WHERE sandbox") == 0


def test_nobody_has_more_sandboxes_than_the_limit_and_closing_one_makes_room(alice):
    for _ in range(MOST - 1):
        alice.write(ALICE, "try ozz")
    answer = alice.say(ALICE, "try ozymandia")
    assert f"You have {MOST} sandboxes already: oz-2, ozz-3, ozz-4, ozz-5 and ozz-6." in answer
    assert "The sandbox was closed." in alice.say(ALICE, "resign")
    assert "sandbox oz-7" in alice.say(ALICE, "try ozymandia")


# Orders


@each(
    "text",
    [
        BOTH,
        "Blue: 2 H to S\nRed: 3 A to M",
        "Red: 3 A to M; Blue: 2 H to S",
        "Rot:\n3 A nach M\nBlau:\n2 H nach S",
        "Красные: 3 A в M\nСиние: 2 H в S",
    ],
)
def test_one_letter_with_the_orders_of_all_sides_brings_one_letter_with_the_report(text, table):
    people = Correspondents(table)
    people.write(ALICE, "try ozymandia")
    number = table.store.value("SELECT max(id) FROM matches")
    news = people.write(ALICE, text)
    assert news.keys() == {ALICE}
    (report,) = news[ALICE]
    assert "Turn 1 has been played. Red 3 A to M Blue 2 H to S" in report
    assert "Still waiting for orders from Red and Blue." in report
    assert load_match(table.store, number).turn == 2


def test_the_report_has_the_subject_of_a_report_and_answers_the_letter(alice):
    alice.write(ALICE, BOTH)
    letter = alice.got[ALICE][-1]
    assert letter["Subject"] == "Ozymandia oz-2, turn 1: the report"
    assert letter["In-Reply-To"]


def test_a_letter_for_some_sides_gets_a_receipt_and_the_rest_is_asked_for(alice):
    receipt = alice.say(ALICE, "Red: 3 A to M")
    assert "Red Your orders for turn 1 are in: receipt 1-1." in receipt
    assert "Still waiting for orders from Blue. The turn will be played as soon as they are in." in receipt
    assert "Turn 1 has been played." in alice.say(ALICE, "Blue: 2 H to S")


def test_orders_without_a_name_are_for_the_only_side_that_can_give_them(alice):
    assert "Blue Your orders for turn 1 are in" in alice.say(ALICE, "2 H to S")
    assert "Turn 1 has been played. Red 3 A to M Blue 2 H to S" in alice.say(ALICE, "3 A to M")


def test_it_is_asked_which_side_is_meant_if_several_can_give_the_orders(alice):
    assert "For which side are these orders? None were accepted." in alice.say(ALICE, "Pass")
    assert not alice.match("oz-2").standing


def test_what_one_side_cannot_do_leaves_the_orders_of_the_others(alice):
    answer = alice.say(ALICE, "Red:\n3 A to X\nBlue:\n2 H to S")
    assert "Red No orders in this letter were accepted." in answer
    assert "2 | 3 A to X" in answer
    assert "Blue Your orders for turn 1 are in" in answer
    assert alice.match("oz-2").standing.keys() == {"blue"}


def test_a_yes_settles_what_was_asked_about_each_side(alice):
    question = alice.say(ALICE, "Red: perhaps 3 A to M\nBlue: perhaps 2 H to S")
    assert question.count("What does this letter mean?") == 2
    assert alice.match("oz-2").turn == 1
    assert "Turn 1 has been played. Red 3 A to M Blue 2 H to S" in alice.say(ALICE, "yes")


def test_chat_beside_the_orders_is_told_in_the_report(alice):
    report = alice.say(ALICE, f"Let us see how this goes.\n\n{BOTH}")
    assert "Turn 1 has been played." in report
    assert 'Taken as remarks, not as orders: "Let us see how this goes."' in report


def test_what_if_and_check_change_nothing(alice):
    assert "Red 3 A to M Blue 2 H to S" in alice.say(ALICE, "if Red 3 A to M and Blue 2 H to S")
    assert "Because you wrote `check:`, nothing is stored." in alice.say(ALICE, f"check:\n{BOTH}")
    assert (alice.match("oz-2").turn, alice.match("oz-2").standing) == (1, {})


def test_orders_that_answer_an_older_report_are_not_taken(alice):
    first = alice.got[ALICE][-1]
    alice.write(ALICE, BOTH)
    alice.write(ALICE, "Red: 2 M to W", to=first)
    assert not alice.match("oz-2").standing


@each("word", ["draw", "wait", "vote pause", "rematch", "press: Hello\nend press", "Red:\nturn 6: 3 A to M"])
def test_what_needs_others_is_of_no_use(word, table):
    people = Correspondents(table)
    people.write(ALICE, "try ozymandia")
    assert "is of no use in a sandbox, in which one person plays all sides." in people.say(ALICE, word)


def test_words_that_say_nothing_are_answered_with_the_position(alice):
    answer = alice.say(ALICE, "Hello, what now?")
    assert "Reply with your orders, for example: Red:" in answer


# Taking back


def test_a_turn_is_taken_back_without_asking_anybody(alice):
    alice.write(ALICE, BOTH)
    news = alice.write(ALICE, "undo")
    assert news.keys() == {ALICE}
    assert "goes back to the start of turn 1" in news[ALICE][0]
    assert "Turn 1 has been played. Red 2 A to Z Blue 2 H to S" in alice.say(ALICE, "Red: 2 A to Z\nBlue: 2 H to S")


def test_the_last_turn_is_taken_back_and_played_otherwise_in_one_letter(alice):
    alice.write(ALICE, BOTH)
    assert "Turn 1 has been played." in alice.say(ALICE, "take back\n\nRed: 2 A to Z\nBlue: 2 H to S")
    assert played(alice) == {"red": "2 A to Z", "blue": "2 H to S"}


def test_orders_that_are_in_are_withdrawn_for_all_sides(alice):
    alice.write(ALICE, "Red: 3 A to M")
    assert "The orders of Red are withdrawn." in alice.say(ALICE, "withdraw")
    assert not alice.match("oz-2").standing


def test_a_sandbox_that_was_closed_goes_on_after_an_undo(alice):
    alice.write(ALICE, BOTH)
    alice.write(ALICE, "resign")
    assert alice.match("oz-2").phase == "finished"
    alice.write(ALICE, "undo")
    assert (alice.match("oz-2").phase, alice.match("oz-2").turn) == ("running", 1)


@each("text", ["undo", "resign\nundo", "Red: 3 A to M\nresign\nundo"])
def test_nothing_is_taken_back_where_no_turn_was_played_and_no_orders_wait(text, table):
    people = Correspondents(table)
    people.write(ALICE, "try ozymandia")
    for line in text.split("\n"):
        answer = people.say(ALICE, line)
    assert "to take back." in answer


# What makes sense only with others


def test_a_vacation_is_not_told_to_its_traveller_as_a_player_of_the_other_side(alice):
    news = alice.write(ALICE, "vacation until 30 November")
    assert news.keys() == {ALICE, BOB}
    (answer,) = news[ALICE]
    assert "You will be away from" in answer


def test_help_names_the_commands_of_a_sandbox_and_none_for_opponents(alice):
    told = alice.say(ALICE, "help")
    assert "`resign` closes the sandbox." in told
    assert "offers a draw" not in told
    assert "writes to your opponents" not in told


def test_orders_are_not_kept_for_a_later_turn(people):
    letter = people.say(ALICE, "try rocknroll")
    side = "VPA" if "it is Vietnam's turn" in letter else "Vietnam"
    answer = people.say(ALICE, f"{side}: Pass")
    assert "No orders in this letter were accepted, because you have none to give now." in answer
    assert "for a later turn" not in answer


def test_a_game_master_gives_no_side_of_a_sandbox_to_somebody_else(alice):
    config = ("--config", alice.table.config.path, "--now", "2026-11-21T13:00Z")
    assert pbem(*config, "game", "replace", "oz-2", "blue", f"Bob <{BOB}>", "--reason", "so").exit_code
    assert alice.match("oz-2").holders["blue"].addresses == {ALICE}


# What is hidden is told side by side


def test_the_hands_of_all_sides_are_shown_to_their_only_player(people):
    letter = people.say(ALICE, "try rocknroll")
    match = load_match(people.table.store, 2)
    hands = match.game.holdings(match.state, "vpa"), match.game.holdings(match.state, "vietnam")
    assert all(hands)
    assert all(" ".join(name.split()) in letter for name, _ in (*hands[0], *hands[1]))


def test_ozz_is_tried_as_well(people):
    letter = people.say(ALICE, "try ozz")
    assert "Munchkins: Move ZOR GUA TIC: M1-M2" in letter
    report = people.say(ALICE, "Munchkins: Move ZOR GUA TIC: M1-M2\nWinkies: Pass")
    assert "Turn T1 has been played." in report


# From a position


def test_a_sandbox_begins_from_a_turn_of_a_game_that_has_ended(people):
    people.write(ALICE, "3 A to M")
    people.write(BOB, "2 H to S")
    finish(people)
    before = people.match().turns[0].before
    for who, command in ((ALICE, "try from oz-1 turn 1"), (BOB, "probiere Ozymandia von oz-1 Runde 1")):
        assert "It begins from the position of oz-1 before turn 1." in people.say(who, command)
    assert people.match("oz-2").state == people.match("oz-3").state == before
    assert "Turn 1 has been played." in people.say(ALICE, BOTH)


def test_without_a_turn_it_begins_from_the_last_one(people):
    people.write(ALICE, "3 A to M")
    people.write(BOB, "2 H to S")
    finish(people)
    assert "before turn 1." in people.say(ALICE, "try from oz-1")
    assert "There is no turn 7 of oz-1" in people.say(ALICE, "try from oz-1 turn 7")


def test_a_game_that_goes_on_cannot_be_tried(people):
    assert "oz-1 has not ended" in people.say(ALICE, "try from oz-1")
    assert "There is no game called oz-9" in people.say(ALICE, "try from oz-9")


def test_ones_own_sandbox_can_be_tried_and_that_of_another_does_not_exist(alice):
    alice.write(ALICE, BOTH)
    assert "the position of oz-2 before turn 1" in alice.say(ALICE, "try from oz-2 turn 1")
    assert "There is no game called oz-2" in alice.say(BOB, "try from oz-2 turn 1")


# Who looks on


def test_a_teacher_sees_nothing_before_they_agree_and_all_letters_from_then_on(alice):
    news = alice.write(ALICE, "teacher carol@example.org")
    assert news.keys() == {ALICE, CAROL}
    assert "Alice asks you to watch the sandbox oz-2" in news[CAROL][0]
    assert "Atlantea" not in news[CAROL][0]
    assert alice.write(ALICE, BOTH).keys() == {ALICE}
    news = alice.write(CAROL, "observe oz-2")
    assert "Carol watches your sandbox oz-2 from now on" in news[ALICE][0]
    assert "You watch the sandbox oz-2 of Alice now." in news[CAROL][0]
    news = alice.write(ALICE, "Red: 2 M to W")
    assert news.keys() == {ALICE, CAROL}
    assert "Red Your orders for turn 2 are in" in news[CAROL][0]


def test_a_teacher_writes_orders_and_takes_back_and_the_player_is_told(taught):
    news = taught.write(CAROL, "Blue: 2 H to S")
    for who in (ALICE, CAROL):
        assert (
            "Carol, who watches this sandbox, has sent a letter about it. Blue Your orders for turn 1" in news[who][0]
        )
    news = taught.write(ALICE, "Red: 3 A to M")
    assert all("Turn 1 has been played." in news[who][0] for who in (ALICE, CAROL))
    news = taught.write(CAROL, "undo")
    assert all("goes back to the start of turn 1" in news[who][0] for who in (ALICE, CAROL))


def test_a_yes_of_a_teacher_settles_what_they_were_asked_about_orders(taught):
    taught.write(CAROL, "Red: 3 A to M\nBlue: perhaps 2 H to S")
    news = taught.write(CAROL, "yes")
    assert all("Turn 1 has been played. Red 3 A to M Blue 2 H to S" in news[who][0] for who in (ALICE, CAROL))


def test_a_yes_of_a_teacher_to_a_question_about_themselves_is_theirs_alone(taught):
    taught.write(CAROL, "forget me")
    news = taught.write(CAROL, "yes")
    assert news.keys() == {CAROL}
    assert taught.write(ALICE, BOTH).keys() == {ALICE}


def test_orders_of_a_teacher_count_beside_a_command_that_concerns_only_them(taught):
    news = taught.write(CAROL, "Blue: 2 H to S\nstatus")
    for who in (ALICE, CAROL):
        assert "`status` was ignored, because it is not about this sandbox" in news[who][0]
        assert "Blue Your orders for turn 1 are in" in news[who][0]


@each("text", ["press: Well done\nend press", "draw"])
def test_a_teacher_hears_what_is_of_no_use_in_a_sandbox(text, taught):
    assert "is of no use in a sandbox, in which one person plays all sides." in taught.write(CAROL, text)[CAROL][0]


def test_letters_to_a_teacher_have_the_subjects_of_the_sandbox(taught):
    taught.write(ALICE, BOTH)
    assert taught.got[CAROL][-1]["Subject"] == "Ozymandia oz-2, turn 1: the report"


def test_what_a_person_asks_for_themselves_is_not_copied(taught):
    news = taught.write(ALICE, "my data")
    assert news.keys() == {ALICE}
    news = taught.write(CAROL, "my data")
    assert news.keys() == {CAROL}
    assert ALICE not in news[CAROL][0]


@each("text", ["teacher off", "lehrer aus", "resign"])
def test_a_teacher_is_sent_away(text, table):
    people = Correspondents(table)
    people.write(ALICE, "try ozymandia")
    name = people.got[ALICE][-1]["Subject"].split(":")[0].split()[-1]
    people.write(ALICE, "teacher carol@example.org")
    people.write(CAROL, f"observe {name}")
    people.write(ALICE, text)
    if text != "resign":
        assert people.write(ALICE, BOTH).keys() == {ALICE}
        people.write(CAROL, "Blue: 2 H to S")
    assert not people.match(name).standing


def test_a_teacher_leaves(taught):
    assert "Carol no longer watches your sandbox oz-2." in taught.write(CAROL, "unobserve oz-2")[ALICE][0]
    assert taught.write(ALICE, BOTH).keys() == {ALICE}


def test_a_teacher_is_no_game_master_of_the_sandbox(taught):
    answer = taught.say(CAROL, "annul oz-2 because I can")
    assert "You are not the game master" in answer
    assert taught.match("oz-2").phase == "running"


def test_nobody_watches_a_sandbox_uninvited(alice):
    assert "No game called oz-2" in alice.say(BOB, "observe oz-2")
    assert alice.write(ALICE, BOTH).keys() == {ALICE}


def test_teachers_are_only_for_sandboxes(people):
    assert "`teacher` works only in a sandbox of your own" in people.say(ALICE, "teacher carol@example.org")


# It is rated nowhere, and nobody else learns of it


def test_a_sandbox_is_not_rated_and_its_turns_are_no_attendance(alice):
    alice.write(ALICE, BOTH)
    alice.write(ALICE, "resign")
    store = alice.table.store
    with store.transaction():
        rate(store, 2)
    assert store.value("SELECT count(*) FROM ratings") == 0
    assert store.value("SELECT count(*) FROM attendance WHERE match = 2") == 0


def test_status_shows_the_sandbox_once_and_only_to_its_player(alice):
    status = alice.say(ALICE, "status")
    assert status.count("oz-2 Ozymandia, a sandbox, in which you play all sides: turn 1.") == 1
    assert "oz-2" not in alice.say(BOB, "status")


ASKED = (
    "games", "status", "observe oz-2", "record oz-2", "analysis oz-2", "puzzle oz-2", "try from oz-2", "unobserve oz-2",
    "history", "standings",
)  # fmt: skip


def told_to_bob(begun: DemoDesk, database: bytes, folder: Path, *letters: str) -> list[str]:
    """What Bob hears, byte for byte, and all pages of the archive, in a world in which Alice writes `letters`."""
    folder.mkdir()
    core = Core(begun, database, folder)
    people = Correspondents(core)
    last = people.got[ALICE][-1]
    for text in letters:
        people.write(ALICE, text, to=people.got[ALICE][-1] if letters[0].startswith("try") else last)
    for text in ASKED:
        people.write(BOB, text)
    told = [f"{letter['Subject']}\n{letter_text(letter)}" for letter in people.got[BOB]]
    site.build(core.store, folder / "site", SITE, core.now, lambda done: None)
    pages = sorted(path for path in (folder / "site").rglob("*") if path.suffix in (".html", ".json", ".xml", ".txt"))
    told += [f"{path.relative_to(folder)}\n{path.read_text('utf-8')}" for path in pages]
    core.close()
    return told


@pytest.fixture
def desk(_begun: DemoDesk, _database: bytes) -> tuple[DemoDesk, bytes]:
    """A desk with oz-1, and its database."""
    return _begun, _database


def test_two_worlds_with_and_without_a_sandbox_are_the_same_to_everybody_else(desk, tmp_path):
    with_one = told_to_bob(*desk, tmp_path / "a", "try ozymandia", BOTH, "teacher carol@example.org")
    without = told_to_bob(*desk, tmp_path / "b", "my settings", "games", "my settings")
    assert len(with_one) > len(ASKED)
    assert with_one == without


# The record, the command line


def test_a_sandbox_is_audited_and_its_record_replayed(begin, tmp_path):
    players = begin("ozymandia")
    finish(players)
    players.write(ALICE, "try from oz-1")
    for text in (BOTH, "Red: 2 M to W\nBlue: 1 S to H", "undo", "Red: Pass\nBlue: Pass", "record"):
        players.write(ALICE, text)
    with connect(players.table.config.database) as conn:
        assert [*Audit(conn).differences()] == []
    (record,) = (part for part in players.got[ALICE][-1].walk() if part.get_filename() == "oz-2.txt")
    path = tmp_path / "oz-2.txt"
    content = record.get_payload(decode=True)
    assert isinstance(content, bytes)
    path.write_bytes(content)
    assert pbem("replay", path).exit_code == 0


def test_the_command_line_begins_a_sandbox_with_a_teacher(begin):
    players = begin("ozymandia")
    config = ("--config", players.table.config.path, "--now", "2026-11-21T13:00Z")
    added = pbem(*config, "game", "new", "--sandbox", "Alice <alice@example.net>", "--teacher", f"Carol <{CAROL}>")
    assert added.output.endswith("The game is oz-2\n")
    news = players.poll(timedelta(hours=2))
    assert "sandbox oz-2" in news[ALICE][0]
    assert "Alice asks you to watch the sandbox oz-2" in news[CAROL][0]
    (shown,) = (game for game in json.loads(pbem(*config, "game", "list", "--json").output) if game["id"] == "oz-2")
    assert shown["sandbox"] is True
    assert "oz-2  ozymandia, a sandbox, turn 1, waits for red and blue\n" in pbem(*config, "game", "list").output
    assert pbem(*config, "game", "show", "oz-2").output.startswith("oz-2: Ozymandia, a sandbox, turn 1, running.")


def test_the_command_line_begins_from_no_game_that_goes_on(begin):
    players = begin("ozymandia")
    config = ("--config", players.table.config.path, "--now", "2026-11-21T13:00Z")
    said = pbem(*config, "game", "new", "--sandbox", "Alice <alice@example.net>", "--from", "oz-1")
    assert said.exit_code == 2
    assert "oz-1 has not ended" in said.output
    said = pbem(*config, "game", "new", "--red", "A <a@example.org>", "--blue", "B <b@example.org>", "--from", "oz-1")
    assert "--from is only for a sandbox: add --sandbox." in said.output


# How it ends without its player


def test_a_sandbox_that_is_written_twice_in_a_letter_begins_once(people):
    news = people.write(ALICE, "\n".join(["try ozymandia"] * 7 + ["try ozz"]))[ALICE]
    begun = [letter for letter in news if "you play all sides" in letter]
    assert [letter.partition(", sandbox ")[2][:5] for letter in begun] == ["oz-2:", "ozz-3"]


def test_a_letter_that_begins_too_many_sandboxes_is_told_so_without_names_that_are_not_known_yet(people):
    options = ("", " with board triangles", " with turn_limit 9", " with turn_limit 8", " with turn_limit 7")
    answer, *begun = people.write(ALICE, "\n".join(f"try ozymandia{one}" for one in (*options, " with turn_limit 6")))[
        ALICE
    ]
    assert "Not all of these sandboxes begin: you can have 5 at a time." in answer
    assert len(begun) == MOST


def test_who_wants_to_be_forgotten_need_not_close_their_sandboxes(taught):
    taught.write(ALICE, "resign", taught.got[ALICE][0])
    taught.write(ALICE, "yes")
    told = taught.say(ALICE, "forget me")
    assert "Should we really remove everything that identifies you?" in told
    news = taught.write(ALICE, "yes")
    assert "Your name, your addresses and your words have been removed" in news[ALICE][0]
    assert "The sandbox was closed." in news[CAROL][0]
    assert taught.match("oz-2").over


def test_a_sandbox_without_a_letter_for_a_long_time_ends_with_a_letter(desk_table):
    people = Correspondents(desk_table)
    people.write(ALICE, "try ozymandia")
    sandbox = people.got[ALICE][-1]
    people.poll(timedelta(days=89))
    people.write(ALICE, "Red: 3 A to M", sandbox)
    people.poll(timedelta(days=89))
    assert not people.match("oz-2").over
    news = people.poll(timedelta(days=2))
    assert "The sandbox was closed, because no letter to it had come for 90 days." in "".join(news[ALICE])
    assert people.match("oz-2").over
    assert not any("oz-2" in letter for who, letters in news.items() for letter in letters if who != ALICE)
    assert [*Audit(desk_table.store.conn).differences()] == []


def test_a_letter_that_has_waited_in_the_mailbox_keeps_a_sandbox(desk_table):
    people = Correspondents(desk_table)
    people.write(ALICE, "try ozymandia")
    desk_table.now += timedelta(days=91)
    people.write(ALICE, "Red: 3 A to M")
    assert not people.match("oz-2").over


@each("text", ["help", "join"])
def test_strangers_are_told_how_to_play_alone(text, table):
    (told, *_) = Correspondents(table).write_anew(CAROL, text)[CAROL]
    assert "or `try ozymandia` to play all sides yourself." in told


@each("line", ["if Blue holds S: 3 M to W", "if I lose W I resign"])
def test_conditions_are_of_no_use_in_a_sandbox_and_are_quoted_as_they_were_written(line, table):
    people = Correspondents(table)
    people.write(ALICE, "try ozymandia")
    answer = people.say(ALICE, f"Red:\n3 A to M\n{line}")
    assert f"`{line}` is of no use in a sandbox" in answer
    assert "Your orders for turn 1 are in" in answer
