"""Time zones as people write them."""

import pytest

from pbem.times.dates import parse_zone
from pbem.times.moments import ZoneError
from support.each import each


@each(
    ("text", "zone"),
    [
        *(("Europe/Berlin", "Europe/Berlin"), ("europe/berlin", "Europe/Berlin"), (" BERLIN. ", "Europe/Berlin")),
        *(("new york", "America/New_York"), ("America/New York", "America/New_York"), ("Zürich", "Europe/Zurich")),
        *(("UTC", "UTC"), ("utc", "UTC"), ("GMT", "GMT"), ("Etc/GMT+5", "Etc/GMT+5")),
        *(("buenos aires".title(), None), ("MEZ", "Europe/Berlin"), ("CEST", "Europe/Berlin")),
        *(("Wien", "Europe/Vienna"), ("München", "Europe/Berlin"), ("PST", "America/Los_Angeles")),
    ],
)
def test_a_zone_is_found_by_its_name_its_city_or_its_letters(text, zone):
    if zone:
        assert parse_zone(text) == zone
    else:
        with pytest.raises(ZoneError, match="could be America/Argentina/Buenos_Aires or America/Buenos_Aires"):
            parse_zone(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Berln", 'There is no time zone "Berln". Did you mean Europe/Berlin?'),
        ("Europe/Berlim", 'There is no time zone "Europe/Berlim". Did you mean Europe/Berlin?'),
        ("Mars", 'There is no time zone "Mars": write a region and a big city near you, such as Europe/Berlin.'),
        ("EST", '"EST" could be America/New_York, America/Panama or Australia/Sydney: write the one you mean.'),
        ("MST", '"MST" could be America/Denver or America/Phoenix: write the one you mean.'),
        ("Istanbul", '"Istanbul" could be Asia/Istanbul or Europe/Istanbul: write the one you mean.'),
        ("GMT+1", '"GMT+1" has no summer time: write a region and a city, such as Europe/Berlin.'),
        ("+02:00", '"+02:00" has no summer time: write a region and a city, such as Europe/Berlin.'),
    ],
)
def test_what_is_no_zone_is_told_with_what_may_be_meant(text, sentence):
    with pytest.raises(ZoneError) as caught:
        parse_zone(text)
    assert str(caught.value) == sentence


@each(
    "text",
    [
        *("", ".", "..", "/", "../../etc/passwd", "/etc/localtime", "localtime", "posixrules", "Factory", "zone.tab"),
        *("tzdata.zi", "posix/Europe/Berlin", "right/UTC", "Europe", "Europe/", "Europe//Berlin", "a" * 5_000, "\0"),
    ],
)
def test_the_path_of_a_file_is_no_zone(text):
    with pytest.raises(ZoneError) as caught:
        parse_zone(text)
    assert len(str(caught.value)) < 250
