"""A letter that a desk really sent, answered with each mail program that we know: the orders are read, nothing else."""

from base64 import b64encode
from collections.abc import Callable, Iterator
from email.message import Message
from functools import partial
from quopri import encodestring
from textwrap import fill

import pytest

from pbem.cli.demo import ALICE, DemoDesk, letter_text
from pbem.games.ozymandia.bot import choose
from pbem.mail import letters
from pbem.match.identity import find_tokens
from pbem.match.model import Match
from pbem.orders import reader
from pbem.orders.reader import may_be_order
from pbem.store.matches import load_match
from support.each import each
from support.repliers import ATTRIBUTIONS, HEADER_BLOCKS, html_replies, marked

read = partial(letters.read, is_order=may_be_order)

GREETING, FAREWELL = "Hi Bob,\nsorry that it took so long\n\n", "\n\nGood luck\nAlice"
ENCODINGS: dict[str, Callable[[bytes], bytes]] = {
    "8bit": bytes,
    "base64": lambda data: b64encode(data) + b"\n",
    "quoted-printable": encodestring,
}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoDesk]:
    """A desk whose last letter to Red tells of a turn with moves and bombardments of both sides."""
    desk = DemoDesk(tmp_path_factory.mktemp("replies") / "desk")
    for _ in range(3):
        desk.poll()
        for seat in ("red", "blue"):
            desk.write(seat, str(choose(load_match(desk.store, 1).state, seat)))
    desk.poll()
    yield desk
    desk.close()


@pytest.fixture(scope="module")
def match(table: DemoDesk) -> Match:
    return load_match(table.store, 1)


@pytest.fixture(scope="module")
def sent(table: DemoDesk) -> Message:
    assert "has been played" in letter_text(table.last["red"])
    return table.last["red"]


def page_of(letter: Message) -> str:
    """The HTML of a letter of ours."""
    page = next(part for part in letter.walk() if part.get_content_type() == "text/html").get_payload(decode=True)
    assert isinstance(page, bytes)
    return page.decode()


def answer(sent: Message, body: str, kind: str = "plain", encoding: str = "8bit", charset: str = "utf-8") -> bytes:
    head = (
        f"From: {ALICE.name} <{ALICE.address}>",
        f"To: {sent['Reply-To']}",
        f"Subject: AW: {sent['Subject']}",
        f"In-Reply-To: {sent['Message-ID']}",
        f"References: {sent['References']} {sent['Message-ID']}",
        f"Content-Type: text/{kind}; charset={charset}",
        f"Content-Transfer-Encoding: {encoding}",
    )
    return "\r\n".join((*head, "", "")).encode() + ENCODINGS[encoding](body.encode(charset, "replace"))


def plain_replies(own: str, quoted: str) -> Iterator[tuple[str, str]]:
    """Answers by program and way of quoting."""
    for program, attribution in ATTRIBUTIONS.items():
        yield f"{program}, above", f"{own}\n\n{attribution}\n\n{marked(quoted)}\n"
        yield f"{program}, below", f"{attribution}\n\n{marked(quoted)}\n\n{own}\n"
        yield f"{program}, without marks", f"{own}\n\n{attribution}\n\n{quoted}\n"
        yield f"{program}, wrapped", f"{own}\n\n{fill(attribution, 60)}\n{marked(quoted)}\n"
    for program, block in HEADER_BLOCKS.items():
        yield f"{program}, above", f"{own}\n\n{block}\n\n{quoted}\n"


def replies(own: str, sent: Message) -> Iterator[tuple[str, bytes]]:
    """All answers to a letter, as they come: every program in each of the ways that letters are encoded."""
    for number, (program, body) in enumerate(plain_replies(own, letter_text(sent))):
        yield program, answer(sent, body, encoding=list(ENCODINGS)[number % 3])
        if " ru" in program or program.startswith("mail.ru"):
            yield f"{program}, koi8-r", answer(sent, body, charset="koi8-r")
    for number, (program, page) in enumerate(html_replies(own.split("\n"), page_of(sent)).items()):
        yield f"{program}, HTML", answer(sent, page, "html", list(ENCODINGS)[number % 3])


@pytest.mark.parametrize(("around", "separator"), [(("", ""), "\n"), ((GREETING, FAREWELL), "; ")])
def test_the_orders_of_every_answer_are_read_exactly(
    match: Match, sent: Message, around: tuple[str, str], separator: str
) -> None:
    meant = choose(match.state, "red")
    own = around[0] + str(meant).replace(", ", separator).replace("; ", separator) + around[1]
    programs = 0
    for program, raw in replies(own, sent):
        seen = read(raw)
        assert seen.automatic is None, program
        reading = reader.read(match.standpoint("red"), seen.text)
        assert reading.orders == meant, (program, seen.text)
        assert {str(token) for token in find_tokens((*seen.recipients, *seen.references))} & set(_token(sent))
        programs += 1
    print(
        f"the orders of {programs} answers of {len(ATTRIBUTIONS) + len(HEADER_BLOCKS)} programs and languages are read"
    )
    assert programs > 200


def test_an_answer_of_quotes_alone_has_no_orders_at_all(match: Match, sent: Message) -> None:
    for program, raw in replies("", sent):
        text = read(raw).text
        assert reader.attempts(match.situation, reader.read_words(text)) == (), (program, text)


def _token(sent: Message) -> list[str]:
    return [str(token) for token in find_tokens([sent["Reply-To"]])]


PRESS = "press:\n1 A to M\n| 1 A to M |\n== 1 A to M\n  Pass |\nresign\nyes\nend press"


@pytest.fixture(scope="module")
def press(table: DemoDesk, sent: Message) -> Message:
    """A letter with words of Blue for Red, all of which would be orders or commands if they stood alone."""
    table.write("blue", PRESS)
    return next(letter for seat, letter in table.poll() if seat == "red" and letter is not sent)


@pytest.mark.parametrize("own", ["Pass"])
def test_the_words_of_others_in_a_letter_that_is_answered_are_nobodys_orders(
    match: Match, press: Message, own: str
) -> None:
    assert letter_text(press).count("\n| ") == len(PRESS.splitlines()) - 2
    meant = reader.read(match.standpoint("red"), own).orders
    for program, raw in replies(own, press):
        reading = reader.read(match.standpoint("red"), read(raw).text)
        assert (reading.orders, reading.commands, reading.mistakes) == (meant, (), ()), program


def test_lines_with_a_bar_are_nobodys_orders_wherever_they_are_copied_to(match: Match, press: Message) -> None:
    bars = [line for line in letter_text(press).splitlines() if line.startswith("|")]
    assert len(bars) == len(PRESS.splitlines()) - 2
    text = read(answer(press, "\n".join(("Pass", *bars, "Alice")))).text
    assert text == "Pass\nAlice"


def doubts(match: Match, sent: Message, raw: bytes) -> list[str]:
    """The lines that a letter's writer is asked about because they stand where quotes do."""
    seen = read(raw, letter_text(sent), page_of(sent))
    words = reader.read_words(seen.text)._replace(aside=seen.aside, worth_telling=seen.worth_telling)
    reading = reader.read_orders(match.standpoint("red"), words)
    return [doubt.text for doubt in reading.doubts if doubt.turn == "aside"]


@pytest.mark.parametrize("own", ["", "Pass", f"{GREETING}Pass{FAREWELL}"])
def test_nobody_is_asked_about_lines_of_our_own_letter(match: Match, sent: Message, own: str) -> None:
    for program, raw in replies(own, sent):
        assert doubts(match, sent, raw) == [], program
    for width in (40, 55, 60, 72, 76):
        quote = "\n".join(fill(line, width) for line in letter_text(sent).split("\n"))
        for quoted in (quote, marked(quote)):
            assert doubts(match, sent, answer(sent, f"{own}\n\n{ATTRIBUTIONS['Gmail en']}\n\n{quoted}\n")) == [], width


EXAMPLE = "3 A to M; Bomb EC"  # what the writer makes of a line of our letter


def _between(text: str, own: str) -> str:
    """A quoted text with a line of one's own in its middle."""
    lines = text.split("\n")
    blank = [number for number, line in enumerate(lines) if not line.strip("> ")]
    lines.insert(blank[len(blank) // 2], own)
    return "\n".join(lines)


@each("line", ["3 A to M", "Pass", "yes", "withdraw", "draw"])
def test_lines_of_ones_own_within_the_quote_are_asked_about(match: Match, sent: Message, line: str) -> None:
    attribution, quote, page = ATTRIBUTIONS["Gmail en"], marked(letter_text(sent)), page_of(sent)
    for text in ("", "Hi\n\n"):
        above = f"{text}{attribution}\n> {line}\n>\n{quote}\n"
        assert doubts(match, sent, answer(sent, above)) == [line]
        assert doubts(match, sent, answer(sent, f"{text}{attribution}\n\n{_between(quote, f'> {line}')}\n")) == [line]
    for program, body in html_replies(["See below"], f"<p>{line}</p>{page}").items():
        raw = answer(sent, body, "html")
        if page not in body:  # a letter that quotes nothing
            continue
        assert line in read(raw).text.split("\n") or set(doubts(match, sent, raw)) == {line}, program


def test_the_example_of_our_letter_may_be_overwritten_within_the_quote(match: Match, sent: Message) -> None:
    attribution, text = ATTRIBUTIONS["Gmail en"], letter_text(sent)
    lines = text.split("\n")
    at = next(number for number, line in enumerate(lines) if "for example" in line) + 1
    quote = marked("\n".join((*lines[:at], f"  {EXAMPLE}", *lines[at + 1 :])))
    assert doubts(match, sent, answer(sent, f"{attribution}\n\n{quote}\n")) == [EXAMPLE]


def test_a_paragraph_that_outlook_has_indented_is_ones_own(match: Match, sent: Message) -> None:
    page = (
        'Hi,<blockquote class="elementToProof" style="margin:0 0 0 40px">3 A to M<br>Bomb EC</blockquote>'
        f'<hr><div id="divRplyFwdMsg"><b>From:</b> Desk</div><div>{page_of(sent)}</div>'
    )
    assert read(answer(sent, page, "html")).text == "Hi,\n3 A to M\nBomb EC"


def test_the_two_forms_of_an_answer_are_the_same_to_us_in_every_program(match: Match, sent: Message) -> None:
    own = str(choose(match.state, "red")).replace(", ", "\n").replace("; ", "\n")
    quote = marked(letter_text(sent))
    for greeted in (own, f"{GREETING}{own}{FAREWELL}"):
        plain = f"{greeted}\n\n{ATTRIBUTIONS['Gmail en']}\n\n{quote}\n"
        for program, page in html_replies(greeted.split("\n"), page_of(sent)).items():
            raw = answer(sent, "", 'alternative; boundary="b"').replace(b"text/alternative", b"multipart/alternative")
            for kind, text in (("plain", plain), ("html", page)):
                raw += f"\r\n--b\r\nContent-Type: text/{kind}; charset=utf-8\r\n\r\n{text}".encode()
            seen = read(raw + b"\r\n--b--\r\n", letter_text(sent), page_of(sent))
            assert seen.halves == (), program
            assert all(line in seen.text for line in own.split("\n")), program
