"""An interpreter in a process of its own, and what is left of it when it is ended."""

import os
import shlex
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

from pbem.interpreter.program import Program

LEAVES_A_CHILD = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
input()
print('{"id": 1, "asks": "%d"}' % child.pid, flush=True)
"""


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="there is no /proc here")
def test_a_child_in_a_session_of_its_own_ends_with_the_program(tmp_path: Path) -> None:
    program = Program(shlex.join((sys.executable, "-c", LEAVES_A_CHILD)), tmp_path)
    child = int(program.ask({}, lambda _: {}, 20).asks)
    os.kill(child, 0)
    program.close()
    until = monotonic() + 20
    while _runs(child) and monotonic() < until:
        sleep(0.01)
    assert not _runs(child)


def _runs(process: int) -> bool:
    """Whether a process runs: one that has ended may wait for its parent to notice."""
    try:
        return Path(f"/proc/{process}/stat").read_text("ascii").rpartition(") ")[2][0] != "Z"
    except OSError:
        return False
