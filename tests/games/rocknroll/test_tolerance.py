"""What people write: each line of `tolerance.txt` has the orders that it means, or says that it is asked back."""

from pathlib import Path

import pytest

from pbem.games import find_game
from pbem.games.rocknroll import loading
from pbem.games.rocknroll.state import State
from pbem.orders.reader import Reading, read
from pbem.orders.situation import Standpoint
from support.each import each

GAME = find_game("rocknroll")
_FILE = Path(__file__).with_name("tolerance.txt")
ASKED, NOTHING = "?", "-"


def state(name: str = "expansion") -> State:
    """A position in which VPA is on turn."""
    return loading.placed(
        f"set: {name}; next: vpa; A vpa: Zulu, Doc; A vietnam: Bao; hand vpa: Rook, Attack two, March"
    )


def examples() -> list[tuple[str, str]]:
    """What is written, and what it means."""
    lines = [line for line in _FILE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return [(text.replace("\\n", "\n"), meant) for text, _, meant in (line.rpartition(" = ") for line in lines)]


def meaning(reading: Reading) -> str:
    """What was read, as `tolerance.txt` has it."""
    if reading.mistakes or reading.doubts or reading.perhaps:
        return f"{ASKED} {reading.proposal}" if reading.proposal else ASKED
    return str(reading.orders) if reading.orders else "; ".join(reading.standing) or NOTHING


@each(("text", "meant"), examples())
def test_what_people_write_is_read_as_meant_or_asked_back(text: str, meant: str) -> None:
    found = meaning(read(Standpoint(GAME, state(), "vpa"), text))
    assert found == meant.replace("Johnny", "Johny")  # the veteran takes their place


@each(("text", "meant"), [one for one in examples() if one[1][0] not in (ASKED, NOTHING)][::6])
def test_what_people_write_means_the_same_in_capitals_and_with_other_ends_of_lines(text: str, meant: str) -> None:
    for other in (text.upper(), f"  {text}  ", f"- {text}", f"Привет!\r\n{text}\r\n\r\nУдачи!", f"{text};\n"):
        assert meaning(read(Standpoint(GAME, state(), "vpa"), other)) == meant.replace("Johnny", "Johny"), other


CASES = {
    "Джонни": "Johny", "Дока": "Doc", "Доку": "Doc", "Доком": "Doc", "Доке": "Doc", "Зулу": "Zulu", "Рука": "Rook",
    "Руку": "Rook", "Руком": "Rook", "Руке": "Rook", "Бумера": "Boomer", "Бумеру": "Boomer", "Бумером": "Boomer",
    "Бумере": "Boomer", "Чили": "Chili", "Рядового": "Private", "Рядовому": "Private", "Рядовым": "Private",
    "Рядовом": "Private", "Стрелка": "Gunner", "Стрелку": "Gunner", "Стрелком": "Gunner", "Стрелке": "Gunner",
    "Бао": "Bao", "Мая": "Mai", "Маю": "Mai", "Маем": "Mai", "Мае": "Mai", "Мина": "Min", "Мину": "Min",
    "Мином": "Min", "Мине": "Min", "Хорни": "Horny", "Вой Дая": "Voi Dai", "Вой Даю": "Voi Dai",
    "Воя Дая": "Voi Dai", "Вой Даем": "Voi Dai", "Вой Дае": "Voi Dai", "Разведчика": "Scout", "Разведчику": "Scout",
    "Разведчиком": "Scout", "Разведчике": "Scout", "Крестьянина": "Farmer", "Крестьянину": "Farmer",
    "Крестьянином": "Farmer", "Крестьянине": "Farmer", "Партизана": "Partisan", "Партизану": "Partisan",
    "Партизаном": "Partisan", "Партизане": "Partisan", "Хардмана": "Hardman", "Хардману": "Hardman",
    "Хардманом": "Hardman", "Хардмане": "Hardman", "Розового Соска": "Pink Nipple", "Розовому Соску": "Pink Nipple",
    "Розовым Соском": "Pink Nipple", "Розовом Соске": "Pink Nipple", "Фиджи": "Fiji", "Снайпера": "Sniper",
    "Снайперу": "Sniper", "Снайпером": "Sniper", "Снайпере": "Sniper", "Сапёра": "Sapper", "Саперу": "Sapper",
    "Сапёром": "Sapper", "Сапере": "Sapper", "Лётчика": "Pilot", "Летчику": "Pilot", "Лётчиком": "Pilot",
    "Летчике": "Pilot", "Сержанта": "Sergeant", "Сержанту": "Sergeant", "Сержантом": "Sergeant",
    "Сержанте": "Sergeant", "Матрёшки": "Matryoshka", "Матрешке": "Matryoshka", "Матрёшку": "Matryoshka",
    "Матрёшкой": "Matryoshka", "Матрёшкою": "Matryoshka", "Бамбука": "Bamboo", "Бамбуку": "Bamboo",
    "Бамбуком": "Bamboo", "Бамбуке": "Bamboo", "Охотника": "Hunter", "Охотнику": "Hunter", "Охотником": "Hunter",
    "Охотнике": "Hunter", "Кобры": "Cobra", "Кобре": "Cobra", "Кобру": "Cobra", "Коброй": "Cobra",
    "Копателя": "Digger", "Копателю": "Digger", "Копателем": "Digger", "Копателе": "Digger", "Связного": "Courier",
    "Связному": "Courier", "Связным": "Courier", "Связном": "Courier", "Лотоса": "Lotus", "Лотосу": "Lotus",
    "Лотосом": "Lotus", "Лотосе": "Lotus", "Атаки": "Attack", "Атаке": "Attack", "Атаку": "Attack",
    "Атакой": "Attack", "Двойной атаки": "Attack two", "Двойной атаке": "Attack two", "Двойную атаку": "Attack two",
    "Двойной атакой": "Attack two", "Всех пять": None, "Все пять": "All five", "Все 5": "All five",
    "Все шесть": "All six", "Все 6": "All six", "Манёвра": "Move", "Маневру": "Move", "Манёвром": "Move",
    "Манёвре": "Move", "Двойного манёвра": "Move two", "Двойному маневру": "Move two", "Двойным манёвром": "Move two",
    "Двойном манёвре": "Move two", "Марша": "March", "Маршу": "March", "Маршем": "March", "Марше": "March",
    "Напалма": "Napalm", "Напалму": "Napalm", "Напалмом": "Napalm", "Напалме": "Napalm",
    "Артиллерии": "Artillery", "Артиллерию": "Artillery", "Артиллерией": "Artillery",
}  # fmt: skip


@pytest.mark.parametrize("name", ["base", "expansion"])
def test_every_name_of_both_sets_is_read_in_every_russian_case(name: str) -> None:
    cards = state(name).cards
    known = {*cards.units, *cards.orders}
    for said, card in CASES.items():
        wanted = "Johnny" if card == "Johny" and name == "base" else card
        if wanted in known:
            standpoint = Standpoint(GAME, state("expansion"), "vpa")
            for text in (said, said.upper(), said.lower(), said.replace("ё", "е")):
                assert meaning(read(standpoint, f"Sell {text}")) == f"Sell {card}", text
    assert known - {"Johnny" if one == "Johny" and name == "base" else one for one in CASES.values()} == set()


@each(
    ("written", "meant"),
    [
        ("Дoк", "Doc"), ("Dос", "Doc"), ("Bао", "?"), ("Ваo", "?"), ("Бaо", "Bao"), ("Мin", "Min"), ("Mин", "Min"),
        ("Pук", "Rook"), ("Rооk", "Rook"), ("Kобра", "Cobra"), ("Соbra", "Cobra"), ("Aтака", "Attack"),
        ("Аttaсk", "Attack"), ("Mарш", "March"), ("Маrсh", "March"), ("Напaлм", "Napalm"), ("Nаpаlm", "Napalm"),
    ],
)  # fmt: skip
def test_letters_that_look_alike_are_read_in_the_alphabet_of_their_word(written: str, meant: str) -> None:
    found = meaning(read(Standpoint(GAME, state(), "vpa"), f"Sell {written}"))
    assert found.startswith("?") if meant == "?" else found == f"Sell {meant}"


def test_the_russian_preposition_is_never_a_point() -> None:
    for text in ("Манёвр: Зулу в В", "Манёвр Зулу В", "Развернуть Дока в В", "Марш: Зулу, Док в В", "Напалм: В"):
        found = read(Standpoint(GAME, state(), "vpa"), text)
        assert [str(one.sentence) for one in found.mistakes] == ['"В" is a preposition, not a Point. Б?']
        assert found.mistakes[0].text[found.mistakes[0].column] == "В"
        assert str(found.proposal).endswith("B")
    assert meaning(read(Standpoint(GAME, state(), "vpa"), "Манёвр: Зулу В Б")) == "Move: Zulu to B"
    assert meaning(read(Standpoint(GAME, state(), "vpa"), "Манёвр: Зулу B Б")) == "Move: Zulu to B"  # a Latin B


def test_two_names_without_a_sign_are_asked_back_with_the_own_unit_as_the_attacker() -> None:
    for text in ("Атаковать Бао Джонни", "Атаковать Джонни Бао", "Attack Bao - Johnny"):
        assert meaning(read(Standpoint(GAME, state(), "vpa"), text)) == "? Attack: Johny > Bao"


def test_every_mistake_is_told_at_its_place_and_a_proposal_mends_what_can_be_mended() -> None:
    found = read(Standpoint(GAME, state(), "vpa"), "Развернуть Джоннни А\nМанёвр: Зулу в В; Att: Doc > Bao")
    assert [(one.line, one.text[one.column : one.column + one.width]) for one in found.mistakes] == [
        (1, "Джоннни"),
        (2, "В"),
        (2, "Att"),
    ]
    assert found.proposal == "Deploy Johny A; Move: Zulu to B; Attack: Doc > Bao"
    assert read(Standpoint(GAME, state(), "vpa"), found.proposal).mistakes == ()


def test_nothing_is_proposed_where_it_cannot_be_said_what_a_line_means() -> None:
    for text in ("Deploy Johnny A; Attack: Zulu", "Deploy Johnny A; March all to B", "Pass; Napalm: Q"):
        found = read(Standpoint(GAME, state(), "vpa"), text)
        assert found.mistakes
        assert found.proposal is None
