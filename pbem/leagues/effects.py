"""What a decision about a league comes to: effects. Whoever carries them out does all of one decision or nothing.

Divisions and rounds are numbered from 1; where a season is not named it is the current one.
"""

from dataclasses import dataclass

from pbem.leagues.season import Fixture, Member, Round, State
from pbem.match.effects import Effect
from pbem.tournament.pairing import Pairing


@dataclass(frozen=True, slots=True)
class Enter:
    """Somebody takes part in a season, or waits to: `division` is 0 then."""

    member: Member
    season: int
    division: int


@dataclass(frozen=True, slots=True)
class ChangeState:
    """A member is in another state."""

    player: int
    state: State


@dataclass(frozen=True, slots=True)
class BeginSeason:
    """This season is the current one from now on."""

    season: int


@dataclass(frozen=True, slots=True)
class AddRound:
    """A round is known from now on."""

    division: int
    round: int
    pairing: Pairing


@dataclass(frozen=True, slots=True)
class BeginRound:
    """A round begins, with all its games."""

    division: int
    round: int


@dataclass(frozen=True, slots=True)
class EndRound:
    """All games of a round are over."""

    division: int
    round: int


@dataclass(frozen=True, slots=True)
class ChangeRound:
    """A round has other byes, and only the games that it has here."""

    division: int
    round: Round


@dataclass(frozen=True, slots=True)
class ChangeFixture:
    """A game of a round has other players, or another match."""

    fixture: Fixture


@dataclass(frozen=True, slots=True)
class BeginGame:
    """A game of a round begins; one that the round has not had so far has the id 0."""

    division: int
    round: int
    fixture: Fixture


@dataclass(frozen=True, slots=True)
class Settle:
    """The league has seen how a match ended; `rated`: its players are rated anew."""

    match: int
    rated: bool


@dataclass(frozen=True, slots=True)
class InMatch:
    """What becomes of a match, by the effects of the service core."""

    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class TellStandings:
    """Players of a division hear what was played and the table after it; `played` has the number 0 if that is no whole
    round, or no game at all."""

    division: int
    played: Round
    players: tuple[int, ...]


Kept = Enter | ChangeState | BeginSeason | AddRound | EndRound | ChangeRound | ChangeFixture | Settle
"""What is only written down."""

LeagueEffect = Kept | BeginRound | BeginGame | InMatch | TellStandings
