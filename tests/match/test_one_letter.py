"""What a letter brings about is told to its writer once: in the letter that tells everybody, not in an answer beside
it."""

from collections.abc import Sequence
from email.message import Message

import pytest

from pbem.cli.demo import DemoDesk
from support.correspondents import ALICE, BOB, CAROL, Correspondents, come, sure
from support.players import CARLA, DAY, Players

TURN = ((ALICE, "3 A to M"), (BOB, "2 H to S"))
BY_AGREEMENT = {
    "draw": (
        "The game is a draw. Both sides agreed to a draw.",
        "Die Partie endet remis. Beide Seiten haben sich auf Remis geeinigt.",
        "Партия закончилась вничью. Обе стороны согласились на ничью.",
    ),
    "take back": (
        "Turn 1 of oz-1 has been taken back by both players.",
        "Runde 1 von oz-1 ist auf Wunsch beider Spieler zurückgenommen.",
        "Ход 1 партии oz-1 отменён по желанию обоих игроков.",
    ),
    "vote extend 2 days": (
        "The deadline of turn 2 has been moved by both players",
        "Die Frist für Runde 2 ist auf Wunsch beider Spieler verlängert:",
        "Срок хода 2 перенесён по желанию обоих игроков.",
    ),
    "pause": (
        "The game oz-1 has been paused by both players.",
        "Die Partie oz-1 pausiert auf Wunsch beider Spieler:",
        "Партия oz-1 приостановлена по решению обоих игроков",
    ),
    "vote annul": (
        "The game oz-1 has been annulled by both players",
        "Die Partie oz-1 ist auf Wunsch beider Spieler annulliert",
        "Партия oz-1 аннулирована по желанию обоих игроков",
    ),
}
ELSEWHERE = ("separate letter", "eigenen Brief", "отдельном письме")
LANGUAGES = ("english", "deutsch", "русский")


@pytest.fixture
def people(table: DemoDesk) -> Correspondents:
    """Alice is Red and Bob is Blue in oz-1, where one turn has been played."""
    people = Correspondents(table)
    for who, text in TURN:
        people.write(who, text)
    return people


def lead(letter: str) -> str:
    """A letter from its first sentence on, below the line that says where to answer."""
    return letter.split("==")[2].strip()


def answers(letter: Message, written: Message) -> bool:
    return letter["In-Reply-To"] == written["Message-ID"]


@pytest.mark.parametrize("at", range(3))
@pytest.mark.parametrize("wish", BY_AGREEMENT)
def test_who_agrees_is_told_what_has_come_of_it_in_one_letter_that_answers_his(
    people: Correspondents, wish: str, at: int
) -> None:
    people.write(BOB, f"language {LANGUAGES[at]}")
    people.write(ALICE, wish)
    written = people.answer(BOB, "yes")
    people.table.deliver(written.as_bytes())
    (told,) = people.poll()[BOB]
    assert lead(told).startswith(BY_AGREEMENT[wish][at])
    assert ELSEWHERE[at] not in told
    assert answers(people.got[BOB][-1], written)


def test_who_resigns_gets_the_end_of_the_game_and_nothing_else(people: Correspondents) -> None:
    (told,) = sure(people, ALICE, "resign")[ALICE]
    assert lead(told).startswith("Bob (Blue) has won. Red resigned.")
    assert "We tell your opponent" not in told
    assert [part.get_filename() for part in people.got[ALICE][-1].walk()].count("oz-1.txt") == 1


def test_who_leaves_others_to_play_on_is_told_so_in_one_letter(begin) -> None:
    people = begin("ozz", {"nations": ("munchkins", "winkies", "gillikins")})
    (told,) = sure(people, ALICE, "resign")[ALICE]
    assert lead(told).startswith("You have left ozz-1; the others play on.")


def test_whose_vote_decides_gets_the_decision_with_all_votes_in_one_letter(begin) -> None:
    people: Players = begin("ozz", {"nations": ("munchkins", "winkies", "gillikins")}, votes="majority")
    people.write(ALICE, "pause")
    people.write(BOB, "no")
    (told,) = people.write(CARLA, "yes")[CARLA]
    assert lead(told).startswith("The game ozz-1 has been paused by a majority of the players.")
    assert "For it Alice (Munchkins) and Carla (Gillikins) Against it Bob (Winkies)" in told


def test_who_accepts_last_gets_the_beginning_of_the_game_and_nothing_else(people: Correspondents) -> None:
    come(people, CAROL)
    people.write(ALICE, f"challenge {CAROL}")
    (told,) = people.write(CAROL, "accept")[CAROL]
    assert lead(told).startswith("Everyone has accepted: the game oz-2 begins.")
    assert "the next letter brings" not in told


def test_who_takes_over_a_seat_gets_the_game_in_one_letter(people: Correspondents) -> None:
    come(people, CAROL)
    sure(people, ALICE, f"hand over to {CAROL}")
    (told,) = people.write(CAROL, "accept")[CAROL]
    assert lead(told).startswith("You play oz-1 from now on, as Red.")
    assert "separate letter" not in told
    assert "receipt 2-1" in people.say(CAROL, "1 M to W")


WHAT_ELSE: Sequence[tuple[str, str]] = (
    ("yes\nmy settings", "Your settings"),
    ("draw\npress: well played!", "We have passed on what you wrote"),
    ("draw\nregards to the family", 'Taken as remarks, not as orders: "regards to the family"'),
)


@pytest.mark.parametrize(("text", "beside"), WHAT_ELSE)
def test_whatever_else_the_answer_says_follows_the_news(people: Correspondents, text: str, beside: str) -> None:
    people.write(ALICE, "draw")
    (told,) = people.write(BOB, text)[BOB]
    assert lead(told).startswith(BY_AGREEMENT["draw"][0])
    assert beside in told
    assert "You have both agreed" not in told
    assert told.count("The board at the end") == 1


def test_an_answer_that_asks_something_stays_a_letter_of_its_own(people: Correspondents) -> None:
    people.write(ALICE, "draw")
    end, answer = people.write(BOB, "draw\naddress bob@example.org")[BOB]
    assert lead(end).startswith(BY_AGREEMENT["draw"][0])
    assert "You have both agreed to a draw" in answer
    assert "Is bob@example.org yours? If so, answer `yes`." in answer


def test_whoever_wants_more_letters_gets_the_answer_apart(people: Correspondents) -> None:
    people.write(BOB, "more letters")
    people.write(ALICE, "draw")
    end, answer = people.write(BOB, "yes")[BOB]
    assert lead(end).startswith(BY_AGREEMENT["draw"][0])
    assert lead(answer).startswith("You have both agreed to a draw: the game is over.")


def test_whoever_gets_a_daily_digest_is_answered_at_once_and_only_then(people: Correspondents) -> None:
    people.write(BOB, "digest daily")
    people.write(ALICE, "draw")
    (told,) = people.write(BOB, "yes")[BOB]
    assert lead(told).startswith(BY_AGREEMENT["draw"][0])
    assert BOB not in people.poll(2 * DAY)


def test_the_record_tells_that_the_letter_was_answered_and_by_which_letter(people: Correspondents) -> None:
    people.write(ALICE, "draw")
    people.write(BOB, "yes")
    rows = people.table.store.conn.execute("SELECT outcome FROM letters ORDER BY id DESC LIMIT 1")
    assert rows.fetchone()[0] == "answered: notice"
    sent = people.table.store.conn.execute("SELECT kind FROM outbox WHERE seat = 'blue' ORDER BY id DESC LIMIT 1")
    assert sent.fetchone()[0] == "course"
