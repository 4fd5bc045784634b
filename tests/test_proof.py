"""What docs/proof.md shows can be done by hand: its commands, and the same with the letters of a game."""

import re
import shutil
import subprocess
import sys
from contextlib import closing

import pytest
from click.testing import CliRunner

from pbem.cli.demo import DemoDesk
from pbem.cli.dice import dice
from pbem.games.chance import SECRET, block, commitment
from pbem.mail.letters import with_seals
from pbem.match.commitments import order_commitment
from pbem.match.model import Entry
from pbem.store.audit_log import content_hash, covered, link
from pbem.store.database import Store
from pbem.store.verify import Audit
from support.paths import DOCS

PAGE = (DOCS / "proof.md").read_text("utf-8")
EXAMPLES = re.findall(r"<!-- check: (\w+) -->\n```sh\n(.*?)```\n\n```text\n([0-9a-f]{64})  -\n```", PAGE, re.S)
NONCE = "0f343b0931126a20f133d67c2b018a3b"

needs_sha256sum = pytest.mark.skipif(not shutil.which("sha256sum"), reason="there is no sha256sum here")


def shell(command: str) -> str:
    """What a command prints first."""
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    return done.stdout.split()[0]


@needs_sha256sum
@pytest.mark.parametrize(("name", "command", "result"), EXAMPLES)
def test_the_commands_of_the_page_print_what_it_says(name, command, result):
    assert shell(command) == result


def test_the_examples_are_what_the_program_makes(tmp_path):
    results = {name: result for name, _, result in EXAMPLES}
    assert results["seal"] == order_commitment("oz-17", 3, "red", Entry(1, 1, "", "3 A to M; Bomb EC", NONCE))
    assert results["content"] == content_hash(bytes(range(16)), '{"seat": "red", "turn": 3}')
    with closing(Store.create(tmp_path / "pbem.db").conn) as conn:
        assert results["row"] == covered(conn)["ratings"].hash(bytes(range(16)), (9, 17, 3, 25.0, 8.0))
    assert results["secret"] == commitment(bytes(SECRET).hex())
    assert results["dice"] == block(bytes(SECRET), "dice", 0).hex()
    before = "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c"
    assert results["link"] == link(before, 2, ("2026-11-21T12:05:00Z", "withdraw", 17), results["content"])


def test_what_the_page_shows_of_dice_is_what_the_command_shows(tmp_path) -> None:
    (tmp_path / "report.txt").write_text(f"The dice of turn 3 came from this secret: {bytes(SECRET).hex()}\n")
    shown = CliRunner().invoke(dice, [str(tmp_path / "report.txt")]).output.splitlines()
    (told,) = re.findall(r"<!-- check: thrown -->\n```text\n(.*?)\n```", PAGE, re.S)
    assert shown[: len(told.splitlines())] == told.splitlines()


@needs_sha256sum
def test_a_seal_that_the_opponent_was_told_is_opened_by_the_report(table: DemoDesk) -> None:
    table.write("red", "3 A to M; bomb EC")
    told = {seat: with_seals(letter.as_bytes()) for seat, letter in table.poll()}
    (seal,) = re.findall(r"^Red   ([0-9a-f]{64})$", told["blue"], re.M)
    assert "3 A to M" not in told["blue"]
    (line,) = re.findall(r"^(oz-1 1 red [0-9a-f]{32} .*)$", told["red"], re.M)
    table.write("blue", "2 H to S")
    reports = [with_seals(letter.as_bytes()) for _, letter in table.poll() if "report" in letter["Message-ID"]]
    assert all(f"Red   {seal}\n{line}\n" in report for report in reports)
    assert shell(f"printf '%s' '{line}' | sha256sum") == seal


@pytest.mark.parametrize("language", ["english", "deutsch", "русский"])
def test_the_heads_in_reports_of_any_language_are_compared_with_the_record(table: DemoDesk, language: str) -> None:
    for seat in ("red", "blue"):
        table.write(seat, f"language {language}\nPass")
    table.poll()
    audit = Audit(table.store.conn, None)
    assert [*audit.differences()] == []
    assert audit.counts["heads"] == 2


def test_the_head_in_a_report_is_in_the_record(table: DemoDesk) -> None:
    for seat in ("red", "blue"):
        table.write(seat, "Pass")
    letters = [with_seals(letter.as_bytes()) for _, letter in table.poll()]
    found = [head for letter in letters for head in re.findall(r"^\* ([0-9a-f]{64})$", letter, re.M)]
    assert len(found) == 2
    for head in found:
        assert table.store.conn.execute("SELECT count(*) FROM record WHERE hash = ?", (head,)).fetchone() == (1,)
    assert not any(re.search(r"^\d+ [0-9a-f]{64}$", letter, re.M) for letter in letters)


def test_the_program_of_the_page_on_chance_prints_what_it_says_of_each_line() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", (DOCS / "chance.md").read_text("utf-8"), re.S)
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert printed.splitlines() == re.findall(r"^print\(.*#\s(.*)$", program, re.M)
