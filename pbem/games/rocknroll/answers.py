"""Answer players' questions about the row of Points and the cards: who is on a Point, where a unit is, what a card
does."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from pbem import Say, Sentence
from pbem.games.base import Paragraph, Seat, Unread
from pbem.games.capabilities import Lookup
from pbem.games.kit.questions import parts_of, things_asked
from pbem.games.kit.reading import Wrong
from pbem.games.rocknroll import wording
from pbem.games.rocknroll.cards import SIDES, CardSet, Order, Unit
from pbem.games.rocknroll.names import Lookup as Finder
from pbem.games.rocknroll.names import Names, names_of
from pbem.games.rocknroll.state import State, View


def asked_about(state: State, kind: str, gaps: Sequence[str]) -> tuple[str, ...] | None:
    """Return the Points, units, cards or seat that a question of the given kind is about; None if it is about nothing
    in the game. `gaps` are the texts that the question contains in place of each `...` in its wording."""
    names = names_of(state.cards)
    if kind == "about":
        return _cards_in(names, gaps[-1]) or None

    def things(text: str) -> tuple[str, ...]:
        cards = names.find(text)
        return cards if kind == "card" or state.cards.units.keys() >= {*cards} else ()

    def place(text: str) -> str | None:
        point = names.point(text)
        return point if point in state.row else None

    return things_asked(kind, gaps, state.hands, things, place)


def _cards_in(names: Names, text: str) -> tuple[str, ...]:
    """Return the cards whose names occur in the question `text`. Only names that begin with a capital letter count."""
    words, cards = _WORD.findall(text), list[str]()
    for at, word in enumerate(words):
        spans = (" ".join(words[at : at + size]) for size in (3, 2, 1)) if word[0].isupper() else ()
        found = next((found for span in spans if len(found := names.find(span)) == 1), ())
        cards += found
    return tuple(dict.fromkeys(cards))[:_MOST_CARDS]


def answer(view: View, kind: str, names: Sequence[str], say: Say) -> tuple[str, ...]:
    """Return the sentences that answer a question of the given kind about the Points, units or cards in `names`."""
    state = view.state
    if kind == "where":
        return (_where(state, names[0], say),)
    if kind == "about":
        return tuple(text for name in names for text in answer(view, "card", (name,), say))
    if kind == "card":
        paragraphs = look_up(state.cards, names[0], say) or ()
        return tuple(f"{paragraph.heading}. {paragraph.text}" for paragraph in paragraphs)
    if kind == "units":
        nobody = say("{side}: no units in sight.", side=say(wording.CALLED[names[0]]))
        return tuple(_where(state, unit, say) for unit in _units(state, names[0])) or (nobody,)
    if kind == "far":
        first, last = (wording.point(point, say) for point in names)
        number = abs(state.row.index(names[0]) - state.row.index(names[1]))
        return (
            say.many(
                "Point {first} and Point {last} are neighbours: {number} step.",
                "From Point {first} to Point {last}: {number} steps.",
                number,
                first=first,
                last=last,
            ),
        )
    return (_on(state, names[0], say),)


def _on(state: State, point: str, say: Say) -> str:
    """Return a sentence that lists the units on a Point."""
    units = {side: cards for side, cards in state.points[point].items() if cards}
    if not units:
        return say("Point {point}: nobody is there.", point=wording.point(point, say))
    sides = "; ".join(
        f"{say(wording.CALLED[side])}: {wording.listed(state.cards, cards, say)}" for side, cards in units.items()
    )
    return say("Point {point}: {units}.", point=wording.point(point, say), units=sides)


def _units(state: State, seat: Seat) -> Iterator[str]:
    """Yield the units of a seat's side on the Points, and those in the seat's hand that the reader may see."""
    side = state.side_of(seat)
    for sides in state.points.values():
        yield from sides.get(side, ())
    yield from (unit for unit in state.hands[seat].units if unit in state.cards.units)


def _where(state: State, unit: str, say: Say) -> str:
    """Return a sentence that says where a unit is, if the reader may see that."""
    name = wording.card(state.cards, unit, say)
    return next(_places(state, unit, name, say), say("{unit}: not in sight.", unit=name))


def _places(state: State, unit: str, name: str, say: Say) -> Iterator[str]:
    for point, sides in state.points.items():
        if any(unit in cards for cards in sides.values()):
            yield say("{unit}: in Point {point}.", unit=name, point=wording.point(point, say))
    if any(unit in hand.units for hand in state.hands.values()):
        yield say("{unit}: in hand.", unit=name)
    for side, cards in state.reserve.items():
        if unit in cards:
            yield say("{unit}: in the reserve of {side}.", unit=name, side=say(wording.CALLED[side]))
    for side, cards in state.captives.items():
        if unit in cards:
            yield say("{unit}: captive of {side}.", unit=name, side=say(wording.CALLED[side]))
    if any(unit in cards for cards in state.graveyard.values()):
        yield say("{unit}: fallen.", unit=name)


LOOKUPS = {
    "card": Lookup(
        Sentence("card Bao"),
        Sentence(
            "what a card says, how many there are, and which of its values are ours; `card` alone lists all cards"
        ),
    )
}

_WORD = re.compile(r"[^\W_]+")
_MOST_CARDS = 3  # the most cards that one answer describes
_FEW = 2  # the most words that are taken for the name of a card even if no card has a similar name

_VALUES: Mapping[str, Callable[[Say], str]] = {
    "name": lambda say: say("the name"),
    "side": lambda say: say("the side"),
    "chance": lambda say: say("the number in the corner"),
    "dice": lambda say: say("how many dice it throws"),
    "star": lambda say: say("the star"),
    "armour": lambda say: say("the armour"),
    "ace": lambda say: say("the ace of spades"),
    "feature": lambda say: say("the feature"),
    "check": lambda say: say("the check of its feature"),
    "range": lambda say: say("the range"),
    "bonus": lambda say: say("the bonus"),
    "uses": lambda say: say("how often it is used"),
    "suit": lambda say: say("the suit"),
    "kind": lambda say: say("what it does"),
    "number": lambda say: say("its number"),
    "count": lambda say: say("how many there are"),
}
"""Functions that return the reader's name for a value of a card, keyed by the value's key in the card file."""


def look_up(cards: CardSet, name: str, say: Say) -> tuple[Paragraph, ...] | None:
    """Describe the cards that `name` lists, or all cards of the set if `name` is empty. Return None if the words in
    `name` neither name nor resemble a card."""
    if not name:
        return (_all(cards, say),)
    finder = Finder(cards)
    named, wrong = list[str](), list[Wrong]()
    for part in parts_of(name):
        try:
            named.append(finder.card(Unread(part, 0)))
        except Wrong as error:
            wrong.append(error)
    if wrong and not named and not (len(name.split()) <= _FEW or finder.names.nearest(name)):
        return None
    if any(len(error.at.value.split()) > _FEW for error in wrong):
        return None
    texts = [_unit(cards, key, say) if key in cards.units else _order(cards, key, say) for key in dict.fromkeys(named)]
    hint = say("`card` alone lists all cards.")
    return (*texts, *(Paragraph(say("No such card"), f"{say(error.sentence)} {hint}") for error in wrong))


def _all(cards: CardSet, say: Say) -> Paragraph:
    lists = [f"{say(wording.CALLED[side])}: {wording.carded_all(cards, cards.units_of(side), say)}." for side in SIDES]
    orders = ", ".join(f"{order.count} × {wording.card(cards, key, say)}" for key, order in cards.orders.items())
    legend = say("After a unit comes the number in its corner (x2: two dice), before an order how many there are.")
    return Paragraph(say("The cards of this war"), " ".join((*lists, say("Orders: {orders}.", orders=orders), legend)))


def _unit(cards: CardSet, name: str, say: Say) -> Paragraph:
    unit = cards.units[name]
    side = say(wording.CALLED[unit.side])
    heading = say("{card}: a unit of {side}", card=wording.card(cards, name, say), side=side)
    return Paragraph(heading, " ".join(_unit_lines(cards, unit, say)))


def _unit_lines(cards: CardSet, unit: Unit, say: Say) -> Iterator[str]:
    text = wording.named(unit.text, say)
    yield text or say("It has no feature.")
    if text and say.language != "en" and text == unit.text.en:
        yield say("This is the card's text, which its set gives in English.")
    yield say("Hits on {chance}.", chance=wording.chance(unit.chance, unit.dice, say))
    if cards.switches.armour and unit.armour:
        yield say("Armour {armour}.", armour=unit.armour)
    if cards.switches.armour and unit.ace:
        yield say("Ace of spades: armour does not stop it.")
    yield say("There is one in the set.")
    armed = cards.switches.armour
    marks = {key: mark for key, mark in unit.marks.items() if armed or key not in ("armour", "ace")}
    yield _marked(marks, say)


def _order(cards: CardSet, name: str, say: Say) -> Paragraph:
    order = cards.orders[name]
    heading = say("{card}: an order", card=wording.card(cards, name, say))
    return Paragraph(heading, " ".join(_order_lines(cards, order, say)))


def _order_lines(cards: CardSet, order: Order, say: Say) -> Iterator[str]:
    yield _does(order, say)
    if order.side:
        yield say("Only {side} can play it.", side=say(wording.CALLED[order.side]))
    every = sum(card.count for card in cards.orders.values())
    yield say.many(
        "There is {number} among the {every} orders of the set.",
        "There are {number} among the {every} orders of the set.",
        order.count,
        every=every,
    )
    yield _marked(order.marks, say)


def _does(order: Order, say: Say) -> str:
    match order.kind:
        case "attack":
            return say.many("{number} unit attacks.", "Up to {number} units attack.", order.number)
        case "all":
            return say("All units with a {number} in the corner that you name attack.", number=order.number)
        case "move" | "march":
            return _sentence(wording.moves(order, say))
        case "super":
            fall = say("destroys all units in one Point ({chance})", chance=wording.chance(order.number, 1, say))
            return _sentence(fall)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _marked(marks: Mapping[str, str], say: Say) -> str:
    """Return sentences that list the values whose marks name a later edition of the rules, and the house values."""

    def marked_by(source: str) -> str:
        return ", ".join(_VALUES[key](say) for key, mark in marks.items() if mark.startswith(source) and key in _VALUES)

    house, later = marked_by("house"), marked_by("later codex")
    sentences = [say("From a later edition of the rules (°): {values}.", values=later)] if later else []
    sentences.append(say("House values: {values}.", values=house) if house else say("No house values."))
    return " ".join(sentences)
