"""Calling off after a round was published, ending early, and what is excluded from ratings and its season."""

from datetime import date, timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.core import mail
from django.test import Client
from django.utils import timezone

from league import letters
from league.access.signed_links import player_token, screen_token
from league.access.viewer import Attribution
from league.background import deadlines
from league.entries.sign_up import set_sign_up, sign_up
from league.lib.errors import Conflict, Refused
from league.models import Deadline, RatingPoint, Role, Round, Tournament
from league.ratings.compute import recompute_ratings
from league.rounds.clock import start_clock
from league.rounds.pause import pause
from league.rounds.steps import advance, end_early, reopen_tournament, start
from league.rounds.time_left import clock_of
from league.seasons.seasons import close_season, create_season, put_in_season
from league.seasons.table import season_table
from league.setup.call_off import call_off, hold_after_all
from league.setup.count_in_club import set_counts
from tests import cast
from tests.api import Program
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga(client):
    client.force_login(cast.organiser())
    return client


@pytest.fixture(scope="module", autouse=True)
def begun_once(module_world):
    made = cast.tournament(starts_on=date(2036, 11, 24))
    start(tournament=made, by=made.owner)
    return made


@pytest.fixture
def begun(begun_once):
    return cast.again(begun_once)


# What the upgrade makes of tournaments that are there.


def test_the_upgrade_knows_what_was_called_off_paused_and_ended_early():
    off, paused, early, reopened = (cast.tournament(name=f"Evening {number}") for number in range(4))
    for made in (paused, early, reopened):
        cast.play(made, rounds=1)
    Tournament.objects.filter(pk__in=(off.pk, paused.pk)).update(paused_at=timezone.now())
    for made in (early, reopened):
        end_early(tournament=made, reason="The hall closes", by=made.owner)
    reopen_tournament(tournament=reopened, reason="They let us stay", by=reopened.owner)
    Tournament.objects.update(ended_early=False)
    import_module("league.migrations.0016_what_does_not_go_on").say_what_was_known(apps, None)
    assert list(Tournament.objects.filter(is_called_off=True)) == [off]
    assert list(Tournament.objects.filter(ended_early=True)) == [early]


# Called off with a round that was published.


def test_with_a_round_published_it_is_called_off_until_a_hand_counts_and_every_page_says_so(olga, begun):
    at = f"/t/{begun.slug}/"
    link = f"/me/{player_token(cast.entry(begun, 'Farah'))}/"
    farah = Client()
    farah.post(link)
    olga.post(f"{at}call-off/", {"do": "off", "reason": "Power cut"})
    for browser, page in (
        (olga, at),
        (Client(), at),
        (Client(), f"{at}seating/"),
        (Client(), f"/screen/{screen_token(begun)}/"),
        (farah, f"{at}me/"),
        (olga, f"/tables/{cast.table(begun, 1, 1).pk}/"),
    ):
        seen = said(browser.get(page))
        assert "Cancelled" in seen and "Power cut" in seen, page
    assert "Cancelled" in said(Client().get("/")) and "Cancelled" in said(farah.get("/"))
    assert "STATUS:CANCELLED" in Client().get(f"{at}calendar.ics").content.decode()
    assert "Still playing" not in said(Client().get(f"/screen/{screen_token(begun)}/"))
    assert "Enter hand" not in said(farah.get(f"{at}me/"))
    assert Program().get(f"/api/v1/tournaments/{begun.slug}/")["called_off"] == "Power cut"

    olga.post(f"{at}call-off/", {"do": "hold"})
    assert "Cancelled" not in said(Client().get(at)) and "Round 1" in said(Client().get(at))
    cast.record(cast.table(begun, 1, 1), 1)
    refused = olga.post(f"{at}call-off/", {"do": "off", "reason": "It is late"})
    assert refused.status_code == 409 and 'value="It is late"' in refused.content.decode()
    assert "Hands are recorded. End the tournament early" in said(refused)
    begun.refresh_from_db()
    assert not begun.is_called_off


def test_a_reason_that_is_missing_is_asked_for_where_it_was_to_be_typed(olga, begun):
    answer = olga.post(f"/t/{begun.slug}/call-off/", {"do": "off", "reason": " "})
    assert answer.status_code == 422 and "Give a reason. Everyone can read it." in said(answer)
    begun.refresh_from_db()
    assert not begun.is_called_off


def test_a_hand_that_was_taken_back_does_not_count(begun):
    hand = cast.record(cast.table(begun, 1, 1), 1).hand
    with pytest.raises(Conflict, match="Hands are recorded"):
        call_off(tournament=begun, reason="Power cut", by=begun.owner)
    from games.hands.correct import void_hand

    void_hand(hand_id=hand.pk, version=None, reason="Wrong table", by=Attribution(begun.owner))
    call_off(tournament=begun, reason="Power cut", by=begun.owner)


def test_clock_and_times_stand_still_while_it_is_called_off_and_go_on_when_it_is_held(begun):
    owner = begun.owner
    start_clock(tournament=begun, minutes=30, shown=clock_of(begun.rounds.get(number=1)).shown, by=owner)
    in_an_hour = timezone.now() + timedelta(hours=1)
    Deadline.objects.create(kind="publish-round", tournament=begun, round=begun.rounds.get(number=2), due_at=in_an_hour)
    call_off(tournament=begun, reason="Power cut", by=owner)
    assert clock_of(begun.rounds.get(number=1)).state == "stands"
    deadlines.sweep(in_an_hour)
    assert begun.rounds.get(number=2).state == Round.State.DRAFT
    with pytest.raises(Conflict, match="The tournament is cancelled"):
        advance(tournament=begun, token="close-1", by=owner)
    with pytest.raises(Conflict, match="Nothing has been played yet"):
        end_early(tournament=begun, reason="Enough", by=owner)
    hold_after_all(tournament=begun, by=owner)
    assert clock_of(begun.rounds.get(number=1)).state == "runs"


def test_no_clock_is_started_while_it_is_called_off(begun):
    call_off(tournament=begun, reason="Power cut", by=begun.owner)
    shown = clock_of(begun.rounds.get(number=1)).shown
    with pytest.raises(Conflict, match="The tournament is cancelled"):
        start_clock(tournament=begun, minutes=30, shown=shown, by=begun.owner)


def test_a_pause_goes_into_it_and_no_pause_takes_its_place(olga, begun):
    pause(tournament=begun, reason="Supper", by=begun.owner)
    call_off(tournament=begun, reason="Power cut", by=begun.owner)
    answer = olga.post(f"/t/{begun.slug}/day/pause/", {"do": "pause", "reason": "Supper"})
    assert answer.status_code == 409 and "The tournament is cancelled" in said(answer)
    day = said(olga.get(f"/t/{begun.slug}/manage/"))
    assert "Pause play" not in day and "End the tournament early" not in day
    hold_after_all(tournament=begun, by=begun.owner)
    begun.refresh_from_db()
    assert begun.paused_at is None


def test_who_signed_up_for_what_had_begun_learns_of_both():
    made = cast.tournament(players=4, starts_on=date(2036, 11, 24))
    set_sign_up(tournament=made, capacity=8, by=made.owner)
    sign_up(tournament=made, name="Zoe", email="zoe@example.org", site="http://testserver/")
    start(tournament=made, by=made.owner)
    later = timezone.now() + timedelta(hours=1)
    letters.send(later)
    mail.outbox.clear()
    call_off(tournament=made, reason="Power cut", by=made.owner)
    letters.send(later)
    hold_after_all(tournament=made, by=made.owner)
    letters.send(later)
    assert [one.subject for one in mail.outbox] == [
        "Cancelled: Autumn Pairs",
        "Reinstated: Autumn Pairs",
    ]


def test_what_is_called_off_stands_behind_what_is_on_and_to_come_in_its_club(olga):
    club = cast.club()
    made = cast.tournament(club=club, name="Off", starts_on=date(2036, 11, 24))
    start(tournament=made, by=made.owner)
    call_off(tournament=made, reason="Power cut", by=made.owner)
    context = olga.get(f"/clubs/{club.slug}/").context
    assert context["on_now"] == [] and [one.tournament for one in context["coming"]] == [made]
    assert context["nearest"] is None


# Ended early.


def test_what_is_ended_early_leaves_the_first_page_and_stays_at_its_address_in_its_club_and_in_the_account(olga):
    club = cast.club()
    made = cast.tournament(club=club, name="Short Night")
    at = f"/t/{made.slug}/"
    assert "Nothing has been played yet." in said(olga.get(f"{at}settings/"))
    start(tournament=made, by=made.owner)
    assert "No hand counts yet. Cancel the tournament" in said(olga.get(f"{at}settings/"))
    cast.record(cast.table(made, 1, 1), 1)
    assert "count for ratings and seasons" in said(olga.get(f"{at}settings/"))
    preview = olga.post(f"{at}day/end/", {"reason": "The hall closes"})
    olga.post(f"{at}day/end/", {"reason": "The hall closes", "shown": preview.context["moves"].digest})
    made.refresh_from_db()
    assert made.is_final and made.ended_early
    assert "Short Night" not in said(olga.get("/")) and "Short Night" not in said(Client().get("/"))
    assert "Final standings" in said(Client().get(at))
    assert "Short Night" in said(Client().get(f"/clubs/{club.slug}/"))
    assert "Short Night" in said(olga.get("/accounts/"))
    olga.post(f"{at}reopen/", {"reason": "They let us stay"})
    assert "Short Night" in said(Client().get("/")) and "Ended early" not in said(olga.get("/accounts/"))


def test_what_came_to_its_planned_end_stays_on_the_first_page():
    made = cast.play(cast.tournament(rounds=1))
    advance(tournament=made, token="finish", by=made.owner)
    made.refresh_from_db()
    assert made.is_final and "Autumn Pairs" in said(Client().get("/"))


def test_a_program_ends_early_with_a_reason():
    made = cast.play(cast.tournament(), rounds=1)
    program, at = Program(made.owner), f"/api/v1/tournaments/{made.slug}"
    ended = program.post(f"{at}/end-early/", {"reason": "The hall closes"}, key="once")
    assert ended["state"] == "closed" and ended["ended_early"] is True


# Taken out of ratings and of its season.


@pytest.fixture(scope="module", autouse=True)
def evening_once(module_world):
    club = cast.club(members=8)
    made = cast.play(cast.tournament(club=club, rounds=1))
    advance(tournament=made, token="finish", by=made.owner)
    season = create_season(club=club, by=club.owner, name="Autumn")
    return put_in_season(tournament=made, season=season, by=club.owner)


@pytest.fixture
def evening(evening_once):
    return cast.again(evening_once)


def test_the_owner_takes_it_out_of_ratings_and_its_season_and_lets_it_count_again(olga, evening):
    club, season, at = evening.club, evening.season, f"/t/{evening.slug}/"
    recompute_ratings(club=club)
    assert RatingPoint.objects.exists() and len(season_table(season).evenings) == 1
    done = olga.post(f"{at}counts/", {}, follow=True)
    assert "It no longer counts in ratings or seasons." in said(done)
    recompute_ratings(club=club)
    assert not RatingPoint.objects.exists() and not season_table(season).evenings
    log = said(olga.get(f"{at}log/"))
    assert "Counts in ratings and seasons" in log and "Removed from the season “Autumn”" in log
    assert "24 Nov" in said(olga.get(f"/clubs/{club.slug}/"))  # its evening and its standings stay
    with pytest.raises(Refused, match="excluded from ratings"):
        put_in_season(tournament=evening, season=season, by=club.owner)
    olga.post(f"{at}counts/", {"counts": "on"})
    recompute_ratings(club=club)
    assert RatingPoint.objects.exists()
    put_in_season(tournament=evening, season=season, by=club.owner)
    assert len(season_table(season).evenings) == 1


def test_a_season_that_has_ended_keeps_it_and_nothing_is_changed(olga, evening):
    close_season(season=evening.season, by=evening.club.owner)
    refused = olga.post(f"/t/{evening.slug}/counts/", {})
    assert refused.status_code == 409 and "The season “Autumn” has ended. Reopen it first." in said(refused)
    evening.refresh_from_db()
    assert evening.counts_in_club and evening.season is not None


def test_only_the_owner_takes_it_out_and_others_read_who_that_is(client, evening):
    sven = cast.someone_else()
    Role.objects.create(tournament=evening, user=sven, kind=Role.Kind.ORGANISER)
    client.force_login(sven)
    assert "Only its owner can change that: Olga" in said(client.get(f"/t/{evening.slug}/settings/"))
    assert client.post(f"/t/{evening.slug}/counts/", {}).status_code == 404
    assert Tournament.objects.get(pk=evening.pk).counts_in_club


def test_a_program_of_the_owner_takes_it_out(evening):
    at = f"/api/v1/tournaments/{evening.slug}"
    assert Program(evening.owner).post(f"{at}/counts/", {"counts": False})["counts_in_club"] is False
    Program(evening.owner).post(f"{at}/counts/", {}, status=400)
    set_counts(tournament=evening, counts=False, by=evening.owner)  # as it is: nothing happens
    assert evening.log.filter(action="settings").count() == 1
