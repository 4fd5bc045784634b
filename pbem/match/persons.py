"""Letters of people we know that are about no seat, or that no token ties to one: a person's own commands, a game
master's decisions, and what waits for a `yes`."""

from dataclasses import replace
from datetime import datetime

from pbem.match import disputes, gm_commands, intents, only_game, player_commands, quoted
from pbem.match.effects import Confirm, Effect, Hold, Outcome, Send
from pbem.match.identity import MASTER
from pbem.match.model import Case, Section
from pbem.match.obey import obey
from pbem.match.reply import Reply
from pbem.orders import reader
from pbem.orders.command import Asking, Command, Decision, Help, in_words
from pbem.orders.commands import row_of
from pbem.orders.doubt import is_courtesy
from pbem.orders.intents import find_intent
from pbem.orders.sentences import complains


def reply_to_person(case: Case, now: datetime) -> list[Effect]:
    """A letter of somebody we are sure of, but about no seat: his own commands, and a game master's."""
    token = case.writer.token
    about = case.match if token and token.seat == MASTER else None
    reply = Reply(case, now, about)
    remarks = case.words.lines()
    found = case.words.commands
    if about:
        found = tuple(gm_commands.as_decision(one, about) for one in found)
    reply.reading = reader.Reading(commands=found, remarks=remarks)
    unsure, beside = _unsure(reply, found), tuple(line for line in remarks if not is_courtesy(line))
    for command in found:
        if beside and command.word in ("yes", "accept"):
            reply.once("beside yes", remarks=beside)
        elif unsure and row_of(command).trust != "asked":
            reply.notice("confirm first", address=case.address)
        else:
            obey(reply, command)
    for_a_person = () if about else _for_a_person(case)
    if for_a_person:
        disputes.ask(reply, "\n".join(for_a_person))
        reply.reading = reply.reading._replace(remarks=tuple(line for line in remarks if line not in for_a_person))
    elif not found and not intents.answer_person(reply):
        reply.notice("nothing found", remarks=remarks, problems=case.problems)
        player_commands.status(reply)
    if any(section.template == "master_status" for section in reply.sections):
        sections, notes = gm_commands.open_orders(case)
        reply.sections += sections
        reply.done += notes
    return reply.effects()


def _for_a_person(case: Case) -> list[str]:
    """The lines of a letter that are for the game master: all of one that wants a person, or what complains beside
    commands."""
    if case.words.commands:
        return [line for line in case.words.lines() if complains(line)]
    return case.text.splitlines() if wants_a_person(case) else []


def wants_a_person(case: Case) -> bool:
    """Whether words that are no command want somebody who decides."""
    intent = find_intent(case.words.lines())
    return complains(case.text) or (intent is not None and intent.name in ("person", "time"))


def _unsure(reply: Reply, found: tuple[Command, ...]) -> bool:
    """Whether the address is not theirs yet, or not any more; of a game master's the proof is that our letter to it is
    answered, and of somebody who has no other one, that a command is."""
    case, only = reply.case, reply.case.address == reply.person.address.lower()
    sure = bool(reply.match) or (only and any(one.word not in ("yes", "accept", "decline") for one in found))
    if case.unconfirmed and sure:
        reply.done.append(Confirm(reply.person, case.address))
    return case.unconfirmed and not (sure or (only and found))


def ask(case: Case, now: datetime) -> list[Effect]:
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
        unsigned = Send("unproven", f"answer-{case.mark}", player, (notice,), answers=case.message_id)
        return [Outcome("not used: unsigned"), unsigned]
    if case.writer.failure != "no token":
        return which_game(case, "not yours" if case.writer.failure == "another address" else case.writer.failure or "")
    if asked := only_game.ask(case):
        return asked
    if not found and wants_a_person(case):
        changing = [Asking("gm", " ".join(case.text.split()))]
    if not changing:
        told = case.words._replace(told=tuple(quoted.parts(case.words.told)))
        return _reply_to_known(Reply(replace(case, words=told), now), found)
    if case.trust == "address" and not case.unconfirmed:
        return reply_to_person(replace(case, confirmed=True), now)
    return ask_back(case, changing)


def ask_back(case: Case, changing: list[Command]) -> list[Effect]:
    """What the letter asks for is done when its writer says, in answer to ours, that it is theirs."""
    player = case.writer.player
    assert player is not None
    written = [in_words(one) for one in changing]
    words = quoted.shares(zip(written, (len(one.word) for one in changing), strict=True))
    notice = Section("notice", {"reason": "confirm", "words": words, "part": words != written})
    confirm = Send("question", f"warning-{case.mark}", player, (notice,), answers=case.message_id)
    return [Outcome("waits for the writer's yes"), Hold(case.letter, case.address), confirm]


def doubtful(case: Case, now: datetime) -> list[Command]:
    """What a token that has lapsed does not do by itself."""
    of_master = case.writer.token is not None and case.writer.token.seat == MASTER
    reply = Reply(case, now, case.match if of_master else None)
    harmless = ("check", "resend", "history")
    return [
        one
        for one in case.words.commands
        if row_of(one).trust != "address" and one.word not in harmless and not _is_proven(case, one)
        if not (isinstance(one, Decision) and gm_commands.why_not(reply, one))
    ]


def _is_proven(case: Case, command: Command) -> bool:
    """Whether a word of agreement has a proof of its own in the letter that it answers: a number only in one that
    lists what is open."""
    if command.word not in ("yes", "accept", "decline"):
        return False
    if isinstance(command, Asking) and command.argument:
        return command.argument != "always" and case.lists
    return bool(case.answered or case.asks or case.lists)


def _reply_to_known(reply: Reply, found: tuple[Command, ...]) -> list[Effect]:
    """Nothing in the letter changes anything, or nothing that the writer may: he is told so."""
    refused = [(one, gm_commands.why_not(reply, one)) for one in found if isinstance(one, Decision)]
    if not refused:
        return which_game(reply.case, "no token")
    arguments = quoted.shares((one.argument, 0) for one, _ in refused)
    for (decision, why), argument in zip(refused, arguments, strict=True):
        gm_commands.refuse(reply, replace(decision, argument=argument), why)
    return reply.effects()


def which_game(case: Case, failure: str) -> list[Effect]:
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
        Send("unproven", f"answer-{case.mark}", player, tuple(sections), answers=case.message_id),
    ]
