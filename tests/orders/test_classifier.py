"""The judge of what stands beside orders: it is what training makes of the labelled letters, and small."""

import json

import pytest

from pbem.games import find_game
from pbem.orders import classifier
from pbem.orders.situation import Situation
from pbem.resources import resource
from tools.understanding import share

GAME = find_game("ozymandia")
STATE = GAME.new({})


@pytest.mark.parametrize(
    ("chat", "turning"),
    [
        ("Greetings from a rainy campsite, the tent leaks", "Please hold these until I write again"),
        ("Der Dackel schläft auf dem Sofa", "Das war nur ein Entwurf"),
        ("Собака спит под столом", "Пока не выполняйте это"),
    ],
)
def test_what_may_change_orders_is_likelier_than_chat(chat: str, turning: str) -> None:
    model = classifier.read_model()
    assert classifier.likelihood(chat) < model.thresholds.perhaps < classifier.likelihood(turning)


def test_which_name_stands_in_a_line_does_not_matter() -> None:
    lines = [classifier.without_names(Situation(GAME, STATE), f"leave one in {name}") for name in ("Mu", "Shalomar")]
    assert lines[0] == lines[1]
    assert "Mu" not in lines[0]


def test_lines_of_unknown_languages_are_told() -> None:
    assert classifier.is_known_language("How is your mother today?")
    assert classifier.is_known_language("Wie geht es dir?")
    assert not classifier.is_known_language("Onko siellä kaunis ilma?")


def test_the_model_is_small() -> None:
    assert resource(classifier.FILE).stat().st_size <= 255_000


@pytest.mark.long
def test_the_model_is_what_training_gives() -> None:
    """Scikit-learn's versions may differ in the last digit, and so in which of the least weights are kept."""
    pytest.importorskip("sklearn")
    from tools import train

    model = classifier.read_model()
    lines = [*train.lines_of(train.LETTERS), *train.lines_of_hands(), *train.remarks(train.REMARKS)]
    made = json.loads(train.written(lines, model.thresholds, model.figures))
    weights = {one: int(weight) for weight, some in made["weights"].items() for one in some.split("\t")}
    assert len(weights.keys() & model.weights.keys()) >= 0.99 * len(model.weights)
    assert all(abs(weights.get(one, 0) - weight) <= 5 for one, weight in model.weights.items() if abs(weight) > 60)


def test_a_share_has_its_interval() -> None:
    assert share(0, 20) == "0.0 % (0.0-16.1)"
    assert share(19, 20) == "95.0 % (76.4-99.1)"
