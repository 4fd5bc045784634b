"""Orders in canonical form read back as themselves, and nothing else is taken for one."""

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from pbem.games.ozz import orders, wording
from pbem.games.ozz.dataset import find_data
from pbem.games.ozz.meaning import read_canonical as read
from pbem.games.ozz.meaning import read_letter
from pbem.games.ozz.naming import ReadItem, Side
from pbem.games.ozz.orders import Orders
from pbem.orders.situation import Situation
from support.each import each
from support.ozz_reading import GAME, on_map

DATA, STATE = find_data("house"), on_map("")


def read_canonical(text: str) -> Orders | None:
    return read(DATA, text)


CODES = st.sampled_from(("ZOR", "SOU", "NA1", "WI5", "BEL", "FOR"))
POINTS = st.sampled_from(("M2", "R1", "G4"))
SPACES = st.sampled_from([f"{row}{column}" for row in range(1, 5) for column in "LCR"])
LISTS = st.lists(CODES, min_size=1, max_size=4).map(tuple)
WAYS_ON_MAP = st.lists(POINTS, min_size=2, max_size=4).map(tuple)
ANY_LISTS = st.lists(CODES, max_size=4).map(tuple)
WORDS = st.sampled_from(("advance", "stand", "back"))
WAYS = st.lists(SPACES | st.just("off"), max_size=2).map(tuple)
CHANGES = st.builds(orders.Change, WORDS, WAYS) | st.builds(orders.Change, WORDS, WAYS, SPACES, st.booleans())
ITEMS = st.one_of(
    st.builds(orders.Move, LISTS, WAYS_ON_MAP, ANY_LISTS, ANY_LISTS),
    st.builds(orders.Fly, LISTS, WAYS_ON_MAP),
    st.builds(orders.Recruit, CODES, st.sampled_from(("pool", "special", "none"))),
    st.builds(orders.Retreat, st.none() | st.integers(0, 99), st.none() | POINTS),
    st.builds(orders.RetreatTo, st.lists(POINTS, min_size=1, max_size=3).map(tuple)),
    st.builds(orders.Losses, LISTS),
    st.builds(orders.Garrison, POINTS, st.integers(0, 2)),
    st.builds(orders.Honors, st.sampled_from(("offer", "accept")), POINTS),
    st.builds(orders.Return, POINTS),
    st.builds(orders.Carry, CODES),
    st.builds(orders.Keep, st.sampled_from(("skeletons", "others"))),
    st.builds(orders.Deploy, SPACES, LISTS),
    st.builds(orders.Group, CODES, ANY_LISTS),
    st.builds(orders.Guard, SPACES, CODES, st.none() | CODES) | st.builds(orders.Guard, SPACES, st.none(), CODES),
    st.builds(orders.Cast, CODES, st.sampled_from(("poppies", "good luck")), CODES),
    st.builds(orders.Cast, CODES, st.just("transport"), CODES, SPACES),
    st.builds(orders.Ring),
    st.builds(
        orders.Order,
        CODES,
        WORDS,
        WAYS,
        st.lists(SPACES, max_size=3).map(tuple),
        st.booleans(),
        st.none() | st.integers(0, 9),
        st.booleans(),
        st.booleans(),
        st.none() | CHANGES,
    ),
    st.builds(orders.ActingOrder, LISTS),
    st.builds(orders.Initiative, st.booleans()),
    st.builds(orders.Evade, LISTS),
    st.builds(orders.Join, LISTS),
    st.builds(orders.Shoot, ANY_LISTS),
)


@given(st.lists(ITEMS, max_size=4).map(tuple).map(Orders))
def test_orders_read_back_as_they_are_written(orders: Orders) -> None:
    assert read_canonical(str(orders)) == orders


@each(
    "text",
    [
        "",
        "pass",
        "Pass; Ring",
        "move SOU: M2-M4",
        "Move SOU: M2 - M4",
        "Move SOU: M2-M4;Ring",
        "Move SOU:  M2-M4",
        "Move SOU: M2-M4, take HAR, drop SOU",
        "Move Sourdough's: M2-M4",
        "Fly AP1: G4-Q4, drop AP1",
        "Retreat below 0",
        "Retreat",
        "Guard 2C: right THI, left HER",
        "Guard 2C: left HER,",
        "Guard 2C: ",
        "Cast ZOR: transport SOU",
        "Order ZOR: advance, charge, attack 2C",
        "Order ZOR: advance, charge, charge",
        "Order ZOR: advance, attack",
        "Order ZOR: attack 2C",
        "Order ZOR: advance, change back if enemy",
        "Shoot nothing",
        "Ring the bell",
        "Ring\n",
        "Losses ",
    ],
)
def test_any_other_text_is_not_taken_for_canonical(text: str) -> None:
    assert read_canonical(text) is None


def test_a_letter_without_items_is_a_pass() -> None:
    assert read_canonical("Pass") == Orders()


def every_item() -> Iterator[orders.Item]:
    """An item of each kind for each counter, point, space and spell of the data."""
    for code in DATA.counters:
        yield orders.Move((code, "SOU"), ("M2", "M4"), (code,), (code,))
        yield from (
            orders.Order(code, "advance", ("2C",), ("3C",)),
            orders.Group(code, (code,)),
            orders.Recruit(code, "pool"),
        )
        yield from (orders.Guard("2C", code, code), orders.Deploy("1L", (code,)), orders.Cast("ZOR", "healing", code))
        yield from (listed((code,)) for listed in (orders.Losses, orders.Evade, orders.Join, orders.Shoot))
        yield from (orders.Carry(code), orders.ActingOrder((code,)))
    for point in DATA.points:
        yield from (orders.Fly(("BAL",), ("M1", point)), orders.Return(point), orders.RetreatTo((point, "M1")))
        yield from (orders.Honors("offer", point), orders.Garrison(point, 1), orders.FightFast((point,)))
        yield orders.Retreat(None, point)
    for spell in DATA.spells:
        yield orders.Cast("ZOR", spell, "SOU", "1L" if spell == "transport" else None)
    for space in (f"{row}{column}" for row in range(1, 5) for column in "LCR"):
        yield orders.Order("SOU", "back", (space, "off"), (space,), change=orders.Change("stand", (space,), space))


OTHERS = (
    orders.Keep("skeletons"), orders.Keep("others"), orders.Ring(), orders.Initiative(first=True),
    orders.Initiative(first=False), orders.Shoot(()), orders.Group("ZOR", ()), orders.Lasting(3), orders.Lasting(9),
    orders.Lasting(), orders.FightFast(), orders.Retreat(0), orders.Retreat(3), orders.Retreat(1, "H1"),
    orders.Recruit("MAY", "special"), orders.Recruit("MAY", "none"), orders.Honors("accept", "M3"),
    orders.Guard("2C", "HER"), orders.Guard("2C", None, "THI"),
    orders.Order("ZOR", "advance", ("2C", "3C"), ("4C",), coordinate=0, leave=True),
    orders.Order("ZOR", "advance", ("2L", "3L"), charge=True, coordinate=2),
    orders.Order("ZOR", "stand", (), ("3C", "4C"), alone=True, change=orders.Change("back", ("off",), "3L", no=True)),
    orders.Order("HAR", "back", ("off",), change=orders.Change("advance")),
)  # fmt: skip


@each("language", ["de", "ru"])
def test_each_order_reads_back_from_the_notation_of_every_language(language: str) -> None:
    written = {wording.written(str(item), language): str(item) for item in (*every_item(), *OTHERS)}
    assert {own: str(parse(own)) for own in written} == written


@each(
    ("orders", "german", "russian"),
    [
        ("Move MAY SOU: M2-M4, drop SOU", "Zieh MAY SOU: M2-M4, lass SOU", "Идти MAY SOU: M2-M4, оставить SOU"),
        ("Retreat below 3; Pass", "Rückzug unter 3; Passe", "Отступать меньше 3; пас"),
        ("Cast ZOR: good luck on SOU", "Zauber ZOR: Glück auf SOU", "Колдовать ZOR: удача на SOU"),
        ("draw", "draw", "draw"),
    ],
)
def test_orders_are_written_as_readers_write_them(orders: str, german: str, russian: str) -> None:
    assert (wording.written(orders, "de"), wording.written(orders, "ru")) == (german, russian)
    assert wording.written(orders, "en") == orders


@each("text", [form(str(Orders((item,)))) for item in every_item() for form in (str, str.lower)])
def test_each_counter_point_space_and_spell_reads_back_in_each_kind_of_item(text: str) -> None:
    letter = parse(text)
    assert str(letter).casefold() == text.casefold()


def parse(text: str) -> Orders | None:
    """The orders of a text in any case, whoever writes them; None if it is not notation."""
    items = Situation(GAME, STATE).parse(text)
    found = read_letter(Side(DATA), items or ())
    return Orders(tuple(entry.item for entry in found if isinstance(entry, ReadItem)))  # type: ignore[misc]
