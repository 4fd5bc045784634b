"""The pages of the archive as their readers have them: in headless Chromium, opened as files."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from support.archives import with_everything
from support.pages import violations

EVERY_KIND = (
    *("index.html", "games.html", "games/oz-1.html", "games/oz-2.html", "players.html", "players/1.html"),
    *("leagues.html", "leagues/1-season-1.html", "search.html"),
)
PHONE, SCREEN = {"width": 360, "height": 740}, {"width": 1000, "height": 800}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of a desk with everything. oz-1 has seven turns and is over, oz-2 goes on."""
    office = with_everything(tmp_path_factory.mktemp("browser") / "desk")
    office.build()
    office.store.conn.close()
    return office.site


class Screen:
    """The browser with a window for each way to look at pages, and what it has said and asked for meanwhile."""

    def __init__(self, browser: Browser, site: Path) -> None:
        self.site, self.said, self.asked = site.as_uri(), [], []
        self._browser, self._windows = browser, {}

    def open(self, path: str, **options: Any) -> Page:
        """A page, opened as a file; `options` are those of `Browser.new_page`."""
        key = repr(sorted(options.items()))
        if key not in self._windows:
            self._windows[key] = self._window({"viewport": SCREEN, **options})
        page = self._windows[key]
        page.emulate_media(color_scheme=options.get("color_scheme", "light"), media="screen")
        page.goto("about:blank")  # or a link to another place of the same page would not load it anew
        page.goto(f"{self.site}/{path}")
        return page

    def _window(self, options: dict[str, Any]) -> Page:
        page = self._browser.new_page(**options)
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("requestfailed", self._failed)
        page.on("request", lambda request: self.asked.append(request.url))
        return page

    def _failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # that is we ourselves, who have gone on to another page
            self.said.append(f"{request.failure}: {request.url}")


@pytest.fixture(scope="module")
def screen(browser: Browser, site: Path) -> Screen:
    return Screen(browser, site)


@pytest.fixture
def open_page(screen: Screen) -> Iterator[Callable[..., Page]]:
    """Opens a page. Nothing may be said on the console, and nothing asked for outside the archive."""
    screen.said.clear()
    screen.asked.clear()
    yield screen.open
    assert screen.said == []
    assert [url for url in screen.asked if not url.startswith((screen.site, "about:blank"))] == []


def shown(page: Page) -> list[str]:
    """The ids of the steps that can be seen."""
    return [one.get_attribute("id") or "" for one in page.locator(".step").all() if one.is_visible()]


# Stepping through a game


def test_a_game_opens_at_its_last_step(open_page):
    assert shown(open_page("games/oz-1.html")) == ["turn-7"]
    assert shown(open_page("games/oz-2.html")) == ["correction"]


def test_arrow_keys_step_and_home_and_end_go_all_the_way(open_page):
    page = open_page("games/oz-1.html#start")
    for key, at in (
        ("ArrowRight", "turn-1"),
        ("ArrowRight", "turn-2"),
        ("ArrowLeft", "turn-1"),
        ("End", "turn-7"),
        ("ArrowRight", "turn-7"),
        ("Home", "start"),
        ("ArrowLeft", "start"),
    ):
        page.keyboard.press(key)
        assert shown(page) == [at]
        assert page.url.endswith(f"#{at}")


def test_keys_with_a_modifier_are_the_browsers(open_page):
    page = open_page("games/oz-1.html#start")
    page.keyboard.press("Shift+ArrowRight")
    assert shown(page) == ["start"]


def test_buttons_step_and_are_off_where_there_is_nothing_more(open_page):
    page = open_page("games/oz-1.html#start")
    button = {name: page.get_by_role("button", name=name) for name in ("First", "Previous", "Next", "Last")}
    expect(button["First"]).to_be_disabled()
    expect(button["Previous"]).to_be_disabled()
    button["Next"].click()
    assert shown(page) == ["turn-1"]
    button["Last"].click()
    assert shown(page) == ["turn-7"]
    expect(button["Next"]).to_be_disabled()
    button["Previous"].click()
    assert shown(page) == ["turn-6"]
    button["First"].click()
    assert shown(page) == ["start"]


def test_a_link_to_a_turn_opens_there_and_links_within_the_page_go_there(open_page):
    page = open_page("games/oz-1.html#turn-3")
    assert shown(page) == ["turn-3"]
    page.get_by_role("navigation", name="Turns").get_by_role("link", name="Turn 5").click()
    assert shown(page) == ["turn-5"]
    expect(page.locator("#turns a[aria-current=step]")).to_have_text("5")


def test_what_is_shown_is_said_to_who_cannot_see_it(open_page):
    page = open_page("games/oz-1.html#start")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("status")).to_have_text("Turn 1, 2 of 8")


def test_all_turns_can_be_had_at_once_and_one_again(open_page):
    page = open_page("games/oz-1.html#turn-4")
    button = page.get_by_role("button", name="All turns")
    button.click()
    assert len(shown(page)) == 8
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    assert shown(page) == ["turn-4"]


def test_turns_that_were_taken_back_can_be_looked_at(open_page):
    page = open_page("games/oz-2.html#turn-2-undone")
    assert shown(page) == ["turn-2-undone"]
    assert page.locator("#turn-2-undone small").is_visible()


def test_the_map_as_text_opens_under_the_map(open_page):
    page = open_page("games/oz-1.html#start")
    text = page.locator("#start pre")
    expect(text).to_be_hidden()
    page.get_by_text("The map as text").locator("visible=true").click()
    expect(text).to_be_visible()


# Searching


def test_players_and_games_are_found_by_parts_of_names_in_any_case(open_page):
    page = open_page("search.html")
    page.keyboard.type("ali BOB")
    expect(page.get_by_role("status")).to_have_text("0 players, 1 game")
    page.get_by_role("link", name="Alice against Bob").click()
    assert page.url.endswith("games/oz-1.html")


def test_a_player_is_found_and_leads_to_his_page(open_page):
    page = open_page("search.html")
    page.keyboard.type("alic")
    expect(page.get_by_role("status")).to_have_text("1 player, 3 games")
    page.get_by_role("link", name="Alice", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Alice")


def test_a_game_is_found_by_what_it_is_called(open_page):
    page = open_page("search.html")
    page.keyboard.type("oz-2")
    expect(page.locator("#found")).to_contain_text("Turn 3")


def test_leagues_are_found_and_games_by_their_results(open_page):
    page = open_page("search.html")
    page.keyboard.type("autumn")
    expect(page.get_by_role("status")).to_have_text("0 players, 1 season, 2 games")
    page.keyboard.type(" red won")
    expect(page.get_by_role("status")).to_have_text("0 players, 1 game")
    expect(page.locator("#found")).to_contain_text("oz-4, Red won, 2026, Autumn")
    page.get_by_role("searchbox").fill("robin")
    page.get_by_role("link", name="Autumn, season 1").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Autumn, season 1")


def test_the_cross_table_is_moved_by_keys_where_it_is_wider_than_a_phone(open_page):
    page = open_page("leagues/1-season-1.html", viewport=PHONE)
    expect(page.get_by_role("region", name="Cross table")).to_have_attribute("tabindex", "0")
    for head in ("Won", "Drawn", "Lost"):
        expect(page.locator(f'.standings abbr[title="{head}"]')).to_be_visible()


def test_names_are_text_and_nothing_else(open_page):
    page = open_page("search.html")
    page.keyboard.type("<b>eve")
    expect(page.locator("#found b")).to_have_count(0)
    expect(page.locator("#found")).to_contain_text('<b>Eve</b> & "Co"')


def test_where_nothing_is_found_the_page_says_so(open_page):
    page = open_page("search.html")
    page.keyboard.type("nobody of that name")
    expect(page.get_by_role("status")).to_have_text("Nothing is found.")
    page.get_by_role("searchbox").fill("")
    expect(page.get_by_role("status")).to_have_text("")


# A season that is being played, on a server


@pytest.fixture
def on_server(browser: Browser, site: Path) -> Iterator[tuple[Page, Path]]:
    """The page of a season that is being played as a server has it, under a clock that the test moves; its file."""
    file, before = site / "leagues" / "1-season-1.html", (site / "leagues" / "1-season-1.html").read_text()
    page = browser.new_page(viewport=SCREEN)
    page.route(
        "http://games.example/**",
        lambda route: route.fulfill(path=site / route.request.url.removeprefix("http://games.example/")),
    )
    page.clock.install()
    page.goto("http://games.example/leagues/1-season-1.html")
    yield page, file
    page.close()
    file.write_text(before)


def renamed(file: Path) -> None:
    file.write_text(re.sub(r">Alice<", ">Alicia<", file.read_text()))


def test_a_season_that_is_played_shows_what_is_new_within_five_minutes(on_server):
    page, file = on_server
    renamed(file)
    with page.expect_response("**/leagues/1-season-1.html"):
        page.clock.fast_forward("05:01")
    expect(page.locator(".standings")).to_contain_text("Alicia")
    expect(page.get_by_role("status")).to_contain_text("Updated at")


def test_nothing_is_said_where_nothing_is_new(on_server):
    page, _file = on_server
    with page.expect_response("**/leagues/1-season-1.html"):
        page.clock.fast_forward("05:01")
    expect(page.get_by_role("status")).to_have_text("")


@pytest.mark.parametrize("reason", ["switched off", "words marked", "keyboard in the table"])
def test_a_season_stays_as_it_is_where_its_reader_wants_or_needs_that(on_server, reason):
    page, file = on_server
    if reason == "switched off":
        page.get_by_label("Keep this page up to date").uncheck()
    elif reason == "words marked":
        page.evaluate("getSelection().selectAllChildren(document.querySelector('#season h2'))")
    else:
        page.locator("#season a").first.focus()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    renamed(file)
    page.clock.fast_forward("05:01")
    page.clock.fast_forward("05:01")
    assert page.evaluate("1 + 1") == 2  # whatever the clock has set off has been asked for by now
    assert [url for url in asked if url.endswith(".html")] == []  # the browser may still fetch the icon
    expect(page.locator(".standings")).not_to_contain_text("Alicia")


def test_a_season_that_is_over_is_asked_for_no_more(on_server):
    page, file = on_server
    renamed(file)
    file.write_text(re.sub(r'<p id="live".*</p>\n', "", file.read_text()))
    with page.expect_response("**/leagues/1-season-1.html"):
        page.clock.fast_forward("05:01")
    expect(page.locator(".standings")).to_contain_text("Alicia")
    expect(page.get_by_label("Keep this page up to date")).to_be_hidden()


def test_a_season_opened_as_a_file_promises_no_news(open_page):
    expect(open_page("leagues/1-season-1.html").get_by_label("Keep this page up to date")).to_be_hidden()


# Without JavaScript, small, dark, printed


def test_without_javascript_all_turns_stand_below_each_other(open_page):
    page = open_page("games/oz-1.html", java_script_enabled=False)
    assert page.get_by_role("button").count() == 0
    assert page.locator(".step").count() == 8
    assert all(one.is_visible() for one in page.locator(".step svg.board").all())
    tops = [(one.bounding_box() or {})["y"] for one in page.locator(".step").all()]
    assert tops == sorted(tops)


def test_without_javascript_the_search_page_leads_to_the_lists(open_page):
    page = open_page("search.html", java_script_enabled=False)
    expect(page.get_by_text("Searching needs JavaScript")).to_be_visible()
    expect(page.get_by_role("searchbox")).to_be_hidden()


@pytest.mark.parametrize("path", EVERY_KIND)
def test_no_page_scrolls_sideways_on_a_phone(open_page, path):
    page = open_page(path, viewport=PHONE)
    for one in page.locator("details").all():
        one.evaluate("one => { one.open = true }")
    if page.get_by_role("button", name="All turns").count():
        page.get_by_role("button", name="All turns").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize("path", EVERY_KIND)
def test_every_kind_of_page_is_accessible_in_light_and_dark(open_page, path):
    page = open_page(path)
    if path == "games/oz-2.html":
        page.get_by_role("button", name="All turns").click()
    assert violations(page, "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice") == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, "color-contrast") == []


def test_dark_is_dark_where_it_is_asked_for(open_page):
    def brightness(scheme: str) -> int:
        page = open_page("games/oz-1.html", color_scheme=scheme)
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        return sum(map(int, colour.removeprefix("rgb(").rstrip(")").split(",")))

    assert brightness("light") > 600
    assert brightness("dark") < 200


def test_printed_a_game_has_all_its_turns_and_nothing_to_press(open_page):
    page = open_page("games/oz-1.html#start")
    page.emulate_media(media="print")
    assert len(shown(page)) == 8
    assert not page.locator(".stepper").is_visible()


def test_the_first_key_leads_past_the_head_of_the_page(open_page):
    page = open_page("games/oz-1.html")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#main$"))


def test_who_wants_no_motion_has_none(open_page):
    page = open_page("games/oz-1.html", reduced_motion="reduce")
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"


def test_a_page_may_not_ask_for_anything_elsewhere(browser, site):
    page = browser.new_page()
    page.goto(f"{site.as_uri()}/index.html")
    blocked = page.evaluate(
        """() => new Promise((resolve) => {
            document.addEventListener("securitypolicyviolation", (event) => resolve(event.blockedURI));
            Object.assign(document.body.appendChild(new Image()), {src: "http://127.0.0.1:9/x.png"});
        })"""
    )
    assert blocked == "http://127.0.0.1:9/x.png"
    page.close()
