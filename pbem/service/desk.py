"""A desk: its configuration, key and store together, with everything needed to read and write letters."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from secrets import token_bytes
from typing import Any, assert_never

from pbem import PbemError
from pbem.config.config import Address, Config, Maildir, game_master_of, is_own, load_config, make_key
from pbem.config.ini import ConfigError
from pbem.games import NoGameError, find_game
from pbem.games.base import AnyGame, Seat, seats_of, with_default_files
from pbem.games.capabilities import Thought, opening_of
from pbem.games.chance import NO_CHANCE, SECRET, Source, commitment, set_up_chance
from pbem.match import chance, clock, commitments, effects, reports, sandboxes
from pbem.match.effects import Effect, Following, NewMatch, Section, Send, course, notice
from pbem.match.identity import Player, computers_level, hide_number
from pbem.match.lifecycle import stage
from pbem.match.model import Match, Phase
from pbem.match.names import apart
from pbem.match.reply import Reply
from pbem.match.reports import NOTHING, News, begin_letters, digest, new_address, with_news
from pbem.match.sections import why
from pbem.match.terms import Terms, dump_terms, offer_due, read_pace
from pbem.match.time_control import fresh_deadline, with_clocks
from pbem.orders.command import Decision
from pbem.render.images import Images
from pbem.resources import resource
from pbem.service.compose import Composer
from pbem.service.load_case import CaseLoader
from pbem.store import matches, players, questions
from pbem.store.apply import write
from pbem.store.database import Store
from pbem.store.interpretations import waiting_matches
from pbem.store.masters import with_masters
from pbem.store.waiting import think_later
from pbem.times.moments import Beacon, stamp


def make_desk(folder: Path, *, rehearsal: bool = False) -> Path:
    """Make a new desk in `folder`, and return the path of its configuration. The operator of a `rehearsal` desk sets
    the desk's clock.

    Raises PbemError if files of a desk exist in `folder` already, or if the desk cannot be made. Existing files are
    never touched.
    """
    from pbem.transport.maildir import make_maildir

    path = folder / "config.ini"
    for part in (path, folder / "pbem.key", folder / "pbem.db"):
        if part.exists():
            raise ConfigError(str(part), "already exists; pbem does not overwrite a desk.")
    text = resource("config.example.ini").read_text("utf-8")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if rehearsal:  # turns are played there as soon as all orders are in
            text = text.replace("rehearsal = no", "rehearsal = yes")
            text = text.replace("cooling_off = 10 minutes", "cooling_off = 0")
        path.write_text(text, "utf-8")
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
    """A desk at the moment `now`. `last_run` is the moment of the previous run, or "" if there was none."""

    config: Config
    store: Store
    now: datetime
    last_run: str
    key: bytes = field(repr=False)
    beacon: Beacon | None = None  # the beacon whose rounds may be named now, if there is one
    thinks_later: bool = True  # whether slow levels of the computer may move after the letters are sent
    images: Images = field(default_factory=Images, repr=False)  # those in the letters of this run
    _refused: dict[effects.Direct, PbemError] = field(default_factory=dict, init=False)

    @cached_property
    def outgoing(self) -> Composer:
        """The composer of the desk's letters."""
        epoch = self.store.epoch()
        return Composer(self.config, self.store, self.now, self.last_run, self.key, epoch, self.images)

    @cached_property
    def terms(self) -> Terms:
        """The terms of games outside leagues."""
        desk = self.config.desk
        return Terms(
            deadline=read_pace(desk.deadline, desk.zone),
            cooling_off=desk.cooling_off,
            chance=desk.chance,
            take_back=None if desk.take_back else False,
            votes=desk.votes,
        )

    @cached_property
    def incoming(self) -> CaseLoader:
        """The loader of cases for letters to this desk."""
        return CaseLoader(self.config, self.store, self.now, self.terms, self.key, self.store.rereads())

    # Effects

    def apply(self, done: Iterable[Effect]) -> None:
        """Write effects to the store and queue the letters that they send, in the caller's transaction.

        Afterwards, let the computer move in each changed match that is waiting for the computer.
        """
        done = list(done)
        for effect in done:
            write(self.store, effect, self.now)
        for effect in done:
            if isinstance(effect, Following):
                self._follow(effect)
        self._start_and_stop_clocks(done)
        changed = [
            effect.after if isinstance(effect, effects.Play) else effect.match
            for effect in done
            if isinstance(effect, effects.Save | effects.Play)
        ]
        for number in {match.id for match in changed if any(holder.level for holder in match.holders.values())}:
            self.let_computer_move(number)

    def _start_and_stop_clocks(self, done: Iterable[Effect]) -> None:
        """Take time out of the banks of those for whom the matches that `done` has changed are waiting now."""
        about = (match for effect in done if isinstance(match := getattr(effect, "match", None), Match))
        for number in {match.id for match in about if match.terms.bank}:
            match = matches.load_match(self.store, number)
            if (after := with_clocks(match, self.now)) is not match:
                write(self.store, effects.Save(after), self.now)

    def let_computer_move(self, number: int, *, at_once: bool = False) -> None:
        """Let the computer move in the match with this `number` if the match is waiting for it. If thinking takes long,
        the move is left for later, unless it must be made `at_once`."""
        from pbem.service.opponent import think, thinks_long

        match = matches.load_match(self.store, number)
        if self.thinks_later and not at_once and thinks_long(match):
            think_later(self.store, number)
        else:
            self.move(match, think(match, self.key, 0 if at_once else self.config.opponent.turn))

    def move(self, match: Match, thoughts: Mapping[Seat, Thought]) -> None:
        """Turn the computer's moves in `thoughts` into orders, and play the turn if no other orders are missing."""
        from pbem.match.computer import orders_of

        secret, number = commitments.make_secret(self.key, 0, self.now), match.id
        for seat, thought in thoughts.items():
            if match.phase == "running":
                match, done = orders_of(match, seat, thought, secret, self.now)
                self.apply(done)
        after = self.judged(number)
        waits = number in waiting_matches(self.store)
        if (
            thoughts
            and not waits
            and after.can_play()
            and any(not after.holders[seat].level for seat in after.playing())
        ):
            self.apply(clock.tick(after, self.now))

    def close_unused(self, numbers: Iterable[int]) -> None:
        """End the sandboxes with these numbers, to which no letter has come for a long time, and tell their players."""
        for number in numbers:
            self.apply(sandboxes.close(self.judged(number), self.now, sandboxes.UNUSED))

    def judged(self, number: int) -> Match:
        """Load a match by its number, with its game masters and the public beacon."""
        match = with_masters(matches.load_match(self.store, number), game_master_of(self.config))
        return replace(match, beacon=self.beacon)

    def _follow(self, effect: Following) -> None:
        match effect:
            case Send():
                self.outgoing.queue(
                    effect._replace(
                        sections=tuple(part for section in effect.sections for part in self._complete(section))
                    )
                )
            case effects.Direct():
                self._direct(effect)
            case effects.Resend():
                self._resend(effect)
            case NewMatch():
                self._invite(effect)
            case effects.Anew():
                self._replace_annulled(effect)
            case effects.Offer():
                self._offer(effect)
            case effects.AskToWatch():
                self._ask_to_watch(effect)
            case effects.Join() if effect.game:
                self._pair_up(find_game(effect.game))
            case effects.Join() | effects.Leave() | effects.Challenge():
                from pbem.service.league_rounds import follow

                follow(self, effect)
            case _:
                assert_never(effect)

    def _resend(self, effect: effects.Resend) -> None:
        """Send a report again as a new letter. Many mail programs drop or misplace a letter whose Message-ID they have
        seen before."""
        match, seat = effect.match, effect.seat
        loaded = matches.load_match(self.store, match.id)
        turn = next(played for played in loaded.turns if played.turn == effect.turn)
        send = reports.report_again(loaded, turn, seat)
        self.outgoing.queue(send._replace(key=f"{send.key}-again-{effect.mark}"))

    def _invite(self, new: NewMatch) -> None:
        """Set up a match, and invite those of its people who have yet to agree to play."""
        host = new.seats[new.host] if new.host else None
        language = host.language if host else ""
        self.set_up(new._replace(seats={seat: self._player(player, language) for seat, player in new.seats.items()}))
        if host:
            for _ in range(len(new.seats) - 1):
                players.invited(self.store, host, self.now)

    def _replace_annulled(self, effect: effects.Anew) -> None:
        """Set up a match to replace an annulled one, with the same people in the same seats.

        Players who had accepted the annulled match take part in the new one.
        """
        from pbem.service.league_rounds import replace_in_round

        match = effect.match
        seats = {seat: replace(holder.player, name=holder.own_name) for seat, holder in match.holders.items()}
        place = matches.place_of(self.store, match.id)
        new = self.set_up(NewMatch(match.game.name, seats, match.options, match.terms, match.accepted, place))
        replace_in_round(self, match, new)
        self.store.note("replay", {"game": new.name, "reason": effect.reason}, self.now, match.id)
        self.apply(reports.tell(match, "replay", self.now, reason=effect.reason, anew=new.name, place=match.past.place))

    def _offer(self, effect: effects.Offer) -> None:
        """Offer a seat to somebody, who can take it by answering the letter."""
        players.invited(self.store, effect.match.holders[effect.seat].player, self.now)
        if effect.unwanted:
            return
        like = effect.match.holders[effect.seat].player.language
        player = effect.to.player or self._player(Player(0, "", effect.to.address), like)
        questions.offer_seat(self.store, effect, player.id, self.now)
        section, key = course("offer", effect.match, effect.seat), f"offer-{hide_number(self.key, effect.letter)}"
        self.outgoing.queue(Send("invitation", key, player, (section,), match=effect.match))

    def _ask_to_watch(self, effect: effects.AskToWatch) -> None:
        """Ask somebody to watch a sandbox, who can agree with the command that the letter names."""
        players.invited(self.store, effect.host, self.now)
        if effect.unwanted:
            return
        player = effect.to.player or self._player(Player(0, "", effect.to.address), effect.host.language)
        matches.ask_to_watch(self.store, effect.match.id, player.id)
        section = notice("asked to watch", match=effect.match, name=effect.host.name)
        self.outgoing.queue(Send("invitation", effect.key, player, (section,), match=effect.match))

    def _player(self, player: Player, language: str) -> Player:
        """Return `player` if they are known here; otherwise add them to the store. A new player gets letters in
        `language`, the language of their host."""
        if player.id:
            return player
        confirmed = computers_level(player.address) > 0
        new = players.add_player(self.store, player.name, player.address, self.now, confirmed=confirmed)
        if not language or new.language:
            return new
        new = replace(new, language=language)
        self.apply([effects.SetLanguage(new, language)])
        return new

    def _pair_up(self, game: AnyGame) -> None:
        """Set up a match of `game` for the players who have been waiting for one longest, if enough are waiting."""
        waiting = players.waiting_to_play(self.store, game.name)
        names = seats_of(game, {})
        if len(waiting) >= len(names):
            sitting = waiting[: len(names)]
            for player in sitting:
                players.stop_waiting(self.store, player.id, [game.name])
            seats = dict(zip(names, sitting, strict=True))
            self.set_up(NewMatch(game.name, seats, {}, self.terms, frozenset(names)))

    def send_notices(self) -> None:
        """For each seat whose orders have come in, notify the players of the other seats. Call this only after all
        turns that can be played have been played."""
        for number, seat in matches.take_notices(self.store):
            for match in matches.playable(self.store, number):
                self.apply(commitments.notices(match, seat))

    def send_digests(self) -> None:
        """Send the current position to each seat whose receipts were held back because it wrote too many letters. This
        letter is due an hour after the first receipt was held back."""
        for number, seat in self.store.take_digests(self.now):
            for match in matches.playable(self.store, number):
                self.apply(digest(match, seat, f"{seat}-{self.moment}"))

    @property
    def game_master(self) -> Address:
        """The game master of the whole desk."""
        return game_master_of(self.config)

    @property
    def moment(self) -> str:
        """`now` without colons, in a form that fits into a Message-ID (a dot-atom of RFC 5322)."""
        return f"{self.now.astimezone(UTC):%Y%m%d%H%M%S}"

    def tell_new_addresses(self) -> tuple[int, Mapping[str, NoGameError]]:
        """Send every seat of a match in progress its new reply address; return the number of letters, and the error of
        each match whose game cannot be played here, keyed by the name of the match."""
        count, left_out = 0, dict[str, NoGameError]()
        with self.store.transaction():
            for number in matches.match_numbers(self.store, "running", "paused", "review"):
                try:
                    match = matches.load_match(self.store, number)
                except NoGameError as error:
                    left_out[matches.match_name(self.store, number)] = error
                    continue
                letters = new_address(match, self.moment)
                self.apply(letters)
                count += len(letters)
            self.store.note("rekey", {"letters": count}, self.now)
        return count, left_out

    # New games

    def agreed(self, terms: Terms) -> Terms:
        """Return `terms` unchanged. Raises ConfigError if they require a public beacon but this desk has none."""
        if terms.chance == "beacon" and not self.config.beacon:
            where, text = str(self.config.path), "this desk has no public beacon: put `[chance] beacon` in, or ask for"
            raise ConfigError(where, f"{text} the chance `words`.")
        return terms

    def new_game(self, game_name: str, seats: Mapping[Seat, Address], options: Mapping[str, Any], terms: Terms) -> str:
        """Set up a match for people who are known to take part; return the name of the match.

        Raises GameError if `options` are impossible, and ConfigError if a player has the desk's own address.
        """
        self.check_people((str(seat), address.address) for seat, address in seats.items())
        with self.store.transaction():
            called = find_game(game_name).called
            sitting = {
                seat: replace(
                    players.add_player(self.store, address.name, address.address, self.now),
                    name=address.name or str(called[seat]),
                )
                for seat, address in seats.items()
            }
            return self.set_up(NewMatch(game_name, sitting, options, terms, frozenset(seats))).name

    def new_sandbox(self, new: NewMatch, teacher: Address | None = None) -> str:
        """Set up the sandbox `new`, whose player may be new at this desk, and ask the `teacher`, if any, to watch it;
        return its name. Raises GameError if its options are impossible, and ConfigError if anybody has the desk's own
        address."""
        (player,) = set(new.seats.values())
        asked = [("--teacher", teacher.address)] if teacher else []
        self.check_people([("--sandbox", player.address), *asked])
        with self.store.transaction():
            player = players.add_player(self.store, player.name, player.address, self.now)
            match = self.set_up(new._replace(seats=dict.fromkeys(new.seats, player)))
            if teacher:
                invitee = players.invitee(self.store, teacher.address.lower())
                unwanted = invitee.refuses or invitee.banned
                self.apply([effects.AskToWatch(match, player, invitee, f"watch-{match.id}", unwanted)])
            return match.name

    def check_people(self, people: Iterable[tuple[str, str]]) -> None:
        """Raise ConfigError if any of `people`, given by name and address, has the desk's own address."""
        for name, address in people:
            if is_own(self.config, address):
                raise ConfigError(name, "has the desk's own address, where nobody reads. Give the player's address.")

    def set_up(self, opening: NewMatch, news: News = NOTHING) -> Match:
        """Set up a match and queue its first letters, adding the sections in `news` to the letters of their seats.

        Raises GameError if the options are impossible.
        """
        ready = {seat for seat, player in opening.seats.items() if players.is_computer(self.store, player.id)}
        opening = opening._replace(accepted=opening.accepted | ready)
        waits = find_game(opening.game).chance and opening.terms.chance == "beacon"
        match = self._add_match(opening, "running" if opening.is_ready and not waits else "offered")
        if match.sandbox:
            self.apply(sandboxes.begin(match, opening.placed))
            return match
        if match.is_set_up:
            match = fresh_deadline(chance.dealt(match), self.now)
        elif opening.is_ready:
            self.apply(with_news(clock.begin(replace(match, began=self.now, beacon=self.beacon), self.now), news))
            return match
        self.apply(with_news(begin_letters(match, opening.unwanted), news))
        return match

    def _add_match(self, opening: NewMatch, phase: Phase) -> Match:
        """Add a match to the store and the record, with the secret of its first turn. Raises GameError if the options
        are impossible."""
        game = find_game(opening.game)
        deck = str(Source(token_bytes(SECRET).hex(), opening.terms.chance)) if game.chance else ""
        root = commitments.make_root(self.key, deck)
        options = with_default_files(game, opening.options)
        state = game.new(options, set_up_chance(deck) if deck else NO_CHANCE)
        due = self.now + opening.terms.accept
        if opening.place:  # players are reminded only in league games
            due = offer_due(opening.terms, self.now, self.now)
        row = {
            **_first_row(game, options, state, opening),
            "phase": phase,
            "due": None if opening.is_ready else stamp(due),
            "since": stamp(self.now),
        }
        number = matches.add_match(
            self.store,
            {**row, "deck": deck, "root": root, "hidden": game.hides},
            _sitting(game, opening),
            anonymous=opening.terms.anonymous != "no",
        )
        matches.renew_tokens(self.store, number)
        match = matches.load_match(self.store, number)
        content: dict[str, Any] = {"seats": {seat: player.id for seat, player in opening.seats.items()}}
        if deck:
            settled = {"deck": commitment(deck), "root": commitment(root)}
            content |= {**settled, "opening": opening_of(game, match.state, deck)}
        computers = [seat for seat, holder in match.holders.items() if holder.is_computer]
        content |= {"computer": computers} if computers else {}
        self.store.note("game", {**row, "id": number, **content}, self.now, number)
        return replace(match, secret=chance.new_secret(match, 1), words=opening.words)

    def decide(self, decision: Decision) -> None:
        """Carry out a decision of the operator, who may do everything that a game master may. Raises PbemError if the
        decision cannot be carried out."""
        from pbem.match.gm_commands import decide

        self._refused.clear()
        with self.store.transaction():
            reply = Reply(self.incoming.of_operator(), self.now)
            decide(reply, decision)
            self.apply([*reply.done, *reply.later])
            for error in self._refused.values():
                raise error

    def _direct(self, effect: effects.Direct) -> None:
        """Carry out a game master's command about a league; if that fails, keep the error for the answering letter."""
        from pbem.service.league_rounds import direct

        try:
            with self.store.transaction():
                direct(self, effect)
        except PbemError as error:
            self._refused[effect] = error

    def _complete(self, section: Section) -> Iterable[Section]:
        """Return the sections that take the place of `section`: either `section` itself, with values that are known
        only after all commands of its letter have been carried out, or other sections."""
        values = section.values
        if values.get("direct") in self._refused:
            return (Section(section.template, {**values, "why": why(self._refused[values["direct"]])}),)
        if section.template == "desk" and "who" in values:
            from pbem.service.directing import Directing

            directing = Directing(self.store, game_master_of(self.config), values["who"], self.now)
            return (Section("desk", directing.look()),)
        if "query" in values:
            from pbem.service.leagues_shown import show_league

            refused = values["after"] in self._refused
            return () if refused else show_league(self.store, values["query"], values["player"])[section.template]
        return (section,)

    def show_game(self, number: int) -> dict[str, Any]:
        """Return the match with this `number` as `pbem game show --json` prints it: everything that everybody may see,
        including which seats have yet to send orders."""
        from pbem.record.history import show_result

        match = matches.load_match(self.store, number).as_told()
        board = match.game.show(match.view(None))
        return {
            "id": match.name,
            "game": match.game.name,
            **board,
            "status": stage(match),
            **({"sandbox": True} if match.sandbox else {}),
            "turn": match.turn,
            "turn_name": match.round,
            "waiting": [] if match.drawing else match.missing(),
            **show_result(match.result if match.phase == "finished" else None),
            "deadline": match.deadline and stamp(match.deadline.moment),
            **({"seconds_left": _seconds(match.time_left(self.now))} if match.banks else {}),
            **(
                {"computer": absent}
                if (absent := {seat: match.holders[seat].stand_in for seat in match.stand_ins()})
                else {}
            ),
        }


def _seconds(left: Mapping[Seat, timedelta]) -> dict[Seat, int]:
    return {seat: int(span.total_seconds()) for seat, span in left.items()}


def _first_row(game: AnyGame, options: Mapping[str, Any], state: Any, opening: NewMatch) -> dict[str, Any]:
    """Return the columns of a new match that follow from its game, its terms and its place in a league."""
    return {
        "name": game.short,
        "game": game.name,
        "options": json.dumps(game.settle_options(options, state)),
        "rules": game.rules_version,
        "state": json.dumps(game.dump(state)),
        "waiting": len(game.awaiting(state)),
        "terms": json.dumps(dump_terms(opening.terms)),
        "deadline": None,
        **({"sandbox": 1} if opening.sandbox else {}),
        **{key: opening.place.get(key) for key in ("league", "season", "division", "round")},
    }


def _sitting(game: AnyGame, opening: NewMatch) -> dict[Seat, tuple[Player, str, bool]]:
    """Return, for each seat of a new match, its holder, the holder's name in the match, and whether the holder has
    accepted."""
    names: dict[Seat, str] = {}
    for seat, player in opening.seats.items():
        names[seat] = apart(player.name, names.values()) or str(game.called[seat])
    return {seat: (player, names[seat], seat in opening.accepted) for seat, player in opening.seats.items()}
