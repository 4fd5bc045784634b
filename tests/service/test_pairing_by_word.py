"""The pairing of a Swiss season under control: by letters of its game master and its players, and by its file."""

import json
import re
from datetime import timedelta

import pytest

from pbem.config.config import Address
from support.desks import flat
from support.leagues import PEOPLE, LeagueDesk, division_of

GINA, JOE = Address("Gina", "gina@example.com"), Address("Joe", "joe@example.org")


@pytest.fixture
def desk(tmp_path):
    return LeagueDesk(tmp_path / "desk")


def found(desk, size=4, *, shape="swiss", more="rounds = 3\nconfirmed = true", end=""):
    masters = f'masters = [{{ name = "{GINA.name}", address = "{GINA.address}" }}]\n'
    desk.found_by_file(f'name = "Winter"\nformat = "{shape}"\n{more}\n{masters}{division_of(size)}{end}')
    desk.poll_well()


def play(desk, *results):
    """The games that go on end like this, in their order."""
    games = [game["game"] for one in desk.rounds() for game in one["games"] if game["game"] and not game["result"]]
    for game, result in zip(games, results or ["red"] * len(games), strict=True):
        desk.award(game, result)
    desk.poll_well()


def pairs(desk, number):
    return {frozenset((game["red"], game["blue"])) for game in desk.rounds()[number - 1]["games"]}


def points(desk):
    return {row["player"]: row["points"] for row in desk.standings()}


def told(desk, text):
    return flat(desk.direct(GINA, text))


def test_who_comes_late_has_the_points_that_the_league_gives_and_is_paired_from_the_next_round_on(desk):
    found(desk, 4, end="[scoring]\nlate = 0.5\n")
    play(desk, "red", "draw")
    assert "Done: enter Winter Joe <joe@example.org>." in told(desk, "enter Winter Joe <joe@example.org> because so")
    (first,) = map(flat, desk.letters_of(JOE))
    assert "You play in the league Winter and are paired from round 3 on." in first
    assert "Your points for the earlier rounds: 1." in first
    assert "The season has 3 rounds." in first
    assert points(desk)["Joe"] == 1
    play(desk)
    assert any("Joe" in pair for pair in pairs(desk, 3))
    assert not any("Joe" in one["byes"] for one in desk.rounds())  # he was not there, which is no bye
    assert "Joe had a bye" not in told(desk, "rounds Winter")
    assert "R1 late 0.5, R2 late 0.5" in told(desk, "crosstable Winter")
    assert "is already in Winter" in told(desk, "enter Winter Joe <joe@example.org> because so")
    assert "Winter has no upcoming round" in told(desk, "enter Winter Ida <ida@example.org> because so")
    assert desk.run("verify", "--all").status == 0


def test_the_computer_can_be_taken_in_where_somebody_is_missing(desk):
    found(desk, 3)
    assert "Done: enter Winter computer level 3." in told(desk, "enter Winter computer level 3 because we are odd")
    assert "no player" in told(desk, "enter Winter computer level 9 because we are odd")
    play(desk)
    assert any("Computer (level 3)" in pair for pair in pairs(desk, 2))
    assert desk.run("verify", "--all").status == 0


def test_a_late_entry_can_have_other_points_than_the_league_gives(desk):
    found(desk, 4)
    done = desk.run("league", "enter", "Winter", "Joe <joe@example.org>", "--points", "1", "--reason", "he was ill")
    assert done.status == 0, done.lines
    assert points(desk)["Joe"] == 1


def test_a_player_asks_once_for_no_game_in_a_round_and_has_half_a_point(desk):
    found(desk, 6)
    desk.respond("Alice", "bye Winter 2")
    desk.poll_well()
    assert "Done: bye Winter 2." in flat(desk.letters_to("Alice")[-1])
    desk.respond("Alice", "bye Winter 3")
    desk.poll_well()
    assert "You have already asked for a bye this season" in flat(desk.letters_to("Alice")[-1])
    desk.respond("Alice", "spielfrei Winter 3\nSprache deutsch")
    desk.poll_well()
    desk.respond("Alice", "spielfrei Winter 3")
    desk.poll_well()
    assert "Du warst in dieser Saison schon einmal auf Wunsch spielfrei" in flat(desk.letters_to("Alice")[-1])
    before = points(desk)["Alice"]
    play(desk)
    assert not any("Alice" in pair for pair in pairs(desk, 2))
    assert "Alice" in desk.rounds()[1]["byes"]
    assert points(desk)["Alice"] == before + 1 + 0.5
    assert "Alice has a bye." in flat(desk.letters_to("Bob")[-1])
    play(desk)
    assert any("Alice" in pair for pair in pairs(desk, 3))
    assert desk.run("verify", "--all").status == 0


def test_a_game_master_gives_a_bye_for_other_points_and_takes_it_back(desk):
    found(desk, 6)
    assert "Done: bye Winter Bob 2 with 0 points." in told(desk, "bye Winter Bob 2 with 0 points because he is away")
    letter = flat(desk.letters_to("Bob")[-1])
    assert "You have no game in round 2 of the league Winter. You get this many points for it: 0." in letter
    assert "he is away" in letter
    assert "Done" in told(desk, "bye Winter Dora 2 because so")
    assert "Done" in told(desk, "bye Winter Dora 2 off because she has time")
    assert "You are paired in round 2 of the league Winter after all." in flat(desk.letters_to("Dora")[-1])
    play(desk)
    assert [one for one in desk.rounds()[1]["byes"] if one == "Bob"] == ["Bob"]
    assert any("Dora" in pair for pair in pairs(desk, 2))


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("bye Winter Bob 1 because so", "Round 1 has begun."),
        ("bye Winter Bob 4 because so", "There is no round 4: the last is 3."),
        ("bye Winter Bob 2 off because so", "Bob has no bye in round 2."),
        ("bye Winter Bop 2 because so", 'Nobody called "Bop" is in Winter. Did you mean Bob?'),
        ("pair Winter 2 Alice - Carla because so", '"Carla" is in Winter. Did you mean Carla Brown?'),
        ("pair Winter 2 Zoe - Alice because so", '"Zoe" is in Winter, only Alice, Bob, Carla Brown, Dora.'),
        ("pair Winter 2 Alice - Carla Brown because so", "Alice and Carla Brown have met already."),
        ("pair Winter 1 Alice - Bob because so", "Games of round 1 have begun."),
        ("pair Winter 2 Alice - Bob, Bob - Dora because so", "Bob is named twice."),
        ("pair Winter 5 Alice - Bob because so", "There is no upcoming round 5."),
        ("pair Winter 2 Alice because so", "Name two players, with a hyphen between them"),
        ("forbid Winter Alice - Alice because so", "Alice is one player: name two."),
        ("allow Winter Alice - Bob because so", "Alice and Bob are not kept apart."),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason_and_changes_nothing(desk, words, why):
    found(desk)
    if "met already" in why:
        assert pairs(desk, 1) == {frozenset(("Alice", "Carla Brown")), frozenset(("Bob", "Dora"))}
    assert why in told(desk, words)
    assert not desk.store.conn.execute("SELECT count(*) FROM requests").fetchone()[0]


def test_a_round_robin_is_not_paired_by_word(desk):
    found(desk, shape="round-robin", more="confirmed = true")
    for words in ("bye Winter Bob 2", "pair Winter 2 Alice - Bob", "forbid Winter Alice - Bob"):
        assert "Winter does not pair its rounds one by one" in told(desk, f"{words} because so")


def test_pairs_that_are_forbidden_in_the_file_or_by_word_never_meet(desk):
    found(desk, 4, more='rounds = 2\nconfirmed = true\nforbidden = [["Alice", "carla brown"]]')
    assert pairs(desk, 1) == {frozenset(("Alice", "Dora")), frozenset(("Bob", "Carla Brown"))}
    assert "Done: forbid Winter Alice - Bob." in told(desk, "forbid Winter Alice - Bob because they are married")
    assert "You are no longer paired with Alice in the league Winter." in flat(desk.letters_to("Bob")[-1])
    assert "already kept apart" in told(desk, "forbid Winter Bob - Alice because so")
    play(desk)
    assert pairs(desk, 2) == {frozenset(("Alice", "Dora")), frozenset(("Bob", "Carla Brown"))}
    play(desk)
    assert "Some pairs meet again, because no round without that was possible." in "".join(
        map(flat, desk.letters_to("Bob"))
    )
    assert "Done: allow Winter Alice - Bob." in told(desk, "allow Winter Alice - Bob because they are divorced")


def test_whom_the_director_keeps_apart_is_not_paired_by_hand(desk):
    found(desk, 4, more='rounds = 2\nconfirmed = true\nforbidden = [["Alice", "Bob"]]')
    assert "Bob and Alice are kept apart: use `allow` first." in told(desk, "pair Winter 2 Bob - Alice because so")


def test_a_round_to_come_is_paired_by_hand_and_the_program_pairs_the_others(desk):
    found(desk, 6)
    done = desk.run("league", "pair", "Winter", "2", "Flo - Alice", "--reason", "they live in one town")
    assert done.status == 0, done.lines
    desk.poll_well()
    letter = flat(desk.letters_to("Flo")[-1])
    assert "In round 2 of the league Winter you play Alice: the game master has paired you." in letter
    assert "Done" in told(desk, "pair Winter 2 Flo - Alice, Bob - Dora because so")
    assert "Done" in told(desk, "pair Winter 2 Flo - Alice because the others do not care")
    letter = flat(desk.letters_to("Dora")[-1])
    assert "In round 2 of the league Winter the game master no longer pairs you with Bob." in letter
    assert flat(desk.letters_to("Flo")[-1]).count("you play Alice") == 1
    assert "Flo is paired by hand in round 2." in told(desk, "bye Winter Flo 2 because so")
    play(desk)
    game = next(one for one in desk.rounds()[1]["games"] if "Flo" in (one["red"], one["blue"]))
    assert (game["red"], game["blue"]) == ("Flo", "Alice")
    assert len(pairs(desk, 2)) == 3
    assert desk.run("verify", "--all").status == 0


def test_a_round_whose_games_are_only_offered_is_paired_anew(desk):
    found(desk, 4, more="rounds = 2")
    desk.respond("Alice", "accept")
    desk.poll_well()
    assert "Done" in told(desk, "pair Winter 1 Alice - Bob because they asked for it")
    assert pairs(desk, 1) == {frozenset(("Alice", "Bob")), frozenset(("Carla Brown", "Dora"))}
    assert "The game oz-1 does not take place: the round is paired again." in flat(desk.letters_to("Alice")[-1])
    assert "you play Ozymandia by mail against Alice" in flat(desk.letters_to("Bob")[-1])
    desk.poll(timedelta(days=1))
    assert [one["result"] for one in desk.rounds()[0]["games"]] == [None, None]
    assert desk.run("verify", "--all").status == 0


def test_what_is_asked_stands_in_the_record_and_is_not_a_name(desk):
    found(desk)
    desk.direct(GINA, "bye Winter Bob 2 because he is away")
    kept = [
        json.loads(content)
        for (content,) in desk.store.conn.execute(
            "SELECT content FROM record_contents JOIN record ON id = record WHERE kind = 'requests'"
        )
    ]
    assert [(one["league"], one["season"], [ask[0] for ask in one["more"]], one["gone"]) for one in kept] == [
        (1, 1, [2], [])
    ]
    assert PEOPLE[1].name not in json.dumps(kept)


# What game masters hear of rounds


def heard(desk, person=GINA):
    """The last letter about a round to a game master."""
    return flat([letter for letter in desk.letters_of(person) if letter["Subject"] == "League Winter"][-1])


def test_game_masters_hear_who_plays_whom_and_who_has_a_bye_when_a_season_begins(desk):
    found(desk, 5)
    (first,) = desk.letters_of(GINA)
    assert first["Subject"] == "League Winter"
    assert "The games in season 1 of the league Winter" in flat(first)
    assert "oz-1: Alice (Red) against Carla Brown (Blue)" in flat(first)
    assert "Erin has a bye." in flat(first)


def test_game_masters_hear_the_table_of_a_round_that_ends_with_the_games_and_byes_of_the_next(desk):
    found(desk, 6)
    told(desk, "bye Winter Bob 2 because he is away\nbye Winter Dora 2 because she is away")
    play(desk)
    letter = heard(desk)
    assert "Round 1 of the league Winter is over." in letter
    assert "1. Alice points 1" in letter
    assert letter.index("Now playing") < letter.index("oz-4: ") < letter.index("Bob has a bye. - Dora has a bye.")
    assert "To leave the league" not in letter


def test_why_a_rule_of_pairing_gave_way_is_told_with_the_round_and_not_a_round_later(desk):
    found(desk, 2)
    play(desk)
    why = "Everyone has met everyone, so pairs meet again."
    assert why in heard(desk).partition("Now playing")[2]
    assert why in flat(desk.letters_to("Bob")[-1]).partition("Now playing")[2]
    assert why in told(desk, "rounds Winter").partition("Round 2")[2]
    play(desk)
    assert heard(desk).count(why) == 1  # of the third round


def test_at_the_end_of_a_season_all_hear_who_goes_up_and_down(desk):
    first, second = (", ".join(f'"{one.name} <{one.address}>"' for one in PEOPLE[at : at + 2]) for at in (0, 2))
    desk.found_by_file(
        'name = "Winter"\nformat = "round-robin"\nconfirmed = true\nup = 1\ndown = 1\n'
        f'masters = [{{ name = "{GINA.name}", address = "{GINA.address}" }}]\n'
        f"divisions = [{{ players = [{first}] }}, {{ players = [{second}] }}]\n"
    )
    desk.poll_well()
    begun = flat(desk.letters_of(GINA)[-1])
    assert "season 1 of the league Winter, division 1" in begun
    assert "season 1 of the league Winter, division 2" in begun
    desk.award("oz-1", "red")
    desk.poll_well()
    assert "Next season" not in heard(desk)  # the other division still plays
    desk.award("oz-2", "blue")
    desk.poll_well()
    moves = "Up to division 1: Dora - Down to division 2: Bob"
    assert "division 2 is over, and so is the season." in heard(desk)
    assert f"Next season, as things stand - {moves}" in heard(desk)
    assert "Write `season Winter` to begin the next season." in heard(desk)
    for name in ("Alice", "Bob", "Carla Brown", "Dora"):
        assert moves in flat(desk.letters_to(name)[-1])
    assert "season Winter" not in flat(desk.letters_to("Alice")[-1])


def test_a_game_master_who_begins_a_round_has_it_in_the_answer_alone_and_the_others_hear_of_it(desk):
    hans = Address("Hans", "hans@example.com")
    masters = ", ".join(f'{{ name = "{one.name}", address = "{one.address}" }}' for one in (GINA, hans))
    desk.found_by_file(
        f'name = "Winter"\nformat = "swiss"\nrounds = 3\nconfirmed = true\nmasters = [{masters}]\n{division_of(4)}'
    )
    desk.poll_well()
    assert "oz-3: " in told(desk, "next Winter because there is time")
    assert [letter["Subject"] for letter in desk.letters_of(GINA)].count("League Winter") == 1
    assert "oz-3: " in heard(desk, hans)


def test_a_game_master_who_wants_no_news_hears_of_no_round(desk):
    found(desk, 4)
    told(desk, "desk never")
    play(desk)
    assert [letter["Subject"] for letter in desk.letters_of(GINA)].count("League Winter") == 1  # of the first round


def test_the_page_of_a_season_has_byes_that_were_asked_for_and_points_by_hand(desk, tmp_path):
    found(desk, 6)
    told(desk, "bye Winter Bob 2 because he is away\npoints Winter Bob 0.5 because of a claim")
    play(desk)
    assert desk.run("archive", "build", str(tmp_path / "site")).status == 0
    page = " ".join(re.sub("<[^>]+>", " ", (tmp_path / "site" / "leagues" / "1-season-1.html").read_text()).split())
    assert "Bye: Bob" in page
    assert "bye 0.5" in page
    assert "including +0.5 by hand" in page
