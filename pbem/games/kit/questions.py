"""Questions in any game: the things named in a player's question, and the keys of a question from another program."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from pbem.games.base import Seat
from pbem.games.capabilities import QuestionError
from pbem.typed import Key, Reader

_AND = re.compile(r"\s*(?:[,;&]|\b(?:and|und|и)\b)\s*", re.I)


def parts_of(names: str) -> list[str]:
    """Split a list of names, such as `Bao, Doc and Zulu`, into the names."""
    return [part for part in _AND.split(names) if part]


def things_asked(
    kind: str,
    gaps: Sequence[str],
    seats: Collection[Seat],
    things: Callable[[str], Sequence[str]],
    place: Callable[[str], str | None],
) -> tuple[str, ...] | None:
    """Return the things that a question names, as `AnswersQuestions.asked_about` does, or None if the texts in `gaps`
    do not fit.

    A question of the kind `where` or `card` names one thing, `units` names a seat, `far` names two places, and any
    other kind names one place. `things` returns all things that a text may name, and `place` returns the place that a
    text names.
    """
    if kind in ("where", "card"):
        names = tuple(things(gaps[-1])) if gaps else ()
        return names if len(names) == 1 else None
    if kind == "units":
        return tuple(gaps[-1:]) if gaps and gaps[-1] in seats else None
    number = 2 if kind == "far" else 1
    names = tuple(name for gap in gaps[-number:] if (name := place(gap)))
    return names if len(names) == number else None


class _TurnQuestion(NamedTuple):
    """The keys of a question that another program asks about a turn. The game reads `state`, and `pbem adjudicate`
    reads the other keys."""

    state: Any
    id: Any = None
    new: Any = None
    orders: Any = None
    chance: Any = None
    seed: Any = None
    deck_seed: Any = None
    reader: Annotated[Any, Key("as")] = None


def state_asked_about(question: Mapping[str, Any]) -> Any:
    """Return the position in a question without checking it. Raises QuestionError if there is no position, or if the
    question has unknown keys."""
    if "state" not in question:
        raise QuestionError('A question has a position, "state", or the options of a "new" match.')
    reader = Reader()
    asked = reader.read(_TurnQuestion, {**question})
    if reader.problems:
        raise QuestionError("\n".join(reader.problems))
    return asked.state
