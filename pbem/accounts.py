"""Who wrote this letter, and how sure are we? Reply tokens, and the seats and addresses they are held against."""

import base64
import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pbem.games.base import Seat


class Token(NamedTuple):
    """What a reply address says: which match, seat and turn a letter answers, and the proof (80 bits, base32)."""

    match: int
    seat: Seat
    turn: int
    proof: str

    def __str__(self) -> str:
        return f"{self.match}-{self.seat}-{self.turn}-{self.proof}"


_TOKEN = re.compile(r"(?<![a-z0-9])(\d{1,9})-([a-z]{1,12})-(\d{1,6})-([a-z2-7]{16})(?![a-z0-9])")


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody we know, and the address where letters go, as it was given to us."""

    id: int
    name: str
    address: str


GAME_MASTER = Player(0, "Game master", "")
"""Whoever the desk's configuration names."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a seat of a match, under which name; all his addresses in lower case.

    A new holder gets a new `epoch`, which ends every older token.
    """

    seat: Seat
    player: Player
    name: str
    epoch: int
    addresses: frozenset[str]
    failing: bool = False  # letters to him come back


def make_token(key: bytes, match: int, holder: Holder, turn: int) -> Token:
    """The token of a seat for one turn: an HMAC over match, seat, turn and the seat's epoch."""
    message = f"pbem reply token\n{match}\n{holder.seat}\n{turn}\n{holder.epoch}".encode()
    digest = hmac.digest(key, message, hashlib.sha256)[:10]
    return Token(match, holder.seat, turn, base64.b32encode(digest).decode().lower())


def find_tokens(texts: Iterable[str]) -> list[Token]:
    """The tokens that addresses or message ids hold, proven or not, each once and in the order found."""
    found = (_TOKEN.search(text.lower()) for text in texts)
    return list(dict.fromkeys(Token(int(m[1]), m[2], int(m[3]), m[4]) for m in found if m))


Doubt = Literal["stranger", "no token", "wrong token", "two seats", "another address", "unsigned"]

Trust = Literal["token", "signed", "address"]
"""What a desk asks of a letter: the token of a seat and one of its addresses; also that the sender's provider vouches
for him; or only an address that we know, where that leaves no choice of seat."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a letter itself says of its writer.

    `addressed` are the tokens of the addresses it went to, `answered` those of the letters it refers to, newest
    first. `player` is whose address the one in From is, if we know it; `address` is that one in lower case, "" if there
    is not exactly one. `vouched`: the provider says that the letter is from there.
    """

    addressed: Sequence[Token] = ()
    answered: Sequence[Token] = ()
    player: Player | None = None
    address: str = ""
    vouched: bool = False


@dataclass(frozen=True, slots=True)
class Writer:
    """Who wrote: a proven token, the player whose address it came from, and what keeps us from being sure.

    `doubt` is None only if the token is proven, the letter came from an address of its seat, and the desk asks no more.
    """

    token: Token | None
    player: Player | None
    doubt: Doubt | None


def authenticate(
    evidence: Evidence, holders: Mapping[tuple[int, Seat], Holder], key: bytes, trust: Trust = "token"
) -> Writer:
    """Judge a letter. `holders` are the seats that any of its tokens name.

    The address it went to counts before the references, which only some mailboxes need; if both are proven and
    name different seats, we do not choose.
    """

    def proven(token: Token) -> bool:
        holder = holders.get((token.match, token.seat))
        return holder is not None and hmac.compare_digest(
            make_token(key, token.match, holder, token.turn).proof, token.proof
        )

    player, address = evidence.player, evidence.address
    addressed, answered = (list(filter(proven, tokens)) for tokens in (evidence.addressed, evidence.answered))
    best = next(iter((*addressed, *answered)), None)
    if best is None:
        if player is None:
            return Writer(None, None, "stranger")
        return Writer(None, player, "wrong token" if evidence.addressed or evidence.answered else "no token")
    if len({token[:2] for token in (*addressed, *answered[:1])}) > 1:
        return Writer(None, player, "two seats" if player else "stranger")
    holder = holders[best[:2]]
    if address not in holder.addresses:
        return Writer(best, player, "another address")
    if trust == "signed" and not evidence.vouched:
        return Writer(best, holder.player, "unsigned")
    return Writer(best, holder.player, None)
