"""Undoing a round: it goes back to a draft, and what was played in it stays in the log alone."""

import re

import pytest

from games.hands.repairs import undo_round
from games.models import Dispute, Hand
from league.accounts.tokens import make_token
from league.lib.errors import Conflict, Refused
from league.log.in_words import in_words
from league.models import Adjustment, Deadline, HandScore, LogEntry, Round, Stage, Table
from league.rounds.steps import advance, close_tournament, next_step
from league.standings import read as ledger
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db


def undo(tournament, number, reason="Seats were wrong"):
    return undo_round(tournament=tournament, round_number=number, reason=reason, by=tournament.owner)


def seating(played):
    return [
        [table.number, [seat.entry.player.name for seat in table.seats.order_by("number")]]
        for table in played.tables.order_by("number")
    ]


def totals(tournament):
    return {line.entrant.name: line.total for line in ledger.read(tournament).standings()}


@pytest.fixture(scope="module", autouse=True)
def pairs_once(module_world):
    """Round 2 is running with three hands in."""
    made = cast.play(cast.tournament(), rounds=1)
    for hand in (1, 2):
        cast.record(cast.table(made, 2, 1), hand)
    cast.record(cast.table(made, 2, 2), 1)
    return made


@pytest.fixture
def pairs(pairs_once):
    return cast.again(pairs_once)


def test_the_round_is_a_draft_again_with_the_same_seats_and_nothing_of_it_counts(pairs):
    before = seating(pairs.rounds.get(number=2))
    after_one = totals(cast.play(cast.tournament(), rounds=1))
    draft = undo(pairs, 2)
    assert draft.state == Round.State.DRAFT
    assert draft.number == 2
    assert seating(draft) == before
    assert totals(pairs) == after_one
    assert not HandScore.objects.living().filter(table__round__number=2).exists()
    assert next_step(pairs).token == "publish-2"


def test_what_was_played_stays_beside_as_void_and_the_log_says_why(pairs):
    undo(pairs, 2)
    void = pairs.rounds.get(state=Round.State.VOID)
    assert {table.state for table in void.tables.all()} == {Table.State.VOID}
    assert [hand.void_reason for hand in Hand.objects.filter(table__round=void)] == ["Seats were wrong"] * 3
    row = LogEntry.objects.get(action="undo-round")
    assert in_words(row) == "Round 2: undone, with 3 hands"
    assert row.reason == "Seats were wrong"


def test_it_can_be_played_again_after_that_and_undone_again(pairs):
    undo(pairs, 2)
    advance(tournament=pairs, token="publish-2", by=pairs.owner)
    undo(pairs, 2)
    advance(tournament=pairs, token="publish-2", by=pairs.owner)
    cast.play(pairs)
    assert next_step(pairs).kind == "finish"
    assert pairs.rounds.filter(state=Round.State.VOID).count() == 2


def test_a_closed_round_can_be_undone_while_it_is_the_latest():
    made = cast.tournament(players=4)
    cast.play(made)
    assert next_step(made).kind == "finish"
    undo(made, 3)
    assert next_step(made).token == "publish-3"


@pytest.mark.parametrize(
    "number",
    [1, 3],
)
def test_other_rounds_are_refused(number, pairs):
    with pytest.raises(Refused, match="You can undo only the latest round: round 2"):
        undo(pairs, number)
    assert Hand.objects.living().filter(table__round__number=2).count() == 3


def test_before_the_first_round_there_is_none_to_undo():
    with pytest.raises(Refused, match="No round is published yet"):
        undo(cast.tournament(), 1)


def test_final_standings_have_to_be_reopened_first():
    made = cast.play(cast.tournament(players=4))
    close_tournament(tournament=made, by=made.owner)
    with pytest.raises(Conflict, match="Reopen the tournament to undo a round"):
        undo(made, 3)


def test_a_hand_for_it_is_refused_with_what_to_do(pairs):
    table = cast.table(pairs, 2, 2)
    undo(pairs, 2)
    with pytest.raises(Conflict, match=r"Round 2 was undone\. Find your table\."):
        cast.record(table, 2)


def test_its_clocks_and_disputes_end_and_points_for_its_byes_go_with_it():
    made = cast.tournament(players=9)
    Stage.objects.filter(tournament=made).update(settings={"bye_points": 20})
    cast.play(made, rounds=1)
    hand = cast.record(cast.table(made, 2, 1), 1).hand
    Dispute.objects.create(hand=hand, player=made.entries.first())
    assert Adjustment.objects.filter(round__number=2, kind="bye", voided_at=None).count() == 1
    table = hand.table
    Deadline.objects.create(
        kind="confirm-table", tournament=made, round=table.round, table=table, due_at=hand.recorded_at
    )
    undo(made, 2)
    assert not Deadline.objects.pending().filter(round__number=2).exists()
    assert not Dispute.objects.filter(state="open").exists()
    assert not Adjustment.objects.filter(round__number=2, voided_at=None).exists()
    assert Adjustment.objects.filter(round__number=1, voided_at=None).count() == 1


def test_a_challenge_is_drawn_as_before_when_nothing_else_changed():
    made = cast.play_challenge(cast.challenge(players=12, hands_per_round=2), rounds=2)
    before, scores = seating(made.rounds.get(number=2)), totals(made)
    draft = undo(made, 2)
    assert seating(draft) == before
    assert totals(made) != scores
    assert next_step(made).token == "publish-2"


def test_who_went_out_in_it_is_in_again():
    made = cast.play_challenge(cast.challenge(players=4, hands_per_round=2, target=60), rounds=1)
    last = made.rounds.living().order_by("-number").first()
    undo(made, last.number)
    assert set(totals(made).values()) == {0}
    assert made.rounds.living().count() == 1


def fields_of(answer):
    """What the preview's button posts."""
    found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', answer.content.decode())
    return {name: value for name, value in found if name != "csrfmiddlewaretoken"}


def test_over_http_it_shows_what_goes_and_then_goes_back_to_a_draft(olga, pairs):
    address = f"/t/{pairs.slug}/day/undo-round/"
    preview = olga.post(address, {"round": 2, "reason": "Seats were wrong"})
    assert preview.status_code == 200
    assert "3 hands of this round are undone for good. The log keeps them." in said(preview)
    assert Hand.objects.living().filter(table__round__number=2).count() == 3, "a preview changes nothing"
    assert olga.post(address, fields_of(preview)).status_code == 302
    assert pairs.rounds.living().get(number=2).state == Round.State.DRAFT
    log = said(olga.get(f"/t/{pairs.slug}/log/"))
    assert "Round 2: undone, with 3 hands" in log and "Seats were wrong" in log


def test_a_hand_that_came_in_since_the_preview_is_shown_first(olga, pairs):
    address = f"/t/{pairs.slug}/day/undo-round/"
    preview = olga.post(address, {"round": 2, "reason": "x"})
    cast.record(cast.table(pairs, 2, 2), 2)
    answer = olga.post(address, fields_of(preview))
    assert answer.status_code == 409
    assert "4 hands of this round are undone" in said(answer)
    assert pairs.rounds.living().get(number=2).state == Round.State.RUNNING


def test_another_round_is_refused_on_the_page(olga, pairs):
    answer = olga.post(f"/t/{pairs.slug}/day/undo-round/", {"round": 1, "reason": "x"})
    assert answer.status_code == 422
    assert "You can undo only the latest round: round 2." in said(answer)


def test_a_page_of_one_of_its_tables_and_a_phone_that_sends_later_say_what_to_do(olga, pairs):
    table = cast.table(pairs, 2, 1)
    undo(pairs, 2)
    page = olga.get(f"/tables/{table.pk}/")
    assert page.status_code == 409
    assert "Round 2 was undone" in said(page) and "Find your table." in said(page)
    answer = olga.post(f"/tables/{table.pk}/", {"hand": 3}, headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (409, "undone")
    assert answer.json()["sentence"] == "Round 2 was undone. Find your table."


def test_whoever_may_not_open_the_table_learns_nothing_of_it(client, pairs):
    table = cast.table(pairs, 2, 1)
    undo(pairs, 2)
    assert client.get(f"/tables/{table.pk}/").status_code == 404


def test_a_program_is_told_too(client, pairs):
    table = cast.table(pairs, 2, 1)
    undo(pairs, 2)
    _token, secret = make_token(user=pairs.owner)
    body = {"hand": 3, "went_out": 0, "seats": []}
    answer = client.post(
        f"/api/v1/tables/{table.pk}/hands/",
        body,
        content_type="application/json",
        headers={"Authorization": f"Token {secret}"},
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "undone")
    assert answer.json()["detail"] == "Round 2 was undone. Find your table."
