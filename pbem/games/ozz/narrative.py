"""The story of a round: what happened, and each die roll with its purpose, the value needed and its effect (§16).

Each new action begins a paragraph: a move, a round of a battle, the action of a force, or recruiting. The same
paragraph also reports the consequences of the action. Forces that do nothing share a paragraph.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from pbem import ENGLISH, Say, Sentence
from pbem.games.base import Event, Paragraph, Seat
from pbem.games.ozz import rolls, wording
from pbem.games.ozz.data import BELL
from pbem.games.ozz.rules import REASONS
from pbem.games.ozz.state import MERCENARIES, State

_AFTER_ALL_FORCES = frozenset({"falls back", "leaves", "retreat", "razed", "control", "unforeseen"})
"""Events that are reported in a paragraph at the end of a battle turn, after all forces have acted."""

HEADINGS: Mapping[tuple[str, str | None], str] = {
    ("spell", None): "Spells drawn",
    ("roll", "initiative"): "Initiative",
    ("roll", "dissipation"): "Spells that may fade",
    **{(kind, None): "Magic" for kind in ("cast", "fizzle", "skeleton")},
    **{(kind, None): "{nation} move" for kind in ("move", "dropped", "taken", "halted", "skipped")},
    **{(kind, None): "{nation} recruit" for kind in ("recruit", "ruler", "mishap")},
    **{("roll", purpose): "{nation} recruit" for purpose in ("return", "mishap")},
    ("battle", None): "Battle of {point}",
    ("turn", None): "Turn {turn} of the battle",
    ("letter", None): "Orders of this turn",
    ("over", None): "The end",
}
"""The headings of paragraphs, keyed by the type and purpose of the event that begins the paragraph."""
_UNFORESEEN: Mapping[str, Sentence] = {
    "leader": Sentence("They have lost a leader."),
    "losses": Sentence("They have lost half of their units."),
    "chaos": Sentence("Chaos has changed what one of their forces does."),
    "skeleton": Sentence("The enemy has raised skeletons."),
    "melee": Sentence("Enemies are in a space with units of theirs that do not attack."),
}
"""Sentences about why standing orders have ended, keyed by the value of `why` in the event."""


ROLLED: Mapping[tuple[str, bool], str] = {
    ("attrition", False): "They lose a unit to attrition.",
    ("return", False): "{unit} does not return yet.",
    ("coordinate", False): "Does not join the Ruler, and acts alone.",
    ("change", True): "Changes its order.",
    ("change", False): "Fails to change its order.",
    ("chaos", True): "Chaos.",
    ("fireball", True): "It hits.",
    ("fireball", False): "It misses.",
    ("leader", True): "{unit} is alone among enemies and is killed.",
    ("leader", False): "{unit} is alone among enemies, but survives.",
}
"""Sentences about the results of die rolls that no other event reports, keyed by the purpose of the roll and its
success."""
TOLD: Mapping[str, str] = {
    "spell": "{unit} can cast {spells}.",
    "dropped": "Left behind at {point}: {units}.",
    "taken": "Picked up at {point}: {units}.",
    "halted": "Stopped at {point}: {units}. Leaders alone do not go where enemies are.",
    "skipped": "The move of {units} is cancelled.",
    "razed": "{point} is razed.",
    "control": "{nation} take {point}.",
    "honors": "{point} is handed over with honours of war.",
    "mishap": "{units} finds no mercenary.",
    "ruler": "{units} returns in {point}.",
    "coordinates": "Waits for others to join.",
    "joined": "Joins {ruler}.",
    "evades": "{units} withdraws to {to}.",
    "falls back": "{units} rejoins the units in {to}.",
    "leaves": "Left the board: {units}.",
    "healed": "{units} is healed.",
    "silent": "The Bell is silenced.",
    "captured": "{units} takes the Bell.",
    "dissipated": "Faded: {marker}.",
    "turn": "Nobody had to write: all orders stood.",
}
"""Sentences for the events that a single sentence can describe, keyed by the type of the event."""
RETREATS: Mapping[int | None, str] = {
    1: "{units} retreat to {point}, closer to their Castle.",
    2: "{units} retreat to {point}, closer to their territory.",
    3: "{units} retreat to {point}, the only place left.",
    None: "{units} retreat to {point}, where they came from.",
}
"""Sentences for retreats, keyed by the priority of the point to which the retreat leads (§6.4)."""
UNDER_THEIR_POOL = "{nation} lose {units} to their pool."
LOSSES: Mapping[str | None, str] = {
    "fallen": "{units} falls.",
    MERCENARIES: "{nation} lose {units} to the mercenary pool.",
    None: "{nation} lose {units} for good.",
}
"""Sentences for lost counters, keyed by the destination of the counter. For the pool of a nation, see
`UNDER_THEIR_POOL`."""
SENTENCES = (
    *(template for table in (HEADINGS, ROLLED, TOLD, RETREATS, LOSSES, rolls.ROLLS) for template in table.values()),
    UNDER_THEIR_POOL,
)
"""All sentences in the tables above and in the one of rolls, for translators."""


def story(before: State, events: Sequence[Event], say: Say = ENGLISH) -> tuple[Paragraph, ...]:
    """Return the story, in paragraphs, of a round that began with the state `before`."""
    return tuple(_Narrator(before, events, say).paragraphs())


class _Narrator:
    """A narrator that goes through the events of a round and combines related events into one sentence."""

    def __init__(self, before: State, events: Sequence[Event], say: Say) -> None:
        self.data, self.events, self.say = before.data, events, say
        self._met = partial(encounter, before, events)
        self._at = 0
        """The index of the event after the current one."""
        self._heading, self._sentences, self._rolls = "", list[str](), list[Event]()
        self._acting = False
        """Whether forces are acting on the board, so that each event belongs to the force that acted last."""
        self._idle: dict[Seat, list[str]] = {}
        """The forces that stand and do nothing, keyed by seat."""

    def paragraphs(self) -> Iterator[Paragraph]:
        while self._at < len(self.events):
            event = self.events[self._at]
            self._at += 1
            heading = self._opens(event)
            if heading is not None and heading != self._heading:
                yield from self._closed()
                if not self._acting:
                    yield from self._standing()
                self._heading = heading
            elif self._is_next_round(event):
                yield from self._closed()
                self._heading = self._heading and ""
            if self._idles(event):
                self._idle.setdefault(event["seat"], []).extend(event["units"])
                continue
            self._rolls += [event] if event["type"] == "roll" else []
            self._sentences += filter(None, (self._tell(event),))
        yield from self._closed()
        yield from self._standing()

    def _closed(self) -> Iterator[Paragraph]:
        """End the current paragraph, and yield it unless it is empty."""
        if self._sentences or self._rolls:
            yield Paragraph(self._heading, " ".join(self._sentences), tuple(rolls.lines(self._rolls, self.say)))
        self._sentences, self._rolls = [], []

    def _standing(self) -> Iterator[Paragraph]:
        """Yield a paragraph about the forces that did nothing and are still there, if there are any."""
        gone = {event["unit"] for event in self.events[: self._at] if event["type"] == "lost"}
        left = {seat: [code for code in codes if code not in gone] for seat, codes in self._idle.items()}
        idle = [f"{wording.nation(seat, self.say)}: {wording.listed(codes)}." for seat, codes in left.items() if codes]
        if idle:
            yield Paragraph(self.say("Not moving"), " ".join(idle))
        self._idle = {}

    def _next(self) -> Event:
        return self.events[self._at] if self._at < len(self.events) else {"type": ""}

    def _idles(self, event: Event) -> bool:
        """Return whether `event` shows a force that stands and does nothing."""
        return event["type"] == "acts" and event["word"] == "stand" and not self._goes_on()

    def _goes_on(self) -> bool:
        """Return whether the next event still belongs to the force that is acting."""
        return self._next()["type"] in ("goes", "attack", "evades")

    def _is_next_round(self, event: Event) -> bool:
        """Return whether `event` begins a further round of a fast battle."""
        fast = event["type"] == "roll" and event["for"] == "fast"
        return fast and self._at > 1 and self.events[self._at - 2]["type"] not in ("battle", "roll")

    # Beginnings of paragraphs

    def _opens(self, event: Event) -> str | None:
        """Return the heading of the paragraph that `event` begins; None if it continues the current paragraph."""
        of_a_force = self._force(event)
        if of_a_force:
            self._acting = True
            return str(self._called(of_a_force))
        heading = self._of_a_turn(event)
        if heading is None and self._acting and self._ends_activations(event):
            heading = self.say("End of the battle turn")
        self._acting = self._acting and heading is None
        return heading

    def _force(self, event: Event) -> str:
        """Return the force that acts, or prepares to act, in `event`; "" for any other event."""
        match event:
            case {"type": "roll", "for": "coordinate" | "change" | "chaos"} | {"type": "coordinates" | "joined"}:
                return str(event["by"])
            case {"type": "acts"}:
                return str(event["units"][0])
        return ""

    def _ends_activations(self, event: Event) -> bool:
        if event["type"] == "roll":
            return event["for"] in ("leader", "attrition")
        before = self.events[self._at - 2]
        goes_back = before["type"] == "acts" and before["word"] == "back"
        return event["type"] in _AFTER_ALL_FORCES and not (event["type"] == "leaves" and goes_back)

    def _of_a_turn(self, event: Event) -> str | None:
        if heading := HEADINGS.get((event["type"], event.get("for"))):
            return self.say(heading, **self._values(event))
        met = self._met(self._at - 1) if event["type"] == "lost" else None
        return self.say("{nation} move", nation=self._called(met.seat)) if met else None

    # Names

    def _called(self, value: Any) -> Any:
        return wording.called(self.data, value, self.say)

    def _values(self, event: Event) -> dict[str, Any]:
        """Return the values of `event` for the placeholders of a sentence: every value under its own key, and the
        counters and places also under the other names that sentences use."""
        gaps = {key: self._called(value) for key, value in event.items()}
        who, at = gaps.get("unit") or gaps.get("by"), gaps.get("at")
        others = {"unit": at, "units": who, "point": at or gaps.get("to"), "hero": gaps.get("by")}
        return {**others, "nation": gaps.get("seat"), **gaps}

    # Events

    def _tell(self, event: Event) -> str | None:
        """Return a sentence or two about `event`; None if its dice or another event already say everything."""
        if event["type"] in TOLD:
            marker = wording.marker(event, self.say) if event["type"] == "dissipated" else ""
            return self.say(TOLD[event["type"]], marker=marker, **self._values(event))
        of: Mapping[str, Callable[[Event], str | None]] = {
            "roll": self._rolled,
            "move": self._moved,
            "battle": self._battle,
            "attack": self._attack,
            "lost": self._lost,
            "cast": self._cast,
            "fizzle": self._cast,
            "acts": self._acts,
            "skeleton": self._skeleton,
            "retreat": lambda event: self.say(RETREATS[event.get("priority")], **self._values(event)),
            "first": self._first,
            "recruit": self._recruit,
            "over": self._over,
            "unforeseen": self._unforeseen,
            "letter": lambda event: f"{self._called(event['seat'])}: {event['orders']}.",
        }
        teller = of.get(event["type"])
        return teller(event) if teller else None

    def _rolled(self, event: Event) -> str | None:
        """Return a sentence about the result of a roll; None if another event reports that result."""
        if event["for"] == "initiative":
            return self._initiative(event)
        sentence = ROLLED.get((event["for"], event.get("hit", True)))
        return sentence and self.say(sentence, **self._values(event))

    def _initiative(self, event: Event) -> str | None:
        """If `event` is the last roll for initiative, return a sentence with the order in which the nations move,
        otherwise None. Also return None on the board, where another event reports which side is first."""
        after = self._next()
        if after["type"] == "first" or (after["type"] == "roll" and after["for"] == "initiative"):
            return None
        sums: dict[Seat, list[int]] = {}
        for roll in self.events[: self._at]:
            if roll["type"] == "roll" and roll["for"] == "initiative" and "seat" in roll:
                sums.setdefault(roll["seat"], []).append(roll["value"] + roll.get("added", 0))
        order = sorted(sums, key=sums.__getitem__, reverse=True)
        return self.say("Order: {nations}.", nations=", ".join(wording.nation(seat, self.say) for seat in order))

    def _first(self, event: Event) -> str:
        values = self._values(event)
        if event["seat"] == event["winner"]:
            return self.say("{nation} move first.", **values)
        return self.say("{winner} let {nation} move first.", **values)

    # Events on the map

    def _unforeseen(self, event: Event) -> str:
        text = self.say("The standing orders of the {nation} end.", nation=self._called(event["seat"]))
        return f"{text} {self.say(_UNFORESEEN[event['why']])}"

    def _moved(self, event: Event) -> str:
        start, *passed, end = event["way"]
        values = {"units": wording.listed(event["units"]), "start": start, "point": self._called(end)}
        if passed:
            text = self.say("{units}: from {start} to {point} via {passed}.", passed=", ".join(passed), **values)
        elif end in self.data.links[start]:
            text = self.say("{units}: from {start} to {point}.", **values)
        else:
            text = self.say("{units}: by air from {start} to {point}.", **values)
        after = self._next()
        if (after["type"], after.get("seat"), after.get("at")) != ("control", event["seat"], end):
            return text
        self._at += 1
        return text + " " + self.say("They take it.")

    def _battle(self, event: Event) -> str:
        values = self._values(event)
        text = self.say("{attacker} against {defender}.", **values)
        if not event.get("fast"):
            return text
        offer = self.say(
            "{nations} want to fight it fast. If the other side agrees, it is decided at once.", nations=values["fast"]
        )
        return f"{text} {offer}"

    def _lost(self, event: Event) -> str:
        """Describe which counters are lost and where they go. Counters that are lost together share a sentence."""
        say, to, met = self.say, event.get("to"), self._met(self._at - 1)
        units = [event["unit"]]
        alike = {**event, "unit": None}
        while to != "fallen" and {**self._next(), "unit": None} == alike and met == self._met(self._at):
            units.append(self._next()["unit"])
            self._at += 1
        values = {"nation": self._called(event["seat"]), "units": self._called(units)}
        gone = say(LOSSES.get(to, UNDER_THEIR_POOL), **values)
        if met is None:
            return gone
        values |= {"enemy": self._called(met.seat), "point": self._called(met.point)}
        return say("{enemy} find {units} without units at {point}.", **values) + " " + gone

    def _recruit(self, event: Event) -> str:
        unit = self._called(event["unit"])
        return self.say("{hero} recruits {unit} in {point}.", hero=event["by"], unit=unit, point=event["at"])

    def _over(self, event: Event) -> str:
        if event["winner"] is None:
            return self.say("It is a draw.")
        reason = REASONS[event["reason"]]
        why = self.say(reason)
        return self.say("{nation} have won. {why}", nation=self._called(event["winner"]), why=why)

    # Events on the board

    def _acts(self, event: Event) -> str:
        led = event["units"][1:]
        text = self._course(event["word"], event.get("held", ()))
        if led:
            return self.say("With {units}: {told}.", units=wording.listed(led), told=text)
        return f"{text[:1].upper()}{text[1:]}."

    def _course(self, word: str, held: Sequence[Event]) -> str:
        """Return a clause about what a force with the order `word` does, and whether it moves; `held` are the spells
        that hold its units."""
        say, after = self.say, self._next()
        spells = ", ".join(wording.marker(spell, say) for spell in held)
        if after["type"] == "goes":
            way = {"source": after["source"], "to": after["to"]}
            if word == "advance":
                return say("advances from {source} to {to}", **way)
            return say("falls back from {source} to {to}", **way) if word == "back" else say("goes to {to}", **way)
        if word == "advance":
            return say("cannot advance because of {spells}", spells=spells) if held else say("cannot advance")
        if word == "back" and after["type"] != "leaves":
            return say("cannot fall back because of {spells}", spells=spells) if held else say("cannot fall back")
        return say("falls back") if word == "back" else say("stands")

    def _attack(self, event: Event) -> str:
        """Describe an attack: how many dice of the attacking force hit, and how many of the other side's dice do."""
        say, values = self.say, {"space": event["space"]}
        if event["how"] == "ranged":
            text = say("Fire at {space}:", **values)
        else:
            text = say("Charge into {space}:", **values) if event["charge"] else say("Melee in {space}:", **values)
        hits: dict[bool, list[bool]] = {True: [], False: []}
        for roll in self.events[self._at :]:
            if roll["type"] != "roll" or roll["for"] != "attack":
                break
            hits[roll["seat"] == event["seat"]].append(roll["hit"])
        if not any(hits.values()):
            return text + " " + say("nobody there can fight.")
        ours, theirs = (sum(dice) for dice in hits.values())
        scored = say.many("{hits} hit", "{hits} hits", ours, hits=ours)
        if hits[False]:
            struck = say.many("{hits} hit in return", "{hits} hits in return", theirs, hits=theirs)
            scored += ", " + (struck if theirs else say("none in return"))
        return f"{text} {scored}."

    def _cast(self, event: Event) -> str:
        on = self._called(BELL) if event["on"] == BELL else event["on"]
        values = {**self._values(event), "caster": event["by"], "unit": on}
        if event.get("space"):
            text = self.say("{caster} casts {spell}: {unit} to {space}.", **values)
        else:
            text = self.say("{caster} casts {spell} on {unit}.", **values)
        return text + " " + self.say("It has no effect.") if event["type"] == "fizzle" else text

    def _skeleton(self, event: Event) -> str:
        if event["unit"] is None:
            return self.say(
                "The Bell rings, but nobody rises: both skeletons it may raise are on the board, or none is left."
            )
        return self.say("The Bell rings: {unit} rises in {space}.", **self._values(event))


class Encounter(NamedTuple):
    """The nation that comes upon an enemy leader without units, and the point where this happens."""

    seat: Seat
    point: str


def encounter(before: State, events: Sequence[Event], at: int) -> Encounter | None:
    """Return the encounter that caused the loss reported by `events[at]`; None if the lost counter is not a leader, or
    was lost in a battle."""
    lost, seen = events[at], events[:at]
    after = next((event for event in events[at:] if event["type"] != "lost"), None)
    if not before.data.counters[lost["unit"]].leader or after is None or after["type"] not in ("move", "dropped"):
        return None
    point = _stood(before, seen, lost["unit"])
    if point is None or point == _fought(before, seen) or after["seat"] == lost["seat"]:
        return None
    return Encounter(after["seat"], point) if point in (after.get("way") or (after["at"],)) else None


def _stood(before: State, events: Sequence[Event], code: str) -> str | None:
    """Return the point where the counter `code` is after `events`; None if it is not on a point."""
    for event in reversed(events):
        if code in (*event.get("units", ()), event.get("unit")) and (point := event.get("to") or event.get("at")):
            return str(point)
    return before.units[code].at if code in before.units else None


def _fought(before: State, events: Sequence[Event]) -> str | None:
    """Return the point of the last battle that began in `events` or, if there is none, of the battle in `before`."""
    began = before.battle.at if before.battle else None
    return next((event["at"] for event in reversed(events) if event["type"] == "battle"), began)
