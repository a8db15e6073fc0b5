"""Heats when people leave and come again, rules change, and another stage follows."""

import re

import pytest
from django.test import Client

from games.hands.repairs import undo_round
from games.online.play.settings import put_online
from league.day.entrants import come_back, drop_out
from league.entries.check_in import replace_no_show
from league.entries.list_order import remove_entry
from league.lib.errors import Conflict, Refused
from league.log.audit import verify
from league.models import Adjustment, Stage, Tournament
from league.rounds.adjustments import adjust, void_adjustment
from league.rounds.extra_hand import level_at_the_cut, win_extra_hand
from league.rounds.seeding import BY_RATING
from league.rounds.steps import next_step, start
from league.rounds.tables import swap_seats
from league.setup.amend import amend_rules
from league.setup.stages.stage_plan import PlannedStage
from league.standings import read as ledger
from league.standings.progression_in_words import cut_in_words
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def made() -> Tournament:
    """Eight in two heats, of which seat 0 has won both hands and seat 1 one; the final is drawn."""
    made = cast.tournament(8, format="heats", hands_per_round=3)
    start(tournament=made, by=made.owner)
    play(made, 1)
    return made


def play(made, number):
    for table in made.rounds.living().get(number=number).tables.all():
        for hand, out in enumerate((0, 0, 1), 1):
            cast.record(table, hand, out, points=(5,) * 4)
    cast.go_on(made)


def rank_of(made, entry, *of):
    [line] = [line for line in ledger.read(made).standings(*of) if line.entrant.id == entry.public_id]
    return line.rank


def winner(made):
    return cast.table(made, 2, 1).seats.get(number=0).entry


def test_who_leaves_after_the_final_keeps_the_first_place(made):
    cast.go_on(made)
    play(made, 2)
    drop_out(tournament=made, entry=winner(made), by=made.owner)
    assert rank_of(made, winner(made)) == 1 and ledger.read(made).progression.state.winner == winner(made).public_id


def test_and_keeps_it_where_they_leave_in_a_stage_that_follows(made):
    cast.go_on(made)
    play(made, 2)
    first = winner(made)
    Stage.objects.create(tournament=made, number=2, format="points", settings={"hands_per_round": 1, "rounds": 1})
    cast.go_on(made)
    cast.go_on(made)
    drop_out(tournament=made, entry=first, by=made.owner)
    book = ledger.read(made, stage=made.stages.get(number=1))
    assert book.progression.state.winner == first.public_id


def test_the_standings_after_round_1_say_who_went_on_whatever_comes_later(made):
    cast.go_on(made)
    first = winner(made)
    before = rank_of(made, first, 1)
    drop_out(tournament=made, entry=first, by=made.owner)
    assert rank_of(made, first, 1) == before
    assert ledger.read(made).progression.state_at(1).lines[first.public_id].through


def test_points_beside_the_hands_need_a_round_with_a_seat(made):
    cast.go_on(made)
    out = made.entries.exclude(seats__round__number=2).first()
    for who, number in ((out, None), (out, 2)):
        with pytest.raises(Refused, match="Choose a round in which"):
            adjust(tournament=made, entry=who, points=-5, reason="Late", round_number=number, by=made.owner)
    assert not Adjustment.objects.exists()
    adjust(tournament=made, entry=out, points=-5, reason="Late", round_number=1, by=made.owner)


def test_nobody_comes_back_to_no_seat(made):
    first = cast.table(made, 1, 1).seats.get(number=0).entry
    drop_out(tournament=made, entry=first, by=made.owner)
    come_back(tournament=made, entry=first, by=made.owner)
    assert first.public_id in ledger.read(made).progression.state.still_in
    drop_out(tournament=made, entry=first, by=made.owner)
    cast.go_on(made)
    with pytest.raises(Conflict, match="can’t return: results decide who advances"):
        come_back(tournament=made, entry=first, by=made.owner)
    first.refresh_from_db()
    assert first.status == "dropped"


def test_another_size_of_tables_changes_no_cut_that_was_played():
    made = cast.tournament(8, format="heats", hands_per_round=3)
    start(tournament=made, by=made.owner)
    play(made, 1)
    amend_rules(tournament=made, by=made.owner, reason="Chairs", hands_per_round=3, table_size=10)
    assert len(ledger.read(made).progression.state.still_in) == 4


def test_the_card_of_a_stand_in_says_nothing_of_heats():
    made = cast.play(cast.tournament(8, hands_per_round=1, rounds=2), rounds=1)
    drop_out(tournament=made, entry=made.entries.first(), stand_in="Gül", by=made.owner)
    cast.play_round(made.rounds.get(number=2))
    Stage.objects.create(tournament=made, number=2, format="heats", settings={"hands_per_round": 1, "table_size": 4})
    cast.go_on(made)
    cast.go_on(made)
    stand_in = made.entries.get(player__name="Gül")
    assert Client().get(f"/t/{made.slug}/players/{stand_in.public_id}/").status_code == 200


@pytest.fixture
def level():
    return level_heats()


def level_heats(players=8, **more):
    """Heats in each of which seat 0 has won all hands: the lot says who of the others comes second."""
    made = cast.tournament(players, format="heats", hands_per_round=1, **more)
    start(tournament=made, by=made.owner)
    for table in made.rounds.get(number=1).tables.all():
        cast.record(table, 1, 0, points=(5,) * 4)
    cast.go_on(made)
    return cast.again(made)


def in_the_final(made):
    return set(made.rounds.living().get(number=2).seats.values_list("entry__player__name", flat=True))


def not_in_it(made):
    first = made.rounds.get(number=1).seats.exclude(entry__player__name__in=in_the_final(made)).order_by("pk")
    return first.first().entry


def test_one_more_hand_among_those_who_are_level_decides_instead_of_the_lot(level):
    olga = Client()
    olga.force_login(level.owner)
    page = olga.get(f"/t/{level.slug}/").content.decode()
    assert (
        "tie-break decided" in page
        and len(re.findall(r'name="player" value="\w+">\s*[^<]+ won\s*</button>', page)) == 6
    )
    who, before = not_in_it(level), in_the_final(level)
    shown = olga.post(f"/t/{level.slug}/extra-hand/", {"player": who.public_id})
    assert f"{who} won an extra hand" in shown.content.decode() and in_the_final(level) == before
    olga.post(f"/t/{level.slug}/extra-hand/", {"player": who.public_id, "shown": shown.context["moves"].digest})
    assert str(who) in in_the_final(level) and len(in_the_final(level) - before) == 1
    [won] = Adjustment.objects.all()
    assert (won.points, won.reason, won.round.number) == (1, "Won an extra hand", 1)
    line = ledger.read(level).progression.state.lines[who.public_id]
    assert line.through and not line.by_lot
    with pytest.raises(Conflict, match="no longer tied"):
        win_extra_hand(tournament=level, entry=who, by=level.owner)


def test_it_moves_nobody_who_is_not_level_and_comes_before_the_next_round(level):
    table = not_in_it(level).seats.get(round__number=1).table
    ahead = table.seats.get(number=0).entry
    adjust(
        tournament=level, entry=ahead, points=-14, reason="Late", round_number=1, by=level.owner
    )  # one point is left
    who = next(seat.entry for seat in table.seats.all() if str(seat.entry) not in in_the_final(level))
    win_extra_hand(tournament=level, entry=who, by=level.owner)  # level in points, and behind by hands won
    assert {str(ahead), str(who)} <= in_the_final(level)
    cast.go_on(level)
    other = next(seat.entry for seat in table.seats.all() if str(seat.entry) not in in_the_final(level))
    with pytest.raises(Conflict, match="is no longer tied"):
        win_extra_hand(tournament=level, entry=other, by=level.owner)


def test_where_the_lowest_total_wins_it_is_a_point_less():
    made = level_heats(scoring="lowest-total")
    win_extra_hand(tournament=made, entry=(who := not_in_it(made)), by=made.owner)
    assert Adjustment.objects.get().points == -1 and str(who) in in_the_final(made)
    assert verify(made).faults == []


def test_points_that_look_alike_are_taken_back_as_what_they_are():
    made = level_heats(scoring="lowest-total")
    who = not_in_it(made)
    for seat in who.seats.get(round__number=1).table.seats.select_related("entry"):  # so they are level as before
        adjust(tournament=made, entry=seat.entry, points=-1, reason="Miscounted", round_number=1, by=made.owner)
    won = win_extra_hand(tournament=made, entry=not_in_it(made), by=made.owner)
    assert won.points == -1 and verify(made).faults == []
    void_adjustment(tournament=made, adjustment_id=won.pk, by=made.owner)
    assert verify(made).faults == []


def test_an_extra_hand_goes_with_its_round(level):
    won = win_extra_hand(tournament=level, entry=not_in_it(level), by=level.owner)
    undo_round(tournament=level, round_number=1, reason="Wrong decks", by=level.owner)
    won.refresh_from_db()
    assert won.voided_at is not None and verify(level).faults == []


def test_a_table_that_was_switched_stays_so_when_its_draft_is_drawn_anew():
    made = level_heats(16)
    put_online(tournament=made, round_number=2, online=[2], paper=[], by=made.owner)
    win_extra_hand(tournament=made, entry=not_in_it(made), by=made.owner)
    modes = made.rounds.get(number=2).tables.order_by("number").values_list("mode", flat=True)
    assert list(modes) == ["offline", "online"]


def test_the_lots_of_the_second_ladder_are_told_and_parted_when_the_first_is_over():
    heats = PlannedStage("heats", 6, others_play=True, settings={"hands_per_round": 1})
    made = cast.tournament(26, format="points", hands_per_round=1, rounds=1, then=[heats])
    start(tournament=made, by=made.owner)
    made = cast.again(made)
    while (step := next_step(made)).token != "publish-4":
        for table in step.round.tables.all() if step.kind == "close" else ():
            cast.record(table, 1, 0, points=(5,) * table.seats.count())
        made = cast.again(cast.go_on(made))
    book = ledger.read(made)
    state = book.progression.state
    assert state.final == 3, "of the first ladder"
    in_words = cut_in_words(state, book.names)
    assert "Second ladder:" in in_words[0] and "tie-break decided" in in_words[1]
    level = level_at_the_cut(book.stage, state)
    assert level and all(state.lines[entry].second for entry in level)


def test_who_left_is_level_with_nobody_and_no_reserve(made):
    first = cast.table(made, 1, 1).seats.get(number=0).entry
    assert level_at_the_cut(made.stage, ledger.read(made).progression.state) == []
    drop_out(tournament=made, entry=first, by=made.owner)
    state = ledger.read(made).progression.state
    assert first.public_id not in level_at_the_cut(made.stage, state)
    assert not any(line.by_lot for line in state.lines.values() if line.place == 1)


def with_byes(players, **more):
    made = cast.tournament(players, format="heats", byes=1, hands_per_round=1, **more)
    start(tournament=made, by=made.owner)
    return cast.again(made)


def sits_out(made):
    return [seat.entry for seat in made.rounds.living().get(number=1).seats.filter(table=None)]


def test_after_a_hand_nobody_gets_the_free_round_of_who_sits_out():
    made = with_byes(11)
    [free] = sits_out(made)
    table = cast.table(made, 1, 1)
    other = table.seats.get(number=1).entry
    swap_seats(tournament=made, round_number=1, one=free, other=other, reason="Asked", by=made.owner)
    assert sits_out(made) == [other]
    cast.record(table, 1, 0, points=(5,) * 4)
    with pytest.raises(Refused):
        swap_seats(tournament=made, round_number=1, one=free, other=other, reason="Asked", by=made.owner)


def test_who_sat_out_a_closed_round_is_not_replaced():
    made = with_byes(11)
    [free] = sits_out(made)
    for table in made.rounds.get(number=1).tables.all():
        cast.record(table, 1, 0, points=(5,) * table.seats.count())
    cast.go_on(made)
    with pytest.raises(Conflict, match="was in a closed round, so they keep the place"):
        replace_no_show(entry=free, name="Late Guest", by=made.owner)


def test_by_rating_the_strongest_sit_out_and_each_table_has_one_of_each_pot():
    made = cast.tournament(10, format="heats", byes=1, hands_per_round=1)
    Stage.objects.filter(tournament=made).update(order_seed=BY_RATING)  # without ratings the order of the list
    start(tournament=cast.again(made), by=made.owner)
    numbers = {entry.pk: entry.number for entry in made.entries.all()}
    assert [numbers[entry.pk] for entry in sits_out(made)] == [1]
    for table in made.rounds.get(number=1).tables.all():
        assert sorted((numbers[seat.entry_id] - 2) // 3 for seat in table.seats.all()) == [0, 1, 2]


def test_with_rounds_given_nobody_goes_on_by_luck_however_many_come():
    made = cast.tournament(20, format="heats", byes=1, rounds=6, hands_per_round=1)
    remove_entry(tournament=made, entry=cast.entry(made, "Zoë"), by=made.owner)
    start(tournament=made, by=made.owner)
    rung = ledger.read(made).progression.state.rungs[0]
    assert rung.lucky == 0 and rung.byes == len(sits_out(made))
