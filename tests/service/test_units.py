"""The systemd units of a desk, as systemd itself judges them, and what `pbem watch` tells it."""

import re
import shutil
import socket
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.config.config import Config, Maildir, load_config
from pbem.service import units
from pbem.service.notify import notify
from support.commands import pbem, wrong
from support.each import each

SERVICES = ("pbem.service", "pbem-watch.service")


@pytest.fixture
def config(tmp_path: Path) -> Config:
    assert pbem("init", tmp_path / "desk").exit_code == 0
    return load_config(tmp_path / "desk" / "config.ini")


def values(text: str, key: str) -> list[str]:
    return re.findall(rf"^{key}=(.*)$", text, re.M)


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not here")
@pytest.mark.parametrize("folder", ["desk", 'my "100%" $desk'])
def test_systemd_finds_no_mistake_in_them_and_little_that_is_open(tmp_path, folder):
    pbem("init", tmp_path / folder)
    units.install(units.units(load_config(tmp_path / folder / "config.ini"), "pbem", "pbem"), tmp_path)
    files = [tmp_path / name for name in (*SERVICES, "pbem.timer")]
    verified = subprocess.run(["systemd-analyze", "verify", *files], capture_output=True, text=True, check=False)
    assert (verified.returncode, verified.stderr) == (0, "")
    judge = ["systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager"]  # 2.0 of 10
    for name in SERVICES:
        judged = subprocess.run([*judge, tmp_path / name], capture_output=True, text=True, check=False)
        assert judged.returncode == 0, judged.stdout


def test_a_service_runs_as_its_user_after_the_network_and_writes_to_the_desk_alone(config):
    texts = units.units(config, "games", "pbem")
    for name, command in zip(SERVICES, ("poll", "watch"), strict=True):
        assert values(texts[name], "User") == ["games"]
        assert values(texts[name], "Wants") == ["network-online.target"]
        assert "network-online.target" in values(texts[name], "After")[0]
        assert values(texts[name], "ReadWritePaths") == [str(config.path.parent)]
        (start,) = values(texts[name], "ExecStart")
        assert start.endswith(f" --config {config.path} {command}")
        assert start.startswith("/")


def test_maildirs_elsewhere_may_be_written_to_and_a_desk_at_home_is_seen(config):
    mailbox = config.mailbox._replace(place=Maildir(Path("/home/games/mail")))
    service = units.units(config._replace(mailbox=mailbox), "pbem", "pbem")["pbem.service"]
    assert values(service, "ReadWritePaths") == [f"{config.path.parent} /home/games/mail"]
    assert values(service, "ProtectHome") == ["read-only"]


def test_the_timer_starts_it_as_often_as_the_configuration_says(config):
    often = config._replace(desk=config.desk._replace(every=timedelta(minutes=2)))
    assert values(units.units(often, "pbem", "pbem")["pbem.timer"], "OnUnitActiveSec") == ["120s"]


def test_a_folder_with_a_blank_a_quotation_mark_or_a_percent_sign_is_one_word(tmp_path):
    folder = tmp_path / 'my "100%" $desk'
    pbem("init", folder)
    service = units.units(load_config(folder / "config.ini"), "pbem", "pbem")["pbem.service"]
    assert values(service, "ReadWritePaths") == [rf'"{tmp_path}/my \"100%%\" $desk"']
    assert values(service, "ExecStart")[0].endswith(rf' --config "{tmp_path}/my \"100%%\" $$desk/config.ini" poll')


@each("name", ["", "a b", "a\nUser=root", "-x", "../x"], ids=repr)
def test_a_user_and_a_name_are_words(config, name):
    said = pbem("units", config.path.parent, "--user", name)
    assert (said.exit_code, said.stdout) == (2, "")
    assert "--user: must consist of" in said.stderr
    assert pbem("units", config.path.parent, "--name", name).exit_code == 2


def test_they_are_printed_or_written_where_none_is_yet(config, tmp_path):
    printed = pbem("units", config.path.parent, "--name", "winter").stdout
    assert re.findall(r"^# (.*)", printed, re.M) == ["winter.service", "winter.timer", "winter-watch.service"]
    for _ in range(2):
        written = pbem("units", config.path.parent, "--install", tmp_path)
        assert (written.exit_code, "`systemctl enable --now pbem.timer`" in written.stdout) == (0, True)
    (tmp_path / "pbem.timer").write_text("mine")
    (tmp_path / "pbem.service").unlink()
    assert "pbem.timer: is there with another text" in wrong(2, "units", config.path.parent, "--install", tmp_path)
    assert not (tmp_path / "pbem.service").exists()
    assert "is no folder" in wrong(2, "units", config.path.parent, "--install", tmp_path / "no")
    assert "cannot be read" in wrong(2, "units", tmp_path / "no")


def test_a_user_who_is_missing_and_a_folder_of_somebody_else_are_told(config):
    (line,) = units.missing(config, "nobody-of-that-name")
    assert line.startswith("There is no user nobody-of-that-name here: `useradd --system")
    owner = config.path.stat().st_uid
    assert [*units.missing(config, f"{owner}")] == []
    (line,) = units.missing(config, f"{owner + 1}")
    assert line.endswith(f"`chown -R {owner + 1}: {config.path.parent}`.")


def test_systemd_is_told_only_where_it_listens(tmp_path, monkeypatch):
    for address in (str(tmp_path / "notify"), f"@{tmp_path}"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listens:
            listens.bind(f"\0{address[1:]}" if address.startswith("@") else address)
            monkeypatch.setenv("NOTIFY_SOCKET", address)
            notify("READY=1")
            assert listens.recv(100) == b"READY=1"
    notify("READY=1")  # nobody listens any longer
    monkeypatch.delenv("NOTIFY_SOCKET")
    notify("READY=1")
