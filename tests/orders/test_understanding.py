"""Letters as people write them: what is in doubt is asked about, chat is not, and everyday sentences are read."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from pbem.games import find_game
from pbem.orders import everyday, mixed, overturned, possible_readings, reader, repeats, understanding
from pbem.orders.command import Simple
from pbem.orders.situation import Standpoint
from support.each import each
from tools.understanding import CORPUS, Sample, fate, samples, standpoint

GAME = find_game("ozymandia")
STATE = GAME.new({})
LETTERS = [
    sample
    for name in (
        "known.txt",
        "held_out.txt",
        "attacks.txt",
        "beside.txt",
        "woven.txt",
        "joined.txt",
        "everyday.txt",
        "phones.txt",
    )
    for sample in samples(CORPUS / name)
]


def read(text: str) -> reader.Reading:
    return reader.read(Standpoint(GAME, STATE, "red"), text)


def of_kind(*kinds: str, every: int = 1) -> list[Sample]:
    return [sample for sample in LETTERS if sample.kind.startswith(kinds)][::every]


SOME = pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.long)])
"""Each fourth letter of the corpus, as a rule; all of them by `./tasks test-long`."""


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.long)])
def test_of_the_letters_in_doubt_few_are_played_and_few_proposed_otherwise(every: int) -> None:
    """The letters of the corpus, which the judge has seen; `tools.train --letters` tells of those it has not."""
    fates = Counter(fate(one) for one in of_kind("doubt", "yes doubt", every=every))
    assert fates.total() * every >= 1_400
    assert fates["as meant"] + fates["something else"] <= 0.005 * fates.total()
    assert fates["wrong proposal"] <= 0.06 * fates.total()


@SOME
def test_orders_beside_chat_stand_and_most_without_a_question(every: int) -> None:
    fates = Counter(fate(one) for one in of_kind("clear chat", "clear attack", every=every))
    assert fates.total() * every >= 700
    assert fates["as meant"] + fates["provisional"] >= 0.95 * fates.total()
    assert fates["as meant"] >= 0.75 * fates.total()


@SOME
def test_no_clear_letter_is_played_as_something_else(every: int) -> None:
    letters = of_kind("clear", "yes clear", every=every)
    assert [one.text for one in letters if fate(one) in ("something else", "may be else")] == []


def test_most_everyday_sentences_are_played_at_once() -> None:
    fates = Counter(fate(one) for one in of_kind("clear plain") if one.meant != "Pass")  # that is never guessed
    assert fates["as meant"] >= 0.75 * fates.total()
    assert fates["as meant"] + fates["proposed"] >= 0.85 * fates.total()
    assert fates["wrong proposal"] <= 0.01 * fates.total()


@each("game", ["ozymandia", "rocknroll", "ozz"])
@each(
    ("line", "fate"),
    [
        ("The cat sleeps on the sofa", "stands"),
        ("Mein Hund hat den Kuchen gefressen", "stands"),
        ("Собака спит под столом", "stands"),
        ("Il pleut depuis hier", "stands"),  # of a language that the judge has not learnt
        ("Il pleut aussi à Paris ?", "asked"),
        ("Not bad for a pensioner with one good eye, is it?", "stands"),  # a question changes nothing
        ("Please ignore everything above", "nothing"),
        ("Das war nur ein Test, bitte ignorieren", "nothing"),
        ("Это черновик, не выполняйте", "nothing"),
        ("?", "nothing"),
        ("\N{CROSS MARK}", "nothing"),
    ],
)
def test_beside_chat_orders_stand_what_may_change_them_is_asked_and_what_turns_them_leaves_nothing(
    game: str, line: str, fate: str
) -> None:
    order = {"ozymandia": "3 A to M", "rocknroll": "Attack: Zulu > Bao", "ozz": "Move SOU: M2-M4"}[game]
    reading = reader.read(standpoint(game), f"{order}\n{line}")
    stands = reading.orders is not None
    assert {"stands": stands and not reading.perhaps, "asked": stands and reading.perhaps == (line,)}.get(
        fate, not stands
    )
    assert stands or [one.text for one in reading.doubts] == [line]


def test_what_a_letter_may_mean_is_proposed_as_a_whole() -> None:
    lines = "1 A to M\n2 W to M\nBomb EC"
    assert read(f"{lines}\nPlease ignore everything above").readings == ("1 A to M, 2 W to M; Bomb EC",)
    assert read(f"{lines}\nNo, leave two in W").readings == ()  # what is named is not in it


@pytest.mark.parametrize("text", ["Bomb EC and HC", "Bomb EC, HC"])
def test_an_everyday_sentence_is_never_played_without_a_part_that_it_names(text: str) -> None:
    reading = read(text)
    assert (reading.orders, reading.proposal) == (None, None)
    assert [one.item for one in reading.mistakes] == ["HC"]


def test_a_remark_may_stand_in_one_line_with_orders() -> None:
    reading = read("2 A to AC, with love from rainy Wales")
    assert (str(reading.orders), reading.remarks) == ("2 A to AC", ("with love from rainy Wales",))


def test_a_move_on_two_lines_is_asked_about_and_both_readings_are_offered() -> None:
    reading = read("1 A to M\n\n1 A to M")
    assert reading.orders is None
    assert [one.turn for one in reading.doubts] == ["twice"]
    assert set(reading.readings) == {"1 A to M", "2 A to M"}
    assert str(read("1 A to M, 1 A to M").orders) == "2 A to M"


def test_so_is_one_that_cannot_be_added_up() -> None:
    reading = read("3 A to M\n3 A to M")
    assert ([one.turn for one in reading.doubts], reading.readings, reading.mistakes) == (["twice"], ("3 A to M",), ())
    assert read("3 A to M\n3 A to M\nBomb Q").left_out == ("Bomb Q",)


@pytest.mark.parametrize("text", ["yes 1\nbut not yet", "yes 1\nOops no", "ja 2\naber noch nicht"])
def test_a_yes_with_a_number_counts_only_beside_courtesies(text: str) -> None:
    assert [one.turn for one in read(text).doubts] == ["beside yes"]
    assert read("yes 1\nThanks, Bob").doubts == ()


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("три фишки из А в М", "3 A to M"),
        ("две фишки из А идут в М", "2 A to M"),
        ("Переместить две из А в АС", "2 A to AC"),
        ("Две из А в АС, остальные в М", "2 A to AC, 1 A to M"),
        ("Две из А в М, а остальные в АС", "2 A to M, 1 A to AC"),
        ("сбросьте бомбу на НС", "Bomb HC"),
    ],
)
def test_codes_in_russian_sentences_are_typed_with_russian_letters(text: str, orders: str) -> None:
    assert str(read(text).orders) == orders


@each(
    ("text", "offered"),
    [
        ("3 A to M or 2 A to Z", ["3 A to M", "2 A to Z"]),
        ("3 A nach M\noder vielleicht 2 A nach Z?", ["3 A to M", "2 A to Z"]),
        ("3 A to M. Actually 2 A to Z", ["3 A to M", "2 A to Z"]),
        ("3 A to M. No, 2 A to Z", ["3 A to M", "2 A to Z"]),
        ("1 A to Z\nBomb EC or bomb WC", ["1 A to Z; Bomb EC", "1 A to Z; Bomb WC"]),
        ("3 A to M?", ["3 A to M"]),
        ("Either 2 A to AC or 3 M to S", ["2 A to AC", "3 M to S"]),
        ("Entweder 2 A nach AC oder 3 M nach S", ["2 A to AC", "3 M to S"]),
        ("или 3 A в M или 2 W в M", ["3 A to M", "2 W to M"]),
        ("Bomb EC or WC", []),
        ("make that 3 A to AC", ["3 A to AC"]),
        ("2 A to AC instead, thanks", ["2 A to AC"]),
        ("Korrektur: 2 A nach AC", ["2 A to AC"]),
        ("Ладно, 2 A в AC вместо этого", ["2 A to AC"]),
        ("3 A to M. Or should I wait?", ["3 A to M"]),
        ("3 A to M. Wait, 2 A to AC.", ["3 A to M", "2 A to AC"]),
        ("3 A to M\nvergiss es, lieber 2 A nach AC", ["3 A to M", "2 A to AC"]),
        ("3 A to M\nзабудь, лучше 2 A в AC", ["3 A to M", "2 A to AC"]),
        ("instead of A bomb EC, 3 W to M", []),  # where does it end?
        ("No, 3 A to AC", ["3 A to AC"]),
        ("not 3 A to M?", []),
        ("3 A to M and bomb Q?", []),
        ("if he moves, 3 A to M or 2 A to Z", []),
        ("Should I 3 A to M or 2 A to Z?", []),
        ("not 3 A to M but 2 A to Z", []),
    ],
)
def test_where_one_thing_stands_in_the_place_of_another_both_are_offered(text: str, offered: list[str]) -> None:
    reading = read(text)
    assert reading.doubts
    ways = [reading.proposal] if reading.proposal else list(reading.readings)
    assert (reading.orders, ways) == (None, offered)


@pytest.mark.parametrize(
    ("game", "text", "offered"),
    [
        ("ozz", "Move SOU: M2-M4 or Recruit MAY: pool", ["Move SOU: M2-M4", "Recruit MAY: pool"]),
        ("rocknroll", "Move: Zulu to B or Move: Doc to B", ["Move: Zulu to B", "Move: Doc to B"]),
    ],
)
def test_so_are_they_where_orders_may_have_such_words_themselves(game: str, text: str, offered: list[str]) -> None:
    reading = reader.read(standpoint(game), text)
    assert ([one.turn for one in reading.doubts], reading.mistakes) == (["turned"], ())
    assert (reading.orders, list(reading.readings)) == (None, offered)


@pytest.mark.parametrize(
    "text", ["3 A to M. Or should I wait?", "if he bombs then 3 A to M", "3 A to M, unless you think otherwise"]
)
def test_what_turns_orders_is_asked_about_and_no_mistake_as_well(text: str) -> None:
    reading = read(text)
    assert [one.text for one in reading.doubts] == [text]
    assert reading.mistakes == ()


@pytest.mark.parametrize("game", ["ozymandia", "rocknroll", "ozz"])
@pytest.mark.parametrize("text", ["I mean pass", "Pass instead"])
def test_second_thoughts_of_one_word_are_offered_in_any_game(text: str, game: str) -> None:
    reading = reader.read(standpoint(game), text)
    assert (reading.orders, reading.proposal or reading.readings[0]) == (None, "Pass")


def test_orders_of_another_turn_are_not_told_what_is_wrong_with_them_now() -> None:
    reading = read("next turn 1 M to S please")
    assert ([one.turn for one in reading.doubts], reading.mistakes) == (["turned"], ())


def test_a_mistake_beside_what_turns_orders_is_shown() -> None:
    assert [one.item for one in read("9 A to M. Or should I wait?").mistakes] == ["9 A to M"]


@each(
    "heading",
    [
        "Orders:",
        "My orders:\n",
        "Hi Bob,\n\nmy new orders are:",
        "Hi! My orders:",
        "Hello Bob, here are my orders for this turn:",
        "Neue Befehle:",
        "Hallo, das sind meine Züge:\n",
        "Вот мои приказы:",
        "ORDERS\n",
        "Turn 3 from me: my orders:",
        "My orders for turn 3 are",
        "As promised, my moves:\n",
        "I hereby submit",
        "Please accept my orders:",
        "Meine Befehle lauten",
        "Anbei mein Zug\n",
        "Мои приказы такие:",
    ],
)
@each(("game", "orders"), [("ozymandia", "3 A to M"), ("rocknroll", "Attack: Zulu > Bao"), ("ozz", "Move SOU: M2-M1")])
def test_what_announces_orders_is_none_of_them_in_any_game(heading: str, game: str, orders: str) -> None:
    words = reader.read_words(f"{heading} {orders}", at=standpoint(game))._replace(turn=3)
    assert str(reader.read_orders(standpoint(game), words).orders) == orders


@pytest.mark.parametrize(
    "text",
    [
        "Next turn's orders: 3 A to M",
        "Bob's orders: 3 A to M",
        "2 W to M\nNew orders:\n3 A to M",
        "My orders for turn 4 are 3 A to M",
        "My orders are not 3 A to M",
    ],
)
def test_other_headings_of_orders_say_something(text: str) -> None:
    assert read(text).orders is None


@pytest.mark.parametrize("text", ["annihilate Mu", "and one more to Mu"])
def test_a_few_words_with_a_name_are_asked_about_where_nothing_else_is_said(text: str) -> None:
    assert [one.turn for one in read(text).doubts] == ["unread"]


def test_the_same_move_in_notation_and_in_words_is_asked_about() -> None:
    reading = read("1 A to M\none piece from Atlantea to Mu")
    assert (reading.orders, [one.text for one in reading.doubts]) == (None, ["one piece from Atlantea to Mu"])


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("2 A to AC\ntwo from W to M", "The moves of a turn leave one single area or go into one single area."),
        ("Both in S to M", "You have no pieces in Shalomar (S) to move."),
        ("Two from A go to E", "From Atlantea (A) you can reach Amber City (AC), Zephyria (Z) and Mu (M), not Elysia"),
    ],
)
def test_what_is_wrong_with_everyday_sentences_is_said_of_what_they_mean(text: str, wrong: str) -> None:
    reading = read(text)
    assert [one.sentence[: len(wrong)] for one in reading.mistakes] == [wrong]
    assert (reading.proposal, reading.doubts, reading.readings) == (None, (), ())


@pytest.mark.parametrize("line", ["That's it, I quit", "OK, I resign.", "Na gut, ich gebe auf", "Ладно, я сдаюсь"])
def test_a_command_in_a_part_of_a_sentence_beside_orders_is_asked_about(line: str) -> None:
    reading = read(f"3 A to M\n{line}")
    assert (reading.orders, [one.text for one in reading.doubts]) == (None, [line])


@pytest.mark.parametrize(
    "line", ["That's all for now", "nothing else", "please confirm", "Das war's", "Это всё", "MfG Müller"]
)
def test_the_end_of_a_letter_is_no_part_of_the_orders(line: str) -> None:
    assert str(read(f"3 A to M\n{line}").orders) == "3 A to M"


@pytest.mark.parametrize("line", ["Bob is going to hate this", "Bob is cheating", "Bob ist verloren", "bob is doomed"])
def test_a_name_is_no_misspelt_order_word(line: str) -> None:
    assert str(read(f"2 A to AC\n{line}").orders) == "2 A to AC"


@pytest.mark.parametrize("line", ["Bob EC", "Bom Elfin City", "bomg EC"])
def test_it_is_where_an_area_stands_behind_it(line: str) -> None:
    assert read(f"2 A to AC\n{line}").proposal == "2 A to AC; Bomb EC"


def test_what_a_proposal_leaves_out_is_named() -> None:
    reading = read("2 W to M, Bomb Q")
    assert (reading.proposal, reading.left_out) == ("2 W to M", ("Bomb Q",))
    assert read("3 A to M, 2 W to M, Bom EC").left_out == ()


@pytest.mark.parametrize("text", ["check 3 M to S", "Check 3 M to S!", "prüfe 3 M nach S", "check: 3 M to S"])
def test_check_needs_no_colon(text: str) -> None:
    reading = read(text)
    assert reading.commands == (Simple("check"),)
    assert str(reading.orders) == "3 M to S"


@pytest.mark.parametrize(
    "text", ["also bomb EC", "plus 1 W to M", "add: bomb SC", "and 1 W to M", "außerdem 1 W nach M"]
)
def test_a_letter_that_begins_with_also_adds(text: str) -> None:
    assert read(text).adds
    assert not read("3 A to M and bomb EC").adds


def test_lines_that_stand_in_the_orders_as_they_are_written_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    alone: list[str] = []

    def read_text(*asked: Any) -> reader.Reading:
        alone.append(asked[-1])
        return reader.read_text(*asked)

    monkeypatch.setattr(repeats, "read_text", read_text)
    assert str(read("Hello,\n\n1. 2 A to M\n2. 2 w to m;\n3. Bomb EC.\n\nAnna").orders) == "2 A to M, 2 W to M; Bomb EC"
    assert alone == []
    assert [one.turn for one in read("2 A to M\n1 A to M").doubts] == ["twice", "twice"]
    assert alone


@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("ozymandia", "{} A to Q, or 3 X to Z"),
        ("ozz", "Move the {} MAY SOU from M2 to nowhere"),
        ("rocknroll", "{} Johnny shoots Bao, no"),
    ],
)
def test_more_lines_than_a_game_reads_are_not_read_one_by_one(
    game: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (everyday, mixed, overturned, possible_readings, repeats, understanding):
        monkeypatch.setattr(module, "read_text", None)
    reading = reader.read(standpoint(game), "\n".join(map(line.format, range(201))))
    assert (reading.orders, reading.readings) == (None, ())
    assert reading.mistakes or reading.doubts


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("Bomb EC\nHmm no, bomb HC", ("Bomb EC", "Bomb HC")),
        ("3 A to M\nno, 2", ()),
        ("3 A to M, 2 W to M\nthe W guys stay home", ()),
        ("3 A to M, bomb EC\nno bomb", ()),
        ("3 A to M\nDon't bomb EC", ()),
    ],
)
def test_orders_alone_are_not_offered_where_others_are_named_in_their_place(text: str, offered: Sequence[str]) -> None:
    assert (read(text).orders, read(text).readings) == (None, offered)


def test_a_yes_beside_other_pieces_is_asked_about() -> None:
    assert [one.turn for one in read("yes I guess, though 2 would be nicer").doubts] == ["beside yes"]


@each(
    ("game", "text"),
    [
        ("ozymandia", "keine Bombe auf EC"),
        ("ozymandia", "alle 3 von A nach M, keine Bombe auf EC"),
        ("ozymandia", "без бомбы на EC"),
        ("ozz", "Recruit MAY: pool\nnot the Mayor"),
    ],
)
def test_what_is_refused_is_never_ordered(game: str, text: str) -> None:
    assert reader.read(standpoint(game), text).orders is None


def test_what_stands_beside_a_refusal_is_proposed() -> None:
    reading = reader.read(standpoint("ozymandia"), "alle 3 von A nach M, keine Bombe auf EC")
    assert reading.proposal == "3 A to M"


def test_a_sentence_about_the_other_side_puts_only_orders_within_it_in_doubt() -> None:
    bomb, move = "I do not trust that Blue in Elfin City, so there goes a bomb.", "From Mu one piece goes to Shalomar."
    assert read(f"{bomb} {move} My son (9) sends his regards.").proposal == "1 M to S; Bomb EC"
    assert read(f"{bomb} {move} Blue sends 3 from V to S.").proposal is None
