"""How campaigns of two to four nations, and skirmishes, come to be: by the operator, a challenge, or `join`."""

from pathlib import Path

import pytest

from pbem.cli.demo import DemoDesk
from pbem.store.database import Store, connect
from pbem.store.matches import load_match
from support.commands import pbem
from support.correspondents import ALICE, BOB, CAROL, DAVE, Correspondents
from support.trials import NOON

EVERYBODY = ("munchkins", "winkies", "quadlings", "gillikins")


def seats(*nations: str) -> list[str]:
    return [word for nation in nations for word in ("--seat", f"{nation}={nation} <{nation}@example.net>")]


@pytest.fixture
def config(tmp_path: Path) -> Path:
    assert pbem("init", "--rehearsal", tmp_path / "desk").exit_code == 0
    return tmp_path / "desk" / "config.ini"


@pytest.fixture
def people(tmp_path: Path) -> Correspondents:
    table = DemoDesk(tmp_path / "table", NOON, "ozymandia")
    table.poll()
    return Correspondents(table)


# The operator


@pytest.mark.parametrize(
    ("words", "played"),
    [
        (seats("winkies", "munchkins"), EVERYBODY[:2]),
        (seats("gillikins", "quadlings"), EVERYBODY[2:]),
        (seats("gillikins", "munchkins", "quadlings"), ("munchkins", "quadlings", "gillikins")),
        (seats(*EVERYBODY), EVERYBODY),
        (["--gillikins", "g@example.net", "--winkies", "w@example.net"], ("winkies", "gillikins")),
        ([*seats("winkies", "munchkins"), "--scenario", "hill"], EVERYBODY[:2]),
    ],
)
def test_who_has_a_seat_takes_part(config, words, played):
    result = pbem("--config", config, "game", "new", "--game", "ozz", *words)
    assert result.output.endswith("The game is ozz-1\n"), result.output
    store = Store(connect(config.parent / "pbem.db"))
    assert load_match(store, 1).seats == played
    store.conn.close()


def test_several_rules_are_left_out_at_once_or_one_by_one(config):
    words = [*seats("winkies", "munchkins"), "--without", "flight, guards", "--without", "home"]
    assert pbem("--config", config, "game", "new", "--game", "ozz", *words).exit_code == 0
    store = Store(connect(config.parent / "pbem.db"))
    switches = load_match(store, 1).state.options.switches
    assert not (switches.flight)
    assert not (switches.guards)
    assert not (switches.home)
    assert switches.cavalry
    store.conn.close()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (seats("winkies"), "--munchkins: nobody plays munchkins: write --munchkins "),
        (
            seats("winkies", "nomes"),
            '--seat: Campaigns of Ozz has no seat "nomes"; there are munchkins, winkies, quadlings and gillikins.',
        ),
        ([*seats("winkies", "gillikins"), "--scenario", "hill"], "hill is a skirmish of munchkins and winkies."),
        (
            [*seats("winkies", "munchkins"), "--scenario", "hill", "--battles", "fast"],
            'battles must be one of board, not "fast".',
        ),
        (
            [*seats("winkies", "munchkins"), "--nation", "winkies", "--nation", "quadlings"],
            '--seat: Campaigns of Ozz has no seat "munchkins"; there are winkies and quadlings.',
        ),
        ([*seats("winkies", "munchkins"), "--without", "flight,horses"], 'not ["flight", "horses"].'),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(config, words, sentence):
    result = pbem("--config", config, "game", "new", "--game", "ozz", *words)
    assert result.exit_code == 2
    assert sentence in result.stderr


# Players


def test_a_challenge_asks_all_others_and_the_game_begins_when_they_have_accepted(people):
    line = f"challenge {CAROL} and {DAVE} to ozz with nations gillikins winkies munchkins, battles board"
    news = people.write(ALICE, line)
    assert set(news) == {ALICE, CAROL, DAVE}
    assert "begins when all of them have accepted" in news[ALICE][0]
    assert f"Munchkins {DAVE} Winkies {CAROL} Gillikins you" in news[ALICE][0]
    assert "Alice invites you to a game of Campaigns of Ozz by mail. You would play Winkies." in news[CAROL][0]
    assert "once the others have accepted, too" in news[CAROL][0]
    assert "it begins when everyone has accepted" in people.say(CAROL, "accept")
    begun = people.write(DAVE, "accept")
    assert set(begun) == {ALICE, CAROL, DAVE}
    match = people.match("ozz-2")
    assert {seat: holder.player.address for seat, holder in match.holders.items()} == {
        "munchkins": DAVE, "winkies": CAROL, "gillikins": ALICE,
    }  # fmt: skip


def test_all_four_nations_are_played_when_three_others_are_named_with_them(people):
    line = f"fordere {BOB}, {CAROL} und {DAVE} zu ozz mit nations {' '.join(EVERYBODY)} heraus"
    assert set(people.write(ALICE, line)) == {ALICE, BOB, CAROL, DAVE}
    assert people.match("ozz-2").holders["quadlings"].player.address == CAROL


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            f"challenge {BOB} and {CAROL} to ozz",
            (
                "Campaigns of Ozz with these options is for 2, and you name 2 besides yourself: name an address for "
                "each of the other seats, or choose the seats, for example `with nations munchkins winkies quadlings`; "
                "the first is yours."
            ),
        ),
        (f"challenge {BOB} and {BOB} to ozz", "The same address appears twice"),
        (f"challenge {BOB} and {CAROL} to ozymandia", "Ozymandia with these options is for 2, and you name 2"),
        (f"challenge {BOB} and {ALICE} to ozz with nations winkies quadlings gillikins", "your own address"),
    ],
)
def test_a_challenge_that_does_not_fit_asks_nobody(people, line, sentence):
    news = people.write(ALICE, line)
    assert set(news) == {ALICE}
    assert sentence in news[ALICE][0]


def test_each_who_is_asked_counts_among_the_letters_of_a_day(people):
    line = f"challenge {BOB}, {CAROL} and {DAVE} to ozz with nations {' '.join(EVERYBODY)}"
    people.write(ALICE, line)
    assert "We wrote to nobody" in people.say(ALICE, "challenge eve@example.org")


def test_who_wants_no_letters_gets_none_and_nobody_learns_it(people):
    people.write(ALICE, f"challenge {CAROL}")
    people.write(CAROL, "decline always")
    news = people.write(BOB, f"challenge {CAROL} and {DAVE} to ozz with nations winkies munchkins quadlings")
    assert set(news) == {BOB, DAVE}
    assert CAROL in news[BOB][0]


def test_two_who_join_play_the_usual_campaign(people):
    people.write(ALICE, "join ozz")
    news = people.write(BOB, "join ozz")
    assert {ALICE, BOB} <= set(news)
    assert people.match("ozz-2").seats == EVERYBODY[:2]
