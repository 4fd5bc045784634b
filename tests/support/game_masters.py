"""Letters from a game master to a desk, and their results."""

import json
from datetime import timedelta
from email.message import Message
from email.mime.text import MIMEText

from pbem.cli.demo import DemoDesk, answer_letter, letter_text
from pbem.config.config import Address, load_config
from pbem.leagues.league_file import League, dump_league
from pbem.match.model import Master
from pbem.match.terms import Terms, dump_terms
from pbem.times.deadlines import Pace

GINA = Address("Gina", "operator@example.org")


def fresh(table: DemoDesk, text: str, who: Address = GINA) -> None:
    """Send the desk a letter that answers none."""
    table.now += timedelta(seconds=1)
    letter = MIMEText(text)
    letter["From"], letter["To"], letter["Subject"] = f"{who.name} <{who.address}>", "gm@example.org", "Hello"
    letter["Message-ID"] = f"<{table.now.timestamp()}@{who.address}>"
    table.deliver(letter.as_bytes())


def last_to(letters: list[tuple[str, Message]], address: str) -> Message:
    return [letter for _, letter in letters if address in letter["To"]][-1]


def to(letters: list[tuple[str, Message]], who: Address) -> str:
    """All that somebody is told, in one line."""
    found = [letter_text(letter) for _, letter in letters if who.address in letter["To"]]
    return " ".join(" ".join(found).split())


def written(table: DemoDesk, seat: str, text: str) -> list[tuple[str, Message]]:
    """The letters that come of a letter from a seat."""
    table.write(seat, text)
    return table.poll()


def decide(table: DemoDesk, text: str, who: Address = GINA) -> list[tuple[str, Message]]:
    """Send a fresh letter from a game master, say yes when asked whether they wrote it, and return the results."""
    fresh(table, text, who)
    letters = [letter for _, letter in table.poll()]
    asked = [letter for letter in letters if "Did you write this" in letter_text(letter)]
    assert asked, [letter_text(letter) for letter in letters]
    table.deliver(answer_letter(asked[-1], who, "yes", table.now).as_bytes())
    return table.poll()


def say(table: DemoDesk, *lines: str, who: Address = GINA) -> list[tuple[str, Message]]:
    """Send a game master's letter to a desk that trusts addresses, and return the results. The desk asks whether they
    wrote it only before it knows the game master."""
    path = table.config.path
    if "trust = address" not in path.read_text():
        path.write_text(path.read_text().replace("trust = token", "trust = address"))
        table.config = load_config(path)
    fresh(table, "\n".join(lines), who)
    letters = table.poll()
    asked = [letter for _, letter in letters if "Did you write this" in letter_text(letter)]
    if not asked:
        return letters
    table.deliver(answer_letter(asked[-1], who, "yes", table.now).as_bytes())
    return table.poll()


def in_league(table: DemoDesk, *masters: Master) -> None:
    """Put the game into a league with its own game masters, whose season has not begun."""
    league = League("north", "round-robin", masters=masters)
    table.store.conn.execute(
        "INSERT INTO leagues (name, settings) VALUES ('north', ?)",
        (json.dumps(dump_league(league)),),
    )
    table.store.conn.execute("UPDATE matches SET league = 1")


def set_terms(table: DemoDesk, **terms) -> None:
    """Give the game other terms, like a league file."""
    changed = json.dumps(dump_terms(Terms(**{"deadline": Pace(every=timedelta(days=3)), "remind": (), **terms})))
    table.store.conn.execute("UPDATE matches SET terms = ?", (changed,))
