"""A desk on Maildirs, played by letters: what goes in, what comes out, and that nothing is told to the wrong person."""

import re
from datetime import UTC, datetime, timedelta
from email.message import Message
from email.mime.text import MIMEText

import pytest

from pbem import PbemError
from pbem.cli.demo import DemoDesk, letter_text
from pbem.config.config import Address, load_config, read_key
from pbem.i18n.words import hints
from pbem.match.terms import Terms
from pbem.service.desk import Desk, make_desk
from pbem.store.database import Store, connect
from pbem.store.matches import load_match
from pbem.times.deadlines import Deadline
from support.desks import thread
from support.tables import play

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
FIVE_CITIES = ("2 A to AC", "1 AC to MC", "2 W to WC", "1 WC to UC", "1 UC to EC")


def answers(letters: list[tuple[str, Message]], seat: str) -> list[str]:
    return [letter_text(letter) for to, letter in letters if to == seat]


def answer_to(table: DemoDesk, seat: str, text: str) -> str:
    """The one letter that comes back."""
    table.write(seat, text)
    (reply,) = answers(table.poll(), seat)
    return " ".join(reply.split())


def send(table: DemoDesk, letter: MIMEText, **headers: str) -> list[tuple[str, Message]]:
    for name, value in headers.items():
        del letter[name]
        letter[name] = value
    table.deliver(letter.as_bytes())
    return table.poll()


def turn(table: DemoDesk) -> int:
    return load_match(table.store, 1).turn


def test_both_players_are_invited_with_the_first_map(tmp_path):
    table = DemoDesk(tmp_path / "desk", NOON)
    letters = table.poll()
    assert [seat for seat, _ in letters] == ["red", "blue"]
    for seat, letter in letters:
        text = letter_text(letter)
        assert text.startswith("== Answer above this line ==\n")
        assert f"you play {seat.capitalize()}" in text
        assert "Tuesday 24 November 2026, 12:00 UTC" in " ".join(text.split())
        assert all(len(line) <= 72 and (line.isascii() or line in hints("en")) for line in text.splitlines())
    table.close()


def test_a_turn_is_played_as_soon_as_both_have_written(table):
    table.write("red", "3 A to M")
    (receipt,) = answers(table.poll(), "red")
    assert "receipt 1-1" in receipt
    assert turn(table) == 1
    table.write("blue", "3 H to S; Bomb M")
    letters = table.poll()
    assert [seat for seat, _ in letters] == ["red", "blue"]
    assert turn(table) == 2
    report = answers(letters, "red")[0]
    assert "3 A to M" in report
    assert "3 H to S; Bomb M" in report


def test_the_opponent_learns_nothing_of_orders_before_the_turn_is_played(table):
    table.write("red", "3 A to M; Bomb EC")
    table.write("blue", "status\n2 Q to X")
    for text in answers(table.poll(), "blue"):
        assert "3 A to M" not in text
        assert "Bomb EC" not in text.replace("Bomb EC`", "").split("for example:")[0]


def test_a_second_letter_of_the_same_run_replaces_the_first(table):
    table.write("red", "3 A to M")
    table.write("red", "2 A to AC")
    table.write("blue", "Pass")
    letters = table.poll()
    assert "replaces receipt 1-1" in " ".join(answers(letters, "red")[1].split())
    assert load_match(table.store, 1).state.pieces["red"]["AC"] == 2


def test_wrong_orders_leave_the_earlier_ones_standing_and_yes_sends_the_correction(table):
    table.write("red", "3 A to M")
    table.poll()
    refusal = answer_to(table, "red", "3 Atlantae to Mu, Bomb EC")
    assert "those of receipt 1-1 still stand: 3 A to M" in refusal
    assert "3 A to M; Bomb EC" in refusal
    receipt = answer_to(table, "red", "yes")
    assert "receipt 1-2, which replaces receipt 1-1" in receipt
    assert load_match(table.store, 1).standing["red"].canonical == "3 A to M; Bomb EC"


def test_yes_sends_the_correction_of_the_very_letter_it_answers(table):
    table.write("red", "3 A to Muu")
    table.poll()
    first = table.last["red"]
    table.write("red", "2 W to Muu")
    table.poll()
    send(table, table.answer("red", "yes", to=first))
    assert load_match(table.store, 1).standing["red"].canonical == "3 A to M"


def test_yes_to_a_letter_that_proposes_nothing_changes_nothing(table):
    assert "No question is open" in answer_to(table, "red", "yes")
    assert not load_match(table.store, 1).standing


def test_withdraw_takes_orders_back_so_that_the_turn_waits(table):
    table.write("red", "3 A to M")
    table.poll()
    assert "have been withdrawn" in answer_to(table, "red", "withdraw")
    table.write("blue", "Pass")
    table.poll()
    assert turn(table) == 1
    assert "nothing to withdraw" in answer_to(table, "red", "withdraw")


def test_status_and_help_are_answered_at_once(table):
    status = answer_to(table, "red", "status")
    assert "oz-1" in status
    assert "against Bob" in status
    assert "turn 1 is waiting for your orders" in status
    help_text = answer_to(table, "red", "help")
    assert "withdraw" in help_text
    assert "3 A to M" in help_text


def test_a_missed_deadline_is_no_move_and_is_told_as_missed(table):
    table.write("red", "3 A to M")
    table.poll()
    table.now += timedelta(days=3)
    report = " ".join(answers(table.poll(), "blue")[0].split())
    assert "no orders came" in report
    assert turn(table) == 2
    assert load_match(table.store, 1).deadline == Deadline(datetime(2026, 11, 27, 12, 15))


def test_letters_that_lie_in_the_mailbox_count_even_after_the_deadline(table):
    table.write("red", "3 A to M")
    table.write("blue", "3 H to S")
    table.now += timedelta(days=30)
    assert "no orders came" not in answers(table.poll(), "red")[-1]


def test_no_turn_is_missed_while_the_mailbox_cannot_be_read(table):
    table.write("red", "3 A to M")
    inbox = table.config.mailbox.place.path
    inbox.rename(inbox.with_name("gone"))
    table.now += timedelta(days=30)
    with pytest.raises(PbemError, match="cannot be fetched"):
        table.poll()
    assert turn(table) == 1
    inbox.with_name("gone").rename(inbox)
    table.poll()
    assert str(load_match(table.store, 1).state) == "2 red M6 W3 bombs 3 blue V3 H3 E3 bombs 3"


def test_a_game_without_deadline_waits_for_ever(tmp_path):
    table = DemoDesk(tmp_path / "desk", NOON, every=None)
    table.poll()
    table.now += timedelta(days=3000)
    assert table.poll() == []
    assert turn(table) == 1
    table.close()


def play_to_the_end(table: DemoDesk) -> list[tuple[str, Message]]:
    letters: list[tuple[str, Message]] = []
    for orders in FIVE_CITIES:
        table.write("red", orders)
        table.write("blue", "Pass")
        letters = table.poll()
    return letters


def test_the_end_of_the_game_is_told_to_both_and_later_orders_are_answered(table):
    letters = play_to_the_end(table)
    assert "You have won" in answers(letters, "red")[-1]
    assert "Alice (Red) has won" in answers(letters, "blue")[-1]
    late = answer_to(table, "blue", "3 H to S")
    assert "the game is over" in late
    assert "receipt" not in late


def test_an_old_turns_reply_address_brings_no_orders_into_the_new_turn(table):
    invitation = table.last["red"]
    table.write("red", "Pass")
    table.write("blue", "Pass")
    table.poll()
    (text,) = answers(send(table, table.answer("red", "3 A to M", to=invitation)), "red")
    assert "answers a letter of turn 1, and turn 2 is waiting" in " ".join(text.split())
    assert not load_match(table.store, 1).standing


def test_the_right_address_with_a_wrong_token_is_told_so_at_the_address_on_file(table):
    letter = table.answer("red", "3 A to M")
    forged = re.sub(r"[a-z2-7]{16}@", "a" * 16 + "@", str(letter["To"]))
    letters = send(table, letter, To=forged, References="<x@example.org>", **{"In-Reply-To": "<x@example.org>"})
    assert len(letters) == 1
    assert "not valid" in letter_text(letters[0][1])
    assert not load_match(table.store, 1).standing


def test_a_letter_without_a_token_is_asked_which_game_it_means(table):
    letter = table.answer("red", "3 A to M")
    letters = send(table, letter, To="pbem@example.org", References="<x@y>", **{"In-Reply-To": "<x@y>"})
    assert "Are these your orders for oz-1" in letter_text(letters[0][1])
    assert letters[0][1]["To"].endswith("<alice@example.net>")
    assert not load_match(table.store, 1).standing


def test_the_token_of_another_seat_plays_nothing_and_its_holder_is_told(table):
    letters = send(table, table.answer("blue", "3 H to S"), From="Alice <alice@example.net>")
    assert not load_match(table.store, 1).standing
    to_bob = next(letter for _, letter in letters if "bob@" in letter["To"])
    assert "came from another mail address" in letter_text(to_bob)
    assert "alice" not in letter_text(to_bob).lower().replace("alice is red", "")
    to_alice = next(letter for _, letter in letters if "alice@" in letter["To"])
    told = " ".join(letter_text(to_alice).split())
    assert "a reply address that is not yours" in told
    assert "you play Red against Bob" in told


def test_a_stranger_is_told_nothing_of_any_game(table):
    for text in ("3 A to M", "status", "Dear Sir, our offer for you: games, join now, play and win"):
        assert (
            send(
                table,
                table.answer("red", text),
                From="Mallory <m@example.com>",
                To="pbem@example.org",
                References="",
                **{"In-Reply-To": ""},
            )
            == []
        )
    letters = send(table, table.answer("red", "3 A to M"), From="Mallory <m@example.com>")
    assert [letter["To"] for _, letter in letters] == ["Alice <alice@example.net>"]
    assert not load_match(table.store, 1).standing


def test_an_empty_letter_is_not_a_pass_and_gets_help(table):
    text = answer_to(table, "red", "")
    assert "neither orders nor a command" in text
    assert "You can send orders, write to Bob after `press:`, or write to the game master after `gm:`." in text
    assert not load_match(table.store, 1).standing


def test_prose_is_listed_as_not_read_as_orders(table):
    text = answer_to(table, "red", "Hi Bob,\n3 A to M\nit rains here\ngood luck")
    assert 'Taken as remarks, not as orders: "it rains here"' in text


def test_a_letter_without_a_text_part_is_told_so(table):
    from email.mime.application import MIMEApplication

    letter = MIMEApplication(b"3 A to M", "pdf")
    for name, value in table.answer("red", "").items():
        if not name.lower().startswith(("content", "mime")):
            letter[name] = value
    table.deliver(letter.as_bytes())
    (text,) = answers(table.poll(), "red")
    assert "We found no text" in text


def test_a_letter_of_five_megabytes_is_read_as_far_as_its_orders_go(table):
    from email.mime.application import MIMEApplication
    from email.mime.multipart import MIMEMultipart

    letter = MIMEMultipart()
    small = table.answer("red", "3 A to M")
    for name, value in small.items():
        if not name.lower().startswith(("content", "mime")):
            letter[name] = value
    letter.attach(MIMEText("3 A to M\n"))
    letter.attach(MIMEApplication(bytes(5_000_000)))
    table.deliver(letter.as_bytes())
    receipt = " ".join(answers(table.poll(), "red")[0].split())
    assert "receipt 1-1" in receipt
    assert "Only the beginning of this long letter was read (cut at 256 kB)" in receipt


def test_the_same_letter_counts_once_however_often_it_arrives(table):
    letter = table.answer("red", "3 A to M").as_bytes()
    table.deliver(letter)
    table.deliver(letter)
    table.deliver(b"Received: from somewhere\n" + letter)
    assert [seat for seat, _ in table.poll()] == ["red", "blue"]  # the receipt, and the notice that they are in
    assert load_match(table.store, 1).standing["red"].number == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Return-Path", "<>"),
        ("Auto-Submitted", "auto-replied"),
        ("Auto-Submitted", "auto-generated"),
    ],
)
def test_orders_in_a_letter_that_is_surely_automatic_are_used_and_not_answered(table, name, value):
    letter = table.answer("red", "3 A to M")
    del letter[name]
    letter[name] = value
    table.deliver(letter.as_bytes())
    assert [seat for seat, _ in table.poll()] == ["blue"]  # the notice that they are in
    assert load_match(table.store, 1).standing["red"].canonical == "3 A to M"


def test_orders_in_a_letter_with_nothing_but_the_subject_of_a_machine_are_used_and_answered(table):
    sent = send(table, table.answer("red", "3 A to M"), Subject="Out of office: oz-1")
    assert [seat for seat, _ in sent] == ["red", "blue"]
    assert "receipt 1-1" in " ".join(answers(sent, "red"))


MARKS = [
    ("List-Unsubscribe", "<mailto:off@example.com>"),
    ("List-Id", "<alice.example.com>"),
    ("Precedence", "bulk"),
    ("X-Autorespond", "yes"),
]
"""What some providers put into all letters of people."""


@pytest.mark.parametrize(("name", "value"), MARKS)
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("3 A to M", "receipt 1-1"),
        ("3 A to Xanadu", "No orders in this letter were accepted"),
        ("status", "turn 1 is waiting for your"),
        ("Hello,\nwait", "eadline"),
        ("Who holds Mu?", "Mu (M): Red, 3 pieces."),
        ("next turn: 3 A to M", "are kept until it begins"),
    ],
)
def test_orders_and_commands_in_a_letter_with_weak_signs_of_a_machine_are_used_and_answered(
    table, name, value, text, told
):
    assert told in " ".join(answers(send(table, table.answer("red", text), **{name: value}), "red"))


@pytest.mark.parametrize(("name", "value"), MARKS)
@pytest.mark.parametrize("text", ["I am away until Monday.", "", "Your letter has arrived. We will see to it."])
def test_a_letter_with_weak_signs_of_a_machine_and_neither_orders_nor_commands_is_not_answered(
    table, name, value, text
):
    assert send(table, table.answer("red", text), **{name: value}) == []


@pytest.mark.parametrize("text", ["status", "3 A to M", "3 A to Nowhere", "Who holds Mu?"])
def test_a_machine_with_weak_signs_that_answers_each_answer_is_answered_three_times(table, text):
    answered = 0
    for _ in range(12):
        answered += len(answers(send(table, table.answer("red", text), Precedence="bulk"), "red"))
        table.now += timedelta(minutes=10)
    assert answered == 3
    table.now += timedelta(hours=1)
    assert len(answers(send(table, table.answer("red", "2 A to AC"), Precedence="bulk"), "red")) == 1


def test_a_letter_of_nobody_with_weak_signs_of_a_machine_is_not_answered(table):
    table.deliver(b"From: stranger@example.net\nTo: gm@example.org\nPrecedence: bulk\n\njoin\n")
    assert table.poll() == []


@pytest.mark.parametrize("local", ["postmaster", "noreply+x", "bounces", "no-reply"])
def test_a_player_with_an_address_like_a_programs_can_play(table, local):
    table.store.conn.execute("UPDATE addresses SET address = ? WHERE player = 1", (f"{local}@example.com",))
    letter = table.answer("red", "3 A to M\nwait")
    letter.replace_header("From", f"{local}@example.com")
    table.deliver(letter.as_bytes())
    told = dict(table.poll())
    assert any("receipt 1-1" in letter_text(letter) for letter in told.values())
    match = load_match(table.store, 1)
    assert match.standing["red"].canonical == "3 A to M"
    assert match.wishes == {"wait": frozenset({"red"})}


@pytest.mark.parametrize(
    "text", ["I am away until Monday.", "3 A to Nowhere", "resign", "3 A to M\n9 Z to M", "I will pass your letter on."]
)
def test_an_automatic_letter_without_orders_that_can_be_played_is_neither_obeyed_nor_answered(table, text):
    before = load_match(table.store, 1)
    assert send(table, table.answer("red", text), **{"Auto-Submitted": "auto-replied"}) == []
    assert load_match(table.store, 1) == before


def test_what_an_automatic_letter_repeats_of_ours_is_not_taken_for_orders(table):
    ours = letter_text(table.last["red"])
    (example,) = re.findall(r"^ +(\d A to \S.*)$", ours, re.M)[:1]
    assert send(table, table.answer("red", example), **{"Auto-Submitted": "auto-replied"}) == []
    assert not load_match(table.store, 1).standing


def test_an_automatic_letter_from_another_address_is_neither_used_nor_held(table):
    letter = table.answer("red", "3 A to M")
    letter.replace_header("From", "mallory@elsewhere.example")
    assert send(table, letter, Precedence="bulk") == []
    assert not load_match(table.store, 1).standing
    assert table.store.conn.execute("SELECT count(*) FROM letters WHERE state = 'held'").fetchone() == (0,)


def test_an_autoresponder_that_nothing_gives_away_is_answered_three_times(table):
    answered = 0
    for _ in range(12):
        table.write("red", "I am away until Monday. Your letter is important to me.")
        answered += len(table.poll())
        table.now += timedelta(hours=1)
    assert answered == 3
    table.write("red", "Here I am again.")
    assert [seat for seat, _ in table.poll()] == ["red"]


def test_who_writes_the_same_orders_or_words_again_is_a_person_and_is_answered(table):
    for turn in range(1, 6):
        play(table)
        assert load_match(table.store, 1).turn == turn + 1
    for _ in range(6):
        assert len(answers(send(table, table.answer("red", "status")), "red")) == 1
        table.now += timedelta(hours=1)


def test_a_side_with_nothing_left_is_answered_and_not_waited_for(tmp_path):
    table = DemoDesk(tmp_path / "desk", NOON)
    table.poll()
    match = load_match(table.store, 1)
    data = match.game.dump(match.state)
    assert set(data["pieces"]) == {"red", "blue"}
    data["pieces"]["blue"], data["bombs"]["blue"] = {}, 0
    import json

    table.store.conn.execute("UPDATE matches SET state = ?, waiting = 1", (json.dumps(data),))
    text = answer_to(table, "blue", "3 H to S")
    assert "because you have none to give now" in text
    table.write("red", "Pass")
    table.poll()
    assert turn(table) == 2
    table.close()


def test_a_turn_limit_ends_the_game_as_a_draw(tmp_path):
    table = DemoDesk(tmp_path / "desk", NOON, turn_limit=1)
    table.poll()
    table.write("red", "Pass")
    table.write("blue", "Pass")
    assert "The game is a draw" in answers(table.poll(), "red")[-1]
    table.close()


def test_replies_of_a_game_are_one_thread(table):
    root = thread(table.last["red"])
    table.write("red", "Pass")
    table.write("blue", "Pass")
    for seat, letter in table.poll():
        assert letter["Subject"].startswith("Ozymandia oz-1")
        assert (thread(letter) == root) == (seat == "red")


def test_no_letter_shows_an_address_of_the_other_player(table):
    table.write("red", "3 A to M")
    table.write("blue", "help\nstatus")
    for seat, letter in table.poll():
        other = "bob@example.com" if seat == "red" else "alice@example.net"
        assert other not in letter.as_string()


def test_nobody_has_missed_a_turn_while_letters_cannot_be_fetched(table):
    inbox = table.config.mailbox.place.path
    table.write("red", "3 A to M")
    inbox.rename(inbox.with_name("away"))
    table.now += timedelta(days=4)
    with pytest.raises(PbemError, match="cannot be fetched"):
        table.poll()
    assert turn(table) == 1
    inbox.with_name("away").rename(inbox)
    assert "3 A to M" in answers(table.poll(), "blue")[-1]
    assert turn(table) == 2


def test_a_player_without_a_name_is_called_by_his_side_and_never_by_his_address(tmp_path):
    config = load_config(make_desk(tmp_path / "desk"))
    store = Store(connect(config.database))
    seats = {"red": Address("", "alice@example.net"), "blue": Address("", "bob@example.com")}
    Desk(config, store, NOON, "", read_key(config.desk.key_file)).new_game("ozymandia", seats, {}, Terms())
    invitations = [raw.decode() for (raw,) in store.conn.execute("SELECT raw FROM outbox ORDER BY id")]
    assert "you play Red, Blue plays Blue" in invitations[0]
    assert "bob@" not in invitations[0]
    store.conn.close()


def test_an_answer_below_a_quote_without_marks_is_told_apart_by_the_letter_we_sent(table):
    letter = table.answer("red", "")
    quoted = letter_text(table.last["red"])
    del letter["Content-Transfer-Encoding"]
    letter.set_payload(
        f"-----Original Message-----\nFrom: Game Desk <gm@example.org>\nSent: Saturday, 21 November 2026 12:05\n"
        f"To: Alice\nSubject: Ozymandia oz-1\n\n{quoted}\n\n3 A to M; Bomb EC\n",
        "utf-8",
    )
    (text,) = answers(send(table, letter), "red")
    assert "receipt 1-1" in text
    assert load_match(table.store, 1).standing["red"].canonical == "3 A to M; Bomb EC"
