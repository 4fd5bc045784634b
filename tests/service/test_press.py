"""Words for one, for some or for all, in games of more than two: who gets them, who learns of them, what is asked."""

from collections.abc import Iterator
from email.message import Message
from pathlib import Path

import pytest

from pbem.cli.demo import DemoDesk
from pbem.games.base import Seat
from pbem.record.exports import read_json, write_json
from pbem.record.notation import read_record, write_record
from pbem.store.histories import load_history
from support.commands import pbem
from support.trials import NOON, add_observer, flat, match_of

NATIONS = ("munchkins", "winkies", "quadlings", "gillikins")


@pytest.fixture
def four(tmp_path: Path) -> Iterator[DemoDesk]:
    table = DemoDesk(tmp_path / "desk", NOON, "ozz", nations=NATIONS)
    table.poll()
    yield table
    table.close()


@pytest.fixture
def allied(tmp_path: Path) -> Iterator[DemoDesk]:
    table = DemoDesk(tmp_path / "desk", NOON, "rocknroll", seats="2v2")
    table.poll()
    yield table
    table.close()


def said(table: DemoDesk, seat: Seat, text: str) -> dict[Seat, Message]:
    """A seat writes; the last letter that each is sent then."""
    table.write(seat, text)
    return dict(table.poll())


# To whom


@pytest.mark.parametrize(
    ("line", "readers"),
    [
        ("press to winkies: I move at dawn.", {"winkies"}),
        ("press winkies: I move at dawn.", {"winkies"}),
        ("Press to the Winkies and Gillikins: I move at dawn.", {"winkies", "gillikins"}),
        ("press to winkies, quadlings & gillikins: I move at dawn.", {"winkies", "quadlings", "gillikins"}),
        ("press ozz-1 to win gil: I move at dawn.", {"winkies", "gillikins"}),
        ("press to all: I move at dawn.", {"winkies", "quadlings", "gillikins"}),
        ("press: I move at dawn.", {"winkies", "quadlings", "gillikins"}),
        ("press to everybody: I move at dawn.", {"winkies", "quadlings", "gillikins"}),
        ("Presse an die Winkies und Quadlinge: I move at dawn.", {"winkies", "quadlings"}),
        ("Presse an alle: I move at dawn.", {"winkies", "quadlings", "gillikins"}),
        ("An alle Spieler: I move at dawn.", {"winkies", "quadlings", "gillikins"}),
        ("press to opponents: I move at dawn.", {"winkies", "quadlings", "gillikins"}),
        ("press to munchkins and winkies: I move at dawn.", {"winkies"}),
    ],
)
def test_words_reach_those_who_are_named_and_nobody_else(four, line, readers):
    letters = said(four, "munchkins", line)
    assert set(letters) == {"munchkins", *readers}
    assert all("I move at dawn." in flat(letters[seat]) for seat in readers)
    assert "What you wrote has gone to " in flat(letters["munchkins"])


@pytest.mark.parametrize(
    ("to", "readers"),
    [
        ("мигунам", {"winkies"}),
        ("мигунам и гилликинам", {"winkies", "gillikins"}),
        ("для мигунов", {"winkies"}),
        ("всем", {"winkies", "quadlings", "gillikins"}),
    ],
)
def test_russian_names_are_known_in_any_case(four, to, readers):
    letters = said(four, "munchkins", f"пресса {to}: завтра в поход")
    assert set(letters) == {"munchkins", *readers}


def test_a_player_is_named_by_the_name_that_stands_in_letters(four):
    name = match_of(four).holders["quadlings"].name
    assert set(said(four, "munchkins", f"press to {name}: Hello.")) == {"munchkins", "quadlings"}


@pytest.mark.parametrize("word", ["press to allies", "press allies", "Presse Verbündete", "пресса союзникам"])
def test_allies_are_those_of_ones_own_side(allied, word):
    assert set(said(allied, "vpa1", f"{word}: Bao comes.")) == {"vpa1", "vpa2"}
    assert set(said(allied, "vpa1", "press to vietnam: Go home.")) == {"vpa1", "vietnam1", "vietnam2"}


# What readers and writers are told


def test_the_letter_says_who_else_gets_the_words(four):
    alone = said(four, "munchkins", "press to winkies: Hello.")
    assert "Nobody else gets this." in flat(alone["winkies"])
    assert "Nobody else has seen them." in flat(alone["munchkins"])
    two = said(four, "munchkins", "press to winkies gillikins: Hello there.")
    holder = match_of(four).holders["gillikins"].name
    assert f"Only you and {holder} (Gillikins) get this." in flat(two["winkies"])
    every = said(four, "munchkins", "press: Hello to all.")
    assert "Everyone in the game gets this." in flat(every["winkies"])
    assert "Nobody else" not in flat(every["munchkins"])


def test_a_plain_answer_goes_to_the_writer_alone(four):
    pass_all(four)
    said(four, "munchkins", "press: Who wants peace?")
    letters = said(four, "winkies", "Gladly.")
    assert set(letters) == {"winkies", "munchkins"}
    assert "Gladly." in flat(letters["munchkins"])


def test_an_answer_of_somebody_who_still_owes_orders_is_asked_about_and_then_goes_to_the_writer(four):
    said(four, "munchkins", "press: Who wants peace?")
    name = match_of(four).holders["munchkins"].name
    assert f"Is this for {name}?" in flat(said(four, "winkies", "Gladly.")["winkies"])
    letters = said(four, "winkies", "yes")
    assert set(letters) == {"winkies", "munchkins"}


@pytest.mark.parametrize(
    ("to", "unknown"),
    [("nomes", "nomes"), ("winkies and nomes", "nomes"), ("munchkins", "munchkins"), ("allies", "allies")],
)
def test_a_name_that_nobody_has_is_asked_back_and_no_word_is_lost(four, to, unknown):
    letters = said(four, "munchkins", f"Move SOU: M2-M4\npress to {to}:\nI move at dawn.\nend press\nMove HAR: M3-M1")
    assert not any("dawn" in flat(letter) for seat, letter in letters.items() if seat != "munchkins")
    answer = flat(letters["munchkins"])
    assert f'nobody called "{unknown}"' in answer
    assert "I move at dawn." in answer
    assert "Winkies, Quadlings and Gillikins." in answer
    assert match_of(four).standing["munchkins"].canonical == "Move SOU: M2-M4; Move HAR: M3-M1"


def test_a_slip_of_the_pen_is_asked_about_and_yes_sends_the_words(four):
    letters = said(four, "munchkins", "press to winkeis: I move at dawn.")
    assert set(letters) == {"munchkins"}
    assert "Answer `yes` to send them to Winkies." in flat(letters["munchkins"])
    letters = said(four, "munchkins", "yes")
    assert set(letters) == {"munchkins", "winkies"}


@pytest.mark.parametrize("line", ["Press release: the Winkies are coming.", "press on: to the Grounds."])
def test_a_sentence_with_a_colon_is_no_press(four, line):
    letters = said(four, "munchkins", f"Pass\n{line}")
    assert not any(line[-8:] in flat(letter) for seat, letter in letters.items() if seat != "munchkins")


SOUNDS = [
    "We will take the grounds first! Prepare to be slashed.",
    "I will take you, with or without SOU. Fear me",
    "Zephaph with Herring goes to the grounds",
    "We attack first",
    "I will take M4 with SOU. Fear me",
]
ORDERS = ["Retreat below 2", "Move SOU: M2-M4", "SOU moves to M4"]


@pytest.mark.parametrize("line", [*SOUNDS, *ORDERS])
def test_what_stands_between_the_marks_is_press_whatever_it_sounds_like(four, line):
    letters = said(four, "munchkins", f"press:\n{line}\nend press")
    assert line in flat(letters["winkies"])
    assert match_of(four).standing == {}
    assert ("Some of it could be orders; none were accepted." in flat(letters["munchkins"])) == (line in ORDERS)


@pytest.mark.parametrize("line", SOUNDS)
def test_press_without_an_end_is_passed_on_if_it_only_sounds_like_orders(four, line):
    assert line in flat(said(four, "munchkins", f"press: Hello,\n{line}")["winkies"])


def test_orders_with_mistakes_below_press_without_an_end_are_not_lost_in_silence(four):
    answer = flat(said(four, "munchkins", "press: Hello,\nMove SOU: M2-M9")["munchkins"])
    assert "Some of it could be orders; none were accepted." in answer
    assert "- Move SOU: M2-M9" in answer


@pytest.mark.parametrize("line", ORDERS)
def test_orders_below_press_without_an_end_are_asked_about_and_yes_sends_them(four, line):
    letters = said(four, "munchkins", f"press: Hello,\n{line}")
    assert letters.keys() == {"munchkins"}
    assert "Are these your orders? There is no line `end press` below your words" in flat(letters["munchkins"])
    assert line in flat(said(four, "munchkins", "yes")["winkies"])
    assert match_of(four).standing == {}


# Who does not learn of them


def test_words_for_one_are_in_nothing_that_anybody_else_gets(four, tmp_path):
    add_observer(four)
    said(four, "munchkins", "press to winkies: I move at dawn.")
    said(four, "munchkins", "press to all: Good luck to you.")
    pass_all(four)
    letters = four.poll()
    store = four.store
    for seat in NATIONS:
        own = write_record(load_history(store, 1, press=frozenset({seat})))
        assert ("I move at dawn." in own) == (seat in ("munchkins", "winkies"))
        assert "Good luck to you." in own
        assert ("I move at dawn." in flat(said(four, seat, "record")[seat])) is False  # it is attached, not in the text
    assert "I move" not in write_record(load_history(store, 1)) + write_json(load_history(store, 1))
    assert not any("dawn" in letter.as_string() for seat, letter in letters if seat not in ("munchkins", "winkies"))
    result = pbem(
        "--config", four.config.path, "--now", f"{four.now:%Y-%m-%dT%H:%MZ}", "archive", "build", tmp_path / "site"
    )
    assert result.exit_code == 0, result.output
    pages = [
        path.read_text() for path in (tmp_path / "site").rglob("*") if path.suffix in (".html", ".json", ".txt", ".xml")
    ]
    assert pages
    assert not any("dawn" in page for page in pages)


def test_the_record_that_a_player_asks_for_has_what_he_wrote_or_was_sent(four):
    said(four, "munchkins", "press to winkies: I move at dawn.")
    for seat in NATIONS:
        record = said(four, seat, "record")[seat]
        attached = "".join(
            part.get_payload(decode=True).decode() for part in record.walk() if part.get_filename("").endswith(".txt")
        )
        assert ("press munchkins to winkies" in attached) == (seat in ("munchkins", "winkies"))


def test_words_for_some_stand_so_in_a_record_and_are_read_back(four):
    said(four, "munchkins", "press to winkies gillikins: I move at dawn.")
    for seat in NATIONS[:3]:
        said(four, seat, "resign")
        said(four, seat, "yes")
    history = load_history(four.store, 1, press=True)
    record = write_record(history)
    assert "press munchkins to winkies gillikins @" in record
    assert read_record(record).history.steps == history.steps
    assert read_json(write_json(history)).steps == history.steps


def test_who_has_muted_gets_none_and_the_writer_is_told_if_nobody_does(four):
    said(four, "winkies", "mute")
    letters = said(four, "munchkins", "press to winkies: Hello.")
    assert set(letters) == {"munchkins"}
    assert "nobody you wrote to wants press" in flat(letters["munchkins"])


def pass_all(table: DemoDesk) -> None:
    """Everybody's orders are in, and the turn waits for its deadline."""
    for seat in NATIONS:
        table.write(seat, "Pass\nwait")
    table.poll()
