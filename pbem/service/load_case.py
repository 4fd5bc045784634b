"""Letters in: who wrote a letter, what it is about and what it says. Everything else is looked up when the core asks
for it."""

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
from pbem.match.identity import GAME_MASTER, MASTER, ME, Evidence, Holder, Token, Writer, authenticate, hide_number
from pbem.match.model import WANTS_TO_JOIN, Match
from pbem.match.sections import people
from pbem.match.terms import Terms
from pbem.orders import reader
from pbem.orders.command import LetterText
from pbem.orders.lookups import may_consult, take_lookups, take_named
from pbem.service.budget import Account
from pbem.service.facts import Sent, StoredFacts
from pbem.service.writers import Writers, find_answered
from pbem.store import matches, outbox, players
from pbem.store.audit_log import sha256
from pbem.store.database import KeptLetter, Snapshot, Store
from pbem.store.matches import with_masters


@dataclass
class CaseLoader:
    """The reading side of a desk during one run; `terms` are those of games in no league. It `rereads` letters if the
    database was put back: what they answer may be an answer that is given anew."""

    config: Config
    store: Store
    now: datetime
    terms: Terms
    key: bytes = field(repr=False)
    rereads: bool = False
    _last_writer: tuple[bytes, Writer] = field(default=(b"", Writer(None, None, None)), init=False)

    def case(self, kept_letter: KeptLetter, letter: letters.Letter) -> Case:
        """The case of a letter. Its facts can be asked for until the store is written."""
        sent = self._sent(kept_letter, letter)
        facts = self._facts(sent)
        return Case(
            letter=kept_letter.id,
            writer=sent.writer,
            match=sent.match,
            text=letter.text,
            facts=facts,
            words=self._words(sent, facts),
            mark=hide_number(self.key, kept_letter.id),
            secret=make_secret(self.key, kept_letter.id, self.now),
            problems=(*letter.problems, *(["cut at 256 kB"] if kept_letter.size > len(kept_letter.raw) else [])),
            automatic=_automatic(letter),
            message_id=letter.message_id,
            answered=sent.answered,
            address=sent.address,
            vouched=sent.evidence.vouched,
            trust=self.config.desk.trust,
            returned=bool(letter.report and letter.report.outcome == "failed" and letter.report.permanent is not False),
            confirmed=bool(sent.vouched_by),
            master=sent.address == game_master_of(self.config).address.lower(),
            called=letter.name,
            digest=sha256(kept_letter.raw),
            desk=self.config.outgoing.sender.name,
            zone=self.config.desk.zone,
            terms=self.terms,
        )

    def of_operator(self) -> Case:
        """The case of a decision of the operator, who may do all that a game master may, as if it had come in a
        letter."""
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
        """Whom a letter shows as its writer, and the match that it is about."""
        evidence = self._writers.evidence(letter, kept_letter.raw)
        holders = self._writers.holders(evidence)
        writer, address = self._writer(kept_letter, letter, evidence, holders), evidence.address
        vouched_by = self.store.vouched_by(kept_letter.id)
        if vouched_by:
            writer = self._writers.vouched_for(writer, vouched_by, kept_letter, letter.text)
            address = self._surely_theirs(address, vouched_by)
        token = writer.token
        return Sent(
            kept=kept_letter,
            letter=letter,
            evidence=evidence,
            writer=writer,
            address=address,
            match=self._match(token, holders) if token and token.seat != ME else None,
            holder=holders.get(token[:2]) if token else None,
            answered=find_answered(self.store, self.key, letter.references, rereads=self.rereads),
            vouched_by=vouched_by,
        )

    def _facts(self, sent: Sent) -> StoredFacts:
        return StoredFacts(self.config, self.now, self._writers, Snapshot(self.store), sent)

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

    def _words(self, sent: Sent, facts: StoredFacts) -> LetterText:
        """What the letter says, read for the match that it is about."""
        match, token = sent.match, sent.writer.token
        sits = match and token and token.seat in match.holders and not sent.writer.failure
        words = self._read(sent, match.name if match and sits else "")
        if may_consult(words.rest, match.game if match else None):
            for consulted in facts.consulted:
                words = take_lookups(consulted.situation, words)
        return at_turn(words, match) if match and sits else words

    def _read(self, sent: Sent, named: str) -> LetterText:
        """What the letter says, read for the match of that name; without one, as a newcomer's."""
        match, letter = sent.match, sent.letter
        at = match.situation if match and named else None
        words = LetterText() if letter.report else reader.read_words(letter.text, named, at)
        if letter.surely_automatic:
            words = words._replace(commands=())
        else:
            words = words._replace(aside=letter.aside, worth_telling=letter.worth_telling)
        if not match and not letter.automatic and not letter.report:
            from pbem.orders.newcomers import read_newcomer

            new = sent.writer.failure == "stranger" or self.store.outcome_of(sent.kept.id) == WANTS_TO_JOIN
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

    def _match(self, token: Token, holders: Mapping[tuple[int, Seat], Holder]) -> Match:
        """The match of a token; of the `holders` that are known, those of its seats need not be looked up."""
        sitting = {
            seat: holder for (at, seat), holder in holders.items() if at == token.match and seat not in (ME, MASTER)
        }
        match = matches.load_match(self.store, token.match, sitting=sitting)
        return with_masters(match, game_master_of(self.config))

    def _surely_theirs(self, address: str, number: int) -> str:
        """The address that a letter came from which a player has said is theirs, if that is known to be, too."""
        is_proven = address in players.addresses(self.store, number, confirmed=True)
        return address if is_proven else players.load_player(self.store, number).address.lower()

    @cached_property
    def _writers(self) -> Writers:
        return Writers(self.config, self.store, self.now, self.key)


def _automatic(letter: letters.Letter) -> Automatic | None:
    """Why nobody should answer a letter, if somebody says so."""
    why = letter.automatic
    return Automatic(why, why in automatic.WEAK, why == automatic.BY_SUBJECT) if why else None


def read_letter(store: Store, raw: bytes) -> letters.Letter:
    """A letter with its writer's own words, told apart from those of the letter that it answers. Raises Unreadable."""
    sent = letters.text_part(outbox.sent_letter(store, letters.answered(raw)) or b"")  # of ours, which it answers
    letter = shared_reader(reader.may_be_order).read(raw, sent)
    return replace(letter, text=without_lines(letter.text, sent)) if letter.surely_automatic else letter


def at_turn(letter: LetterText, match: Match) -> LetterText:
    """A letter's words with the match that they are about: its people, and where it stands."""
    turn = turn_of(match.game, match.state, match.turn)
    first = turn_name(match.game, match.state, turn)
    return letter._replace(people=people(match), turn=turn, round=match.round, first=first)
