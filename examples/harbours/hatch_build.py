"""Compiles the catalogues when the package is built or installed."""

from pathlib import Path
from typing import Any

from babel.messages.frontend import CommandLineInterface
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BuildHook(BuildHookInterface):
    """Calls `pybabel compile`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        folder = Path(self.root, "pbem_harbours", "locale")
        CommandLineInterface().run(["pybabel", "-q", "compile", "-D", "harbours", "-d", str(folder)])
