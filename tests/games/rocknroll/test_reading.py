"""Letters: what is read in both languages, what is refused, and that canonical form is read back."""

from functools import cache
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Lark, UnexpectedInput

from pbem.games.base import Chair, Interpretation
from pbem.games.rocknroll import Rocknroll, phrases
from pbem.games.rocknroll.canonical import read_canonical
from pbem.games.rocknroll.cardfile import find_set
from pbem.games.rocknroll.interpret import interpret
from pbem.games.rocknroll.items import SHAPES, ItemPart
from pbem.games.rocknroll.orders import Orders
from pbem.games.rocknroll.phrases import read_line
from pbem.games.rocknroll.state import Decks, Hand, State
from pbem.orders import reader
from pbem.orders.grammar import Grammar, open_grammar
from pbem.resources import resource
from support.rocknroll_orders import Writer

SIDES = ("vpa", "vietnam")
PIECES = ["Attack", "Джонни", "Рок-н-ролл", " ", " ", "\n", "; ", ". ", ".", ", ", ": ", " - ", " > ", " -> ", ">=",
          "2", "2. ", "!", "?", "&", ":-)", ")", "☺", "* ", "- ", '"', "_", "…", "B", "в"]  # fmt: skip


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


@cache
def grammar() -> Grammar:
    game: Any = SimpleNamespace(grammar=resource("pbem/games/rocknroll/orders.lark"), shapes=SHAPES)
    return Grammar(game)


def read(text: str, name: str = "expansion", seat: str = "vpa") -> Interpretation[Orders]:
    items = grammar().parse(text)
    assert items is not None, text
    return interpret(state(name), seat, items)


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


@pytest.mark.parametrize(("english", "russian", "canonical"), LINES)
def test_each_line_is_read_in_both_languages(english: str, russian: str, canonical: str) -> None:
    for text in (english, russian, russian.replace("ё", "е"), english.upper(), f"- {english};", f"\n{russian}\n"):
        meant = read(text, "base")
        assert not meant.mistakes, meant.mistakes
        assert (str(meant.orders) if meant.orders else "; ".join(meant.standing)) == canonical


@pytest.mark.parametrize(("english", "russian", "canonical"), EXPANSION)
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
    "Attack: Johnny > Bao, Zulu > Mai": 'At most 1 can act by "Attack", and here are 2.',
    "Attack two: Johnny > Bao, Johnny > Mai": "Johnny stands here twice; each unit acts once.",
    "March: Doc, Doc to B": "Doc stands here twice; each unit acts once.",
    "Att: Johnny > Bao": '"Att" may be Attack or Attack two: write more of the name.',
    "Bao: Johnny > Bao": '"Bao" is a unit, and an order is needed here.',
    "Attack: Move > Bao": '"Move" is an order, and a unit is needed here.',
    "Trade Doc for Zulu": '"Doc" is a unit, and an order is needed here.',
    "Reroll Doc: many": "A number 0-9 is needed here, such as `Reroll attack: 1 with orders`.",
    "Reroll: 1": "`Reroll` is for what? There are: attack, feature, a unit.",
    "Reroll Doc: to 1": "This is not how `Reroll` is written: `Reroll attack: 1 each with orders`.",
    "Income Doc: deck": "Nothing stands behind `Income` but its value: `Income: ...`.",
    "Income: 3": "`Income` takes no number.",
    "React Johnny: perhaps": "`React` is one of yes, no, attack, move, default.",
    "Goto Mai: E": 'There is no Point "E". The Points are A, B, C, D.',
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_cannot_be_is_refused_with_what_would_be_right(text: str) -> None:
    assert told(text, "base") == [REFUSED[text]]


def test_all_mistakes_are_told_in_the_order_of_the_text() -> None:
    found = read("Deploy Jonny A\nPass\nMove: Doc; Attack: Johnny").mistakes
    assert [mistake.start for mistake in found] == sorted(mistake.start for mistake in found)
    assert len(found) == 3


def test_commands_of_a_seat_that_is_not_on_turn_are_refused_once_and_standing_orders_are_read() -> None:
    assert told("Pass; Deploy Bao A", seat="vietnam") == ["It is the turn of VPA; standing orders can be sent."]
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


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=15).map("".join))
def test_our_lexer_finds_the_words_that_larks_own_finds(text: str) -> None:
    try:
        lines: Any = all_of_lark().parse(text, start="orders")
    except UnexpectedInput:
        lines = None
    assert placed(grammar().parse(text)) == placed(lines)


@cache
def all_of_lark() -> Lark:
    """Lark with its own lexer and loop."""
    return open_grammar(Rocknroll.grammar, ("orders", "beginning"), SimpleNamespace(**SHAPES))


def placed(lines: Any) -> Any:
    """The words and signs of each line, with their kinds and places."""
    return lines and [[(token.type, token.value, token.start_pos) for token in line.tokens] for line in lines]


def test_each_line_among_words_is_read_once_however_often_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[Any] = []

    class Reader(phrases._LineReader):
        def __init__(self, cards: Any, line: Any) -> None:
            lines.append(line)
            super().__init__(cards, line)

    monkeypatch.setattr(phrases, "_LineReader", Reader)
    scripts = "\n".join(f"Deploy {unit} A" for unit in state().cards.units_of("vpa"))
    text = f"Hi Anna,\n{scripts}\nGood luck, Doc was great\n"
    assert str(reader.read(Rocknroll(), state(), "vpa", text).orders) == scripts.replace("\n", "; ")  # type: ignore[abstract]
    assert len(lines) == len(set(lines)) > 0


def _without_places(item: Any) -> Any:
    """Items as the fast reading has them."""
    if hasattr(item, "start_pos"):
        return ItemPart(str(item.value))
    if isinstance(item, tuple):
        found = [_without_places(one) for one in item]
        return type(item)(*found) if hasattr(item, "_fields") else tuple(found)
    return item


def _read_in_lines(position: State, lines: Any) -> tuple[Any, ...]:
    """The items that the lines of a text hold."""
    return tuple(_without_places(item) for line in lines for item in read_line(position.cards, line))


@given(st.integers(0, 2**32), st.sampled_from(["base", "expansion"]))
def test_canonical_orders_are_read_without_the_grammar_as_with_it_and_read_back(seed: int, name: str) -> None:
    position = state(name)
    orders = Writer(Random(seed), position, "vpa", wild=0.5).orders()
    text = str(orders)
    fast, slow = read_canonical(text), grammar().parse(text)
    assert fast is not None
    assert fast == _read_in_lines(position, slow)
    assert interpret(position, "vpa", fast).orders == orders
    assert interpret(position, "vpa", slow).orders == orders


@given(st.text(alphabet="Doc Bao to>:;,ABe with If not in hit Reroll Pass sell 12", max_size=40))
def test_what_is_read_fast_is_what_the_grammar_reads(text: str) -> None:
    fast = read_canonical(text)
    if fast is not None:
        assert fast == _read_in_lines(state(), grammar().parse(text))
