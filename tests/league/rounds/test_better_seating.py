"""A better seating, searched in the background: what it finds, taking it, and what stops it."""

import json
from itertools import chain, count

import pytest
from django.utils import timezone

from league.background import jobs
from league.formats.seating import golfers
from league.formats.seating.meetings import meetings_before
from league.lib.errors import Conflict, Refused
from league.models import Job, LogEntry, Seat
from league.rounds import better_seating
from league.rounds.better_seating import SECONDS, result_of, search
from league.rounds.reseat import arguments, fresh_tables, seats_now, take_seating
from league.rounds.steps import start
from tests import cast
from tests.games.pages import said
from tests.league.day.test_day_tables import shown

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture(autouse=True)
def short_searches(monkeypatch):
    monkeypatch.setattr(golfers, "LONG_SEARCH", 1)


@pytest.fixture(scope="module", autouse=True)
def challenge_once(module_world):
    """Twelve in round 2 of three tables, where who met in round 1 sits together again: as bad as can be."""
    made = cast.challenge(players=12, target=5000)
    start(tournament=made, by=made.owner)
    cast.play_round(made.rounds.get())
    cast.go_on(made)
    first, second = made.rounds.get(number=1), made.rounds.get(number=2)
    Seat.objects.filter(round=second).delete()
    tables = {table.number: table for table in second.tables.all()}
    Seat.objects.bulk_create(
        Seat(round=second, table=tables[seat.table.number], number=seat.number, entry=seat.entry)
        for seat in first.seats.select_related("table")
    )
    made.refresh_from_db()
    return made


@pytest.fixture
def challenge(challenge_once):
    return cast.again(challenge_once)


@pytest.fixture
def olga(client):
    client.force_login(cast.organiser())
    return client


def ask(client, tournament):
    return client.post(f"/t/{tournament.slug}/jobs/better-seating/")


def work():
    jobs.work(timezone.now())


def meetings(tournament):
    fresh = fresh_tables(tournament)
    return meetings_before(seats_now(fresh), arguments(fresh)["past"])


def test_it_is_asked_for_found_shown_and_taken(olga, challenge):
    assert meetings(challenge) == 18
    assert ask(olga, challenge).status_code == 302
    work()
    job = challenge.jobs.get()
    assert job.state == Job.State.DONE
    page = said(olga.get(f"/t/{challenge.slug}/jobs/"))
    assert "Round 2: 3 repeat meetings instead of 18" in page
    preview = olga.post(f"/t/{challenge.slug}/jobs/{job.pk}/take/")
    assert "Changed seats" in said(preview)
    assert meetings(challenge) == 18, "a preview moves nobody"
    assert olga.post(f"/t/{challenge.slug}/jobs/{job.pk}/take/", shown(preview)).status_code == 302
    assert meetings(challenge) == 3
    assert LogEntry.objects.get(action="take-seating").reason == "3 repeated meetings instead of 18"


def test_once_a_table_has_started_it_is_not_taken(olga, challenge):
    ask(olga, challenge)
    work()
    cast.record(cast.table(challenge, 2, 1), 1)
    answer = olga.post(f"/t/{challenge.slug}/jobs/{challenge.jobs.get().pk}/take/", follow=True)
    assert "These tables changed since. Search again." in said(answer)
    assert meetings(challenge) == 12


def test_nor_when_somebody_has_left_since(challenge):
    found = better_seating.Result(**json.loads(search(challenge, lambda *_: None)))
    zoe = cast.entry(challenge, "Zoë")
    zoe.events.create(kind="drop", round=challenge.rounds.get(number=2), by=challenge.owner)
    with pytest.raises(Conflict, match="These tables changed since"):
        take_seating(
            tournament=challenge, versions=found.versions, seating=found.seating, reason="x", by=challenge.owner
        )


def test_it_tells_how_far_it_is_and_stops_at_its_time(challenge, monkeypatch):
    told, seconds = [], count()
    monkeypatch.setattr(golfers, "LONG_STARTS", 1000)
    search(challenge, lambda done, of, so_far: told.append((done, of, bool(so_far))), clock=lambda: next(seconds))
    assert told == [(second, SECONDS, True) for second in range(1, SECONDS + 1)]


def test_the_best_so_far_can_be_taken_while_it_runs(olga, challenge):
    ask(olga, challenge)
    content = search(challenge, lambda *_: None)
    Job.objects.update(
        state=Job.State.RUNNING, attempts=1, result=content, done=4, of=SECONDS, started_at=timezone.now()
    )
    page = said(olga.get(f"/t/{challenge.slug}/jobs/"))
    assert "Round 2: 3 repeat meetings so far, 18 now." in page
    assert olga.post(f"/t/{challenge.slug}/jobs/{challenge.jobs.get().pk}/take/").status_code == 200
    assert challenge.jobs.get().state == Job.State.DONE


def test_a_cancelled_search_stops_at_its_next_word_and_can_be_tried_again(olga, challenge, monkeypatch):
    ask(olga, challenge)
    job = challenge.jobs.get()
    looked = []

    def cancelled_meanwhile(tournament, progress):
        looked.append(olga.post(f"/t/{tournament.slug}/jobs/{job.pk}/cancel/").status_code)
        progress(1, SECONDS, b"{}")
        raise AssertionError("it went on")

    monkeypatch.setattr(jobs, "search", cancelled_meanwhile)
    work()
    job.refresh_from_db()
    assert (looked, job.state, job.reason, bytes(job.result)) == ([302], Job.State.FAILED, "It was cancelled.", b"")
    assert LogEntry.objects.filter(action="cancel-job").count() == 1
    monkeypatch.undo()
    olga.post(f"/t/{challenge.slug}/jobs/{job.pk}/retry/")
    work()
    job.refresh_from_db()
    assert result_of(job).will == 3


def test_where_nothing_can_be_seated_anew_it_is_refused_at_once(olga, challenge):
    for number in (1, 2):
        cast.record(cast.table(challenge, 2, number), 1)
    answer = ask(olga, challenge)
    assert answer.status_code == 409
    assert "Only one table hasn’t started" in said(answer)
    cast.record(cast.table(challenge, 2, 3), 1)
    with pytest.raises(Refused, match="Every table of round 2 has started"):
        better_seating.check(challenge)
    assert not challenge.jobs.exists()


def test_people_who_must_not_meet_do_not():
    players = list(range(12))
    past = [[players[:4], players[4:8], players[8:]]]
    apart = [(0, 1), (1, 2), (0, 2)]
    for _turn, tables in zip(range(5), golfers.better_rounds(players, 3, past, seed="x", apart=apart), strict=False):
        if tables is not None:
            assert not any(len({0, 1, 2} & set(table)) > 1 for table in tables)
    assert tables is not None
    assert sorted(chain(*tables)) == players


def test_a_search_ends_by_itself_where_nothing_can_be_better():
    found = list(golfers.better_rounds(list(range(16)), 4, [], seed="x"))
    assert len(found) == 1
    assert [len(table) for table in found[0]] == [4, 4, 4, 4]
