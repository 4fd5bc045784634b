"""The translation catalogues, kept with Babel: the sentences in the sources, and what each .po lacks.

    ./tasks locale              adds new sentences to each .po, compiles it, and prints what is missing
    ./tasks locale check        prints what is missing or wrong; the exit status is 1 if anything is
    ./tasks locale add fr       begins a language

A domain is a part of the sources with its own sentences: the service, and each game.
"""

import sys
from collections.abc import Iterable, Iterator
from contextlib import redirect_stderr
from functools import cache
from io import StringIO
from itertools import chain
from pathlib import Path
from string import Formatter

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from hatch_build import catalogues, make_catalogues
from pbem.games import find_game
from pbem.games.ozymandia.mistakes import MISTAKES
from pbem.games.ozz import narrative as chronicle
from pbem.games.ozz import receipt
from pbem.games.puzzles import texts_in
from pbem.games.rocknroll import narrative, orders
from pbem.orders import command, commands
from pbem.tournament import pairing

ROOT = Path(__file__).parent.parent
DOMAINS = ("pbem", "ozymandia", "rocknroll", "ozz")
_SAYS_ONE = ("say", "Sentence", "TimeError", "DurationError", "ZoneError", "DateError", "PaceError", "LanguageError")
_KEYWORDS = {**dict.fromkeys((*_SAYS_ONE, "DecisionError", "GameError", "LeagueError"), None), "many": (1, 2)}


def main(arguments: list[str]) -> int:
    """Carry out the command line, and return the exit status."""
    match arguments:
        case []:
            for path in catalogues():
                update(path)
            make_catalogues()
            _tell_problems()
            return 0
        case ["check"]:
            return 1 if _tell_problems() else 0
        case ["add", language]:
            for domain in DOMAINS:
                path = ROOT / "locale" / language / "LC_MESSAGES" / f"{domain}.po"
                path.parent.mkdir(parents=True, exist_ok=True)
                update(path)
            return 0
    print(__doc__)
    return 2


def _tell_problems() -> bool:
    """Print what is missing or wrong in all catalogues, and return whether anything is."""
    problems = [problem for path in catalogues() for problem in check(path)]
    print("\n".join(problems) or "Every catalogue is complete.")
    return bool(problems)


def update(path: Path) -> None:
    """Update a .po from the sources."""
    catalog = _load(path)
    catalog.update(_template(path.stem), no_fuzzy_matching=True, update_creation_date=False)
    catalog.obsolete.clear()
    catalog.msgid_bugs_address = "the project's issues"
    catalog.last_translator, catalog.language_team = "the pbem authors", catalog.locale_identifier
    with path.open("wb") as file:
        write_po(file, catalog, width=100, no_location=True)


def check(path: Path) -> Iterator[str]:
    """Yield a line for everything that is missing from a .po or wrong in it."""
    name = path.relative_to(ROOT)
    catalog = _load(path)
    said = _template(path.stem)
    for message in said:
        translated = catalog.get(message.id) if message.id else None
        # A doubtful ("fuzzy") translation counts as missing, because no .mo contains it.
        if message.id and (translated is None or translated.fuzzy or not all(_forms(translated.string))):
            yield f"{name}: no translation of {_forms(message.id)[0]!r}"
    for message in catalog:
        if message.id and message.id not in said:
            yield f"{name}: nothing says {_forms(message.id)[0]!r} any more"
        right = [gaps(form) for form in _forms(message.id)]  # "one piece" states its number without a gap
        if message.id and any(gaps(form) not in right for form in _forms(message.string) if form):
            yield f"{name}: the gaps differ in {_forms(message.string)[0]!r}"


def _load(path: Path) -> Catalog:
    language = path.parent.parent.name
    if not path.exists():
        comment = f"# What pbem says ({path.stem}), in another language. `./tasks locale` keeps this file up to date."
        return Catalog(locale=language, domain=path.stem, project="pbem", header_comment=comment, fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=language, domain=path.stem)


@cache
def _template(domain: str) -> Catalog:
    """All sentences in the sources of a domain."""
    catalog = Catalog(domain=domain)
    for path in _sources(domain):
        method = "python" if path.suffix == ".py" else "jinja2.ext:babel_extract"
        with redirect_stderr(StringIO()):  # Babel warns of each f-string; errors in files are in English only
            messages = [*extract_from_file(method, path, keywords=_KEYWORDS)]
        for _, message, _, _ in messages:
            if any(map(str.strip, _forms(message))):
                catalog.add(message)
    for message in _tables(domain):
        catalog.add(message)
    return catalog


def _sources(domain: str) -> Iterator[Path]:
    if domain == "pbem":
        games = [ROOT / "pbem" / "games" / name for name in DOMAINS]
        yield from (path for path in sorted((ROOT / "pbem").rglob("*.py")) if not {*games} & {*path.parents})
        for folder in ("letters", "notices", "plain"):
            yield from sorted((ROOT / "templates" / folder).glob("*.j2"))
    else:
        yield from sorted((ROOT / "pbem" / "games" / domain).rglob("*.py"))
        yield from sorted((ROOT / "templates" / "games" / domain).glob("*.j2"))


def _tables(domain: str) -> Iterable[str]:
    """The sentences that no call in the sources passes directly, because they are in tables or named otherwise."""
    if domain == "pbem":
        rows = [text for row in commands.COMMAND_ROWS if row.usage for text in (row.usage, row.help)]
        problems = (
            "cut at 256 kB",
            "cut at 64 kB of text",
            "cut at 1,000 lines",
            command.CUT,
            "cut where its HTML is nested too deeply",
            "no text part",
        )
        explained = chain.from_iterable(commands.EXPLANATIONS.items())
        return (*rows, *explained, *problems, *pairing.NOTES)
    of_games = {
        "ozymandia": MISTAKES,
        "rocknroll": (*narrative.SENTENCES, *orders.SENTENCES),
        "ozz": (*chronicle.SENTENCES, *receipt.SENTENCES),
    }
    puzzles = (text for one in texts_in(find_game(domain)) for text in (one["task"], one["moral"]))
    return (*of_games.get(domain, ()), *puzzles)


def _forms(text: str | Iterable[str] | None) -> tuple[str, ...]:
    return (text or "",) if text is None or isinstance(text, str) else tuple(text)


def gaps(text: str) -> set[str]:
    """The names of the values that a sentence requires."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
