"""Puzzles by mail: a position, something to find in it, and a verdict on the answer. Nothing is stored; the letter to
which an answer replies shows which puzzle it is about. Such an answer never affects a game in progress.
"""

import re
from dataclasses import replace
from functools import partial
from typing import Any

from pbem import Sentence
from pbem.games import GAMES, find_game, game_called
from pbem.games.analysis import clear_best
from pbem.games.base import AnyGame, Seat
from pbem.games.capabilities import round_name
from pbem.games.puzzles import Puzzle, load_puzzle, texts_in
from pbem.match.analysing import falls_of, moments_of
from pbem.match.effects import Section, Send
from pbem.match.model import Match
from pbem.match.reply import Reply
from pbem.match.sections import board_of
from pbem.orders import reader
from pbem.orders.command import GAME, LetterText
from pbem.orders.lines import Reading
from pbem.orders.situation import Standpoint

A_DAY = 60
"""The maximum number of letters about puzzles from one person that are answered in a day."""

SECTION = "puzzle"

LESSONS = 3
"""How many of a game's first puzzles form its tutorial."""

_ASKED = re.compile(r"(?P<game>.*?)\s*(?P<number>\d{1,2})?", re.S)


def show(reply: Reply, which: str) -> None:
    """Send a puzzle in a letter of its own, to which the writer can reply with an answer. `which` names a game and the
    number of a puzzle (by default the first), or a finished match."""
    if re.fullmatch(GAME, which, re.I):
        _show_of_match(reply, which.lower())
        return
    parts = _ASKED.fullmatch(which)
    game = (game_called(parts["game"]) if parts["game"] else find_game()) if parts else None
    puzzle = _load(game, int(parts["number"] or 1)) if game and parts else None
    if puzzle is None:
        offered = [
            (known_game.name, len(texts_in(known_game))) for known_game in GAMES.values() if texts_in(known_game)
        ]
        reply.notice("no such puzzle", line=which, known=offered)
    elif _has_room(reply):
        _send(reply, puzzle)


def judge(reply: Reply) -> bool:
    """If the letter answers a puzzle and has no commands, judge the orders in it; return whether this is the case."""
    name, _, number = reply.case.answered.puzzle.partition(" ")
    match = reply.match_named(name)
    puzzle = of_turn(match, int(number)) if match else _load(GAMES[name], int(number)) if name in GAMES else None
    if puzzle is None or reply.case.words.commands or not reply.case.words.lines():
        return False
    if _has_room(reply):
        _judge(reply, puzzle)
    reply.case = replace(reply.case, words=LetterText())  # nothing else in the letter is read
    reply.reading = Reading()
    return True


def _show_of_match(reply: Reply, name: str) -> None:
    """Send, as a puzzle, the turn of a finished match in which one of the losers could have given clearly better
    orders."""
    match = reply.match_named(name)
    if match is None:
        reply.notice("no such game", name=name)
    elif not match.over:
        reply.notice("not over", name=match.name)
    elif _has_room(reply):
        turns = (turning.moment for turning in falls_of(match))
        if (puzzle := next(filter(None, (of_turn(match, match.turns[at].turn) for at in turns)), None)) is None:
            reply.notice("nothing to solve", name=match.name)
        else:
            _send(reply, puzzle)


def of_turn(match: Match, number: int) -> Puzzle | None:
    """Return a puzzle made from turn `number` of a finished match, or None if the turn is not suitable."""
    fall = next((turning for turning in falls_of(match) if match.turns[turning.moment].turn == number), None)
    if fall is None or match.phase != "finished":
        return None
    game, moment, sides = match.game, moments_of(match)[fall.moment], dict(match.game.seats(match.options))
    for seat in (seat for seat in match.seats if sides[seat] == fall.side and moment.orders.get(seat)):
        best = clear_best(game, moment, seat)
        if best is not None and str(best) != moment.orders[seat]:
            values = {"match": match.name, "played": moment.orders[seat]}
            task = Sentence("In {match} nobody found the best orders here. What are they?", match=match.name)
            moral = Sentence("In {match} these orders were given: {played}", **values)
            return Puzzle(game, number, moment.state, seat, task, moral, str(best), match=match.name)
    return None


def _judge(reply: Reply, puzzle: Puzzle) -> None:
    game, table = puzzle.game, _table(puzzle)
    reading = _reading(puzzle, reply.case.words)
    orders = reading.orders
    values = {
        "match": table,
        "orders": "" if orders is None else str(orders),
        "best": puzzle.best,
        "short": 0,
        "of": puzzle.match,
    }
    if orders is None:
        ways = tuple(filter(None, (reading.proposal, *reading.readings)))
        mistakes = partial(reader.render_mistakes, reading.mistakes)
        section = Section("judged", {**values, "verdict": "unread", "mistakes": mistakes, "ways": ways})
        _send(reply, puzzle, section)
        return
    values |= {"words": partial(game.paraphrase, puzzle.view, puzzle.seat, orders), "moral": puzzle.moral}
    short = puzzle.short_by(orders, reader.parse_played(Standpoint(game, puzzle.state, puzzle.seat), puzzle.best))
    if short != 0:
        section = Section("judged", {**values, "verdict": "missed", "short": round(100 * (short or 0))})
        _send(reply, puzzle, section)
        return
    following = None if puzzle.match else _load(game, puzzle.number + 1)
    learned = puzzle.number == LESSONS and not puzzle.match
    last = {"learned": learned, "last": following is None and not puzzle.match, "name": game.name}
    _send(reply, following, Section("judged", {**values, "verdict": "solved", **last}))


def _reading(puzzle: Puzzle, letter: LetterText) -> Reading:
    """Return the reading of an answer to a puzzle. Lines that look like a signature are included if the whole text can
    then be read as orders; otherwise, they are left out."""
    standpoint = Standpoint(puzzle.game, puzzle.state, puzzle.seat)
    ways = (("\n".join((*letter.lines(), *letter.aside))), "\n".join(letter.lines()))
    first, second = (reader.read_orders(standpoint, LetterText(rest=text)) for text in ways)
    return second if first.orders is None else first


def _load(game: AnyGame, number: int) -> Puzzle | None:
    def read(state: Any, seat: Seat, text: str) -> Any:
        return reader.parse_played(Standpoint(game, state, seat), text)

    return load_puzzle(game, number, read)


def _has_room(reply: Reply) -> bool:
    """Return whether the writer may get another puzzle or verdict today. If not, tell the writer."""
    if SECTION in reply.apart or reply.case.facts.answered_today(SECTION) >= A_DAY:
        reply.once("enough puzzles", limit=A_DAY)
        return False
    return True


def _table(puzzle: Puzzle) -> Match:
    """Return a match without players in the position of a puzzle, because letters can only show the position of a
    match."""
    return Match(0, "", puzzle.game, puzzle.state, 1, {})


def _send(reply: Reply, puzzle: Puzzle | None, *judged: Section) -> None:
    """Send a puzzle, a verdict or both to the writer as a person, not to a seat of theirs, so that an answer never
    counts as orders in a match."""
    case, mark = reply.case, f"puzzle-{reply.case.mark}"
    sections = judged
    if puzzle is not None:
        mark = f"puzzle-{puzzle.match or puzzle.game.name}-{puzzle.number}-{case.mark}"
        sections = (*judged, _section(puzzle))
    reply.apart.append(SECTION)
    reply.done.append(Send("puzzle", mark, reply.person, sections, answers=case.message_id))


def _section(puzzle: Puzzle) -> Section:
    game, view = puzzle.game, puzzle.view
    values = {
        "match": _table(puzzle),
        "seat": puzzle.seat,
        "number": puzzle.number,
        "of": puzzle.match,
        "turn": round_name(game, puzzle.state, puzzle.number),
        "lessons": LESSONS,
        "task": puzzle.task,
        "stage": partial(game.phase, view),
        "summary": partial(game.summary, view),
        "holdings": partial(game.holdings, view, puzzle.seat),
        **board_of(game, view, None),
    }
    return Section(SECTION, values)
