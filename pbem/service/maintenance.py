"""The operator's tasks apart from runs, such as testing the configuration, making a new key, or restoring a backup."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pbem import PbemError
from pbem.config.config import Config, MailboxConfig, Server, game_master_of, is_own, make_key, read_key
from pbem.config.ini import ConfigError
from pbem.games import LeftOutError
from pbem.i18n import languages
from pbem.mail import letters
from pbem.match.identity import find_tokens
from pbem.service.beacon import last_round
from pbem.service.broken_games import broken_games
from pbem.service.log import JOURNAL
from pbem.service.sending_limits import held
from pbem.service.tick import lock
from pbem.store import masters, matches, outbox, players, waiting
from pbem.store.backup import all_damage, orphans
from pbem.store.database import SQLiteError, Store, StoreError, connect, look, remember
from pbem.store.forgetting import removal_failure
from pbem.store.schema import REMEDY, schema_differences
from pbem.store.verify import Audit
from pbem.times.moments import parse_moment, stamp
from pbem.transport.base import TransportError
from pbem.transport.open import open_mailbox, open_one, open_outgoing

if TYPE_CHECKING:
    from pbem.match.model import Match
    from pbem.service.desk import Desk

_YEAR = timedelta(days=366)
_FULL = 0.9
"""The part of a mailbox's room from which on it counts as nearly full."""


def check(config: Config, now: datetime) -> list[tuple[str, PbemError]]:
    """Test everything that a run needs: the games, the key, the database, the mailboxes, outgoing mail and the public
    beacon.

    Returns all problems that were found, each with where it is.
    """
    problems: list[tuple[str, PbemError]] = [("configuration", problem) for problem in _own_addresses(config)]
    problems += (("games", problem) for problem in broken_games())
    attempts: Sequence[tuple[str, Callable[[], object]]] = (
        ("key", lambda: read_key(config.desk.key_file)),
        ("database", lambda: connect(config.database).close()),
        *((" ".join((name, "mailbox")).strip(), partial(_try_mailbox, one)) for name, one in config.mailboxes.items()),
        ("outgoing mail", lambda: open_outgoing(config).__enter__().__exit__(None, None, None)),
        ("public beacon", lambda: last_round(config.chance, now)),
        ("log", lambda: _try_log(config)),
    )
    for where, attempt in attempts:
        try:
            attempt()
        except PbemError as error:
            problems.append(("configuration" if isinstance(error, ConfigError) else where, error))
    return problems


def _try_log(config: Config) -> None:
    if config.desk.log == "journal" and not JOURNAL.exists():
        raise ConfigError(str(config.path), "[desk] log = journal, but there is no journal here: choose file.")


def _try_mailbox(config: MailboxConfig) -> None:
    with open_one(config) as mailbox:
        mailbox.further_folders()
        if (used := mailbox.used()) >= _FULL:
            what = f"{used:.0%} of the room in the mailbox is used, and letters are refused when it is full"
            raise TransportError(
                f"{what}. Delete handled letters there, which have the mark \\Seen, or ask for more room."
            )


def _own_addresses(config: Config) -> Iterator[ConfigError]:
    """Yield an error if the operator or the game master has the desk's own address, because letters to that address
    would come back to the desk unread."""
    if not isinstance(config.outgoing.place, Server):
        return
    if is_own(config, config.desk.operator.address):
        problem = "[desk] operator is the desk's own address, where nobody reads: put in an address of yours."
        yield ConfigError(str(config.path), problem)
    if config.desk.game_master != config.desk.operator and is_own(config, config.desk.game_master.address):
        problem = "[desk] game_master is the desk's own address, where nobody reads, so that the operator gets what is"
        yield ConfigError(str(config.path), f"{problem} written to them: put in an address of yours, or leave it out.")


def rekey(config: Config, now: datetime) -> int:
    """Make a new key, which invalidates every reply address, and queue letters with new reply addresses to all seats.

    Returns the number of letters. If the program dies halfway, either the old key is still valid or `rekey` can be run
    again. Raises LeftOutError after all this if games of some matches cannot be played here.
    """
    from pbem.service.desk import Desk

    old = config.desk.key_file
    with locked(config):
        new = _new_key(config)
        new.unlink(missing_ok=True)
        make_key(new)
        with closing(connect(config.database)) as conn:
            desk = Desk(config, Store(conn), now, look(conn, now).last_run, read_key(new))
            count, left_out = desk.tell_new_addresses()
            new.replace(old)
    if left_out:
        outcome = f"The key is new, and {count} letters with new reply addresses go out with the next poll; players of"
        raise LeftOutError(left_out, f"{outcome} what was left out get theirs with the next letter of their game.")
    return count


def _new_key(config: Config) -> Path:
    """Return the path at which a new key is stored until the letters about it have been queued."""
    key = config.desk.key_file
    return key.with_name(f"{key.name}.new")


def trust_clock(config: Config, now: datetime) -> list[str]:
    """If the last run seems to have been later than `now`, assume that its clock was wrong, and accept `now` as the
    right time.

    All times that the wrong clock has put too far into the future are corrected, and the people concerned are told.
    Returns a line about each change.
    """
    with locked(config), closing(connect(config.database, upgrade=True)) as conn:
        state = look(conn, now)
        if state.last_run <= stamp(now):
            return []
        from pbem.service.desk import Desk

        desk = Desk(config, Store(conn), now, state.last_run, read_key(config.desk.key_file), config.beacon)
        with desk.store.transaction():
            remember(conn, last_run=stamp(now), down_since=min(state.down_since or stamp(now), stamp(now)))
            desk.store.note("clock", {"last run": state.last_run}, now)
            waiting.wait_no_longer(desk.store, now)
            return [*_mend_absences(desk), *_mend_matches(desk)]


def _mend_absences(desk: "Desk") -> Iterator[str]:
    """Remove vacations that begin more than a year from now, and yield a line about each. People rarely name a year, so
    the year must have come from the wrong clock."""
    from pbem.match.effects import Send, notice

    for player, absence in players.drop_absences(desk.store, (desk.now + _YEAR).date()):
        section = notice("vacation by a wrong clock", absence=absence)
        desk.apply([Send("notice", f"clock-{absence.first:%Y%m%d}", player, (section,))])
        days = f"from {absence.first} to {absence.last}"
        yield f"The vacation of player {player.id} {days} was removed, and they are told."


def _mend_matches(desk: "Desk") -> Iterator[str]:
    """Find matches with times that are too far in the future to be right, reset these times where that is possible, and
    yield a line about each such match."""
    from pbem.match.wrong_clock import mend

    for number in matches.match_numbers(desk.store, "offered", "running", "review"):
        match = desk.judged(number)
        if effects := mend(match, desk.now):
            desk.apply(effects)
            after = _awaited(desk.judged(number))
            yield f"{match.name} waited for {_awaited(match)}, by the wrong clock; now for {after}."
        elif match.drawing and match.cooling and match.cooling > desk.now + _HOUR:
            yield (
                f"{match.name} waits for {_awaited(match)}, which comes at {match.cooling:%Y-%m-%d %H:%M} UTC:"
                f" `pbem game words {match.name}` begins it without a round."
            )


def _awaited(match: "Match") -> str:
    if match.drawing:
        return f"round {match.drawing.round} of the beacon"
    if match.deadline:
        return f"the deadline {match.deadline}"
    return f"{match.due:%Y-%m-%d %H:%M} UTC" if match.due else "its players"


def restore(
    config: Config, source: Path, progress: Callable[[str], None], *, replace: bool, as_it_is: bool = False
) -> Path | None:
    """Restore the database from the backup `source`; return the path of the former database, or None if there was none.

    If there is a database already, `replace` must be true; that database is then renamed and kept. If `as_it_is` is
    true, even a backup that differs from its own record, or whose schema is not that of its version, is accepted.
    """
    from pbem.store.backup import restore_desk

    database = config.database
    places = (database.with_name(f"{database.name}.before-{number}") for number in count(1))
    with locked(config):
        existed = database.exists()
        former = next(place for place in places if not place.exists()) if replace else None
        restore_desk(source, database, progress, former, as_it_is=as_it_is)
    return former if existed else None


@contextmanager
def locked(config: Config) -> Iterator[None]:
    """Hold the desk's lock during the `with` block, so that no run can begin. Raises StoreError if one is in
    progress."""
    with lock(config.database.with_name("pbem.lock")) as free:
        if not free:
            raise StoreError("A poll is at work: try again when it is done.")
        yield


Progress = Callable[[str], None]

_HOUR = timedelta(hours=1)
_DAY = timedelta(days=1)
_FORTNIGHT = timedelta(days=14)
_SAMPLE, _MANY_LOST = 100, 3  # how many letters are examined, and how many without references make a finding
_ROOM = 200_000_000
"""The number of bytes that must be free on the disk of the database, for a backup or an upgrade. If twice the size of
the database is more, that number is required instead."""


class Finding(NamedTuple):
    """A problem with the desk: where it is, what is wrong, and what to do about it. These three texts contain no
    addresses and no words from letters. `remedy` is "" if `what` already says enough."""

    where: str
    what: str
    remedy: str

    def __str__(self) -> str:
        return " ".join(filter(None, (f"{self.where}: {self.what}", self.remedy)))


def misconfigured(error: ConfigError) -> Iterator[Finding]:
    """Yield a finding for each problem in `error`, which was raised because the configuration cannot be used."""
    for problem in error.problems:
        yield Finding("configuration", problem, "`pbem check-config` names the file.")


def examine(config: Config, now: datetime, progress: Progress) -> Iterator[Finding]:
    """Examine the desk with the configuration `config`, and yield a finding for each problem. `progress` is called with
    a text at each step that may take long."""
    progress("trying key, database, mailbox and outgoing mail")
    for where, problem in check(config, now):
        yield Finding(where, str(problem), "")
    yield from _languages()
    yield from _disk(config)
    yield from _left_by_killed_runs(config)
    yield from left_to_fill_in(config)
    try:
        conn = connect(config.database)
    except StoreError:
        return  # reported above
    with closing(conn):
        store = Store(conn)
        try:
            with store.snapshot():
                yield from _database(store, progress)
                altered = [*schema_differences(conn)]
                yield from (Finding("database", difference, REMEDY) for difference in altered)
                for look_at in _LOOKS:
                    yield from look_at(store, config, now)
                if not altered:
                    yield from _record(store, progress)
        except SQLiteError as error:
            yield Finding("database", f"cannot be read ({error}).", _PUT_BACK)


_PUT_BACK = "Stop the polls, keep the file, and put back the newest backup that is whole."


def _overlooked(store: Store, config: Config, now: datetime) -> Iterator[Finding]:
    """Yield a finding if there are letters that no run has read although later letters were read. This happens if the
    server does not number letters in order."""
    with suppress(ConfigError, TransportError), open_mailbox(config) as mailbox:  # errors are reported above
        if number := mailbox.overlooked(look(store.conn, now).mark):
            problem = f"letters that came before the last one that was read were not read themselves: {number}."
            yield Finding(
                "mailbox", problem, "The first poll of a day reads them. Ask the server's people about UIDNEXT."
            )


def _languages() -> Iterator[Finding]:
    for language in languages.unmade():
        problem = f"letters that should be in `{language}` are in English, for its catalogues were not made."
        yield Finding("languages", problem, "Install pbem again (`pip install .`, or `pip install --editable .`).")


def _disk(config: Config) -> Iterator[Finding]:
    size = config.database.stat().st_size if config.database.exists() else 0
    free = shutil.disk_usage(config.path.parent).free
    needed = max(_ROOM, 2 * size)
    if free < needed:
        problem = f"only {free // 1_000_000} MB are free beside the database."
        yield Finding("disk", problem, f"Make room: at least {needed // 1_000_000} MB.")


def _left_by_killed_runs(config: Config) -> Iterator[Finding]:
    from pbem.store.backup import leftovers

    for folder in leftovers(config.database):
        problem = f"{folder} was left by a `pbem restore` that was killed; it may hold all data of the backup."
        yield Finding("disk", problem, "Delete it, or let the next `pbem restore` do so.")
    if (new := _new_key(config)).exists():
        problem = f"{new} was left by a `pbem rekey` that was killed; letters with new reply addresses may be waiting."
        yield Finding("key", problem, "Run `pbem rekey` again, so that the addresses of the last letters count.")


def left_to_fill_in(config: Config) -> Iterator[Finding]:
    """Yield a finding for each address that was left as it is in the example configuration, and for letters that go to
    a folder although letters come from a server. No letter sent by a server can reach such an address (RFC 2606)."""
    if isinstance(config.outgoing.place, Server):
        addresses = {
            "[outgoing] from": config.outgoing.sender,
            "[desk] operator": config.desk.operator,
            "[desk] game_master": config.desk.game_master,
        }
        if config.desk.game_master == config.desk.operator:
            del addresses["[desk] game_master"]
        for key, address in addresses.items():
            if address.address.rpartition("@")[2].lower() in ("example.org", "example.com", "example.net"):
                yield Finding("configuration", f"{key} is still that of the example.", "Put in an address of yours.")
    elif isinstance(config.mailbox.place, Server):
        problem = "[outgoing] url is still a folder, so nobody gets the letters in it."
        yield Finding("configuration", problem, "Put in your SMTP server.")


def _database(store: Store, progress: Progress) -> Iterator[Finding]:
    progress("checking the database")
    for problem in all_damage(store.conn):
        yield Finding("database", f"is damaged: {problem}.", _PUT_BACK)
    for table, rows in orphans(store.conn):
        yield Finding("database", f"{rows} rows of {table} belong to nothing that is there.", _PUT_BACK)


def _runs(store: Store, config: Config, now: datetime) -> Iterator[Finding]:
    if config.desk.rehearsal:
        return
    state = look(store.conn, now)
    last = state.last_run
    if not last:
        yield Finding("runs", "the desk has never run.", "Let cron start `pbem poll`, or run `pbem watch`.")
    elif parse_moment(last) > now:
        yield Finding("clock", f"it says {stamp(now)}, but the last run was at {last}.", "Set the clock right.")
    elif now - parse_moment(last) > 3 * config.desk.every:
        yield Finding("runs", f"the last run was at {last}.", "See whether cron starts `pbem poll`, and what it says.")
    if state.down_since:
        yield Finding("runs", f"no run has read the mailbox since {state.down_since}.", "`pbem poll` says why.")


def _letters_in(store: Store, config: Config, now: datetime) -> Iterator[Finding]:
    for name, since in look(store.conn, now).unread.items():
        problem = f"the mailbox has not given us the letter {name} since {since}."
        yield Finding("letters", problem, "`pbem poll` says why; mend it there, or delete it.")
    if why := removal_failure(store.conn):
        problem = f"some that are forgotten here could not be removed from the mailbox: {why}"
        yield Finding("letters", problem, "`pbem poll` tries again every hour.")
    for state, after, problem, remedy in (
        ("kept", 3 * config.desk.every, "came and are not handled yet", "`pbem poll` says what is wrong."),
        ("set aside", timedelta(), "are set aside: the program failed on them", "See `pbem letters --set-aside`."),
        ("held", _DAY, "are held until their senders say yes", "See `pbem letters`."),
    ):
        numbers = store.letters_in_state(state, now - after)
        if numbers:
            yield Finding("letters", f"{_numbers(numbers)} {problem}.", remedy)


def _replies(store: Store, config: Config, now: datetime) -> Iterator[Finding]:
    """Yield findings if some replies show only by their References which letter of ours they answer, or if many replies
    do not show it at all.

    This concerns only desks whose reply addresses contain no token.
    """
    if config.mailbox.reply != "none":
        return
    from pbem.service.writers import renamed

    heads = [letters.read_head(raw) for raw in waiting.letters_of_players(store, now - _FORTNIGHT, _SAMPLE)]
    again = sum(bool(renamed(head.threaded)) for head in heads)
    lost = sum(not find_tokens(head.threaded) for head in heads)
    remedy = "`pbem check-config --probe` says what a server does to letters, and whether `reply = plus` works."
    if again:
        named = f"which {again} of the last {len(heads)} letters of players answer."
        problem = f"a server gives our letters another Message-ID, {named}"
        yield Finding("replies", f"{problem} They are known by References alone, which some programs drop.", remedy)
    if lost >= _MANY_LOST and 2 * lost >= len(heads):
        problem = f"{lost} of the last {len(heads)} letters of players do not show which letter of ours they answer."
        yield Finding("replies", f"{problem} Their writers have to confirm each of them.", remedy)


def _letters_out(store: Store, config: Config, now: datetime) -> Iterator[Finding]:
    limit = held(config.outgoing, store, now)
    if limit:
        yield Finding("outbox", f"{limit}.", "The most urgent go first; raise the limit if your provider admits more.")
    waiting = outbox.unsent(store, now - _DAY)
    if waiting and not limit:
        problem = f"{_numbers(waiting)} wait for more than a day."
        yield Finding(
            "outbox", problem, "`pbem poll` says why they cannot be sent; `pbem check-config` tries the server."
        )
    for whom, number in outbox.refused_since(store, now - _FORTNIGHT):
        problem = f"letters to {whom} that were refused for good in the last two weeks: {number}."
        yield Finding("outbox", problem, "`pbem letters resend` says why, and sends them again; `pbem game replace`.")


def _games(store: Store, config: Config, now: datetime) -> Iterator[Finding]:
    """Yield findings about games that have stopped.

    These are games that are not being played although nothing is missing, games with a report that no game master can
    release, games that have been waiting for the beacon for more than an hour, and games that lack players.
    """
    stuck = waiting.stuck(store, now - 3 * config.desk.every)
    if stuck:
        problem = f"nothing is missing, and they are not played: {_first(stuck)}."
        yield Finding("games", problem, "`pbem poll` says why.")
    if unjudged := masters.reports_without_judge(store, game_master_of(config)):
        problem = f"a report waits, and every game master plays there: {_first(unjudged)}."
        yield Finding("games", problem, "Look at it and send it out: `pbem game show`, `pbem game release`.")
    if drawing := waiting.waiting_for_rounds(store, now - _HOUR):
        problem = f"they have waited for a round of the public beacon for more than an hour: {_first(drawing)}."
        yield Finding("games", problem, "`pbem poll` says why; `pbem game words` has one go on without it.")
    deserted = waiting.deserted(store)
    if deserted:
        problem = f"a player is gone, and no deadline ends their turn: {_first(deserted)}."
        yield Finding("games", problem, "End it or seat somebody else: `pbem game award`, `pbem game replace`.")


def _masters(store: Store, config: Config, now: datetime) -> Iterator[Finding]:
    """Yield findings about game masters who are banned, or whom letters do not reach."""
    for place, name, banned, refused in masters.master_statuses(store, game_master_of(config)):
        who = f"{name or 'the game master'} of {place}"
        if banned:
            remedy = "Let them in again (`pbem player unban`), or name another."
            yield Finding("game masters", f"{who} is banned.", remedy)
        if refused:
            yield Finding("game masters", f"the last letter to {who} went back.", "See whether the address is right.")


def _record(store: Store, progress: Progress) -> Iterator[Finding]:
    """Yield a finding about the first error that `pbem verify` would report, which often explains all others."""
    audit, read = Audit(store.conn), 0

    def tell(rows: int) -> None:
        nonlocal read
        read += rows
        progress(f"{read} rows compared with the record")

    difference = next(audit.differences(tell), None)
    if difference:
        yield Finding("record", difference, "Compare with a backup; docs/proof.md says what this means.")


def _numbers(numbers: Sequence[int]) -> str:
    return f"{len(numbers)} ({_first([str(number) for number in numbers])})"


def _first(texts: Sequence[str]) -> str:
    """Return the first five of `texts`, joined by commas; "..." follows if there are more."""
    return ", ".join(texts[:5]) + (", ..." if len(texts) > 5 else "")


_LOOKS = (_runs, _overlooked, _letters_in, _replies, _letters_out, _games, _masters)
