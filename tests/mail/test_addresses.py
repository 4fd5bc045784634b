"""Addresses as people and programs write them: one reader for all of them, and one form for each address."""

import pytest

from pbem import PbemError
from pbem.config.config import parse_address
from pbem.leagues.league_file import parse_player
from pbem.mail.addresses import find_addresses, is_address, leads_to
from pbem.match.identity import PersonError, parse_person
from pbem.match.names import named_person
from support.each import each

READERS = (
    parse_person,
    named_person,
    parse_player,
    lambda text: parse_address(text, "--red"),
)
"""All that read a name and an address that somebody has written down."""


@each(
    ("text", "name", "address"),
    [
        ("Sean <sean.o'brien@example.net>", "Sean", "sean.o'brien@example.net"),
        ("Seán O'Brien <Sean.O'Brien@Example.net>", "Seán O'Brien", "Sean.O'Brien@Example.net"),
        ("Seán O’Brien <sean@o-brien.example>", "Seán O’Brien", "sean@o-brien.example"),
        ("Alice <alice@müller.example>", "Alice", "alice@xn--mller-kva.example"),
        ("Alice <Alice@MÜLLER.example>", "Alice", "Alice@xn--mller-kva.example"),
        ("Alice <alice@mu\u0308ller.example>", "Alice", "alice@xn--mller-kva.example"),
        ("Alice <alice@xn--mller-kva.example>", "Alice", "alice@xn--mller-kva.example"),
        ("Иван <ivan@почта.рф>", "Иван", "ivan@xn--80a1acny.xn--p1ai"),
        ("Asha <asha@डाकिया.example>", "Asha", "asha@xn--11bx7b2cce.example"),
        ('"Smith, Al" <al@example.org>', "Smith, Al", "al@example.org"),
        ("Smith, Al <al@example.org>", "Smith, Al", "al@example.org"),
        ("Dr: Al <al@example.org>", "Dr: Al", "al@example.org"),
        ('Al "The Fox" Smith <al@example.org>', 'Al "The Fox" Smith', "al@example.org"),
        ("Al (at work) <al@example.org>", "Al (at work)", "al@example.org"),
        ("Al <al@example.org>.", "Al", "al@example.org"),
    ],
)
def test_every_reader_reads_the_same_name_and_address(text: str, name: str, address: str) -> None:
    assert {tuple(read(text)) for read in READERS} == {(name, address)}


@each(
    ("text", "address"),
    [
        ("bob@example.org", "bob@example.org"),
        ("<bob@example.org>", "bob@example.org"),
        ("bob@example.org.", "bob@example.org"),
        ("bob@example.org!", "bob@example.org"),
        ("(bob@example.org)", "bob@example.org"),
        ("bob@example.org (Bob)", "bob@example.org"),
        ("bob@example.org <mailto:bob@example.org>", "bob@example.org"),
        ("<mailto:bob@example.org>", "bob@example.org"),
        ("o'brien@müller.example", "o'brien@xn--mller-kva.example"),
    ],
)
def test_an_address_alone_is_read_with_the_signs_that_programs_and_sentences_add(text: str, address: str) -> None:
    assert parse_person(text).address == address


@each(
    "text",
    [
        "",
        "Bob",
        "bob@example.org please",
        "bob@example.org if he is there",
        "Bob bob@example.org",
        "bob@example.org, carol@example.org",
        "Bob <bob@example.org>, Carol <carol@example.org>",
        "Bob <carol@example.org> <bob@example.org>",
        "bob@example.org <carol@example.org>",
        "Bob <bob@example.org",
        "Bob <bob@@example.org>",
        "Bob <bob@exa_mple.org>",
        "Bob <böb@example.org>",
        "Bob <bob@.example.org>",
        "Bob <bob@exam ple.org>",
        f"Bob <bob@{'ü' * 60}.example>",
    ],
)
def test_what_is_not_exactly_one_address_is_refused_by_every_reader(text: str) -> None:
    for read in READERS:
        with pytest.raises(PbemError):
            read(text)


def test_an_address_that_others_give_has_a_domain_with_a_dot() -> None:
    with pytest.raises(PersonError, match="is not a name and address"):
        parse_person("bob@localhost")
    assert parse_address("gm@localhost", "--red").address == "gm@localhost"


def test_addresses_in_a_text_are_found_whole() -> None:
    text = "o'brien@example.net, »alice@müller.example« und ivan@почта.рф. Но не a@b@c"
    assert find_addresses(text)[:3] == [
        "o'brien@example.net",
        "alice@xn--mller-kva.example",
        "ivan@xn--80a1acny.xn--p1ai",
    ]
    assert all(map(is_address, find_addresses(text)))


@each(
    ("own", "address", "arrives"),
    [
        ("gm@example.org", "GM@Example.org", True),
        ("gm@example.org", "gm+x@example.org", True),
        ("gm@example.org", f"17-red-7-{'a' * 16}@example.org", True),
        ("gm@example.org", f"17-red-7-{'a' * 16}@example.net", False),
        ("gm@example.org", "gmx@example.org", False),
        ("gm@example.org", "alice@example.org", False),
        ("alice+pbem@example.org", "alice+pbem+17@example.org", True),
        ("alice+pbem@example.org", "alice@example.org", False),
        ("alice+pbem@example.org", "alice+shop@example.org", False),
        ("gm@xn--mller-kva.example", "gm+x@XN--MLLER-KVA.example", True),
    ],
)
def test_the_desks_own_addresses_are_known_in_one_way(own: str, address: str, arrives: bool) -> None:
    assert leads_to(own, address) is arrives
