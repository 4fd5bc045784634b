"""A counter, a point or a rule as whoever asks is told it."""

import re
from pathlib import Path

import pytest

from pbem.games import find_game
from pbem.games.chance import any_chance
from pbem.games.ozz import dataset
from pbem.i18n.languages import say_in
from pbem.orders.command import LookUp
from pbem.orders.reader import read
from pbem.orders.situation import Standpoint
from pbem.resources import read_toml
from support.each import each
from support.paths import ROOT

GAME = find_game("ozz")
STATE = GAME.new({}, any_chance())
BOOK = read_toml(Path(dataset.__file__).with_name("rulebook.toml"))


def told(line: str, language: str = "en", state=STATE) -> str:
    word, _, name = line.partition(" ")
    found = GAME.look_up(state, word, name, say=say_in(language))
    assert found is not None
    return "\n".join(f"{one.heading}. {one.text}" for one in found)


def test_a_counter_is_told_with_its_sources_and_its_house_values():
    text = told("card SOU")
    assert text.startswith(
        "SOU Sourdough's: infantry, Munchkins. Move 1. Ranged strength 4, range 1. Melee strength 3."
    )
    assert "Specialist of M2 Sourdough." in text
    assert "Sources: the name (public pages), the kind (public pages)." in text
    assert text.endswith("House values: the strengths, the home terrain.")


def test_a_leader_is_told_with_his_spells():
    assert "Spells: good luck, transport, fleet feet, confusion." in told("card Glenda")
    assert "Spells: one by chance. Sources: the name (L49), the spells (L49). No house values." in told("card ROL")
    assert "No spells." in told("card MAY")


def test_counters_that_do_not_march_say_why():
    assert "It stands in walls and never leaves them." in told("card IN1")
    assert "It comes into play only by a rule." in told("card MR1")
    assert told("card BEL").startswith("the Bell. Melee strength 2.")


def test_a_point_is_told_with_its_ways():
    text = told("point H1")
    assert text.startswith("H1 Albine Pass: population center. Terrain: open ground.")
    assert "Trails to M2 Sourdough, G3 Forest Gate. Sources: the name (public pages)." in text
    assert "the roads and trails" in text
    assert "Intrinsic strength 4." in told("point Zoraster's Castle")


def test_a_rule_is_told_with_its_source_and_its_switch():
    text = told("rule §5.19")
    assert "strikes with +1" in text
    assert text.endswith("In this match: cavalry on. Source: L105 of the published house rules.")
    without = GAME.new({"without": ("cavalry",), "dissipation": 2}, any_chance())
    assert "In this match: cavalry off." in told("rule 5.19", state=without)
    assert "In this match: dissipation 2." in told("rule 5.4", state=without)


@pytest.mark.parametrize(
    ("line", "source"),
    [
        ("rule §1.2", "Source: L27, L79 of the published house rules."),
        ("rule §4.1", "Source: L27 of the published house rules."),
        ("rule §5.34", "Source: L101 of the published house rules; anything marked house is ours."),
        ("rule §9.2", "It is our own: no line of the published house rules says it."),
        ("rule J20", "It is our own, and settles what L121 of the published house rules leaves open."),
        ("rule J35", "It is our own, and settles what the published house rules leave open."),
        ("rule J29", "We would ask about this one first if an owner of the printed rules turned up."),
    ],
)
def test_what_comes_from_where_is_said(line, source):
    assert told(line).endswith(source)


def test_a_section_names_its_rules():
    assert told("rule §3") == "Rule §3, as in the manual. Its rules are §3.1 to §3.10."
    assert told("rule 4").endswith("Its rules are §4.1 to §4.6.")


def test_a_line_of_the_house_rules_is_told_with_the_rules_that_carry_it_out():
    text = told("rule L105")
    assert text.startswith(
        "L105, charge. The published house rules say this; it applies here in §5.19, §5.13. Rulings on it: J18."
    )
    assert "Rule §5.19" in text
    assert "Rule §5.13" in text
    assert told("rule L36").startswith("L35-39, initiative.")
    assert told("rule L17") == "L17. This line of the published house rules is a heading."


@pytest.mark.parametrize("line", ["rule 5.19", "rule § 5.19", "rule §5.19, 5.19"])
def test_a_number_is_understood_however_it_is_written(line):
    assert told(line) == told("rule §5.19")


def test_several_things_can_be_asked_for_in_one_line():
    assert told("card SOU, GLE and MAY").count("\n") == 2
    assert told("rule j20 and l17") == f"{told('rule J20')}\n{told('rule L17')}"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("card XYZ", 'There is no counter "XYZ". `card` alone lists all counters.'),
        ("card Glende", 'There is no counter "Glende". GLE Glenda?'),
        ("card Giants", "may be one of these: AP1 Giant Flying Apes, GI1 1st Giants, GI2 2nd Giants."),
        ("point X9", 'There is no point "X9". There are M1, M2,'),
        ("rule 99", 'There is no rule "§99". There are the rules §1.1 to §1.6, §3.1 to §3.10,'),
        ("rule J36", "the rulings J1 to J35, and these lines of the published house rules: L15, L17,"),
        ("rule flight", 'There is no rule "flight".'),
    ],
)
def test_an_unknown_name_is_answered_with_what_there_is(line, expected):
    assert expected in told(line)


def test_the_word_alone_names_all():
    assert all(f"{code} " in told("card ") for code in STATE.data.counters if code != "BEL")
    assert all(f"{code} " in told("point ") for code in STATE.data.points)
    assert "§5 to §5.38" in told("rule ")


@pytest.mark.parametrize(
    "line", ["card games are fun", "point taken", "point well made", "rule number one: have fun", "rule of thumb"]
)
def test_a_sentence_is_no_name(line):
    word, _, name = line.partition(" ")
    assert GAME.look_up(STATE, word, name) is None


@pytest.mark.parametrize(
    ("language", "line", "expected"),
    [
        ("de", "card SOU", "Von uns stammen: die Stärken, das Heimatgelände."),
        ("de", "rule J20", "Entscheidung J20, wie sie im englischen Handbuch steht."),
        ("ru", "point H1", "Тропы: M2 Sourdough, G3 Forest Gate."),
        ("ru", "rule L105", "Правило §5.19, как в руководстве (по-английски)."),
    ],
)
def test_things_are_told_in_the_language_of_the_reader(language, line, expected):
    assert expected in told(line, language)


@each(
    "line",
    ["card SOU", "Karte SOU", "карта SOU", "фишку SOU?", "point H1", "Punkt H1", "точка Н1", "rule §5.19", "Regel J20",
     "правило L105", "please rule L105"],
)  # fmt: skip
def test_the_line_is_read_in_every_language_and_is_no_order(line):
    reading = read(Standpoint(GAME, STATE, "munchkins"), f"{line}\nMove SOU: M2-M4")
    assert [type(one) for one in reading.commands] == [LookUp]
    assert str(reading.orders) == "Move SOU: M2-M4"
    assert reading.remarks == ()


def words_of(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def test_the_texts_are_those_of_the_manual():
    manual = (ROOT / "docs/games/ozz.md").read_text("utf-8")
    part = manual[manual.index("## The rules\n") : manual.index("## The order of things in a turn")]
    found = re.findall(r"\*\*(?:§([\d.]+)|(J\d+)\.)\*\* (.*?)(?=\n\*\*(?:§|J)|\n##|\Z)", part, re.S)
    rules = {rule: words_of(text) for rule, _, text in found if rule}
    rulings = {ruling: words_of(text) for _, ruling, text in found if ruling}
    assert {rule: words_of(text) for rule, text in BOOK["rules"].items()} == rules
    assert {ruling: words_of(one["text"]) for ruling, one in BOOK["rulings"].items()} == rulings


def test_every_rule_of_a_line_is_there():
    assert {rule for line in BOOK["lines"] for rule in line["rules"]} <= BOOK["rules"].keys()
