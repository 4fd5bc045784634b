"""Who wrote this letter, and how sure are we? Reply tokens, and the seats and addresses they are held against."""

import base64
import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from pbem import PbemError, Sentence
from pbem.games.base import Seat
from pbem.times.deadlines import Absence


class Token(NamedTuple):
    """What a reply address says: which match, seat and turn a letter answers, and the proof (80 bits, base32)."""

    match: int
    seat: Seat
    turn: int
    proof: str

    def __str__(self) -> str:
        return f"{self.match}-{self.seat}-{self.turn}-{self.proof}"


_TOKEN = re.compile(r"(?<![a-z0-9])(\d{1,9})-([a-z][a-z0-9]{0,11})-(\d{1,6})-([a-z2-7]{16})(?![a-z0-9])")
_BROKEN_TOKEN = re.compile(_TOKEN.pattern.replace("-(", r"-[\s>]*("), re.I)


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody we know, and the address where letters go, as it was given to us."""

    id: int
    name: str
    address: str
    zone: str = ""  # where their dates are, "" for the desk's
    absences: tuple[Absence, ...] = ()  # in which deadlines wait for them
    language: str = ""  # the code of that of their letters, "" if they have not said


class MailWishes(NamedTuple):
    """How somebody likes their letters: `fewer` of them where two would come at once; all that asks nothing of them in
    one a day at the hour of `digest`, "" for at once; `text` alone; and without an entry for a calendar. A game master
    hears what there is at the `desk` as often as that says: "" for daily, "now", "weekly", "never"."""

    fewer: bool = False
    digest: str = ""
    text: bool = False
    no_calendar: bool = False
    desk: str = ""

    def __str__(self) -> str:
        """As it is stored: `fewer digest=18:00`; the inverse of `read_mail_wishes`."""
        wishes = ((name, value) for name, value in self._asdict().items() if value)
        return " ".join(name if value is True else f"{name}={value}" for name, value in wishes)


def read_mail_wishes(text: str) -> MailWishes:
    """What `str(wishes)` has written."""
    wishes = (word.partition("=") for word in text.split())
    return MailWishes(**{name: value or True for name, _, value in wishes})  # type: ignore[arg-type]


GAME_MASTER = Player(0, "Game master", "")
"""Whoever the desk's configuration names."""


_COMPUTERS_PLACE = re.compile(r"\(computer(?: (\d))?\)")


def computer(level: int) -> Player:
    """Whom people play against who find nobody else: a player of the desk for each level, with something in the place
    of an address to which no letters go."""
    return Player(0, f"Computer (level {level})", f"(computer {level})")


def computers_level(place: str) -> int:
    """The level of the computer that has this in the place of an address, 0 of what is an address. Games of before
    there were levels say none: they are played at that which was."""
    parts = _COMPUTERS_PLACE.fullmatch(place)
    return int(parts[1] or 2) if parts else 0


# What the mail of the world takes, and `letters.write`; "=?" would be an encoded word.
_MAILBOX = re.compile(
    r"(?![^@]*=\?)[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,10}[A-Za-z0-9-]{2,63}"
)


class PersonError(PbemError):
    """A name and address that cannot be read."""


class Person(NamedTuple):
    """Somebody as he was written down: `Alice <alice@example.org>`."""

    name: str
    address: str


def parse_person(text: str) -> Person:
    """A name and an address, or an address alone. Raises PersonError."""
    from email.utils import parseaddr

    name, address = parseaddr(" ".join(text.split()))
    if not _MAILBOX.fullmatch(address):
        raise PersonError(
            Sentence('"{text}" is no name and address: write for example Alice <alice@example.org>.', text=text)
        )
    return Person("".join(filter(str.isprintable, name)).strip()[:60] or address.partition("@")[0][:60], address)


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a seat of a match. A new holder gets a new `epoch`, which ends every older token; so does a turn that
    is undone, but the tokens since their `oldest` one still tell who they are."""

    seat: Seat
    player: Player
    name: str
    epoch: int
    addresses: frozenset[str]  # in lower case
    failing: bool = False  # letters to them come back
    oldest: int = 1
    only: str = ""  # the one address to which tokens like this go, and which alone may use them

    @property
    def is_computer(self) -> bool:
        """Whether nobody sits there but the computer."""
        return self.level > 0

    @property
    def level(self) -> int:
        """How strong the computer plays that sits there, 0 if somebody does."""
        return max(map(computers_level, self.addresses), default=0)


ME, MASTER = "me", "gm"
"""What stands in a token in the place of a seat: of a player himself (his number in the place of the match), and of
the game masters of a match."""


def master_holder(holders: Mapping[Seat, Holder], player: Player, address: str) -> Holder:
    """A game master of the match with these seats, at an address, as if they were a seat: so they have a token.

    Whatever is undone ends older ones, as it does those of the seats.
    """
    epoch, address = min((holder.epoch for holder in holders.values()), default=1), address.lower()
    return Holder(MASTER, player, player.name, epoch, frozenset((address,)), only=address)


def own_holder(player: Player, epoch: int, addresses: frozenset[str] = frozenset(), only: str = "") -> Holder:
    """A player themselves, as if they were a seat: so they have a token where there is no match.

    The day it is written stands in the place of the turn. A token for an address that they only claim, or that
    another one has replaced, is good there alone.
    """
    return Holder(ME, player, player.name, epoch, addresses, oldest=epoch, only=only)


def make_token(key: bytes, match: int, holder: Holder, turn: int) -> Token:
    """The token of a seat for one turn: an HMAC over match, seat, turn and the seat's epoch."""
    message = f"pbem reply token\n{match}\n{holder.seat}\n{turn}\n{holder.epoch}"
    return Token(match, holder.seat, turn, _proof(key, f"{message}\n{holder.only}" if holder.only else message))


def make_id(key: bytes, name: str, domain: str) -> str:
    """The Message-ID of a letter of ours, whose `name` begins with its token: nobody can make another one up."""
    return f"{name}.{_id_proof(key, name)}@{domain}"


def is_ours(key: bytes, message_id: str) -> bool:
    """Whether a Message-ID, in any case, is one that `make_id` has made."""
    name, _, proof = message_id.lower().partition("@")[0].rpartition(".")
    return hmac.compare_digest(_id_proof(key, name).encode(), proof.encode("utf-8", "replace"))


def _id_proof(key: bytes, name: str) -> str:
    return _proof(key, f"pbem letter\n{name.lower()}")


def _proof(key: bytes, message: str) -> str:
    return base64.b32encode(hmac.digest(key, message.encode("utf-8", "replace"), hashlib.sha256)[:10]).decode().lower()


def hide_number(key: bytes, number: int) -> str:
    """A number of ours as Message-IDs bear it, always the same: it tells nobody how many there are between two."""
    nonce = _pad(key, b"number" + number.to_bytes(5))
    return "0" + base64.b32encode(nonce + (number ^ _mask(key, nonce)).to_bytes(5)).decode().lower()


def hidden_number(key: bytes, text: str) -> int:
    """The number that `hide_number` has hidden, or that a letter from before that has told."""
    if not text.startswith("0"):
        return int(text)
    decoded = base64.b32decode(text[1:].upper())
    return int.from_bytes(decoded[5:]) ^ _mask(key, decoded[:5])


def _mask(key: bytes, nonce: bytes) -> int:
    return int.from_bytes(_pad(key, b"mask" + nonce))


def _pad(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, b"pbem number\n" + message, hashlib.sha256)[:5]


def hide_tokens(text: str) -> str:
    """A text with dots in the place of whatever looks like a token, even if a program has broken it at a hyphen."""
    return _BROKEN_TOKEN.sub("...", text)


def find_tokens(texts: Iterable[str]) -> list[Token]:
    """The tokens that addresses or message ids hold, proven or not, each once and in the order found."""
    hits = (_TOKEN.search(text.lower()) for text in texts)
    return list(dict.fromkeys(Token(int(hit[1]), hit[2], int(hit[3]), hit[4]) for hit in hits if hit))


AuthFailure = Literal["stranger", "no token", "wrong token", "two seats", "another address", "unsigned"]
"""What keeps us from being sure who wrote."""

Trust = Literal["token", "signed", "address"]
"""What a desk asks of a letter: the token of a seat and one of its addresses; also that the sender's provider vouches
for him; or only an address that we know, where that leaves no choice of seat."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a letter itself says of its writer."""

    addressed: Sequence[Token] = ()  # of the addresses it went to
    answered: Sequence[Token] = ()  # of the letters it refers to, newest first
    player: Player | None = None  # whose address the one in From is
    address: str = ""  # that one in lower case, "" if there is not exactly one
    vouched: bool = False  # the provider says that the letter is from there


@dataclass(frozen=True, slots=True)
class Writer:
    """Who wrote, and what keeps us from being sure: `failure` is None only if the token is proven, the letter came from
    an address of its seat, and the desk asks no more."""

    token: Token | None  # a proven one
    player: Player | None  # whose address the letter came from
    failure: AuthFailure | None
    owner: Player | None = None  # whose token it is, whoever has used it


def authenticate(
    evidence: Evidence, holders: Mapping[tuple[int, Seat], Holder], key: bytes, trust: Trust = "token"
) -> Writer:
    """Judge a letter. `holders` are the seats that any of its tokens name.

    The address it went to counts before the references, which only some mailboxes need; if both are proven and
    name different seats, we do not choose. Where the desk asks for signed letters, one without is looked at no further.
    """

    tokens = {*evidence.addressed, *evidence.answered}  # most letters name the same one in both places
    proofs = {token: _prove(token, holders.get((token.match, token.seat)), key) for token in tokens}
    player, address = evidence.player, evidence.address
    addressed = [proven for token in evidence.addressed if (proven := proofs[token])]
    answered = [proven for token in evidence.answered if (proven := proofs[token])]
    best = next(iter((*addressed, *answered)), None)
    owner = holders[best[:2]].player if best else None
    if trust == "signed" and not evidence.vouched:
        return Writer(best, player, "unsigned" if best or player else "stranger", owner)
    if best is None:
        if player is None:
            return Writer(None, None, "stranger")
        return Writer(None, player, "wrong token" if evidence.addressed or evidence.answered else "no token")
    if len({token[:2] for token in (*addressed, *answered[:1])}) > 1:
        return Writer(None, player, "two seats" if player else "stranger")
    holder = holders[best[:2]]
    if address not in holder.addresses:
        return Writer(best, player, "another address", owner)
    return Writer(best, owner, None, owner)


def proves(token: Token, holder: Holder, key: bytes) -> bool:
    """Whether a token is one of its holder's."""
    return _prove(token, holder, key) is not None


def _prove(token: Token, holder: Holder | None, key: bytes) -> Token | None:
    """The token if it is one of its holder's; of turns that were undone it tells who, but no turn any more."""
    if holder is None:
        return None
    for epoch in range(holder.epoch, holder.oldest - 1, -1):
        then = holder if epoch == holder.epoch else replace(holder, epoch=epoch)
        expected = make_token(key, token.match, then, token.turn)
        if hmac.compare_digest(expected.proof, token.proof):
            return token if epoch == holder.epoch else token._replace(turn=0)
    return None
