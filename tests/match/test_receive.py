"""What the core asks of a desk, by values alone: each fact when it is needed, and no other."""

from dataclasses import replace
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText

import pytest

from pbem.cli.demo import letter_text
from pbem.games.chance import NO_CHANCE
from pbem.match.case import Case
from pbem.match.effects import Note, Propose, Resend, Send, TakeOrders
from pbem.match.facts import Listing
from pbem.match.identity import find_tokens
from pbem.match.model import Entry, Invitee, KnownPast, Turn
from pbem.match.overview import Lobby, Waiting
from pbem.match.questions import Question
from pbem.match.receive import receive
from pbem.orders import reader
from support.cases import NOON, PEOPLE, KnownFacts, begun, letter, reasons, told
from support.each import each
from support.tables import standing


class Asked(KnownFacts):
    """Facts that remember which of them were asked for."""

    def __getattribute__(self, name: str) -> object:
        if not name.startswith("_"):
            _ASKED.append(name)
        return super().__getattribute__(name)


_ASKED: list[str] = []


def asked(text: str) -> set[str]:
    """The facts that a letter of Red's asks for in the first turn."""
    case = replace(letter(text), facts=Asked())
    _ASKED.clear()
    receive(case, NOON)
    return set(_ASKED)


ANY = {"banned", "lapsed", "repeats"}
"""What is asked about whoever writes, and about letters that come again and again."""


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("3 A to M", set()),
        ("status", {"games", "watched", "strength", "lobby", "master_of"}),
        ("wait", set()),
        ("draw", {"words_sent", "words_today"}),
        ("mute", set()),
        ("games", {"lobby"}),
        ("Which other games can one play here?", {"lobby"}),
        ("all turns so far please", set()),
        ("history", set()),
        ("fewer letters", {"mail"}),
        ("vacation 1 December to 3 December", {"own", "spent"}),
    ],
)
def test_a_letter_asks_for_no_fact_that_it_does_not_need(text: str, facts: set[str]) -> None:
    assert asked(text) == ANY | facts


def turns(number: int) -> tuple[Turn, ...]:
    state = begun().game.new({}, NO_CHANCE)
    entry = Entry(1, 1, "Pass", "Pass")
    return tuple(Turn(at, state, {"red": entry, "blue": entry}, state, ()) for at in range(1, number + 1))


def test_a_history_tells_all_turns_before() -> None:
    match = begun(turn=5, past=KnownPast(turns(4)))
    (section,) = told(receive(letter("history", match), NOON))
    assert [number for number, _ in section.values["turns"]] == ["1", "2", "3", "4"]


def test_any_turn_before_is_sent_again() -> None:
    match = begun(turn=5, past=KnownPast(turns(4)))
    (effect,) = [effect for effect in receive(letter("resend 2", match), NOON) if isinstance(effect, Resend)]
    assert effect.turn == 2
    assert reasons(letter("resend 5", match)) == ["no such turn"]


def test_who_waits_for_a_game_is_told_however_it_is_asked() -> None:
    lobby = Lobby((Waiting("Rock'n'Roll", "Bob", NOON, False),))
    for text in ("games", "Which other games can one play here?"):
        (section,) = told(receive(letter(text, lobby=lobby), NOON))
        assert section.values["lobby"] == lobby


def test_whoever_still_plays_is_not_asked_whether_they_want_to_be_forgotten() -> None:
    for text in ("forget me", "Please delete everything you have stored about me."):
        assert reasons(letter(text, own=(begun(),))) == ["still playing"]
        assert reasons(letter(text)) == ["really forget"]


def test_a_letter_counts_what_it_causes_itself_among_what_its_writer_may_cause() -> None:
    invitations = "\n".join(f"challenge guest{number}@example.org" for number in range(4))
    assert reasons(letter(invitations)) == ["invited"] * 3 + ["too many invitations"]
    assert reasons(letter(invitations, invited=2)) == ["invited"] + ["too many invitations"] * 3
    twice = "challenge guest@example.org\nchallenge guest@example.org"
    assert reasons(letter(twice)) == ["invited", "asked already"]


def test_what_a_letter_has_changed_is_so_for_the_rest_of_it() -> None:
    assert reasons(letter("join Winter\njoin Winter", leagues=("Winter",))) == ["joined", "joined already"]
    assert reasons(letter("join rocknroll\nleave rocknroll\nleave")) == ["joined", "left", "not joined"]


def test_somebody_who_refuses_invitations_gets_none_and_nobody_learns_so() -> None:
    refusing = {"carol@example.org": Invitee("carol@example.org", PEOPLE[1], refuses=True)}
    open_to_all = {"carol@example.org": Invitee("carol@example.org", None)}
    text = "challenge carol@example.org"
    assert reasons(letter(text, people=refusing)) == reasons(letter(text, people=open_to_all)) == ["invited"]


def test_a_number_refers_to_the_list_that_the_letter_answers() -> None:
    match = begun(wishes={"draw": frozenset({"blue"})})
    agreed = receive(letter("yes 1", match, listing=Listing((Question("draw").key,), answers=True)), NOON)
    assert [effect.kind for effect in agreed if isinstance(effect, Note)] == ["wish", "end"]
    assert reasons(letter("yes 1", match)) == ["open"]


def test_who_is_late_is_asked_which_orders_count() -> None:
    match = begun(standing={"red": Entry(1, 90, "2 A to M", "2 A to M")})
    assert reasons(letter("3 A to M", match, late=True)) == ["sent before"]
    assert reasons(letter("3 A to M", match)) == ["receipt", "seals"]


def test_a_letter_that_is_dated_before_the_one_it_replaces_keeps_both() -> None:
    match = begun(standing={"red": Entry(1, 90, "2 A to M", "2 A to M")})
    effects = receive(letter("3 A to M", match, dated_before=True), NOON)
    assert told(effects)[0].values["perhaps_last"].canonical == "2 A to M"
    assert [effect.canonical for effect in effects if isinstance(effect, Propose)] == ["2 A to M"]
    (after,) = [effect.match for effect in effects if isinstance(effect, TakeOrders)]
    assert after.standing["red"].canonical == "3 A to M"
    same = receive(letter("2 A to M", match, dated_before=True), NOON)
    assert not told(same)[0].values["perhaps_last"]
    assert not any(isinstance(effect, Propose) for effect in same)


def with_subject(subject: str, text: str = "") -> Case:
    """The case of a letter with orders in its subject, as a desk reads them."""
    case = letter(text)
    assert case.match
    own, _ = reader.own_subject(subject, case.match.name, case.match.game.title)
    return replace(case, words=case.words._replace(subject=own))


@each(
    ("subject", "text", "proposed"),
    [
        ("3 A to M", "", ["3 A to M"]),
        ("Re: 3 A to M", "", ["3 A to M"]),
        ("AW: [Ozy] 3 A nach M und eine Bombe auf EC", "", ["3 A to M; Bomb EC"]),
        ("Re: Ozymandia oz-1: 3 A to M", "Thanks, and good luck!", ["3 A to M"]),
        ("oz-1: 3 A to M", "Have a nice weekend.", ["3 A to M"]),
        ("Ответ: oz-1 — 3 A → M", "", ["3 A to M"]),
        ("3 A to M", "status", ["3 A to M"]),
        ("9 A to M", "", ["3 A to M"]),  # which is what can be
        ("3 A to M, 9 Q to Z", "", []),
        ("resign", "", []),
    ],
)
def test_orders_in_the_subject_are_proposed(subject: str, text: str, proposed: list[str]) -> None:
    effects = receive(with_subject(subject, text), NOON)
    (section,) = [section for section in told(effects) if section.template == "doubt"]
    assert [doubt.turn for doubt in section.values["doubts"]] == ["subject"]
    assert [effect.canonical for effect in effects if isinstance(effect, Propose)] == proposed
    assert not any(isinstance(effect, TakeOrders) for effect in effects)


@each(
    ("subject", "text"),
    [
        ("3 A to M", "2 A to AC"),
        ("3 A to M", "9 Q to Z"),
        ("Re: Ozymandia oz-1", "Thanks!"),
        ("Ozymandia oz-1", ""),
        ("Re[2]: ozymandia  oz-1", ""),
        ("oz-1", ""),
        ("Greetings from Paris", "Hello Bob"),
        ("status", "How are you?"),
        ("My orders for turn 1", "They will come tomorrow."),
        ("", ""),
    ],
)
def test_other_subjects_are_no_question(subject: str, text: str) -> None:
    sections = told(receive(with_subject(subject, text), NOON))
    assert not any(doubt.turn == "subject" for section in sections for doubt in section.values.get("doubts", ()))


def send_subject(table, subject: str, text: str = ""):
    letter = table.answer("red", text)
    letter.replace_header("Subject", subject)
    table.deliver(letter.as_bytes())
    ((_, told),) = table.poll()
    return " ".join(letter_text(told).split())


def test_a_yes_sends_the_orders_of_a_subject(table):
    told = send_subject(table, "Re: Ozymandia oz-1 3 W to M")
    assert '"3 W to M": it is the subject of your letter, and orders in subjects do not count.' in told
    assert not standing(table)
    table.deliver(table.answer("red", "yes").as_bytes())
    table.poll()
    assert standing(table) == {"red": "3 W to M"}


def test_the_message_id_behind_a_subject_is_no_part_of_it(table):
    ours = table.answer("red", "")["In-Reply-To"]
    assert '"3 W to M": it is the subject of your letter' in send_subject(table, f"Re: Ozymandia oz-1 3 W to M {ours}")
    assert find_tokens([send_subject(table, f"3 W to M {'x' * 150} {ours}")]) == []


def test_each_subject_is_answered_though_the_letters_have_no_words(table):
    for number in range(1, 4):
        assert f"{number} A to M" in send_subject(table, f"{number} A to M")
    assert "2 A to AC" in send_subject(table, "2 A to AC")
    assert "1 A to AC" in send_subject(table, "1 A to AC")


def test_a_thread_that_is_called_by_orders_is_asked_about_only_without_other_words(table):
    assert "the subject of your letter" not in send_subject(table, "Re: 3 W to M", "status")
    assert "the subject of your letter" in send_subject(table, "3 W to M", "status")


def test_a_subject_that_was_cut_proposes_nothing(table):
    told = send_subject(table, f"3 W to M{', 1 A to AC' * 40}")
    assert "the subject of your letter" in told
    assert "Please send only what you want" in told


def test_words_in_an_hour_have_a_limit() -> None:
    assert reasons(letter("draw", words_sent=29)) == ["wished"]
    assert reasons(letter("draw", words_sent=30)) == ["too many words"]


@each(
    "text, facts, reason",
    [
        ("draw", {"words_today": 99}, "wished"),
        ("draw", {"words_today": 100}, "too many today"),
        ("press: Hello!", {"words_today": 100}, "too many today"),
        ("gm: Hello!", {"words_today": 100}, "too many today"),
        ("claim: He cheats.", {"claims_today": 2}, "claimed"),
        ("claim: He cheats.", {"claims_today": 3}, "too many today"),
        ("claim: He cheats.", {"words_today": 100}, "too many today"),
    ],
)
def test_what_makes_us_write_to_others_has_a_limit_a_day_that_is_told(text, facts, reason):
    match = begun()
    effects = receive(letter(text, match, own=(match,), **facts), NOON)
    reasons_told = [section.values.get("reason") for section in told(effects)]
    assert reason in reasons_told, reasons_told
    others = [effect for effect in effects if isinstance(effect, Send) and effect.kind != "answer"]
    assert bool(others) == (reason != "too many today")


def test_whoever_wants_no_press_hears_of_no_claim():
    effects = receive(letter("claim: He cheats.", begun(muted=frozenset({"blue"}))), NOON)
    assert {effect.kind for effect in effects if isinstance(effect, Send)} == {"answer", "gm"}


@pytest.mark.parametrize("line", ["3 A to M", "yes", "withdraw"])
def test_a_line_written_within_the_quote_is_asked_about(table, line):
    ((_, told),) = send_quote(table, f"> {line}\n>\n")
    assert f'"{line}": it reads like orders, but stands where signatures and quotes do' in " ".join(
        letter_text(told).split()
    )
    assert not standing(table)


def test_orders_within_the_quote_are_proposed_and_count_after_a_yes(table):
    send_quote(table, "> 3 A to M\n> Bomb EC\n>\n")
    table.write("red", "yes")
    table.poll()
    assert standing(table) == {"red": "3 A to M; Bomb EC"}


def test_who_answers_a_letter_of_their_own_is_not_asked_about_what_it_quotes(table):
    send_quote(table, "> 3 A to M\n>\n", "Pass\n\n", In_Reply_To="<of.my.own@example.net>")
    assert standing(table) == {"red": "Pass"}


def send_quote(table, within: str, above: str = "", **headers: str):
    """Have Red answer with lines within the quote, above the first line of our letter."""
    letter = table.answer("red", "")
    introduction, _, quote = letter.get_payload(decode=True).decode().partition("wrote:\n")
    del letter["Content-Transfer-Encoding"]
    letter.set_payload(f"{above}{introduction.strip()} wrote:\n{within}{quote}", "utf-8")
    for name, value in headers.items():
        letter.replace_header(name.replace("_", "-"), value)
    table.deliver(letter.as_bytes())
    return table.poll()


def test_a_bomb_that_is_crossed_out_in_the_html_is_asked_about(table):
    both = MIMEMultipart("alternative")
    both.attach(MIMEText("3 A to M\nBomb EC\n"))
    both.attach(MIMEText("<div>3 A to M</div><div><s>Bomb EC</s></div>", "html"))
    for name in ("From", "To", "Subject", "Date", "Message-ID", "In-Reply-To", "References"):
        both[name] = table.answer("red", "")[name]
    table.deliver(both.as_bytes())
    ((_, told),) = table.poll()
    assert '"Bomb EC": your program sent your letter twice' in " ".join(letter_text(told).split())
    assert not standing(table)
    table.write("red", "yes")
    table.poll()
    assert standing(table) == {"red": "3 A to M"}
