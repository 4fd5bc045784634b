"""Yes and no: whatever is open with somebody is settled by their word, and what is not certain is listed."""

import pytest

from pbem.cli.demo import Table, letter_text
from support.correspondents import ALICE, BOB, CAROL, Correspondents, come, sure

EVE, WORK = "eve@evil.example", "alice@work.example"


@pytest.fixture
def people(table: Table) -> Correspondents:
    """Alice is Red and Bob is Blue in oz-1."""
    return Correspondents(table)


def unseen(people: Correspondents, who: str, text: str) -> str:
    """The answer to a letter to the address of the last one that shows no reference."""
    letter = people.answer(who, text)
    del letter["References"], letter["In-Reply-To"]
    people.table.deliver(letter.as_bytes())
    (answer,) = people.poll()[who]
    return answer


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


def test_a_yes_to_the_wish_for_a_rematch_begins_one(people):
    sure(people, ALICE, "resign")
    people.write(ALICE, "rematch")
    assert "oz-2" in " ".join(people.write(BOB, "yes")[BOB])


@pytest.mark.parametrize("word", ["no", "Nein, danke", "decline", "нет"])
def test_a_no_to_the_offer_of_a_draw_is_told_and_the_game_goes_on(people, word):
    people.write(ALICE, "draw")
    news = people.write(BOB, word)
    assert "Declined: the draw that is offered to you." in news[BOB][0]
    assert "Bob (Blue) declines a draw." in news[ALICE][0]
    assert not people.match().wishes.get("draw")


def test_a_word_of_agreement_to_a_receipt_ends_no_game(people):
    receipt = people.write(BOB, "3 H to S") and people.got[BOB][-1]
    people.write(ALICE, "draw")
    (answer,) = people.write(BOB, "ok", to=receipt)[BOB]
    assert "1 the draw that is offered to you" in answer
    assert people.match().phase == "running"
    people.write(BOB, "yes")
    assert people.match().phase == "finished"


def test_a_proposal_can_be_declined(people):
    people.write(ALICE, "9 A to M")
    assert "Declined: orders that were proposed to you: 3 A to M." in people.say(ALICE, "no")
    assert "Nothing is open with you" in people.say(ALICE, "yes")


def test_a_yes_without_a_reference_after_a_question_about_press_passes_nothing_on(people):
    people.write(BOB, "press: Hello\nend press")
    people.write(ALICE, "I shall attack Mu", to=people.got[ALICE][-1])
    question = people.got[ALICE][-1]
    assert "1 `press blue: I shall attack Mu`, as you wrote" in unseen(people, ALICE, "yes")
    assert not people.match().standing
    news = people.write(ALICE, "yes", to=question)
    assert "I shall attack Mu" in news[BOB][0]


# More than one


def test_what_is_open_is_listed_with_a_number_each(people):
    people.write(BOB, "draw")
    people.write(ALICE, "9 A to M")
    assert "Which do you mean?" in unseen(people, ALICE, "yes")
    assert asked(people) == ["1 orders that were proposed to you: 3 A to M", "2 the draw that is offered to you"]
    people.write(ALICE, "no 2\nyes 1")
    assert people.match().standing["red"].canonical == "3 A to M"
    assert not people.match().wishes.get("draw")


def test_a_number_means_what_it_did_in_the_list_though_another_question_is_settled_meanwhile(people):
    people.write(BOB, "draw")
    people.write(ALICE, "9 A to M")
    unseen(people, ALICE, "yes")
    listing = people.got[ALICE][-1]
    people.write(ALICE, "yes 1", to=listing)
    assert "settled already, or has lapsed. Open with you are:" in people.write(ALICE, "yes 1", to=listing)[ALICE][0]
    people.write(ALICE, "yes 2", to=listing)
    assert people.match().phase == "finished"


@pytest.mark.parametrize("text", ["yes 3", "yes 99", "no 0"])
def test_a_number_that_no_list_has_settles_nothing(people, text):
    people.write(ALICE, "9 A to M")
    assert "settled already, or has lapsed. Open with you are: 1 orders" in people.say(ALICE, text)
    assert not people.match().standing


def test_with_nothing_open_the_answer_is_short(people):
    people.write(ALICE, "3 A to M")
    assert len(people.say(ALICE, "ok").split("--------")[0].split()) < 30


# Held letters


def test_a_yes_to_one_of_two_held_letters_of_one_address_releases_both_and_the_newest_counts(people):
    for text in ("1 A to M", "2 A to M"):
        people.write(WORK, text, to=people.got[ALICE][0])
    first, second = people.got[ALICE][-2:]
    assert "The 2 letters that were held count" in people.write(ALICE, "yes", to=first)[ALICE][0]
    people.poll()
    assert people.match().standing["red"].canonical == "2 A to M"
    assert not people.match().held
    assert second is not first


def test_a_held_letter_is_listed_rather_than_released_by_a_yes_to_another_letter(people):
    people.write(EVE, "1 A to M", to=people.got[ALICE][0])
    assert "1 a letter from eve@evil.example that is held" in unseen(people, ALICE, "yes")
    assert people.match().held
    assert "Declined" in people.say(ALICE, "no")
    assert not people.match().held


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
    assert f"Do you really offer your seat to {CAROL}?" in news[ALICE][0]
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
    assert "counts only in an answer to the letter that told you" in letter_text(people.got[WORK][-1]).replace(
        "\n", " "
    )
    assert WORK in people.match().holders["red"].addresses
    people.write(ALICE, "undo", to=told)
    assert people.match().holders["red"].addresses == {ALICE}
