"""What the game tells readers of German: the same as in English, in whole sentences a German would write."""

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings

from pbem import ENGLISH, Sentence
from pbem.games import find_game
from pbem.games.ozymandia.board import SHIPPED, find_board
from pbem.games.ozymandia.orders import Move, Orders
from pbem.games.ozymandia.state import PositionError, State, parse_state
from pbem.i18n.languages import say_in
from pbem.orders import reader
from pbem.orders.situation import Standpoint
from support.each import each
from support.ozymandia_mistakes import EXAMPLES, Example
from support.positions import turns, without_drawing

GAME = find_game("ozymandia")
GERMAN = say_in("de")
SET_UP = "1 red A3 M3 W3 bombs 3 blue V3 H3 E3 bombs 3"


def position(text: str) -> State:
    return parse_state(text, find_board("lattice"))


def moves(*texts: str) -> tuple[Move, ...]:
    return tuple(Move(int(count), origin, target) for count, origin, _, target in map(str.split, texts))


def told(text: str, red: Orders | None = None, blue: Orders | None = None) -> list[str]:
    """A turn's story as lines "heading: text"."""
    before = position(text)
    ruling = GAME.resolve(before, {"red": red or Orders(), "blue": blue or Orders()})
    return [f"{heading}: {text}" for heading, text, _ in GAME.story(before, ruling.events, say=GERMAN)]


# --- a turn -----------------------------------------------------------------------------------------------------


def test_a_whole_turn_is_told_step_by_step():
    assert told(
        "6 red A3 M6 MC1 AC1 bombs 3 blue H4 E2 U1 SC2 HC1 EC1 bombs 3",
        Orders(("M",), moves("6 M to S"), "SC"),
        Orders((), moves("3 H to S", "1 U to S")),
    ) == [
        "Neue Steine: Rot 2: Amber City, Mu (für Mystery City).",
        ": Blau 3: Shangri-La City, Harmony City, Elfin City.",
        (
            "Schlacht um Shalomar: Rot hat dort 6, Blau 4. Blau verliert alle 4, Rot verliert 2; "
            "4 rote Steine bleiben dort."
        ),
        "Bombardement: Rot bombardiert Shangri-La City: 3 blaue Steine sind vernichtet. Rot hat noch 2 Bombardements.",
    ]


def test_who_meets_on_the_way_goes_on_or_does_not():
    unequal = told("red M5 A2 bombs 3 blue S3 bombs 3", Orders((), moves("5 M to S")), Orders((), moves("3 S to M")))
    assert unequal == [
        (
            "Unterwegs: Rot kommt mit 5 aus Mu, Blau mit 3 aus Shalomar. "
            "Blau verliert alle 3, Rot verliert 1; 4 rote Steine ziehen weiter nach Shalomar."
        ),
    ]
    equal = told("red M2 A2 bombs 3 blue S2 bombs 3", Orders((), moves("2 M to S")), Orders((), moves("2 S to M")))
    assert equal == [
        "Unterwegs: Rot kommt mit 2 aus Mu, Blau mit 2 aus Shalomar. Gleich stark: Unterwegs überlebt niemand.",
    ]


@pytest.mark.parametrize(
    ("forces", "end"),
    [
        (
            "red M3 bombs 3 blue S3 bombs 3",
            "Gleich stark: Ein blauer Stein überlebt, denn Blau hielt Shalomar in der Runde davor.",
        ),
        (
            "red M3 bombs 3 blue S1 bombs 3",
            "Blau verliert den einzigen Stein, Rot verliert nichts; 3 rote Steine bleiben dort.",
        ),
        ("red M3 bombs 3 blue S2 bombs 3", "Blau verliert beide Steine, Rot verliert 1; 2 rote Steine bleiben dort."),
        ("red M3 bombs 3 blue S5 bombs 3", "Rot verliert alle 3, Blau verliert 1; 4 blaue Steine bleiben dort."),
    ],
)
def test_a_battle_says_what_it_costs_and_why(forces, end):
    assert told(forces, Orders((), moves("3 M to S")))[-1].endswith(end)


def test_equal_forces_where_nobody_was_leave_nobody():
    story = told("red M3 A1 bombs 3 blue H3 bombs 3", Orders((), moves("3 M to S")), Orders((), moves("3 H to S")))
    assert story[-1].endswith("Gleich stark: Niemand überlebt, denn niemand hielt Shalomar in der Runde davor.")


@pytest.mark.parametrize(
    ("area", "sentence"),
    [
        (
            "H",
            (
                "Rot bombardiert Halcyonna: Die Zahl der blauen Steine dort sinkt von 7 auf 4. "
                "Rot hat noch 1 Bombardement."
            ),
        ),
        ("E", "Rot bombardiert Elysia: Der einzige Stein dort, ein blauer, überlebt. Rot hat noch 1 Bombardement."),
        ("HC", "Rot bombardiert Harmony City: 3 blaue Steine sind vernichtet. Rot hat noch 1 Bombardement."),
        ("VC", "Rot bombardiert Viking City: 1 blauer Stein ist vernichtet. Rot hat noch 1 Bombardement."),
        ("Z", "Rot bombardiert Zephyria: Dort steht niemand. Rot hat noch 1 Bombardement."),
        ("M", "Rot bombardiert Mu: Die Zahl der roten Steine dort sinkt von 4 auf 2. Rot hat noch 1 Bombardement."),
    ],
)
def test_lightning_tells_what_it_did(area, sentence):
    going = Orders((), moves("1 V to VC")) if area == "VC" else Orders()
    assert (
        told("red M4 bombs 2 blue H7 HC2 E1 V1 bombs 3", Orders((), (), area), going)[-1] == f"Bombardement: {sentence}"
    )


def test_the_last_bombardment_is_told_as_such():
    story = told("red M4 bombs 1 blue H7 bombs 3", Orders((), (), "H"))
    assert story[-1].endswith("Rot hat kein Bombardement mehr.")


FACTS = re.compile(r"\b\d+\b|" + "|".join(sorted((a.name for a in find_board("lattice").areas.values()), reverse=True)))


@given(turns())
@settings(deadline=None, max_examples=25)
def test_both_languages_tell_the_same_numbers_and_areas_in_the_same_paragraphs(turn):
    state, orders = turn
    ruling = GAME.resolve(state, orders)
    english, german = (GAME.story(state, ruling.events, say=say) for say in (ENGLISH, GERMAN))
    assert len(english) == len(german)
    for ours, theirs in zip(english, german, strict=True):
        assert Counter(FACTS.findall(f"{ours.heading} {ours.text}")) == Counter(
            FACTS.findall(f"{theirs.heading} {theirs.text}")
        )
    for lines in zip(GAME.summary(state), GAME.summary(state, say=GERMAN), strict=True):
        assert FACTS.findall(lines[0]) == FACTS.findall(lines[1])


# --- orders and prospects ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("orders", "words"),
    [
        (Orders(), "Alle Steine bleiben stehen. Kein Bombardement."),
        (
            Orders((), moves("1 M to MC", "2 M to A")),
            "Aus Mu zieht ein Stein nach Mystery City und zwei nach Atlantea; keiner bleibt zurück. Kein Bombardement.",
        ),
        (
            Orders((), moves("3 A to M", "2 W to M"), "EC"),
            (
                "Nach Mu ziehen drei Steine aus Atlantea und zwei aus Wyvernia. Zurück bleiben: keiner in Atlantea, "
                "einer in Wyvernia. Dein Bombardement trifft Elfin City; danach hast du noch zwei Bombardements."
            ),
        ),
        (
            Orders((), moves("2 A to Z"), "Z"),
            (
                "Aus Atlantea ziehen zwei Steine nach Zephyria; einer bleibt. Dein Bombardement trifft Zephyria, auch "
                "deine eigenen Steine dort; danach hast du noch zwei Bombardements."
            ),
        ),
    ],
)
def test_orders_in_plain_words(orders, words):
    assert GAME.paraphrase(position(SET_UP), "red", orders, say=GERMAN) == words


@pytest.mark.parametrize(
    ("bombs", "left"), [(1, "das ist dein letztes Bombardement"), (2, "danach hast du noch ein Bombardement")]
)
def test_plain_words_say_where_new_pieces_go_said_or_not(bombs, left):
    state = position(f"red S3 AC1 MC1 WC1 bombs {bombs} blue H1 bombs 3")
    assert GAME.paraphrase(state, "red", Orders(("M",), moves("1 S to SC", "1 S to M"), "HC"), say=GERMAN) == (
        "Ein neuer Stein kommt nach Amber City, einer nach Mu und einer nach Wizard City. "
        "Aus Shalomar zieht ein Stein nach Shangri-La City und einer nach Mu; einer bleibt. "
        f"Dein Bombardement trifft Harmony City; {left}."
    )


def test_the_standing_is_counted():
    assert GAME.summary(position("red AC1 MC1 WC1 UC1 bombs 2 blue VC1 HC1 EC1 E3 bombs 0"), say=GERMAN) == (
        "Städte: Rot 4 (AC MC WC UC), Blau 3 (VC HC EC). Wer fünf hält, gewinnt.",
        "Steine: Rot 4, Blau 6.",
        "Bombardements übrig: Rot 2, Blau 0.",
        "Rot fehlt noch eine Stadt zum Sieg.",
        "Blau fehlen noch zwei Städte zum Sieg.",
    )
    assert GAME.summary(GAME.new({"turn_limit": 9}), say=GERMAN)[-1] == (
        "Hat bis zum Ende von Runde 9 niemand gewonnen, endet die Partie remis."
    )


@pytest.mark.parametrize(
    ("text", "prospects", "example"),
    [
        (
            SET_UP,
            "Du hältst keine Stadt, also bekommst du keinen neuen Stein.",
            "1 A nach AC, 1 A nach Z",
        ),
        (
            "red MC1 bombs 1 blue H1 bombs 3",
            "Du bekommst einen neuen Stein: in Mystery City (oder mit `Neu M` in Mu).",
            "Neu M; 1 M nach A",
        ),
        (
            "red AC1 MC1 bombs 0 blue M1 bombs 3",
            (
                "Du bekommst zwei neue Steine: in Amber City (oder mit `Neu A` in Atlantea) und in Mystery City "
                "(nicht in Mu, dort steht Blau)."
            ),
            "Neu A; 1 MC nach AC",
        ),
        (
            "red bombs 2 blue H1 bombs 3",
            "Du hast keine Steine mehr, kannst aber noch bombardieren.",
            "Passe",
        ),
        (
            "red bombs 0 blue H1 bombs 3",
            "Du hast keine Steine und keine Bombardements mehr; die Partie wartet nicht auf dich.",
            "Passe",
        ),
    ],
)
def test_prospects_say_what_a_side_gets_and_show_orders_in_the_rules_own_notation(text, prospects, example):
    assert GAME.prospects(position(text), "red", say=GERMAN) == (prospects, example)


# --- mistakes ---------------------------------------------------------------------------------------------------


def sentences(example: Example) -> list[Sentence]:
    return [
        mistake.sentence
        for mistake in reader.read(Standpoint(GAME, position(example.position), "red"), example.orders).mistakes
    ]


def leaves(value: object) -> Iterator[str]:
    """What stands in the gaps of a sentence and is no sentence itself: names, numbers, the player's words."""
    if isinstance(value, Sentence):
        for one in value.values.values():
            yield from leaves(one)
    elif isinstance(value, tuple):
        for one in value:
            yield from leaves(one)
    else:
        yield str(value)


@each("example", EXAMPLES)
def test_a_mistake_is_told_in_german_with_the_same_values(example):
    for sentence in sentences(example):
        german = GERMAN(sentence)
        used = [leaf for leaf in leaves(sentence) if leaf in sentence]
        assert german != sentence
        assert all(leaf in german for leaf in used)
        assert "{" not in german


@pytest.mark.parametrize(
    ("orders", "sentence"),
    [
        (
            "1 M to E",
            (
                "Von Mu (M) aus erreichst du Atlantea (A), Mystery City (MC), Shalomar (S) und Wyvernia (W), "
                "nicht Elysia (E)."
            ),
        ),
        ("9 W to M", "In Wyvernia (W) stehen 3 Steine, nicht 9."),
        ("99999999 W to M", "In Wyvernia (W) stehen 3 Steine, nicht so viele."),
        ("2 A to M, 2 A to Z", "In Atlantea (A) stehen 3 Steine, nicht 4 (2 nach M und 2 nach Z)."),
        (
            "1 M to Sha",
            "„Sha“ kann Shalomar (S) oder Shangri-La City (SC) heißen: Schreib mehr vom Namen oder das Kürzel.",
        ),
        (
            "3 A to M, xyz",
            "„xyz“ ist kein Befehl. Möglich sind Züge („2 W nach M“), „Bombe EC“, „Neu M“ und „Passe“.",
        ),
    ],
)
def test_mistakes_read_as_a_german_would_write_them(orders, sentence):
    [mistake] = reader.read(Standpoint(GAME, position(SET_UP), "red"), orders).mistakes
    assert GERMAN(mistake.sentence) == sentence


def test_one_piece_and_many_have_their_own_verbs():
    state = position("2 red MC1 bombs 3 blue H1 bombs 3")
    [mistake] = reader.read(Standpoint(GAME, state, "red"), "New M; 2 MC to M").mistakes
    assert GERMAN(mistake.sentence) == "In Mystery City (MC) steht 1 Stein, nicht 2."


def test_braces_in_a_players_words_are_no_gaps():
    [mistake] = reader.read(Standpoint(GAME, position(SET_UP), "red"), "Bomb {areas}").mistakes
    assert GERMAN(mistake.sentence).startswith("„Bomb {areas}“ ist kein Befehl. ")


# --- the rest ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "red AC1 ZC1 VC1 MC1 SC1 bombs 0 blue H1 bombs 0",
            "Rot hält 5 Städte (Amber City, Zodiac City, Viking City, Mystery City, Shangri-La City).",
        ),
        ("red bombs 0 blue bombs 1", "Keine Seite hat noch einen Stein."),
    ],
)
def test_how_a_game_ended_is_a_sentence_for_any_language(text, reason):
    assert GERMAN(GAME.result(position(text)).reason) == reason


def test_a_turn_limit_is_told_as_the_reason_of_a_draw():
    over = GAME.load({**GAME.dump(GAME.new({"turn_limit": 9})), "turn": 10})
    assert (
        GERMAN(GAME.result(over).reason) == "Bis zum Ende von Runde 9, der letzten dieser Partie, hat niemand gewonnen."
    )


def test_a_wrong_position_says_all_that_is_wrong():
    with pytest.raises(PositionError) as wrong:
        position("red M4 Q1 bombs 9 blue M1 bombs 3")
    assert GERMAN(wrong.value.args[0]) == (
        'Auf dem Spielplan lattice gibt es kein Gebiet "Q". Rot und Blau können nicht beide in Mu (M) stehen. '
        "Rot hat noch 0 bis 3 Bombardements, nicht 9."
    )
    assert str(wrong.value) == " ".join(wrong.value.problems)


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("drawn", [True, False])
def test_the_map_is_the_same_but_for_owners_and_legend(name, drawn):
    board = find_board(name) if drawn else without_drawing(find_board(name))
    before, now = (State(board, 1, {"red": {"M": n}, "blue": {"HC": 1200}}, {"red": 3, "blue": 3}) for n in (3, 12))
    english, german = (
        ["".join(span.text for span in row) for row in GAME.picture(now, before, say=say)] for say in (ENGLISH, GERMAN)
    )
    map_ends = english.index("")
    back = [row.replace("Rot ", "Red ").replace("Blau ", "Blue ").replace("Blau>", "Blue>") for row in german]
    assert [row.split() for row in back[1:map_ends]] == [row.split() for row in english[1:map_ends]]
    assert max(map(len, german)) <= 72
    assert all(row == row.rstrip() for row in german)
    assert german[map_ends:] != english[map_ends:]


def test_the_legend_is_explained_in_german():
    start = GAME.new({})
    assert ["".join(span.text for span in row) for row in GAME.picture(start, say=GERMAN)][-5:] == [
        "| A  Rot 3   * |  Provinz mit 3 roten Steinen; * = geändert",
        "( AC           )  eine Stadt, in der niemand steht",
        "======  ||        Pass, von Provinz zu Provinz",
        "        ::        Tor, von einer Provinz zu ihrer Stadt",
        "######  ##        Brücke, von Stadt zu Stadt",
    ]
    assert GAME.notes(start, say=GERMAN) == ("Den Original-Spielplan kennen wir nicht; unserer ist rekonstruiert",)
