"""Generate candidate plans. A plan is a placement of the new pieces, and a dispersal or a concentration."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, permutations, product
from math import comb

from pbem.games.ozymandia.fast_rules import Ground, Plan, Position, Ways, make_plan, standing

_MOST = 999_999  # the most pieces that one order moves
_EVERY = (0, 0, 20, 70)  # indexed by `wide`: if an area has no more dispersals than this, all of them are generated


def plans(ground: Ground, position: Position, side: int, wide: int) -> list[Plan]:
    """Generate plans for a side, without bombardments. A larger `wide` leads to more plans. The first plan leaves all
    pieces where they are."""
    all_plans = []
    for new in _placements(ground, position, side, wide):
        own = standing(ground, position, side, new)
        all_plans += [make_plan(new, own, ways) for ways in _ways(ground, own, wide)]
    return all_plans


def _placements(ground: Ground, position: Position, side: int, wide: int) -> Iterator[tuple[int, ...]]:
    """Yield choices of the provinces that get new pieces: none, and all. If `wide` is at least 2, each single province
    is also a choice; if it is at least 3, so are all provinces but one."""
    homes = [home for city, home in ground.home.items() if side * position.at[city] > 0 <= side * position.at[home]]
    yield ()
    if homes:
        yield tuple(homes)
    if wide > 1 and len(homes) > 1:
        for home in homes:
            yield (home,)
    if wide > 2 and len(homes) > 2:
        for home in homes:
            yield tuple(province for province in homes if province != home)


def _ways(ground: Ground, own: Sequence[int], wide: int) -> Iterator[Ways]:
    yield {}
    for origin, count in enumerate(own):
        if count:
            for shares in _shares(min(count, _MOST), len(ground.near[origin]), wide):
                yield {
                    (origin, target): share for target, share in zip(ground.near[origin], shares, strict=True) if share
                }
    for target, near in enumerate(ground.near):
        origins = [origin for origin in near if own[origin]]
        if len(origins) > 1:
            choices = [_some(min(own[origin], _MOST), ground.is_city[origin], wide) for origin in origins]
            for counts in product(*choices):
                if sum(map(bool, counts)) > 1:
                    yield {(origin, target): count for origin, count in zip(origins, counts, strict=True) if count}


def _some(count: int, guarded: bool, wide: int) -> list[int]:
    """Return the numbers of pieces, out of `count`, that may leave an area in a concentration. If `wide` is 1, a single
    piece may stay behind, but only in a `guarded` area."""
    if wide == 1:
        return [count - 1, count] if guarded else [count]
    return sorted({0, count - 1, count})


def _shares(count: int, targets: int, wide: int) -> Iterator[Sequence[int]]:
    """Yield ways to divide a dispersal of up to `count` pieces among its targets: all ways if there are few, otherwise
    a selection."""
    if comb(count + targets, targets) <= _EVERY[wide]:
        for marks in combinations(range(1, count + targets + 1), targets):
            shares = [b - a - 1 for a, b in pairwise((0, *marks))]
            if any(shares):
                yield shares
        return
    sizes = {(1,), (count // 2,), (count - 1,), (count,), (1, count - 1)}
    if wide > 1:
        sizes |= {(1, count - 2), (count // 2, count - count // 2)}
    if wide > 2:
        sizes.add((1, 1, count - 2))
    for some in sorted(sizes):
        if len(some) <= targets and some[0] > 0 < some[-1]:
            yield from sorted(set(permutations((*some, *[0] * (targets - len(some))))))


def strikes(ground: Ground, position: Position, side: int) -> list[int]:
    """Return the areas worth a bombardment: provinces with several enemy pieces, and cities that the enemy holds or can
    enter."""
    at = position.at
    return [
        area
        for area, count in enumerate(at)
        if (side * count < -1)
        or (ground.is_city[area] and (side * count < 0 or any(side * at[beside] < 0 for beside in ground.near[area])))
    ]
