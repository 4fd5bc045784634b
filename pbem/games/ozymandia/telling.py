"""A turn, orders and a standing told to people, in whole sentences with the rules' own names."""

from collections.abc import Iterable, Sequence

from pbem.games.base import Event, Paragraph, Seat
from pbem.games.ozymandia.board import Board
from pbem.games.ozymandia.orders import Move, Orders
from pbem.games.ozymandia.rules import CITIES_TO_WIN, result
from pbem.games.ozymandia.state import SEATS, State, opponent

_WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def story(before: State, events: Sequence[Event]) -> tuple[Paragraph, ...]:
    """A turn told step by step; a paragraph without a heading goes on under the one before.

    Who missed the turn is told with the orders, and how the game ended with its result.
    """
    board = before.board
    steps: dict[str, list[Event]] = {}
    for event in events:
        steps.setdefault(event["type"], []).append(event)
    marches = steps.get("move", [])
    meetings = [_crossing(board, event) for event in steps.get("crossing", [])]
    if not meetings and len({event["seat"] for event in marches}) == len(SEATS):
        meetings = ["Nobody met."]
    return (
        *_step("New pieces", _new_pieces(board, steps.get("new", []))),
        *_step("Moves", _marches(before, marches)),
        *_step("On the way", meetings),
        *(_battle(board, event) for event in steps.get("battle", [])),
        *_step("Lightning", (_bombardment(board, event) for event in steps.get("bombardment", []))),
    )


def words(state: State, seat: Seat, orders: Orders) -> str:
    """Orders in plain words, as a receipt says them."""
    sentences = (
        _placing(state, seat, orders),
        _marching(state, seat, orders),
        _striking(state, seat, orders),
    )
    return " ".join(filter(None, sentences))


def summary(state: State) -> tuple[str, ...]:
    """The count of cities, pieces and bombardments, and who is near to winning."""
    held = {seat: state.held_cities(seat) for seat in SEATS}
    red, blue = (f"{len(cities)} ({' '.join(cities)})" if cities else "0" for cities in held.values())
    nobody = len(state.board.cities) - sum(map(len, held.values()))
    near = {
        CITIES_TO_WIN - 1: "{side} needs one more city to win.",
        CITIES_TO_WIN - 2: "{side} needs two more cities to win.",
    }
    lines = [
        f"Cities: Red {red}, Blue {blue}, nobody {nobody}. Five win.",
        "Pieces: Red {red}, Blue {blue}.".format_map({seat: sum(state.pieces[seat].values()) for seat in SEATS}),
        f"Bombardments left: Red {state.bombs['red']}, Blue {state.bombs['blue']}.",
    ]
    if result(state) is None:
        lines += [near[len(held[seat])].format(side=_side(seat)) for seat in SEATS if len(held[seat]) in near]
        if state.turn_limit is not None:
            lines.append(f"If nobody has won by the end of turn {state.turn_limit}, the game is a draw.")
    return tuple(lines)


def prospects(state: State, seat: Seat) -> tuple[str, str]:
    """What a side gets and has to decide this turn, in sentences, and an example of orders it may give."""
    if not state.pieces[seat] and not state.bombs[seat]:
        return "You have no pieces and no bombardments left; nothing is waited for from you.", "Pass"
    return f"{_earnings(state, seat)} {_arsenal(state, seat)}", str(_example(state, seat))


# The steps of a turn


def _step(heading: str, texts: Iterable[str]) -> list[Paragraph]:
    return [Paragraph("" if number else heading, text) for number, text in enumerate(texts)]


def _new_pieces(board: Board, events: Sequence[Event]) -> list[str]:
    lines = []
    for seat in SEATS:
        own = [event for event in events if event["seat"] == seat]
        places = [
            _name(board, event["area"])
            + (f" (for {_name(board, event['city'])})" if event["area"] != event["city"] else "")
            for event in own
        ]
        if own:
            lines.append(f"{_side(seat)} {len(own)}: {', '.join(places)}.")
    return lines


def _marches(before: State, events: Sequence[Event]) -> list[str]:
    if not events:
        return ["Nobody moved."]
    moves: dict[Seat, list[Move]] = {seat: [] for seat in SEATS if before.pieces[seat]}
    for event in events:
        moves[event["seat"]].append(Move(event["count"], event["from"], event["to"]))
    return [_march(before.board, seat, own) for seat, own in moves.items()]


def _march(board: Board, seat: Seat, moves: Sequence[Move]) -> str:
    side = _side(seat)
    if not moves:
        return f"{side} stays where it is."
    if len(moves) == 1:
        count, origin, target = moves[0]
        return f"{side} moves {count} from {_name(board, origin)} to {_name(board, target)}."
    if len({move.origin for move in moves}) == 1:
        parts = ", ".join(f"{move.count} to {_name(board, move.target)}" for move in moves)
        return f"{side} moves from {_name(board, moves[0].origin)}: {parts}."
    parts = ", ".join(f"{move.count} from {_name(board, move.origin)}" for move in moves)
    return f"{side} moves into {_name(board, moves[0].target)}: {parts}."


def _crossing(board: Board, event: Event) -> str:
    red, blue = (_name(board, event["from"][seat]) for seat in SEATS)
    forces = event["forces"]
    met = f"{forces['red']} red from {red} against {forces['blue']} blue from {blue}."
    if forces["red"] == forces["blue"]:
        return f"{met} Equal forces on the way: nobody survives."
    winner = "red" if event["left"]["red"] else "blue"
    aim = blue if winner == "red" else red
    return f"{met} {_losses(event, winner)} {event['left'][winner]} {winner} go on to {aim}."


def _battle(board: Board, event: Event) -> Paragraph:
    area, forces, left, occupant = (
        _name(board, event["area"]),
        event["forces"],
        event["left"],
        event["occupant"],
    )
    met = f"{forces['red']} red against {forces['blue']} blue."
    if forces["red"] != forces["blue"]:
        winner = "red" if left["red"] else "blue"
        end = f"{_losses(event, winner)} {left[winner]} {winner} stand there."
    elif occupant:
        holder = _side(occupant)
        end = f"Equal forces: one {occupant} piece survives, for {holder} held {area} on the turn before."
    else:
        end = f"Equal forces: nobody survives, for nobody held {area} on the turn before."
    return Paragraph(f"Battle of {area}", f"{met} {end}")


def _losses(event: Event, winner: Seat) -> str:
    """What an unequal fight costs (§2.6). The stronger side never comes out of it with a single piece."""
    loser = opponent(winner)
    all_of_them, lost = event["forces"][loser], event["forces"][winner] - event["left"][winner]
    weaker = {
        1: "{side} loses its only piece,",
        2: "{side} loses both pieces,",
    }.get(all_of_them, "{side} loses all {count},")
    stronger = "{side} loses {count};" if lost else "{side} loses nothing;"
    told = weaker.format(side=_side(loser), count=all_of_them), stronger.format(side=_side(winner), count=lost)
    return " ".join(told)


def _bombardment(board: Board, event: Event) -> str:
    side, area = _side(event["seat"]), event["area"]
    seat = next((seat for seat in SEATS if event["before"][seat]), None)
    before, after = (event["before"][seat], event["after"][seat]) if seat else (0, 0)
    if seat is None:
        struck = "{side} strikes {area}: nobody is there."
    elif board.areas[area].kind == "city":
        struck = "{side} strikes {area}: {before} {seat} wiped out."
    elif before == 1:
        struck = "{side} strikes {area}: the only piece there, a {seat} one, survives."
    else:
        struck = "{side} strikes {area}: {before} {seat} are halved to {after}."
    told = struck.format(side=side, area=_name(board, area), before=before, after=after, seat=seat)
    return f"{told} {_bombs_left(side, event['left'])}"


def _bombs_left(side: str, left: int) -> str:
    if left == 0:
        return f"{side} has no bombardments left."
    if left == 1:
        return f"{side} has 1 bombardment left."
    return f"{side} has {left} bombardments left."


# Orders in plain words


def _placing(state: State, seat: Seat, orders: Orders) -> str:
    places = [_name(state.board, area) for _, area in state.placements(seat, orders.new)]
    if not places:
        return ""
    return f"One new piece goes to {_list([places[0], *(f'one to {place}' for place in places[1:])])}."


def _marching(state: State, seat: Seat, orders: Orders) -> str:
    board, moves = state.board, orders.moves
    if not moves:
        return "All pieces stay where they are." if state.pieces[seat] else ""
    staying = state.with_new_pieces(seat, orders.new)
    for count, origin, _ in moves:
        staying[origin] -= count
    pieces = "one piece" if moves[0].count == 1 else f"{_number(moves[0].count)} pieces"
    rest = moves[1:]
    if len({move.origin for move in moves}) > 1:
        parts = [f"{pieces} from {_name(board, moves[0].origin)}"]
        parts += [f"{_number(count)} from {_name(board, origin)}" for count, origin, _ in rest]
        left = ", ".join(f"{_number(staying[origin])} in {_name(board, origin)}" for _, origin, _ in moves)
        return f"Into {_name(board, moves[0].target)} go {_list(parts)}. Left behind: {left}."
    parts = [f"{pieces} {'goes' if moves[0].count == 1 else 'go'} to {_name(board, moves[0].target)}"]
    parts += [f"{_number(count)} to {_name(board, target)}" for count, _, target in rest]
    here = staying[moves[0].origin]
    stay = f"{_number(here)} {'stay' if here > 1 else 'stays'}"
    return f"From {_name(board, moves[0].origin)} {_list(parts)}; {stay}."


def _striking(state: State, seat: Seat, orders: Orders) -> str:
    area = orders.bomb
    if area is None:
        return "No bombardment."
    own = state.with_new_pieces(seat, orders.new).get(area, 0)
    for count, origin, target in orders.moves:
        own += count * ((target == area) - (origin == area))
    struck = f"Lightning strikes {_name(state.board, area)}"
    if own:
        struck += ", your own pieces there included"
    after = {1: "this is your last bombardment", 2: "you have one bombardment left after that"}.get(
        state.bombs[seat], f"you have {_number(state.bombs[seat] - 1)} bombardments left after that"
    )
    return f"{struck}; {after}."


# What a side may do this turn


def _earnings(state: State, seat: Seat) -> str:
    choices = [_choice(state, seat, city) for city in state.held_cities(seat)]
    if not state.pieces[seat]:
        return "You have no pieces left, but you may still bombard."
    if not choices:
        return "You occupy no city, so you get no new piece."
    if len(choices) == 1:
        return f"You get one new piece: {choices[0]}."
    return f"You get {_number(len(choices))} new pieces: {_list(choices)}."


def _choice(state: State, seat: Seat, city: str) -> str:
    code, other = city[0], opponent(seat)
    place, province = _name(state.board, city), _name(state.board, code)
    if code in state.pieces[other]:
        return f"in {place} (not in {province}, which {_side(other)} occupies)"
    return f"in {place} (or {province}: write New {code})"


def _arsenal(state: State, seat: Seat) -> str:
    left = state.bombs[seat]
    if left == 0:
        return "You have no bombardments left."
    if left == 1:
        return "You have one bombardment left."
    return f"You have {_number(left)} bombardments left."


def _example(state: State, seat: Seat) -> Orders:
    """Orders that show how things are written: a first new piece, a dispersal from the largest force, a bomb.

    Pieces go out to neighbours the opponent is not in, empty cities first; the bomb is for his fullest city.
    """
    board, theirs = state.board, state.pieces[opponent(seat)]
    said = [city[0] for city in state.held_cities(seat) if city[0] not in theirs][:1]
    own = state.with_new_pieces(seat, said)
    moves: list[Move] = []
    if own:
        origin = max(own, key=lambda area: (own[area], -board.order[area]))
        near = sorted(board.adjacent[origin] - theirs.keys(), key=board.order.__getitem__)
        near.sort(key=lambda area: (area in own, area not in board.cities))
        moves = [Move(1, origin, target) for target in near[: min(2, own[origin])]]
    targets = [city for city in board.cities if city in theirs] if state.bombs[seat] else []
    bomb = max(targets, key=lambda city: theirs[city], default=None)
    return Orders(tuple(said), tuple(moves), bomb)


def _name(board: Board, area: str) -> str:
    return board.areas[area].name


def _side(seat: Seat) -> str:
    return seat.capitalize()


def _number(count: int) -> str:
    """A number in words up to twelve; none is "none"."""
    return _WORDS[count] if count < len(_WORDS) else str(count)


def _list(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
