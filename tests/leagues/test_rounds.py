"""How a league goes on, as values: a season in, effects out; no desk and no store."""

from datetime import UTC, datetime

import pytest

from pbem.leagues.effects import (
    AddRound,
    BeginGame,
    BeginRound,
    BeginSeason,
    ChangeFixture,
    ChangeRound,
    ChangeState,
    EndRound,
    Enter,
    TellStandings,
)
from pbem.leagues.league_file import League
from pbem.leagues.rounds import (
    MOST,
    Leaver,
    after_challenges,
    after_leaving,
    after_rounds,
    begin_season,
    challenge,
    new_match,
    next_round,
    next_season,
    standings_values,
)
from pbem.leagues.season import Division, Fixture, LeagueError, LeagueSeason, Member, Round
from pbem.match.identity import Player
from pbem.tournament.pairing import Pairing

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
ROUND_ROBIN, SWISS, LADDER = (League("Winter", one) for one in ("round-robin", "swiss", "ladder"))
ALICE, BOB, CAROL = (Member(at, name, at) for at, name in enumerate(("Alice", "Bob", "Carol"), start=1))
WAITING = Member(4, "Dave", 1, "standby")


def season(league, *rounds, members=(ALICE, BOB, CAROL), standby=()):
    return LeagueSeason(7, league, 1, "2026-11-01T12:00:00Z", (Division(members, rounds),), standby)


def won(first, second, winner, match):
    return Fixture((first, second), match, match, f"oz-{match}", "won", winner)


def test_a_season_begins_with_its_members_its_rounds_and_the_games_of_the_first():
    assert [*begin_season(SWISS, 1, [[BOB, ALICE]], [WAITING])] == [
        Enter(BOB._replace(seed=1), 1, 1),
        Enter(ALICE._replace(seed=2), 1, 1),
        Enter(WAITING, 1, 0),
        BeginSeason(1),
        AddRound(1, 1, Pairing(((2, 1),))),
        BeginRound(1, 1),
    ]


def test_who_takes_part_in_a_ladder_hears_that_it_begins():
    *_, last = begin_season(LADDER, 1, [[ALICE, BOB]], [])
    assert last == TellStandings(1, Round(0, ()), (1, 2))


def test_a_division_has_no_more_players_than_can_be_paired():
    with pytest.raises(LeagueError, match="A division has at most 128 players"):
        [*begin_season(SWISS, 1, [[ALICE] * (MOST + 1)], [])]


def test_when_the_last_game_of_a_round_is_over_the_next_begins_and_then_all_hear_the_table():
    first = Round(1, (won(2, 3, 3, 1),), (1,))
    later = Round(2, (Fixture((3, 1), 2),), (2,), begun=False)
    assert after_rounds(season(ROUND_ROBIN, first, later), 1) == [
        EndRound(1, 1),
        BeginRound(1, 2),
        TellStandings(1, first, (1, 2, 3)),
    ]


def test_nothing_follows_while_a_game_of_the_round_goes_on():
    assert after_rounds(season(ROUND_ROBIN, Round(1, (Fixture((2, 3), 1, 1),), (1,))), 1) == []


def test_the_next_swiss_round_is_made_when_it_begins_and_there_is_an_end_to_them():
    one = season(SWISS, Round(1, (won(1, 3, 1, 1),), (2,)))
    added, begun = next_round(one, 1)
    assert (added.round, begun) == (2, BeginRound(1, 2))
    assert next_round(season(SWISS, *one.divisions[0].rounds * 2), 1) == []


def test_whoever_would_have_met_a_leaver_has_a_bye_if_nobody_waits():
    one = season(ROUND_ROBIN, Round(1, (Fixture((2, 3), 1),), (1,), begun=False))
    assert [*after_leaving(one, Leaver(BOB, "", {}, {}), NOW)] == [
        ChangeState(2, "withdrawn"),
        ChangeFixture(Fixture((2, 3), 1)),
        ChangeRound(1, Round(1, (), (1, 3), begun=False)),
    ]


def test_who_waits_takes_the_place_of_a_leaver_and_their_games_to_come():
    one = season(ROUND_ROBIN, Round(1, (Fixture((2, 3), 1),), (1,), begun=False), standby=(WAITING,))
    assert [*after_leaving(one, Leaver(BOB, "", {}, {}), NOW)] == [
        ChangeState(2, "withdrawn"),
        Enter(WAITING._replace(seed=2, state="playing"), 1, 1),
        ChangeFixture(Fixture((4, 3), 1)),
    ]


@pytest.mark.parametrize(("standby", "byes"), [((), ()), ((WAITING,), (4,))])
def test_byes_to_come_of_a_leaver_are_of_who_takes_their_place_or_of_nobody(standby, byes):
    known = Round(1, (Fixture((1, 3), 1),), (2,), begun=False)
    begun = Round(1, (Fixture((1, 3), 1),), (2,))
    leaver = Leaver(BOB, "", {}, {})
    assert ChangeRound(1, known._replace(byes=byes)) in after_leaving(
        season(ROUND_ROBIN, known, standby=standby), leaver, NOW
    )
    changed = after_leaving(season(ROUND_ROBIN, begun, standby=standby), leaver, NOW)
    assert not [one for one in changed if isinstance(one, ChangeRound)]


def test_a_challenge_begins_a_game_that_its_round_has_not_had_or_says_who_else_could_be_challenged():
    one = season(LADDER, Round(1, ()))
    assert challenge(one, 3, 1, NOW) == [BeginGame(1, 1, Fixture((1, 3)))]
    with pytest.raises(LeagueError, match="Alice cannot challenge Carol in Winter now, nor anyone else"):
        challenge(one, 1, 3, NOW)
    with pytest.raises(LeagueError, match="Winter is not a ladder"):
        challenge(season(SWISS, Round(1, ())), 3, 1, NOW)


def test_both_players_of_a_challenge_hear_how_the_ladder_stands_when_it_is_over():
    over, going = won(3, 1, 3, 5), Fixture((1, 2), 6, 6)
    one = season(LADDER, Round(1, (over, going)))
    assert [*after_challenges(one, [5, 6])] == [TellStandings(1, Round(0, (over,)), (1, 3))]


def test_a_season_that_goes_on_has_none_after_it():
    with pytest.raises(LeagueError, match="Season 1 of Winter is not over"):
        next_season(season(ROUND_ROBIN, Round(1, (Fixture((2, 3)),))), everybody=False)


def test_players_of_a_new_game_sit_in_the_order_of_the_games_seats_under_their_names_in_the_league():
    one = season(ROUND_ROBIN, Round(1, (Fixture((2, 3), 1),)))
    begun = new_match(
        one, (1, 1), Fixture((2, 3)), [Player(2, "Robert", "b@example.net"), Player(3, "C", "c@example.net")], {3}
    )
    assert [(seat, who.name) for seat, who in begun.seats.items()] == [("red", "Bob"), ("blue", "Carol")]
    assert begun.accepted == {"blue"}
    assert begun.place == {"league": 7, "season": 1, "division": 1, "round": 1}


def test_a_letter_with_the_standings_names_players_in_the_order_of_the_seats_and_who_has_won():
    played, next_one = Round(1, (won(2, 3, 3, 1),), (1,), ended=True), Round(2, (Fixture((3, 1), 2),), (2,))
    values = standings_values(season(ROUND_ROBIN, played, next_one), 1, played)
    assert values["seats"] == ("red", "blue")
    (game,), (coming,) = values["games"], values["coming"]
    assert (game["first"], game["second"], game["winner"], values["byes"]) == ("Bob", "Carol", "Carol", ["Alice"])
    assert (coming["first"], coming["second"], coming["winner"]) == ("Carol", "Alice", None)
