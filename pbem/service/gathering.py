"""Letters that wait for the hour at which their reader wants them, all in one."""

from itertools import groupby
from typing import TYPE_CHECKING

from pbem.match.effects import Send
from pbem.match.identity import hide_number
from pbem.match.model import Section
from pbem.render.blocks import Made
from pbem.store import matches, outbox, players
from pbem.store.outbox import Part

if TYPE_CHECKING:
    from pbem.service.desk import Desk


def gather(desk: "Desk") -> None:
    """Make one letter of those to each reader that are due, in the caller's transaction; one alone goes as it is, in
    the thread of its game."""
    for number, found in groupby(outbox.to_gather(desk.store, desk.now), key=lambda part: part.player):
        parts = [*found]
        outbox.take_along(desk.store, [part.id for part in parts if part.overtaken], "", desk.now)
        told = [part for part in parts if not part.overtaken]
        player = players.load_player(desk.store, number)
        if len(told) > 1 and player.address:
            made = desk.outgoing.queue(_letter(desk, told))
            outbox.take_along(desk.store, [part.id for part in told], made, desk.now)


def _letter(desk: "Desk", parts: list[Part]) -> Send:
    """All parts in one, in the order of their games; if they are of one seat, its orders may answer it."""
    parts = sorted(parts, key=lambda part: part.match or 0)
    section = Section("gathered", {"parts": [(part.body["title"], _made(part)) for part in parts]})
    player = players.load_player(desk.store, parts[0].player)
    key = f"gathered-{hide_number(desk.key, parts[-1].id)}"
    seats = {(part.match, part.seat) for part in parts}
    number, seat = seats.pop()
    if seats or number is None or seat is None:
        return Send("gathered", key, player, (section,))
    match = matches.load_match(desk.store, number)
    return Send("gathered", key, player, (section,), match.holders[seat], match, match.turn)


def _made(part: Part) -> Made:
    """What it says; the text of one from before there were files of seals has them."""
    told = part.body
    return Made(told["text"], told["html"], tuple(map(tuple, told["seats"])), tuple(told.get("seals", ())))
