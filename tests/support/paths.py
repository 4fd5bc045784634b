"""Where the tests find what is no code: the checkout, its docs, what lies beside it, and what tests expect."""

from pathlib import Path

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
DOCS = ROOT / "docs"
SHARED = ROOT.parent / "shared"
"""Public mails, boards and cases that are not ours to ship; tests that need them are skipped where it is not."""
CASES = TESTS / "cases"
GOLDEN = TESTS / "golden"
