"""Measure whether orders stand whatever else is in a letter: `python -m tools.beside [HAND ...] [--all] [--list FATE]`.

The letters are those in `tests/orders/corpus/hands` with orders in notation and something beside them: a question
(`ask`), words for the opponent (`press`), or something that asks for nothing (`nothing`). Each is decided on by the
core, in the position of the letter that it answers or, if its orders are impossible there, in the first one; a letter
whose orders are impossible in both is left out. By default, only the hands from which no model learns are measured.

The table has a line for each kind of letter, with the shares of letters, and their 95 % intervals, whose orders stand;
whose orders stand without a question about them; where the question is answered or passed on, the words are offered as
press or, with `nothing`, nothing is offered; and where nobody would learn that a question or words went unread.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pbem.lab.figures import wilson
from pbem.match.effects import Ask, Effect, Send, SetStanding, TakeOrders
from pbem.match.model import Match
from pbem.match.receive import receive
from pbem.orders.command import Asking, Press
from pbem.orders.situation import AnyStandpoint
from tools.replies import HANDS, unseen

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from support.cases import NOON, begun, letter, told

FATES = ("stand", "no question", "seen to", "silent")
_ABOUT_ORDERS = (
    "receipt",
    "addition",
    "doubt",
    "refusal",
    "taken",
    "remarks",
    "start",
    "meant",
    "position",
    "seals",
    "standing",
)
"""Sections of an answer that say what became of orders and of the lines beside them."""

_OZZ = (
    "2 munchkins M2 MAY {may} M3 JIN {jin} {rest} H1 ZOR GUA TIC winkies {theirs} H2 EVO WI1 WBA SK1 W2 ZEP THI"
    " bell winkies H2 SK1 pools munchkins {pool} winkies ZIL WI5 mercenaries GI1 MS2 BE1 MS1 WIT BE2 GI2"
)
_WAR = "set: base-2; next: vpa; deck orders: Attack, Move, March, Attack two; hand vpa: "
_DECK = "reserve vpa: Boomer; deck vpa"
_ROW = "A vietnam: Horny; B vietnam: Voi Dai; C vietnam: Bao; D vietnam: Partisan"
_PLACES = {
    "ozymandia": ("red A3 M3 W2 WC1 bombs 3 blue V3 H3 U2 EC1 bombs 3",) * 3,
    "rocknroll": (
        f"{_WAR}Doc, Gunner, Chili, Zulu, Move, Artillery, Artillery, Napalm; {_ROW}; {_DECK}: Johnny, Rook",
        f"{_WAR}Private, Zulu, Gunner, Johnny, All six, All six, March, Attack two; {_DECK}: Doc, Rook",
        f"{_WAR}Doc, Chili, Gunner, Zulu, Move two, March, Napalm, Attack; {_DECK}: Johnny, Rook",
    ),
    "ozz": (
        _OZZ.format(may="BAL", jin="NA1", rest="Q4 HAR MBA", theirs="W3 ZER SLA W4 HER", pool="NA2 SOU MCA"),
        _OZZ.format(may="BAL", jin="NA1", rest="Q4 HAR MBA", theirs="W3 ZER OOG W4 HER", pool="NA2 SOU MCA"),
        _OZZ.format(may="NA1", jin="NA2", rest="M4 MCA", theirs="W3 ZER MAR", pool="BAL SOU HAR MBA"),
    ),
}
"""The positions of the letters that the hands answer, in English, German and Russian."""
SEATS = {"ozymandia": "red", "rocknroll": "vpa", "ozz": "munchkins"}
_LANGUAGES = ("en", "de", "ru")


class Beside(NamedTuple):
    """A letter of a hand: the language and game of the letter that it answers, its label, and the text."""

    language: str
    game: str
    label: str
    text: str

    @property
    def orders(self) -> str:
        """The orders that are meant."""
        return self.label.rpartition(" + ")[0]

    @property
    def other(self) -> str:
        """What is beside the orders: `ask`, `press` or `nothing`."""
        return self.label.rpartition(" + ")[2]


def letters(path: Path, wanted: str = "beside") -> Iterator[Beside]:
    """The letters of a hand with something beside orders or, if another one is `wanted`, those of another context."""
    language = game = context = ""
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("== "):
            _, language, game, context = line.split()
        elif context == wanted and line:
            label, _, text = line.partition(" | ")
            yield Beside(language, game, label, text.replace("⏎", "\n"))


@cache
def matches(game: str, language: str) -> tuple[Match, ...]:
    """A match in the position of the letters in a language, and one that has just begun."""
    first = begun(game)
    place = _PLACES[game][_LANGUAGES.index(language)]
    return replace(first, state=first.game.placed(first.state, place)), first


def standpoints(game: str, language: str) -> tuple[AnyStandpoint, ...]:
    """The same positions as the writer of a letter sees them."""
    return tuple(match.standpoint(SEATS[game]) for match in matches(game, language))


def read(one: Beside, match: Match, text: str) -> list[Effect]:
    return receive(letter(text, match, SEATS[one.game]), NOON)


def taken(effects: list[Effect]) -> tuple[str, ...]:
    """The orders and the standing orders that a letter gives."""
    orders = (effect.entry.canonical for effect in effects if isinstance(effect, TakeOrders))
    return (*orders, *(effect.canonical for effect in effects if isinstance(effect, SetStanding)))


def outcome(one: Beside) -> frozenset[str] | None:
    """Those of FATES that are true of a letter; None if its orders are impossible."""
    for match in matches(one.game, one.language):
        if meant := taken(read(one, match, one.orders)):
            break
    else:
        return None
    effects = read(one, match, one.text)
    sections = told(effects)
    is_asked = any(section.values.get("perhaps") or section.values.get("doubts") for section in sections)
    is_quoted = is_asked or any(isinstance(effect, Ask) for effect in effects)
    is_quoted = is_quoted or any(section.values.get("remarks") or section.template == "refusal" for section in sections)
    stands = taken(effects) == meant
    seen = _is_seen_to(one.other, effects) and (stands or one.other != "nothing")
    said = ("stand", stands), ("no question", stands and not is_asked), ("seen to", seen)
    return frozenset((*(fate for fate, true in said if true), *(() if seen or is_quoted else ("silent",))))


def _is_seen_to(other: str, effects: list[Effect]) -> bool:
    """Whether what is beside orders was understood."""
    offered = [effect.open_command.command for effect in effects if isinstance(effect, Ask)]
    if other == "press":
        return any(isinstance(command, Press) for command in offered) or any(
            isinstance(effect, Send) and effect.kind == "press" for effect in effects
        )
    is_answered = any(section.values.get("reason", section.template) not in _ABOUT_ORDERS for section in told(effects))
    if other == "nothing":
        return not (offered or is_answered)
    passed_on = any(isinstance(command, Asking) and command.word == "gm" for command in offered)
    return passed_on or (is_answered and not offered)


def main(arguments: list[str]) -> None:
    """Print the table, or with `--list` the letters of which a fate is not true, or with `silent` those that are."""
    listed = arguments[arguments.index("--list") + 1] if "--list" in arguments else ""
    names = [word for word in arguments if not word.startswith("--") and word != listed]
    hands = [HANDS / f"{name}.txt" for name in names] or (
        sorted(HANDS.glob("*.txt")) if "--all" in arguments else unseen()
    )
    table: dict[str, Counter[str]] = {}
    impossible = 0
    for one in (one for path in hands for one in letters(path)):
        found = outcome(one)
        if found is None:
            impossible += 1
            continue
        for kind in (one.game, one.other, "all"):
            table.setdefault(kind, Counter()).update(("all", *found))
        if listed and (listed in found) == (listed == "silent"):
            print(f"{one.language} {one.game} {one.other} {one.orders}: {one.text!r}")
    if not listed:
        _print(table)
        print(f"Impossible, and left out: {impossible}")


def _print(table: dict[str, Counter[str]]) -> None:
    print(f"{'':12} {'all':>4}  {'  '.join(f'{fate:>18}' for fate in FATES)}")
    for kind, counts in sorted(table.items()):
        shares = (str(wilson(counts[fate], counts["all"])) for fate in FATES)
        print(f"{kind:12} {counts['all']:>4}  {'  '.join(f'{share:>18}' for share in shares)}")


if __name__ == "__main__":
    main(sys.argv[1:])
