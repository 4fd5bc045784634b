"""Room for letters to people whom we do not know: nobody is locked out, and a flood brings few letters."""

from datetime import timedelta

import pytest

from pbem.cli.demo import DemoDesk
from pbem.store.verify import Audit
from pbem.store.waiting import SHARED, WAITING
from support.correspondents import flat
from support.tables import configure

HOUR = timedelta(hours=1)
A_DAY = SHARED[False][-1].most


@pytest.fixture
def desk(table: DemoDesk) -> DemoDesk:
    """A desk whose mail server says who vouches for a letter."""
    configure(table, "mailbox", "authserv_id = mx.example.org")
    return table


def knock(table: DemoDesk, address: str, text: str = "join", *, vouched: bool = False) -> None:
    """A letter of somebody unknown, which anybody may have written unless it is vouched for."""
    domain = address.rpartition("@")[2]
    head = f"Authentication-Results: mx.example.org; dkim=pass header.d={domain}\n" if vouched else ""
    number = len(list(table.config.mailbox.place.path.rglob("*.demo")))
    letter = f"{head}From: {address}\nTo: gm@example.org\nMessage-ID: <{number}@{domain}>\n\n{text}\n"
    table.deliver(letter.encode())


def told(table: DemoDesk, after: timedelta = timedelta()) -> dict[str, list[str]]:
    """What strangers are sent by the next run, by their addresses."""
    table.now += after
    found: dict[str, list[str]] = {}
    for _, letter in table.poll():
        found.setdefault(letter["To"].strip("<>"), []).append(flat(letter))
    return found


def waiting(table: DemoDesk) -> int:
    return table.store.conn.execute("SELECT count(*) FROM letters WHERE state = 'handled' AND rank > 0").fetchone()[0]


@pytest.mark.parametrize("hours", [6, pytest.param(26, marks=pytest.mark.long)])
def test_a_crowd_of_forged_letters_locks_no_newcomer_out(desk, hours):
    forged = 0
    for hour in range(hours):
        for number in range(20):
            knock(desk, f"somebody@victim{hour}-{number}.example", "join")
        forged += len(told(desk, HOUR))
    assert forged == (2 if hours > 24 else 1) * A_DAY
    knock(desk, "new@example.net", "join", vouched=True)
    knock(desk, "unproven@example.edu", "join")
    assert [*told(desk)] == ["new@example.net"]
    later = {}
    for _ in range(24):
        later |= told(desk, HOUR)
    (answer,) = later["unproven@example.edu"]
    assert "This comes late" in answer
    assert len(later) <= WAITING
    assert waiting(desk) == 0


def test_what_has_waited_is_answered_before_newer_letters_and_the_vouched_first(desk):
    for number in range(20):
        knock(desk, f"a{number}@example.net", vouched=True)
    knock(desk, "first@example.com")
    for number in range(30):
        knock(desk, f"somebody@victim{number}.example")
    knock(desk, "second@example.net", vouched=True)
    answered = told(desk)
    assert "second@example.net" not in answered, "the room of its domain is used up"
    assert "first@example.com" not in answered, "the hour's room is used up"
    knock(desk, "late@example.com")
    order = [*told(desk, HOUR)]
    assert order[:2] == ["second@example.net", "first@example.com"]
    assert "late@example.com" not in order


def test_forged_letters_leave_the_room_of_a_domain_to_those_who_are_vouched_for(desk):
    for number in range(30):
        knock(desk, f"forged{number}@example.net")
    assert len(told(desk)) == 6
    knock(desk, "true@example.net", vouched=True)
    assert [*told(desk)] == ["true@example.net"]


def test_whoever_has_many_domains_below_one_has_the_room_of_one(desk):
    for number in range(40):
        knock(desk, f"a@x{number}.evil.example", vouched=True)
    knock(desk, "new@example.net", vouched=True)
    answered = told(desk)
    assert "new@example.net" in answered
    assert len(answered) == 1 + 20


def test_who_has_written_several_times_meanwhile_is_answered_once(desk):
    for number in range(20):
        knock(desk, f"somebody@victim{number}.example")
    told(desk)
    for address, word in (("c.a@example.com", "help"), ("ca@example.com", "join"), ("ca+1@example.com", "help")):
        knock(desk, address, word)
    assert told(desk) == {}
    ((question,),) = told(desk, HOUR).values()
    assert "answer `yes`" in question
    assert waiting(desk) == 0
    assert told(desk, HOUR) == {}


def test_who_was_told_in_another_way_meanwhile_is_not_told_again(desk):
    for number in range(20):
        knock(desk, f"somebody@victim{number}.example")
    knock(desk, "new@example.net")
    told(desk)
    knock(desk, "new@example.net", "join\nplease", vouched=True)
    assert [*told(desk)] == ["new@example.net"]
    assert told(desk, HOUR) == {}
    assert waiting(desk) == 0


def test_a_flood_lets_the_oldest_of_its_own_domain_go(desk):
    for number in range(20):
        knock(desk, f"somebody@victim{number}.example")
    knock(desk, "new@example.com")
    for number in range(3 * WAITING):
        knock(desk, f"a{number}@evil.example")
    told(desk)
    assert waiting(desk) == WAITING
    held = [sender for (sender,) in desk.store.conn.execute("SELECT sender FROM letters WHERE rank > 0 ORDER BY id")]
    assert held[0] == "new@example.com"
    assert held[-1] == f"a{3 * WAITING - 1}@evil.example"
    assert "new@example.com" in told(desk, HOUR)


def test_letters_that_wait_leave_nothing_but_themselves(desk):
    rows = """SELECT (SELECT count(*) FROM players), (SELECT count(*) FROM record WHERE kind = 'letter in'),
                     (SELECT count(*) FROM outbox)"""
    for number in range(20):
        knock(desk, f"somebody@victim{number}.example")
    told(desk)
    before = desk.store.conn.execute(rows).fetchone()
    for number in range(50):
        knock(desk, f"somebody@other{number}.example")
    told(desk)
    people, entries, letters = desk.store.conn.execute(rows).fetchone()
    assert (people, letters) == (before[0], before[2])
    assert entries == before[1] + 50


def test_a_yes_to_the_late_question_joins(desk):
    for number in range(21):
        knock(desk, f"somebody@victim{number}.example")
    told(desk)
    assert [*told(desk, HOUR)] == ["somebody@victim20.example"]
    (asked,) = desk.store.conn.execute("SELECT raw FROM outbox ORDER BY id DESC LIMIT 1").fetchone()
    reply_to = next(line for line in asked.decode().splitlines() if line.startswith("Reply-To")).partition(": ")[2]
    reference = next(line for line in asked.decode().splitlines() if line.startswith("Message-ID")).partition(": ")[2]
    desk.deliver(
        f"From: somebody@victim20.example\nTo: {reply_to}\nIn-Reply-To: {reference}\n"
        f"References: {reference}\n\nyes\n".encode()
    )
    desk.poll()
    assert desk.store.conn.execute("SELECT count(*) FROM entrants").fetchone() == (1,)


def test_letters_that_wait_for_room_are_as_the_record_says_and_others_that_would_be_read_again_are_not(desk):
    for number in range(30):
        knock(desk, f"somebody@victim{number}.example")
    told(desk)
    assert waiting(desk) > 0
    conn = desk.store.conn
    assert [*Audit(conn).differences()] == []
    conn.execute("UPDATE letters SET rank = 5 WHERE id = (SELECT min(id) FROM letters WHERE rank = 0)")
    assert "is dealt with, but is still tried" in " ".join(Audit(conn).differences())
