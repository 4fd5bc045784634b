"""Train the trees that judge how sure it is that a letter means what is heard in it, from the hands of
`tests/orders/corpus/hands`.

`python -m tools.train_surety` (part of `./tasks train`) writes `surety.json` of each game. `--measure` prints instead,
for several shares of the clear letters, how many other letters count as surer than the last of this share that is heard
rightly, judged by trees that have not seen the hand.

A letter is heard by models that have not seen its hand. What is heard in it is right if it is exactly what a clear
letter orders; of doubtful letters and of letters that order nothing, whatever is heard is wrong.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from math import log
from typing import Any, NamedTuple

from pbem.games.kit.surety import Forest, signs_of
from pbem.orders.prose import sentences_of
from tools.everyday import lines_of
from tools.replies import HANDS
from tools.train_hearing import GAMES, Letter, everyday, unseen

_TREES, _DEPTH, _PACE, _PART = 200, 3, 0.05, 0.7
"""The number of trees and their depth, the weight of each tree, and the part of the letters from which it learns."""
_LOTS = 5  # the number of parts of the hands for measuring
_DIGITS = 4
_RARE = 20  # a sign of fewer letters is left out
_SHARES = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5)


class Sample(NamedTuple):
    """A letter in which something is heard: its hand, the signs, and whether it is right."""

    hand: str
    signs: dict[str, float]
    right: bool


def samples(game: str) -> Iterator[Sample]:
    """Yield a sample for each letter of a game in which orders are heard."""
    module = GAMES[game].module
    for letter, judges in ((one, judges) for one, judges in unseen(game) if _counts(one)):
        text = "\n".join(one.text for one in sentences_of(letter.text) if "?" not in one.text)
        hearing = module.heard(letter.at.state, letter.at.seat, text, judges)
        likeliest = next((orders for orders, _ in hearing.readings if orders), None)
        if likeliest is not None:
            signs = signs_of(hearing, module.lines_of(likeliest))
            yield Sample(letter.hand, signs, _is_right(letter, str(likeliest)))


def _counts(letter: Letter) -> bool:
    """Whether a letter counts: those from before there were hands are too easy, and passing is read otherwise."""
    return not letter.passes and (HANDS / f"{letter.hand}.txt").exists()


def _is_right(letter: Letter, heard: str) -> bool:
    meant = tuple(map(str, letter.meant))
    return bool(meant) and not letter.doubtful and lines_of((heard,)) == lines_of(meant)


def grown(learnt: Sequence[Sample]) -> dict[str, Any]:
    """Grow the trees, in the format of `pbem.games.kit.surety`."""
    from sklearn.ensemble import GradientBoostingClassifier

    often = [name for one in learnt for name in one.signs]
    names = sorted(name for name in {*often} if often.count(name) >= _RARE)
    rows = [[one.signs.get(name, 0.0) for name in names] for one in learnt]
    model = GradientBoostingClassifier(
        n_estimators=_TREES, max_depth=_DEPTH, learning_rate=_PACE, subsample=_PART, random_state=0
    ).fit(rows, [one.right for one in learnt])
    share = sum(one.right for one in learnt) / len(learnt)
    trees = [_tree(names, row[0].tree_, 0) for row in model.estimators_]
    return {"base": round(log(share / (1 - share)), _DIGITS), "trees": trees}


def _tree(names: Sequence[str], tree: Any, at: int) -> Any:
    low, high = int(tree.children_left[at]), int(tree.children_right[at])
    if low == high:
        return round(_PACE * float(tree.value[at][0][0]), _DIGITS)
    limit = round(float(tree.threshold[at]), _DIGITS)
    return [names[int(tree.feature[at])], limit, _tree(names, tree, low), _tree(names, tree, high)]


def _measure(game: str) -> None:
    found, learnt = [*samples(game)], [*filter(_counts, everyday(game))]
    hands = sorted({one.hand for one in found})
    judged = list[tuple[float, bool]]()
    for lot in range(_LOTS):
        tried = {*hands[lot::_LOTS]}
        data = grown([one for one in found if one.hand not in tried])
        forest = Forest(data["base"], data["trees"])
        judged += ((forest.probability(one.signs), one.right) for one in found if one.hand in tried)
    every = [one for one in learnt if one.meant and not one.doubtful]
    print(f"{game}: {len(learnt)} letters, {len(every)} with clear orders, {sum(r for _, r in judged)} right")
    rights = wrongs = 0
    shares = [*_SHARES]
    for probability, right in sorted(judged, reverse=True):
        rights, wrongs = rights + right, wrongs + (not right)
        if shares and rights >= shares[0] * len(every):
            print(f"  {shares.pop(0):4.0%} from {probability:.3f}: {wrongs} wrong")


def main(arguments: list[str]) -> None:
    """Write the trees, or print figures."""
    for game, trainer in GAMES.items():
        if "--measure" in arguments:
            _measure(game)
        else:
            text = json.dumps(grown([*samples(game)]), separators=(",", ":"))
            trainer.module.SURETY.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
