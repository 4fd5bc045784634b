"""The key that all reply tokens are made with: a file of mode 0600 outside the database and its backups."""

import os
import stat
from pathlib import Path

from pbem.config.ini import ConfigError

_KEY_BYTES = 32


def make_key(path: Path) -> None:
    """A new key file of mode 0600. Raises ConfigError if there is a file already."""
    import secrets

    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise ConfigError("[desk] key_file", f"{path} cannot be made: {error.strerror}.") from None
    with os.fdopen(handle, "w") as file:
        file.write(secrets.token_hex(_KEY_BYTES) + "\n")


def read_key(path: Path) -> bytes:
    """The key that all reply tokens are made with. Raises ConfigError."""
    try:
        mode = path.stat().st_mode
        key = bytes.fromhex(path.read_text("ascii").strip())
    except OSError as error:
        raise ConfigError("[desk] key_file", f"{path} cannot be read: {error.strerror}.") from None
    except ValueError:
        key = b""
    if stat.S_IMODE(mode) & 0o077:
        raise ConfigError("[desk] key_file", f"{path} can be read by others: run `chmod 600` on it.")
    if len(key) < _KEY_BYTES:
        raise ConfigError("[desk] key_file", f"{path} is not a key as `pbem init` makes it: restore yours.")
    return key
