"""Isolation of failures, so that one letter, game or league cannot stop the others."""

from collections.abc import Iterator
from contextlib import contextmanager

from pbem.resources import unread_part
from pbem.store.database import SQLiteError


@contextmanager
def failures() -> Iterator[list[Exception]]:
    """Suppress an exception that the `with` block raises, and append it to the list that is yielded.

    Failures of the database and of an incomplete installation are still raised, because the letter, game or league at
    hand is not to blame for a full disk or a missing module.
    """
    failed: list[Exception] = []
    try:
        yield failed
    except SQLiteError:
        raise
    except Exception as error:
        if unread_part(error):
            raise
        failed.append(error)
