"""A campaign turn and a battle of Campaigns of Ozz as letters for its manual: what a player writes and receives."""

import hashlib
import re
import tempfile
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from pathlib import Path
from unittest.mock import patch

from pbem.cli.demo import DemoDesk, letter_text
from pbem.match.terms import Terms
from pbem.service.desk import make_desk
from pbem.times.deadlines import Pace

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
READER, OTHER = "munchkins", "winkies"
LOTS = b"manual 75"
"""The source of all random bytes, so that they are the same each time."""
FIRST = 17
"""The index of the game's first random bytes, no matter how many the setup of its desk has used."""

ROUNDS = {
    "march": (
        """\
Move Sourdough's, the Cavalry and the Mayor from M2 via M4 to R1
Move JIN HAR MBA: M3-M4
Recruit the Mayor: none""",
        "Move ZEP HER ZIL: W2-W4-R1; Move ZER WI5: W3-W4",
    ),
    "clash": (
        "Group MAY: SOU\nOrder MAY: advance 2C, attack 3C\nOrder MCA: stand\nEvade MCA\nRetreat below 1",
        "Group ZEP: HER; Order ZEP: advance; Order ZIL: advance 3C 2C, charge",
    ),
}
"""The letters of the reader and of the other side, by round."""


@cache
def letters() -> dict[str, str]:
    """For each round, the reader's letter, the receipt without its picture, and the report, without seals and
    footer."""
    found = {}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        numbers = count()

        def fresh_desk(folder: Path, *, rehearsal: bool) -> None:
            nonlocal numbers
            make_desk(folder, rehearsal=rehearsal)
            numbers = count(FIRST)

        stack.enter_context(patch("pbem.cli.demo.make_desk", fresh_desk))
        for where in ("secrets.token_bytes", "pbem.service.desk.token_bytes"):
            stack.enter_context(
                patch(where, lambda size: hashlib.shake_256(b"%s %d" % (LOTS, next(numbers))).digest(size))
            )
        terms = Terms(deadline=Pace(every=timedelta(days=3)), remind=(), chance="desk")  # no letter adds to chance
        table = DemoDesk(Path(folder) / "desk", NOON, "ozz", nations=(READER, OTHER), battles="board", terms=terms)
        found["opening"] = _to_reader(table)
        for name, (words, others) in ROUNDS.items():
            table.write(READER, words)
            found |= {f"{name}_orders": words, f"{name}_receipt": _to_reader(table)}
            table.write(OTHER, others)
            found[f"{name}_report"] = _to_reader(table)
        table.close()
    return found


def _to_reader(table: DemoDesk) -> str:
    """The desk's last letter to the reader, from its first sentence to the seals and hashes."""
    text = [letter_text(letter) for seat, letter in table.poll() if seat == READER][-1]
    text = text.removeprefix("== Answer above this line ==\n\n")
    return re.split(r"\n\n(?:After your own|Each seal is|The seal of these orders|-{8}\n)", text)[0]
