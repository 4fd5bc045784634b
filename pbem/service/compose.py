"""Letters out: what the service core wants to tell becomes final bytes in the outbox."""

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
from pbem.match.commitments import opened_late, published_hashes
from pbem.match.effects import Notice, Section, Send, notice
from pbem.match.identity import (
    GAME_MASTER,
    MASTER,
    MailWishes,
    Player,
    hide_number,
    make_id,
    make_token,
    master_holder,
    own_holder,
)
from pbem.match.model import Match
from pbem.orders.commands import COMMANDS, DECISIONS, EVERYDAY
from pbem.render.blocks import Body
from pbem.render.letters import render_body, render_letter
from pbem.store import outbox, players
from pbem.store.audit_log import sha256
from pbem.store.database import Store
from pbem.store.matches import load_match, load_turns, with_masters
from pbem.store.outbox import GatheredLetter, OutLetter
from pbem.times.moments import stamp

_TO_STRANGERS = ("stranger", "newcomer")  # what they call themselves may be anything: our letters do not bear it
_LAST: Mapping[str, Notice] = {
    **dict.fromkeys(("answer", "unproven", "warning"), "last answer"),
    "question": "last question",
}
_HOUR = timedelta(hours=1)
_DECIDED = 50  # decisions that a letter lists at most
_AT_ONCE, _PAUSE = 6, timedelta(minutes=10)

_EVERYDAY = tuple(row for row in COMMANDS if row.word in EVERYDAY)


@dataclass
class Composer:
    """The desk's writing side during one run; fields as those of `Desk`. `epoch` is since when its database is what it
    is, "" if that never was an older one: every Message-ID bears it."""

    config: Config
    store: Store
    now: datetime
    last_run: str
    key: bytes = field(repr=False)
    epoch: str = ""
    receipts: dict[tuple[int, Seat, int], tuple[Send, str]] = field(default_factory=dict, repr=False)
    """Of this run, of those who like fewer letters or fight a battle within a turn, with their Message-IDs: the report
    of the turn may join them."""

    def queue(self, send: Send) -> str:
        """Queue a letter, unless its reader has had too many answers lately; the last one of the hour says so.
        Gives its Message-ID, "" if there is none, and one of them if it goes to several.

        A seat that got no receipt for want of room gets one letter for all when the hour is over.
        """
        if self.epoch:
            send = send._replace(key=f"{send.key}.{self.epoch}")  # the key alone may be in letters that are forgotten
        message_id = ""
        for reader in self._readers(send):
            if not reader.address:
                continue  # he is forgotten
            reader = replace(reader, language=reader.language or self.config.desk.language)  # noqa: PLW2901
            message_id = self._queue(send, reader) or message_id
        return message_id

    def _queue(self, send: Send, reader: Player) -> str:
        """The same of one reader, who may like to get fewer."""
        limit, span = _limit(send)
        mail = players.mail_wishes(self.store, reader.id)
        seat = (send.match.id, send.holder.seat, reader.id) if send.match and send.holder else None
        receipt, before = self.receipts.get(seat, (None, "")) if seat else (None, "")
        is_report = receipt is not None and send.kind == "report" and send.turn > receipt.turn  # not an older one again
        joined = outbox.waits_still(self.store, before) if is_report else None
        if receipt and joined:
            send = with_receipt(receipt, send)
        letter = self._compose(send, reader, mail)
        sent = outbox.sent_lately(self.store, letter, self.now - span) if limit else 0
        if limit and sent >= limit:
            if send.kind in ("answer", "warning") and send.match and send.holder and send.holder.seat != MASTER:
                self.store.put_off(send.match.id, send.holder.seat, self.now + span)
            return ""
        if sent == limit - 1 and send.kind in _LAST:
            last = notice(_LAST[send.kind])
            letter = self._compose(send._replace(sections=(*send.sections, last)), reader, mail)
        outbox.queue(self.store, letter, self.now, self._due(letter, mail, reader))
        if joined:
            outbox.take_along(self.store, [joined], letter.message_id, self.now)
        if seat and send.match and send.joins and (mail.fewer or within_turn(send.match.game, send.match.state)):
            self.receipts[seat] = (send, letter.message_id)
        return letter.message_id

    def _due(self, letter: OutLetter, mail: MailWishes, reader: Player) -> datetime:
        """When a letter goes. What is gathered waits for the hour that its reader has chosen. Of the questions whose a
        letter is only some do at once: forged letters must neither keep others from being asked about, nor bring
        hundreds together.
        """
        if letter.body:
            return next_digest(mail, self.now, reader.zone or self.config.desk.zone)
        sent = outbox.sent_lately(self.store, letter, self.now - _HOUR) if letter.kind == "question" else 0
        return self.now + max(0, sent + 1 - _AT_ONCE) * _PAUSE

    def _readers(self, send: Send) -> list[Player]:
        """Whom a letter goes to: somebody with an address, or every game master; with a player's words only the one
        whom our letters name."""
        if send.player == GAME_MASTER:
            judges = masters(self.config, send.match)[: 1 if send.kind == "gm" else None]
            recipients = [judge for judge in judges if judge.address.lower() != send.besides.lower()]
            return [self._player_at(recipient) for recipient in recipients]
        return [send.player if send.player.id else self._player_at(Address(send.player.name, send.player.address))]

    def _player_at(self, who: Address) -> Player:
        """Somebody by his address: a player if we know him."""
        player = players.invitee(self.store, who.address.lower()).player
        return replace(player, address=who.address) if player else Player(0, who.name or GAME_MASTER.name, who.address)

    def _compose(self, send: Send, reader: Player, mail: MailWishes) -> OutLetter:
        """The letter that a Send effect asks for, as final bytes."""
        sender, match = self.config.outgoing.sender, send.match
        say = say_in(reader.language)
        title = _title(send, say)
        sections = tuple(map(self._loaded, send.sections))
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
            subject=title,
            date=self.now,
            text=text,
            html="" if mail.text else html,
            answers=send.answers,
            references=tuple(filter(None, (root, send.answers))),
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

    def _loaded(self, section: Section) -> Section:
        """A section with what only its letter needs of the store."""
        values = section.values
        match section.template:
            case "seals" if values["opening"]:  # of earlier turns some may be opened only now
                turn, seat = values["opening"]
                earlier = [played for played in load_turns(self.store, values["match"].id) if played.turn < turn.turn]
                additions: dict[str, Any] = {"late": opened_late(values["match"], turn, seat, earlier)}
            case "decisions":  # of a match, or of all that are led from an address, "" for all there are
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
        """The records that go along with a letter as files, with press for those who could read it when it came."""
        for section in sections:
            if section.template == "record":
                from pbem.record.notation import write_record
                from pbem.store.histories import load_history

                match = section.values["match"]
                press = frozenset(match.held_by(reader)) - match.muted
                yield f"{match.name}.txt", write_record(load_history(self.store, match.id, press=press))

    def _calendar(self, send: Send, uid: str, say: Say) -> calendar.CalendarEntry | None:
        """What a letter says to its reader's calendar: when his turn is due, or that a game there is over or pauses."""
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
        """Message-ID, reply address and the root of the thread; all three say whose answer it will be."""
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
            root = f"gathered.{_local(reader)}@{domain}" if send.kind == "gathered" else ""
        else:
            return f"{_local(reader)}.{send.key}@{domain}", sender.address, ""
        key = f"{send.key}.{_local(reader)}" if send.player == GAME_MASTER else send.key
        if send.kind == "course" or (send.kind == "report" and not send.holder):
            key = self._new_key(token, key, domain)
        return (
            make_id(self.key, f"{token}.{key}", domain),
            reply_address(sender.address, self.config.mailbox.reply, token),
            root,
        )

    def _new_key(self, token: str, key: str, domain: str) -> str:
        """A key that no letter has: what changes twice in a moment is told twice."""
        keys = (f"{key}-{number}" if number > 1 else key for number in count(1))
        return next(
            candidate
            for candidate in keys
            if not outbox.sent_letter(self.store, [make_id(self.key, f"{token}.{candidate}", domain)])
        )

    def _frame(self, title: str, match: Match | None, reader: Player) -> Mapping[str, Any]:
        """The values of what every letter says before and behind its sections."""
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

    # Letters that wait for the hour at which their reader wants them

    def gather(self) -> None:
        """Make one letter of those to each reader that are due, in the caller's transaction; one alone goes as it is,
        in the thread of its game."""
        for number, group in groupby(outbox.to_gather(self.store, self.now), key=lambda part: part.player):
            parts = [*group]
            outbox.take_along(self.store, [part.id for part in parts if part.overtaken], "", self.now)
            due = [part for part in parts if not part.overtaken]
            player = players.load_player(self.store, number)
            if len(due) > 1 and player.address:
                message_id = self.queue(self._gathered(due, player))
                outbox.take_along(self.store, [part.id for part in due], message_id, self.now)

    def _gathered(self, parts: list[GatheredLetter], player: Player) -> Send:
        """All parts in one, in the order of their games; if they are of one seat, its orders may answer it."""
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
    """What is kept of a letter that is to be gathered: under which title, of which turn, and what it says."""
    body = render_body(sections, {**frame, "gathered": True})
    return json.dumps({"title": title, "turn": send.turn, **body._asdict()})


def _letters(sections: Iterable[Section]) -> Iterator[tuple[str, str]]:
    """The letters of a game that are shown as they came, as a file."""
    for section in sections:
        if section.template == "letters" and section.values["attached"]:
            yield f"{section.values['match'].name}-letters.txt", section.values["attached"]


def _on_chance(match: Match, say: Say) -> Iterator[str]:
    """What the file of seals says about secrets that are closed still, or that the match has opened by its end."""
    match = match.as_told()
    hashes = published_hashes(match)
    if hashes and match.deck and match.over:
        yield say("{secret} is the secret of the shuffles", secret=hashes["deck"])
    elif hashes:
        yield say("{hash} is the SHA-256 of the secret of turn {turn}", turn=match.round, hash=hashes["turn hash"])
        yield say("{hash} is the SHA-256 of the secret of the shuffles", hash=hashes["deck hash"])
        if match.drawing and match.drawing.round:
            yield say(
                "Round {round} of the public beacon is named for {name}", round=match.drawing.round, name=match.name
            )


def masters(config: Config, match: Match | None) -> list[Address]:
    """Who decides on a match: the game masters of its league, else the desk's, who hears of it even as a player."""
    judges = with_masters(match, game_master_of(config)).judges if match else ()
    return [Address(judge.name, judge.address) for judge in judges] or [game_master_of(config)]


def reply_address(address: str, form: str, token: str) -> str:
    """An address of ours that carries a token, in the form that the mailbox bears: plus, catch-all or none."""
    local, _, domain = address.rpartition("@")
    forms = {"plus": f"{local}+{token}", "catch-all": token, "none": local}
    return f"{forms[form]}@{domain}"


def _title(send: Send, say: Say) -> str:
    """The subject of a letter, the same for all letters of a game, so that mail programs keep its thread."""
    if send.player == GAME_MASTER or send.kind in ("gm", "desk") or (send.holder and send.holder.seat == MASTER):
        master = say("For the game master")
        return say("For the game master of {match}", match=send.match.name) if send.match else master
    if send.match:
        return f"{send.match.game.title} {send.match.name}"
    if send.kind == "standings":
        return say("League {league}", league=send.sections[0].values["league"])
    if send.kind == "puzzle":
        return say("A puzzle for you")  # no command in any language: the subject of an answer is read, too
    return say("Your letter") if send.kind in _TO_STRANGERS else say("Your games")


def _turn_due(send: Send) -> datetime | None:
    """The deadline that a letter tells a seat that its turn waits for."""
    match, holder = send.match, send.holder
    if not (match and holder and match.deadline and holder.seat in match.missing()):
        return None
    return match.deadline.moment if any(section.values.get("deadline") for section in send.sections) else None


def _local(reader: Player) -> str:
    """Something of a reader for a Message-ID that tells nobody who he is."""
    return f"player-{reader.id}" if reader.id else f"to-{sha256(reader.address.lower().encode())[:12]}"


def _limit(send: Send) -> tuple[int, timedelta]:
    """How many letters of a kind one reader gets in what time; 0 for any number."""
    match send.kind:
        case "question":
            return 60, timedelta(days=1)
        case "answer" if send.match:
            return 60, _HOUR
        case "answer" | "unproven" | "warning" | "sealed":
            return 6, _HOUR
        case "away":
            return 10, _HOUR
        case _:
            return 0, _HOUR


def _minute(moment: str) -> str:
    """`2026-11-25 15:58 UTC` from the store's form; "" stays empty."""
    return moment and f"{moment[:10]} {moment[11:16]} UTC"


def _body_of(part: GatheredLetter) -> Body:
    """What it says; the text of one from before there were files of seals has them."""
    body = part.body
    return Body(body["text"], body["html"], tuple(map(tuple, body["seats"])), tuple(body.get("seals", ())))


_GATHERED = frozenset(("sealed", "press", "away", "standings"))


_NEWS = frozenset(("no wish", "wish declined", "offer declined", "resigned", "replace"))
"""What of a game's course asks nothing of a seat, and moves no deadline to an earlier hour."""


def next_digest(wishes: MailWishes, now: datetime, zone: str) -> datetime:
    """When the next letter goes that gathers what there was."""
    hour, minute = map(int, wishes.digest.split(":"))
    local = now.astimezone(ZoneInfo(zone))
    at = local.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return (at if at > local else at + timedelta(days=1)).astimezone(UTC)


def can_wait(send: Send) -> bool:
    """Whether a letter asks nothing of its reader, so that it may be gathered with others of the day."""
    match, holder = send.match, send.holder
    with_files = any(section.template in ("record", "letters") for section in send.sections)
    if send.answers or send.player == GAME_MASTER or with_files:
        return False
    if send.kind in _GATHERED:
        return True
    if match is None or holder is None:
        return match is not None and send.kind in ("report", "course")  # of whoever watches
    if send.kind == "report":
        return not (match.over or holder.seat in match.missing())
    values = send.sections[0].values
    return send.kind == "course" and values["what"] in _NEWS and values.get("by") != holder


def with_receipt(receipt: Send, report: Send) -> Send:
    """The report of a turn that was played at once, with what there was to say of the orders that it waited for."""
    sections = tuple(
        Section("taken", section.values) if section.template == "receipt" else section
        for section in receipt.sections
        if section.template not in ("seals", "position")
    )
    return report._replace(sections=(*sections, *report.sections), answers=receipt.answers)
