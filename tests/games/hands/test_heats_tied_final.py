"""A final of heats that ends in a tie: the place is shared, and an extra hand decides only if it is played."""

import csv
import io
import re

import pytest
from django.test import Client

from games.hands.repairs import undo_round
from league.lib.errors import Conflict
from league.log.audit import verify
from league.models import Adjustment, Stage
from league.rounds.adjustments import void_adjustment
from league.rounds.extra_hand import level_at_the_cut, tied_in_a_final, win_extra_hand
from league.rounds.steps import close_tournament, next_step, start
from league.standings import read as ledger
from tests import cast, pdf_text

pytestmark = pytest.mark.django_db


def tied_heats(outs=(0, 1), **more):
    """Two hands a round. In the final the seats `outs` win a hand each, worth the same."""
    made = cast.tournament(6, format="heats", hands_per_round=2, **more)
    start(tournament=made, by=made.owner)
    for table in made.rounds.get(number=1).tables.all():
        for hand, out in enumerate((0, 1), 1):
            cast.record(table, hand, out, points=(5, 5, 9))
    cast.go_on(made)
    cast.go_on(made)
    for hand, out in enumerate(outs, 1):
        cast.record(cast.table(made, 2, 1), hand, out, points=(10,) * 4)
    return cast.again(cast.go_on(made))


@pytest.fixture
def tied():
    return tied_heats()


def finalists(made):
    return [seat.entry for seat in cast.table(made, 2, 1).seats.select_related("entry__player").order_by("number")]


def lines(made):
    return {row["player"]: row for row in rows(made)}


def rows(made):
    answer = Client().get(f"/t/{made.slug}/standings.csv").content.decode()
    return list(csv.DictReader(io.StringIO(answer, newline="")))


def olga(made):
    client = Client()
    client.force_login(made.owner)
    return client


def ranks(made):
    return {row["player"]: (int(row["rank"]), row["tied"], row["decided_by"]) for row in rows(made)}


def test_two_finalists_with_the_same_points_share_first_place(tied):
    first, second, *others = finalists(tied)
    found = ranks(tied)
    assert found[str(first)] == found[str(second)] == (1, "true", "")
    assert {found[str(other)] for other in others} == {(3, "true", "")}
    assert ledger.read(tied).progression.state.winners


def test_the_organiser_is_offered_an_extra_hand_and_may_leave_it(tied):
    first, second, *_others = finalists(tied)
    page = olga(tied).get(f"/t/{tied.slug}/").content.decode()
    assert "share first place" in page and page.count('name="player"') == 4
    assert page.index("Places 1 to 2") < page.index("Places 3 to 4")
    close_tournament(tournament=tied, by=tied.owner)
    for client in (Client(), olga(tied)):
        page = re.sub(r"\s+", " ", client.get(f"/t/{tied.slug}/").content.decode())
        assert re.search(rf"({first} and {second}|{second} and {first}) share first place with 30 points", page)
        assert "Play an extra hand" not in page
    assert ranks(tied)[str(first)][:2] == (1, "true")


def test_an_extra_hand_for_first_place_decides_and_is_named_everywhere(tied):
    first, second, *others = finalists(tied)
    client = olga(tied)
    shown = client.post(f"/t/{tied.slug}/extra-hand/", {"player": second.public_id})
    assert f"{second} won an extra hand" in shown.content.decode() and not Adjustment.objects.exists()
    client.post(f"/t/{tied.slug}/extra-hand/", {"player": second.public_id, "shown": shown.context["moves"].digest})
    found = ranks(tied)
    assert found[str(second)] == (1, "false", "extra-hand") and found[str(first)] == (2, "false", "extra-hand")
    assert found[str(others[0])][:2] == (3, "true")
    assert "by an extra hand" in Client().get(f"/t/{tied.slug}/standings/").content.decode()
    paper = pdf_text.text(client.get(f"/t/{tied.slug}/prints/standings.pdf").content)
    assert re.search(rf"{second} \(won the final, with \d+, by an extra hand\)", paper)
    assert "Players tied in the final share the place" in paper
    assert ledger.read(tied).progression.state.winner == second.public_id
    assert verify(tied).faults == []
    with pytest.raises(Conflict, match="is no longer tied"):
        win_extra_hand(tournament=tied, entry=first, by=tied.owner)


def test_an_extra_hand_that_is_taken_back_shares_the_place_again(tied):
    first, second, *_others = finalists(tied)
    won = win_extra_hand(tournament=tied, entry=second, by=tied.owner)
    void_adjustment(tournament=tied, adjustment_id=won.pk, by=tied.owner)
    assert ranks(tied)[str(first)][:2] == ranks(tied)[str(second)][:2] == (1, "true")
    won = win_extra_hand(tournament=tied, entry=first, by=tied.owner)
    undo_round(tournament=tied, round_number=2, reason="Wrong decks", by=tied.owner)
    won.refresh_from_db()
    assert won.voided_at is not None


@pytest.mark.parametrize("scoring", ("winner-takes", "lowest-total"))
def test_three_who_are_tied_are_put_in_order_by_two_extra_hands(scoring):
    made = tied_heats((0, 0), scoring=scoring)  # the others have equal points, whichever total wins
    seats = finalists(made)
    tied = seats[1:]
    for winner in (tied[2], tied[0]):
        win_extra_hand(tournament=made, entry=winner, by=made.owner)
    assert [row["player"] for row in rows(made)][:4] == [str(entry) for entry in (seats[0], tied[2], tied[0], tied[1])]
    assert [int(row["rank"]) for row in rows(made)][:4] == [1, 2, 3, 4]
    assert verify(made).faults == []


def test_a_final_that_is_tied_can_be_decided_before_the_next_stage_is_drawn(tied):
    Stage.objects.create(
        tournament=tied,
        number=2,
        format="points",
        takes=2,
        settings={"hands_per_round": 1, "rounds": 1, "table_size": 2},
    )
    made = cast.again(tied)
    assert next_step(made).kind == "cut"
    page = olga(made).get(f"/t/{made.slug}/").content.decode()
    assert "Play an extra hand" in page
    second = finalists(made)[1]
    win_extra_hand(tournament=made, entry=second, by=made.owner)
    assert ranks(made)[str(second)][:2] == (1, "false")


def test_a_final_that_is_played_offers_nothing(tied):
    made = tied_heats(name="Played on")
    state = ledger.read(made).progression.state
    assert level_at_the_cut(made.stage, state) == [] and len(tied_in_a_final(made.stage, state)) == 2
    undo_round(tournament=made, round_number=2, reason="Wrong decks", by=made.owner)
    cast.go_on(made)
    cast.record(cast.table(made, 2, 1), 1, 0, points=(10,) * 4)
    state = ledger.read(cast.again(made)).progression.state
    assert tied_in_a_final(made.stage, state) == []


def test_who_goes_on_by_lot_and_who_does_not_is_named_in_csv_and_print(db):
    made = cast.tournament(8, format="heats", hands_per_round=1)
    start(tournament=made, by=made.owner)
    for table in made.rounds.get(number=1).tables.all():
        cast.record(table, 1, 0, points=(5,) * 4)
    cast.go_on(made)
    found = ranks(made)
    assert sum(decided == "lot" for _rank, _tied, decided in found.values()) == 6
    paper = pdf_text.text(olga(made).get(f"/t/{made.slug}/prints/standings.pdf").content)
    assert re.sub(r"\s|-", "", paper).count("byrandomtiebreak)") == 6
    assert Client().get(f"/t/{made.slug}/standings/").content.decode().count("by random tie-break") == 6


def test_who_stays_behind_at_a_cut_between_stages_by_lot_is_named(db):
    made = cast.tournament(8, hands_per_round=1, rounds=1, format="points", tie_breaks=[])
    Stage.objects.create(
        tournament=made, number=2, format="points", takes=4, settings={"hands_per_round": 1, "rounds": 1}
    )
    start(tournament=made, by=made.owner)
    for table in made.rounds.get(number=1).tables.all():
        cast.record(table, 1, 0, points=(5,) * 4)
    while cast.again(made).stage.number == 1 or cast.again(made).stage.started_at is None:
        cast.go_on(made)
    stayed = [row for row in rows(cast.again(made)) if row["stage"] == "1"]
    assert len(stayed) == 4 and {row["decided_by"] for row in stayed} == {"lot"}
    cast.record(cast.table(made, 2, 1), 1, 0, points=(5,) * 4)
    assert Client().get(f"/t/{made.slug}/standings/").content.decode().count("by random tie-break") == 4
