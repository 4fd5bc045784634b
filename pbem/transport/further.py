"""Further places where letters for a desk arrive, such as the junk folder of a mailbox, and the order in which they
come with the letters of the main place."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pbem.transport.base import BATCH, Arrived, Batch, Unread

IsOurs = Callable[[bytes], bool]
"""A function that returns, given the header of a letter in a further folder, whether the letter is for the desk."""


class Found(NamedTuple):
    """The letters for the desk in a further place; the marks of this place before and after the letters; and its
    troubles, as in a `Batch`."""

    letters: Sequence[Arrived] = ()
    before: str = ""
    after: str = ""
    troubles: Mapping[str, str] = {}


def merge(batches: Iterator[Batch], mark: str, found: Found, joint: str = "\n") -> Iterator[Batch]:
    """Merge the letters in `found`, which are from a further place, into the batches of the main place after `mark`, in
    order of arrival.

    The mark of a merged batch consists of the mark of the main place, `joint`, and the mark of the further place. The
    latter changes only with the last letter from there.
    """
    waiting, unread = sorted(found.letters, key=lambda letter: letter.when), None
    try:
        for batch in batches:
            mark, letters = batch.mark, list(batch.letters)
            while letters and waiting and waiting[0].when <= letters[-1].when:
                stray = waiting.pop(0)
                at = next(number for number, letter in enumerate(letters) if letter.when >= stray.when)
                letters.insert(at, stray)
            yield Batch(letters, _both(mark, found.before, joint), batch.troubles)
    except Unread as error:
        unread = error
    while len(waiting) > BATCH:
        yield Batch(waiting[:BATCH], _both(mark, found.before, joint))
        del waiting[:BATCH]
    if waiting or found.after != found.before or found.troubles:
        yield Batch(waiting, _both(mark, found.after, joint), found.troubles)
    if unread:
        raise unread


def _both(mark: str, further: str, joint: str) -> str:
    return f"{mark}{joint}{further}" if further else mark


def told(sentences: Sequence[str]) -> Mapping[str, str]:
    """Return `sentences` about further folders as the troubles of a `Batch`."""
    return {"further folders": f"A further folder is not read: {' '.join(sentences)}"} if sentences else {}
