"""The story of a turn, throw by throw.

Each order that is played starts a paragraph with the order's name as its heading; the consequences are told in the same
paragraph. If a card is hidden, the events reveal only that there was a card, and so does the story.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from pbem import Say, Sentence
from pbem.games.base import Event, Paragraph
from pbem.games.rocknroll import wording
from pbem.games.rocknroll.cards import SIDES
from pbem.games.rocknroll.events import AttackWhy, Check, FellWhy, MoveWhy, RdWhy, Reason, TakeWhy
from pbem.games.rocknroll.state import State

ATTACKS: Mapping[AttackWhy, str] = {
    "order": "{unit} attacks {target}, needing {least}: {dice}.",
    "act": "{unit} attacks {target}, needing {least}: {dice}.",
    "blocker": "{unit} blocks and attacks {target}, needing {least}: {dice}.",
    "raid": "{unit} lies in wait and attacks {target}, needing {least}: {dice}.",
    "riposte": "{unit} strikes back at {target}, needing {least}: {dice}.",
    "avenge": "{unit} avenges the attack and attacks {target}, needing {least}: {dice}.",
}
CHECKS: Mapping[Check, str] = {
    "save": "{unit} tries to save {target}, needing {least}: {dice}.",
    "lure": "{unit} tries to lure {target}, needing {least}: {dice}.",
    "trap": "{unit} tries to catch {target}, needing {least}: {dice}.",
    "order": "{card} is used on {point}, needing {least}: {dice}.",
    "capture": "{target} is to be captured, needing {least}: {dice}.",
    "torture": "{target} is to be tortured, needing {least}: {dice}.",
    "execute": "{target} is to be executed, needing {least}: {dice}.",
    "recruit": "{target} is to be recruited, needing {least}: {dice}.",
}
MOVES: Mapping[MoveWhy, str] = {
    "order": "{unit} moves from {source} to {to}.",
    "act": "{unit} moves from {source} to {to}.",
    "march": "{unit} marches from {source} to {to}.",
    "lure": "{unit} is lured from {source} to {to}.",
    "ride": "{unit} rides on from {source} to {to}.",
    "avenge": "{unit} withdraws from {source} to {to}.",
}
FALLS: Mapping[FellWhy, tuple[str, str]] = {
    "attack": ("{unit} is hit.", "{unit} is destroyed."),
    "rocknroll": ("{unit} pays for it.", "{unit} pays for it and is destroyed."),
    "explosion": ("Two ones: {unit} explodes.", "Two ones: {unit} explodes and is destroyed."),
    "super": ("{unit} is hit.", "{unit} is destroyed."),
}
"""Sentences for a unit that falls: one while its fate is open, and one if it is lost at once."""
SUPPLIES: Mapping[RdWhy, str] = {
    "miss": "{side} {change} RD for the failed throw (now {now}).",
    "loss": "{side} {change} RD for the loss (now {now}).",
    "compensation": "{side} {change} RD, as no order is left (now {now}).",
    "echo": "{side} {change} RD (now {now}).",
    "feature": "{side} {change} RD for its unit in Echo (now {now}).",
    "sell": "{side} {change} RD for it (now {now}).",
    "buy": "{side} {change} RD (now {now}).",
    "pour": "{side} {change} RD, poured in (now {now}).",
}
"""Sentences about changes of RD, keyed by the reason for the change."""
GETS: Mapping[TakeWhy, str] = {
    **dict.fromkeys(("opening", "income", "trade"), "{seat} gets {what}."),
    "compensation": "For two losses {seat} gets {what}.",
    "echo": "Echo brings {seat} {what}.",
    "torture": "{seat} gets {what} for it.",
    "buy": "{seat} buys {what}.",
}
TOLD: Mapping[str, str] = {
    "deploy": "{unit} is deployed to {point}.",
    "saved": "{unit} is saved by {by}.",
    "captured": "{unit} is captured.",
    "executed": "{unit} is executed.",
    "freed": "{unit} escapes to the reserve.",
    "recruited": "{unit} joins {seat}.",
    "discard": "{seat} gives up {what}.",
    "reshuffle": "All orders are collected and shuffled with the discard: {count}.",
}
"""The sentences for events that need only one sentence, keyed by type of event."""
SENTENCES = (
    *(sentence for table in (ATTACKS, CHECKS, SUPPLIES, MOVES, GETS, TOLD) for sentence in table.values()),
    *(sentence for both in FALLS.values() for sentence in both),
)
"""The sentences of the tables above, for translators."""

HEADINGS: Mapping[tuple[str, str | None], Sentence] = {
    ("roll", "start"): Sentence("Who begins"),
    ("deploy", None): Sentence("Deployment"),
    ("act", None): Sentence("Current Action"),
    ("discard", "trade"): Sentence("Trade"),
    ("discard", "capture"): Sentence("Prisoners"),
    ("rd", "buy"): Sentence("Purchase"),
    ("check", "lure"): Sentence("Feature"),
    **{("check", kind): Sentence("Prisoners") for kind in ("torture", "execute", "recruit")},
    **{("take", why): Sentence("Income") for why in ("opening", "income")},
}
"""The headings of paragraphs, keyed by the type and purpose of their first event."""

REASONS: Mapping[Reason, Sentence] = {
    "condition": Sentence("its condition does not hold"),
    "phase": Sentence("units can only be deployed before the first order"),
    "hand": Sentence("the card is not available"),
    "point": Sentence("the Point cannot be reached (units deploy on the two end Points and move to a neighbour)"),
    "supply": Sentence("there is nothing to take (it is not in the reserve, or the deck is empty)"),
    "rd": Sentence("the RD do not allow it"),
    "unit": Sentence("the unit is not in a Point"),
    "used": Sentence("its feature works once in a turn"),
    "target": Sentence("its target is not, or no longer, an enemy in a Point"),
    "range": Sentence("the target is out of reach"),
    "guarded": Sentence("the target is guarded"),
    "number": Sentence("it needs more units in the Point than the enemy has there"),
    "side": Sentence("the order is for the other side"),
    "chance": Sentence("the unit has another number in its corner"),
}
"""The reasons for skipping a line."""


def story(before: State, events: Sequence[Event], say: Say) -> tuple[Paragraph, ...]:
    """Describe what happened, in order. A paragraph without a heading continues the previous paragraph."""
    return tuple(_Narrator(before, events, say).paragraphs())


class _Narrator:
    """A narrator of the events of a turn, which combines events that belong together into one sentence."""

    def __init__(self, before: State, events: Sequence[Event], say: Say) -> None:
        self.before, self.cards, self.events, self.say = before, before.cards, events, say
        self.at = 0
        self.round = before.round
        self.rd = dict(before.rd)

    def paragraphs(self) -> Iterator[Paragraph]:
        heading, sentences = "", list[str]()
        while self.at < len(self.events):
            event = self.events[self.at]
            self.at += 1
            begun = self._heading(event)
            if begun not in (None, heading):
                if sentences:
                    yield Paragraph(heading, " ".join(sentences))
                heading, sentences = begun or "", []
            sentences += filter(None, [self._sentence(event)])
        if sentences:
            yield Paragraph(heading, " ".join(sentences))

    def _heading(self, event: Event) -> str | None:
        """Return the heading of the paragraph that begins with `event`; None if `event` continues the previous
        paragraph."""
        say = self.say
        usual = HEADINGS.get((event["type"], event.get("for") or event.get("why") or event.get("what")))
        if usual:
            return say(usual)
        match event["type"]:
            case "play":
                return wording.card(self.cards, event["card"], say)
            case "skipped" if not event["unit"]:  # a skipped pair stays in its order's paragraph
                return say("Line {line}, not counting standing orders", line=event["line"])
            case "discard" if event["why"] == "sell" and not self._is_for_a_throw():
                return say("Sale")
            case "round" if event["round"] == self.round:
                return say("Who begins")
            case "summary":
                return say("End of round {round}", round=self.round)
        return None

    def _sentence(self, event: Event) -> str:
        if event["type"] in TOLD:
            return self.say(TOLD[event["type"]], **self._values(event))
        tell: Callable[[Event], str] | None = getattr(self, f"_{event['type']}", None)
        return tell(event) if tell else ""

    def _values(self, event: Event) -> dict[str, Any]:
        """Return the values of `event` for the placeholders of a sentence; the placeholder `what` stands for the
        card."""
        values = {key: self._called(value) if isinstance(value, str) else value for key, value in event.items()}
        return {**values, "what": self._some(event)} if "kind" in event else values

    def _called(self, name: str) -> str:
        return wording.called(self.cards, name, self.say)

    def _some(self, event: Event) -> str:
        """Return the name of the card in `event`, or only its kind if the card is hidden."""
        if event.get("card"):
            return self._called(event["card"])
        return self.say("an order card") if event["kind"] == "order" else self.say("a unit")

    def _is_for_a_throw(self) -> bool:
        """Return whether the card that is being sold pays for RD that a throw uses."""
        payments = takewhile(lambda event: event["type"] in ("discard", "rd"), self.events[self.at :])
        return any(event["why"] == "pour" for event in payments)

    def _next(self) -> Event:
        return self.events[self.at] if self.at < len(self.events) else {"type": ""}

    # Units

    def _move(self, event: Event) -> str:
        return self.say(MOVES[event["why"]], **self._values(event))

    def _fell(self, event: Event) -> str:
        """Describe the fall of a unit and, if its loss follows at once, also the loss."""
        open_still, at_once = FALLS[event["why"]]
        at = self.at
        while at < len(self.events) and self.events[at]["type"] in ("rd", "fell"):
            at += 1
        is_lost = at < len(self.events) and self.events[at]["type"] == "lost"
        return self.say((at_once if is_lost else open_still), unit=self._called(event["unit"]))

    def _lost(self, event: Event) -> str:
        if self._told_as_lost(event["unit"]):
            return ""
        return self.say("{unit} is lost.", unit=self._called(event["unit"]))

    def _told_as_lost(self, unit: str) -> bool:
        """Return whether the sentence about the fall of `unit` also reported its loss. If so, only falls, losses, cards
        taken and changes of RD come between the two events."""
        at = self.at - 2
        while at >= 0 and self.events[at]["type"] in ("rd", "fell", "lost", "take"):
            if self.events[at]["type"] == "fell" and self.events[at]["unit"] == unit:
                return True
            at -= 1
        return False

    # Dice

    def _attack(self, event: Event) -> str:
        return self._with_dice(event, ATTACKS[event["why"]])

    def _check(self, event: Event) -> str:
        return self._with_dice(event, CHECKS[event["what"]])

    def _with_dice(self, event: Event, template: str) -> str:
        """Describe a throw: its purpose, its dice, and the RD that it cost or brought."""
        dice, supplies = self._dice(event)
        return " ".join((self.say(template, **self._values(event), least=self._least(event), dice=dice), *supplies))

    def _least(self, event: Event) -> str:
        """Return the number needed for a throw, such as `5+` or `5+ (+1, 2 RD poured in)`."""
        extra = []
        if event["bonus"]:
            extra.append(self.say("+{bonus}", bonus=event["bonus"]))
        if event["poured"]:
            extra.append(self.say("{poured} RD poured in", poured=event["poured"]))
        need = "6" if event["need"] == 6 else f"{event['need']}+"
        return f"{need} ({', '.join(extra)})" if extra else need

    def _dice(self, event: Event) -> tuple[str, Sequence[str]]:
        """Return a description of the dice thrown for `event`, each with the payment for it, if any; and sentences
        about failure and RD. The dice and the payments are in the events that follow."""
        throws, payment, supplies, success = list[str](), "", list[str](), True
        while (coming := self._next())["type"] in ("roll", "discard", "rd"):
            if coming["type"] == "discard" and coming["why"] not in ("reroll", "sell"):
                break
            if coming["type"] == "discard" and coming["why"] == "sell" and not self._is_for_a_throw():
                break
            if coming["type"] == "rd" and coming["why"] not in ("miss", "sell", "pour"):
                break
            self.at += 1
            if coming["type"] == "rd" or coming["why" if coming["type"] == "discard" else "type"] == "sell":
                supplies.append(self._sentence(coming))
            elif coming["type"] == "discard":
                payment = self.say("{card} paid", card=self._some(coming))
            else:
                throws.append(self._thrown(coming, payment))
                payment, success = "", coming["success"]
        failed = self.say("Missed.") if event["type"] == "attack" else self.say("No effect.")
        return ", ".join(throws), [failed, *supplies] if not success else supplies

    def _thrown(self, roll: Event, payment: str) -> str:
        """Describe one die roll, with the payment for it if there was one."""
        value = str(roll["value"])
        if roll["throw"] == "rocknroll":
            return self.say("ROCK'N'ROLL {value}", value=value)
        return self.say("{given} for a reroll: {value}", given=payment, value=value) if payment else value

    def _rd(self, event: Event) -> str:
        """Describe a change of RD and the reason for it."""
        side, now = event["side"], event["now"]
        change, self.rd[side] = now - self.rd[side], now
        values = {"side": self._called(side), "change": f"{change:+d}".replace("-", "−"), "now": str(now)}
        template = SUPPLIES[event["why"]]
        return self.say(template, **values)

    def _roll(self, event: Event) -> str:
        """Describe a throw of the set-up; all other throws are described together with their purpose."""
        if event["for"] == "start":
            return self.say("{side} rolls a {value}.", side=self._called(event["side"]), value=event["value"])
        text = wording.named(self.cards.echo[event["value"]].text, self.say)
        return self.say("Echo's die shows {value}: {text}.", value=event["value"], text=text)

    # Cards

    def _take(self, event: Event) -> str:
        takes = [event]
        while all(self._next().get(key) == event[key] for key in ("type", "seat", "why")):
            takes.append(self._next())
            self.at += 1
        return self.say(GETS[event["why"]], **{**self._values(event), "what": self._cards_taken(takes)})

    def _cards_taken(self, takes: Sequence[Event]) -> str:
        """List the known cards by name, followed by the numbers of hidden units and hidden orders."""
        say = self.say
        named = wording.listed(self.cards, [take["card"] for take in takes if take.get("card")], say)
        hidden = Counter(take["kind"] for take in takes if not take.get("card"))
        units = many_units(hidden["unit"], say) if hidden["unit"] else ""
        orders = many_orders(hidden["order"], say) if hidden["order"] else ""
        return ", ".join(filter(None, (named, units, orders)))

    # Rounds

    def _summary(self, event: Event) -> str:
        say, control = self.say, event["control"]
        held = {side: [self._called(point) for point, holder in control.items() if holder == side] for side in SIDES}
        text = wording.sides({side: " ".join(points) or say("none of them") for side, points in held.items()}, say)
        lines = [say("Points held: {held}.", held=text)]
        winner = event["winner"]
        lines.append(
            say("The round goes to {side}.", side=self._called(winner)) if winner else say("Nobody wins the round.")
        )
        lines.append(say("Score in OK: {ok}.", ok=wording.sides(event["ok"], say)))
        return " ".join(lines)

    def _echo(self, event: Event) -> str:
        echo = self.cards.echo[self.before.echo] if self.before.echo else None
        text = wording.named(echo.text, self.say) if echo else ""
        return self.say("Echo is held by {side}: {text}.", side=self._called(event["side"]), text=text)

    def _round(self, event: Event) -> str:
        self.round = event["round"]
        order = ", ".join(map(self._called, event["order"]))
        return self.say("Order of play in round {round}: {order}.", round=event["round"], order=order)

    def _skipped(self, event: Event) -> str:
        why = REASONS[event["reason"]]
        reason = self.say(why)
        if event["unit"]:
            return self.say("{unit} is left out: {reason}.", unit=self._called(event["unit"]), reason=reason)
        return self.say("Skipped: {reason}.", reason=reason)


def many_units(number: int, say: Say) -> str:
    """Return the text for a number of units, such as `1 unit`."""
    return say.many("{number} unit", "{number} units", number)


def many_orders(number: int, say: Say) -> str:
    """Return the text for a number of orders, such as `1 order`."""
    return say.many("{number} order", "{number} orders", number)
