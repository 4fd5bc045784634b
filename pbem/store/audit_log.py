"""The record's chain: what its hashes are hashes of, and an entry added to it.

All are SHA-256 in lower-case hexadecimal, of UTF-8; docs/proof.md shows how to check them with `sha256sum`.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from pbem.values import NamedTuple

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from hashlib import _Hash as HASH

_encode = json.JSONEncoder().encode
_encode_content = json.JSONEncoder(sort_keys=True).encode

AUDITED: Mapping[str, str] = {
    "letters": "id, sha256, raw IS NULL, arrived, size, state, sender, message_id, words, match, seat, turn, outcome,"
    " vouched",
    "orders": "id, match, turn, seat, state, number, letter, written, canonical, nonce",
    "turns": "id, match, turn, before, orders, after, events, rules, played, undone, unseen",
    "outbox": "id, message_id, match, seat, player, kind, recipient, envelope, raw, made, refused, calendar",
}
"""The tables whose rows the record vouches for, and what of a row its hash covers.

A letter's bytes have a hash of their own. How often a letter was tried, when it is tried next and when it was sent
change without a new hash.
"""

Hashes = dict[int, str]
"""The hashes of rows, by their numbers."""


class Head(NamedTuple):
    """The last entry of the record: its number, and its hash, which stands for all before it."""

    number: int
    hash: str

    def __str__(self) -> str:
        return f"{self.number} {self.hash}"


def sha256(data: bytes) -> str:
    """A hash in hexadecimal digits."""
    return _openssl()(data).hexdigest()


@cache
def _openssl() -> "Callable[[bytes], HASH]":
    """Imported only now: a poll that finds nothing has no use for it."""
    from hashlib import sha256

    return sha256


def row_hash(row: Iterable[Any]) -> str:
    """The hash of a row of an audited table: of its values as a JSON list, where bytes are their own hash."""
    return sha256(_encode([sha256(value) if type(value) is bytes else value for value in row]).encode())


def content_hash(nonce: bytes, content: str) -> str:
    """The hash that an entry holds of its content; the nonce keeps it from being guessed once the content is gone."""
    return sha256(nonce + content.encode())


def link(before: str, number: int, entry: tuple[str, str, int | None], digest: str) -> str:
    """The hash of an entry (moment, kind, match): of that of the one before, its number, itself, and its content's
    hash."""
    at, kind, match = entry
    return sha256(f"{before}\n{number}\n{at}\n{kind}\n{'' if match is None else match}\n{digest}\n".encode())


def find_head(conn: "sqlite3.Connection") -> Head:
    """The head of the record; number 0 and no hash before its first entry."""
    row = conn.execute("SELECT id, hash FROM record ORDER BY id DESC LIMIT 1").fetchone()
    return Head(*row) if row else Head(0, "")


def holds(conn: "sqlite3.Connection", head: Head) -> bool:
    """Whether an entry that was the last one once is in the record: else the record is an older one, or another."""
    return conn.execute("SELECT 1 FROM record WHERE id = ? AND hash = ?", head).fetchone() is not None


def append(
    conn: "sqlite3.Connection", head: Head, entry: tuple[str, str, int | None], content: Mapping[str, Any]
) -> Head:
    """Add an entry (moment, kind, match) to the record; its new head."""
    from secrets import token_bytes

    nonce, text, number = token_bytes(16), _encode_content(content), head.number + 1
    digest = content_hash(nonce, text)
    new = Head(number, link(head.hash, number, entry, digest))
    conn.execute("INSERT INTO record VALUES (?, ?, ?, ?, ?, ?)", (number, *entry, digest, new.hash))
    conn.execute("INSERT INTO record_contents VALUES (?, ?, ?)", (number, nonce, text))
    return new
