"""The events of Campaigns of Ozz according to their schema."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parents[2] / "docs" / "games" / "ozz-events.schema.json"
SCHEMA = json.loads(_FILE.read_text(encoding="utf-8"))
SHAPES: Mapping[str, Any] = {
    name: one for one in SCHEMA["$defs"].values() for name in one["properties"]["type"]["enum"]
}
"""The schema of each type."""


def keys(name: str) -> set[str]:
    """All keys of a type except `type` itself."""
    return {*SHAPES[name]["properties"]} - {"type"}
