"""A local public beacon in drand's format, which can be late, wrong or silent."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

from pbem.cli.demo import DemoDesk
from pbem.config.config import load_config
from support.trials import NOON

GET = Path(__file__).with_name("get_round.py")
GENESIS, PERIOD = int(NOON.timestamp()) - 3_000, 30
NAME = "Test, https://beacon.example/NUMBER"


def value(number: int) -> str:
    """The beacon's value in a round."""
    return sha256(f"round {number}".encode()).hexdigest()


class _Answer(BaseHTTPRequestHandler):
    says: ClassVar[str | None] = None
    asked: ClassVar[list[int]] = []

    def do_GET(self) -> None:
        number = int(self.path.rpartition("/")[2])
        self.asked.append(number)
        told = {"round": number, "randomness": value(number), "signature": "00" * 96}
        text = json.dumps(told) if self.says is None else self.says.replace("ROUND", str(number))
        self.send_response(200 if text else 404)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        pass


class LocalBeacon:
    """A beacon. `says` is its answer in place of the round: "" if there is none yet, None for the correct one."""

    def __init__(self, url: str) -> None:
        self.command = f"{sys.executable} -S {GET} {url}"
        _Answer.says, _Answer.asked = None, []

    @property
    def asked(self) -> list[int]:
        return _Answer.asked

    def say(self, text: str | None) -> None:
        _Answer.says = text

    def serve(self, table: DemoDesk, command: str = "") -> None:
        """Let the desk use this beacon from now on."""
        path = table.config.path
        keys = f"beacon = {command or self.command}\nname = {NAME}\ngenesis = {GENESIS}\nperiod = {PERIOD}"
        path.write_text(path.read_text().partition("\n[chance]")[0] + f"\n[chance]\n{keys}\n")
        table.config = load_config(path)


@contextmanager
def local_beacon() -> Iterator[LocalBeacon]:
    """Run a beacon during the block."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Answer) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield LocalBeacon(f"http://127.0.0.1:{server.server_port}")
        finally:
            server.shutdown()
            thread.join()


def due(number: int) -> datetime:
    """The moment of a round."""
    return NOON + timedelta(seconds=GENESIS + (number - 1) * PERIOD - NOON.timestamp())
