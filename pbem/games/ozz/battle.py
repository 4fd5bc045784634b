"""Battles: their beginning and their turns on the board, and fast combat, which needs no board.

In the rules (docs/games/ozz.md), §5 defines the order of a turn, §11 the order in which chance is used, and §4 fast
combat.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pbem.games.base import Seat
from pbem.games.ozz import combat
from pbem.games.ozz.board import Field, Man, row_of
from pbem.games.ozz.combat import execute, skeletons
from pbem.games.ozz.data import Card
from pbem.games.ozz.orders import Codes, Losses, Order, Orders, Retreat, RetreatTo, Wishes, Word
from pbem.games.ozz.state import Battle, BoardBell, Fighter, GameEnd, MapBell
from pbem.games.ozz.table import Table, in_losses_order, values


def begin(table: Table, at: str, origin: str, sides: tuple[Seat, Seat], fast: tuple[Seat, ...] = ()) -> None:
    """Begin a battle on the board for the point `at` (§5.1); all counters there and the point's intrinsic units take
    part. `origin` is the point from which the attack comes, `sides` contains the attacker and the defender, and `fast`
    the seats that offer to fight the battle fast."""
    attacker, defender = sides
    point, walls = table.points[at], table.intrinsic(at)
    units = {code: Fighter(table.units[code].seat) for code in table.counters_at(at)}
    units |= {code: Fighter(defender) for code in walls}
    help_of_walls = table.values["walls"].get(point.kind, 0) if walls and table.switches.walls else 0
    bell = table.bell if table.bell and table.bell.carrier in units else None
    if bell:
        table.bell = None
    table.battle = Battle(
        at=at,
        origin=origin,
        terrain=point.terrain,
        walls=help_of_walls,
        fort=bool(walls),
        turn=1,
        attacker=attacker,
        defender=defender,
        units=units,
        left={attacker: (), defender: ()},
        bell=BoardBell(bell.seat, None, bell.carrier) if bell else None,
        fast=fast,
    )
    offer = {"fast": [*fast]} if fast else {}
    table.tell({"type": "battle", "at": at, "attacker": attacker, "defender": defender, **offer})


def play_turn(table: Table, letters: Mapping[Seat, Orders | None]) -> bool:
    """Play a turn of the table's battle; return whether the battle is over.

    `letters` contains the letters of both sides, which must be legal; a missed letter is None or absent.
    """
    battle = table.battle
    assert battle is not None
    field = Field(table, battle, letters)
    if battle.turn == 1 and all(field.wishes[seat].fast or seat in battle.fast for seat in field.sides):
        _fight_fast(table, battle, letters)
        return True
    if battle.turn == 1:
        _deploy(field)
    for seat in field.sides:
        _form_up(field, seat)
    combat.take_up(field)
    combat.dissipate(field)
    for seat in field.sides:
        combat.cast_all(field, seat)
    for seat in field.sides:
        combat.ring(field, seat)
    Activations(field).run(_first(field))
    for seat in field.sides:
        find_leaders_company(field, seat)
    retreat(field)
    return _end(field)


def _fight_fast(table: Table, battle: Battle, letters: Mapping[Seat, Orders | None]) -> None:
    """Fight the battle fast, as both sides have agreed (§3.9); their letters determine retreats and losses."""
    assert battle.at is not None
    table.battle = None
    if battle.bell:
        table.bell = MapBell(battle.bell.seat, battle.at, battle.bell.carrier)
    sides = battle.attacker, battle.defender
    wishes = {seat: Wishes(_of_retreat(table, seat, letters.get(seat))) for seat in sides}
    FastBattle(table, wishes, battle.at, battle.origin, sides).fight()
    table.take()


def _of_retreat(table: Table, seat: Seat, letter: Orders | None) -> Orders | None:
    """Return the letter that decides when a side retreats and which units it loses first: the battle letter `letter` if
    it mentions retreat or losses, otherwise the side's letter for the campaign turn."""
    if letter and any(isinstance(item, Retreat | RetreatTo | Losses) for item in letter.items):
        return letter
    return table.queue.letters.get(seat) if table.queue else None


def _deploy(field: Field) -> None:
    """Place every counter in its side's first row: in the space that the side's letter names, otherwise in the middle
    (§5.1). Intrinsic units are always in the middle."""
    for man in field.men.values():
        start = field.grid.start(attacks=man.attacks)
        man.space = start if man.intrinsic else field.wishes[man.seat].deploy.get(man.code, start)
    if field.bell and field.bell.carrier:
        field.bell = replace(field.bell, space=field.men[field.bell.carrier].space)


def _form_up(field: Field, seat: Seat) -> None:
    """Form the groups that a side orders, and post its flank guards (§5.2, §5.3)."""
    for order in field.wishes[seat].groups:
        for unit in field.group(order.leader):
            unit.group = None
        for code in order.units:
            field.men[code].group = order.leader
    for guard in field.wishes[seat].guards if field.switches.guards else ():
        posted = {"L": guard.left, "R": guard.right}
        field.guards[seat, guard.space] = {side: code for side, code in posted.items() if code}


def _first(field: Field) -> Seat:
    """Return the side that moves first (§5.9). Each side rolls a die and adds the number of its Rulers and Heroes. The
    higher result wins; the winner moves first unless its letter chooses to move second."""
    while True:
        results: dict[Seat, int] = {}
        for seat in field.sides:
            heroes = sum(man.seat == seat and man.card.kind in ("ruler", "hero") for man in field.men.values())
            results[seat] = field.roll("initiative", seat=seat, added=heroes) + heroes
        if len(set(results.values())) > 1:
            break
    winner = max(results, key=results.__getitem__)
    first = winner if field.wishes[winner].first or not field.switches.initiative else field.enemy(winner)
    field.tell({"type": "first", "seat": first, "winner": winner})
    return first


def _end(field: Field) -> bool:
    """End the battle if it is over, otherwise begin its next turn (§5.36); return whether the battle is over."""
    table, battle = field.table, field.before
    if not is_over(field):
        table.battle = replace(field.battle(battle.turn + 1), fast=())
        if battle.at is None:
            table.turn = battle.turn + 1
        return False
    if battle.at is None:
        table.battle, table.phase = field.battle(battle.turn), "over"
        table.result = decide(field, table.battle)
        table.tell({"type": "over", "winner": table.result.winner, "reason": table.result.reason})
    else:
        settle(field)
    return True


_CHAOS: tuple[tuple[int, Word], ...] = ((3, "advance"), (6, "stand"), (9, "back"))
"""The order words that chaos can lead to, each preceded by the highest die roll for it (§5.12)."""


class _Coordination:
    """A Ruler waiting for other forces (§5.11)."""

    def __init__(self, order: Order, eligible: frozenset[str]) -> None:
        self.order, self.eligible = order, eligible
        self.joined: list[str] = []


class Activations:
    """The activations of forces in one turn."""

    def __init__(self, field: Field) -> None:
        self._field = field
        self._waiting: dict[Seat, _Coordination] = {}

    def run(self, first: Seat) -> None:
        """Let the sides act alternately, one force at a time; when one side has no force left to act, the other goes on
        alone (§5.10)."""
        both = (first, self._field.enemy(first))
        acting = True
        while acting:
            acted = [self._act(seat) for seat in both]
            acting = any(acted)

    def _act(self, seat: Seat) -> bool:
        """Let the next force of a side act, or its waiting Ruler if no other force is left; return whether any counter
        has acted."""
        code = self._next(seat)
        if code is not None:
            self._activate(seat, code)
            self._release_ruler(seat)
        elif seat in self._waiting:
            self._go(seat)
        else:
            return False
        return True

    def _next(self, seat: Seat) -> str | None:
        """Return the code of a side's next force that has not acted, or None. Forces act in the order of the `Sequence`
        line, then in that of the `Order` lines, then in that of the roster."""
        field = self._field
        waits = self._waiting.get(seat)
        able = [
            man.code
            for man in field.men.values()
            if man.seat == seat
            and man.group is None
            and man.code not in field.acted
            and not (waits and man.code == waits.order.force)
        ]
        place = field.wishes[seat].place
        return min(able, key=lambda code: place.get(code, len(place)), default=None)

    def _activate(self, seat: Seat, code: str) -> None:
        field, waits = self._field, self._waiting.get(seat)
        order = field.wishes[seat].orders.get(code) or Order(code, "stand")
        members = field.force(code)
        if waits and code in waits.eligible and self._is_with(waits, code) and not order.alone:
            self._try_to_join(waits, order, members)
            return
        eligible = self._eligible(seat, order)
        if eligible:
            self._waiting[seat] = _Coordination(order, eligible)
            field.tell({"type": "coordinates", "seat": seat, "by": code, "wanted": order.coordinate})
            return
        word, way = self._changed(order, members)
        execute(field, members, order, word, way)

    # Coordination

    def _eligible(self, seat: Seat, order: Order) -> frozenset[str]:
        """Return the forces that may join the Ruler whose `order` is to coordinate; the set is empty for any other
        order."""
        field, ruler = self._field, self._field.men[order.force]
        if order.coordinate is None or ruler.card.kind != "ruler" or not field.switches.coordination:
            return frozenset()
        return frozenset(
            man.code
            for man in field.men.values()
            if man.seat == seat
            and man is not ruler
            and man.group is None
            and man.space == ruler.space
            and man.code not in field.acted
            and not man.intrinsic
            and self._word(seat, man.code) == order.word
        )

    def _word(self, seat: Seat, code: str) -> Word:
        order = self._field.wishes[seat].orders.get(code)
        return order.word if order else "stand"

    def _is_with(self, waits: _Coordination, code: str) -> bool:
        """Return whether a force is on the board and in the waiting Ruler's space."""
        men = self._field.men
        return code in men and men[code].space == men[waits.order.force].space

    def _try_to_join(self, waits: _Coordination, order: Order, members: list[Man]) -> None:
        field, actor = self._field, members[0]
        most = field.values["coordination_fails"] - 1
        if field.roll("coordinate", seat=actor.seat, by=actor.code, needs=most) > most:
            execute(field, members, order, order.word, order.way)
            return
        field.acted.update(member.code for member in members)
        waits.joined.append(actor.code)
        field.tell({"type": "joined", "seat": actor.seat, "by": actor.code, "ruler": waits.order.force})

    def _release_ruler(self, seat: Seat) -> None:
        """Let a waiting Ruler act if enough forces have joined, or if no more can join."""
        waits = self._waiting.get(seat)
        if waits is None:
            return
        enough = waits.order.coordinate and len(waits.joined) >= waits.order.coordinate
        may_join = any(self._is_with(waits, code) and code not in self._field.acted for code in waits.eligible)
        if enough or not may_join:
            self._go(seat)

    def _go(self, seat: Seat) -> None:
        """Let the waiting Ruler of a side act together with all forces that have joined and are still in the Ruler's
        space."""
        field, waits = self._field, self._waiting.pop(seat)
        members = field.force(waits.order.force)
        for code in waits.joined:
            if self._is_with(waits, code):
                members += field.force(code)
        execute(field, members, waits.order, waits.order.word, waits.order.way)

    # Changes of order

    def _changed(self, order: Order, members: list[Man]) -> tuple[Word, Codes]:
        """Return the order word that a force carries out, and the way that it takes. If `order` contains a change and
        its condition is met, a die roll decides between the old order, the new one and chaos (§5.12)."""
        field, change = self._field, order.change
        actor = members[0]
        if change is None:
            return order.word, order.way
        if change.enemy_in and field.holds(field.enemy(actor.seat), change.enemy_in) == change.no:
            return order.word, order.way
        bonus = field.values["ruler_order_bonus"] if actor.card.kind == "ruler" and len(members) > 1 else 0
        needs = field.values["order_success"] + bonus
        value = field.roll("change", seat=actor.seat, by=actor.code, needs=needs)
        if value <= needs:
            return change.word, change.way
        if value < field.values["order_chaos"] + bonus:
            return order.word, order.way
        return self._chaos(actor), order.way

    def _chaos(self, actor: Man) -> Word:
        while True:
            value = self._field.roll("chaos", seat=actor.seat, by=actor.code)
            word = next((word for most, word in _CHAOS if value <= most), None)
            if word:
                return word


def decide(field: Field, battle: Battle) -> GameEnd:
    """Decide a finished skirmish: the side whose units on the board are worth more wins (§9.4)."""
    worth = values(battle, field.table)
    winners = [seat for seat in worth if worth[seat] == max(worth.values())]
    held = all(field.units(seat) for seat in field.sides)
    return GameEnd(winners[0] if len(winners) == 1 else None, "strength" if held else "field")


def settle(field: Field) -> None:
    """Clear the board: survivors stay on the point, counters that left the board arrive at their destination, and
    surplus skeletons are removed."""
    table, at = field.table, field.before.at
    assert at is not None
    table.battle = None
    if field.bell:
        table.bell = MapBell(field.bell.seat, at, field.bell.carrier)
    if field.before.fort and not field.units(field.defender):  # no defending unit is left on the board (§5.37)
        table.raze(at, field.attacker)
    for man in field.men.values():
        if man.seat == field.attacker and man.code in table.units:
            table.units[man.code] = replace(table.units[man.code], done=True)
    for seat in field.sides:
        if field.left[seat]:
            attacks, losses = seat == field.attacker, field.wishes[seat].losses
            table.arrive(seat, tuple(field.left[seat]), field.exit[seat], losses, attacks=attacks)
    for seat in field.sides:
        _choose_mercenaries(field, seat)
    for seat in field.sides:
        _keep_skeletons(table, seat)
    table.take_up_bell()
    table.take()


def _choose_mercenaries(field: Field, seat: Seat) -> None:
    """If a side has both raised skeletons and other mercenaries, remove one kind or the other, as its letter decides
    (§5.33)."""
    table, cards = field.table, field.data.counters
    own = table.data.own(table.units, seat)
    raised = [code for code in own if code in field.raised]
    hired = [code for code in own if cards[code].mercenary not in (None, "skeletons") and not cards[code].leader]
    if raised and hired:
        for code in hired if field.wishes[seat].keep == "skeletons" else raised:
            table.eliminate(code)


def _keep_skeletons(table: Table, seat: Seat) -> None:
    """Remove a side's skeletons beyond the limit for a nation (L185)."""
    mine = [card.code for card in skeletons(table.data.counters.values()) if card.code in table.units]
    mine = [code for code in mine if table.units[code].seat == seat]
    for code in mine[table.values["national_skeletons"] :]:
        table.eliminate(code)


_CENTRE_FIRST = "CLR"


def find_leaders_company(field: Field, seat: Seat) -> None:
    """Move a side's leaders from spaces without units of that side to its nearest units, unless enemies in such a space
    kill the leader (§5.34)."""
    for leader in [man for man in field.men.values() if man.leader and man.seat == seat]:
        if field.holds(seat, leader.space):
            continue
        if not field.switches.lone_leaders:
            field.eliminate(leader)
            continue
        if field.holds(field.enemy(seat), leader.space):
            needs = field.values["leader_killed"]
            if field.roll("leader", seat=field.enemy(seat), at=leader.code, needs=needs) <= needs:
                field.eliminate(leader)
                continue
        _join_units(field, leader)


def _join_units(field: Field, leader: Man) -> None:
    first_row, source = field.grid.first_row(attacks=leader.attacks), leader.space
    spaces = {unit.space for unit in field.units(leader.seat)}

    def key(space: str) -> tuple[int, int, int]:
        distance = field.grid.distance(leader.space, space)
        return distance, abs(row_of(space) - first_row), _CENTRE_FIRST.index(space[-1])

    rows = field.values["lone_leader_rows"]
    row = row_of(leader.space) + (-rows if leader.attacks else rows)
    if not spaces and not 1 <= row <= field.grid.rows:
        leave_or_die(field, leader.seat, [leader])
        return
    field.move(leader, min(spaces, key=key) if spaces else f"{row}{leader.space[-1]}")
    about = {"seat": leader.seat, "unit": leader.code, "source": source, "to": leader.space}
    field.tell({"type": "falls back", **about})


def leave_or_die(field: Field, seat: Seat, gone: list[Man]) -> None:
    """Let the counters `gone` of a side leave the board as in a retreat, or eliminate them if the side has no point to
    retreat to."""
    if not gone:
        return
    if field.find_exit(seat):
        field.leave(seat, gone)
        return
    for man in gone:
        field.eliminate(man)


def retreat(field: Field) -> None:
    """Let the sides that want to retreat do so simultaneously (§5.35, §6.2). Which counters can leave is determined
    before any counter leaves."""
    free = [man for man in field.men.values() if _can_retreat(field, man)]
    wanting = [seat for seat in field.sides if _retreats(field, seat)]
    for seat in wanting:
        gone = [man for man in free if man.seat == seat]
        if gone and field.find_exit(seat):
            field.leave(seat, gone)


def _retreats(field: Field, seat: Seat) -> bool:
    own = sum(not unit.intrinsic for unit in field.units(seat))
    return field.wishes[seat].retreats(own)


def _can_retreat(field: Field, man: Man) -> bool:
    return not man.intrinsic and not field.is_held(man.code)


def is_over(field: Field) -> bool:
    """Return whether the battle is over. If it is, a side without units leaves the board. If both sides still have
    units after the last turn of a battle in a campaign, the attacker leaves (§5.36, §9.4)."""
    last = field.before.turn >= field.values["battle_turns"]
    beaten = [seat for seat in field.sides if not field.units(seat)]
    if not beaten and not last:
        return False
    if not beaten and field.before.at is not None:
        _drive_back(field)
    for seat in beaten:
        leave_or_die(field, seat, [man for man in field.men.values() if man.seat == seat])
    return True


def _drive_back(field: Field) -> None:
    """Make the attacker retreat; counters that cannot retreat are eliminated, regardless of Healing (§5.36)."""
    mine = [man for man in field.men.values() if man.seat == field.attacker]
    gone = [man for man in mine if _can_retreat(field, man)]
    if gone and field.find_exit(field.attacker):
        field.leave(field.attacker, gone)
        mine = [man for man in mine if man not in gone]
    for man in mine:
        field.eliminate(man)


def lost_units(cards: Sequence[Card], tenths: int, *, magic: bool) -> list[Card]:
    """Return the units among `cards` that their side loses to a die roll (§4.2, §4.3); `cards` are in their owner's
    order of losses.

    `tenths` is ten times the required loss: the total value of the rolling side times its die roll. If `magic` is true,
    the lost units have the smallest total value that reaches the required loss. Otherwise, they have the largest total
    value that does not exceed it, but at least one unit is lost.
    """
    if not magic and all(10 * card.value > tenths for card in cards):
        return [min(cards, key=lambda card: card.value)]
    sums = [{0}]  # entry n: the possible total values of units chosen from the last n cards
    for card in reversed(cards):
        sums.append(sums[-1] | {total + card.value for total in sums[-1]})
    if magic:
        loss = min((total for total in sums[-1] if 10 * total >= tenths), default=max(sums[-1]))
    else:
        loss = max(total for total in sums[-1] if 10 * total <= tenths)
    lost = []
    for card, rest in zip(cards, reversed(sums[:-1]), strict=True):
        if loss - card.value in rest:
            lost.append(card)
            loss -= card.value
    return lost


class FastBattle:
    """A fast battle that begins when a stack arrives at a point."""

    def __init__(
        self, table: Table, wishes: Mapping[Seat, Wishes], at: str, origin: str | None, sides: tuple[Seat, Seat]
    ) -> None:
        """Begin a fast battle between `sides`, the attacker and the defender."""
        self.table, self.wishes, self.at, self.origin = table, wishes, at, origin
        self.sides = self.attacker, self.defender = sides
        cards = table.data.counters
        self.units: dict[Seat, list[Card]] = {}
        self.leaders: dict[Seat, list[str]] = {}
        for seat in sides:
            there = [cards[code] for code in table.counters_at(at, seat)]
            self.units[seat] = [card for card in there if not card.leader]
            self.leaders[seat] = [card.code for card in there if card.leader]
        walls = table.intrinsic(at)
        self.fort = bool(walls)
        self.units[self.defender] += [cards[code] for code in walls]
        self.retreated: dict[Seat, tuple[str, list[str]]] = {}
        """The destination and the counters of each side that has retreated."""

    def fight(self) -> None:
        """Play the battle to its end, including the arrival of counters that have retreated."""
        self.table.tell({"type": "battle", "at": self.at, "attacker": self.attacker, "defender": self.defender})
        while all(self.units.values()):
            self._round()
            if all(self.units.values()):
                self._decide_on_retreat()
        for seat in self.sides:
            if not self.units[seat]:
                for code in self.leaders[seat]:
                    self.table.eliminate(code)
        if self.fort and not self.units[self.defender]:
            self.table.raze(self.at, self.attacker)
        for seat in self.sides:
            if seat in self.retreated:
                to, codes = self.retreated[seat]
                attacks, losses = seat == self.attacker, self.wishes[seat].losses
                self.table.arrive(seat, tuple(codes), to, losses, attacks=attacks)
        self.table.take_up_bell()

    def _round(self) -> None:
        table, lost = self.table, dict[Seat, list[Card]]()
        for seat, enemy in (self.sides, self.sides[::-1]):
            total = sum(card.value for card in self.units[seat])
            magic = any(table.spells.get(code) for code in self.leaders[seat])
            value = table.roll("fast", seat=seat, at=self.at, total=total, magic=magic)
            units = in_losses_order(self.units[enemy], self.wishes[enemy].losses)
            lost[enemy] = lost_units(units, total * value, magic=magic)
        for seat in self.sides:
            gone, units = {card.code for card in lost[seat]}, self.units[seat]
            self.units[seat] = [card for card in units if card.code not in gone]
            for card in units:
                if card.code in gone:
                    table.eliminate(card.code, seat)

    def _decide_on_retreat(self) -> None:
        """Let both sides decide simultaneously whether to retreat; the counters that do not retreat continue to fight
        (§6.1, §6.2)."""
        for seat in self.sides:
            going = [card.code for card in self.units[seat] if not card.intrinsic]
            if self.wishes[seat].retreats(len(going), self.at) and (going or self.leaders[seat]):
                self._retreat(seat, going)

    def _retreat(self, seat: Seat, units: list[str]) -> None:
        attacks, wishes = seat == self.attacker, self.wishes[seat].retreat_to
        to = self.table.retreat_point(seat, self.at, self.origin, attacks=attacks, wishes=wishes)
        if to is None:
            return
        self.retreated[seat] = to, self.table.data.in_order(units + self.leaders[seat])
        self.units[seat] = [card for card in self.units[seat] if card.intrinsic]
        self.leaders[seat] = []
