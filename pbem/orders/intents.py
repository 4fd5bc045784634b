"""Recognition of intents (what people want from the desk) and of details, such as addresses, in lines of ordinary
words.

An intent is the word of a command; the word of a command after `how`, if the writer asks how to use the command; or a
kind of question that the desk answers. A linear model over words and parts of words, like the one in `classifier.py`,
scores each intent. `tools/train_intents.py` learns the model from `tests/orders/corpus/intents.txt` and from the wishes
in `tests/orders/corpus/hands`; to teach it a new phrase, add a line to the former. Intents are only offered, so an
error costs the writer no more than a line to read.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

from pbem.games import GAMES
from pbem.i18n import words
from pbem.i18n.words import alternatives, fold
from pbem.mail.addresses import ADDRESS, find_addresses
from pbem.orders import classifier
from pbem.orders.ambiguity import is_courtesy
from pbem.orders.command import GAME, TURN, Command
from pbem.orders.commands import COMMANDS, row_of, rows_named
from pbem.orders.misspelt import corrected, nearest, nearest_word, neighbours
from pbem.orders.sentences import gives_up
from pbem.orders.situation import AnySituation
from pbem.resources import resource

FILE = "locale/intents.json"
NONE = "none"
"""The label of lines without an intent."""

LEAD, SURE = 0.08, 0.45
"""The minimum lead over the next intent's score with which an intent is offered, and the minimum lead with which it is
offered even beside orders or a guess at orders."""

STEP = 41
SIGNS = "".join(chr(code) for code in range(35, 127) if chr(code) != "\\")
ZERO = 45
"""The place in `SIGNS` of the character for a weight of zero.

In the model's file, two characters of `SIGNS` encode each weight of a feature. The place of the first character is the
number of the intent; the place of the second character, minus `ZERO`, is the weight.
"""

_MOST = 400  # the maximum number of characters of a line; the rest is ignored
_LINES = 12  # a letter with more lines than this has no intent
_STEM, _NAME = 5, 3  # all grammatical cases of the name of a day, or of a person, share this many letters
_LIKE = 0.8  # the minimum similarity of a misspelt stem to a known stem
_HEAD = 7  # the maximum number of words before a colon that can say whom a message is for
_AROUND = " \t.,;:!?"  # characters that may surround a single word
_CERTAIN = 1.0  # the lead of a misspelt command, and of a sentence that gives up the game
_TOKEN = re.compile(r"[^\W_]+(?:['-][^\W_]+)*|[?!:,]")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_SAYS = re.compile(r"[^\W\d_]{3}")
_MAIL = re.compile(rf"[(<]?{ADDRESS}[)>]?")
_CALLED = re.compile(r"^\W*([^\W\d_]{2,20}),")
_NEGATING = frozenset(map(fold, words.words("around", "negating")))
_LATIN = str.maketrans("абвгдезийклмнопрстуфхыэ", "abvgdezijklmnoprstufhye")


class IntentModel(NamedTuple):
    """The trained model.

    `names` are the intents, and `bias` contains the bias of each, in hundredths. `weights` maps each feature to its
    weights, which are keyed by the index of the intent in `names`; the unit of a weight is `STEP` hundredths. `negated`
    are the intents that a line with a "not" may have. `figures` counts how often models that were trained without a
    line offered the right intent for it, a wrong one, or none, separately for lines with an intent and for chat.
    """

    names: Sequence[str]
    bias: Sequence[int]
    weights: Mapping[str, Mapping[int, int]]
    negated: frozenset[str]
    figures: Mapping[str, Mapping[str, int]]


class Intent(NamedTuple):
    """The `name` of an intent, the `line` in which it was found, and its lead over the next intent. `command` is set if
    the line is that command except for one wrong letter."""

    name: str
    line: str
    lead: float
    command: Command | None = None

    @property
    def how(self) -> bool:
        """Whether the line asks how to do something, rather than asking for it to be done."""
        return self.name.startswith("how ")


def features(text: str) -> frozenset[str]:
    """Return the features of the line `text`: its short words, the beginnings of its long words, and pairs of
    neighbouring beginnings."""
    tokens = _TOKEN.findall(re.sub(r"\d+", "0", fold(text[:_MOST].replace("’", "'"))))
    stems = [word[:_STEM] for word in tokens]
    pairs = map(" ".join, zip(["^", *stems], [*stems, "$"], strict=True))
    long = [word for word in tokens if len(word) > _STEM - 1]
    parts = (*(word[: _STEM - 1] for word in long), *(f"{word[: _STEM + 1]}~" for word in long if len(word) > _STEM))
    return frozenset((*(f"={word}" for word in tokens if len(word) <= _STEM), *parts, *(f"+{pair}" for pair in pairs)))


def plain(text: str, people: Iterable[str] = (), at: AnySituation | None = None) -> str:
    """Return the line `text` with a placeholder for each address, person, language, place and day, and for each name
    that is used in the game, because an intent must not depend on which of them a line mentions.

    `people` are the names of known people; the names used in the game are those in the situation `at`.
    """
    text = _MAIL.sub(" mailaddress ", text)
    called = _CALLED.match(text)
    if called and fold(called[1]) not in classifier.read_model().frequent and not is_courtesy(called[1]):
        text = f"somebody{text[called.end(1) :]}"
    text = classifier.without_names(at, text) if at else text
    names = [fold(name) for name in people if name]
    return _WORD.sub(lambda word: _kind(word[0], names) or word[0], text)


def _kind(word: str, people: Sequence[str]) -> str:
    folded_word = fold(word)
    stem = folded_word[:_STEM] if len(folded_word) >= _STEM else folded_word
    if any(is_of(spelt_in_latin(folded_word), name) or is_of(folded_word, name) for name in people):
        return "somebody"
    if folded_word in _languages():
        return "somelanguage"
    if stem in _days():
        return "someday"
    return "someplace" if _zone_named(word) else ""


def spelt_in_latin(text: str) -> str:
    """Return the folded `text` with Latin letters in place of Cyrillic ones."""
    return text.translate(_LATIN)


def is_of(word: str, name: str) -> bool:
    """Return whether `word` is `name`, perhaps with the ending of a grammatical case."""
    return word == name or (len(name) >= _NAME and word.startswith(name) and len(word) <= len(name) + 2)


@cache
def _days() -> frozenset[str]:
    rows = (*words.folded_rows("weekdays"), *words.folded_rows("months"))
    return frozenset(name[:_STEM] for row in rows for name in row if len(name) > _NAME)


@cache
def _languages() -> Mapping[str, str]:
    return {fold(name): name for code in words.codes() for name in words.words("languages", code)}


@cache
def _places() -> Mapping[str, str]:
    """Return a mapping from folded names of places to their time zones."""
    from zoneinfo import available_timezones

    cities = ((fold(key.rpartition("/")[2].replace("_", " ")), key) for key in sorted(available_timezones()))
    zones = {city: key for city, key in cities if "/" in key and not key.startswith("Etc/")}
    return {**zones, **{name: key for key, names in words.zones().items() for name in names}}


def _zone_named(word: str) -> str:
    """Return the time zone of the place that `word` names, perhaps with the ending of a grammatical case; "" if `word`
    is not the name of a place."""
    if not word[:1].isupper() or len(word) < _NAME:
        return ""
    folded_word, places = fold(word), _places()
    zones = [
        places.get(folded_word[: len(folded_word) - cut], "") for cut in range(3) if cut < len(folded_word) - _NAME
    ]
    return next(filter(None, zones), "")


def scores(model: IntentModel, text: str) -> list[tuple[float, str]]:
    """Return the score and the name of each intent for `text`, a line in the form that `plain` returns, with the
    highest score first."""
    line_features = features(text)
    total = [0] * len(model.names)
    for feature in line_features:
        for at, weight in model.weights.get(feature, {}).items():
            total[at] += weight
    size = 100 * sqrt(len(line_features) or 1) / STEP
    negated = not _NEGATING.isdisjoint(fold(text.replace("'", "").replace("’", "")).split())
    every = zip(total, model.bias, model.names, strict=True)
    scored = ((some / size + bias / 100, name) for some, bias, name in every)
    return sorted((score for score in scored if not negated or score[1] in (NONE, *model.negated)), reverse=True)


def intent_of(
    line: str,
    people: Iterable[str] = (),
    at: AnySituation | None = None,
    way: Callable[[str], str] = str,
) -> Intent:
    """Return the likeliest intent of `line`: the one with the greatest lead among the intents of the whole line and of
    each sentence. The function `way` rewrites each of these texts before it is scored."""
    intents = []
    for sentence in dict.fromkeys((line, *classifier.sentences(line))):
        (first, name), (second, _), *_ = scores(read_model(), way(plain(sentence, people, at)))
        intents.append(Intent(name, line, first - second))
    wanted = [intent for intent in intents if intent.name != NONE]
    return max(wanted or intents, key=lambda intent: intent.lead)


def find_intent(
    lines: Sequence[str], people: Iterable[str] = (), at: AnySituation | None = None, least: float = LEAD
) -> Intent | None:
    """Return the intent of a letter without orders, given its lines; None if no intent has a lead of at least `least`.

    Greetings and thanks are ignored. A misspelt command comes first, and a line without a known word has no intent.
    """
    telling = [line for line in lines if _SAYS.search(line) and not is_courtesy(line)]
    if not 0 < len(telling) <= _LINES:
        return None
    people = (*people,)
    if given_up := next(filter(gives_up, telling), ""):  # other lines may be for other players, but the writer is asked
        return Intent("resign", given_up.strip(), _CERTAIN)
    if misspelt := _misspelt(telling, people, at):
        return misspelt
    telling = [line for line in telling if _has_known_word(line)]
    if len(telling) == 1 and neighbours(telling[0].strip(_AROUND)):
        return None  # a single word that several commands resemble, or a command's word that is not complete
    for way in (str, _mended) if telling else ():
        intents = [intent_of(line.strip(), people, at, way) for line in telling]
        best = max(intents, key=lambda intent: (intent.name != NONE, intent.lead))
        if best.name != NONE and best.lead >= least:
            return best
    return None


def _misspelt(lines: Sequence[str], people: Iterable[str], at: AnySituation | None) -> Intent | None:
    """Return the intent of the first line that would be a command if one letter of its first word were different; None
    if there is no such line.

    Names do not count as misspelt: names used in the game, names of people and, at the end of a letter, the name of its
    writer.
    """
    names = [fold(name) for name in people if name]
    for line in lines:
        first, *behind = line.split()
        signs = len(lines) > 1 and line == lines[-1] and not behind and first[:1].isupper()
        if signs or _kind(first.strip(_AROUND), names) or (at is not None and at.names_within(line)):
            continue
        if command := corrected(line):
            return Intent(row_of(command).word, line.strip(), _CERTAIN, command)
        rows = () if behind else rows_named(nearest_word(first.strip(_AROUND)))
        if rows and rows[0] in COMMANDS:
            return Intent(f"how {rows[0].word}", line.strip(), _CERTAIN)
    return None


def _has_known_word(line: str) -> bool:
    """Return whether `line` contains a word that the model knows, or a word that differs from the word of a command by
    a single slip."""
    return any(is_known_word(token) or nearest(fold(token)) for token in _WORD.findall(line))


def is_known_word(word: str) -> bool:
    """Return whether the model knows `word`, or the beginning of it."""
    folded_word = fold(word)
    return folded_word[:_STEM] in _stems() or f"={folded_word}" in read_model().weights


def _mended(text: str) -> str:
    """Return the plain line `text` with the most similar known word in place of each misspelt word."""
    return _WORD.sub(lambda word: _slip_of(word[0]), text)


def _slip_of(word: str) -> str:
    stem = fold(word)[:_STEM]
    if len(word) < _STEM or stem in _stems() or stem.startswith("some"):
        return word
    return nearest_word(word) or _most_similar(stem) or word


@lru_cache(maxsize=4096)
def _most_similar(stem: str) -> str:
    """Return the stem known to the model that is most similar to the unknown `stem`; "" if no stem is similar
    enough."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(stem, _stems(), 1, cutoff=_LIKE)), "")


@cache
def _stems() -> frozenset[str]:
    """Return the beginnings of long words that the model knows."""
    stems = (stem for weight in read_model().weights if weight.startswith("+") for stem in weight[1:].split())
    return frozenset(stem for stem in stems if len(stem) == _STEM)


@cache
def read_model() -> IntentModel:
    """Return the trained model from `FILE`, which is read only once."""
    table = json.loads(resource(FILE).read_text(encoding="utf-8"))
    weights = {
        feature: {
            SIGNS.index(sign): SIGNS.index(weight) - ZERO for sign, weight in zip(some[::2], some[1::2], strict=True)
        }
        for feature, some in table["weights"].items()
    }
    return IntentModel(table["names"], table["bias"], weights, frozenset(table["negated"]), table["figures"])


# Details in a line


def address_in(line: str) -> str:
    """Return the first mail address in `line`; "" if there is no address."""
    return next(iter(find_addresses(line)), "")


def language_in(line: str) -> str:
    """Return the language that `line` names; "" if it names no language."""
    names = re.compile(rf"(?<!\w){alternatives(_languages())}(?!\w)").search(fold(line))
    if names:
        return next((word for word in _WORD.findall(line) if fold(word) == names[0]), _languages()[names[0]])
    stems = {name[: _STEM + 1]: called for name, called in _languages().items() if len(name) > _STEM}
    return next((stems[word[: _STEM + 1]] for word in _WORD.findall(fold(line)) if word[: _STEM + 1] in stems), "")


def zone_in(line: str) -> str:
    """Return the IANA time zone of the place or zone that `line` names; "" if it names neither."""
    if named := re.compile(r"\b[A-Z]\w+/[A-Z]\w+|\bUTC\b").search(line):
        return named[0]
    words = _WORD.findall(line)
    pairs = map(" ".join, pairwise(words))
    return next(filter(None, map(_zone_named, (*pairs, *words))), "")


def turn_in(line: str) -> str:
    """Return the number or the name of the turn that `line` names, as written, such as `2` in "the report of turn 2";
    "" if it names no turn."""
    named = _turn_named().search(line)
    return next(filter(None, named.groups()), "") if named else ""


@cache
def _turn_named() -> re.Pattern[str]:
    turn = alternatives(words.words("around", "turn_number"))
    return re.compile(
        rf"(?i:\b{turn} ({TURN})\b|\b(\d{{1,6}})(?:\.|-?[^\W\d]{{1,2}})? {turn}\b)|\b([A-Z]\d{{1,3}}(?:\.\w+)*)\b"
    )


def match_in(line: str) -> str:
    """Return the name of the match that `line` names, such as `oz-17`; "" if it names no match."""
    named = re.compile(rf"(?<!\S){GAME}\b", re.I).search(line)
    return named[0] if named else ""


def game_in(line: str) -> str:
    """Return the short name of the game that `line` names by its name or title; "" if it names no game."""
    plain_line = line.casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    names = ((name, called.casefold()) for name, game in GAMES.items() for called in (name, game.title))
    return next((name for name, called in names if re.search(rf"(?<!\w){re.escape(called)}(?!\w)", plain_line)), "")


def message_in(line: str) -> str:
    """Return the message in `line`: the text after a colon if only a few words come before the colon, otherwise the
    whole line."""
    head, colon, text = line.partition(":")
    return text.strip() if colon and text.strip() and len(head.split()) <= _HEAD else line
