"""What an online table's page says, read from its values: the turn, what is asked, who is ready, what follows."""

import pytest

from engine.cards import WILDS
from engine.legal import playable
from engine.state import ANSWER, DRAWN, TURN
from games.models import OnlineSettings
from games.online.casual.page import CasualNow
from games.online.end import After, Between, Ending, PlayerResult
from games.online.onward import headlines_of, onward_of
from games.online.page.choices import Controls, Question
from games.online.page.page import Page, Waiting, page_of
from games.online.page.people import Other, People
from games.online.page.picture import picture
from games.online.page.turn import turn_of
from games.online.ready import ready_of
from league.models import Entry, Round, Stage, Table, Tournament
from league.rounds.steps import start
from tests import cast
from tests.games.arranged import arrange
from tests.games.online_table import put_online, standing


def sealed(edition="classic", players=None, options=()):
    """A sealed deal: of pairs, or of a Challenge UNO with so many players at one table."""
    made = cast.tournament(edition=edition) if players is None else cast.challenge(players, edition=edition)
    Stage.objects.filter(tournament=made).update(options=list(options))
    start(tournament=Tournament.objects.get(pk=made.pk), by=made.owner)
    return put_online(cast.table(made, 1, 1))


def page_at(deal, seat, chosen=""):
    """The page of the player at this place."""
    me = Entry.objects.get(pk=deal.places[seat]["entry"])
    return page_of(deal.table, picture(deal, me, OnlineSettings()), chosen=chosen)


def page_on_turn(deal, chosen=""):
    return page_at(deal, standing(deal).hand.public.turn, chosen)


def on_turn(least=1):
    return lambda hand: hand.public.step == TURN and len(hand.log) > 20 and len(hand.cards[hand.public.turn]) >= least


def offered(buttons):
    """The words on the buttons that do something."""
    return [button.label for button in buttons if not button.why]


# Whose turn it is


def told(controls=None, me=None, *, paused="", called_off=False, late=0, notice=""):
    """The turn of Ana, as a player who is `controls` something is told of it, or somebody who watches."""
    seen = {"paused": bool(paused) or called_off, "pause_reason": paused}
    return turn_of(seen, me, controls, name="Ana", time_notice=notice, called_off=called_off, late=late)


def player(mine=False, **more):
    return Controls(mine=mine, fans=(), count=7, **more)


def me(**more):
    return Other("0", "Zoë", "foe", **more)


@pytest.mark.parametrize(
    ("controls", "words", "label", "spoken"),
    [
        (None, "Ana’s turn", "Ana’s turn", ""),
        (player(), "Ana’s turn", "Ana’s turn", ""),
        (player(mine=True, fits="Blue or a wild"), "Your turn", "Your turn", "Your turn. Blue or a wild"),
        (
            player(mine=True, question=Question("color", "Which?", "Choose.")),
            "Your turn",
            "Your turn",
            "Which? Choose.",
        ),
    ],
)
def test_whose_turn_it_is_stands_there_and_is_spoken_to_whom_it_concerns(controls, words, label, spoken):
    turn = told(controls, controls and me())
    assert (turn.words, turn.label, turn.spoken, turn.notice) == (words, label, spoken, None)


def test_a_pause_says_why_and_nothing_else_is_told():
    turn = told(player(mine=True), me(away="away"), paused="Two minutes for Chidi.", notice="Time ran out")
    assert (turn.notice.title, turn.notice.reason) == ("Paused", "Two minutes for Chidi.")
    assert "continues automatically" in turn.notice.text and turn.notice.button == ""
    assert (turn.spoken, turn.time_notice) == ("", "")


def test_a_hand_of_a_tournament_that_was_called_off_counts_for_nobody():
    notice = told(player(), me(), called_off=True).notice
    assert notice.title == "Cancelled" and "doesn’t count" in notice.text


@pytest.mark.parametrize(("left", "button"), [(True, "Come back"), (False, "Come back")])
def test_whoever_a_bot_plays_for_can_come_back(left, button):
    notice = told(player(), me(away="left, a bot plays", left=left)).notice
    assert (notice.title, notice.button) == ("A bot plays for you", button)


@pytest.mark.parametrize(
    ("late", "sentence"),
    [
        (0, "You are watching. Players’ cards stay hidden."),
        (1, "You are watching, 1 move behind. Players’ cards stay hidden."),
        (5, "You are watching, 5 moves behind. Players’ cards stay hidden."),
    ],
)
def test_who_watches_reads_what_they_see_and_how_late(late, sentence):
    assert told(late=late).watching == sentence
    assert told(player(), me(), late=late).watching == ""


# What a player can do


@pytest.mark.django_db
@pytest.mark.parametrize("fits", [True, False])
def test_drawing_is_offered_only_without_a_card_that_fits_where_such_a_card_must_be_played(fits):
    def wanted(hand):
        found = playable(hand.public, hand.cards[hand.public.turn], None)
        return on_turn(3)(hand) and (any(card not in WILDS for card in found) if fits else not found)

    hand = page_on_turn(arrange(sealed(options=["must_play"]), wanted)).hand
    [draw] = [button for button in hand.controls.buttons if button.label == "Draw"]
    assert draw.why == ("If you can play, you must." if fits else "")
    assert hand.piles.draws != fits


@pytest.mark.django_db
def test_a_drawn_card_that_fits_cannot_be_kept_where_it_must_be_played():
    def drew(hand):
        found = playable(hand.public, hand.cards[hand.public.turn], hand.drawn)
        return hand.public.step == DRAWN and found and found[0] not in WILDS

    hand = page_on_turn(arrange(sealed(options=["must_play"]), drew)).hand
    assert hand.controls.question.text == "If you can play, you must."
    assert offered(hand.controls.question.buttons)[-1:] == ["Play it"] and not hand.piles.draws
    assert "Keep it" not in offered(hand.controls.question.buttons)


@pytest.mark.django_db
def test_who_is_not_on_turn_reads_why_each_button_does_nothing():
    deal = arrange(sealed(), lambda hand: on_turn(3)(hand) and not hand.public.uno)
    controls = page_at(deal, (standing(deal).hand.public.turn + 1) % 4).hand.controls
    assert [(button.label, button.why) for button in controls.buttons] == [
        ("Draw", "It is not your turn."),
        ("UNO", "Call UNO with your second-last card, or right after it."),
        ("Catch", "No one can be caught now."),
    ]
    assert not controls.holds_back and all("can’t" not in card.label for fan in controls.fans for card in fan)


@pytest.mark.django_db
def test_uno_is_not_offered_when_neither_of_two_cards_fits():
    def stuck(hand):
        held = hand.cards[hand.public.turn]
        return hand.public.step == TURN and len(held) == 2 and not playable(hand.public, held, None)

    controls = page_on_turn(arrange(sealed(), stuck)).hand.controls
    assert offered(controls.buttons) == ["Draw"] and not controls.besides


@pytest.mark.django_db
@pytest.mark.parametrize("held", [True, False])
def test_invisibility_is_asked_of_every_target(held):
    def wanted(hand):
        aimed = hand.public.step == ANSWER and hand.public.aimed[1:] == "S"
        return aimed and ("WI" in hand.cards[hand.public.turn]) == held

    ask = page_on_turn(arrange(sealed("harry-potter-fr"), wanted)).hand.controls.question
    assert [button.label for button in ask.buttons] == ["Miss this turn", "Invisibility"]
    assert "Invisibility cancels it." in ask.text
    assert ask.buttons[1].why == ("" if held else "You don’t have Invisibility.")


@pytest.mark.django_db
def test_where_a_wrong_card_costs_two_it_is_asked_about_first():
    def wanted(hand):
        held = hand.cards[hand.public.turn]
        return on_turn(3)(hand) and len(set(held)) > len(playable(hand.public, held, None))

    deal = arrange(sealed(options=["penalise_wrong_card"]), wanted)
    wrong = next(card for fan in page_on_turn(deal).hand.controls.fans for card in fan if not card.legal)
    ask = page_on_turn(deal, chosen=wrong.code).hand.controls.question
    assert wrong.form == "choose" and ask.title == f"{wrong.name} can’t be played now"
    assert ask.text == "Wrong card: draw two and miss the turn."
    assert offered(ask.buttons) == ["Play it anyway"]


@pytest.mark.django_db
def test_who_sits_where_is_told_and_partners_are_named():
    people = page_at(arrange(sealed(), on_turn()), 0).people
    assert [other.seat.where for other in people.others] == ["on your left", "your partner", "on your right"]
    assert people.css == "foes foes-3" and people.me.seat is None


@pytest.mark.django_db
def test_people_who_watch_read_who_plays_with_whom():
    deal = arrange(sealed(), on_turn())
    people = page_of(deal.table, picture(deal, None, OnlineSettings())).people
    partners = people.others[2:] + people.others[:2]
    expected = [f"with {partner.name}" for partner in partners]
    assert people.me is None and [other.seat.where for other in people.others] == expected


# Before the deal


def waiting(*, viewer=None, others=(), waits_for=(), reason="", paused=False, called_off=False):
    return Page(
        "waiting",
        "hand 2",
        people=People(others, viewer),
        number=2,
        paused=paused,
        called_off=called_off,
        pause_reason=reason,
        waiting=Waiting(opens=bool(waits_for), again=False, waits_for=waits_for, first_deal=None),
    )


ANA = Other("1", "Ana", "foe", dealer=True)
ENDING = Ending(
    None, "Ana goes out", "9 moves.", (), (PlayerResult("Ana", "", won=True, free=False, cards=(), points=0),)
)


def test_the_next_hand_names_its_dealer_and_has_one_button():
    ready = ready_of(waiting(viewer=me(), others=(ANA,)), Between(), two_left=False)
    assert (ready.title, ready.button, ready.waiting) == ("Hand 2, Ana deals", "Ready", "")
    assert [note.text for note in ready.notes] == [
        "The cards are dealt when everyone is ready.",
    ]
    assert ready_of(waiting(viewer=me(dealer=True)), Between(), two_left=False).title == "Hand 2, you deal"


def test_who_is_ready_reads_for_whom_the_table_waits():
    ready = ready_of(waiting(viewer=me(ready=True), others=(ANA,)), Between(), two_left=False)
    assert ready.waiting == "You are ready. Waiting for the other players." and ready.button == ""
    opening = ready_of(waiting(viewer=me(ready=True), waits_for=("Ana", "Chidi")), Between(), two_left=False)
    assert opening.waiting.endswith("waits for: Ana and Chidi") and opening.opens


@pytest.mark.parametrize(("left", "button"), [(True, "Come back"), (False, "Come back")])
def test_who_is_away_before_the_deal_reads_that_a_bot_would_play(left, button):
    page = waiting(viewer=me(ready=True, away="away", left=left))
    ready = ready_of(page, Between(ENDING), two_left=False)
    assert (ready.button, ready.waiting) == (button, "")
    assert [note.text for note in ready.notes] == ["A bot plays for you"]


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ({"paused": True}, "Paused"),
        ({"paused": True, "reason": "Lunch"}, "Paused: Lunch"),
        ({"paused": True, "called_off": True, "reason": "Rain"}, "Cancelled: Rain"),
    ],
)
def test_a_table_that_waits_says_why_it_does_not_go_on(state, sentence):
    ready = ready_of(waiting(viewer=me(ready=True), **state), Between(ENDING), two_left=False)
    assert [note.text for note in ready.notes] == [sentence]


def test_after_a_hand_the_page_lists_who_is_ready_and_what_has_changed():
    ends = Between(ENDING, stopped="A spilt drink", is_out=True)
    ready = ready_of(waiting(others=(ANA,)), ends, two_left=True)
    assert ready.others == (ANA,) and ready.stopped.endswith("stopped: A spilt drink")
    assert [note.text for note in ready.notes] == [
        "Two players are left. They play on head to head and keep their points.",
        "You are eliminated. You can stay and watch.",
        "The cards are dealt when everyone is ready.",
    ]


def test_a_table_at_which_no_hand_waits_asks_nobody_whether_they_are_ready():
    assert ready_of(Page("over", ""), Between(ENDING), two_left=False) is None


# After the last hand


def table(number=1, **more):
    return Table(pk=number, number=number, round=Round(tournament=Tournament(slug="t", **more)))


def over(title="Table 1 is done", text="All hands of round 1 are recorded.", **more):
    return After(title, text, **more)


def game(*, is_over=True, plays=False, has_rematch=False, elsewhere=None):
    return CasualNow(is_over, (), plays, has_rematch, elsewhere)


def titles(ends, casual=None, *, tells_after=True):
    return [(line.title, line.text) for line in headlines_of(ends, casual, tells_after=tells_after)]


def test_the_page_begins_with_how_the_hand_ended_and_then_what_is_next():
    assert titles(Between(ENDING, over())) == [("Ana goes out", "9 moves.")]
    assert onward_of(table(), None, Between(ENDING, over()), None).title == "Table 1 is done"
    assert titles(Between(None, over())) == [("Table 1 is done", "All hands of round 1 are recorded.")]
    assert titles(Between(None, over()), tells_after=False) == [("Table 1 is done", "")]
    assert onward_of(table(), None, Between(None, over()), None).title == ""


def test_a_hand_that_was_taken_back_stands_below_what_is_next():
    gone = Ending(None, "Ana goes out", "The organiser undid this hand.", (), (), gone=True)
    assert [title for title, _text in titles(Between(gone, over()))] == ["Table 1 is done", "Ana goes out"]


def test_a_player_is_led_to_their_next_table_and_told_what_was_broken_off():
    farah = Entry(public_id="F1")
    onward = onward_of(table(), farah, Between(None, over(broken_off=3, next=table(4))), None)
    assert onward.notes == ("Hand 3 was stopped and doesn’t count.",)
    assert [(way.label, way.is_main) for way in onward.links] == [
        ("Play at table 4", True),
        ("My table", False),
        ("Standings", False),
    ]
    later = onward_of(table(), farah, Between(None, over(broken_off=3)), None)
    assert "will show where you play next" in later.notes[-1] and later.links[0].is_main
    out = onward_of(table(), farah, Between(None, over(broken_off=3, out=True)), None)
    assert out.notes[-1] == "You are eliminated. You can stay and watch."


def test_between_two_games_a_casual_table_has_no_words_of_a_tournament():
    ends = Between(ENDING, over())
    soon = onward_of(table(), None, ends, game(is_over=False))
    assert soon.title == "The game continues in a moment" and not soon.links
    mine = onward_of(table(), None, ends, game(is_over=False, plays=True, elsewhere=table(2)))
    theirs = onward_of(table(), None, ends, game(is_over=False, elsewhere=table(2)))
    assert (mine.title, mine.main_link.label, mine.main_link.leads) == ("Two are left", "Go to the table", True)
    assert (theirs.main_link.label, theirs.main_link.leads) == ("Go to the table", False)


@pytest.mark.parametrize(
    ("state", "rematch", "way"),
    [
        ({"plays": True}, "Start a rematch", None),
        ({"plays": True, "has_rematch": True, "elsewhere": 2}, "Join the rematch", None),
        ({"elsewhere": 2}, "", "Watch the next game"),
        ({}, "", None),
    ],
)
def test_after_a_casual_game_players_get_another_one_and_others_watch_it(state, rematch, way):
    state = state | ({"elsewhere": table(2)} if "elsewhere" in state else {})
    onward = onward_of(table(), None, Between(ENDING, over()), game(**state))
    assert onward.title == "Final standings"
    assert onward.rematch == rematch and (onward.main_link and onward.main_link.label) == way
    assert [link.label for link in onward.links] == ["Open a new table", "Standings"]
