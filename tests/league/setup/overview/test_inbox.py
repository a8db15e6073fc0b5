"""The inbox on *Now*, read from the values."""

from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.utils import timezone

from league.access import tournament_for
from league.entries.check_in import check_in
from league.models import Role, Round, Table, Tournament
from league.pages.inbox import InboxItem
from league.pages.links import Button
from league.rounds.steps import start
from league.setup.overview.inbox import age_in_words, count_items, inbox_of, read_inbox
from tests import cast
from tests.games.pages import said

AT = datetime(2026, 11, 28, 20, 30, tzinfo=UTC)


def item(key: str, minutes: int, **more: bool) -> InboxItem:
    return InboxItem(key, "i-warn", key, "", AT - timedelta(minutes=minutes), (), **more)


def test_calls_come_first_then_what_waits_longest() -> None:
    items = [item("new", 1), item("late-call", 2, is_call=True), item("old", 9), item("call", 3, is_call=True)]
    inbox = inbox_of(items, AT)
    assert [row.item.key for row in inbox.rows] == ["call", "late-call", "old", "new"]
    assert [(row.age, row.seconds) for row in inbox.rows][:2] == [("3 min", 180), ("2 min", 120)]


def test_ages_are_minutes_then_hours_then_days_and_never_negative() -> None:
    ages = [timedelta(seconds=-5), timedelta(seconds=59), timedelta(minutes=59), timedelta(hours=23), timedelta(days=2)]
    assert [age_in_words(age) for age in ages] == ["0 min", "0 min", "59 min", "23 h", "2 d"]


def told(tournament: Tournament, email: str = "olga@example.org") -> list[tuple[str, str]]:
    """Return title and line of each item of a viewer's inbox, and check its count."""
    access = tournament_for(cast.organiser(email), tournament.slug)
    inbox = read_inbox(access)
    assert count_items(access) == (inbox.count if inbox else 0)
    return [(str(row.item.title), str(row.item.line)) for row in inbox.rows] if inbox else []


@pytest.mark.django_db
def test_a_clock_is_an_item_only_while_tables_without_extra_time_play() -> None:
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    assert told(made) == []
    ended = timezone.now() - timedelta(minutes=3)
    Round.objects.filter(tournament=made, number=1).update(ends_at=ended)
    up = f"Time was up at {ended.astimezone(made.zone):%H:%M}"
    assert told(made) == [(up, "Tables 1 and 2 are still playing.")]
    Table.objects.filter(round__tournament=made, number=1).update(extra_minutes=10)
    assert told(made) == [(up, "Table 2 is still playing.")]
    for hand in range(1, 5):
        cast.record(cast.table(made, 1, 2), hand)
    assert told(made) == []


@pytest.mark.django_db
def test_the_last_three_missing_players_have_an_item_each_that_can_be_undone() -> None:
    made, helper = cast.tournament(), cast.organiser("maud@example.org", "Maud")
    Role.objects.create(tournament=made, user=helper, kind=Role.Kind.CHECK_IN)
    Role.objects.create(tournament=made, user=cast.someone_else(), kind=Role.Kind.SCORER)
    entries = list(made.entries.order_by("number"))
    assert told(made) == []  # check-in isn't used
    for entry in entries[:4]:
        check_in(entry=entry, by=made.owner)
    assert told(made) == [("4 players haven’t checked in", "Round 1 isn’t published yet.")]
    check_in(entry=entries[4], by=made.owner)
    missing = [(f"{entry.name} hasn’t checked in", "Round 1 isn’t published yet.") for entry in entries[5:]]
    assert told(made) == told(made, "maud@example.org") == missing
    assert read_inbox(tournament_for(cast.someone_else(), made.slug)) is None

    maud = Client()
    maud.force_login(helper)
    inbox = read_inbox(tournament_for(helper, made.slug))
    assert inbox is not None
    mark = inbox.rows[0].item.actions[0]
    assert isinstance(mark, Button)
    answer = maud.post(mark.url, {mark.name: mark.value, **dict(mark.hidden)}, follow=True)
    assert f"{entries[5].name} is here." in said(answer) and "(2) Now" in said(answer)
    undo = f"{mark.url}?{urlencode({'here': 'no', 'next': f'/t/{made.slug}/'})}"
    assert f'action="{undo.replace("&", "&amp;")}"' in answer.content.decode()
    assert "(3) Now" in said(maud.post(undo, follow=True)) and told(made) == missing
