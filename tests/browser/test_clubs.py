"""A club on the phone, from its founding to the first evening with a member, in a real browser."""

from datetime import date

from django.conf import settings
from django.test import Client
from playwright.sync_api import expect

from league.models import Entry, Merge, Player, Tournament
from tests import cast

from .looking import findings, width


def signed_in(page, live_server):
    """As the organiser, without the way through the form: other tests go it."""
    client = Client()
    client.force_login(cast.organiser())
    name = settings.SESSION_COOKIE_NAME
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": live_server.url}])


def fits(page):
    assert findings(page) == [], page.url
    assert width(page) <= page.viewport_size["width"], page.url


def test_a_club_from_its_founding_to_the_first_evening(phone, live_server):
    signed_in(phone, live_server)
    phone.goto("/clubs/")
    phone.get_by_role("link", name="Create a club").click()
    phone.get_by_label("Name", exact=True).fill("Café Ludo")
    phone.get_by_label("Time zone").fill("Europe/Paris")
    phone.get_by_role("button", name="Create the club").click()
    expect(phone.get_by_role("heading", name="No tournaments yet")).to_be_visible()
    fits(phone)

    phone.get_by_role("link", name="Add members").click()
    phone.get_by_label("Names, one per line").fill("\n".join(cast.CAST[:4]))
    phone.get_by_role("button", name="Add members").click()
    expect(phone.get_by_text("4 members added.")).to_be_visible()

    phone.get_by_role("link", name="Tournaments").click()
    phone.get_by_role("link", name="New tournament").click()
    expect(phone.get_by_label("Club", exact=True)).to_have_value("cafe-ludo")
    phone.locator("summary", has_text="Name:").click()
    phone.get_by_label("Name (optional)").fill("Evening 1")
    phone.get_by_role("button", name="Create tournament").click()
    phone.get_by_role("button", name="Add ticked names").click()
    expect(phone.get_by_text("Tick at least one name.")).to_be_visible()
    phone.get_by_role("button", name="Tick all").click()
    phone.get_by_role("button", name="Add ticked names").click()
    expect(phone.get_by_text("Added: 4.")).to_be_visible()

    phone.get_by_role("link", name="Café Ludo").click()
    expect(phone.get_by_role("link", name="Draw the seating")).to_be_visible()
    fits(phone)
    assert Tournament.objects.get().entries.filter(player__club__slug="cafe-ludo").count() == 4


def test_the_button_says_how_many_people_it_joins_and_undo_is_one_tap(phone, live_server):
    club = cast.club()
    for day, names in ((7, ("Ann", "Bo")), (8, ("ann", "bo"))):
        made = cast.tournament([], club=club, format="points", starts_on=date(2026, 11, day))
        for number, name in enumerate(names, 1):
            Entry.objects.create(tournament=made, player=Player.objects.create(name=name), number=number)
    signed_in(phone, live_server)
    phone.goto(f"/clubs/{club.slug}/players/")
    phone.get_by_role("link", name="Duplicates").click()
    expect(phone.get_by_role("button", name="Merge 2 pairs")).to_be_visible()
    phone.get_by_role("checkbox").first.uncheck()
    phone.get_by_role("checkbox").last.uncheck()
    expect(phone.get_by_role("button", name="Merge the ticked pairs")).to_be_visible()
    phone.get_by_role("checkbox").first.check()
    fits(phone)
    phone.get_by_role("button", name="Merge 1 pair").click()
    expect(phone.get_by_text("1 pair merged: Ann.")).to_be_visible()
    fits(phone)
    phone.get_by_role("status").get_by_role("button", name="Undo").click()
    expect(phone.get_by_text("Separate again: ann.")).to_be_visible()
    assert not Merge.objects.filter(undone_at=None).exists()
