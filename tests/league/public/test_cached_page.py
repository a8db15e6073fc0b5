"""Pages kept in memory: never older than the last change, and never another's."""

import gzip
import json
import threading

import pytest
from django.contrib import messages
from django.contrib.messages.storage.base import Message
from django.contrib.messages.storage.cookie import MessageEncoder
from django.contrib.messages.storage.session import SessionStorage
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from games.hands.correct import void_hand
from games.models import Hand
from league.access.session_links import SESSION
from league.access.viewer import Attribution
from league.clubs.members import change_member
from league.entries.list_order import rename_entry
from league.models import Entry, LogHead, Player, Tournament
from league.pages import cached_page
from league.public import snapshots
from league.rounds.adjustments import adjust
from league.rounds.steps import start
from league.setup.create import change_details
from league.standings import read as ledger
from tests import cast

pytestmark = pytest.mark.django_db(transaction=True)  # in a transaction nothing is kept


@pytest.fixture
def played():
    return cast.play(cast.tournament(), 1)


def standings(client, tournament, **query):
    response = client.get(reverse("standings", args=[tournament.slug]), query)
    assert response.status_code == 200
    return response.content.decode()


def queries_of(count, client, tournament):
    with count() as made:
        standings(client, tournament)
    return len(made)


@pytest.fixture
def count(django_assert_max_num_queries):
    return lambda: django_assert_max_num_queries(50)


def test_the_second_look_is_answered_with_one_query(client, played, count):
    first = standings(client, played)
    assert queries_of(count, client, played) == 1
    assert standings(client, played) == first


def test_the_first_look_takes_ten_queries_whatever_the_size(client, played, count):
    small = cast.play(cast.tournament(4, name="One table"), 1)
    assert queries_of(count, client, small) == queries_of(count, client, played) == 10


def test_a_hand_that_was_taken_back_is_gone_at_the_next_look(client, played):
    table = cast.table(played, 2, 1)
    recorded = cast.record(table, 1, 0, (0, 99, 1, 98))
    before = standings(client, played)
    table.refresh_from_db()
    void_hand(hand_id=recorded.hand.pk, version=table.version, reason="", by=Attribution(played.owner))
    assert not Hand.objects.living().filter(table=table).exists()
    assert standings(client, played) != before


def test_a_penalty_shows_at_the_next_look(client, played):
    before = standings(client, played)
    adjust(
        tournament=played, entry=cast.entry(played, "Zoë"), points=-50, reason="Late", round_number=1, by=played.owner
    )
    assert standings(client, played) != before


def test_a_player_renamed_in_another_tournament_has_the_new_name_at_once(client, played):
    """The two tournaments share the person and not the log."""
    other = cast.tournament(4, name="Next week")
    shared = Entry.objects.create(tournament=other, player=cast.entry(played, "Zoë").player, number=5)
    assert "Zoe with an e" not in standings(client, played)
    rename_entry(entry=shared, name="Zoe with an e", club="", by=played.owner)
    assert "Zoe with an e" in standings(client, played)


def test_frozen_standings_are_linked_at_the_next_look(client, played):
    before = standings(client, played, as_of_round=1)
    assert "standings_as_published.csv" not in before
    snapshots.freeze(played.rounds.get(number=1))
    assert "standings_as_published.csv" in standings(client, played, as_of_round=1)


def test_each_round_has_a_page_of_its_own(client, played):
    assert standings(client, played, as_of_round=1) != standings(client, played, as_of_round=2)
    assert client.get(reverse("standings", args=[played.slug]), {"as_of_round": "9"}).status_code == 404


def test_who_is_signed_in_never_gets_the_page_of_the_others_and_leaves_none(client, played):
    client.force_login(cast.organiser())
    assert "Olga" in standings(client, played)
    client.logout()
    assert "Olga" not in standings(client, played)
    client.force_login(cast.organiser())
    assert "Olga" in standings(client, played)


def test_a_private_tournament_is_closed_to_strangers_from_one_moment_to_the_next(client, played):
    standings(client, played)
    played.visibility = "private"
    played.save()
    assert client.get(reverse("standings", args=[played.slug])).status_code == 404


def test_a_change_between_two_reads_of_one_request_leaves_no_old_page_behind(client, played, monkeypatch):
    """The tournament's row was read, then its name changed, then the rest was read."""
    read = ledger.read

    def late(tournament, **of):
        monkeypatch.setattr(ledger, "read", read)
        change_details(tournament=Tournament.objects.get(pk=tournament.pk), by=tournament.owner, name="Winter Pairs")
        return read(tournament, **of)

    monkeypatch.setattr(ledger, "read", late)
    assert "Autumn Pairs" in standings(client, played)
    assert "Winter Pairs" in standings(client, played)


def test_a_tournament_without_a_log_is_not_kept(client, played, count):
    LogHead.objects.filter(tournament=played).delete()
    standings(client, played)
    assert queries_of(count, client, played) == 9


PAGES = ("standings", "seating", "hands", "bracket", "fairness")


@pytest.mark.parametrize("page", PAGES)
def test_pages_at_which_everybody_looks_are_made_once(page, client, played, django_assert_num_queries):
    address = reverse(page, args=[played.slug])
    made = client.get(address).content
    with django_assert_num_queries(1):
        found = client.get(address)
    assert found.content == made
    packed = client.get(address, headers={"Accept-Encoding": "br, gzip"})
    assert packed["Content-Encoding"] == "gzip" and gzip.decompress(packed.content) == made
    assert "Accept-Encoding" in packed["Vary"] and packed["Content-Type"] == found["Content-Type"]


def test_who_asks_for_something_of_their_own_gets_it(client, played):
    seating = reverse("seating", args=[played.slug])
    everybody = client.get(seating).content.decode()
    assert 'value="Zo"' not in everybody
    found = client.get(seating, {"q": "Zo"}).content.decode()
    assert found != everybody and 'value="Zo"' in found
    part = client.get(seating, {"q": ""}, headers={"HX-Request": "true", "HX-Target": "answer"}).content.decode()
    assert "<html" not in part and "<html" in client.get(seating).content.decode()


def test_those_who_play_here_by_their_links_have_a_page_with_their_table_and_share_it(client, played):
    page, mine = reverse("standings", args=[played.slug]), reverse("my_table", args=[played.slug])
    zoe, farah = (opened(cast.entry(played, name)) for name in ("Zoë", "Farah"))
    elsewhere = opened(cast.entry(cast.tournament(4, name="Next week"), "Ana Lucía"))
    strangers = client.get(page).content.decode()
    assert mine not in strangers
    assert mine in zoe.get(page).content.decode()
    assert farah.get(page).content == zoe.get(page).content
    assert elsewhere.get(page).content.decode() == strangers == client.get(page).content.decode()


def test_a_message_that_waits_is_told_once_and_to_nobody_else(client, played):
    page = reverse("standings", args=[played.slug])
    zoe, farah = (opened(cast.entry(played, name)) for name in ("Zoë", "Farah"))
    farah.get(page)
    session = zoe.session
    session[SessionStorage.session_key] = json.dumps([Message(messages.SUCCESS, "Noted.", "")], cls=MessageEncoder)
    session.save()
    assert "Noted." in zoe.get(page).content.decode()
    assert "Noted." not in farah.get(page).content.decode()
    assert "Noted." not in zoe.get(page).content.decode()


def opened(entry):
    browser = Client()
    session = browser.session
    session[SESSION] = [[entry.public_id, entry.link_generation]]
    session.save()
    browser.cookies["sessionid"] = session.session_key
    return browser


def test_a_page_that_another_process_makes_is_waited_for(client, played, monkeypatch):
    before = standings(client, played)
    cast.record(cast.table(played, 2, 1), 1, 0, (0, 99, 1, 98))
    claimed = caches["pages"].add
    theirs = []

    def looked_again(seconds):
        if not theirs:  # the other process puts it there
            caches["pages"].add = claimed
            theirs.append(standings(client, played))

    monkeypatch.setattr(caches["pages"], "add", lambda *claim: False)
    monkeypatch.setattr(cached_page.time, "sleep", looked_again)
    monkeypatch.setattr(cached_page, "_turns", (threading.RLock(),))
    assert standings(client, played) == theirs[0] != before


def test_nobody_waits_for_long_for_one_that_died(client, played, monkeypatch):
    monkeypatch.setattr(caches["pages"], "add", lambda *claim: False)
    monkeypatch.setattr(cached_page, "PATIENCE", 0.01)
    first = standings(client, played)
    assert standings(client, played) == first and "Zoë" in first


def test_while_redis_is_away_each_process_makes_its_pages(client, played, settings, monkeypatch, count):
    settings.CACHES = settings.CACHES | {
        "pages": {"BACKEND": "config.cache.RedisCache", "LOCATION": "redis://127.0.0.1:1"}
    }
    monkeypatch.setattr(cached_page, "_silent_until", 0.0)
    assert "Zoë" in standings(client, played)
    assert cached_page._silent_until > 0
    assert queries_of(count, client, played) == 1  # this process has its own


def test_only_rounds_that_there_are_and_what_the_page_can_show_are_kept(client, played):
    seating = reverse("seating", args=[played.slug])
    for query in ({"round": "777"}, {"round": "01"}, {"from": "1"}, {"round": "1", "x": "1"}):
        client.get(seating, query)
    assert not [key for key in caches["pages"]._cache if "page:" in key]
    client.get(seating, {"round": "1"})
    assert len([key for key in caches["pages"]._cache if "page:" in key]) == 1


def test_a_page_that_was_pushed_out_is_made_at_once(client, played, monkeypatch):
    first = standings(client, played)
    for key in [key for key in caches["pages"]._cache if "page:" in key]:
        caches["pages"].delete(key.partition(":1:")[2])
    monkeypatch.setattr(cached_page.time, "sleep", None)  # it waits for nobody
    assert standings(client, played) == first


def test_another_release_has_pages_of_its_own(client, played, monkeypatch, count):
    standings(client, played)
    monkeypatch.setattr(cached_page, "release", lambda: "another")
    assert queries_of(count, client, played) == 10


def test_a_page_that_there_is_not_is_claimed_by_nobody(client, played):
    address = reverse("standings", args=[played.slug])
    for _time in range(2):
        assert client.get(address, {"as_of_round": "9"}).status_code == 404
    assert not [key for key in caches["pages"]._cache if "as_of_round=9" in key]


def test_who_only_plays_for_others_has_the_new_name_at_once_where_they_did(client):
    club = cast.club()
    gul = Player.objects.create(name="Gül", club=club)
    played = cast.challenge(8)
    start(tournament=played, by=played.owner)
    seat = played.rounds.get(number=1).seats.get(number=1, table__number=1)
    seat.substitute = gul  # whom a merge has made a member
    seat.save()
    number = LogHead.objects.get(tournament=played).number
    change_member(player=gul, name="Gül B", email="", club_name="", birthday=None, by=club.owner)
    assert LogHead.objects.get(tournament=played).number == number + 1
