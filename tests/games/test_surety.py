"""How sure it is that a letter means what is heard in it."""

import json
from statistics import mean
from typing import Any

import pytest

from pbem.games.kit.surety import Forest, read_forest
from pbem.games.ozymandia import hearing as ozymandia
from pbem.games.ozz import hearing as ozz
from pbem.games.rocknroll import hearing as rocknroll
from pbem.match.effects import TakeOrders
from pbem.match.receive import receive
from support.cases import NOON, begun, letter
from support.each import each
from tools.understanding import standpoint

AT = standpoint("ozymandia")
GAMES = pytest.mark.parametrize("module", [ozymandia, ozz, rocknroll], ids=["ozymandia", "ozz", "rocknroll"])


def test_trees_add_up_and_a_sign_that_is_missing_counts_as_nothing() -> None:
    forest = Forest(0.5, [["words", 3.0, -1.0, ["names", 1.0, 0.25, 0.75]], 0.25])
    odds = {name: forest.probability(signs) for name, signs in (("few", {}), ("many", {"words": 9, "names": 2}))}
    assert odds["few"] == pytest.approx(1 / (1 + 2.718281828 ** (0.25)))
    assert odds["many"] == pytest.approx(1 / (1 + 2.718281828 ** (-1.5)))


@each(
    ("plain", "less"),
    [
        ("Two from Mu to Mystery City.", "Two from Mu to Mystery City and the rest as we said on the phone."),
        ("Two from Mu to Mystery City.", "Two from Mu to Mystery City, Wyvernia likewise to Ulteria."),
        ("Bombe auf Elfin City.", "Bombe auf Elfin City, oder lieber auf Ulteria, ich weiß es noch nicht."),
        ("Трое из Атлантеи в Му.", "Трое из Атлантеи в Му, остальных растолкайте по соседним провинциям."),
    ],
)
def test_what_says_more_than_is_heard_is_less_sure(plain: str, less: str) -> None:
    assert AT.hear(plain).sure > AT.hear(less).sure
    assert AT.hear(less).sure < 0.94


@each(
    ("text", "uses_all"),
    [
        ("Two from Mu to Mystery City.", True),
        ("Full Atlantea to Zephyria", False),  # how many?
        ("Two from Mu to Mystery City, one is enough.", False),  # what becomes of "one"?
        ("Two from Mu to Mystery City, away from Halcyonna.", False),
    ],
)
def test_what_is_heard_uses_each_name_and_each_number_or_does_not(text: str, uses_all: bool) -> None:
    heard = AT.hear(text)
    assert heard.readings
    assert heard.uses_all is uses_all


def test_nothing_heard_is_not_sure() -> None:
    assert AT.hear("What a lovely map!").sure == 0


@each(
    ("text", "orders"),
    [
        ("From Mu two go over to Mystery City, please.", "2 M to MC"),
        ("Bitte alle drei aus Atlantea nach Zephyria.", "3 A to Z"),
        ("Двое из Му идут в Шаломар.", "2 M to S"),
    ],
)
def test_what_is_all_but_certain_is_played_at_once(text: str, orders: str) -> None:
    effects = receive(letter(text, begun()), NOON)
    assert [effect.entry.canonical for effect in effects if isinstance(effect, TakeOrders)] == [orders]


@GAMES
def test_the_trees_are_small(module: Any) -> None:
    assert module.SURETY.stat().st_size <= 50_000
    assert 0 < read_forest(module.SURETY).probability({}) < 1


@pytest.mark.long
@pytest.mark.parametrize("game", ["ozymandia", "ozz", "rocknroll"])
def test_the_trees_are_what_training_gives(game: str) -> None:
    """Scikit-learn's versions may break ties between signs otherwise."""
    pytest.importorskip("sklearn")
    from tools.train_hearing import GAMES as TRAINERS
    from tools.train_surety import grown, samples

    found = [*samples(game)]
    ours, theirs = (
        Forest(data["base"], data["trees"])
        for data in (json.loads(TRAINERS[game].module.SURETY.read_text(encoding="utf-8")), grown(found))
    )
    assert mean(abs(ours.probability(one.signs) - theirs.probability(one.signs)) for one in found) <= 0.02
