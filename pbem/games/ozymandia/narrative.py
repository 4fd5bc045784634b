"""Texts about a turn, about orders and about a position, for people to read: complete sentences that use the terms of
the rules."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from pbem import ENGLISH, Say
from pbem.games.base import Event, Paragraph, Seat
from pbem.games.ozymandia.board import Board
from pbem.games.ozymandia.orders import Move, Orders, written
from pbem.games.ozymandia.rules import CITIES_TO_WIN, result
from pbem.games.ozymandia.state import COLOURS, MAX_BOMBS, NAMES, SEATS, State, opponent


def story(before: State, events: Sequence[Event], say: Say = ENGLISH) -> tuple[Paragraph, ...]:
    """Tell the story of a turn step by step. A paragraph without a heading continues the one before.

    The story mentions neither moves nor missed turns nor the end of the game. A report shows moves and missed turns
    among the orders, which are carried out as they are written, and the end of the game with its result.
    """
    board = before.board
    steps: dict[str, list[Event]] = {}
    for event in events:
        steps.setdefault(event["type"], []).append(event)
    return (
        *_step(say("New pieces"), _new_pieces(board, steps.get("new", []), say)),
        *_step(say("On the way"), (_crossing(board, event, say) for event in steps.get("crossing", []))),
        *(_battle(board, event, say) for event in steps.get("battle", [])),
        *_step(say("Bombardment"), (_bombardment(board, event, say) for event in steps.get("bombardment", []))),
    )


def paraphrase(state: State, seat: Seat, orders: Orders, say: Say = ENGLISH) -> str:
    """Return `orders` in plain words for a receipt."""
    sentences = (
        _placing(state, seat, orders, say),
        _marching(state, seat, orders, say),
        _striking(state, seat, orders, say),
    )
    return " ".join(filter(None, sentences))


@lru_cache(maxsize=4)  # both sides get the same summary
def summary(state: State, say: Say = ENGLISH) -> tuple[str, ...]:
    """Return lines that count cities, pieces and, once one was used, bombardments, and name the sides that are close to
    winning."""
    held = {seat: state.held_cities(seat) for seat in SEATS}
    cities = {seat: f"{len(own)} ({' '.join(own)})" if own else "0" for seat, own in held.items()}
    pieces = {seat: sum(state.pieces[seat].values()) for seat in SEATS}
    lines = [
        say("Cities: Red {red}, Blue {blue}. Five cities win.", **cities),
        say("Pieces: Red {red}, Blue {blue}.", **pieces),
    ]
    if any(bombs < MAX_BOMBS for bombs in state.bombs.values()):
        lines.append(say("Bombardments left: Red {red}, Blue {blue}.", **state.bombs))
    if result(state) is None:
        lines += [_near(seat, len(held[seat]), say) for seat in SEATS]
        if state.turn_limit is not None:
            limit = state.turn_limit
            lines.append(say("If nobody has won by the end of turn {limit}, the game is a draw.", limit=limit))
    return tuple(filter(None, lines))


def prospects(state: State, seat: Seat, say: Say = ENGLISH) -> tuple[str, str]:
    """Return sentences about what a side gets and has to decide this turn, and an example of orders."""
    if not state.pieces[seat] and not state.bombs[seat]:
        return say("You have no pieces and no bombardments left; the game does not wait for you."), written(
            "Pass", say.language
        )
    return _earnings(state, seat, say), written(str(_example(state, seat)), say.language)


def _near(seat: Seat, held: int, say: Say) -> str:
    """If a side needs only one or two more cities to win, return a sentence about this, otherwise ""."""
    if held == CITIES_TO_WIN - 1:
        return say("{side} needs one more city to win.", side=_side(seat, say))
    if held == CITIES_TO_WIN - 2:
        return say("{side} needs two more cities to win.", side=_side(seat, say))
    return ""


# The steps of a turn


def _step(heading: str, texts: Iterable[str]) -> list[Paragraph]:
    return [Paragraph("" if number else heading, text) for number, text in enumerate(texts)]


def _new_pieces(board: Board, events: Sequence[Event], say: Say) -> list[str]:
    lines = []
    for seat in SEATS:
        places = [_new_piece(board, event, say) for event in events if event["seat"] == seat]
        if places:
            values = {"side": _side(seat, say), "number": len(places), "places": ", ".join(places)}
            lines.append(say("{side} {number}: {places}.", **values))
    return lines


def _new_piece(board: Board, event: Event, say: Say) -> str:
    area, city = _name(board, event["area"]), _name(board, event["city"])
    return area if area == city else say("{area} (for {city})", area=area, city=city)


def _crossing(board: Board, event: Event, say: Say) -> str:
    origins = {f"{seat}_origin": _name(board, event["from"][seat]) for seat in SEATS}
    forces, survivors = event["forces"], event["left"]
    met = say("{red} red from {red_origin} against {blue} blue from {blue_origin}.", **forces, **origins)
    if forces["red"] == forces["blue"]:
        end = say("Equal forces on the way: nobody survives.")
        return f"{met} {end}"
    winner = "red" if survivors["red"] else "blue"
    number, area = survivors[winner], origins[f"{opponent(winner)}_origin"]
    end = say("{number} {colour} go on to {area}.", number=number, colour=say(COLOURS[winner]), area=area)
    return f"{met} {_losses(event, winner, say)} {end}"


def _battle(board: Board, event: Event, say: Say) -> Paragraph:
    forces, survivors, occupant = event["forces"], event["left"], event["occupant"]
    area = _name(board, event["area"])
    met = say("{red} red against {blue} blue.", **forces)
    if forces["red"] != forces["blue"]:
        winner = "red" if survivors["red"] else "blue"
        end = say("{number} {colour} pieces are left there.", number=survivors[winner], colour=say(COLOURS[winner]))
        end = f"{_losses(event, winner, say)} {end}"
    elif occupant:
        values = {"colour": say(COLOURS[occupant]), "side": _side(occupant, say), "area": area}
        end = say("Equal forces: one {colour} piece survives, because {side} held {area} the turn before.", **values)
    else:
        end = say("Equal forces: nobody survives, because nobody held {area} the turn before.", area=area)
    return Paragraph(say("Battle of {area}", area=area), f"{met} {end}")


def _losses(event: Event, winner: Seat, say: Say) -> str:
    """Describe the losses in an unequal fight (§2.6), without a full stop, because a sentence about the stronger side's
    remaining pieces follows. The stronger side always has more than one piece left."""
    loser = opponent(winner)
    stronger, weaker = _side(winner, say), _side(loser, say)
    all_of_them, lost = event["forces"][loser], event["forces"][winner] - event["left"][winner]
    if all_of_them == 1:
        beaten = say("{side} loses its only piece", side=weaker)
    elif all_of_them == 2:
        beaten = say("{side} loses both pieces", side=weaker)
    else:
        beaten = say("{side} loses all {number}", side=weaker, number=all_of_them)
    if lost:
        cost = say("{side} loses {number}", side=stronger, number=lost)
    else:
        cost = say("{side} loses nothing", side=stronger)
    return f"{beaten}, {cost};"


def _bombardment(board: Board, event: Event, say: Say) -> str:
    side, area = _side(event["seat"], say), _name(board, event["area"])
    seat = next((seat for seat in SEATS if event["before"][seat]), None)
    values: dict[str, object] = {"side": side, "area": area, "colour": say(COLOURS[seat]) if seat else ""}
    before, after = (event["before"][seat], event["after"][seat]) if seat else (0, 0)
    if seat is None:
        struck = say("{side} bombards {area}: nobody is there.", **values)
    elif board.areas[event["area"]].kind == "city":
        struck = say.many(  # singular and plural differ in most other languages
            "{side} bombards {area}: {number} {colour} destroyed.",
            "{side} bombards {area}: {number} {colour} destroyed.",
            before,
            **values,
        )
    elif before == 1:
        struck = say("{side} bombards {area}: the only piece there, a {colour} one, survives.", **values)
    else:
        values |= {"before": before, "after": after}
        struck = say("{side} bombards {area}: {before} {colour} pieces become {after}.", **values)
    return f"{struck} {_bombs_left(side, event['left'], say)}"


def _bombs_left(side: str, bombs: int, say: Say) -> str:
    if not bombs:
        return say("{side} has no bombardments left.", side=side)
    return say.many("{side} has {number} bombardment left.", "{side} has {number} bombardments left.", bombs, side=side)


# Orders in plain words


def _placing(state: State, seat: Seat, orders: Orders, say: Say) -> str:
    areas = [_name(state.board, area) for _, area in state.placements(seat, orders.new)]
    if not areas:
        return ""
    rest = [say("one to {area}", area=area) for area in areas[1:]]
    return say("One new piece goes to {places}.", places=_list([areas[0], *rest], say))


def _marching(state: State, seat: Seat, orders: Orders, say: Say) -> str:
    moves = orders.moves
    if not moves:
        return say("All pieces stay where they are.") if state.pieces[seat] else ""
    staying = state.with_new_pieces(seat, orders.new)
    for count, origin, _ in moves:
        staying[origin] -= count
    if len({move.origin for move in moves}) > 1:
        return _concentration(state.board, moves, staying, say)
    return _dispersal(state.board, moves, staying[moves[0].origin], say)


def _concentration(board: Board, moves: Sequence[Move], staying: Mapping[str, int], say: Say) -> str:
    parts: list[str] = []
    behind: list[str] = []
    for count, origin, _ in moves:
        values = {"count": _number(count, say), "area": _name(board, origin)}
        if parts:
            parts.append(say("{count} from {area}", **values))
        else:
            parts.append(say.many("one piece from {area}", "{count} pieces from {area}", count, **values))
        behind.append(say("{count} in {area}", count=_number(staying[origin], say), area=_name(board, origin)))
    values = {"area": _name(board, moves[0].target), "parts": _list(parts, say), "left": ", ".join(behind)}
    return say("Into {area} go {parts}. Left behind: {left}.", **values)


def _dispersal(board: Board, moves: Sequence[Move], staying: int, say: Say) -> str:
    parts: list[str] = []
    for count, _, target in moves:
        values = {"count": _number(count, say), "area": _name(board, target)}
        if parts:
            parts.append(say("{count} to {area}", **values))
        else:
            parts.append(say.many("one piece goes to {area}", "{count} pieces go to {area}", count, **values))
    here = _number(staying, say)
    stay = say.many("one stays", "{count} stay", staying, count=here) if staying else say("none stay behind")
    return say("From {area} {parts}; {stay}.", area=_name(board, moves[0].origin), parts=_list(parts, say), stay=stay)


def _striking(state: State, seat: Seat, orders: Orders, say: Say) -> str:
    area, bombs = orders.bomb, state.bombs[seat] - 1
    if area is None:
        return say("No bombardment.")
    own = state.with_new_pieces(seat, orders.new).get(area, 0)
    for count, origin, target in orders.moves:
        own += count * ((target == area) - (origin == area))
    if own:
        struck = say("You bombard {area}, your own pieces there included", area=_name(state.board, area))
    else:
        struck = say("You bombard {area}", area=_name(state.board, area))
    return f"{struck}; {_left_after(bombs, say)}."


def _left_after(bombs: int, say: Say) -> str:
    if not bombs:
        return say("this is your last bombardment")
    count = _number(bombs, say)
    return say.many(
        "you have one bombardment left after that", "you have {count} bombardments left after that", bombs, count=count
    )


# What a side may do this turn


def _earnings(state: State, seat: Seat, say: Say) -> str:
    choices = [_choice(state, seat, city, say) for city in state.held_cities(seat)]
    if not state.pieces[seat]:
        return say("You have no pieces left, but you may still bombard.")
    if not choices:
        return say("You hold no cities, so you get no new pieces.")
    number = len(choices)
    values = {"count": _number(number, say), "choices": _list(choices, say)}
    return say.many("You get one new piece, {choices}.", "You get {count} new pieces: {choices}.", number, **values)


def _choice(state: State, seat: Seat, city: str, say: Say) -> str:
    code, enemy = city[0], opponent(seat)
    values = {"city": _name(state.board, city), "province": _name(state.board, code)}
    if code in state.pieces[enemy]:
        return say("in {city} (not in {province}, which {side} holds)", **values, side=_side(enemy, say))
    return say("in {city} (or in {province}: New {code})", **values, code=code)


def _example(state: State, seat: Seat) -> Orders:
    """Make orders that show how orders are written: one new piece, and a dispersal from the largest force.

    Pieces go to neighbouring areas without opponents, to empty cities first. Players copy examples, so only a side
    without pieces is shown a bombardment, of the city in which the opponent has the most pieces.
    """
    board, theirs = state.board, state.pieces[opponent(seat)]
    new = [city[0] for city in state.held_cities(seat) if city[0] not in theirs][:1]
    own = state.with_new_pieces(seat, new)
    moves: list[Move] = []
    if own:
        origin = max(own, key=lambda area: (own[area], -board.order[area]))
        near = sorted(board.adjacent[origin] - theirs.keys(), key=board.order.__getitem__)
        near.sort(key=lambda area: (area in own, area not in board.cities))
        moves = [Move(1, origin, target) for target in near[: min(2, own[origin])]]
    targets = [city for city in board.cities if city in theirs] if state.bombs[seat] and not own else []
    bomb = max(targets, key=lambda city: theirs[city], default=None)
    return Orders(tuple(new), tuple(moves), bomb)


def _name(board: Board, area: str) -> str:
    return board.areas[area].name


def _side(seat: Seat, say: Say) -> str:
    return say(NAMES[seat])


def _number(count: int, say: Say) -> str:
    """Write a number of pieces without the word "pieces": up to twelve as a word, zero as "none"."""
    numbers = say("none one two three four five six seven eight nine ten eleven twelve").split()
    return numbers[count] if count < len(numbers) else str(count)


def _list(parts: Sequence[str], say: Say) -> str:
    """Join parts into a list: `a`, `a and b`, `a, b and c`."""
    *first, last = parts
    return say("{first} and {last}", first=", ".join(first), last=last) if first else last
