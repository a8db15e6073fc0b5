"""A season that was made by mistake is deleted, and one that has a history is not; its page is live by its evenings."""

from datetime import timedelta

import pytest
from django.utils import timezone

from league.lib.errors import Conflict
from league.log.club_in_words import in_words
from league.models import ClubLogEntry, ClubRole, Division, DivisionPlayer, Season, Tournament
from league.seasons.next_season import roll_over
from league.seasons.seasons import (
    DivisionWanted,
    change_season,
    close_season,
    delete_season,
    place_players,
    put_in_season,
    reopen_season,
    set_evenings,
)
from league.setup.call_off import call_off, hold_after_all
from tests import cast
from tests.api import Program
from tests.games.pages import said
from tests.league.seasons.test_season_table import ANA, BEN, came_to, evening, places, season_of

pytestmark = pytest.mark.django_db

__all__ = ["came_to"]  # a fixture

SEASONS = "/clubs/cafe-ludo/seasons/"
SEASON = SEASONS + "league-2026/"
API = f"/api/v1{SEASON}"


@pytest.fixture(scope="module", autouse=True)
def club_once(module_world):
    return cast.club(members=5)


@pytest.fixture
def club(club_once):
    return cast.again(club_once)


@pytest.fixture
def owner(client, club):
    client.force_login(club.owner)
    return client


# Deleting.


def test_a_season_that_was_made_by_mistake_is_deleted_with_its_divisions_and_the_log_says_so(owner, club):
    season = season_of(club, divisions=[DivisionWanted("Gold"), DivisionWanted("Silver")])
    gold = season.divisions.get(number=1)
    place_players(season=season, places={cast.member(club, ANA): gold}, by=club.owner)
    assert f"{SEASON}delete/" in owner.get(f"{SEASON}settings/").content.decode()
    asked = said(owner.get(f"{SEASON}delete/"))
    assert "Delete League 2026?" in asked and "1 player loses their division." in asked
    assert Season.objects.exists()
    answer = owner.post(f"{SEASON}delete/", follow=True)
    assert answer.redirect_chain == [(SEASONS, 302)]
    assert "“League 2026” deleted." in said(answer)
    assert not (Season.objects.exists() or Division.objects.exists() or DivisionPlayer.objects.exists())
    assert in_words(ClubLogEntry.objects.first()) == "Season “League 2026” deleted"
    assert owner.post(f"{SEASON}delete/").status_code == 404
    assert season_of(club).slug == "league-2026"


def test_while_an_evening_counts_in_it_a_season_stays_and_the_refusal_says_what_to_do(owner, club):
    season = season_of(club)
    evening(season, 1)
    page = owner.get(f"{SEASON}delete/")
    assert "“League 2026” has 1 tournament. Remove it from the season first" in said(page)
    assert f'href="{SEASON}evenings/"' in page.content.decode()
    assert "btn-danger" not in page.content.decode()
    assert owner.post(f"{SEASON}delete/").status_code == 409
    assert Program(club.owner).ask("delete", API).json()["code"] == "has-evenings"
    set_evenings(season=season, evenings=[], by=club.owner)
    assert owner.post(f"{SEASON}delete/").status_code == 302
    assert Tournament.objects.count() == 1


def test_a_season_that_has_ended_once_stays_also_when_it_was_reopened_and_emptied(owner, club, came_to):
    season = season_of(club)
    evening(season, 1)
    came_to["1"] = places(ANA, BEN)
    close_season(season=season, by=club.owner)
    assert "has ended before, so it can’t be deleted" in said(owner.get(f"{SEASON}delete/"))
    following = roll_over(season=season, by=club.owner).season
    with pytest.raises(Conflict, match="has ended before"):
        delete_season(season=season, by=club.owner)
    delete_season(season=following, by=club.owner)  # made by mistake: then the first can be reopened
    reopen_season(season=season, by=club.owner, reason="Too early")
    set_evenings(season=season, evenings=[], by=club.owner)
    assert owner.post(f"{SEASON}delete/").status_code == 409
    assert [one.pk for one in Season.objects.all()] == [season.pk]


def test_an_organiser_of_the_club_runs_a_season_and_does_not_delete_it(client, club):
    season_of(club)
    organiser = cast.someone_else()
    ClubRole.objects.create(club=club, user=organiser, kind=ClubRole.Kind.ORGANISER)
    client.force_login(organiser)
    assert "delete/" not in client.get(f"{SEASON}settings/").content.decode()
    assert client.post(f"{SEASON}delete/").status_code == 404
    assert Program(organiser).ask("delete", API).status_code == 404


def test_a_program_deletes_a_season_once(club):
    season_of(club)
    program = Program(club.owner)
    assert Program(club.owner, scope="read").ask("delete", API).status_code == 403
    answer = program.ask("delete", API)
    assert (answer.status_code, answer.content) == (204, b"")
    assert program.ask("delete", API).status_code == 404


def test_who_works_on_a_season_that_is_deleted_meanwhile_is_told(club):
    season = season_of(club)
    made = cast.tournament(4, club=club)
    delete_season(season=Season.objects.get(), by=club.owner)
    for work in (
        lambda: put_in_season(tournament=made, season=season, by=club.owner),
        lambda: set_evenings(season=season, evenings=[(made, None)], by=club.owner),
        lambda: change_season(season=season, name="League", by=club.owner),
    ):
        with pytest.raises(Conflict, match="was deleted"):
            work()


# Live.


def followed(client):
    """The slug of the evening by whose changes the season's page changes, and its version there."""
    page = client.get(SEASON)
    if not page.context["season"].follows:
        assert "live.js" not in page.content.decode()
        return None
    [follows] = page.context["season"].follows
    assert f'data-stream="/t/{follows.slug}/live/"' in page.content.decode()
    assert f'data-live data-shows="{follows.slug}"' in page.content.decode()
    assert "data-also" not in page.content.decode()
    return follows.slug, page.context["live_version"]


def test_the_page_follows_the_evening_that_goes_on_else_the_last_whose_day_has_come(client, club):
    season = season_of(club)
    assert followed(client) is None
    first, second, third = (evening(season, number) for number in (1, 2, 3))
    today = timezone.localdate()
    Tournament.objects.filter(pk=third.pk).update(starts_on=today + timedelta(days=30), state="planned")
    assert followed(client)[0] == second.slug
    Tournament.objects.filter(pk=first.pk).update(state="running")
    assert followed(client) == (first.slug, Tournament.objects.get(pk=first.pk).log_head.number)
    Tournament.objects.filter(pk=first.pk).update(state="closed")
    Tournament.objects.filter(pk=third.pk).update(starts_on=today)
    assert followed(client)[0] == third.slug


def test_the_page_follows_each_of_several_that_go_on(client, club):
    season = season_of(club)
    first, second = (evening(season, number, state="running") for number in (1, 2))
    number = Tournament.objects.get(pk=second.pk).log_head.number
    page = client.get(SEASON).content.decode()
    assert f'data-stream="/t/{first.slug}/live/"' in page
    assert f'data-also="/t/{second.slug}/live/={number} "' in page
    assert f'data-shows="{first.slug} {second.slug}"' in page


def test_nobody_follows_an_evening_that_they_may_not_find(client, club):
    season = season_of(club)
    evening(season, 1)
    hidden = evening(season, 2, state="running", visibility="private")
    page = client.get(SEASON)
    assert [one.slug for one in page.context["season"].follows] == [f"evening-{season.pk}-1"]
    assert hidden.slug not in page.content.decode()
    client.force_login(club.owner)
    assert followed(client)[0] == hidden.slug


# Ending.


def test_what_was_called_off_leaves_a_season_that_ends_and_can_be_held_in_the_next(owner, club, came_to):
    season = season_of(club)
    evening(season, 1)
    came_to["1"] = places(ANA, BEN)
    off = cast.tournament(4, club=club, name="Rained out")
    put_in_season(tournament=off, season=season, by=club.owner)
    call_off(tournament=off, reason="Rain", by=club.owner)
    assert "Cancelled, leaves the season: Rained out." in said(owner.get(f"{SEASON}close/"))
    assert owner.post(f"{SEASON}close/").status_code == 302
    following = roll_over(season=season, by=club.owner).season
    off.refresh_from_db()
    assert off.season is None
    hold_after_all(tournament=off, by=club.owner)
    put_in_season(tournament=off, season=following, by=club.owner)
    page = said(owner.get(SEASON))
    assert "Later corrections" not in page and f"Next season: {following.name}" in page


# On a tournament's own page.


def test_the_overview_of_an_evening_says_in_which_season_it_counts(client, club):
    season = season_of(club, divisions=[DivisionWanted("Gold"), DivisionWanted("Silver")])
    made = cast.tournament(4, club=club)
    page = f"/t/{made.slug}/"
    assert SEASON not in client.get(page).content.decode()
    put_in_season(tournament=made, season=season, division=season.divisions.get(number=2), by=club.owner)
    assert f'href="{SEASON}"' in client.get(page).content.decode()
    assert "League 2026 This tournament counts for Silver." in said(client.get(page))
    client.force_login(club.owner)
    assert "League 2026 This tournament counts for Silver." in said(client.get(page))
    assert SEASON not in client.get(f"{page}standings/").content.decode()


def test_a_season_of_a_private_club_is_named_only_to_who_may_see_the_club(client, club):
    made = cast.tournament(4, club=club)
    put_in_season(tournament=made, season=season_of(club), by=club.owner)
    club.visibility = "private"
    club.save(update_fields=["visibility"])
    assert "League 2026" not in client.get(f"/t/{made.slug}/").content.decode()
    client.force_login(club.owner)
    assert "League 2026" in client.get(f"/t/{made.slug}/").content.decode()
