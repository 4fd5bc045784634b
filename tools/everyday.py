"""Measure what becomes of orders in everyday words: `python -m tools.everyday [HAND ...] [--all] [--list FATE]`.
With `--answers FILE`, the core has an interpreter that answers from FILE (`python -m tools.recorded`).

The letters are those in `tests/orders/corpus/hands` with orders in the writer's own words. Each is decided on by the
core, with a deadline and before any other orders, in the position of the letter that it answers or, if the orders that
are meant are impossible there, in the first one; a letter whose orders are impossible in both is left out. By default,
only the hands from which no model learns are measured.

The table has two lines for each game, one for clear letters and one for doubtful ones, whose label begins with `?`.
They give the shares of letters, with their 95 % intervals, whose orders are played as meant at once; which stand as
meant until the deadline; which are proposed as meant, alone or as one of several readings; of which only some lines
stand or are proposed; which get something else, by the same three ways; and which get nothing. In which sequence a
letter's lines stand does not count.
"""

import re
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

from pbem.cli.demo import DemoDesk
from pbem.lab.figures import wilson
from pbem.match.case import Interpretation
from pbem.match.effects import Effect, Propose, TakeOrders
from pbem.match.interpretation import is_wanted
from pbem.match.model import Match
from pbem.match.receive import receive
from pbem.service.compose import Composer
from pbem.service.desk import Desk
from pbem.service.interpreting import question_of
from tools.beside import NOON, SEATS, Beside, letter, letters, matches, read, taken
from tools.recorded import answer
from tools.replies import HANDS, unseen

_WAYS = ("at once", "likely", "proposed")
_USUAL = re.compile(r"New [A-Z]C")
_LINE_END = re.compile(r"; |, (?=\d|New|Bomb)")
_MARCH = re.compile(r"(?<=^March: ).+(?= to )")
FATES = (*_WAYS, *(f"part {way}" for way in _WAYS[1:]), *(f"else {way}" for way in _WAYS), "nothing")


def outcome(one: Beside, answers: str = "") -> str | None:
    """The fate of a letter, one of FATES; None if its orders are impossible. The core has an interpreter if a file with
    `answers` is given."""
    label = one.label.removeprefix("? ")
    for match in matches(one.game, one.language):
        if meant := taken(read(one, match, label)):
            break
    else:
        return None
    effects = interpreted(one, match, Path(answers)) if answers else read(one, match, one.text)
    given = taken(effects)
    offered = [effect.canonical for effect in effects if isinstance(effect, Propose)]
    way = "proposed" if not given else "likely" if _is_provisional(effects, SEATS[one.game]) else "at once"
    if not (given or offered):
        return "nothing"
    ways = [lines_of(given)] if given else [lines_of((one,)) for one in offered]
    wanted = lines_of(meant if given else meant[:1])
    if wanted in ways:
        return way
    is_part = way != "at once" and len(ways) == 1 and set(ways[0]) < set(wanted)
    return f"{'part' if is_part else 'else'} {way}"


@cache
def _composer() -> Composer:
    """The composer of a desk, which writes what an interpreter is asked."""
    table = DemoDesk(Path(tempfile.mkdtemp(prefix="pbem-everyday-")) / "desk", NOON)
    return Desk(table.config, table.store, NOON, "", b"").outgoing


def interpreted(one: Beside, match: Match, answers: Path) -> list[Effect]:
    """The effects of a letter about which an interpreter is asked if the core is not sure."""
    case = letter(one.text, match, SEATS[one.game])
    effects = receive(case, NOON)
    if not is_wanted(case, effects):
        return effects
    found = answer(answers, question_of(_composer(), case))
    fields = {name: found[name] for name in ("orders", "command", "answer") if name in found}
    meant = Interpretation(**fields, because=tuple(found.get("because", ())))
    return receive(replace(case, interpretation=meant if fields else None), NOON)


def lines_of(orders: tuple[str, ...]) -> list[str]:
    """The lines of orders in canonical form, sorted, without those that leave a new piece in its city, where it appears
    anyway. In which sequence the units of a march are named does not count."""
    lines = (line for one in orders for line in _LINE_END.split(one))
    return sorted(_MARCH.sub(_in_row, line) for line in lines if not _USUAL.fullmatch(line))


def _in_row(march: re.Match[str]) -> str:
    return ", ".join(sorted(march[0].split(", ")))


def _is_provisional(effects: list[Effect], seat: str) -> bool:
    return any(effect.match.is_provisional(seat) for effect in effects if isinstance(effect, TakeOrders | Propose))


def main(arguments: list[str]) -> None:
    """Print the table, or with `--list` the letters with a fate."""
    listed = arguments[arguments.index("--list") + 1] if "--list" in arguments else ""
    answers = arguments[arguments.index("--answers") + 1] if "--answers" in arguments else ""
    names = [word for word in arguments if not word.startswith("--") and word not in (listed, answers)]
    paths: list[Path] = [HANDS / f"{name}.txt" for name in names]
    paths = paths or (sorted(HANDS.glob("*.txt")) if "--all" in arguments else unseen())
    table: dict[str, Counter[str]] = {}
    impossible = 0
    for path in paths:
        for one in letters(path, "orders"):
            if one.label == "none":
                continue
            fate = outcome(one, answers)
            if fate is None:
                impossible += 1
                continue
            kind = f"{one.game} {'doubtful' if one.label.startswith('?') else 'clear'}"
            table.setdefault(kind, Counter()).update(("all", fate))
            if fate == listed:
                print(f"{path.stem} {one.game} {one.label}: {one.text!r}")
    if not listed:
        print(f"{'':20} {'all':>4}  {'  '.join(f'{fate:>18}' for fate in FATES)}")
        for kind, counts in sorted(table.items()):
            shares = (str(wilson(counts[fate], counts["all"])) for fate in FATES)
            print(f"{kind:20} {counts['all']:>4}  {'  '.join(f'{share:>18}' for share in shares)}")
        print(f"Impossible, and left out: {impossible}")


if __name__ == "__main__":
    main(sys.argv[1:])
