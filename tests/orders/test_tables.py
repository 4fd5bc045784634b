"""Tables that the build makes of each grammar: what Lark would make now, and left alone where they do not fit."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.orders import starts, tables
from pbem.orders.tables import GAME_STARTS, digest, grammars, made_file, make_tables, tables_of, written
from support.paths import ROOT

GRAMMARS = {path.parent.name: (path, starts) for path, starts in grammars()}


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder for tables that nothing else reads."""
    monkeypatch.setattr(tables, "made_file", lambda path: tmp_path / f"{path.parent.name}.json")
    return tmp_path


@pytest.mark.parametrize("name", GRAMMARS)
def test_the_tables_that_were_made_are_those_that_lark_makes_now(name: str) -> None:
    path, starts = GRAMMARS[name]
    assert made_file(path).read_text() == written(path, starts)
    assert tables_of(path, starts) == make_tables(path, starts)


def test_every_game_has_tables_of_its_own() -> None:
    assert {"grammar", "ozymandia", "rocknroll"} <= GRAMMARS.keys()
    assert len({made_file(path) for path, _ in GRAMMARS.values()}) == len(GRAMMARS)


def test_orders_are_read_without_lark() -> None:
    read = (
        "import sys; from pbem.games import find_game; from pbem.orders.grammar import grammar_of, parse_command;"
        "print(grammar_of(find_game('ozymandia')).parse('3 A to M') is not None, parse_command('resign now'),"
        "'lark' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", read], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "('resign',", "'now')", "False"]


@pytest.mark.parametrize(
    "content", [None, "", "[", '{"of": "0000", "tables": {}}'], ids=["none", "empty", "torn", "of other texts"]
)
def test_tables_that_do_not_fit_are_left_alone(made: Path, content: str | None) -> None:
    path, starts = GRAMMARS["ozymandia"]
    if content is not None:
        (made / "ozymandia.json").write_text(content)
    assert tables_of(path, starts) == make_tables(path, starts)


def test_a_grammar_that_was_changed_is_made_anew(made: Path, tmp_path: Path) -> None:
    folder = tmp_path / "marches"
    (folder / "words").mkdir(parents=True)
    path = folder / "orders.lark"
    path.write_text('orders: "march" _SEP?\nbeginning: "march"\n_SEP: ";"\n%ignore " "\n')
    (made / "marches.json").write_text(written(path, GAME_STARTS))
    before = digest(path)
    assert "_SEP" in tables_of(path, GAME_STARTS).terminals
    path.write_text(path.read_text().replace("march", "halt"))
    assert digest(path) != before
    assert "HALT" in tables_of(path, GAME_STARTS).terminals
    (folder / "words" / "de.toml").write_text('halt = ["stehenbleiben"]\n')
    assert json.loads((made / "marches.json").read_text())["of"] == before != digest(path)


def test_how_orders_may_begin_was_made_as_it_would_be_now() -> None:
    assert starts.made_file().read_text() == starts.written()


def test_a_line_is_looked_at_without_importing_a_game() -> None:
    look = (
        "import sys; from pbem.orders.reader import may_be_order;"
        "lines = ('3 A to M', 'Order ZOR: advance', 'Разверни Johnny A', 'card Bao', 'Best wishes, Ann');"
        "print([may_be_order(line) for line in lines], [name for name in sys.modules if name in "
        "('pbem.games.ozymandia', 'pbem.games.rocknroll', 'pbem.games.ozz')])"
    )
    done = subprocess.run([sys.executable, "-c", look], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[True, True, True, True, False] []\n"


def test_where_games_have_changed_since_they_are_asked_themselves(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for content in (None, "{", '{"of": "0000", "starts": "(?!)"}'):
        made = tmp_path / "starts.json"
        if content is not None:
            made.write_text(content)
        monkeypatch.setattr(starts, "made_file", lambda made=made: made)
        starts._of_all.cache_clear()
        assert starts.may_begin("3 A to M", 0)
    starts._of_all.cache_clear()
