"""Games by e-mail, adjudicated: a program that cron starts, and letters that people answer.

Here stands what all of it shares: errors that people meet, and sentences that can be said in their language.
"""

import json
from collections.abc import Callable, Hashable, Mapping
from typing import Any, Protocol, Self

__version__ = "0.1.0"


class PbemError(Exception):
    """What a person can be told: its text says what is wrong, where, and what to do.

    It never holds a secret, an address or a token: it may stand in a log or in a letter.
    """

    trouble = False
    """Whether machines are to blame, not what somebody wrote: commands end with another status then."""


class Sentence(str):
    """A sentence in English that still knows its template and the values in its gaps, so that it can be said in
    another language. A value may be a sentence of its own, or a tuple of them: a list with commas.
    """

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, **values: object) -> Self:
        self = super().__new__(cls, _filled(template, values, str))
        self.template, self.values = template, values
        return self

    def translated(self, look_up: Callable[[str], str], language: str = "") -> str:
        """The sentence from the templates of another language; `look_up` is what gettext does."""

        def say(value: object) -> str:
            return value.translated(look_up, language) if isinstance(value, Sentence) else str(value)

        return _filled(look_up(self.template), self.values, say)


def _filled(template: str, values: Mapping[str, object], say: Callable[[object], str]) -> str:
    texts = {
        name: ", ".join(map(say, value)) if isinstance(value, tuple) else say(value) for name, value in values.items()
    }
    return template.format_map(texts)


def dump_sentence(text: str) -> str:
    """A text for the store; a sentence keeps what it takes to say it in another language."""
    return json.dumps(_as_json(text), ensure_ascii=False) if isinstance(text, Sentence) else text


def load_sentence(text: str) -> str:
    """The inverse of `dump_sentence`; any other text is taken as it is."""
    try:
        data = json.loads(text) if text.startswith('["') else None
    except ValueError:
        data = None
    sentence = _from_json(data)
    return sentence if isinstance(sentence, Sentence) else text


def _as_json(value: object) -> Any:
    match value:
        case Sentence():
            return [value.template, {name: _as_json(item) for name, item in value.values.items()}]
        case tuple():
            return {"list": [_as_json(item) for item in value]}
    return value


def _from_json(data: Any) -> Any:
    match data:
        case [str(template), dict(values)]:
            return Sentence(template, **{str(name): _from_json(item) for name, item in values.items()})
        case {"list": list(several)}:
            return tuple(_from_json(item) for item in several)
    return data


class Say(Hashable, Protocol):
    """Says things in the language of a reader: looks a sentence up, then fills its gaps as `str.format` does. What no
    translation is known of is said in English, which is the sentence itself. `language` is its code (ISO 639-1)."""

    language: str

    def __call__(self, message: str, /, **values: object) -> str:
        """A sentence with gaps and the values that stand in them, or a `Sentence`, which has its own."""

    def many(self, singular: str, plural: str, number: int, /, **values: object) -> str:
        """The one of two sentences that fits a number, which is also the value `number`."""


class _English:
    language = "en"

    def __call__(self, message: str, /, **values: object) -> str:
        return str(message) if isinstance(message, Sentence) else message.format_map(values)

    def many(self, singular: str, plural: str, number: int, /, **values: object) -> str:
        return self(singular if number == 1 else plural, number=number, **values)


ENGLISH: Say = _English()
