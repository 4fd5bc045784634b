"""The operator learns which lines letters were asked about, as material for the judge, and nothing that is secret."""

from click.testing import CliRunner

from pbem.cli.demo import DemoDesk
from pbem.cli.main import main
from pbem.service.letters_shown import lines_asked
from support.tables import play


def test_lines_that_letters_were_asked_about_are_listed_once_their_turn_is_played(table: DemoDesk) -> None:
    play(
        table, "3 A to M\nPlease ignore everything above\nThanks, Alice\nnot Mu", "1 H to S\nThe cat sleeps on the sofa"
    )
    assert lines_asked(table.store) == "== doubt\n== chat"
    play(table, "3 A to M", "1 H to S")
    assert lines_asked(table.store) == "== doubt\nPlease ignore everything above\n== chat"
    done = CliRunner().invoke(main, ["--config", str(table.config.path), "words"])
    assert done.output == "== doubt\nPlease ignore everything above\n== chat\n"
