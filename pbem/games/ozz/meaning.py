"""What the phrases of a letter come to, by the names in them: items, or what is wrong with them (ozz §14)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from pbem.games.base import Sentence
from pbem.games.ozz import forces, stacks
from pbem.games.ozz import orders as said
from pbem.games.ozz.items import CLAUSES, Forget, Nothing, Phrase, Said, Told, Wrong
from pbem.games.ozz.orders import Item
from pbem.games.ozz.sides import Side
from pbem.games.ozz.who import Places, number_of, points_of, who_of
from pbem.games.spelling import folded

Found = Said | Wrong
_Items = Iterator[Item | Nothing | Forget]


def read_letter(side: Side, phrases: Sequence[Phrase]) -> Iterator[Found]:
    """All that a letter says: a phrase that is a clause goes on with the item before."""
    phrases = [_told(side, phrase) for phrase in phrases]
    for phrase in phrases:
        if phrase.type == "standing":
            items = [part for part in phrase.parts if isinstance(part, Phrase)]
            found = list(_read(side, items)) if items else [Said(Forget(), phrase.here)]
            yield from (one._replace(standing=True) if isinstance(one, Said) else one for one in found)
    yield from _read(side, [phrase for phrase in phrases if phrase.type != "standing"])


def _told(side: Side, phrase: Phrase) -> Phrase:
    """A phrase with the words in it that its characters stand for."""
    parts = (
        _told(side, part)
        if isinstance(part, Phrase)
        else Told(part.type, side.speller.said(part.value), part.start_pos)
        for part in phrase.parts
    )
    return Phrase(phrase.type, tuple(parts))


def _read(side: Side, phrases: Sequence[Phrase]) -> Iterator[Found]:
    """The items of phrases that are no standing orders."""
    rest = list(phrases)
    while rest:
        first = rest.pop(0)
        clauses = list[Phrase]()
        while rest and rest[0].type in CLAUSES:
            clauses.append(rest.pop(0))
        places: Places = Places(side)
        try:
            items = list(_items(places, first, clauses))
            for phrase in (first, *clauses):
                places.see_all_used(phrase)
            for item in items:
                yield Said(item, first.here, dict(places.found))
        except Wrong as wrong:
            yield wrong.with_traceback(None)


def _items(places: Places, first: Phrase, clauses: Sequence[Phrase]) -> _Items:
    """What a phrase and the clauses behind it come to. Raises Wrong."""
    if first.type in CLAUSES:
        raise Wrong(first.here, _alone(places.side, first))
    if first.type == "going":
        return stacks.moved(places, first, clauses)
    if first.type in ("order", "step"):
        return forces.ordered(places, first, clauses)
    if clauses:
        text = clauses[0].here
        raise Wrong(text, Sentence('"{text}" cannot be read here.', text=text.value))
    return _READERS[first.type](places, first)


def _alone(side: Side, clause: Phrase) -> Sentence:
    """What is to be said of a clause without an item."""
    if clause.type in ("drop", "take", "with", "but"):
        return Sentence("Who moves? Counters stand before the way: `Move SOU: M2-M4`, for example.")
    if side.battle:
        return Sentence("Who attacks, and where? A force does: `Order SOU: advance, attack 3C`.")
    return Sentence("Who attacks, and where? A stack fights where it comes to enemies: `Move SOU: M2-M4`.")


def _heroes(places: Places, phrase: Phrase) -> _Items:
    how = phrase.one("SPECIAL", "POOL", "NONE", "NOT", "DONT")
    kind: Literal["pool", "special", "none"] = "pool"
    if how is not None:
        kind = "special" if how.type == "SPECIAL" else "pool" if how.type == "POOL" else "none"
    heroes = who_of(places, phrase)
    if phrase.one("STAND"):
        places.side.staying.update(heroes)
    for point in points_of(places, phrase) if phrase.one("POINT") else ():
        for hero in heroes:
            if (here := places.side.at(hero)) and here != point:
                values = {"code": hero, "here": here, "space": point}
                raise Wrong(phrase.here, Sentence("{code} stands in {here}, not in {space}.", **values))
    for hero in heroes:
        yield said.Recruit(hero, kind)


def _garrison(places: Places, phrase: Phrase) -> _Items:
    yield said.Garrison(points_of(places, phrase)[0], number_of(places, phrase.one("NUMBER")))


def _honors(places: Places, phrase: Phrase) -> _Items:
    points, what = points_of(places, phrase), phrase.one("OFFER", "ACCEPT")
    if what is None:
        own = all(places.side.data.points[point].nation == places.side.seat for point in points)
        instead = said.Honors("accept" if own else "offer", points[0])
        told = Sentence("Offered or accepted? `{line}`, for example.", line=str(instead))
        raise Wrong(phrase.here, told, instead)
    for point in points:
        yield said.Honors("offer" if what.type == "OFFER" else "accept", point)


def _return(places: Places, phrase: Phrase) -> _Items:
    who_of(places, phrase)
    yield said.Return(points_of(places, phrase)[0])


def _carry(places: Places, phrase: Phrase) -> _Items:
    codes = who_of(places, phrase)
    yield said.Carry(_single(codes, phrase))


def _single(codes: Sequence[str], phrase: Phrase) -> str:
    if len(codes) > 1:
        raise Wrong(phrase.here, Sentence("One counter is needed here: {counters} are several.", counters=tuple(codes)))
    return codes[0]


def _retreat(places: Places, phrase: Phrase) -> _Items:
    at = phrase.one("at")
    point = points_of(places, at)[0] if at else None
    number, named = phrase.one("NUMBER"), phrase.one("NEVER", "DONT", "ALWAYS")
    if named is not None:
        yield said.Retreat(None if named.type == "ALWAYS" else 0, point)
    elif phrase.one("OR_FEWER"):
        yield said.Retreat(number_of(places, number) + 1, point)
    elif phrase.one("BELOW"):
        yield said.Retreat(number_of(places, number), point)
    else:
        instead = said.Retreat(number_of(places, number) + 1, point)
        told = Sentence(
            "When {number} or fewer are left? Then write `{line}`.", number=number_of(places, number), line=str(instead)
        )
        raise Wrong(phrase.here, told, instead)


def _retreat_to(places: Places, phrase: Phrase) -> _Items:
    yield said.RetreatTo(tuple(points_of(places, phrase)))


def _listed(made: Callable[[tuple[str, ...]], Item]) -> Callable[[Places, Phrase], _Items]:
    def read(places: Places, phrase: Phrase) -> _Items:
        yield made(tuple(who_of(places, phrase)))

    return read


def _shoot(places: Places, phrase: Phrase) -> _Items:
    yield said.Shoot(() if phrase.one("NONE") else tuple(who_of(places, phrase)))


def _initiative(places: Places, phrase: Phrase) -> _Items:
    first = phrase.one("FIRST", "GO_FIRST") is not None
    nation = phrase.one("NATION")
    theirs = phrase.one("THEM") is not None or (
        nation is not None and not (places.side.seat or "").startswith(folded(nation.value).split()[-1][:4])
    )
    yield said.Initiative(first != theirs)


def _keep(places: Places, phrase: Phrase) -> _Items:
    yield said.Keep("skeletons" if phrase.one("SKELETONS") else "others")


def _fight_fast(places: Places, phrase: Phrase) -> _Items:
    yield said.FightFast(tuple(points_of(places, phrase)) if phrase.one("POINT") else ())


def _lasting(places: Places, phrase: Phrase) -> _Items:
    number = phrase.one("NUMBER")
    if number is None:
        yield said.Lasting()
    elif (rounds := number_of(places, number)) > 1:
        yield said.Lasting(rounds)
    else:
        raise Wrong(phrase.here, Sentence("For how many rounds? `{line}`, for example.", line=str(said.Lasting(3))))


def _ring(places: Places, phrase: Phrase) -> _Items:
    yield said.Ring()


def _pass(places: Places, phrase: Phrase) -> _Items:
    yield Nothing()


_READERS: Mapping[str, Callable[[Places, Phrase], _Items]] = {
    "recruit": _heroes,
    "garrison": _garrison,
    "honors": _honors,
    "return": _return,
    "deploy": forces.deployed,
    "group": forces.grouped,
    "guard": forces.guarded,
    "cast": forces.cast,
    "ring": _ring,
    "sequence": _listed(said.ActingOrder),
    "initiative": _initiative,
    "evade": _listed(said.Evade),
    "join": _listed(said.Join),
    "shoot": _shoot,
    "keep": _keep,
    "retreat": _retreat,
    "retreat_to": _retreat_to,
    "losses": _listed(said.Losses),
    "carry": _carry,
    "pass": _pass,
    "fight_fast": _fight_fast,
    "lasting": _lasting,
}
