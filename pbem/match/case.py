"""A case: one letter as the core is given it."""

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
    """Why nobody should answer a letter."""

    why: str
    perhaps: bool = False  # a person may have written it
    by_subject: bool = False  # only its subject says that a program did


class Answered(NamedTuple):
    """The letter of ours that another answers."""

    message_id: str = ""  # "" if that cannot be seen
    letter: int | None = None  # the letter that ours answered, 0 if none and None if that cannot be seen
    wish: str = ""  # the wish of other seats that ours told
    press: Seat | None = None  # whose press ours was, "" if it does not say; None if it was no press
    puzzle: str = ""  # the game and the number of the puzzle that ours set

    @property
    def is_press(self) -> bool:
        """Whether ours brought words of another player."""
        return self.press is not None


_NO_ANSWER = Answered()


@dataclass(frozen=True, slots=True)
class Case:
    """A letter, and what can be asked about it."""

    letter: int  # its number in the store, 0 for a decision of the operator's
    writer: Writer
    match: Match | None  # what its token is about
    text: str  # the writer's own words
    facts: Facts
    words: LetterText = field(default_factory=LetterText)  # the same as they were read
    mark: str = ""  # what stands for its number in Message-IDs
    secret: bytes = field(default=b"", repr=False)  # what the nonces of its orders are made from
    problems: tuple[str, ...] = ()  # what of it could not be read
    automatic: Automatic | None = None
    message_id: str | None = None
    answered: Answered = _NO_ANSWER
    untied: bool = False  # no address and no reference of it shows which letter of ours it answers
    address: str = ""  # where it came from; or, if its writer has said `yes` to it, one that is surely theirs
    vouched: bool = False  # the provider says that it is from there
    trust: Trust = "token"  # what the desk asks for
    returned: bool = False  # it reports that a letter to the seat of the token could not be delivered
    confirmed: bool = False  # the writer has said `yes` to our question whether it is from them
    master: bool = False  # the writer is a game master of the whole desk, who may decide on everything
    called: str = ""  # what the letter says its writer is called
    digest: str = ""  # the SHA-256 of the letter as it came
    desk: str = ""  # the name of the desk
    zone: str = "UTC"  # the time zone of the desk
    terms: Terms = USUAL  # of games that belong to no league

    @property
    def person(self) -> Player:
        """Who writes; asked only where we know who."""
        assert self.writer.player is not None
        return self.writer.player

    @property
    def name(self) -> str:
        """What the writer is called here: as the letter has it, "" if that would pose as the desk or is no name."""
        return plain_name(self.called, self.desk)

    @property
    def poses(self) -> bool:
        """Whether the writer's own name is not taken because it is one of the desk's."""
        return is_office(self.called, self.desk)

    @property
    def brings(self) -> str:
        """What the letter brings to chance, by its SHA-256: the words behind each `word:`, else the letter itself."""
        words = " ".join(command.argument for command in self.words.commands if command.word == "word")
        return sha256(words.encode()).hexdigest() if words else self.digest
