"""Counters, points and rules in words, for whoever asks in a letter: what they are, and what of it is a house value."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pbem.games.base import Paragraph, Say, Sentence
from pbem.games.extras import Lookup
from pbem.games.ozz import rulebook, wording
from pbem.games.ozz.data import BELL, Card, Data, Point
from pbem.games.ozz.names import names_of
from pbem.games.ozz.state import State

LOOKUPS = {
    "card": Lookup(
        Sentence("card SOU"),
        Sentence("what a counter is, and what of it is a house value; `card` alone names all counters"),
    ),
    "point": Lookup(
        Sentence("point H1"),
        Sentence("what a point of the map is, and where its ways lead; `point` alone names all points"),
    ),
    "rule": Lookup(
        Sentence("rule J20"),
        Sentence("a rule, a ruling, or what a line of the published house rules does here: §5.19, J20, L105"),
    ),
}

_AND = re.compile(r"\s*(?:[,;&]|\b(?:and|und|и)\b)\s*", re.I)
_CODE = re.compile(r"[^\W\d]\w{0,2}")
_LINES = re.compile(r"L\d+(?:-\d+)?")
_RANDOM = "?"  # a spell that is drawn at the set-up

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
"""What marks stand at, in words."""


def look_up(state: State, word: str, name: str, say: Say) -> tuple[Paragraph, ...] | None:
    """What there is to tell of the things that are named, or all of their kind; None for words that are no names."""
    look = {"card": _cards, "point": _points, "rule": _rules}[word]
    return look(state, [part for part in _AND.split(name) if part], say)


def _rules(state: State, parts: list[str], say: Say) -> tuple[Paragraph, ...] | None:
    if not parts:
        return (rulebook.all_rules(say),)
    numbers = [rulebook.number(part) for part in parts]
    if len(parts) == 1 and not numbers[0] and " " not in parts[0]:
        return (rulebook.unknown(parts[0], say),)
    named = [one for one in dict.fromkeys(numbers) if one]
    told = (paragraph for one in named for paragraph in rulebook.told(one, state.options.switches, say))
    return tuple(dict.fromkeys(told)) if all(numbers) else None


def _cards(state: State, parts: list[str], say: Say) -> tuple[Paragraph, ...] | None:
    data = state.data
    if not parts:
        return (_all_cards(data, say),)
    found, wrong = list[str](), list[Paragraph]()
    for part in parts:
        meant = names_of(data).find(part)
        codes = meant.whole or meant.less
        near = names_of(data).nearest(part, tuple(data.counters))
        if len(codes) == 1:
            found += codes
        elif codes or near or _CODE.fullmatch(part):
            hint = say("`card` alone names all counters.")
            wrong.append(Paragraph(say("No such counter"), f"{_not_one(data, part, codes or near, say)} {hint}"))
        else:
            return None
    return (*(_card(data, one, say) for one in dict.fromkeys(found)), *wrong)


def _not_one(data: Data, text: str, meant: tuple[str, ...] | str | None, say: Say) -> str:
    """Why a text names no counter: several are called so, or none is."""
    if isinstance(meant, tuple):
        names = ", ".join(wording.named(data, one, say) for one in meant)
        return say('"{text}" may be one of these: {names}.', text=text, names=names)
    if meant:
        near = wording.named(data, meant, say)
        return say('There is no counter "{text}". {near}?', text=text, near=near)
    return say('There is no counter "{text}".', text=text)


def _points(state: State, parts: list[str], say: Say) -> tuple[Paragraph, ...] | None:
    data = state.data
    if not parts:
        return (_all_points(data, say),)
    found, wrong = list[str](), list[Paragraph]()
    for part in parts:
        codes = names_of(data).find_points(part)
        if codes:
            found += codes
        elif names_of(data).nearest_point(part) or rulebook.number(part) or _CODE.fullmatch(part):
            points = ", ".join(data.points)
            told = say('There is no point "{text}". There are {points}.', text=part, points=points)
            wrong.append(Paragraph(say("No such point"), told))
        else:
            return None
    return (*(_point(data, one, say) for one in dict.fromkeys(found)), *wrong)


def _all_cards(data: Data, say: Say) -> Paragraph:
    groups: dict[str, list[str]] = {}
    for code, card in data.counters.items():
        strengths = "" if card.leader else f" {wording.strengths(data, code)}"
        groups.setdefault(_owner(card, say), []).append(f"{wording.named(data, code, say)}{strengths}")
    lists = (f"{owner}: {', '.join(names)}." for owner, names in groups.items())
    legend = say("Behind a name: ranged strength (with its range if it is 2) and melee strength.")
    return Paragraph(say("All counters"), " ".join((*lists, legend)))


def _all_points(data: Data, say: Say) -> Paragraph:
    return Paragraph(say("All points"), ", ".join(wording.point(data, one) for one in data.points) + ".")


def _owner(card: Card, say: Say) -> str:
    return wording.nation(card.nation, say) if card.nation else say("of no nation")


def _card(data: Data, code: str, say: Say) -> Paragraph:
    card = data.counters[code]
    what = f"{wording.kind(data, code, say)}, {_owner(card, say)}"
    heading = wording.named(data, code, say) if code == BELL else f"{wording.named(data, code, say)}: {what}"
    return Paragraph(heading, " ".join((*_card_lines(data, card, say), *_marked(card.marks, say))))


def _card_lines(data: Data, card: Card, say: Say) -> Iterator[str]:
    if card.leader:
        spells = (wording.spell(one, say) if one != _RANDOM else say("one by chance") for one in card.spells)
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
        yield say("Specialist of {points}.", points=", ".join(wording.point(data, one) for one in card.special))
    if card.reserve:
        yield say("It is in play only when a rule brings it.")
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
    yield say("It lies {across} inches from the left and {up} from below.", across=across, up=up)
    links = data.links[point.code]
    if roads := [wording.point(data, one) for one, kind in links.items() if kind == "road"]:
        yield say("Roads to {points}.", points=", ".join(roads))
    if trails := [wording.point(data, one) for one, kind in links.items() if kind == "trail"]:
        yield say("Trails to {points}.", points=", ".join(trails))


def _plain_marks(marks: Any) -> dict[str, str]:
    """The marks that a file has in the usual form; a file of one's own may have others."""
    return {key: mark for key, mark in marks.items() if isinstance(mark, str)} if isinstance(marks, Mapping) else {}


def _marked(marks: Any, say: Say) -> Iterator[str]:
    """Where the values come from that are marked, and which of them are made up."""
    known = {key: mark for key, mark in _plain_marks(marks).items() if key in _VALUES and mark}
    sources = (f"{_VALUES[key](say)} ({found})" for key, mark in known.items() if (found := _from(mark, say)))
    if told := ", ".join(sources):
        yield say("Sources: {sources}.", sources=told)
    house = [_VALUES[key](say) for key, mark in known.items() if "house" in mark]
    if house:
        yield say("House values: {values}.", values=", ".join(house))
    else:
        yield say("No house values.") if known else say("Its file does not say where its values come from.")


def _from(mark: str, say: Say) -> str:
    public = [say("public pages")] if "source" in mark else []
    return ", ".join((*public, *_LINES.findall(mark), *([say("inferred")] if "inferred" in mark else [])))
