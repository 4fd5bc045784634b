"""A lost address: what a game master says of it, by mail and on the command line, and how it is undone."""

import re
from datetime import timedelta

import pytest
from click.testing import CliRunner

from pbem.cli.demo import DemoDesk
from pbem.cli.main import main
from pbem.store.players import data_of
from support.correspondents import ALICE, BOB, CAROL, DAVE, Correspondents, come, finish, flat, move, sure
from support.game_masters import GINA
from support.tables import configure

NEW, HANS, EVIL = "alice@new.example", "hans@example.org", "mal@evil.example"
MOVED = f"address {ALICE} is {NEW} because her provider has closed"


@pytest.fixture
def people(table: DemoDesk) -> Correspondents:
    return Correspondents(table)


def decide(people: Correspondents, who: str, line: str) -> dict[str, list[str]]:
    """A game master's letter, the question whether it is theirs, their yes, and what comes of it."""
    people.write_anew(who, line)
    assert "Did you write this" in flat(people.got[who][-1])
    return people.write(who, "yes")


def run(people: Correspondents, *words: str):
    start = ["--config", str(people.table.config.path), "--now", f"{people.table.now:%Y-%m-%dT%H:%MZ}"]
    return CliRunner().invoke(main, [*start, *words])


def addresses(people: Correspondents, player: int = 1) -> list[str]:
    return [written for written, sure in data_of(people.table.store, player)["addresses"] if sure]


# Whom a game master names


def test_a_game_master_may_name_the_player_instead_of_the_old_address(people):
    news = decide(people, GINA.address, f"address alice is {NEW} because her provider has closed")
    assert f"Done: address alice is {NEW}" in news[GINA.address][-1]
    assert f"A game master says that {NEW} replaces this address." in news[ALICE][0]
    assert "says that this address is theirs" in news[NEW][0]


def test_a_name_that_several_have_or_nobody_moves_no_address(people):
    news = people.write_anew(GINA.address, f"address Zoe is {NEW} because her provider has closed")
    assert 'We know no address of "Zoe": write `address OLD is NEW because ...`.' in news[GINA.address][-1]
    people.table.store.conn.execute("UPDATE players SET name = 'Alice'")
    news = people.write_anew(GINA.address, f"address Alice is {NEW} because her provider has closed")
    assert 'Several players are called "Alice": write `address OLD is NEW because ...`.' in news[GINA.address][-1]
    assert NEW not in news


def test_a_game_master_who_gives_no_reason_is_told_the_form(people):
    news = decide(people, GINA.address, f"address Alice is {NEW}")
    said = news[GINA.address][-1]
    assert "For a player write `address OLD is NEW because ...`: OLD is their address or name." in said


# The story


def test_a_lost_address_is_mended_by_the_game_master_and_the_game_goes_on_at_the_new_one(people):
    people.write(ALICE, "zone Tokyo\n3 A to M")
    people.table.store.conn.execute("INSERT INTO ratings (match, player, mu, sigma) VALUES (1, 1, 30, 2)")
    before = re.findall(r"\d{4} \+/- \d+", people.say(ALICE, "status"))[0]
    news = decide(people, GINA.address, MOVED)
    assert set(news) == {GINA.address, ALICE, NEW}
    assert f"Done: address {ALICE} is {NEW}" in news[GINA.address][-1]
    assert f"A game master says that {NEW} replaces this address." in news[ALICE][0]
    assert "The game master's reason: | her provider" in news[ALICE][0]
    assert "says that this address is theirs" in news[NEW][0]
    assert not {ALICE, "Alice", "oz-1"} & set(news[NEW][0].replace("`", " ").split())
    assert addresses(people) == [ALICE]
    news = people.write(NEW, "yes")
    assert addresses(people) == [NEW]
    assert "reply to this letter with `undo` within 14 days" in news[ALICE][0]
    assert "It replaces alice@example.net; letters from there no longer count" in news[NEW][0]
    (here,) = [letter for letter in people.got[NEW] if "letters of this game come to this address" in flat(letter)]
    assert "3 A to M" in flat(here)
    people.write(NEW, "2 A to M", to=here)
    news = people.write(BOB, "3 H to S")
    assert set(news) == {NEW, BOB}
    assert "Turn 1 has been played" in news[NEW][0]
    assert [*people.write(NEW, "status")] == [NEW]
    assert people.match().holders["red"].player.id == 1
    assert people.match().holders["red"].player.zone == "Asia/Tokyo"
    assert before in people.say(NEW, "status")


def test_a_letter_that_comes_back_from_the_lost_address_blocks_nothing(people):
    decide(people, GINA.address, MOVED)
    returned = people.got[ALICE][-1]
    people.write(NEW, "yes")
    bounce = people.answer(ALICE, "This account is closed.", to=returned)
    bounce["Auto-Submitted"] = "auto-replied"
    people.table.deliver(bounce.as_bytes())
    people.poll()
    people.write(NEW, "3 A to M")
    assert people.match().standing["red"].canonical == "3 A to M"


def test_who_was_invited_at_a_mistyped_address_takes_part_from_the_right_one(people):
    people.write(ALICE, f"challenge {CAROL}")
    decide(people, GINA.address, f"address {CAROL} is {DAVE} because it was mistyped")
    news = people.write(DAVE, "yes")
    assert "invites you to a game of Ozymandia by mail" in news[DAVE][1]
    assert len(people.got[CAROL]) == 1
    people.write(CAROL, "undo")
    people.write(CAROL, "accept")
    assert people.match("oz-2").phase == "offered"
    people.write(DAVE, "accept", to=people.got[DAVE][2])
    assert people.match("oz-2").phase == "running"
    people.write(CAROL, "accept", to=people.got[CAROL][0])
    assert people.match("oz-2").holders["blue"].addresses == {DAVE}


# Who may


def found(people: Correspondents, *masters: str, rights: str = "") -> None:
    """Found a league whose first season has not begun, with game masters by their addresses."""
    of = ", ".join(f'{{ name = "{who.partition("@")[0].title()}", address = "{who}"{rights} }}' for who in masters)
    decide(people, GINA.address, f'league:\nname = "Winter"\nformat = "swiss"\nmasters = [{of}]\nend league')


def test_the_game_master_of_a_league_may_name_a_player_of_it_and_nobody_else(people):
    found(people, HANS)
    people.write(ALICE, "join Winter")
    news = decide(people, HANS, f"address Alice is {NEW} because her provider has closed")
    assert f"Hans, game master of a league, asks whether {NEW} replaces this address" in news[ALICE][0]
    news = people.write_anew(HANS, f"address Bob is {EVIL} because his provider has closed")
    assert 'We know no address of "Bob"' in news[HANS][-1]


def test_a_leagues_game_master_asks_for_it_and_it_is_done_when_both_addresses_have_answered(people):
    found(people, HANS)
    people.write(ALICE, "join Winter")
    news = decide(people, HANS, MOVED)
    assert set(news) == {HANS, ALICE, NEW, GINA.address}
    assert f"{NEW} replaces {ALICE} once a `yes` has come from the old and from the new address" in news[HANS][-1]
    assert f"Hans, game master of a league, asks whether {NEW} replaces this address" in news[ALICE][0]
    assert f"Hans, game master of a league, asks for this: address {ALICE} is {NEW}" in news[GINA.address][0]
    question = people.got[ALICE][-1]
    people.write(NEW, "yes")
    assert addresses(people) == [ALICE]
    people.write(ALICE, "yes", to=question)
    assert addresses(people) == [NEW]


def test_the_older_address_declines_what_a_leagues_game_master_asks_for(people):
    found(people, HANS)
    people.write(ALICE, "join Winter")
    decide(people, HANS, MOVED)
    people.write(ALICE, "no")
    people.write(NEW, "yes")
    assert addresses(people) == [ALICE]


def test_the_desks_game_master_decides_what_a_leagues_has_asked_for(people):
    found(people, HANS)
    people.write(ALICE, "join Winter")
    decide(people, HANS, MOVED)
    people.write(NEW, "yes")
    assert addresses(people) == [ALICE]
    decide(people, GINA.address, MOVED)
    people.write(NEW, "yes")
    assert addresses(people) == [NEW]


NOT_LED = "Nobody with that address is in a league you run"


def test_whoever_was_put_into_a_league_unasked_belongs_to_it_by_their_own_word_alone(people):
    found(people, HANS)
    decide(people, HANS, f"join Winter Alice <{ALICE}>")
    people.write(ALICE, "3 A to M")
    assert NOT_LED in people.write_anew(HANS, MOVED)[HANS][0]
    people.write(ALICE, "join Winter")
    assert "Did you write this" in people.write_anew(HANS, MOVED)[HANS][0]
    sure(people, ALICE, "leave Winter")
    decide(people, HANS, f"join Winter Alice <{ALICE}>")
    assert NOT_LED in people.write_anew(HANS, MOVED)[HANS][0]
    assert NOT_LED in people.write_anew(HANS, f"address nobody@example.org is {DAVE} because she says so")[HANS][0]


@pytest.mark.parametrize("word", ["accept", "orders"])
def test_whoever_accepts_or_plays_a_game_of_a_league_belongs_to_it(people, word):
    found(people, HANS)
    come(people, CAROL)
    decide(people, HANS, f"join Winter Alice <{ALICE}>\njoin Winter Eve <eve@example.org>\nseason Winter")
    assert people.match("oz-2").league == "Winter"
    assert NOT_LED in people.write_anew(HANS, MOVED)[HANS][0]
    assert NOT_LED in people.write_anew(HANS, f"address eve@example.org is {NEW} because x")[HANS][0]
    invitation = people.got["eve@example.org"][-1]
    people.write("eve@example.org", "accept", to=invitation)
    if word == "accept":
        assert "Did you write this" in people.write_anew(HANS, f"address eve@example.org is {NEW} because x")[HANS][0]
    else:
        (seat,) = people.match("oz-2").held_by(people.match().holders["red"].player)
        begun = next(letter for letter in reversed(people.got[ALICE]) if "oz-2" in letter["Subject"])
        people.write(ALICE, {"red": "3 A to M", "blue": "3 H to S"}[seat], to=begun)
        assert "Did you write this" in people.write_anew(HANS, MOVED)[HANS][0]


def test_a_leagues_game_master_who_plays_there_asks_it_of_no_rival_and_decides_on_no_game_of_it(people):
    found(people, HANS)
    come(people, CAROL)
    people.write(ALICE, "join Winter")
    people.write_anew(HANS, "join Winter")
    people.write(HANS, "yes")
    assert NOT_LED in people.write_anew(HANS, MOVED)[HANS][0]
    decide(people, GINA.address, f"join Winter Bob <{BOB}>\njoin Winter Carol <{CAROL}>\nseason Winter with everybody")
    games = [people.match(f"oz-{number}") for number in (2, 3)]
    others = next(match for match in games if not match.plays(HANS))
    refused = people.write_anew(HANS, f"award {others.name} red because I am ahead then")[HANS][0]
    assert "You play in Winter yourself" in refused
    assert [judge.address for judge in others.judges] == []
    decide(people, GINA.address, f"award {others.name} red because both asked for it")
    assert people.match(others.name).phase == "finished"


def test_the_desks_game_master_decides_nothing_on_a_rival_of_a_league(people):
    found(people, HANS)
    people.write(ALICE, "join Winter")
    people.write_anew(GINA.address, "join Winter")
    people.write(GINA.address, "yes")
    people.write_anew(GINA.address, f"{MOVED}\nban {ALICE} because she is ahead")
    assert people.write(GINA.address, "yes")[GINA.address][-1].count("You play against them in Winter") == 2


@pytest.mark.parametrize(("rights", "may"), [("address", True), ("extend", False)])
def test_it_is_a_right_as_any_other(people, rights, may):
    found(people, HANS, rights=f', rights = ["{rights}"]')
    people.write(ALICE, "join Winter")
    asked = people.write_anew(HANS, MOVED)[HANS][0]
    assert ("Did you write this" in asked) == may


def test_a_player_says_it_of_nobody(people):
    for line in (MOVED, f"address {BOB} is {EVIL} because I say so", f"address {BOB} is {EVIL}"):
        assert "league you run" in people.write(ALICE, line)[ALICE][0]
    assert EVIL not in people.got


def test_whoever_plays_against_them_does_not_decide_it_and_nobody_of_themselves(people):
    configure(people.table, "desk", f"game_master = Bob <{BOB}>")
    configure(people.table, "desk", "trust = address")
    assert "You play against them in oz-1" in people.write_anew(BOB, MOVED)[BOB][0]
    news = people.write_anew(BOB, f"address {BOB} is {NEW} because I say so")
    assert "That is your own address" in news[BOB][0]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (f"address {ALICE} is {NEW}", "Give a reason"),
        (f"address {CAROL} is {NEW} because x", "Nobody here has that address"),
        (f"address {ALICE} is {BOB} because x", "already belongs to someone here"),
        (f"address {ALICE} is gm+x@example.org because x", "is an address of this desk"),
        (f"address {ALICE} is {ALICE} because x", "is already an address of theirs"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(people, line, why):
    news = decide(people, GINA.address, line)
    assert why in news[GINA.address][-1]
    assert set(news) == {GINA.address}


def test_an_address_that_is_theirs_already_takes_the_others_place_at_once(people):
    move(people, ALICE, NEW)
    assert addresses(people) == [NEW, ALICE]
    decide(people, GINA.address, f"address {NEW} is {ALICE} because the new one is lost")
    assert addresses(people) == [ALICE]


def test_the_record_has_the_decision_with_its_reason_and_no_address(people):
    decide(people, GINA.address, MOVED)
    people.write(NEW, "yes")
    rows = people.table.store.conn.execute(
        "SELECT kind, content FROM record JOIN record_contents ON record = id WHERE kind IN ('decision', 'address')"
    ).fetchall()
    assert [kind for kind, _ in rows] == ["decision", "address", "address"]
    assert "her provider has closed" in rows[0][1]
    assert not any("@" in content for _, content in rows)


# Undone


def test_the_older_address_undoes_it_for_two_weeks_and_what_was_read_at_the_newer_one_is_worth_nothing(people):
    decide(people, GINA.address, f"address {ALICE} is {EVIL} because she has rung me up")
    news = people.write(EVIL, "yes")
    undo, stolen = people.got[ALICE][-1], people.got[EVIL]
    assert "undo" in news[ALICE][0]
    people.poll(timedelta(days=13))
    news = people.write(ALICE, "undo", to=undo)
    (here,) = [letter for letter in people.got[ALICE] if "letters of this game come to this" in flat(letter)]
    assert "has undone a change of address" in news[GINA.address][0]
    assert addresses(people) == [ALICE]
    for letter in stolen:
        for line in ("resign", "forget me", f"address {EVIL}", f"hand over to {EVIL}"):
            people.write(ALICE, line, to=letter)
    kinds = {kind for (kind,) in people.table.store.conn.execute("SELECT kind FROM record")}
    assert not kinds & {"forget", "hand over"}
    people.write(ALICE, "3 A to M", to=here)
    assert people.match().standing["red"].canonical == "3 A to M"


def test_the_older_address_says_no_before_the_newer_one_has_answered(people):
    decide(people, GINA.address, MOVED)
    assert f"{NEW} no longer counts as yours" in people.write(ALICE, "undo")[ALICE][0]
    people.write(NEW, "yes")
    assert addresses(people) == [ALICE]


def test_an_address_that_was_replaced_says_nothing_but_undo(people):
    decide(people, GINA.address, MOVED)
    people.write(NEW, "yes")
    news = people.write(ALICE, "my data\nforget me\nzone Tokyo\nchallenge carol@example.org")
    assert set(news) == {NEW}
    assert news[NEW][0].count("is not confirmed yet") == 4
    assert "Tokyo" not in people.say(NEW, "my data")


# Apostrophes and international domains

SEAN, IN_ASCII = "sean.o'brien@müller.example", "sean.o'brien@xn--mller-kva.example"


@pytest.mark.parametrize("written", [SEAN, SEAN.upper(), f"Sean O'Brien <{SEAN}>", IN_ASCII, f"{SEAN}."])
def test_a_person_is_invited_at_any_spelling_of_an_address_and_plays_from_there(people, written):
    news = people.write(ALICE, f"challenge {written}")
    assert IN_ASCII in news[ALICE][-1]
    assert set(people.write(IN_ASCII, "accept")) == {ALICE, IN_ASCII}
    people.write(IN_ASCII, "3 H to S")
    assert people.match("oz-2").standing["blue"].canonical == "3 H to S"


def test_a_player_claims_such_an_address_and_a_game_master_replaces_it_by_another_spelling(people):
    people.write(ALICE, f"address {SEAN}")
    people.write(IN_ASCII, "yes")
    people.write(ALICE, "yes")
    assert addresses(people) == [IN_ASCII, ALICE]
    news = decide(people, GINA.address, f"address {SEAN.upper()} is {ALICE} because the domain is gone")
    assert f"{IN_ASCII} is no longer an address of yours" in news[IN_ASCII][-1]
    assert addresses(people) == [ALICE]


@pytest.mark.parametrize("written", [f"<{SEAN}>", f"<{IN_ASCII.upper()}>"])
def test_a_game_master_gives_a_seat_to_such_an_address_and_bans_it(people, written):
    decide(people, GINA.address, f"replace oz-1 red with Sean {written} because x")
    people.write(IN_ASCII, "3 A to M")
    assert people.match().standing["red"].canonical == "3 A to M"
    assert "Done: ban" in decide(people, GINA.address, f"ban {written} because x")[GINA.address][-1]
    assert not people.match().standing


def test_words_behind_an_address_are_not_glued_to_it(people):
    news = people.write(ALICE, "challenge carol@example.org or dave")
    assert set(news) == {ALICE}
    assert '"carol@example.org or dave" is not a name and address' in news[ALICE][0]


# On the command line


@pytest.mark.usefixtures("desk_table")
def test_the_operator_adds_replaces_and_removes_addresses_and_a_new_one_is_asked(people):
    done = run(people, "player", "address", "add", "1", NEW, "--reason", "she rang")
    assert (done.exit_code, "counts when a `yes` has come" in done.output) == (0, True)
    news = people.poll()
    assert set(news) == {ALICE, NEW}
    assert f"{NEW} is an address of yours, too. The game master's reason: | she rang" in news[ALICE][0]
    people.write(NEW, "yes")
    assert addresses(people) == [NEW, ALICE]
    assert run(people, "player", "address", "remove", ALICE, "--reason", "it is lost").exit_code == 0
    assert {to: texts[0].partition(":")[0] for to, texts in people.poll().items()} == {
        NEW: "== Answer above this line == alice@example.net is no longer an address of yours",
        ALICE: "== Answer above this line == alice@example.net is no longer an address of yours",
    }
    assert addresses(people) == [NEW]
    assert run(people, "player", "address", "replace", BOB, DAVE, "--reason", "he wrote from there").exit_code == 0
    people.poll()
    people.write(DAVE, "yes")
    assert addresses(people, 2) == [DAVE]
    people.write(DAVE, "3 H to S")
    assert people.match().standing["blue"].canonical == "3 H to S"


@pytest.mark.usefixtures("desk_table")
def test_the_operator_finds_somebody_by_any_spelling_of_an_address(people):
    assert run(people, "player", "address", "add", "1", SEAN, "--reason", "she rang").exit_code == 0
    people.poll()
    people.write(IN_ASCII, "yes")
    for written in (SEAN, SEAN.upper(), IN_ASCII, IN_ASCII.upper()):
        assert IN_ASCII in run(people, "player", "show", written).output
    assert run(people, "player", "address", "remove", SEAN.upper(), "--reason", "it is lost").exit_code == 0
    assert addresses(people) == [ALICE]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("remove", ALICE), "It is their only address"),
        (("remove", "nobody@example.org"), "`pbem player list` shows all"),
        (("add", "1", "no address"), "This could not be read"),
        (("replace", ALICE, BOB), "already belongs to someone here"),
    ],
)
@pytest.mark.usefixtures("desk_table")
def test_what_cannot_be_changes_nothing_and_ends_with_status_2(people, words, why):
    result = run(people, "player", "address", *words, "--reason", "x")
    assert (result.exit_code, why in result.output) == (2, True), result.output
    assert people.poll() == {}


# While it can be undone


def test_nothing_is_forgotten_while_an_older_address_can_take_a_newer_one_back(people):
    finish(people)
    move(people, ALICE, NEW)
    finish_at = people.got[NEW][-1]
    for who in (NEW, ALICE):
        news = people.write(who, "forget me", to=finish_at)
        assert "Nothing has been removed yet" in news[NEW][0]
        assert "reply to this letter from an older one with `undo`" in news[ALICE][0]
        assert addresses(people) == [NEW, ALICE]
    people.poll(timedelta(days=14))
    people.write_anew(NEW, "status")
    assert "have been removed" in sure(people, NEW, "forget me")[NEW][0]


def test_whoever_undoes_a_newer_address_is_forgotten_at_once(people):
    finish(people)
    move(people, ALICE, NEW)
    people.write(ALICE, "undo")
    assert "have been removed" in sure(people, ALICE, "forget me")[ALICE][0]
