"""Orders that are heard in everyday words, by names, the position and a model of the roles that names play."""

import json
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest

from pbem.games.ozymandia import hearing as ozymandia
from pbem.games.ozz import hearing as ozz
from pbem.games.rocknroll import hearing as rocknroll
from pbem.match.effects import TakeOrders
from pbem.match.receive import receive
from pbem.orders.hearing import PROPOSED
from pbem.orders.reader import read
from pbem.orders.situation import Standpoint
from support.cases import NOON, begun, letter
from support.each import each
from support.ozz_reading import GAME as OZZ
from support.ozz_reading import on_map

ARMIES = on_map("M1 ZOR GUA TIC M2 MAY BAL M3 JIN NA1 Q4 HAR MBA W1 EVO W4 HER")


def heard(text: str) -> tuple[str, ...]:
    """The orders that may be meant, likeliest first; () if it is likelier that there are none."""
    readings = OZZ.hear(ARMIES, "munchkins", text).readings
    return tuple(orders for orders, _ in readings if sum(share for _, share in readings) >= PROPOSED)


@each(
    ("text", "orders"),
    [
        ("Hardsole's and the battery go up through the Recruiting Grounds and take Oogaboo.", "Move HAR MBA: Q4-R1-W4"),
        ("jinjar and the national guard walk over to tick tock please", "Move JIN NA1: M3-M4"),
        ("Адмирал Джинджар с нацгвардией идёт в Тик-Ток.", "Move JIN NA1: M3-M4"),
        ("Der Bürgermeister und der Admiral werben je einen aus dem Vorrat.", "Recruit MAY: pool; Recruit JIN: pool"),
        ("Батарея и HAR отходят на Р1.", "Move HAR MBA: Q4-R1"),
        ("зорастер, гвардия и тиктоки с перевала в сурдо", "Move ZOR GUA TIC: M1-M2"),
        ("To Tic-Tok go Jinjar and the National Guard.", "Move JIN NA1: M3-M4"),
        (
            "Hardsole's and the battery go through the Recruiting Grounds to Tic-Tok and drop the battery on the way.",
            "Move HAR MBA: Q4-R1-M4, drop MBA",
        ),
        ("If Zoraster falls, he returns at Sourdough.", "Return M2"),
        ("Bieten sie uns in Hardsole eine ehrenvolle Übergabe an, nehmen wir sie an.", "Honors accept M3"),
        ("At Sourdough we retreat below two.", "Retreat below 2 at M2"),
    ],
)
def test_orders_are_heard_in_three_languages(text: str, orders: str) -> None:
    assert orders in heard(text)[:2]


@each(
    ("text", "orders"),
    [
        ("Zulu goes to Alpha. If several come in at once, he blocks Bao.", "Block Zulu: Bao; Deploy Zulu A"),
        ("Doc nach Delta, und Johnny soll auf Angriffe nicht reagieren.", "React Johnny: no; Deploy Doc D"),
        ("Zuerst kommt die Fähigkeit von Zulu dran, danach die von Doc.", "First: Zulu, Doc"),
    ],
)
def test_standing_orders_of_units_are_heard(text: str, orders: str) -> None:
    war = (
        "set: base-2; next: vpa; hand vpa: Doc, Gunner, Chili, Zulu, Move, Napalm; reserve vpa: Johnny; B vietnam: Bao"
    )
    state = begun("rocknroll").game.placed(begun("rocknroll").state, war)
    assert orders in [str(one) for one, _ in rocknroll.heard(state, "vpa", text).readings][:2]


@each(
    "text",
    [
        "Dear desk, the Mayor of our town is ill, and nobody knows why.",
        "I never move HAR to R1.",
        "Not a word about Zoraster's Castle, please.",
        "What a lovely map!",
        "",
        "?" * 500,
        "Move " * 3_000,
    ],
)
def test_nothing_is_heard_where_nothing_is_ordered(text: str) -> None:
    assert heard(text) == ()


@each(
    "text",
    ["HAR goes to R1 or Q2", "HAR goes to R1 if Bob stays at home", "HAR geht nach R1, falls Bob nicht kommt"],
)
def test_neither_a_choice_nor_a_condition_is_played(text: str) -> None:
    reading = read(Standpoint(OZZ, ARMIES, "munchkins"), text)
    assert reading.orders is None


@each(
    "text",
    [
        "Bob, Zoraster and his guard march to Sourdough.",
        "Bob will move Hardsole's and the battery to the Recruiting Grounds.",
        "Last turn Jinjar and the National Guard walked to Tic-Tok.",
        "I wish Zoraster and his guard had gone to Sourdough.",
        "Next turn Zoraster and the guard march to Sourdough.",
        "In my dream Hardsole's and the battery went to the Recruiting Grounds and took Oogaboo.",
        "Tell Bob that Jinjar and the national guard go to Tic-Tok.",
        "Zum Glück ist Jinjar mit der Nationalgarde nach Tic-Tok gegangen.",
        "Боб, мой адмирал с нацгвардией идёт в Тик-Ток.",
    ],
)
def test_whoever_talks_about_moves_has_not_ordered_them(text: str) -> None:
    effects = receive(letter(text, replace(begun("ozz"), state=ARMIES), "munchkins"), NOON)
    assert not any(isinstance(effect, TakeOrders) for effect in effects)


@each(
    "text",
    [
        "Jinjar and the National Guard mustn't go to Tic-Tok.",
        "Cavalry the BAL go to Sourdough",
        "My cavalry the Winkie and the BAL go to M4",
        "MAY and cavalry, the BAL goes to M4 today my dear friends",
        "Neither Jinjar nor the National Guard goes to Tic-Tok.",
        "~~Zoraster and his guard marched to Sourdough~~",
    ],
)
def test_nothing_stands_of_odd_sentences(text: str) -> None:
    effects = receive(letter(text, replace(begun("ozz"), state=ARMIES), "munchkins"), NOON)
    assert not any(isinstance(effect, TakeOrders) for effect in effects)


@pytest.mark.parametrize("module", [ozymandia, ozz, rocknroll], ids=["ozymandia", "ozz", "rocknroll"])
def test_the_models_are_small_and_know_names_that_play_no_role(module: Any) -> None:
    models = json.loads(module.MODELS.read_text(encoding="utf-8"))
    assert module.MODELS.stat().st_size <= 1_100_000
    assert "no" in set.intersection(*(set(model["classes"]) for model in models.values()))


@pytest.mark.long
@pytest.mark.parametrize("game", ["ozymandia", "ozz", "rocknroll"])
def test_the_models_are_what_training_gives(game: str) -> None:
    """Scikit-learn's versions may differ in the last digit, and so in which of the least weights are kept."""
    pytest.importorskip("sklearn")
    from tools.train_hearing import GAMES, everyday, models

    made = models(game, everyday(game))
    written = json.loads(GAMES[game].module.MODELS.read_text(encoding="utf-8"))
    assert written.keys() == made.keys()
    for kind, ours in written.items():
        theirs = made[kind]["weights"]
        assert len(ours["weights"].keys() & theirs.keys()) >= 0.98 * len(ours["weights"])
        pairs = chain.from_iterable(
            zip(ours["weights"][name], theirs[name], strict=True) for name in ours["weights"].keys() & theirs.keys()
        )
        assert all(abs(one - other) <= 0.05 for one, other in pairs)


@each(
    ("text", "fate"),
    [
        ("The battery and HAR fall back to R1", "played"),
        ("ballon mit bürgermeister fliegt nach tic-tok", "played"),  # names are words, whatever their case
        ("The battery and HAR fall back to R1 with NA1", "stands"),  # what becomes of NA1?
        ("Maybe the battery and HAR fall back to R1", "asked about"),
    ],
)
def test_what_is_surely_heard_is_played_if_it_uses_each_name(text: str, fate: str) -> None:
    reading = read(Standpoint(OZZ, ARMIES, "munchkins"), text)
    stands = reading.proposal and all(one.turn == "unread" for one in reading.doubts)
    assert fate == ("played" if reading.orders else "stands" if stands else "asked about")
