"""Text as mail programs send it -> plain lines: unwrapped, of bounded length, each character in its plain form."""

import re
import unicodedata
from collections.abc import Iterator

WIDTH = 500
"""Characters of a line, about; longer ones are broken, so that no pattern sees more."""


def unflow(text: str, delete_space: bool = False) -> str:
    """Join the lines that format=flowed has broken (RFC 3676); `delete_space` is its DelSp=yes."""
    paragraphs: list[list[str]] = []
    flowing, last_depth = False, 0
    for line in text.splitlines():
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = content.removeprefix(" ")
        signature = content == "-- "
        if not (flowing and depth == last_depth and not signature):
            paragraphs.append([">" * depth + " "] if depth else [])
        flowing, last_depth = content.endswith(" ") and not signature, depth
        paragraphs[-1].append(content[:-1] if flowing and delete_space else content)
    return "\n".join(map("".join, paragraphs))


def normalise(text: str) -> list[str]:
    """Lines of about 500 characters at most, in NFKC: plain blanks and quotes, nothing invisible, no controls.

    A line for inboxes, hidden at the head of a letter that is quoted, is left out: nobody sees or writes it.
    """
    lines = (line for line in text.splitlines() if line.isascii() or not _FOR_INBOXES.search(line))
    clean = (_clean(piece) for line in lines for piece in _pieces(line))
    return [piece for line in clean for piece in _pieces(line)]  # NFKC may make 18 characters of one


def _pieces(line: str) -> Iterator[str]:
    """A line in pieces of at most 500 characters, broken at blanks; each piece of a quoted line is quoted."""
    if len(line) <= WIDTH:
        yield line
        return
    quoted = "> " if line.lstrip().startswith(">") else ""
    start = 0
    while start < len(line):
        end = start + WIDTH
        blank = line.rfind(" ", start + 1, end) if end < len(line) else -1
        end = blank if blank > 0 else end
        yield (quoted if start else "") + line[start:end]
        start = end


def _clean(line: str) -> str:
    if "&" in line:  # some programs make the text part of the HTML and leave these in it
        line = _ENTITY.sub(lambda match: _ENTITIES[match[1]], line)
    if not line.isascii():
        line = unicodedata.normalize("NFKC", line)
        if _ODD.search(line):
            line = line.translate(_PLAIN)
        if _LATIN.search(line):
            line = _fold_lookalikes(line)
    line = line.replace("\t", " ")
    if not line.isprintable():
        line = "".join(filter(str.isprintable, line))
    return line.rstrip()


def _fold_lookalikes(line: str) -> str:
    """Cyrillic and Greek letters that look Latin, made Latin where a code or an order word is meant.

    The line has Latin letters or digits. Meant is a word of both scripts, unless it is longer than any code and most of
    it Cyrillic, which makes all of it so; or a word in capitals or a single letter that
    is look-alike throughout, unless the line holds other Cyrillic or Greek words, which make it prose: there it
    must stand right behind a Latin word or a number. "А потом" stays as it is, and so does "JIN НЕ ВЕРБУЕТ"; "3 А to М"
    becomes ASCII.
    """
    prose = _FOREIGN.search(line)

    def fold(match: re.Match[str]) -> str:
        word = match[0]
        latin = len(_LATIN.findall(word))
        if latin and len(word) > _CODE and latin < len(word) - latin:
            return word.translate(_RUSSIAN_LOOKALIKES)
        if not latin:
            if (len(word) > 1 and not word.isupper()) or word in _NO_CODES:
                return word
            before = line[: match.start()].rstrip(" ,;")[-1:]
            if prose and word in _RUSSIAN:
                return word
            if prose and not (before.isascii() and before.isalnum()):
                return word
        return word.translate(_LOOKALIKES)

    return _LOOKALIKE_WORD.sub(fold, line)


_PLAIN: dict[int, str | None] = {
    **dict.fromkeys(map(ord, "‘’‚‛′ʹʼ`´"), "'"),
    **dict.fromkeys(map(ord, "“”„‟″«»"), '"'),
    **dict.fromkeys(map(ord, "‐‑"), "-"),
    **dict.fromkeys((0x1680, 0x2800, 0x3164, 0x115F, 0x1160), " "),  # blanks that NFKC leaves
    **dict.fromkeys(range(0xFE00, 0xFE10)),  # variation selectors
}
_ODD = re.compile(f"[{''.join(map(chr, _PLAIN))}]")
_FOREIGN_LOOKALIKES = "АВЕІЈКМНОРСТУХЅаеіјорсухѕкмтΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"
_LOOKALIKES = str.maketrans(_FOREIGN_LOOKALIKES, "ABEIJKMHOPCTYXSaeijopcyxskmtABEZHIKMNOPTYX")
_RUSSIAN = {"НЕ", "НА", "ВСЕ", "СО", "ОТ", "ТО", "НАС", "ВАС", "НАМ", "ВАМ"}  # words, and no codes
_NO_CODES = {"АТАКА", "КАРТА"}
_CODE = 3  # letters: a word of both scripts that is longer is Russian if most of it is
_RUSSIAN_LOOKALIKES = str.maketrans("ABEKMHOPCTYXaeopcyxkmt", "АВЕКМНОРСТУХаеорсухкмт")
_LOOKALIKE_WORD = re.compile(
    rf"(?<![^\W\d_])[A-Za-z]*+[{_FOREIGN_LOOKALIKES}][A-Za-z{_FOREIGN_LOOKALIKES}]*(?![^\W\d_])"
)
_FOREIGN = re.compile(rf"(?![{_FOREIGN_LOOKALIKES}])[\u0370-\u052f]")  # Greek and Cyrillic that looks it
_LATIN = re.compile(r"[A-Za-z0-9]")
_FOR_INBOXES = re.compile(
    "[\u200b-\u200d\u034f\ufeff](?:[\\s\u200b-\u200d\u034f\ufeff]{19})\\s*$"
)  # all that fills it up
_ENTITIES = {"nbsp": " ", "lt": "<", "gt": ">", "quot": '"', "amp": "&"}
_ENTITY = re.compile(rf"&({'|'.join(_ENTITIES)});")
