"""Descriptions of counters, points and rules for players who ask about them, including the sources of their values."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from pbem import ENGLISH, Say, Sentence
from pbem.games.base import Paragraph, Seat
from pbem.games.capabilities import Lookup
from pbem.games.kit.questions import parts_of, things_asked
from pbem.games.ozz import wording
from pbem.games.ozz.board import COLUMNS
from pbem.games.ozz.data import BELL, Card, Data, Point, Switches
from pbem.games.ozz.names import Seen, names_of, scan, spells
from pbem.games.ozz.state import State
from pbem.games.spelling import folded, latin
from pbem.resources import read_toml

LOOKUPS = {
    "card": Lookup(
        Sentence("card SOU"),
        Sentence("what a counter is, and which of its values are ours; `card` alone lists all counters"),
    ),
    "point": Lookup(
        Sentence("point H1"),
        Sentence("what a point of the map is, and where its ways lead; `point` alone lists all points"),
    ),
    "rule": Lookup(
        Sentence("rule J20"),
        Sentence("a rule, a ruling, or what a line of the published house rules does here: §5.19, J20, L105"),
    ),
}

_CODE = re.compile(r"[^\W\d]\w{0,2}")
_LINES = re.compile(r"L\d+(?:-\d+)?")
_CASTING = ("spell", "magic", "zauber", "magie", "заклина", "колд", "маги")  # how words about spells begin
_STEM = 5  # the minimum length of a spell's name that may have various endings
_CODE_LENGTH, _MOST_THINGS = 3, 3
_RANDOM = "?"  # a spell that is drawn during the set-up

_VALUES: Mapping[str, Callable[[Say], str]] = {
    "name": lambda say: say("the name"),
    "kind": lambda say: say("the kind"),
    "strengths": lambda say: say("the strengths"),
    "home": lambda say: say("the home terrain"),
    "spells": lambda say: say("the spells"),
    "at": lambda say: say("the place"),
    "terrain": lambda say: say("the terrain"),
    "nation": lambda say: say("the nation"),
    "strength": lambda say: say("the strength"),
    "links": lambda say: say("the roads and trails"),
}
"""Names for the marked values, for use in sentences."""


def look_up(state: State, word: str, name: str, say: Say = ENGLISH) -> tuple[Paragraph, ...] | None:
    """Describe the things that `name` lists, or list all things of the kind `word` ("card", "point" or "rule") if
    `name` is empty; return None if `name` contains anything but names."""
    look = {"card": _cards, "point": _points, "rule": _rules}[word]
    return look(state, parts_of(name), say)


def _rules(state: State, parts: list[str], say: Say) -> tuple[Paragraph, ...] | None:
    if not parts:
        return (Paragraph(say("The rules by their numbers"), _overview(say)),)
    numbers = [_number(part) for part in parts]
    if len(parts) == 1 and not numbers[0] and " " not in parts[0]:
        return (_no_rule(parts[0], say),)
    named = [number for number in dict.fromkeys(numbers) if number]
    paragraphs = (paragraph for number in named for paragraph in _numbered(number, state.options.switches, say))
    return tuple(dict.fromkeys(paragraphs)) if all(numbers) else None


def _cards(state: State, parts: list[str], say: Say) -> tuple[Paragraph, ...] | None:
    data = state.data
    if not parts:
        return (_all_cards(data, say),)
    listed, wrong = list[str](), list[Paragraph]()
    for part in parts:
        meant = names_of(data).find(part)
        codes = meant.whole or meant.less
        near = names_of(data).nearest(part, tuple(data.counters))
        if len(codes) == 1:
            listed += codes
        elif codes or near or _CODE.fullmatch(part):
            hint = say("`card` alone lists all counters.")
            wrong.append(Paragraph(say("No such counter"), f"{_not_one(data, part, codes or near, say)} {hint}"))
        else:
            return None
    return (*(_card(data, code, say) for code in dict.fromkeys(listed)), *wrong)


def _not_one(data: Data, text: str, meant: tuple[str, ...] | str | None, say: Say) -> str:
    """Say that `text` fits several counters, or no counter. `meant` is a tuple of the counters that it fits or, if it
    fits none, the code of a similar counter; it is None if no counter is similar."""
    if isinstance(meant, tuple):
        names = ", ".join(wording.named(data, code, say) for code in meant)
        return say('"{text}" may be one of these: {names}.', text=text, names=names)
    if meant:
        near = wording.named(data, meant, say)
        return say('There is no counter "{text}". {near}?', text=text, near=near)
    return say('There is no counter "{text}".', text=text)


def _points(state: State, parts: list[str], say: Say) -> tuple[Paragraph, ...] | None:
    data = state.data
    if not parts:
        points = ", ".join(wording.point(data, code) for code in data.points)
        return (Paragraph(say("All points"), f"{points}."),)
    listed, wrong = list[str](), list[Paragraph]()
    for part in parts:
        codes = names_of(data).find_points(part)
        if codes:
            listed += codes
        elif names_of(data).nearest_point(part) or _number(part) or _CODE.fullmatch(part):
            points = ", ".join(data.points)
            text = say('There is no point "{text}". There are {points}.', text=part, points=points)
            wrong.append(Paragraph(say("No such point"), text))
        else:
            return None
    return (*(_point(data, code, say) for code in dict.fromkeys(listed)), *wrong)


def _all_cards(data: Data, say: Say) -> Paragraph:
    groups: dict[str, list[str]] = {}
    for code, card in data.counters.items():
        strengths = "" if card.leader else f" {wording.strengths(data, code)}"
        groups.setdefault(_owner(card, say), []).append(f"{wording.named(data, code, say)}{strengths}")
    lists = (f"{owner}: {', '.join(names)}." for owner, names in groups.items())
    legend = say("After each name: ranged/melee strength (:2 = range 2).")
    return Paragraph(say("All counters"), " ".join((*lists, legend)))


def _owner(card: Card, say: Say) -> str:
    return wording.nation(card.nation, say) if card.nation else say("of no nation")


def _card(data: Data, code: str, say: Say) -> Paragraph:
    card = data.counters[code]
    label = f"{wording.kind(data, code, say)}, {_owner(card, say)}"
    heading = wording.named(data, code, say) if code == BELL else f"{wording.named(data, code, say)}: {label}"
    return Paragraph(heading, " ".join((*_card_lines(data, card, say), *_marked(card.marks, say))))


def _card_lines(data: Data, card: Card, say: Say) -> Iterator[str]:
    if card.leader:
        spells = (wording.spell(spell, say) if spell != _RANDOM else say("one by chance") for spell in card.spells)
        yield say("Spells: {spells}.", spells=", ".join(spells)) if card.spells else say("No spells.")
        return
    if card.move:
        yield say("Move {number}.", number=card.move)
    if card.ranged:
        yield say("Ranged strength {strength}, range {range}.", strength=card.ranged, range=card.range)
    if card.melee:
        yield say("Melee strength {strength}.", strength=card.melee)
    yield say("Value {number}.", number=card.value)
    home = wording.terrain(card.home, say) if card.home else ""
    yield say("Home terrain: {terrain}.", terrain=home) if home else say("No home terrain.")
    if card.special:
        yield say("Specialist of {points}.", points=", ".join(wording.point(data, point) for point in card.special))
    if card.reserve:
        yield say("It comes into play only by a rule.")
    if card.intrinsic:
        yield say("It stands in walls and never leaves them.")


_POINT_KINDS = {
    "castle": Sentence("castle"),
    "fort": Sentence("fort"),
    "town": Sentence("population center"),
    "grounds": Sentence("recruiting grounds"),
    "plain": Sentence("plain point"),
}


def _point(data: Data, code: str, say: Say) -> Paragraph:
    point = data.points[code]
    owner = f", {wording.nation(point.nation, say)}" if point.nation else ""
    heading = f"{wording.point(data, code)}: {say(_POINT_KINDS[point.kind])}{owner}"
    marks = {
        **_plain_marks(point.marks),
        "links": _plain_marks(json.loads(data.source["map"]).get("marks")).get("links", ""),
    }
    return Paragraph(heading, " ".join((*_point_lines(data, point, say), *_marked(marks, say))))


def _point_lines(data: Data, point: Point, say: Say) -> Iterator[str]:
    if point.center:
        yield say("Intrinsic strength {number}.", number=point.strength)
    yield say("Terrain: {terrain}.", terrain=wording.terrain(point.terrain, say))
    across, up = point.at
    yield say("It lies {across} inches from the left and {up} from the bottom.", across=across, up=up)
    links = data.links[point.code]
    if roads := [wording.point(data, end) for end, kind in links.items() if kind == "road"]:
        yield say("Roads to {points}.", points=", ".join(roads))
    if trails := [wording.point(data, end) for end, kind in links.items() if kind == "trail"]:
        yield say("Trails to {points}.", points=", ".join(trails))


def _plain_marks(marks: Any) -> dict[str, str]:
    """Return those of `marks` that are text, as all are in the shipped data; custom data may contain others."""
    return {key: mark for key, mark in marks.items() if isinstance(mark, str)} if isinstance(marks, Mapping) else {}


def _marked(marks: Any, say: Say) -> Iterator[str]:
    """Name the sources of marked values, and say which values are house values."""
    origins = {key: mark for key, mark in _plain_marks(marks).items() if key in _VALUES and mark}
    sources = (f"{_VALUES[key](say)} ({source})" for key, mark in origins.items() if (source := _from(mark, say)))
    if text := ", ".join(sources):
        yield say("Sources: {sources}.", sources=text)
    house = [_VALUES[key](say) for key, mark in origins.items() if "house" in mark]
    if house:
        yield say("House values: {values}.", values=", ".join(house))
    else:
        yield say("No house values.") if origins else say("Its file does not say where its values come from.")


def _from(mark: str, say: Say) -> str:
    public = [say("public pages")] if "source" in mark else []
    return ", ".join((*public, *_LINES.findall(mark), *([say("inferred")] if "inferred" in mark else [])))


def asked_about(state: State, kind: str, gaps: Sequence[str]) -> tuple[str, ...] | None:
    """Return the things that a question of the given `kind` is about: points, spaces, counters, spells, or the nation
    whose units are asked about. They are named in `gaps`, the texts that the question contains in place of each `...`
    in its wording; return None if these texts do not name such things."""
    names = names_of(state.data)
    if kind in ("spell", "about"):
        return (_spells_asked if kind == "spell" else _things_asked)(state, gaps[-1]) or None

    def things(text: str) -> tuple[str, ...]:
        meant = names.find(text)
        leaders = tuple(code for code in meant.whole if state.data.counters[code].leader)
        points = names.find_points(text) if kind == "card" and not leaders else ()
        return leaders or points or meant.whole or meant.less

    return things_asked(kind, gaps, state.seats, things, lambda text: _place(state, text, spaces=kind == "holds"))


def _spells_asked(state: State, text: str) -> tuple[str, ...]:
    """Return the spells that a question names, and any magic users named with them. Magic users alone count only if the
    question is about casting."""
    words = scan(state.data, text)
    named = [spell for word in words if (spell := _spell_in(word))]
    leaders = [code for code in _things_asked(state, text) if code in state.spells]
    casts = any(word.may_be("cast") or folded(word.value).startswith(_CASTING) for word in words)
    return tuple(dict.fromkeys((*named, *leaders))) if named or (casts and leaders) else ()


def _spell_in(word: Seen) -> str:
    """Return the spell that a word names, even with an ending that is not used in orders; "" if the word does not name
    a spell."""
    if word.may_be("spell", "transport"):
        return spells()[word.spelled]
    text = folded(word.value)
    stems = (name for name in spells() if len(name) >= _STEM and text[:-2].startswith(name[:-1]) and not word.kinds)
    return next((spells()[name] for name in stems), "")


def _things_asked(state: State, text: str) -> tuple[str, ...]:
    """Return the first three counters and points that a question names unambiguously, or all of them if there are
    fewer."""
    names, things = names_of(state.data), list[str]()
    for word in scan(state.data, text):
        if len(word.value) <= _CODE_LENGTH and not word.value.isupper():
            continue  # "may", "her" and "are" are codes in capitals only
        if word.may_be("counter", "point"):
            meant = names.find(word.value)
            leaders = tuple(code for code in meant.whole if state.data.counters[code].leader)
            found = leaders or (*(meant.whole or meant.less), *names.find_points(word.value))
            things += found if len(found) == 1 else ()
    return tuple(dict.fromkeys(things))[:_MOST_THINGS]


def _place(state: State, text: str, *, spaces: bool) -> str | None:
    """Return the point that a text names or, if `spaces` is true and a battle is being fought, the space of the board;
    None if the text names neither."""
    space = text.upper()
    if state.battle and spaces and len(space) == len("1C") and space[0].isdigit() and space[1] in COLUMNS:
        return space
    points = names_of(state.data).find_points(text)
    return points[0] if len(points) == 1 else None


def answer(state: State, kind: str, names: Sequence[str], say: Say) -> tuple[str, ...]:
    """Answer a question of the given `kind` about the places, counters, spells or nation in `names`. Each entry of the
    result is a paragraph."""
    if kind == "spell":
        return tuple(_about_spells(state, names, say))
    if kind == "about":
        return tuple(text for name in names for text in answer(state, "card", (name,), say))
    if kind == "where":
        return (_where(state, names[0], say),)
    if kind == "card":
        paragraphs = look_up(state, "point" if names[0] in state.data.points else "card", names[0], say) or ()
        return tuple(f"{paragraph.heading}. {paragraph.text}" for paragraph in paragraphs)
    if kind == "units":
        return (_units(state, names[0], say),)
    if kind == "far":
        first, last = (_called(state, name) for name in names)
        links = state.data.distances[names[0]].get(names[1])
        if links is None:
            return (say("No way leads from {first} to {last}.", first=first, last=last),)
        text = say.many(
            "From {first} to {last}: {number} link.", "From {first} to {last}: {number} links.", links, first=first,
            last=last,
        )  # fmt: skip
        return (text,)
    return (_in_space(state, names[0], say) if names[0] not in state.data.points else _in_point(state, names[0], say),)


def _about_spells(state: State, names: Sequence[str], say: Say) -> Iterator[str]:
    """Say what the spells in `names` do and which leaders have them, and which spells the leaders in `names` have."""
    for name in names:
        if name in wording.SPELLS:
            yield wording.effect(name, say)
            casters = [code for code in state.data.in_order(state.spells) if name in state.spells[code]]
            if casters:
                named = ", ".join(wording.named(state.data, code, say) for code in casters)
                yield say("Those who have it: {leaders}.", leaders=named)
        else:
            own = ", ".join(wording.spell(spell, say) for spell in state.spells[name])
            leader = wording.named(state.data, name, say)
            yield (
                say("{leader} has the spells {spells}.", leader=leader, spells=own)
                if own
                else say("{leader} has no spells.", leader=leader)
            )
    yield say("Each magic user casts one spell a turn in a battle, on a unit and never on a leader.")


def _called(state: State, code: str) -> str:
    return f"{state.data.points[code].name} ({code})"


def _in_point(state: State, point: str, say: Say) -> str:
    """Say which nation holds a point, and which counters are there."""
    here: dict[Seat, list[str]] = {}
    for code, counter in state.units.items():
        if counter.at == point:
            here.setdefault(counter.seat, []).append(code)
    owner = state.control.get(point)
    text = _counters(state, here, say)
    if owner:
        held = say("{point} is held by {nation}.", point=_called(state, point), nation=wording.nation(owner, say))
        return f"{held} {text}"
    return f"{_called(state, point)}: {text}"


def _in_space(state: State, space: str, say: Say) -> str:
    """Say which counters are in a space of the battleboard."""
    assert state.battle
    here: dict[Seat, list[str]] = {}
    for code, fighter in state.battle.units.items():
        if fighter.space == space:
            here.setdefault(fighter.seat, []).append(code)
    return f"{space}: {_counters(state, here, say)}"


def _counters(state: State, counters: Mapping[Seat, Iterable[str]], say: Say) -> str:
    """List counters by nation, in roster order."""
    parts = (
        f"{wording.nation(seat, say)}: "
        + ", ".join(f"{wording.counter(state.data, code, say)} ({code})" for code in state.data.in_order(codes))
        for seat, codes in counters.items()
    )
    return "; ".join(parts) + "." if counters else say("Nobody is there.")


def _units(state: State, seat: Seat, say: Say) -> str:
    """List where all counters of a nation are, point by point."""
    places: dict[str, list[str]] = {}
    for code, counter in state.units.items():
        if counter.seat == seat and counter.at:
            places.setdefault(counter.at, []).append(code)
    text = "; ".join(f"{point} {' '.join(state.data.in_order(codes))}" for point, codes in sorted(places.items()))
    return f"{wording.nation(seat, say)}: {text or '–'}"


def _where(state: State, code: str, say: Say) -> str:
    """Say where a counter is."""
    name = f"{wording.counter(state.data, code, say)} ({code})"
    fighter = state.battle.units.get(code) if state.battle else None
    counter = state.units.get(code)
    if fighter and fighter.space:
        return say("{counter}: on the battleboard, in {space}.", counter=name, space=fighter.space)
    if counter and counter.at:
        return say("{counter}: in {point}.", counter=name, point=_called(state, counter.at))
    return say("{counter} is not in play.", counter=name)


_FILE = Path(__file__).with_name("rulebook.toml")
_NUMBER = re.compile(r"(§|L|J)?(\d{1,3}(?:\.\d{1,2})?)(?:[-–]L?\d{1,3})?")
_LINE = re.compile(r"\bL(\d+)")
_SWITCH = re.compile(r"\[switch (\w+)|`(\w+)`")
_SWITCHES = frozenset(switch.name for switch in fields(Switches))


class _Line(NamedTuple):
    """A passage of the published house rules: its first and last line, its subject, and the rules that implement it."""

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
        """Return the numbers of the rules in a section."""
        return [f"§{rule}" for rule in self.rules if rule.startswith(f"{section}.")]


@cache
def _book() -> _Book:
    book = read_toml(_FILE)
    lines = (_Line(**{**line, "rules": tuple(line["rules"])}) for line in book["lines"])
    return _Book(book["rules"], book["rulings"], tuple(lines))


def _number(text: str) -> str | None:
    """Return the number of the rule that a text names, such as `§5.19`, `J20` or `L105`, whether or not the rule
    exists; None for any other text."""
    match = _NUMBER.fullmatch(latin(text.upper()).replace("Л", "L").replace(" ", ""))
    return f"{match[1] or '§'}{match[2]}" if match else None


def _numbered(name: str, switches: Switches, say: Say) -> Iterator[Paragraph]:
    """Yield paragraphs with the text of the rule, the ruling or the line of the house rules whose number is `name`. If
    nothing has this number, yield a paragraph that lists all numbers."""
    book, kind, rest = _book(), name[0], name[1:]
    lines = [line for line in book.lines if kind == "L" and rest.isdigit() and line.first <= int(rest) <= line.last]
    if kind == "J" and name in book.rulings:
        yield Paragraph(say("Ruling {name}, as in the manual", name=name), " ".join(_ruling(name, say)))
    elif kind == "§" and (rest in book.rules or book.among(rest)):
        yield Paragraph(say("Rule {name}, as in the manual", name=name), " ".join(_rule(rest, switches, say)))
    elif lines:
        for line in lines:
            yield Paragraph(f"{line}, {line.about}" if line.about else str(line), " ".join(_line(line, say)))
        for rule in dict.fromkeys(rule for line in lines for rule in line.rules):
            yield from _numbered(f"§{rule}", switches, say)
    else:
        yield _no_rule(name, say)


def _no_rule(name: str, say: Say) -> Paragraph:
    """Return a paragraph that says that there is no rule called `name`, and lists the rules that exist."""
    text = say('There is no rule "{name}".', name=name)
    return Paragraph(say("No such rule"), f"{text} {_overview(say)}")


def _overview(say: Say) -> str:
    """List all rules, rulings and lines of the house rules."""
    book = _book()
    sections = groupby(book.rules, lambda rule: rule.split(".")[0])
    rules = ", ".join(_range([f"§{number}" for number in numbers], say) for _, numbers in sections)
    return say(
        "There are the rules {rules}, the rulings {rulings}, and these lines of the published house rules: {lines}.",
        rules=rules,
        rulings=_range([*book.rulings], say),
        lines=", ".join(str(line) for line in book.lines),
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
    """State the settings of the options that a rule mentions."""
    named = dict.fromkeys(first or second for first, second in _SWITCH.findall(text))
    values = [_set(name, getattr(switches, name)) for name in named if name in _SWITCHES]
    if values:
        yield say("In this match: {switches}.", switches=", ".join(values))


def _set(name: str, value: bool | int) -> str:
    """Return the setting of an option: `cavalry on`, `dissipation 2`."""
    text = str(value) if value and value is not True else "on" if value else "off"
    return f"{name} {text}"


def _source(rule: str, text: str, say: Say) -> str:
    """Name the source of a rule, and say whether part of the rule is a house rule."""
    lines = [f"L{line}" for line in _LINE.findall(text)]
    sources = ", ".join(dict.fromkeys(lines)) or ", ".join(str(line) for line in _book().lines if rule in line.rules)
    if sources and "house" in text:
        return say("Source: {lines} of the published house rules; anything marked house is ours.", lines=sources)
    if sources:
        return say("Source: {lines} of the published house rules.", lines=sources)
    if "inferred" in text:
        return say("Source: inferred from the published house rules.")
    return say("It is our own: no line of the published house rules says it.")


def _ruling(name: str, say: Say) -> Iterator[str]:
    ruling = _book().rulings[name]
    yield ruling["text"]
    if ruling["lines"]:
        lines = ", ".join(f"L{line}" for line in ruling["lines"])
        yield say("It is our own, and settles what {lines} of the published house rules leaves open.", lines=lines)
    else:
        yield say("It is our own, and settles what the published house rules leave open.")
    if ruling.get("open"):
        yield say("We would ask about this one first if an owner of the printed rules turned up.")


def _line(line: _Line, say: Say) -> Iterator[str]:
    book = _book()
    if line.rules:
        rules = ", ".join(f"§{rule}" for rule in line.rules)
        yield say("The published house rules say this; it applies here in {rules}.", rules=rules)
    else:
        yield say("This line of the published house rules is a heading.")
    rulings = book.rulings.items()
    spoken = [name for name, ruling in rulings if any(line.first <= at <= line.last for at in ruling["lines"])]
    if spoken:
        yield say("Rulings on it: {rulings}.", rulings=", ".join(spoken))
