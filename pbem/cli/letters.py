"""`pbem letters` and `pbem words`: letters that are waiting for a person, and letters of a game's finished turns."""

import re
import sys
from typing import TYPE_CHECKING

import click

from pbem.cli.flags import Settings
from pbem.cli.run import printable, say_if_empty
from pbem.orders.command import GAME, Decision

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.service.letters_shown import ShownLetter


class _LettersGroup(click.Group):
    """A group of commands whose first word may also be the id of a game, which stands for the command `of` with that
    id."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if re.fullmatch(GAME, args[0], re.I):
            args = ["of", *args]
        return super().resolve_command(ctx, args)


@click.group(
    cls=_LettersGroup, invoke_without_command=True, subcommand_metavar="[[of] ID [TURN] | retry ID | resend [ID]...]"
)
@click.option("--set-aside", is_flag=True, help="Only those that the program failed on.")
@click.option("--show", is_flag=True, help="With their text; the record notes that it was shown.")
@click.pass_context
def letters(ctx: click.Context, set_aside: bool, show: bool) -> None:
    """List letters that wait for a person, or the letters of a game. A letter waits if it cannot be read from the
    mailbox, if the program failed on it and set it aside, if it is held until a player has confirmed it, or if its From
    field does not contain exactly one address, so that nobody could be answered. With the ID of a game, the letters of
    its finished turns are shown."""
    from pbem.store.database import look

    if ctx.invoked_subcommand:
        return
    with ctx.obj.desk() as desk:
        unread = look(desk.store.conn, desk.now).unread
        waiting = desk.store.waiting_for_people(quarantined=set_aside)
        say_if_empty([*unread, *waiting], "No letter is set aside." if set_aside else "No letter waits for anybody.")
        for name, since in unread.items():
            click.echo(f"{name}  {since}  in the mailbox, not read: `pbem poll` says why")
        for number, arrived, state, seat, why in waiting:
            click.echo(f"{number}  {arrived}  {state}{f', {seat}' if seat else ''}: {why}")
            if show:
                with desk.store.transaction():
                    desk.store.note("letter shown", {"letter": number}, desk.now)
                click.echo(_readable(desk.store.raw_letter(number)))


@letters.command()
@click.argument("number", type=click.IntRange(1, 999_999_999), metavar="ID")
@click.pass_obj
def retry(settings: Settings, /, number: int) -> None:
    """Have the next poll handle a letter again. The letter must have been set aside or held."""
    with settings.desk() as desk, desk.store.transaction():
        desk.store.raw_letter(number)
        if not desk.store.retry(number):
            raise click.UsageError(f"Letter {number} is neither set aside nor held.")
        desk.store.note("letter retried", {"letter": number}, desk.now)
    click.echo(f"Letter {number} is handled again with the next poll.")


@letters.command()
@click.argument("numbers", type=click.IntRange(1, 999_999_999), nargs=-1, metavar="[ID]...")
@click.pass_obj
def resend(settings: Settings, /, numbers: tuple[int, ...]) -> None:
    """List outgoing letters that were not delivered, or send some again. Letters are sent again with the next poll, to
    the address that their reader has now."""
    from pbem.store import outbox

    with settings.desk() as desk:
        if not numbers:
            refused = outbox.refused_letters(desk.store)
            say_if_empty(refused, "All letters were delivered, as far as we know.")
            for letter in refused:
                click.echo(printable(f"{letter.id}  {letter.made}  {letter.kind}, for {letter.whom}: {letter.why}"))
        with desk.store.transaction():
            for number in numbers:
                if not outbox.send_again(desk.store, number, desk.now):
                    raise click.UsageError(f"Letter {number} is no letter of the desk's that could not be delivered.")
    for number in numbers:
        click.echo(f"Letter {number} is sent again with the next poll.")


@letters.command()
@click.option("--older", metavar="TIME", help="Older than this, such as `30 days`; else as configured.")
@click.pass_obj
def prune(settings: Settings, /, older: str | None) -> None:
    """Remove old letters from strangers. Letters of games and players are kept."""
    from pbem.service.tick import prune_old
    from pbem.times.moments import parse_duration

    with settings.desk() as desk:
        keep = parse_duration(older) if older else desk.config.desk.keep_strangers
        number = prune_old(keep, desk.store, desk.now)
    click.echo(f"{number} letters of strangers were removed.")


@letters.command("of")
@click.argument("name", metavar="ID")
@click.argument("turn", type=click.IntRange(1, 999_999), required=False)
@click.option("--raw", is_flag=True, help="As they came, in the format mboxrd, for a file.")
@click.pass_obj
def of_game(settings: Settings, /, name: str, turn: int | None, raw: bool) -> None:
    """Show the letters of a game's finished turns. The output says how each letter was read and what became of it. The
    record notes that the letters were shown."""
    from pbem.archive.mbox import in_mailbox
    from pbem.service.letters_shown import show_letters
    from pbem.store.matches import find_match, load_match

    if raw and sys.stdout.isatty():
        raise click.UsageError("What a letter holds may not be good for a terminal: send it into a file with `>`.")
    with settings.desk() as desk:
        number = find_match(desk.store, name)
        desk.decide(Decision("letters", name.lower(), str(turn or ""), ""))
        match = load_match(desk.store, number)
        letters_shown = show_letters(desk.store, match, turn, most=None)
    if raw:
        for letter in letters_shown.letters:
            click.echo(
                b"" if letter.raw is None else in_mailbox(letter.sender or "nobody", letter.arrived, letter.raw),
                nl=False,
            )
        return
    if letters_shown.closed:
        click.echo("What they say is shown when the game is over.")
    for letter in letters_shown.letters:
        click.echo(
            f"{letter.number}  {letter.arrived}  {letter.seat}, from {letter.sender or 'no address'},"
            f" in turn {letter.during}"
        )
        for line in _lines(letter):
            click.echo(printable(f"    {line}".rstrip()))


def _lines(letter: "ShownLetter") -> "Iterator[str]":
    """Yield lines that describe what became of `letter` and show its text."""
    from pbem.orders.reader import render_mistakes

    yield letter.fate
    if letter.canonical:
        yield f"Read as: {letter.canonical}"
    if letter.interpreted:
        yield f"The interpreter answered: {letter.interpreted}"
    if letter.gone:
        yield "Its text is gone: someone in this game asked to be forgotten."
    yield from letter.words
    for mistake in render_mistakes(letter.mistakes):
        yield from mistake


def _readable(raw: bytes) -> str:
    """Return the sender and the subject of a letter, and its writer's own words. If the letter cannot be read, return
    its bytes as text. The result contains no terminal control characters."""
    from pbem.mail.sandbox import Unreadable, shared_reader
    from pbem.orders.reader import may_be_order

    try:
        letter = shared_reader(may_be_order).read(raw)
        text = f"From {letter.sender or 'nobody'}: {letter.subject}\n{letter.text}\n"
    except Unreadable:
        text = raw.decode("utf-8", "replace")
    return printable(text)


@click.command()
@click.pass_obj
def words(settings: Settings, /) -> None:
    """List the lines that players were asked about. They are material for `./tasks train`, sorted into doubt and chat
    as the desk would sort them; correct the sorting where it is wrong. Lines with names or numbers, and letters of
    unfinished turns, are left out."""
    from pbem.service.letters_shown import lines_asked

    with settings.desk() as desk:
        click.echo(lines_asked(desk.store))
