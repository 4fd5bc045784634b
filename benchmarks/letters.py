"""A thousand letters for five hundred games, waiting on an IMAP server: polled, adjudicated and answered in one run."""

import json
import sqlite3
from collections.abc import Iterator
from email import message_from_bytes
from email.mime.text import MIMEText
from email.utils import format_datetime
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.installation import Run, installation
from benchmarks.positions import some_orders, write_orders
from benchmarks.report import Row
from benchmarks.servers import PASSWORD, Account, dovecot, served_desk, smtp_sink
from pbem.cli.demo import letter_text
from pbem.config.config import Address, load_config, read_key
from pbem.games.base import Seat
from pbem.games.ozymandia.state import SEATS, set_up
from pbem.service.desk import Desk
from pbem.service.tick import clock
from pbem.store.database import Store, connect

GAMES = 500
ROUNDS = 3
SINGLE = 15
"""The number of letters that are answered one at a time, each by a new process."""

_BARE = """
import json
import smtplib
import sys
from imapclient import IMAPClient

imap_port, smtp_port, user, password, letters = sys.argv[1:]
client = IMAPClient("127.0.0.1", int(imap_port), ssl=False)
client.login(user, password)
client.select_folder("INBOX")
uids = client.search("ALL")
for start in range(0, len(uids), 50):
    client.fetch(uids[start : start + 50], ["BODY.PEEK[]"])
client.logout()
with smtplib.SMTP("127.0.0.1", int(smtp_port), local_hostname="example.org") as smtp:
    for recipient, size in json.loads(letters):
        smtp.sendmail("", [recipient], b"x" * 70 + (b"\\r\\n" + b"x" * 70) * (size // 72))
"""

_ALONE = "fetch and send alone"
Invitations = dict[tuple[int, Seat], bytes]


class Poll(NamedTuple):
    """One poll of many letters with its yardstick, the counts of what happened, and the letters sent (recipient,
    bytes)."""

    ours: Run
    bare: Run
    counts: dict[str, int]
    sent: list[tuple[str, int]]


def measure() -> Iterator[Row]:
    """Letters per second and peak memory of one poll; then the cost of a single waiting letter."""
    with dovecot() as server, smtp_sink() as smtp_port, TemporaryDirectory(prefix="pbem-bench-") as name:
        folder = Path(name)
        polls = [_many(folder / f"many-{n}", server.account(), smtp_port) for n in range(ROUNDS)]
        yield from _rows(polls)
        yield from _single(folder / "one", server.account(), smtp_port)


def _rows(polls: list[Poll]) -> Iterator[Row]:
    """The rows for the fastest poll, the fastest yardstick, and the largest memory."""
    letters = GAMES * len(SEATS)
    speed = letters / min(one.ours.seconds for one in polls)
    moved = letters / min(one.bare.seconds for one in polls)
    megabytes = max(one.ours.megabytes for one in polls)
    bare = max(one.bare.megabytes for one in polls)
    counts, sent = polls[0].counts, polls[0].sent
    cpu, cpu_bare = (
        min(run.cpu for run in runs) for runs in zip(*((one.ours, one.bare) for one in polls), strict=True)
    )
    yield Row("1,000 letters: CPU", cpu, "s", _ALONE, cpu_bare)
    yield Row("letters polled and answered", speed, "a second", _ALONE, moved, ">= 150", speed >= 150)
    yield Row("  peak memory", megabytes, "MB", _ALONE, bare, "< 120 MB", megabytes < 120)
    yield Row("  letters in", letters)
    yield Row("  turns played", counts["turns"])
    yield Row("  letters out", len(sent))
    yield Row("  bytes of a letter out", sum(size for _, size in sent) / len(sent))


def _many(folder: Path, account: Account, smtp_port: int) -> Poll:
    ours, config = installation(), served_desk(folder, account, smtp_port)
    text = config.read_text().replace("cooling_off = 10 minutes", "cooling_off = 0")  # so that turns are played at once
    config.write_text(text)
    random = Random(1981)
    invitations = new_games(config, GAMES)
    account.deliver(*(letter_to(random, seat, raw, _words(random, seat)) for (_, seat), raw in invitations.items()))
    run = ours.run(ours.pbem, "--config", config, "poll")
    counts, sent = _what_happened(folder / "pbem.db")
    assert counts["handled"] == len(invitations), counts
    assert counts["turns"], "no turn was played"
    (script := folder / "bare.py").write_text(_BARE)
    ports = account.server.imap, smtp_port
    bare = ours.run(ours.python, script, *ports, account.name, PASSWORD, json.dumps(sent))
    return Poll(run, bare, counts, sent)


def _single(folder: Path, account: Account, smtp_port: int) -> Iterator[Row]:
    ours, config = installation(), served_desk(folder, account, smtp_port)
    random = Random(1981)
    invitation = new_games(config, 1)[1, "red"]
    (script := folder / "bare.py").write_text(_BARE)
    arguments = account.server.imap, smtp_port, account.name, PASSWORD, json.dumps([("alice@example.net", 6_000)])
    runs = []
    for number in range(SINGLE):
        account.deliver(letter_to(random, "red", invitation, f"{number % 3 + 1} A to M"))
        answered = ours.run(ours.pbem, "--config", config, "poll")
        runs.append((answered, ours.run(ours.python, script, *arguments)))
    cpu, cpu_bare = (min(run.cpu for run in both) * 1000 for both in zip(*runs, strict=True))
    seconds, bare = (median(run.seconds for run in both) * 1000 for both in zip(*runs, strict=True))
    yield Row("one order to its receipt: CPU", cpu, "ms", _ALONE, cpu_bare, "<= 3.2 x", cpu <= 3.2 * cpu_bare)
    yield Row("  by the clock", seconds, "ms", _ALONE, bare)
    yield Row("  peak memory", max(answered.megabytes for answered, _ in runs), "MB")


def new_games(config_file: Path, number: int) -> Invitations:
    """Set up games in one transaction, with their invitations marked as sent."""
    config = load_config(config_file)
    store = Store(connect(config.database))
    desk = Desk(config, store, clock(), "", read_key(config.desk.key_file))
    with store.transaction():
        for game in range(1, number + 1):
            seats = {seat: Address(f"{seat.title()} {game}", f"{seat}{game}@example.net") for seat in SEATS}
            desk.new_game("ozymandia", seats, {}, desk.terms)
        store.conn.execute("UPDATE outbox SET sent = made")
    rows = store.conn.execute("SELECT match, seat, raw FROM outbox").fetchall()
    store.conn.close()
    return {(match, seat): raw for match, seat, raw in rows}


def _words(random: Random, seat: Seat) -> str:
    """Write a player's text: mostly legal orders, wrong ones in ten of a hundred letters, and a command in one of
    five."""
    chance = random.random()
    if chance < 0.05:
        return random.choice(("help", "status"))
    text = _good_orders(random, seat)
    if chance < 0.15:
        text += random.choice((", 7 A to V", ", Bomb Atlantis", ", 2 Muu to S"))
    return random.choice(("{}", "{}", "Hi,\n\n{}\n\nthank you for the last game.")).format(text)


def _good_orders(random: Random, seat: Seat) -> str:
    start = set_up({})
    while not (orders := some_orders(random, start, seat, range(2, 4))):
        pass
    return write_orders(random, start, seat, orders)


def letter_to(random: Random, seat: Seat, invitation: bytes, words: str) -> bytes:
    """An answer to an invitation with the whole invitation quoted below, as mail programs do."""
    answered = message_from_bytes(invitation)
    quoted = "\n".join(f"> {line}" for line in letter_text(answered).splitlines())
    letter = MIMEText(f"{words}\n\n{seat.title()}\n\nOn {answered['Date']}, {answered['From']} wrote:\n{quoted}\n")
    letter["From"] = answered["To"]
    letter["To"] = answered["Reply-To"]
    letter["Subject"] = f"Re: {answered['Subject']}"
    letter["Date"] = format_datetime(clock())
    letter["Message-ID"] = f"<{random.getrandbits(64):x}@example.net>"
    letter["In-Reply-To"] = answered["Message-ID"]
    letter["References"] = f"{answered['References']} {answered['Message-ID']}"
    return letter.as_bytes()


def _what_happened(path: Path) -> tuple[dict[str, int], list[tuple[str, int]]]:
    """The numbers of letters handled and turns played, and the letters sent: recipient and bytes."""
    database = sqlite3.connect(path)
    counts = dict(database.execute("SELECT state, count(*) FROM letters GROUP BY state"))
    (counts["turns"],) = database.execute("SELECT count(*) FROM turns").fetchone()
    sent = database.execute("SELECT recipient, length(raw) FROM outbox WHERE kind <> 'invitation' AND sent > ''")
    letters = sent.fetchall()
    database.close()
    return counts, letters
