"""How many SQL statements it takes to record a hand through its page: nothing is read twice."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.access.signed_links import player_token
from league.models import Role
from league.roles.scorer_links import make_scorer_links
from league.rounds.steps import start
from tests import cast
from tests.games.pages import form, post

pytestmark = pytest.mark.django_db

POINTS = {"went_out": "0", "points_1": "10", "points_2": "20", "points_3": "30"}


def by_account(user):
    client = Client()
    client.force_login(user)
    return client


def organiser(made):
    return by_account(made.owner)


def scorer(made):
    user = cast.someone_else()
    Role.objects.create(tournament=made, user=user, kind=Role.Kind.SCORER)
    return by_account(user)


def scorer_by_link(made):
    [(_link, token)] = make_scorer_links(tournament=made, tables=[None], by=made.owner)
    client = Client()
    client.post(f"/s/{token}/")
    return client


def player_by_link(made):
    player = cast.table(made, 1, 1).seats.order_by("number").first().entry
    client = Client()
    client.post(f"/me/{player_token(player)}/")
    return client


@pytest.mark.parametrize(
    ("make", "who", "statements"),
    [
        (cast.tournament, organiser, 19),
        (cast.tournament, player_by_link, 19),
        (cast.tournament, scorer_by_link, 20),
        (cast.tournament, scorer, 20),
        (cast.teams, organiser, 19),
        (cast.challenge, organiser, 25),  # it reads the race, which no process has yet
    ],
)
def test_the_first_hand_of_a_table_takes_few_statements(make, who, statements):
    made = make()
    start(tournament=made, by=made.owner)
    table, client = cast.table(made, 1, 1), who(cast.again(made))
    typed = form(client, table, **POINTS)
    with CaptureQueriesContext(connection) as asked:
        assert post(client, table, typed).status_code == 303
    assert len(asked) == statements, "\n".join(query["sql"][:200] for query in asked)
