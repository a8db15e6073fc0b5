"""What players read when a move was made for them because their time was over, and before a bot takes their seat."""

import re

import pytest

from engine.state import TURN
from games.models import OnlineSettings
from league.models import Entry
from league.rounds.steps import start
from tests import cast
from tests.games.arranged import arrange
from tests.games.online_table import next_move, put_online, standing
from tests.games.screen import Screen

pytestmark = pytest.mark.django_db

WARNING = "If your time runs out, a bot plays for you."


def dealt(**settings):
    made = cast.tournament()
    OnlineSettings.objects.create(tournament=made, **settings)
    start(tournament=made, by=made.owner)
    return arrange(put_online(cast.table(made, 1, 1)), lambda hand: hand.public.step == TURN and len(hand.log) > 20)


def at(deal, seat):
    return Screen(deal.table_id, Entry.objects.get(pk=deal.places[seat]["entry"]))


def notice(screen):
    found = re.search(r'id="timeup" role="status">([^<]*)<', screen.look().html)
    return found[1].strip() if found else ""


def miss(clock, deal):
    """The player to move lets the time run out; returns their seat."""
    deal.refresh_from_db()
    seat = deal.turn
    clock.run(clock.left(deal) + 3)
    return seat


def test_a_player_reads_what_was_drawn_for_them_and_that_a_bot_comes_next(clock):
    deal = dealt(misses=2)
    seat = miss(clock, deal)
    mine, other = at(deal, seat), at(deal, (seat + 1) % 4)
    assert re.fullmatch(rf"Time was up: you draw \w+ [\w ]+\. {WARNING}", notice(mine)), notice(mine)
    assert re.search(r"Time was up: you draw \w+ \w+", mine.text)
    assert "Time was up: " in other.text and "Time was up: you" not in other.text
    assert notice(other) == "" and "Time was up: " in Screen(deal.table_id).text


def test_the_notice_goes_with_the_players_next_move(clock):
    deal = dealt(misses=4)
    seat = miss(clock, deal)
    assert notice(at(deal, seat)).startswith("Time was up: you draw") and WARNING not in notice(at(deal, seat))
    moved = False
    while not moved or standing(deal).hand.public.turn == seat:
        moved = standing(deal).hand.public.turn == seat
        next_move(deal)
    assert notice(at(deal, seat)) == ""


def test_where_the_first_miss_costs_the_seat_the_player_to_move_is_warned(clock):
    deal = dealt(misses=1)
    deal.refresh_from_db()
    seat = deal.turn
    assert notice(at(deal, seat)) == WARNING and notice(at(deal, (seat + 1) % 4)) == ""
    miss(clock, deal)
    assert notice(at(deal, seat)) == "" and "A bot plays for you" in at(deal, seat).text


def test_a_watcher_who_sees_the_hand_later_learns_of_a_missed_move_with_it(clock):
    deal = dealt(misses=2, spectator_delay=2)
    miss(clock, deal)
    watching = Screen(deal.table_id)
    assert "Time was up" not in watching.text
    for _move in range(2):
        next_move(deal)
    assert "Time was up" in watching.look().text
