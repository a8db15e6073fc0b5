from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.scoring import does_not_count, partner, score_game, score_hand

ANA, BENOIT, CHIDI, DORDE = range(4)
POINTS = st.integers(0, 300)


def test_who_goes_out_scores_the_points_of_all_the_others():
    """SCORE-2."""
    hand = score_hand("winner-takes", [12, 0, 50, 7], BENOIT, teams=False)
    assert hand.scores == (0, 69, 0, 0)
    assert hand.points_for == (0, 69, 0, 0)
    assert hand.points_against == (12, 0, 50, 7)


def test_both_partners_score_both_opponents_cards():
    """TEAM-3: the cards of the winner's partner count for nobody, known or not."""
    for partners_points in (None, 31):
        hand = score_hand("winner-takes", [12, 0, 50, partners_points], BENOIT, teams=True)
        assert hand.scores == (0, 62, 0, 62)
        assert hand.points_for == (0, 62, 0, 62)
        assert hand.points_against == (62, 0, 62, 0)


@pytest.mark.parametrize("scoring", ["lowest-total", "challenge"])
def test_in_the_low_wins_scorings_own_cards_count(scoring):
    """SCORE-3, SCORE-4; points for are what the winner would have scored."""
    hand = score_hand(scoring, [12, 0, 50, 7], BENOIT, teams=False)
    assert hand.scores == (12, 0, 50, 7)
    assert hand.points_for == (0, 69, 0, 0)
    assert hand.points_against == (12, 0, 50, 7)


@pytest.mark.parametrize("scoring", ["lowest-total", "challenge"])
def test_in_the_low_wins_scorings_a_team_has_both_partners_cards(scoring):
    """TEAM-3: the winner's partner's cards count against the winning team."""
    hand = score_hand(scoring, [12, 0, 50, 7], BENOIT, teams=True)
    assert hand.scores == (62, 7, 62, 7)
    assert hand.points_for == (0, 62, 0, 62)
    assert hand.points_against == (62, 0, 62, 0)


def test_in_a_blocked_hand_nobody_takes_anything():
    """SCORE-6."""
    hand = score_hand("winner-takes", [12, 20, 50, 7], None, teams=False)
    assert hand.scores == hand.points_for == hand.points_against == (0, 0, 0, 0)


@pytest.mark.parametrize(("teams", "scores"), [(False, (12, 20, 50, 7)), (True, (62, 27, 62, 27))])
def test_in_a_blocked_hand_own_cards_count_in_the_low_wins_scorings(teams, scores):
    """SCORE-6."""
    hand = score_hand("lowest-total", [12, 20, 50, 7], None, teams=teams)
    assert hand.scores == scores
    assert hand.points_for == hand.points_against == (0, 0, 0, 0)


def test_a_win_of_no_points_is_a_hand_like_any_other():
    assert score_hand("winner-takes", [0, 0], 0, teams=False).scores == (0, 0)


@pytest.mark.parametrize(
    ("scoring", "points", "went_out", "teams"),
    [
        ("winner-takes", [None, 0, 5, 5], 1, True),  # an opponent's points are needed
        ("lowest-total", [5, None, 5, 5], None, True),  # a blocked hand has no winner's partner
        ("lowest-total", [5, 0, 5, None], 1, True),  # the winner's partner counts against the team
        ("winner-takes", [None, 0], 1, False),
        ("winner-takes", [5, None], 1, False),
        ("winner-takes", [5, 3], 1, False),
        ("winner-takes", [-5, 0], 1, False),
        ("winner-takes", [5, 0], 2, False),
        ("winner-takes", [5, 0, 5], 1, True),
        ("highest-total", [5, 0], 1, False),
    ],
)
def test_points_that_do_not_make_a_hand_are_refused(scoring, points, went_out, teams):
    with pytest.raises(ValueError):
        score_hand(scoring, points, went_out, teams)


def test_the_winners_partner_and_all_of_a_blocked_hand_count_for_nobody_under_winner_takes():
    assert partner(DORDE) == BENOIT
    seats = range(4)

    def nobody(scoring, went_out, teams):
        return [s for s in seats if does_not_count(s, scoring=scoring, went_out=went_out, teams=teams)]

    assert nobody("winner-takes", ANA, True) == [CHIDI]
    assert nobody("winner-takes", ANA, False) == nobody("challenge", ANA, True) == nobody("challenge", None, True) == []
    assert nobody("winner-takes", None, True) == nobody("winner-takes", None, False) == list(seats)


@given(st.lists(POINTS, min_size=2, max_size=10), st.data())
def test_what_is_won_was_given_away_by_the_others(points, data):
    went_out = data.draw(st.integers(0, len(points) - 1))
    points[went_out] = 0
    for scoring in ("winner-takes", "lowest-total"):
        hand = score_hand(scoring, points, went_out, teams=False)
        assert sum(hand.points_for) == sum(hand.points_against) == sum(points)


@given(st.lists(POINTS, min_size=4, max_size=4), st.integers(0, 3))
def test_partners_always_carry_the_same_figures(points, went_out):
    points[went_out] = 0
    for scoring in ("winner-takes", "lowest-total", "challenge"):
        hand = score_hand(scoring, points, went_out, teams=True)
        for figures in (hand.scores, hand.points_for, hand.points_against):
            assert figures[:2] == figures[2:]


def test_first_to_the_target_wins():
    """SCORE-2: what is played after it does not count."""
    hands = [(300, 0, 0), (0, 420, 0), (210, 0, 0), (0, 400, 0)]
    game = score_game("winner-takes", hands, players=3)
    assert game.over
    assert game.totals == (510, 420, 0)
    assert game.places == (1, 2, 3)


def test_a_game_before_the_target_is_not_over_and_equals_share_a_place():
    game = score_game("winner-takes", [(30, 0, 0), (0, 30, 0)], players=3)
    assert not game.over
    assert game.totals == (30, 30, 0)
    assert game.places == (1, 1, 3)


def test_a_game_without_hands_has_everybody_in_first_place():
    game = score_game("challenge", [], players=3)
    assert (game.totals, game.out_in_hand, game.over, game.places) == ((0, 0, 0), (None,) * 3, False, (1, 1, 1))


def test_the_lowest_total_wins_when_one_reaches_the_target():
    """SCORE-3, SCORE-5."""
    game = score_game("lowest-total", [(80, 0, 40), (25, 50, 0)], players=3, target=100)
    assert game.over
    assert game.totals == (105, 50, 40)
    assert game.places == (3, 2, 1)
    assert game.out_in_hand == (None, None, None)


@pytest.mark.parametrize(("scoring", "places"), [("winner-takes", (1, 2, 1, 2)), ("lowest-total", (2, 1, 2, 1))])
def test_partners_share_a_place(scoring, places):
    game = score_game(scoring, [(120, 0, 120, 0)], players=4, target=100, teams=True)
    assert game.over
    assert game.totals == (120, 0, 120, 0)
    assert game.places == places


def test_a_team_at_the_target_is_out_of_a_challenge():
    """SCORE-4: with two sides the first hand at the target decides."""
    game = score_game("challenge", [(120, 7, 120, 7)], players=4, target=100, teams=True)
    assert game.over
    assert game.out_in_hand == (1, None, 1, None)
    assert game.places == (2, 1, 2, 1)


def test_a_challenge_goes_on_without_who_reached_the_target():
    """SCORE-4.

    hand      Ana  Benoît  Chidi  Đorđe
    1          60      40      0    100   Đorđe out: 4th
    2          45       0     50      0   Ana out with 105: 3rd
    3           0      60     20      0   Benoît out with 100: 2nd, Chidi wins
    """
    hands = [(60, 40, 0, 100), (45, 0, 50, 0), (0, 60, 20, 0)]
    game = score_game("challenge", hands[:1], players=4, target=100)
    assert (game.over, game.out_in_hand, game.places) == (False, (None, None, None, 1), (3, 2, 1, 4))
    game = score_game("challenge", hands, players=4, target=100)
    assert game.over
    assert game.totals == (105, 100, 70, 100)
    assert game.out_in_hand == (2, 3, None, 1)
    assert game.places == (3, 2, 1, 4)


def test_out_in_the_same_hand_rank_by_the_lower_total_and_equals_share():
    """SCORE-4, decided."""
    game = score_game("challenge", [(120, 105, 0, 120, 30)], players=5, target=100)
    assert not game.over
    assert game.places == (4, 3, 1, 4, 2)


def test_a_hand_that_leaves_one_player_in_ends_the_challenge():
    """SCORE-4, decided."""
    game = score_game("challenge", [(120, 105, 0)], players=3, target=100)
    assert game.over
    assert game.out_in_hand == (1, 1, None)
    assert game.places == (3, 2, 1)


def test_a_blocked_hand_that_leaves_nobody_in_is_won_by_the_lowest_total():
    """SCORE-4, SCORE-6, decided."""
    game = score_game("challenge", [(120, 105, 130)], players=3, target=100)
    assert game.over
    assert game.out_in_hand == (1, None, 1)
    assert game.places == (2, 1, 3)


def test_equal_lowest_totals_play_on_until_a_hand_separates_them():
    """SCORE-4, decided: Chidi is out in the blocked hand 1; hand 2 is blocked with equal cards again."""
    hands = [(110, 110, 130), (20, 20, 0), (0, 5, 0)]
    for played in (1, 2):
        game = score_game("challenge", hands[:played], players=3, target=100)
        assert not game.over
        assert game.out_in_hand == (None, None, 1)
        assert game.places == (1, 1, 3)
    game = score_game("challenge", hands, players=3, target=100)
    assert game.over
    assert game.totals == (130, 135, 130)
    assert game.out_in_hand == (None, 3, 1)
    assert game.places == (1, 2, 3)


@given(
    st.lists(st.lists(st.integers(0, 60), min_size=4, max_size=4), max_size=12),
    st.sampled_from(["winner-takes", "lowest-total", "challenge"]),
)
def test_an_ended_game_stays_as_it_was(hands, scoring):
    games = [score_game(scoring, hands[:played], players=4, target=100) for played in range(len(hands) + 1)]
    for before, after in pairwise(games):
        if before.over:
            assert after == before
    assert all(1 in game.places for game in games)


@pytest.mark.parametrize(
    ("scoring", "hands", "options"),
    [
        ("bingo", [], {"players": 2}),
        ("challenge", [(1, 2, 3)], {"players": 2}),
        ("challenge", [], {"players": 2, "target": 0}),
        ("challenge", [], {"players": 3, "teams": True}),
    ],
)
def test_a_game_that_makes_no_sense_is_refused(scoring, hands, options):
    with pytest.raises(ValueError):
        score_game(scoring, hands, **options)
