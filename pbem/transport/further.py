"""Further folders of a mailbox, such as the junk folder, in which only some letters are for the desk."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from pbem.transport.base import BATCH, Arrived, Batch, Unread

IsOurs = Callable[[bytes], bool]
"""A function that returns, given the header of a letter in a further folder, whether the letter is for the desk."""


class Found(NamedTuple):
    """The letters for the desk in further folders; the marks of these folders before and after the letters; and a
    description of any trouble, or ""."""

    letters: Sequence[Arrived] = ()
    before: str = ""
    after: str = ""
    trouble: str = ""


def merge(batches: Iterator[Batch], mark: str, found: Found) -> Iterator[Batch]:
    """Merge the letters in `found`, which are from further folders, into the batches of the main folder after `mark`,
    in order of arrival.

    The mark of a merged batch has two lines: the first is the mark of the main folder, and the second is the mark of
    the further folders. The second line changes only with the last letter from these folders.
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
