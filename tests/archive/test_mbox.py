"""The letters of a game as a mailbox: read by mail programs, in their threads, without addresses and tokens."""

import base64
import mailbox
import quopri
import re
from contextlib import closing
from pathlib import Path

import pytest

from pbem.archive.mbox import game_mailbox
from pbem.cli.demo import Table
from pbem.match.identity import find_tokens
from support.game_masters import say
from support.tables import play


def text(table: Table) -> bytes:
    return b"".join(game_mailbox(table.store, 1))


def read(table: Table, folder: Path) -> list[mailbox.mboxMessage]:
    """What Python's reader of mailboxes finds."""
    (folder / "game.mbox").write_bytes(text(table))
    with closing(mailbox.mbox(folder / "game.mbox")) as box:
        return list(box)


def body(letter: mailbox.mboxMessage, kind: str = "text/plain") -> str:
    (part,) = (part for part in letter.walk() if part.get_content_type() == kind)
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode()


def everything(raw: bytes) -> str:
    """A mailbox as it stands, and what it says where it is coded."""
    coded = re.findall(rb"(?:^[A-Za-z0-9+/=]{20,}\n)+", raw, re.MULTILINE)
    parts = [raw, quopri.decodestring(raw), *(base64.b64decode(one + b"==") for one in coded)]
    return "\n".join(part.decode("utf-8", "replace") for part in parts).lower()


@pytest.fixture
def over(table: Table) -> Table:
    """A game that is over, with words in it that have to be quoted, scrubbed and coded."""
    table.write("red", "press: Grüße von <alice@example.net>")
    table.write("red", "status\n\nFrom me to you: grüße von <alice@example.net>")
    play(
        table,
        "3 A to M\n\nMy e-mail at work is alice+games@example.net, or mailto:alice%40example.net at home",
        "1 H to S",
    )
    play(table)
    say(table, "award oz-1 blue because red has left")
    return table


def test_the_mailbox_has_the_letters_of_both_seats_in_order(over, tmp_path):
    letters = read(over, tmp_path)
    sides = [(letter["From"].split()[0], letter["To"].split()[0]) for letter in letters]
    assert sides[:2] == [("Ozymandia", "Red"), ("Ozymandia", "Blue")]
    assert ("Red", "Ozymandia") in sides
    assert ("Blue", "Ozymandia") in sides
    assert {name for pair in sides for name in pair} == {"Ozymandia", "Red", "Blue"}
    assert letters[0]["From"] == "Ozymandia <desk@oz-1.invalid>"
    assert letters[0]["To"] == "Red <red@oz-1.invalid>"
    assert any("3 A to M" in body(letter) for letter in letters if letter["From"].startswith("Red"))
    assert "Turn 2 is played" in body(letters[-3])
    assert all("text/calendar" not in {part.get_content_type() for part in letter.walk()} for letter in letters)


def test_answers_stand_in_the_thread_of_what_they_answer(over, tmp_path):
    letters = read(over, tmp_path)
    by_id = {letter["Message-ID"]: letter for letter in letters}
    assert len(by_id) == len(letters)
    written = [letter for letter in letters if not letter["From"].startswith("Ozymandia")]
    assert written
    for letter in written:
        answered = by_id[letter["In-Reply-To"]]
        assert answered["To"] == letter["From"]
        assert letter["References"].split()[-1] == letter["In-Reply-To"]


def test_no_address_token_or_id_of_ours_is_anywhere_in_it(over):
    raw, found = text(over), everything(text(over))
    secrets = [
        one
        for row in over.store.conn.execute("SELECT message_id FROM outbox UNION SELECT address FROM addresses")
        for one in row
    ]
    secrets += [one for (one,) in over.store.conn.execute("SELECT message_id FROM letters WHERE message_id <> ''")]
    assert secrets
    assert [one for one in secrets if one.lower() in found] == []
    assert find_tokens([*found.splitlines(), *found.split()]) == []
    assert set(re.findall(r"[\w.+-]+@[\w.-]+", quopri.decodestring(raw).decode("utf-8", "replace"))) <= {
        f"{who}@oz-1.invalid" for who in ("desk", "red", "blue", "nobody", *map(str, range(200)))
    }
    assert b"Received:" not in raw


@pytest.mark.parametrize(
    "written",
    [
        "carol@example.net",
        "CAROL@EXAMPLE.NET",
        '"carol b"@example.net',
        "mailto:carol%40example.net?subject=x",
        "SRS0=x=example.net=carol@relay.example.com",
        "o'carol@example.net",
        "(carol@example.net)",
        "carol&#64;example.net",
        "gm+1-RED-2-abcdefghijklmnop@example.org",
        "1-red-2-abcdefghijklmnop",
    ],
)
def test_an_address_or_token_is_taken_out_however_it_is_written(table, written):
    table.write("red", f"3 A to M\n\nwrite to {written} soon")
    table.poll()
    say(table, "award oz-1 blue because red has left")
    found = everything(text(table))
    assert "soon" in found
    for secret in ("example.", "carol", "abcdefghijklmnop"):
        assert secret not in found


def test_the_same_game_gives_the_same_bytes(over):
    assert text(over) == text(over)
    assert b"<style" in text(over)


def test_lines_that_begin_with_from_are_quoted_as_mboxrd_has_it(over, tmp_path):
    raw = text(over)
    assert raw.count(b"\n\nFrom ") + 1 == len(read(over, tmp_path)) == len(re.findall(rb"^From ", raw, re.MULTILINE))
    told = next(one for one in read(over, tmp_path) if one["From"].startswith("Red") and "me to you" in body(one))
    assert "From me to you" in body(told)


def test_a_game_that_goes_on_shows_reports_and_nothing_that_only_one_side_knows(table, tmp_path):
    play(table, "3 A to M", "1 H to S")
    table.write("red", "2 M to W")
    table.poll()
    letters = read(table, tmp_path)
    assert [letter["To"].split()[0] for letter in letters] == ["Red", "Blue"]
    assert b"2 M to W" not in text(table)
    assert "Turn 1 is played" in body(letters[0])


def test_what_somebody_wanted_forgotten_is_not_in_it(over, tmp_path):
    over.store.conn.execute("UPDATE outbox SET raw = x'', message_id = 'forgotten-' || id WHERE seat = 'red'")
    over.store.conn.execute("UPDATE letters SET raw = NULL WHERE seat = 'red'")
    assert {letter["To"].split()[0] for letter in read(over, tmp_path)} == {"Blue", "Ozymandia"}


def test_words_for_some_alone_are_not_in_it_nor_what_we_wrote_of_them(table):
    say(table, "tell oz-1 red: hush a by")
    table.write("red", "gm: I think that Bob peeps at Carol's letters\nend gm\n3 A to M")
    table.poll()
    table.write("blue", "1 H to S\nSpielleiter: Alice kennt den Plan")
    table.poll()
    table.write("red", "press to blue: let us share the tomatoes")
    table.poll()
    say(table, "award oz-1 blue because red has left")
    told = everything(text(table))
    for words in ("hush a by", "peeps", "kennt den plan", "tomatoes", "tomaten"):
        assert words not in told
    assert "3 a to m" in told
    assert "1 h to s" in told


@pytest.mark.parametrize("subject", ["=?utf-8?q?a=0Ab?=", "x" * 3_000, "=?utf-7?q?+2AA-?=", ""])
def test_odd_letters_do_not_keep_the_others_back(table, tmp_path, subject):
    letter = table.answer("red", "Pass\n\x00\ud7ff" + "y" * 5_000)
    letter.replace_header("Subject", subject)
    table.deliver(letter.as_bytes())
    table.poll()
    say(table, "award oz-1 blue because red has left")
    assert any("yyy" in body(one) for one in read(table, tmp_path))
