"""What a seat can say besides orders: wishes, press, and everything about its own game."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from pbem import PbemError
from pbem.games.base import Result, Sentence
from pbem.match import clock, player_commands, reports, sections
from pbem.match.effects import Confirm, Invite, Note, Offer, Refuse, Resend, Save, Send
from pbem.match.identity import parse_person
from pbem.match.model import Section, Wish
from pbem.match.reply import Reply
from pbem.orders import reader
from pbem.orders.command import Asking, Command, Press, Simple

MAX_PRESS = 4000
"""Characters of a letter that reach the other players."""

MAX_WORDS = 30
"""Letters with words or wishes of a seat that reach the others in an hour."""


def obey(answer: Reply, command: Command) -> None:
    """Do what a seat's command says."""
    try:
        match command:
            case Press():
                _press(answer, command.text)
            case Asking("resend"):
                _resend(answer, command.argument)
            case Asking("decline"):
                _decline(answer, always=bool(command.argument))
            case Asking("hand"):
                _hand_over(answer, command.argument)
            case Simple(word):
                _WORDS[word](answer)
    except PbemError as error:
        answer.notice("not understood", why=sections.why(error))


# Wishes


def _wish(answer: Reply, wish: Wish) -> bool:
    """Note a wish of the seat, and tell the others; whether all seats wish it now."""
    match, seat = answer.table, answer.seat
    wishing = match.wishes.get(wish, frozenset())
    if seat in wishing:
        answer.notice("wished", wish=wish)
        return False
    if _too_many(answer):
        return False
    after = replace(match, wishes={**match.wishes, wish: wishing | {seat}})
    answer.do([Save(after), Note("wish", {"seat": seat, "wish": wish, "turn": match.turn}, after)])
    agreed = after.all_wish(wish)
    if not agreed:
        answer.do(_to_others(answer, "wish", wish=wish))
    answer.notice("agreed" if agreed else "wished", wish=wish)
    return agreed


def _unwish(wish: Wish) -> Callable[[Reply], None]:
    def obey(answer: Reply) -> None:
        match = answer.table
        wishing = match.wishes.get(wish, frozenset())
        if answer.seat not in wishing:
            answer.notice("no such wish", wish=wish)
            return
        if wish != "wait" and _too_many(answer):
            return
        after = replace(match, wishes={**match.wishes, wish: wishing - {answer.seat}})
        answer.do([Save(after), Note("wish", {"seat": answer.seat, "no wish": wish, "turn": match.turn}, after)])
        if wish != "wait":
            answer.do(_to_others(answer, "no wish", wish=wish))
        answer.notice("wish taken back", wish=wish)

    return obey


def _too_many(answer: Reply) -> bool:
    """Whether the others have heard enough of the seat for an hour; then it is told so."""
    case = answer.case
    if case.said >= MAX_WORDS:
        answer.notice("too many words", limit=MAX_WORDS)
        return True
    answer.case = replace(case, said=case.said + 1)
    return False


def _to_others(answer: Reply, what: str, **values: str) -> list[Send]:
    """What the seat wishes, told to the others."""
    match, seat = answer.table, answer.seat
    said = {"what": what, "match": match, "by": match.holders[seat], **values}
    key = f"{what.replace(' ', '-')}-{answer.case.letter}-{len(answer.done)}"
    return [
        reports.to_seat(match, other, "wish", key, Section("course", {**said, "seat": other.seat}))
        for other in match.others(seat)
    ]


def _open(answer: Reply) -> bool:
    """Whether the game can still be influenced by its players; if not, they are told."""
    if answer.table.phase in ("running", "paused"):
        return True
    answer.notice("not now", at=answer.table)
    return False


def _wait(answer: Reply) -> None:
    if _open(answer):
        match, seat = answer.table, answer.seat
        wishing = match.wishes.get("wait", frozenset())
        after = replace(match, wishes={**match.wishes, "wait": wishing | {seat}})
        answer.do([Save(after), Note("wish", {"seat": seat, "wish": "wait", "turn": match.turn}, after)])
        answer.notice("waiting", deadline=after.deadline and after.deadline.moment)


def _draw(answer: Reply) -> None:
    if _open(answer) and _wish(answer, "draw"):
        agreed = Result(None, Sentence("Both sides agreed to a draw."))
        answer.do(clock.finish(answer.table, agreed, answer.now, "the players"))


def _pause(answer: Reply) -> None:
    if answer.table.phase == "paused":
        answer.notice("paused already")
    elif _open(answer) and _wish(answer, "pause"):
        answer.do(clock.pause(answer.table, answer.now, Sentence("both players")))


def _resume(answer: Reply) -> None:
    if answer.table.phase != "paused":
        answer.notice("not paused")
    elif _wish(answer, "resume"):
        answer.do(clock.resume(answer.table, answer.now, Sentence("both players")))


def _rematch(answer: Reply) -> None:
    """Another game with sides traded: the others' wish is their acceptance, so it begins at once."""
    match = answer.table
    if match.phase != "finished":
        answer.notice("no rematch")
    elif match.league:
        answer.notice("league decides", league=match.league)
    elif _wish(answer, "rematch"):
        players = [match.holders[seat].player for seat in match.seats]
        answer.do([Invite(match.game, players[1:] + players[:1], match.options, match.terms, confirmed=True)])


def _resign(answer: Reply) -> None:
    """Nothing is done before a `yes` answers this very answer."""
    if _open(answer):
        match = answer.table
        answer.do([Save(replace(match, resigning={**match.resigning, answer.seat: answer.case.letter}))])
        answer.notice("really resign")


def _yes(answer: Reply) -> None:
    """`yes` answers a letter of ours: whether to resign, to take part, or what `Answer.yes` knows of."""
    match, seat = answer.table, answer.seat
    asked = match.resigning.get(seat)
    if asked is not None and asked == answer.case.answered and answer.current:
        others = match.others(seat)
        winner = others[0].seat if len(others) == 1 else None
        answer.notice("resigned")
        why = Sentence("{side} resigned.", side=Sentence(seat.capitalize()))
        answer.do(clock.finish(match, Result(winner, why), answer.now, "the players"))
    elif match.phase == "offered":
        _accept(answer)
    elif not answer.yes():
        answer.notice("nothing proposed")


# Taking part


def _accept(answer: Reply) -> None:
    """The seat takes part, under the name that its holder calls himself; the game begins when all do."""
    match, seat, case = answer.table, answer.seat, answer.case
    if match.phase != "offered" or seat in match.accepted:
        answer.notice("accepted already")
        return
    holder = match.holders[seat]
    if case.address in case.unconfirmed and case.name:
        holder = replace(holder, name=case.name, player=replace(holder.player, name=case.name))
    accepted = match.accepted | {seat}
    after = replace(match, accepted=accepted, holders={**match.holders, seat: holder})
    answer.do([Save(after), Confirm(holder.player, case.address), Note("accept", {"seat": seat}, after)])
    if accepted.issuperset(match.seats):
        answer.do(clock.begin(answer.table, answer.now))
        answer.notice("begun")
    else:
        answer.notice("accepted")


def _decline(answer: Reply, *, always: bool) -> None:
    match, player = answer.table, answer.table.holders[answer.seat].player
    if match.phase == "offered":
        answer.do(clock.annul(match, answer.now, Sentence("an invitation was declined"), "the players"))
        answer.notice("declined", always=always)
    else:
        answer.notice("refused" if always else "accepted already", always=always)
    if always:
        answer.done.append(Refuse(replace(player, address=answer.case.address)))


def _hand_over(answer: Reply, to: str) -> None:
    """The seat is offered to somebody else; nothing changes before he accepts."""
    if not _open(answer):
        return
    match, seat = answer.table, answer.seat
    found = answer.case.invitees.get(parse_person(to).address.lower())
    here = {other.player.id for other in match.others(seat)}
    if found and found.player and found.player.id in here:
        answer.notice("refuses", address=found.address)
    elif invited := player_commands.invitee(answer, to):
        answer.do([Note("hand over", {"seat": seat}, match), Offer(match, seat, invited, answer.case.letter)])
        answer.notice("handed over", address=invited.address)


# Press


def press_reply(answer: Reply) -> bool:
    """A plain answer to a letter with press is press; whether this was one."""
    if not answer.case.answers_press or answer.reading.commands or not answer.case.text.strip():
        return False
    answer.reading = answer.reading._replace(remarks=())
    _press(answer, answer.case.text)
    return True


def _press(answer: Reply, text: str) -> None:
    """Words for the others. What looks like orders is never passed on, wherever it was meant to go."""
    match, seat, words = answer.table, answer.seat, _harmless(text)
    like_orders = reader.attempts(match.game, match.state, text)
    listening = [other for other in match.others(seat) if other.seat not in match.muted]
    if match.phase in ("offered", "annulled"):
        answer.notice("not now", at=match)  # an invitation carries no words of who invites
    elif not match.terms.press:
        answer.notice("no press")
    elif like_orders:
        answer.notice("press with orders", items=like_orders)
    elif not words:
        answer.notice("empty press")
    elif not _too_many(answer):
        said = {"match": match, "by": match.holders[seat], "text": words}
        key = f"press-{answer.case.letter}-{len(answer.done)}"
        answer.do(
            reports.to_seat(match, other, "press", key, Section("press", {**said, "seat": other.seat}))
            for other in listening
        )
        answer.done.append(Note("press", {"seat": seat, "text": "\n".join(words)}, match))
        answer.notice("press sent" if listening else "press muted", limit=len(text) > MAX_PRESS and MAX_PRESS)


def _harmless(text: str) -> list[str]:
    """Press as it is passed on: indented lines, no control characters, no reply marker, no more than we pass on."""
    from textwrap import wrap

    lines = ["".join(char if char.isprintable() else " " for char in line).rstrip() for line in text.splitlines()]
    words = re.sub(r"={2,}", "=", "\n".join(lines).strip()[:MAX_PRESS])
    return [f"  {part}" for line in words.splitlines() for part in wrap(line, 70, break_long_words=False) or [""]]


def _mute(answer: Reply, *, on: bool) -> None:
    match, seat = answer.table, answer.seat
    answer.do([Save(replace(match, muted=match.muted | {seat} if on else match.muted - {seat}))])
    answer.notice("muted" if on else "unmuted")


# Looking back


def _resend(answer: Reply, which: str) -> None:
    match = answer.table.as_told()
    turn = int(which) if which else match.turn - 1
    if not 1 <= turn < match.turn:
        answer.notice("no such turn", turn=turn, last=match.turn - 1)
    else:
        answer.done.append(Resend(answer.table, answer.seat, turn))
        answer.notice("resent", turn=turn)


def _history(answer: Reply) -> None:
    match = answer.table.as_told()
    answer.tell("history", match=match, seat=answer.seat, turns=match.turns)


_WORDS: Mapping[str, Callable[[Reply], None]] = {
    "withdraw": Reply.withdraw,
    "yes": _yes,
    "check": lambda answer: None,  # what the letter's orders are for
    "wait": _wait,
    "draw": _draw,
    "no wait": _unwish("wait"),
    "no draw": _unwish("draw"),
    "no pause": _unwish("pause"),
    "resign": _resign,
    "pause": _pause,
    "resume": _resume,
    "rematch": _rematch,
    "mute": lambda answer: _mute(answer, on=True),
    "unmute": lambda answer: _mute(answer, on=False),
    "history": _history,
    "accept": _accept,
}
