"""What `letters.read` makes of letters as people, programs and mischief really send them."""

import json
import re
import textwrap
from base64 import b64encode
from dataclasses import replace
from functools import partial
from html import escape

import pytest

from pbem.mail import automatic, letters, mime, plaintext
from pbem.mail.letters import read_head, with_seals
from pbem.orders.reader import may_be_order
from support.each import each
from support.paths import SHARED
from support.repliers import ATTRIBUTIONS, HEADER_BLOCKS, html_replies, marked

read = partial(letters.read, is_order=may_be_order)

MAILS = SHARED / "mail"

# What we sent: every order in it would be seen if a line of it came back as the writer's own.
REPORT = f"""{letters.MARKER}

Turn 6 is played; turn 7 waits for your orders.

  Red   Alice   New M; 6 M to S; Bomb SC
  Blue  Bob     3 H to S, 1 U to S

  Battle of Shalomar   6 red against 4 blue. Blue loses all 4, Red loses 2; 4 red stand there.

     /A\\---(AC)
    | 3 |
Cities: Red 2 (AC MC) - Blue 2 (HC EC) - nobody 5. Five win.

Answer with your orders by Sunday 29 November 2026, 20:00 in Berlin (in 3 days 4 hours), for example
  New M; 2 S to SC, 1 S to M; Bomb HC
`help` tells the rest, `status` shows all your games.

reconstructed board - record 0-6-7f3a - last run 2026-11-25 15:58 UTC"""

OWN = "5 A to M\n2 W to M\nBomb EC"
GREETED = f"Hi,\n\n{OWN}\n\nGood luck\nAlice"


def letter(body: str | bytes, *headers: str, kind: str = "text/plain; charset=utf-8") -> bytes:
    """A letter of Alice's with this body; further headers as lines."""
    content = body if isinstance(body, bytes) else body.encode()
    head = (
        "From: Alice <alice@example.net>",
        "To: Desk <desk@example.org>",
        "MIME-Version: 1.0",
        *([] if any(line.lower().startswith("content-type") for line in headers) else [f"Content-Type: {kind}"]),
        *headers,
    )
    return "\r\n".join(head).encode() + b"\r\n\r\n" + content.replace(b"\n", b"\r\n")


def alternative(plain: str, html: str) -> bytes:
    parts = (("plain", plain), ("html", html))
    body = "".join(f"--b\nContent-Type: text/{kind}; charset=utf-8\n\n{text}\n" for kind, text in parts)
    return letter(f"{body}--b--\n", kind='multipart/alternative; boundary="b"')


def words(body: str) -> str:
    return read(letter(body)).text


# --- how programs introduce what they quote ----------------------------------------------------------------------


@each("attribution", ATTRIBUTIONS.values(), ids=ATTRIBUTIONS)
class TestAnAnswerUnderAnAttribution:
    def test_above_marked_lines(self, attribution: str) -> None:
        assert words(f"{GREETED}\n\n{attribution}\n\n{marked(REPORT)}\n") == GREETED

    def test_above_lines_without_marks(self, attribution: str) -> None:
        assert words(f"{GREETED}\n\n{attribution}\n\n{REPORT}\n") == GREETED

    def test_above_lines_without_marks_and_without_our_marker(self, attribution: str) -> None:
        report = REPORT.removeprefix(letters.MARKER)
        assert words(f"{GREETED}\n\n{attribution}\n{report}\n") == GREETED

    def test_directly_above_without_a_blank_line(self, attribution: str) -> None:
        assert words(f"{OWN}\n{attribution}\n{marked(REPORT)}\n") == OWN

    @each("width", [76, 60, 45])
    def test_that_is_wrapped(self, attribution: str, width: int) -> None:
        wrapped = "\n".join(textwrap.wrap(attribution, width, break_on_hyphens=False))
        assert words(f"{GREETED}\n\n{wrapped}\n{marked(REPORT)}\n") == GREETED
        assert words(f"{GREETED}\n\n{wrapped}\n\n{REPORT}\n") == GREETED

    def test_below_and_between_marked_lines(self, attribution: str) -> None:
        first, rest = REPORT.split("\n\n", 1)
        body = f"{attribution}\n{marked(first)}\n>\n5 A to M\n2 W to M\n\n{marked(rest)}\n\nBomb EC\n"
        assert words(body) == "5 A to M\n2 W to M\n\nBomb EC"

    def test_with_nothing_of_ones_own(self, attribution: str) -> None:
        assert words(f"{attribution}\n\n{marked(REPORT)}\n") == ""
        assert words(f"\n{attribution}\n\n{REPORT}\n") == ""


@each("block", HEADER_BLOCKS.values(), ids=HEADER_BLOCKS)
class TestAnAnswerAboveABlockOfHeaders:
    def test_with_our_marker_below(self, block: str) -> None:
        assert words(f"{GREETED}\n\n{block}\n\n{REPORT}\n") == GREETED

    def test_without_our_marker_below(self, block: str) -> None:
        assert words(f"{GREETED}\n\n\n{block}\n{REPORT.removeprefix(letters.MARKER)}\n") == GREETED

    def test_with_marked_lines_below_may_go_on_after_them(self, block: str) -> None:
        assert words(f"{block}\n\n{marked(REPORT)}\n\n{OWN}\n") == OWN


@each(
    "stamp",
    [
        "Sent from my iPhone",
        "Sent from my Verizon Wireless BlackBerry",
        "Sent from Yahoo Mail for iPhone",
        "Sent from Yahoo Mail on Android<https://go.onelink.me/107872968?pid=InProduct>",
        "Sent with Proton Mail secure email.",
        "Sent from Outlook for Android<https://aka.ms/AAb9ysg>",
        "Get Outlook for iOS<https://aka.ms/o0ukef>",
        "Sent from my phone, please excuse any typos.",
        "(typed on a phone; pardon brevity)",
        "Von meinem iPhone gesendet",
        "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
        "Gesendet von Outlook für Android",
        "Envoyé de mon iPhone",
        "Envoyé depuis mon smartphone Samsung Galaxy.",
        "Télécharger Outlook pour iOS<https://aka.ms/o0ukef>",
        "Enviado desde mi iPhone",
        "Enviado do meu iPhone",
        "Inviato da iPhone",
        "Verstuurd vanaf mijn iPhone",
        "Wysłane z iPhone'a",
        "Skickat från min iPhone",
        "Sendt fra min iPhone",
        "Отправлено с iPhone",
        "Отправлено из мобильной Почты Mail.ru",
        "Надіслано з iPhone",
        "Изпратено от моя iPhone",
        "iPhoneから送信",
        "发自我的iPhone",
        "從我的 iPhone 傳送",
        "Outlook für iOS beziehen<https://aka.ms/o0ukef>",
        "iOS 版 Outlook を入手<https://aka.ms/o0ukef>",
        "Získat Outlook pro Android<https://aka.ms/AAb9ysg>",
        "Get BlueMail for Android",
        "Sent from my Verizon, Samsung Galaxy smartphone",
        "This message was sent from my Android device with K-9 Mail. Please excuse my brevity.",
        "Skickades från E-post för Windows",
        "Elküldve a Galaxy készülékemről",
        "Az iPhone-omról küldve",
        "Στάλθηκε από το iPhone μου",
        "Odoslané z iPhonu",
        "Trimis de pe iPhone-ul meu",
        "Đã gửi từ iPhone của tôi",
        "נשלח מה-iPhone שלי",
        "来自QQ邮箱手机版",
        "[cid:image001.png@01DC5B4F.12345678]",
        "[image: Example Ltd.]",
        "[smime.p7s]",
        "Virenfrei.www.avast.com",
        "This email has been checked for viruses by Avast antivirus software.\nwww.avast.com",
    ],
)
def test_the_line_a_phone_puts_under_a_letter_is_not_the_writers(stamp: str) -> None:
    assert words(f"{OWN}\n\n{stamp}\n\n{ATTRIBUTIONS['iPhone en']}\n\n{marked(REPORT)}") == OWN
    assert words(f"{OWN}\n\n{stamp}\n") == OWN


@each(
    "prose",
    [
        "On second thought, ignore what I wrote:\n5 A to M",
        "On Sunday at 20:59 I wrote:\n5 A to M",
        "Sent from my desk, is much easier than my mobile phone.",
        "I read my mail in Outlook for Android",
        "I reset the board",
        "From: me\n5 A to M",
        "To: everybody\n5 A to M",
        "And here is a fix -- this is not a signature.\nReally",
        "Orders of 21.11.2026, 20:59:\n5 A to M",
        "My address is alice@example.net:\nwrite there",
        "Bob said he wrote to you.\n5 A to M",
        "Turn 7 of 2026:\n5 A to M",
        "In 2026 he wrote\n5 A to M",
        "Since 2026 I am alice@example.net:\n5 A to M",
        "Answer to the question above this line is surely yes, I think.\n5 A to M",
        "On Sunday at 20:59 we met, and he told me about what he\nwrote last year, so I think that\nthis is it:\nPass",
        "I am back at 20:59.\n5 A to M",
        "As you said in the letter above, this line is fine",
        "--- Orders ---\n5 A to M",
        "| A | 3 |\n| M | 2 |",
        "- 5 A to M\n- 2 W to M",
        "5 A -> M\n2 W > M",
    ],
)
def test_what_only_looks_like_a_quote_is_the_writers(prose: str) -> None:
    assert words(prose) == prose


def test_prose_above_an_attribution_stays_though_it_names_a_time() -> None:
    prose = "I am back at 20:59 and write to bob@example.net\nfrom there"
    assert words(f"{prose}\n{ATTRIBUTIONS['Gmail en']}\n{marked(REPORT)}") == prose


def test_two_levels_of_answers_are_both_quoted() -> None:
    older = f"{ATTRIBUTIONS['Gmail de']}\n{marked(REPORT)}"
    assert words(f"{OWN}\n\n{ATTRIBUTIONS['Gmail en']}\n\n{marked(f'1 X to Y{older}')}") == OWN


@pytest.mark.parametrize("mark", [">", ">>", " >", "|", "|>", ":", "GM>"])
def test_lines_are_quoted_by_these_marks(mark: str) -> None:
    assert words(f"{OWN}\n{marked('9 Q to Z', mark)}\n") == OWN


def test_the_line_for_inboxes_at_the_head_of_a_quoted_letter_is_nobodys() -> None:
    filling = "\u200c\xa0" * 60
    assert (
        words(f"3 A to M\n\nNOT taken: there is no area Q.{filling}\n== Answer above this line ==\n3 M to A")
        == "3 A to M"
    )
    assert words("3 A to M\u200c\xa0\nnot now\u200c") == "3 A to M\nnot now"


def test_our_marker_ends_the_answer_where_nothing_marks_it_as_quoted() -> None:
    assert words(f"{OWN}\n\n{REPORT}\n") == OWN


@pytest.mark.parametrize("attribution", ["Desk wrote:", "Ozymandia Desk schrieb:", "Desk <desk@example.org>:"])
def test_attributions_without_a_date_are_known_by_what_they_stand_above(attribution: str) -> None:
    assert words(f"{OWN}\n\n{attribution}\n\n{REPORT}\n") == OWN
    assert words(f"{OWN}\n\n{attribution}\n\n{marked(REPORT)}\n") == OWN


@each("attribution", ATTRIBUTIONS.values(), ids=ATTRIBUTIONS)
def test_words_between_an_attribution_and_what_it_introduces_are_the_writers(attribution: str) -> None:
    greeting = "Hi Desk,\n\nthanks. It is the harbour, then."
    assert words(f"{attribution}\n\n{greeting}\n\n{marked(REPORT)}\n\n{OWN}") == f"{greeting}\n\n{OWN}"


def test_below_an_attribution_a_quote_without_marks_may_hold_another_with_them() -> None:
    older = f"On 2026-11-20 20:59, Bob wrote:\n{marked('9 Q to Z')}"
    assert words(f"{OWN}\n\n{ATTRIBUTIONS['Gmail en']}\n\nHi Bob,\n\n1 X to Y\n\n{older}\n\n1 X to Y") == OWN


def test_a_name_in_brackets_is_an_attribution_where_marked_lines_follow() -> None:
    assert words(f"[Bob]\n{marked('9 Q to Z')}\n\n{OWN}") == OWN
    assert words(f"[Bob]\n\n{OWN}") == f"[Bob]\n\n{OWN}"


def test_our_marker_is_only_dropped_where_it_is_quoted() -> None:
    assert words(f"> {letters.MARKER}\n> 9 Q to Z\n\n{OWN}\n") == OWN


@pytest.mark.parametrize(
    "marker",
    [
        "##- Please type your reply above this line -##",
        "Please reply above this line",
        "##- Bitte geben Sie Ihre Antwort oberhalb dieser Zeile ein. -##",
        "--- Reply above this line ---",
        "-- Bitte oberhalb dieser Linie antworten --",
        "==== Répondre au-dessus de cette ligne ====",
        "** Do not type below this line **",
    ],
)
def test_markers_of_other_programs_end_the_answer_too(marker: str) -> None:
    assert words(f"{OWN}\n\n{marker}\n9 Q to Z\n") == OWN


def test_a_signature_is_not_the_writers_words() -> None:
    assert words(f"{OWN}\n-- \nAlice\n9 Q to Z\n") == OWN
    assert words(f"{OWN}\n--\nAlice\n9 Q to Z\n") == OWN


def test_an_answer_below_the_quote_that_follows_a_signature_is_read() -> None:
    attribution = ATTRIBUTIONS["Thunderbird en"]
    assert words(f"Hi\n-- \nAlice\n9 Q to Z\n\n{attribution}\n{marked(REPORT)}\n\n{OWN}\n") == f"Hi\n\n{OWN}"


def test_the_footer_of_a_mailing_list_is_not_the_writers_words() -> None:
    footer = f"{'_' * 47}\nozy mailing list\nozy@example.org\nhttps://example.org/listinfo/ozy"
    assert words(f"{OWN}\n\n{footer}\n") == OWN


@pytest.mark.parametrize("rule", ["-" * 20, "_" * 48, "-" * 3, "=" * 10, "*" * 5])
def test_a_ruled_line_above_an_address_or_number_begins_a_signature(rule: str) -> None:
    assert words(f"{OWN}\n\n{rule}\nAlice Doe\nhttps://example.net\n9 Q to Z\n") == OWN
    assert words(f"Hi\n{rule}\n{OWN}") == f"Hi\n{rule}\n{OWN}"


@each(
    "disclaimer",
    [
        "Disclaimer\n\nThe information is confidential.",
        "CONFIDENTIALITY NOTICE: This e-mail is private.",
        "This message and any attachments are intended only for the person it is sent to.",
        "The information contained in this communication is confidential.",
        "NOTICE: This e-mail message is for the sole use of the addressee.",
        "Legal notice: whoever finds this letter may keep it.",
        "Please consider the environment before printing this e-mail",
        "Diese E-Mail enthält vertrauliche Informationen.",
        "Ce message et ses pièces jointes sont confidentiels.",
        "Este mensaje y sus adjuntos son confidenciales.",
        "Niniejsza wiadomość może zawierać poufne informacje.",
        "This e-mail and any attachments may contain information which is confidential,",
        "The information in this email is confidential.",
        "If you are not the intended recipient, please delete this message.",
        "Der Inhalt dieser E-Mail ist vertraulich.",
        "La información contenida en este correo es confidencial.",
    ],
)
def test_a_companys_disclaimer_is_not_the_writers_words(disclaimer: str) -> None:
    assert words(f"{OWN}\n\n{disclaimer}\n9 Q to Z") == OWN


def test_prose_on_what_is_confidential_is_the_writers() -> None:
    prose = "This letter is only to tell you: the plan is confidential.\n5 A to M"
    assert words(prose) == prose
    prose = "Important notice:\n5 A to M"
    assert words(prose) == prose


@each(
    "warning",
    [
        "CAUTION: This email originated from outside of the organisation.",
        "[EXTERNAL EMAIL] DO NOT CLICK links or attachments unless you know the sender.",
        "You don't often get email from alice@example.net. Learn why this is important",
        "U ontvangt niet vaak e-mail van a@b.nl. Waarom <https://aka.ms/LearnAboutSenderIdentification>",
        "[EXTERNAL]",
        "*** EXTERNAL EMAIL ***",
        "This Message Is From an External Sender\nThis message came from outside your organization.",
        "VORSICHT: Diese E-Mail wurde von außerhalb der Organisation gesendet. Klicken Sie nicht auf Links.",
        "ATTENTION : cet e-mail provient d'un expéditeur externe.",
        "PRECAUCIÓN: Este correo electrónico se originó fuera de la organización.",
        "ВНИМАНИЕ: Это письмо от внешнего отправителя.",
        "[AMD Official Use Only - General]",
    ],
)
def test_a_gateways_warning_is_not_the_writers_words(warning: str) -> None:
    assert words(f"{warning}\n\n{OWN}") == OWN


def test_a_line_of_dashes_below_a_headline_begins_no_signature() -> None:
    text = f"Orders\n------\n{OWN}\n\nRemarks\n-------\nSee https://example.net"
    assert words(text) == text


def test_a_clear_signed_message_is_read_without_its_armour() -> None:
    begin = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256"
    assert words(f"{begin}\n\n{OWN}\n-----BEGIN PGP SIGNATURE-----\n\n9QtoZ\n-----END PGP SIGNATURE-----") == OWN


def test_yahoo_on_a_phone_puts_the_quote_behind_the_attribution() -> None:
    flat = " ".join(REPORT.split())
    assert words(f"{OWN}\n\nOn Sat, Nov 21, 2026 at 20:59, Desk<desk@example.org> wrote:   {flat}\n9 Q to Z") == OWN


CONTACTS = ("+49 30 1234567", "Tel. 030 1234567", "www.example.net", "alice@example.net", "Mobile: (+00)000000")


@each(
    "farewell", ["Regards,", "Mit freundlichen Grüßen", "Mvh", "Üdvözlettel,", "С уважением,", "よろしくお願いします"]
)
@each("contact", CONTACTS)
def test_how_the_writer_can_be_reached_is_not_said_to_us(farewell: str, contact: str) -> None:
    said = f"{OWN}\n\n{farewell}\nAlice Doe"
    assert words(f"{said}\nPharaoh, Department of Sand\n{contact}\n\n{marked(REPORT)}") == said
    assert words(f"{said}\n{contact}\n\nBomb U") == f"{said}\n\nBomb U"


@pytest.mark.parametrize(
    "signature",
    [
        "Scribe of the Nile | Example Ltd.\np: 555-123-4567 | alice@example.net",
        "alice@example.net",
        "555-123-4567 (phone)",
        "12 High Street, Thebes\nTel: +44 20 1234 5678",
        "\nAlice Doe\nExample Ltd.\n12 High Street\nTel: 555-123-4567\nwww.example.net",
        "*Scribe*\n*Tel:* 555-123-4567",
    ],
)
def test_a_name_at_the_end_with_contacts_below_begins_a_signature(signature: str) -> None:
    assert words(f"{OWN}\n\nAlice\n{signature}\n") == f"{OWN}\n\nAlice"
    assert words(f"{OWN}\n\nAlice\n{signature}\n\nBomb U") == f"{OWN}\n\nAlice\n{signature}\n\nBomb U"


def test_rank_and_firm_right_below_a_farewell_are_a_signature() -> None:
    said = f"{OWN}\n\nThanks!\nAlice Doe"
    assert words(f"{said}\nDirector of Operations, Example Inc.\n\n{marked(REPORT)}") == said
    assert words(f"{said}\nsee you on Sunday") == f"{said}\nsee you on Sunday"


def test_rank_and_firm_beside_the_name_go_with_what_is_below() -> None:
    assert words(f"{OWN}\n\nThanks,\n\nAlice Doe | Scribe | Example Ltd.\n555-123-4567") == f"{OWN}\n\nThanks,"


@pytest.mark.parametrize("line", ["New Mu", "Neu in Mu", "Kein Zug", "All A to M", "Yes", "Ja", "Resign.", "Remis"])
def test_orders_and_commands_below_a_farewell_are_no_rank(line: str) -> None:
    assert words(f"{OWN}\n\nBest regards\nGus\n{line}") == f"{OWN}\n\nBest regards\nGus\n{line}"


@pytest.mark.parametrize("line", ["Zone Manager", "History Department", "Attack Bravo", "Newsletter Editor"])
def test_what_is_no_order_in_any_game_is_a_rank(line: str) -> None:
    assert words(f"{OWN}\n\nBest regards\nGus\n{line}") == f"{OWN}\n\nBest regards\nGus"


def test_whoever_reads_a_letter_says_what_may_be_orders() -> None:
    raw = letter(f"{OWN}\n\nBest regards\nGus\nAttack Bravo")
    seen = letters.read(raw, is_order=lambda line: line.startswith("Attack"))
    assert seen.text == f"{OWN}\n\nBest regards\nGus\nAttack Bravo"


def test_a_ruled_line_below_a_farewell_begins_a_signature() -> None:
    assert words(f"{OWN}\n\nBest,\nAlice\n\n{'_' * 30}\n\nDepartment of Sand") == f"{OWN}\n\nBest,\nAlice"
    assert OWN in words(f"Thanks,\n\n{'_' * 30}\n{OWN}")


def test_a_postscript_below_contacts_is_the_writers() -> None:
    assert words(f"Pass\n\nCheers\nAlice\nwww.example.net\nPS: {OWN}") == f"Pass\n\nCheers\nAlice\nPS: {OWN}"


@pytest.mark.parametrize("street", ["ST", "Rd", "Lane"])
def test_an_order_to_an_area_named_as_a_street_is_no_address(street: str) -> None:
    text = f"Cheers\nAlice\n3 A to {street}\nwww.example.net"
    assert words(text) == text


@pytest.mark.parametrize(
    "text", [f"Thanks,\n{OWN}\nTel 1234567", f"Cheers\nAlice\n{OWN}", f"Best,\nAlice\nBob too\n{OWN}"]
)
def test_orders_below_a_farewell_are_the_writers(text: str) -> None:
    assert words(text) == text


def test_the_end_of_a_quoted_line_that_a_program_broke_off_is_quoted() -> None:
    long = "> Answer with your orders by Sunday 29 November 2026, 20:00 in Berlin, for"
    assert words(f"{OWN}\n{long}\nexample\n> New M; 2 S to SC\n") == OWN
    assert words(f"{long}\n{OWN}\n> New M; 2 S to SC\n") == OWN
    assert words("> short\npass\n> New M; 2 S to SC\n") == "pass"


@each("block", HEADER_BLOCKS.values(), ids=HEADER_BLOCKS)
class TestAnAnswerBelowALetterThatIsQuotedWithoutMarks:
    def test_is_found_if_we_know_what_we_sent(self, block: str) -> None:
        raw = letter(f"{block}\n\n{REPORT}\n\n{GREETED}\n-- \nAlice\n")
        assert read(raw).text == ""
        assert read(raw, sent=REPORT).text == GREETED

    def test_joins_what_stands_above(self, block: str) -> None:
        assert read(letter(f"Pass\n\n{block}\n\n{REPORT}\n\n{OWN}"), sent=REPORT).text == f"Pass\n\n{OWN}"

    def test_is_none_where_the_letter_is_not_quoted_to_its_end(self, block: str) -> None:
        cut = REPORT.rpartition("\n\n")[0]
        assert read(letter(f"{block}\n\n{cut}\n\n{OWN}"), sent=REPORT).text == ""
        assert read(letter(f"{block}\n\n{REPORT}"), sent=REPORT).text == ""
        assert read(letter(f"{block}\n\n{marked(REPORT)}"), sent=REPORT).text == ""


def test_an_answer_below_is_found_though_the_quoted_letter_was_wrapped_anew() -> None:
    wrapped = "\n".join(textwrap.fill(line, 60) for line in REPORT.split("\n"))
    raw = letter(f"{HEADER_BLOCKS['Outlook en']}\n\n{wrapped}\n\n{OWN}")
    assert read(raw, sent=REPORT).text == OWN


# --- HTML --------------------------------------------------------------------------------------------------------

QUOTE = escape(REPORT.removeprefix(letters.MARKER)).replace("\n", "<br>\n")
OWN_BREAKS = OWN.replace("\n", "<br>")
PAGES = {
    **html_replies(OWN.split("\n"), QUOTE),
    "a list": f"<ul><li>5 A to M</li><li>2 W to M</li></ul>Bomb EC<blockquote>{QUOTE}</blockquote>",
    "a table": "<table><tr><td>5 A</td><td>to M</td></tr><tr><td>2 W to M</td></tr></table><p>Bomb EC</p>",
    "indented by the writer": "<blockquote style='margin:0 0 0 40px;border:none;padding:0'>5 A to M<br>2 W to M<br>"
    "Bomb EC</blockquote>",
    "hidden": f'<div style="display: none">9 Q to Z</div><script>9 Q to Z</script>{OWN_BREAKS}<p hidden>9 Q to Z</p>'
    "<!-- 9 Q to Z -->",
    "entities": "5&nbsp;A to&#8203; M<br>2&ensp;W to M<BR/>Bo<b>mb</b>\n EC<div style=FONT-SIZE:0px>9 Q to Z</div>",
}


@each("page", PAGES.values(), ids=PAGES)
def test_a_letter_in_html_only(page: str) -> None:
    assert re.sub(r"\n+", "\n", read(letter(page, kind="text/html; charset=utf-8")).text) == OWN


@pytest.mark.parametrize("stub", ["This message requires an HTML viewer.", "", " \n", "Bitte im Browser ansehen"])
def test_html_is_read_where_the_text_part_only_stands_in_for_it(stub: str) -> None:
    assert read(alternative(stub, PAGES["Apple Mail"])).text == OWN


def test_html_is_read_where_the_text_part_has_lost_its_lines() -> None:
    page = "".join(f"<div>{line}</div>" for line in OWN.split("\n"))
    quote = f"<div>-------- Original message --------</div><div>From: Desk</div><div>{escape(REPORT)}</div>"
    flat = f"{OWN}-------- Original message --------From: Desk{REPORT}".replace("\n", "")
    assert read(alternative(flat, page + quote)).text == OWN
    assert read(alternative(OWN.replace("\n", ""), page)).text == OWN


def test_the_text_part_is_read_where_it_says_the_same() -> None:
    assert read(alternative("*5 A to M*\nnow", "<p><b>5&nbsp;A</b> to M<br>now</p>")).text == "*5 A to M*\nnow"
    assert read(alternative("5 A to M", "<p>5 a TO m</p>")).text == "5 A to M"


def test_a_text_part_that_says_more_than_the_page_stands_in_for_nothing() -> None:
    assert read(alternative("5 A to M, and 2 W to M", "<p>See the text</p>")).text == "5 A to M, and 2 W to M"


def test_an_attachment_is_never_read() -> None:
    headers = (
        'text/plain; name="old.txt"',
        "text/plain\nContent-Disposition: attachment",
        'text/plain\nContent-Disposition: inline; filename="o"',
        "message/rfc822",
        "application/octet-stream",
    )
    attached = "".join(f"--m\nContent-Type: {head}\n\n9 Q to Z\n" for head in headers)
    body = f"--m\nContent-Type: text/plain\n\n{OWN}\n{attached}--m--\n"
    assert read(letter(body, kind="multipart/mixed; boundary=m")).text == OWN


def test_a_letter_without_text_says_so() -> None:
    seen = read(letter("AAAA", kind="image/png"))
    assert (seen.text, seen.problems) == ("", ("no text part",))


# --- characters --------------------------------------------------------------------------------------------------


@each(
    ("written", "meant"),
    [
        ("5\xa0A\u2003to\u202fM\u3000", "5 A to M"),
        ("\ufeff5 A\u200b to\u200d M\xad", "5 A to M"),
        ("\u202a5 A to M\u202c", "5 A to M"),
        ("５ Ａ ｔｏ Ｍ", "5 A to M"),
        ("“5 A to M”, ‘Bomb EC’", "\"5 A to M\", 'Bomb EC'"),
        ("Shangri\u2011La", "Shangri-La"),
        ("5 A to M\x1b[31m\x00\x07", "5 A to M[31m"),
        ("5 A\tto M", "5 A to M"),
        ("5 A to M\u20282 W to M\x852 U to M", "5 A to M\n2 W to M\n2 U to M"),
        ("5 А to М", "5 A to M"),
        ("3 АС to МС; Воmb ЕС", "3 AC to MC; Bomb EC"),
        ("Приказ: 5 А to М", "Приказ: 5 A to M"),
        ("А потом я подумал о нём, и с утра", "А потом я подумал о нём, и с утра"),
        ("Сосна, ухо, оса", "Сосна, ухо, оса"),
        ("JIN НЕ ВЕРБУЕТ", "JIN НЕ ВЕРБУЕТ"),
        ("5 Α to Μ", "5 A to M"),
    ],
)
def test_characters_that_look_the_same_are_the_same(written: str, meant: str) -> None:
    assert words(written) == meant


@pytest.mark.parametrize(
    ("declared", "real"),
    [
        *[(name, name) for name in ("utf-8", "koi8-r", "windows-1251", "iso-8859-5", "utf-16", "utf-16le")],
        ("windows-1251", "utf-8"),
        ("us-ascii", "utf-8"),
        ("x-unknown", "utf-8"),
        ("unicode_escape", "utf-8"),
        ("\x00../../", "utf-8"),
        ("", "utf-8"),
    ],
)
@pytest.mark.parametrize("encoding", ["8bit", "base64", "quoted-printable"])
def test_charsets_declared_rightly_wrongly_and_not_at_all(declared: str, real: str, encoding: str) -> None:
    data = "Привет, Эдуард: 5 A to M\nBomb EC\n".encode(real)
    if encoding == "base64":
        data = b64encode(data)
    elif encoding == "quoted-printable":
        data = b"".join(b"=%02X" % byte for byte in data)
    elif real.startswith("utf-16"):
        pytest.skip("UTF-16 does not travel as eight-bit lines")
    raw = letter("", f"Content-Type: text/plain; charset={declared}", f"Content-Transfer-Encoding: {encoding}")
    assert read(raw + data).text == "Привет, Эдуард: 5 A to M\nBomb EC"


@pytest.mark.parametrize("declared", ["iso-8859-1", "us-ascii", "utf-8", "nonsense"])
def test_western_letters_are_read_as_windows_1252_at_the_last(declared: str) -> None:
    data = "Zoë’s café – naïve: 5 A to M".encode("windows-1252")
    assert read(letter(data, kind=f"text/plain; charset={declared}")).text == "Zoë's café – naïve: 5 A to M"


@pytest.mark.parametrize(
    ("data", "declared", "text"),
    [
        (b"caf\xe9", "", "café"),
        (b"caf\xe9", "utf-8", "café"),
        ("Zoë, naïve caf".encode() + b"\xc3", "utf-8", "Zoë, naïve caf\ufffd"),
        ("織田".encode("cp932"), "Shift_JIS", "織田"),
        ("镕基".encode("gb18030"), "gb2312", "镕基"),
        ("織田".encode("iso-2022-jp"), "iso-2022-jp", "織田"),
        ("Ahoj, Čeněk".encode("iso-8859-2"), "iso-8859-2", "Ahoj, Čeněk"),
        ("Zoë".encode("utf-8-sig"), "windows-1252", "Zoë"),
    ],
)
def test_bytes_become_the_text_that_was_meant(data: bytes, declared: str, text: str) -> None:
    assert mime.decode(data, declared) == text


@pytest.mark.parametrize("data", ["NSBBIHRvIE0", "NSBB\n IHRvIE0=", "N!S*BBIHRvIE0==", "NSBBIHRvIE0=\n-- \nthe list"])
def test_broken_base64_is_read_as_far_as_it_goes(data: str) -> None:
    assert read(letter(data, "Content-Transfer-Encoding: base64")).text == "5 A to M"


@pytest.mark.parametrize("data", ["5 A=20to=\n M=", "5=20A to M=\n", "5 A to M =\n"])
def test_broken_quoted_printable_is_read_as_far_as_it_goes(data: str) -> None:
    assert read(letter(data, "Content-Transfer-Encoding: quoted-printable")).text.startswith("5 A to M")


def test_a_charset_may_say_which_way_its_lines_run() -> None:
    body = f"{OWN}\n\n{ATTRIBUTIONS['Thunderbird he']}\n\n9 Q to Z".encode("iso-8859-8")
    assert read(letter(body, kind="text/plain; charset=iso-8859-8-i")).text == OWN


def test_signs_of_html_in_a_text_part_are_read_as_what_they_stand_for() -> None:
    assert words("5&nbsp;A to M\nBob &amp; I\nAT&T &c") == "5 A to M\nBob & I\nAT&T &c"
    assert words("&gt; 9 Q to Z\nPass") == "Pass"


def test_flowed_lines_are_joined() -> None:
    body = "5 A \nto M\n Bomb EC\n\n> quoted \n> 9 Q to Z\n>> deeper \n2 W to M\n-- \nAlice\n"
    seen = read(letter(body, kind="text/plain; charset=utf-8; format=flowed"))
    assert seen.text == "5 A to M\nBomb EC\n\n2 W to M"


def test_flowed_lines_of_languages_without_blanks_are_joined_without_blanks() -> None:
    assert read(letter("よろ \nしく\n", kind="text/plain; format=flowed; delsp=yes")).text == "よろしく"


def test_no_character_becomes_a_line_break() -> None:
    every = "".join(map(chr, range(0x110000)))
    assert all(line.isprintable() for line in plaintext.normalise(every))


def test_long_lines_are_broken_at_blanks_and_stay_quoted() -> None:
    own, quoted = "word " * 200, "> " + "9 Q to Z, " * 200
    assert words(f"{quoted}\n{own}").split() == ["word"] * 200


# --- who, to whom, what about ------------------------------------------------------------------------------------


@each(
    ("value", "sender", "name"),
    [
        ("alice@example.net", "alice@example.net", ""),
        ("<Alice@Example.NET>", "alice@example.net", ""),
        ("Alice <alice@example.net>", "alice@example.net", "Alice"),
        ('"Doe, Alice \\"Al\\"" <alice@example.net>', "alice@example.net", 'Doe, Alice "Al"'),
        ("Alice (at work) <alice@example.net>", "alice@example.net", "Alice (at work)"),
        ("alice@example.net (Alice)", "alice@example.net", "Alice"),
        ("=?utf-8?q?Zo=C3=AB?= =?utf-8?b?w4U=?= <zoe@example.net>", "zoe@example.net", "ZoëÅ"),
        ("Иван <ivan@example.net>", "ivan@example.net", "Иван"),
        ("=?utf-8?q?A=0D=0ABcc=3A_b=1B=5B31m?= <a@example.net>", "a@example.net", "A Bcc: b[31m"),
        ('"alice@example.net" <evil@example.com>', "evil@example.com", ""),
        ("=?utf-8?q?alice=40example.net?= <evil@example.com>", "evil@example.com", ""),
        ("alice@localhost", "alice@localhost", ""),
    ],
)
def test_the_sender_is_the_one_address_of_from(value: str, sender: str, name: str) -> None:
    seen = read(f"From: {value}\r\n\r\nhi".encode())
    assert (seen.sender, seen.name, seen.problems) == (sender, name, ())


@each(
    "value",
    [
        "alice@example.net <alice@example.net>",
        "Smith, Alice <alice@example.net>",
        "Dr: Alice <alice@example.net>",
        "Alice :( <alice@example.net>",
        "Alice :-) (at work <alice@example.net>",
        '"Alice <alice@example.net>',
        '"Alice "The Fox" Smith" <alice@example.net>',
        "Alice <alice@example.net>,",
        "Alice <alice@example.net>;",
        "<<alice@example.net>>",
        "<mailto:alice@example.net>",
        "<alice@example.net.>",
        "alice@example.net.",
        "ALICE@example.net, Alice <alice@Example.net>",
        "everybody: alice@example.net;",
        "=?utf-8?q?Alice_=3Calice=40example.net=3E?=",
        "=?utf-8?q?=3Calice=40example.net=3E?=",
        "=?utf-8?q?Zo=C3=AB,?= Smith, <alice@example.net>",
    ],
)
def test_an_imperfect_line_with_one_address_is_from_there(value: str) -> None:
    seen = read(f"From: {value}\r\n\r\nhi".encode())
    assert (seen.sender, seen.problems) == ("alice@example.net", ())


@each(
    ("written", "sender"),
    [
        ("Seán <sean.o'brien@example.net>", "sean.o'brien@example.net"),
        ("O'Brien, Sean <sean.o'brien@example.net>", "sean.o'brien@example.net"),
        ("alice@müller.example", "alice@xn--mller-kva.example"),
        ("Alice <alice@MÜLLER.example>", "alice@xn--mller-kva.example"),
        ("Alice <alice@straße.example>", "alice@xn--strae-oqa.example"),
        ("alice@xn--mller-kva.example", "alice@xn--mller-kva.example"),
        ("Иван <ivan@почта.рф>", "ivan@xn--80a1acny.xn--p1ai"),
    ],
)
def test_apostrophes_and_international_domains(written: str, sender: str) -> None:
    seen = read(f"From: {written}\r\n\r\nhi".encode())
    assert (seen.sender, seen.problems) == (sender, ())


@each(
    "header",
    [
        "Subject: nobody",
        "From: alice@example.net <evil@example.com>",
        "From: alice@example.net, evil@example.com",
        "From: Alice <alice@example.net>, Evil <evil@example.com>",
        "From: Alice <alice@example.net> <evil@example.com>",
        "From: alice@example.net\r\nFrom: evil@example.com",
        "From: alice@example.net\r\nfrom : evil@example.com",
        "From: undisclosed-recipients:;",
        "From: (alice@example.net) evil@example.com",
        "From: Alice (alice@example.net) <evil@example.com>",
        "From: =?utf-8?q?=3Calice=40example.net=3E?= <evil@example.com>, alice@example.net",
        "From: =?utf-8?q?=3Calice=40example.net=3E,_evil=40example.com?=",
        "From: =?utf-8?q?alice=40example.net=0D=0AFrom=3A_x?=",
        "From: Alice <alice@example.net>, evil@",
        "From: <@relay.example:alice@example.net>",
        "From: alice@example.net@evil.example",
        "From: alice@example.net_evil.example, Alice",
        'From: "alice smith"@example.net',
        "From: Alice, éalice@example.net",
        "From: alice@example.net.\u202e",
        "From: =?utf-8?q?alice?=@example.net",
        "From: <>",
        "From: alice",
        "From: alice@exam ple.net",
        "From: alice@[127.0.0.1]",
        "From: alice@example.net\x00",
        "From: alice@example.net" + " " * 2_000 + ", evil@example.com",
        "From: " + "(" * 5_000 + "alice@example.net",
        "From: " + "a" * 70_000 + "\r\nSubject: x",
    ],
)
def test_an_ambiguous_sender_is_none_and_the_letter_says_why(header: str) -> None:
    seen = read(f"{header}\r\n\r\nhi".encode())
    assert seen.sender is None
    assert len(seen.problems) == 1


def test_a_header_too_long_to_be_read_whole_names_no_sender() -> None:
    seen = read(b"From: alice@example.net\r\n" + b"X: y\r\n" * 20_000 + b"From: evil@example.com\r\n\r\nhi")
    assert (seen.sender, seen.problems) == (None, ("the header is longer than 64 kB",))


def test_every_address_a_letter_may_have_been_written_to_counts() -> None:
    headers = (
        "Cc: Bob <bob@example.net>, =?utf-8?q?Zo=C3=AB?= <zoe@example.net>",
        "X-Original-To: desk+K3F9@example.org",
        "X-Gm-Original-To: c@example.org",
        "Delivered-To: gm@example.org",
        "Envelope-To: b@example.org, gm@example.org",
    )
    addresses = ["gm", "desk+k3f9", "b", "c", "desk"]
    expected = (*(f"{name}@example.org" for name in addresses), "bob@example.net", "zoe@example.net")
    assert read(letter("hi", *headers)).recipients == expected


def test_references_come_newest_first() -> None:
    headers = ("References: <root@x>,<two@x>\r\n <thr\r\n ee@x><four@x>", "In-Reply-To: <four@x> (Alice)")
    seen = read(letter("hi", *headers, "Message-ID:\r\n <own@x>"))
    assert seen.references == ("four@x", "three@x", "two@x", "root@x")
    assert seen.message_id == "own@x"


def test_a_reference_that_a_program_has_encoded_like_a_word_is_read() -> None:
    seen = read(letter("hi", "In-Reply-To: =?utf-8?q?=3C1-red-1-abcdefghijklmnop=2Eanswer-?=\r\n =?utf-8?q?1=40x=3E?="))
    assert seen.references == ("1-red-1-abcdefghijklmnop.answer-1@x",)


def test_ids_in_the_subject_are_references_and_not_shown_with_it() -> None:
    name = "1-red-1-abcdefghijklmnop.answer-1.abcdefghijklmnop@example.org"
    for written in (f"<{name}>", f"[{name}]", name):
        seen = read(letter("hi", f"Subject: Re: Your games {written}", "References: <root@x>"))
        assert (seen.references, seen.threaded) == (("root@x", name), ("root@x",))
        assert name[:20] not in seen.subject
        assert seen.subject.startswith("Re: Your games")


@pytest.mark.parametrize(
    ("value", "subject"),
    [
        ("Re: Turn 7", "Re: Turn 7"),
        ("=?utf-8?b?w4TDpA==?= and =?iso-8859-1?q?=E4_b?=", "Ää and ä b"),
        ("=?utf-8?q?Bo=C3?= =?utf-8?q?=A4?=", "Boä"),
        ("=?utf-8?q?Re=0D=0AFrom:_evil=40x=1B]0;x=07?=", "Re From: evil@x]0;x"),
        ("=?nonsense?b?w4Q=?= =?utf-8?x?broken?= =?utf-8?b?!?=", "Ä =?utf-8?x?broken?="),
        ("Grüße", "Grüße"),
        ("x" * 300, "x" * 200),
        ("", ""),
    ],
)
def test_the_subject_is_one_clean_line(value: str, subject: str) -> None:
    assert read(letter("hi", f"Subject: {value}")).subject == subject


# --- automatic mail ----------------------------------------------------------------------------------------------


@each(
    "header",
    [
        "Auto-Submitted: auto-replied",
        "Auto-Submitted: auto-generated; owner-email=x",
        "Return-Path: <>",
        "Return-Path: <MAILER-DAEMON>",
        "Precedence: bulk",
        "Precedence: Junk",
        "Precedence: list",
        "List-Id: <ozy.example.org>",
        "List-Unsubscribe: <mailto:x@example.org>",
        "X-Autoreply: yes",
        "X-Autorespond: Out of office",
        f"X-Loop: {automatic.LOOP}",
        "Subject: Automatic reply: Ozymandia oz-17",
        "Subject: =?utf-8?q?R=C3=A9ponse_automatique_:?= Ozymandia",
        "Subject: Abwesenheitsnotiz: Ozymandia",
        "Subject: Undelivered Mail Returned to Sender",
        "Content-Type: multipart/report; boundary=b",
        'Content-Type: text/calendar; method=REPLY; charset="utf-8"',
    ],
)
def test_automatic_mail_is_told_by_its_headers(header: str) -> None:
    assert read(letter("BEGIN:VCALENDAR", header)).automatic


@pytest.mark.parametrize(
    "local", ["MAILER-DAEMON", "postmaster", "no-reply", "noreply+x", "donotreply", "list-bounces"]
)
def test_automatic_mail_is_told_by_its_sender(local: str) -> None:
    assert read(f"From: {local}@example.net\n\nhi".encode()).automatic


@pytest.mark.parametrize(
    "header",
    [
        "Auto-Submitted: no",
        "Return-Path: <alice@example.net>",
        "X-Auto-Response-Suppress: All",
        "Precedence: first-class",
        "X-Loop: another",
        "Subject: Re: Automatic reply: Ozymandia",
        "Subject: On my way back from the office",
        "Content-Type: text/calendar; method=REQUEST",
    ],
)
def test_a_persons_letter_is_not_automatic(header: str) -> None:
    assert read(letter("5 A to M", header)).automatic is None


ABSENCE = {
    "en": "OOO: Ozymandia oz-1 | Out of Office AutoReply: oz-1 | Auto: I am away | [Out of office] oz-1 | Away: oz-1",
    "de": "Abwesend: Re: oz-1 | Abwesenheitsnotiz | Ich bin im Urlaub (war: oz-1) | Urlaub: x | Automatische Antwort",
    "fr": "Absence : oz-1 | Absent du bureau Re: oz-1 | RÉPONSE AUTOMATIQUE : oz-1 | Message d'absence",
    "es": "Fuera de la oficina: oz-1 | Ausente: oz-1 | Respuesta automática: oz-1",
    "it": "Fuori ufficio: oz-1 | Assente: oz-1 | Risposta automatica: oz-1",
    "pt": "Fora do escritório: oz-1 | Ausência temporária: oz-1 | Resposta automática: oz-1",
    "nl": "Afwezig: oz-1 | Niet op kantoor Re: oz-1 | Automatisch antwoord: oz-1",
    "pl": "Poza biurem: oz-1 | Nieobecność: oz-1 | Odpowiedź automatyczna: oz-1",
    "cs": "Mimo kancelář: oz-1 | Automatická odpověď: oz-1",
    "sv": "Frånvarande: oz-1 | Autosvar: oz-1",
    "da": "Fraværende: oz-1 | Automatisk svar: oz-1",
    "nb": "Ikke på kontoret: oz-1 | Fraværsassistent: oz-1",
    "fi": "Poissa: oz-1 | Automaattinen vastaus: oz-1",
    "tr": "Ofis dışında: oz-1 | Otomatik yanıt: oz-1",
    "ru": "Нет на месте: oz-1 | Автоответ: oz-1",
    "ja": "不在のお知らせ oz-1 | 自動応答: oz-1",
    "zh": "自动回复: oz-1 | 不在办公室",
    "ko": "부재중: oz-1 | 자동 회신: oz-1",
}


@each("language", ABSENCE)
def test_an_absence_notice_is_told_by_its_subject_in_its_language(language: str) -> None:
    for subject in ABSENCE[language].split(" | "):
        assert read(letter("hi", f"Subject: {subject}")).automatic == "the subject of an automatic answer", subject


@each(
    "subject",
    [
        *("Re: Out of office: oz-1", "Ozymandia oz-1", "Vacation", "Urlaub", "vacation 22 November to 30 November"),
        *("Away next week", "Absent friends", "I am out of ideas", "Automat", "Ferien", "Congés du 3 au 5", "Autobahn"),
        *("Ooops", "Absolutely: attack", "Fuera", "休暇"),
    ],
)
def test_a_subject_that_a_person_may_write_makes_no_letter_automatic(subject: str) -> None:
    assert read(letter("hi", f"Subject: {subject}")).automatic is None


@each(
    "subject",
    [
        *("Read: Ozymandia oz-1", "Not read: Ozymandia oz-1", "Return Receipt (displayed) - Ozymandia oz-1"),
        *("Gelesen: Ozymandia oz-1", "Lesebestätigung: Ozymandia oz-1", "Empfangsbestätigung (angezeigt) - oz-1"),
        *("Прочитано: Ozymandia oz-1", "Не прочитано: Ozymandia oz-1"),
    ],
)
def test_a_note_that_a_letter_was_read_is_automatic(subject: str) -> None:
    body = "Your message\n  To: Alice\n  Sent: Saturday, November 21, 2026 12:00:00 PM\nwas read on Saturday."
    assert read(letter(body, f"Subject: {subject}")).surely_automatic


@each("sign", ["👍", "❤️", "😂", "yes"])
def test_a_reaction_of_gmail_is_automatic_and_says_nothing(sign: str) -> None:
    json_part = f'Content-Type: text/vnd.google.email-reaction+json\n\n{{"emoji": "{sign}", "version": 1}}'
    page = f"Content-Type: text/html; charset=utf-8\n\n<p>{sign}</p><p>Alice reacted via Gmail</p>"
    body = f"--b\nContent-Type: text/plain; charset=utf-8\n\n{sign}\n--b\n{json_part}\n--b\n{page}\n--b--\n"
    read_letter = read(letter(body, kind="multipart/alternative; boundary=b"))
    assert (read_letter.automatic, read_letter.text) == (automatic.REACTION, "")


@each(
    "text",
    [
        "👍\n\nAlice reacted via Gmail\n<https://www.google.com/gmail/about/?utm_source=gmail-in-product>",
        "Alice Example reacted to your message:",
        "[Like] Alice reacted to your message:\n\n> Turn 7 waits for your orders.",
        "👍 Alice hat auf Ihre Nachricht reagiert",
        "❤ Алиса отреагировала на ваше сообщение",
        "Liked “Red offers a draw.”",
    ],
)
def test_a_reaction_as_text_is_automatic(text: str) -> None:
    assert read(letter(text)).automatic == automatic.REACTION


@each("text", ["👍", "Liked your last move", "Bob reacted to your message about M with 3 A to M", "I liked “Red” more"])
def test_words_of_a_person_are_no_reaction(text: str) -> None:
    assert read(letter(text)).automatic is None


def test_an_answer_to_a_calendar_entry_is_automatic() -> None:
    body = "--b\n\nAccepted: Turn 7\n--b\nContent-Type: text/calendar\n\nBEGIN:VCALENDAR\nMETHOD:REPLY\n--b--\n"
    assert read(letter(body, kind="multipart/alternative; boundary=b")).automatic


def test_our_own_letters_are_known_again() -> None:
    assert read(letter("hi", f"X-Loop: {automatic.LOOP}")).automatic == "X-Loop: our own letter"


# --- limits ------------------------------------------------------------------------------------------------------


def test_what_is_cut_is_said() -> None:
    assert "cut at 256 kB" in read(letter(b"5 A to M\n" * 600_000)).problems
    assert "cut at 64 kB of text" in read(letter("5 A to M\n" * 9_000)).problems
    assert read(letter("5 A to M\n" * 1_001)).problems == ("cut at 1,000 lines",)
    assert len(read(letter("5 A to M\n" * 1_001)).text.split("\n")) == 1_000


def test_the_head_of_a_letter_is_read_without_its_text() -> None:
    raw = letter(OWN, "Subject: oz-17", "In-Reply-To: <x@y>", "Precedence: bulk")
    head, whole = read_head(raw), read(raw)
    assert (head.text, head.problems) == ("", ("the text could not be read",))
    assert replace(head, text=whole.text, problems=()) == whole


# --- letters of others, where they lie beside the checkout -------------------------------------------------------

EXPECTED = MAILS / "letters" / "expected.json"
SAMPLES = json.loads(EXPECTED.read_text()) if EXPECTED.exists() else []


@pytest.mark.skipif(not SAMPLES, reason="no letters lie beside the checkout")
@each("sample", SAMPLES, ids=lambda sample: sample["name"])
def test_order_letters_made_by_hand(sample: dict[str, list[str]]) -> None:
    raw = (MAILS / "letters" / f"{sample['name']}.eml").read_bytes()
    lines = read(raw).text.split("\n")
    assert [line for line in lines if re.match(r"\d|Bomb", line)] == sample["expect"]


def by_lines(body: bytes, boundary: str) -> list[bytes]:
    """The parts of a multipart as RFC 2046 tells them, line by line."""
    pieces: list[list[bytes]] = []
    for line in body.split(b"\n"):
        mark = (
            line.removeprefix(b"--" + boundary.encode()).rstrip()
            if line.startswith(b"--" + boundary.encode())
            else b"-"
        )
        if mark == b"--":
            break
        if not mark:
            pieces.append([])
        elif pieces:
            pieces[-1].append(line)
    return [b"\n".join(piece) for piece in pieces]


@each(
    "body",
    [
        "",
        "--b",
        "--b\n",
        "--b--",
        "--b--\n--b\nlate",
        "above\n--b\none\n--b\ntwo\n--b--\nbelow\n--b\nlate",
        "--b\n--b\n\n--b",
        "--b  \none\n--b \t\ntwo\n--b-- \nbelow",
        "--b\none\n--bb\nmore of it\n--b-\nand more\n--b--x\nof it\n",
        "--b\none --b\n --b\ntwo\n-b\n--b",
        "--b\none\n\n\n--b\n",
    ],
)
def test_a_boundary_stands_at_the_beginning_of_a_line_and_alone_in_it(body: str) -> None:
    raw = f"Content-Type: multipart/mixed; boundary=b\n\n{body}".encode()
    found = [(f"{part.header}", part.body) for part in mime.parts(raw)][1:]
    assert found == [(f"{part.header}", part.body) for one in by_lines(body.encode(), "b") for part in mime.parts(one)]


@pytest.mark.parametrize(
    "head",
    [
        'Content-Type: text/plain; charset=us-ascii\nContent-Disposition: attachment; filename="seals.txt"',
        'Content-Type: text/plain; name="seals.txt"\nContent-Disposition: inline',
        "Content-Disposition: attachment; filename*=utf-8''seals.txt\nContent-Type: text/plain",
    ],
)
def test_seals_are_read_with_the_letter_whatever_program_kept_it(head: str) -> None:
    record = 'Content-Type: text/plain\nContent-Disposition: attachment; filename="oz-1.txt"\n\n1. A-B ##00\n'
    seals = f"{head}\nContent-Transfer-Encoding: base64\n\nUmVkIDEyMzQK\n"
    body = f"--m\nContent-Type: text/plain\n\nTurn 3 is played.\n--m\n{record}--m\n{seals}--m--\n"
    told = with_seals(letter(body, kind="multipart/mixed; boundary=m"))
    assert " ".join(told.split()) == "Turn 3 is played. Red 1234"


@each(
    ("plain", "html", "text", "halves"),
    [
        ("3 A to M\nBomb EC", "3 A to M<br><s>Bomb EC</s>", "3 A to M", ("Bomb EC",)),
        (
            "3 A to M\nBomb EC",
            '3 A to M<br><span style="text-decoration: line-through">Bomb EC</span>',
            "3 A to M",
            ("Bomb EC",),
        ),
        ("32 A to M", "<s>3</s>2 A to M", "2 A to M", ("32 A to M",)),
        ("3 A to M", "3 A to M<br>Bomb EC", "3 A to M\nBomb EC", ("Bomb EC",)),
        ("3 A to M\nBomb EC", "3 A to M", "3 A to M", ("Bomb EC",)),
        ("No text version available", "3 A to M<br>Bomb EC", "3 A to M\nBomb EC", ()),
        ("This message contains HTML. If you cannot see it, 3 A to M", "3 A to M<br>Pass", "3 A to M\nPass", ()),
        ("3 A to M\nBomb EC", "<ol><li>3 A to M</li><li>Bomb EC</li></ol>", "3 A to M\nBomb EC", ()),
        ("1. 3 A to M\n2. Bomb EC", "<ol><li>3 A to M</li><li>Bomb EC</li></ol>", "3 A to M\nBomb EC", ()),
        ("1. 3 A to M\n2. Bomb EC", "1. 3 A to M<br>2. Bomb EC", "1. 3 A to M\n2. Bomb EC", ()),
        ("3 A to M\nBomb EC", "<p>3 A to M</p><p><s>Bomb EC</s></p><p>Hi</p>", "3 A to M\nHi", ("Bomb EC",)),
        ("3 A to M and\nBomb EC", "<p>3 A to M and Bomb EC</p>", "3 A to M and\nBomb EC", ()),
        ("*3 A to M*\nThanks", "<b>3 A to M</b><br>Thanks <s>a lot</s>", "*3 A to M*\nThanks", ()),
    ],
)
def test_both_forms_of_a_letter_are_compared(plain: str, html: str, text: str, halves: tuple[str, ...]) -> None:
    seen = read(alternative(plain, f"<div>{html}</div>"))
    assert (seen.text, seen.halves) == (text, halves)
