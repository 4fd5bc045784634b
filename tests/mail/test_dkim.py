"""DKIM signatures that we check ourselves, with keys from a name server of our own."""

import socket
from collections.abc import Iterator
from threading import Thread

import dns.message
import dns.resolver
import dns.rrset
import pytest
from dkim import sign

from pbem.mail.authentication import Signatures
from support.tables import configure, send, standing

# A key for these tests alone.
KEY = b"""-----BEGIN RSA PRIVATE KEY-----
MIICXQIBAAKBgQCyM5LymuVKYj5WGe9XbZNlrF0QvRE0mKHzy9D74hFCEW8rFa6Y
5zfMrmj7YBwsgdOw4P+F9B/DUATxnaj9oAFhUzeXb4MKOIiGw9DLLT5MY0OTYGrv
JvvEk/PQD4J79L8Vbd15nlGgFBXxW1P+yk1ua8kJu8lJMmuxL3ncATEAkwIDAQAB
AoGBAJrinLxkyRon3cp0bETvJofekl00F7pBV7JQ2mmzihCEmr018TVQ8nzisria
RqKgjOBWD4HcN6dI66Mdx336DneXzf5ooAMDOA1GjCFokP3uoS0LAwjsZB43YFlf
fms6EsycAOLyHU6u4OzO3lIoG6Kuue0us6NABiST+pW7uvRRAkEA2DlVQDuxV5Bg
d3xFf+rL9zLN04Yw3MVISaEE8JpLuPxwY9++FLLRn3kwy5/w9ECwnMo2ZzhmW9NE
NmBvBxePfwJBANL7pFX0QCevh5q65pr4T8T0z2IErfgt+IED/QQtIGcOvOG78Rz8
HKnFkfUIti3JdZgAWE/FfJifbxgBX7ey2O0CQQCQJRiKK8E8KMnGnhgPAM5cy4ef
nfPxGavpOej7JUGZ3uBmFIC5d8R7VeWLueJ+UqnqvHusMFM8oAj3Xy5lQfWtAkAg
CqmFiEep/0Vn4VSeWnG65rcMGsvU8h5YcaOeW8AdBqb23VUb4snzmpa1EPKh94ON
ZxgCXWqzvxrfGW5Q9q9tAkBpnNpznxrCHGLYAXa/cj7EVvsiTbuHxMp2YMBWrsnl
TJ+jfXI33F+OdtEmgKs1RJQ/ZlgM/hr8tQnSRjhcs5Qb
-----END RSA PRIVATE KEY-----
"""
RECORD = (
    "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCyM5LymuVKYj5WGe9XbZNlrF0QvRE0mKHzy9D74hFCEW8rFa6Y5z"
    "fMrmj7YBwsgdOw4P+F9B/DUATxnaj9oAFhUzeXb4MKOIiGw9DLLT5MY0OTYGrvJvvEk/PQD4J79L8Vbd15nlGgFBXxW1P+yk1ua8"
    "kJu8lJMmuxL3ncATEAkwIDAQAB"
)
LETTER = b"From: Alice <alice@example.net>\r\nTo: gm@example.org\r\nSubject: Turn 1\r\n\r\n3 A to M\r\n"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The names that a name server on loopback was asked for; it knows the key `mail` of example.net and net."""
    known = {"mail._domainkey.example.net.", "mail._domainkey.net.", "mail._domainkey.a.example.net."}
    names: list[str] = []
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            data, client = server.recvfrom(4096)
            if not data:
                return
            question = dns.message.from_wire(data)
            answer = dns.message.make_response(question)
            names.append(name := str(question.question[0].name).lower())
            if name in known:
                answer.answer.append(dns.rrset.from_text(name, 60, "IN", "TXT", quoted(RECORD)))
            server.sendto(answer.to_wire(), client)

    thread = Thread(target=serve)
    thread.start()
    resolver = dns.resolver.Resolver(configure=False)
    resolver.nameservers, resolver.port = ["127.0.0.1"], server.getsockname()[1]
    monkeypatch.setattr(dns.resolver, "default_resolver", resolver)
    yield names
    server.sendto(b"", server.getsockname())
    thread.join()
    server.close()


def quoted(text: str) -> str:
    """A TXT record's strings, of at most 255 characters each."""
    return " ".join(f'"{text[at : at + 255]}"' for at in range(0, len(text), 255))


def signed(letter: bytes = LETTER, domain: bytes = b"example.net", selector: bytes = b"mail", **options) -> bytes:
    return sign(letter, selector, domain, KEY, **options) + letter


def test_a_letter_that_its_senders_domain_has_signed_is_vouched_for(asked):
    assert Signatures().vouch(signed(), "example.net")
    assert asked == ["mail._domainkey.example.net."]


@pytest.mark.parametrize(
    "letter",
    [
        LETTER,
        signed().replace(b"3 A to M", b"3 A to Z"),
        signed().replace(b"alice@", b"mallory@"),
        b"From: mallory@example.net\r\n" + signed(),
        signed(selector=b"other"),
        signed(include_headers=[b"from", b"subject"], length=True) + b"2 W to M\r\n",
        signed().replace(b"h=", b"h=="),
        signed().replace(b" b=", b" b=QUFB"),
        b"DKIM-Signature: " + b"a=" * 5_000 + b"\r\n" + LETTER,
        b"",
        b"\xff\x00: \r\n",
    ],
)
def test_no_other_letter_is(asked, letter):
    assert not Signatures().vouch(letter, "example.net")


def test_a_signature_of_a_domain_above_counts_and_one_of_a_domain_below_or_elsewhere_does_not(asked):
    assert Signatures().vouch(signed(), "example.net")
    below = LETTER.replace(b"example.net", b"a.example.net")
    assert Signatures().vouch(signed(below), "a.example.net")
    assert not Signatures().vouch(signed(domain=b"a.example.net"), "example.net")
    assert not Signatures().vouch(signed(domain=b"net"), "example.net")
    assert not Signatures().vouch(signed(domain=b"example.org"), "example.net")


def test_one_good_signature_among_bad_ones_is_enough(asked):
    other = sign(LETTER, b"mail", b"example.org", KEY)
    assert Signatures().vouch(other + signed(), "example.net")


def test_a_key_is_looked_up_once_a_run(asked):
    run = Signatures()
    assert all(run.vouch(signed(), "example.net") for _ in range(3))
    assert len(asked) == 1


def test_a_desk_that_asks_for_signed_letters_takes_those_whose_signature_it_has_checked(asked, table):
    configure(table, "mailbox", "dkim = yes")
    configure(table, "desk", "trust = signed")
    send(table, "red", "3 A to M")
    assert not standing(table)
    table.deliver(signed(table.answer("red", "3 A to M").as_bytes()))
    table.poll()
    assert standing(table) == {"red": "3 A to M"}
