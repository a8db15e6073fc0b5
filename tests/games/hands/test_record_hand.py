"""The service that every hand goes through: one living hand a slot, whatever is sent how often and in which order."""

import pytest
from django.db import transaction

from engine.paper import SeatReport
from games.hands.correct import correct_hand, void_hand
from games.hands.judge import HandInput, HandRefused
from games.hands.record import record_hand
from games.models import Hand, Submission
from league.access.viewer import Attribution
from league.lib.errors import Conflict, Refused
from league.models import HandScore, LogEntry, Round, Table, Tournament
from tests import cast

pytestmark = pytest.mark.django_db

CARDS = (SeatReport(1, ("R7", "GD", "B6")), SeatReport(3, ("W",)))


@pytest.fixture(scope="module", autouse=True)
def table_once(module_world):
    return cast.first_table()


@pytest.fixture
def table(table_once):
    return cast.again(table_once)


def record(table, hand=1, went_out=0, reports=CARDS, **more):
    return record_hand(
        table_id=table.pk, hand=HandInput(hand, went_out, reports), by=Attribution(table.round.tournament.owner), **more
    )


def undo(hand, reason=""):
    version = Table.objects.get(pk=hand.table_id).version
    return void_hand(hand_id=hand.pk, version=version, reason=reason, by=Attribution(cast.organiser()))


def correct(hand, went_out=0, reports=CARDS, reason="Counted again", version=None):
    version = Table.objects.get(pk=hand.table_id).version if version is None else version
    return correct_hand(
        hand_id=hand.pk,
        version=version,
        hand=HandInput(hand.number, went_out, reports),
        reason=reason,
        by=Attribution(cast.organiser()),
    )


def living(table):
    rows = HandScore.objects.living().filter(table=table).order_by("hand", "seat")
    return [(row.hand, row.seat, row.score) for row in rows]


def test_both_partners_score_what_the_other_side_holds(table):
    hand = record(table).hand
    assert living(table) == [(1, 0, 83), (1, 1, 0), (1, 2, 83), (1, 3, 0)]
    assert hand.checked
    row = HandScore.objects.get(table=table, seat=1)
    assert (row.cards_left, row.points_left, row.points_against, row.went_out) == (3, 33, 83, False)
    assert row.partner == HandScore.objects.get(table=table, seat=3).entry


def test_a_blocked_hand_scores_nothing_for_anybody(table):
    # All of the deck is held but the 9 on the discard pile: 1,240 points less 9.
    held = [SeatReport(seat, points_left=points) for seat, points in enumerate((331, 300, 300, 300))]
    hand = record(table, went_out=None, reports=held).hand
    assert hand.went_out is None
    assert {score for _hand, _seat, score in living(table)} == {0}


def test_the_first_hand_sets_the_table_playing_and_the_last_confirms_it(table):
    states = []
    for number in range(1, 5):
        record(table, hand=number)
        table.refresh_from_db()
        states.append(table.state)
    assert states == ["playing", "playing", "playing", "confirmed"]
    assert Round.objects.get(pk=table.round_id).state == Round.State.RUNNING


def test_an_equal_hand_answers_with_the_one_that_is_there(table):
    first = record(table)
    again = record(table)
    assert (first.created, again.created) == (True, False)
    assert again.hand == first.hand
    assert Hand.objects.count() == 1


def test_equal_means_equal_and_not_equally_written(table):
    first = record(table)
    assert record(table, reports=[SeatReport(3, ("W",)), SeatReport(1, ("B6", "R7", "GD"))]).hand == first.hand
    assert record(table, reports=[SeatReport(1, None, 3, 33), SeatReport(3, points_left=50)]).hand == first.hand


def test_another_result_for_a_filled_slot_conflicts_and_names_the_hand_that_stands(table):
    first = record(table)
    with pytest.raises(Conflict) as refused:
        record(table, went_out=1, reports=[SeatReport(0, ("R7",)), SeatReport(2, ("B6",))])
    assert refused.value.code == "taken"
    assert refused.value.current == first.hand
    assert Hand.objects.get() == first.hand


@pytest.mark.parametrize(
    "reports", [(SeatReport(1, ("R7",)), SeatReport(3, ("W",))), (CARDS[0], SeatReport(3, ("WD",)))]
)
def test_one_other_card_makes_another_result(table, reports):
    record(table)
    with pytest.raises(Conflict):
        record(table, reports=reports)


def test_an_empty_slot_takes_a_hand_whatever_the_version_of_the_table(table):
    record(table, hand=1)
    record(table, hand=3)
    undo(record(table, hand=2).hand)
    assert record(table, hand=2, seating_version=1).created


@pytest.mark.parametrize("hand", [0, 5, -1])
def test_a_hand_that_the_round_does_not_have_is_refused(table, hand):
    with pytest.raises(HandRefused) as refused:
        record(table, hand=hand)
    assert refused.value.code == "no-such-hand"


def test_a_hand_typed_for_another_seating_is_not_taken(table):
    Table.objects.filter(pk=table.pk).update(seating_version=2)
    with pytest.raises(Conflict) as refused:
        record(table, seating_version=1)
    assert refused.value.code == "seating-changed"
    assert not Hand.objects.exists()
    assert record(table, seating_version=2).created


def test_a_refused_hand_leaves_no_trace(table):
    before = LogEntry.objects.count()
    with pytest.raises(HandRefused) as refused:
        record(table, key="k", reports=[SeatReport(1, None, 1, 13), SeatReport(3, ("W",))])
    assert refused.value.seat == 1
    name = table.seats.get(number=1).entry.player.name
    assert refused.value.message == f"{name}: One card can’t be worth 13 points. Possible: 9 or 20."
    assert (Hand.objects.count(), Submission.objects.count(), LogEntry.objects.count()) == (0, 0, before)
    assert Table.objects.get(pk=table.pk).version == table.version


# Keys.


def test_a_key_sent_again_with_the_same_body_gets_the_same_answer(table):
    first = record(table, key="k")
    again = record(table, key="k", reports=CARDS[::-1])
    assert again.replayed
    assert (again.hand, again.created) == (first.hand, first.created)
    assert Hand.objects.count() == 1


def test_the_answer_stays_the_same_after_the_hand_was_taken_back(table):
    first = record(table, key="k")
    undo(first.hand)
    again = record(table, key="k")
    assert again.hand == first.hand
    assert again.hand.voided_at is not None
    assert living(table) == []


def test_the_answer_stays_the_same_in_a_closed_round(table):
    first = record(table, key="k")
    Round.objects.filter(pk=table.round_id).update(state=Round.State.CLOSED)
    assert record(table, key="k").hand == first.hand


@pytest.mark.parametrize(
    "other", [{"hand": 2}, {"went_out": 2}, {"reports": (CARDS[0], SeatReport(3, ("WD",)))}, {"reports": CARDS[:1]}]
)
def test_a_used_key_with_another_body_is_refused(table, other):
    record(table, key="k")
    with pytest.raises(Refused) as refused:
        record(table, key="k", **other)
    assert (refused.value.code, refused.value.status) == ("key-reused", 422)
    assert Hand.objects.count() == 1


def test_an_equal_hand_under_another_key_is_remembered_as_not_created(table):
    record(table, key="a")
    assert not record(table, key="b").created
    again = record(table, key="b")
    assert (again.created, again.replayed) == (False, True)


def test_the_same_key_at_two_tables_is_two_keys(table):
    other = cast.table(table.round.tournament, 1, 2)
    assert record(table, key="k").created
    assert record(other, key="k").created


def test_a_key_that_was_refused_is_free_again(table):
    with pytest.raises(HandRefused):
        record(table, key="k", reports=())
    assert record(table, key="k").created


# Undo and correction.


def test_an_undone_hand_leaves_the_standings_and_stays_in_the_history(table):
    hand = record(table).hand
    undo(hand, reason="Wrong table")
    hand.refresh_from_db()
    assert hand.voided_by == cast.organiser()
    assert hand.void_reason == "Wrong table"
    assert living(table) == []
    assert HandScore.objects.filter(table=table).count() == 4
    table.refresh_from_db()
    assert table.state == Table.State.SCHEDULED


def test_an_undone_hand_is_recorded_anew_beside_the_old_one(table):
    old = record(table).hand
    undo(old)
    new = record(table, reports=(CARDS[0], SeatReport(3, ("WD",)))).hand
    assert list(Hand.objects.filter(table=table, number=1).order_by("id")) == [old, new]
    assert list(Hand.objects.living()) == [new]


def test_an_undo_with_an_old_version_changes_nothing(table):
    hand = record(table).hand
    seen = Table.objects.get(pk=table.pk).version
    record(table, hand=2)
    with pytest.raises(Conflict) as refused:
        void_hand(hand_id=hand.pk, version=seen, reason="", by=Attribution())
    assert refused.value.code == "version"
    assert len(living(table)) == 8


def test_a_hand_is_taken_back_once(table):
    hand = record(table).hand
    undo(hand)
    with pytest.raises(Conflict) as refused:
        undo(hand)
    assert refused.value.code == "void"


def test_a_correction_replaces_the_hand_in_one_step(table):
    old = record(table).hand
    new = correct(old, reports=(SeatReport(1, ("R7", "GD")), CARDS[1]), reason="The Blue 6 was played")
    old.refresh_from_db()
    assert new.replaces == old
    assert (old.void_reason, old.voided_by) == ("The Blue 6 was played", cast.organiser())
    assert living(table) == [(1, 0, 77), (1, 1, 0), (1, 2, 77), (1, 3, 0)]


def test_a_correction_to_what_stands_already_changes_nothing(table):
    hand = record(table).hand
    before = LogEntry.objects.count()
    assert correct(hand) == hand
    assert LogEntry.objects.count() == before


def test_a_correction_may_have_no_reason(table):
    hand = record(table).hand
    correct(hand, went_out=2, reason="  ")
    assert Hand.objects.living().get() != hand


def test_a_correction_that_cannot_exist_leaves_the_hand_as_it_was(table):
    hand = record(table).hand
    with pytest.raises(HandRefused):
        correct(hand, reports=[SeatReport(1, ("WD",) * 5), CARDS[1]])
    assert Hand.objects.living().get() == hand
    assert len(living(table)) == 4


def test_of_two_corrections_from_one_version_the_second_conflicts(table):
    hand = record(table).hand
    seen = Table.objects.get(pk=table.pk).version
    correct(hand, went_out=2, version=seen)
    with pytest.raises(Conflict):
        correct(hand, reports=(CARDS[0], SeatReport(3, ("WD",))), version=seen)
    assert Hand.objects.living().get().went_out == 2


# Closed rounds and tournaments.


@pytest.fixture
def played():
    return cast.play(cast.tournament(rounds=2), rounds=1)


def test_a_closed_round_takes_no_new_hand_and_gives_none_back(played):
    table = cast.table(played, 1, 1)
    hand = Hand.objects.living().get(table=table, number=4)
    with pytest.raises(Conflict) as refused:
        undo(hand)
    assert refused.value.code == "closed"
    assert Hand.objects.living().filter(table=table).count() == 4


def test_an_empty_slot_of_a_closed_round_stays_empty(table):
    Round.objects.filter(pk=table.round_id).update(state=Round.State.CLOSED)
    with pytest.raises(Conflict) as refused:
        record(table)
    assert refused.value.code == "closed"
    assert not Hand.objects.exists()


def test_a_hand_of_a_closed_round_can_be_corrected(played):
    hand = Hand.objects.living().filter(table__round__number=1).first()
    others = ((hand.went_out + 1) % 4, (hand.went_out + 3) % 4)
    new = correct(
        hand, went_out=hand.went_out, reports=[SeatReport(others[0], ("R1",)), SeatReport(others[1], ("Y2",))]
    )
    assert new.replaces == hand
    assert sorted(score for number, _seat, score in living(hand.table) if number == hand.number) == [0, 0, 3, 3]
    hand.table.round.refresh_from_db()
    assert hand.table.round.state == Round.State.CLOSED


def test_a_closed_tournament_stands(played):
    hand = Hand.objects.living().first()
    Tournament.objects.filter(pk=played.pk).update(state=Tournament.State.CLOSED)
    for attempt in (lambda: correct(hand, went_out=2), lambda: undo(hand)):
        with pytest.raises(Conflict) as refused:
            attempt()
        assert refused.value.code == "closed"
    with pytest.raises(Conflict):
        record(cast.table(played, 2, 1))


def test_a_round_that_was_not_published_takes_no_hand(played):
    Round.objects.filter(tournament=played, number=2).update(state=Round.State.DRAFT)
    with pytest.raises(Conflict) as refused:
        record(cast.table(played, 2, 1))
    assert "not been published" in refused.value.message


# The log.


def test_every_change_of_a_hand_is_in_the_log_with_what_it_was(table):
    hand = record(table).hand
    new = correct(hand, went_out=2, reason="It was the partner")
    undo(new)
    rows = list(LogEntry.objects.filter(hand=1).order_by("id"))
    assert [(row.action, row.reason) for row in rows] == [
        ("record", ""),
        ("correct", "It was the partner"),
        ("void", ""),
    ]
    assert {(row.by, row.round, row.table) for row in rows} == {(cast.organiser(), 1, 1)}
    assert [row.old["went_out"] if row.old else None for row in rows] == [None, 0, 2]
    assert [row.new["went_out"] if row.new else None for row in rows] == [0, 2, None]
    assert rows[0].new["seats"][1]["cards"] == ["B6", "GD", "R7"]


@pytest.mark.parametrize("write", ["record", "correct", "void"])
def test_without_its_log_row_nothing_is_written(table, monkeypatch, write):
    hand = record(table).hand
    before = (living(table), Table.objects.get(pk=table.pk).version)

    def broken(**row):
        raise OSError("the disk is full")

    monkeypatch.setattr("games.hands.rows.note_at_table", broken)
    attempts = {
        "record": lambda: record(table, hand=2, key="k"),
        "correct": lambda: correct(hand, went_out=2),
        "void": lambda: undo(hand),
    }
    with pytest.raises(OSError, match="the disk is full"), transaction.atomic():
        attempts[write]()
    assert (living(table), Table.objects.get(pk=table.pk).version) == before
    assert list(Hand.objects.living()) == [hand]
    assert not Submission.objects.exists()


def test_a_seat_that_comes_twice_with_different_figures_is_refused_and_breaks_nothing():
    """Found by the API's fuzz test: the two reports, one with a count and one without, could not be sorted."""
    made = cast.play(cast.tournament(), rounds=1)
    at = cast.table(made, 2, 1)
    reports = [SeatReport(1, cards_left=2, points_left=9), SeatReport(1, points_left=9), SeatReport(3, points_left=4)]
    with pytest.raises(HandRefused) as refused:
        record_hand(table_id=at.pk, hand=HandInput(1, 0, reports), by=Attribution(made.owner), key="k")
    assert refused.value.code == "seat-twice"
    assert not Hand.objects.filter(table=at).exists()
