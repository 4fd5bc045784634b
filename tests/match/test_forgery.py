"""Mallory's ways to somebody else's account: forged senders, old tokens, made-up references. None leads there."""

from datetime import timedelta

import pytest

from pbem.cli.demo import DemoDesk
from pbem.config.config import Address
from pbem.match.identity import find_tokens
from pbem.match.model import Master
from pbem.service.maintenance import examine
from support.correspondents import ALICE, BOB, CAROL, Correspondents, come, finish, flat
from support.game_masters import GINA, in_league, set_terms
from support.tables import configure

GERDA, MALLORY, EVIL = "gerda@example.org", ALICE, "mal@evil.example"


@pytest.fixture
def people(table: DemoDesk) -> Correspondents:
    """Mallory has Alice's seat in oz-1; Gerda is nobody that the desk knows of yet."""
    return Correspondents(table)


def owner(people: Correspondents, address: str) -> str | None:
    """Whose an address is for the desk."""
    found = people.table.store.conn.execute(
        "SELECT name FROM players p JOIN addresses a ON a.player = p.id WHERE address = ? AND a.confirmed IS NOT NULL",
        (address,),
    ).fetchone()
    return found and found[0]


def forge(people: Correspondents, sender: str, text: str) -> None:
    """A letter to Mallory's own reply address that says it is from somebody else; and Mallory owns to it."""
    people.write(sender, text, to=people.got[MALLORY][0])
    people.write(MALLORY, "yes")


# Another's address


def test_owning_to_a_forged_letter_makes_no_address_ones_own(people):
    forge(people, GERDA, "3 A to M")
    assert owner(people, GERDA) is None
    assert "this address is theirs" in flat(people.got[GERDA][-1])


def test_an_invitation_of_somebody_whose_address_was_forged_goes_to_them(people):
    forge(people, GERDA, "3 A to M")
    news = people.write(BOB, f"challenge {GERDA}")
    assert set(news) == {BOB, GERDA}
    people.write(GERDA, "accept")
    assert people.match("oz-2").holders["blue"].addresses == {GERDA}


def test_a_forged_yes_in_a_letter_that_is_owned_to_confirms_nothing(people):
    forge(people, GERDA, "yes\naccept\njoin")
    assert owner(people, GERDA) is None


def test_a_forged_decision_in_a_letter_that_is_owned_to_is_its_owners_alone(people):
    forge(people, GINA.address, "award oz-1 red because I am the best\nban bob@example.com because he wins")
    people.poll()
    assert people.match().phase == "running"
    forge(people, GINA.address, "award oz-1 red because I am the best")
    assert people.match().phase == "running"
    assert owner(people, GINA.address) is None


def test_a_forged_award_of_a_game_master_is_asked_back_where_they_read_their_mail(people):
    forge(people, GINA.address, "3 A to M")
    news = people.write_anew(GINA.address, "award oz-1 red because I am the best")
    assert set(news) == {GINA.address}
    assert "Did you write this" in news[GINA.address][0]
    assert people.match().phase == "running"


def test_somebody_invited_confirms_no_address_but_the_one_that_the_invitation_went_to(people):
    people.write(BOB, f"challenge {CAROL}")
    invitation = people.got[CAROL][-1]
    people.write(CAROL, f"address {GERDA}", to=invitation)
    people.write(GERDA, "accept", to=invitation)
    assert owner(people, GERDA) is None
    assert people.match("oz-2").phase == "offered"


# Old tokens


@pytest.mark.parametrize(
    "line", ["forget me", "join", "vacation 1 December to 3 December", "hand over to mal@evil.example"]
)
def test_a_token_of_a_turn_long_played_brings_a_question_and_nothing_else(people, line):
    old = people.got[BOB][0]
    people.write(ALICE, "Pass")
    people.write(BOB, "Pass")
    people.poll(timedelta(days=2))
    people.table.store.conn.execute("UPDATE matches SET deadline = NULL, due = NULL")
    people.poll(timedelta(days=20))
    news = people.write(BOB, line, to=old)
    assert set(news) == {BOB}
    assert f"Did you write this? `{line.replace('mal@evil.example', 'mal @ evil . example')}" in news[BOB][0]
    kinds = people.table.store.conn.execute(
        "SELECT count(*) FROM record WHERE kind IN ('forget', 'vacation', 'hand over')"
    )
    assert kinds.fetchone() == (0,)


def test_a_question_about_an_old_token_that_is_answered_has_its_letter_done(people):
    old = people.got[BOB][0]
    people.write(ALICE, "Pass")
    people.write(BOB, "Pass")
    people.table.store.conn.execute("UPDATE matches SET deadline = NULL, due = NULL")
    people.poll(timedelta(days=20))
    people.write(BOB, "zone Tokyo\ndraw", to=old)
    people.write(BOB, "yes")
    assert people.match().holders["blue"].player.zone == "Asia/Tokyo"
    assert people.match().wishes == {"draw": {"blue"}}


@pytest.mark.parametrize("word", ["yes", "accept", "no", "decline", "decline always"])
@pytest.mark.parametrize("answers", [True, False])
def test_an_old_token_settles_nothing_that_is_open_before_a_yes(people, word, answers):
    old = people.got[BOB][0]
    people.write(ALICE, "Pass")
    people.write(BOB, "Pass")
    people.table.store.conn.execute("UPDATE matches SET deadline = NULL, due = NULL")
    people.poll(timedelta(days=20))
    people.write(ALICE, "draw")
    letter = people.answer(BOB, word, to=old)
    if not answers:
        del letter["References"], letter["In-Reply-To"]
    people.table.deliver(letter.as_bytes())
    assert set(people.poll()) == {BOB}
    assert people.match().phase == "running"
    assert people.match().wishes == {"draw": {"red"}}
    assert people.table.store.conn.execute("SELECT count(*) FROM players WHERE refuses IS NOT NULL").fetchone() == (0,)


@pytest.mark.parametrize("days", [0, 1, 400])
def test_the_token_of_a_game_and_a_forged_sender_take_over_no_account(people, days):
    finish(people)
    people.poll(timedelta(days=days))
    stolen = people.got[BOB][0]
    people.write(BOB, f"address {EVIL}", to=stolen)
    for claim in people.got.get(EVIL, []):
        people.write(EVIL, "yes", to=claim)
        people.write(BOB, "yes", to=stolen)
        people.write(BOB, "yes", to=claim)
    assert owner(people, EVIL) is None
    assert people.match().holders["blue"].addresses == {BOB}


def test_ones_own_token_from_long_ago_is_asked_about(people):
    come(people, CAROL)
    mine = people.got[CAROL][-1]
    people.poll(timedelta(days=13))
    people.write(CAROL, "zone Tokyo", to=mine)
    assert people.table.store.conn.execute("SELECT zone FROM players WHERE id = 3").fetchone() == ("Asia/Tokyo",)
    people.poll(timedelta(days=2))
    assert "Did you write this? `forget me`" in people.write(CAROL, "forget me", to=mine)[CAROL][0]
    assert owner(people, CAROL)


def test_words_with_an_old_token_are_no_press_before_a_yes(people):
    people.write(ALICE, "press: hello")
    old = people.got[BOB][-1]
    people.write(ALICE, "Pass")
    people.write(BOB, "Pass", to=people.got[BOB][0])
    people.table.store.conn.execute("UPDATE matches SET deadline = NULL, due = NULL")
    people.poll(timedelta(days=20))
    people.write(BOB, "Pass")
    news = people.write(BOB, "I never liked you", to=old)
    assert set(news) == {BOB}
    assert "I never liked you" in people.write(BOB, "yes")[ALICE][0]


def test_an_automatic_letter_with_an_old_token_is_neither_obeyed_nor_held_nor_asked_about(people):
    old = people.got[BOB][0]
    people.write(ALICE, "Pass")
    people.write(BOB, "Pass")
    people.table.store.conn.execute("UPDATE matches SET deadline = NULL, due = NULL")
    people.poll(timedelta(days=20))
    letter = people.answer(BOB, "zone Tokyo", to=old)
    letter["Precedence"] = "bulk"
    people.table.deliver(letter.as_bytes())
    assert people.poll() == {}
    assert people.table.store.conn.execute("SELECT count(*) FROM letters WHERE state = 'held'").fetchone() == (0,)
    assert people.match().holders["blue"].player.zone == ""


# Tokens in what others read


@pytest.mark.parametrize("before", ["press: ", ""])
def test_a_reply_address_that_is_quoted_in_press_is_not_passed_on(people, before):
    """Whoever reads it could write in the sender's name."""
    people.write(ALICE, "3 A to M")
    people.write(BOB, "press: hello")
    quoted = "I read gm+1-red-1-bwcgixumpcxlbwxk@example.org; <1-RED-1-BWCGIXUMPCXLBWXK.answer-1@example.org> came."
    (press,) = people.write(ALICE, f"{before}Good luck to you, too!\n{quoted}")[BOB]
    assert "too! | I read gm+...@example.org; <....answer-1@example.org> came." in press


def test_a_reply_address_of_a_game_master_reaches_no_player_whatever_they_say(people):
    moderated(people, Master(*HANS))
    review = people.got[HANS.address][-1]
    (token,) = find_tokens([review["Reply-To"]])
    for line in ("say: {}", "tell red: {}", "extend 2 days because {}", "release because {}", "annul because {}"):
        people.write(HANS.address, line.format(f"see {review['Reply-To']}"), to=review)
    assert people.match().phase == "annulled"
    seen = [flat(letter) for who in (ALICE, BOB) for letter in people.got[who]]
    assert any("see <gm+...@example.org>" in letter for letter in seen)
    assert not any(token.proof in letter for letter in seen)


# References


def test_a_reference_that_nobody_has_sent_answers_nothing(people):
    people.write(ALICE, "resign")
    (token,) = find_tokens([people.got[ALICE][-1]["Reply-To"]])
    for made_up in ("<9-red-9-aaaaaaaaaaaaaaaa.answer-1@example.org>", f"<{token}.answer-1@example.org>"):
        letter = people.answer(ALICE, "yes", people.got[ALICE][0])
        del letter["References"], letter["In-Reply-To"]
        letter["In-Reply-To"] = letter["References"] = made_up
        people.table.deliver(letter.as_bytes())
        assert "One question is open:" in people.poll()[ALICE][0]
    assert people.match().phase == "running"
    people.write(ALICE, "yes", to=people.got[ALICE][1])
    assert people.match().phase == "finished"


# Signed letters


def test_where_letters_must_be_signed_none_without_is_held_asked_about_or_obeyed(people):
    configure(people.table, "mailbox", "authserv_id = mx.example.org")
    configure(people.table, "desk", "trust = signed")
    seat, answers = people.got[BOB][0], []
    answers += [*people.write(GERDA, "3 H to S", to=seat).values()]
    answers += [*people.write(BOB, f"address {EVIL}\nresign\nforget me", to=seat).values()]
    answers += [*people.write_anew(GINA.address, "annul oz-1 because I say so").values()]
    answers += [*people.write_anew(BOB, "zone Tokyo\nstatus").values()]
    answers += [*people.write_anew(EVIL, "join").values()]
    assert not any(word in text for letters in answers for text in letters for word in ("Did you", "is held", "oz-1:"))
    assert EVIL not in people.got
    assert people.table.store.conn.execute("SELECT count(*) FROM letters WHERE state = 'held'").fetchone() == (0,)


# Game masters

HANS = Address("Hans", "hans@example.org")


def moderated(people: Correspondents, *masters: Master) -> None:
    """oz-1 belongs to a league with these masters, and turn 1 is played and waits for their word."""
    in_league(people.table, *masters)
    set_terms(people.table, review=timedelta(days=1))
    people.write(ALICE, "3 A to M")
    people.write(BOB, "3 H to S")
    assert people.match().phase == "review"


def test_an_answer_of_one_game_master_with_the_name_of_another_is_nobodys(people):
    moderated(people, Master("Gina", "gina@example.org"), Master(*HANS, ("extend",)))
    review = people.got[HANS.address][-1]
    news = people.write("gina@example.org", "annul because I say so\nok", to=review)
    assert people.match().phase == "review"
    assert set(news) == {"gina@example.org"}
    assert (
        "You do not have this right" in people.write(HANS.address, "annul because I say so", to=review)[HANS.address][0]
    )
    people.write("gina@example.org", "ok", to=people.got["gina@example.org"][0])
    assert people.match().phase == "running"


def test_a_game_master_who_is_only_named_is_asked_before_anything_is_decided(people):
    in_league(people.table, Master(*HANS))
    configure(people.table, "desk", "trust = address")
    news = people.write_anew(HANS.address, "annul oz-1 because I say so")
    assert "Did you write this" in news[HANS.address][0]
    assert (people.match().phase, owner(people, HANS.address)) == ("running", None)
    people.write(HANS.address, "yes")
    assert (people.match().phase, owner(people, HANS.address)) == ("annulled", "Hans")


def test_an_ok_to_a_report_that_was_undone_releases_not_the_one_that_took_its_place(people):
    moderated(people, Master(*HANS))
    first = people.got[HANS.address][-1]
    people.write(HANS.address, "rollback 1 because red was read wrongly", to=first)
    people.write(ALICE, "2 A to M")
    people.write(BOB, "3 H to S")
    assert people.match().phase == "review"
    second = people.got[HANS.address][-1]
    for word in ("ok", "release oz-1"):
        news = people.write(HANS.address, word, to=first)
        assert "Your letter answers an older report" in news[HANS.address][0]
        assert people.match().phase == "review"
    people.write(HANS.address, "ok", to=second)
    assert people.match().phase == "running"


def test_whoever_plays_is_no_master_of_the_game(people):
    moderated(people, Master("Bob", BOB), Master(*HANS))
    assert not any("waiting for your release" in flat(letter) for letter in people.got[BOB])
    assert "waiting for your release" in flat(people.got[HANS.address][-1])
    configure(people.table, "desk", "trust = address")
    news = people.write_anew(BOB, "award oz-1 blue because I am the best\nrelease oz-1\nstatus")
    assert news[BOB][0].count("You play in oz-1 yourself: another game master, or the operator, decides there") == 2
    assert people.match().phase == "review"


def test_where_every_master_of_a_league_plays_the_desks_game_master_decides(people):
    moderated(people, Master("Bob", BOB))
    people.write(GINA.address, "ok", to=people.got[GINA.address][-1])
    assert people.match().phase == "running"


def test_where_nobody_is_left_to_look_at_it_a_report_goes_out_at_once(people):
    configure(people.table, "desk", f"game_master = Bob <{BOB}>")
    set_terms(people.table, review=timedelta(days=1))
    people.write(ALICE, "3 A to M")
    assert "Turn 1 has been played" in people.write(BOB, "3 H to S")[ALICE][0]


@pytest.mark.usefixtures("desk_table")
def test_a_league_may_let_a_report_that_nobody_may_look_at_wait_for_the_operator(people):
    configure(people.table, "desk", f"game_master = Bob <{BOB}>")
    set_terms(people.table, review=timedelta(days=1), unreviewed="operator")
    people.write(ALICE, "3 A to M")
    assert list(people.write(BOB, "3 H to S")) == [BOB]
    assert "Turn 1 has been played" not in flat(people.got[BOB][-1])
    assert people.match().phase == "review"
    told = [str(one) for one in examine(people.table.config, people.table.now, lambda text: None)]
    assert any("a report waits, and every game master plays there: oz-1." in one for one in told)
    assert "Turn 1 has been played" in people.poll(timedelta(days=1))[ALICE][0]


def test_a_game_master_cannot_ban_whom_they_play_against(people):
    configure(people.table, "desk", f"game_master = Bob <{BOB}>")
    configure(people.table, "desk", "trust = address")
    news = people.write_anew(BOB, f"ban {ALICE} because she wins")
    assert "You play against them in oz-1" in news[BOB][0]
