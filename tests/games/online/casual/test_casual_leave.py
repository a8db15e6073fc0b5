"""A player who leaves a casual table: a bot takes over at once, and gives the seat back when they return."""

import pytest
from django.test import Client
from django.utils import timezone

from engine.state import TURN
from games.models import Deal, Move
from games.online.play.sweep import sweep
from league.models import Tournament
from tests.games.arranged import arrange
from tests.games.casual_table import arrive, do, markup, open_table, quick
from tests.games.online_table import everybody_ready, play_out
from tests.games.pages import said

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def friends():
    """Nora and Émile at one table with two bots, the cards dealt and Nora to play: `nora`, `emile`, `table`, `page`."""

    class Friends:
        nora, emile = Client(), Client()
        table = open_table(nora)
        do(emile, table, "join", name="Émile")
        page = do(nora, table, "fill")["Location"].partition("?")[0]
        quick(table, target=2000)

    made = Friends()
    waiting = Deal.objects.get()
    at = next(at for at, place in enumerate(waiting.places) if not place["bot"] and _name(made.table, place) == "Nora")
    arrange(waiting, lambda hand: hand.public.step == TURN and hand.public.turn == at and len(hand.log) > 12)
    made.at = at
    return made


def _name(table, place):
    return table.entries.get(pk=place["entry"]).player.name


def test_a_bot_takes_over_at_once_and_the_others_read_who_left(friends):
    assert "Leave the table" in said(friends.nora.get(friends.page))
    answer = do(friends.nora, friends.table, "leave")
    assert (answer.status_code, answer["Location"]) == (303, "/")
    deal = Deal.objects.get()
    assert deal.due_at is None and deal.bot_at is not None  # no time of hers runs any more
    assert "left, a bot plays" in said(friends.emile.get(friends.page))
    home = markup(friends.nora.get("/"))
    assert "A bot plays for you. To return, tap “Play on”." in home and f"{friends.page}?as=" in home
    before = deal.moves_made
    Deal.objects.update(bot_at=timezone.now())
    sweep(timezone.now())
    deal.refresh_from_db()
    assert deal.moves_made > before and Move.objects.filter(deal=deal).last().bot == "left"


def test_who_comes_back_plays_on_with_their_own_cards(friends):
    do(friends.nora, friends.table, "leave")
    page = said(friends.nora.get(friends.page))
    assert "The cards are still yours." in page and "Come back" in page
    deal = Deal.objects.get()
    assert friends.nora.post(f"{friends.page}ready/", {"deal": deal.pk}).status_code == 303
    deal.refresh_from_db()
    assert deal.places[friends.at]["bot"] == "" and deal.due_at is not None and deal.bot_at is None
    assert "a bot plays" not in said(friends.emile.get(friends.page))


def test_a_player_may_leave_between_two_hands_and_the_table_does_not_wait(friends):
    play_out(Deal.objects.get())
    do(friends.nora, friends.table, "leave")
    following = Deal.objects.get(state=Deal.State.WAITING)
    assert [place["bot"] for place in following.places if _name(friends.table, place) == "Nora"] == ["left"]
    assert "Nora left, a bot plays" in said(friends.emile.get(friends.page))
    assert "Come back" in said(friends.nora.get(friends.page))
    everybody_ready(following)
    following.refresh_from_db()
    assert following.state == Deal.State.PLAYING


def test_who_leaves_before_the_cards_are_dealt_holds_up_nobody():
    nora, emile = Client(), Client()
    table = open_table(nora)
    do(emile, table, "join", name="Émile")
    arrive(nora, do(nora, table, "fill"))
    do(emile, table, "leave")
    deal = Deal.objects.get()
    assert deal.opening or deal.state == Deal.State.PLAYING  # only Nora's browser is still asked for its part


def test_leaving_twice_or_a_game_that_is_over_changes_nothing(friends):
    do(friends.nora, friends.table, "leave")
    before = Deal.objects.get()
    do(friends.nora, friends.table, "leave")
    assert Deal.objects.get().places == before.places
    Tournament.objects.filter(pk=friends.table.pk).update(state=Tournament.State.CLOSED)
    Deal.objects.update(state=Deal.State.ABANDONED)
    assert do(friends.emile, friends.table, "leave").status_code == 303
    assert "You left" not in said(friends.emile.get("/"))
    assert do(Client(), friends.table, "leave").status_code == 404
