"""The examples of data of one's own: each is right, and is played with from the first turn to the last."""

import json
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.cli.main import main
from pbem.games import find_game
from pbem.games.chance import SECRET, SecretChance
from support.paths import DOCS

EXAMPLES = DOCS / "examples"
GAMES = {
    "ozymandia": {"board": str(EXAMPLES / "islands.toml"), "turn_limit": 5},
    "rocknroll": {"set": str(EXAMPLES / "animals.json")},
    "ozz": {"data": str(EXAMPLES / "ozz"), "battles": "board"},
}


@pytest.mark.parametrize("name", GAMES)
def test_a_game_with_the_example_is_played_to_its_end(name: str) -> None:
    game: Any = find_game(name)
    chance = SecretChance(bytes([43] * SECRET))
    state = game.new(GAMES[name], chance)
    for _ in range(60):
        if game.result(state):
            break
        kept = json.loads(json.dumps(game.dump(state)))
        assert game.dump(game.load(kept)) == kept
        assert game.picture(game.view(state, None))
        orders = {seat: game.choose(game.view(state, seat), seat) for seat in game.awaiting(state)}
        state = game.resolve(state, orders, chance).state
    assert game.result(state)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("board", "islands.toml"), "Pontus"),
        (("cards", "check", "animals.json"), "6 units, 14 orders, Points A B C; no switches."),
        (("data", "check", "ozz"), "15 counters, 6 points, 2 nations; scenarios: rivers, ford."),
    ],
)
def test_the_command_that_checks_such_data_finds_nothing_wrong(words: tuple[str, ...], told: str) -> None:
    done = CliRunner().invoke(main, [*words[:-1], str(EXAMPLES / words[-1])])
    assert done.exit_code == 0, done.output
    assert told in done.output


def test_the_page_names_every_example() -> None:
    page = (DOCS / "own-data.md").read_text("utf-8")
    for path in EXAMPLES.iterdir():
        assert f"(examples/{path.name})" in page
