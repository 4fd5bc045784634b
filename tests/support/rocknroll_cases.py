"""The adjudication cases of Rock'n'Roll as values; `tests/cases/rocknroll.txt` describes their format."""

import re
from dataclasses import dataclass, field
from pathlib import Path

CASES = Path(__file__).parent.parent / "cases" / "rocknroll.txt"


@dataclass
class Case:
    """A case; `after` are the items that change, or None if the answer is an error."""

    number: int
    title: str
    set: str = "base"
    position: str = ""
    orders: dict[str, str] = field(default_factory=dict)
    chance: list[int] = field(default_factory=list)
    after: str = ""
    skipped: list[str] = field(default_factory=list)
    winner: str | None = None
    refused: list[str] = field(default_factory=list)
    error: str | None = None

    def add(self, word: str, rest: str) -> None:
        match word:
            case "SET":
                self.set = str(CASES.parent / rest) if rest.endswith(".json") else rest
            case "POSITION":
                self.position = rest
            case "ORDERS":
                seat, _, text = rest.partition(" ")
                self.orders[seat] = "\n".join(filter(None, (self.orders.get(seat), text)))
            case "CHANCE":
                self.chance = [int(one) for one in rest.split()]
            case "AFTER":
                self.after = rest
            case "SKIPPED":
                self.skipped = [one.strip() for one in rest.split(",")]
            case "WINNER":
                self.winner = rest
            case "REFUSED":
                self.refused = rest.split()
            case "ERROR":
                self.error = rest
            case _:
                raise ValueError(word)


def read_cases() -> list[Case]:
    """All cases of the file."""
    cases: list[Case] = []
    for line in CASES.read_text(encoding="utf-8").splitlines():
        word, _, rest = line.strip().partition(" ")
        if found := re.fullmatch(r"(\d+) (.*)", rest) if word == "CASE" else None:
            cases.append(Case(int(found[1]), found[2]))
        elif word and not word.startswith("#"):
            cases[-1].add(word, rest.strip())
    return cases
