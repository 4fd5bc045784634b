"""Links that open a letter."""

from urllib.parse import parse_qs, unquote, urlsplit

from pbem.render.blocks import LONGEST, mailto


def test_a_link_says_address_subject_and_text_in_percent_signs() -> None:
    link = mailto(
        "pbem+1-red-3-abc@example.org", "Re: Rock'n'Roll rnr-1 <1.a@b>", "2 A to AC; Bomb EC\nпас & Grüße + 1 %"
    )
    assert link.startswith(
        "mailto:pbem%2B1-red-3-abc@example.org?subject=Re%3A%20Rock%27n%27Roll%20rnr-1%20%3C1.a%40b%3E"
    )
    assert not set(" +<>\"'\r\n") & set(link)
    found = urlsplit(link)
    assert unquote(found.path) == "pbem+1-red-3-abc@example.org"
    assert parse_qs(found.query)["body"] == ["2 A to AC; Bomb EC\r\nпас & Grüße + 1 %"]


def test_what_no_program_would_take_whole_has_no_link() -> None:
    assert mailto("a@example.org", "", "x" * LONGEST) == ""
