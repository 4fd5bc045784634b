"""What people may be called: not what the desk is, however it is spelt, and not what somebody else in their game is."""

from collections.abc import Callable
from email.header import Header
from unicodedata import is_normalized
from unicodedata import name as character

import pytest
from confusable_homoglyphs.confusables import confusables_data

from pbem.i18n.words import words
from pbem.leagues.league_file import LeagueFileError, parse_players
from pbem.match import names
from pbem.match.identity import PersonError
from pbem.match.names import apart, checked_name, is_office, look_alike, plain_name, skeleton
from support import correspondents
from support.correspondents import ALICE, BOB, CAROL, DAVE, Correspondents

OFFICES = """
Game master, the GAME-MASTER, Games master, Game_master, Gamemaster of oz-1, GM, G.M., Game Desk, Operator, System,
Adjudicator, Moderator, Administrator, ADMIN, Postmaster, Mailer-Daemon, Umpire, Referee, Director, Support, pbem,
The Desk, System of the game, the Operator (official), Operator of Ozymandia, Game Master Bob, Computer,
Bob / Game Master,
Spielleiter, Spielleiterin, Spielleiter:in, Spielleiter*in, Die Spielleitung, Spielzentrale,
Schiedsrichter von oz-3,
Betreiber, Der Verwalter, Ведущий, Мастер игры, Судья, Администратор партии, Оператор, Система, Игровой центр,
КОМПЬЮТЕР, Ｇａｍｅ  master, Gаme master, GΑME MASTER, 𝐆𝐌, Вeдyщий, Macтep игры,
adm1n, Adm|n, 0perator, Systern, Gàmé Mäster,
S y s t e m, G a m e   M a s t e r, G-a-m-e-m-a-s-t-e-r, Game\u200bmaster, Sys\u00adtem, M\u0430iler\u2010D\u0430emon
"""
PEOPLE = """
Mastersmith, Gmeiner, Дескин, Graham, Systermann, Deskins, Bob, Anna Richter, G. M. Trevelyan, Ozymandia,
Modest Admiral, Игорь, Мастеров, Дмитрий Судьин, Ann Director, Judge Judy, Ted Desk, Bob of Orange, The Wizard,
Operatorov, 李明, O'Neill
"""


def several(text: str) -> list[str]:
    return [one.strip() for one in text.split(",")]


@pytest.mark.parametrize("name", several(OFFICES))
def test_nobody_is_called_what_the_desk_or_its_game_masters_are(name: str) -> None:
    assert is_office(name)
    assert plain_name(name) == ""
    with pytest.raises(PersonError, match="is the name of the desk or of someone who runs its games"):
        checked_name(name)


@pytest.mark.parametrize("name", several(PEOPLE))
def test_a_name_that_only_has_such_letters_is_a_name(name: str) -> None:
    assert plain_name(name) == name
    assert checked_name(name) == name


def test_nobody_is_called_as_the_desk_is() -> None:
    assert plain_name("Garnes by е-mail", "Games by e-mail") == ""
    assert plain_name("Garnes by е-mail") != ""


def test_every_letter_of_an_office_may_be_any_that_the_table_has_for_it() -> None:
    offices = [word for word in (*words("office", "always"), *words("office", "alone")) if len(word) > 3]
    tried = 0
    for word in offices:
        for at, letter in enumerate(word):
            for other in (one["c"] for one in confusables_data.get(letter, ())):
                if len(other) == 1 and character(other, "").startswith(("LATIN", "CYRILLIC", "GREEK", "DIGIT")):
                    assert is_office(word[:at] + other + word[at + 1 :]), (word, other)
                    tried += 1
    assert tried > 1000


def test_each_character_of_the_table_has_the_skeleton_of_those_it_is_taken_for() -> None:
    for char, alike in confusables_data.items():
        if is_normalized("NFD", char) and len(char) == 1:
            for other in (one["c"] for one in alike if len(one["c"]) == 1 and is_normalized("NFD", one["c"])):
                assert names._prototypes(char) == names._prototypes(other), (char, other)


def test_names_that_look_alike_are_told_apart_by_a_number() -> None:
    assert look_alike("Alice", "АIiсe")
    assert not look_alike("Müller", "Möller")
    assert not look_alike("👑", "🐱")
    assert skeleton("Аlice") == skeleton("alice")
    assert [apart("Alice", taken) for taken in ([], ["Bob"], ["AIice"], ["alice", "Alice 2"])] == [
        "Alice", "Alice", "Alice 2", "Alice 3"
    ]  # fmt: skip
    assert apart("", ["Bob"]) == ""


def test_a_players_file_names_offices_and_names_that_look_alike() -> None:
    with pytest.raises(LeagueFileError) as found:
        parse_players("Alice <a@example.org>\nАlice <b@example.org>\nGame mаster <c@example.org>\nBob <b@example.org>")
    assert [one.partition(":")[0] for one in found.value.problems] == ["line 2", "line 3", "line 4"]
    assert "this name, or one that looks like it, stands at line 1 already" in found.value.problems[0]
    assert "choose another one" in found.value.problems[1]


@pytest.fixture
def people(table) -> Correspondents:
    return Correspondents(table)


@pytest.fixture
def goes_by(monkeypatch) -> Callable[[str, str], None]:
    """Somebody's mail program sends a name."""
    return lambda who, name: monkeypatch.setitem(correspondents.NAMES, who, Header(name, "utf-8").encode())


def called(people: Correspondents, name: str = "oz-2") -> list[str]:
    return [holder.name for holder in people.match(name).holders.values()]


def test_a_newcomer_who_poses_is_not_locked_out_but_called_by_their_side_and_told_how_to_choose(people, goes_by):
    goes_by(CAROL, "Gаme master")
    (asked,) = people.write_anew(CAROL, "challenge computer")[CAROL]
    assert (
        "In games you are called by your side, because the name your mail program sends is, or looks like, the name "
        "of the desk or of someone who runs its games." in asked
    )
    assert "To choose another name, send it with your next `yes`, `join`, `accept` or `challenge`." in asked
    assert "mаster" not in asked
    people.write(CAROL, "yes")
    assert called(people) == ["Red", "Computer (level 2)"]
    goes_by(CAROL, "Carol")
    people.write(CAROL, "challenge computer")
    assert called(people, "oz-3") == ["Carol", "Computer (level 2)"]
    assert called(people) == ["Carol", "Computer (level 2)"]


def test_the_yes_of_a_newcomer_may_bring_another_name(people, goes_by):
    goes_by(CAROL, "System")
    people.write_anew(CAROL, "challenge computer")
    goes_by(CAROL, "Carol")
    people.write(CAROL, "yes")
    assert called(people) == ["Carol", "Computer (level 2)"]


def test_whoever_accepts_as_the_game_master_is_called_by_their_side_and_told_so(people, goes_by):
    goes_by(CAROL, "Spielleiter (oz-2)")
    people.write(ALICE, f"challenge {CAROL}")
    news = people.write(CAROL, "accept")
    assert any("In games you are called by your side" in letter for letter in news[CAROL])
    assert called(people) == ["Alice", "Blue"]
    assert not any("Spielleiter" in letter for letter in news[ALICE])


def test_whoever_accepts_with_the_name_of_somebody_there_gets_a_number(people, goes_by):
    goes_by(CAROL, "АIice")
    people.write(ALICE, f"challenge {CAROL}")
    people.write(CAROL, "accept")
    assert called(people) == ["Alice", "АIice 2"]


def test_a_seat_that_goes_to_a_namesake_and_a_game_of_namesakes_tell_them_apart(people, goes_by):
    goes_by(DAVE, "Bob")
    people.write_anew(DAVE, "join")
    people.write(DAVE, "yes")
    people.write(ALICE, f"hand over to {DAVE}")
    people.write(ALICE, "yes")
    people.write(DAVE, "accept")
    assert called(people, "oz-1") == ["Bob 2", "Bob"]
    people.write(BOB, f"challenge {DAVE}")
    assert called(people) == ["Bob", "Bob 2"]


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("english", "the name of the desk or of someone who runs its games: choose another one."),
        ("deutsch", "Schreib einen anderen Namen."),
        ("русский", "напишите другое."),
    ],
)
def test_a_game_master_gives_nobody_the_name_of_an_office(people, language, told):
    master = "operator@example.org"
    people.write_anew(master, f"language {language}")
    people.write(master, "yes")
    people.write_anew(master, f"replace oz-1 red with Gаme master <{CAROL}> because she is away")
    assert any(told in letter for letter in people.write(master, "yes")[master])
    assert people.match("oz-1").holders["red"].name == "Alice"
