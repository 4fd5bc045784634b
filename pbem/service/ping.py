"""The sign of life that a desk gives after each good run, so that a service elsewhere notices when the runs stop."""

from http.client import HTTPException
from urllib.error import URLError
from urllib.request import urlopen

SECONDS = 5.0
"""How long the service may take for each step of its answer."""


def ping(url: str) -> None:
    """Fetch `url`. Errors are ignored, because the run was good, and the service notices that nothing came."""
    try:
        with urlopen(url, timeout=SECONDS):  # noqa: S310 - the configuration accepts http and https only
            pass
    except (OSError, URLError, HTTPException, ValueError):
        return
