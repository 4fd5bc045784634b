"""The words of the command line: usages that say what is needed, lists that say when they are empty, and what was meant
by a word that is mistyped."""

import pytest

from pbem.cli.main import main
from support.commands import RED_AND_BLUE, commands, context, pbem


def test_the_usage_of_a_command_ends_with_each_option_that_it_cannot_do_without():
    required = {
        name: [one.opts[0] for one in command.get_params(context(command)) if one.required and one.opts[0][0] == "-"]
        for name, command in commands(main, "pbem")
    }
    assert required["pbem game pause"] == required["pbem league forbid"] == ["--reason"]
    for name, options in required.items():
        usage = pbem(*name.split()[1:], "--help").output.partition("\n\n")[0]
        assert all(f" {option} TEXT" in " ".join(usage.split()) for option in options), usage


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("game list", "There are no games yet: `pbem game new` sets one up."),
        ("league list", "There are no leagues yet."),
        ("player list", "Nobody is known here yet."),
        ("decisions", "No game master has decided anything yet."),
        ("letters", "No letter waits for anybody."),
        ("letters --set-aside", "No letter is set aside."),
        ("letters resend", "All letters were delivered, as far as we know."),
    ],
)
def test_an_empty_list_says_so_beside_its_output(config, words, sentence):
    told = pbem("--config", config, *words.split())
    assert (told.exit_code, told.stdout, told.stderr) == (0, "", f"{sentence}\n")


@pytest.mark.parametrize(
    ("words", "meant"),
    [("pol", "'poll'"), ("game lst", "'list'"), ("poll --verbos", "'--verbose'"), ("lab mtch", "'match'")],
)
def test_what_was_meant_by_a_mistyped_word_is_asked(words, meant):
    told = pbem(*words.split())
    assert told.exit_code == 2
    assert f"Did you mean {meant}?" in told.stderr


def test_a_decision_that_cannot_be_read_is_answered_in_the_form_of_the_command_line(config):
    pbem("--config", config, "game", "new", *RED_AND_BLUE)
    told = pbem("--config", config, "game", "rollback", "oz-1", "xyz", "--reason", "it was a slip")
    assert told.exit_code == 2
    assert "\"xyz\" could not be read: write `pbem game rollback oz-1 'TURN' --reason TEXT`." in told.stderr
    assert "because" not in told.stderr


def test_a_game_that_is_paused_already_need_not_be_resumed_first(config):
    pbem("--config", config, "game", "new", *RED_AND_BLUE)
    for _ in range(2):
        told = pbem("--config", config, "game", "pause", "oz-1", "--reason", "holidays")
    assert told.stderr == "pbem: oz-1 is already paused.\n"
