"""How people get to an online table of a tournament: their own page, the lists, the hall screen, the overview."""

import html

import pytest
from django.test import Client

from games.models import Deal, OnlineSettings
from games.online import overview
from league.access.signed_links import player_token, screen_token
from league.models import Table
from league.rounds.steps import start
from tests import cast
from tests.games.online_table import everybody_ready, next_move, play_out, put_online

pytestmark = pytest.mark.django_db


@pytest.fixture
def online():
    """Table 1 of the first round is played online, table 2 with real cards."""
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    put_online(cast.table(made, 1, 1))
    return cast.table(made, 1, 1)


def page(browser: Client, address: str) -> str:
    answer = browser.get(address)
    assert answer.status_code == 200, address
    return html.unescape(answer.content.decode())


def sitting_at(table: Table, seat: int = 0):
    return table.seats.get(number=seat).entry


def test_the_own_link_leads_to_the_online_table_with_one_button(client, online):
    entry = sitting_at(online)
    door = f"/me/{player_token(entry)}/"
    assert "Play: table 1" in page(client, door)
    assert "You play your table here in the browser" in page(client, door)
    assert client.post(door)["Location"] == f"/tables/{online.pk}/play/?as={entry.public_id}"


def test_the_own_link_of_who_sits_at_a_paper_table_leads_to_their_page(client, online):
    other = sitting_at(cast.table(online.round.tournament, 1, 2))
    door = f"/me/{player_token(other)}/"
    assert "Open my table" in page(client, door)
    assert client.post(door)["Location"] == f"/t/{online.round.tournament.slug}/me/"


def test_my_page_the_home_page_and_now_offer_to_play_first(client, online):
    entry = sitting_at(online)
    client.post(f"/me/{player_token(entry)}/")
    slug = online.round.tournament.slug
    for address in (f"/t/{slug}/me/", "/", f"/t/{slug}/", "/me/"):
        shown = page(client, address)
        assert f"/tables/{online.pk}/play/?as={entry.public_id}" in shown, address
    assert "Play: table 1" in page(client, f"/t/{slug}/me/")
    assert "Enter hand" not in page(client, f"/t/{slug}/me/")
    assert "Play this table online, in this browser." in page(client, f"/t/{slug}/me/")


@pytest.mark.parametrize(
    ("tables", "said"), [("all", "Played online"), ("1", "Some tables are played online"), ("", "")]
)
def test_before_the_start_ones_own_pages_say_that_it_is_played_online(client, tables, said):
    made = cast.tournament(online=tables)
    door = f"/me/{player_token(cast.entry(made, 'Zoë'))}/"
    before = page(client, door)
    client.post(door)
    for shown in (before, page(client, f"/t/{made.slug}/me/")):
        assert ("played online" in shown.lower()) == bool(said) and said in shown


@pytest.mark.parametrize("where", ["", "seating/", "seating/?q=a"])
def test_lists_mark_online_tables_and_lead_everybody_to_them(client, online, where):
    shown = page(client, f"/t/{online.round.tournament.slug}/{where}")
    assert f"/tables/{online.pk}/play/" in shown and "Online" in shown
    paper = cast.table(online.round.tournament, 1, 2)
    assert f"/tables/{paper.pk}/play/" not in shown


def test_the_hall_screen_says_which_tables_are_online(client, online):
    shown = page(client, f"/screen/{screen_token(online.round.tournament)}/")
    assert shown.count("online</small>") == 4


def test_a_closed_round_leads_nobody_to_play(client, online):
    tournament = online.round.tournament
    online.round.state = "closed"
    online.round.save()
    for address in (f"/t/{tournament.slug}/", f"/t/{tournament.slug}/seating/"):
        assert f"/tables/{online.pk}/play/" not in page(client, address)


def test_the_overview_says_what_each_online_table_waits_for(olga, online, monkeypatch):
    slug = online.round.tournament.slug
    deal = Deal.objects.get()
    names = [seat.entry.player.name for seat in online.seats.order_by("number")]
    waiting = page(olga, f"/t/{slug}/")
    assert f"Hand 1: 0 of 4 ready, waiting for {', '.join(names[:3])} and 1 more. Until" in waiting
    assert f'href="/tables/{online.pk}/play/"' in olga.get(f"/t/{slug}/in-play/").content.decode()
    everybody_ready(deal)
    moved = next_move(deal).deal
    turn = online.seats.get(number=moved.places[moved.turn]["seat"]).entry.player.name
    for address in (f"/t/{slug}/", f"/t/{slug}/in-play/"):
        assert f"Hand 1, move 1: waiting for {turn}." in page(olga, address)
    monkeypatch.setattr(overview, "lost_since", lambda players: dict.fromkeys(players, deal.made_at))
    assert f"Hand 1, move 1: waiting for {turn} (offline)." in page(olga, f"/t/{slug}/in-play/")
    Deal.objects.update(paused_at=deal.made_at)
    assert "Hand 1 is paused." in page(olga, f"/t/{slug}/in-play/")


def test_the_overview_says_what_a_table_without_a_deck_waits_for_and_leaves_out_what_is_done(olga, online):
    address = f"/t/{online.round.tournament.slug}/in-play/"
    deal = Deal.objects.get()
    Deal.objects.update(state=Deal.State.ABANDONED)
    assert "The deck is being shuffled." in page(olga, address)
    Deal.objects.update(on_paper=True)
    assert "Hand 1 continues with real cards." in page(olga, address)
    for hand in range(1, 5):
        cast.record(online, hand)
    assert not olga.get(address).content.strip()
    Deal.objects.filter(pk=deal.pk).update(state=Deal.State.WAITING, on_paper=False, due_at=None)
    assert "Until" not in page(olga, address)  # nobody came: the time begins with the first


def test_where_spectators_see_later_the_overview_tells_no_more_than_they_see(olga, online):
    OnlineSettings.objects.create(tournament=online.round.tournament, spectator_delay=3)
    everybody_ready(Deal.objects.get())
    shown = page(olga, f"/t/{online.round.tournament.slug}/in-play/")
    assert "Hand 1 is being played." in shown and "waiting for" not in shown


def test_when_all_hands_of_the_round_are_in_the_own_page_offers_to_watch(client, online):
    Table.objects.filter(pk=online.pk).update(hands_wanted=1)
    online.round.stage.settings["hands_per_round"] = 1
    online.round.stage.save()
    everybody_ready(Deal.objects.get())
    play_out(Deal.objects.get())
    client.post(f"/me/{player_token(sitting_at(online))}/")
    shown = page(client, f"/t/{online.round.tournament.slug}/me/")
    assert "Play: table 1" not in shown


def test_the_next_step_of_the_organiser_leads_to_the_online_table_that_is_missing(olga, online):
    shown = page(olga, f"/t/{online.round.tournament.slug}/")
    assert "Look at table 1" in shown and "Enter scores for table 2" in shown
    assert "Enter scores for table 1" not in shown


def test_now_offers_the_paper_tables_of_a_mixed_event_first(olga):
    made = cast.tournament(16, name="Mixed", format="points", rounds=2)
    start(tournament=made, by=made.owner)
    for number in (1, 2, 4):
        put_online(cast.table(made, 1, number))
    shown = page(olga, f"/t/{made.slug}/")
    assert shown.index("Enter scores for table 3") < shown.index("Look at table 1")
    assert "Look at table 2" not in shown
