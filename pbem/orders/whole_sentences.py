"""The sentences of a letter, those put together again that a mail program has broken."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pbem.orders import judge
from pbem.orders.forms import filled_in
from pbem.orders.lines import BULLET

_LONG = 55  # characters of a line that a mail program may have broken
_ABBREVIATED = re.compile(r"\b([A-Za-z])\.([A-Za-z])\.?(?!\w)")


class Sentence(NamedTuple):
    """A sentence, and whether its line ends in a colon: then it is a heading of what follows."""

    text: str
    heading: bool


def sentences_of(text: str) -> Iterator[Sentence]:
    """The sentences of a letter, those put together again that a mail program has broken."""
    plain = _ABBREVIATED.sub(r"\1\2", BULLET.sub("", text))
    for line in joined(list(filled_in([line.strip() for line in plain.splitlines() if line.strip()]))):
        heading = line.rstrip(" *_").endswith(":")
        for one in judge.sentences(line):
            yield Sentence(one, heading and line.rstrip(" *_:").endswith(one.rstrip(" *_:")))


def joined(lines: Sequence[str], *, commas: bool = True) -> Iterator[str]:
    """Lines with those together that are one which a mail program has broken; at commas if they are of orders."""
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
