"""The sentences for mistakes in orders. Each sentence explains what would be right.

tests/cases/ozymandia-mistakes.txt contains an example of each sentence, which serves as its test.
"""

NO_AREA = 'There is no area "{text}". The areas are {areas}.'
NO_TARGET = 'There is no area "{text}". {origin} borders on {areas}.'
NEARLY_AN_AREA = 'There is no area "{text}". Did you mean {nearest}?'
UNCLEAR_AREA = '"{text}" may be {areas}: write more of the name, or the code.'
OUT_OF_REACH = "From {origin} you can reach {areas}, not {target}."
SAME_AREA = "A move goes to another area. From {origin} you can reach {areas}."
TOO_MANY = "There {are} in {area}, not {count}."
NOBODY_THERE = "You have no pieces in {area} to move. You have some in {areas}."
NOBODY_LEFT = "You have no pieces left to move."
NOT_ONE_PIECE = "A move takes at least one piece. There {are} in {area}."
TWO_WAYS = (
    "The moves of a turn leave one single area or go into one single area. These leave {origins} and go to {targets}."
)
ALL_AND_MORE = '"All" takes every piece from {area}. Leave out the other move from there, or write a number for each.'
NO_NEW_PIECE = "{city} gets no new piece, because you do not hold it. You may write {choices}."
NO_CITIES = "You get no new pieces this turn, because you hold no cities."
OPPONENT_THERE = "Your opponent holds {area}, so the new piece goes into {city}: New {code}."
TWO_NEW_PIECES = "{city} gets one new piece a turn. Write New {province} or New {code}, once."
TWO_BOMBS = "You can bombard one area a turn. Write Bomb once; you have {left} left."
NO_BOMBS = "You have no bombardments left; a player has three in a game."
STAYS_AND_MOVES = '"{word}" says that nothing moves, but there are moves. Leave out one or the other.'
HOW_MANY = 'How many? Write a number or "all" before it: all {origin} to {target}.'
WHERE_FROM = "From where? Write every move in full: {example}."
WHERE_TO = "Where to? Write every move in full: {example}."
NO_ORDER = 'We do not understand "{text}". Write a move ("2 W to M"), "Bomb EC", "New M" or "Pass".'
NO_SEPARATOR = "Another order begins here: put a comma before it."
NO_ORDERS = 'There are no orders here. Write a move ("2 W to M"), "Bomb EC", "New M" or "Pass".'
TOO_LONG = "There are more than {most} orders here. No turn needs so many."

MISTAKES = (
    NO_AREA,
    NO_TARGET,
    NEARLY_AN_AREA,
    UNCLEAR_AREA,
    OUT_OF_REACH,
    SAME_AREA,
    TOO_MANY,
    NOBODY_THERE,
    NOBODY_LEFT,
    NOT_ONE_PIECE,
    TWO_WAYS,
    ALL_AND_MORE,
    NO_NEW_PIECE,
    NO_CITIES,
    OPPONENT_THERE,
    TWO_NEW_PIECES,
    TWO_BOMBS,
    NO_BOMBS,
    STAYS_AND_MOVES,
    HOW_MANY,
    WHERE_FROM,
    WHERE_TO,
    NO_ORDER,
    NO_SEPARATOR,
    NO_ORDERS,
    TOO_LONG,
)
"""The sentences for all kinds of mistakes."""
