"""The table of a season changes by itself while its evenings are played, in a real browser on a real `serve`."""

import pytest
from playwright.sync_api import expect

from tests.served import Served

from .conftest import DESKTOP, PHONE

PREPARE = """
from league.seasons import seasons
club = cast.club(members=8)
season = seasons.create_season(club=club, by=club.owner, name="League 2026")
made = [cast.tournament(name=name, club=club, rounds=1, hands_per_round=1) for name in ("One", "Two")]
for one in made:
    seasons.put_in_season(tournament=one, season=season, by=club.owner)
    start(tournament=one, by=one.owner)
print(json.dumps([[one.slug, [table.pk for table in one.rounds.get().tables.order_by("number")]] for one in made]))
"""
SEASON = "/clubs/cafe-ludo/seasons/league-2026/"


@pytest.fixture
def served(tmp_path):
    served = Served(tmp_path)
    made = served.prepare([PREPARE])
    served.start()
    yield served.port, served.visitor(), made
    served.stop()


def test_a_season_s_table_moves_with_each_of_two_evenings_and_when_they_are_over(served, new_context):
    port, olga, [(first, tables), (_second, others)] = served

    def record(table):
        fields = {"went_out": "0", "cards_1": "R7 GD B6", "cards_3": "W"} | olga.form(table, 1)
        assert olga.post(f"/tables/{table}/", fields)[0] == 303

    pages = []
    for size in (PHONE, DESKTOP):
        page = new_context(**size).new_page()
        page.goto(f"http://127.0.0.1:{port}{SEASON}")
        expect(page.locator("#live")).to_have_text("Live")
        page.evaluate("window.loadedOnce = true")
        expect(page.locator("#page")).to_contain_text("No players yet")
        pages.append(page)
    record(tables[0])
    for page in pages:
        expect(page.locator(".season .who")).to_have_count(4)
    record(others[0])  # of the other evening that goes on
    for page in pages:
        expect(page.locator(".season .pts").first).to_have_text("24")  # first in both
        assert page.evaluate("window.loadedOnce === true")
    record(tables[1])
    for step in ("close-1", "finish"):
        assert olga.post(f"/t/{first}/advance/", {"step": step})[0] == 302
    for page in pages:
        expect(page.locator(".where")).to_contain_text("1 of 2 tournaments played")
        expect(page.locator("#live")).to_have_text("Live")
    record(others[1])
    for page in pages:
        expect(page.locator(".season .who")).to_have_count(8)
        expect(page.locator(".season .pts").nth(4)).not_to_have_text("4")
