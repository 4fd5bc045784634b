"""The lines that letters were asked about, as labelled lines for the judge of what stands beside orders: it learns from
real letters, once somebody has sorted them."""

from pbem.games import find_game
from pbem.i18n.words import fold
from pbem.mail.sandbox import Unreadable
from pbem.orders import doubt, judge
from pbem.orders.lookups import at_first
from pbem.service.letters_shown import read_letter
from pbem.store import correspondence
from pbem.store.database import Store


def lines_asked(store: Store) -> str:
    """Lines of letters that were asked about, as the judge would sort them, in the form of its material.

    Letters of turns that are played alone are looked at. Lines with a number, or a name of the game or of a player,
    are left out, so that no orders and nobody are told; greetings teach nothing.
    """
    names = {word for name in correspondence.names_of_players(store) for word in doubt.WORD.findall(fold(name))}
    found: dict[str, float] = {}
    for raw, name in correspondence.asked_back(store):
        try:
            text = read_letter(store, raw).text
        except Unreadable:
            continue
        game = find_game(name)
        for line in filter(None, map(str.strip, text.splitlines())):
            tells = any(map(str.isdigit, line)) or not names.isdisjoint(doubt.WORD.findall(fold(line)))
            if not (tells or doubt.is_courtesy(line) or doubt.counts_or_names(game, at_first(game), line)):
                found[line] = judge.likelihood(line)
    asked = judge.read_model().thresholds.perhaps
    likely = sorted(found, key=lambda line: -found[line])
    chat = [line for line in likely if found[line] < asked]
    doubtful = [line for line in likely if found[line] >= asked]
    return "\n".join(("== doubt", *doubtful, "== chat", *chat))
