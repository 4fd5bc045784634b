"""Composition of letters: from what the service core wants to say to the final bytes that go into the outbox."""

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
from pbem.orders.commands import COMMANDS, DECISIONS, EVERYDAY
from pbem.render.blocks import Body
from pbem.render.letters import render_body, render_letter
from pbem.store import outbox, players
from pbem.store.audit_log import sha256
from pbem.store.database import Store
from pbem.store.masters import with_masters
from pbem.store.matches import load_match, load_turns
from pbem.store.outbox import GatheredLetter, OutLetter
from pbem.times.moments import stamp

_TO_STRANGERS = ("stranger", "newcomer")  # they can claim any name, so our letters do not repeat it
_LAST: Mapping[str, Notice] = {
    **dict.fromkeys(("answer", "unproven", "warning"), "last answer"),
    "question": "last question",
}
_HOUR = timedelta(hours=1)
_DECIDED = 50  # the most decisions that a letter lists
_AT_ONCE, _PAUSE = 6, timedelta(minutes=10)

_EVERYDAY = tuple(row for row in COMMANDS if row.word in EVERYDAY)


@dataclass
class Composer:
    """Composes the letters of a desk during one run. Its fields are those of `Desk`.

    `epoch` is the moment at which the database was last restored, or ""; every Message-ID contains it.
    """

    config: Config
    store: Store
    now: datetime
    last_run: str
    key: bytes = field(repr=False)
    epoch: str = ""
    receipts: dict[tuple[int, Seat, int], tuple[Send, str]] = field(default_factory=dict, repr=False)
    """Receipts queued in this run that may be merged into the report of their turn, with their Message-IDs.

    They are those of players who want fewer letters, or who fight a battle within a turn.
    """

    def queue(self, send: Send) -> str:
        """Queue a letter, and return its Message-ID, or "" if nothing was queued.

        If it goes to several readers, the id is that of one of them. A reader who has had too many answers lately gets
        no more; the last one before that says so. A seat that therefore got no receipt gets one letter about all its
        orders when the hour is over.
        """
        if self.epoch:
            send = send._replace(key=f"{send.key}.{self.epoch}")  # a forgotten letter may have had the same key
        message_id = ""
        for reader in self._readers(send):
            if not reader.address:
                continue  # forgotten
            reader = replace(reader, language=reader.language or self.config.desk.language)  # noqa: PLW2901
            message_id = self._queue(send, reader) or message_id
        return message_id

    def _queue(self, send: Send, reader: Player) -> str:
        """Queue a letter to one reader, who may have had enough letters already; return its Message-ID, or "" if so."""
        limit, span = _limit(send)
        mail = players.mail_wishes(self.store, reader.id)
        seat = (send.match.id, send.holder.seat, reader.id) if send.match and send.holder else None
        receipt, before = self.receipts.get(seat, (None, "")) if seat else (None, "")
        is_report = receipt is not None and send.kind == "report" and send.turn > receipt.turn  # not of an earlier turn
        joined = outbox.unsent_number(self.store, before) if is_report else None
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
        if seat and send.match and send.joins and (mail.fewer or within_turn(send.match.game, send.match.state)):
            self.receipts[seat] = (send, letter.message_id)
        return letter.message_id

    def _due(self, letter: OutLetter, mail: MailWishes, reader: Player) -> datetime:
        """Return when to send a letter.

        A letter that is gathered with others waits for the hour that its reader has chosen. When we ask whether letters
        are genuine, only a few of the questions are sent at once and the others after pauses, so that forged letters
        neither suppress other questions nor cause hundreds of them at a time.
        """
        if letter.body:
            return next_digest(mail, self.now, reader.zone or self.config.desk.zone)
        sent = outbox.sent_lately(self.store, letter, self.now - _HOUR) if letter.kind == "question" else 0
        return self.now + max(0, sent + 1 - _AT_ONCE) * _PAUSE

    def _readers(self, send: Send) -> list[Player]:
        """Return the readers of a letter: a person with an address, or all game masters.

        A player's message to the game master goes only to the one whom our letters name.
        """
        if send.player == GAME_MASTER:
            judges = masters(self.config, send.match)[: 1 if send.kind == "gm" else None]
            recipients = [judge for judge in judges if judge.address.lower() != send.besides.lower()]
            return [self._player_at(recipient) for recipient in recipients]
        return [send.player if send.player.id else self._player_at(Address(send.player.name, send.player.address))]

    def _player_at(self, who: Address) -> Player:
        """Return the known player with an address, or make a reader about whom we know only the address."""
        player = players.invitee(self.store, who.address.lower()).player
        return replace(player, address=who.address) if player else Player(0, who.name or GAME_MASTER.name, who.address)

    def _compose(self, send: Send, reader: Player, mail: MailWishes) -> OutLetter:
        """Compose the letter that a Send effect asks for, as final bytes."""
        sender, match = self.config.outgoing.sender, send.match
        say = say_in(reader.language)
        title = _title(send, say)
        sections = tuple(map(self._complete, send.sections))
        message_id, reply_to, root = self._names(send, reader)
        extra = {"to": (reply_to, f"Re: {title} <{message_id}>"), "head": self.store.head().hash}
        frame = {**self._frame(title, match, reader), **extra}
        text, html, seals = render_letter(sections, frame)
        entry = None if mail.no_calendar else self._calendar(send, root, say)
        files = [*self._records(send.sections, reader), *_letters(sections)]
        files += [(letters.SEALS, seals)] if seals else []
        draft = letters.Draft(
            message_id=message_id,
            sender=(sender.name or "pbem", sender.address),
            to=("" if send.kind in _TO_STRANGERS else send.holder.name if send.holder else reader.name, reader.address),
            reply_to=reply_to,
            subject=self._subject(send, title, message_id),
            date=self.now,
            text=text,
            html="" if mail.text else html,
            answers=send.answers,
            references=_references(send, root, message_id),
            automatic="auto-replied" if send.answers else "auto-generated",
            calendar=calendar.write(entry) if entry else None,
            files=tuple(files),
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

    def _subject(self, send: Send, title: str, message_id: str) -> str:
        """Return the subject of a letter: its title, followed by the Message-ID if the letter answered has lost all
        references.

        Even then a plus address shows the game, but not which question a `yes` answers.
        """
        asks = any(section.template == "open" for section in send.sections)
        is_named = send.untied and (asks or self.config.mailbox.reply == "none") and _has_token(message_id)
        return f"{title} <{message_id}>" if is_named else title

    def _complete(self, section: Section) -> Section:
        """Add to a section whatever is read from the store only when its letter is composed."""
        values = section.values
        match section.template:
            case "seals" if values["opening"]:  # some seals of earlier turns may be opened only now
                turn, seat = values["opening"]
                earlier = [played for played in load_turns(self.store, values["match"].id) if played.turn < turn.turn]
                additions: dict[str, Any] = {"late": opened_late(values["match"], turn, seat, earlier)}
            case "decisions":  # about a match, or whatever the owner of an address directs; "" is the whole desk
                from pbem.store.decisions import decisions

                of = values["match"]
                decided = decisions(self.store, match=of and of.id, address=values["address"])
                additions = {"decided": decided[-_DECIDED:], "left_out": max(0, len(decided) - _DECIDED)}
            case "letters":
                from pbem.service.letters_shown import as_they_came, mistakes_shown, show_letters

                letters = show_letters(self.store, values["match"], values["turn"])
                additions = {
                    "shown": letters,
                    "mistakes": partial(mistakes_shown, letters),
                    "attached": as_they_came(letters),
                }
            case _:
                return section
        return Section(section.template, {**values, **additions})

    def _records(self, sections: Iterable[Section], reader: Player) -> Iterator[tuple[str, str]]:
        """Yield the records to attach, by file name, including the press that their reader was allowed to read at the
        time."""
        for section in sections:
            if section.template == "record":
                from pbem.record.notation import write_record
                from pbem.store.histories import load_history

                match = section.values["match"]
                press = frozenset(match.held_by(reader)) - match.muted
                yield f"{match.name}.txt", write_record(load_history(self.store, match.id, press=press))

    def _calendar(self, send: Send, uid: str, say: Say) -> calendar.CalendarEntry | None:
        """Return the calendar entry of a letter, which says when its reader's turn is due, or that the game is over or
        paused."""
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
            description="" if stopped else say("Answer the last letter of this game with your orders."),
            cancelled=stopped,
        )

    def _names(self, send: Send, reader: Player) -> tuple[str, str, str]:
        """Return the Message-ID, the reply address and the root of the thread, by which we recognise who answers."""
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
        """Return a variant of a key that no letter has yet, so that two changes at the same moment are both
        reported."""
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
            "now": self.now,
            "zone": ZoneInfo(reader.zone or (match and match.terms.deadline.zone) or self.config.desk.zone),
            "title": title,
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
        }

    # Letters that are gathered until the hour at which their reader wants them

    def gather(self) -> None:
        """Combine the gathered letters that are due, so that each reader gets one, in the caller's transaction.

        A letter with no other to join is sent unchanged, in the thread of its game.
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
        """Combine parts into one letter, in the order of their games.

        If all of them are for one seat, it can be answered with that seat's orders.
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
    """Serialise what is kept of a letter that is gathered with others: its title, its turn and its rendered body."""
    body = render_body(sections, {**frame, "gathered": True})
    return json.dumps({"title": title, "turn": send.turn, **body._asdict()})


def _letters(sections: Iterable[Section]) -> Iterator[tuple[str, str]]:
    """Yield a file name and the letters of a game as they arrived, for a game master."""
    for section in sections:
        if section.template == "letters" and section.values["attached"]:
            yield f"{section.values['match'].name}-letters.txt", section.values["attached"]


def _on_chance(match: Match, say: Say) -> Iterator[str]:
    """Yield sentences, for the file of seals, about secrets that are not open yet, or that a match opened at its
    end."""
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
    """Return the people who make decisions about a match: the game masters of its league, or else the desk's, including
    any who play in it."""
    judges = with_masters(match, game_master_of(config)).judges if match else ()
    return [Address(judge.name, judge.address) for judge in judges] or [game_master_of(config)]


def reply_address(address: str, form: str, token: str) -> str:
    """Add a token to an address of ours in the `form` that the mailbox supports: "plus", "catch-all", or without any
    token."""
    local, _, domain = address.rpartition("@")
    forms = {"plus": f"{local}+{token}", "catch-all": token, "none": local}
    return f"{forms[form]}@{domain}"


def _has_token(message_id: str) -> bool:
    """Check whether a Message-ID of ours contains a token; in letters to strangers it does not."""
    return find_tokens([message_id]) != []


def _references(send: Send, root: str, message_id: str) -> tuple[str, ...]:
    """Return the References of a letter: the root of its thread, its own second id, and the letter it answers."""
    second = second_id(message_id) if _has_token(message_id) else ""
    return tuple(filter(None, (root, second, send.answers)))


def _title(send: Send, say: Say) -> str:
    """Return the subject of a letter, which is the same for all letters of a game, so that they form one thread."""
    if send.player == GAME_MASTER or send.kind in ("gm", "desk") or (send.holder and send.holder.seat == MASTER):
        master = say("For the game master")
        return say("For the game master of {match}", match=send.match.name) if send.match else master
    if send.match:
        return f"{send.match.game.title} {send.match.name}"
    if send.kind == "standings":
        return say("League {league}", league=send.sections[0].values["league"])
    if send.kind == "puzzle":
        return say("A puzzle for you")  # no command in any language, because we read the subjects of answers
    return say("Your letter") if send.kind in _TO_STRANGERS else say("Your games")


def _turn_due(send: Send) -> datetime | None:
    """Return the deadline of the turn for which the letter's seat has yet to write, if the letter mentions it."""
    match, holder = send.match, send.holder
    if not (match and holder and match.deadline and holder.seat in match.missing()):
        return None
    return match.deadline.moment if any(section.values.get("deadline") for section in send.sections) else None


def _local_part(reader: Player) -> str:
    """Return a stand-in for a reader's name in Message-IDs, which does not reveal who they are."""
    return f"player-{reader.id}" if reader.id else f"to-{sha256(reader.address.lower().encode())[:12]}"


def _limit(send: Send) -> tuple[int, timedelta]:
    """Return how many letters of a kind a reader may get, and in what time; 0 means any number."""
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
    """Format a moment, given in the form that the store uses, as `2026-11-25 15:58 UTC`; "" stays empty."""
    return moment and f"{moment[:10]} {moment[11:16]} UTC"


def _body_of(part: GatheredLetter) -> Body:
    """Load the rendered body of a gathered letter."""
    body = part.body
    return Body(body["text"], body["html"], tuple(map(tuple, body["seats"])), tuple(body["seals"]))


_GATHERED = frozenset(("sealed", "press", "away", "standings"))


_NEWS = frozenset(("no wish", "wish declined", "offer declined", "resigned", "replace"))
"""Notices about the course of a game that ask nothing of a seat and make no deadline earlier."""


def next_digest(wishes: MailWishes, now: datetime, zone: str) -> datetime:
    """Return when the next letter with gathered news goes out."""
    hour, minute = map(int, wishes.digest.split(":"))
    local = now.astimezone(ZoneInfo(zone))
    at = local.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return (at if at > local else at + timedelta(days=1)).astimezone(UTC)


def can_wait(send: Send) -> bool:
    """Check whether a letter asks nothing of its reader, so that it can wait to be gathered with others of the day."""
    match, holder = send.match, send.holder
    with_files = any(section.template in ("record", "letters") for section in send.sections)
    if send.answers or send.player == GAME_MASTER or with_files:
        return False
    if send.kind in _GATHERED:
        return True
    if match is None or holder is None:
        return match is not None and send.kind in ("report", "course")  # the reader only watches
    if send.kind == "report":
        return not (match.over or holder.seat in match.missing())
    values = send.sections[0].values
    return send.kind == "course" and values["what"] in _NEWS and values.get("by") != holder


def with_receipt(receipt: Send, report: Send) -> Send:
    """Merge a receipt into the report of the turn, which was played at once because the last orders had come in."""
    sections = tuple(
        Section("taken", section.values) if section.template == "receipt" else section
        for section in receipt.sections
        if section.template not in ("seals", "position")
    )
    return report._replace(sections=(*sections, *report.sections), answers=receipt.answers, untied=receipt.untied)
