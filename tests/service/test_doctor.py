"""A desk is looked over: each thing that is wrong is named once, with what to do about it, and nothing secret."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem.cli.demo import DemoDesk
from pbem.cli.main import main
from pbem.config.config import Config, game_master_of, load_config
from pbem.service.maintenance import Finding, examine
from pbem.service.tick import poll
from pbem.times.moments import stamp
from support.tables import configure, on_server, play, send
from support.trials import match_of


def going(table: DemoDesk) -> Config:
    """The table's configuration, of a desk that goes by the clock."""
    config = table.config
    return config._replace(desk=config.desk._replace(rehearsal=False))


def everything(table: DemoDesk, after: timedelta = timedelta(minutes=1)) -> list[Finding]:
    return [*examine(going(table), table.now + after, lambda text: None)]


def found(table: DemoDesk, after: timedelta = timedelta(minutes=1)) -> list[Finding]:
    """All but what is said of the record, which these tests change by hand."""
    return [finding for finding in everything(table, after) if finding.where != "record"]


def one(table: DemoDesk, after: timedelta = timedelta(minutes=1)) -> str:
    """The only finding, as it is printed."""
    (finding,) = found(table, after)
    return str(finding)


def change(table: DemoDesk, statement: str, *values: object) -> None:
    table.store.conn.execute(statement, values)


def test_of_a_desk_that_is_well_there_is_nothing_to_say(table):
    play(table)
    assert everything(table) == []


def test_a_desk_that_does_not_run_is_told(table):
    assert one(table, timedelta(minutes=20)) == (
        "runs: the last run was at 2026-11-21T12:05:00Z. See whether cron starts `pbem poll`, and what it says."
    )
    change(table, "DELETE FROM desk WHERE key = 'last_run'")
    assert "the desk has never run" in one(table)


def test_letters_that_a_wrong_uidnext_has_hidden_are_told_and_read_by_the_first_run_of_a_day(table, account):
    on_server(table, account)
    config = load_config(table.config.path)
    poll(config, table.now, lambda text: None)
    account.append(table.answer("red", "3 A to M").as_bytes())
    mark = table.store.conn.execute("SELECT value FROM desk WHERE key = 'mark'").fetchone()[0]
    change(table, "UPDATE desk SET value = ? WHERE key = 'mark'", f"{mark.partition(':')[0]}:1")
    poll(config, table.now + timedelta(minutes=5), lambda text: None)
    assert match_of(table).standing == {}
    left, told = examine(config, table.now + timedelta(minutes=6), lambda text: None)
    assert "[outgoing] url is still a folder, so nobody gets the letters in it." in str(left)
    assert str(told) == (
        "mailbox: letters that came before the last one that was read were not read themselves: 1. The first poll of a"
        " day reads them. Ask the server's people about UIDNEXT."
    )
    poll(config, table.now + timedelta(days=1), lambda text: None)
    assert match_of(table).standing["red"].canonical == "3 A to M"
    assert [*examine(config, table.now + timedelta(days=1, minutes=1), lambda text: None)] == [left]


def test_what_a_killed_restore_or_rekey_has_left_is_told(table):
    play(table)
    left = table.config.database.with_name(f".{table.config.database.name}.part-abcd1234")
    left.mkdir()
    assert f"disk: {left} was left by a `pbem restore` that was killed" in one(table)
    left.rmdir()
    new = table.config.desk.key_file.with_name(f"{table.config.desk.key_file.name}.new")
    new.touch()
    assert f"key: {new} was left by a `pbem rekey` that was killed" in one(table)
    assert "Run `pbem rekey` again" in one(table)


def test_a_clock_that_went_back_is_told(table):
    assert one(table, -timedelta(hours=1)).startswith("clock: it says 2026-11-21T11:05:00Z, but the last run was at")


def test_a_mailbox_that_is_not_read_is_told(table):
    change(table, "INSERT INTO desk VALUES ('down_since', '2026-11-20T00:00:00Z')")
    assert "no run has read the mailbox since 2026-11-20" in one(table)


def test_a_letter_that_the_mailbox_does_not_give_is_named(table):
    trouble = {"letter UID 17": {"since": "2026-11-21T08:00:00Z", "told": "2026-11-21T08:00:00Z"}}
    change(table, "UPDATE desk SET value = ? WHERE key = 'trouble'", json.dumps(trouble))
    assert one(table) == (
        "letters: the mailbox has not given us the letter UID 17 since 2026-11-21T08:00:00Z."
        " `pbem poll` says why; mend it there, or delete it."
    )


def test_letters_that_wait_for_somebody_are_told(table):
    arrived = stamp(table.now - timedelta(days=2))
    for state in ("kept", "set aside", "held", "handled"):
        change(table, "INSERT INTO letters (sha256, arrived, size, state) VALUES (?, ?, 0, ?)", state, arrived, state)
    assert list(map(str, found(table))) == [
        "letters: 1 (1) came and are not handled yet. `pbem poll` says what is wrong.",
        "letters: 1 (2) are set aside: the program failed on them. See `pbem letters --set-aside`.",
        "letters: 1 (3) are held until their senders say yes. See `pbem letters`.",
    ]


def test_letters_that_do_not_go_out_or_came_back_are_told(table):
    change(table, "UPDATE outbox SET sent = NULL WHERE seat = 'red'")
    change(table, "UPDATE outbox SET refused = '550 no such user bob@example.com' WHERE seat = 'blue'")
    change(table, "UPDATE desk SET value = '2026-11-23T12:05:00Z' WHERE key = 'last_run'")
    waits, refused = map(str, found(table, timedelta(days=2)))
    assert waits.startswith("outbox: 1 (1) wait for more than a day. `pbem poll` says why")
    assert refused.startswith("outbox: letters to blue of oz-1 that were refused for good in the last two weeks: 1.")
    assert "bob@" not in refused


def test_games_that_stand_still_are_told(table):
    change(table, "UPDATE matches SET waiting = 0")
    assert one(table) == "games: nothing is missing, and they are not played: oz-1. `pbem poll` says why."
    change(table, "UPDATE matches SET waiting = 1, deadline = NULL, due = NULL")
    change(table, "DELETE FROM addresses WHERE player = 2")
    assert "a player is gone, and no deadline ends their turn: oz-1." in one(table)


def test_a_game_whose_orders_have_just_come_is_not_told(table):
    table.write("red", "Pass")
    table.poll()
    change(table, "UPDATE matches SET waiting = 0")
    assert found(table) == []


def test_game_masters_who_are_not_reached_or_banned_are_told(table):
    settings = json.dumps({"masters": [{"name": "Gina", "address": "alice@example.net", "rights": []}]})
    change(table, "INSERT INTO leagues (name, settings) VALUES ('Summer', ?)", settings)
    assert found(table) == []
    change(table, "UPDATE players SET banned = '2026' WHERE name = 'Alice'")
    change(table, "UPDATE outbox SET refused = '550', made = '2026-01-01T00:00:00Z' WHERE seat = 'red'")
    assert [each.what for each in found(table)] == [
        "Gina of league Summer is banned.",
        "the last letter to Gina of league Summer went back.",
    ]


def test_the_first_thing_that_is_not_as_the_record_says_is_told(table):
    play(table)
    change(table, "UPDATE turns SET orders = replace(orders, 'Pass', '3 A to M')")
    (finding,) = everything(table)
    assert str(finding).startswith("record: Row 1 of the table turns is not what the record says. Compare with")


def test_tables_and_triggers_that_are_not_as_ours_are_told_each(table):
    play(table)
    change(table, "CREATE TRIGGER helper AFTER INSERT ON orders BEGIN DELETE FROM wishes; END")
    change(table, "DROP TRIGGER record_is_append_only_2")
    remedy = "Remove what is not ours with `sqlite3`; for the rest put back a backup."
    assert [*map(str, everything(table))] == [
        f'database: The trigger "helper" is not one of ours. {remedy}',
        f'database: The trigger "record_is_append_only_2" is missing. {remedy}',
    ]


def test_rows_that_belong_to_nothing_are_told(table):
    change(table, "PRAGMA foreign_keys = OFF")
    change(table, "INSERT INTO observers (match, player) VALUES (1, 99)")
    assert "database: 1 rows of observers belong to nothing that is there." in one(table)


def test_a_damaged_database_is_told_and_nothing_fails(table):
    play(table)
    table.close()
    data = bytearray(table.config.database.read_bytes())
    for start in range(4096 * 3, len(data), 4096 * 2):
        data[start : start + 4096] = b"\xff" * 4096
    table.config.database.write_bytes(data)
    assert "database" in {each.where for each in found(table)}


def test_a_disk_that_is_full_is_told(table, monkeypatch):
    monkeypatch.setattr("pbem.service.maintenance._ROOM", 10**18)
    assert "MB are free beside the database. Make room: at least" in one(table)


def test_a_language_whose_catalogues_were_not_made_is_told(table, monkeypatch):
    monkeypatch.setattr("pbem.i18n.languages.unmade", lambda: ["de"])
    assert one(table).startswith("languages: letters that should be in `de` are in English")


def test_the_addresses_of_the_example_are_told_once_letters_really_go_out(table, tmp_path):
    path = tmp_path / "desk" / "config.ini"
    path.write_text(path.read_text().replace("url = maildir:mail/out", "url = smtp://127.0.0.1:9"))
    table.config = load_config(path)
    told = list(map(str, found(table)))
    assert told[0].startswith("outgoing mail: The SMTP server 127.0.0.1:9 cannot be reached: Connection refused. ")
    assert told[1:] == [
        f"configuration: {key} is still that of the example. Put in an address of yours."
        for key in ("[outgoing] from", "[desk] operator")
    ]


def test_a_game_master_who_would_write_to_himself_is_told(table, tmp_path):
    path = tmp_path / "desk" / "config.ini"
    text = path.read_text().replace("url = maildir:mail/out", "url = smtp://127.0.0.1:9")
    text = text.replace("# game_master = Game master <games@example.org>", "game_master = games+me@here.invalid")
    text = text.replace("gm@example.org", "games@here.invalid").replace("operator@example.org", "me@here.invalid")
    path.write_text(text)
    table.config = load_config(path)
    (told,) = (finding.what for finding in found(table) if finding.where == "configuration")
    assert told == (
        f"{path}: [desk] game_master is the desk's own address, where nobody reads, so that the operator gets what is"
        " written to them: put in an address of yours, or leave it out."
    )
    assert game_master_of(table.config) == table.config.desk.operator


# The command


def pbem(folder: Path, *words: str) -> Result:
    at = ["--config", str(folder / "config.ini"), "--now", "2026-11-21T12:06Z"]  # of a desk of a rehearsal
    return CliRunner().invoke(main, [*at, "doctor", *words])


def test_the_command_ends_with_0_if_all_is_well(table, tmp_path):
    done = pbem(tmp_path / "desk")
    assert (done.exit_code, done.output) == (0, "All is well.\n")
    assert pbem(tmp_path / "desk", "--json").output == "[]\n"


def test_the_command_ends_with_1_and_names_each_problem_of_key_and_database(table, tmp_path):
    table.close()
    (tmp_path / "desk" / "pbem.key").chmod(0o644)
    table.config.database.unlink()
    done = pbem(tmp_path / "desk", "--json")
    assert done.exit_code == 1
    assert [each["where"] for each in json.loads(done.output)] == ["configuration", "database"]
    assert "can be read by others: run `chmod 600` on it." in done.output


@pytest.mark.parametrize(("old", "new"), [("reply = plus", "reply = maybe"), ("zone = UTC", "zone = Mars")])
def test_the_command_tells_every_problem_of_the_configuration(table, tmp_path, old, new):
    path = tmp_path / "desk" / "config.ini"
    path.write_text(path.read_text().replace(old, new).replace("every = 5 minutes", "every = often"))
    done = pbem(tmp_path / "desk")
    assert (done.exit_code, len(done.output.splitlines())) == (1, 2)


def test_a_newer_database_is_one_finding(table, tmp_path):
    change(table, "PRAGMA user_version = 99")
    done = pbem(tmp_path / "desk")
    assert done.exit_code == 1
    assert done.output.count("\n") == 1
    assert "was made by a newer pbem" in done.output


def test_a_desk_whose_replies_lose_what_they_answer_is_not_well(table):
    configure(table, "mailbox", "reply = none")
    for seat in ("red", "blue"):
        send(table, seat, "Pass", References=table.last[seat]["References"], In_Reply_To="<0100019a@amazonses.com>")
    assert one(table) == (
        "replies: a server gives our letters another Message-ID, which 2 of the last 2 letters of players answer."
        " They are known by References alone, which some programs drop. `pbem check-config --probe` says what a server"
        " does to letters, and whether `reply = plus` works."
    )
    for text in ("status", "Pass", "help"):
        send(table, "red", text, References="", In_Reply_To="<0100019a@amazonses.com>")
    told = [str(finding) for finding in found(table) if finding.where == "replies"]
    assert "3 of the last 5 letters of players do not show which letter of ours they answer." in told[1]


def test_where_addresses_show_the_game_lost_references_are_nothing_to_tell(table):
    for text in ("status", "Pass", "help"):
        send(table, "red", text, References="", In_Reply_To="<0100019a@amazonses.com>")
    assert found(table) == []
