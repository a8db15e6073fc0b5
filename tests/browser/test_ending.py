"""When a tournament does not go on as planned, on the phone: what the settings offer, and the page that asks first."""

from playwright.sync_api import expect

from league.models import Tournament
from league.rounds.steps import start
from tests import cast

from .looking import findings, low, press, width
from .test_clubs import signed_in


def test_a_tournament_is_deleted_on_the_phone_by_typing_its_name(phone, live_server):
    signed_in(phone, live_server)
    made = cast.tournament(club=cast.club())
    phone.goto(f"/t/{made.slug}/settings/")
    section = phone.locator("#ending")
    expect(section.get_by_text("Nothing has been played yet.")).to_be_visible()
    assert findings(phone) == [] and width(phone) <= phone.viewport_size["width"]
    press(section.get_by_role("link", name="Delete tournament…"))
    assert findings(phone) == [] and width(phone) <= phone.viewport_size["width"]
    assert low(phone.locator("main .input, main .btn")) == []
    phone.get_by_label("Name", exact=True).fill("Autumn")
    phone.keyboard.press("Enter")
    expect(phone.get_by_text("Nothing was deleted.")).to_be_visible()
    expect(phone.get_by_label("Name", exact=True)).to_have_value("Autumn")
    assert findings(phone) == []
    phone.get_by_label("Name", exact=True).fill("autumn pairs")
    press(phone.get_by_role("button", name="Delete tournament"))
    expect(phone.get_by_text("“Autumn Pairs” is deleted.")).to_be_visible()
    assert not Tournament.objects.exists()
    phone.goto("/accounts/")
    expect(phone.get_by_text("Autumn Pairs, 24 November 2026")).to_be_visible()
    assert findings(phone) == [] and width(phone) <= phone.viewport_size["width"]


def test_what_had_begun_is_called_off_in_the_settings_and_held_after_all(phone, live_server):
    signed_in(phone, live_server)
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    phone.goto(f"/t/{made.slug}/settings/")
    section = phone.locator("#ending")
    expect(section.get_by_text("A round was published, so it can’t be deleted.")).to_be_visible()
    press(section.get_by_role("button", name="Cancel tournament"))
    expect(section.get_by_text("Give a reason. Everyone can read it.")).to_be_visible()
    section.get_by_label("Reason").fill("Power cut")
    press(section.get_by_role("button", name="Cancel tournament"))
    expect(phone.get_by_text("Cancelled: Power cut")).to_be_visible()
    phone.goto(f"/t/{made.slug}/")
    press(phone.get_by_role("button", name="Reinstate"))
    expect(section.get_by_role("button", name="Cancel tournament")).to_be_visible()
