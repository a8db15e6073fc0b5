"""What a card does, why it can't be played now, and what it risks; and the effect of each move as a picture."""

import pytest

from engine.cards import holds_color
from engine.legal import playable
from engine.rules import EDITIONS, OPTIONS
from engine.state import ANSWER, TURN
from games.online.page.card_help import Deck, card_helps, does_next
from games.online.page.picture import hand_as_seen
from games.online.page.story import BACK, Effect, effect_of, hand_log
from league.rulebook.book import book
from tests.games.arranged import arrange
from tests.games.online.page.test_page import on_turn, page_at, page_on_turn, sealed
from tests.games.online.page.test_play_words import drew, play, story
from tests.games.online_table import standing


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("two", [False, True])
def test_every_card_has_short_help_with_its_points_and_a_rule_of_the_book(edition, two):
    helps = card_helps(Deck(edition, frozenset(OPTIONS), two))
    cards = {card if card in ("W", *EDITIONS[edition].specials, "WD") else card[1] for card in EDITIONS[edition].deck}
    assert {help.face for help in helps} == {card for card in cards if not card.isdigit()} | {""}
    for help in helps:
        assert help.rule in book("en").rules and help.worth
        assert all(len(sentence.split()) <= 20 for sentence in help.does.split(". "))


def test_help_follows_the_edition_the_house_rules_and_the_number_of_players():
    four, two = (Deck("classic", frozenset(), two) for two in (False, True))
    texts = {help.face: help.does for help in card_helps(four)}
    assert texts["D"] == "The next player draws 2 and misses the turn."
    assert {help.face: help.does for help in card_helps(two)}["R"] == "You play again."
    stacked = card_helps(Deck("harry-potter-fr", frozenset({"stacking"}), False))
    assert next(help.does for help in stacked if help.face == "D") == (
        "The next player draws 3 and misses the turn. The next player may add another one instead. "
        "Invisibility cancels it."
    )
    assert does_next("W", four) == ""
    assert does_next("WH", Deck("harry-potter-2018", frozenset(), False)).endswith("draws until a 1, 2, 3, 4 comes.")


def bluffs(hand):
    held = hand.cards[hand.public.turn]
    return on_turn(3)(hand) and "WD" in held and holds_color(held, hand.public.color)


def cards_of(page):
    return {card.code: card for fan in page.hand.controls.fans for card in fan}


@pytest.mark.django_db
def test_a_card_says_why_it_cannot_be_played_and_a_bluff_what_it_risks():
    deal = arrange(sealed(), lambda hand: bluffs(hand) and len(_unplayable(hand)) > 0)
    public = standing(deal).hand.public
    page = page_on_turn(deal)
    cards = cards_of(page)
    assert cards["WD"].note.startswith("Bluff: you hold ") and cards["WD"].note.endswith("If challenged, you draw 4.")
    held = _unplayable(standing(deal).hand)[0]
    assert cards[held].note == f"Not now. What fits: {page.hand.controls.fits}."
    assert {card.note for card in cards_of(page_at(deal, (public.turn + 1) % 4)).values()} == {""}
    question = page_on_turn(deal, chosen="WD").hand.controls.question
    assert (question.card.code, question.risk) == ("WD", cards["WD"].note)
    assert question.does == "The next player draws 4 and misses the turn, or challenges you."


def _unplayable(hand):
    held = hand.cards[hand.public.turn]
    return sorted(set(held) - set(playable(hand.public, held, None))) if hand.public.step == TURN else []


@pytest.mark.django_db
def test_a_question_shows_the_card_that_asks_it():
    deal = arrange(sealed(), lambda hand: hand.public.step == ANSWER and hand.public.aimed == "WD")
    question = page_on_turn(deal).hand.controls.question
    assert (question.kind, question.card.code) == ("answer", "WD")


# What happened

EFFECTS = [
    ([play(0, "BD"), drew(1, 2, "draw-card")], Effect("Benoît", "+2", hits=True)),
    ([play(0, "BS")], Effect("Benoît", icon="i-skip", hits=True)),
    ([play(0, "BR")], Effect("to the right", icon="i-turn")),
    ([play(0, "W", "R")], Effect("red", icon="pip-red")),
    ([("catch", 2, 0), drew(2, 2, "uno")], Effect("Chidi", "+2", hits=True)),
    ([play(0, "WD", "R"), ("challenge", 1, True), drew(0, 4, "bluff")], Effect("Ana", "+4", hits=True)),
    ([play(0, "WD", "R"), ("challenge", 1, False), drew(1, 6, "challenge-lost")], Effect("Benoît", "+6", hits=True)),
    ([("uno", 2)], Effect("Chidi", "UNO")),
    ([*(play(0, f"B{number}") for number in range(1, 7))], Effect("Ana: no UNO", "1")),
    ([play(0, "B9")], None),
    ([drew(0, 1, "turn"), ("pass", 0)], None),
]


@pytest.mark.parametrize(("events", "effect"), EFFECTS)
def test_the_effect_of_a_move_is_a_figure_or_a_picture_and_whom_it_hits(events, effect):
    told = story(*events)
    assert effect_of(told.lines[-1], told) == effect


def test_who_is_hit_reads_you_and_it_is_lit():
    told = story(play(0, "BD"), drew(1, 2, "draw-card"))
    assert effect_of(told.lines[-1], told, 1) == Effect("you", "+2", hits=True, on_me=True)


@pytest.mark.django_db
def test_until_the_target_has_answered_a_card_its_effect_is_open():
    deal = arrange(sealed(), lambda hand: hand.public.step == ANSWER and hand.public.aimed == "WD")
    turn = standing(deal).hand.public.turn
    mine, theirs = (page_at(deal, seat).hand.lines[0] for seat in (turn, (turn + 1) % 4))
    assert (mine.symbol, mine.effect) == ("WD", Effect("you decide", "+4", hits=True, on_me=True))
    assert theirs.effect.figure == "+4" and theirs.effect.words.endswith(" decides") and not theirs.effect.on_me


@pytest.mark.django_db
def test_the_whole_hand_has_all_moves_newest_first_and_hides_what_others_drew():
    deal = arrange(sealed(), on_turn())
    played = standing(deal)
    places = [{"name": name, "bot": ""} for name in played.hand.public.names]
    more = {"deal": deal.pk, "commitment": deal.commitment, "you": 0, "places": places, "timed_out": []}
    log = hand_log(hand_as_seen(played, 0) | more)
    assert log.lines[0].number == log.text.split()[0] and log.text.endswith("Newest first.")
    assert [line.key for line in log.lines] == sorted((line.key for line in log.lines), key=int, reverse=True)
    assert {line.symbol for line in log.lines if line.text.endswith("draws a card")} <= {BACK}
    assert hand_log(None).lines == ()
