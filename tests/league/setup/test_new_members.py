"""Ticking a club's members while a tournament is made: those of last time are ticked, names and ticks count."""

from datetime import date

import pytest
from django.test import Client

from league.clubs.members import add_members, remove_member
from league.models import Tournament
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db

FORM = {
    "format": "challenge",
    "edition": "classic",
    "starts_on": "2026-11-24",
    "time_zone": "UTC",
    "visibility": "public",
    "table_size": "4",
    "target": "500",
    "without_names": "nobody",
}
PART = {"hx-request": "true", "hx-target": "people-list"}


@pytest.fixture(scope="module", autouse=True)
def club_once(module_world):
    """Sixty members; the cast played the last event, and no one the one before."""
    club = cast.club(members=8)
    cast.play(cast.tournament(club=club), rounds=1)
    add_members(club=club, players=cast.people(60)[8:], by=club.owner)
    cast.tournament(club=club, players=0, name="Planned", starts_on=date(2027, 1, 1))
    return club


@pytest.fixture
def club(club_once):
    return cast.again(club_once)


@pytest.fixture
def olga():
    browser = Client()
    browser.force_login(cast.organiser())
    return browser


def ids(club, *names):
    return [cast.member(club, name).public_id for name in names]


def counted(browser, host, **answers):
    data = FORM | {"format": "", "club": host.slug, "members_of": host.slug} | answers
    return browser.post("/new/evening/", data)


def made(browser, host, **answers):
    answer = browser.post("/new/", FORM | {"club": host.slug} | answers, follow=True)
    return answer, Tournament.objects.order_by("-pk").first()


def names(tournament):
    return [str(entry) for entry in tournament.entries.order_by("number")]


def test_last_time_is_the_first_view_and_everybody_of_it_is_ticked(olga, club):
    page = olga.get(f"/new/?club={club.slug}").context["new"]
    assert [(view.label, view.is_chosen) for view in page.members.people.views] == [
        ("Last time 8", True),
        ("All 60", False),
    ]
    assert [row.name for row in page.members.people.rows if row.is_ticked] == list(cast.CAST)
    assert page.members.people.rows[0].line == "last on 24 November 2026"
    assert page.who_counts == "On the list: 8. This number isn’t used."
    assert page.in_short.players == "8 players"
    assert page.members.ticked == "Ana Lucía, Benoît, Chidi and 5 more" and not page.members.is_open


def test_without_a_club_nobody_is_to_be_ticked(olga):
    page = olga.get("/new/")
    assert page.context["new"].members is None and "Members of" not in said(page)


def test_the_number_counts_names_and_ticks_and_whoever_is_both_once(olga, club):
    answer = counted(olga, club, players="Kim\nzoe\nLou", member=ids(club, "Zoë", "Farah", "Player 50"))
    page = answer.context["new"]
    assert page.who_counts == "On the list: 5. This number isn’t used."
    assert page.names == 5  # which the field shows
    assert page.members.ticked == "Farah, Player 50 and Zoë"
    assert counted(olga, club).context["new"].members.ticked == "no one"
    assert 'id="new-members"' not in answer.content.decode()  # the ticks on the page stay


def test_another_club_brings_its_own_members(olga, club):
    answer = counted(olga, club, members_of="")
    assert 'id="new-members"' in answer.content.decode()
    assert answer.context["new"].who_counts == "On the list: 8. This number isn’t used."
    none = counted(olga, club, club="", member=ids(club, "Farah"))
    assert none.context["new"].members is None and none.context["new"].names == 0


def test_members_are_searched_and_shown_twenty_at_a_time(olga, club):
    address = f"/new/members/?club={club.slug}"
    part = olga.get(f"{address}&view=all", headers=PART)
    assert part.context["people"].next_label == "Show next 20" and "<html" not in part.content.decode()
    assert part.context["people"].next_url == f"{address}&view=all&shown=40"
    found = olga.get(f"{address}&view=all&q=er+55", headers=PART)
    assert [row.name for row in found.context["people"].rows] == ["Player 55"]
    assert olga.get(address).url == f"/new/?club={club.slug}"
    sven = Client()
    sven.force_login(cast.someone_else())
    assert sven.get(address, headers=PART).status_code == 404


def test_members_and_names_are_on_the_list_in_one_step(olga, club):
    answer, evening = made(olga, club, players="Kim\nZoë", member=ids(club, "Farah", "Zoë", "Player 60"))
    assert set(names(evening)) == {"Farah", "Zoë", "Player 60", "Kim"}
    assert "Typed and ticked, so added once: Zoë." in said(answer)
    assert {entry.player.club for entry in evening.entries.select_related("player")} == {club, None}
    assert answer.redirect_chain[-1][0] == evening.get_absolute_url()


def test_ticks_alone_make_a_tournament_too_and_nobody_at_all_leads_to_the_list(olga, club):
    _answer, evening = made(olga, club, member=ids(club, "Farah", "Zoë", "Chidi", "Benoît"))
    assert len(names(evening)) == 4
    answer, empty = made(olga, club, name="Empty")
    assert names(empty) == [] and answer.redirect_chain[-1][0] == f"/t/{empty.slug}/players/"


def test_who_left_the_club_meanwhile_and_members_of_another_club_are_not_entered(olga, club):
    who = ids(club, "Farah", "Zoë", "Chidi", "Benoît", "Émilie")
    remove_member(player=cast.member(club, "Farah"), by=None)
    elsewhere = cast.member(cast.club(name="Elsewhere", members=8), "Xiaoming").public_id
    _answer, evening = made(olga, club, member=[*who, elsewhere, "x' OR"])
    assert set(names(evening)) == {"Zoë", "Chidi", "Benoît", "Émilie"}


def test_two_members_of_one_name_both_play(olga, club):
    club.members.filter(name="Chidi").update(name="Zoë")
    two = [member.public_id for member in club.members.filter(name="Zoë")]
    _answer, evening = made(olga, club, member=[*two, *ids(club, "Farah", "Benoît")])
    assert len(names(evening)) == 4


def test_a_refused_form_keeps_what_was_ticked(olga, club):
    answer, _none = made(olga, club, starts_on="never", member=ids(club, "Farah", "Player 55"))
    assert answer.status_code == 422
    people = answer.context["new"].members.people
    assert [row.name for row in people.rows if row.is_ticked] == ["Farah"]
    assert people.elsewhere == tuple(ids(club, "Player 55"))


def test_a_double_tap_makes_one(olga, club):
    before = Tournament.objects.count()
    for _twice in range(2):
        made(olga, club, member=ids(club, "Farah", "Zoë", "Chidi", "Benoît"), form_key="k")
    assert Tournament.objects.count() == before + 1


def test_where_teams_play_ticks_are_not_used(olga, club):
    page = counted(olga, club, format="teams", players="Blue: Ana, Ben\nRed: Kim, Lou", member=ids(club, "Farah"))
    assert (
        page.context["new"].names == 0 and page.context["new"].who_counts == "On the list: 2. This number isn’t used."
    )
