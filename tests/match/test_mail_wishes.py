"""How people like their letters: fewer, once a day, without HTML, pictures or entries for a calendar."""

import re
from datetime import UTC, datetime, timedelta
from email.message import Message

import pytest

from pbem.cli.demo import DemoDesk
from pbem.match.identity import MailWishes, read_mail_wishes
from pbem.match.obey import command_of
from pbem.orders.intents import find_intent
from pbem.orders.reader import read_words
from pbem.service.compose import next_digest
from support.correspondents import ALICE, BOB, CAROL, Correspondents, come
from support.desks import thread


@pytest.fixture
def people(table: DemoDesk) -> Correspondents:
    return Correspondents(table)


def parts(letter: Message) -> list[str]:
    return [part.get_content_type() for part in letter.walk() if not part.is_multipart()]


WORDS = {
    "fewer letters": ["Fewer letters", "less mail please", "weniger Briefe", "bitte weniger Mails", "меньше писем"],
    "more letters": ["more letters", "all letters", "alle Briefe", "все письма"],
    "digest daily": ["digest daily", "one letter a day", "Sammelbrief täglich", "ein Brief am Tag", "сводка ежедневно"],
    "digest daily at 7:30": ["digest daily at 7:30", "Sammelbrief um 7:30", "сводка в 7:30"],
    "digest off": ["digest off", "no digest", "kein Sammelbrief", "без сводки"],
    "text only": ["text only", "no HTML", "plain text", "nur Text", "ohne HTML", "только текст"],
    "html": ["html", "HTML please", "mit HTML", "с html"],
    "pictures off": ["no pictures", "pictures off", "no images", "keine Bilder", "bitte keine Bilder", "без картинок"],
    "pictures": ["pictures", "with pictures", "Bilder", "картинки"],
    "calendar off": ["no calendar", "calendar off", "kein Kalender", "без календаря"],
    "calendar": ["calendar", "with calendar", "Kalender", "календарь"],
    "my settings": ["my settings", "settings", "meine Einstellungen", "мои настройки"],
}


@pytest.mark.parametrize("command", WORDS)
def test_each_wish_is_understood_in_ordinary_words_of_every_language(command):
    for line in WORDS[command]:
        (found,) = read_words(line).commands
        assert " ".join(filter(None, (found.word, found.argument))) == command, line


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("I get too many mails!", "fewer letters"),
        ("Zu viele Briefe.", "fewer letters"),
        ("слишком много писем", "fewer letters"),
        ("could I have just one mail a day?", "digest daily"),
        ("please send me only plain text", "text only"),
        ("digest at 25:00", "digest daily"),
    ],
)
def test_what_only_sounds_like_one_is_asked(line, command):
    assert read_words(line).commands == ()
    intent = find_intent((line,))
    offered = intent and command_of(intent)
    assert offered
    assert " ".join(filter(None, (offered.word, offered.argument))) == command


def test_the_hour_of_a_digest_in_ordinary_words_is_told_and_kept(table):
    people = Correspondents(table)
    assert "Do you mean `digest daily at 7.30 pm`?" in people.say(ALICE, "daily digest at 7.30 pm please")
    assert "will come in one letter a day, at 19:30 (UTC)" in people.say(ALICE, "yes")


@pytest.mark.parametrize(
    "wishes",
    [MailWishes(), MailWishes(apart=True, digest="07:30"), MailWishes(text=True, no_calendar=True, no_pictures=True)],
)
def test_wishes_are_read_as_they_are_written(wishes):
    assert read_mail_wishes(str(wishes)) == wishes


def test_the_hour_of_the_digest_is_one_of_the_readers_clock():
    wishes = MailWishes(digest="18:00")
    before_summer = datetime(2026, 3, 28, 17, 0, tzinfo=UTC)  # 18:00 in Vienna: the next one is tomorrow's
    assert next_digest(wishes, before_summer, "Europe/Vienna") == datetime(2026, 3, 29, 16, 0, tzinfo=UTC)
    assert next_digest(wishes, before_summer, "UTC") == datetime(2026, 3, 28, 18, 0, tzinfo=UTC)


def test_a_letter_that_sets_several_things_is_told_once_where_they_are_shown(people):
    answer = people.say(ALICE, "fewer letters\ndigest daily\ntext only\nno calendar")
    assert answer.count("`my settings` shows all your settings.") == 1
    assert answer.index("no calendar entries") < answer.index("`my settings`")


def test_receipt_and_report_come_in_one_letter_of_the_thread_and_apart_again(people):
    people.write(BOB, "Pass")
    (letter,) = people.write(ALICE, "3 A to M\nHow are you?")[ALICE]
    assert "We received your orders for turn 1 (receipt 1-1), and the turn was played at once." in letter
    assert letter.index("Turn 1 has been played") < letter.index("receipt 1-1"), "news first"
    assert 'Taken as remarks, not as orders: "How are you?"' in letter
    assert "Turn 1 has been played; turn 2 is waiting for your orders." in letter
    assert [part.get_filename() for part in people.got[ALICE][-1].walk()].count("seals.txt") == 1
    assert people.got[ALICE][-1]["In-Reply-To"]
    assert thread(people.got[ALICE][-1]) == thread(people.got[ALICE][0])
    people.write(BOB, "Pass")
    receipt, report = people.write(ALICE, "Pass\nall letters")[ALICE]
    assert "receipt 2-1" in receipt
    assert "Turn 2 has been played" in report


def test_a_receipt_comes_alone_if_it_asks_or_the_turn_is_not_played(people):
    people.write(BOB, "more letters")
    assert "are in: receipt 1-1" in people.say(ALICE, "3 A to M")
    (again,) = people.write(ALICE, "3 A to M\nresend")[ALICE]  # there is no report to be sent again
    assert "receipt 1-2" in again
    receipt, report = people.write(BOB, "Pass")[BOB]  # who has asked for it
    assert "receipt 1-1" in receipt
    assert "Turn 1 has been played" in report


def test_letters_come_as_text_alone_and_without_a_calendar_until_they_are_wanted_again(people):
    assert parts(people.got[ALICE][-1]) == ["text/plain", "text/html", "text/calendar"]
    people.say(ALICE, "text only")
    assert parts(people.got[ALICE][-1]) == ["text/plain"]
    assert "text/calendar" in parts(people.got[BOB][-1])
    assert "text/html" not in parts(people.write(ALICE, "3 A to M") and people.got[ALICE][-1])
    people.say(ALICE, "no calendar")
    letter = people.got[ALICE][-1]
    assert (parts(letter), letter.is_multipart()) == (["text/plain"], False)
    assert "no calendar entries" in letter.get_payload()
    people.write(ALICE, "html\ncalendar")
    people.say(ALICE, "Pass")
    assert "text/html" in parts(people.got[ALICE][-1])
    settings = people.say(ALICE, "my settings")
    for told in ("`more letters`", "`digest daily`", "`text only`", "`calendar off`", "`language deutsch`", "`zone "):
        assert told in settings


def test_letters_come_without_pictures_until_they_are_wanted_again(people, images):
    assert "show the position only as text" in people.say(ALICE, "no pictures")
    people.say(ALICE, "3 A to M")
    assert parts(people.got[ALICE][-1])[:2] == ["text/plain", "text/html"]
    assert "image/png" not in parts(people.got[ALICE][-1])
    assert '<table class="map"' in people.got[ALICE][-1].as_string()
    assert "none; `pictures` turns them on" in people.say(ALICE, "my settings")
    people.write(ALICE, "pictures")
    people.say(ALICE, "2 A to M")
    assert parts(people.got[ALICE][-1])[:3] == ["text/plain", "text/html", "image/png"]
    assert "of the position; `pictures off` turns them off" in people.say(ALICE, "my settings")
    people.write(ALICE, "text only")
    assert "Pictures" not in people.say(ALICE, "my settings")
    people.say(ALICE, "1 A to M")
    assert parts(people.got[ALICE][-1]).count("text/html") == 0


def test_a_stranger_to_the_token_is_asked_before_letters_are_changed(people):
    (question,) = people.write_anew(ALICE, "text only")[ALICE]
    assert "text only" in question
    assert "text/html" in parts(people.got[ALICE][-1])
    people.write(ALICE, "yes")
    assert parts(people.got[ALICE][-1]) == ["text/plain"]


def test_what_asks_nothing_is_gathered_to_one_letter_a_day_in_the_thread_of_its_game(people):
    assert "at 18:00 (UTC)" in people.say(BOB, "digest daily")
    assert BOB not in people.write(ALICE, "3 A to M\npress:\nGood luck\nend press")
    assert BOB not in people.write(ALICE, "press:\nAre you there?\nend press")
    assert BOB in people.write(ALICE, "draw")  # this he has to answer
    people.table.now = people.table.now.replace(hour=17, minute=50)
    assert people.poll() == {}
    ((reader, (letter,)),) = people.poll(timedelta(minutes=5)).items()
    assert reader == BOB
    assert "Good luck" in letter
    assert "Are you there?" in letter
    assert "Alice (Red) has sent orders for turn 1; they are sealed" in letter
    assert letter.count("seals.txt") == 1
    assert re.search("Ozymandia oz-1 Red [0-9a-f]{64}$", letter)
    assert "press to Alice:" in letter
    gathered = people.got[BOB][-1]
    assert thread(gathered) == thread(people.got[BOB][0])
    assert people.poll(timedelta(days=1)) == {}
    (report,) = people.write(BOB, "Pass", to=gathered)[BOB]
    assert "receipt 1-1" in report
    assert "Turn 1 has been played" in report


def test_one_piece_of_news_goes_as_it_is_and_one_that_is_overtaken_not_at_all(people):
    people.write(BOB, "digest daily at 7")
    people.write(ALICE, "3 A to M")
    people.write(BOB, "Pass")  # the report opens the seal, so that nobody hears of it any more
    assert people.write(ALICE, "press:\nWell played\nend press").keys() == {ALICE}
    people.table.now = people.table.now.replace(hour=6, minute=55) + timedelta(days=1)
    ((_, (letter,)),) = people.poll().items()
    assert letter.startswith("== Answer above this line == Alice (Red) writes to you in oz-1:")
    assert "sealed" not in letter
    people.write(ALICE, "press:\nAgain\nend press")
    told = people.write(BOB, "digest off")[BOB]
    assert any("Again" in one for one in told)


def test_news_of_several_games_come_in_a_thread_of_their_own_and_go_when_somebody_is_forgotten(people):
    come(people, CAROL)
    people.table.begin({})
    people.poll()
    people.write(BOB, "digest daily")
    for game in ("oz-1", "oz-2"):
        letter = next(one for one in reversed(people.got[ALICE]) if game in one["Subject"])
        people.write(ALICE, f"press:\nHello from {game}\nend press", to=letter)
    people.table.now = people.table.now.replace(hour=17, minute=55)
    ((_, (letter,)),) = people.poll().items()
    assert "Ozymandia oz-1 Alice (Red) writes" in letter
    assert "Hello from oz-2" in letter
    assert people.got[BOB][-1]["Subject"] == "Your games"
    for game in ("oz-1", "oz-2"):
        answer = next(one for one in reversed(people.got[ALICE]) if game in one["Subject"])
        people.write(ALICE, "resign", to=answer)
        people.write(ALICE, "yes")
    people.write(ALICE, "forget me")
    people.write(ALICE, "yes")
    assert "Hello from" not in "\n".join(people.table.store.conn.iterdump())
