"""A knockout that forgives one loss, with what happens on an evening: second finals, people who leave, corrections."""

import pytest

from engine.paper import SeatReport
from games.hands.repair_preview import diff_of, save
from games.hands.repairs import KEEP, UNDO, Correction
from games.models import Hand
from league.day.entrants import drop_out
from league.models import Tournament
from league.public.tables import EXPORTS, Wanted
from league.rounds.steps import next_step, start
from league.standings import read as ledger
from tests import cast

pytestmark = pytest.mark.django_db

EVEN = (10, 10)


def made_of(players, losses=2) -> Tournament:
    made = cast.tournament(players, format="knockout", hands_per_round=1, losses=losses)
    start(tournament=made, by=made.owner)
    return cast.again(made)


@pytest.fixture
def made() -> Tournament:
    return made_of(4)


def sides(made, number):
    """{name: (number of the table, None for a free round; whether they have lost once)}"""
    seats = made.rounds.living().get(number=number).seats.all()
    return {
        name: (table, lost)
        for name, table, lost in seats.values_list("entry__player__name", "table__number", "has_lost")
    }


def play(made, number, *upsets):
    """The first seat wins at each table, but at those that are named, and the next round is published."""
    for table in made.rounds.living().get(number=number).tables.order_by("number"):
        cast.record(table, 1, int(table.number in upsets), EVEN)
    cast.go_on(made)
    if next_step(made).kind == "publish":
        cast.go_on(made)


def places(made):
    return {line.entrant.name: line.rank for line in ledger.read(made).standings()}


def correction_of(table, seat):
    hand = Hand.objects.living().select_related("table__round__stage").get(table=table, number=1)
    reports = [SeatReport(other, points_left=10) for other in range(2) if other != seat]
    return hand.table, Correction(hand.pk, None, seat, reports, "Slip", hand.table.round.tournament.owner)


def test_who_loses_once_plays_on_and_may_still_win(made):
    assert sides(made, 1) == {"Ana Lucía": (1, False), "Đorđe": (1, False), "Benoît": (2, False), "Chidi": (2, False)}
    play(made, 1, 1)  # Đorđe beats Ana Lucía
    assert sides(made, 2) == {"Benoît": (1, False), "Đorđe": (1, False), "Ana Lucía": (2, True), "Chidi": (2, True)}
    assert list(made.rounds.get(number=2).tables.order_by("number").values_list("ladder", flat=True)) == [1, 2]
    play(made, 2)
    assert sides(made, 3) == {"Benoît": (None, False), "Ana Lucía": (1, True), "Đorđe": (1, True)}
    play(made, 3)
    assert sides(made, 4) == {"Benoît": (1, False), "Ana Lucía": (1, True)}
    play(made, 4, 1)
    assert sides(made, 5) == {"Benoît": (1, True), "Ana Lucía": (1, True)}  # once more: it was the first loss of both
    play(made, 5)
    assert next_step(made).kind == "finish"
    assert places(made) == {"Ana Lucía": 1, "Benoît": 2, "Đorđe": 3, "Chidi": 4}
    rows = list(EXPORTS["standings"].rows(made, Wanted()))
    assert [row["rank"] for row in rows] == [1, 2, 3, 4]


def test_there_is_no_second_final_where_the_winners_side_wins_the_first_or_one_was_agreed_on(made):
    for number in (1, 2, 3, 4):
        play(made, number)
    assert next_step(made).kind == "finish" and places(made)["Ana Lucía"] == 1
    other = made_of(4, losses=3)
    for number in (1, 2, 3):
        play(other, number)
    play(other, 4, 1)
    assert next_step(other).kind == "finish"
    assert places(other) == {"Benoît": 1, "Ana Lucía": 2, "Chidi": 3, "Đorđe": 4}


def test_a_second_final_is_there_no_more_when_a_correction_makes_it_needless(made):
    for number in (1, 2, 3):
        play(made, number)
    for table in made.rounds.get(number=4).tables.all():
        cast.record(table, 1, 1, EVEN)
    cast.go_on(made)
    assert next_step(made).token == "publish-5"
    table, correction = correction_of(cast.table(made, 4, 1), 0)
    diff = diff_of(made, table, correction)
    assert "Round 5, which nobody has seen yet, is not needed any more." in diff.keeps.sentence
    save(made, correction, KEEP, diff.keeps.moves.digest)
    assert next_step(made).kind == "finish" and not made.rounds.living().filter(number=5).exists()
    assert places(made)["Ana Lucía"] == 1


def test_a_correction_of_a_round_that_is_over_keeps_who_sits_where_or_undoes(made):
    play(made, 1)
    table, correction = correction_of(cast.table(made, 1, 1), 1)
    diff = diff_of(made, table, correction)
    assert [choice.repair for choice in diff.choices] == [KEEP, UNDO]
    save(made, correction, KEEP, diff.keeps.moves.digest)
    assert sides(made, 2)["Ana Lucía"] == (1, False) and sides(made, 2)["Đorđe"] == (2, True)
    play(made, 2)
    assert sides(made, 3) == {"Ana Lucía": (None, False), "Benoît": (1, True), "Chidi": (1, True)}


def test_a_draft_follows_a_correction_to_the_other_side():
    made = made_of(3)  # Ana Lucía sits out; the loser of the only duel has a free round then
    cast.record(cast.table(made, 1, 1), 1, 0, EVEN)
    cast.go_on(made)
    assert sides(made, 2) == {"Ana Lucía": (1, False), "Benoît": (1, False), "Chidi": (None, True)}
    _table, correction = correction_of(cast.table(made, 1, 1), 1)
    correction.save(KEEP)
    assert sides(made, 2) == {"Ana Lucía": (1, False), "Chidi": (1, False), "Benoît": (None, True)}


def test_who_leaves_strands_nobody_on_either_side(made):
    play(made, 1)
    drop_out(tournament=made, entry=cast.entry(made, "Benoît"), by=made.owner)  # in the winners' final
    cast.record(cast.table(made, 2, 2), 1, 0, EVEN)
    cast.go_on(made)
    assert sides(made, 3) == {"Ana Lucía": (1, False), "Chidi": (1, True)}
    cast.go_on(made)
    play(made, 3)
    assert next_step(made).kind == "finish"
    assert places(made) == {"Ana Lucía": 1, "Chidi": 2, "Benoît": 3, "Đorđe": 4}
    assert "dropped" in {line.entrant.status for line in ledger.read(made).standings()}
