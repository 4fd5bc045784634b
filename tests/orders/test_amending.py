"""Proposed orders with the change that an answer asks for."""

from pbem.orders.amending import amended
from support.each import each
from tools.understanding import standpoint


@each(
    ("text", "expected"),
    [
        ("but bomb Ulteria", ("2 A to AC; Bomb U",)),
        ("only Elfin City should be Ulteria", ("2 A to AC; Bomb U",)),
        ("without the bomb", ("2 A to AC",)),
        ("ohne die Bombe", ("2 A to AC",)),
        ("но без бомбы", ("2 A to AC",)),
        ("make it three", ("3 A to AC; Bomb EC",)),
        ("3, not 2", ("3 A to AC; Bomb EC",)),
        ("but nine of them", ()),
        ("but to Halcyonna", ("2 A to AC; Bomb H",)),  # nobody of his gets there
        ("what a lovely day", ()),
    ],
)
def test_a_change_that_an_answer_names(text: str, expected: tuple[str, ...]) -> None:
    assert amended(standpoint("ozymandia"), "2 A to AC; Bomb EC", text) == expected


@each("text", ["yes, with the bomb", "ja, so war das gedacht mit der Bombe", "точно, двое в AC и бомба"])
def test_a_part_that_is_only_repeated_is_not_left_out(text: str) -> None:
    assert amended(standpoint("ozymandia"), "2 A to AC; Bomb EC", text, takes_back=False) == ()


def test_orders_that_are_added_join_the_proposed_ones() -> None:
    assert amended(standpoint("ozymandia"), "2 A to AC", "and one to M", ["1 A to M"]) == ("2 A to AC, 1 A to M",)


def test_nothing_is_changed_in_orders_that_are_no_longer_legal() -> None:
    assert amended(standpoint("ozymandia"), "9 A to AC", "only two") == ()


def test_a_deployment_goes_elsewhere() -> None:
    ways = amended(standpoint("rocknroll"), "Deploy Rook D", "yes, but to Alpha, please")
    assert ways == ("Deploy Rook A",)


def test_a_change_of_an_ozz_road_or_a_leader_left_at_home() -> None:
    at = standpoint("ozz")
    assert "Move ZOR GUA TIC: M1-M3" in amended(at, "Move ZOR GUA TIC: M1-M2", "right, but to M3 instead of M2")
