"""The time on the wall: one moment, none or two, and always to come."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.lib.errors import Refused
from league.lib.wall_time import gap, moment_of, moments

PARIS = ZoneInfo("Europe/Paris")
NOW = datetime(2026, 11, 24, 18, 0, tzinfo=UTC)  # 19:00 in Paris
SKIPPED = datetime(2027, 3, 28, 2, 30)
DOUBLE = datetime(2027, 10, 31, 2, 30)
ZONES = ["Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Sao_Paulo", "UTC"]


def refusal(wall, fold=None, now=NOW, zone=PARIS):
    with pytest.raises(Refused) as refused:
        moment_of(wall, zone, now, fold)
    return refused.value


def test_a_wall_time_is_taken_in_the_zone_of_the_tournament():
    assert moment_of(datetime(2026, 11, 24, 20, 15), PARIS, NOW) == datetime(2026, 11, 24, 19, 15, tzinfo=UTC)
    assert moment_of(datetime(2027, 7, 1, 20, 15), PARIS, NOW) == datetime(2027, 7, 1, 18, 15, tzinfo=UTC)


@pytest.mark.parametrize("minute", [0, 1, 30, 59])
def test_a_time_that_the_clocks_skip_is_named_with_the_times_around_it(minute):
    refused = refusal(SKIPPED.replace(minute=minute))
    assert refused.code == "no-such-time"
    assert f"on 28 March 2027 in Europe/Paris, so 02:{minute:02} doesn’t exist" in str(refused)
    assert "before 02:00 or from 03:00" in str(refused)


@pytest.mark.parametrize("fold", [0, 1])
def test_no_choice_makes_a_skipped_time_exist(fold):
    assert refusal(SKIPPED, fold).code == "no-such-time"


def test_half_an_hour_is_skipped_where_the_clocks_go_by_half_an_hour():
    zone = ZoneInfo("Australia/Lord_Howe")
    assert gap(datetime(2027, 10, 3, 2, 10), zone) == (datetime(2027, 10, 3, 2, 0), datetime(2027, 10, 3, 2, 30))


def test_a_time_that_comes_twice_is_named_and_the_choice_is_taken():
    refused = refusal(DOUBLE)
    assert refused.code == "twice"
    assert "02:30 comes twice" in str(refused)
    first, second = (moment_of(DOUBLE, PARIS, NOW, fold) for fold in (0, 1))
    assert first == datetime(2027, 10, 31, 0, 30, tzinfo=UTC)
    assert second - first == timedelta(hours=1)


def test_a_choice_that_is_not_needed_changes_nothing():
    wall = datetime(2026, 11, 24, 20, 15)
    assert moment_of(wall, PARIS, NOW, 1) == moment_of(wall, PARIS, NOW)


def test_of_two_moments_the_first_may_have_passed():
    between = datetime(2027, 10, 31, 1, 0, tzinfo=UTC)
    assert refusal(DOUBLE, 0, now=between).code == "past"
    assert moment_of(DOUBLE, PARIS, between, 1) > between


@pytest.mark.parametrize(
    ("wall", "code"),
    [
        (datetime(2026, 11, 24, 19, 0), "past"),
        (datetime(2026, 11, 24, 18, 59), "past"),
        (datetime(1, 1, 1), "past"),
        (datetime(9999, 12, 31, 23, 59), "too-far"),
    ],
)
def test_what_has_passed_or_is_years_away_is_refused(wall, code):
    refused = refusal(wall)
    assert refused.code == code
    assert refused.fields["at"] == [str(refused)]
    if code == "past":
        assert "it is 19:00 on 24 November 2026 in Europe/Paris" in str(refused)


@given(
    st.sampled_from(ZONES),
    st.datetimes(min_value=datetime(2025, 1, 1), max_value=datetime(2030, 1, 1)),
)
def test_every_moment_shows_the_wall_time_that_it_was_found_by(zone, wall):
    zone = ZoneInfo(zone)
    found = moments(wall, zone)
    assert all(moment.astimezone(zone).replace(tzinfo=None) == wall for moment in found)
    if not found:
        jumps, lands = gap(wall, zone)
        assert jumps <= wall < lands
