"""A desk whose database is put back reads its letters again, turn by turn, and tells everybody where they stand."""

import email
import shutil
import sqlite3
from contextlib import closing
from datetime import timedelta
from email.message import Message
from pathlib import Path

import pytest

from pbem.cli.demo import DemoDesk
from pbem.games.chance import commitment
from pbem.service.tick import poll as run_desk
from pbem.store.backup import back_up as copy
from pbem.store.backup import restore_desk
from pbem.store.database import Store, connect
from pbem.store.matches import load_match, load_turns
from pbem.store.verify import Audit
from support.desks import Folders, Servers, TestDesk, flat
from support.killer import poll
from support.trials import add_trial, hand, match_of, trial_table

AGAIN = "This desk has lost what happened after"


class InOrder(Folders):
    """Maildirs whose letters are read as they came: their numbers come again when a database is put back."""

    def sent(self) -> list[bytes]:
        paths = sorted((self.outbox / "new").iterdir(), key=lambda path: path.stat().st_mtime_ns)
        return [path.read_bytes() for path in paths]


@pytest.fixture(params=["Maildir", "IMAP"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> TestDesk:
    """A desk with a game whose first turn waits for orders, and a backup of that."""

    def servers(folder: Path) -> Servers:
        return Servers(request.getfixturevalue("account"), request.getfixturevalue("sink"))

    made = TestDesk(tmp_path / "desk", InOrder if request.param == "Maildir" else servers)
    made.new_game("--deadline", "3 days")
    made.quiet_poll()
    back_up(made)
    return made


def back_up(desk: TestDesk) -> None:
    assert desk.run("backup", f"{desk.folder}/../backup.db").status == 0


def restore(desk: TestDesk) -> None:
    assert desk.run("restore", f"{desk.folder}/../backup.db", "--replace").status == 0


def play(desk: TestDesk, red: str, blue: str) -> None:
    desk.write("red", red)
    desk.write("blue", blue)
    desk.quiet_poll()


def first_poll(desk: TestDesk) -> list[tuple[str, Message]]:
    """The run that notices; what it sent."""
    told = desk.poll()
    assert told.status == 1
    assert "The database was put back to what it was at 2026-11-21 12:05 UTC." in "".join(told.lines)
    return desk.read()


def state(desk: TestDesk) -> tuple[int, str, list[str]]:
    """Turn, position, and who must still write."""
    with closing(connect(desk.folder / "pbem.db")) as conn:
        match = load_match(Store(conn), 1)
        assert [*Audit(conn).differences()] == []
        return match.turn, str(match.state), match.missing()


def last_of(letters: list[tuple[str, Message]], seat: str) -> str:
    return flat([letter for whose, letter in letters if whose == seat][-1])


def ids(desk: TestDesk) -> list[str]:
    return [str(email.message_from_bytes(raw)["Message-ID"]) for raw in desk.post.sent()]


def test_letters_of_several_turns_are_read_again_turn_by_turn(desk):
    play(desk, "3 A to M", "1 H to S")
    play(desk, "Pass", "2 E to U")
    desk.write("red", "1 M to MC")
    desk.quiet_poll()
    before = state(desk)
    assert before[0] == 3
    restore(desk)
    letters = first_poll(desk)
    assert state(desk) == before
    assert AGAIN in last_of(letters, "red")
    assert "Your orders for turn 3 are in" in last_of(letters, "red")
    assert "1 M to MC" in last_of(letters, "red")
    assert "Reply with your orders by" in last_of(letters, "blue")
    assert "The database of this desk was restored" in last_of(letters, "game master")
    assert sum(AGAIN in flat(letter) for _, letter in letters) == 2


def test_no_message_id_is_that_of_another_letter(desk):
    play(desk, "3 A to M", "1 H to S")
    restore(desk)
    first_poll(desk)
    play(desk, "Pass", "2 E to U")
    restore(desk)
    first_poll(desk)
    play(desk, "Pass", "Pass")
    assert len(ids(desk)) == len(set(ids(desk)))


def test_the_letter_about_it_is_answered_and_the_game_goes_on(desk):
    play(desk, "3 A to M", "1 H to S")
    restore(desk)
    first_poll(desk)
    play(desk, "Pass", "2 E to U")
    assert state(desk)[0] == 3
    assert desk.quiet_poll() == []


def test_letters_from_before_it_are_no_orders_any_more(desk):
    play(desk, "3 A to M", "1 H to S")
    old = desk.answer("red", "2 M to MC")
    restore(desk)
    first_poll(desk)
    desk.send(old)
    ((_, answer),) = desk.quiet_poll()
    assert "Your letter went to a reply address that is not valid." in flat(answer)
    assert state(desk)[2] == ["red", "blue"]


def write(desk: TestDesk, seat: str, text: str) -> None:
    desk.write(seat, text)
    desk.quiet_poll()


def back_up_anew(desk: TestDesk) -> None:
    (desk.folder / "../backup.db").unlink()
    back_up(desk)


def restored_after_a_letter(desk: TestDesk) -> list[tuple[str, Message]]:
    """Something leaves the desk after the copy, which is put back then; what the run sends that notices."""
    write(desk, "red", "status")
    restore(desk)
    assert desk.poll().status == 1
    return desk.read()


def test_what_was_open_when_the_copy_was_made_is_told_again_and_can_be_answered(desk):
    write(desk, "blue", "turn 3: 2 H to S")
    write(desk, "blue", "resign")
    back_up_anew(desk)
    told = last_of(restored_after_a_letter(desk), "blue")
    assert "We are waiting for your answer" in told
    assert "- your command `resign`" in told
    assert "Kept for turn 3: 2 H to S" in told
    desk.write("blue", "yes")
    assert "1 your command `resign`" in last_of(desk.quiet_poll(), "blue")
    desk.write("blue", "yes 1")
    assert "You have won. Blue resigned." in last_of(desk.quiet_poll(), "red")


def test_how_somebody_likes_letters_is_kept_in_a_copy_and_read_again_from_letters(desk):
    write(desk, "red", "text only")
    back_up_anew(desk)
    write(desk, "red", "fewer letters\ndigest daily at 7:30")
    restore(desk)
    assert desk.poll().status == 1
    desk.read()
    desk.write("red", "my settings")
    told = last_of(desk.quiet_poll(), "red")
    for wish in ("`more letters` sends them separately", "one letter a day at 07:30", "text only"):
        assert wish in told


def test_letters_that_waited_for_their_hour_go_before_the_one_that_counts(desk):
    write(desk, "blue", "digest daily")
    write(desk, "red", "press:\nHello Bob\nend press")
    back_up_anew(desk)
    letters = [flat(letter) for seat, letter in restored_after_a_letter(desk) if seat == "blue"]
    assert ["Hello Bob" in letter for letter in letters] == [True, False]
    assert AGAIN in letters[1]
    desk.now += timedelta(days=1)
    assert "Hello Bob" not in "".join(flat(letter) for _, letter in desk.quiet_poll())


def test_a_turn_that_waits_for_second_thoughts_waits_for_them_in_a_copy_too(desk):
    (desk.folder / "config.ini").write_text(
        (desk.folder / "config.ini").read_text().replace("cooling_off = 0", "cooling_off = 30 minutes")
    )
    desk.new_game("--deadline", "3 days")
    desk.quiet_poll()
    play(desk, "3 A to M", "1 H to S")
    back_up_anew(desk)
    told = last_of(restored_after_a_letter(desk), "blue")
    assert "the turn is played at 12:45 UTC" in told
    desk.now += timedelta(minutes=30)
    assert "Turn 1 has been played" in last_of(desk.quiet_poll(), "red")


def test_who_missed_a_turn_that_was_played_has_missed_it_again(desk):
    desk.write("red", "3 A to M")
    desk.quiet_poll()
    desk.poll(timedelta(days=2))
    desk.poll(timedelta(days=1, hours=1))  # the deadline is over
    while state(desk)[0] == 1:
        assert desk.poll(timedelta(hours=8)).status == 0
    desk.read()
    desk.write("red", "Pass")
    desk.quiet_poll()
    before = state(desk)
    assert before[0] == 2
    restore(desk)
    letters = first_poll(desk)
    assert state(desk) == before
    assert "Your orders for turn 2 are in" in last_of(letters, "red")


def test_nothing_is_told_if_nothing_came_of_the_desk_since_the_copy(desk):
    restore(desk)
    assert desk.quiet_poll() == []
    play(desk, "3 A to M", "1 H to S")
    assert state(desk)[0] == 2


def test_a_copy_made_and_put_back_by_hand_is_noticed(desk):
    for part in desk.folder.glob("pbem.db*"):
        shutil.copy(part, desk.folder.parent / part.name)
    play(desk, "3 A to M", "1 H to S")
    before = state(desk)
    for part in desk.folder.glob("pbem.db*"):
        part.unlink()
    for part in desk.folder.parent.glob("pbem.db*"):
        shutil.copy(part, desk.folder / part.name)
    first_poll(desk)
    assert state(desk) == before


def without_witness(desk: TestDesk) -> None:
    """As if the database lay on a machine where the desk has never been."""
    (desk.folder / "pbem.head").unlink()


def test_a_copy_is_noticed_on_another_machine(desk):
    play(desk, "3 A to M", "1 H to S")
    before = state(desk)
    restore(desk)
    without_witness(desk)
    first_poll(desk)
    assert state(desk) == before


def test_a_database_copied_by_hand_to_another_machine_is_noticed_by_the_mailbox(desk):
    play(desk, "3 A to M", "1 H to S")
    before = state(desk)
    restore(desk)
    without_witness(desk)
    with closing(sqlite3.connect(desk.folder / "pbem.db")) as db, db:
        db.execute("DELETE FROM desk WHERE key = 'copied'")
    first_poll(desk)
    assert state(desk) == before


def test_a_desk_without_any_witness_raises_no_alarm(desk):
    play(desk, "3 A to M", "1 H to S")
    for path in desk.folder.rglob("pbem.head"):
        path.unlink()
    assert desk.quiet_poll() == []
    play(desk, "Pass", "Pass")
    assert (desk.folder / "pbem.head").exists()


def test_while_the_mailbox_cannot_be_read_nothing_is_told_and_nothing_is_played(desk):
    play(desk, "3 A to M", "1 H to S")
    before = state(desk)
    restore(desk)
    desk.configure(mailbox="maildir:nowhere")
    assert desk.poll().status == 1
    assert desk.read() == []
    assert state(desk)[0] == 1
    desk.configure()
    first_poll(desk)
    assert state(desk) == before


def test_letters_that_the_mailbox_has_lost_have_to_be_sent_again(desk):
    play(desk, "3 A to M", "1 H to S")
    restore(desk)
    lose_letters(desk)
    letters = first_poll(desk)
    assert state(desk)[0] == 1
    for seat in ("red", "blue"):
        assert "If your orders for this turn are not below, please send them again" in last_of(letters, seat)
        assert "Reply with your orders by" in last_of(letters, seat)
    play(desk, "3 A to M", "1 H to S")
    assert state(desk)[0] == 2


def lose_letters(desk: TestDesk) -> None:
    match desk.post:
        case Folders(inbox=inbox):
            shutil.rmtree(inbox / ".Handled")
        case Servers(account=account):
            with account.client() as client:
                client.delete_messages(client.search())
                client.expunge()


def test_proposals_that_were_accepted_are_accepted_again(desk):
    desk.write("red", "3 A to M, Bmob EC")
    desk.quiet_poll()
    desk.write("red", "yes")
    desk.quiet_poll()
    before = state(desk)
    assert before[2] == ["blue"]
    restore(desk)
    first_poll(desk)
    assert state(desk) == before


def test_an_invitation_that_was_not_answered_is_sent_again(tmp_path):
    desk = TestDesk(tmp_path / "desk", InOrder)
    desk.new_game()
    desk.quiet_poll()
    desk.write("red", "challenge carol@example.org")
    desk.quiet_poll()
    back_up(desk)
    desk.write("blue", "Pass")
    desk.quiet_poll()
    restore(desk)
    told = desk.poll()
    assert told.status == 1
    assert any("accept" in flat(letter) and AGAIN in flat(letter) for _, letter in desk.read())


def killed_after_restore(folder: Path, every: int) -> int:
    """Kill the run that notices at each `every`-th of its steps: the next one makes up for it. How many kills."""
    model = TestDesk(folder / "model", InOrder)
    model.new_game()
    model.quiet_poll()
    back_up(model)
    play(model, "3 A to M", "1 H to S")
    play(model, "Pass", "2 E to U")
    before, known = state(model), set(ids(model))
    restore(model)
    desk = folder / "desk"

    def again() -> Path:
        shutil.rmtree(desk, ignore_errors=True)
        return shutil.copytree(model.folder, desk)

    steps = poll(again()).steps
    kills = 0
    for step in range(1, steps + 1, every):
        kills += poll(again(), step).killed
        poll(desk)
        model.folder, model.post = desk, InOrder(desk)
        assert state(model) == before
        letters = [email.message_from_bytes(raw) for raw in model.post.sent()]
        new = [letter for letter in letters if letter["Message-ID"] not in known]
        told = [str(letter["To"]) for letter in new if AGAIN in flat(letter)]
        assert sorted(told) == ["Alice <alice@example.net>", "Bob <bob@example.com>"]
        assert len({letter["Message-ID"] for letter in new}) == len(new)
        assert sum("Turn 1 has been played" in flat(letter) for letter in new) == 2
        assert sum("Turn 2 has been played" in flat(letter) for letter in new) == 2
        model.folder = folder / "model"
    return kills


def test_a_run_that_is_killed_over_it_neither_loses_nor_doubles_a_letter(tmp_path):
    assert killed_after_restore(tmp_path, every=577) > 0


@pytest.mark.long
def test_a_run_that_is_killed_over_it_at_any_fifth_step(tmp_path):
    print(killed_after_restore(tmp_path, every=5), "kills")


# Chance


@pytest.fixture
def trial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DemoDesk:
    """A game with dice, and a backup of its first turn."""
    add_trial(monkeypatch)
    table = trial_table(tmp_path / "desk")
    table.poll()
    copy(table.config.database, tmp_path / "backup.db", lambda text: None)
    return table


def bid(table: DemoDesk) -> None:
    """Whoever is to bid bids; the run after it."""
    for seat in match_of(table).missing():
        table.write(seat, f"Ставлю {max(hand(table, seat))}")
    table.poll()


def notice(table: DemoDesk, backup: Path) -> None:
    """The backup is put back, and the next run sees to it."""
    table.close()
    database = table.config.database
    restore_desk(backup, database, lambda text: None, database.with_name("before.db"))
    told = run_desk(table.config, table.now + timedelta(hours=1), lambda text: None)
    assert len(told.lines) == 1
    table.now += timedelta(hours=1)
    table.store = Store(connect(database))
    table._seen = 0  # numbers come again


def test_dice_that_may_have_been_seen_fall_anew_and_those_that_were_promised_stay(trial, tmp_path):
    first = match_of(trial)
    bid(trial)
    second = match_of(trial)
    bid(trial)
    notice(trial, tmp_path / "backup.db")
    now = match_of(trial)
    assert now.turn == 2
    assert load_turns(trial.store, 1)[0].secret.startswith(f"{first.secret}+")
    assert load_turns(trial.store, 1)[0].after == second.state
    assert now.secret not in (first.secret, second.secret)
    assert now.standing == {}
    assert [*Audit(trial.store.conn).differences()] == []
    letters = [letter for _, letter in trial.letters()]
    told = [text for letter in letters if AGAIN in (text := flat(letter))]
    assert len(told) == len(now.seats)
    for text in told:
        assert "This turn has a new secret" in text
        assert commitment(now.secret) in text


def test_after_dice_fell_anew_the_game_goes_on_to_its_end(trial, tmp_path):
    bid(trial)
    notice(trial, tmp_path / "backup.db")
    list(trial.letters())
    while not trial.over():
        bid(trial)
    assert [*Audit(trial.store.conn).differences()] == []
