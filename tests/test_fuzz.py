"""Letters and orders that nobody wrote: by Hypothesis in every run, by atheris in the long one."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzz.mails import mails
from pbem.games import find_game
from pbem.mail import authentication, letters, mime, plaintext
from pbem.orders import reader
from pbem.orders.situation import Standpoint
from support.hostile import is_clean
from support.paths import TESTS

FUZZ = TESTS / "fuzz"
GAME = find_game("ozymandia")
STATE = GAME.new({})

SEEDS = {
    "read_letters": (
        "From: Alice <a@example.net>\nSubject: =?utf-8?q?x?=\n\n3 A to M\n> Bomb EC\n",
        "From: a@b\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b\nContent-Type: text/html\n\n<p>y\n--b--",
        "From: a@b\nContent-Type: text/plain; charset=utf-16\nContent-Transfer-Encoding: base64\n\nMwAgAEEA\n",
        "Return-Path: <>\nContent-Type: multipart/report\n\nAction: failed\nStatus: 5.1.1\n550 no such user\n",
        "From: a@b\n\nOn Sat, 21 Nov 2026, Desk <d@e> wrote:\n\nVon: x@y\nGesendet: 1.1.2026\nAn: z\n-- \n",
    ),
    "read_orders": (
        "3 A to M, 2 W to M; Bomb EC",
        "New M and A\nall Atlantea -> Mu\n- 1 Shangri-La to SC",
        "press: hello\nend press\nyes\nhelp orders\nPass",
    ),
}
"""What atheris begins with, target by target."""


@settings(deadline=None, max_examples=60)
@given(mails())
def test_any_tree_of_parts_is_read(raw: bytes) -> None:
    start = time.process_time()
    seen = letters.read(raw, is_order=reader.may_be_order)
    assert is_clean(seen)
    assert is_clean(letters.read_head(raw))
    assert seen.text.count("\n") <= 1_000
    authentication.vouched(seen.authentication, "mx", "example.net")
    reading = reader.read(Standpoint(GAME, STATE, "red"), seen.text)
    assert reading.orders is None or not reading.mistakes
    assert time.process_time() - start < 1


@settings(deadline=None, max_examples=50)
@given(st.binary(max_size=2_000))
def test_any_bytes_are_read(data: bytes) -> None:
    assert is_clean(letters.read(data, is_order=reader.may_be_order))


@settings(deadline=None, max_examples=50)
@given(st.text(max_size=1_000))
def test_any_text_is_decoded_and_normalised_the_same_way_twice(text: str) -> None:
    assert mime.decode(text.encode("utf-8", "replace"), "utf-8").isascii() or not text.isascii()
    once = "\n".join(plaintext.normalise(text))
    assert plaintext.normalise(once) == once.splitlines()


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.text(alphabet='ab=;."(), \\@/é\x00', max_size=30) | st.just("mx; dkim=pass header.d=a.b"), max_size=4)
)
def test_any_authentication_results_are_judged(values: list[str]) -> None:
    assert isinstance(authentication.vouched(values, "mx", "a.b").vouched, bool)


@pytest.mark.long
@pytest.mark.parametrize("target", SEEDS)
def test_atheris_finds_nothing(target: str, tmp_path: Path) -> None:
    """200,000 runs, or as many as a minute holds."""
    pytest.importorskip("atheris", reason="atheris has no wheel for this Python: pip install '.[fuzz]'")
    for number, seed in enumerate(SEEDS[target]):
        (tmp_path / f"seed{number}").write_text(seed)
    done = subprocess.run(
        [
            sys.executable,
            FUZZ / f"{target}.py",
            "-runs=200000",
            "-max_total_time=60",
            "-seed=1981",
            "-timeout=5",
            tmp_path,
        ],
        capture_output=True,
        cwd=tmp_path,
        text=True,
        check=False,
    )
    print("\n".join(line for line in done.stderr.splitlines() if "DONE" in line or "Done" in line))
    assert done.returncode == 0, done.stderr[-3_000:]
