"""Words of a letter that nobody has proven, as we repeat them: few, and none of which a mail program makes a link. Else
anybody could have us send theirs to people who trust our letters."""

import re
from collections.abc import Iterable

from pbem.match.identity import hide_tokens

SHOWN = 200
"""Characters of one letter that are repeated."""

_LONGEST = 64  # characters of a word: as many as of a label of a domain, or of what stands before the @
_LINK = re.compile(r"(?i)\b[a-z][a-z0-9+.-]{0,20}:[/\\]+\S*|\b(?:mailto|tel|sms|callto|data|javascript):\S+|\bwww\.\S*")
_DATE = r"(?:\d{4}-\d\d?-\d\d?|\d{1,2}\.\d{1,2}\.\d{4}|\d{1,2}/\d{1,2}/\d{4})(?!\d)"
_TELEPHONE = re.compile(rf"(?<![\w.-])(?!{_DATE})[+(]{{0,2}}\d(?:[ ()/.-]{{0,3}}\d){{6,}}")
_DOT = re.compile(r"(?<=\w)[.．。｡](?=[^\W\d_]{2})")
_AT = re.compile(r"(?<=\S)[@＠](?=\S)")
_LONG = re.compile(rf"(\S{{{_LONGEST}}})\S+")


def harmless(text: str) -> str:
    """A text without links, telephone numbers and reply addresses, and with blanks in domains and mail addresses, which
    can still be read."""
    text = _TELEPHONE.sub("[...]", _LINK.sub("[...]", hide_tokens(text)))
    return _LONG.sub(r"\1...", _AT.sub(" @ ", _DOT.sub(" . ", text))).replace("`", "'")


def parts(texts: Iterable[str], most: int = SHOWN) -> list[str]:
    """Texts made harmless, no more than so many characters of all together."""
    shown: list[str] = []
    for text in texts:
        left = most - sum(map(len, shown))
        if left <= 0:
            break
        shown.append(_shortened(harmless(text), left))
    return shown


def shares(texts: Iterable[tuple[str, int]]) -> list[str]:
    """The same, but that of each text there is something, at least as many characters as stand beside it."""
    texts = [*texts]
    return [_shortened(harmless(text), max(least, SHOWN // len(texts))) for text, least in texts]


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: max(most - 3, 1)].rstrip()}..."
