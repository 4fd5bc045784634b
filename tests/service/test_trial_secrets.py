"""What is hidden in a game stays hidden: worlds that differ in hidden cards alone look alike from outside.

What may differ is what cannot be guessed: seals of orders, which have a nonce, hashes of the chained record, and hashes
of texts with one of these in them, which are their checksums and the boundaries of their parts.
"""

import email
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import timedelta
from hashlib import shake_256
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from pbem.cli import demo
from pbem.match.commitments import order_commitment
from pbem.match.model import Entry
from support.commands import pbem
from support.trial import Trial
from support.trials import SEATS, add_observer, add_trial, decoded, hand, match_of, trial_table

HIDDEN = ("birch", "cedar")  # whose cards are others; nobody else may notice


class OtherWorld(Trial):
    """The trial game, in which the cards of two seats are dealt to them in another order."""

    def __init__(self, hidden: Sequence[str] = HIDDEN, order: Sequence[int] = (3, 4, 5, 0, 1, 2)) -> None:
        self._hidden, self._order = hidden, order

    def new(self, options, chance):
        state = super().new(options, chance)
        cards = [card for seat in self._hidden for card in state["hands"][seat]]
        one, other = self._hidden
        dealt = [cards[at] for at in self._order]
        return {**state, "hands": {**state["hands"], one: sorted(dealt[:3]), other: sorted(dealt[3:])}}


class World:
    """A desk in one of the worlds, where all that nobody could guess is the same, and what leaves it."""

    def __init__(
        self,
        folder: Path,
        monkeypatch: pytest.MonkeyPatch,
        game: Trial,
        hidden: Sequence[str] = HIDDEN,
        secret: Callable[[int], bytes] = bytes,
    ) -> None:
        numbers = count(1)
        monkeypatch.setattr(demo, "make_msgid", lambda domain: f"<{next(numbers)}@{domain}>")
        monkeypatch.setattr("secrets.token_bytes", secret)
        monkeypatch.setattr("secrets.token_hex", lambda size: secret(size).hex())
        monkeypatch.setattr("pbem.service.desk.token_bytes", secret)
        add_trial(monkeypatch, game)
        self.folder = folder
        self.table = trial_table(folder / "desk")
        self._hidden = tuple(self.table.people[seat].name for seat in hidden)
        add_observer(self.table)

    def play(self) -> bool:
        """A turn with a mistake, a receipt and words before it; whether the game goes on."""
        match = match_of(self.table)
        (seat,) = match.missing()
        for text in ("Ставлю 31", "status", "history", f"Ставлю {max(hand(self.table, seat))}\npress: I am glad"):
            self.table.write(seat, f"{text}\nword: the same" if "press" not in text else f"word: the same\n{text}")
            self.table.poll()
        return not self.table.over()

    def command(self, *words: object) -> str:
        at = f"{self.table.now:%Y-%m-%dT%H:%MZ}"
        return pbem("--config", self.table.config.path, "--now", at, *words).output

    def outside(self) -> Iterator[tuple[str, bytes]]:
        """All that has left the desk for anybody but those whose cards are others."""
        for path in sorted((self.folder / "desk" / "mail" / "out" / "new").iterdir()):
            if not str(email.message_from_bytes(path.read_bytes())["To"]).startswith(self._hidden):
                yield path.name, path.read_bytes()
        self.command("archive", "build", self.folder / "site")
        for path in sorted((self.folder / "site").rglob("*")):
            if path.is_file():
                yield str(path.relative_to(self.folder)), path.read_bytes()
        for words in (
            ("export", "tr-1"), ("export", "tr-1", "--format", "mbox"), ("export", "tr-1", "--format", "svg"),
            ("export", "tr-1", "--press"), ("record", "tr-1", "--press"), ("game", "show", "tr-1"),
            ("game", "show", "tr-1", "--json"), ("game", "list"), ("search", "Ставлю 3"), ("search", "Пас"),
            ("search", "Alice"), ("letters", "list"), ("record", "tr-1"), ("player", "show", "Alice"),
            ("verify",), ("poll",),
        ):  # fmt: skip
            yield " ".join(words), self.command(*words).encode()

    def told(self) -> dict[str, str]:
        """The same in text, but for seals, the record's hashes, and checksums of texts that have one of them in it."""
        conn = self.table.store.conn
        salted = {one for (one,) in conn.execute("SELECT hash FROM record")}
        for turn, seat, canonical, nonce in conn.execute("SELECT turn, seat, canonical, nonce FROM orders"):
            salted.add(order_commitment("tr-1", turn, seat, Entry(0, None, "", canonical, nonce)))
        of_texts = r"=_[0-9a-f]{32}|(?<=hecksum\W{2})[0-9a-f]{64}|(?<=hecksum\W{4})[0-9a-f]{64}"
        hashes = re.compile("|".join([*filter(None, salted), of_texts]))
        return {name: hashes.sub("#", decoded(raw)) for name, raw in self.outside()}


Deed = tuple[str, str, int]
"""What a seat does on its turn: which seat, what it writes, and the card that stands for `{card}`; "" is nothing."""


def _played(world: World, chosen: Iterable[tuple[str, int]]) -> Iterator[Deed]:
    """Turns in each of which who is on turn writes a text with the card that they hold at a place."""
    for text, place in chosen:
        if world.table.over():
            return
        (seat,) = match_of(world.table).missing()
        deed = seat, text, hand(world.table, seat)[place]
        _do(world, deed)
        yield deed


def _do(world: World, deed: Deed) -> None:
    seat, text, card = deed
    if text:
        world.table.write(seat, f"word: the same\n{text.format(card=card)}")
    else:
        world.table.now += timedelta(days=4)
    world.table.poll()


_TEXTS = (
    "Ставлю {card}", "Ставлю {card}\npress: I am glad", "Пас", "", "Всегда {card}", "check: Ставлю {card}",
    "Ставлю {card}\nСтавлю {card}", "Ставлю 31", "status\nhistory", "draw",
)  # fmt: skip


@settings(
    max_examples=settings().max_examples // 7,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    seed=st.integers(0, 2**32),
    reader=st.sampled_from(SEATS),
    order=st.permutations(range(6)),
    chosen=st.lists(st.tuples(st.sampled_from(_TEXTS), st.integers(0, 2)), min_size=2, max_size=7),
)
def test_no_deal_of_hidden_cards_can_be_told_from_another_whatever_is_played(
    tmp_path_factory, seed, reader, order, chosen
):
    hidden = [seat for seat in SEATS if seat != reader]

    def secret(size: int) -> bytes:
        return shake_256(str(seed).encode()).digest(size)

    with pytest.MonkeyPatch.context() as patch:
        here = World(tmp_path_factory.mktemp("one"), patch, Trial(), hidden, secret)
        hands = match_of(here.table).state["hands"]
        deeds = [*_played(here, chosen)]
        assume(not here.table.over())  # or everybody may see all
        seen = here.told()
    with pytest.MonkeyPatch.context() as patch:
        there = World(tmp_path_factory.mktemp("other"), patch, OtherWorld(hidden, order), hidden, secret)
        hands_there = match_of(there.table).state["hands"]
        same = {card: other for seat in hidden for card, other in zip(hands[seat], hands_there[seat], strict=True)}
        for seat, text, card in deeds:
            _do(there, (seat, text, same.get(card, card)))
        seen_there = there.told()
    assert hands[reader] == hands_there[reader]
    assert seen.keys() == seen_there.keys()
    for name, text in seen.items():
        assert text == seen_there[name], name
    here.table.close()
    there.table.close()
