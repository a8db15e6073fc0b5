"""The page of a table for everybody: who sits there, its hands so far, how they get in. It is at the form's address."""

import re

import pytest
from django.test import Client

from league.day.entrants import drop_out
from league.models import LogEntry, Round, Tournament
from league.roles.roles import invite
from league.roles.scorer_links import make_scorer_links
from league.rounds.steps import start
from league.rounds.tables import close_table
from tests import cast
from tests.games import phones
from tests.games.online_table import everybody_ready, put_online
from tests.games.pages import CARDS, living, name, said, version

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def table_once(module_world):
    return cast.first_table()


@pytest.fixture
def table(table_once):
    return cast.again(table_once)


def page(table, client=None):
    answer = (client or Client()).get(table.get_absolute_url())
    assert answer.status_code == 200
    return answer


def words(table, client=None):
    return said(page(table, client))


def privately(table):
    Tournament.objects.filter(pk=table.round.tournament_id).update(visibility="private")
    return table


def test_a_guest_reads_who_sits_there_and_how_the_hands_went(table):
    cast.record(table, 1, went_out=0, points=(0, 10, 20, 30))
    text = words(table)
    assert "Round 1, table 1" in text and "1 of 4 hands recorded, 3 to come." in text
    assert all(name(table, seat) in text for seat in range(4))
    assert f"1 {name(table, 0)} with {name(table, 2)}" in text and "Organiser 40" in text
    assert f"{name(table, 1)} deals now" in text


def test_the_hands_are_those_of_the_page_of_hands(table, client):
    for hand in (1, 2):
        cast.record(table, hand, went_out=hand)
    rows = re.compile(r"<tbody>.*?</tbody>", re.DOTALL)
    here = rows.findall(page(table).content.decode())
    there = rows.findall(client.get(f"/t/{table.round.tournament.slug}/hands/").content.decode())
    assert here == there[:1] and here[0].count("<tr") == 2


def test_nobody_but_who_enters_hands_gets_a_form_and_nothing_is_written_by_looking(table):
    before = LogEntry.objects.count()
    answer = page(table)
    assert '<form class="scorer' not in answer.content.decode() and "cards_1" not in answer.content.decode()
    assert "sessionid" not in answer.cookies and LogEntry.objects.count() == before


def test_a_stranger_may_look_and_still_enters_nothing(table):
    hand = cast.record(table, 1).hand
    data = CARDS | {"hand": "2", "seating_version": "1", "key": "k", "version": version(table), "reason": "x"}
    for stranger in (Client(), Client()):
        assert page(table, stranger)
        for address in (f"/tables/{table.pk}/", f"/tables/{table.pk}/preview/", f"/hands/{hand.pk}/void/"):
            assert stranger.post(address, data).status_code == 404
    assert living(table) == [hand]


def test_a_table_of_a_draft_of_an_undone_round_and_of_none_stays_hidden(table):
    draft = cast.table(table.round.tournament, 2, 1)
    for address in (draft.get_absolute_url(), "/tables/0/", f"/tables/{'9' * 30}/"):
        assert Client().get(address).status_code == 404
    Round.objects.filter(pk=table.round_id).update(state=Round.State.VOID)
    assert Client().get(table.get_absolute_url()).status_code == 404


def test_a_private_table_is_shown_to_its_players_and_spectators_alone(table):
    elsewhere = phones.at(cast.table(table.round.tournament, 1, 2), 0)
    _invitation, secret = invite(to=table.round.tournament, kind="spectator", by=cast.organiser())
    watcher = Client()
    watcher.force_login(cast.someone_else())
    watcher.post(f"/join/{secret}/")
    privately(table)
    assert Client().get(table.get_absolute_url()).status_code == 404
    for who in (elsewhere, watcher):
        answer = page(table, who)
        assert answer["Cache-Control"] == "private, no-store" and "Round 1, table 1" in said(answer)


def test_a_scorers_link_to_another_table_of_a_private_tournament_opens_no_page(table):
    [(_link, secret)] = make_scorer_links(tournament=table.round.tournament, tables=[2], by=cast.organiser())
    phone = Client()
    phone.post(f"/s/{secret}/")
    privately(table)
    answer = phone.get(table.get_absolute_url())
    assert answer.status_code == 403 and "You’re the scorer of table 2." in said(answer)


def test_it_says_who_enters_the_hands(table):
    assert "Players report each hand with their own link" in words(table)
    Tournament.objects.update(players_report=False)
    text = words(table)
    assert "The organiser or this table’s scorer enters the hands." in text
    assert "Are you the scorer?" in text and "Is this your table?" in text
    assert f'href="/accounts/login/?next=/tables/{table.pk}/"' in page(table).content.decode()


def test_where_players_do_not_report_one_of_the_table_is_led_to_their_own_page(table):
    Tournament.objects.update(players_report=False)
    phone = phones.at(table, 0)
    text = words(table, phone)
    assert "This is your table" in text and "Is this your table?" not in text
    assert f'href="/t/{table.round.tournament.slug}/me/"' in page(table, phone).content.decode()


def test_a_closed_round_has_no_more_hands_to_come(table):
    cast.play(table.round.tournament, rounds=1)
    text = words(table)
    assert "4 of 4 hands recorded" in text and "to come" not in text and "deals now" not in text
    assert "Round 1 is closed." in text and "Are you the scorer?" not in text


def test_a_table_that_was_closed_early_says_so(table):
    cast.record(table, 1)
    made = table.round.tournament
    close_table(tournament=made, round_number=1, number=1, reason="The bar closed", by=made.owner)
    text = words(table)
    assert "to come" not in text and "The table was closed early." in text


def test_a_guest_of_an_online_table_is_led_to_where_it_is_watched(table):
    deal = everybody_ready(put_online(table))
    answer = page(table)
    assert f'href="/tables/{table.pk}/play/"' in answer.content.decode()
    assert "Watch the table" in said(answer) and "Hands are recorded automatically" in said(answer)
    assert deal.commitment not in answer.content.decode() and "Are you the scorer?" not in said(answer)
    assert Client().get(f"/tables/{table.pk}/play/").status_code == 200


def test_a_player_of_an_online_table_goes_on_to_play(table):
    put_online(table)
    Tournament.objects.update(players_report=False)
    answer = phones.at(table, 0).get(table.get_absolute_url())
    assert (answer.status_code, answer["Location"]) == (302, f"/tables/{table.pk}/play/")


def test_at_a_table_of_a_challenge_who_is_out_is_marked():
    made = cast.play_challenge(cast.challenge(4, target=100), rounds=1)
    table = cast.table(made, 1, 1)
    text = words(table)
    assert "Penalty points" in text and "out" in text and "Round 1, table 1" in text


def test_who_dropped_out_of_a_points_race_is_marked():
    made = cast.tournament(5, format="points", name="Club evening")
    start(tournament=made, by=made.owner)
    table = cast.table(made, 1, 1)
    gone = table.seats.get(number=0).entry
    drop_out(tournament=made, entry=gone, by=made.owner)
    assert f"{gone} withdrawn" in words(table)


def test_at_a_table_of_teams_stands_who_sits_there_with_the_name_of_the_team():
    made = cast.teams()
    start(tournament=made, by=made.owner)
    table = cast.table(made, 1, 1)
    text = words(table)
    for seat in table.seats.select_related("substitute", "entry__player"):
        assert str(seat.substitute or seat.entry) in text and str(seat.entry) in text


def test_whoever_held_a_players_link_that_was_ended_reads_that_it_ended(table):
    phone = phones.at(table, 0)
    type(table.seats.get(number=0).entry).objects.update(link_generation=2)
    assert "This link no longer works" in words(table, phone)


def test_the_scorers_worker_keeps_no_copy_of_it(table, olga):
    assert page(table).headers["Wild-For-All"] == "1"
    assert "Wild-For-All" not in olga.get(table.get_absolute_url())
    assert 'response.headers.has("Wild-For-All")' in Client().get("/sw.js").content.decode()


def test_seating_overview_and_hands_lead_guests_to_it(table):
    slug, link = table.round.tournament.slug, f'href="/tables/{table.pk}/"'
    for address in ("", "seating/", "hands/"):
        assert link in Client().get(f"/t/{slug}/{address}").content.decode(), address


def test_the_api_tells_guests_the_same(table):
    cast.record(table, 1, went_out=0, points=(0, 10, 20, 30))
    facts = Client().get(f"/api/v1/tables/{table.pk}/").json()
    context = page(table).context
    shown = context["table"]
    assert [one["player"] for one in facts["seats"]] == [
        row["player"] for row in sorted(shown["seats"], key=lambda row: row["seat"])
    ]
    assert [one["hand"] for one in facts["hands"]] == [one["hand"] for one in shown["hands"]]
    assert (facts["dealer"], facts["next_hand"]) == (context["dealer"], 2)
    assert facts["hands_per_round"] - len(facts["hands"]) == context["to_come"]
