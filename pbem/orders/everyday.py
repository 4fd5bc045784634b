"""Orders in everyday sentences, for the games that find some where no grammar reads any."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from pbem.games.base import AnyGame, Seat
from pbem.games.capabilities import Suggestion, Suggests
from pbem.orders import ambiguity
from pbem.orders.ambiguity import Doubt
from pbem.orders.command import Words
from pbem.orders.lines import Lines, Reading, is_in_notation, read_text, read_whole
from pbem.orders.prose import sentences_of
from pbem.orders.sentences import holds_command

_MOST_LINES = 60  # of a letter that are taken apart; one with more is no letter of a few orders
_MOST_CHARACTERS = 4_000


def is_refused(seat: Seat, lines: Lines) -> bool:
    """Whether the grammar reads a line to its end, and it cannot be: then no sentence says otherwise."""
    game, state = lines.game, lines.state
    return any(
        is_in_notation(game, state, attempt) and read_text(game, state, seat, attempt).mistakes
        for attempt in lines.attempts
    )


def read_everyday(seat: Seat, words: Words, lines: Lines) -> Reading | None:
    """What sentences order that no grammar reads, chat aside: orders where the game is sure of them, a proposal where
    it is not; else what is wrong with them, or what is understood. None if anything turns them."""
    game, state = lines.game, lines.state
    sentences = _sorted_out(game, state, words)
    if not isinstance(game, Suggests) or sentences is None:
        return None
    ordering, perhaps = (*sentences.naming, *sentences.counting), sentences.perhaps
    meant = _suggested(game, state, seat, "\n".join(ordering))
    if not meant.orders and sentences.counting:
        ordering, perhaps = sentences.naming, (*perhaps, *sentences.counting)
        meant = _suggested(game, state, seat, "\n".join(ordering))
    aside = sentences.aside
    orders_text, chat = _without_chat(game, state, ordering)
    if (
        chat
        and not meant.sure
        and (less := _suggested(game, state, seat, orders_text)).orders
        and meant.orders in ("", less.orders)
    ):
        meant, aside = less, (*aside, *chat)
    beside = (*aside, *perhaps)
    if meant.sure:
        orders = read_text(game, state, seat, meant.orders).orders
        return Reading(orders, remarks=beside, everyday=True).asking_about(perhaps)
    if not (sentences.naming or meant.orders):
        return None
    if meant.illegal:
        return Reading(mistakes=read_text(game, state, seat, meant.illegal).mistakes, remarks=beside, everyday=True)
    doubts = tuple(Doubt(sentence, "unread") for sentence in ordering)
    return Reading(doubts=doubts, proposal=meant.orders or None, remarks=beside, understood=meant.understood)


def _suggested(game: AnyGame, state: Any, seat: Seat, text: str) -> Suggestion:
    """What sentences order, in notation or in everyday words."""
    whole = read_whole(game, state, seat, text)
    if whole and whole.orders is not None:
        return Suggestion(str(whole.orders), sure=True)
    return game.suggestion(state, seat, text) if isinstance(game, Suggests) else Suggestion()


def _without_chat(game: AnyGame, state: Any, sentences: Sequence[str]) -> tuple[str, list[str]]:
    """Sentences without the chat between their commas, and this."""
    parts = [
        (part, ambiguity.is_chat_within(game, state, part)) for sentence in sentences for part in sentence.split(",")
    ]
    return "\n".join(part for part, chat in parts if not chat), [part.strip() for part, chat in parts if chat]


class _Sentences(NamedTuple):
    """Sentences sorted: those `naming` what orders are about, `counting` those that only have a number, chat `aside`,
    and what `perhaps` changes orders."""

    naming: tuple[str, ...]
    counting: tuple[str, ...]
    aside: tuple[str, ...]
    perhaps: tuple[str, ...]


def _sorted_out(game: AnyGame, state: Any, words: Words) -> _Sentences | None:
    """The sentences of a letter, sorted; None if any may turn its orders, or none says anything of these."""
    by_kind: dict[str, list[str]] = {kind: [] for kind in _Sentences._fields}
    text = words.rest if len(words.rest) <= _MOST_CHARACTERS and words.rest.count("\n") <= _MOST_LINES else ""
    for sentence in sentences_of(text):
        wording = sentence.text
        if "?" in wording or ambiguity.is_hard(wording) or holds_command(wording):
            return None
        if game.names_in(state, f"x {wording}") or game.is_about(state, ambiguity.folded(wording)):
            by_kind["naming"].append(wording)
        elif ambiguity.counts_or_names(game, state, wording):
            by_kind["counting"].append(wording)
        elif (
            verdict := ambiguity.verdict(game, state, f"{wording}:" if sentence.heading else wording, words.match)
        ) == "turned":
            return None
        else:
            by_kind["aside" if verdict == "chat" else "perhaps"].append(wording)
    return _Sentences(*map(tuple, by_kind.values())) if by_kind["naming"] or by_kind["counting"] else None
