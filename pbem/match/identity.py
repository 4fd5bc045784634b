"""Authentication of the writers of letters by means of reply tokens and the addresses of seat holders."""

import base64
import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from pbem import PbemError, Sentence
from pbem.games.base import Seat
from pbem.mail.addresses import TOKEN, read_mailbox
from pbem.times.deadlines import Absence


class Token(NamedTuple):
    """The content of a reply address: the match, the seat and the turn to which a reply belongs, and a proof (80 bits
    in base32)."""

    match: int
    seat: Seat
    turn: int
    proof: str

    def __str__(self) -> str:
        return f"{self.match}-{self.seat}-{self.turn}-{self.proof}"


_BROKEN_TOKEN = re.compile(TOKEN.pattern.replace("-(", r"-[\s>]*("), re.I)
_SECOND_ID = re.compile(r"(\.[a-z2-7]{16})\.ref@", re.I)


@dataclass(frozen=True, slots=True)
class Player:
    """A person whom the desk knows. Letters to them go to `address`, which is spelled as the desk was given it."""

    id: int
    name: str
    address: str
    zone: str = ""  # the time zone of dates in their letters; "" for that of the desk
    absences: tuple[Absence, ...] = ()  # deadlines wait for these vacations
    language: str = ""  # the code of the language of their letters, "" if they have not chosen one


class MailWishes(NamedTuple):
    """How a person wants to receive letters. `apart`: two letters that go out at the same time are not combined.
    `digest`: the hour at which all letters that ask nothing of the person are sent as one daily letter, or "" to send
    them at once. `text`: letters have no HTML part. `no_pictures`: the HTML has no images. `no_calendar`: letters have
    no calendar entry. `uninterpreted`: no interpreter reads the person's letters. `desk`: how often a game master gets
    the news: "now", "weekly", "never", or "" for daily."""

    apart: bool = False
    digest: str = ""
    text: bool = False
    no_calendar: bool = False
    no_pictures: bool = False
    uninterpreted: bool = False
    desk: str = ""

    def __str__(self) -> str:
        """Return the form in which the wishes are stored, such as `apart digest=18:00`. `read_mail_wishes` parses
        it."""
        wishes = ((name, value) for name, value in self._asdict().items() if value)
        return " ".join(name if value is True else f"{name}={value}" for name, value in wishes)


def read_mail_wishes(text: str) -> MailWishes:
    """Parse wishes from the form in which they are stored; the inverse of `str(wishes)`."""
    wishes = (word.partition("=") for word in text.split())
    return MailWishes(**{name: value or True for name, _, value in wishes})  # type: ignore[arg-type]


GAME_MASTER = Player(0, "Game master", "")
"""The recipient of letters to game masters. The desk sends such a letter to the game masters of the match or, if the
letter is not about a match, to the game masters of the desk."""


_COMPUTERS_PLACE = re.compile(r"\(computer (\d)\)")


def computer(level: int) -> Player:
    """Return the computer player of the given level, an opponent for people who find no other. Its address is only a
    marker, to which no letters are sent."""
    return Player(0, f"Computer (level {level})", f"(computer {level})")


def computers_level(place: str) -> int:
    """Return the level of the computer player whose marker is `place`, or 0 if `place` is a real address."""
    parts = _COMPUTERS_PLACE.fullmatch(place)
    return int(parts[1]) if parts else 0


class PersonError(PbemError):
    """Raised if a text cannot be read as a name and an address."""


class Person(NamedTuple):
    """The name and the address of a person, as people write them: `Alice <alice@example.org>`."""

    name: str
    address: str


def parse_person(text: str) -> Person:
    """Parse a name and an address, or an address alone. Raises PersonError if this fails or if the address has a domain
    without a dot, which is usually a slip."""
    mailbox = read_mailbox(" ".join(text.split()))
    if mailbox is None or "." not in mailbox.address.rpartition("@")[2]:
        raise PersonError(
            Sentence('"{text}" is not a name and address: write, for example, Alice <alice@example.org>.', text=text)
        )
    name = "" if "@" in mailbox.name else "".join(filter(str.isprintable, mailbox.name)).strip()
    return Person(name[:60] or mailbox.address.partition("@")[0][:60], mailbox.address)


@dataclass(frozen=True, slots=True)
class Holder:
    """The holder of a seat. A new holder gets a new `epoch`, which invalidates every older token. When a turn is
    undone, the epoch changes, too, but tokens from the epoch `oldest` onwards still show who the writer is."""

    seat: Seat
    player: Player
    name: str
    epoch: int
    addresses: frozenset[str]  # in lower case
    failing: bool = False  # letters to the holder bounce
    oldest: int = 1
    only: str = ""  # if not "", the only address to which tokens are sent and from which they are valid
    stand_in: int = 0  # the level of the computer that plays the seat for its holder; 0: the holder plays
    unrated: int = 0  # the first turn for which the computer gave orders for the holder; 0: there is none
    untold: str = ""  # in an anonymous game: the holder's name; `name` is that of the side until this one is told

    @property
    def own_name(self) -> str:
        """The name of the holder in the match, which nobody else may be told if the game is anonymous."""
        return self.untold or self.name

    @property
    def is_computer(self) -> bool:
        """Whether the computer holds the seat, and not only plays it for a person."""
        return self.level > 0 and not self.stand_in

    @property
    def level(self) -> int:
        """The level of the computer that plays the seat, as its holder or for a person; 0 if a person plays it."""
        return self.stand_in or max(map(computers_level, self.addresses), default=0)


ME, MASTER = "me", "gm"
"""Values in place of the seat in a token. `ME` is used in a token for a player outside any match, with the player's
number in place of the match; `MASTER` is used in a token for a game master of a match."""


def master_holder(holders: Mapping[Seat, Holder], player: Player, address: str) -> Holder:
    """Return a holder for a game master of the match with the given `holders`, so that the game master can have a
    token.

    When a turn is undone, the older tokens of game masters become invalid, like those of the seats.
    """
    epoch, address = min((holder.epoch for holder in holders.values()), default=1), address.lower()
    return Holder(MASTER, player, player.name, epoch, frozenset((address,)), only=address)


def own_holder(player: Player, epoch: int, addresses: frozenset[str] = frozenset(), only: str = "") -> Holder:
    """Return a holder for a player outside any match, so that the player can have a token.

    In such a token, the day of writing takes the place of the turn. If the token is for an address that the player only
    claims, or that has been replaced, `only` is this address, and the token is valid only there.
    """
    return Holder(ME, player, player.name, epoch, addresses, oldest=epoch, only=only)


def make_token(key: bytes, match: int, holder: Holder, turn: int) -> Token:
    """Return the token of a seat for one turn. The proof in it is an HMAC over the match, the seat, the turn and the
    holder's epoch."""
    message = f"pbem reply token\n{match}\n{holder.seat}\n{turn}\n{holder.epoch}"
    return Token(match, holder.seat, turn, _proof(key, f"{message}\n{holder.only}" if holder.only else message))


def make_id(key: bytes, name: str, domain: str) -> str:
    """Return the Message-ID of a letter from the desk. `name` begins with the letter's token. Such an ID cannot be
    forged without `key`."""
    return f"{name}.{_id_proof(key, name)}@{domain}"


def is_ours(key: bytes, message_id: str) -> bool:
    """Return whether `message_id` was made by `make_id` with this key. Case is ignored."""
    name, _, proof = message_id.lower().partition("@")[0].rpartition(".")
    return hmac.compare_digest(_id_proof(key, name).encode(), proof.encode("utf-8", "replace"))


def second_id(message_id: str) -> str:
    """Return a second ID for the letter from the desk with this Message-ID. The second ID goes into the References of
    the same letter, because some servers replace the Message-ID."""
    name, _, domain = message_id.rpartition("@")
    return f"{name}.ref@{domain}"


def own_id(reference: str) -> str:
    """Return the Message-ID from which `second_id` made `reference`; return any other ID unchanged."""
    return _SECOND_ID.sub(r"\1@", reference)


def _id_proof(key: bytes, name: str) -> str:
    return _proof(key, f"pbem letter\n{name.lower()}")


def _proof(key: bytes, message: str) -> str:
    return base64.b32encode(hmac.digest(key, message.encode("utf-8", "replace"), hashlib.sha256)[:10]).decode().lower()


def hide_number(key: bytes, number: int) -> str:
    """Encrypt one of the desk's own numbers, such as that of a letter, for a Message-ID. Equal numbers have equal
    results, and two results do not reveal how far apart their numbers are."""
    nonce = _pad(key, b"number" + number.to_bytes(5))
    return "0" + base64.b32encode(nonce + (number ^ _mask(key, nonce)).to_bytes(5)).decode().lower()


def hidden_number(key: bytes, text: str) -> int:
    """Return the number that `hide_number` encrypted as `text`, or that `text` shows in plain digits."""
    if not text.startswith("0"):
        return int(text)
    decoded = base64.b32decode(text[1:].upper())
    return int.from_bytes(decoded[5:]) ^ _mask(key, decoded[:5])


def _mask(key: bytes, nonce: bytes) -> int:
    return int.from_bytes(_pad(key, b"mask" + nonce))


def _pad(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, b"pbem number\n" + message, hashlib.sha256)[:5]


def hide_tokens(text: str) -> str:
    """Return `text` with dots in place of everything that looks like a token, even if a mail program has broken the
    token at a hyphen."""
    return _BROKEN_TOKEN.sub("...", text)


def find_tokens(texts: Iterable[str]) -> list[Token]:
    """Return the tokens in `texts`, which are addresses or Message-IDs, in order and without repetitions. Their proofs
    are not checked."""
    hits = (TOKEN.search(text.lower()) for text in texts)
    return list(dict.fromkeys(Token(int(hit[1]), hit[2], int(hit[3]), hit[4]) for hit in hits if hit))


AuthFailure = Literal["stranger", "no token", "wrong token", "two seats", "another address", "no sender", "unsigned"]
"""The reasons why it is not certain who wrote a letter."""

Trust = Literal["token", "signed", "address"]
"""The proof of identity that a desk requires of a letter. "token": the token of a seat, and an address of this seat.
"signed": in addition, the sender's mail provider vouches for the sender. "address": only a known address, if it leaves
no choice between seats."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence in a letter about its writer."""

    addressed: Sequence[Token] = ()  # tokens in the addresses to which the letter was sent
    answered: Sequence[Token] = ()  # tokens of the letters to which it refers, newest first
    player: Player | None = None  # the owner of the address in From
    address: str = ""  # the address in From, in lower case; "" unless there is exactly one
    vouched: bool = False  # the mail provider confirms that the letter came from `address`


@dataclass(frozen=True, slots=True)
class Writer:
    """The writer of a letter and, in `failure`, the reason why it is not certain who wrote it. `failure` is None only
    if the token is proven, the letter came from an address of the token's seat, and the desk requires no further
    proof."""

    token: Token | None  # the token, if proven
    player: Player | None  # the owner of the address that the letter came from
    failure: AuthFailure | None
    owner: Player | None = None  # the owner of the token, whoever used it


def authenticate(
    evidence: Evidence, holders: Mapping[tuple[int, Seat], Holder], key: bytes, trust: Trust = "token"
) -> Writer:
    """Return who wrote a letter, judged by the `evidence` in it. `holders` are the holders of the seats that its tokens
    name.

    Tokens in the addresses to which the letter was sent take precedence over tokens in its references, which are needed
    only where reply addresses cannot contain tokens. If both kinds are proven and name different seats, neither seat is
    chosen. If the desk requires signed letters, an unsigned letter is not checked any further.
    """

    tokens = {*evidence.addressed, *evidence.answered}  # a set: most letters name the same token in both places
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
        return Writer(best, player, "another address" if address else "no sender", owner)
    return Writer(best, owner, None, owner)


def proves(token: Token, holder: Holder, key: bytes) -> bool:
    """Return whether `token` is a genuine token of `holder`."""
    return _prove(token, holder, key) is not None


def _prove(token: Token, holder: Holder | None, key: bytes) -> Token | None:
    """Return `token` if it is a genuine token of `holder`, otherwise None. A token from a turn that was undone still
    shows who the writer is, but it is returned without its turn."""
    if holder is None:
        return None
    for epoch in range(holder.epoch, holder.oldest - 1, -1):
        then = holder if epoch == holder.epoch else replace(holder, epoch=epoch)
        expected = make_token(key, token.match, then, token.turn)
        if hmac.compare_digest(expected.proof, token.proof):
            return token if epoch == holder.epoch else token._replace(turn=0)
    return None
