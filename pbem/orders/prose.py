"""The sentences and filled-in forms of a letter, rejoined where a mail program broke their lines."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pbem.games.spelling import caseless
from pbem.orders import classifier
from pbem.orders.lines import BULLET

_LONG = 55  # a mail program may have broken a line with more characters than this
_ABBREVIATED = re.compile(r"\b([A-Za-z])\.([A-Za-z])\.?(?!\w)")
_LABELLED = re.compile(r"\W{0,4}([^\W\d_]{2,12}) ?[:=] ?((?:[\w’'-]+ ?){1,3})[.,;]?")


class LetterSentence(NamedTuple):
    """A sentence of a letter. It is a `heading` for the next sentence if it ends its line and the line ends in a
    colon."""

    text: str
    heading: bool


def sentences_of(text: str) -> Iterator[LetterSentence]:
    """Yield the sentences of the letter `text`, rejoined where a mail program broke them."""
    plain = _ABBREVIATED.sub(r"\1\2", BULLET.sub("", text))
    for line in joined(list(filled_in([line.strip() for line in plain.splitlines() if line.strip()]))):
        heading = line.rstrip(" *_").endswith(":")
        for sentence in classifier.sentences(line):
            yield LetterSentence(sentence, heading and line.rstrip(" *_:").endswith(sentence.rstrip(" *_:")))


def joined(lines: Sequence[str], *, commas: bool = True) -> Iterator[str]:
    """Yield `lines`, with the pieces of broken lines rejoined. If `commas` is true, a line that ends in a comma also
    continues on the next line."""
    before = ""
    for line in lines:
        if before and ((commas and before.endswith(",")) or (len(before) > _LONG and line[0].islower())):
            before = f"{before} {line}"
        else:
            if before:
                yield before
            before = line
    if before:
        yield before


def filled_in(lines: Sequence[str]) -> Iterator[str]:
    """Yield `lines`, with the lines of each filled-in form, such as "From: A", "To: M" and "Count: 3", joined into one
    line. A label that recurs starts the next form."""
    block: dict[str, str] = {}
    first = ""
    for line in (*lines, ""):
        labelled = _LABELLED.fullmatch(line)
        label = caseless(labelled[1]) if labelled else ""
        if block and (not labelled or label in block):
            yield " ".join(block.values()) if len(block) > 1 else first
            block = {}
        if labelled:
            first = first if block else line
            value = labelled[2].strip()
            block[label] = f"{labelled[1]}{':' if value.isdigit() else ''} {value}"
        elif line:
            yield line
