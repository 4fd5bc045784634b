"""Yes and no: whatever is open with somebody is settled by their word, and what is not certain is listed."""

from email.message import Message

import pytest

from pbem.cli.demo import DemoDesk, letter_text
from pbem.match.effects import Save
from pbem.match.receive import receive
from support.cases import NOON, begun, letter
from support.correspondents import ALICE, BOB, CAROL, Correspondents, come, flat, sure

EVE, WORK = "eve@evil.example", "alice@work.example"


@pytest.fixture
def people(table: DemoDesk) -> Correspondents:
    """Alice is Red and Bob is Blue in oz-1."""
    return Correspondents(table)


def unseen(people: Correspondents, who: str, text: str) -> str:
    """The answer to a letter to the address of the last one that shows no reference."""
    people.table.deliver(without_references(people, who, text).as_bytes())
    (answer,) = people.poll()[who]
    return answer


def without_references(people: Correspondents, who: str, text: str) -> Message:
    letter = people.answer(who, text)
    del letter["References"], letter["In-Reply-To"]
    return letter


def asked(people: Correspondents) -> list[str]:
    """What is listed in the last letter to Alice."""
    lines = (" ".join(line.split()) for line in letter_text(people.got[ALICE][-1]).splitlines())
    return [line for line in lines if line[:2] in ("1 ", "2 ")]


# One thing is open


@pytest.mark.parametrize("word", ["yes", "Accept.", "I accept", "Ja, einverstanden!", "ok", "Я согласен", "Agreed."])
def test_any_yes_to_the_offer_of_a_draw_agrees(people, word):
    people.write(ALICE, "draw")
    people.write(BOB, word)
    assert people.match().phase == "finished"


@pytest.mark.parametrize(
    "text",
    [
        "y", "Yep", "sure, do that", "do it", "ok, go ahead", "That's what I meant.", "Sounds good, thanks!",
        "ja mach das", "Mach das bitte.", "jo", "Ja klar, mach mal", "Genau das meinte ich",
        "давай", "Да, давайте", "ага", "Сделайте так, пожалуйста", "Именно так",
    ],
)  # fmt: skip
def test_whatever_people_say_for_yes_settles_the_one_question(people, text):
    people.write(ALICE, "resign")
    people.write(ALICE, text)
    assert people.match().phase == "finished"


@pytest.mark.parametrize("text", ["y", "do it", "mach das", "давай"])
def test_none_of_it_settles_anything_where_two_questions_are_open(people, text):
    people.write(ALICE, "9 A to M")
    people.write(ALICE, "resign")
    assert "These questions are open: 1 orders" in unseen(people, ALICE, text)
    assert people.match().phase == "running"


@pytest.mark.parametrize("text", ["do it not", "don't do it", "do it tomorrow", "mach das nicht", "давай потом", "y?"])
def test_what_is_more_than_a_yes_is_none(people, text):
    people.write(ALICE, "resign")
    people.write(ALICE, text)
    assert people.match().phase == "running"


def test_a_yes_to_the_wish_for_a_rematch_begins_one(people):
    sure(people, ALICE, "resign")
    people.write(ALICE, "rematch")
    assert "oz-2" in " ".join(people.write(BOB, "yes")[BOB])


@pytest.mark.parametrize("word", ["I agree to the draw", "Yes to the draw!", "Ja zum Remis", "Да, на ничью"])
def test_what_a_yes_names_is_meant_whatever_else_is_open(people, word):
    people.write(ALICE, "draw")
    people.write(BOB, "9 H to S")
    people.write(BOB, word)
    assert people.match().phase == "finished"


@pytest.mark.parametrize(
    "text", ["👍", "yes please, thank you very much", "Ja bitte, vielen Dank!", "Да, большое спасибо"]
)
def test_a_yes_with_thanks_sends_what_is_proposed(people, text):
    people.write(BOB, "9 H to S")
    people.write(BOB, text)
    assert people.match().standing["blue"].canonical == "3 H to S"


@pytest.mark.parametrize("text", ["2 A to AC instead", "3 A to M. Or should I wait?", "3 A to M\nPlease ignore this"])
def test_a_yes_sends_the_only_thing_that_a_letter_in_doubt_may_mean(people, text):
    assert "answer `yes`" in people.say(ALICE, text).replace("Answer", "answer")
    assert people.match().standing == {}
    assert "Your orders for turn 1 are in" in people.say(ALICE, "yes")


def test_a_question_about_ones_vacation_does_not_lapse_with_the_turn(people):
    people.write(ALICE, "I am on holiday from 1 December to 5 December")
    people.write(ALICE, "Pass")
    people.write(BOB, "Pass")
    assert "your command `vacation from 1 December to 5 December`" in people.say(ALICE, "yes")
    assert "1 December" in people.say(ALICE, "yes 1")
    assert "away" in people.say(ALICE, "my settings").casefold()


@pytest.mark.parametrize("word", ["accept", "decline", "ablehnen", "принимаю", "yes 2"])
def test_a_word_of_agreement_beside_orders_that_settles_nothing_is_told_so(people, word):
    answer = people.say(BOB, f"3 H to S\n{word}")
    assert "No question is open that the `yes` or `no` with your orders could settle." in answer
    assert people.match().standing["blue"].canonical == "3 H to S"


@pytest.mark.parametrize("line", ["PS: zurückziehen", "P.S. withdraw", "З.Ы. отозвать"])
def test_a_command_in_a_postscript_below_the_signature_is_asked_about(people, line):
    assert "it reads like orders, but stands where signatures and quotes do" in people.say(
        BOB, f"3 H to S\n-- \nBob\n{line}"
    )
    assert not people.match().standing


@pytest.mark.parametrize("word", ["I agree to the draw", "Ja zum Remis", "Да, на ничью"])
def test_a_yes_to_what_nobody_has_offered_sends_no_orders(people, word):
    people.write(BOB, "9 H to S")
    assert "orders proposed to you: 3 H to S" in people.say(BOB, word)
    assert not people.match().standing


@pytest.mark.parametrize("text", ["accept\nbut not yet", "yes 1\nOops no", "accept\nonly if you promise to be nice"])
def test_an_agreement_with_more_words_beside_it_settles_nothing(people, text):
    people.write(ALICE, "draw")
    people.write(BOB, "9 H to S")
    people.write(BOB, "yes 7")  # lists both
    people.write(BOB, text)
    assert not people.match().standing
    assert people.match().phase == "running"


def test_a_yes_with_a_number_beside_orders_settles_nothing_and_the_orders_count(people):
    people.write(ALICE, "draw")
    people.write(BOB, "9 H to S")
    people.write(BOB, "yes 7")
    assert "orders as well as a yes or no, so it settles nothing" in people.say(BOB, "yes 2\nbomb AC")
    assert people.match().standing["blue"].canonical == "Bomb AC"
    assert people.match().phase == "running"


def test_a_yes_to_what_newer_orders_have_replaced_is_told_so(people):
    people.write(BOB, "9 H to S")
    people.write(BOB, "3 E to H")
    assert "settled already, or has expired. No question is open" in people.say(BOB, "yes")


@pytest.mark.parametrize("text", ["sure, if you say so", "Yes! Great game by the way"])
def test_a_yes_with_more_words_is_one(people, text):
    people.write(BOB, "9 H to S")
    people.write(BOB, text)
    assert people.match().standing["blue"].canonical == "3 H to S"


@pytest.mark.parametrize("text", ["y?", "what?"])
def test_a_letter_in_which_nothing_is_found_is_told_what_is_open(people, text):
    people.write(BOB, "9 H to S")
    answer = people.say(BOB, text)
    assert "One question is open: 1 orders proposed to you: 3 H to S" in answer
    assert "How to write orders" not in answer
    assert not people.match().standing


@pytest.mark.parametrize("text", ["Thank you!", "Got it", "Verstanden.", "Понятно, спасибо"])
def test_thanks_alone_get_no_help(people, text):
    answer = people.say(BOB, text)
    assert "Your letter does not ask for anything, so nothing has changed." in answer
    assert "How to write orders" not in answer


@pytest.mark.parametrize("text", ["scratch that", "Stop!", "Ignore my last letter", "Nehme alles zurück", "стоп"])
def test_second_thoughts_in_a_letter_of_their_own_are_a_withdrawal_for_one_yes(people, text):
    people.write(BOB, "3 H to S")
    assert "Do you mean `withdraw`?" in people.say(BOB, text)
    people.write(BOB, "yes")
    assert not people.match().standing


@pytest.mark.parametrize(
    "text",
    [
        *("forget the bomb", "remove the bomb", "actually no", "no, HC!", "and one more to Mu"),
        *("Vergiss die Bombe", "und noch einer nach Mu"),
        *("забудьте про бомбу", "хотя нет", "и ещё одну в M"),
    ],
)
def test_words_that_may_be_about_the_orders_that_stand_are_asked_about(people, text):
    people.write(BOB, "3 H to S\nBomb AC")
    answer = people.say(BOB, text)
    assert "still stand: 3 H to S; Bomb AC" in answer
    assert text in answer
    assert "How to write orders" not in answer
    assert people.match().standing["blue"].canonical == "3 H to S; Bomb AC"


def test_words_that_seem_to_take_the_orders_back_are_asked_about_and_take_nothing_back(people):
    people.write(BOB, "3 H to S\nBomb AC")
    assert "Do you mean `withdraw`?" in people.say(BOB, "doch nicht")
    assert people.match().standing["blue"].canonical == "3 H to S; Bomb AC"


@pytest.mark.parametrize("text", ["Got it", "Who is Bob?", "Was für ein Wetter"])
def test_other_words_are_not(people, text):
    people.write(BOB, "3 H to S")
    assert "We ask before we do anything" not in people.say(BOB, text)


@pytest.mark.parametrize("word", ["no", "Nein, danke", "decline", "нет"])
def test_a_no_to_the_offer_of_a_draw_is_told_and_the_game_goes_on(people, word):
    people.write(ALICE, "draw")
    news = people.write(BOB, word)
    assert "You answered `no` to our question about a draw offered to you, so nothing changes." in news[BOB][0]
    assert "Bob (Blue) declines a draw." in news[ALICE][0]
    assert not people.match().wishes.get("draw")


def test_a_word_of_agreement_to_a_receipt_ends_no_game(people):
    receipt = people.write(BOB, "3 H to S") and people.got[BOB][-1]
    people.write(ALICE, "draw")
    (answer,) = people.write(BOB, "ok", to=receipt)[BOB]
    assert "1 a draw offered to you" in answer
    assert people.match().phase == "running"
    people.write(BOB, "yes")
    assert people.match().phase == "finished"


def test_a_proposal_can_be_declined(people):
    people.write(ALICE, "9 A to M")
    assert "our question about orders proposed to you: 3 A to M, so nothing changes." in people.say(ALICE, "no")
    assert "No question is open" in people.say(ALICE, "yes")


def test_a_yes_without_a_reference_after_a_question_about_press_passes_nothing_on(people):
    people.write(BOB, "press: Hello\nend press")
    people.write(ALICE, "I shall attack Mu", to=people.got[ALICE][-1])
    question = people.got[ALICE][-1]
    assert "1 your command `press blue: I shall attack Mu`" in unseen(people, ALICE, "yes")
    assert not people.match().standing
    news = people.write(ALICE, "yes", to=question)
    assert "I shall attack Mu" in news[BOB][0]


# More than one


@pytest.mark.parametrize(
    "text", ["yes 2", "2", "2.", "the second one", "Das zweite", "Второй вариант", "2\n\nThanks, Alice"]
)
def test_one_of_the_orders_that_a_letter_may_mean_is_chosen_by_its_number(people, text):
    people.write(ALICE, "3 A to M or 2 A to Z")
    people.write(ALICE, text)
    assert people.match().standing["red"].canonical == "2 A to Z"


@pytest.mark.parametrize("text", ["yes", "3", "yes 3", "2 or 1", "not the first"])
def test_no_order_is_chosen_where_it_is_not_certain_which(people, text):
    people.write(ALICE, "3 A to M or 2 A to Z")
    answer = people.say(ALICE, text)
    assert not people.match().standing
    assert "2 orders proposed to you: 2 A to Z" in answer


@pytest.mark.parametrize(
    ("proposed", "text"),
    [
        ("5 Wyvernai to WC", "turn 2: 1 M to MC"),
        ("5 Wyvernai nach WC", "Runde 2: 1 M nach MC"),
        ("5 Wyvernai в WC", "ход 2: 1 M в MC"),
    ],
)
def test_orders_for_a_later_turn_change_no_proposal(people, proposed, text):
    people.write(ALICE, proposed)
    people.write(ALICE, text)
    assert [one.written for one in people.match().later["red"]] == [text.partition(": ")[2]]
    assert not people.match().standing


def test_a_mere_no_means_none_of_them(people):
    people.write(ALICE, "3 A to M or 2 A to Z")
    assert "our question about orders proposed to you: 3 A to M / 2 A to Z, so nothing changes." in people.say(
        ALICE, "no"
    )
    assert "no question is open" in people.say(ALICE, "yes 1").casefold()


def test_a_number_alone_chooses_nothing_unless_it_answers_the_letter_that_has_the_numbers(people):
    people.write(ALICE, "status")
    before = people.got[ALICE][-1]
    people.write(ALICE, "3 A to M or 2 A to Z")
    people.write(ALICE, "2", to=before)
    assert not people.match().standing


def test_what_is_open_is_listed_with_a_number_each(people):
    people.write(BOB, "draw")
    people.write(ALICE, "9 A to M")
    assert "Which do you mean?" in unseen(people, ALICE, "yes")
    assert asked(people) == ["1 orders proposed to you: 3 A to M", "2 a draw offered to you"]
    people.write(ALICE, "no 2\nyes 1")
    assert people.match().standing["red"].canonical == "3 A to M"
    assert not people.match().wishes.get("draw")


def test_a_number_means_what_it_did_in_the_list_though_another_question_is_settled_meanwhile(people):
    people.write(BOB, "draw")
    people.write(ALICE, "9 A to M")
    unseen(people, ALICE, "yes")
    listing = people.got[ALICE][-1]
    people.write(ALICE, "yes 1", to=listing)
    assert (
        "settled already, or has expired. These questions are open:"
        in people.write(ALICE, "yes 1", to=listing)[ALICE][0]
    )
    people.write(ALICE, "yes 2", to=listing)
    assert people.match().phase == "finished"


@pytest.mark.parametrize("text", ["yes 3", "yes 99", "no 0"])
def test_a_number_that_no_list_has_settles_nothing(people, text):
    people.write(ALICE, "9 A to M")
    assert "One question is open: 1 orders" in people.say(ALICE, text)
    assert not people.match().standing


def test_a_number_that_no_question_ever_had_is_told_that_nothing_is_open(people):
    answer = people.say(ALICE, "yes 3")
    assert "No question is open for a `yes` or `no`" in answer
    assert "expired" not in answer


def test_with_nothing_open_the_answer_is_short(people):
    people.write(ALICE, "3 A to M")
    assert len(people.say(ALICE, "ok").split("--------")[0].split()) < 30


# Held letters


def test_a_yes_to_one_of_two_held_letters_of_one_address_releases_both_and_the_newest_counts(people):
    for text in ("1 A to M", "2 A to M"):
        people.write(WORK, text, to=people.got[ALICE][0])
    first, second = people.got[ALICE][-2:]
    assert "The 2 held letters count" in people.write(ALICE, "yes", to=first)[ALICE][0]
    people.poll()
    assert people.match().standing["red"].canonical == "2 A to M"
    assert not people.match().held
    assert second is not first


def test_a_held_letter_is_listed_rather_than_released_by_a_yes_to_another_letter(people):
    people.write(EVE, "1 A to M", to=people.got[ALICE][0])
    assert "1 a held letter from eve@evil.example" in unseen(people, ALICE, "yes")
    assert people.match().held
    assert "You answered `no`" in people.say(ALICE, "no")
    assert not people.match().held


# Letters whose references a mail program or a server has lost


def test_a_numbered_yes_without_references_settles_what_the_subject_shows(people):
    people.write(ALICE, "9 A to M")
    people.write(EVE, "1 A to M", to=people.got[ALICE][0])
    listed = unseen(people, ALICE, "yes 2")
    assert "Which do you mean?" in listed
    assert "leave the subject as it is" in listed
    assert asked(people)[1] == "2 a held letter from eve@evil.example"
    people.table.deliver(without_references(people, ALICE, "yes 2").as_bytes())
    people.poll()
    assert not people.match().held


def test_a_letter_to_the_bare_address_is_confirmed_without_references_too(people):
    people.write_anew(ALICE, "3 A to M")
    listed = unseen(people, ALICE, "yes")
    assert "1 a held letter with your address" in listed
    assert "settled already" not in listed
    people.table.deliver(without_references(people, ALICE, "yes 1").as_bytes())
    people.poll()
    assert people.match().standing["red"].canonical == "3 A to M"


def test_brackets_around_what_the_subject_shows_are_not_needed(people):
    people.write(EVE, "1 A to M", to=people.got[ALICE][0])
    unseen(people, ALICE, "yes")
    letter = without_references(people, ALICE, "yes")
    letter.replace_header("Subject", letter["Subject"].replace("<", "[").replace(">", "]"))
    people.table.deliver(letter.as_bytes())
    people.poll()
    assert not people.match().held


def test_a_number_for_another_letter_lists_what_is_open_and_does_not_call_it_settled(people):
    people.write(ALICE, "9 A to M")
    people.write(EVE, "1 A to M", to=people.got[ALICE][0])
    unseen(people, ALICE, "yes")
    people.write(ALICE, "yes 2", to=people.got[ALICE][0])
    assert "Which do you mean?" in flat(people.got[ALICE][-1])
    assert people.got[ALICE][-1]["Subject"] == "Ozymandia oz-1: a question"  # without a Message-ID
    assert "leave the subject" not in flat(people.got[ALICE][-1])
    assert people.match().held


# Whoever has stolen a letter


@pytest.mark.parametrize("text", ["resign", f"hand over to {EVE}", "forget me"])
def test_whoever_has_a_stolen_letter_and_forges_the_sender_cannot_say_yes_to_what_cannot_be_taken_back(people, text):
    if text == "forget me":
        people.write(ALICE, "draw")
        people.write(BOB, "yes")
    stolen = people.got[ALICE][0]
    people.write(ALICE, text, to=stolen)
    for word in ("yes", "yes 1", "accept", "ok"):
        people.write(ALICE, word, to=stolen)
        letter = people.answer(ALICE, word, to=stolen)
        del letter["References"], letter["In-Reply-To"]
        people.table.deliver(letter.as_bytes())
        people.poll()
    assert people.match().holders["red"].addresses == {ALICE}
    assert people.match().phase == ("finished" if text == "forget me" else "running")
    assert EVE not in people.got


def test_a_seat_is_offered_only_when_its_holder_has_said_yes_to_that_question(people):
    come(people, CAROL)
    news = people.write(ALICE, f"hand over to {CAROL}")
    assert set(news) == {ALICE}
    assert f"Do you really want to offer your seat to {CAROL}?" in news[ALICE][0]
    news = people.write(ALICE, "yes")
    assert "offers you a seat" in news[CAROL][0]
    people.write(CAROL, "Ja, gerne")
    assert people.match().holders["red"].addresses == {CAROL}


def test_a_stolen_letter_and_a_forged_sender_do_not_undo_a_new_address(people):
    stolen = people.got[ALICE][0]
    people.write(ALICE, f"address {WORK}")
    question = people.got[ALICE][-1]
    people.write(WORK, "yes", to=people.got[WORK][-1])
    people.write(ALICE, "yes", to=question)
    told = people.got[ALICE][-1]
    assert WORK in people.match().holders["red"].addresses
    people.write(ALICE, "undo", to=stolen)
    assert "counts only in a reply to the letter that told you" in letter_text(people.got[WORK][-1]).replace("\n", " ")
    assert WORK in people.match().holders["red"].addresses
    people.write(ALICE, "undo", to=told)
    assert people.match().holders["red"].addresses == {ALICE}


# What comes to the orders that stand


@pytest.mark.parametrize(
    "text",
    [
        "I'd also like to bomb EC", "I also want to bomb EC", "Bomb EC as well", "Bomb EC, too, please", "Also bomb EC",
        "Ich möchte auch EC bombardieren", "Ich würde gern auch noch EC bombardieren", "Außerdem bombardiere EC",
        "Я бы также хотел бомбить EC", "Ещё бомба EC",
    ],
)  # fmt: skip
def test_one_order_more_is_proposed_with_those_that_stand(people, text):
    people.write(ALICE, "3 M to S")
    people.write(ALICE, text)
    assert people.match().standing["red"].canonical == "3 M to S"
    people.write(ALICE, "yes")
    assert people.match().standing["red"].canonical == "3 M to S; Bomb EC"


def test_with_none_that_stand_it_is_all_there_is(people):
    people.write(ALICE, "I'd also like to bomb EC")
    assert people.match().standing["red"].canonical == "Bomb EC"


@pytest.mark.parametrize("text", ["3 A to M, also bomb EC", "2 M to S\nAlso, I like this game"])
def test_an_also_among_several_orders_or_beside_them_is_about_no_others(people, text):
    people.write(ALICE, "3 M to S")
    people.write(ALICE, text)
    assert people.match().standing["red"].canonical != "3 M to S"


@pytest.mark.parametrize("text", ["I'd also not bomb EC", "I would also like to think about bombing EC", "also not EC"])
def test_an_also_makes_nothing_certain(people, text):
    people.write(ALICE, text)
    assert not people.match().standing


# Answers in the writer's own words


@pytest.fixture
def invited(people: Correspondents) -> Correspondents:
    """Carol is invited to oz-2."""
    people.write(ALICE, f"challenge {CAROL}")
    return people


@pytest.mark.parametrize(
    "text",
    [
        "Yes please, I'd love to play.", "Sure, I'm in!", "Gladly, count me in.", "I'd be happy to play, thanks!",
        "Ja gerne, ich bin dabei!", "Klar, ich mache mit.", "Da spiele ich gerne mit, danke für die Einladung!",
        "Да, с удовольствием сыграю!", "Согласна, давайте сыграем", "Конечно, я в деле!",
    ],
)  # fmt: skip
def test_any_clear_yes_accepts_an_invitation(invited, text):
    (answer, *_) = invited.write(CAROL, text)[CAROL]
    assert invited.match("oz-2").phase == "running", answer


@pytest.mark.parametrize(
    "text",
    [
        "No thanks, I have no time for games at the moment.", "Sorry, I can't, not my thing.",
        "Nein danke, dafür habe ich leider keine Zeit.", "Спасибо, но нет, совсем нет времени.",
    ],
)  # fmt: skip
def test_any_clear_no_declines_an_invitation(invited, text):
    invited.write(CAROL, text)
    assert invited.match("oz-2").phase == "annulled"


def test_a_question_beside_the_yes_is_answered(invited):
    answer = " ".join(invited.write(CAROL, "Yes please, I'd love to play. Who is my opponent?")[CAROL])
    assert "oz-2 begins" in answer
    assert "Red: Alice." in answer
    assert "Ignored as" not in answer


def test_orders_beside_the_yes_are_taken_if_the_game_begins_with_it(invited):
    answer = " ".join(invited.write(CAROL, "Sure, I'm in!\n3 V to VC")[CAROL])
    assert "Your orders for turn 1 are in" in answer
    assert invited.match("oz-2").standing["blue"].canonical == "3 V to VC"


def test_another_language_beside_the_yes_is_offered(invited):
    answer = " ".join(invited.write(CAROL, "Yes, I'd love to!\nCould you write to me in German?")[CAROL])
    assert "oz-2 begins" in answer
    assert "Do you mean `language German`?" in answer


@pytest.mark.parametrize("text", ["How long does a game take?", "status", "3 V to S", "Is it free?"])
def test_whoever_has_not_accepted_is_told_so(invited, text):
    answer = invited.say(CAROL, text)
    assert answer.count("You have not accepted oz-2 yet: answer `accept` to take part, or `decline`.") == 1
    assert invited.match("oz-2").phase == "offered"
    assert "Still waiting for orders" not in answer


def test_a_letter_that_only_sounds_like_a_yes_is_asked_about(invited):
    assert "not sure whether that means yes or no" in invited.say(
        CAROL, "Hm, a game against Alice, that would be something"
    )
    assert invited.match("oz-2").phase == "offered"
    invited.write(CAROL, "yes")
    assert invited.match("oz-2").phase == "running"


def test_a_letter_that_only_sounds_like_a_no_gets_the_question_once_more(people):
    people.write(BOB, "draw")
    answer = people.say(ALICE, "Hell will have to freeze over first, mate")
    assert "answer `no` if you do not agree, and `yes` if you do" in answer
    assert 'You wrote: "Hell will have to freeze over first, mate"' in answer
    assert "a draw offered to you. If you meant something else, we did not understand it" in answer
    people.write(ALICE, "no")
    assert (people.match().phase, people.match().wishes) == ("running", {})


def test_a_hasty_yes_to_that_question_answers_it_and_not_what_the_letter_sounded_like(people):
    people.write(BOB, "draw")
    people.write(ALICE, "Hell will have to freeze over first, mate")
    people.write(ALICE, "yes")
    assert people.match().phase == "finished"


@pytest.mark.parametrize(
    "text",
    [
        *("...", "2", "ok?", "ja?", "Sure.\nNot.", "Yes, unless Bob agrees to a draw.", "Yes but I'd rather play on"),
        *("Ja, aber ich will weiterspielen", "yes, I want to continue", "Sure\n2 A to AC"),
    ],
)
def test_no_game_ends_with_a_yes_that_may_be_none(people, text):
    people.write(ALICE, "resign")
    people.write(ALICE, text)
    assert people.match().phase == "running"


@pytest.mark.parametrize("text", ["...", "2", "ok?", "sure?"])
def test_no_game_begins_with_a_yes_that_may_be_none(invited, text):
    invited.write(CAROL, text)
    assert invited.match("oz-2").phase == "offered"


def test_what_is_wanted_beside_an_answer_is_not_dropped(people):
    people.write(ALICE, "draw")
    assert "language German" in people.say(BOB, "No, let's play on. And please write to me in German.")


def test_a_proposal_is_kept_as_it_is_where_an_answer_only_adds_or_repeats(people):
    people.write(ALICE, "2 A to AC; Bomb EC\nwithdraw")
    for text in ("Right. Also put two from Mu to Mystery City.", "Yes, with the bomb."):
        answer = people.say(ALICE, text)
        assert "Bomb MC" not in answer
        assert "2 A to AC\n" not in answer


@pytest.mark.parametrize("word", ["acept", "decilne", "qwertz"])
def test_a_word_that_may_be_an_answer_gets_the_question_once_more(invited, word):
    assert "not sure whether that means yes or no" in invited.say(CAROL, word)
    assert invited.match("oz-2").phase == "offered"


@pytest.mark.parametrize(
    "text", ["No way, I'm still winning this!", "Nein, ich spiele lieber weiter.", "Нет, играем дальше"]
)
def test_a_no_in_own_words_declines_a_draw(people, text):
    people.write(ALICE, "draw")
    people.write(BOB, text)
    assert not people.match().wishes.get("draw")
    assert people.match().phase == "running"


@pytest.mark.parametrize(
    "text", ["No, I want to play on.", "Nein, doch nicht, ich spiele weiter", "Нет, я передумал, играю дальше"]
)
def test_a_no_in_own_words_takes_a_resignation_back(people, text):
    people.write(ALICE, "resign")
    people.write(ALICE, text)
    people.write(ALICE, "yes")
    assert people.match().phase == "running"


@pytest.mark.parametrize("text", ["No problem!", "Ich habe nichts dagegen", "не возражаю"])
def test_denying_an_objection_to_a_draw_agrees_to_it(people, text):
    people.write(ALICE, "draw")
    people.write(BOB, text)
    assert people.match().phase == "finished"


def test_a_no_that_denies_an_objection_as_well_gets_the_question_once_more(people):
    people.write(ALICE, "draw")
    assert "not sure whether that means yes or no" in people.say(BOB, "No, I do not mind")
    people.write(BOB, "yes")
    assert people.match().phase == "finished"


def test_orders_beside_the_no_to_a_draw_are_taken(people):
    people.write(ALICE, "draw")
    people.write(BOB, "3 H to S\nNo draw please, let's play on.")
    assert people.match().standing["blue"].canonical == "3 H to S"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Right, except send all three.", "3 A to AC; Bomb EC"),
        ("Yes, only the bomb should go to Ulteria, not to Elfin City.", "2 A to AC; Bomb U"),
        ("Ja, aber nicht zwei, sondern alle drei.", "3 A to AC; Bomb EC"),
        ("Почти, только бомбу уберите.", "2 A to AC"),
    ],
)
def test_a_yes_with_a_change_proposes_the_orders_with_that_change(people, text, expected):
    people.write(ALICE, "2 A to AC, Bomb EC\nwithdraw")
    answer = people.say(ALICE, text)
    assert f"or send new orders. {expected}" in answer
    assert not people.match().standing
    people.write(ALICE, "yes")
    assert people.match().standing["red"].canonical == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Yes, but without the bomb.", "2 A to AC"),
        ("Passt, und dazu 1 von A nach M.", "2 A to AC, 1 A to M; Bomb EC"),
        ("ja. plus 1 von a nach zephyria", "2 A to AC, 1 A to Z; Bomb EC"),
    ],
)
def test_orders_with_a_clear_change_stand_until_the_deadline_and_the_change_is_never_played_alone(
    people, text, expected
):
    people.write(ALICE, "2 A to AC, Bomb EC\nwithdraw")
    assert "This is how we understand your orders" in people.say(ALICE, text)
    assert people.match().standing["red"].canonical == expected
    assert people.match().is_provisional("red")


@pytest.mark.parametrize(
    "text", ["Hi, I'm Carol, I'd love to take it over!", "Ja gerne, ich übernehme das.", "Да, с удовольствием!"]
)
def test_a_substitute_takes_the_seat_in_any_words(people, text):
    sure(people, ALICE, f"hand over to {CAROL}")
    people.write(CAROL, text)
    assert people.match().holders["red"].player.address == CAROL


def test_a_substitute_declines_the_seat_in_any_words(people):
    sure(people, ALICE, f"hand over to {CAROL}")
    people.write(CAROL, "Sorry, no, I have no time for it at the moment.")
    people.write(CAROL, "yes")
    assert people.match().holders["red"].player.address == ALICE


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Ja gerne, ich bin dabei! Gegen wen spiele ich denn?", "Wir schreiben dir auf Deutsch, wie du uns."),
        ("Здравствуйте! Согласна, давайте сыграем.", "Мы пишем вам на вашем языке."),
        ("Was kostet das, und wie lange dauert es?", "Wir schreiben dir auf Deutsch, wie du uns."),
    ],
)
def test_who_is_new_is_answered_in_their_own_language(invited, text, told):
    answers = invited.write(CAROL, text)[CAROL]
    assert told in " ".join(answers)
    assert "In English: answer `language english`." in " ".join(answers)


def test_who_is_known_keeps_their_language(people):
    come(people, CAROL)
    people.write(CAROL, "language english")
    people.write(ALICE, f"challenge {CAROL}")
    assert "begins" in " ".join(people.write(CAROL, "Ja gerne, ich bin dabei!")[CAROL])


@pytest.mark.parametrize("text", ["statsu", "hlep", "Wo ist die Karte?", "Show me the map again", "Привет!"])
def test_what_is_no_answer_settles_nothing(people, text):
    for wish in ("draw", "resign"):
        people.write(ALICE, wish)
    question = people.got[ALICE][-1]
    people.write(ALICE, text, to=question)
    people.write(BOB, text)
    assert people.match().phase == "running"
    assert people.match().wishes["draw"] == {"red"}


@pytest.mark.parametrize("text", ["Alle drei von A nach M", "Move all three from Atlantea to Mu"])
def test_other_orders_in_everyday_words_replace_a_proposal_as_a_whole(people, text):
    people.write(ALICE, "2 A to AC, Bomb EC\nwithdraw")
    people.write(ALICE, text)
    assert people.match().standing["red"].canonical == "3 A to M"


@pytest.mark.parametrize("word", ["forget me", f"hand over to {CAROL}"])
def test_what_cannot_be_taken_back_needs_the_word_yes(people, word):
    come(people, CAROL)
    people.write(ALICE, word)
    people.write(ALICE, "Sure, that is exactly what I want, go ahead and do it for me")
    assert people.match().phase == "running"
    assert people.match().holders["red"].addresses == {ALICE}
    assert "offers you a seat" not in flat(people.got[CAROL][-1])


@pytest.mark.parametrize(("lapsed", "settles"), [(False, True), (True, False)])
def test_with_a_token_that_has_lapsed_only_the_word_yes_answers(lapsed, settles):
    match = begun(wishes={"draw": frozenset({"blue"})})
    case = letter("Yes, a draw is fine with me.", match, "red", lapsed=lapsed)
    over = [effect.match.result for effect in receive(case, NOON) if isinstance(effect, Save) and effect.match.result]
    assert bool(over) == settles


def test_with_a_former_player_only_words_go_that_others_were_asked_about(people):
    come(people, CAROL)
    people.write(ALICE, f"hand over to {CAROL}")
    for who in (ALICE, CAROL):
        people.write(who, "yes")
    people.write(BOB, "3 H to S\nCarol, Alice was ill all the time.")
    people.write(BOB, f"hand over to {ALICE}")
    asked = [question.command.word for question in people.match().open_commands["blue"]]
    people.write_anew(ALICE, "forget me")
    people.write(ALICE, "yes")
    left = [question.command.word for question in people.match().open_commands["blue"]]
    assert (asked, left) == (["press", "hand"], ["hand"])


def test_a_proposal_from_before_orders_that_are_withdrawn_is_not_open_any_more(people):
    people.write(ALICE, "3 Atlantae to M")
    assert people.match().proposals["red"]
    people.write(ALICE, "3 W to M")
    people.write(ALICE, "withdraw")
    people.write(ALICE, "yes")
    assert not people.match().standing
