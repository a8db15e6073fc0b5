"""A tap on a name or on a table's number opens its sheet over the page, and leads back to where it was."""

import pytest
from playwright.sync_api import Page, expect

from league.day.entrants import drop_out
from league.models import Tournament
from league.rounds.steps import start
from tests import cast

from .conftest import PHONE
from .looking import findings, width
from .test_record import sign_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def made(live_server) -> Tournament:
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    return made


@pytest.fixture
def olga(phone, live_server, made) -> Page:
    sign_in(phone, live_server)
    phone.goto(f"/t/{made.slug}/")
    return phone


class Taps:
    """Counts the taps on a page."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def name(self, name: str) -> None:
        self._tap(self.page.locator("#page").get_by_role("link", name=name, exact=True).first)

    def line(self, title: str) -> None:
        self._tap(self.page.locator(".panel .doing").filter(has=self.page.get_by_text(title, exact=True)))

    def pick(self, name: str) -> None:
        self._tap(self.page.locator(".pick-seat .btn", has_text=name))

    def button(self, label: str) -> None:
        self._tap(self.page.locator(".panel-foot").get_by_role("button", name=label))

    def _tap(self, control) -> None:
        control.click()
        self.count += 1


def test_from_now_who_leaves_or_is_late_takes_three_taps_and_a_swap_four(olga, made):
    here, there = (
        [str(seat.entry) for seat in cast.table(made, 1, number).seats.order_by("number")] for number in (1, 2)
    )
    said = olga.locator("#messages")

    swap = Taps(olga)
    swap.name(here[0])
    swap.line("Swap seats")
    swap.pick(there[0])
    swap.button("Swap")
    expect(said).to_contain_text(f"{here[0]} and {there[0]} have swapped seats.")
    assert swap.count == 4

    late = Taps(olga)
    late.name(here[1])
    late.line("Late or absent")
    late.button(f"Let {here[1]} miss the round")
    expect(said).to_contain_text(f"{here[1]} is away.")
    assert late.count == 3

    leave = Taps(olga)
    leave.name(here[2])
    leave.line("Leaves")
    leave.button("Let someone stand in")
    expect(said).to_contain_text(f"{here[2]} has dropped out.")
    assert leave.count == 3
    expect(olga.locator(".shade")).to_have_count(0)
    expect(olga).to_have_url(f"{olga.url.split('/t/')[0]}/t/{made.slug}/")

    said.get_by_role("button", name="Undo").click()
    expect(said).to_contain_text(f"Undone for {here[2]}")
    expect(olga).to_have_url(f"{olga.url.split('/t/')[0]}/t/{made.slug}/")


def test_a_sheet_takes_the_focus_and_gives_it_back_and_back_goes_one_level(olga, made):
    name = olga.locator("#page").get_by_role("link", name="Zoë", exact=True)
    name.click()
    heading = olga.locator("#sheet-heading")
    expect(heading).to_be_focused()
    assert findings(olga) == [] and width(olga) <= 360

    olga.locator(".panel .doing").first.click()
    expect(heading).to_have_text("Zoë leaves")
    expect(heading).to_be_focused()
    assert findings(olga) == []
    olga.go_back()
    expect(heading).to_have_text("Zoë")
    olga.go_back()
    expect(olga.locator(".shade")).to_have_count(0)
    expect(name).to_be_focused()

    for close in (
        lambda: olga.keyboard.press("Escape"),
        lambda: olga.get_by_role("button", name="Close").click(),
        lambda: olga.mouse.click(180, 20),
    ):
        name.click()
        olga.locator(".panel .doing").first.click()
        expect(heading).to_have_text("Zoë leaves")
        close()
        expect(olga.locator(".shade")).to_have_count(0)
        expect(name).to_be_focused()
        expect(olga).to_have_url(f"{olga.url.split('/t/')[0]}/t/{made.slug}/")


def test_a_change_in_another_tab_shows_the_new_outcome_in_the_sheet(olga, made):
    taps = Taps(olga)
    taps.name("Zoë")
    taps.line("Leaves")
    expect(olga.locator(".panel-foot button")).to_be_visible()
    drop_out(tournament=made, entry=cast.entry(made, "Farah"), by=made.owner)
    taps.button("Let someone stand in")
    expect(olga.locator(".panel [role=alert]")).to_contain_text("Something has changed since.")
    assert cast.entry(made, "Zoë").status == "active"
    taps.button("Let someone stand in")
    expect(olga.locator("#messages")).to_contain_text("Zoë has dropped out.")


def test_another_choice_has_another_button_and_keeps_what_was_typed(live_server, open_page):
    made = cast.play(cast.tournament(9), rounds=1)
    olga = sign_in(open_page(**PHONE), live_server)
    seat = made.rounds.get(number=2).seats.exclude(table=None).order_by("pk").first()
    olga.goto(f"/t/{made.slug}/seating/")
    olga.locator(".by-name").get_by_role("link", name=str(seat.entry), exact=True).click()
    Taps(olga).line("Leaves")
    olga.get_by_text("Add a reason").click()
    olga.locator(".panel [name=reason]").fill("Unwell")
    before = olga.locator(".panel-foot button").inner_text()
    olga.get_by_role("radio", name="Someone stands in").check()
    expect(olga.locator(".panel-foot button")).not_to_have_text(before)
    expect(olga.locator(".panel-foot button")).to_contain_text("stand in for")
    expect(olga.locator(".panel [name=reason]")).to_have_value("Unwell")
    olga.locator(".panel-foot button").click()
    expect(olga.locator("#messages")).to_contain_text("has dropped out.")
    assert seat.entry.events.get().reason == "Unwell"


def test_the_number_of_a_table_opens_its_sheet(olga, made):
    olga.locator("a.token").filter(has_text="2").click()
    expect(olga.locator("#sheet-heading")).to_have_text("Table 2")
    assert findings(olga) == []
    taps = Taps(olga)
    taps.line("Close the table")
    taps.button("Close table 2")
    expect(olga.locator("#messages")).to_contain_text("Table 2 is closed for this round.")


def test_on_a_desktop_the_sheet_is_beside_the_name(live_server, open_page, made):
    olga = sign_in(open_page(viewport={"width": 1280, "height": 800}), live_server)
    olga.goto(f"/t/{made.slug}/")
    name = olga.locator("#page").get_by_role("link", name="Zoë", exact=True)
    name.click()
    panel = olga.locator(".panel")
    expect(panel).to_be_visible()
    box, at = panel.bounding_box(), name.bounding_box()
    assert box["width"] == 440
    assert box["x"] >= at["x"] + at["width"] or box["x"] + box["width"] <= at["x"]
    assert box["y"] + box["height"] <= 800
    expect(olga.locator(".who-open")).to_have_text("Zoë")


def test_points_have_their_outcome_while_they_are_typed_and_are_given_with_one_tap(olga, made):
    taps = Taps(olga)
    taps.name("Zoë")
    taps.line("Points adjustment")
    olga.locator(".panel [name=points]").press_sequentially("-20")
    expect(olga.locator(".panel-foot button")).to_have_text("Take 20 points from Zoë")
    expect(olga.locator(".panel [name=points]")).to_be_focused()
    olga.locator(".panel [name=reason]").fill("Late again")
    taps.button("Take 20 points from Zoë")
    expect(olga.locator("#messages")).to_contain_text("−20 points for Zoë.")
    olga.locator("#messages").get_by_role("button", name="Undo").click()
    expect(olga.locator("#messages")).to_contain_text("Points adjustment undone.")
    expect(olga).to_have_url(f"{olga.url.split('/t/')[0]}/t/{made.slug}/")


def test_on_the_page_of_a_player_another_choice_has_another_button_too(live_server, open_page):
    made = cast.play(cast.tournament(9), rounds=1)
    olga = sign_in(open_page(**PHONE), live_server)
    seat = made.rounds.get(number=2).seats.exclude(table=None).order_by("pk").first()
    olga.goto(f"/t/{made.slug}/people/{seat.entry.public_id}/?do=leave")
    olga.get_by_role("radio", name="Someone stands in").check()
    button = olga.locator(".panel-foot button")
    expect(button).to_contain_text("stand in for")
    assert findings(olga) == [] and width(olga) <= 360
    button.click()
    expect(olga.locator("#messages")).to_contain_text("has dropped out.")


def test_a_warning_takes_points_and_its_reason_is_in_no_address(olga, made):
    urls: list[str] = []
    olga.on("request", lambda request: urls.append(request.url))
    taps = Taps(olga)
    taps.name("Farah")
    olga.locator(".panel").get_by_role("link", name="Warn", exact=True).click()
    olga.get_by_label("Reason").fill("Shouted")
    olga.get_by_label("Points").fill("-10")
    expect(olga.locator(".panel-foot").get_by_role("button", name="Warn Farah, take 10 points")).to_be_visible()
    expect(olga.get_by_label("Reason")).to_have_value("Shouted")
    assert findings(olga) == [] and width(olga) <= 360
    taps.button("Warn Farah, take 10 points")
    expect(olga.locator("#messages")).to_contain_text("Farah has a warning.")
    assert made.warnings.get().points == -10
    assert any("points=-10" in url for url in urls) and not any("Shouted" in url for url in urls)
