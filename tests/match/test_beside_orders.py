"""Orders in notation stand beside anything that does not change them, and the other thing is seen to as well."""

from pbem.match.effects import Ask, Effect, TakeOrders
from pbem.match.receive import receive
from pbem.orders.command import Asking, Command, Press
from support.cases import NOON, begun, letter, told
from support.each import each

SEATS = {"ozymandia": "red", "ozz": "munchkins", "rocknroll": "vpa"}


def answered(game: str, text: str) -> list[Effect]:
    return receive(letter(text, begun(game), SEATS[game]), NOON)


def taken(effects: list[Effect]) -> str:
    return "".join(effect.entry.canonical for effect in effects if isinstance(effect, TakeOrders))


def asked_about(effects: list[Effect]) -> tuple[str, ...]:
    return tuple(line for section in told(effects) for line in section.values.get("perhaps", ()))


def offered(effects: list[Effect]) -> list[Command]:
    return [effect.open_command.command for effect in effects if isinstance(effect, Ask)]


@each(
    ("game", "text", "orders"),
    [
        ("ozymandia", "1 A to AC\nKeine Bombe.", "1 A to AC"),
        ("ozymandia", "No bomb.\n1 A to AC", "1 A to AC"),
        ("ozymandia", "No bomb. 1 A to AC", "1 A to AC"),
        ("ozymandia", "1 A to AC. Keine Bombe. Schönen Abend!", "1 A to AC"),
        ("ozymandia", "1 A в AC\nБез бомбы.", "1 A to AC"),
        ("ozymandia", "1 A to AC\nDon't bomb anybody.", "1 A to AC"),
        ("ozymandia", "1 A to AC\nSorry for the delay, our cat was ill.", "1 A to AC"),
    ],
)
def test_orders_stand_beside_a_refusal_of_what_was_not_ordered(game: str, text: str, orders: str) -> None:
    effects = answered(game, text)
    assert taken(effects) == orders
    assert not asked_about(effects)


@each(
    "text",
    [
        "1 A to AC; Bomb VC\nNo bomb.",
        "1 A to AC\nNo bomb unless he comes.",
        "1 A to AC\nIf Bob comes, better wait.",
        "1 A to AC\nWait for Bob before you play this.",
        "1 A to AC\nor rather 2?",
        "1 A to AC. Not sure, though.",
        "1 A в AC\nБомбу не надо, и ход тоже не надо.",
        "If Bob comes, better wait. 1 A to AC",
    ],
)
def test_what_may_change_orders_is_never_passed_over(text: str) -> None:
    effects = answered("ozymandia", text)
    assert not taken(effects) or asked_about(effects)
    assert not offered(effects)


@each(
    "line",
    [
        "Bob comes, so do not play this.",
        "Bob and I agreed to do nothing this turn.",
        "My opponent knows my plan, so drop this.",
        "Bob weiß davon, also lass das lieber.",
        "Mein Gegner kennt den Plan, also bitte streichen.",
        "Боб знает мой план, так что не надо этого хода.",
        "Бобу не говори, но этот ход отменяется.",
    ],
)
def test_whoever_is_named_a_line_that_may_change_orders_is_asked_about(line: str) -> None:
    effects = answered("ozymandia", f"1 A to AC\n{line}")
    assert not taken(effects) or asked_about(effects) == (line,)
    assert not offered(effects)


def test_a_line_that_is_addressed_to_another_player_is_offered_as_press() -> None:
    effects = answered("ozymandia", "1 A to AC\nFor Bob: do not count on this move.")
    assert taken(effects) == "1 A to AC"
    assert offered(effects) == [Press("do not count on this move.")]


@each(
    ("text", "command"),
    [
        ("Bob, your roof is leaking.", Press("Bob, your roof is leaking.")),
        ("For Bob: your roof is leaking.", Press("your roof is leaking.")),
        ("An Bob: dein Dach ist undicht.", Press("dein Dach ist undicht.")),
        ("Бобу: у тебя крыша течёт.", Press("у тебя крыша течёт.")),
        ("To my opponent: your roof is leaking.", Press("your roof is leaking.")),
    ],
)
def test_words_for_the_opponent_beside_orders_are_offered_as_press(text: str, command: Command) -> None:
    effects = answered("ozymandia", f"1 A to AC\n{text}")
    assert taken(effects) == "1 A to AC"
    assert not asked_about(effects)
    assert offered(effects) == [command]


@each("text", ["Hi Bob,", "Cheers, Bob", "challenge Bob"])
def test_greetings_and_what_is_nearly_a_command_are_not_offered_as_press(text: str) -> None:
    effects = answered("ozymandia", f"{text}\n1 A to AC")
    assert taken(effects) == "1 A to AC"
    assert not offered(effects)


@each(
    "question",
    [
        "Is there a picture of this board that I can hang on my wall?",
        "Gibt es von diesem Spielplan auch ein Bild für meine Wand?",
        "А есть ли картинка этого поля, чтобы повесить на стену?",
    ],
)
def test_a_question_beside_orders_is_offered_to_the_game_master(question: str) -> None:
    effects = answered("ozymandia", f"1 A to AC\n{question}")
    assert taken(effects) == "1 A to AC"
    assert not asked_about(effects)
    assert offered(effects) == [Asking("gm", question)]


@each(
    ("game", "text", "orders"),
    [
        ("ozz", "Move SOU MCA: M2-M4\nKein Rückzug angeordnet, alles wie üblich.", "Move SOU MCA: M2-M4"),
    ],
)
def test_a_line_of_prose_that_is_no_order_does_not_hold_up_orders(game: str, text: str, orders: str) -> None:
    effects = answered(game, text)
    assert taken(effects) == orders
    assert any("remarks" in section.values for section in told(effects))
