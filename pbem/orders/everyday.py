"""Orders in everyday sentences, for games that can find orders in text that their grammar cannot parse."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from pbem.games.capabilities import Suggestion
from pbem.orders import ambiguity
from pbem.orders.ambiguity import Doubt, Turn
from pbem.orders.command import LetterText
from pbem.orders.lines import LineMistake, Reading, SeatLines, read_text, read_whole
from pbem.orders.prose import sentences_of
from pbem.orders.sentences import contains_command
from pbem.orders.situation import AnySituation, AnyStandpoint

_SOMEBODYS = re.compile(r"[^:]*\w['’]s\b[^:]*:")  # for example "Bob's orders: 3 A to M"
_MOST_LINES = 60  # the maximum number of lines of a letter that is split into sentences
_MOST_CHARACTERS = 4_000


def is_refused(lines: SeatLines) -> bool:
    """Return whether the letter has a line that the grammar parses but the rules forbid. Such a letter is not read as
    everyday sentences."""
    standpoint = lines.standpoint
    return any(
        standpoint.is_in_notation(attempt) and read_text(standpoint, attempt).mistakes for attempt in lines.attempts
    )


def read_everyday(standpoint: AnyStandpoint, letter: LetterText) -> Reading | None:
    """Read a letter whose orders are everyday sentences; return None if it has no such orders, or if a sentence
    overturns them.

    Chat is ignored. The result contains orders if the game is certain of them, and a proposal if it is not. Failing
    both, it contains the mistakes in the orders, or the parts of the letter that are clear.
    """
    sentences = _sort(standpoint, letter)
    if not standpoint.suggests or sentences is None:
        return None
    ordering, perhaps = (*sentences.naming, *sentences.counting), sentences.perhaps
    meant = _suggested(standpoint, "\n".join(ordering))
    if not meant.orders and sentences.counting:
        ordering, perhaps = sentences.naming, (*perhaps, *sentences.counting)
        meant = _suggested(standpoint, "\n".join(ordering))
    aside = sentences.aside
    orders_text, chat = _without_chat(standpoint, ordering)
    if (
        chat
        and not meant.sure
        and (less := _suggested(standpoint, orders_text)).orders
        and meant.orders in ("", less.orders)
    ):
        meant, aside = less, (*aside, *chat)
    beside = (*aside, *perhaps)
    if meant.sure and not sentences.refused and not any(map(_SOMEBODYS.match, ordering)):
        orders = read_text(standpoint, meant.orders).orders
        return Reading(orders, remarks=beside, everyday=True).asking_about(perhaps)
    if not (sentences.naming or meant.orders):
        return None
    if meant.illegal:
        mistakes = _as_written(standpoint, letter, ordering, read_text(standpoint, meant.illegal).mistakes)
        return Reading(mistakes=mistakes, remarks=beside, everyday=True)
    turn: Turn = "unread" if meant.likely else "unsure"
    doubts = tuple(Doubt(sentence, turn) for sentence in (*ordering, *sentences.refused))
    return Reading(doubts=doubts, proposal=meant.orders or None, remarks=beside, understood=meant.understood)


def _as_written(
    standpoint: AnyStandpoint, letter: LetterText, sentences: Sequence[str], mistakes: Sequence[LineMistake]
) -> tuple[LineMistake, ...]:
    """Return mistakes in orders that were understood from `sentences` as mistakes in the writer's own words: each in
    the first line of the letter, or the first sentence, that alone gives the wrong order, if any does."""
    places = [*enumerate(letter.rest.splitlines(), 1), *((1, sentence) for sentence in sentences)]
    wrong = [(number, words, _suggested(standpoint, words).illegal) for number, words in places if words.strip()]

    def placed(mistake: LineMistake) -> LineMistake:
        for number, words, illegal in wrong:
            if mistake.item in illegal:
                return replace(mistake, line=number, text=words, column=0, width=len(words))
        return mistake

    return tuple(map(placed, mistakes))


def _suggested(standpoint: AnyStandpoint, text: str) -> Suggestion:
    """Return the orders that the sentences in `text` contain, in notation or in everyday words."""
    whole = read_whole(standpoint, text)
    if whole and whole.orders is not None:
        return Suggestion(str(whole.orders), sure=True)
    return standpoint.suggestion(text)


def _without_chat(situation: AnySituation, sentences: Sequence[str]) -> tuple[str, list[str]]:
    """Split `sentences` at commas. Return the parts that are not chat as one text with a line for each part, and the
    list of parts that are chat."""
    parts = [
        (part, ambiguity.is_chat_within(situation, part)) for sentence in sentences for part in sentence.split(",")
    ]
    return "\n".join(part for part, chat in parts if not chat), [part.strip() for part, chat in parts if chat]


class _Sentences(NamedTuple):
    """The sentences of a letter by kind.

    `naming` sentences name something that orders are about; `counting` sentences contain a number but no such name.
    `aside` are chat. `perhaps` may change the orders. `refused` are parts of sentences that rule something out.
    """

    naming: tuple[str, ...]
    counting: tuple[str, ...]
    aside: tuple[str, ...]
    perhaps: tuple[str, ...]
    refused: tuple[str, ...]


def _sort(situation: AnySituation, letter: LetterText) -> _Sentences | None:
    """Return the sentences of `letter` by kind; None if any of them may overturn the orders, or if none of them is
    about orders."""
    by_kind: dict[str, list[str]] = {kind: [] for kind in _Sentences._fields}
    text = letter.rest if len(letter.rest) <= _MOST_CHARACTERS and letter.rest.count("\n") <= _MOST_LINES else ""
    for sentence in sentences_of(text):
        wording = sentence.text
        if "?" in wording or ambiguity.is_hard(wording) or contains_command(wording):
            return None
        if situation.names_within(wording) or situation.is_about(ambiguity.folded(wording)):
            parts = wording.split(",")
            by_kind["refused"] += (part.strip() for part in parts if ambiguity.negates(part))
            by_kind["naming"] += filter(None, [",".join(part for part in parts if not ambiguity.negates(part)).strip()])
        elif ambiguity.counts_or_names(situation, wording):
            by_kind["counting"].append(wording)
        elif (
            verdict := ambiguity.verdict(situation, f"{wording}:" if sentence.heading else wording, letter.match)
        ) == "turned":
            return None
        else:
            by_kind["aside" if verdict == "chat" else "perhaps"].append(wording)
    return _Sentences(*map(tuple, by_kind.values())) if by_kind["naming"] or by_kind["counting"] else None
