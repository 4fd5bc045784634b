"""What README and the operator's manual say about setting a desk up is done here, word for word.

The manual's steps are those of root on a machine of one's own. They run in a namespace of mounts, where `/etc`, `/opt`
and `/var/lib` are folders of the test, and `systemctl` only notes what it is told. The servers of the manual's example
are a Dovecot, through which two players play a turn.
"""

import email
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from email.message import Message
from pathlib import Path
from time import sleep

import pytest

from pbem.cli.demo import ALICE, BOB, answer_letter, letter_text
from pbem.config.config import Address
from support.docs import fenced, section
from support.dovecot import PASSWORD, Account, Dovecot
from support.paths import ROOT
from support.sink import Sink

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


class Evening:
    """Step by step, what the manual says under "Set up", with a Dovecot in the place of the example's servers."""

    def __init__(self, machine: Machine, dovecot: Dovecot, sink: Sink, how: str) -> None:
        self.machine, self.desk, self._sink = machine, dovecot.account(), sink
        self.players = {"Alice": dovecot.account(), "Bob": dovecot.account()}
        set_up = section(MANUAL, "## Set up").partition("### Other ways")[0]
        (self._config,) = fenced(set_up, "ini")
        install, *commands = fenced(set_up, "sh")
        self.make, self._define, self._passwords, self.check, self.start, self.doctor, self._begin = commands
        self._before = "" if how == "word for word" else _INSTALLED_AS_HERE
        self.install = install if how == "word for word" else ""

    def run(self, *commands: str) -> str:
        """What the commands print. Afterwards, all letters that were sent are delivered."""
        said = self.machine.run("\n".join((self._before, self._define, *commands)))
        while self._sink.letters:
            sleep(0.01)
        return said

    def configure(self) -> str:
        """The commands that write the configuration and the passwords."""
        server = self.desk.server
        text = self._config
        for example, here in (
            ("imaps://", "imap://"),
            ("imap.example.org", f"127.0.0.1:{server.imap}"),
            ("smtp.example.org:587", f"127.0.0.1:{server.submission}"),
            ("games%40example.org", f"{self.desk.name}%40desk.test"),
            ("games@example.org", f"{self.desk.name}@desk.test"),
            ("example.org", "desk.test"),
        ):
            assert example in text
            text = text.replace(example, here)
        (self.machine.folder / "config.ini").write_text(text)
        (self.machine.folder / "typed").write_text(f"{PASSWORD}\n")
        passwords = self._passwords.replace("/dev/stdin", '"$PLACES/typed"')
        return f'cat "$PLACES/config.ini" > /var/lib/pbem/config.ini\n{passwords}'

    def begin(self) -> str:
        """The command that sets a game up, with the addresses of the players here."""
        command = self._begin
        for who in (ALICE, BOB):
            assert who.address in command
            command = command.replace(who.address, self.address(who.name).address)
        return command

    def address(self, name: str) -> Address:
        return Address(name, f"{self.players[name].name}@players.test")

    def answer(self, name: str, text: str) -> None:
        """Answer the newest letter to a player."""
        answer = answer_letter(newest(self.players[name]), self.address(name), text, datetime.now(UTC))
        self.desk.deliver(answer.as_bytes(), recipient=answer["To"])

    @contextmanager
    def delivering(self) -> Iterator[None]:
        """Deliver what the sink takes: to the players, and all else to the desk."""
        inboxes: Mapping[str, Account] = {account.name: account for account in self.players.values()}
        done, sink = threading.Event(), self._sink

        def deliver() -> None:
            while not done.wait(0.05):
                while sink.letters:
                    letter = sink.letters[0]
                    inboxes.get(letter.recipient.partition("@")[0], self.desk).deliver(letter.raw)
                    del sink.letters[0]

        provider = threading.Thread(target=deliver)
        provider.start()
        try:
            yield
        finally:
            done.set()
            provider.join()


def newest(account: Account) -> Message:
    with account.client() as client:
        number = client.search()[-1]
        return email.message_from_bytes(client.fetch([number], ["BODY[]"])[number][b"BODY[]"])


@pytest.mark.parametrize("how", ["as here", pytest.param("word for word", marks=pytest.mark.long)])
def test_the_manuals_evening_makes_a_desk_that_its_own_user_runs_and_a_turn_is_played(machine, dovecot, sink, how):
    if how == "as here" and not (readable_by_all(ROOT) and readable_by_all(Path(sys.prefix))):
        pytest.skip("another user than root cannot read the program here")
    evening = Evening(machine, dovecot, sink, how)
    watch = fenced(section(MANUAL, "### Answering at once"), "sh")[0]
    with evening.delivering():
        said = evening.run(evening.install, evening.make, evening.configure(), evening.check, evening.start, watch)
        assert said.count("All is well: the configuration is complete") == 2
        assert "reply = plus: arrives; this is the configured kind." in said
        done, *owned = evening.run(RUN, evening.doctor, LIST).splitlines()
        if how == "word for word":
            owned = play_a_turn(evening).splitlines()
    assert done == "All is well."
    assert_all_belongs_to_the_desk("\n".join(owned))
    assert_the_units_are_there_and_started(machine)


def play_a_turn(evening: Evening) -> str:
    """Two players play a turn. Returns what is in the desk's folder afterwards."""
    evening.run(evening.begin(), RUN)
    evening.answer("Alice", "1 A to AC, 1 A to Z")
    evening.answer("Bob", "1 V to VC")
    evening.run(RUN)
    for name, account in evening.players.items():
        assert "receipt 1-1" in letter_text(newest(account))
        evening.answer(name, "go")
    owned = evening.run(RUN, LIST)
    report = newest(evening.players["Alice"])
    assert report["Subject"] == "Ozymandia oz-1, turn 1: the report"
    assert "image/png" in [part.get_content_type() for part in report.walk()]
    return owned


def assert_all_belongs_to_the_desk(listed: str) -> None:
    assert "drwx------ " in listed
    owned = re.findall(r"^[-d]r\S+ +\d+ (\S+) +(\S+)", listed, re.M)
    assert len(owned) > 5
    assert {*owned} == {("pbem", "pbem")}


def assert_the_units_are_there_and_started(machine: Machine) -> None:
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


LIST = "ls -ld /var/lib/pbem; ls -lR /var/lib/pbem"
RUN = """\
unit=/etc/systemd/system/pbem.service
runuser -u "$(sed -n 's/^User=//p' $unit)" -- $(sed -n 's/^ExecStart=//p' $unit)
"""
"""What systemd would run, as the user as whom it would run it. In the end all is still that user's."""
