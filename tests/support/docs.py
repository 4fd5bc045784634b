"""The docs as tests read them: their sections, tables and examples."""

import re

from support.paths import ROOT


def page(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def section(name: str, heading: str) -> str:
    """The part of a page from a heading to the next one of the same rank."""
    rank = heading.partition(" ")[0]
    found = re.search(rf"^{re.escape(heading)}\n(.*?)(?=^#{{1,{len(rank)}}} |\Z)", page(name), re.M | re.S)
    assert found, f"{name} has no heading {heading!r}"
    return found[1]


def rows(text: str) -> list[list[str]]:
    """The cells of the tables in a text, without their headings."""
    lines = [line.strip()[1:-1] for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.split("|")] for line in lines]
    heads = {at + shift for at, row in enumerate(cells) if set("".join(row)) <= set("- ") for shift in (-1, 0)}
    return [row for at, row in enumerate(cells) if at not in heads]


def code(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def fenced(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)
