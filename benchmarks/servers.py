"""The servers behind the mail benchmarks: the tests' Dovecot, an SMTP server that keeps nothing, and a desk using
both."""

import multiprocessing
import socketserver
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from pbem.service.desk import make_desk
from support.dovecot import PASSWORD, Account, Dovecot

DISCARD = 9  # a port that nothing should send to

__all__ = ["DISCARD", "PASSWORD", "Account", "Dovecot", "dovecot", "served_desk", "smtp_sink"]


class _Sink(socketserver.StreamRequestHandler):
    """SMTP (RFC 5321) as fast as Python allows; aiosmtpd takes longer for a letter than we do."""

    wbufsize = 0
    disable_nagle_algorithm = True

    def handle(self) -> None:
        self.wfile.write(b"220 sink\r\n")
        for line in self.rfile:
            word = line[:4].upper()
            if word == b"EHLO":
                self.wfile.write(b"250-sink\r\n250 PIPELINING\r\n")  # like nearly all servers
                continue
            if word == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                while self.rfile.readline() not in (b".\r\n", b""):
                    pass
            elif word == b"QUIT":
                self.wfile.write(b"221 bye\r\n")
                return
            self.wfile.write(b"250 ok\r\n")


@contextmanager
def smtp_sink() -> Iterator[int]:
    """Run a server in its own process; yield its port."""
    with socketserver.TCPServer(("127.0.0.1", 0), _Sink) as server:
        process = multiprocessing.get_context("fork").Process(target=server.serve_forever, daemon=True)
        process.start()
        try:
            yield server.server_address[1]
        finally:
            process.kill()
            process.join()


@contextmanager
def dovecot() -> Iterator[Dovecot]:
    """Run an empty Dovecot."""
    server = Dovecot(sink=DISCARD)
    try:
        yield server
    finally:
        server.stop()


def served_desk(folder: Path, account: Account, smtp_port: int) -> Path:
    """Make a desk that fetches letters from the account and sends to the port; return the path of its configuration."""
    path = make_desk(folder)
    (folder / "password").write_text(PASSWORD)
    (folder / "password").chmod(0o600)
    config = path.read_text()
    config = config.replace("url = maildir:mail/in", f"url = {account.url()}\npassword_file = password")
    config = config.replace("url = maildir:mail/out", f"url = smtp://127.0.0.1:{smtp_port}")
    path.write_text(config)
    return path
