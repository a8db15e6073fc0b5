"""What a table's page says, as a value: without a request, for each kind of viewer."""

import json

import pytest

from engine.rules import EDITIONS
from games.entry.table_state import why_over
from games.hands.seats import seats_of
from league.day.entrants import drop_out
from league.ledger.progress import ENDED, TableNow
from league.models import Entry, Round, Table
from league.rounds.steps import start
from tests import cast
from tests.games.pages import CARDS, name, notices, page, preview

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def table_once(module_world):
    return cast.first_table()


@pytest.fixture
def table(table_once):
    return cast.again(table_once)


def reported(table, *seats):
    """All hands are in, the last ones from the players of these seats, and the table waits for somebody to confirm."""
    for number in range(1, 5):
        hand = cast.record(table, number).hand
        if number > 4 - len(seats):
            seat = table.seats.get(number=seats[number - 5])
            type(hand).objects.filter(pk=hand.pk).update(player=seat.entry, recorded_by=None, source="player")
    Table.objects.filter(pk=table.pk).update(state=Table.State.REPORTED)


# --- the next hand


def test_the_page_asks_for_the_next_hand_and_says_who_deals(table):
    shown = page(table)
    assert (shown.title, shown.heading) == ("Table 1, hand 1", "Table 1")
    assert shown.line == f"Round 1, hand 1 of 4. {name(table, 0)} deals"
    assert [seat.name for seat in shown.form.fields.seats] == [name(table, seat) for seat in range(4)]
    assert (shown.form.number, shown.form.save) == (1, "Save hand 1")


def test_teams_are_named_below_the_heading():
    made = cast.teams()
    start(tournament=made, by=made.owner)
    assert page(cast.table(made, 1, 1)).line.endswith("Blue Foxes against Yellow Bees")


def test_a_filled_hand_is_not_asked_for_again(table):
    cast.record(table, 1)
    shown = page(table, hand=1)
    said = "Hand 1 is already recorded"
    assert notices(shown) == [f"{said}."]
    assert notices(page(table, seat=0, hand=1)) == [f"{said}."]
    assert shown.form.number == 2
    assert shown.other_hands == ((3, f"/tables/{table.pk}/?hand=3"), (4, f"/tables/{table.pk}/?hand=4"))


def test_a_closed_round_shows_its_hands_to_correct_and_no_form():
    made = cast.play(cast.tournament(rounds=2), rounds=1)
    shown = page(cast.table(made, 1, 1))
    assert notices(shown) == ["Round 1 is closed. Its hands can still be corrected."]
    assert [bool(line.correct) for line in shown.hands.lines] == [True] * 4
    assert [line.undo for line in shown.hands.lines] == [""] * 4
    assert (shown.form, shown.onwards) == (None, None)


def test_the_special_cards_of_an_edition_have_keys():
    made = cast.tournament(edition="harry-potter-fr")
    start(tournament=made, by=made.owner)
    keys = page(cast.table(made, 1, 1)).form.fields.keys
    assert ("RD", "RD3") in [(key.code, key.symbol) for key in keys]
    assert [key.code for key in keys][-2:] == ["WL", "WI"]
    assert len(keys) == 4 * 13 + 4


# --- the preview


def test_the_preview_has_what_both_sides_would_score(table):
    sides = preview(table, **CARDS).sides
    assert [(side.names, side.score, side.won, side.so_far) for side in sides] == [
        (f"{name(table, 0)} and {name(table, 2)}", 83, True, False),
        (f"{name(table, 1)} and {name(table, 3)}", 0, False, False),
    ]


def test_the_preview_of_a_half_typed_hand_says_so_far(table):
    text = preview(table, went_out="0", cards_1="R7 GD")
    assert [(side.score, side.so_far) for side in text.sides] == [(27, True), (0, False)]
    assert text.still == f"Still to enter: {name(table, 3)}."


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"went_out": "0", "count_1": "1", "points_1": "13"}, "One card can’t be worth 13 points."),
        ({"went_out": "0", "cards_1": "WD WD WD WD WD"}, "The deck has 4 Wild Draw Four cards; 5 are entered."),
        ({"went_out": "0", "cards_1": "B77"}, "“B77” is not a card."),
        ({"went_out": "0", "cards_0": "R1"}, "The player who went out has no cards."),
        ({"went_out": "0", "points_1": "x"}, "Enter a whole number."),
        ({"went_out": "9"}, "This table has 4 seats."),
    ],
)
def test_the_preview_says_what_is_impossible_before_all_is_typed(table, typed, sentence):
    assert sentence in preview(table, **typed).problem


def test_until_the_form_says_who_went_out_a_hint_stands_for_the_scores(table):
    hint = "Choose who went out to see the scores."
    assert preview(table, went_out="").hint == page(table).form.fields.preview.hint == hint
    assert json.loads(page(table).facts)["hint"] == hint


def test_a_whole_deck_at_one_seat_leaves_nothing_to_guess_with(table):
    text = preview(table, went_out="0", cards_1=" ".join(EDITIONS["classic"].deck))
    assert text.problem.startswith("The deck has 108 cards") or text.sides[0].so_far


def test_where_somebody_has_left_the_hint_says_that_the_table_has_ended():
    made = cast.tournament(4, format="points", table_size=2)
    start(tournament=made, by=made.owner)
    table = cast.table(made, 1, 1)
    drop_out(tournament=made, entry=table.seats.get(number=1).entry, by=made.owner)
    hint = "Fewer than two players are left at this table."
    assert preview(table, went_out="0", points_1="5").hint == hint
    shown = page(table)
    assert (shown.form, shown.onwards.over) == (None, hint)
    assert json.loads(shown.facts)["hint"] == hint


def test_of_teams_the_reason_names_the_one_that_is_left():
    made = cast.teams(format="team_swiss")
    start(tournament=made, by=made.owner)
    table = cast.table(made, 1, 1)
    Entry.objects.filter(pk=table.seats.get(number=1).entry_id).update(status=Entry.Status.DROPPED)
    sentence = "Only one team is left at this table."
    assert why_over(table, [], TableNow(table, 0, 4, ENDED), seats_of(table), None) == sentence
    assert preview(table, went_out="0", points_1="5").hint == sentence


# --- where to go on


def test_the_last_table_leads_to_the_overview(table):
    cast.play_round(table.round)
    onwards = page(table).onwards
    assert onwards.title == "All hands recorded"
    assert [line.text for line in onwards.text] == ["This was the last table of the round."]
    assert onwards.button.label == "Open the tournament"


WHO_CONFIRMS = {
    "nobody reported": ((), 0, "Check the hands, then confirm them."),
    "the other side": ((0,), 1, "Check the hands, then confirm them."),
    "my side": ((0,), 2, "Waiting for one of these to confirm: {1} and {3}."),
    "both sides": ((0, 1), 2, "Every side reported hands, so the organiser confirms them."),
}


@pytest.mark.parametrize("case", WHO_CONFIRMS)
def test_a_player_of_a_reported_table_is_told_who_confirms(table, case):
    seats, me, sentence = WHO_CONFIRMS[case]
    reported(table, *seats)
    shown = page(table, seat=me)
    assert [line.text for line in shown.onwards.text] == [sentence.format(*(name(table, seat) for seat in range(4)))]
    may_confirm = sentence.startswith("Check")
    assert bool(shown.hands.agree) is may_confirm
    assert (shown.onwards.button is None) is may_confirm


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        (Table.State.CONFIRMED, "Confirmed. Thank you."),
        (Table.State.DISPUTED, "A director decides the dispute."),
    ],
)
def test_a_player_is_told_what_becomes_of_the_hands(table, state, sentence):
    reported(table, 0)
    Table.objects.filter(pk=table.pk).update(state=state)
    shown = page(table, seat=1)
    assert [line.text for line in shown.onwards.text] == [sentence]
    assert shown.onwards.button.label == "My table"


def test_whoever_organises_sees_that_a_reported_table_can_be_confirmed(table):
    reported(table)
    shown = page(table)
    assert shown.to_confirm.url == f"/tables/{table.pk}/confirm/"
    assert page(table, seat=0).to_confirm is None


def test_while_a_round_is_closed_a_player_is_led_to_the_one_that_is_on(table):
    Round.objects.filter(pk=table.round_id).update(state=Round.State.CLOSED)
    [notice] = page(table, seat=0).notices
    assert (notice.text, notice.link.label) == ("Round 1 is closed.", "Go to the current round")
