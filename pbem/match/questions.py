"""The open questions that the desk has asked a person, in one list: everything that a `yes` can settle. All functions
are pure.

`consent.ROWS` says how each kind of question is settled.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, NamedTuple

from pbem import Sentence
from pbem.games.base import Seat
from pbem.match.facts import Facts
from pbem.match.lifecycle import may
from pbem.match.model import Claim, Match, Matter, OpenCommand, Wish
from pbem.orders.command import Command, in_words

Kind = Literal[
    "invitation", "orders", "provisional", "command", "draw", "rematch", "rollback", "extend", "pause", "resume",
    "annul", "replace", "letter", "address", "seat",
]  # fmt: skip

_WISHES: tuple[tuple[Wish, str], ...] = (
    ("draw", "both draw"),
    ("rematch", "both rematch"),
)


EVENTS: Mapping[Matter, str] = {
    "rollback": "both take back",
    "extend": "both extend",
    "pause": "both pause",
    "resume": "both resume",
    "annul": "both annul",
    "replace": "both replace",
}
"""The event of `lifecycle.TRANSITIONS` that follows if a vote is carried, keyed by what the vote is about."""


class Question(NamedTuple):
    """A question that is waiting for a person's answer."""

    kind: Kind
    letters: tuple[int, ...] = ()  # the letters whose answers ask it, newest last; () if it was not asked in an answer
    about: str = ""  # what the sentence mentions: orders, an address, a game
    open_command: OpenCommand | None = None  # the waiting command, for the kind "command"
    way: int = 0  # the number of the reading if a letter was read as several order lists; otherwise 0
    asked_with: str = ""  # the key of the letter that asks it, for an open vote

    @property
    def key(self) -> str:
        """A key that is unique among the person's open questions and does not change while the question is open."""
        told = self.letters[-1] if self.letters else self.asked_with or self.about
        return f"{self.kind} {told}{f'.{self.way}' if self.way else ''}"

    @property
    def sentence(self) -> Sentence:
        """The sentence that describes this question in a list of open questions."""
        if self.kind == "letter" and not self.about:
            return Sentence("a held letter with your address")
        if self.open_command:
            return Sentence("your command `{about}`", about=_called(self.open_command.command))
        return _SENTENCES[self.kind](self.about)

    def noted(self, written: Callable[[str], str]) -> Sentence:
        """Return the sentence that describes this question, with any orders in it converted to the reader's notation by
        `written`."""
        ways = self.about.split(" / ") if self.kind in ("orders", "provisional") else []
        return self._replace(about=" / ".join(map(written, ways))).sentence if ways else self.sentence


_SENTENCES: Mapping[Kind, Callable[[str], Sentence]] = {
    "invitation": lambda _: Sentence("whether you play in this game"),
    "orders": lambda about: Sentence("orders proposed to you: {about}", about=about),
    "provisional": lambda about: Sentence(
        "whether these orders are right, which count until you answer: {about}", about=about
    ),
    "draw": lambda _: Sentence("a draw offered to you"),
    "rollback": lambda about: Sentence("taking back turn {about}", about=about),
    "extend": lambda _: Sentence("a later deadline that someone wants"),
    "annul": lambda _: Sentence("annulling the game"),
    "replace": lambda _: Sentence("the computer in the place of an absent player"),
    "pause": lambda _: Sentence("a pause that someone wants"),
    "resume": lambda _: Sentence("resuming the game"),
    "rematch": lambda _: Sentence("a rematch that someone wants"),
    "letter": lambda about: Sentence("a held letter from {about}", about=about),
    "address": lambda about: Sentence("whether {about} is an address of yours", about=about),
    "seat": lambda about: Sentence("the seat offered to you in {about}", about=about),
}


def _called(command: Command) -> str:
    """Return `command` in words, in the reader's language as far as these are words of ours."""
    if command.word == "hand":
        return Sentence("hand over to {address}", address=command.argument)
    words = in_words(command)
    return words if " " in words else Sentence(words)


def of_seat(match: Match, seat: Seat) -> tuple[Question, ...]:
    """Return the open questions to `seat` about its match."""
    questions = []
    if may(match, "all accept") and seat not in match.accepted:
        questions.append(Question("invitation"))
    questions += _newest_proposals(match, seat)
    questions += of_commands(match.open_commands.get(seat, ()))
    questions += _of_wishes(match, seat)
    questions += _of_motions(match, seat)
    senders: dict[str, tuple[int, ...]] = {}
    for letter, sender in match.held.get(seat, {}).items():
        senders[sender] = (*senders.get(sender, ()), letter)
    questions += [Question("letter", letters, sender) for sender, letters in senders.items()]
    return tuple(questions)


def of_commands(open_commands: Iterable[OpenCommand]) -> list[Question]:
    """Return the questions about `open_commands`, which are waiting for confirmation by their writer."""
    return [
        Question("command", (open_command.letter,), in_words(open_command.command), open_command)
        for open_command in open_commands
    ]


def of_person(facts: Facts, claims: Iterable[Claim]) -> tuple[Question, ...]:
    """Return the open questions to a person that are not about any of the person's seats."""
    questions = of_commands(facts.open_commands)
    questions += [Question("letter", (letter,)) for letter in facts.held]
    questions += [  # only claims to which an older address has yet to agree
        Question("address", tuple(filter(None, (claim.letter, claim.answered))), claim.address)
        for claim in claims
        if not (claim.taken_at or claim.agreed)
    ]
    questions += [Question("seat", (letter,), match.name) for match, _, letter in facts.offered]
    return tuple(questions)


def proposals(match: Match, seat: Seat, letter: int) -> tuple[Question, ...]:
    """Return the questions about the orders that were proposed in the answer to `letter` in this turn, even if newer
    orders stand."""
    ways = match.proposals.get(seat, {}).get(letter, ())
    questions, standing = of_ways(letter, ways), match.standing.get(seat)
    provisional = standing and standing.letter == letter and standing.canonical in ways
    return tuple(question._replace(kind="provisional") for question in questions) if provisional else questions


def of_ways(letter: int, ways: tuple[str, ...]) -> tuple[Question, ...]:
    """Return the questions about `ways`, the readings proposed in the answer to `letter`: one question for each
    reading."""
    if len(ways) == 1:
        return (Question("orders", (letter,), ways[0]),)
    return tuple(Question("orders", (letter,), orders, way=way) for way, orders in enumerate(ways, 1))


def _newest_proposals(match: Match, seat: Seat) -> tuple[Question, ...]:
    """Return the questions about the newest proposal of orders to `seat`; () if newer orders stand. Orders of `seat`
    that stand provisionally count as such a proposal."""
    standing = match.standing.get(seat)
    since = standing.letter or 0 if standing else 0
    newest = max((letter for letter in match.proposals.get(seat, {}) if letter >= since), default=None)
    return proposals(match, seat, newest) if newest and may(match, "orders come") else ()


def _of_wishes(match: Match, seat: Seat) -> list[Question]:
    """Return the questions about wishes of other seats to which `seat` has not agreed."""
    return [
        Question(wish)  # type: ignore[arg-type]
        for wish, word in _WISHES
        if match.wishes.get(wish) and seat not in match.wishes[wish] and seat not in match.gone and may(match, word)
        if not (wish == "rematch" and match.league)
    ]


def _of_motions(match: Match, seat: Seat) -> list[Question]:
    """Return the questions about open votes in which `seat` has not voted."""
    return [
        Question(matter, about=motion.argument, asked_with=motion.key)
        for matter, motion in match.motions.items()
        if seat in match.voters() and seat not in motion.votes and may(match, EVENTS[matter])
    ]
