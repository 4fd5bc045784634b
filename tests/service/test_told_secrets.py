"""A secret that was told is never used again, however a game goes on after that."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from email.message import Message
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from pbem import games
from pbem.cli.demo import DemoDesk
from pbem.games.capabilities import opening_of
from pbem.games.chance import commitment, read_source, turn_secret
from pbem.match.model import Match
from pbem.match.terms import Terms
from pbem.record.exports import write_json
from pbem.record.notation import read_record, write_record
from pbem.service.tick import poll as run_desk
from pbem.store.backup import back_up, restore_desk
from pbem.store.database import Store, connect
from pbem.store.histories import load_history
from pbem.store.matches import load_match
from pbem.store.verify import Audit
from support.commands import pbem
from support.correspondents import ALICE, BOB, Correspondents
from support.game_masters import say, set_terms
from support.trial import Trial
from support.trials import NOON, flat, hand, match_of

SECRET = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")


def decide(table: DemoDesk, *words: str) -> None:
    """Decide on a game on the command line."""
    now = f"{table.now:%Y-%m-%dT%H:%MZ}"
    told = pbem("--config", table.config.path, "--now", now, "game", *words, "--reason", "a test")
    assert told.exit_code == 0, told.output


class Told:
    """A desk with a game of chance, and all that anybody was told by it."""

    def __init__(self, folder: Path, game: str, **options: object) -> None:
        self.folder = folder
        self.table = DemoDesk(folder / "desk", NOON, game, **options)
        self.heard: list[str] = []
        self.hear(self.table.poll())
        self.name = self.match.name

    @property
    def match(self) -> Match:
        return match_of(self.table)

    def hear(self, letters: list[tuple[str, Message]]) -> str:
        """Keep letters, with the record and the export as they are then; return what the letters say."""
        texts = [flat(letter) for _, letter in letters]
        history = load_history(self.table.store, 1)
        self.heard += [*texts, write_record(history), write_json(history)]
        return " ".join(texts)

    def say(self, text: str) -> str:
        return self.hear(say(self.table, f"{text} because of a test"))

    def turn(self) -> None:
        """Everybody who is asked gives orders, and the turn is played."""
        for seat in self.match.missing():
            is_trial = self.table.game.name == "trial"
            orders = f"Ставлю {max(hand(self.table, seat))}" if is_trial else self.table.opponent_orders(seat)
            self.table.write(seat, orders)
        self.hear(self.table.poll())

    def command(self, *words: str) -> None:
        """A decision on the command line, of which nothing is left when an older database is put back."""
        decide(self.table, *words)
        self.hear(self.table.poll())

    def put_back(self) -> str:
        """A backup from before the end is put back."""
        table, database = self.table, self.table.config.database
        table.close()
        before = database.with_name(f"before-{len(self.heard)}.db")
        restore_desk(self.folder / "backup.db", database, lambda text: None, before)
        table.now += timedelta(hours=1)
        run_desk(table.config, table.now, lambda text: None)
        table.store, table._seen = Store(connect(database)), 0
        return self.hear([*table.letters()])

    def secrets(self) -> set[str]:
        """All that may be a secret in what anybody was told."""
        return set(SECRET.findall(" ".join(self.heard)))


def resigned(told: Told) -> None:
    (seat, *_) = told.match.seats
    told.table.write(seat, "resign")
    told.hear(told.table.poll())
    told.table.write(seat, "yes")
    told.hear(told.table.poll())


def awarded(told: Told) -> None:
    told.command("award", told.name, told.match.seats[0])


def annulled(told: Told) -> None:
    told.command("annul", told.name)


def awarded_and_annulled(told: Told) -> None:
    awarded(told)
    annulled(told)


def annulled_in_review(told: Told) -> None:
    set_terms(told.table, review=timedelta(days=2))
    told.turn()
    annulled(told)
    set_terms(told.table)


def played_out(told: Told) -> None:
    while not told.match.over:
        told.turn()


def reopened(told: Told) -> str:
    return told.say(f"reopen {told.name}")


def reopened_twice(told: Told) -> str:
    reopened(told)
    awarded(told)
    return reopened(told)


def annulment_and_award_taken_back(told: Told) -> str:
    reopened(told)
    return reopened(told)


def rolled_back(told: Told) -> str:
    return told.say(f"rollback {told.name} 1")


def rolled_back_later(told: Told) -> str:
    """It goes on at first where it stood."""
    reopened(told)
    return rolled_back(told)


def played_again_later(told: Told) -> str:
    reopened(told)
    return told.say(f"readjudicate {told.name}")


def released(told: Told) -> str:
    reopened(told)
    return told.hear(say(told.table, f"release {told.name}"))


def played_again_in_review(told: Told) -> str:
    reopened(told)
    return told.say(f"readjudicate {told.name}")


def put_back(told: Told) -> str:
    return told.put_back()


def put_back_twice(told: Told) -> str:
    told.put_back()
    reopened(told) if told.match.over else awarded(told)
    return told.put_back()


def put_back_and_reopened(told: Told) -> str:
    """What came of it before is told, too."""
    reopened(told)
    told.turn()
    awarded(told)
    told.put_back()
    awarded(told)
    return reopened(told)


WAYS: tuple[tuple[Callable[[Told], None], Callable[[Told], str]], ...] = (
    (resigned, reopened),
    (awarded, reopened),
    (annulled, reopened),
    (awarded, reopened_twice),
    (awarded_and_annulled, annulment_and_award_taken_back),
    (awarded, rolled_back),
    (awarded, rolled_back_later),
    (awarded, played_again_later),
    (annulled_in_review, reopened),
    (annulled_in_review, released),
    (annulled_in_review, rolled_back_later),
    (annulled_in_review, played_again_in_review),
    (played_out, rolled_back),
    (awarded, put_back),
    (annulled, put_back),
    (awarded, put_back_twice),
    (awarded, put_back_and_reopened),
)
"""How a game ends, and how it goes on after its secret was told."""

GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("trial", {"seats": 2, "terms": Terms(chance="words")}),
    ("rocknroll", {"length": "short", "terms": Terms(chance="words")}),
    ("rocknroll", {"length": "short", "terms": Terms(chance="desk")}),
    ("ozz", {"turns": 9, "terms": Terms(chance="words")}),
)

OF_EACH_GAME = ((annulled, reopened), (annulled, put_back))
"""Those that are tried each day with every game; the others only with the quick one."""


def check(told: Told, letters: str) -> None:
    """Nothing told leads to the secret of the open turn or of the game, whose hashes the letters tell."""
    match, known = told.match, told.secrets()
    assert not match.over
    open_turn, newest = read_source(match.secret), match.deck.rpartition(" ")[2]
    assert read_source(newest).secret not in known
    turns, attempts = range(match.turn + 2), (*range(open_turn.attempt + 3), open_turn.attempt)
    derived = {turn_secret(secret, turn, attempt) for secret in known for turn in turns for attempt in attempts}
    assert open_turn.secret not in known | derived
    assert commitment(newest) in letters
    assert match.phase == "review" or commitment(match.secret) in letters
    assert [*Audit(told.table.store.conn).differences()] == []


def goes_on(told: Told) -> None:
    """Turns are played, and when it is over the record tells everything, and proves it."""
    if told.match.phase == "review":
        told.hear(say(told.table, f"release {told.name}"))
    for _ in range(2):
        if not told.match.over:
            told.turn()
    if not told.match.over:
        annulled(told)
    assert [*Audit(told.table.store.conn).differences()] == []
    history = load_history(told.table.store, 1)
    assert {read_source(source).secret for source in told.match.deck.split(" ")} <= told.secrets()
    again = read_record(write_record(history))
    assert not again.problems
    assert again.history is not None
    assert again.history.state == history.state


def cases() -> Iterator[ParameterSet]:
    for game, options in GAMES:
        for end, way in WAYS:
            marks = [] if game == "trial" or (end, way) in OF_EACH_GAME else [pytest.mark.long]
            name = f"{game} {options['terms'].chance} {end.__name__} {way.__name__}"
            yield pytest.param(game, options, end, way, marks=marks, id=name)


@pytest.mark.parametrize(("game", "options", "end", "way"), [*cases()])
def test_nobody_can_work_out_what_is_thrown_after_a_game_has_gone_on(
    tmp_path, monkeypatch, game, options, end, way
) -> None:
    monkeypatch.setattr(games, "GAMES", {**games.GAMES, "trial": Trial()})
    told = Told(tmp_path, game, **options)
    for _ in range(2):
        told.turn()
    back_up(told.table.config.database, tmp_path / "backup.db", lambda text: None)
    end(told)
    assert told.match.over
    check(told, way(told))
    goes_on(told)
    told.table.close()


def ended(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Told:
    """A game of which two turns were played, and whose end has told its secret."""
    monkeypatch.setattr(games, "GAMES", {**games.GAMES, "trial": Trial()})
    told = Told(folder, "trial", seats=2)
    told.turn()
    told.turn()
    awarded(told)
    return told


@pytest.mark.parametrize(
    ("place", "cheating", "found"),
    [
        (
            "pbem.match.rollback.with_new_secret",
            lambda match: match,
            "Turn 3 of tr-1 was played from a secret of the game that had been told.",
        ),
        (
            "pbem.match.chance.renewed_secret",
            lambda root, number: "ab" * 32,
            "A new secret of tr-1 is not the next one that follows from what was settled at its start.",
        ),
        (
            "pbem.match.chance.dealt_anew",
            lambda game, state, chance: state,
            "What was hidden in tr-1 was not dealt anew as its secret says for turn 3.",
        ),
        (
            "pbem.match.rollback.dealing",
            lambda before, after: [],
            "Turn 3 of tr-1 was played before what was hidden was dealt anew.",
        ),
    ],
    ids=["the secret that was told", "a secret that suits", "hands that were shown", "no deal"],
)
def test_a_desk_that_goes_on_as_it_likes_is_found(tmp_path, monkeypatch, place, cheating, found) -> None:
    told = ended(tmp_path, monkeypatch)
    with monkeypatch.context() as patch:
        patch.setattr(place, cheating)
        reopened(told)
    told.turn()
    assert found in [*Audit(told.table.store.conn).differences()]
    told.table.close()


def test_hands_that_were_shown_are_dealt_anew_and_orders_for_them_are_dropped(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(games, "GAMES", {**games.GAMES, "trial": Trial()})
    told = Told(tmp_path, "trial", seats=2)
    set_terms(told.table, early=False)
    told.table.write("amber", f"Ставлю {max(hand(told.table, 'amber'))}")
    told.hear(told.table.poll())
    assert told.match.standing
    shown = told.match.state["hands"]
    awarded(told)
    letters = reopened(told)
    assert told.match.state["hands"] != shown
    assert not told.match.standing
    assert "so the game has a new one, whose hash is attached" in letters
    assert "Everything hidden is dealt again, hands included." in letters
    assert letters.count("This cancels the orders you had sent: send new ones.") == 1
    assert [*Audit(told.table.store.conn).differences()] == []
    told.table.close()


@pytest.mark.parametrize("kind", ["desk", "words"])
def test_a_game_that_was_called_off_before_all_had_accepted_is_set_up_by_a_new_secret(table, kind) -> None:
    people = Correspondents(table)
    people.write(ALICE, f"challenge {BOB} to rocknroll")
    before = load_match(table.store, 2)
    table.store.conn.execute("UPDATE matches SET deck = replace(deck, 'words', ?) WHERE id = 2", (kind,))
    decide(table, "annul", before.name)
    decide(table, "reopen", before.name)
    people.poll()
    offered = load_match(table.store, 2)
    assert (offered.phase, offered.chance) == ("offered", kind)
    first, second = map(read_source, offered.deck.split(" "))
    assert first.secret == read_source(before.deck).secret != second.secret
    people.write(BOB, "accept")
    match = load_match(table.store, 2)
    assert match.phase == "running"
    assert opening_of(match.game, match.state, str(read_source(match.deck.split(" ")[1])))
    assert [*Audit(table.store.conn).differences()] == []


def test_dice_shows_what_was_dealt_anew(tmp_path, monkeypatch) -> None:
    told = ended(tmp_path, monkeypatch)
    reopened(told)
    told.turn()
    awarded(told)
    newest = told.match.deck.rpartition(" ")[2]
    file = tmp_path / "game.pbem"
    file.write_text(write_record(load_history(told.table.store, 1)))
    printed = pbem("dice", file).output
    assert "tr-1, before turn 3 (1): everything hidden is dealt anew" in printed
    assert f"SHA-256  {commitment(newest)}" in printed
    assert pbem("verify", file).exit_code == 0
    told.table.close()
