"""Figures as a picture: shares with their intervals, compared with a fair share, and the lengths of games."""

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
    raise LabError("--plot needs matplotlib, which is not here: `pip install '.[lab]'`.") from None


def check_file(path: Path) -> None:
    """Raise LabError if no picture can be written to `path`. This check is made before the games are played."""
    kinds = sorted(Figure().canvas.get_supported_filetypes())
    if path.suffix[1:] not in kinds:
        raise LabError(f"{path}: the name of a picture ends with one of {', '.join(f'.{kind}' for kind in kinds)}.")
    if not path.absolute().parent.is_dir():
        raise LabError(f"{path}: there is no such folder.")


def draw(figures: Figures, path: Path) -> None:
    """Draw the results of an experiment: the share of each side or player, and the lengths of games."""
    figure = Figure(figsize=(10, 4.5), layout="constrained")
    shares, lengths = figure.subplots(1, 2)
    _shares(shares, [*figures.scores], [score.share for score in figures.scores.values()], figures.fair)
    lengths.bar([*figures.turns], [*figures.turns.values()], color="C0")
    lengths.set_xlabel("turns")
    lengths.set_ylabel("games")
    _save(figure, f"{title(figures)}\n{verdict(figures)}", path)


def draw_tuned(name: str, by_value: Mapping[str, Figures], path: Path) -> None:
    """Draw the share of each side for each value of the setting `name`."""
    first = next(iter(by_value.values()))
    figure = Figure(figsize=(10, 4.5), layout="constrained")
    axes = figure.subplots(1, len(first.scores), squeeze=False)[0]
    for side, panel in zip(first.scores, axes, strict=True):
        _shares(panel, [*by_value], [figures.scores[side].share for figures in by_value.values()], first.fair)
        panel.set_ylabel(name)
        panel.set_title(side)
    _save(figure, advice(name, by_value), path)


def _save(figure: Figure, words: str, path: Path) -> None:
    figure.suptitle(words, fontsize=9, wrap=True)
    with rc_context({"svg.fonttype": "none"}):  # keeps text as text, which can be searched and copied
        figure.savefig(path)


def _shares(axes: Any, names: Sequence[str], shares: Sequence[Share], fair: float) -> None:
    """Draw shares as points with their intervals, the first share at the top, over the band of fair shares."""
    places = range(len(names), 0, -1)
    reach = [[share.value - share.low for share in shares], [share.high - share.value for share in shares]]
    axes.axvspan(fair * (1 - TOLERANCE), fair * (1 + TOLERANCE), color="C2", alpha=0.2, label="fair")
    axes.errorbar([share.value for share in shares], places, xerr=reach, fmt="o", capsize=4, label="95 %")
    axes.set_yticks(places, names)
    axes.set_xlim(0, 1)
    axes.set_ylim(0.5, len(names) + 0.5)
    axes.set_xlabel("share of the points")
    axes.legend(fontsize=8)
