"""What Lark makes of a grammar, as plain values: made when pbem is built, so that a run need not do it again.

A file of tables says of which texts it was made; one that does not fit is left alone, and Lark is asked.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.games.words import order_words
from pbem.i18n.words import alternatives, words
from pbem.patterns import compiled
from pbem.resources import resource
from pbem.values import NamedTuple

if TYPE_CHECKING:
    from lark import Lark
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

SHARED = "grammar/orders.lark"
GAME_STARTS, COMMAND_STARTS = ("orders", "beginning"), ("commands",)
"""The rules that a text is read by: in the grammar of a game, and in the service's own."""

END = "$END"
"""What Lark calls the end of a text."""

_MADE = "grammar/made"
_WORDS = compiled(r"(?<!\?P)<((?:[a-z]+\.)?[a-z_]+)>")


class Completion(NamedTuple):
    """What to do when a rule is complete; a grammar's rules by their numbers.

    `size` values belong to it; `kept` has the places of those that count, whether each is a list to be joined, and how
    many None stand before it; `single`: one value that is left stands for itself; `shape` is the name of what is made
    of them, "": a list that another rule joins.
    """

    name: str
    size: int
    kept: tuple[tuple[int, bool, int], ...]
    behind: int
    single: bool
    shape: str


class Tables(NamedTuple):
    """A grammar made ready.

    `first` has a state for each start, `steps` by state and kind of the next word, or name of a rule just completed,
    the state to go to, or -1 less the number of the rule that is complete. `terminals` are regular expressions in the
    order in which they are tried; `opening` the terminals that a text of each start may begin with.
    """

    first: Mapping[str, int]
    ends: tuple[int, ...]
    steps: Mapping[int, Mapping[str, int]]
    rules: Sequence[Completion]
    terminals: Mapping[str, str]
    ignored: tuple[str, ...]
    opening: Mapping[str, tuple[str, ...]]


def tables_of(path: Path, starts: tuple[str, ...]) -> Tables:
    """The tables of a grammar: those that the build made, if they are of these very texts, else what Lark makes now."""
    try:
        found = json.loads(made_file(path).read_bytes())
    except (OSError, ValueError):
        return make_tables(path, starts)
    return _loaded(found["tables"]) if found.get("of") == digest(path) else make_tables(path, starts)


def made_file(path: Path) -> Path:
    """Where the tables of a grammar are, if the build has made them."""
    return resource(_MADE) / f"{path.resolve().parent.name}.json"


def digest(path: Path) -> str:
    """SHA-256 of all texts that the tables of a grammar depend on, this program's way of making them among them."""
    found = hashlib.sha256()
    texts = [
        path,
        *sorted((path.parent / "words").glob("*.toml")),
        resource(SHARED),
        *sorted(resource("locale").glob("*/words.toml")),
        Path(__file__),
    ]
    for text in texts:
        found.update(hashlib.sha256(text.read_bytes()).digest())
    return found.hexdigest()


def written(path: Path, starts: tuple[str, ...]) -> str:
    """The tables of a grammar as a file has them."""
    made = make_tables(path, starts)
    plain = {**made._asdict(), "terminals": [*made.terminals.items()]}  # their order counts
    return json.dumps({"of": digest(path), "tables": plain}, separators=(",", ":"), sort_keys=True) + "\n"


def _loaded(found: Mapping[str, Any]) -> Tables:
    return Tables(
        first=found["first"],
        ends=tuple(found["ends"]),
        steps={int(state): row for state, row in found["steps"].items()},
        rules=[Completion(name, size, tuple(map(tuple, kept)), *more) for name, size, kept, *more in found["rules"]],
        terminals=dict(found["terminals"]),
        ignored=tuple(found["ignored"]),
        opening={start: tuple(names) for start, names in found["opening"].items()},
    )


# What Lark makes


def open_grammar(path: Path, starts: Sequence[str], transformer: Any = None) -> "Lark":
    """Lark's own parser of a grammar, with the words of all languages in it."""
    from lark import Lark

    def shared(_: str | None, name: str) -> tuple[str, str]:
        found = resource(SHARED).with_name(name)
        return str(found), grammar_text(found)

    text = grammar_text(path)
    return Lark(text, parser="lalr", start=list(starts), transformer=transformer, import_paths=[shared])


def grammar_text(path: Path) -> str:
    """A grammar with regular expressions in the place of <names> that stand for words of all languages."""
    return with_words(path.read_text(encoding="utf-8"), path.parent)


def with_words(text: str, folder: Path) -> str:
    """A text with regular expressions in the place of the <names> in it; a game's own words are in its folder."""
    own = order_words(folder)

    def filled(found: re.Match[str]) -> str:
        table, _, kind = found[1].rpartition(".")
        return alternatives(words(table, kind)) if table else own[kind]

    return _WORDS.sub(filled, text)


def make_tables(path: Path, starts: tuple[str, ...]) -> Tables:
    """The tables that Lark makes of a grammar."""
    lark = open_grammar(path, starts)
    confs = {start: _conf(lark, start) for start in starts}
    rows = confs[starts[0]].states
    number = _numbered(rows, [conf.start_state for conf in confs.values()])
    rules = sorted({_rule(rule) for rule in lark.rules})
    places = {rule: -1 - rules.index(_rule(rule)) for rule in lark.rules}

    def step(arg: Any) -> int:
        return number[arg] if isinstance(arg, int) else places[arg]

    return Tables(
        first={start: number[conf.start_state] for start, conf in confs.items()},
        ends=tuple(number[conf.end_state] for conf in confs.values()),
        steps={
            at: {str(name): step(rows[state][name][1]) for name in sorted(rows[state])} for state, at in number.items()
        },
        rules=rules,
        terminals={str(one.name): one.pattern.to_regexp() for one in sorted(lark.terminals, key=_precedence)},
        ignored=tuple(sorted(map(str, lark.ignore_tokens))),
        opening={start: tuple(sorted(map(str, _opening(lark, start)))) for start in starts},
    )


def _numbered(rows: Mapping[int, Mapping[str, Any]], first: Sequence[int]) -> dict[int, int]:
    """Lark's states by numbers that are always the same: as they are reached, names in their order."""
    found = dict.fromkeys(first)
    for state in (waiting := [*found]):
        for name in sorted(rows.get(state, ())):
            following = rows[state][name][1]
            if isinstance(following, int) and following not in found:
                found[following] = None
                waiting.append(following)
    return {state: at for at, state in enumerate(found)}


def _conf(lark: "Lark", start: str) -> Any:
    """Lark's tables, as it uses them for texts that begin with a rule."""
    interactive: Any = lark.parse_interactive(start=start)
    return interactive.parser_state.parse_conf


def _opening(lark: "Lark", start: str) -> set[str]:
    beginning: Any = lark.parse_interactive(start=start)
    found: set[str] = beginning.accepts()
    return found


def _rule(rule: "Rule") -> Completion:
    """What Lark does with the values of a rule, as its tree builder has it: tokens without a name of their own are
    dropped, rules whose names begin with `_` are joined, and missing parts in brackets leave None."""
    options: Any = rule.options
    empty = options.empty_indices or ()
    gaps = [len(part) for part in "".join("1" if one else "0" for one in empty).split("0")] if empty else None
    symbols: Any = rule.expansion
    kept, nones = [], 0
    for place, symbol in enumerate(symbols):
        nones += gaps[place] if gaps else 0
        if options.keep_all_tokens or not (symbol.is_term and symbol.filter_out):
            kept.append((place, not symbol.is_term and symbol.name.startswith("_"), nones))
            nones = 0
    behind = nones + (gaps[len(symbols)] if gaps else 0)
    name, single = str(rule.origin.name), bool(options.expand1 and not rule.alias)
    shape = str(rule.alias or options.template_source or name)
    return Completion(name, len(symbols), tuple(kept), behind, single, "" if shape.startswith("_") else shape)


def _precedence(terminal: "TerminalDef") -> tuple[int, int, int, str]:
    """Which of several terminals is tried first: by its priority, then its length, as Lark does."""
    pattern = terminal.pattern
    return -terminal.priority, -pattern.max_width, -len(pattern.value), terminal.name


def grammars() -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Every grammar that tables are made of, and the rules that its texts begin with."""
    yield resource(SHARED), COMMAND_STARTS
    for path in sorted((Path(__file__).parent.parent / "games").glob("*/orders.lark")):
        yield path, GAME_STARTS
