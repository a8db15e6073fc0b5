"""Who comes when a casual table has begun plays on for a bot: from the next hand on, by one tap."""

import pytest
from django.test import Client

from games.models import Deal
from games.online.casual import end as casual_end
from league.log.in_words import in_words
from league.models import Tournament
from tests.games.casual_table import arrive, deal_me_in, do, markup, names, open_table, quick, shown
from tests.games.online_table import everybody_ready, play_out
from tests.games.pages import said

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def nora(client):
    """Her table with three bots, the cards dealt, nobody out for long: `page` is its address."""
    client.page = deal_me_in(client).partition("?")[0]
    client.table = Tournament.objects.get()
    quick(client.table, target=2000)
    return client


def take_over(browser, table, name=""):
    return do(browser, table, "take-over", name=name)


def test_a_newcomer_has_a_bots_seat_from_the_next_hand_on_and_sees_no_card_before(nora):
    late = Client()
    assert "Take a bot’s place" in said(late.get(nora.page))
    answer = take_over(late, nora.table, "Late")
    assert answer.status_code == 303 and answer["Location"].startswith(f"{nora.page}?as=")
    deal = Deal.objects.get()
    seen = shown(late, answer)
    assert seen["you"] is None and "cards" not in seen["hand"]
    assert {one["name"] for one in seen["places"]} == {"Nora", "Bot Ada", "Bot Biscuit", "Bot Comet"}
    mine = said(late.get(nora.page))
    assert "Bot Comet finishes this hand." in mine and "Take a bot’s place" not in mine
    for what, more in (("ready", {}), ("act", {"kind": "draw", "answers": seen["decision"], "key": "k"})):
        refused = late.post(f"{nora.page}{what}/", {"deal": deal.pk} | more, headers={"Accept": "application/json"})
        assert (refused.status_code, refused.json()["code"]) == (409, "not-dealt-in")
    play_out(deal)
    following = shown(late, answer)
    assert following["places"][following["you"]]["name"] == "Late"
    assert not following["places"][following["you"]]["ready"]
    everybody_ready(Deal.objects.get(state=Deal.State.WAITING))
    assert len(shown(late, answer)["hand"]["cards"]) >= 7
    assert names(nora.table) == ["Nora", "Bot Ada", "Bot Biscuit", "Late"]
    assert "Bot Comet" in said(late.get(f"/deals/{deal.pk}/")) and "Late" not in said(late.get(f"/deals/{deal.pk}/"))
    assert in_words(nora.table.log.get(action="take-over")) == "Late took the seat of a bot"


def test_between_two_hands_a_newcomer_is_asked_at_once_and_the_table_waits_for_them(nora):
    play_out(Deal.objects.get())
    late = Client()
    assert "Take a bot’s place" in said(late.get(nora.page))
    answer = take_over(late, nora.table)
    waiting = shown(late, answer)
    assert (
        waiting["places"][waiting["you"]] | {"name": "Guest", "is_bot": False, "ready": False}
        == (waiting["places"][waiting["you"]])
    )
    nora.post(f"{nora.page}ready/", {"deal": waiting["deal"]})
    assert shown(late, answer)["state"] == "waiting"
    arrive(late, answer)
    assert shown(late, answer)["state"] == "playing"


def test_bots_give_way_one_by_one_and_then_nobody_is_told_of_a_seat(nora):
    browsers = [Client() for _late in range(4)]
    seats = [take_over(one, nora.table) for one in browsers]
    assert names(nora.table) == ["Nora", "Guest 3", "Guest 2", "Guest"]
    assert [answer["Location"].count("?as=") for answer in seats] == [1, 1, 1, 0]
    told = said(browsers[3].get(nora.page))
    assert "No seat is free" in told and "Take a bot’s place" not in told


def test_who_plays_already_takes_no_second_seat_and_a_name_is_somebodys_own(nora):
    for browser, name in ((nora, "Nora"), (nora, "")):
        take_over(browser, nora.table, name)
    late = Client()
    for name in ("nora", "www.cheap.example"):
        take_over(late, nora.table, name)
        assert '<div class="note note-warn">' in markup(late.get(nora.page))
    assert names(nora.table) == ["Nora", "Bot Ada", "Bot Biscuit", "Bot Comet"]
    take_over(late, nora.table, "Late")
    take_over(late, nora.table, "Late")  # pressed twice
    assert names(nora.table) == ["Nora", "Bot Ada", "Bot Biscuit", "Late"]


def test_a_table_that_waits_for_its_players_or_is_over_gives_no_seat_of_a_bot_away(nora):
    waits = open_table(Client(), "Zoë")
    take_over(Client(), waits)
    assert names(waits) == ["Zoë"]
    Tournament.objects.filter(pk=nora.table.pk).update(state=Tournament.State.CLOSED)
    late = Client()
    take_over(late, nora.table)
    assert "This table is closed." in said(late.get(nora.page))


def test_a_newcomer_keeps_a_game_going_that_everybody_else_has_left(nora):
    """Nobody was there for two hands, but somebody came in the second."""
    for hand in (1, 2):
        deal = Deal.objects.get(state__in=("waiting", "playing"))
        if deal.state == Deal.State.WAITING:
            everybody_ready(deal)
            deal.refresh_from_db()
        if hand == 2:
            take_over(Client(), nora.table)
        deal = play_out(Deal.objects.get(pk=deal.pk))
        for place in deal.places:
            place["bot"] = "careful"
        deal.save()
    casual_end.go_on(tournament_id=nora.table.pk)
    nora.table.refresh_from_db()
    assert not nora.table.is_final, nora.table.log.get(action="end-early").reason
