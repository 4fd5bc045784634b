"""What dice and cards come from: nobody alone can choose it, and everybody can work it out again."""

import hashlib
import hmac
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.cli.demo import DemoDesk
from pbem.games import find_game
from pbem.games.capabilities import reshuffled
from pbem.games.chance import KINDS, ChanceError, SecretChance, Source, commitment, read_source, turn_secret
from pbem.match.model import Match, Turn
from pbem.match.terms import Terms
from pbem.record.exports import write_json
from pbem.record.history import History, Placed, Played
from pbem.record.notation import add_checksum, read_record, write_record
from pbem.store.histories import load_history
from pbem.store.matches import load_match
from pbem.store.verify import Audit
from support.commands import pbem
from support.correspondents import ALICE, BOB, Correspondents
from support.game_masters import say
from support.trials import NOON, flat, match_of

HASH = "[0-9a-f]{64}"
ORDER = re.compile(rf"in this order \(VPA, Vietnam\): ((?:{HASH}|-) (?:{HASH}|-))")


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def war(folder: Path, kind: str = "words") -> DemoDesk:
    table = DemoDesk(folder, NOON, "rocknroll", length="short", terms=Terms(chance=kind))
    table.poll()
    return table


def turn(table: DemoDesk, words: str = "") -> tuple[str, str]:
    """Who is on turn writes orders; the receipt and the report, as they get them."""
    (seat,) = match_of(table).missing()
    table.write(seat, f"{words}\n{table.opponent_orders(seat)}")
    told = [flat(letter) for to, letter in table.poll() if to == seat]
    if not any("receipt" in one for one in told):  # with these cards a line was certain to be skipped
        table.write(seat, "yes")
        told = [flat(letter) for to, letter in table.poll() if to == seat]
    return next(one for one in told if "receipt" in one), next(one for one in told if "came from this secret" in one)


@pytest.fixture
def people(table: DemoDesk) -> Iterator[Correspondents]:
    return Correspondents(table)


def invited(people: Correspondents, words: str = "") -> str:
    """Bob's invitation to a war that Alice challenges him to."""
    return people.write(ALICE, f"{words}\nchallenge {BOB} to rocknroll")[BOB][-1]


def test_the_invitation_tells_the_hash_of_the_secret_before_anything_is_dealt(people: Correspondents) -> None:
    invitation = invited(people, "word: twelve monkeys")
    offered = load_match(people.table.store, 2)
    assert offered.phase == "offered"
    assert f"{commitment(offered.deck)} is the SHA-256 of the secret of the" in invitation
    assert "Neither the desk nor any one player can choose" in invitation
    begun = people.write(BOB, "accept\nword: a red herring")[ALICE][-1]
    match = load_match(people.table.store, 2)
    assert read_source(match.deck)[:2] == read_source(offered.deck)[:2]
    assert match.state != offered.state
    assert ORDER.findall(begun) == [f"{sha256('twelve monkeys')} {sha256('a red herring')}"]
    assert [*Audit(people.table.store.conn).differences()] == []


def test_other_words_deal_other_cards_and_the_same_words_the_same(tmp_path, monkeypatch) -> None:
    states = {}
    for name, words in (("one", "tea"), ("same", "tea"), ("other", "coffee")):
        monkeypatch.setattr("pbem.service.desk.token_bytes", bytes)
        people = Correspondents(DemoDesk(tmp_path / name, NOON))
        people.poll()
        invited(people, "word: any")
        people.write(BOB, f"accept\nword: {words}")
        states[name] = load_match(people.table.store, 2).state
        people.table.close()
    assert states["one"] == states["same"] != states["other"]


@pytest.mark.parametrize(("line", "said"), [("word: Bird  song!", "Bird song!"), ("Wort: Amsel", "Amsel"),
                                            ("Слово: дрозд", "дрозд"), ("word: a\nWort: b", "a b")])  # fmt: skip
def test_words_that_a_seat_brings_stand_in_its_receipt_and_in_the_report(tmp_path, line, said) -> None:
    table = war(tmp_path / "desk")
    table.write(match_of(table).missing()[0], "more letters")
    receipt, report = turn(table, line)
    assert f"contributes this to dice and cards: {sha256(said)}" in receipt
    assert sha256(said) in report
    table.close()


def test_without_words_a_letter_brings_itself_as_it_came(tmp_path) -> None:
    table = war(tmp_path / "desk")
    (seat,) = match_of(table).missing()
    letter = table.answer(seat, table.opponent_orders(seat)).as_bytes()
    table.deliver(letter)
    told = [flat(one) for to, one in table.poll() if to == seat]
    came = table.store.conn.execute("SELECT raw FROM letters ORDER BY id DESC LIMIT 1").fetchone()[0]
    assert hashlib.sha256(came).hexdigest() in " ".join(told)
    table.close()


def test_anybody_can_work_the_dice_of_a_report_out_from_the_letters_alone(tmp_path) -> None:
    table = war(tmp_path / "desk")
    _, report = turn(table, "word: one")
    (words,) = ORDER.findall(report)
    (secret,) = re.findall(rf"came from this secret: ({HASH})", report)
    seed = hmac.new(bytes.fromhex(secret), words.replace(" ", "\n").encode(), "sha256").digest()
    fell = [event for event in match_turns(table)[0].events if event["type"] == "die"]
    chance = SecretChance(seed)
    assert [chance.die(6) for _ in fell] == [event["fell"] for event in fell]
    table.close()


def match_turns(table: DemoDesk) -> tuple[Turn, ...]:
    return load_match(table.store, 1).turns


def test_the_desk_can_grind_no_turns_secret_for_it_follows_from_that_of_the_match(tmp_path) -> None:
    table = war(tmp_path / "desk")
    ground = str(Source("ab" * 32))
    table.store.conn.execute("UPDATE matches SET secret = ?", (ground,))
    conn = table.store.conn
    hash_told = commitment(ground)
    with table.store.transaction():  # the operator has the desk tell the hash of a secret that suits them
        table.store.note("dice", {"turn": 1, "hash": hash_told}, table.now, 1)
    turn(table)
    found = [*Audit(conn).differences()]
    assert "Turn 1 of rnr-1 was played with a secret that does not follow from that of the game." in found
    table.close()


def test_the_desk_cannot_leave_out_what_a_seat_has_brought(tmp_path, monkeypatch) -> None:
    table = war(tmp_path / "desk")
    turn(table, "word: mine")
    monkeypatch.setattr(Match, "chance", "desk")  # a desk that plays as it likes
    (seat,) = match_of(table).missing()
    table.write(seat, f"word: theirs\n{table.opponent_orders(seat)}")
    table.poll()
    monkeypatch.undo()
    assert "Turn 2 of rnr-1 was not played with the words that its seats had brought." in [
        *Audit(table.store.conn).differences()
    ]
    table.close()


@pytest.mark.parametrize("kind", ["desk", "words"])
def test_each_kind_is_recorded_replayed_and_verified(tmp_path, kind) -> None:
    table = war(tmp_path / "desk", kind)
    while not table.over():
        turn(table)
    assert [*Audit(table.store.conn).differences()] == []
    history = load_history(table.store, 1)
    again = read_record(write_record(history))
    assert not again.problems
    assert again.history is not None
    assert again.history.state == history.state
    source = read_source(history.secret)
    assert (source.kind, bool(source.words)) == (kind, kind == "words")
    for played in history.turns():
        assert read_source(played.secret).secret == turn_secret(history.secret, played.turn)
    table.close()


@pytest.fixture(scope="module")
def over(tmp_path_factory: pytest.TempPathFactory) -> History:
    table = war(tmp_path_factory.mktemp("over") / "desk")
    while not table.over():
        turn(table)
    history = load_history(table.store, 1)
    table.close()
    return history


@pytest.mark.parametrize("write", [write_json, write_record])
@pytest.mark.parametrize("number", [0, -1])
def test_a_file_with_a_turns_secret_that_was_ground_is_refused(over, tmp_path, write, number) -> None:
    played = [step for step in over.steps if isinstance(step, Played)][number]
    ground = played._replace(secret=str(read_source(played.secret)._replace(secret="ab" * 32)))
    file = tmp_path / "game"
    file.write_text(write(replace(over, steps=tuple(ground if step is played else step for step in over.steps))))
    found = pbem("verify", file)
    assert found.exit_code == 1
    assert "secret that does not follow from that of the game" in found.output


@pytest.mark.parametrize("secret", ["junk", "", "ab" * 32 + "+1:2", 5, None])
@pytest.mark.parametrize("command", ["verify", "dice"])
def test_an_export_whose_secret_is_none_is_answered_in_a_sentence(over, tmp_path, secret, command) -> None:
    told = {**json.loads(write_json(over)), "secret": secret, "checksum": ""}
    file = tmp_path / "game.json"
    file.write_text(add_checksum(json.dumps(told, indent=1) + "\n", '"checksum": "'))
    pbem(command, file)  # which has no traceback, whatever it says


@pytest.mark.parametrize("deck", ["junk", "", "ab" * 32, "ab" * 32 + "+words"])
def test_a_match_with_another_secret_in_the_database_is_found(tmp_path, deck) -> None:
    table = war(tmp_path / "desk")
    turn(table)
    table.store.conn.execute("UPDATE matches SET deck = ?", (deck,))
    found = [*Audit(table.store.conn).differences()]
    assert "The shuffles of rnr-1 come from another secret than was told at its start." in found
    table.close()


def test_where_nobody_has_brought_anything_the_first_letter_says_who_has_dealt(tmp_path) -> None:
    table = war(tmp_path / "desk")
    assert "so this desk alone has dealt" in flat(table.last["vpa"])
    table.close()


def test_a_turn_that_is_taken_back_gets_a_secret_that_nobody_was_told(tmp_path) -> None:
    table = war(tmp_path / "desk")
    first = match_of(table).secret
    turn(table)
    turn(table)
    opened = {read_source(one.secret).secret for one in match_turns(table)}
    say(table, "rollback rnr-1 1 because of a test")
    assert match_of(table).secret == f"{turn_secret(match_of(table).deck, 1, 1)}+1" != first
    turn(table)
    turn(table)
    assert opened.isdisjoint(read_source(one.secret).secret for one in match_turns(table))
    assert [*Audit(table.store.conn).differences()] == []
    table.close()


def test_a_turn_that_is_played_again_has_its_old_dice_whatever_was_brought_since(tmp_path) -> None:
    table = war(tmp_path / "desk")
    turn(table, "word: first")
    (before,) = match_turns(table)
    (seat,) = match_of(table).missing()
    table.write(seat, "word: second thoughts")
    table.poll()
    say(table, "readjudicate rnr-1 because of a test")
    (after,) = match_turns(table)
    assert (before.secret, before.after) == (after.secret, after.after)
    assert [*Audit(table.store.conn).differences()] == []
    table.close()


def test_words_are_not_asked_of_a_game_that_needs_none(people: Correspondents) -> None:
    assert "take no words" in people.say(ALICE, "word: abracadabra")


@pytest.mark.parametrize("text", ["", "ab", "AB" * 32, f"{'ab' * 32}+", f"{'ab' * 32}+dice", f"{'ab' * 32}+1:zz"])
def test_what_is_no_source_of_chance_is_read_as_none(text: str) -> None:
    with pytest.raises(ChanceError):
        read_source(text)


def test_every_source_of_chance_is_read_as_it_was_written() -> None:
    for kind in ("", *KINDS):
        for attempt in (0, 1, 29_999_999):
            for words in ((), ("-",), ("12" * 32, "-")):
                source = Source("ab" * 32, kind, attempt, words)
                assert read_source(str(source)) == source


def drawn(table: DemoDesk) -> tuple[str, ...]:
    """Turns up to one that draws orders of the deck are played; what lay on it before."""
    while True:
        before = match_of(table).state.decks.orders
        turn(table)
        if match_of(table).state.decks.orders[: len(before)] != before:
            return before


def test_a_deck_of_which_a_turn_drew_that_is_taken_back_is_shuffled_anew_and_the_letter_says_so(tmp_path) -> None:
    table = war(tmp_path / "desk")
    known, last = drawn(table), match_of(table).turn - 1
    start = match_turns(table)[-1].before
    told = [flat(letter) for _, letter in say(table, f"rollback rnr-1 {last} because of a test")]
    now = match_of(table).state
    assert now.decks.orders != known
    assert sorted(now.decks.orders) == sorted(known)
    assert (now.hands, now.points, now.discard) == (start.hands, start.points, start.discard)
    assert sum("which are shuffled again: nobody knows what comes" in one for one in told) == 2
    assert [*Audit(table.store.conn).differences()] == []
    drawn(table)
    say(table, f"rollback rnr-1 {last} because of another test")
    assert match_of(table).state.decks.orders not in (known, now.decks.orders)
    assert [*Audit(table.store.conn).differences()] == []
    table.close()


def test_a_turn_that_is_played_again_from_the_same_orders_finds_the_decks_as_they_were(tmp_path) -> None:
    table = war(tmp_path / "desk")
    drawn(table)
    before = match_turns(table)[-1]
    told = [flat(letter) for _, letter in say(table, "readjudicate rnr-1 because of a test")]
    assert match_turns(table)[-1] == before
    assert "shuffled again" not in " ".join(told)
    table.close()


def test_a_desk_that_leaves_the_known_cards_on_top_is_found(tmp_path, monkeypatch) -> None:
    table = war(tmp_path / "desk")
    drawn(table)
    monkeypatch.setattr("pbem.match.rollback.reshuffled", lambda match, turn, attempt: turn.before)
    last = match_of(table).turn - 1
    say(table, f"rollback rnr-1 {last} because of a test")
    monkeypatch.undo()
    assert [*Audit(table.store.conn).differences()] == [
        f"The decks of rnr-1 were not shuffled anew as its secret says for turn {last}."
    ]
    table.close()


def test_a_desk_that_calls_for_chance_anew_until_it_likes_the_secret_is_found(tmp_path, monkeypatch) -> None:
    table = war(tmp_path / "desk", "desk")
    monkeypatch.setattr("pbem.match.rollback.attempt_of", lambda match: 41)
    turn(table)
    say(table, "rollback rnr-1 1 because of a test")
    monkeypatch.undo()
    turn(table)
    assert "The secret of turn 1 of rnr-1 is not the next one that follows from that of the game." in [
        *Audit(table.store.conn).differences()
    ]
    table.close()


def test_dice_shows_how_a_deck_was_shuffled_anew_and_the_record_replays(tmp_path) -> None:
    table = war(tmp_path / "desk")
    drawn(table)
    last = match_of(table).turn - 1
    say(table, f"rollback rnr-1 {last} because of a test")
    dealt = match_of(table).state.decks.orders
    while not table.over():
        turn(table)
    history = load_history(table.store, 1)
    for name, text in (("game.txt", write_record(history)), ("game.json", write_json(history))):
        (tmp_path / name).write_text(text)
        assert pbem("verify", tmp_path / name).exit_code == 0
        shown = pbem("dice", tmp_path / name, "--turn", last).output
        assert f"back to turn {last} (1): what was drawn is shuffled into the decks anew" in shown
        assert shown.count("one of 2: ") >= 1
    (placed,) = [step for step in history.steps if isinstance(step, Placed)]
    assert placed.state.decks.orders == dealt
    table.close()


def test_a_pool_of_counters_is_a_deck_like_any_other() -> None:
    ozz, chance = find_game("ozz"), SecretChance(bytes(32))
    start = ozz.new({}, chance)
    (owner, pool), *_ = ozz.decks(start).items()
    less = {**ozz.decks(start), owner: pool[1:]}
    anew = ozz.decks(reshuffled(ozz, start, [less], chance))
    assert anew[owner] != pool
    assert sorted(anew[owner]) == sorted(pool)
    assert {**anew, owner: pool} == ozz.decks(start)
    under = {**ozz.decks(start), owner: (*pool, "x")}  # a counter that fell, which shows nothing of the pool
    assert reshuffled(ozz, start, [under], chance) == start
