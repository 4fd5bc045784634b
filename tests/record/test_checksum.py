"""Texts that carry their own checksum."""

import hashlib
import json
import random

import pytest

from pbem.record.notation import add_checksum, intact

RECORD = '[Game "oz-17"]\n[Checksum ""]\n\n1. 3 A to M; Bomb EC / -\n'
SEALED = add_checksum(RECORD, '[Checksum "')


def test_the_checksum_is_the_hash_of_the_text_without_it() -> None:
    digits = hashlib.sha256(RECORD.encode()).hexdigest()
    assert RECORD.replace('""', f'"{digits}"') == SEALED
    assert intact(SEALED)


def test_json_carries_it_as_well() -> None:
    text = add_checksum(json.dumps({"checksum": "", "game": "oz-17"}, indent=1), '"checksum": "')
    assert intact(text)
    assert not intact(text.replace("oz-17", "oz-18"))


def test_mail_may_have_changed_the_line_ends() -> None:
    assert intact(SEALED.replace("\n", "\r\n"))
    assert add_checksum(RECORD.replace("\n", "\r\n"), '[Checksum "') == SEALED.replace("\n", "\r\n")


def test_any_changed_removed_or_added_character_shows() -> None:
    chosen = random.Random(5)
    for at, now in enumerate(SEALED):
        other = chosen.choice([char for char in 'aA0f3 \n"é' if char != now])
        assert not intact(SEALED[:at] + other + SEALED[at + 1 :])
        assert not intact(SEALED[:at] + SEALED[at + 1 :])
        assert not intact(SEALED[:at] + other + SEALED[at:])


def test_words_that_look_like_a_checksum_do_no_harm() -> None:
    text = f"{{checksum: {'0' * 64}}}\n{RECORD}"
    assert intact(add_checksum(text, '[Checksum "'))


def test_a_text_without_a_checksum_is_not_intact() -> None:
    assert not intact(RECORD)
    assert not intact("")


def test_a_text_without_its_mark_is_not_sealed() -> None:
    with pytest.raises(ValueError, match="in the text"):
        add_checksum(RECORD, '[Sum "')
