"""Whether an answer in its writer's own words is a yes, a no, or leaves the question open."""

import pytest

from pbem.orders import replies
from pbem.orders.replies import Asked, answer_in
from pbem.resources import resource
from support.each import each
from tools.replies import unseen
from tools.train_replies import answers


@each(
    ("asked", "text", "expected"),
    [
        ("invitation", "Yes, I would love to play!", "yes"),
        ("invitation", "Sorry, I have no time for this.", "no"),
        ("invitation", "How long does a game take?", "open"),
        ("draw", "No, let's play on.", "no"),
        ("draw", "Ja, Remis ist in Ordnung.", "yes"),
        ("resign", "Yes, I give up.", "yes"),
        ("resign", "Нет, я играю дальше", "no"),
        ("proposal", "Genau so war es gemeint.", "yes"),
        ("proposal", "Yes, but without the bomb.", "else"),
    ],
)
def test_what_an_answer_says(asked: Asked, text: str, expected: str) -> None:
    answer = answer_in(text, asked)
    assert (answer.said, answer.is_guess) == (expected, False)


@each("asked", ["invitation", "draw", "resign", "proposal"])
@each("text", ["statsu", "vacaton", "qwertz", "Brettspiel?", "Kraftwerk", "board please"])
def test_a_word_that_begins_no_answer_is_a_guess(text: str, asked: Asked) -> None:
    assert answer_in(text, asked).is_guess


def test_hands_that_the_model_has_not_seen_are_rarely_taken_for_the_opposite() -> None:
    sure = [
        (one, answer)
        for one in answers(unseen())
        if (answer := answer_in(one.text, one.asked)).likelihood >= 0.8 and answer.said in ("yes", "no")
    ]
    opposite = [one for one, answer in sure if one.said in ("yes", "no") and one.said != answer.said]
    assert len(sure) >= 300
    assert len(opposite) <= 0.03 * len(sure)


def test_the_model_is_small() -> None:
    assert resource(replies.FILE).stat().st_size <= 1_000_000


@pytest.mark.long
def test_the_model_is_what_training_gives() -> None:
    """Scikit-learn's versions may differ in the last digit."""
    pytest.importorskip("sklearn")
    from tools.train_replies import seen, trained

    model, made = replies.read_model(), trained([*answers(seen())])
    assert made.names == model.names
    assert len(made.weights.keys() & model.weights.keys()) >= 0.98 * len(model.weights)
