"""The example of a package that brings a game, installed beside pbem in an environment of its own."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.paths import EXAMPLE, ROOT

PLAYED = """
from pathlib import Path
import pbem_harbours
from pbem.cli.demo import DemoDesk
from pbem.mail.letters import with_seals

table = DemoDesk(Path("desk"), game_name="harbours")
table.poll()
table.write("gull", "language deutsch")
table.write("heron", "language russian")
table.poll()
while not table.over():
    state = table.match().state
    for seat, words in (("gull", "Segle nach {} mit {}"), ("heron", "Плыву в {} с {}")):
        table.write(seat, words.format(pbem_harbours.WAYS[state.ships[seat]][0], max(state.hands[seat])))
    told = dict(table.poll())
print(pbem_harbours.__file__)
print(*(with_seals(told[seat].as_bytes()) for seat in ("gull", "heron")))
"""


@pytest.mark.long
def test_the_example_is_installed_by_pip_and_played_by_letters_to_its_end(tmp_path: Path) -> None:
    """Both packages are installed from copies, so that nothing in this checkout takes part."""
    shutil.copytree(EXAMPLE, tmp_path / "harbours", ignore=shutil.ignore_patterns("*.mo", "__pycache__"))
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    programs = tmp_path / "venv" / "bin"
    install = [programs / "pip", "install", "--quiet", "--disable-pip-version-check", ROOT, tmp_path / "harbours"]
    subprocess.run(install, check=True)

    def run(*command: str | Path) -> str:
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    where, _, told = run(programs / "python", "-c", PLAYED).partition("\n")
    assert Path(where).is_relative_to(tmp_path / "venv")
    assert "Der vollste Laderaum hat" in told
    assert "В самом полном трюме:" in told
    assert run(programs / "pbem", "--config", "desk/config.ini", "check-config").startswith("All is well")
