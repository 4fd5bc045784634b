"""Measure what becomes of wishes and questions in own words: `python -m tools.wishes [HAND ...] [--all] [--list FATE]`.
With `--answers FILE`, the core has an interpreter that answers from FILE (`python -m tools.recorded`).

The letters are those in `tests/orders/corpus/hands` that give no orders but want something. Each is decided on by the
core, in the position of the letter that it answers. By default, only the hands from which no model learns are measured.

The table has a line for each kind of wish, with the shares of letters, and their 95 % intervals, that are understood:
the command that is meant is carried out or proposed, the question is answered or offered to the game master (nobody
judges whether the answer is right), thanks are taken as such; that get something else; and of which nothing is
understood.
"""

import sys
from collections import Counter
from pathlib import Path

from pbem.lab.figures import wilson
from pbem.match.effects import Ask, Effect, Propose, Send, TakeOrders
from tools.beside import Beside, letters, matches, read, told
from tools.everyday import interpreted
from tools.replies import HANDS, unseen

FATES = ("understood", "something else", "nothing")
_UNDERSTOOD_NOTHING = ("nothing found", "start", "remarks", "open", "position", "seals")
_ANSWERS = ("answer", "lookup", "help", "rules", "usage", "status", "mail settings")
_DONE = {
    "status": ("status",),
    "resign": ("really resign",),
    "withdraw": ("withdrawn", "nothing to withdraw"),
    "history": ("history", "nothing played"),
    "language": ("language", "not understood"),
    "thanks": ("nothing to do",),
}
"""What an answer has if a wish is understood and nothing needs to be asked about it, by the first word of its label."""


_FOR_MASTERS = ("address", "hand", "vote")  # commands that do what people otherwise ask a game master for
_SHOWING = ("gm", "status", "history", "resend", "rating", "games")  # commands whose answer may answer a question


_OF_TWO_WORDS = ("no draw", "fewer letters", "forget me", "digest daily", "challenge computer")


def command_in(label: str) -> str:
    """The command with which a label begins, without what follows its name."""
    names = (name for name in _OF_TWO_WORDS if label.startswith(name))
    return next(names, label.partition(":")[0].split()[0])


def kind_of(label: str) -> str:
    """The command in a label; "ask" for whatever only looks something up."""
    word = command_in(label)
    return "ask" if word in ("ask", "card", "cards", "point", "rule", "rules", "help") else word


def outcome(one: Beside, answers: str = "") -> str:
    """The fate of a letter, one of FATES."""
    match, wanted = matches(one.game, one.language)[0], kind_of(one.label)
    effects = interpreted(one, match, Path(answers)) if answers else read(one, match, one.text)
    names = [section.values.get("reason", section.template) for section in told(effects)]
    offered = {effect.open_command.command.word for effect in effects if isinstance(effect, Ask)}
    offered |= {section.values["word"] for section in told(effects) if section.values.get("reason") == "incomplete"}
    if _is_understood(wanted, names, offered, effects):
        return "understood"
    is_else = offered or any(isinstance(effect, TakeOrders | Propose) for effect in effects)
    return "something else" if is_else or not {*names} <= {*_UNDERSTOOD_NOTHING} else "nothing"


def _is_understood(wanted: str, names: list[str], offered: set[str], effects: list[Effect]) -> bool:
    sent = any(isinstance(effect, Send) and effect.kind == "gm" for effect in effects)
    if wanted == "ask":
        return sent or not offered.isdisjoint(_SHOWING) or any(name in _ANSWERS for name in names)
    if wanted == "status" and "resend" in offered:  # the report shows the same
        return True
    if wanted == "history" and not offered.isdisjoint(("status", "resend")):
        return True
    done = any(name in _DONE.get(wanted, ()) for name in names)
    return done or wanted in offered or (wanted == "gm" and (sent or not offered.isdisjoint(_FOR_MASTERS)))


def main(arguments: list[str]) -> None:
    """Print the table, or with `--list` the letters with a fate."""
    listed = arguments[arguments.index("--list") + 1] if "--list" in arguments else ""
    answers = arguments[arguments.index("--answers") + 1] if "--answers" in arguments else ""
    names = [word for word in arguments if not word.startswith("--") and word not in (listed, answers)]
    paths = [HANDS / f"{name}.txt" for name in names]
    paths = paths or (sorted(HANDS.glob("*.txt")) if "--all" in arguments else unseen())
    table: dict[str, Counter[str]] = {}
    for path in paths:
        for one in letters(path, "wishes"):
            fate = outcome(one, answers)
            for kind in (kind_of(one.label), "~ all"):
                table.setdefault(kind, Counter()).update((fate,))
            if listed and fate == listed:
                print(f"{path.stem} {one.game} {one.label}: {one.text!r}")
    if not listed:
        print(f"{'':20} {'all':>4}  {'  '.join(f'{fate:>18}' for fate in FATES)}")
        for kind, counts in sorted(table.items()):
            shares = (str(wilson(counts[fate], counts.total())) for fate in FATES)
            print(f"{kind:20} {counts.total():>4}  {'  '.join(f'{share:>18}' for share in shares)}")


if __name__ == "__main__":
    main(sys.argv[1:])
