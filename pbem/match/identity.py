"""The writers of letters and the proof of who they are: the reply tokens, and the seats and addresses that these are
checked against.
"""

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
    """The content of a reply address: the match, seat and turn that a letter answers, and the proof (80 bits in
    base32)."""

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
    """A person we know, and the address their letters go to, in the form in which we were given it."""

    id: int
    name: str
    address: str
    zone: str = ""  # the time zone of their dates, "" for the desk's
    absences: tuple[Absence, ...] = ()  # deadlines wait for these vacations
    language: str = ""  # the code of the language of their letters, "" if they have not chosen one


class MailWishes(NamedTuple):
    """How a person wants to receive letters. `fewer`: one letter where two would go out at once. `digest`: the hour of
    a daily letter with everything that asks nothing of them; "" means that letters are sent at once. `text`: no HTML
    part. `no_calendar`: no calendar entry. `desk`: how often a game master is told the news: "" for daily, "now",
    "weekly" or "never"."""

    fewer: bool = False
    digest: str = ""
    text: bool = False
    no_calendar: bool = False
    desk: str = ""

    def __str__(self) -> str:
        """Return the stored form, such as `fewer digest=18:00`; the inverse of `read_mail_wishes`."""
        wishes = ((name, value) for name, value in self._asdict().items() if value)
        return " ".join(name if value is True else f"{name}={value}" for name, value in wishes)


def read_mail_wishes(text: str) -> MailWishes:
    """Parse the stored form of wishes; the inverse of `str(wishes)`."""
    wishes = (word.partition("=") for word in text.split())
    return MailWishes(**{name: value or True for name, _, value in wishes})  # type: ignore[arg-type]


GAME_MASTER = Player(0, "Game master", "")
"""The game master named in the desk's configuration."""


_COMPUTERS_PLACE = re.compile(r"\(computer (\d)\)")


def computer(level: int) -> Player:
    """Return the desk's own player at a level, an opponent for anyone who finds no other. A marker takes the place of
    the address; no letters go there."""
    return Player(0, f"Computer (level {level})", f"(computer {level})")


def computers_level(place: str) -> int:
    """Return the level of the computer player with this marker as its address, 0 for a real address."""
    parts = _COMPUTERS_PLACE.fullmatch(place)
    return int(parts[1]) if parts else 0


class PersonError(PbemError):
    """Raised for a name and address that cannot be read."""


class Person(NamedTuple):
    """A person as people write one down: `Alice <alice@example.org>`."""

    name: str
    address: str


def parse_person(text: str) -> Person:
    """Parse a name and an address, or an address alone. Raises PersonError, also for a domain without a dot, which is
    usually a slip."""
    mailbox = read_mailbox(" ".join(text.split()))
    if mailbox is None or "." not in mailbox.address.rpartition("@")[2]:
        raise PersonError(
            Sentence('"{text}" is no name and address: write for example Alice <alice@example.org>.', text=text)
        )
    name = "" if "@" in mailbox.name else "".join(filter(str.isprintable, mailbox.name)).strip()
    return Person(name[:60] or mailbox.address.partition("@")[0][:60], mailbox.address)


@dataclass(frozen=True, slots=True)
class Holder:
    """The holder of a seat. A new holder gets a new `epoch`, which invalidates every older token. So does undoing a
    turn, but then tokens from the epoch `oldest` on still show who the writer is."""

    seat: Seat
    player: Player
    name: str
    epoch: int
    addresses: frozenset[str]  # in lower case
    failing: bool = False  # letters to them bounce
    oldest: int = 1
    only: str = ""  # if not "", the only address that such tokens are sent to and that may use them

    @property
    def is_computer(self) -> bool:
        """Whether the computer holds the seat."""
        return self.level > 0

    @property
    def level(self) -> int:
        """The level of the computer in the seat, 0 if a person holds it."""
        return max(map(computers_level, self.addresses), default=0)


ME, MASTER = "me", "gm"
"""Stand-ins for the seat in a token: `ME` in a token for the player alone (with the player's number in place of the
match), and `MASTER` in that of a match's game master."""


def master_holder(holders: Mapping[Seat, Holder], player: Player, address: str) -> Holder:
    """Return a game master of the match with these seats, treated as the holder of a seat so that they can have a
    token.

    When a turn is undone, the master's older tokens become invalid like those of the seats.
    """
    epoch, address = min((holder.epoch for holder in holders.values()), default=1), address.lower()
    return Holder(MASTER, player, player.name, epoch, frozenset((address,)), only=address)


def own_holder(player: Player, epoch: int, addresses: frozenset[str] = frozenset(), only: str = "") -> Holder:
    """Return a player treated as the holder of a seat, so that they can have a token outside any match.

    In such a token, the day of writing takes the place of the turn. A token for an address that the player only claims,
    or that has been replaced, is valid at that address alone.
    """
    return Holder(ME, player, player.name, epoch, addresses, oldest=epoch, only=only)


def make_token(key: bytes, match: int, holder: Holder, turn: int) -> Token:
    """Make a seat's token for one turn: an HMAC over match, seat, turn and the seat's epoch."""
    message = f"pbem reply token\n{match}\n{holder.seat}\n{turn}\n{holder.epoch}"
    return Token(match, holder.seat, turn, _proof(key, f"{message}\n{holder.only}" if holder.only else message))


def make_id(key: bytes, name: str, domain: str) -> str:
    """Make the Message-ID of one of our letters; `name` begins with its token. Nobody without the key can forge one."""
    return f"{name}.{_id_proof(key, name)}@{domain}"


def is_ours(key: bytes, message_id: str) -> bool:
    """Return whether `make_id` made this Message-ID, ignoring case."""
    name, _, proof = message_id.lower().partition("@")[0].rpartition(".")
    return hmac.compare_digest(_id_proof(key, name).encode(), proof.encode("utf-8", "replace"))


def second_id(message_id: str) -> str:
    """Make a second id for a letter of ours, which goes into its own References because some servers replace its
    Message-ID."""
    name, _, domain = message_id.rpartition("@")
    return f"{name}.ref@{domain}"


def own_id(reference: str) -> str:
    """Return the Message-ID from which `second_id` made an id; any other id stays as it is."""
    return _SECOND_ID.sub(r"\1@", reference)


def _id_proof(key: bytes, name: str) -> str:
    return _proof(key, f"pbem letter\n{name.lower()}")


def _proof(key: bytes, message: str) -> str:
    return base64.b32encode(hmac.digest(key, message.encode("utf-8", "replace"), hashlib.sha256)[:10]).decode().lower()


def hide_number(key: bytes, number: int) -> str:
    """Encrypt one of our numbers for a Message-ID. Equal numbers give equal results, and two results do not reveal how
    far apart their numbers are."""
    nonce = _pad(key, b"number" + number.to_bytes(5))
    return "0" + base64.b32encode(nonce + (number ^ _mask(key, nonce)).to_bytes(5)).decode().lower()


def hidden_number(key: bytes, text: str) -> int:
    """Return the number that `hide_number` hid, or that is written in plain digits."""
    if not text.startswith("0"):
        return int(text)
    decoded = base64.b32decode(text[1:].upper())
    return int.from_bytes(decoded[5:]) ^ _mask(key, decoded[:5])


def _mask(key: bytes, nonce: bytes) -> int:
    return int.from_bytes(_pad(key, b"mask" + nonce))


def _pad(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, b"pbem number\n" + message, hashlib.sha256)[:5]


def hide_tokens(text: str) -> str:
    """Replace everything that looks like a token with dots, even where a mail program broke it at a hyphen."""
    return _BROKEN_TOKEN.sub("...", text)


def find_tokens(texts: Iterable[str]) -> list[Token]:
    """Find the tokens in addresses or Message-IDs, proven or not, in order and without repetitions."""
    hits = (TOKEN.search(text.lower()) for text in texts)
    return list(dict.fromkeys(Token(int(hit[1]), hit[2], int(hit[3]), hit[4]) for hit in hits if hit))


AuthFailure = Literal["stranger", "no token", "wrong token", "two seats", "another address", "no sender", "unsigned"]
"""The reasons why we cannot be sure of the writer."""

Trust = Literal["token", "signed", "address"]
"""The proof that a desk requires of a letter. "token": the token of a seat, and one of its addresses. "signed": also
that the sender's provider vouches for it. "address": only a known address, if that leaves no choice between seats."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence in a letter about its writer."""

    addressed: Sequence[Token] = ()  # tokens in the addresses to which it was sent
    answered: Sequence[Token] = ()  # tokens of the letters that it refers to, newest first
    player: Player | None = None  # the owner of the address in From
    address: str = ""  # the address in From, in lower case; "" unless there is exactly one
    vouched: bool = False  # the provider confirms that the letter is from there


@dataclass(frozen=True, slots=True)
class Writer:
    """The writer of a letter and, if we are not certain, why. `failure` is None only if the token is proven, the letter
    came from an address of its seat, and the desk requires nothing more."""

    token: Token | None  # the token, if proven
    player: Player | None  # owner of the address the letter came from
    failure: AuthFailure | None
    owner: Player | None = None  # owner of the token, whoever used it


def authenticate(
    evidence: Evidence, holders: Mapping[tuple[int, Seat], Holder], key: bytes, trust: Trust = "token"
) -> Writer:
    """Decide who wrote a letter. `holders` are those of the seats that its tokens name.

    The address it was sent to takes precedence over the references, which only some mailboxes need. If both are proven
    and name different seats, neither is chosen. Where the desk requires signed letters, an unsigned one is checked no
    further.
    """

    tokens = {*evidence.addressed, *evidence.answered}  # most letters name the same token in both places
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
    """Return whether the token is a genuine one of this holder."""
    return _prove(token, holder, key) is not None


def _prove(token: Token, holder: Holder | None, key: bytes) -> Token | None:
    """Return the token if it is a genuine one of its holder, if any. A token from an undone turn still shows who wrote,
    but loses its turn."""
    if holder is None:
        return None
    for epoch in range(holder.epoch, holder.oldest - 1, -1):
        then = holder if epoch == holder.epoch else replace(holder, epoch=epoch)
        expected = make_token(key, token.match, then, token.turn)
        if hmac.compare_digest(expected.proof, token.proof):
            return token if epoch == holder.epoch else token._replace(turn=0)
    return None
