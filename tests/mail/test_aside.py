"""Nothing of a person's own is dropped unseen: lines that nothing marks as a quote, and that read as orders."""

from textwrap import fill

import pytest

from pbem.cli.check import read_letter
from pbem.mail import letters
from pbem.mail.phrases import below
from pbem.mail.quotes import worth_telling
from pbem.orders.reader import may_be_order
from support.each import each

HEAD = (
    "From: Alice <alice@example.org>\nTo: desk@example.org\nSubject: Re: Ozymandia oz-1\n"
    "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
)


def reading(text: str) -> dict:
    letter = letters.read((HEAD + text).encode(), is_order=may_be_order)
    return read_letter({"game": "ozymandia", "seat": "red", "text": letter.text}, letter.aside)


@each(
    ("text", "line"),
    [
        ("Hi\n\n--\n3 A to M\n", "3 A to M"),
        ("Hi\n\n—\n3 A to M\n", "3 A to M"),
        ("Hi\n__\n3 A to M\n", "3 A to M"),
        ("Thanks\n-- \nAnna\n3 A to M\n", "3 A to M"),
        ("Thanks\n-- \nwithdraw\n", "withdraw"),
        ("Thanks\n-- \nskip\n", "skip"),
        ("Thanks\n-- \nplease forget me\n", "please forget me"),
        ("Danke\n-- \nweniger Briefe\n", "weniger Briefe"),
        ("Thanks\n-- \nall from M to W\n", "all from M to W"),
        ("| 3 A to M\n", "3 A to M"),
        (": 3 A to M\n", "3 A to M"),
        ("AC> MC 2\n3 A to M\n", "MC 2"),
        ("On 21.11.2026 you wrote:\nwhat about W?\n\n3 A to M\n", "3 A to M"),
        ("Bob Miller <bob@example.org> wrote that I should also do this:\n3 A to M\n", "3 A to M"),
        ("From: Alice\nTo: The Desk\nDate: 22 November\n\n3 A to M\n", "3 A to M"),
        ("This message is confidential, Bob must not see it:\n3 A to M\n", "3 A to M"),
        ("This e-mail is confidential, intended for the addressee only.\n3 A to M\n", "3 A to M"),
        ("Diese E-Mail enthält vertrauliche Informationen des Absenders.\nweniger Briefe\n", "weniger Briefe"),
        ("Please consider the environment before printing.\nresign\n", "resign"),
    ],
)
def test_lines_left_away_that_read_as_orders_or_commands_are_asked_about(text: str, line: str) -> None:
    found = reading(text)
    assert found["orders"] is None
    assert {"text": line, "why": "aside"} in found["open"]["doubts"]


@each(
    "line",
    [
        "sent from my drafts by accident",
        "Sent from my iPhone by accident, please ignore",
        "Sent from my phone, excuse typos, not final",
        "Sent from my phone before I was ready",
        "Sent by my son",
        "gesendet von meiner kleinen Tochter",
        "Zu früh von meinem Handy gesendet",
        "Von meinem Handy gesendet, aber unfertig",
        "Отправлено с телефона случайно",
        "Отправлено с телефона раньше времени",
        "Отправлено из черновиков",
    ],
)
def test_only_what_telephones_and_programs_say_of_sending_is_left_away(line: str) -> None:
    found = reading(f"2 A to AC\n{line}\n")
    asked = [one["text"] for one in (*found["open"]["doubts"], *found["mistakes"])]
    assert line in (*asked, *found["open"]["perhaps"])


@pytest.mark.parametrize("line", ["Sent from A to M: 3 pieces", "Sent with 3 from A to M", "Gesendet von A nach M: 3"])
def test_orders_that_begin_like_a_telephones_line_are_read_as_orders(line: str) -> None:
    assert [one["item"] for one in reading(f"2 A to AC\n{line}\n")["mistakes"]] == ["3 A to M"]


@each(
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


DISCLAIMERS = [
    (
        "This e-mail and any attachments are confidential and may also be privileged. If you are not the "
        "named recipient, please notify the sender immediately and do not disclose the contents to another "
        "person."
    ),
    (
        "CONFIDENTIALITY NOTICE: This e-mail message is for the sole use of the intended recipient(s). Any "
        "unauthorized review, use, disclosure or distribution is prohibited. Please destroy all copies."
    ),
    (
        "This e-mail may contain trade secrets or privileged, undisclosed or otherwise confidential "
        "information. If you have received this e-mail in error, please inform us and destroy the original "
        "transmittal."
    ),
    (
        "Disclaimer: The views expressed in this message are those of the sender and not those of Example "
        "Ltd, which is registered in England."
    ),
    (
        "Diese E-Mail enthält vertrauliche Informationen. Wenn Sie nicht der richtige Adressat sind oder "
        "diese E-Mail irrtümlich erhalten haben, informieren Sie bitte sofort den Absender und vernichten Sie "
        "diese Mail."
    ),
    (
        "Hinweis: Diese Nachricht ist nur für den Empfänger bestimmt. Sollten Sie nicht der Empfänger sein, "
        "löschen Sie bitte diese Nachricht."
    ),
    (
        "Это сообщение конфиденциально и предназначено только для адресата. Если вы получили его по ошибке, "
        "пожалуйста, сообщите об этом отправителю и удалите его."
    ),
    (
        "Информация, содержащаяся в данном сообщении, является конфиденциальной и предназначена для лица, "
        "которому она адресована. Если Вы получили это письмо по ошибке, пожалуйста, удалите его."
    ),
]

FEET = [
    "P Please consider the environment before printing this e-mail",
    "Save a tree. Don't print this e-mail unless it's really necessary.",
    "Bitte prüfen Sie der Umwelt zuliebe, ob der Ausdruck dieser Mail erforderlich ist.",
    "Пожалуйста, подумайте об окружающей среде, прежде чем печатать это письмо.",
    "This email has been scanned by the Symantec Email Security.cloud service.",
    "No virus found in this message.\nChecked by AVG - www.avg.com",
    "Diese E-Mail wurde auf Viren geprüft.",
    "Проверено на вирусы: Dr.Web",
    "Get Outlook for Android<https://aka.ms/AAb9ysg>",
    "Отправлено из мобильной Почты Mail.ru",
    "-- \nDiese Nachricht wurde von meinem Android Mobiltelefon mit WEB.DE Mail gesendet.",
]


@each("rest", [*DISCLAIMERS, *(fill(one, 72) for one in DISCLAIMERS), *FEET])
def test_what_companies_and_programs_put_below_letters_is_neither_asked_about_nor_told(rest: str) -> None:
    letter = letters.read(f"{HEAD}3 A to M\n\n{rest}\n".encode(), is_order=may_be_order)
    assert (letter.text.strip(), worth_telling(letter.aside)) == ("3 A to M", ())
    assert reading(f"3 A to M\n\n{rest}\n")["orders"] == "3 A to M"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"{fill(DISCLAIMERS[0], 72)}\nP.S. It snows here.\n", ("P.S. It snows here.",)),
        (f"{DISCLAIMERS[6]}\nУ нас идёт снег.\n", ("У нас идёт снег.",)),
        (
            "This message is confidential, Bob must not see it.\n",
            ("This message is confidential, Bob must not see it.",),
        ),
    ],
)
def test_what_a_person_has_written_below_or_like_a_disclaimer_is_told(text: str, told: tuple[str, ...]) -> None:
    assert worth_telling(letters.read(f"{HEAD}3 A to M\n\n{text}".encode(), is_order=may_be_order).aside) == told


@each(
    ("text", "told"),
    [
        ("-- \nAnna Miller\n10 Victoria Rd, London SW1A 2AA\nM: +44 20 7946 0000\n", ()),
        ("Best,\nAlice\n\nSent from my iPhone\n", ()),
        ("On 21.11.2026 10:00, The Desk <desk@example.org> wrote:\n> 2 W to M\n", ()),
        ("Am 21.11.2026 um 10:00 schrieb The Desk\n<desk@example.org>:\n> 2 W to M\n", ()),
        ("_____\nFrom: Desk <desk@example.org>\nSent: Monday\nTo: Alice\nSubject: Re\n", ()),
        ("-- \nИван Петров\nС уважением, Иван\n", ()),
        ("-- \nИван\nУ нас идёт снег\n", ("У нас идёт снег",)),
        ("-- \nAnna Miller, Sales Manager\nFortune favours the bold.\n", ("Fortune favours the bold.",)),
        ("On 21.11.2026 you wrote:\nit snows here\n", ("it snows here",)),
    ],
)
def test_what_was_left_away_is_told_but_for_what_stands_below_letters_as_a_matter_of_course(
    text: str, told: tuple[str, ...]
) -> None:
    letter = letters.read(f"{HEAD}3 A to M\n\n{text}".encode(), is_order=may_be_order)
    assert worth_telling(letter.aside) == told


@pytest.mark.parametrize(
    "line",
    ["oops i meant W", "lass das mit M mal lieber", "doch nicht", "Actually wait until tomorrow", "sorry, 2 not 3"],
)
def test_second_thoughts_below_a_signature_are_asked_about(line: str) -> None:
    found = reading(f"3 A to M\n-- \nAlice\n{line}\n")
    assert (found["orders"], [one["why"] for one in found["open"]["doubts"]]) == (None, ["aside"])


@pytest.mark.parametrize(
    "line",
    [
        "Sent from my phone - ignore typos",
        "The opposite of war is not peace, it's creation",
        "All views expressed are not those of my employer",
        "Please consider the environment before printing this email",
        "Forget the past, live the future",
    ],
)
def test_mottos_are_not(line: str) -> None:
    assert reading(f"3 A to M\n-- \nAlice Miller\n{line}\n")["orders"] == "3 A to M"
