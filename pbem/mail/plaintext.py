"""Normalisation of text from mail programs into unwrapped lines of bounded length, in plain characters."""

import re
import unicodedata
from collections.abc import Iterator

WIDTH = 500
"""The approximate maximum length of a line, in characters. Longer lines are broken, so that patterns have less to
scan."""


def unflow(text: str, delete_space: bool = False) -> str:
    """Rejoin the lines of `text` that were broken by format=flowed (RFC 3676). `delete_space` corresponds to
    DelSp=yes."""
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
    """Split `text` into lines of at most about 500 characters, in NFKC, with plain spaces and quotation marks, and
    without control characters.

    Some letters have a hidden line at the top, which inboxes show as a preview. If such a letter is quoted, that line
    is left out, because no person sees or writes it.
    """
    lines = (line for line in text.splitlines() if line.isascii() or not _FOR_INBOXES.search(line))
    clean = (_clean(piece) for line in lines for piece in _pieces(line))
    return [piece for line in clean for piece in _pieces(line)]  # NFKC may turn one character into 18


def _pieces(line: str) -> Iterator[str]:
    """Yield pieces of `line` of at most about 500 characters, broken at blanks where possible. If `line` is quoted,
    each piece is marked as quoted."""
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
    if "&" in line:  # some programs turn HTML into text without decoding entities
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
    """Return `line` with Latin letters in place of Cyrillic and Greek letters that look like them, where a code or an
    order word is meant. `line` contains Latin letters or digits.

    Two kinds of words change. A word with letters of both scripts becomes Latin or, if it is longer than any code and
    mostly Cyrillic, all Cyrillic. A word in capitals, or a single letter, that consists of look-alikes becomes Latin;
    but if the line contains other Cyrillic or Greek words, which show that it is prose, such a word changes only
    directly after a Latin word or a number. For example, "А потом" and "JIN НЕ ВЕРБУЕТ" remain unchanged, and "3 А to
    М" becomes ASCII.
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
    **dict.fromkeys((0x1680, 0x2800, 0x3164, 0x115F, 0x1160), " "),  # blanks that NFKC does not change
    **dict.fromkeys(range(0xFE00, 0xFE10)),  # variation selectors
}
_ODD = re.compile(f"[{''.join(map(chr, _PLAIN))}]")
_FOREIGN_LOOKALIKES = "АВЕІЈКМНОРСТУХЅаеіјорсухѕкмтΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"
_LOOKALIKES = str.maketrans(_FOREIGN_LOOKALIKES, "ABEIJKMHOPCTYXSaeijopcyxskmtABEZHIKMNOPTYX")
_RUSSIAN = {"НЕ", "НА", "ВСЕ", "СО", "ОТ", "ТО", "НАС", "ВАС", "НАМ", "ВАМ"}  # Russian words, not codes
_NO_CODES = {"АТАКА", "КАРТА"}
_CODE = 3  # the maximum length of a code; a longer word in both scripts is Russian if it is mostly Cyrillic
_RUSSIAN_LOOKALIKES = str.maketrans("ABEKMHOPCTYXaeopcyxkmt", "АВЕКМНОРСТУХаеорсухкмт")
_LOOKALIKE_WORD = re.compile(
    rf"(?<![^\W\d_])[A-Za-z]*+[{_FOREIGN_LOOKALIKES}][A-Za-z{_FOREIGN_LOOKALIKES}]*(?![^\W\d_])"
)
_FOREIGN = re.compile(rf"(?![{_FOREIGN_LOOKALIKES}])[\u0370-\u052f]")  # Greek and Cyrillic that does not look Latin
_LATIN = re.compile(r"[A-Za-z0-9]")
_FOR_INBOXES = re.compile("[\u200b-\u200d\u034f\ufeff](?:[\\s\u200b-\u200d\u034f\ufeff]{19})\\s*$")  # invisible fillers
_ENTITIES = {"nbsp": " ", "lt": "<", "gt": ">", "quot": '"', "amp": "&"}
_ENTITY = re.compile(rf"&({'|'.join(_ENTITIES)});")
