"""Figures as a picture: shares with their intervals beside what is fair, and how long games are."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pbem.lab.figures import TOLERANCE, Figures, Share, title, verdict
from pbem.lab.play import LabError
from pbem.lab.tuning import advice

try:
    from matplotlib import rc_context
    from matplotlib.figure import Figure
except ImportError:
    raise LabError("--plot needs matplotlib, which is not here: `pip install 'pbem[lab]'`.") from None


def check_file(path: Path) -> None:
    """Raise LabError for a file that no picture can be written into, before games are played for it."""
    known = sorted(Figure().canvas.get_supported_filetypes())
    if path.suffix[1:] not in known:
        raise LabError(f"{path}: the name of a picture ends with one of {', '.join(f'.{one}' for one in known)}.")
    if not path.absolute().parent.is_dir():
        raise LabError(f"{path}: there is no such folder.")


def draw(found: Figures, path: Path) -> None:
    """An experiment: the share of each side or player, and the lengths of games."""
    figure = Figure(figsize=(10, 4.5), layout="constrained")
    shares, lengths = figure.subplots(1, 2)
    _shares(shares, [*found.scores], [one.share for one in found.scores.values()], found.fair)
    lengths.bar([*found.turns], [*found.turns.values()], color="C0")
    lengths.set_xlabel("turns")
    lengths.set_ylabel("games")
    _save(figure, f"{title(found)}\n{verdict(found)}", path)


def draw_tuned(name: str, found: Mapping[str, Figures], path: Path) -> None:
    """The share of each side with one value after the other."""
    first = next(iter(found.values()))
    figure = Figure(figsize=(10, 4.5), layout="constrained")
    axes = figure.subplots(1, len(first.scores), squeeze=False)[0]
    for side, one in zip(first.scores, axes, strict=True):
        _shares(one, [*found], [figures.scores[side].share for figures in found.values()], first.fair)
        one.set_ylabel(name)
        one.set_title(side)
    _save(figure, advice(name, found), path)


def _save(figure: Figure, words: str, path: Path) -> None:
    figure.suptitle(words, fontsize=9, wrap=True)
    with rc_context({"svg.fonttype": "none"}):  # words that can be searched and copied
        figure.savefig(path)


def _shares(axes: Any, names: Sequence[str], shares: Sequence[Share], fair: float) -> None:
    """Points with their intervals, the first above, on the band of what is fair."""
    places = range(len(names), 0, -1)
    reach = [[one.value - one.low for one in shares], [one.high - one.value for one in shares]]
    axes.axvspan(fair * (1 - TOLERANCE), fair * (1 + TOLERANCE), color="C2", alpha=0.2, label="fair")
    axes.errorbar([one.value for one in shares], places, xerr=reach, fmt="o", capsize=4, label="95 %")
    axes.set_yticks(places, names)
    axes.set_xlim(0, 1)
    axes.set_ylim(0.5, len(names) + 0.5)
    axes.set_xlabel("share of the points")
    axes.legend(fontsize=8)
