"""The cut between two stages: who goes on is looked at, made, and taken back as long as nobody has seen it."""

from dataclasses import replace

import pytest
from django.db import transaction
from django.test import Client

from games.hands.repairs import undo_round
from games.models import Hand
from league.day.entrants import drop_out, enter_late
from league.lib.errors import Conflict, Refused
from league.models import Adjustment, Round, Tournament
from league.public.tables import EXPORTS, Wanted
from league.rounds.cut import cut_now, undo_cut
from league.rounds.reseat import reseat_not_started
from league.rounds.steps import NextStep, NotYet, next_step, publish_round
from league.rounds.tables import swap_seats
from league.setup.amend import amend_rules
from league.setup.create import clone_tournament
from league.setup.stages.stage_plan import PlannedStage, set_stages
from league.standings import read as ledger
from tests import cast, pdf_text

pytestmark = pytest.mark.django_db


def made(players: int = 16, **then: object) -> Tournament:
    """Two groups of pairs over two rounds of a hand; the best six go on to heats, the others play a second ladder."""
    heats = PlannedStage("heats", **{"takes": 6, "others_play": True, "settings": {"hands_per_round": 1}} | then)
    return cast.tournament(players, rounds=2, hands_per_round=1, groups=2, then=[heats])


def press(tournament: Tournament) -> NextStep:
    cast.go_on(tournament)
    tournament.refresh_from_db()
    return next_step(tournament)


def play_round(played: Round) -> None:
    """All hands that are missing at each table: its number decides who goes out, and no two points are equal."""
    for table in played.tables.all():
        seats, filled = table.seats.count(), set(Hand.objects.filter(table=table).values_list("number", flat=True))
        for hand in set(range(1, (table.hands_wanted or 1) + 1)) - filled:
            cast.record(table, hand, table.number % seats, tuple(table.number + 11 * seat for seat in range(seats)))


def play_to(tournament: Tournament, kind: str) -> NextStep:
    step = next_step(tournament)
    while step.kind != kind:
        if step.kind == "close":
            play_round(step.round)
        step = press(tournament)
    return step


def names(tournament: Tournament, ids: list[str]) -> list[str]:
    called = dict(tournament.entries.values_list("public_id", "player__name"))
    return [called[entry] for entry in ids]


def test_groups_play_beside_each_other_and_are_ranked_by_themselves() -> None:
    tournament = made()
    press(tournament)
    members = tournament.stage.members
    groups = [set(members.filter(group=group).values_list("entry_id", flat=True)) for group in (1, 2)]
    assert [len(group) for group in groups] == [8, 8] and not groups[0] & groups[1]
    for played in tournament.rounds.all():
        for table in played.tables.all():
            seated = set(table.seats.values_list("entry_id", flat=True))
            assert any(seated <= group for group in groups)
    play_to(tournament, "cut")
    lines = ledger.read(tournament).standings()
    assert {line.group for line in lines} == {1, 2} and [line.rank for line in lines].count(1) == 2


def test_the_cut_is_a_step_that_draws_the_next_stage_for_those_who_go_on() -> None:
    tournament = made()
    step = play_to(tournament, "cut")
    assert step.token == "cut-2" and tournament.stage.number == 1
    now = cut_now(tournament, tournament.stages.get(number=2))
    assert press(tournament).token == "publish-3"
    heats = tournament.stage
    assert heats.number == 2 and heats.members.filter(ladder=1).count() == 6
    assert list(heats.members.values_list("entry__public_id", flat=True)) == [
        one.entry for one in (*now.cut.advancing, *now.cut.others)
    ]
    assert sorted(len(table.seats.all()) for table in tournament.rounds.get(number=3).tables.filter(ladder=1)) == [3, 3]
    assert tournament.rounds.get(number=3).tables.filter(ladder=2).count() == 3
    assert ledger.read(tournament).stage.number == 1  # nobody has seen it
    play_to(tournament, "finish")
    lines = ledger.read(tournament).standings()
    assert [line.rank for line in lines][:4] == [1, 2, 2, 2] and len(lines) == 16  # the others have no points
    assert {line.entrant.id for line in lines[:6]} == {one.entry for one in now.cut.advancing}


def test_who_leaves_before_the_cut_makes_room_for_the_next_and_a_draft_that_nobody_saw_is_drawn_again() -> None:
    tournament = made(others_play=False)
    play_to(tournament, "cut")
    stage = tournament.stages.get(number=2)
    before = cut_now(tournament, stage).cut
    first, reserve = before.advancing[0].entry, before.others[0].entry
    drop_out(tournament=tournament, entry=tournament.entries.get(public_id=first), by=None)
    assert press(tournament).token == "publish-3"
    assert set(stage.members.values_list("entry__public_id", flat=True)) == {
        *(one.entry for one in before.advancing[1:]), reserve,
    }  # fmt: skip
    gone = stage.members.first().entry
    drop_out(tournament=tournament, entry=gone, by=None)
    step = next_step(tournament)
    assert step.token == "cut-2"
    assert press(tournament).token == "publish-3" and not stage.members.filter(entry=gone).exists()
    assert stage.members.count() == 6


def test_who_did_not_go_on_keeps_their_place_behind_those_who_did() -> None:
    tournament = made(others_play=False)
    play_to(tournament, "cut")
    stage = tournament.stages.get(number=2)
    others = [one.entry for one in cut_now(tournament, stage).cut.others]
    press(tournament)
    press(tournament)
    rows = list(EXPORTS["standings"].rows(tournament, Wanted()))
    behind = rows[6:]
    assert behind[0]["player_id"] == others[0] and {row["player_id"] for row in behind} == set(others)
    assert [row["rank"] for row in behind] == sorted(row["rank"] for row in behind) and behind[0]["rank"] == 7
    assert {row["stage"] for row in behind} == {1} and {row["stage"] for row in rows[:6]} == {2}
    assert {row["status"] for row in rows[6:]} == {"out"} and {row["status"] for row in rows[:6]} == {"active"}
    with pytest.raises(Conflict, match="did not qualify"):
        drop_out(tournament=tournament, entry=tournament.entries.get(public_id=others[0]), by=None)
    with pytest.raises(Refused, match="late entries aren’t possible"):
        enter_late(tournament=tournament, name="Ingrid", by=None)
    rows = list(EXPORTS["standings"].rows(tournament, Wanted(stage=1)))
    assert {row["group"] for row in rows} == {"A", "B"} and len(rows) == 16


def finals(players: int = 16, takes: int = 16, number: int = 2) -> Tournament:
    """Two groups of pairs over two rounds of a hand; then a points race in finals beside each other."""
    rules = {"rounds": 1, "hands_per_round": 1}
    stage = PlannedStage("points", takes, groups=number, by_place=True, settings=rules)
    return cast.tournament(players, rounds=2, hands_per_round=1, groups=2, then=[stage])


def test_the_best_play_in_final_a_and_those_behind_them_in_b() -> None:
    tournament = finals()
    play_to(tournament, "cut")
    order = [line.entrant.id for line in ledger.read(tournament).standings()]
    assert press(tournament).token == "publish-3"
    members = tournament.stage.members
    assert list(members.filter(group=1).values_list("entry__public_id", flat=True)) == order[:8]
    assert set(members.filter(group=2).values_list("entry__public_id", flat=True)) == set(order[8:])
    drawn = tournament.rounds.get(number=3)
    for table in drawn.tables.all():
        assert len({one in order[:8] for one in table.seats.values_list("entry__public_id", flat=True)}) == 1
    press(tournament)
    assert play_to(tournament, "finish").kind == "finish"
    press(tournament)
    lines = ledger.read(tournament).standings()
    assert [line.group for line in lines] == [1] * 8 + [2] * 8
    assert min(line.rank for line in lines if line.group == 2) == 9
    assert max(line.total for line in lines if line.group == 2) > min(line.total for line in lines if line.group == 1)


def test_of_fifteen_the_first_final_has_one_more_and_who_is_behind_all_stays() -> None:
    tournament = finals(players=18, takes=15)
    play_to(tournament, "cut")
    press(tournament)
    assert [tournament.stage.members.filter(group=group).count() for group in (1, 2)] == [8, 7]
    press(tournament)
    assert [line.stage for line in ledger.read(tournament).standings()] == [0] * 15 + [1] * 3


def test_what_finals_cannot_be_is_refused_with_what_is_possible() -> None:
    def refused(*then: PlannedStage, players: int = 16) -> str:
        with pytest.raises(Refused) as caught:
            cast.tournament(players, rounds=2, then=list(then))
        return str(caught.value)

    two = PlannedStage("points", 16, groups=2, by_place=True)
    assert refused(two, PlannedStage("heats", 6)) == "No stage can follow parallel finals."
    assert refused(replace(two, takes=None)) == "Choose how many players the finals take in total."
    assert refused(replace(two, takes=17)) == "17 of 16 players can’t advance. Choose fewer."
    assert refused(replace(two, groups=1)) == "Choose at least two parallel finals."
    assert refused(PlannedStage("heats", 12, groups=2, by_place=True)).startswith("Heats and a final can’t be")


def test_points_are_carried_by_the_share_that_was_said() -> None:
    points = {"others_play": False, "carries": 50, "settings": {"rounds": 1, "hands_per_round": 1}}
    tournament = cast.tournament(8, rounds=2, hands_per_round=1, then=[PlannedStage("points", takes=4, **points)])
    play_to(tournament, "cut")
    totals = {line.entrant.id: line.total for line in ledger.read(tournament).standings()}
    press(tournament)
    assert not Adjustment.objects.exists()
    press(tournament)
    lines = [line for line in ledger.read(tournament).standings() if not line.stage]
    assert {line.entrant.id: line.total for line in lines} == {
        line.entrant.id: totals[line.entrant.id] // 2 for line in lines
    }
    undo_round(tournament=tournament, round_number=3, reason="Too early", by=None)
    tournament.refresh_from_db()
    assert not Adjustment.objects.filter(voided_at=None).exists()
    assert next_step(tournament).token == "cut-2" and tournament.stage.number == 1


def test_a_cut_is_taken_back_until_its_first_round_is_published() -> None:
    tournament = made()
    play_to(tournament, "cut")
    press(tournament)
    undo_cut(tournament=tournament, by=tournament.owner)
    tournament.refresh_from_db()
    assert next_step(tournament).token == "cut-2" and not tournament.rounds.filter(state="draft").exists()
    press(tournament)
    press(tournament)
    with pytest.raises(Conflict, match="Undo it first"):
        undo_cut(tournament=tournament, by=tournament.owner)


def test_what_cannot_follow_is_refused_with_what_is_possible() -> None:
    def refused(groups: int = 1, players: int = 16, **then: object) -> str:
        with pytest.raises(Refused) as caught:
            cast.tournament(players, groups=groups, then=[PlannedStage(**{"format": "heats"} | then)] if then else [])
        assert not Tournament.objects.exists()
        return str(caught.value)

    assert refused(groups=2) == "Groups have no overall winner. Add a stage after them."
    assert refused(groups=2, takes=None) == "Choose how many players advance from the groups."
    assert refused(groups=6, takes=6).startswith("16 players in 6 groups make a group of 3. Individual pairs need")
    assert refused(takes=16) == "16 of 16 players can’t advance. Choose fewer."
    assert refused(takes=2) == "Heats and a final needs 6 to 1000 players, not 2."
    assert refused(format="points", takes=4, others_play=True).startswith("Only heats can have a second ladder")
    assert refused(takes=15, others_play=True) == "A second ladder needs at least two players."
    assert (
        refused(takes=8, carries=50)
        == "Points from “Individual pairs” can’t be carried over to “Heats and a final”. Choose none."
    )
    assert refused(format="points", takes=8, carries=30) == "Choose 0, 50 or 100 percent of the points to carry over."
    assert refused(format="teams", takes=8).startswith("All stages must be for players")


def test_the_way_can_change_until_the_cut() -> None:
    tournament = made()
    play_to(tournament, "cut")
    way = [PlannedStage("points", takes=4, settings={"rounds": 1}), PlannedStage("challenge", takes=3)]
    set_stages(tournament=tournament, then=way, by=tournament.owner)
    assert press(tournament).token == "publish-3" and tournament.stage.format == "points"
    set_stages(tournament=tournament, then=[], by=tournament.owner)
    assert tournament.stages.count() == 2
    assert tournament.log.filter(action="set-stages").count() == 2


def test_a_round_whose_time_has_come_waits_where_others_would_go_on_by_now() -> None:
    tournament = made(others_play=False)
    play_to(tournament, "cut")
    press(tournament)
    drafted = tournament.rounds.get(number=3)
    drop_out(tournament=tournament, entry=tournament.stage.members.first().entry, by=None)
    with transaction.atomic(), pytest.raises(NotYet, match="Results changed since the cut"):
        publish_round(tournament=tournament, played=drafted)
    press(tournament)
    with transaction.atomic():
        publish_round(tournament=tournament, played=tournament.rounds.living().get(number=3))
    assert tournament.rounds.living().get(number=3).is_open


def test_who_comes_late_joins_the_smallest_group_and_sits_with_it() -> None:
    points = {"format": "points", "rounds": 2, "hands_per_round": 1}
    tournament = cast.tournament(9, groups=2, then=[PlannedStage("heats", takes=6)], **points)
    press(tournament)
    press(tournament)
    late = enter_late(tournament=tournament, name="Ingrid", by=None).entry
    assert late.stages.get().group == 2
    play_round(tournament.rounds.get(number=1))
    press(tournament)
    table = late.seats.get(round__number=2).table
    assert set(table.seats.values_list("entry__stages__group", flat=True)) == {2}
    with pytest.raises(Refused, match="Each group has its own draw"):
        reseat_not_started(tournament=tournament, by=None, reason="x")


def test_a_stand_in_takes_a_place_in_the_group_and_who_comes_late_takes_over_both() -> None:
    tournament = made()
    press(tournament)
    press(tournament)
    gone = tournament.stage.members.filter(group=2).first().entry
    drop_out(tournament=tournament, entry=gone, by=None)
    stand_in = tournament.entries.get(status="standin")
    assert stand_in.stages.get().group == 2
    late = enter_late(tournament=tournament, name="Ingrid", by=None).entry
    assert late.stages.get().group == 2 and not tournament.entries.filter(status="standin").exists()
    play_to(tournament, "cut")
    assert "Ingrid" in [line.entrant.name for line in ledger.read(tournament).standings() if line.group == 2]


def test_more_rounds_of_groups_are_drawn_each_for_itself() -> None:
    tournament = made()
    press(tournament)
    press(tournament)
    amend_rules(tournament=tournament, rounds=4, reason="It goes well", by=tournament.owner)
    groups = [set(tournament.stage.members.filter(group=group).values_list("entry", flat=True)) for group in (1, 2)]
    for played in tournament.rounds.filter(number__gt=2):
        for table in played.tables.all():
            seated = set(table.seats.values_list("entry", flat=True))
            assert any(seated <= group for group in groups)
    assert tournament.rounds.count() == 4


def test_a_copy_has_the_whole_way() -> None:
    tournament = made()
    play_to(tournament, "finish")
    copy = clone_tournament(tournament=tournament, by=tournament.owner)
    assert [(stage.format, stage.groups, stage.takes, stage.others_play) for stage in copy.stages.all()] == [
        ("pairs", 2, None, False), ("heats", 1, 6, True),
    ]  # fmt: skip


def test_seats_are_swapped_in_a_group_and_not_between_two() -> None:
    tournament = made()
    press(tournament)
    seats = tournament.rounds.get(number=1).seats
    group = {member.entry_id: member.group for member in tournament.stage.members.all()}
    first = seats.first()
    assert first is not None
    other = next(seat for seat in seats.all() if group[seat.entry_id] != group[first.entry_id])
    with pytest.raises(Refused, match="They are in different groups"):
        swap_seats(tournament=tournament, round_number=1, one=first.entry, other=other.entry, reason="Chairs", by=None)
    same = seats.exclude(table=first.table).filter(
        entry_id__in=[one for one in group if group[one] == group[first.entry_id]]
    )
    swap_seats(tournament=tournament, round_number=1, one=first.entry, other=same[0].entry, reason="Chairs", by=None)


def test_the_crosstable_is_printed_after_a_cut_where_somebody_stood_in_before() -> None:
    tournament = made(others_play=False)
    press(tournament)
    press(tournament)
    drop_out(tournament=tournament, entry=tournament.entries.first(), by=tournament.owner)
    assert tournament.entries.filter(status="standin").exists()
    play_to(tournament, "cut")
    press(tournament)
    press(tournament)
    answer = Client().get(f"/t/{tournament.slug}/prints/crosstable.pdf")
    assert answer.status_code == 200 and "Results by player" in pdf_text.text(answer.content)
