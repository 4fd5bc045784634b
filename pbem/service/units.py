"""The systemd units of a desk: a service and a timer for `pbem poll`, and a service for `pbem watch`.

The services may write to the folder of the desk and to its Maildirs, and reach the network; little else is left to
them.
"""

import pwd
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from pbem.config.config import Config, Maildir
from pbem.config.ini import ConfigError

_NETWORK = """\
Wants=network-online.target
After=network-online.target time-sync.target
"""

_SERVICE = """\
User={user}
ExecStart={start}
ReadWritePaths={places}
ProtectHome={home}
UMask=0077
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectSystem=strict
ProtectProc=invisible
ProcSubset=pid
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
PrivateDevices=yes
PrivateTmp=yes
PrivateUsers=yes
DevicePolicy=closed
KeyringMode=private
LockPersonality=yes
MemoryDenyWriteExecute=yes
RemoveIPC=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallErrorNumber=EPERM
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
"""

_POLL = """\
[Unit]
Description=One run of the pbem desk in {folder}
{network}
[Service]
Type=oneshot
TimeoutStartSec=30min
{service}"""

_TIMER = """\
[Unit]
Description=Runs of the pbem desk in {folder}

[Timer]
OnActiveSec=1min
OnUnitActiveSec={seconds}s
AccuracySec=10s

[Install]
WantedBy=timers.target
"""

_WATCH = """\
[Unit]
Description=The pbem desk in {folder}, which answers at once
{network}
[Service]
Type=notify
NotifyAccess=main
TimeoutStartSec=15min
WatchdogSec=15min
Restart=on-failure
RestartSec=1min
RestartPreventExitStatus=2
{service}
[Install]
WantedBy=multi-user.target
"""

_HOMES = (Path("/home"), Path("/root"), Path("/run/user"))


def units(config: Config, user: str, name: str) -> dict[str, str]:
    """Return the units of the desk with the configuration `config`, which `user` runs: their texts, keyed by the names
    of their files, which begin with `name`. Raises ConfigError for a user or a name that cannot be one."""
    for what, text in (("--user", user), ("--name", name)):
        if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", text):
            raise ConfigError(what, "must consist of letters, digits, `_`, `.` and `-`.")
    return {
        f"{name}.service": _POLL.format(**_gaps(config, user, "poll")),
        f"{name}.timer": _TIMER.format(**_gaps(config, user, "poll")),
        f"{name}-watch.service": _WATCH.format(**_gaps(config, user, "watch")),
    }


def _gaps(config: Config, user: str, command: str) -> dict[str, str]:
    folder, program = config.path.parent, _program()
    mail = (config.outgoing.place, *(mailbox.place for mailbox in config.mailboxes.values()))
    maildirs = (place.path for place in mail if isinstance(place, Maildir))
    places = [folder, *(path for path in maildirs if not path.is_relative_to(folder))]
    at_home = any(path.is_relative_to(home) for path in (*places, Path(program[0])) for home in _HOMES)
    gaps = {
        "user": user,
        "start": " ".join(
            _quoted(word).replace("$", "$$") for word in (*program, "--config", str(config.path), command)
        ),
        "folder": str(folder).replace("%", "%%"),
        "places": " ".join(_quoted(str(path)) for path in places),
        "home": "read-only" if at_home else "yes",
        "network": _NETWORK,
        "seconds": f"{config.desk.every.total_seconds():.0f}",
    }
    return gaps | {"service": _SERVICE.format(**gaps)}


def _program() -> tuple[str, ...]:
    """Return the words of the command line that start this installation of pbem."""
    installed = Path(sys.executable).with_name("pbem")
    return (str(installed),) if installed.exists() else (sys.executable, "-m", "pbem")


def _quoted(text: str) -> str:
    """Return `text` as one word of a unit, so that systemd sees no blank, quotation mark or `%` in it."""
    if re.fullmatch(r"[\w/.,:+@=-]+", text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%") + '"'


def install(texts: Mapping[str, str], folder: Path) -> None:
    """Write the units `texts`, keyed by the names of their files, into `folder`.

    Raises ConfigError, and writes nothing, if a file is there with another text, or if `folder` is not there.
    """
    if not folder.is_dir():
        raise ConfigError(str(folder), "is no folder: units belong into /etc/systemd/system.")
    for name, text in texts.items():
        path = folder / name
        if path.exists() and path.read_text("utf-8", "replace") != text:
            problem = "is there with another text: move it away. Changes of your own belong into `systemctl edit`."
            raise ConfigError(str(path), problem)
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")


def missing(config: Config, user: str) -> Iterator[str]:
    """Yield what has to be done before `user` can run the desk: make the user, or give them the folder."""
    folder = config.path.parent
    try:
        number = int(user) if user.isdecimal() else pwd.getpwnam(user).pw_uid
    except KeyError:
        yield f"There is no user {user} here: `useradd --system --home-dir {folder} --shell /usr/sbin/nologin {user}`."
        return
    if any(path.stat().st_uid != number for path in (folder, *folder.iterdir())):
        yield f"Not everything in {folder} belongs to {user}: `chown -R {user}: {folder}`."
