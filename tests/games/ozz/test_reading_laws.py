"""Laws of reading letters: no text makes it raise, case and blanks do not matter, canonical orders read back."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games import find_game
from pbem.games.base import Seat
from pbem.games.ozz.bot import choose
from pbem.games.ozz.names import ORDINARY, speller
from pbem.games.spelling import folded
from pbem.orders.classifier import read_model
from pbem.orders.reader import Reading, read
from pbem.orders.situation import Standpoint
from support.ozz_reading import on_board, on_map
from support.paths import ROOT

GAME = find_game("ozz")
MAP = on_map("M1 ZOR GUA M2 MAY SOU MCA M3 JIN HAR MBA M4 NA1 NA2 W1 EVO WI1")
BOARD = on_board("1L HAR MBA MCA MAY BAL 2C ZOR SOU/ZOR 3L THI 4C HER EVO ZIL", "munchkins", "winkies")
DEPLOYED = on_board("- ZOR SOU HAR MCA THI HER EVO", "munchkins", "winkies", 1)

POSITIONS = {"map": MAP, "board": BOARD, "deployment": DEPLOYED}

positions = st.sampled_from(sorted(POSITIONS))
seats = st.sampled_from(("munchkins", "winkies"))
_WORDS = """
Move Fly Recruit Garrison Honors Return Deploy Group Guard Cast Ring Order Sequence Initiative Evade Join Shoot Keep
Retreat Losses Carry Pass Standing drop take attack charge coordinate alone leave change advance stand back off pool
special none never always below to from via all but if not enemy in left right first second poppies ZOR SOU HAR MCA MAY
EVO THI BEL M1 M2 M4 R1 2C 3L 4R 1 2 3 99 Mayor battery Ziehe nach und alle greift an
"""
_SIGNS = (" ", "  ", ": ", "-", ", ", "; ", ". ", "\n", "\n- ", " -> ", "? ", "!", "(", ")", "&", "\t", "=")
scraps = st.lists(st.tuples(st.sampled_from(_WORDS.split()), st.sampled_from(_SIGNS)), max_size=12).map(
    lambda pairs: "".join(word + sign for word, sign in pairs)
)
few = settings(max_examples=25, deadline=None)


def meaning(reading: Reading) -> tuple[str, tuple[str, ...], int]:
    return str(reading.orders), reading.standing, len(reading.mistakes)


@few
@given(positions, seats, st.text(max_size=60) | scraps)
def test_no_text_makes_it_raise_and_what_is_read_reads_back(position: str, seat: Seat, text: str) -> None:
    state = POSITIONS[position]
    found = read(Standpoint(GAME, state, seat), text)
    assert all(str(mistake.sentence) for mistake in found.mistakes)
    if found.orders is not None and not found.mistakes:
        again = read(Standpoint(GAME, state, seat), str(found.orders))
        assert meaning(again) == (str(found.orders), (), 0)
    for line in () if found.mistakes else found.standing:
        assert read(Standpoint(GAME, state, seat), line).standing == (line,)


@few
@given(positions, seats, scraps)
def test_capitals_do_not_matter(position: str, seat: Seat, text: str) -> None:
    state = POSITIONS[position]
    assert meaning(read(Standpoint(GAME, state, seat), text.upper())) == meaning(
        read(Standpoint(GAME, state, seat), text.lower())
    )


@pytest.mark.parametrize("position", POSITIONS)
def test_an_order_list_means_the_same_in_any_case_and_spacing(position: str) -> None:
    state = POSITIONS[position]
    orders = choose(state, "munchkins")
    for written in (str(orders).lower(), str(orders).upper()):
        for text in (f"  {written}", f"\n\n{written}\n", written.replace(" ", "  "), written.replace("; ", "\n")):
            assert read(Standpoint(GAME, state, "munchkins"), text).orders == orders


def test_codes_and_beginnings_of_names_that_are_words_of_a_language_are_known_as_such() -> None:
    cards = MAP.data.counters.values()
    named = {text for card in cards for word in folded(card.name).split() for text in (word, word.removesuffix("s"))}
    begun = {word[:end] for word in named for end in range(3, len(word))}
    short = ({card.code.casefold() for card in cards} | begun) & speller(MAP.data).kinds.keys()
    texts = " ".join(path.read_text("utf-8") for path in (ROOT / "locale").glob("*/LC_MESSAGES/*.po"))
    written = {word for word in re.findall(r"\w+", texts) if word.islower()} | read_model().frequent
    plain = {word for word in written & short - named if speller(MAP.data).kinds[word] & {"counter"}}
    assert {"her", "may", "for", "dir", "win"} <= plain <= ORDINARY


def test_a_code_in_capitals_is_no_word_beside_words_in_lower_case() -> None:
    state = on_map("W2 ZEP HER ZIL")
    for text in (
        "Zephaph marches with HER and ZIL to W4",
        "Zephaph goes to W4 with HER, ZIL",
        "ZEP, HER and ZIL to W4",
    ):
        assert str(read(Standpoint(GAME, state, "winkies"), text).orders) == "Move ZEP HER ZIL: W2-W4"
