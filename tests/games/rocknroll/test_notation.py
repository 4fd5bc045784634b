"""Orders as their reader writes them: Russians and Germans see their own notation, and it reads back to the same."""

import pytest

from pbem.games import find_game
from pbem.games.chance import SecretChance, any_chance
from pbem.games.rocknroll.wording import written
from pbem.i18n.languages import say_in
from pbem.orders.lines import read_text, read_whole
from pbem.orders.reader import IllegalOrders, parse_turn
from pbem.orders.situation import Situation, Standpoint
from support.each import each
from support.rocknroll_orders import every_line

GAME = find_game("rocknroll")
RUSSIAN = say_in("ru")
LINES = {
    "Deploy Johnny A": "Развернуть Джонни А",
    "Trade Attack for Johnny": "Обменять Атака на Джонни",
    "Trade Attack for deck": "Обменять Атака на колоду",
    "Trade Doc for order": "Обменять Док на приказ",
    "Attack two: Johnny > Bao, Zulu > Mai": "Двойная атака: Джонни > Бао, Зулу > Май",
    "Move: Zulu to B": "Манёвр: Зулу в Б",
    "March: Zulu, Doc to B": "Марш: Зулу, Док в Б",
    "Napalm: B": "Напалм: Б",
    "Use Horny: Johnny": "Фишка Хорни: Джонни",
    "Act Doc, Move: Zulu > Bao": "Акт Док, Манёвр: Зулу > Бао",
    "Sell Move": "Продать Манёвр",
    "Buy unit Doc": "Купить юнит Док",
    "Buy unit deck": "Купить юнит колода",
    "Buy order": "Купить приказ",
    "Capture Bao with Move": "Пленить Бао за Манёвр",
    "If Bao not in A: Pass": "Если Бао не в А: Пас",
    "If enemy B >= 2: Napalm: B": "Если враги Б >= 2: Напалм: Б",
    "If mine E <= 1: Pass": "Если свои Э <= 1: Пас",
    "If RD >= 2: Buy order": "Если RD >= 2: Купить приказ",
    "If hit: If Bao in A: Pass": "Если попал: Если Бао в А: Пас",
    "If missed: Pass": "Если промах: Пас",
    "Reroll Doc: 2 with Move, orders": "Переброс Док: 2 за Манёвр, приказы",
    "Reroll attack: 1 each": "Переброс атака: 1 каждый",
    "Rocknroll all: always": "Рокнролл все: всегда",
    "Pour attack: to 4 sell orders": "Влить атака: до 4 продать приказы",
    "Income: Doc, deck": "Приход: Док, колода",
    "React Johny: move": "Ответ Джони: манёвр",
    "First: Doc, Johny": "Первым: Док, Джони",
    "Goto Mai: B, C": "Куда Май: Б, С",
    "Captives: recruit": "Пленные: вербовать",
    "Reroll attack: default": "Переброс атака: как обычно",
    "Johnny > Bao": "Джонни > Бао",
}

GERMAN = {
    "Deploy Johnny A": "Aufstellen: Johnny A",
    "Trade Attack for Johnny": "Tausche Angriff gegen Johnny",
    "Trade Attack for deck": "Tausche Angriff gegen Stapel",
    "Trade Doc for order": "Tausche Doc gegen Befehl",
    "Attack two: Johnny > Bao, Zulu > Mai": "Doppelangriff: Johnny > Bao, Zulu > Mai",
    "All five: Zulu > Bao": "Alle Fünf: Zulu > Bao",
    "March: Zulu, Doc to B": "Marsch: Zulu, Doc nach B",
    "Use Horny: Johnny": "Nutze Horny: Johnny",
    "Act Doc, Move: Zulu > Bao": "Aktion Doc, Bewegung: Zulu > Bao",
    "Sell Move": "Verkaufe Bewegung",
    "Buy unit deck": "Kaufe Einheit Stapel",
    "Buy order": "Kaufe Befehl",
    "Capture Bao with Move": "Fange Bao mit Bewegung",
    "If Bao not in A: Pass": "Wenn Bao nicht in A: Passe",
    "If enemy B >= 2: Napalm: B": "Wenn Feinde B >= 2: Napalm: B",
    "If mine E <= 1: Pass": "Wenn eigene E <= 1: Passe",
    "If hit: If missed: Pass": "Wenn Treffer: Wenn daneben: Passe",
    "Reroll Doc: 2 with Move, orders": "Neuwurf Doc: 2 mit Bewegung, Befehlen",
    "Reroll feature: 1 each": "Neuwurf Fähigkeit: 1 je",
    "Rocknroll all: always": "Rocknroll alle: immer",
    "Pour attack: to 4 sell orders": "Zugabe Angriff: bis 4 verkaufe Befehle",
    "Income: Doc, deck": "Einkommen: Doc, Stapel",
    "React Johny: move": "Antwort Johny: Bewegung",
    "React Johny: no": "Antwort Johny: nein",
    "First: Doc, Johny": "Zuerst: Doc, Johny",
    "Block Bao: Zulu": "Blocke Bao: Zulu",
    "Goto Mai: B, C": "Ziel Mai: B, C",
    "Lose: deck": "Verlust: Stapel",
    "Captives: recruit": "Gefangene: anwerben",
    "Reroll attack: default": "Neuwurf Angriff: üblich",
}


def a_war(cards="expansion"):
    return GAME.new({"set": cards}, any_chance())


@each("line", LINES)
def test_russians_see_the_russian_notation(line):
    state = a_war("base" if "Johnny" in line else "expansion")
    assert written(state.cards, line, RUSSIAN) == LINES[line]


@each("line", GERMAN)
def test_germans_see_the_german_notation_and_it_reads_back(line):
    state = a_war("base" if "Johnny" in line else "expansion")
    german = written(state.cards, line, say_in("de"))
    found = read_text(Standpoint(GAME, state, state.on_turn), german)
    assert (german, str(found.orders or "; ".join(found.standing))) == (GERMAN[line], line)


def test_what_is_no_order_stays_as_it_is():
    cards = a_war().cards
    for text in ("draw", "", "Deploy", "some words; Pass"):
        assert written(cards, text, RUSSIAN) == text


@pytest.mark.parametrize("cards", ["base", "expansion"])
def test_it_reads_back_to_the_same_orders(cards):
    state, turns = a_war(cards), 0
    while GAME.result(state) is None and turns < 30:
        seat = state.on_turn
        orders = GAME.choose(GAME.view(state, seat), seat)
        for language in ("de", "ru"):
            own = GAME.translate_orders(state, str(orders), say=say_in(language))
            assert parse_turn(Situation(GAME, state), {seat: own}) == {seat: orders}
        state, turns = GAME.resolve(state, {seat: orders}, SecretChance(bytes([turns] * 32))).state, turns + 1


@each("cards", ["base", "base-2", "expansion"])
def test_every_line_of_a_set_reads_back_in_every_language(cards):
    state = a_war(cards)
    standpoint, wrong = Situation(GAME, state).standpoint(state.on_turn), {}
    for line in map(str, every_line(state.cards)):
        for language in ("en", "de", "ru"):
            own = written(state.cards, line, say_in(language))
            found = read_whole(standpoint, own)
            if found is None or str(found.orders or "; ".join(found.standing)) != line:
                wrong[own] = line
    assert wrong == {}


@each(
    ("text", "sentence"),
    [
        ("Атака: Джонни", '"Атака" needs a target: `Атака: Zulu > Bao`, for example.'),
        ("Attack: Johnny", '"Attack" needs a target: `Attack: Zulu > Bao`, for example.'),
        ("Двойной манёвр: Док", "`Двойной манёвр` goes to a Point: `Двойной манёвр: Док to А`, for example."),
        ("Манёвр: Док в Ж", 'There is no Point "Ж". The Points are А, Б, С, Д.'),
        ("Атака: Джонни > Бао, Зулу > Май", 'At most 1 can act by "Атака"; you named 2.'),
        ("Переброс атака: много", "A number 0-9 is needed here, such as `Переброс attack: 1 за orders`."),
        ("Развернуть Годзилла А", 'There is no card "Годзилла".'),
        ("Rocket: B", 'There is no card "Rocket".'),
        ("Приход: побольше", 'There is no card "побольше".'),
        ("Марш: все в Б", "Which units? Write their names: `March: Zulu, Doc to B`."),
    ],
)
def test_a_mistake_names_cards_in_the_alphabet_of_the_letter(text, sentence):
    state = a_war("base")
    with pytest.raises(IllegalOrders) as told:
        parse_turn(Situation(GAME, state), {state.on_turn: text})
    assert sentence in str(told.value)
