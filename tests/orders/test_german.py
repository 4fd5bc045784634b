"""Letters in German: orders, remarks and commands are read as those in English are, whoever writes them."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.cli.demo import DemoDesk
from pbem.games import find_game
from pbem.games.base import GameError, Sentence
from pbem.games.ozymandia.board import find_board, parse_board
from pbem.games.ozymandia.mistakes import MISTAKES
from pbem.games.ozymandia.orders import Move, Orders
from pbem.games.ozymandia.state import State, parse_state
from pbem.i18n.words import LanguageError, files, parse_language
from pbem.orders import reader
from pbem.orders.command import Asking, Command, Decision, Help, Press, Simple
from pbem.orders.commands import COMMAND_ROWS, find_command, spellings
from pbem.orders.situation import Situation, Standpoint
from pbem.store.matches import load_match
from pbem.store.players import player_by_address
from support.correspondents import ALICE, BOB, Correspondents
from support.each import each
from support.ozymandia_mistakes import EXAMPLES

GAME = find_game("ozymandia")
LATTICE = find_board("lattice")
STATE = parse_state("7 red A9 Z9 M9 S9 W9 AC9 MC9 SC9 bombs 3 blue V3 H3 E3 UC1 bombs 3", LATTICE)


def read(text: str, state: State = STATE) -> reader.Reading:
    return reader.read(Standpoint(GAME, state, "red"), text)


def by_grammar(text: str, state: State = STATE) -> reader.Reading:
    """What the grammar alone makes of a text, whatever its words may do to the orders beside them."""
    return reader.read_text(Standpoint(GAME, state, "red"), text)


def written(text: str) -> str:
    return text.strip().replace("\\n", "\n")


# --- orders -----------------------------------------------------------------------------------------------------

TWINS = """
1 M to MC, 2 M to A.            | 1 M nach MC, 2 M nach A.
3 A to M, 2 W to M.             | 3 A nach M, 2 W nach M.
Bomb EC.                        | Bombe EC.
1 M to MC; 2 M to A             | 1 M nach MC; 2 M nach A
3 A to M. 2 W to M.             | 3 A nach M. 2 W nach M.
3 A to M and 2 W to M           | 3 A nach M und 2 W nach M
3 A to M, and 2 W to M          | 3 A nach M, und 2 W nach M
3 A to M & 2 W to M             | 3 A nach M & 2 W nach M
3 A to M\\n2 W to M             | 3 A nach M\\n2 W nach M
3 A to M, 2 W\\nto M            | 3 A nach M, 2 W\\nnach M
3A to M                         | 3A nach M
- 3 A to M\\n- Bomb EC          | - 3 A nach M\\n- Bombe EC
1) 3 A to M\\n2) Bomb EC        | 1) 3 A nach M\\n2) Bombe EC
1. 3 A to M\\n2. 2 W to M       | 1. 3 A nach M\\n2. 2 W nach M
"3 A to M"                      | „3 A nach M“
3 A -> M, 2 W-M                 | 3 A -> M und 2 W-M
move 3 A to M                   | ziehe 3 A nach M
move 3 A to M                   | zieh 3 A nach M
move 3 A to M                   | Ziehen 3 A nach M!
move 3 A to M                   | Ich ziehe 3 A nach M.
move 3 A to M                   | Wir ziehen 3 A nach M.
move 3 pieces from A to M       | ziehe 3 Steine von A nach M
move 3 pieces from A to M       | 3 Steine von A nach M ziehen
please move 3 A to M            | Bitte ziehe 3 A nach M.
please 3 A to M                 | bitte 3 A nach M ziehen
3 A to M, please                | 3 A nach M, bitte
3 A to M please, 2 W to M       | 3 A nach M bitte ziehen und 2 W nach M ziehen
3 pieces from A to M            | 3 Steine von A nach M
3 pieces from A to M            | 3 Stück von A nach M
3 pieces from A to M            | 3 Stueck von A nach M
1 piece A to M                  | 1 Stein A nach M
3 from A to M                   | 3 von A nach M
from A 3 to M                   | von A 3 nach M
from A 3 pieces to M            | ziehe von A 3 Steine nach M
all A to M                      | alle A nach M
all A to M                      | alle von A nach M
all A to M                      | alles von A nach M
all pieces from Atlantea to Mu  | alle Steine von Atlantea nach Mu
1 Shangri-La City - Shalomar    | 1 Shangri-La City nach Shalomar
New M                           | neu M
New MC                          | Neu MC
new in M                        | neu in M
new piece at M                  | neuer Stein in M
new piece in Mystery City       | neuer Stein in Mystery City
new piece at M                  | neuen Stein in M
new piece at M                  | neuen Stein in M setzen
new piece at M please           | neuen Stein in M setzen bitte
new piece at M                  | neu auf M
new piece at M                  | neu nach M
New A, M and S                  | neu in A, M und S
New pieces at A, M and S        | neue Steine in A, M und S
New A and all A to M            | neu A und alle A nach M
Bomb EC                         | bombe ec
Bomb EC                         | Bombe auf EC
Bomb EC                         | Bombe auf Elfin City
Bomb EC                         | Bombe nach EC
Bomb EC                         | Bombe auf EC werfen
Bomb EC                         | EC bombardieren
Please bomb EC and 3 A to M     | Bitte EC bombardieren und 3 A nach M
Bomb EC                         | Bomben auf EC
bombard EC                      | bombardiere EC
bombard Elfin City              | bombardieren Elfin City
Pass                            | Passe
pass.                           | Ich passe.
hold                            | halten
no move                         | kein Zug
no moves                        | keine Züge
no moves                        | keine Zuege
no moves                        | keine Zuge
Pass, bomb EC                   | Passe und Bombe EC
3 A to M, 2 W to M, Bomb EC, New M | 3 A nach M und 2 W nach M, Bombe EC, neu M
3 A to M and 2 W to M, Bomb EC  | 3 A nach M and 2 W to M und bombe EC
3 A to M, 2 W to M, Bomb EC, New M | 3 A NACH M UND 2 W NACH M, BOMBE EC, NEU M
"""


def rows(text: str) -> list[tuple[str, ...]]:
    return [tuple(map(written, row.split("|"))) for row in text.strip().splitlines()]


def listed(text: str) -> list[str]:
    return [written(part) for line in text.strip().splitlines() for part in line.split(" | ")]


@each(("english", "german"), rows(TWINS))
def test_an_order_in_german_is_read_as_its_english_twin(english: str, german: str) -> None:
    assert read(german).orders is not None
    assert read(german) == read(english)


@each(("english", "german"), rows(TWINS))
def test_it_is_read_the_same_among_german_prose(english: str, german: str) -> None:
    reading = read(f"Hallo Anna,\n\n{german}\n\nam 3.12. bin ich weg.\nViele Grüße, M.")
    assert reading.orders == read(english).orders
    assert {*reading.remarks, *reading.perhaps} == {"Hallo Anna,", "am 3.12. bin ich weg.", "Viele Grüße, M."}


IN_GERMAN = {
    "move": ("{0} {1} nach {2}", "ziehe {0} {1} nach {2}", "{0} Steine von {1} nach {2}", "ich ziehe {0} {1} nach {2}",
             "{0} {1}->{2}", "{0} {1} to {2}", "von {1} {0} nach {2}", "{0} von {1} nach {2} ziehen",
             "bitte {0} {1} nach {2}"),
    "new": ("neu {0}", "Neu in {0}", "neuer Stein in {0}", "New {0}", "neu auf {0}", "neuen Stein in {0} setzen"),
    "bomb": ("Bombe {0}", "bombardiere {0}", "Bombe auf {0}", "Bomb {0}", "{0} bombardieren",
             "Bombe auf {0} werfen, bitte"),
    "pass": ("Passe", "halten", "keine Züge", "kein Zug", "Pass", "KEINE ZUEGE"),
    "between": (", ", " und ", ".\n", "; ", "\n", ", und ", " and ", "!\n- "),
}  # fmt: skip


@st.composite
def letters(draw: st.DrawFn) -> tuple[Orders, str]:
    """Legal orders for STATE, and how somebody may write them in German, or half in English."""
    new = [area for city in ("A", "M", "S") for area in draw(st.sampled_from([(), (city,), (city + "C",)]))]
    hub = draw(st.sampled_from(["A", "M", "S", "W"]))
    near = draw(st.lists(st.sampled_from(sorted(LATTICE.adjacent[hub])), unique=True, max_size=3))
    moves = [(hub, area) for area in near]
    if draw(st.booleans()):
        moves = [(area, hub) for area in near if area in STATE.pieces["red"]]
    said = Orders(
        tuple(sorted(new, key=LATTICE.order.__getitem__)),
        tuple(Move(draw(st.integers(1, 3)), *way) for way in moves),
        draw(st.none() | st.sampled_from(list(LATTICE.areas))),
    )

    def area(code: str) -> str:
        return draw(st.sampled_from((code, code.lower(), LATTICE.areas[code].name)))

    def item(kind: str, *words: str) -> str:
        return draw(st.sampled_from(IN_GERMAN[kind])).format(*words)

    items = [item("new", area(one)) for one in said.new]
    items += [item("move", str(move.count), area(move.origin), area(move.target)) for move in said.moves]
    items += [item("bomb", area(said.bomb))] if said.bomb else []
    items = items or [item("pass")]
    text = items[0]
    for one in items[1:]:
        text += draw(st.sampled_from(IN_GERMAN["between"])) + one
    return said, text + draw(st.sampled_from(("", ".", "!", "\n\nGruß, Bob")))


@settings(deadline=None, max_examples=60)
@given(letters())
def test_legal_orders_written_in_german_are_read_back(letter: tuple[Orders, str]) -> None:
    said, text = letter
    assert read(text).orders == said


NAMES = (
    "Neustadt",
    "Undine",
    "Nachod",
    "Alleghany",
    "Vonheim",
    "Passeier",
    "Haltern",
    "Bombenau",
    "Steinfurt",
    "Ziehen-Au",
)


@each("name", NAMES)
@each("case", [str.lower, str.upper, str.title])
def test_a_name_that_begins_like_a_german_key_word_is_a_name(name: str, case: Callable[[str], str]) -> None:
    written = case(name)
    parse = Situation(find_game("ozymandia"), None).grammar.parse
    [move] = parse(case(f"3 {name} nach {name}"))
    assert (move.origin.value, move.target.value) == (written, written)
    [new] = parse(case(f"neu in {name}"))
    assert new.area.value == written
    [bomb] = parse(case(f"bombe auf {name}"))
    assert bomb.area.value == written


@each("word", ["Neu", "Bombe", "Passe", "Halten", "Alle", "Ziehe", "Von", "Nach", "Und", "Stein"])
def test_no_area_of_a_board_is_called_like_a_german_key_word(word: str) -> None:
    with pytest.raises(GameError, match="could be taken for the order word"):
        parse_board(LATTICE.source.replace('"Mu"', f'"{word}"'))


# --- prose ------------------------------------------------------------------------------------------------------

REMARKS = """
Hallo | Hallo Anna, | Hallo A., | Lieber Bob, | Liebe Anna, | Moin M., | Servus! | Guten Abend, | Guten Morgen Bob,
Hi A., | Grüß dich, | Na, wie geht's? | Danke! | Danke, gut. | Vielen Dank für das Spiel. | Alles Gute! | Alles klar.
Alles Gute und bis bald | Alles Liebe, Anna | Viele Grüße | Viele Grüße, M. | Viele Grüße aus Hamburg
Liebe Grüße von A. | Schöne Grüße von Anna und Bob | Mit freundlichen Grüßen | Gruß A. | Gruß, M | MfG | LG M.
Bis dann | Bis Montag! | 3. Dezember | am 3.12. bin ich weg | Am 3.12. bin ich weg. | Am 3. Dezember bin ich weg.
Am 3. 12. fahre ich nach Hamburg. | Vom 20.12. bis 3.1. bin ich im Urlaub.
Vom 20. Dezember bis zum 3. Januar sind wir weg. | Hallo A, am 3.12. bin ich weg. | Berlin, den 3. Dezember 2026
Bis 20 Uhr bin ich da, M. | Um 20:15 Uhr melde ich mich, A. | Ab 8 bin ich online, A. | 3 Tage nach Ostern
3 Tage nach dem Urlaub melde ich mich. | 2 Wochen nach Weihnachten | Ich fahre für 3 Tage nach Hause.
Hallo A., ich bin 3 Tage weg und melde mich nach dem Urlaub. | Um 3 nach Hause, dann Schlaf. | 5 nach 12
Ich ziehe nach Hamburg um. | Ich ziehe um. | Ich ziehe mit 3 Freunden zusammen. | Wir ziehen am 3. um.
Nach dem Essen ziehe ich. | Nach 3 Tagen Regen endlich Sonne. | Nach und nach wird es. | Nach Hause
nach Lust und Laune | Alle nach Hause! | Alle reden vom Wetter. | Alle Jahre wieder | Alle von uns sind krank.
Von mir aus | Von A bis Z | Neu ist das nicht. | Neues Jahr, neues Glück! | Neue Runde, neues Glück!
Neue Stelle in Hamburg. | Neu in Hamburg? | Neu dabei: Anna | Neue Adresse: anna@example.org | Neun Tage Regen
Neuer Versuch | Bombe! | Bombe, das Spiel! | Das war die Bombe. | Bombenstimmung hier | Bombig gespielt
Bombardiere mich nicht mit Fragen. | Halt! | Halt durch! | Halt die Ohren steif! | Halte durch, A! | Halten wir fest:
Hole ich morgen nach. | Passt schon! | Passt mir gut. | Pass auf dich auf! | Pass gut auf dich auf.
Kein Problem. | Kein Zug fuhr heute. | Heute fährt kein Zug nach Hause. | Keine Zeit, sorry. | Keine Ahnung.
Nee, leider nicht. | Nee danke | Ne, passt. | Nen schönen Abend noch | Nett von dir | Und sonst? | Und nun?
und tschüss | Ich habe 2 Hunde und eine Katze. | Ich war 3 Tage krank. | 2 E-Mails kamen nicht an.
Meine E-Mail ging 3 Tage nicht. | Die S-Bahn fiel aus, 2 Stunden Verspätung. | Stau auf der A 7, 3 km
Die U3 fuhr nicht. | Siehe S. 3 der Regeln. | In der 3. Runde hast du A verloren. | Zug 3 war stark, A.
Plan A ging nicht auf, 3:1 für dich. | 2,5 Stunden Schlaf, M. | Ich bin von A bis Z begeistert. | z. B. so
Zieh dich warm an! | Ziehen wir Bilanz. | Steine im Weg | Ich passe auf. | Ich passe auf die 3 Kinder auf.
Mu ist schön. | Wir sehen uns an der Uni. | Um elf bin ich da. | Nicht schlecht! | Viel Glück und viel Spaß
Frohe Weihnachten und ein gutes neues Jahr! | Gesendet am 21. November 2026 | Tel. 030 1234567
Gesendet von meinem iPhone | Von meinem Handy gesendet | Hier sind meine Züge: | Meine Befehle: | P.S. 3:1 für mich
Mein Sohn wird 3 und meine Tochter 7. | Am Montag, dem 3., geht es los, A. | Ich freue mich auf die 4. Runde
Bitte bald antworten | Kannst du bitte nach Bonn ziehen? | Bitte alles nach Plan | die Stadt bombardieren
Willst du mich bombardieren? | Bitte 3 Tage warten | Wir wollen 3 Freunde besuchen und nach Bonn ziehen
1 Stunde nach Mitternacht | 24 Stunden nach dem Termin
"""

ATTEMPTS = """
3 A nach Q | 3 Q nach M | neu Q | Bombe Q | Bombe XC | Neeu M | Nue M | Bobme EC | Bombardire EC | A nach M | a nach m
Mu nach Shalomar | 2 nach A | 1 M nach MC und 2 nach A | 3 A und 2 W nach M nach S | 3 A nach M heute
Hallo, 3 A nach M | 3 A nach M, danke | 3 A nach Shalimar | neu in Mistery City | 3,5 A nach M | 3. A nach M
Ich würde 3 A nach M ziehen | 3 A nach M Bombe EC | drei A nach M | Bombe Elfen City | Greife M mit 3 an
Passe, danke | Am 3. ziehe ich 2 W nach M
"""


@each("text", listed(REMARKS))
def test_german_prose_is_a_remark(text: str) -> None:
    assert by_grammar(text) == reader.Reading(remarks=(text,))
    assert by_grammar(f"3 A nach M\n{text}") == reader.Reading(Orders(moves=(Move(3, "A", "M"),)), remarks=(text,))


@each("text", listed(ATTEMPTS))
def test_a_german_attempt_that_cannot_be_read_is_answered_and_refuses_the_whole_letter(text: str) -> None:
    reading = by_grammar(f"Bombe EC\n{text}")
    assert reading.orders is None
    assert reading.mistakes
    assert all(mistake.line == 2 for mistake in reading.mistakes)


@pytest.mark.parametrize(
    ("text", "proposal"),
    [
        ("3 A nach M, Bome EC", "3 A to M; Bomb EC"),
        ("3 A nach M heute", "3 A to M"),
        ("3 A nach M, Neeu A", "New A; 3 A to M"),
        ("3 A und 2 W nach M", "3 A to M, 2 W to M"),
        ("3 A nach M 2 W nach M", "3 A to M, 2 W to M"),
    ],
)
def test_a_correction_is_proposed_in_canonical_form(text: str, proposal: str) -> None:
    state = parse_state("7 red A9 M9 W9 AC9 bombs 3 blue V3 H3 E3 UC1 bombs 3", LATTICE)
    reading = by_grammar(text, state)
    assert reading.mistakes
    assert reading.proposal == proposal


# --- mistakes ---------------------------------------------------------------------------------------------------


def test_a_mistake_knows_its_template_and_values_and_so_can_be_said_in_german() -> None:
    german = {
        "There {are} in {area}, not {count}.": "In {area} {are}, nicht {count}.",
        "are {number} pieces": "stehen {number} Steine",
        "{total} ({parts})": "{total} ({parts})",
        "{number} to {target}": "{number} nach {target}",
        "{first} and {last}": "{first} und {last}",
    }
    state = parse_state("1 red A3 M3 W3 bombs 3 blue V3 H3 E3 bombs 3", LATTICE)
    [mistake] = read("2 A nach M, 2 A nach Z", state).mistakes
    assert mistake.sentence == "There are 3 pieces in Atlantea (A), not 4 (2 to M and 2 to Z)."
    assert mistake.sentence.translated(german.__getitem__) == (
        "In Atlantea (A) stehen 3 Steine, nicht 4 (2 nach M und 2 nach Z)."
    )


def test_every_kind_of_mistake_is_a_template_that_a_catalogue_can_have() -> None:
    for example in EXAMPLES:
        state = parse_state(example.position, LATTICE)
        with pytest.raises(reader.IllegalOrders) as refused:
            reader.parse(Standpoint(GAME, state, "red"), example.orders)
        for mistake in refused.value.mistakes:
            assert mistake.sentence.template in MISTAKES
            assert mistake.sentence.translated(str) == mistake.sentence


def test_braces_in_a_players_words_are_no_gaps() -> None:
    sentence = Sentence('There is no area "{text}".', text="{areas}")
    assert sentence == sentence.translated(str) == 'There is no area "{areas}".'


# --- commands ---------------------------------------------------------------------------------------------------

COMMANDS: list[tuple[str, Command]] = [
    ("Hilfe", Help()),
    ("Hilfe Regeln", Help("rules")),
    ("hilfe züge", Help("orders")),
    ("Hilfe Spielleiter", Help("game master")),
    ("Status", Simple("status")),
    ("Ja!", Simple("yes")),
    ("ja bitte", Simple("yes")),
    ("zurückziehen", Simple("withdraw")),
    ("Zurückziehen.", Simple("withdraw")),
    ("zurueckziehen", Simple("withdraw")),
    ("ZURÜCK", Simple("withdraw")),
    ("zuruck", Simple("withdraw")),
    ("prüfen", Simple("check")),
    ("warten", Simple("wait")),
    ("nicht warten", Simple("no wait")),
    ("Remis", Simple("draw")),
    ("kein Remis", Simple("no draw")),
    ("aufgeben", Simple("resign")),
    ("Pause", Simple("pause")),
    ("keine Pause", Simple("no pause")),
    ("weiter", Simple("resume")),
    ("stumm", Simple("mute")),
    ("laut", Simple("unmute")),
    ("nochmal", Asking("resend")),
    ("nochmal 7", Asking("resend", "7")),
    ("Verlauf", Simple("history")),
    ("annehmen", Simple("accept")),
    ("ablehnen", Asking("decline")),
    ("ablehnen immer", Asking("decline", "always")),
    ("Revanche!", Simple("rematch")),
    ("übergebe an eve@example.org", Asking("hand", "eve@example.org")),
    ("Uebergebe an Eve <eve@example.org>", Asking("hand", "Eve <eve@example.org>")),
    ("mitmachen", Asking("join")),
    ("Mitmachen Herbst", Asking("join", "Herbst")),
    ("austreten Herbst", Asking("leave", "Herbst")),
    ("fordere bob@example.org heraus", Asking("challenge", "bob@example.org")),
    ("Fordere Bob in Herbst heraus.", Asking("challenge", "Bob in Herbst")),
    ("Urlaub 20.12. bis 3.1.", Asking("vacation", "20.12. bis 3.1")),
    ("Urlaub vorbei", Asking("vacation", "none")),
    ("Zone Berlin", Asking("zone", "Berlin")),
    ("Zeitzone Europe/Berlin", Asking("zone", "Europe/Berlin")),
    ("Adresse ich@example.org", Asking("address", "ich@example.org")),
    ("beobachte oz-17", Asking("observe", "oz-17")),
    ("beobachte oz-17 nicht mehr", Asking("unobserve", "oz-17")),
    ("meine Daten", Simple("my data")),
    ("vergiss mich", Simple("forget me")),
    ("Vergiß mich!", Simple("forget me")),
    ("Sprache deutsch", Asking("language", "deutsch")),
    ("language english", Asking("language", "english")),
]


@each(("line", "command"), COMMANDS)
def test_a_german_command_takes_its_whole_line(line: str, command: Command) -> None:
    if command == Simple("yes"):  # beside it nothing but courtesies can stand
        assert [doubt.turn for doubt in read(f"3 A nach M\n{line}\nBis bald").doubts] == ["beside yes"]
        return
    if command == Simple("withdraw"):  # below orders it may be about those
        assert read(f"{line}\n3 A nach M\nBis bald").commands == (command,)
        return
    assert read(f"3 A nach M\n{line}\nBis bald") == reader.Reading(
        Orders(moves=(Move(3, "A", "M"),)), commands=(command,), remarks=("Bis bald",)
    )


@each(
    "line",
    [
        "Weiter so!", "Kein Problem", "Nicht schlecht", "Ja, gestern", "Meine Züge:", "Zurück aus dem Urlaub",
        "Vergiss es", "Laut Regel 3", "Nochmal danke", "Urlaub war schön", "Warte auf mich", "Adresse unbekannt",
        "Remis wäre fair", "Hilfe, ich verliere", "Revanche gefällig?", "Stumm wie ein Fisch",
        "Fordere mich nur heraus", "Presse mich nicht", "Annehmen kann ich das nicht", "Verlauf der Partie",
        "Beobachte dich", "Zone der Stille 3, 4",
    ],
)  # fmt: skip
def test_german_prose_that_begins_with_the_word_of_a_command_is_none(line: str) -> None:
    assert reader.read_words(line).commands == ()


def test_words_for_others_stand_behind_german_names_too() -> None:
    for opening in ("Presse", "presse", "an alle", "An alle"):
        text = f"{opening}: Hallo\nBob, 3 A nach M!\nEnde {opening}\nstatus"
        assert reader.read_words(text).commands == (Press("Hallo\nBob, 3 A nach M!"), Simple("status"))
    assert reader.read_words("press: Hallo\nend press\nstatus").commands == (Press("Hallo"), Simple("status"))
    assert reader.read_words("say oz-17: Hallo\nende say").commands == (Decision("say", "oz-17", "Hallo", ""),)


@pytest.mark.parametrize("word", ["prüfe", "Prüfe", "pruefe", "PRUEFEN", "check"])
def test_orders_behind_a_german_check_are_read(word: str) -> None:
    reading = read(f"{word}: 3 A nach M")
    assert (str(reading.orders), reading.commands) == ("3 A to M", (Simple("check"),))


def test_no_name_of_a_command_in_one_language_is_another_command_in_the_other() -> None:
    names = {
        name: {row.word for row in COMMAND_ROWS if name in spellings(row)}
        for row in COMMAND_ROWS
        for name in spellings(row)
    }
    assert all(len(words) == 1 for words in names.values())


def test_a_language_is_named_in_either() -> None:
    assert (
        {parse_language(name) for name in ("english", "englisch", "german", "deutsch")} == {"en", "de"} <= set(files())
    )
    assert parse_language("Deutsch") == parse_language("de") == "de"
    with pytest.raises(LanguageError, match='Letters are not available in "Klingonisch" here'):
        parse_language("Klingonisch")
    assert find_command("sprache", "ist schön") is None


def test_a_player_says_in_which_language_his_letters_are(table: DemoDesk) -> None:
    people = Correspondents(table)
    assert "von jetzt an auf Deutsch" in people.say(ALICE, "Sprache deutsch")
    assert load_match(table.store, 1).holders["red"].player.language == "de"
    known = player_by_address(table.store, ALICE)
    assert known is not None
    assert known.language == "de"
    assert load_match(table.store, 1).holders["blue"].player.language == ""
    assert "Sprache Deutsch" in people.say(ALICE, "meine Daten")
    assert 'Letters are not available in "Klingonisch" here' in people.say(BOB, "sprache Klingonisch")
    assert "From now on, our letters to you will be in English" in people.say(ALICE, "language english")
    assert load_match(table.store, 1).holders["red"].player.language == "en"


def test_a_game_is_played_in_german_and_english(table: DemoDesk) -> None:
    people = Correspondents(table)
    assert "3 A to M, 2 W to M" in people.say(
        ALICE, "Hallo,\n\n3 A nach M und 2 W nach M.\n\nAm 3.12. bin ich weg.\nAlice"
    )
    people.write(ALICE, "zurückziehen")
    assert load_match(table.store, 1).standing == {}
    people.write(ALICE, "Passe")
    people.write(BOB, "3 H to S")
    assert load_match(table.store, 1).turn == 2
