"""Casual tables over HTTP: play at once, a table for friends, who may do what, and where they are seen."""

import re
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.test import Client

from games.models import Deal
from league import access
from league.access.session_links import MOST_CASUAL
from league.access.signed_links import player_token
from league.accounts.close import close_account
from league.models import Server, Tournament
from tests import cast
from tests.games.casual_table import arrive, ask_for_cards, by_itself, deal_me_in, do, markup, names, open_table, shown
from tests.games.pages import said

pytestmark = pytest.mark.django_db


# ---- play now


def test_one_tap_on_the_page_of_a_new_table_deals_the_cards(client):
    Server.objects.create(pk=Server.ROW)  # a server in use: a new one only asks for its owner
    assert 'href="/play/"' in markup(client.get("/"))
    new = said(client.get("/play/"))
    assert "Play a hand now" in new and "Play against bots" in new
    answer = ask_for_cards(client)
    assert answer.status_code == 303
    assert re.fullmatch(r"/tables/\d+/play/\?as=\w{8}#start", answer["Location"])
    waiting = shown(client, answer)
    assert waiting["state"] == "waiting" and waiting["commitment"]  # shown before the browser adds to the shuffle
    assert [one["name"] for one in waiting["places"] if not one["ready"]] == ["Nora"]
    seen = shown(client, arrive(client, answer))
    assert seen["state"] == "playing" and seen["commitment"] == waiting["commitment"]
    assert Deal.objects.get().places[seen["you"]]["entropy"] == "ab" * 16
    assert len(seen["hand"]["cards"]) >= 7
    assert [one["name"] for one in seen["places"] if not one["is_bot"]] == ["Nora"]
    assert sum(one["is_bot"] for one in seen["places"]) == 3


def test_without_a_name_one_plays_as_a_guest_and_a_name_is_remembered(client):
    seen = shown(client, deal_me_in(client, name=""))
    assert "Guest" in [one["name"] for one in seen["places"]]
    deal_me_in(client, name="Zoë")
    assert 'value="Zoë"' in markup(client.get("/play/"))


def test_my_table_comes_first_on_the_home_page_while_the_game_goes_on(client):
    table = deal_me_in(client)
    home = markup(client.get("/"))
    assert f'href="{table}#deal"' in home.split("Tournaments</h2>")[0]
    assert f'href="{table}"' in markup(client.get("/me/"))
    assert f'href="{table}"' not in markup(Client().get("/"))


@pytest.mark.parametrize("what", ["now", "friends"])
@pytest.mark.parametrize("name", ["", " "])
def test_a_player_without_a_name_opens_a_table_as_a_guest(client, what, name):
    assert client.post("/play/", {"what": what, "name": name, "edition": "classic"}).status_code == 303
    assert names(Tournament.objects.get())[0] == "Guest"


def test_players_in_the_lobby_share_its_link_above_the_places():
    nora, emile = Client(), Client()
    table = open_table(nora)
    do(emile, table, "join", name="Émile")
    share = f'data-share="http://testserver/play/{table.slug}/"'
    for browser, shares in ((nora, True), (emile, True), (Client(), False)):
        above = markup(browser.get(f"/play/{table.slug}/")).partition("At the table")[0]
        assert (share in above) == shares


@pytest.mark.parametrize("name", ["www.cheap.example", "a@b.example", "\u200b", "x" * 25])
def test_a_name_that_cannot_be_shown_opens_no_table(client, name):
    answer = client.post("/play/", {"what": "friends", "name": name, "edition": "classic"})
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in markup(answer)
    assert not Tournament.objects.exists()


@pytest.mark.parametrize("typed", [{"edition": "chess"}, {"what": "steal"}])
def test_what_the_form_does_not_offer_makes_no_table(client, typed):
    assert ask_for_cards(client, **typed).status_code == 422
    assert not Tournament.objects.exists()


@pytest.mark.usefixtures("one_minute")
def test_a_class_behind_one_address_opens_its_tables_and_ten_times_what_one_may_are_enough(monkeypatch):
    monkeypatch.setattr("league.lib.rate_limits.time", SimpleNamespace(time=lambda: 1_000_020))
    for _pupil in range(13):
        assert open_table(Client(), "Nora")
    monkeypatch.setattr("games.online.casual.views.TABLES_A_MINUTE", 2)
    for _pupil in range(20 - 13):
        assert open_table(Client(), "Nora")
    answer = Client().post("/play/", {"what": "friends", "name": "Nora", "edition": "classic"})
    assert answer.status_code == 429


@pytest.mark.usefixtures("one_minute")
def test_so_many_tables_a_minute_are_enough_for_one_browser(client, monkeypatch):
    monkeypatch.setattr("league.lib.rate_limits.time", SimpleNamespace(time=lambda: 1_000_020))
    for _again in range(12):
        assert open_table(client, "Nora")
    answer = client.post("/play/", {"what": "friends", "name": "Nora", "edition": "classic"})
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) <= 60
    cache.clear()
    assert open_table(client, "Nora")


# ---- a table for friends


def test_two_friends_meet_at_a_table_begin_and_hold_seven_cards_each():
    nora, emile = Client(), Client()
    table = open_table(nora)
    lobby = markup(nora.get(f"/play/{table.slug}/"))
    assert "Nora’s table" in lobby and f"http://testserver/play/{table.slug}/" in lobby and "<svg" in lobby
    assert "Take a seat" in said(emile.get(f"/play/{table.slug}/"))
    assert do(emile, table, "join", name="Émile").status_code == 303
    assert "You have a seat" in said(emile.get(f"/play/{table.slug}/"))
    assert "Émile" in said(nora.get(f"/play/{table.slug}/"))
    begun = do(nora, table, "fill")
    assert begun.status_code == 303
    assert names(table) == ["Nora", "Émile", "Bot Ada", "Bot Biscuit"]
    led = emile.get(f"/play/{table.slug}/")
    assert led.status_code == 303
    for browser, answer in ((nora, begun), (emile, led)):
        assert shown(browser, answer)["state"] == "waiting" and shown(browser, answer)["you"] is not None
        arrive(browser, answer)
    by_itself(nora, begun)
    cards = [shown(browser, answer)["hand"]["cards"] for browser, answer in ((nora, begun), (emile, led))]
    assert all(len(hand) >= 7 for hand in cards) and cards[0] != cards[1]


def test_who_comes_by_the_link_after_the_start_watches_and_sees_no_cards(client):
    address = deal_me_in(client)
    table = Tournament.objects.get()
    stranger = Client()
    led = stranger.get(f"/play/{table.slug}/")
    assert led["Location"] == address.partition("?")[0]
    seen = shown(stranger, led)
    assert seen["you"] is None and "cards" not in seen["hand"]
    late = do(stranger, table, "join", name="Late")
    assert late.status_code == 303 and names(table)[0] == "Nora" and "Late" not in names(table)


def test_a_page_that_fetches_itself_is_told_to_load_whole_once_the_cards_are_dealt():
    nora, emile = Client(), Client()
    table = open_table(nora)
    do(emile, table, "join", name="Émile")
    assert 'data-shows="guest"' in markup(emile.get(f"/play/{table.slug}/", headers={"Wild-Live": "1"}))
    do(nora, table, "fill")
    fetched = emile.get(f"/play/{table.slug}/", headers={"Wild-Live": "1"})
    assert fetched.status_code == 200 and 'data-shows="over"' in markup(fetched)


def test_the_host_adds_bots_sends_people_away_and_chooses_how_it_is_played():
    nora, emile = Client(), Client()
    table = open_table(nora)
    do(emile, table, "join", name="Émile")
    do(nora, table, "add-bot")
    assert names(table) == ["Nora", "Émile", "Bot Ada"]
    mine = {one.player.name: one.public_id for one in table.entries.select_related("player")}
    do(nora, table, "stand-up", who=mine["Bot Ada"])
    do(nora, table, "stand-up", who=mine["Émile"])
    assert names(table) == ["Nora"]
    assert "Take a seat" in said(emile.get(f"/play/{table.slug}/"))
    do(
        nora,
        table,
        "rules",
        edition="minecraft-2017",
        format="challenge",
        bot="sharp",
        target="500",
        options=["no_bluff", "stacking"],
    )
    stage = table.stages.get()
    assert (stage.edition, stage.settings["target"], stage.options) == ("minecraft-2017", 500, ["no_bluff", "stacking"])
    assert "Minecraft (2017), eliminated at 500 points" in said(emile.get(f"/play/{table.slug}/"))
    do(nora, table, "fill")
    assert Deal.objects.get().rules["options"] == ["no_bluff", "stacking"]


CHOSEN = {
    "edition": "minecraft-2017",
    "format": "challenge",
    "bot": "careful",
    "target": "500",
    "options": ["no_bluff", "stacking"],
}


def test_every_button_of_the_host_saves_the_rules_that_the_page_shows():
    nora = Client()
    table = open_table(nora)
    page = markup(nora.get(f"/play/{table.slug}/"))
    assert page.count('form="rules" name="what"') == 3  # begin with bots, add a bot, save
    do(nora, table, "add-bot", **CHOSEN)
    stage = table.stages.get()
    assert (stage.edition, stage.settings["target"], stage.options) == ("minecraft-2017", 500, ["no_bluff", "stacking"])
    wrong = do(nora, table, "fill", **CHOSEN | {"target": "3"})
    assert wrong.status_code == 422 and names(table) == ["Nora", "Bot Ada"]
    do(nora, table, "fill", **CHOSEN | {"options": ["stacking"]})
    assert Deal.objects.get().rules["options"] == ["stacking"]
    again = do(nora, table, "fill", **CHOSEN)  # pressed twice
    assert again.status_code == 303 and "/tables/" in again["Location"]


def test_a_change_of_the_rules_is_saved_in_the_background_and_refused_in_a_sentence():
    nora, emile = Client(), Client()
    table = open_table(nora)
    do(emile, table, "join", name="Émile")
    htmx = {"HX-Request": "true"}
    saved = nora.post(f"/play/{table.slug}/", {"what": "rules", **CHOSEN}, headers=htmx)
    assert (saved.status_code, saved.content.decode()) == (200, "Saved.")
    assert table.stages.get().settings["target"] == 500
    for browser, typed, status in ((emile, CHOSEN, 409), (nora, CHOSEN | {"target": "3"}, 422)):
        refused = browser.post(f"/play/{table.slug}/", {"what": "rules", **typed}, headers=htmx)
        assert refused.status_code == status and "<" not in refused.content.decode()


@pytest.mark.parametrize("what", ["add-bot", "rules", "begin", "fill"])
def test_who_is_not_the_host_decides_nothing(what):
    nora, emile, stranger = Client(), Client(), Client()
    table = open_table(nora)
    do(emile, table, "join", name="Émile")
    typed = {"edition": "classic", "format": "challenge", "bot": "careful", "target": "500"}
    answer = do(emile, table, what, **typed)
    assert answer.status_code == 409 and "Only the host can do this." in said(answer)
    assert do(stranger, table, what, **typed).status_code == 404
    table.refresh_from_db()
    assert table.state == Tournament.State.PLANNED
    assert names(table) == ["Nora", "Émile"] and table.stages.get().settings["target"] == 100


def test_a_guest_leaves_by_themselves_and_nobody_else_by_them():
    nora, emile = Client(), Client()
    table = open_table(nora)
    do(emile, table, "join", name="Émile")
    mine = {one.player.name: one.public_id for one in table.entries.select_related("player")}
    assert do(emile, table, "stand-up", who=mine["Nora"]).status_code == 409
    assert do(emile, table, "stand-up", who=mine["Émile"]).status_code == 303
    assert names(table) == ["Nora"]


def test_when_the_host_leaves_the_next_person_is_the_host():
    nora, emile = Client(), Client()
    table = open_table(nora)
    do(nora, table, "add-bot")
    do(emile, table, "join", name="Émile")
    do(nora, table, "stand-up", who=table.entries.get(player__name="Nora").public_id)
    assert "You" in said(emile.get(f"/play/{table.slug}/"))
    assert do(emile, table, "fill").status_code == 303


def test_two_is_the_fewest_and_ten_the_most():
    nora = Client()
    table = open_table(nora)
    too_few = do(nora, table, "begin")
    assert too_few.status_code == 422 and "At least two play" in said(too_few)
    do(nora, table, "add-bot")
    for number in range(8):
        assert do(Client(), table, "join", name=f"Friend {number}").status_code == 303
    assert len(names(table)) == 10 and "Bot Ada" in names(table)
    assert do(nora, table, "add-bot").status_code == 409
    assert do(Client(), table, "join", name="Émile").status_code == 303  # in the place of the bot
    assert len(names(table)) == 10 and "Bot Ada" not in names(table)
    full = do(Client(), table, "join", name="Zoë")
    assert full.status_code == 409 and "All places are taken" in said(full)
    assert do(nora, table, "begin").status_code == 303
    assert Deal.objects.get().places[9]


def test_nobody_takes_the_name_of_somebody_who_sits_there():
    table = open_table(Client())
    for name in ("nora", "NORA ", "Nóra", "No\u034fra", "Nora\ufe0f"):
        answer = do(Client(), table, "join", name=name)
        assert answer.status_code == 422 and "is taken" in said(answer)
    assert names(table) == ["Nora"]


@pytest.mark.parametrize("name", ["Bot Ada", "bot", "Вот Ada", "B\u034fot Zoë", "Νora", "Nоra"])
def test_no_name_passes_for_a_bots_or_hides_letters_of_another_alphabet(client, name):
    table = open_table(Client())
    assert do(Client(), table, "join", name=name).status_code == 422
    assert names(table) == ["Nora"]
    answer = client.post("/play/", {"what": "friends", "name": name, "edition": "classic"})
    assert answer.status_code == 422 and Tournament.objects.count() == 1


def test_pressed_twice_a_seat_is_taken_once_and_the_cards_are_dealt_once():
    nora, emile = Client(), Client()
    table = open_table(nora)
    assert do(emile, table, "join", name="Émile").status_code == 303
    assert do(emile, table, "join", name="Émile").status_code == 303
    assert names(table) == ["Nora", "Émile"]
    first, second = do(nora, table, "fill"), do(nora, table, "fill")
    assert first["Location"] == second["Location"]
    assert Deal.objects.count() == 1


# ---- who owns it, where it is seen


def test_nothing_of_a_casual_table_is_listed_anywhere():
    olga, stranger = Client(), Client()
    olga.force_login(cast.organiser())
    table = open_table(olga)
    assert table.owner == cast.organiser()
    guest = open_table(Client(), "Émile")
    assert guest.owner.email == "guests@account.invalid"
    assert not guest.owner.is_active and not guest.owner.has_usable_password()
    assert "Your casual tables" in said(olga.get("/"))
    for browser in (olga, stranger):
        listed = said(browser.get("/")).split("Tournaments")[-1]
        assert "Casual table</span>" not in listed
        assert not browser.get("/api/v1/tournaments/").json()["results"]
    assert not access.own_tournaments(cast.organiser()).exists()
    assert not access.tournaments_of(cast.organiser()).exists()
    assert "Nora" not in said(stranger.get("/", {"q": "Nora"})).split("No “Nora”")[0].split('id="answer"')[-1]
    assert stranger.get("/play/no-such-table/").status_code == 404


def test_what_is_no_casual_table_has_no_lobby(client):
    evening = cast.tournament()
    for address in (f"/play/{evening.slug}/", f"/play/{evening.slug}/rematch/"):
        assert client.post(address, {"what": "join", "name": "Nora"}).status_code == 404
    assert client.get(f"/play/{evening.slug}/").status_code == 404


def test_casual_tables_never_push_the_link_of_an_evening_out_of_a_browser(client):
    evening = cast.tournament()
    farah = cast.entry(evening, "Farah")
    client.post(f"/me/{player_token(farah)}/")
    for _again in range(10):
        cache.clear()
        open_table(client)
    held = [public_id for public_id, _generation in client.session["players"]]
    assert farah.public_id in held and len(held) == 1 + MOST_CASUAL


def test_an_account_with_casual_tables_can_be_closed():
    olga = cast.organiser()
    browser = Client()
    browser.force_login(olga)
    table = open_table(browser)
    close_account(user=olga)
    table.refresh_from_db()
    assert table.owner.email == "guests@account.invalid"
