"""Games played by e-mail and adjudicated by a program that cron starts.

This module defines what all other modules share: errors whose text may be shown to people, and sentences that can be
translated.
"""

import json
from collections.abc import Callable, Hashable, Mapping
from typing import Any, Protocol, Self

__version__ = "0.1.0"


class PbemError(Exception):
    """An error whose text may be shown to a person. The text says what is wrong, where, and what to do.

    The text never contains a secret, an address or a token, because it may end up in a log or a letter.
    """

    trouble = False
    """Whether the cause is a technical failure rather than wrong input. The exit status of commands depends on this
    flag."""


class Sentence(str):
    """An English sentence that keeps its template and the values of its placeholders, so that it can be translated.

    A value may itself be a sentence, or a tuple, whose items are joined with commas.
    """

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, **values: object) -> Self:
        self = super().__new__(cls, _filled(template, values, str))
        self.template, self.values = template, values
        return self

    def translated(self, look_up: Callable[[str], str], language: str = "") -> str:
        """Return the translation of the sentence. `look_up` returns the translation of a template, as gettext does;
        `language` is for subclasses that need to know the language."""

        def say(value: object) -> str:
            return value.translated(look_up, language) if isinstance(value, Sentence) else str(value)

        return _filled(look_up(self.template), self.values, say)


def _filled(template: str, values: Mapping[str, object], say: Callable[[object], str]) -> str:
    texts = {
        name: ", ".join(map(say, value)) if isinstance(value, tuple) else say(value) for name, value in values.items()
    }
    return template.format_map(texts)


def dump_sentence(text: str) -> str:
    """Return `text` in the form in which it is stored. A `Sentence` is stored as JSON with its template and its values,
    any other text as it is."""
    return json.dumps(_as_json(text), ensure_ascii=False) if isinstance(text, Sentence) else text


def load_sentence(text: str) -> str:
    """Return the `Sentence` that `dump_sentence` encoded as `text`; return any other text unchanged."""
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
    """A translator into the language of a reader. It looks up the translation of a sentence and fills in its
    placeholders, as `str.format` does.

    A sentence without a translation remains in English, the language in which it is written. `language` is an ISO 639-1
    code.
    """

    language: str

    def __call__(self, message: str, /, **values: object) -> str:
        """Return the translation of `message` with `values` filled in or, if it is a `Sentence`, with its own values
        filled in."""

    def many(self, singular: str, plural: str, number: int, /, **values: object) -> str:
        """Return the translation of `singular` or `plural`, whichever fits `number`, with `number` and `values` filled
        in."""


class _English:
    language = "en"

    def __call__(self, message: str, /, **values: object) -> str:
        return str(message) if isinstance(message, Sentence) else message.format_map(values)

    def many(self, singular: str, plural: str, number: int, /, **values: object) -> str:
        return self(singular if number == 1 else plural, number=number, **values)


ENGLISH: Say = _English()
