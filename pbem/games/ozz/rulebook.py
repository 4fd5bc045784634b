"""The rules by their numbers, as the manual has them, for whoever asks: `rule §5.19`, `rule J20`, `rule L105`.

The texts stand in `house/rulebook.toml`, which is read when it is first asked for.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from pbem.games.base import Paragraph, Say
from pbem.games.ozz.data import Switches
from pbem.games.spelling import latin
from pbem.resources import read_toml

_FILE = Path(__file__).parent / "house" / "rulebook.toml"
_NUMBER = re.compile(r"(§|L|J)?(\d{1,3}(?:\.\d{1,2})?)(?:[-–]L?\d{1,3})?")
_LINE = re.compile(r"\bL(\d+)")
_SWITCH = re.compile(r"\[switch (\w+)|`(\w+)`")
_SWITCHES = frozenset(one.name for one in fields(Switches))


class _Line(NamedTuple):
    """Lines of the published house rules: what they are about, and by which rules they are carried out."""

    first: int
    last: int
    about: str
    rules: tuple[str, ...]

    def __str__(self) -> str:
        return f"L{self.first}" if self.first == self.last else f"L{self.first}-{self.last}"


class _Book(NamedTuple):
    rules: Mapping[str, str]
    rulings: Mapping[str, Mapping[str, Any]]
    lines: tuple[_Line, ...]

    def among(self, section: str) -> list[str]:
        """The numbers of the rules of a section."""
        return [f"§{one}" for one in self.rules if one.startswith(f"{section}.")]


@cache
def _book() -> _Book:
    found = read_toml(_FILE)
    lines = (_Line(**{**one, "rules": tuple(one["rules"])}) for one in found["lines"])
    return _Book(found["rules"], found["rulings"], tuple(lines))


def number(text: str) -> str | None:
    """What a text names as a rule, whether it is there or not: `§5.19`, `J20`, `L105`; None for other words."""
    found = _NUMBER.fullmatch(latin(text.upper()).replace("Л", "L").replace(" ", ""))
    return f"{found[1] or '§'}{found[2]}" if found else None


def told(name: str, switches: Switches, say: Say) -> Iterator[Paragraph]:
    """What there is to tell of a rule by its `number`; of one that there is not, which there are."""
    book, kind, rest = _book(), name[0], name[1:]
    lines = [one for one in book.lines if kind == "L" and rest.isdigit() and one.first <= int(rest) <= one.last]
    if kind == "J" and name in book.rulings:
        yield Paragraph(say("Ruling {name}, as the manual has it", name=name), " ".join(_ruling(name, say)))
    elif kind == "§" and (rest in book.rules or book.among(rest)):
        yield Paragraph(say("Rule {name}, as the manual has it", name=name), " ".join(_rule(rest, switches, say)))
    elif lines:
        for line in lines:
            yield Paragraph(f"{line}, {line.about}" if line.about else str(line), " ".join(_line(line, say)))
        for rule in dict.fromkeys(rule for line in lines for rule in line.rules):
            yield from told(f"§{rule}", switches, say)
    else:
        yield unknown(name, say)


def unknown(name: str, say: Say) -> Paragraph:
    """That there is no such rule, and which there are."""
    told = say('There is no rule "{name}".', name=name)
    return Paragraph(say("No such rule"), f"{told} {_known(say)}")


def all_rules(say: Say) -> Paragraph:
    """Which rules can be asked for."""
    return Paragraph(say("The rules by their numbers"), _known(say))


def _known(say: Say) -> str:
    book = _book()
    sections = groupby(book.rules, lambda one: one.split(".")[0])
    rules = ", ".join(_range([f"§{one}" for one in numbers], say) for _, numbers in sections)
    return say(
        "There are the rules {rules}, the rulings {rulings}, and these lines of the published house rules: {lines}.",
        rules=rules,
        rulings=_range([*book.rulings], say),
        lines=", ".join(str(one) for one in book.lines),
    )


def _range(names: list[str], say: Say) -> str:
    return say("{first} to {last}", first=names[0], last=names[-1]) if len(names) > 1 else names[0]


def _rule(rule: str, switches: Switches, say: Say) -> Iterator[str]:
    book = _book()
    text, others = book.rules.get(rule, ""), book.among(rule)
    if text:
        yield text
        yield from _switched(text, switches, say)
        yield _source(rule, text, say)
    if others:
        yield say("Its rules are {rules}.", rules=_range(others, say))


def _switched(text: str, switches: Switches, say: Say) -> Iterator[str]:
    """How the options stand that a rule names."""
    named = dict.fromkeys(first or second for first, second in _SWITCH.findall(text))
    values = [_set(name, getattr(switches, name)) for name in named if name in _SWITCHES]
    if values:
        yield say("In this match: {switches}.", switches=", ".join(values))


def _set(name: str, value: bool | int) -> str:
    """`cavalry on`, `dissipation 2`."""
    said = str(value) if value and value is not True else "on" if value else "off"
    return f"{name} {said}"


def _source(rule: str, text: str, say: Say) -> str:
    """Where a rule comes from, and whether some of it is made up."""
    lines = [f"L{line}" for line in _LINE.findall(text)]
    found = ", ".join(dict.fromkeys(lines)) or ", ".join(str(one) for one in _book().lines if rule in one.rules)
    if found and "house" in text:
        return say("Source: {lines} of the published house rules; what is called house is ours.", lines=found)
    if found:
        return say("Source: {lines} of the published house rules.", lines=found)
    if "inferred" in text:
        return say("Source: inferred from the published house rules.")
    return say("It is ours: no line of the published house rules says it.")


def _ruling(name: str, say: Say) -> Iterator[str]:
    ruling = _book().rulings[name]
    yield ruling["text"]
    if ruling["lines"]:
        lines = ", ".join(f"L{line}" for line in ruling["lines"])
        yield say("It settles what {lines} of the published house rules leaves open, and is ours.", lines=lines)
    else:
        yield say("It settles what the published house rules leave open, and is ours.")
    if ruling.get("open"):
        yield say("It is one of those to be asked about first, if an owner of the printed rules turns up.")


def _line(line: _Line, say: Say) -> Iterator[str]:
    book = _book()
    if line.rules:
        rules = ", ".join(f"§{one}" for one in line.rules)
        yield say("The published house rules say this; it is at work here in {rules}.", rules=rules)
    else:
        yield say("This line of the published house rules is a heading.")
    spoken = [name for name, one in book.rulings.items() if any(line.first <= at <= line.last for at in one["lines"])]
    if spoken:
        yield say("Rulings on it: {rulings}.", rulings=", ".join(spoken))
