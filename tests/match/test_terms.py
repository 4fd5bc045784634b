"""What a game agrees on: read from a league's file with all mistakes at once, and back from the store as it was."""

from datetime import time, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.match.terms import USUAL, Terms, TermsError, dump_terms, read_terms
from pbem.times.dates import parse_pace
from pbem.times.deadlines import Pace

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def test_without_a_word_all_is_as_usual():
    assert read_terms({}) == USUAL
    assert dump_terms(USUAL) == {"zone": "UTC"}


def test_terms_are_written_as_people_write():
    terms = read_terms(
        {
            "zone": "berlin",
            "deadline": "Mo, Mi und Fr 20 Uhr",
            "remind": ["2 hours", "1 Tag"],
            "grace": "90 minutes",
            "extensions": 2,
            "extension": "36 hours",
            "forfeit": 3,
            "review": "1 day",
            "early": False,
        }
    )
    assert terms.deadline == Pace(hour=time(20), weekdays=frozenset((0, 2, 4)), zone="Europe/Berlin")
    assert terms.remind == (DAY, 2 * HOUR)
    assert (terms.grace, terms.extension, terms.review) == (1.5 * HOUR, 36 * HOUR, DAY)
    assert (terms.extensions, terms.forfeit, terms.early) == (2, 3, False)


@pytest.mark.parametrize("text", ["1 day", "3 days", "36 hours", "90 minutes", "99 hours", "2 weeks", "1 weeks"])
def test_a_pace_that_needs_no_words_of_days_is_the_one_that_it_would_be_with_them(text):
    assert read_terms({"deadline": text, "round_deadline": text}).deadline == parse_pace(text)
    assert read_terms({"round_deadline": text}).round_deadline == parse_pace(text)


def test_none_is_a_word_for_nothing():
    terms = read_terms({"deadline": "none", "grace": "none", "review": "none", "remind": []})
    assert (terms.deadline.every, terms.grace, terms.review, terms.remind) == (None, timedelta(), None, ())


def test_every_mistake_is_told_at_once_with_its_place():
    mistakes = {
        "zone": "Mars",
        "deadline": "soon",
        "remind": "1 day",
        "grace": 3,
        "extensions": -1,
        "extension": "long",
        "forfeit": True,
        "vacation": 1000,
        "early": "yes",
        "review": ["1 day"],
        "deadlines": "3 days",
    }
    with pytest.raises(TermsError) as caught:
        read_terms(mistakes)
    assert [problem.split('"')[1] for problem in caught.value.problems] == [*mistakes]


@pytest.mark.parametrize(
    ("terms", "problem"),
    [
        ({"zone": "Mars"}, '"zone": There is no time zone "Mars"'),
        ({"zone": 5}, '"zone": write a text'),
        ({"zone": "CST"}, "could be America/Chicago or Asia/Shanghai"),
        ({"deadline": 3}, '"deadline": write a text, for example "3 days", not 3.'),
        ({"remind": ["soon"]}, '"remind": "soon" is not a length of time'),
        ({"extensions": 1, "extension": "none"}, '"extension": a turn that is extended needs a length of time'),
        ({"early": False, "deadline": "none"}, '"early": turns without a deadline are played as soon as'),
        ({"deadlin": "3 days"}, '"deadlin" is no term; there are zone, deadline, round_deadline, remind'),
    ],
)
def test_what_a_mistake_says(terms, problem):
    with pytest.raises(TermsError) as caught:
        read_terms(terms)
    (told,) = caught.value.problems
    assert problem in told


spans = st.integers(1, 100_000).map(lambda minutes: timedelta(minutes=minutes))
zones = st.sampled_from(("UTC", "Europe/Berlin", "Australia/Lord_Howe"))
paces = st.one_of(
    st.builds(Pace, every=st.none() | spans, zone=zones),
    st.builds(
        Pace,
        hour=st.builds(time, st.integers(0, 23), st.integers(0, 59)),
        weekdays=st.frozensets(st.integers(0, 6), min_size=1),
        zone=zones,
        least=spans,
    ),
)


@settings(deadline=None, max_examples=50)
@given(
    st.builds(
        Terms,
        deadline=paces,
        remind=st.sets(spans, max_size=3).map(lambda found: tuple(sorted(found, reverse=True))),
        grace=st.just(timedelta()) | spans,
        extensions=st.integers(0, 9),
        extension=spans,
        forfeit=st.integers(0, 9),
        vacation=st.integers(0, 99),
        review=st.none() | spans,
    )
)
def test_terms_read_back_as_they_were(terms):
    assert read_terms(dump_terms(terms)) == terms
