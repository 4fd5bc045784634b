"""What `pbem watch` tells systemd: that it is ready, and that it is still alive (sd_notify(3))."""

import os
import socket
from contextlib import suppress


def notify(state: str) -> None:
    """Tell systemd `state`, such as "READY=1". Does nothing if nobody wants to hear it; errors are ignored, because the
    desk goes on without."""
    if address := os.environ.get("NOTIFY_SOCKET"):
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.connect(f"\0{address[1:]}" if address.startswith("@") else address)
            line.sendall(state.encode())
