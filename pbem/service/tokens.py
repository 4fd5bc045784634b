"""Whom the tokens of a letter name, looked up in the store, and which addresses are the desk's own."""

from dataclasses import dataclass, field
from datetime import datetime

from pbem.config.config import Config
from pbem.config.people import game_master_of
from pbem.games.base import Seat
from pbem.match.identity import (
    GAME_MASTER,
    MASTER,
    ME,
    Evidence,
    Holder,
    Player,
    Token,
    find_tokens,
    master_holder,
    own_holder,
    proves,
)
from pbem.match.model import Master
from pbem.store import addresses, matches, players
from pbem.store.database import Store
from pbem.store.game_masters import master_by_address, with_masters


@dataclass
class Tokens:
    """Tokens at a desk during one run."""

    config: Config
    store: Store
    now: datetime
    key: bytes = field(repr=False)

    def holders(self, evidence: Evidence) -> dict[tuple[int, Seat], Holder]:
        """Whoever the tokens of a letter name: seats, game masters, players themselves."""
        found: dict[tuple[int, Seat], Holder] = {}
        for token in {*evidence.addressed, *evidence.answered}:
            if token.seat == ME and (player := players.find_player(self.store, token.match)):
                found[token[:2]] = self._own_holder(token, player, evidence.address)
            elif token.seat == MASTER and matches.exists(self.store, token.match):
                found[token[:2]] = self._master_holder(token)
            elif token.seat not in (ME, MASTER):
                sitting = matches.holders(self.store, token.match)
                found |= {(token.match, seat): holder for seat, holder in sitting.items()}
        return found

    def is_ours(self, address: str) -> bool:
        """Whether letters to an address, in lower case, reach this desk itself."""
        own, _, domain = self.config.outgoing.sender.address.lower().rpartition("@")
        local, _, at = address.rpartition("@")
        return at == domain and (local.partition("+")[0] == own or find_tokens([address]) != [])

    def _own_holder(self, token: Token, player: Player, address: str) -> Holder:
        """A player as who has a token of their own: at one of their addresses, or at one that they claim."""
        claimed, epoch = addresses.claims(self.store, player.id, self.now), addresses.epoch(self.store, player.id)
        left = {claim.instead for claim in claimed.values() if claim.taken and claim.instead}
        if address in left or ((claim := claimed.get(address)) and claim.free and not claim.taken):
            holder = own_holder(player, epoch, frozenset((address,)), address)
            if proves(token, holder, self.key):
                return holder
        known = {sure: players.addresses(self.store, player.id, confirmed=sure) for sure in (True, False)}
        return own_holder(player, epoch, known[True] | known[False])

    def _master_holder(self, token: Token) -> Holder:
        """That one of the game masters of a match whose token it is; each has another."""
        match = with_masters(matches.load_match(self.store, token.match), game_master_of(self.config))
        every = [master_holder(match.holders, self._master(one), one.address) for one in match.judges]
        nobody = Holder(MASTER, GAME_MASTER, GAME_MASTER.name, 1, frozenset())
        return next((one for one in every if proves(token, one, self.key)), nobody)

    def _master(self, master: Master) -> Player:
        found = master_by_address(self.store, game_master_of(self.config), master.address.lower(), self.now)
        return found or GAME_MASTER
