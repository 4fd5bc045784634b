"""The mistakes that orders can have: what is said about each, and examples, which are its test.

Every sentence says what would be right. The examples are order lists for Red on the default board.
"""

from typing import NamedTuple

from pbem.games.kit.reading import MAX_ITEMS

_SET_UP = "1 red A3 M3 W3 bombs 3 blue V3 H3 E3 bombs 3"
_FORMS = 'Orders are moves ("2 W to M"), "Bomb EC", "New M" or "Pass".'


class Example(NamedTuple):
    """Orders with one mistake, the sentence that answers it, and the orders proposed instead, if any."""

    orders: str
    sentence: str
    proposal: str | None = None
    position: str = _SET_UP


class Kind(NamedTuple):
    """A kind of mistake: its name in the docs, the sentence with gaps (the template of a `Sentence`), and examples."""

    name: str
    sentence: str
    examples: tuple[Example, ...]


NO_AREA = Kind(
    "no such area",
    'There is no area "{text}". The areas are {areas}.',
    (
        Example(
            "2 W to M, Bomb Q",
            'There is no area "Q". The areas are A, AC, Z, ZC, V, VC, M, MC, S, SC, H, HC, W, WC, U, UC, E and EC.',
            "2 W to M",
        ),
    ),
)
NO_TARGET = Kind(
    "no such area to go to",
    'There is no area "{text}". From {origin} one can reach {areas}.',
    (
        Example(
            "3 M to Q, 2 W to M",
            'There is no area "Q". From Mu (M) one can reach Atlantea (A), Mystery City (MC), Shalomar (S) and '
            "Wyvernia (W).",
            "2 W to M",
        ),
    ),
)
NEARLY_AN_AREA = Kind(
    "no such area, but one with a similar name",
    'There is no area "{text}". {nearest}?',
    (
        Example("3 M to Shalimar", 'There is no area "Shalimar". Shalomar (S)?', "3 M to S"),
        Example("3 A to Moo-Mistery City", 'There is no area "Moo-Mistery City". Mystery City (MC)?'),
        Example("2 A-Zepyria", 'There is no area "Zepyria". Zephyria (Z)?', "2 A to Z"),
        Example("3 M to At", 'There is no area "At". Atlantea (A)?', "3 M to A"),
        Example("Bomb E C", 'There is no area "E C". Elfin City (EC)?', "Bomb EC"),
        Example("Bomb Elphin City", 'There is no area "Elphin City". Elfin City (EC)?', "Bomb EC"),
        Example("3 A to M today", 'There is no area "M today". Mu (M)?', "3 A to M"),
    ),
)
UNCLEAR_AREA = Kind(
    "more than one area",
    '"{text}" may be {areas}: write more of the name, or the code.',
    (
        Example(
            "1 M to Sha",
            '"Sha" may be Shalomar (S) or Shangri-La City (SC): write more of the name, or the code.',
        ),
    ),
)
OUT_OF_REACH = Kind(
    "out of reach",
    "From {origin} one can reach {areas}, not {target}.",
    (
        Example(
            "1 M to E, 1 M to A",
            "From Mu (M) one can reach Atlantea (A), Mystery City (MC), Shalomar (S) and Wyvernia (W), not Elysia (E).",
            "1 M to A",
        ),
        Example(
            "1 MC to A",
            "From Mystery City (MC) one can reach Amber City (AC) and Mu (M), not Atlantea (A).",
            position="2 red MC1 bombs 3 blue H1 bombs 3",
        ),
    ),
)
SAME_AREA = Kind(
    "a move to where it starts",
    "A move goes to another area. From {origin} one can reach {areas}.",
    (
        Example(
            "1 M to Mu; Bomb EC",
            "A move goes to another area. From Mu (M) one can reach Atlantea (A), Mystery City (MC), "
            "Shalomar (S) and Wyvernia (W).",
            "Bomb EC",
        ),
    ),
)
TOO_MANY = Kind(
    "more pieces than there are",
    "There {are} in {area}, not {count}.",
    (
        Example("9 W to M", "There are 3 pieces in Wyvernia (W), not 9.", "3 W to M"),
        Example(
            "3 MC to M",
            "There are 2 pieces in Mystery City (MC), not 3.",
            "2 MC to M",
            position="2 red MC1 bombs 3 blue H1 bombs 3",
        ),
        Example(
            "New M; 2 MC to M",
            "There is 1 piece in Mystery City (MC), not 2.",
            "New M; 1 MC to M",
            position="2 red MC1 bombs 3 blue H1 bombs 3",
        ),
        Example("2 A to M, 2 A to Z", "There are 3 pieces in Atlantea (A), not 4 (2 to M and 2 to Z)."),
        Example("99999999 W to M", "There are 3 pieces in Wyvernia (W), not so many.", "3 W to M"),
    ),
)
NOBODY_THERE = Kind(
    "no pieces there",
    "You have no pieces in {area} to move. You have some in {areas}.",
    (
        Example(
            "2 E to H",
            "You have no pieces in Elysia (E) to move. You have some in Atlantea (A), Mu (M) and Wyvernia (W).",
        ),
    ),
)
NOBODY_LEFT = Kind(
    "no pieces at all",
    "You have no pieces left to move.",
    (Example("2 M to A", "You have no pieces left to move.", position="9 red bombs 1 blue H1 bombs 3"),),
)
NOT_ONE_PIECE = Kind(
    "a move of no pieces",
    "A move takes at least one piece. There {are} in {area}.",
    (
        Example(
            "0 A to M, 2 W to M", "A move takes at least one piece. There are 3 pieces in Atlantea (A).", "2 W to M"
        ),
    ),
)
TWO_WAYS = Kind(
    "neither dispersal nor concentration",
    "The moves of a turn leave one single area or go into one single area. These leave {origins} and go to {targets}.",
    (
        Example(
            "1 A to M, 1 W to U",
            "The moves of a turn leave one single area or go into one single area. "
            "These leave Atlantea (A) and Wyvernia (W) and go to Mu (M) and Ulteria (U).",
        ),
    ),
)
ALL_AND_MORE = Kind(
    "all, and more from the same area",
    '"All" takes every piece from {area}. Leave out the other move from there, or write a number for each.',
    (
        Example(
            "all A to M, 1 A to Z",
            '"All" takes every piece from Atlantea (A). Leave out the other move from there, '
            "or write a number for each.",
        ),
    ),
)
NO_NEW_PIECE = Kind(
    "a new piece for a city not held",
    "{city} gets no new piece, for you do not hold it. You may write {choices}.",
    (
        Example(
            "New E, 1 MC to M",
            "Elfin City (EC) gets no new piece, for you do not hold it. "
            "You may write New A or New AC, New M or New MC.",
            "1 MC to M",
            position="2 red AC1 MC1 bombs 3 blue H1 bombs 3",
        ),
    ),
)
NO_CITIES = Kind(
    "new pieces without cities",
    "You get no new pieces this turn, for you hold no city.",
    (Example("New M, 3 A to M", "You get no new pieces this turn, for you hold no city.", "3 A to M"),),
)
OPPONENT_THERE = Kind(
    "a new piece where the opponent stands",
    "Your opponent stands in {area}, so the new piece goes into {city}: New {code}.",
    (
        Example(
            "New M",
            "Your opponent stands in Mu (M), so the new piece goes into Mystery City (MC): New MC.",
            "New MC",
            position="2 red MC1 bombs 3 blue M1 bombs 3",
        ),
    ),
)
TWO_NEW_PIECES = Kind(
    "two new pieces for one city",
    "{city} gets one new piece a turn. Write New {province} or New {code}, once.",
    (
        Example(
            "New M, MC",
            "Mystery City (MC) gets one new piece a turn. Write New M or New MC, once.",
            position="2 red MC1 bombs 3 blue H1 bombs 3",
        ),
    ),
)
TWO_BOMBS = Kind(
    "two bombardments",
    "One area is bombarded in a turn. Write Bomb once; you have {left} left.",
    (
        Example("Bomb EC, Bomb HC", "One area is bombarded in a turn. Write Bomb once; you have 3 left."),
        Example("Bomb EC, Bomb EC", "One area is bombarded in a turn. Write Bomb once; you have 3 left."),
    ),
)
NO_BOMBS = Kind(
    "no bombardments left",
    "You have no bombardments left; a player has three in a game.",
    (
        Example(
            "1 M to S; Bomb EC",
            "You have no bombardments left; a player has three in a game.",
            "1 M to S",
            position="2 red M3 bombs 0 blue H1 bombs 3",
        ),
    ),
)
PASS_AND_MOVE = Kind(
    "pass with a move",
    '"{word}" says that nothing moves, and yet there are moves. Leave out one or the other.',
    (
        Example(
            "3 A to M, Pass", '"Pass" says that nothing moves, and yet there are moves. Leave out one or the other.'
        ),
    ),
)
HOW_MANY = Kind(
    "a move without a number",
    'How many? Write a number or "all" before it: all {origin} to {target}.',
    (
        Example("A-M", 'How many? Write a number or "all" before it: all A to M.'),
        Example("A to M", 'How many? Write a number or "all" before it: all A to M.'),
        Example(
            "New M, move Mystery City -> M",
            'How many? Write a number or "all" before it: all MC to M.',
            position="2 red MC2 bombs 3 blue H1 bombs 3",
        ),
    ),
)
WHERE_FROM = Kind(
    "a move from nowhere",
    "From where? Write every move in full: {example}.",
    (
        Example("1 M to MC and 2 to A", "From where? Write every move in full: 2 M to A.", "1 M to MC, 2 M to A"),
        Example("2 to Z, Bomb EC", "From where? Write every move in full: 2 A to Z."),
    ),
)
WHERE_TO = Kind(
    "a move to nowhere",
    "Where to? Write every move in full: {example}.",
    (
        Example("3 A and 2 W to M", "Where to? Write every move in full: 3 A to M.", "3 A to M, 2 W to M"),
        Example("1 M to MC, 3 A", "Where to? Write every move in full: 3 A to M."),
    ),
)
NO_ORDER = Kind(
    "no order",
    '"{text}"? Orders are moves ("2 W to M"), "Bomb EC", "New M" or "Pass".',
    (
        Example("3 A to M, 2 W to M, Bom EC", f'"Bom"? {_FORMS}', "3 A to M, 2 W to M; Bomb EC"),
        Example("3 A to M, thanks", f'"thanks"? {_FORMS}'),
        Example("I move 3 A to M", f'"I"? {_FORMS}'),
        Example("Bomb", f'"Bomb"? {_FORMS}'),
        Example("Hold the line", f'"Hold the line"? {_FORMS}'),
    ),
)
NO_SEPARATOR = Kind(
    "two orders in one",
    "Another order begins here: put a comma before it.",
    (
        Example("3 A to M 2 W to M", "Another order begins here: put a comma before it.", "3 A to M, 2 W to M"),
        Example("3 A to M Bomb EC", "Another order begins here: put a comma before it."),
    ),
)
NO_ORDERS = Kind(
    "no orders at all",
    'There are no orders here. Orders are moves ("2 W to M"), "Bomb EC", "New M" or "Pass".',
    (Example("", f"There are no orders here. {_FORMS}"),),
)
TOO_LONG = Kind(
    "too long",
    "There are more than {most} orders here. No turn needs so many.",
    (Example("1 A to M, " * (MAX_ITEMS + 1), f"There are more than {MAX_ITEMS} orders here. No turn needs so many."),),
)

MISTAKES = (
    *(NO_AREA, NO_TARGET, NEARLY_AN_AREA, UNCLEAR_AREA, OUT_OF_REACH, SAME_AREA, TOO_MANY, NOBODY_THERE),
    *(NOBODY_LEFT, NOT_ONE_PIECE, TWO_WAYS, ALL_AND_MORE, NO_NEW_PIECE, NO_CITIES, OPPONENT_THERE, TWO_NEW_PIECES),
    *(TWO_BOMBS, NO_BOMBS, PASS_AND_MOVE, HOW_MANY, WHERE_FROM, WHERE_TO, NO_ORDER, NO_SEPARATOR, NO_ORDERS, TOO_LONG),
)
"""Every kind of mistake there is."""
