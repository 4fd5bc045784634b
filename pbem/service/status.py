"""The state of a desk in figures, for people and for programs that monitor it. It contains no address and no order."""

import json
import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from pbem.config.config import Config
from pbem.service.run import of_desk
from pbem.service.sending_limits import held
from pbem.store import outbox
from pbem.store.database import Store, look, recall
from pbem.store.events import bounces, phases
from pbem.store.waiting import stuck
from pbem.times.moments import parse_moment, stamp

_FORTNIGHT = timedelta(days=14)
"""How long letters that could not be delivered are counted."""

Status = dict[str, Any]
"""The state of a desk as JSON; docs/operating.md explains the keys."""


def status(config: Config, store: Store, now: datetime) -> Status:
    """Return the state of the desk at the moment `now`."""
    state = look(store.conn, now)
    troubles = json.loads(state.trouble or "{}")
    late, limit = now - 3 * config.desk.every, held(config.outgoing, store, now)
    runs = config.desk.rehearsal or (state.last_run >= stamp(late) and state.last_run <= stamp(now))
    return {
        "desk": config.path.parent.name,
        "now": stamp(now),
        "well": bool(state.last_run and runs and not state.down_since and not of_desk(troubles)),
        "last_run": state.last_run or None,
        "down_since": state.down_since or None,
        "troubles": [{"what": kind, "since": entry["since"]} for kind, entry in troubles.items()],
        "games": {phase: phases(store).get(phase, 0) for phase in ("offered", "running", "paused", "review")},
        "overdue": stuck(store, late),
        "letters_waiting": len(store.letters_in_state("kept", now)),
        "letters_held": len(store.letters_in_state("held", now)),
        "letters_set_aside": len(store.letters_in_state("set aside", now)),
        "letters_bounced": bounces(store, now - _FORTNIGHT),
        "letters_to_send": len(outbox.unsent(store, now + timedelta(seconds=1))),
        "letters_limited": limit.letters if limit else 0,
        "limit": f"[outgoing] {limit.key} = {limit.most}" if limit else None,
        "next_letter": stamp(limit.until) if limit else None,
        "letters_refused": sum(number for _, number in outbox.refused_since(store, now - _FORTNIGHT)),
        "database_bytes": config.database.stat().st_size,
        "disk_free_bytes": shutil.disk_usage(config.path.parent).free,
        "backup": recall(store.conn, "backup") or None,
    }


def sentences(found: Status) -> Iterator[str]:
    """Yield the lines in which a person reads the state of a desk."""
    yield f"The desk is {'well' if found['well'] else 'not well'}."
    yield f"last run: {found['last_run'] or 'never'}"
    if found["down_since"]:
        yield f"no run has read the mailbox since {found['down_since']}"
    for trouble in found["troubles"]:
        yield f"trouble with {trouble['what']} since {trouble['since']}"
    yield "games: " + ", ".join(f"{number} {phase}" for phase, number in found["games"].items())
    yield f"overdue: {', '.join(found['overdue']) or 'none'}"
    for key, name in _COUNTED.items():
        yield f"{name}: {found[key]}"
    if found["limit"]:
        yield f"limit: {found['limit']} is reached; the next letter can go at {found['next_letter']}"
    yield f"database: {found['database_bytes'] // 1000} kB, free on its disk: {found['disk_free_bytes'] // 10**6} MB"
    yield f"last backup: {found['backup'] or 'never'}"


_COUNTED = {
    "letters_waiting": "letters that wait to be read",
    "letters_held": "letters held until their writers say yes",
    "letters_set_aside": "letters set aside",
    "letters_to_send": "letters that wait to be sent",
    "letters_limited": "letters of these that wait because of a limit",
    "letters_refused": "letters given up in the last two weeks",
    "letters_bounced": "letters that came back in the last two weeks",
}


def metrics(found: Status) -> Iterator[str]:
    """Yield the state of a desk as lines of Prometheus' text format, for the textfile collector of its node
    exporter."""
    label = found["desk"].replace("\\", "\\\\").replace('"', '\\"')
    gauges: dict[str, tuple[str, dict[str, float]]] = {
        "well": ("Whether the last run was good, and lately.", {"": found["well"]}),
        "troubles": ("Troubles that last.", {"": len(found["troubles"])}),
        "games": ("Games that are not over.", {f',phase="{phase}"': n for phase, n in found["games"].items()}),
        "overdue_games": ("Games that should have moved on, and have not.", {"": len(found["overdue"])}),
    }
    gauges |= {key: (f"{name[0].upper()}{name[1:]}.", {"": found[key]}) for key, name in _COUNTED.items()}
    gauges |= {
        "database_bytes": ("Size of the database.", {"": found["database_bytes"]}),
        "disk_free_bytes": ("Room on the disk of the database.", {"": found["disk_free_bytes"]}),
    }
    for key, about in (("last_run", "When the desk ran last."), ("backup", "When the last backup was made.")):
        if found[key]:
            gauges[f"{key}_timestamp_seconds"] = (about, {"": parse_moment(found[key]).timestamp()})
    for name, (about, samples) in gauges.items():
        yield f"# HELP pbem_{name} {about}"
        yield f"# TYPE pbem_{name} gauge"
        for more, value in samples.items():
            yield f'pbem_{name}{{desk="{label}"{more}}} {value:.0f}'
