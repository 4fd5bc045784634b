"""What operators see of a desk: its log, which holds nothing secret, its state in figures, and its sign of life."""

import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from email import message_from_string
from email.message import Message
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from pbem.config.config import Address, load_config
from pbem.match import receive
from pbem.service import log
from pbem.service.status import status
from pbem.store.database import Store, connect
from support import desks
from support.desks import Folders, TestDesk, written
from support.sink import Sink

HERE = {"red": Address("Alice", "alice@example.net"), "blue": Address("Bob", "bob@example.com")}
THERE = {"red": Address("Zoe", "zoe@mail.example"), "blue": Address("Yuri", "yuri@post.example")}


class ToServer(Folders):
    """A Maildir to fetch from, and an SMTP server to send to."""

    def __init__(self, desk: Path, sink: Sink) -> None:
        super().__init__(desk)
        self.sink, self.outgoing = sink, f"smtp://127.0.0.1:{sink.port}"

    def sent(self) -> list[bytes]:
        return [kept.raw for kept in self.sink.letters]


def add(desk: TestDesk, line: str) -> None:
    """Add a line to `[desk]`, the last section of the configuration."""
    with (desk.folder / "config.ini").open("a") as file:
        file.write(f"{line}\n")


def lines(desk: TestDesk) -> list[str]:
    return (desk.folder / "pbem.log").read_text().splitlines()


def begin(folder: Path, setting: str = "log = file", sink: Sink | None = None) -> TestDesk:
    """A desk with a game whose invitations were sent."""
    desk = TestDesk(folder, (lambda path: ToServer(path, sink)) if sink else Folders)
    add(desk, setting)
    seats = [word for seat, person in desks.PLAYERS.items() for word in (f"--{seat}", written(person))]
    assert desk.run("game", "new", *seats).status == 0
    desk.quiet_poll()
    return desk


def story(folder: Path, sink: Sink, orders: tuple[str, str], patch: pytest.MonkeyPatch) -> TestDesk:
    """Two turns; a stranger, a letter on which the program fails, and an address that dies."""
    receives = receive.receive
    patch.setattr(receive, "receive", lambda case, now: 1 / 0 if "Kaboom" in case.text else receives(case, now))
    desk = begin(folder, sink=sink)
    stranger = MIMEText("help")
    stranger["From"], stranger["To"], stranger["Subject"] = f"eve@{orders[0][0]}.example", "gm@example.org", "Hi"
    desk.send(stranger)
    for seat, text in zip(("red", "blue"), orders, strict=True):
        desk.write(seat, text)
    desk.poll()
    desk.read()
    desk.write("red", "Kaboom!")
    desk.poll()
    address = desks.PLAYERS["blue"].address
    sink.refuse[address] = f"550 5.1.1 <{address}> no such user"
    desk.send(come_back(desk.last["red"]))
    desk.write("blue", "help")
    desk.poll()
    return desk


def come_back(letter: Message) -> Message:
    """A mail server's word that a letter of ours could not be delivered."""
    report = MIMEMultipart("report", report_type="delivery-status")
    report["From"], report["To"], report["Auto-Submitted"] = (
        "MAILER-DAEMON@example.net",
        "gm@example.org",
        "auto-replied",
    )
    failed = message_from_string(f"Final-Recipient: rfc822; {letter['To']}\nAction: failed\nStatus: 5.1.1\n")
    status = Message()
    status["Content-Type"] = "message/delivery-status"
    status.set_payload([failed])
    report.attach(status)
    report.attach(MIMEMessage(letter))
    return report


@pytest.fixture
def worlds(tmp_path: Path, sink: Sink) -> list[TestDesk]:
    """The same story at two desks; addresses, names, orders and with them tokens differ."""
    told = []
    for number, (people, orders) in enumerate(((HERE, ("3 A to M", "Pass")), (THERE, ("2 W to WC", "3 H to S")))):
        sink.reset()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(desks, "PLAYERS", people)
            told.append(story(tmp_path / f"{number}" / "desk", sink, orders, patch))
    return told


def test_the_log_tells_what_happened_in_order(worlds):
    at = [re.sub(r"^2026-11-21T12:(\d\d):00Z ", r"\1 ", line) for line in lines(worlds[0])]
    assert at == [
        "00 oz-1: the game is set up",
        "05 oz-1: letter 1 to red is sent: invitation",
        "05 oz-1: letter 2 to blue is sent: invitation",
        "10 letter 1 is read: a stranger's letter",
        "10 oz-1, turn 1: letter 2 is read: answered: receipt, seals",
        "10 oz-1, turn 1: orders of red are taken",
        "10 oz-1, turn 1: letter 3 is read: answered: receipt, seals",
        "10 oz-1, turn 1: orders of blue are taken",
        "10 oz-1, turn 1: the turn is played",
        "10 oz-1: letter 4 to red is sent within letter 6: answer",
        "10 oz-1: letter 5 to blue is sent within letter 7: answer",
        "10 letter 3 to somebody is sent: answer",
        "10 oz-1: letter 6 to red is sent: report",
        "10 oz-1: letter 7 to blue is sent: report",
        "15 oz-1, turn 2: letter 4 is set aside: the program failed on it",
        "15 oz-1: letter 8 to red is sent: answer",
        "15 oz-1: letter 9 to somebody is sent: news for a game master",
        "20 oz-1, turn 2: letter 5 is read: delivery report",
        "20 oz-1: letters to red come back",
        "20 oz-1, turn 2: letter 6 is read: answered: help",
        "20 oz-1: letter 10 to somebody is sent: news for a game master",
        "20 oz-1: letter 11 to blue is given up: answer",
        "20 oz-1: letters to blue come back",
        "20 oz-1: letter 12 to somebody is sent: news for a game master",
    ]


def test_the_log_is_the_same_whatever_addresses_orders_and_tokens_are(worlds):
    here, there = map(lines, worlds)
    assert here == there
    text = "\n".join(here)
    for secret in ("@", "alice", "bob", "3 A", "Pass", "Kaboom", "no such user"):
        assert secret.lower() not in text.lower()
    assert not re.search(r"[a-z2-7]{16}", text)


def test_a_desk_without_a_log_writes_none_and_one_that_begins_later_tells_of_nothing_before(tmp_path):
    desk = begin(tmp_path / "desk", "log = none")
    assert not (desk.folder / "pbem.log").exists()
    desk.configure()
    add(desk, "log = file")
    desk.quiet_poll()
    desk.write("red", "Pass")
    desk.quiet_poll()
    assert [line for line in lines(desk) if "invitation" in line] == []
    assert [line for line in lines(desk) if line.endswith("oz-1, turn 1: orders of red are taken")]
    assert (desk.folder / "pbem.log").stat().st_mode & 0o777 == 0o600


def test_verbose_runs_show_the_same_lines(tmp_path):
    desk = begin(tmp_path / "desk", "log = file")
    before = len(lines(desk))
    desk.write("red", "Pass")
    desk.now += timedelta(minutes=5)
    shown = desk.run("poll", "-v")
    assert shown.status == 0
    assert shown.lines == lines(desk)[before:]
    assert len(shown.lines) >= 3


def test_a_log_that_cannot_be_written_is_told_and_goes_on_where_it_ended(tmp_path):
    desk = begin(tmp_path / "desk", "log = file")
    (desk.folder / "pbem.log").rename(desk.folder / "old")
    (desk.folder / "pbem.log").mkdir()
    desk.write("red", "Pass")
    assert desk.poll() == (1, ["pbem: The log cannot be written: Is a directory."])
    (desk.folder / "pbem.log").rmdir()
    assert desk.poll().status == 0
    assert any("orders of red are taken" in line for line in lines(desk))


def test_the_journal_gets_each_line_as_a_message(tmp_path, monkeypatch):
    monkeypatch.setattr(log, "JOURNAL", tmp_path / "journal")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as journal:
        journal.bind(str(tmp_path / "journal"))
        desk = begin(tmp_path / "desk", "log = journal")
        first = journal.recv(1000).decode().splitlines()
    assert first == [
        "MESSAGE=2026-11-21T12:00:00Z oz-1: the game is set up",
        "PRIORITY=6",
        "SYSLOG_IDENTIFIER=pbem",
        f"PBEM_DESK={desk.folder}",
    ]


def test_a_journal_that_is_not_there_is_a_mistake_of_the_configuration(tmp_path, monkeypatch):
    monkeypatch.setattr("pbem.service.maintenance.JOURNAL", tmp_path / "journal")
    desk = TestDesk(tmp_path / "desk")
    add(desk, "log = journal")
    told = desk.run("check-config")
    assert told.status == 2
    assert "[desk] log = journal, but there is no journal here: choose file." in told.lines[0]


# Status


def test_the_status_of_a_desk_in_figures(worlds):
    desk = worlds[0]
    told = desk.run("status", "--json")
    found = json.loads(told.lines[0])
    assert (told.status, found["well"], found["last_run"]) == (0, True, "2026-11-21T12:20:00Z")
    assert found["games"] == {"offered": 0, "running": 1, "paused": 0, "review": 0}
    counted = {key: number for key, number in found.items() if key.startswith("letters_")}
    assert counted == {
        "letters_waiting": 0,
        "letters_held": 0,
        "letters_set_aside": 1,
        "letters_to_send": 0,
        "letters_limited": 0,
        "letters_refused": 1,
        "letters_bounced": 1,
    }
    assert (found["overdue"], found["backup"], found["down_since"]) == ([], None, None)
    assert found["disk_free_bytes"] > 0
    assert "@" not in told.lines[0]


def test_the_age_of_the_last_backup_is_known(tmp_path):
    desk = begin(tmp_path / "desk")
    assert desk.run("backup", str(tmp_path / "copy.db")).status == 0
    assert json.loads(desk.run("status", "--json").lines[0])["backup"] == "2026-11-21T12:05:00Z"


def test_a_desk_that_ran_too_long_ago_or_not_well_is_not_well(tmp_path):
    desk = begin(tmp_path / "desk")
    config = load_config(desk.folder / "config.ini")
    config = config._replace(desk=config.desk._replace(rehearsal=False))
    store = Store(connect(config.database))
    assert [status(config, store, desk.now + timedelta(minutes=after))["well"] for after in (-5, 0, 15, 16)] == [
        False,
        True,
        True,
        False,
    ]
    store.conn.close()
    desk.post.inbox.rename(tmp_path / "aside")
    assert desk.poll().status == 1
    told = desk.run("status")
    assert told.status == 1
    assert told.lines[0] == "The desk is not well."
    assert any(line.startswith("trouble with mailbox since 2026-11-21T12:10:00Z") for line in told.lines)


def test_prometheus_reads_the_figures(tmp_path):
    desk = begin(tmp_path / 'my "desk"')
    told = "\n".join(desk.run("status", "--prometheus").lines)
    samples = {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(f"{told}\n")
        for sample in family.samples
    }
    assert samples["pbem_well", 'my "desk"'] == 1
    assert samples["pbem_games", 'my "desk"', "running"] == 1
    assert samples["pbem_last_run_timestamp_seconds", 'my "desk"'] == desk.now.timestamp()
    assert {"pbem_letters_set_aside", "pbem_disk_free_bytes", "pbem_overdue_games"} <= {name for name, *_ in samples}


# The sign of life


@contextmanager
def service(code: int = 200) -> Iterator[tuple[str, list[str]]]:
    """A service that waits for signs of life: its address, and the paths that were fetched."""
    fetched: list[str] = []

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            fetched.append(self.path)
            self.send_response(code)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/ping/5e7c", fetched
        server.shutdown()
        thread.join()


def test_a_sign_of_life_is_given_after_each_good_run_and_only_then(tmp_path):
    with service() as (url, fetched):
        desk = begin(tmp_path / "desk", f"ping = {url}")
        assert fetched == ["/ping/5e7c"]
        desk.post.inbox.rename(tmp_path / "aside")
        assert desk.poll().status == 1
        assert fetched == ["/ping/5e7c"]
    assert "5e7c" not in desk.printed


def test_no_run_fails_because_nobody_takes_its_sign_of_life(tmp_path):
    with service(500) as (url, fetched):
        desk = begin(tmp_path / "desk", f"ping = {url}")
        assert fetched == ["/ping/5e7c"]
    desk.quiet_poll()  # the service is gone


@pytest.mark.parametrize("url", ["ftp://example.org/", "hc.example.org/x", "https://", "file:///etc/passwd"])
def test_the_address_for_signs_of_life_is_one_of_the_web(tmp_path, url):
    desk = TestDesk(tmp_path / "desk")
    add(desk, f"ping = {url}")
    told = desk.run("check-config")
    assert told.status == 2
    assert "[desk] ping must be an address such as https://" in told.lines[0]
