"""What must always hold, whatever was ordered (§13), tried on wars at random."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games import find_game
from pbem.games.base import Event
from pbem.games.chance import GivenChance
from pbem.games.rocknroll.cards import SIDES
from pbem.games.rocknroll.loading import load, placed, position
from pbem.games.rocknroll.orders import Orders, Rule
from pbem.games.rocknroll.rules import resolve
from pbem.games.rocknroll.state import Decks, State, dump, redact_events, view_of
from pbem.orders import reader
from pbem.orders.situation import Standpoint
from support.rocknroll_russian import in_russian
from support.rocknroll_wars import Played, dense, turn, war

GAME: Any = find_game("rocknroll")
NAMED = re.compile(r"\b[A-Z]")
SEEDS = st.integers(0, 10**9)


def turns(seed: int, number: int = 40) -> Iterator[Played]:
    """The turns of a war, and some from positions in which much can happen at once."""
    yield from war(seed, turns=number)
    random = Random(seed)
    for _ in range(number // 5):
        yield turn(random, dense(random), 0.05)


def units_of(state: State) -> list[str]:
    """Every unit, wherever it is."""
    data = dump(state)
    lists: list[Iterable[str]] = [data["box"], *(hand["units"] for hand in data["hands"].values())]
    lists += [data["decks"][side] for side in SIDES]
    for part in (data["reserve"], data["graveyard"], data["captives"], *data["points"].values()):
        lists += part.values()
    return [unit for cards in lists for unit in cards]


def orders_of(state: State) -> list[str]:
    """Every order, wherever it is."""
    hands = [order for hand in state.hands.values() for order in hand.orders]
    return [*state.decks.orders, *state.discard, *hands]


@settings(deadline=None)
@given(SEEDS)
def test_every_card_is_in_exactly_one_place(seed: int) -> None:  # I1, I2
    for played in turns(seed):
        state = played.after
        assert sorted(units_of(state)) == sorted(state.cards.units)
        assert Counter(orders_of(state)) == {name: order.count for name, order in state.cards.orders.items()}


@settings(deadline=None)
@given(SEEDS)
def test_marks_seats_and_winners_are_such_as_can_be(seed: int) -> None:  # I3, I4, I5
    for played in turns(seed):
        state, switches = played.after, played.after.cards.switches
        assert all(0 <= number <= (6 if switches.rd else 0) for number in state.rd.values())
        assert set(state.losses.values()) <= {0, 1}
        assert switches.graveyard or not any(state.graveyard.values())
        assert sorted(state.order) == sorted(seat for seat, _ in state.seats)
        assert state.winner or 0 <= state.next < len(state.order)
        assert state.winner or max(state.ok.values()) < 5
        assert all(state.ok[side] >= played.before.ok[side] for side in SIDES)


@settings(deadline=None)
@given(SEEDS)
def test_the_same_question_has_the_same_answer_and_changes_nothing(seed: int) -> None:  # I7
    for played in turns(seed, 10):
        if not played.letters:
            continue
        before = json.dumps(dump(played.before))
        again = resolve(played.before, played.letters, GivenChance(played.chance.values))
        assert json.dumps(dump(again.state)) == json.dumps(dump(played.after))
        assert json.dumps(again.events) == json.dumps(played.events)
        assert json.dumps(dump(played.before)) == before


@settings(deadline=None)
@given(SEEDS)
def test_all_that_chance_answers_is_in_the_events(seed: int) -> None:  # I8
    for played in turns(seed):
        events = played.events
        rolls = [event["value"] for event in events if event["type"] == "roll"]
        picks = sum(event["count"] - 1 for event in events if event["type"] == "reshuffle" and event["count"])
        if played.before is not played.after:
            assert played.chance.picks == picks
            assert len(played.chance.values) == len(rolls) + picks


@settings(deadline=None)
@given(SEEDS)
def test_a_state_is_read_back_from_data_and_from_a_line(seed: int) -> None:  # I9
    for played in turns(seed):
        data = dump(played.after)
        assert load(json.loads(json.dumps(data))) == played.after
        line = position(played.after)
        assert dump(placed(line)) == data
        assert placed(line) == played.after
        assert not set(line) & set("|#@{}\n")


@settings(deadline=None)
@given(SEEDS)
def test_letters_in_both_languages_read_to_the_same_orders(seed: int) -> None:  # I10
    for played in turns(seed, 6):
        for seat, orders in played.letters.items():
            for text in (str(orders), in_russian(played.before.cards, orders)):
                found, standing = (
                    reader.parse_all(Standpoint(GAME, played.before, seat), text) if str(orders) else (None, ())
                )
                assert standing == tuple(map(str, orders.standing))
                assert found == (orders if orders.commands else None)


# I6: nobody sees what is hidden


def hidden_cards(played: Played) -> set[str]:
    """Cards of decks and of hands that are not on turn."""
    state = played.before
    cards = {*state.decks.orders, *(unit for deck in state.decks.units.values() for unit in deck), *state.box}
    for seat, hand in state.hands.items():
        cards |= {*hand.units, *hand.orders} if seat != state.on_turn else set()
    return cards


def with_others_dealt(random: Random, state: State) -> State:
    """A world in which the decks, and the hands of all who are not on turn, hold the same cards in another way."""
    units = {side: [*state.decks.units[side]] for side in SIDES}
    orders = [*state.decks.orders]
    others = {seat: hand for seat, hand in state.hands.items() if seat != state.on_turn}
    for seat, hand in others.items():
        units[state.side_of(seat)] += hand.units
        orders += hand.orders
    for cards in (*units.values(), orders):
        random.shuffle(cards)
    hands = dict(state.hands)
    for seat, hand in others.items():
        side = state.side_of(seat)
        taken = tuple(units[side].pop() for _ in hand.units), tuple(orders.pop() for _ in hand.orders)
        hands[seat] = type(hand)(*taken)
    return replace(state, hands=hands, decks=Decks({side: tuple(units[side]) for side in SIDES}, tuple(orders)))


def shows(event: Event, cards: set[str]) -> bool:
    """Whether an event shows one of some cards; an order traded away shows that there was one of that name."""
    traded = event["type"] == "discard" and event["why"] == "trade"
    return traded or any(isinstance(value, str) and value in cards for value in event.values())


def without_names(rules: Iterable[tuple[str, str]]) -> tuple[Rule, ...]:
    """Standing orders but for those that let the names of cards in a hand decide."""
    return tuple(
        Rule(key, value) for key, value in rules if not key.startswith(("Reroll", "Pour")) or not NAMED.search(value)
    )


class Dice:
    """Chance that throws the same in every world."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def die(self, sides: int) -> int:
        return self._random.randint(1, sides)

    def pick(self, number: int) -> int:
        return 0


@settings(deadline=None)
@given(SEEDS)
def test_no_view_and_no_event_shows_a_hidden_card_before_it_is_shown(seed: int) -> None:
    random = Random(seed)
    for played in turns(seed, 12):
        if played.before is played.after:
            continue
        standing = {seat: dict(without_names(rules.items())) for seat, rules in played.before.standing.items()}
        state = replace(played.before, standing=standing)
        other = with_others_dealt(random, state)
        assert view_of(state, None) == view_of(other, None)
        assert view_of(state, state.on_turn) == view_of(other, state.on_turn)
        letters = {seat: Orders(without_names(said.standing), said.commands) for seat, said in played.letters.items()}
        worlds = [redact_events(resolve(one, letters, Dice(seed)).events, None) for one in (state, other)]
        hidden = hidden_cards(played)
        for first, second in zip(*worlds, strict=False):
            if first["type"] == "reshuffle" or shows(first, hidden) or shows(second, hidden):
                break
            assert first == second


@settings(deadline=None)
@given(SEEDS)
def test_what_a_seat_is_shown_names_no_card_that_only_another_sees(seed: int) -> None:
    for played in turns(seed, 12):
        for seat in (None, *(one for one, _ in played.after.seats)):
            for event, told in zip(visible(played.events, seat), redact_events(played.events, seat), strict=True):
                assert "seen" not in told
                if "seen" in event and seat not in event["seen"]:
                    assert "card" not in told


def visible(events: tuple[Event, ...], seat: str | None) -> list[Event]:
    """Events that a seat is told of, as they are."""
    return [event for event in events if "seen" not in event or seat in event["seen"] or "card" in event]
