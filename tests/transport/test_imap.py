"""What a mailbox on an IMAP server has to cope with, on a real Dovecot and on servers that misbehave."""

from pathlib import Path
from time import monotonic

import pytest

from pbem.transport.open import BATCH, open_mailbox
from support.dovecot import Account, Certificate, Dovecot
from support.faulty import TOKEN, TOKEN_SAID, TOKEN_USER, Fault, Proxy, Scripted, scripted_imap
from support.keywordless import Keywordless
from support.posting import desk, encrypted, fetch, fetch_within, letter, raws, send, trouble
from support.sink import Sink

KEYWORD = b"$PbemHandled"


def test_handled_letters_are_flagged_on_the_server(tmp_path: Path, account: Account) -> None:
    account.deliver(letter(1))
    config = desk(tmp_path, account.url())
    fetch(config)
    assert account.flags() == [set()]
    fetch(config, handle=True)
    assert account.flags() == [{KEYWORD, rb"\Seen"}]


@pytest.mark.parametrize("renumber", [False, True])
def test_after_a_change_of_uidvalidity_only_what_is_not_handled_comes(
    tmp_path: Path, account: Account, renumber: bool
) -> None:
    config = desk(tmp_path, account.url())
    account.append(letter(0))
    with account.client() as client:  # a gap, so that numbers do change
        client.delete_messages([1])
        client.expunge()
    account.append(letter(1), letter(2))
    _, mark = fetch(config, handle=True)
    account.append(letter(3))
    account.change_uidvalidity(renumber=renumber)
    letters, new_mark = fetch(config, mark, handle=True)
    assert raws(letters) == [letter(3)]
    assert new_mark.partition(":")[0] != mark.partition(":")[0]
    account.append(letter(4))
    assert raws(fetch(config, new_mark)[0]) == [letter(4)]


def test_a_server_without_keywords_gives_everything_when_the_mark_is_lost(tmp_path: Path) -> None:
    with Keywordless() as server:
        server.append(letter(1), letter(2))
        config = desk(tmp_path, f"imap://gm@127.0.0.1:{server.port}")
        letters, mark = fetch(config, handle=True)
        assert raws(letters) == [letter(1), letter(2)]
        assert not fetch(config, mark)[0]
        assert raws(fetch(config, "")[0]) == [letter(1), letter(2)]
        server.append(letter(3))
        assert raws(fetch(config, mark)[0]) == [letter(3)]


def test_a_large_mailbox_is_searched_in_pieces(
    tmp_path: Path, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.transport.imap._SEARCH", 4)
    config = desk(tmp_path, account.url())
    account.append(*[letter(number) for number in range(10)])
    letters, mark = fetch(config, handle=True)
    assert raws(letters) == [letter(number) for number in range(10)]
    account.append(*[letter(number) for number in range(10, 21)])
    assert raws(fetch(config, mark)[0]) == [letter(number) for number in range(10, 21)]
    assert raws(fetch(config, "")[0]) == [letter(number) for number in range(10, 21)]


def test_letters_expunged_under_our_hands_are_passed_over(tmp_path: Path, account: Account) -> None:
    account.append(*[letter(number) for number in range(1, BATCH + 4)])
    with open_mailbox(desk(tmp_path, account.url())) as mailbox:
        batches = mailbox.fetch("")
        first = next(batches)
        with account.client() as client:
            client.delete_messages([1, BATCH + 2])
            client.expunge()
        mailbox.handled([one.key for one in first.letters])
        second = next(batches)
        assert raws(list(second.letters)) == [letter(BATCH + 1), letter(BATCH + 3)]
        assert list(batches) == []


def test_a_folder_may_have_blanks_and_umlauts(tmp_path: Path, account: Account) -> None:
    account.append(letter(), folder="Spiele für alle")
    assert raws(fetch(desk(tmp_path, account.url("Spiele für alle")))[0]) == [letter()]


def test_a_missing_folder_is_told(tmp_path: Path, account: Account) -> None:
    config = desk(tmp_path, account.url("Nowhere"))
    assert "127.0.0.1 said: select failed: Mailbox doesn't exist: Nowhere" in trouble(lambda: fetch(config))


@pytest.mark.parametrize("password", ["wrong", "für alle"])
def test_a_wrong_password_is_told(tmp_path: Path, account: Account, password: str) -> None:
    config = desk(tmp_path, account.url(), password=password)
    sentence = trouble(lambda: fetch(config))
    assert sentence == "127.0.0.1 refused the login: [AUTHENTICATIONFAILED] Authentication failed."


def test_a_server_that_is_down_is_told(tmp_path: Path) -> None:
    config = desk(tmp_path, "imap://gm@127.0.0.1:1", "smtp://127.0.0.1:1")
    assert trouble(lambda: fetch(config)) == "The line to 127.0.0.1 is broken: Connection refused."
    assert trouble(lambda: send(config, letter())) == "The line to 127.0.0.1 is broken: Connection refused."


def test_tls_is_used_and_its_certificate_checked(
    tmp_path: Path, account: Account, certificate: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    account.append(letter())
    for config in (desk(tmp_path, account.imaps_url()), encrypted(desk(tmp_path, account.url()))):
        monkeypatch.delenv("SSL_CERT_FILE", raising=False)
        assert "127.0.0.1 shows a certificate that cannot be trusted" in trouble(lambda c=config: fetch(c))
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate.certificate))
        assert raws(fetch(config)[0]) == [letter()]


def test_an_access_token_is_taken_by_a_real_server(tmp_path: Path, account: Account, sink: Sink) -> None:
    account.append(letter())
    config = desk(tmp_path, account.url(), account.submission_url(), auth="xoauth2")
    assert raws(fetch(config)[0]) == [letter()]
    send(config, letter())
    assert len(sink.letters) == 1
    config = desk(tmp_path, account.url(), account.submission_url(), password="stale", auth="xoauth2")
    assert trouble(lambda: fetch(config)) == (
        "127.0.0.1 refused the access token, which may have expired: [AUTHENTICATIONFAILED] Authentication failed."
    )
    assert trouble(lambda: send(config, letter())) == (
        "127.0.0.1 refused the access token, which may have expired, with 535: 5.7.8 Authentication failed."
    )


def wants_token(*, taken: bool) -> Scripted:
    """A server that gives the token back in its refusal, as it is and as it came."""
    tag = b""

    def answer(line: bytes) -> bytes:
        nonlocal tag
        words = line.split()
        if words[1:] == [b"AUTHENTICATE", b"XOAUTH2"]:
            tag = words[0]
            return b"+ \r\n"
        if words == [TOKEN_SAID] and not taken:
            return b"+ eyJzdGF0dXMiOiI0MDEiLCJzY2hlbWVzIjoiYmVhcmVyIn0=\r\n"
        if words in ([TOKEN_SAID], []):
            return tag + (b" OK thanks\r\n" if taken else b" NO %s %s is stale\r\n" % (TOKEN_SAID, TOKEN.encode()))
        said = {b"CAPABILITY": b"* CAPABILITY IMAP4rev1\r\n", b"SELECT": b"* 0 EXISTS\r\n"}
        return said.get(words[1], b"") + words[0] + b" OK done\r\n"

    return Scripted(b"* OK here\r\n", answer)


@pytest.mark.parametrize("taken", [True, False])
def test_an_access_token_is_said_as_the_protocol_has_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, taken: bool
) -> None:
    caplog.set_level(0)
    with wants_token(taken=taken) as server:
        url = f"imap://{TOKEN_USER}@127.0.0.1:{server.port}"
        config = desk(tmp_path, url, password=TOKEN, auth="xoauth2")
        if taken:
            assert fetch(config)[0] == []
        else:
            assert trouble(lambda: fetch(config)) == (
                "127.0.0.1 refused the access token, which may have expired: *** *** is stale."
            )
        said = [line.strip() for line in server.heard][2:4]
    assert said[0] == TOKEN_SAID
    assert (said[1] == b"") != taken  # the complaint is answered with an empty line
    if taken:
        assert TOKEN not in caplog.text
        assert TOKEN_SAID.decode() not in caplog.text


def test_without_starttls_no_password_is_sent_to_another_machine(tmp_path: Path) -> None:
    with scripted_imap() as server:
        config = encrypted(desk(tmp_path, f"imap://gm@127.0.0.1:{server.port}"))
        assert "offers no STARTTLS, and no password goes over an open line" in trouble(lambda: fetch(config))
        assert not [line for line in server.heard if b"LOGIN" in line or b"AUTH" in line]


def test_a_line_that_drops_at_the_login_is_no_wrong_password(tmp_path: Path) -> None:
    with scripted_imap(LOGIN=None) as server:
        config = desk(tmp_path, f"imap://gm@127.0.0.1:{server.port}")
        assert "127.0.0.1 broke off at the login" in trouble(lambda: fetch(config))


@pytest.mark.parametrize(
    "answers",
    [
        {"FETCH": b"* 1 FETCH (UID 1 RFC822.SIZE 20 BODY[]<0> NIL)\r\n"},
        {"FETCH": b"* 1 FETCH (UID 1 RFC822.SIZE 20)\r\n"},
    ],
)
def test_a_letter_that_the_server_holds_back_is_told_after_the_others(
    tmp_path: Path, answers: dict[str, bytes]
) -> None:
    with scripted_imap(**answers) as server:
        config = desk(tmp_path, f"imap://gm@127.0.0.1:{server.port}")
        with open_mailbox(config) as mailbox:
            batches = mailbox.fetch("")
            assert list(next(batches).letters) == []
            assert trouble(lambda: next(batches)) == "127.0.0.1 gave no text for 1 of the new letters."


def test_a_letter_that_the_server_fails_on_stops_no_other(tmp_path: Path) -> None:
    def answer(line: bytes) -> bytes:
        tag, *words = line.split()
        said = {
            b"CAPABILITY": b"* CAPABILITY IMAP4rev1\r\n",
            b"SELECT": b"* 3 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT 4] ok\r\n",
            b"SEARCH": b"* SEARCH %s\r\n" % (b"2" if words[2:] == [b"UID", b"2"] else b"1 2 3"),
        }
        if words[:2] == [b"UID", b"FETCH"]:
            if b"2" in words[2]:
                return tag + b" NO [SERVERBUG] corrupted\r\n"
            uid, raw = int(words[2]), letter(int(words[2]))
            return b"* %d FETCH (UID %d BODY[]<0> {%d}\r\n%s)\r\n%s OK done\r\n" % (uid, uid, len(raw), raw, tag)
        return said.get(words[words[0] == b"UID"], b"") + tag + b" OK done\r\n"

    with (
        Scripted(b"* OK here\r\n", answer) as server,
        open_mailbox(desk(tmp_path, f"imap://gm@127.0.0.1:{server.port}")) as mailbox,
    ):
        batches = mailbox.fetch("")
        assert raws(list(next(batches).letters)) == [letter(1), letter(3)]
        assert trouble(lambda: next(batches)) == "127.0.0.1 gave no text for 1 of the new letters."


@pytest.mark.parametrize(
    "answers",
    [
        {"FETCH": b"* 1 FETCH (UID 1 BODY[]<0> {99000000000}\r\n"},
        {"FETCH": b"* 1 FETCH (UID 1 BODY[]<0> {5}\r\nab\r\n"},
        {"FETCH": b"* 1 FETCH (UID one BODY[]<0> (\r\n"},
        {"FETCH": b"* 1 FETCH ((((((\r\n"},
        {"FETCH": None},
        {"SEARCH": b"* SEARCH one two\r\n"},
        {"SEARCH": b"\xff\xfe\r\n"},
        {"SELECT": b"* OK [READ-ONLY] \r\n* 1 EXISTS\r\n"},
        {"SELECT": b"* BYE too many lines for gm@example.org\r\n"},
        {"SELECT": b""},
        {"greeting": b"HTTP/1.1 400 Bad Request\r\n"},
        {"greeting": b"* BYE closed for today\r\n"},
        {"greeting": b"220 smtp.example.org\r\n"},
        {"CAPABILITY": b""},
    ],
)
def test_whatever_a_server_says_a_run_ends_with_one_sentence(tmp_path: Path, answers: dict[str, bytes]) -> None:
    with scripted_imap(**answers) as server:
        config = desk(tmp_path, f"imap://gm@127.0.0.1:{server.port}")
        assert "127.0.0.1" in trouble(lambda: fetch_within(config, 0.3))


@pytest.mark.parametrize("fault", ["close", "reset"])
def test_a_line_may_break_at_any_point_and_nothing_is_lost(
    tmp_path: Path, account: Account, dovecot: Dovecot, fault: Fault
) -> None:
    account.append(letter(1), letter(2))
    for after in (0, 60, 300, 600, 900, 1200):
        with Proxy(dovecot.imap, fault, after) as proxy:
            config = desk(tmp_path, f"imap://{account.name}@127.0.0.1:{proxy.port}")
            assert "127.0.0.1" in trouble(lambda c=config: fetch_within(c, 5.0))
    assert raws(fetch(desk(tmp_path, account.url()))[0]) == [letter(1), letter(2)]


@pytest.mark.parametrize("fault", ["stall", "trickle"])
@pytest.mark.parametrize("after", [0, 500, 1200])
def test_a_server_that_keeps_us_waiting_is_left_at_the_deadline(
    tmp_path: Path, account: Account, dovecot: Dovecot, fault: Fault, after: int
) -> None:
    account.append(letter())
    with Proxy(dovecot.imap, fault, after) as proxy:
        config = desk(tmp_path, f"imap://{account.name}@127.0.0.1:{proxy.port}")
        began = monotonic()
        sentence = trouble(lambda: fetch_within(config, 0.3))
        assert monotonic() - began < 5
        assert sentence in (
            "127.0.0.1 took too long, the next run goes on where this one ends.",
            "127.0.0.1 did not answer in time.",
        )


def test_an_empty_mailbox_costs_four_commands_and_none_of_them_twice(tmp_path: Path) -> None:
    with scripted_imap(SELECT=b"* 0 EXISTS\r\n* OK [UIDVALIDITY 7] \r\n* OK [UIDNEXT 2] \r\n") as server:
        fetch(desk(tmp_path, f"imap://gm@127.0.0.1:{server.port}"), "7:1")
        assert [line.split()[1] for line in server.heard] == [b"CAPABILITY", b"LOGIN", b"SELECT", b"LOGOUT"]
