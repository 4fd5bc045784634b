"""Data sets: the shipped one, and folders with files of one's own (ozz §2)."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from pbem.games.base import GameError, Seat
from pbem.games.files import read_json
from pbem.games.options import quote
from pbem.games.ozz.data import Card, Data, LinkKind, Point, Switches
from pbem.games.ozz.datacheck import problems

SHIPPED = "house"
"""The data set that is meant where none is named."""
FILES = ("map", "counters", "values", "scenarios")
MAX_SIZE = 256 * 1024  # bytes of a file, ten times the largest that is shipped
_FOLDER = Path(__file__).parent / SHIPPED


def find_data(name: str) -> Data:
    """The data set of the shipped name, or of a folder of that path as it is now. Raises GameError, every problem a
    line."""
    return _shipped() if name == SHIPPED else read_data(_read(Path(name)), name)


@cache
def _shipped() -> Data:
    return read_data(_read(_FOLDER), SHIPPED)


def _read(folder: Path) -> dict[str, str]:
    """The texts of the files of a folder, by their names. Raises GameError."""
    if not _is_folder(folder):
        files = ", ".join(f"{file}.json" for file in FILES)
        raise GameError(f"There is no folder {quote(str(folder))}: say {SHIPPED}, or the path of one with {files}.")
    found, problems = {}, []
    for file in FILES:
        try:
            found[file] = _text(folder / f"{file}.json")
        except GameError as error:
            problems.append(str(error))
    if problems:
        raise GameError("\n".join(problems))
    return found


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except ValueError:  # a path with a zero character
        return False


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            source = file.read(MAX_SIZE + 1)
    except OSError:
        raise GameError(f"There is no file {path.name}, or it cannot be read.") from None
    if len(source) > MAX_SIZE:
        raise GameError(f"{path.name}: this file is longer than {MAX_SIZE // 1024} kB.")
    try:
        return source.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise GameError(f"{path.name}: this file is not UTF-8.") from None


def read_data(source: Mapping[str, str], name: str) -> Data:
    """The data set of the texts of its files, for which `name` stands. Raises GameError, every problem a line."""
    return _made(tuple(source[file] for file in FILES), name)


def described(data: Data) -> str:
    """What is in a data set, in lines: its title, how much of everything, whose values they are, its hash."""
    marks = [*_marks({file: json.loads(text) for file, text in data.source.items()})]
    house = sum(mark.startswith("house") for mark in marks)
    return (
        f"{data.title}.\n{len(data.counters)} counters, {len(data.points)} points, {len(data.nations)} nations; "
        f"scenarios: {', '.join(data.scenarios)}.\n"
        f"{house} of {len(marks)} marked values are house values.\n"
        f"SHA-256 {hash_of(data)}"
    )


def hash_of(data: Data) -> str:
    """SHA-256 of the files of a data set one after the other, in hexadecimal digits."""
    return sha256("".join(data.source[file] for file in FILES).encode()).hexdigest()


def _marks(value: Any) -> Iterator[str]:
    """Where the values come from that a file marks."""
    for key, inner in value.items() if isinstance(value, dict) else ():
        if key == "marks" and isinstance(inner, dict):
            yield from map(str, inner.values())
        elif key == "mark":
            yield str(inner)
        else:
            yield from _marks(inner)


@lru_cache(maxsize=16)  # a desk reads the data of its matches again and again
def _made(texts: tuple[str, ...], name: str) -> Data:
    files, wrong = dict[str, Any](), list[str]()
    for file, text in zip(FILES, texts, strict=True):
        try:
            files[file] = read_json(text)
        except RecursionError:
            wrong.append(f"{file}.json: it has lists within lists without end.")
        except ValueError as error:
            wrong.append(f"{file}.json is not correct JSON: {error}.")
    wrong = wrong or problems(files)
    if wrong:
        raise GameError("\n".join(wrong))
    return _built(files, dict(zip(FILES, texts, strict=True)), name)


def _built(files: Mapping[str, Any], source: Mapping[str, str], name: str) -> Data:
    ground, values = files["map"], {key: _plain(value) for key, value in files["values"].items()}
    points = {code: _point(code, one) for code, one in ground["points"].items()}
    counters = {code: _card(code, one) for code, one in files["counters"]["units"].items()}
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
        switches=Switches(**{one.name: _plain(values["switches"][one.name]) for one in fields(Switches)}),
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


def _plain(value: Any) -> Any:
    """A value without its mark."""
    return value["value"] if isinstance(value, dict) and "value" in value else value


def _point(code: str, data: Mapping[str, Any]) -> Point:
    return Point(code, **{**data, "at": tuple(data["at"])})


def _card(code: str, data: Mapping[str, Any]) -> Card:
    lists = {key: tuple(data[key]) for key in ("special", "spells") if key in data}
    return Card(code, **{**data, **lists})


def _links(points: Mapping[str, Point], pairs: list[tuple[str, str, LinkKind]]) -> dict[str, dict[str, LinkKind]]:
    """The neighbours of each point, in point order."""
    found: dict[str, dict[str, LinkKind]] = {point: {} for point in points}
    for first, second, kind in pairs:
        found[first][second] = found[second][first] = kind
    return {point: {other: beside[other] for other in points if other in beside} for point, beside in found.items()}


def _distances(point: str, links: Mapping[str, Mapping[str, LinkKind]]) -> dict[str, int]:
    found = {point: 0}
    for at in (reached := [point]):
        new = [other for other in links[at] if other not in found]
        found.update(dict.fromkeys(new, found[at] + 1))
        reached += new
    return found


def _territory(nation: Seat, points: Mapping[str, Point], distances: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    own = [point for point, one in points.items() if one.nation == nation]
    return {point: min(distances[point][one] for one in own) for point in points}
