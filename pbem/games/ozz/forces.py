"""Orders on the battleboard as they are written: forces and what they do, groups, guards, spells."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.games.base import Sentence
from pbem.games.ozz import stacks
from pbem.games.ozz.board import grid_of
from pbem.games.ozz.items import Nothing, Phrase, Word, Wrong
from pbem.games.ozz.lexicon import words_of
from pbem.games.ozz.orders import OFF, Cast, Change, Deploy, Group, Guard, Item, Order
from pbem.games.ozz.orders import Word as Ordered
from pbem.games.ozz.sides import in_order
from pbem.games.ozz.who import Places, code_of, number_of, spaces_of, spell_of, who_of

_TRANSPORT = "transport"
_FLAGS = ("alone", "leave")


@dataclass(slots=True)
class _Deed:
    """What is read of an order so far."""

    word: Ordered | None = None
    way: list[str] = field(default_factory=list)
    attack: list[str] = field(default_factory=list)
    fires: bool = False
    clauses: dict[str, Any] = field(default_factory=dict)


def ordered(places: Places, phrase: Phrase, clauses: Sequence[Phrase]) -> Iterator[Item | Nothing]:
    """The orders of some forces. Raises Wrong."""
    deed = _Deed()
    if phrase.type == "step":
        if clauses:
            raise _moved(phrase.one("MOVE"), who_of(places, phrase)[0])
        yield _stepped(places, phrase)
        return
    said = [*(part for part in phrase.parts if part.type not in ("who", "ORDER")), *clauses]
    if not phrase.one("ORDER") and [part.type for part in said] == ["stand"] and not said[0].all("SPACE"):
        if places.side.battle is None:
            yield stacks.stays(places, phrase)
            return
        if phrase.one("who").one("all"):
            yield from _all_stand(places, phrase)
            return
    if phrase.one("who").one("all"):
        raise Wrong(phrase.here, _WHO)
    codes = who_of(places, phrase)
    for clause in said:
        _clause(places, deed, clause)
    word = deed.word or _word_of(places, deed, phrase.here, codes[0])
    for code in codes:
        yield Order(code, word, tuple(deed.way), tuple(deed.attack), **deed.clauses)


_WHO = Sentence("Who? Write a line for each force: `Order SOU: stand`, for example.")


def _all_stand(places: Places, phrase: Phrase) -> Iterator[Item]:
    """The order of each force that stands on the board, and has none yet. Raises Wrong if there is none."""
    side = places.side
    battle, cards = side.battle, side.data.counters
    own = [code for code in in_order(side.data, side.own) if battle and battle.units[code].group is None]
    forces = [code for code in own if not cards[code].intrinsic]
    if not forces:
        raise Wrong(phrase.here, _WHO)
    for code in forces:
        yield Order(code, "stand")


def _word_of(places: Places, deed: _Deed, here: Word, code: str) -> Ordered:
    """The order that is not written: firing is done standing, a charge is an advance. Raises Wrong."""
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
        told = Sentence(
            "{code} has no ranged strength: it goes where it fights. `{line}`, for example.", code=code, line=str(line)
        )
        raise Wrong(here, told, *([line] if deed.attack[0] in ahead else []))
    told = Sentence(
        "Does it advance or stand? `Order {code}: stand, attack {where}` or `Order {code}: advance, attack {where}`.",
        code=code,
        where=" ".join(deed.attack) or "3C",
    )
    raise Wrong(here, told)


def _can_fire(places: Places, code: str) -> bool:
    """Whether anybody of a force has ranged strength, as its groups are now."""
    cards, battle = places.side.data.counters, places.side.battle
    led = [one for one, fighter in battle.units.items() if fighter.group == code] if battle else []
    return any(cards[one].ranged for one in (code, *led))


def _ahead(places: Places, code: str) -> tuple[str, ...]:
    """The spaces that a force advances to first."""
    battle = places.side.battle
    one = battle.units.get(code) if battle else None
    if battle is None or one is None or one.space is None:
        return ()
    return grid_of(places.side.data).ahead(one.space, attacks=one.seat == battle.attacker)


def _clause(places: Places, deed: _Deed, clause: Phrase) -> None:
    """Adds a clause to an order. Raises Wrong."""
    kind, here = clause.type, clause.here
    if kind in ("advance", "stand", "back"):
        if deed.word not in (None, kind):
            raise Wrong(here, Sentence("A force has one order: advance, stand or back."))
        deed.word = kind  # type: ignore[assignment]
        deed.way += spaces_of(places, clause)
    elif kind == "attack":
        deed.fires = clause.one("SHOOT") is not None or deed.fires
        deed.attack += spaces_of(places, clause)
    elif kind == "off":
        deed.way.append(OFF)
    elif kind in deed.clauses:
        raise Wrong(here, Sentence('"{text}" stands here twice.', text=here.value))
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
        raise Wrong(here, Sentence('"{text}" cannot be read here.', text=here.value))


def _forces(places: Places, clause: Phrase, here: Word) -> int:
    """How many forces are waited for, 0 for all that can be."""
    number = clause.one("NUMBER")
    if number is None:
        return 0
    if not (found := number_of(places, number)):
        raise Wrong(here, Sentence("How many forces are waited for? `coordinate 2`, or `coordinate` for all."))
    return found


def _change(places: Places, clause: Phrase) -> Change:
    to, condition = clause.one("advance", "stand", "back"), clause.one("condition")
    way = tuple(spaces_of(places, to))
    if condition is None:
        return Change(to.type, way)
    return Change(to.type, way, spaces_of(places, condition)[0], condition.one("NO_ENEMY", "EMPTY") is not None)


def _stepped(places: Places, phrase: Phrase) -> Order:
    """`HAR moves to 2L`: a step toward the enemy is an advance, one toward one's own side goes back. Raises Wrong."""
    codes, to, battle = who_of(places, phrase), spaces_of(places, phrase)[0], places.side.battle
    one = battle.units.get(codes[0]) if battle and len(codes) == 1 else None
    if battle and one:
        grid, attacks = grid_of(places.side.data), one.seat == battle.attacker
        here = one.space or grid.start(attacks=attacks)
        if to in grid.ahead(here, attacks=attacks):
            return Order(codes[0], "advance", (to,))
        if to in grid.behind(here, attacks=attacks):
            return Order(codes[0], "back", (to,))
    raise _moved(phrase.one("MOVE"), codes[0])


def _moved(verb: Any, code: str) -> Wrong:
    told = Sentence(
        "`Move` is for the map. On the board a force advances, stands or goes back: `Order {code}: advance`.", code=code
    )
    return Wrong(Word(verb.value, verb.start_pos), told)


# Who stands where, who leads whom


def deployed(places: Places, phrase: Phrase) -> Iterator[Item]:
    """Who stands in a space."""
    yield Deploy(spaces_of(places, phrase)[0], tuple(who_of(places, phrase)))


def grouped(places: Places, phrase: Phrase) -> Iterator[Item]:
    """A leader's group, made anew or joined. Raises Wrong."""
    if phrase.one("JOIN"):
        joining, led = phrase.all("who")
        codes, leader = who_of(places, joining), _one(places, led)
        battle = places.side.battle
        before = tuple(code for code, one in battle.units.items() if one.group == leader) if battle else ()
        yield Group(leader, tuple(dict.fromkeys((*before, *codes))))
        return
    first, *rest = [part for part in phrase.parts if part.type in ("who", "COUNTER", "NONE")]
    leader = code_of(places, first) if first.type == "COUNTER" else _one(places, first)
    yield Group(leader, () if rest[0].type == "NONE" else tuple(who_of(places, rest[0])))


def _one(places: Places, who: Phrase) -> str:
    codes = who_of(places, who)
    if len(codes) > 1:
        raise Wrong(who.here, Sentence("One counter is needed here: {counters} are several.", counters=tuple(codes)))
    return codes[0]


def guarded(places: Places, phrase: Phrase) -> Iterator[Item]:
    """Flank guards: a space, sides and units, in whatever order. Raises Wrong."""
    units = who_of(places, phrase)
    sides = ["left" if "l_side" in words_of(side.value) else "right" for side in phrase.all("SIDE")]
    spaces = spaces_of(places, phrase)
    if len(spaces) != 1:
        raise Wrong(phrase.here, Sentence("Which space, which flank? `Guard 2C: left HER, right THI`, for example."))
    if not units or len(sides) != len(units) or len(set(sides)) < len(sides):
        told = Sentence("For which flank, and who? `Guard {space}: left HER, right THI`.", space=spaces[0])
        raise Wrong(phrase.here, told)
    guards = dict(zip(sides, units, strict=True))
    yield Guard(spaces[0], guards.get("left"), guards.get("right"))


# Spells


def cast(places: Places, phrase: Phrase) -> Iterator[Item]:
    """A spell, and whom it is cast on. Raises Wrong."""
    token = phrase.one("SPELL", "TRANSPORT")
    spell = _TRANSPORT if token.type == "TRANSPORT" else spell_of(token.value)
    casters = [part for part in phrase.parts if part.type in ("who", "COUNTER", "by")]
    codes = [code for part in casters for code in who_of(places, Phrase("who", (part,)))]
    if len(codes) > 1:
        raise Wrong(phrase.here, Sentence("One counter is needed here: {counters} are several.", counters=tuple(codes)))
    caster = codes[0] if codes else _caster(places, spell, phrase.here)
    target = code_of(places, phrase.one("target").one("COUNTER"), enemy=spell != _TRANSPORT)
    yield Cast(caster, spell, target, spaces_of(places, phrase)[0] if spell == _TRANSPORT else None)


def _caster(places: Places, spell: str, at: Word) -> str:
    """The only one who has a spell. Raises Wrong."""
    spells = places.side.state.spells if places.side.state else {}
    able = tuple(code for code in places.side.own if spell in spells.get(code, ()))
    if len(able) == 1:
        return able[0]
    if able:
        told = Sentence(
            "Who casts it? {casters} have {spell}: `Cast {caster}: ...`.", casters=able, spell=spell, caster=able[0]
        )
        raise Wrong(at, told)
    raise Wrong(at, Sentence("None of yours has {spell}.", spell=spell))
