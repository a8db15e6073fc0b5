"""The honours of ended seasons, and a season as a PDF."""

import pytest

from league.access import club_for
from league.clubs.merge import merge
from league.erasure.erase import erase_player
from league.models import Player, Season, Tournament
from league.prints.pdf.document import pdf
from league.prints.pdf.season import EveningCell, HonoursBlock, HonoursLine, SeasonDivision, SeasonRow, SeasonTablePrint
from league.prints.pdf.sheet import Head
from league.seasons.honours import honours_of
from league.seasons.season_print import season_print
from league.seasons.seasons import DivisionWanted, close_season, place_players
from league.seasons.table import season_table
from tests import cast, pdf_text
from tests.games.pages import said
from tests.league.seasons.test_season_table import ANA, BEN, CHI, DOR, EMI, FAR, came_to, evening, places, season_of

pytestmark = pytest.mark.django_db

__all__ = ["came_to"]  # a fixture
SEASONS = "/clubs/cafe-ludo/seasons/"
TWO = [DivisionWanted("Division A", down=1), DivisionWanted("Division B", up=1)]


@pytest.fixture(scope="module", autouse=True)
def club_once(module_world):
    return cast.club(members=6)


@pytest.fixture
def club(club_once):
    return cast.again(club_once)


def ended(club, came_to, **rules):
    """A season with one event, in which the cast came in in this order."""
    season = season_of(club, **rules)
    evening(season, 1)
    came_to["1"] = places(ANA, BEN, CHI, DOR, EMI)
    close_season(season=season, by=club.owner)
    return Season.objects.select_related("club").get(pk=season.pk)


def read(club, viewer=None):
    """[(season, division, [(rank, name)])]"""
    access = club_for(viewer or club.owner, club.slug)
    return [
        (season.season, division.division, [(place.rank, place.name) for place in division.places])
        for season in honours_of(access, list(club.seasons.order_by("-pk")))
        for division in season.divisions
    ]


def test_only_an_ended_season_has_honours_the_first_three(club, came_to):
    ended(club, came_to)
    going_on = season_of(club, name="Next")
    evening(going_on, 2)
    assert read(club) == [("League 2026", "", [(1, ANA), (2, BEN), (3, CHI)])]


def test_each_division_has_its_own_and_whoever_is_in_none_has_none(club, came_to):
    season = season_of(club, divisions=TWO)
    first, second = season.divisions.order_by("number")
    people = {cast.member(club, name): division for name, division in ((ANA, first), (BEN, first), (CHI, second))}
    place_players(season=season, places=people, by=club.owner)
    evening(season, 1)
    came_to["1"] = places(CHI, BEN, ANA, DOR)
    close_season(season=season, by=club.owner)
    assert read(club) == [
        ("League 2026", "Division A", [(1, BEN), (2, ANA)]),
        ("League 2026", "Division B", [(1, CHI)]),
    ]


def test_winners_who_share_the_first_place_are_all_there(client, club, came_to):
    season = season_of(club)
    evening(season, 1)
    came_to["1"] = dict.fromkeys((ANA, BEN), (1, 100)) | {CHI: (3, 80), DOR: (4, 70)}
    close_season(season=season, by=club.owner)
    assert sorted(read(club)[0][2]) == sorted([(1, ANA), (1, BEN), (3, CHI)])
    words = said(client.get(SEASONS))
    assert "Honours" in words and DOR not in words


def test_the_page_of_a_club_without_an_ended_season_has_no_honours(client, club):
    season_of(club)
    assert "Honours" not in said(client.get(SEASONS))


def test_strangers_read_the_name_that_a_member_chose_and_no_name_of_somebody_they_may_not_know(client, club, came_to):
    ended(club, came_to)
    Player.objects.filter(pk=cast.member(club, ANA).pk).update(short_name=True, name="Ana Núñez")
    words = said(client.get(SEASONS))
    assert "Ana N." in words and "Núñez" not in words
    Tournament.objects.filter(name="1").update(visibility="private")
    words = said(client.get(SEASONS))
    assert "Guest" in words and "Ana" not in words and BEN not in words
    client.force_login(club.owner)
    assert "Ana Núñez" in said(client.get(SEASONS))


def test_erased_and_merged_people_are_named_as_they_are_now(club, came_to):
    ended(club, came_to)
    erased = erase_player(player=cast.member(club, ANA), by=club.owner)
    merge(target=cast.member(club, FAR), source=cast.member(club, BEN), by=club.owner)
    assert read(club)[0][2] == [(1, erased.name), (2, FAR), (3, CHI)]


def test_reading_takes_the_same_queries_for_any_number_of_seasons(club, came_to, django_assert_num_queries):
    ended(club, came_to)
    ended(club, came_to, name="Before")
    access = club_for(club.owner, club.slug)
    seasons = list(club.seasons.all())
    with django_assert_num_queries(3):
        assert len(honours_of(access, seasons)) == 2


# On paper.


def text_of(client, season, query=""):
    answer = client.get(f"{SEASONS}{season.slug}/season.pdf{query}")
    assert answer.status_code == 200 and answer["Content-Type"] == "application/pdf"
    assert answer["Cache-Control"] == "no-store"
    return pdf_text.pages(answer.content)


def test_a_season_on_paper_has_its_table_and_honours_and_a_link_on_its_page(client, club, came_to):
    season = ended(club, came_to)
    [page] = text_of(client, season)
    assert "League 2026" in page.text and "Final" in page.text and "Honours" in page.text
    assert page.text.count(ANA) == 2 and page.text.count(DOR) == 1
    assert f"{SEASONS}{season.slug}/season.pdf" in client.get(f"{SEASONS}{season.slug}/").content.decode()
    [letter] = text_of(client, season, "?paper=letter")
    assert letter.height < page.height


def test_a_season_that_goes_on_is_provisional_and_has_no_honours(client, club, came_to):
    season = season_of(club)
    evening(season, 1)
    came_to["1"] = places(ANA, BEN)
    [page] = text_of(client, season)
    assert "Provisional" in page.text and "Honours" not in page.text


def test_a_season_without_events_is_a_page_too(client, club):
    [page] = text_of(client, season_of(club))
    assert "League 2026" in page.text


def test_paper_names_people_as_the_page_does(client, club, came_to):
    season = ended(club, came_to)
    Tournament.objects.filter(name="1").update(visibility="private")
    [page] = text_of(client, season)
    assert ANA not in page.text and "Guest" in page.text


def test_divisions_follow_each_other_and_an_uncounted_result_is_struck(club, came_to):
    season = season_of(club, divisions=TWO, best_of=1)
    first, second = season.divisions.order_by("number")
    place_players(season=season, places={cast.member(club, ANA): first, cast.member(club, BEN): second}, by=club.owner)
    for number in (1, 2):
        evening(season, number)
        came_to[str(number)] = places(ANA, BEN)
    made = season_print(club_for(club.owner, club.slug), season_table(Season.objects.select_related("club").get()))
    assert [division.name for division in made.divisions] == ["Division A", "Division B"]
    assert [cell.is_struck for cell in made.divisions[0].rows[0].cells] == [False, True]
    assert made.pages == 1


def a_print(rows, events, divisions=1):
    """So many rows in each division."""
    of_one = [SeasonRow(str(at), f"Player {at}", [EveningCell("10")] * events, "100") for at in range(1, rows + 1)]
    return SeasonTablePrint(
        title="League",
        aside="Final",
        events=[str(number) for number in range(1, events + 1)],
        total_label="Total",
        divisions=[SeasonDivision(f"Division {number}", of_one) for number in range(1, divisions + 1)],
        honours=[HonoursBlock("Division 1", [HonoursLine("1", "Player 1", "100")])],
        sentences=["All tournaments count."],
    )


@pytest.mark.parametrize(
    ("rows", "events", "divisions"),
    [(0, 0, 1), (1, 1, 1), (8, 5, 4), (60, 12, 3), (33, 20, 1), (12, 60, 2), (300, 3, 1)],
)
def test_any_size_is_printed_within_the_paper_with_every_player(rows, events, divisions):
    made = a_print(rows, events, divisions)
    pages = pdf_text.pages(pdf(Head("Café Ludo", "Lyon", "Printed today"), [made]))
    assert len(pages) == made.pages
    words = [word for page in pages for word in page.words]
    assert all(0 <= word.x < page.width and word.y > 0 for page in pages for word in page.words)
    assert sum(word.text == f"Player {rows}" for word in words) == (divisions + (rows == 1) if rows else 0)
    assert ("tournaments fit here" in " ".join(word.text for word in words)) == (events > 27)
    for page in pages:
        assert "Rank" in page.text or "Honours" in page.text or "Player 1" in page.text or not rows
