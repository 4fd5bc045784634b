"""Data sets (§2) as values: the shipped ones, and folders that people have made themselves."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from pbem.games.base import GameError, Seat
from pbem.games.kit.files import read_file, read_json
from pbem.games.ozz.data import Card, Data, LinkKind, Point, Switches
from pbem.games.ozz.datafiles import DataReader, plain
from pbem.typed import quote

SHIPPED = "house-2"
"""The data set that new matches use by default."""
FIRST = "house"
"""The first data set, used for stored matches, records and programs that do not name a data set. A shipped set never
changes. The folder of the newest set contains every file; the folder of an earlier set contains only the files that
differ from those of the newest set."""
FILES = ("map", "counters", "values", "scenarios")
MAX_SIZE = 256 * 1024  # the maximum size of a file in bytes, ten times that of the largest shipped one
_FOLDER = Path(__file__).parent


def find_data(name: str) -> Data:
    """Return the shipped data set called `name`, or the data set in the folder at the path `name`. Raises GameError
    with one problem per line."""
    return _shipped(name) if is_shipped(name) else read_data(_read(Path(name)), name)


def is_shipped(name: str) -> bool:
    """Return whether `name` is the name of a shipped data set."""
    return name in (SHIPPED, FIRST)


@cache
def _shipped(name: str) -> Data:
    others = {path.stem: path.read_text("utf-8") for path in (_FOLDER / name).glob("*.json")}
    return read_data({**_read(_FOLDER / SHIPPED), **others}, name)


def _read(folder: Path) -> dict[str, str]:
    """Return the texts of the data files in a folder, keyed by file name without suffix. Raises GameError if there is
    no such folder, or if files are missing or cannot be read."""
    if not _is_folder(folder):
        files = ", ".join(f"{file}.json" for file in FILES)
        raise GameError(f"There is no folder {quote(str(folder))}: say {SHIPPED}, or the path of one with {files}.")
    texts, problems = {}, []
    for file in FILES:
        try:
            name = f"{file}.json"
            missing = f"There is no file {name}, or it cannot be read."
            texts[file] = read_file(folder / name, f"{name}: this file", missing, MAX_SIZE)
        except GameError as error:
            problems.append(str(error))
    if problems:
        raise GameError("\n".join(problems))
    return texts


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except ValueError:  # a path with a NUL character
        return False


def read_data(source: Mapping[str, str], name: str) -> Data:
    """Build a data set from `source`, the texts of its files keyed by file name. Matches store `name` to refer to the
    data set. Raises GameError with one problem per line."""
    return _parse(tuple(source[file] for file in FILES), name)


def described(data: Data) -> str:
    """Describe a data set in lines of text: its title, how many counters, points and nations it has, its scenarios, how
    many of its values are house values, and its hash."""
    marks = [*_marks({file: json.loads(text) for file, text in data.source.items()})]
    house = sum(mark.startswith("house") for mark in marks)
    return (
        f"{data.title}.\n{len(data.counters)} counters, {len(data.points)} points, {len(data.nations)} nations; "
        f"scenarios: {', '.join(data.scenarios)}.\n"
        f"{house} of {len(marks)} marked values are house values.\n"
        f"SHA-256 {hash_of(data)}"
    )


def hash_of(data: Data) -> str:
    """Return the SHA-256 hash of the concatenated files of a data set, in hexadecimal digits."""
    return sha256("".join(data.source[file] for file in FILES).encode()).hexdigest()


def _marks(value: Any) -> Iterator[str]:
    """Yield the marks in `value` at any depth. A mark names the source of a value."""
    for key, inner in value.items() if isinstance(value, dict) else ():
        if key == "marks" and isinstance(inner, dict):
            yield from map(str, inner.values())
        elif key == "mark":
            yield str(inner)
        else:
            yield from _marks(inner)


@lru_cache(maxsize=16)  # a desk reads the data of its matches again and again
def _parse(texts: tuple[str, ...], name: str) -> Data:
    files, wrong = dict[str, Any](), list[str]()
    for file, text in zip(FILES, texts, strict=True):
        try:
            files[file] = read_json(text, f"{file}.json")
        except GameError as error:
            wrong.append(str(error))
    wrong = wrong or DataReader(files).check()
    if wrong:
        raise GameError("\n".join(wrong))
    return _built(files, dict(zip(FILES, texts, strict=True)), name)


def _built(files: Mapping[str, Any], source: Mapping[str, str], name: str) -> Data:
    ground, values = files["map"], {key: plain(value) for key, value in files["values"].items()}
    points = {code: _point(code, entry) for code, entry in ground["points"].items()}
    counters = {code: _card(code, entry) for code, entry in files["counters"]["units"].items()}
    nations = tuple(values["nations"])
    links = _links(points, ground["links"])
    distances = {point: _distances(point, links) for point in points}
    return Data(
        name=name,
        title=f"{ground['name']}, {values['rules']}",
        source=source,
        counters=counters,
        points=points,
        links=links,
        cost=ground["cost"],
        allowance=ground["allowance"],
        flight=ground["flight"],
        drawing=tuple(ground["drawing"]),
        colours=ground["colours"],
        values=values,
        spells=tuple(values["spells"]),
        switches=Switches(**{switch.name: plain(values["switches"][switch.name]) for switch in fields(Switches)}),
        scenarios=files["scenarios"],
        roster={code: at for at, code in enumerate(counters)},
        nations=nations,
        order={code: at for at, code in enumerate(points)},
        castles={point.nation: point.code for point in points.values() if point.kind == "castle" and point.nation},
        centers=tuple(code for code, point in points.items() if point.center),
        towns=tuple(code for code, point in points.items() if point.kind == "town"),
        distances=distances,
        territory={nation: _territory(nation, points, distances) for nation in nations},
    )


def _point(code: str, data: Mapping[str, Any]) -> Point:
    return Point(code, **{**data, "at": tuple(data["at"])})


def _card(code: str, data: Mapping[str, Any]) -> Card:
    lists = {key: tuple(data[key]) for key in ("special", "spells") if key in data}
    return Card(code, **{**data, **lists})


def _links(points: Mapping[str, Point], pairs: list[tuple[str, str, LinkKind]]) -> dict[str, dict[str, LinkKind]]:
    """Return the neighbours of each point, in point order, with the kind of link."""
    neighbours: dict[str, dict[str, LinkKind]] = {point: {} for point in points}
    for first, second, kind in pairs:
        neighbours[first][second] = neighbours[second][first] = kind
    return {point: {end: beside[end] for end in points if end in beside} for point, beside in neighbours.items()}


def _distances(point: str, links: Mapping[str, Mapping[str, LinkKind]]) -> dict[str, int]:
    distances = {point: 0}
    for at in (reached := [point]):
        new = [end for end in links[at] if end not in distances]
        distances.update(dict.fromkeys(new, distances[at] + 1))
        reached += new
    return distances


def _territory(nation: Seat, points: Mapping[str, Point], distances: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    own = [code for code, point in points.items() if point.nation == nation]
    return {point: min(distances[point][home] for home in own) for point in points}
