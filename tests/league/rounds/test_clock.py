"""The round's clock: what each button does, once, and what it says when it does nothing."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from league.lib.errors import Conflict, Refused
from league.log.in_words import in_words
from league.models import LogEntry, Role, Round, Table
from league.rounds import clock as services
from league.rounds.steps import reopen_tournament, start
from league.rounds.time_left import RoundClock, clock_of, usual_minutes
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def evening_once(module_world):
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    return made


@pytest.fixture
def evening(evening_once):
    return cast.again(evening_once)


@pytest.fixture
def director(evening):
    user = cast.organiser("dora@example.org", "Dora")
    Role.objects.create(tournament=evening, user=user, kind=Role.Kind.DIRECTOR)
    return signed_in(user)


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def clock(evening, table=None):
    return clock_of(evening.rounds.get(number=1), table)


def press(client, evening, do, **fields):
    fields = {"shown": clock(evening).shown} | fields
    return client.post(f"/t/{evening.slug}/clock/", {"do": do} | fields, follow=True)


def move(evening, **time):
    """Let time pass: the clock is that much nearer to its end."""
    played = evening.rounds.get(number=1)
    played.ends_at -= timedelta(**time)
    played.save()


def test_a_director_starts_stops_and_lengthens_the_clock_and_the_log_says_so(evening, director):
    before = LogEntry.objects.filter(tournament=evening).count()
    assert "Clock started" in said(press(director, evening, "start", minutes="20"))
    assert 1199 <= clock(evening).seconds <= 1200
    press(director, evening, "pause")
    assert clock(evening).state == "stands"
    left = clock(evening).left
    press(director, evening, "resume")
    assert clock(evening).state == "runs"
    press(director, evening, "add", minutes="5")
    assert 1490 <= clock(evening).seconds <= 1500
    press(director, evening, "extra", table="2", minutes="5")
    press(director, evening, "stop")
    assert clock(evening).state == "off"
    rows = list(LogEntry.objects.filter(tournament=evening).order_by("number"))[before:]
    assert [in_words(row) for row in rows] == [
        "Round 1: clock started: 20 minutes",
        f"Round 1: clock paused with {left} left",
        f"Round 1: clock resumed with {left} left",
        "Round 1: more time for all: 5 minutes",
        "Round 1, table 2: extra time: 5 minutes",
        "Round 1: clock removed",
    ]
    assert {row.by.name for row in rows} == {"Dora"}


def test_a_scorer_has_no_such_buttons(evening):
    sven = cast.someone_else()
    Role.objects.create(tournament=evening, user=sven, kind=Role.Kind.SCORER)
    client = signed_in(sven)
    assert "Start the clock" not in said(client.get(f"/t/{evening.slug}/"))
    assert press(client, evening, "start", minutes="20").status_code == 404
    assert clock(evening).state == "off"


@pytest.mark.parametrize(
    ("set_up", "do", "fields"),
    [((), "start", {"minutes": "20"}), (("start",), "add", {"minutes": "5"}), (("start",), "pause", {})],
)
def test_a_button_pressed_twice_does_one_thing(evening, director, set_up, do, fields):
    for first in set_up:
        press(director, evening, first, minutes="20")
    shown = clock(evening).shown
    press(director, evening, do, shown=shown, **fields)
    once, rows = clock(evening).shown, LogEntry.objects.filter(tournament=evening).count()
    assert "The clock has changed since" in said(press(director, evening, do, shown=shown, **fields))
    assert clock(evening).shown == once
    assert LogEntry.objects.filter(tournament=evening).count() == rows


def test_extra_time_is_the_tables_own_in_all_and_pressed_twice_it_is_the_same(evening):
    services.start_clock(tournament=evening, minutes=20, shown=clock(evening).shown, by=None)
    for _press in range(2):
        services.extra_time(tournament=evening, table_number=2, minutes=5, by=None)
    first, second = evening.rounds.get(number=1).tables.order_by("number")
    assert clock(evening, second).seconds - clock(evening, first).seconds == 300
    assert LogEntry.objects.filter(tournament=evening, action="extra-time").count() == 1
    services.extra_time(tournament=evening, table_number=2, minutes=0, by=None)
    assert Table.objects.get(pk=second.pk).extra_minutes == 0


def test_a_clock_that_stands_loses_no_time(evening):
    services.start_clock(tournament=evening, minutes=20, shown=clock(evening).shown, by=None)
    move(evening, minutes=7)
    services.pause_clock(tournament=evening, shown=clock(evening).shown, by=None)
    left = clock(evening).seconds
    assert 770 <= left <= 780
    later = clock_of(evening.rounds.get(number=1), now=timezone.now() + timedelta(hours=1))
    assert later.seconds == left
    services.resume_clock(tournament=evening, shown=clock(evening).shown, by=None)
    assert left - 2 <= clock(evening).seconds <= left


def test_minutes_added_after_the_end_count_from_now(evening):
    services.start_clock(tournament=evening, minutes=20, shown=clock(evening).shown, by=None)
    move(evening, minutes=30)
    assert (clock(evening).state, clock(evening).left) == ("up", "0:00")
    with pytest.raises(Conflict, match="Add minutes, or remove the clock"):
        services.pause_clock(tournament=evening, shown=clock(evening).shown, by=None)
    services.add_minutes(tournament=evening, minutes=5, shown=clock(evening).shown, by=None)
    assert 298 <= clock(evening).seconds <= 300


@pytest.mark.parametrize(("hands", "minutes"), [(1, 40), (4, 40), (12, 90)])
def test_the_first_clock_is_offered_what_the_hands_of_a_round_take(evening, hands, minutes):
    stage = evening.stage
    stage.settings |= {"hands_per_round": hands}
    assert usual_minutes(evening, stage) == minutes


def test_closing_the_round_ends_its_clock_and_the_next_round_is_offered_the_same_minutes(evening, director):
    services.start_clock(tournament=evening, minutes=25, shown=clock(evening).shown, by=None)
    cast.play_round(evening.rounds.get(number=1))
    cast.go_on(evening)
    assert clock(evening) is None
    page = director.get(f"/t/{evening.slug}/").content.decode()
    assert "Start the clock" in page
    assert 'name="minutes" min="1" max="600" value="25"' in page
    # A button of a page that still shows round 1 starts nothing in round 2.
    press_old = {"do": "start", "minutes": "20", "shown": RoundClock(1, timezone.now()).shown}
    director.post(f"/t/{evening.slug}/clock/", press_old)
    assert clock_of(evening.rounds.get(number=2)).state == "off"


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"do": "start", "minutes": ""}, "Enter 1 to 600 minutes."),
        ({"do": "start", "minutes": "0"}, "Enter 1 to 600 minutes."),
        ({"do": "start", "minutes": "601"}, "Enter 1 to 600 minutes."),
        ({"do": "start", "minutes": "-5"}, "Enter 1 to 600 minutes."),
        ({"do": "add", "minutes": "5"}, "The clock isn’t started."),
        ({"do": "pause"}, "The clock isn’t running."),
        ({"do": "resume"}, "The clock isn’t paused."),
        ({"do": "stop"}, "The clock isn’t started."),
        ({"do": "extra", "minutes": "5", "table": "1"}, "The clock isn’t started."),
        ({"do": "extra", "minutes": "5"}, "Choose the table that gets extra time."),
        ({"do": "explode"}, "Select a valid choice"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(evening, director, fields, sentence):
    before = LogEntry.objects.filter(tournament=evening).count()
    assert sentence in said(press(director, evening, **fields))
    assert clock(evening).state == "off"
    assert LogEntry.objects.filter(tournament=evening).count() == before


def test_a_clock_of_more_than_ten_hours_and_a_table_that_is_not_there_are_refused(evening):
    services.start_clock(tournament=evening, minutes=600, shown=clock(evening).shown, by=None)
    with pytest.raises(Refused, match="at most 600 minutes"):
        services.add_minutes(tournament=evening, minutes=1, shown=clock(evening).shown, by=None)
    with pytest.raises(Refused, match="Enter 1 to 600 minutes"):
        services.add_minutes(tournament=evening, minutes=-5, shown=clock(evening).shown, by=None)
    with pytest.raises(Refused, match="Round 1 has no such table"):
        services.extra_time(tournament=evening, table_number=3, minutes=5, by=None)


def test_without_an_open_round_there_is_no_clock():
    planned = cast.tournament()
    with pytest.raises(Conflict, match="Publish the next round first"):
        services.start_clock(tournament=planned, minutes=20, shown="1  ", by=None)
    done = cast.play(cast.tournament(rounds=2))
    cast.go_on(done)
    reopen_tournament(tournament=done, reason="A wrong card", by=done.owner)
    with pytest.raises(Conflict, match="Publish the next round first"):
        services.start_clock(tournament=done, minutes=20, shown="2  ", by=None)


def test_the_public_page_the_table_and_the_player_see_the_time_that_is_left(evening):
    services.start_clock(tournament=evening, minutes=20, shown=clock(evening).shown, by=None)
    services.extra_time(tournament=evening, table_number=1, minutes=5, by=None)
    table = cast.table(evening, 1, 1)
    now = Client().get(f"/t/{evening.slug}/").content.decode()
    assert "Round 1 ends in" in now
    assert re.search(r">(20:00|19:\d\d)</time>", now)
    assert f'data-ends="{clock(evening).ends_ms}"' in now
    assert "Start the clock" not in now and "5 min for all" not in now
    scoring = signed_in(evening.owner).get(table.get_absolute_url()).content.decode()
    assert f'data-ends="{clock(evening, table).ends_ms}"' in scoring
    assert "Includes 5 min of extra time." in scoring
    farah = cast.entry(evening, "Farah")
    Role.objects.create(tournament=evening, user=cast.someone_else(), kind=Role.Kind.PLAYER, entry=farah)
    own = signed_in(cast.someone_else()).get(f"/t/{evening.slug}/me/").content.decode()
    hers = table if table.seats.filter(entry=farah).exists() else None
    assert f'data-ends="{clock(evening, hers).ends_ms}"' in own


def test_when_the_time_is_up_it_says_what_to_do(evening):
    Round.objects.filter(tournament=evening, number=1).update(ends_at=timezone.now() - timedelta(seconds=1))
    page = said(Client().get(f"/t/{evening.slug}/"))
    assert "Round 1: time is up" in page
    assert "Finish the current hand." in page


@pytest.mark.parametrize(("seconds", "words"), [(0, "0:00"), (59, "0:59"), (872, "14:32"), (4472, "1:14:32")])
def test_time_is_written_as_on_a_clock(seconds, words):
    assert RoundClock(1, timezone.now(), standing=seconds).left == words
