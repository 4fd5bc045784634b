"""What a seat says besides orders, by letters: wishes, press, looking back, giving the seat up."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.demo import DemoDesk, letter_text
from pbem.match.terms import Terms
from pbem.service.maintenance import rekey
from pbem.times.deadlines import Pace
from support.correspondents import ALICE, BOB, CAROL, DAVE, Correspondents, everything, sure
from support.desks import thread

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
THREE_DAYS = Pace(every=timedelta(days=3))
WITH = "the turn is played now"


@pytest.fixture
def people(table: DemoDesk) -> Correspondents:
    """Alice is Red and Bob is Blue in oz-1."""
    return Correspondents(table)


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Callable[..., Correspondents]]:
    """The same on other terms."""
    tables: list[DemoDesk] = []

    def at(**terms: Any) -> Correspondents:
        tables.append(DemoDesk(tmp_path / "desk", NOON, terms=Terms(**{"deadline": THREE_DAYS, "remind": (), **terms})))
        tables[-1].poll()
        return Correspondents(tables[-1])

    yield at
    for table in tables:
        table.close()


def play(people: Correspondents, red: str = "Pass", blue: str = "Pass") -> dict[str, list[str]]:
    """A turn; what is sent when the second one has written."""
    people.write(ALICE, red)
    return people.write(BOB, blue)


def finish(people: Correspondents) -> None:
    people.write(ALICE, "draw")
    people.write(BOB, "draw")
    assert people.match().phase == "finished"


# The wrong game


@pytest.mark.parametrize("text", ["oz-2: 2 A to M", "Re: OZ-2\n2 A to M", "2 A to M\n\nPartie oz-2", "oz-2:\n2 A to Q"])
def test_orders_under_the_name_of_another_game_are_asked_back(people, text):
    people.write_anew(CAROL, "join")
    answer = people.say(ALICE, text)
    assert "Your letter names oz-2, but it answers a letter of oz-1. It was not used." in answer
    assert not people.match().standing
    assert not people.match().proposals


@pytest.mark.parametrize(
    "text", ["oz-1: 2 A to M", "oz-1\n2 A to M", "2 A to M\n\noz-1", "I was lucky in oz-2, Bob.\n2 A to M"]
)
def test_a_game_may_be_named_beside_its_orders_and_another_one_in_chat(people, text):
    assert "2 A to M" in people.say(ALICE, text)
    assert people.match().standing["red"].canonical == "2 A to M"


@pytest.mark.parametrize(
    "text", ["2 A to M\nThe same in oz-2, please", "2 A to M\nThis is for oz-2", "not oz-1\n2 A to M"]
)
def test_orders_beside_words_about_a_game_that_are_not_known_to_be_chat_are_asked_about(people, text):
    assert "We ask before we do anything." in people.say(ALICE, text)
    assert not people.match().standing


# Nearly a command


@pytest.mark.parametrize(
    ("text", "usage"),
    [
        ("withdraw everything", "withdraw"),
        ("I resign myself.", "resign"),
        ("withdrw", "withdraw"),
        ("hand over to Carl", "hand over to ADDRESS"),
    ],
)
def test_beside_orders_it_is_told_how_what_is_nearly_a_command_is_written(people, text, usage):
    people.write(ALICE, "3 A to M")
    answer = people.say(ALICE, f"2 A to M\n{text}")
    assert f'"{text}" is not a command. If you want one, write `{usage}`.' in answer
    assert people.match().phase == "running"
    assert people.match().standing["red"].canonical in ("3 A to M", "2 A to M")


def test_beside_a_challenge_to_nobody_who_could_take_it_orders_are_played_and_it_is_told_how_that_is_written(people):
    answer = people.say(ALICE, "2 A to M\nchallenge Bob")
    assert (
        '"challenge Bob" is not a command. If you want one, write `challenge ADDRESS` or `challenge computer`' in answer
    )
    assert people.match().standing["red"].canonical == "2 A to M"


@pytest.mark.parametrize(
    "text", ["Hi Bob,", "No problem", "My mistake", "Wait and see", "Help came late to my men", "Mandrake"]
)
def test_a_remark_is_no_command(people, text):
    assert "is not a command" not in people.say(ALICE, f"2 A to M\n{text}")


@pytest.mark.parametrize("text", ["status please", "Status, bitte."])
def test_commands_may_be_polite(people, text):
    assert "Your games" in people.say(ALICE, text)


@pytest.mark.parametrize("text", ["Yes, please.", "ja bitte", "Ja, bitte."])
def test_yes_may_be_polite(people, text):
    people.write(ALICE, "3 A to M, 1 M to XX")
    assert "Your orders for turn 1 are in" in people.say(ALICE, text)


def test_status_tells_what_its_own_letter_comes_to(people):
    answer = people.say(ALICE, "status\n3 A to M")
    assert "turn 1, your orders are in: 3 A to M" in answer
    assert answer.count("The result if nobody else does anything") == 1
    assert "The board, turn 1" not in answer
    assert "turn 1 is waiting for your orders" in people.say(ALICE, "status\nwithdraw")


# Every line


def test_what_a_letter_asks_for_again_and_again_is_told_once(people):
    once, often = people.say(ALICE, "help commands"), people.say(ALICE, "help commands\n" * 250)
    assert len(often) <= len(once)


def test_a_letter_that_is_not_read_to_its_end_is_told_so_whatever_stands_above(people):
    for above in ("[](){}<>\n", "status\n", "Thanks!\n"):
        answer = people.say(ALICE, f"{above * 300}3 A to M\n")
        assert "Only the beginning of this long letter was read (cut at 250 lines or 16 kB)" in answer, above
    assert people.match().standing == {}


def test_the_answer_accounts_for_every_line_and_each_command_counts_on_its_own(people):
    answer = people.say(
        ALICE, "Hi,\nwithdraw\nwait\nno draw\nresend 9\n3 A to M\nBomb EC\nIt rains here.\nCheers, Alice"
    )
    for said in (
        "nothing to withdraw",
        "not be played before its deadline",
        "you have not written `draw`",
        "no report of turn 9",
        "receipt 1-1",
        "3 A to M; Bomb EC",
        'Taken as remarks, not as orders: "It rains here."',
    ):
        assert said in answer
    assert people.match().wishes["wait"] == {"red"}


def test_commands_count_where_orders_do_not(people):
    answer = people.say(ALICE, "wait\n9 A to M")
    assert "not be played before its deadline" in answer
    assert "No orders in this letter were accepted" in answer
    assert people.match().wishes["wait"] == {"red"}
    assert people.match().standing == {}


def test_remarks_beside_a_command_are_accounted_for(people):
    assert 'Taken as remarks, not as orders: "It rains here."' in people.say(
        ALICE, "status\nIt rains here.\nThanks, Alice"
    )
    assert "Taken as remarks" not in people.say(ALICE, "status\nThanks, Alice")


# Wait


def test_wait_keeps_the_turn_to_its_deadline_and_no_letter_says_otherwise(people):
    play(people, red="wait\n3 A to M", blue="3 H to S")
    assert people.match().turn == 1
    receipt = people.say(BOB, "2 H to S")
    assert WITH not in receipt
    assert "All orders are in. The turn will be played on Tuesday 24 November 2026" in receipt
    assert people.poll(timedelta(days=3)).keys() == {ALICE, BOB}
    assert people.match().turn == 2
    assert "wait" not in people.match().wishes


def test_no_wait_has_the_turn_played_at_once(people):
    play(people, red="wait\n3 A to M", blue="3 H to S")
    news = people.write(ALICE, "no wait")
    assert "Turn 1 has been played" in " ".join(news[BOB])
    assert people.match().turn == 2


def test_without_a_deadline_waiting_is_for_as_long_as_one_likes(at):
    people = at(deadline=Pace())
    answer = people.say(ALICE, "wait")
    assert "It has no deadline, so it waits until you take this back with `no wait`" in answer
    people.write(ALICE, "3 A to M")
    assert WITH not in people.say(BOB, "3 H to S")
    assert people.match().turn == 1


# Draw


def test_a_draw_is_offered_and_agreed_on(people):
    news = people.write(ALICE, "draw")
    assert "We have offered your opponent a draw on your behalf" in news[ALICE][0]
    assert "Alice (Red) offers a draw" in news[BOB][0]
    assert ALICE not in news[BOB][0]
    news = people.write(BOB, "draw")
    assert "The game is a draw. Both sides agreed to a draw." in news[ALICE][0]
    assert people.match().phase == "finished"
    assert people.match().result.winner is None


def test_an_offer_is_told_once_however_often_it_is_made(people):
    people.write(ALICE, "draw")
    assert BOB not in people.write(ALICE, "draw\nplease")


def test_an_offer_of_a_draw_lapses_with_the_turn(people):
    people.write(ALICE, "draw")
    offer = people.got[BOB][-1]
    play(people)
    people.write(BOB, "draw", to=offer)
    assert people.match().phase == "running"
    assert people.match().wishes["draw"] == {"blue"}


def test_an_offer_can_be_taken_back_and_the_opponent_is_told(people):
    people.write(ALICE, "draw")
    news = people.write(ALICE, "no draw")
    assert "You no longer offer a draw" in news[ALICE][0]
    assert "no longer offers a draw" in news[BOB][0]
    people.write(BOB, "draw")
    assert people.match().phase == "running"


# Resign


def test_resigning_asks_once_more_and_the_yes_must_answer_that_very_question(people):
    invitation = people.got[ALICE][0]
    assert "Do you really want to resign" in people.say(ALICE, "resign")
    question = people.got[ALICE][-1]
    people.write(ALICE, "yes", to=invitation)
    people.write(ALICE, "status")
    people.write(ALICE, "yes")
    assert people.match().phase == "running"
    news = people.write(ALICE, "yes", to=question)
    assert "Bob (Blue) has won. Red resigned." in news[ALICE][0]
    assert "You have won. Red resigned." in news[BOB][0]
    assert people.match().result.winner == "blue"


def test_the_question_lapses_with_the_turn(people):
    people.write(ALICE, "resign")
    question = people.got[ALICE][-1]
    people.write(ALICE, "Pass")
    people.write(BOB, "Pass")
    people.write(ALICE, "yes", to=question)
    assert people.match().phase == "running"


def test_a_correction_that_was_proposed_is_not_mistaken_for_the_question(people):
    people.write(ALICE, "resign")
    people.write(ALICE, "3 A to Mu, Bom EC")
    answer = people.say(ALICE, "yes")
    assert "receipt 1-1" in answer
    assert people.match().phase == "running"


# Pause


def test_a_pause_is_by_agreement_and_so_is_its_end(people):
    assert "would like a pause" in people.write(ALICE, "pause")[BOB][0]
    assert people.match().phase == "running"
    news = people.write(BOB, "pause")
    assert "has been paused by both players" in news[ALICE][0]
    assert people.match().deadline is None
    assert people.poll(timedelta(days=30)) == {}
    assert "would like to go on" in people.write(BOB, "resume")[ALICE][0]
    news = people.write(ALICE, "resume")
    assert "has been resumed by both players" in news[BOB][0]
    assert people.match().deadline.moment - people.table.now == timedelta(days=3)


def test_orders_are_taken_in_a_pause_but_no_turn_is_said_to_be_played(people):
    people.write(ALICE, "pause")
    people.write(BOB, "pause")
    play(people, red="3 A to M", blue="3 H to S")
    receipt = people.say(BOB, "2 H to S")
    assert "receipt 1-2" in receipt
    assert WITH not in receipt
    assert "The game is paused: no turn is played until it goes on" in receipt
    assert people.match().turn == 1
    assert "the game is paused" in people.say(BOB, "status")
    people.write(ALICE, "resume")
    people.write(BOB, "resume")
    assert people.match().turn == 2


def test_what_is_not_so_cannot_be_ended(people):
    assert "is not paused" in people.say(ALICE, "resume")
    assert "nothing to take back: no vote is open" in people.say(ALICE, "no pause")
    assert "you have not written `wait`" in people.say(ALICE, "no wait")


# Check and withdraw


def test_orders_behind_check_are_looked_at_and_nothing_is_stored(people):
    people.write(ALICE, "1 A to M")
    answer = people.say(ALICE, "check: 3 A to M\nBomb EC")
    assert "nothing is stored" in answer
    assert "3 A to M; Bomb EC" in answer
    assert "those of receipt 1-1 stand: 1 A to M" in answer
    assert people.match().standing["red"].canonical == "1 A to M"
    assert people.match().numbers == {"red": 1}


def test_a_check_says_what_is_wrong_and_leaves_nothing_that_yes_could_send(people):
    answer = people.say(ALICE, "check:\n3 A to Mu, Bom EC")
    assert "^" in letter_text(people.got[ALICE][-1])
    assert "answer `yes`" not in answer
    assert "No question is open" in people.say(ALICE, "yes")
    assert people.match().standing == {}


def test_a_check_without_orders_says_so(people):
    assert "no orders after `check:`" in people.say(ALICE, "check")


def test_orders_that_wait_can_be_taken_back(people):
    people.write(ALICE, "3 A to M")
    assert "withdrawn" in people.say(ALICE, "withdraw")
    assert people.match().standing == {}
    people.write(BOB, "Pass")
    assert people.match().turn == 1


# Press


def test_press_reaches_the_opponent_with_addresses_hidden(people):
    news = people.write(ALICE, "press: Good luck,\nyou will need it.\nend press\n3 A to M\nIt rains here.")
    assert "We have passed on what you wrote." in news[ALICE][0]
    assert "receipt 1-1" in news[ALICE][0]
    assert 'Taken as remarks, not as orders: "It rains here."' in news[ALICE][0]
    press, sealed = news[BOB]
    assert "Alice (Red) writes to you in oz-1: | Good luck, | you will need it." in press
    assert "Alice (Red) has sent orders for turn 1; they are sealed" in sealed
    assert "3 A" not in press
    assert "alice@" not in "".join(letter.as_string() for letter in people.got[BOB])


def test_a_plain_answer_to_press_is_press(people):
    people.write(BOB, "Pass")
    people.write(ALICE, "press: Good luck")
    news = people.write(BOB, "Thanks, and to you,\nBob")
    assert "Bob (Blue) writes to you in oz-1: | Thanks, and to you, | Bob" in news[ALICE][0]
    assert "Taken as remarks" not in news[BOB][0]
    assert "good luck" not in news[ALICE][0].lower()


@pytest.mark.parametrize(
    "text", ["3 H to S", "I go\n3 Hrmony to Shal", "Bom EC", "Thanks\nwait", "2 V to Shangri La and 1 U to EC please"]
)
def test_an_answer_to_press_that_holds_orders_or_commands_is_no_press(people, text):
    people.write(ALICE, "press: Good luck")
    assert not any("writes to you" in letter for letter in people.write(BOB, text).get(ALICE, ()))


PLANS = """strike EC
reinforce Mu
everything in Wyvernia moves into Wizard
I attack Mu from Atlantea with three
same orders as last turn
Angriff auf Mu mit drei Steinen
my three go over to M
Wyvernia will be empty, I fear""".splitlines()


@pytest.mark.parametrize("text", PLANS)
def test_an_answer_to_press_that_reads_like_a_plan_is_asked_about_even_when_orders_are_in(people, text):
    people.write(BOB, "Pass")
    people.write(ALICE, "press: Good luck")
    news = people.write(BOB, f"Hi,\n{text}\nBob")
    assert list(news) == [BOB]
    assert "Is this for your opponent? Nobody has seen it yet" in news[BOB][0]
    assert text in news[BOB][0]


def test_an_answer_to_press_while_orders_are_missing_is_asked_about_and_a_yes_passes_it_on(people):
    people.write(ALICE, "press: Good luck")
    assert list(people.write(BOB, "Thanks, and to you,\nBob")) == [BOB]
    news = people.write(BOB, "yes")
    assert "Bob (Blue) writes to you in oz-1: | Thanks, and to you, | Bob" in news[ALICE][0]
    assert "We have passed on what you wrote." in news[BOB][0]


def test_a_yes_to_the_question_about_press_gives_no_orders(people):
    people.write(ALICE, "press: Good luck")
    people.write(BOB, "everything in Wyvernia moves into Wizard")
    people.write(BOB, "yes")
    assert not people.match().standing
    assert "nothing" in people.say(ALICE, "yes").lower()


def test_a_no_or_nothing_at_all_passes_no_press_on(people):
    people.write(ALICE, "press: Good luck")
    people.write(BOB, "reinforce Mu")
    assert ALICE not in people.write(BOB, "No! I meant orders.")
    people.write(BOB, "Pass", to=people.got[BOB][0])
    people.write(ALICE, "Pass")
    assert not any("reinforce" in letter_text(letter) for letter in people.got[ALICE])


def test_after_the_end_an_answer_to_press_is_passed_on_at_once(people):
    people.write(ALICE, "press: Good luck")
    finish(people)
    people.write(ALICE, "press: I was lucky in Mu")
    assert "Mu was mine" in people.write(BOB, "Mu was mine to attack")[ALICE][0]


@pytest.mark.parametrize("marked", ["{}", "press: {}\nend press"])
def test_what_our_receipt_says_is_never_passed_on(people, marked):
    people.write(ALICE, "press: Good luck")
    people.write(BOB, "2 H to S")
    receipt = letter_text(people.got[BOB][-1])
    sentence = next(line for line in receipt.splitlines() if line.startswith("From "))
    people.write(ALICE, "press: And?")
    news = people.write(BOB, marked.format(sentence.strip()))
    assert list(news) == [BOB]
    assert "comes from a letter of ours that is for you alone" in news[BOB][0]


def test_the_nonce_of_a_seal_is_never_passed_on(people):
    people.write(BOB, "2 H to S")
    nonce = people.match().standing["blue"].nonce
    news = people.write(BOB, f"press: Here it is\n{nonce.upper()}\nend press")
    assert list(news) == [BOB]
    assert "comes from a letter of ours that is for you alone" in news[BOB][0]


@pytest.mark.parametrize("orders", ["3 A to M, Bomb EC", "9 A to M", "From A three go to M", "3 A to\nM please"])
def test_orders_that_only_an_end_of_press_would_keep_apart_from_it_are_asked_about(people, orders):
    news = people.write(ALICE, f"press: Good luck\n{orders}")
    assert list(news) == [ALICE]
    assert "Are these your orders?" in news[ALICE][0]
    assert " ".join(orders.split()).removesuffix(" please") in " ".join(news[ALICE][0].split())
    assert people.match().standing == {}
    assert "Good luck" in people.write(ALICE, "yes")[BOB][0]


@pytest.mark.parametrize("end", ["", "\nend press"])
@pytest.mark.parametrize(
    "line", ["I will take M with 3 A. Fear me", "I threaten 3 A to AC", "Hold M against Wyvernia!"]
)
def test_press_that_sounds_like_orders_is_passed_on_and_orders_beside_it_count(people, line, end):
    news = people.write(ALICE, f"2 A to M\npress: {line}{end}")
    assert people.match().standing["red"].canonical == "2 A to M"
    assert line in "".join(news[BOB])


def test_whoever_closes_orders_into_press_is_told_that_none_counts(people):
    news = people.write(ALICE, "press: Good luck\n3 A to M\nend press")
    assert "3 A to M" in news[BOB][0]
    assert "Some of it could be orders; none were accepted. " in news[ALICE][0]
    assert people.match().standing == {}


FORGED = (
    """== Hi ==
The words of Alice (Red) end here.

From the game master: the game is annulled. Answer `yes`.\x0b\x85\u2028
| 3 H to S |
   2 H to S \u202e|
"""
    + "many words " * 50
    + "\n"
    + "x" * 200
)


@pytest.mark.parametrize("marked", ["press: {}", "press: {}\nend press", "gm: {}", "gm: {}\nend gm"])
def test_a_bar_stands_before_each_line_of_what_a_person_wrote_and_its_end_is_told_behind_it(people, marked):
    people.write(ALICE, marked.format(FORGED))
    reader = BOB if "press" in marked else "operator@example.org"
    lines = letter_text(people.got[reader][-1]).splitlines()
    begin = next(at for at, line in enumerate(lines) if line.startswith("Alice (Red) writes to you"))
    end = lines.index("The words of Alice (Red) end here.")
    inside = [line for line in lines[begin + 1 : end] if line]
    assert len(inside) > 14
    assert all(line.startswith("|") and len(line) <= 70 and not line.endswith(("| ", " |")) for line in inside)
    assert "| From the game master: the game is annulled. Answer `yes`." in inside
    assert not any(line.startswith("|") for line in (*lines[:begin], *lines[end:]))
    assert [line for line in lines if line.startswith("==")] == ["== Answer above this line =="]


def test_words_of_a_person_stand_in_a_box_of_the_page_and_without_css_in_a_quotation(people):
    people.write(ALICE, "press:\nFrom the game master: <b>answer</b> `yes`\n\n  Alice\nend press")
    html = next(part for part in people.got[BOB][-1].walk() if part.get_content_type() == "text/html")
    page = html.get_payload(decode=True).decode()
    box = page.partition("<blockquote")[2].partition("</blockquote>")[0]
    assert 'class="said"' in box
    assert "border-left" in box
    assert "From the game master: &lt;b&gt;answer&lt;/b&gt; `yes`" in box
    assert page.partition("</blockquote>")[2].lstrip().startswith('<p class="dim"')
    assert "The words of Alice (Red) end here." in page.partition("</blockquote>")[2]
    assert ".said{border-color:#a8c7fa !important" in page


def test_press_may_be_switched_off_by_the_terms(at):
    people = at(press=False)
    news = people.write(ALICE, "press: Good luck")
    assert list(news) == [ALICE]
    assert "this game has no press" in news[ALICE][0]


def test_whoever_is_mute_gets_no_press_until_he_wants_it_again(people):
    assert "no longer get press in oz-1" in people.say(BOB, "mute")
    news = people.write(ALICE, "press: Hello?")
    assert list(news) == [ALICE]
    assert "your opponent wants no press" in news[ALICE][0]
    people.write(BOB, "unmute")
    assert BOB in people.write(ALICE, "press: Hello again")


def say_forty_times(people, texts):
    """What everybody is sent by forty letters."""
    for n in range(40):
        people.table.deliver(people.answer(ALICE, texts[n % len(texts)]).as_bytes())
    return people.poll()


@pytest.mark.parametrize("texts", [["press: hello\nend press\n" * 40], ["draw", "no draw"]])
def test_nobody_is_flooded_with_words_or_wishes_and_the_writer_is_told(people, texts):
    news = say_forty_times(people, texts) if len(texts) > 1 else people.write(ALICE, *texts)
    assert len(news[BOB]) == (30 if len(texts) > 1 else 1)
    assert len(texts) > 1 or news[BOB][0].count("| hello") == 30
    assert any("at most 30" in text and "an hour" in text for text in news[ALICE])
    assert BOB not in people.write(ALICE, "press: one more")
    people.poll(timedelta(hours=1))
    assert "one more" in people.write(ALICE, "press: one more")[BOB][0]


def test_words_for_nobody_are_not_sent(people):
    assert "no words after `press:`" in people.say(ALICE, "press:\nend press")


def test_an_invitation_carries_no_press_of_the_inviter(people):
    people.write(ALICE, f"challenge {CAROL}")
    people.write(CAROL, "decline")
    news = people.write(ALICE, "press: Cowardly, are you?\nend press")
    assert list(news) == [ALICE]
    assert "Nothing was changed in oz-2: the game was annulled" in news[ALICE][0]


def test_a_wish_that_the_same_letter_takes_back_is_no_letter_to_anybody(people):
    assert BOB not in people.write(ALICE, "draw\nno draw\n" * 300)
    assert not people.match().wishes.get("draw")
    assert BOB in people.write(ALICE, "draw")
    assert BOB not in people.write(ALICE, "no draw\ndraw")
    assert "draw" in " ".join(people.write(ALICE, "no draw")[BOB])


# Looking back


def test_one_letter_has_three_reports_sent_again(people):
    for _ in range(5):
        play(people)
    before = len(people.got[ALICE])
    news = people.write(ALICE, "resend 1\nresend 2\nresend 3\nresend 4\nresend 5")[ALICE]
    assert len(people.got[ALICE]) - before == 4
    assert any("ask for the others in a second one" in text for text in news)


def test_a_report_comes_again_as_a_new_letter_of_the_same_thread(people):
    play(people, red="3 A to M", blue="3 H to S")
    report = next(letter for letter in people.got[ALICE] if "Turn 1 has been played" in letter_text(letter))
    for _ in range(2):
        before = len(people.got[ALICE])
        people.write(ALICE, "resend 1")
        (again,) = (letter for letter in people.got[ALICE][before:] if "Turn 1 has been played" in letter_text(letter))
        assert again["Message-ID"] not in {letter["Message-ID"] for letter in people.got[ALICE][:before]}
        assert again["Date"] != report["Date"]
        assert (again["Subject"], thread(again)) == (report["Subject"], thread(report))
        assert story(again) == story(report)
    assert "Your orders for turn 2 are in" in people.say(ALICE, "2 M to A")


def story(letter: Message) -> str:
    """What a report tells of its turn, without the moments of its foot."""
    return letter_text(letter).partition("Reply with your orders")[0]


def test_resend_alone_means_the_last_turn(people):
    assert "No turn has been played yet" in people.say(ALICE, "resend")
    play(people)
    play(people)
    (again,) = people.write(ALICE, "resend")[ALICE]  # and no letter that says so
    assert "Turn 2 has been played" in again
    assert "turns 1 to 2 have been played so far" in people.say(ALICE, "resend 3")


def test_history_tells_all_turns_so_far_and_nothing_of_the_present_one(people):
    assert "No turns have been played yet" in people.say(ALICE, "history")
    play(people, red="3 A to M; Bomb EC", blue="3 H to S")
    people.write(BOB, "3 S to M")
    answer = people.say(ALICE, "history")
    assert "1 Red 3 A to M; Bomb EC 1 Blue 3 H to S" in answer
    assert "3 S to M" not in answer


def test_the_letter_for_many_tells_nothing_of_a_report_that_waits_either(at):
    people = at(review=timedelta(days=1))
    for number in range(62):  # the same text again and again would be a machine's
        people.table.deliver(people.answer(ALICE, f"3 A to M\nGreetings, {'dear ' * number}Bob").as_bytes())
    people.write(BOB, "3 H to S")
    assert people.match().phase == "review"
    (told,) = people.poll(timedelta(hours=1))[ALICE]
    assert "so many letters" in told
    assert "The board, turn 2" not in told


def test_while_the_game_master_looks_at_a_report_nobody_sees_anything_of_it(at):
    people = at(review=timedelta(days=1))
    play(people, red="3 A to M", blue="3 H to S")
    assert people.match().phase == "review"
    for text in ("history", "resend 1", "resend", "status", "hello", "2 S to M", "draw"):
        answer = " ".join(people.write(ALICE, text).get(ALICE, []))
        assert "3 H to S" not in answer
        assert "The board, turn 2" not in answer
        assert "Turn 1 has been played" not in answer
        assert "Reply with your orders" not in answer
        assert WITH not in answer
    rekey(people.table.config, people.table.now)
    (told,) = people.poll()[ALICE]
    assert "new reply addresses" in told
    assert "The board, turn 2" not in told
    assert "the turn is closed" in people.write(ALICE, "3 M to A")[ALICE][0]
    assert "Nothing was changed in oz-1: the turn is closed" in people.write(ALICE, "draw")[ALICE][0]


# The end


def test_orders_and_wishes_after_the_end_are_answered(people):
    finish(people)
    answer = people.say(ALICE, "3 A to M")
    assert "the game is over" in answer
    answer = people.say(ALICE, "draw\nresign\npause\nwait\nhand over to carol@example.org")
    assert answer.count("Nothing was changed in oz-1: the game is over.") == 5
    assert "No question is open" in people.say(ALICE, "accept")


def test_a_rematch_needs_both_and_trades_the_sides(people):
    assert "can have a rematch when this game is over" in people.say(ALICE, "rematch")
    finish(people)
    news = people.write(ALICE, "rematch")
    assert "would like a rematch with sides swapped" in news[BOB][0]
    assert "oz-2" not in everything(people.table)
    news = people.write(BOB, "rematch")
    assert "oz-2: you play Red, Alice plays Blue" in " ".join(news[BOB])
    assert "oz-2: you play Blue, Bob plays Red" in " ".join(news[ALICE])
    people.write(BOB, "rematch", to=people.got[ALICE][0])
    assert people.table.store.conn.execute("SELECT count(*) FROM matches").fetchone() == (2,)


# Handing over


def test_a_seat_changes_hands_when_the_other_accepts_and_the_leaver_reads_nothing_more(people):
    play(people, red="3 A to M", blue="3 H to S")
    people.write(ALICE, "1 M to W")
    old = people.got[ALICE][-1]
    news = sure(people, ALICE, f"hand over to {CAROL}\nShe is better than me")
    assert "Your seat is offered to carol@example.org" in news[ALICE][0]
    offer = "Alice offers you a seat in Ozymandia oz-1: you would play Red against Bob, from turn 2 on."
    assert offer in news[CAROL][0]
    assert "better" not in news[CAROL][0]
    assert "3 H to S" not in news[CAROL][0]
    assert people.match().holders["red"].name == "Alice"
    news = people.write(CAROL, "accept")
    assert "Carol plays Red in oz-1 from now on" in news[BOB][0]
    assert CAROL not in " ".join(news[BOB])
    assert "You get no more letters of this game" in news[ALICE][0]
    assert "You play oz-1 from now on, as Red" in " ".join(news[CAROL])
    assert people.match().standing == {}
    for text in ("history", "status", "2 M to W", "resend 1", "press: hi\nend press"):
        answers = people.write(ALICE, text, to=old)
        assert BOB not in answers
        assert "3 H" not in " ".join(answers.get(ALICE, []))
        assert "board" not in " ".join(answers.get(ALICE, []))
    assert people.match().standing == {}
    people.write(CAROL, "2 M to W", to=next(one for one in people.got[CAROL] if "1-red-2" in one["Reply-To"]))
    assert people.match().standing["red"].canonical == "2 M to W"


def test_the_new_holder_gets_reports_of_his_own(people):
    play(people, red="3 A to M", blue="3 H to S")
    play(people)
    sure(people, ALICE, f"hand over to {CAROL}")
    people.write(CAROL, "accept")
    report = next(one for one in people.got[CAROL] if "1-red-3" in one["Reply-To"])
    news = people.write(CAROL, "resend 1", to=report)
    report = next(text for text in news[CAROL] if "Turn 1 has been played" in text)
    assert "Red, Alice" not in report
    assert "3 H to S" in report
    assert "The board, turn 2" in report
    assert people.match().turn == 3


def test_only_whom_the_seat_is_offered_to_can_take_it(people):
    sure(people, ALICE, f"hand over to {CAROL}")
    people.write(DAVE, "accept", to=people.got[CAROL][-1])
    people.write(BOB, "accept", to=people.got[CAROL][-1])
    assert people.match().holders["red"].name == "Alice"


def test_a_declined_offer_is_told_and_cannot_be_accepted_any_more(people):
    sure(people, ALICE, f"hand over to {CAROL}")
    offer = people.got[CAROL][-1]
    news = people.write(CAROL, "decline")
    assert "was declined, so it stays yours" in news[ALICE][0]
    people.write(CAROL, "accept", to=offer)
    assert people.match().holders["red"].name == "Alice"


def test_an_offer_lapses_after_two_weeks_and_when_another_one_is_made(at):
    people = at(deadline=Pace())
    sure(people, ALICE, f"hand over to {CAROL}")
    first = people.got[CAROL][-1]
    sure(people, ALICE, f"hand over to {DAVE}")
    people.write(CAROL, "accept", to=first)
    assert people.match().holders["red"].name == "Alice"
    people.poll(timedelta(days=15))
    people.write(DAVE, "accept")
    assert people.match().holders["red"].name == "Alice"


def test_a_seat_cannot_be_handed_to_the_opponent_whose_address_nobody_learns_by_trying(people):
    for who, told in ((BOB, {ALICE}), (DAVE, {ALICE, DAVE})):
        people.write(ALICE, f"hand over to {who}")
        news = people.write(ALICE, "yes", to=people.got[ALICE][-1])
        assert f"Your seat is offered to {who}, provided that address accepts letters from us" in news[ALICE][0]
        assert set(news) == told
    people.write(BOB, "accept")
    assert people.match().holders["red"].addresses == {ALICE}


def test_a_seat_cannot_be_handed_to_oneself_or_to_the_desk(people):
    for desk in ("gm@example.org", "GM+1-red-1-aaaaaaaaaaaaaaaa@example.org"):
        assert "is an address of this desk" in people.say(ALICE, f"hand over to {desk}")
        assert "is an address of this desk" in people.say(ALICE, f"challenge {desk}")
        assert "is an address of this desk" in people.say(ALICE, f"address {desk}")
    assert "your own address" in people.say(ALICE, f"hand over to {ALICE}")


def test_nobody_takes_both_seats_of_a_game(people):
    sure(people, ALICE, f"hand over to {CAROL}")
    sure(people, BOB, f"hand over to {CAROL}")
    red, blue = people.got[CAROL]
    people.write(CAROL, "accept", to=red)
    assert "You play in oz-1 yourself" in people.write(CAROL, "accept", to=blue)[CAROL][-1]
    assert people.match().holders["blue"].addresses == {BOB}


def test_an_offer_of_a_game_that_is_over_meanwhile_is_answered(people):
    sure(people, ALICE, f"hand over to {CAROL}")
    finish(people)
    assert "Nothing was changed in oz-1: the game is over" in people.say(CAROL, "accept")
