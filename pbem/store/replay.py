"""Verification of a game by adjudicating every turn again, each from the board with which the previous turn ended.

A match is read in two passes: first its entries in the record, then its rows in `turns`. Each contradiction is reported
as a sentence.
"""

import json
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from pbem.games.base import OPEN, AnyGame, Event, GameError, Seat, seats_of
from pbem.games.capabilities import Decks, dealt_anew, decks_of, opening_of, reshuffled
from pbem.games.chance import (
    NO_CHANCE,
    NO_WORDS,
    Chance,
    ChanceError,
    SecretChance,
    Source,
    commitment,
    deal_seed,
    read_source,
    renewed_secret,
    rollback_seed,
    set_up_chance,
    source_behind,
    turn_chance,
    turn_secret,
)
from pbem.match.commitments import order_commitment
from pbem.match.model import Entry
from pbem.orders import reader
from pbem.orders.situation import Situation
from pbem.record.history import History, Played
from pbem.times.moments import parse_moment

Began = Callable[[int], str | None]
"""A function that takes the number of a turn, and returns the state (JSON) from which the turn was last played; None if
the state is unknown."""

Ordered = Callable[[int], Mapping[Seat, str | None]]
"""A function that takes the number of a turn, and returns the orders with which the turn was last played; an empty
mapping if the orders are unknown."""


class Step(NamedTuple):
    """A change in a match according to an entry of the record. `value` depends on `kind`: for `turn`, it is the number
    of the turn; for `undo`, the turn to whose start the match goes back; for `rollback`, the seed for reshuffling
    decks, and the new state if decks were reshuffled; for `deal`, the seed and the new state; for `position`, the new
    state. Unknown values are None."""

    kind: str
    value: Any = None


class TurnRow(NamedTuple):
    """The columns of a row of `turns` that are needed to adjudicate the turn again."""

    turn: int
    before: str
    orders: str
    after: str
    events: str
    rules: str
    secret: str = ""


class MatchRow(NamedTuple):
    """The columns of a row of `matches` that are needed to retrace the match, or that are compared with the outcome."""

    name: str
    game: str
    state: str
    phase: str
    turn: int
    winner: str | None
    options: str = "{}"
    deck: str = ""
    ranking: str | None = None
    root: str = ""


class Promised(NamedTuple):
    """The sources from which the chance of a turn must come: the published `hash` of the turn's secret, the hashes of
    the `words` that the seats last contributed, and the `beacon` round that was named, with its value. `beacon` is None
    if no round was named, and "" if the game master decided to do without one."""

    hash: str = ""
    words: Mapping[Seat, str] = MappingProxyType({})
    beacon: str | None = None
    deck: str = ""  # the match's source of chance from which the turn's secret derives


@dataclass
class Retraced:
    """A match while it is being retraced. `state` is the current board (JSON), or None while the board is unknown."""

    game: AnyGame
    name: str
    steps: deque[Step] = field(default_factory=deque)
    standing: dict[Seat, str] = field(default_factory=dict)
    undone: int = 0  # the turn to whose start the match was last taken back
    winner: tuple[str | None] | None = None  # set once the game has ended
    over: str = ""  # the phase of the match, if it has ended
    from_start: bool = False  # whether the record covers the match from its beginning
    turn: int = 1
    state: str | None = None
    loaded: Any = None  # `state` as loaded by the game
    adjudicated: int = 0  # the number of turns adjudicated
    options: str = "{}"
    deck: str = ""  # the current source of chance; at first all sources of the match
    kind: str = ""  # the kind of chance that the match uses
    root: str = ""  # the secret from which new secrets of the match derive
    rooted: str = ""  # the hash of `root`, recorded at the start of the match
    sources: dict[str, str] = field(default_factory=dict)  # the match's sources of chance, by hash of the secret
    told: set[str] = field(default_factory=set)  # the sources whose secrets were revealed because the match was over
    undealt: bool = False  # whether everything hidden still has to be dealt anew from the current secret
    committed: str = ""  # the published hash of the secret for the set-up
    words: dict[Seat, str] = field(default_factory=dict)  # hashes of what the seats last contributed to chance
    brought: dict[Seat, str] = field(default_factory=dict)  # the hashes in `words` when the set-up was dealt
    hashes: dict[int, str] = field(default_factory=dict)  # the published hashes of the turns' secrets, by turn
    behind: dict[int, str] = field(default_factory=dict)  # the current source when each hash was published, by turn
    dice: deque[Promised] = field(default_factory=deque)  # what was promised for each turn played, in order
    promised: dict[int, Promised] = field(default_factory=dict)  # what was promised, by turn
    again: Promised | None = None  # what was promised for a turn about to be played again
    attempt: int = 0  # how often the chance of turns has been drawn anew
    named: dict[int, int] = field(default_factory=dict)  # the beacon rounds that were named, by turn (0: the set-up)
    came: dict[int, str] = field(default_factory=dict)  # the named rounds with their values, by turn
    without: bool = False  # whether the game master decided that the next draw uses no beacon round
    decks: dict[int, Decks] = field(default_factory=dict)  # the decks after each turn, including turns just undone

    # The record

    def read(self, kind: str, at: str, content: Mapping[str, Any] | None, ordered: Ordered) -> Iterator[str]:
        """Process an entry about this match in the record, and yield contradictions. `at` is the moment at which the
        entry was made, and `content` is None if the content of the entry was deleted. Kinds of entries that do not
        affect the course of the match are skipped."""
        values: Mapping[str, Any] = content or {}
        match kind:
            case "game" | "import":
                self.state, self.from_start = values.get("state"), kind == "game"
                self._begin(values)
                yield from self._set_up(values, dealt=False)
            case "deal" | "words" | "dice" | "rollback" | "beacon" | "pulse" | "decision" | "secret" | "deal again":
                yield from self._read_chance(kind, at, values)
            case "orders":
                self.standing[values["seat"]] = values["orders"]
                yield from self._seal(values)
            case "withdraw" | "holder" | "replace":
                self.standing.pop(values.get("seat", ""), None)
            case "undo":
                self.standing, self.winner, self.over, self.undone = {}, None, "", values["turn"]
                self.steps.append(Step("undo", values["turn"]))
            case "position" | "resign":
                self.standing.pop(values.get("seat", ""), None)
                self.steps.append(Step("position", values.get("state")))
            case "readjudicate":
                self.standing = {seat: orders for seat, orders in ordered(self.undone).items() if orders}
                self.again = self.promised.get(self.undone)
            case "end" | "annul" | "reopen":
                self._end(kind, content)
            case "turn":
                self.steps.append(Step("turn", values["turn"]))
                yield from self._promise(values["turn"])
                yield from self._lists_played(values)
                self.standing = {}

    def _end(self, kind: str, content: Mapping[str, Any] | None) -> None:
        """Record that the match has ended, or that its end was taken back. An annulled match may still be awarded to a
        winner later."""
        phase = {"end": "finished", "annul": "annulled"}.get(kind) or (content or {}).get("phase", "")
        self.over = phase if phase in ("finished", "annulled") else ""
        self.told |= {self.deck} if self.over else set()
        self.winner = (content.get("winner"),) if content and self.over else None

    def _begin(self, content: Mapping[str, Any]) -> None:
        """Collect the secrets of the match, and make the one whose hash was published at the start the current one."""
        sources = self.deck.split(" ")
        self.kind = next((_source(source).kind for source in reversed(sources) if _source(source).kind), "")
        self.sources = {commitment(source): source for source in sources if _source(source).secret}
        self.committed, self.rooted = content.get("deck", ""), content.get("root", "")
        self.deck = self.sources.get(self.committed, sources[0]) if self.from_start else self.deck

    def _go_on(self, kind: str, at: str, content: Mapping[str, Any]) -> Iterator[str]:
        """Process an entry about a new secret, which the match needs to go on after its last secret has been revealed,
        or about the deal that was then made anew from this secret. Yields contradictions."""
        if kind == "secret":
            yield from self._renew(at, content)
            return
        self.undealt = False
        if content and "opening" in content:  # the match has not begun, and is set up anew
            self.state, self.committed = content["state"], commitment(self.deck) if _source(self.deck).secret else ""
            self.named.pop(0, None)
            yield from self._set_up(content, dealt=False)
        else:
            known = content and _source(self.deck).secret and self.from_start
            seed = deal_seed(self.deck, content["turn"], self.attempt) if known else None
            self.steps.append(Step("deal", (seed, content.get("state"))))

    def _renew(self, at: str, content: Mapping[str, Any]) -> Iterator[str]:
        """Make a new secret the current one, and yield a contradiction unless it is the next secret that derives from
        the root fixed at the start of the match. Without this check, the desk's operator could choose among many
        secrets."""
        number, digest, self.undealt = content.get("number", 0), content.get("hash", ""), True
        self.deck, last = self.sources.get(digest, ""), _source(self.deck).attempt
        if not self.from_start:
            return
        source, settled = _source(self.deck), bool(_source(self.root).secret) and commitment(self.root) == self.rooted
        is_next = number in (last + 1, int(parse_moment(at).timestamp()))  # the time if the database was restored
        if not (settled and is_next and (source.secret, source.attempt) == (renewed_secret(self.root, number), number)):
            yield f"A new secret of {self.name} is not the next one that follows from what was settled at its start."

    def _read_chance(self, kind: str, at: str, content: Mapping[str, Any]) -> Iterator[str]:
        if kind == "deal":
            self.state, self.brought = content.get("state"), dict(self.words)
            yield from self._set_up(content, dealt=True)
        elif kind == "words":
            self.words[content["seat"]] = content["hash"]
        elif kind == "rollback":
            seed = (
                rollback_seed(self.deck, content["turn"], self.attempt)
                if _source(self.deck).secret and content
                else None
            )
            self.steps.append(Step(kind, (seed, content.get("state"))) if content else Step("position"))
        elif kind in ("secret", "deal again"):
            yield from self._go_on(kind, at, content)
        elif kind != "dice":
            yield from self._read_beacon(kind, content)
        else:
            self.hashes[content["turn"]], self.behind[content["turn"]] = content["hash"], self.deck
            self.named.pop(content["turn"], None)
            yield from self._called(content["turn"], content["hash"], at)

    def _read_beacon(self, kind: str, content: Mapping[str, Any]) -> Iterator[str]:
        """Process an entry about the beacon: the round that a turn is waiting for, the value of that round, or the
        decision to do without a round. Yields a contradiction if a second round is named for the same secret of a turn,
        or if the value belongs to a round other than the one that was named."""
        if kind == "decision":
            self.without = self.without or content.get("decision") == "words"
            return
        turn, number = content["turn"], content["round"]
        if kind == "beacon":
            if self.named.setdefault(turn, number) != number:
                yield f"Two rounds of the beacon were named for turn {turn} of {self.name}."
        elif self.named.get(turn) != number:
            yield f"Round {number} of the beacon is not the one that was named for turn {turn} of {self.name}."
        else:
            self.came[turn] = f"{number}:{content['value']}"

    def _called(self, turn: int, digest: str, at: str) -> Iterator[str]:
        """Yield a contradiction unless the secret of `turn`, whose hash is `digest`, is the one that derives from the
        match's secret for the current attempt or for the next one (see `attempt`). Without this check, the desk's
        operator could choose among many secrets that all derive from the match's secret."""
        if not (_source(self.deck).secret and self.from_start):
            return
        ways = (self.attempt, self.attempt + 1)
        attempt = next((way for way in ways if commitment(turn_secret(self.deck, turn, way)) == digest), None)
        if attempt is None:
            yield f"The secret of turn {turn} of {self.name} is not the next one that follows from that of the game."
        else:
            self.attempt = attempt

    def _promise(self, turn: int) -> Iterator[str]:
        """Record the sources from which the chance of `turn`, which is being played, must come; a turn that is played
        again must use the same sources as before. Yields a contradiction if the secret had already been revealed, or if
        a new deal was still due."""
        behind = self.behind.get(turn, self.deck)
        if self.from_start and not self.again and behind and behind in self.told:
            yield f"Turn {turn} of {self.name} was played from a secret of the game that had been told."
        elif self.from_start and not self.again and self.undealt and behind == self.deck:
            yield f"Turn {turn} of {self.name} was played before what was hidden was dealt anew."
        promised = Promised(self.hashes.get(turn, ""), dict(self.words), self._joined(turn), behind)
        self.promised[turn] = self.again or promised
        self.dice.append(self.promised[turn])
        self.again = None

    def _joined(self, turn: int) -> str | None:
        """Return the beacon round, with its value, that contributes to the chance of `turn`, or to the set-up if `turn`
        is 0; None if there is no round. Returns "" if the game master decided to do without a round; the decision then
        no longer applies."""
        without, self.without = self.without, False
        return "" if without else self.came.get(turn)

    def _set_up(self, content: Mapping[str, Any], *, dealt: bool) -> Iterator[str]:
        """Yield a contradiction unless the first state of a game with chance follows from its secret and, if `dealt`,
        from the words of the seats and the beacon round."""
        if not (self.game.chance and self.from_start and content):
            return
        source, options = _source(self.deck), json.loads(self.options)
        deck = str(source if dealt else source._replace(words=(), beacon=""))
        if not source.secret or commitment(deck) != self.committed:
            yield f"The shuffles of {self.name} come from another secret than was told at its start."
        elif dealt and source.words != self._words(self.brought):
            yield f"The game {self.name} was not set up with the words that its seats had brought."
        elif dealt and source.kind == "beacon" and source.beacon != self._joined(0):
            yield f"The game {self.name} was not set up with the round of the beacon that was named for it."
        elif self._began(options, content["state"], set_up_chance(deck)) != content["state"]:
            yield f"The game {self.name} did not begin as its secret says."
        elif "opening" in content and content["opening"] != self._opening(content["state"], deck):
            yield f"The game {self.name} was set up otherwise by its secret than was told."

    def _words(self, brought: Mapping[Seat, str]) -> tuple[str, ...]:
        return tuple(brought.get(seat, NO_WORDS) for seat in seats_of(self.game, json.loads(self.options)))

    def _began(self, options: Mapping[str, Any], state: str, chance: Chance) -> str:
        """Return the first state (JSON) of the match, set up again with `chance` from the headers that its exported
        record would contain. The options alone are not enough, because a file named in them may have changed."""
        headers = self.game.headers(self.game.load(json.loads(state)), options)
        return json.dumps(self.game.dump(self.game.from_headers(headers, chance)[0]))

    def _opening(self, state: str, secret: str) -> list[Event]:
        return [*opening_of(self.game, self.game.load(json.loads(state)), secret)]

    def _seal(self, content: Mapping[str, Any]) -> Iterator[str]:
        entry = Entry(content["number"], content["letter"], "", content["orders"], content["nonce"])
        if order_commitment(self.name, content["turn"], content["seat"], entry) != content["seal"]:
            yield f"The seal of the orders of {content['seat']} for turn {content['turn']} of {self.name} is of others."

    def _lists_played(self, content: Mapping[str, Any]) -> Iterator[str]:
        for seat, orders in content["orders"].items():
            if self.from_start and orders != self.standing.get(seat):
                yield f"Turn {content['turn']} of {self.name} was not played from the orders of {seat} that stood then."

    # The turns

    def play(self, row: TurnRow, began: Began) -> Iterator[str]:
        """Process `row`, the next turn that was played, and yield contradictions."""
        where = f"Turn {row.turn} of {self.name}"
        yield from self._follow(began)
        if not self.steps:
            yield f"{where} is not in the record."
            return
        self.steps.popleft()
        if row.turn != self.turn:
            yield f"{where} was played where turn {self.turn} was to come."
        elif not _same(self.state, row.before):
            yield f"{where} does not start from the board that was there."
        else:
            promised = self.dice.popleft() if self.dice else Promised()
            yield from self._dice(row, promised, where)
            yield from self._adjudicate(row, _behind(row, promised.deck), where)
        self.turn = row.turn + 1

    def _dice(self, row: TurnRow, promised: Promised, where: str) -> Iterator[str]:
        """Yield a contradiction unless three conditions are met: the chance of a turn comes from the secret whose hash
        was published, this secret derives from the match's secret, and the words of the seats and the beacon round were
        mixed in."""
        source, takes_words = _source(row.secret), self.kind in ("words", "beacon")
        is_known = self.from_start or not self.game.chance
        if is_known and (commitment(row.secret) if source.secret else row.secret) != promised.hash:
            yield f"{where} was not played with the dice that were promised for it."
        elif source.secret and promised.deck and not _behind(row, promised.deck):
            yield f"{where} was played with a secret that does not follow from that of the game."
        elif takes_words and self.from_start and source.words != self._words(promised.words):
            yield f"{where} was not played with the words that its seats had brought."
        elif self.kind == "beacon" and self.from_start and source.beacon != promised.beacon:
            yield f"{where} was not played with the round of the beacon that was named for it."

    def _adjudicate(self, row: TurnRow, deck: str, where: str) -> Iterator[str]:
        state = self.loaded if row.before == self.state else None
        self.state, self.loaded = row.after, None
        if row.rules != self.game.rules_version:
            return  # only that version of the rules can adjudicate the turn
        try:
            state = state or self.game.load(json.loads(row.before))
            entries = json.loads(row.orders)
            orders = {seat: entry.get("joined") or entry["canonical"] for seat, entry in entries.items() if entry}
            chance = turn_chance(row.secret, deck) if self.game.chance else NO_CHANCE
            ruling = self.game.resolve(state, reader.parse_turn(Situation(self.game, state), orders), chance)
        except (reader.IllegalOrders, GameError) as error:
            yield f"{where} cannot be adjudicated: {error}"
            return
        if json.dumps(self.game.dump(ruling.state)) != row.after:
            yield f"{where} ends with another board when it is adjudicated anew."
        elif json.dumps(ruling.events) != row.events:
            yield f"{where} has other events when it is adjudicated anew."
        self.loaded = ruling.state
        self.decks[row.turn] = decks_of(self.game, ruling.state)
        self.adjudicated += 1

    def _follow(self, began: Began) -> Iterator[str]:
        """Apply the steps that the record contains before the next played turn, and yield contradictions."""
        while self.steps and self.steps[0].kind != "turn":
            step = self.steps.popleft()
            if step.kind == "position":
                self.state, self.loaded = step.value and json.dumps(step.value), None
            elif step.kind == "rollback":
                yield from self._shuffle(*step.value)
            elif step.kind == "deal":
                yield from self._deal(*step.value)
            elif step.value < self.turn:
                self.state, self.loaded, self.turn = began(step.value), None, step.value

    def _deal(self, seed: bytes | None, recorded: str | None) -> Iterator[str]:
        """Continue from the `recorded` state, and yield a contradiction unless everything hidden in it was dealt anew
        as `seed` determines."""
        self.decks = {turn: decks for turn, decks in self.decks.items() if turn < self.turn}
        if self.state is not None and seed and recorded:
            game = self.game
            anew = dealt_anew(game, game.load(json.loads(self.state)), SecretChance(seed))
            if not _same(json.dumps(game.dump(anew)), recorded):
                yield f"What was hidden in {self.name} was not dealt anew as its secret says for turn {self.turn}."
        self.state, self.loaded = recorded, None

    def _shuffle(self, seed: bytes | None, recorded: dict[str, Any] | None) -> Iterator[str]:
        """Continue from the `recorded` state, and yield a contradiction unless the cards drawn in undone turns were
        shuffled back into the decks as `seed` determines."""
        since = [self.decks.pop(turn) for turn in sorted(self.decks) if turn >= self.turn]
        if self.state is None or not since or not seed:
            return
        game = self.game
        anew = reshuffled(game, game.load(json.loads(self.state)), since, SecretChance(seed))
        expected = self.state if recorded is None else json.dumps(recorded)
        if not _same(json.dumps(game.dump(anew)), expected):
            yield f"The decks of {self.name} were not shuffled anew as its secret says for turn {self.turn}."
        self.state, self.loaded = expected, None

    # The result

    def stop(self, row: MatchRow, began: Began) -> Iterator[str]:
        """Compare the outcome of all turns with the row of the match, and yield contradictions."""
        yield from self._follow(began)
        if self.steps:
            yield f"Turn {self.steps[0].value} of {self.name} is missing."
        elif not _same(self.state, row.state) or row.turn != self.turn:
            yield f"The game {self.name} does not stand where its last turn has left it."
        else:
            yield from self._ended(row)

    def _ended(self, row: MatchRow) -> Iterator[str]:
        """Yield a contradiction unless the phase, the winner and the ranking in `row` agree with the record and with
        the board."""
        if self.from_start and self.over != (row.phase if row.phase in ("finished", "annulled") else ""):
            yield f"The game {self.name} is {row.phase}, which the record does not say."
            return
        result = self.game.result(self.game.load(json.loads(row.state)))
        if result and row.phase in ("running", "paused", "offered"):
            yield f"The game {self.name} goes on, but by its board it is over."
        elif row.phase == "finished":
            winners = {row.winner, *((result.winner,) if result else self.winner or ())}
            if len(winners) > 1:
                yield f"The game {self.name} was won by somebody else than it says."
            places = json.dumps(result.ranking) if result and result.ranking else None
            if result and row.ranking != places:
                yield f"The places of {self.name} are others than by its board."


def retrace_history(history: History) -> Iterator[str]:
    """Adjudicate again all turns, including undone ones, of a game that was played elsewhere. Yields contradictions."""
    game = history.game
    if history.opening and history.secret:
        begun = opening_of(game, history.start, history.secret)
        if _open(game, begun) != _open(game, history.opening):
            yield f"{history.name} was set up otherwise by its secret than it says."
    for step in history.steps:
        if not isinstance(step, Played) or step.rules not in ("", game.rules_version):
            continue
        where = f"Turn {step.turn} of {history.name}"
        try:
            if game.chance and not history.source(step):
                yield f"{where} was played with a secret that does not follow from that of the game."
                continue
            orders = {seat: text for seat, text in step.orders.items() if text}
            parsed = reader.parse_turn(Situation(game, step.before), orders)
            ruling = game.resolve(step.before, parsed, history.chance(step))
        except (reader.IllegalOrders, GameError) as error:
            yield f"{where} cannot be adjudicated: {error}"
            continue
        if game.dump(ruling.state) != game.dump(step.after):
            yield f"{where} ends with another board when it is adjudicated anew."
        elif _open(game, ruling.events) != _open(game, step.events):
            yield f"{where} has other events when it is adjudicated anew."


def _open(game: AnyGame, events: tuple[Event, ...]) -> list[dict[str, Any]]:
    """Return events in the form in which they are public once a game is over. Exported games contain them in the same
    form."""
    return [*map(dict, game.redact_events(events, OPEN))]


def _behind(row: TurnRow, deck: str) -> str:
    """Return the source of chance, among those in `deck`, from which the secret of the turn in `row` derives; "" if
    there is no such source."""
    sources = [source for source in deck.split(" ") if _source(source).secret]
    return source_behind(row.secret, " ".join(sources), row.turn) if sources and _source(row.secret).secret else ""


def _source(text: str) -> Source:
    """Parse a source of chance; return an empty source if `text` is invalid."""
    try:
        return read_source(text)
    except ChanceError:
        return Source("")


def _same(state: str | None, expected: str) -> bool:
    """Return whether two states (JSON) are equal. An unknown `state` counts as equal to any other."""
    return state is None or state == expected or json.loads(state) == json.loads(expected)
