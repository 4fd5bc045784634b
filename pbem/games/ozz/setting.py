"""The options of a match, and the headers of its record that describe them (§17)."""

from collections.abc import Mapping
from dataclasses import fields, replace
from functools import partial
from typing import Any, NamedTuple

from pbem import Sentence
from pbem.games.base import GameError, Seat
from pbem.games.chance import Chance
from pbem.games.options import Option, OptionWord, with_defaults
from pbem.games.ozz import plan, state
from pbem.games.ozz.data import Data, Switches
from pbem.games.ozz.datafiles import NATIONS
from pbem.games.ozz.dataset import FILES, FIRST, SHIPPED, find_data, hash_of, is_shipped, read_data
from pbem.games.ozz.loading import BATTLES, seats_of
from pbem.games.ozz.names import FOLDER
from pbem.games.ozz.state import MAX_TURNS, Battles, Options, State
from pbem.typed import quote

TITLE = "Campaigns of Ozz"
SWITCHES = tuple(switch.name for switch in fields(Switches) if switch.name != "dissipation")


_FOR_BEGINNERS = ("hill",)  # the most balanced skirmish (docs/balance.md)


class Choice(NamedTuple):
    """The set-up of a match."""

    data: Data
    scenario: str
    seats: tuple[Seat, ...]
    options: Options


_WITHOUT = Option("without", "several", Sentence("Optional rules that are left out."), default=(), choices=SWITCHES)
_DATA = Option(
    "data",
    "choice",
    Sentence("Map and counters: the shipped ones, or the path of a folder of your own."),
    default=SHIPPED,
    choices=(SHIPPED,),
    is_open=True,
)


def schema(data: Data, scenario: Any = None) -> tuple[Option, ...]:
    """Return the options of a match with `data`. If `scenario` is a skirmish, it can only be fought on the board."""
    scenarios, nations = tuple(data.scenarios), data.nations
    turns = data.values["turns"]
    skirmish = scenario in scenarios and data.scenarios[scenario]["kind"] == "skirmish"
    return (
        _scenario(scenarios),
        Option(
            "nations",
            "several",
            Sentence("The nations in a campaign: two to four."),
            choices=nations,
            flag="nation",
            of_seats=True,
        ),
        Option(
            "battles",
            "choice",
            Sentence("How the battles of a campaign are fought: fast, on the board, or only great ones on the board."),
            default="board" if skirmish else "great",
            choices=("board",) if skirmish else BATTLES,
        ),
        Option(
            "turns",
            "number",
            Sentence("After how many turns a campaign ends."),
            default=turns,
            most=MAX_TURNS,
        ),
        _WITHOUT,
        Option(
            "dissipation",
            "number",
            Sentence("How spells fade on the board: suboption 1, 2 or 3, or 0 for not at all."),
            default=data.switches.dissipation,
            least=0,
            most=3,
        ),
        _DATA,
    )


def _scenario(scenarios: tuple[str, ...]) -> Option:
    return Option(
        "scenario",
        "choice",
        Sentence("What is played: the campaign, or a skirmish."),
        default=scenarios[0],
        choices=tuple(sorted(scenarios, key=lambda name: name not in _FOR_BEGINNERS)),
    )


def data_of(options: Mapping[str, Any]) -> Data:
    """Return the data set that `options` names. Raises GameError if it cannot be read."""
    name = options.get("data", FIRST)
    return find_data(name if isinstance(name, str) else FIRST)


def chosen(options: Mapping[str, Any]) -> Choice:
    """Return the set-up of the match that `options` describes. Raises GameError if the options are not valid."""
    data = data_of(options)
    return _choice(data, with_defaults(TITLE, schema(data), options))


def stored_seats(options: Mapping[str, Any]) -> tuple[Seat, ...]:
    """Return the nations that `options` names for a match with custom data, whose folder may be gone; () for shipped
    data, or if no nations are named."""
    names = options.get("nations")
    if is_shipped(options.get("data", FIRST)) or not isinstance(names, list | tuple):
        return ()
    return tuple(seat for seat in NATIONS if seat in names)


def _choice(data: Data, values: Mapping[str, Any]) -> Choice:
    skirmish = data.scenarios[values["scenario"]]["kind"] == "skirmish"
    off = dict.fromkeys(values["without"], False)
    switches = replace(data.switches, **off, dissipation=values["dissipation"])
    battles: Battles = "board" if skirmish else values["battles"]
    return Choice(
        data,
        values["scenario"],
        seats(data, values["scenario"], values["nations"]),
        Options(battles, values["turns"], switches),
    )


def seats(data: Data, scenario: str, names: Any = None) -> tuple[Seat, ...]:
    """Return the nations of a match in seat order: those in `names` or, if there are none, those of the scenario.
    Raises GameError if `names` is not valid for the scenario."""
    usual = seats_of(data, scenario)
    if not names:
        return usual
    word = partial(OptionWord, FOLDER)
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) and name in data.nations for name in names):
        values = {"nations": tuple(map(word, data.nations)), "found": quote(names)}
        raise GameError(Sentence("seats are some of {nations}, not {found}.", **values))
    nations = tuple(seat for seat in data.nations if seat in names)
    if data.scenarios[scenario]["kind"] == "skirmish" and nations != usual:
        listed = Sentence("{first} and {last}", first=tuple(map(word, usual[:-1])), last=word(usual[-1]))
        raise GameError(Sentence("{scenario} is a skirmish of {nations}.", scenario=word(scenario), nations=listed))
    if len(nations) != len(names) or len(nations) < 2:
        most, named = len(data.nations), tuple(map(word, names))
        raise GameError(Sentence("seats are two to {most} different nations, not {found}.", most=most, found=named))
    return nations


def set_up(options: Mapping[str, Any], chance: Chance) -> State:
    """Return the first state of a match with the given `options`. Raises GameError if the options are not valid."""
    return state.set_up(*chosen(options), chance).state


# Headers of a record


def headers(start: State) -> dict[str, str]:
    """Return the headers of the record of a match that begins with `start`. A data set that is not shipped is included
    in full, because its files may be gone in thirty years; a shipped one as its plan, with which people and other
    programs can play the match."""
    data, options = start.data, start.options
    entries = {
        "Scenario": start.scenario,
        "Nations": " ".join(start.seats),
        "Battles": options.battles,
        "Turns": str(options.turns),
        "Switches": ", ".join(unusual(data.switches, options.switches)),
        "Data": data.title,
        "DataName": data.name,
        "DataHash": hash_of(data),
    }
    if is_shipped(data.name):
        entries[plan.HEADER] = plan.data_plan(data, start.scenario)
    else:
        entries |= {f"Data{file.title()}": data.source[file] for file in FILES}
    return {key: value for key, value in entries.items() if value}


def unusual(usual: Switches, switches: Switches) -> list[str]:
    """Return a text for each of the `switches` that differs from its default in `usual`, such as `dissipation 2` or
    `guards off`."""
    texts = [f"{name} off" if not getattr(switches, name) else f"{name} on" for name in SWITCHES]
    odd = [text for text, name in zip(texts, SWITCHES, strict=True) if getattr(switches, name) != getattr(usual, name)]
    if switches.dissipation != usual.dissipation:
        odd.insert(0, f"dissipation {switches.dissipation}")
    return odd


def from_headers(entries: Mapping[str, str], chance: Chance) -> tuple[State, dict[str, Any]]:
    """Return the first state of a match and its options, from the headers of its record. Files that a record names are
    never opened.

    A record that includes the plan of its data is played with that if the data are not shipped, or are others now.
    Raises GameError for data that are neither shipped nor included in the record, or that do not match their hash or
    their plan.
    """
    data = _data(entries)
    switches = dict(text.rsplit(" ", 1) for text in entries.get("Switches", "").split(", ") if " " in text)
    usual = [name for name in SWITCHES if not getattr(data.switches, name)]
    options: dict[str, Any] = {
        "scenario": entries.get("Scenario", next(iter(data.scenarios))),
        "nations": tuple(entries["Nations"].split()) if "Nations" in entries else None,
        "battles": entries.get("Battles", "great"),
        "turns": _number("Turns", entries.get("Turns", str(data.values["turns"]))),
        "without": tuple(name for name in SWITCHES if switches.get(name, "off" if name in usual else "on") == "off"),
        "dissipation": _number("Switches", switches.get("dissipation", str(data.switches.dissipation))),
    }
    choice = _choice(data, with_defaults(TITLE, schema(data), options))
    return state.set_up(*choice, chance).state, {**options, "data": data.name}


def _number(key: str, text: str) -> int:
    if not text.isdecimal() or len(text) > len(str(MAX_TURNS)):
        raise GameError(f"{key}: {quote(text)} is no number.")
    return int(text)


def _data(entries: Mapping[str, str]) -> Data:
    name, held, told = entries.get("DataName", FIRST), entries.get(plan.HEADER), entries.get("DataHash")
    carried = {file: entries[f"Data{file.title()}"] for file in FILES if f"Data{file.title()}" in entries}
    if len(carried) == len(FILES):
        data = read_data(carried, name)
    elif is_shipped(name) and told in (None, hash_of(find_data(name))):
        data = find_data(name)
        if held is not None:
            plan.check_plan(held, data, entries.get("Scenario", next(iter(data.scenarios))))
    elif held is not None:
        return plan.data_of_plan(held, f"{name}, by a record" if is_shipped(name) else name)
    elif is_shipped(name):
        data = find_data(name)
    else:
        raise GameError(f"There are no data {quote(name)} here, and the record does not carry them.")
    if told not in (None, hash_of(data)):
        raise GameError(f"The match was played with other data {quote(name)} than those that are known here.")
    return data
