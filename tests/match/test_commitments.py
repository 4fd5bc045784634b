"""Seals of order lists: who is told what of somebody's orders, and when."""

import hashlib
import re
from datetime import timedelta
from email.message import Message

from pbem.cli.demo import DemoDesk
from pbem.config.config import read_key
from pbem.match.commitments import order_commitment
from pbem.match.terms import Terms, dump_terms
from pbem.orders.command import Decision
from pbem.service.desk import Desk
from pbem.store.database import Store
from pbem.store.matches import load_match
from support.desks import flat

DAYS = timedelta(days=3)


def notices(letters: list[tuple[str, Message]]) -> list[tuple[str, str]]:
    return [(seat, flat(letter)) for seat, letter in letters if "sealed-" in letter["Message-ID"]]


def write(table: DemoDesk, seat: str, text: str) -> list[tuple[str, Message]]:
    table.write(seat, text)
    return table.poll()


def seal(store: Store, seat: str) -> str:
    match = load_match(store, 1)
    return order_commitment(match.name, match.turn, seat, match.standing[seat])


def test_the_opponent_is_told_the_seal_and_nothing_else(table):
    ((seat, text),) = notices(write(table, "red", "3 A to M"))
    assert seat == "blue"
    assert "Alice (Red) has sent orders for turn 1; they are sealed." in text
    assert seal(table.store, "red") in text
    nonce = load_match(table.store, 1).standing["red"].nonce
    assert re.fullmatch("[0-9a-f]{32}", nonce)
    assert nonce not in text
    assert "3 A to M" not in text


def told(letter: Message, kind: str, name: str | None = None) -> list[str]:
    """The parts of a kind, each as text; of files those of a name."""
    found = [part for part in letter.walk() if (part.get_content_type(), part.get_filename()) == (kind, name)]
    return [part.get_payload(decode=True).decode().replace("\r\n", "\n") for part in found]


def test_seals_are_one_file_and_one_line_of_text_and_page_in_the_language_of_the_reader(table):
    write(table, "blue", "language deutsch")
    letters = [*write(table, "red", "3 A to M"), *write(table, "blue", "2 H to S")]
    for seat, letter in letters:
        (file,) = told(letter, "text/plain", "seals.txt")
        (text,), (page,) = told(letter, "text/plain"), told(letter, "text/html")
        words = {"red": "Attached: seals.txt, with which anyone can check later", "blue": "Beigelegt: seals.txt."}
        assert (text.count(words[seat]), page.count(words[seat])) == (1, 1)
        assert not re.search("[0-9a-f]{32}", text + page)
        assert "sealed-" in letter["Message-ID"] or ("SHA-256-Summe" in file) == (seat == "blue")
    assert [seat for seat, _ in letters] == ["red", "blue", "red", "blue"]


def test_a_letter_with_nothing_to_prove_has_no_file_of_seals(table):
    ((_, letter),) = write(table, "red", "help")
    assert told(letter, "text/plain", "seals.txt") == []
    assert "seals.txt" not in letter.as_string()


def test_lines_of_the_file_are_whole_so_that_their_hashes_can_be_checked(table):
    ((_, receipt), _) = write(table, "red", "1 A to AC, 1 A to M, 1 A to Z; Bomb EC")
    (file,) = told(receipt, "text/plain", "seals.txt")
    ((hashed, line),) = re.findall(r"([0-9a-f]{64})\n(.*)\n", file)
    assert len(line) > 72
    assert hashlib.sha256(line.encode()).hexdigest() == hashed


def test_a_notice_says_how_things_stand_for_its_reader_and_can_be_answered_with_orders(table):
    ((_, text),) = notices(write(table, "red", "3 A to M"))
    assert "Reply with your orders by Tuesday 24 November 2026" in text
    write(table, "blue", "2 H to S")
    assert load_match(table.store, 1).turn == 2


def test_of_second_thoughts_the_others_hear_in_the_report_alone(table):
    ((_, first),) = notices(write(table, "red", "3 A to M"))
    assert notices(write(table, "red", "withdraw")) == []
    assert notices(write(table, "red", "2 A to M")) == []
    last = seal(table.store, "red")
    assert last not in first
    report = dict(write(table, "blue", "2 H to S"))["blue"]
    assert f"Red {last}" in flat(report)
    assert (
        "Red wrote more than once: this seal is that of the last orders, and you may have got another one before."
        in flat(report)
    )


def test_nothing_is_told_of_orders_that_are_looked_at_refused_or_given_and_taken_back_at_once(table):
    assert notices(write(table, "red", "check: 3 A to M")) == []
    assert notices(write(table, "red", "9 A to M")) == []
    table.write("red", "3 A to M")
    table.write("red", "withdraw")
    assert notices(table.poll()) == []


def test_no_notice_goes_out_when_the_turn_is_played_in_the_same_run(table):
    table.write("red", "3 A to M")
    table.write("blue", "2 H to S")
    letters = table.poll()
    assert notices(letters) == []
    assert sum("report" in letter["Message-ID"] for _, letter in letters) == 2


def test_a_yes_to_a_notice_still_means_the_correction_before_it(table):
    table.write("blue", "2 Halcyona to S")
    table.write("red", "3 A to M")
    table.poll()
    assert "sealed-" in table.last["blue"]["Message-ID"]
    write(table, "blue", "yes")
    assert load_match(table.store, 1).turn == 2


def test_nobody_is_told_where_the_terms_say_so(table):
    terms = dump_terms(Terms(sealed=False))
    table.store.conn.execute(
        "UPDATE matches SET terms = json(?)", (str(terms).replace("'", '"').replace("False", "false"),)
    )
    assert notices(write(table, "red", "3 A to M")) == []


def test_orders_that_the_turn_waits_for_again_after_a_rollback_are_told_again(table):
    write(table, "red", "3 A to M")
    write(table, "blue", "2 H to S")
    write(table, "red", "Pass")
    with table.store.transaction():
        desk_of(table).decide(Decision("rollback", "oz-1", "1", "for a test"))
    table.poll()
    assert len(notices(write(table, "red", "3 A to M"))) == 1


def desk_of(table: DemoDesk) -> Desk:
    return Desk(table.config, table.store, table.now, "", read_key(table.config.desk.key_file))


def test_the_report_opens_the_seals_of_both_sides(table):
    write(table, "red", "3 A to M")
    red = seal(table.store, "red")
    for _, letter in write(table, "blue", "2 H to S"):
        if "report" in letter["Message-ID"]:
            (file,) = told(letter, "text/plain", "seals.txt")
            assert f"Red   {red}\noz-1 1 red " in file
            assert re.search(r"^Blue  [0-9a-f]{64}\noz-1 1 blue [0-9a-f]{32} 2 H to S\n\n\* [0-9a-f]{64}$", file, re.M)


def test_two_lists_of_one_letter_and_the_same_list_twice_have_different_nonces(table):
    write(table, "red", "3 A to M")
    first = load_match(table.store, 1).standing["red"].nonce
    write(table, "red", "3 A to M")
    assert load_match(table.store, 1).standing["red"].nonce != first


def test_a_reply_of_an_autoresponder_to_a_notice_comes_to_nothing(table):
    write(table, "red", "3 A to M")
    away = table.answer("blue", "I am away.")
    away["Auto-Submitted"] = "auto-replied"
    table.deliver(away.as_bytes())
    assert table.poll() == []


def test_a_notice_is_in_the_language_of_its_reader(table):
    write(table, "blue", "sprache deutsch")
    ((_, text),) = notices(write(table, "red", "3 A to M"))
    assert "Die Befehle von Alice (Rot) für Runde 1 sind da und versiegelt." in text
