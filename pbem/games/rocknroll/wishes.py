"""Standing orders as people write them: their word, what it is for, and a value (rnr §7)."""

from pbem.games.base import Sentence
from pbem.games.rocknroll.cursor import RULES, Cursor
from pbem.games.rocknroll.items import AmountItem, ItemPart, NamesItem, RuleItem
from pbem.games.rocknroll.lookup import Wrong
from pbem.games.rocknroll.standing import KEYS, LISTS, WORDS

_AMOUNTS = ("reroll", "pour")


def read_rule(cursor: Cursor) -> RuleItem:
    """A standing order. Raises Wrong."""
    rule, word = _rule_word(cursor)
    said = rule.capitalize()
    at = cursor.at
    number = _amount(cursor) if rule in _AMOUNTS and not cursor.sign("COLON") else None
    if number is not None and cursor.word("of", "with"):  # Pour 2 for attack
        return RuleItem(word, _key(cursor, said), number)
    cursor.at = at
    key = None if KEYS[said] is None and _is_value(cursor) else _key(cursor, said)
    colon = cursor.sign("COLON", "DASH")
    if cursor.at_end:
        raise Wrong(word, _HOW[rule])
    return RuleItem(word, key, _value(cursor, rule, bare=key is not None and colon is None))


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
    cursor.word("of", "for", "with")
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
        if amount := _amount(cursor):
            return amount
    elif token := cursor.sign("NUMBER"):
        return AmountItem(ItemPart(token.value, token.start_pos))
    if word := cursor.word(*WORDS.get(said, ())):
        return NamesItem((word,))
    if rule == "goto":
        return NamesItem(tuple(cursor.listed(lambda: _place(cursor))))
    if bare and said in LISTS:
        raise Wrong(cursor.here(), Sentence("Put a colon before the names: `{rule} Zulu: Bao`.", rule=said))
    if rule in ("reroll", "react", "captives", "pour"):
        return NamesItem((_any(cursor),))
    return NamesItem(tuple(cursor.listed(lambda: _listed(cursor, said))))


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


def _amount(cursor: Cursor) -> AmountItem | None:
    """`to 4 sell orders`, `2 times with Move, orders`, `1 за приказы`."""
    at = cursor.at
    upto = cursor.word("upto")
    number = _number(cursor)
    if number is None:
        cursor.at = at
        return None
    cursor.word("times")
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
    if cursor.sign("COMMA") and (how := cursor.word("sell")) and cursor.kinds() & {"orders", "units"}:
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
