"""Incoming letters: who wrote a letter, which match it is about, and what it says. All other facts are looked up when
the core needs them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property

from pbem.config.config import Config, game_master_of
from pbem.games.base import Seat
from pbem.games.capabilities import turn_name, turn_of
from pbem.mail import automatic, letters
from pbem.mail.phrases import without_lines
from pbem.mail.sandbox import shared_reader
from pbem.match.case import Automatic, Case
from pbem.match.commitments import make_secret
from pbem.match.identity import (
    GAME_MASTER,
    MASTER,
    ME,
    Evidence,
    Holder,
    Token,
    Writer,
    authenticate,
    find_tokens,
    hide_number,
    own_id,
    proves,
)
from pbem.match.model import WANTS_TO_JOIN, Match
from pbem.match.sections import people
from pbem.match.terms import Terms
from pbem.orders import reader
from pbem.orders.command import LetterText
from pbem.orders.lookups import may_consult, take_lookups, take_named
from pbem.service.budget import Account
from pbem.service.facts import Sent, StoredFacts
from pbem.service.mailing import unsubscribing
from pbem.service.subjects import without_matter
from pbem.service.writers import Writers, find_answered
from pbem.store import matches, outbox, players
from pbem.store.audit_log import sha256
from pbem.store.database import KeptLetter, Snapshot, Store
from pbem.store.interpretations import interpretation_of
from pbem.store.masters import with_masters


@dataclass
class CaseLoader:
    """The part of a desk that reads letters during one run.

    `terms` apply to games outside leagues. `rereads` is true while letters from before the database was restored are
    being read again. Such a letter may reply to an answer that the database does not contain yet.
    """

    config: Config
    store: Store
    now: datetime
    terms: Terms
    key: bytes = field(repr=False)
    rereads: bool = False
    _last_writer: tuple[bytes, Writer] = field(default=(b"", Writer(None, None, None)), init=False)

    def case(self, kept_letter: KeptLetter, letter: letters.Letter) -> Case:
        """Return the case of `letter`. The facts of the case are available until something is written to the store."""
        sent = self._with_match(self._sent(kept_letter, letter))
        facts = self._facts(sent)
        words = self._words(sent, facts)
        cut = ["cut at 256 kB"] if kept_letter.size > len(kept_letter.raw) else []
        return Case(
            letter=kept_letter.id,
            writer=sent.writer,
            match=sent.match,
            text=letter.text,
            facts=facts,
            words=words,
            mark=hide_number(self.key, kept_letter.id),
            secret=make_secret(self.key, kept_letter.id, self.now),
            problems=(*letter.problems, *words.problems, *cut),
            automatic=_automatic(letter),
            message_id=letter.message_id,
            answered=sent.answered,
            untied=not find_tokens(letter.threaded),
            address=sent.address,
            vouched=sent.evidence.vouched,
            trust=self.config.desk.trust,
            returned=bool(letter.report and letter.report.outcome == "failed" and letter.report.permanent is not False),
            confirmed=bool(sent.vouched_by),
            master=sent.address == game_master_of(self.config).address.lower(),
            called=letter.name,
            digest=sha256(kept_letter.raw),
            interpretation=interpretation_of(self.store, kept_letter.id) if self.config.interpreter else None,
            desk=self.config.outgoing.sender.name,
            zone=self.config.desk.zone,
            terms=self.terms,
        )

    def of_operator(self) -> Case:
        """Return a case for a decision by the operator, as if the decision had come in a letter. The operator has all
        the rights of a game master."""
        nobody = Evidence((), (), None, "")
        sent = Sent(KeptLetter(0, "", b"", 0, 0), letters.read_head(b""), nobody, Writer(None, GAME_MASTER, None), "")
        return Case(
            letter=0,
            writer=sent.writer,
            match=None,
            text="",
            facts=self._facts(sent),
            secret=make_secret(self.key, 0, self.now),
            master=True,
            terms=self.terms,
        )

    def _sent(self, kept_letter: KeptLetter, letter: letters.Letter) -> Sent:
        """Return the letter together with its apparent writer, and the letter of ours that it answers, but without the
        match that it is about."""
        evidence = self._writers.evidence(letter, kept_letter.raw, kept_letter.mailbox)
        holders = self._writers.holders(evidence)
        writer, address = self._writer(kept_letter, letter, evidence, holders), evidence.address
        vouched_by = self.store.vouched_by(kept_letter.id)
        if vouched_by:
            writer = self._writers.vouched_for(writer, vouched_by, kept_letter, letter.text)
            address = self._surely_theirs(address, vouched_by)
        return Sent(
            kept=kept_letter,
            letter=letter,
            evidence=evidence,
            writer=writer,
            address=address,
            holders=holders,
            answered=find_answered(self.store, self.key, letter.references, rereads=self.rereads),
            vouched_by=vouched_by,
        )

    def _with_match(self, sent: Sent) -> Sent:
        """Return `sent` with the match that its token names. Raises NoGameError if its game cannot be played."""
        token = sent.writer.token
        if not token or token.seat == ME:
            return sent
        return replace(sent, match=self._match(token, sent.holders))

    def token(self, kept_letter: KeptLetter, letter: letters.Letter) -> Token | None:
        """Return the token of the seat that surely wrote the letter, even if the game of its match cannot be played;
        None if no seat did."""
        writer = self._sent(kept_letter, letter).writer
        return writer.token if writer.token and writer.token.seat != ME and writer.failure is None else None

    def _facts(self, sent: Sent) -> StoredFacts:
        return StoredFacts(self.config, self.now, self._writers, Snapshot(self.store), sent)

    def _writer(
        self,
        kept_letter: KeptLetter,
        letter: letters.Letter,
        evidence: Evidence,
        holders: Mapping[tuple[int, Seat], Holder],
    ) -> Writer:
        """Return the writer of `letter`, judging only by what the letter itself shows."""
        trust = self.config.desk.trust
        writer = authenticate(evidence, holders, self.key, trust)
        if not letter.automatic and trust != "signed":
            self._last_writer = kept_letter.raw, writer  # the headers alone would lead to the same result
        if trust == "address" and writer.failure == "no token" and writer.player:
            writer = self._writers.with_only_seat(writer)
        return writer

    def _words(self, sent: Sent, facts: StoredFacts) -> LetterText:
        """Return the words of the letter `sent`, read in the context of its match."""
        match, token = sent.match, sent.writer.token
        sits = match and token and (token.seat in match.holders or match.sandbox) and not sent.writer.failure
        words = self._read(sent, facts, match.name if match and sits else "")
        if may_consult(words.rest, match.game if match else None):
            for consulted in facts.consulted:
                words = take_lookups(consulted.situation, words)
        return at_turn(words, match) if match and sits else words

    def _read(self, sent: Sent, facts: StoredFacts, named: str) -> LetterText:
        """Return the words of the letter, read in the context of the match called `named`. If `named` is "", they are
        read without a match, perhaps as the words of a newcomer."""
        match, letter = sent.match, sent.letter
        at = match.situation if match and named else None
        words = LetterText() if letter.report else reader.read_words(letter.text, named, at, facts.directed_leagues)
        if letter.surely_automatic:
            words = words._replace(commands=())
        else:
            words = words._replace(aside=letter.aside, worth_telling=letter.worth_telling, halves=letter.halves)
        if not (words.commands or letter.report):
            words = words._replace(commands=unsubscribing(letter.subject))
        if match and named and not letter.automatic:
            subject, is_answer = reader.own_subject(
                without_matter(letter.subject, match.name), match.name, match.game.title
            )
            cut = "…" if len(letter.subject) >= letters.LONGEST_SUBJECT else ""
            words = words._replace(subject="" if is_answer and words.commands else subject + cut)
        if not match and not letter.automatic and not letter.report:
            from pbem.orders.newcomers import read_newcomer

            new = sent.writer.failure == "stranger" or self.store.outcome_of(sent.kept.id) == WANTS_TO_JOIN
            words = take_named(read_newcomer(words, letter.text, letter.subject, generous=new))
        return words

    def has_token(self, head: bytes) -> bool:
        """Return whether the header `head` of a letter contains a token of ours, whoever sent the letter."""
        evidence = self._writers.evidence(letters.read_head(head))
        holders = self._writers.holders(evidence)
        tokens = (*evidence.addressed, *evidence.answered)
        return any(proves(token, holders[token[:2]], self.key) for token in tokens if token[:2] in holders)

    def account(self, raw: bytes) -> Account:
        """Return the account that pays for reading the letter `raw`, judging by the headers of the letter alone."""
        of, writer = self._last_writer
        if of is not raw:
            evidence = self._writers.evidence(letters.read_head(raw))
            writer = authenticate(evidence, self._writers.holders(evidence), self.key)
        if writer.failure is None and writer.player:
            return Account(1, writer.player.id)
        return Account(2) if writer.player else Account(3)

    def _match(self, token: Token, holders: Mapping[tuple[int, Seat], Holder]) -> Match:
        """Load the match that `token` names. Holders of seats that are already in `holders` are not looked up again."""
        sitting = {
            seat: holder for (at, seat), holder in holders.items() if at == token.match and seat not in (ME, MASTER)
        }
        match = matches.load_match(self.store, token.match, sitting=sitting)
        return with_masters(match, game_master_of(self.config))

    def _surely_theirs(self, address: str, number: int) -> str:
        """Return `address`, from which a letter came, if it is a confirmed address of the player with this `number`,
        who says that the letter is theirs. Otherwise return the address to which that player's letters go."""
        is_proven = address in players.addresses(self.store, number, confirmed=True)
        return address if is_proven else players.load_player(self.store, number).address.lower()

    @cached_property
    def _writers(self) -> Writers:
        return Writers(self.config, self.store, self.now, self.key)


def _automatic(letter: letters.Letter) -> Automatic | None:
    """Return why a letter seems to come from a program, or None if nothing suggests that."""
    why = letter.automatic
    return Automatic(why, why in automatic.WEAK, why == automatic.BY_SUBJECT) if why else None


def read_letter(store: Store, raw: bytes) -> letters.Letter:
    """Read a letter, and separate its writer's own words from quotations of the letter that it answers. Raises
    Unreadable."""
    ids = tuple(map(own_id, letters.answered(raw)))
    ours = outbox.sent_letter(store, ids) or b""  # our letter that it answers
    sent, page = letters.text_part(ours), ""
    if sent and outbox.sent_letter(store, ids[:1]):  # otherwise it may quote one of its writer's own letters
        page = letters.page_part(ours) or sent
    letter = shared_reader(reader.may_be_order).read(raw, sent, page)
    return replace(letter, text=without_lines(letter.text, sent)) if letter.surely_automatic else letter


def at_turn(letter: LetterText, match: Match) -> LetterText:
    """Return `letter`, the words of a letter, with the people and the current turn of `match` added."""
    turn = turn_of(match.game, match.state, match.turn)
    first = turn_name(match.game, match.state, turn)
    return letter._replace(people=people(match), turn=turn, round=match.round, first=first)
