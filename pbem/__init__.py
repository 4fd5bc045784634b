"""Games by e-mail, adjudicated: a program that cron starts, and letters that people answer.

This module contains what all others share: errors that people see, and sentences that can be translated.
"""

import json
from collections.abc import Callable, Hashable, Mapping
from typing import Any, Protocol, Self

__version__ = "0.1.0"


class PbemError(Exception):
    """An error that a person may see. Its text says what is wrong, where, and what to do.

    It never contains a secret, an address or a token, because it may get into a log or a letter.
    """

    trouble = False
    """Whether a machine failed, rather than somebody's input being wrong. The exit status of commands depends on
    this."""


class Sentence(str):
    """An English sentence that keeps its template and the values in its gaps, so that it can be translated.

    A value may itself be a sentence, or a tuple of sentences, which becomes a list with commas.
    """

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, **values: object) -> Self:
        self = super().__new__(cls, _filled(template, values, str))
        self.template, self.values = template, values
        return self

    def translated(self, look_up: Callable[[str], str], language: str = "") -> str:
        """Translate the sentence. `look_up` returns the translation of a template, like gettext."""

        def say(value: object) -> str:
            return value.translated(look_up, language) if isinstance(value, Sentence) else str(value)

        return _filled(look_up(self.template), self.values, say)


def _filled(template: str, values: Mapping[str, object], say: Callable[[object], str]) -> str:
    texts = {
        name: ", ".join(map(say, value)) if isinstance(value, tuple) else say(value) for name, value in values.items()
    }
    return template.format_map(texts)


def dump_sentence(text: str) -> str:
    """Encode a text for the store; for a sentence, keep everything that is needed to translate it."""
    return json.dumps(_as_json(text), ensure_ascii=False) if isinstance(text, Sentence) else text


def load_sentence(text: str) -> str:
    """Decode what `dump_sentence` returned; any other text is returned unchanged."""
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
    """A translator into a reader's language: it looks a sentence up, then fills its gaps like `str.format`.

    A sentence without a translation stays in English, the language in which it is written. `language` is an ISO 639-1
    code.
    """

    language: str

    def __call__(self, message: str, /, **values: object) -> str:
        """Return a sentence with its gaps filled by the values; a `Sentence` brings its own values."""

    def many(self, singular: str, plural: str, number: int, /, **values: object) -> str:
        """Return whichever of two sentences fits a number, which also fills the gap `number`."""


class _English:
    language = "en"

    def __call__(self, message: str, /, **values: object) -> str:
        return str(message) if isinstance(message, Sentence) else message.format_map(values)

    def many(self, singular: str, plural: str, number: int, /, **values: object) -> str:
        return self(singular if number == 1 else plural, number=number, **values)


ENGLISH: Say = _English()
