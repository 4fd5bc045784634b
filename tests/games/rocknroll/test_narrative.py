"""A turn as a report tells it."""

import pytest

from pbem.games import find_game
from pbem.games.chance import GivenChance
from pbem.games.rocknroll.loading import placed
from pbem.i18n.languages import say_in
from pbem.orders import reader
from pbem.orders.reader import parse_all
from pbem.orders.situation import Standpoint

GAME = find_game("rocknroll")


def told(position: str, text: str, dice: list[int], reader_of: str | None = None, language: str = "en") -> str:
    """What a reader is told of the turn of VPA."""
    state = placed(position)
    orders = reader.parse(Standpoint(GAME, state, "vpa"), text)
    ruling = GAME.resolve(state, {"vpa": orders}, GivenChance(dice))
    before, events = GAME.view(state, reader_of), GAME.redact_events(ruling.events, reader_of)
    return "\n".join(f"{one.heading}. {one.text}" for one in GAME.story(before, events, say=say_in(language)))


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Napalm is used on A, needing 4+: 2."),
        ("de", "Napalm auf A (nötig 4+, Wurf 2)."),
        ("ru", "Напалм по Точке А (нужно 4+): 2."),
    ],
)
def test_everybody_is_told_what_a_super_weapon_was_fired_at_though_it_failed(language: str, expected: str) -> None:
    row = "order: vpa, vietnam; A vietnam: Bao; hand vpa: Napalm"
    assert expected in told(row, "Napalm: A", [2], "vietnam", language)


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Horny tries to lure Johnny, needing 4+: 1."),
        ("de", "Horny will Johnny anlocken (nötig 4+, Wurf 1)."),
        ("ru", "Хорни пытается заманить врага (Джонни, нужно 4+): 1."),
    ],
)
def test_a_throw_that_failed_does_not_read_like_a_success(language: str, expected: str) -> None:
    state = placed("order: vietnam, vpa; A vietnam: Horny; B vpa: Johnny")
    ruling = GAME.resolve(
        state, {"vietnam": reader.parse(Standpoint(GAME, state, "vietnam"), "Use Horny: Johnny")}, GivenChance([1])
    )
    told_all = GAME.story(GAME.view(state, None), ruling.events, say=say_in(language))
    assert expected in " ".join(one.text for one in told_all)


def test_german_calls_a_round_of_the_war_otherwise_than_a_turn_of_the_desk() -> None:
    state = placed("order: vpa, vietnam; round: 3")
    assert GAME.phase(GAME.view(state, None), say=say_in("de")) == "Durchgang 3; am Zug: VPA."


def told_of(
    position: str, script: str, dice: list[int], *, reader: str | None = "vietnam", language: str = "en"
) -> str:
    """What a reader is told of a turn of VPA."""
    state = placed(position)
    orders, standing = parse_all(Standpoint(GAME, state, "vpa"), script)
    chance = GivenChance(dice)
    ruling = GAME.resolve(state, {"vpa": GAME.joined(state, "vpa", orders, "; ".join(standing))}, chance)
    story = GAME.story(GAME.view(state, reader), GAME.redact_events(ruling.events, reader), say=say_in(language))
    return "\n".join(f"{one.heading} | {one.text}" for one in story)


def test_every_rd_is_told_with_its_cause() -> None:
    text = told_of(
        "set: expansion; A vpa: Zulu; A vietnam: Bao; hand vpa: Attack, Move; rd vpa: 1; next: vpa",
        "Pour attack: 1; Sell Move; Attack: Zulu > Bao",
        [2],
    )
    assert "Sale | VPA gives up Move. VPA +1 RD for it (now 2)." in text
    assert "Attack | VPA −1 RD, poured in (now 1). Zulu attacks Bao, needing 5+ (1 RD poured in): 2. Missed." in text
    assert "VPA +1 RD for the failed throw (now 2)." in text


def test_rd_that_a_throw_sells_cards_for_stand_with_that_throw() -> None:
    text = told_of(
        "set: expansion; A vpa: Zulu; A vietnam: Bao; hand vpa: Attack, Move; next: vpa",
        "Pour attack: 1 sell Move; Attack: Zulu > Bao",
        [4],
    )
    assert "Sale" not in text
    assert "VPA gives up Move. VPA +1 RD for it (now 1). VPA −1 RD, poured in (now 0). Zulu attacks Bao" in text
    assert "Vietnam +1 RD for the loss (now 1)." in text


def test_a_sale_before_a_throw_without_rd_is_told_as_a_sale_whatever_a_later_throw_uses() -> None:
    row = "set: expansion; A vietnam: Horny, Bao; B vpa: Johny; A vpa: Zulu; hand vietnam: Attack, March; next: vietnam"
    state = placed(f"{row}; rd vietnam: 1")
    script = "Sell March; Use Horny: Johny; Pour 1: Attack: Bao > Zulu"
    orders = reader.parse(Standpoint(GAME, state, "vietnam"), script)
    ruling = GAME.resolve(state, {"vietnam": orders}, GivenChance([1] * 4))
    story = GAME.story(GAME.view(state, "vietnam"), GAME.redact_events(ruling.events, "vietnam"))
    assert "Sale" in [one.heading for one in story]


def test_what_is_bought_is_told_as_a_purchase() -> None:
    position = "set: expansion; hand vpa: Doc; deck orders: Move; deck vpa: Zulu; rd vpa: 4; next: vpa"
    text = told_of(position, "Buy unit deck; Buy order", [])
    assert "Purchase | VPA −2 RD (now 2). VPA buys 1 unit. VPA −2 RD (now 0). VPA buys 1 order." in text
    assert "VPA buys Zulu." in told_of(position, "Buy unit deck; Buy order", [], reader="vpa")


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Doc tries to save Zulu, needing 4+: 1. No effect. Zulu is lost."),
        ("de", "Doc versucht Zulu zu retten (nötig 4+, Wurf 1). Vergebens."),
        ("ru", "Док пытается спасти своего (Зулу, нужно 4+): 1. Неудача."),
    ],
)
def test_it_is_said_of_a_throw_that_failed_that_it_did(language: str, expected: str) -> None:
    position = "A vpa: Doc, Zulu; B vietnam: Bao; A vietnam: Mai; hand vpa: Attack; next: vpa"
    text = told_of(position, "Rocknroll Zulu: Mai; Attack: Zulu > Mai", [1, 1, 1], language=language)
    assert expected in text


def test_who_is_left_out_of_an_order_stands_with_what_the_others_do_by_it() -> None:
    row = "order: vpa, vietnam; A vpa: Doc, Zulu; A vietnam: Bao; hand vpa: Attack two"
    story = told(row, "Attack two: Rook > Bao, Zulu > Bao", [2], "vpa").splitlines()
    assert story[0].startswith("Attack two. Rook is left out: ")
    assert "Zulu attacks Bao" in story[0]


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Order of play in round 2: VPA, Vietnam."),
        ("de", "Reihenfolge in Durchgang 2: VPA, Vietnam."),
        ("ru", "Порядок ходов в раунде 2: ВПА, Вьетнам."),
    ],
)
def test_a_report_says_that_it_is_the_order_of_play_which_it_names(language: str, expected: str) -> None:
    state = placed("order: vietnam, vpa; next: vpa; A vpa: Zulu")
    ruling = GAME.resolve(state, {"vpa": reader.parse(Standpoint(GAME, state, "vpa"), "Pass")}, GivenChance([1] * 9))
    told_all = GAME.story(GAME.view(state, None), ruling.events, say=say_in(language))
    assert expected in " ".join(one.text for one in told_all)


@pytest.mark.parametrize(
    ("language", "expected"),
    [("en", "Vietnam none of them."), ("de", "Vietnam keine."), ("ru", "Вьетнам ни одной.")],
)
def test_it_is_said_in_words_that_a_side_holds_no_point(language: str, expected: str) -> None:
    state = placed("order: vietnam, vpa; next: vpa; A vpa: Zulu")
    ruling = GAME.resolve(state, {"vpa": reader.parse(Standpoint(GAME, state, "vpa"), "Pass")}, GivenChance([1] * 9))
    told_all = GAME.story(GAME.view(state, None), ruling.events, say=say_in(language))
    assert expected in " ".join(one.text for one in told_all)
