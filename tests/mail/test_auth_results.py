"""Who vouches for a sender: Authentication-Results as servers write them, and as forgers do."""

import time
from functools import partial

import pytest

from pbem.mail import letters
from pbem.mail.authentication import vouched
from pbem.orders.reader import may_be_order
from support.each import each

read = partial(letters.read, is_order=may_be_order)

GMAIL = """mx.google.com;
       dkim=pass header.i=@example.net header.s=s1 header.b=Q0gPlYcI;
       spf=pass (google.com: domain of alice@example.net designates 192.0.2.7 as permitted sender)
       smtp.mailfrom=alice@example.net;
       dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=example.net"""
MICROSOFT = """spf=pass (sender IP is 192.0.2.7)
 smtp.mailfrom=example.net; dkim=pass (signature was verified)
 header.d=example.net;dmarc=pass action=none
 header.from=example.net;compauth=pass reason=100"""
FASTMAIL = (
    """mx4.messagingengine.com;
    x-csa=none;
    x-me-sender=none;
    x-ptr=pass smtp.helo=mail.example.net
      policy.ptr=mail.example.net""",
    "mx4.messagingengine.com;\n    bimi=skipped (DMARC Policy is not at enforcement)",
    """mx4.messagingengine.com;
    arc=none (no signatures found);
    dkim=pass (2048-bit rsa key sha256)
      header.d=example.net header.i=@example.net header.b=kGhI3lZg
      header.a=rsa-sha256 header.s=s1 x-bits=2048;
    dmarc=none policy.published-domain-policy=none
      policy.applied-disposition=none (no policy) header.from=example.net;
    iprev=pass smtp.remote-ip=192.0.2.7 (mail.example.net);
    spf=pass smtp.mailfrom=alice@example.net smtp.helo=mail.example.net""",
)
YAHOO = """atlas-production.v2-mail-prod1-gq1.omega.yahoo.com;
 dkim=pass header.i=@example.net header.s=s1;
 spf=pass smtp.mailfrom=example.net;
 dmarc=pass(p=NONE,sp=QUARANTINE) header.from=example.net;"""
OPENDKIM = """mail.example.org;
\tdkim=pass (2048-bit key; unprotected) header.d=example.net header.i=@example.net header.a=rsa-sha256 header.s=s1
\theader.b=abcd1234; dkim-atps=neutral"""
OPENDMARC = "mail.example.org; dmarc=pass (p=none dis=none) header.from=example.net"
POLICYD = """mail.example.org; spf=pass (sender SPF authorized) smtp.mailfrom=example.net (client-ip=192.0.2.7;
 helo=mail.example.net; envelope-from=alice@example.net; receiver=<UNKNOWN>)"""
RSPAMD = """mail.example.org;
\tdkim=pass header.d=example.net header.s=s1 header.b=abcd1234;
\tspf=pass (mail.example.org: domain of alice@example.net designates 192.0.2.7 as permitted sender)
 smtp.mailfrom=alice@example.net;
\tdmarc=none"""
ICLOUD = (
    "bimi.icloud.com; bimi=none",
    "dmarc.icloud.com; dmarc=pass header.from=example.net",
    "dkim-verifier.icloud.com;\n\tdkim=pass (2048-bit key) header.d=example.net header.i=@example.net header.b=abcd",
    """spf.icloud.com; spf=pass (spf.icloud.com: domain of alice@example.net designates 192.0.2.7 as permitted
 sender) smtp.mailfrom=alice@example.net""",
)
SERVERS = {
    "Gmail": ((GMAIL,), "mx.google.com"),
    "Microsoft 365": ((MICROSOFT,), ""),
    "Fastmail": (FASTMAIL, "messagingengine.com"),
    "Yahoo": ((YAHOO,), "yahoo.com"),
    "OpenDKIM": ((OPENDKIM,), "mail.example.org"),
    "OpenDMARC": ((OPENDMARC, OPENDKIM), "mail.example.org"),
    "policyd-spf": ((POLICYD,), "mail.example.org"),
    "Rspamd": ((RSPAMD,), "mail.example.org"),
    "iCloud": (ICLOUD, "icloud.com"),
}


def of(header: str, domain: str = "example.net") -> bool:
    """Whether mx.example.org vouches for the domain by one header."""
    return vouched([header], "mx.example.org", domain).vouched


@each(("headers", "name"), SERVERS.values(), ids=SERVERS)
class TestAServer:
    def test_vouches_for_the_domain_that_passed(self, headers: tuple[str, ...], name: str) -> None:
        assert vouched(headers, name, "example.net").vouched

    def test_vouches_for_no_other_domain(self, headers: tuple[str, ...], name: str) -> None:
        assert not vouched(headers, name, "example.com").vouched

    def test_that_found_a_fault_vouches_for_nobody(self, headers: tuple[str, ...], name: str) -> None:
        failed = [header.replace("=pass", "=fail") for header in headers]
        assert not vouched(failed, name, "example.net").vouched

    def test_that_we_do_not_trust_counts_for_nothing(self, headers: tuple[str, ...], name: str) -> None:
        assert not vouched(headers, "mx.example.com", "example.net").vouched

    def test_is_read_from_a_letter(self, headers: tuple[str, ...], name: str) -> None:
        lines = "".join(f"Authentication-Results: {header}\n" for header in headers)
        raw = f"Received: from x by y\n{lines}From: Alice <alice@example.net>\n\nhi".replace("\n", "\r\n")
        assert vouched(read(raw.encode()).authentication, name, "example.net").vouched


@each(
    "header",
    [
        "mx.example.org; dkim=pass header.d=example.net",
        "MX.Example.ORG 1; DKIM=Pass Header.D=Example.NET",
        '"mx.example.org"; dkim = pass header.d = "example.net"',
        "(trusted) mx.example.org (our own) ; (and (nested) \\) comments) dkim/1=pass (ok; fine) header.d=example.net.",
        "mx.example.org; dkim=fail header.d=example.com; dkim=pass header.d=example.net",
        "mx.example.org; dkim=fail header.d=example.net; spf=pass smtp.mailfrom=bounces@mail.example.net",
        "mx.example.org; dmarc=none; dkim=pass header.d=mail.example.net",
        'mx.example.org; spf=pass smtp.mailfrom="alice; dmarc=fail"@example.net',
        'mx.example.org; dkim=pass reason="good; and (proper" header.d=example.net',
        "relay.mx.example.org; dmarc=pass header.from=example.net",
    ],
)
def test_a_pass_for_the_domain_of_from_is_enough(header: str) -> None:
    assert of(header)


@each(
    "header",
    [
        "",
        "mx.example.org",
        "mx.example.org; none",
        "mx.example.org 1; none",
        "mx.example.org; dkim=pass",
        "mx.example.org; dkim=pass header.d=",
        "mx.example.org; dkim=pass header.d=example.com",
        "mx.example.org; dkim=pass header.d=net",
        "mx.example.org; dkim=pass header.d=notexample.net",
        "mx.example.org; dkim=pass header.d=example.net.evil.example",
        "mx.example.org; dkim=pass header.d=example.net@evil.example",
        "mx.example.org; dkim=passed header.d=example.net",
        "mx.example.org; dkim=none (pass header.d=example.net)",
        "mx.example.org; dkim=neutral header.d=example.net",
        "mx.example.org; spf=pass smtp.helo=example.net",
        "mx.example.org; spf=pass smtp.mailfrom=<>",
        "mx.example.org; iprev=pass policy.iprev=example.net; auth=pass smtp.auth=alice@example.net",
        "mx.example.org; arc=pass header.d=example.net",
        "mx.example.org; dmarc=fail header.from=example.net; dkim=pass header.d=example.net",
        "mx.example.org; dkim=pass header.d=example.net; dmarc=bestguesspass header.from=example.net",
        'mx.example.org; spf=pass smtp.mailfrom="x; dkim=pass header.d=example.net"@evil.example',
        "mx.example.org; spf=none (no; dkim=pass header.d=example.net",
        "mx.example.org; spf=none no) dkim=pass header.d=example.net (",
        'mx.example.org; spf=none "; dkim=pass header.d=example.net',
        "mx.example.org.evil.example; dkim=pass header.d=example.net",
        "evilmx.example.org; dkim=pass header.d=example.net",
        "mx.example.org@evil.example; dkim=pass header.d=example.net",
        "; dkim=pass header.d=example.net",
        "dkim=pass header.d=example.net",
        "mx.example.org dkim=pass header.d=example.net",
        "mx.example.org; x" + " " * 10_000 + "; dkim=pass header.d=example.net",
    ],
)
def test_anything_else_is_not(header: str) -> None:
    assert not of(header)


GOOD = "mx.example.org; dkim=pass header.d=example.net"
BAD = "mx.example.org; dkim=none; spf=softfail smtp.mailfrom=evil.example"


@pytest.mark.parametrize(
    "headers",
    [
        ("mx.example.org; none", GOOD),
        ("mx.example.org 1; none (nothing was checked)", GOOD),
        ("mx.example.org", GOOD),
        (BAD, GOOD),  # below what our server wrote the sender may have written anything
        ("mx.evil.example; dkim=pass header.d=example.net", GOOD),
        ("mx.example.org; spf=none", GOOD),
        ("mx.example.org; dmarc=none header.from=example.net", GOOD),
        (*(f"mx.example.org; bimi={n}" for n in range(20)), GOOD),
    ],
)
def test_what_stands_below_the_verdict_or_a_stranger_may_be_forged(headers: tuple[str, ...]) -> None:
    assert not vouched(list(headers), "mx.example.org", "example.net").vouched


@pytest.mark.parametrize(
    ("passed", "relaxed", "strict"),
    [("example.net", True, True), ("evil.example.net", True, False), ("net.example.net.evil", False, False)],
)
def test_a_domain_above_or_below_counts_only_where_it_may(passed: str, *, relaxed: bool, strict: bool) -> None:
    header = [f"mx.example.org; dkim=pass header.d={passed}"]
    assert vouched(header, "mx.example.org", "example.net").vouched is relaxed
    assert vouched(header, "mx.example.org", "example.net", strict=True).vouched is strict


def test_several_hops_are_judged_by_the_last_server() -> None:
    first_hop = "mx.example.com; dkim=pass header.d=example.net"
    assert vouched([GOOD, first_hop], "mx.example.org", "example.net").vouched
    assert not vouched([BAD, first_hop], "mx.example.org", "example.net").vouched


def test_without_a_name_in_the_header_only_a_desk_that_expects_none_trusts_it() -> None:
    assert vouched([MICROSOFT], "", "example.net").vouched
    assert not vouched([GOOD], "", "example.net").vouched


def test_no_header_at_all_is_no_verdict() -> None:
    assert vouched([], "mx.example.org", "example.net") == (
        False,
        "no Authentication-Results of the server we trust",
    )


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        (GOOD, "DKIM passed"),
        ("mx.example.org; spf=pass smtp.mailfrom=example.net", "SPF passed"),
        ("mx.example.org; spf=pass smtp.mailfrom=example.net; dmarc=pass header.from=example.net", "DMARC passed"),
        ("mx.example.org; dmarc=fail header.from=example.net", "DMARC did not pass"),
        (BAD, "none of DMARC, DKIM and SPF passed for the domain of From"),
    ],
)
def test_the_verdict_says_why(header: str, reason: str) -> None:
    assert vouched([header], "mx.example.org", "example.net").reason == reason


@each("unit", ["(", ")", '"', "\\", ";", "a=b;", "a=", "=", " ", '"a"', "(a)", "a.", "\x00", "é"])
def test_no_header_takes_long(unit: str) -> None:
    start = time.process_time()
    for prefix in ("", "mx.example.org; dkim=pass header.d="):
        assert not vouched([prefix + unit * (8_000 // len(unit))] * 50, "mx.example.org", "example.net").vouched
    assert time.process_time() - start < 0.5
