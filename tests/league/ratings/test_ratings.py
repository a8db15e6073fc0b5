"""Ratings: what openskill says, whom a table rates, and that they are always those of the results as they are now."""

from datetime import date, timedelta

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from engine.paper import SeatReport
from games.hands.correct import correct_hand
from games.hands.judge import HandInput
from games.hands.repairs import KEEP, repair_hand
from games.models import Hand
from league.access.viewer import Attribution
from league.clubs import clubs
from league.clubs.merge import merge, undo_merge
from league.erasure.erase import erase_player
from league.models import Club, Entry, HandScore, Player, RatingPoint, Table, Tournament
from league.ratings import compute as rating
from league.ratings.compute import Taken, rate_what_changed, recompute_ratings
from league.ratings.model import NEW, Rating, Sat, Side, rate, sides_of
from league.ratings.results import out_of_date, people_of, positions, read_sides
from league.rounds.steps import start
from league.setup.stages.stage_plan import PlannedStage
from tests import cast

DAY = date(2026, 1, 10)


# What openskill says. Its manual ("The Basics"), and the figures of its own tests for ties.


def test_two_against_two_is_what_the_manual_of_openskill_prints():
    after = rate([Side((1, 2), 1), Side((3, 4), 2)], {})
    assert after == {
        1: (26.964294621803063, 8.177962604389991),
        2: (26.964294621803063, 8.177962604389991),
        3: (23.035705378196937, 8.177962604389991),
        4: (23.035705378196937, 8.177962604389991),
    }


def test_a_tie_of_unequal_sides_is_what_openskill_tests_itself_by():
    new = Rating(31.321989232514305, 11.379964801443018)
    after = rate([Side((1,), 1), Side((2, 3), 2), Side((4, 5, 6), 1)], dict.fromkeys(range(1, 7), new))
    assert after[1] == (33.21874815457553, 11.354896725884002)
    assert after[2] == after[3] == (30.27713112192334, 11.291328826858104)
    assert after[4] == after[5] == after[6] == (30.470088421044046, 11.249240904583088)


def test_a_rating_is_a_figure_and_how_far_the_truth_may_be_from_it():
    assert (NEW.figure, NEW.within, NEW.is_provisional) == (1500, 327, True)
    assert (Rating(27.5, 2.0).figure, Rating(27.5, 2.0).within, Rating(27.5, 2.0).is_provisional) == (1550, 78, False)


# Whom a table rates, and how it ended for them. People are 1, 2 ...; entries 11, 12 ...


def sat(seat, person, score, *, hands=4, first=1, entry=None):
    return Sat(seat, entry or 10 + seat, person, hands, first, score)


def test_partners_win_and_lose_together():
    four = [sat(0, 1, 70), sat(1, 2, 90), sat(2, 3, 70), sat(3, 4, 90)]
    assert sides_of(four, partners=True, lowest_wins=False) == (Side((1, 3), 2), Side((2, 4), 1))


def test_at_a_table_of_many_equal_points_are_a_tie_and_the_lowest_may_be_the_best():
    four = [sat(0, 1, 20), sat(1, 2, 55), sat(2, 3, 20), sat(3, 4, 7)]
    ranks = {side.members: side.rank for side in sides_of(four, partners=False, lowest_wins=True)}
    assert ranks == {(1,): 2, (2,): 4, (3,): 2, (4,): 1}


def test_who_was_out_after_two_hands_is_not_better_for_having_caught_no_more():
    three = [sat(0, 1, 60, hands=2), sat(1, 2, 80), sat(2, 3, 100)]
    ranks = {side.members: side.rank for side in sides_of(three, partners=False, lowest_wins=True)}
    assert ranks == {(1,): 3, (2,): 1, (3,): 2}


def test_a_substitute_is_rated_for_what_they_played_and_not_who_has_the_points():
    alone = [sat(0, 1, 30, hands=3), sat(0, 9, 90, hands=1, first=4), sat(1, 2, 80), sat(2, 3, 100)]
    ranks = {side.members: side.rank for side in sides_of(alone, partners=False, lowest_wins=True)}
    assert ranks == {(1,): 1, (2,): 2, (3,): 3, (9,): 4}
    pairs = [sat(0, 1, 5, hands=1), sat(0, 9, 65, hands=3, first=2), sat(1, 2, 10), sat(2, 3, 70), sat(3, 4, 10)]
    assert sides_of(pairs, partners=True, lowest_wins=False) == (Side((9, 3), 1), Side((2, 4), 2))
    half = [sat(0, 1, 5, hands=2), sat(0, 9, 65, hands=2, first=3), sat(1, 2, 10), sat(2, 3, 70), sat(3, 4, 10)]
    assert sides_of(half, partners=True, lowest_wins=False)[0].members == (1, 3), "of equals, who came first"


def test_nobody_is_their_own_opponent_when_seats_are_swapped_in_mid_table():
    swapped = [sat(0, 1, 10, hands=3), sat(0, 2, 0, hands=1, first=4), sat(2, 3, 10), sat(3, 4, 5)]
    swapped += [sat(1, 2, 5, hands=1), sat(1, 1, 0, hands=3, first=2)]
    assert sides_of(swapped, partners=True, lowest_wins=False) == (Side((1, 3), 1), Side((None, 4), 2))


def test_after_a_swap_of_seats_each_side_is_held_to_what_its_two_made():
    four = [sat(0, 1, 30, hands=3), sat(0, 2, 100, hands=1, first=4, entry=11), sat(2, 3, 30), sat(3, 4, 20)]
    four += [sat(1, 2, 20, hands=3), sat(1, 1, 0, hands=1, first=4, entry=10)]
    # Entry 10 made 30 in 4 hands and 12 as many; 11 made 120, and 13 20: by the seats it would be the other way round.
    assert sides_of(four, partners=True, lowest_wins=False) == (Side((1, 3), 2), Side((2, 4), 1))


def test_bots_and_stand_ins_play_as_somebody_new_and_learn_nothing():
    sides = sides_of([sat(0, 1, 9), sat(1, None, 3), sat(2, None, 3)], partners=False, lowest_wins=False)
    assert sorted(side.rank for side in sides) == [1, 2, 2]
    assert set(rate(sides, {})) == {1}
    assert sides_of([sat(0, None, 9), sat(1, None, 3)], partners=False, lowest_wins=False) == ()
    assert sides_of([sat(0, 1, 9)], partners=False, lowest_wins=False) == ()


# The ratings of a club.


@pytest.fixture
def club(db):
    made = Club.objects.create(slug="ludo", name="Café Ludo", owner=cast.organiser())
    Player.objects.bulk_create(Player(name=name, club=made) for name in cast.CAST)
    return made


def evening(club, number=1, players=4, *, close=True, **settings):
    """The first players of the cast play one round of pairs, and the hands of every evening differ."""
    wanted = {"rounds": 1, "club": club, "name": f"Evening {number}", "starts_on": DAY + timedelta(weeks=number)}
    made = cast.tournament(players, **(wanted | settings))
    start(tournament=made, by=made.owner)
    for at in Table.objects.filter(round__tournament=made).order_by("pk"):
        for hand in range(1, 5):
            cast.record(at, hand, (number + hand) % 3, (5, 10 + number, 20 * hand % 7, 30))
    if close:
        cast.go_on(made)
    return made


def correct(tournament, went_out=3):
    hand = Hand.objects.living().filter(table__round__tournament=tournament, number=1).order_by("table").first()
    reports = [SeatReport(seat, points_left=200 + 7 * seat) for seat in range(4) if seat != went_out]
    correct_hand(
        hand_id=hand.pk,
        version=None,
        hand=HandInput(hand.number, went_out, reports),
        reason="x",
        by=Attribution(tournament.owner),
    )


def points(club):
    """Everything that is stored, but for the keys of the rows."""
    rows = RatingPoint.objects.filter(club=club).order_by("at", "table_id", "player_id")
    return list(rows.values_list("at", "table_id", "player_id", "mu", "sigma", "basis"))


def from_scratch(club):
    RatingPoint.objects.filter(club=club).delete()
    recompute_ratings(club=club)
    return points(club)


def keys(tournaments):
    return set(RatingPoint.objects.filter(table__round__tournament__in=tournaments).values_list("pk", flat=True))


def test_a_table_counts_once_it_is_done_and_a_tournament_without_a_club_never(club):
    cast.play(cast.tournament(4, rounds=1))
    playing = evening(club, close=False)
    Table.objects.filter(round__tournament=playing).update(state=Table.State.PLAYING)
    recompute_ratings(club=club)
    assert points(club) == []
    Table.objects.filter(round__tournament=playing).update(state=Table.State.REPORTED)
    recompute_ratings(club=club)
    assert {Player.objects.get(pk=row[2]).name for row in points(club)} == set(cast.CAST[:4])
    Tournament.objects.filter(pk=playing.pk).update(kind=Tournament.Kind.CASUAL)
    recompute_ratings(club=club)
    assert points(club) == []


def test_the_worker_finds_what_changed_and_does_nothing_twice(club):
    assert rate_what_changed() == 0
    evening(club)
    assert list(out_of_date()) == [club]
    assert rate_what_changed() == 1
    before = list(RatingPoint.objects.values_list("pk", flat=True))
    assert len(before) == 4
    assert rate_what_changed() == 0
    recompute_ratings(club=club)
    assert list(RatingPoint.objects.values_list("pk", flat=True)) == before


def test_a_correction_in_an_old_evening_gives_what_a_computation_from_scratch_gives(club, monkeypatch):
    monkeypatch.setattr(rating, "BATCH", 2)
    evenings = [evening(club, number) for number in range(1, 8)]
    evenings.append(evening(club, 8, format="challenge", rounds=None, target=500))
    recompute_ratings(club=club)
    first, rest = keys(evenings[:2]), keys(evenings[2:])
    before = points(club)
    correct(evenings[2])
    assert rate_what_changed() == 1
    healed = points(club)
    assert healed != before
    assert keys(evenings[:2]) == first, "what precedes the corrected table was not touched"
    assert not keys(evenings[2:]) & rest
    assert healed == from_scratch(club)


def test_a_correction_that_changes_no_places_computes_nothing_anew(club):
    played = evening(club)
    recompute_ratings(club=club)
    before = keys([played])
    rows = HandScore.objects.living().filter(table__round__tournament=played, hand=1, score__gt=0)
    rows.update(score=rows.first().score + 1)
    recompute_ratings(club=club)
    assert keys([played]) == before


def test_who_is_killed_in_the_middle_goes_on_where_they_were(club, monkeypatch):
    monkeypatch.setattr(rating, "BATCH", 1)
    played = [evening(club, number) for number in range(1, 4)]

    def die(done, of):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        recompute_ratings(club=club, tell=die)
    done = keys(played[:2])
    assert len(done) == len(keys(played)) == 8
    assert list(out_of_date()) == [club]
    recompute_ratings(club=club)
    assert keys(played[:2]) == done
    assert points(club) == from_scratch(club)


def test_of_two_workers_at_once_one_stops_and_nothing_is_there_twice(club, monkeypatch):
    monkeypatch.setattr(rating, "BATCH", 1)
    for number in range(1, 4):
        evening(club, number)

    def meanwhile(done, of):
        if done == 1:
            recompute_ratings(club=club)

    with pytest.raises(Taken):
        recompute_ratings(club=club, tell=meanwhile)
    assert len(points(club)) == 12
    assert points(club) == from_scratch(club)


def test_a_turn_that_is_over_leaves_the_rest_to_the_next(club):
    evening(club)
    assert recompute_ratings(club=club, until=0.0) is False
    assert points(club) == []
    assert list(out_of_date()) == [club]


def test_two_records_of_one_person_are_rated_as_one_and_apart_again(club):
    evening(club, 1)
    guest = Player.objects.create(name="Ana L.", club=club)
    second = evening(club, 2)
    Entry.objects.filter(tournament=second, player__name=cast.CAST[0]).update(player=guest)
    recompute_ratings(club=club)
    apart = points(club)
    ana = Player.objects.get(name=cast.CAST[0])
    merged = merge(target=ana, source=guest, by=club.owner)
    assert rate_what_changed() == 1
    assert [row[2] for row in points(club)].count(ana.pk) == 2
    assert guest.pk not in [row[2] for row in points(club)]
    undo_merge(merge=merged, by=club.owner)
    assert rate_what_changed() == 1
    assert points(club) == apart


def test_the_two_of_a_team_are_rated_and_not_the_team(club):
    played = evening(club, players=cast.team_rows(2), format="teams")
    recompute_ratings(club=club)
    rated = {Player.objects.get(pk=row[2]).name: row[3] for row in points(club)}
    assert set(rated) == set(cast.CAST[:4])
    foxes, owls = (rated[cast.CAST[at]] for at in (0, 2))
    assert (foxes, owls) == (rated[cast.CAST[1]], rated[cast.CAST[3]])
    first = max(played.entries.all(), key=lambda one: sum(row.score for row in one.scores.all()))
    assert (first.player.name == cast.TEAMS[0]) == (foxes > owls)


def test_erasing_somebody_changes_no_rating(club):
    evening(club, 1)
    recompute_ratings(club=club)
    before = points(club)
    erase_player(player=Player.objects.get(name=cast.CAST[0], club=club), by=club.owner)
    rate_what_changed()
    assert points(club) == before


def test_an_evening_that_another_club_takes_over_takes_its_ratings_along(club):
    played = evening(club, 1)
    recompute_ratings(club=club)
    other = Club.objects.create(slug="other", name="Other", owner=club.owner)
    clubs.put_in_club(tournament=played, club=other, by=club.owner)
    recompute_ratings(club=other)
    assert len(points(other)) == 4
    recompute_ratings(club=club)
    assert points(club) == []


@pytest.mark.parametrize("settings", [{"format": "points"}, {"format": "challenge", "rounds": None}])
def test_what_counts_for_nobody_rates_nobody(club, settings):
    """A hand after the end of its game, by a correction, and of somebody who was out by then."""
    wanted = {"club": club, "name": "Evening", "rounds": 1, "target": 100, "starts_on": DAY} | settings
    made = cast.tournament(4, **wanted)
    start(tournament=made, by=made.owner)
    [table] = Table.objects.filter(round__tournament=made)
    first = cast.record(table, 1, 0, (0, 10, 20, 30)).hand
    cast.record(table, 2, 1, (20, 0, 80, 0))
    reports = [SeatReport(seat, points_left=left) for seat, left in ((1, 20), (2, 40), (3, 110))]
    correct_hand(
        hand_id=first.pk, version=None, hand=HandInput(first.number, 0, reports), reason="x", by=Attribution(made.owner)
    )
    Table.objects.update(state=Table.State.CONFIRMED)
    [sides] = read_sides(positions(club), people_of(club))
    seats = table.seats.order_by("number").values_list("entry__player", flat=True)
    ranks = {side.members[0]: side.rank for side in sides}
    assert [ranks[player] for player in seats] == ([1, 2, 2, 2] if settings["format"] == "points" else [1, 1, 3, 4])


def test_a_club_whose_ratings_fail_keeps_no_other_waiting(club, monkeypatch, caplog):
    evening(club)
    behind = Club.objects.create(slug="behind", name="Behind it", owner=club.owner, ratings_version=1)
    broken = club.pk

    def failing(*, club, until):
        return recompute_ratings(club=club, until=until) if club.pk != broken else 1 // 0

    monkeypatch.setattr(rating, "recompute_ratings", failing)
    monkeypatch.setattr(rating, "_looked_until", {})
    assert rate_what_changed() == 1
    assert list(out_of_date()) == [club] != [behind]
    assert "The ratings of the club ludo failed" in caplog.text
    assert rate_what_changed() == 0
    assert caplog.text.count("failed") == 1, "it is not tried every second"


def test_recording_a_hand_writes_no_row_of_the_club(club, django_assert_max_num_queries):
    played = evening(club, close=False)
    with django_assert_max_num_queries(40) as captured:
        correct(played)
    assert not [query for query in captured if 'UPDATE "league_club"' in query["sql"]]


def test_the_command_shows_how_far_it_is(club, capsys):
    evening(club)
    call_command("recompute_ratings", club.slug)
    assert capsys.readouterr().out == "0 of 1 tables\n1 of 1 tables\nCafé Ludo: ratings of 4 players are up to date.\n"
    first = keys(Tournament.objects.all())
    call_command("recompute_ratings", club.slug, anew=True)
    assert not keys(Tournament.objects.all()) & first
    with pytest.raises(CommandError, match="There is no club “nobody”"):
        call_command("recompute_ratings", "nobody")


def test_a_hand_that_was_counted_later_has_a_later_table(club):
    """Not the tables' keys are the order, but when they were played to their end."""
    first, second = (evening(club, number) for number in (1, 2))
    HandScore.objects.filter(table__round__tournament=first).update(counted_at=timezone.now() + timedelta(hours=1))
    recompute_ratings(club=club)
    assert [row[1] for row in points(club)][::4] == [
        Table.objects.get(round__tournament=second).pk,
        Table.objects.get(round__tournament=first).pk,
    ]


def test_what_counts_for_nobody_rates_nobody_in_later_stages_either(club):
    """A game to 60, which a correction ended with its first hand; then a knockout."""
    after = [PlannedStage("knockout", 2, settings={"hands_per_round": 1})]
    game = {"hands_per_round": None, "target": 60, "rounds": 1, "table_size": 4}
    made = cast.tournament(8, format="points", club=club, then=after, **game)
    start(tournament=made, by=made.owner)
    table, other = made.rounds.get(number=1).tables.order_by("number")
    for hand, (went_out, points) in enumerate([(0, (0, 10, 10, 10)), (1, (10, 0, 10, 10)), (0, (0, 10, 20, 10))], 1):
        cast.record(table, hand, went_out, points)
    cast.record(other, 1, 0, (0, 30, 30, 30))
    first = Hand.objects.living().get(table=table, number=1)
    reports = [SeatReport(seat, points_left=30) for seat in (0, 1, 3)]
    report, by = HandInput(1, 2, reports), Attribution(made.owner)
    repair_hand(hand_id=first.pk, version=None, hand=report, reason="Score slip", repair=KEEP, by=by)

    def sides():
        return read_sides([position for position in positions(club) if position.table == table.pk], people_of(club))

    cast.go_on(made)
    before = sides()
    assert [side.rank for side in before[0]] == [2, 2, 1, 2]
    for _step in ("cut", "publish"):
        cast.go_on(made)
    assert made.stages.get(number=2).started_at is not None and sides() == before
