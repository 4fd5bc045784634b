"""What game masters ask for in their own words. The answer shows the decision that they may mean, as a line to copy
with the right game or league in it; nothing is decided before such a line comes back.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import cache
from typing import NamedTuple

from pbem import PbemError, Sentence
from pbem.i18n.words import alternatives, fold, folded, words
from pbem.mail.addresses import ADDRESS
from pbem.match import gm_commands
from pbem.match.anonymous import sees_names, with_names
from pbem.match.extending import later_deadline
from pbem.match.lifecycle import refusal
from pbem.match.model import Match
from pbem.match.overview import Led
from pbem.match.reply import Reply
from pbem.match.sections import people, why
from pbem.orders.command import Decision, reason_in
from pbem.orders.intents import Intent, address_in, find_intent, is_known_word, is_of, spelt_in_latin
from pbem.times.dates import parse_when
from pbem.times.deadlines import deadline_at
from pbem.times.moments import DurationError, TimeError, format_duration, parse_duration

_ON_THE_CLOCK = {"time": "extend", "vacation": "extend", "pause": "pause", "resume": "resume"}
"""The decisions that intents may mean if the letter names a player of a game."""

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_PART = re.compile(r"\w+")
_UNTIL = re.compile(rf"\b{alternatives(word for kind in ('until', 'to', 'by') for word in folded(kind))}\s+")
_NAME = 2  # the maximum number of words of the name of a newcomer
_MOST = 5  # the maximum number of words of a moment: "Friday 20 October 8 pm"
_COUNTS = 6  # the largest number that has words


class LineToCopy(NamedTuple):
    """A decision as a line to copy: the name of its game or league, and the line, or "" and a sentence that explains
    why the decision cannot be made now."""

    name: str
    line: str
    why: str = ""


def offer_lines(reply: Reply) -> bool:
    """If the letter, which has no commands, seems to ask for a decision, show the lines that would make it; return
    whether there are any."""
    lines = lines_meant(reply)
    if lines:
        reply.tell("to_copy", lines=lines)
    return bool(lines)


def lines_meant(reply: Reply) -> tuple[LineToCopy, ...]:
    """Return the decisions that the letter of a game master may mean; () if the writer directs nothing, or if the
    letter asks for nothing that a game master decides."""
    case = reply.case
    if not case.directs or case.words.commands:
        return ()
    written = case.words.lines()
    matches = [_as_seen(match, case.address) for match in case.facts.master_of if not match.concerns(case.address)]
    leagues = [led for led in case.facts.led_leagues if led.name not in case.facts.joined]
    names = {name for match in matches for name, _ in people(match)} | {name for led in leagues for name in led.members}
    text = " ".join(written)
    plain_lines = [_unnamed(line, leagues) for line in written]
    newcomer = _newcomer(" ".join(plain_lines))
    intent = find_intent(plain_lines, names | {*newcomer.split()})
    found = tuple(_on_the_clock(reply, matches, intent, text))
    names_somebody = newcomer or any(_names(text, name) for name in names)
    if not found and intent and (intent.name == "enter" or (intent.name == "join" and names_somebody)):
        found = tuple(_entering(reply, leagues, text, newcomer))
    return found


def _unnamed(line: str, leagues: Sequence[Led]) -> str:
    """Return `line` without addresses, and with the word "league" in place of the names of leagues, because the model
    knows neither."""
    line = re.sub(rf"\s*<?{ADDRESS}>?", "", line)
    for led in leagues:
        line = re.sub(rf"(?<!\w){re.escape(led.name)}(?!\w)", "league", line, flags=re.I)
    return line


def _as_seen(match: Match, address: str) -> Match:
    """Return the match with the names of its players, if this game master is told them."""
    return with_names(match) if sees_names(match, address) else match


def _on_the_clock(reply: Reply, matches: Sequence[Match], intent: Intent | None, text: str) -> Iterator[LineToCopy]:
    """Yield decisions about the clocks of games whose players `text` names or, if the letter answers one about a game,
    of that game."""
    word = _ON_THE_CLOCK.get(intent.name, "") if intent else ""
    when = _span_in(text) or _moment_in(text, reply.now)
    if not word and (not when or (intent and intent.name != "press")):
        return
    about = [match for match in matches if reply.about and match.id == reply.about.id] or matches
    named = [match for match in about if any(_names(text, name) for name, _ in people(match))]
    for match in named or (about if reply.about else []):
        yield _about(reply, match, word or "extend", when, text)


def _about(reply: Reply, match: Match, word: str, when: str, text: str) -> LineToCopy:
    """Return the line that makes the decision `word` about a match. `when` is the time by which, or the day to which, a
    deadline is moved; "" if the letter names none."""
    argument = ""
    try:
        if no := gm_commands.why_not(reply, Decision(word, match.name, "", "")) or refusal(match, word):
            return LineToCopy(match.name, "", no)
        if word == "extend":
            moved = later_deadline(match, when, reply.now) if when else None
            argument = f" to {moved.wall:%Y-%m-%d %H:%M}" if moved and not _span_in(when) else f" {when or '2 days'}"
    except PbemError as error:
        return LineToCopy(match.name, "", why(error))
    return LineToCopy(match.name, f"{word} {match.name}{argument} because {reason_in(text) or '...'}")


def _entering(reply: Reply, leagues: Sequence[Led], text: str, newcomer: str) -> Iterator[LineToCopy]:
    """Yield the lines that let somebody into the leagues that `text` names or, if it names none, into any of `leagues`.
    `newcomer` is the name of somebody whom the desk may not know."""
    named = [led for led in leagues if re.search(rf"(?<!\w){re.escape(led.name)}(?!\w)", text, re.I)]
    for led in named or leagues:
        who = next((name for name in led.members if _names(text, name)), "") or newcomer
        word = "enter" if led.takes_late else "join"
        if who in led.playing:
            yield LineToCopy(led.name, "", Sentence("{name} is already in {league}.", name=who, league=led.name))
        elif not gm_commands.why_not(reply, Decision(word, "", f"{led.name} {who}", "")):
            because = f" because {reason_in(text) or '...'}" if led.takes_late else ""
            yield LineToCopy(led.name, f"{word} {led.name} {who or 'NAME'} <{address_in(text) or 'ADDRESS'}>{because}")


def _newcomer(text: str) -> str:
    """Return the name of somebody whom the desk may not know: the first capitalised words of `text` that are neither at
    its beginning nor known to the model of intents."""
    capitalised = (word for word in _WORD.finditer(text) if word.start() and word[0][:1].isupper())
    return " ".join([word[0] for word in capitalised if not is_known_word(word[0])][:_NAME])


def _names(text: str, name: str) -> bool:
    """Return whether `text` contains `name`, perhaps with the ending of a grammatical case or in other letters."""
    parts, sought = [fold(word) for word in _WORD.findall(text)], [fold(word) for word in _WORD.findall(name)]
    return bool(sought) and all(any(_is_form(part, one) for part in parts) for one in sought)


def _is_form(word: str, name: str) -> bool:
    """Return whether the folded `word` is a form of `name`. In other letters, an ending may take the place of the last
    vowel of a name: Dora is Доры in "for Dora"."""
    if word.isascii() or is_of(word, name):
        return is_of(word, name)
    spelt, stem = spelt_in_latin(word), name[:-1] if name.endswith(("a", "e", "y")) else name
    return is_of(spelt, name) or is_of(spelt, stem)


# Times in a line


def _span_in(text: str) -> str:
    """Return the length of time that `text` names, in English, such as `2 days` for "two more days"; "" if there is
    none. A single word may stand between the number and the unit."""
    parts = _PART.findall(fold(text))
    for at, part in enumerate(parts):
        number = part if part.isdecimal() else _numbers().get(part, "")
        for unit in parts[at + 1 : at + 3] if number else ():
            try:
                return format_duration(parse_duration(f"{number} {unit}"))
            except DurationError:
                continue
    return ""


@cache
def _numbers() -> dict[str, str]:
    numbers = map(str, range(1, _COUNTS + 1))
    return {fold(word): number for number in numbers for word in words("counts", number)}


def _moment_in(text: str, now: datetime) -> str:
    """Return the day or moment that `text` names behind a word such as "until", as written; "" if there is none."""
    plain_text = fold(text)
    for until in _UNTIL.finditer(plain_text):
        behind = plain_text[until.end() :].split()
        for size in range(min(_MOST, len(behind)), 0, -1):
            moment = " ".join(behind[:size]).strip(" ,.;!?()")
            try:
                parse_when(moment, now, "UTC", deadline_at(now, "UTC"))
            except TimeError:
                continue
            return moment
    return ""
