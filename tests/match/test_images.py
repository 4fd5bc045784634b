"""The position as an image in letters, beside the map in words."""

import re
import sys
from email import message_from_bytes
from email.message import Message
from html import unescape
from textwrap import wrap

import pytest

from pbem import ENGLISH
from pbem.cli.demo import DemoDesk
from pbem.mail.htmltext import html_text
from pbem.mail.letters import page_part, text_part
from pbem.match.sections import position
from pbem.render.images import rasterise
from support.correspondents import ALICE, BOB, CAROL, Correspondents, come

LONGEST = 102_000
"""The number of bytes of HTML behind which Gmail cuts a letter off."""


@pytest.fixture
def people(table: DemoDesk, images: None) -> Correspondents:
    return Correspondents(table)


def kinds(letter: Message) -> list[str]:
    return [part.get_content_type() for part in letter.walk()]


def images_in(letter: Message) -> list[bytes]:
    """The images in a letter, all of which its HTML shows."""
    found = [part for part in letter.walk() if part.get_content_maintype() == "image"]
    shown = re.findall(r'<img src="cid:([^"]+)"', page_part(letter.as_bytes()))
    assert [part["Content-ID"] for part in found] == [f"<{cid}>" for cid in shown]
    return [part.get_payload(decode=True) for part in found]


def test_invitations_receipts_and_reports_show_the_position(people):
    come(people, CAROL)
    people.table.begin({})
    people.poll()
    (invitation,) = images_in(people.got[ALICE][-1])
    people.write(ALICE, "3 A to M")
    (receipt,) = images_in(people.got[ALICE][-1])
    people.write(BOB, "3 H to S")
    ours, theirs = people.got[ALICE][-1], people.got[BOB][-1]
    assert images_in(ours) == images_in(theirs)
    assert len({invitation, receipt, *images_in(ours)}) == 3
    for letter in (*people.got[ALICE], *people.got[BOB]):
        assert len(page_part(letter.as_bytes())) < LONGEST


def test_the_image_belongs_to_the_html_and_is_not_attached(people):
    people.write(BOB, "Pass")
    people.write(ALICE, "3 A to M")
    assert kinds(people.got[ALICE][-1])[:6] == [
        "multipart/mixed", "multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png",
    ]  # fmt: skip
    assert "map.png" not in text_part(people.got[ALICE][-1].as_bytes())


def test_the_map_in_words_stays_in_the_text_and_is_folded_in_the_html(people):
    people.write(BOB, "Pass")
    people.write(ALICE, "3 A to M")
    raw = people.got[ALICE][-1].as_bytes()
    assert "| M  Red 6   * |" in text_part(raw)
    page = page_part(raw)
    image, folded = page.index("<img "), page.index('<details class="folded"')
    assert image < folded < page.index('<table class="map"') < page.index("</details>")
    assert "details[class].folded{display:block}" in page


def test_the_image_says_in_words_what_it_shows(people):
    people.write(BOB, "Pass")
    people.write(ALICE, "3 A to M")
    (words,) = re.findall(r'alt="([^"]*)"', page_part(people.got[ALICE][-1].as_bytes()))
    assert words.startswith("Ozymandia: The board after turn 1.\nRed: Mu 6, Wyvernia 3.\nBlue: Valhalla 3,")


def test_what_happened_in_the_turn_is_marked_in_the_report_alone(people):
    people.write(BOB, "Pass")
    people.write(ALICE, "3 A to M")
    match = people.match()
    report, later = (position(match, "red", turn=turn).values["draw"](ENGLISH) for turn in (match.turns[-1], None))
    assert [drawn.count('class="march red"') for drawn in (report, later)] == [1, 0]
    assert report.count(">*<") > later.count(">*<")
    assert images_in(people.got[ALICE][-1]) == [rasterise(report)] != [rasterise(later)]


def test_without_the_libraries_a_letter_is_what_it_was(people, monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    people.write(BOB, "Pass")
    people.write(ALICE, "3 A to M")
    letter = people.got[ALICE][-1]
    assert images_in(letter) == []
    assert "multipart/related" not in kinds(letter)
    assert not re.search("folded|<img", page_part(letter.as_bytes()))


def test_text_alone_has_no_image(people):
    people.write(ALICE, "text only")
    people.say(ALICE, "3 A to M")
    assert kinds(people.got[ALICE][-1])[:2] == ["multipart/mixed", "text/plain"]
    assert "image/png" not in kinds(people.got[ALICE][-1])


def test_an_answer_that_quotes_the_image_in_words_is_read_as_any_other(people):
    """Gmail writes `[image: ...]` for an image into the text of an answer; people answer in programs that mark quotes,
    and in programs that do not."""
    people.write(BOB, "Pass")
    people.write(ALICE, "3 A to M")
    report = people.got[ALICE][-1]
    page = page_part(report.as_bytes())
    words = unescape(re.findall(r'alt="([^"]*)"', page)[0]).replace("\n", " ")
    image = "\n".join(wrap(f"[image: {words}]", 70))
    before, line, after = html_text(page).partition("The same in words")
    quote = f"{before}{image}\n{line}{after}"
    marked = "\n".join(f"> {one}" for one in quote.splitlines())
    for number, words in enumerate((f"2 M to W\n\n{marked}", f"2 M to W\n\nOn Sunday the desk wrote:\n\n{marked}"), 1):
        answer = message_from_bytes(people.answer(ALICE, "", to=report).as_bytes())
        del answer["Content-Transfer-Encoding"]
        answer.set_payload(words.encode(), "utf-8")
        people.table.deliver(answer.as_bytes())
        (receipt,) = people.poll()[ALICE]
        assert f"Your orders for turn 2 are in: receipt 2-{number}" in receipt
        assert "image" not in receipt
        assert "Ignored as" not in receipt


def test_a_letter_that_gathers_others_has_no_image(people):
    people.say(BOB, "digest daily")
    people.write(ALICE, "press:\nGood luck\nend press")
    people.write(ALICE, "press:\nAre you there?\nend press")
    people.table.now = people.table.now.replace(hour=17, minute=56)
    people.poll()
    assert "Are you there?" in text_part(people.got[BOB][-1].as_bytes())
    assert images_in(people.got[BOB][-1]) == []


def test_beyond_the_images_of_a_run_letters_have_the_map_in_words(people, monkeypatch):
    monkeypatch.setattr("pbem.render.images.MAX_DRAWN", 0)
    people.say(ALICE, "3 A to M")
    assert images_in(people.got[ALICE][-1]) == []
    assert '<table class="map"' in page_part(people.got[ALICE][-1].as_bytes())
