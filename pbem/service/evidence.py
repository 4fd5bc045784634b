"""What a letter says of its writer, and who vouches for it."""

from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cached_property

from pbem.config.config import Config
from pbem.config.people import game_master_of
from pbem.mail.auth_results import vouched
from pbem.mail.dkim import Signatures
from pbem.mail.letters import Letter
from pbem.match.identity import Evidence, Player, find_tokens
from pbem.store import players
from pbem.store.database import Store
from pbem.store.game_masters import master_by_address

_MAX_TOKENS = 5


@dataclass
class Witnesses:
    """Whom a desk believes about who wrote a letter, during one run."""

    config: Config
    store: Store
    now: datetime

    def evidence(self, letter: Letter, raw: bytes = b"") -> Evidence:
        """What the letter says of its writer; a delivery report speaks for the seat whose letter it brings back. Of its
        signatures only its bytes tell."""
        address = letter.sender or ""
        names = letter.report.names if letter.report else letter.recipients
        return Evidence(
            addressed=find_tokens(names)[: 1 if letter.report else _MAX_TOKENS],
            answered=() if letter.report else find_tokens(letter.references)[:1],
            player=self._person(address),
            address=address,
            vouched=self._vouched(letter, raw, address.rpartition("@")[2]),
        )

    def _vouched(self, letter: Letter, raw: bytes, domain: str) -> bool:
        """Whether the letter comes from its sender's domain for sure: our server says so, or a signature does."""
        mailbox = self.config.mailbox
        trusted = mailbox.authserv_id
        if trusted is not None and vouched(letter.authentication, trusted, domain, strict=mailbox.strict).vouched:
            return True
        checked = mailbox.dkim and domain != "" and raw != b""
        return checked and self._signatures.vouch(raw, domain, strict=mailbox.strict)

    @cached_property
    def _signatures(self) -> Signatures:
        """Made when a letter's is to be checked."""
        return Signatures()

    def _person(self, address: str) -> Player | None:
        """Whose address it is, in lower case: a player's, or a game master's, who is a person as any other."""
        known = players.player_by_address(self.store, address)
        return known or master_by_address(self.store, game_master_of(self.config), address, self.now)


def when_written(letter: Letter) -> datetime | None:
    """When a letter says that it was written, if that is a moment."""
    try:
        date = parsedate_to_datetime(letter.date)
        return date.replace(tzinfo=date.tzinfo or UTC).astimezone(UTC)
    except (ValueError, TypeError, LookupError, OverflowError):
        return None
