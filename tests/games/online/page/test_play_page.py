"""The page of an online table, without scripts: what it shows to whom, what it asks, a whole hand through its forms."""

import random
import re
from dataclasses import replace

import pytest
from django.template import Context, RequestContext, Template
from django.test import Client, RequestFactory

from engine.cards import WILDS
from engine.legal import playable
from engine.state import ANSWER, COLOR, DRAWN, TURN
from games.models import Deal, Move, OnlineSettings
from games.online.page.choices import CardView
from games.online.play import deals
from league.models import Entry, Stage, Table, Tournament
from league.rounds.steps import start
from tests import cast
from tests.games.arranged import arrange
from tests.games.online_table import everybody_ready, play_out, put_online, standing
from tests.games.screen import Screen

pytestmark = pytest.mark.django_db


def sealed(edition="classic", players=None, options=(), **settings):
    """A sealed deal: of pairs, or of a Challenge UNO with so many players at one table."""
    if players is None:
        made = cast.tournament(edition=edition, **settings)
    else:
        made = cast.challenge(players, edition=edition, table_size=10, hands_per_round=None, **settings)
    Stage.objects.filter(tournament=made).update(options=list(options))
    start(tournament=Tournament.objects.get(pk=made.pk), by=made.owner)
    return put_online(cast.table(made, 1, 1))


def at(deal, seat):
    return Screen(deal.table_id, Entry.objects.get(pk=deal.places[seat]["entry"]))


def whose_turn(deal):
    return at(deal, standing(deal).hand.public.turn)


def name(deal, seat):
    return Entry.objects.get(pk=deal.places[seat]["entry"]).player.name


def on_turn(least=1):
    return lambda hand: hand.public.step == TURN and len(hand.log) > 20 and len(hand.cards[hand.public.turn]) >= least


def holds(card):
    return lambda hand: hand.public.step == TURN and card in hand.cards[hand.public.turn] and len(hand.log) > 12


# What is shown


def test_a_sealed_deck_waits_with_its_seal_in_sight_and_a_button():
    deal = sealed()
    screen = at(deal, 0)
    assert deal.commitment in screen.html
    assert screen.button("Ready")
    screen.press(screen.button("Ready"))
    assert "You are ready. Waiting for the other players." in screen.text
    deal.refresh_from_db()
    assert [place["ready"] for place in deal.places] == [True, False, False, False]


def test_who_watches_a_table_that_waits_has_no_button():
    screen = Screen(sealed().table_id)
    assert not [one for one in screen.buttons if one.form in ("ready", "acts", "hand")]
    assert "The cards are dealt when everyone is ready." in screen.text


@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_page_has_ones_own_cards_and_nobody_elses(seat):
    deal = arrange(sealed(), on_turn(3))
    hand = standing(deal).hand
    screen = Screen(deal.table_id) if seat is None else at(deal, seat)
    own = sorted(hand.cards[seat]) if seat is not None else []
    assert sorted(card.value for card in screen.cards) == own
    seen = set(re.findall(r"cards\.svg[^#]*#([RYGBW][0-9A-Z]+)\"", screen.html))
    assert seen <= {*own, *hand.public.discard}


def test_legal_cards_are_raised_and_the_others_say_that_they_cannot_be_played():
    deal = arrange(sealed(), on_turn(5))
    hand = standing(deal).hand
    screen = whose_turn(deal)
    legal = set(playable(hand.public, hand.cards[hand.public.turn], None))
    assert {card.value for card in screen.cards if card.legal} == legal
    held = [card for card in screen.cards if card.value not in legal]
    assert all("can’t be played now" in card.label for card in held)


def test_the_page_says_in_words_whose_turn_it_is_which_colour_counts_and_what_happened():
    deal = arrange(sealed(), on_turn())
    public = standing(deal).hand.public
    screen = at(deal, (public.turn + 1) % 4)
    assert f"{name(deal, public.turn)}’s turn" in screen.text
    color = {"R": "Red", "Y": "Yellow", "G": "Green", "B": "Blue"}[public.color]
    assert re.search(rf'class="inplay in-{color.lower()}".*{color}</span>', screen.html)
    assert screen.html.count('<li id="line-') == 3


def test_ten_players_sit_around_the_piles_and_only_figures_tell_of_their_cards():
    deal = arrange(sealed(players=10), on_turn())
    screen = whose_turn(deal)
    assert "seats-9" in screen.html
    assert len(re.findall('class="foe', screen.html)) == 9


def test_more_than_twelve_cards_lie_in_two_fans():
    deal = arrange(sealed(), on_turn(14))
    screen = whose_turn(deal)
    assert len(screen.cards) >= 14
    assert screen.html.count('class="fan ') == 2
    assert max(int(count) for count in re.findall(r'class="fan n(\d+)', screen.html)) <= 12


def test_who_watches_late_sees_an_earlier_table_and_is_told_so():
    deal = arrange(sealed(), on_turn())
    OnlineSettings.objects.create(tournament=deal.table.round.tournament, spectator_delay=5)
    assert "You are watching, 5 moves behind. Players’ cards stay hidden." in Screen(deal.table_id).text


def test_a_pause_is_told_with_its_reason_and_nothing_can_be_drawn():
    deal = arrange(sealed(), on_turn())
    Deal.objects.filter(pk=deal.pk).update(paused_at=deal.dealt_at, pause_reason="Two minutes for Chidi.")
    screen = whose_turn(deal)
    assert "Paused Two minutes for Chidi." in screen.text
    assert not [one for one in screen.buttons if one.form == "acts"]


def test_whoever_a_bot_plays_for_comes_back_with_one_button():
    deal = arrange(sealed(), on_turn())
    deal.places[0]["bot"] = "careful"
    deal.save()
    screen = at(deal, 0)
    screen.press(screen.button("Come back"))
    deal.refresh_from_db()
    assert deal.places[0]["bot"] == ""
    assert "A bot plays for you" not in screen.text


# What is asked


def test_a_wild_card_leads_to_the_question_for_its_colour():
    deal = arrange(sealed(), holds("W"))
    screen = whose_turn(deal)
    screen.press(screen.card("W"))
    assert "Which colour?" in screen.text
    screen.press(screen.button("Green"))
    assert Move.objects.filter(deal=deal).last().action[2:4] == ["W", "G"]


def test_another_card_can_be_chosen_instead():
    deal = arrange(sealed(), holds("W"))
    screen = whose_turn(deal)
    screen.press(screen.card("W"))
    assert re.search(rf'<a class="btn" id="other-card" href="/tables/{deal.table_id}/play/\?as=', screen.html)
    assert "Which colour?" not in screen.look().text


def test_a_sorting_hat_asks_for_whom_as_well():
    deal = arrange(sealed("harry-potter-2018", players=5), holds("WH"))
    turn = standing(deal).hand.public.turn
    screen = whose_turn(deal)
    screen.press(screen.card("WH"))
    targets = sorted(int(one.value) for one in screen.controls if one.name == "target")
    assert targets == [seat for seat in range(5) if seat != turn]
    screen.press(screen.button("Blue"), target=str(targets[0]))
    assert Move.objects.filter(deal=deal).last().action[2:5] == ["WH", "B", targets[0]]


def test_a_sorting_hat_for_nobody_is_refused_in_words():
    deal = arrange(sealed("harry-potter-2018", players=5), holds("WH"))
    moves = Move.objects.filter(deal=deal).count()
    screen = whose_turn(deal)
    screen.press(screen.card("WH"))
    screen.press(screen.button("Blue"))
    assert screen.status == 422
    assert "Choose another player for Sorting Hat." in screen.text
    assert Move.objects.filter(deal=deal).count() == moves


def test_the_first_player_names_the_colour_of_a_turned_up_wild_card():
    deal = arrange(sealed(), lambda hand: hand.public.step == COLOR)
    screen = whose_turn(deal)
    screen.press(screen.button("Red"))
    assert "You choose red" in screen.text


@pytest.mark.parametrize("may", [True, False])
def test_a_drawn_card_is_played_or_kept(may):
    def wanted(hand):
        drawn = hand.drawn
        return hand.public.step == DRAWN and drawn not in WILDS and (drawn in playable(hand.public, [], drawn)) == may

    deal = arrange(sealed(), wanted)
    screen = whose_turn(deal)
    assert "You drew" in screen.text
    words = [one.words for one in screen.buttons if not one.card]
    assert ("Play it" in words) == may
    screen.press(screen.button("Keep it"))
    assert Move.objects.filter(deal=deal).last().action[0] == "pass"


def test_a_wild_draw_four_asks_whether_it_was_a_bluff_and_the_challenger_alone_sees_the_cards():
    deal = arrange(sealed(), lambda hand: hand.public.step == ANSWER and len(hand.log) > 12)
    before = standing(deal).hand
    challenged = name(deal, before.public.asker)
    screen = whose_turn(deal)
    assert f"Does {challenged} still hold" in screen.text
    assert screen.button("Draw 4")
    screen.press(screen.button("Challenge it"))
    shown = sorted(before.cards[before.public.asker])
    panel = screen.html.partition('id="shown"')[2].partition("</section>")[0]
    assert sorted(re.findall(r"cards\.svg[^#]*#(\w+)", panel)) == shown
    assert f"{challenged}’s cards, only for you" in screen.text
    for other in [seat for seat in range(4) if seat != before.public.turn]:
        assert "for you alone" not in at(deal, other).text


def test_cards_that_a_howler_reads_out_are_shown_to_everybody():
    deal = arrange(sealed("harry-potter-fr"), lambda hand: hand.log[-1][0] == "show" and hand.log[-1][4] == "howler")
    shown = standing(deal).hand.log[-1][1]
    for seat in (None, (shown + 1) % 4):
        screen = Screen(deal.table_id) if seat is None else at(deal, seat)
        assert f"{name(deal, shown)}’s cards, for everyone" in screen.text


def test_where_a_wrong_card_costs_two_it_is_asked_about_first():
    def wanted(hand):
        held = hand.cards[hand.public.turn]
        return on_turn(3)(hand) and len(set(held)) > len(playable(hand.public, held, None))

    deal = arrange(sealed(options=["penalise_wrong_card"]), wanted)
    moves = Move.objects.filter(deal=deal).count()
    screen = whose_turn(deal)
    wrong = next(card for card in screen.cards if not card.legal)
    screen.press(wrong)
    assert "Wrong card: draw two and miss the turn." in screen.text
    assert Move.objects.filter(deal=deal).count() == moves
    screen.press(screen.button("Play it anyway"))
    assert "You play a wrong card" in screen.text


# UNO


def two_cards(hand):
    held = hand.cards[hand.public.turn]
    colored = [card for card in playable(hand.public, held, None) if card not in WILDS and card[1].isdigit()]
    return hand.public.step == TURN and len(held) == 2 and colored and len(set(held)) == 2


@pytest.mark.parametrize("called", [True, False])
def test_uno_is_ticked_before_the_card_that_leaves_one(called):
    deal = arrange(sealed(), two_cards)
    turn = standing(deal).hand.public.turn
    screen = whose_turn(deal)
    assert [one.form for one in screen.controls if one.kind == "checkbox"] == ["hand"]
    card = next(one for one in screen.cards if one.legal and one.value not in WILDS and one.value[1].isdigit())
    screen.press(card, **({"uno": "on"} if called else {}))
    assert (turn in standing(deal).hand.public.uno) != called
    words = [one.words for one in at(deal, (turn + 1) % 4).buttons]
    assert (f"Catch {name(deal, turn)}" in words) != called


def test_whoever_forgot_uno_can_still_call_it_and_the_others_can_catch():
    deal = arrange(sealed(), lambda hand: hand.public.uno and hand.public.turn not in hand.public.uno)
    forgot = standing(deal).hand.public.uno[0]
    late, quick = at(deal, forgot), at(deal, (forgot + 1) % 4)
    catch = quick.button(f"Catch {name(deal, forgot)}")
    late.press(late.button("UNO"))
    assert "You call UNO" in late.text
    quick.press(catch)
    assert quick.status == 409
    assert "The hand has moved on." in quick.text


# What is refused


def test_a_card_that_does_not_fit_is_refused_with_the_reason_and_nothing_changes():
    deal = arrange(sealed(), lambda hand: on_turn(4)(hand) and hand.public.discard[-1] not in WILDS)
    moves = Move.objects.filter(deal=deal).count()
    screen = whose_turn(deal)
    before = sorted(card.value for card in screen.cards)
    screen.press(next(card for card in screen.cards if not card.legal))
    assert screen.status == 422
    assert re.search(
        r'role="alert">[^<]+ doesn’t match [^<]+\. Match its colour, number or symbol, or play a wild card\.',
        screen.html,
    )
    assert sorted(card.value for card in screen.cards) == before
    assert Move.objects.filter(deal=deal).count() == moves


def test_a_card_out_of_turn_is_refused():
    deal = arrange(sealed(), on_turn())
    screen = at(deal, (standing(deal).hand.public.turn + 1) % 4)
    screen.press(screen.cards[0])
    assert screen.status == 422
    assert "It is not your turn." in screen.text


def test_a_second_tab_gets_the_table_as_it_is_now():
    deal = arrange(sealed(), on_turn())
    first, second = whose_turn(deal), whose_turn(deal)
    first.press(first.button("Draw"))
    second.press(second.button("Draw"))
    assert second.status == 409
    assert "The hand has moved on." in second.text
    assert "You drew" in second.text


# From the first card to the next deal


def play_on(deal, screens):
    """Whoever's turn it is does the first thing that the page offers them."""
    screen = screens[standing(deal).hand.public.turn].look()
    legal = [card for card in screen.cards if card.legal]
    words = {one.words: one for one in screen.buttons if not one.card and not one.off}
    if legal:
        screen.press(legal[0])
        return screen.press(screen.button("Red")) if "Which colour?" in screen.text else screen
    for wanted in ("Red", "Keep it", "Draw 4", "Draw", "Pass"):
        if wanted in words:
            return screen.press(words[wanted])
    raise AssertionError(f"nothing to do among {list(words)}")


def test_a_whole_hand_is_played_through_the_forms_of_its_pages(monkeypatch):
    """A short one, in which a colour is named, cards are drawn and kept, and four are taken."""
    monkeypatch.setattr(deals, "fresh_seed", lambda: random.Random(16).randbytes(72))
    deal = sealed()
    screens = [at(deal, seat) for seat in range(4)]
    for screen in screens:
        screen.press(screen.button("Ready"))
    deal.refresh_from_db()
    assert deal.state == Deal.State.PLAYING
    for _move in range(40):
        screen = play_on(deal, screens)
        assert screen.status == 200, screen.text
        deal.refresh_from_db()
        if deal.state != Deal.State.PLAYING:
            break
    assert deal.state == Deal.State.OVER
    assert "You go out" in screen.text
    assert f"/deals/{deal.pk}/" in screen.html
    assert screen.button("Ready")
    others = screens[(screens.index(screen) + 1) % 4].look()
    assert "goes out" in others.text


def test_the_end_of_a_hand_shows_what_everybody_held_and_both_sides_points():
    deal = play_out(everybody_ready(sealed()))
    screen = at(deal, 0)
    for seat in deal.hand.seats:
        assert str(seat["points_left"]) in screen.text
    sides = re.findall(r'<dd class="num">(\d+)', screen.html)
    assert sorted(map(int, sides)) == sorted({score.score for score in deal.table.scores.filter(hand=1)})
    assert re.search(r"’s \d+ points don’t count: their partner went out", screen.text)


def test_after_the_last_hand_the_page_leads_on():
    deal = play_out(everybody_ready(sealed(hands_per_round=1)))
    assert Table.objects.get(pk=deal.table_id).state == Table.State.CONFIRMED
    screen = at(deal, 0)
    assert "Table 1 is done" in screen.text
    slug = deal.table.round.tournament.slug
    assert f'href="/t/{slug}/standings/"' in screen.html
    assert f'href="/t/{slug}/me/?player=' in screen.html


def test_in_a_challenge_everybody_reads_their_totals():
    deal = play_out(everybody_ready(sealed(players=5)))
    screen = at(deal, 0)
    assert len(re.findall(r"now \d+", screen.text)) == 5


def test_a_table_that_is_played_on_paper_says_so():
    deal = sealed()
    Deal.objects.all().delete()
    Table.objects.filter(pk=deal.table_id).update(mode=Table.Mode.OFFLINE)
    assert "continues with real cards" in Screen(deal.table_id).text


@pytest.mark.parametrize("reports", [True, False])
def test_players_are_led_from_the_scorers_page_of_their_table_to_play(reports):
    deal = sealed()
    Tournament.objects.filter(pk=deal.table.round.tournament_id).update(players_report=reports)
    answer = at(deal, 0).client.get(f"/tables/{deal.table_id}/")
    assert answer.status_code == 302
    assert answer.headers["Location"] == f"/tables/{deal.table_id}/play/"


def test_hands_that_are_played_online_are_not_asked_for_on_the_scorers_page(olga):
    deal = sealed()
    page = olga.get(f"/tables/{deal.table_id}/").content.decode()
    assert "This table is played online" in page
    assert 'name="seating_version"' not in page


def test_a_part_of_the_page_is_made_of_what_it_is_given_and_knows_nobody():
    card = CardView("R7-0", "R7", "R7", "Red 7", legal=True, label="Red 7")
    page = Template('{% part "games/online/play/_fan.html" fans=fans label="" holds_back=True %}')
    first, second = (
        page.render(RequestContext(RequestFactory().get("/"), {"fans": ((card,),), "me": name})) for name in "AB"
    )
    assert first == second
    assert 'aria-label="Red 7"' in first and 'class="legal"' in first
    assert 'class="held"' in page.render(Context({"fans": ((replace(card, legal=False),),)}))
    with pytest.raises(TypeError, match="unhashable"):  # what may change is no key
        page.render(Context({"fans": [card]}))


def test_an_account_opens_an_online_table_of_a_club_whoever_it_is():
    made = cast.tournament(4, club=cast.club(4))
    start(tournament=made, by=made.owner)
    table = cast.table(made, 1, 1)
    put_online(table)
    for user in (made.owner, cast.organiser("fan@example.org", "Fan")):
        client = Client()
        client.force_login(user)
        assert client.get(f"/tables/{table.pk}/play/").status_code == 200
