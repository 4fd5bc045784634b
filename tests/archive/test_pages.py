"""The archive as files: what its pages say and what they never say, and which are written when something changes."""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urldefrag
from uuid import UUID

import html5lib
import pytest
from click.testing import CliRunner, Result
from lxml import etree

from pbem.archive import pages
from pbem.archive import site as archive
from pbem.archive.curve import thoughts_of
from pbem.archive.pages import ListedGame, ListedPlayer, chunk_of, chunks
from pbem.archive.site import NAME, FolderError, Page, write_pages
from pbem.cli.demo import DemoDesk
from pbem.cli.main import main
from pbem.match.effects import Forget
from pbem.match.identity import Player
from pbem.match.terms import Terms
from pbem.record.exports import read_json
from pbem.record.history import History, Placed, RolledBack
from pbem.record.notation import read_record
from pbem.service import league_rounds
from pbem.store.histories import Archive, load_history
from pbem.store.leagues import find_member, load_season
from pbem.store.matches import find_match, load_match
from support.archives import SITE, Office, listed, played, untouched, with_everything
from support.correspondents import ALICE, BOB, Correspondents, finish
from support.desks import bound_by_modes


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """The archive of a desk with everything; not to be changed."""
    office = with_everything(tmp_path_factory.mktemp("archive") / "desk")
    office.build()
    yield office
    office.store.conn.close()


@pytest.fixture
def office(built: Office, tmp_path: Path) -> Iterator[Office]:
    """A copy of that desk and its archive."""
    shutil.copytree(built.config.path.parent, tmp_path / "desk")
    shutil.copytree(built.site, tmp_path / "desk-site")
    copied = Office(tmp_path / "desk", built.now)
    yield copied
    copied.store.conn.close()


@pytest.fixture
def people(table: DemoDesk) -> Correspondents:
    """Alice is Red and Bob is Blue in oz-1."""
    return Correspondents(table)


class Reader(HTMLParser):
    """What a page links to, its ids, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.text = ""
        self.attributes: list[tuple[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(name, value or "") for name, value in attrs]
        self.links += [value for name, value in attrs if name in ("href", "src") and value]
        self.ids += [value for name, value in attrs if name == "id" and value]

    def handle_data(self, data: str) -> None:
        self.text += data


def game_of(history: History, thoughts: str = "", **people) -> str:
    return pages.game_page(SITE, listed(history, **people), history, thoughts)


# What a page is


def test_every_page_is_valid_html(built):
    for path in built.site.rglob("*.html"):
        html5lib.HTMLParser(strict=True).parse(path.read_text())


def test_every_link_but_that_to_the_desk_leads_into_the_archive_and_is_relative(built):
    readers = {path: Reader(path.read_text()) for path in built.site.rglob("*.html")}
    for path, reader in readers.items():
        for link in reader.links:
            if link.startswith("mailto:gm@example.org?") and path.name == "index.html":
                continue
            file, place = urldefrag(link)
            target = (path.parent / file).resolve() if file else path
            assert ":" not in link
            assert not link.startswith("/")
            assert target.is_file(), (path, link)
            assert not place or place in (readers[target].ids if target in readers else place), (path, link)


def test_no_id_stands_twice_on_a_page(built):
    for path in built.site.rglob("*.html"):
        ids = Reader(path.read_text()).ids
        assert sorted(ids) == sorted(set(ids)), path


def test_a_page_allows_nothing_but_files_of_the_archive_and_has_no_code_or_style_of_its_own(built):
    for path in built.site.rglob("*.html"):
        text = path.read_text()
        assert "default-src 'none'" in text
        names = {name for name, _ in Reader(text).attributes}
        assert not {name for name in names if name == "style" or name.startswith("on")}
        assert "<style" not in text
        assert not re.search(r"<script(?! src=)", text)


@pytest.mark.parametrize("board", ["lattice", "triangles"])
def test_the_page_of_a_game_of_25_turns_is_below_150_kilobytes(board):
    some = played(6, board=board)
    turns = [some.turns()[number % 6]._replace(turn=number + 1) for number in range(25)]
    page = game_of(replace(some, steps=tuple(turns)))
    assert page.count("<figure>") == 26
    assert len(page.encode()) < 150_000


def test_the_archive_of_a_desk_without_games_is_whole(tmp_path):
    office = Office(tmp_path / "desk")
    office.build()
    for path in office.site.rglob("*.html"):
        html5lib.HTMLParser(strict=True).parse(path.read_text())
    assert "No game has begun yet." in office.page("index.html")
    office.store.conn.close()


# What a game's page tells


def test_a_turn_is_told_with_orders_story_map_and_standing():
    history = played(2)
    page = game_of(history)
    text = " ".join(Reader(page).text.split())
    for step in history.turns():
        assert f'id="turn-{step.turn}"' in page
        for words in step.orders.values():
            assert words in text
        for paragraph in history.game.story(step.before, step.events):
            assert paragraph.text in text
        assert " ".join(history.game.summary(step.after)) in text
    assert page.count("<symbol") == 1
    assert page.count("<figure>") == 3


def test_the_map_as_text_marks_what_a_turn_has_changed():
    (turn,) = played(1).turns()
    boards = re.findall(r"<pre>(.*?)</pre>", game_of(played(1)), re.DOTALL)
    drawn = "\n".join(
        "".join(span.text for span in row).rstrip() for row in played(1).game.picture(turn.after, turn.before)
    )
    assert boards[1] in drawn
    assert "*" in boards[1]
    assert "*" not in boards[0]


def test_the_start_of_a_game_that_is_set_up_without_chance_has_no_story():
    start = game_of(played(1)).partition('id="start"')[2].partition('id="turn-1"')[0]
    assert "<h2" in start
    assert "<h3" not in start


def test_a_turn_without_orders_says_so(built):
    step = built.page("games/oz-2.html").partition('id="turn-2-undone"')[2].partition("</section>")[0]
    assert "<em>no orders came</em>" in step
    assert "taken back later" in step


def test_a_rollback_and_a_correction_are_steps_with_their_reasons(built):
    page = built.page("games/oz-2.html")
    ids = re.findall(r'<section class="step[^"]*" id="([^"]+)"', page)
    assert ids == ["start", "turn-1", "turn-2-undone", "rollback", "turn-2", "correction"]
    assert "Back to turn 2" in page
    assert "the board was wrong" in page


def test_after_a_rollback_the_map_is_the_one_that_the_turn_began_from():
    before = played(2)
    first, second = before.turns()
    steps = (first, second._replace(undone=True), RolledBack(2))
    page = game_of(replace(before, steps=steps))
    boards = re.findall(r"<pre>(.*?)</pre>", page, re.DOTALL)
    assert boards[3].replace("*", " ") == boards[1].replace("*", " ")


def test_turns_taken_back_twice_have_places_of_their_own():
    first, second = played(2).turns()
    undone = first._replace(undone=True)
    steps = (undone, RolledBack(1), undone, RolledBack(1), first, second, Placed(3, first.before))
    page = game_of(replace(played(0), steps=steps))
    ids = Reader(page).ids
    assert {"turn-1-undone", "turn-1-undone-2", "rollback-2", "turn-1", "turn-2", "correction"} <= {*ids}
    assert len(ids) == len({*ids})


def test_an_award_tells_its_reason_as_the_last_step(built):
    page = built.page("games/oz-4.html")
    assert "The game master awarded the game to" in page.partition('id="end"')[2]


def test_a_game_that_goes_on_says_which_turn_is_played_and_no_result(built):
    page = built.page("games/oz-2.html")
    assert "Being played: turn 3." in page
    assert 'class="verdict"' not in page


def test_a_game_that_is_over_shows_how_it_stood_and_links_to_where_it_turned():
    page = game_of(played(12, winner="red"))
    drawn = page.partition('<svg class="curve"')[2].partition("</svg>")[0]
    (points,) = re.findall(r'<polyline class="ozymandia-red" points="([^"]+)"', drawn)
    assert len(points.split()) == 13
    links = re.findall(r'<h3><a href="#(turn-\d+)"', page)
    assert links
    assert drawn.count("<circle") == len(links)
    assert {*links} <= {*Reader(page).ids}
    assert "the opinion of a program" in page


def test_what_would_have_been_better_stands_on_the_page_in_the_words_of_the_letter(people):
    for red, blue in (("Pass", "3 V to VC"), ("Pass", "3 E to EC"), ("Pass", "3 H to S"), ("Pass", "Pass")):
        people.write(ALICE, red)
        people.write(BOB, blue)
    finish(people)
    letter = people.say(ALICE, "analysis oz-1")
    history = load_history(people.table.store, 1)
    page = game_of(history, thoughts=thoughts_of(history))
    told = " ".join(Reader(page).text.partition("How it stood")[2].partition("About this game")[0].split())
    assert "Better by about" in told
    assert "mail" not in told
    opinion = letter[letter.index("This is the opinion") : letter.index("could see at the time.")]
    turned = letter[letter.index("1. Turn") : letter.index("This is the opinion")]
    assert opinion in told
    assert turned.split() == told.partition("could see at the time. ")[2].split()


def test_where_nobody_has_thought_about_a_game_its_page_says_where_to_ask(tmp_path):
    history = played(12, winner="red")
    for thoughts in ("", "[]", "changed by hand"):
        page = Reader(game_of(history, thoughts=thoughts)).text
        assert "1. Turn" in page
        assert "write analysis oz-1 to the desk" in page
        assert "Better by" not in page


def test_of_a_game_that_goes_on_or_has_no_turn_no_page_says_how_it_stands():
    for history in (played(12), played(0, winner="red")):
        page = game_of(history)
        assert "curve" not in page
        assert "opinion" not in page


def test_the_front_page_says_how_to_join(built):
    page = built.page("index.html")
    assert '<a href="mailto:gm@example.org?subject=join&amp;body=join">gm@example.org</a>' in page
    assert page.index('<h2 id="join">Play') < page.index('<h2 id="running">')


# What no page tells


def test_no_page_shows_an_address_or_a_token_whoever_wrote_it(built):
    for path in built.files().values():
        text = path.read_text().replace("gm@example.org", "the desk")
        assert "@" not in re.sub(r"@media|(?:^| )@20\d\d-", "", text, flags=re.M), path
        assert "eve@" not in text
    assert "&lt;b&gt;Eve&lt;/b&gt;" in built.page("players.html")
    assert "(address) had sent orders" in built.page("games/oz-2.html")


def test_press_is_on_no_page(office):
    match = find_match(office.store, "oz-2")
    with office.store.transaction():
        office.store.note("press", {"seat": "red", "text": "Shall we agree?"}, office.now, match)
    office.play("oz-2")
    office.build()
    assert "Shall we agree" not in office.page("games/oz-2.html")


def test_orders_that_wait_are_not_shown(office):
    match = find_match(office.store, "oz-2")
    office.store.conn.execute(
        "INSERT INTO orders (match, turn, seat, state, number, written, canonical)"
        " VALUES (?, 3, 'red', 'standing', 1, '3 A to Z', '3 A to Z')",
        (match,),
    )
    office.build()
    assert "3 A to Z" not in office.page("games/oz-2.html")


def test_a_turn_that_the_game_master_looks_at_first_is_on_no_page_and_in_no_mark(office):
    name = office.begin("Alice", "Dave", terms=Terms(review=timedelta(days=1)))
    office.build()
    before = office.page(f"games/{name}.html"), office.page("games.html")
    office.play(name, "3 A to Z", "1 H to S")
    office.build()
    assert load_match(office.store, find_match(office.store, name)).phase == "review"
    assert (office.page(f"games/{name}.html"), office.page("games.html")) == before


def test_a_game_that_not_all_have_agreed_to_is_not_shown(office):
    office.store.conn.execute("UPDATE matches SET phase = 'offered' WHERE name = 'oz-2'")
    office.build()
    assert not (office.site / "games/oz-2.html").exists()
    assert "oz-2" not in office.page("games.html")
    assert "Eve" not in office.page("players.html")


def test_an_invitation_that_was_declined_is_not_shown(office):
    office.store.conn.execute("UPDATE seats SET accepted = NULL WHERE match = 3 AND seat = 'blue'")
    office.build()
    assert "oz-3" not in office.page("games.html")


def test_a_forgotten_player_is_a_player_without_a_page_or_a_link(office):
    (number,) = office.store.conn.execute("SELECT id FROM players WHERE name = 'Bob'").fetchone()
    assert (office.site / f"players/{number}.html").exists()
    with office.store.transaction():
        office.desk.apply([Forget(Player(number, "Bob", "bob@example.net"))])
    office.build()
    assert not (office.site / f"players/{number}.html").exists()
    for path in office.files().values():
        text = path.read_text()
        assert "Bob" not in text, path
        assert f"players/{number}.html" not in text, path
    assert "a player" in office.page("games/oz-1.html")
    assert "a player" in office.page("leagues/1-season-1.html")


# Lists


def test_players_are_listed_with_what_they_won_drew_and_lost(built):
    row = next(line for line in built.page("players.html").splitlines() if ">Alice<" in line)
    assert re.findall(r'<td class="number[^"]*">(\d+)</td>', row) == ["3", "0", "1", "0", "1"]


def test_a_player_has_his_games_newest_first_and_his_seasons(built):
    page = built.page("players/1.html")
    assert re.findall(r'<th scope="row"><a href="../games/([^"]+).html">', page) == ["oz-5", "oz-3", "oz-1"]
    assert "Autumn, season 1" in page


def test_a_player_has_results_by_opponent_and_by_game_if_there_are_several(built):
    page = built.page("players/1.html")
    rows = re.findall(r'<tr><th scope="row"><a href="../players/\d+.html">(\w+)</a></th>(.*?)</tr>', page)
    assert {name: re.findall(r">(\d+)<", cells) for name, cells in rows} == {
        "Bob": ["0", "1", "0", "0"],
        "Carol": ["0", "0", "0", "1"],
    }
    assert "By game" not in page
    titles = ["Ozz", "Ozymandia", "Ozymandia"]
    games = [game._replace(title=title) for game, title in zip(some_games(3), titles, strict=True)]
    assert [title for title, _ in ListedPlayer(1, "Alice", games).by_game()] == ["Ozymandia", "Ozz"]


def test_a_season_has_its_table_and_its_rounds(built):
    page = built.page("leagues/1-season-1.html")
    assert "Round-robin, 3 players" in page
    assert page.index("Standings") < page.index("Round 1") < page.index("Round 3")
    assert page.count("<p>Bye: ") == 3


def cells_of(page, table):
    """The words of each row of a table, by its class."""
    rows = re.search(rf'<table class="{table}">.*?</table>', page, re.DOTALL)[0].split("<tr>")[2:]
    cells = [re.split(r"</t[dh]>", row)[:-1] for row in rows]
    return [[" ".join(re.sub(r"<[^>]*>", " ", cell).split()) for cell in row] for row in cells]


def test_a_season_says_who_has_won_it_who_met_whom_who_has_left_and_why_games_ended(office):
    office.award("oz-5", "draw")
    assert "has won it" not in office.page("leagues/1-season-1.html")
    office.award("oz-6", "blue")
    with office.store.transaction():
        season = load_season(office.store, 1)
        league_rounds.withdraw(office.desk, season, find_member(season, "Carol"), "no time")
    office.build()
    page = office.page("leagues/1-season-1.html")
    assert re.search(r'<p class="verdict"><a [^>]*>Bob</a> has won it with 3 points.</p>', page), page
    assert ", won by <a" in office.page("leagues.html")
    assert cells_of(page, "cross") == [
        ["1", "Bob", ".", "1", "1", "3"],
        ["2", "Alice", "0", ".", "½", "1.5"],
        ["3", "Carol (has left)", "0", "½", ".", "1.5"],
    ]
    assert cells_of(page, "standings")[1] == ["2", "Alice", "1.5", "2", "0", "1", "1", "0.5", "0.75", "0"]
    assert cells_of(page, "round")[0][2] == "Red won The game master awarded the game to Bob (Red)."


def test_an_earlier_season_keeps_its_page(office):
    office.award("oz-5", "draw")
    office.award("oz-6", "blue")
    with office.store.transaction():
        league_rounds.next_season(office.desk, 1)
    office.build()
    assert "Autumn, season 1" in office.page("leagues/1-season-1.html")
    assert "games/oz-6.html" in office.page("leagues/1-season-1.html")
    assert "Autumn, season 2" in office.page("leagues/1-season-2.html")
    assert office.page("leagues.html").index("Season 2") < office.page("leagues.html").index("Season 1")


def some_games(number: int) -> list[ListedGame]:
    one = listed(played(0))
    return [one._replace(number=at, name=f"oz-{at}") for at in range(1, number + 1)]


@pytest.mark.parametrize("number", [0, 1, 99, 199, 200, 201, 299, 300, 1234])
def test_a_list_shows_every_game_once_newest_first(number):
    games = some_games(number)
    shown = [one for at in (0, *range(chunks(games), 0, -1)) for one in chunk_of(games, at)]
    assert shown == games[::-1]
    assert all(len(chunk_of(games, at)) == pages.CHUNK for at in range(1, chunks(games) + 1))


def test_older_pages_of_a_list_stay_as_they_are_when_games_are_added():
    for before, after in ((199, 200), (250, 299), (299, 300), (300, 301)):
        fewer, more = some_games(before), some_games(after)
        for at in range(1, chunks(fewer) + 1):
            assert chunk_of(fewer, at) == chunk_of(more, at)


def test_all_pages_of_a_list_can_be_reached_from_its_first():
    games = some_games(500)
    first = pages.games_page(SITE, games, 0)
    assert {f"games-{at}.html" for at in range(1, chunks(games) + 1)} <= {*Reader(first).links}
    links = {at: Reader(pages.games_page(SITE, games, at)).links for at in range(1, chunks(games) + 1)}
    assert "games-2.html" in links[1]
    assert {"games-1.html", "games-3.html"} <= {*links[2]}
    assert {"games-3.html", "games.html"} <= {*links[4]}


def test_many_players_are_listed_by_the_first_letter_of_their_names():
    names = ["Ägir", "albert", "Bob", "9to5", "Łukasz", *(f"Zoe {number}" for number in range(pages.MOST_PEOPLE))]
    people = [ListedPlayer(number, name, []) for number, name in enumerate(names, start=1)]
    assert pages.initials(people) == ("#", "A", "B", "Z")
    page = pages.players_page(SITE, people, "A")
    assert page.index("albert") < page.index("Ägir")
    assert "Bob" not in page
    assert {"players-a.html", "players-other.html"} <= {*Reader(pages.players_page(SITE, people, "")).links}


def test_what_is_searched_has_every_game_and_player(built):
    data = json.loads(built.page("search-data.js").removeprefix("const ARCHIVE = ").removesuffix(";\n"))
    assert [game[0] for game in data["games"]] == ["oz-5", "oz-4", "oz-3", "oz-2", "oz-1"]
    assert {name for _, name, _ in data["players"]} >= {"Alice", "Bob", "Carol", "Dave"}
    assert data["leagues"] == [["leagues/1-season-1.html", "Autumn, season 1", "round-robin, 3 players"]]
    assert data["games"][1][2:] == ["Red won", 2026, "Autumn"]


@pytest.mark.parametrize(("end", "told"), [(None, "not known"), (datetime(1983, 4, 5, tzinfo=UTC), "5 Apr 1983")])
def test_an_imported_game_ended_when_its_record_says_and_else_nobody_knows(tmp_path, end, told):
    office = Office(tmp_path / "desk")
    undated = [step._replace(moment=None) for step in played(2, winner="red", name="oz-7").steps]
    old = replace(played(2, winner="red", name="oz-7"), began=None, ended=end, steps=tuple(undated))
    Archive(office.store).add(old, office.now)
    office.build()
    assert load_history(office.store, 1).ended == end
    assert f"<td>{told}</td>" in re.sub(r"</?time[^>]*>", "", office.page("games.html"))
    assert '<td class="wide">not known</td>' in office.page("games.html")
    assert ("Ended last" in office.page("index.html")) == bool(end)
    assert ("<dt>Ended</dt>" in office.page("games/oz-7.html")) == bool(end)
    assert "<dt>Begun</dt>" not in office.page("games/oz-7.html")
    assert len(feed_of(office, "feed.xml")[0]) == bool(end)
    office.store.conn.close()


# What is taken along


def test_the_record_and_the_json_of_each_game_are_read_again_and_are_the_game_without_addresses(built):
    for number in range(1, 6):
        history = load_history(built.store, number)
        reading = read_record(built.page(f"games/oz-{number}.txt"))
        assert reading.problems == (), reading
        told = read_json(built.page(f"games/oz-{number}.json"))
        assert told.state == history.state == reading.history.state
        assert told.phase() == history.phase() == reading.history.phase()
        assert f'href="oz-{number}.json" download' in built.page(f"games/oz-{number}.html")
    assert "eve@" in str(load_history(built.store, 2).steps)
    assert "(address) had sent orders" in built.page("games/oz-2.json")


# Feeds

ATOM = "{http://www.w3.org/2005/Atom}"


def feed_of(office, path):
    """A feed as an XML parser has it, with all that RFC 4287 asks of one and of each entry."""
    feed = etree.fromstring(office.page(path).encode())
    assert feed.tag == f"{ATOM}feed"
    ids = []
    for one in (feed, *feed.findall(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            assert len(one.findall(f"{ATOM}{name}")) == 1, (path, name)
        assert datetime.fromisoformat(one.findtext(f"{ATOM}updated")).tzinfo
        assert UUID(one.findtext(f"{ATOM}id").removeprefix("urn:uuid:"))
        ids.append(one.findtext(f"{ATOM}id"))
        for link in one.findall(f"{ATOM}link"):
            assert (office.site / path).parent.joinpath(link.get("href")).resolve().is_file(), link.get("href")
    assert len({*ids}) == len(ids)
    assert feed.findtext(f"{ATOM}author/{ATOM}name") == "Game Desk"
    relations = [link.get("rel") for link in feed.findall(f"{ATOM}link")]
    assert sorted(relations) == ["alternate", "self"]
    return [one.findtext(f"{ATOM}title") for one in feed.findall(f"{ATOM}entry")], ids


def test_the_feed_of_a_desk_has_games_that_begin_and_end_newest_first(built):
    titles, _ = feed_of(built, "feed.xml")
    assert titles[:2] == ["Carol against Alice: has begun (oz-5)", "Bob against Carol: Red won (oz-4)"]
    assert titles[-1] == "Alice against Bob: Draw (oz-1)"
    assert "Dave against Alice: Annulled (oz-3)" in titles
    assert any(title.startswith('Carol against <b>Eve</b> & "Co" (address): has begun') for title in titles)


def test_the_feed_of_a_league_has_its_games_and_who_has_won_it_and_each_entry_keeps_its_id(office):
    before, ids = feed_of(office, "leagues/1.xml")
    assert before == ["Carol against Alice: has begun (oz-5)", "Bob against Carol: Red won (oz-4)"]
    office.now += timedelta(days=1)
    office.award("oz-5", "draw")
    office.award("oz-6", "blue")
    office.build()
    titles, later = feed_of(office, "leagues/1.xml")
    assert titles[0] == "Autumn, season 1: won by Bob"
    assert {*ids} <= {*later}
    assert 'type="application/atom+xml" title="Autumn" href="1.xml"' in office.page("leagues/1-season-1.html")


def test_the_feed_of_a_desk_without_games_is_one(tmp_path):
    office = Office(tmp_path / "desk")
    office.build()
    assert feed_of(office, "feed.xml")[0] == []


# Building again


def test_building_again_touches_nothing(office):
    with untouched(office.files()) as touched:
        office.now += timedelta(days=1)
        assert office.build() == 0
    assert touched == set()


def test_a_new_turn_touches_only_the_pages_that_tell_of_it(office):
    with untouched(office.files()) as touched:
        office.play("oz-2")
        office.build()
    theirs = {f"players/{number}.html" for number in office.players_of("oz-2")}
    downloads = {"games/oz-2.txt", "games/oz-2.json"}
    assert touched == downloads | {"games/oz-2.html", "games.html", "index.html", "search-data.js", NAME} | theirs


def test_what_is_built_step_by_step_is_what_is_built_at_once(office, tmp_path, monkeypatch):
    monkeypatch.setattr(pages, "CHUNK", 2)
    monkeypatch.setattr(pages, "MOST_PEOPLE", 2)
    office.play("oz-2")
    office.build()
    office.store.conn.execute("UPDATE players SET name = 'Zoe' WHERE name = 'Dave'")
    office.begin("Alice", "Carol")
    office.build()
    office.award("oz-5", "draw")
    office.build()
    grown = {name: path.read_bytes() for name, path in office.files().items()}
    office.site = tmp_path / "anew"
    office.build()
    assert {name: path.read_bytes() for name, path in office.files().items()} == grown


def test_a_run_thinks_about_few_games_the_newest_first_and_about_none_twice(office, monkeypatch, tmp_path):
    two = office.begin("Alice", "Carol", turn_limit=7)
    for _ in range(7):
        office.play_on(two)
    thought: list[str] = []
    monkeypatch.setattr(archive, "thoughts_of", lambda history: thought.append(history.name) or thoughts_of(history))
    monkeypatch.setattr(archive, "THOUGHTS", 1)
    office.site = tmp_path / "anew"
    for expected in ([two], [two, "oz-1"], [two, "oz-1"]):
        office.build()
        assert thought == expected
        assert all("write <code>analysis" not in office.page(f"games/{name}.html") for name in expected)
    monkeypatch.setattr(archive, "_thinker", lambda kind: "another program")
    before = office.page("games/oz-1.html")
    office.build()
    assert thought == [two, "oz-1", two]
    assert office.page("games/oz-1.html") == before


def test_a_game_that_is_no_more_vanishes(office):
    office.store.conn.execute("UPDATE matches SET phase = 'offered' WHERE name = 'oz-3'")
    office.build()
    assert "games/oz-3.html" not in office.files()


def test_a_file_that_was_deleted_or_changed_by_a_killed_run_is_made_again(office):
    wanted = {name: path.read_bytes() for name, path in office.files().items()}
    (office.site / "players.html").unlink()
    assert office.build() == 1
    assert {name: path.read_bytes() for name, path in office.files().items()} == wanted


def test_files_of_others_are_left_alone(office):
    (office.site / "robots.txt").write_text("User-agent: *\n")
    office.play("oz-2")
    office.build()
    assert (office.site / "robots.txt").read_text() == "User-agent: *\n"


def test_another_program_builds_every_page_again_and_touches_those_that_come_out_different(office, monkeypatch):
    monkeypatch.setattr(archive, "_program", lambda: "another one")
    with untouched(office.files()) as touched:
        office.build()
    assert touched == {NAME}


def test_all_packages_and_the_data_of_games_are_of_the_program_that_builds_pages():
    parts = {"/".join(path.parts[-3:]) for path in archive._sources()}
    assert parts >= {"pbem/render/blocks.py", "pbem/record/history.py", "games/ozymandia/drawing.py"}
    assert any(part.endswith(".toml") for part in parts)
    assert any("/site/" in part for part in parts)


@pytest.mark.parametrize("dies_at", range(0, 22, 3))
def test_a_build_that_is_killed_leaves_whole_files_and_the_next_one_repairs_the_rest(built, tmp_path, dies_at):
    site = tmp_path / "site"
    wanted = [*archive._pages(built.store, site, SITE, archive._find(built.store, {}), built.now)]

    def dying(page: Page, number: int) -> Page:
        def render() -> str:
            if number == dies_at:
                (site / f"{page.path}.part").parent.mkdir(exist_ok=True)
                (site / f"{page.path}.part").write_text(page.render()[:100])
                raise KeyboardInterrupt
            return page.render()

        return page._replace(render=render)

    with pytest.raises(KeyboardInterrupt):
        write_pages(site, [dying(page, number) for number, page in enumerate(wanted)], lambda text: None)
    for path in site.rglob("*.html"):
        assert path.read_text().endswith("</html>\n")
    write_pages(site, wanted, lambda text: None)
    found = {str(path.relative_to(site)): path.read_text() for path in site.rglob("*") if path.is_file()}
    found.pop(NAME)
    assert found == {page.path: page.render() for page in wanted}


@pytest.mark.parametrize("state", ["{", "{}", '{"board": "no such board", "turn": 1}'])
def test_a_game_that_is_damaged_in_the_database_is_named(office, state):
    office.store.conn.execute("UPDATE matches SET state = ? WHERE name = 'oz-2'", (state,))
    done = build_in(office, office.site)
    assert done.exit_code != 0
    (line,) = done.output.splitlines()
    assert "What the database holds of oz-2 is damaged" in line


# Folders that are not ours


def build_in(office: Office, folder: Path) -> Result:
    return CliRunner().invoke(main, ["--config", str(office.config.path), "archive", "build", str(folder)])


def refused(office: Office, folder: Path) -> str:
    """What is said in one line; nothing is written."""
    files = {str(path): path for path in folder.rglob("*") if path.is_file()}
    with untouched(files) as touched:
        done = build_in(office, folder)
    assert done.exit_code != 0
    assert len(done.output.splitlines()) == 1, done.output
    assert touched == set()
    return done.output


def test_the_command_builds_and_is_silent_without_a_terminal(built, tmp_path):
    done = build_in(built, tmp_path / "new" / "site")
    assert (done.exit_code, done.output) == (0, "")
    assert (tmp_path / "new/site/index.html").exists()


def test_a_folder_with_files_of_others_is_refused(built, tmp_path):
    (tmp_path / "letter.txt").write_text("mine")
    assert "is not empty and holds no archive of pbem" in refused(built, tmp_path)


def test_a_file_is_refused(built, tmp_path):
    (tmp_path / "site").write_text("mine")
    assert "is a file" in refused(built, tmp_path / "site")


def test_an_archive_of_a_newer_pbem_is_refused(office):
    (office.site / NAME).write_text('{"kind": "pbem archive", "version": 2, "pages": []}')
    assert "newer pbem" in refused(office, office.site)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"kind": "pbem archive", "version": 1}', '{"kind": "else", "version": 1, "files": {}}',
     '{"kind": "pbem archive", "version": 1, "files": {"../desk/pbem.db": ""}}',
     '{"kind": "pbem archive", "version": 1, "files": {"/etc/passwd": ""}}'],
)  # fmt: skip
def test_a_manifest_that_is_not_ours_is_refused(office, text):
    (office.site / NAME).write_text(text)
    assert "is not as pbem writes it" in refused(office, office.site)


def test_a_folder_that_cannot_be_written_into_is_named(office, tmp_path):
    (tmp_path / "locked").mkdir(mode=0o555)
    with bound_by_modes(), pytest.raises(PermissionError):
        write_pages(tmp_path / "locked", [Page("index.html", "1", str)], lambda text: None)


def test_two_builds_in_one_folder_do_not_meet(tmp_path):
    def render() -> str:
        with pytest.raises(FolderError, match="already"):
            write_pages(tmp_path, [], lambda text: None)
        return "once"

    write_pages(tmp_path, [Page("index.html", "1", render)], lambda text: None)
    assert (tmp_path / "index.html").read_text() == "once"
