"""Letters of strangers go when they are old; those of games and of players never, and the record still holds."""

from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner

from pbem.cli.demo import DemoDesk
from pbem.cli.main import main
from pbem.store.forgetting import _STRANGERS
from pbem.store.verify import Audit
from support.tables import configure

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.fixture
def table(tmp_path):
    with_game = DemoDesk(tmp_path / "desk", NOON)
    with_game.poll()
    yield with_game
    with_game.close()


def stranger(table: DemoDesk, address: str, text: str) -> None:
    table.deliver(f"From: <{address}>\nTo: gm@example.org\nMessage-ID: <{text}@x>\n\n{text}\n".encode())


def kept(table: DemoDesk) -> list[str]:
    """The senders of the letters that are still there."""
    rows = table.store.conn.execute("SELECT sender FROM letters WHERE raw IS NOT NULL ORDER BY id")
    return [sender for (sender,) in rows]


def junk(table: DemoDesk) -> None:
    """Letters of strangers, of a player without a game's address, and of a seat."""
    stranger(table, "spam@example.net", "Buy")
    stranger(table, "never@example.net", "join")
    stranger(table, "alice@example.net", "status")
    table.write("blue", "Pass")
    table.poll()


def test_the_first_run_of_a_day_removes_what_strangers_wrote_ninety_days_ago(table):
    junk(table)
    table.now += timedelta(days=89)
    table.poll()
    assert len(kept(table)) == 4
    table.now += timedelta(days=1)
    table.poll()
    assert kept(table) == ["alice@example.net", "bob@example.com"]
    assert [*Audit(table.store.conn).differences()] == []


def test_nothing_is_left_of_who_never_said_yes(table):
    junk(table)
    table.now += timedelta(days=91)
    table.poll()
    text = "\n".join(table.store.conn.iterdump())
    assert "never@example.net" not in text
    assert "spam@example.net" not in text
    assert not table.store.conn.execute("SELECT 1 FROM letters WHERE state = 'held'").fetchone()
    stranger(table, "never@example.net", "join again")
    assert len(table.poll()) == 1


def test_who_said_yes_keeps_what_they_wrote(table):
    stranger(table, "carol@example.org", "join")
    table.poll()
    raw = table.store.conn.execute("SELECT message_id FROM outbox WHERE kind = 'newcomer'").fetchone()[0]
    answer = f"From: <carol@example.org>\nTo: gm@example.org\nIn-Reply-To: <{raw}>\n\nyes\n"
    table.deliver(answer.encode())
    table.poll()
    table.now += timedelta(days=200)
    table.poll()
    assert kept(table) == ["carol@example.org"] * 2


def test_letters_of_strangers_may_be_kept_for_ever_or_removed_by_hand(table):
    configure(table, "desk", "keep_strangers = for ever")
    junk(table)
    table.now += timedelta(days=400)
    table.poll()
    assert len(kept(table)) == 4
    run = ["--config", str(table.config.path), "--now", f"{table.now:%Y-%m-%dT%H:%MZ}", "letters", "prune"]
    assert CliRunner().invoke(main, run).output == "0 letters of strangers were removed.\n"
    assert CliRunner().invoke(main, [*run, "--older", "1 day"]).output == "2 letters of strangers were removed.\n"
    assert CliRunner().invoke(main, [*run, "--older", "soon"]).exit_code != 0
    assert len(kept(table)) == 2


def test_old_letters_of_strangers_are_found_without_a_look_at_all_others(table):
    plan = table.store.conn.execute(
        f"EXPLAIN QUERY PLAN {_STRANGERS.replace('NOT IN gone', 'NOT IN (SELECT id FROM players)')}",
        {"before": "2026", "step": 1},
    )
    assert any("SEARCH l USING INDEX letters_of_strangers (arrived<?)" in step for *_, step in plan)
