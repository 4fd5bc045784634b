"""Who is behind a desk: whom players may write to, and who decides."""

from pbem.config.config import Address, Config


def game_master_of(config: Config) -> Address:
    """Who looks after the games; the operator where the file names the desk itself, whose letters nobody reads."""
    named = config.desk.game_master
    return config.desk.operator if is_own(config, named) else named


def is_own(config: Config, person: Address) -> bool:
    """Whether somebody's address is the desk's own."""
    own, _, domain = config.outgoing.sender.address.lower().rpartition("@")
    local, _, at = person.address.lower().rpartition("@")
    return at == domain and local.partition("+")[0] == own
