"""The options of a war, and the headers of its record that describe them."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from pbem import Sentence
from pbem.games.base import Chair, GameError, Seat
from pbem.games.chance import Chance
from pbem.games.options import Option, with_defaults
from pbem.games.rocknroll import plan, questions, rules
from pbem.games.rocknroll.cardfile import FIRST, SHIPPED, find_set, is_as_shipped, is_shipped, parse_set
from pbem.games.rocknroll.cards import MOST_SEATS, SIDES, CardSet
from pbem.games.rocknroll.orders import ALLIED
from pbem.games.rocknroll.state import State
from pbem.typed import quote

SHORT = 6
"""The limit of a short war, in rounds."""

_EARLIER = {
    "base": "613c8e6d405e0828040da8ebf088df579601088167b38ac90d94b243edd09f45",
    "expansion": "8b5bff50129035705ddb0fc5c7f5167645219b5f1133855bc8749b1c448cf8a7",
}
"""The hashes that the first sets had before their texts mentioned that units are attacked when they are deployed. The
cards are otherwise the same."""

SEATS = ("1v1", "1v2", "2v1", "2v2", "3v3")

_NAMES = tuple(f"{side}{at}" for side in SIDES for at in range(1, MOST_SEATS + 1))

_AGREED = {
    "sequence": Sentence("The sequence in which allies play; they can change it by standing orders."),
    "supply": Sentence("The sequence in which allies take their income; they can change it by standing orders."),
    "compensation": Sentence(
        "Which seat of each side gets cards for its losses; allies can change it by standing orders."
    ),
}
"""The options on which allies can agree, with a help text for each."""

OPTIONS = (
    Option(
        "set",
        "choice",
        Sentence("The cards: base-2 or expansion, or the path of a file of your own."),
        default=SHIPPED[0],
        choices=SHIPPED,
        is_open=True,
    ),
    Option(
        "length",
        "choice",
        Sentence("How long the war can be: full, or short (six rounds)."),
        default="full",
        choices=("short", "full"),
    ),
    Option(
        "seats",
        "choice",
        Sentence("How many play VPA and how many Vietnam."),
        default=SEATS[0],
        choices=SEATS,
    ),
    *(Option(key, "several", sentence, default=(), choices=_NAMES) for key, sentence in _AGREED.items()),
)


def chosen(options: Mapping[str, Any]) -> tuple[CardSet, tuple[Chair, ...], int | None]:
    """Read the set, the seats and the limit in rounds from `options`. The options have the form that people use or the
    form that other programs use, which has a list of seats or a limit. Raises GameError if they are faulty."""
    if not options.keys() <= {option.name for option in OPTIONS} or not isinstance(options.get("seats", ""), str):
        return questions.chosen(options)
    values = with_defaults("Rock'n'Roll", OPTIONS, {"set": FIRST, **options})
    cards = find_set(values["set"])
    return cards, chairs(values["seats"]), SHORT if values["length"] == "short" else cards.numbers.limit


def seats_of(options: Mapping[str, Any]) -> tuple[Chair, ...]:
    """Return only the seats in `options`. The set is not read, because a war goes on even if the file of its cards is
    gone. Raises GameError if the options are faulty."""
    return chosen({**options, "set": FIRST})[1]


def chairs(seats: str) -> tuple[Chair, ...]:
    """Return the seats of a war. `seats` is a text such as `1v2`, which means one seat for VPA and two for Vietnam."""
    seating: list[Chair] = []
    for side, number in zip(SIDES, seats.split("v"), strict=True):
        names = [side] if number == "1" else [f"{side}{at + 1}" for at in range(int(number))]
        seating += [Chair(name, side) for name in names]
    return tuple(seating)


def set_up(options: Mapping[str, Any], chance: Chance) -> State:
    """Return the state from which a war with these options begins. Raises GameError if the options are faulty."""
    cards, seats, limit = chosen(options)
    return rules.set_up(cards, seats, limit, chance, agreed(options, seats)).state


def agreed(options: Mapping[str, Any], seats: tuple[Chair, ...]) -> Mapping[Seat, Mapping[str, str]]:
    """Return the initial standing orders of allies (J27) in `options`, keyed by seat and then by their own keys. Raises
    GameError if the options name a seat without allies."""
    standing: dict[Seat, dict[str, str]] = {}
    for key in ALLIED:
        named = options.get(key.casefold(), ())
        for seat, side in seats:
            allies = [ally for ally, on in seats if on == side]
            if value := [name for name in named if name in allies and len(allies) > 1]:
                standing.setdefault(seat, {})[key] = ", ".join(value)
        if lone := [name for name in named if name not in standing]:
            raise GameError(f"{key.casefold()}: {', '.join(lone)} has no allies in this war.")
    return standing


def is_house(cards: CardSet) -> bool:
    """Return whether any value on a unit's card is a house value, which was made up and balanced by play."""
    return any(mark.startswith("house") for unit in cards.units.values() for mark in unit.marks.values())


# Headers of a record


def headers(start: State, options: Mapping[str, Any]) -> dict[str, str]:
    """Return the headers of a war's record. A set that is not shipped is included in full, because its file may be gone
    in thirty years; a shipped one as its plan, with which people and other programs can play the war."""
    cards = start.cards
    values = with_defaults("Rock'n'Roll", OPTIONS, options)
    by_name = {"Set": cards.id, "SetHash": set_hash(cards), "Length": values["length"], "Places": values["seats"]}
    by_name |= {key: " ".join(value) for key in ALLIED if (value := values[key.casefold()])}
    if values["length"] == "full" and start.limit:
        by_name["Limit"] = str(start.limit)
    if is_as_shipped(cards):
        by_name[plan.HEADER] = plan.set_plan(cards)
    else:
        by_name["SetFile"] = cards.source
    return by_name


def from_headers(entries: Mapping[str, str], chance: Chance) -> tuple[State, dict[str, Any]]:
    """Return the first state of a war and its options, read from the headers of its record. Files that a record names
    are never opened.

    A record that includes the plan of its set is played with that if the set is not shipped, or is another one now.
    Raises GameError if the set is neither shipped nor included or does not match its hash or its plan, or if the
    options are faulty.
    """
    cards = _cards(entries)
    options: dict[str, Any] = {
        "set": cards.id,
        "length": entries.get("Length", "full"),
        "seats": entries.get("Places", SEATS[0]),
    }
    if options["length"] not in ("short", "full") or options["seats"] not in SEATS:
        raise GameError(f"A war is short or full, for {', '.join(SEATS)}; not {quote(dict(options))}.")
    limit = SHORT if options["length"] == "short" else cards.numbers.limit
    options |= {key.casefold(): tuple(entries[key].split()) for key in ALLIED if entries.get(key)}
    seats = chairs(options["seats"])
    start = rules.set_up(cards, seats, limit, chance, agreed(options, seats)).state
    return start, options


def set_hash(cards: CardSet) -> str:
    """Return the SHA-256 of a set's file, in hexadecimal digits."""
    return sha256(cards.source.encode()).hexdigest()


def _cards(entries: Mapping[str, str]) -> CardSet:
    name, source, held = entries.get("Set", FIRST), entries.get("SetFile"), entries.get(plan.HEADER)
    if source is not None:
        cards = parse_set(source, name)
    elif is_shipped(name) and entries.get("SetHash") in (None, set_hash(find_set(name)), _EARLIER.get(name)):
        cards = find_set(name)
        if held is not None:
            plan.check_plan(held, cards)
        return cards
    elif held is not None:
        return plan.cards_of_plan(held, name)
    elif is_shipped(name):
        cards = find_set(name)
    else:
        raise GameError(f"There is no set of cards {quote(name)} here, and the record does not carry its file.")
    if entries.get("SetHash", set_hash(cards)) != set_hash(cards):
        raise GameError(f"The war was played with other cards {quote(name)} than those that are known here.")
    return cards
