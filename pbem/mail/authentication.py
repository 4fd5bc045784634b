"""Verdicts on whether the server that received a letter vouches for the letter's sender, based on the header
Authentication-Results (RFC 8601).

The receiving server has made the checks and written down the results. Because anybody can write such headers, only
those of the server named in the desk's configuration count, and of these only the topmost. A desk whose server writes
no such headers checks DKIM signatures itself (RFC 6376, with dkimpy, from the extra `pbem[dkim]`); it looks up the keys
in DNS, with a time limit for each key and for each run.
"""

import re
from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from dkim import DKIM


_METHODS = ("dmarc", "dkim", "spf")
_MAX_HEADERS = 20  # the maximum number of headers examined; some servers write one for each method
_MAX_LENGTH = 8_000  # the maximum number of characters in a header that is parsed


class Verdict(NamedTuple):
    """The verdict on whether the sender's domain is vouched for, with a short reason for the operator."""

    vouched: bool
    reason: str


class Check(NamedTuple):
    """The result that a server has found for a letter by one method, "dmarc", "dkim" or "spf", and the domain that it
    is about, or ""."""

    method: str
    result: str
    domain: str


class _Result(NamedTuple):
    """The result of one method, such as `dkim=pass header.d=example.net`, with names and domains in lower case."""

    method: str
    result: str
    properties: dict[str, str]


def vouched(headers: Sequence[str], authserv_id: str, from_domain: str, *, strict: bool = False) -> Verdict:
    """Return a verdict on whether the server `authserv_id` vouches for `from_domain`, the domain of a letter's only
    From address.

    `headers` are the values of the letter's Authentication-Results headers, topmost first. `authserv_id` is the
    server's name in these headers, or a domain above that name if each of the provider's servers uses a name of its
    own; it is "" for Microsoft 365, which writes no name. Headers below a header of another server may be forged and
    are ignored. The topmost header that mentions DMARC, DKIM or SPF decides alone, even if its result is `none`.

    DMARC, DKIM (header.d) or SPF (smtp.mailfrom) must have passed for `from_domain`, or for a domain above or below it.
    This is the relaxed alignment of RFC 7489, except that no list of public suffixes is used. If `strict` is true, only
    `from_domain` itself counts.
    """
    for value in headers[:_MAX_HEADERS]:
        name, results = _parse(value)
        if name is None or not is_of(name, authserv_id.lower()):
            break
        if any(result.method in _METHODS for result in results):
            return _judge(results, from_domain.lower(), strict=strict)
        if not results:
            return Verdict(False, "the server we trust has checked nothing")
    return Verdict(False, "no Authentication-Results of the server we trust")


def checks(headers: Sequence[str], authserv_id: str | None) -> tuple[str | None, list[Check]]:
    """Return the name of the server that wrote the topmost Authentication-Results of `headers`, None if there are none
    that can be read, and what it found.

    If `authserv_id` is given, only results of this server count, as they do for `vouched`.
    """
    name: str | None = None
    found: list[Check] = []
    for value in headers[:_MAX_HEADERS]:
        by, results = _parse(value)
        if by is None or by != (by if name is None else name):
            break
        name = by
        if authserv_id is None or is_of(by, authserv_id.lower()):
            found += [Check(one.method, one.result, _domain(one)) for one in results if one.method in _METHODS]
    return name, found


def _judge(results: Sequence[_Result], domain: str, *, strict: bool) -> Verdict:
    policies = [result for result in results if result.method == "dmarc" and result.result != "none"]
    # If DMARC did not pass, neither DKIM nor SPF can have passed for this domain.
    if any(result.result != "pass" for result in policies):
        return Verdict(False, "DMARC did not pass")
    for result in sorted(results, key=lambda result: _METHODS.index(result.method) if result.method in _METHODS else 9):
        if result.method in _METHODS and result.result == "pass" and aligned(_domain(result), domain, strict=strict):
            return Verdict(True, f"{result.method.upper()} passed")
    return Verdict(False, "none of DMARC, DKIM and SPF passed for the domain of From")


def _domain(result: _Result) -> str:
    """Return the domain that `result` is about, or ""."""
    names = {"dmarc": ("header.from",), "dkim": ("header.d", "header.i"), "spf": ("smtp.mailfrom", "smtp.mail")}
    value = next((result.properties[name] for name in names[result.method] if name in result.properties), "")
    return value.rpartition("@")[2].strip("<>").rstrip(".")


def aligned(signer: str, domain: str, *, strict: bool = False) -> bool:
    """Return whether a result about `signer` counts for `domain`, both in lower case: if they are equal or, unless
    `strict` is true, one is above the other."""
    if signer == domain or strict:
        return signer == domain != ""
    return "." in signer and "." in domain and (signer.endswith(f".{domain}") or domain.endswith(f".{signer}"))


def is_of(name: str, authserv_id: str) -> bool:
    """Return whether a server that calls itself `name` is the one called `authserv_id`, or one below it; both in lower
    case."""
    return name == authserv_id or (authserv_id != "" and name.endswith(f".{authserv_id}"))


def _parse(value: str) -> tuple[str | None, list[_Result]]:
    """Return the server's name and the results in `value`, the value of a header. The name is None if the header is
    malformed, and "" if the name is missing."""
    plain = _without_comments(value) if len(value) <= _MAX_LENGTH else None
    if plain is None:
        return None, []
    pieces = [piece.strip() for piece in _PIECE.findall(plain)]
    name = ""
    if pieces and "=" not in pieces[0]:
        name = pieces.pop(0).split()[0].strip('"').lower() if pieces[0] else ""
    return name, [_result(pairs) for piece in pieces if (pairs := _PAIR.findall(piece))]


def _result(pairs: Sequence[tuple[str, str]]) -> _Result:
    """Build a result from `pairs` of a name and a value. The first pair is the method and its result, and the others
    are properties. The version of the method is dropped, and the first value of each property counts."""
    (method, result), *properties = ((name.lower(), value.replace('"', "").lower()) for name, value in pairs)
    return _Result(method.partition("/")[0], result, dict(reversed(properties)))


def _without_comments(value: str) -> str | None:
    """Return `value` without its comments, which may be nested; None if a comment or a quoted string does not end."""
    parts: list[str] = []
    depth, quoted = 0, False
    for part in _PART.findall(value):
        if part == '"' and not depth:
            quoted = not quoted
        depth += {"(": 1, ")": -1}.get(part, 0) if not quoted else 0
        if depth < 0:
            return None
        if not depth:
            parts.append(" " if part == ")" and not quoted else part)
    return None if depth or quoted else "".join(parts)


_QUOTED = r'"(?:[^"\\]|\\.)*"'
_PART = re.compile(r'\\.|[\\"()]|[^\\"()]+')
_PIECE = re.compile(rf'(?:[^;"]|{_QUOTED})+')
_PAIR = re.compile(rf'([A-Za-z][\w./-]{{0,60}})\s*=\s*((?:[^\s"]|{_QUOTED}){{1,500}})')


_EACH, _ALL = 3.0, 20.0  # seconds for looking up each key, and all the keys of a run
_MOST = 5  # the maximum number of signatures of a letter that are checked


class Signatures:
    """A checker of the signatures of letters in one run. It remembers the keys that it has looked up."""

    def __init__(self) -> None:
        self._keys: dict[bytes, bytes | None] = {}
        self._spent = 0.0

    def vouch(self, raw: bytes, from_domain: str, *, strict: bool = False) -> bool:
        """Return whether `from_domain`, or a domain above it, has signed the From header and the whole body of the
        letter `raw`.

        If `strict` is true, only `from_domain` itself counts. Domains below it never count, because they may belong to
        anybody. A signature whose key cannot be looked up does not count.
        """
        from dkim import DKIM

        try:
            letter = DKIM(raw)
        except Exception:  # noqa: BLE001 - dkimpy cannot read the letter
            return False
        domain = from_domain.lower().encode()
        return any(self._holds(letter, number, domain, strict=strict) for number in range(_MOST))

    def _holds(self, letter: "DKIM", number: int, domain: bytes, *, strict: bool) -> bool:
        """Return whether the signature with the given number is valid and belongs to `domain` or, unless `strict` is
        true, to a domain above it."""
        try:
            if not (prepared := letter.verify_headerprep(number)):
                return False
            fields, signed, headers = prepared
            signer = fields[b"d"].lower()
            aligned = signer == domain or (not strict and b"." in signer and domain.endswith(b"." + signer))
            if not aligned or b"from" not in signed or b"l" in fields:
                return False
            return bool(letter.verify_sig(fields, signed, headers[number], self._key))
        except Exception:  # noqa: BLE001 - a signature with any fault is invalid; another one may be valid
            return False

    def _key(self, name: bytes, timeout: float = _EACH) -> bytes | None:
        """Return the TXT record of `name`; None if there is no such record, or if no time is left for the query."""
        from dkim import get_txt

        if name not in self._keys:
            began = monotonic()
            self._keys[name] = get_txt(name, min(timeout, _EACH)) if self._spent < _ALL else None
            self._spent += monotonic() - began
        return self._keys[name]
