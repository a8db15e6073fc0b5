"""Tables of teams: the other team confirms, and online each of the two plays as themselves."""

import json

import pytest
from django.http import Http404
from django.test import Client, RequestFactory

from games.hands.correct import void_hand
from games.models import Deal, Hand
from games.online.director.services import put_substitute, send_substitute_away
from games.online.play.deals import get_ready
from games.service.bots_play import play
from league.access.signed_links import player_token
from league.access.viewer import Attribution
from league.day.substitutes import substitute
from league.lib.errors import Conflict
from league.live.push import look_at
from league.models import HandScore, Table
from league.rounds.steps import start
from tests import cast
from tests.games import phones
from tests.games.online_table import put_online
from tests.games.pages import form, post, said, version

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def table_once(module_world):
    """Table 1 of round 1, hand 1 to come."""
    made = cast.teams()
    start(tournament=made, by=made.owner)
    return Table.objects.get(round__tournament=made, round__number=1, number=1)


@pytest.fixture
def table(table_once):
    return cast.again(table_once)


def of_seat(table, number):
    """The entry as whoever sits there plays it."""
    seat = table.seats.select_related("entry").get(number=number)
    seat.entry.member = seat.member
    return seat.entry


def test_the_other_team_confirms_what_one_of_a_team_reported(table):
    one, other = phones.at(table, 0), phones.at(table, 1)
    phones.report(one, table)
    agree = f"/tables/{table.pk}/agree/"
    partner = phones.at(table, 2)
    answer = partner.post(agree, {"version": version(table)})
    assert answer.status_code == 409 and "You reported hands of this table" in said(answer)
    assert str(of_seat(table, 1)) in said(partner.get(f"/tables/{table.pk}/"))
    assert other.post(agree, {"version": version(table)}).status_code == 303
    assert phones.fresh(table).state == Table.State.CONFIRMED


def test_another_team_may_say_that_it_was_another_hand(table):
    phones.report(phones.at(table, 0), table)
    hand = Hand.objects.living().get(table=table, number=1)
    theirs = {"went_out": "0", "cards_1": "R7 GD B6", "cards_3": "WD", "version": version(table), "reason": ""}
    assert phones.at(table, 3).post(f"/hands/{hand.pk}/dispute/", theirs).status_code == 303
    director = Client()
    director.force_login(table.round.tournament.owner)
    page = said(director.get(f"/tables/{table.pk}/disputes/"))
    assert f"{of_seat(table, 1)} disputes this hand." in page
    assert str(table.seats.get(number=3).substitute) in page


def test_a_hand_of_other_people_than_sit_there_now_is_corrected_and_not_taken_back(table):
    hand = cast.record(table, 1).hand
    tournament, first = table.round.tournament, of_seat(table, 0)
    substitute(tournament=tournament, entry=first, name="Yuki", member=first.member, by=None)
    with pytest.raises(Conflict, match=r"Seats changed after this hand\. Correct it instead"):
        void_hand(hand_id=hand.pk, version=None, reason="", by=Attribution())


def test_the_log_names_who_played_and_the_form_their_names(table):
    cast.record(table, 1)
    row = table.round.tournament.log.get(action="record")
    ids = [one["player_id"] for one in row.new["seats"]]
    assert ids == [seat.substitute.public_id for seat in table.seats.order_by("number")]
    olga = Client()
    olga.force_login(table.round.tournament.owner)
    page = said(olga.get(f"/tables/{table.pk}/?hand=2"))
    assert all(seat.substitute.name in page for seat in table.seats.all())
    assert " against ".join(str(seat.entry) for seat in table.seats.order_by("number")[:2]) in page
    assert post(olga, table, form(olga, table)).status_code == 303


def page_of(phone, table, who):
    answer = phone.get(f"/tables/{table.pk}/play/?as={who.plays_as}", headers={"Accept": "application/json"})
    return json.loads(answer.content)["play"]


def test_each_of_a_team_gets_ready_plays_and_sees_their_own_cards(table):
    deal = put_online(table)
    people = [of_seat(table, number) for number in range(4)]
    for entry in people:
        assert deal.state == Deal.State.WAITING
        deal = get_ready(table_id=table.pk, deal_id=deal.pk, entry=entry)
    assert deal.state == Deal.State.PLAYING
    phone = phones.at(table, 0)
    mine, partners = page_of(phone, table, people[0]), page_of(phone, table, people[2])
    assert (mine["you"], partners["you"]) == (0, 2)
    assert mine["hand"]["cards"] != partners["hand"]["cards"]
    nobody = json.loads(phone.get(f"/tables/{table.pk}/play/", headers={"Accept": "application/json"}).content)["play"]
    assert nobody["you"] is None and nobody["hand"].get("cards") is None
    page = said(phone.get(f"/tables/{table.pk}/play/"))
    names = [str(table.seats.get(number=number).substitute) for number in (0, 2)]
    assert all(f"Play as {name}" in page for name in names)
    assert f"Play as {names[0]}" not in said(phone.get(f"/tables/{table.pk}/play/?as={people[0].plays_as}"))
    stranger = page_of(phones.at(table, 1), table, people[0])
    assert stranger["you"] is None


def everybody_ready(table):
    """Who sits at an online table, in the order of the seats; it has been dealt."""
    deal = put_online(table)
    people = [of_seat(table, number) for number in range(4)]
    for entry in people:
        deal = get_ready(table_id=table.pk, deal_id=deal.pk, entry=entry)
    return people


def organiser(table):
    olga = Client()
    olga.force_login(table.round.tournament.owner)
    return olga


def test_an_organiser_who_holds_the_link_of_a_team_is_one_of_its_two_alone(table):
    people, olga = everybody_ready(table), organiser(table)
    assert olga.post(f"/me/{player_token(people[0])}/").status_code == 303
    page = f"/tables/{table.pk}/play/"
    assert said(olga.get(page)).count("Play as") == 2
    assert page_of(olga, table, people[2])["you"] == 2
    for headers in ({}, {"Accept": "application/json"}):
        refused = olga.get(f"{page}?as={people[0].plays_as}", headers=headers)
        assert refused.status_code == 403 and "can act for only one player" in said(refused)
    assert page_of(olga, table, people[2])["hand"]["cards"]
    assert "Play as" not in said(olga.get(f"{page}?as={people[2].plays_as}"))
    assert said(olga.get(page)).count("Play as") == 1


def test_a_stream_shows_nobodys_cards_before_a_page_said_who_of_the_two_it_is(table):
    people, olga = everybody_ready(table), organiser(table)
    olga.post(f"/me/{player_token(people[0])}/")

    def stream(entry):
        request = RequestFactory().get("/", {"as": entry.plays_as, "show": "json"})
        request.user, request.session = table.round.tournament.owner, olga.session
        return json.loads(look_at(request, table.pk).text)["play"]["you"]

    for entry in (people[0], people[2]):
        with pytest.raises(Http404):
            stream(entry)
    page_of(olga, table, people[2])
    assert stream(people[2]) == 2
    with pytest.raises(Http404):
        stream(people[0])


def test_the_link_of_a_team_leads_to_a_page_that_asks_which_of_the_two_it_is(table):
    put_online(table)
    entry = of_seat(table, 0)
    phone = Client()
    answer = phone.post(f"/me/{player_token(entry)}/")
    assert answer.url.startswith(f"/t/{table.round.tournament.slug}/me/")
    page = said(phone.get(answer.url))
    assert page.count("Play as") == 2


def test_bots_play_an_online_evening_of_teams_and_the_hands_name_who_sat_there(table):
    tournament = table.round.tournament
    tournament.rounds.get(number=1).tables.update(mode=Table.Mode.ONLINE)
    play(tournament, seed=5, rounds=1, by=tournament.owner, tell=lambda line: None)
    rows = HandScore.objects.filter(table=table, hand=4)
    assert {row.played_by for row in rows} == {seat.substitute for seat in table.seats.all()}
    assert {row.source for row in rows} == {HandScore.Source.ENGINE}


def test_a_director_puts_somebody_in_for_one_of_the_two_and_sends_them_away(table):
    deal = put_online(table)
    where = {"table_id": table.pk, "by": None}
    put_substitute(**where, deal_id=deal.pk, at=2, name="Yuki")
    deal = table.deals.open().get()
    assert [table.seats.get(number=at).substitute.name for at in (0, 2)].count("Yuki") == 1
    assert table.seats.get(number=2).substitute.name == "Yuki"
    send_substitute_away(**where, deal_id=deal.pk, at=2)
    assert table.seats.get(number=2).substitute.name != "Yuki"


def test_an_equal_hand_is_the_same_whoever_of_the_table_sends_it(table):
    cast.record(table, 1)
    again = cast.record(table, 1)
    assert not again.created
    with pytest.raises(Conflict):
        cast.record(table, 1, points=(0, 1, 2, 3))
    for number in (2, 3, 4):
        cast.record(table, number)
    assert phones.fresh(table).state == Table.State.CONFIRMED
