"""Interpreters for tests: programs that answer the desk's questions from a list, or misbehave."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pbem.cli.demo import DemoDesk
from pbem.config.config import InterpreterConfig

_SCRIPTED = """
import json, sys, time
answers, log = json.load(open({answers!r})), open({log!r}, "a")
for line in sys.stdin:
    question = json.loads(line)
    print(line.strip(), file=log, flush=True)
    if "letter" in question:
        steps = next((steps for words, steps in answers.items() if words in question["letter"]), [{{"asks": "?"}}])
    step = steps.pop(0)
    print(json.dumps({{"id": question["id"], **step}}) if isinstance(step, dict) else step, flush=True)
"""


class Scripted:
    """An interpreter that answers from a script, and writes down what it is asked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "questions.jsonl"
        self.program = folder / "interpreter.py"

    def will(self, answers: Mapping[str, Any]) -> str:
        """Return the command of an interpreter that answers a letter which contains certain words: with an object or a
        line, or with a list of these, one after the other."""
        steps = {words: said if isinstance(said, list) else [said] for words, said in answers.items()}
        (self.folder / "answers.json").write_text(json.dumps(steps), "utf-8")
        self.program.write_text(_SCRIPTED.format(answers=str(self.folder / "answers.json"), log=str(self.log)), "utf-8")
        return f"{sys.executable} {self.program}"

    @property
    def asked(self) -> list[dict[str, Any]]:
        """What it was asked so far, with the replies to the orders that it tried out."""
        return [json.loads(line) for line in self.log.read_text("utf-8").splitlines()] if self.log.exists() else []


def plug_in(table: DemoDesk, command: str, seconds: float = 20, run: float = 60, day: int = 200) -> None:
    """Have a desk ask the interpreter `command`."""
    interpreter = InterpreterConfig(command, table.config.path.parent, seconds, run, day)
    table.config = table.config._replace(interpreter=interpreter)
