"""A season of a league: its rounds, its standings, the next round, and who plays in which division next season.

All functions are pure, and identify players by their numbers in the store.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import count
from typing import Any, Literal, NamedTuple

from pbem import PbemError, Sentence
from pbem.games import find_game
from pbem.leagues.league_file import League
from pbem.leagues.placing import Placing
from pbem.leagues.teams import Substitution, Team, TeamRound
from pbem.times.moments import parse_moment
from pbem.tournament.pairing import Entrant, Pairing, accelerated, round_robin, swiss_round
from pbem.tournament.standings import DUELS, Bye, GameResult, Shape, TableRow, duel, standings
from pbem.tournament.tables import Past, next_tables, past_of, rounds_of_tables

State = Literal["playing", "standby", "leaving", "withdrawn"]
"""The state of a member: "leaving" once they have asked to leave, "withdrawn" once their games have been dealt with."""

FixtureOutcome = Literal["won", "draw", "forfeit", "annulled"]
"""The outcomes of a game. "forfeit": all sides forfeited it. "annulled": it counts for nothing."""


class LeagueError(PbemError):
    """The error for a league or member that does not exist, or for a request that cannot be granted now. Its text is
    `sentence`, with `values` filled in."""

    def __init__(self, sentence: str, **values: object) -> None:
        super().__init__(Sentence(sentence, **values) if values else sentence)


class Member(NamedTuple):
    """A participant in a season."""

    player: int
    name: str
    seed: int  # the rank at the start of the season, 1 for the strongest; a substitute takes over the leaver's
    state: State = "playing"
    by_hand: float = 0  # points that a game master has added
    team: int = 0  # the number of the member's team; 0 for none
    rating: int = 0  # in a league with external ratings: the one that was given; 0 for none
    begins_in: int = 0  # before the first season: the division in which they are to begin it; 0 for the lowest


class Fixture(NamedTuple):
    """A game of a round: its players, in order of the game's seats, and how it ended."""

    players: tuple[int, ...]
    id: int = 0  # its number in the store
    match: int | None = None  # the number of the match, once it has begun
    name: str | None = None  # the name of the match
    outcome: FixtureOutcome | None = None
    winner: int | None = None  # one of the players
    forfeit: bool = False  # whether it was forfeited
    scores: tuple[float, ...] = (0, 0)  # the players' scores at the end; the game points of two teams
    ended: str = ""  # the moment at which it ended
    seats: tuple[int, ...] = ()  # at tables: the players' seats, as indexes of the league's seats
    placing: Placing | None = None  # at tables: all places, not only the winner
    played: bool = True  # whether at least one turn was played
    absent: frozenset[int] = frozenset()  # players who did not accept it, or gave no orders for its first turn
    untold: bool = False  # it is anonymous, and its players have yet to be told

    @property
    def counts(self) -> bool:
        """Whether the game counts in the standings: it is over and was not annulled."""
        return self.outcome not in (None, "annulled")

    def result(self, number: int) -> GameResult:
        """Return the result of the game as the standings count it, as part of round `number`."""
        scores = dict(zip(self.players, self.scores, strict=True))
        if self.placing:
            ranks, forfeit, sides, _ = self.placing
            return GameResult(number, ranks, forfeit, scores, sides, played=self.played)
        first, second = self.players
        _, ranks, forfeit, *_ = duel(number, first, second, self.winner, forfeit=self.forfeit)
        return GameResult(number, ranks, forfeit, scores, played=self.played)

    @property
    def seated(self) -> tuple[int, ...]:
        """The seats of the players, as indexes of the league's seats."""
        return self.seats or tuple(range(len(self.players)))

    def opponent_of(self, player: int) -> int:
        """Return the opponent of a player, in a two-player game."""
        first, second = self.players
        return second if player == first else first

    def with_player(self, player: int, before: int) -> "Fixture":
        """Return the game with `player` in place of the player `before`."""
        return self._replace(players=tuple(player if seated == before else seated for seated in self.players))

    def without(self, player: int) -> "Fixture":
        """Return the game at a smaller table, without `player`."""
        remaining = [(seated, seat) for seated, seat in zip(self.players, self.seated, strict=True) if seated != player]
        players, seats = (tuple(pair[part] for pair in remaining) for part in (0, 1))
        return self._replace(players=players, seats=seats, scores=(0,) * len(remaining))


class Round(NamedTuple):
    """A round of a division, numbered from 1, and whether it has begun and ended."""

    number: int
    fixtures: tuple[Fixture, ...]
    byes: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    begun: bool = True
    ended: bool = False
    told: bool = False  # whether its pairings were told before it began
    teams: TeamRound | None = None  # in a league of teams, whose games are known once the round has begun

    def open_of(self, player: int) -> list[Fixture]:
        """Return the unfinished games of a player."""
        return [fixture for fixture in self.fixtures if player in fixture.players and fixture.outcome is None]


NO_ROUND = Round(0, ())

Pairs = frozenset[frozenset[int]]


class Request(NamedTuple):
    """A request for the pairing of a round: that two players meet, or never meet, or that one has a bye."""

    round: int  # 0 for all rounds of all seasons: the two never meet
    player: int  # gets the first seat
    other: int | None = None  # None if it is a request for a bye
    points: float = 0  # the points for a bye
    late: bool = False  # whether this stands for a round before the player joined, not for a bye


class Division(NamedTuple):
    """A division: its members in order of seed, its known rounds, and the requests for the pairing of rounds. In a
    league of teams, it also has the teams, and the wishes for their line-ups."""

    members: tuple[Member, ...]
    rounds: tuple[Round, ...] = ()
    requests: tuple[Request, ...] = ()
    teams: tuple[Team, ...] = ()
    substitutions: tuple[Substitution, ...] = ()

    def byes_of(self, number: int) -> dict[int, float]:
        """Return the points for the requested byes in round `number`, keyed by player. The rounds that a late entrant
        missed count as requested byes."""
        return {
            request.player: request.points
            for request in self.requests
            if request.round == number and request.other is None
        }

    def named_byes_of(self, number: int) -> list[int]:
        """Return the players who asked for a bye in round `number`, without those who joined only later."""
        late = self.late_in(number)
        return [player for player in self.byes_of(number) if player not in late]

    def late_in(self, number: int) -> set[int]:
        """Return the players who joined only after round `number`."""
        return {request.player for request in self.requests if request.round == number and request.late}

    def pairs_of(self, number: int) -> list[tuple[int, int]]:
        """Return the pairs requested for round `number`; for number 0, return the pairs that must never meet."""
        return [
            (request.player, request.other)
            for request in self.requests
            if request.round == number and request.other is not None
        ]

    @property
    def playing(self) -> list[Member]:
        return [member for member in self.members if member.state == "playing"]

    @property
    def places(self) -> list[tuple[int, ...]]:
        """For each place, the players who have held it in turn: when one left, another took over."""
        seeds = dict.fromkeys(member.seed for member in self.members)
        return [tuple(member.player for member in self.members if member.seed == seed) for seed in seeds]

    def is_empty(self, place: tuple[int, ...]) -> bool:
        """Return whether everyone who held a place has left, even if some of them are waiting to return."""
        return all(member.state in ("withdrawn", "standby") for member in self.members if member.player in place)

    def until(self, number: int) -> "Division":
        """Return the division with the rounds up to `number`; members who left afterwards already appear as gone."""
        return self._replace(rounds=tuple(round_ for round_ in self.rounds if round_.number <= number))

    @property
    def fixtures(self) -> list[Fixture]:
        return [fixture for round_ in self.rounds for fixture in round_.fixtures]


class LeagueSeason(NamedTuple):
    """A season of a league."""

    id: int  # the number of the league
    league: League  # the settings from its file
    number: int  # 0 before the first season
    begun: str  # the moment at which it began
    divisions: tuple[Division, ...]  # highest first
    standby: tuple[Member, ...]  # longest waiting first
    requests: tuple[Request, ...] = ()
    lot: str = ""  # the secret by which a league with anonymous games draws its pairings; "" for other leagues

    def division_of(self, player: int) -> int:
        """Return the number of a player's division, or 0 if the player has none."""
        numbered = enumerate(self.divisions, start=1)
        return next((at for at, division in numbered if player in {member.player for member in division.members}), 0)

    def rounds_of(self, division: int) -> tuple[Round, ...]:
        """Return the rounds of the division with the number `division`; () for 0, which stands for no division."""
        return self.divisions[division - 1].rounds if division else ()

    def until(self, number: int) -> "LeagueSeason":
        """Return the season as it was after round `number`. Raises LeagueError if there is no such round."""
        last = max(
            (round_.number for division in self.divisions for round_ in division.rounds if round_.begun), default=0
        )
        if number > last:
            values = {"season": self.number, "league": self.league.name, "number": number, "last": last}
            raise LeagueError("Season {season} of {league} has no round {number}: the last one is {last}.", **values)
        return self._replace(divisions=tuple(division.until(number) for division in self.divisions))

    def is_first(self, player: int, number: int) -> bool:
        """Return whether round `number` is the player's first of the season."""
        if self.league.format == "ladder":
            return number == 0  # everyone learns the terms when the season begins
        before = [
            round_ for round_ in self.rounds_of(self.division_of(player)) if round_.begun and round_.number < number
        ]
        if self.league.boards:
            return not before  # everyone in a team learns the terms when the first round begins
        return not any(
            player in (*round_.byes, *(who for game in round_.fixtures for who in game.players)) for round_ in before
        )

    @property
    def absent(self) -> dict[int, Fixture]:
        """The members who have failed to appear for a game of the season, with the first such game of each."""
        absent: dict[int, Fixture] = {}
        for fixture in (fixture for division in self.divisions for fixture in division.fixtures):
            absent = {**dict.fromkeys(fixture.absent, fixture), **absent}
        return absent

    @property
    def members(self) -> dict[int, Member]:
        """The participants in the season and the members on standby, keyed by player number."""
        return {
            member.player: member
            for part in (*(member.members for member in self.divisions), self.standby)
            for member in part
        }


def returning_member(season: LeagueSeason, player: int) -> Member | None:
    """Return the member `player`, who had been withdrawn for failing to appear, with the state "playing" again: the
    member rejoins in the next round. Return None if the member was not withdrawn for that reason, if somebody else has
    taken the place, or if no further round will be paired."""
    at, known = season.division_of(player), season.members.get(player)
    if known and known.team:
        return known._replace(state="playing") if known.state == "withdrawn" and player in season.absent else None
    if (
        not at
        or player not in season.absent
        or season.league.format != "swiss"
        or not rounds_to_come(season.league, season.divisions[at - 1])
    ):
        return None
    division, member = season.divisions[at - 1], season.members[player]
    seeds = {member.seed for member in division.members if member.state in ("playing", "leaving")}
    return member._replace(state="playing") if member.state == "withdrawn" and member.seed not in seeds else None


def in_pairing_order(league: League, members: Iterable[Member]) -> list[Member]:
    """Return `members`, who are in order of seed, in the order by which a Swiss round is paired: with external ratings,
    the best rated come first. Anonymous rounds are paired by lot."""
    by_rating = league.ratings == "external" and league.format == "swiss" and league.terms.anonymous == "no"
    return sorted(members, key=lambda member: -member.rating) if by_rating and not league.boards else [*members]


def external_ratings(league: League, division: Division) -> dict[int, int]:
    """Return the ratings that were given with the members of a division, keyed by player, 0 for none; {} in a league
    that shows the desk's own ratings. For a league of teams, `division` is that of their players."""
    return {member.player: member.rating for member in division.members} if league.ratings == "external" else {}


# Rounds


def first_rounds(league: League, players: Sequence[int], forbidden: Pairs = frozenset()) -> tuple[Pairing, ...]:
    """Return the rounds that are known when a season begins; a ladder has one round, to which games are added."""
    seating = league.seating
    if seating and league.format == "round-robin":
        return rounds_of_tables(players, seating, league.rounds, league.cycles)
    if seating and league.format == "swiss":
        first = next_tables(dict.fromkeys(players, 0), _kept_apart(Past(), forbidden), seating)
        return (first,) if first else ()
    if league.format == "round-robin":
        return round_robin(players, league.cycles)
    if league.format == "swiss":
        more = virtual_points(league, Division(tuple(Member(one, "", seed) for seed, one in enumerate(players, 1))))
        entrants = [
            Entrant(player, next(iter(more.get(player, ())), 0), seed) for seed, player in enumerate(players, 1)
        ]
        return (swiss_round(entrants, frozenset(), forbidden=forbidden),)
    return (Pairing(()),)


def pair_next_round(league: League, division: Division) -> Pairing | None:
    """Return the next round of a Swiss season; None if no rounds are left, or if the league is not Swiss."""
    later = rounds_to_come(league, division) - 1
    if league.format != "swiss" or later < 0:
        return None
    number = len(division.rounds) + 1
    points = pairing_scores(league, division, number, table(league, division))
    ranked = [*enumerate(in_pairing_order(league, division.members), start=1)]
    playing = [(at, one.player) for at, one in ranked
               if one.state == "playing" and one.player not in division.byes_of(number)]  # fmt: skip
    forbidden = frozenset(frozenset(pair) for pair in division.pairs_of(0))
    if seating := league.seating:
        past = _kept_apart(past_of(map(_as_paired, division.rounds), seating.most), forbidden)
        free = {player: points[player] for _, player in playing}
        return next_tables(free, past, seating) or Pairing((), tuple(free))
    players = {player for _, player in playing}
    by_hand = [pair for pair in division.pairs_of(number) if players.issuperset(pair)]
    paired = {player for pair in by_hand for player in pair}
    byes = Counter(player for round_ in division.rounds for player in round_.byes)
    met = [fixture for fixture in division.fixtures if fixture.outcome != "annulled"]
    floats = _floats(league, division)
    entrants = []
    for seed, player in ((seed, player) for seed, player in playing if player not in paired):
        seats = tuple(fixture.players.index(player) for fixture in met if player in fixture.players)
        entrants.append(Entrant(player, points[player], seed, byes[player], seats, floats[player]))
    others = swiss_round(entrants, frozenset(frozenset(fixture.players) for fixture in met), later, forbidden)
    return others._replace(games=(*by_hand, *others.games))


def pairing_scores(league: League, division: Division, number: int, rows: Iterable[TableRow]) -> dict[int, float]:
    """Return the points by which round `number` is paired, keyed by player: those in `rows` and the virtual points."""
    more = virtual_points(league, division)
    return {row.player: row.points + sum(more.get(row.player, ())[number - 1 : number]) for row in rows}


def virtual_points(league: League, division: Division) -> dict[int, tuple[float, ...]]:
    """Return the virtual points of the players in the upper half of a Swiss season with acceleration, for each of its
    accelerated rounds; {} without acceleration. They count for the pairing alone.

    The halves are those of the first round: late entrants are in the lower one, substitutes where their place is.
    """
    if league.acceleration == "none" or league.format != "swiss":
        return {}
    late = {member.seed for member in division.members if member.player in division.late_in(1)}
    seeds = sorted({member.seed for member in division.members} - late)
    upper, points = accelerated(len(seeds), planned(league, division), league.scoring.win)
    return {member.player: points for member in division.members if member.seed in seeds[:upper]}


def _kept_apart(past: Past, forbidden: Pairs) -> Past:
    """Return `past`, changed so that players who must not sit together appear to have met very often."""
    return past._replace(met={**past.met, **{pair: past.met.get(pair, 0) + 99 for pair in forbidden}})


def _floats(league: League, division: Division) -> Mapping[int, tuple[int, ...]]:
    """Return each player's floats in the last two rounds, latest first: 1 for an opponent with more points, -1 for an
    opponent with fewer points or for no opponent, 0 for an opponent with equal points or for an annulled game."""
    by_player: dict[int, tuple[int, ...]] = {member.player: () for member in division.members}
    for number in range(len(division.rounds), max(0, len(division.rounds) - 2), -1):
        before, round_ = _rows(league, division, division.rounds[: number - 1]), division.rounds[number - 1]
        points = pairing_scores(league, division, number, before)
        ways = dict.fromkeys(round_.byes, -1)
        for first, second in (first.players for first in round_.fixtures if first.outcome != "annulled"):
            ways[first] = (points[second] > points[first]) - (points[second] < points[first])
            ways[second] = -ways[first]
        by_player = {player: (*floats, ways.get(player, 0)) for player, floats in by_player.items()}
    return by_player


def _as_paired(round_: Round) -> Pairing:
    """Return the pairing of a round, without annulled games."""
    games = [fixture for fixture in round_.fixtures if fixture.outcome != "annulled"]
    return Pairing(
        tuple(fixture.players for fixture in games), round_.byes, seats=tuple(fixture.seated for fixture in games)
    )


def is_unfinished(league: League, division: Division) -> bool:
    """Return whether a division has unfinished games or rounds to come; further games of a ladder do not count."""
    if any(fixture.outcome is None for fixture in division.fixtures):
        return True
    return league.format == "swiss" and rounds_to_come(league, division) > 0


def rounds_to_come(league: League, division: Division) -> int:
    """Return the number of rounds of a Swiss season that are still to be paired."""
    return planned(league, division) - len(division.rounds) if len(division.playing) > 1 else 0


def planned(league: League, division: Division) -> int:
    """Return the number of rounds of a season; for a Swiss season, the league's setting or, without a setting, as many
    rounds as a knock-out would need."""
    if league.format != "swiss":
        return len(division.rounds)
    most = seating.most if (seating := league.seating) else 2
    players = len(division.playing)
    for first in division.rounds[:1]:
        players = sum(len(fixture.players) for fixture in first.fixtures) + len(first.byes)
    return league.rounds or next(rounds for rounds in count() if most**rounds >= players)


def options(league: League, number: int) -> dict[str, Any]:
    """Return the options of a game in round `number` (from 1). Some vary by round unless the league sets them."""
    schema = find_game(league.game).options(league.options)
    return {
        **{option.name: option.varied(number - 1) for option in schema if option.varies and option.choices},
        **league.options,
    }


def smaller(league: League, fixture: Fixture, player: int) -> Fixture | None:
    """Return a game without `player`; None if the remaining players cannot play it on their own."""
    seating = league.seating
    return fixture.without(player) if seating and seating.fewer and len(fixture.players) > 2 else None


def without(league: League, round_: Round, player: int) -> Round:
    """Return a round that has not begun, with `player` removed; the opponents play at a smaller table or have a bye."""
    fixtures: list[Fixture] = []
    byes = [*round_.byes]
    for fixture in round_.fixtures:
        remaining = smaller(league, fixture, player) if player in fixture.players else fixture
        fixtures += [remaining] if remaining else []
        byes += [] if remaining else fixture.players
    return round_._replace(fixtures=tuple(fixtures), byes=tuple(bye for bye in byes if bye != player))


# Tables


def table(league: League, division: Division, through: int = 0) -> tuple[TableRow, ...]:
    """Return the standings of a division, best first; a ladder is ordered by its places, not by points. Rounds up to
    `through` and all rounds that have ended count; if `through` is 0, all rounds count."""
    rows = _rows(
        league,
        division,
        [round_ for round_ in division.rounds if not through or round_.number <= through or round_.ended],
    )
    if league.format != "ladder":
        return rows
    by_player = {row.player: row._replace(decided=frozenset()) for row in rows}
    return tuple(by_player[player]._replace(rank=rank) for rank, player in enumerate(ladder(division), start=1))


def _rows(league: League, division: Division, rounds: Sequence[Round]) -> tuple[TableRow, ...]:
    """Return the standings after `rounds`, ordered by points even in a ladder."""
    results, byes = _counted(league, division, rounds)
    shape = DUELS
    if rounds and league.format != "ladder" and not is_plain_round_robin(league):
        shape = Shape(seating.most - 1 if (seating := league.seating) else 1, planned(league, division))
    return standings(
        {member.player: member.by_hand for member in division.members}, results, byes, league.scoring, shape
    )


def _counted(
    league: League, division: Division, rounds: Sequence[Round]
) -> tuple[list[GameResult], Mapping[int, Sequence[Bye]]]:
    """Return the results and byes that count in `rounds`, allowing for players who have left without a substitute.

    Except in ladders and plain round robins, a player with neither a bye nor a game in a round, or with annulled games
    only, gets a bye. It brings the points that the player's request states, or 0 points without a request.
    """
    results = [fixture.result(round_.number) for round_ in rounds for fixture in round_.fixtures if fixture.counts]
    empty = [place for place in division.places if division.is_empty(place)]
    if is_plain_round_robin(league):
        byes = Counter(player for round_ in rounds if round_.begun for player in round_.byes)
        results, byes = _counted_in_round_robin(league, division, results, byes) if empty else (results, byes)
        results = [result._replace(played=True) for result in results]  # a forfeit counts against the leaver
        bye = Bye(0, league.scoring.bye, score=league.boards / 2)
        return results, {player: [bye] * number for player, number in byes.items()}
    leavers = frozenset(player for place in empty for player in place)
    byes_of: dict[int, list[Bye]] = {}
    for round_ in rounds if league.format != "ladder" else ():
        for player in [member.player for member in division.members] if round_.begun else ():
            games = [fixture.outcome for fixture in round_.fixtures if player in fixture.players]
            if player in round_.byes:
                bye = Bye(round_.number, league.scoring.bye, score=league.boards / 2)
                byes_of.setdefault(player, []).append(bye)
            elif not games or set(games) == {"annulled"}:
                points = division.byes_of(round_.number).get(player, 0)
                byes_of.setdefault(player, []).append(Bye(round_.number, points, requested=not games))
    return [result._replace(leavers=leavers) for result in results], byes_of


def is_plain_round_robin(league: League) -> bool:
    """Return whether everyone plays everyone else in two-player games. Only then do the other players still have equal
    numbers of games when a leaver's games are left out."""
    return league.format == "round-robin" and not league.seating


def _counted_in_round_robin(
    league: League, division: Division, results: list[GameResult], byes: Counter[int]
) -> tuple[list[GameResult], Counter[int]]:
    """Return the results and byes of a round robin with empty places. Games against players who were struck out do not
    count. Games against other leavers do, and players who had yet to meet such a leaver are given a win.

    If the number of places is odd, everyone has a bye in each cycle; any further byes stand for rounds against an empty
    place.
    """
    out = {player for place in struck(league, division) for player in place}
    results = [result for result in results if not out & {*result.ranks}]
    counted: Counter[int] = Counter()
    for place in division.places:
        if out & {*place}:
            continue
        allowed = league.cycles if len(division.places) % 2 else 0
        for player in place:
            counted[player] = min(byes[player], allowed)
            allowed -= counted[player]
            beyond = byes[player] - counted[player]
            if not division.is_empty(place):
                results += _walkovers(league, division, (place, player), beyond)
    return results, counted


def _walkovers(
    league: League, division: Division, whose: tuple[tuple[int, ...], int], most: int
) -> Iterator[GameResult]:
    """Yield up to `most` wins for the player in `whose` (place and player) over opponents who left before they met."""
    place, player = whose
    for empty in division.places:
        if most and division.is_empty(empty) and empty not in struck(league, division):
            met = sum(
                bool({*place} & {*fixture.players} and {*empty} & {*fixture.players}) for fixture in division.fixtures
            )
            missing = min(most, max(0, league.cycles - met))
            most -= missing
            yield from [duel(0, player, empty[-1], player, forfeit=True)] * missing


def struck(league: League, division: Division) -> list[tuple[int, ...]]:
    """Return the empty places of a round robin whose holders played too few games (fewer than half) to count."""
    if not is_plain_round_robin(league):
        return []
    whole = league.cycles * (len(division.places) - 1)

    def played(place: tuple[int, ...]) -> int:
        mine = [fixture for fixture in division.fixtures if fixture.counts and {*place} & {*fixture.players}]
        return sum(not fixture.forfeit or fixture.winner in place for fixture in mine)

    return [place for place in division.places if division.is_empty(place) and 2 * played(place) < whole]


def ladder(division: Division) -> list[int]:
    """Return the players on a ladder, highest first: a winner takes the place of a beaten player who was higher."""
    order = [member.player for member in division.members]
    for fixture in sorted(division.fixtures, key=lambda fixture: fixture.ended):
        if fixture.winner is not None:
            above, below = order.index(fixture.opponent_of(fixture.winner)), order.index(fixture.winner)
            if above < below:
                order.insert(above, order.pop(below))
    playing = {member.player for member in division.playing}
    return [player for player in order if player in playing]


def rivals(league: League, division: Division, challenger: int) -> list[Member]:
    """Return the members whom `challenger` may challenge now: those above, within reach and not playing a game."""
    busy = {player for fixture in division.fixtures if fixture.outcome is None for player in fixture.players}
    order = ladder(division)
    if challenger in busy or challenger not in order:
        return []
    place = order.index(challenger)
    above = order[max(0, place - league.reach) : place]
    members = {member.player: member for member in division.members}
    return [members[player] for player in above if player not in busy]


def seated(division: Division, challenger: int, rival: int) -> tuple[int, int]:
    """Return the players of a challenge in seat order. The player who has had the first seat less often gets it, or
    `rival` if both have had it equally often."""
    firsts = Counter(fixture.players[0] for fixture in division.fixtures)
    return (challenger, rival) if firsts[challenger] < firsts[rival] else (rival, challenger)


def challengeable(season: LeagueSeason, challenger: int, now: datetime) -> dict[str, int]:
    """Return the numbers of the members whom `challenger` may challenge now, keyed by name; empty unless the league is
    a ladder whose season is under way."""
    league = season.league
    if league.format != "ladder" or not season.number:
        return {}
    if league.length and now >= parse_moment(season.begun) + league.length:
        return {}
    return {member.name: member.player for member in rivals(league, season.divisions[0], challenger)}
