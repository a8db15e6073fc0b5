"""Members who are ticked: removed together, joined when they are two, placed in a division."""

import pytest

from league.clubs.members import add_members, remove_member
from league.clubs.merge import merge
from league.entries.roster.rows import RosterRow
from league.models import ClubLogEntry, Player
from league.seasons.seasons import DivisionWanted, create_season
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def club_once(module_world):
    club = cast.club(members=8)
    add_members(club=club, players=cast.people(60)[8:], by=club.owner)
    return club


@pytest.fixture
def club(club_once):
    return cast.again(club_once)


@pytest.fixture
def olga(client):
    client.force_login(cast.organiser())
    return client


def page(club):
    return f"/clubs/{club.slug}/players/"


def people(browser, club, query=""):
    return browser.get(page(club) + query).context["people"]


def ids(club, *names):
    return [cast.member(club, name).public_id for name in names]


def tick(browser, club, do, who, **more):
    return browser.post(f"{page(club)}ticked/", {"do": do, "who": who, **more}, follow=True)


def names(club):
    return set(club.members.filter(merged_into=None).values_list("name", flat=True))


def test_sixty_members_are_shown_twenty_at_a_time_with_how_often_they_played(client, olga, club):
    cast.play(cast.tournament(club=club), rounds=1)
    shown = people(olga, club)
    assert len(shown.rows) == 20 and shown.of_all == "1 to 20 of 60"
    assert [view.label for view in shown.views] == ["All 60", "Have played 8", "Not yet 52"]
    first = shown.rows[0]
    assert (first.name, first.line, first.cells) == (
        "Ana Lucía",
        "1 tournament, 24 November 2026",
        ("1", "24 November 2026"),
    )
    assert first.url == f"{page(club)}{first.id}/" and first.link.url == f"{page(club)}{first.id}/edit/"
    assert people(olga, club, "?view=new").rows[0].line == "No tournament yet"
    client.logout()
    stranger = people(client, club)
    assert stranger.bulk is None and stranger.rows[0].link is None


def test_several_are_removed_after_a_question_and_who_has_played_is_a_guest(olga, club):
    cast.play(cast.tournament(club=club), rounds=1)
    who = ids(club, "Farah", "Player 60")
    asked = tick(olga, club, "remove", who, back="view=played")
    assert "Remove 2 members?" in said(asked) and "Farah and Player 60. Their results" in said(asked)
    assert {"Farah", "Player 60"} <= names(club)
    ask = asked.context["ask"]
    done = olga.post(ask.url, dict(ask.hidden) | {"who": who}, follow=True)
    assert "2 are no longer members: Farah and Player 60." in said(done)
    assert done.redirect_chain[-1][0] == f"{page(club)}?view=played"
    assert len(names(club)) == 58 and Player.objects.filter(name="Farah").exists()
    assert not Player.objects.filter(name="Player 60").exists()


def test_who_has_left_or_was_joined_meanwhile_is_named(olga, club):
    farah, chidi, zoe, ana = (cast.member(club, name) for name in ("Farah", "Chidi", "Zoë", "Ana Lucía"))
    who = [farah.public_id, chidi.public_id, zoe.public_id]
    remove_member(player=chidi, by=club.owner)
    merge(target=ana, source=zoe, by=club.owner)
    text = said(tick(olga, club, "remove", who, sure="yes"))
    assert "Farah is no longer a member. Chidi and Zoë had already left." in text
    alone = tick(olga, club, "remove", [chidi.public_id])
    assert alone.status_code == 409 and "Chidi had already left." in said(alone)
    assert "Ana Lucía" in names(club)


def test_a_double_tap_removes_once(olga, club):
    who = ids(club, "Farah")
    for _twice in range(2):
        assert "Farah is no longer a member." in said(tick(olga, club, "remove", who, sure="yes", form_key="k"))
    assert ClubLogEntry.objects.filter(action="remove-member").count() == 1


def test_two_who_are_one_person_lead_to_the_page_that_joins_them(olga, club):
    add_members(club=club, players=[RosterRow(1, "Farah Nouri")], by=club.owner)
    one, other = ids(club, "Farah", "Farah Nouri")
    answer = tick(olga, club, "join", [other, one])
    assert answer.redirect_chain == [(f"{page(club)}{one}/merge/?with={other}", 302)] and answer.status_code == 200
    for who in ([one], ids(club, "Farah", "Zoë", "Chidi")):
        refused = tick(olga, club, "join", who)
        assert refused.status_code == 422 and "Tick exactly two records" in said(refused)
        assert refused.context["people"].filters.ticked == frozenset(who)


def test_they_are_placed_where_a_season_has_divisions(olga, club):
    assert [one.value for one in people(olga, club).bulk.actions] == ["join", "cards", "remove"]
    assert tick(olga, club, "place", ids(club, "Farah")).status_code == 409
    divisions = [DivisionWanted("A"), DivisionWanted("B")]
    create_season(club=club, by=club.owner, name="League", divisions=divisions)
    assert [one.label for one in people(olga, club).bulk.actions] == ["Division", "Merge", "Print cards", "Remove"]
    farah, zoe = ids(club, "Farah", "Zoë")
    answer = tick(olga, club, "place", [farah, zoe])
    assert answer.redirect_chain == [(f"/clubs/{club.slug}/seasons/league/players/?who={farah}&who={zoe}", 302)]


def test_two_members_of_one_name_are_two(olga, club):
    club.members.filter(name="Chidi").update(name="Zoë")
    one, other = club.members.filter(name="Zoë").order_by("pk")
    assert [row.id for row in people(olga, club, "?q=zoe").rows] == [one.public_id, other.public_id]
    tick(olga, club, "remove", [other.public_id], sure="yes")
    assert list(club.members.filter(name="Zoë")) == [one]


def test_strangers_to_the_club_and_unknown_ids_fields_and_actions_change_nothing(client, olga, club):
    elsewhere = cast.member(cast.club(name="Elsewhere", members=8), "Farah").public_id
    farah = ids(club, "Farah")
    for answer in (
        tick(olga, club, "remove", [], sure="yes"),
        tick(olga, club, "remove", [*farah, elsewhere], sure="yes"),
        tick(olga, club, "remove", [*farah, "\0"], sure="yes"),
        tick(olga, club, "fly", farah),
        tick(olga, club, "remove", farah, sure="yes", colour="red"),
    ):
        assert answer.status_code == 422 and answer.context["refusal"]
    client.force_login(cast.someone_else())
    assert tick(client, club, "remove", farah, sure="yes").status_code == 404
    assert "Farah" in names(club)
