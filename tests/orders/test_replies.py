"""What `python -m tools.replies` says of replies whose fate is known."""

from pathlib import Path

from pbem.orders.replies import answer_in
from support.each import each
from tools.replies import HANDS, Reply, fate, replies, unseen


@each(
    ("context", "label", "text", "expected"),
    [
        ("invitation", "accept", "accept", "as meant"),
        ("invitation", "decline", "decline", "as meant"),
        ("invitation", "decline", "accept", "something else"),
        ("invitation", "ask", "accept", "something else"),
        ("draw", "yes", "draw", "as meant"),
        ("draw", "no", "no draw", "as meant"),
        ("draw", "no", "draw", "something else"),
        ("resign", "yes", "yes", "as meant"),
        ("resign", "no", "no", "as meant"),
        ("resign", "yes", "status", "open"),
        ("invitation", "accept", "acept", "as proposed"),
    ],
)
def test_the_fate_of_a_reply(context: str, label: str, text: str, expected: str) -> None:
    assert fate(Reply("en", "ozymandia", context, label, text)) == expected


def test_letters_that_answer_a_question_are_measured_and_no_others(tmp_path: Path) -> None:
    hand = tmp_path / "en3.txt"
    hand.write_text(
        "# hand: 40, English\n== en ozz draw\nyes + press | Fine.⏎Well played!\n\n== en ozz orders\nPass | I pass.\n"
    )
    (reply,) = replies(hand)
    assert reply == Reply("en", "ozz", "draw", "yes + press", "Fine.\nWell played!")
    assert reply.meant == "yes"


def test_hands_that_no_model_has_seen_are_a_fifth() -> None:
    assert {path.stem for path in unseen()} >= {"en3", "de6", "ru9"}
    assert 0.2 <= len(unseen()) / len([*HANDS.glob("*.txt")]) <= 0.25


@each(
    "text",
    ["No problem", "no prob, go ahead", "No real objection", "Kein Problem", "Ich habe nichts dagegen", "Я не против"],
)
def test_denying_an_objection_is_a_yes(text: str) -> None:
    for asked in ("draw", "proposal", "invitation"):
        answer = answer_in(text, asked)
        assert (answer.said, answer.is_guess) == ("yes", False)


@each("text", ["No, problem is that I like my position", "no way", "Nein, dagegen", "нет, против"])
def test_a_no_beside_an_objection_is_a_no(text: str) -> None:
    assert answer_in(text, "draw").said == "no"


def test_no_and_no_objection_together_are_asked_about_and_so_is_giving_up_without_an_objection() -> None:
    assert answer_in("No, I don't mind", "draw").is_guess
    assert answer_in("No problem", "resign").is_guess
