"""Ownership of e-mail addresses: players' claims and their confirmation, game masters' decisions, and the command that
undoes a change.
"""

from collections.abc import Iterable
from dataclasses import replace

from pbem.mail.addresses import read_mailbox
from pbem.match import press
from pbem.match.effects import Agree, DropAddresses, Effect, NewAddress, Send, TakeAddress, notice
from pbem.match.identity import Player, parse_person
from pbem.match.lifecycle import may
from pbem.match.model import Claim, Invitee, Match
from pbem.match.player_commands import may_write
from pbem.match.reply import Reply
from pbem.match.reports import to_master, to_seat
from pbem.match.sections import DecisionError, where_it_stands
from pbem.orders.command import MOVED, MOVED_BY_NAME, Decision

# Commands of the player


def address(reply: Reply, written: str) -> None:
    """Claim the address `written` for the writer. The claim takes effect once a `yes` has come from two addresses: from
    the new one, and from an older one in reply to the desk's answer to this letter.

    The answer never reveals whether the address belongs to someone else.
    """
    if MOVED_BY_NAME.fullmatch(written) and reply.case.directs:
        raise DecisionError("For a player write `address OLD is NEW because ...`: OLD is their address or name.")
    address = parse_person(written).address
    invitee = reply.invitee(address)
    if invitee.player and invitee.player.id == reply.person.id:
        reply.notice("address known", address=address)
    elif may_write(reply, invitee):
        asking = ask_there(reply, reply.person, address, agreed=False)
        reply.done += asking[:1] if invitee.player or invitee.refuses or invitee.banned else asking
        reply.notice("address asked", address=address)


def ask_there(reply: Reply, player: Player, address: str, *, agreed: bool, instead: str = "") -> list[Effect]:
    """Return the effects that record the claim of `player` to `address` and send a letter there to ask for
    confirmation. If `agreed` is true, the claim no longer needs a `yes` from an older address; `instead` is the address
    to be replaced, if any."""
    new = replace(player, name="", address=address)
    claim = NewAddress(player, address, reply.case.letter, agreed, instead)
    return [claim, Send("notice", reply.key("address"), new, (notice("your new address"),))]


def agree(reply: Reply, claim: Claim, *, there: bool = False) -> None:
    """Record a `yes` to `claim`. If `there` is true, the `yes` came from the claimed address; otherwise, it came from
    an older address. The claim takes effect once both have answered. The reply goes to the player's present address."""
    reply.done.append(Agree(reply.person, claim.address, reply.case.letter if there else None))
    if claim.agreed if there else (claim.answered and claim.free):
        _take(reply, claim)
    else:
        reply.notice("address answered" if there else "address agreed", address=claim.address)


def _take(reply: Reply, claim: Claim) -> None:
    """Give the claimed address to the writer, now that both it and an older address have answered `yes`. The reply goes
    to the writer's present address; letters to the writer's other addresses report the change, and those to older
    addresses also say how to undo it."""
    address, known_addresses = claim.address, reply.case.facts.addresses
    reply.done.append(TakeAddress(reply.person, claim))
    if reply.person.address not in known_addresses:  # this address was never confirmed
        reply.become(_at(reply.person, address))
    player = reply.person
    own_address = player.address.lower()
    for recipient in (address for address in (address, *known_addresses) if address.lower() != own_address):
        section = notice("address yours", address=address, old=recipient != address, instead=claim.instead)
        reply.done.append(Send("notice", reply.key("address-yours"), _at(player, recipient), (section,)))
    reply.notice("address yours", address=address, old=player.address != address, instead=claim.instead)
    if claim.instead:
        renew(reply, _at(player, address), reply.case.facts.own)


def undo(reply: Reply) -> None:
    """Undo all later changes to the player's addresses: remove claims and addresses that are newer than the address
    from which this letter came, and restore older addresses that they replaced.

    A change is undone only if this letter answers one that the desk sent to that address after the change, because
    senders can be forged and older letters stolen.
    """
    case = reply.case
    counting = [address for address, claim in reply.claims.items() if claim.taken_at]
    waiting = [address for address, claim in reply.claims.items() if not claim.taken_at]
    since = counting.index(case.address) + 1 if case.address in counting else 0
    read_at = case.facts.answered_at
    newer = (*counting[since:], *waiting)
    dropped = tuple(address for address in newer if read_at and reply.claims[address].since <= read_at)
    if case.confirmed or not dropped or case.address in waiting:
        _undo_nothing(reply) if reply.seat and not newer else reply.notice("undo there" if newer else "nothing to undo")
        return
    again = [old for address in counting[since:] if (old := reply.claims[address].instead) and old not in dropped]
    player = _at(reply.person, case.address)
    reply.done.append(DropAddresses(player, dropped, tuple(again)))
    if again:
        section = notice("undone for master", name=player.name)
        reply.done.append(to_master(None, reply.key("undone"), section))
    reply.claims, reply.unconfirmed = {}, False
    reply.become(player)
    reply.notice("undone", addresses=dropped)
    if counting[since:]:
        renew(reply, player, case.facts.own)


def _undo_nothing(reply: Reply) -> None:
    """Answer an `undo` when no address can be removed. The writer may mean their orders, which they can withdraw, or a
    turn, which only a game master can undo; a request to undo a turn is passed on to the game master."""
    match = reply.match
    if len(match.holders[reply.seat].addresses) > 1:
        reply.notice("nothing to undo")
    if match.standing.get(reply.seat) and may(match, "orders come"):
        reply.notice("undo orders")
    else:
        press.write_to_master(reply, "undo")
        reply.notice("undo turn")


def renew(reply: Reply, player: Player, theirs: Iterable[Match]) -> None:
    """Invalidate all tokens of a player, because someone else may have them, and send the player a letter with a new
    token for each match in `theirs` and for the match of this letter."""
    about = {reply.about.id: reply.about} if reply.about else {}
    for match in ({match.id: match for match in theirs} | about).values():
        renewed = {
            seat: replace(holder, player=player, epoch=holder.epoch + 1, oldest=holder.epoch + 1)
            for seat in match.held_by(player)
            if (holder := match.holders[seat])
        }
        after = replace(match, holders={**match.holders, **renewed})
        if match.id in about:
            reply.about = after
        section, key = notice("letters come here"), reply.key("here")
        reply.later += [
            to_seat(after, holder, "notice", key, section, *where_it_stands(after, seat))
            for seat, holder in renewed.items()
            if not after.over
        ]


def _at(player: Player, address: str) -> Player:
    return replace(player, address=address)


# Decisions of game masters


def change(reply: Reply, decision: Decision) -> None:
    """Replace, add or remove a player's address, as a game master has decided. A new address must always confirm the
    change, so that a typing mistake does not give the account to a stranger. The older address need not answer, because
    the player may have lost access to it. The game master of a league can only request such a change, because it
    affects all of the player's games."""
    old, verb, new = named_in(decision)
    invitee, target = reply.invitee(old), reply.invitee(new)
    player, writer = invitee.player, reply.case.writer.player
    if player is None:
        raise DecisionError("Nobody here has that address.")
    if invitee.banned or target.banned:
        raise DecisionError("The person with that address is banned here.")
    if writer and player.id == writer.id:
        raise DecisionError("That is your own address: write `address` with just the new one.")
    not_against(reply, old)
    if not reply.case.master:
        _ask_for(reply, decision, invitee, target)
    elif verb == "no longer":
        _drop(reply, player, invitee, old)
    elif target.player and target.player.id == player.id:
        if verb != "is" or old == new:
            raise DecisionError("{address} is already an address of theirs.", address=new)
        _drop(reply, player, invitee, old)
    else:
        _ask(reply, decision, player, target)
        if old in map(str.lower, invitee.addresses):  # an unconfirmed address may belong to a stranger
            _tell(reply, decision, player)


def _ask_for(reply: Reply, decision: Decision, invitee: Invitee, target: Invitee) -> None:
    """Request another address for a player on behalf of a league's game master. The new address must confirm the
    request, and so must either the older address or the desk's game master."""
    assert invitee.player
    player, (old, _, _) = invitee.player, named_in(decision)
    if target.player and target.player.id == player.id:
        raise DecisionError("{address} is already an address of theirs.", address=target.address)
    if old not in map(str.lower, invitee.addresses):
        raise DecisionError(
            "{address} has never answered us: `withdraw` them, and `join` the right address.", address=old
        )
    _check(target)
    address, why = _written(decision), decision.reason
    reply.done += ask_there(reply, player, address, agreed=False, instead=old)
    section = notice("master asks", name=reply.person.name, address=address, why=why)
    reply.done.append(Send("question", f"warning-{reply.case.mark}", _at(player, old), (section,)))
    section = notice("asked by another", decision=decision, name=reply.person.name)
    reply.done.append(to_master(None, reply.key("asked"), section))
    reply.notice("address asked for", address=address, old=old)


def named_in(decision: Decision) -> tuple[str, str, str]:
    """Return the parts of a decision about an address: the player's present address, one of `is`, `also` and `no
    longer`, and the new address. The addresses are in lower case; the new address is "" after `no longer`. Raises
    DecisionError if the decision has another form."""
    parts = MOVED.fullmatch(decision.argument)
    if parts is None or (parts["verb"].lower() == "no longer") == bool(parts["new"]):
        raise DecisionError("This could not be read: write `address OLD is NEW because ...`, with two addresses.")
    old, new = (parts[name] or "" for name in ("old", "new"))
    return _known_as(old), parts["verb"].lower(), _known_as(new)


def by_address(reply: Reply, decision: Decision) -> Decision:
    """Return a decision about a player's address with the old address in place of the player's name, if it names the
    player. Raises DecisionError unless exactly one player whom the writer may decide on has that name."""
    named = MOVED_BY_NAME.fullmatch(decision.argument) if decision.word == "address" else None
    if named is None or MOVED.fullmatch(decision.argument):
        return decision
    case = reply.case
    found = [old for old in case.facts.addresses_called(named["name"]) if case.master or case.facts.leads(old)]
    if not found:
        raise DecisionError(
            'We know no address of "{name}": write `address OLD is NEW because ...`.', name=named["name"]
        )
    if len(found) > 1:
        raise DecisionError(
            'Several players are called "{name}": write `address OLD is NEW because ...`.', name=named["name"]
        )
    return replace(decision, argument=f"{found[0]} is {named['new']}")


def _known_as(written: str) -> str:
    mailbox = read_mailbox(written)
    return (mailbox.address if mailbox else written).lower()


def _ask(reply: Reply, decision: Decision, player: Player, target: Invitee) -> None:
    """Record that `player` claims the new address in `decision`, and write to that address to ask whether it is the
    player's."""
    old, verb, _ = named_in(decision)
    _check(target)
    reply.done += ask_there(reply, player, _written(decision), agreed=True, instead=old if verb == "is" else "")


def _check(target: Invitee) -> None:
    """Raise DecisionError if the address of `target` belongs to the desk itself or to another player."""
    if target.ours:
        raise DecisionError("{address} is an address of this desk.", address=target.address)
    if target.player:
        raise DecisionError(
            "{address} already belongs to someone here, who must first write `forget me` from there.",
            address=target.address,
        )


def _tell(reply: Reply, decision: Decision, player: Player) -> None:
    """Report the decision to the older address before the new address has answered, so that the owner of the older
    address can object."""
    old, verb, _ = named_in(decision)
    section = notice("master says", address=_written(decision), instead=verb == "is", why=decision.reason)
    reply.done.append(Send("notice", reply.key("says"), _at(player, old), (section,)))


def _written(decision: Decision) -> str:
    """Return the new address in a decision, spelled as it was written. Raises PersonError if it is not an address."""
    return parse_person(decision.argument.rpartition(" ")[2]).address


def _drop(reply: Reply, player: Player, invitee: Invitee, old: str) -> None:
    remaining = [address for address in invitee.addresses if address.lower() != old]
    if not remaining:
        raise DecisionError("It is their only address: say which one replaces it.")
    reply.done.append(DropAddresses(player, (old,)))
    section = notice("address dropped", address=old)
    for to in (old, *remaining):
        reply.done.append(Send("notice", reply.key("dropped"), _at(player, to), (section,)))
    renew(reply, _at(player, remaining[0]), reply.case.facts.sitting(old))


def not_against(reply: Reply, address: str) -> None:
    """Raise DecisionError if the writer and the owner of `address` play in the same unfinished game or in the same
    league."""
    facts = reply.case.facts
    games = [match.name for match in facts.sitting(address) if match.plays(reply.case.address) and not match.over]
    for name in (*games, *sorted(reply.joined & facts.leagues_of(address))):
        raise DecisionError(
            "You play against them in {match}: another game master, or the operator, must decide.", match=name
        )
