"""The checks for every game: those of pbem and the example pass them, and each check finds a game that is broken."""

from dataclasses import replace
from itertools import count
from random import Random
from typing import Any

import pytest
from pbem_harbours import WAYS, Harbours, Orders, State

from pbem.conformance import problems
from pbem.games import find_game
from pbem.games.base import Ruling
from support.ozz_letters import letter
from support.plugins import harbours, plugged
from support.random_games import some_orders
from support.rocknroll_orders import RandomOrders

__all__ = ["harbours", "plugged"]

LANGUAGES = ("de", "ru")


def of_ozz(state: Any, seat: str, random: Random) -> str:
    if state.battle:
        return str(letter(state, seat, random))
    game: Any = find_game("ozz")
    return "Pass" if random.random() < 0.3 else str(game.choose(game.view(state, seat), seat))


def of_harbours(state: State, seat: str, random: Random) -> str:
    return str(Orders(random.choice(WAYS[state.ships[seat]]), random.choice(state.hands[seat])))


WRITERS = {
    "ozymandia": lambda state, seat, random: str(some_orders(random, state, seat)),
    "rocknroll": lambda state, seat, random: str(RandomOrders(random, state, seat).orders()),
    "ozz": of_ozz,
    "harbours": of_harbours,
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_game_fulfils_what_is_asked_of_every_game(harbours: None, name: str) -> None:
    turns = 1 if name in ("rocknroll", "ozz") else 3
    assert problems(find_game(name), write=WRITERS[name], games=1, turns=turns, languages=LANGUAGES) == []


@pytest.mark.long
@pytest.mark.parametrize("name", WRITERS)
def test_a_game_fulfils_it_in_many_games(harbours: None, name: str) -> None:
    assert problems(find_game(name), write=WRITERS[name], games=5, turns=20, languages=LANGUAGES) == []


class Mute(Orders):
    def __str__(self) -> str:
        return f"Sail to {self.harbour} with {self.card % 10}"


class Misread(Harbours):
    def interpret(self, state, seat, items):
        meant = super().interpret(state, seat, items)
        return replace(meant, orders=meant.orders and Mute(*meant.orders))


class Forgetful(Harbours):
    def load(self, data):
        return super().load({**data, "cargo": dict.fromkeys(WAYS, 2)})


class Unplaceable(Harbours):
    def placed(self, state, text):
        return replace(super().placed(state, text), turn=1)


class Unlucky(Harbours):
    numbers = count()

    def resolve(self, state, orders, chance):
        ruling = super().resolve(state, orders, chance)
        return Ruling(ruling.state, (*ruling.events, {"type": "die", "fell": next(self.numbers)}))


class Writing(Harbours):
    def resolve(self, state, orders, chance):
        state.cargo["Ash"] += 1
        return super().resolve(state, orders, chance)


class Sequential(Harbours):
    def resolve(self, state, orders, chance):
        ruling = super().resolve(state, orders, chance)
        return Ruling(ruling.state, (*ruling.events, {"type": "first", "seat": next(iter(orders))}))


class Open(Harbours):
    def view(self, state, reader):
        return state


class Public(Harbours):
    def view(self, state, reader):
        return state if reader is None else super().view(state, reader)


class Telling(Harbours):
    def prospects(self, view, seat, *, say=str):
        return f"The others hold {self.secret}", super().prospects(view, seat)[1]

    def view(self, state, reader):
        self.secret = state.hands
        return super().view(state, reader)


class Fragile(Harbours):
    def is_attempt(self, state, line, items):
        if "ß" in line:
            raise ValueError(line)
        return super().is_attempt(state, line, items)


class Foreign(Harbours):
    sentences = {  # noqa: RUF012
        **Harbours.sentences,
        "sail": "{seat} goes to {to}.",
    }


class Abroad(Harbours):
    def translate_orders(self, state, orders, *, say=str):
        return orders.replace("Sail", "Klabauter")


class Restless(Harbours):
    def new(self, options, chance) -> State:
        return replace(super().new(options, chance), turn=next(Unlucky.numbers) % 3 + 1)


BROKEN = [
    (Misread, "orders: "),
    (Forgetful, "records: load does not return the state that dump was given"),
    (Unplaceable, "records: placed does not return the state that position was given"),
    (Unlucky, "chance: resolve returns something else with the same orders and the same chance"),
    (Writing, "chance: resolve changes the state that it is given"),
    (Sequential, "chance: resolve depends on the sequence in which the seats have ordered"),
    (Restless, "chance: new returns different states with the same chance"),
    (Open, "secrecy: view tells gull what others ordered and no event says"),
    (Public, "secrecy: view tells the public what is hidden"),
    (Telling, "secrecy: prospects tells heron what others ordered and no event says"),
    (Fragile, "texts: "),
    (Abroad, 'in de for "Sail to '),
    (Foreign, "languages: no translation into de of '{seat} goes to {to}.'"),
]


@pytest.mark.parametrize(("kind", "told"), BROKEN)
def test_a_broken_game_is_found(harbours: None, kind: type[Harbours], told: str) -> None:
    found = problems(kind(), write=of_harbours, games=1, turns=4, languages=("de",))
    assert any(told in problem for problem in found), found
