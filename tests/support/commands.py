"""Commands, run within the tests or in their own processes."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import click
from click.testing import CliRunner, Result

from pbem.cli.main import main

RED_AND_BLUE = ("--red", "Alice <alice@example.net>", "--blue", "Bob <bob@example.com>")


def pbem(*words: object, text: str | None = None) -> Result:
    """Run a command within the tests. Whatever goes wrong, it must end with an exit status and without a traceback."""
    result = CliRunner().invoke(main, [str(word) for word in words], input=text)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    assert "mistake of ours" not in result.output
    return result


def wrong(status: int, *words: object) -> str:
    """Run a command that fails; return its single sentence on standard error."""
    result = pbem(*words)
    assert (result.exit_code, result.stdout) == (status, "")
    assert result.stderr.startswith("pbem: ")
    assert result.stderr.count("\n") == 1
    return result.stderr[len("pbem: ") : -1]


def program(*words: object) -> list[str]:
    return [sys.executable, "-m", "pbem", *map(str, words)]


def shell(*words: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a command in its own process."""
    return subprocess.run(program(*words), capture_output=True, text=True, check=False, **options)


def context(command: click.Command) -> click.Context:
    """Make a command's context as the program does, because click keeps the first help option that is requested."""
    return click.Context(command, parent=click.Context(main, **main.context_settings))


def commands(group: click.Group, name: str) -> Iterator[tuple[str, click.Command]]:
    """The command `group`, called `name`, and all commands below it, each with its name."""
    yield name, group
    for word in group.list_commands(context(group)):
        command = group.get_command(context(group), word)
        assert command
        if isinstance(command, click.Group):
            yield from commands(command, f"{name} {word}")
        else:
            yield f"{name} {word}", command
