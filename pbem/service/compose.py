"""Composition of letters: from an effect of the service core, which says what to send, to the final bytes that go into
the outbox."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count, groupby
from typing import Any
from zoneinfo import ZoneInfo

from pbem import Say, games
from pbem.config.config import Address, Config, game_master_of
from pbem.games.base import Seat
from pbem.games.capabilities import within_turn
from pbem.i18n.languages import say_in
from pbem.mail import calendar, letters
from pbem.match.anonymous import hides_from_masters, sees_names
from pbem.match.commitments import opened_late, opened_secrets, published_hashes
from pbem.match.effects import Notice, Section, Send, notice
from pbem.match.identity import (
    GAME_MASTER,
    MASTER,
    MailWishes,
    Player,
    find_tokens,
    hide_number,
    make_id,
    make_token,
    master_holder,
    own_holder,
    second_id,
)
from pbem.match.model import Match
from pbem.match.time_control import deadline_for
from pbem.orders.commands import COMMANDS, DECISIONS, EVERYDAY
from pbem.render.blocks import Body
from pbem.render.images import Images
from pbem.render.letters import render_body, render_letter
from pbem.service.mailing import headers_of
from pbem.service.subjects import is_for_masters, subject_of
from pbem.store import outbox, players
from pbem.store.audit_log import sha256
from pbem.store.database import Store
from pbem.store.masters import with_masters
from pbem.store.matches import load_match, load_turns
from pbem.store.outbox import GatheredLetter, OutLetter
from pbem.times.moments import stamp

_TO_STRANGERS = ("stranger", "newcomer")  # strangers can claim any name, so our letters do not repeat it
_LAST: Mapping[str, Notice] = {
    **dict.fromkeys(("answer", "unproven", "warning"), "last answer"),
    "question": "last question",
}
_HOUR = timedelta(hours=1)
_DECIDED = 50  # the largest number of decisions that a letter lists
_AT_ONCE, _PAUSE = 6, timedelta(minutes=10)

_EVERYDAY = tuple(row for row in COMMANDS if row.word in EVERYDAY)


@dataclass
class Composer:
    """Composes the letters of a desk during one run. Most fields are those of `Desk`.

    `epoch` is the moment at which the database was last restored, or ""; every Message-ID contains it.
    """

    config: Config
    store: Store
    now: datetime
    last_run: str
    key: bytes = field(repr=False)
    epoch: str = ""
    images: Images = field(default_factory=Images, repr=False)
    receipts: dict[tuple[int, Seat, int], tuple[Send, str]] = field(default_factory=dict, repr=False)
    """Receipts queued in this run that may be merged into the report of their turn, each with its Message-ID, keyed by
    match, seat and player.

    These are receipts to players who have not asked for all letters, and receipts in turns that consist of several
    rounds, such as the rounds of a battle.
    """

    def queue(self, send: Send) -> str:
        """Queue the letter that `send` asks for; return its Message-ID, or "" if no letter was queued.

        If copies go to several readers, the Message-ID of one copy is returned. The number of answers that a reader may
        get within an hour is limited; the last answer within the limit says that no more will follow. If the limit
        suppresses a receipt, the seat gets a single letter with its current position an hour later.
        """
        if self.epoch:
            send = send._replace(key=f"{send.key}.{self.epoch}")  # a letter lost in a restoration may have had this key
        message_id = ""
        for reader in self._readers(send):
            if not reader.address:
                continue  # this person was forgotten
            reader = replace(reader, language=reader.language or self.config.desk.language)  # noqa: PLW2901
            message_id = self._queue(send, reader) or message_id
        return message_id

    def _queue(self, send: Send, reader: Player) -> str:
        """Queue a letter to `reader`; return its Message-ID, or "" if the reader has had too many letters already."""
        limit, span = _limit(send)
        mail = players.mail_wishes(self.store, reader.id)
        seat = (send.match.id, send.holder.seat, reader.id) if send.match and send.holder else None
        receipt, before = self.receipts.get(seat, (None, "")) if seat else (None, "")
        is_report = receipt is not None and send.kind == "report" and send.turn > receipt.turn  # not of an earlier turn
        waits = mail.digest and can_wait(send)  # an answer is not held up
        joined = outbox.unsent_number(self.store, before) if is_report and not waits else None
        if receipt and joined:
            send = with_receipt(receipt, send)
        letter = self._compose(send, reader, mail)
        sent = outbox.sent_lately(self.store, letter, self.now - span) if limit else 0
        if limit and sent >= limit:
            if send.kind in ("answer", "warning") and send.match and send.holder and send.holder.seat != MASTER:
                self.store.schedule_digest(send.match.id, send.holder.seat, self.now + span)
            return ""
        if sent == limit - 1 and send.kind in _LAST:
            last = notice(_LAST[send.kind])
            letter = self._compose(send._replace(sections=(*send.sections, last)), reader, mail)
        outbox.queue(self.store, letter, self.now, self._due(letter, mail, reader))
        if joined:
            outbox.send_within(self.store, [joined], letter.message_id, self.now)
        if seat and send.match and send.joins and (not mail.apart or within_turn(send.match.game, send.match.state)):
            self.receipts[seat] = (send, letter.message_id)
        return letter.message_id

    def _due(self, letter: OutLetter, mail: MailWishes, reader: Player) -> datetime:
        """Return the moment at which a letter should be sent.

        A letter that is to be gathered with others waits for the hour that its reader has chosen. Of the questions to a
        reader, such as whether a letter is genuine, only the first few within an hour are sent at once; the others
        follow after pauses. In this way, forged letters cannot cause hundreds of questions at a time, and do not
        prevent other questions either.
        """
        if letter.body:
            return next_digest(mail, self.now, reader.zone or self.config.desk.zone)
        sent = outbox.sent_lately(self.store, letter, self.now - _HOUR) if letter.kind == "question" else 0
        return self.now + max(0, sent + 1 - _AT_ONCE) * _PAUSE

    def _readers(self, send: Send) -> list[Player]:
        """Return the readers of the letter that `send` asks for: a single person, or all game masters except the one
        whose address is `send.besides`.

        A player's message to the game master goes only to the game master whom our letters name.
        """
        if send.player == GAME_MASTER:
            judges = masters(self.config, send.match)[: 1 if send.kind == "gm" else None]
            recipients = [judge for judge in judges if judge.address.lower() != send.besides.lower()]
            return [self._player_at(recipient) for recipient in recipients]
        return [send.player if send.player.id else self._player_at(Address(send.player.name, send.player.address))]

    def _player_at(self, who: Address) -> Player:
        """Return the player with the address of `who` if there is one; otherwise return a reader of whom only the name
        and the address are known."""
        player = players.invitee(self.store, who.address.lower()).player
        return replace(player, address=who.address) if player else Player(0, who.name or GAME_MASTER.name, who.address)

    def _compose(self, send: Send, reader: Player, mail: MailWishes) -> OutLetter:
        """Return the letter to `reader` that `send` asks for, composed to its final bytes."""
        sender, match = self.config.outgoing.sender, send.match
        say = say_in(reader.language)
        title = _title(send, say)
        sections = tuple(map(self._complete, send.sections))
        message_id, reply_to, root = self._names(send, reader)
        frame = {**self._frame(title, match, reader), "to": (reply_to, f"Re: {title} <{message_id}>")}
        letter = render_letter(sections, {**frame, "images": None if mail.text or mail.no_pictures else self.images})
        entry = None if mail.no_calendar else self._calendar(send, root, say)
        seals = [(letters.SEALS, letter.seals)] if letter.seals else []
        draft = letters.Draft(
            message_id=message_id,
            sender=(sender.name or "pbem", sender.address),
            to=(_called(send, reader), reader.address),
            reply_to=reply_to,
            subject=self._subject(send, subject_of(send, title, say), message_id),
            date=self.now,
            text=letter.text,
            html="" if mail.text else letter.html,
            answers=send.answers,
            references=_references(send, root, message_id),
            automatic="auto-replied" if send.answers else "auto-generated",
            calendar=calendar.write(entry) if entry else None,
            files=(*self._records(send.sections, reader), *_letters(sections), *seals),
            images=tuple(letter.images.items()),
            **headers_of(send, sender.address, (reply_to, message_id), say),
        )
        return OutLetter(
            message_id=message_id,
            kind=send.kind,
            recipient=reader.address,
            envelope="" if send.answers else sender.address,
            raw=letters.write(draft),
            match=match.id if match else None,
            seat=send.holder.seat if send.holder else None,
            player=reader.id or None,
            calendar=("" if entry.cancelled else stamp(entry.due)) if entry else None,
            body=_body(title, send, sections, frame) if mail.digest and can_wait(send) else None,
        )

    def _subject(self, send: Send, subject: str, message_id: str) -> str:
        """Return the subject of a letter, in some cases followed by its Message-ID.

        If the reader's last letter had lost all references, the Message-ID is added, so that an answer to this letter
        can be recognised by its subject. If reply addresses contain a token, this is done only if the letter asks a
        question: the token shows to which game an answer belongs, but not which question a `yes` answers.
        """
        asks = any(section.template == "open" for section in send.sections)
        is_named = send.untied and (asks or self.config.mailbox.reply == "none") and _has_token(message_id)
        return f"{subject} <{message_id}>" if is_named else subject

    def _complete(self, section: Section) -> Section:
        """Return `section` with the values that are read from the store only when its letter is composed."""
        values = section.values
        match section.template:
            case "seals" if values["opening"]:  # some seals of earlier turns may be opened only now
                turn, seat = values["opening"]
                earlier = [played for played in load_turns(self.store, values["match"].id) if played.turn < turn.turn]
                additions: dict[str, Any] = {"late": opened_late(values["match"], turn, seat, earlier)}
            case "decisions":  # about a match, a league, or all that `address` directs; "" stands for the whole desk
                from pbem.store.decisions import decisions

                of = values["match"]
                decided = decisions(self.store, match=of and of.id, league=values["league"], address=values["address"])
                additions = {"decided": decided[-_DECIDED:], "left_out": max(0, len(decided) - _DECIDED)}
            case "letters":
                from pbem.service.letters_shown import as_they_came, mistakes_shown, show_letters, without_writers

                letters = show_letters(self.store, values["match"], values["turn"])
                letters = without_writers(letters) if hides_from_masters(values["match"]) else letters
                additions = {
                    "shown": letters,
                    "mistakes": partial(mistakes_shown, letters),
                    "attached": as_they_came(letters),
                }
            case _:
                return section
        return Section(section.template, {**values, **additions})

    def _records(self, sections: Iterable[Section], reader: Player) -> Iterator[tuple[str, str]]:
        """Yield the file name and the text of each record to attach. A record includes the press that `reader` was
        allowed to read at the time."""
        for section in sections:
            if section.template == "record":
                from pbem.record.notation import write_record
                from pbem.store.histories import load_history

                match = section.values["match"]
                press = frozenset(match.held_by(reader)) - match.muted
                yield f"{match.name}.txt", write_record(load_history(self.store, match.id, press=press))

    def _calendar(self, send: Send, uid: str, say: Say) -> calendar.CalendarEntry | None:
        """Return the calendar entry for a letter: the deadline of the reader's turn or, if the game is over or paused,
        the cancellation of an earlier entry. Return None if the letter needs no entry."""
        match, holder = send.match, send.holder
        if match is None or holder is None:
            return None
        stopped = match.phase in ("paused", "finished", "annulled")
        due = None if stopped else _turn_due(send)
        if not (due or stopped):
            return None
        last_due, before = outbox.in_calendar(self.store, match.id, holder)
        if not (due := due or last_due):
            return None
        sender = self.config.outgoing.sender
        return calendar.CalendarEntry(
            uid=uid,
            sequence=calendar.sequence(before) + 1,
            organizer=(sender.name or "pbem", sender.address),
            written=self.now,
            due=due,
            summary=say("{game}: turn {turn}", game=_title(send, say), turn=match.round),
            description="" if stopped else say("Reply to the last letter of this game with your orders."),
            cancelled=stopped,
        )

    def text_of(self, language: str, section: Section) -> str:
        """Return the text of a section that is not part of a letter, in `language`."""
        frame = self._frame("", None, Player(0, "", "", language=language))
        return render_body((section,), {**frame, "to": ("", "")}).text

    def _names(self, send: Send, reader: Player) -> tuple[str, str, str]:
        """Return the Message-ID of a letter, its reply address, and the root of its thread ("" if it belongs to none).

        Unless the reader is a stranger, the Message-ID contains a token that shows the desk who answers the letter. The
        reply address contains the token, too, if the desk is configured that way.
        """
        sender, match = self.config.outgoing.sender, send.match
        domain = sender.address.rpartition("@")[2]
        if match and (send.player == GAME_MASTER or (send.holder and send.holder.seat == MASTER)):
            master = master_holder(match.holders, reader, reader.address)
            token = str(make_token(self.key, match.id, master, match.turn))
            root = f"{match.name}.{MASTER}@{domain}"
        elif match and send.holder:
            token = str(make_token(self.key, match.id, send.holder, send.turn))
            root = f"{match.name}.{send.holder.seat}@{domain}"
        elif reader.id:
            address, claimed = reader.address.lower(), players.claims(self.store, reader.id, self.now)
            replaced = {claim.instead for claim in claimed.values() if claim.taken_at and claim.instead}
            only = address if address in replaced or (address in claimed and not claimed[address].taken_at) else ""
            own = own_holder(reader, players.epoch(self.store, reader.id), only=only)
            token = str(make_token(self.key, reader.id, own, self.now.toordinal()))
            root = f"gathered.{_local_part(reader)}@{domain}" if send.kind == "gathered" else ""
        else:
            return f"{_local_part(reader)}.{send.key}@{domain}", sender.address, ""
        key = f"{send.key}.{_local_part(reader)}" if send.player == GAME_MASTER else send.key
        if send.kind == "course" or (send.kind == "report" and not send.holder):
            key = self._new_key(token, key, domain)
        return (
            make_id(self.key, f"{token}.{key}", domain),
            reply_address(sender.address, self.config.mailbox.reply, token),
            root,
        )

    def _new_key(self, token: str, key: str, domain: str) -> str:
        """Return `key` or, if there already is a letter of ours with this `token` and `key`, `key` followed by a
        number. In this way, two changes at the same moment are both reported."""
        keys = (f"{key}-{number}" if number > 1 else key for number in count(1))
        return next(
            candidate
            for candidate in keys
            if not outbox.sent_letter(self.store, [make_id(self.key, f"{token}.{candidate}", domain)])
        )

    def _frame(self, title: str, match: Match | None, reader: Player) -> Mapping[str, Any]:
        """Return the values that every letter shows before and after its sections."""
        say = say_in(reader.language)
        return {
            "language": reader.language or "en",
            "sees": lambda match: sees_names(with_masters(match, game_master_of(self.config)), reader.address),
            "now": self.now,
            "zone": ZoneInfo(reader.zone or (match and match.terms.deadline.zone) or self.config.desk.zone),
            "title": title,
            "head": self.store.head().hash,
            "contact": ""
            if outbox.has_had_letters(self.store, reader.address)
            else self.config.outgoing.sender.address,
            "run": _minute(stamp(self.now)),
            "last_run": _minute(self.last_run),
            "notes": match.game.notes(match.state, say=say) if match else (),
            "secrets": (*_on_chance(match, say),) if match else (),
            "beacon": beacon.name if (beacon := self.config.beacon) else "",
            "game_master": masters(self.config, match)[0].address,
            "commands": COMMANDS,
            "everyday": _EVERYDAY,
            "decisions": DECISIONS,
            "all_games": games.GAMES.values,
            "interpreter": self.config.interpreter is not None,
            "pages": self.config.desk.pages,
        }

    # Letters that are gathered until the hour at which their reader wants them

    def gather(self) -> None:
        """Combine the gathered letters that are due into one letter for each reader, in the caller's transaction.

        If only one letter is due for a reader, it is sent unchanged, in the thread of its game.
        """
        for number, group in groupby(outbox.to_gather(self.store, self.now), key=lambda part: part.player):
            parts = [*group]
            outbox.send_within(self.store, [part.id for part in parts if part.overtaken], "", self.now)
            due = [part for part in parts if not part.overtaken]
            player = players.load_player(self.store, number)
            if len(due) > 1 and player.address:
                message_id = self.queue(self._combine(due, player))
                outbox.send_within(self.store, [part.id for part in due], message_id, self.now)

    def _combine(self, parts: list[GatheredLetter], player: Player) -> Send:
        """Combine `parts` into one letter to `player`, in the order of their games.

        If all parts are for the same seat, the letter can be answered with orders of that seat.
        """
        parts = sorted(parts, key=lambda part: part.match or 0)
        section = Section("gathered", {"parts": [(part.body["title"], _body_of(part)) for part in parts]})
        key = f"gathered-{hide_number(self.key, parts[-1].id)}"
        seats = {(part.match, part.seat) for part in parts}
        number, seat = seats.pop()
        if seats or number is None or seat is None:
            return Send("gathered", key, player, (section,))
        match = load_match(self.store, number)
        return Send("gathered", key, player, (section,), match.holders[seat], match, match.turn)


def _body(title: str, send: Send, sections: Sequence[Section], frame: Mapping[str, Any]) -> str:
    """Return, as JSON, the parts of a letter that are stored until it is combined with others: title, turn and body."""
    body = render_body(sections, {**frame, "gathered": True})
    return json.dumps({"title": title, "turn": send.turn, **body._asdict()})


def _letters(sections: Iterable[Section]) -> Iterator[tuple[str, str]]:
    """Yield the file name and the text of each attachment that shows a game master the letters of a game as they
    arrived."""
    for section in sections:
        if section.template == "letters" and section.values["attached"]:
            yield f"{section.values['match'].name}-letters.txt", section.values["attached"]


def _on_chance(match: Match, say: Say) -> Iterator[str]:
    """Yield sentences for the file of seals: about the secrets of `match` that were opened at its end, about the hashes
    of secrets that have yet to be opened, and about the round of the beacon that is named for it."""
    match = match.as_told()
    for secret in opened_secrets(match):
        yield say("{secret} is the secret of the shuffles", secret=secret)
    if hashes := published_hashes(match):
        yield say("{hash} is the SHA-256 of the secret of turn {turn}", turn=match.round, hash=hashes["turn hash"])
        yield say("{hash} is the SHA-256 of the secret of the shuffles", hash=hashes["deck hash"])
        if match.drawing and match.drawing.round:
            yield say(
                "Round {round} of the public beacon is named for {name}", round=match.drawing.round, name=match.name
            )


def masters(config: Config, match: Match | None) -> list[Address]:
    """Return the game masters who may decide about `match`: those of its league, or else the desk's game master. Game
    masters who play in `match` are left out, unless nobody else remains."""
    judges = with_masters(match, game_master_of(config)).judges if match else ()
    return [Address(judge.name, judge.address) for judge in judges] or [game_master_of(config)]


def reply_address(address: str, form: str, token: str) -> str:
    """Return `address` with `token` in the given `form`: "plus" adds it to the local part, "catch-all" puts it in place
    of the local part, and "none" leaves it out."""
    local, _, domain = address.rpartition("@")
    forms = {"plus": f"{local}+{token}", "catch-all": token, "none": local}
    return f"{forms[form]}@{domain}"


def _has_token(message_id: str) -> bool:
    """Return whether a Message-ID of ours contains a token. The Message-IDs of letters to strangers contain none."""
    return find_tokens([message_id]) != []


def _references(send: Send, root: str, message_id: str) -> tuple[str, ...]:
    """Return the References of a letter: the root of its thread, the second id made from its Message-ID (see
    `second_id`), and the id of the letter that it answers. Those that the letter does not have are left out."""
    second = second_id(message_id) if _has_token(message_id) else ""
    return tuple(filter(None, (root, second, send.answers)))


def _called(send: Send, reader: Player) -> str:
    """Return the name in the address of a letter to `reader`; a letter to a stranger has none."""
    return "" if send.kind in _TO_STRANGERS else send.holder.own_name if send.holder else reader.name


def _title(send: Send, say: Say) -> str:
    """Return the title of a letter, with which its subject begins. It is the same for all letters of a game."""
    if is_for_masters(send):
        master = say("For the game master")
        return say("For the game master of {match}", match=send.match.name) if send.match else master
    if send.match:
        return f"{send.match.game.title} {send.match.name}"
    if send.kind == "standings":
        return say("League {league}", league=send.sections[0].values["league"])
    if send.kind == "puzzle":
        return say("A puzzle for you")  # this must not be a command in any language: subjects of answers are read
    return say("Your letter") if send.kind in _TO_STRANGERS else say("Your games")


def _turn_due(send: Send) -> datetime | None:
    """Return the deadline of the turn if the letter mentions the deadline and the letter's seat has yet to send orders;
    otherwise return None."""
    match, holder = send.match, send.holder
    if not (match and holder and match.deadline and holder.seat in match.missing()) or holder.stand_in:
        return None
    return (
        deadline_for(match, holder.seat) if any(section.values.get("deadline") for section in send.sections) else None
    )


def _local_part(reader: Player) -> str:
    """Return a text that represents `reader` in Message-IDs without revealing who they are."""
    return f"player-{reader.id}" if reader.id else f"to-{sha256(reader.address.lower().encode())[:12]}"


def _limit(send: Send) -> tuple[int, timedelta]:
    """Return how many letters of the same kind as `send` a reader may get within a time span, and that span. 0 letters
    means any number."""
    match send.kind:
        case "question":
            return 60, timedelta(days=1)
        case _ if send.certain:
            return 0, _HOUR
        case "answer":
            return 60, _HOUR
        case "unproven" | "warning" | "sealed":
            return 6, _HOUR
        case "away":
            return 20, timedelta(days=1)
        case _:
            return 0, _HOUR


def _minute(moment: str) -> str:
    """Format `moment`, which is in the form that the store uses, as `2026-11-25 15:58 UTC`; "" remains unchanged."""
    return moment and f"{moment[:10]} {moment[11:16]} UTC"


def _body_of(part: GatheredLetter) -> Body:
    """Return the rendered body of the gathered letter `part`."""
    body = part.body
    return Body(body["text"], body["html"], tuple(map(tuple, body["seats"])), tuple(body["seals"]))


_GATHERED = frozenset(("sealed", "press", "away", "standings"))


_NEWS = frozenset(("no wish", "wish declined", "offer declined", "resigned", "replace", "came back"))
"""Kinds of notices about the course of a game that ask nothing of the reader and do not bring any deadline forward."""


def next_digest(wishes: MailWishes, now: datetime, zone: str) -> datetime:
    """Return the moment at which the next letter with gathered news is sent. `wishes` specifies the time of day, and
    `zone` its time zone."""
    hour, minute = map(int, wishes.digest.split(":"))
    local = now.astimezone(ZoneInfo(zone))
    at = local.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return (at if at > local else at + timedelta(days=1)).astimezone(UTC)


def can_wait(send: Send) -> bool:
    """Return whether a letter asks nothing of its reader, so that it can be gathered with other letters and sent
    later."""
    match, holder = send.match, send.holder
    with_files = any(section.template in ("record", "letters") for section in send.sections)
    if send.answers or send.player == GAME_MASTER or with_files:
        return False
    if send.kind in _GATHERED:
        return True
    if match is None or holder is None:
        return match is not None and send.kind in ("report", "course")  # the reader only watches
    if send.kind == "report":
        return not (match.over or (holder.seat in match.missing() and not holder.stand_in))
    values = send.sections[0].values
    return send.kind == "course" and values["what"] in _NEWS and values.get("by") != holder


def with_receipt(receipt: Send, report: Send) -> Send:
    """Return `report` with `receipt` merged into it, below what happened, because that is what people look for. The
    receipt is for orders that came in during the run that then played their turn."""
    answered = tuple(
        Section("taken", section.values) if section.template == "receipt" else section
        for section in receipt.sections
        if section.template not in ("seals", "position")
    )
    happened, *others = report.sections
    return report._replace(sections=(happened, *answered, *others), answers=receipt.answers, untied=receipt.untied)
