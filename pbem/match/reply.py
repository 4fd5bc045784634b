"""The answer to a letter while it is being written: its sections, its effects, and the match as changed so far.

This module handles orders itself; `obey` handles commands.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property, partial
from typing import Any

from pbem.games.capabilities import KeepsStandingOrders, turn_of
from pbem.match import commitments, effects, stand_ins
from pbem.match.case import Case
from pbem.match.commitments import new_entry
from pbem.match.effects import Course, Effect, Notice, Section, Send
from pbem.match.identity import MailWishes, Player, Token, hide_number, master_holder
from pbem.match.lifecycle import may
from pbem.match.model import IN_VAIN, Claim, Entry, Invitee, Match, Matter, OpenCommand, Wish, without
from pbem.match.overview import Seated
from pbem.match.questions import of_ways
from pbem.match.sections import board_of, name_of, pending, people, position
from pbem.match.time_control import cool, with_orders
from pbem.orders import reader
from pbem.orders.ambiguity import is_courtesy, is_hard
from pbem.orders.command import Asking, Command
from pbem.orders.intents import LEAD, Intent, find_intent
from pbem.times.deadlines import Absence

_IN_VAIN = ("nothing found", "nothing readable", "nothing to do")
"""Notices for letters in which the desk found nothing."""
_NAMED = 3  # the maximum number of names that an answer repeats from a letter
_ONLY_SHOWN = ("desk", "history", "record", "data", "status", "master_status")


class Reply:
    """The answer to one letter. `about` is the match that the letter is about, if any; `seat` is the seat that wrote
    the letter, or "" if the letter was not written for a seat."""

    def __init__(self, case: Case, now: datetime, match: Match | None = None, token: Token | None = None) -> None:
        self.case, self.now, self.about = case, now, match
        self._before = match
        self.seat, self.turn = (token.seat, token.turn) if token else ("", 0)
        self.sections: list[Section] = []
        self.done: list[Effect] = []
        self.later: list[Effect] = []  # letters that follow the answer
        self.apart: list[str] = []  # parts of the answer that go out as separate letters
        self.changed = {match.name: match} if match else {}  # matches as changed so far
        self.invited = self.words_sent = 0  # letters caused by this one; the facts of the same names count earlier ones
        self.asked: set[str] = set()  # addresses that the letter invites
        self.challenged: set[str] = set()  # leagues in which the letter challenges someone, in lower case
        self.reading = reader.Reading()
        self.agreed: Command | None = None  # a command that had to be confirmed, and that this letter confirms
        self.wished: dict[Wish | Matter, Course] = {}  # what to tell the others once the whole letter is done

    @property
    def match(self) -> Match:
        """The match that the letter is about. Use this only for a letter that is about a match."""
        assert self.about is not None
        return self.about

    @property
    def person(self) -> Player:
        """The writer, as changed so far. Use this only where the writer is known."""
        return self.case.person

    def match_named(self, name: str) -> Match | None:
        """Return the match called `name` (in lower case) as changed so far, or None if there is no such match."""
        return self.changed.get(name) or self.case.facts.match(name)

    def invitee(self, address: str) -> Invitee:
        """Return the person at `address`, as changed so far."""
        invitee = self.case.facts.invitee(address)
        return invitee._replace(is_asked=True) if invitee.address in self.asked else invitee

    @property
    def current(self) -> bool:
        """Whether the letter answers a letter from the current turn, and orders for this turn can come in."""
        return self.turn == self.match.turn and may(self.match, "orders come")

    def intent(self, lines: tuple[str, ...], least: float = LEAD) -> Intent | None:
        """Return the intent of `lines`, in which names are understood as in the match. Return None if the lead of the
        intent over the next one is less than `least`."""
        match = self.match
        called = [name for name, seat in people(match) if seat != self.seat]
        return find_intent(lines, called, match.situation, least)

    def key(self, name: str) -> str:
        """Return a unique key, beginning with `name`, for a letter to someone else. The key does not reveal anything
        about the letter being answered."""
        return f"{name}-{hide_number(self.case.secret, len(self.done))}"

    def tell(self, template: str, **values: Any) -> None:
        """Add a section to the answer. A section that only shows something is added once, however often the letter asks
        for it."""
        if "remarks" in values:
            values |= {"remarks": self._worth_telling(values["remarks"]), "left_away": self._left_away()}
        section = Section(template, values)
        if template not in _ONLY_SHOWN or section not in self.sections:
            self.sections.append(section)

    def _worth_telling(self, remarks: Iterable[str]) -> tuple[str, ...]:
        """Return those of the unread lines in `remarks` that are worth mentioning. Greetings, thanks and signatures are
        left out unless they name something that orders are about."""
        match = self.about
        return tuple(
            line for line in remarks if not is_courtesy(line) or (match and match.situation.names_within(line))
        )

    def _left_away(self) -> tuple[str, ...]:
        """Return the lines that were taken for a signature or a quotation although nothing marks them, if they are
        worth mentioning and the writer is not already being asked about them."""
        doubted = {doubt.text for doubt in self.reading.doubts}
        return tuple(line for line in self._worth_telling(self.case.words.worth_telling) if line not in doubted)

    def notice(self, reason: Notice, **values: Any) -> None:
        """Add the notice called `reason`, a text of a sentence or two."""
        self.tell("notice", reason=reason, match=self.about, seat=self.seat, **values)

    def tell_of_orders(self, template: str, **values: Any) -> None:
        """Add a section about the letter's orders. The section also mentions the lines that were not read as orders,
        and the seats whose orders are missing."""
        beside = {"remarks": self.reading.remarks, "problems": self.case.problems}
        self.tell(template, match=self.match, seat=self.seat, **beside, **self.pending(), **values)

    def introduce(self) -> None:
        """Give the writer the name in the letter if the writer has no name yet. If the name in the letter imitates the
        desk, explain why the writer cannot have it."""
        player, case = self.person, self.case
        if player.name:
            return
        if case.poses:
            self.once("not so called")
        elif case.name:
            player = replace(player, name=case.name)
            self.done.append(effects.Confirm(player, case.address))
            self.become(player)

    def become(self, player: Player) -> None:
        """Replace the writer with `player`, the same person with changed data."""
        self.case = replace(self.case, writer=replace(self.case.writer, player=player))

    def once(self, reason: Notice, **values: Any) -> None:
        """Add a notice, unless the answer already has it."""
        if not any(section.values.get("reason") == reason for section in self.sections):
            self.notice(reason, **values)

    @property
    def sure(self) -> bool:
        """Whether the writer has confirmed the present command with `yes`."""
        return self.agreed is not None or (self.case.confirmed and not self.seat)

    def ask(self, command: Command, *, of_match: bool) -> None:
        """Ask the writer to confirm `command`; a `yes` to this very answer carries it out. `of_match` says whether the
        command concerns the match or only its writer."""
        open_command = OpenCommand(self.case.letter, command, of_match)
        self.done.append(effects.Ask(self.person, open_command, *((self.match, self.seat) if of_match else ())))

    def propose(self, *ways: str) -> list[Effect]:
        """Return the effects that propose the order lists `ways`, which a `yes` to this very answer can accept."""
        case = self.case
        written = case.text or case.words.subject
        return [effects.Propose(self.match, self.seat, case.letter, written, orders) for orders in ways]

    def do(self, changes: Iterable[Effect]) -> None:
        """Add `changes` to the effects of the letter; from here on, `match` is the changed match."""
        for effect in changes:
            self.done.append(effect)
            match effect:
                case (
                    effects.Save()
                    | effects.TakeOrders()
                    | effects.WithdrawOrders()
                    | effects.SetStanding()
                    | effects.SetWords()
                ):
                    self._change(effect.match)
                case effects.Play():
                    self._change(effect.after)

    def _change(self, match: Match) -> None:
        self.changed[match.name] = match
        if self.about and self.about.id == match.id:
            self.about = match

    def effects(self) -> list[Effect]:
        """Return all effects of the letter, ending with its answer and the letters that follow the answer. Answers to
        unproven letters have a limit of their own, and answers to a proven game master have no limit."""
        is_cut = any(problem.startswith("cut") for problem in self.case.problems)
        if (is_cut or self._worth_telling(self.reading.remarks) or self._left_away()) and not any(
            "remarks" in section.values for section in self.sections
        ):
            self.tell("remarks", remarks=self.reading.remarks, problems=self.case.problems)
        if self.sections and self._has_not_accepted():
            self.notice("not accepted")
        absences = self.person.absences if self.case.writer.player else ()
        self.done = _once_each([*self.done, *self._sealed()], absences)
        kinds = ", ".join(dict.fromkeys([*(section.template for section in self.sections), *self.apart])) or "nothing"
        vain = any(section.values.get("reason") in _IN_VAIN for section in self.sections)
        kinds += ", perhaps" if self.reading.perhaps else ""
        outcome = effects.Outcome(IN_VAIN[0] if vain else f"answered: {kinds}")
        if not self.sections:
            return [*self.done, outcome, *self.later]
        player, case = self.person, self.case
        key, answers, sections = f"answer-{case.mark}", case.message_id, tuple(self.sections)
        proven = not case.writer.failure or (case.confirmed and case.trust != "address")
        if self.about and self.seat in self.about.holders:
            holder = self.about.holders[self.seat]
            to = player if player.id == holder.player.id else holder.player  # the holder as changed by this letter
            asks = any(isinstance(effect, effects.Ask | effects.Propose | effects.TellOpen) for effect in self.done)
            joins = not asks and any(isinstance(effect, effects.TakeOrders) for effect in self.done)
            send = Send("answer", key, to, sections, holder, self.about, self.about.turn, answers, joins=joins)
        elif self.about:
            writer = replace(player, address=self.case.address)  # the address of a game master
            master = master_holder(self.about.holders, writer, writer.address)
            send = Send("answer", key, writer, sections, master, self.about, self.about.turn, answers, certain=proven)
        elif proven:
            of_master = case.master or bool(case.facts.directs)
            send = Send("answer", key, player, sections, answers=answers, certain=of_master)
        else:
            send = Send("unproven", key, player, sections, answers=answers)
        return [*self.done, outcome, send, *self.later]

    def _has_not_accepted(self) -> bool:
        """Return whether the seat still has to accept its game, and the answer does not say so in a list of open
        questions."""
        match, is_listed = self.about, any(isinstance(effect, effects.TellOpen) for effect in self.done)
        return bool(match and may(match, "all accept") and self.seat not in ("", *match.accepted) and not is_listed)

    def _sealed(self) -> list[Effect]:
        """If the letter has changed the orders of its seat, show the seat the content of their seal, and return the
        effects that tell the others."""
        before, after, seat = self._before, self.about, self.seat
        if not (before and after and seat in after.holders) or after.sandbox:
            return []
        changed = commitments.changed(before, after, seat)
        if changed and (entry := after.standing.get(seat)):
            self.sections.append(commitments.receipt(after, seat, entry))
        return changed

    def position(self) -> None:
        """Add the position of the match to the answer, unless the match has not begun or the position is already
        there."""
        begun = self.about and self.about.phase not in ("offered", "annulled")
        if begun and not any(section.template == "position" for section in self.sections):
            self.sections.append(position(self.match.as_told(), self.seat or None, key=not self.seat))

    # Facts, as the letter has changed them so far

    @cached_property
    def joined(self) -> frozenset[str]:
        """The leagues that the writer plays in."""
        return self.case.facts.joined

    @cached_property
    def awaits(self) -> frozenset[str]:
        """The games for which the writer is waiting."""
        return self.case.facts.awaits

    @cached_property
    def spent(self) -> tuple[Absence, ...]:
        """The writer's past vacations for which a deadline was postponed."""
        return self.case.facts.spent

    @cached_property
    def mail(self) -> MailWishes:
        """How the writer wants to receive letters."""
        return self.case.facts.mail

    @cached_property
    def claims(self) -> Mapping[str, Claim]:
        """The writer's claims that are still open or can still be undone, keyed by the claimed address in lower
        case."""
        return self.case.facts.claims

    @cached_property
    def unconfirmed(self) -> bool:
        """Whether the letter came from an address that the writer has not confirmed yet, or that is no longer the
        writer's."""
        return self.case.facts.unconfirmed

    def games(self) -> list[Seated]:
        """Return the writer's games as `status` lists them, with the orders that this letter has just given."""
        match = self.about
        entry = match and match.standing.get(self.seat)
        orders = entry.canonical if entry else None
        own_seat = (match.name, self.seat) if match else None
        return [
            replace(game, orders=orders) if (game.match, game.seat) == own_seat else game
            for game in self.case.facts.games
        ]

    # Orders

    def orders(self) -> None:
        """Take or refuse the letter's orders as a whole."""
        match, reading = self.match, self.reading
        if self.seat in match.gone and may(match, "orders come"):
            self.notice("seat gone", at=match)
        elif reading.standing and reading.orders is None and not reading.mistakes:
            self.stand(reading.standing)
        elif not self.current:
            self.too_late(reading.orders if not (reading.doubts or reading.adds or self._only_checked()) else None)
        elif self.seat not in match.game.may_order(match.state):
            later = match.named(turn_of(match.game, match.state, match.turn) + 1)
            self.notice("not awaited", later=later)
            self.position()
        elif reading.doubts and (reading.readings or not reading.mistakes):
            self.doubtful()
        elif reading.orders is not None and self._only_checked():
            self._receipt("check", reading.orders, Entry(0, self.case.letter, self.case.text, str(reading.orders)))
        elif reading.orders is not None and reading.adds and (standing := match.standing.get(self.seat)):
            self.add(standing, reading.orders)
        elif reading.orders is not None:
            self.take(reading.orders)
        else:
            self._not_taken("refusal", mistakes=partial(reader.render_mistakes, reading.mistakes))

    def doubtful(self) -> None:
        """Ask what the writer means by doubtful orders. If there is only one possible meaning, propose it, so that a
        plain `yes` accepts it; if it is also likely, take these orders provisionally."""
        if len(ways := self.reading.readings) == 1:
            self.reading = self.reading._replace(proposal=ways[0], readings=())
        reading, match = self.reading, self.match
        if reading.adds and reading.proposal and (standing := match.standing.get(self.seat)):
            self.add(standing, reader.parse(match.standpoint(self.seat), reading.proposal))
            return
        if reading.proposal and self._is_likely():
            lines = tuple(doubt.text for doubt in reading.doubts)
            self.reading = reading._replace(proposal=None, doubts=(), perhaps=lines, guessed=True)
            self.take(reader.parse(match.standpoint(self.seat), reading.proposal))
            return
        self._not_taken("doubt", readings=self.reading.readings)

    def _is_likely(self) -> bool:
        """Return whether the proposed orders may stand provisionally until the deadline. They must cover the whole
        letter, no doubtful line may be able to overturn them, and no other orders of the seat may stand."""
        reading, match = self.reading, self.match
        is_whole = not (reading.mistakes or reading.left_out or reading.readings or reading.adds)
        is_calm = all(one.turn == "unread" and not (is_hard(one.text) or "?" in one.text) for one in reading.doubts)
        is_free = match.deadline is not None and self.seat not in match.standing and not self._only_checked()
        return is_whole and is_calm and is_free

    def _not_taken(self, template: str, **values: Any) -> None:
        """Report that the letter's orders are not taken. Any orders that are proposed instead wait for a `yes`."""
        self._think_again()
        reading, match = self.reading, self.match
        self.tell_of_orders(
            template,
            doubts=reading.doubts,
            proposal=reading.proposal,
            standing=match.standing.get(self.seat),
            understood=reading.understood,
            prospects=partial(match.game.prospects, match.view(self.seat), self.seat),
            left_out=reading.left_out,
            checked=self._only_checked(),
            **values,
        )
        ways = () if self._only_checked() else (reading.proposal,) if reading.proposal else reading.readings
        self.done += self.propose(*ways)
        if len(ways) > 1:
            keys = tuple(question.key for question in of_ways(self.case.letter, ways))
            self.done.append(effects.TellOpen(self.case.letter, self.person, keys))

    def _think_again(self) -> None:
        """Restart the cooling-off time, if it is running, so that the turn also waits for the reply to this answer."""
        if self.match.cooling and not self._only_checked():
            self.do([effects.Save(cool(self.match, self.now))])

    def add(self, standing: Entry, orders: Any) -> None:
        """Propose the letter's `orders` together with those in `standing`, if the combination is legal."""
        self._think_again()
        match, seat = self.match, self.seat
        both = reader.playable(match.standpoint(seat), f"{standing.canonical}; {orders}")
        if both is not None:
            self.done += self.propose(str(both))
        canonical = None if both is None else str(both)
        self.tell_of_orders("addition", added=str(orders), both=canonical, standing=standing)

    def _only_checked(self) -> bool:
        return any(command.word == "check" for command in self.reading.commands)

    def bring(self, words: str) -> None:
        """Replace the seat's contribution to chance with `words`, a SHA-256, if the match uses such contributions."""
        match, seat = self.match, self.seat
        if match.takes_words and match.words.get(seat) != words:
            self.do([effects.SetWords(replace(match, words={**match.words, seat: words}), seat)])

    def stand(self, lines: tuple[str, ...]) -> None:
        """Set standing orders, which from now on are added to the seat's orders in every turn, whichever side is to
        move. By themselves they do not count as orders for a turn."""
        match, seat, game = self.match, self.seat, self.match.game
        if not may(match, "orders come") or not isinstance(game, KeepsStandingOrders) or self.case.facts.lapsed:
            self.too_late()
        elif self._only_checked():
            self.notice("standing checked", lines=lines)
        else:
            canonical = game.with_standing(match.standing_orders.get(seat, ""), lines)
            after = replace(match, standing_orders={**match.standing_orders, seat: canonical})
            self.do([effects.SetStanding(after, seat, canonical)])
            kept, words = game.in_force(canonical), partial(game.paraphrase_standing, match.view(seat), canonical)
            self.notice("standing", canonical=kept, words=words)

    def take(self, value: Any) -> None:
        """Let the orders in `value` stand from now on, and add a receipt that shows how they were read."""
        if self.match.holders[self.seat].stand_in and not self.come_back(drops_orders=True):
            return
        if self._of_before(str(value)):
            return
        if self.reading.standing:
            self.stand(self.reading.standing)
        match, seat = self.match, self.seat
        replaced = match.standing.get(seat)
        entry = new_entry(self.case.secret, match, seat, str(value), (self.case.letter, self.case.text))
        proposal: list[Effect] = []
        ask = entry if self.reading.perhaps else self._perhaps_last(replaced, entry)
        if ask:  # ask whether the orders stand unchanged, or whether the replaced orders are newer
            proposal = self.propose(ask.canonical)
            of_seat = {**match.proposals.get(seat, {}), self.case.letter: (ask.canonical,)}
            match = replace(match, proposals={**match.proposals, seat: of_seat})
        self.do([effects.TakeOrders(with_orders(match, seat, entry, self.now), seat, entry), *proposal])
        self.done += self.taking_part()
        self.bring(self.case.brings)
        self._receipt("receipt", value, entry, replaced)

    def come_back(self, *, drops_orders: bool) -> bool:
        """Have the writer play the seat that the computer plays for them, if the terms allow it, and tell the writer;
        return whether they do. If `drops_orders` is true, the computer's orders for the turn are withdrawn."""
        if not self.match.terms.come_back:
            self.notice("computer stays")
            return False
        self.do(stand_ins.come_back(self.match, self.seat, self.now))
        if drops_orders and self.seat in self.match.standing:
            after = replace(self.match, standing=without(self.match.standing, self.seat))
            self.do([effects.WithdrawOrders(after, self.seat)])
        self.notice("came back")
        return True

    def _perhaps_last(self, replaced: Entry | None, entry: Entry) -> Entry | None:
        """Return `replaced`, the orders that `entry` replaces, if they may have been sent later than those in `entry`;
        otherwise None."""
        is_doubtful = replaced and replaced.canonical != entry.canonical and self.case.facts.dated_before
        return replaced if is_doubtful else None

    def taking_part(self) -> list[Effect]:
        """Return the effect that notes that the seat's holder takes part in the league of the match, or [] if the match
        is not in a league."""
        return [effects.TakesPart(self.match, self.seat)] if self.match.league else []

    def _of_before(self, orders: str) -> bool:
        """Return whether the orders that stand come from a newer letter than this one. If so, ask the writer which
        orders count."""
        match, seat = self.match, self.seat
        standing = match.standing.get(seat)
        if standing is None or standing.canonical == orders or not self.case.facts.late:
            return False
        left_out = (*self.reading.remarks, *self.reading.perhaps, *self.reading.standing)
        self.notice("sent before", entry=standing, canonical=orders, remarks=left_out, **self.pending())
        self.done += self.propose(orders)
        return True

    def _receipt(self, template: str, value: Any, entry: Entry, replaced: Entry | None = None) -> None:
        match, seat, game = self.match, self.seat, self.match.game
        view, joined = match.view(seat), self._joined(value)
        own = str(value).split("; ")
        self.tell_of_orders(
            template,
            entry=entry,
            replaced=replaced,
            gone=_gone(replaced, entry),
            words=partial(game.paraphrase, view, seat, value),
            beside="; ".join(part for part in str(joined).split("; ") if part not in own),
            cautions=partial(game.cautions, view, seat, joined),
            **board_of(game, game.forecast(match.state, seat, value), view),
            perhaps=self.reading.perhaps,
            guessed=self.reading.guessed,
            perhaps_last=self._perhaps_last(replaced, entry),
        )

    def _joined(self, value: Any) -> Any:
        """Return the orders in `value` as they will be played, including the seat's standing orders."""
        match, game = self.match, self.match.game
        standing = match.standing_orders.get(self.seat)
        if not standing or not isinstance(game, KeepsStandingOrders):
            return value
        return game.joined(match.state, self.seat, value, standing)

    def withdraw(self) -> None:
        """Withdraw the orders that stand for the seat, and whatever was proposed before them or instead of them."""
        match = self.match
        entry = match.standing.get(self.seat)
        if not self.current:
            self.too_late()
        elif entry is None:
            self.notice("nothing to withdraw")
        elif self.case.facts.late:
            self.notice("withdrawn before", entry=entry, **self.pending())
        else:
            standing, proposals = (without(table, self.seat) for table in (match.standing, match.proposals))
            after = cool(replace(match, standing=standing, proposals=proposals), self.now)
            dismissals = [effects.Dismiss(letter, match) for letter in match.proposals.get(self.seat, {})]
            self.do([effects.WithdrawOrders(after, self.seat), *dismissals])
            self.notice("withdrawn", entry=entry, **self.pending())

    def nothing_found(self) -> None:
        """Answer a letter with neither orders nor a command: say what was understood, what can be written here, and
        until when. If the letter contains a question, offer to pass it on to a person in charge."""
        match, case = self.match, self.case
        if case.problems and not case.text:
            self.notice("nothing readable", problems=case.problems)
        else:
            self.notice("nothing found", remarks=(), problems=case.problems)
        if asks := "?" in case.text:
            self.ask(Asking("gm", case.text), of_match=True)
        named = tuple(dict.fromkeys(match.situation.names_within(case.text)))
        values = {**position(match.as_told(), self.seat).values, "remarks": self.reading.remarks}
        self.tell("start", asks=asks, named=named[:_NAMED], **values)

    def too_late(self, orders: Any | None = None) -> None:
        """Explain why the letter's orders do not count now, for example because they belong to another turn. If
        `orders` are legal in the current turn, propose them for the current turn."""
        match, seat = self.match, self.seat
        if match.result is not None:
            says_orders = self.reading.says_orders
            self.reading = self.reading if says_orders else self.reading._replace(remarks=())  # nobody would read them
            self.notice("over", orders=says_orders)
        elif match.drawing:
            self.notice("closed")
        elif match.phase == "offered":
            self.notice("offered", orders=self.reading.says_orders)
        elif match.phase == "review":
            self.notice("review")
        else:
            waits = orders is not None and may(match, "orders come") and seat in match.game.may_order(match.state)
            same = str(orders) if waits else ""
            missed = self.turn == match.turn - 1 and match.missed.get(seat, 0) > 0
            turn = next((name_of(match, played) for played in match.turns if played.turn == self.turn), self.turn)
            self.notice("another turn", turn=turn, missed=missed, same=same, entry=match.standing.get(seat))
            if same:
                self.done += self.propose(same)
            self.position()

    def pending(self) -> Mapping[str, Any]:
        """Return the values for the end of a letter about orders: the seats whose orders are missing, and the
        deadline."""
        return pending(self.match, self.seat)


_JOINED = ("away", "press", "gm")
"""The kinds of letters to others that a single letter may cause several times. Each reader gets them combined into one
letter."""


def _once_each(done: Sequence[Effect], absences: Sequence[Absence]) -> list[Effect]:
    """Return the effects in `done` with the letters to others combined, so that each reader gets one letter of each
    kind. Vacations are combined across all games of a reader. A vacation that is not among the `absences` any more is
    mentioned only where it has moved a deadline."""
    joined: dict[tuple[Any, ...], Send] = {}
    for effect in done:
        if isinstance(effect, Send) and effect.kind in _JOINED:
            reader = _reader(effect)
            before = joined.pop(reader, None)
            joined[reader] = effect._replace(sections=(*(before.sections if before else ()), *effect.sections))
    others = [effect for effect in done if not (isinstance(effect, Send) and effect.kind in _JOINED)]
    letters = (send._replace(sections=_still_true(send.sections, absences)) for send in joined.values())
    return [*others, *(letter for letter in letters if letter.sections)]


def _reader(send: Send) -> tuple[Any, ...]:
    """Return a key that is the same for letters that can be combined: their kind, their reader and, unless they are
    about a vacation, their match."""
    match = send.match.id if send.match and send.kind != "away" else 0
    return send.kind, match, send.player.id, send.player.address.lower()


def _still_true(sections: Sequence[Section], absences: Sequence[Absence]) -> tuple[Section, ...]:
    """Return the sections that are still true. Of several sections about the same vacation in the same game, only the
    last is kept. A vacation that is not among the `absences` any more is left out, unless it has moved a deadline."""
    kept: dict[object, Section] = {}
    for section in sections:
        values, days = section.values, section.values.get("absence")
        same = (values["match"].id, values["by"].seat, days) if days else len(kept)
        before = kept.pop(same, None)
        moved = bool(values.get("moved") or (before and before.values["moved"]))
        if not days or moved or days in absences:
            kept[same] = Section(section.template, {**values, "moved": moved}) if days else section
    return tuple(kept.values())


def _gone(before: Entry | None, now: Entry) -> tuple[str, ...]:
    """Return the parts of the orders in `before` that the orders in `now` no longer contain, in canonical form."""
    parts = re.split("[,;] ", before.canonical) if before else ()
    return tuple(part for part in parts if part not in re.split("[,;] ", now.canonical))
