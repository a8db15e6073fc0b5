"""A result of a heat that is corrected when the next round is out: who should have gone on, and what is done then."""

import pytest

from engine.paper import SeatReport
from games.hands.judge import HandInput
from games.hands.repair_preview import diff_of, save
from games.hands.repairs import KEEP, RESEAT, UNDO, Correction
from games.models import Hand
from league.access.viewer import Attribution
from league.ledger.progression import read_progression
from league.lib.errors import Conflict, Refused
from league.models import Tournament
from league.rounds.reseat import reseat_not_started
from league.rounds.steps import start
from league.standings import read as ledger
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def made() -> Tournament:
    """Eight in two heats of two hands, which the seats 0 and 1 have won; the best two of each play the final."""
    made = cast.tournament(8, format="heats", hands_per_round=2)
    start(tournament=made, by=made.owner)
    for table in made.rounds.get(number=1).tables.all():
        cast.record(table, 1, 0)
        cast.record(table, 2, 1)
    cast.go_on(made)
    return made


def player(made, seat):
    return cast.table(made, 1, 1).seats.get(number=seat).entry


def seated(made):
    return set(made.rounds.living().get(number=2).seats.values_list("entry__player__name", flat=True))


def second_hand_won_by(made, seat):
    """The second hand at table 1, as it should have been typed."""
    hand = Hand.objects.living().select_related("table__round__stage").get(table=cast.table(made, 1, 1), number=2)
    reports = [SeatReport(other, points_left=10) for other in range(4) if other != seat]
    return hand.table, Correction(
        hand.pk, None, HandInput(hand.number, seat, reports), "Score slip", Attribution(made.owner)
    )


def test_before_the_next_round_is_published_it_is_drawn_again(made):
    table, correction = second_hand_won_by(made, 2)
    assert player(made, 1).player.name in seated(made)
    diff = diff_of(made, table, correction)
    assert [choice.repair for choice in diff.choices] == [KEEP] and "is drawn again" in diff.keeps.sentence
    save(made, correction, KEEP, diff.keeps.moves.digest)
    assert player(made, 2).player.name in seated(made) and player(made, 1).player.name not in seated(made)


def test_afterwards_one_sees_who_would_have_gone_on_and_keeps_the_seats(made):
    cast.go_on(made)
    table, correction = second_hand_won_by(made, 2)
    final = seated(made)
    diff = diff_of(made, table, correction)
    assert [choice.repair for choice in diff.choices] == [KEEP, UNDO]
    elsewhere = {person.player: (person.was, person.will) for person in diff.elsewhere}
    assert elsewhere == {player(made, 1).player.name: (1, None), player(made, 2).player.name: (None, 1)}
    save(made, correction, KEEP, diff.keeps.moves.digest)
    assert seated(made) == final
    lines = {line.entrant.id: line for line in ledger.read(made).standings()}
    assert lines[player(made, 2).public_id].entrant.status == "out"


def test_when_more_was_played_it_is_said_who_would_have_gone_on_and_that_it_stands():
    """Twelve: the best two of each of three tables make two tables of three, of which the best two play the final."""
    made = cast.tournament(12, format="heats", hands_per_round=2, rounds=3)
    start(tournament=made, by=made.owner)
    for number in (1, 2):
        for table in made.rounds.get(number=number).tables.all():
            cast.record(table, 1, 0, points=(0, 10, 10, 10)[: table.seats.count()])
            cast.record(table, 2, 1, points=(10, 0, 10, 10)[: table.seats.count()])
        cast.go_on(made)
        cast.go_on(made)
    assert made.rounds.get(number=3).is_open
    table, correction = second_hand_won_by(made, 2)
    would, would_not = player(made, 2).player.name, player(made, 1).player.name
    diff = diff_of(made, table, correction)
    assert diff.goes_on == (f"With this result {would} would have advanced, not {would_not}. Round 2 is unchanged.")
    assert [choice.repair for choice in diff.choices] == [KEEP] and not (diff.alike or diff.elsewhere)
    save(made, correction, KEEP, diff.keeps.moves.digest)
    lines = read_progression(made, made.stage).state.lines
    assert not any(line.by_lot for line in lines.values()), (
        "seats stand by the result before: the lot has parted nobody"
    )
    assert diff_of(made, *second_hand_won_by(made, 1)).goes_on == "", (
        "back to how it was: nobody else would have gone on"
    )


def test_or_undoes_the_round_which_is_then_drawn_with_those_who_are_through(made):
    cast.go_on(made)
    cast.record(cast.table(made, 2, 1), 1)
    table, correction = second_hand_won_by(made, 2)
    diff = diff_of(made, table, correction)
    undo = diff.choices[1]
    would, would_not = player(made, 2).player.name, player(made, 1).player.name
    assert diff.goes_on == f"With this result {would} would have advanced, not {would_not}."
    assert not undo.tells, "all have other points when a round is undone in which they began at 0"
    assert "Its 1 hand is voided" in undo.sentence
    save(made, correction, UNDO, undo.moves.digest)
    drawn = made.rounds.living().get(number=2)
    assert drawn.state == "draft" and player(made, 2).player.name in seated(made)
    assert not Hand.objects.living().filter(table__round__number=2).exists()


def test_no_single_table_of_heats_is_drawn_again(made):
    cast.go_on(made)
    _table, correction = second_hand_won_by(made, 2)
    with pytest.raises(Conflict, match="The results decide the seats"):
        correction.save(RESEAT)
    assert not Hand.objects.filter(replaces__isnull=False).exists()


def test_tables_are_drawn_anew_only_in_the_first_round_where_the_lot_decides(made):
    with pytest.raises(Refused, match=r"The results decide the seats\. Swap two seats instead"):
        reseat_not_started(tournament=made, by=made.owner, reason="Chairs")
    other = cast.tournament(8, format="heats", name="Others")
    start(tournament=other, by=other.owner)
    reseat_not_started(tournament=other, by=other.owner, reason="Chairs")
    assert [table.seats.count() for table in other.rounds.get().tables.all()] == [4, 4]


def test_where_the_same_go_on_nobodys_seat_is_at_stake(made):
    cast.go_on(made)
    hand = Hand.objects.living().select_related("table__round__stage").get(table=cast.table(made, 1, 1), number=2)
    reports = [SeatReport(seat, points_left=20) for seat in (0, 2, 3)]  # the same winner, with more points
    diff = diff_of(
        made,
        hand.table,
        Correction(hand.pk, None, HandInput(hand.number, 1, reports), "Score slip", Attribution(made.owner)),
    )
    assert [choice.repair for choice in diff.choices] == [KEEP] and diff.elsewhere == ()


def test_who_would_have_waited_for_the_final_is_told_and_the_round_can_be_undone():
    """A repechage, after which a hand of round 1 turns out to have been won by another: nobody would have left, and two
    would have changed places between a table of round 2 and waiting."""
    made = cast.tournament(8, format="heats", hands_per_round=1, after_round_1=1)
    start(tournament=made, by=made.owner)
    for table in made.rounds.get(number=1).tables.all():
        cast.record(table, 1, 0)
    cast.go_on(made)
    cast.go_on(made)
    first, third = player(made, 0), player(made, 2)
    hand = Hand.objects.living().select_related("table__round__stage").get(table=cast.table(made, 1, 1))
    reports = [SeatReport(seat, points_left=10) for seat in (0, 1, 3)]
    correction = Correction(hand.pk, None, HandInput(hand.number, 2, reports), "Score slip", Attribution(made.owner))
    diff = diff_of(made, hand.table, correction)
    assert [choice.repair for choice in diff.choices] == [KEEP, UNDO] and diff.back == diff.out == ()
    elsewhere = {person.player: (person.was, person.will) for person in diff.elsewhere}
    assert elsewhere[first.player.name][0] is None and elsewhere[first.player.name][1] is not None
    assert elsewhere[third.player.name][0] is not None and elsewhere[third.player.name][1] is None
    save(made, correction, UNDO, diff.choices[1].moves.digest)
    waiting = made.rounds.living().get(number=2).seats.filter(table=None)
    assert third.pk in waiting.values_list("entry_id", flat=True)
    assert first.pk not in waiting.values_list("entry_id", flat=True)
