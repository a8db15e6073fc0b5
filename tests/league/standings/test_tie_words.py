"""Why somebody stands above somebody else, in sentences."""

from league.standings.ranking import AdjustmentRow, Entrant, Score, standings
from league.standings.ties_in_words import order_in_words, tie_sentences

NAMES = ("Ana Lucía", "Benoît", "Chidi", "Đorđe")


def ranked(points, hands_won, tie_breaks=("hands-won",)):
    """Four in one round, each alone at a table of two against somebody who is not ranked."""
    entrants = [Entrant(name, name, "", "active", number) for number, name in enumerate(NAMES)]
    entrants.append(Entrant("x", "X", "", "standin", 9))
    scores, extra = [], []
    for table, (name, total, won) in enumerate(zip(NAMES, points, hands_won, strict=True)):
        for hand in range(1, won + 1):
            scores.append(Score(table, 1, hand, 0, name, None, True, 0, 1, 0, 1))
            scores.append(Score(table, 1, hand, 1, "x", None, False, 1, 0, 1, 0))
        extra.append(AdjustmentRow(name, 1, total - won))
    return standings(entrants=entrants, scores=scores, adjustments=extra, tie_breaks=tie_breaks)


def test_without_equal_points_there_is_nothing_to_say():
    assert tie_sentences(ranked((4, 3, 2, 1), (0, 0, 0, 0)), ("hands-won",)) == []


def test_two_with_the_same_points_are_told_what_decided_and_by_how_much():
    assert tie_sentences(ranked((80, 80, 2, 1), (3, 5, 0, 0)), ("hands-won",)) == [
        "Benoît and Ana Lucía both have 80 points. Deciding tie-break: hands won, 5 to 3."
    ]


def test_a_shared_rank_is_said_to_be_shared():
    assert tie_sentences(ranked((9, 80, 80, 1), (0, 2, 2, 0)), ("hands-won",)) == [
        "Benoît and Chidi both have 80 points. No tie-break separates them: they share rank 1."
    ]


def test_of_three_one_may_be_apart_while_two_share():
    assert tie_sentences(ranked((80, 80, 80, 1), (2, 2, 4, 0)), ("hands-won",)) == [
        "Chidi, Ana Lucía and Benoît all have 80 points. Deciding: hands won. Ana Lucía and Benoît share rank 2."
    ]


def test_the_order_of_tie_breaks_is_read_out():
    assert order_in_words(("hands-won", "head-to-head")) == "points, hands won, head-to-head"
