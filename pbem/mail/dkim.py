"""Our own look at DKIM signatures (RFC 6376), for desks whose mail server writes no verdict. The user of dkimpy.

It comes with the extra `pbem[dkim]`. Keys are looked up by DNS, with a limit for each look and for all of a run.
"""

from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dkim import DKIM

_EACH, _ALL = 3.0, 20.0  # seconds that looking up a key may take, and all keys of a run
_MOST = 5  # signatures of one letter


class Signatures:
    """Checks letters of one run, and remembers the keys that it has looked up."""

    def __init__(self) -> None:
        self._keys: dict[bytes, bytes | None] = {}
        self._spent = 0.0

    def vouch(self, raw: bytes, from_domain: str, *, strict: bool = False) -> bool:
        """Whether a letter is signed, From and its whole body, by the domain in its From or one above it;
        if it is to be `strict`, by that domain itself.

        A domain below it does not count: those may be anybody's. Where a key cannot be looked up nobody vouches.
        """
        from dkim import DKIM

        try:
            letter = DKIM(raw)
        except Exception:  # noqa: BLE001 - no letter that it could read
            return False
        domain = from_domain.lower().encode()
        return any(self._holds(letter, number, domain, strict=strict) for number in range(_MOST))

    def _holds(self, letter: "DKIM", number: int, domain: bytes, *, strict: bool) -> bool:
        """Whether one of a letter's signatures does."""
        try:
            if not (prepared := letter.verify_headerprep(number)):
                return False
            fields, signed, headers = prepared
            signer = fields[b"d"].lower()
            aligned = signer == domain or (not strict and b"." in signer and domain.endswith(b"." + signer))
            if not aligned or b"from" not in signed or b"l" in fields:
                return False
            return bool(letter.verify_sig(fields, signed, headers[number], self._key))
        except Exception:  # noqa: BLE001 - whatever is wrong with a signature, it does not hold; another one may
            return False

    def _key(self, name: bytes, timeout: float = _EACH) -> bytes | None:
        """The TXT record of a name; None if there is none, or no time is left to ask."""
        from dkim import get_txt

        if name not in self._keys:
            began = monotonic()
            self._keys[name] = get_txt(name, min(timeout, _EACH)) if self._spent < _ALL else None
            self._spent += monotonic() - began
        return self._keys[name]
