"""The manual of Rock'n'Roll in both languages: what it says of the rules, of notation and of cards is so."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from pbem.games import find_game
from pbem.games.chance import GivenChance
from pbem.games.rocknroll.cardfile import SHIPPED, find_set
from pbem.games.rocknroll.loading import placed
from pbem.games.rocknroll.orders import KEYS
from pbem.orders.reader import parse_all
from pbem.orders.situation import Standpoint
from support.docs import code, page, rows, section
from support.each import each
from support.paths import ROOT

GAME: Any = find_game("rocknroll")
ENGLISH, RUSSIAN = "docs/games/rocknroll.md", "docs/games/rocknroll.ru.md"
MANUALS = (ENGLISH, RUSSIAN)
NOTATION = {
    ENGLISH: ("## How orders are written", "## Standing orders"),
    RUSSIAN: ("## Как писать приказы", "## Постоянные приказы"),
}
EXPANSION = placed("set: expansion")
BASE = placed("")


def notation() -> Iterator[tuple[str, str]]:
    """What is written and what it is read as, of every row of both manuals."""
    for manual, headings in NOTATION.items():
        for heading in headings:
            for written, canonical, *_ in rows(section(manual, heading)):
                yield code(written)[0], code(canonical)[0]


@cache  # of the canonical form there are many rows
def read_as(state: Any, text: str) -> str:
    orders, standing = parse_all(Standpoint(GAME, state, "vpa"), text)
    return str(GAME.joined(state, "vpa", orders, "; ".join(standing)))


@each(("written", "canonical"), list(notation()))
def test_each_row_of_the_notation_is_read_as_it_says(written: str, canonical: str) -> None:
    state = BASE if "Johnny" in canonical else EXPANSION
    assert read_as(state, written) == canonical
    assert read_as(state, canonical) == canonical


def test_both_manuals_have_the_same_rules_and_rulings() -> None:
    english, russian = (re.findall(r"\*\*([RJ]\d+)", page(manual)) for manual in MANUALS)
    assert english == russian
    assert {"R1", "J1"} <= {*english}


@pytest.mark.parametrize("manual", MANUALS)
def test_every_command_and_every_standing_order_is_shown(manual: str) -> None:
    canonical = [code(row[1])[0] for heading in NOTATION[manual] for row in rows(section(manual, heading))]
    words = {word for line in canonical for word in re.findall(r"[A-Z]\w+", line)}
    commands = {"Deploy", "Trade", "Use", "Act", "Capture", "Sell", "Buy", "If", "Pass"}
    assert (commands | {*KEYS}) - words == set()
    assert {order for order in find_set("base").orders if not any(line.startswith(order) for line in canonical)} == {
        "All six",
        "Artillery",
    }


@pytest.mark.parametrize("manual", MANUALS)
def test_every_rule_ruling_and_paragraph_is_told(manual: str) -> None:
    text = page(manual)
    numbers = [*(f"R{number}" for number in range(1, 84)), *(f"J{number}." for number in range(1, 25))]
    numbers += [f"§{number}" for number in range(1, 14)]
    assert [number for number in numbers if not re.search(rf"\*\*{re.escape(number)}(?!\d)", text)] == []


@pytest.mark.parametrize("manual", MANUALS)
def test_the_turn_that_is_shown_as_letters_comes_out_as_it_says(manual: str) -> None:
    before, orders, after = (
        re.search(rf"<!-- check: {name} -->\n```text\n(.*?)\n```", page(manual), re.S)[1]  # type: ignore[index]
        for name in ("before", "orders", "after")
    )
    state = placed(before)
    read, standing = parse_all(Standpoint(GAME, state, "vpa"), orders)
    chance = GivenChance([2, 3, 2, 6])
    ruling = GAME.resolve(state, {"vpa": GAME.joined(state, "vpa", read, "; ".join(standing))}, chance)
    chance.finish()
    assert GAME.position(ruling.state) == after


def test_both_manuals_have_the_same_parts() -> None:
    shapes = [[line.partition(" ")[0] for line in page(one).splitlines() if line.startswith("#")] for one in MANUALS]
    assert shapes[0] == shapes[1]
    tables = [[len(row) for row in rows(page(one))] for one in MANUALS]
    assert len(tables[0]) == len(tables[1])


@pytest.mark.parametrize("manual", MANUALS)
def test_the_numbers_that_the_manual_tells_are_those_of_the_shipped_sets(manual: str) -> None:
    for name in SHIPPED:
        numbers = find_set(name).numbers
        assert (numbers.victory, numbers.double, numbers.limit, numbers.rd_max, numbers.rd_price) == (5, 2, 30, 6, 2)
        assert (numbers.capture_check, numbers.torture_check) == (6, 4)
        assert (numbers.execute_check, numbers.recruit_check) == (5, 6)
        assert f"<!-- generated: cards{'_ru' * (manual == RUSSIAN)} {name} -->" in page(manual)
    assert (find_set("expansion").numbers.deal, find_set("expansion").numbers.to_reserve) == (14, 2)


def test_the_source_cites_no_rule_that_the_manual_does_not_have() -> None:
    sources = (ROOT / "pbem" / "games" / "rocknroll").rglob("*.py")
    cited = {number for path in sources for number in re.findall(r"§\d+|\b[RJ]\d{1,2}\b", path.read_text("utf-8"))}
    assert len(cited) > 40
    assert {number for number in cited if not re.search(rf"\*\*{number}(?!\d)", page(ENGLISH))} == set()
