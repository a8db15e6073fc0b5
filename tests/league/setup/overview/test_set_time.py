"""A round's time to publish itself, in words."""

from datetime import UTC, datetime

from league.models import Deadline, Tournament
from league.setup.overview.set_time import RefusedTime, SetTime, set_time_of

DUE = datetime(2026, 11, 24, 19, 15, 30, tzinfo=UTC)
CUP = Tournament(slug="cup", name="Cup", time_zone="Europe/Paris")


def of(state: str = Deadline.State.PENDING, **more: object) -> SetTime:
    return set_time_of(CUP, 3, Deadline(pk=5, due_at=DUE, state=state, **more))  # type: ignore[misc]


def test_without_a_time_the_form_offers_one() -> None:
    time = set_time_of(CUP, 3, None)
    assert (time.summary, time.button) == ("Schedule round 3", "Publish round 3 at this time")
    assert time.label == "Day and time in Europe/Paris" and not (time.waiting or time.failure or time.value)


def test_a_time_that_is_set_can_be_changed_or_taken_back() -> None:
    time = of()
    assert time.waiting == "Round 3 is published on Tuesday 24 November, 20:15 (Europe/Paris)."
    assert (time.summary, time.value, time.cancel_url) == (
        "Change the time",
        "2026-11-24T20:15",
        "/t/cup/set-time/5/cancel/",
    )


def test_a_time_that_passed_says_what_it_waits_for() -> None:
    assert of(reason="x").waiting == "Round 2 isn’t closed yet. Then round 3 is published."
    again = of(reason="The database is locked.", attempts=1)
    assert again.waiting == "Round 3 isn’t published yet. Next try: 20:15:30. The database is locked."


def test_a_failure_gives_its_reason_and_what_to_do() -> None:
    time = of(Deadline.State.FAILED, reason="The printer is out of paper.")
    assert "couldn’t be published. The printer is out of paper. Publish it here, or set another time." in time.failure
    assert not time.waiting and not time.cancel_url and time.summary == "Schedule round 3"


def test_a_refused_time_is_shown_again_and_one_that_exists_twice_is_asked_about() -> None:
    time = set_time_of(CUP, 3, None, RefusedTime("2026-10-25T02:30", is_twice=True))
    assert time.is_open and time.asks_which and time.value == "2026-10-25T02:30"
    assert not set_time_of(CUP, 3, None, RefusedTime("tomorrow")).asks_which
