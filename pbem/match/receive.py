"""The service core: what a letter means for a match and its people. Values and `now` in, effects out."""

from dataclasses import replace
from datetime import datetime

from pbem.games.base import Seat
from pbem.match import disputes, door, gm_commands, only_game, player_commands, press, seat_commands
from pbem.match.commitments import new_secret
from pbem.match.effects import Confirm, Effect, Hold, MarkFailing, Offer, Outcome, Save, Send
from pbem.match.identity import GAME_MASTER, MASTER, ME, Player, Token
from pbem.match.lifecycle import may
from pbem.match.model import Case, Match, Section
from pbem.match.obey import obey, offer
from pbem.match.reply import Reply
from pbem.match.sections import opening, position, where_it_stands
from pbem.orders import reader
from pbem.orders.command import Command, Decision, Help, Inquiry, Later, Simple, in_words
from pbem.orders.commands import row_of
from pbem.orders.doubt import is_courtesy
from pbem.orders.sentences import nearly
from pbem.orders.understanding import another_game

_ANSWERS = ("answer", "stranger")

_SAME, _SAME_DONE = 3, 30
"""How often the same words in a row are answered that say nothing to us; and in one turn, if they do and no sign of a
machine is on them."""


def receive(case: Case, now: datetime) -> list[Effect]:
    """What a letter comes to. Orders count as one unit, each command on its own, and the answer tells it all."""
    writer, match = case.writer, case.match
    if case.returned and match and writer.token and writer.token.seat in match.holders:
        return [Outcome("delivery report"), *mail_fails(match, writer.token.seat, f"letter-{case.letter}")]
    if case.automatic:
        return _use_automatic(case, now)
    return _unless_repeated(case, _reply(case, now))


def outcome_of(effects: list[Effect]) -> str:
    """What became of a letter, in a few words."""
    return next(effect.text for effect in effects if isinstance(effect, Outcome))


def _reply(case: Case, now: datetime) -> list[Effect]:
    """What a person's letter comes to."""
    writer, match = case.writer, case.match
    if case.banned:
        return [Outcome("not used: the writer is banned")]
    if writer.failure and writer.token:
        return _warn_owner(case, writer.token)
    if writer.failure == "stranger" or writer.player is None:
        return door.reply_to_stranger(case)
    if case.lapsed and (doubtful := _doubtful(case, now)):
        return _ask_back(case, doubtful)
    of_no_seat = writer.token is not None and writer.token.seat in (ME, MASTER)
    if case.confirmed if writer.failure else of_no_seat:
        return _reply_to_person(case, now)
    if match is None or writer.token is None:
        return _ask(case, now)
    effects = _reply_to_seat(Reply(case, now, match, writer.token))
    if match.holders[writer.token.seat].failing:
        effects.append(MarkFailing(match, writer.token.seat, False))
    return effects


def _use_automatic(case: Case, now: datetime) -> list[Effect]:
    """Nobody answers an automatic letter (RFC 3834). But some providers mark people's letters so, and some people have
    addresses like a program's: with a token and from the address of its seat, orders and commands are used, and
    answered if the letter is only perhaps a machine's, or has orders, and nothing but its subject speaks for one."""
    writer, match, why = case.writer, case.match, f"automatic: {case.automatic}"
    token = writer.token
    if case.banned or writer.failure or token is None or (case.lapsed and _doubtful(case, now)):
        return [Outcome(why)]
    found, perhaps = bool(case.words.commands), case.perhaps
    if match and token.seat in match.holders:
        reading = reader.read_orders(match.game, match.state, token.seat, case.words)
        found = found or reading.orders is not None or bool(reading.standing)
        found = found or bool(case.perhaps and (reading.mistakes or reading.doubts))
        found = found and (case.perhaps or not reading.mistakes)
        perhaps = perhaps or (case.by_subject and reading.orders is not None)
    if found and perhaps:
        return _unless_repeated(case, _reply(case, now))
    return _unanswered(_reply(case, now), f"{why}; used, not answered") if found else [Outcome(why)]


def _unless_repeated(case: Case, effects: list[Effect]) -> list[Effect]:
    """The same words again and again are a program's, which has answered our answers: they get none any more."""
    done = any(not isinstance(effect, Outcome | Send | MarkFailing) for effect in effects)
    in_a_row, in_this_turn = case.repeats
    most = _SAME if case.perhaps else _SAME_DONE
    if in_this_turn >= most if done or case.words.commands else in_a_row >= _SAME:
        return _unanswered(effects, "not answered: the same words again")
    return effects


def _unanswered(effects: list[Effect], why: str) -> list[Effect]:
    """What a letter comes to, but for the answer to its writer."""
    others = [
        one for one in effects if not (isinstance(one, Outcome) or (isinstance(one, Send) and one.kind in _ANSWERS))
    ]
    return [Outcome(why), *others]


def _reply_to_seat(reply: Reply) -> list[Effect]:
    """A letter of a seat: commands first, each on its own, then the orders as a whole."""
    match, seat = reply.table, reply.seat
    reading = reader.read_orders(match.game, match.state, seat, reply.case.words)
    if reply.case.answers_press and _may_be_for_people(reading):  # and only look like orders, or like questions to us
        reading = reader.Reading(commands=reply.case.words.commands, remarks=reply.case.words.lines())
    meant = reading.mistakes or reading.doubts or reading.orders is not None
    if meant and (name := another_game(reading, match.name)):
        reply.notice("another game", name=name)
        return reply.effects()
    reply.reading = reading
    status, commands = Simple("status"), reading.commands
    to_look = [one for one in commands if one == status or isinstance(one, Inquiry)]  # at what the letter comes to
    if reading.mistakes:  # a letter's orders are taken as a whole or not at all
        reading = reading._replace(commands=tuple(one for one in reading.commands if not isinstance(one, Later)))
    if reading.doubts:
        reading = reading._replace(commands=tuple(one for one in reading.commands if row_of(one).trust == "address"))
    for command in reading.commands:
        if command not in to_look:
            obey(reply, command)
    _orders_or_words(reply, reading)
    for command in to_look:
        obey(reply, command)
    seat_commands.tell_wishes(reply)
    return reply.effects()


def _may_be_for_people(reading: reader.Reading) -> bool:
    """Whether words in answer to press may be meant for whom it is from."""
    asks = any(isinstance(one, Inquiry) for one in reading.commands)
    return reading.everyday or (asks and reading.orders is None and not reading.mistakes and not reading.doubts)


def _orders_or_words(reply: Reply, reading: reader.Reading) -> None:
    """What a seat's letter says besides commands: orders, what may be some, words for others, or nothing."""
    if reading.mistakes or reading.orders is not None or reading.standing or reading.readings:
        reply.orders()
    elif not (reading.commands or reply.reading.commands) and press.answer(reply):
        pass
    elif not reply.reading.commands and (near := nearly(reply.case.words.lines())):
        offer(reply, *near)
    elif not reply.reading.commands and disputes.is_for_a_person(reply.case.text):
        disputes.ask(reply, reply.case.text)
        reply.reading = reader.Reading()  # nothing of it is left that was not read
    elif reading.doubts:
        reply.doubtful()
    elif Simple("check") in reading.commands:
        reply.notice("nothing to check")
    elif not reading.commands:
        reply.nothing_found() if may(reply.table, "orders come") else reply.too_late()


def _reply_to_person(case: Case, now: datetime) -> list[Effect]:
    """A letter of somebody we are sure of, but about no seat: his own commands, and a game master's."""
    token = case.writer.token
    about = case.match if token and token.seat == MASTER else None
    reply = Reply(case, now, about)
    remarks = case.words.lines()
    found = case.words.commands
    if about:
        found = tuple(gm_commands.as_decision(one, about) for one in found)
    reply.reading = reader.Reading(commands=found, remarks=remarks)
    unsure = _unsure(reply, found)
    unsure, beside = _unsure(reply, found), tuple(line for line in remarks if not is_courtesy(line))
    for command in found:
        if beside and command.word in ("yes", "accept"):
            reply.once("beside yes", remarks=beside)
        elif unsure and row_of(command).trust != "asked":
            reply.notice("confirm first", address=case.address)
        else:
            obey(reply, command)
    if not found and not unsure and not about and disputes.is_for_a_person(case.text):
        disputes.ask(reply, case.text)
        reply.reading = reader.Reading()
    elif not found:
        reply.notice("nothing found", remarks=remarks, problems=case.problems)
        player_commands.status(reply)
    if any(section.template == "master_status" for section in reply.sections):
        sections, notes = gm_commands.open_orders(case)
        reply.sections += sections
        reply.done += notes
    return reply.effects()


def _unsure(reply: Reply, found: tuple[Command, ...]) -> bool:
    """Whether the address is not theirs yet, or not any more; of a game master's the proof is that our letter to it is
    answered."""
    case = reply.case
    if reply.match and case.unconfirmed:
        reply.done.append(Confirm(reply.person, case.address))
        return False
    new = case.address == reply.person.address.lower()  # as yet they have no other
    return case.unconfirmed and not (new and any(one in found for one in (Simple("yes"), Simple("accept"))))


def mail_fails(match: Match, seat: Seat, key: str) -> list[Effect]:
    """Letters to a seat come back: the game master is told, once until the seat is heard of again."""
    holder = match.holders[seat]
    if holder.failing:
        return []
    notice = Section("notice", {"reason": "mail fails", "match": match, "holder": holder})
    told: list[Effect] = [Send("game master", f"failing-{match.id}-{seat}-{key}", GAME_MASTER, (notice,), match=match)]
    if match.terms.failing:
        told += [
            Send("notice", f"failing-{seat}-{key}", other.player, (notice,), other, match, match.turn)
            for other in match.others(seat)
        ]
    return [MarkFailing(match, seat, True), *told]


def _warn_owner(case: Case, token: Token) -> list[Effect]:
    """A proven token, but not from its owner's address, or not signed: the owner is told, never the writer.

    A letter with a seat's token from an address that nobody has is held: the holder may say that it is theirs.
    """
    match, writer, key = case.match, case.writer, f"warning-{case.letter}"
    holder = match.holders.get(token.seat) if match else None
    owner = holder.player if holder else writer.owner
    assert owner is not None
    hold = bool(writer.failure == "another address" and holder and writer.player is None and case.address)
    reason = "held" if hold else writer.failure
    if writer.failure == "unsigned" and writer.player != owner:
        reason = "another address"
    notice = Section("notice", {"reason": reason, "address": case.address})
    turn = match.turn if match else 0
    kind = "question" if hold else "warning"
    warning = Send(kind, key, owner, (notice,), holder, match if holder else None, turn)
    if hold:
        return [Outcome("the token of a seat, from another address"), Hold(case.letter, case.address), warning]
    other = writer.player
    signed = writer.failure != "unsigned"
    known = _which_game(case, "not yours")[1:] if signed and other and other.id != owner.id else []
    told = [warning] if holder or (other is None and case.known) or not signed else []
    return [Outcome(f"not used: {writer.failure}"), *told, *known]


def apologise(case: Case) -> list[Effect]:
    """A letter of a seat that we failed on: it is kept, the writer is told, and his turn does not pass meanwhile."""
    match, token = case.match, case.writer.token
    if case.automatic or case.writer.failure or match is None or token is None or token.seat not in match.holders:
        return []
    holder, key = match.holders[token.seat], f"aside-{case.letter}"
    notice = Section("notice", {"reason": "set aside"})
    to_master = Section("notice", {"reason": "seat set aside", "match": match, "holder": holder})
    return [
        Send("answer", key, holder.player, (notice,), holder, match, match.turn, case.message_id),
        Send("game master", key, GAME_MASTER, (to_master,), match=match),
    ]


def _ask(case: Case, now: datetime) -> list[Effect]:
    """A letter of somebody we know that no token ties to him: what changes anything waits for his `yes`."""
    player = case.writer.player
    assert player is not None
    found = case.words.commands
    changing = [
        one
        for one in found
        if row_of(one).trust in ("anybody", "person")
        or (isinstance(one, Decision) and not gm_commands.why_not(Reply(case, now), one))
    ]
    if case.writer.failure == "unsigned":
        notice = Section("notice", {"reason": "unsigned"})
        unsigned = Send("unproven", f"answer-{case.letter}", player, (notice,), answers=case.message_id)
        return [Outcome("not used: unsigned"), unsigned]
    if case.writer.failure != "no token":
        return _which_game(case, "not yours" if case.writer.failure == "another address" else case.writer.failure or "")
    if not changing:
        return only_game.ask(case) or _reply_to_known(Reply(case, now), found)
    if case.trust == "address" and not case.unconfirmed:
        return _reply_to_person(replace(case, confirmed=True), now)
    return _ask_back(case, changing)


def _ask_back(case: Case, changing: list[Command]) -> list[Effect]:
    """What the letter asks for is done when its writer says, in answer to ours, that it is theirs."""
    player = case.writer.player
    assert player is not None
    notice = Section("notice", {"reason": "confirm", "words": [in_words(one) for one in changing]})
    confirm = Send("question", f"warning-{case.letter}", player, (notice,), answers=case.message_id)
    return [Outcome("waits for the writer's yes"), Hold(case.letter, case.address), confirm]


def _doubtful(case: Case, now: datetime) -> list[Command]:
    """What a token that has lapsed does not do by itself; a `yes` has a proof of its own in the letter it answers."""
    of_master = case.writer.token is not None and case.writer.token.seat == MASTER
    reply = Reply(case, now, case.match if of_master else None)
    harmless = ("yes", "accept", "decline", "check", "resend", "history")
    return [
        one
        for one in case.words.commands
        if row_of(one).trust != "address" and one.word not in harmless
        if not (isinstance(one, Decision) and gm_commands.why_not(reply, one))
    ]


def _reply_to_known(reply: Reply, found: tuple[Command, ...]) -> list[Effect]:
    """Nothing in the letter changes anything, or nothing that the writer may: he is told so."""
    refused = [(one, gm_commands.why_not(reply, one)) for one in found if isinstance(one, Decision)]
    if not refused:
        return _which_game(reply.case, "no token")
    for decision, why in refused:
        gm_commands.refuse(reply, decision, why)
    return reply.effects()


def _which_game(case: Case, failure: str) -> list[Effect]:
    """A letter of somebody we know that no token ties to one seat: the answer goes to the address on file."""
    player = case.writer.player
    assert player is not None
    found = case.words.commands
    sections = [Section("help", {"topic": one.topic}) for one in dict.fromkeys(found) if isinstance(one, Help)]
    if not found or any(row_of(one).trust not in ("anybody", "address") for one in found):
        sections.append(Section("notice", {"reason": failure}))
    shown, notes = gm_commands.open_orders(case)
    sections += [*player_commands.games_of(case), *shown]
    return [
        *notes,
        Outcome(f"answered without a game: {failure}"),
        Send("unproven", f"answer-{case.letter}", player, tuple(sections), answers=case.message_id),
    ]


def digest(match: Match, seat: Seat, key: str) -> list[Effect]:
    """Instead of the receipts that a seat did not get because it sent so many letters: where it stands."""
    holder = match.holders[seat]
    sections = (Section("notice", {"reason": "digest"}), position(match.as_told(), seat))
    return [Send("digest", f"digest-{key}", holder.player, sections, holder, match, match.turn)]


def new_address(match: Match, key: str) -> list[Effect]:
    """After `rekey`: every seat of a match gets a letter that it can answer again."""
    notice, told = Section("notice", {"reason": "rekey"}), match.as_told()
    return [
        Send("rekey", f"rekey-{key}", holder.player, (notice, position(told, seat)), holder, match, match.turn)
        for seat, holder in match.holders.items()
    ]


def put_back(match: Match, since: str) -> list[Effect]:
    """After the database was put back to an older one: every seat is told where its game stands, and what to send
    again. Dice that may have been opened fall anew.

    `since` is the moment after which all was forgotten, in words.
    """
    match = replace(match, secret=new_secret(match, f"turn {match.turn} put back"))
    told: list[Effect] = [Save(match)]
    for seat, holder in match.holders.items():
        notice = Section("notice", {"reason": "put back", "since": since, "match": match, "seat": seat})
        sections = (notice, *where_it_stands(match, seat))
        told.append(Send("put back", "put-back", holder.player, sections, holder, match, match.turn))
    return told


def put_back_for_master(since: str) -> Send:
    """The desk's game master is told the same."""
    notice = Section("notice", {"reason": "put back for master", "since": since})
    return Send("game master", "put-back", GAME_MASTER, (notice,))


def begin_letters(match: Match, unwanted: frozenset[Seat] = frozenset()) -> list[Effect]:
    """The first letter to each seat: what game this is, against whom, the first map, how to answer.

    Whoever has not accepted yet is asked, but for the `unwanted`; the match, whose deadline may be new, is saved.
    """
    letters = [
        Send(
            "invitation",
            "invitation",
            holder.player,
            (
                Section("invitation", {"match": match, "seat": seat, "others": match.others(seat)}),
                *([*opening(match, seat), position(match, seat)] if match.phase == "running" else []),
            ),
            holder,
            match,
            match.turn,
        )
        for seat, holder in match.holders.items()
        if (match.phase == "running" or seat not in match.accepted) and seat not in unwanted
    ]
    return [Save(match), *letters]


def offer_letter(offer: Offer, player: Player) -> list[Effect]:
    """A seat is offered by who holds it."""
    section = Section("course", {"what": "offer", "match": offer.match, "seat": offer.seat})
    return [Send("invitation", f"offer-{offer.letter}", player, (section,), match=offer.match)]
