"""The letters from a game's seats, shown to the judge of a dispute as they arrived and as they were read.

Letters from the current turn are not shown, apart from the route of a letter that answers an earlier turn. As long as a
game with hidden information is in progress, the text of its letters is not shown.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from email.parser import BytesHeaderParser
from email.policy import compat32
from functools import partial
from typing import Any

from pbem import ENGLISH, Say, Sentence
from pbem.games import find_game
from pbem.games.base import OPEN, Seat
from pbem.i18n.words import fold
from pbem.mail import mime
from pbem.mail.sandbox import Unreadable
from pbem.match.identity import hide_tokens
from pbem.match.model import Match
from pbem.orders import ambiguity, classifier, reader
from pbem.orders.lookups import initial_view, take_lookups
from pbem.orders.situation import Situation, Standpoint
from pbem.service.load_case import read_letter
from pbem.store import interpretations, outbox
from pbem.store.database import Store
from pbem.store.outbox import CameIn, OrdersOf
from pbem.store.players import player_names

MOST = 40
"""The largest number of letters that an answer shows; older letters are left out."""

_WORDS = 4_000  # the largest number of characters shown of the writer's own words in a letter
_FILE = 400_000  # the largest number of characters of the file with all letters as they arrived


@dataclass(frozen=True, slots=True)
class ShownLetter:
    """A letter as it is shown to the judge of a dispute."""

    number: int
    arrived: str
    seat: Seat
    sender: str  # the sender's address
    during: int  # the turn that was being played
    fate: str  # what became of the letter
    canonical: str = ""  # its orders as they were read, "" if there were none
    words: tuple[str, ...] = ()  # the writer's own words, line by line
    mistakes: tuple[reader.LineMistake, ...] = ()  # the mistakes in these words
    raw: bytes | None = None  # the whole letter; None if nobody may see it, or if it was deleted
    gone: bool = False
    interpreted: str = ""  # what the interpreter answered about it, as JSON; "" if it was not asked


@dataclass(frozen=True, slots=True)
class LettersShown:
    """The letters of a game as the judge of a dispute sees them."""

    letters: tuple[ShownLetter, ...]  # oldest first
    left_out: int  # the number of older letters that are not among them
    closed: bool  # whether the text of letters is withheld, because a hidden game is still in progress


def show_letters(store: Store, match: Match, turn: int | None, most: int | None = MOST) -> LettersShown:
    """Return the letters that arrived during `turn`, or that answer a letter about `turn`. If `turn` is None, return
    the letters of all turns.

    The turn must have been played, though it may have been undone. If there are more than `most` letters, the oldest
    are left out.
    """
    wanted = [
        letter
        for letter in outbox.letters_of(store, match.id)
        if turn is None or turn in (letter.during, letter.answers)
        if match.over or letter.closed or (turn is not None and letter.answers == turn < match.turn)
    ]
    some = wanted[-most:] if most else wanted
    closed = match.reader(None) != OPEN
    before = [match.game.load(json.loads(text)) for text in outbox.states_before(store, match.id)]
    read = partial(_show_letter, store, match, [*before, match.state])
    return LettersShown(tuple(map(read, some)), len(wanted) - len(some), closed)


def _show_letter(store: Store, match: Match, states: Sequence[Any], came: CameIn) -> ShownLetter:
    """Return the letter `came` in the form in which it is shown.

    If the letter came too late for the turn that it answers, only its route is shown until the turn in which it came
    has been played. `states` contains the state before each turn, and the present state.
    """
    head = (came.number, came.arrived, came.seat, came.sender, came.during)
    if not (match.over or came.closed):
        turns = {"answers": came.answers, "during": came.during}
        late = Sentence(
            "It came after turn {answers} was played. Its text is shown when turn {during} is played, too.", **turns
        )
        return ShownLetter(*head, late, raw=came.raw and _route_of(came.raw))
    if match.reader(None) != OPEN:
        return ShownLetter(*head, _fate(came, None))
    if came.raw is None:
        return ShownLetter(*head, _fate(came, None), _canonical(came), gone=True)
    words = _own_words(store, came)
    state = states[min(came.played, len(states) - 1)]
    standpoint = Standpoint(match.game, state, came.seat)
    read = take_lookups(standpoint, reader.read_words(words, match.name, standpoint))
    reading = reader.read_orders(standpoint, read)
    mistakes = reading.mistakes if "refusal" in came.outcome else ()
    lines = tuple(_printable(words)[:_WORDS].splitlines())
    answer = interpretations.answer_about(store, came.number)
    return ShownLetter(*head, _fate(came, reading), _canonical(came), lines, mistakes, came.raw, interpreted=answer)


_ON_THE_WAY = ("return-path", "received", "authentication-results", "date", "message-id")


def _route_of(raw: bytes) -> bytes:
    """Return the headers that show when a letter was sent and which route it took.

    Other headers are left out, because the subject or a name may contain orders, too.
    """
    headers = BytesHeaderParser(policy=compat32).parsebytes(raw)
    lines = [f"{name}: {value}" for name, value in headers.items() if name.lower() in _ON_THE_WAY]
    return ("\n".join(lines) + "\n\n").encode("utf-8", "replace")


def _canonical(came: CameIn) -> str:
    return came.orders[-1].canonical if came.orders else ""


def _own_words(store: Store, came: CameIn) -> str:
    """Return the writer's own words. If the letter contained orders, these are the words as read when it arrived;
    otherwise they are read from the letter now."""
    assert came.raw is not None
    if came.orders:
        return came.orders[-1].written
    try:
        return read_letter(store, came.raw).text
    except Unreadable:
        return ""


def without_writers(letters_shown: LettersShown) -> LettersShown:
    """Return the letters without what tells who wrote them: their addresses, and the letters as they arrived."""
    letters = tuple(replace(letter, sender="", raw=None) for letter in letters_shown.letters)
    return replace(letters_shown, letters=letters)


def mistakes_shown(letters_shown: LettersShown, *, say: Say = ENGLISH) -> Mapping[int, list[list[str]]]:
    """Return the mistakes in each letter as lines of text, keyed by the number of the letter. `say` translates them
    into the reader's language."""
    return {
        letter.number: reader.render_mistakes(letter.mistakes, say=say)
        for letter in letters_shown.letters
        if letter.mistakes
    }


# What became of a letter


def _fate(came: CameIn, reading: reader.Reading | None) -> str:
    """Return a sentence about what became of a letter. Without a `reading`, the sentence contains only what the desk
    recorded."""
    if came.state == "held":
        return Sentence("Held: it came from another address, and nobody has claimed it.")
    if came.state == "set aside":
        return Sentence("Set aside: the program failed on it.")
    if came.orders:
        return _of_orders(came.orders[-1])
    if came.outcome.startswith("automatic"):
        return Sentence("Not used: it looked like an automatic reply.")
    if not came.outcome.startswith("answered"):
        return Sentence("Not used: {outcome}.", outcome=came.outcome.removeprefix("not used: "))
    if "refusal" in came.outcome or "doubt" in came.outcome:
        return Sentence("Refused: no orders in it were accepted.")
    if reading is None or not (reading.orders is not None or reading.mistakes):
        return Sentence("No orders in it were accepted.")
    if came.answers == 0:
        return Sentence("Not accepted: it answers a letter of a turn that was undone.")
    if came.answers != came.during:
        values = {"answers": came.answers, "during": came.during}
        return Sentence("Too late: it answers turn {answers}, during turn {during}.", **values)
    return Sentence("Not accepted as orders: the answer to it said why.")


def _of_orders(orders: OrdersOf) -> str:
    receipt = {"turn": orders.turn, "number": orders.number}
    match orders.state:
        case "proposed":
            return Sentence("Refused; a correction was proposed, but this letter sent nothing.")
        case "played":
            return Sentence("Accepted as orders, receipt {turn}-{number}; turn {turn} was played from them.", **receipt)
        case "replaced":
            return Sentence("Accepted as orders, receipt {turn}-{number}; replaced by later ones.", **receipt)
        case "withdrawn":
            return Sentence("Accepted as orders, receipt {turn}-{number}; then withdrawn.", **receipt)
        case "undone":
            return Sentence("Accepted as orders, receipt {turn}-{number}; turn {turn} was undone.", **receipt)
        case _:
            return Sentence("Accepted as orders, receipt {turn}-{number}; turn {turn} was never played.", **receipt)


# Letters as they arrived


def as_they_came(letters_shown: LettersShown) -> str:
    """Return the text of a file with all letters, including all their headers and texts in decoded form, but without
    reply addresses."""
    came = enumerate(letters_shown.letters, 1)  # our numbers would reveal how many letters other games have
    pieces = [f"==== Letter {at}, {letter.arrived} ====\n\n{_whole(letter.raw)}" for at, letter in came if letter.raw]
    return "\n\n".join(pieces)[:_FILE]


def _whole(raw: bytes) -> str:
    head = mime.decode_words(raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0].decode("utf-8", "replace"))
    texts = [part.text for part in mime.parts(raw) if part.kind.startswith("text/") or not part.kind]
    return hide_tokens(_printable("\n\n".join([head, *texts])))


def _printable(text: str) -> str:
    """Return `text` with a blank in place of each control character and each character that cannot be encoded."""
    return "".join(char if char.isprintable() or char == "\n" else " " for char in text)


def lines_asked(store: Store) -> str:
    """Return the lines that players were asked about, as material for training the classifier.

    Only letters from turns that were played are used. Lines with a number, with a name from the game or with a player's
    name are left out, so that neither orders nor people appear. Greetings are also left out, because they teach
    nothing.
    """
    names = {word for _, name in player_names(store) for word in ambiguity.WORD.findall(fold(name))}
    likelihoods: dict[str, float] = {}
    for raw, name in outbox.queried_letters(store):
        try:
            text = read_letter(store, raw).text
        except Unreadable:
            continue
        game = find_game(name)
        situation = Situation(game, initial_view(game))
        for line in filter(None, map(str.strip, text.splitlines())):
            tells = any(map(str.isdigit, line)) or not names.isdisjoint(ambiguity.WORD.findall(fold(line)))
            if not (tells or ambiguity.is_courtesy(line) or ambiguity.counts_or_names(situation, line)):
                likelihoods[line] = classifier.likelihood(line)
    threshold = classifier.read_model().thresholds.perhaps
    likely = sorted(likelihoods, key=lambda line: -likelihoods[line])
    chat = [line for line in likely if likelihoods[line] < threshold]
    doubtful = [line for line in likely if likelihoods[line] >= threshold]
    return "\n".join(("== doubt", *doubtful, "== chat", *chat))
