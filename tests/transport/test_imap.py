"""What a mailbox on an IMAP server has to cope with, on a real Dovecot and on servers that misbehave."""

from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest

from pbem.config.config import Config, Server
from pbem.config.ini import ConfigError
from pbem.transport.base import BATCH, Arrived, Unread
from pbem.transport.open import open_mailbox
from support.dovecot import Account, Certificate, Dovecot
from support.faulty import TOKEN, TOKEN_SAID, TOKEN_USER, Answer, Fault, Folder, Proxy, Scripted, scripted_imap, whole
from support.keywordless import Keywordless
from support.posting import UNKNOWN, desk, encrypted, fetch, fetch_within, letter, raws, send, trouble
from support.sink import Sink

KEYWORD = b"$PbemHandled"


def fetch_all(config: Config, mark: str) -> tuple[list[Arrived], str, str]:
    """What a run finds, the mark it would keep, and what it says of letters that it cannot read."""
    letters: list[Arrived] = []
    with open_mailbox(config, monotonic() + 20) as mailbox:
        try:
            for batch in mailbox.fetch(mark):
                letters += batch.letters
                mark = batch.mark
        except Unread as error:
            return letters, mark, str(error)
    return letters, mark, ""


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


def test_a_mark_behind_the_servers_next_number_was_wrong_and_hides_no_letter(tmp_path: Path, account: Account) -> None:
    config = desk(tmp_path, account.url())
    account.append(letter(1))
    _, mark = fetch(config, handle=True)
    validity, _, last = mark.partition(":")
    account.append(letter(2))
    letters, mended = fetch(config, f"{validity}:{int(last) + 5}", handle=True)
    assert raws(letters) == [letter(2)]
    assert mended == f"{validity}:{int(last) + 1}"
    assert not fetch(config, mended)[0]


def test_looking_back_finds_letters_before_the_mark_that_were_never_handled(tmp_path: Path, account: Account) -> None:
    config = desk(tmp_path, account.url())
    account.append(letter(1))
    _, mark = fetch(config, handle=True)
    validity, _, last = mark.partition(":")
    account.append(letter(2), letter(3))
    behind = f"{validity}:{int(last) + 2}"
    assert not fetch(config, behind)[0]
    with open_mailbox(config, monotonic() + 20) as mailbox:
        assert mailbox.overlooked(behind) == 2
        mailbox.look_back()
        found = [one for batch in mailbox.fetch(behind) for one in batch.letters]
        mailbox.handled([one.key for one in found])
        assert mailbox.overlooked(behind) == 0
    assert raws(found) == [letter(2), letter(3)]


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
    assert sentence.startswith(
        "The IMAP server 127.0.0.1 refused the login: [AUTHENTICATIONFAILED] Authentication failed."
    )


def test_a_server_that_is_down_is_told(tmp_path: Path) -> None:
    config = desk(tmp_path, "imap://gm@127.0.0.1:1", "smtp://127.0.0.1:1")
    told = "server 127.0.0.1 cannot be reached: Connection refused. See whether it runs, and host and port in the url."
    assert trouble(lambda: fetch(config)) == f"The IMAP {told}"
    assert trouble(lambda: send(config, letter())) == f"The SMTP {told}"


def test_tls_is_used_and_its_certificate_checked(
    tmp_path: Path, account: Account, certificate: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    account.append(letter())
    for config in (desk(tmp_path, account.imaps_url()), encrypted(desk(tmp_path, account.url()))):
        monkeypatch.delenv("SSL_CERT_FILE", raising=False)
        assert "127.0.0.1 shows a certificate that cannot be trusted" in trouble(lambda c=config: fetch(c))
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate.certificate))
        assert raws(fetch(config)[0]) == [letter()]


def with_ca(config: Config, ca_file: Path) -> Config:
    """The same with `ca_file` in [mailbox]."""
    assert isinstance(config.mailbox.place, Server)
    return config._replace(mailbox=config.mailbox._replace(place=config.mailbox.place._replace(ca_file=ca_file)))


def test_a_private_authority_is_trusted_if_the_configuration_names_it(
    tmp_path: Path, account: Account, certificate: Certificate
) -> None:
    account.append(letter())
    other = Certificate(tmp_path / "other").certificate
    for config in (desk(tmp_path, account.imaps_url()), encrypted(desk(tmp_path, account.url()))):
        assert raws(fetch(with_ca(config, certificate.certificate))[0]) == [letter()]
        assert "certificate that cannot be trusted" in trouble(lambda c=config: fetch(with_ca(c, other)))
        for name, why in (("gone", "No such file or directory"), ("config.ini", "it holds no certificate")):
            with pytest.raises(ConfigError, match=f"^ca_file .*{name}: cannot be used for 127.0.0.1: {why}"):
                fetch(with_ca(config, tmp_path / name))


def test_an_access_token_is_taken_by_a_real_server(tmp_path: Path, account: Account, sink: Sink) -> None:
    account.append(letter())
    config = desk(tmp_path, account.url(), account.submission_url(), auth="xoauth2")
    assert raws(fetch(config)[0]) == [letter()]
    send(config, letter())
    assert len(sink.letters) == 1
    config = desk(tmp_path, account.url(), account.submission_url(), password="stale", auth="xoauth2")
    assert trouble(lambda: fetch(config)) == (
        "The IMAP server 127.0.0.1 refused the access token: [AUTHENTICATIONFAILED] Authentication failed. It may have"
        " expired: see what `password_command` does."
    )
    assert trouble(lambda: send(config, letter())) == (
        "The SMTP server 127.0.0.1 refused the access token: 535 5.7.8 Authentication failed. It may have expired: see"
        " what `password_command` does."
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
                "The IMAP server 127.0.0.1 refused the access token: *** *** is stale. It may have expired: see what"
                " `password_command` does."
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


RAW = letter(2)

ANSWERS: dict[str, Callable[[bytes], Answer]] = {
    "OK, with NIL for the text": lambda tag: b"* 2 FETCH (UID 2 RFC822.SIZE 20 BODY[]<0> NIL)\r\n",
    "OK, without the text": lambda tag: b"* 2 FETCH (UID 2 RFC822.SIZE 20)\r\n",
    "OK, with other items alone": lambda tag: b'* 2 FETCH (UID 2 INTERNALDATE "21-Nov-2026 20:00:00 +0000")\r\n',
    "OK, with flags that nobody asked for": lambda tag: b"* 2 FETCH (UID 2 FLAGS (\\Seen))\r\n",
    "OK, with flags and no UID": lambda tag: b"* 2 FETCH (FLAGS (\\Seen))\r\n",
    "OK, with nothing of the letter": lambda tag: b"",
    "OK, with a text that is shorter than announced": lambda tag: (
        b"* 2 FETCH (UID 2 RFC822.SIZE %d BODY[]<0> {10}\r\n%s)\r\n" % (len(RAW), RAW[:10])
    ),
    "OK, with two texts": lambda tag: (
        b"* 2 FETCH (UID 2 RFC822.SIZE %d BODY[]<0> {%d}\r\n%s BODY[]<0> {3}\r\nabc)\r\n" % (len(RAW), len(RAW), RAW)
    ),
    "OK, with two texts, one of them in quotes": lambda tag: (
        b'* 2 FETCH (UID 2 RFC822.SIZE %d BODY[]<0> {%d}\r\n%s BODY[] "abc")\r\n' % (len(RAW), len(RAW), RAW)
    ),
    "OK, with the number of another letter besides": lambda tag: (
        b"* 2 FETCH (UID 3 RFC822.SIZE %d BODY[]<0> {%d}\r\n%s UID 2)\r\n" % (len(RAW), len(RAW), RAW)
    ),
    "OK, with more text than announced": lambda tag: (
        b"* 2 FETCH (UID 2 RFC822.SIZE 9 BODY[]<0> {%d}\r\n%s)\r\n" % (len(RAW), RAW)
    ),
    "OK, with a text and no size": lambda tag: b"* 2 FETCH (UID 2 BODY[]<0> {%d}\r\n%s)\r\n" % (len(RAW), RAW),
    "OK, with an empty text": lambda tag: b'* 2 FETCH (UID 2 RFC822.SIZE %d BODY[]<0> "")\r\n' % len(RAW),
    "OK, with a number for the text": lambda tag: b"* 2 FETCH (UID 2 BODY[]<0> 12)\r\n",
    "OK, with a text of the wrong place": lambda tag: b"* 2 FETCH (UID 2 BODY[]<5> {3}\r\nabc)\r\n",
    "OK, with an odd number of items": lambda tag: b"* 2 FETCH (UID 2 BODY[]<0>)\r\n",
    "OK, with brackets that never close": lambda tag: b"* 2 FETCH (UID 2 BODY[]<0> " + b"(" * 5_000 + b"\r\n",
    "OK, with a sender as a size": lambda tag: b"* 2 FETCH (UID 2 RFC822.SIZE alice BODY[]<0> NIL)\r\n",
    "a literal that is too short": lambda tag: b"* 2 FETCH (UID 2 BODY[]<0> {5}\r\n" + RAW + b")\r\n",
    "a literal of 99 GB": lambda tag: b"* 2 FETCH (UID 2 BODY[]<0> {99000000000}\r\n",
    "a literal of a negative length": lambda tag: b"* 2 FETCH (UID 2 BODY[]<0> {-1}\r\n",
    "BAD": lambda tag: tag + b" BAD I do not understand\r\n",
    "BYE": lambda tag: b"* BYE going down\r\n" + tag + b" NO not now\r\n",
    "BYE in the middle of the letter": lambda tag: b"* 2 FETCH (UID 2 BODY[]<0> {50}\r\nFrom\r\n* BYE down\r\n",
    "no answer, but the end of the line": lambda tag: None,
    "no IMAP": lambda tag: b"HTTP/1.1 400 Bad Request\r\n",
} | {
    f"NO [{code}]": lambda tag, code=code: tag + f" NO [{code}] it says\r\n".encode()
    for code in (
        *("ALERT", "ALREADYEXISTS", "AUTHENTICATIONFAILED", "AUTHORIZATIONFAILED", "BADCHARSET (UTF-8)", "CANNOT"),
        *("CAPABILITY IMAP4rev2", "CLIENTBUG", "CLOSED", "CONTACTADMIN", "CORRUPTION", "EXPIRED", "EXPUNGEISSUED"),
        *("HASCHILDREN", "INUSE", "LIMIT", "NONEXISTENT", "NOPERM", "OVERQUOTA", "PARSE", "PRIVACYREQUIRED"),
        *("READ-ONLY", "SERVERBUG", "TRYCREATE", "UIDNOTSTICKY", "UNAVAILABLE", "UNKNOWN-CTE", "X-MINE of mine"),
    )
}
"""What a server may say to a FETCH of the second letter, by what it is; RFC 9051 §7 and its response codes, §7.1."""


@pytest.mark.parametrize("name", ANSWERS)
def test_a_letter_that_the_server_does_not_give_is_named_and_asked_for_until_it_is_read(
    tmp_path: Path, name: str
) -> None:
    folder = Folder({uid: letter(uid) for uid in (1, 2, 3)}, {2: ANSWERS[name]})
    with folder.serve() as server:
        config = desk(tmp_path, f"imap://gm@127.0.0.1:{server.port}")
        found, mark, sentence = fetch_all(config, "")
        assert raws(found) == [letter(1), letter(3)]
        assert mark == "7:3 2"
        assert "127.0.0.1" in sentence
        assert sentence.endswith(" That is the letter UID 2.")
        folder.letters[4] = letter(4)
        folder.fetched.clear()
        found, mark, sentence = fetch_all(config, mark)
        assert raws(found) == [letter(4)]
        assert mark == "7:4 2"
        assert sentence.endswith(" That is the letter UID 2.")
        assert all(uids in ([2], [4]) for uids in folder.fetched)  # alone
        folder.says.clear()
        assert fetch_all(config, mark) == ([Arrived("2", UNKNOWN, letter(2), len(letter(2)), late=True)], "7:4", "")
        assert fetch_all(config, "7:4") == ([], "7:4", "")


@pytest.mark.parametrize("name", list(ANSWERS)[::9])
def test_a_letter_that_the_server_does_not_give_is_forgotten_once_it_is_gone(tmp_path: Path, name: str) -> None:
    folder = Folder({uid: letter(uid) for uid in (1, 2, 3)}, {2: ANSWERS[name]})
    with folder.serve() as server:
        config = desk(tmp_path, f"imap://gm@127.0.0.1:{server.port}")
        _, mark, _ = fetch_all(config, "")
        del folder.letters[2]
        assert fetch_all(config, mark) == ([], "7:3", "")


@pytest.mark.parametrize("name", list(ANSWERS)[::9])
def test_a_letter_that_the_server_does_not_give_once_is_not_lost_with_the_numbers(tmp_path: Path, name: str) -> None:
    folder = Folder({uid: letter(uid) for uid in (1, 2, 3)}, {2: ANSWERS[name]})
    with folder.serve() as server:
        config = desk(tmp_path, f"imap://gm@127.0.0.1:{server.port}")
        _, mark, _ = fetch_all(config, "")
        folder.validity, folder.letters, folder.says = 8, {5: letter(2)}, {}
        assert raws(fetch_all(config, mark)[0]) == [letter(2)]


@pytest.mark.parametrize(
    "said",
    [
        b"* 2 EXPUNGE\r\n",
        b"* VANISHED 9\r\n",
        b"* VANISHED (EARLIER) 1:9\r\n",
        b"* 5 EXISTS\r\n",
        b"* 0 RECENT\r\n",
        b"* OK [ALERT] the disk is nearly full\r\n",
        b"* NO something is slow\r\n",
        b"* BAD something was odd\r\n",
        b"* FLAGS (\\Seen \\Answered)\r\n",
        b"* OK [HIGHESTMODSEQ 9] ok\r\n",
        b"* OK [UIDVALIDITY 7] as ever\r\n",
        b"* CAPABILITY IMAP4rev2\r\n",
        b"* STATUS INBOX (MESSAGES 3)\r\n",
        b'* LIST () "/" INBOX\r\n',
        b'* ESEARCH (TAG "A9") UID ALL 1:3\r\n',
        b"* SEARCH 1 2\r\n",
        b"* 1 FETCH (FLAGS (\\Seen))\r\n",
        b"* 2 FETCH (UID 2 FLAGS (\\Seen \\Deleted))\r\n",
        b"* 9 FETCH (UID 9 FLAGS ())\r\n",
        b"* 9 FETCH (UID 9 BODY[]<0> NIL)\r\n",
    ],
)
def test_what_a_server_tells_besides_costs_no_letter(tmp_path: Path, said: bytes) -> None:
    folder = Folder({uid: letter(uid) for uid in (1, 2, 3)}, {})
    folder.at_each_fetch = said
    with folder.serve() as server:
        config = desk(tmp_path, f"imap://gm@127.0.0.1:{server.port}")
        found, mark, sentence = fetch_all(config, "")
        assert (raws(found), mark, sentence) == ([letter(1), letter(2), letter(3)], "7:3", "")


def test_uids_that_mean_something_else_in_the_middle_of_a_run_are_not_believed(tmp_path: Path) -> None:
    folder = Folder({1: letter(1), 2: letter(2)}, {})
    folder.at_each_fetch = b"* OK [UIDVALIDITY 8] anew\r\n"
    with folder.serve() as server:
        config = desk(tmp_path, f"imap://gm@127.0.0.1:{server.port}")
        with open_mailbox(config) as mailbox:
            batches = mailbox.fetch("7:1")
            folder.validity = 8
            sentence = "The IMAP server 127.0.0.1 has numbered its letters anew: the next run reads them."
            assert trouble(lambda: list(batches)) == sentence
        folder.at_each_fetch = b""
        assert raws(fetch_all(config, "7:1")[0]) == [letter(1), letter(2)]


def test_a_server_that_announces_more_than_there_is_costs_no_letter(tmp_path: Path) -> None:
    def estimates(tag: bytes) -> bytes:
        return whole(2, RAW).replace(b"RFC822.SIZE ", b"RFC822.SIZE 9")

    with Folder({1: letter(1), 2: RAW}, {}).serve() as server:
        usual = server._answer

        def answer(line: bytes) -> bytes | None:
            words = line.split()
            if words[1:3] != [b"UID", b"FETCH"]:
                return usual(line)
            if b"[]<0." in line:
                return estimates(words[0]) + words[0] + b" OK done\r\n"
            return b'* 2 FETCH (UID 2 BODY[]<%d> "")\r\n%s OK done\r\n' % (len(RAW), words[0])

        server._answer = answer
        found, mark, sentence = fetch_all(desk(tmp_path, f"imap://gm@127.0.0.1:{server.port}"), "7:1")
        assert ([(one.raw, one.size) for one in found], mark, sentence) == ([(RAW, len(RAW))], "7:2", "")


def test_a_server_that_announces_less_than_there_is_costs_no_letter_if_it_gives_the_rest_alike(tmp_path: Path) -> None:
    with Folder({1: letter(1), 2: RAW}, {}).serve() as server:
        usual = server._answer
        less = b"RFC822.SIZE %d " % (len(RAW) - 7)
        server._answer = lambda line: (usual(line) or b"").replace(b"RFC822.SIZE %d " % len(RAW), less)
        found, mark, sentence = fetch_all(desk(tmp_path, f"imap://gm@127.0.0.1:{server.port}"), "7:1")
        assert ([(one.raw, one.size) for one in found], mark, sentence) == ([(RAW, len(RAW))], "7:2", "")


def behind(uid: int, more: int = 0) -> bytes:
    """An answer to FETCH with all other items behind the text, whose length is announced with so many bytes `more`."""
    raw = letter(uid)
    head = b"* %d FETCH (BODY[]<0> {%d}\r\n" % (uid, len(raw) + more)
    return head + raw + b" UID %d RFC822.SIZE %d FLAGS ())\r\n" % (uid, len(raw))


def before(uid: int, more: int = 0) -> bytes:
    """The same with all other items before the text."""
    return whole(uid, letter(uid)).replace(b"{%d}" % len(letter(uid)), b"{%d}" % (len(letter(uid)) + more))


@pytest.mark.parametrize("answer", [before, behind])
@pytest.mark.parametrize(
    "more", [1, 3, 7, 13, 20, 24, 27, 34, 36, 40, 60, len(before(3)), len(behind(3)), len(behind(3)) + 7]
)
def test_a_text_that_swallows_what_follows_it_is_read_by_another_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: Callable[..., bytes], more: int
) -> None:
    monkeypatch.setattr("pbem.transport.sockets.PATIENCE", 0.2)
    says = {uid: lambda tag, uid=uid: answer(uid) for uid in (1, 3)}
    folder = Folder({uid: letter(uid) for uid in (1, 2, 3)}, {**says, 2: lambda tag: answer(2, more)})
    with folder.serve() as server:
        config = desk(tmp_path, f"imap://gm@127.0.0.1:{server.port}")
        found, mark, sentence = fetch_all(config, "")
        assert (raws(found), mark) == ([letter(1), letter(3)], "7:3 2")
        assert sentence.endswith(" That is the letter UID 2.")
        folder.says.clear()
        assert (raws(fetch_all(config, mark)[0])) == [letter(2)]


def test_a_file_that_dovecot_cannot_read_stops_no_other_and_is_read_when_it_can_be(
    tmp_path: Path, account: Account
) -> None:
    account.append(*[letter(number) for number in range(1, 6)])
    config = desk(tmp_path, account.url())
    (hidden,) = [path for path in account.folder.rglob("cur/*") if b"Turn 3" in path.read_bytes()]
    hidden.chmod(0)
    found, mark, sentence = fetch_all(config, "")
    assert raws(found) == [letter(number) for number in (1, 2, 4, 5)]
    assert sentence.endswith(" That is the letter UID 3.")
    account.append(letter(6))
    found, mark, sentence = fetch_all(config, mark)
    assert raws(found) == [letter(6)]
    assert sentence.endswith(" That is the letter UID 3.")
    hidden.chmod(0o600)
    found, mark, sentence = fetch_all(config, mark)
    assert (raws(found), sentence) == ([letter(3)], "")
    assert " " not in mark


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
        assert sentence.startswith(
            (
                "The IMAP server 127.0.0.1 took too long, the next run goes on where this one ends.",
                "The IMAP server 127.0.0.1 did not answer in time.",
            )
        )


def test_an_empty_mailbox_costs_four_commands_and_none_of_them_twice(tmp_path: Path) -> None:
    with scripted_imap(SELECT=b"* 0 EXISTS\r\n* OK [UIDVALIDITY 7] \r\n* OK [UIDNEXT 2] \r\n") as server:
        fetch(desk(tmp_path, f"imap://gm@127.0.0.1:{server.port}"), "7:1")
        assert [line.split()[1] for line in server.heard] == [b"CAPABILITY", b"LOGIN", b"SELECT", b"LOGOUT"]
