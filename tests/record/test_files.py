"""Files of game records: many games, packed or not, damaged or never meant to be read."""

import gzip
import io
import tracemalloc
from pathlib import Path

import pytest

from pbem.record.history import RecordError
from pbem.record.notation import MAX_GAME, MAX_LINE, RecordReading, read_file, read_games, texts, write_record
from support.each import each
from support.random_games import games

GAMES = [*games(12, seed=3)]
TEXTS = [write_record(game) for game in GAMES]
FILE = "\n".join(TEXTS).encode()


class Endless(io.RawIOBase):
    """A file that says the same for as long as anybody reads."""

    def __init__(self, text: bytes, size: int) -> None:
        self.text, self.left = text * (8192 // len(text)), size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        size = min(len(buffer), len(self.text), self.left)
        buffer[:size] = self.text[:size]
        self.left -= size
        return size


def read(data: bytes) -> list[RecordReading]:
    return [*read_games(io.BytesIO(data))]


def test_the_games_of_a_file_are_told_apart():
    found = read(FILE)
    assert [one.history for one in found] == GAMES
    assert not any(one.problems for one in found)
    assert [FILE.split(b"\n")[one.line - 1][:6] for one in found] == [b"[Game "] * len(GAMES)


@pytest.mark.parametrize("pack", [gzip.compress, lambda data: b"\xef\xbb\xbf" + data, lambda data: data + b"\n\n\n"])
def test_a_packed_file_and_one_with_a_mark_are_read_the_same(pack):
    assert [one.history for one in read(pack(FILE))] == GAMES


def test_a_file_is_read_from_its_path(tmp_path: Path):
    path = tmp_path / "games.txt"
    path.write_bytes(FILE)
    assert [one.history for one in read_file(path)] == GAMES


def test_a_broken_game_in_the_middle_spoils_no_other():
    broken = TEXTS[:5] + [TEXTS[5].replace("[Rules", "[[Rules").replace("1. ", "x. ")] + TEXTS[6:]
    found = read("\n".join(broken).encode())
    assert [one.history for one in found if not one.problems] == GAMES[:5] + GAMES[6:]
    assert len(found) == len(GAMES)


def test_games_need_no_blank_line_between_them():
    assert len(read("".join(TEXTS).encode())) == len(GAMES)


@each("end", range(0, len(FILE), 211))
def test_a_file_that_is_cut_off_is_read_as_far_as_it_goes(end: int):
    found = read(FILE[:end])
    assert [one.history for one in found[:-1]] == GAMES[: max(0, len(found) - 1)]


def test_a_line_in_another_charset_is_named_and_the_rest_is_read():
    text = '[Game "oz-1"]\n[Red "Jörg"]\n\n1. Pass | Pass\n'
    (found,) = read(text.encode("latin-1"))
    assert [str(one) for one in found.problems] == ["line 2: it is not UTF-8 text: save the file in that charset."]
    assert found.history is not None
    assert len(found.history.turns()) == 1


def test_json_is_refused_in_one_sentence_that_names_what_writes_a_record():
    with pytest.raises(RecordError, match=r"^this is JSON, and game records are read here: `pbem record ID`"):
        list(read_games(io.BytesIO(b'{\n "format": "pbem game",\n "version": 1\n}\n')))


@pytest.mark.parametrize("charset", ["utf-16", "utf-16-le", "utf-32"])
def test_wide_charsets_are_refused_in_a_sentence(charset: str):
    with pytest.raises(RecordError, match=r"^it is not UTF-8 text: save the file in that charset\.$"):
        read(TEXTS[0].encode(charset))


def test_a_hundred_megabytes_on_one_line_are_refused_without_being_read():
    tracemalloc.start()
    source = Endless(b"3 A to M, ", 100_000_000)
    with pytest.raises(RecordError, match=f"line 1 is longer than {MAX_LINE:,} bytes"):
        [*read_games(source)]
    assert source.left > 99_000_000
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()


@pytest.mark.parametrize("text", [b"\0", b"a", b"\n", b'[Game "x"]'])
def test_a_gzip_bomb_is_refused_without_being_unpacked(text: bytes):
    bomb = gzip.compress(text * (20_000_000 // len(text)))
    tracemalloc.start()
    with pytest.raises(RecordError):
        read(bomb)
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()


def test_a_game_that_never_ends_is_refused():
    with pytest.raises(RecordError, match=f"no game record is longer than {MAX_GAME:,} bytes"):
        read(b'[Game "x"]\n' + b"{words}\n" * 600_000)


def test_a_packed_file_that_is_cut_off_or_damaged_says_so():
    packed = gzip.compress(FILE)
    for damaged in (packed[:-20], packed[:20], packed[:100] + b"\0\0\0\0" + packed[104:]):
        with pytest.raises(RecordError, match=r"the packed file is damaged or cut off"):
            read(damaged)


def test_what_is_no_record_has_no_game_in_it():
    assert read(b"") == read(b"\n\n \n") == []
    assert [one.history for one in read(b"Dear Bob,\nhow are you?\n")] == [None]


def test_only_lines_that_begin_a_game_are_looked_at_twice():
    many = b"".join(b'[X "y"]\n' for _ in range(200_000))
    assert len([*texts(io.BytesIO(many))]) == 1
