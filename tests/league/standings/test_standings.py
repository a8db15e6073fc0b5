"""Standings as pure arithmetic: small crosstables drawn by hand, then a naive recomputation of random tournaments."""

from collections import defaultdict
from hashlib import sha256
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.standings.ranking import AdjustmentRow, Entrant, Score, standings
from league.standings.tie_breaks import DEFAULT_ORDER, TIE_BREAKS

CAST = ["Ana Lucía", "Benoît", "Chidi", "Đorđe", "Émilie", "Farah", "Xiaoming", "Zoë"]
ANA, BENOIT, CHIDI, DORDE, EMILIE, FARAH, XIAOMING, ZOE = CAST


def entrant(name, status="active", number=None):
    return Entrant(id=name, name=name, club="", status=status, number=CAST.index(name) if number is None else number)


def entrants(*names):
    return [entrant(name) for name in names]


def duel(winner, loser, points, *, table, round=1, hand=1):
    """A hand of two: the loser held `points` points, and they go to the winner."""
    return [
        Score(table, round, hand, 0, winner, None, True, 0, points, 0, points),
        Score(table, round, hand, 1, loser, None, False, points, 0, points, 0),
    ]


def partners_hand(seats, left, out, *, table=1, round=1, hand=1):
    """A hand of two pairs, 0+2 against 1+3 (TEAM-3). left: points left by seat; out: who went out, None if blocked."""
    rows = []
    for seat, name in enumerate(seats):
        made = 0 if out is None or seat % 2 != out % 2 else sum(left) - left[out] - left[(out + 2) % 4]
        given = 0 if out is None or seat % 2 == out % 2 else left[seat] + left[(seat + 2) % 4]
        rows.append(
            Score(
                table=table, round=round, hand=hand, seat=seat, entry=name, partner=seats[(seat + 2) % 4],
                went_out=seat == out, points_left=left[seat], points_for=made, points_against=given, score=made,
            )
        )  # fmt: skip
    return rows


def ranks(lines):
    return [(line.rank, line.entrant.name) for line in lines]


def line_of(lines, name):
    return next(line for line in lines if line.entrant.name == name)


def value(lines, name, code, order=DEFAULT_ORDER):
    return line_of(lines, name).tie_breaks[order.index(code)]


def test_before_the_first_hand_everybody_shares_rank_one_in_the_order_of_the_draw():
    drawn = [entrant(ZOE, number=1), entrant(ANA, number=2), entrant(CHIDI, number=3)]
    lines = standings(entrants=reversed(drawn), scores=[])
    assert ranks(lines) == [(1, ZOE), (1, ANA), (1, CHIDI)]
    assert all(line.tied and line.decided_by is None for line in lines)


def test_nobody_at_all_gives_no_lines():
    assert standings(entrants=[], scores=[]) == []


def test_both_partners_are_credited_with_what_the_opponents_held():
    # Seats 0+2: Ana and Chidi; 1+3: Benoît and Đorđe. Chidi goes out, Ana's own 7 count for nobody.
    rows = partners_hand([ANA, BENOIT, CHIDI, DORDE], [7, 20, 0, 31], out=2)
    lines = standings(entrants=entrants(ANA, BENOIT, CHIDI, DORDE), scores=rows)
    ana, benoit = line_of(lines, ANA), line_of(lines, BENOIT)
    assert (ana.total, ana.points_for, ana.points_against, ana.difference, ana.points_caught) == (51, 51, 0, 51, 7)
    assert (benoit.total, benoit.points_for, benoit.points_against, benoit.difference) == (0, 0, 51, -51)
    assert benoit.points_caught == 20


def test_a_hand_the_partner_won_counts_as_won():
    lines = standings(
        entrants=entrants(ANA, BENOIT, CHIDI, DORDE),
        scores=partners_hand([ANA, BENOIT, CHIDI, DORDE], [7, 20, 0, 31], out=2),
    )
    assert [line_of(lines, name).hands_won for name in (ANA, BENOIT, CHIDI, DORDE)] == [1, 0, 1, 0]


def test_a_win_of_no_points_counts_and_a_blocked_hand_does_not():
    seats = [ANA, BENOIT, CHIDI, DORDE]
    rows = partners_hand(seats, [0, 0, 9, 0], out=0, hand=1) + partners_hand(seats, [5, 5, 5, 5], out=None, hand=2)
    lines = standings(entrants=entrants(*seats), scores=rows)
    assert line_of(lines, ANA).hands_won == 1
    assert line_of(lines, ANA).hands_played == 2
    assert line_of(lines, ANA).points_for == 0
    assert line_of(lines, BENOIT).hands_won == 0


def test_points_nobody_wrote_down_count_as_none_caught():
    rows = [row._replace(points_left=None) for row in duel(ANA, BENOIT, 12, table=1)]
    assert line_of(standings(entrants=entrants(ANA, BENOIT), scores=rows), BENOIT).points_caught == 0


def test_a_team_with_two_seats_counts_the_hand_once():
    # Two teams as entries; both rows of a team carry the hand's 51 points.
    rows = partners_hand([ANA, BENOIT, ANA, BENOIT], [7, 20, 0, 31], out=2)
    lines = standings(entrants=entrants(ANA, BENOIT), scores=rows)
    ana, benoit = lines
    assert (ana.total, ana.hands_played, ana.hands_won, ana.points_caught) == (51, 1, 1, 7)
    assert (benoit.points_against, benoit.points_caught, benoit.best_partner) == (51, 51, None)


def test_adjustments_change_the_total_and_the_points_of_their_round():
    rows = duel(ANA, BENOIT, 40, table=1, round=1) + duel(ANA, BENOIT, 30, table=2, round=2)
    lines = standings(
        entrants=entrants(ANA, BENOIT),
        scores=rows,
        adjustments=[AdjustmentRow(ANA, 2, -25), AdjustmentRow(ANA, None, 100), AdjustmentRow(BENOIT, 3, 10)],
    )
    ana, benoit = line_of(lines, ANA), line_of(lines, BENOIT)
    assert (ana.total, ana.adjustments, ana.points_for) == (145, 75, 70)
    assert ana.by_round == {1: 40, 2: 5}
    assert benoit.by_round == {1: 0, 2: 0, 3: 10}
    assert benoit.rounds_played == 2


def test_as_of_a_round_leaves_out_later_rounds_and_later_adjustments_but_keeps_what_was_carried():
    rows = duel(ANA, BENOIT, 40, table=1, round=1) + duel(BENOIT, ANA, 90, table=2, round=2)
    added = [AdjustmentRow(ANA, None, 7), AdjustmentRow(ANA, 1, 1), AdjustmentRow(ANA, 2, -500)]
    after_one = standings(entrants=entrants(ANA, BENOIT), scores=rows, adjustments=added, as_of_round=1)
    assert [(line.entrant.name, line.total) for line in after_one] == [(ANA, 48), (BENOIT, 0)]
    now = standings(entrants=entrants(ANA, BENOIT), scores=rows, adjustments=added)
    assert [(line.entrant.name, line.total) for line in now] == [(BENOIT, 90), (ANA, -452)]


def test_after_a_shared_rank_the_next_one_is_skipped():
    rows = duel(ANA, FARAH, 50, table=1) + duel(BENOIT, XIAOMING, 20, table=2) + duel(CHIDI, ZOE, 20, table=3)
    lines = standings(entrants=entrants(ANA, BENOIT, CHIDI, DORDE), scores=rows)
    assert ranks(lines) == [(1, ANA), (2, BENOIT), (2, CHIDI), (4, DORDE)]
    assert [line.tied for line in lines] == [False, True, True, False]


def test_inside_a_shared_rank_the_draw_orders_and_then_the_name():
    same = [entrant(ZOE, number=1), entrant(CHIDI, number=1), entrant(ANA, number=2)]
    assert [line.entrant.name for line in standings(entrants=same, scores=[])] == [CHIDI, ZOE, ANA]


def test_who_dropped_is_listed_after_the_active_and_ranks_go_on():
    rows = duel(ZOE, ANA, 90, table=1) + duel(BENOIT, ANA, 10, table=2)
    people = [entrant(ANA), entrant(BENOIT), entrant(ZOE, "dropped"), entrant(FARAH, "dropped")]
    lines = standings(entrants=people, scores=rows)
    assert ranks(lines) == [(1, BENOIT), (2, ANA), (3, ZOE), (4, FARAH)]


def test_who_is_out_is_listed_between_the_active_and_the_dropped():
    rows = duel(ZOE, ANA, 90, table=1) + duel(FARAH, ANA, 80, table=2)
    lines = standings(entrants=[entrant(ZOE, "dropped"), entrant(FARAH, "out"), entrant(ANA)], scores=rows)
    assert ranks(lines) == [(1, ANA), (2, FARAH), (3, ZOE)]


def test_a_standin_has_a_line_but_no_rank():
    rows = duel(ZOE, ANA, 90, table=1)
    lines = standings(entrants=[entrant(ZOE, "standin"), entrant(ANA)], scores=rows)
    assert ranks(lines) == [(1, ANA), (None, ZOE)]
    assert lines[1].total == 90
    assert not lines[1].tied


def test_a_dropped_player_with_the_same_total_is_not_tied_with_an_active_one():
    lines = standings(entrants=[entrant(ANA), entrant(ZOE, "dropped")], scores=[])
    assert [line.tied for line in lines] == [False, False]
    assert [line.decided_by for line in lines] == [None, None]


def test_the_lowest_total_can_win():
    rows = [row._replace(score=row.points_left) for row in duel(ANA, BENOIT, 40, table=1)]
    lines = standings(entrants=entrants(ANA, BENOIT), scores=rows, lowest_wins=True)
    assert [(line.rank, line.entrant.name, line.total) for line in lines] == [(1, ANA, 0), (2, BENOIT, 40)]


def test_hands_won_separates_equal_totals_first():
    # Ana made 40 in one hand, Benoît in two; they never met.
    rows = duel(ANA, CHIDI, 40, table=1) + duel(BENOIT, DORDE, 15, table=2) + duel(BENOIT, DORDE, 25, table=2, hand=2)
    lines = standings(entrants=entrants(ANA, BENOIT), scores=rows)
    assert ranks(lines) == [(1, BENOIT), (2, ANA)]
    assert [line.decided_by for line in lines] == ["hands-won", "hands-won"]
    assert value(lines, ANA, "head-to-head") is None


def test_head_to_head_is_the_points_scored_against_the_tied():
    #          Ana  Ben  Chi    total, two hands won each
    # Ana       .    30   10      40
    # Benoît   20     .   20      40
    # They meet the tied in every hand but the ones with Chidi, who is last.
    rows = (
        duel(ANA, BENOIT, 30, table=1)
        + duel(BENOIT, ANA, 20, table=1, hand=2)
        + duel(ANA, CHIDI, 10, table=2)
        + duel(BENOIT, CHIDI, 20, table=3)
    )
    lines = standings(entrants=entrants(ANA, BENOIT, CHIDI), scores=rows)
    assert ranks(lines) == [(1, ANA), (2, BENOIT), (3, CHIDI)]
    assert (value(lines, ANA, "head-to-head"), value(lines, BENOIT, "head-to-head")) == (30, 20)
    assert [line.decided_by for line in lines] == ["head-to-head", "head-to-head", None]


def test_head_to_head_is_skipped_unless_all_the_tied_have_met():
    # Ana beat Benoît and Benoît beat Chidi, but Ana never met Chidi: 30 each, one hand won each.
    rows = duel(ANA, BENOIT, 30, table=1) + duel(BENOIT, CHIDI, 30, table=2) + duel(CHIDI, DORDE, 30, table=3)
    lines = standings(entrants=entrants(ANA, BENOIT, CHIDI), scores=rows, tie_breaks=["head-to-head", "hands-won"])
    assert ranks(lines) == [(1, ANA), (1, BENOIT), (1, CHIDI)]
    assert [line.tie_breaks for line in lines] == [(None, 1), (None, 1), (None, 1)]


def test_after_a_split_head_to_head_starts_again_among_the_rest():
    #          Ana  Ben  Chi  outside   total   against the tied
    # Ana       .    30   30     0        60       60
    # Benoît    0     .   20    40        60       20
    # Chidi    10    10    .    40        60       20
    # Ana is first; Benoît and Chidi are equal at 20, but of their own hands 20 : 10 went to Benoît.
    rows = (
        duel(ANA, BENOIT, 30, table=1)
        + duel(ANA, CHIDI, 30, table=2)
        + duel(BENOIT, CHIDI, 20, table=3)
        + duel(CHIDI, ANA, 10, table=4)
        + duel(CHIDI, BENOIT, 10, table=5)
        + duel(BENOIT, DORDE, 40, table=6)
        + duel(CHIDI, DORDE, 40, table=7)
    )
    lines = standings(entrants=entrants(ANA, BENOIT, CHIDI, DORDE), scores=rows, tie_breaks=["head-to-head"])
    assert ranks(lines) == [(1, ANA), (2, BENOIT), (3, CHIDI), (4, DORDE)]
    # The column shows the points against all three, which is what put Ana first.
    assert [line.tie_breaks for line in lines] == [(60,), (20,), (20,), (None,)]
    assert [line.decided_by for line in lines] == ["head-to-head"] * 3 + [None]


def test_after_another_tie_break_split_the_rest_go_on_to_the_next():
    # Three tied on 40. Two hands won put Chidi first; Ana and Benoît have not met, so what they conceded decides.
    rows = (
        duel(CHIDI, ZOE, 15, table=1)
        + duel(CHIDI, ZOE, 25, table=1, hand=2)
        + duel(ANA, ZOE, 40, table=2)
        + duel(BENOIT, ZOE, 40, table=3)
        + duel(ZOE, ANA, 8, table=4)
        + duel(ZOE, BENOIT, 3, table=5)
    )
    lines = standings(entrants=entrants(ANA, BENOIT, CHIDI), scores=rows)
    assert ranks(lines) == [(1, CHIDI), (2, BENOIT), (3, ANA)]
    assert [line.decided_by for line in lines] == ["hands-won", "fewest-conceded", "fewest-conceded"]


def test_head_to_head_is_not_asked_again_after_a_later_tie_break_split():
    # Not all of the three have met, so head-to-head is skipped; conceding nothing puts Chidi first. Between Ana and
    # Benoît the 20 : 10 of their own hands would count now, but its turn is over.
    #          Ana  Ben  outside   total   conceded
    # Ana       .    20     0        20       10 + 10
    # Benoît   10     .    10        20       20
    # Chidi                20        20        0
    rows = (
        duel(ANA, BENOIT, 20, table=1)
        + duel(BENOIT, ANA, 10, table=2)
        + duel(ZOE, ANA, 10, table=3)
        + duel(BENOIT, ZOE, 10, table=4)
        + duel(CHIDI, ZOE, 20, table=5)
    )
    order = ("head-to-head", "fewest-conceded")
    lines = standings(entrants=entrants(ANA, BENOIT, CHIDI), scores=rows, tie_breaks=order)
    assert ranks(lines) == [(1, CHIDI), (2, ANA), (2, BENOIT)]
    assert {line.tie_breaks[0] for line in lines} == {None}


def test_partners_who_never_sat_against_each_other_have_not_met():
    rows = partners_hand([ANA, BENOIT, CHIDI, DORDE], [0, 20, 5, 30], out=0)
    lines = standings(entrants=entrants(ANA, BENOIT, CHIDI, DORDE), scores=rows, tie_breaks=["head-to-head"])
    assert ranks(lines) == [(1, ANA), (1, CHIDI), (3, BENOIT), (3, DORDE)]
    assert value(lines, ANA, "head-to-head", ["head-to-head"]) is None


def test_a_hand_against_two_of_the_tied_counts_once():
    # One table of three without partners: 50 for Ana, then 50 for Benoît, then 50 for Chidi.
    rows = []
    for hand, winner in enumerate([ANA, BENOIT, CHIDI], start=1):
        for seat, name in enumerate([ANA, BENOIT, CHIDI]):
            won = name == winner
            rows.append(
                Score(1, 1, hand, seat, name, None, won, 0 if won else 25, 50 if won else 0, 0 if won else 25, 50 * won)
            )
    lines = standings(entrants=entrants(ANA, BENOIT, CHIDI), scores=rows)
    assert [value(lines, name, "head-to-head") for name in (ANA, BENOIT, CHIDI)] == [50, 50, 50]
    assert [line.rank for line in lines] == [1, 1, 1]


def test_the_best_round_is_the_last_of_the_default_order():
    #          round 1   round 2   conceded
    # Ana         20        20        0
    # Benoît      30        10        0       the better single round
    rows = (
        duel(ANA, CHIDI, 20, table=1)
        + duel(ANA, CHIDI, 20, table=2, round=2)
        + duel(BENOIT, DORDE, 30, table=3)
        + duel(BENOIT, DORDE, 10, table=4, round=2)
    )
    lines = standings(entrants=entrants(ANA, BENOIT), scores=rows)
    assert ranks(lines) == [(1, BENOIT), (2, ANA)]
    assert lines[0].decided_by == "best-round"
    assert [line.tie_breaks for line in lines] == [(2, None, 0, 30), (2, None, 0, 20)]


def test_a_penalty_does_not_change_the_best_round():
    rows = duel(ANA, BENOIT, 20, table=1)
    lines = standings(entrants=entrants(ANA, BENOIT), scores=rows, adjustments=[AdjustmentRow(ANA, 1, -15)])
    assert value(lines, ANA, "best-round") == 20


def test_where_the_lowest_total_wins_the_best_round_is_still_the_one_with_most_points_scored():
    rows = [row._replace(score=row.points_left) for row in duel(ANA, BENOIT, 40, table=1)]
    lines = standings(entrants=entrants(ANA, BENOIT), scores=rows, lowest_wins=True)
    assert (value(lines, ANA, "best-round"), value(lines, BENOIT, "best-round")) == (40, 0)


def test_a_lot_separates_everybody_and_anybody_with_the_seed_can_draw_it_again():
    lines = standings(entrants=entrants(*CAST), scores=[], tie_breaks=["lot"], lot_seed="Autumn 2026")
    by_hand = sorted(CAST, key=lambda name: sha256(("Autumn 2026" + name).encode()).hexdigest())
    assert ranks(lines) == list(enumerate(by_hand, start=1))
    assert [line.tie_breaks for line in lines] == [(place,) for place in range(1, 9)]
    assert {line.decided_by for line in lines} == {"lot"}


def test_another_seed_draws_another_order():
    drawn = [
        ranks(standings(entrants=entrants(*CAST), scores=[], tie_breaks=["lot"], lot_seed=seed)) for seed in ("a", "b")
    ]
    assert drawn[0] != drawn[1]


def test_the_lot_is_drawn_only_when_it_is_asked_for():
    assert "lot" in TIE_BREAKS
    assert "lot" not in DEFAULT_ORDER


def test_without_tie_breaks_equal_totals_share_the_rank():
    rows = duel(ANA, CHIDI, 40, table=1) + duel(BENOIT, DORDE, 15, table=2) + duel(BENOIT, DORDE, 25, table=2, hand=2)
    lines = standings(entrants=entrants(ANA, BENOIT), scores=rows, tie_breaks=())
    assert ranks(lines) == [(1, ANA), (1, BENOIT)]
    assert [line.tie_breaks for line in lines] == [(), ()]


def test_an_unknown_tie_break_is_named_with_the_ones_there_are():
    with pytest.raises(ValueError, match=r"No such tie-break: buchholz\. There are: hands-won"):
        standings(entrants=[], scores=[], tie_breaks=["buchholz"])


def test_every_tie_break_says_what_it_is_and_where_it_comes_from():
    for code, tie_break in TIE_BREAKS.items():
        assert tie_break.code == code
        assert tie_break.name and tie_break.description and tie_break.source
        assert tie_break.direction in ("most", "least")
    assert set(DEFAULT_ORDER) < set(TIE_BREAKS)


def test_the_best_partner_is_the_one_most_points_were_made_with():
    rows = (
        partners_hand([ANA, BENOIT, CHIDI, DORDE], [0, 20, 5, 30], out=0, hand=1)
        + partners_hand([ANA, BENOIT, DORDE, CHIDI], [0, 40, 5, 30], out=0, hand=2)
        + partners_hand([ANA, BENOIT, DORDE, CHIDI], [9, 0, 9, 9], out=1, hand=3)
    )
    lines = standings(entrants=entrants(ANA, BENOIT, CHIDI, DORDE), scores=rows)
    assert line_of(lines, ANA).best_partner == DORDE
    assert line_of(lines, BENOIT).best_partner == CHIDI


def test_equally_good_partners_are_settled_by_name_and_no_points_is_no_best_partner():
    rows = partners_hand([ANA, BENOIT, ZOE, DORDE], [0, 20, 5, 30], out=0, hand=1) + partners_hand(
        [ANA, BENOIT, CHIDI, DORDE], [0, 20, 5, 30], out=0, hand=2
    )
    lines = standings(entrants=entrants(ANA, BENOIT, CHIDI, DORDE, ZOE), scores=rows)
    assert line_of(lines, ANA).best_partner == CHIDI
    assert line_of(lines, BENOIT).best_partner is None


def test_scores_of_somebody_not_listed_still_make_an_opponent():
    # Đorđe's entry is not in this list (a category, say), but the two who are listed met him, not each other.
    rows = duel(ANA, DORDE, 30, table=1) + duel(BENOIT, DORDE, 30, table=2)
    lines = standings(entrants=entrants(ANA, BENOIT), scores=rows)
    assert ranks(lines) == [(1, ANA), (1, BENOIT)]


def test_a_tournament_of_256_is_ranked_without_gaps():
    names = [f"p{number:03}" for number in range(256)]
    people = [Entrant(name, name, "", "active", number) for number, name in enumerate(names)]
    rows = []
    for round in range(1, 8):
        seated = [names[(number * (2 * round + 1)) % 256] for number in range(256)]
        for at in range(0, 256, 4):
            for hand in range(1, 5):
                left = [(at * hand + seat * round) % 60 for seat in range(4)]
                table = round * 1000 + at
                rows += partners_hand(seated[at : at + 4], left, out=hand - 1, table=table, round=round, hand=hand)
    lines = standings(entrants=people, scores=rows, tie_breaks=[*DEFAULT_ORDER, "lot"])
    assert [line.rank for line in lines] == list(range(1, 257))
    assert {line.hands_played for line in lines} == {28}


# A random tournament of eight, some of it at one table of four with partners, some at a table without, small points so
# that ties are common.
NAMES = st.sampled_from(CAST)
HAND = st.tuples(
    st.lists(NAMES, min_size=4, max_size=4, unique=True),
    st.lists(st.integers(0, 2), min_size=4, max_size=4),
    st.none() | st.integers(0, 3),
    st.integers(1, 3),
    st.booleans(),
)
ADJUSTMENT = st.builds(AdjustmentRow, NAMES, st.none() | st.integers(1, 3), st.integers(-2, 2))


def ledger(hands):
    rows = []
    for table, (seats, left, out, round, partners) in enumerate(hands):
        played = partners_hand(seats, left, out, table=table, round=round)
        rows += played if partners else [row._replace(partner=None) for row in played]
    return rows


def naive(name, rows, adjustments):
    """Total, hands won, conceded and best round, each by going through the whole ledger."""
    own = [row for row in rows if row.entry == name]
    winners = {(row.table, row.hand): row.entry for row in rows if row.went_out}
    won = sum(winners.get((row.table, row.hand), "nobody") in (name, row.partner) for row in own)
    rounds = defaultdict(int)
    for row in own:
        rounds[row.round] += row.points_for
    total = sum(row.score for row in own) + sum(row.points for row in adjustments if row.entry == name)
    return total, won, sum(row.points_against for row in own), max(rounds.values(), default=0)


@settings(max_examples=60)
@given(st.lists(HAND, max_size=12), st.lists(ADJUSTMENT, max_size=4), st.booleans())
def test_totals_and_order_agree_with_a_naive_recomputation(hands, adjustments, lowest_wins):
    rows = ledger(hands)
    order = ("hands-won", "fewest-conceded", "best-round")
    lines = standings(
        entrants=entrants(*CAST), scores=rows, adjustments=adjustments, tie_breaks=order, lowest_wins=lowest_wins
    )
    expected = {name: naive(name, rows, adjustments) for name in CAST}
    keys = []
    for line in lines:
        total, won, conceded, best = expected[line.entrant.name]
        assert (line.total, *line.tie_breaks) == (total, won, conceded, best)
        assert sum(line.by_round.values()) == total - sum(
            row.points for row in adjustments if row.entry == line.entrant.name and row.round is None
        )
        keys.append((total if lowest_wins else -total, -won, conceded, -best))
    assert keys == sorted(keys)
    for (one, one_key), (two, two_key) in pairwise(zip(lines, keys, strict=True)):
        assert (one.rank == two.rank) == (one_key == two_key)
    assert [line.rank for line in lines] == [1 + sum(other < key for other in keys) for key in keys]
    assert [line.tied for line in lines] == [keys.count(key) > 1 for key in keys]


@settings(max_examples=60)
@given(st.lists(HAND, max_size=12), st.lists(ADJUSTMENT, max_size=4), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_changes_nothing(hands, adjustments, random):
    rows, people = ledger(hands), entrants(*CAST)
    before = standings(entrants=people, scores=rows, adjustments=adjustments)
    for shuffled in (rows, adjustments, people):
        random.shuffle(shuffled)
    assert standings(entrants=people, scores=rows, adjustments=adjustments) == before


def naive_head_to_head(tied, rows):
    """Lists of names, the best first: if every pair has met, by points against the tied, and so on inside each list."""
    met, points = set(), dict.fromkeys(tied, 0)
    for row in rows:
        others = {other.entry for other in rows if (other.table, other.hand) == (row.table, row.hand)}
        opponents = others - {row.entry, row.partner}
        met |= {(row.entry, other) for other in opponents}
        if row.entry in points and opponents & set(tied):
            points[row.entry] += row.points_for
    everybody_met = all((one, two) in met for one in tied for two in tied if one != two)
    if not everybody_met or len(set(points.values())) == 1:
        return [tied]
    groups = [[name for name in tied if points[name] == value] for value in sorted(set(points.values()), reverse=True)]
    return [smaller for group in groups for smaller in naive_head_to_head(group, rows)]


# Four players and many hands, so that they often have all met.
MEETINGS = st.lists(
    st.tuples(st.permutations(CAST[:4]), st.lists(st.integers(0, 2), min_size=4, max_size=4), st.integers(0, 3)),
    min_size=4,
    max_size=10,
)


@settings(max_examples=150)
@given(MEETINGS, st.booleans())
def test_head_to_head_agrees_with_a_naive_recomputation(hands, partners):
    rows = ledger([(*hand, 1, partners) for hand in hands])
    # Adjustments make all totals equal, so that head-to-head alone decides.
    made = {name: sum(row.score for row in rows if row.entry == name) for name in CAST[:4]}
    lines = standings(
        entrants=entrants(*CAST[:4]),
        scores=rows,
        adjustments=[AdjustmentRow(name, None, -points) for name, points in made.items()],
        tie_breaks=["head-to-head"],
    )
    expected = naive_head_to_head(CAST[:4], rows)
    assert [line.entrant.name for line in lines] == [name for group in expected for name in group]
    assert [line.tied for line in lines] == [len(group) > 1 for group in expected for _ in group]
    shown = [line.tie_breaks[0] for line in lines]
    assert shown == ([None] * 4 if None in shown else sorted(shown, reverse=True))
