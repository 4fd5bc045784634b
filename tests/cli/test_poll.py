"""The program itself: what it imports before it does anything, and what it leaves at its end."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import atexit, gc, sys
before = {*sys.modules}
atexit.register(lambda: print(gc.get_freeze_count() > 10_000, *(sys.modules.keys() - before)))
from pbem.cli.poll import main
main()
"""


def run(*words: str, cwd: Path | None = None) -> tuple[list[str], bool, set[str]]:
    """What a command says, whether what it leaves at its end is not looked through for garbage, and what it imports."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, *words], cwd=cwd, capture_output=True, text=True, check=True)
    *said, last = done.stdout.splitlines()
    frozen, *modules = last.split()
    return said, frozen == "True", {*modules}


def test_the_version_is_told_without_importing_what_a_run_needs() -> None:
    said, _, modules = run("--version")
    assert said[0].startswith("pbem, version ")
    assert {one for one in modules if one.startswith("pbem")} <= {"pbem", "pbem.cli", "pbem.cli.poll"}
    assert modules.isdisjoint({"click", "sqlite3", "lark", "jinja2", "email", "ssl"})


def test_a_poll_as_cron_starts_it_goes_without_click(tmp_path: Path) -> None:
    run("init", "desk", cwd=tmp_path)
    for words in (("--config", "desk/config.ini", "poll"), ("poll",)):
        folder = tmp_path if len(words) > 1 else tmp_path / "desk"
        said, frozen, modules = run(*words, cwd=folder)
        assert (said, frozen) == ([], True)
        assert "pbem.service.tick" in modules
        assert modules.isdisjoint(
            {"click", "confusable_homoglyphs", "pbem.lab", "concurrent.futures", "multiprocessing", "PIL", "resvg_py"}
        )
        assert modules.isdisjoint({"distributed", "dask", "matplotlib", "numpy"})


def test_what_a_command_leaves_at_its_end_is_not_looked_through_for_garbage() -> None:
    said, frozen, modules = run("check", "3 A to M")
    assert (said[0], frozen) == ("3 A to M", True)
    assert "click" in modules


def test_a_run_whose_letters_all_wait_for_a_limit_is_as_short_as_one_without_work(tmp_path: Path) -> None:
    run("init", "desk", cwd=tmp_path)
    config = tmp_path / "desk" / "config.ini"
    config.write_text(config.read_text().replace("# a_day = 500", "a_day = 2"))
    for _ in range(2):
        run("game", "new", "--red", "a@example.net", "--blue", "b@example.net", cwd=tmp_path / "desk")
    sent = tmp_path / "desk" / "mail" / "out" / "new"
    for _ in range(2):  # the first also sees that the game master has nothing to hear
        _, _, modules = run("poll", cwd=tmp_path / "desk")
        assert len([*sent.iterdir()]) == 2
    assert modules.isdisjoint({"pbem.service.desk", "pbem.match.clock", "jinja2", "lark"})
    config.write_text(config.read_text().replace("a_day = 2", "a_day = 3"))
    run("poll", cwd=tmp_path / "desk")
    assert len([*sent.iterdir()]) == 3
