"""A director at an online table, in a real browser on a real `serve`, while a player’s page follows."""

import pytest
from playwright.sync_api import expect

from tests.served import Served, Visitor

from .conftest import PHONE
from .looking import findings, low, press, width

PREPARE = """
from games.models import OnlineSettings
from games.online.play import deals
from games.online.director.services import moves_that_stand
from league.access.signed_links import player_token
from league.models import Entry
from tests.games.online_table import everybody_ready, next_move, put_online
deals.fresh_seed = lambda: bytes(range(72))  # the same cards every time
made = cast.tournament()
start(tournament=made, by=made.owner)
OnlineSettings.objects.create(tournament=made, move_seconds=600)
deal = everybody_ready(put_online(cast.table(made, 1, 1)))
for _move in range(5):
    next_move(deal)
deal.refresh_from_db()
print(json.dumps([
    deal.table_id,
    player_token(Entry.objects.get(pk=deal.places[0]["entry"])),
    [move.words for move in moves_that_stand(deal)],
]))
"""


@pytest.fixture
def table(tmp_path, new_context):
    """(the director’s page, a player’s page, the moves so far in words, the latest first)"""
    served = Served(tmp_path)
    key, token, moves = served.prepare([PREPARE])
    served.start()
    player = Visitor(served.port)
    player.get(f"/me/{token}/")
    player.post(f"/me/{token}/", {})

    def at_the_table(visitor):
        context, base = new_context(**PHONE), f"http://127.0.0.1:{served.port}"
        context.add_cookies([{"name": name, "value": one, "url": base} for name, one in visitor.cookies.items()])
        page = context.new_page()
        page.goto(f"{base}/tables/{key}/play/")
        return page

    yield at_the_table(served.visitor()), at_the_table(player), moves
    served.stop()


def test_a_director_pauses_takes_moves_back_and_goes_on_while_the_players_page_follows(table):
    director, player, moves = table
    log = player.locator("#log")
    expect(log.locator("li")).to_have_count(3)
    player.evaluate("window.loadedOnce = true")
    bar = director.get_by_role("region", name="Director’s bar")
    assert not findings(director) and not low(bar.locator("a, button")) and width(director) == 360

    press(bar.get_by_role("button", name="Pause"))
    expect(player.locator("#mine")).to_contain_text("Paused")
    bar.get_by_label("Reason (everyone sees it)").fill("Somebody at the door")
    assert not low(bar.locator("a, button, input")) and not findings(director) and width(director) == 360
    press(bar.get_by_role("button", name="Send reason"))
    expect(bar).to_contain_text("Shown to everyone: “Somebody at the door”")
    expect(player.locator("#mine")).to_contain_text("Somebody at the door")
    press(bar.get_by_role("button", name="Resume"))
    expect(player.locator("#mine")).not_to_contain_text("Paused")

    press(bar.get_by_role("link", name="Undo moves"))
    press(director.get_by_role("button", name="Pause the hand"))
    expect(player.locator("#mine")).to_contain_text("Paused")
    press(director.get_by_role("link", name=moves[2]))
    expect(director.get_by_role("heading", name="2 moves will be undone")).to_be_visible()
    director.get_by_label("Reason").fill("A card fell on the screen")
    assert not findings(director) and width(director) == 360
    press(director.get_by_role("button", name="Undo these moves"))
    expect(log).to_contain_text("A card fell on the screen")
    expect(player.locator("#mine")).to_contain_text("Paused")

    press(bar.get_by_role("button", name="Resume"))
    expect(bar.get_by_role("button", name="Pause")).to_be_visible()
    expect(player.locator("#mine")).not_to_contain_text("Paused")
    assert player.evaluate("window.loadedOnce === true")
