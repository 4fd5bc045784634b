"""Records and exports that the version of one big folder wrote: they are read, checked and played through as ever."""

import pytest

from pbem.record.exports import read_json, write_json
from pbem.record.notation import read_file, write_record
from pbem.store.replay import retrace_history
from support.commands import pbem
from support.paths import TESTS

KEPT = TESTS / "upgrades"


def test_records_of_before_are_played_through_as_they_were():
    readings = [*read_file(KEPT / "records.txt")]
    assert [one.name for one in readings] == ["oz-1", "oz-2", "oz-3", "oz-4", "oz-5"]
    assert [(one.problems, one.checksum) for one in readings] == [((), True)] * 5
    texts = [write_record(one.history) for one in readings if one.history]
    assert "\n".join(texts) == (KEPT / "records.txt").read_text("utf-8").rstrip("\n") + "\n"


def test_the_command_replays_them():
    done = pbem("replay", KEPT / "records.txt")
    assert (done.exit_code, done.stderr) == (0, "")


@pytest.mark.parametrize("name", ["oz-1", "oz-2"])
def test_exports_of_before_are_read_adjudicated_anew_and_written_alike(name):
    text = (KEPT / f"{name}.json").read_text("utf-8")
    history = read_json(text)
    assert [*retrace_history(history)] == []
    assert write_json(history) == text
