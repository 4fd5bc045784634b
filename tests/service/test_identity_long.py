"""The matrix of forged letters: sender x token x trust x command, through a real desk. None of them may count.

The figures stand in `tests/golden/attacks.json`, from which docs/proof.md has its table. A change that is meant is
written down by `PBEM_REWRITE_GOLDEN=1 pytest -m long tests/service/test_identity_long.py`.
"""

import json
import os
from collections import Counter
from datetime import timedelta
from email.message import Message
from email.mime.text import MIMEText
from itertools import product

import pytest

from pbem.cli.demo import DemoDesk, letter_text
from pbem.match.identity import Token, find_tokens
from support.correspondents import ALICE, BOB, CAROL, Correspondents, come
from support.game_masters import GINA
from support.paths import GOLDEN
from support.tables import configure

FIGURES = GOLDEN / "attacks.json"
EVIL = "mal@evil.example"
MODES = ("token", "signed", "address")

SENDERS = {
    "the victim": f"Bob <{BOB}>",
    "another player": f"Bob <{ALICE}>",
    "a player elsewhere": f"Carol <{CAROL}>",
    "the game master": f"Gina <{GINA.address}>",
    "a stranger with the victim's name": f"Bob <{EVIL}>",
    "an address of the victim with a tag": "Bob <bob+x@example.com>",
    "victim and stranger": f"Bob <{BOB}>, Mal <{EVIL}>",
    "nobody": "undisclosed",
}
"""What a forged letter says in From."""

OWNERS = {"seat": BOB, "person": CAROL, "game master": GINA.address, "of the forger": ALICE}
"""Whose the tokens are that are good: a letter from there is no forgery, but for a desk that asks for signed ones."""

COMMANDS = (
    *(
        "3 H to S",
        "check: 3 H to S",
        "withdraw",
        "wait",
        "draw",
        "no draw",
        "resign",
        "yes",
        "accept",
        "pause",
        "resume",
    ),
    *("press: I give up", "mute", "unmute", "rematch", "resend 1", "history", "record", "status", "my data", "help"),
    *("decline always", f"hand over to {EVIL}", f"address {EVIL}", "undo", "forget me", "zone Tokyo", "leave"),
    *(
        "language deutsch",
        "vacation 20 December to 3 January",
        "join",
        f"challenge {EVIL}",
        "observe oz-1",
        "unobserve oz-1",
    ),
    *("gm: Help", "ok", "award oz-1 red because so", "annul oz-1 because so", "extend oz-1 2 days because so"),
    *("rollback oz-1 1 because so", f"replace oz-1 blue with Mal <{EVIL}> because so", "process oz-1 because so"),
    *(
        "orders oz-1 blue: 3 H to S because so",
        "release oz-1",
        "say oz-1: I give up",
        "letters oz-1",
        "pause oz-1 because so",
    ),
    *("position oz-1 7 red A3 bombs 3 blue H4 bombs 2 because so", f"ban {BOB} because so"),
    f"address {BOB} is {EVIL} because so",
)
"""A letter each; the last ones are a game master's."""


DONE = ("decision", "press", "say", "forget", "ban", "gm", "hand over", "resign")
"""What stands in the record of a letter that counts, and nowhere else."""


def tokens_of(people: Correspondents) -> dict[str, Token | None]:
    """Tokens as a forger may have them: read over a shoulder, found in old mail, made up."""
    first = token_of(people.got[BOB][0])
    for seat in (ALICE, BOB):
        people.write(seat, "Pass")
    come(people, CAROL)
    people.write(CAROL, f"challenge {BOB}")
    people.write(BOB, "decline")
    over, old = token_of(people.got[BOB][-1]), token_of(people.got[CAROL][-1])
    people.table.store.conn.execute("UPDATE matches SET deadline = NULL, due = NULL")
    people.poll(timedelta(days=20))
    for who in (ALICE, BOB, CAROL, GINA.address):
        people.write_anew(who, "status")
    letters = {who: [one for one in people.got[who] if (token_of(one) or first).turn == 2] for who in (ALICE, BOB)}
    own, seat = (token_of(letters[who][-1]) for who in (ALICE, BOB))
    people.write(ALICE, "gm: Help", to=letters[ALICE][-1])
    master = token_of(people.got[GINA.address][-1])
    assert first
    assert own
    assert seat
    assert master and master.seat == "gm"  # noqa: PT018
    return {
        "none": None,
        "seat": seat,
        "person": token_of(people.got[CAROL][-1]),
        "game master": master,
        "of the forger": own,
        "of a turn of long ago": first,
        "of a game of long ago": over,
        "of a person of long ago": old,
        "made up": seat._replace(proof="a" * 16),
        "of another turn": seat._replace(turn=3),
        "of another seat": own._replace(seat="blue"),
        "of another match": seat._replace(match=2),
    }


def token_of(letter: Message) -> Token | None:
    return next(iter(find_tokens([letter["Reply-To"] or ""])), None)


def forged(number: int, sender: str, token: Token | None, text: str) -> bytes:
    letter = MIMEText(text, _charset="utf-8")
    letter["From"], letter["Message-ID"] = sender, f"<forged-{number}@evil.example>"
    letter["To"] = f"gm+{token}@example.org" if token else "gm@example.org"
    letter["Subject"] = f"Letter {number}"
    return letter.as_bytes()


def is_forgery(mode: str, sender: str, state: str) -> bool:
    """Whether the desk promises that such a letter does not count: the right token from the right address does, and
    with `trust = address` the address alone."""
    address = {"the victim": BOB, "another player": ALICE, "a player elsewhere": CAROL, "the game master": GINA.address}
    known = address.get(sender)
    if mode == "signed" or known is None:
        return True
    return OWNERS.get(state) != known and not (mode == "address" and state == "none")


def facts(table: DemoDesk) -> dict[str, list[tuple]]:
    """All that a letter which counts could change, but for what is only held, asked or kept."""
    queries = {
        "matches": "SELECT id, phase, turn, state, deadline, winner FROM matches",
        "seats": "SELECT match, seat, player, name, accepted, muted, epoch FROM seats",
        "orders": "SELECT match, turn, seat, state, canonical FROM orders WHERE state <> 'proposed'",
        "wishes": "SELECT * FROM wishes",
        "people": "SELECT id, name, zone, language, refuses, banned FROM players WHERE confirmed IS NOT NULL",
        "addresses": "SELECT * FROM addresses WHERE confirmed IS NOT NULL",
        "claims": "SELECT * FROM claims",
        "absences": "SELECT * FROM absences",
        "entrants": "SELECT * FROM entrants",
        "observers": "SELECT * FROM observers",
        "offers": "SELECT * FROM offers",
        "done": f"SELECT id FROM record WHERE kind IN ({', '.join(map(repr, DONE))})",
        "told to strangers": "SELECT id FROM outbox WHERE recipient LIKE '%evil%' AND raw LIKE '%oz-%'",
    }
    return {name: table.store.conn.execute(query).fetchall() for name, query in queries.items()}


def read_all(table: DemoDesk) -> None:
    """Until no letter waits to be read."""
    for _ in range(20):
        table.now += timedelta(minutes=1)
        table.poll()
        if table.store.conn.execute("SELECT count(*) FROM letters WHERE state = 'kept'").fetchone() == (0,):
            return
    raise AssertionError("letters wait for ever")


@pytest.mark.long
def test_no_forged_letter_counts_whoever_it_says_it_is_from_whatever_token_it_has_and_whatever_it_asks(table: DemoDesk):
    people, tried, accepted = Correspondents(table), Counter[str](), []
    configure(table, "mailbox", "authserv_id = mx.example.org")
    tokens = tokens_of(people)
    number = 0
    for mode in MODES:
        configure(table, "desk", f"trust = {mode}")
        for sender, state in product(SENDERS, tokens):
            if not is_forgery(mode, sender, state):
                continue
            before = facts(table)
            for command in COMMANDS:
                number += 1
                table.deliver(forged(number, SENDERS[sender], tokens[state], command))
            read_all(table)
            tried[mode] += len(COMMANDS)
            after = facts(table)
            accepted += [
                (mode, sender, state, name, after[name][-3:]) for name, rows in before.items() if after[name] != rows
            ]
    table.deliver(forged(0, SENDERS["the victim"], tokens["seat"], "zone Tokyo"))  # what is no forgery does count
    configure(table, "desk", "trust = token")
    before = facts(table)
    read_all(table)
    assert facts(table)["people"] != before["people"]
    print(tried, *accepted, sep="\n")
    assert accepted == []
    assert tried.total() >= 5_000
    figures = json.loads(FIGURES.read_text("utf-8"))
    figures["forged letters"][1:] = [
        f"{tried.total():,} letters: {', '.join(f'{often:,} with `{mode}`' for mode, often in tried.items())}",
        f"{len(accepted)} counted",
    ]
    if "PBEM_REWRITE_GOLDEN" in os.environ:
        FIGURES.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    assert figures == json.loads(FIGURES.read_text("utf-8"))


ASKED = {BOB: ("resign", f"hand over to {EVIL}"), CAROL: ("forget me",)}
"""What is done only when a `yes` answers the very letter that asks whether it is meant."""

AGREEING = ("yes", "ok", "accept", "yes 1", "ja, einverstanden")


@pytest.mark.long
def test_no_yes_to_another_letter_does_what_somebody_was_asked_back(table: DemoDesk):
    """The thief has every letter of the victim but that one, and writes in their name."""
    people, tried, accepted, number = Correspondents(table), Counter[str](), [], 0
    configure(table, "mailbox", "authserv_id = mx.example.org")
    come(people, CAROL)
    people.write(BOB, "3 H to S")
    people.write(CAROL, "zone Tokyo")
    found = {who: [letter for letter in people.got[who] if token_of(letter)] for who in ASKED}
    for mode in MODES:
        for who, command in ((who, command) for who, commands in ASKED.items() for command in commands):
            people.write(who, command)
            asking = people.got[who][-1]
            assert "yes" in letter_text(asking)
            configure(table, "desk", f"trust = {mode}")
            before = facts(table)
            for letter, word in product((*found[who], None), AGREEING):
                number += 1
                table.deliver(agreed(number, who, letter, token_of(asking), word))
            read_all(table)
            people.poll()
            tried[mode] += (len(found[who]) + 1) * len(AGREEING)
            after = facts(table)
            accepted += [
                (mode, command, name, after[name][-3:]) for name, rows in before.items() if after[name] != rows
            ]
            configure(table, "desk", "trust = token")
    people.write(CAROL, "forget me")
    people.write(CAROL, "yes")  # what answers that letter does count
    assert table.store.conn.execute("SELECT count(*) FROM record WHERE kind = 'forget'").fetchone() == (1,)
    print(tried, *accepted, sep="\n")
    assert accepted == []
    figures = json.loads(FIGURES.read_text("utf-8"))
    figures["stolen letters"] = [
        "`yes` to any other letter than the one that asks whether they `resign`, `hand over`, want to be forgotten",
        f"{tried.total():,} letters: {', '.join(f'{often:,} with `{mode}`' for mode, often in tried.items())}",
        f"{len(accepted)} counted",
    ]
    if "PBEM_REWRITE_GOLDEN" in os.environ:
        FIGURES.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    assert figures == json.loads(FIGURES.read_text("utf-8"))


def agreed(number: int, who: str, letter: Message | None, token: Token | None, word: str) -> bytes:
    """A `yes` in somebody's name: as an answer to a letter of theirs, or with their reply address alone."""
    answer = MIMEText(word, _charset="utf-8")
    answer["From"], answer["Message-ID"], answer["Subject"] = who, f"<agreed-{number}@evil.example>", f"Letter {number}"
    answer["To"] = letter["Reply-To"] if letter else f"gm+{token}@example.org"
    if letter:
        answer["In-Reply-To"] = answer["References"] = letter["Message-ID"]
    return answer.as_bytes()
