"""What is wrong with the games that other packages bring."""

from collections.abc import Iterator

from pbem import games
from pbem.games.base import AnyGame, with_default_files
from pbem.games.chance import SECRET, SecretChance
from pbem.orders.grammar import fault_in
from pbem.orders.situation import Situation
from pbem.plugins import Fault, installed


def broken_games() -> Iterator[games.NoGameError]:
    """Yield an error for each game that cannot be played because its package is broken, one sentence each. All games
    are imported; of those that other packages bring, the words and the grammar are read, too."""
    yield from map(games.unplayable, games.faults())
    for name, game in games.GAMES.items():
        source = installed().games.get(name)
        if source and not source.is_ours and (what := fault_in(source.folder) or _fault_of(game)):
            yield games.unplayable(Fault(source.package, name, what))


def _fault_of(game: AnyGame) -> str:
    """Return what is wrong with the first state of a match with the usual options, or with the grammar in it; "" if
    nothing is."""
    try:
        state = game.new(with_default_files(game, {}), SecretChance(bytes(SECRET)))
        _ = Situation(game, state).grammar
    except Exception as error:  # noqa: BLE001 - whatever the code of another package does
        return f"its first turn cannot be read, {type(error).__name__}: {error}"
    return ""
