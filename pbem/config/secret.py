"""A password that the INI file only says the place of: read when it is needed, never kept, never shown."""

import os
from pathlib import Path

from pbem.config.command import CommandError, output_of
from pbem.config.ini import ConfigError

_COMMAND_SECONDS = 30
_SECRET_BYTES = 16_384


class Secret:
    """Where a password is kept. Nothing that is printed shows more of it than that."""

    def __init__(self, section: str, key: str, value: str, folder: Path) -> None:
        self._where, self._key, self._value, self._folder = f"[{section}] {key}", key, value, folder

    def __repr__(self) -> str:
        return f"Secret({self._where})"

    def read(self) -> str:
        """The first line of the file, of the variable or of what the command prints. Raises ConfigError."""
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

        try:
            said = output_of(shlex.split(self._value), self._folder, seconds=_COMMAND_SECONDS, most=_SECRET_BYTES)
        except CommandError as error:
            raise self._error(str(error)) from None
        return self._text(said)

    def _text(self, content: bytes) -> str:
        try:
            return content.decode("utf-8").removeprefix("\ufeff")
        except UnicodeDecodeError:
            raise self._error("holds something that is not UTF-8 text.") from None
