"""An interpreter that answers from a file: `python -m tools.recorded FILE`.

It lets somebody answer the desk's questions in their own time. Questions to which FILE has no answer are appended to
FILE.missing, one JSON object per line with its `key`, and the program answers that the letter is not clear. The lines
of FILE are answers as docs/interpreter.md describes them, each with the `key` of its question.
`python -m tools.everyday` and `python -m tools.replies` measure with such a file: `--answers FILE`.
"""

import json
import sys
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

_KEYS = ("game", "seat", "letter", "asked", "standing")


def key_of(question: Mapping[str, Any]) -> str:
    """A key of what is asked. It leaves out the position, because the cards of a new match are drawn."""
    text = json.dumps([question[name] for name in _KEYS], ensure_ascii=False)
    return sha256(text.encode()).hexdigest()[:16]


@cache
def _answers(path: Path) -> dict[str, dict[str, Any]]:
    lines = map(json.loads, path.read_text("utf-8").splitlines()) if path.exists() else ()
    return {line.pop("key"): line for line in lines}


def answer(path: Path, question: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a question in the file; without one, the question is noted as missing."""
    key = key_of(question)
    found = _answers(path).get(key)
    if found is None:
        with path.with_name(f"{path.name}.missing").open("a", encoding="utf-8") as missing:
            print(json.dumps({"key": key, **question}, ensure_ascii=False), file=missing)
    return found or {"asks": "Nobody has answered this."}


if __name__ == "__main__":
    for line in sys.stdin:
        question = json.loads(line)
        print(json.dumps({"id": question.pop("id"), **answer(Path(sys.argv[1]), question)}), flush=True)
