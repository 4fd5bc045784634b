"""Answers to the questions that the desk has asked a person, given with `yes` and `no`; `own_words` finds answers in
other words. A single table defines the effects of these answers, and only this module decides which question an answer
belongs to.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from pbem.match import addresses, clock, motions, player_commands, questions, reports, seat_commands
from pbem.match.anonymous import renamed
from pbem.match.effects import Confirm, Dismiss, DropAddresses, EndOffer, Note, Refuse, Release, Save, TellOpen, course
from pbem.match.identity import Person
from pbem.match.lifecycle import may
from pbem.match.model import Match
from pbem.match.names import apart
from pbem.match.questions import EVENTS, Question
from pbem.match.reply import Reply
from pbem.orders import ambiguity, reader
from pbem.orders.ambiguity import Doubt, is_courtesy
from pbem.orders.reader import IllegalOrders
from pbem.orders.sentences import agreed_to, chosen_number

Proof = Literal["any", "direct", "exact"]
"""The letter that a `yes` must answer in order to count. "any": any letter, if no other question is open. "direct": the
letter that asks the question; the `yes` also counts if the desk cannot identify the letter that it answers. "exact":
the very letter that asks or lists the question, so that nobody can agree just because they got hold of some other
letter from the desk."""


class Row(NamedTuple):
    """The functions that carry out a `yes` and a `no` to one kind of question, and the proof that a `yes` requires."""

    yes: Callable[[Reply, Question], None]
    no: Callable[[Reply, Question], None]
    proof: Proof


def yes(reply: Reply, number: str = "") -> None:
    """Agree to the question that the letter answers or, if `number` is given, to the question with this number. A `yes`
    from an unconfirmed address also confirms the address."""
    if reply.seat or not _of_address(reply):
        _settle(reply, number, agreed=True)


def decline(reply: Reply, argument: str) -> None:
    """Decline the question that the letter answers, or the question whose number is `argument`. If `argument` is
    `always`, decline all open invitations and all future ones."""
    if argument != "always":
        _settle(reply, argument, agreed=False)
        return
    for question in open_to(reply):
        if question.kind in ("invitation", "seat"):
            ROWS[question.kind].no(reply, question)
    reply.notice("refused")
    player = reply.match.holders[reply.seat].player if reply.seat else reply.person
    reply.done.append(Refuse(replace(player, address=reply.case.address)))


def nothing_found(reply: Reply) -> None:
    """Answer a letter that contains neither orders nor a command. Such a letter may be about the orders that stand, or
    may choose from a list by number. Otherwise, the open questions are listed, because the letter may be meant as a yes
    or no. If there are none, a letter that contains nothing but courtesies, such as thanks, is answered with a short
    notice instead of help."""
    lines, open_questions = reply.reading.remarks or reply.case.words.lines(), open_to(reply)
    if doubts := _about_standing(reply, lines):
        reply.reading = reply.reading._replace(doubts=doubts)
        reply.doubtful()
    elif (number := chosen_number(lines)) and reply.case.facts.listing.answers:
        reply.reading = reply.reading._replace(remarks=())
        _settle(reply, number, agreed=True)
    elif open_questions:
        reply.notice("nothing found", remarks=reply.reading.remarks, problems=reply.case.problems)
        _list(reply, open_questions, gone=False)
    elif lines and all(map(is_courtesy, lines)):
        reply.notice("nothing to do", **reply.pending())
    else:
        reply.nothing_found()


def _about_standing(reply: Reply, lines: Sequence[str]) -> tuple[Doubt, ...]:
    """Return a doubt for each of `lines` that may be a remark about the orders that stand. Examples of such lines are
    `actually no` and `remove the bomb`."""
    match = reply.match
    if reply.seat not in match.standing:
        return ()
    situation = match.situation
    verdicts = ((line, ambiguity.verdict(situation, line, match.name, place="alone")) for line in lines)
    return tuple(
        Doubt(line, "turned")
        for line, verdict in verdicts
        if verdict == "turned"
        or (verdict == "perhaps" and (ambiguity.is_hard_above_all(line) or ambiguity.mentions_orders(situation, line)))
    )


# Which question is meant


def open_to(reply: Reply) -> tuple[Question, ...]:
    """Return all open questions to the writer, both about the letter's match and about the writer in person."""
    of_seat = questions.of_seat(reply.match, reply.seat) if reply.seat else ()
    if reply.case.confirmed:
        return of_seat
    return (*of_seat, *questions.of_person(reply.case.facts, () if reply.unconfirmed else reply.claims.values()))


def _settle(reply: Reply, number: str, *, agreed: bool) -> None:
    """Settle the question that the letter answers or, if `number` is given, the question with this number: with a yes
    if `agreed` is true, otherwise with a no. If it is not certain which question that is, list the open questions."""
    case, reading, open_questions = reply.case, reply.reading, open_to(reply)
    question = meant_by(reply, open_questions, number) or (
        None if agreed or number else _any_way(reply, open_questions)
    )
    beside = bool(reading.mistakes or reading.orders is not None)
    remarks = tuple(line for line in reading.remarks if agreed and not is_courtesy(line))
    if question and beside and (agreed or not number) and question.kind != "invitation":
        reply.notice("yes and orders")
    elif question and remarks and question.kind != "invitation":
        reply.once("beside yes", remarks=remarks)
    elif question:
        answer(reply, question, agreed=agreed)
    elif open_questions:
        _list(reply, open_questions, gone=_is_gone(reply, number, open_questions))
    elif reply.seat and case.answered.letter is not None and reply.turn != reply.match.turn:
        reply.too_late()
    else:
        proposed = reply.match.proposals.get(reply.seat) if reply.seat else None
        reply.once("nothing open", beside=beside, gone=bool(proposed) or _is_gone(reply, number, ()))


def answer(reply: Reply, question: Question, *, agreed: bool) -> None:
    row = ROWS[question.kind]
    (row.yes if agreed else row.no)(reply, question)


def _list(reply: Reply, open_questions: tuple[Question, ...], *, gone: bool) -> None:
    unseen = reply.case.untied
    reply.tell("open", match=reply.about, seat=reply.seat, questions=open_questions, gone=gone, unseen=unseen)
    reply.done.append(TellOpen(reply.case.letter, reply.person, tuple(question.key for question in open_questions)))


def meant_by(reply: Reply, open_questions: tuple[Question, ...], number: str) -> Question | None:
    """Return the question that the letter answers or, if `number` is given, the question with this number; None if it
    is not certain which question that is. If the letter says what it agrees to, such as a draw, a question about
    anything else is not returned."""
    named = "" if number else agreed_to(reply.case.text.splitlines())
    question = _find_question(reply, open_questions, number)
    if not named or (question and _is_called(question, named)):
        return question
    of_kind = [candidate for candidate in open_questions if _is_called(candidate, named)]
    return of_kind[0] if len(of_kind) == 1 and not _is_older(reply) else None


def _is_called(question: Question, named: str) -> bool:
    return question.kind == named or (question.kind == "provisional" and named == "orders")


def _any_way(reply: Reply, open_questions: tuple[Question, ...]) -> Question | None:
    """If the letter answers a proposal of several readings of an earlier letter, return the question about the first
    reading; otherwise return None. Declining this question rejects all the readings."""
    listing = reply.case.facts.listing
    ways = [question for question in open_questions if question.key in listing.keys] if listing.answers else []
    return ways[0] if ways and all(question.way for question in ways) else None


def _is_older(reply: Reply) -> bool:
    """Return whether the letter answers a letter from the desk that belongs to a turn other than the current one."""
    return reply.seat != "" and reply.case.answered.letter is not None and reply.turn != reply.match.turn


def _find_question(reply: Reply, open_questions: tuple[Question, ...], number: str) -> Question | None:
    """Return the question whose number is `number`. Without a number, return the question that the answered letter
    asks, or else the only open question. Return None if it is not certain enough that this question is meant."""
    case, listing = reply.case, reply.case.facts.listing
    if number:
        listed = dict(enumerate(listing.keys, 1)).get(int(number))
        named = next((question for question in open_questions if question.key == listed), None)
        return named if named and (listing.answers or ROWS[named.kind].proof != "exact") else None
    if listing.answers:  # the answered letter lists the questions that were open
        candidates = (
            [question for question in open_questions if question.key in listing.keys] if len(listing.keys) == 1 else []
        )
        return candidates[0] if candidates else None
    if answered := case.answered.letter:
        candidates = [question for question in open_questions if answered in question.letters]
        if not candidates and reply.seat:
            candidates = [*questions.proposals(reply.match, reply.seat, answered)]
        if candidates:
            return candidates[0] if len(candidates) == 1 else None
    if case.answered.wish:  # the answered letter reports a wish of the others
        return next(
            (
                question
                for question in open_questions
                if question.kind == case.answered.wish and question.asked_with in ("", case.answered.wish_key)
            ),
            None,
        )
    only = open_questions[0] if len(open_questions) == 1 else None
    proof = ROWS[only.kind].proof if only else "exact"
    return (
        None
        if _is_older(reply) or proof == "exact" or (proof == "direct" and case.answered.letter is not None)
        else only
    )


def _is_gone(reply: Reply, number: str, open_questions: tuple[Question, ...]) -> bool:
    """Return whether the question that the letter answers or, if `number` is given, the question with this number is no
    longer open. The result is false for a number that is not in the list of questions."""
    listing, keys = reply.case.facts.listing, [question.key for question in open_questions]
    if number:
        return 0 < int(number) <= len(listing.keys) and listing.keys[int(number) - 1] not in keys
    is_listed = any(key in listing.keys for key in keys)
    return bool(reply.case.answered.wish) or (listing.answers and not is_listed)


# Writers with an unconfirmed address


def _of_address(reply: Reply) -> bool:
    """Let a `yes` confirm the address that it came from, if this address has yet to be confirmed; return whether the
    `yes` needs no further handling."""
    case, player = reply.case, reply.person
    confirm = Confirm(replace(player, name=case.name or player.name), case.address)
    claim = reply.claims.get(case.address)
    if case.confirmed:  # a letter that needed a `yes` itself is not an answer
        reply.notice("nothing asked")
    elif reply.unconfirmed and case.address != player.address.lower():
        if claim and claim.free and not claim.taken_at:
            addresses.agree(reply, claim, there=True)
        else:
            reply.notice("nothing asked")
    elif reply.unconfirmed:
        reply.done.append(confirm)
        if open_to(reply):
            return False
        reply.notice("address yours", address=case.address, old=False, instead="")
        reply.introduce()
    else:
        return False
    return True


# The effect of each answer


def _take(reply: Reply, question: Question) -> None:
    """Take the orders that the question proposes, standing ones included, as if the writer had sent them."""
    match, seat = reply.match, reply.seat
    if not reply.current:
        reply.too_late()
        return
    try:
        orders, standing = reader.parse_all(match.standpoint(seat), question.about)
    except IllegalOrders:
        reply.notice("nothing open", beside=False, gone=True)
        return
    if standing:
        reply.stand(standing)
    if orders is not None:
        reply.take(orders)


def _dismiss(reply: Reply, question: Question) -> None:
    """Close `question` after a `no`, and dismiss any held letters that it is about."""
    reply.done += [Dismiss(letter, reply.about) for letter in question.letters]
    if question.way:
        ways = reply.match.proposals[reply.seat][question.letters[-1]]
        question = question._replace(about=" / ".join(ways))
    if question.kind == "orders" and reply.seat and reply.match.is_provisional(reply.seat):
        match, seat = reply.match, reply.seat  # the turn no longer waits for the answer
        others = {letter: ways for letter, ways in match.proposals[seat].items() if letter not in question.letters}
        reply.do([Save(replace(match, proposals={**match.proposals, seat: others}))])
    reply.notice("dropped", question=question)


def _do(reply: Reply, question: Question) -> None:
    """Close `question`, and have the command that it asks about carried out."""
    open_command = question.open_command
    assert open_command
    reply.done.append(Dismiss(open_command.letter, reply.about))
    reply.agreed = open_command.command


def _wish_too(reply: Reply, question: Question) -> None:
    seat_commands.WISHES[question.kind](reply)


def _wish_not(reply: Reply, question: Question) -> None:
    seat_commands.decline_wish(reply, question.kind)  # type: ignore[arg-type]


def _vote_for(reply: Reply, question: Question) -> None:
    motions.cast(reply, question.kind, agrees=True)  # type: ignore[arg-type]


def _vote_against(reply: Reply, question: Question) -> None:
    motions.cast(reply, question.kind, agrees=False)  # type: ignore[arg-type]


def _take_part(reply: Reply, _: Question) -> None:
    """Accept the game on behalf of the seat. If the holder of the seat is unconfirmed or has no name, the name in the
    letter is stored. The game begins once all players have accepted."""
    match, seat, case = reply.match, reply.seat, reply.case
    holder = match.holders[seat]
    if (reply.unconfirmed or not holder.player.name) and case.name:
        name = apart(case.name, [holder.own_name for holder in match.others(seat)])
        holder = replace(renamed(holder, name), player=replace(holder.player, name=case.name))
    accepted = match.accepted | {seat}
    after = replace(match, accepted=accepted, holders={**match.holders, seat: holder})
    reply.do([Save(after), Confirm(holder.player, case.address), Note("accept", {"seat": seat}, after)])
    reply.done += reply.taking_part()
    reply.bring(case.brings)
    if accepted.issuperset(match.seats):
        reply.do(clock.begin(reply.match, reply.now))
        reply.notice("begun")
    else:
        reply.notice("accepted")
    if not holder.player.name:
        reply.introduce()


def _take_no_part(reply: Reply, _: Question) -> None:
    reply.do(clock.decline(reply.match, reply.seat or "", reply.now))
    reply.notice("declined")


def _release(reply: Reply, question: Question) -> None:
    """Release all held letters that `question` is about, so that they are handled now, the newest last."""
    player = reply.match.holders[reply.seat].player if reply.seat and question.about else reply.person
    reply.done += [Release(letter, player) for letter in question.letters]
    if not question.about:
        reply.notice("confirmed")
        return
    reply.notice("released", address=question.about, letters=len(question.letters))
    sender = reply.invitee(question.about)
    unwanted = sender.player or sender.refuses or sender.banned or sender.ours
    if not unwanted and player_commands.has_room(reply, sender):  # only the person there can say whose address it is
        reply.invited += 1
        reply.done += addresses.ask_there(reply, reply.person, sender.address, agreed=True)


def _take_address(reply: Reply, question: Question) -> None:
    addresses.agree(reply, reply.claims[question.about.lower()])


def _leave_address(reply: Reply, question: Question) -> None:
    reply.done.append(DropAddresses(reply.person, (question.about,)))
    reply.notice("dropped", question=question)


def _take_seat(reply: Reply, question: Question) -> None:
    match, seat = _offered(reply, question)
    player, case = reply.person, reply.case
    if not may(match, "somebody hands over"):
        reply.notice("not now", at=match)
        return
    if seat in match.gone:
        reply.notice("seat gone", at=match)
        return
    if match.held_by(player):
        reply.notice("own game", name=match.name)
        return
    to = Person(player.name or case.name or str(match.game.called[seat]), player.address)
    reply.done += clock.change_holder(match, seat, to, reply.now, "")
    reply.notice("taken over", at=match, taken=seat)


def _leave_seat(reply: Reply, question: Question) -> None:
    match, seat = _offered(reply, question)
    section = course("offer declined", match, seat)
    key = reply.key("offer-declined")
    reply.done += [EndOffer(match, seat), reports.to_seat(match, match.holders[seat], "course", key, section)]
    reply.notice("seat declined")


def _offered(reply: Reply, question: Question) -> tuple[Match, str]:
    return next((match, seat) for match, seat, _ in reply.case.facts.offered if match.name == question.about)


ROWS: Mapping[str, Row] = {
    "invitation": Row(_take_part, _take_no_part, "any"),
    "orders": Row(_take, _dismiss, "any"),
    "provisional": Row(_take, lambda reply, _: reply.withdraw(), "any"),
    "command": Row(_do, _dismiss, "exact"),
    **dict.fromkeys(seat_commands.WISHES, Row(_wish_too, _wish_not, "direct")),
    **dict.fromkeys(EVENTS, Row(_vote_for, _vote_against, "direct")),
    "letter": Row(_release, _dismiss, "exact"),
    "address": Row(_take_address, _leave_address, "exact"),
    "seat": Row(_take_seat, _leave_seat, "any"),
}
"""The effects of `yes` and `no`, keyed by kind of question."""
