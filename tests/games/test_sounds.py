"""Names recognised by their sound."""

from pbem.games.kit.sounds import Sounds, sound_of
from support.each import each

NAMES = ("Atlantea", "Mu", "Mystery City", "Shalomar", "Ulteria", "Wyvernia", "Wizard City", "Harmony City", "Zephyria")
SOUNDS = Sounds((name, name) for name in NAMES)


@each(
    ("text", "name"),
    [
        ("Атлантеи", "Atlantea"),
        ("атлантею", "Atlantea"),
        ("Му", "Mu"),
        ("шаломара", "Shalomar"),
        ("Ультерией", "Ulteria"),
        ("вайвернию", "Wyvernia"),
        ("визард сити", "Wizard City"),
        ("Мистери-Сити", "Mystery City"),
        ("зефирию", "Zephyria"),
        ("хармони сити", "Harmony City"),
        ("Wivernia", "Wyvernia"),
        ("Zefiria", "Zephyria"),
        ("Mistery City", "Mystery City"),
    ],
)
def test_names_are_heard_in_both_alphabets_and_in_any_case(text: str, name: str) -> None:
    assert SOUNDS.heard(text) == name


@each("text", ["мистер", "город", "мы", "Ultra", "Mister", "Atlanta", "в", ""])
def test_other_words_are_not_heard_as_names(text: str) -> None:
    assert SOUNDS.heard(text) == ""


PLACES = Sounds((name, name) for name in ("Sourdough", "Oogaboo", "Hardsole", "Jinjar", "Zoraster", "Cavalry"))


@each(
    ("text", "name"),
    [
        ("сурдо", "Sourdough"),
        ("Саурдоу", "Sourdough"),
        ("угабу", "Oogaboo"),
        ("хардсоли", "Hardsole"),
        ("зор", "Zoraster"),
        ("cav", "Cavalry"),
    ],
)
def test_a_word_with_other_vowels_or_a_beginning_resembles_a_name(text: str, name: str) -> None:
    assert PLACES.resembled(text) == name


@each("text", ["среду", "сердце", "ха", "ca", "cavalr", "губ", "гора", ""])
def test_other_words_resemble_no_name(text: str) -> None:
    assert PLACES.resembled(text) == ""


def test_a_russian_name_may_begin_like_an_english_one() -> None:
    assert PLACES.heard("Джинджара") == "Jinjar"


def test_what_may_be_two_names_is_neither() -> None:
    assert Sounds([("Arinea", "1"), ("Arineia", "2")]).heard("Аринеи") == ""
    assert Sounds([("Munchkins", "1"), ("Mayor", "2"), ("Mayhem", "3")]).resembled("may") == ""


def test_letters_that_sound_the_same_are_the_same() -> None:
    assert sound_of("Phoenix") == sound_of("Fönix".replace("ö", "oe"))
    assert sound_of("Чили") == sound_of("Chilli")


def test_names_without_letters_or_of_vowels_alone_do_no_harm() -> None:
    sounds = Sounds([("12", "nothing"), ("Aia", "vowels"), ("Ulteria", "Ulteria")])
    assert sounds.heard("Ультерией") == "Ulteria"
    assert sounds.heard("Айа") == "vowels"
    assert sounds.heard("ааа") == ""
    assert sounds.heard("12") == ""
