"""Train the models with which games hear orders in everyday words, from the hands of `tests/orders/corpus/hands`.

`python -m tools.train_hearing` (part of `./tasks train`) writes `hearing.json` of each game. `--measure` prints instead
how letters are heard by models trained on the other hands, a quarter of them at a time. `python -m tools.everyday`
measures the shipped models on hands that no model has seen.
"""

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple, Self

from pbem.games.kit import hearing as kit
from pbem.games.kit.hearing import CLAUSE, NO, PASS, Meaning, Mention, Passage, Role, search
from pbem.games.kit.linear import LinearModel, loaded
from pbem.games.ozymandia import hearing as ozymandia
from pbem.games.ozymandia.orders import Orders as OzymandiaOrders
from pbem.games.ozz import hearing as ozz
from pbem.games.ozz import orders as ozz_orders
from pbem.games.ozz.naming import Side
from pbem.games.rocknroll import hearing as rnr
from pbem.games.rocknroll import orders as rnr_orders
from pbem.orders.hearing import PROPOSED
from pbem.orders.lines import read_text
from pbem.orders.situation import AnyStandpoint
from tools import train_guess
from tools.beside import letters, standpoints
from tools.train import hands_to_learn_from
from tools.train_guess import Example, trained

_LEAST_WEIGHT = 0.15  # features whose weights are all less than this are left out
_NO_WEIGHT = 0.05  # a single weight of less than this counts as 0
_STRENGTH = 3.0  # the inverse of the strength of regularisation
_OFTEN = 2  # features of fewer mentions are left out
_PARTS = 4
_TWICE = 2
_WHOLE = 0.5  # that an area is left by all its pieces counts less than a number


class Letter(NamedTuple):
    """A letter: its hand, the standpoint from which it is written, its text, and the orders that are meant, line by
    line; () if it orders nothing, or nothing that can be said for certain. A letter that `passes` orders nothing but
    that; one that is `doubtful` may also mean something else."""

    hand: str
    at: AnyStandpoint
    text: str
    meant: tuple[Any, ...]
    passes: bool = False
    doubtful: bool = False


class Heard(NamedTuple):
    """A mention in one of its meanings, and the role that it plays."""

    mention: Mention
    meaning: Meaning
    role: str


@cache
def everyday(game: str) -> tuple[Letter, ...]:
    """The letters of a game that models learn from: everyday orders, and letters that order nothing."""
    of_hands = (one for path in hands_to_learn_from(talk=True) for one in _of_hand(path.stem, game))
    return (*of_hands, *(_of_corpus() if game == "ozymandia" else ()))


def _of_corpus() -> Iterator[Letter]:
    """Yield the letters for Ozymandia that were collected before there were hands; each collection counts as one."""
    for one in train_guess.everyday():
        if not one.lot.startswith("hands") and (meant := lines_of(one.at, one.meant)):
            yield Letter(one.lot, one.at, one.text, meant)


def _of_hand(hand: str, game: str) -> Iterator[Letter]:
    from tools.replies import HANDS

    for context in ("orders", "wishes"):
        for one in letters(HANDS / f"{hand}.txt", context):
            if one.label == "Pass":  # people pass in the same words in each game
                yield Letter(hand, standpoints(game, one.language)[0], one.text, (), passes=True)
            if one.game != game or one.label == "Pass":
                continue
            label = one.label.removeprefix("? ") if context == "orders" else "none"
            for at in standpoints(game, one.language):
                meant = () if label == "none" else lines_of(at, label)
                if meant or label == "none":
                    yield Letter(hand, at, one.text, meant, doubtful=one.label.startswith("? "))
                    break


def lines_of(at: AnyStandpoint, text: str) -> tuple[Any, ...]:
    """The lines of orders in notation, standing ones included; () if they cannot be played."""
    reading = read_text(at, text)
    if reading.mistakes or (reading.orders is not None and at.revised(reading.orders).faults):
        return ()
    if isinstance(reading.orders, ozz_orders.Orders):
        return reading.orders.items
    if isinstance(reading.orders, OzymandiaOrders):
        return (reading.orders,)
    rules = dict(line.split(": ", 1) for line in reading.standing if ": " in line)  # those of Ozz have no colon
    if reading.orders is None:
        return tuple(rnr_orders.Rule(*rule) for rule in rules.items())
    return (*reading.orders.standing, *reading.orders.commands)


class _Ground(NamedTuple):
    """A letter as a passage, and the function that returns the features of its mentions."""

    passage: Passage
    features: kit.Features


def _ground(letter: Letter) -> _Ground:
    state, seat = letter.at.state, letter.at.seat
    match letter.at.game.name:
        case "ozz":
            side = Side(state, seat)
            return _Ground(ozz.passage_of(ozz.Lexicon(side), letter.text), partial(ozz.features, side))
        case "rocknroll":
            return _Ground(rnr.passage_of(state, letter.text), partial(rnr.features, state, seat))
    text = ozymandia.text_of(state, seat, letter.text)
    return _Ground(text.passage, partial(ozymandia.features, text))


# The roles of mentions, as far as the meaning of a letter determines them

Named = Mapping[Meaning, list[str]]
"""The roles of each thing in the order in which its mentions play them; the last one stays."""


def _of_ozz(letter: Letter) -> Iterator[Heard]:
    side, passage = Side(letter.at.state, letter.at.seat), _ground(letter).passage
    named = Counter(code for one in passage.mentions for kind, code in one.meanings if kind in ("counter", "point"))
    roles, numbers, rules = defaultdict[Meaning, list[str]](list), dict[str, str](), dict[str, Sequence[str]]()
    targets = {item.way[-1] for item in letter.meant if isinstance(item, ozz_orders.Move | ozz_orders.Fly)}
    for item in letter.meant:
        if isinstance(item, ozz_orders.Move | ozz_orders.Fly):
            _note_stack(side, roles, item, named)
        elif isinstance(item, ozz_orders.Retreat):
            here = " here" if item.at in targets and named[str(item.at)] < _TWICE else ""
            if item.below:
                numbers[str(item.below)] = f"below{here}"
            else:
                word = "always" if item.below is None else "never"
                rules[f"{word}{here}"] = (word, "retreat")
            if here:
                continue
        elif isinstance(item, ozz_orders.Garrison):
            numbers[str(item.batteries)] = "guns"
        elif isinstance(item, ozz_orders.FightFast) and not item.at:
            rules["fast"] = ("fight_fast", "melee")
        elif isinstance(item, ozz_orders.FightFast) and {*item.at} <= targets:
            rules["fast here"] = ("fight_fast", "melee")
            continue
        for meaning, role in _roles_of_item(item):
            roles[meaning].append(role)
    yield from _heard(passage, roles)
    yield from _counted(passage, numbers)
    yield from _ruled(letter, passage, rules)


def _roles_of_item(item: Any) -> Iterator[tuple[Meaning, str]]:
    match item:
        case ozz_orders.Recruit(hero, how):
            yield ("counter", hero), how
        case ozz_orders.Losses(units):
            yield from ((("counter", code), "loss") for code in units)
        case ozz_orders.RetreatTo(points):
            yield from ((("point", code), "refuge") for code in points)
        case ozz_orders.Retreat(_, str(at)):
            yield ("point", at), "held"
        case ozz_orders.FightFast(points):
            yield from ((("point", code), "fast at") for code in points)
        case ozz_orders.Honors(act, code):
            yield ("point", code), act
        case ozz_orders.Return(code):
            yield ("point", code), "return"
        case ozz_orders.Garrison(code, _):
            yield ("point", code), "garrison"
        case _:
            pass


def _note_stack(
    side: Side, roles: dict[Meaning, list[str]], item: ozz_orders.Move | ozz_orders.Fly, named: Counter[str]
) -> None:
    """Note the roles of those who go, and of the points of their way. If somebody goes along whom the letter does not
    name, whoever is named takes everybody along."""
    walks = isinstance(item, ozz_orders.Move)
    everybody = {*item.units} == {*side.in_point(item.way[0])} and not named.keys() >= {*item.units}
    for number, code in enumerate(code for code in item.units if code in named):
        roles["counter", code].append("fly" if not walks else "crew" if everybody and not number else "move")
    if isinstance(item, ozz_orders.Move):
        for code in item.drop:  # named once, a counter is left behind; named twice, it first goes along
            roles["counter", code] = [*roles["counter", code][: named[code] - 1], "drop"]
        for code in item.take:
            roles["counter", code].append("take")
    for at, point in enumerate(item.way):
        role = "origin" if not at else "target" if at == len(item.way) - 1 else "via"
        if role not in roles["point", point]:
            roles["point", point].append(role)


def _of_rocknroll(letter: Letter) -> Iterator[Heard]:
    state, seat, passage = letter.at.state, letter.at.seat, _ground(letter).passage
    roles, numbers, rules = defaultdict[Meaning, list[str]](list), set[str](), set[str]()
    traded = Counter(line.order for line in letter.meant if isinstance(line, rnr_orders.TradeForUnit))
    for line in sorted(letter.meant, key=lambda line: isinstance(line, rnr_orders.Rule)):  # rules are told last
        for meaning, role in _roles_of_line(line):
            if role in ("deploy", "step") or role not in roles[meaning]:
                roles[meaning].append("trade all" if role == "trade" and traded[meaning[1]] > 1 else role)
        if isinstance(line, rnr_orders.Rule) and line.key.startswith("Reroll"):
            what = line.key.removeprefix("Reroll ")
            rules.add(f"rerolls {what if what in ('attack', 'feature') else 'unit'}")
            numbers.add(line.value[:1])
    named = Counter(one.meanings for one in passage.mentions)
    for meaning, several in roles.items():
        if several[:1] == ["go"] and len(several) == 2 and named[(meaning,)] == 1:
            roles[meaning] = ["+".join(several)]  # "Zulu goes to A, and if he misses ..."
    deployed = {line.unit for line in letter.meant if isinstance(line, rnr_orders.Deploy)}
    names = {code for one in passage.mentions for kind, code in one.meanings if kind == "unit"}
    if deployed - names and (deployed | names).issuperset(state.hands[seat].units):
        roles["all", ""] = [NO] * (named[(("all", ""),)] - 1 if deployed & names else 0) + ["everybody"]
    yield from _heard(passage, roles)
    yield from _counted(passage, dict.fromkeys(numbers, "times"))
    yield from _ruled(letter, passage, dict.fromkeys(rules, ("reroll", "missed", "times", "throws", "attack", "hit")))


def _roles_of_line(line: Any) -> Iterator[tuple[Meaning, str]]:
    match line:
        case rnr_orders.Deploy(unit, point):
            yield from ((("unit", unit), "go"), (("point", point), "deploy"))
        case rnr_orders.TradeForUnit(order):
            yield ("card", order), "trade"
        case rnr_orders.TradeForOrder(unit):
            yield ("unit", unit), "given"
        case rnr_orders.PlayMarch(card, units, point):
            yield from ((("unit", unit), "go") for unit in units)
            yield from ((("card", card), "played"), (("point", point), "step"))
        case rnr_orders.PlayPairs(card, pairs):
            yield ("card", card), "played"
            for pair in pairs:
                is_step = isinstance(pair, rnr_orders.Step)
                yield ("unit", pair.unit), "go" if is_step else "attacker"
                yield (("point", pair.point), "step") if is_step else (("unit", pair.target), "target")
        case rnr_orders.PlaySuper(card, point):
            yield from ((("card", card), "played"), (("point", point), "bombed"))
        case rnr_orders.Rule(key, value):
            yield from _roles_of_rule(key, value)
        case _:
            pass


def _roles_of_rule(key: str, value: str) -> Iterator[tuple[Meaning, str]]:
    word, _, subject = key.partition(" ")
    match word:
        case "Reroll":
            yield from ((("card", card), "paid") for card in value.partition(" with ")[2].split(", "))
            yield ("unit", subject), "rerolled"
        case "Income":
            yield from ((("deck" if one == "deck" else "unit", one), "wished") for one in value.split(", "))
        case "Rocknroll" if value == "always":
            yield ("unit", subject), "gambles"
        case "Rocknroll":
            yield from ((("unit", subject), "gambler"), (("unit", value), "gambled"))
        case "Block":
            yield from ((("unit", subject), "blocker"), (("unit", value), "blocked"))
        case "React":
            yield ("unit", subject), f"reacts {value}"
        case "First":
            yield from ((("unit", unit), "earlier") for unit in value.split(", "))
        case _:
            pass


class _Traced(NamedTuple):
    """A draft of orders for Ozymandia, and the roles that led to it."""

    draft: ozymandia.Draft = ozymandia.Draft()
    roles: tuple[Role, ...] = ()

    @property
    def score(self) -> float:
        return self.draft.score

    def scored(self, score: float, /) -> Self:
        return self._replace(draft=self.draft.scored(score))


def _of_ozymandia(letter: Letter) -> Iterator[Heard]:
    passage = _ground(letter).passage
    places = sorted((*passage.mentions, *passage.numbers), key=lambda one: one.start)
    # Of talk, only the sentences count: names that play a role in orders must not become likely to be left out.
    roles = _leading_to(letter, passage, places) if letter.meant else ()
    ordering = {role.mention.sentence for role in roles if role.name != NO}
    for role in roles:
        for meaning in role.mention.meanings if role.mention.sentence in ordering else ():
            name = role.name if meaning == role.meaning else NO
            yield Heard(role.mention, meaning, name)
    for one in passage.stops if roles or not letter.meant else ():
        role = NO if one.sentence in ordering else PASS if letter.passes else ozymandia.TALK
        yield Heard(one, ("sentence", ""), role)


def _roles_of_areas(orders: OzymandiaOrders) -> dict[str, set[str]]:
    roles = defaultdict[str, set[str]](set)
    for move in orders.moves:
        roles[move.origin] |= {"origin", "whole"}
        roles[move.target].add("target")
    for area in orders.new:
        roles[area].add("new")
    if orders.bomb:
        roles[orders.bomb].add("bomb")
    return roles


def _leading_to(letter: Letter, passage: Passage, places: Sequence[Mention]) -> tuple[Role, ...]:
    """The likeliest roles of mentions that lead to the orders that are meant; () if none do. The more mentions have a
    role the better, and a role that fits the word before its mention is better than another."""
    (orders,) = letter.meant
    meant = {(move.origin, move.target): str(move.count) for move in orders.moves}
    roles = _roles_of_areas(orders)

    def choices(one: Mention) -> list[Role]:
        cues = passage.tokens[one.start - 1].cues if one.start else frozenset()
        fitting = (
            Role(one, name, (kind, value), float(name in cues) - _WHOLE * (name == "whole"))
            for kind, value in one.meanings
            for name in sorted(roles[value] if kind == "area" else {"number"})
        )
        return [*fitting, Role(one, NO, one.meanings[0], -1.0)]

    def followed(traced: _Traced, role: Role) -> Iterator[_Traced]:
        for draft in ozymandia.followed(traced.draft._replace(sentences=(NO,)), role):
            whole = [leg for leg in draft.moves if leg.origin and leg.target]
            right = all(leg.number in ("", meant.get(leg[:2])) or not leg.number.isdigit() for leg in whole)
            if right and all(leg[:2] in meant for leg in whole) and len(draft.moves) <= len(meant):
                yield _Traced(draft, (*traced.roles, role))

    state, seat = letter.at.state, letter.at.seat
    for traced in search(_Traced(), [*map(choices, places)], followed):
        for text in ozymandia.finished(state, seat, traced.draft):
            if text and str(ozymandia.legal(state, seat, text)) == str(orders):
                return traced.roles
    return ()


def _heard(passage: Passage, roles: Named) -> Iterator[Heard]:
    """Yield all meanings of each mention with their roles; a mention that may be several things is the one that has a
    role, preferably one that is not mentioned elsewhere."""
    played = Counter[Meaning]()
    certain = {one.meanings[0] for one in passage.mentions if len(one.meanings) == 1}
    for one in passage.mentions:
        waiting = [meaning for meaning in one.meanings if played[meaning] < len(roles.get(meaning, ()))]
        chosen = min(waiting, key=lambda meaning: (meaning in certain, roles[meaning] == ["origin"]), default=None)
        for meaning in one.meanings:
            role = roles[meaning][played[meaning]] if meaning == chosen else NO
            yield Heard(one, meaning, role)
        if chosen:
            played[chosen] += 1


def _counted(passage: Passage, roles: Mapping[str, str]) -> Iterator[Heard]:
    for one in passage.numbers:
        (meaning,) = one.meanings
        yield Heard(one, meaning, roles.get(meaning[1], NO))


def _ruled(letter: Letter, passage: Passage, rules: Mapping[str, Sequence[str]]) -> Iterator[Heard]:
    """Yield the clauses: all of a letter that passes pass, and in others those with the most of the cues of `rules`
    give these rules. Among clauses with equally many, one that names nothing is likelier, and a later one."""
    named = {at for one in passage.mentions for at in range(one.start, one.end)}
    roles = dict[Mention, str]()

    def weight(one: Mention, cues: Sequence[str]) -> tuple[int, bool, int]:
        part = passage.stops[one]
        return sum(not passage.tokens[at].cues.isdisjoint(cues) for at in part), named.isdisjoint(part), one.end

    for rule, cues in sorted(rules.items()):
        free = [one for one in passage.stops if one not in roles]
        if free:
            roles[max(free, key=lambda one: weight(one, cues))] = rule
    for one in passage.stops:
        yield Heard(one, one.meanings[0], PASS if letter.passes else roles.get(one, NO))


class Trainer(NamedTuple):
    """A game that hears, and the function that finds the roles in a letter."""

    module: Any
    roles: Callable[[Letter], Iterator[Heard]]


GAMES: Mapping[str, Trainer] = {
    "ozymandia": Trainer(ozymandia, _of_ozymandia),
    "ozz": Trainer(ozz, _of_ozz),
    "rocknroll": Trainer(rnr, _of_rocknroll),
}


def models(game: str, learnt: Iterable[Letter]) -> dict[str, Any]:
    """Train the models of each kind of thing, in the format of `pbem.games.kit.linear`: those that judge each mention
    by itself, and those that know the likeliest roles beside it, which models judge that have not seen the hand.

    Which clause of a letter gives a standing order is first told by its order words, and then by these models."""
    letters = [*learnt]
    hands = sorted({one.hand for one in letters})
    alone, known = list[tuple[str, Example]](), list[tuple[str, Example]]()
    for part in range(_PARTS):
        tried = {*hands[part::_PARTS]}
        others = _fitted(_examples(game, (one for one in letters if one.hand not in tried)))
        judges = {kind: loaded(model) for kind, model in others.items()}
        for letter in (one for one in letters if one.hand in tried):
            told = kit.features_of(*_ground(letter))
            likely = kit.likeliest_roles(told, judges)
            for one in _placed([*GAMES[game].roles(letter)], told, judges):
                (kind, _), found = one.meaning, told[one.mention][one.meaning]
                alone.append((kind, Example(found, one.role, letter.hand)))
                known.append((kind, Example([*found, *kit.beside(likely, one.mention)], one.role, letter.hand)))
    return _fitted(alone) | {kind + kit.AGAIN: model for kind, model in _fitted(known).items()}


def _placed(heard: Sequence[Heard], told: kit.Told, judges: Mapping[str, LinearModel]) -> Iterator[Heard]:
    """Yield `heard` with the standing orders of a letter in the clauses that `judges` find likeliest for them."""
    clauses = [one for one in heard if one.meaning == CLAUSE]
    shares = {one.mention: judges[CLAUSE[0]].shares(told[one.mention][CLAUSE]) for one in clauses}
    roles = dict[Mention, str]()
    for rule in sorted({one.role for one in clauses} - {NO, PASS}):
        free = [one for one in shares if one not in roles]
        roles[max(free, key=lambda one: shares[one].get(rule, 0.0))] = rule
    for one in heard:
        moved = one.meaning == CLAUSE and one.role != PASS
        yield one._replace(role=roles.get(one.mention, NO)) if moved else one


def _examples(game: str, letters: Iterable[Letter]) -> Iterator[tuple[str, Example]]:
    """Yield the kind and the features of each mention, in each meaning, with its role."""
    for letter in letters:
        told = kit.features_of(*_ground(letter))
        for mention, meaning, role in GAMES[game].roles(letter):
            yield meaning[0], Example(told[mention][meaning], role, letter.hand)


def _fitted(examples: Iterable[tuple[str, Example]]) -> dict[str, Any]:
    kinds = defaultdict[str, list[Example]](list)
    for kind, one in examples:
        kinds[kind].append(one)
    found = {}
    for kind, some in sorted(kinds.items()):
        counts = Counter(feature for one in some for feature in one.features)
        often = [one._replace(features=[name for name in one.features if counts[name] >= _OFTEN]) for one in some]
        classes = sorted({one.label for one in some})
        model = trained(often, classes, _LEAST_WEIGHT, _STRENGTH)
        slim = {name: [one if abs(one) >= _NO_WEIGHT else 0 for one in of] for name, of in model["weights"].items()}
        found[kind] = model | {"weights": slim}
    return found


def unseen(game: str) -> Iterator[tuple[Letter, Mapping[str, LinearModel]]]:
    """Yield each letter that models learn from, with models that have not seen its hand."""
    hands = sorted({one.hand for one in everyday(game)})
    for part in range(_PARTS):
        tried = {*hands[part::_PARTS]}
        made = models(game, (one for one in everyday(game) if one.hand not in tried))
        judges = {kind: loaded(model) for kind, model in made.items()}
        yield from ((one, judges) for one in everyday(game) if one.hand in tried)


def _measure(game: str) -> None:
    fates = Counter(_fate(game, one, judges) for one, judges in unseen(game))
    print(game, ", ".join(f"{fate} {number}" for fate, number in sorted(fates.items())))


def _fate(game: str, one: Letter, heard: Mapping[str, LinearModel]) -> str:
    readings = GAMES[game].module.heard(one.at.state, one.at.seat, one.text, heard).readings
    orders, likelihood = readings[0] if readings else (None, 0.0)
    lines = {*str(orders).split("; ")} if orders is not None else set()
    sure = "" if likelihood >= PROPOSED else "unlikely "
    if not one.meant:
        return f"{sure}orders in none" if lines else "none"
    if not lines:
        return "nothing heard"
    meant = {*map(str, one.meant)}
    return sure + ("as meant" if lines == meant else "a part" if lines < meant else "something else")


def main(arguments: list[str]) -> None:
    """Write the models, or print figures."""
    for game, trainer in GAMES.items():
        if "--measure" in arguments:
            _measure(game)
        else:
            text = json.dumps(models(game, everyday(game)), ensure_ascii=False, separators=(",", ":"), sort_keys=True)
            trainer.module.MODELS.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
