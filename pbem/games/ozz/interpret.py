"""Decide which lines of a letter are meant as orders, and interpret these lines. The result is either legal orders, or
a list of all mistakes, each with a sentence that explains what would be right (§14).

A line that the grammar cannot read is an attempt at orders if it begins with an order word, a counter, `all` or
`everybody`, and also contains a name or a word used in orders: `John, well played` is not an order. Standing orders are
lines that apply to every letter that does not say otherwise (§12).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from pbem import Sentence
from pbem.games.base import Interpretation, Seat, Unread
from pbem.games.kit.reading import Written, Wrong, mistake, no_orders, too_many
from pbem.games.ozz.board_legality import BoardChecker
from pbem.games.ozz.guess import mistaken
from pbem.games.ozz.legality import ABLE, WORDS, Checker, Fault, MapChecker, codes_of, word_of
from pbem.games.ozz.meaning import Finding, read_item, read_letter
from pbem.games.ozz.names import NOBODY, ORDINARY, STARTS, THINGS, Seen, alike, names_of, scan, words_of
from pbem.games.ozz.naming import Forget, Nothing, Phrase, ReadItem, Side
from pbem.games.ozz.orders import (
    Evade,
    FightFast,
    Initiative,
    Item,
    Join,
    Keep,
    Losses,
    Orders,
    Recruit,
    Retreat,
    RetreatTo,
    Return,
    Shoot,
)
from pbem.games.ozz.state import State
from pbem.games.ozz.wording import CALLED, noted
from pbem.games.spelling import folded
from pbem.games.values import MAX_ITEMS

_CLAUSES = ("drop", "take", "attack", "fire", "charge", "coordinate", "alone", "leave", "change")
_VERBS = frozenset((*STARTS, *_CLAUSES, "advance", "stand", "back"))
_WEAK = frozenset(
    ("to", "from", "via", "first", "second", "none", "pool", "special", "never", "always", "off", "others")
)
_GRAMMAR = _VERBS | _WEAK | {"below", "skeletons", "batteries", "flyers", "melee"}
_LEADING = ("polite", "filler", "then", "and", "the")
_NEGATIONS = ("not", "never", "always", "none", "let")
_FEW = 40  # the maximum number of words that are examined


def is_attempt(state: State, items: Sequence[Any]) -> bool:
    """Return whether a line of a letter is meant as orders; `items` are the parts of the line, whether they could be
    read or not."""
    read = [item for item in items if isinstance(item, Phrase)]
    if not state.battle:
        read = [item for item in read if item.type != "initiative"]  # `We go first` may refer to anybody
    return bool(read) or any(isinstance(item, Unread) and _is_attempt(state, item.value) for item in items)


def _is_attempt(state: State, text: str) -> bool:
    if is_news(state, text):
        return False
    words = _without_leading(scan(state.data, text)[:_FEW])
    if not words:
        return False
    first, rest = words[0], words[1:]
    if state.battle and first.may_be("retreat") and not rest:
        return True  # `We retreat` is an order during a battle
    if any(word.may_be("you") for word in words) and not any(word.may_be(*THINGS) for word in words):
        return False
    if first.may_be(*_NEGATIONS) and not first.may_be("counter"):
        return _is_denied(rest) or (state.battle is not None and _names_place(rest))
    return _begins(first, rest)


def _is_denied(rest: Sequence[Seen]) -> bool:
    """Return whether `rest`, the words after a negation, give an order, as `retreat` does in `Don't retreat`."""
    return bool(rest) and rest[0].may_be(*STARTS) and _holds(rest, weak=False)


def _begins(first: Seen, rest: Sequence[Seen]) -> bool:
    """Return whether a line that begins with `first`, which is not a negation, and continues with `rest` is meant as
    orders."""
    if not first.kinds and alike(first.value):
        return any(word.may_be("counter") for word in rest) and _holds(rest, weak=False)
    if first.may_be("counter"):
        return _holds(rest, weak=True)
    if first.may_be("you", "praise"):
        return False
    if first.may_be("fight_fast", "orders_stand"):
        return True
    if first.may_be(*STARTS, *_CLAUSES):
        return not (len(rest) == 1 and folded(rest[0].value) in CALLED) and _holds(rest, weak=True)
    if first.may_be("all", "from", "bell"):
        return _holds(rest, weak=False)
    if first.may_be("spell", "transport", "first", "space"):
        return any(word.may_be("counter") for word in rest)
    if first.may_be("point") and len(rest) > 1 and rest[0].value in "-–—→>":
        return rest[1].may_be("point") and any(word.may_be("counter", "all") for word in rest)
    return first.may_be("us", "them") and _names_place(rest)


def _without_leading(words: list[Seen]) -> list[Seen]:
    """Return `words` without any greeting, list number, polite phrases or fillers at the beginning."""
    if words and words[0].may_be("greeting") and any(word.value == "," for word in words[1:4]):
        words = words[next(at for at, word in enumerate(words) if word.value == ",") + 1 :]
    if len(words) > 1 and words[0].may_be("number") and words[1].value == ".":
        words = words[2:]
    while words and not words[0].may_be("counter", "spell", "transport", "let", "all"):
        if words[0].may_be("us", "them") and _names_place(words[1:]):
            break
        if not words[0].may_be("sign", *_LEADING):
            break
        words = words[1:]
    return words


def _names_place(rest: Sequence[Seen]) -> bool:
    """Return whether `rest` says which side goes first or second: `go first`, `the Munchkins go first`."""
    rest = [word for word in rest if not word.may_be("can", "filler", "the", "to")]
    behind = [word for word in rest[:2] if word.may_be("first", "second")]
    return bool(behind) and (behind[0] is rest[0] or folded(rest[0].value) in CALLED or rest[0].may_be("them", "us"))


def _holds(words: Sequence[Seen], *, weak: bool) -> bool:
    """Return whether `words` contain a counter, point, space, spell, number or word of the grammar. Words of the
    grammar that are also common elsewhere count only if `weak` is true."""
    return any(word.may_be(*(_GRAMMAR if weak else _GRAMMAR - _WEAK)) or word.may_be(*THINGS) for word in words)


_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_VAGUE = frozenset(
    ("hero", "heroes", "foot", "witch", "bell", "black", "great", "north", "south", "central", "national", "lesser")
    + ("giant", "flying", "dire", "heads", "head", "skull", "captain", "horse")
)
"""Words that occur in names but have many other uses."""
# the most words in a remark that may be an order, without and with a verb; the fewest letters in the name of a counter
_BRIEF, _LONG, _NAME = 5, 12, 4
_NEWS = 200  # the maximum length of a text that only states where a counter is


def names_in(state: State, text: str) -> tuple[str, ...]:
    """Return the codes of counters and points that occur in a text. Press that contains such codes may reveal a
    plan."""
    if is_news(state, text):
        return ()
    all_codes = {*state.data.counters, *state.data.points}
    codes = (word.upper() if _is_code(word) else word for word in _WORD.findall(text))
    return tuple(dict.fromkeys(word for word in codes if word in all_codes))


def _is_code(word: str) -> bool:
    """Return whether `word` is in lower case and not an ordinary word, so that it may be a code."""
    return word.islower() and word not in ORDINARY


def is_about(state: State, text: str) -> bool:
    """Return whether a remark, given in lower case, may be an order that was not read: it names a counter in play, and
    either is very short or contains a spell or a verb used in orders. Remarks addressed to other players are not
    orders."""
    words = _WORD.findall(text)
    kinds = frozenset[str]().union(*map(words_of, words))
    shouts = bool(words) and "praise" in words_of(words[0])
    if len(words) > _LONG or "you" in kinds or shouts or not any(_is_in_play(state, word) for word in words):
        return False
    spell = any(word.may_be("spell", "transport") for word in scan(state.data, text))
    return not is_news(state, text) and (len(words) <= _BRIEF or spell or not kinds.isdisjoint(_VERBS))


def is_news(state: State, text: str) -> bool:
    """Return whether a text only states, correctly, where a counter is: `Evora is in W1`."""
    if len(text) > _NEWS:
        return False
    words = [word for word in scan(state.data, text) if word.value not in ".!" and not word.may_be("polite")]
    if len(words) != len(("Evora", "is", "in", "W1")) or not (words[0].may_be("counter") and words[3].may_be("point")):
        return False
    if not (words[1].may_be("is") and words[2].may_be("at", "inside")):
        return False
    meant = names_of(state.data).find(words[0].value)
    here = names_of(state.data).find_points(words[3].value)
    codes = meant.whole or tuple(code for code in meant.less if code in state.units)
    return bool(codes) and all(code in state.units and state.units[code].at in here for code in codes)


def _is_in_play(state: State, word: str) -> bool:
    """Return whether a word names a counter on the map or the board."""
    name = word.removesuffix("'s")
    if name in _VAGUE or name in CALLED or f"{name}s" in CALLED:
        return False
    if word.upper() in state.data.counters:
        return _is_code(word) and word.upper() in state.units
    meant = names_of(state.data).find(word) if len(word) >= _NAME else NOBODY
    return any(code in state.units for code in (*meant.whole, *meant.less))


_EVERYBODY = frozenset(("all", "everybody", "everyone", "everything", "alle", "все"))


def interpret(state: State, seat: Seat, items: Sequence[Phrase | Unread]) -> Interpretation[Orders]:
    """Interpret `items`, the parts of a letter, as orders of a seat, or report the mistakes in `items` in the order of
    the text.

    If there are mistakes, the result also proposes the orders that were probably meant, unless part of the letter is
    unclear or those orders would be illegal.
    """
    if not items:
        return no_orders()
    if len(items) > MAX_ITEMS:
        return too_many()
    findings = _read(state, seat, items)
    entries = [entry for entry in findings if isinstance(entry, ReadItem)]
    mistakes = [mistake(finding.at, finding.sentence) for finding in findings if isinstance(finding, Wrong)]
    current = [entry for entry in entries if not entry.standing and not isinstance(entry.item, Nothing | Forget)]
    orders = Orders(tuple(entry.item for entry in current))  # type: ignore[misc]
    faults = faults_of(state, seat, orders)
    mistakes += [mistake(_first(current[fault.number], fault.code), fault.sentence) for fault in faults]
    for entry in entries:
        if entry.standing and (fault := refused(state, seat, entry.item)):
            mistakes.append(mistake(_first(entry, fault.code), fault.sentence))
    if mistakes:
        mistakes.sort(key=lambda wrong: wrong.start)
        return Interpretation(None, tuple(mistakes), _proposal(state, seat, findings, orders, faults))
    lines = tuple(written(entry.item) for entry in entries if entry.standing)
    return Interpretation(None if len(lines) == len(entries) else orders, (), standing=lines)


def is_complete(state: State, items: Sequence[Any]) -> bool:
    """Return whether `items` are complete and name only things that exist, regardless of which seat gives the
    orders."""
    return all(isinstance(item, Phrase) for item in items) and all(
        isinstance(entry, ReadItem) for entry in read_letter(Side(state, None), items)
    )


def _read(state: State, seat: Seat, items: Sequence[Phrase | Unread]) -> list[Finding]:
    """Read the phrases of a letter, and report what could not be read."""
    side = Side(state, seat)
    findings = list(read_letter(side, [item for item in items if isinstance(item, Phrase)]))
    findings = [_unless_nothing(finding, findings) for finding in findings]
    for item in items:
        if isinstance(item, Unread) and item.value and not is_news(state, item.value):
            findings.append(mistaken(side, item, lambda meant: not faults_of(state, seat, Orders(meant))))
    return findings


def _unless_nothing(finding: Finding, findings: Sequence[Finding]) -> Finding:
    """Return a mistake if `finding` is a statement that orders nothing and should be left out; otherwise, return
    `finding`. Such a statement should be left out if the letter also gives orders to the counters that it names, if it
    is `Pass` and the letter contains other orders, or if the letter contains only statements that counters stay."""
    if isinstance(finding, Wrong) or not isinstance(finding.item, Nothing):
        return finding
    others = [entry for entry in findings if isinstance(entry, ReadItem) and not isinstance(entry.item, Nothing)]
    stays = {*finding.item.stays} - _EVERYBODY
    if stays and not others:
        return Wrong(finding.at, Sentence("Counters that stay need no line. If nobody moves, write `Pass`."))
    if any(not entry.places.keys().isdisjoint(stays) for entry in others):
        return Wrong(finding.at, Sentence("Counters that stay need no line: leave it out."))
    if not finding.item.stays and any(not entry.standing for entry in others):
        return Wrong(
            finding.at, Sentence("`Pass` orders nothing, but there are other orders here: leave out one or the other.")
        )
    return finding


def faults_of(state: State, seat: Seat, orders: Orders) -> list[Fault]:
    """Return all faults in the orders of a seat."""
    return _checker(state, seat, orders.items).check()


def _checker(state: State, seat: Seat, items: tuple[Item, ...]) -> Checker:
    return (BoardChecker if state.phase == "battle" and state.battle else MapChecker)(state, seat, items)


def _first(item: ReadItem, code: str | None) -> Written:
    """Return the words that name `code` in an item, or the first word of the item if `code` is None or not named
    there."""
    return item.places.get(code or "", item.at)


def _proposal(
    state: State, seat: Seat, findings: Sequence[Finding], orders: Orders, faults: Sequence[Fault]
) -> Orders | None:
    """Return the orders that were probably meant; None unless all of them are clear and legal."""
    instead: dict[int, tuple[Item, ...]] = {}
    for fault in faults:
        item = orders.items[fault.number]
        # a faulty `Recruit` line for a leader is simply left out
        idle = isinstance(item, Recruit) and state.data.counters[item.hero].leader
        if (fault.instead is None and not idle) or fault.number in instead:
            return None
        instead[fault.number] = fault.instead or ()
    items: list[Item] = []
    number = 0
    for finding in findings:
        if isinstance(finding, Wrong):
            if not finding.instead:
                return None
            items += finding.instead
        elif not finding.standing and not isinstance(finding.item, Nothing | Forget):
            items += instead.get(number, (finding.item,))
            number += 1
    meant = Orders(tuple(dict.fromkeys(items)))  # several units may share an order meant for their leader
    return meant if items and not faults_of(state, seat, meant) else None


WORD = "Standing"
NONE = f"{WORD} none"
"""The line that revokes all standing orders."""
_MAY_STAND = (Recruit, Retreat, RetreatTo, Losses, Return, Keep, Evade, Join, Shoot, Initiative, FightFast)
_WORDS = tuple(WORDS.get(kind, kind.__name__) for kind in _MAY_STAND)


def written(item: Item | Nothing | Forget) -> str:
    """Return the canonical form of a standing order."""
    return NONE if isinstance(item, Forget) else f"{WORD} {item}"


def refused(state: State, seat: Seat, item: Item | Nothing | Forget) -> Fault | None:
    """Return the reason why an item cannot be a standing order; None if it can be one. The item need not be legal now,
    but everything that it names must exist."""
    if isinstance(item, Forget):
        return None
    if not isinstance(item, _MAY_STAND) or (isinstance(item, Retreat) and item.at):
        return Fault(0, None, Sentence("This cannot be a standing order: only {words} can.", words=_WORDS))
    return next(iter(_checker(state, seat, (item,)).named(item)), None) or _not_able(state, seat, item)


def _not_able(state: State, seat: Seat, item: Item) -> Fault | None:
    """Return a fault if a counter in a standing order can never do what the order asks of it, or belongs to another
    nation."""
    cards = state.data.counters
    for code in codes_of(item)[0]:
        card = cards[code]
        if card.nation not in (seat, None):
            return Fault(0, code, Sentence("{code} ({name}) is not yours.", code=code, name=card.name))
        if type(item) in ABLE and not ABLE[type(item)](card):
            sentence = Sentence("{name} cannot use `{word}`.", name=card.name, word=noted(word_of(item)))
            return Fault(0, code, sentence)
    return None


def merged(lines: Iterable[str]) -> tuple[str, ...]:
    """Merge standing orders in canonical form; for each subject, only the last line counts."""
    standing: dict[str, str] = {}
    for line in filter(None, lines):
        if line == NONE:
            standing.clear()
            continue
        key = _key(line.removeprefix(f"{WORD} "))
        standing.pop(key, None)
        standing[key] = line
    return tuple(standing.values())


def _key(line: str) -> str:
    """Return the subject of a line in canonical form: its first word, `Retreat to`, or `Recruit` with the code of the
    Hero."""
    first, _, rest = line.partition(" ")
    return line.partition(":")[0] if first == "Recruit" else f"{first} to" if rest.startswith("to ") else first


def joined(state: State, seat: Seat, orders: Orders | None, lines: str) -> Orders | None:
    """Return `orders` with the standing orders in `lines` added. A standing order is not added if it would be illegal
    now, or if the letter contains a line that begins with the same word. If there is no letter because the orders given
    earlier in a battle remain in force, nothing is added."""
    if orders is None and state.battle and seat in state.battle.plans:
        return None
    items = orders.items if orders else ()
    used = {word_of(item) for item in items}
    for line in merged(lines.split("; ")):
        item = read_item(state.data, line.removeprefix(f"{WORD} "))
        if item is None or word_of(item) in used:
            continue
        longer = (*items, _now(state, seat, item))
        if not faults_of(state, seat, Orders(longer)):
            items = longer
    return Orders(items) if items or orders is not None else None


def _now(state: State, seat: Seat, item: Item) -> Item:
    """Return `item`, reduced to those of its listed counters that are on the board now. If none of them is, return
    `item` unchanged."""
    if isinstance(item, Evade | Join | Shoot) and item.units and state.battle:
        here = state.battle.units
        units = tuple(code for code in item.units if code in here and here[code].seat == seat)
        return replace(item, units=units) if units else item
    return item
