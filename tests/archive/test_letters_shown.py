"""Letters as people see them on a telephone and on a screen, light and dark, with and without their style sheet."""

import re
from email.message import Message
from email.utils import parseaddr
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from playwright.sync_api import Browser, Page

from pbem.cli.demo import DemoDesk
from pbem.config.config import load_config
from support.correspondents import ALICE, BOB, Correspondents
from support.pages import violations


@pytest.fixture(scope="module")
def letters(tmp_path_factory: pytest.TempPathFactory) -> list[Message]:
    """A letter of each kind: invitation, welcome, receipt, refusal, question, report, end, for the game master."""
    people = Correspondents(DemoDesk(tmp_path_factory.mktemp("shown") / "desk"))
    people.poll()
    people.write(ALICE, "2 A to AC\nBest, Alice")
    people.write(ALICE, "5 Wyvernai to WC, Bom S and some more words, so that all of this is one long line of a letter")
    people.write(ALICE, "2 W to M, 1 A to Wyvernai")
    people.write(ALICE, "check: 2 A to AC")
    people.write(BOB, "3 H to S\ngm: Hello there\nend gm\npress: Have a good day\nend press")
    people.write(ALICE, f"press: {'many words ' * 20}\nhelp\nstatus\nhistory\nmy data")
    people.write(ALICE, "challenge dave@example.edu")
    people.write_anew("carol@example.org", "join")
    people.write(BOB, "draw")
    people.write(BOB, "resign")
    people.write(BOB, "yes")
    assert people.match().phase == "finished"
    return [letter for got in people.got.values() for letter in got]


@pytest.fixture(scope="module")
def war(tmp_path_factory: pytest.TempPathFactory) -> list[Message]:
    """The first letters of a war of Rock'n'Roll."""
    people = Correspondents(DemoDesk(tmp_path_factory.mktemp("war") / "desk", game_name="rocknroll"))
    people.poll()
    return [letter for got in people.got.values() for letter in got]


def markup(letter: Message) -> str:
    (page,) = (part for part in letter.walk() if part.get_content_type() == "text/html")
    return page.get_payload(decode=True).decode()


def shown(browser: Browser, html: str) -> Page:
    page = browser.new_page(viewport={"width": 360, "height": 740})
    page.set_content(html)
    return page


def stripped(html: str) -> str:
    return re.sub(r"(?s)<style>.*?</style>", "", html)


def wider(page: Page) -> list[str]:
    """What does not fit into its place."""
    wide = "all => all.filter(one => one.clientWidth && one.scrollWidth > one.clientWidth).map(one => one.outerHTML)"
    return page.eval_on_selector_all("body, body *", wide)


@pytest.mark.parametrize("strip", [False, True])
def test_letters_fit_on_a_telephone_and_maps_are_large_with_and_without_their_style_sheet(browser, letters, war, strip):
    maps = 0
    page = shown(browser, "")
    for letter in letters + war:
        page.set_content(stripped(markup(letter)) if strip else markup(letter))
        page.eval_on_selector_all("details", "all => all.forEach(one => { one.open = true })")
        assert wider(page) == []
        size = "all => all.map(one => parseFloat(getComputedStyle(one).fontSize))"
        sizes = page.eval_on_selector_all(".map, .map *", size)
        assert min(sizes, default=13) >= 13
        maps += bool(sizes)
        assert page.locator("img, svg, script").count() == 0
    assert maps > 5
    page.close()


def test_all_can_be_read_in_light_and_dark(browser, letters, war):
    page = shown(browser, "")
    for letter in (*[one for one in letters if parseaddr(one["To"])[1] == ALICE][::3], war[0]):
        page.set_content(markup(letter))
        page.eval_on_selector_all("details", "all => all.forEach(one => { one.open = true })")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert violations(page, "color-contrast") == []
            dark = page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
            assert dark == (scheme == "dark")
    page.close()


def test_the_first_line_of_a_letter_is_its_news_and_hidden_and_hashes_are_folded_away(browser, letters):
    news = []
    page = shown(browser, "")
    for letter in letters:
        page.set_content(markup(letter))
        first = page.locator("body > *").first
        assert not first.is_visible()
        news.append((first.text_content() or "").rstrip("\u200c\xa0"))
        assert not re.search(r"[0-9a-f]{64}", page.locator("body").inner_text())
    page.close()
    assert all(news)
    for begins in (
        "Your orders are in: turn 1",
        "NOT accepted: There is no area",
        "Turn 1 has been played",
        "You have won.",
    ):
        assert any(one.startswith(begins) for one in news), begins
    subjects = {letter["Subject"] for letter in letters if "oz-1" in letter["Subject"]}
    assert {re.split("[:,]", subject)[0] for subject in subjects} == {"Ozymandia oz-1", "For the game master of oz-1"}


def test_what_is_wrong_in_a_line_is_marked_in_it(browser, letters):
    page = shown(browser, next(html for html in map(markup, letters) if "2 W to M, 1 A to" in html))
    marked = page.get_by_text("Wyvernai", exact=True).first  # what it seems to mean cannot be reached: marked again
    assert marked.evaluate("one => getComputedStyle(one).textDecorationLine") == "underline"
    assert marked.locator("..").inner_text() == "1 | 2 W to M, 1 A to Wyvernai"
    page.close()


def test_a_link_opens_a_letter_that_the_desk_takes(tmp_path: Path) -> None:
    for form in ("plus", "none"):
        table = DemoDesk(tmp_path / form)
        people = Correspondents(table)
        people.poll()
        config = tmp_path / form / "config.ini"
        config.write_text(config.read_text().replace("reply = plus", f"reply = {form}"))
        table.config = load_config(config)
        people.write(ALICE, "5 A to AC")
        (link,) = re.findall(r'href="([^"]*)"', markup(people.got[ALICE][-1]))
        assert ("%2B" in link.partition("?")[0]) == (form == "plus")
        (answer,) = write_by(people, ALICE, link)
        assert "Your orders for turn 1 are in: receipt 1-1. 3 A to AC" in answer
        people.say(ALICE, "resign")
        (yes,) = re.findall(r'href="([^"]*)"', markup(people.got[ALICE][-1]))
        assert "Red resigned." in " ".join(write_by(people, ALICE, yes))


def write_by(people: Correspondents, who: str, link: str) -> list[str]:
    """What comes back for the letter that a link opens, which answers none."""
    parts = urlsplit(link.replace("&amp;", "&"))
    asked = parse_qs(parts.query)
    assert parts.scheme == "mailto"
    assert {*asked} == {"subject", "body"}
    return people.write_anew(who, asked["body"][0], to=unquote(parts.path), subject=asked["subject"][0])[who]
