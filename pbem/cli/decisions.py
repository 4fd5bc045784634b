"""What a game master decides, on the command line: made from the same table as the words of their letters."""

from typing import Any

import click

from pbem.orders.command import CommandRow, Decision
from pbem.orders.commands import DECISIONS, find_command


def add_decisions(group: click.Group) -> None:
    """A command for each decision on a game."""
    for row in DECISIONS:
        about_game = row.usage.split()[1:2] and row.usage.split()[1].startswith("GAME")
        if about_game and row.word != "letters":  # which is `pbem letters ID`
            group.add_command(_command(row))


def parse_decision(row: CommandRow, name: str, words: tuple[str, ...], reason: str) -> Decision:
    """The decision that words on the command line say, as if they stood in a letter. Raises UsageError."""
    said = " ".join(words).strip()
    if row.word == "say":
        return Decision("say", name.lower(), said, reason)
    if row.word == "tell":
        seat, _, text = said.partition(" ")
        return Decision("tell", name.lower(), f"{seat.rstrip(':')}: {text}", reason)
    if row.word == "orders" and ":" not in said:
        said = said.replace(" ", ": ", 1)
    because = f" because {' '.join(reason.split())}" if reason.strip() and row.word != "release" else ""
    decision = find_command(row.word, f"{name} {said}{because}")
    if not isinstance(decision, Decision) or decision.match != name.lower():
        raise click.UsageError(f'"{name}" is no name of a game: they are such as oz-17.')
    return decision


def _command(row: CommandRow) -> click.Command:
    """`pbem game extend ID 2 days --reason TEXT` for the row of `extend GAME 2 days because ...`."""
    example = row.usage.partition(" because")[0].partition(" ")[2].removeprefix("GAME").lstrip(": ")
    has_reason = "because" in row.usage

    def run(settings: Any, /, name: str, words: tuple[str, ...] = (), reason: str = "") -> None:
        from pbem.store.matches import find_match

        with settings.desk() as desk:
            decision = parse_decision(row, name, words, reason)
            find_match(desk.store, name)
            desk.decide(decision)
        click.echo(f"Done: {row.word} {name}. Letters go out with the next poll.")

    parameters: list[click.Parameter] = [click.Argument(["name"], metavar="ID")]
    if example:
        parameters.append(click.Argument(["words"], nargs=-1, required=True, metavar=f"'{example}'"))
    if has_reason:
        parameters.append(click.Option(["--reason"], required=True, metavar="TEXT", help="Why: the players are told."))
    text = f"{row.help[0].upper()}{row.help[1:]}."
    return click.Command(row.word, params=parameters, callback=click.pass_obj(run), help=text)
