"""An event that repeats every week: its days, the copies made of it, skipping and ending."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from league.entries.sign_up import set_sign_up
from league.lib.errors import Conflict, Refused
from league.models import Series
from league.rounds.steps import close_tournament
from league.seasons.seasons import create_season, put_in_season
from league.setup.series import repeat
from league.setup.series.forms import SeriesForm
from league.setup.series.page import rule_in_words, series_page_of
from league.setup.series.repeat import Plan
from tests import cast

pytestmark = pytest.mark.django_db

SATURDAY = 5
START = time(19)


@pytest.fixture
def now(monkeypatch):
    """A clock that stands at noon of Saturday, 28 November 2026, until it is set."""

    class Clock:
        at = datetime(2026, 11, 28, 12, tzinfo=UTC)

    monkeypatch.setattr(timezone, "now", lambda: Clock.at)
    return Clock


@pytest.fixture
def evening(now):
    return cast.tournament(name="Autumn Pairs", starts_on=date(2026, 11, 28), starts_at=START, time_zone="UTC")


def plan(last_day=date(2026, 12, 26), *, sign_up=True, weekday=SATURDAY):
    return Plan(weekday, START, last_day, takes_sign_ups=sign_up)


def days(series):
    return list(series.events.order_by("starts_on").values_list("starts_on", flat=True))


def test_the_days_of_a_plan_are_every_such_weekday_after_a_day_until_the_last():
    assert list(plan(date(2026, 12, 12)).days_after(date(2026, 11, 28))) == [date(2026, 12, 5), date(2026, 12, 12)]
    assert next(plan(date(2026, 12, 5)).days_after(date(2026, 11, 27))) == date(2026, 11, 28)
    assert list(plan(date(2026, 12, 4)).days_after(date(2026, 11, 28))) == []


def test_each_event_is_made_a_week_before_it_starts_from_the_one_before(evening, now):
    series = repeat.repeat(tournament=evening, plan=plan(), by=evening.owner)
    assert days(series) == [date(2026, 11, 28)]  # the next one is seven days and seven hours away
    now.at += timedelta(hours=7)
    assert repeat.make_due_events(now.at) == 1
    assert repeat.make_due_events(now.at) == 0
    assert days(series) == [date(2026, 11, 28), date(2026, 12, 5)]
    made = series.events.get(starts_on=date(2026, 12, 5))
    assert (made.name, made.starts_at, made.stage.format, made.entries.count()) == ("Autumn Pairs", START, "pairs", 0)
    assert made.sign_up_page.capacity == 8 and made.sign_up_page.opens_at is None
    made.place = "Upstairs"
    made.save()
    now.at += timedelta(days=7)
    repeat.make_due_events(now.at)
    assert series.events.get(starts_on=date(2026, 12, 12)).place == "Upstairs"


def test_without_sign_up_each_event_has_the_players_of_the_one_before(evening, now):
    series = repeat.repeat(tournament=evening, plan=plan(sign_up=False), by=evening.owner)
    now.at += timedelta(hours=7)
    repeat.make_due_events(now.at)
    made = series.events.get(starts_on=date(2026, 12, 5))
    assert made.entries.count() == 8 and not hasattr(made, "sign_up_page")


def test_sign_up_is_set_as_before_with_its_times_a_week_later(evening, now):
    closes = datetime(2026, 11, 28, 18, tzinfo=UTC)
    times = {"opens_at": now.at - timedelta(days=20), "closes_at": closes}
    set_sign_up(tournament=evening, capacity=12, by=evening.owner, note_to_players="Bring a pen", times=times)
    series = repeat.repeat(tournament=evening, plan=plan(), by=evening.owner)
    now.at += timedelta(hours=7)
    repeat.make_due_events(now.at)
    page = series.events.get(starts_on=date(2026, 12, 5)).sign_up_page
    assert (page.capacity, page.note, page.opens_at) == (12, "Bring a pen", None)
    assert page.closes_at == closes + timedelta(days=7)


def test_an_old_event_begins_its_series_with_the_next_weekday_after_today(now):
    old = cast.tournament(starts_on=date(2026, 10, 3), starts_at=START)
    series = repeat.repeat(tournament=old, plan=plan(), by=old.owner)
    now.at += timedelta(hours=7)
    repeat.make_due_events(now.at)
    assert days(series) == [date(2026, 10, 3), date(2026, 12, 5)]


def test_a_worker_that_was_down_makes_only_what_is_still_to_come(evening, now):
    series = repeat.repeat(tournament=evening, plan=plan(date(2027, 1, 30)), by=evening.owner)
    now.at = datetime(2026, 12, 27, 12, tzinfo=UTC)
    assert repeat.make_due_events(now.at) == 1
    assert days(series) == [date(2026, 11, 28), date(2027, 1, 2)]


def test_a_skipped_day_gets_no_event_and_may_be_taken_back(evening, now):
    series = repeat.repeat(tournament=evening, plan=plan(), by=evening.owner)
    for day in (date(2026, 12, 5), date(2026, 12, 12)):
        repeat.skip(tournament=evening, day=day, skipped=True, by=evening.owner)
    repeat.skip(tournament=evening, day=date(2026, 12, 12), skipped=False, by=evening.owner)
    now.at += timedelta(days=10)
    repeat.make_due_events(now.at)
    assert days(series) == [date(2026, 11, 28), date(2026, 12, 12)]
    assert [row.action for row in evening.log.order_by("-id")[:3]] == ["take-day", "skip-day", "skip-day"]


def test_a_day_taken_back_late_gets_its_event_at_once(evening, now):
    series = repeat.repeat(tournament=evening, plan=plan(), by=evening.owner)
    repeat.skip(tournament=evening, day=date(2026, 12, 5), skipped=True, by=evening.owner)
    now.at += timedelta(days=3)
    assert repeat.make_due_events(now.at) == 0
    repeat.skip(tournament=evening, day=date(2026, 12, 5), skipped=False, by=evening.owner)
    assert days(series) == [date(2026, 11, 28), date(2026, 12, 5)]


@pytest.mark.parametrize("day", [date(2026, 12, 6), date(2026, 11, 28), date(2027, 1, 2)])
def test_only_a_day_to_come_can_be_skipped(evening, day):
    repeat.repeat(tournament=evening, plan=plan(), by=evening.owner)
    with pytest.raises(Conflict, match="Cancel the tournament instead"):
        repeat.skip(tournament=evening, day=day, skipped=True, by=evening.owner)


@pytest.mark.parametrize(
    ("last_day", "sentence"),
    [(date(2026, 12, 4), "Choose a later day"), (date(2030, 1, 1), "Choose an earlier last day")],
)
def test_a_plan_without_a_day_or_with_too_many_is_refused(evening, last_day, sentence):
    with pytest.raises(Refused, match=sentence):
        repeat.repeat(tournament=evening, plan=plan(last_day), by=evening.owner)
    assert not Series.objects.exists()


def test_another_weekday_counts_from_the_latest_event(evening, now):
    series = repeat.repeat(tournament=evening, plan=plan(), by=evening.owner)
    repeat.repeat(tournament=evening, plan=plan(weekday=0), by=evening.owner)
    assert Series.objects.count() == 1
    now.at += timedelta(days=1)
    repeat.make_due_events(now.at)
    assert days(series) == [date(2026, 11, 28), date(2026, 11, 30)]


def test_a_series_that_has_ended_makes_nothing_and_goes_on_with_a_later_last_day(evening, now):
    series = repeat.repeat(tournament=evening, plan=plan(), by=evening.owner)
    repeat.end_series(tournament=evening, by=evening.owner)
    now.at += timedelta(days=1)
    assert repeat.make_due_events(now.at) == 0
    repeat.repeat(tournament=evening, plan=plan(), by=evening.owner)
    assert days(series) == [date(2026, 11, 28), date(2026, 12, 5)]


def test_when_the_latest_event_is_deleted_the_one_before_goes_on(evening, now):
    series = repeat.repeat(tournament=evening, plan=plan(), by=evening.owner)
    now.at += timedelta(hours=7)
    repeat.make_due_events(now.at)
    series.events.get(starts_on=date(2026, 12, 5)).delete()
    now.at += timedelta(days=7)
    repeat.make_due_events(now.at)
    assert date(2026, 12, 12) in days(series)


def test_a_series_that_fails_holds_up_no_other_and_is_tried_again(evening, now, monkeypatch):
    other = cast.tournament(name="Other", starts_on=date(2026, 11, 28), starts_at=START)
    first, second = (repeat.repeat(tournament=one, plan=plan(), by=one.owner) for one in (evening, other))
    whole = repeat.clone_tournament

    def clone(*, tournament, **how):
        if tournament == evening:
            raise RuntimeError
        return whole(tournament=tournament, **how)

    monkeypatch.setattr(repeat, "clone_tournament", clone)
    now.at += timedelta(hours=7)
    assert repeat.make_due_events(now.at) == 1
    monkeypatch.undo()
    assert repeat.make_due_events(now.at + timedelta(hours=2)) == 1
    assert [series.events.count() for series in (first, second)] == [2, 2]


def test_the_copy_counts_in_the_season_of_the_one_before(now):
    club = cast.club()
    season = create_season(club=club, name="Winter", by=club.owner)
    held = cast.tournament(club=club, starts_on=date(2026, 11, 28), starts_at=START)
    put_in_season(tournament=held, season=season, by=club.owner)
    series = repeat.repeat(tournament=held, plan=plan(), by=held.owner)
    now.at += timedelta(days=1)
    repeat.make_due_events(now.at)
    assert series.events.get(starts_on=date(2026, 12, 5)).season == season


def test_the_page_shows_when_each_event_is_made_and_which_days_are_skipped(evening):
    repeat.repeat(tournament=evening, plan=plan(date(2026, 12, 19)), by=evening.owner)
    repeat.skip(tournament=evening, day=date(2026, 12, 12), skipped=True, by=evening.owner)
    evening.refresh_from_db()
    page = series_page_of(evening, SeriesForm(), plan(date(2026, 12, 19)))
    assert [(day.title, day.text, day.is_skipped) for day in page.days] == [
        ("Saturday 28 November", "This tournament", False),
        ("Saturday 5 December", "Created now", False),
        ("Saturday 12 December", "Skipped", True),
        ("Saturday 19 December", "", False),
    ]
    assert (page.count, page.button, page.ends) == ("3 tournaments", "Save the series", True)


def test_the_page_counts_the_same_events_before_the_series_is_created_and_after(evening):
    before = series_page_of(evening, SeriesForm(), plan())
    repeat.repeat(tournament=evening, plan=plan(), by=evening.owner)
    evening.refresh_from_db()
    after = series_page_of(evening, SeriesForm(), plan())
    assert [day.title for day in before.days] == [day.title for day in after.days]
    assert before.count == after.count == "5 tournaments" and before.days[0].text == "This tournament"
    assert series_page_of(cast.tournament(), SeriesForm()).count == ""


def test_the_rule_says_weekday_time_and_last_day():
    assert rule_in_words(plan()) == "Every Saturday at 19:00 until 26 December 2026"
    assert rule_in_words(Plan(0, None, date(2026, 12, 28), True)) == "Every Monday until 28 December 2026"


FORM = {"weekday": "5", "starts_at": "19:00", "last_day": "2026-12-26", "who": "sign-up"}


def test_an_organiser_creates_a_series_skips_a_week_and_ends_it(client, evening):
    client.force_login(evening.owner)
    at = f"/t/{evening.slug}/series/"
    assert "Every Saturday at 19:00 until" in client.get(at).content.decode()
    assert "Every Monday at 19:00" in client.get(at, FORM | {"weekday": "0"}).content.decode()
    for _twice in range(2):
        said = client.post(at, FORM, follow=True).content.decode()
    assert Series.objects.count() == 1 and "4 tournaments" not in said
    said = client.post(f"{at}skip/", {"day": "2026-12-12", "do": "skip"}, follow=True).content.decode()
    assert "Saturday 12 December is skipped." in said and "Reinstate" in said
    said = client.post(f"{at}skip/", {"day": "then"}, follow=True).content.decode()
    assert "Choose a day of the series." in said
    said = client.post(f"{at}end/", follow=True).content.decode()
    assert "The series has ended." in said and "End the series" not in said


def test_a_form_with_a_fault_keeps_what_was_typed_and_changes_nothing(client, evening):
    client.force_login(evening.owner)
    answer = client.post(f"/t/{evening.slug}/series/", FORM | {"last_day": "", "starts_at": "20:15"})
    page = answer.content.decode()
    assert answer.status_code == 422 and "Choose the last day" in page and 'value="20:15"' in page
    answer = client.post(f"/t/{evening.slug}/series/", FORM | {"last_day": "2026-11-30"})
    assert answer.status_code == 422 and "Choose a later day" in answer.content.decode()
    assert not Series.objects.exists()


def test_nobody_without_the_right_sees_or_changes_a_series(evening):
    stranger = Client()
    assert stranger.get(f"/t/{evening.slug}/series/").status_code in (302, 403, 404)
    assert stranger.post(f"/t/{evening.slug}/series/", FORM).status_code in (302, 403, 404)
    assert not Series.objects.exists()


def test_when_it_is_over_the_next_event_of_the_series_is_shown_to_everyone(client, evening, now):
    repeat.repeat(tournament=evening, plan=plan(), by=evening.owner)
    now.at += timedelta(hours=8)
    repeat.make_due_events(now.at)
    close_tournament(tournament=cast.play(cast.again(evening)), by=evening.owner)
    client.force_login(evening.owner)
    page = client.get(f"/t/{evening.slug}/").content.decode()
    assert "Next tournament" in page and "Saturday 5 December" in page
