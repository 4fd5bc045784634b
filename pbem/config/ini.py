"""An INI file as values, and everything that is wrong with its form, by line number.

configparser stops at the first key that stands twice and cannot say afterwards where a key stood; and loading
it would cost every run that cron starts 3 ms. Values are taken as they stand: `%` is a percent sign, and a
comment has a line of its own.
"""

from collections.abc import Iterable, Mapping

from pbem import PbemError

Values = dict[tuple[str, str], str]
"""Values by section and key, both in lower case."""


class ConfigError(PbemError):
    """The configuration cannot be used. `problems` holds one sentence for each thing to be mended."""

    def __init__(self, where: str, *problems: str) -> None:
        self.problems = problems
        super().__init__(f"{where}: {problems[0]}" if len(problems) == 1 else "\n  ".join([f"{where}:", *problems]))


def read_ini(text: str, known: Mapping[str, Iterable[str]]) -> tuple[Values, list[str]]:
    """Read a file; `known` names its sections and their keys. Returns the values and a sentence a problem."""
    values: Values = {}
    problems = []
    section, seen = "", set[str]()
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        problem = ""
        if not line or line[0] in "#;":
            continue
        if line[0] == "[" and line[-1] == "]":
            section = line[1:-1].strip().lower()
            problem = _section_problem(section, known, seen)
            seen.add(section)
        elif not seen:
            problem = "stands before the first [section]."
        elif "=" not in line:
            problem = "is neither a [section] nor `key = value`."
        elif section in known:
            key, _, value = line.partition("=")
            problem = _key_problem(section, key.strip().lower(), known[section], values)
            values.setdefault((section, key.strip().lower()), value.strip())
        if problem:
            problems.append(f"line {number} {problem}")
    return values, problems


def _section_problem(name: str, known: Iterable[str], seen: set[str]) -> str:
    if name not in known:
        return f"has an unknown section, [{name}]{_nearest(name, known)}."
    return f"begins [{name}] a second time." if name in seen else ""


def _key_problem(section: str, key: str, known: Iterable[str], values: Values) -> str:
    if key not in known:
        return f"has a key that [{section}] does not know, {key}{_nearest(key, known)}."
    return f"gives [{section}] {key} a second time." if (section, key) in values else ""


def _nearest(word: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(word, list(known), 1)
    return f": did you mean {near[0]}" if near else f": known are {', '.join(known)}"
