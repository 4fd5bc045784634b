"""Translation of the English sentences in the code, using the gettext catalogues in `locale`, and in the folder
`locale` of each game that another package brings."""

from collections.abc import Iterator
from functools import cache
from gettext import GNUTranslations
from pathlib import Path

from pbem import ENGLISH, Say, Sentence, plugins
from pbem.resources import resource


class Translator:
    """A translator into one language. Sentences that are missing from its catalogues stay in English."""

    def __init__(self, catalogues: GNUTranslations, language: str) -> None:
        self._catalogues, self.language = catalogues, language

    def __call__(self, message: str, /, **values: object) -> str:
        if isinstance(message, Sentence):
            return message.translated(self.look_up, self.language)
        return self.look_up(message).format_map(values)

    def many(self, singular: str, plural: str, number: int, /, **values: object) -> str:
        return self._catalogues.ngettext(singular, plural, number).format_map({**values, "number": number})

    def look_up(self, message: str) -> str:
        """Return the translation of a sentence without filling in its placeholders."""
        return self._catalogues.gettext(message) if message else ""  # "" would return the header of the catalogue


@cache
def say_in(language: str) -> Say:
    """Return the translator for a language, given by its code (ISO 639-1). If the language has no catalogue, the
    translator leaves everything in English."""
    catalogues = read_catalogues(language)
    return Translator(catalogues, language) if catalogues else ENGLISH


def read_catalogues(language: str) -> GNUTranslations | None:
    """Return the catalogues of a language, each of which answers for what those before it lack; None if there are
    none."""
    catalogues = [_read(path.read_bytes()) for path in _catalogues(language)] if language else []
    for catalogue in catalogues[1:]:
        catalogues[0].add_fallback(catalogue)
    return catalogues[0] if catalogues else None


def _catalogues(language: str) -> Iterator[Path]:
    """Yield the catalogues of a language. Of two that translate the same sentence, the first one counts."""
    for folder in (resource("locale"), *(folder / "locale" for folder in plugins.folders())):
        yield from sorted(folder.glob(f"{language}/LC_MESSAGES/*.mo"))


def unmade() -> list[str]:
    """Return the languages whose catalogues have not been compiled, so that `say_in` leaves everything in English."""
    sources = resource("locale").glob("*/LC_MESSAGES/*.po")
    return sorted({path.parts[-3] for path in sources if not path.with_suffix(".mo").exists()})


def _read(data: bytes) -> GNUTranslations:
    from io import BytesIO

    return GNUTranslations(BytesIO(data))


def translate(say: Say, text: str) -> str:
    """Translate `text` if it is a `Sentence` of the program. Text that a person wrote is returned unchanged."""
    return say(text) if isinstance(text, Sentence) else text
