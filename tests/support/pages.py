"""Problems of a page for people who cannot see it well."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def violations(page: Page, *rules: str) -> list[tuple[str, str]]:
    """Each thing that axe finds wrong with a page, and the first place where it is."""
    found = Axe().run(page, options={"runOnly": rules, "preload": False, "resultTypes": ["violations"]})
    return [(one["id"], one["nodes"][0]["html"]) for one in found.response["violations"]]
