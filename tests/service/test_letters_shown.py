"""What a game master sees of a game's letters when a dispute has to be decided, and what never."""

import json
import mailbox
from collections.abc import Sequence
from contextlib import closing
from email.header import Header

import pytest
from click.testing import CliRunner

from pbem.cli.demo import BOB, DemoDesk, letter_text
from pbem.cli.main import main
from pbem.mail.mime import decode_words
from support.game_masters import GINA, last_to, say
from support.tables import play, send
from support.trials import add_trial, hand, match_of, told, trial_table
from support.trials import play as finish


def run(table: DemoDesk, *words: str):
    moment = f"{table.now:%Y-%m-%dT%H:%MZ}"
    return CliRunner().invoke(main, ["--config", str(table.config.path), "--now", moment, *words])


def asked(table: DemoDesk, words: str) -> str:
    """What the game master is answered, in one line."""
    return " ".join(letter_text(last_to(say(table, words), GINA.address)).split())


def attached(letters: Sequence) -> str:
    letter = last_to(letters, GINA.address)
    return "".join(
        part.get_payload(decode=True).decode() for part in letter.walk() if part.get_filename() == "oz-1-letters.txt"
    )


def test_a_master_sees_what_was_written_how_it_was_read_and_what_became_of_it(table):
    table.write("red", "Dear desk,\n3 A to Q\nhow far is that?")
    table.write("blue", "Pass\nI hope that is right.")
    table.poll()
    table.write("red", "3 A to M")
    table.poll()
    text = asked(table, "letters oz-1 1")
    assert "Letter 1: Red, 2026-11-21 12:0" in text
    assert "It came from alice@example.net during turn 1. Refused" in text
    assert "Dear desk," in text
    assert "3 A to Q" in text
    assert "^" in text
    assert "receipt 1-1; turn 1 was played from them. Text: | Pass | I hope that is right." in text
    assert "Read as: Pass" in text


def test_orders_that_others_have_replaced_are_shown_with_those_that_have(table):
    table.write("red", "2 A to M")
    table.poll()
    table.write("red", "3 A to M")
    play(table, "", "Pass")
    text = asked(table, "letters oz-1")
    assert "receipt 1-1; replaced by later ones. Text: | 2 A to M" in text
    assert "receipt 1-2; turn 1 was played from them. Text: | 3 A to M" in text
    assert "ends here. Read as: 3 A to M" in text


def test_no_letter_of_the_turn_that_is_played_is_shown_whatever_turn_it_answers(table):
    old = dict(table.last)
    play(table)
    table.write("red", "3 A to M, this is secret")
    table.deliver(table.answer("blue", "2 A to M, secret as well", to=old["blue"]).as_bytes())
    table.poll()
    found = [asked(table, words) for words in ("letters oz-1", "letters oz-1 1", "letters oz-1 2")]
    assert [text for text in found if "secret" in text or "A to M" in text] == []
    assert "It came after turn 1 was played." in found[1]
    assert "secret" not in run(table, "letters", "oz-1").output
    assert "secret" not in run(table, "letters", "oz-1", "1", "--raw").output
    play(table, "Pass", "Pass")
    assert "Too late: it answers turn 1, during turn 2." in asked(table, "letters oz-1 turn 1")


def test_of_a_letter_that_came_too_late_its_way_is_shown_at_once_and_nothing_that_it_says(table):
    old = dict(table.last)
    play(table)
    late = table.answer("blue", "2 A to M, zebra", to=old["blue"])
    late.replace_header("Subject", "3 W to U, zebra")
    late["Received"] = "from mx.example.net by mx.example.org; Sat, 21 Nov 2026 11:59:00 +0000"
    table.deliver(late.as_bytes())
    table.poll()
    file = " ".join(attached(say(table, "letters oz-1 1")).split())
    assert "by mx.example.org; Sat, 21 Nov 2026 11:59:00 +0000" in file
    assert "zebra" not in file
    raw = run(table, "letters", "oz-1", "1", "--raw").output
    assert "by mx.example.org" in raw
    assert "zebra" not in raw


def test_the_letters_of_a_turn_that_is_taken_back_stay_to_be_seen_and_those_of_the_new_one_wait(table):
    play(table)
    play(table, "3 A to M", "Pass")
    table.write("red", "3 W to U")
    say(table, "rollback oz-1 2 because of a quarrel")
    table.write("red", "2 A to M")
    for turn in ("2", ""):
        shown = asked(table, f"letters oz-1 {turn}")
        assert "3 A to M" in shown
        assert "3 W to U" not in shown  # turn 3 was never played
        assert "2 A to M" not in shown
    play(table, "2 A to M", "Pass")
    shown = asked(table, "letters oz-1 2")
    assert "3 A to M" in shown
    assert "2 A to M" in shown


def test_of_a_game_that_is_taken_back_to_its_start_the_letters_stay_to_be_seen(table):
    play(table, "3 A to M", "Pass")
    say(table, "rollback oz-1 1 because of a quarrel")
    assert "3 A to M" in asked(table, "letters oz-1 1")
    assert "oz-1 has not come to turn 2." in asked(table, "letters oz-1 2")


def test_a_letter_of_another_address_that_nobody_has_owned_is_shown_as_held(table):
    send(table, "red", "3 A to M", From="A. <alice@work.example>")
    table.write("red", "Pass")
    play(table, "Pass", "Pass")
    text = asked(table, "letters oz-1 1")
    assert "from alice@work.example during turn 1. Held" in text


def test_letters_come_along_whole_but_for_reply_addresses(table):
    token = table.last["red"]["Reply-To"].partition("+")[2].partition("@")[0]
    play(table, "3 A to M\nwith kind regards", "Pass")
    file = attached(say(table, "letters oz-1 1"))
    assert "with kind regards" in file
    assert "From: Alice <alice@example.net>" in file
    assert "==== Letter 1, 2026-11-21T12:0" in file
    assert token
    assert token not in file


def test_reply_addresses_are_left_out_of_encoded_headers_too(table):
    last = table.last["red"]
    token = last["Reply-To"].partition("+")[2].partition("@")[0]
    subject = Header(f"Партия {last['Message-ID']}", "utf-8").encode()
    send(table, "red", "3 A to M", Subject=subject, In_Reply_To=subject)
    play(table, "3 A to M", "Pass")
    file = attached(say(table, "letters oz-1 1"))
    assert "Партия <" in file
    assert token not in decode_words(file)


def test_the_operator_gets_them_as_they_came_for_a_file(table, tmp_path):
    play(table, "3 A to M\nFrom now on I wish you luck", "Pass")
    (tmp_path / "box").write_bytes(run(table, "letters", "oz-1", "1", "--raw").stdout_bytes)
    with closing(mailbox.mbox(tmp_path / "box")) as box:
        first, second = box
    assert first["From"] == "Alice <alice@example.net>"
    assert second["From"] == "Bob <bob@example.com>"


def test_the_operator_sees_how_they_were_read(table):
    play(table, "3 A to M\nwith kind regards", "Pass")
    said = run(table, "letters", "OZ-1", "1")
    assert said.exit_code == 0
    assert "red, from alice@example.net, in turn 1" in said.output
    assert "Read as: 3 A to M" in said.output
    assert "with kind regards" in said.output


def test_the_record_says_who_has_looked_at_what(table):
    play(table)
    asked(table, "letters oz-1 1")
    run(table, "letters", "oz-1")
    rows = table.store.conn.execute(
        "SELECT content FROM record JOIN record_contents ON record = id WHERE kind = 'decision'"
    )
    first, second = (json.loads(content) for (content,) in rows)
    assert (first["decision"], first["argument"], first["by"].startswith("player")) == ("letters", "1", True)
    assert (second["decision"], second["argument"], second["by"]) == ("letters", "", "operator")


def test_nobody_else_may_look(table):
    play(table, "3 A to M", "Pass")
    answer = letter_text(last_to(say(table, "letters oz-1", who=BOB), BOB.address))
    assert "You are not the game master of a game" in answer
    assert "3 A to M" not in answer


def test_the_german_word_does_the_same(table):
    play(table, "3 A to M", "Pass")
    assert "3 A to M" in asked(table, "Briefe oz-1 1")


@pytest.mark.parametrize("words", ["oz-9", "oz-1 0", "oz-1 x"])
def test_letters_of_a_game_or_turn_that_cannot_be(table, words):
    said = run(table, "letters", *words.split())
    assert said.exit_code in (1, 2)
    assert not said.stdout
    assert "Traceback" not in said.output


def test_letters_of_somebody_forgotten_are_named_as_gone(table):
    play(table, "3 A to M\nwith kind regards", "Pass")
    say(table, "annul oz-1 because of a quarrel")
    table.write("red", "forget me")
    table.poll()
    table.write("red", "yes")
    table.poll()
    text = asked(table, "letters oz-1")
    assert "asked to be forgotten" in text
    assert "kind regards" not in text


def test_of_a_hidden_game_that_goes_on_nobodys_words_are_shown(tmp_path, monkeypatch):
    add_trial(monkeypatch)
    table = trial_table(tmp_path / "desk")
    (seat,) = match_of(table).missing()
    bid = f"Ставлю {max(hand(table, seat))} золота"
    told(table, seat, f"{bid}\nmy secret garden is full of roses")
    text = letter_text(last_to(say(table, "letters tr-1 1"), GINA.address))
    assert "receipt 1-1" in " ".join(text.split())
    assert "shown when the game is over" in " ".join(text.split())
    assert "secret" not in text
    assert bid not in text
    assert "secret" not in run(table, "letters", "tr-1", "1", "--raw").output
    assert "secret" not in run(table, "letters", "tr-1", "1").output
    finish(table)
    text = letter_text(last_to(say(table, "letters tr-1 1"), GINA.address))
    assert "my secret garden is full of roses" in text


@pytest.mark.parametrize("head", ["", "Am 21.11.2026 um 12:00 schrieb Desk: "])
def test_a_quote_that_a_program_has_put_on_one_line_is_no_doubt(table: DemoDesk, head: str) -> None:
    quoted = " ".join(letter_text(table.last["red"]).split())
    headers = table.answer("red", "").as_string().partition("\n\n")[0].replace("base64", "8bit")
    table.deliver(f"{headers}\n\n3 M to S\n\n{head}{quoted}\n".encode())
    table.poll()
    assert table.match().standing["red"].canonical == "3 M to S"
