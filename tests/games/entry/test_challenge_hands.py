"""Hands of a Challenge UNO: only who is dealt in has fields, and the page says what each hand does to whom."""

import json
import re

import pytest
from django.test import Client

from engine.paper import SeatReport
from games.hands.correct import correct_hand, void_hand
from games.hands.judge import HandInput, HandRefused
from games.hands.record import record_hand
from games.models import Dispute, Hand
from league.access.viewer import Attribution
from league.day.entrants import drop_out
from league.ledger.progress import dealt_in
from league.lib.errors import Conflict, Refused
from league.log.in_words import in_words
from league.models import HandScore, LogEntry, Player, Seat, Table
from league.roles.scorer_links import make_scorer_links
from league.rounds.adjustments import adjust, void_adjustment
from league.rounds.first_deal import decide_first_dealer
from league.rounds.steps import start
from league.rounds.tables import close_table
from league.setup.amend import amend_rules
from tests import cast
from tests.api import Program
from tests.games import phones
from tests.games.pages import caught, form, hidden, living, name, page, post, preview, said, version

pytestmark = pytest.mark.django_db

JSON = {"Accept": "application/json"}


def challenge(players=5, size=5, **settings):
    """The first table of a Challenge UNO to 100, its first round published."""
    wanted = {"format": "challenge", "name": "To a hundred", "table_size": size, "target": 100} | settings
    made = cast.tournament(players, **wanted)
    start(tournament=made, by=made.owner)
    return cast.table(made, 1, 1)


@pytest.fixture(scope="module", autouse=True)
def table_once(module_world):
    return challenge()


@pytest.fixture
def table(table_once):
    return cast.again(table_once)


def play(table, hand, went_out, **points):
    """One hand by the points left: `s1=34` for seat 1."""
    reports = [SeatReport(int(seat[1:]), points_left=left) for seat, left in points.items()]
    return record_hand(
        table_id=table.pk, hand=HandInput(hand, went_out, reports), by=Attribution(cast.organiser())
    ).hand


def typed(went_out, **points):
    """The same as it is typed into the form."""
    return {"went_out": str(went_out)} | {f"points_{seat[1:]}": str(left) for seat, left in points.items()}


def picks(response):
    """The seats that the page offers, by the radio buttons and by the pad."""
    html = response.content.decode()
    by_radio = re.findall(r'name="went_out" value="(\d)"', html)
    assert by_radio == re.findall(r'data-pick="(\d)"', html) == re.findall(r'data-seat="(\d)"', html)
    return [int(seat) for seat in by_radio]


# --- who is dealt in -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "ring"), [(3, "k1"), (4, "k1"), (5, "k2"), (10, "k4")])
def test_the_form_has_everybody_who_sits_there_round_a_ring(olga, players, ring):
    table = challenge(players, size=max(players, 3))
    page = olga.get(f"/tables/{table.pk}/")
    assert picks(page) == list(range(players))
    assert page.content.decode().count(f'class="ring {ring}') == 2
    assert "Round 1, hand 1 of 4" in said(page)
    losers = {f"s{seat}": 10 + seat for seat in range(1, players)}
    assert post(olga, table, form(olga, table, **typed(0, **losers))).status_code == 303
    assert [row["seat"] for row in living(table)[0].seats] == list(range(players))


def test_who_is_out_by_a_hand_has_no_fields_in_the_next_one(olga, table):
    assert post(olga, table, form(olga, table, **typed(0, s1=20, s2=100, s3=40, s4=90))).status_code == 303
    page = olga.get(f"/tables/{table.pk}/")
    assert picks(page) == [0, 1, 3, 4]
    text = said(page)
    two, four = name(table, 2), name(table, 4)
    assert f"Hand 1 saved: {name(table, 0)} went out; {name(table, 1)} gets 20 points, {two} 100" in text
    assert f"{two} is eliminated with 100." in text
    assert f"{two} 100, eliminated in hand 1" in text  # where they sit
    assert f"{four} in danger 90 10" in text  # points and what is to spare
    assert post(olga, table, hidden(page) | typed(3, s0=5, s1=6, s4=7)).status_code == 303
    assert [row["seat"] for row in living(table)[1].seats] == [0, 1, 3, 4]
    assert HandScore.objects.living().filter(table=table, hand=2).count() == 4


def test_the_deal_passes_over_who_is_out(table):
    decide_first_dealer(table=table, seat=0, by=Attribution())
    assert page(table).line == f"Round 1, hand 1 of 4. {name(table, 0)} deals"
    play(table, 1, 0, s1=100, s2=10, s3=10, s4=10)
    assert page(table).line == f"Round 1, hand 2 of 4. {name(table, 2)} deals"
    play(table, 2, 0, s2=10, s3=10, s4=10)
    assert page(table).line == f"Round 1, hand 3 of 4. {name(table, 3)} deals"


def test_cards_typed_for_somebody_who_is_out_are_refused_and_not_lost(olga, table):
    play(table, 1, 0, s1=20, s2=100, s3=40, s4=90)
    answer = post(olga, table, form(olga, table, **typed(0, s1=5, s2=30, s3=5, s4=5)))
    assert answer.status_code == 422
    sentence = f"{name(table, 2)}: Not dealt in for this hand. Leave cards and points empty."
    assert sentence in said(answer)
    assert 'name="points_4" value="5"' in answer.content.decode()
    answer = post(olga, table, form(olga, table, **typed(2, s0=1, s1=5, s3=5, s4=5)))
    assert f"{name(table, 2)}: Not dealt in for this hand. Choose another player." in said(answer)
    assert len(living(table)) == 1


def test_somebody_who_plays_for_another_is_named_with_them(olga, table):
    sven = Player.objects.create(name="Sven")
    Seat.objects.filter(table=table, number=1).update(substitute=sven)
    ana = name(table, 1)
    assert f"Sven for {ana}, cards left" in said(olga.get(f"/tables/{table.pk}/"))
    play(table, 1, 0, s1=20, s2=1, s3=40, s4=90)
    Seat.objects.filter(table=table, number=1).update(substitute=None)
    text = said(olga.get(f"/tables/{table.pk}/"))
    assert f"Sven for {ana} gets 20 points" in text  # who sat there then
    assert f"{ana}, cards left" in text  # and who sits there now


def test_a_player_reports_where_they_sit_at_the_bottom_of_their_own_phone(table):
    assert [(seat.seat, seat.at) for seat in page(table, seat=2).form.fields.seats][2:4] == [(2, "s"), (3, "w r2")]


def test_a_scorer_with_a_link_records_hands_without_who_is_out(table):
    [(_link, secret)] = make_scorer_links(tournament=table.round.tournament, tables=[1], by=cast.organiser())
    guest = Client()
    guest.post(f"/s/{secret}/")
    assert post(guest, table, form(guest, table, **typed(0, s1=20, s2=100, s3=40, s4=90))).status_code == 303
    page = guest.get(f"/tables/{table.pk}/")
    assert picks(page) == [0, 1, 3, 4]
    assert post(guest, table, hidden(page) | typed(4, s0=5, s1=6, s3=7)).status_code == 303


# --- what a hand does ------------------------------------------------------------------------------------------------


def test_the_preview_has_the_points_caught_the_new_totals_and_who_is_out(table):
    play(table, 1, 0, s1=60, s2=70, s3=10, s4=20)
    _winner, *losers = caught(preview(table, 2, **typed(0, s1=50, s2=15, s3=5, s4=1)))
    assert losers == [
        f"{name(table, 1)} 50 total 110, eliminated",
        f"{name(table, 2)} 15 total 85, in danger",
        f"{name(table, 3)} 5 total 15",
        f"{name(table, 4)} 1 total 21",
    ]
    assert len(living(table)) == 1


def test_the_preview_of_a_half_typed_hand_has_those_who_are_entered(table):
    text = preview(table, **typed(0, s1=50))
    assert caught(text) == [f"{name(table, 0)} 0 total 0", f"{name(table, 1)} 50 total 50"]
    assert text.still == f"Still to enter: {name(table, 2)}, {name(table, 3)} and {name(table, 4)}."


def test_in_a_hand_without_a_winner_everybody_catches_their_own(olga):
    table = challenge(3, size=3)
    deck = {"went_out": "none", "count_0": "36", "points_0": "410", "count_1": "36", "points_1": "415", "count_2": "35"}
    text = preview(table, **deck, points_2="395")
    assert f"{name(table, 2)} 395 total 395, the lowest: stays in" in caught(text)
    assert text.after == f"This hand wins the tournament for {name(table, 2)}."
    assert post(olga, table, form(olga, table, **deck, points_2="395")).status_code == 303
    text = said(olga.get(f"/tables/{table.pk}/"))
    assert f"Hand 1 saved: no one went out; {name(table, 0)} gets 410 points, {name(table, 1)} 415" in text
    assert f"{name(table, 2)} has won the tournament." in text


def test_the_preview_says_when_a_hand_leaves_two_in_the_whole_event():
    table = challenge(3, size=3)
    text = preview(table, **typed(0, s1=100, s2=5))
    assert text.after == "This hand leaves two players. They meet head to head."


def test_the_preview_says_when_a_table_ends_with_a_hand():
    table = challenge(6, size=3)
    text = preview(table, **typed(0, s1=100, s2=100))
    assert text.after == f"This hand leaves only {name(table, 0)} at this table."


# --- where there is no next hand -------------------------------------------------------------------------------------


def test_a_table_with_one_player_left_says_so_and_where_to_go_on():
    table = challenge(6, size=3)
    play(table, 1, 0, s1=100, s2=100)
    shown = page(table)
    assert shown.onwards.title == "Table 1 is over"
    assert shown.onwards.over == f"Only {name(table, 0)} is left at this table."
    assert shown.onwards.button.label == "Next: table 2"
    assert shown.form is None


def test_a_form_that_is_typed_at_a_table_that_is_over_says_why_there_are_no_scores():
    table = challenge(6, size=3)
    assert preview(table).hint == "Choose who went out to see the scores."
    play(table, 1, 0, s1=100, s2=100)
    over = f"Only {name(table, 0)} is left at this table."
    assert preview(table, 2).hint == preview(table, 2, went_out="0").hint == over
    assert json.loads(page(table).facts)["hint"] == over  # what a phone without a network says


def all_out(table):
    """A hand that nobody won and that leaves nobody at a table of three below the target."""
    return play(table, 1, None, s0=410, s1=415, s2=395)


@pytest.fixture
def stopped():
    """Two tables of three: at the second two are left, and it is over because the first has lost everybody."""
    table = challenge(6, size=3)
    other = cast.table(table.round.tournament, 1, 2)
    play(other, 1, 0, s1=10, s2=100)
    other.typed_before = form(_olga(), other, **typed(0, s1=5))
    all_out(table)
    return other


def _olga():
    browser = Client()
    browser.force_login(cast.organiser())
    return browser


def test_a_table_that_is_stopped_by_the_last_two_says_so_and_where_to_go_on(stopped):
    onwards = page(stopped).onwards
    assert onwards.title == "Table 2 is over"
    assert onwards.over == "Two players are left in the tournament. They meet head to head."
    assert ([line.text for line in onwards.text], onwards.button.label) == (
        ["This was the last table of the round."],
        "Open the tournament",
    )
    first = cast.table(stopped.round.tournament, 1, 1)
    assert page(first).onwards.over == "No one is left at this table."
    row = LogEntry.objects.get(action="last-two")
    assert in_words(row) == "Round 1, table 1, hand 1: two are left, so table 2 is over"


def test_a_hand_for_a_table_that_is_over_is_refused_with_what_was_typed(olga, stopped):
    answer = post(olga, stopped, stopped.typed_before)
    assert answer.status_code == 409
    text = said(answer)
    assert "Two players are left in the tournament. They meet head to head. Your entry is still here." in text
    html = answer.content.decode()
    assert 'name="points_1" value="5"' in html
    assert 'data-main aria-disabled="true" disabled' in html
    answer = post(olga, stopped, stopped.typed_before, headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (409, "over")
    assert len(living(stopped)) == 1


def test_a_player_of_a_stopped_table_has_nothing_to_confirm(stopped):
    onwards = page(stopped, seat=1).onwards
    assert onwards.over.startswith("Two players are left in the tournament")
    assert (onwards.text, onwards.button.label) == ((), "My table")


def test_a_table_of_the_last_two_counts_its_hands_without_an_end(olga):
    table = challenge(3, size=3)
    play(table, 1, 0, s1=20, s2=100)
    assert "They meet head to head." in said(olga.get(f"/tables/{table.pk}/"))
    made = table.round.tournament
    cast.go_on(made)
    final = cast.table(made, 2, 1)
    for hand in range(1, 6):
        text = said(olga.get(f"/tables/{final.pk}/"))
        assert f"Round 2, hand {hand} " in text
        play(final, hand, 0, s1=1)
    html = olga.get(f"/tables/{final.pk}/").content.decode()
    assert 'class="ring k1"' in html
    assert "&quot;of&quot;: null" in html


def test_a_table_that_was_closed_early_says_so():
    table = challenge(6, size=3)
    play(table, 1, 0, s1=10, s2=10)
    close_table(tournament=table.round.tournament, round_number=1, number=1, reason="Late", by=cast.organiser())
    onwards = page(table).onwards
    assert (onwards.title, onwards.button.label) == ("Table 1 is over", "Next: table 2")
    assert onwards.over == "The table was closed early."


# --- in order --------------------------------------------------------------------------------------------------------


def test_hands_come_in_their_order(olga, table):
    data = form(olga, table, **typed(0, s1=5, s2=5, s3=5, s4=5))
    answer = post(olga, table, data | {"hand": "2"})
    assert answer.status_code == 422
    text = said(answer)
    assert "Enter hand 1 first. Your entry is still here." in text
    assert "Enter another hand: Hand 1" in text
    answer = post(olga, table, data | {"hand": "2"}, headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (422, "order")
    assert not Hand.objects.exists()


def test_hands_that_waited_on_a_phone_come_in_one_after_the_other(olga, table):
    first = form(olga, table, **typed(0, s1=100, s2=5, s3=5, s4=5))
    second = first | {"hand": "2", "key": "second", "points_1": ""}
    wrong = first | {"hand": "2", "key": "wrong", "points_1": "5"}
    assert post(olga, table, second, headers=JSON).json()["code"] == "order"
    answer = post(olga, table, first, headers=JSON)
    assert answer.json()["sentence"] == (
        f"Hand 1 saved: {name(table, 0)} went out; {name(table, 1)} gets 100 points, {name(table, 2)} 5, "
        f"{name(table, 3)} 5, {name(table, 4)} 5. {name(table, 1)} is eliminated with 100."
    )
    assert post(olga, table, wrong, headers=JSON).json()["code"] == "not-dealt-in"
    assert post(olga, table, second, headers=JSON).json()["code"] == "recorded"
    assert len(living(table)) == 2


def test_a_hand_is_in_once_however_often_it_is_sent_and_whatever_happened_since(olga):
    table = challenge(4, size=4, hands_per_round=2)
    made = table.round.tournament
    first = form(olga, table, **typed(0, s1=100, s2=5, s3=5))
    second = first | {"hand": "2", "key": "second", "points_1": "", "points_2": "95"}
    by_another = {"first": first | {"key": "another"}, "second": second | {"key": "another second"}}

    def codes(*sent):
        answers = [post(olga, table, one, headers=JSON) for one in sent]
        return [(answer.status_code, answer.json()["code"]) for answer in answers]

    assert codes(first, second, first, second) == [(201, "recorded"), (201, "recorded"), *[(200, "recorded")] * 2]
    drop_out(tournament=made, entry=table.seats.get(number=3).entry, by=made.owner)
    assert codes(second, first, *by_another.values()) == [*[(200, "recorded")] * 2, *[(200, "same")] * 2]
    assert codes(second | {"points_3": "6"}) == [(422, "key-reused")]
    assert codes(second | {"points_3": "6", "key": "third"}) == [(409, "taken")]
    cast.go_on(made)
    assert codes(second, first, *by_another.values()) == [(200, "recorded")] * 2 + [(200, "same")] * 2
    assert len(living(table)) == 2
    assert HandScore.objects.filter(table=table).count() == 4 + 3


def test_a_table_plays_on_for_its_players_too_once_the_target_is_higher_and_ends_with_a_penalty(olga):
    table = challenge(6, size=3, hands_per_round=4)
    made, three = table.round.tournament, {"reason": "They asked", "by": cast.organiser()}
    play(table, 1, 0, s1=100, s2=100)
    mine = f"/t/{made.slug}/me/"
    assert "All hands are confirmed." in said(phones.at(table, 0).get(mine))
    amend_rules(tournament=made, hands_per_round=4, target=300, **three)
    assert phones.fresh(table).state == Table.State.PLAYING
    made.refresh_from_db()
    assert "All hands are confirmed." not in said(phones.at(table, 0).get(mine))
    for seat in (1, 2):
        late = table.seats.get(number=seat).entry
        given = adjust(tournament=made, entry=late, points=200, round_number=1, **three)
    assert phones.fresh(table).state == Table.State.CONFIRMED
    void_adjustment(tournament=made, adjustment_id=given.pk, by=made.owner)
    assert phones.fresh(table).state == Table.State.PLAYING


def test_a_page_knows_what_a_phone_needs_to_leave_out_who_is_out_by_itself(olga, table):
    play(table, 1, 0, s1=100, s2=5, s3=5, s4=6)
    html = olga.get(f"/tables/{table.pk}/").content.decode()
    assert "&quot;target&quot;: 100" in html
    assert "&quot;totals&quot;: {&quot;0&quot;: 0, &quot;2&quot;: 5, &quot;3&quot;: 5, &quot;4&quot;: 6}" in html
    assert "&quot;empty&quot;: [2, 3, 4]" in html


def test_only_the_last_hand_is_taken_back(olga, table):
    first = play(table, 1, 0, s1=20, s2=100, s3=5, s4=6)
    second = play(table, 2, 0, s1=20, s3=5, s4=6)
    html = olga.get(f"/tables/{table.pk}/").content.decode()
    assert f"/hands/{second.pk}/void/" in html
    assert f"/hands/{first.pk}/void/" not in html
    answer = olga.post(f"/hands/{first.pk}/void/", {"version": version(table)})
    assert answer.status_code == 409
    assert "Undo the last one first, or correct this one." in said(answer)
    for hand in (second, first):
        assert olga.post(f"/hands/{hand.pk}/void/", {"version": version(table)}).status_code == 303
    assert picks(olga.get(f"/tables/{table.pk}/")) == [0, 1, 2, 3, 4]


def test_two_versions_of_a_hand_stand_side_by_side_with_those_who_were_dealt_in(olga, table):
    play(table, 1, 0, s1=20, s2=100, s3=5, s4=6)
    mine = form(olga, table, **typed(0, s1=20, s3=5, s4=6))
    play(table, 2, 0, s1=25, s3=5, s4=6)
    answer = post(olga, table, mine)
    assert answer.status_code == 409
    text = said(answer)
    assert f"The versions differ for {name(table, 1)}" in text
    assert name(table, 2) not in text


# --- corrections -----------------------------------------------------------------------------------------------------


def test_a_correction_has_the_seats_of_its_hand_and_brings_somebody_back(olga, table):
    first = play(table, 1, 0, s1=20, s2=100, s3=5, s4=6)
    second = play(table, 2, 1, s0=20, s3=5, s4=6)
    assert picks(olga.get(f"/hands/{second.pk}/correct/")) == [0, 1, 3, 4]
    page = olga.get(f"/hands/{first.pk}/correct/")
    assert picks(page) == [0, 1, 2, 3, 4]
    assert 'name="points_2" value="100"' in page.content.decode()
    made = correct_hand(
        hand_id=first.pk,
        version=None,
        hand=HandInput(first.number, 0, [SeatReport(1, points_left=20), SeatReport(2, points_left=10), *_losers(3, 4)]),
        reason="A one too many",
        by=Attribution(cast.organiser()),
    )
    assert [row["seat"] for row in made.seats] == [0, 1, 2, 3, 4]
    assert [row["seat"] for row in living(table)[1].seats] == [0, 1, 3, 4]  # the later hand stays as it was played
    page = olga.get(f"/tables/{table.pk}/")
    assert picks(page) == [0, 1, 2, 3, 4]  # and the next one is dealt to everybody
    assert f"{name(table, 0)} gets 20 points, {name(table, 3)} 5, {name(table, 4)} 6." in said(page)


def _losers(*seats):
    return [SeatReport(seat, points_left=5) for seat in seats]


def test_a_correction_that_puts_somebody_out_earlier_says_that_later_hands_do_not_count_for_them(olga, table):
    first = play(table, 1, 0, s1=20, s2=10, s3=5, s4=5)
    play(table, 2, 0, s1=20, s2=10, s3=5, s4=6)
    reports = [SeatReport(1, points_left=20), SeatReport(2, points_left=100), *_losers(3, 4)]
    correct_hand(
        hand_id=first.pk,
        version=None,
        hand=HandInput(first.number, 0, reports),
        reason="A slip",
        by=Attribution(cast.organiser()),
    )
    assert f"It doesn’t count for {name(table, 2)}: eliminated before." in said(olga.get(f"/tables/{table.pk}/"))


def test_a_correction_shows_the_seats_of_then_after_seats_were_swapped(olga, table):
    hand = play(table, 1, 0, s1=20, s2=10, s3=5, s4=5)
    was = name(table, 1)
    one, two = table.seats.get(number=1), table.seats.get(number=2)
    Seat.objects.filter(pk=one.pk).update(number=9)
    Seat.objects.filter(pk=two.pk).update(number=1)
    Seat.objects.filter(pk=one.pk).update(number=2)
    page = olga.get(f"/hands/{hand.pk}/correct/").content.decode()
    assert f'data-seat="1" data-name="{was}"' in page
    assert f"{was} gets 20 points" in said(olga.get(f"/tables/{table.pk}/"))


def test_the_preview_of_a_correction_compares_with_what_was(olga, table):
    hand = play(table, 1, 0, s1=20, s2=10, s3=5, s4=5)
    sent = {"instead": str(hand.pk)} | typed(0, s1=20, s2=100, s3=5, s4=5)
    text = said(olga.post(f"/tables/{table.pk}/preview/", sent))
    assert f"{name(table, 2)} 10 100 total 100, eliminated" in text


# --- players ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def reported():
    """A table of three whose hands seat 0 reported; seat 2 is out since the first. Two play on at another table."""
    table = challenge(6, size=3, hands_per_round=2)
    phone = phones.at(table, 0)
    phones.report(phone, table, typed(0, s1=20, s2=100), typed(0, s1=5))
    return table


def agree(phone, table):
    return phone.post(f"/tables/{table.pk}/agree/", {"version": version(table)})


def test_who_reported_does_not_confirm_and_everybody_else_may(reported):
    phone = phones.at(reported, 0)
    text = said(phone.get(f"/tables/{reported.pk}/"))
    one, two = name(reported, 1), name(reported, 2)
    assert f"Waiting for one of these to confirm: {one} and {two}." in text
    answer = agree(phone, reported)
    assert answer.status_code == 409
    assert "You reported hands of this table. Another side must confirm them." in said(answer)
    assert agree(phones.at(reported, 1), reported).status_code == 303
    assert phones.fresh(reported).state == Table.State.CONFIRMED


def test_somebody_who_is_out_confirms_what_they_sat_in(reported):
    phone = phones.at(reported, 2)
    page = phone.get(f"/tables/{reported.pk}/")
    assert "Check the hands, then confirm them." in said(page)
    assert agree(phone, reported).status_code == 303
    assert phones.fresh(reported).state == Table.State.CONFIRMED


def test_a_dispute_has_the_seats_of_its_hand(olga, reported):
    phone, hand = phones.at(reported, 2), living(reported)[0]
    page = phone.get(f"/hands/{hand.pk}/dispute/")
    assert sorted(picks(page)) == [0, 1, 2]
    assert f"{name(reported, 0)} went out; {name(reported, 1)} gets 20 points, {name(reported, 2)} 100." in said(page)
    second = living(reported)[1]
    assert sorted(picks(phone.get(f"/hands/{second.pk}/dispute/"))) == [0, 1]
    data = typed(0, s1=20, s2=10) | {"version": version(reported)}
    assert phone.post(f"/hands/{hand.pk}/dispute/", data).status_code == 303
    made = Dispute.objects.get()
    assert (made.went_out, [one["points_left"] for one in made.seats]) == (0, [0, 20, 10])
    text = said(olga.get(f"/tables/{reported.pk}/disputes/"))
    assert f"The versions differ for {name(reported, 2)}." in text
    answer = olga.post(f"/disputes/{made.pk}/decide/", {"decision": "theirs", "version": version(reported)})
    assert answer.status_code == 303
    assert [seat.number for seat in dealt_in(phones.fresh(reported), 3)] == [0, 1, 2]


# --- other programs --------------------------------------------------------------------------------------------------


def test_the_api_names_seats_of_the_table_and_refuses_who_is_not_dealt_in(table):
    olga = Program(cast.organiser())
    path = f"/api/v1/tables/{table.pk}/hands/"
    seats = [{"seat": seat, "points_left": left} for seat, left in ((1, 20), (2, 100), (3, 5), (4, 6))]
    olga.post(path, {"hand": 1, "went_out": 0, "seats": seats}, status=201)
    body = {"hand": 2, "went_out": 1, "seats": [{"seat": 0, "points_left": 5}, *seats[1:]]}
    answer = olga.post(path, body, status=422)
    assert (answer["code"], answer["errors"][0]["seat"]) == ("not-dealt-in", 2)
    body = {"hand": 2, "went_out": 4, "seats": [{"seat": seat, "points_left": 5} for seat in (0, 1, 3)]}
    assert olga.post(path, body | {"hand": 3}, status=422)["code"] == "order"
    made = olga.post(path, body, status=201)
    assert (made["went_out"], [one["seat"] for one in made["seats"]]) == (4, [0, 1, 3, 4])
    assert made["seats"][3]["player"] == name(table, 4)
    shown = olga.get(f"/api/v1/tables/{table.pk}/")
    assert (shown["progress"], shown["next_hand"], shown["dealt_in"]) == ("playing", 3, [0, 1, 3, 4])


def test_the_api_says_that_a_table_is_over(stopped):
    olga = Program(cast.organiser())
    body = {"hand": 2, "went_out": 0, "seats": [{"seat": 1, "points_left": 5}]}
    assert olga.post(f"/api/v1/tables/{stopped.pk}/hands/", body, status=409)["code"] == "over"
    shown = olga.get(f"/api/v1/tables/{stopped.pk}/")
    assert (shown["progress"], shown["next_hand"], shown["dealt_in"]) == ("stopped", None, [])


# --- services --------------------------------------------------------------------------------------------------------


def test_services_refuse_by_code(table, stopped):
    with pytest.raises(Refused) as order:
        play(table, 2, 0, s1=1, s2=1, s3=1, s4=1)
    assert order.value.code == "order"
    with pytest.raises(HandRefused) as missing:
        play(table, 1, 0, s1=1, s2=1, s3=1)
    assert (missing.value.code, missing.value.seat) == ("missing", 4)
    play(table, 1, 0, s1=100, s2=1, s3=1, s4=1)
    with pytest.raises(HandRefused) as gone:
        play(table, 2, 0, s1=1, s2=1, s3=1, s4=1)
    assert (gone.value.code, gone.value.seat) == ("not-dealt-in", 1)
    with pytest.raises(Conflict) as over:
        play(stopped, 2, 0, s1=1)
    assert over.value.code == "over"
    first = living(table)[0]
    play(table, 2, 0, s2=1, s3=1, s4=1)
    with pytest.raises(Conflict) as last:
        void_hand(hand_id=first.pk, version=None, reason="", by=Attribution(cast.organiser()))
    assert last.value.code == "not-last"
