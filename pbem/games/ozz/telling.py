"""A round told like a chronicle, die by die: what each was for, what it needed, and what it did (ozz §16).

Whatever begins something of its own opens a paragraph: a move, a battle, a force that acts, recruiting. What follows
from it is told in the same one.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from pbem.games.base import Event, Paragraph, Say, Sentence
from pbem.games.ozz import wording
from pbem.games.ozz.data import Data
from pbem.games.ozz.rules import REASONS
from pbem.games.ozz.state import MERCENARIES, State

ROLLS: Mapping[str, tuple[str, str]] = {
    "attack": (
        "{by} fires or strikes at {at}: {value} against {needs}, hit.",
        "{by} at {at}: {value} against {needs}, missed.",
    ),
    "fireball": (
        "{by}'s Fireball at {at}: {value} against {needs}, hit.",
        "{by}'s Fireball at {at}: {value} against {needs}, missed.",
    ),
    "coordinate": (
        "{by} is to join its Ruler: {value}, it does.",
        "{by} is to join its Ruler: {value}, it acts alone.",
    ),
    "change": (
        "{by} tries to change its order: {value} against {needs}, done.",
        "{by} tries to change its order: {value} against {needs}, not done.",
    ),
    "leader": ("{at} is alone among enemies: {value}, killed.", "{at} is alone among enemies: {value}, he gets away."),
    "attrition": (
        "Attrition: {value}, nobody is lost up to {needs}.",
        "Attrition: {value}, above {needs}: one unit is lost.",
    ),
    "return": (
        "{unit} may come back: {value} against {needs}, back.",
        "{unit} may come back: {value} against {needs}, not yet.",
    ),
    "mishap": ("{by} looks for mercenaries: {value}, one comes.", "{by} looks for mercenaries: {value}, a mishap."),
}
"""What a roll was for, where it hit and where it missed."""
SENTENCES = tuple(told for both in ROLLS.values() for told in both)
"""The sentences of this table, for those who translate them."""

_GAPS = dict.fromkeys(("by", "at", "unit", "value", "needs"), "")

_WORDS: Mapping[str, Sentence] = {
    "advance": Sentence("advances"),
    "stand": Sentence("stands"),
    "back": Sentence("falls back"),
}


def story(before: State, events: Sequence[Event], say: Say) -> tuple[Paragraph, ...]:
    """A round in paragraphs."""
    return tuple(_Story(before.data, say).paragraphs(events))


class _Story:
    """Events told one after the other."""

    def __init__(self, data: Data, say: Say) -> None:
        self.data, self.say = data, say
        self._heading, self._told = "", list[str]()
        self._tellers: Mapping[str, Callable[[Event], Iterator[str]]] = {
            "roll": self._roll,
            "battle": self._battle,
            "attack": self._attack,
            "lost": self._lost,
            "cast": self._cast,
            "fizzle": self._cast,
            "dissipated": self._dissipated,
            "acts": self._acts,
            "goes": self._goes,
            "falls back": self._falls_back,
            "retreat": self._retreat,
            "leaves": self._leaves,
        }

    def paragraphs(self, events: Sequence[Event]) -> Iterator[Paragraph]:
        for event in events:
            heading = self._opens(event)
            if heading is not None and heading != self._heading:
                yield from self._closed()
                self._heading = heading
            teller = self._tellers.get(event["type"], self._plain)
            self._told += teller(event)
        yield from self._closed()

    def _closed(self) -> Iterator[Paragraph]:
        """The paragraph so far, if it says anything."""
        if self._told:
            yield Paragraph(self._heading, " ".join(self._told))
        self._told = []

    def _opens(self, event: Event) -> str | None:
        """The heading of the paragraph that an event begins, None if it goes on with the one before."""
        say = self.say
        match event:
            case {"type": "roll", "for": "initiative"}:
                return say("Initiative")
            case {"type": "roll", "for": "dissipation"}:
                return say("Spells that may dissipate")
            case {"type": "roll", "for": "leader"}:
                return say("Leaders alone")
            case {"type": "battle"}:
                return say("Battle of {point}", point=self._place(event["at"])) if event["at"] else say("Battle")
            case {"type": "cast" | "fizzle" | "skeleton"}:
                return say("Magic")
            case {"type": "acts"}:
                return self._names(event["units"][:1])
            case {"type": "letter"}:
                return say("Letters of this turn")
            case {"type": "move" | "dropped" | "taken", "seat": seat}:
                return say("{nation}: moves", nation=wording.nation(seat, say))
            case {"type": "recruit" | "ruler", "seat": seat} | {
                "type": "roll",
                "for": "return" | "mishap",
                "seat": seat,
            }:
                return say("{nation}: recruiting", nation=wording.nation(seat, say))
        return None

    # Names

    def _name(self, code: str) -> str:
        return wording.counter(self.data, code, self.say)

    def _names(self, codes: Sequence[str]) -> str:
        return ", ".join(map(self._name, codes))

    def _place(self, code: str) -> str:
        return wording.point(self.data, code) if code in self.data.points else code

    def _nation(self, event: Event, key: str = "seat") -> str:
        return wording.nation(event[key], self.say)

    # Rolls

    def _roll(self, event: Event) -> Iterator[str]:
        say, why = self.say, event["for"]
        if why in ROLLS:
            counters = {key: str(event.get(key)) for key in ("by", "at", "unit")}
            named = {key: self._name(code) for key, code in counters.items() if code in self.data.counters}
            missed = not event.get("hit", True)
            yield say(ROLLS[why][missed], **{**_GAPS, **event, **named})
        elif why == "initiative":
            added = event.get("added", 0)
            values = {"nation": self._nation(event) if "seat" in event else "", "value": event["value"], "added": added}
            yield say("{nation}: {value} + {added} leaders = {sum}.", sum=event["value"] + added, **values)
        elif why == "dissipation":
            yield self._spell(event) + " " + str(event["value"]) + "."
        elif why == "chaos":
            yield say("Chaos: {value}.", value=event["value"])
        elif why == "fast":
            yield from self._fast(event)

    def _fast(self, event: Event) -> Iterator[str]:
        """A die of a fast battle: what it makes of the values of a side's units."""
        values = {"nation": self._nation(event), "value": event["value"]}
        if "total" in event:
            result = event["total"] * event["value"]
            told = f"{result // 10}.{result % 10}"
            yield self.say("{nation}: {total} × {value}/10 = {result}.", total=event["total"], result=told, **values)
        else:
            yield self.say("{nation}: {value}.", **values)

    # On the board

    def _attack(self, event: Event) -> Iterator[str]:
        values = {"units": self._names(event["units"]), "space": event["space"]}
        if event["how"] == "ranged":
            yield self.say("{units}: fire at {space}.", **values)
        elif event["charge"]:
            yield self.say("{units}: charge into {space}.", **values)
        else:
            yield self.say("{units}: melee in {space}.", **values)

    def _acts(self, event: Event) -> Iterator[str]:
        word, led = _WORDS[event["word"]], event["units"][1:]
        does = self.say(word)
        if led:
            yield self.say("With {units}: {does}.", units=self._names(led), does=does)
        else:
            yield f"{does[:1].upper()}{does[1:]}."

    def _goes(self, event: Event) -> Iterator[str]:
        yield self.say("From {source} to {to}.", source=event["source"], to=event["to"])

    def _falls_back(self, event: Event) -> Iterator[str]:
        values = {"unit": self._name(event["unit"]), "source": event["source"], "to": event["to"]}
        yield self.say("{unit}: from {source} to {to}, to find company.", **values)

    def _leaves(self, event: Event) -> Iterator[str]:
        yield self.say("{units} leave the board.", units=self._names(event["units"]))

    def _spell(self, event: Event) -> str:
        values = {"spell": event["spell"], "caster": self._name(event["by"])}
        if event.get("space"):
            return self.say(
                "{caster} casts {spell}: {unit} to {space}.",
                unit=self._name(event["on"]),
                space=event["space"],
                **values,
            )
        if event.get("on"):
            return self.say("{caster}: {spell} on {unit}.", unit=self._name(event["on"]), **values)
        return self.say("{caster}: {spell}.", **values)

    def _cast(self, event: Event) -> Iterator[str]:
        yield self._spell(event)
        if event["type"] == "fizzle":
            yield self.say("It comes to nothing.")

    def _dissipated(self, event: Event) -> Iterator[str]:
        yield self.say("{spell} dissipates.", spell=event["spell"])

    # What both have

    def _battle(self, event: Event) -> Iterator[str]:
        values = {"attacker": self._nation(event, "attacker"), "defender": self._nation(event, "defender")}
        yield self.say("{attacker} against {defender}.", **values)

    def _lost(self, event: Event) -> Iterator[str]:
        say, unit, to = self.say, self._name(event["unit"]), event.get("to")
        if to == "fallen":
            yield say("{unit} falls.", unit=unit)
        elif to == MERCENARIES:
            yield say("{unit} is lost, and goes under the mercenaries.", unit=unit)
        elif to:
            yield say("{unit} is lost, and goes under its pool.", unit=unit)
        else:
            yield say("{unit} is lost.", unit=unit)

    def _retreat(self, event: Event) -> Iterator[str]:
        say = self.say
        values = {"units": self._names(event["units"]), "point": self._place(event["to"])}
        told = {
            1: say("{units} retreat to {point}: closer to their Castle.", **values),
            2: say("{units} retreat to {point}: closer to their territory.", **values),
            3: say("{units} retreat to {point}: nowhere else to go.", **values),
        }
        yield told.get(event.get("priority", 0), say("{units} retreat to {point}.", **values))

    def _plain(self, event: Event) -> Iterator[str]:
        """What one sentence tells."""
        say = self.say
        of: Mapping[str, Callable[[], str]] = {
            "first": lambda: say("{nation} move first.", nation=self._nation(event)),
            "coordinates": lambda: say("{unit} waits for others to join.", unit=self._name(event["by"])),
            "joined": lambda: say("{unit} joins.", unit=self._name(event["by"])),
            "evades": lambda: say("{unit} withdraws to {to}.", unit=self._name(event["unit"]), to=event["to"]),
            "healed": lambda: say("{unit} is healed.", unit=self._name(event["unit"])),
            "skeleton": lambda: self._skeleton(event),
            "silent": lambda: say("The Bell is silenced."),
            "captured": lambda: say("{unit} takes the Bell.", unit=self._name(event["by"])),
            "razed": lambda: say("{point} is razed.", point=self._place(event["at"])),
            "control": lambda: say(
                "{point} is now with the {nation}.", point=self._place(event["at"]), nation=self._nation(event)
            ),
            "over": lambda: self._over(event),
            **self._of_a_campaign(event),
        }
        teller = of.get(event["type"])
        if teller:
            yield teller()

    def _of_a_campaign(self, event: Event) -> Mapping[str, Callable[[], str]]:
        say = self.say
        return {
            "move": lambda: say(
                "{units} to {point}.", units=self._names(event["units"]), point=self._place(event["to"])
            ),
            "dropped": lambda: say("{units} stay behind.", units=self._names(event["units"])),
            "taken": lambda: say("{units} come along.", units=self._names(event["units"])),
            "letter": lambda: f"{self._nation(event)}: {event['orders']}.",
            "honors": lambda: say("{point} is handed over with honours of war.", point=self._place(event["at"])),
            "recruit": lambda: self._recruit(event),
            "ruler": lambda: say(
                "{unit} is back in {point}.", unit=self._name(event["unit"]), point=self._place(event["at"])
            ),
        }

    def _skeleton(self, event: Event) -> str:
        if event["unit"] is None:
            return self.say("The Bell rings, and nobody rises.")
        return self.say(
            "The Bell rings: {unit} rises in {space}.", unit=self._name(event["unit"]), space=event["space"]
        )

    def _recruit(self, event: Event) -> str:
        values = {"unit": self._name(event["unit"]), "point": self._place(event["at"]), "hero": self._name(event["by"])}
        return self.say("{hero} recruits {unit} in {point}.", **values)

    def _over(self, event: Event) -> str:
        if event["winner"] is None:
            return self.say("It is over: a draw.")
        reason = REASONS[event["reason"]]
        why = self.say(reason)
        return self.say("It is over: {nation} won. {why}", nation=self._nation(event, "winner"), why=why)
