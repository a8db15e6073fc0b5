"""A list of people in a real browser: ticks that survive, the bar for all who are ticked, and how long the page is."""

import pytest
from playwright.sync_api import expect

from league.clubs.members import add_members
from league.entries.sign_up import set_sign_up, sign_up
from league.models import Tournament
from tests import cast

from .conftest import DESKTOP, PHONE
from .looking import findings, low, width
from .test_pages import sign_in

pytestmark = pytest.mark.django_db(transaction=True)

LONGEST = 2600  # pixels of a page of 60 or of 16 people at 360 px
TOP = "name => document.querySelector(`.people input[aria-label='${name}']`).getBoundingClientRect().top + scrollY"
COVERS = """() => {
  const bar = document.querySelector('.bulk').getBoundingClientRect();
  return [Math.round(bar.bottom), innerHeight, getComputedStyle(document.querySelector('.five')).display];
}"""


def opened(page, players, path="check-in/"):
    made = cast.tournament(players, format="swiss")
    sign_in(page)
    page.goto(f"/t/{made.slug}/{path}")
    return made


def bar(page):
    return page.get_by_role("form", name="Selected people")


def box(page, name):
    return page.get_by_role("checkbox", name=name, exact=True)


def here(made):
    return set(made.entries.exclude(checked_in_at=None).values_list("player__name", flat=True))


def test_ticks_survive_a_search_the_next_rows_and_another_view_and_one_tap_does_it_for_all(phone):
    made = opened(phone, 60)
    expect(bar(phone)).to_be_hidden()
    box(phone, "Farah").check()
    expect(bar(phone)).to_contain_text("1 selected")
    assert phone.evaluate(COVERS) == [740, 740, "none"]  # it takes the place of the five places
    phone.get_by_role("searchbox", name="Find a name").press_sequentially("Zo")
    expect(box(phone, "Farah")).to_have_count(0)
    box(phone, "Zoë").check()
    expect(bar(phone)).to_contain_text("2 selected")
    assert phone.url.endswith("?q=Zo")
    phone.get_by_role("searchbox", name="Find a name").fill("")
    expect(box(phone, "Farah")).to_be_checked()
    phone.get_by_role("link", name="Show next 20").click()
    expect(phone.get_by_text("1 to 40 of 60")).to_be_visible()
    phone.get_by_role("link", name="Show next 20").click()
    expect(phone.get_by_text("1 to 60 of 60")).to_be_visible()
    expect(box(phone, "Zoë")).to_be_checked()
    box(phone, "Player 60").check()
    phone.get_by_role("link", name="Here 0").click()
    expect(phone.get_by_text("No one in this part of the list.")).to_be_visible()
    expect(bar(phone)).to_contain_text("3 selected")
    assert low(bar(phone).get_by_role("button")) == [] and findings(phone) == [] and width(phone) <= 360
    bar(phone).get_by_role("button", name="Mark here").click()
    expect(phone.get_by_text("3 people are here: Farah, Player 60 and Zoë.")).to_be_visible()
    expect(bar(phone)).to_be_hidden()
    expect(phone.get_by_role("link", name="Here 3")).to_have_attribute("aria-current", "true")
    assert here(made) == {"Farah", "Zoë", "Player 60"}
    phone.get_by_role("button", name="Undo").locator("visible=true").click()
    expect(phone.get_by_text("3 people are not here")).to_be_visible()
    assert here(made) == set()


def test_the_whole_page_is_ticked_by_one_box_and_the_cross_lets_go_of_all(phone):
    opened(phone, 60)
    phone.get_by_role("checkbox", name="Select everyone on this page").check()
    expect(bar(phone)).to_contain_text("20 selected")
    box(phone, "Farah").uncheck()
    expect(bar(phone)).to_contain_text("19 selected")
    bar(phone).get_by_role("button", name="Clear selection").click()
    expect(bar(phone)).to_be_hidden()
    expect(box(phone, "Chidi")).not_to_be_checked()


def test_the_row_of_whom_was_tapped_stays_where_it_is(phone):
    made = opened(phone, 60, "check-in/?view=missing")
    before = phone.evaluate(TOP, "Chidi")
    phone.get_by_role("button", name="Here: Farah").click()
    expect(phone.get_by_text("1 of 60 are here")).to_be_visible()
    assert phone.evaluate(TOP, "Chidi") == before
    expect(box(phone, "Farah")).to_have_count(0)  # only when nobody has tapped for a moment
    expect(phone.locator(".people input[name=who]")).to_have_count(20)
    assert here(made) == {"Farah"}


@pytest.mark.parametrize("players", [16, 60])
def test_a_list_fits_into_a_few_screens_of_a_phone(phone, players):
    made = opened(phone, players)
    set_sign_up(tournament=made, capacity=players, by=made.owner)
    sign_up(tournament=made, name="Inês", email="i@example.org", site="http://testserver")
    phone.reload()
    assert phone.evaluate("document.documentElement.scrollHeight") <= LONGEST
    assert width(phone) <= 360


def test_sixty_members_fit_too(phone):
    club = cast.club(members=8)
    add_members(club=club, players=cast.people(60)[8:], by=club.owner)
    cast.play(cast.tournament(club=club), rounds=1)
    sign_in(phone)
    phone.goto(f"/clubs/{club.slug}/players/")
    expect(phone.get_by_role("link", name="Show next 20")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollHeight") <= LONGEST
    assert findings(phone) == [] and width(phone) <= 360


def test_without_scripts_it_is_a_form_of_boxes_and_buttons(open_page):
    page = open_page(**PHONE, java_script_enabled=False)
    made = opened(page, 60)
    box(page, "Farah").check()
    box(page, "Chidi").check()
    bar(page).get_by_role("button", name="Mark here").click()
    expect(page.get_by_text("2 people are here: Chidi and Farah.")).to_be_visible()
    page.get_by_role("searchbox", name="Find a name").fill("zoe")
    page.get_by_role("button", name="Search").click()
    expect(box(page, "Zoë")).to_be_visible()
    expect(box(page, "Farah")).to_have_count(0)
    assert here(made) == {"Farah", "Chidi"}


def test_a_desktop_shows_the_short_line_as_columns(open_page):
    page = open_page(**DESKTOP)
    opened(page, 16)
    expect(page.locator(".people .head .c").first).to_be_visible()
    expect(page.locator(".people small").first).to_be_hidden()
    assert findings(page) == []


def test_a_new_tournament_counts_names_and_ticked_members_under_the_thumb(phone):
    club = cast.club(members=8)
    add_members(club=club, players=cast.people(60)[8:], by=club.owner)
    cast.play(cast.tournament(club=club), rounds=1)
    sign_in(phone)
    phone.goto(f"/new/?club={club.slug}")
    dock = phone.locator("#in-short")
    expect(dock).to_contain_text("8 players")
    ticked = phone.locator("#members-line")
    expect(ticked).to_have_text("Ana Lucía, Benoît, Chidi and 5 more")
    ticked.click()
    expect(box(phone, "Farah")).to_be_checked()
    box(phone, "Farah").uncheck()
    expect(ticked).to_have_text("Ana Lucía, Benoît, Chidi and 4 more")
    expect(dock).to_contain_text("7 players")
    phone.get_by_role("searchbox", name="Find a member").press_sequentially("er 55")
    expect(box(phone, "Zoë")).to_have_count(0)
    box(phone, "Player 55").check()
    expect(dock).to_contain_text("8 players")
    phone.get_by_label("Names, one per line").press_sequentially("Kim")
    expect(dock).to_contain_text("9 players")
    assert findings(phone) == [] and width(phone) <= 360
    phone.locator(".make-dock").get_by_role("button", name="Create tournament").click()
    phone.wait_for_url("**/t/**")
    made = Tournament.objects.order_by("-pk").first()
    names = set(made.entries.values_list("player__name", flat=True))
    assert names == {*cast.CAST, "Player 55", "Kim"} - {"Farah"}


def test_a_new_tournament_of_sixteen_members_fits_and_keeps_its_ticks_for_the_way_back(phone):
    club = cast.club(members=8)
    add_members(club=club, players=cast.people(60)[8:], by=club.owner)
    cast.play(cast.tournament(cast.people(16), club=club), rounds=1)
    sign_in(phone)
    phone.goto(f"/new/?club={club.slug}")
    dock, ticked = phone.locator("#in-short"), phone.locator("#members-line")
    expect(dock).to_contain_text("16 players")
    assert phone.evaluate("document.documentElement.scrollHeight") <= LONGEST
    ticked.click()
    for name in ("Farah", "Chidi"):
        box(phone, name).uncheck()
    phone.get_by_role("searchbox", name="Find a member").press_sequentially("er 55")
    box(phone, "Player 55").check()
    expect(dock).to_contain_text("15 players")
    phone.goto("/rules/")
    phone.go_back()
    expect(dock).to_contain_text("15 players")
    expect(ticked).to_have_text("Ana Lucía, Benoît, Đorđe and 12 more")
    ticked.click()
    expect(box(phone, "Chidi")).not_to_be_checked()
    expect(box(phone, "Zoë")).to_be_checked()


def test_ticks_that_are_restored_after_a_reload_are_all_restored(phone):
    club = cast.club(members=8)
    cast.play(cast.tournament(club=club), rounds=1)
    sign_in(phone)
    phone.goto(f"/new/?club={club.slug}")
    dock, ticked = phone.locator("#in-short"), phone.locator("#members-line")
    ticked.click()
    for name in ("Farah", "Chidi", "Zoë"):
        box(phone, name).uncheck()
    expect(dock).to_contain_text("5 players")
    phone.reload()
    expect(dock).to_contain_text("8 players")
    phone.get_by_role("button", name="Restore what you typed").click()
    expect(dock).to_contain_text("5 players")
    expect(box(phone, "Zoë")).not_to_be_checked()
