"""Who asks in a request: made once, and never older than the account, the session's links and what they open."""

from dataclasses import replace

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection
from django.http import Http404
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext

from league import hooks
from league.access import Visitor, access_to, entries_held, table_for
from league.access.rights import Can
from league.access.session_links import forget_visitor, hold, hold_link, visitor_of
from league.by_link.player_links import end_player_link
from league.live import push
from league.models import Entry, Role, ScorerLink, Tournament
from league.roles.scorer_links import make_scorer_links
from league.rounds.steps import start
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def made():
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    return made


def asked(account=None):
    request = RequestFactory().get("/")
    request.session = SessionStore()
    request.user = account or AnonymousUser()
    return request


def test_a_request_has_one_visitor_with_the_links_of_its_session(made):
    request, ana = asked(), cast.entry(made, "Ana Lucía")
    [(link, _secret)] = make_scorer_links(tournament=made, tables=[1], by=made.owner)
    hold(request, ana)
    hold_link(request, link)
    visitor = visitor_of(request)
    assert visitor_of(request) is visitor
    assert visitor.players == ((ana.public_id, 1),)
    assert visitor.links == ((link.pk, 1),)
    assert visitor.in_browser


def test_a_link_that_is_opened_and_an_account_that_changes_make_another_visitor(made):
    request = asked()
    nobody = visitor_of(request)
    hold(request, cast.entry(made, "Ana Lucía"))
    ana = visitor_of(request)
    assert (nobody.players, len(ana.players)) == ((), 1)
    request.user = made.owner
    assert visitor_of(request).account == made.owner
    request.session.flush()
    request.user = AnonymousUser()
    assert visitor_of(request).players == ()


def test_the_roles_of_a_visitor_are_read_once(made):
    helper = cast.someone_else()
    Role.objects.create(tournament=made, user=helper, kind=Role.Kind.SCORER)
    visitor = visitor_of(asked(helper))
    access_to(visitor, made, Can.RECORD)
    with CaptureQueriesContext(connection) as queries:
        access_to(visitor, made, Can.RECORD)
    assert len(queries) == 0


def test_a_role_that_was_revoked_is_refused_to_the_next_request_and_to_one_that_forgets(made):
    helper = cast.someone_else()
    role = Role.objects.create(tournament=made, user=helper, kind=Role.Kind.SCORER)
    request = asked(helper)
    access_to(visitor_of(request), made, Can.RECORD)
    Role.objects.filter(pk=role.pk).update(revoked_at=made.created_at)
    forget_visitor(request)
    for later in (request, asked(helper)):
        with pytest.raises(Http404):
            access_to(visitor_of(later), made, Can.RECORD)


def test_a_stream_reads_roles_again_with_each_look(made, monkeypatch):
    request = asked(cast.someone_else())
    seen = []
    look = replace(hooks.games, show_table=lambda request, table: seen.append(visitor_of(request)))
    monkeypatch.setattr(hooks, "games", look)
    push.look_at(request, 1)
    push.look_at(request, 1)
    assert seen[0] is not seen[1]


def test_a_players_link_that_was_ended_opens_nothing_within_the_same_request(made):
    Tournament.objects.filter(pk=made.pk).update(visibility=Tournament.Visibility.PRIVATE)
    made.refresh_from_db()
    request, ana = asked(), cast.entry(made, "Ana Lucía")
    hold(request, ana)
    table = ana.seats.get(round__number=1).table
    assert entries_held(visitor_of(request), made) == [ana]
    assert table_for(visitor_of(request), table.pk, Can.RECORD)[0].entry == ana
    end_player_link(entry=ana, by=made.owner)
    assert entries_held(visitor_of(request), made) == []
    for right in (None, Can.RECORD):
        with pytest.raises(Http404):
            table_for(visitor_of(request), table.pk, right)
    with pytest.raises(Http404):
        access_to(visitor_of(request), made)


def test_a_scorers_link_that_was_ended_opens_nothing_within_the_same_request(made):
    [(link, _secret)] = make_scorer_links(tournament=made, tables=[1], by=made.owner)
    request, table = asked(), cast.table(made, 1, 1)
    hold_link(request, link)
    assert table_for(visitor_of(request), table.pk, Can.RECORD)[0].link == link
    ScorerLink.objects.filter(pk=link.pk).update(revoked_at=made.created_at)
    with pytest.raises(Http404):
        table_for(visitor_of(request), table.pk, Can.RECORD)


def test_a_program_never_acts_as_a_player(made):
    account, ana = cast.someone_else(), cast.entry(made, "Ana Lucía")
    Role.objects.create(tournament=made, user=account, kind=Role.Kind.PLAYER, entry=ana)
    table = ana.seats.get(round__number=1).table
    assert table_for(Visitor(account), table.pk, Can.RECORD)[0].entry == ana
    with pytest.raises(Http404):
        table_for(account, table.pk, Can.RECORD)


def test_another_session_has_nothing_of_this_one(made):
    ana = cast.entry(made, "Ana Lucía")
    hold(asked(), ana)
    assert entries_held(visitor_of(asked()), made) == []
    table = ana.seats.get(round__number=1).table
    assert "Save hand" not in Client().get(f"/tables/{table.pk}/").content.decode()
    assert Entry.objects.get(pk=ana.pk).link_generation == 1
