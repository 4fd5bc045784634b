"""Measure whether replies are taken as meant: `python -m tools.replies [HAND ...] [--all] [--list FATE]`.
With `--answers FILE`, the desk has an interpreter that answers from FILE (`python -m tools.recorded`).

The letters are those in `tests/orders/corpus/hands` that answer an invitation, an offered draw, the question whether
the player really gives up, or orders that the desk proposes. Each is sent to a desk of its own that has just asked. By
default, only the hands from which no model learns are measured. The table has a line for each kind of letter, with the
shares of letters, and their 95 % intervals, that are taken as meant at once; that are so once the writer has answered
with the word that our answer names first; that leave the question open; and that are taken as something else.
"""

import email
import email.policy
import re
import shlex
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from copy import copy
from datetime import UTC, datetime
from email.message import EmailMessage, Message
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from pbem.cli.demo import DemoDesk, answer_letter
from pbem.config.config import Address, InterpreterConfig, load_config
from pbem.i18n.words import codes, hints
from pbem.lab.figures import wilson
from pbem.match.obey import last_orders
from pbem.match.questions import of_seat
from pbem.orders.reader import IllegalOrders, parse
from pbem.store.database import Store, connect
from pbem.store.matches import load_match

HANDS = Path(__file__).parent.parent / "tests" / "orders" / "corpus" / "hands"
NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
FATES = ("as meant", "as proposed", "open", "something else")

_DAVE = Address("Dave", "dave@example.net")
_MEANT = {"accept": "yes", "decline": "no", "yes": "yes", "no": "no"}
"""What becomes of a question by the first word of a label. Any other leaves it open."""
_PROPOSAL = "# proposal: "


class Reply(NamedTuple):
    """A letter of a hand: the language and game of the letter that it answers, what that letter asked, what is meant,
    the text, and for an answer to a proposal the orders that the letter proposed."""

    language: str
    game: str
    context: str
    label: str
    text: str
    proposal: str = ""

    @property
    def meant(self) -> str:
        """What should become of the question: "yes", "no" or "open"; of a proposal that is not declined, the orders."""
        said, _, orders = self.label.partition(": ")
        if said in ("orders", "yes but"):
            return orders
        meant = _MEANT.get(said.split()[0], "open")
        return self.proposal if self.proposal and meant == "yes" else meant


def replies(path: Path) -> Iterator[Reply]:
    """The letters of a hand that answer one of our questions. Those to a proposal count only if the file gives the
    orders, because they must be possible in the first turn."""
    return (
        reply
        for reply in replies_in(path)
        if reply.context in _ASKED and (reply.proposal or reply.context != "proposal")
    )


def replies_in(path: Path) -> Iterator[Reply]:
    """All letters of a hand."""
    language = game = context = proposal = ""
    for line in path.read_text("utf-8").splitlines():
        if line.startswith(_PROPOSAL):
            proposal = line.removeprefix(_PROPOSAL)
        elif line.startswith("== "):
            _, language, game, context = line.split()
        elif context and line:
            label, _, text = line.partition(" | ")
            proposed = proposal if context == "proposal" else ""
            yield Reply(language, game, context, label, text.replace("⏎", "\n"), proposed)


def unseen() -> list[Path]:
    """The hands from which no model learns."""
    return [path for path in sorted(HANDS.glob("*.txt")) if int(path.stem[2:]) % 3 == 0]


# Desks that have just asked


class _Asked(NamedTuple):
    """A desk after its question: the letter that asks, its reader, and the number of the match that it is about."""

    desk: DemoDesk
    letter: Message
    reader: Address
    match: int
    seat: str = ""


@cache
def _folder() -> "tempfile.TemporaryDirectory[str]":
    """The folder of all desks that have asked, which is deleted when the process ends."""
    return tempfile.TemporaryDirectory(prefix="pbem-replies-")


@cache
def _asked(language: str, game: str, context: str, proposal: str) -> _Asked:
    """A desk that has just asked."""
    desk = DemoDesk(Path(tempfile.mkdtemp(dir=_folder().name)) / "desk", NOON, game)
    path = desk.config.path
    path.write_text(path.read_text("utf-8").replace("language = en", f"language = {language}"), "utf-8")
    desk.config = load_config(path)
    desk.poll()
    mine, other = list(desk.people)[:2]
    for seat in (mine, other):
        desk.write(seat, f"language {language}")
    desk.poll()
    try:
        return _ASKED[context](desk, mine, proposal or other)
    finally:
        desk.close()


def _invited(desk: DemoDesk, mine: str, _: str) -> _Asked:
    desk.write(mine, f"challenge {_DAVE.address}")
    desk.run()
    return _Asked(desk, _last(desk, _DAVE), _DAVE, 2)


def _offered(desk: DemoDesk, mine: str, other: str) -> _Asked:
    desk.write(other, "draw")
    desk.poll()
    return _Asked(desk, desk.last[mine], desk.people[mine], 1)


def _really(desk: DemoDesk, mine: str, _: str) -> _Asked:
    desk.write(mine, "resign")
    desk.poll()
    return _Asked(desk, desk.last[mine], desk.people[mine], 1)


def _proposed(desk: DemoDesk, mine: str, orders: str) -> _Asked:
    """Propose orders, because they are followed by a word that may take them back."""
    desk.write(mine, f"{orders}\nwithdraw")
    desk.poll()
    return _Asked(desk, desk.last[mine], desk.people[mine], 1, mine)


_ASKED = {"invitation": _invited, "draw": _offered, "resign": _really, "proposal": _proposed}


def _last(desk: DemoDesk, reader: Address) -> EmailMessage:
    """The last letter to a person."""
    query = "SELECT raw FROM outbox WHERE recipient = ? ORDER BY id DESC LIMIT 1"
    return email.message_from_bytes(desk.store.value(query, (reader.address,)), policy=email.policy.default)


# What becomes of a reply


def fate(reply: Reply, answers: str = "") -> str:
    """The fate of a reply: one of FATES; "" if it means impossible orders, or answers a proposal that is not possible
    in the first turn. The desk has an interpreter if a file with `answers` is given."""
    asked = _asked(reply.language, reply.game, reply.context, reply.proposal)
    with tempfile.TemporaryDirectory(prefix="pbem-reply-") as folder:
        desk = copy(asked.desk)
        place = shutil.copytree(asked.desk.config.path.parent, Path(folder) / "desk")
        desk.config = load_config(place / "config.ini")
        if answers:
            command = shlex.join((sys.executable, "-m", "tools.recorded", answers))
            interpreter = InterpreterConfig(command, Path(__file__).parent.parent, 60, 60, 1_000)
            desk.config = desk.config._replace(interpreter=interpreter)
        desk.store = Store(connect(desk.config.database))
        try:
            meant = _canonical(desk, asked, reply.meant)
            if not meant or (asked.seat and not of_seat(load_match(desk.store, asked.match), asked.seat)):
                return ""
            now = _after(desk, asked, asked.letter, reply.text)
            if now != "open" or meant == "open":
                return "as meant" if now == meant else "something else"
            answer = _last(desk, asked.reader)
            then = _after(desk, asked, answer, _first_word(answer))
            return "as proposed" if then == meant else "open"
        finally:
            desk.close()


def _canonical(desk: DemoDesk, asked: _Asked, meant: str) -> str:
    """What should become of a question, with orders in canonical form; "" if they are impossible."""
    if not asked.seat or meant in ("no", "open"):
        return meant
    try:
        return str(parse(load_match(desk.store, asked.match).standpoint(asked.seat), meant))
    except IllegalOrders:
        return ""


def _first_word(answer: EmailMessage) -> str:
    """The word that our answer names first, but for those that ask for another language: the one by which its reader
    gives the answer that we expect."""
    text = "".join(part.get_content() for part in answer.walk() if part.get_content_type() == "text/plain")
    for hint in {hint for language in codes() for hint in hints(language)}:
        text = text.replace(hint, "")
    words = re.findall("`([^`\n]+)`", text)
    return words[0] if words else "yes"


def _after(desk: DemoDesk, asked: _Asked, to: Message, text: str) -> str:
    """What has become of the question after a letter: "yes", "no" or "open"; of a proposal, the orders that stand."""
    desk.deliver(answer_letter(to, asked.reader, text, desk.now).as_bytes())
    desk.run()
    match = load_match(desk.store, asked.match)
    if asked.match == 2:
        return {"offered": "open", "running": "yes"}.get(match.phase, "no")
    if asked.seat and (entry := match.standing.get(asked.seat) or last_orders(match, asked.seat)):
        return entry.canonical
    if asked.seat:
        return "open" if of_seat(match, asked.seat) else "no"
    if match.result:
        return "yes"
    open_questions = desk.store.value("SELECT count(*) FROM questions WHERE match = ?", (asked.match,))
    return "open" if match.wishes.get("draw") or open_questions else "no"


def main(arguments: list[str]) -> None:
    """Print the table, or with `--list` the letters with a fate."""
    listed = arguments[arguments.index("--list") + 1] if "--list" in arguments else ""
    answers = arguments[arguments.index("--answers") + 1] if "--answers" in arguments else ""
    names = [word for word in arguments if not word.startswith("--") and word not in (listed, answers)]
    hands = [HANDS / f"{name}.txt" for name in names] or (
        sorted(HANDS.glob("*.txt")) if "--all" in arguments else unseen()
    )
    letters = [reply for path in hands for reply in replies(path)]
    table: dict[str, Counter[str]] = {}
    with ProcessPoolExecutor() as pool:
        for reply, found in zip(letters, pool.map(partial(fate, answers=answers), letters, chunksize=16), strict=True):
            if found:
                table.setdefault(f"{reply.context} {_kind(reply)}", Counter())[found] += 1
            if listed and found == listed:
                print(f"{reply.language} {reply.game} {reply.context} {reply.label}: {reply.text!r}")
    if not listed:
        _print(table)


def _kind(reply: Reply) -> str:
    return reply.label.partition(":")[0] if reply.context == "proposal" else reply.label.split()[0]


def _print(table: dict[str, Counter[str]]) -> None:
    print(f"{'':20} {'all':>4}  {'  '.join(f'{one:>18}' for one in FATES)}")
    for kind, counts in sorted(table.items()):
        shares: Iterable[str] = (str(wilson(counts[one], counts.total())) for one in FATES)
        print(f"{kind:20} {counts.total():>4}  {'  '.join(f'{one:>18}' for one in shares)}")


if __name__ == "__main__":
    main(sys.argv[1:])
