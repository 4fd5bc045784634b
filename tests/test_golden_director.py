"""A season of eight that its director runs by letters alone, though much goes wrong: what she writes and gets, kept as
a transcript.

A change that is meant is written down by `PBEM_REWRITE_GOLDEN=1 pytest tests/test_golden_director.py`; read the
difference.
"""

import os
import re
from datetime import UTC, datetime
from pathlib import Path

from pbem.cli.demo import letter_text
from support.paths import GOLDEN
from support.seasons import NAMES, PEOPLE, Season, about

DIRECTOR = GOLDEN / "director.txt"

LEAGUE = """league:
name = "Autumn"
format = "swiss"
rounds = 3
divisions = [{ players = [
  "Alice <alice@example.net>", "Bob <bob@example.net>",
  "Carol <carol@example.net>", "Dave <dave@example.net>",
  "Erin <erin@example.net>", "Frank <frank@example.net>",
  "Grace <grace@example.net>", "Heidi <heidi@example.net>"] }]
[[masters]]
name = "Gina"
address = "gina@example.org"
[options]
turn_limit = 1
[terms]
deadline = "7 days"
accept = "5 days"
end league
"""


def day(month: int, number: int, hour: int = 9) -> datetime:
    return datetime(2026, month, number, hour, 0, tzinfo=UTC)


def play(folder: Path) -> Season:
    """The script of the season."""
    season = Season(folder, day(10, 17), by_master=True)
    season.send("Gina", LEAGUE)
    season.run()
    season.write("Gina", "yes")
    season.run()
    _first_round(season)
    _second_round(season)
    _third_round(season)
    season.store.conn.close()
    return season


def draw(season: Season, *games: str) -> None:
    """Nobody moves, and the only turn is over."""
    for game in games:
        for who in season.games()[game]:
            season.write(who, "Pass", about(game))
    season.run()


def _first_round(season: Season) -> None:
    """Alice and Erin, Bob and Frank, Carol and Grace, Dave and Heidi; Heidi never answers."""
    for who, game in zip(NAMES[:7], ("oz-1", "oz-2", "oz-3", "oz-4", "oz-1", "oz-2", "oz-3"), strict=True):
        season.write(who, "accept", about(game))
    season.run()
    season.write("Erin", "resign", about("oz-1"))
    season.write("Frank", "resign", about("oz-2"))  # by mistake
    season.run()
    season.write("Erin", "yes", about("oz-1"))
    season.write("Frank", "yes", about("oz-2"))
    season.send("Gina", "award oz-3 red because Grace has no time any more")  # it was another Grace
    season.run()
    season.write("Gina", "yes")
    season.run()
    season.pass_days(day(10, 18))
    season.write("Frank", "claim: I meant to resign elsewhere!\nend claim", about("oz-2"))
    season.write("Erin", "bye Autumn 2", about("oz-1"))
    season.run()
    (number,) = re.findall(r"This is claim (\d+)\.", letter_text(season.got[PEOPLE["Gina"].address][-1]))
    season.write(
        "Gina",
        f"decide oz-2 {number}: Frank had two games in mind, and nobody is the worse for it.\nend decide\n"
        "reopen oz-2 because Frank meant another game\nreopen oz-3 because I mistook one Grace for another\n"
        "forbid Autumn Alice - Dave because they are married\n"
        "enter Autumn Ivan <ivan@example.net> with 0.5 points because he was promised a place\n\ndesk",
    )
    season.run()
    draw(season, "oz-2", "oz-3")
    season.pass_days(day(10, 23))
    season.write("Gina", "desk\nstandings\nrounds")
    season.run()


def _second_round(season: Season) -> None:
    """Alice and Bob, Carol and Dave, Frank and Grace; Ivan has a bye, and Erin the one that she asked for."""
    season.write("Carol", "resign", about("oz-6"))
    season.run()
    season.write("Carol", "yes", about("oz-6"))
    season.write("Gina", "pair Autumn 3 Dave - Alice because both lead\npair Autumn 3 Dave - Ivan because both lead")
    season.run()
    draw(season, "oz-5", "oz-7")


def _third_round(season: Season) -> None:
    """Dave and Ivan, as Gina has said, and the others as it comes."""
    season.pass_days(day(10, 24))
    season.write("Ivan", "accept", about("oz-8"))
    season.run()
    draw(season, *season.games())
    season.pass_days(day(10, 25))
    season.write("Gina", "desk\nstandings\ndecisions")
    season.run()


WHOLE = re.compile(r"=== .* UTC, (?:.* (?:answers|writes)|To Gina|To (?:Dave|Heidi|Ivan): League)")
"""Of all else the transcript has a line: the golden season shows such letters."""


def test_a_season_is_directed_by_letters_alone(tmp_path: Path) -> None:
    letters = re.split(r"(?m)^(?==== )", "\n".join(play(tmp_path / "desk").lines) + "\n")
    told = "".join(
        letter if WHOLE.match(letter) else f"{letter.partition(chr(10))[0]}\n" for letter in letters if letter
    )
    if "PBEM_REWRITE_GOLDEN" in os.environ:
        DIRECTOR.write_text(told)
    assert told == DIRECTOR.read_text()
