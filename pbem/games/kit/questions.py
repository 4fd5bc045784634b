"""Questions in any game: the things that a player's question names, and the keys of one that another program asks."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from pbem.games.base import Seat
from pbem.games.capabilities import QuestionError
from pbem.typed import Key, Reader

_AND = re.compile(r"\s*(?:[,;&]|\b(?:and|und|и)\b)\s*", re.I)


def parts_of(names: str) -> list[str]:
    """Split a list of names such as `Bao, Doc and Zulu`."""
    return [part for part in _AND.split(names) if part]


def things_asked(
    kind: str,
    gaps: Sequence[str],
    seats: Collection[Seat],
    things: Callable[[str], Sequence[str]],
    place: Callable[[str], str | None],
) -> tuple[str, ...] | None:
    """Find what the gaps of a question name, in the form of `AnswersQuestions.asked_about`: one thing (`where`,
    `card`), a seat (`units`), two places (`far`), or one place for any other kind. `things` finds all things that a
    text may name, and `place` finds the one place."""
    if kind in ("where", "card"):
        names = tuple(things(gaps[-1])) if gaps else ()
        return names if len(names) == 1 else None
    if kind == "units":
        return tuple(gaps[-1:]) if gaps and gaps[-1] in seats else None
    number = 2 if kind == "far" else 1
    names = tuple(name for gap in gaps[-number:] if (name := place(gap)))
    return names if len(names) == number else None


class _TurnQuestion(NamedTuple):
    """A turn that another program wants to have adjudicated; `pbem adjudicate` reads all fields except `state`
    itself."""

    state: Any
    id: Any = None
    new: Any = None
    orders: Any = None
    chance: Any = None
    seed: Any = None
    deck_seed: Any = None
    reader: Annotated[Any, Key("as")] = None


def state_asked_about(question: Mapping[str, Any]) -> Any:
    """Return the position in a question, unchecked. Raises QuestionError if there is none, or for unknown keys."""
    if "state" not in question:
        raise QuestionError('A question has a position, "state", or the options of a "new" match.')
    reader = Reader()
    asked = reader.read(_TurnQuestion, {**question})
    if reader.problems:
        raise QuestionError("\n".join(reader.problems))
    return asked.state
