"""Nobody is told what they must not see, by anything: worlds in which the others write other letters look alike."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import chain, count
from pathlib import Path
from random import Random

import pytest

from pbem.games.base import Seat
from pbem.games.capabilities import turn_of
from pbem.match import receive
from pbem.match.identity import Player
from pbem.match.model import Match
from support.ozz_letters import letter as battle_letter
from support.random_games import some_orders
from support.rocknroll_orders import RandomOrders
from support.worlds import MASTER, MEMBERS, OBSERVER, OPERATOR, READERS, STRANGER, World, differences

ALICE = MEMBERS["Alice"]
HOUR, DAY = timedelta(hours=1), timedelta(days=1)

ANYTHING = (
    "status", "history", "help", "help rules", "my data", "resend", "record", "Moove 3", "check: Pass", "text only",
    "turn 99: Pass", "no such words", "zone Europe/Berlin", "fewer letters", "digest 18:00", "word: anything",
    "what did they do last turn?", "withdraw turn 9", "calendar off",
)  # fmt: skip
"""What others write that is nobody's business, whatever the game."""
TO_MASTERS = ("gm: I think that he cheats.", "Kaboom!")
"""What only game masters hear of; we fail on the second one, so that it is set aside."""
STANDING = {
    "ozymandia": ("status",),
    "rocknroll": ("Reroll attack: 1", "Reroll attack: 2 with orders", "Rocknroll all: always"),
    "ozz": ("Standing Retreat below 2", "Standing Losses SOU", "Standing Retreat always"),
}
LEVELLED = {"ozymandia": "status", "rocknroll": "Reroll attack: 3\nRocknroll all: never", "ozz": "Standing none"}
"""After that all have the same standing orders again."""
QUESTIONS = {
    "ozymandia": ("who holds Mu?", "What happens if I Pass?", "help orders"),
    "rocknroll": ("card Bao", "what if I Pass?", "who has the initiative?"),
    "ozz": ("card SOU, HER", "point R1", "who holds R1?"),
}
OPENING = {
    "munchkins": "Move MAY SOU MCA: M2-M4-R1; Move ZOR GUA TIC: M1-M2",
    "winkies": "Move ZEP HER ZIL: W2-W4-R1; Move ZER WI5: W3-W1",
    "quadlings": "Move ROL NOR QCA: Q2-Q4-R1; Move CAP CEN PU1: Q3-Q1",
    "gillikins": "Pass",
}
"""All want to the same point of Ozz: on the board that stops the turn, and what others write waits behind a battle."""


def some(match: Match, seat: Seat, random: Random) -> str:
    """Orders of a seat that may well be refused."""
    if match.game.name == "ozymandia":
        return str(some_orders(random, match.state, seat))
    if match.game.name == "rocknroll":
        return str(RandomOrders(random, match.state, seat).orders())
    return str(battle_letter(match.state, seat, random)) if match.state.battle else "Pass"


def safe(match: Match, seat: Seat, random: Random) -> str:
    """Orders that are surely taken."""
    return random.choice(("Pass", chosen(match, seat)))


def chosen(match: Match, seat: Seat) -> str:
    """What the computer would order."""
    return str(match.game.choose(match.game.view(match.state, seat), seat))


_Letter = tuple[Player, str, str]
"""Who writes what about which game."""


class Story:
    """What happens in a world: `common` decides what all worlds have in common, `secret` what nobody must see."""

    def __init__(self, world: World, shape: str, seed: int, secret: str, *, masters_read: bool) -> None:
        self.world, self.shape = world, shape
        self.common, self.secret = Random(seed), Random(f"{seed} {secret}")
        self.here = secret == "here"
        self.anything = ANYTHING if masters_read else (*ANYTHING, *TO_MASTERS)
        self.told: set[tuple[str, Seat]] = set()

    @property
    def own(self) -> str:
        """The reader's game."""
        return next(one.name for one in self.world.matches(played=False) if one.plays(ALICE.address))

    def other(self, match: Match, seat: Seat) -> str:
        """Orders that are surely taken, and other ones in each world."""
        return "Pass" if self.here else chosen(match, seat)

    def play_a_turn(self) -> None:
        """All that are awaited write the same in all worlds."""
        for match in self.world.matches():
            opening = match.game.name == "ozz" and not match.state.battle
            for seat in match.missing():
                text = OPENING[seat] if opening else safe(match, seat, self.common)
                self.world.says(match.holders[seat].player, f"word: {seat}\n{text}", match.name)
        self.world.look()
        self.world.look(2 * HOUR)

    def wait(self, after: timedelta) -> None:
        """Everybody writes, and the turns wait: of some seats orders stand in all worlds, whatever they are."""
        told, hidden = list[_Letter](), list[list[_Letter]]()
        for match in self.world.matches():
            reader = next((seat for seat, one in match.holders.items() if one.player.name == "Alice"), None)
            awaited = match.missing() if reader in match.missing() else match.missing()[:-1]
            for seat in match.seats:
                if seat in awaited and seat != reader and (reader or self.common.random() < 0.7):
                    told.append(self._letter(match, seat, self.other(match, seat)))
                    self.told.add((match.name, seat))
                if reader and seat != reader and self.common.random() < 0.3:
                    before = self.secret.choice(("", "my data\n", "word: of mine\n"))
                    press = f"press to alice: Good luck to you, from {seat}.\nend press"
                    told.append(self._letter(match, seat, before + press))
                if seat != reader:
                    hidden += [[self._letter(match, seat, one) for one in some] for some in self._of(match, seat)]
            if reader:
                asked = (*ANYTHING[:10], *QUESTIONS[match.game.name], "press: A good game to all.")
                told += [self._letter(match, reader, text) for text in self.common.sample(asked, 4)]
        self.common.shuffle(told)
        order = [[one] for one in told]
        for one in hidden:  # orders of a seat come first where all hear that they are in
            by = [letter in told and letter[0] == one[0][0] for letter, *_ in order]
            order.insert(self.secret.randint(by.index(True) + 1 if True in by else 0, len(order)), one)
        for letter in chain.from_iterable(order):
            self.world.says(*letter)
        self.world.asks(STRANGER, "games")
        self.world.asks(OBSERVER, "status")
        self.world.look(after)

    def _letter(self, match: Match, seat: Seat, text: str) -> _Letter:
        return match.holders[seat].player, text, match.name

    def _of(self, match: Match, seat: Seat) -> Iterator[tuple[str, ...]]:
        """What a seat writes of which nobody is told, where orders of it stand or not; some letters together."""
        game, secret, orders = match.game.name, self.secret, (match.name, seat) in self.told
        own = any(one.player.name == "Alice" for one in match.holders.values())
        anything = self.anything if own else ANYTHING
        later = turn_of(match.game, match.state, match.turn) + secret.randint(2, 9)
        for _ in range(secret.randint(0, 4)):
            said = [secret.choice(anything), secret.choice(STANDING[game]), f"check: {some(match, seat, secret)}"]
            said.append(f"turn {later}: {some(match, seat, secret)}")
            others = [other for other in match.seats if other != seat and match.holders[other].player.name != "Alice"]
            if others and len(match.seats) > 2:
                said.append(f"press to {secret.choice(others)}: Psst, not a word to Alice.\nend press")
            yield (secret.choice((*said, *([some(match, seat, secret)] * 3 if orders else ()))),)
        if orders and secret.random() < 0.5:
            yield "withdraw", self.other(match, seat)

    def decide(self) -> None:
        """The reader looks as a game master at the letters of games that are not theirs."""
        for match in self.world.matches():
            if not match.plays(ALICE.address):
                self.world.asks(ALICE, f"letters {match.name}")
                self.world.look()
                self.world.says(ALICE, "yes")
                self.world.look()

    def finish_the_turn(self, *, alike: bool = True) -> None:
        """Other orders first, then the same in all worlds, of everybody; or orders that need not be `alike`, which only
        whoever reviews a turn may see."""
        for match in self.world.matches():
            for seat in match.seats:
                person = match.holders[seat].player
                hidden, texts = person.name != "Alice", list[str]()
                if hidden:
                    texts = [*chain.from_iterable(self._of(match, seat)), LEVELLED[match.game.name]]
                if seat in match.missing() or (match.name, seat) in self.told:
                    texts += [safe(match, seat, self.common) for _ in range(1 + hidden)]
                    if not alike and match.plays(ALICE.address):
                        moved = OPENING.get(seat) or some(match, seat, self.secret if hidden else self.common)
                        texts.append(moved if self.here or not hidden else "Pass")
                for text in texts:
                    self.world.says(person, f"word: {seat}\n{text}", match.name)
        self.told.clear()
        self.world.look()

    def show(self) -> None:
        commands: list[tuple[str, ...]] = [("league", "standings", "Winter"), ("league", "rounds", "Winter", "--json")]
        commands += [("game", "list"), ("search", "Pass"), ("search", "Alice"), ("search", "Move"), ("record", "--all")]
        for match in self.world.matches(played=False):
            formats = [("export", match.name, "--format", one) for one in ("json", "mbox", "record", "svg")]
            commands += [*formats, ("record", match.name)]
            commands += [("game", "show", match.name), ("game", "show", match.name, "--json")]
        reports = [one for one in self.world.letters_to(ALICE) if ".report-" in str(one["Message-ID"])]
        if reports and SHAPES[self.shape][0] != "ozymandia":
            report = self.world.folder / "report.eml"
            report.write_bytes(reports[-1].as_bytes())
            commands.append(("dice", str(report)))
        self.world.shows([*commands, ("player", "show", "Alice")])


def kaboom(patch: pytest.MonkeyPatch) -> None:
    receives = receive.receive
    patch.setattr(receive, "receive", lambda case, now: 1 / 0 if "Kaboom" in case.text else receives(case, now))


SHAPES = {
    "ozymandia": ("ozymandia", 4, "", "", 0),
    "moderated": ("ozymandia", 4, "", 'review = "1 day"', 0),
    "rocknroll": ("rocknroll", 4, 'set = "expansion"\nlength = "short"', 'cooling_off = "1 hour"', 0),
    "ozz fast": ("ozz", 5, 'battles = "fast"', "", 4),
    "ozz board": ("ozz", 5, 'battles = "board"', "", 4),
    "ozz moderated": ("ozz", 5, 'battles = "board"', 'review = "1 day"', 4),
}


def tell(folder: Path, shape: str, seed: int, worlds: tuple[str, str], *, masters_read: bool, brief: bool) -> World:
    """A world in which the story has been told to its end: that of a turn that waits and is played; or, where a game
    master sees it first and the reader does not, of one that waits to be told."""
    reviewed = "review" in SHAPES[shape][3] and not masters_read
    secret, nonces = worlds
    with pytest.MonkeyPatch.context() as patch:
        kaboom(patch)
        world = World(folder, patch, seed, nonces)
        story = Story(world, shape, seed, secret, masters_read=masters_read)
        world.found(*SHAPES[shape])
        if seed % 3 == 0:
            world.says(ALICE, "digest 18:00", story.own)
        if (seed % 2 or shape == "ozz board") and not reviewed:
            story.play_a_turn()
        story.wait(HOUR)
        if not brief:
            story.show()
            story.wait(DAY)
            story.decide()
            world.look(5 * DAY)  # who is missing is reminded
        story.finish_the_turn(alike=not reviewed)
        world.says(ALICE, "status", story.own)
        world.look(2 * HOUR)
        world.says(ALICE, "status\nhistory\npress: Well played.", story.own)
        world.look(DAY if not reviewed else HOUR)
        if not reviewed and not brief:
            story.wait(HOUR)
        if not brief:
            story.show()
    return world


def check(
    folder: Path, shape: str, seed: int, *, masters_read: bool = False, brief: bool = False
) -> tuple[int, list[str]]:
    """How many texts were compared, and what is other than it may be."""
    told = (("here", "nonces"), ("there", "nonces"), ("there", "others"))
    worlds = [
        tell(folder / f"{number}", shape, seed, one, masters_read=masters_read, brief=brief)
        for number, one in enumerate(told)
    ]
    return differences(worlds, (*READERS, MASTER, OPERATOR) if masters_read else READERS)


@pytest.mark.parametrize(
    ("shape", "seed", "masters_read"),
    [("ozymandia", 1, True), ("rocknroll", 3, False), ("ozz board", 2, True), ("ozz moderated", 4, False)],
)
def test_nobody_is_told_what_others_write_before_its_time(tmp_path, shape, seed, masters_read):
    number, different = check(tmp_path, shape, seed, masters_read=masters_read, brief=True)
    assert not different, "\n".join(different)
    assert number > 10


@pytest.mark.long
@pytest.mark.parametrize("masters_read", [False, True])
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("shape", SHAPES)
def test_nobody_is_told_what_others_write_before_its_time_in_many_stories(tmp_path, shape, seed, masters_read):
    _, different = check(tmp_path, shape, seed, masters_read=masters_read)
    assert not different, "\n".join(different)


_NUMBERS = count(1)
SABOTAGE = {
    "ozymandia": {
        "pbem.service.load_case.hide_number": lambda key, number: f"{number}",
        "pbem.service.compose.calendar.sequence": lambda letter: next(_NUMBERS),
        "pbem.match.commitments.make_nonce": lambda *_: "0" * 32,
        "pbem.service.mailing.mailto": lambda *_: f"mailto:{next(_NUMBERS)}@example.org",
    },
    "ozz moderated": {"pbem.match.model.Match.as_told": lambda match: match},
}
"""What tells too much, in the place of what does not: numbers of letters in Message-IDs, a calendar that counts those
of all, seals without a nonce, a link that counts letters, the secret of a turn that is not told yet."""


@pytest.mark.parametrize(("shape", "what"), [(shape, what) for shape, found in SABOTAGE.items() for what in found])
def test_what_leaks_is_found(tmp_path, monkeypatch, shape, what):
    monkeypatch.setattr(what, SABOTAGE[shape][what])
    _, different = check(tmp_path, shape, 4, brief=True)
    assert different
