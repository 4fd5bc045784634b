"""How letters are read: ways of writing orders, prose, broken lines, commands, and texts of every kind."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games import find_game
from pbem.games.ozymandia.board import find_board, parse_board
from pbem.games.ozymandia.orders import Move, Orders
from pbem.games.ozymandia.state import State, parse_state
from pbem.match import gm_commands, obey
from pbem.orders import reader
from pbem.orders.asked_leagues import SHOWING
from pbem.orders.command import HELP_TOPICS, Asking, Command, Decision, Help, Simple
from pbem.orders.commands import COMMAND_ROWS, find_command, row_of
from pbem.orders.situation import Standpoint
from pbem.service import league_rounds
from support.each import each

GAME = find_game("ozymandia")
LATTICE = find_board("lattice")
FULL = "7 red A9 Z9 M9 S9 W9 AC9 MC9 SC9 bombs 3 blue V3 H3 E3 UC1 bombs 3"
STATE = parse_state(FULL, LATTICE)

WRITINGS = """
1 M to MC, 2 M to A.                 | 1 M to MC, 2 M to A
3 A to M, 2 W to M.                  | 3 A to M, 2 W to M
Bomb EC.                             | Bomb EC
3 A to M, 2 W to M, Bomb EC          | 3 A to M, 2 W to M; Bomb EC
3 A to M; 2 W to M; Bomb EC          | 3 A to M, 2 W to M; Bomb EC
3 A to M. 2 W to M. Bomb EC.         | 3 A to M, 2 W to M; Bomb EC
3 A to M and 2 W to M and bomb EC    | 3 A to M, 2 W to M; Bomb EC
3 A to M & 2 W to M & bomb EC        | 3 A to M, 2 W to M; Bomb EC
3 A to M, and 2 W to M               | 3 A to M, 2 W to M
3 A to M,2 W to M,Bomb EC            | 3 A to M, 2 W to M; Bomb EC
3 a to m                             | 3 A to M
3 A TO M                             | 3 A to M
3A to M                              | 3 A to M
3A-M                                 | 3 A to M
3A>M,2W>M                            | 3 A to M, 2 W to M
3  A   to    M                       | 3 A to M
3\u00a0A\u00a0to\u00a0M              | 3 A to M
3\u202fA\u2009to\u3000M              | 3 A to M
3\tA\tto\tM                          | 3 A to M
\uff13 \uff21 to \uff2d              | 3 A to M
3 A\u200b to M\ufeff                 | 3 A to M
003 A to M                           | 3 A to M
3 A -> M                             | 3 A to M
3 A --> M                            | 3 A to M
3 A => M                             | 3 A to M
3 A → M                              | 3 A to M
3 A > M                              | 3 A to M
3 A - M                              | 3 A to M
3 A – M                              | 3 A to M
3 A — M                              | 3 A to M
3 A–M                                | 3 A to M
3 A-M                                | 3 A to M
3 A –> M                             | 3 A to M
"3 A to M"                           | 3 A to M
'3 A to M, Bomb EC'                  | 3 A to M; Bomb EC
“3 A to M”                           | 3 A to M
‘3 A to M’                           | 3 A to M
„3 A to M“                           | 3 A to M
`3 A to M`                           | 3 A to M
"1 M to MC, 2 M to A."               | 1 M to MC, 2 M to A
- 3 A to M                           | 3 A to M
* 3 A to M                           | 3 A to M
• 3 A to M                           | 3 A to M
– 3 A to M                           | 3 A to M
-3 A to M                            | 3 A to M
1) 3 A to M                          | 3 A to M
1. 3 A to M                          | 3 A to M
1. 3 A to M\\n2. 2 W to M            | 3 A to M, 2 W to M
- 3 A to M\\n- 2 W to M\\n- Bomb EC  | 3 A to M, 2 W to M; Bomb EC
- 3 A-M\\n- 2 W-M                    | 3 A to M, 2 W to M
*3 A to M*                           | 3 A to M
* *3 A to M*\\n* *Bomb EC*           | 3 A to M; Bomb EC
_3 A to M_                           | 3 A to M
_Bomb EC_\\n_Pass_                    | Bomb EC
3 A to M!                            | 3 A to M
3 A to M! Bomb EC!                   | 3 A to M; Bomb EC
3 A to M\\n2 W to M                  | 3 A to M, 2 W to M
3 A to M\\r\\n2 W to M\\r\\n         | 3 A to M, 2 W to M
3 A to M,\\n2 W to M                 | 3 A to M, 2 W to M
\\n\\n3 A to M\\n\\n\\n2 W to M\\n\\n | 3 A to M, 2 W to M
move 3 A to M                        | 3 A to M
Move 3 pieces from A to M            | 3 A to M
3 pieces A to M                      | 3 A to M
1 piece from A to M                  | 1 A to M
3 from A to M                        | 3 A to M
from A 3 to M                        | 3 A to M
From A 3 pieces to M                 | 3 A to M
all A to M                           | 9 A to M
All pieces from Atlantea to Mu       | 9 A to M
move all A -> M                      | 9 A to M
all A-M                              | 9 A to M
3 Atlantea to Mu                     | 3 A to M
3 ATLANTEA to mu                     | 3 A to M
3 Atl to Mu                          | 3 A to M
1 Mystery City to Mu                 | 1 MC to M
1 mystery city to mu                 | 1 MC to M
1 MysteryCity to Mu                  | 1 MC to M
1 Myst to M                          | 1 MC to M
1 mystery c to M                     | 1 MC to M
1 SC-S                               | 1 SC to S
1 S-H                                | 1 S to H
1 S-SC                               | 1 S to SC
1 Shangri-La City - Shalomar         | 1 SC to S
1 Shangri-La City-Shalomar           | 1 SC to S
1 Shalomar-Shangri-La City           | 1 S to SC
1 Shalomar - Shangri La City         | 1 S to SC
1 shangri la city > S                | 1 SC to S
1 Shangri‑La City to S               | 1 SC to S
1 Shangri-la to Shalomar             | 1 SC to S
1 ShangriLaCity to S                 | 1 SC to S
1 Mu-Shalomar                        | 1 M to S
New M                                | New M
New MC                               | New MC
new in M                             | New M
new piece at M                       | New M
new piece in Mystery City            | New MC
New pieces at A, M and S             | New A, New M, New S
New A, M and S                       | New A, New M, New S
New A & M                            | New A, New M
New SC, A, M                         | New A, New M, New SC
New M, New A                         | New A, New M
New A, 3 A to M                      | New A; 3 A to M
New A, Bomb EC                       | New A; Bomb EC
new a and all a to m                 | New A; 10 A to M
New A; 10 A to M                     | New A; 10 A to M
all AC to A                          | 10 AC to A
New A, all AC to A                   | New A; 9 AC to A
Bomb EC, New M, 2 M to A             | New M; 2 M to A; Bomb EC
bomb ec                              | Bomb EC
Bombard EC                           | Bomb EC
bombard Elfin City                   | Bomb EC
BOMB ELFIN CITY                      | Bomb EC
Bomb Elf                             | Bomb EC
Pass                                 | Pass
pass.                                | Pass
hold                                 | Pass
Hold.                                | Pass
no move                              | Pass
No moves                             | Pass
Pass, bomb EC                        | Bomb EC
New M, pass                          | New M
1 A to M, 2 A to M                   | 3 A to M
1 A to M, 2 W to M, 3 A to M         | 4 A to M, 2 W to M
1 M to Mystery\\nCity, 2 M to A      | 1 M to MC, 2 M to A
3 A to M, 2 W\\nto M, Bomb EC        | 3 A to M, 2 W to M; Bomb EC
3 A to M, 2\\nW to M                 | 3 A to M, 2 W to M
3 A to M, 2 W to\\nM, Bomb EC        | 3 A to M, 2 W to M; Bomb EC
3 A to M, 2 W ->\\nM                 | 3 A to M, 2 W to M
3 A to M, move\\n2 W to M            | 3 A to M, 2 W to M
3 A to M, Bomb\\nEC                  | 3 A to M; Bomb EC
3 A to M, Bomb Elfin\\nCity          | 3 A to M; Bomb EC
3 A to M, no\\nmove\\n               | refused
New A,\\nM and S                     | New A, New M, New S
New A, M and\\nS, 3 A to M           | New A, New M, New S; 3 A to M
New\\nM                              | New M
"""


def written(text: str) -> str:
    return text.strip().replace("\\n", "\n").replace("\\r", "\r")


ROWS = [tuple(map(written, row.rsplit("|", 1))) for row in WRITINGS.strip().splitlines()]


def read(text: str, state: State = STATE, seat: str = "red") -> reader.Reading:
    return reader.read(Standpoint(GAME, state, seat), text)


def by_grammar(text: str, state: State = STATE) -> reader.Reading:
    """What the grammar alone makes of a text, whatever its words may do to the orders beside them."""
    return reader.read_text(Standpoint(GAME, state, "red"), text)


def sentences(text: str, state: State = STATE) -> list[str]:
    return [mistake.sentence for mistake in read(text, state).mistakes]


@each(("text", "canonical"), ROWS)
def test_a_way_of_writing_is_read_as_meant(text: str, canonical: str) -> None:
    reading = read(text)
    assert (str(reading.orders) if reading.orders else "refused") == canonical
    assert reading.remarks == ()
    assert reading.commands == ()


@each(("text", "canonical"), ROWS)
def test_it_is_read_the_same_among_prose(text: str, canonical: str) -> None:
    reading = read(f"Hi Alice,\n\n{text}\n\nGood luck!\nM.")
    assert (str(reading.orders) if reading.orders else "refused") == canonical
    assert reading.remarks == ("Hi Alice,", "Good luck!", "M.")


@pytest.mark.parametrize("board", ["lattice", "triangles"])
def test_every_area_is_read_by_code_by_name_and_by_every_beginning_of_its_own(board: str) -> None:
    areas = find_board(board).areas
    state = parse_state("1 red M1 bombs 3 blue H1 bombs 3", find_board(board))
    for code, area in areas.items():
        begun = [area.name[:end] for end in range(3, len(area.name))]
        own = [
            text
            for text in begun
            if text[-1].isalpha() and sum(other.name.startswith(text) for other in areas.values()) == 1
        ]
        for text in (code, code.lower(), area.name, area.name.upper(), *own):
            assert read(f"Bomb {text}", state).orders == Orders(bomb=code), text


# --- prose ----------------------------------------------------------------------------------------------------

REMARKS = """
Hi | Hi, | Hello | Hello Bob, | Hey | Hey there! | Dear Bob, | Dear Alice | Good evening, | Moin
Thanks | Thanks! | Thanks to Bob | Thanks for the game so far. | Many thanks | Cheers | Cheers, Bob | Good luck
Good luck! | GL HF | Best regards | Best wishes from Anna | All the best | All the best, Bob | Kind regards, M.
See you | See you on Monday. | See you at 8 a.m. then | Sorry | Sorry for the delay | Love, Anna | Love to all
Sorry, I was away for 3 days. | Both of us are well. | Hope you are well. | What a game! | No problem.
Paul | Anna | Bob | bob | Bob, | Bob. | Bob Miller | Bob & Anna | Bob and Anna | Bob, see you soon. | Ned | Hans
A. | A | M | M. | S | MC | I | Mu | Amber
A storm hit us, 3 trees are down. | I have 2 dogs and a cat. | I went to a party at 8. | In 2 h I am off.
My e-mail was down for 3 days | You are in a hopeless position. | It was a new move. | Nice bombardment last turn.
I am looking forward to it. | I look forward\\nto seeing you. | from Monday on I am away | moved to a new house
To be continued | and so on | 2026 | --- | *** | :-) | Sent on 21 November 2026 | Tel. 030 1234567
Here is my move: | My orders: | Orders | Next time I will win. | Yes, but not today. | help me please | P.S. 3:1 for me
"""

ATTEMPTS = """
Now we wait | Hold on | Bom EC | Bmob EC | Bomb | New | New year greetings | Pas | no mov | Nwe M | Bob EC
3 Foo to Bar | A to M | a to m | a -> m | from A to M | A-M | three A to M | Mu to Shalomar | 3 armies go from A
3 in Mu | M: 3 to A | I move 3 A to M | Attack M with 3 | 2 to A | 3a | 3 a | 3 A | Hi, 3 A to M | 3 A to M, thanks
"""


def listed(text: str) -> list[str]:
    return [written(part) for line in text.strip().splitlines() for part in line.split(" | ")]


@each("text", listed(REMARKS))
def test_prose_is_a_remark(text: str) -> None:
    assert by_grammar(text) == reader.Reading(remarks=tuple(text.split("\n")))


@each("text", listed(ATTEMPTS))
def test_an_attempt_that_cannot_be_read_is_answered_and_refuses_the_whole_letter(text: str) -> None:
    reading = by_grammar(f"3 A to M\n{text}")
    assert reading.orders is None
    assert reading.mistakes
    assert all(mistake.line == 2 for mistake in reading.mistakes)
    assert reading.remarks == ()


def test_a_letter_without_orders_has_neither_orders_nor_mistakes() -> None:
    assert read("") == reader.Reading()
    assert read(" \n\n \t") == reader.Reading()
    assert read("Hi,\n\nnice game.\n") == reader.Reading(remarks=("Hi,", "nice game."))


# --- mistakes in their place ------------------------------------------------------------------------------------


def test_all_mistakes_of_a_letter_are_named_at_once_and_a_correction_is_proposed() -> None:
    state = parse_state("7 red A3 M3 W2 S3 bombs 3 blue V3 H3 E3 bombs 3", LATTICE)
    reading = read("3 Shalimar to Mu, 9 W to M, Bom EC", state)
    rendered = ["\n".join(reader.render_mistake(mistake)) for mistake in reading.mistakes]
    assert rendered == [
        """\
  1 | 3 Shalimar to Mu, 9 W to M, Bom EC
        ^^^^^^^^
      There is no area "Shalimar". Did you mean Shalomar (S)?""",
        """\
  1 | 3 Shalimar to Mu, 9 W to M, Bom EC
                        ^
      There are 2 pieces in Wyvernia (W), not 9.""",
        """\
  1 | 3 Shalimar to Mu, 9 W to M, Bom EC
                                  ^^^
      We do not understand "Bom". Write a move ("2 W to M"), "Bomb EC",
      "New M" or "Pass".""",
    ]
    assert reading.proposal == "3 S to M, 2 W to M; Bomb EC"


def test_a_problem_that_occurs_twice_is_named_once() -> None:
    assert sentences("1 M to Shalimar, 2 W to M\n2 M to Shalimar") == [
        'There is no area "Shalimar". Did you mean Shalomar (S)?'
    ]


def test_a_mistake_knows_its_line_and_its_item() -> None:
    [mistake] = read("Hi,\n\n  3 A to M,  2 W to Mm \nBye").mistakes
    assert (mistake.line, mistake.text, mistake.column, mistake.width) == (3, "  3 A to M,  2 W to Mm ", 20, 2)
    assert str(mistake).startswith('2 W to Mm: There is no area "Mm".')


def test_a_mistake_in_everyday_words_is_shown_in_these_words() -> None:
    standpoint = Standpoint(GAME, parse_state("2 red A3 M3 W2 bombs 3 blue V3 H3 bombs 3", LATTICE), "red")
    for text in ("5 Wyvernai to WC", "Five of the Wyvernia men go to Wizard City."):
        (mistake,) = reader.read(standpoint, f"Hello Bob,\n\n{text}").mistakes
        assert (mistake.line, mistake.text) == (3, text)
        assert str(mistake).endswith("There are 2 pieces in Wyvernia (W), not 5.")


def test_a_mistake_in_a_broken_item_is_shown_on_its_own_line() -> None:
    [mistake] = read("2 A to M, 20 W\nto M").mistakes
    assert (mistake.line, mistake.text, mistake.column, mistake.item) == (1, "2 A to M, 20 W", 10, "20 W to M")
    [mistake] = read("2 A to M, 2 W to\nMm").mistakes
    assert (mistake.line, mistake.text, mistake.column, mistake.item) == (2, "Mm", 0, "2 W to Mm")


def test_a_long_line_is_cut_around_the_place() -> None:
    text = "1 A to M, " * 12 + "9 Q to M, " + "1 A to M, " * 12
    quoted, caret, *_ = reader.render_mistake(read(text).mistakes[0])
    assert len(quoted) == 72
    assert quoted.startswith("  1 | ...")
    assert quoted.endswith("...")
    assert quoted[caret.index("^")] == "Q"


def test_one_bad_item_leaves_nothing_of_the_letter() -> None:
    reading = read("3 A to M, xyzzy, Bomb EC")
    assert reading.orders is None
    assert [mistake.item for mistake in reading.mistakes] == ["xyzzy"]
    assert reading.proposal == "3 A to M; Bomb EC"  # beside the mistake: nothing of it is left out unseen


def test_what_the_player_has_to_decide_is_not_proposed() -> None:
    for text in ("Bomb EC, Bomb HC", "3 A to M, Pass", "1 A to M, 1 W to U", "9 A to M, 9 A to Z"):
        assert read(text).mistakes
        assert read(text).proposal is None, text


def test_illegal_orders_are_told_item_by_item() -> None:
    with pytest.raises(reader.IllegalOrders) as refused:
        reader.parse(
            Standpoint(GAME, parse_state("1 red W1 bombs 3 blue H1 bombs 3", LATTICE), "red"), "1 A to M; 1 W to S"
        )
    assert [str(mistake).partition(": ")[0] for mistake in refused.value.mistakes] == ["1 A to M", "1 W to S"]
    with pytest.raises(reader.IllegalOrders, match="no orders here"):
        reader.parse(Standpoint(GAME, STATE, "red"), "Hello")


def test_the_names_of_a_game_masters_own_board_are_read() -> None:
    source = LATTICE.source
    for old, new in (("Mu", "Sandhill"), ("Atlantea", "O'Hara"), ("Wyvernia", "Île-du-Sud"), ("Zephyria", "Zug")):
        source = source.replace(f'"{old}"', f'"{new}"')
    state = replace(STATE, board=parse_board(source))
    assert str(read("3 Zug to O'Hara, 2 Sandhill to O’Hara", state).orders) == "3 Z to A, 2 M to A"
    assert str(read("1 Île-du-Sud-Sandhill; bomb sandhill", state).orders) == "1 W to M; Bomb M"
    assert sentences("1 Ile-du-Sud to Sandhill", state) == [
        'There is no area "Ile-du-Sud". Did you mean Île-du-Sud (W)?'
    ]


# --- commands -----------------------------------------------------------------------------------------------------


@each(
    ("line", "command"),
    [
        ("help", Help()),
        ("HELP!", Help()),
        ("Help orders.", Help("orders")),
        ("status", Simple("status")),
        ("Status...", Simple("status")),
        ("  withdraw  ", Simple("withdraw")),
        ("yes", Simple("yes")),
        ("Yes.", Simple("yes")),
        ("`yes`", Simple("yes")),
        ('"Yes!"', Simple("yes")),
        ("yes please", Simple("yes")),
        ("Yes please!", Simple("yes")),
    ],
)
def test_a_command_takes_its_whole_line(line: str, command: Command) -> None:
    assert read(line).commands == reader.read_words(line).commands == (command,)
    if command == Simple("yes"):  # beside it nothing but courtesies can stand
        assert [doubt.turn for doubt in read(f"3 A to M\n{line}\nBye").doubts] == ["beside yes"]
        return
    if command == Simple("withdraw"):  # below orders it may be about those
        assert read(f"{line}\n3 A to M\nBye").commands == (command,)
        return
    assert read(f"3 A to M\n{line}\nBye") == reader.Reading(
        Orders(moves=(Move(3, "A", "M"),)), commands=(command,), remarks=("Bye",)
    )


@pytest.mark.parametrize(
    "text", ["3 A to M\nwithdraw", "2 A to AC\n\nPlease withdraw my orders.", "two from A to M\nundo"]
)
def test_orders_that_are_taken_back_right_below_are_asked_about(text: str) -> None:
    reading = read(text)
    assert reading.orders is None
    assert [doubt.turn for doubt in reading.doubts] == ["turned"]
    assert len(reading.readings) == 1


@pytest.mark.parametrize("text", ["withdraw\n3 A to M", "Hi Bob,\n\nPlease withdraw my orders.\n\n3 A to M"])
def test_orders_below_a_withdrawal_are_new_ones(text: str) -> None:
    assert str(read(text).orders) == "3 A to M"
    assert read(text).commands == (Simple("withdraw"),)


@pytest.mark.parametrize("line", ["yes, but not yet", "yes, not me"])
def test_a_yes_that_says_more_is_asked_about(line: str) -> None:
    assert read(line).commands == ()
    assert [doubt.turn for doubt in read(line).doubts] == ["beside yes"]


@pytest.mark.parametrize("line", ["no way", "help us all", "status quo", "withdraw now", "yesterday"])
def test_a_line_that_says_more_is_no_command(line: str) -> None:
    assert read(line) == reader.Reading(remarks=(line,))


@each(
    ("line", "command"),
    [
        ("yes 3", Asking("yes", "3")), ("no 2", Asking("decline", "2")), ("Nein, danke.", Asking("decline")),
        ("Yes, that's my work address.", Simple("yes")), ("Ja, einverstanden!", Simple("yes")), ("OK", Simple("yes")),
        ("Yes \N{THUMBS UP SIGN}", Simple("yes")), ("I accept", Simple("yes")), ("Да, согласен.", Simple("yes")),
        ("Please cancel my orders.", Simple("withdraw")), ("Ich gebe auf", Simple("resign")), ("help me", Help("")),
        ("предлагаю ничью", Simple("draw")), ("who is waiting?", Simple("status")), ("Regeln?", Help("rules")),
    ],
)  # fmt: skip
def test_a_whole_line_may_say_a_command_in_ordinary_words(line: str, command: Command) -> None:
    assert reader.read_words(line).commands == (command,)


@pytest.mark.parametrize("line", ["No", "ok", "Agreed.", "Stimmt", "нет"])
def test_beside_orders_a_word_of_agreement_is_about_them_and_no_command(line: str) -> None:
    assert reader.read_words(f"3 A to M\n{line}").commands == ()


def test_commands_come_in_the_order_given() -> None:
    assert reader.read_words("status\nhelp rules\nyes").commands == (Simple("status"), Help("rules"), Simple("yes"))


EXAMPLES = {
    "help": "", "status": "", "games": "", "yes": "", "withdraw": "", "check": "", "wait": "", "go": "",
    "draw": "", "no": "draw",
    "resign": "",
    "back": "",
    "pause": "", "resume": "", "take": "back", "vote": "pause",
    "mute": "", "unmute": "", "resend": "7", "history": "", "record": "oz-17",
    "analysis": "oz-17", "puzzle": "rocknroll 2", "accept": "",
    "decline": "always", "rematch": "", "hand": "over to eve@example.org", "join": "autumn", "leave": "autumn",
    "challenge": "bob@example.com", "try": "from oz-17 turn 6", "teacher": "tina@example.org",
    "vacation": "20 December to 3 January", "zone": "Europe/Berlin",
    "language": "deutsch",
    "address": "me@example.org", "observe": "oz-17", "unobserve": "oz-17", "my": "data", "forget": "me", "undo": "",
    "desk": "", "standings": "", "crosstable": "", "rounds": "Autumn", "schedule": "", "leagues": "",
    "next": "Autumn because so", "season": "Autumn",
    "bye": "Autumn 3", "enter": "Autumn Joe <joe@example.org> because so", "pair": "Autumn 3 Ann - Ben because so",
    "substitute": "Autumn board 2 Ann",
    "forbid": "Autumn Ann - Ben because so", "allow": "Autumn Ann - Ben because so",
    "fewer": "letters", "more": "letters", "digest": "daily", "text": "only", "html": "", "calendar": "",
    "interpreter": "", "pictures": "",
    "extend": "oz-17 2 days because Bob is ill", "process": "oz-17 now because Bob is gone",
    "rollback": "oz-17 4 because of a mistake", "roll": "back oz-17 to turn 4 because of a mistake",
    "readjudicate": "oz-17 because the board was wrong",
    "replace": "oz-17 red with Eve <eve@example.org> because Al left",
    "letters": "oz-17 3", "award": "oz-17 red because Bob left", "annul": "oz-17 because both left",
    "uphold": "oz-17 5 because he was late", "overturn": "oz-17 5 because he was in time",
    "reopen": "oz-17 because it was a slip", "replay": "oz-17 because the server failed",
    "decisions": "oz-17", "points": "Autumn Hal 0.5 because so", "rate": "Autumn Hal 1850 because so",
    "position": "oz-17 7 red A3 bombs 3 blue H4 bombs 2 because of a mistake",
    "words": "oz-17 because the beacon is gone",
    "orders": "oz-17 red: 3 A to M because his mail fails", "release": "oz-17", "ok": "",
    "invite": "Al <al@example.org> and Bo <bo@example.org>",
    "ban": "eve@example.org because she sends too much",
    "unban": "eve@example.org because it was a mistake",
}  # fmt: skip
"""What may stand behind the word of each command, but for those that take a block of words or orders."""


def test_every_row_of_the_table_is_read_by_its_own_word_and_says_what_it_does() -> None:
    blocks = ("press", "say", "gm", "claim", "appeal", "tell", "decide", "later", "word", "league", "if")
    assert {row.word for row in COMMAND_ROWS} == {*EXAMPLES, *blocks}
    for row in COMMAND_ROWS:
        if row.word in EXAMPLES:
            assert reader.read_words(f"{row.word.upper()} {EXAMPLES[row.word]}").commands, row.word
        # Nobody writes "later": orders for another turn begin with which it is.
        assert row.usage.startswith(row.word if row.word != "later" else "turn 6:") or not row.usage
        assert bool(row.help) == bool(row.usage)
    assert all(find_command("help", topic) == Help(topic) for topic in HELP_TOPICS)


def test_each_command_is_done_in_one_place_and_there_is_nothing_else_to_do() -> None:
    lines = [f"{word} {rest}" for word, rest in EXAMPLES.items()] + [
        "no wait",
        "no go",
        "no pause",
        "no take back",
        "no vote",
        "vote annul",
        "vote extend 2 days",
        "say oz-17: Hello",
        "yes 2",
        "withdraw turn 6",
        "my settings",
        "no calendar",
        "no interpreter",
        "no pictures",
        "teacher off",
    ]
    lines += ["address a@b.example is c@d.example because so"]
    lines += [
        *("bye Autumn Ann 3 because so", "enter Autumn Joe <joe@example.org> with 1 point because so"),
        "enter Autumn computer level 3 because so",
        *("pair Autumn 3 Ann - Ben, Cleo - Dan because so", "forbid Autumn Ann - Ben because so"),
        *("allow Autumn Ann - Ben because so", "bye Autumn 3"),
        "substitute Autumn Rooks board 2 Ann round 3 because so",
        *("withdraw Autumn Hal because so", "next Autumn because so", "season Autumn with everybody"),
        *("points Autumn Hal -0.5 because so", "rate Autumn Hal 1850 because so"),
        *("join Autumn Joe <joe@example.org>", "challenge Autumn Ann against Ben"),
        "pause oz-17 because so",
        "resume oz-17 because so",
        "gm: Hello\nend gm\ntell oz-17 red: Hello",
        "claim: Hello\nend claim\nappeal: Hello\nend appeal\ndecide oz-17 5: So be it",
        "word: Hello\nleague:\nname = 'Autumn'",
    ]
    found = [command for line in lines for command in reader.read_words(line).commands]
    assert {one.word for one in found if isinstance(one, Simple)} == obey.SIMPLE.keys()
    assert {one.word for one in found if isinstance(one, Asking)} == obey.ASKING.keys()
    assert {one.word for one in found if isinstance(one, Decision)} == {
        *(*gm_commands.DECIDED, *league_rounds.DIRECTED, "desk", "league", "decisions")
    }
    assert all(row_of(one).word == one.word.split()[0] for one in found)


def test_only_a_command_whose_argument_stands_in_brackets_is_complete_without_it() -> None:
    alone = {word for word in obey.ASKING if find_command(word) and row_of(find_command(word)).complete}
    assert alone == {"yes", "withdraw", "join", "leave", "decline", "record", "analysis", "puzzle", "resend", *SHOWING}


@each(
    "line",
    [
        "Wait for me, please", "Draw near", "No problem", "Resign yourself to it", "Pause for thought",
        "Join us for tea!",
        "Extend my thanks to Bob", "Award winning play", "Orders are below", "Release the hounds", "Position is bad",
        "Replace the board", "Accept my apologies", "Record of losses", "Challenge accepted", "Address unknown",
        "Zone defence",
        "My dear Bob",
        "Forget it", "Press on", "Say hello to Bob", "Ok then", "Process of elimination", "Roll the dice",
        "Next Sunday I am away", "Season's greetings", "Schedule is tight", "Challenge me again", "Withdraw the troops",
    ],
)  # fmt: skip
def test_prose_that_begins_with_the_word_of_a_command_is_none(line: str) -> None:
    found = reader.read_words(line).commands
    assert found in (
        (),
        (Asking("join", "us for tea"),),
        (Asking("zone", "defence"),),
    )


# --- laws -----------------------------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    [
        *("1", "3", "0", "99999999999", "all", "A", "a", "M", "MC", "Mu", "Atl", "Sha", "Shangri-La", "City", "S-H"),
        *("to", "-", "->", "→", ">", ",", ";", ".", "&", "and", "\n", "\n\n", "\r", "-", "*", "1)", "2. ", "'", '"'),
        *("Bomb", "bom", "New", "in", "piece", "Pass", "hold", "no", "move", "from", "pieces", "(", ")", "Bob"),
        *("yes", "help", "I", "please", "\u00a0", "\u200b", "é", "\ud800", "\x00", "\u2028"),
    ]
)
TEXTS = st.one_of(
    st.text(),
    st.text("3AaMC -–>,;.\n&toandnewbomb'’\"1)*"),
    st.lists(WORDS, max_size=25).map(" ".join),
    st.lists(WORDS, max_size=25).map("".join),
)


@settings(deadline=None, max_examples=100)
@given(TEXTS)
def test_no_text_makes_the_reader_raise_and_what_it_reads_it_writes(text: str) -> None:
    reading = read(text)
    for mistake in reading.mistakes:
        assert max(map(len, reader.render_mistake(mistake))) <= 72
        assert 0 <= mistake.column <= len(mistake.text)
    assert reading.orders is None or not reading.mistakes
    assert reading.proposal is None or reading.mistakes or reading.doubts
    for canonical in (reading.orders, reading.proposal):
        if canonical is not None:
            assert str(read(str(canonical)).orders) == str(canonical)


@st.composite
def legal_orders(draw: st.DrawFn) -> Orders:
    """Orders for STATE, whose red cities are AC, MC and SC."""
    new = [area for city in ("A", "M", "S") for area in draw(st.sampled_from([(), (city,), (city + "C",)]))]
    hub = draw(st.sampled_from(["A", "M", "S", "W", "SC"]))
    moves = []
    for near in draw(st.lists(st.sampled_from(sorted(LATTICE.adjacent[hub])), unique=True, max_size=4)):
        moves.append((near, hub))
    moves = [(a, b) for a, b in moves if a in STATE.pieces["red"]]
    if draw(st.booleans()):
        moves = [(hub, a) for a in draw(st.permutations(sorted(LATTICE.adjacent[hub])))][: draw(st.integers(0, 3))]
    bomb = draw(st.none() | st.sampled_from(list(LATTICE.areas)))
    new.sort(key=lambda area: LATTICE.order[area])
    return Orders(tuple(new), tuple(Move(draw(st.integers(1, 3)), *way) for way in moves), bomb)


@settings(deadline=None, max_examples=60)
@given(legal_orders())
def test_orders_that_are_written_are_read_back(said: Orders) -> None:
    assert reader.parse(Standpoint(GAME, STATE, "red"), str(said)) == said


ITEMS = ("3 A to M", "9 W to M", "1 M to S", "all A to M", "2 A to Z", "New A", "New SC", "Bomb EC", "Pass", "1 Q to M")


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_the_order_of_items_does_not_matter_to_what_is_legal(data: st.DataObject) -> None:
    items = data.draw(st.lists(st.sampled_from(ITEMS), max_size=6))
    first, second = read(", ".join(items)).orders, read(", ".join(data.draw(st.permutations(items)))).orders
    assert (first is None) == (second is None)
    if first and second:
        assert sorted(first.moves) == sorted(second.moves)
        assert (first.new, first.bomb) == (second.new, second.bomb)


@each("piece", ["-", "7", "(", "a-a-", ",", "=", "3 ", "3\n", "New ", "i.", "'", "A to ", "\ufdfa"])
def test_a_long_text_of_one_piece_is_read_to_its_end(piece: str) -> None:
    reading = read(piece * (3_000 // len(piece)))
    assert reading.orders is None
    assert len(reading.mistakes) <= 1


def test_more_orders_than_a_turn_can_need_are_one_mistake() -> None:
    assert sentences("3 Shalimar to Atlantis, " * 500) == [
        "There are more than 200 orders here. No turn needs so many."
    ]


@pytest.mark.parametrize("text", ["3 A to M\nno 2", "no 2\n3 A to M"])
def test_no_and_a_number_beside_orders_may_be_about_them(text: str) -> None:
    assert read(text).orders is None
    assert read(text).doubts


@pytest.mark.parametrize("link", ["See https://example.org/a?b=c", "https://example.org/?q=1 is nice"])
def test_a_question_mark_in_a_link_asks_nothing(link: str) -> None:
    game = find_game("ozymandia")
    reading = reader.read(Standpoint(game, game.new({}), "red"), f"3 A to M\n{link}")
    assert (str(reading.orders), reading.remarks) == ("3 A to M", (link,))


def test_each_line_of_a_letter_that_only_agrees_is_looked_at_once(monkeypatch):
    seen = []
    monkeypatch.setattr(reader, "may_be_order", lambda line: bool(seen.append(line)))
    words = reader.read_words("\n".join(["Sure.", "ok", "Yes"] * 50))
    assert words.commands
    assert sorted(seen) == sorted({*seen})
