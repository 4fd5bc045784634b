"""Makes `docs/game-page.png`, the picture in README.md: the page of the demonstration game as Chromium shows it.

After the pages or the maps have changed: `.venv/bin/pip install pillow`, then `.venv/bin/python -m tools.picture`.
"""

import os
import shutil
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.archives import Office

PICTURE = Path(__file__).parents[1] / "docs" / "game-page.png"
TURNS = (
    ("2 A to AC", "2 H to S"),
    ("1 AC to MC", "2 S to M; Bomb W"),
    ("2 W to WC; Bomb S", "1 H to S"),
    ("1 WC to UC; Bomb U", "2 E to U"),
    ("New UC; 1 UC to EC", "Pass"),
)
"""What `pbem.games.ozymandia.demo.LETTERS` comes to."""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        office = Office(Path(folder) / "desk")
        name = office.begin("Alice", "Bob")
        for red, blue in TURNS:
            office.play(name, red, blue)
        office.build()
        office.store.conn.close()
        root = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=root)
        page = browser.new_page(viewport={"width": 1000, "height": 1080}, color_scheme="light")
        page.goto(f"{office.site.as_uri()}/games/{name}.html#turn-2")
        shown = Image.open(BytesIO(page.screenshot()))
        browser.close()
    shown.convert("RGB").quantize(256).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
