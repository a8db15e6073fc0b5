"""How casual games end, the next game of the same people, and what is tidied away."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Deal
from games.online.casual import end as casual_end
from games.online.casual import tables as casual
from games.online.play.deals import start_if_ready
from league.log.in_words import in_words
from league.models import LogEntry, Table, Tournament
from league.rounds.adjustments import adjust
from league.setup.create import clone_tournament
from tests.games.casual_table import (
    arrive,
    by_itself,
    deal_me_in,
    do,
    markup,
    names,
    open_table,
    play_to_the_end,
    quick,
    shown,
)
from tests.games.online_table import everybody_ready, play_out
from tests.games.pages import said

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_a_game_ends_by_itself_and_everybody_takes_their_seat_in_the_next(django_capture_on_commit_callbacks):
    nora, emile = Client(), Client()
    table = open_table(nora)
    quick(table)
    do(emile, table, "join", name="Émile")
    page = do(nora, table, "fill")["Location"]
    early = nora.post(f"/play/{table.slug}/rematch/")
    assert early.status_code == 303 and Tournament.objects.count() == 1
    play_to_the_end(table, django_capture_on_commit_callbacks)
    last = Table.objects.filter(round__tournament=table).latest("pk")
    over = markup(nora.get(f"/tables/{last.pk}/play/"))
    assert "wins the game" in over and "Start a rematch</button>" in over
    first = nora.post(f"/play/{table.slug}/rematch/")
    following = Tournament.objects.exclude(pk=table.pk).get()
    assert names(following) == names(table)
    assert [one.bot for one in following.entries.order_by("number")] == ["", "", "careful", "careful"]
    assert "Join the rematch" in said(emile.get(f"/tables/{last.pk}/play/"))
    assert shown(nora, arrive(nora, first))["state"] == "waiting"
    second = emile.post(f"/play/{table.slug}/rematch/")
    assert second["Location"].partition("?")[0] == first["Location"].partition("?")[0] != page
    arrive(emile, second)
    by_itself(nora, first)
    assert shown(emile, second)["state"] == "playing"  # both are there, and the bots
    again = emile.post(f"/play/{table.slug}/rematch/")  # in another tab
    assert again["Location"] == second["Location"]
    assert Client().post(f"/play/{table.slug}/rematch/").status_code == 404
    assert Tournament.objects.count() == 2


def test_an_evening_that_is_copied_from_a_game_has_its_people_and_no_bots():
    nora, emile = Client(), Client()
    table = open_table(nora)
    do(emile, table, "join", name="Émile")
    do(nora, table, "fill")
    copy = clone_tournament(tournament=Tournament.objects.get(pk=table.pk), by=table.owner)
    assert (copy.kind, names(copy)) == (Tournament.Kind.EVENT, ["Nora", "Émile"])


def test_the_last_two_play_on_at_a_table_of_their_own_and_pages_lead_there():
    nora, emile = Client(), Client()
    table = open_table(nora)
    do(emile, table, "join", name="Émile")
    do(nora, table, "fill")
    first = casual.table_of(table)
    out = set(table.entries.exclude(player__name__in=["Émile", "Bot Ada"]).values_list("pk", flat=True))
    everybody_ready(Deal.objects.get())
    play_out(Deal.objects.get())
    for entry in table.entries.filter(pk__in=out):
        adjust(tournament=table, entry=entry, points=600, reason="Out", round_number=1, by=table.owner)
    casual_end.go_on(tournament_id=table.pk)
    second = casual.table_of(table)
    assert second.pk != first.pk and second.seats.count() == 2 and second.mode == Table.Mode.ONLINE
    assert Deal.objects.get(table=second).state == Deal.State.WAITING
    assert f"/tables/{second.pk}/play/" in markup(nora.get(f"/tables/{first.pk}/play/"))
    led = emile.get(f"/tables/{first.pk}/play/")  # who plays on is taken there, and reads how the last hand ended
    assert led.status_code == 303 and led["Location"].startswith(f"/tables/{second.pk}/play/?as=")
    there = markup(emile.get(led["Location"]))
    assert "Two players are left" in there and 'class="endtitle"' in there and 'id="ready"' in there
    open_page = markup(emile.get(f"/tables/{first.pk}/play/", headers={"Wild-Live": "1"}))
    assert "data-leads" in open_page and "data-leads" not in markup(nora.get(f"/tables/{first.pk}/play/"))
    bot = table.entries.get(player__name="Bot Ada")
    adjust(tournament=table, entry=bot, points=600, reason="Out", round_number=2, by=table.owner)
    casual_end.go_on(tournament_id=table.pk)
    for browser in (nora, emile):  # also who was out before, and had no seat at the last table
        over = markup(browser.get(f"/tables/{second.pk}/play/"))
        headline = re.search(r'<h2 class="endtitle">\s*(.*?)\s*</h2>', over)[1]
        assert headline == "Émile wins the game" and "Start a rematch</button>" in over
    assert nora.post(f"/play/{table.slug}/rematch/").status_code == 303


def test_between_the_last_hand_and_what_follows_a_casual_game_has_no_words_of_a_tournament():
    nora = Client()
    page = deal_me_in(nora)
    quick(Tournament.objects.get(), target=1)
    play_out(Deal.objects.get())
    assert not Deal.objects.open().exists()  # what follows comes after the commit
    between = nora.get(page)
    assert "The game continues in a moment" in said(between)
    for words in ("My table", "Table 1 is done", "All hands of round"):
        assert words not in said(between)


def test_my_table_leads_a_casual_player_to_the_table_and_so_to_the_rematch():
    nora = Client()
    page = deal_me_in(nora)
    table = Tournament.objects.get()
    quick(table)
    play_to_the_end(table)
    led = nora.get(f"/t/{table.slug}/me/", follow=True)
    assert "Start a rematch</button>" in markup(led), led.redirect_chain
    assert "My table" not in said(nora.get(page))


def test_a_game_ends_when_only_bots_have_something_left_to_play():
    nora = Client()
    deal_me_in(nora)
    table = Tournament.objects.get()
    me = table.entries.get(bot="")
    adjust(tournament=table, entry=me, points=600, reason="Out", round_number=None, by=table.owner)
    casual_end.go_on(tournament_id=table.pk)
    table.refresh_from_db()
    assert table.is_final and not Deal.objects.open().exists()
    assert LogEntry.objects.get(tournament=table, action="end-early").reason == "Only bots are left."


def test_a_game_ends_when_nobody_was_there_for_two_hands():
    deal_me_in(Client())
    table = Tournament.objects.get()
    quick(table, 5000)
    for hand in (1, 2):
        deal = Deal.objects.open().get()
        if deal.state == Deal.State.WAITING:
            start_if_ready(deal, anyway=True)
        play_out(deal)
        Deal.objects.filter(pk=deal.pk).update(places=[{**one, "bot": "careful"} for one in deal.places])
        casual_end.go_on(tournament_id=table.pk)
        table.refresh_from_db()
        assert table.is_final == (hand == 2)


def test_tables_that_nobody_touched_for_a_day_are_closed_and_keep_their_results(client):
    open_table(client)
    deal_me_in(client)
    lobby, game = Tournament.objects.order_by("pk")
    assert casual_end.tidy(timezone.now() + timedelta(hours=23)) == 0
    assert casual_end.tidy(timezone.now() + timedelta(hours=25)) == 2
    for table in (lobby, game):
        table.refresh_from_db()
        assert table.is_final
    assert "This table is closed" in said(client.get(f"/play/{lobby.slug}/"))
    assert do(client, lobby, "add-bot").status_code == 409
    assert game.rounds.exists() and game.entries.count() == 4


def test_what_a_killed_process_did_not_follow_up_is_made_up_for(client):
    deal_me_in(client)
    table = Tournament.objects.get()
    quick(table)
    play_out(Deal.objects.get())  # nothing calls go_on
    Deal.objects.open().update(state=Deal.State.ABANDONED)
    casual_end.tidy(timezone.now())
    table.refresh_from_db()
    assert table.is_final or Deal.objects.open().exists()


def test_a_table_that_cannot_be_tidied_keeps_no_other_from_its_turn(client, monkeypatch):
    open_table(client)
    open_table(client)
    broken, other = Tournament.objects.order_by("pk")
    close = casual_end._close_quiet

    def fails_at_one(*, tournament_id):
        assert tournament_id != broken.pk
        close(tournament_id=tournament_id)

    monkeypatch.setattr(casual_end, "_close_quiet", fails_at_one)
    assert casual_end.tidy(timezone.now() + timedelta(hours=25)) == 1
    other.refresh_from_db()
    assert other.is_final


def test_the_log_says_in_words_who_did_what():
    nora, emile = Client(), Client()
    table = open_table(nora)
    do(emile, table, "join", name="Émile")
    do(nora, table, "add-bot")
    do(emile, table, "stand-up", who=table.entries.get(player__name="Émile").public_id)
    rows = LogEntry.objects.filter(tournament=table).order_by("number")
    assert [in_words(row) for row in rows] == [
        "Tournament created",
        "Nora sat down",
        "Émile sat down",
        "Bot added: Bot Ada",
        "Émile left the table",
    ]
    assert rows[1].player == table.entries.get(player__name="Nora").public_id and rows[1].by is None
