"""An evening of heats as its organiser and its players see it, from the card on the page to the final."""

import pytest
from django.test import Client

from league.models import Tournament
from league.rounds.steps import next_step
from tests import cast, pdf_text
from tests.test_stories import CREATE

pytestmark = pytest.mark.django_db

NAMES = "\n".join(f"Player {number}" for number in range(1, 10))


@pytest.fixture
def olga():
    client = Client()
    client.force_login(cast.organiser())
    return client


def press(olga, made):
    answer = olga.post(f"/t/{made.slug}/advance/", {"step": olga.get(f"/t/{made.slug}/").context["step"].token})
    assert answer.status_code == 302, answer.content.decode()
    made.refresh_from_db()


def look(client, made, page=""):
    answer = client.get(f"/t/{made.slug}/{page}")
    assert answer.status_code == 200, page
    return " ".join(answer.content.decode().split())


def play(made, number):
    """Whoever has the first seat goes out twice, the second seat once, the third once, and nobody else."""
    for table in made.rounds.get(number=number).tables.order_by("number"):
        seats = table.seats.count()
        for hand, out in enumerate((0, 0, 1, 2), 1):
            cast.record(table, hand, out, tuple(10 for _seat in range(seats)))


@pytest.fixture
def made(olga):
    answer = olga.post("/new/", CREATE | {"format": "heats", "players": NAMES, "table_size": "4"})
    assert answer.status_code == 302, answer.context["form"].errors
    return Tournament.objects.get()


def test_the_way_to_the_final_is_drawn_before_it_is_made(olga):
    page = olga.post(
        "/new/evening/", CREATE | {"format": "heats", "players": NAMES, "ending": "final"}
    ).content.decode()
    assert "9 players. The best of each table and 1 of the others go on" in page
    assert "Final of 4" in page and "8 to the final" in " ".join(page.split())


def test_from_the_list_to_the_final(olga, made):
    press(olga, made)
    press(olga, made)
    assert [table.seats.count() for table in made.rounds.get(number=1).tables.order_by("number")] == [3, 3, 3]
    assert "No result is in yet" in look(Client(), made, "standings/")
    assert "you see who goes on before everybody does" in look(olga, made)
    play(made, 1)
    assert "Closing the round shows you who goes on" in look(olga, made)
    assert "place 1 at table 2" in look(Client(), made, "standings/")
    press(olga, made)
    draft = made.rounds.get(number=2)
    assert (draft.state, draft.tables.count(), draft.seats.count()) == ("draft", 1, 4)
    assert next_step(made).token == "publish-2"
    now = look(olga, made)
    assert "Publish round 2" in now and "goes on as one of the best of the others." in now
    assert "decided by lot:" in now and "If somebody does not come, Player" in now
    assert "best of the others." not in look(Client(), made)
    said = look(Client(), made, "standings/")
    assert said.count("through as one of the best of the others") == 1
    assert "through as one of the best of the others, by lot" in said  # all tables were alike
    assert said.count("eliminated in round 1, place 2 at table") + said.count("place 3 at table") == 5
    assert "The best of each table and 1 of the others go on." in said
    press(olga, made)
    play(made, 2)
    press(olga, made)
    press(olga, made)
    assert made.is_final
    winner = cast.table(made, 2, 1).seats.get(number=0).entry
    first = look(Client(), made, "standings/").partition("<tbody>")[2].partition("</tr>")[0]
    assert winner.player.name in first and "60" in first
    picture = look(Client(), made, "bracket/")
    assert "Final" in picture and "eliminated; the others play the next round" in picture
    papers = {
        paper: pdf_text.text(olga.get(f"/t/{made.slug}/prints/{paper}.pdf").content)
        for paper in ("bracket", "standings", "crosstable")
    }
    assert "A cross: eliminated; the others play the next round." in papers["bracket"] and "Final" in papers["bracket"]
    assert all(winner.player.name in text for text in papers.values())


@pytest.mark.parametrize(
    "page",
    ["", "standings/", "bracket/", "seating/", "hands/", "players/", "fairness/", "odds/", "rounds/", "day/", "prints/",
     "settings/", "log/", "screen/", "standings.csv", "rounds.csv", "standings/?as_of_round=1"],
)  # fmt: skip
def test_every_page_shows_it_between_two_rounds(olga, made, page):
    for _step in range(2):
        press(olga, made)
    play(made, 1)
    press(olga, made)
    assert "Player 1" in look(olga, made, page) or page in (
        "odds/",
        "prints/",
        "settings/",
        "screen/",
        "fairness/",
        "rounds/",
    )


def test_a_player_reads_on_their_page_whether_they_are_through(olga, made):
    for _step in range(2):
        press(olga, made)
    play(made, 1)
    first = cast.table(made, 1, 1).seats.get(number=0).entry
    press(olga, made)
    last = made.entries.exclude(seats__round__number=2).first()
    assert "Through" in look(Client(), made, f"players/{first.public_id}/")
    assert "Eliminated in round 1, place" in look(Client(), made, f"players/{last.public_id}/")
