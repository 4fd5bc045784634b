"""Words of letters that nobody has proven, as ours repeat them: few, and no links."""

import re
from email.message import Message

import pytest

from pbem.match.persons import SHOWN, quoted_parts, quoted_shares, without_links
from support.correspondents import ALICE, BOB, CAROL, Correspondents
from support.tables import configure

LINKS = (
    "https://evil.example/login?a=1",
    "HTTP://1.2.3.4/x",
    "www.evil.example",
    "evil.example",
    "evil.example/login",
    "müller.example",
    "xn--80ak6aa92e.xn--p1ai",
    "boss@evil.example",
    "mailto:boss@evil.example",
    "tel:110",
    "+49 30 1234567",
    "(0800) 555-1234",
    "8 800 555 35 35",
    "0301234567",
)
LINKED = re.compile(
    r"://|www\.|mailto:boss|tel:110|@evil|evil\.|(?:müller|92e|1ai)\.|\.(?:xn|example)|555|1234567|"
    r"1\.2\.3\.4"
)


@pytest.fixture
def people(table) -> Correspondents:
    return Correspondents(table)


def both_parts(letter: Message) -> str:
    """The text of a letter and its HTML, without addresses of the desk and the other players."""
    text = " ".join(
        part.get_payload(decode=True).decode() for part in letter.walk() if part.get_content_maintype() == "text"
    )
    return re.sub(r"<style.*?</style>|mailto:gm\S+|operator@example\.org|\S+@example\.net", "", text, flags=re.S)


@pytest.mark.parametrize("link", LINKS)
def test_no_link_is_left_and_no_number_to_call(link):
    assert LINKED.search(link) or link in ("tel:110",)
    said = without_links(f"Look at {link}, or ({link}): {link}")
    assert said.startswith("Look at ")
    assert not LINKED.search(said)


@pytest.mark.parametrize(
    "text",
    [
        "3 A to M; 2 W to S, bomb EC",
        "B2.Q4.1: S1 to M2-M4",
        "deadline oz-1 2026-12-01 18:00",
        "vacation 2026-12-20 to 2027-01-03",
        "vacation 20.12.2026 - 03.01.2027",
        "extend oz-1 48 hours because of 3.5 reasons",
        "press to red: hello there. How are you?",
        "§5.37 and J20",
    ],
)
def test_what_players_write_stays_as_it_is(text):
    assert without_links(text) == text


def test_a_word_that_no_person_writes_is_cut():
    assert max(map(len, without_links(f"look {'Zm9v' * 40} here").split())) < 70


def test_addresses_can_still_be_read():
    assert without_links("address bob@evil.example") == "address bob @ evil . example"


def test_no_more_than_two_hundred_characters_are_repeated():
    assert sum(map(len, quoted_parts(["word " * 30] * 10))) <= SHOWN
    assert [len(one) <= 20 for one in quoted_shares([("word " * 100, 4)] * 10)] == [True] * 10
    assert (
        quoted_shares([("gm " + "x y " * 200, 2), ("address bob@evil.example", 7)])[1] == "address bob @ evil . example"
    )


SPAM = "Your account is locked, go to https://evil.example/login or call +49 30 1234567 or write boss@evil.example. "
KINDS = {
    "words for a person": f"gm: {SPAM * 5}",
    "a command's": f"vacation 1 May to 2 May\ngm: {SPAM}\nzone evil.example",
    "press": f"press: {SPAM * 5}",
    "orders and words": f"3 A to M\n{SPAM * 5}",
    "orders that are certain": f"3 A to M\n\n{SPAM}",
    "orders and a remark": "3 A to M\nBest wishes from evil.example, or www.evil.example",
    "a complaint": f"I want to complain. {SPAM * 3}",
    "orders with links": "\n".join(f"{n} A to evil{n}.example" for n in range(20)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_no_question_whose_a_letter_is_bears_its_links_or_more_than_a_part(people, kind):
    people.write_anew(ALICE, KINDS[kind])
    said = both_parts(people.got[ALICE][-1])
    assert "only part of the letter is shown" in " ".join(said.split())
    assert not LINKED.search(said), LINKED.search(said)
    text = said.partition("<html")[0]
    assert text.count("account") + text.count(" A to ") <= 9


def test_a_refused_decision_is_told_without_its_links(people):
    people.write_anew(BOB, f"award oz-1 {SPAM.replace(',', '')}\npause oz-1 evil.example because {SPAM}\n\n-- \n{SPAM}")
    assert not LINKED.search(both_parts(people.got[BOB][-1]).replace("bob@example.com", ""))


def test_what_a_stranger_looks_up_brings_nobody_links(people):
    lines = "\n".join(f"card https://evil.example/{n} of rocknroll" for n in range(9))
    people.write_anew(CAROL, f"{lines}\ncard evil.example of rocknroll\ncard Bao of rocknroll")
    said = both_parts(people.got[CAROL][-1])
    assert not LINKED.search(said)
    assert "(Rock'n'Roll)" in said, "what there is is told"


def test_the_yes_is_to_all_of_the_letter(people):
    configure(people.table, "desk", "zone = UTC")
    words = f"gm: {'please look at the board, ' * 20}and at the end"
    people.write_anew(ALICE, words)
    assert "and at the end" in people.write(ALICE, "yes")["operator@example.org"][0]
