"""The forecast: against every ending of a tiny tournament, counted in another way; and as it is shared by workers."""

from collections import Counter
from fractions import Fraction
from itertools import permutations, product

import pytest

from engine.scoring import score_hand
from engine.simulation import simulate as bots
from games.service.bots_play import play as play_by_bots
from league.day.entrants import drop_out
from league.models import Forecast, Table
from league.odds import compute as forecasting
from league.odds import hands as forecast_hands
from league.odds.compute import CHUNKS, run_forecasts
from league.odds.hands import HandPools, turn
from league.odds.position import outlook_of
from league.odds.simulate import Outcome, Position, Seated, ToDraw, simulate
from league.rounds.adjustments import adjust
from league.standings.ranking import AdjustmentRow, Entrant
from league.standings.tie_breaks import Played
from tests import cast

pytestmark = pytest.mark.slow

TIMES = 20_000
FOUR = ("a", "b", "c", "d")
HANDS = ((0, (0, 10, 20, 5)), (1, (7, 0, 3, 9)), (None, (4, 6, 8, 2)))  # who went out, what everybody holds


def pool(players, scoring, partners=False, teams=False):
    return [
        turn(out, left[:players], by, scoring, partners, teams)
        for out, left in HANDS
        if players == 4 or out is None or out < players
        for by in range(players)
    ]


def chances(tallies, entries=FOUR):
    return {entry: tallies[entry].won / TIMES if entry in tallies else 0.0 for entry in entries}


def agree(tallies, exact):
    """Four sigmas, of the right chance."""
    for entry, chance in exact.items():
        off = 4 * (float(chance * (1 - chance)) / TIMES) ** 0.5
        assert abs(chances(tallies)[entry] - chance) <= off, (entry, chances(tallies), exact)


def exactly(endings):
    """{entry: chance} of the winners of all endings, each as likely as any other."""
    won, count = Counter(), 0
    for winners in endings:
        count += 1
        won.update(winners)
    return {entry: Fraction(won[entry], count) for entry in FOUR}


def turns(players=4):
    """Every hand in every way of sitting: (who went out, what everybody holds), by seat."""
    for out, left in HANDS:
        for by in range(players):
            yield (
                None if out is None else (out + by) % players,
                [left[(seat - by) % players] for seat in range(players)],
            )


def test_two_hands_of_pairs_come_out_as_counting_all_144_endings_does_ties_broken_by_hands_won():
    start, seats, won_before = {"a": 50, "b": 40, "c": 47, "d": 30}, "abcd", {"a": 1, "b": 1, "c": 2, "d": 0}

    def endings():
        for hands in product(turns(), repeat=2):
            totals, won = dict(start), Counter(won_before)
            for out, left in hands:
                if out is not None:
                    for seat in (out, (out + 2) % 4):
                        totals[seats[seat]] += left[(out + 1) % 4] + left[(out + 3) % 4]
                        won[seats[seat]] += 1
            best = max((totals[one], won[one]) for one in seats)
            yield [one for one in seats if (totals[one], won[one]) == best]

    position = Position(
        entries=FOUR,
        hopefuls=4,
        totals=(50, 40, 47, 30),
        tables=(Seated(3, (0, 1, 2, 3), 2),),
        scoring="winner-takes",
        partners=True,
        entrants=tuple(Entrant(one, one, "", "active", at) for at, one in enumerate(FOUR)),
        # The tie-breaks see what was played before; here totals without hands, and hands won worth nothing.
        played={one: [played(won_before[one])] for one in FOUR},
        adjustments=tuple(AdjustmentRow(one, None, points) for one, points in start.items()),
        tie_breaks=("hands-won",),
    )
    exact = exactly(endings())
    assert 0 < exact["b"] < exact["a"]
    agree(simulate(position, {4: pool(4, "winner-takes", True)}, seed="1", simulations=TIMES), exact)


def played(won):
    return Played(1, None, frozenset(), won, won, 0, 0, 0, 0)


def test_a_team_s_points_count_once_and_where_the_lowest_wins_it_does():
    # Two teams, one hand: by hand, the better side is the one that does not fall behind.
    teams = Position(("a", "b"), 2, (10, 30), (Seated(1, (0, 1, 0, 1), 1),), scoring="winner-takes", partners=True)
    tallies = simulate(teams, {4: pool(4, "winner-takes", True, True)}, seed="1", simulations=TIMES)
    gains = [(out % 2, left[(out + 1) % 4] + left[(out + 3) % 4]) for out, left in turns() if out is not None]
    behind = Fraction(sum(side == 0 and gain > 20 for side, gain in gains), 12)
    level = Fraction(sum(side == 0 and gain == 20 for side, gain in gains), 12)
    agree(tallies, {"a": behind + level, "b": 1 - behind})  # who shares the first place has won too
    low = Position(FOUR, 4, (0, 0, 9, 9), (Seated(1, (0, 1, 2, 3), 1),), scoring="lowest-total", lowest_wins=True)

    def endings():
        for _out, left in turns():
            totals = [left[0], left[1], left[2] + 9, left[3] + 9]
            yield [FOUR[at] for at, total in enumerate(totals) if total == min(totals)]

    agree(simulate(low, {4: pool(4, "lowest-total")}, seed="1", simulations=TIMES), exactly(endings()))


def test_a_game_to_the_target_ends_with_the_hand_that_reaches_it():
    # 20 is made by one hand or by two: who is at 15 of it is nearly there, and a blocked hand is worth nothing.
    hands = [Outcome((20, 0), 0, (0, 20)), Outcome((0, 10), 1, (10, 0))]
    game = Position(("a", "b"), 2, (0, 9), (Seated(1, (0, 1), None, 20, (0, 0)),), scoring="winner-takes")

    def chance(a, b):  # of a to win, from a's and b's points of the game
        if a >= 20 or b >= 20:
            return Fraction(int(a > b + 9))
        return (chance(a + 20, b) + chance(a, b + 10)) / 2

    tallies = simulate(game, {2: hands}, seed="1", simulations=TIMES)
    agree(tallies, {"a": chance(0, 0), "b": 1 - chance(0, 0)})


def test_a_challenge_is_played_until_one_is_left_as_a_recursion_over_all_hands_has_it():
    target = 20
    two = [turn(0, (0, 10), by, "challenge") for by in range(2)]
    three = [turn(0, (0, 10, 5), by, "challenge") for by in range(3)]

    def chance(totals, hands):
        """{entry: chance}, from the totals of those who are in; hands: what they may catch next, in their order."""
        if len(totals) == 1:
            return {next(iter(totals)): Fraction(1)}
        found = Counter()
        for hand in hands:
            after = {name: total + caught for (name, total), caught in zip(totals.items(), hand, strict=True)}
            still = {name: total for name, total in after.items() if total < target} or {
                name: total for name, total in after.items() if total == min(after.values())
            }
            seated_by_lot = list(permutations((0, 10, 5)[: len(still)]))
            for name, share in chance(still, seated_by_lot).items():
                found[name] += share / len(hands)
        return found

    position = Position(("a", "b", "c"), 3, (15, 0, 10), (Seated(1, (0, 1, 2), 1),), ToDraw(2, 0, 4, 1), out_at=target)
    # The first hand at the table that is seated: a, b, c.
    exact = chance({"a": 15, "b": 0, "c": 10}, [(0, 10, 5), (5, 0, 10), (10, 5, 0)])
    tallies = simulate(position, {2: two, 3: three}, seed="1", simulations=TIMES)
    agree(tallies, exact | {"d": Fraction(0)})
    assert sum(tally.won for tally in tallies.values()) == TIMES


def test_the_same_seed_counts_the_same_and_another_chunk_does_not():
    position = Position(FOUR, 4, (0, 0, 0, 0), (Seated(1, (0, 1, 2, 3), 2),), scoring="challenge")
    pools = {4: pool(4, "challenge")}
    once, again, other = (simulate(position, pools, seed=seed, simulations=500) for seed in ("x:0", "x:0", "x:1"))
    assert once == again
    assert chances(once) != chances(other)


def test_the_hands_are_those_of_the_engine_and_no_seat_is_better_than_another(monkeypatch):
    monkeypatch.setattr(forecast_hands, "HANDS", 12)
    hands = HandPools("classic", "winner-takes", partners=True)[4]
    assert len(hands) == 48
    assert all(one.scores == score_hand("winner-takes", one.caught, one.went_out, True).scores for one in hands)
    assert len({sum(one.scores[seat] for one in hands) for seat in range(4)}) == 1
    assert {len(one.scores) for one in HandPools("classic", "winner-takes", partners=True, teams=True)[4]} == {2}


# ---------- tournaments and workers


@pytest.fixture
def quick(monkeypatch):
    """Few hands and small chunks, and no rest between turns."""
    monkeypatch.setattr(forecast_hands, "HANDS", 12)
    monkeypatch.setattr(forecasting, "MOST_IN_A_CHUNK", 60)
    monkeypatch.setattr(forecasting, "SHARE", 1.0)
    monkeypatch.setattr(forecasting, "TURN", 60.0)
    monkeypatch.setattr(forecasting, "_rests_until", 0.0)
    forecasting._position_at.cache_clear()  # knows how many simulations there are in a chunk


def ask(client, tournament):
    return client.get(f"/api/v1/tournaments/{tournament.slug}/odds/").json()


def made(format):
    """A tournament of each format in its second round, with a hand in."""
    if format == "pairs":
        return cast.play(cast.tournament(6, bye_points=7), rounds=2, close=False)
    if format == "teams":
        return cast.play(cast.teams(3), rounds=2)
    if format == "challenge":
        return cast.play_challenge(cast.challenge(5, table_size=3, target=150), rounds=1)
    target = 200 if format == "games" else None
    evening = cast.tournament(5, format="points", name="Points", target=target, rounds=3, scoring="lowest-total")
    play_by_bots(evening, seed=3, rounds=1, by=evening.owner, tell=lambda line: None)
    evening.refresh_from_db()
    cast.go_on(evening)
    return evening


@pytest.mark.django_db
@pytest.mark.parametrize("format", ["pairs", "teams", "challenge", "points", "games"])
def test_every_format_has_odds_that_add_up(format, quick, client):
    tournament = made(format)
    first = ask(client, tournament)
    assert (first["simulations"], {row["won"] for row in first["odds"]}) == (0, {None})
    assert run_forecasts() == CHUNKS
    odds = ask(client, tournament)
    assert (odds["complete"], odds["up_to_date"], odds["simulations"]) == (True, True, CHUNKS * 60)
    can_win = {"challenge": 2, "teams": 2}.get(format, tournament.entries.count())  # one of the teams can't any more
    assert len(odds["odds"]) == can_win
    shared = 0 if format == "challenge" else 60
    assert odds["simulations"] <= sum(row["won"] for row in odds["odds"]) <= odds["simulations"] + shared
    for row in odds["odds"]:
        assert row["low"] <= row["chance"] <= row["high"]
        assert (row["spare"] is None) == (format != "challenge")
        assert (row["hands_left"] is None) == (format in ("challenge", "games"))


@pytest.mark.django_db
def test_what_is_left_to_play_is_read_from_rounds_tables_and_byes():
    tournament = cast.play(cast.tournament(5, bye_points=7, hands_per_round=2), rounds=3)  # of 5, a bye each
    third = cast.table(tournament, 4, 1)
    cast.record(third, 1)
    position = outlook_of(tournament).position
    assert [(one.round, one.hands) for one in position.tables] == [(4, 1), (5, 2)]
    seats = [seat.entry.public_id for seat in third.seats.order_by("number")]
    assert [position.entries[player] for player in position.tables[0].players] == seats
    [waits] = set(position.entries) - {position.entries[player] for player in position.tables[1].players}
    line = next(line for line in outlook_of(tournament).lines if line.entrant.id == waits)
    assert position.totals[position.entries.index(waits)] == line.total + 7
    assert sorted(position.hands_left.values()) == [1, 2, 3, 3, 3]
    drop_out(tournament=tournament, entry=tournament.entries.get(public_id=waits), by=tournament.owner)
    assert waits not in outlook_of(tournament).position.hands_left


@pytest.mark.django_db
def test_chunks_of_results_that_have_changed_are_dropped_and_the_older_figures_stay_until_there_are_new_ones(
    quick, client, monkeypatch
):
    tournament = cast.play(cast.tournament(4), rounds=1)
    ask(client, tournament)
    run_forecasts()
    cast.record(cast.table(tournament, 2, 1), 1)
    stale = ask(client, tournament)
    assert (stale["up_to_date"], stale["simulations"]) == (False, CHUNKS * 60)
    of_before = Forecast.objects.filter(finished_at=None).values_list("log_hash", flat=True)[0]
    cast.record(cast.table(tournament, 2, 1), 2)
    assert run_forecasts() == 0
    assert not Forecast.objects.filter(log_hash=of_before).exists()
    assert ask(client, tournament)["simulations"] == CHUNKS * 60

    def changed_meanwhile(*args, **kwargs):
        adjust(
            tournament=tournament, entry=tournament.entries.first(), points=-5, reason="Late", round_number=2,
            by=tournament.owner,
        )  # fmt: skip
        Forecast.objects.filter(finished_at=None).delete()
        return {}

    with monkeypatch.context() as at_work:
        at_work.setattr(forecasting, "simulate", changed_meanwhile)
        run_forecasts()
    assert ask(client, tournament)["up_to_date"] is False
    run_forecasts()
    assert ask(client, tournament)["up_to_date"] is True
    assert Forecast.objects.count() == CHUNKS


@pytest.mark.django_db
def test_two_workers_share_the_chunks_and_none_is_counted_twice(quick, client, monkeypatch):
    tournament = cast.play(cast.tournament(4), rounds=1)
    ask(client, tournament)
    counted, simulated = [], forecasting.simulate

    def with_another_at_work(position, pools, *, seed, simulations, patience):
        counted.append(seed)
        if len(counted) < 8:
            forecasting.run_forecasts()  # the other worker, in the middle of this one's chunk
        return simulated(position, pools, seed=seed, simulations=simulations, patience=patience)

    monkeypatch.setattr(forecasting, "simulate", with_another_at_work)
    run_forecasts()
    assert len(counted) == len(set(counted)) == CHUNKS
    shared = ask(client, tournament)
    Forecast.objects.all().delete()
    monkeypatch.setattr(forecasting, "simulate", simulated)
    ask(client, tournament)
    run_forecasts()
    assert ask(client, tournament) == shared  # as one worker alone counts it


@pytest.mark.django_db
def test_a_chunk_whose_worker_died_is_counted_by_the_next_one_and_the_dead_one_writes_nothing(quick, client):
    tournament = cast.play(cast.tournament(4), rounds=1)
    ask(client, tournament)
    dead = forecasting._claim()
    Forecast.objects.filter(pk=dead.pk).update(started_at=dead.started_at - 2 * forecasting.STUCK_AFTER)
    assert run_forecasts() == CHUNKS
    forecasting._write(dead, 7, {})
    assert ask(client, tournament)["simulations"] == CHUNKS * 60


@pytest.mark.django_db
def test_what_is_too_much_to_count_is_given_up_and_says_so_until_the_next_result(quick, client, monkeypatch):
    tournament = cast.play(cast.tournament(4), rounds=1)
    ask(client, tournament)
    with monkeypatch.context() as at_work:
        at_work.setattr(forecasting, "HANDS", CHUNKS * forecasting.FEWEST_IN_A_CHUNK * 7)  # there are eight to come
        assert run_forecasts() == 1
    assert ask(client, tournament)["why_not"].startswith("Too many hands are left")
    assert run_forecasts() == 0
    cast.record(cast.table(tournament, 2, 1), 1)
    assert ask(client, tournament)["why_not"] is None
    monkeypatch.setattr(forecasting, "PATIENCE", -1.0)
    assert run_forecasts() == 1
    assert ask(client, tournament)["why_not"].startswith("Too many hands are left")


@pytest.mark.django_db
@pytest.mark.parametrize(("where", "what"), [(bots, "MOST_MOVES"), (forecast_hands, "PATIENCE")])
def test_hands_that_bots_do_not_end_are_given_up_and_the_page_says_so(quick, client, monkeypatch, where, what):
    """As once did hands of nine in which the same Reverses were drawn and played for ever."""
    forecast_hands._play_hands.cache_clear()
    forecast_hands._pool.cache_clear()
    tournament = cast.play(cast.tournament(4), rounds=1)
    ask(client, tournament)
    monkeypatch.setattr(where, what, -1)
    assert run_forecasts() == 1
    assert ask(client, tournament)["why_not"].startswith("Too many hands are left")


@pytest.mark.django_db
def test_a_chunk_that_fails_is_not_tried_for_ever_and_the_others_are_shown(quick, client, monkeypatch):
    tournament = cast.play(cast.tournament(4), rounds=1)
    ask(client, tournament)
    simulated, tried = forecasting.simulate, []

    def failing(position, pools, *, seed, **more):
        tried.append(seed)
        if seed.endswith(":3"):
            raise ZeroDivisionError
        return simulated(position, pools, seed=seed, **more)

    monkeypatch.setattr(forecasting, "simulate", failing)
    for _turn in range(2):
        run_forecasts()
        Forecast.objects.filter(finished_at=None).update(started_at=None)  # as if its worker was dead
    assert len(tried) == CHUNKS
    shown = ask(client, tournament)
    assert (shown["complete"], shown["simulations"]) == (True, (CHUNKS - 1) * 60)


@pytest.mark.django_db
def test_the_position_is_that_of_now_and_not_of_a_tournament_that_was_read_before(quick):
    tournament = cast.play(cast.tournament(4), rounds=1)
    running = type(tournament).objects.get(pk=tournament.pk)
    type(tournament).objects.filter(pk=tournament.pk).update(state="closed")
    assert outlook_of(running).position is None
    type(tournament).objects.filter(pk=tournament.pk).update(state="running", kind="casual")
    assert outlook_of(running).position is None


@pytest.mark.django_db
def test_it_is_asked_for_once_and_nothing_is_counted_where_nobody_looks(quick, client):
    tournament = cast.play(cast.tournament(4), rounds=1)
    assert run_forecasts() == 0
    for _look in range(2):
        ask(client, tournament)
        assert Forecast.objects.count() == CHUNKS
        Forecast.objects.filter(chunk=4).delete()  # one that was lost is asked for again


@pytest.mark.django_db
def test_where_nothing_can_be_said_it_says_why(quick, client):
    planned = cast.tournament(4)
    assert ask(client, planned)["why_not"].startswith("All players have the same chance")
    tournament = cast.play(planned, rounds=3, close=False)
    assert ask(client, tournament)["why_not"] == "All hands are recorded. See the standings for the winner."
    assert Table.objects.filter(round__tournament=tournament).count() == 3
    tournament = cast.play(tournament)
    for _step in range(2):
        cast.go_on(tournament)
    assert ask(client, tournament)["why_not"].startswith("The tournament has ended")
    assert not Forecast.objects.exists()
