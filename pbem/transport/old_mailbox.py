"""The mailbox of a desk, together with the mailbox of the address that the desk had before."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from time import monotonic
from types import TracebackType
from typing import Self

from pbem import PbemError
from pbem.config.config import OLD
from pbem.transport.base import Batch, Mailbox, Unwanted
from pbem.transport.further import Found, merge

_SHARE = 1 / 3
"""The part of a run's time that the old mailbox may take, so that the other one is read even if the old one is slow."""

_MOST = 500
"""The number of letters after which a run leaves the rest of the old mailbox to the next run, because these letters are
in memory together."""

_JOINT = "\n\n"
"""What separates the mark of the old mailbox from that of the other one, which may consist of two lines."""


class WithOldMailbox:
    """The mailbox `main` with the letters of the mailbox `old`, merged in order of arrival.

    Trouble with the old mailbox never prevents the other one from being read. The keys of its letters begin with its
    name.
    """

    def __init__(self, main: Mailbox, old: Mailbox, deadline: float) -> None:
        self._main, self._old, self._deadline = main, old, deadline
        self._is_open = False
        self._trouble = ""

    def __enter__(self) -> Self:
        self._main.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._is_open:
                self._old.__exit__(kind, error, trace)
        finally:
            self._main.__exit__(kind, error, trace)

    def fetch(self, mark: str) -> Iterator[Batch]:
        main, old = split_mark(mark)
        for batch in merge(self._main.fetch(main), main, self._find(old), _JOINT):
            yield batch
            mark = batch.mark
        if self._trouble:
            yield Batch([], mark, {f"the mailbox `{OLD}`": f"The old mailbox is not read to its end: {self._trouble}"})

    def _find(self, mark: str) -> Found:
        """Find the letters in the old mailbox after its mark."""
        before, letters = mark, []
        try:
            self._open(monotonic() + (self._deadline - monotonic()) * _SHARE)
            for batch in self._old.fetch(before):
                letters += [letter._replace(key=f"{OLD} {letter.key}", mailbox=OLD) for letter in batch.letters]
                mark = batch.mark
                self._trouble = " ".join(batch.troubles.values()) or self._trouble
                if len(letters) >= _MOST:
                    break
            self._old.limit(self._deadline)
        except PbemError as error:
            self._trouble = str(error)
        return Found(letters, before, mark)

    def _open(self, deadline: float) -> None:
        if not self._is_open:
            self._old.limit(deadline)
            self._old.__enter__()
            self._is_open = True

    def again(self, since: datetime) -> None:
        self._main.again(since)
        self._old.again(since)

    def limit(self, deadline: float) -> None:
        self._deadline = deadline
        self._main.limit(deadline)

    def used(self) -> float:
        return self._main.used()

    def further_folders(self) -> Sequence[str]:
        return self._main.further_folders()

    def look_back(self) -> None:
        self._main.look_back()
        self._old.look_back()

    def overlooked(self, mark: str) -> int:
        return self._main.overlooked(split_mark(mark)[0])

    def handled(self, keys: Sequence[str]) -> None:
        prefix = f"{OLD} "
        self._main.handled([key for key in keys if not key.startswith(prefix)])
        try:
            if old := [key.removeprefix(prefix) for key in keys if key.startswith(prefix)]:
                self._old.handled(old)
        except PbemError as error:  # the letters are safe, and the mark of the mailbox is behind them
            self._trouble = str(error)

    def remove(self, letters: Sequence[Unwanted]) -> None:
        self._main.remove(letters)
        self._open(self._deadline)
        self._old.remove(letters)


def split_mark(mark: str) -> tuple[str, str]:
    """Split the mark of both mailboxes into that of the main one and that of the old one, which may be ""."""
    main, _, old = mark.partition(_JOINT)
    return main, old
