"""What README and the operator's manual say about setting a desk up is done here, word for word.

The manual's steps are those of root on a machine of one's own. They run in a namespace of mounts, where `/etc`, `/opt`
and `/var/lib` are folders of the test, and `systemctl` only notes what it is told.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.docs import fenced, section
from support.paths import ROOT

MANUAL = "docs/operating.md"

_MOUNTED = """\
set -eu
for place in etc opt var/lib; do mount --bind "$PLACES/$place" "/$place"; done
PATH="$PLACES/bin:$PATH"
case "$PYTHON" in /root/*)
    mkdir -p "$PLACES$PYTHON"
    mount --bind "$PYTHON" "$PLACES$PYTHON"
    mount --rbind "$PLACES/root" /root
esac
"""
"""Where Python is in a folder of root, all may see it there, as they see Debian's."""

_INSTALLED_AS_HERE = """\
mkdir -p /opt/pbem
mount --bind "$PREFIX" /opt/pbem
"""


def test_the_readmes_desk_is_made_and_sends_its_invitations(tmp_path):
    (made,) = (text for text in fenced(section("README.md", "## A desk of your own"), "sh"))
    (tmp_path / ".venv").symlink_to(sys.prefix)
    done = subprocess.run(["sh", "-euc", made], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert len([*(tmp_path / "desk/mail/out/new").iterdir()]) == 2


class Machine:
    """A machine to set up a desk on, as root."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("opt", "var/lib", "bin"):
            (folder / name).mkdir(parents=True)
        shutil.copytree("/etc", folder / "etc", symlinks=True)
        systemctl = folder / "bin" / "systemctl"
        systemctl.write_text('#!/bin/sh\necho "$@" >> "${0%/*}/../systemctl"\n')
        systemctl.chmod(0o755)

    def run(self, script: str) -> str:
        """What the commands of `script` print. All must succeed, and pbem may not complain."""
        done = subprocess.run(
            ["unshare", "--mount", "sh", "-c", f"{_MOUNTED}{script}"],
            cwd=ROOT,
            env={**os.environ, "PLACES": str(self.folder), "PREFIX": sys.prefix, "PYTHON": sys.base_prefix},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "pbem: " not in done.stderr
        return done.stdout


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    if os.getuid() or subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode:
        pytest.skip("only root may have a namespace of mounts")
    return Machine(tmp_path)


def readable_by_all(path: Path) -> bool:
    return all(folder.stat().st_mode & 0o005 == 0o005 for folder in (path, *path.parents))


@pytest.mark.parametrize("how", ["as here", pytest.param("word for word", marks=pytest.mark.long)])
def test_the_manuals_steps_make_a_desk_that_its_own_user_runs(machine, how):
    if how == "as here" and not (readable_by_all(ROOT) and readable_by_all(Path(sys.prefix))):
        pytest.skip("another user than root cannot read the program here")
    set_up = section(MANUAL, "## Set up").partition("### Other ways")[0]
    install, make, check, *_ = fenced(set_up, "sh")
    start, watch = (fenced(section(MANUAL, one), "sh")[0] for one in ("## Let it run", "### Answering at once"))
    install = install if how == "word for word" else _INSTALLED_AS_HERE
    said = machine.run(
        f"{install}\n{make}\n{check}\n{start}\n{watch}\nls -ld /var/lib/pbem\nls -lR /var/lib/pbem\n{RUN}"
    )
    assert "All is well: the configuration is complete" in said
    assert "drwx------ " in said
    owned = re.findall(r"^[-d]r\S+ +\d+ (\S+) +(\S+)", said, re.M)
    assert len(owned) > 5
    assert {*owned} == {("pbem", "pbem")}
    assert (machine.folder / "systemctl").read_text().splitlines() == [
        "daemon-reload",
        "enable --now pbem.timer",
        "enable --now pbem-watch",
    ]
    assert {path.name for path in (machine.folder / "etc/systemd/system").glob("pbem*")} == {
        "pbem.service",
        "pbem.timer",
        "pbem-watch.service",
    }


RUN = """\
unit=/etc/systemd/system/pbem.service
runuser -u "$(sed -n 's/^User=//p' $unit)" -- $(sed -n 's/^ExecStart=//p' $unit)
"""
"""What systemd would run, as the user as whom it would run it. In the end all is still that user's."""
