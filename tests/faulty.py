"""Servers and lines that do what they should not: a proxy that spoils what passes, and a server of canned answers."""

import socket
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Literal, Self

Fault = Literal["close", "reset", "stall", "trickle"]


class _Listener:
    """Accepts lines and serves each in a thread of its own, between `with` and its end."""

    def __enter__(self) -> Self:
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._server.getsockname()[1]
        self._open: list[socket.socket] = [self._server]
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *exception: object) -> None:
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                line, _ = self._server.accept()
                self._open.append(line)
                threading.Thread(target=self._guarded, args=(line,), daemon=True).start()

    def _guarded(self, line: socket.socket) -> None:
        with suppress(OSError):
            self.serve(line)
        line.close()

    def serve(self, line: socket.socket) -> None:
        raise NotImplementedError


class Proxy(_Listener):
    """Passes everything on to a server, until `after` bytes of its answers have gone by; then comes the fault."""

    def __init__(self, port: int, fault: Fault, after: int) -> None:
        self._target, self._fault, self._after = port, fault, after

    def serve(self, line: socket.socket) -> None:
        with socket.create_connection(("127.0.0.1", self._target)) as server:
            self._open.append(server)
            threading.Thread(target=_pump, args=(line, server), daemon=True).start()
            left = self._after
            while left and (data := server.recv(min(left, 4096))):
                line.sendall(data)
                left -= len(data)
            self._spoil(line, server)

    def _spoil(self, line: socket.socket, server: socket.socket) -> None:
        if self._fault == "close":
            line.shutdown(socket.SHUT_RDWR)
        if self._fault == "reset":
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            line.shutdown(socket.SHUT_RD)  # wakes _pump, which would hold the line open
        while self._fault == "stall":
            time.sleep(0.05)
        while self._fault == "trickle" and (data := server.recv(1)):
            line.sendall(data)
            time.sleep(0.05)


class Scripted(_Listener):
    """Greets, and answers each line of the client as told; the answer None closes the line. Keeps what it heard."""

    def __init__(self, greeting: bytes, answer: Callable[[bytes], bytes | None]) -> None:
        self._greeting, self._answer = greeting, answer
        self.heard: list[bytes] = []

    def serve(self, line: socket.socket) -> None:
        line.sendall(self._greeting)
        with line.makefile("rb") as lines:
            for said in lines:
                self.heard.append(said)
                answer = self._answer(said)
                if answer is None:
                    return
                line.sendall(answer)


def _pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(4096):
            target.sendall(data)
