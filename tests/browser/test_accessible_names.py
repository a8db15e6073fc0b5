"""Ten pages as a screen reader has them: headings, names, lists and rows, as text beside this file.

After a change that is meant, `WILD_SNAPSHOTS=write python3 dev.py test tests/browser/test_accessible_names.py` writes
them anew: read the difference before it is committed.
"""

import os
import re
from pathlib import Path

import pytest

from league.access.signed_links import player_token
from league.rounds.steps import start
from league.seasons.seasons import create_season, put_in_season
from tests import cast
from tests.browser.looking import press, settled
from tests.browser.test_pages import sign_in

FILES = Path(__file__).parent / "accessible"
# What the database or the browser gives: addresses, keys, and words of the moment.
PASSING = re.compile(r"^ *- /url: .*\n|^ *- status.*\n", re.MULTILINE)


@pytest.fixture
def at():
    """The address of each page, by the name of its file."""
    evening = cast.play(cast.tournament(), rounds=2)
    cast.record(cast.table(evening, 3, 1), hand=1)
    race = cast.play(cast.challenge(name="Challenge"), rounds=1)
    tree = cast.tournament(format="knockout", hands_per_round=1, name="Cup")
    start(tournament=tree, by=tree.owner)
    for table in tree.rounds.get(number=1).tables.all():
        cast.record(table, 1, 0, (10, 10))
    cast.go_on(tree)
    club = cast.club()
    season = create_season(club=club, by=club.owner, name="Winter")
    held = cast.play(cast.tournament(name="Club Night", club=club), rounds=2)
    put_in_season(tournament=held, season=season, by=club.owner)
    zoe = cast.entry(evening, "Zoë")
    at_evening = f"/t/{evening.slug}"
    return {
        "now": f"{at_evening}/",
        "players": f"{at_evening}/players/",
        "seating": f"{at_evening}/seating/",
        "standings": f"{at_evening}/standings/",
        "rounds": f"{at_evening}/bracket/",
        "person": f"{at_evening}/people/{zoe.public_id}/",
        "tree": f"/t/{tree.slug}/bracket/",
        "race": f"/t/{race.slug}/race/",
        "season": f"/clubs/{club.slug}/seasons/{season.slug}/",
        "my_table": f"/me/{player_token(zoe)}/",
    }


def test_each_page_reads_as_it_is_written_down(phone, at):
    sign_in(phone)
    phone.goto(at["my_table"])
    press(phone.get_by_role("button", name="Open my table"))
    different = [name for name, address in at.items() if not _is_as_written(name, _read(phone, address))]
    assert different == []


def _read(page, address):
    page.goto(address)
    return PASSING.sub("", settled(page).locator("main").aria_snapshot() + "\n")


def _is_as_written(name, text):
    file = FILES / f"{name}.txt"
    if os.environ.get("WILD_SNAPSHOTS") == "write":
        file.write_text(text, encoding="utf-8")
    return file.exists() and file.read_text(encoding="utf-8") == text
