"""The operator learns which words letters were asked back for, and nothing that is secret."""

from click.testing import CliRunner

from pbem.cli.demo import Table
from pbem.cli.main import main
from pbem.service.words_asked import words_asked
from support.tables import play


def test_words_that_letters_were_asked_back_for_are_listed_once_their_turn_is_played(table: Table) -> None:
    play(table, "3 A to M\nFrobnicate quuxly, Alice", "1 H to S\nfrobnicate it")
    assert words_asked(table.store) == []
    play(table, "3 A to M", "1 H to S")
    assert words_asked(table.store) == [("frobnicate", 2)]
    done = CliRunner().invoke(main, ["--config", str(table.config.path), "words"])
    assert done.output == "    2  frobnicate\n"
