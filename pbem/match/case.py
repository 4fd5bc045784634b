"""The case: an incoming letter in the form in which the service core receives it."""

from dataclasses import dataclass, field
from hashlib import sha256
from typing import Literal, NamedTuple

from pbem.games.base import Seat
from pbem.match.facts import Facts
from pbem.match.identity import Player, Trust, Writer
from pbem.match.model import Match
from pbem.match.names import is_office, plain_name
from pbem.match.terms import USUAL, Terms
from pbem.orders.command import LetterText


class Automatic(NamedTuple):
    """The reason why a letter seems to come from a program and should therefore not be answered."""

    why: str
    perhaps: bool = False  # a person may have written the letter after all
    by_subject: bool = False  # the subject is the only sign that a program wrote the letter


class Answered(NamedTuple):
    """What is known about the letter from the desk that an incoming letter answers."""

    message_id: str = ""  # "" if unknown
    letter: int | None = None  # the letter that the desk's letter answered; 0 if none, None if unknown
    wish: str = ""  # the wish of other seats that the desk's letter reported
    wish_key: str = ""  # the key of that letter
    press: Seat | None = None  # the seat whose press was passed on; "" if unknown, None if it was not press
    puzzle: str = ""  # the puzzle in the desk's letter: its game or its match, and its number

    @property
    def is_press(self) -> bool:
        """Whether the desk's letter passed on another player's words."""
        return self.press is not None


class Interpretation(NamedTuple):
    """What an interpreter (see `match/interpretation.py`) takes a letter to mean: `orders` in notation, or a `command`,
    or an `answer` to an open question; the others are empty. `because` contains the words of the letter on which this
    reading rests."""

    orders: str = ""
    command: str = ""
    answer: Literal["", "yes", "no"] = ""
    because: tuple[str, ...] = ()


_NO_ANSWER = Answered()


@dataclass(frozen=True, slots=True)
class Case:
    """An incoming letter, together with the facts that can be looked up about it."""

    letter: int  # the letter's number in the store; 0 for a decision of the operator
    writer: Writer
    match: Match | None  # the match to which the letter's token belongs
    text: str  # the writer's own words
    facts: Facts
    words: LetterText = field(default_factory=LetterText)  # the same words, sorted into commands and the rest
    mark: str = ""  # represents the letter's number in Message-IDs
    secret: bytes = field(default=b"", repr=False)  # the source of the nonces of the letter's orders
    problems: tuple[str, ...] = ()  # the parts of the letter that could not be read
    automatic: Automatic | None = None
    message_id: str | None = None
    answered: Answered = _NO_ANSWER
    untied: bool = False  # its addresses and references do not show which letter from the desk it answers
    address: str = ""  # the sender's or, once the writer has confirmed the letter, one that is certainly theirs
    vouched: bool = False  # the mail provider confirms that the letter came from `address`
    trust: Trust = "token"  # the proof of identity that the desk requires
    returned: bool = False  # it reports that a letter to the token's seat could not be delivered
    confirmed: bool = False  # the writer has confirmed with `yes` that the letter is theirs
    master: bool = False  # the writer is a game master of the whole desk, who may decide everything
    called: str = ""  # the writer's name according to the letter
    digest: str = ""  # the SHA-256 of the letter as it arrived
    interpretation: Interpretation | None = None  # how an interpreter reads the letter
    desk: str = ""  # the name of the desk
    zone: str = "UTC"  # the time zone of the desk
    terms: Terms = USUAL  # the terms of games that belong to no league

    @property
    def person(self) -> Player:
        """The writer of the letter. Use this only where the writer is known."""
        assert self.writer.player is not None
        return self.writer.player

    @property
    def directs(self) -> bool:
        """Whether the writer is a game master, of the desk or of a league."""
        return self.master or bool(self.facts.directs)

    @property
    def name(self) -> str:
        """The name that the desk uses for the writer: the name in the letter, or "" if that is not a proper name or
        imitates the desk."""
        return plain_name(self.called, self.desk)

    @property
    def poses(self) -> bool:
        """Whether the writer's name is rejected because it imitates the desk or one of its game masters."""
        return is_office(self.called, self.desk)

    @property
    def brings(self) -> str:
        """The SHA-256 of the letter's contribution to chance: the words after each `word:` or, if there are none, the
        whole letter."""
        words = " ".join(command.argument for command in self.words.commands if command.word == "word")
        return sha256(words.encode()).hexdigest() if words else self.digest
