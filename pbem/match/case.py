"""A case: one letter, in the form that the core receives."""

from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple

from pbem.games.base import Seat
from pbem.match.facts import Facts
from pbem.match.identity import Player, Trust, Writer
from pbem.match.model import Match
from pbem.match.names import is_office, plain_name
from pbem.match.terms import USUAL, Terms
from pbem.orders.command import LetterText


class Automatic(NamedTuple):
    """The reason why a letter should not be answered."""

    why: str
    perhaps: bool = False  # a person may have written it
    by_subject: bool = False  # its subject is the only sign that a program wrote it


class Answered(NamedTuple):
    """A letter of ours that another letter answers, as far as we can identify it."""

    message_id: str = ""  # "" if unknown
    letter: int | None = None  # the number of the letter that ours answered; 0 if none, None if unknown
    wish: str = ""  # the wish of other seats that ours reported
    press: Seat | None = None  # the seat whose press ours passed on; "" if unknown, None if it was not press
    puzzle: str = ""  # the game and the number of the puzzle that ours set

    @property
    def is_press(self) -> bool:
        """Whether ours passed on another player's words."""
        return self.press is not None


_NO_ANSWER = Answered()


@dataclass(frozen=True, slots=True)
class Case:
    """A letter, and the facts that can be looked up about it."""

    letter: int  # its number in the store, 0 for a decision of the operator
    writer: Writer
    match: Match | None  # the match to which its token belongs
    text: str  # the writer's own words
    facts: Facts
    words: LetterText = field(default_factory=LetterText)  # its words as we have read them
    mark: str = ""  # stands for its number in Message-IDs
    secret: bytes = field(default=b"", repr=False)  # the source of the nonces of its orders
    problems: tuple[str, ...] = ()  # parts of it that could not be read
    automatic: Automatic | None = None
    message_id: str | None = None
    answered: Answered = _NO_ANSWER
    untied: bool = False  # neither its addresses nor its references show which letter of ours it answers
    address: str = ""  # where it came from or, once its writer has confirmed it, one that is certainly theirs
    vouched: bool = False  # the provider confirms that it is from there
    trust: Trust = "token"  # the proof that the desk requires
    returned: bool = False  # it reports that a letter to the seat of the token could not be delivered
    confirmed: bool = False  # the writer has confirmed with `yes` that it is from them
    master: bool = False  # the writer is a game master of the whole desk, who may decide everything
    called: str = ""  # the writer's name according to the letter
    digest: str = ""  # the SHA-256 of the letter as it arrived
    desk: str = ""  # the name of the desk
    zone: str = "UTC"  # the time zone of the desk
    terms: Terms = USUAL  # for games that belong to no league

    @property
    def person(self) -> Player:
        """The writer. Use this only where the writer is known."""
        assert self.writer.player is not None
        return self.writer.player

    @property
    def name(self) -> str:
        """The name that the desk uses for the writer: the one in the letter, or "" if that imitates the desk or is not
        a name."""
        return plain_name(self.called, self.desk)

    @property
    def poses(self) -> bool:
        """Whether the writer's name is rejected because it is one that the desk uses for itself."""
        return is_office(self.called, self.desk)

    @property
    def brings(self) -> str:
        """The SHA-256 of what the letter contributes to chance: the words after each `word:`, or else the whole
        letter."""
        words = " ".join(command.argument for command in self.words.commands if command.word == "word")
        return sha256(words.encode()).hexdigest() if words else self.digest
