"""`pbem dice`: every throw of a game, from its secret to the number."""

import hashlib
import hmac
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem.cli.demo import DemoDesk
from pbem.cli.dice import dice
from pbem.cli.main import main
from pbem.mail.letters import with_seals
from pbem.record.exports import write_json
from pbem.record.notation import read_file, write_record
from pbem.store.histories import load_history
from support.trials import NOON, add_trial, hand, match_of, play, trial_table

THROW = re.compile(r"(?:a die|one) of (\d+): (\d+) +(dice|deck) (\d+), byte (\d+): ([0-9a-f]{2}) =")


@pytest.fixture
def trial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DemoDesk]:
    add_trial(monkeypatch)
    table = trial_table(tmp_path / "desk")
    yield table
    table.close()


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["dice", *map(str, words)])


def one_turn(table: DemoDesk) -> list[bytes]:
    """The letters to Amber of the first turn."""
    table.write("amber", f"Ставлю {max(hand(table, 'amber'))} золота")
    return [letter.as_bytes() for seat, letter in table.poll() if seat == "amber"]


def test_every_throw_of_a_record_is_shown_and_follows_from_the_secret(trial: DemoDesk, tmp_path: Path) -> None:
    play(trial)
    history = load_history(trial.store, 1)
    (tmp_path / "game.txt").write_text(write_record(history))
    shown = run(tmp_path / "game.txt").output
    turns = re.split(r"\n\n", shown.strip())
    assert len(turns) == 1 + len(history.turns())
    for turn, step in zip(turns[1:], history.turns(), strict=True):
        secret, *words = step.secret.split("+")
        assert f"secret   {secret}" in turn
        assert f"SHA-256  {hashlib.sha256(bytes.fromhex(secret)).hexdigest()}" in turn
        seed = hmac.digest(bytes.fromhex(secret), "\n".join(words).encode(), "sha256")
        assert [f"  word     {one}" for one in words] == re.findall(r"^  word .*$", turn, re.M)
        assert f"HMAC     {seed.hex()}" in turn
        assert f"dice 0   {hashlib.sha256(seed + b'dice' + bytes(8)).hexdigest()}" in turn
        (fell,) = (event["fell"] for event in step.events if event["type"] == "die")
        number, answer, stream, *_ = THROW.findall(turn)[0]
        assert (number, answer, stream) == ("6", str(fell), "dice")
    for turn in turns:
        blocks = dict(re.findall(r"^  ((?:dice|deck) \d+)   ([0-9a-f]{64})$", turn, re.M))
        for number, answer, stream, at, place, byte in THROW.findall(turn):
            assert bytes.fromhex(blocks[f"{stream} {at}"])[int(place) - 1] == int(byte, 16)
            assert int(byte, 16) % int(number) + (stream == "dice") == int(answer)


def test_an_exported_game_shows_the_same_as_its_record(trial: DemoDesk, tmp_path: Path) -> None:
    play(trial)
    history = load_history(trial.store, 1)
    (tmp_path / "game.txt").write_text(write_record(history))
    (tmp_path / "game.json").write_text(write_json(history))
    assert run(tmp_path / "game.txt").output == run(tmp_path / "game.json").output
    assert run(tmp_path / "game.txt", "--turn", 2).output.startswith("tr-1, turn 2\n")


@pytest.mark.parametrize("form", ["letter", "file"])
def test_a_report_shows_the_dice_of_its_turn(trial: DemoDesk, tmp_path: Path, form: str) -> None:
    (report,) = (raw for raw in one_turn(trial) if "came from this secret" in with_seals(raw))
    told = with_seals(report)
    seals = told[told.index("\nTrial tr-1\n") :].lstrip()
    (tmp_path / "report").write_bytes({"letter": report, "file": seals.encode()}[form])
    shown = run(tmp_path / "report").output
    assert match_of(trial).turn == 2
    history = load_history(trial.store, 1)
    (fell,) = (event["fell"] for event in history.turns()[0].events if event["type"] == "die")
    assert f"    1. a die of 6: {fell} " in shown
    assert shown.startswith("Turn 1\n")


@pytest.mark.parametrize(
    "told",
    ["Die Würfel von Runde 4 fielen nach diesem\nGeheimnis: {}", "Кубики хода 4 получены из этого\nсекрета: {}"],
)
def test_a_report_in_another_language_is_read_as_well(tmp_path: Path, told: str) -> None:
    (tmp_path / "report.txt").write_text(told.format("ab" * 32))
    assert run(tmp_path / "report.txt").output.startswith(f"Turn 4\n  secret   {'ab' * 32}\n")


def test_the_record_of_a_game_that_goes_on_shows_the_dice_of_turns_that_are_open(
    trial: DemoDesk, tmp_path: Path
) -> None:
    one_turn(trial)
    (tmp_path / "game.txt").write_text(write_record(load_history(trial.store, 1)))
    shown = run(tmp_path / "game.txt")
    assert shown.exit_code == 0
    assert shown.output.startswith("Turn 1\n")
    assert "shuffles" not in shown.output


def test_dice_with_other_sides_can_be_asked_for(tmp_path: Path) -> None:
    (tmp_path / "report.txt").write_text(f"The dice of turn 3 came from this secret: {'00' * 32}")
    told = run(tmp_path / "report.txt", "--sides", 10).output
    assert "thrown away before: 250" in told or "a die of 10" in told


def test_a_file_without_secrets_and_a_game_without_dice_are_told_so(table: DemoDesk, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Nothing here.")
    assert "has no secret from which dice come" in run(tmp_path / "letter.txt").output
    for seat in ("red", "blue"):
        table.write(seat, "Pass")
    table.poll()
    (tmp_path / "game.txt").write_text(write_record(load_history(table.store, 1)))
    found = run(tmp_path / "game.txt")
    assert (found.exit_code, "Ozymandia has no dice" in found.output) == (2, True)
    assert dice.name == "dice"


@pytest.fixture(scope="module")
def war(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The desk of a short war of Rock'n'Roll that two computers have fought."""
    folder = tmp_path_factory.mktemp("war") / "desk"
    table = DemoDesk(folder, NOON, "rocknroll", length="short", set="expansion")
    table.poll()
    while not table.over():
        (seat,) = match_of(table).missing()
        table.write(seat, table.opponent_orders(seat))
        table.poll()
    (folder / "rnr-1.txt").write_text(write_record(load_history(table.store, 1)))
    (folder / "rnr-1.json").write_text(write_json(load_history(table.store, 1)))
    table.close()
    return folder


def test_every_die_of_a_war_is_shown_as_it_fell(war: Path) -> None:
    (reading,) = read_file(war / "rnr-1.txt")
    assert reading.history
    turns = re.split(r"\n\n", run(war / "rnr-1.txt").output.strip())
    for turn, step in zip(turns[1:], reading.history.turns(), strict=True):
        shown = [int(answer) for number, answer, stream, *_ in THROW.findall(turn) if stream == "dice"]
        assert shown == [event["value"] for event in step.events if event["type"] == "roll"]
    assert "one of 14: " in turns[0]


def test_verify_and_replay_throw_the_dice_of_a_war_again(war: Path) -> None:
    for words in (["verify"], ["verify", "rnr-1"], ["verify", f"{war}/rnr-1.txt"], ["verify", f"{war}/rnr-1.json"]):
        done = CliRunner().invoke(main, ["--config", str(war / "config.ini"), *words])
        assert done.exit_code == 0, done.output
    assert CliRunner().invoke(main, ["replay", f"{war}/rnr-1.txt"]).exit_code == 0


def test_a_record_with_another_secret_does_not_come_out(war: Path, tmp_path: Path) -> None:
    text = (war / "rnr-1.txt").read_text()
    secret = re.search(r"##([0-9a-f]{64})", text)
    assert secret
    (tmp_path / "changed.txt").write_text(text.replace(secret[1], hashlib.sha256(b"other").hexdigest()))
    assert CliRunner().invoke(main, ["verify", f"{tmp_path}/changed.txt"]).exit_code == 1
    assert CliRunner().invoke(main, ["replay", f"{tmp_path}/changed.txt"]).exit_code == 1
