"""Knockouts with everything that happens: level duels, people who leave and come again, results that were wrong."""

from dataclasses import replace
from itertools import combinations

import pytest

from engine.paper import SeatReport
from games.hands.judge import HandInput
from games.hands.record import HandRefused, record_hand
from games.hands.repair_preview import diff_of, save
from games.hands.repairs import KEEP, RESEAT, UNDO, Correction, undo_round
from games.models import Hand
from league.access.viewer import Attribution
from league.day.entrants import come_back, drop_out, enter_late
from league.day.people import leaving_a_duel
from league.day.wishes import keep_apart
from league.formats.seating.slots import level_where, slot_of
from league.ledger.entered import seeds_in
from league.ledger.progress import COMPLETE, PLAYING, table_now
from league.lib.errors import Conflict, Refused
from league.models import Tournament
from league.public.tables import EXPORTS, Wanted
from league.rounds.adjustments import adjust, void_adjustment
from league.rounds.draw import draw
from league.rounds.reseat import reseat_not_started
from league.rounds.steps import next_step, start
from league.rounds.tables import close_table, swap_seats
from league.setup.stages.stage_plan import PlannedStage
from league.standings import read as ledger
from league.standings.table_lines import lines_of
from tests import cast

pytestmark = pytest.mark.django_db

EVEN = (10, 10)


@pytest.fixture
def made() -> Tournament:
    """Six: Ana Lucía and Benoît sit out; Chidi meets Farah, Đorđe meets Émilie."""
    made = cast.tournament(6, format="knockout", hands_per_round=1)
    start(tournament=made, by=made.owner)
    return cast.again(made)


def play(made, number):
    """The first seat, which is the better seed's, wins every duel."""
    for table in made.rounds.living().get(number=number).tables.all():
        cast.record(table, 1, 0, EVEN)
    cast.go_on(made)


def seated(made, number):
    """{name: number of the table, None for a free round}"""
    seats = made.rounds.living().get(number=number).seats.all()
    return dict(seats.values_list("entry__player__name", "table__number"))


def places(made):
    return {line.entrant.name: line.rank for line in ledger.read(made).standings()}


def correction_of(table, seat):
    """As if somebody else had gone out in its first hand."""
    hand = Hand.objects.living().select_related("table__round__stage").get(table=table, number=1)
    reports = [SeatReport(other, points_left=10) for other in range(2) if other != seat]
    return hand.table, Correction(
        hand.pk,
        None,
        HandInput(hand.number, seat, reports),
        "Score slip",
        Attribution(hand.table.round.tournament.owner),
    )


def test_the_whole_way_of_six(made):
    assert seated(made, 1) == {"Ana Lucía": None, "Benoît": None, "Đorđe": 1, "Émilie": 1, "Chidi": 2, "Farah": 2}
    play(made, 1)
    assert next_step(made).token == "publish-2"  # the organiser looks first
    assert seated(made, 2) == {"Ana Lucía": 1, "Đorđe": 1, "Benoît": 2, "Chidi": 2}
    cast.go_on(made)
    play(made, 2)
    cast.go_on(made)
    assert seated(made, 3) == {"Ana Lucía": 1, "Benoît": 1, "Chidi": 2, "Đorđe": 2}
    play(made, 3)
    assert next_step(made).kind == "finish"
    assert places(made) == {"Ana Lucía": 1, "Benoît": 2, "Chidi": 3, "Đorđe": 4, "Émilie": 5, "Farah": 5}


def test_a_level_duel_is_played_on_until_it_is_not(made):
    table = cast.table(made, 1, 1)
    cast.record(table, 1, 0, (0, 0))
    assert table_now(table).state == PLAYING and table_now(table).hands_wanted is None
    cast.record(table, 2, 1, EVEN)
    table.refresh_from_db()
    assert table_now(table).state == COMPLETE and table.state == "confirmed"
    with pytest.raises((Conflict, HandRefused), match="already decided"):
        cast.record(table, 3, 0, EVEN)


def test_a_hand_after_the_one_that_decides_counts_for_nobody(made):
    table = cast.table(made, 1, 1)
    cast.record(table, 1, 0, (0, 0))
    cast.record(table, 2, 1, EVEN)
    _table, correction = correction_of(table, 0)
    correction.save(KEEP)
    assert table_now(table).state == COMPLETE
    cast.record(cast.table(made, 1, 2), 1, 0, EVEN)
    cast.go_on(made)
    assert "Đorđe" in seated(made, 2)


def test_a_level_duel_that_is_closed_goes_by_hands_won_then_by_lot(made):
    table = cast.table(made, 1, 1)
    cast.record(table, 1, 1, (0, 0))
    close_table(tournament=made, round_number=1, number=1, reason="The hall closes", by=made.owner)
    cast.record(cast.table(made, 1, 2), 1, 0, EVEN)
    cast.go_on(made)
    assert "Émilie" in seated(made, 2)


def test_a_game_to_a_target():
    made = cast.tournament(2, format="knockout", target=15)
    start(tournament=made, by=made.owner)
    table = cast.table(made, 1, 1)
    cast.record(table, 1, 0, EVEN)
    assert table_now(table).state == PLAYING
    cast.record(table, 2, 0, EVEN)
    cast.go_on(made)
    assert next_step(made).kind == "finish" and places(made) == {"Ana Lucía": 1, "Benoît": 2}


def test_who_leaves_during_a_duel_loses_it_and_may_return_until_the_next_round(made):
    who = cast.entry(made, "Đorđe")
    drop_out(tournament=made, entry=who, by=made.owner)
    assert table_now(cast.table(made, 1, 1)).state != PLAYING
    cast.record(cast.table(made, 1, 2), 1, 0, EVEN)
    cast.go_on(made)
    assert seated(made, 2)["Émilie"] == 1 and "Đorđe" not in seated(made, 2)
    with pytest.raises(Conflict, match="can’t return: results decide who advances"):
        come_back(tournament=made, entry=who, by=made.owner)


def test_who_has_won_a_duel_and_leaves_before_the_round_is_closed_has_won_it(made):
    for table in made.rounds.living().get(number=1).tables.all():
        cast.record(table, 1, 0, EVEN)
    drop_out(tournament=made, entry=cast.entry(made, "Đorđe"), by=made.owner)
    cast.go_on(made)
    assert seated(made, 2) == {"Ana Lucía": None, "Benoît": 1, "Chidi": 1}
    assert places(made)["Đorđe"] == 4 and places(made)["Émilie"] == 5


def test_who_has_won_the_final_and_leaves_has_won_it(made):
    play(made, 1)
    cast.go_on(made)
    play(made, 2)
    cast.go_on(made)
    for table in made.rounds.living().get(number=3).tables.all():
        cast.record(table, 1, 0, EVEN)
    drop_out(tournament=made, entry=cast.entry(made, "Ana Lucía"), by=made.owner)
    cast.go_on(made)
    assert places(made)["Ana Lucía"] == 1 and places(made)["Benoît"] == 2


def test_where_time_was_up_in_the_last_hand_those_before_decide():
    made = cast.tournament(2, format="knockout", hands_per_round=2)
    start(tournament=made, by=made.owner)
    table = cast.table(made, 1, 1)
    cast.record(table, 1, 0, EVEN)
    record_hand(table_id=table.pk, hand=HandInput(2, counts=False), by=Attribution(made.owner))
    table.refresh_from_db()
    assert table_now(table).state == COMPLETE


def test_for_who_leaves_before_the_next_round_the_other_one_has_a_free_round(made):
    play(made, 1)
    who = cast.entry(made, "Chidi")
    drop_out(tournament=made, entry=who, by=made.owner)
    assert seated(made, 2) == {"Ana Lucía": 1, "Đorđe": 1, "Benoît": None}
    come_back(tournament=made, entry=who, by=made.owner)
    assert seated(made, 2)["Chidi"] == 2
    drop_out(tournament=made, entry=who, by=made.owner)
    cast.go_on(made)
    play(made, 2)
    cast.go_on(made)
    assert seated(made, 3) == {"Ana Lucía": 1, "Benoît": 1}  # nobody is there to play for third place
    play(made, 3)
    assert places(made) == {"Ana Lucía": 1, "Benoît": 2, "Chidi": 3, "Đorđe": 3, "Émilie": 5, "Farah": 5}


def test_who_leaves_while_they_have_a_free_round_does_not_come(made):
    drop_out(tournament=made, entry=cast.entry(made, "Ana Lucía"), by=made.owner)
    play(made, 1)
    assert seated(made, 2) == {"Đorđe": None, "Benoît": 1, "Chidi": 1}


def test_a_slip_is_mended_before_the_next_round_is_published(made):
    play(made, 1)
    table, correction = correction_of(cast.table(made, 1, 1), 1)
    diff = diff_of(made, table, correction)
    assert [choice.repair for choice in diff.choices] == [KEEP] and "is drawn again" in diff.keeps.sentence
    save(made, correction, KEEP, diff.keeps.moves.digest)
    assert seated(made, 2)["Émilie"] == 1


def test_afterwards_one_sees_who_would_have_gone_on_and_keeps_or_undoes(made):
    play(made, 1)
    cast.go_on(made)
    table, correction = correction_of(cast.table(made, 1, 1), 1)
    diff = diff_of(made, table, correction)
    assert [choice.repair for choice in diff.choices] == [KEEP, UNDO]
    elsewhere = {person.player: (person.was, person.will) for person in diff.elsewhere}
    assert elsewhere == {"Đorđe": (1, None), "Émilie": (None, 1)}
    save(made, correction, KEEP, diff.keeps.moves.digest)
    assert "Đorđe" in seated(made, 2)
    lines = {line.entrant.name: line for line in ledger.read(made).standings()}
    assert lines["Émilie"].entrant.status == "out"
    with pytest.raises(Conflict, match="The results decide the seats"):
        correction_of(table, 0)[1].save(RESEAT)


def test_undoing_the_round_lets_the_right_one_in(made):
    play(made, 1)
    cast.go_on(made)
    table, correction = correction_of(cast.table(made, 1, 1), 1)
    undo = diff_of(made, table, correction).choices[1]
    save(made, correction, UNDO, undo.moves.digest)
    assert seated(made, 2)["Émilie"] == 1 and "Đorđe" not in seated(made, 2)


def test_undoing_the_first_round_keeps_the_seeds(made):
    before = seeds_in(made.stage)
    undo_round(tournament=made, round_number=1, reason="Wrong hall", by=made.owner)
    assert seeds_in(made.stage) == before and seated(made, 1)["Farah"] == 2


def test_who_leaves_before_a_free_round_does_not_have_it(made):
    play(made, 1)
    for name in ("Chidi", "Benoît"):
        drop_out(tournament=made, entry=cast.entry(made, name), by=made.owner)
    assert seated(made, 2) == {"Ana Lucía": 1, "Đorđe": 1}


def test_who_left_in_a_round_that_was_undone_has_left(made):
    play(made, 1)
    cast.go_on(made)
    drop_out(tournament=made, entry=cast.entry(made, "Chidi"), by=made.owner)
    undo_round(tournament=made, round_number=2, reason="Wrong hall", by=made.owner)
    assert seated(made, 2) == {"Ana Lucía": 1, "Đorđe": 1, "Benoît": None}


def test_a_penalty_may_turn_a_duel_that_is_decided_but_not_make_it_level(made):
    cast.record(cast.table(made, 1, 1), 1, 0, EVEN)
    of_round = {"tournament": made, "reason": "Late", "round_number": 1, "by": made.owner}
    with pytest.raises(Refused, match="would tie the duel"):
        adjust(entry=cast.entry(made, "Đorđe"), points=-10, **of_round)
    turned = adjust(entry=cast.entry(made, "Đorđe"), points=-11, **of_round)
    with pytest.raises(Refused, match="would tie the duel"):
        adjust(entry=cast.entry(made, "Đorđe"), points=1, **of_round)
    void_adjustment(tournament=made, adjustment_id=turned.pk, by=made.owner)
    adjust(entry=cast.entry(made, "Émilie"), points=11, **of_round)
    cast.record(cast.table(made, 1, 2), 1, 0, EVEN)
    cast.go_on(made)
    assert "Émilie" in seated(made, 2) and "Đorđe" not in seated(made, 2)


def test_while_a_duel_is_played_nobody_gets_points_beside_it(made):
    of_round = {"tournament": made, "reason": "Late", "round_number": 1, "by": made.owner}
    with pytest.raises(Refused, match="This duel is still running"):
        adjust(entry=cast.entry(made, "Đorđe"), points=-10, **of_round)
    close_table(tournament=made, round_number=1, number=1, reason="The hall closes", by=made.owner)
    adjust(entry=cast.entry(made, "Đorđe"), points=-10, **of_round)
    cast.record(cast.table(made, 1, 2), 1, 0, EVEN)
    cast.go_on(made)
    assert "Émilie" in seated(made, 2)


def test_a_correction_that_makes_a_closed_duel_level_says_what_decides_it(made):
    play(made, 1)
    cast.go_on(made)
    table = cast.table(made, 1, 1)
    hand = Hand.objects.living().get(table=table, number=1)
    correction = Correction(
        hand.pk, None, HandInput(hand.number, 1, [SeatReport(0, points_left=0)]), "Score slip", Attribution(made.owner)
    )
    diff = diff_of(made, table, correction)
    assert "The two are then tied. Hands won decide, then a random draw." in diff.keeps.sentence
    save(made, correction, KEEP, diff.keeps.moves.digest)
    assert cast.again(table).state == "confirmed"
    assert ledger.read(made).standings()[3].entrant.name == "Đorđe"  # who has the seat


def test_it_is_said_what_leaving_means(made):
    assert leaving_a_duel(cast.entry(made, "Đorđe")) == ["Đorđe loses the duel at table 1; Émilie advances."]
    has_a_free_round = "The next opponent of Benoît has a bye."
    assert leaving_a_duel(cast.entry(made, "Benoît")) == [has_a_free_round]
    play(made, 1)
    assert leaving_a_duel(cast.entry(made, "Benoît")) == [has_a_free_round]
    assert leaving_a_duel(cast.entry(made, "Émilie")) == []
    cast.go_on(made)
    play(made, 2)
    cast.go_on(made)
    play(made, 3)
    assert leaving_a_duel(cast.entry(made, "Ana Lucía")) == []


def test_an_overview_says_how_many_hands_a_duel_has_of_the_usual():
    made = cast.tournament(2, format="knockout", hands_per_round=2)
    start(tournament=made, by=made.owner)
    table = cast.table(made, 1, 1)
    shown = []
    for hand in (1, 2, 3):
        [line] = lines_of(table.round, ledger.read(made))
        shown.append((line.hands, line.wanted))
        cast.record(table, hand, 0, (0, 0))
    [line] = lines_of(table.round, ledger.read(made))
    assert [*shown, (line.hands, line.wanted)] == [(0, 2), (1, 2), (2, 2), (3, None)]


def test_nobody_changes_who_meets_whom_by_hand(made):
    one, other = cast.entry(made, "Chidi"), cast.entry(made, "Đorđe")
    with pytest.raises(Refused, match="Seeds and results decide"):
        swap_seats(tournament=made, round_number=1, one=one, other=other, reason="Friends", by=made.owner)
    with pytest.raises(Refused, match="Seeds and results decide"):
        reseat_not_started(tournament=made, by=made.owner, reason="Late")
    with pytest.raises(Refused, match="Results decide who advances"):
        enter_late(tournament=made, name="Gül", by=made.owner)


def test_two_who_must_not_meet_do_so_as_late_as_can_be():
    made = cast.tournament(8, format="knockout")
    draw(tournament=made, by=made.owner)
    one, other = cast.entry(made, "Ana Lucía"), cast.entry(made, "Zoë")
    assert seated(made, 1)["Ana Lucía"] == seated(made, 1)["Zoë"]
    keep_apart(tournament=made, entry=one, other=other, by=made.owner)
    slot = slot_of(seeds_in(made.stage))
    assert level_where(slot[one.public_id], slot[other.public_id]) == 3
    assert seated(made, 1)["Ana Lucía"] != seated(made, 1)["Zoë"]


def test_after_groups_the_cut_seeds_the_tree_and_groups_meet_late():
    cup = PlannedStage("knockout", takes=4, settings={"hands_per_round": 1})
    made = cast.tournament(8, format="points", hands_per_round=1, rounds=1, table_size=2, groups=2, then=[cup])
    start(tournament=made, by=made.owner)
    while next_step(made).kind != "cut":
        play(made, next_step(made).round.number) if next_step(made).kind == "close" else cast.go_on(made)
    cast.go_on(made)
    stage = made.stages.get(number=2)
    group = {member.entry.public_id: member.group for member in made.stages.get(number=1).members.all()}
    drawn = made.rounds.living().order_by("number").last()
    for table in drawn.tables.all():
        assert len({group[seat.entry.public_id] for seat in table.seats.all()}) == 2
    assert len(seeds_in(stage)) == 4
    stayed = made.entries.exclude(public_id__in=seeds_in(stage)).first()
    assert leaving_a_duel(stayed) == []
    leaves = drawn.seats.first().entry
    drop_out(tournament=made, entry=leaves, by=made.owner)
    assert next_step(made).kind == "cut"
    cast.go_on(made)
    assert leaves.public_id not in seeds_in(stage) and len(seeds_in(stage)) == 4
    cast.go_on(made)
    for _round in range(2):
        play(made, next_step(made).round.number)
        cast.go_on(made)
    assert made.is_final and sorted(places(made).values())[:4] == [1, 2, 3, 4]


def test_groups_do_not_play_it_and_nobody_plays_a_second_ladder_beside_it():
    with pytest.raises(Refused, match="Knockout can’t be played in groups"):
        cast.tournament(8, format="knockout", groups=2, then=[PlannedStage("points", takes=2)])
    with pytest.raises(Refused, match="Only heats can have a second ladder"):
        cast.tournament(8, rounds=1, groups=1, then=[PlannedStage("knockout", takes=4, others_play=True)])
    with pytest.raises(Refused, match="needs 2 to 256 players, not 1"):
        start(tournament=cast.tournament(1, format="knockout"), by=cast.organiser())


def test_every_export_can_be_read(made):
    play(made, 1)
    for export in EXPORTS.values():
        rows = list(export.rows(made, Wanted()))
        assert all(len(row) for row in rows)
    [line] = [row for row in EXPORTS["standings"].rows(made, Wanted()) if row["player"] == "Émilie"]
    assert (line["rank"], line["status"]) == (5, "out")


def test_two_from_one_club_meet_as_late_as_can_be_and_it_is_said(olga):
    clubs = ["Ludo", "Ludo", "Meeple", "Meeple", "Meeple ", "ludo", "", ""]
    rows = [replace(row, club=club) for row, club in zip(cast.people(8), clubs, strict=True)]
    made = cast.tournament(rows, format="knockout", hands_per_round=1)
    draw(tournament=made, by=made.owner)
    slot, ids = slot_of(seeds_in(made.stage)), [cast.entry(made, row.name).public_id for row in rows]
    assert list(seeds_in(made.stage))[:4] == ids[:4]  # the better half stays
    for one, other in combinations(range(8), 2):
        if clubs[one] and clubs[one].strip().lower() == clubs[other].strip().lower():
            assert level_where(slot[ids[one]], slot[ids[other]]) >= 2
    assert "Players of the same club meet as late as possible." in olga.get(f"/t/{made.slug}/").content.decode()


def test_where_all_come_from_one_club_nothing_changes():
    rows = [replace(row, club="Ludo") for row in cast.people(8)]
    made = cast.tournament(rows, format="knockout", hands_per_round=1)
    draw(tournament=made, by=made.owner)
    assert list(seeds_in(made.stage)) == [cast.entry(made, row.name).public_id for row in rows]
