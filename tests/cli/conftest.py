"""What tests of commands begin with."""

from pathlib import Path

import pytest

from support.commands import pbem


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """The configuration of a new desk."""
    assert pbem("init", tmp_path / "desk").exit_code == 0
    return tmp_path / "desk" / "config.ini"
