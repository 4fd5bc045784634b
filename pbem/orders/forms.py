"""Orders that are forms filled in, line by line."""

import re
from collections.abc import Iterator, Sequence

from pbem.games.spelling import caseless

_LABELLED = re.compile(r"\W{0,4}([^\W\d_]{2,12}) ?[:=] ?((?:[\w’'-]+ ?){1,3})[.,;]?")


def filled_in(lines: Sequence[str]) -> Iterator[str]:
    """Lines with those together that are a form filled in, as "From: A", "To: M", "Count: 3"; a label that comes once
    more begins the next one."""
    block: dict[str, str] = {}
    first = ""
    for line in (*lines, ""):
        found = _LABELLED.fullmatch(line)
        label = caseless(found[1]) if found else ""
        if block and (not found or label in block):
            yield " ".join(block.values()) if len(block) > 1 else first
            block = {}
        if found:
            first = first if block else line
            value = found[2].strip()
            block[label] = f"{found[1]}{':' if value.isdigit() else ''} {value}"
        elif line:
            yield line
