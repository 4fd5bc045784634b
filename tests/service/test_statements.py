"""How many SQL statements it takes to read a letter and to decide on it: no more than when every fact was loaded before
anybody asked for it."""

from email.mime.text import MIMEText
from typing import NamedTuple

import pytest

from pbem.cli.demo import DemoDesk
from pbem.config.config import read_key
from pbem.match.receive import receive
from pbem.service.desk import Desk
from pbem.service.load_case import read_letter
from pbem.store.database import KeptLetter
from pbem.times.moments import stamp
from support.correspondents import ALICE, CAROL, Correspondents
from support.game_masters import GINA


class Kind(NamedTuple):
    """A letter of Alice's, what she wrote before it, and the statements that it took in November 2026, before facts
    were asked for."""

    text: str
    most: int
    before: tuple[str, ...] = ()


KINDS = {
    "orders": Kind("3 A to M", 17),
    "orders in place of others": Kind("3 A to M", 18, before=("2 A to M",)),
    "status": Kind("status", 25),
    "press": Kind("press:\nGood luck, and have fun!\nend press", 19),
    "yes": Kind("yes", 26, before=("3 A to M, 1 M to XX",)),
    "vacation": Kind("vacation 2026-12-01 to 2026-12-05", 23),
    "standings": Kind("standings", 29),
    "join": Kind("join rocknroll", 24),
    "history": Kind("history", 19),
    "my data": Kind("my data", 31),
    "in own words": Kind("all turns so far please", 17),
    "a question": Kind("Can I bomb twice?", 18),
    "chat": Kind("It was raining all day.", 18),
    "thanks": Kind("Thanks!", 17),
}


def _statements(table: DemoDesk, raw: bytes) -> int:
    desk = Desk(table.config, table.store, table.now, "", read_key(table.config.desk.key_file))
    kept = KeptLetter(1000, stamp(desk.now), raw, len(raw), 0)
    statements: list[str] = []
    table.store.conn.set_trace_callback(statements.append)
    receive(desk.incoming.case(kept, read_letter(desk.store, raw)), desk.now)
    table.store.conn.set_trace_callback(None)
    return len(statements)


@pytest.mark.parametrize("name", KINDS)
def test_a_letter_takes_no_more_statements_than_when_its_facts_were_loaded_before(table: DemoDesk, name: str) -> None:
    people, kind = Correspondents(table), KINDS[name]
    for text in kind.before:
        people.write(ALICE, text)
    assert _statements(table, people.answer(ALICE, kind.text).as_bytes()) <= kind.most


def _anew(who: str, text: str) -> bytes:
    letter = MIMEText(text)
    letter["From"], letter["To"], letter["Message-ID"] = who, "gm@example.org", "<1@example.org>"
    return letter.as_bytes()


@pytest.mark.parametrize(
    ("who", "text", "most"),
    [
        (CAROL, "join", 11),
        (CAROL, "What is this?", 11),
        (ALICE, "status", 23),
        (GINA.address, "pause oz-1 because of the holidays", 31),
    ],
)
def test_so_does_a_letter_that_answers_none_of_ours(table: DemoDesk, who: str, text: str, most: int) -> None:
    assert _statements(table, _anew(who, text)) <= most
