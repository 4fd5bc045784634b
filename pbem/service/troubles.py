"""What goes wrong run after run: each trouble is told when it begins, once a day while it lasts, and at its end."""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from itertools import islice

from pbem.store.database import UNREAD, Look
from pbem.times.moments import parse_moment, stamp

_DAY = timedelta(days=1)

_WAIT = timedelta(hours=12)
"""How long turns wait for a letter that the mailbox does not give us: the next one may come tomorrow."""

ASIDE = "letters of no game that were set aside"
"""What strangers' letters are told as, if we failed on them: once a day, for their writers may send any number."""

_NAMED = 20
"""Letters that are told one by one."""


class Troubles(dict[str, str]):
    """The troubles of a run, by what they are with, each with its sentence; `found` is what the last run left."""

    def __init__(self, found: Look, now: datetime) -> None:
        super().__init__()
        self._found, self._now = found, now
        self._all_read = False

    def read_all_but(self, unread: Mapping[str, str]) -> None:
        """The mailbox was read to its end, but for some letters, named as there, each with a sentence why."""
        self._all_read = True
        for name, why in islice(unread.items(), _NAMED):
            self[UNREAD + name] = (
                f"Letters cannot be fetched: {why} That is the letter {name}; all others are read, and each run asks"
                " for this one again. See what is wrong with it there, or delete it."
            )
        if len(unread) > _NAMED:
            self[f"{UNREAD}and more"] = f"{len(unread) - _NAMED} more letters cannot be fetched, either."

    def wait_to_be_read(self, letters: int) -> None:
        """So many letters are in the store, and had no room in this run."""
        if letters:
            self["letters that wait"] = (
                f"{letters} letters wait to be read, for they come faster than that. The next runs go on with them, and"
                " turns are played all the same."
            )

    @property
    def unread_of_late(self) -> bool:
        """Whether the mailbox holds a letter back that turns wait for: it may hold orders of anybody."""
        since = self._found.unread
        unread = (kind.removeprefix(UNREAD) for kind in self if kind.startswith(UNREAD))
        return any(name not in since or self._now < parse_moment(since[name]) + _WAIT for name in unread)

    def tell(self) -> tuple[list[str], str]:
        """What is news to the operator: troubles that are new, have lasted another day, or are over. And all that
        there are by now, for the next run."""
        known: dict[str, dict[str, str]] = json.loads(self._found.trouble or "{}")
        lines: list[str] = []
        kept = {kind: known.pop(kind) for kind in [*known] if kind not in self and self._may_last(kind)}
        for kind, text in self.items():
            entry = known.pop(kind, None)
            if entry is None:
                entry = {"since": stamp(self._now), "told": stamp(self._now)}
                lines.append(text)
            elif parse_moment(entry["told"]) + _DAY <= self._now:
                entry["told"] = stamp(self._now)
                lines.append(f"{text} It has been so since {entry['since']}.")
            kept[kind] = entry
        if (aside := kept.get(ASIDE)) and parse_moment(aside["told"]) + _DAY <= self._now:
            del kept[ASIDE]
        lines += [f"The trouble with {kind}, which began at {one['since']}, is over." for kind, one in known.items()]
        return lines, json.dumps(kept) if kept else ""

    def _may_last(self, kind: str) -> bool:
        """Whether nobody knows that a trouble is over which this run has not met."""
        return kind == ASIDE or (kind.startswith(UNREAD) and not self._all_read)
