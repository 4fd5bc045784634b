"""Letters that wait for the hour at which their reader wants them, all in one."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from pbem.match.effects import Section, Send
from pbem.match.identity import GAME_MASTER, MailWishes, hide_number
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


_GATHERED = frozenset(("sealed", "press", "away", "standings"))


_NEWS = frozenset(("no wish", "wish declined", "offer declined", "resigned", "replace"))
"""What of a game's course asks nothing of a seat, and moves no deadline to an earlier hour."""


def next_digest(wishes: MailWishes, now: datetime, zone: str) -> datetime:
    """When the next letter goes that gathers what there was."""
    hour, minute = map(int, wishes.digest.split(":"))
    here = now.astimezone(ZoneInfo(zone))
    at = here.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return (at if at > here else at + timedelta(days=1)).astimezone(UTC)


def can_wait(send: Send) -> bool:
    """Whether a letter asks nothing of its reader, so that it may be gathered with others of the day."""
    match, holder = send.match, send.holder
    with_files = any(one.template in ("record", "letters") for one in send.sections)
    if send.answers or send.player == GAME_MASTER or with_files:
        return False
    if send.kind in _GATHERED:
        return True
    if match is None or holder is None:
        return match is not None and send.kind in ("report", "course")  # of whoever watches
    if send.kind == "report":
        return not (match.over or holder.seat in match.missing())
    told = send.sections[0].values
    return send.kind == "course" and told["what"] in _NEWS and told.get("by") != holder


def is_report_of(receipt: Send, send: Send) -> bool:
    """Whether a letter is the report of the turn that a receipt is of, and no older one that is sent again."""
    return send.kind == "report" and send.turn > receipt.turn


def with_receipt(receipt: Send, report: Send) -> Send:
    """The report of a turn that was played at once, with what there was to say of the orders that it waited for."""
    told = tuple(
        Section("taken", one.values) if one.template == "receipt" else one
        for one in receipt.sections
        if one.template not in ("seals", "position")
    )
    return replace(report, sections=(*told, *report.sections), answers=receipt.answers)
