"""The inbox on *Now*, read from the values."""

from datetime import UTC, datetime, timedelta

from league.pages.inbox import InboxItem
from league.setup.overview.inbox import age_in_words, inbox_of

AT = datetime(2026, 11, 28, 20, 30, tzinfo=UTC)


def item(key: str, minutes: int, **more: bool) -> InboxItem:
    return InboxItem(key, "i-warn", key, "", AT - timedelta(minutes=minutes), (), **more)


def test_calls_come_first_then_what_waits_longest() -> None:
    inbox = inbox_of(
        [item("new", 1), item("late-call", 2, is_call=True), item("old", 9), item("call", 3, is_call=True)], AT
    )
    assert [row.item.key for row in inbox.rows] == ["call", "late-call", "old", "new"]
    assert [row.age for row in inbox.rows] == ["3 min", "2 min", "9 min", "1 min"]


def test_ages_are_minutes_then_hours_then_days_and_never_negative() -> None:
    ages = [timedelta(seconds=-5), timedelta(seconds=59), timedelta(minutes=59), timedelta(hours=23), timedelta(days=2)]
    assert [age_in_words(age) for age in ages] == ["0 min", "0 min", "59 min", "23 h", "2 d"]
