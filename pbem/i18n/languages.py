"""The languages of letters: sentences in English, and what gettext's catalogues in `locale` make of them."""

from functools import cache
from gettext import GNUTranslations

from pbem import ENGLISH, Say, Sentence
from pbem.resources import resource


class _Translated:
    """Sentences as the catalogues of one language have them, and in English where they lack one."""

    def __init__(self, catalogues: GNUTranslations, language: str) -> None:
        self._catalogues, self.language = catalogues, language

    def __call__(self, message: str, /, **values: object) -> str:
        if isinstance(message, Sentence):
            return message.translated(self._look_up, self.language)
        return self._look_up(message).format_map(values)

    def many(self, singular: str, plural: str, number: int, /, **values: object) -> str:
        return self._catalogues.ngettext(singular, plural, number).format_map({**values, "number": number})

    def _look_up(self, message: str) -> str:
        return self._catalogues.gettext(message) if message else ""  # "" would be the catalogue's own header


@cache
def say_in(language: str) -> Say:
    """How to say things in a language, by its code (ISO 639-1): in English if there is no catalogue of it."""
    files = sorted(resource("locale").glob(f"{language}/LC_MESSAGES/*.mo")) if language else []
    catalogues = [_read(path.read_bytes()) for path in files]
    if not catalogues:
        return ENGLISH
    for catalogue in catalogues[1:]:
        catalogues[0].add_fallback(catalogue)
    return _Translated(catalogues[0], language)


def unmade() -> list[str]:
    """Languages of whose translations nothing was made yet that can be read: `say_in` has English for them."""
    sources = resource("locale").glob("*/LC_MESSAGES/*.po")
    return sorted({path.parts[-3] for path in sources if not path.with_suffix(".mo").exists()})


def _read(data: bytes) -> GNUTranslations:
    from io import BytesIO

    return GNUTranslations(BytesIO(data))


def translate(say: Say, text: str) -> str:
    """A sentence of ours in a reader's language; a text that a person has written as it is."""
    return say(text) if isinstance(text, Sentence) else text
