"""A game as a mailbox: read by mail programs, in threads, with what everybody may know of it and nothing else."""

import base64
import mailbox
import quopri
import re
from contextlib import closing
from pathlib import Path

import pytest

from pbem.archive.mbox import game_mailbox
from pbem.cli.demo import DemoDesk
from pbem.match.identity import find_tokens
from support.game_masters import say
from support.tables import play, standing
from support.trials import NOON, match_of


def text(table: DemoDesk, *, press: bool = True) -> bytes:
    return b"".join(game_mailbox(table.store, 1, press=press))


def read(table: DemoDesk, folder: Path) -> list[mailbox.mboxMessage]:
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
def over(table: DemoDesk) -> DemoDesk:
    """A game that is over, with words in it that have to be quoted, scrubbed and coded."""
    table.write("red", "press: Grüße von <alice@example.net>\n\nFrom me to you")
    play(
        table,
        "3 A to M\n\nMy e-mail at work is alice+games@example.net, and mailto:alice%40example.net at home",
        "1 H to S",
    )
    play(table)
    say(table, "award oz-1 blue because red has left")
    return table


def test_the_mailbox_has_the_orders_of_both_seats_and_what_came_of_them_in_order(over, tmp_path):
    letters = read(over, tmp_path)
    told = [(letter["From"].split()[0], letter["Subject"].partition(": ")[2]) for letter in letters]
    assert told == [
        ("Ozymandia", "Start"),
        ("Red", "Press"), ("Red", "Turn 1"), ("Blue", "Turn 1"), ("Ozymandia", "Turn 1"),
        ("Red", "Turn 2"), ("Blue", "Turn 2"), ("Ozymandia", "Turn 2"),
        ("Ozymandia", "Told"), ("Ozymandia", "Result"),
    ]  # fmt: skip
    assert letters[0]["From"] == "Ozymandia <desk@oz-1.invalid>"
    assert letters[0]["To"] == "All players <players@oz-1.invalid>"
    assert letters[2]["From"] == "Red <red@oz-1.invalid>"
    assert letters[2]["To"] == "Ozymandia <desk@oz-1.invalid>"
    assert body(letters[2]) == "3 A to M\n"
    assert "Red, Alice  3 A to M" in body(letters[4])
    assert "| M  Red 6" in body(letters[4])
    assert "Blue won" in body(letters[-1])


def test_answers_stand_in_the_thread_of_what_they_answer(over, tmp_path):
    letters = read(over, tmp_path)
    by_id = {letter["Message-ID"]: letter for letter in letters}
    assert len(by_id) == len(letters)
    first, *others = letters
    assert first["In-Reply-To"] is None
    for letter in others:
        assert by_id[letter["In-Reply-To"]]["From"].startswith("Ozymandia")
        assert letter["References"] == letter["In-Reply-To"]


def everywhere(table: DemoDesk, secret: str) -> bool:
    """Whether something stands in the mailbox for everybody, or in the one with press."""
    return any(secret in everything(text(table, press=press)) for press in (False, True))


@pytest.mark.parametrize("is_over", [False, True])
def test_only_what_everybody_may_know_is_in_it_whatever_was_written(table, is_over):
    for words in ("gm: I think Bob colludes.", "press: We shall see.", "turn 2: 2 M to W", "what if red marches?"):
        table.write("red", words)
        table.poll()
    play(table, "3 A to M", "1 H to S")
    assert standing(table)["red"] == "2 M to W"
    say(table, "tell oz-1 red: I shall look into that.\nend tell")
    table.write("red", "no draw, I would rather have chocolate")
    table.poll()
    if is_over:
        say(table, "award oz-1 blue because red has left")
    for secret in ("colludes", "look into", "2 m to w", "marches", "chocolate"):
        assert not everywhere(table, secret), secret
    assert "3 a to m" in everything(text(table, press=False))
    assert "we shall see" not in everything(text(table, press=False))
    assert "we shall see" in everything(text(table))


def test_what_somebody_wanted_forgotten_is_not_in_it(over):
    for words in ("forget me", "yes"):
        over.write("red", words)
        over.poll()
    assert not everywhere(over, "alice")
    assert not everywhere(over, "from me to you")


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
        f"{who}@oz-1.invalid" for who in ("desk", "players", "red", "blue", "nobody", *map(str, range(200)))
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
    table.write("red", f"press: write to {written} soon")
    table.poll()
    say(table, "award oz-1 blue because red has left")
    found = everything(text(table))
    assert "soon" in found
    for secret in ("example.", "carol", "abcdefghijklmnop"):
        assert secret not in found


def test_the_same_game_gives_the_same_bytes(over):
    assert text(over) == text(over)


def test_lines_that_begin_with_from_are_quoted_as_mboxrd_has_it(over, tmp_path):
    raw = text(over)
    assert raw.count(b"\n\nFrom ") + 1 == len(read(over, tmp_path)) == len(re.findall(rb"^From ", raw, re.MULTILINE))
    told = next(one for one in read(over, tmp_path) if one["Subject"].endswith("Press"))
    assert "From me to you" in body(told)


def test_a_game_that_goes_on_shows_turns_that_are_played(table, tmp_path):
    play(table, "3 A to M", "1 H to S")
    table.write("red", "2 M to W")
    table.poll()
    assert [letter["Subject"].partition(": ")[2] for letter in read(table, tmp_path)] == ["Start", *["Turn 1"] * 3]


def test_a_war_with_hidden_hands_can_be_taken_out_while_it_goes_on(tmp_path):
    with closing(DemoDesk(tmp_path / "desk", NOON, "rocknroll")) as war:
        war.poll()
        (seat,) = match_of(war).missing()
        war.write(seat, "Pass")
        war.poll()
        told = everything(text(war))
        assert "turn 1" in told
        assert "sealed" in told


def test_words_for_some_alone_are_not_in_it_nor_what_we_wrote_of_them(table):
    say(table, "tell oz-1 red: hush a by")
    table.write("red", "gm: I think that Bob peeps at Carol's letters\nend gm\n3 A to M")
    table.poll()
    table.write("blue", "1 H to S\nSpielleiter: Alice kennt den Plan")
    table.poll()
    table.write("red", "press to blue: let us share the tomatoes")
    table.poll()
    say(table, "award oz-1 blue because red has left")
    for words in ("hush a by", "peeps", "kennt den plan"):
        assert not everywhere(table, words)
    told = everything(text(table, press=False))
    assert "tomatoes" not in told
    assert "3 a to m" in told
    assert "1 h to s" in told


@pytest.mark.parametrize("words", ["Hello \x00\ud7ff" + "y" * 5_000, "=?utf-8?q?a=0Ab?= yyy", "=?utf-7?q?+2AA-?= yyy"])
def test_odd_words_do_not_keep_the_others_back(table, tmp_path, words):
    table.write("red", f"press: {words}")
    table.poll()
    assert any("yyy" in body(one) for one in read(table, tmp_path))
