"""The service core: what a letter, or the clock, means for a match. Values and `now` in, effects out."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from pbem import orders
from pbem.accounts import GAME_MASTER, Player, Token
from pbem.commands import Command, Help, Status, Withdraw, Yes, how_sure
from pbem.games.base import Ruling, Seat
from pbem.match import (
    Case,
    Effect,
    Entry,
    Hold,
    MarkFailing,
    Match,
    Outcome,
    Play,
    Propose,
    Release,
    Section,
    Send,
    TakeOrders,
    WithdrawOrders,
)
from pbem.schedule import deadline_after


def receive(case: Case) -> list[Effect]:
    """What a letter comes to. Orders count as one unit, each command on its own, and the answer tells it all."""
    writer, match = case.writer, case.match
    if case.returned and match and writer.token:
        return [Outcome("delivery report"), *mail_fails(match, writer.token.seat, f"letter-{case.letter}")]
    if case.automatic:
        return [Outcome(f"automatic: {case.automatic}")]
    if writer.doubt == "stranger":
        return _answer_stranger(case)
    if match is None or writer.token is None:
        return _ask_which_game(case)
    if writer.doubt:
        return _warn_holder(case, match, writer.token)
    effects = _Answer(case, match, writer.token).effects()
    if match.holders[writer.token.seat].failing:
        effects.append(MarkFailing(match, writer.token.seat, False))
    return effects


def mail_fails(match: Match, seat: Seat, key: str) -> list[Effect]:
    """Letters to a seat come back: the game master is told, once until the seat is heard of again."""
    holder = match.holders[seat]
    if holder.failing:
        return []
    notice = Section("notice", {"reason": "mail fails", "match": match, "holder": holder})
    told = Send("game master", f"failing-{match.id}-{seat}-{key}", GAME_MASTER, (notice,))
    return [MarkFailing(match, seat, True), told]


def _answer_stranger(case: Case) -> list[Effect]:
    """Told nothing of any game, and nothing at all unless somebody vouches that the letter is his."""
    outcome = Outcome("a stranger's letter")
    if not case.address or not (case.vouched or case.trusting):
        return [outcome]
    notice = Section("notice", {"reason": "stranger"})
    stranger = Player(0, "", case.address)
    return [outcome, Send("stranger", f"answer-{case.letter}", stranger, (notice,), answers=case.message_id)]


def _warn_holder(case: Case, match: Match, token: Token) -> list[Effect]:
    """A proven token, but not from the seat's own address, or not signed: the holder is told, never the writer.

    A letter from an address that nobody has is held: the holder may say that it is his.
    """
    holder, key = match.holders[token.seat], f"warning-{case.letter}"
    hold = case.writer.doubt == "another address" and case.writer.player is None and case.address
    reason = "held" if hold else case.writer.doubt
    notice = Section("notice", {"reason": reason, "address": case.address})
    warning = Send("warning", key, holder.player, (notice,), holder, match, match.turn)
    if hold:
        return [Outcome("the token of a seat, from another address"), Hold(case.letter, case.address), warning]
    other = case.writer.player
    known = _ask_which_game(case, "not yours")[1:] if other and other != holder.player else []
    return [Outcome(f"not used: {case.writer.doubt}"), warning, *known]


def apologise(case: Case) -> list[Effect]:
    """A letter of a seat that we failed on: it is kept, the writer is told, and his turn does not pass meanwhile."""
    match, token = case.match, case.writer.token
    if case.automatic or case.writer.doubt or match is None or token is None:
        return []
    holder, key = match.holders[token.seat], f"aside-{case.letter}"
    notice = Section("notice", {"reason": "set aside"})
    to_master = Section("notice", {"reason": "seat set aside", "match": match, "holder": holder})
    return [
        Send("answer", key, holder.player, (notice,), holder, match, match.turn, case.message_id),
        Send("game master", key, GAME_MASTER, (to_master,)),
    ]


def _ask_which_game(case: Case, doubt: str | None = None) -> list[Effect]:
    """A letter of somebody we know that no token ties to one seat: the answer goes to the address on file."""
    player = case.writer.player
    assert player is not None
    found = orders.read_commands(case.text)
    sections = [Section("help", {"topic": one.topic}) for one in found if isinstance(one, Help)]
    if not found or any(how_sure(one) == "seat" for one in found):
        sections.append(Section("notice", {"reason": doubt or case.writer.doubt}))
    sections.append(Section("status", {"games": case.games}))
    return [
        Outcome(f"answered without a game: {case.writer.doubt}"),
        Send("answer", f"answer-{case.letter}", player, tuple(sections), answers=case.message_id),
    ]


class _Answer:
    """The answer to a letter of a seat, as it grows: sections to tell, effects to do, what stands meanwhile."""

    def __init__(self, case: Case, match: Match, token: Token) -> None:
        self.case, self.match, self.seat, self.turn = case, match, token.seat, token.turn
        self.current = token.turn == match.turn and match.result is None
        self.standing = dict(match.standing)
        self.sections: list[Section] = []
        self.done: list[Effect] = []

    def effects(self) -> list[Effect]:
        match, holder = self.match, self.match.holders[self.seat]
        self.reading = orders.read(match.game, match.state, self.seat, self.case.text)
        for command in self.reading.commands:
            self._obey(command)
        if self.reading.mistakes or self.reading.orders is not None:
            self._orders()
        elif not self.reading.commands:
            self._nothing_found()
        kinds = ", ".join(dict.fromkeys(section.template for section in self.sections))
        send = Send(
            "answer",
            f"answer-{self.case.letter}",
            holder.player,
            tuple(self.sections),
            holder,
            match,
            match.turn,
            self.case.message_id,
        )
        return [*self.done, Outcome(f"answered: {kinds}"), send]

    def _tell(self, template: str, **values: Any) -> None:
        self.sections.append(Section(template, values))

    def _notice(self, reason: str, **values: Any) -> None:
        self._tell("notice", reason=reason, match=self.match, seat=self.seat, **values)

    def _obey(self, command: Command) -> None:
        match command:
            case Help():
                self._tell("help", topic=command.topic, match=self.match, seat=self.seat)
            case Status():
                self._tell("status", games=self.case.games)
                self._position()
            case Withdraw():
                self._withdraw()
            case Yes():
                self._yes()

    def _withdraw(self) -> None:
        entry = self.standing.get(self.seat)
        if not self.current:
            self._too_late()
        elif entry is None:
            self._notice("nothing to withdraw")
        else:
            del self.standing[self.seat]
            self.done.append(WithdrawOrders(self.match, self.seat, self._waiting()))
            self._notice("withdrawn", entry=entry, **self._pending())

    def _yes(self) -> None:
        """`yes` sends the correction of the letter it answers, or owns to the held letter that it is asked about.

        Where it cannot be seen what it answers, the newest correction is meant, but never a letter that is held.
        """
        proposals, held = self.match.proposals.get(self.seat, {}), self.match.held.get(self.seat, ())
        standing = self.standing.get(self.seat)
        newest = max((letter for letter in proposals if not standing or letter > standing.letter), default=None)
        letter = newest if self.case.answered is None else self.case.answered
        proposed = proposals.get(letter) if letter is not None else None
        if self.reading.mistakes or self.reading.orders is not None:
            self._notice("yes and orders")
        elif not self.current:
            self._too_late()
        elif self.case.answered in held:
            self.done.append(Release(self.case.answered, self.match.holders[self.seat].player))
            self._notice("released")
        elif proposed is None:
            self._notice("nothing proposed")
        else:
            self._take(orders.parse(self.match.game, self.match.state, self.seat, proposed))

    def _orders(self) -> None:
        match, reading = self.match, self.reading
        if not self.current:
            self._too_late()
        elif self.seat not in match.game.awaiting(match.state):
            self._notice("not awaited")
            self._position()
        elif reading.orders is not None:
            self._take(reading.orders)
        else:
            self._tell(
                "refusal",
                match=match,
                seat=self.seat,
                mistakes=[orders.render_mistake(mistake) for mistake in reading.mistakes],
                proposal=reading.proposal,
                standing=self.standing.get(self.seat),
                remarks=reading.remarks,
                problems=self.case.problems,
                **self._pending(),
            )
            if reading.proposal:
                self.done.append(Propose(match, self.seat, self.case.letter, self.case.text, reading.proposal))

    def _take(self, value: Any) -> None:
        match, seat, game = self.match, self.seat, self.match.game
        number = match.numbers.get(seat, 0) + 1
        replaced = self.standing.get(seat)
        entry = Entry(number, self.case.letter, self.case.text, str(value))
        self.standing[seat] = entry
        self.done.append(TakeOrders(match, seat, entry, self._waiting()))
        view = game.view(match.state, seat)
        self._tell(
            "receipt",
            match=match,
            seat=seat,
            entry=entry,
            replaced=replaced,
            words=game.words(view, seat, value),
            picture=game.picture(game.forecast(match.state, seat, value), view),
            remarks=self.reading.remarks,
            problems=self.case.problems,
            **self._pending(),
        )

    def _nothing_found(self) -> None:
        if self.case.problems and not self.case.text:
            self._notice("nothing readable", problems=self.case.problems)
        else:
            self._notice("nothing found", remarks=self.reading.remarks, problems=self.case.problems)
        if self.match.result is None:
            self._position()
        self._tell("help", topic="", match=self.match, seat=self.seat)

    def _too_late(self) -> None:
        if self.match.result is not None:
            self._notice("over")
        else:
            self._notice("another turn", turn=self.turn)
            self._position()

    def _position(self) -> None:
        if not any(section.template == "position" for section in self.sections):
            self.sections.append(position(self.match, self.seat, standing=self.standing))

    def _waiting(self) -> int:
        return len(self.match.missing(self.standing))

    def _pending(self) -> dict[str, Any]:
        """What every letter about orders says at its end: who is still to write, and until when."""
        return {"missing": self.match.missing(self.standing), "deadline": self.match.deadline}


def digest(match: Match, seat: Seat, key: str) -> list[Effect]:
    """Instead of the receipts that a seat did not get because it sent so many letters: where it stands."""
    holder = match.holders[seat]
    sections = (Section("notice", {"reason": "digest"}), position(match, seat))
    return [Send("digest", f"digest-{key}", holder.player, sections, holder, match, match.turn)]


def new_address(match: Match, key: str) -> list[Effect]:
    """After `rekey`: every seat of a match gets a letter that it can answer again."""
    notice = Section("notice", {"reason": "rekey"})
    return [
        Send("rekey", f"rekey-{key}", holder.player, (notice, position(match, seat)), holder, match, match.turn)
        for seat, holder in match.holders.items()
    ]


def position(
    match: Match, seat: Seat, *, since: Any | None = None, standing: Mapping[Seat, Entry] | None = None
) -> Section:
    """Where a match stands for one seat: the board, the count, what it may do now and until when."""
    game = match.game
    view = game.view(match.state, seat)
    awaited = match.result is None and seat in game.awaiting(match.state)
    prospects, example = game.prospects(view, seat) if awaited else ("", "")
    entry = (match.standing if standing is None else standing).get(seat)
    return Section(
        "position",
        {
            "match": match,
            "seat": seat,
            "picture": game.picture(view, None if since is None else game.view(since, seat)),
            "changes": since is not None,
            "summary": game.summary(view),
            "prospects": prospects,
            "example": example,
            "entry": entry,
            "missing": match.missing(standing),
            "deadline": match.deadline,
        },
    )


def invite(match: Match) -> list[Effect]:
    """The first letter to each seat: what game this is, against whom, the first map, how to answer."""
    return [
        Send(
            "invitation",
            "invitation",
            holder.player,
            (
                Section("invitation", {"match": match, "seat": seat, "others": match.others(seat)}),
                position(match, seat),
            ),
            holder,
            match,
            match.turn,
        )
        for seat, holder in match.holders.items()
    ]


def tick(match: Match, now: datetime) -> list[Effect]:
    """What the clock means for a match: its turn is played if nobody is missing or the deadline has passed.

    A seat whose letter was set aside or is held has not missed the turn: then the match waits beyond its deadline.
    """
    overdue = match.deadline is not None and match.deadline <= now
    missing = match.missing()
    if match.result is not None or (missing and (not overdue or match.stuck.intersection(missing))):
        return []
    game = match.game
    given = {seat: orders.parse(game, match.state, seat, entry.canonical) for seat, entry in match.standing.items()}
    ruling = game.resolve(match.state, given)
    result = game.result(ruling.state)
    after = Match(
        id=match.id,
        name=match.name,
        game=game,
        state=ruling.state,
        turn=match.turn + 1,
        holders=match.holders,
        every=match.every,
        deadline=None if result else deadline_after(now, match.every),
        result=result,
    )
    told = {seat: match.standing.get(seat) for seat in game.seats}
    play = Play(match, told, ruling, after.deadline, len(after.missing()), result)
    return [play, *_reports(match, after, told, ruling)]


def _reports(before: Match, after: Match, told: Mapping[Seat, Entry | None], ruling: Ruling) -> Sequence[Effect]:
    """The turn, told to every seat; when the game is over, how it ended."""
    awaited = before.game.awaiting(before.state)
    story = before.game.story(before.state, ruling.events)
    sends: list[Effect] = []
    for seat, holder in after.holders.items():
        values = {
            "match": after,
            "seat": seat,
            "played": before.turn,
            "orders": [
                (name, after.holders[name], entry.canonical if entry else None, name in awaited)
                for name, entry in told.items()
            ],
            "story": story,
        }
        sections = (Section("report", values), position(after, seat, since=before.state))
        sends.append(Send("report", f"report-{before.turn}", holder.player, sections, holder, after, after.turn))
    return sends
