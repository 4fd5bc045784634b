"""Each command for which there is an intent, said once as a command and once in own words with `yes`: the desk does and
answers the same."""

import re
from collections.abc import Callable, Iterator

import pytest

from pbem.cli.demo import DemoDesk
from pbem.match.obey import _BY_INTENT, command_of
from pbem.orders import reader
from pbem.orders.command import Command, in_words
from pbem.orders.intents import find_intent
from support.cases import begun
from support.cores import Core
from support.correspondents import ALICE, BOB, Correspondents
from tools.understanding import CORPUS


def _command(label: str, text: str) -> Command | None:
    """The command that a wording of a label is understood as, if it is no question or command by itself."""
    intent = find_intent([text], ["Bob"])
    if intent is None or intent.how or intent.name != label or label in _BY_INTENT:
        return None
    return None if reader.read_words(text, "oz-1", begun().situation).commands else command_of(intent)


def _said() -> dict[str, tuple[str, Command]]:
    """For each label of the corpus that is a command: the first wording that is understood so, and that command."""
    said: dict[str, tuple[str, Command]] = {}
    label = ""
    for line in (CORPUS / "intents.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            label = line[3:]
        wordings = line.split(" · ") if label not in said and line[:1] not in "=#" else []
        for text in sorted(wordings, key=lambda text: "?" in text):  # a question may be answered without a command
            if label not in said and (command := _command(label, text)):
                said[label] = text, command
    return said


SAID = _said()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, _begun: DemoDesk, _database: bytes) -> Iterator[Core]:
    """A game that has something to tell of everything: turns, orders that stand, somebody who waits for a game."""
    core = Core(_begun, _database, tmp_path_factory.mktemp("played"))
    people = Correspondents(core)
    for _ in range(4):
        people.write(ALICE, "Pass")
        people.write(BOB, "Pass")
    people.write(BOB, "join rocknroll\nresume")
    people.write(ALICE, "1 A to M")
    yield core
    core.close()


@pytest.fixture
def desk(tmp_path_factory: pytest.TempPathFactory, played: Core) -> Iterator[Callable[[], Correspondents]]:
    """Copies of that game, in which Alice is Red."""
    copies: list[Core] = []

    def desk() -> Correspondents:
        copies.append(Core(played, played.store.conn.serialize(), tmp_path_factory.mktemp("copy")))
        return Correspondents(copies[-1])

    yield desk
    for core in copies:
        core.close()


def _until_done(people: Correspondents, text: str) -> str:
    """What is answered last to a letter of Alice's, and to her `yes` as long as she is asked for one."""
    answer = _said_of(people.write(ALICE, text))
    for _ in range(2):
        asked = people.table.store.value("SELECT count(*) FROM questions")
        if not asked:
            break
        answer = _said_of(people.write(ALICE, "yes"))
    return answer


def _said_of(news: dict[str, list[str]]) -> str:
    """What Alice is sent, without moments and what only this letter can have: numbers, words that open a seal."""
    text = " ".join(news.get(ALICE, []))
    return re.sub(r"Letters \d+ from you and \d+ to you|\b\d\d:\d\d\b|\b[0-9a-f]{32,}\b", "...", text)


ANSWERED = ("help orders",)
"""Labels of questions that are answered with more than the command tells."""


@pytest.mark.parametrize("label", [label for label in SAID if label not in ANSWERED])
def test_a_command_in_own_words_with_yes_does_and_answers_the_same_as_the_command(desk, label: str) -> None:
    text, command = SAID[label]
    in_own_words, as_command = desk(), desk()
    told = _until_done(in_own_words, text)
    assert told == _until_done(as_command, in_words(command))
    assert _stands(in_own_words) == _stands(as_command)


def _stands(people: Correspondents) -> tuple[object, ...]:
    """What of the match a command may change."""
    match = people.match()
    orders = {seat: entry.canonical for seat, entry in match.standing.items()}
    return match.phase, match.wishes, match.muted, match.holders, match.deadline, orders


def test_every_turn_so_far_is_in_a_history_that_was_asked_for_in_own_words(desk) -> None:
    answer = _until_done(desk(), "all turns so far please")
    assert all(f"{turn} Red Pass" in answer for turn in (1, 2, 3, 4))


def test_whoever_waits_for_a_game_is_told_to_who_asks_for_games_in_own_words(desk) -> None:
    answer = desk().say(ALICE, "Which other games can one play here?")
    assert "Nobody waits" not in answer
    assert "Rock'n'Roll Bob" in answer


def test_whoever_still_plays_is_told_so_at_once_when_they_ask_to_be_forgotten_in_own_words(desk) -> None:
    answer = desk().say(ALICE, "Please delete everything you have stored about me.")
    assert "Nothing has been removed: you are still playing oz-1" in answer
