"""One desk at work: its config, its key and its store together, so that letters can be read and written for it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from pbem import letters, matches
from pbem.accounts import Evidence, Writer, authenticate, find_tokens, make_token
from pbem.commands import TABLE
from pbem.config import Address, Config, ConfigError, Maildir, load_config
from pbem.games import find_game
from pbem.games.base import Seat
from pbem.keys import make_key
from pbem.league import digest, invite, new_address
from pbem.match import Case, Effect, Match, Section, Send
from pbem.render import render_letter
from pbem.resources import resource
from pbem.schedule import deadline_after, stamp
from pbem.store import KeptLetter, OutLetter, Store
from pbem.verdicts import vouched

_ANSWER_ID = re.compile(r"(?:^|\.)(?:answer|warning)-(\d+)@")
_MAX_TOKENS = 5
_TITLES = {"game master": "For the game master", "stranger": "Your letter"}


def make_desk(folder: Path) -> Path:
    """A new desk in a folder; its configuration's path. Raises PbemError, and leaves what is there as it is."""
    from pbem.maildir import make_maildir

    path = folder / "config.ini"
    for part in (path, folder / "pbem.key", folder / "pbem.db"):
        if part.exists():
            raise ConfigError(str(part), "is there already: a desk is never made over another.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(resource("config.example.ini").read_text("utf-8"), "utf-8")
        config = load_config(path)
        for place in (config.mailbox.place, config.outgoing.place):
            if isinstance(place, Maildir):
                make_maildir(place.path)
    except OSError as error:
        raise ConfigError(str(folder), f"cannot be made: {error.strerror}.") from None
    make_key(config.desk.key_file)
    Store.create(config.database).conn.close()
    return path


@dataclass
class Desk:
    """A desk during one run: `now` is the run's only moment, `last_run` that of the run before ("" if none)."""

    config: Config
    store: Store
    now: datetime
    last_run: str
    key: bytes = field(repr=False)

    # Letters in

    def case(self, kept: KeptLetter, letter: letters.Letter) -> Case:
        """The letter with all it touches, loaded from the store."""
        evidence = self._evidence(letter)
        holders = {
            (match, seat): holder
            for match in {token.match for token in (*evidence.addressed, *evidence.answered)}
            for seat, holder in matches.holders(self.store, match).items()
        }
        trust = self.config.desk.trust
        writer = authenticate(evidence, holders, self.key, trust)
        if trust == "address" and writer.doubt == "no token" and writer.player:
            writer = self._only_seat(writer)
        asks_for_games = writer.doubt is not None or "status" in letter.text.casefold()
        return Case(
            letter=kept.id,
            writer=writer,
            match=matches.load_match(self.store, writer.token.match) if writer.token else None,
            text=letter.text,
            problems=(*letter.problems, *(["cut at 256 kB"] if kept.size > len(kept.raw) else [])),
            automatic=letter.automatic,
            message_id=letter.message_id,
            answered=_answered(letter.references),
            address=evidence.address,
            vouched=evidence.vouched,
            trusting=trust == "address",
            returned=bool(letter.report and letter.report.outcome == "failed" and letter.report.permanent is not False),
            games=matches.seated(self.store, writer.player.id) if writer.player and asks_for_games else (),
        )

    def _evidence(self, letter: letters.Letter) -> Evidence:
        """What the letter says of its writer; a delivery report speaks for the seat whose letter it brings back."""
        address = letter.sender or ""
        names = letter.report.names if letter.report else letter.recipients
        mailbox = self.config.mailbox
        return Evidence(
            addressed=find_tokens(names)[: 1 if letter.report else _MAX_TOKENS],
            answered=() if letter.report else find_tokens(letter.references)[:1],
            player=matches.player_by_address(self.store, address),
            address=address,
            vouched=mailbox.authserv_id is not None
            and vouched(letter.authentication, mailbox.authserv_id, address.rpartition("@")[2]).vouched,
        )

    def _only_seat(self, writer: Writer) -> Writer:
        """Where the desk trusts addresses: the one running seat that the writer has, if he has just one."""
        assert writer.player is not None
        seats = matches.running_seats(self.store, writer.player.id)
        if len(seats) != 1:
            return writer
        match, seat, turn = seats[0]
        token = make_token(self.key, match, matches.holders(self.store, match)[seat], turn)
        return Writer(token, writer.player, None)

    # Letters out

    def apply(self, effects: Iterable[Effect]) -> None:
        """Write effects into the store and the letters they send into its outbox, in the caller's transaction."""
        effects = list(effects)
        matches.apply(self.store, effects, self.now)
        for effect in effects:
            if isinstance(effect, Send):
                self._queue(effect)

    def _queue(self, send: Send) -> None:
        """Queue a letter, unless its reader has had too many answers lately; the last one of the hour says so.

        A seat that got no receipt for want of room gets one letter for all when the hour is over.
        """
        limit, span = _limit(send)
        letter = self._compose(send)
        if limit:
            sent = self.store.sent_lately(letter, self.now - span)
            if sent >= limit:
                if send.kind == "answer" and letter.match and letter.seat:
                    self.store.put_off(letter.match, letter.seat, self.now + span)
                return
            if sent == limit - 1 and limit > 1:
                last = Section("notice", {"reason": "last answer"})
                letter = self._compose(replace(send, sections=(*send.sections, last)))
        self.store.queue(letter, self.now)

    def send_digests(self) -> None:
        """Send what was put off by `_queue`, now that the hour is over."""
        for number, seat in self.store.take_digests(self.now):
            self.apply(digest(matches.load_match(self.store, number), seat, f"{seat}-{self._moment}"))

    def _compose(self, send: Send) -> OutLetter:
        """The letter that a Send effect asks for, as final bytes."""
        sender, match, holder = self.config.outgoing.sender, send.match, send.holder
        recipient = send.player.address or self.config.desk.game_master.address
        title = f"{match.game.title} {match.name}" if match else _TITLES.get(send.kind, "Your games")
        text, html = render_letter(send.sections, self._frame(title, match))
        domain = sender.address.rpartition("@")[2]
        message_id, reply_to, root = f"player-{send.player.id}.{send.key}@{domain}", sender.address, ""
        if match and holder:
            token = str(make_token(self.key, match.id, holder, send.turn))
            message_id = f"{token}.{send.key}@{domain}"
            reply_to = reply_address(sender.address, self.config.mailbox.reply, token)
            root = f"{match.name}.{holder.seat}@{domain}"
        draft = letters.Draft(
            message_id=message_id,
            sender=(sender.name or "pbem", sender.address),
            to=(holder.name if holder else send.player.name, recipient),
            reply_to=reply_to,
            subject=title,
            date=self.now,
            text=text,
            html=html,
            answers=send.answers,
            references=tuple(filter(None, (root, send.answers))),
            automatic="auto-replied" if send.answers else "auto-generated",
        )
        return OutLetter(
            message_id=message_id,
            kind=send.kind,
            recipient=recipient,
            envelope="" if send.answers else sender.address,
            raw=letters.write(draft),
            match=match.id if match else None,
            seat=holder.seat if holder else None,
            player=send.player.id or None,
        )

    def _frame(self, title: str, match: Match | None) -> Mapping[str, Any]:
        """What every letter says around its sections."""
        return {
            "now": self.now,
            "zone": self._zone,
            "title": title,
            "run": _minute(stamp(self.now)),
            "last_run": _minute(self.last_run),
            "notes": match.game.notes(match.state) if match else (),
            "game_master": self.config.desk.game_master.address,
            "commands": [(row.usage, row.help) for row in TABLE],
        }

    @property
    def _moment(self) -> str:
        """Now, as it may stand in a Message-ID (RFC 5322 dot-atom): no colons."""
        return f"{self.now.astimezone(UTC):%Y%m%d%H%M%S}"

    @cached_property
    def _zone(self) -> ZoneInfo:
        return ZoneInfo(self.config.desk.zone)

    def tell_new_addresses(self) -> int:
        """Every seat of a running match gets a letter with its new reply address; how many."""
        told = 0
        with self.store.transaction():
            for number in matches.match_numbers(self.store, running=True):
                effects = new_address(matches.load_match(self.store, number), self._moment)
                self.apply(effects)
                told += len(effects)
            self.store.note("rekey", {"letters": told}, self.now)
        return told

    # New games

    def new_game(
        self,
        game_name: str,
        seats: Mapping[Seat, Address],
        options: Mapping[str, Any],
        every: timedelta | None,
    ) -> str:
        """Set a match up and queue its invitations; its name. Raises GameError for impossible options."""
        import json

        game = find_game(game_name)
        state = game.new(options)
        deadline = deadline_after(self.now, every)
        row = {
            "name": game.short,
            "game": game.name,
            "options": json.dumps(options),
            "rules": game.rules_version,
            "state": json.dumps(game.dump(state)),
            "waiting": len(game.awaiting(state)),
            "every": every and int(every.total_seconds()),
            "deadline": deadline and stamp(deadline),
            "since": stamp(self.now),
        }
        with self.store.transaction():
            sitting = {
                seat: (matches.add_player(self.store, given.name, given.address, self.now), given.name or seat.title())
                for seat, given in seats.items()
            }
            number = matches.add_match(self.store, row, sitting)
            match = matches.load_match(self.store, number)
            told = {seat: player.id for seat, (player, _) in sitting.items()}
            self.store.note("game", {**row, "id": number, "seats": told}, self.now, number)
            self.apply(invite(match))
        return match.name

    def show_game(self, number: int) -> dict[str, Any]:
        """A match as `game show --json` prints it: what everybody may see, and who must still write."""
        match = matches.load_match(self.store, number)
        shown = match.game.show(match.game.view(match.state, None))
        result = match.result
        return {
            "id": match.name,
            "game": match.game.name,
            **shown,
            "status": "finished" if result else "running",
            "turn": match.turn,
            "waiting": match.missing(),
            "winner": result and (result.winner or "draw"),
            "deadline": match.deadline and stamp(match.deadline),
        }


def reply_address(address: str, form: str, token: str) -> str:
    """An address of ours that carries a token, in the form that the mailbox bears: plus, catch-all or none."""
    local, _, domain = address.rpartition("@")
    forms = {"plus": f"{local}+{token}", "catch-all": token, "none": local}
    return f"{forms[form]}@{domain}"


def _limit(send: Send) -> tuple[int, timedelta]:
    """How many letters of a kind one reader gets in what time; 0 for any number."""
    if send.kind == "stranger":
        return 1, timedelta(days=1)
    if send.kind in ("answer", "warning"):
        return 60 if send.match and send.kind == "answer" else 6, timedelta(hours=1)
    return 0, timedelta()


def _answered(references: Iterable[str]) -> int | None:
    """The number of the letter whose answer this one replies to; 0 if it replies to another letter of ours."""
    ours = next((text.lower() for text in references if find_tokens([text])), None)
    if ours is None:
        return None
    found = _ANSWER_ID.search(ours)
    return int(found[1]) if found else 0


def _minute(moment: str) -> str:
    """`2026-11-25 15:58 UTC` from the store's form; "" stays empty."""
    return moment and f"{moment[:10]} {moment[11:16]} UTC"
