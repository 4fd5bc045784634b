"""Letters about a match to the people in it: reports of turns, and other changes in its course."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from types import MappingProxyType
from typing import Any

from pbem.games.base import Seat
from pbem.games.capabilities import within_turn
from pbem.match import commitments, questions
from pbem.match.effects import (
    Ask,
    Course,
    Effect,
    MarkFailing,
    NewAddress,
    Notice,
    Propose,
    Save,
    Section,
    Send,
    SetStanding,
    TakeOrders,
    TellOpen,
    course,
    notice,
)
from pbem.match.identity import GAME_MASTER, Holder, Player, master_holder
from pbem.match.model import Match, Turn
from pbem.match.questions import Question
from pbem.match.sections import invitation, name_of, opening, position

News = Mapping[Seat, tuple[Section, ...]]
"""Sections to add to reports, keyed by the seat whose report gets them."""

NOTHING: News = MappingProxyType({})


def of_turn(match: Match, turn: Turn, news: News = NOTHING) -> list[Effect]:
    """Return the report of a turn for every active seat and every observer. If the match is over, seats that have given
    up get the report, too. `match` is the match after the turn; `news` is added to the reports to seats."""
    effects: list[Effect] = [
        to_seat(match, match.holders[seat], "report", f"report-{turn.turn}", *_turn_sections(match, turn, seat, news))
        for seat in match.reading()
    ]
    key = f"report-{match.name}-{turn.turn}"
    effects += [
        to_watcher(match, watcher, "report", key, *_turn_sections(match, turn, None)) for watcher in match.observers
    ]
    return effects


def may_write_into(match: Match, watcher: Player | None) -> bool:
    """Return whether a person may write orders for all sides, because they watch a sandbox as its player has asked."""
    return match.sandbox and any(watcher is not None and one.id == watcher.id for one in match.observers)


def to_watcher(match: Match, watcher: Player, kind: str, key: str, *sections: Section) -> Send:
    """Return a letter to a person who watches the match. If they may write orders for it, they can answer the letter
    with orders."""
    if not may_write_into(match, watcher):
        return Send(kind, key, watcher, sections, match=match)
    holder = master_holder(match.holders, watcher, watcher.address)
    return Send(kind, f"{key}-{watcher.id}", watcher, sections, holder, match, match.turn)


def report_again(match: Match, turn: Turn, seat: Seat) -> Send:
    """Return a letter that reports `turn` to a seat once more, in the same way as when the turn was played. If other
    turns have followed, the report shows no deadline."""
    if turn.turn + 1 < match.turn:
        match = replace(match, state=turn.after, turn=turn.turn + 1, result=None, standing={}, deadline=None)
        match = replace(match, banks={})
    return to_seat(match, match.holders[seat], "report", f"report-{turn.turn}", *_turn_sections(match, turn, seat))


def for_review(match: Match, turn: Turn, now: datetime) -> Send:
    """Return a letter with the report of a turn for the game masters, who review it before anyone else gets it."""
    section = course("review", match, None, turn=name_of(match, turn))
    key = f"review-{match.name}-{turn.turn}-{now:%Y%m%d%H%M%S}"
    return to_master(match, key, section, report(match, turn, None), position(match, None, turn=turn))


def _turn_sections(match: Match, turn: Turn, seat: Seat | None, news: News = NOTHING) -> tuple[Section, ...]:
    seat = None if match.sandbox else seat
    board = position(match, seat, turn=turn)
    own_news = news.get(seat, ()) if seat else ()
    return report(match, turn, seat), *own_news, board, commitments.report(match, turn, seat), *_record(match)


_LAPSING = frozenset(("orders", "provisional", "command", "draw"))
"""The kinds of questions that lapse when the turn in which they were asked is played."""


def waiting(match: Match, seat: Seat) -> tuple[Section, ...]:
    """Return the section with the questions that a seat has not answered yet; () if there are none."""
    return _unanswered(match, questions.of_seat(match, seat))


def undecided(match: Match) -> list[Seat]:
    """Return the seats whose orders stand, but which have yet to answer a question about orders or about a held
    letter."""
    return [
        seat
        for seat in match.standing
        if any(question.kind in ("orders", "provisional", "letter") for question in questions.of_seat(match, seat))
    ]


def lapsed(match: Match, seat: Seat, *, missed: bool) -> tuple[Section, ...]:
    """Return the section with the questions that a seat had not answered when the turn was played; () if there are
    none. If the seat `missed` the turn, this may be because one of its letters is held, so held letters are
    included."""
    kinds = {*_LAPSING, "letter"} if missed else _LAPSING
    open_questions = tuple(question for question in questions.of_seat(match, seat) if question.kind in kinds)
    return _unanswered(match, open_questions, lapsed=match.round, missed=missed)


def _unanswered(match: Match, open_questions: tuple[Question, ...], **further: Any) -> tuple[Section, ...]:
    """Return the section on questions that are open, or that were open until the turn was played; () if there are no
    questions. `further` contains further values for the section."""
    values = {"match": match, "questions": open_questions, "lapsed": "", "missed": False, **further}
    return (Section("waiting", values),) if open_questions else ()


def report(match: Match, turn: Turn, seat: Seat | None) -> Section:
    """Return the section that reports a turn to `seat` or, if None, to the public."""
    game, reader = match.game, match.reader(seat)
    awaited = game.awaiting(turn.before)
    values = {
        "match": match,
        "seat": seat,
        "played": name_of(match, turn),
        "goes_on": within_turn(game, turn.after) and not within_turn(game, turn.before),
        "orders": [
            (
                name,
                match.holders[name],
                bool(entry and entry.came),
                entry and game.redact_orders(entry.played, name, reader, turn.before, turn.after),
                name in awaited,
                match.gone.get(name, turn.turn + 1) <= turn.turn,
            )
            for name, entry in sorted(turn.orders.items(), key=lambda order: order[0] != seat)
        ],
        "story": partial(game.story, game.view(turn.before, reader), game.redact_events(turn.events, reader)),
    }
    return Section("report", values)


def _record(match: Match) -> tuple[Section, ...]:
    """Return the section with the record of a match that is finished, otherwise (). It is part of the last report."""
    return (Section("record", {"match": match}),) if match.phase == "finished" and match.result else ()


def tell(match: Match, change: Course, now: datetime, **values: Any) -> list[Effect]:
    """Return letters that tell every seat and observer about a change in the course of a match, with the current board.
    A seat that has given up gets no letter, unless it gives up with this very change or the match is over."""
    key = f"{change.replace(' ', '-')}-{match.turn}-{now:%Y%m%d%H%M%S}"
    effects: list[Effect] = []
    for seat, holder in match.holders.items():
        if seat not in match.reading() and holder is not values.get("by"):
            continue
        section = course(change, match, seat, **values)
        effects.append(to_seat(match, holder, "course", key, section, *_board(match, seat, change)))
    for watcher in match.observers:
        section = course(change, match, None, **values)
        sections = (section, *_board(match, None, change))
        effects.append(to_watcher(match, watcher, "course", f"{key}-{match.name}", *sections))
    return effects


def _board(match: Match, seat: Seat | None, change: str) -> tuple[Section, ...]:
    """Return the sections with the board of a match for a letter about `change`, and with the record if the match ends;
    () if the board is about to change or must not be shown yet."""
    if change == "reopen" and match.phase == "offered" and seat and seat not in match.accepted:
        return (invitation(match, seat),)
    if change in ("process", "readjudicate", "words", "closed", "silent", "replay") or match.phase in (
        "offered",
        "review",
    ):
        return ()
    if not match.accepted_by_all:
        return ()
    begun = opening(match, seat) if change == "begin" else ()
    return *begun, position(match, seat, key=change == "replace"), *(_record(match) if change == "end" else ())


_SAID_BY: Mapping[Notice, frozenset[Course]] = {
    "agreed": frozenset(("end", "rollback", "extended", "pause", "resume", "annul")),
    "resigned": frozenset(("end", "resigned")),
    "begun": frozenset(("accepted", "begin")),
    "taken over": frozenset(("replace",)),
}
"""Notices that say nothing more than a letter to everybody about one of these changes."""


def with_answer(effects: list[Effect]) -> list[Effect]:
    """Return `effects` with the answer to a letter joined to the letter that tells its writer, like everybody else,
    what has come of it: one letter in place of two. An answer that asks something, or that is about orders, stays
    apart."""
    asks_or_takes = (Ask, Propose, TellOpen, NewAddress, TakeOrders, SetStanding)
    answer = next((effect for effect in effects if isinstance(effect, Send) and effect.kind == "answer"), None)
    if answer is None or any(isinstance(effect, asks_or_takes) for effect in effects):
        return effects
    told = [effect for effect in effects if isinstance(effect, Send) and _goes_with(effect, answer)]
    if not told:
        return effects
    joined = _joined(told[-1], answer)
    return [joined if effect is answer else effect for effect in effects if effect is not told[-1]]


def _goes_with(letter: Send, answer: Send) -> bool:
    """Return whether `letter` tells everybody about a change in the course of a match, and this copy of it goes to the
    reader of `answer`."""
    if letter.kind != "course" or not (letter.match and letter.holder) or letter.match.sandbox:
        return False
    if letter.player.address.lower() != answer.player.address.lower():
        return False
    of_seat = answer.match and answer.holder and (answer.match.id, answer.holder.seat)
    return not of_seat or of_seat == (letter.match.id, letter.holder.seat)


def _joined(letter: Send, answer: Send) -> Send:
    """Return `letter` with what else the answer says below its first section."""
    happened, *others = letter.sections
    shown = {section.template for section in others}
    beside = [
        section
        for section in answer.sections
        if not (section.template == "position" and "position" in shown)
        and happened.values["what"] not in _SAID_BY.get(section.values.get("reason", ""), ())
    ]
    player = answer.player if answer.player.id == letter.player.id else letter.player  # as this letter has changed it
    return letter._replace(player=player, sections=(happened, *beside, *others), answers=answer.answers)


def written_to(match: Match) -> tuple[Seat, ...]:
    """Return the seats that get a letter that goes to everybody, even to those who have given up."""
    return match.reading() if match.sandbox else match.seats


def to_seat(match: Match, holder: Holder, kind: str, key: str, *sections: Section) -> Send:
    """Return a letter to the holder of a seat, who can answer it with orders."""
    return Send(kind, key, holder.player, sections, holder, match, match.turn)


def to_master(match: Match | None, key: str, *sections: Section) -> Send:
    """Return a letter to the game masters of a match or, if `match` is None, of the desk."""
    return Send("game master", key, GAME_MASTER, sections, match=match)


def call_off(match: Match, reason: str) -> list[Effect]:
    """Return letters that call off a match that has not begun. They go to players who have accepted, but not to those
    who have not answered. In a league, they go to everyone except the players who caused the cancellation; the league
    itself tells these players."""
    in_league = bool(match.league and match.gone)
    change: Course = "no show" if in_league and len(match.seats) == 2 else "declined"
    seats = match.playing() if in_league else [seat for seat in match.seats if seat in match.accepted]
    values = {"why" if change == "no show" else "reason": reason}
    return [
        to_seat(match, match.holders[seat], "course", "declined", course(change, match, seat, **values))
        for seat in seats
    ]


def ask_again(match: Match) -> list[Effect]:
    """Remind everyone who has yet to answer the invitation to a match."""
    key = f"reminder-0-{match.due:%Y%m%d%H%M}"
    letters = {seat: (course("unanswered", match, seat), invitation(match, seat)) for seat in match.seats}
    return [
        to_seat(match, match.holders[seat], "reminder", key, *sections)
        for seat, sections in letters.items()
        if seat not in match.accepted
    ]


def mail_fails(match: Match, seat: Seat, key: str) -> list[Effect]:
    """Tell the game master and, if the terms say so, the other players that letters to a seat are bouncing. This is not
    repeated until a letter from the seat arrives."""
    holder = match.holders[seat]
    if holder.failing:
        return []
    section = notice("mail fails", match=match, holder=holder)
    others = match.others(seat) if match.terms.failing else ()
    return [
        MarkFailing(match, seat, True),
        to_master(match, f"failing-{match.id}-{seat}-{key}", section),
        *(to_seat(match, reader, "notice", f"failing-{seat}-{key}", section) for reader in others),
    ]


def undelivered(match: Match, seat: Seat | None, writers: Iterable[Seat], key: str) -> list[Effect]:
    """Tell the `writers` that a message or an invitation of theirs could not be delivered to `seat` or, if `seat` is
    None, to a person to whom they have offered their own seat."""
    return [
        to_seat(
            match,
            match.holders[writer],
            "notice",
            f"undelivered-{writer}-{key}",
            notice("undelivered", match=match, holder=match.holders[seat] if seat else None),
        )
        for writer in writers
        if writer in match.holders and not match.holders[writer].is_computer
    ]


def digest(match: Match, seat: Seat, key: str) -> list[Effect]:
    """Return a letter that shows a seat its position, because the seat sent so many letters that it no longer got
    receipts."""
    where = position(match.as_told(), seat)
    return [to_seat(match, match.holders[seat], "digest", f"digest-{key}", notice("digest"), where)]


def new_address(match: Match, key: str) -> list[Effect]:
    """Return a letter to every seat of a match with a new reply address for the seat, because the command `rekey` makes
    the old addresses invalid."""
    as_known = match.as_told()
    return [
        to_seat(match, match.holders[seat], "rekey", f"rekey-{key}", notice("rekey"), position(as_known, seat))
        for seat in written_to(match)
    ]


def begin_letters(match: Match, unwanted: frozenset[Seat] = frozenset()) -> list[Effect]:
    """Return the effects that save the match, which may have a new deadline, and send the first letter to each seat,
    with the game, the opponents, the first map, and how to answer.

    If the match has not been set up yet, the letters ask for acceptance and go only to seats that have not accepted.
    Seats in `unwanted` get no letter.
    """
    effects: list[Effect] = [Save(match)]
    for seat, holder in match.holders.items():
        if (match.is_set_up or seat not in match.accepted) and seat not in unwanted:
            board = [*opening(match, seat), position(match, seat)] if match.is_set_up else []
            effects.append(to_seat(match, holder, "invitation", "invitation", invitation(match, seat), *board))
    return effects


def with_news(effects: list[Effect], news: News) -> list[Effect]:
    """Return `effects` with the sections in `news` at the end of the letters to each seat."""
    return [
        effect._replace(sections=(*effect.sections, *news.get(effect.holder.seat, ())))
        if isinstance(effect, Send) and effect.holder
        else effect
        for effect in effects
    ]
