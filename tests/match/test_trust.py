"""Who wrote: letters that are held, levels of trust, limits of answers, mail that comes back, new keys."""

import email
from collections import Counter
from datetime import UTC, datetime, timedelta
from email.message import Message
from itertools import pairwise

import pytest
from click.testing import CliRunner

from pbem.cli.demo import DemoDesk, answer_letter, letter_text
from pbem.cli.main import main
from pbem.config.config import Address, read_key
from pbem.store.matches import load_match
from support.correspondents import Correspondents
from support.game_masters import GINA
from support.tables import configure, play, send, standing

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
ALICE = "alice@example.net"
VOUCHED = "mx.example.org; dkim=pass header.d=example.net; spf=pass smtp.mailfrom=alice@example.net"


def texts(letters: list[tuple[str, Message]], to: str) -> list[str]:
    return [" ".join(letter_text(letter).split()) for _, letter in letters if to in letter["To"]]


def run(table: DemoDesk, *words: str):
    moment = f"{table.now:%Y-%m-%dT%H:%MZ}"
    return CliRunner().invoke(main, ["--config", str(table.config.path), "--now", moment, *words])


# Another address


def test_a_letter_from_an_unknown_address_is_held_until_the_seats_own_says_yes(table):
    (warning,) = texts(send(table, "red", "3 A to M", From="A. <alice@work.example>"), "alice@example.net")
    assert "alice@work.example" in warning
    assert not standing(table)
    table.write("red", "yes")
    released, receipt = texts(table.poll(), "alice@example.net")
    assert "counts from now on" in released
    assert "receipt 1-1" in receipt
    assert standing(table) == {"red": "3 A to M"}


def test_the_address_is_known_only_when_it_has_answered_a_letter_of_ours(table):
    send(table, "red", "3 A to M", From="alice@work.example")
    table.write("red", "yes")
    letters = table.poll()
    (question,) = [letter for _, letter in letters if "alice@work.example" in letter["To"]]
    (warning,) = texts(send(table, "red", "2 W to M", From="alice@work.example"), "alice@example.net")
    assert "It is held" in warning
    assert standing(table) == {"red": "3 A to M"}
    last = table.last["red"]
    table.deliver(answer_letter(question, Address("A.", "alice@work.example"), "yes", table.now).as_bytes())
    (told,) = texts(table.poll(), "alice@example.net")
    assert "From now on alice@work.example is yours" in told
    table.last["red"] = last
    letters = send(table, "red", "2 W to M", From="alice@work.example")
    assert [letter["To"] for seat, letter in letters if seat == "red"] == ["Alice <alice@work.example>"]
    assert standing(table) == {"red": "2 W to M"}


def test_a_held_letter_ranks_by_the_time_of_the_yes(table):
    send(table, "red", "3 A to M", From="alice@work.example")
    warning = table.last["red"]
    table.write("red", "2 W to M")
    table.poll()
    table.deliver(table.answer("red", "yes", to=warning).as_bytes())
    table.poll()
    assert standing(table) == {"red": "3 A to M"}


def test_a_yes_from_the_unknown_address_itself_releases_nothing(table):
    send(table, "red", "3 A to M", From="mallory@example.com")
    send(table, "red", "yes", From="mallory@example.com")
    assert not standing(table)


def test_a_seat_whose_letter_is_held_has_not_missed_its_turn(table):
    send(table, "red", "3 A to M", From="alice@work.example")
    table.write("blue", "Pass")
    table.now += timedelta(days=10)
    table.poll()
    assert load_match(table.store, 1).turn == 1


@pytest.mark.parametrize("line", ["alice@example.net <alice@example.net>", "Smith, Alice <alice@example.net>"])
def test_an_imperfect_line_of_ones_own_counts(table, line):
    (receipt,) = texts(send(table, "red", "3 A to M", From=line), "alice@example.net")
    assert "receipt 1-1" in receipt
    assert standing(table) == {"red": "3 A to M"}


def test_a_newcomer_with_an_imperfect_line_is_answered(table):
    bare = {"To": "gm@example.org", "References": "", "In_Reply_To": ""}
    letters = send(table, "red", "join ozymandia", From="O'Brien, Sean <sean.o'brien@example.net>", **bare)
    assert [letter["To"] for _, letter in letters] == ["<sean.o'brien@example.net>"]


@pytest.mark.usefixtures("desk_table")
def test_a_line_that_names_two_people_is_explained_to_the_seat_and_shown_to_the_operator(table):
    line = "Alice <alice@example.net>, Mallory <mallory@example.com>"
    (told,) = texts(send(table, "red", "3 A to M", From=line), "alice@example.net")
    assert "its From line has no address, or more than one" in told
    send(table, "red", "join", From=line, To="gm@example.org", References="", In_Reply_To="")
    assert not standing(table)
    shown = run(table, "letters").output.splitlines()
    assert [one.partition("  handled")[2] for one in shown] == [
        ", red of oz-1: not used: From is not exactly one address",
        ": not used: From is not exactly one address",
    ]
    assert not run(table, "letters", "--set-aside").stdout


def test_a_letter_from_another_players_address_is_not_held_and_shows_him_to_nobody(table):
    letters = send(table, "blue", "3 H to S", From="Alice <alice@example.net>")
    (warning,) = texts(letters, "bob@example.com")
    assert "alice@example.net" not in warning
    table.write("blue", "yes")
    table.poll()
    assert not standing(table)


# Levels


def test_a_desk_that_asks_for_signed_letters_uses_only_those_that_the_provider_vouches_for(table):
    configure(table, "mailbox", "authserv_id = mx.example.org")
    configure(table, "desk", "trust = signed")
    (refused,) = texts(send(table, "red", "3 A to M"), "alice@example.net")
    assert "does not confirm" in refused
    assert not standing(table)
    send(table, "red", "3 A to M", Authentication_Results=VOUCHED.replace("mx.example.org", "mx.evil.example"))
    assert not standing(table)
    send(table, "red", "3 A to M", Authentication_Results=VOUCHED)
    assert standing(table) == {"red": "3 A to M"}


@pytest.mark.usefixtures("desk_table")
def test_a_desk_that_trusts_addresses_takes_orders_without_a_token_where_there_is_only_one_game(table):
    configure(table, "desk", "trust = address")
    bare = {"To": "gm@example.org", "References": "", "In_Reply_To": ""}
    send(table, "red", "3 A to M", **bare)
    assert standing(table) == {"red": "3 A to M"}
    assert run(table, "game", "new", "--red", "Alice <alice@example.net>", "--blue", "C <c@example.org>").exit_code == 0
    table.poll()
    (asked, *_) = texts(send(table, "red", "2 W to M", **bare), "alice@example.net")
    assert "does not say which game" in asked
    assert standing(table) == {"red": "3 A to M"}


# Strangers and limits


def test_a_stranger_whom_his_provider_vouches_for_is_answered_once_a_day(table):
    configure(table, "mailbox", "authserv_id = mx.example.org")
    stranger = {"From": "S <s@example.net>", "To": "gm@example.org", "References": "", "In_Reply_To": ""}
    vouched = {"Authentication_Results": VOUCHED}
    assert send(table, "red", "status", **stranger) == []
    (letter,) = texts(send(table, "red", "status", **stranger, **vouched), "s@example.net")
    assert "does not know yours" in letter
    assert "oz-1" not in letter
    assert send(table, "red", "again", **stranger, **vouched) == []
    table.now += timedelta(days=1)
    assert len(send(table, "red", "once more", **stranger, **vouched)) == 1


def test_letters_without_a_token_get_six_answers_an_hour_and_the_last_one_says_so(table):
    bare = {"To": "gm@example.org", "References": "", "In_Reply_To": ""}
    got = [texts(send(table, "red", f"status\nplease {n}", **bare), "alice@example.net") for n in range(9)]
    assert [len(one) for one in got] == [1] * 6 + [0] * 3
    assert "last answer for an hour" in got[5][0]
    assert "last answer" not in got[4][0]


def test_a_proven_game_master_hears_of_every_decision_what_came_of_it(table):
    people = Correspondents(table)
    people.write_anew(GINA.address, "status\nextend oz-1 1 day because Bob is ill")
    people.write(GINA.address, "yes")
    for number in range(1, 12):
        told = people.write(GINA.address, f"extend oz-{number + 98} {number} days because Bob is ill")
        assert "was not done" in told[GINA.address][0], number
        assert "last answer" not in told[GINA.address][0]


def test_whoever_proves_who_they_are_gets_sixty_answers_an_hour_also_without_a_game(table):
    people = Correspondents(table)
    people.write_anew(ALICE, "zone Tokyo")
    own = people.write(ALICE, "yes") and people.got[ALICE][-1]
    assert all(people.write(ALICE, f"zone {zone}", to=own)[ALICE] for zone in ("Paris", "Rome", "Berlin", "London") * 2)


def test_a_seat_gets_sixty_receipts_an_hour_and_then_one_letter_for_all_the_rest(table):
    for n in range(65):
        table.write("red", f"{1 + n % 3} A to M\n{'very ' * n}best wishes")
    letters = texts(table.poll(), "alice@example.net")
    assert len(letters) == 60
    assert "last answer for an hour" in letters[-1]
    assert standing(table) == {"red": "2 A to M"}
    assert table.poll() == []
    table.now += timedelta(hours=1)
    (digest,) = texts(table.poll(), "alice@example.net")
    assert "so many letters" in digest
    assert "2 A to M" in digest
    assert table.poll() == []


def sent(table: DemoDesk) -> int:
    """How many letters have gone out by now."""
    return table.store.conn.execute("SELECT count(*) FROM outbox WHERE sent IS NOT NULL").fetchone()[0]


def stranger(table: DemoDesk, address: str, text: str = "join", name: str = "") -> None:
    """A letter of somebody unknown, which anybody may have written."""
    letter = f"From: {name} <{address}>\nTo: gm@example.org\nMessage-ID: <{address}>\n\n{text}\n"
    table.deliver(letter.encode())


@pytest.mark.usefixtures("desk_table")
def test_six_hundred_forged_wishes_to_join_bring_at_most_twenty_letters_and_players_an_hour(table):
    before = sent(table)
    for n in range(600):
        stranger(table, f"somebody-{n}@victim{n}.example")
    table.poll()
    assert sent(table) - before == 20
    (players,) = table.store.conn.execute("SELECT count(*) FROM players WHERE confirmed IS NULL").fetchone()
    (held,) = table.store.conn.execute("SELECT count(*) FROM letters WHERE state = 'held'").fetchone()
    assert (players, held) == (20, 20)
    for hours in range(1, 21):
        table.now += timedelta(hours=1)
        table.poll()
        assert sent(table) - before == min(20 * (hours + 1), 60)


def test_addresses_with_dots_and_plus_signs_are_one_person_who_is_asked_three_times_a_day(table):
    before = sent(table)
    for address in ("victim@example.net", "v.ictim+1@example.net", "V.I.C.T.I.M@example.net", "victim+a.b@EXAMPLE.net"):
        stranger(table, address)
    table.poll()
    assert sent(table) - before == 3


def test_a_letter_to_a_stranger_bears_no_word_of_theirs_in_its_head(table):
    stranger(table, "victim@example.net", name="Cheap pills now")
    ((_, asked),) = table.poll()
    assert asked["To"] == "<victim@example.net>"
    assert "pills" not in asked.as_string()


def test_who_was_told_how_to_join_may_do_so_on_the_same_day(table):
    configure(table, "desk", "trust = address")
    stranger(table, "s@example.net", "hello")
    assert "does not know yours" in texts(table.poll(), "s@example.net")[0]
    stranger(table, "s@example.net", "join\nplease")
    table.deliver(b"From: s@example.net\nTo: gm@example.org\n\njoin\n")
    letters = texts(table.poll(), "s@example.net")
    assert ["answer `yes`" in one for one in letters] == [True, True]


def test_forged_letters_keep_no_game_master_from_being_asked_about_their_own(table):
    before = sent(table)
    for n in range(9):
        stranger(table, "operator@example.org", f"pause oz-1 because {n}")
    table.poll()
    assert sent(table) - before == 6
    stranger(table, "operator@example.org", "pause oz-1 because of the holidays")
    asked = [letter for _, letter in table.poll()]
    assert "holidays" in letter_text(asked[-1])
    assert sent(table) - before == 6
    table.now += timedelta(hours=1)
    table.poll()
    assert sent(table) - before == 10
    table.deliver(answer_letter(asked[-1], Address("", "operator@example.org"), "yes", table.now).as_bytes())
    table.poll()
    match = load_match(table.store, 1)
    assert match.phase == "paused"


def test_a_flood_of_forged_letters_brings_sixty_questions_a_day_and_the_last_says_what_to_do(table):
    for n in range(80):
        stranger(table, "operator@example.org", f"pause oz-1 because {n}")
    letters = [" ".join(letter_text(letter).split()) for _, letter in table.poll()]
    assert len(letters) == 60
    assert "write it in a reply to this letter" in letters[-1]
    assert "write it in a reply" not in letters[-2]


def test_answers_to_forged_letters_leave_room_for_those_to_ones_own(table):
    bare = {"To": "gm@example.org", "References": "", "In_Reply_To": ""}
    for n in range(8):
        send(table, "red", f"status\nplease {n}", **bare)
    own = table.store.conn.execute("SELECT raw FROM outbox WHERE kind = 'unproven' ORDER BY id LIMIT 1").fetchone()
    asked = email.message_from_bytes(own[0])
    table.deliver(answer_letter(asked, Address("Alice", "alice@example.net"), "status", table.now).as_bytes())
    assert len(texts(table.poll(), "alice@example.net")) == 1


def test_six_letters_with_a_leaked_reply_address_do_not_use_up_the_questions_of_the_seat(table):
    for n in range(6):
        forge(table, n)
    table.poll()
    forge(table, 7, text="3 A to M", sender="alice@work.example")
    ((_, question),) = table.poll()
    assert "alice@work.example" in letter_text(question)
    table.now += timedelta(minutes=10)
    table.poll()
    assert not table.store.conn.execute("SELECT 1 FROM outbox WHERE sent IS NULL").fetchone()
    table.deliver(table.answer("red", "yes", to=question).as_bytes())
    table.poll()
    assert standing(table) == {"red": "3 A to M"}


# Mail that comes back

BOUNCE = """\
From: MAILER-DAEMON@example.net
To: gm@example.org
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

I'm sorry, your letter could not be delivered.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example.net

Final-Recipient: rfc822; alice@example.net
Action: {action}
Status: {status}
--b
Content-Type: message/rfc822

Message-ID: {id}
Subject: Ozymandia oz-1

--b--
"""


def bounce(table: DemoDesk, action: str = "failed", status: str = "5.1.1") -> list[tuple[str, Message]]:
    table.deliver(BOUNCE.format(action=action, status=status, id=table.last["red"]["Message-ID"]).encode())
    return table.poll()


def test_a_delivery_report_tells_the_game_master_once_whose_mail_fails(table):
    ((_, letter),) = bounce(table)
    assert letter["To"].endswith("<operator@example.org>")
    assert "Letters to Alice (Red) in oz-1 bounce" in " ".join(letter_text(letter).split())
    assert bounce(table) == []


def test_once_the_seat_is_heard_of_again_a_new_failure_is_news(table):
    bounce(table)
    table.write("red", "status")
    table.poll()
    assert len(bounce(table)) == 1


def test_a_delay_is_no_failure(table):
    assert bounce(table, "delayed", "4.4.1") == []
    assert len(bounce(table)) == 1


def test_a_report_about_a_letter_that_is_not_ours_tells_nobody_anything(table):
    table.deliver(BOUNCE.format(action="failed", status="5.1.1", id="<1-red-1-aaaaaaaaaaaaaaaa@x>").encode())
    assert table.poll() == []


# Keys


@pytest.mark.usefixtures("desk_table")
def test_a_new_key_ends_all_older_addresses_and_everybody_gets_a_new_one(table):
    before = read_key(table.config.desk.key_file)
    old = table.last["red"]
    result = run(table, "rekey", "--yes")
    assert result.exit_code == 0, result.output
    assert "2 letters" in result.output
    assert read_key(table.config.desk.key_file) != before
    assert table.config.desk.key_file.stat().st_mode & 0o077 == 0
    letters = table.poll()
    assert "new reply addresses" in texts(letters, "alice@example.net")[0]
    table.deliver(table.answer("red", "3 A to M", to=old).as_bytes())
    (answer,) = texts(table.poll(), "alice@example.net")
    assert "not valid" in answer
    table.deliver(table.answer("red", "3 A to M", to=next(one for seat, one in letters if seat == "red")).as_bytes())
    table.poll()
    assert standing(table) == {"red": "3 A to M"}


# Letters that wait for somebody


@pytest.mark.usefixtures("desk_table")
def test_letters_that_wait_are_listed_and_their_text_only_when_asked_for(table):
    send(table, "red", "3 A to M, my secret", From="alice@work.example")
    listed = run(table, "letters")
    assert "held, red of oz-1" in listed.output
    assert "secret" not in listed.output
    assert run(table, "letters", "--set-aside").stdout == ""
    shown = run(table, "letters", "--show")
    assert "my secret" in shown.output
    kinds = [kind for (kind,) in table.store.conn.execute("SELECT kind FROM record ORDER BY id")]
    assert kinds[-1] == "letter shown"


@pytest.mark.usefixtures("desk_table")
def test_a_letter_that_was_set_aside_is_handled_again_when_the_operator_says_so(table, monkeypatch):
    with monkeypatch.context() as broken:
        broken.setattr("pbem.match.receive.reader.read_orders", lambda *_: 1 / 0)
        table.write("red", "3 A to M")
        with pytest.raises(Exception, match="was set aside"):
            table.poll()
    told = table.store.conn.execute("SELECT kind, recipient FROM outbox ORDER BY id DESC LIMIT 2").fetchall()
    assert told == [("game master", "operator@example.org"), ("answer", "alice@example.net")]
    (number,) = table.store.conn.execute("SELECT id FROM letters WHERE state = 'set aside'").fetchone()
    assert f"{number}  " in run(table, "letters", "--set-aside").output
    assert run(table, "letters", "retry", str(number)).exit_code == 0
    table.poll()
    assert standing(table) == {"red": "3 A to M"}
    assert run(table, "letters", "retry", str(number)).exit_code == 2
    assert run(table, "letters", "retry", "999").exit_code == 1


@pytest.mark.usefixtures("desk_table")
def test_the_game_master_hears_once_a_day_that_letters_of_a_seat_were_set_aside(table, monkeypatch):
    monkeypatch.setattr("pbem.match.receive.reader.read_orders", lambda *_: 1 / 0)
    told = []
    for day in range(2):
        for number in range(3):
            table.write("red", f"{number + 1} A to M on day {day}")
            with pytest.raises(Exception, match="was set aside"):
                table.poll()
        query = "SELECT kind FROM outbox WHERE kind IN ('game master', 'answer')"
        told.append(Counter(kind for (kind,) in table.store.conn.execute(query)))
        table.now += timedelta(days=1)
    assert told == [{"answer": 3, "game master": 1}, {"answer": 6, "game master": 2}]


def test_a_yes_to_another_letter_or_to_none_does_not_own_to_a_held_one(table):
    invitation = table.last["red"]
    table.write("red", "3 A to M")
    table.poll()
    receipt = table.last["red"]
    send(table, "red", "Pass", From="eve@evil.example")
    for letter in (invitation, receipt):
        table.deliver(table.answer("red", "yes", to=letter).as_bytes())
        (answer,) = texts(table.poll(), "alice@example.net")
        assert "1 a held letter from eve@evil.example" in answer
    (answer,) = texts(send(table, "red", "yes", References="", In_Reply_To=""), "alice@example.net")
    assert "1 a held letter from eve@evil.example" in answer
    assert standing(table) == {"red": "3 A to M"}


def forge(table: DemoDesk, number: int, *, text: str = "", sender: str = "eve@evil.example") -> None:
    """Somebody has the reply address of Red."""
    letter = table.answer("red", text or f"{number}", to=table.last["red"])
    table.deliver(b"X-Number: %d\n" % number + letter.as_bytes().replace(b"alice@example.net", sender.encode()))


def test_letters_that_are_held_never_put_off_a_letter_for_the_seat_itself(table):
    for n in range(8):
        forge(table, n)
    assert len(table.poll()) == 8
    table.now += timedelta(hours=2)
    assert table.poll() == []


@pytest.mark.usefixtures("desk_table")
def test_every_letter_has_a_subject_for_its_reader_and_an_id_without_colons(table):
    run(table, "rekey", "--yes")
    letters = [*table.poll(), *bounce(table)]
    assert [letter["Subject"] for _, letter in letters] == [
        "Ozymandia oz-1",
        "Ozymandia oz-1",
        "For the game master of oz-1",
    ]
    assert not any(":" in letter["Message-ID"] for _, letter in letters)


# Loops


def test_the_same_illegal_orders_in_turn_after_turn_are_refused_each_time(table):
    play(table, "1 A to M")
    for _ in range(2):
        table.now += timedelta(hours=1)
        play(table, "1 A to M")
    table.now += timedelta(hours=1)
    (refused,) = texts(send(table, "red", "1 A to M"), ALICE)
    assert "1 A to M" in refused
    assert load_match(table.store, 1).turn == 4
    assert not load_match(table.store, 1).standing


@pytest.mark.usefixtures("desk_table")
def test_the_same_words_in_each_of_four_games_are_answered_in_each(table):
    games = [table.last["red"]]
    for _ in range(3):
        new = ("game", "new", "--red", "Alice <alice@example.net>", "--blue", "Bob <bob@example.com>")
        assert run(table, *new).exit_code == 0
        games += [letter for seat, letter in table.poll() if seat == "red"]
    assert len(games) == 4
    for letter in games:
        table.deliver(table.answer("red", "3 A to Nowhere", to=letter).as_bytes())
        assert len(texts(table.poll(), ALICE)) == 1


@pytest.mark.usefixtures("desk_table")
def test_the_same_question_once_in_each_turn_is_answered_each_time(table):
    for _ in range(6):
        assert len(texts(send(table, "red", "When is the deadline?"), ALICE)) == 1
        table.now += timedelta(hours=1)
        entered = run(table, "game", "orders", "oz-1", "red: Pass", "--reason", "by telephone")
        assert entered.exit_code == 0
        table.write("blue", "Pass")
        table.poll()
    assert load_match(table.store, 1).turn == 7


def test_a_robot_that_counts_its_letters_is_answered_more_and_more_seldom(table):
    told = []
    for number in range(144):
        letters = send(table, "red", f"Ticket {number}: we got your letter")
        told += [table.now for one in texts(letters, ALICE) if "We found neither orders nor a command" in one]
        table.now += timedelta(minutes=30)
    assert 6 < len(told) < 15
    apart = [later - earlier for earlier, later in pairwise(told)]
    assert apart[:-1] == sorted(apart[:-1])  # then the next turn begins
    assert apart[-2] >= timedelta(hours=16)


def test_who_writes_words_that_say_nothing_to_us_in_each_turn_is_told_so_once_in_each(table):
    for number in range(7):
        assert texts(send(table, "red", f"Ticket {number}: we got your letter"), ALICE)
        table.now += timedelta(minutes=5)
        play(table)
