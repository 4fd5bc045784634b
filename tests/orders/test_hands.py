"""The letters of many hands are all labelled: see corpus/hands/README.md."""

from collections import Counter
from pathlib import Path

from support.each import each

HANDS = sorted((Path(__file__).parent / "corpus" / "hands").glob("*.txt"))
ANSWERS = {
    "invitation": ("accept", "decline", "later", "ask"),
    "draw": ("yes", "no", "ask"),
    "resign": ("yes", "no", "ask"),
    "proposal": ("yes", "no", "ask", "orders: "),
}
"""What a label may begin with, by what is answered; labels of other contexts are orders, or words for a wish."""

LETTERS = (
    {"invitation": 16, "draw": 6, "resign": 5, "proposal": 9, "orders": 26, "beside": 8, "wishes": 10},
    {"invitation": 26, "draw": 11, "resign": 9, "proposal": 18},
    {"invitation": 26, "draw": 15, "resign": 14, "proposal": 15, "wishes": 22},
    {"orders": 48},
    {"orders": 72},
)
"""The letters of a hand, by what they answer: of everything, of answers to questions alone, of these and wishes, or of
orders and talk about moves."""


@each("path", HANDS, ids=lambda path: path.stem)
def test_each_letter_of_a_hand_has_a_label_that_its_context_knows(path: Path) -> None:
    head, *lines = path.read_text("utf-8").splitlines()
    assert head.startswith("# ")
    contexts, game, context = Counter[str](), "", ""
    for line in filter(None, lines):
        if line.startswith("# proposal: "):
            continue
        if line.startswith("== "):
            _, language, game, context = line.split()
            assert language == path.stem[:2]
            continue
        label, bar, text = line.partition(" | ")
        assert bar, line
        assert label, line
        assert text.strip(), line
        assert label.startswith(ANSWERS.get(context, "")), line
        contexts[context] += 1
    assert game in ("ozymandia", "rocknroll", "ozz")
    assert contexts in LETTERS
