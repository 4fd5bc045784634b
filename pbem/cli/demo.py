"""A demonstration of a game on a temporary desk, played with real letters through the code of an ordinary desk."""

import email
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from email.header import decode_header, make_header
from email.message import Message
from email.mime.text import MIMEText
from email.utils import format_datetime, make_msgid
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import click

from pbem import PbemError
from pbem.config.config import Address, Config, Maildir, load_config, read_key
from pbem.games import DEFAULT, find_game
from pbem.games.base import GameError, Seat, seats_of
from pbem.games.capabilities import Bot, HasDemonstration, as_translator
from pbem.i18n.languages import say_in
from pbem.match.model import Match
from pbem.match.terms import Terms
from pbem.render.blocks import parts_of
from pbem.service.desk import Desk, make_desk
from pbem.service.tick import clock, poll
from pbem.store.database import Store, connect
from pbem.store.matches import load_match
from pbem.store.outbox import made_after
from pbem.times.deadlines import Pace

ALICE = Address("Alice", "alice@example.net")
BOB = Address("Bob", "bob@example.com")

PEOPLE = (
    ALICE,
    BOB,
    Address("Carla", "carla@example.org"),
    Address("Dan", "dan@example.org"),
    Address("Eve", "eve@example.org"),
    Address("Fred", "fred@example.org"),
)
"""The players of a demonstration, in the order of the seats."""
_QUIT = ("quit", "exit")


def run(keep: Path | None, *, play: bool, whole: bool = False, game_name: str = DEFAULT, language: str = "en") -> None:
    """Play a demonstration of a game on a new desk, by letters in `language`.

    The demonstration is scripted or, if the game involves chance and so cannot be scripted, a game of the computer
    against itself. On a terminal it waits after each turn, unless `whole` is true. If `play` is true, the person at the
    terminal plays the first seat of a game instead. The desk is deleted afterwards, unless `keep` names a folder for
    it.
    """
    game = find_game(game_name)
    if not isinstance(game, Bot) and (play or not isinstance(game, HasDemonstration)):
        raise GameError(f"{game.title} has no {'computer opponent' if play else 'demonstration'}.")
    if play and isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # the terminal may have another encoding than Python expects
    folder = keep or Path(tempfile.mkdtemp(prefix="pbem-demo-"))
    if keep and keep.exists() and any(keep.iterdir()):
        raise PbemError(f"{keep} is not empty: name a folder that is not there yet.")
    try:
        matches = [*game.demonstrated] if isinstance(game, Bot) else [{}]
        table = DemoDesk(folder, game_name=game.name, language=language, **matches.pop(0))
        pauses = not whole and sys.stdin.isatty() and sys.stdout.isatty()
        while (_play(table) if play else _show(table, pauses=pauses)) and matches:
            table.begin(matches.pop(0))
        table.close()
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
    if keep:
        click.echo(f"The desk is kept in {folder}: `pbem --config {folder / 'config.ini'} game list` looks at it.")


class DemoDesk:
    """A desk that runs one game at a time. Letters from players are put into its inbox, and letters to players are read
    from its outbox."""

    def __init__(
        self,
        folder: Path,
        now: datetime | None = None,
        game_name: str = DEFAULT,
        *,
        language: str = "en",
        **options: Any,
    ) -> None:
        make_desk(folder, rehearsal=True)
        path = folder / "config.ini"
        if language != "en":
            path.write_text(path.read_text("utf-8").replace("\nlanguage = en\n", f"\nlanguage = {language}\n"), "utf-8")
        self.config: Config = load_config(path)
        self.now = now or clock()
        self.store = Store(connect(self.config.database))
        self.last: dict[Seat, Message] = {}
        self._seen = self._written = self._number = 0
        terms = options.pop("terms", None) or Terms(
            deadline=Pace(every=options.pop("every", timedelta(days=3))), remind=()
        )
        self.game = find_game(game_name)
        self.begin(options, terms)

    def begin(self, options: Mapping[str, Any], terms: Terms | None = None) -> None:
        """Begin a match; any earlier match must be over."""
        desk = Desk(self.config, self.store, self.now, "", read_key(self.config.desk.key_file))
        self.people = dict(zip(seats_of(self.game, options), PEOPLE, strict=False))
        terms = terms or Terms(deadline=Pace(every=timedelta(days=3)), remind=())
        self.name = desk.new_game(self.game.name, self.people, options, terms)
        self._number += 1

    def close(self) -> None:
        """Close the database, but keep the desk's folder."""
        self.store.conn.close()

    def answer(self, seat: Seat, text: str, *, to: Message | None = None) -> MIMEText:
        """Return an answer from `seat` to the letter `to`, by default to the last letter that `seat` received."""
        return answer_letter(to or self.last[seat], self.people[seat], text, self.now)

    def deliver(self, letter: bytes) -> None:
        """Put `letter` into the desk's inbox, after the letters already in it."""
        inbox = self.config.mailbox.place
        assert isinstance(inbox, Maildir)
        self._written += 1
        (inbox.path / "new" / f"{self.now.timestamp():.0f}.Q{self._written}.demo").write_bytes(letter)

    def write(self, seat: Seat, text: str) -> None:
        """Write and deliver an answer from `seat` to the last letter that `seat` received."""
        self.deliver(self.answer(seat, text).as_bytes())

    def poll(self) -> list[tuple[Seat, Message]]:
        """Run the desk, and return the letters that it has written since the last call, in order, each with the seat of
        its recipient."""
        self.run()
        return list(self.letters())

    def run(self) -> None:
        """Set the desk's clock forward by five minutes, and run the desk. Raises PbemError if there is trouble, or
        if a letter was set aside."""
        self.now += timedelta(minutes=5)
        report = poll(self.config, self.now, lambda text: None, self.store)
        if not report.well or report.aside:
            raise PbemError("; ".join(report.lines))

    def letters(self) -> Iterator[tuple[Seat, Message]]:
        """Yield the letters that the desk has written since the last call, each with the seat of its recipient."""
        for number, seat, raw in made_after(self.store, self._seen):
            self._seen = number
            self.last[seat] = letter = email.message_from_bytes(raw)
            yield seat, letter

    def match(self) -> Match:
        """Load the current state of the match."""
        return load_match(self.store, self._number)

    def over(self) -> bool:
        """Return whether the game has ended."""
        return self.match().result is not None

    @property
    def language(self) -> str:
        """The language of the desk's letters."""
        return self.config.desk.language

    def opponent_orders(self, seat: Seat) -> str:
        """Return the orders that the computer chooses for `seat`, given what `seat` may see, as they are written in the
        language of the desk's letters."""
        assert isinstance(self.game, Bot)
        state, translator = self.match().state, as_translator(self.game)
        orders = str(self.game.choose(self.game.view(state, seat), seat))
        return translator.translate_orders(state, orders, say=say_in(self.language)) if translator else orders


def answer_letter(answered: Message, who: Address, text: str, now: datetime) -> MIMEText:
    """Return an answer from `who` to the letter `answered`, in the form that mail programs use: `text`, followed by a
    quotation of `answered`."""
    quoted = "\n".join(f"> {line}" for line in letter_text(answered).splitlines())
    letter = MIMEText(f"{text}\n\nOn {answered['Date']}, {answered['From']} wrote:\n{quoted}\n", _charset="utf-8")
    letter["From"] = f"{who.name} <{who.address}>"
    letter["To"] = answered["Reply-To"]
    letter["Subject"] = f"Re: {answered['Subject']}"
    letter["Date"] = format_datetime(now)
    letter["Message-ID"] = make_msgid(domain=who.address.partition("@")[2])
    letter["In-Reply-To"] = answered["Message-ID"]
    letter["References"] = f"{answered['References'] or ''} {answered['Message-ID']}".strip()
    return letter


def letter_text(letter: Message) -> str:
    """Return the text part of a letter made by a desk, or "" if it has no such part."""
    for part in letter.walk():
        if part.get_content_type() == "text/plain":
            content = part.get_payload(decode=True)
            assert isinstance(content, bytes)
            return content.decode().replace("\r\n", "\n")
    return ""


def _show(table: DemoDesk, *, pauses: bool) -> bool:
    """Play a whole game. Print all orders, the full text of each letter to the first seat, and one line of each letter
    to any other seat. If `pauses` is true, wait before each run of the desk for the person at the terminal. Return
    whether the game was played to its end."""
    _print_letters(table, table.poll())
    game, say = table.game, say_in(table.language)
    for letters in game.demonstration[table.language] if isinstance(game, HasDemonstration) else _by_computer(table):
        if pauses and not _goes_on():
            click.echo("The rest is left out. Thank you for looking.")
            return False
        for seat, text in letters:
            _heading(say("{name} answers", name=table.people[seat].name))
            written = "\n".join(parts_of(text))
            click.echo(written)
            table.write(seat, written)
        _print_letters(table, table.poll())
    return True


def _goes_on() -> bool:
    """Ask the person at the terminal whether to go on, and return the answer."""
    try:
        return input("\n[Enter goes on, `quit` ends; `--all` shows everything at once] ").strip().lower() not in _QUIT
    except EOFError:
        return False


def _by_computer(table: DemoDesk) -> Iterator[list[tuple[Seat, str]]]:
    """For each run of the desk until the game is over, yield the seats that have to write, each with the orders that
    the computer chooses for it."""
    while not table.over():
        yield [(seat, table.opponent_orders(seat)) for seat in table.match().missing()]


def _print_letters(table: DemoDesk, letters: Iterable[tuple[Seat, Message]], *, all_seats: bool = True) -> None:
    """Print the letters to the first seat in full. If `all_seats` is true, also print the first line of each other
    letter."""
    first, *_ = table.people
    say = say_in(table.language)
    for seat, letter in letters:
        if all_seats or seat == first:
            subject = str(make_header(decode_header(letter["Subject"])))
            _heading(say("To {reader}: {subject}", reader=letter["To"], subject=subject))
            lead = next(line for line in letter_text(letter).splitlines()[1:] if line)
            click.echo(letter_text(letter) if seat == first else f"{lead} ...")


def _heading(text: str) -> None:
    click.echo(f"\n=== {text} {'=' * max(3, 66 - len(text))}\n")


def _play(table: DemoDesk) -> bool:
    """Let the person at the terminal play the first seat: send what they type as letters, and print the letters to
    their seat. Return whether the game was played to its end."""
    first, *others = table.people
    _print_letters(table, table.poll(), all_seats=False)
    while not table.over():
        match = table.match()
        awaited = match.missing()
        if first in awaited or not awaited:  # if no seat is awaited, the first seat has to resume the game
            _, example = table.game.prospects(table.game.view(match.state, first), first)
            click.echo(f'Your orders ("{example}"), then an empty line; `quit` ends.')
            text = _read_lines()
            if text is None:
                click.echo("The game is left as it is. Thank you for playing.")
                return False
            table.write(first, text)
        for seat in others:
            if seat in awaited:
                table.write(seat, table.opponent_orders(seat))
        _print_letters(table, table.poll(), all_seats=False)
    return True


def _read_lines() -> str | None:
    """Return what the person at the terminal types up to an empty line; None if they quit, or if the input ends before
    they have typed anything."""
    lines: list[str] = []
    while True:
        try:
            line = input("> ")
        except EOFError:
            return "\n".join(lines) or None
        if line.strip().lower() in _QUIT:
            return None
        if not line and lines:
            return "\n".join(lines)
        if line:
            lines.append(line)
