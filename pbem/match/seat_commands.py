"""Commands that a seat can give apart from orders and press: wishes, and commands about its own game."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from pbem import Sentence
from pbem.games.base import Result, Seat
from pbem.games.capabilities import names_rounds
from pbem.match import ballots, clock, player_commands, reports, rollback
from pbem.match.effects import Course, NewMatch, Note, Notice, Offer, Resend, Save, course
from pbem.match.identity import parse_person
from pbem.match.lifecycle import may
from pbem.match.model import Match, Matter, Wish
from pbem.match.questions import EVENTS, Question
from pbem.match.reply import Reply
from pbem.match.sections import name_of
from pbem.match.time_control import all_go
from pbem.orders.command import Asking, Simple

_UNTOLD_WISHES = ("wait", "go")  # wishes of which the other seats are not told

MAX_RESENT = 3
"""The maximum number of reports that are sent again because of one letter."""

MAX_WORDS, MAX_WORDS_A_DAY = 30, 100
"""How many of a player's letters with press, wishes or messages to the game master are passed on: the first limit is
per hour, the second per day."""


# Wishes


def _wish(reply: Reply, wish: Wish) -> bool:
    """Record a wish of the seat and tell the other seats; return whether all seats share this wish now."""
    wishing = reply.match.wishes.get(wish, frozenset())
    if reply.seat in wishing:
        reply.notice("wished", wish=wish)
        return False
    if too_many(reply):
        return False
    agreed = _set_wishes(reply, {wish: wishing | {reply.seat}}, {"wish": wish}).all_wish(wish)
    if agreed:
        reply.wished.pop(wish, None)
    else:
        tell_later(reply, wish, "wish")
    reply.notice("agreed" if agreed else "wished", wish=wish)
    return agreed


def _set_wishes(reply: Reply, wishes: Mapping[Wish, frozenset[Seat]], content: Mapping[str, Wish]) -> Match:
    """Store the given `wishes`, each with the seats that share it, and add `content`, which says what has changed, to
    the record; return the changed match."""
    match = reply.match
    after = replace(match, wishes={**match.wishes, **wishes})
    reply.do([Save(after), Note("wish", {"seat": reply.seat, **content, "turn": match.turn}, after)])
    return after


def unwish(reply: Reply, wish: Wish) -> None:
    """Take back the seat's own wish or, if only other seats share this wish, decline it."""
    wishing = reply.match.wishes.get(wish, frozenset())
    if reply.seat not in wishing:
        if wishing and wish in WISHES:
            decline_wish(reply, wish)
        else:
            reply.notice("no such wish", wish=wish)
    elif wish in _UNTOLD_WISHES or not too_many(reply):
        _set_wishes(reply, {wish: wishing - {reply.seat}}, {"no wish": wish})
        if wish not in _UNTOLD_WISHES:
            tell_later(reply, wish, "no wish")
        reply.notice("wish taken back", wish=wish)


def decline_wish(reply: Reply, wish: Wish) -> None:
    """Decline a wish of the other seats: the wish no longer counts, and these seats are told."""
    _set_wishes(reply, {wish: frozenset()}, {"declined": wish})
    tell_others(reply, "wish declined", wish=wish)
    reply.notice("dropped", question=Question(wish))  # type: ignore[arg-type]  # a wish that players share


def tell_later(reply: Reply, wish: Wish | Matter, change: Course) -> None:
    """Have the other seats told of a changed wish once the whole letter has been handled, unless the same letter
    changes the wish back."""
    if reply.wished.pop(wish, None) is None:
        reply.wished[wish] = change


def too_many(reply: Reply, reason: Notice = "too many words") -> bool:
    """Return whether the writer has reached the limit on letters passed on in an hour or in a day. If so, tell the
    writer; `reason` is the notice about the hourly limit. If not, count one more letter."""
    facts = reply.case.facts
    if facts.words_sent + reply.words_sent >= MAX_WORDS:
        reply.notice(reason, limit=MAX_WORDS)
    elif facts.words_today + reply.words_sent >= MAX_WORDS_A_DAY:
        reply.notice("too many today", limit=MAX_WORDS_A_DAY)
    else:
        reply.words_sent += 1
        return False
    return True


def tell_others(reply: Reply, change: Course, wish: Wish | Matter) -> None:
    """Tell the other seats of a change in the seat's wish, or that the seat asks for a vote. Nothing is told of a vote
    that the rest of the letter has ended."""
    match, seat = reply.match, reply.seat
    votes = (ballots.about(match, matter, motion) for matter, motion in match.motions.items() if matter == wish)
    vote = next(votes, None)
    if change == "wish" and wish in EVENTS and not vote:
        return
    asked = match.motions[wish].key if vote and change == "wish" else ""  # type: ignore[index]  # `wish` is a matter
    key = asked or reply.key(f"{change.replace(' ', '-')}-{wish}")
    for holder in match.others(seat):
        section = course(change, match, holder.seat, by=match.holders[seat], wish=wish, vote=vote)
        reply.do([reports.to_seat(match, holder, "wish", key, section)])


def is_open(reply: Reply, word: str) -> bool:
    """Return whether `word`, an event of `lifecycle.TRANSITIONS`, is possible now and the seat still takes part in the
    game. If not, tell the writer."""
    if not may(reply.match, word):
        reply.notice("not now", at=reply.match)
    elif reply.seat in reply.match.gone:
        reply.notice("seat gone", at=reply.match)
    else:
        return True
    return False


def bring_words(reply: Reply, _: str) -> None:
    """Replace the seat's contribution to chance with the one in the letter."""
    if any(command.word == "challenge" for command in reply.case.words.commands):
        return  # the words in the letter are for the game that begins with the challenge
    if not reply.match.takes_words:
        reply.once("no words wanted", at=reply.match)
    elif may(reply.match, "all accept") or is_open(reply, "orders come"):
        reply.bring(reply.case.brings)
        reply.once("words brought", hash=reply.case.brings)


def wait(reply: Reply) -> None:
    """Make the turn wait for its deadline, even if all orders are in."""
    if is_open(reply, "somebody waits"):
        deadline = _set_pace(reply, "wait", "go").deadline
        reply.notice("waiting", deadline=deadline and deadline.moment)


def go(reply: Reply) -> None:
    """Waive the seat's cooling-off time. Once all seats have waived theirs, the turn is played without it."""
    if is_open(reply, "somebody waits"):
        after = _set_pace(reply, "go", "wait")
        reply.notice("going", needed=bool(after.terms.cooling_off))


def _set_pace(reply: Reply, wish: Wish, contrary: Wish) -> Match:
    """Give the seat the wish `wait` or `go`, and take the `contrary` wish away from it; return the changed match."""
    match, seat = reply.match, reply.seat
    wishes = {
        wish: match.wishes.get(wish, frozenset()) | {seat},
        contrary: match.wishes.get(contrary, frozenset()) - {seat},
    }
    after = _set_wishes(reply, wishes, {"wish": wish})
    if after.cooling and all_go(after):
        after = replace(after, cooling=None)
        reply.do([Save(after)])
    return after


def draw(reply: Reply) -> None:
    """Offer a draw; the game is drawn once all seats wish for it."""
    if any(holder.is_computer for holder in reply.match.holders.values()):
        from pbem.match.computer import plays_on

        if plays_on(reply.match):
            reply.notice("computer draw")
            return
    if is_open(reply, "both draw") and _wish(reply, "draw"):
        two = len(reply.match.seats) == 2
        agreed = Sentence("Both sides agreed to a draw.") if two else Sentence("All sides agreed to a draw.")
        reply.do(clock.finish(reply.match, Result(None, agreed), reply.now, "the players"))


def rematch(reply: Reply) -> None:
    """Wish for another game with the sides exchanged. The game begins as soon as all seats share this wish, because
    each wish counts as acceptance."""
    match = reply.match
    if not may(match, "both rematch"):
        reply.notice("no rematch")
    elif match.league:
        reply.notice("league decides", league=match.league)
    elif _wish(reply, "rematch"):
        others = (*match.seats[1:], *match.seats[:1])
        players = {seat: match.holders[next_seat].player for seat, next_seat in zip(match.seats, others, strict=True)}
        reply.do(
            [
                NewMatch(
                    match.game.name, players, match.options, replace(match.terms, anonymous="no"), frozenset(players)
                )
            ]
        )


def resign(reply: Reply) -> None:
    """Ask whether to resign; the seat resigns only after a `yes` to this question."""
    if not is_open(reply, "somebody resigns"):
        return
    if reply.sure:
        reply.notice("resigned")
        reply.do(clock.resign(reply.match, reply.seat, reply.now))
    else:
        reply.ask(Simple("resign"), of_match=True)
        reply.notice("really resign")


WISHES: Mapping[str, Callable[[Reply], None]] = {"draw": draw, "rematch": rematch}
"""The functions for wishes that are granted when all seats share them."""


# Taking part


def back(reply: Reply) -> None:
    """Play the seat again, which the computer plays for the writer. Orders of the computer that are in stand until the
    writer replaces them, unless the game is paused and they would be played as soon as it goes on."""
    if not reply.match.holders[reply.seat].stand_in:
        reply.notice("no stand in")
    elif is_open(reply, "orders come") and reply.come_back(drops_orders=reply.match.phase == "paused"):
        reply.position()


def hand_over(reply: Reply, to: str) -> None:
    """Ask whether to offer the seat to the person whom `to` names; only a `yes` to this question makes the offer. The
    seat does not change hands until that person accepts."""
    if not is_open(reply, "somebody hands over"):
        return
    match, seat = reply.match, reply.seat
    invitee = reply.invitee(parse_person(to).address)
    players = {holder.player.id for holder in match.others(seat)}
    unwanted = invitee.refuses or invitee.banned or (invitee.player is not None and invitee.player.id in players)
    if not player_commands.may_write(reply, invitee):
        return
    if not reply.sure:
        reply.ask(Asking("hand", to), of_match=True)
        reply.notice("really hand over", address=invitee.address)
    else:
        offer = Offer(match, seat, invitee, reply.case.letter, unwanted)
        reply.do([Note("hand over", {"seat": seat}, match), offer])
        reply.notice("handed over", address=invitee.address)


# History and press


def mute(reply: Reply, *, on: bool) -> None:
    """Stop sending press to the seat if `on` is true, otherwise start sending it again."""
    match, seat = reply.match, reply.seat
    reply.do([Save(replace(match, muted=match.muted | {seat} if on else match.muted - {seat}))])
    reply.notice("muted" if on else "unmuted")


def resend(reply: Reply, which: str) -> None:
    """Resend the report of the turn that `which` names; by default, that of the last turn."""
    match = reply.match.as_told()
    turns = rollback.find_turns(match, which or str(match.turn - 1))
    if not turns:
        first, last = (name_of(match, match.turns[at]) if match.turns else "" for at in (0, -1))
        reply.notice("no such turn", turn=which or "0", first=first, last=last)
    elif sum(isinstance(effect, Resend) for effect in reply.done) >= MAX_RESENT:
        reply.once("enough resent", limit=MAX_RESENT)
    else:
        reply.done.append(Resend(reply.match, reply.seat, turns[-1].turn, reply.case.mark))


def history(reply: Reply) -> None:
    """Show all turns so far. In games whose turns have several rounds, show for each round only the seats that were
    asked for orders or gave some."""
    match = reply.match.as_told()
    reader, redact = match.reader(reply.seat), match.game.redact_orders
    all_are_asked = not names_rounds(match.game)
    turns = [
        (
            name_of(match, turn),
            [
                (
                    name,
                    bool(entry and entry.came),
                    entry and redact(entry.played, name, reader, turn.before, match.state),
                )
                for name, entry in turn.orders.items()
                if all_are_asked or (entry and entry.came) or name in match.game.awaiting(turn.before)
            ],
        )
        for turn in match.turns
    ]
    reply.tell("history", match=match, seat=reply.seat, turns=turns)


SIMPLE: Mapping[str, Callable[[Reply], None]] = {
    "wait": wait,
    "go": go,
    "draw": draw,
    "no wait": partial(unwish, wish="wait"),
    "no go": partial(unwish, wish="go"),
    "no draw": partial(unwish, wish="draw"),
    "resign": resign,
    "rematch": rematch,
    "mute": lambda reply: mute(reply, on=True),
    "unmute": lambda reply: mute(reply, on=False),
    "history": history,
}
"""The function for each command that consists of its word alone."""

ASKING: Mapping[str, Callable[[Reply, str], None]] = {
    "word": bring_words,
    "resend": resend,
    "hand": hand_over,
}
"""The function for each command that takes an argument."""
