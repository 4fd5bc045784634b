"""What is hidden in a game stays hidden: two worlds that differ in hidden cards alone leave the desk byte for byte alike."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from pbem.cli.demo import Table
from pbem.games import base
from pbem.record.exports import write_json
from pbem.record.notation import write_record
from pbem.service import desk
from support.commands import pbem
from support.tables import history
from support.trial import Trial
from support.trials import SEATS, add_trial, hand, trial_table

READER = "amber"


class OtherWorld(Trial):
    """The trial game, in which the cards of two seats have changed places."""

    def new(self, options, chance):
        state = super().new(options, chance)
        birch, cedar = state["hands"]["birch"], state["hands"]["cedar"]
        return {**state, "hands": {**state["hands"], "birch": cedar, "cedar": birch}}


class Mirror:
    """A game that is played in one of the worlds, and all that leaves its desk for those who may not see what is hidden."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, game: Trial) -> None:
        add_trial(monkeypatch, game)
        self.table = trial_table(folder / "desk")
        self.left: list[tuple[str, object]] = []

    def command(self, *words: object) -> str:
        at = f"{self.table.now:%Y-%m-%dT%H:%MZ}"
        return pbem("--config", self.table.config.path, "--now", at, *words).output
