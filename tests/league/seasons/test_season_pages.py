"""The pages of a season: making one, its table as different people see it, its end, and where an evening is put in."""

import csv
import io
import re

import pytest

from league.clubs.merge import merge
from league.entries.list_order import add_entries
from league.models import Player, Role, Season, Tournament
from league.seasons.seasons import DivisionWanted, close_season, place_players
from tests import cast
from tests.games.pages import said
from tests.league.seasons.test_season_table import ANA, BEN, CHI, DOR, EMI, came_to, evening, places, season_of

pytestmark = pytest.mark.django_db

__all__ = ["came_to"]  # a fixture

SEASON = "/clubs/cafe-ludo/seasons/league-2026/"
RULES = {"name": "League 2026", "counts": "places", "min_evenings": "1", "best_of": "", "place_1": "10", "place_2": "6"}
TWO = [DivisionWanted("Division A", down=1), DivisionWanted("Division B", up=1)]


@pytest.fixture(scope="module", autouse=True)
def club_once(module_world):
    return cast.club(members=5)


@pytest.fixture
def club(club_once):
    return cast.again(club_once)


@pytest.fixture
def organiser(client, club):
    client.force_login(club.owner)
    return client


def placed(season, *of_divisions):
    """The first so many of these in the highest division, and so on."""
    for division, names in zip(season.divisions.order_by("number"), of_divisions, strict=True):
        people = {cast.member(season.club, name): division for name in names}
        place_players(season=season, places=people, by=season.club.owner)


def cells(page):
    """[[rank, player, evenings …, total]] of the season's table, words for screen readers included."""
    body = page.content.decode().partition('class="tbl season"')[2].partition("</table>")[0]
    body = body.partition("<tbody>")[2]
    lines = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", line) for line in body.split("<tr")[1:]]
    words = [[" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in line] for line in lines if len(line) > 3]
    return [[line[0], *line[2:]] for line in words]


def test_a_season_is_started_with_divisions_and_leads_to_placing_players(organiser, club):
    assert organiser.get("/clubs/cafe-ludo/season/").headers["Location"] == "/clubs/cafe-ludo/seasons/"
    assert "No season yet" in said(organiser.get("/clubs/cafe-ludo/seasons/"))
    divisions = {"name_1": "Division A", "down_1": "1", "name_2": "Division B", "up_2": "1"}
    answer = organiser.post("/clubs/cafe-ludo/seasons/new/", RULES | divisions)
    season = club.seasons.get()
    assert answer.headers["Location"] == f"{SEASON}players/"
    assert (season.place_points, season.best_of, season.min_evenings) == ([10, 6], None, 1)
    there = list(season.divisions.order_by("number").values_list("name", "up", "down"))
    assert there == [("Division A", 0, 1), ("Division B", 1, 0)]
    members = [cast.member(club, name).public_id for name in (ANA, BEN)]
    organiser.post(f"{SEASON}players/ticked/", {"do": "to-2", "who": members})
    assert set(season.placed.values_list("player__name", "division__number")) == {(ANA, 2), (BEN, 2)}
    assert organiser.get("/clubs/cafe-ludo/season/").headers["Location"] == SEASON
    assert "No tournaments yet" in said(organiser.get(SEASON))


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"place_4": "3"}, "Fill this in, or clear the later ones."),
        ({"place_3": "8"}, "Place 3 can’t give more than the place before."),
        ({"place_1": "", "place_2": ""}, "whole numbers"),
        ({"place_1": "ten"}, "Enter a whole number."),
        ({"name_2": "Division B"}, "Give the division a name."),
        ({"up_3": "2"}, "Give the division a name."),
        ({"min_evenings": "0"}, "greater than or equal to 1"),
        ({"name": " "}, "This field is required."),
        ({"name_1": "Gold", "name_2": " gold"}, "Give each division a different name."),
        ({"name_1": "Gold", "up_1": "9", "name_2": "Silver"}, "“Gold” is the highest division."),
        ({"name_1": "Gold", "name_2": "Silver", "down_2": "5"}, "“Silver” is the lowest division."),
    ],
)
def test_what_cannot_be_is_said_at_its_field_and_nothing_is_saved(typed, sentence, organiser):
    answer = organiser.post("/clubs/cafe-ludo/seasons/new/", RULES | typed)
    assert answer.status_code == 422
    assert sentence in said(answer)
    assert "What you typed" in said(answer) or "Your input is still there" in said(answer)
    assert not Season.objects.exists()


def test_the_place_that_gives_too_much_is_the_one_that_is_marked(organiser):
    page = organiser.post("/clubs/cafe-ludo/seasons/new/", RULES | {"place_3": "8"}).content.decode()
    marked = re.findall(r'<input[^>]*name="(place_\d+)"[^>]*aria-invalid', page)
    assert marked == ["place_3"] or re.findall(r'aria-invalid[^>]*name="(place_\d+)"', page) == ["place_3"]


def test_two_seasons_of_a_club_have_names_of_their_own(organiser, club):
    season_of(club)
    answer = organiser.post("/clubs/cafe-ludo/seasons/new/", RULES | {"name": "LEAGUE 2026"})
    assert answer.status_code == 422
    assert "The club already has a season with this name." in said(answer)
    assert club.seasons.count() == 1
    assert organiser.post(f"{SEASON}settings/", RULES | {"best_of": "3"}).status_code == 302  # its own it may keep
    season_of(cast.club(name="Other Club"))


def test_the_rules_change_while_it_goes_on_and_afterwards_the_name_alone(organiser, club, came_to):
    season = season_of(club)
    evening(season, 1)
    came_to["1"] = places(ANA, BEN)
    organiser.post(f"{SEASON}settings/", RULES | {"place_1": "5", "place_2": "4", "place_3": "3", "best_of": "2"})
    season.refresh_from_db()
    assert (season.place_points, season.best_of) == ([5, 4, 3], 2)
    close_season(season=season, by=club.owner)
    ended = RULES | {"place_1": "9", "place_2": "4", "place_3": "3", "best_of": "2"}
    refused = organiser.post(f"{SEASON}settings/", ended)
    assert refused.status_code == 409
    assert "has ended" in said(refused)
    renamed = ended | {"place_1": "5", "name": "League of 2026"}
    assert organiser.post(f"{SEASON}settings/", renamed).status_code == 302
    assert "League of 2026" in said(organiser.get(SEASON))


def test_the_table_shows_what_counts_what_is_struck_out_and_who_was_absent_or_has_no_place(client, club, came_to):
    season = season_of(club, best_of=2, min_evenings=2)
    for number in (1, 2, 3):
        evening(season, number)
    evening(season, 4, state="planned")
    came_to["1"], came_to["2"], came_to["3"] = places(ANA, BEN), places(BEN, ANA, CHI), places(ANA, BEN)
    page = client.get(SEASON)
    assert cells(page) == [
        ["1", ANA, "10", "6 not counted", "10", "", "20"],
        ["2", BEN, "6", "10", "6 not counted", "", "16"],
        ["– unranked", CHI, "– absent", "3", "– absent", "", "3"],
    ]
    words = said(page)
    assert "Struck-out results don’t count." in words and "Manage the season" not in words
    assert all(text in words for text in (page.context["season"].where, page.context["season"].rule))


def test_strangers_see_names_as_their_people_chose_and_evenings_that_they_may_find(client, club, came_to):
    season = season_of(club)
    evening(season, 1)
    hidden = evening(season, 2, visibility="private")
    Player.objects.filter(name=ANA).update(profile_is_public=True, short_name=True)
    came_to["1"] = came_to["2"] = places(ANA, BEN)
    page = client.get(SEASON)
    assert [line[1] for line in cells(page)] == ["Ana L.", BEN]
    assert ANA not in page.content.decode()
    html = page.content.decode()
    assert cast.member(club, ANA).public_id in html.partition("</table>")[0]  # whose page everybody may see
    assert cast.member(club, BEN).public_id not in html.partition("</table>")[0]
    assert hidden.slug not in html
    rows = list(csv.DictReader(io.StringIO(client.get(f"{SEASON}standings.csv").content.decode())))
    assert [(row["rank"], row["player"], row["total"]) for row in rows] == [("1", "Ana L.", "20"), ("2", BEN, "12")]
    evenings = client.get(f"{SEASON}evenings.csv").content.decode()
    assert hidden.slug not in evenings
    client.force_login(club.owner)
    assert hidden.slug in client.get(SEASON).content.decode()
    assert cells(client.get(SEASON))[0][1] == ANA


def test_whoever_played_only_where_a_stranger_may_not_look_is_a_guest_everywhere(client, club, came_to):
    season = season_of(club)
    evening(season, 1)
    evening(season, 2, visibility="private")
    evening(season, 3, visibility="unlisted", state="planned")
    Player.objects.filter(name=CHI).update(profile_is_public=True)
    came_to["1"], came_to["2"] = places(ANA, BEN), places(CHI, ANA)
    chi = cast.member(club, CHI)
    page = client.get(SEASON).content.decode()
    files = [client.get(f"{SEASON}{what}.csv").content.decode() for what in ("standings", "evenings")]
    for shown in (page, *files):
        assert "Guest" in shown and ANA in shown
        assert CHI not in shown and chi.public_id not in shown
    assert cells(client.get(SEASON))[1][1:] == ["Guest", "– absent", "10", "", "10"]
    client.force_login(club.owner)
    assert "Guest" not in said(client.get(SEASON))


def test_still_open_are_the_evenings_that_go_on_and_the_next_ones(client, club):
    season = season_of(club)
    evening(season, 1)
    for number in (2, 3, 4, 5, 6):
        evening(season, number, state="running" if number == 6 else "planned")
    page = client.get(SEASON)
    assert [line.tournament.name for line in page.context["season"].coming] == ["6", "2", "3"]


def test_the_evenings_of_a_division_that_goes_are_for_all_and_their_logs_say_so(organiser, club):
    season = season_of(club, divisions=TWO)
    played = evening(season, 1, division=season.divisions.get(number=2), state="planned")
    one = RULES | {"place_3": "3", "place_4": "1", "name_1": "Division A"}
    assert organiser.post(f"{SEASON}settings/", one | {"name": "League"}).status_code == 302
    played.refresh_from_db()
    season.refresh_from_db()
    assert (played.season, played.division, season.name) == (season, None, "League")
    assert played.log.filter(action="put-in-season").latest("number").new["division"] == ""


def test_each_division_has_its_table(client, club, came_to):
    season = season_of(club, divisions=TWO)
    placed(season, [ANA, BEN], [CHI, DOR])
    evening(season, 1)
    evening(season, 2, division=season.divisions.get(number=2))
    came_to["1"], came_to["2"] = places(ANA, CHI, BEN, DOR), places(DOR, CHI)
    first, second = client.get(SEASON), client.get(f"{SEASON}?division=2")
    assert cells(first) == [["1", ANA, "10", "", "10"], ["2", BEN, "3", "", "3"]]
    assert "1 relegated to Division B" in said(first)
    assert cells(second) == [["1", CHI, "6", "6", "12"], ["2", DOR, "1", "10", "11"]]
    Player.objects.filter(name=DOR).update(user=cast.someone_else())
    client.force_login(cast.someone_else())
    assert cells(client.get(SEASON)) == cells(second)  # one's own first


def test_the_race_is_drawn_of_whoever_is_asked_for(client, club, came_to):
    season = season_of(club)
    for number in (1, 2):
        evening(season, number)
    came_to["1"], came_to["2"] = places(ANA, BEN), places(BEN, ANA)
    page = said(client.get(f"{SEASON}?player={cast.member(club, BEN).public_id}"))
    assert f"Thick line: {BEN}." in page and f"{ANA} 10 16" in page and f"{BEN} 6 16" in page


def test_two_lines_of_an_ended_season_that_are_one_person_by_now_stay_two_lines_of_its_race(client, club, came_to):
    season = season_of(club)
    for number in (1, 2):
        evening(season, number)
        came_to[str(number)] = places(ANA, BEN, CHI)
    close_season(season=season, by=club.owner)
    merge(target=cast.member(club, ANA), source=cast.member(club, BEN), by=club.owner)
    came_to.clear()
    chart = client.get(SEASON).context["season"].race.chart
    assert chart.mine and len({chart.mine, *chart.others}) == 3


def test_evenings_are_ticked_for_all_or_for_one_division(organiser, club):
    season = season_of(club, divisions=TWO)
    other = season_of(club, name="Cup")
    first, second = (evening(season, number) for number in (1, 2))
    taken = evening(other, 3)
    Tournament.objects.filter(pk=second.pk).update(season=None)
    page = said(organiser.get(f"{SEASON}evenings/"))
    assert "10 January" not in page and "17 January 2026" in page and "31 January 2026" not in page
    meanwhile = evening(season, 4)
    at = f"{SEASON}evenings/ticked/"
    assert organiser.post(at, {"do": "for-2", "who": [second.slug, taken.slug]}).status_code == 302
    assert organiser.post(at, {"do": "not", "who": [first.slug]}).status_code == 302
    counted = Tournament.objects.exclude(season=None).values_list("slug", "season__name", "division__name")
    assert set(counted) == {
        (second.slug, "League 2026", "Division B"),
        (meanwhile.slug, "League 2026", None),
        (taken.slug, "Cup", None),
    }
    assert Tournament.objects.get(pk=first.pk).season is None


def test_a_season_ends_when_all_is_final_and_the_next_one_is_made_of_it_once(organiser, club, came_to):
    season = season_of(club, divisions=TWO)
    placed(season, [ANA, BEN], [CHI, DOR])
    evening(season, 1)
    running = evening(season, 2, state="running")
    came_to["1"] = places(ANA, BEN, CHI, DOR)
    assert running.name in said(organiser.get(f"{SEASON}close/"))
    refused = organiser.post(f"{SEASON}close/")
    assert (refused.status_code, Season.objects.get().closed_at) == (409, None)
    assert organiser.post(f"{SEASON}next/").status_code == 409

    Tournament.objects.filter(pk=running.pk).update(state="closed")
    assert "End the season" in said(organiser.get(SEASON))
    assert f"Down {BEN} (6)" in said(organiser.get(f"{SEASON}close/"))
    organiser.post(f"{SEASON}close/")
    came_to["1"] = places(BEN, ANA, CHI, DOR)  # a correction comes too late
    page = organiser.get(SEASON)
    assert cells(page)[0][:2] == ["1", ANA]
    assert "Later corrections don’t count." in said(page)

    preview = said(organiser.get(f"{SEASON}next/"))
    assert f"{BEN} Division A Division B" in preview and f"{CHI} Division B Division A" in preview
    assert "2 players stay." in preview
    assert Season.objects.count() == 1
    assert organiser.post(f"{SEASON}next/", {"name": ""}).status_code == 422
    made = organiser.post(f"{SEASON}next/", {"name": "League 2027"})
    assert made.headers["Location"] == "/clubs/cafe-ludo/seasons/league-2027/"
    again = organiser.post(f"{SEASON}next/", {"name": "Something else"})
    assert again.headers["Location"] == made.headers["Location"]
    following = Season.objects.exclude(pk=season.pk).get()
    where = dict(following.placed.values_list("player__name", "division__name"))
    assert where == {ANA: "Division A", CHI: "Division A", BEN: "Division B", DOR: "Division B"}
    refused = organiser.post(f"{SEASON}reopen/", {"reason": "Typing error"}, follow=True)
    assert "so it can’t be reopened" in said(refused)


def test_an_evening_that_has_not_begun_moves_to_the_next_season_when_this_one_ends(organiser, club, came_to):
    season = season_of(club, divisions=TWO)
    placed(season, [ANA, BEN], [CHI, DOR])
    evening(season, 1)
    copy = evening(season, 2, state="planned", division=season.divisions.get(number=2))
    came_to["1"] = places(ANA, BEN, CHI, DOR)
    assert "End the season" in said(organiser.get(SEASON))
    page = said(organiser.get(f"{SEASON}close/"))
    assert f"hasn’t started: {copy.name}" in page and "“League 2027”, a new season" in page and f"Down {BEN}" in page
    assert organiser.post(f"{SEASON}close/").status_code == 409

    answer = organiser.post(f"{SEASON}close/", {"move_on": "1"})
    assert answer.headers["Location"] == "/clubs/cafe-ludo/seasons/league-2027/"
    following = Season.objects.get(before=season)
    copy.refresh_from_db()
    assert (copy.season, str(copy.division)) == (following, "Division B")
    assert copy.division.season == following
    season.refresh_from_db()
    assert season.closed_at is not None and season.tournaments.count() == 1
    assert dict(following.placed.values_list("player__name", "division__name"))[CHI] == "Division A"


def test_a_running_evening_is_not_moved_to_the_next_season(organiser, club, came_to):
    season = season_of(club)
    evening(season, 1)
    evening(season, 2, state="running")
    evening(season, 3, state="planned")
    came_to["1"] = places(ANA, BEN)
    assert organiser.post(f"{SEASON}close/", {"move_on": "1"}).status_code == 409
    assert Season.objects.count() == 1 and season.tournaments.count() == 3


def test_a_season_that_ended_is_reopened_with_a_reason_and_corrections_count_again(organiser, club, came_to):
    season = season_of(club)
    evening(season, 1)
    came_to["1"] = places(ANA, BEN)
    organiser.post(f"{SEASON}close/")
    came_to["1"] = places(BEN, ANA)
    page = organiser.post(f"{SEASON}reopen/", {"reason": "A hand was wrong"}, follow=True)
    assert cells(page)[0][:2] == ["1", BEN]
    assert "Provisional" in said(page)
    assert "A hand was wrong" in said(organiser.get("/clubs/cafe-ludo/log/"))


NEW = {"name": "Evening 1", "format": "pairs", "edition": "classic", "starts_on": "2026-11-24", "hands_per_round": "4"}
NEW |= {"time_zone": "Europe/Paris", "visibility": "public"}


def test_an_evening_is_put_into_a_season_when_it_is_made_and_by_its_settings(organiser, club):
    season = season_of(club, divisions=TWO)
    page = organiser.get("/new/?club=cafe-ludo")
    assert page.context["of_club"]["club"].value() == "cafe-ludo/league-2026"
    assert "Café Ludo, League 2026, Division B" in said(page)
    answer = organiser.post("/new/", NEW | {"club": "cafe-ludo/league-2026/2"})
    made = Tournament.objects.get()
    assert answer.status_code == 302
    assert (made.club, made.season, made.division.name) == (club, season, "Division B")

    settings = organiser.get(f"/t/{made.slug}/settings/")
    assert settings.context["settings"].forms.evening_of["club"].value() == "cafe-ludo/league-2026/2"
    organiser.post(f"/t/{made.slug}/club/", {"club": "cafe-ludo"})
    made.refresh_from_db()
    assert (made.club, made.season, made.division) == (club, None, None)
    organiser.post(f"/t/{made.slug}/club/", {"club": "cafe-ludo/league-2026"})
    made.refresh_from_db()
    assert (made.season, made.division) == (season, None)

    Tournament.objects.update(state="closed")
    close_season(season=season, by=club.owner)
    refused = organiser.post(f"/t/{made.slug}/club/", {"club": ""}, follow=True)
    assert "has ended. Reopen the season" in said(refused)
    assert organiser.get("/new/?club=cafe-ludo").context["of_club"]["club"].value() == "cafe-ludo"


def test_the_same_people_a_week_later_play_in_the_same_season_as_long_as_it_goes_on(organiser, club):
    season = season_of(club, divisions=TWO)
    first = evening(season, 1, division=season.divisions.get(number=1))
    organiser.post(f"/t/{first.slug}/again/")
    copy = Tournament.objects.exclude(pk=first.pk).get()
    assert (copy.season, copy.division) == (season, first.division)
    Tournament.objects.update(state="closed")
    close_season(season=season, by=club.owner)
    organiser.post(f"/t/{first.slug}/again/")
    assert Tournament.objects.exclude(pk__in=[first.pk, copy.pk]).get().season is None


def test_who_may_hold_no_evenings_of_the_club_makes_a_copy_that_counts_in_no_season(client, club):
    first = evening(season_of(club), 1, state="planned")
    Role.objects.create(tournament=first, user=cast.someone_else(), kind=Role.Kind.ORGANISER)
    client.force_login(cast.someone_else())
    assert client.post(f"/t/{first.slug}/again/").status_code == 302
    assert Tournament.objects.exclude(pk=first.pk).get().season is None


def test_nobody_puts_an_evening_into_a_season_of_a_club_in_which_they_hold_none(client, club):
    season_of(club)
    cast.club(name="Other", owner=cast.someone_else())
    client.force_login(cast.someone_else())
    assert "League 2026" not in said(client.get("/new/"))
    assert client.post("/new/", NEW | {"club": "cafe-ludo/league-2026"}).status_code == 422
    assert not Tournament.objects.exists()


def test_a_member_s_page_has_their_places_in_seasons(client, club, came_to):
    season = season_of(club, divisions=TWO)
    placed(season, [ANA, BEN, EMI], [])
    played = evening(season, 1, state="planned")
    add_entries(tournament=played, members=[cast.member(club, BEN)], by=club.owner)
    Tournament.objects.filter(pk=played.pk).update(state="closed")
    came_to["1"] = places(ANA, BEN, EMI)
    client.force_login(club.owner)
    page = said(client.get(f"/clubs/cafe-ludo/players/{cast.member(club, BEN).public_id}/"))
    assert "League 2026 Place 2 of 3, Division A. Provisional 6" in page
    emilie = said(client.get(f"/clubs/cafe-ludo/players/{cast.member(club, EMI).public_id}/"))
    assert "League 2026" not in emilie


def test_the_page_takes_eight_queries_at_most_however_many_evenings_there_are(
    client, club, django_assert_max_num_queries
):
    season = season_of(club, divisions=TWO)
    for number in range(1, 13):
        evening(season, number)
    client.get(SEASON)
    with django_assert_max_num_queries(8):
        client.get(SEASON)
    client.force_login(club.owner)
    client.get(SEASON)
    with django_assert_max_num_queries(11):  # and who it is, which member, the roles
        client.get(SEASON)
