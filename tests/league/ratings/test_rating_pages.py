"""The pages of ratings: who sees which, what a change of results shows meanwhile, the chart, CSV and API."""

import csv
import io
from datetime import UTC, datetime, timedelta

import pytest

from league.clubs.merge import merge
from league.lib.charts import band_chart
from league.models import Club, Player, RatingPoint, Tournament
from league.ratings.compute import recompute_ratings
from tests import cast
from tests.games.pages import said
from tests.league.ratings.test_ratings import evening

pytestmark = pytest.mark.django_db

ANA, BENOIT, CHIDI, DORDE = cast.CAST[:4]


@pytest.fixture(scope="module", autouse=True)
def club_once(module_world):
    """Four members with settled ratings after one evening: 1600 ± 78, 1550, 1550 and 1500, in the order of the cast."""
    made = Club.objects.create(slug="ludo", name="Café Ludo", owner=cast.organiser())
    Player.objects.bulk_create(Player(name=name, club=made, profile_is_public=name != DORDE) for name in cast.CAST)
    evening(made, 1)
    recompute_ratings(club=made)
    made.refresh_from_db()
    for name, mu in ((ANA, 30.0), (BENOIT, 27.5), (CHIDI, 27.5), (DORDE, 25.0)):
        RatingPoint.objects.filter(player__name=name).update(mu=mu, sigma=2.0)
    return made


@pytest.fixture
def club(club_once):
    return cast.again(club_once)


def player(name):
    return Player.objects.get(name=name, club__slug="ludo")


def listed(client, club):
    """[(rank, name, figure, ±)] as the page has them, or as the CSV does, which has the same."""
    text = client.get(f"/clubs/{club.slug}/ratings.csv").content.decode()
    rows = [(row["rank"], row["player"], row["rating"], row["within"]) for row in csv.DictReader(io.StringIO(text))]
    page = said(client.get(f"/clubs/{club.slug}/ratings/"))
    assert all(f"{name} " in page and figure in page for _rank, name, figure, _within in rows)
    return rows


def test_the_club_s_people_see_everybody_the_highest_first(club, client):
    client.force_login(club.owner)
    assert listed(client, club) == [
        ("1", ANA, "1600", "78"),
        ("2", BENOIT, "1550", "78"),
        ("2", CHIDI, "1550", "78"),
        ("4", DORDE, "1500", "78"),
    ]


def test_strangers_see_who_has_a_public_profile_by_the_name_they_chose_and_with_the_same_ranks(club, client):
    Player.objects.filter(name=ANA).update(profile_is_public=False)
    Player.objects.filter(name=CHIDI).update(name="Chidi Obi Okafor", short_name=True)
    assert listed(client, club) == [("2", BENOIT, "1550", "78"), ("2", "Chidi O.", "1550", "78")]
    assert "2 more ratings for members only." in said(client.get("/clubs/ludo/ratings/"))
    hidden, shown = player(DORDE).public_id, player("Chidi Obi Okafor").public_id
    assert client.get(f"/clubs/ludo/ratings/{hidden}/").status_code == 404
    assert client.get(f"/clubs/ludo/ratings/{hidden}/history.csv").status_code == 404
    page = client.get(f"/clubs/ludo/ratings/{shown}/")
    assert page.status_code == 200
    assert "Obi" not in said(page)


def test_who_hides_a_rating_is_left_out_for_everybody_else_and_moves_the_others_up(club, client):
    them = player(ANA)
    Player.objects.filter(pk=them.pk).update(is_rated=False, user=cast.someone_else())
    client.force_login(club.owner)
    assert [row[:2] for row in listed(client, club)] == [("1", BENOIT), ("1", CHIDI), ("3", DORDE)]
    assert client.get(f"/clubs/ludo/ratings/{them.public_id}/").status_code == 404
    client.force_login(cast.someone_else())
    assert listed(client, club)[0] == ("", ANA, "1600", "78")
    page = said(client.get(f"/clubs/ludo/ratings/{them.public_id}/"))
    assert "Only you see this rating. It isn’t used for seeding." in page


def test_a_provisional_rating_has_no_rank(club, client):
    RatingPoint.objects.filter(player__name=ANA).update(sigma=8.0)
    client.force_login(club.owner)
    assert listed(client, club)[-1] == ("", ANA, "1600", "314")
    page = client.get(f"/clubs/ludo/ratings/{player(ANA).public_id}/")
    assert "Provisional" in said(page)
    assert "between 1286 and 1914" in said(page)


def test_a_player_s_page_tells_what_each_evening_moved(club, client):
    club.tournaments.update(visibility="private")
    evening(club, 2)
    recompute_ratings(club=club)
    client.force_login(club.owner)
    page = client.get(f"/clubs/ludo/ratings/{player(ANA).public_id}/")
    assert said(page).index("Evening 2") < said(page).index("Evening 1")
    assert page.context["chart"].labels
    client.logout()
    address = f"/clubs/ludo/ratings/{player(ANA).public_id}/"
    assert "A private tournament" in said(client.get(address))
    assert "Evening 1" not in said(client.get(address))
    rows = list(csv.DictReader(io.StringIO(client.get(f"{address}history.csv").content.decode())))
    assert [row["tournament"] for row in rows] == ["", "Evening 2"]
    assert sum(int(row["change"]) for row in rows) == int(rows[-1]["rating"]) - 1500


def test_the_latest_year_is_shown_and_on_request_all(club, client):
    evening(club, 2)
    recompute_ratings(club=club)
    first = RatingPoint.objects.filter(table__round__tournament__name="Evening 1")
    first.update(at=datetime(2020, 12, 31, 23, 30, tzinfo=UTC))
    Club.objects.update(time_zone="Pacific/Auckland")  # it was New Year there already
    address = f"/clubs/ludo/ratings/{player(ANA).public_id}/"
    latest = RatingPoint.objects.latest("at").at + timedelta(hours=13)
    assert "Evening 1" not in said(client.get(address))
    everything = client.get(f"{address}?all=1")
    assert "Evening 1" in said(everything)
    assert "Jan 2021" in said(everything)
    assert str(latest.year) in said(everything)


def test_the_pages_say_how_far_the_computing_is(club, client):
    assert "to go" not in said(client.get("/clubs/ludo/ratings/"))
    evening(club, 2, players=8)
    assert "Updating: 2 tables to go." in said(client.get("/clubs/ludo/ratings/"))
    recompute_ratings(club=club)
    assert "to go" not in said(client.get("/clubs/ludo/ratings/"))


def test_the_address_of_a_merged_record_leads_to_the_one_that_stayed(club, client):
    gone = Player.objects.create(name="Ana L.", club=club)
    merge(target=player(ANA), source=gone, by=club.owner)
    answer = client.get(f"/clubs/ludo/ratings/{gone.public_id}/")
    assert answer.headers["Location"] == f"/clubs/ludo/ratings/{player(ANA).public_id}/"


def test_the_list_takes_as_many_queries_however_many_are_rated(club, client, django_assert_max_num_queries):
    client.get("/clubs/ludo/ratings/")
    with django_assert_max_num_queries(6):
        client.get("/clubs/ludo/ratings/")
    evening(club, 2, players=8)
    recompute_ratings(club=club)
    with django_assert_max_num_queries(6):
        client.get("/clubs/ludo/ratings/")


def test_the_api_has_the_rows_of_the_pages(club, client):
    answer = client.get("/api/v1/clubs/ludo/ratings/").json()
    assert (answer["up_to_date"], answer["tables_to_go"]) == (True, 0)
    assert [(row["rank"], row["player"], row["rating"], row["provisional"]) for row in answer["ratings"]] == [
        (1, ANA, 1600, False),
        (2, BENOIT, 1550, False),
        (2, CHIDI, 1550, False),
    ]
    history = client.get(f"/api/v1/clubs/ludo/ratings/{player(ANA).public_id}/").json()
    assert [(row["tournament"], row["rating"], row["change"]) for row in history] == [("Evening 1", 1600, 100)]
    as_csv = client.get("/api/v1/clubs/ludo/ratings/?format=csv").content
    assert as_csv == client.get("/clubs/ludo/ratings.csv").content
    assert client.get(f"/api/v1/clubs/ludo/ratings/{player(DORDE).public_id}/").status_code == 404


def test_the_band_of_a_chart_and_its_labels_are_in_the_drawing():
    drawn = band_chart([(1500, 150), (1642, 58)])
    assert drawn.labels == (1700, 1600, 1500, 1400)
    assert drawn.line == "M250 625L750 270"
    assert drawn.band == "M250 250L750 125L750 415L250 1000Z"
    assert band_chart([(1500, 327), (1900, 60)]).labels == (2000, 1800, 1600, 1400, 1200)
    assert len(band_chart([(1500, 10)] * 60).dots) == 0


def test_who_may_not_see_an_evening_does_not_read_its_name_beside_the_ratings(club, client):
    evening(club, 2)
    Tournament.objects.filter(name="Evening 1").update(visibility="private")
    page = said(client.get("/clubs/ludo/ratings/"))
    assert "Evening 1" not in page and "Updating: 1 table to go." in page
