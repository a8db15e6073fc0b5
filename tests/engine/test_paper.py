from collections import Counter
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine import cards, one_deck
from engine.paper import CheckedHand, ImpossibleHand, SeatReport, check_hand
from engine.rules import EDITIONS, Edition

CLASSIC = EDITIONS["classic"]


def check(*seats, went_out=0, players=None, edition=CLASSIC, teams=False, scoring="winner-takes", **told):
    """Check a hand; unless told, seat 0 went out and everybody else is in `seats`."""
    players = players or len(seats) + 1
    return check_hand(edition, players=players, went_out=went_out, seats=seats, teams=teams, scoring=scoring, **told)


def refusal(*seats, **options):
    with pytest.raises(ImpossibleHand) as caught:
        check(*seats, **options)
    return caught.value


def counted(seat, cards_left, points_left):
    return SeatReport(seat, cards_left=cards_left, points_left=points_left)


def held(seat, *codes):
    return SeatReport(seat, cards=codes)


def points_of(seat, points_left):
    return SeatReport(seat, points_left=points_left)


def test_cards_are_counted_and_added_up():
    """SCORE-1."""
    hand = check(held(1, "B7", "GS"), counted(2, 3, 56), held(3, "WD"))
    assert hand == CheckedHand(cards_left=(0, 2, 3, 1), points_left=(0, 27, 56, 50), checked=True, went_out=0)


@pytest.mark.parametrize("winner", [SeatReport(0), SeatReport(0, cards=()), counted(0, 0, 0), points_of(0, 0)])
def test_the_winner_may_be_entered_with_nothing(winner):
    assert check(winner, held(1, "B7"), players=2) == check(held(1, "B7"), players=2)


def test_cards_may_come_with_their_own_sums():
    assert check(SeatReport(1, cards=("B7", "R0"), cards_left=2, points_left=7)).points_left == (0, 7)


def test_points_alone_are_kept_unchecked():
    hand = check(points_of(1, 13), held(2, "B7"))
    assert (hand.cards_left, hand.points_left, hand.checked) == ((0, None, 1), (0, 13, 7), False)


def test_the_winners_partner_may_be_left_out_under_winner_takes():
    """TEAM-3: those cards count for nobody."""
    hand = check(held(1, "B7"), held(3, "B8"), players=4, teams=True)
    assert (hand.cards_left, hand.points_left, hand.checked) == ((0, 1, None, 1), (0, 7, None, 8), True)
    hand = check(held(1, "B7"), SeatReport(2, cards_left=3), held(3, "B8"), players=4, teams=True)
    assert (hand.cards_left[2], hand.points_left[2]) == (3, None)


@pytest.mark.parametrize(
    "options",
    [
        {"teams": True, "scoring": "lowest-total"},  # a team's score is both partners' cards
        {"teams": True, "scoring": "challenge"},
        {"teams": True, "went_out": 1},
        {"teams": False},
    ],
)
def test_everybody_else_is_needed(options):
    exc = refusal(*(held(seat, "B7") for seat in (1, 3) if seat != options.get("went_out")), players=4, **options)
    assert (exc.code, exc.seat) == ("missing", 0 if options.get("went_out") else 2)


def test_a_number_of_cards_without_points_is_not_enough():
    exc = refusal(SeatReport(1, cards_left=3))
    assert (exc.code, exc.seat) == ("points-missing", 1)


def test_one_card_cannot_be_worth_thirteen():
    exc = refusal(counted(1, 1, 13))
    assert (exc.code, exc.seat) == ("cannot-be-worth", 1)
    assert str(exc) == "One card can’t be worth 13 points. Possible: 9 or 20."
    assert exc.params == {"cards": 1, "points": 13, "possible": [9, 20]}


@pytest.mark.parametrize(
    ("count", "points", "possible"),
    [(2, 19, [18, 20]), (5, 0, [1]), (1, 10**12, [50]), (9, 421, [420]), (2, 99, [70, 100])],
)
def test_so_many_cards_cannot_be_worth_that(count, points, possible):
    """Five cards: there are only four zeros. Nine cards: eight wilds and one of 20 are the dearest."""
    exc = refusal(counted(1, count, points))
    assert exc.code == "cannot-be-worth"
    assert exc.params["possible"] == possible


def test_more_copies_than_the_deck_has_are_refused_over_all_seats():
    exc = refusal(held(1, "WD", "WD", "WD"), held(2, "WD", "WD"))
    assert (exc.code, exc.seat) == ("too-many-copies", None)
    assert str(exc) == "The deck has 4 Wild Draw Four cards; 5 are entered."
    assert str(refusal(held(1, "R0", "R0"))) == "The deck has 1 Red 0 card; 2 are entered."


def test_four_cards_of_200_points_can_be_at_two_seats_but_not_at_three():
    assert check(counted(1, 4, 200), counted(2, 4, 200)).checked
    exc = refusal(counted(1, 4, 200), counted(2, 4, 200), counted(3, 4, 200))
    assert (exc.code, exc.seat) == ("too-many-of-value", None)
    assert str(exc) == "These points need 12 cards worth 50. The deck has 8."
    hats = EDITIONS["harry-potter-2018"]
    assert check(counted(1, 4, 200), counted(2, 4, 200), counted(3, 4, 200), edition=hats).checked


def test_cards_known_by_name_are_gone_for_the_others():
    assert check(held(1, "W", "W", "W", "W"), counted(2, 4, 200)).checked
    assert refusal(held(1, "W", "W", "W", "W", "WD"), counted(2, 4, 200)).code == "too-many-of-value"


def test_points_alone_share_the_deck_too():
    """Nine cards of 1 point are needed somewhere, or none at all: the deck has eight."""
    ones = [points_of(seat, 1) for seat in range(1, 10)]
    assert check(*ones[:8]).checked is False
    assert refusal(*ones).code == "not-one-deck"


@pytest.mark.parametrize(
    "seats", [[points_of(1, 1241)], [points_of(1, 700), points_of(2, 541)], [points_of(1, 10**12)]]
)
def test_more_points_than_the_deck_has_are_refused(seats):
    """The classic deck is worth 1240 points: 4 × 90 in numbers, 24 × 20, 8 × 50."""
    assert refusal(*seats).code == "too-many-points"


def test_the_whole_deck_but_one_card_can_be_held():
    assert check(points_of(1, 1240)).points_left == (0, 1240)
    assert check(counted(1, 107, 1240)).checked
    assert refusal(counted(1, 107, 1227)).code == "cannot-be-worth"  # the card left would be worth 13


def test_a_winner_holding_cards_is_refused():
    """OUT-1."""
    for winner in (held(0, "B7"), counted(0, 1, 7), points_of(0, 7)):
        exc = refusal(winner, held(1, "B8"), players=2)
        assert (exc.code, exc.seat) == ("winner-holds-cards", 0)


def test_two_winners_are_refused():
    """OUT-1, OUT-2: the hand ends with the first."""
    for loser in (held(1), counted(1, 0, 0)):
        exc = refusal(loser, held(2, "B8"))
        assert (exc.code, exc.seat) == ("two-winners", 1)


def test_too_many_cards_are_refused():
    exc = refusal(counted(1, 60, 600), counted(2, 48, 400))
    assert exc.code == "too-many-cards"
    assert check(counted(1, 60, 600), counted(2, 47, 620)).checked
    assert refusal(counted(1, 60, 600), counted(2, 47, 620), points_of(3, 0)).code == "too-many-cards"
    partner_left_out = [counted(1, 60, 600), counted(3, 47, 600)]
    assert refusal(*partner_left_out, players=4, teams=True).code == "too-many-cards"


def test_in_a_blocked_hand_one_to_five_cards_are_held_by_nobody():
    """PLAY-7, PLAY-8, SCORE-6."""
    assert check(counted(0, 50, 600), counted(1, 57, 640 - 7), went_out=None, players=2).checked
    assert check(counted(0, 50, 600), counted(1, 53, 640 - 20), went_out=None, players=2).checked
    with_one_more_out = (counted(0, 50, 600), counted(1, 52, 640 - 40))
    assert refusal(*with_one_more_out, went_out=None, players=2).params == {"deck": 108, "entered": 102}
    assert check(*with_one_more_out, went_out=None, players=2, turns_counted=True).checked, "by the number of turns"
    exc = refusal(counted(0, 50, 600), counted(1, 50, 500), went_out=None, players=2)
    assert (exc.code, exc.seat, exc.params) == ("not-blocked", None, {"deck": 108, "entered": 100})
    exc = refusal(counted(0, 50, 600), counted(1, 57, 640 - 13), went_out=None, players=2)
    assert exc.code == "not-one-deck"  # no card is worth 13


def test_a_blocked_hand_needs_nobodys_cards_where_nobody_scores():
    """SCORE-6 under SCORE-2; what is entered all the same comes from one deck."""
    hand = check(went_out=None, players=4)
    assert (hand.checked, hand.points_left) == (True, (None,) * 4)
    assert check(held(1, "R7", "W"), went_out=None, players=4).points_left == (None, 57, None, None)
    assert refusal(held(1, "W", "W", "W"), held(2, "W", "W"), went_out=None, players=4).code == "too-many-copies"
    assert refusal(went_out=None, players=4, scoring="lowest-total").code == "missing"


def test_a_blocked_hand_known_by_points_alone():
    blocked = {"went_out": None, "players": 2, "scoring": "lowest-total"}
    assert check(points_of(0, 600), points_of(1, 640 - 20), **blocked).checked is False
    assert refusal(points_of(0, 600), points_of(1, 375), **blocked).code == "not-one-deck"


def test_in_a_blocked_hand_nobody_is_without_cards():
    exc = refusal(counted(0, 0, 0), counted(1, 107, 1240), went_out=None, players=2)
    assert (exc.code, exc.seat) == ("winner-not-named", 0)


def test_a_card_of_another_edition_is_refused_in_words():
    exc = refusal(held(1, "WH"))
    assert (exc.code, exc.seat) == ("not-in-deck", 1)
    assert str(exc) == "There is no Sorting Hat in the deck of “Classic”."
    assert check(held(1, "WH"), edition=EDITIONS["harry-potter-2018"]).points_left == (0, 50)


@pytest.mark.parametrize(
    ("seat", "code"),
    [
        (held(1, "B7", "Z7"), "unknown-card"),
        (SeatReport(1, cards=("B7",), cards_left=2), "count-disagrees"),
        (SeatReport(1, cards=("B7",), points_left=8), "points-disagree"),
        (counted(1, -1, 3), "negative"),
        (points_of(1, -1), "negative"),
        (points_of(2, 5), "no-such-seat"),
        (points_of(-1, 5), "no-such-seat"),
    ],
)
def test_what_contradicts_itself_is_refused_with_its_seat(seat, code):
    exc = refusal(seat, players=2)
    assert (exc.code, exc.seat) == (code, seat.seat)


def test_a_seat_entered_twice_is_refused():
    exc = refusal(held(1, "B7"), held(1, "B7"), players=2)
    assert (exc.code, exc.seat) == ("seat-twice", 1)


def test_a_winner_at_no_seat_is_refused():
    exc = refusal(held(1, "B7"), players=2, went_out=2)
    assert (exc.code, exc.seat) == ("no-such-seat", 2)


@pytest.mark.parametrize(
    "options", [{"players": 1}, {"players": 11}, {"players": 3, "teams": True}, {"scoring": "bingo"}]
)
def test_a_table_that_cannot_be_is_the_callers_mistake(options):
    with pytest.raises(ValueError) as caught:
        check(held(1, "B7"), **({"players": 2} | options))
    assert not isinstance(caught.value, ImpossibleHand)


# Properties


@st.composite
def endings(draw, deck):
    """A deck dealt out as at the end of a hand: the winner or None, and the cards by seat."""
    players = draw(st.integers(2, min(10, len(deck) - 1)))
    shuffled = draw(st.permutations(deck))
    went_out = draw(st.none() | st.integers(0, players - 1))
    losers = [seat for seat in range(players) if seat != went_out]
    size = len(deck) - 1 if went_out is None else draw(st.integers(len(losers), len(deck) - 1))
    cuts = sorted(
        draw(st.sets(st.integers(1, size - 1), min_size=len(losers) - 1, max_size=len(losers) - 1)) if size > 1 else []
    )
    assume(len(cuts) == len(losers) - 1)
    parts = [shuffled[start:end] for start, end in zip([0, *cuts], [*cuts, size], strict=True)]
    by_seat = dict(zip(losers, parts, strict=True))
    return went_out, [tuple(by_seat.get(seat, ())) for seat in range(players)]


def reported(draw, seat, codes):
    """The cards of a seat, written down in one of the three ways."""
    how = draw(st.sampled_from(["cards", "counted", "points"]))
    if how == "cards":
        return SeatReport(seat, cards=codes)
    points = cards.points_of(codes)
    return counted(seat, len(codes), points) if how == "counted" else points_of(seat, points)


@pytest.mark.slow
@settings(max_examples=60)
@given(st.sampled_from(sorted(EDITIONS)), st.data())
def test_whatever_was_really_played_is_accepted(key, data):
    edition = EDITIONS[key]
    went_out, by_seat = data.draw(endings(edition.deck))
    reports = [reported(data.draw, seat, codes) for seat, codes in enumerate(by_seat)]
    hand = check(*reports, players=len(by_seat), went_out=went_out, edition=edition)
    assert hand.points_left == tuple(map(cards.points_of, by_seat))


TINY_DECKS = st.lists(
    st.sampled_from(["R0", "B0", "R1", "B1", "R2", "G3", "R5", "Y5", "R9", "RS", "BD", "W", "WD"]),
    min_size=3,
    max_size=6,
)


def exists(deck, players, went_out, reports):
    """By brute force: some way to put every card at a seat or on the discard pile agrees with all the reports."""
    pile = players
    for places in product(range(players + 1), repeat=len(deck)):
        by_seat = [
            sorted(card for card, place in zip(deck, places, strict=True) if place == seat) for seat in range(players)
        ]
        left = places.count(pile)
        if left < 1 or (went_out is None and left > 5):
            continue
        if all(bool(by_seat[seat]) != (seat == went_out) for seat in range(players)) and all(
            agrees(report, by_seat[report.seat]) for report in reports
        ):
            return True
    return False


def agrees(report, codes):
    return (
        (report.cards is None or sorted(report.cards) == codes)
        and report.cards_left in (None, len(codes))
        and report.points_left in (None, cards.points_of(codes))
    )


def accepted(deck, **hand):
    edition = Edition(key="tiny", name="Tiny", deck=tuple(deck))
    try:
        check_hand(edition, **hand)
    except ImpossibleHand:
        return False
    return True


@pytest.mark.slow
@settings(max_examples=150)
@given(TINY_DECKS, st.data())
def test_the_check_agrees_with_brute_force(deck, data):
    """Real endings with one figure changed at most, so both answers are common."""
    went_out, by_seat = data.draw(endings(tuple(deck)).filter(lambda ending: len(ending[1]) <= 4))
    reports = [reported(data.draw, seat, codes) for seat, codes in enumerate(by_seat)]
    wrong = data.draw(st.integers(0, len(reports) - 1))
    if reports[wrong].cards is None and wrong != went_out:
        count, points = reports[wrong].cards_left, reports[wrong].points_left
        reports[wrong] = SeatReport(
            wrong,
            cards_left=count and max(1, count + data.draw(st.integers(-1, 1))),
            points_left=max(0, points + data.draw(st.sampled_from([0, 1, -1, 3, 20, -20, 50]))),
        )
    options = {"players": len(reports), "went_out": went_out}
    assert accepted(deck, seats=reports, teams=False, scoring="winner-takes", **options) == exists(
        deck, reports=reports, **options
    )


@pytest.mark.slow
@settings(max_examples=60)
@given(st.lists(st.sampled_from(["R0", "R1", "B1", "R5", "R9", "RS", "W"]), min_size=4, max_size=6), st.data())
def test_a_partner_left_out_still_holds_a_card(deck, data):
    """TEAM-3: seat 0 goes out, seat 2 is not reported."""
    figure = st.tuples(st.integers(1, 3), st.sampled_from([0, 1, 2, 5, 6, 9, 10, 20, 21, 50, 51, 55, 70]))
    reports = [counted(seat, *data.draw(figure)) for seat in (1, 3)]
    hand = {"players": 4, "went_out": 0}
    assert accepted(deck, seats=reports, teams=True, scoring="winner-takes", **hand) == exists(
        deck, reports=reports, **hand
    )


@pytest.mark.slow
@settings(max_examples=100)
@given(TINY_DECKS, st.integers(1, 5), st.integers(0, 120), st.sampled_from([0, 1, 5, 20, 50]))
def test_needed_is_the_least_number_of_cards_of_a_value(deck, count, points, value):
    pool = Counter({value: 0}) + Counter(map(cards.points, deck))
    pool.setdefault(value, 0)
    hands = [hand for hand in product((0, 1), repeat=len(deck)) if sum(hand) == count]
    worth = [[cards.points(card) for card, taken in zip(deck, hand, strict=True) if taken] for hand in hands]
    least = min((values.count(value) for values in worth if sum(values) == points), default=None)
    assert one_deck.can_be_worth(pool, count, points) == (least is not None)
    if least is not None:
        assert one_deck.fewest_copies(pool, count, points, value) == least


def test_a_search_without_steps_left_refuses_nothing(monkeypatch):
    """Only what is proven impossible is refused."""
    monkeypatch.setattr(one_deck, "STEPS", 0)
    assert one_deck.can_be_worth({1: 4, 5: 4}, 2, 7)
    assert one_deck.can_be_worth({1: 4, 5: 4}, 2, 6)
