"""Standing orders as people write them: their word, what it is for, and a value (rnr §7)."""

from collections.abc import Callable, Iterator

from pbem.games.base import Sentence
from pbem.games.rocknroll.cursor import RULES, Cursor
from pbem.games.rocknroll.items import AmountItem, ItemPart, NamesItem, RuleItem
from pbem.games.rocknroll.lookup import Wrong
from pbem.games.rocknroll.names import word_among
from pbem.games.rocknroll.standing import KEYS, LISTS, WORDS

_AMOUNTS = ("reroll", "pour")
_ANY_KEY = ("attack", "feature", "all")


def read_rule(cursor: Cursor) -> RuleItem:
    """A standing order. Raises Wrong."""
    rule, word = _rule_word(cursor)
    said = rule.capitalize()
    at = cursor.at
    number = _amount(cursor, rule) if rule in _AMOUNTS and not cursor.sign("COLON") else None
    if number is not None and cursor.word("of", "with", "to"):  # Pour 2 for attack
        return RuleItem(word, _key(cursor, said), number)
    cursor.at = at
    if _is_before_key(cursor, said):  # Rocknroll: Zulu always
        cursor.at += 1
    key = None if KEYS[said] is None and _is_value(cursor) else _key(cursor, said)
    colon = cursor.sign("COLON", "DASH")
    if cursor.at_end:
        raise Wrong(word, _HOW[rule])
    return RuleItem(word, key, _value(cursor, rule, bare=key is not None and colon is None))


def _is_before_key(cursor: Cursor, said: str) -> bool:
    """Whether the only colon of a line stands before the key, and a value follows that is no list of names."""
    token = cursor.token()
    if not KEYS[said] or token is None or token.type != "COLON":
        return False
    rest = cursor.tokens[cursor.at + 1 :]
    if not rest or any(one.type == "COLON" for one in rest):
        return False
    counts = said.casefold() in _AMOUNTS and any(one.type == "NUMBER" for one in rest)
    return counts or word_among(rest[-1].value, WORDS.get(said, ())) is not None


def read_negated(cursor: Cursor) -> list[RuleItem]:
    """`no rerolls for Doc`, `never rocknroll with Zulu`, `Johnny does not react`; nothing, and nothing passed over, if
    it is none of these."""
    at, here = cursor.at, cursor.here()
    if not cursor.says_no:
        return []
    if cursor.word("none_of", "never", "without"):
        cursor.skip("use", "filler")
        for rule, value in (
            ("reroll", AmountItem(ItemPart("0", here.start_pos))),
            ("rocknroll", NamesItem((ItemPart("never", here.start_pos),))),
        ):
            if word := cursor.word(rule):
                key = _key(cursor, rule.capitalize())
                if key is None and cursor.ends():
                    raise Wrong(word, _HOW[rule])
                if key and cursor.ends() and (cursor.names.find(key.value) or word_among(key.value, _ANY_KEY)):
                    return [RuleItem(word, key, value)]
    cursor.at = at
    units = list[ItemPart]()
    while cursor.says_unit() and (unit := cursor.name()):
        units.append(unit)
        cursor.listing()
    if units and (word := cursor.word("no_reaction")) and cursor.ends():
        never = NamesItem((ItemPart("no", word.start_pos),))
        return [RuleItem(ItemPart("React", word.start_pos), unit, never) for unit in units]
    cursor.at = at
    return []


def _rule_word(cursor: Cursor) -> tuple[str, ItemPart]:
    for rule in RULES:
        if word := cursor.word(rule):
            return rule, word
    raise cursor.unreadable()


def _is_value(cursor: Cursor) -> bool:
    """Whether what follows is a value: there is no colon, or it stands here."""
    token = cursor.token()
    rest = cursor.tokens[cursor.at :]
    return token is None or token.type in ("COLON", "DASH") or all(one.type != "COLON" for one in rest)


def _key(cursor: Cursor, said: str) -> ItemPart | None:
    """What a standing order is for."""
    cursor.word("of", "for", "with", "in", "to") if said == "Pour" else cursor.word("of", "for", "with")
    cursor.skip("article")
    if word := cursor.word(*(KEYS[said] or ())):
        return word
    return cursor.name()


def _value(cursor: Cursor, rule: str, *, bare: bool) -> AmountItem | NamesItem | ItemPart:
    """The value; `bare`: no colon stands before it, so it cannot be a list of units."""
    said = rule.capitalize()
    if word := cursor.word("default"):
        return word
    if rule in _AMOUNTS or cursor.kinds() & {"upto"}:
        if amount := _amount(cursor, rule):
            return amount
    elif token := cursor.sign("NUMBER"):
        return AmountItem(ItemPart(token.value, token.start_pos))
    if word := cursor.word(*WORDS.get(said, ())):
        return NamesItem((word,))
    if rule == "goto":
        return NamesItem(tuple(_in_turn(cursor, lambda: _place(cursor))))
    if bare and said in LISTS:
        raise Wrong(cursor.here(), Sentence("Put a colon before the names: `{rule} Zulu: Bao`.", rule=said))
    if rule in ("reroll", "react", "captives", "pour"):
        return NamesItem((_any(cursor),))
    return NamesItem(tuple(_in_turn(cursor, lambda: _listed(cursor, said))))


def _in_turn(cursor: Cursor, read: Callable[[], ItemPart]) -> Iterator[ItemPart]:
    """What is wished for in turn: `first Doc, then the deck`, besides commas."""
    cursor.skip("first")
    yield read()
    while True:
        cursor.skip("first")
        at = cursor.at
        paused = False
        while cursor.listing() or cursor.sign("COMMA") or cursor.word("then", "else"):
            paused = True
        if not paused or cursor.at_end or cursor.is_start() or cursor.order_card():
            cursor.at = at
            return
        try:
            found = read()
        except Wrong:
            if not cursor.kinds(at - cursor.at).isdisjoint(("then", "polite")):
                cursor.at = at
                return
            raise
        if (token := cursor.token()) is not None and token.type == "COLON":
            cursor.at = at
            return
        yield found


def _any(cursor: Cursor) -> ItemPart:
    here = cursor.here()
    while not cursor.ends():
        cursor.at += 1
    return here


def _place(cursor: Cursor) -> ItemPart:
    cursor.word("to", "at")
    point = cursor.point() or cursor.name()
    if point is None:
        raise cursor.unreadable()
    return point


def _listed(cursor: Cursor, said: str) -> ItemPart:
    """A unit of a list, or what else may stand in it."""
    for choice in LISTS[said]:
        if word := cursor.word(choice):
            return ItemPart(choice, word.start_pos)
    name = cursor.name()
    if name is None:
        raise cursor.unreadable()
    return name


def _amount(cursor: Cursor, rule: str) -> AmountItem | None:
    """`to 4 sell orders`, `2 times with Move, orders`, `1 за приказы`. Of rerolls `up to 2 times` is 2."""
    at = cursor.at
    upto = cursor.word("upto")
    number = _number(cursor)
    if number is None:
        cursor.at = at
        return None
    if cursor.word("times") and rule == "reroll":
        upto = None
    each = cursor.word("each")
    how = cursor.word("with", "sell") or _after_a_comma(cursor)
    each = each or (cursor.word("each") if how is None else None)
    if how is None:
        return AmountItem(number, upto, each)
    cursor.sign("COLON")
    given = tuple(cursor.listed(lambda: _given(cursor)))
    each = each or cursor.word("each")
    return AmountItem(number, upto, each, how, given)


def _after_a_comma(cursor: Cursor) -> ItemPart | None:
    """`to 4, sell orders`: any orders are no card that a line of its own could sell."""
    at = cursor.at
    if cursor.sign("COMMA") and (how := cursor.word("sell", "with")) and cursor.kinds() & {"orders", "units"}:
        return how
    cursor.at = at
    return None


def _number(cursor: Cursor) -> ItemPart | None:
    if token := cursor.sign("NUMBER"):
        if len(token.value) > 1:
            raise Wrong(ItemPart(token.value, token.start_pos), Sentence("A number 0-9 is needed here."))
        return ItemPart(token.value, token.start_pos)
    for number in range(1, 7):
        if word := cursor.word(f"n{number}"):
            return ItemPart(str(number), word.start_pos)
    return None


def _given(cursor: Cursor) -> ItemPart:
    """A card of a list of what may be given."""
    for choice in ("orders", "units"):
        if word := cursor.word(choice):
            return ItemPart(choice, word.start_pos)
    name = cursor.name()
    if name is None:
        raise cursor.unreadable()
    return name


_HOW = {
    "income": Sentence("What do you wish? `Income: Doc, deck`, for example."),
    "reroll": Sentence("For what, and how often? `Reroll attack: 1 with orders`, for example."),
    "rocknroll": Sentence("For whom, and when? `Rocknroll Zulu: Bao` or `Rocknroll all: never`, for example."),
    "pour": Sentence("For what, and how many? `Pour attack: to 4 sell orders`, for example."),
    "react": Sentence("Who, and how? `React Johnny: no`, for example."),
    "first": Sentence("Who? `First: Doc, Johny`, for example."),
    "block": Sentence("Who blocks whom? `Block Bao: Zulu`, for example."),
    "goto": Sentence("Who, and where to? `Goto Mai: B`, for example."),
    "lose": Sentence("What? `Lose: deck`, for example."),
    "captives": Sentence("What is done with them? `Captives: recruit`, for example."),
}
