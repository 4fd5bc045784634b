"""Further folders of a mailbox, such as that for junk, in which only some letters are ours."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from pbem.transport.base import BATCH, Arrived, Batch, Unread

IsOurs = Callable[[bytes], bool]
"""A function that tells from the header of a letter in a further folder whether the letter is ours."""


class Found(NamedTuple):
    """Our letters in further folders, the mark before them and the mark after them, and what went wrong ("" if nothing
    did)."""

    letters: Sequence[Arrived] = ()
    before: str = ""
    after: str = ""
    trouble: str = ""


def merge(batches: Iterator[Batch], mark: str, found: Found) -> Iterator[Batch]:
    """Merge our letters from further folders into the batches of the main folder that follow a mark, in order of
    arrival.

    Together, their marks are two lines, the first for the main folder. The second changes with the last letter from the
    further folders.
    """
    waiting, unread = sorted(found.letters, key=lambda letter: letter.when), None
    try:
        for batch in batches:
            mark, letters = batch.mark, list(batch.letters)
            while letters and waiting and waiting[0].when <= letters[-1].when:
                stray = waiting.pop(0)
                at = next(number for number, letter in enumerate(letters) if letter.when >= stray.when)
                letters.insert(at, stray)
            yield Batch(letters, _both(mark, found.before))
    except Unread as error:
        unread = error
    while len(waiting) > BATCH:
        yield Batch(waiting[:BATCH], _both(mark, found.before))
        del waiting[:BATCH]
    if waiting or found.after != found.before or found.trouble:
        yield Batch(waiting, _both(mark, found.after), found.trouble)
    if unread:
        raise unread


def _both(mark: str, further: str) -> str:
    return f"{mark}\n{further}" if further else mark
