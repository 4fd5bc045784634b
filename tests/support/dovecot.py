"""A Dovecot for tests: IMAP, IMAPS, LMTP and submission on loopback, which starts in some 30 ms and is removed at
the end.
"""

import os
import shutil
import signal
import smtplib
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path
from urllib.parse import quote

import pytest
from imapclient import IMAPClient

from support.paths import ram_disk

PASSWORD = "correct-horse%battery"
_NOBODY = 65534

_CONF = """
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
base_dir = {base}/run
state_dir = {base}/state
log_path = {base}/dovecot.log
listen = 127.0.0.1
protocols = imap lmtp submission
{tls}
disable_plaintext_auth = no
auth_mechanisms = plain login xoauth2
auth_failure_delay = 0
mail_location = maildir:{base}/mail/%Ln
mail_home = {base}/mail/%Ln
first_valid_uid = {uid}
first_valid_gid = {gid}
mail_max_userip_connections = 1000
recipient_delimiter = +
namespace inbox {{
  inbox = yes
  mailbox "Bulk Mail" {{
    special_use = \\Junk
  }}
}}
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={base}/mail/%Ln allow_all_users=yes
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service imap-login {{
  chroot =
  service_count = 0
  process_min_avail = 1
  inet_listener imap {{
    address = 127.0.0.1
    port = {imap}
  }}
  inet_listener imaps {{
    address = 127.0.0.1
    port = {imaps}
    ssl = yes
  }}
}}
service submission-login {{
  chroot =
  service_count = 0
  inet_listener submission {{
    address = 127.0.0.1
    port = {submission}
  }}
}}
service lmtp {{
  chroot =
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
submission_relay_host = 127.0.0.1
submission_relay_port = {sink}
submission_relay_trusted = yes
hostname = mail.test.invalid
postmaster_address = postmaster@test.invalid
"""


def free_ports(number: int) -> list[int]:
    """Ports on loopback that are not in use now."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def needs(program: str) -> None:
    """Skip the test if a program is not installed, but fail it if the program is required."""
    if not _which(program):
        reason = f"{program} is not installed: see the test command in README.md"
        if os.environ.get("CI") == "true" or "PBEM_REQUIRE_DOVECOT" in os.environ:
            pytest.fail(reason)
        pytest.skip(reason)


class Certificate:
    """A certificate of our own, trusted if SSL_CERT_FILE names it, and valid now unless it is `expired`."""

    def __init__(self, folder: Path, names: str = "IP:127.0.0.1,DNS:localhost", expired: bool = False) -> None:
        folder.mkdir(exist_ok=True)
        self.certificate, self.key = folder / "tls.pem", folder / "tls.key"
        (folder / "ca.conf").write_text(
            "[ca]\ndefault_ca = own\n[own]\ndatabase = index.txt\nnew_certs_dir = .\nrand_serial = yes\n"
            "default_md = sha256\npolicy = any\nx509_extensions = names\n[any]\ncommonName = supplied\n"
            f"[names]\nsubjectAltName = {names}\n"
        )
        (folder / "index.txt").touch()
        key = "-nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -keyout tls.key"
        time = f"-startdate 20200101000000Z -enddate {2020 if expired else 2048}0201000000Z"
        for words in (
            f"req -new {key} -subj /CN=localhost -out csr",
            f"ca -config ca.conf -selfsign -batch -notext -in csr -keyfile tls.key -out tls.pem {time}",
        ):
            subprocess.run(["openssl", *words.split()], cwd=folder, check=True, capture_output=True)
        self.key.chmod(0o644)


@dataclass(frozen=True)
class Account:
    """A user of the server, who exists as soon as they are named. All have the same PASSWORD."""

    server: "Dovecot"
    name: str

    @property
    def folder(self) -> Path:
        return self.server.base / "mail" / self.name

    def url(self, folder: str = "INBOX") -> str:
        return f"imap://{self.name}@127.0.0.1:{self.server.imap}/{quote(folder)}"

    def imaps_url(self) -> str:
        return f"imaps://{self.name}@127.0.0.1:{self.server.imaps}/INBOX"

    def submission_url(self) -> str:
        return f"smtp://{self.name}@127.0.0.1:{self.server.submission}"

    @contextmanager
    def client(self, folder: str = "INBOX") -> Iterator[IMAPClient]:
        """A mail program of the account with a folder open."""
        with IMAPClient("127.0.0.1", self.server.imap, ssl=False, timeout=10) as client:
            client.login(self.name, PASSWORD)
            if folder != "INBOX" and not client.folder_exists(folder):
                client.create_folder(folder)
            client.select_folder(folder)
            yield client

    def deliver(self, *letters: bytes, recipient: str = "") -> None:
        """Deliver letters to the inbox like the mail system, which adds Delivered-To and other headers."""
        with smtplib.LMTP("127.0.0.1", self.server.lmtp, local_hostname="test.invalid", timeout=10) as lmtp:
            for letter in letters:
                lmtp.sendmail("writer@test.invalid", [recipient or f"{self.name}@test.invalid"], letter)

    def append(self, *letters: bytes, folder: str = "INBOX", at: datetime | None = None) -> None:
        """Put letters into a folder unchanged, as if they had arrived at a given moment."""
        with self.client(folder) as client:
            for letter in letters:
                client.append(folder, letter, msg_time=at)

    def flags(self) -> list[set[bytes]]:
        """The flags of the letters in the inbox, in order of arrival."""
        with self.client() as client:
            flags = client.get_flags(client.search())
        return [set(flags[uid]) - {rb"\Recent"} for uid in sorted(flags)]

    def change_uidvalidity(self, *, renumber: bool) -> None:
        """Act like a server that was restored or moved: with `renumber`, all UIDs count from 1 again."""
        if renumber:
            for path in [*self.folder.glob("dovecot-uidlist*"), *self.folder.glob("dovecot.index*")]:
                path.unlink()
            return
        with self.client() as client:
            validity = client.folder_status("INBOX", "UIDVALIDITY")[b"UIDVALIDITY"]
        self.server.doveadm("mailbox", "update", "-u", self.name, "--uid-validity", str(validity + 1), "INBOX")


class Dovecot:
    """The server. Its submission service sends letters to the port `sink`."""

    def __init__(self, sink: int, certificate: Certificate | None = None) -> None:
        # Not in pytest's folders, because the server's users may not enter those, and paths of sockets must be short.
        self.base = Path(tempfile.mkdtemp(prefix="pbem-dovecot-", dir=ram_disk() or "/tmp"))
        self.imap, self.imaps, self.submission, self.lmtp = free_ports(4)
        self._names = (f"gm{number}" for number in count(1))
        self._process: subprocess.Popen[bytes] | None = None
        uid, gid = (_NOBODY, _NOBODY) if os.getuid() == 0 else (os.getuid(), os.getgid())
        self._write_conf(uid, gid, sink, certificate)
        self._start(uid, gid)

    def account(self) -> Account:
        """Create an account with an empty mailbox."""
        return Account(self, next(self._names))

    def doveadm(self, *words: str) -> None:
        subprocess.run(["doveadm", "-c", self.base / "dovecot.conf", *words], check=True)

    def stop(self) -> None:
        """Kill the server with all its processes; a regular stop would take a second."""
        if self._process:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        shutil.rmtree(self.base, ignore_errors=True)

    def _write_conf(self, uid: int, gid: int, sink: int, certificate: Certificate | None) -> None:
        import grp
        import pwd

        tls = "ssl = no"
        if certificate:
            tls = f"ssl = yes\nssl_cert = <{self.base}/tls.pem\nssl_key = <{self.base}/tls.key"
            shutil.copy(certificate.certificate, self.base / "tls.pem")
            shutil.copy(certificate.key, self.base / "tls.key")
        conf = _CONF.format(
            base=self.base,
            user=pwd.getpwuid(uid).pw_name,
            group=grp.getgrgid(gid).gr_name,
            uid=uid,
            gid=gid,
            password=PASSWORD.replace("%", "%%"),
            tls=tls,
            imap=self.imap,
            imaps=self.imaps if certificate else 0,
            submission=self.submission,
            lmtp=self.lmtp,
            sink=sink,
        )
        (self.base / "dovecot.conf").write_text(conf)
        for path in (self.base, *self.base.iterdir()):
            os.chown(path, uid, gid)
        self.base.chmod(0o755)

    def _start(self, uid: int, gid: int) -> None:
        become = [f"--reuid={uid}", f"--regid={gid}", "--clear-groups"] if os.getuid() == 0 else []
        self._process = subprocess.Popen(
            # If the tests are killed themselves, the server ends with them.
            [
                "setpriv",
                "--pdeathsig",
                "KILL",
                *become,
                _which("dovecot") or "dovecot",
                "-F",
                "-c",
                self.base / "dovecot.conf",
            ],
            start_new_session=True,
            stdin=subprocess.DEVNULL,
        )
        until = time.monotonic() + 10
        while not self._greets():
            if time.monotonic() > until or self._process.poll() is not None:
                log = self.base / "dovecot.log"
                said = log.read_text() if log.exists() else "nothing"
                self.stop()
                raise RuntimeError(f"Dovecot does not start; it said: {said}")
            time.sleep(0.005)

    def _greets(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.imap), 1) as line:
            return line.recv(4) == b"* OK"
        return False


def _which(program: str) -> str | None:
    return shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin")
