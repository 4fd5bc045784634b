"""A browser for those who look at pages and letters in it."""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from support.dovecot import needs


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    needs("chromium")
    with sync_playwright() as playwright:
        root = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=root)
        yield browser
        browser.close()
