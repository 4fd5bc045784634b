"""What sending through an SMTP server has to cope with."""

from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic

import pytest

from pbem.config.config import Server
from pbem.transport.base import Blocked, Interrupted, Refused
from pbem.transport.open import open_outgoing
from support.dovecot import Certificate
from support.faulty import TOKEN, TOKEN_SAID, TOKEN_USER, Fault, Proxy, Scripted
from support.posting import desk, encrypted, letter, send, trouble
from support.sink import Sink


@pytest.fixture(params=[False, True], ids=["one by one", "together"])
def sink(sink: Sink, request: pytest.FixtureRequest) -> Sink:
    """A server that is told the commands of a letter one by one, or all together."""
    sink.pipelining = request.param
    return sink


def test_the_envelope_is_as_given_and_many_letters_share_a_line(tmp_path: Path, sink: Sink) -> None:
    send(desk(tmp_path, outgoing=f"smtp://127.0.0.1:{sink.port}"), *[letter()] * 5, recipient="b@example.net")
    assert [(kept.sender, kept.recipient) for kept in sink.letters] == [("", "b@example.net")] * 5
    assert len(sink.lines) == 1


@pytest.mark.parametrize(
    ("answer", "permanent"),
    [("550 5.1.1 no b@example.net here", True), ("552 5.2.2 mailbox full", False), ("452 4.2.2 mailbox full", False)],
)
def test_a_refused_recipient_does_not_hold_up_the_next(
    tmp_path: Path, sink: Sink, answer: str, permanent: bool
) -> None:
    sink.refuse["b@example.net"] = answer
    with open_outgoing(desk(tmp_path, outgoing=f"smtp://127.0.0.1:{sink.port}")) as outgoing:
        with pytest.raises(Refused) as caught:
            outgoing.send(letter(1), "b@example.net", "", "1")
        outgoing.send(letter(2), "a@example.org", "", "2")
    assert (caught.value.permanent, caught.value.code) == (permanent, int(answer[:3]))
    assert "@" not in str(caught.value)
    assert [kept.raw for kept in sink.letters] == [letter(2)]
    assert len(sink.lines) == 1


def test_commands_go_out_together_where_the_server_takes_them_so(tmp_path: Path) -> None:
    answers = {
        b"ehlo": b"250-me\r\n250 PIPELINING\r\n",
        b"data": b"250 OK\r\n250 OK\r\n354 go on\r\n",  # nothing is said before the last of them is heard
        b".\r\n": b"250 OK\r\n",
        b"quit": b"221 bye\r\n",
    }

    def answer(line: bytes) -> bytes:
        return answers.get(line[:4], b"")

    with Scripted(b"220 here\r\n", answer) as server:
        send(desk(tmp_path, outgoing=f"smtp://127.0.0.1:{server.port}"), letter(1, ".3 A to M"))
        assert b"..3 A to M\r\n" in server.heard


def test_a_text_that_a_server_waits_for_after_all_is_left_empty(tmp_path: Path) -> None:
    def answer(line: bytes) -> bytes:
        answers = {b"ehlo": b"250-me\r\n250 PIPELINING\r\n", b"rcpt": b"550 not here\r\n", b"data": b"354 go on\r\n"}
        return answers.get(line[:4], b"250 OK\r\n")

    with Scripted(b"220 here\r\n", answer) as server:
        with pytest.raises(Refused, match="550: not here"):
            send(desk(tmp_path, outgoing=f"smtp://127.0.0.1:{server.port}"), letter())
        said = [line.strip() for line in server.heard]
        assert said[3:6] == [b"data", b".", b"rset"]


def test_a_refused_text_is_a_refused_letter(tmp_path: Path, sink: Sink) -> None:
    sink.refuse_data = "554 5.6.0 looks like a game"
    with pytest.raises(Refused, match=r"refused the letter with 554: 5\.6\.0 looks like a game"):
        send(desk(tmp_path, outgoing=f"smtp://127.0.0.1:{sink.port}"), letter())


@pytest.mark.parametrize("stage", ["recipient", "text"])
def test_a_refusal_for_our_own_sake_is_trouble_of_ours(tmp_path: Path, sink: Sink, stage: str) -> None:
    answer = "550 5.4.5 Daily user sending limit exceeded"
    if stage == "text":
        sink.refuse_data = answer
    else:
        sink.refuse["a@example.org"] = answer
    with pytest.raises(Blocked, match=r"550: 5\.4\.5 Daily user .* not about its readers"):
        send(desk(tmp_path, outgoing=f"smtp://127.0.0.1:{sink.port}"), letter(), recipient="a@example.org")


@pytest.mark.parametrize("recipient", ["ä@example.org", "a@example.org\r\nRCPT TO:<b@example.org>", "a b@c", ""])
def test_an_address_that_cannot_be_sent_is_refused_for_good(tmp_path: Path, sink: Sink, recipient: str) -> None:
    with pytest.raises(Refused) as caught:
        send(desk(tmp_path, outgoing=f"smtp://127.0.0.1:{sink.port}"), letter(), recipient=recipient)
    assert caught.value.permanent


def test_where_the_null_sender_is_refused_the_desks_own_address_is_used(tmp_path: Path, sink: Sink) -> None:
    sink.refuse_null = "501 5.1.7 bad sender"
    send(desk(tmp_path, outgoing=f"smtp://127.0.0.1:{sink.port}"), letter(1), letter(2))
    assert [kept.sender for kept in sink.letters] == ["gm@example.org"] * 2


@pytest.mark.parametrize("answer", ["550 5.7.60 no permission to send as this sender", "554 5.2.0 SendAsDenied; as <>"])
def test_nor_is_it_used_where_only_a_letter_with_it_is_refused(tmp_path: Path, sink: Sink, answer: str) -> None:
    sink.refuse_null_text = answer
    send(desk(tmp_path, outgoing=f"smtp://127.0.0.1:{sink.port}"), letter(1), letter(2))
    assert [kept.sender for kept in sink.letters] == ["gm@example.org"] * 2


@pytest.mark.parametrize("pipelining", [False, True])
def test_nor_where_it_is_refused_together_with_each_recipient(tmp_path: Path, sink: Sink, pipelining: bool) -> None:
    sink.refuse_null_recipient, sink.pipelining = "553 5.7.1 <>: Sender address rejected: not owned by user", pipelining
    send(desk(tmp_path, outgoing=f"smtp://127.0.0.1:{sink.port}"), letter(1), letter(2))
    assert [kept.sender for kept in sink.letters] == ["gm@example.org"] * 2


def test_a_refusal_of_the_text_with_any_sender_is_told_as_it_is(tmp_path: Path, sink: Sink) -> None:
    sink.refuse_data = "550 5.4.5 Daily user sending limit exceeded"
    config = desk(tmp_path, outgoing=f"smtp://127.0.0.1:{sink.port}")
    assert "5.4.5 Daily user sending limit" in trouble(lambda: send(config, letter()))


def test_a_line_that_is_closed_after_some_letters_is_opened_again(tmp_path: Path, sink: Sink) -> None:
    sink.letters_a_line = 2
    send(desk(tmp_path, outgoing=f"smtp://127.0.0.1:{sink.port}"), *[letter(number) for number in range(5)])
    assert [kept.raw for kept in sink.letters] == [letter(number) for number in range(5)]
    assert len(sink.lines) == 3


@pytest.mark.parametrize("answer", ["421 4.3.2 going down", "454 4.7.0 not now", "530 5.7.0 log in first"])
def test_an_answer_that_is_about_us_is_trouble_and_no_refusal(tmp_path: Path, sink: Sink, answer: str) -> None:
    sink.refuse["alice@example.org"] = answer
    config = desk(tmp_path, outgoing=f"smtp://127.0.0.1:{sink.port}")
    assert f"takes no letters now, it answered {answer[:3]}" in trouble(lambda: send(config, letter()))


@pytest.fixture
def own_sink(certificate: Certificate) -> Iterator[Callable[..., Sink]]:
    """Makes a sink that wants TLS or a login."""
    made: list[Sink] = []

    def make(*, tls: bool = False, direct_tls: bool = False, login: bool = False) -> Sink:
        made.append(Sink(certificate if tls or direct_tls else None, direct_tls, login))
        return made[-1]

    yield make
    for one in made:
        one.stop()


def test_letters_go_over_tls_and_the_certificate_is_checked(
    tmp_path: Path,
    own_sink: Callable[..., Sink],
    certificate: Certificate,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    starttls, direct = own_sink(tls=True), own_sink(direct_tls=True)
    for sink, config in (
        (starttls, encrypted(desk(tmp_path, outgoing=f"smtp://127.0.0.1:{starttls.port}"))),
        (direct, desk(tmp_path, outgoing=f"smtps://127.0.0.1:{direct.port}")),
    ):
        monkeypatch.delenv("SSL_CERT_FILE", raising=False)
        assert "certificate that cannot be trusted" in trouble(lambda c=config: send(c, letter()))
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate.certificate))
        send(config, letter())
        assert [kept.raw for kept in sink.letters] == [letter()]
        monkeypatch.delenv("SSL_CERT_FILE")
        assert isinstance(config.outgoing.place, Server)
        place = config.outgoing.place._replace(ca_file=certificate.certificate)
        send(config._replace(outgoing=config.outgoing._replace(place=place)), letter())
        assert len(sink.letters) == 2


def test_without_starttls_no_letter_is_sent_to_another_machine(tmp_path: Path, sink: Sink) -> None:
    config = encrypted(desk(tmp_path, outgoing=f"smtp://127.0.0.1:{sink.port}"))
    assert "offers no STARTTLS, and no letter goes over an open line" in trouble(lambda: send(config, letter()))
    assert not sink.lines


@pytest.mark.filterwarnings("ignore:Requiring AUTH")
def test_a_login_is_made_where_there_is_a_user(tmp_path: Path, own_sink: Callable[..., Sink]) -> None:
    sink = own_sink(login=True)
    send(desk(tmp_path, outgoing=f"smtp://gm@127.0.0.1:{sink.port}"), letter())
    assert len(sink.letters) == 1
    for password, sentence in (("wrong", "refused the login: 535"), ("für", "not plain ASCII")):
        config = desk(tmp_path, outgoing=f"smtp://gm@127.0.0.1:{sink.port}", password=password)
        assert sentence in trouble(lambda c=config: send(c, letter()))


@pytest.mark.parametrize("taken", [True, False])
def test_an_access_token_is_said_as_the_protocol_has_it(tmp_path: Path, taken: bool) -> None:
    def answer(line: bytes) -> bytes:
        word = line.split(b" ")[0].strip()
        if word == b"AUTH":
            return b"235 2.7.0 Accepted\r\n" if taken else b"334 eyJzdGF0dXMiOiI0MDEifQ==\r\n"
        if not word:
            return b"535 5.7.8 " + TOKEN_SAID + b" is " + TOKEN.encode() + b"\r\n"
        return {b"ehlo": b"250-me\r\n250 AUTH XOAUTH2\r\n", b"quit": b"221 bye\r\n"}.get(word.lower(), b"250 OK\r\n")

    with Scripted(b"220 here\r\n", answer) as server:
        config = desk(tmp_path, outgoing=f"smtp://{TOKEN_USER}@127.0.0.1:{server.port}", password=TOKEN, auth="xoauth2")
        if taken:
            send(config)
        else:
            assert trouble(lambda: send(config)) == (
                "The SMTP server 127.0.0.1 refused the access token: 535 5.7.8 *** is ***. It may have expired: see"
                " what `password_command` does."
            )
        said = [line.strip() for line in server.heard]
        assert said[:2] == [b"ehlo example.org", b"AUTH XOAUTH2 " + TOKEN_SAID]
        assert said[2:] == ([b"quit"] if taken else [b""])


@pytest.mark.parametrize("fault", ["close", "reset", "stall", "trickle"])
@pytest.mark.parametrize("after", [0, 10, 100])
def test_a_line_out_that_breaks_or_stalls_at_once_is_trouble(
    tmp_path: Path, sink: Sink, fault: Fault, after: int
) -> None:
    with Proxy(sink.port, fault, after) as proxy:
        config = desk(tmp_path, outgoing=f"smtp://127.0.0.1:{proxy.port}")
        began = monotonic()
        assert "127.0.0.1" in trouble(lambda: send(config, letter(), seconds=0.3))
        assert monotonic() - began < 5
    assert not sink.letters


@pytest.mark.parametrize("fault", ["close", "reset"])
@pytest.mark.parametrize("after", [250, 285, 320])
def test_a_line_out_that_breaks_after_some_letters_loses_none(
    tmp_path: Path, sink: Sink, fault: Fault, after: int
) -> None:
    letters = [letter(number) for number in range(9)]
    with Proxy(sink.port, fault, after) as proxy:
        config = desk(tmp_path, outgoing=f"smtp://127.0.0.1:{proxy.port}")
        try:
            send(config, *letters)
        except Interrupted:
            proxy.mend()
            send(config, *letters[len(sink.letters) - 1 :])
    assert {kept.raw for kept in sink.letters} == {*letters}
    assert len(sink.letters) <= len(letters) + 1


@pytest.mark.parametrize("fault", ["close", "reset"])
def test_a_letter_that_may_have_been_taken_is_not_sent_again_at_once(tmp_path: Path, sink: Sink, fault: Fault) -> None:
    with Proxy(sink.port, fault, at=r"\.\r\n") as proxy:
        config = desk(tmp_path, outgoing=f"smtp://127.0.0.1:{proxy.port}")
        with pytest.raises(Interrupted):
            send(config, letter())
    assert [kept.raw for kept in sink.letters] == [letter()]


def test_a_line_that_is_closed_between_two_letters_is_opened_again(tmp_path: Path, sink: Sink) -> None:
    with Proxy(sink.port) as proxy:
        config = desk(tmp_path, outgoing=f"smtp://127.0.0.1:{proxy.port}")
        with open_outgoing(config) as outgoing:
            for number in range(3):
                outgoing.send(letter(number), "a@example.org", "", "")
                proxy.cut()
    assert [kept.raw for kept in sink.letters] == [letter(number) for number in range(3)]
