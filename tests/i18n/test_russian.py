"""Letters in Russian: a game that Red plays in Russian from the first letter to the last, and Blue in English."""

import re
from datetime import UTC, date, datetime, time, timedelta
from email.message import Message
from zoneinfo import ZoneInfo

import pytest
from babel.messages.pofile import read_po

from pbem.cli.demo import DemoDesk, letter_text
from pbem.games import find_game
from pbem.games.ozymandia.board import find_board
from pbem.games.ozymandia.state import parse_state
from pbem.i18n.languages import say_in
from pbem.i18n.words import parse_language, zone_name
from pbem.orders import reader
from pbem.orders.commands import COMMANDS, find_command
from pbem.orders.headings import is_heading
from pbem.orders.reader import read_words
from pbem.orders.situation import Standpoint
from pbem.orders.supposing import may_suppose
from pbem.render.letters import and_list
from pbem.resources import resource
from pbem.times.dates import parse_dates, parse_pace, parse_when, parse_zone
from pbem.times.deadlines import EVERY_DAY, Pace
from pbem.times.moments import day_in_words, deadline_in_words, format_duration, parse_duration
from support.correspondents import ALICE, BOB, CAROL, Correspondents, come, flat
from support.each import each
from support.game_masters import decide
from support.ozymandia_mistakes import EXAMPLES

RUSSIAN = say_in("ru")
NOW = datetime(2026, 11, 26, 15, 0, tzinfo=UTC)
ENGLISH = re.compile(r"(?<![\w@.-])[a-z]{2,}(?![\w@.-])")  # a word in small Latin letters is of ours, and no name
OUR_NAMES = re.compile(
    r"\b(?:pbem|ozymandia|rocknroll|ozz)\b|"
    r"`[^`]*`|\"[^\"]*\"|«[^»]*»|\S+@\S+|\d+\s[A-Z]C?\sto\s[A-Z]C?|^ {2}.*$|\[Game .*",
    re.M,
)

PLAYER_WRITES = (
    *(
        "статус\nпомощь",
        "помощь правила",
        "помощь приказы",
        "помощь команды",
        "3 A в Q, 2 W в M",
        "да",
        "2 A в AC\nУдачи!",
    ),
    *("проверка: 2 M в W", "отозвать", "отозвать", "ждать", "не ждать", "не ждать", "ничья", "отменить ничью", "пауза"),
    *("отменить паузу", "продолжить", "пресса: Привет\nконец прессы", "пресса:\nконец прессы", "тихо", "громко"),
    *("пресса: 3 A в M\nконец прессы", "история", "запись", "повтор 1", "повтор хода 7", "принимаю", "отказ навсегда"),
    *(
        "реванш",
        "отпуск с 20 декабря по 3 января",
        "отпуск с 1.1. по 1.3.",
        "отпуск вчера по завтра",
        "отпуск отменить",
    ),
    *("часовой пояс Вена", "пояс IST", "пояс Атлантида", "пояс UTC+1", "мои данные", "наблюдать за oz-1"),
    *("наблюдать за oz-9", "не наблюдать за oz-1", "участвую", "участвую", "выхожу", "выхожу", "участвую в лиге Berg"),
    *("вызываю", "вызываю alice@example.net", "вызываю Bob в лиге Berg", "адрес neu@example.org", "забудьте меня"),
    *("язык клингонский", "запись oz-9", "Как дела?", "адрес alice@example.net", "передать место bob@example.com", " "),
    *("адрес новый@example.org", "сдаюсь"),
)


@pytest.fixture
def people(table: DemoDesk) -> Correspondents:
    """Alice is Red and reads Russian; Bob is Blue, and has not said what he reads."""
    people = Correspondents(table)
    assert "Язык наших писем теперь — русский." in people.say(ALICE, "язык русский")
    return people


def english_in(letter: Message) -> list[str]:
    """The English words that a letter says by itself."""
    return [*map(str, ENGLISH.findall(OUR_NAMES.sub("", letter_text(letter))))]


# Whole letters


def test_no_letter_to_a_russian_reader_holds_english_and_none_to_others_russian(people):
    people.write(ALICE, "2 A в AC")
    people.write(BOB, "2 H to S; Bomb W")
    for text in PLAYER_WRITES:
        people.table.now += timedelta(minutes=2)
        people.write(ALICE, text)
    for letter in people.got[ALICE][1:]:
        assert not english_in(letter), letter_text(letter)
        assert max(map(len, letter_text(letter).splitlines())) <= 72
    for letter in people.got[BOB][1:]:  # the first one says in Russian how to get letters in it
        assert not re.search("[а-я]{2}", re.sub(r"^\|.*$", "", letter_text(letter), flags=re.M)), letter_text(letter)
    assert len(people.got[ALICE]) > len(PLAYER_WRITES)


def test_a_game_is_played_in_russian_from_the_invitation_to_the_end(people):
    come(people, CAROL)
    people.write(CAROL, "язык русский")
    people.write(ALICE, f"вызываю {CAROL}")
    invitation = flat(people.got[CAROL][-1])
    assert "Alice приглашает вас сыграть в Ozymandia по переписке. Ваша сторона — Синие." in invitation
    assert "Ответьте `принимаю`, и партия oz-2 начнётся." in invitation
    assert "Auf Deutsch:" in invitation
    assert "По-русски:" not in invitation
    people.write(CAROL, "принимаю")
    first = flat(people.got[ALICE][-1])
    assert "Поле, ход 1" in first
    assert "Пришлите приказы ответом на это письмо. Срок: " in first
    receipt = people.say(ALICE, "Привет!\n\n3 А в М и 2 W в М, бомба на EC")
    assert "Ваши приказы на ход 1 приняты: подтверждение 1-1. 3 A в M, 2 W в M; бомба EC" in receipt
    assert "В Mu идут три фишки из Atlantea и две из Wyvernia. Остаются: в Atlantea — никого" in receipt
    assert "после этого у вас останутся две бомбардировки." in receipt
    assert "Ещё не прислали приказов: Carol." in receipt
    report = people.write(CAROL, "все H в S")[ALICE][-1]
    assert "Ход 1 сыгран; ход 2 ждёт ваших приказов." in report
    assert "Вы 3 A в M, 2 W в M; бомба EC" in report
    assert "Красные бомбят Elfin City, но там никого нет. Красные: остались 2 бомбардировки." in report
    people.write(ALICE, "ничья")
    assert "Alice (Красные) предлагает ничью." in flat(people.got[CAROL][-1])
    people.write(CAROL, "ничья")
    assert "Партия закончилась вничью. Обе стороны согласились на ничью." in flat(people.got[ALICE][-1])
    for letter in (*people.got[ALICE][1:], people.got[CAROL][-1]):
        assert not english_in(letter), letter_text(letter)


def test_a_mistake_is_shown_where_it_stands_in_a_russian_letter(people):
    told = letter_text((people.write(ALICE, "2 A в AC; 1 А в К"), people.got[ALICE][-1])[1])
    assert "  1 | 2 A в AC; 1 A в К\n                      ^\n      Области «К» нет." in told
    told = people.say(ALICE, "2 A в AC, новая M")
    assert "Новых фишек в этот ход нет: у вас нет городов." in told
    assert "ответьте `да`, и мы их примем" in told
    assert "подтверждение 1-1. 2 A в AC" in people.say(ALICE, "да")


def test_who_resigns_is_asked_once_more_and_the_winner_is_told_in_russian(people):
    assert "Вы действительно сдаёте партию oz-1?" in people.say(ALICE, "сдаюсь")
    people.write(ALICE, "нет")
    people.write(BOB, "resign")
    people.write(BOB, "yes")
    assert "Вы победили. Синие сдались." in flat(people.got[ALICE][-1])
    assert "Партия oz-1" not in flat(people.got[BOB][-1])
    assert "окончена. Синие сдались." in people.say(ALICE, "статус")


def test_what_changes_the_course_of_a_game_is_told_in_russian(people):
    for text in ("draw", "no draw", "pause", "no pause", "press: Hi\nend press", "vacation 24.11. to 30.11."):
        people.write(BOB, text)
    for who, text in ((BOB, "pause"), (ALICE, "пауза"), (BOB, "resume"), (ALICE, "продолжить")):
        people.write(who, text)
    for text in (
        *("extend oz-1 2 days because нет", "orders oz-1 red: 3 A to M because да", "process oz-1 because да"),
        *("readjudicate oz-1 because да", "rollback oz-1 1 because да", "say oz-1: Привет\nend say"),
        *("position oz-1 1 red A3 M3 W3 bombs 3 blue V3 H3 E3 bombs 3 because да", "award oz-1 draw because да"),
    ):
        people.table.now += timedelta(hours=2)
        decide(people.table, text)
    people.poll()
    letters = [flat(letter) for letter in people.got[ALICE][1:]]
    assert not [letter_text(letter) for letter in people.got[ALICE][1:] if english_in(letter)]
    assert any("Bob (Синие) предлагает ничью." in text for text in letters)
    assert any("приостановлена по решению обоих игроков" in text for text in letters)
    assert "Партия закончилась вничью. Ведущий присудил ничью." in letters[-1]


def test_an_invitation_shows_how_to_ask_for_russian_and_a_letter_in_it_says_so_in_its_html(people):
    assert "По-русски: ответьте `язык русский`." in flat(people.got[BOB][0])
    html = next(part for part in people.got[ALICE][-1].walk() if part.get_content_type() == "text/html")
    assert '<html lang="ru">' in html.get_payload(decode=True).decode()
    assert letter_text(people.got[ALICE][-1]).startswith("== Пишите ответ выше этой строки ==\n")


def test_a_remark_in_russian_is_no_attempt_at_orders(people):
    for text in (
        "Приеду через 3 дня в Москву",
        "Все на месте",
        "У нас всё в порядке",
        "Новая работа в школе",
        "В 8 в клубе?",
    ):
        assert "Ваши приказы на ход 1 приняты" in people.say(ALICE, f"2 A в AC\n{text}"), text


# What Russians write


@each(
    ("text", "command"),
    [
        ("да", "Simple(word='yes')"),
        ("Да!", "Simple(word='yes')"),
        ("помощь приказы", "Help(topic='orders')"),
        ("Помощь ведущему", "Help(topic='game master')"),
        ("Я помощь", ""),
        ("не ждать", "Simple(word='no wait')"),
        ("нет ничьей", "Simple(word='no draw')"),
        ("отменить паузу", "Simple(word='no pause')"),
        ("передаю место bob@example.org", "Asking(word='hand', argument='bob@example.org')"),
        ("наблюдаю за oz-7", "Asking(word='observe', argument='oz-7')"),
        ("не наблюдать за oz-7", "Asking(word='unobserve', argument='oz-7')"),
        ("вызываю Bob в лиге Berg", "Asking(word='challenge', argument='Bob in Berg')"),
        ("отпуск окончен", "Asking(word='vacation', argument='none')"),
        ("отпуск отменён", "Asking(word='vacation', argument='none')"),
        ("отпуск отменен", "Asking(word='vacation', argument='none')"),
        ("отпуск был хорош", ""),
        ("отказываюсь навсегда", "Asking(word='decline', argument='always')"),
        ("часовой пояс Москва", "Asking(word='zone', argument='Москва')"),
        ("мои данные, пожалуйста", "Simple(word='my data')"),
        ("забудь меня", "Simple(word='forget me')"),
        ("сообщение:\nПривет, Боб\nконец сообщения", "Press(text='Привет, Боб', to='', open=False)"),
    ],
)
def test_a_command_is_read_in_russian(text, command):
    assert repr(read_words(text).commands) == (f"({command},)" if command else "()")


@each(
    ("text", "first", "last"),
    [
        ("25 ноября", "2026-11-25", "2026-11-25"),
        ("с 25 по 27 ноября", "2026-11-25", "2026-11-27"),
        ("с 25-го по 27-е ноября", "2026-11-25", "2026-11-27"),
        ("20 дек. до 3 янв.", "2026-12-20", "2027-01-03"),
        ("с 20 декабря 2026 по 3 января 2027", "2026-12-20", "2027-01-03"),
        ("завтра", "2026-11-23", "2026-11-23"),
        ("1 мая", "2027-05-01", "2027-05-01"),
        ("со среды по пятницу", "2026-11-25", "2026-11-27"),
        ("25. November bis 3 декабря", "2026-11-25", "2026-12-03"),
    ],
)
def test_days_are_read_in_russian(text, first, last):
    assert [str(day) for day in parse_dates(text, date(2026, 11, 22))] == [first, last]


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("завтра в 20:00", "2026-11-27T20:00 UTC"),
        ("завтра в 8 вечера", "2026-11-27T20:00 UTC"),
        ("в воскресенье в 20 часов", "2026-11-29T20:00 UTC"),
        ("28 ноября 9 утра", "2026-11-28T09:00 UTC"),
        ("30 ноября 20 ч", "2026-11-30T20:00 UTC"),
        ("на 2 дня", "2026-11-28T15:00 UTC"),
    ],
)
def test_an_hour_is_read_in_russian(text, moment):
    assert str(parse_when(text, NOW, "UTC")) == moment


@each(
    ("text", "pace"),
    [
        ("ежедневно в 20:00", "daily 20:00"),
        ("каждый день в 20:00", "daily 20:00"),
        ("по будням в 20:00", "weekdays 20:00"),
        ("по выходным 20:00", "weekends 20:00"),
        ("по средам и пятницам в 20:00", "Wed and Fri 20:00"),
        ("с пн по пт 20 часов", "weekdays 20:00"),
        ("пн, ср и пт 20:00, не менее 2 дней", "Mon, Wed and Fri 20:00, at least 2 days"),
        ("каждые 3 дня", "3 days"),
        ("без срока", "none"),
    ],
)
def test_the_pace_of_turns_is_read_in_russian(text, pace):
    assert str(parse_pace(text)) == pace


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("Москва", "Europe/Moscow"),
        ("мск", "Europe/Moscow"),
        ("нью-йорк", "America/New_York"),
        ("Киев", "Europe/Kyiv"),
        ("Екатеринбург", "Asia/Yekaterinburg"),
    ],
)
def test_a_zone_is_read_in_russian(text, zone):
    assert parse_zone(text) == zone


def test_languages_have_russian_names_and_russian_has_names_in_the_others():
    names = {"русский": "ru", "Russian": "ru", "russisch": "ru", "английский": "en", "НЕМЕЦКИЙ": "de"}
    assert {name: parse_language(name) for name in names} == names


# What they are told

DAYS = {1: "1 день", 2: "2 дня", 5: "5 дней", 11: "11 дней", 21: "21 день"}
HOURS = {1: "1 час", 2: "2 часа", 5: "5 часов", 11: "11 часов", 21: "21 час"}
MINUTES = {1: "1 минуту", 2: "2 минуты", 5: "5 минут", 11: "11 минут", 21: "21 минуту"}


@pytest.mark.parametrize("number", DAYS)
def test_numbers_have_the_forms_that_russian_asks_for(number):
    def left(span: timedelta) -> str:
        return deadline_in_words(NOW + span, NOW, ZoneInfo("UTC"), RUSSIAN).partition(" (через ")[2].rstrip(")")

    days, hours, minutes = (timedelta(**{unit: number}) for unit in ("days", "hours", "minutes"))
    assert format_duration(days, say=RUSSIAN) == DAYS[number]
    assert left(days + hours) == f"{DAYS[number]} {HOURS[number]}"
    assert left(hours + minutes) == f"{HOURS[number]} {MINUTES[number]}"
    assert left(minutes) == MINUTES[number]
    assert format_duration(minutes, say=RUSSIAN) == MINUTES[number].replace("минуту", "минута")


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (1, "остаётся 1 день отпуска"),
        (2, "остаётся 2 дня отпуска"),
        (5, "остаётся 5 дней отпуска"),
        (11, "остаётся 11 дней отпуска"),
        (21, "остаётся 21 день отпуска"),
    ],
)
def test_days_of_vacation_are_counted_in_russian(number, told):
    one = "You have {number} day of vacation left in {year}. `vacation none` ends all your vacations."
    many = "You have {number} days of vacation left in {year}. `vacation none` ends all your vacations."
    assert told in RUSSIAN.many(one, many, number, year=2026)


def test_moments_are_told_as_russians_tell_them():
    due, moscow = datetime(2026, 11, 29, 17, 0, tzinfo=UTC), ZoneInfo("Europe/Moscow")
    place = zone_name("Europe/Moscow", "ru")
    told = deadline_in_words(due, NOW, moscow, RUSSIAN, place)
    assert told == "29 ноября 2026 г. (воскресенье), 20:00, Москва (через 3 дня 2 часа)"
    assert deadline_in_words(due, due, ZoneInfo("UTC"), RUSSIAN).endswith("17:00 UTC (сейчас)")
    assert day_in_words(date(2027, 3, 1), RUSSIAN) == "1 марта 2027 г. (понедельник)"
    assert zone_name("Europe/Lisbon", "ru") == zone_name("Europe/Berlin", "en") == ""


@pytest.mark.parametrize(
    ("pace", "told"),
    [
        (Pace(), "нет"),
        (Pace(every=timedelta(days=3)), "3 дня"),
        (Pace(hour=time(20), weekdays=EVERY_DAY), "ежедневно в 20:00"),
        (Pace(hour=time(20), weekdays=frozenset(range(5))), "в будни в 20:00"),
        (Pace(hour=time(20), weekdays=frozenset((5, 6))), "в выходные в 20:00"),
        (Pace(hour=time(20), weekdays=frozenset((2,))), "каждую среду в 20:00"),
        (
            Pace(hour=time(8, 30), weekdays=frozenset((0, 2, 4)), least=timedelta(days=1)),
            "пн, ср и пт в 08:30, не меньше чем 1 день",
        ),
    ],
)
def test_the_pace_of_turns_is_told_in_russian_and_reads_back(pace, told):
    assert pace.in_words(RUSSIAN) == told
    assert parse_pace(told) == pace


def test_lists_end_in_and():
    assert and_list(RUSSIAN, ["Anna", "Berta", "Carl"]) == "Anna, Berta и Carl"


def test_a_length_of_time_is_read_in_russian():
    lengths = {"3 дня": "3 days", "1 неделя и 12 часов": "7 days 12 hours", "2 Tage 5 минут": "2 days 5 minutes"}
    assert {text: format_duration(parse_duration(text)) for text in lengths} == lengths


# What letters tell them to write

GAPS = {
    "АДРЕС": "bob@example.org",
    "ПАРТИЯ": "oz-7",
    "ХОД": "3",
    "ИМЯ": "Bob",
    "ТУР": "3",
    "НАЗВАНИЕ": "Berg",
    "{game}": "ozymandia",
    "с ДЕНЬ по ДЕНЬ": "с 20.12. по 3.1.",
    "...": "",
}
BLOCKS = re.compile(r"(пресса|проверка|ведущему):|конец (прессы|ведущему|протеста)|.*because", re.S)


def written() -> list[str]:
    """The Russian words between backticks in what the service says, and how help says that commands are written."""
    with resource("locale/ru/LC_MESSAGES/pbem.po").open("rb") as file:
        said = [message.string for message in read_po(file, locale="ru") if message.id]
    sentences = [one for text in said for one in ((text,) if isinstance(text, str) else text)]
    usages = [one for row in COMMANDS for one in RUSSIAN(row.usage).split(", ")]
    found = [*usages, *(words for one in sentences for words in re.findall(r"`([а-яё][^`]*)`", one))]
    return sorted({re.sub(r"\{\w*league\w*\}", "Berg", one) for one in found} - {"навсегда"})


@each("text", written())
def test_what_a_letter_tells_russian_readers_to_write_is_understood(text):
    for gap, example in GAPS.items():
        text = text.replace(gap, example)
    text = re.sub(r"\{\w+\}", "7", re.sub(r"\{(?:first|[\w.]*name)\}", "oz-7", re.sub(r" \[.*\]", "", text)))
    if not (BLOCKS.fullmatch(text.strip()) or is_heading(text) or may_suppose(text)):
        assert read_words(text).commands or find_command(*text.split(" ", 1)), text


@each("row", COMMANDS, ids=lambda row: row.word)
def test_each_command_is_shown_in_russian_by_a_word_that_is_its_own(row):
    usage = RUSSIAN(row.usage)
    word = usage.split()[0].rstrip(":,").casefold()
    assert word in row.also or all(map(is_heading, usage.split(", "))) or (row.word, word) in (("unobserve", "не"),)


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (1, "осталась 1 бомбардировка."),
        (2, "остались 2 бомбардировки."),
        (5, "осталось 5 бомбардировок."),
        (11, "осталось 11 бомбардировок."),
        (21, "осталась 21 бомбардировка."),
    ],
)
def test_bombardments_are_counted_in_russian(number, told):
    one, many = "{side} has {number} bombardment left.", "{side} has {number} bombardments left."
    assert RUSSIAN.many(one, many, number, side=RUSSIAN("Red")) == f"Красные: {told}"


@each("example", EXAMPLES, ids=lambda example: example.orders[:40])
def test_a_mistake_in_orders_is_told_in_russian(example):
    game = find_game("ozymandia")
    state = parse_state(example.position, find_board("lattice"))
    for mistake in reader.read(Standpoint(game, state, "red"), example.orders).mistakes:
        told = RUSSIAN(mistake.sentence)
        assert re.search("[а-я]", told)
        assert not ENGLISH.search(re.sub(r"«[^»]*»|\d+ \w+ to \w+", "", told)), told
