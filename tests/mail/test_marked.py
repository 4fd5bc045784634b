"""How well the writer's own words are found in replies that people really wrote, measured against `marked.toml`."""

import re
import tomllib
from dataclasses import dataclass
from difflib import SequenceMatcher
from email import message_from_bytes
from email.message import Message
from functools import partial
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest

from pbem.mail import letters
from pbem.orders.reader import may_be_order
from support.paths import SHARED

read = partial(letters.read, is_order=may_be_order)

CORPORA = SHARED / "mail" / "corpora"
MARKED = tomllib.loads(Path(__file__).with_name("marked.toml").read_text("utf-8"))
EXACT, TAKEN, LOST = 42 / 64, 0.06, 0.20
"""What issue 3 asks for, as shares: of letters, of quoted lines, of own lines."""

pytestmark = pytest.mark.skipif(not CORPORA.exists(), reason="no corpora beside the checkout")


@dataclass(frozen=True)
class Line:
    """A line of a letter by its words, and whose it is: "own", "optional" or "foreign"."""

    words: tuple[str, ...]
    whose: str


@dataclass(frozen=True)
class Marked:
    """A letter as somebody marked it, beside what the program made of it."""

    name: str
    lines: list[Line]
    seen: tuple[str, ...]

    def is_exact(self) -> bool:
        """Whether all own words were read in their order and nothing else, but optional lines."""
        ends = {0}
        for line in self.lines:
            with_it = {end + len(line.words) for end in ends if self.seen[end:][: len(line.words)] == line.words}
            ends = {"own": with_it, "optional": ends | with_it, "foreign": ends}[line.whose]
        return len(self.seen) in ends

    def count(self, whose: str) -> tuple[int, int]:
        """How many lines of a kind there are, and of how many the most words were read."""
        words = [word for line in self.lines for word in line.words]
        blocks = SequenceMatcher(None, words, self.seen, autojunk=False).get_matching_blocks()
        read_words = {i for block in blocks for i in range(block.a, block.a + block.size)}
        total = taken = start = 0
        for line in self.lines:
            end = start + len(line.words)
            if line.whose == whose:
                total += 1
                taken += 2 * len(read_words.intersection(range(start, end))) > len(line.words)
            start = end
        return total, taken


def words(text: str) -> tuple[str, ...]:
    """What is compared: not blanks, line breaks and signs, which a program may set anew."""
    return tuple(re.findall(r"\w+", normalize("NFKC", text)))


def lines_of(letter: Message) -> list[str]:
    """What all text/plain parts of a letter say, decoded, line by line."""
    lines: list[str] = []
    for part in letter.walk():
        data = part.get_payload(decode=True)
        if part.get_content_type() == "text/plain" and isinstance(data, bytes):
            lines += data.decode("utf-8", "replace").splitlines()
    return lines


def marked(folder: str, name: str, marks: dict[str, Any]) -> Marked:
    """A letter, marked and read; the folders of libraries that read replies hold bodies without headers."""
    raw = (CORPORA / folder / name).read_bytes()
    if "reply" in folder:
        encoding = "quoted-printable" if "quoted_printable" in marks else "8bit"
        head = (
            "From: a@example.org",
            "Content-Type: text/plain; charset=utf-8",
            f"Content-Transfer-Encoding: {encoding}",
        )
        raw = "\n".join((*head, "", "")).encode() + raw
    letter = message_from_bytes(raw)
    if "returned" in marks:
        returned = next(part for part in letter.walk() if part.get_content_type() == "message/rfc822").get_payload(0)
        assert isinstance(returned, Message)
        letter, raw = returned, returned.as_bytes()
    lines = enumerate(map(words, lines_of(letter)), start=1)
    return Marked(name, [Line(found, whose(number, marks)) for number, found in lines if found], words(read(raw).text))


def whose(number: int, marks: dict[str, Any]) -> str:
    kinds = ("own", "optional")
    return next((kind for kind in kinds if any(a <= number <= b for a, b in marks.get(kind, []))), "foreign")


@pytest.fixture(scope="module")
def letters() -> list[Marked]:
    return [marked(folder, *entry) for folder, entries in MARKED.items() for entry in sorted(entries.items())]


def test_the_words_of_people_are_found_as_a_person_marked_them(letters: list[Marked]) -> None:
    exact = sum(letter.is_exact() for letter in letters)
    quoted, taken = map(sum, zip(*(letter.count("foreign") for letter in letters), strict=True))
    own, found = map(sum, zip(*(letter.count("own") for letter in letters), strict=True))
    print(
        f"{exact} of {len(letters)} read exactly; {taken / quoted:.1%} of quoted lines taken as own;"
        f" {(own - found) / own:.1%} of own lines lost"
    )
    assert exact >= EXACT * len(letters)
    assert taken < TAKEN * quoted
    assert own - found < LOST * own
