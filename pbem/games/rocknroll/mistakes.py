"""What is said of words that the grammar does not read: what would fit there, or what was understood of them."""

from collections.abc import Mapping

from pbem.games.base import Seat, Sentence, Unread
from pbem.games.rocknroll.bot import example
from pbem.games.rocknroll.guess import Guess, said_in
from pbem.games.rocknroll.lookup import Wrong, quoted
from pbem.games.rocknroll.notation import like
from pbem.games.rocknroll.state import State


def unreadable(state: State, seat: Seat, words: Unread, guess: Guess) -> Wrong:
    """What is wrong with words, and where; `guess` is what they probably mean, if that is known."""
    cards, text = state.cards, words.value
    if not text:
        return Wrong(words, Sentence("Here another order begins: put a semicolon before it, or a line end."))
    found = said_in(cards, text)
    kinds = {one.kind for one in found}
    units, names = (
        tuple(dict.fromkeys(like(cards, one.name, text) for one in found if one.name and one.kind in some))
        for some in (("unit",), ("unit", "card", "point"))
    )
    if "w_all" in kinds and "w_deploy" in kinds and (which := which_units(state, seat, text)):
        return Wrong(words, which)
    if "w_all" in kinds and names and not guess:
        return Wrong(words, Sentence("Which units? Write their names: `March: Zulu, Doc to B`."))
    if (
        len(units) == len(("first", "second"))
        and "card" in kinds
        and not kinds & {"sign", "point", "w_against", "turning"}
    ):
        values = dict(zip(("first", "second"), units, strict=True))
        return Wrong(words, Sentence("Who attacks whom? Write `{first} > {second}` or `{second} > {first}`.", **values))
    of_units = "_DEPLOY" in words.expected  # nothing is read yet but who
    if not guess and not of_units and words.stop and words.stop > words.start_pos:
        return _stopped(words, words.stop, _HOW.get(found[0].kind) if found else None)
    if names:
        possible = str(example(state, seat)) if seat == state.on_turn else "Reroll attack: 1 with orders"
        shown = like(cards, "; ".join(map(str, guess)) or possible.partition("; ")[0], text)
        return Wrong(words, Sentence("{names}: which order? `{example}`, for example.", names=names, example=shown))
    return Wrong(words, Sentence('"{text}" cannot be read.', text=quoted(text)))


def which_units(state: State, seat: Seat, text: str) -> Sentence | None:
    """What is right where all units of a hand are to be deployed: their names. None if nothing says "all", or the hand
    has no unit."""
    hand, found = state.hands[seat].units, said_in(state.cards, text)
    if not hand or "w_all" not in {one.kind for one in found}:
        return None
    point = next((one.name for one in found if one.kind == "point"), state.row[0])
    example = "; ".join(f"Deploy {unit} {point}" for unit in hand)
    return Sentence("Which units? Write their names: `{example}`.", example=like(state.cards, example, text))


def _stopped(words: Unread, stop: int, how: Sentence | None) -> Wrong:
    """What is wrong where the grammar stops within words: what would fit there, if anything has to; at their end how
    such a line is written."""
    end = words.start_pos + len(words.value)
    if stop >= end and how:
        return Wrong(words, how)
    rest = Unread(words.value[stop - words.start_pos :], stop) if stop < end else words
    wanted = [one for one in _WANTED if one in words.expected and "_SEP" not in words.expected]
    if "NUMBER" in words.expected and rest.value[0] in "-0123456789":
        wanted = ["NUMBER"]
    if not wanted:
        return Wrong(rest, Sentence('"{text}" cannot be read.', text=quoted(rest.value)))
    values = {"text": quoted(rest.value), "wanted": _WANTED[wanted[0]]}
    return Wrong(rest, Sentence('"{text}" cannot be read: here belongs {wanted}.', **values))


_WANTED: Mapping[str, Sentence] = {
    "UNIT": Sentence("a unit"),
    "POINT": Sentence("a Point"),
    "CARD": Sentence("an order"),
    "NUMBER": Sentence("a number 0-9"),
}
"""What may have to stand where the grammar stops, by its terminals."""

_HOW: Mapping[str, Sentence] = {
    "w_deploy": Sentence("Whom, and where to? `Deploy Johnny A`, for example."),
    "w_trade": Sentence("What for what? `Trade Doc for order` or `Trade Attack for deck`, for example."),
    "w_sell": Sentence("Which card? `Sell Move`, for example."),
    "w_buy": Sentence("One buys an order or a unit: `Buy order`, `Buy unit deck` or `Buy unit` and a name."),
    "w_act": Sentence("Two cards are given for what a unit does: `Act Doc, Move: Zulu > Bao`, for example."),
    "w_capture": Sentence("A card is given for it: `Capture Bao with Move`, for example."),
    "w_use": Sentence("Whose feature, and on whom? `Use Horny: Johnny`, for example."),
    "w_income": Sentence("What do you wish? `Income: Doc, deck`, for example."),
    "w_reroll": Sentence("For what, and how often? `Reroll attack: 1 with orders`, for example."),
    "w_rocknroll": Sentence("For whom, and when? `Rocknroll Zulu: Bao` or `Rocknroll all: never`, for example."),
    "w_pour": Sentence("For what, and how many? `Pour attack: to 4 sell orders`, for example."),
    "w_react": Sentence("Who, and how? `React Johnny: no`, for example."),
    "w_first": Sentence("Who? `First: Doc, Johny`, for example."),
    "w_block": Sentence("Who blocks whom? `Block Bao: Zulu`, for example."),
    "w_goto": Sentence("Who, and where to? `Goto Mai: B`, for example."),
    "w_lose": Sentence("What? `Lose: deck`, for example."),
    "w_captives": Sentence("What is done with them? `Captives: recruit`, for example."),
}
"""How lines are written, by the word that they begin with."""
