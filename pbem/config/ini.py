"""A parser of INI files, which reports all malformed, unknown and repeated entries with their line numbers; and access
to passwords, for which a file specifies only where they are kept. Passwords are read when they are needed, and never
kept or shown.

The parser replaces configparser, which stops at the first repeated key, does not remember the lines of keys, and would
add 3 ms to every run that cron starts. Values are taken literally: `%` is a percent sign, and a comment needs a line of
its own.
"""

import os
import signal
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from pbem import PbemError
from pbem.typed import nearest

Values = dict[tuple[str, str], str]
"""The values in an INI file, keyed by section and key, both in lower case."""


class ConfigError(PbemError):
    """Raised when a configuration cannot be used; `problems` has a sentence for each thing that has to be corrected."""

    def __init__(self, where: str, *problems: str) -> None:
        self.problems = problems
        super().__init__(f"{where}: {problems[0]}" if len(problems) == 1 else "\n  ".join([f"{where}:", *problems]))


def read_ini(text: str, sections: Mapping[str, Iterable[str]]) -> tuple[Values, list[str]]:
    """Parse the text of an INI file; return its values, and a sentence for each problem. `sections` maps the names of
    the allowed sections to their keys."""
    values: Values = {}
    problems = []
    section, seen = "", set[str]()
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        problem = ""
        if not line or line[0] in "#;":
            continue
        if line[0] == "[" and line[-1] == "]":
            section = line[1:-1].strip().lower()
            problem = _section_problem(section, sections, seen)
            seen.add(section)
        elif not seen:
            problem = "stands before the first [section]."
        elif "=" not in line:
            problem = "is neither a [section] nor `key = value`."
        elif section in sections:
            key, _, value = line.partition("=")
            problem = _key_problem(section, key.strip().lower(), sections[section], values)
            values.setdefault((section, key.strip().lower()), value.strip())
        if problem:
            problems.append(f"line {number} {problem}")
    return values, problems


def _section_problem(name: str, sections: Iterable[str], seen: set[str]) -> str:
    if name not in sections:
        return f"has an unknown section, [{name}]; {nearest(name, sections)}"
    return f"begins [{name}] a second time." if name in seen else ""


def _key_problem(section: str, key: str, keys: Iterable[str], values: Values) -> str:
    if key not in keys:
        return f"has an unknown key of [{section}], {key}; {nearest(key, keys)}"
    return f"gives [{section}] {key} a second time." if (section, key) in values else ""


_COMMAND_SECONDS = 30
_SECRET_BYTES = 16_384


class Secret:
    """The place where a password is kept. The `repr` shows only that place."""

    def __init__(self, section: str, key: str, value: str, folder: Path) -> None:
        self._where, self._key, self._value, self._folder = f"[{section}] {key}", key, value, folder

    def __repr__(self) -> str:
        return f"Secret({self._where})"

    def read(self) -> str:
        """Return the password: the first line of the file, of the environment variable or of the command's output.
        Raises ConfigError."""
        read = {"password_file": self._from_file, "password_env": self._from_env}.get(self._key, self._from_command)
        lines = read().splitlines()
        if not lines or not lines[0]:
            raise self._error("holds no password: its first line must be the password.")
        return lines[0]

    def _error(self, problem: str) -> ConfigError:
        return ConfigError(self._where, problem)

    def _from_file(self) -> str:
        path = Path(self._value)
        try:
            with path.open("rb") as file:
                mode = os.fstat(file.fileno()).st_mode
                content = file.read(_SECRET_BYTES)
        except PermissionError:
            problem = f"{path} cannot be read: it has to belong to the user who runs pbem. Run `chown` on it."
            raise self._error(problem) from None
        except OSError as error:
            raise self._error(f"{path} cannot be read: {error.strerror}.") from None
        if mode & 0o077:
            raise self._error(f"{path} can be read by others: run `chmod 600` on it.")
        return self._text(content)

    def _from_env(self) -> str:
        if self._value not in os.environ:
            raise self._error(f"the environment variable {self._value} is not set.")
        return os.environ[self._value]

    def _from_command(self) -> str:
        import shlex

        words = shlex.split(self._value)
        try:
            output = output_of(words, self._folder, seconds=_COMMAND_SECONDS, most=_SECRET_BYTES)
        except CommandError as error:
            raise self._error(f"{words[0]} {error}") from None  # what follows may be secret
        return self._text(output)

    def _text(self, content: bytes) -> str:
        try:
            return content.decode("utf-8").removeprefix("\ufeff")
        except UnicodeDecodeError:
            raise self._error("holds something that is not UTF-8 text.") from None


class CommandError(PbemError):
    """Raised when a command fails; the message completes a sentence that begins with the command."""


def output_of(words: list[str], folder: Path, *, seconds: float, most: int) -> bytes:
    """Run the command `words` in `folder`, and return what it prints. Raises CommandError if it fails, prints more than
    `most` bytes, or takes longer than `seconds`. The command runs without a shell and in a session of its own, so that
    its child processes can be ended, too."""
    from subprocess import DEVNULL, PIPE, Popen  # every run reads the configuration, and few runs need this
    from threading import Timer

    try:
        process = Popen(  # noqa: S603 - the operator's own command
            words, cwd=folder, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL, start_new_session=True
        )
    except OSError as error:
        raise CommandError(f"cannot be run: {error.strerror}.") from None
    timer = Timer(seconds, _end, [process.pid])
    timer.start()
    try:
        with process:
            assert process.stdout is not None
            output = process.stdout.read(most + 1)
            if len(output) > most:
                _end(process.pid)
    except BaseException:
        _end(process.pid)
        raise
    finally:
        in_time = timer.is_alive()
        timer.cancel()
    if not in_time:
        raise CommandError(f"did not end within {seconds:.0f} seconds.")
    if len(output) > most:
        raise CommandError(f"printed more than {most} bytes.")
    if process.returncode:
        raise CommandError(f"ended with status {process.returncode}: try it by hand.")
    return output


def _end(session: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(session, signal.SIGKILL)
