"""Closing a round although tables lack hands: said, logged, and never by accident."""

import pytest

from games.hands.correct import void_hand
from games.models import Hand
from league.access.viewer import Attribution
from league.day.substitutes import substitute
from league.log.in_words import in_words
from league.models import Entry, LogEntry, Round
from league.rounds.steps import start
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def evening_once(module_world):
    """Round 2 runs; table 1 has all its hands, table 2 one of four."""
    made = cast.play(cast.tournament(), rounds=1)
    for hand in range(1, 5):
        cast.record(cast.table(made, 2, 1), hand)
    cast.record(cast.table(made, 2, 2), 1)
    return made


@pytest.fixture
def evening(evening_once):
    return cast.again(evening_once)


@pytest.fixture
def olga(client):
    client.force_login(cast.organiser())
    return client


def go_on(client, tournament, **fields):
    return client.post(f"/t/{tournament.slug}/advance/", {"step": "close-2"} | fields)


def test_the_overview_offers_to_go_on_without_the_table_that_lacks_hands(olga, evening):
    page = olga.get(f"/t/{evening.slug}/").content.decode()
    assert "without table 2…" in page
    assert f'name="without" value="{cast.table(evening, 2, 2).pk}"' in page


def test_before_the_first_hand_of_a_round_it_is_not_offered(olga):
    made = cast.play(cast.tournament(), rounds=1)
    assert "without table" not in olga.get(f"/t/{made.slug}/").content.decode()


def test_with_a_reason_the_round_is_closed_and_the_log_says_without_what(olga, evening):
    late = cast.table(evening, 2, 2)
    assert go_on(olga, evening, without=late.pk, reason="Table 2 had to leave").status_code == 302
    assert evening.rounds.get(number=2).state == Round.State.CLOSED
    assert evening.rounds.get(number=3).state == Round.State.PUBLISHED
    row = LogEntry.objects.get(action="close-round", round=2)
    assert row.reason == "Table 2 had to leave"
    assert in_words(row) == "Round 2: closed without all hands of table 2"
    assert late.scores.count() == 4, "what it played counts"


def test_a_reason_is_optional_since_only_organisers_read_it(olga, evening):
    assert go_on(olga, evening, without=cast.table(evening, 2, 2).pk, reason=" ").status_code == 302
    assert evening.rounds.get(number=2).state == Round.State.CLOSED


@pytest.mark.parametrize(
    ("fields", "status", "sentence"),
    [
        ({"without": "999999", "reason": "x"}, 422, "Round 2 has no such table."),
        ({"without": [], "reason": "x"}, 409, "Table 2 still has hands to play in round 2."),
        ({"without": "x' OR 1=1", "reason": "x"}, 409, "Table 2 still has hands to play in round 2."),
    ],
)
def test_otherwise_it_stays_open(fields, status, sentence, olga, evening):
    answer = go_on(olga, evening, **({"without": cast.table(evening, 2, 2).pk} | fields))
    assert answer.status_code == status
    assert sentence in said(answer)
    assert evening.rounds.get(number=2).state == Round.State.RUNNING


def test_a_table_of_another_tournament_is_none_of_this_round(olga, evening):
    other = cast.play(cast.tournament(), rounds=1)
    foreign = cast.table(other, 2, 1)
    assert go_on(olga, evening, without=[cast.table(evening, 2, 2).pk, foreign.pk], reason="x").status_code == 422


def test_the_last_hand_that_came_in_meanwhile_is_kept(olga, evening):
    late = cast.table(evening, 2, 2)
    for hand in (2, 3, 4):
        cast.record(late, hand)
    assert go_on(olga, evening, without=late.pk, reason="Table 2 had to leave").status_code == 302
    row = LogEntry.objects.get(action="close-round", round=2)
    assert (row.new, row.reason) == (None, "")


def test_without_tables_only_a_round_is_closed(olga):
    drawn = cast.tournament()
    answer = olga.post(f"/t/{drawn.slug}/advance/", {"step": "draw", "without": "1", "reason": "x"})
    assert answer.status_code == 422
    assert not drawn.rounds.exists()


def test_a_last_round_closed_without_a_table_shows_how_many_hands_it_played(olga):
    made = cast.play(cast.tournament(rounds=1), rounds=1, close=False)
    late = cast.table(made, 1, 2)
    void_hand(
        hand_id=Hand.objects.filter(table=late).latest("pk").pk, version=None, reason="", by=Attribution(made.owner)
    )
    answer = olga.post(
        f"/t/{made.slug}/advance/", {"step": "close-1", "without": late.pk, "reason": "Late"}, follow=True
    )
    assert "3 of 4 hands recorded" in said(answer)


def test_a_table_that_was_closed_without_a_hand_is_not_said_to_be_confirmed(olga, evening):
    for hand in Hand.objects.living().filter(table=cast.table(evening, 2, 2)):
        void_hand(hand_id=hand.pk, version=hand.table.version, by=Attribution(evening.owner), reason="")
    go_on(olga, evening, without=cast.table(evening, 2, 2).pk, reason="Table 2 had to leave")
    evening.rounds.filter(number=3).update(state=Round.State.DRAFT)  # so that round 2 is the one that is shown
    line = said(olga.get(f"/t/{evening.slug}/")).partition("Table 2")[2].partition("Table 1")[0]
    assert "No hands were played here. Closed" in line and "0 of 0" not in line


def test_the_tables_name_a_substitute_and_not_who_dropped_out(olga):
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    seats = cast.table(made, 1, 1).seats.order_by("number").select_related("entry__player")
    away, gone = seats[0].entry, seats[1].entry
    substitute(tournament=made, entry=away, name="Sven", by=made.owner)
    Entry.objects.filter(pk=gone.pk).update(status=Entry.Status.DROPPED)
    shown = said(olga.get(f"/t/{made.slug}/")).partition("Table 1")[2].partition("Table 2")[0]
    assert f"Sven for {away}" in shown and str(gone) not in shown
