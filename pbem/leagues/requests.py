"""Requests for the pairing of a Swiss season: byes, fixed pairs, pairs to keep apart, and late entrants.

All functions are pure: they take a season and return effects. They raise LeagueError if a request is impossible.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from pbem import Sentence
from pbem.leagues.effects import BeginGame, ChangeRound, Enter, InMatch, LeagueEffect, SetRequests
from pbem.leagues.promotion import known_divisions
from pbem.leagues.season import (
    Division,
    Fixture,
    LeagueError,
    LeagueSeason,
    Member,
    Request,
    Round,
    pair_next_round,
    rounds_to_come,
)
from pbem.match import clock
from pbem.match.model import Match
from pbem.tournament.pairing import Pairing


class Placed(NamedTuple):
    """What a game master says of a newcomer: the number of their division, 0 for the lowest, and their rating, 0 for
    none."""

    division: int = 0
    rating: int = 0


UNPLACED = Placed()


def enter(
    season: LeagueSeason, newcomer: Member, points: float | None, placed: Placed = UNPLACED
) -> list[LeagueEffect]:
    """Enter `newcomer` from the next round on. The player gets the league's points for late entrants for each missed
    round or, if `points` are given, that many points in total."""
    check_rating(season, placed.rating)
    league, at = season.league, placed.division or len(season.divisions)
    member = season.members.get(newcomer.player)
    if member and member.state == "playing":
        raise LeagueError("{name} is already in {league}.", name=member.name, league=league.name)
    division = _paired(season, at or 1)
    if not rounds_to_come(league, division):
        raise LeagueError("{league} has no upcoming round: `join` enters you for the next season.", league=league.name)
    missed = [
        round_.number
        for round_ in division.rounds
        if not any(newcomer.player in fixture.players for fixture in round_.fixtures)
    ]
    each = league.scoring.late if points is None else points / max(1, len(missed))
    seed = 1 + max(member.seed for member in division.members)
    byes = tuple(Request(number, newcomer.player, None, each, late=True) for number in missed)
    remaining = tuple(
        request for request in season.requests if request.player != newcomer.player or request.round not in missed
    )
    entrant = newcomer._replace(seed=seed, state="playing", rating=placed.rating)
    return [Enter(entrant, season.number, at), SetRequests((*remaining, *byes))]


def give_bye(season: LeagueSeason, member: Member, number: int, points: float | None) -> list[LeagueEffect]:
    """Give a member a bye in round `number`, which must not have begun; the bye is worth `points` or, if None, the
    league's points for requested byes."""
    _to_come(season, member, number)
    if any(
        {member.player} & {request.player, request.other}
        for request in season.requests
        if request.round == number and request.other
    ):
        raise LeagueError("{name} is paired by hand in round {round}.", name=member.name, round=number)
    each = season.league.scoring.requested if points is None else points
    bye = Request(number, member.player, None, each)
    return [SetRequests((*_without(season, member.player, number), bye))]


def ask_bye(season: LeagueSeason, member: Member, number: int) -> list[LeagueEffect]:
    """Give a member a bye in round `number` at the member's own request; each member may request one bye per season."""
    games = [round_.number for round_ in season.rounds_of(season.division_of(member.player)) if round_.begun]
    byes = [request for request in season.requests if request.player == member.player and request.other is None]
    if any(bye.round not in games or bye.points == season.league.scoring.requested for bye in byes):
        raise LeagueError(
            Sentence("You have already asked for a bye this season: ask the game master for another one.")
        )
    return give_bye(season, member, number, None)


def take_bye(season: LeagueSeason, member: Member, number: int) -> list[LeagueEffect]:
    """Cancel a member's bye in round `number`, so that the member plays in that round."""
    _to_come(season, member, number)
    remaining = _without(season, member.player, number)
    if len(remaining) == len(season.requests):
        raise LeagueError("{name} has no bye in round {round}.", name=member.name, round=number)
    return [SetRequests(remaining)]


def _without(season: LeagueSeason, player: int, number: int) -> tuple[Request, ...]:
    """Return all requests of a season except the bye of `player` in round `number`."""
    return tuple(
        request
        for request in season.requests
        if (request.player, request.round, request.other) != (player, number, None)
    )


def keep_apart(season: LeagueSeason, first: Member, second: Member, *, apart: bool) -> list[LeagueEffect]:
    """Keep two players apart or, if `apart` is false, allow them to meet again."""
    _paired(season, season.division_of(first.player) or 1)
    pair = {first.player, second.player}
    remaining = [request for request in season.requests if request.round or {request.player, request.other} != pair]
    names = {"one": first.name, "other": second.name}
    if first == second:
        raise LeagueError("{one} is one player: name two.", one=first.name)
    if apart and len(remaining) < len(season.requests):
        raise LeagueError("{one} and {other} are already kept apart.", **names)
    if not apart and len(remaining) == len(season.requests):
        raise LeagueError("{one} and {other} are not kept apart.", **names)
    return [SetRequests((*remaining, *([Request(0, first.player, second.player)] if apart else ())))]


def pair_by_hand(
    season: LeagueSeason,
    number: int,
    pairs: Sequence[tuple[Member, Member]],
    matches: Mapping[int, Match],
    now: datetime,
) -> Iterator[LeagueEffect]:
    """Fix `pairs` for round `number`. The first player of each pair gets the first seat, and the program pairs all
    other players. The round must not have begun, unless all its games have so far only been offered; `matches` contains
    the matches of offered games, keyed by match number."""
    at = season.division_of(pairs[0][0].player) if pairs else 1
    division = _paired(season, at)
    if season.league.seating:
        raise LeagueError(Sentence("Only games for two are paired by hand."))
    _fits(season, at, pairs)
    by_hand = tuple(Request(number, first.player, second.player) for first, second in pairs)
    players = {member.player for member in division.members}
    remaining = [
        request
        for request in season.requests
        if not (request.round == number and request.other and request.player in players)
    ]
    requests = (*remaining, *by_hand)
    before = tuple(round_ for round_ in division.rounds if round_.number < number)
    _may_meet(season, before, pairs)
    begun = next((round_ for round_ in division.rounds if round_.number == number), None)
    if begun is None and not 0 < number - len(division.rounds) <= rounds_to_come(season.league, division):
        raise LeagueError("There is no upcoming round {round}.", round=number)
    if begun and not begun.begun:
        raise LeagueError("Round {round} is paired, and its players know it.", round=number)
    if begun and any(fixture.match not in matches for fixture in begun.fixtures):
        raise LeagueError("Games of round {round} have begun.", round=number)
    yield SetRequests(requests)
    if begun:
        mine = tuple(request for request in requests if request.player in players)
        pairing = pair_next_round(season.league, division._replace(rounds=before, requests=mine)) or Pairing(())
        yield from _pair_again(at, begun, pairing, matches, now)


def _pair_again(
    at: int, begun: Round, pairing: Pairing, matches: Mapping[int, Match], now: datetime
) -> Iterator[LeagueEffect]:
    """Replace the pairing of `begun`, a round whose games have so far only been offered, with `pairing`. A game that is
    in both pairings is not offered again."""
    staying = tuple(fixture for fixture in begun.fixtures if fixture.players in pairing.games)
    for fixture in begun.fixtures:
        if fixture not in staying:
            yield InMatch(tuple(clock.annul(matches[fixture.match or 0], now, Sentence("the round is paired again"))))
    yield ChangeRound(at, begun._replace(fixtures=staying, byes=pairing.byes))
    for players in pairing.games:
        if players not in [fixture.players for fixture in staying]:
            yield BeginGame(at, begun.number, Fixture(players))


def _may_meet(season: LeagueSeason, before: Iterable[Round], pairs: Iterable[tuple[Member, Member]]) -> None:
    """Raise LeagueError if the players of any pair are kept apart, or have met in the rounds `before`."""
    kept_apart = [{request.player, request.other} for request in season.requests if not request.round]
    met = [{*game.players} for round_ in before for game in round_.fixtures if game.outcome != "annulled"]
    for first, second in pairs:
        if {first.player, second.player} in kept_apart:
            raise LeagueError("{one} and {other} are kept apart: use `allow` first.", one=first.name, other=second.name)
        if {first.player, second.player} in met:
            raise LeagueError("{one} and {other} have met already.", one=first.name, other=second.name)


def _fits(season: LeagueSeason, at: int, pairs: Sequence[tuple[Member, Member]]) -> None:
    """Raise LeagueError unless all players in `pairs` play in division `at` and are named only once."""
    named = [member for pair in pairs for member in pair]
    for member in named:
        if season.division_of(member.player) != at or member.state != "playing":
            raise LeagueError("{name} is in another division, or in none.", name=member.name)
        if named.count(member) > 1:
            raise LeagueError("{name} is named twice.", name=member.name)


def _paired(season: LeagueSeason, at: int) -> Division:
    """Return the division with the number `at`, from 1. Raises LeagueError if no season has begun, or if the league
    does not pair its rounds one at a time."""
    if season.league.format != "swiss":
        raise LeagueError(
            "{league} does not pair its rounds one by one: only the Swiss format does.", league=season.league.name
        )
    if not season.divisions:
        raise LeagueError("No season of {league} has begun.", league=season.league.name)
    check_division(season, at, len(season.divisions))
    return season.divisions[at - 1]


def check_placed(season: LeagueSeason, placed: Placed) -> None:
    """Raise LeagueError unless a newcomer can go on standby as `placed`. Before the first season, their division is one
    in which others are to begin, or the next one below those; later they have none."""
    check_rating(season, placed.rating)
    at = placed.division
    if at and season.number:
        raise LeagueError(
            "A division is chosen before the first season of {league}, or by `enter`.", league=season.league.name
        )
    known = known_divisions(season.standby)
    further = season.league.format != "ladder" and any(member.begins_in == known for member in season.standby)
    if at > known + further:
        check_division(season, at, known)


def check_rating(season: LeagueSeason, rating: int) -> None:
    """Raise LeagueError if a rating is given in a league that shows the desk's own."""
    if rating and season.league.ratings == "own":
        raise LeagueError(
            '{league} shows the ratings of this desk: only a league with `ratings = "external"` has others.',
            league=season.league.name,
        )


def check_division(season: LeagueSeason, at: int, known: int) -> None:
    """Raise LeagueError, which lists the divisions that there are, if `at` is not among the `known` ones."""
    if at > known:
        values = {"number": at, "league": season.league.name, "numbers": tuple(map(str, range(1, known + 1)))}
        raise LeagueError("There is no division {number} in {league}, only {numbers}.", **values)


def _to_come(season: LeagueSeason, member: Member, number: int) -> None:
    """Raise LeagueError unless the member is playing and round `number` has yet to begin."""
    division = _paired(season, season.division_of(member.player) or 1)
    last = len(division.rounds) + rounds_to_come(season.league, division)
    if member.state != "playing":
        raise LeagueError("{name} does not play in {league}.", name=member.name, league=season.league.name)
    if any(round_.number == number and not round_.begun for round_ in division.rounds):
        raise LeagueError("Round {round} is paired, and its players know it.", round=number)
    if number <= len(division.rounds):
        raise LeagueError("Round {round} has begun.", round=number)
    if number > last:
        raise LeagueError("There is no round {round}: the last is {last}.", round=number, last=last)
