"""Commands about the people of a desk, and commands for decisions of game masters. The commands for decisions are
generated from the table of commands that letters can contain."""

import json
import sys
from collections.abc import Iterator, Mapping
from typing import IO, TYPE_CHECKING, Any

import click

from pbem import PbemError
from pbem.cli.flags import Command, Group, Settings
from pbem.cli.run import WRONG_USE, say_if_empty
from pbem.orders.command import CommandRow, Decision, in_words
from pbem.orders.commands import DECISIONS, find_command

if TYPE_CHECKING:
    from pbem.store.database import Store


class PersonUnknown(PbemError):  # noqa: N818 - describes the person
    """Raised if nobody at this desk has the given number or address."""


@click.group(cls=Group)
def player() -> None:
    """Look at people, manage their addresses, and ban them."""


@player.command("list")
@click.option("--json", "as_json", is_flag=True)
@click.pass_obj
def list_people(settings: Settings, /, as_json: bool) -> None:
    """List all people, newest last."""
    from pbem.store.players import list_players

    with settings.desk() as desk:
        people = list_players(desk.store)
    if as_json:
        click.echo(json.dumps(people))
        return
    say_if_empty(people, "Nobody is known here yet.")
    for person in people:
        marks = [
            mark
            for mark, applies in (("not confirmed", not person["confirmed"]), ("banned", person["banned"]))
            if applies
        ]
        games = f"{person['games']} game{'s' * (person['games'] != 1)}"
        click.echo(f"{person['id']}  {person['name']} <{person['address'] or ''}>, {', '.join([games, *marks])}")


@player.command("show")
@click.argument("who", metavar="ID|ADDRESS")
@click.option("--json", "as_json", is_flag=True)
@click.pass_obj
def show_person(settings: Settings, /, who: str, as_json: bool) -> None:
    """Show what is known about a person. Orders that have yet to be revealed are never shown."""
    from pbem.store.players import data_of, list_players
    from pbem.store.search import seated

    with settings.desk() as desk:
        number = _find(desk.store, who)
        (person,) = (row for row in list_players(desk.store) if row["id"] == number)
        person |= {"data": data_of(desk.store, number)}
        games = [(game.match, game.seat, game.ended or game.phase) for game in seated(desk.store, number)]
    if as_json:
        click.echo(json.dumps(person | {"seats": [{"game": game, "side": side} for game, side, _ in games]}))
        return
    click.echo(f"{person['name']} <{person['address'] or ''}>, here since {person['since']}")
    for line in (*_described(person["data"]), *(f"{game}: {side}, {state}" for game, side, state in games)):
        click.echo(line)


def _described(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each item that is stored about a person; `data` comes from `players.data_of`."""
    yield from (f"{key}: {data[key]}" for key in ("zone", "language", "mail") if data[key])
    yield from (f"address: {address}{'' if sure else ', not confirmed'}" for address, sure in data["addresses"])
    yield from (f"away: {first} to {last}" for first, last in data["absences"])
    if data["refuses"]:
        yield f"invitations: none, since {data['refuses']}"
    for league, name, state, rating in data["leagues"]:
        yield f"league: {league}, as {name}, {state}{f', rating {rating}' if rating else ''}"
    yield from (f"observes: {game}" for (game,) in data["watched"])
    yield from (f"waits for: {game}" for (game,) in data["awaited"])
    yield f"turns: {data['on_time']} on time, {data['missed']} missed"
    yield f"letters: {data['letters']} from there, {data['sent']} to there"


@player.command()
@click.argument("who", metavar="ID|ADDRESS")
@click.option("--reason", required=True, metavar="TEXT", help="Why: the game masters of their games are told.")
@click.pass_obj
def ban(settings: Settings, /, who: str, reason: str) -> None:
    """Ban a person. Nothing that they write counts any more, and their letters are not answered."""
    _decide(settings, "ban", who, reason)
    click.echo("Done. The game masters of their games hear of it with the next poll.")


@player.command()
@click.argument("who", metavar="ID|ADDRESS")
@click.option("--reason", required=True, metavar="TEXT", help="Why: it goes into the record.")
@click.pass_obj
def unban(settings: Settings, /, who: str, reason: str) -> None:
    """Lift the ban on a person."""
    _decide(settings, "unban", who, reason)
    click.echo("Done.")


@player.group("address")
def addresses() -> None:
    """Change a person's addresses. A question is sent to each new address, which counts once it has answered `yes`."""


_REASON = click.option(
    "--reason", required=True, metavar="TEXT", help="Why: they are told, and it goes into the record."
)


@addresses.command()
@click.argument("who", metavar="ID|ADDRESS")
@click.argument("new", metavar="NEW")
@_REASON
@click.pass_obj
def add(settings: Settings, /, who: str, new: str, reason: str) -> None:
    """Add an address for a person. Once it is confirmed, their letters go there."""
    _decide(settings, "address", who, reason, f" also {new}")
    click.echo(f"Done: {new} is asked with the next poll, and counts when a `yes` has come from there.")


@addresses.command()
@click.argument("old", metavar="ADDRESS")
@_REASON
@click.pass_obj
def remove(settings: Settings, /, old: str, reason: str) -> None:
    """Remove one of a person's addresses."""
    _decide(settings, "address", old, reason, " no longer")
    click.echo("Done. They hear of it with the next poll.")


@addresses.command("replace")
@click.argument("old", metavar="ADDRESS")
@click.argument("new", metavar="NEW")
@_REASON
@click.pass_obj
def replace_address(settings: Settings, /, old: str, new: str, reason: str) -> None:
    """Replace one of a person's addresses with another. The old address need not answer: it may be lost."""
    _decide(settings, "address", old, reason, f" is {new}")
    click.echo(f"Done: {new} is asked with the next poll, and counts when a `yes` has come from there.")


def _decide(settings: Settings, word: str, who: str, reason: str, rest: str = "") -> None:
    """Make the decision `word` about a person. Its argument is the person's address, followed by `rest`. The address is
    `who` or, if `who` is a number, the address to which the person's letters go."""
    from pbem.orders.command import Decision
    from pbem.store.players import load_player

    with settings.desk() as desk:
        address = load_player(desk.store, _find(desk.store, who)).address
        desk.decide(Decision(word, "", (who if "@" in who else address) + rest, reason))


def _find(store: "Store", who: str) -> int:
    """Return the number of a player. `who` is that number, or one of the player's addresses. Raises PersonUnknown."""
    from pbem.mail.addresses import read_mailbox
    from pbem.store.players import number_of_player

    mailbox = read_mailbox(who)
    number = number_of_player(store, mailbox.address if mailbox else who)
    if number is None:
        raise PersonUnknown(f'Nobody here is "{who}": `pbem player list` shows all.')
    return number


@click.command("desk")
@click.option("--json", "as_json", is_flag=True)
@click.pass_obj
def show_desk(settings: Settings, /, as_json: bool) -> None:
    """Show what waits, what is late, and what is new. The news is what has happened since you last looked."""
    from pbem.config.config import game_master_of
    from pbem.service.directing import Directing
    from pbem.store.news import OPERATOR
    from pbem.times.moments import stamp

    with settings.desk() as desk, desk.store.transaction():
        report = Directing(desk.store, game_master_of(desk.config), OPERATOR, desk.now).look()
    waits = [
        {"since": stamp(since), "name": name, "what": text, "lines": lines}
        for since, name, text, lines in report["waits"]
    ]
    late = [
        {"name": name, "what": text, **({"due": stamp(due), "lines": [line]} if due else {})}
        for name, text, due, line in report["late"]
    ]
    happened = [{"name": event.name, "what": event.sentence} for event in report["news"]]
    if as_json:
        click.echo(json.dumps({"waits": waits, "late": late, "since": stamp(report["since"]), "news": happened}))
        return
    for row in waits:
        settled_by = f": {', '.join(row['lines'])}" if row["lines"] else ""
        click.echo(f"{row['name']}  {row['what']}, since {row['since']}{settled_by}")
    for row in (*late, *happened):
        overdue = f": decision due {row['due']}: {', '.join(row['lines'])}" if "due" in row else ""
        click.echo(f"{row['name']}  {row['what']}{overdue}")
    if not (waits or late or happened):
        click.echo(f"Nothing waits, and nothing has happened since {stamp(report['since'])}.")


def add_decisions(group: click.Group) -> None:
    """Add to `group` a command for each decision about a game, and the command `do`."""
    for row in DECISIONS:
        about_game = row.usage.split()[1:2] and row.usage.split()[1].startswith("GAME")
        if about_game and row.word != "letters":  # `pbem letters ID` takes its place
            group.add_command(_command(row))
    group.add_command(do_file)


@click.command("do")
@click.argument("file", metavar="FILE", type=click.File("rb"))
@click.pass_obj
def do_file(settings: Settings, /, file: IO[bytes]) -> None:
    """Carry out the decisions in a file. Each line contains one decision, written as in a letter. If any line cannot be
    read, nothing is done."""
    try:
        text = file.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise click.UsageError("The file is not UTF-8 text: save it in that charset.") from None
    refused = 0
    with settings.desk() as desk:
        decisions = _decisions_in(text, desk.store)
        for decision in decisions:
            try:
                desk.decide(decision)
                click.echo(f"Done: {in_words(decision)}")
            except PbemError as error:
                refused += 1
                click.echo(f"Not done: {in_words(decision)}\n  {error}", err=True)
    click.echo(f"{len(decisions) - refused} of {len(decisions)} are done. Letters go out with the next poll.")
    if refused:
        sys.exit(WRONG_USE)


def _decisions_in(text: str, store: "Store") -> list[Decision]:
    """Return the decisions in `text`. Raises UsageError if it contains anything else."""
    from pbem.orders.reader import read_words
    from pbem.store.search import league_names

    words = read_words(text, leagues=lambda: league_names(store))
    decisions = [command for command in words.commands if isinstance(command, Decision)]
    others = [in_words(command) for command in words.commands if not isinstance(command, Decision)]
    if unread := [*words.lines(), *others]:
        raise click.UsageError("Nothing was done, for these lines are no decisions:\n  " + "\n  ".join(unread))
    return decisions


def parse_decision(row: CommandRow, name: str, words: tuple[str, ...], reason: str) -> Decision:
    """Parse a decision about the game `name` from `words` of the command line, as if it had come in a letter. `row`
    describes the kind of decision. Raises UsageError."""
    argument = " ".join(words).strip()
    if row.word == "say":
        return Decision("say", name.lower(), argument, reason)
    if row.word in ("tell", "decide"):
        to, _, text = argument.partition(" ")
        return Decision(row.word, name.lower(), f"{to.rstrip(':')}: {text}", reason)
    if row.word == "orders" and ":" not in argument:
        argument = argument.replace(" ", ": ", 1)
    because = f" because {' '.join(reason.split())}" if reason.strip() and row.word != "release" else ""
    decision = find_command(row.word, f"{name} {argument}{because}")
    if not isinstance(decision, Decision) or decision.match != name.lower():
        raise click.UsageError(f'"{name}" is no name of a game: they are such as oz-17.')
    if not decision.understood:
        form = f"pbem game {row.word} {name} '{_argument(row)}'{' --reason TEXT' if because else ''}"
        raise click.UsageError(f'"{argument}" could not be read: write `{form}`.')
    return decision


def _argument(row: CommandRow) -> str:
    """Return the form of what follows the name of the game in the decision `row`, such as `2 days`."""
    return row.usage.partition(" because")[0].partition(" ")[2].removeprefix("GAME").lstrip(": ")


def _command(row: CommandRow) -> click.Command:
    """Return the command for the decision `row`. For example, the decision `extend GAME 2 days because ...` becomes the
    command `pbem game extend ID 2 days --reason TEXT`."""
    example = _argument(row)
    has_reason = "because" in row.usage

    def run(
        settings: Settings, /, name: str, words: tuple[str, ...] = (), reason: str = "", as_it_is: bool = False
    ) -> None:
        from pbem.store.matches import find_match

        with settings.desk() as desk:
            decision = parse_decision(row, name, words, reason)
            number = find_match(desk.store, name)
            if row.word == "process" and not as_it_is:
                _check_letters(desk.store, number)
            desk.decide(decision)
        click.echo(f"Done: {row.word} {name}. Letters go out with the next poll.")

    parameters: list[click.Parameter] = [click.Argument(["name"], metavar="ID")]
    if example:
        parameters.append(click.Argument(["words"], nargs=-1, required=True, metavar=f"'{example}'"))
    if has_reason:
        parameters.append(click.Option(["--reason"], required=True, metavar="TEXT", help="Why: the players are told."))
    if row.word == "process":
        help_text = "Even if a letter waits for the interpreter: it is answered after the turn."
        parameters.append(click.Option(["--as-it-is"], is_flag=True, help=help_text))
    text = f"{row.help[0].upper()}{row.help[1:]}."
    return Command(row.word, params=parameters, callback=click.pass_obj(run), help=text)


def _check_letters(store: "Store", number: int) -> None:
    """Raise UsageError if letters about the turn of this match wait for the interpreter."""
    from pbem.store.interpretations import waiting

    if seats := dict.fromkeys(one.seat for one in waiting(store) if one.match == number):
        raise click.UsageError(
            f"Letters of {', '.join(seats)} wait for the interpreter and may contain orders; the next poll reads them."
            " `--as-it-is` processes the turn without them."
        )
