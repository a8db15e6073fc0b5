"""Who is at an online table: told to the others by when a player's page was heard of last."""

import re

import pytest
from django.utils import timezone
from redis.exceptions import RedisError

from engine.state import TURN
from games.hands.locks import lock_table
from games.models import Deal, OnlineSettings
from games.online.play import presence
from games.online.play.notify import notify_page
from league.models import Entry
from league.rounds.steps import start
from tests import cast
from tests.games.arranged import arrange
from tests.games.online_table import play_out, put_online
from tests.games.screen import Screen

pytestmark = pytest.mark.django_db

SCRIPT = {"Wild-Live": "1"}


@pytest.fixture
def deal(clock):
    made = cast.tournament()
    OnlineSettings.objects.create(tournament=made, move_seconds=600)
    start(tournament=made, by=made.owner)
    return arrange(put_online(cast.table(made, 1, 1)), lambda hand: hand.public.step == TURN and len(hand.log) > 20)


def at(deal, seat):
    return Screen(deal.table_id, Entry.objects.get(pk=deal.places[seat]["entry"]))


def look(screen, **headers):
    """The page as its script asks for it."""
    assert screen.client.get(screen.home, headers=headers or SCRIPT).status_code == 200


def test_whose_page_is_silent_is_told_to_be_gone_and_since_when(clock, deal):
    one, other = at(deal, 0), at(deal, 1)
    watching = Screen(deal.table_id)
    look(one)
    assert 'aria-label="connected"' in other.look().html
    clock.pass_by(20)
    look(other)
    clock.pass_by(10)
    for screen in (other, watching):
        assert "offline for 0:30" in screen.look().text
        assert 'data-words="offline for {time}"' in screen.html
    look(one)
    assert "offline for" not in other.look().text


def test_an_open_page_is_told_nothing_that_it_shows_and_is_there_all_the_same(clock, deal):
    one, other, watching = at(deal, 0), at(deal, 1), Screen(deal.table_id)

    def asks(screen, has):
        answer = screen.client.get(screen.home, headers=SCRIPT | {"Wild-Has": has})
        return answer.status_code, answer.content.decode()

    for screen in (one, other):
        look(screen)
    has = {screen: re.search(r'data-has="([^"]+)"', screen.look().html)[1] for screen in (other, watching)}
    assert asks(other, has[other]) == (204, "")
    clock.pass_by(20)
    assert asks(other, has[other]) == asks(watching, has[watching]) == (204, "")
    clock.pass_by(20)  # the first is gone; the second has asked, if only for nothing
    status, page = asks(watching, has[watching])
    assert status == 200 and page.count('data-words="offline for') == 1
    look(one)
    assert asks(other, has[other])[0] == 204
    Deal.objects.filter(pk=deal.pk).update(paused_at=timezone.now())
    notify_page(lock_table(deal.table_id))
    assert asks(other, has[other])[0] == 200


def test_a_page_that_asks_for_a_colour_is_always_answered_whole(deal):
    screen = at(deal, 0).look()
    asked = screen.client.get(screen.home, {"card": "WD"}).content.decode()
    assert 'data-has=""' in asked and re.search(r'data-has="[^"]+"', screen.html)


def test_of_a_page_without_scripts_nothing_is_told(clock, deal):
    one, other = at(deal, 0), at(deal, 1)
    clock.pass_by(300)
    assert "connected" not in other.look().text and "connected" not in one.look().text
    look(one)
    one.look()  # a page with a script that is loaded anew, and then nothing more
    clock.pass_by(300)
    assert "offline for 5:00" in other.look().text


def test_after_a_hand_the_list_of_who_is_ready_tells_only_of_a_silent_page_and_of_an_absent_player(clock, deal):
    play_out(deal)
    one, other = at(deal, 0), at(deal, 1)
    assert 'class="ready"' in other.html and "connected" not in other.text
    look(one)
    assert "offline for" not in other.look().html
    clock.pass_by(30)
    assert other.look().html.count('data-words="offline for') == 1 and "offline for 0:30" in other.text
    waiting = Deal.objects.get(state=Deal.State.WAITING)
    waiting.places[0].update(bot="careful", ready=True)
    waiting.save()
    assert "away, a bot plays" in other.look().text and "offline for" not in other.html


def test_a_page_that_nobody_looks_at_may_be_silent_for_longer(clock, deal):
    one, other = at(deal, 0), at(deal, 1)
    look(one, **{"Wild-Live": "hidden"})
    clock.pass_by(70)
    assert "offline for" not in other.look().text
    clock.pass_by(10)
    assert "offline for 1:20" in other.look().text


def test_without_the_cache_pages_come_and_tell_nothing(clock, deal, monkeypatch):
    class Down:
        def get_many(self, *what):
            raise RedisError

        get = set = get_many

    look(at(deal, 0))
    with monkeypatch.context() as patched:
        patched.setattr(presence, "caches", {"presence": Down()})
        assert "connected" not in at(deal, 1).text
    monkeypatch.setattr(presence, "_silent_until", 0.0)
    assert 'aria-label="connected"' in at(deal, 1).html
