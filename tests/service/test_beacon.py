"""Chance that a public beacon joins: a round is named when orders close, and the turn waits for it."""

import hashlib
import hmac
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import Result

from pbem.cli.demo import DemoDesk
from pbem.config.config import Address, load_config
from pbem.config.ini import ConfigError
from pbem.games.chance import SecretChance, read_source
from pbem.match import clock
from pbem.match.terms import Terms
from pbem.record.notation import read_record, write_record
from pbem.service import beacon
from pbem.service.maintenance import trust_clock
from pbem.service.tick import RunReport, poll
from pbem.store.database import Store, connect
from pbem.store.histories import load_history
from pbem.store.matches import load_match
from pbem.store.verify import Audit
from pbem.times.deadlines import Pace
from pbem.times.moments import Beacon
from support.beacons import NAME, PERIOD, LocalBeacon, due, local_beacon, value
from support.commands import pbem
from support.correspondents import ALICE, BOB, Correspondents
from support.trials import NOON, flat, match_of

HOUR = timedelta(hours=1)
TERMS = Terms(deadline=Pace(every=timedelta(days=3)), remind=(), chance="beacon")


@pytest.fixture(scope="module")
def served() -> Iterator[LocalBeacon]:
    with local_beacon() as found:
        yield found


@pytest.fixture
def drand(served: LocalBeacon) -> LocalBeacon:
    served.say(None)
    served.asked.clear()
    return served


def begun(folder: Path, drand: LocalBeacon, game: str = "rocknroll", **options: object) -> DemoDesk:
    """A war that waits for its first orders."""
    table = DemoDesk(folder, NOON, game, terms=TERMS, **options)
    drand.serve(table)
    table.poll()
    table.poll()
    return table


@pytest.fixture
def war(tmp_path: Path, drand: LocalBeacon) -> Iterator[DemoDesk]:
    table = begun(tmp_path / "desk", drand, length="short")
    yield table
    table.close()


def close(table: DemoDesk, orders: str = "") -> int:
    """Whoever is waited for writes; the round that is named then."""
    for seat in match_of(table).missing():
        table.write(seat, orders or table.opponent_orders(seat))
    table.poll()
    return named(table)


def named(table: DemoDesk) -> int:
    source = match_of(table).drawing
    assert source
    assert source.waits
    return source.round


def run(table: DemoDesk, after: timedelta = timedelta(minutes=5)) -> tuple[RunReport, list[str]]:
    """A run that may go wrong, and all that is told in letters then."""
    table.now += after
    return poll(table.config, table.now, lambda text: None), [flat(letter) for _, letter in table.letters()]


def command(table: DemoDesk, *words: object) -> Result:
    return pbem("--config", table.config.path, "--now", f"{table.now:%Y-%m-%dT%H:%M:%SZ}", *words)


def decide(table: DemoDesk, *words: object) -> None:
    done = command(table, "game", *words, "--reason", "a test")
    assert done.exit_code == 0, done.output


def verified(table: DemoDesk) -> bool:
    return [*Audit(table.store.conn).differences()] == []


def entries(table: DemoDesk, kind: str) -> list[dict[str, object]]:
    rows = table.store.conn.execute(
        "SELECT content FROM record JOIN record_contents ON record = id WHERE kind = ? ORDER BY id", (kind,)
    )
    return [json.loads(content) for (content,) in rows]


# A round is named, and comes


def test_a_whole_war_waits_for_a_round_each_turn_and_everybody_can_work_its_dice_out(war: DemoDesk, tmp_path) -> None:
    while not war.over():
        close(war)
        told = [flat(letter) for _, letter in war.poll()]
    assert verified(war)
    match = load_match(war.store, 1)
    for turn in match.turns:
        source = read_source(turn.secret)
        assert source.beacon == f"{source.round}:{value(source.round)}"
        seed = hmac.digest(bytes.fromhex(source.secret), "\n".join((*source.words, source.beacon)).encode(), "sha256")
        fell = [event["fell"] for event in turn.events if event["type"] == "die"]
        chance = SecretChance(seed)
        assert [chance.die(6) for _ in fell] == fell
    assert any(f"round {source.round} of the public beacon {NAME}: {value(source.round)}" in one for one in told)
    assert read_source(match.deck).beacon.endswith(value(read_source(match.deck).round))
    text = write_record(load_history(war.store, 1))
    again = read_record(text)
    assert not again.problems
    assert again.history
    assert again.history.state == match.state
    (tmp_path / "war.txt").write_text(text)
    shown = pbem("dice", tmp_path / "war.txt").output
    assert f"  beacon   {source.beacon}" in shown
    assert pbem("verify", tmp_path / "war.txt").exit_code == 0


def test_the_round_is_named_to_all_and_in_the_record_before_it_exists(war: DemoDesk, drand: LocalBeacon) -> None:
    (seat,) = match_of(war).missing()
    war.write(seat, war.opponent_orders(seat))
    told = dict(war.poll())
    number = named(war)
    assert due(number) >= war.now + timedelta(seconds=2 * PERIOD) + timedelta(minutes=2)
    assert due(number) < war.now + timedelta(minutes=5)
    for letter in told.values():
        assert f"The turn waits for round {number} of the public beacon {NAME}" in flat(letter)
        assert f"Round {number} of the public beacon is named for rnr-1" in flat(letter)
    assert entries(war, "beacon")[-1] == {"turn": 1, "round": number, "of": NAME}
    assert number not in drand.asked
    war.poll()
    assert entries(war, "pulse")[-1] == {"turn": 1, "round": number, "value": value(number)}
    assert match_of(war).turn == 2


def test_a_round_is_not_asked_for_before_it_has_come(war: DemoDesk, drand: LocalBeacon) -> None:
    number = close(war)
    run(war, timedelta(minutes=1))
    assert number not in drand.asked
    run(war, due(number) - war.now)
    assert drand.asked[-1] == number
    assert match_of(war).turn == 2


def test_the_set_up_takes_a_round_and_nobody_is_shown_one_before(tmp_path, drand: LocalBeacon) -> None:
    table = DemoDesk(tmp_path / "desk", NOON, "rocknroll", terms=TERMS)
    drand.serve(table)
    first = [flat(letter) for _, letter in table.poll()]
    assert len(first) == 2
    assert all("What it begins with" not in one and "Your position" not in one for one in first)
    assert all(f"waits for round {named(table)} of the public beacon" in one for one in first)
    assert all("Nobody can look or choose, unless they run that beacon" in one for one in first)
    before = match_of(table)
    told = [flat(letter) for _, letter in table.poll()]
    assert all(
        "Order of play in round 1" in one and value(read_source(match_of(table).deck).round) in one for one in told
    )
    assert (before.phase, match_of(table).phase) == ("offered", "running")
    assert before.state != match_of(table).state
    assert verified(table)
    table.close()


def test_a_challenge_by_mail_begins_with_a_round_after_all_have_accepted(tmp_path, drand: LocalBeacon) -> None:
    people = Correspondents(DemoDesk(tmp_path / "desk", NOON))
    people.poll()
    drand.serve(people.table)
    path = people.table.config.path
    path.write_text(path.read_text().replace("chance = words", "chance = beacon"))
    people.table.config = load_config(path)
    people.write(ALICE, f"challenge {BOB} to rocknroll")
    accepted = people.write(BOB, "accept\nword: tea")
    match = load_match(people.table.store, 2)
    assert (match.phase, bool(match.drawing)) == ("offered", True)
    assert any("its starting position is drawn by lot" in one for one in accepted[ALICE])
    refused, _ = people.write(BOB, "word: coffee")[BOB]
    assert "it waits for a round of the public beacon" in refused
    begun = load_match(people.table.store, 2)
    assert begun.phase == "running"
    assert hashlib.sha256(b"tea").hexdigest() in read_source(begun.deck).words
    assert verified(people.table)
    people.table.close()


def test_a_campaign_of_ozz_waits_for_its_rounds_too(tmp_path, drand: LocalBeacon) -> None:
    table = begun(tmp_path / "desk", drand, "ozz")
    for _ in range(3):
        close(table)
        table.poll()
    assert match_of(table).turn == 4
    assert verified(table)
    table.close()


def test_a_game_against_the_computer_takes_a_round_each_turn_without_anybody_waiting(tmp_path, drand) -> None:
    table = DemoDesk(tmp_path / "desk", NOON)
    drand.serve(table)
    path = table.config.path
    path.write_text(path.read_text().replace("chance = words", "chance = beacon"))
    table.config = load_config(path)
    people = Correspondents(table)
    people.poll()
    people.write(ALICE, "challenge computer to rocknroll")
    for _ in range(6):
        people.poll()
        match = load_match(table.store, 2)
        if match.missing() and not match.drawing:
            people.write(ALICE, "Pass")
    assert load_match(table.store, 2).turn > 2
    assert verified(table)
    table.close()


# Orders are closed


@pytest.mark.parametrize("text", ["Pass", "withdraw", "Reroll attack: 2", "check: Pass", "turn 5: Pass", "hello there"])
def test_a_letter_that_comes_when_orders_are_closed_changes_nothing_and_says_what_is_waited_for(war, text) -> None:
    (seat,) = match_of(war).missing()
    war.write(seat, "word: mine\nPass")
    war.poll()
    number, before = named(war), match_of(war)
    war.write(seat, text)
    _, told = run(war, timedelta(minutes=1))
    after = match_of(war)
    assert (after.standing, after.standing_orders, after.secret) == (
        before.standing,
        before.standing_orders,
        before.secret,
    )
    assert after.later.get(seat, ()) == ()
    assert any(f"The turn waits for round {number} of the public beacon" in one for one in told)
    war.poll()
    assert verified(war)


def test_words_that_come_when_orders_are_closed_are_not_taken(war: DemoDesk) -> None:
    close(war)
    before = match_of(war)
    war.write("vpa", "word: late")
    _, told = run(war, timedelta(minutes=1))
    assert any("everything else is settled" in one for one in told)
    assert match_of(war).words == before.words
    war.poll()
    assert verified(war)


def test_status_and_the_command_line_say_what_a_game_waits_for(war: DemoDesk) -> None:
    close(war)
    war.write("vpa", "status")
    _, told = run(war, timedelta(minutes=1))
    assert any("turn 1 is waiting for a round of the public beacon" in one for one in told)
    assert "closed: it waits for a round of the public beacon" in command(war, "game", "list").output


# Late, wrong, silent

BAD = {
    "nothing yet": ("", "ended with status 1"),
    "another round": (json.dumps({"round": 1, "randomness": "ab" * 32}), "another round"),
    "bad hexadecimal": ('{"round": ROUND, "randomness": "' + "xy" * 32 + '"}', "not 64 hexadecimal digits"),
    "too short": ('{"round": ROUND, "randomness": "abcd"}', "not 64 hexadecimal digits"),
    "a number": ('{"round": ROUND, "randomness": 7}', "not 64 hexadecimal digits"),
    "no JSON": ("<html>sorry</html>", "neither JSON"),
    "a list": ("[]", "neither JSON"),
    "deep": ("[" * 8_000, "neither JSON"),
    "long": (
        '{"round": ROUND, "randomness": "' + "ab" * 32 + '", "x": "' + "y" * 10_000 + '"}',
        "more than 8192 bytes",
    ),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_round_that_is_late_or_wrong_is_waited_for_and_asked_for_again(war, drand: LocalBeacon, kind) -> None:
    number = close(war)
    says, why = BAD[kind]
    drand.say(says)
    report, told = run(war)
    assert not report.well
    assert why in " ".join(report.lines)
    assert (match_of(war).turn, named(war), told) == (1, number, [])
    drand.say(None)
    report, told = run(war)
    assert "The trouble with the public beacon" in " ".join(report.lines)
    assert match_of(war).turn == 2
    assert any(value(number) in one for one in told)
    assert verified(war)


SILENT = {
    "slow": (f"{sys.executable} -S -c 'import time; time.sleep(60)'", "did not end within"),
    "no program": ("there-is-no-such-program", "cannot be run: No such file"),
    "failing": ("false", "ended with status 1"),
}


@pytest.mark.parametrize("kind", SILENT)
def test_a_command_that_gives_no_round_is_ended_and_told(war, drand: LocalBeacon, kind, monkeypatch) -> None:
    monkeypatch.setattr(beacon, "SECONDS", 0.1)
    close(war)
    command, why = SILENT[kind]
    drand.serve(war, command)
    report, _ = run(war)
    assert why in " ".join(report.lines)
    assert match_of(war).turn == 1


def test_a_plain_number_is_as_good_as_json_and_the_command_gets_the_round_without_a_shell(war, drand, tmp_path) -> None:
    number = close(war)
    script = tmp_path / "it's $(mine) here.py"
    script.write_text(f"import sys\nassert sys.argv[1:] == ['; echo', '{number}'], sys.argv\nprint('AB' * 32)")
    drand.serve(war, f"{sys.executable} -S \"{script}\" '; echo'")
    run(war)
    assert read_source(load_match(war.store, 1).turns[0].secret).beacon == f"{number}:{'ab' * 32}"


def test_after_an_hour_everybody_is_told_once_and_the_game_master_daily(war: DemoDesk, drand: LocalBeacon) -> None:
    number = close(war)
    drand.say("")
    assert run(war)[1] == []
    _, told = run(war, HOUR)
    assert len(told) == 3
    assert all(f"waits for round {number} of the public beacon" in one for one in told)
    assert sum("nobody has missed a turn" in one for one in told) == 3
    assert sum("`words rnr-1 because ...` continues the game" in one for one in told) == 1
    assert run(war, HOUR)[1] == []
    assert len(run(war, 24 * HOUR)[1]) == 1
    found = command(war, "doctor").output
    assert "waited for a round of the public beacon for more than an hour: rnr-1" in found
    assert "public beacon: The command of [chance] beacon ended with status 1" in found
    assert match_of(war).missed == {"vpa": 0, "vietnam": 0}


def test_a_run_that_was_killed_between_naming_and_getting_a_round_takes_the_same(war, monkeypatch) -> None:
    number = close(war)

    def killed(config: object, number: int) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(beacon, "ask", killed)
        with pytest.raises(KeyboardInterrupt):
            war.poll()
    assert named(war) == number
    war.poll()
    assert read_source(load_match(war.store, 1).turns[0].secret).round == number
    assert verified(war)


def test_a_desk_that_has_no_beacon_any_more_names_none_and_says_so(war: DemoDesk, drand: LocalBeacon) -> None:
    path = war.config.path
    path.write_text(path.read_text().partition("\n[chance]")[0])
    war.config = load_config(path)
    for seat in match_of(war).missing():
        war.write(seat, "Pass")
    report, _ = run(war)
    assert "the configuration has none: put [chance] beacon back in" in " ".join(run(war)[0].lines + report.lines)
    assert named(war) == 0
    drand.serve(war)
    run(war)
    assert named(war) > 0
    war.poll()
    assert verified(war)


def restore(table: DemoDesk, copy: Path) -> None:
    """The desk goes on with an older database."""
    table.close()
    for path in table.config.database.parent.glob("pbem.db*"):
        path.unlink()
    copy.rename(table.config.database)
    table.store = Store(connect(table.config.database))


def test_a_database_from_after_a_round_was_named_takes_the_same_round_again(war: DemoDesk, tmp_path: Path) -> None:
    number = close(war)
    war.store.conn.execute("VACUUM INTO ?", (str(tmp_path / "copy"),))
    war.poll()
    before = load_match(war.store, 1).turns[0].secret
    restore(war, tmp_path / "copy")
    run(war)
    run(war)
    assert load_match(war.store, 1).turns[0].secret == before
    assert read_source(before).round == number
    assert verified(war)


def test_a_database_from_before_a_round_was_named_takes_one_that_does_not_exist_yet(
    war: DemoDesk, tmp_path: Path
) -> None:
    war.store.conn.execute("VACUUM INTO ?", (str(tmp_path / "copy"),))
    number = close(war)
    war.poll()
    restore(war, tmp_path / "copy")
    run(war)
    run(war, timedelta(seconds=1))
    assert due(named(war)) > war.now > due(number)
    run(war)
    assert match_of(war).turn == 2
    assert verified(war)


# The game master decides


def test_the_game_master_has_a_turn_played_with_words_and_everybody_is_told(war: DemoDesk, drand: LocalBeacon) -> None:
    close(war)
    drand.say("")
    run(war)
    decide(war, "words", "rnr-1")
    _, told = run(war)
    assert sum("without a round of the public beacon" in one for one in told) >= 2
    assert sum("reason: | a test" in one for one in told) >= 2
    assert sum("The game master decided to use no round of the public beacon." in one for one in told) == 2
    assert verified(war)
    drand.say(None)
    close(war)
    war.poll()
    assert match_of(war).turn == 3
    assert verified(war)
    refused = command(war, "game", "words", "rnr-1", "--reason", "a test")
    assert refused.output == "pbem: rnr-1 is not waiting for a round of the public beacon.\n"


def test_the_game_master_has_a_game_begin_with_words(tmp_path, drand: LocalBeacon) -> None:
    table = DemoDesk(tmp_path / "desk", NOON, "rocknroll", terms=TERMS)
    drand.serve(table)
    drand.say("")
    table.poll()
    decide(table, "words", "rnr-1")
    _, told = run(table)
    assert match_of(table).phase == "running"
    assert sum("without a round of the public beacon" in one for one in told) >= 2
    assert sum("Order of play in round 1" in one for one in told) == 2
    assert verified(table)
    table.close()


def test_a_turn_without_a_round_and_without_a_decision_is_found(war: DemoDesk, monkeypatch) -> None:
    close(war)
    with_round = clock.with_round
    monkeypatch.setattr(clock, "with_round", lambda match: (clock.without_round(match), with_round(match)[1]))
    war.poll()
    monkeypatch.undo()
    assert "Turn 1 of rnr-1 was not played with the round of the beacon that was named for it." in [
        *Audit(war.store.conn).differences()
    ]


@pytest.mark.parametrize("what", ["pause", "replace", "position", "rollback"])
def test_what_opens_orders_again_drops_the_round_and_another_is_named(war: DemoDesk, what) -> None:
    close(war)
    war.poll()
    (seat,) = match_of(war).missing()
    number = close(war)
    position = match_of(war).game.position(match_of(war).state)
    said = {
        "pause": ["pause", "rnr-1"],
        "replace": ["replace", "rnr-1", seat, "Grace <grace@example.org>"],
        "position": ["position", "rnr-1", position],
        "rollback": ["rollback", "rnr-1", "1"],
    }[what]
    decide(war, *said)
    match = match_of(war)
    assert (match.drawing, read_source(match.secret).attempt, match.cooling) == (None, 1, None)
    _, told = run(war, timedelta(minutes=1))
    if what != "rollback":
        assert any(
            f"Round {number} of the public beacon, which was named for it, no longer counts." in one for one in told
        )
    if what == "pause":
        decide(war, "resume", "rnr-1")
        war.poll()
    else:
        assert match_of(war).deadline
        war.people |= {seat: Address("Grace", "grace@example.org")} if what == "replace" else {}
        close(war)
    assert named(war) > number
    war.poll()
    assert verified(war)


def test_who_resigns_of_several_while_a_round_is_waited_for_has_another_one_named(tmp_path, drand) -> None:
    table = begun(tmp_path / "desk", drand, seats="2v2", set="base")
    number = close(table)
    seat = match_of(table).seats[-1]
    table.write(seat, "resign")
    run(table, timedelta(minutes=1))
    table.write(seat, "yes")
    run(table, timedelta(seconds=20))
    match = match_of(table)
    assert [*match.gone] == [seat]
    run(table, timedelta(seconds=20))
    assert named(table) > number
    table.poll()
    assert match_of(table).turn == 2
    assert verified(table)
    table.close()


@pytest.mark.parametrize(
    "words",
    [
        ("extend", "rnr-1", "2 days"),
        ("resume", "rnr-1"),
        ("process", "rnr-1"),
        ("orders", "rnr-1", "vpa", "Pass"),
    ],
)
def test_what_would_change_a_turn_whose_orders_are_closed_is_refused(war: DemoDesk, words: tuple[str, ...]) -> None:
    close(war)
    before = match_of(war).secret
    done = command(war, "game", *words, "--reason", "a test")
    assert done.exit_code == 2
    assert "is waiting for a round of the public beacon, and its orders are closed" in done.output
    assert match_of(war).secret == before


def test_a_turn_that_is_played_again_while_the_next_one_waits_has_its_old_round(war: DemoDesk) -> None:
    close(war)
    war.poll()
    (before,) = load_match(war.store, 1).turns
    number = close(war, "Pass")
    decide(war, "readjudicate", "rnr-1")
    (after,) = load_match(war.store, 1).turns
    assert (after.secret, after.after) == (before.secret, before.after)
    assert match_of(war).drawing is None
    run(war, timedelta(minutes=1))
    close(war)
    assert named(war) > number
    war.poll()
    assert verified(war)


def test_rounds_of_drand_come_when_it_says() -> None:
    quicknet = Beacon("drand quicknet", 1692803367, 3)
    noon = datetime(2026, 4, 20, tzinfo=UTC)
    assert quicknet.latest(noon) == 27946612  # as its own clients have it
    assert quicknet.moment(27946612) == noon
    assert quicknet.latest(datetime(2020, 1, 1, tzinfo=UTC)) == 0
    for seconds in range(7):
        now = noon + timedelta(seconds=seconds)
        ahead = quicknet.moment(quicknet.ahead(now)) - now
        assert timedelta(seconds=126) < ahead <= timedelta(seconds=129)


@pytest.mark.parametrize("word", ["annul", "award"])
def test_a_game_that_ends_while_it_waits_for_a_round_waits_no_longer(war: DemoDesk, word) -> None:
    close(war)
    decide(war, *(["annul", "rnr-1"] if word == "annul" else ["award", "rnr-1", "vpa"]))
    assert run(war)[0].well
    assert match_of(war).phase in ("annulled", "finished")
    assert verified(war)
    assert "rnr-1" not in command(war, "doctor").output


def test_a_game_that_is_annulled_before_its_first_round_was_never_dealt(tmp_path, drand: LocalBeacon) -> None:
    table = DemoDesk(tmp_path / "desk", NOON, "rocknroll", terms=TERMS)
    drand.serve(table)
    table.poll()
    decide(table, "annul", "rnr-1")
    report, told = run(table)
    assert report.well
    assert all("Your position" not in one for one in told)
    assert verified(table)
    table.close()


# A desk that deceives


def test_a_desk_that_takes_another_value_or_another_round_is_found(war: DemoDesk, monkeypatch) -> None:
    close(war)
    monkeypatch.setattr(beacon, "ask", lambda config, number: "cd" * 32)
    war.poll()
    monkeypatch.undo()
    assert verified(war)  # the record says so: whoever looks the round up sees that it is another
    assert value(read_source(load_match(war.store, 1).turns[0].secret).round) != "cd" * 32
    war.store.conn.execute("UPDATE turns SET secret = replace(secret, ?, ?)", ("cd" * 32, "ef" * 32))
    found = [*Audit(war.store.conn).differences()]
    assert "Turn 1 of rnr-1 was not played with the round of the beacon that was named for it." in found


def test_a_desk_that_names_round_after_round_until_it_likes_one_is_found(war: DemoDesk) -> None:
    close(war)
    source = match_of(war).drawing
    assert source
    other = str(source._replace(beacon="0:"))
    war.store.conn.execute("UPDATE matches SET secret = ?", (other,))
    run(war)
    run(war)
    assert match_of(war).turn == 2
    assert "Two rounds of the beacon were named for turn 1 of rnr-1." in [*Audit(war.store.conn).differences()]


# Who asks for it

LEAGUE = """name = "north"
format = "round-robin"
game = "rocknroll"
confirmed = true
[terms]
chance = "beacon"
[[divisions]]
players = ["Ann <ann@example.org>", "Bo <bo@example.org>"]
"""


def test_a_league_says_that_its_games_take_rounds(tmp_path: Path, drand: LocalBeacon) -> None:
    table = DemoDesk(tmp_path / "desk", NOON)
    drand.serve(table)
    (tmp_path / "league.toml").write_text(LEAGUE)
    made = command(table, "league", "new", "--file", tmp_path / "league.toml")
    assert made.exit_code == 0, made.output
    told = [flat(letter) for _, letter in table.poll()]
    match = load_match(table.store, 2)
    assert match.drawing
    assert sum(f"round {match.drawing.round} of the public beacon" in one for one in told) == 2
    table.poll()
    assert load_match(table.store, 2).phase == "running"
    table.close()


def test_a_desk_without_a_beacon_refuses_games_that_need_one(tmp_path: Path) -> None:
    table = DemoDesk(tmp_path / "desk", NOON)
    people = ("--seat", "vpa=Ann <a@example.org>", "--seat", "vietnam=Bo <b@example.org>")
    asked = command(table, "game", "new", "--game", "rocknroll", *people, "--chance", "beacon")
    assert asked.exit_code == 2
    assert "this desk has no public beacon: put `[chance] beacon` in" in asked.output
    (tmp_path / "league.toml").write_text(LEAGUE)
    asked = command(table, "league", "new", "--file", tmp_path / "league.toml")
    assert asked.exit_code == 2
    assert "this desk has no public beacon: put `[chance] beacon` in" in asked.output
    path = table.config.path
    path.write_text(path.read_text().replace("chance = words", "chance = beacon"))
    with pytest.raises(ConfigError, match=re.escape("[desk] chance = beacon needs a public beacon")):
        load_config(path)
    table.close()


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ("beacon = x", "[chance] name is missing."),
        ("beacon = x\nname = y\ngenesis = soon\nperiod = 3", "[chance] genesis must be a number of seconds"),
        ("beacon = x\nname = y\ngenesis = 1\nperiod = 0", "[chance] period must be a number of seconds, 1 or more"),
        ("beacon = 'x\nname = y\ngenesis = 1\nperiod = 3", "[chance] beacon has a quotation mark that is not closed"),
    ],
)
def test_a_configuration_of_a_beacon_that_cannot_be_is_told(tmp_path: Path, keys: str, problem: str) -> None:
    table = DemoDesk(tmp_path / "desk", NOON)
    table.close()
    path = table.config.path
    path.write_text(f"{path.read_text()}\n[chance]\n{keys}\n")
    with pytest.raises(ConfigError, match=re.escape(problem)):
        load_config(path)


def test_a_round_that_a_clock_ahead_has_named_gives_way_to_one_that_comes_soon(war: DemoDesk) -> None:
    war.now += timedelta(days=365)
    far = close(war)
    war.now -= timedelta(days=365)
    (line,) = trust_clock(war.config, war.now)
    assert line.startswith(
        f"rnr-1 waited for round {far} of the beacon, by the wrong clock; now for the deadline 2026-"
    )
    _, letters = run(war)
    near = named(war)
    assert near < far
    told = [letter for letter in letters if "The clock of this desk was wrong" in letter]
    assert len(told) == 2
    assert all(f"Round {far} of the public beacon, which was named for it, no longer counts." in one for one in told)
    war.poll()
    assert match_of(war).turn == 2
    assert verified(war)


def test_without_deadlines_everybody_is_told_that_such_a_round_counts_no_longer(
    tmp_path: Path, drand: LocalBeacon
) -> None:
    table = DemoDesk(tmp_path / "desk", NOON, "rocknroll", terms=replace(TERMS, deadline=Pace()), length="short")
    drand.serve(table)
    table.poll()
    table.poll()
    table.now += timedelta(days=365)
    far = close(table)
    table.now -= timedelta(days=365)
    trust_clock(table.config, table.now)
    _, letters = run(table)
    assert (
        sum(f"Round {far} of the public beacon, which was named for it, no longer counts." in one for one in letters)
        == 2
    )
    table.poll()
    assert match_of(table).turn == 2
    assert verified(table)
    table.close()


def test_a_game_whose_set_up_waits_for_a_round_of_another_year_is_named_with_the_word_that_begins_it(
    tmp_path: Path, drand: LocalBeacon
) -> None:
    table = DemoDesk(tmp_path / "desk", NOON + timedelta(days=365), "rocknroll", terms=TERMS, length="short")
    drand.serve(table)
    table.poll()
    table.now -= timedelta(days=364)
    (line,) = trust_clock(table.config, table.now)
    assert line.endswith("`pbem game words rnr-1` begins it without a round.")
    decide(table, "words", "rnr-1")
    assert match_of(table).phase == "running"
    table.close()
