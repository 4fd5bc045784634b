"""The paths of everything that is not code: the checkout, its docs, the files beside it, and expected results."""

from pathlib import Path

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
DOCS = ROOT / "docs"
SHARED = ROOT.parent / "shared"
"""Public mails, boards and cases that are not ours to ship; tests that need them are skipped where it is not."""
CASES = TESTS / "cases"
GOLDEN = TESTS / "golden"
