"""What happens by itself: each due row once, in its own transaction, whatever fails."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from league.background import deadlines
from league.entries.list_order import shuffle_order
from league.lib.errors import Conflict, Refused
from league.log.in_words import in_words
from league.models import Deadline, LogEntry, Round, Snapshot
from league.rounds.adjustments import adjust
from league.rounds.draw import draw, undo_draw
from league.rounds.steps import advance, next_step, reopen_tournament, start
from league.setup.create import change_details
from tests import cast

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 24, 18, 0, tzinfo=UTC)  # 19:00 in Paris
WALL = datetime(2026, 11, 24, 20, 15)
DUE = datetime(2026, 11, 24, 19, 15, tzinfo=UTC)


def coming_sunday(month):
    """The last Sunday of a month to come: in March Paris has no 02:30, in October it has two."""
    today = timezone.now().date() + timedelta(days=2)
    last_days = (date(year, month, 31) for year in (today.year, today.year + 1))
    sundays = (day - timedelta(days=(day.weekday() + 1) % 7) for day in last_days)
    return next(day for day in sundays if day >= today)


@pytest.fixture(scope="module", autouse=True)
def drawn_once(module_world):
    made = cast.tournament(time_zone="Europe/Paris")
    draw(tournament=made, by=made.owner)
    return made


@pytest.fixture
def drawn(drawn_once):
    return cast.again(drawn_once)


def set_for(tournament, number=1, wall=WALL, **more):
    return deadlines.set_deadline(
        tournament=tournament, round_number=number, wall=wall, by=tournament.owner, now=NOW, **more
    )


def state(tournament, number):
    return tournament.rounds.get(number=number).state


def publish_at(tournament, number, due_at):
    """A deadline relative to the real clock, for what reads it."""
    return Deadline.objects.create(
        kind=Deadline.Kind.PUBLISH, tournament=tournament, round=tournament.rounds.get(number=number), due_at=due_at
    )


def test_a_round_is_published_at_its_time_and_not_before(drawn):
    deadline = set_for(drawn)
    assert deadline.due_at == DUE
    assert deadlines.sweep(DUE - timedelta(seconds=1)) == 0
    assert state(drawn, 1) == Round.State.DRAFT
    assert deadlines.sweep(DUE) == 1
    drawn.refresh_from_db()
    deadline.refresh_from_db()
    assert (drawn.state, state(drawn, 1)) == ("running", Round.State.PUBLISHED)
    assert (deadline.state, deadline.done_at, deadline.attempts) == (Deadline.State.DONE, DUE, 1)


def test_rounds_that_wait_for_long_do_not_keep_others_from_being_published(drawn, monkeypatch):
    monkeypatch.setattr(deadlines, "MOST_AT_ONCE", 2)
    stuck = cast.tournament(name="Left in the middle")
    start(tournament=stuck, by=stuck.owner)
    for number in (2, 3, 4):
        publish_at(stuck, number, DUE - timedelta(hours=1))
    set_for(drawn)
    assert [deadlines.sweep(DUE) for _second in range(2)] == [0, 1]
    assert state(drawn, 1) == Round.State.PUBLISHED
    cast.play_round(stuck.rounds.get(number=1))
    advance(tournament=stuck, token="close-1", by=stuck.owner)
    deadlines.sweep(DUE)
    assert [state(stuck, number) for number in (2, 3)] == [Round.State.PUBLISHED, Round.State.DRAFT]


def test_a_second_sweep_does_nothing_twice(drawn):
    set_for(drawn)
    assert [deadlines.sweep(DUE) for _ in range(3)] == [1, 0, 0]
    assert drawn.log.filter(action="publish").count() == 1


def test_the_log_says_who_set_the_time_and_that_the_round_published_itself(drawn):
    set_for(drawn)
    deadlines.sweep(DUE)
    made, published = drawn.log.get(action="set-time"), drawn.log.get(action="publish")
    assert (made.by, made.new, made.round) == (drawn.owner, "2026-11-24 20:15 Europe/Paris", 1)
    assert published.by is None


def test_nothing_due_costs_one_query(drawn, django_assert_num_queries):
    set_for(drawn)
    with django_assert_num_queries(1):
        deadlines.sweep(NOW)


def test_a_new_time_takes_the_place_of_the_one_before(drawn):
    first = set_for(drawn)
    set_for(drawn, wall=datetime(2026, 11, 24, 20, 30))
    first.refresh_from_db()
    assert first.state == Deadline.State.CANCELLED
    assert deadlines.sweep(DUE) == 0
    assert deadlines.sweep(DUE + timedelta(minutes=15)) == 1
    assert drawn.log.filter(action="set-time").first().old == "2026-11-24 20:15 Europe/Paris"


def test_a_time_that_is_taken_back_publishes_nothing_and_is_in_the_log(drawn):
    deadline = set_for(drawn)
    deadlines.cancel(tournament=drawn, deadline_id=deadline.pk, by=drawn.owner)
    deadlines.cancel(tournament=drawn, deadline_id=deadline.pk, by=drawn.owner)
    assert deadlines.sweep(DUE) == 0
    assert state(drawn, 1) == Round.State.DRAFT
    assert drawn.log.filter(action="cancel-time", by=drawn.owner).count() == 1


def test_a_draft_that_is_dropped_takes_its_time_with_it_and_the_log_says_so(drawn):
    deadline = set_for(drawn)
    shuffle_order(tournament=drawn, shuffled=True, by=drawn.owner)
    deadline.refresh_from_db()
    assert deadline.state == Deadline.State.CANCELLED
    assert drawn.log.get(action="cancel-time").old == "2026-11-24 20:15 Europe/Paris"


def test_publishing_by_hand_takes_the_time_back(drawn):
    deadline = set_for(drawn)
    advance(tournament=drawn, token="publish-1", by=drawn.owner)
    deadline.refresh_from_db()
    assert deadline.state == Deadline.State.CANCELLED
    assert deadlines.sweep(DUE) == 0
    assert drawn.log.filter(action="publish").count() == 1


def test_undoing_the_draw_takes_the_time_back(drawn):
    set_for(drawn)
    undo_draw(tournament=drawn, by=drawn.owner)
    assert deadlines.sweep(DUE) == 0
    assert Deadline.objects.get().state == Deadline.State.CANCELLED


@pytest.mark.parametrize("number", [0, 8])
def test_a_round_that_is_not_drawn_gets_no_time(drawn, number):
    with pytest.raises(Refused, match="is not drawn yet"):
        set_for(drawn, number)


def test_a_published_round_gets_no_time(drawn):
    advance(tournament=drawn, token="publish-1", by=drawn.owner)
    with pytest.raises(Conflict, match="published already"):
        set_for(drawn)


def test_a_refused_time_leaves_the_one_before(drawn):
    deadline = set_for(drawn)
    with pytest.raises(Refused):
        set_for(drawn, wall=datetime(2026, 11, 24, 18, 0))
    deadline.refresh_from_db()
    assert deadline.state == Deadline.State.PENDING


class TestALaterRound:
    """Round 2 has a time of its own, and round 1 is still being played or is not."""

    @pytest.fixture
    def running(self):
        made = cast.tournament(time_zone="Europe/Paris")
        return cast.play(made, rounds=1, close=False)

    def test_closing_the_round_before_leaves_it_until_its_time(self, running):
        due_at = timezone.now() + timedelta(hours=1)
        publish_at(running, 2, due_at)
        step = next_step(running)
        assert (step.token, step.publishes_at) == ("close-1", due_at)
        after = advance(tournament=running, token=step.token, by=running.owner)
        assert (state(running, 1), state(running, 2)) == (Round.State.CLOSED, Round.State.DRAFT)
        assert (after.token, after.publishes_at) == ("publish-2", due_at)
        deadlines.sweep(due_at)
        assert state(running, 2) == Round.State.PUBLISHED

    def test_it_waits_with_a_reason_while_the_round_before_is_open(self, running):
        deadline = publish_at(running, 2, DUE)
        assert [deadlines.sweep(DUE + timedelta(seconds=after)) for after in range(10)] == [0] * 10
        deadline.refresh_from_db()
        assert (deadline.state, deadline.attempts) == (Deadline.State.PENDING, 0)
        assert deadline.reason == "Round 1 isn’t closed yet. Then round 2 is published."
        assert state(running, 2) == Round.State.DRAFT

    def test_what_waits_for_a_round_is_not_late(self, running):
        publish_at(running, 2, DUE)
        later = DUE + timedelta(minutes=5)
        assert deadlines.lag(later) == timedelta(minutes=5)
        deadlines.sweep(later)
        assert deadlines.lag(later) == timedelta()

    def test_when_its_time_has_passed_closing_publishes_it_at_once(self, running):
        deadline = publish_at(running, 2, timezone.now() - timedelta(minutes=1))
        deadlines.sweep(timezone.now())
        advance(tournament=running, token="close-1", by=running.owner)
        deadline.refresh_from_db()
        assert (state(running, 2), deadline.state) == (Round.State.PUBLISHED, Deadline.State.CANCELLED)
        assert running.log.filter(action="publish", round=2).count() == 1


class TestFailure:
    @pytest.fixture
    def broken(self, drawn, monkeypatch):
        """Publishing writes and then fails, until `mend` is called."""
        publish = deadlines.HANDLERS[Deadline.Kind.PUBLISH]

        def fails(deadline):
            publish(deadline)
            raise Refused("no", "The printer is out of paper.")

        monkeypatch.setitem(deadlines.HANDLERS, Deadline.Kind.PUBLISH, fails)
        self.mend = lambda: monkeypatch.setitem(deadlines.HANDLERS, Deadline.Kind.PUBLISH, publish)
        return set_for(drawn)

    def test_a_failed_try_changes_nothing_and_says_why(self, broken):
        assert deadlines.sweep(DUE) == 0
        broken.refresh_from_db()
        assert (broken.state, broken.attempts) == (Deadline.State.PENDING, 1)
        assert broken.reason == "The printer is out of paper."
        assert state(broken.tournament, 1) == Round.State.DRAFT
        assert not broken.tournament.log.filter(action="publish").exists()

    def test_it_is_tried_again_later_each_time_and_then_works(self, broken):
        deadlines.sweep(DUE)
        self.mend()
        assert deadlines.sweep(DUE + timedelta(seconds=4)) == 0
        assert deadlines.sweep(DUE + timedelta(seconds=5)) == 1
        broken.refresh_from_db()
        assert (broken.state, broken.attempts, broken.reason) == (Deadline.State.DONE, 2, "")

    def test_after_five_tries_it_has_failed_and_the_log_says_so(self, broken):
        tries, now = 0, DUE
        while tries < 10 and Deadline.objects.pending().exists():
            deadlines.sweep(now)
            tries, now = tries + 1, now + timedelta(minutes=3)
        broken.refresh_from_db()
        assert (tries, broken.attempts, broken.state) == (5, 5, Deadline.State.FAILED)
        entry = LogEntry.objects.get(action="failed-publish-round")
        assert (entry.round, entry.by, entry.reason) == (1, None, "The printer is out of paper.")

    def test_an_error_of_our_own_is_told_without_its_insides(self, drawn, monkeypatch):
        monkeypatch.setitem(deadlines.HANDLERS, Deadline.Kind.PUBLISH, lambda deadline: 1 / 0)
        deadline = set_for(drawn)
        deadlines.sweep(DUE)
        deadline.refresh_from_db()
        assert deadline.reason.startswith("Internal error")

    def test_one_that_fails_does_not_hold_up_the_others(self, broken, monkeypatch):
        other = cast.tournament(name="Spring Pairs", time_zone="Europe/Paris")
        draw(tournament=other, by=other.owner)
        monkeypatch.setitem(deadlines.HANDLERS, "bell", lambda deadline: None)
        Deadline.objects.create(kind="bell", tournament=other, due_at=DUE)
        assert deadlines.sweep(DUE) == 1

    def test_a_lost_database_is_no_try(self, drawn, monkeypatch):
        def lost(deadline):
            raise OperationalError("server closed the connection unexpectedly")

        monkeypatch.setitem(deadlines.HANDLERS, Deadline.Kind.PUBLISH, lost)
        deadline = set_for(drawn)
        with pytest.raises(OperationalError):
            deadlines.sweep(DUE)
        deadline.refresh_from_db()
        assert (deadline.state, deadline.attempts, deadline.reason) == (Deadline.State.PENDING, 0, "")


class TestAChangeOfZoneOrDay:
    def change(self, tournament, **details):
        change_details(tournament=tournament, by=tournament.owner, **details)

    @pytest.fixture
    def coming(self):
        """A tournament far enough ahead that its times stay to come."""
        made = cast.tournament(time_zone="Europe/Paris", starts_on=timezone.now().date() + timedelta(days=40))
        draw(tournament=made, by=made.owner)
        wall = datetime.combine(made.starts_on, WALL.time())
        return deadlines.set_deadline(tournament=made, round_number=1, wall=wall, by=made.owner)

    def wall(self, deadline):
        deadline.refresh_from_db()
        deadline.tournament.refresh_from_db()
        return deadline.due_at.astimezone(deadline.tournament.zone).replace(tzinfo=None)

    def test_another_zone_keeps_the_time_on_the_wall(self, coming):
        before = self.wall(coming)
        self.change(coming.tournament, time_zone="America/New_York")
        assert self.wall(coming) == before

    def test_another_day_moves_it_by_as_many_days(self, coming):
        before = self.wall(coming)
        self.change(coming.tournament, starts_on=coming.tournament.starts_on + timedelta(days=200))
        assert self.wall(coming) == before + timedelta(days=200)

    def test_what_is_no_time_leaves_it_alone(self, coming):
        before = coming.due_at
        self.change(coming.tournament, name="Winter Pairs", place="Café Ludo")
        coming.refresh_from_db()
        assert coming.due_at == before

    def test_a_day_on_which_the_time_does_not_exist_is_refused_and_nothing_changes(self, coming):
        tournament, skipped = coming.tournament, coming_sunday(3)
        before = skipped + timedelta(days=1)
        self.change(tournament, starts_on=before)
        wall = datetime.combine(before, time(2, 30))
        deadlines.set_deadline(tournament=tournament, round_number=1, wall=wall, by=None)
        with pytest.raises(Refused, match="02:30 doesn’t exist") as refused:
            self.change(tournament, starts_on=skipped)
        assert list(refused.value.fields) == ["starts_on"]
        tournament.refresh_from_db()
        assert tournament.starts_on == before

    def test_a_day_that_has_passed_is_refused(self, coming):
        with pytest.raises(Refused, match="You can also remove that time first"):
            self.change(coming.tournament, starts_on=date(2024, 3, 20))

    def test_the_second_of_two_times_stays_the_second(self, coming):
        tournament, double = coming.tournament, coming_sunday(10)
        self.change(tournament, starts_on=double)
        wall = datetime.combine(double, time(2, 30))
        deadline = deadlines.set_deadline(tournament=tournament, round_number=1, wall=wall, fold=1, by=None)
        self.change(tournament, time_zone="Europe/Berlin")
        deadline.refresh_from_db()
        assert deadline.due_at == datetime.combine(double, time(1, 30), tzinfo=UTC)


class TestSnapshots:
    @pytest.fixture
    def closed(self):
        return cast.play(cast.tournament(), rounds=2)

    def points(self, snapshot):
        return {row["player_id"]: row["total"] for row in snapshot.rows}

    def test_each_closed_round_is_frozen_once(self, closed):
        assert Snapshot.objects.count() == 0
        for _ in range(3):
            deadlines.sweep(timezone.now())
        made = Snapshot.objects.all()
        assert [(one.round.number, one.revision, len(one.rows)) for one in made] == [(1, 1, 8), (2, 1, 8)]
        assert made[0].rules["tie_breaks"] == closed.stages.get().tie_breaks
        logged = LogEntry.objects.filter(action="snapshot").order_by("id")
        assert [in_words(row) for row in logged] == ["Round 1: standings saved", "Round 2: standings saved"]

    def test_a_round_is_frozen_as_of_itself_whatever_came_after(self, closed):
        cast.play(closed, rounds=3)
        deadlines.sweep(timezone.now())
        first, second, _third = Snapshot.objects.all()
        assert {row["rounds_played"] for row in first.rows} == {1}
        assert self.points(first) != self.points(second)

    def test_a_record_has_no_names_to_erase(self, closed):
        deadlines.sweep(timezone.now())
        assert not {"player", "club"} & set(Snapshot.objects.first().rows[0])

    def test_final_standings_that_say_the_same_are_no_new_record(self, closed):
        cast.play(closed)
        advance(tournament=closed, token="finish", by=closed.owner)
        for _ in range(3):
            deadlines.sweep(timezone.now())
        assert Snapshot.objects.filter(round__number=7).count() == 1

    def test_a_correction_before_the_standings_are_final_is_a_new_revision(self, closed):
        cast.play(closed)
        advance(tournament=closed, token="finish", by=closed.owner)
        deadlines.sweep(timezone.now())
        reopen_tournament(tournament=closed, reason="A wrong card", by=closed.owner)
        adjust(tournament=closed, entry=cast.entry(closed, "Zoë"), points=-50, reason="Late", round_number=7, by=None)
        advance(tournament=closed, token="finish", by=closed.owner)
        deadlines.sweep(timezone.now())
        first, second = Snapshot.objects.filter(round__number=7)
        assert (first.revision, second.revision) == (1, 2)
        zoe = cast.entry(closed, "Zoë").public_id
        assert self.points(second)[zoe] == self.points(first)[zoe] - 50

    def test_the_standings_page_offers_the_record(self, closed, client):
        url = f"/t/{closed.slug}/standings/"
        assert "As published after round 2" not in client.get(url).content.decode()
        deadlines.sweep(timezone.now())
        assert "As published after round 2" in client.get(url).content.decode()
        lines = client.get(f"/t/{closed.slug}/standings_as_published.csv").content.decode().splitlines()
        assert len(lines) == 9
        assert lines[0].endswith("revision,published_at,log_hash")
        assert any("Ana Lucía" in line for line in lines)

    def test_the_record_stays_when_the_standings_are_corrected(self, closed, client):
        deadlines.sweep(timezone.now())
        before = client.get(f"/t/{closed.slug}/standings_as_published.csv?as_of_round=1").content
        adjust(tournament=closed, entry=cast.entry(closed, "Zoë"), points=5, reason="x", round_number=1, by=None)
        assert client.get(f"/t/{closed.slug}/standings_as_published.csv?as_of_round=1").content == before

    @pytest.mark.parametrize(("number", "status"), [("1", 200), ("3", 404), ("99", 400), ("x", 400)])
    def test_a_round_without_a_record_has_no_file(self, closed, client, number, status):
        deadlines.sweep(timezone.now())
        answer = client.get(f"/t/{closed.slug}/standings_as_published.csv", {"as_of_round": number})
        assert answer.status_code == status


class TestThePage:
    @pytest.fixture
    def olga(self, client):
        client.force_login(cast.organiser())
        return client

    def post(self, client, tournament, at, **more):
        return client.post(f"/t/{tournament.slug}/set-time/", {"round": "1", "at": at} | more)

    def test_a_time_is_set_shown_and_taken_back(self, olga, drawn):
        at = timezone.now().astimezone(drawn.zone) + timedelta(days=3)
        assert self.post(olga, drawn, f"{at:%Y-%m-%d}T20:15").status_code == 302
        deadline = Deadline.objects.get()
        page = olga.get(f"/t/{drawn.slug}/").content.decode()
        assert "is published on" in page and "20:15 (Europe/Paris)" in page
        olga.post(f"/t/{drawn.slug}/set-time/{deadline.pk}/cancel/")
        assert "is published on" not in olga.get(f"/t/{drawn.slug}/").content.decode()

    @pytest.mark.parametrize("at", ["", "tomorrow", "2027-13-01 20:15", "20:15", "0000-01-01T00:00"])
    def test_nonsense_is_refused_with_an_example(self, olga, drawn, at):
        answer = self.post(olga, drawn, at)
        assert answer.status_code == 422
        assert not Deadline.objects.exists()

    def test_a_time_that_comes_twice_is_asked_about(self, olga, drawn):
        double = coming_sunday(10)
        answer = self.post(olga, drawn, f"{double}T02:30")
        page = answer.content.decode()
        assert answer.status_code == 422
        assert "02:30 comes twice." in page
        assert 'name="fold"' in page and f'value="{double}T02:30"' in page
        assert self.post(olga, drawn, f"{double}T02:30", fold="1").status_code == 302
        assert Deadline.objects.get().due_at == datetime.combine(double, time(1, 30), tzinfo=UTC)

    def test_the_settings_say_which_round_is_in_the_way(self, olga, drawn):
        skipped = coming_sunday(3)
        self.post(olga, drawn, f"{skipped + timedelta(days=1)}T02:30")
        details = {"form": "details", "name": "Autumn Pairs", "time_zone": "Europe/Paris", "visibility": "public"}
        day = drawn.starts_on - timedelta(days=1)
        answer = olga.post(f"/t/{drawn.slug}/settings/", details | {"starts_on": f"{day}"})
        assert answer.status_code == 422
        assert "so 02:30 doesn’t exist" in answer.content.decode()
        drawn.refresh_from_db()
        assert drawn.starts_on == day + timedelta(days=1)

    def test_a_deadline_of_another_tournament_is_not_there(self, olga, drawn):
        other = cast.tournament(owner=cast.someone_else(), name="Other Pairs")
        draw(tournament=other, by=other.owner)
        foreign = publish_at(other, 1, DUE)
        assert olga.post(f"/t/{drawn.slug}/set-time/{foreign.pk}/cancel/").status_code == 404
        foreign.refresh_from_db()
        assert foreign.state == Deadline.State.PENDING
