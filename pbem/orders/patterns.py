"""Patterns of what commands name: people, the computer, games with their options, positions, and members of leagues."""

import re

from pbem.i18n import words
from pbem.mail.addresses import ADDRESS
from pbem.orders.command import GAME, TURN

_TO, _WITH = words.pattern("around", "to_game"), words.pattern("around", "with_options")
_GAME = rf"(?:\s+{_TO}\s+(?P<game>[\w-]{{1,40}}))?"
OPTIONS = rf"(?:\s+{_WITH}\s+(?P<options>.{{1,400}}))?"
WANTED = _GAME + OPTIONS
"""A pattern for the game and options that may follow people's names."""

AND = rf"(?:,\s*|\s+){words.pattern('around', 'and')}\s+|,\s*"
"""A pattern for separators between people's names."""

NAMED = re.compile(rf"(?P<people>.*(?:@[^\s<>]+|>)){WANTED}", re.I | re.S)
"""A pattern for the text of a command that names people, and perhaps a game and its options."""

_LEVEL = rf"(?:,?\s+{words.pattern('around', 'level')}\s+(?P<level>\d{{1,9}}),?)?"
COMPUTER = rf"{words.pattern('around', 'computer')}{_LEVEL}"
"""A pattern for the computer of a level, in place of a person."""

AGAINST_COMPUTER = rf"{words.pattern('around', 'computer')}{_LEVEL}{_GAME}{_LEVEL.replace('level>', 'also>')}{OPTIONS}"
"""A pattern for a request for a game against the computer. The computer's level may also appear among the options."""

COMPUTER_FOR = rf"computer{_LEVEL} for (?P<name>[^<>@]{{1,60}}?){_LEVEL.replace('level>', 'also>')}"
REPLACED = rf"replace (?P<name>[^<>@]{{1,60}}?) (?:with |by )?{COMPUTER}"
"""Patterns for a vote on letting the computer play for somebody."""

_FROM, _AT_TURN = words.pattern("around", "from_game"), words.pattern("around", "turn_number")
_FROM_GAME = rf"(?:[\w'’-]{{1,40}}\s+)?{_FROM}\s+(?P<match>{GAME})(?:,?\s+(?:{_AT_TURN}\s+)?(?P<turn>{TURN}))?"

TRIED = rf"(?:(?P<game>[\w'’-]{{1,40}}){OPTIONS}|{_FROM_GAME})"
"""A pattern for what can be tried in a sandbox: a game, perhaps with options, or a position of a match."""

PERSON = re.compile(rf"{ADDRESS}|[^<>]{{0,60}}<{ADDRESS}>")
PEOPLE = re.compile(rf"(?:{PERSON.pattern})(?:(?:{AND})(?:{PERSON.pattern})){{1,9}}{WANTED}", re.I)
"""Patterns for one person, and for two to ten people and perhaps the game that they are to play."""

DIVISION, RATING = r"[1-9]\d?", r"\d{1,4}"
"""Patterns for the number of a division of a league, and for a rating that game masters give; 0 stands for none."""

PLACED = rf"(?: in division {DIVISION})?(?: rating {RATING})?"
"""A pattern for the division and rating that may follow an address."""

SUBSTITUTE = rf"[^<>@]{{1,60}}(?:,? (?:in )?{words.pattern('around', 'after_round')} \d{{1,2}})?"
"""A pattern for the name of a substitute, and perhaps the round from which on they play."""
