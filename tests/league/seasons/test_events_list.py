"""Which events count in a season: ticked together, named when they can't."""

from datetime import date, timedelta

import pytest

from league.models import Tournament
from league.seasons.seasons import DivisionWanted, create_season
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture
def season():
    club = cast.club(members=8)
    for number in range(1, 25):
        day = date(2026, 1, 1) + timedelta(days=number)
        Tournament.objects.create(
            club=club, owner=club.owner, name=f"Evening {number}", slug=f"e{number}", starts_on=day
        )
    return create_season(club=club, by=club.owner, name="League", divisions=[DivisionWanted("A"), DivisionWanted("B")])


@pytest.fixture
def olga(client, season):
    client.force_login(season.club.owner)
    return client


def tick(browser, season, do, who, **more):
    return browser.post(f"{season.get_absolute_url()}evenings/ticked/", {"do": do, "who": who, **more}, follow=True)


def counting(season):
    return dict(season.tournaments.values_list("slug", "division__name"))


def test_the_latest_come_first_twenty_at_a_time(olga, season):
    people = olga.get(f"{season.get_absolute_url()}evenings/").context["people"]
    assert [row.name for row in people.rows[:2]] == ["Evening 24", "Evening 23"] and people.rest == 4
    assert people.rows[0].line == "25 January 2026, counts: no"
    assert [action.label for action in people.bulk.actions] == ["Count", "Leave out", "For A", "For B"]


def test_several_count_for_all_or_a_division_and_no_more(olga, season):
    answer = tick(olga, season, "count", ["e1", "e2"], back="view=out")
    assert "2 tournaments count now: Evening 1 and Evening 2." in said(answer)
    assert answer.redirect_chain[-1][0] == f"{season.get_absolute_url()}evenings/?view=out"
    tick(olga, season, "for-2", ["e2", "e3"])
    assert counting(season) == {"e1": None, "e2": "B", "e3": "B"}
    text = said(tick(olga, season, "not", ["e2", "e9"]))
    assert "Evening 2 no longer counts. Unchanged: Evening 9." in text
    assert counting(season) == {"e1": None, "e3": "B"}


def test_what_counts_elsewhere_is_named_and_what_the_club_has_not_is_refused(olga, season):
    other = create_season(club=season.club, by=season.club.owner, name="Other")
    Tournament.objects.filter(slug="e5").update(season=other)
    assert "Evening 4 counts now. Evening 5 counts in another season." in said(
        tick(olga, season, "count", ["e4", "e5"])
    )
    for answer in (
        tick(olga, season, "count", []),
        tick(olga, season, "count", ["e1", "nothing"]),
        tick(olga, season, "for-9", ["e1"]),
        tick(olga, season, "count", ["e1"], colour="red"),
    ):
        assert answer.status_code == 422 and answer.context["refusal"]
    assert counting(season) == {"e4": None}


def test_a_double_tap_counts_once(olga, season):
    for _twice in range(2):
        assert "Evening 1 counts now." in said(tick(olga, season, "count", ["e1"], form_key="k"))
    assert counting(season) == {"e1": None}
