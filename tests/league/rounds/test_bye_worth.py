"""Bye points, asked when the first one comes."""

import pytest

from league.lib.errors import Conflict
from league.log.audit import verify
from league.models import Adjustment
from league.rounds.bye_worth import decide_bye_worth
from league.rounds.draw import draw
from league.standings.read import read
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db

QUESTION = "It’s worth 0 points unless you change that."


@pytest.fixture
def nine():
    made = cast.tournament(9)
    draw(tournament=made, by=made.owner)
    return made


@pytest.fixture
def olga(client, nine):
    client.force_login(nine.owner)
    return client


def byes(made):
    return list(Adjustment.objects.filter(entry__tournament=made, kind="bye", voided_at=None).values_list("points"))


def test_the_first_draft_with_a_bye_asks_what_it_is_worth_and_publishing_gives_it(nine, olga):
    page = f"/t/{nine.slug}/"
    assert QUESTION in said(olga.get(page))
    shown = olga.post(f"{page}bye-worth/", {"round": "1", "points": "30"}, follow=True)
    assert "Bye points: 30." in said(shown) and QUESTION not in said(shown)
    olga.post(f"{page}advance/", {"step": "publish-1"})
    assert byes(nine) == [(30,)]
    assert "Round 1: a bye is worth 30 points" in said(olga.get(f"{page}log/"))
    assert verify(nine)[0] == []


def test_a_bye_of_the_round_that_is_played_gets_its_points_too(nine, olga):
    cast.play(nine, rounds=1, close=False)
    page = f"/t/{nine.slug}/"
    assert "points a round." in said(olga.get(page))
    decide_bye_worth(tournament=nine, round_number=1, points=40, by=nine.owner)
    assert byes(nine) == [(40,)]
    assert 40 in {line.total for line in read(nine).standings()}
    assert verify(nine)[0] == []
    with pytest.raises(Conflict, match="already set"):
        decide_bye_worth(tournament=nine, round_number=1, points=50, by=nine.owner)


def test_the_question_is_asked_once_also_if_the_answer_is_0(nine, olga):
    page = f"/t/{nine.slug}/"
    olga.post(f"{page}bye-worth/", {"round": "1", "points": "0"})
    assert QUESTION not in said(olga.get(page))
    cast.play(nine, rounds=1)
    assert QUESTION not in said(olga.get(page))


def test_bad_input_changes_nothing_and_stays_in_the_field(nine, olga):
    answer = olga.post(f"/t/{nine.slug}/bye-worth/", {"round": "1", "points": "-3"})
    assert answer.status_code == 422 and "Choose 0 to 1000 points." in said(answer)
    assert 'value="-3"' in answer.content.decode()
    nine.stage.refresh_from_db()
    assert nine.stage.bye_points == 0


def test_without_a_bye_nothing_is_asked(client):
    made = cast.tournament()
    draw(tournament=made, by=made.owner)
    client.force_login(made.owner)
    assert QUESTION not in said(client.get(f"/t/{made.slug}/"))
