"""Who comes late, leaves and comes again: the services. Their pages are in test_day_people.py."""

import pytest

from engine.paper import SeatReport
from games.hands.judge import HandInput
from games.hands.record import record_hand
from league.access.viewer import Attribution
from league.day.entrants import come_back, drop_out, enter_late, reinstate
from league.day.undo import undo_event
from league.entries.check_in import check_in
from league.entries.sign_up import missing_at_the_door
from league.ledger.progress import ENDED, STOPPED, dealt_in, tables_now
from league.lib.errors import Conflict, Refused
from league.models import Adjustment, EntryEvent, Round, Seat, Tournament
from league.public import tables as exports
from league.rounds.adjustments import adjust
from league.rounds.steps import next_step, start
from league.standings import read as ledger
from tests import cast
from tests.league.the_day import by, drawn_and_waiting, last_words, line, seats_of, whole_seating

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def once(module_world: None) -> tuple[Tournament, Tournament]:
    """Pairs and a Challenge UNO, each with round 1 closed."""
    return cast.play(cast.tournament(), rounds=1), cast.play_challenge(cast.challenge(8, target=5000), rounds=1)


@pytest.fixture
def pairs(once: tuple[Tournament, Tournament]) -> Tournament:
    return cast.again(once[0])


@pytest.fixture
def race(once: tuple[Tournament, Tournament]) -> Tournament:
    return cast.again(once[1])


# --- pairs: leaving ------------------------------------------------------------------------------------------------


def test_who_drops_out_of_pairs_keeps_the_hands_that_are_in_and_a_stand_in_plays_the_others(pairs: Tournament) -> None:
    farah = cast.entry(pairs, "Farah")
    before = seats_of(pairs, "Farah")
    at = cast.table(pairs, 2, before[2][0])  # type: ignore[arg-type]
    cast.record(at, 1)
    version = at.seating_version

    drop_out(**by(pairs), entry=farah, reason="The last bus")

    assert seats_of(pairs, "Farah") == {1: before[1]}
    assert seats_of(pairs, "Stand-in") == {number: seat for number, seat in before.items() if number > 1}
    at.refresh_from_db()
    assert at.seating_version == version + 1
    assert farah.public_id in {seat.entry.public_id for seat in dealt_in(at, 1)}
    assert "Stand-in" in {seat.entry.player.name for seat in dealt_in(at, 2)}
    assert line(pairs, "Farah").hands_played == 5
    assert last_words(pairs) == "Round 2: Farah dropped out; Stand-in stands in"


def test_who_dropped_out_is_listed_after_the_active_and_a_stand_in_is_not_ranked() -> None:
    made = cast.play(cast.tournament(), rounds=2)
    leader = ledger.read(made).standings()[0].entrant.name
    drop_out(**by(made), entry=cast.entry(made, leader))
    cast.play(made, rounds=3)

    lines = ledger.read(made).standings()

    assert lines[7].entrant.name == leader
    assert (lines[7].rank, lines[7].entrant.status) == (8, "dropped")
    assert (lines[8].rank, lines[8].entrant.name) == (None, "Stand-in")
    assert lines[8].hands_played == 4
    [row] = exports.EXPORTS["events"].rows(made, exports.Wanted())
    assert (row["round"], row["player"], row["kind"]) == (3, leader, "drop")


def test_a_second_who_drops_out_gets_a_stand_in_of_their_own_and_one_who_is_free_is_taken_first(
    pairs: Tournament,
) -> None:
    drop_out(**by(pairs), entry=cast.entry(pairs, "Farah"))
    drop_out(**by(pairs), entry=cast.entry(pairs, "Zoë"))
    assert [one.player.name for one in pairs.entries.filter(status="standin")] == ["Stand-in", "Stand-in 2"]
    cast.play(pairs, rounds=2)
    come_back(**by(pairs), entry=cast.entry(pairs, "Farah"))

    drop_out(**by(pairs), entry=cast.entry(pairs, "Chidi"))

    assert pairs.entries.filter(status="standin").count() == 2
    assert set(seats_of(pairs, "Stand-in")) == {2, 3, 4, 5, 6, 7}


def test_a_stand_in_whose_table_is_done_is_not_free_for_another_of_the_same_round() -> None:
    made = cast.play(cast.tournament(rounds=2), rounds=1)
    drop_out(**by(made), entry=cast.entry(made, "Farah"))
    last = made.rounds.living().get(number=2)
    stands_in = cast.entry(made, "Stand-in").seats.get(round=last).table
    for hand in range(1, 5):
        cast.record(stands_in, hand)
    leaver = last.seats.exclude(table=stands_in).first().entry

    drop_out(**by(made), entry=leaver)

    assert [one.player.name for one in made.entries.filter(status="standin")] == ["Stand-in", "Stand-in 2"]
    assert set(seats_of(made, "Stand-in 2")) == {2}


def test_a_stand_in_may_be_named_and_one_who_sits_elsewhere_is_refused(pairs: Tournament) -> None:
    drop_out(**by(pairs), entry=cast.entry(pairs, "Farah"), stand_in="Olga")
    assert set(seats_of(pairs, "Olga")) == {2, 3, 4, 5, 6, 7}

    with pytest.raises(Refused, match=r"Olga already sits at table \d in round 2"):
        drop_out(**by(pairs), entry=cast.entry(pairs, "Zoë"), stand_in="olga")


def test_who_has_dropped_out_cannot_do_so_again_and_who_has_played_was_not_absent(pairs: Tournament) -> None:
    with pytest.raises(Conflict, match="Farah has already played"):
        drop_out(**by(pairs), entry=cast.entry(pairs, "Farah"), came=False)
    drop_out(**by(pairs), entry=cast.entry(pairs, "Farah"))

    with pytest.raises(Conflict, match="Farah has dropped out already"):
        drop_out(**by(pairs), entry=cast.entry(pairs, "Farah"))


def test_nobody_leaves_a_tournament_that_has_not_begun_or_is_closed() -> None:
    made = cast.tournament(rounds=1)
    with pytest.raises(Conflict, match="No round is published yet"):
        drop_out(**by(made), entry=cast.entry(made, "Farah"))
    cast.play(made)
    cast.go_on(made)
    with pytest.raises(Conflict, match="The standings are final"):
        drop_out(**by(made), entry=cast.entry(made, "Farah"))


def test_who_returns_to_pairs_has_the_seats_that_were_not_played(pairs: Tournament) -> None:
    before = seats_of(pairs, "Farah")
    drop_out(**by(pairs), entry=cast.entry(pairs, "Farah"))
    cast.play(pairs, rounds=2)

    come_back(**by(pairs), entry=cast.entry(pairs, "Farah"))

    assert seats_of(pairs, "Farah") == {number: seat for number, seat in before.items() if number != 2}
    assert set(seats_of(pairs, "Stand-in")) == {2}
    assert line(pairs, "Farah").entrant.status == "active"
    with pytest.raises(Conflict, match="Farah has not dropped out"):
        come_back(**by(pairs), entry=cast.entry(pairs, "Farah"))


def test_a_drop_is_undone_until_the_stand_in_has_played(pairs: Tournament) -> None:
    before = whole_seating(pairs)
    event = drop_out(**by(pairs), entry=cast.entry(pairs, "Farah"))

    undo_event(**by(pairs), event=event)

    assert whole_seating(pairs) == before
    assert not pairs.entries.filter(status="standin").exists()
    assert cast.entry(pairs, "Farah").status == "active"
    assert last_words(pairs) == "Round 2: undone for Farah: Withdrew"

    event = drop_out(**by(pairs), entry=cast.entry(pairs, "Farah"))
    cast.play(pairs, rounds=2)
    with pytest.raises(Conflict, match=r"Hands were played without Farah since. Let them return instead"):
        undo_event(**by(pairs), event=event)


def test_a_return_is_undone_and_the_stand_in_has_the_seats_again(pairs: Tournament) -> None:
    drop_out(**by(pairs), entry=cast.entry(pairs, "Farah"))
    before = seats_of(pairs, "Stand-in")
    event = come_back(**by(pairs), entry=cast.entry(pairs, "Farah"))

    undo_event(**by(pairs), event=event)

    assert seats_of(pairs, "Stand-in") == before
    assert cast.entry(pairs, "Farah").status == "dropped"
    [standing] = EntryEvent.objects.living().filter(entry__tournament=pairs)
    assert standing.kind == "drop"


def test_who_left_gets_no_seats_back_in_which_the_stand_in_sits_for_somebody_else(pairs: Tournament) -> None:
    event = drop_out(**by(pairs), entry=cast.entry(pairs, "Farah"))
    adjust(**by(pairs), entry=cast.entry(pairs, "Stand-in"), points=-10, reason="Late", round_number=1)  # so they stay
    enter_late(**by(pairs), name="Gül")
    other = drop_out(**by(pairs), entry=cast.entry(pairs, "Zoë"))
    before = whole_seating(pairs)
    assert set(seats_of(pairs, "Stand-in")) == {2, 3, 4, 5, 6, 7}, "Zoë's"

    with pytest.raises(Conflict, match="The seating has changed since"):
        undo_event(**by(pairs), event=event)

    assert whole_seating(pairs) == before
    undo_event(**by(pairs), event=other)
    assert set(seats_of(pairs, "Zoë")) == {1, 2, 3, 4, 5, 6, 7}


def test_what_happened_before_something_else_is_not_undone_first(pairs: Tournament) -> None:
    event = drop_out(**by(pairs), entry=cast.entry(pairs, "Farah"))
    come_back(**by(pairs), entry=cast.entry(pairs, "Farah"))
    with pytest.raises(Conflict, match="Undo the later change for Farah first"):
        undo_event(**by(pairs), event=event)


# --- pairs: coming late ----------------------------------------------------------------------------------------------


def test_who_comes_late_to_pairs_takes_over_from_a_stand_in_from_the_next_hand_on(pairs: Tournament) -> None:
    before = seats_of(pairs, "Farah")
    drop_out(**by(pairs), entry=cast.entry(pairs, "Farah"))
    cast.record(cast.table(pairs, 2, before[2][0]), 1)  # type: ignore[arg-type]

    event = enter_late(**by(pairs), name="Gül", club="Café Ludo")

    assert seats_of(pairs, "Gül") == {number: seat for number, seat in before.items() if number > 1}
    assert seats_of(pairs, "Stand-in") == {}
    assert last_words(pairs) == "Round 2: late entry: Gül, in the place of Stand-in"
    undo_event(**by(pairs), event=event)
    assert not pairs.entries.filter(player__name="Gül").exists()
    assert set(seats_of(pairs, "Stand-in")) == {2, 3, 4, 5, 6, 7}


def test_who_returns_when_their_seats_were_given_on_is_seated_with_everybody_again(pairs: Tournament) -> None:
    drop_out(**by(pairs), entry=cast.entry(pairs, "Farah"))
    enter_late(**by(pairs), name="Gül")
    come_back(**by(pairs), entry=cast.entry(pairs, "Farah"))

    assert set(seats_of(pairs, "Farah")) == {1, 3, 4, 5, 6, 7}
    assert set(seats_of(pairs, "Gül")) == {2, 3, 4, 5, 6, 7}


def test_three_who_sit_out_make_a_table_with_who_comes_late_and_everybody_else_stays() -> None:
    made = cast.tournament(7, bye_points=15)
    start(tournament=made, by=made.owner)
    before = whole_seating(made)
    assert Adjustment.objects.filter(voided_at=None).count() == 3

    event = enter_late(**by(made), name="Gül")

    staying = [row for row in before if row[1]]
    assert [row for row in whole_seating(made) if row in staying] == staying
    assert all(one.tables.count() == 2 and one.seats.count() == 8 for one in made.rounds.all())
    assert not Seat.objects.filter(round__tournament=made, table=None).exists()
    assert not Adjustment.objects.filter(voided_at=None).exists()
    partnered = [(row["player"], row["partner"]) for row in exports.seating_rows(made, exports.Wanted(everything=True))]
    assert len(partnered) == len(set(partnered))

    undo_event(**by(made), event=event)
    assert whole_seating(made) == before
    assert Adjustment.objects.filter(voided_at=None).count() == 3


def test_rounds_that_nobody_has_seen_are_drawn_again_for_one_more_and_nobody_has_a_partner_twice() -> None:
    made = cast.play(cast.tournament(), rounds=2)
    before = whole_seating(made)

    event = enter_late(**by(made), name="Gül")

    shown = [row for row in before if row[0] <= 3]
    assert [row for row in whole_seating(made) if row[0] <= 3] == shown
    assert set(seats_of(made, "Gül")) == {4, 5, 6, 7}
    partners: list[tuple[str, str]] = []
    for row in exports.seating_rows(made, exports.Wanted(everything=True)):
        if row["table"] != "bye":
            partners.append((row["player"], row["partner"]))
    assert len(partners) == len(set(partners))
    assert all(one.seats.filter(table=None).count() == 1 for one in made.rounds.filter(number__gt=3))

    undo_event(**by(made), event=event)
    assert whole_seating(made) == before


def test_a_late_entry_is_not_undone_once_they_played_or_a_round_with_them_was_published(pairs: Tournament) -> None:
    event = enter_late(**by(pairs), name="Gül")
    cast.play(pairs, rounds=2)
    with pytest.raises(Conflict, match=r"The seating has changed since. Let Gül leave instead"):
        undo_event(**by(pairs), event=event)
    cast.play(pairs, rounds=4)
    with pytest.raises(Conflict, match=r"Gül has already played: let them leave instead"):
        undo_event(**by(pairs), event=event)


def test_nobody_comes_late_to_pairs_when_every_round_is_published() -> None:
    made = cast.play(cast.tournament(rounds=2), rounds=1)
    with pytest.raises(Refused, match="every round is published"):
        enter_late(**by(made), name="Gül")
    assert not made.entries.filter(player__name="Gül").exists()


def test_a_number_that_pairs_cannot_be_drawn_for_is_refused_with_what_can() -> None:
    made = cast.tournament(43, rounds=3)
    start(tournament=made, by=made.owner)
    seats = Seat.objects.filter(round__tournament=made, table=None)
    assert seats.count() == 9
    Round.objects.filter(tournament=made, number=1).update(state=Round.State.RUNNING)
    Seat.objects.filter(round__tournament=made, table=None, round__number=2).earliest("pk").delete()
    with pytest.raises(Refused, match="Individual pairs need 4 to 43"):
        enter_late(**by(made), name="Gül")


# --- Challenge UNO ---------------------------------------------------------------------------------------------------


def test_a_late_entry_of_a_challenge_starts_with_the_highest_total_still_in_and_sits_from_the_next_round(
    race: Tournament,
) -> None:
    highest = max(one.total for one in ledger.read(race).standings())

    enter_late(**by(race), name="Gül")

    gul = line(race, "Gül")
    assert (gul.total, gul.adjustments, gul.entrant.status) == (highest, highest, "active")
    assert seats_of(race, "Gül") == {}
    cast.go_on(race)
    assert set(seats_of(race, "Gül")) == {2}
    [points] = Adjustment.objects.filter(entry__tournament=race)
    assert (points.kind, points.points) == ("late", highest)


def test_a_late_entry_without_any_check_in_leaves_nobody_not_here_and_with_one_is_here() -> None:
    made = cast.challenge(8)
    start(tournament=made, by=made.owner)

    enter_late(**by(made), name="Gül")

    assert missing_at_the_door(made) == 0
    check_in(entry=cast.entry(made, "Farah"), by=made.owner)
    assert missing_at_the_door(made) == 8
    enter_late(**by(made), name="Inês")
    assert missing_at_the_door(made) == 8


def test_a_late_total_is_below_the_target(race: Tournament) -> None:
    with pytest.raises(Refused, match="Choose 0 to 4999 points: with 5000 a player is eliminated"):
        enter_late(**by(race), name="Gül", total=5000)
    enter_late(**by(race), name="Gül", total=0)
    assert line(race, "Gül").total == 0


def test_a_round_of_a_challenge_that_is_drawn_and_not_published_is_drawn_again_for_who_came_and_who_left() -> None:
    made = cast.challenge(8, target=5000)
    start(tournament=made, by=made.owner)
    cast.play_challenge(made, rounds=1)
    later = drawn_and_waiting(made)

    event = enter_late(**by(made), name="Gül")
    assert set(seats_of(made, "Gül")) == {2}
    drop_out(**by(made), entry=cast.entry(made, "Farah"))
    assert set(seats_of(made, "Farah")) == {1}
    assert later.seats.count() == 8

    undo_event(**by(made), event=event)
    assert later.seats.count() == 7
    assert not made.entries.filter(player__name="Gül").exists()


def test_who_drops_out_of_a_challenge_leaves_at_that_place_and_the_table_plays_on_without_them() -> None:
    made = cast.challenge(8, target=5000)
    start(tournament=made, by=made.owner)
    at = cast.table(made, 1, 1)
    cast.record(at, 1)
    leaver = at.seats.get(number=2).entry

    drop_out(**by(made), entry=leaver)

    gone = line(made, leaver.player.name)
    assert (gone.entrant.status, gone.out_in_round, gone.out_in_hand, gone.rank) == ("dropped", 1, 1, 8)
    assert [seat.number for seat in dealt_in(at, 2)] == [0, 1, 3]
    reports = [SeatReport(seat, points_left=left) for seat, left in ((1, 5), (3, 9))]
    record_hand(table_id=at.pk, hand=HandInput(2, 0, reports), by=Attribution(made.owner))
    assert line(made, leaver.player.name).hands_played == 1
    with pytest.raises(Conflict, match="This player has already withdrawn"):
        drop_out(**by(made), entry=leaver)


def test_who_returns_to_a_challenge_has_the_old_total_and_sits_in_the_next_round(race: Tournament) -> None:
    farah = cast.entry(race, "Farah")
    total = line(race, "Farah").total
    drop_out(**by(race), entry=farah)
    cast.go_on(race)
    assert set(seats_of(race, "Farah")) == {1}
    cast.play_challenge(race, rounds=1)

    come_back(**by(race), entry=farah)
    cast.go_on(race)

    assert set(seats_of(race, "Farah")) == {1, 3}
    assert (line(race, "Farah").total, line(race, "Farah").entrant.status) == (total, "active")


def test_a_drop_from_a_challenge_is_undone_until_a_round_is_drawn_without_them(race: Tournament) -> None:
    before = [(one.entrant.name, one.total, one.rank) for one in ledger.read(race).standings()]
    event = drop_out(**by(race), entry=cast.entry(race, "Farah"))
    undo_event(**by(race), event=event)
    assert [(one.entrant.name, one.total, one.rank) for one in ledger.read(race).standings()] == before

    event = drop_out(**by(race), entry=cast.entry(race, "Farah"))
    cast.go_on(race)
    with pytest.raises(Conflict, match=r"Hands were played without Farah since. Let them return instead"):
        undo_event(**by(race), event=event)


def test_when_leaving_makes_the_last_two_play_at_other_tables_ends_and_nobody_comes_in_any_more() -> None:
    made = cast.challenge(6, target=5000, table_size=3)
    start(tournament=made, by=made.owner)
    tables = list(made.rounds.get().tables.order_by("number"))
    staying = {tables[0].seats.get(number=0).entry, tables[1].seats.get(number=0).entry}
    leaving = [one for one in made.entries.select_related("player") if one not in staying]
    # One of each table stays, so both tables have ended when two are left; before that the second one plays.
    for entry in leaving[:-1]:
        drop_out(**by(made), entry=entry)
    assert len(next_step(made).missing) == 1
    event = drop_out(**by(made), entry=leaving[-1])

    assert next_step(made).missing == ()
    with pytest.raises(Conflict, match="Only two players are left"):
        enter_late(**by(made), name="Gül")
    with pytest.raises(Conflict, match="undo that instead"):
        come_back(**by(made), entry=leaving[-1])
    undo_event(**by(made), event=event)
    assert len(next_step(made).missing) == 1
    assert made.entries.get(pk=leaving[-1].pk).status == "active"


def test_leaving_that_makes_the_last_two_stops_another_table_and_the_log_says_so() -> None:
    made = cast.challenge(6, target=5000, table_size=3)
    start(tournament=made, by=made.owner)
    first, second = made.rounds.get().tables.order_by("number")
    for at, seats in ((second, (2,)), (first, (0, 1, 2))):
        assert not made.log.filter(action="last-two").exists()
        for seat in seats:
            drop_out(**by(made), entry=at.seats.get(number=seat).entry)

    assert {one.table.number: one.state for one in tables_now(made.rounds.get())} == {1: ENDED, 2: STOPPED}
    [told] = made.log.filter(action="last-two")
    assert (told.round, told.new) == (1, [2])
    cast.go_on(made)
    assert [table.seats.count() for table in made.rounds.get(number=2).tables.all()] == [2]


def test_who_is_out_cannot_drop_out_and_is_reinstated_with_less_than_the_target(race: Tournament) -> None:
    farah = cast.entry(race, "Farah")
    adjust(**by(race), entry=farah, points=5000, reason="A very bad joke", round_number=1)
    with pytest.raises(Conflict, match="This player is already eliminated"):
        drop_out(**by(race), entry=farah)
    with pytest.raises(Conflict, match="reached the target of 5000"):
        reinstate(**by(race), entry=farah, reason="On appeal")
    adjust(**by(race), entry=farah, points=-5000, reason="The joke was good after all", round_number=1)
    assert line(race, "Farah").entrant.status == "out"
    with pytest.raises(Refused, match="Give a reason"):
        reinstate(**by(race), entry=farah, reason=" ")

    event = reinstate(**by(race), entry=farah, reason="On appeal")

    assert line(race, "Farah").entrant.status == "active"
    assert last_words(race) == "Round 1: Farah reinstated"
    undo_event(**by(race), event=event)
    assert line(race, "Farah").entrant.status == "out"


def test_nobody_is_reinstated_in_pairs(pairs: Tournament) -> None:
    with pytest.raises(Refused, match="No one is eliminated in this format"):
        reinstate(**by(pairs), entry=cast.entry(pairs, "Farah"), reason="Why not")
