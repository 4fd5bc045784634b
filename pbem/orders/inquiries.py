"""Questions in a letter that the program can answer: `Can I move 3 M to S?`, `who holds Mu?`, `what did he do last
turn?`

The wordings are data. `locale/<language>/questions.toml` contains the wordings of questions about any game; the table
`questions` in a game's `words/` contains those of questions about that game. A wording is a regular expression in which
each `...` stands for words of the writer's choice. These words must make sense as orders or as a name; otherwise the
sentence is a remark like any other.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import NamedTuple

from pbem.games.base import AnyGame, Seat
from pbem.games.capabilities import AnswersQuestions
from pbem.games.spelling import caseless
from pbem.games.words import words_in
from pbem.i18n import words
from pbem.i18n.languages import say_in
from pbem.i18n.words import alternatives
from pbem.orders import ambiguity
from pbem.orders.classifier import sentences
from pbem.orders.command import Inquiry, LetterText
from pbem.orders.lines import Reading
from pbem.orders.situation import AnyStandpoint
from pbem.resources import read_toml, resource

MOST = 10
"""The maximum number of questions that are answered for one letter."""

_MOST_JOINTS = 4  # the maximum number of places in a sentence that are tried as the joint of two questions
_MAX = 300  # the maximum number of characters in a question
_TRIES = 300  # the maximum number of lines and sentences of a letter that are tried
_READ, _EACH = 20_000, 100  # the maximum number of characters read as orders; each text counts as at least `_EACH`
UNKNOWN = "unknown"
"""The kind of a question about something that does not exist."""

_CODE = 3  # the maximum number of letters in a code
_ABOUT_ORDERS = ("may", "what if")
_ABOUT_RULES = ("rules", "allowed", "writing")
_MEANS = "means"  # asks for the meaning of a word in the rules; games may define this kind
_ABOUT = "about"  # asks anything about the things that it names; games may define this kind, which is tried last
_HARMLESS = (_MEANS, "card", "spell", _ABOUT)  # asking what a thing is casts no doubt on orders
_FREE = ("last turn",)  # kinds of questions in which any name may replace the `...`
_TWO = 2  # the number of seats in a game in which "he" is the other player, and the number of names in a move
_WHO = 3  # the maximum number of words in a name
_WORD = re.compile(r"[^\W_]+")
_APART = r"(?:(?<!\w)|(?!\w))"  # not inside a word
_EDGE = " \t-–—*•>\"'“”„«»()_,;:"

Read = Callable[[AnyStandpoint, str], Reading]
"""A function that reads the orders in a text from the standpoint of a seat."""


class _Wording(NamedTuple):
    """A kind of question and one way to phrase it, as a regular expression that may contain `...`. If `begins` is not
    empty, a sentence must begin with one of its words to match `pattern`."""

    kind: str
    pattern: str
    begins: tuple[str, ...]


def _wordings_in(tables: Iterable[tuple[str, Sequence[str]]]) -> tuple[_Wording, ...]:
    return tuple(
        _Wording(kind, pattern, tuple(_begins(pattern) or ()))
        for kind, patterns in tables
        for pattern in map(_plain, patterns)
    )


def _matches(wordings: Iterable[_Wording], sentence: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield, for each of the `wordings` that `sentence` matches, the kind of question and the texts in place of each
    `...` in the wording."""
    small = sentence.lower()
    plain = small if len(small) == len(sentence) else sentence
    for wording in wordings:
        if wording.begins and not plain.startswith(wording.begins):
            continue
        if hit := _finds(wording.pattern).fullmatch(plain):
            groups = range(1, hit.re.groups + 1)
            yield wording.kind, tuple(sentence[slice(*hit.span(at))] for at in groups if hit[at])


class _InquiryAt(NamedTuple):
    """An inquiry with its start and end in the line."""

    start: int
    end: int
    inquiry: Inquiry


@cache
def _table(name: str) -> Mapping[str, tuple[str, ...]]:
    """Return the table called `name` in `questions.toml`, merged from all languages."""
    table: dict[str, tuple[str, ...]] = {}
    for code in words.codes():
        for kind, patterns in read_toml(resource("locale") / code / "questions.toml").get(name, {}).items():
            table[kind] = (*table.get(kind, ()), *map(_plain, patterns))
    return table


def _plain(text: str) -> str:
    """Return `text` with one form of each character that has variants: a plain apostrophe, "е" for "ё", and "ss" for
    "ß"."""
    return text.replace("’", "'").replace("ё", "е").replace("ß", "ss")


def _any(texts: Sequence[str]) -> str:
    return rf"(?:{'|'.join(texts)})" if texts else r"(?!)"


@cache
def _finds(pattern: str) -> re.Pattern[str]:
    """Compile the wording `pattern` into a regular expression that matches a whole sentence in lower case and without
    courtesies."""
    head, *tail = (part.strip() for part in re.sub(r"\((?!\?)", "(?:", pattern).split("..."))
    for part in tail:
        head += rf"{_APART if head else ''}[ ,:]*([^?]+?)[ ,]*{_APART}{part}"
    return re.compile(head)


def _begins(pattern: str) -> frozenset[str] | None:
    """Return the words with which a sentence that matches `pattern` can begin; None if any word is possible."""
    if pattern.startswith("("):
        depth = [(char == "(") - (char == ")") for char in pattern]
        end = next(at for at in range(1, len(pattern)) if not sum(depth[: at + 1]))
        rest = pattern[end + 1 :]
        beginnings = [_begins(choice) for choice in _choices(pattern[1:end])]
        if rest.startswith("?"):
            beginnings.append(_begins(rest[1:].lstrip()))
        return None if None in beginnings else frozenset[str]().union(*filter(None, beginnings))
    word = _WORD.match(pattern)
    return frozenset((word[0],)) if word and not pattern.startswith("?", word.end()) else None


def _choices(pattern: str) -> Iterator[str]:
    """Yield the alternatives of a group in a regular expression, given the text inside its parentheses as `pattern`.
    Bars inside inner groups do not separate alternatives."""
    begun = depth = 0
    for at, char in enumerate(pattern):
        depth += (char == "(") - (char == ")")
        if char == "|" and not depth:
            yield pattern[begun:at].lstrip()
            begun = at + 1
    yield pattern[begun:].lstrip()


@cache
def _courtesies() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns for the courtesies before and after a question."""
    before, after = (_any(_table("around")[where]) for where in ("before", "after"))
    return re.compile(rf"(?:{before}[ ,:;.!–—-]+)+", re.I), re.compile(rf"(?:[ ,]+{after})+$", re.I)


@cache
def _wordings(game: AnyGame) -> tuple[_Wording, ...]:
    own = words_in(game.grammar.parent, "questions") if isinstance(game, AnswersQuestions) else {}
    last = ((_ABOUT, own.get(_ABOUT, ())),)
    return _wordings_in((*((kind, own[kind]) for kind in own if kind != _ABOUT), *_table("questions").items(), *last))


@cache
def _topics() -> re.Pattern[str]:
    """Return a pattern for the beginnings of words that mark a question about the rules."""
    return re.compile(rf"(?<!\w){alternatives(_table('topics')['words'])}", re.I)


@cache
def _openings() -> tuple[_Wording, ...]:
    """Return the wordings of questions that refer to orders on other lines, below or above the question."""
    return _wordings_in(_table("openings").items())


@cache
def _beginnings(game: AnyGame) -> frozenset[str]:
    """Return the words that can begin a question about a game."""
    tables = (_table("questions"), _table("openings"), words_in(game.grammar.parent, "questions"))
    patterns = {_plain(pattern) for table in tables for group in table.values() for pattern in group}
    return frozenset(word for pattern in patterns for word in _begins(pattern) or ())


@cache
def _joints(game: AnyGame) -> re.Pattern[str]:
    """Return a pattern for an "and" followed by the beginning of a question."""
    return re.compile(rf"[ ,]+{_any(_table('around')['and'])} +(?={alternatives(_beginnings(game))}(?!\w))", re.I)


def may_ask(game: AnyGame, text: str) -> bool:
    """Return whether `text` may contain a question about `game`. The check is quick but not exact."""
    return "?" in text or not _beginnings(game).isdisjoint(re.findall(r"\w+", _plain(text).lower()))


def take(standpoint: AnyStandpoint, letter: LetterText, read: Read) -> tuple[LetterText, tuple[Inquiry, ...]]:
    """Take the questions out of `letter`; return the letter with blanks in their place, and the questions."""
    if not may_ask(standpoint.game, letter.rest):
        return letter, ()
    finder = _Finder(standpoint, letter.people, read)
    lines = letter.rest.split("\n")
    inquiries = finder.over_lines(lines)
    for number, line in enumerate(lines):
        for place in finder.within(line) if len(inquiries) < MOST and may_ask(standpoint.game, line) else ():
            lines[number] = lines[number][: place.start] + " " * (place.end - place.start) + lines[number][place.end :]
            inquiries.append(place.inquiry)
    return (letter._replace(rest="\n".join(lines)), tuple(dict.fromkeys(inquiries))) if inquiries else (letter, ())


def puts_in_doubt(inquiry: Inquiry, orders: str) -> bool:
    """Return whether a question puts the `orders` beside it in doubt.

    It does if it contains orders itself, or names something that `orders` name. A question about the rules in general
    does not.
    """
    if inquiry.kind in _HARMLESS:
        return False
    phrases = re.findall(r"[^\W_]+(?:[ '’-][^\W_]+)*|[^\W_]+", orders)
    names = {name.casefold() for text in phrases for name in (text, *re.split("[ -]", text))}
    return inquiry.kind in _ABOUT_ORDERS or any(name.casefold() in names for name in inquiry.names)


def paragraph(game: AnyGame, text: str) -> tuple[int, ...]:
    """Return the number that the game's help gives to the paragraph of the rules that the question `text` is about. The
    result is empty if `text` contains no words of any paragraph."""
    plain_text = _plain(text.casefold())
    table: Mapping[str, Sequence[str]] = words_in(game.grammar.parent, "rules")
    numbers = (int(number) for number, begin in table.items() if _begin(tuple(begin)).search(plain_text))
    return (*islice(numbers, 1),)


@cache
def _begin(beginnings: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern for words that start with one of the `beginnings`."""
    return re.compile(rf"(?<!\w){alternatives(map(_plain, beginnings))}")


class _Finder:
    """A finder of the questions in a seat's letter. Its budget limits how much text of the letter it reads."""

    def __init__(self, standpoint: AnyStandpoint, people: tuple[tuple[str, Seat], ...], read: Read) -> None:
        self.standpoint, self._read = standpoint, read
        self.seats = seats_by_name(standpoint, people)
        self._tries, self._budget = _TRIES, _READ

    def read(self, seat: Seat, text: str) -> Reading:
        """Read the orders in `text` from the standpoint of `seat`. Once the letter's budget is used up, return a
        reading without orders."""
        self._budget -= max(len(text), _EACH)
        return self._read(self.standpoint.standpoint(seat), text) if self._budget > 0 else Reading()

    def _may_ask(self, text: str) -> bool:
        """Return whether `text` may be a question. Once the letter's budget is used up, the result is always False."""
        if len(text) > _MAX or min(self._tries, self._budget) <= 0 or not may_ask(self.standpoint.game, text):
            return False
        self._tries -= 1
        return True

    def over_lines(self, lines: list[str]) -> list[Inquiry]:
        """Find a question about orders on other lines, such as `What happens if I play this?`; return a list with the
        question, or an empty list.

        The question and the orders are replaced by blanks in `lines`.
        """
        for number, line in enumerate(lines):
            if not line or not self._may_ask(line):
                continue
            for kind in dict.fromkeys(kind for way in _ways(line) for kind, _ in _matches(_openings(), way)):
                at = [*_paragraph(lines, number + 1, 1)] or [*_paragraph(lines, number - 1, -1)][::-1]
                text = "\n".join(lines[row] for row in at)
                if text.strip() and (inquiry := self._about_orders(kind, text, line.strip())):
                    lone = (row for row, line in enumerate(lines) if line.strip(" ") in ("?", "??"))
                    for row in (number, *at, *lone):
                        lines[row] = " " * len(lines[row])
                    return [inquiry]
        return []

    def within(self, line: str) -> Iterator[_InquiryAt]:
        """Yield the questions in `line`. The whole line or each of its sentences may be a question, or two questions
        joined by an "and"."""
        if whole := [*self._joined(line)]:
            yield from (_InquiryAt(0, len(line), inquiry) for inquiry in whole)
            return
        at, parts = 0, list(sentences(line))
        for sentence in parts if len(parts) > 1 else ():
            at = line.index(sentence, at)
            for inquiry in self._joined(sentence):
                yield _InquiryAt(at, at + len(sentence), inquiry)
            at += len(sentence)

    def _joined(self, sentence: str) -> Iterator[Inquiry]:
        """Yield the question in `sentence`, or two questions if an "and" joins them."""
        joints = _joints(self.standpoint.game).finditer(sentence) if may_ask(self.standpoint.game, sentence) else ()
        for joint in islice(joints, _MOST_JOINTS):
            first, second = self._question(sentence[: joint.start()]), self._question(sentence[joint.end() :])
            if first and second:
                yield from (first, second)
                return
        if (inquiry := self._question(sentence)) is not None:
            yield inquiry

    def _question(self, sentence: str) -> Inquiry | None:
        if not self._may_ask(sentence):
            return None
        wordings = _wordings(self.standpoint.game)
        matches = (found for way in _ways(sentence) for found in _matches(wordings, way))
        inquiries = (self._inquiry(kind, gaps, sentence.strip()) for kind, gaps in matches)
        return next(filter(None, inquiries), None)

    def _inquiry(self, kind: str, gaps: Sequence[str], text: str) -> Inquiry | None:
        """Return the question `text` as an inquiry of the given kind; None if `gaps` make no sense. These are the texts
        that the question contains in place of each `...` in its wording."""
        _, after = _courtesies()
        filled = tuple(after.sub("", gap).strip(_EDGE).removesuffix("'s") for gap in gaps if gap)
        if kind in _ABOUT_ORDERS:
            return self._about_orders(kind, filled[0], text) if filled and not self._orders(text) else None
        if kind in (*_ABOUT_RULES, _MEANS):
            plain = ("?" in text or kind != "allowed") and not any(map(str.isdigit, text))
            topic = " ".join(filled)
            can_answer = (
                plain and (_topics().search(topic) or paragraph(self.standpoint.game, topic)) and not self._orders(text)
            )
            return Inquiry(kind, text=text) if can_answer else None
        if kind in _table("questions"):
            who = filled[0] if filled else ""
            asked_seats = self.seats.get(caseless(who), () if who else self.seats[""])
            if filled and not asked_seats and (kind not in _FREE or len(who.split()) > _WHO):
                return None
            return Inquiry(kind, asked_seats, text=text)
        game = self.standpoint.game
        assert isinstance(game, AnswersQuestions)
        seats = (self.seats.get(caseless(gap), ()) for gap in filled)
        meant = tuple(owners[0] if len(owners) == 1 else gap for gap, owners in zip(filled, seats, strict=True))
        names = game.asked_about(self.standpoint.state, kind, meant)
        if names is None and (codes := tuple(gap for gap in filled if self._is_unknown(gap))):
            return Inquiry(UNKNOWN, codes, text=text)
        return None if names is None else Inquiry(kind, names, text=text)

    def _is_unknown(self, gap: str) -> bool:
        """Return whether `gap` looks like a code but nothing in the game has that code."""
        return len(gap) <= _CODE and gap.isupper() and not self.standpoint.names_within(gap)

    def _orders(self, text: str) -> bool:
        """Return whether `text`, which begins like a question, is in fact orders, such as "MAY and SOU move to M4"."""
        if "?" in text:
            return False
        named = text[:1].isupper() and bool(self.standpoint.names_within(text.split(maxsplit=1)[0]))
        return (
            named or self.read(self.standpoint.seat, text).orders is not None or self._budget <= 0
        )  # with the budget used up, nothing is certain

    def _about_orders(self, kind: str, gap: str, text: str) -> Inquiry | None:
        """Return the question `text` as an inquiry about the orders in `gap`, separately for each seat; None if `gap`
        does not contain orders.

        If `gap` contains an unknown name, the inquiry is about that name or about the rules.
        """
        orders = []
        for seats, part in by_seat(self.standpoint.seat, self.seats, gap):
            if len(seats) != 1 or (seats[0] != self.standpoint.seat and self.standpoint.game.hides):
                return None
            part = _played().sub("", part)  # noqa: PLW2901 - removes only the verb
            ways = dict.fromkeys((part, _in_usual_forms(self.standpoint.game, part)))
            meant = next((way for way in ways if self._are_orders(seats[0], way)), "")
            part = part if meant else self._with_each(seats[0], part)  # noqa: PLW2901 - spells out each order
            sure = "?" in text or not ambiguity.is_hard(text)  # "Может быть, ..." may be "maybe"
            if sure and not meant and (unknown := self._unknown_in(seats[0], part)):
                rule = "?" in text and not self._named(part) and paragraph(self.standpoint.game, text)
                return Inquiry("allowed", text=text) if rule else Inquiry(UNKNOWN, (unknown,), text=text)
            supposed = kind == "what if" and len(self._named(part)) >= _TWO
            if not meant and not supposed and not self._means_orders(seats[0], part):
                return None
            orders.append((seats[0], meant or part))
        return Inquiry(kind, orders=tuple(orders), text=text) if orders else None

    def _are_orders(self, seat: Seat, text: str) -> bool:
        """Return whether `text` consists of legal orders for `seat` in which every name is used."""
        reading = self.read(seat, text)
        return reading.orders is not None and not self._named(text) - self._named(str(reading.orders))

    def _named(self, text: str) -> frozenset[str]:
        return frozenset(map(str.casefold, self.standpoint.names_within(text)))

    def _with_each(self, seat: Seat, part: str) -> str:
        """Return orders for several things, such as `bomb HC and VC`, with the verb repeated before each thing. Return
        other orders unchanged."""
        begin, *others = _ands().split(part)
        verb, _, first = begin.partition(" ")
        if not others or self._named(verb) or not all(map(self._named, (first, *others))):
            return part
        spelled = ", ".join(f"{verb} {thing}" for thing in (first, *others))
        reading = self.read(seat, spelled)
        return (
            spelled
            if reading.orders is not None or (reading.mistakes and not self._unknown_in(seat, spelled))
            else part
        )

    def _unknown_in(self, seat: Seat, part: str) -> str:
        """Return the unknown name in `part`, which is not legal orders; "" if there is no unknown name, or if nothing
        else shows what `part` is about."""
        for mistake in self.read(seat, part).mistakes:
            marked = mistake.text[mistake.column :][: mistake.width].strip()
            is_part = mistake.width < len(mistake.text.strip()) and not any(map(str.isdigit, marked))
            if is_part and _WORD.search(marked) and not self._named(marked):
                return marked if " " in marked or self._named(part) or paragraph(self.standpoint.game, part) else ""
        return ""

    def _means_orders(self, seat: Seat, part: str) -> bool:
        """Return whether `part`, which is not legal orders, is meant as orders and names something that exists."""
        reading = self.read(seat, part)
        named = reading.proposal or self.standpoint.names_within(part)
        is_clear = not reading.everyday or all(doubt.turn == "unread" for doubt in reading.doubts)
        return bool(reading.readings or (reading.proposal and is_clear) or (reading.mistakes and named))


def by_seat(seat: Seat, seats: Mapping[str, tuple[Seat, ...]], text: str) -> Iterator[tuple[tuple[Seat, ...], str]]:
    """Yield the parts of `text`, each with the seats that it is about, as in `I 3 A to M and Blue 2 S to M`. The keys
    of `seats` are the names to look for; text before the first name is about `seat`."""
    begin = rf"(?:^|[,;]|\b(?:{'|'.join(_table('around')['and'])})\b)[ ,]*"
    named = _any([re.escape(name) for name in sorted(filter(None, seats), key=len, reverse=True)])
    marks = [*re.compile(rf"{begin}({named})(?![\w'])[ ,]*", re.I).finditer(text)]
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    if not marks or marks[0].start() > 0:
        yield (seat,), text[: marks[0].start()] if marks else text
    for mark, end in zip(marks, ends, strict=True) if marks else ():
        yield seats[caseless(mark[1])], text[mark.end() : end].strip(_EDGE)


@cache
def _played() -> re.Pattern[str]:
    """Return a pattern for a word such as `play` before the orders of a side."""
    return re.compile(rf"^{alternatives(_table('around')['play'])} (?=\W*\w)", re.I)


@cache
def _ands() -> re.Pattern[str]:
    return re.compile(rf"\s+{_any(_table('around')['and'])}\s+", re.I)


def _in_usual_forms(game: AnyGame, text: str) -> str:
    """Return `text` with its verbs in the forms that orders use, such as `move` for `moves`."""
    forms: Mapping[str, str] = words_in(game.grammar.parent, "forms")
    return " ".join(re.sub(r"[^\W\d_]+", lambda word: forms.get(caseless(word[0]), word[0]), text).split())


def _ways(sentence: str) -> Iterable[str]:
    """Return `sentence` in up to three forms: with all its courtesies, without the courtesies before the question, and
    without those on both sides."""
    before, after = _courtesies()
    text = _plain(" ".join(sentence.strip().strip(_EDGE).split())).rstrip(" ?!.…:")
    begun = text[courtesy.end() :] if (courtesy := before.match(text)) else text
    return dict.fromkeys((text, begun, after.sub("", begun)))


def _paragraph(lines: Sequence[str], at: int, step: int) -> Iterator[int]:
    """Yield the numbers of the lines of the first paragraph from line `at` downwards (`step` 1) or upwards (`step`
    -1)."""
    begun = False
    while 0 <= at < len(lines):
        if lines[at].strip(" ?"):
            begun = True
            yield at
        elif begun and not lines[at].strip():
            return
        at += step


@cache
def seats_called(game: AnyGame) -> Mapping[str, Seat]:
    """Return a mapping from the names of the seats of `game`, in all languages, to these seats."""
    every = {str(say_in(code)(name)): seat for code in words.files() for seat, name in game.called.items()}
    sides: Mapping[str, Sequence[str]] = words_in(game.grammar.parent, "sides")
    every |= {name: seat for seat, names in sides.items() for name in names}
    return {_plain(name.casefold()): seat for name, seat in every.items()}


def seats_by_name(standpoint: AnyStandpoint, people: tuple[tuple[str, Seat], ...]) -> dict[str, tuple[Seat, ...]]:
    """Return a mapping from words to the seats that they can mean: the writer's own seat, all other seats, or the seats
    that the word names. The key "" stands for no seat in particular."""
    game, seat = standpoint.game, standpoint.seat
    others = tuple(dict.fromkeys(other_seat for _, other_seat in people if other_seat != seat))
    if not people and len(game.called) == _TWO:
        others = tuple(other_seat for other_seat in game.called if other_seat != seat)
    around = _table("around")
    named: dict[str, tuple[Seat, ...]] = {
        name: (owner,) for name, owner in seats_called(game).items() if not people or owner in (seat, *others)
    }
    for name, owner in people:
        key = _plain(name.casefold())
        named[key] = tuple(dict.fromkeys((*(named.get(key, ()) if name else ()), owner)))
    named |= dict.fromkeys(around["me"], (seat,)) | dict.fromkeys(around["others"], others)
    return {**named, "": ()}
