"""What is played at a table and where a player stands: the lines at its top, the first card, the rules, the end."""

from dataclasses import replace

import pytest

from engine.rules import OPTIONS
from games.models import OnlineSettings
from games.online.end import Between
from games.online.onward import onward_of
from games.online.page.game_line import HOUSE_RULES, Game, game_in_words, game_line, house_rules, points_in_words
from games.online.page.page import page_of, top_of
from games.online.page.picture import picture
from games.online.page.table_rules import table_rules
from games.online.start_card import start_card
from league.models import Entry, Round, Table, Tournament
from league.standings.ranking import Entrant, Standing
from tests.games.online.page.test_page import game as casual_game
from tests.games.online.page.test_page import over, sealed, table

CLASSIC = Game("classic", target=None, hands=4, eliminates=False, points_are_bad=False, partners=False, options=())
ELIMINATES = replace(CLASSIC, target=100, hands=None, eliminates=True, points_are_bad=True)


@pytest.mark.parametrize(
    ("game", "line"),
    [
        (CLASSIC, "Classic, 4 hands, points are good"),
        (replace(CLASSIC, hands=1, points_are_bad=True), "Classic, 1 hand, points are bad"),
        (replace(CLASSIC, hands=None), "Classic, points are good"),
        (replace(CLASSIC, target=500), "Classic, first to 500 wins, points are good"),
        (replace(CLASSIC, target=300, points_are_bad=True), "Classic: points are bad, the game ends at 300"),
        (ELIMINATES, "Classic: points are bad, 100 eliminates you"),
        (replace(ELIMINATES, edition="minecraft-2017"), "Minecraft (2017): points are bad, 100 eliminates you"),
    ],
)
def test_the_first_line_says_what_is_played_what_ends_it_and_what_points_mean(game, line):
    assert game_in_words(game, "en") == line


def test_every_house_rule_has_a_short_name_and_they_stand_in_one_order():
    assert set(HOUSE_RULES) == set(OPTIONS)
    assert house_rules(["must_play", "stacking"]) == "Stacking, must play"
    assert house_rules([]) == ""


def test_who_comes_near_the_target_reads_that_they_are_in_danger():
    assert points_in_words(ELIMINATES, 79) == "You have 79."
    assert points_in_words(ELIMINATES, 80) == "You have 80, in danger."
    assert points_in_words(replace(CLASSIC, target=100), 90) == "You have 90."


def test_the_second_line_says_where_the_reader_stands():
    table = Table(number=4, round=Round(tournament=Tournament()))
    game = replace(CLASSIC, options=("must_play",))
    assert game_line(table, game, 3, points="You have 180.").standing == "Table 4, hand 3. You have 180. Must play"
    assert game_line(table, game, 0, points="").standing == "Table 4. Must play"
    table.round.tournament.kind = Tournament.Kind.CASUAL
    assert game_line(table, CLASSIC, 3, points="You have 180.").standing == "Hand 3. You have 180."


@pytest.mark.django_db
def test_partners_read_the_points_of_both_sides_and_a_spectator_the_names():
    deal = sealed()
    me = Entry.objects.get(pk=deal.places[1]["entry"])
    for viewer, line in ((me, "Your side has 0, the other 0."), (None, ": 0, ")):
        page = page_of(deal.table, picture(deal, viewer, OnlineSettings()))
        top = top_of(deal.table, page, viewer, (), before=None, here="", call=None)
        assert top.line.game == "Classic, 4 hands, points are good" and line in top.line.standing


@pytest.mark.django_db
def test_before_the_first_card_stands_what_ends_the_game_and_how_near_everybody_is():
    deal = sealed(players=4)
    me = Entry.objects.get(pk=deal.places[0]["entry"])
    page = page_of(deal.table, picture(deal, me, OnlineSettings()))
    card = start_card(deal.table, replace(page, points={"0": 120, "1": 600}))
    assert (card.title, card.lead) == ("Challenge UNO", "Points are bad. 500 points eliminate you.")
    assert [(lane.name, lane.filled) for lane in card.lanes][:2] == [("You", 24), (page.people.others[0].name, 100)]
    assert card.goal == "500: eliminated" and card.danger
    assert [term.title for term in card.terms] == ["Goes out", "Eliminated"]
    assert card.note == ""  # only a casual game can be left
    pairs = sealed()
    card = start_card(pairs.table, page_of(pairs.table, picture(pairs, None, OnlineSettings())))
    assert card.goal == "" and not card.danger and {lane.points for lane in card.lanes} == {None}
    assert all(lane.where.startswith("with ") for lane in card.lanes)


def test_the_rules_of_a_table_have_its_house_rules_and_only_its_cards():
    rules = table_rules(replace(ELIMINATES, options=("must_play",)), players=4)
    assert [point.title for point in rules.points] == ["Points are bad", "100 points eliminate you", "Call UNO"]
    assert rules.house == ("You must play if you can",)
    assert [card.face for card in rules.cards] == ["", "D", "R", "S", "W", "WD"]
    assert [point.title for point in table_rules(CLASSIC, players=4).points][:2] == ["Points are good", "4 hands"]


def standing(rank, name, total, **out):
    numbers = dict.fromkeys(("rounds_played", "hands_played", "hands_won", "points_for", "points_against"), 0)
    more = {"difference": 0, "points_caught": 0, "adjustments": 0, "tie_breaks": (), "decided_by": None}
    entrant = Entrant(name, name, "", Entry.Status.OUT if out else Entry.Status.ACTIVE, rank)
    return Standing(
        rank, tied=False, entrant=entrant, total=total, best_partner=None, by_round={}, **numbers, **more, **out
    )


def test_the_final_list_says_why_each_has_their_place():
    lines = (standing(1, "Ada", 40), standing(2, "Zoë", 110, out_in_round=2, out_in_hand=1))
    ended = replace(casual_game(), lines=lines, hands={1: 4, 2: 1})
    onward = onward_of(table(), None, Between(None, over()), ended)
    assert [line.why for line in onward.lines] == ["", "eliminated in hand 5"]
