"""Orders on the battleboard as people write them: forces and what they do, groups, guards, spells."""

from collections.abc import Callable, Iterator, Mapping

from pbem.games.base import Sentence
from pbem.games.ozz import lists
from pbem.games.ozz.board import grid_of
from pbem.games.ozz.cursor import Cursor
from pbem.games.ozz.force_phrases import CLAUSES, ordered
from pbem.games.ozz.items import Word, Wrong
from pbem.games.ozz.orders import (
    ActingOrder,
    Carry,
    Cast,
    Deploy,
    Evade,
    Group,
    Guard,
    Initiative,
    Item,
    Join,
    Keep,
    Order,
    Ring,
    Shoot,
)
from pbem.games.ozz.sides import in_order

_TRANSPORT = "transport"


def read_named(cursor: Cursor) -> Iterator[Item]:
    """An item that begins with counters, a space, a spell or `nobody`."""
    start = cursor.here()
    if lists.is_spell(cursor):
        yield from _spells(cursor, None)
        return
    if _nobody_shoots(cursor):
        yield Shoot(())
        return
    if cursor.word("first"):
        yield ActingOrder(tuple(lists.counters(cursor, ends=True)))
        return
    if space := cursor.space():
        cursor.sign("COLON", "DASH")
        yield Deploy(space, tuple(lists.counters(cursor, ends=True)))
        return
    if cursor.word("all"):
        if cursor.word("stand") and cursor.at_end:
            yield from _all_stand(cursor, start)
            return
        raise Wrong(start, Sentence("Who? Write a line for each force: `Order SOU: stand`, for example."))
    codes, group = _subject(cursor)
    cursor.skip("filler")
    colon = cursor.sign("COLON", "DASH")
    cursor.skip("filler")
    yield from _deeds(cursor, start, codes, group=group, colon=colon)


def _nobody_shoots(cursor: Cursor) -> bool:
    at = cursor.at
    if cursor.word("none"):
        cursor.skip("not")
        if cursor.word("shoot"):
            cursor.word("flyers")
            return True
    cursor.at = at
    return False


def _all_stand(cursor: Cursor, start: Word) -> Iterator[Item]:
    """The order of each force that stands on the board. Raises Wrong if there is none."""
    battle, cards = cursor.side.battle, cursor.side.data.counters
    own = [code for code in in_order(cursor.side.data, cursor.side.own) if battle and battle.units[code].group is None]
    forces = [code for code in own if not cards[code].intrinsic]
    if not forces:
        raise Wrong(start, Sentence("Who? Write a line for each force: `Order SOU: stand`, for example."))
    for code in forces:
        yield Order(code, "stand")


def _subject(cursor: Cursor) -> tuple[list[str], bool]:
    """Who does something, and whether `group` stands behind: its leader orders it."""
    codes: list[str] = []
    group = False
    while True:
        at, places = cursor.at, dict(cursor.places)
        if codes and not cursor.listing(either=False) and cursor.is_word("guard"):
            break
        found = cursor.name()
        if found is None:
            cursor.at, cursor.places = at, places
            break
        codes += found[0]
        group = cursor.word("stack") is not None or group
    if not codes:
        raise lists.no_counter(cursor)
    return codes, group


def _deeds(cursor: Cursor, start: Word, codes: list[str], *, group: bool, colon: bool) -> Iterator[Item]:  # noqa: C901
    """What counters do, by the word behind them."""
    if lists.is_spell(cursor) or cursor.is_word("cast"):
        cursor.word("cast")
        yield from _spells(cursor, _one(codes, start))
    elif cursor.word("evade"):
        yield Evade(tuple(codes))
    elif cursor.is_word("shoot") and cursor.is_word("flyers", ahead=1):
        cursor.word("shoot")
        cursor.word("flyers")
        yield Shoot(tuple(codes))
    elif cursor.word("join"):
        yield from _joined(cursor, codes)
    elif cursor.word("first"):
        yield ActingOrder((*codes, *_listed_behind(cursor)))
    elif cursor.is_word("ring"):
        yield from _rung(cursor)
    elif cursor.word("deploy") or (_in_first_turn(cursor) and cursor.is_word("at", "inside") and not colon):
        cursor.skip("at", "to", "inside")
        yield Deploy(lists.needed_space(cursor), tuple(codes))
    elif cursor.is_word("carry", "guard"):
        yield from _served(cursor, _one(codes, start))
    elif cursor.is_word("lead") and not cursor.is_word("alone"):
        cursor.word("lead")
        cursor.sign("COLON")
        yield Group(_one(codes, start), _members(cursor))
    elif group and colon and (cursor.is_name() or cursor.is_word("none")) and not cursor.is_word(*CLAUSES):
        yield Group(_one(codes, start), _members(cursor))
    elif cursor.is_word("move") and not cursor.is_word(*CLAUSES):
        yield _stepped(cursor, codes)
    else:
        yield from ordered(cursor, start, codes)


def _served(cursor: Cursor, code: str) -> Iterator[Item]:
    """Who carries the Bell, or guards a flank."""
    if not cursor.word("carry"):
        cursor.word("guard")
        yield from _guards(cursor, code)
        return
    cursor.skip("the", "it", "bell")
    yield Carry(code)


def _one(codes: list[str], at: Word) -> str:
    if len(codes) > 1:
        raise Wrong(at, Sentence("One counter is needed here: {counters} are several.", counters=tuple(codes)))
    return codes[0]


def _listed_behind(cursor: Cursor) -> list[str]:
    at = cursor.at
    if cursor.listing() and cursor.is_name():
        return lists.counters(cursor, ends=True)
    cursor.at = at
    return []


def _in_first_turn(cursor: Cursor) -> bool:
    return cursor.side.battle is not None and cursor.side.battle.turn == 1


def _stepped(cursor: Cursor, codes: list[str]) -> Order:
    """`HAR moves to 2L`: a step toward the enemy is an advance, one toward one's own side goes back. Raises Wrong."""
    here, battle = cursor.here(), cursor.side.battle
    cursor.word("move")
    cursor.skip("to")
    to = cursor.space()
    one = battle.units.get(codes[0]) if battle and len(codes) == 1 else None
    if battle and one and one.space and to and cursor.at_end:
        grid, attacks = grid_of(cursor.side.data), one.seat == battle.attacker
        if to in grid.ahead(one.space, attacks=attacks):
            return Order(codes[0], "advance", (to,))
        if to in grid.behind(one.space, attacks=attacks):
            return Order(codes[0], "back", (to,))
    raise _moved(here, codes)


def _moved(here: Word, codes: list[str]) -> Wrong:
    told = Sentence(
        "`Move` is for the map. On the board a force advances, stands or goes back: `Order {code}: advance`.",
        code=codes[0],
    )
    return Wrong(here, told)


def _order(cursor: Cursor) -> Iterator[Item]:
    start = cursor.here()
    codes, _ = _subject(cursor)
    cursor.sign("COLON", "DASH")
    yield from ordered(cursor, start, codes)


# Who stands where, who leads whom


def _deploy(cursor: Cursor) -> Iterator[Item]:
    while True:
        if space := cursor.space():
            cursor.sign("COLON", "DASH")
            yield Deploy(space, tuple(lists.counters(cursor, ends=True)))
        else:
            codes = lists.counters(cursor)
            cursor.sign("COLON", "DASH", "ARROW")
            cursor.skip("at", "to", "inside")
            yield Deploy(lists.needed_space(cursor), tuple(codes))
        at = cursor.at
        if not (cursor.listing() and (cursor.space() or cursor.is_name())):
            cursor.at = at
            return
        cursor.at = at
        cursor.listing()


def _group(cursor: Cursor) -> Iterator[Item]:
    leader, word = lists.single(cursor, cursor.name()), cursor.here()
    colon = cursor.sign("COLON", "DASH")
    colon = cursor.word("with", "lead") is not None or colon
    if not colon and not cursor.is_name() and not cursor.is_word("none"):
        raise Wrong(word, Sentence("Whom does {leader} lead? `Group {leader}: SOU HAR` or `none`.", leader=leader))
    yield Group(leader, _members(cursor))


def _members(cursor: Cursor) -> tuple[str, ...]:
    return () if cursor.word("none") else tuple(lists.counters(cursor, ends=True))


def _joined(cursor: Cursor, codes: list[str]) -> Iterator[Item]:
    """Flyers in a melee, or units in a group."""
    cursor.word("melee")
    cursor.skip("along")
    if not cursor.is_name():
        yield Join(tuple(codes))
        return
    leader = lists.single(cursor, cursor.name())
    cursor.word("stack")
    battle = cursor.side.battle
    before = tuple(code for code, one in battle.units.items() if one.group == leader) if battle else ()
    yield Group(leader, tuple(dict.fromkeys((*before, *codes))))


def _guard(cursor: Cursor) -> Iterator[Item]:
    yield from _guards(cursor, None)


def _guards(cursor: Cursor, one: str | None) -> Iterator[Item]:
    """A space, sides and units, in whatever order."""
    start = cursor.here()
    space, sides, units = None, list[str](), [one] if one else []
    while True:
        at = cursor.at
        cursor.sign("COLON", "COMMA", "DASH")
        cursor.skip_to_name("and", "the", "flank", "neighbour", "with")
        if (found := cursor.space()) and space is None:
            space = found
        elif side := "left" if cursor.word("l_side") else "right" if cursor.word("r_side") else None:
            sides.append(side)
        elif len(units) <= len(sides) and (name := cursor.name()) is not None:
            units.append(lists.single(cursor, name))
        else:
            cursor.at = at
            break
    cursor.skip("flank")
    if space is None:
        raise Wrong(start, Sentence("Which space, which flank? `Guard 2C: left HER, right THI`, for example."))
    if not units or len(sides) != len(units) or len(set(sides)) < len(sides):
        raise Wrong(start, Sentence("For which flank, and who? `Guard {space}: left HER, right THI`.", space=space))
    guards = dict(zip(sides, units, strict=True))
    yield Guard(space, guards.get("left"), guards.get("right"))


# Spells and the Bell


def _cast(cursor: Cursor) -> Iterator[Item]:
    start = cursor.here()
    caster = None
    if not lists.is_spell(cursor):
        caster = lists.single(cursor, cursor.name())
        cursor.sign("COLON", "DASH")
        cursor.word("cast")
    yield from _spells(cursor, caster or "", start)


def _spells(cursor: Cursor, caster: str | None, start: Word | None = None) -> Iterator[Item]:
    """Spells and whom they are cast on, the caster's name read or still to come."""
    begun = start or cursor.here()
    spell = lists.spell(cursor)
    if spell is None:
        here = cursor.here()
        raise Wrong(here, Sentence("Which spell? They are {spells}.", spells=cursor.side.data.spells))
    cursor.sign("COLON")
    caster = caster or _caster_behind(cursor)
    cursor.skip_to_name("on", "the")
    own = spell == _TRANSPORT
    target = lists.single(cursor, cursor.name(enemy=not own))
    caster = caster or _caster_behind(cursor) or None
    if not own:
        yield Cast(caster or _caster(cursor, spell, begun), spell, target)
        return
    cursor.sign("ARROW", "DASH", "COMMA")
    cursor.skip("to", "at", "inside")
    space = lists.needed_space(cursor)
    caster = caster or _caster_behind(cursor)
    yield Cast(caster or _caster(cursor, spell, begun), spell, target, space)


def _caster_behind(cursor: Cursor) -> str | None:
    """`cast poppies by Evora on SOU`."""
    at = cursor.at
    if not cursor.is_word("on") and cursor.word("with", "of") and (name := cursor.name()):
        return lists.single(cursor, name)
    cursor.at = at
    return None


def _caster(cursor: Cursor, spell: str, at: Word) -> str:
    """The only one who has a spell. Raises Wrong."""
    spells = cursor.side.state.spells
    able = tuple(code for code in cursor.side.own if spell in spells.get(code, ()))
    if len(able) == 1:
        return able[0]
    if able:
        told = Sentence(
            "Who casts it? {casters} have {spell}: `Cast {caster}: ...`.", casters=able, spell=spell, caster=able[0]
        )
        raise Wrong(at, told)
    raise Wrong(at, Sentence("None of yours has {spell}.", spell=spell))


def _ring(cursor: Cursor) -> Iterator[Item]:
    cursor.at -= 1
    yield from _rung(cursor)


def _rung(cursor: Cursor) -> Iterator[Item]:
    cursor.skip("ring", "the", "it", "bell")
    yield Ring()


# The rest


def _sequence(cursor: Cursor) -> Iterator[Item]:
    yield ActingOrder(tuple(lists.counters(cursor, ends=True)))


def _initiative(cursor: Cursor) -> Iterator[Item]:
    cursor.skip("filler", "us", "move")
    for word, first in (("first", True), ("second", False)):
        if cursor.word(word):
            yield Initiative(first)
            return
    raise Wrong(cursor.here(), Sentence("`Initiative first` or `Initiative second`."))


def _evade(cursor: Cursor) -> Iterator[Item]:
    cursor.skip("with")
    yield Evade(tuple(lists.counters(cursor, ends=True)))


def _join(cursor: Cursor) -> Iterator[Item]:
    cursor.skip("melee", "with")
    cursor.sign("COLON")
    yield Join(tuple(lists.counters(cursor, ends=True)))


def _shoot(cursor: Cursor) -> Iterator[Item]:
    if cursor.word("flyers"):
        cursor.sign("COLON")
        cursor.skip("with")
    yield Shoot(() if cursor.word("none") else tuple(lists.counters(cursor, ends=True)))


def _keep(cursor: Cursor) -> Iterator[Item]:
    cursor.skip("the")
    if cursor.word("skeletons"):
        yield Keep("skeletons")
    elif cursor.word("others"):
        yield Keep("others")
    else:
        raise Wrong(cursor.here(), Sentence("`Keep skeletons` or `Keep others`."))


WORDS: Mapping[str, Callable[[Cursor], Iterator[Item]]] = {
    "deploy": _deploy,
    "group": _group,
    "guard": _guard,
    "cast": _cast,
    "ring": _ring,
    "order": _order,
    "sequence": _sequence,
    "initiative": _initiative,
    "evade": _evade,
    "join": _join,
    "shoot": _shoot,
    "keep": _keep,
}
