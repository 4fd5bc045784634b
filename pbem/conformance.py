"""What every game must fulfil, for the tests of its author: `assert problems(Chess()) == []`.

Games are played at random, and each thing is checked in every position that comes up. Nothing but pbem is needed.
docs/games/making.md explains each check.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from gettext import NullTranslations
from itertools import groupby
from random import Random
from typing import Any, NamedTuple

from pbem import PbemError, Sentence
from pbem.games.base import OPEN, AnyGame, Event, Reader, Seat, seats_of, with_default_files
from pbem.games.capabilities import DealsAnew, as_translator
from pbem.games.chance import SecretChance
from pbem.i18n.languages import Translator, read_catalogues
from pbem.orders import reader
from pbem.orders.situation import Standpoint

Writer = Callable[[Any, Seat, Random], str]
"""Writes orders of a seat in a state, in canonical form or not, legal or not."""

_WORLDS = 4
"""The number of ways in which the others may have ordered, for each turn and reader."""

_ODD = ("", " ", "\n", "\0", "\u202e", "😀", "é", "ß", "İ", "|", "{", "}", "#", "@", "0", "99999999999", "-1", "?", "²")


@dataclass(frozen=True)
class Trial:
    """How a game is tried: with which options, in how many games, of how many turns at most. `write` writes random
    orders; by default, the game's own examples and corrections are used, which seldom differ. `languages` are those in
    which letters about the game are written besides English."""

    game: AnyGame
    options: Mapping[str, Any] = field(default_factory=dict)
    write: Writer | None = None
    games: int = 2
    turns: int = 12
    languages: tuple[str, ...] = ()


class Turn(NamedTuple):
    """A turn of a random game: its number, the states before and after it, the orders in canonical form, the events,
    and the chance with which it was played."""

    number: int
    before: Any
    texts: Mapping[Seat, str]
    after: Any
    events: tuple[Event, ...]
    secret: bytes


def problems(game: AnyGame, **how: Any) -> list[str]:
    """Return everything that is wrong with `game`, one sentence each. `how` contains fields of `Trial`."""
    trial = Trial(game, **how)
    found: dict[str, None] = {}
    for number in range(trial.games):
        for turn in _played(trial, number, found):
            for check in (_of_states, _of_chance, _of_secrecy, _of_texts):
                try:
                    found |= dict.fromkeys(f"turn {turn.number}: {problem}" for problem in check(trial, turn))
                except Exception as error:  # noqa: BLE001 - whatever the game raises is a problem of it
                    found[f"turn {turn.number}: {check.__doc__} fails with {type(error).__name__}: {error}"] = None
            found |= dict.fromkeys(_of_languages(trial, turn))
    return [*found]


def _played(trial: Trial, number: int, found: dict[str, None]) -> Iterator[Turn]:
    """Play a random game, and yield its turns; note in `found` orders that cannot be read back."""
    game, random = trial.game, Random(number)
    options = with_default_files(game, trial.options)
    secret = random.randbytes(32)
    state = game.new(options, SecretChance(secret))
    _of_the_start(trial, options, state, secret, found)
    for at in range(1, trial.turns + 1):
        if not (awaited := game.awaiting(state)):
            return
        orders = {
            seat: _ordered(trial, state, seat, random, found) for seat in seats_of(game, options) if seat in awaited
        }
        given = {seat: one for seat, one in orders.items() if one is not None}
        secret = random.randbytes(32)
        ruling = game.resolve(state, given, SecretChance(secret))
        yield Turn(at, state, {seat: str(one) for seat, one in given.items()}, ruling.state, ruling.events, secret)
        state = ruling.state


def _of_the_start(trial: Trial, options: Mapping[str, Any], state: Any, secret: bytes, found: dict[str, None]) -> None:
    """Check that a record can begin with the state."""
    headers = trial.game.headers(state, options)
    if trial.game.from_headers(headers, SecretChance(secret))[0] != state:
        found["records: from_headers does not return the state that headers was given"] = None
    if trial.game.new(options, SecretChance(secret)) != state:
        found["chance: new returns different states with the same chance"] = None


def _ordered(trial: Trial, state: Any, seat: Seat, random: Random, found: dict[str, None]) -> Any | None:
    """Return legal orders of a seat, or None if it has written none; check that they can be read back."""
    standpoint = Standpoint(trial.game, state, seat)
    for text in (trial.write or _usual(trial.game))(state, seat, random), _usual(trial.game)(state, seat, random):
        reading = reader.read(standpoint, text)
        orders = reading.orders
        if orders is None and reading.proposal:
            orders = reader.read(standpoint, reading.proposal).orders
            if orders is None:
                found[f'orders: the correction "{reading.proposal}" cannot be read'] = None
        if orders is not None:
            try:
                again = reader.parse(standpoint, str(orders))
            except PbemError as error:
                found[f'orders: "{orders}" cannot be read back: {error}'] = None
                return orders
            if again != orders or str(again) != str(orders):
                found[f'orders: "{orders}" is read back as "{again}"'] = None
            return orders
    return None


def _usual(game: AnyGame) -> Writer:
    """Return a writer of the orders that the game itself gives as an example."""
    return lambda state, seat, random: game.prospects(game.view(state, seat), seat)[1]


def _of_states(trial: Trial, turn: Turn) -> Iterator[str]:
    """storing a state"""
    game, state = trial.game, turn.after
    if game.load(json.loads(json.dumps(game.dump(state)))) != state:
        yield "records: load does not return the state that dump was given"
    line = game.position(state)
    if set(line) & set("|#@{}\n"):
        yield f"records: the position contains one of | # @ braces: {line}"
    if game.placed(state, line) != state:
        yield "records: placed does not return the state that position was given"
    for event in turn.events:
        if json.loads(json.dumps(event)) != event:
            yield f"records: an event is no plain data: {event}"


def _of_chance(trial: Trial, turn: Turn) -> Iterator[str]:
    """playing a turn again"""
    game, kept = trial.game, json.dumps(trial.game.dump(turn.before))
    again = _resolved(game, turn, turn.texts)
    if again.state != turn.after or again.events != turn.events:
        yield "chance: resolve returns something else with the same orders and the same chance"
    if json.dumps(game.dump(turn.before)) != kept:
        yield "chance: resolve changes the state that it is given"
    turned = _resolved(game, turn, dict(reversed([*turn.texts.items()])))
    if turned.state != turn.after or turned.events != turn.events:
        yield "chance: resolve depends on the sequence in which the seats have ordered"


def _resolved(game: AnyGame, turn: Turn, texts: Mapping[Seat, str]) -> Any:
    orders = {seat: reader.parse(Standpoint(game, turn.before, seat), text) for seat, text in texts.items()}
    return game.resolve(turn.before, orders, SecretChance(turn.secret))


def _of_secrecy(trial: Trial, turn: Turn) -> Iterator[str]:
    """comparing worlds"""
    game = trial.game
    for reader_ in (*turn.texts, None):
        worlds = [_world(trial, turn, reader_, number) for number in range(_WORLDS)]
        told = sorted(worlds, key=lambda world: world[0])
        for _, alike in groupby(told, key=lambda world: world[0]):
            known = [one for _, one in alike]
            for name in known[0]:
                if any(other.get(name) != known[0][name] for other in known[1:]):
                    yield f"secrecy: {name} tells {reader_ or 'the public'} what others ordered and no event says"
    if isinstance(game, DealsAnew):
        other = game.dealt_anew(turn.after, SecretChance(turn.secret))
        here, there = (_known(game, state, None, "") for state in (turn.after, other))
        yield from (f"secrecy: {name} tells the public what is hidden" for name in here if here[name] != there[name])


def _world(trial: Trial, turn: Turn, to: Reader, number: int) -> tuple[str, dict[str, str]]:
    """Play a turn with other orders of all seats but `to`; return what `to` is told of the turn, and what it then
    knows."""
    game, random, ignored = trial.game, Random(number), dict[str, None]()
    texts = dict(turn.texts)
    for seat in texts if number else ():
        if seat != to and (other := _ordered(trial, turn.before, seat, random, ignored)) is not None:
            texts[seat] = str(other)
    ruling = _resolved(game, turn, texts)
    orders = {
        seat: game.redact_orders(text, seat, to, turn.before, ruling.state) for seat, text in sorted(texts.items())
    }
    told = json.dumps([game.redact_events(ruling.events, to), orders])
    return told, _known(game, ruling.state, to, turn.texts.get(to or "", ""))


def _known(game: AnyGame, state: Any, to: Reader, text: str) -> dict[str, str]:
    """Return everything that a reader can learn of a state, by the name of the method that says it."""
    view = game.view(state, to)
    known = {
        "view": json.dumps(game.show(view), sort_keys=True),
        "picture": repr(game.picture(view)),
        "phase": game.phase(view),
        "summary": repr(game.summary(view)),
    }
    if to and to in game.awaiting(state):
        meant = game.interpret(state, to, Standpoint(game, state, to).parse(text) or ())
        known |= {
            "prospects": repr(game.prospects(view, to)),
            "holdings": repr(game.holdings(view, to)),
            "interpret": repr([str(meant.orders), str(meant.proposal), *(str(one.sentence) for one in meant.mistakes)]),
            "forecast": repr(meant.orders and game.forecast(state, to, meant.orders)),
        }
    return known


def _of_texts(trial: Trial, turn: Turn) -> Iterator[str]:
    """reading any text"""
    random = Random(turn.number)
    words = [
        *_ODD,
        *" ".join(turn.texts.values()).split(),
        *(word for row in trial.game.usage() for word in row[0].split()),
    ]
    for seat in turn.texts:
        for _ in range(6):
            text = " ".join(random.choice(words) for _ in range(random.randrange(8)))
            try:
                reader.read(Standpoint(trial.game, turn.before, seat), text)
            except Exception as error:  # noqa: BLE001 - that is what is looked for
                yield f"texts: {text!r} raises {type(error).__name__}: {error}"


def _of_languages(trial: Trial, turn: Turn) -> Iterator[str]:
    """Yield a problem for each sentence that is not translated into one of the languages, and for orders written in one
    that are not read as what they were."""
    for language in trial.languages:
        missing, found = _Missing(), read_catalogues(language)
        if found is None:
            yield f"languages: there are no letters in {language}"
            continue
        found.add_fallback(missing)
        say = Translator(found, language)
        yield from _of_notation(trial.game, turn, say)
        try:
            _say_all(trial.game, turn, say)
        except Exception as error:  # noqa: BLE001 - such as a gap that only the translation has
            yield f"languages: what is said in {language} fails with {type(error).__name__}: {error}"
        yield from (f"languages: no translation into {language} of {message!r}" for message in missing.messages)


def _of_notation(game: AnyGame, turn: Turn, say: Translator) -> Iterator[str]:
    """Yield a problem for all orders, and all examples of them, that mean something else in the language of `say`."""
    translator = as_translator(game)
    for seat, text in turn.texts.items():
        view, standpoint = game.view(turn.before, seat), Standpoint(game, turn.before, seat)
        own = translator.translate_orders(turn.before, text, say=say) if translator else text
        example = reader.read(standpoint, game.prospects(view, seat)[1]).orders
        for written, meant in ((own, text), (game.prospects(view, seat, say=say)[1], str(example))):
            found = reader.read(standpoint, written)
            if str(found.orders) != meant:
                yield f'orders: "{written}", in {say.language} for "{meant}", is read as "{found.orders}"'


class _Missing(NullTranslations):
    """A catalogue that notes the sentences that are in no other one."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: dict[str, None] = {}

    def gettext(self, message: str) -> str:
        if any(map(str.isalpha, message)):
            self.messages[message] = None
        return message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self.messages[msgid1] = None
        return msgid1 if n == 1 else msgid2


def _say_all(game: AnyGame, turn: Turn, say: Translator) -> None:
    """Say everything that letters say of a turn."""
    sentences: list[Iterable[str]] = [game.phrases, game.called.values(), game.sentences.values()]
    sentences += [
        [option.help for option in game.options({})],
        [result.reason] if (result := game.result(turn.after)) else [],
    ]
    for seat, text in turn.texts.items():
        before, after = game.view(turn.before, seat), game.view(turn.after, seat)
        game.story(before, game.redact_events(turn.events, seat), say=say)
        game.picture(after, before, say=say)
        game.paraphrase(before, seat, reader.parse(Standpoint(game, turn.before, seat), text), say=say)
        game.cautions(before, seat, reader.parse(Standpoint(game, turn.before, seat), text), say=say)
        game.prospects(before, seat, say=say)
        game.holdings(before, seat, say=say)
        for view in (before, after):
            game.phase(view, say=say)
            game.summary(view, say=say)
        wrong = reader.read(Standpoint(game, turn.before, seat), f"{text} {text} 99")
        sentences.append([mistake.sentence for mistake in wrong.mistakes])
    game.usage(say=say)
    game.notes(turn.before, say=say)
    game.story(game.view(turn.before, OPEN), turn.events, say=say)
    for sentence in (one for group in sentences for one in group):
        say(sentence) if isinstance(sentence, Sentence) else say.look_up(sentence)
