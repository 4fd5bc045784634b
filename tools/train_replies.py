"""Train the model of answers to our questions: part of `./tasks train`.

The material consists of the letters of `tests/orders/corpus/hands` that answer a question, and of those that give
orders or ask for something else, because these come while a question is open, too. The hands whose number is divisible
by three only measure the model.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from math import log, sqrt
from pathlib import Path
from typing import NamedTuple, get_args

from pbem.orders import replies
from pbem.orders.intents import SIGNS, STEP, ZERO
from pbem.orders.replies import Asked, ReplyModel, Said, features
from pbem.resources import resource
from tools.replies import HANDS, Reply, replies_in, unseen

_RARE = 4  # divisor of the logarithm of a feature's rarity
_STRENGTH = 100  # the inverse of the strength of regularisation
_LEAST = 2  # the least number of hands with a feature
_LARGEST = 40  # the number of steps of the largest weight that is stored
_SPEAKS = 2  # the least steps of the largest weight of a feature that is kept
_EVERY = 4  # one in so many letters about something else is learnt as an answer to each question
_ANSWERS = ("draw", "no draw", "resign", "thanks", "yes", "withdraw")  # wishes that may answer a question
_SAID: dict[str, Said] = {"accept": "yes", "decline": "no", "yes": "yes", "no": "no", "orders": "else"}


class LabelledReply(NamedTuple):
    """The hand that wrote an answer, what was asked, the text, and what it says."""

    hand: str
    asked: Asked
    text: str
    said: Said


def seen() -> list[Path]:
    """The hands from which the model learns."""
    measured = unseen()
    return [path for path in sorted(HANDS.glob("*.txt")) if path not in measured]


def answers(paths: Sequence[Path]) -> Iterator[LabelledReply]:
    """Yield the labelled answers of some hands. A hand that answers nothing teaches nothing: its orders alone would
    only teach that a letter seldom answers."""
    for path in paths:
        letters = [*replies_in(path)]
        if not any(reply.context in get_args(Asked) for reply in letters):
            continue
        for number, reply in enumerate(letters):
            if reply.context in get_args(Asked):
                yield LabelledReply(path.stem, reply.context, reply.text, _said(reply))  # type: ignore[arg-type]
            elif reply.context == "orders" and number % _EVERY == 0:
                yield from (LabelledReply(path.stem, asked, reply.text, "open") for asked in ("draw", "resign"))
            elif reply.context == "wishes" and not reply.label.startswith(_ANSWERS):
                asked = get_args(Asked)[number % len(get_args(Asked))]
                yield LabelledReply(path.stem, asked, reply.text, "open")


def _said(reply: Reply) -> Said:
    if reply.label.startswith("yes but"):
        return "else"
    return _SAID.get(reply.label.split()[0].strip(":"), "open")


def trained(some: Sequence[LabelledReply]) -> ReplyModel:
    """Fit a model to answers."""
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import LogisticRegression

    found = [sorted(features(one.text, one.asked)) for one in some]
    counts = Counter(feature for row in found for feature in row)
    hands = Counter(
        feature for feature, _ in {(feature, one.hand) for one, row in zip(some, found, strict=True) for feature in row}
    )
    columns = {feature: at for at, feature in enumerate(sorted(one for one in counts if hands[one] >= _LEAST))}
    rare = {feature: log(1 + len(some) / counts[feature]) / _RARE for feature in columns}
    cells = [
        (number, columns[feature], rare[feature] / sqrt(len(row)))
        for number, row in enumerate(found)
        for feature in row
        if feature in columns
    ]
    rows, places, values = zip(*cells, strict=True)
    model = LogisticRegression(C=_STRENGTH, max_iter=2000)
    model.fit(csr_matrix((values, (rows, places)), shape=(len(some), len(columns))), [one.said for one in some])
    weights = {
        feature: [
            max(-_LARGEST, min(_LARGEST, round(100 * weight * rare[feature] / STEP))) for weight in model.coef_[:, at]
        ]
        for feature, at in columns.items()
    }
    signs = {
        feature: "".join(SIGNS[ZERO + weight] for weight in row)
        for feature, row in weights.items()
        if max(map(abs, row)) >= _SPEAKS
    }
    return ReplyModel([*map(str, model.classes_)], [round(100 * one) for one in model.intercept_], signs)  # type: ignore[list-item]


def main() -> None:
    """Train, write the file, and print what a model says of the hands that it has not seen."""
    model = trained([*answers(seen())])
    resource(replies.FILE).write_text(
        json.dumps(model._asdict(), ensure_ascii=False, indent=0, separators=(",", ":")) + "\n", encoding="utf-8"
    )
    for asked in get_args(Asked):
        table = Counter[tuple[str, str]]()
        for one in answers(unseen()):
            if one.asked == asked:
                table[one.said, replies.answer_in(one.text, asked).said] += 1
        print(asked, dict(sorted(table.items())))


if __name__ == "__main__":
    main()
