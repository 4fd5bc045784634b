"""Ten troubles with mail servers: what `poll` and `doctor` say of each, with which status, and that nothing is lost.

The manual's table "When the mail server makes trouble" tells the same.
"""

import errno
import os
import re
import socket
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.store.database import SQLiteError, Store, connect
from support.desks import PLAYERS, Servers, TestDesk, flat, with_login
from support.dovecot import Account, Certificate, free_ports
from support.faulty import Proxy
from support.posting import without_ports
from support.sink import Sink

DAY = timedelta(days=1)

pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH")  # the sink asks for a login over a plain line


@pytest.fixture
def desk(login_desk: TestDesk) -> TestDesk:
    """A desk on servers that want a login. Red has got an invitation, and has written orders that are not read yet."""
    login_desk.write("red", "3 A to M")
    return login_desk


def imap(desk: TestDesk, port: int, scheme: str = "imap", host: str = "127.0.0.1") -> str:
    return f"{scheme}://{desk.post.account.name}@{host}:{port}/INBOX"


def polled(desk: TestDesk, status: int) -> list[str]:
    told = desk.poll()
    assert told.status == status, told
    return [without_ports(line) for line in told.lines]


def doctor(desk: TestDesk) -> list[str]:
    """What `doctor` finds, apart from addresses that are those of the example."""
    lines = [without_ports(line) for line in desk.run("doctor").lines]
    return [line for line in lines if "still that of the example" not in line]


def nothing_is_lost(desk: TestDesk) -> None:
    """When the servers are well again, each letter arrives once, and all troubles are over."""
    desk.now += timedelta(hours=1)  # letters that were refused wait for a while
    told = desk.poll()
    assert told.status == 0
    assert all(line.endswith("is over.") for line in told.lines)
    assert sum("receipt 1-1" in flat(letter) for seat, letter in desk.read() if seat == "red") == 1
    assert desk.quiet_poll() == []


def test_a_login_that_is_refused(desk: TestDesk) -> None:
    desk.new_game()  # letters to send
    desk.configure(password="wrong")
    inward, outward = polled(desk, 1)
    remedy = "See the user in the url and the password; some providers want an app password or an access token."
    assert inward == (
        "pbem: Letters cannot be fetched: The IMAP server 127.0.0.1 refused the login: [AUTHENTICATIONFAILED]"
        f" Authentication failed. {remedy}"
    )
    assert outward.startswith("pbem: Letters cannot be sent: The SMTP server 127.0.0.1 refused the login: 535 ")
    assert outward.endswith(remedy)
    assert [line.partition(" refused")[0] for line in doctor(desk)[:2]] == [
        "mailbox: The IMAP server 127.0.0.1",
        "outgoing mail: The SMTP server 127.0.0.1",
    ]
    desk.configure()
    nothing_is_lost(desk)


@pytest.mark.parametrize(
    ("problem", "remedy"),
    [
        ("self-signed certificate", ". If it is your own, let `ca_file` name its authority."),
        ("certificate has expired", ". Whoever runs the server must renew it."),
        (
            "IP address mismatch",
            ", certificate is not valid for '127.0.0.1'. Put the host into the url as the certificate has it.",
        ),
    ],
)
def test_a_certificate_that_is_wrong(
    desk: TestDesk, certificates: dict[str, Certificate], problem: str, remedy: str
) -> None:
    shown, is_unknown = certificates[problem], problem == "self-signed certificate"
    with Proxy(desk.post.account.server.imap, certificate=shown) as proxy:
        strange = imap(desk, proxy.port, "imaps")
        trusted = f"{strange}\nca_file = {shown.certificate}"
        desk.configure(mailbox=strange if is_unknown else trusted)
        told = f"The IMAP server 127.0.0.1 shows a certificate that cannot be trusted: {problem}{remedy}"
        assert polled(desk, 1) == [f"pbem: Letters cannot be fetched: {told}"]
        assert doctor(desk)[0] == f"mailbox: {told}"
        if is_unknown:
            desk.configure(mailbox=trusted)
            nothing_is_lost(desk)
            return
    desk.configure()
    nothing_is_lost(desk)


def test_a_mailbox_that_is_nearly_full(desk: TestDesk) -> None:
    def fills(data: bytes) -> bytes:
        data = data.replace(b" IDLE", b" QUOTA IDLE")
        full = b"* QUOTAROOT INBOX all\r\n* QUOTA all (STORAGE 97 100)\r\n\\1 OK done\r\n"
        return re.sub(rb"(\S+) BAD [^\r]*\r\n", full, data)

    with Proxy(desk.post.account.server.imap, fills, at=r"\S+ (CAPABILITY|LOGIN|GETQUOTAROOT)") as proxy:
        desk.configure(mailbox=imap(desk, proxy.port))
        assert doctor(desk)[0] == (
            "mailbox: 97% of the room in the mailbox is used, and letters are refused when it is full. Delete handled"
            r" letters there, which have the mark \Seen, or ask for more room."
        )
        nothing_is_lost(desk)


def test_a_mailbox_so_full_that_nothing_can_be_marked(desk: TestDesk) -> None:
    def refuses(data: bytes) -> bytes:
        return re.sub(rb"(?m)^(\S+) OK [^\r]*", rb"\1 NO [OVERQUOTA] Quota exceeded", data)

    with Proxy(desk.post.account.server.imap, refuses, at=r"\S+ UID STORE") as proxy:
        desk.configure(mailbox=imap(desk, proxy.port))
        (line,) = polled(desk, 1)
        assert "[OVERQUOTA] Quota exceeded" in line
    desk.configure()
    nothing_is_lost(desk)


def test_a_limit_on_what_we_send(desk: TestDesk) -> None:
    desk.post.sink.refuse_data = "550 5.4.5 Daily user sending limit exceeded"
    (line,) = polled(desk, 1)
    assert line.startswith(
        "pbem: Letters cannot be sent: The SMTP server 127.0.0.1 takes no letters now, it answered 550: 5.4.5 Daily"
    )
    assert "about this desk's account or server" in line
    desk.post.sink.refuse_data = ""
    nothing_is_lost(desk)


def test_a_disk_that_is_full(desk: TestDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*values: object) -> None:
        raise SQLiteError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(Store, "keep", full)
        (line,) = polled(desk, 1)
        told = "failed (database or disk is full); nothing is lost, the next run goes on."
        assert line == f"pbem: The database {desk.folder}/pbem.db {told}"
        patch.setattr("pbem.service.maintenance._ROOM", 10**18)
        assert "disk: only " in "".join(doctor(desk))
    nothing_is_lost(desk)


@pytest.mark.parametrize(
    ("number", "why", "remedy"),
    [
        (socket.EAI_NONAME, "Name or service not known", "See whether the host in the url is right."),
        (socket.EAI_AGAIN, "Temporary failure in name resolution", "See whether DNS works on this machine."),
    ],
)
def test_a_name_that_dns_does_not_know(
    desk: TestDesk, monkeypatch: pytest.MonkeyPatch, number: int, why: str, remedy: str
) -> None:
    found = socket.getaddrinfo

    def fails(host: str, *values: object, **options: object) -> object:
        if host == "imap.example.org":
            raise socket.gaierror(number, why)
        return found(host, *values, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("socket.getaddrinfo", fails)
    desk.configure(mailbox=imap(desk, 993, "imaps", "imap.example.org"))
    told = f"The IMAP server imap.example.org:993 cannot be found: {why}. {remedy}"
    assert polled(desk, 1) == [f"pbem: Letters cannot be fetched: {told}"]
    assert doctor(desk)[0] == f"mailbox: {told}"
    desk.configure()
    nothing_is_lost(desk)


def test_a_server_that_is_down_and_one_that_does_not_answer(desk: TestDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.transport.sockets.PATIENCE", 0.2)
    (nobody,) = free_ports(1)
    desk.new_game()
    with Proxy(desk.post.account.server.imap, "stall") as silent:
        desk.configure(mailbox=imap(desk, silent.port), outgoing=with_login(nobody))
        remedy = "If that lasts, the host or port in the url is wrong, or a firewall is between."
        slow = f"The IMAP server 127.0.0.1 did not answer in time. {remedy}"
        why = os.strerror(errno.ECONNREFUSED)
        down = f"The SMTP server 127.0.0.1 cannot be reached: {why}. See whether it runs, and host and port in"
        inward, outward = polled(desk, 1)
        assert inward == f"pbem: Letters cannot be fetched: {slow}"
        assert outward == f"pbem: Letters cannot be sent: {down} the url."
        assert doctor(desk)[:2] == [f"mailbox: {slow}", f"outgoing mail: {down} the url."]
    desk.configure()
    nothing_is_lost(desk)


def test_greylisting(desk: TestDesk) -> None:
    desk.post.sink.refuse = {PLAYERS["red"].address: "450 4.2.0 Greylisted, try again later"}
    assert polled(desk, 0) == []
    assert doctor(desk) == []
    desk.now += 2 * DAY
    assert polled(desk, 0) == []
    assert any("wait for more than a day" in line for line in doctor(desk))
    desk.post.sink.refuse = {}
    desk.now += DAY
    nothing_is_lost(desk)


def test_an_address_where_nobody_is(desk: TestDesk) -> None:
    desk.post.sink.refuse = {PLAYERS["red"].address: "550 5.1.1 User unknown"}
    (line,) = polled(desk, 0)
    assert re.match(r"pbem: (Letter|\d+ letters) \d*.*cannot be delivered: .*550: 5\.1\.1 User unknown\.$", line)
    assert "`pbem letters resend` says why" in doctor(desk)[0]
    assert polled(desk, 0) == []
    desk.post.sink.refuse = {}
    desk.now += 8 * DAY  # once a week the address is tried again
    desk.poll()
    desk.poll(8 * DAY)
    assert any("receipt 1-1" in flat(letter) for seat, letter in desk.read() if seat == "red")
    assert doctor(desk) == []


def test_orders_that_a_filter_took_for_junk(desk: TestDesk, account: Account) -> None:
    account.append(desk.written[-1], folder="Bulk Mail")
    with account.client() as client:
        client.delete_messages(client.search())
        client.expunge()
    assert polled(desk, 0) == []
    assert any("receipt 1-1" in flat(letter) for _, letter in desk.read())


def test_message_ids_that_a_server_replaces(tmp_path: Path, account: Account, sink: Sink) -> None:
    desk = TestDesk(tmp_path / "desk", lambda folder: Servers(account, sink), reply="none")
    desk.new_game()
    desk.quiet_poll()
    answer = desk.answer("red", "3 A to M")
    answer.replace_header("In-Reply-To", "<0100019a@amazonses.com>")
    answer.replace_header("References", f"{desk.last['red']['References']} <0100019a@amazonses.com>")
    desk.send(answer)
    assert polled(desk, 0) == []
    assert any("receipt 1-1" in flat(letter) for _, letter in desk.read())
    assert doctor(desk)[0].startswith("replies: a server gives our letters another Message-ID")
    with closing(connect(desk.folder / "pbem.db")) as conn:
        assert Store(conn).value("SELECT count(*) FROM letters WHERE state = 'held'") == 0
