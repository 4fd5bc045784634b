"""Letters in: a letter with all that it touches, loaded from the store."""

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from pbem.config.config import Config, game_master_of
from pbem.games.base import Seat
from pbem.games.capabilities import names_rounds, turn_name, turn_of
from pbem.i18n.words import guess_language
from pbem.mail import automatic, letters
from pbem.mail.phrases import without_lines
from pbem.mail.sandbox import shared_reader
from pbem.match import clock
from pbem.match.commitments import make_secret
from pbem.match.identity import (
    GAME_MASTER,
    MASTER,
    ME,
    Evidence,
    Holder,
    MailWishes,
    Player,
    Token,
    Writer,
    authenticate,
    hide_number,
)
from pbem.match.model import NO_ROOM, WANTS_TO_JOIN, Case, Entry, Invitee, Lobby, Match
from pbem.match.sections import people
from pbem.match.terms import Terms
from pbem.orders import inquiries, reader, supposing
from pbem.orders.command import Asking, Command, Decision, LetterText
from pbem.orders.commands import SHOWING, AskedLeague, asked_league, row_of
from pbem.orders.lookups import may_consult, take_lookups, take_named
from pbem.orders.sentences import chosen_number
from pbem.service.budget import Account
from pbem.service.writers import Answered, Writers, find_answered, league_of, press_by, puzzle_of, when_written
from pbem.store import matches, outbox, players, questions, waiting
from pbem.store.audit_log import sha256
from pbem.store.database import KeptLetter, Store
from pbem.store.matches import directed_by, games_of_master, leads, masters_of, with_masters
from pbem.store.ratings import rating_of
from pbem.store.search import joined_by, league_names, lobby

POWER = timedelta(days=14)
"""How long a token that belongs to nothing any more shows by itself who writes; then we ask."""

_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)
_CLOCKS = timedelta(minutes=2)  # how far the clocks of somebody's machines may be apart

_NAMING = frozenset(("observe", "unobserve", "record", "analysis", "puzzle"))  # a game that need not be his own
_OF_TURNS = frozenset(
    ("history", "resend", "analysis", "puzzle", "letters", "rollback", "readjudicate", "decide", "reopen", "replay")
)
_INVITING = frozenset(("challenge", "hand", "address", "yes"))
_SETTLING = frozenset(("yes", "accept", "decline"))
_OF_MAIL = frozenset(
    ("digest", "fewer letters", "more letters", "text only", "html", "calendar", "calendar off", "desk")
)
_SHOWING = frozenset(("my data", "my settings"))
_ABOUT_GAMES = frozenset(("vacation", "forget me", "challenge", "leave"))
_CLAIMING = frozenset(("undo", "forget me", *_SETTLING))


@dataclass
class CaseLoader:
    """The desk's reading side during one run; `terms` are those of games in no league. It `rereads` letters if the
    database was put back: what they answer may be an answer that is given anew."""

    config: Config
    store: Store
    now: datetime
    terms: Terms
    key: bytes = field(repr=False)
    rereads: bool = False
    _last_writer: tuple[bytes, Writer] = field(default=(b"", Writer(None, None, None)), init=False)

    def case(self, kept_letter: KeptLetter, letter: letters.Letter) -> Case:
        """The letter with all it touches, loaded from the store."""
        evidence = self._writers.evidence(letter, kept_letter.raw)
        holders = self._writers.holders(evidence)
        writer = self._writer(kept_letter, letter, evidence, holders)
        vouched_by = self.store.vouched_by(kept_letter.id)
        lapsed = not vouched_by and self._lapsed(writer.token)
        if vouched_by:
            writer = self._writers.vouched_for(writer, vouched_by, kept_letter, letter.text)
        token = writer.token
        match = self._match(token, holders) if token and token.seat != ME else None
        words, consulted = self._words(kept_letter, letter, writer, match)
        standing = match.standing.get(token.seat) if match and token else None
        answered = find_answered(self.store, self.key, letter.references, rereads=self.rereads)
        case = replace(
            self._of_letter(kept_letter, letter),
            writer=writer,
            match=self._with_turns(match, words, token) if match else None,
            words=words,
            repeats=self.store.repeats(kept_letter.id, token[0] if match and token else None),
            answered=answered.letter,
            wish_told=answered.wish,
            address=self._surely_theirs(evidence.address, vouched_by) if vouched_by else evidence.address,
            vouched=evidence.vouched,
            lapsed=lapsed,
            late=not vouched_by and self._late(kept_letter, letter, answered, standing),
            confirmed=bool(vouched_by),
            banned=self._banned(evidence, holders.get(token[:2]) if token else None),
            consulted=consulted,
        )
        if writer.player:
            return self._with_person(self._with_receipts(case), words.commands, answered.message_id)
        return self._of_stranger(case, kept_letter, letter)

    def _of_letter(self, kept_letter: KeptLetter, letter: letters.Letter) -> Case:
        """What the letter says alone, and the desk to any."""
        return Case(
            letter=kept_letter.id,
            writer=Writer(None, None, None),
            match=None,
            text=letter.text,
            mark=hide_number(self.key, kept_letter.id),
            secret=make_secret(self.key, kept_letter.id, self.now),
            problems=(*letter.problems, *(["cut at 256 kB"] if kept_letter.size > len(kept_letter.raw) else [])),
            automatic=letter.automatic,
            perhaps=letter.automatic in automatic.WEAK,
            by_subject=letter.automatic == automatic.BY_SUBJECT,
            message_id=letter.message_id,
            answers_press=press_by(letter.references) is not None,
            press_by=press_by(letter.references) or "",
            puzzle=puzzle_of(letter.references),
            masters=masters_of(self.store, league_of(letter.references)),
            called=letter.name,
            desk=self.config.outgoing.sender.name,
            trust=self.config.desk.trust,
            returned=bool(letter.report and letter.report.outcome == "failed" and letter.report.permanent is not False),
            zone=self.config.desk.zone,
            terms=self.terms,
            digest=sha256(kept_letter.raw),
        )

    def _of_stranger(self, case: Case, kept_letter: KeptLetter, letter: letters.Letter) -> Case:
        """The case of somebody whom we do not know: whether there is room for an answer, and in which language."""
        room, full = waiting.room_for(self.store, case.address, self.now, vouched=case.vouched)
        return replace(
            case,
            invitees={case.address: players.invitee(self.store, case.address)},
            addresses=players.known_addresses(self.store, case.writer.owner.id) if case.writer.owner else (),
            language=guess_language(f"{letter.text} {letter.subject}"),
            room=room,
            full=full,
            waited=self.store.outcome_of(kept_letter.id).endswith(NO_ROOM),
        )

    def _writer(
        self,
        kept_letter: KeptLetter,
        letter: letters.Letter,
        evidence: Evidence,
        holders: Mapping[tuple[int, Seat], Holder],
    ) -> Writer:
        """Who has written, by what the letter itself shows."""
        trust = self.config.desk.trust
        writer = authenticate(evidence, holders, self.key, trust)
        if not letter.automatic and trust != "signed":
            self._last_writer = kept_letter.raw, writer  # as its head says it, too
        if trust == "address" and writer.failure == "no token" and writer.player:
            writer = self._writers.with_only_seat(writer)
        return writer

    def _words(
        self, kept_letter: KeptLetter, letter: letters.Letter, writer: Writer, match: Match | None
    ) -> tuple[LetterText, tuple[Match, ...]]:
        """What the letter says, read for the match that it is about, and the matches whose games it may consult."""
        sits = match and writer.token and writer.token.seat in match.holders and not writer.failure
        words = self._read(kept_letter, letter, writer, match, match.name if match and sits else "")
        consulted = self._consulted(writer, match) if may_consult(words.rest, match.game if match else None) else ()
        for consulted_match in consulted:
            words = take_lookups(consulted_match.situation, words)
        return (_at_turn(words, match) if match and sits else words), consulted

    def _with_turns(self, match: Match, letter: LetterText, token: Token | None) -> Match:
        """The match with the turn before, of which anything may be said, and those that the letter asks for or answers
        a letter of."""
        if match.turns:
            return match
        since = 1 if _needs_turns(letter.commands) else match.turn - 1
        since = min(since, token.turn) if token and token.turn and names_rounds(match.game) else since
        undone = matches.undone_turns(self.store, match.id) if since == 1 else frozenset[int]()
        waiting = matches.waiting_claims(self.store, match.id) if since == 1 else []
        claims = {claim.number: claim.seat for claim in waiting}
        turns = matches.load_turns(self.store, match.id, since=since)
        return replace(match, turns=turns, undone=undone, claims=claims)

    def _read(
        self, kept_letter: KeptLetter, letter: letters.Letter, writer: Writer, match: Match | None, named: str
    ) -> LetterText:
        """What the letter says, read for the match of that name; without one, as a newcomer's."""
        at = match.situation if match and named else None
        words = LetterText() if letter.report else reader.read_words(letter.text, named, at)
        if letter.surely_automatic:
            words = words._replace(commands=())
        else:
            words = words._replace(aside=letter.aside, worth_telling=letter.worth_telling)
        if not match and not letter.automatic and not letter.report:
            from pbem.orders.newcomers import read_newcomer

            new = writer.failure == "stranger" or self.store.outcome_of(kept_letter.id) == WANTS_TO_JOIN
            words = take_named(read_newcomer(words, letter.text, letter.subject, generous=new))
        return words

    def account(self, raw: bytes) -> Account:
        """Who pays for the reading of a letter, by no more than its head."""
        of, writer = self._last_writer
        if of is not raw:
            evidence = self._writers.evidence(letters.read_head(raw))
            writer = authenticate(evidence, self._writers.holders(evidence), self.key)
        if writer.failure is None and writer.player:
            return Account(1, writer.player.id)
        return Account(2) if writer.player else Account(3)

    def _late(
        self, kept_letter: KeptLetter, letter: letters.Letter, answered: Answered, standing: Entry | None
    ) -> bool:
        """Whether a letter was sent before that of orders which stand: it came first and is read late, or it was long
        on its way. Who answers what we wrote since then has surely written later, whatever the clocks say."""
        if standing is None or standing.letter is None or (answered.letter or 0) >= standing.letter:
            return False
        arrived, raw = self.store.arrival(standing.letter)
        if kept_letter.arrived < arrived:
            return True
        sent, standing_sent = when_written(letter), when_written(letters.read_head(raw))
        # A clock that is far ahead says nothing.
        return bool(sent and standing_sent and standing_sent <= self.now and standing_sent - sent > _CLOCKS)

    def _with_receipts(self, case: Case) -> Case:
        """The case with what our answers told the seat in this turn, if the letter may hold press."""
        match, token = case.match, case.writer.token
        to_others = case.answers_press or any(command.word in ("press", "yes") for command in case.words.commands)
        if not (match and token and token.seat in match.holders and to_others):
            return case
        from pbem.match.press import plain

        answers = outbox.answers_since_report(self.store, match.id, token.seat)
        return replace(case, receipts=f" {plain(' '.join(letters.with_seals(raw) for raw in answers))} ")

    def _match(self, token: Token, holders: Mapping[tuple[int, Seat], Holder]) -> Match:
        """The match of a token; of the `holders` that are known, those of its seats need not be looked up."""
        sitting = {
            seat: holder for (at, seat), holder in holders.items() if at == token.match and seat not in (ME, MASTER)
        }
        match = matches.load_match(self.store, token.match, sitting=sitting)
        return with_masters(match, game_master_of(self.config))

    def _consulted(self, writer: Writer, match: Match | None) -> tuple[Match, ...]:
        """The matches whose games a letter may consult: the one it is about, else all that concern its writer."""
        if writer.failure or not writer.player:
            return ()
        watched = () if match else matches.watched(self.store, writer.player.id)
        return (match,) if match else (*self._own(writer.player), *self._named(watched, turns=False))

    def _banned(self, evidence: Evidence, holder: Holder | None) -> bool:
        """Whether a letter is from somebody banned, or with the token of his seat."""
        welcome, number = evidence.player, holder.player.id if holder else 0
        if welcome and number in (0, welcome.id):
            return False
        unwelcome = number != 0 and players.find_player(self.store, number) is None
        return unwelcome or players.invitee(self.store, evidence.address).banned

    def _with_person(self, case: Case, commands: Sequence[Command], ours: str) -> Case:
        """The case with what the writer is and what his commands name; `ours` is the letter that it answers."""
        player, store = case.writer.player, self.store
        assert player is not None
        if any(command.word in _SETTLING for command in commands) or chosen_number(case.words.lines()):
            case = self._with_questions(case, player)
            commands = (*commands, *_waiting_commands(case))  # a `yes` may have them done
        words, token = {command.word for command in commands}, case.writer.token
        claims = players.claims(store, player.id, self.now) if words & _CLAIMING else {}
        of_desk, unproven = game_master_of(self.config), case.writer.failure is not None
        of_no_game = unproven or token is None or token.seat in (ME, MASTER)
        says_no_game = case.writer.failure == "no token"
        asks_for_games = words & {"status", "standings"} or (of_no_game and not commands) or unproven
        return replace(
            case,
            master=case.address == of_desk.address.lower(),
            named=self._all_named(case, commands),
            master_of=games_of_master(store, of_desk, case.address) if asks_for_games else (),
            sitting=self._sitting(commands),
            unconfirmed=case.address not in players.addresses(store, player.id, confirmed=True),
            addresses=players.known_addresses(store, player.id) if words & _CLAIMING else (),
            claims=claims,
            read=outbox.made_for(store, ours, case.address) if "undo" in words else None,
            words_sent=self._words_sent(case),
            **self._of_a_day(case, player, words),
            spent=players.spent_absences(store, player.id) if "vacation" in words else (),
            own=self._own(player) if words & _ABOUT_GAMES or claims or says_no_game else (),
            invitees=self._invitees(commands, player),
            led=self._led(case.address, commands),
            invited=players.invited_since(store, player.id, self.now - _DAY) if words & _INVITING else 0,
            mail=players.mail_wishes(store, player.id) if words & (_OF_MAIL | _SHOWING) else MailWishes(),
            data=players.data_of(store, player.id) if "my data" in words else {},
            games=matches.seated(store, player.id) if asks_for_games else (),
            lobby=lobby(store, player.id) if words & {"games", "join"} or asks_for_games else Lobby(),
            watched=matches.watched(store, player.id) if asks_for_games or "unobserve" in words else (),
            strength=rating_of(store, player.id) if asks_for_games or "my data" in words else case.strength,
            **(self._of_leagues(case.address, commands, player) if any(map(_is_of_leagues, commands)) else {}),
        )

    def _all_named(self, case: Case, commands: Sequence[Command]) -> dict[str, Match]:
        """The matches that commands name, and the one that a puzzle is of which is answered."""
        names = {case.puzzle.partition(" ")[0]}
        names |= {command.match for command in commands if isinstance(command, Decision) and command.match}
        names |= {
            command.argument.lower() for command in commands if isinstance(command, Asking) and command.word in _NAMING
        }
        turns = _needs_turns(commands) or case.puzzle != ""
        return {match.name: match for match in self._named(names, turns=turns)}

    def _of_leagues(self, address: str, commands: Sequence[Command], player: Player) -> dict[str, Any]:
        """What the case of a letter with commands about leagues has besides."""
        from pbem.service.leagues_shown import show_league

        leagues, joined = league_names(self.store), joined_by(self.store, player.id)
        directs = directed_by(self.store, address)
        written = {command.argument for command in commands if command.word in SHOWING}
        queries = [*map(AskedLeague, written), *map(asked_league, written)]
        named = [
            query._replace(name=name)
            for query in queries
            for name in leagues
            if query.name.casefold() in ("", name.casefold())
        ]
        return {
            "leagues": leagues,
            "joined": joined,
            "directs": directs,
            "seasons": {query: show_league(self.store, query, player.id) for query in dict.fromkeys(named)},
            "awaits": players.awaited_games(self.store, player.id),
            "rivals": self._rivals(commands, player, leagues),
        }

    def _with_questions(self, case: Case, player: Player) -> Case:
        """The case with what is open with the writer, besides what stands in the match."""
        store, match, token = self.store, case.match, case.writer.token
        listed, lists = questions.listed(store, player.id, case.answered or 0)
        held = match.held.get(token.seat, {}) if match and token else {}
        return replace(
            case,
            open_commands=questions.of_player(store, player.id, self.now),
            held=players.held_letters(store, player.id),
            senders={sender: self._invitee(sender) for sender in held.values()},
            offered=questions.offers(store, player.id, self.now - clock.OFFER),
            listed=listed,
            lists=lists,
        )

    def _rivals(self, commands: Sequence[Command], player: Player, leagues: Iterable[str]) -> dict[str, dict[str, int]]:
        """Whom a player may challenge in the leagues that his commands name, by their names in lower case."""
        arguments = [
            command.argument for command in commands if isinstance(command, Asking) and command.word == "challenge"
        ]
        named = {argument.rpartition(" in ")[2].casefold() for argument in arguments}
        named_leagues = [name for name in leagues if name.casefold() in named]
        if not named_leagues:
            return {}
        from pbem.leagues.season import challengeable
        from pbem.store.leagues import find_season

        seasons = [find_season(self.store, name) for name in named_leagues]
        return {season.league.name.casefold(): challengeable(season, player.id, self.now) for season in seasons}

    def _words_sent(self, case: Case) -> int:
        token, player, since = case.writer.token, case.writer.player, self.now - _HOUR
        match = case.match.id if case.match and token and token.seat in case.match.holders else None
        count = outbox.asked_by(self.store, player.id, match, since) if player else 0
        return count + (matches.told_by(self.store, match, token.seat, since) if match and token else 0)

    def _of_a_day(self, case: Case, player: Player, words: Container[str]) -> dict[str, Any]:
        """How many letters of a player in a day were answered with what this one may ask for."""
        match = case.match
        may_suppose = match and (supposing.may_suppose(case.text) or inquiries.may_ask(match.game, case.text))
        return {
            "supposed": self._answered(player, "supposed") if may_suppose else 0,
            "analysed": self._answered(player, "analysis") if "analysis" in words else 0,
            "puzzled": self._answered(player, "puzzle") if case.puzzle or "puzzle" in words else 0,
        }

    def _answered(self, player: Player, section: str) -> int:
        """How many letters of a player in a day were answered with a section."""
        return players.answered_with(self.store, player.id, section, self.now - _DAY)

    def _named(self, names: Iterable[str], *, turns: bool) -> Iterable[Match]:
        for name in names:
            number = matches.number_of(self.store, name)
            if number:
                match = matches.load_match(self.store, number, turns=turns)
                yield with_masters(match, game_master_of(self.config))

    def _sitting(self, commands: Sequence[Command]) -> dict[str, tuple[Match, ...]]:
        """The games of those whom a ban would shut out, or whose address changes."""
        banned = [
            command for command in commands if isinstance(command, Decision) and command.word in ("ban", "address")
        ]
        return {
            address: tuple(with_masters(match, game_master_of(self.config)) for match in self._own(invitee.player))
            for address, invitee in self._invitees(banned).items()
            if invitee.player
        }

    def _led(self, address: str, commands: Sequence[Command]) -> frozenset[str]:
        """Whose addresses somebody may decide about as game master of a league."""
        named = [command for command in commands if isinstance(command, Decision) and command.word == "address"]
        return frozenset(
            theirs
            for theirs, invitee in self._invitees(named).items()
            if invitee.player and leads(self.store, address, invitee.player.id)
        )

    def _own(self, player: Player) -> tuple[Match, ...]:
        return tuple(matches.load_match(self.store, number) for number in matches.unfinished(self.store, player.id))

    def _invitees(self, commands: Sequence[Command], by: Player = GAME_MASTER) -> dict[str, Invitee]:
        named = [
            command.argument
            for command in commands
            if isinstance(command, Asking | Decision) and "@" in command.argument
        ]
        every = {address.lower() for text in named for address in re.findall(r"[^\s<>\"]+@[^\s<>\"]+", text)}
        return {address: self._invitee(address, by.id) for address in every}

    def _surely_theirs(self, address: str, number: int) -> str:
        """The address that a letter came from which a player has said is theirs, if that is known to be, too."""
        is_proven = address in players.addresses(self.store, number, confirmed=True)
        return address if is_proven else players.load_player(self.store, number).address.lower()

    def _lapsed(self, token: Token | None) -> bool:
        """Whether a token, of a turn or game that is over or of a letter, is so old that anybody may have found it."""
        if token is None:
            return False
        if token.seat == ME:
            return token.turn < (self.now - POWER).toordinal()
        since = players.token_past(self.store, token.match, token.turn)
        return since is not None and since < self.now - POWER

    def _invitee(self, address: str, by: int = 0) -> Invitee:
        invitee = players.invitee(self.store, address, by)
        addresses = players.known_addresses(self.store, invitee.player.id) if invitee.player else ()
        unanswered = waiting.unanswered(self.store, address, self.now)
        return invitee._replace(ours=self._writers.is_ours(address), addresses=addresses, unanswered=unanswered)

    @cached_property
    def _writers(self) -> Writers:
        return Writers(self.config, self.store, self.now, self.key)

    def of_operator(self, decision: Decision) -> Case:
        """A decision of the operator's, who may do all that a game master may, as if it had come in a letter."""
        return Case(
            letter=0,
            writer=Writer(None, GAME_MASTER, None),
            match=None,
            text="",
            secret=make_secret(self.key, 0, self.now),
            master=True,
            leagues=league_names(self.store) if _is_of_leagues(decision) else (),
            terms=self.terms,
            named={match.name: match for match in self._named([decision.match], turns=True)},
            sitting=self._sitting([decision]),
            invitees=self._invitees([decision]),
        )


def _waiting_commands(case: Case) -> Iterable[Command]:
    """What the writer, or their seat, has asked for and not confirmed yet."""
    token = case.writer.token
    of_seat = case.match.open_commands.get(token.seat, ()) if case.match and token else ()
    return (pending.command for pending in (*case.open_commands, *of_seat))


def read_letter(store: Store, raw: bytes) -> letters.Letter:
    """A letter with its writer's own words, told apart from those of the letter that it answers. Raises Unreadable."""
    sent = letters.text_part(outbox.sent_letter(store, letters.answered(raw)) or b"")  # of ours, which it answers
    letter = shared_reader(reader.may_be_order).read(raw, sent)
    return replace(letter, text=without_lines(letter.text, sent)) if letter.surely_automatic else letter


def _at_turn(letter: LetterText, match: Match) -> LetterText:
    """A letter's words with the match that they are about: its people, and where it stands."""
    turn = turn_of(match.game, match.state, match.turn)
    first = turn_name(match.game, match.state, turn)
    return letter._replace(people=people(match), turn=turn, round=match.round, first=first)


def _is_of_leagues(command: Command) -> bool:
    """Whether a command is about a league."""
    word = command.word
    if isinstance(command, Decision):
        return row_of(command).trust in ("game master of the league", "game master of any")
    return word in ("join", "leave", "challenge", "bye") or word in SHOWING


def _needs_turns(commands: Sequence[Command]) -> bool:
    return any(command.word in _OF_TURNS for command in commands)
