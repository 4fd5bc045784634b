"""The sentences of a letter, those put together again that a mail program has broken, and forms that are filled in."""

from collections.abc import Iterator, Sequence

from pbem.orders import doubt
from pbem.orders.lines import BULLET
from pbem.patterns import compiled
from pbem.values import NamedTuple

_LONG = 55  # characters of a line that a mail program may have broken
_ABBREVIATED = compiled(r"\b([A-Za-z])\.([A-Za-z])\.?(?!\w)")
_LABELLED = compiled(r"\W{0,4}([^\W\d_]{2,12}) ?[:=] ?((?:[\w’'-]+ ?){1,3})[.,;]?")


class Sentence(NamedTuple):
    """A sentence, and whether its line ends in a colon: then it is a heading of what follows."""

    text: str
    heading: bool


def sentences_of(text: str) -> Iterator[Sentence]:
    """The sentences of a letter, those put together again that a mail program has broken."""
    plain = _ABBREVIATED.sub(r"\1\2", BULLET.sub("", text))
    for line in joined(list(_blocks([line.strip() for line in plain.splitlines() if line.strip()]))):
        heading = line.rstrip(" *_").endswith(":")
        for one in doubt.sentences(line):
            yield Sentence(one, heading and line.rstrip(" *_:").endswith(one.rstrip(" *_:")))


def _blocks(lines: Sequence[str]) -> Iterator[str]:
    """Lines with those together that are a form filled in, as "From: A", "To: M", "Count: 3"; a label that comes once
    more begins the next one."""
    block: dict[str, str] = {}
    first = ""
    for line in (*lines, ""):
        found = _LABELLED.fullmatch(line)
        label = found[1].casefold() if found else ""
        if block and (not found or label in block):
            yield " ".join(block.values()) if len(block) > 1 else first
            block = {}
        if found:
            first = first if block else line
            value = found[2].strip()
            block[label] = f"{found[1]}{':' if value.isdigit() else ''} {value}"
        elif line:
            yield line


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
