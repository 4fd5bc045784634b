"""Words between players and the game master: who gets them, who never, how many, and what is kept of them."""

import json
import re
from datetime import timedelta

import pytest
from click.testing import CliRunner

from pbem.cli.demo import ALICE, BOB, answer_letter, letter_text
from pbem.cli.main import main
from pbem.config.config import Address
from pbem.match.model import Master
from pbem.orders.command import Asking, Decision, in_words
from pbem.orders.reader import read_words
from support.correspondents import CAROL, Correspondents, come, everything
from support.game_masters import GINA, fresh, in_league, last_to, say, to, written
from support.tables import play, standing


def test_a_players_words_reach_the_game_master_and_nobody_else(table):
    letters = written(table, "red", "gm:\nBlue and I disagree about turn 1.\nend gm\n3 A to M")
    told = to(letters, GINA)
    assert "Alice (Red) writes to you about oz-1, turn 1: | Blue and I disagree about turn 1. The words" in told
    assert "`tell oz-1 red: ...`" in told
    assert "disagree" not in to(letters, BOB)
    assert "has gone to the game master, operator@example.org, and to nobody else" in to(letters, ALICE)
    assert standing(table) == {"red": "3 A to M"}


def test_the_german_word_is_read_alike():
    assert read_words("Spielleitung: Hallo\nzweite Zeile\nEnde Spielleitung").commands == (
        Asking("gm", "Hallo\nzweite Zeile"),
    )


def test_claims_of_one_letter_are_one_with_its_number(table):
    letters = written(table, "red", "claim: He writes in two names.\nend claim\n3 A to M\nclaim: And he swears.")
    told = [letter_text(letter) for _, letter in letters if GINA.address in letter["To"]]
    assert [one.count("This is claim 1.") for one in told] == [1]
    assert "| He writes in two names.\n|\n| And he swears." in told[0]
    assert to(letters, BOB).count("claim 1.") == 1


def test_the_game_master_answers_that_player_alone(table):
    letters = written(table, "red", "gm: May I?")
    asked = last_to(letters, GINA.address)
    table.deliver(answer_letter(asked, GINA, "tell red:\nYes, you may.\nend tell", table.now).as_bytes())
    letters = table.poll()
    assert "The game master writes to you alone, about oz-1: | Yes, you may." in to(letters, ALICE)
    assert "you may" not in to(letters, BOB)
    assert "Done: tell oz-1 red" in to(letters, GINA)


def test_a_player_is_told_from_a_fresh_letter_as_well(table):
    assert "Yes." in to(say(table, "tell oz-1 red: Yes.", "end tell"), ALICE)


def test_a_claim_has_a_number_and_a_date_and_is_decided_before_all(table):
    letters = written(table, "red", "claim: My orders were in time.\nend claim\n3 A to M")
    told = to(letters, ALICE)
    (number,) = re.findall(r"Your claim is number (\d+). It will be decided by Saturday 28 November 2026, 12:", told)
    asked = to(letters, GINA)
    assert f"This is claim {number}. Decide it by Saturday 28 November 2026" in asked
    assert f"`decide oz-1 {number}: ...`" in asked
    assert "in time" not in to(letters, BOB)
    waits = to(say(table, "desk"), GINA)
    assert f"oz-1 claim {number} of Alice (Red) (for" in waits
    assert f"`decide oz-1 {number}: ...`" in waits
    letters = say(table, f"decide oz-1 {number}: They were late. The turn stands.", "end decide")
    for who in (ALICE, BOB):
        decided = f"The game master has decided claim {number} of Red in oz-1: | They were late. The turn stands."
        assert decided in to(letters, who)
    looked = to(say(table, "desk", "decisions"), GINA)
    assert "Nothing is waiting for your decision." in looked
    assert f"decide oz-1 {number}: They were late." in looked


def test_the_fourth_claim_of_a_day_is_not_passed_on(table):
    for number in range(1, 4):
        assert "has made a claim" in to(written(table, "red", f"claim: He cheats, part {number}."), BOB)
    letters = written(table, "red", "claim: He still cheats.")
    assert "you can send 3 such letters a day" in to(letters, ALICE)
    assert not to(letters, BOB)
    assert not to(letters, GINA)
    table.now += timedelta(days=1)
    assert "has made a claim" in to(written(table, "red", "claim: He cheats again."), BOB)


def test_a_claim_is_decided_by_its_own_number_and_once(table):
    (number,) = re.findall(r"This is claim (\d+)", to(written(table, "red", "claim: My orders were in time."), GINA))
    assert f"No claim 0{number} is waiting in oz-1" in to(say(table, f"decide oz-1 0{number}: No."), GINA)
    twice = say(table, f"decide oz-1 {number}: Yes.", "end decide", f"decide oz-1 {number}: No.", "end decide")
    assert f"No claim {number} is waiting in oz-1." in to(twice, GINA)
    assert to(twice, BOB).count("has decided claim") == 1


def test_the_others_hear_that_a_claim_waits_and_no_word_of_it(table):
    letters = written(table, "red", "claim: I meant 2 A to AC, and Bob knew it.\nend claim\n3 A to M")
    told, own = to(letters, BOB), to(letters, ALICE)
    (number,) = re.findall(r"This is claim (\d+)", to(letters, GINA))
    assert f"Alice (Red) has made a claim about oz-1 to the game master: claim {number}." in told
    assert "It will be decided by Saturday 28 November 2026, 12:" in told
    assert "write between `gm:` and a line `end gm`. The game goes on meanwhile" in told
    assert "meant" not in told
    assert "A to" not in told
    assert "until then they know only that there is a claim" in own
    assert "has made a claim" not in own
    say(table, "pause oz-1 because of the claim")
    assert "goes on meanwhile" not in to(written(table, "red", "claim: Once more."), BOB)


def test_whoever_is_only_invited_hears_of_no_claim(table):
    table.store.conn.execute("UPDATE matches SET phase = 'offered'")
    letters = written(table, "red", "claim: He takes too long.")
    assert "This is claim" in to(letters, GINA)
    assert to(letters, BOB) == ""


@pytest.mark.usefixtures("desk_table")
def test_a_claim_that_nobody_has_decided_in_time_is_late_with_its_day_and_the_line_that_settles_it(table):
    (number,) = re.findall(r"This is claim (\d+)", to(written(table, "red", "claim: My orders were in time."), GINA))
    table.now += timedelta(days=6, hours=23)
    assert f"claim {number} of Alice (Red) (for 6 days)" in to(say(table, "desk"), GINA)
    table.now += timedelta(hours=1)
    told = to(say(table, "desk"), GINA)
    late = f"claim {number} of Alice (Red): decision due Saturday 28 November 2026: `decide oz-1 {number}: ...`"
    assert f"Overdue oz-1 {late}" in told
    assert told.count(f"claim {number} of Alice") == 1
    assert "Nothing is waiting for your decision" not in told
    start = ["--config", str(table.config.path), "--now", f"{table.now:%Y-%m-%dT%H:%MZ}"]
    shown = CliRunner().invoke(main, [*start, "desk"]).output
    due = "2026-11-28T12:"
    assert f"oz-1  claim {number} of Alice (Red): decision due {due}" in shown
    assert f"Z: decide oz-1 {number}: ...\n" in shown
    (one, *_) = json.loads(CliRunner().invoke(main, [*start, "desk", "--json"]).output)["late"]
    assert one["due"].startswith(due)
    assert one["lines"] == [f"decide oz-1 {number}: ..."]
    assert "claim" not in to(say(table, f"decide oz-1 {number}: No.", "end decide", "desk"), GINA)


def test_a_claim_is_read_in_other_languages_and_a_sentence_is_no_decision():
    assert read_words("Einspruch: So nicht").commands == (Asking("claim", "So nicht"),)
    assert read_words("протест: нет\nконец протеста\nда").commands[0] == Asking("claim", "нет")
    assert read_words("decide for yourself: I am away").commands == ()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("tell oz-1: Yes.", "Say to whom"),
        ("tell oz-1 green: Yes.", 'There is no side "green" in oz-1, only red and blue.'),
        ("tell oz-1 red:", "no words: write them"),
    ],
)
def test_words_for_nobody_are_refused(table, text, why):
    assert why in to(say(table, text), GINA)


def test_whoever_writes_to_the_desk_about_no_game_reaches_its_operator(table):
    fresh(table, "gm: May I join a league?", ALICE)
    asked = last_to(table.poll(), ALICE.address)
    table.deliver(answer_letter(asked, ALICE, "yes", table.now).as_bytes())
    told = to(table.poll(), GINA)
    assert "Alice, alice@example.net, writes to you: | May I join a league?" in told


def test_a_game_that_is_named_is_not_lost():
    assert read_words("gm oz-17: Hello").commands == (Asking("gm", "oz-17: Hello"),)


def test_nothing_in_words_for_the_game_master_is_obeyed_or_hidden(table):
    token = table.last["red"]["Reply-To"]
    letters = written(table, "red", f"gm:\nresign\n=== here ===\x07\n{token}\nend gm")
    told = to(letters, GINA)
    assert "| resign | = here = |" in told
    assert token.partition("+")[2].partition("@")[0] not in told
    assert "\x07" not in told
    assert "really" not in to(letters, ALICE)


def test_orders_among_words_for_the_game_master_are_not_taken_and_their_writer_is_told_so(table):
    letters = written(table, "red", "gm: hello\n3 A to M")
    assert "Some of it looks like orders; none were accepted. Write orders before `gm:`" in to(letters, ALICE)
    assert standing(table) == {}
    told = to(written(table, "red", "claim: hello\n3 A to M"), ALICE)
    assert "Write orders before `claim:`, or after a line `end claim`: - 3 A to M" in told
    told = to(written(table, "red", "language deutsch\nEinspruch: So nicht\n3 A to M"), ALICE)
    assert "Befehle gehören vor `Einspruch:` oder hinter eine Zeile `Ende Einspruch`: - 3 A to M" in told


def test_of_several_game_masters_only_the_one_whom_the_receipt_names_gets_the_words(table):
    in_league(table, Master("Hugo", "hugo@example.org"), Master("Carl", "carl@example.org", ("pause", "resume")))
    letters = written(table, "red", "gm: I think that Bob colludes.")
    assert [letter["To"] for _, letter in letters if "colludes" in letter_text(letter)] == ["Hugo <hugo@example.org>"]
    assert "has gone to the game master, hugo@example.org, and to nobody else" in to(letters, ALICE)
    hugo = Address("Hugo", "hugo@example.org")
    table.deliver(answer_letter(last_to(letters, hugo.address), hugo, "tell red: I see.", table.now).as_bytes())
    letters = table.poll()
    assert "I see." in to(letters, ALICE)
    assert "I see." not in to(letters, Address("Carl", "carl@example.org"))


def test_thirty_letters_an_hour_reach_the_game_master(table):
    for number in range(33):
        table.write("red", f"gm: {number}\nend gm")
    letters = table.poll()
    assert len([1 for _, letter in letters if GINA.address in letter["To"]]) == 30
    assert "at most 30 of your letters are passed on in an hour" in to(letters, ALICE)


def test_empty_words_go_nowhere(table):
    assert "To do that, write `gm: ...`" in to(written(table, "red", "gm:"), ALICE)


def test_somebody_who_wants_to_be_replaced_and_names_nobody_hears_whom_to_tell(table):
    for words in ("please find a substitute for me, I am ill", "substitute: ill"):
        answer = to(written(table, "red", words), ALICE)
        assert "write `hand over to ADDRESS`" in answer
        assert "If you know someone who could take over, write `hand over to ADDRESS`" in answer


def test_what_was_written_is_in_the_record_until_its_writer_is_forgotten(table):
    written(table, "red", "gm: I am ill.")
    say(table, "tell oz-1 red: Get well.")
    kept = "SELECT count(*) FROM record_contents WHERE content LIKE '%I am ill%' OR content LIKE '%Get well%'"
    assert table.store.conn.execute(kept).fetchone() == (2,)
    say(table, "annul oz-1 because of illness")
    written(table, "red", "forget me")
    written(table, "red", "yes")
    assert table.store.conn.execute(kept).fetchone() == (0,)
    for column in ("outbox", "letters"):
        rows = table.store.conn.execute(f"SELECT raw FROM {column} WHERE raw IS NOT NULL").fetchall()
        assert [raw for (raw,) in rows if b"I am ill" in raw] == []


def test_words_about_no_game_are_forgotten_as_well(table):
    play(table)
    say(table, "annul oz-1 because of illness")
    say(table, "gm: I am ill.", who=ALICE)
    say(table, "forget me", who=ALICE)
    say(table, "yes", who=ALICE)
    assert table.store.conn.execute("SELECT count(*) FROM record WHERE kind = 'gm'").fetchone() == (1,)
    texts = [json.loads(text) for (text,) in table.store.conn.execute("SELECT content FROM record_contents")]
    assert [text for text in texts if text.get("text")] == []
    rows = table.store.conn.execute("SELECT raw FROM outbox").fetchall()
    assert [raw for (raw,) in rows if b"I am ill" in raw] == []


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("because Bob is ill", "Bob is ill"),
        ("because of the holidays", "because of the holidays"),
        (", weil Bob krank ist", "Bob krank ist"),
        ("wegen der Feiertage", "wegen der Feiertage"),
        ("потому что Боб болен", "Боб болен"),
        ("из-за праздников", "из-за праздников"),
    ],
)
def test_a_reason_is_kept_as_it_was_written_and_can_be_written_so_again(words, reason):
    for command in (Decision("pause", "oz-17", "", reason), Decision("withdraw", "", "Autumn Simone Weil", reason)):
        written = " ".join(filter(None, (command.word, command.match, command.argument)))
        assert read_words(f"{written} {words}".replace(" ,", ",")).commands == (command,)
        assert read_words(in_words(command)).commands == (command,)


def test_players_read_the_whole_reason(table):
    letters = say(table, "pause oz-1 because of the holidays")
    assert "The game master's reason: | because of the holidays" in to(letters, BOB)
    assert "pause oz-1: because of the holidays" in to(say(table, "decisions oz-1"), GINA)


@pytest.mark.parametrize("words", ["pause because of my holidays", "Pause wegen Urlaub", "пауза из-за отпуска"])
def test_a_player_who_says_why_they_wish_a_pause_is_not_taken_for_a_game_master(table, words):
    letters = written(table, "red", words)
    assert "Do you mean `pause`?" in to(letters, ALICE)
    assert "game master" not in to(letters, ALICE)
    assert "Alice (Red) would like a pause." in to(written(table, "red", "yes"), BOB)


def test_tell_names_game_and_seat():
    assert read_words("tell oz-17 red: Hello").commands == (Decision("tell", "oz-17", "red: Hello", ""),)
    assert read_words("press release: Hello").commands == ()


def test_a_game_master_who_plays_there_sees_no_letters_and_gets_no_words(table):
    in_league(table, Master(*BOB))
    letters = written(table, "red", "gm: Bob is cheating.\nend gm\n3 A to M")
    assert "cheating" not in to(letters, BOB)
    assert "cheating" in to(letters, GINA)
    written(table, "blue", "Pass")
    answer = to(say(table, "letters oz-1 1", who=BOB), BOB)
    assert "You play in oz-1 yourself" in answer
    assert "3 A to M" not in answer


def test_words_that_have_not_gone_out_when_their_writer_is_forgotten_go_when_they_do(table):
    people = Correspondents(table)
    come(people, CAROL)
    people.write(CAROL, "forget me")
    for text in ("gm: My secret is a zebra.", "yes"):
        table.deliver(people.answer(CAROL, text).as_bytes())
    assert "zebra" in people.poll()[GINA.address][0]
    raws = [raw for (raw,) in table.store.conn.execute("SELECT raw FROM outbox UNION SELECT raw FROM letters")]
    assert not any(b"zebra" in raw for raw in raws if raw)
    assert "zebra" not in everything(table)


@pytest.mark.parametrize(
    "words",
    [
        "I want to complain about the rules.",
        "I think the last turn was adjudicated wrongly",
        "This program is broken",
        "Can you take back my turn? I made a mistake",
        "Ich will mich beschweren",
        "Das Programm ist kaputt",
        "Die letzte Runde wurde falsch ausgewertet",
        "Программа сломана",
        "Хочу пожаловаться на соперника",
    ],
)
def test_a_complaint_reaches_the_game_master_alone_and_beside_orders_and_commands(table, words):
    for text in (words, f"status\n{words}", f"2 A to AC\n{words}"):
        letters = written(table, "red", text)
        told = to(letters, GINA)
        assert words.rstrip(".") in told
        assert "2 A to AC" not in told
        answer = to(letters, ALICE)
        assert "What you wrote has gone to the game master" in answer
        assert "Taken as remarks" not in answer
    assert standing(table) == {"red": "2 A to AC"} or "We ask before we do anything." in answer


@pytest.mark.parametrize(
    "words",
    [
        "Das war so unfair gestern",
        "If only I had more time for games...",
        "Dear game master,",
        "The neighbour's cockerel complains.",
        "My computer was broken last week",
        "I'll take my turn now",
    ],
)
def test_chat_beside_orders_is_no_complaint(table, words):
    assert to(written(table, "red", f"2 A to AC\n{words}"), GINA) == ""


def test_letters_of_a_turn_that_is_being_played_are_not_there_and_the_answer_says_what_is(table):
    told = to(say(table, "letters oz-1 1"), GINA)
    assert (
        "Turn 1 of oz-1 is still being played: its letters are shown when it is played. "
        "No turns have been played yet." in told
    )
    play(table, "3 A to M", "1 H to S")
    play(table, "", "")
    assert "oz-1 has not come to turn 9. Turn 1 has been played." in to(say(table, "letters oz-1 9"), GINA)


def test_letters_of_the_turn_that_nobody_played_before_the_game_was_over_are_shown(table):
    written(table, "red", "3 A to M")
    say(table, "award oz-1 draw because both asked for it")
    told = to(say(table, "letters oz-1 1"), GINA)
    assert "Letters of turn 1 of oz-1 This turn was not played: the game was over before." in told
    assert "Read as: 3 A to M" in told
    assert "oz-1 has not come to turn 2. No turns have been played yet." in to(say(table, "letters oz-1 2"), GINA)


def test_a_message_to_one_player_may_name_the_player(table):
    letters = say(table, "tell oz-1 Alice: Yes.", "end tell")
    assert "Yes." in to(letters, ALICE)
    assert not to(letters, BOB)
    assert 'There is no side "Zoe" in oz-1, only red and blue.' in to(say(table, "tell oz-1 Zoe: Hello"), GINA)
