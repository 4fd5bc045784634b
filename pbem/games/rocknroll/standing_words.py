"""Standing orders in plain words, and what counts where none says anything (rnr §7)."""

from collections.abc import Iterable, Iterator, Mapping

from pbem.games.base import Say, Side
from pbem.games.rocknroll import wording
from pbem.games.rocknroll.cards import CardSet
from pbem.games.rocknroll.standing import SEATS, amount, listed, needs


def told(cards: CardSet, side: Side | None, rules: Mapping[str, str], say: Say) -> str:
    """All of a seat of a side, by key and value in canonical form, as one sentence; "" if there are none."""
    words = _Words(cards, side, say)
    return "; ".join(words.rule(*key.partition(" ")[::2], value) for key, value in rules.items())


class _Words:
    """Standing orders of a set said in the language of a reader. Names stand where they need no case."""

    def __init__(self, cards: CardSet, side: Side | None, say: Say) -> None:
        self.cards, self.side, self.say = cards, side, say

    def rule(self, word: str, subject: str, value: str) -> str:
        """One, by its first word, what it is about, and its value."""
        match word:
            case "Reroll":
                return self._reroll(subject, value)
            case "Pour":
                return self._pour(subject, value)
            case "Rocknroll":
                return self._gamble(subject, value)
            case "React":
                return self._react(subject, value)
            case "Captives":
                return self._captives(value)
            case _:
                return self._list(word, subject, value)

    def _reroll(self, subject: str, value: str) -> str:
        said, say = amount(value), self.say
        who, number = self._name(subject), said.number
        told = say.many("{subject}: up to {number} reroll", "{subject}: up to {number} rerolls", number, subject=who)
        told = say("{told}, paid with {cards}", told=told, cards=self._names(said.cards)) if said.cards else told
        return say("{told}, of either die", told=told) if said.each else told

    def _pour(self, subject: str, value: str) -> str:
        said, say = amount(value), self.say
        values = {"subject": self._name(subject), "number": str(said.number)}
        told = (
            say("{subject}: RD poured in up to a natural {number}", **values)
            if said.upto
            else say("{subject}: {number} RD poured in", **values)
        )
        if not said.cards:
            return told
        return say("{told}, cards sold for it: {cards}", told=told, cards=self._names(said.cards))

    def _gamble(self, subject: str, value: str) -> str:
        say, who = self.say, self._name(subject)
        match value:
            case "always":
                return say("{subject}: ROCK'N'ROLL always", subject=who)
            case "never":
                return say("{subject}: ROCK'N'ROLL never", subject=who)
            case _:
                return say("{subject}: ROCK'N'ROLL against {names}", subject=who, names=self._names(listed(value)))

    def _react(self, subject: str, value: str) -> str:
        say, who = self.say, self._name(subject)
        match value:
            case "yes":
                return say("{subject}: answers an attack", subject=who)
            case "no":
                return say("{subject}: answers no attack", subject=who)
            case "attack":
                return say("{subject}: attacks whoever has attacked", subject=who)
            case _:
                return say("{subject}: moves away after an attack", subject=who)

    def _captives(self, value: str) -> str:
        say = self.say
        match value:
            case "torture":
                return say("prisoners: torture")
            case "execute":
                return say("prisoners: execute")
            case "recruit":
                return say("prisoners: recruit")
            case _:
                return say("prisoners: leave them")

    def _list(self, word: str, subject: str, value: str) -> str:
        say, names, who = self.say, self._names(listed(value)), self._name(subject)
        match word:
            case "Sequence":
                return say("allies play in this sequence, unless one of them says otherwise: {names}", names=names)
            case "Supply":
                return say(
                    "allies take their income in this sequence, unless one of them says otherwise: {names}", names=names
                )
            case "Compensation":
                return say("cards for losses go to this seat, unless an ally says otherwise: {names}", names=names)
            case "Income":
                return ", ".join((say("wished for at the income: {names}", names=names), *self._vain(listed(value))))
            case "First":
                return say("first in your turn: {names}", names=names)
            case "Block":
                return say("{subject}: attacks of several first {names}", subject=who, names=names)
            case "Goto":
                return say("{subject}: goes of its own accord to {names}", subject=who, names=names)
            case _:
                return say("lost if no unit stands on a Point: {names}", names=names)

    def _vain(self, names: Iterable[str]) -> Iterator[str]:
        """What is said of units of the enemy's that are wished for."""
        others = [
            one for one in names if one in self.cards.units and self.side not in (None, self.cards.units[one].side)
        ]
        if others:
            yield self.say("but units of the enemy's never come to you: {names}", names=self._names(others))

    def _names(self, names: Iterable[str]) -> str:
        return ", ".join(map(self._name, names))

    def _name(self, name: str) -> str:
        """A card, a Point, or a word of standing orders."""
        cards, say = self.cards, self.say
        if name in SEATS:
            return say(wording.CALLED[name])
        if name in cards.units or name in cards.orders:
            return wording.card(cards, name, say)
        words = {
            "attack": say("attacks"),
            "feature": say("features"),
            "order": say("orders that are fired"),
            "captive": say("prisoners"),
            "rocknroll": "ROCK'N'ROLL",
            "orders": say("any orders"),
            "units": say("any units of the hand"),
            "all": say("all units"),
            "deck": say("the deck"),
        }
        return words.get(name) or wording.point(name, say)


def usual(cards: CardSet, rules: Mapping[str, str], say: Say) -> str:
    """What counts for what no standing order says; "" if they say all."""
    said = {key.partition(" ")[0] for key in rules}
    ways = {
        "Reroll": say("no rerolls"),
        "Rocknroll": say("no ROCK'N'ROLL"),
        "Pour": say("no RD poured in"),
        "Income": say("new units from the deck"),
        "React": say("who may answer attacks"),
        "First": say("features as their units stand"),
        "Block": say("blockers attack who is named first"),
        "Goto": say("units go where fewest enemies stand"),
        "Lose": say("losses without a unit on a Point from the deck"),
        "Captives": say("prisoners are left alone"),
    }
    left = [told for word, told in ways.items() if word not in said and needs(word, cards.switches)]
    return say("What your standing orders leave open is as usual: {usual}.", usual=", ".join(left)) if left else ""
