"""The interpretation of the phrases in a letter: each phrase becomes items of the orders, or a mistake with a suggested
correction (§14).

What a phrase means depends on the names in it. Orders in canonical form, as stored in states and standing orders, are
read in the same way, but no deviation from that form is accepted.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from pbem import Sentence
from pbem.games.kit.reading import Word, Wrong
from pbem.games.ozz import naming, orders
from pbem.games.ozz.board import grid_of
from pbem.games.ozz.board_legality import Positions
from pbem.games.ozz.data import Data
from pbem.games.ozz.names import FOLDER, speller, words_of
from pbem.games.ozz.naming import Forget, Nothing, Phrase, Places, ReadItem, Side, spaces_of, who_of
from pbem.games.ozz.orders import NOTHING, OFF, Cast, Change, Deploy, Group, Guard, Item, Order, Orders
from pbem.games.ozz.orders import Word as Ordered
from pbem.games.ozz.state import Battle, Fighter
from pbem.games.ozz.table import recruiters
from pbem.games.ozz.wording import noted
from pbem.games.spelling import folded
from pbem.games.words import with_names

Finding = ReadItem | Wrong
_Items = Iterator[Item | Nothing | Forget]


def read_letter(side: Side, phrases: Sequence[Phrase]) -> Iterator[Finding]:
    """Yield the items and mistakes in the `phrases` of a whole letter, beginning with its standing orders. A phrase
    that is a clause continues the item before it."""
    phrases = [_spelled_out(side, phrase) for phrase in phrases]
    for phrase in phrases:
        if phrase.type == "standing":
            items = [part for part in phrase.parts if isinstance(part, Phrase)]
            entries = list(_read(side, items)) if items else [ReadItem(Forget(), phrase.start)]
            yield from (entry._replace(standing=True) if isinstance(entry, ReadItem) else entry for entry in entries)
    yield from _read(side, [phrase for phrase in phrases if phrase.type != "standing"])


def _spelled_out(side: Side, phrase: Phrase) -> Phrase:
    """Return a copy of `phrase` in which each character that encodes a word (see `Speller`) is replaced by that
    word."""
    parts = (
        _spelled_out(side, part)
        if isinstance(part, Phrase)
        else naming.SpelledToken(part.type, side.speller.spell_out(part.value), part.start_pos)
        for part in phrase.parts
    )
    return Phrase(phrase.type, tuple(parts))


def _read(side: Side, phrases: Sequence[Phrase]) -> Iterator[Finding]:
    """Yield the items and mistakes in `phrases`, in the order of the phrases. Phrases that contain `all` are
    interpreted last, because `all` can stand for the counters that no other phrase names."""
    orders = list(_with_clauses(phrases))
    found = {}
    for at, (first, *clauses) in sorted(enumerate(orders), key=lambda numbered: any(map(_is_of_all, numbered[1]))):
        found[at] = list(_findings(side, first, clauses))
    for at in range(len(orders)):
        yield from found[at]


def _with_clauses(phrases: Sequence[Phrase]) -> Iterator[list[Phrase]]:
    """Yield each phrase together with the clauses that continue it, as a list."""
    order: list[Phrase] = []
    for phrase in phrases:
        if order and phrase.type not in naming.CLAUSES:
            yield order
            order = []
        order.append(phrase)
    if order:
        yield order


def _is_of_all(phrase: Phrase) -> bool:
    """Return whether `phrase` contains `all`, which can stand for the counters that no other phrase names."""
    return phrase.type == "all" or any(_is_of_all(part) for part in phrase.parts if isinstance(part, Phrase))


def _findings(side: Side, first: Phrase, clauses: Sequence[Phrase]) -> Iterator[Finding]:
    """Yield the items that `first` and its `clauses` describe or, if they make no sense, one mistake with an
    explanation."""
    places: Places = Places(side)
    try:
        items = list(_items(places, first, clauses))
        for phrase in (first, *clauses):
            places.see_all_used(phrase)
    except Wrong as wrong:
        yield wrong.with_traceback(None)
        return
    side.letter += (item for item in items if not isinstance(item, Nothing | Forget))
    for item in items:
        yield ReadItem(item, first.start, dict(places.words))


def _items(places: Places, first: Phrase, clauses: Sequence[Phrase]) -> _Items:
    """Return the items that `first` and its `clauses` describe. Raises Wrong if the phrases make no sense."""
    if first.type in naming.CLAUSES:
        moves = first.type in ("drop", "take", "with", "but")
        raise Wrong(first.start, naming.who_moves(places.side) if moves else naming.who_attacks(places.side))
    if first.type == "going":
        return naming.moved(places, first, clauses)
    if first.type in ("order", "step"):
        return ordered(places, first, clauses)
    if clauses:
        raise naming.unreadable(clauses[0].start)
    if single := _SINGLE.get(first.type):
        return iter((single(places, first),))
    return _READERS[first.type](places, first)


def _heroes(places: Places, phrase: Phrase) -> _Items:
    word = phrase.first("SPECIAL", "POOL", "NONE", "NOT", "DONT")
    kind: Literal["pool", "special", "none"] = "pool"
    if word is not None:
        kind = "special" if word.type == "SPECIAL" else "pool" if word.type == "POOL" else "none"
    heroes = _codes(places, phrase, _recruiters)
    if phrase.first("STAND"):
        places.side.staying.update(heroes)
    for point in naming.points_of(places, phrase):
        for hero in heroes:
            if (here := places.side.location(hero)) and here != point:
                values = {"code": hero, "here": here, "space": point}
                raise Wrong(phrase.start, Sentence("{code} stands in {here}, not in {space}.", **values))
    for hero in heroes:
        yield orders.Recruit(hero, kind)


def _honors(places: Places, phrase: Phrase) -> _Items:
    points, act = naming.points_of(places, phrase), phrase.first("OFFER", "ACCEPT")
    if act is None:
        own = all(places.side.data.points[point].nation == places.side.seat for point in points)
        instead = orders.Honors("accept" if own else "offer", points[0])
        sentence = Sentence("Offered or accepted? `{line}`, for example.", line=noted(instead))
        raise Wrong(phrase.start, sentence, instead)
    for point in points:
        yield orders.Honors("offer" if act.type == "OFFER" else "accept", point)


def _return(places: Places, phrase: Phrase) -> _Items:
    who_of(places, phrase)
    yield orders.Return(naming.points_of(places, phrase)[0])


def _retreat(places: Places, phrase: Phrase) -> _Items:
    at = phrase.first("at")
    point = naming.points_of(places, at)[0] if at else None
    number, named = phrase.first("NUMBER"), phrase.first("NEVER", "DONT", "ALWAYS")
    if named is not None:
        yield orders.Retreat(None if named.type == "ALWAYS" else 0, point)
    elif phrase.first("OR_FEWER"):
        yield orders.Retreat(naming.number_of(places, number) + 1, point)
    elif phrase.first("BELOW"):
        yield orders.Retreat(naming.number_of(places, number), point)
    else:
        instead = orders.Retreat(naming.number_of(places, number) + 1, point)
        sentence = Sentence(
            "When {number} or fewer are left? Then write `{line}`.",
            number=naming.number_of(places, number),
            line=noted(instead),
        )
        raise Wrong(phrase.start, sentence, instead)


def _initiative(places: Places, phrase: Phrase) -> _Items:
    first = phrase.first("FIRST", "GO_FIRST") is not None
    nation = phrase.first("NATION")
    theirs = phrase.first("THEM") is not None or (
        nation is not None and not (places.side.seat or "").startswith(folded(nation.value).split()[-1][:4])
    )
    yield orders.Initiative(first != theirs)


def _lasting(places: Places, phrase: Phrase) -> _Items:
    number = phrase.first("NUMBER")
    if number is None:
        yield orders.Lasting()
    elif (rounds := naming.number_of(places, number)) > 1:
        yield orders.Lasting(rounds)
    else:
        raise Wrong(
            phrase.start, Sentence("For how many rounds? `{line}`, for example.", line=noted(orders.Lasting(3)))
        )


_TRANSPORT = "transport"
_FLAGS = ("alone", "leave")


@dataclass(slots=True)
class _Deed:
    """The parts of an order that have been read so far."""

    word: Ordered | None = None
    way: list[str] = field(default_factory=list)
    attack: list[str] = field(default_factory=list)
    fires: bool = False
    clauses: dict[str, Any] = field(default_factory=dict)


def ordered(places: Places, phrase: Phrase, clauses: Sequence[Phrase]) -> Iterator[Item | Nothing]:
    """Yield the orders that `phrase` and its `clauses` describe, one for each force that `phrase` names. Raises Wrong
    if they are unclear or contradictory."""
    deed = _Deed()
    if phrase.type == "step":
        if clauses:
            raise _moved(phrase.first("MOVE"), who_of(places, phrase)[0])
        yield from _stepped(places, phrase)
        return
    parts = [*(part for part in phrase.parts if part.type not in ("who", "ORDER")), *clauses]
    stays = not phrase.first("ORDER") and [part.type for part in parts] == ["stand"] and not parts[0].all("SPACE")
    if stays and places.side.battle is None:
        yield naming.stays(places, phrase)
        return
    codes = _codes(places, phrase, _forces_left)
    for clause in parts:
        _clause(places, deed, clause)
    word = deed.word or (_word_of(places, deed, phrase.start, codes[0]) if codes else "stand")
    for code in codes:
        yield Order(code, word, tuple(deed.way), tuple(deed.attack), **deed.clauses)


def _codes(places: Places, phrase: Phrase, left: Callable[[Side], Iterator[str]]) -> tuple[str, ...]:
    """Return the codes of the counters that `phrase` names. If `phrase` says `all`, return the counters that `left`
    yields for the side, except those that `phrase` excludes. Raises Wrong if it is unclear which counters are meant."""
    who = phrase.first("who")
    if who is None or not who.first("all"):
        return who_of(places, phrase)
    everybody, *others = [part for part in who.parts if isinstance(part, Phrase) or part.type == "COUNTER"]
    if everybody.type != "all" or everybody.first("COUNTER", "POINT") or any(part.type != "but" for part in others):
        raise naming.whom(places.side, who.start)
    but = {code for part in others for code in naming.named(places, part).units}
    return tuple(code for code in left(places.side) if code not in but)


def _forces_left(side: Side) -> Iterator[str]:
    """Yield the side's forces on the board that have no order yet."""
    if side.battle and side.seat:
        ordered = {item.force for item in side.letter if isinstance(item, Order)}
        for code in Positions(side.data, side.battle, side.seat, side.letter).forces:
            if code not in ordered and not side.data.counters[code].intrinsic:
                yield code


def _undeployed(side: Side) -> Iterator[str]:
    """Yield the side's counters that must still be deployed and that the letter has not placed so far."""
    placed = {code for item in side.letter if isinstance(item, Deploy) for code in item.units}
    for code, fighter in side.battle.units.items() if side.battle else ():
        waits = fighter.seat == side.seat and not fighter.space and not side.data.counters[code].intrinsic
        if waits and code not in placed:
            yield code


def _recruiters(side: Side) -> Iterator[str]:
    """Yield the side's Heroes who can recruit where they are, do not move, and have no `Recruit` line of their own."""
    told = {item.hero for item in side.letter if isinstance(item, orders.Recruit)}
    for code in recruiters(side.state, side.seat) if side.state and side.seat and not side.battle else ():
        if code not in side.moved and code not in told and not side.units[code].done:
            yield code


def _word_of(places: Places, deed: _Deed, start: Word, code: str) -> Ordered:
    """Return the order word that `deed` implies: `stand` if the force fires, `advance` if it charges, and `back` if it
    leaves the board. Raises Wrong if no order word is implied."""
    if deed.clauses.get("charge"):
        return "advance"
    if deed.way == [OFF]:
        return "back"
    if deed.fires and deed.attack:
        return "stand"
    if deed.attack and not _can_fire(places, code):
        ahead = _ahead(places, code)
        reached = tuple(deed.attack[:1]) if deed.attack[0] in ahead else ahead[:1]
        line = Order(code, "advance", reached)
        sentence = Sentence(
            "{code} has no ranged strength, so it must go where it fights. `{line}`, for example.",
            code=code,
            line=noted(line),
        )
        raise Wrong(start, sentence, *([line] if deed.attack[0] in ahead else []))
    sentence = Sentence(
        "Does it advance or stand? `Order {code}: stand, attack {where}` or `Order {code}: advance, attack {where}`.",
        code=code,
        where=" ".join(deed.attack) or "3C",
    )
    raise Wrong(start, sentence)


def _can_fire(places: Places, code: str) -> bool:
    """Return whether the force `code`, including its present group, has a member with ranged strength."""
    cards, battle = places.side.data.counters, places.side.battle
    led = [member for member, fighter in battle.units.items() if fighter.group == code] if battle else []
    return any(cards[member].ranged for member in (code, *led))


def _ahead(places: Places, code: str) -> tuple[str, ...]:
    """Return the spaces that the force `code` can enter with the first step of an advance; () if the force is not on
    the board."""
    battle = places.side.battle
    fighter = battle.units.get(code) if battle else None
    if battle is None or fighter is None or fighter.space is None:
        return ()
    return grid_of(places.side.data).ahead(fighter.space, attacks=fighter.seat == battle.attacker)


def _clause(places: Places, deed: _Deed, clause: Phrase) -> None:
    """Add `clause` to `deed`. Raises Wrong if the clause contradicts or repeats another clause."""
    kind, here = clause.type, clause.start
    if kind in ("advance", "stand", "back"):
        if deed.word not in (None, kind):
            raise Wrong(here, Sentence("A force has one order: advance, stand or back."))
        deed.word = kind  # type: ignore[assignment]
        deed.way += spaces_of(places, clause)
    elif kind == "attack":
        deed.fires = clause.first("SHOOT") is not None or deed.fires
        deed.attack += spaces_of(places, clause)
    elif kind == "off":
        deed.way.append(OFF)
    elif kind in deed.clauses:
        raise Wrong(here, Sentence('"{text}" is here twice.', text=here.value))
    elif kind == "charge":
        deed.clauses[kind] = True
        deed.way += spaces_of(places, clause)
    elif kind == "coordinate":
        deed.clauses[kind] = _forces(places, clause, here)
    elif kind == "change":
        deed.clauses[kind] = _change(places, clause)
    elif kind in _FLAGS:
        deed.clauses[kind] = True
    else:
        raise naming.unreadable(here)


def _forces(places: Places, clause: Phrase, start: Word) -> int:
    """Return the number of forces to wait for according to `clause`, or 0 for all forces that can join. Raises Wrong if
    `clause` itself contains the number 0."""
    number = clause.first("NUMBER")
    if number is None:
        return 0
    if not (count := naming.number_of(places, number)):
        raise Wrong(start, Sentence("How many forces does it wait for? `coordinate 2`, or `coordinate` for all."))
    return count


def _change(places: Places, clause: Phrase) -> Change:
    to, condition = clause.first("advance", "stand", "back"), clause.first("condition")
    way = spaces_of(places, to)
    if condition is None:
        return Change(to.type, way)
    return Change(to.type, way, spaces_of(places, condition)[0], condition.first("NO_ENEMY", "EMPTY") is not None)


def _stepped(places: Places, phrase: Phrase) -> Iterator[Order]:
    """Yield the orders that a phrase such as `HAR moves to 2L` implies, with the order words that `_word_for` returns.
    Raises Wrong if the space is not adjacent."""
    codes, to, battle = who_of(places, phrase), spaces_of(places, phrase)[0], places.side.battle
    for code in codes:
        fighter = battle.units.get(code) if battle else None
        word = _word_for(places.side.data, battle, fighter, to) if battle and fighter else None
        if word is None:
            raise _moved(phrase.first("MOVE"), code)
        yield Order(code, word, (to,))


def _word_for(data: Data, battle: Battle, fighter: Fighter, to: str) -> Ordered | None:
    """Return the order word with which `fighter` goes to the space `to`: `advance` for a step towards the enemy, or to
    the side if enemies are in `to`; `back` for a step away from the enemy; `stand` for any other step to the side; None
    if `to` is not adjacent."""
    grid, attacks = grid_of(data), fighter.seat == battle.attacker
    here = fighter.space or grid.start(attacks=attacks)
    if to in grid.ahead(here, attacks=attacks):
        return "advance"
    if to in grid.behind(here, attacks=attacks):
        return "back"
    if to not in grid.beside(here):
        return None
    enemies = any(other.space == to and other.seat != fighter.seat for other in battle.units.values())
    return "advance" if enemies else "stand"


def _moved(verb: Any, code: str) -> Wrong:
    sentence = Sentence(
        "`Move` is for the map. On the board a force advances, stands or falls back: `Order {code}: advance`.",
        code=code,
    )
    return Wrong(Word(verb.value, verb.start_pos), sentence)


# Positions and groups


def grouped(places: Places, phrase: Phrase) -> Iterator[Item]:
    """Yield the group that `phrase` forms: a new group for a leader, or the leader's present group with more units.
    Raises Wrong if it is unclear which counters are meant."""
    if phrase.first("JOIN"):
        joining, led = phrase.all("who")
        codes, leader = who_of(places, joining), naming.the_one(led.start, who_of(places, led))
        battle = places.side.battle
        before = tuple(code for code, fighter in battle.units.items() if fighter.group == leader) if battle else ()
        yield Group(leader, tuple(dict.fromkeys((*before, *codes))))
        return
    first, *rest = [part for part in phrase.parts if part.type in ("who", "COUNTER", "NONE")]
    leader = (
        naming.code_of(places, first) if first.type == "COUNTER" else naming.the_one(first.start, who_of(places, first))
    )
    yield Group(leader, () if rest[0].type == "NONE" else who_of(places, rest[0]))


def guarded(places: Places, phrase: Phrase) -> Iterator[Item]:
    """Yield the flank guards in `phrase`, which names a space, flanks and units in any order. Raises Wrong if any of
    these is missing or ambiguous."""
    units = who_of(places, phrase)
    sides = ["left" if "l_side" in words_of(side.value) else "right" for side in phrase.all("SIDE")]
    spaces = spaces_of(places, phrase)
    if len(spaces) != 1:
        raise Wrong(phrase.start, naming.which_flank(places.side))
    if not units or len(sides) != len(units) or len(set(sides)) < len(sides):
        line = noted(Guard(spaces[0], *naming.some_units(places.side)[:2]))
        raise Wrong(phrase.start, Sentence("Which flank, and which unit? `{line}`.", line=line))
    guards = dict(zip(sides, units, strict=True))
    yield Guard(spaces[0], guards.get("left"), guards.get("right"))


# Spells


def cast(places: Places, phrase: Phrase) -> Iterator[Item]:
    """Yield an order to cast the spell that `phrase` names, with its caster and its target. Raises Wrong if the caster
    or the target is unclear."""
    token = phrase.first("SPELL", "TRANSPORT")
    spell = _TRANSPORT if token.type == "TRANSPORT" else naming.spell_of(token.value)
    casters = [part for part in phrase.parts if part.type in ("who", "COUNTER", "by")]
    codes = [code for part in casters for code in who_of(places, Phrase("who", (part,)))]
    caster = naming.the_one(phrase.start, codes) if codes else _caster(places, spell, phrase.start)
    target = naming.code_of(places, phrase.first("target").first("COUNTER"), enemy=spell != _TRANSPORT)
    yield Cast(caster, spell, target, spaces_of(places, phrase)[0] if spell == _TRANSPORT else None)


def _caster(places: Places, spell: str, at: Word) -> str:
    """Return the only counter of the side that knows `spell`. Raises Wrong if no counter or more than one knows it."""
    spells = places.side.state.spells if places.side.state else {}
    able = tuple(code for code in places.side.own if spell in spells.get(code, ()))
    if len(able) == 1:
        return able[0]
    if able:
        sentence = Sentence(
            "Who casts it? {spell} is known to {casters}: `Cast {caster}: ...`.",
            casters=able,
            spell=spell,
            caster=able[0],
        )
        raise Wrong(at, sentence)
    raise Wrong(at, Sentence("None of your leaders knows {spell}.", spell=spell))


_SINGLE: Mapping[str, Callable[[Places, Phrase], Item | Nothing]] = {
    "garrison": lambda places, phrase: orders.Garrison(
        naming.points_of(places, phrase)[0], naming.number_of(places, phrase.first("NUMBER"))
    ),
    "deploy": lambda places, phrase: Deploy(spaces_of(places, phrase)[0], _codes(places, phrase, _undeployed)),
    "sequence": lambda places, phrase: orders.ActingOrder(who_of(places, phrase)),
    "evade": lambda places, phrase: orders.Evade(who_of(places, phrase)),
    "join": lambda places, phrase: orders.Join(who_of(places, phrase)),
    "losses": lambda places, phrase: orders.Losses(who_of(places, phrase)),
    "shoot": lambda places, phrase: orders.Shoot(() if phrase.first("NONE") else who_of(places, phrase)),
    "carry": lambda places, phrase: orders.Carry(naming.the_one(phrase.start, who_of(places, phrase))),
    "retreat_to": lambda places, phrase: orders.RetreatTo(naming.points_of(places, phrase)),
    "fight_fast": lambda places, phrase: orders.FightFast(naming.points_of(places, phrase)),
    "keep": lambda places, phrase: orders.Keep("skeletons" if phrase.first("SKELETONS") else "others"),
    "ring": lambda places, phrase: orders.Ring(),
    "pass": lambda places, phrase: Nothing(),
}
"""The functions that read the phrases that mean exactly one item, keyed by the type of the phrase."""
_READERS: Mapping[str, Callable[[Places, Phrase], _Items]] = {
    "recruit": _heroes,
    "honors": _honors,
    "return": _return,
    "group": grouped,
    "guard": guarded,
    "cast": cast,
    "initiative": _initiative,
    "retreat": _retreat,
    "lasting": _lasting,
}


def read_canonical(data: Data, text: str) -> Orders | None:
    """Parse orders from the canonical form that `str(orders)` produces; return None for any other text."""
    if text == NOTHING:
        return Orders()
    orders = Orders(_read_strictly(data, text))
    return orders if str(orders) == text else None


def read_item(data: Data, text: str) -> Item | None:
    """Parse a single item in canonical form; return None for any other text."""
    letter = read_canonical(data, text)
    return letter.items[0] if letter and len(letter.items) == 1 else None


@lru_cache(maxsize=4096)
def _read_strictly(data: Data, text: str) -> tuple[Any, ...]:
    from lark import UnexpectedInput

    try:
        phrases: Any = _parser(data).parse(speller(data).spell(text))
    except UnexpectedInput:
        return ()
    entries = list(read_letter(Side(data), phrases))
    return tuple(entry.item for entry in entries if isinstance(entry, ReadItem))


@lru_cache(maxsize=4)
def _parser(data: Data) -> Any:
    from lark import Lark, Transformer

    text = with_names((FOLDER / "orders.lark").read_text(encoding="utf-8"), dict(speller(data).terminals))
    shapes = type("Shapes", (Transformer,), {name: staticmethod(shape) for name, shape in naming.SHAPES.items()})()
    return Lark(text, parser="lalr", lexer="contextual", start="orders", transformer=shapes)
