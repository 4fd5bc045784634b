"""Subjects say what a letter is about, and answers with such a subject mean nothing by it."""

import pytest

from pbem.i18n import words
from pbem.i18n.languages import say_in
from pbem.orders.newcomers import read_newcomer
from pbem.orders.reader import own_subject, read_words
from pbem.service.subjects import MATTERS, without_matter
from support.correspondents import ALICE, BOB, Correspondents


@pytest.fixture
def people(desk_table) -> Correspondents:
    return Correspondents(desk_table)


def subjects(people, who):
    return [letter["Subject"] for letter in people.got[who]]


def test_a_subject_says_what_the_letter_is_about(people):
    people.write(ALICE, "3 A to M")
    people.write(BOB, "9 H to S")
    people.write(BOB, "3 H to S")
    people.poll()
    assert subjects(people, ALICE)[0] == "Ozymandia oz-1: the game begins"
    assert "Ozymandia oz-1, turn 1: your orders" in subjects(people, ALICE)
    assert "Ozymandia oz-1, turn 1: orders not accepted" in subjects(people, BOB)
    assert subjects(people, ALICE)[-1] == "Ozymandia oz-1, turn 1: the report"


def test_a_subject_is_in_the_language_of_its_reader(people):
    people.write(ALICE, "Sprache deutsch")
    people.write(ALICE, "3 A to M")
    assert subjects(people, ALICE)[-1] == "Ozymandia oz-1, Runde 1: deine Befehle"


def test_letters_with_different_subjects_are_one_thread(people):
    people.write(ALICE, "3 A to M")
    first, *_, last = people.got[ALICE]
    assert first["Subject"] != last["Subject"]
    assert first["References"].split()[0] == last["References"].split()[0]


@pytest.mark.parametrize("language", words.codes())
@pytest.mark.parametrize("matter", MATTERS)
def test_what_our_subject_says_is_not_the_writers(language: str, matter: str) -> None:
    say = say_in(language)
    said = say(MATTERS[matter])
    for ours in (
        say("{title}: {matter}", title="Ozymandia oz-1", matter=said),
        say("{title}, turn {turn}: {matter}", title="Ozymandia oz-1", turn="T3", matter=said),
    ):
        assert own_subject(without_matter(f"Re: {ours}", "oz-1"), "oz-1", "Ozymandia") == ("", True)
        assert own_subject(without_matter(f"Re: {ours} 3 W to M", "oz-1"), "oz-1", "Ozymandia") == ("3 W to M", True)
        assert not read_newcomer(read_words("Hello!"), "Hello!", f"Re: {ours}", generous=False).commands


def test_what_somebody_writes_behind_the_title_is_theirs() -> None:
    assert without_matter("Re: Ozymandia oz-1, turn 3: 2 A to M", "oz-1") == "Re: Ozymandia oz-1, turn 3: 2 A to M"


def test_an_empty_answer_to_any_letter_changes_nothing(people):
    people.write(ALICE, "3 A to M")
    for letter in list(people.got[ALICE]):
        people.write(ALICE, "", to=letter)
    assert [entry.canonical for entry in people.match().standing.values()] == ["3 A to M"]
    assert not people.match().later
