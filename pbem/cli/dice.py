"""`pbem dice`: how each throw in a game came about, in a form that anyone can check by hand (docs/proof.md)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem import PbemError
from pbem.games.capabilities import dealt_anew, decks_of, reshuffled
from pbem.games.chance import (
    SOURCE,
    Chance,
    Drawn,
    Source,
    TracedChance,
    block,
    commitment,
    deal_seed,
    deck_seed,
    read_source,
    rollback_seed,
    set_up_seed,
    set_up_source,
)

if TYPE_CHECKING:
    from pbem.games.base import AnyGame
    from pbem.record.history import History, Placed, Played

MAX_FILE = 50_000_000
"""The largest number of bytes that are read from a file; the rest is ignored."""
_BLOCK = 32  # the number of bytes in a SHA-256 hash
_FIRST = 24  # the number of dice shown if the number thrown is unknown
_ON_RECORD = re.compile(rf"^(\d+)\. .*##({SOURCE})", re.M)
_HASH = "[0-9a-f]{64}"
_GAPS = {
    "\0": ("played", r"(?P<turn>\d+)"),
    "\1": ("secret", f"(?P<secret>{_HASH})"),
    "\2": ("sides", ".{1,200}?"),
    "\3": ("words", f"(?P<words>(?:{_HASH}|-)(?: (?:{_HASH}|-))*)"),
    "\4": ("beacon", ".{1,200}?"),
    "\5": ("round", r"(?P<number>\d+)"),
    "\6": ("value", f"(?P<value>{_HASH})"),
}
"""The placeholders for the values in sentences of a report, each mapped to the name of the value and to the pattern of
its text."""
_TOLD = "The dice of turn {played} came from this secret: {secret}"
_JOINED = "It was combined with what the seats contributed, in this order ({sides}): {words}"
_DRAWN = "The last contribution was round {round} of the public beacon {beacon}: {value}"


class NoDice(PbemError):  # noqa: N818 - the name describes the file
    """Raised if no dice can be shown, because the file contains no secret or the game has no dice."""


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--turn", type=click.IntRange(0), metavar="N", help="This turn alone; 0 is the set-up.")
@click.option(
    "--sides", type=click.IntRange(2, 256), default=6, show_default=True, help="Sides of the dice of a report."
)
def dice(file: Path, turn: int | None, sides: int) -> None:
    """Show how each throw came about. FILE is a record, an exported game, or a report as received by mail.

    For the record of a finished game, every throw and every card drawn at random is shown. A report or the record of a
    running game reveals only the secrets of turns, so the first dice of each turn are shown in the order in which they
    fall.
    """
    text = _read(file)
    count = 0
    for number, lines in _turns(file, text, sides):
        count += 1
        if turn in (None, number):
            click.echo("\n".join([*lines, ""]))
    if not count:
        raise NoDice(f"{file} has no secret from which dice come: name a record, an exported game or a report.")


def _read(file: Path) -> str:
    """Return the text of a letter, record or JSON file. Undo the encoding that mail programs apply to letters."""
    with file.open("rb") as source:
        raw = source.read(MAX_FILE)
    if re.match(rb"(?i)[\w-]+:.*\n", raw) and re.search(rb"(?im)^subject:", raw):
        from pbem.mail.letters import with_seals

        return with_seals(raw)
    return raw.decode("utf-8", "replace")


def _turns(file: Path, text: str, sides: int) -> Iterator[tuple[int, list[str]]]:
    """For each turn in `file`, which contains `text`, yield its number and the lines that describe its dice."""
    closed = [*_ON_RECORD.finditer(text)]
    if text.lstrip().startswith("{"):
        from pbem.record.exports import read_json

        yield from _of_history(read_json(text), sides)
    elif text.startswith("[Game ") or closed or file.suffix == ".gz":
        yield from _of_records(file, sides)
    else:
        for number, secret in _in_letter(text):
            yield number, _first_dice(number, secret, sides)


def _of_records(file: Path, sides: int) -> Iterator[tuple[int, list[str]]]:
    from pbem.record.notation import read_record, texts

    with file.open("rb") as source:
        for entry in texts(source):
            history = read_record(entry.text, entry.line).history
            if history is not None:
                yield from _of_history(history, sides)
            for number, secret in _ON_RECORD.findall(entry.text) if history is None else ():
                yield int(number), _first_dice(int(number), secret, sides)


def _in_letter(text: str) -> Iterator[tuple[int, str]]:
    """For each turn whose secret is revealed in the report `text`, yield the number of the turn and its source of
    chance. The report may be in any language."""
    from pbem.i18n.languages import say_in
    from pbem.resources import resource

    words = " ".join(text.split())
    for language in ("", *sorted(path.name for path in resource("locale").iterdir() if path.is_dir())):
        say = say_in(language)
        opened, joined, drawn = (_pattern(say(text, **_BLANKS)) for text in (_TOLD, _JOINED, _DRAWN))
        turns = [
            (int(hit["turn"]), str(_source(**hit.groupdict(""))))
            for hit in re.finditer(f"{opened}(?: {joined}(?: {drawn})?)?", words)
        ]
        if turns:
            yield from turns
            return


def _source(secret: str, words: str, number: str, value: str, **_: str) -> Source:
    """Return the source of chance that a report reveals. The arguments are the values found in the report; an argument
    is "" if the report does not contain its value."""
    return Source(secret, words=tuple(words.split()), beacon=f"{number}:{value}" if value else "")


_BLANKS = {name: mark for mark, (name, _) in _GAPS.items()}


def _pattern(sentence: str) -> str:
    """Return a regular expression that matches `sentence`, a sentence of a report, with any values in place of its
    placeholders."""
    expression = re.escape(sentence)
    for mark, (_, value) in _GAPS.items():
        expression = expression.replace(mark, value)
    return expression


def _of_history(history: "History", sides: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of each turn of a game, and the lines that describe the dice of that turn. If the game is over,
    its throws are repeated from its secret."""
    from pbem.record.history import DEALT, Placed, Played, RolledBack

    if not history.game.chance:
        raise NoDice(f"{history.game.title} has no dice, and nothing is drawn by lot in it.")
    if not history.secret:
        for turn in history.turns():
            if turn.secret:
                yield turn.turn, _first_dice(turn.turn, turn.secret, sides)
        return
    first, seed = set_up_source(history.secret), set_up_seed(history.secret)
    start = TracedChance(seed)
    history.game.from_headers(history.game.headers(history.start, history.options), start)
    yield 0, _lines(f"{history.name}, set-up", first, seed, start.drawn, of_match=True)
    for number, step in enumerate(history.steps):
        if isinstance(step, RolledBack):
            yield from _rollback_shuffle(history, number, step.turn)
        if isinstance(step, Placed) and step.reason == DEALT:
            yield from _new_deal(history, number, step)
        if isinstance(step, Played) and step.secret:
            deck = deck_seed(history.source(step), step.secret)
            chance = TracedChance(read_source(step.secret).seed, deck)
            _play(history.game, step, chance)
            undone = ", taken back later" if step.undone else ""
            yield step.turn, _lines(f"{history.name}, turn {step.turn}{undone}", step.secret, deck, chance.drawn)


def _rollback_shuffle(history: "History", number: int, turn: int) -> Iterator[tuple[int, list[str]]]:
    """Yield `turn` and the lines about the shuffles that were made when a game was taken back to the start of that
    turn. `number` is the index of the rollback among the game's steps."""
    from pbem.record.history import SHUFFLED, Placed, Played

    before = [step for step in history.steps[:number] if isinstance(step, Played)]
    first = max(place for place, step in enumerate(before) if step.turn == turn)
    follows = [step for step in history.steps[number + 1 :] if isinstance(step, Played | Placed)][:2]
    match follows:
        case [Placed(reason=reason), Played(secret=secret) as played] if reason == SHUFFLED and secret:
            attempt = read_source(secret).attempt
        case _:
            return
    seed = rollback_seed(history.source(played), turn, attempt)
    chance, game = TracedChance(seed), history.game
    reshuffled(game, before[first].before, [decks_of(game, step.after) for step in before[first:]], chance)
    title = f"{history.name}, back to turn {turn} ({attempt}): what was drawn is shuffled into the decks anew"
    yield turn, [title, f"  shuffles {seed.hex()}", *_throws(chance.drawn, seed, seed)]


def _new_deal(history: "History", number: int, placed: "Placed") -> Iterator[tuple[int, list[str]]]:
    """Yield the number of a turn and the lines about the new deal that was made before that turn because the game went
    on with a new secret. `placed` is the step with the new position, and `number` its index among the game's steps.
    The new secret is found by means of the next turn, whose own secret derives from it."""
    from pbem.record.history import Placed, Played

    played = next((step for step in history.steps[number + 1 :] if isinstance(step, Played | Placed)), None)
    if not isinstance(played, Played) or played.turn != placed.turn:
        return
    source, attempt = history.source(played), read_source(played.secret).attempt
    seed = deal_seed(source, placed.turn, attempt)
    chance = TracedChance(seed)
    dealt_anew(history.game, history.state_before(number), chance)
    title = f"{history.name}, before turn {placed.turn} ({attempt}): everything hidden is dealt anew"
    yield placed.turn, _lines(title, source, seed, chance.drawn, of_match=True)


def _play(game: "AnyGame", step: "Played", chance: Chance) -> None:
    """Play the turn `step` again with `chance`, which may record what is drawn."""
    from pbem.orders.reader import parse_turn
    from pbem.orders.situation import Situation

    orders = parse_turn(Situation(game, step.before), {seat: text for seat, text in step.orders.items() if text})
    game.resolve(step.before, orders, chance)


def _first_dice(number: int, secret: str, sides: int) -> list[str]:
    """Return lines with the first dice of a turn, in the order in which they fall. They are shown if it is unknown how
    many dice the turn used."""
    seed = read_source(secret).seed
    chance = TracedChance(seed)
    for _ in range(_FIRST):
        chance.die(sides)
    lines = _lines(f"Turn {number}", secret, seed, chance.drawn)
    return [*lines, f"These are the first {_FIRST} dice of {sides} sides; a turn takes as many as it needs."]


def _lines(title: str, source: str, deck: bytes, drawn: Iterable[Drawn], *, of_match: bool = False) -> list[str]:
    """Return lines that show a turn's source of chance, the blocks of bytes taken from it, and each throw.

    If `of_match` is true, `source` is the secret of the match, and all draws come from the seed `deck`, which derives
    from that secret.
    """
    throws, of = [*drawn], read_source(source)
    lines = [title, f"  secret   {of.secret}", f"  SHA-256  {commitment(source)}"]
    lines += [f"  word     {word}" for word in of.words]
    lines += [f"  beacon   {of.beacon}"] if of.beacon else []
    if of.words and not of_match:
        lines.append(f"  HMAC     {of.seed.hex()}")
    if of_match or any(throw.stream == "deck" for throw in throws):
        lines.append(f"  shuffles {deck.hex()}")
    return [*lines, *_throws(throws, deck if of_match else of.seed, deck)]


def _throws(throws: Sequence[Drawn], dice: bytes, deck: bytes) -> list[str]:
    """Return lines that show the blocks of bytes used by `throws`, and each throw. `dice` and `deck` are the seeds of
    the two streams from which the blocks come."""
    lines = []
    for stream, seed in (("dice", dice), ("deck", deck)):
        last = max((throw.place for throw in throws if throw.stream == stream), default=-1)
        for number in range(last // _BLOCK + 1):
            lines.append(f"  {stream} {number}   {block(seed, stream, number).hex()}")
    return lines + (
        [f"  {at:>3}. {_throw(throw)}" for at, throw in enumerate(throws, start=1)] or ["  nothing was thrown"]
    )


def _throw(throw: Drawn) -> str:
    """Describe one throw: `a die of 6: 5     dice 0, byte 12: 0xa0 = 160 = 26 x 6 + 4`."""
    plus = throw.stream == "dice"
    thing = f"{'a die of' if plus else 'one of'} {throw.number}: {throw.answer}"
    block_number, place = divmod(throw.place, _BLOCK)
    times, rest = divmod(throw.byte, throw.number)
    division = f"{throw.byte:02x} = {throw.byte} = {times} x {throw.number} + {rest}"
    where = f"{throw.stream} {block_number}, byte {place + 1}: {division}"
    thrown = f"; thrown away before: {', '.join(map(str, throw.rejected))}" if throw.rejected else ""
    return f"{thing:<16} {where}{', and 1' * plus}{thrown}"
