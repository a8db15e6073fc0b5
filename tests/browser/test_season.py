"""A club on the phone, from its founding to the first promotion, in a real browser."""

from playwright.sync_api import expect

from league.clubs.members import add_members
from league.models import Club
from league.rounds.steps import close_tournament
from league.seasons.seasons import create_season, put_in_season
from tests import cast

from .looking import findings, low, press, width
from .test_clubs import signed_in


def first_evening(season):
    """The cast plays a round, up to final standings: its pages have tests of their own."""
    evening = cast.tournament(name="Evening 1", club=season.club, rounds=1)
    put_in_season(tournament=evening, season=season, by=evening.owner)
    cast.play(evening, rounds=1)
    close_tournament(tournament=evening, by=evening.owner)


def test_a_club_from_its_founding_to_the_first_promotion(phone, live_server):
    signed_in(phone, live_server)
    phone.goto("/clubs/new/")
    phone.get_by_label("Name", exact=True).fill("Café Ludo")
    press(phone.get_by_role("button", name="Create the club"))
    club = Club.objects.get()
    add_members(club=club, players=cast.people(), by=club.owner)

    phone.goto("/clubs/cafe-ludo/season/")
    press(phone.get_by_role("link", name="New season"))
    phone.get_by_label("Name", exact=True).fill("League 2026")
    phone.get_by_label("Name of division 1").fill("Division A")
    phone.get_by_label("Relegated from division 1").fill("1")
    phone.get_by_label("Name of division 2").fill("Division B")
    phone.get_by_label("Promoted from division 2").fill("1")
    assert low(phone.locator("main .input")) == []
    press(phone.get_by_role("button", name="Create the season"))
    for division, names in (("A", cast.CAST[:4]), ("B", cast.CAST[4:])):
        for name in names:
            phone.get_by_role("checkbox", name=name, exact=True).check()
        phone.get_by_role("button", name=f"To {division}", exact=True).click()
        expect(phone.get_by_text(f"4 people are now in Division {division}")).to_be_visible()
    assert findings(phone) == [] and width(phone) <= phone.viewport_size["width"]
    press(phone.get_by_role("link", name="Back to the season"))
    expect(phone.get_by_role("heading", name="No tournaments yet")).to_be_visible()

    first_evening(club.seasons.get())
    phone.goto("/clubs/cafe-ludo/seasons/league-2026/?division=2")
    expect(phone.get_by_text("1 of 1 tournament played")).to_be_visible()
    assert findings(phone, themes=("light",)) == []
    assert width(phone) <= phone.viewport_size["width"]
    best = phone.locator(".season .who").first.inner_text()
    press(phone.get_by_role("link", name="End the season"))
    press(phone.get_by_role("button", name="End the season"))
    press(phone.get_by_role("link", name="Create the next season"))
    expect(phone.get_by_role("row", name=f"{best} Division B Division A")).to_be_visible()
    press(phone.get_by_role("button", name="Create the next season"))
    expect(phone.get_by_role("heading", name="League 2027")).to_be_visible()
    assert club.seasons.get(name="League 2027").placed.get(player__name=best).division.number == 1


# Of the first line: where the name ends, where the sum begins, and the edges of every evening.
COLUMNS = """() => {
  const [line] = document.querySelectorAll(".season tbody tr:not(.zone)");
  const box = (selector) => line.querySelector(selector).getBoundingClientRect();
  const evenings = [...line.querySelectorAll(".ev")].map((one) => one.getBoundingClientRect());
  return [box(".who").right, box(".pts").left, evenings.flatMap(({ left, right }) => [left, right])];
}"""


def test_no_evening_of_a_season_is_cut_by_its_sum(open_page, live_server):
    club = cast.club(members=8)
    season = create_season(club=club, by=club.owner, name="League 2026", best_of=5)
    first_evening(season)
    for number in range(2, 9):
        evening = cast.tournament(name=f"Evening {number}", club=club, rounds=1)
        put_in_season(tournament=evening, season=season, by=club.owner)
    page = open_page()
    for wide in (320, 360, 390, 412):
        page.set_viewport_size({"width": wide, "height": 740})
        page.goto("/clubs/cafe-ludo/seasons/league-2026/")
        assert width(page) == wide
        no_evening_is_cut(page)


def no_evening_is_cut(page):
    for to in (0, 70, 150):  # snapped to whole evenings
        page.evaluate("to => document.querySelector('.season-box').scrollTo(to, 0)", to)
        page.wait_for_function(
            "() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(true), 100)))"
        )
        name_ends, sum_begins, edges = page.evaluate(COLUMNS)
        assert sum_begins - name_ends >= 80
        assert [
            one for one in edges if name_ends + 1 < one < sum_begins - 1 and (one - name_ends) % 40 not in (0, 40)
        ] == []
        assert any(abs(one - sum_begins) <= 1 for one in edges) and any(abs(one - name_ends) <= 1 for one in edges)


def test_a_season_that_was_made_by_mistake_is_deleted_on_the_phone_and_one_with_an_evening_stays(phone, live_server):
    signed_in(phone, live_server)
    club = cast.club(members=8)
    season = create_season(club=club, by=club.owner, name="League 2026")
    evening = cast.tournament(name="Evening 1", club=club)
    put_in_season(tournament=evening, season=season, by=club.owner)
    phone.goto("/clubs/cafe-ludo/seasons/league-2026/settings/")
    expect(phone.get_by_role("button", name="Save")).to_be_visible()
    expect(phone.get_by_role("link", name="Delete the season…")).to_have_count(0)
    phone.goto("/clubs/cafe-ludo/seasons/league-2026/delete/")
    expect(phone.get_by_text("“League 2026” has 1 tournament.")).to_be_visible()
    assert findings(phone) == []
    press(phone.get_by_role("link", name="Tournaments in this season"))
    phone.get_by_role("checkbox", name="Evening 1").check()
    phone.get_by_role("button", name="Leave out").click()
    expect(phone.get_by_text("Evening 1 no longer counts.")).to_be_visible()
    phone.goto("/clubs/cafe-ludo/seasons/league-2026/settings/")
    press(phone.get_by_role("link", name="Delete the season…"))
    assert findings(phone) == []
    assert low(phone.locator("main .btn")) == []
    assert width(phone) <= phone.viewport_size["width"]
    press(phone.get_by_role("button", name="Delete League 2026"))
    expect(phone.get_by_text("“League 2026” deleted.")).to_be_visible()
    assert not club.seasons.exists()
