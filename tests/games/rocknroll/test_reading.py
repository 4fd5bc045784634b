"""Letters: what is read in both languages, what is refused, and that canonical form is read back."""

import re
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pbem.games import find_game
from pbem.games.base import Chair, Interpretation
from pbem.games.rocknroll.cardfile import find_set
from pbem.games.rocknroll.interpret import interpret
from pbem.games.rocknroll.names import SHAPES
from pbem.games.rocknroll.orders import Orders
from pbem.games.rocknroll.state import Decks, Hand, State
from pbem.orders.situation import Situation
from support.each import each
from support.rocknroll_orders import RandomOrders

GAME: Any = find_game("rocknroll")
SIDES = ("vpa", "vietnam")


def state(name: str = "expansion") -> State:
    """A position in which VPA is on turn."""
    cards = find_set(name)
    none: dict[str, tuple[str, ...]] = {"vpa": (), "vietnam": ()}
    points = {point: dict(none) for point in cards.row}
    points["A"] = {"vpa": ("Zulu", "Doc"), "vietnam": ("Bao",)}
    zero = {"vpa": 0, "vietnam": 0}
    return State(
        cards=cards,
        round=1,
        seats=(Chair("vpa", "vpa"), Chair("vietnam", "vietnam")),
        order=SIDES,
        next=0,
        row=cards.row,
        points=points,
        hands={"vpa": Hand(("Rook",), ("Attack two", "March")), "vietnam": Hand()},
        decks=Decks(none, ()),
        reserve=none,
        discard=(),
        graveyard=none,
        captives=none,
        box=(),
        losses=zero,
        ok=zero,
        rd=zero,
        echo=None,
        standing={"vpa": {}, "vietnam": {}},
        limit=None,
        winner=None,
    )


def read(text: str, name: str = "expansion", seat: str = "vpa") -> Interpretation[Orders]:
    position = state(name)
    items = Situation(GAME, position).grammar.parse(text)
    assert items is not None, text
    return interpret(position, seat, items)


def told(text: str, name: str = "expansion", seat: str = "vpa") -> list[str]:
    """What is wrong with a letter."""
    return [str(mistake.sentence) for mistake in read(text, name, seat).mistakes]


LINES = [
    ("Deploy Johnny A", "Развернуть Джонни в А", "Deploy Johnny A"),
    ("Trade Attack for Johnny", "Обменять Атака на Джонни", "Trade Attack for Johnny"),
    ("Trade Attack for deck", "Обменять Атака на колода", "Trade Attack for deck"),
    ("Trade Doc for order", "Обменять Док на приказ", "Trade Doc for order"),
    (
        "Attack two: Johnny > Bao, Zulu > Mai",
        "Двойная атака: Джонни > Бао, Зулу > Май",
        "Attack two: Johnny > Bao, Zulu > Mai",
    ),
    ("All five: Johnny > Bao", "Все пять: Джонни > Бао", "All five: Johnny > Bao"),
    ("Move: Zulu to B", "Манёвр: Зулу в Б", "Move: Zulu to B"),
    ("March: Zulu, Doc to B", "Марш: Зулу, Док в Б", "March: Zulu, Doc to B"),
    ("March: Zulu to B, Doc to B", "Марш: Зулу в Б, Док в Браво", "March: Zulu, Doc to B"),
    ("Napalm: B", "Напалм: Б", "Napalm: B"),
    ("Napalm: Bravo", "Напалм: Браво", "Napalm: B"),
    ("Use Horny: Johnny", "Фишка Хорни: Джонни", "Use Horny: Johnny"),
    ("Pass", "Пас", "Pass"),
    ("If Bao not in A: Pass", "Если Бао не в А: Пас", "If Bao not in A: Pass"),
    ("If Bao in A: Pass", "Если Бао в А: Пас", "If Bao in A: Pass"),
    ("If enemy B >= 2: Pass", "Если враги Б >= 2: Пас", "If enemy B >= 2: Pass"),
    ("If mine B ≤ 2: Pass", "Если свои Б <= 2: Пас", "If mine B <= 2: Pass"),
    ("If RD >= 2: Pass", "Если RD >= 2: Пас", "If RD >= 2: Pass"),
    ("If hit: If missed: Pass", "Если попал: Если промах: Пас", "If hit: If missed: Pass"),
    ("Reroll Doc: 2 with Move, orders", "Переброс Док: 2 за Манёвр, приказы", "Reroll Doc: 2 with Move, orders"),
    ("Reroll attack: 1 each", "Переброс атака: 1 каждый", "Reroll attack: 1 each"),
    ("Rocknroll Zulu: Bao", "Рокнролл Зулу: Бао", "Rocknroll Zulu: Bao"),
    ("Rocknroll all: always", "Рокнролл все: всегда", "Rocknroll all: always"),
    ("Income: Doc, deck", "Приход: Док, колода", "Income: Doc, deck"),
    ("React Johnny: no", "Ответ Джонни: нет", "React Johnny: no"),
    ("First: Doc, Bao", "Первым: Док, Бао", "First: Doc, Bao"),
    ("Block Bao: Zulu", "Заслон Бао: Зулу", "Block Bao: Zulu"),
    ("Goto Mai: B", "Куда Май: Б", "Goto Mai: B"),
    ("Income: default", "Приход: как обычно", "Income: default"),
]
EXPANSION = [
    ("Act Doc, Move: Zulu > Bao", "Акт Док, Манёвр: Зулу > Бао", "Act Doc, Move: Zulu > Bao"),
    ("Act Doc, Move: Zulu to B", "Акт Док, Манёвр: Зулу в Б", "Act Doc, Move: Zulu to B"),
    ("Sell Move", "Продать Манёвр", "Sell Move"),
    ("Buy unit Doc", "Купить юнит Док", "Buy unit Doc"),
    ("Buy unit deck", "Купить юнит колода", "Buy unit deck"),
    ("Buy order", "Купить приказ", "Buy order"),
    ("Capture Bao with Move", "Пленить Бао за Манёвр", "Capture Bao with Move"),
    ("Pour attack: to 4 sell orders", "Влить атака: до 4 продать приказы", "Pour attack: to 4 sell orders"),
    ("Lose: deck", "Потерять: колода", "Lose: deck"),
    ("Captives: recruit", "Пленные: вербовать", "Captives: recruit"),
]


@each(("english", "russian", "canonical"), LINES)
def test_each_line_is_read_in_both_languages(english: str, russian: str, canonical: str) -> None:
    for text in (english, russian, russian.replace("ё", "е"), english.upper(), f"- {english};", f"\n{russian}\n"):
        meant = read(text, "base")
        assert not meant.mistakes, meant.mistakes
        assert (str(meant.orders) if meant.orders else "; ".join(meant.standing)) == canonical


@each(("english", "russian", "canonical"), EXPANSION)
def test_lines_of_expansion_are_read_where_the_set_has_them(english: str, russian: str, canonical: str) -> None:
    for text in (english, russian):
        meant = read(text)
        assert not meant.mistakes, meant.mistakes
        assert (str(meant.orders) if meant.orders else "; ".join(meant.standing)) == canonical
        assert told(text, "base") == ["This belongs to EXPANSION; this war is played without it."]


REFUSED = {
    "Attack: Johnny": '"Attack" needs a target: `Attack: Zulu > Bao`, for example.',
    "Attack: Johnny to B": '"Attack" needs a target: `Attack: Zulu > Bao`, for example.',
    "Attack: B": '"Attack" needs a target: `Attack: Zulu > Bao`, for example.',
    "Move two: Doc": "`Move two` goes to a Point: `Move two: Doc to A`, for example.",
    "March: Doc to B, Zulu": "`March` goes to a Point: `March: Zulu to A`, for example.",
    "March: Doc to B, Zulu to C": "March goes to one Point.",
    "Napalm: Doc > Bao": "Napalm is for a Point: `Napalm: A`.",
    "Napalm: E": 'There is no Point "E". The Points are A, B, C, D.',
    "Deploy Jonny A": 'There is no card "Jonny". Johnny?',
    "Развернуть Джоннни А": 'There is no card "Джоннни". Джонни?',
    "Deploy Xyzzyq A": 'There is no card "Xyzzyq".',
    "Deploy Johnny": "Where to? `Deploy Johnny A`, for example.",
    "Attack: Johnny > Bao, Zulu > Mai": 'At most 1 can act by "Attack"; you named 2.',
    "Attack two: Johnny > Bao, Johnny > Mai": "Johnny is named twice; each unit acts once.",
    "March: Doc, Doc to B": "Doc is named twice; each unit acts once.",
    "Att: Johnny > Bao": '"Att" may be Attack or Attack two: write more of the name.',
    "Bao: Johnny > Bao": '"Bao" is a unit, but an order is needed here.',
    "Attack: Move > Bao": '"Move" is an order, but a unit is needed here.',
    "Trade Doc for Zulu": '"Doc" is a unit, but an order is needed here.',
    "Reroll Doc: many": "A number 0-9 is needed here, such as `Reroll attack: 1 with orders`.",
    "Reroll: 1": "What is `Reroll` for? Choose from: attack, feature, a unit.",
    "Reroll Doc: to 1": "`Reroll` is written like this: `Reroll attack: 1 each with orders`.",
    "Income Doc: deck": "Only its value comes after `Income`: `Income: ...`.",
    "Income: 3": "`Income` takes no number.",
    "React Johnny: perhaps": "`React` is one of yes, no, attack, move, default.",
    "Goto Mai: E": 'There is no Point "E". The Points are A, B, C, D.',
}


@each("text", REFUSED)
def test_what_cannot_be_is_refused_with_what_would_be_right(text: str) -> None:
    assert told(text, "base") == [REFUSED[text]]


def test_all_mistakes_are_told_in_the_order_of_the_text() -> None:
    found = read("Deploy Jonny A\nPass\nMove: Doc; Attack: Johnny").mistakes
    assert [mistake.start for mistake in found] == sorted(mistake.start for mistake in found)
    assert len(found) == 3


def test_commands_of_a_seat_that_is_not_on_turn_are_refused_once_and_standing_orders_are_read() -> None:
    assert told("Pass; Deploy Bao A", seat="vietnam") == ["It is VPA's turn; you can send standing orders."]
    assert read("Reroll attack: 1", seat="vietnam").standing == ("Reroll attack: 1",)


def test_a_letter_of_standing_orders_alone_is_no_turn_and_the_last_for_one_key_holds() -> None:
    meant = read("Reroll Doc: 1; Income: Doc; Переброс Док: 2")
    assert meant.orders is None
    assert meant.standing == ("Income: Doc", "Reroll Doc: 2")


def test_a_beginning_of_three_letters_that_fits_one_card_names_it() -> None:
    assert str(read("Deploy Joh A").orders) == "Deploy Johny A"
    assert str(read("Mar: Zul, Ser to B").orders) == "March: Zulu, Sergeant to B"


def test_the_veteran_is_called_like_the_base_unit_too() -> None:
    assert str(read("Deploy Johnny A").orders) == "Deploy Johny A"
    assert str(read("Deploy Johny A", "base").orders) == "Deploy Johnny A"


@given(st.integers(0, 2**32), st.sampled_from(["base", "expansion"]))
def test_canonical_orders_are_read_by_the_same_grammar_and_read_back(seed: int, name: str) -> None:
    orders = RandomOrders(Random(seed), state(name), "vpa", wild=0.5).orders()
    assert read(str(orders), name).orders == orders


def test_any_number_of_conditions_is_told_to_be_too_many() -> None:
    for number in (21, 8000):
        assert told("If hit: " * number + "Pass") == ["We read at most 20 conditions."]
    assert told("If hit: " * 20 + "Pass") == []


def examples() -> list[tuple[str, str]]:
    """What stands as an example in the grammar, and what it means."""
    comments = [line.partition("//")[2].strip() for line in GAME.grammar.read_text("utf-8").splitlines()]
    split = [line.rpartition(" = ") for line in comments if " = " in line]
    return [(text, meant) for text, _, meant in split]


@each(("text", "meant"), examples())
def test_each_example_in_the_grammar_is_read_as_it_says(text: str, meant: str) -> None:
    found = read(text, "base" if "Johnny" in meant else "expansion")
    assert not found.mistakes
    assert "; ".join(filter(None, ("; ".join(found.standing), str(found.orders or "")))) == meant


def test_each_rule_of_the_grammar_that_makes_an_item_has_an_example() -> None:
    rules = re.split(r"\n(?=\??[a-z]+:)", GAME.grammar.read_text("utf-8"))
    made = {rule.partition(":")[0]: rule for rule in rules if rule.partition(":")[0] in SHAPES}
    assert len(made) > 25
    assert [name for name, rule in made.items() if " = " not in rule and name not in ("fate", "known", "names")] == []
