"""Correcting an old result of a Challenge UNO: what it moves first, then one of three repairs."""

import re

import pytest
from django.test import Client

from engine.paper import SeatReport
from games.hands.disputes import decide_dispute, dispute_hand
from games.hands.judge import HandInput
from games.hands.repair_preview import diff_of
from games.hands.repairs import KEEP, RESEAT, UNDO, Correction, repair_hand
from games.models import Hand
from league.access.viewer import Attribution
from league.ledger.race import read_race
from league.lib.errors import Conflict, Refused
from league.log.in_words import in_words
from league.models import EntryEvent, LogEntry, Round, Seat, Table
from league.rounds.draw import draw_next
from league.rounds.steps import close_tournament, next_step, start
from league.setup.amend import amend_rules
from league.standings import read as ledger
from tests import cast
from tests.api import Program
from tests.games.pages import living, said, version

pytestmark = pytest.mark.django_db

WRONG, RIGHT = (0, 100, 20, 30), (0, 40, 20, 30)


def evening(first=WRONG, players=8):
    """Challenge UNO to 100 points, one hand a round: round 1 is closed, its first hand was `first`; round 2 is open."""
    made = cast.challenge(players, target=100, hands_per_round=1)
    start(tournament=made, by=made.owner)
    for table in made.rounds.get(number=1).tables.order_by("number"):
        cast.record(table, 1, points=first if table.number == 1 else (0, 10, 20, 30))
    return cast.go_on(made)


def sitting(made, number):
    """Names by table of the living round with this number, in the order of seats."""
    seats = Seat.objects.filter(round__in=made.rounds.living(), round__number=number).exclude(table=None)
    found = {}
    for seat in seats.select_related("table", "entry__player").order_by("table__number", "number"):
        found.setdefault(seat.table.number, []).append(seat.entry.player.name)
    return found


def playing(made, number):
    """The names of all who have a table in a round."""
    return {name for names in sitting(made, number).values() for name in names}


def start_all_tables(made):
    for number, names in sitting(made, 2).items():
        cast.record(cast.table(made, 2, number), 1, points=(0, 1, 2, 3)[: len(names)])


def first_hand(made):
    return Hand.objects.living().get(table=cast.table(made, 1, 1), number=1)


def put_out(made):
    """Who went out by the wrong result: the player at seat 1 of table 1."""
    return cast.table(made, 1, 1).seats.get(number=1).entry


def reports(points):
    return [SeatReport(seat, points_left=left) for seat, left in enumerate(points) if seat]


def repair(made, how, points=RIGHT, hand=None):
    return repair_hand(
        hand_id=(hand or first_hand(made)).pk,
        version=None,
        hand=HandInput((hand or first_hand(made)).number, 0, reports(points)),
        reason="Wild counted twice",
        repair=how,
        by=Attribution(made.owner),
    )


def line(made, entry):
    return next(one for one in ledger.read(made).standings() if one.entrant.id == entry.public_id)


@pytest.fixture(scope="module")
def once(module_world):
    return evening()


@pytest.fixture
def made(once):
    return cast.again(once)


@pytest.fixture(scope="module")
def first(once):
    """What the organiser is shown first: the page of a correction, of which nothing is saved yet."""
    olga = Client()
    olga.force_login(cast.organiser())
    return post(olga, once)


# The repairs.


def test_keeping_the_seating_moves_nobody_and_who_is_back_plays_from_the_next_round(made):
    out, before = put_out(made), sitting(made, 2)
    assert line(made, out).entrant.status == "out"
    repair(made, KEEP)
    assert sitting(made, 2) == before
    assert out.player.name not in playing(made, 2)
    assert line(made, out).entrant.status == "active"
    start_all_tables(made)
    cast.go_on(made)
    assert out.player.name in playing(made, 3)


def test_who_is_back_has_an_event_that_changes_nothing_in_the_race(made):
    out = put_out(made)
    repair(made, KEEP)
    event = EntryEvent.objects.get()
    assert (event.entry, event.kind, event.round.number) == (out, "reinstated", 2)
    assert event.reason == "Wild counted twice"
    with_it = read_race(made, made.stages.get()).state
    event.delete()
    assert read_race(made, made.stages.get()).state == with_it
    assert line(made, out).total == 40


def test_tables_without_a_hand_are_drawn_again_and_the_others_play_on(made):
    out, before = put_out(made), sitting(made, 2)
    cast.record(cast.table(made, 2, 1), 1, points=(0, 1, 2, 3))
    repair(made, RESEAT)
    now = sitting(made, 2)
    assert now[1] == before[1]
    assert sorted(now[2]) == sorted([*before[2], out.player.name])
    assert Hand.objects.living().filter(table__round__number=2).count() == 1


def test_an_undone_round_is_drawn_as_if_the_result_had_been_right_at_once(made):
    cast.record(cast.table(made, 2, 1), 1, points=(0, 1, 2, 3))
    repair(made, UNDO)
    draft = made.rounds.living().get(number=2)
    assert draft.state == Round.State.DRAFT
    assert sitting(made, 2) == sitting(evening(RIGHT), 2)
    assert not Hand.objects.living().filter(table__round__number=2, table__round__tournament=made).exists()


def test_who_is_out_by_a_correction_scores_no_more_with_what_was_played_since():
    made = evening(RIGHT)
    goes = cast.table(made, 1, 1).seats.get(number=2).entry
    seat = Seat.objects.select_related("table").get(entry=goes, round__number=2)
    cast.record(seat.table, 1, went_out=(seat.number + 1) % 4, points=(7, 7, 7, 7))
    assert line(made, goes).total == 27
    repair(made, KEEP, (0, 40, 120, 30))
    after = line(made, goes)
    assert (after.total, after.out_in_round, after.out_in_hand) == (120, 1, 1)
    assert not EntryEvent.objects.exists()
    assert len(living(seat.table)) == 1


def test_a_table_with_one_player_left_by_a_correction_is_over():
    made = evening((0, 10, 20), players=3)
    repair(made, KEEP, (0, 100, 100))
    assert cast.table(made, 2, 1).state == Table.State.CONFIRMED
    assert next_step(made).missing == ()


def test_a_round_that_nobody_has_seen_is_drawn_again_with_who_is_in(olga, made):
    start_all_tables(made)
    Round.objects.filter(tournament=made, number=2).update(state=Round.State.CLOSED)
    draw_next(made, made.stages.get(), made.owner)
    assert len(playing(made, 3)) == 7
    assert "The draft of round 3 is drawn again." in said(post(olga, made))
    assert len(playing(made, 3)) == 7
    repair(made, KEEP)
    assert put_out(made).player.name in playing(made, 3)
    assert made.rounds.get(number=3).state == Round.State.DRAFT


def test_the_log_says_which_repair_and_who_is_back(made):
    repair(made, UNDO)
    rows = list(LogEntry.objects.filter(tournament=made).order_by("-number")[:6])
    words = [in_words(row) for row in rows]
    assert "Round 1, table 1, hand 1: corrected, open round undone" in words
    assert f"Round 2: {put_out(made).player.name} reinstated with 40" in words
    assert {row.reason for row in rows if row.action in ("correct", "reinstate", "undo-round")} == {
        "Wild counted twice"
    }


def test_a_decided_dispute_reinstates_too():
    made = cast.challenge(target=100, hands_per_round=2)
    start(tournament=made, by=made.owner)
    table = cast.table(made, 1, 1)
    hand = cast.record(table, 1, points=WRONG).hand
    out = put_out(made)
    Table.objects.filter(pk=table.pk).update(state=Table.State.PLAYING)
    dispute = dispute_hand(
        hand_id=hand.pk, version=None, player=out, hand=HandInput(hand.number, 0, reports(RIGHT)), reason="No Wild"
    )
    decide_dispute(dispute_id=dispute.pk, version=None, taken=True, by=made.owner)
    assert EntryEvent.objects.get().entry == out


# What is refused.


def test_a_hand_that_was_like_this_already_repairs_nothing(made):
    before = sitting(made, 2)
    assert repair(made, UNDO, WRONG) == first_hand(made)
    assert sitting(made, 2) == before
    assert made.rounds.get(number=2).state == Round.State.PUBLISHED


def test_a_repair_that_there_is_not_is_refused(made):
    with pytest.raises(Refused, match="keep, reseat or undo"):
        repair(made, "magic")


@pytest.mark.parametrize("how", [RESEAT, UNDO])
def test_a_hand_of_the_open_round_has_no_seats_to_repair(how, made):
    hand = cast.record(cast.table(made, 2, 1), 1, points=(0, 1, 2, 3)).hand
    with pytest.raises(Conflict, match="No later round is open"):
        repair(made, how, (0, 2, 2, 3), hand)
    assert living(hand.table) == [hand]


def test_the_seats_of_pairs_do_not_hang_on_results():
    made = cast.play(cast.tournament(rounds=2), rounds=1)
    hand = Hand.objects.living().filter(table__round__tournament=made).first()
    with pytest.raises(Conflict, match="doesn’t affect the seating"):
        repair(made, UNDO, hand=hand)


def test_where_every_table_has_begun_none_is_drawn_again(made):
    start_all_tables(made)
    with pytest.raises(Conflict, match="Every table of round 2 has started"):
        repair(made, RESEAT)
    assert first_hand(made).seats[1]["points_left"] == 100


@pytest.mark.parametrize("how", [KEEP, RESEAT, UNDO])
def test_a_closed_tournament_is_reopened_first(how):
    made = evening((0, 100, 100, 100), players=4)
    close_tournament(tournament=made, by=made.owner)
    with pytest.raises(Conflict, match="Reopen the tournament"):
        repair(made, how)


# The pages.


def typed(made, points=RIGHT, **more):
    fields = {f"points_{seat}": str(left) for seat, left in enumerate(points) if seat}
    return {"version": version(cast.table(made, 1, 1)), "went_out": "0"} | fields | more


def post(olga, made, **fields):
    return olga.post(f"/hands/{first_hand(made).pk}/correct/", typed(made, **fields))


def shown(response):
    """The digests of the repairs that a page offers."""
    return dict(re.findall(r'name="(shown_\w+)" value="(\w+)"', response.content.decode()))


def test_a_closed_rounds_correction_shows_first_what_it_moves(first, made):
    name, hand = put_out(made).player.name, first_hand(made)
    assert first.status_code == 200
    text = said(first)
    assert f"With this result {name} is not eliminated." in text
    assert "Had no seat: eliminated" in text
    assert f"No seats change. {name} plays again from round 3." in text
    assert f"Tables 1 and 2 are drawn again with {name}." in text
    assert "Correct and re-seat 2 tables" in text
    assert "Round 2 becomes a draft and is drawn again." in text
    assert set(shown(first)) == {"shown_keep", "shown_reseat", "shown_undo"}
    assert living(hand.table) == [hand]
    assert not EntryEvent.objects.exists()


@pytest.mark.parametrize("how", [KEEP, RESEAT, UNDO])
def test_saving_gives_exactly_what_was_shown(olga, made, first, how):
    choice = next(one for one in first.context["diff"].choices if one.repair == how)
    before = sitting(made, 2)
    response = post(olga, made, repair=how, reason="Wild counted twice", **shown(first))
    assert (response.status_code, response["Location"]) == (303, f"/tables/{cast.table(made, 1, 1).pk}/")
    now = {line.entrant.name: (line.rank, line.total) for line in ledger.read(made).standings()}
    for one in choice.moves.moved:
        assert now[one.player] == (one.will.rank, one.will.total)
    where = {name: number for number, names in sitting(made, 2).items() for name in names}
    was = {name: number for number, names in before.items() for name in names}
    assert {name: where.get(name) for name in where | was if where.get(name) != was.get(name)} == {
        one.player: one.will for one in choice.moves.reseated if one.round == 2
    }
    assert "Hand 1 corrected" in said(olga.get(response["Location"]))


def test_a_table_that_has_started_meanwhile_shows_the_diff_anew_with_what_was_typed(olga, made, first):
    cast.record(cast.table(made, 2, 1), 1, points=(0, 1, 2, 3))
    response = post(olga, made, repair=RESEAT, reason="Wild counted twice", **shown(first))
    assert response.status_code == 409
    text = said(response)
    assert "Something has changed since." in text
    assert "Correct and re-seat 1 table" in text
    html = response.content.decode()
    assert 'name="points_1" value="40"' in html
    assert 'name="reason" maxlength="200" value="Wild counted twice"' in html
    assert 'value="reseat" checked' in html
    assert first_hand(made).seats[1]["points_left"] == 100
    assert post(olga, made, repair=RESEAT, reason="Wild counted twice", **shown(response)).status_code == 303


def test_a_repair_that_does_not_apply_any_more_is_said_and_the_others_are_offered(olga, made, first):
    start_all_tables(made)
    response = post(olga, made, repair=RESEAT, reason="Wild counted twice", **shown(first))
    assert response.status_code == 409
    assert "Every table of round 2 has started." in said(response)
    assert set(shown(response)) == {"shown_keep", "shown_undo"}
    assert first_hand(made).seats[1]["points_left"] == 100


def test_an_unknown_repair_saves_nothing(olga, made, first):
    response = post(olga, made, repair="magic", reason="x", **shown(first))
    assert response.status_code == 422
    assert "keep, reseat or undo" in said(response)
    assert first_hand(made).seats[1]["points_left"] == 100


def test_who_would_have_sat_elsewhere_is_who_did_where_the_result_was_right(made, first):
    diff = first.context["diff"]
    was = {name: number for number, names in sitting(made, 2).items() for name in names}
    right = {name: number for number, names in sitting(evening(RIGHT), 2).items() for name in names}
    assert {one.player: (one.was, one.will) for one in diff.elsewhere} == {
        name: (was.get(name), number) for name, number in right.items() if was.get(name) != number
    }
    why = {one.player: one.why for one in diff.elsewhere}
    assert all((why[name] == "Had no seat: eliminated") == (name not in was) for name in why)
    assert all(
        why[name] in (f"Table {was[name]} has not started", f"Table {was[name]} has played 1 hand")
        for name in why
        if name in was
    )
    assert [one.will for one in diff.elsewhere if one.was] == sorted(one.will for one in diff.elsewhere if one.was)


def test_a_round_after_the_winner_would_not_have_been_drawn(olga):
    made = evening((0, 10, 20), players=3)
    winner = cast.table(made, 1, 1).seats.get(number=0).entry
    response = post(olga, made, points=(0, 100, 100))
    assert f"None: {winner.player.name} would have won before round 2" in said(response)
    assert set(shown(response)) == {"shown_keep", "shown_undo"}
    fields = {"points": (0, 100, 100), "repair": UNDO, "reason": "Score slip"} | shown(response)
    assert post(olga, made, **fields).status_code == 303
    assert next_step(made).token == "finish"


def test_where_only_points_move_nobodys_seat_is_at_stake(olga, made):
    response = post(olga, made, points=(0, 100, 25, 30))
    text = said(response)
    assert "None: the draw would be the same." in text
    assert set(shown(response)) == {"shown_keep"}
    assert 'type="radio"' not in response.content.decode()
    response = post(olga, made, points=(0, 100, 25, 30), repair=KEEP, reason="Score slip", **shown(response))
    assert response.status_code == 303
    assert first_hand(made).seats[2]["points_left"] == 25


def test_rules_that_are_changed_while_the_correction_is_typed_count_in_what_it_moves(made):
    hand = Hand.objects.select_related("table__round__stage").get(pk=first_hand(made).pk)
    amend_rules(tournament=made, by=made.owner, reason="Shorter", hands_per_round=1, table_size=4, target=60)
    points = reports((0, 70, 20, 30))
    diff = diff_of(
        made,
        hand.table,
        Correction(hand.pk, None, HandInput(hand.number, 0, points), "Wild counted twice", Attribution(made.owner)),
    )
    assert [choice.repair for choice in diff.choices] == [KEEP]  # out with 100 or 70
    assert diff.back == diff.out == diff.elsewhere == ()


def test_a_correction_in_the_open_round_is_saved_at_once_unless_somebody_comes_in_or_goes_out(olga):
    made = cast.challenge(target=100, hands_per_round=2)
    start(tournament=made, by=made.owner)
    cast.record(cast.table(made, 1, 1), 1, points=WRONG)
    assert post(olga, made, points=(0, 100, 21, 30), reason="Score slip").status_code == 303
    response = post(olga, made, reason="Score slip")
    assert response.status_code == 200
    assert "is not eliminated" in said(response)
    assert set(shown(response)) == {"shown_keep"}
    assert post(olga, made, repair=KEEP, reason="Score slip", **shown(response)).status_code == 303
    assert line(made, put_out(made)).total == 40


def test_the_hand_as_it_was_says_that_nothing_was_changed(olga, made):
    response = post(olga, made, points=WRONG)
    assert response.status_code == 303
    assert "is unchanged" in said(olga.get(response["Location"]))


def test_one_goes_back_from_the_diff_to_the_hand_as_it_was_typed(olga, made):
    response = post(olga, made, look="1", repair=KEEP, reason="Score slip")
    assert response.status_code == 200
    html = response.content.decode()
    assert 'name="points_1" value="40"' in html
    assert "Preview" in html


def test_a_table_changed_under_the_diff_shows_the_hand_as_it_stands(olga, made, first):
    Table.objects.filter(pk=cast.table(made, 1, 1).pk).update(version=99)
    response = olga.post(
        f"/hands/{first_hand(made).pk}/correct/",
        typed(made) | {"version": "1", "repair": KEEP, "reason": "Score slip"} | shown(first),
    )
    assert response.status_code == 409
    assert "This table has changed since." in said(response)
    assert 'name="points_1" value="40"' in response.content.decode()


def test_a_program_corrects_and_chooses_the_repair(made):
    program = Program(made.owner)
    seats = [{"seat": seat, "points_left": left} for seat, left in enumerate(RIGHT) if seat]
    body = {"went_out": 0, "seats": seats, "reason": "Score slip"}
    url = f"/api/v1/hands/{first_hand(made).pk}/correct/"
    assert program.post(url, body | {"repair": "magic"}, status=400)["errors"][0]["field"] == "repair"
    program.post(url, body | {"repair": "undo"}, status=201)
    assert made.rounds.living().get(number=2).state == Round.State.DRAFT
    url = f"/api/v1/hands/{first_hand(made).pk}/correct/"
    seats[0]["points_left"] = 41
    assert program.post(url, body | {"repair": "reseat"}, status=409)["code"] == "repair"
    program.post(url, body, status=201)
    assert line(made, put_out(made)).total == 41


def test_who_is_back_is_told_on_the_scorecard_and_in_the_events(olga, made):
    out = put_out(made)
    repair(made, KEEP)
    assert "Reinstated round 2" in said(olga.get(f"/t/{made.slug}/players/{out.public_id}/"))
    assert (
        f"2,,{out.public_id},{out.player.name},reinstated," in olga.get(f"/t/{made.slug}/events.csv").content.decode()
    )
