"""Pictures of figures: that they say what the figures say, and what is said where none can be made."""

import sys

from support.commands import pbem, wrong

HILL = ("--level", "simple", "--games", 4, "--workers", 1)


def test_a_picture_has_the_sides_and_what_is_said(tmp_path):
    told = pbem("lab", "balance", "hill", *HILL, "--plot", tmp_path / "hill.svg").output
    picture = (tmp_path / "hill.svg").read_text()
    for words in (told.splitlines()[0], told.splitlines()[-1][:40], "munchkins", "winkies", "fair", "turns"):
        assert words in picture


def test_a_picture_of_tuning_has_every_value(tmp_path):
    words = ("lab", "tune", "--game", "ozz", "--scenario", "hill", *HILL, "--plot", tmp_path / "t.svg")
    pbem(*words, "dissipation", "0", "3")
    picture = (tmp_path / "t.svg").read_text()
    for said in ("The sides are fairest with dissipation", ">0<", ">3<", "munchkins", "winkies"):
        assert said in picture


def test_what_is_no_picture_is_told_before_a_game_is_played(tmp_path):
    words = ("lab", "balance", "hill", *HILL, "--results", tmp_path / "r", "--plot")
    assert "the name of a picture ends with one of" in wrong(2, *words, tmp_path / "hill.txt")
    assert wrong(2, *words, tmp_path / "none" / "hill.svg").endswith("there is no such folder.")
    assert not (tmp_path / "r").exists()


def test_who_has_no_matplotlib_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "pbem.lab.plot", raising=False)
    said = wrong(2, "lab", "balance", "hill", *HILL, "--plot", "hill.svg")
    assert said == "--plot needs matplotlib, which is not here: `pip install '.[lab]'`."
