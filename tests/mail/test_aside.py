"""Nothing of a person's own is dropped unseen: lines that nothing marks as a quote, and that read as orders."""

import pytest

from pbem.cli.check import read_letter
from pbem.mail import letters
from pbem.mail.quotes import below, worth_telling
from pbem.orders.reader import may_be_order

HEAD = "From: Alice <alice@example.org>\nTo: desk@example.org\nSubject: Re: Ozymandia oz-1\n\n"


def reading(text: str) -> dict:
    letter = letters.read((HEAD + text).encode(), is_order=may_be_order)
    return read_letter({"game": "ozymandia", "seat": "red", "text": letter.text}, letter.aside)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Hi\n\n--\n3 A to M\n", "3 A to M"),
        ("Hi\n\n—\n3 A to M\n", "3 A to M"),
        ("Hi\n__\n3 A to M\n", "3 A to M"),
        ("Thanks\n-- \nAnna\n3 A to M\n", "3 A to M"),
        ("Thanks\n-- \nwithdraw\n", "withdraw"),
        ("Thanks\n-- \nskip\n", "skip"),
        ("Thanks\n-- \nall from M to W\n", "all from M to W"),
        ("| 3 A to M\n", "3 A to M"),
        (": 3 A to M\n", "3 A to M"),
        ("AC> MC 2\n3 A to M\n", "MC 2"),
        ("On 21.11.2026 you wrote:\nwhat about W?\n\n3 A to M\n", "3 A to M"),
        ("Bob Miller <bob@example.org> wrote that I should also do this:\n3 A to M\n", "3 A to M"),
        ("From: Alice\nTo: The Desk\nDate: 22 November\n\n3 A to M\n", "3 A to M"),
        ("This message is confidential, Bob must not see it:\n3 A to M\n", "3 A to M"),
    ],
)
def test_lines_left_away_that_read_as_orders_or_commands_are_asked_about(text: str, line: str) -> None:
    found = reading(text)
    assert found["orders"] is None
    assert {"text": line, "why": "aside"} in found["open"]["doubts"]


@pytest.mark.parametrize(
    "line",
    [
        "sent from my drafts by accident",
        "Sent from my iPhone by accident, please ignore",
        "Sent from my phone, excuse typos, not final",
        "Sent by my son",
        "Sent from A to M: 3 pieces",
        "Sent with 3 from A to M",
        "Gesendet von A nach M: 3",
        "gesendet von meiner kleinen Tochter",
        "Отправлено с телефона случайно",
        "Отправлено из черновиков",
    ],
)
def test_only_what_telephones_and_programs_say_of_sending_is_left_away(line: str) -> None:
    found = reading(f"2 A to AC\n{line}\n")
    assert found["orders"] is None
    assert line in [one["text"] for one in (*found["open"]["doubts"], *found["mistakes"])]


@pytest.mark.parametrize(
    "rest",
    [
        "This e-mail is confidential.\nPass it on to nobody.\nHold harmless the company.\nNew terms apply.\n",
        "-- \nAnna Miller\n10 Victoria Rd, London SW1A 2AA\nM: +44 20 7946 0000 | T: +44 20 7946 0001\n",
        "Sent from my phone\n",
        "-- \nM\n",
        "-- \nCheers, M\n",
        "-- \nA. M.\n",
        "-- \nM\n> 2 W to M\n",
        "> 2 W to M\n",
        "On 21.11.2026 the desk wrote:\n\n== Answer above this line ==\n\n2 W to M\n",
    ],
)
def test_signatures_disclaimers_and_quotes_are_not(rest: str) -> None:
    assert reading(f"3 A to M\n\n{rest}")["orders"] == "3 A to M"


def test_what_stands_in_our_own_letter_is_not_the_writers() -> None:
    text = f"{HEAD}3 A to M\n\nDesk wrote on 21.11.2026 10:00:\nYour orders are\n2 W to M\n".encode()
    assert letters.read(text, "Your orders are\n2 W to M\n", is_order=may_be_order).aside[-1:] != ("2 W to M",)
    assert "2 W to M" in letters.read(text, is_order=may_be_order).aside


@pytest.mark.parametrize("end", ["at 20:35 UTC.", "at 20:35\nUTC.", "at\n20:35 UTC."])
def test_our_last_line_is_found_however_it_is_broken(end: str) -> None:
    sent = "Hello,\n\nThe turn is played on Monday at 20:35 UTC.\n"
    assert below([*f"The turn is played on Monday {end}".split("\n"), "", "3 A to M"], sent) == ["", "3 A to M"]


def test_an_autoreply_header_that_says_no_is_no_sign_of_a_machine() -> None:
    assert letters.read(f"X-Autoreply: no\n{HEAD}3 A to M\n".encode(), is_order=may_be_order).automatic is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("-- \nAnna Miller\n10 Victoria Rd, London SW1A 2AA\nM: +44 20 7946 0000\n", ()),
        ("Best,\nAlice\n\nSent from my iPhone\n", ()),
        ("On 21.11.2026 10:00, The Desk <desk@example.org> wrote:\n> 2 W to M\n", ()),
        ("Am 21.11.2026 um 10:00 schrieb The Desk\n<desk@example.org>:\n> 2 W to M\n", ()),
        ("_____\nFrom: Desk <desk@example.org>\nSent: Monday\nTo: Alice\nSubject: Re\n", ()),
        ("-- \nAnna Miller, Sales Manager\nFortune favours the bold.\n", ("Fortune favours the bold.",)),
        ("On 21.11.2026 you wrote:\nit snows here\n", ("it snows here",)),
    ],
)
def test_what_was_left_away_is_told_but_for_what_stands_below_letters_as_a_matter_of_course(
    text: str, told: tuple[str, ...]
) -> None:
    letter = letters.read(f"{HEAD}3 A to M\n\n{text}".encode(), is_order=may_be_order)
    assert worth_telling(letter.aside) == told
