"""The writer of a letter: the evidence that the letter contains, the people whom its tokens name, and the letter of
ours that it answers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cached_property
from typing import TYPE_CHECKING

from pbem.config.config import Config, game_master_of
from pbem.games.base import Seat
from pbem.mail.letters import Letter
from pbem.match.case import Answered
from pbem.match.identity import (
    GAME_MASTER,
    MASTER,
    ME,
    Evidence,
    Holder,
    Player,
    Token,
    Writer,
    find_tokens,
    hidden_number,
    is_ours,
    make_token,
    master_holder,
    own_holder,
    own_id,
    proves,
)
from pbem.match.model import WHICH_GAME
from pbem.match.reports import may_write_into
from pbem.orders import reader
from pbem.store import matches, outbox, players
from pbem.store.database import KeptLetter, Store
from pbem.store.masters import master_by_address, with_masters
from pbem.times.moments import stamp

if TYPE_CHECKING:
    from pbem.mail.authentication import Signatures

_MAX_TOKENS = 5


@dataclass
class Writers:
    """Finds the writers of letters to a desk during one run, from the evidence in each letter and from the store."""

    config: Config
    store: Store
    now: datetime
    key: bytes = field(repr=False)

    def holders(self, evidence: Evidence) -> dict[tuple[int, Seat], Holder]:
        """Return the holders whom the tokens in `evidence` name, keyed by the first two fields of a token: match and
        seat.

        A token of a seat yields the holders of all seats of its match, and a game master's token yields the game
        master. A player's own token yields the player; its first field is the player's number instead of a match.
        """
        holders: dict[tuple[int, Seat], Holder] = {}
        for token in {*evidence.addressed, *evidence.answered}:
            if token.seat == ME and (player := players.find_player(self.store, token.match)):
                holders[token[:2]] = self._own_holder(token, player, evidence.address)
            elif token.seat == MASTER and matches.exists(self.store, token.match):
                holders[token[:2]] = self._master_holder(token)
            elif token.seat not in (ME, MASTER):
                sitting = matches.holders(self.store, token.match)
                holders |= {(token.match, seat): holder for seat, holder in sitting.items()}
        return holders

    def _own_holder(self, token: Token, player: Player, address: str) -> Holder:
        """Return the holder of `token`, which belongs to `player` rather than to a seat. The holder has all the
        player's addresses or, if the token was sent to an `address` that is only claimed or has been replaced, this
        address alone."""
        claimed, epoch = players.claims(self.store, player.id, self.now), players.epoch(self.store, player.id)
        replaced = {claim.instead for claim in claimed.values() if claim.taken_at and claim.instead}
        if address in replaced or ((claim := claimed.get(address)) and claim.free and not claim.taken_at):
            holder = own_holder(player, epoch, frozenset((address,)), address)
            if proves(token, holder, self.key):
                return holder
        addresses = {sure: players.addresses(self.store, player.id, confirmed=sure) for sure in (True, False)}
        return own_holder(player, epoch, addresses[True] | addresses[False])

    def _master_holder(self, token: Token) -> Holder:
        """Return the game master to whom `token` belongs. If it belongs to nobody, return a holder without addresses.
        Each game master of a match has a token of their own."""
        match = with_masters(matches.load_match(self.store, token.match), game_master_of(self.config))
        every = [
            master_holder(match.holders, self._master(judge.address) or GAME_MASTER, judge.address)
            for judge in match.judges
        ]
        every += [
            master_holder(match.holders, watcher, watcher.address)
            for watcher in match.observers
            if may_write_into(match, watcher)
        ]
        nobody = Holder(MASTER, GAME_MASTER, GAME_MASTER.name, 1, frozenset())
        return next((holder for holder in every if proves(token, holder, self.key)), nobody)

    def evidence(self, letter: Letter, raw: bytes = b"", mailbox: str = "") -> Evidence:
        """Return the evidence in `letter` about its writer. A delivery report counts as coming from the seat to which
        the returned letter was sent.

        Signatures can be checked only if `raw` contains the bytes of the letter. `mailbox` is the name of the mailbox
        from which it came.
        """
        address = letter.sender or ""
        names = letter.report.names if letter.report else letter.recipients
        return Evidence(
            addressed=find_tokens(names)[: 1 if letter.report else _MAX_TOKENS],
            answered=() if letter.report else find_tokens(letter.references)[:1],
            player=players.player_by_address(self.store, address) or self._master(address),
            address=address,
            vouched=self._vouched(letter, raw, address.rpartition("@")[2], mailbox),
        )

    def _vouched(self, letter: Letter, raw: bytes, domain: str, name: str) -> bool:
        """Return whether the letter certainly comes from `domain`, the domain of its sender. This must be confirmed by
        the server of the mailbox called `name`, or by a signature."""
        mailbox, source = self.config.mailbox, self.config.mailboxes.get(name)
        trusted = source and source.authserv_id  # another server may have let a forged verdict in this name pass
        if trusted is not None:
            from pbem.mail.authentication import vouched

            if vouched(letter.authentication, trusted, domain, strict=mailbox.strict).vouched:
                return True
        checked = mailbox.dkim and domain != "" and raw != b""
        return checked and self._signatures.vouch(raw, domain, strict=mailbox.strict)

    @cached_property
    def _signatures(self) -> "Signatures":
        """The verifier of signatures, created when the first signature is checked."""
        from pbem.mail.authentication import Signatures

        return Signatures()

    def _master(self, address: str) -> Player | None:
        """Return the game master with this `address` as a player, or None if no game master has it."""
        return master_by_address(self.store, game_master_of(self.config), address.lower(), self.now)

    def with_only_seat(self, writer: Writer) -> Writer:
        """Return `writer` as the holder of their seat if they have exactly one seat in games in progress; otherwise,
        return `writer` unchanged."""
        assert writer.player is not None
        seats = matches.running_seats(self.store, writer.player.id)
        if len(seats) != 1:
            return writer
        match, seat, turn = seats[0]
        token = make_token(self.key, match, matches.holders(self.store, match)[seat], turn)
        return Writer(token, writer.player, None)

    def vouched_for(self, writer: Writer, number: int, kept_letter: KeptLetter, text: str) -> Writer:
        """Return the writer of a letter that the player with this `number` has confirmed as theirs.

        The player writes from a seat if the letter has the token of that seat, or if the letter is about the player's
        only game. A letter that arrived before the current turn began belongs to the previous turn.
        """
        player, token = players.load_player(self.store, number), writer.token
        if token and token.seat not in (ME, MASTER) and writer.owner and writer.owner.id == number:
            return Writer(token, player, None, player)
        without_seat = Writer(None, player, "no token")
        if reader.read_words(text).commands and self.store.outcome_of(kept_letter.id) != WHICH_GAME:
            return without_seat
        seated = self.with_only_seat(without_seat)
        if not seated.token:
            return without_seat
        match = matches.load_match(self.store, seated.token.match)
        if match.began is None or kept_letter.arrived >= stamp(match.began):
            return seated
        return replace(
            seated, token=make_token(self.key, match.id, match.holders[seated.token.seat], seated.token.turn - 1)
        )


def when_written(letter: Letter) -> datetime | None:
    """Return the moment in the Date header of `letter`, or None if that header cannot be read."""
    try:
        date = parsedate_to_datetime(letter.date)
        return date.replace(tzinfo=date.tzinfo or UTC).astimezone(UTC)
    except (ValueError, TypeError, LookupError, OverflowError):
        return None


_ANSWER_ID = re.compile(r"\.(?:answer|warning|offer|asked\d*)-(\d[a-z2-7]*)(?:-\d+)?\.")
_WISH_ID = re.compile(r"\.(wish-([a-z]+)-\d[a-z2-7]*)")
_PRESS_ID = re.compile(r"\.press-(?:([a-z][a-z0-9]*)-)?\d")
_PUZZLE_ID = re.compile(r"\.puzzle-([a-z]+(?:-\d+)?)-(\d+)-0")
_LEAGUE_ID = re.compile(r"\.league-(\d+)-")
_COMMITMENT_ID = re.compile(r"\.(?:un)?sealed-\d")  # such a letter may come between a question of ours and its answer


def renamed(references: Sequence[str]) -> str:
    """Return the original Message-ID of a letter of ours if a server replaced that Message-ID on the way, so that
    `references` contains only the letter's second id (see `second_id`). Otherwise, return ""."""
    return next((ours for text in references if (ours := own_id(text)) != text and ours not in references), "")


def _answered_directly(references: Sequence[str]) -> str:
    """Return, in lower case, the id of the letter that is answered directly, given the `references` of the answer; ""
    if that is unclear."""
    return (renamed(references) or next(iter(references), "")).lower()


def _press_by(references: Sequence[str]) -> str | None:
    """Return the seat whose press is answered, given the `references` of the answer: "" if our letter with the press
    does not name that seat, None if no press is answered."""
    parts = _PRESS_ID.search(_answered_directly(references))
    return (parts[1] or "") if parts else None


def _puzzle_of(references: Sequence[str]) -> str:
    """Return the game and the number of the puzzle that is answered, given the `references` of the answer; "" if no
    puzzle is answered."""
    parts = _PUZZLE_ID.search(_answered_directly(references))
    return f"{parts[1]} {parts[2]}" if parts else ""


def league_of(references: Sequence[str]) -> int | None:
    """Return the number of the league whose letter is answered, given the `references` of the answer; None if no letter
    about a league is answered."""
    parts = _LEAGUE_ID.search(_answered_directly(references))
    return int(parts[1]) if parts else None


def find_answered(store: Store, key: bytes, references: Sequence[str], *, rereads: bool) -> Answered:
    """Return the letter of ours that is answered, given the `references` of the answer.

    If our letter was itself an answer, its id contains the number of the letter that it answered. If the database does
    not know our letter, that number may belong to another letter now, so it is used only if the desk `rereads` letters.
    """
    press, puzzle = _press_by(references), _puzzle_of(references)
    ours = next((own_id(text) for text in references if find_tokens([text])), None)
    if ours is None or _COMMITMENT_ID.search(ours.lower()) or not is_ours(key, ours):
        return Answered(press=press, puzzle=puzzle)
    answer, wish = _ANSWER_ID.search(ours.lower()), _WISH_ID.search(ours.lower())
    is_known = answer and (rereads or outbox.sent_letter(store, [ours]) is not None)
    number = hidden_number(key, answer[1]) if answer and is_known else 0
    return Answered(ours, number, *((wish[2], wish[1]) if wish else ("", "")), press, puzzle)
