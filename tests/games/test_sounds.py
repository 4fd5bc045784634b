"""Names recognised by their sound."""

from pbem.games.kit.sounds import heard, sound_of, sounds_of
from support.each import each

NAMES = ("Atlantea", "Mu", "Mystery City", "Shalomar", "Ulteria", "Wyvernia", "Wizard City", "Harmony City", "Zephyria")
SOUNDS = sounds_of((name, name) for name in NAMES)


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
    assert heard(text, SOUNDS) == name


@each("text", ["мистер", "город", "мы", "Ultra", "Mister", "Atlanta", "в", ""])
def test_other_words_are_not_heard_as_names(text: str) -> None:
    assert heard(text, SOUNDS) == ""


def test_what_may_be_two_names_is_neither() -> None:
    assert heard("Аринеи", sounds_of([("Arinea", "1"), ("Arineia", "2")])) == ""


def test_letters_that_sound_the_same_are_the_same() -> None:
    assert sound_of("Phoenix") == sound_of("Fönix".replace("ö", "oe"))
    assert sound_of("Чили") == sound_of("Chilli")
