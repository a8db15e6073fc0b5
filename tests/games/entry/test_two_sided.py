"""One side of a table reports, another confirms on their own phone, or says that it was another hand."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Dispute, Hand
from league.ledger.scores import confirm_table
from league.models import Deadline, Entry, HandScore, LogEntry, Seat, Table, Tournament
from league.rounds.steps import advance, next_step, start
from tests import cast
from tests.api import Program
from tests.games import phones
from tests.games.pages import form, living, name, post, said, version

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

THEIRS = {"went_out": "0", "cards_1": "R7 GD B6", "cards_3": "WD"}  # hand 1, with another wild card


def begun():
    """Table 1 of a tournament that has begun."""
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    return cast.table(made, 1, 1)


@pytest.fixture(scope="module", autouse=True)
def begun_once(module_world):
    return begun()


@pytest.fixture(scope="module", autouse=True)
def reported_once(module_world):
    """All hands of a table are in, from the phone of seat 0."""
    table = begun()
    phones.report(phones.at(table, 0), table)
    return table


@pytest.fixture
def table(request, begun_once, reported_once):
    """With hands where the test asks for `reported`, else without."""
    return cast.again(reported_once if "reported" in request.fixturenames else begun_once)


@pytest.fixture
def north(table):
    """The phone of seat 0, whose side reports."""
    return phones.at(table, 0)


@pytest.fixture
def east(table):
    """The phone of seat 1, on the other side."""
    return phones.at(table, 1)


@pytest.fixture
def reported(table):
    return table


def agree(phone, table, seen=None):
    return phone.post(f"/tables/{table.pk}/agree/", {"version": version(table) if seen is None else seen})


def object_to(phone, hand, *, seen=None, reason="", **typed):
    data = (typed or THEIRS) | {"version": version(hand.table) if seen is None else seen, "reason": reason}
    return phone.post(f"/hands/{hand.pk}/dispute/", data)


def decide(olga, dispute, decision, reason="", seen=None):
    seen = version(dispute.hand.table) if seen is None else seen
    return olga.post(f"/disputes/{dispute.pk}/decide/", {"decision": decision, "version": seen, "reason": reason})


def disputed(phone, table, number=1, **typed):
    """A dispute of a hand, just made."""
    hand = Hand.objects.living().get(table=table, number=number)
    assert object_to(phone, hand, **typed).status_code == 303
    return Dispute.objects.get(hand=hand, state=Dispute.State.OPEN)


def score(table, number, seat=0):
    return HandScore.objects.living().get(table=table, hand=number, seat=seat).score


def clocks(table):
    return Deadline.objects.pending().filter(table=table, kind=Deadline.Kind.CONFIRM)


# --- reporting -------------------------------------------------------------------------------------------------------


def test_a_player_reports_the_hands_of_their_own_table_and_the_last_one_leaves_it_reported(table, north):
    phones.report(north, table, phones.HANDS[0])
    hand = living(table)[0]
    assert (hand.source, hand.player.player.name, hand.recorded_by) == ("player", name(table, 0), None)
    assert set(HandScore.objects.filter(table=table).values_list("source", flat=True)) == {"player"}
    row = LogEntry.objects.filter(action="record").latest("pk")
    assert (row.player, row.by, row.scorer_link) == (hand.player.public_id, None, None)
    assert phones.fresh(table).state == Table.State.PLAYING
    phones.report(north, table, *phones.HANDS[1:])
    assert phones.fresh(table).state == Table.State.REPORTED
    csv = Client().get(f"/t/{table.round.tournament.slug}/hands.csv").content.decode()
    assert csv.count(",player,20") == 16


def test_a_player_is_told_where_they_sit_at_the_page_of_another_table(table, north):
    other = cast.table(table.round.tournament, 1, 2)
    answer = north.get(f"/tables/{other.pk}/")
    assert answer.status_code == 200
    assert f"This is table 2 {name(table, 0)} sits at table 1 in this round. My table" in said(answer)
    assert north.post(f"/tables/{other.pk}/", phones.HANDS[0]).status_code == 403
    assert living(other) == []


def test_a_player_whose_link_was_ended_is_told_so_and_nothing_is_saved(table, north):
    data = form(north, table)
    Entry.objects.filter(pk=table.seats.get(number=0).entry_id).update(link_generation=2)
    answer = post(north, table, data)
    assert answer.status_code == 410
    assert "This link no longer works" in said(answer)
    assert living(table) == []


def test_where_players_do_not_report_they_are_told_to_tell_the_organiser(table, north):
    data = form(north, table)
    Tournament.objects.update(players_report=False)
    answer = post(north, table, data)
    assert answer.status_code == 403
    assert "The organiser enters the hands" in said(answer)
    assert living(table) == []


def test_who_was_swapped_away_while_typing_is_told_so(table, north):
    data = form(north, table)
    here, there = table.seats.get(number=0), cast.table(table.round.tournament, 1, 2).seats.get(number=0)
    Seat.objects.filter(pk=here.pk).delete()
    Seat.objects.filter(pk=there.pk).update(table=table, number=0)
    answer = post(north, table, data)
    assert answer.status_code == 403
    assert "doesn’t sit at this table in this round" in said(answer)
    assert living(table) == []


def test_a_player_takes_back_what_they_reported_and_nothing_else(table, north, east):
    phones.report(north, table, phones.HANDS[0])
    hand = living(table)[0]
    answer = east.post(f"/hands/{hand.pk}/void/", {"version": version(table)})
    assert answer.status_code == 409
    assert "Someone else entered this hand." in said(answer)
    assert f"/hands/{hand.pk}/void/" not in east.get(f"/tables/{table.pk}/").content.decode()
    assert north.post(f"/hands/{hand.pk}/void/", {"version": version(table)}).status_code == 303
    assert living(table) == []
    assert LogEntry.objects.latest("pk").player == hand.player.public_id


def test_nothing_is_taken_back_by_a_player_once_the_table_is_confirmed(reported, north, east):
    assert agree(east, reported).status_code == 303
    answer = north.post(f"/hands/{living(reported)[-1].pk}/void/", {"version": version(reported)})
    assert answer.status_code == 409
    assert "This table is confirmed." in said(answer)


def test_who_typed_another_version_of_a_hand_that_is_in_may_say_so_with_what_they_typed(table, north, east):
    data = form(east, table, **THEIRS)
    phones.report(north, table, phones.HANDS[0])
    answer = post(east, table, data)
    assert answer.status_code == 409
    assert "If yours is right, dispute theirs. A director decides." in said(answer)
    hand = living(table)[0]
    answer = object_to(east, hand, **THEIRS, look="1")
    assert answer.status_code == 200
    assert 'name="cards_3" value="WD"' in answer.content.decode()
    assert not Dispute.objects.exists()


# --- confirming ------------------------------------------------------------------------------------------------------


def test_the_other_side_sees_every_hand_in_words_and_confirms_with_one_tap(reported, east):
    text = said(east.get(f"/tables/{reported.pk}/"))
    north, south = name(reported, 0), name(reported, 2)
    assert "Check the hands, then confirm them" in text
    assert f"{north} went out {north} and {south} score 83. Reported by {north}" in text
    assert "Confirm the hands" in text
    assert text.count("Dispute") == 4
    answer = agree(east, reported)
    assert (answer.status_code, answer["Location"]) == (303, f"/tables/{reported.pk}/")
    assert phones.fresh(reported).state == Table.State.CONFIRMED
    assert "Confirmed. Thank you." in said(east.get(f"/tables/{reported.pk}/"))
    row = LogEntry.objects.latest("pk")
    assert (row.action, row.player, row.by) == (
        "confirm",
        cast.entry(reported.round.tournament, name(reported, 1)).public_id,
        None,
    )


def test_both_partners_of_the_side_that_reported_are_told_who_confirms(reported, north):
    for phone in (north, phones.at(reported, 2)):
        text = said(phone.get(f"/tables/{reported.pk}/"))
        assert f"Waiting for one of these to confirm: {name(reported, 1)} and {name(reported, 3)}." in text
        assert "Confirm the hands" not in text
        answer = agree(phone, reported)
        assert answer.status_code == 409
        assert "You reported hands of this table. Another side must confirm them." in said(answer)
    assert phones.fresh(reported).state == Table.State.REPORTED


def test_what_a_scorer_entered_any_player_of_the_table_may_confirm(table):
    scorer = cast.someone_else()
    cast.table(table.round.tournament, 1, 1)
    table.round.tournament.roles.create(user=scorer, kind="scorer")
    desk = Client()
    desk.force_login(scorer)
    phones.report(desk, table)
    text = said(phones.at(table, 0).get(f"/tables/{table.pk}/"))
    assert "Check the hands, then confirm them." in text
    assert agree(phones.at(table, 0), table).status_code == 303
    assert phones.fresh(table).state == Table.State.CONFIRMED


def test_nobody_confirms_what_their_own_side_reported_by_letting_the_other_enter_the_last_hand(table, north, east):
    phones.report(north, table, *phones.HANDS[:3])
    phones.report(east, table, phones.HANDS[3])
    for seat in range(4):
        phone = phones.at(table, seat)
        assert "Every side reported hands" in said(phone.get(f"/tables/{table.pk}/"))
        assert agree(phone, table).status_code == 409
    assert phones.fresh(table).state == Table.State.REPORTED and clocks(table).count() == 1


def test_confirming_twice_is_once(reported, east):
    seen = version(reported)
    assert agree(east, reported, seen).status_code == 303
    rows = LogEntry.objects.count()
    assert agree(phones.at(reported, 3), reported, seen).status_code == 303
    assert LogEntry.objects.count() == rows


def test_a_table_that_changed_since_the_page_was_opened_is_not_confirmed_blindly(reported, north, east):
    seen = version(reported)
    last = living(reported)[-1]
    assert north.post(f"/hands/{last.pk}/void/", {"version": seen}).status_code == 303
    phones.report(north, reported, {"went_out": "3", "cards_0": "RR", "cards_2": "WD"})
    answer = agree(east, reported, seen)
    assert answer.status_code == 409
    assert "This table has changed since." in said(answer)
    assert phones.fresh(reported).state == Table.State.REPORTED
    assert agree(east, reported, "nothing").status_code == 409


def test_a_table_with_hands_to_play_cannot_be_confirmed(table, north, east):
    phones.report(north, table, phones.HANDS[0])
    assert agree(east, table).status_code == 409
    assert phones.fresh(table).state == Table.State.PLAYING


def test_strangers_and_players_of_other_tables_confirm_nothing(reported):
    other = phones.at(cast.table(reported.round.tournament, 1, 2), 1)
    assert agree(other, reported).status_code == 403
    assert agree(Client(), reported).status_code == 404
    assert phones.fresh(reported).state == Table.State.REPORTED


# --- the clock -------------------------------------------------------------------------------------------------------


def test_a_reported_table_says_when_it_is_confirmed_by_itself(reported, north, east, olga):
    due = clocks(reported).get().due_at
    assert timedelta(minutes=14) < due - timezone.now() <= timedelta(minutes=15)
    for phone in (north, east, olga):
        page = phone.get(f"/tables/{reported.pk}/")
        assert f'datetime="{due.isoformat(timespec="seconds")}"' in page.content.decode()
        assert f"Counts automatically at {due:%H:%M} unless a player objects." in said(page)
    overview = said(olga.get(f"/t/{reported.round.tournament.slug}/"))
    who = reported.seats.get(number=0).entry
    line = f"4 of 4 hands recorded. Reported by {who}. Counts automatically at {due:%H:%M}"
    assert line in overview.replace(" .", ".")
    assert "Reported by" not in said(Client().get(f"/t/{reported.round.tournament.slug}/"))


def test_without_a_time_a_table_waits_for_people(table, north):
    Tournament.objects.update(confirm_after=None)
    phones.report(north, table)
    assert not clocks(table).exists()
    assert "by itself" not in said(north.get(f"/tables/{table.pk}/"))


def test_there_is_one_clock_a_table_and_none_once_it_is_confirmed_or_taken_back(reported, north, east):
    first = clocks(reported).get()
    last = living(reported)[-1]
    assert north.post(f"/hands/{last.pk}/void/", {"version": version(reported)}).status_code == 303
    assert not clocks(reported).exists()
    phones.report(north, reported, phones.HANDS[3])
    assert clocks(reported).get().pk != first.pk
    assert agree(east, reported).status_code == 303
    assert not clocks(reported).exists()


# --- disputing -------------------------------------------------------------------------------------------------------


def test_this_is_wrong_opens_what_stands_and_keeps_both_versions(reported, east):
    hand = living(reported)[0]
    page = east.get(f"/hands/{hand.pk}/dispute/")
    assert page.status_code == 200
    assert 'name="cards_1" value="B6 GD R7"' in page.content.decode()
    assert object_to(east, hand, reason="It was the other wild card").status_code == 303
    made = Dispute.objects.get()
    assert (made.player.player.name, made.reason) == (name(reported, 1), "It was the other wild card")
    assert made.seats[3]["cards"] == ["WD"]
    hand.refresh_from_db()
    assert hand.voided_at is None
    assert hand.seats[3]["cards"] == ["W"]
    assert phones.fresh(reported).state == Table.State.DISPUTED
    assert not clocks(reported).exists()
    assert score(reported, 1) == 83
    row = LogEntry.objects.latest("pk")
    assert (row.action, row.hand, row.player) == ("dispute", 1, made.player.public_id)


def test_a_disputed_hand_is_marked_wherever_hands_are_listed(reported, east, olga):
    disputed(east, reported)
    slug, who = reported.round.tournament.slug, name(reported, 1)
    assert f"Disputed by {who}" in said(phones.at(reported, 0).get(f"/tables/{reported.pk}/"))
    assert "disputed" in said(Client().get(f"/t/{slug}/hands/"))
    entry = cast.entry(reported.round.tournament, name(reported, 0))
    assert "83 went out disputed" in said(Client().get(f"/t/{slug}/players/{entry.public_id}/"))
    assert "Disputed" in said(Client().get(f"/t/{slug}/bracket/"))
    assert Client().get(f"/api/v1/tables/{reported.pk}/").json()["state"] == "disputed"


def test_to_say_only_why_is_enough(reported, east):
    made = disputed(east, reported, **phones.HANDS[0], reason="Chidi held four cards")
    assert (made.seats, made.went_out, made.reason) == ([], None, "Chidi held four cards")


def test_a_version_that_equals_what_stands_changes_nothing_and_says_so(reported, east):
    answer = object_to(east, living(reported)[0], **phones.HANDS[0])
    assert answer.status_code == 422
    assert "This is what was reported." in said(answer)
    assert not Dispute.objects.exists()
    assert phones.fresh(reported).state == Table.State.REPORTED


def test_a_version_that_cannot_exist_is_refused_with_the_engines_sentence(reported, east):
    answer = object_to(east, living(reported)[0], went_out="0", cards_1="B0 B0", cards_3="W")
    assert answer.status_code == 422
    assert "Not saved yet" in said(answer)
    assert 'value="B0 B0"' in answer.content.decode()
    assert not Dispute.objects.exists()


def test_a_player_disputes_a_hand_once_and_may_withdraw(reported, east):
    made = disputed(east, reported)
    again = object_to(east, made.hand, went_out="0", cards_1="R7", cards_3="W")
    assert again.status_code == 409
    assert "You already dispute this hand." in said(again)
    assert east.post(f"/disputes/{made.pk}/withdraw/").status_code == 303
    made.refresh_from_db()
    assert made.state == Dispute.State.WITHDRAWN
    assert phones.fresh(reported).state == Table.State.REPORTED
    assert clocks(reported).count() == 1
    assert LogEntry.objects.get(action="withdraw-dispute").hand == made.hand.number
    rows = LogEntry.objects.count()
    assert east.post(f"/disputes/{made.pk}/withdraw/").status_code == 303
    assert LogEntry.objects.count() == rows


def test_nobody_withdraws_the_word_of_somebody_else(reported, north, east):
    made = disputed(east, reported)
    assert north.post(f"/disputes/{made.pk}/withdraw/").status_code == 404
    made.refresh_from_db()
    assert made.state == Dispute.State.OPEN


def test_a_disputed_table_is_confirmed_by_nobody_before_it_is_decided(reported, north, east):
    disputed(east, reported)
    answer = agree(phones.at(reported, 3), reported)
    assert answer.status_code == 409
    assert "Decide it to confirm the table." in said(answer)
    last = living(reported)[-1]
    disputed(east, reported, number=4, went_out="3", cards_0="RR", cards_2="W")
    answer = north.post(f"/hands/{last.pk}/void/", {"version": version(reported)})
    assert answer.status_code == 409
    assert "This hand is disputed." in said(answer)


def test_disputes_come_too_late_for_a_confirmed_table_and_a_closed_round(reported, east):
    hand = living(reported)[0]
    confirm_table(table_id=reported.pk, version=version(reported), by=cast.organiser())
    answer = object_to(east, hand)
    assert answer.status_code == 409
    assert "This table is confirmed. Ask the organiser to correct the hand." in said(answer)
    other = cast.table(reported.round.tournament, 1, 2)
    phones.report(phones.at(other, 0), other)
    tournament = reported.round.tournament
    advance(tournament=tournament, token="close-1", by=tournament.owner)
    late = phones.at(other, 1)
    answer = object_to(late, living(other)[0])
    assert answer.status_code == 409
    assert "Round 1 is closed. Ask the organiser" in said(answer)
    answer = agree(late, other)
    assert answer.status_code == 409
    assert "Round 1 is closed. Ask the organiser" in said(answer)
    assert not Dispute.objects.exists()


def test_a_dispute_of_a_hand_that_was_corrected_meanwhile_shows_the_table(reported, east, olga):
    hand = living(reported)[0]
    seen = version(reported)
    assert olga.post(f"/hands/{hand.pk}/correct/", THEIRS | {"version": seen, "reason": "Seen"}).status_code == 303
    for answer in (object_to(east, hand, seen=seen), object_to(east, living(reported)[0], seen=seen)):
        assert answer.status_code == 409
    assert not Dispute.objects.exists()


def test_other_hands_go_on_while_one_is_disputed(table, north, east):
    phones.report(north, table, phones.HANDS[0])
    made = disputed(east, table)
    phones.report(north, table, *phones.HANDS[1:])
    assert phones.fresh(table).state == Table.State.DISPUTED
    assert not clocks(table).exists()
    assert east.post(f"/disputes/{made.pk}/withdraw/").status_code == 303
    assert phones.fresh(table).state == Table.State.REPORTED


# --- deciding --------------------------------------------------------------------------------------------------------


def test_the_organiser_sees_the_dispute_first_and_both_versions_side_by_side(reported, east, olga):
    disputed(east, reported, reason="It was the other wild card", **THEIRS)
    slug, who = reported.round.tournament.slug, name(reported, 1)
    overview = said(olga.get(f"/t/{slug}/"))
    assert f"Table 1 disputes hand 1 0 min {who}: It was the other wild card Compare results" in overview
    assert overview.index("Compare results") < overview.index("Table 2")
    text = said(olga.get(f"/tables/{reported.pk}/disputes/"))
    assert f"{who} disputes this hand. The versions differ for {name(reported, 3)}." in text
    assert "“It was the other wild card”" in text
    for words in (
        "Reported",
        "Disputed",
        "Keep the reported version",
        "Use the disputed version",
        "Enter another version",
    ):
        assert words in text


def test_the_page_of_a_dispute_names_only_those_whose_points_change(reported, east, olga):
    other = cast.table(reported.round.tournament, 1, 2)
    phones.report(phones.at(other, 0), other, {"went_out": "0", "cards_1": "W W", "cards_3": "R9 G9 B6"})
    disputed(east, reported, went_out="0", cards_1="R7 GD B6", cards_3="W WD")
    text = said(olga.get(f"/tables/{reported.pk}/disputes/"))
    shown = re.findall(
        r"(\S+) (-?\d+) → (-?\d+)", text.partition("Points with the disputed version")[2].partition("Reason")[0]
    )
    # The winners of the other table fall behind by it, and have the points they had.
    assert len(shown) == 2 and all(int(will) - int(was) == 50 for _name, was, will in shown)
    assert name(other, 0) not in text


def test_a_director_finds_disputes_first_too(reported, east):
    disputed(east, reported)
    director = cast.someone_else()
    reported.round.tournament.roles.create(user=director, kind="director")
    desk = Client()
    desk.force_login(director)
    page = desk.get(f"/t/{reported.round.tournament.slug}/")
    assert "(1) Now" in said(page) and "Table 1 disputes hand 1" in said(page)
    assert f'href="/tables/{reported.pk}/disputes/"' in page.content.decode()
    seating = desk.get(f"/t/{reported.round.tournament.slug}/seating/")
    assert "Now 1 needs you" in said(seating)
    assert "need" not in said(Client().get(f"/t/{reported.round.tournament.slug}/seating/"))
    assert decide(desk, Dispute.objects.get(), "stands").status_code == 303


def test_the_hand_stands_and_with_the_last_dispute_the_table_is_confirmed(reported, east, olga):
    made = disputed(east, reported)
    assert decide(olga, made, "stands", reason="I saw it").status_code == 303
    made.refresh_from_db()
    assert (made.state, made.decided_by) == (Dispute.State.KEPT, cast.organiser())
    assert phones.fresh(reported).state == Table.State.CONFIRMED
    assert made.hand.voided_at is None
    slug = reported.round.tournament.slug
    assert f"hand 1: dispute by {name(reported, 1)} rejected" in said(olga.get(f"/t/{slug}/log/"))


def test_their_version_is_a_correction_that_keeps_the_reason(reported, east, olga):
    made = disputed(east, reported, reason="It was Draw Four", went_out="0", cards_1="R7 GD", cards_3="WD")
    assert decide(olga, made, "theirs").status_code == 303
    made.refresh_from_db()
    assert made.state == Dispute.State.TAKEN
    stands = living(reported)[0]
    assert (stands.replaces, stands.seats[1]["cards"]) == (made.hand, ["GD", "R7"])
    made.hand.refresh_from_db()
    assert made.hand.void_reason == "It was Draw Four"
    assert score(reported, 1) == 77
    assert phones.fresh(reported).state == Table.State.CONFIRMED


def test_who_only_said_why_has_no_version_to_take(reported, east, olga):
    made = disputed(east, reported, **phones.HANDS[0], reason="No")
    assert "Take the version" not in said(olga.get(f"/tables/{reported.pk}/disputes/"))
    answer = decide(olga, made, "theirs")
    assert answer.status_code == 422
    assert "Keep the reported one, or enter another." in said(answer)
    made.refresh_from_db()
    assert made.state == Dispute.State.OPEN


def test_a_correction_or_an_undo_settles_what_was_disputed(reported, east, olga):
    first, second = (
        disputed(east, reported),
        disputed(phones.at(reported, 3), reported, number=2, went_out="1", cards_0="Y6", cards_2="B9 R1"),
    )
    typed = {"went_out": "0", "cards_1": "R9", "cards_3": "W", "reason": "Counted", "version": version(reported)}
    assert olga.post(f"/hands/{first.hand_id}/correct/", typed).status_code == 303
    first.refresh_from_db()
    assert (first.state, first.decided_by) == (Dispute.State.OTHER, cast.organiser())
    assert phones.fresh(reported).state == Table.State.DISPUTED
    assert olga.post(f"/hands/{second.hand_id}/void/", {"version": version(reported)}).status_code == 303
    second.refresh_from_db()
    assert second.state == Dispute.State.OTHER
    assert phones.fresh(reported).state == Table.State.PLAYING


def test_an_open_page_keeps_its_note_while_that_holds_and_no_longer(table, north, east, olga):
    phones.report(north, table)
    live, page = {"Wild-Live": "1"}, f"/tables/{table.pk}/"
    made = disputed(east, table)
    noted = "Dispute sent."
    assert noted in said(east.get(page)) and noted in said(east.get(page, headers=live))
    assert "saved" in said(north.get(page)) and "saved" in said(north.get(page, headers=live))
    decide(olga, made, "theirs")
    assert noted not in said(east.get(page, headers=live))
    assert "Undo" not in said(north.get(page, headers=live)).partition("Hands")[0]
    phones.fresh(table)
    assert "saved" not in said(north.get(page))  # opened anew: it was said


def test_the_undo_above_the_hands_goes_when_somebody_else_has_decided_or_confirmed(table, north, east):
    phones.report(north, table)
    page, live = f"/tables/{table.pk}/", {"Wild-Live": "1"}
    above = said(north.get(page)).partition("Reported by")[0]
    assert above.count("Undo") == 1
    assert agree(east, table).status_code == 303
    assert "Undo" not in said(north.get(page, headers=live))
    assert "Confirmed. Thank you." in said(east.get(page))


def test_two_players_dispute_one_hand_and_each_is_decided(reported, east, olga):
    mine, partner = disputed(east, reported), None
    assert object_to(phones.at(reported, 3), mine.hand, went_out="0", cards_1="R7", cards_3="W").status_code == 303
    partner = Dispute.objects.exclude(pk=mine.pk).get()
    assert decide(olga, mine, "stands").status_code == 303
    assert phones.fresh(reported).state == Table.State.DISPUTED
    assert decide(olga, partner, "theirs").status_code == 303
    assert phones.fresh(reported).state == Table.State.CONFIRMED
    assert {one.state for one in Dispute.objects.all()} == {Dispute.State.KEPT, Dispute.State.TAKEN}


def test_a_decision_from_an_old_page_or_a_second_one_changes_nothing(reported, east, olga):
    made = disputed(east, reported)
    answer = decide(olga, made, "stands", seen=version(reported) - 1)
    assert answer.status_code == 409
    assert "This table has changed since." in said(answer)
    assert decide(olga, made, "maybe").status_code == 422
    assert decide(olga, made, "stands").status_code == 303
    answer = decide(olga, made, "theirs")
    assert answer.status_code == 409
    assert "This dispute is already decided or withdrawn" in said(answer)
    assert score(reported, 1) == 83


def test_players_decide_nothing(reported, east):
    made = disputed(east, reported)
    assert decide(east, made, "theirs").status_code == 404
    assert east.get(f"/tables/{reported.pk}/disputes/").status_code == 404


def test_a_dispute_that_is_decided_before_the_last_hand_lets_the_table_play_on(table, north, east, olga):
    phones.report(north, table, phones.HANDS[0])
    assert decide(olga, disputed(east, table), "stands").status_code == 303
    assert phones.fresh(table).state == Table.State.PLAYING


# --- rounds ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def last_round():
    """The only round of an evening, all hands recorded, the first of table 1 disputed."""
    made = cast.tournament(rounds=1)
    advance(tournament=made, token="draw", by=made.owner)
    advance(tournament=made, token="publish-1", by=made.owner)
    table = cast.table(made, 1, 1)
    phones.report(phones.at(table, 0), table)
    other = cast.table(made, 1, 2)
    phones.report(phones.at(other, 0), other)
    disputed(phones.at(table, 1), table)
    return made


def test_a_round_is_not_closed_while_a_hand_is_disputed(last_round, olga):
    answer = olga.post(f"/t/{last_round.slug}/advance/", {"step": "close-1"})
    assert answer.status_code == 409
    assert "A hand of table 1 is disputed. Decide it first." in said(answer)
    assert [table.number for table in next_step(last_round).disputed] == [1]
    assert last_round.rounds.get().is_open


def test_a_round_is_closed_without_a_disputed_table_for_a_reason_and_standings_wait(last_round, olga):
    table = cast.table(last_round, 1, 1)
    step = {"step": "close-1", "without": table.pk}
    assert olga.post(f"/t/{last_round.slug}/advance/", step | {"reason": "They had to leave"}).status_code == 302
    assert "Round 1: closed with a dispute at table 1" in said(olga.get(f"/t/{last_round.slug}/log/"))
    answer = olga.post(f"/t/{last_round.slug}/advance/", {"step": "finish"})
    assert answer.status_code == 409
    assert "Decide round 1, table 1" in said(answer)
    last_round.refresh_from_db()
    assert not last_round.is_final
    assert decide(olga, Dispute.objects.get(), "stands").status_code == 303
    assert olga.post(f"/t/{last_round.slug}/advance/", {"step": "finish"}).status_code == 302
    last_round.refresh_from_db()
    assert last_round.is_final
    made = Dispute.objects.get()
    Dispute.objects.update(state=Dispute.State.OPEN)
    answer = decide(olga, made, "stands")
    assert answer.status_code == 409
    assert "The standings are final." in said(answer)


def test_programs_are_told_which_tables_are_disputed(last_round):
    program, table = Program(last_round.owner), cast.table(last_round, 1, 1)
    problem = program.post(f"/api/v1/tournaments/{last_round.slug}/advance/", {}, status=409)
    assert (problem["code"], problem["current"]) == ("disputed", {"disputed": [{"id": table.pk, "number": 1}]})
    step = program.get(f"/api/v1/tournaments/{last_round.slug}/")["next_step"]
    assert step["disputed"] == [{"id": table.pk, "number": 1}]


# --- settings --------------------------------------------------------------------------------------------------------


def test_the_settings_say_whether_players_report_and_when_tables_confirm_themselves(reported, olga):
    slug = reported.round.tournament.slug
    answer = olga.post(f"/t/{slug}/settings/", {"form": "reporting", "players_report": "on", "confirm_after": "0"})
    assert answer.status_code == 422
    assert olga.post(f"/t/{slug}/settings/", {"form": "reporting", "confirm_after": ""}).status_code == 302
    tournament = Tournament.objects.get(slug=slug)
    assert (tournament.players_report, tournament.confirm_after) == (False, None)
    assert not clocks(reported).exists()
    text = said(olga.get(f"/t/{slug}/log/"))
    assert "Players may report hands: yes to no" in text
    assert "Minutes until automatic confirmation: 15 to nothing" in text


def test_a_copy_of_a_tournament_keeps_who_reports(table, olga):
    Tournament.objects.update(players_report=False, confirm_after=5)
    olga.post(f"/t/{table.round.tournament.slug}/again/")
    copy = Tournament.objects.latest("pk")
    assert (copy.players_report, copy.confirm_after) == (False, 5)


def test_erasing_a_person_takes_their_name_out_of_disputes(reported, east, olga):
    zoe = name(reported, 3)
    disputed(east, reported, reason=f"{zoe} held Draw Four", **THEIRS)
    entry = cast.entry(reported.round.tournament, zoe)
    olga.post(f"/t/{reported.round.tournament.slug}/players/{entry.public_id}/erase/", {"name": zoe, "sure": "on"})
    entry.player.refresh_from_db()
    assert entry.player.erased_at is not None
    assert Dispute.objects.get().reason == f"{entry.player.name} held Draw Four"
