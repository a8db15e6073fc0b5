"""What happened in a hand, in sentences: to everybody by name, to the player themselves as "you"."""

import pytest
from django.utils import translation
from hypothesis import given

from engine.hand import apply
from engine.log import as_object
from engine.view import event_for
from games.online.page import log_in_words
from games.online.page.log_in_words import in_words, story_of, story_so_far
from tests.engine.played import Game, games, next_action

NAMES = ("Ana", "Benoît", "Chidi", "Zoë")


def story(*events, edition="classic"):
    """The story of these events after the deal, which is four cards and a turned-up Blue 5 to the left of Zoë."""
    return story_of(told_to_all(*events, edition=edition))


def told_to_all(*events, edition="classic"):
    start = {"type": "start", "edition": edition, "players": list(NAMES), "dealer": 3}
    deals = [{"type": "deal", "seat": seat, "count": 7} for seat in range(4)]
    up = {"type": "turn_up", "card": "B5"}
    return [start, *deals, up, *(one if isinstance(one, dict) else as_object(one) for one in events)]


def lines(*events, me=None, **more):
    """The sentences after the turned-up card, the oldest first."""
    told = story(*events, **more)
    return [in_words(line, told, me) for line in told.lines[1:]]


def play(seat, card, color=None, target=None, uno=False, drawn=False, cancel=False):
    return ("play", seat, card, color, target, uno, drawn, cancel)


def drew(seat, count, reason):
    return {"type": "draw", "seat": seat, "count": count, "reason": reason}


SAID = [
    ([play(0, "B9")], "Ana plays Blue 9"),
    ([play(0, "W", "R")], "Ana plays Wild (red)"),
    ([play(0, "BS")], "Ana plays Blue Skip, Benoît waits"),
    ([play(0, "BR")], "Ana plays Blue Reverse, the direction changes"),
    ([play(0, "BD"), drew(1, 2, "draw-card")], "Ana plays Blue Draw Two, Benoît draws 2 cards"),
    ([drew(0, 1, "turn")], "Ana draws a card"),
    ([drew(0, 1, "turn"), ("pass", 0)], "Ana draws a card"),
    ([drew(0, 4, "turn"), ("pass", 0)], "Ana draws 4 cards"),
    ([drew(0, 1, "turn"), play(0, "B9", drawn=True)], "Ana draws and plays Blue 9"),
    ([("pass", 0)], "Ana passes"),
    ([("color", 0, "G")], "Ana chooses green"),
    ([("uno", 2)], "Chidi calls UNO"),
    ([("catch", 2, 0), drew(2, 2, "uno")], "Ana catches Chidi, Chidi draws 2 cards"),
    ([("penalty", 0, "wrong-card"), drew(0, 2, "penalty")], "Ana plays a wrong card, Ana draws 2 cards"),
    ([("end", None, (1, 2, 3, 4), (0, 0, 0, 0), "", ())], "The hand is blocked"),
    ([("end", 0, (0, 2, 3, 4), (9, 0, 0, 0), "", ())], "Ana goes out"),
]


@pytest.mark.parametrize(("events", "sentence"), SAID, ids=[sentence for _events, sentence in SAID])
def test_a_move_is_one_sentence(events, sentence):
    [said] = lines(*events)
    assert said == sentence


def wild_four(*answer):
    return [play(0, "WD", "R"), *answer]


@pytest.mark.parametrize(
    ("me", "sentence"),
    [
        (None, "Benoît challenges: Ana bluffed and draws 4"),
        (0, "Benoît challenges: you bluffed and draw 4"),
        (1, "You challenge: Ana bluffed and draws 4"),
    ],
)
def test_a_bluff_that_was_found_is_told_to_each(me, sentence):
    shown = {"type": "show", "seat": 0, "to": 1, "count": 6, "reason": "challenge"}
    events = wild_four({"type": "challenge", "seat": 1, "guilty": True}, shown, drew(0, 4, "bluff"))
    assert lines(*events, me=me)[-1] == sentence


def test_a_challenge_in_vain_and_what_it_costs():
    events = wild_four({"type": "challenge", "seat": 1, "guilty": False}, drew(1, 6, "challenge-lost"))
    assert lines(*events)[-1] == "Benoît loses the challenge and draws 6"


def test_who_accepts_is_told_by_what_they_draw():
    assert lines(*wild_four(("accept", 1), drew(1, 4, "wild-draw-four")))[-1] == "Benoît draws 4 cards"


def test_ones_own_cards_are_named_and_those_of_others_counted():
    mine = {"type": "draw", "seat": 0, "cards": ["B7"], "reason": "turn"}
    assert lines(mine, ("pass", 0), me=0) == ["You draw Blue 7"]
    assert lines(drew(1, 1, "turn"), ("pass", 1), me=0) == ["Benoît draws a card"]


def test_the_card_that_leaves_one_is_told_with_uno_or_without():
    six = [play(0, "B1") for _card in range(5)]
    assert lines(*six, play(0, "B2"))[-1] == "Ana plays Blue 2, one card left"
    assert lines(*six, play(0, "B2", uno=True))[-1] == "Ana plays Blue 2, UNO"


def test_a_howler_names_whom_it_is_aimed_at_and_a_card_that_cancels_says_what():
    howler = play(0, "WL", "R", 2)
    assert lines(howler, edition="harry-potter-fr")[-1] == "Ana plays Howler (red), aimed at Chidi"
    assert lines(howler, edition="harry-potter-fr", me=2)[-1] == "Ana plays Howler (red), aimed at you"
    cancelled = [howler, play(2, "WI", "B", cancel=True)]
    assert lines(*cancelled, edition="harry-potter-fr")[-1] == "Chidi plays Invisibility (blue), Howler has no effect"


def test_in_the_french_edition_who_accepts_a_skip_waits():
    assert lines(play(0, "BS"), ("accept", 1), edition="harry-potter-fr") == ["Ana plays Blue Skip", "Benoît waits"]


@pytest.mark.parametrize(
    ("language", "me", "sentence"),
    [
        ("en", 0, "You play Blue 2, you have one card left"),
        ("en", 1, "Ana plays Blue 2, one card left"),
        ("es", 0, "Juegas 2 azul, te queda una carta"),
        ("es", 1, "Ana juega 2 azul, le queda una carta"),
        ("fr", 0, "Vous jouez 2 bleu, il vous reste une carte"),
    ],
)
def test_who_is_left_with_one_card_is_told_so_as_the_person_they_are(language, me, sentence):
    with translation.override(language):
        assert lines(*[play(0, "B1"), play(0, "B2")] * 3, me=me)[-1] == sentence


def test_of_one_card_that_is_drawn_nothing_is_among_them():
    shown = {"type": "show", "seat": 0, "to": "all", "cards": ["WC"], "reason": "creeper"}
    told = lines(drew(0, 1, "turn"), shown, drew(0, 3, "creeper"), edition="minecraft-2017")
    assert told == ["Ana draws a card, it is a Creeper, Ana draws 3 cards"]
    several = lines(drew(0, 1, "turn"), drew(0, 1, "turn"), shown, drew(0, 3, "creeper"), edition="minecraft-2017")
    assert several == ["Ana draws 2 cards, a Creeper among them, Ana draws 3 cards"]


def test_a_creeper_is_told_once_with_all_the_cards_that_came_with_it():
    shown = {"type": "show", "seat": 1, "to": "all", "cards": ["WC"], "reason": "creeper"}
    events = [play(0, "BD"), drew(1, 1, "draw-card"), shown, drew(1, 3, "creeper"), drew(1, 1, "draw-card")]
    said = lines(*events, edition="minecraft-2017")
    assert said == ["Ana plays Blue Draw Two, Benoît draws 5 cards, a Creeper among them"]


def test_what_a_director_took_back_is_marked_and_numbers_go_on():
    told = story(play(0, "BR"), play(3, "B9"), ("undo", 5, "Ana slipped"), play(0, "BS"))
    assert [line.undone for line in told.lines] == [False, True, True, False, False]
    assert in_words(told.lines[3], told) == "The director undid all moves: Ana slipped"
    # The direction is that of before the Reverse again.
    assert in_words(told.lines[4], told) == "Ana plays Blue Skip, Benoît waits"
    assert [line.number for line in told.lines] == [0, 1, 2, 0, 3]


def test_the_colour_before_the_last_card_is_kept_for_the_challenge():
    assert story(play(0, "W", "G"), play(1, "WD", "R")).before == "G"
    assert story(play(0, "WD", "R")).before == "B"


def test_a_pile_that_is_shuffled_anew_is_told_with_the_draw_that_needs_it():
    said = lines(play(0, "BD"), {"type": "reshuffle", "count": 20}, drew(1, 2, "draw-card"))
    assert said == ["Ana plays Blue Draw Two, Benoît draws 2 cards, the discard pile is shuffled"]


@given(games())
def test_a_story_that_goes_on_is_the_one_that_is_told_from_the_first_event(game: Game):
    hand, rng = game.dealt(), game.rng()
    log_in_words._stories.clear()
    for _move in range(40):
        for seat in (None, 0, 1):
            events = [event_for(event, seat) for event in hand.log]
            with story_so_far(seat, events, hand.public.names) as told:
                assert told == story_of(events, hand.public.names)
        if hand.over:
            break
        apply(hand, next_action(hand, rng, game.style))
    # Who is shown the hand as it was, or another one, is told that one.
    for earlier in (events[:-1], events[:2], [*events[:-1], {"type": "pass", "seat": 0}]):
        with story_so_far(1, earlier, hand.public.names) as told:
            assert told == story_of(earlier, hand.public.names)


def test_a_story_with_the_reason_of_an_undo_is_not_kept():
    log_in_words._stories.clear()
    for events in ([play(0, "BR")], [play(0, "BR"), ("undo", 5, "Ana slipped")]):
        with story_so_far("table", told_to_all(*events), NAMES) as told:
            assert len(told.lines) == 1 + len(events)
    assert not log_in_words._stories
