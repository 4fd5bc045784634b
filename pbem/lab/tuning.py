"""The tuning of games: several values of a setting are tried to find the fairest."""

import json
import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from pbem.games.base import AnyGame
from pbem.games.chance import any_chance
from pbem.games.options import Option, check, read_texts, with_defaults
from pbem.lab.figures import Figures, columns, deviation, verdict
from pbem.lab.play import LabError

MARK = "house, by pbem lab tune"
"""The source that is noted next to a changed number in a generated file."""


def candidates(
    game: AnyGame, chosen: Mapping[str, Any], name: str, values: Iterable[str], folder: Path
) -> dict[str, dict[str, Any]]:
    """Return the options of a match for each of the `values` of a setting.

    `name` is an option, or the path to a value in the game's files, such as `numbers.opening_units` in a set of cards,
    or `counters.units.GUA.melee`, a value in the file `counters.json` of a folder. For a path, a copy of the files is
    written to `folder` for each value, with a note next to the value. Raises LabError if there is no such setting, and
    GameError if a value is not valid.
    """
    schema = {option.name: option for option in game.options(chosen)}
    option = schema.get(name.replace("-", "_"))
    by_value = {}
    for value in values:
        if option:
            own = read_texts((option,), {option.name: value.split(",") if option.kind == "several" else [value]})
        else:
            own = _changed(game, chosen, name.split("."), value, folder)
        check(game.title, game.options({**chosen, **own}), {**chosen, **own})
        by_value[value] = with_defaults(game.title, game.options({**chosen, **own}), {**chosen, **own})
        game.new(by_value[value], any_chance())  # no game may be played unless all values are valid
    return by_value


def _changed(game: AnyGame, chosen: Mapping[str, Any], keys: list[str], value: str, folder: Path) -> dict[str, Any]:
    """Write a copy of the game's files with `value` at the path `keys`; return the option that names the copy. Raises
    LabError if there is no such path."""
    for option in game.options(chosen):
        source = _source(game, option, chosen.get(option.name, option.default))
        if source:
            break
    else:
        raise LabError(f'{game.title} has no option "{keys[0]}", and no JSON files of numbers that could be changed.')
    copy = folder.resolve() / f"{file_name('.'.join(keys), value)}{source.suffix}"
    if source.is_file():
        copy.write_text(_with(source.read_text("utf-8"), keys, value), "utf-8")
        return {option.name: str(copy)}
    texts = {file.stem: file.read_text("utf-8") for file in sorted(source.glob("*.json"))}
    if keys[0] not in texts or not keys[1:]:
        raise LabError(f'There is no option "{".".join(keys)}", and a way to a value begins with {" or ".join(texts)}.')
    texts[keys[0]] = _with(texts[keys[0]], keys[1:], value)
    copy.mkdir(exist_ok=True)
    for name, text in texts.items():
        (copy / f"{name}.json").write_text(text, "utf-8")
    return {option.name: str(copy)}


def file_name(name: str, value: str) -> str:
    """Return a file name that is different for every value of the setting `name`."""
    plain = re.sub(r"[^\w.+-]", "_", value)[:40]
    return f"{name}={plain}" + ("" if plain == value else f"~{sha256(value.encode()).hexdigest()[:8]}")


def _source(game: AnyGame, option: Option, value: Any) -> Path | None:
    """Return the JSON file, or the folder of such files, that the `value` of `option` names; None if it names neither.
    Shipped files are in the game's folder."""
    if not (option.is_open and option.kind == "choice" and isinstance(value, str)):
        return None
    own = [Path(value)] if value not in option.choices else []
    shipped = game.grammar.parent
    for path in (*own, shipped / value, *shipped.glob(f"*/{value}.json")):
        if path.suffix == ".json" or path.is_dir():
            return path
    return None


def _with(text: str, keys: list[str], value: str) -> str:
    """Return the JSON `text` with `value` at the path `keys`. Raises LabError if there is no such path."""
    data = at = json.loads(text)
    for key in keys[:-1]:
        at = at.get(key) if isinstance(at, dict) else None
    if not isinstance(at, dict) or keys[-1] not in at:
        raise LabError(f'There is no value "{".".join(keys)}" in the files that are played with.')
    try:
        replacement = json.loads(value)
    except ValueError:
        replacement = value
    if isinstance(at[keys[-1]], dict) and "value" in at[keys[-1]]:
        at[keys[-1]] |= {"value": replacement, "mark": MARK}
    else:
        at[keys[-1]] = replacement
        if "marks" in at:
            at["marks"][keys[-1]] = MARK
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def tuned(name: str, by_value: Mapping[str, Figures]) -> str:
    """Return a table of the results for each value of the setting `name`, and a sentence about which values are
    fairest."""
    sides = next(iter(by_value.values())).scores
    rows = [(name, *(f"points of {side}" for side in sides), "drawn", "turns", "")]
    for value, figures in by_value.items():
        drawn = next(iter(figures.scores.values())).drawn
        finding = verdict(figures).partition(":")[0]
        shares = (str(score.share) for score in figures.scores.values())
        rows.append((value, *shares, f"{drawn}", f"{figures.lengths[2]:g}", finding))
    return "\n".join([*columns(rows), "", advice(name, by_value)])


def advice(name: str, by_value: Mapping[str, Figures]) -> str:
    """Return a sentence on the fairest value, and on any others that may be as fair."""
    best, *others = sorted(by_value, key=lambda value: deviation(by_value[value]))
    least, most = _reach(by_value[best])
    alike = [value for value in others if _reach(by_value[value])[0] <= most and least <= _reach(by_value[value])[1]]
    sentence = f"The sides are fairest with {name} {best}. {verdict(by_value[best])}"
    return sentence + (f" These may be as fair: {', '.join(alike)}." if alike else "")


def _reach(figures: Figures) -> tuple[float, float]:
    """Return the ends of the 95 % interval of the first side's share."""
    share = next(iter(figures.scores.values())).share
    return share.low, share.high
