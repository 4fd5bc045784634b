"""Games of other packages: they are found, a broken one is told in a sentence, and the other games go on."""

import shutil
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from pbem import games
from pbem.cli.demo import DemoDesk
from pbem.games.base import GameError
from pbem.service.broken_games import broken_games
from pbem.store.matches import load_match
from support.commands import pbem, wrong
from support.desks import NOON
from support.paths import EXAMPLE
from support.plugins import Plugins, plugged
from support.trials import flat

__all__ = ["plugged"]

HARBOURS = EXAMPLE / "pbem_harbours"


def add(plugged: Plugins, folder: Path, code: str = "", package: str = "pbem-harbours", point: str = "") -> Path:
    """Install a package with the small game; `code` is appended to its module. Return the module's folder."""
    module = f"their_{package.replace('-', '_')}"
    shutil.copytree(HARBOURS, folder / package / module, ignore=shutil.ignore_patterns("__pycache__"))
    with (folder / package / module / "__init__.py").open("a") as file:
        file.write(code)
    plugged.install(folder / package, package, {"harbours": point or f"{module}:Harbours"})
    return folder / package / module


def said() -> list[str]:
    """What is wrong with the games that are installed."""
    return list(map(str, broken_games()))


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_games_of_pbem_are_found_as_those_of_others_are_and_only_the_game_asked_for_is_imported():
    code = """import sys
from pbem.games import GAMES, find_game
find_game("rocknroll")
print(*GAMES, *(name for name in GAMES if f"pbem.games.{name}" in sys.modules))"""
    assert python(code) == "ozymandia ozz rocknroll rocknroll"


def test_a_run_without_work_does_not_look_for_games(tmp_path):
    config = str(tmp_path / "desk" / "config.ini")
    assert pbem("init", tmp_path / "desk").exit_code == pbem("--config", config, "poll").exit_code == 0
    code = f"""import sys
sys.argv = ["pbem", "--config", {config!r}, "poll"]
from pbem.cli.poll import main
try:
    main()
except SystemExit as end:
    print(end.code, "importlib.metadata" in sys.modules)"""
    assert python(code) == "0 False"


def test_the_game_of_another_package_is_played_and_its_words_begin_lines_of_orders(plugged, tmp_path):
    add(plugged, tmp_path)
    assert games.find_game("Harbours").title == "Harbours"
    assert [*games.GAMES] == ["ozymandia", "ozz", "rocknroll", "harbours"]
    assert said() == []
    from pbem.orders.grammar import may_begin

    assert may_begin("Sail to Cove with 7", 0)
    table = DemoDesk(tmp_path / "desk", NOON, "harbours")
    table.poll()
    assert "the higher one takes the cargo" in flat(table.last["gull"])
    table.close()


def test_a_package_that_is_gone_takes_its_game_with_it(plugged, tmp_path):
    add(plugged, tmp_path)
    shutil.rmtree(tmp_path / "pbem-harbours")
    plugged.look_again()
    with pytest.raises(GameError, match='There is no game "harbours"'):
        games.find_game("harbours")


BROKEN = [
    ("", "nowhere:Harbours", "the module nowhere is not there"),
    ("", "nowhere.at.all:Harbours", "the module nowhere.at.all is not there"),
    ("", "their_pbem_harbours", 'its entry point is to be "module:Class", and is "their_pbem_harbours"'),
    ("", "their_pbem_harbours:Ports", "their_pbem_harbours fails with AttributeError: module 'their_pbem_harbours' "),
    ("\nimport no_such_module", "", "their_pbem_harbours fails with ModuleNotFoundError: No module named 'no_such_mod"),
    ("\n1 / 0", "", "their_pbem_harbours fails with ZeroDivisionError: division by zero"),
    ("\nexit(", "", "their_pbem_harbours fails with SyntaxError: "),
    ("\nHarbours = dict", "", "dict is no subclass of pbem.games.base.Game"),
    ("\nHarbours.name = 'ports'", "", 'the name of Harbours is "ports"'),
    ("\nclass Harbours(Game):\n    name = 'harbours'", "", "Harbours does not define awaiting, grammar, interpret, "),
    ("\nHarbours.templates = Path('/nowhere')", "", "its files aim.j2, help.j2 are not there"),
    ("\nHarbours.grammar = Path('/nowhere')", "", "its grammar is not orders.lark beside its module"),
    ("\nHarbours.new = None", "", "its first turn cannot be read, TypeError: 'NoneType' object is not callable"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "point", "told"), BROKEN)
def test_a_broken_game_is_told_in_one_sentence_with_its_package(plugged, tmp_path, code, point, told):
    add(plugged, tmp_path, code, point=point)
    (sentence,) = said()
    assert sentence.startswith(f"The game harbours of the package pbem-harbours cannot be played: {told}")
    assert "\n" not in sentence
    assert [game.name for game in games.GAMES.values()][:3] == ["ozymandia", "ozz", "rocknroll"]


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("words/en.toml", "sail = [", "its grammar or its words cannot be read, TOMLDecodeError: "),
        ("words/en.toml", "sail = ['(']\nwith = ['with']", "its grammar or its words cannot be read, error: missing )"),
        ("orders.lark", "orders: ORDER", "its first turn cannot be read, GrammarError: "),
    ],
)
def test_words_or_a_grammar_that_cannot_be_read_stop_no_letter_of_another_game(plugged, tmp_path, file, text, told):
    (add(plugged, tmp_path) / file).write_text(text)
    (sentence,) = said()
    assert sentence.startswith(f"The game harbours of the package pbem-harbours cannot be played: {told}")
    from pbem.orders.grammar import may_begin

    assert may_begin("3 A to M", 0)


def test_a_game_with_the_name_of_another_is_refused_and_those_of_pbem_stay(plugged, tmp_path):
    add(plugged, tmp_path)
    add(plugged, tmp_path, package="acme-ports")
    plugged.install(tmp_path / "false", "false-ozymandia", {"ozymandia": "their_acme_ports:Harbours"})
    told = "cannot be played: {} has a game of this name, too: uninstall one of them."
    assert said() == [
        f"The game ozymandia of the package false-ozymandia {told.format('pbem')}",
        f"The game harbours of the package acme-ports {told.format('pbem-harbours')}",
        f"The game harbours of the package pbem-harbours {told.format('acme-ports')}",
    ]
    assert "harbours" not in games.GAMES
    assert games.find_game("ozymandia").title == "Ozymandia"


@pytest.mark.parametrize("name", ["Chess", "go-moku", "4x", "x"])
def test_a_game_has_a_name_that_can_be_a_word_of_letters_and_files(plugged, tmp_path, name):
    plugged.install(tmp_path, "their-game", {name: "their:Game"})
    told = "cannot be played: the name of a game consists of 2 to 30 small letters and digits."
    assert said() == [f"The game {name} of the package their-game {told}"]


def test_commands_say_what_is_wrong_with_a_game(plugged, tmp_path):
    add(plugged, tmp_path, "\n1 / 0")
    assert pbem("init", tmp_path / "desk").exit_code == 0
    config = ("--config", tmp_path / "desk" / "config.ini")
    told = "The game harbours of the package pbem-harbours cannot be played: their_pbem_harbours fails with "
    assert f"pbem: {told}" in pbem(*config, "check-config").output
    assert f"games: {told}" in pbem(*config, "doctor").output
    assert wrong(2, *config, "game", "new", "--game", "harbours").startswith(told)
    assert wrong(2, "check", "--game", "harbours", "Pass").startswith(told)


def test_a_desk_goes_on_with_its_other_games_when_one_is_broken(plugged, tmp_path):
    """A letter to the broken game is set aside until somebody has repaired its package, and then handled again: a turn
    whose deadline has passed meanwhile counts as missed only by whoever wrote nothing."""
    module = add(plugged, tmp_path)
    table = DemoDesk(tmp_path / "desk", NOON, "harbours")
    table.poll()
    invitation, card = table.last["gull"], table.match().state.hands["gull"][0]
    table.game = games.find_game("ozymandia")
    table.begin({})
    table.poll()

    def poll() -> str:
        told = pbem("--config", table.config.path, "--now", f"{table.now:%Y-%m-%dT%H:%MZ}", "poll")
        return told.output

    whole = (module / "__init__.py").read_text()
    (module / "__init__.py").write_text(f"{whole}\n1 / 0")
    plugged.look_again()
    table.deliver(table.answer("red", f"Sail to Cove with {card}", to=invitation).as_bytes())
    table.write("red", "3 A to M")
    assert "Letter 1 of gull in har-1 was set aside (the game cannot be played)" in poll()
    assert load_match(table.store, 2).standing["red"].canonical == "3 A to M"
    table.now += timedelta(days=4)
    assert "har-1 cannot be played on: The game harbours of the package pbem-harbours cannot be played: " in poll()
    (module / "__init__.py").write_text(whole)
    plugged.look_again()
    poll()
    match = load_match(table.store, 1)
    assert match.state.ships["gull"] == "Cove"
    assert match.missed == {"gull": 0, "heron": 1}


def test_commands_about_all_games_leave_out_those_that_cannot_be_played_and_say_so(plugged, tmp_path):
    module = add(plugged, tmp_path)
    table = DemoDesk(tmp_path / "desk", NOON, "harbours")
    table.poll()
    table.game = games.find_game("ozymandia")
    table.begin({})
    table.poll()
    site, config = tmp_path / "site", ("--config", table.config.path)
    assert pbem(*config, "archive", "build", site).exit_code == 0
    before = {path: path.read_bytes() for path in site.rglob("har*")}
    assert {path.name for path in before} == {"har-1.html", "har-1.txt", "har-1.json", "harbours.css"}
    whole = (module / "__init__.py").read_text()
    (module / "__init__.py").write_text(f"{whole}\n1 / 0")
    plugged.look_again()
    why = "The game harbours of the package pbem-harbours cannot be played: their_pbem_harbours fails with "
    for command in (("archive", "build", site), ("verify", "--all"), ("rekey", "--yes")):
        done = pbem(*config, *command)
        assert done.exit_code == 1
        assert done.stderr.startswith(f"pbem: {why}")
        assert "Left out: har-1. " in done.stderr
        assert done.stderr.count("\n") == done.stderr.count("cannot be played: ") == 1
    assert {path: path.read_bytes() for path in site.rglob("har*")} == before
    (module / "__init__.py").write_text(whole)
    plugged.look_again()
    assert pbem(*config, "archive", "build", site).exit_code == 0
    assert pbem(*config, "verify", "--all").exit_code == 0
    assert {*site.rglob("har*")} == {*before}
