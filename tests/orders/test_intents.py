"""The model of what people want: what it is trained from, how large it is, and what lines say of their own."""

import json

import pytest

from pbem.match.obey import dates_in, hour_in
from pbem.orders import intents
from pbem.orders.intents import address_in, find_intent, language_in, message_in, zone_in
from pbem.resources import resource


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Would you agree to a draw, Bob?", "draw"),
        ("Können wir uns auf Remis einigen?", "draw"),
        ("Пришлите карту ещё раз", "status"),
        ("How do I change my email address?", "how address"),
        ("I never wrote that order, somebody hacked me", "not mine"),
    ],
)
def test_a_line_has_the_intent_that_people_mean_by_it(line: str, name: str) -> None:
    intent = find_intent([line], ["Bob"])
    assert intent
    assert (intent.name, intent.line) == (name, line)


@pytest.mark.parametrize(
    "line", ["I won't resign", "Ich gebe nicht auf", "Я не сдаюсь", "What a lovely day", "2 A to M", ""]
)
def test_chat_orders_and_what_shall_not_be_have_none(line: str) -> None:
    assert find_intent([line]) is None


def test_which_name_address_place_day_or_language_stands_in_a_line_does_not_matter() -> None:
    lines = [
        "Tell Bob to write to a@example.org in German from Monday, I live in Berlin",
        "Tell Carla to write to b@example.com in Russian from Friday, I live in Chicago",
    ]
    assert len({intents.plain(line, ["Bob", "Carla"]) for line in lines}) == 1


def test_slips_of_the_pen_are_mended() -> None:
    intent = find_intent(["cancle my ordres"])
    assert intent
    assert intent.name == "withdraw"


def test_what_a_line_says_of_its_own_is_found() -> None:
    assert dates_in("can't write between 5 Dec and 9 Dec, sorry") == "5 Dec - 9 Dec"
    assert dates_in("Wir fahren vom 3. Dezember bis 10. Dezember weg") == "vom 3. Dezember bis 10. Dezember"
    assert dates_in("two for the road") == ""
    assert hour_in("a digest at 7.30 pm please") == "7.30 pm"
    assert hour_in("a digest at 25:00") == ""
    assert address_in("from now on (me@example.org).") == "me@example.org"
    assert language_in("Мне удобнее читать на немецком") != ""
    assert zone_in("I'm in New York") == "America/New_York"
    assert message_in("tell Bob: nice move") == "nice move"
    assert message_in("Bob, nice move") == "Bob, nice move"


def test_the_model_is_small() -> None:
    assert resource(intents.FILE).stat().st_size <= 180_000


@pytest.mark.long
def test_the_model_is_what_training_gives() -> None:
    """Scikit-learn's versions may differ in the last digit."""
    pytest.importorskip("sklearn")
    from tools import train_intents

    model = intents.read_model()
    made = json.loads(train_intents.written(train_intents.trained(train_intents.lines())))
    assert made["names"] == model.names
    assert len(made["weights"].keys() & model.weights.keys()) >= 0.98 * len(model.weights)
