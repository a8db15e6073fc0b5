"""A knockout as its organiser and its players see it, from the card on the page to the final, and its picture."""

import re
from xml.etree import ElementTree

import pytest
from django.test import Client

from games.service.bots_play import play as play_by_bots
from league.access.signed_links import player_token, screen_token
from league.day.entrants import drop_out
from league.entries.list_order import add_entries
from league.models import Round, Stage, Tournament
from league.public.views import _windows
from league.standings.read import read
from league.standings.result_in_words import result_in_words
from tests import cast, pdf_text
from tests.test_stories import CREATE

pytestmark = pytest.mark.django_db

NAMES = "\n".join(cast.CAST[:6])
FORM = CREATE | {"format": "knockout", "players": NAMES, "hands_per_round": "1"}


@pytest.fixture
def olga():
    client = Client()
    client.force_login(cast.organiser())
    return client


@pytest.fixture
def made(olga):
    """Six, whose first round is published: Ana Lucía and Benoît sit out."""
    answer = olga.post("/new/", FORM)
    assert answer.status_code == 302, answer.context["form"].errors
    made = Tournament.objects.get()
    cast.go_on(made)
    cast.go_on(made)
    return made


def play(made, number):
    """The first seat, which is the better seed's, wins every duel."""
    for table in made.rounds.living().get(number=number).tables.all():
        cast.record(table, 1, 0, (10, 10))


def look(client, made, page=""):
    answer = client.get(f"/t/{made.slug}/{page}")
    assert answer.status_code == 200, page
    return " ".join(answer.content.decode().split())


def picture(client, made, page="bracket/"):
    """The columns as a screen reader reads them: [title, [(title of the table, [(classes, words)])]]."""
    columns = look(client, made, page).split('<section class="bk-col"')[1:]
    found = []
    for column in columns:
        title = re.sub(r"<[^>]+>", "", re.search(r"<h3>(.*?)</h3>", column)[1]).strip()
        tables = []
        for table in column.split('<article class="bk-table')[1:]:
            head = re.sub(r"<[^>]+>", "", re.search(r"<h4>(.*?)</h4>", table)[1]).strip()
            rows = [
                (" ".join(classes.split()), spoken)
                for classes, spoken in re.findall(r'<li class="(.*?)" *> *<span class="sr">(.*?)</span>', table)
            ]
            tables.append((head, rows))
        found.append((title, tables))
    return found


def words_of(table):
    return [spoken for _classes, spoken in table[1]]


def test_the_way_to_the_final_is_drawn_before_it_is_made(olga):
    page = " ".join(olga.post("/new/evening/", FORM | {"ending": "final"}).content.decode().split())
    assert "4 players. Winners advance, with 2 byes" in page
    assert "4 players. Final and third place" in page


def test_all_of_the_tree_is_there_from_the_first_round_on(made):
    first, semis, final = picture(Client(), made)
    assert (first[0], semis[0], final[0]) == ("Quarter-finals", "Semi-finals", "Final and third place")
    assert [head for head, _rows in first[1]] == ["No match", "Table 1", "No match", "Table 2"]
    assert words_of(first[1][0]) == ["Ana Lucía, seed 1, advances", "bye"]
    assert words_of(semis[1][0]) == ["Ana Lucía", "Winner of table 1"]
    assert [head for head, _rows in final[1]] == ["Final", "Third place"]
    assert words_of(final[1][0]) == ["Winner of match 5", "Winner of match 6"]
    assert words_of(final[1][1]) == ["Loser of match 5", "Loser of match 6"]


def test_who_has_won_a_duel_is_through_before_the_round_is_closed(made):
    cast.record(cast.table(made, 1, 1), 1, 0, (10, 10))
    first, semis, _final = picture(Client(), made)
    assert [classes for classes, _words in first[1][1][1]] == ["on", "off"]
    assert words_of(semis[1][0])[1] == "Đorđe" and words_of(semis[1][1])[1] == "Winner of table 2"


def test_from_the_list_to_the_final(olga, made):
    play(made, 1)
    cast.go_on(made)
    now = look(olga, made)
    assert (
        "Publish round 2" in now and "Qualified: Ana Lucía, Benoît, Chidi and Đorđe." in now and "moves up" not in now
    )
    assert "lost in the quarter-final 0-10 against Đorđe" in look(Client(), made, "standings/")
    cast.go_on(made)
    assert "a tie is played on" in look(Client(), made, "standings/")
    play(made, 2)
    cast.go_on(made)
    assert "Play for third place: Chidi and Đorđe." in look(olga, made)
    final = picture(olga, made)[-1]
    assert words_of(final[1][0]) == ["Ana Lucía", "Benoît"] and words_of(final[1][1]) == ["Chidi", "Đorđe"]
    cast.go_on(made)
    play(made, 3)
    cast.go_on(made)
    cast.go_on(made)
    assert made.is_final
    said = look(Client(), made, "standings/")
    assert "won the final 10-0" in said and "lost the final 0-10 against Ana Lucía" in said
    assert "won third place 10-0" in said and "lost third place 0-10 against Chidi" in said
    final = picture(Client(), made)[-1]
    assert words_of(final[1][0]) == ["Ana Lucía, winner, 10 points", "Benoît, 0 points, eliminated"]
    papers = {
        paper: pdf_text.text(olga.get(f"/t/{made.slug}/prints/{paper}.pdf").content)
        for paper in ("bracket", "standings", "crosstable")
    }
    assert "Final and third place" in papers["bracket"] and "Ana Lucía has won" in papers["bracket"]
    assert all("Ana Lucía" in text for text in papers.values())
    assert "won the final 10-0" in papers["standings"]


def test_every_place_that_names_a_result_tells_it_as_a_match_and_not_in_points(olga):
    club = cast.club(members=6)
    made = cast.tournament([], format="knockout", hands_per_round=1, third_place=1, club=club)
    add_entries(tournament=made, members=list(club.members.order_by("pk")), by=made.owner)
    cast.go_on(made)
    cast.go_on(made)
    for number in (1, 2, 3):
        play(made, number)
        cast.go_on(made)
        if number < 3:
            cast.go_on(made)
    assert "won the final 10-0" in look(olga, made)  # the first five, before the standings are final
    cast.go_on(made)
    won = "Ana Lucía won the final 10-0"
    for page in ("/", "/clubs/cafe-ludo/", f"/t/{made.slug}/"):
        assert won in " ".join(olga.get(page).content.decode().split()), page
    assert won in look(Client(), made)
    screen = Client().get(f"/screen/{screen_token(made)}/").content.decode()
    assert "won the final 10-0" in screen and "lost the final 0-10" in screen and "10 points" not in screen
    beaten = made.entries.get(public_id=read(made).standings()[-1].entrant.id)
    mine = " ".join(Client().post(f"/me/{player_token(beaten)}/", follow=True).content.decode().split())
    assert "Lost in the quarter-final 0-10." in mine and "0 points." not in mine
    profile = " ".join(olga.get(f"/clubs/cafe-ludo/players/{beaten.player.public_id}/").content.decode().split())
    assert "lost in the quarter-final 0-10" in profile


def test_a_final_of_a_knockout_that_forgives_a_loss_and_of_heats_has_its_words():
    double = by_bots(cast.tournament(4, format="knockout", hands_per_round=1, losses=2))
    results = [result_in_words(line) for line in read(double).standings()]
    assert results[0].startswith("won the final ") and results[1].startswith("lost the final ")
    assert results[-1].startswith("eliminated in round 2")
    heats = by_bots(cast.tournament(8, format="heats", hands_per_round=1))
    results = [result_in_words(line) for line in read(heats).standings()]
    assert results[0].startswith("won the final, with ") and results[1].startswith("place 2 in the final, with ")
    assert results[-1].startswith("eliminated in round 1, place ")


def by_bots(made):
    """Bots play to the end, also a second final that follows from the first."""
    while made.state != "closed":
        play_by_bots(made, seed=3, rounds=None, by=made.owner, tell=lambda line: None)
        cast.go_on(made)
    return made


def test_where_somebody_does_not_come_the_other_one_has_a_free_round(olga, made):
    play(made, 1)
    cast.go_on(made)
    drop_out(tournament=made, entry=cast.entry(made, "Chidi"), by=made.owner)
    first, semis, final = picture(olga, made)
    classes, words = first[1][3][1][0]
    assert (classes, words) == ("on", "Chidi, seed 3, left, 10 points, advances")  # who has won it all the same
    assert [head for head, _rows in semis[1]] == ["Table 1", "No match"]
    assert words_of(semis[1][1]) == ["Benoît, advances", "bye"]
    assert final[0] == "Final"  # nobody is left to play Chidi's opponent for third place


def test_both_sides_of_a_knockout_that_forgives_a_loss_are_there_from_the_first_round_on(olga):
    page = " ".join(olga.post("/new/evening/", FORM | {"ending": "final", "losses": "2"}).content.decode().split())
    assert "Both sides play; a second loss eliminates" in page
    answer = olga.post("/new/", FORM | {"players": "\n".join(cast.CAST), "losses": "2"})
    assert answer.status_code == 302, answer.context["form"].errors
    made = Tournament.objects.get()
    cast.go_on(made)
    cast.go_on(made)
    columns = picture(Client(), made)
    assert [title for title, _tables in columns] == [
        *("Winners’ round 1", "Winners’ round 2", "Winners’ final", "Final", "Second final"),
        *("Losers’ round 1", "Losers’ round 2", "Losers’ round 3", "Losers’ final"),
    ]
    assert [words_of(table) for table in columns[5][1]] == [
        ["Loser of table 1", "Loser of table 2"],
        ["Loser of table 3", "Loser of table 4"],
    ]
    assert words_of(columns[6][1][0]) == ["Winner of match 7", "Loser of match 6"]  # of the other half
    assert words_of(columns[3][1][0]) == ["Winner of match 11", "Winner of match 13"]
    assert words_of(columns[4][1][0]) == ["Winner of the final", "Loser of the final"]
    play(made, 1)
    cast.go_on(made)
    now = look(olga, made)
    assert "No losses: Ana Lucía, Benoît, Chidi and Đorđe." in now and "One loss: " in now
    cast.go_on(made)
    assert "Losers’ side" in look(Client(), made, "seating/")
    standings = look(Client(), made, "standings/")
    assert "with one loss" in standings and "a second loss eliminates" in standings
    losers = picture(Client(), made)[5][1]
    assert [words_of(table) for table in losers] == [["Zoë", "Émilie"], ["Xiaoming", "Farah"]]
    for page in (
        "",
        "hands/",
        "players/",
        "fairness/",
        "rounds/",
        "manage/",
        "settings/",
        "bracket.svg",
        "log/",
        "screen/",
    ):
        look(olga, made, page)
    paper = pdf_text.text(olga.get(f"/t/{made.slug}/prints/bracket.pdf").content)
    assert "Losers’ side" in paper and "Loser of match 11" in paper


@pytest.mark.parametrize(
    "page",
    ["", "standings/", "bracket/", "seating/", "hands/", "players/", "rounds/", "manage/", "prints/", "settings/",
     "log/", "screen/", "standings.csv", "rounds.csv", "standings/?as_of_round=1", "fairness/", "bracket.svg"],
)  # fmt: skip
def test_every_page_shows_it_between_two_rounds(olga, made, page):
    play(made, 1)
    cast.go_on(made)
    there = look(olga, made, page)
    assert "Farah" in there or page in ("prints/", "settings/", "screen/", "rounds/", "fairness/", "manage/")


def test_a_player_reads_on_their_page_how_they_stand(made):
    out, first = cast.entry(made, "Farah"), cast.entry(made, "Ana Lucía")
    assert "A bye in round 1" in look(Client(), made, f"players/{first.public_id}/")
    play(made, 1)
    cast.go_on(made)
    assert "Lost in the quarter-final 0-10 against Chidi" in look(Client(), made, f"players/{out.public_id}/")
    assert "Qualified" in look(Client(), made, f"players/{first.public_id}/")


def test_the_way_of_a_player_is_lit_as_far_as_it_is_certain(made):
    play(made, 1)
    who = cast.entry(made, "Chidi")
    page = look(Client(), made, f"bracket/?player={who.public_id}")
    assert page.count('<path class="mine"') == 1 and page.count(" me") >= 2
    answer = Client().get(f"/t/{made.slug}/bracket.svg?player={who.public_id}")
    drawing = ElementTree.fromstring(answer.content)
    assert any("Semi-finals" in (shape.text or "") for shape in drawing.iter())


def test_both_see_at_their_table_that_a_level_duel_is_played_on(olga, made):
    table = cast.table(made, 1, 1)
    assert "Tied: play one more hand." not in olga.get(table.get_absolute_url()).content.decode()
    cast.record(table, 1, 0, (0, 0))
    for reader in (olga, Client()):
        assert "Tied: play one more hand." in reader.get(table.get_absolute_url()).content.decode()
    cast.record(table, 2, 0, (10, 10))
    assert "Tied: play one more hand." not in olga.get(table.get_absolute_url()).content.decode()


def test_a_swap_is_not_offered_where_it_would_be_refused(olga, made):
    seat = made.rounds.get(number=1).seats.exclude(table=None).first()
    assert "Swap seats" not in olga.get(f"/t/{made.slug}/people/{seat.entry.public_id}/").content.decode()
    assert "Swap seats" not in olga.get(f"/t/{made.slug}/r/1/tables/1/sheet/").content.decode()


def test_a_long_evening_is_shown_in_parts_that_do_not_cut_the_tree():
    swiss, tree = Stage(format="swiss"), Stage(format="knockout")
    rounds = [Round(number=number, stage=swiss if number <= 9 else tree) for number in range(1, 14)]
    assert _windows(rounds) == [list(range(1, 10)), list(range(10, 14))]
    assert _windows(rounds[:12]) == [list(range(1, 13))]


def test_a_tree_too_large_for_a_sheet_is_printed_in_parts_and_each_is_a_tree(olga):
    made = cast.tournament(40, format="knockout", hands_per_round=1)
    cast.go_on(made)
    cast.go_on(made)
    sheets = pdf_text.pages(olga.get(f"/t/{made.slug}/prints/bracket.pdf").content)
    said = [[words.text for words in sheet.words] for sheet in sheets]
    assert [next(text for text in one if text.startswith("Bracket")) for one in said] == [
        f"Bracket, part {number} of 5" for number in range(1, 6)
    ]
    first = {words.text: words for words in sheets[0].words}
    above, below = first["Ana Lucía"].y, first["Player 17"].y  # the match of the first is between the two before it
    assert "Player 32" in first and "Benoît" not in first and above > below
    assert "Winner of match 57" in said[4]  # matches are numbered through
    assert "Final" in said[4] and "Semi-finals" in said[4] and "Quarter-finals" not in said[4]
