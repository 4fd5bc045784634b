"""A desk with a league, its members and its game master, who only write letters."""

import email
import json
from email.message import Message
from email.mime.text import MIMEText

from pbem.cli.demo import answer_letter
from pbem.config.config import Address
from pbem.store.database import Store, connect
from support.desks import TestDesk

PEOPLE = [
    Address("Alice", "alice@example.net"),
    Address("Bob", "bob@example.com"),
    Address("Carla Brown", "carla@example.org"),
    Address("Dora", "dora@example.org"),
    Address("Erin", "erin@example.net"),
    Address("Flo", "flo@example.com"),
]
BY_NAME = {person.name: person for person in PEOPLE}


def division_of(size: int) -> str:
    """A division of a league file with the first `size` people."""
    people = ", ".join(f'"{one.name} <{one.address}>"' for one in PEOPLE[:size])
    return f"divisions = [{{ players = [{people}] }}]\n"


class LeagueDesk(TestDesk):
    """A desk with a league, and members who answer their letters."""

    __test__ = False

    def found(self, shape: str, size: int, *options: str) -> None:
        """Begin a league whose games count for ratings even if they are only awarded."""
        self.found_by_file(f'name = "Winter"\nformat = "{shape}"\nrate_unplayed = true\n{division_of(size)}', *options)

    def found_by_file(self, text: str, *options: str) -> None:
        (self.folder / "league.toml").write_text(text)
        told = self.run("league", "new", "--file", str(self.folder / "league.toml"), *options)
        assert told.status == 0, told.lines

    def refused(self, *words: str) -> str:
        told = self.run(*words)
        assert told.status == 2
        return "\n".join(told.lines)

    def ask(self, *words: str):
        told = self.run("league", *words, "--json")
        assert told.status == 0, told.lines
        return json.loads("".join(told.lines))

    def standings(self) -> list:
        return self.ask("standings", "Winter")

    def rounds(self) -> list:
        return self.ask("rounds", "Winter")

    def award(self, game: str, result: str) -> None:
        assert self.run("game", "award", game, result, "--reason", "it is late").status == 0

    def letters_to(self, name: str) -> list[Message]:
        return self.letters_of(BY_NAME[name])

    def respond(self, name: str, text: str, about: str = "") -> None:
        """Answer the last letter, or the last one whose subject contains `about`."""
        last = [letter for letter in self.letters_to(name) if about in letter["Subject"]][-1]
        self.send(answer_letter(last, BY_NAME[name], text, self.now))

    def write(self, person: Address, text: str) -> None:
        """Write a letter that answers none of ours."""
        letter = MIMEText(text)
        letter["From"], letter["To"], letter["Subject"] = f"{person.name} <{person.address}>", "gm@example.org", "Hello"
        letter["Message-ID"] = f"<{len(self.written)}.{self.now.timestamp()}@{person.address}>"
        self.send(letter)

    def letters_of(self, person: Address) -> list[Message]:
        found = map(email.message_from_bytes, (raw for raw in self.post.sent() if person.address.encode() in raw))
        return [letter for letter in found if letter["To"].endswith(f"<{person.address}>")]

    def direct(self, person: Address, text: str) -> Message:
        """Send a game master's letter, say `yes` if they are asked whether they wrote it, and return the last letter to
        them."""
        self.write(person, text)
        self.poll_well()
        asked = self.letters_of(person)[-1]
        if "Did you write this" in asked.as_string():
            self.send(answer_letter(asked, person, "yes", self.now))
            self.poll_well()
        return self.letters_of(person)[-1]

    def poll_well(self) -> None:
        told = self.poll()
        assert told == (0, []), told.lines

    @property
    def store(self) -> Store:
        return Store(connect(self.folder / "pbem.db"))
