"""What somebody with a part in one evening of a club may do to its members: nothing that outlasts the evening."""

import re
from typing import Any

import pytest
from django.test import Client

from games.online.casual import tables as casual_tables
from league.access.signed_links import player_token
from league.clubs.clubs import put_in_club
from league.clubs.members import add_members
from league.day.substitutes import substitute
from league.entries.roster.rows import RosterRow
from league.lib.errors import Conflict
from league.models import Club, Player, Role, Tournament, User
from league.roles.roles import accept, invite
from league.rounds.steps import reopen_tournament, start
from tests import cast
from tests.games.casual_table import deal_me_in
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return cast.club(members=8, visibility="private")


@pytest.fixture
def evening(club: Club) -> Tournament:
    return cast.play(cast.tournament(club=club), rounds=1)


def runs(evening: Tournament, user: User) -> Client:
    """A browser of an organiser of this evening, and of nothing else."""
    invitation, _secret = invite(to=evening, kind=Role.Kind.ORGANISER, by=evening.owner, email=user.email)
    accept(invitation=invitation, user=user)
    browser = Client()
    browser.force_login(user)
    return browser


def test_who_runs_one_evening_erases_no_member(club: Club, evening: Tournament) -> None:
    sven = runs(evening, cast.someone_else())
    ana = cast.entry(evening, "Ana Lucía")
    assert sven.post(f"/t/{evening.slug}/players/{ana.public_id}/erase/").status_code == 409
    assert Player.objects.get(pk=ana.player_id).erased_at is None
    olga = Client()
    olga.force_login(club.owner)
    olga.post(f"/t/{evening.slug}/players/{ana.public_id}/erase/", {"name": "Ana Lucia"})
    assert Player.objects.get(pk=ana.player_id).erased_at is not None, "who keeps the members does"


def test_nor_somebody_who_played_for_others_elsewhere(club: Club) -> None:
    add_members(club=club, players=[RosterRow(1, "Ingrid")], by=club.owner)
    ingrid = cast.member(club, "Ingrid")
    other = cast.tournament(club=club)
    start(tournament=other, by=club.owner)
    substitute(tournament=other, entry=cast.entry(other, "Farah"), name="Ingrid", by=club.owner)
    cast.play(cast.again(other), rounds=1)
    Player.objects.filter(pk=ingrid.pk).update(club=None)
    planned = cast.tournament(players=0)
    planned.entries.create(player=ingrid, number=1)
    sven = runs(planned, cast.someone_else())
    address = f"/t/{planned.slug}/players/{planned.entries.get().public_id}/erase/"
    assert sven.post(address).status_code == 409 and Player.objects.get(pk=ingrid.pk).erased_at is None


def test_nor_reads_the_address_and_birthday_of_one(club: Club, evening: Tournament, settings: Any) -> None:
    settings.MAIL_GOES_OUT = True
    Player.objects.filter(name="Ana Lucía").update(email="ana@example.org", birth_month=3, birth_day=9)
    guest = Player.objects.create(name="Gast", email="gast@example.org", birth_month=4, birth_day=1)
    evening.entries.create(player=guest, number=9)
    sven = runs(evening, cast.someone_else())
    listed = sven.get(f"/t/{evening.slug}/players.csv").content.decode()
    assert "Ana Lucía,Café Ludo,,," in listed and "Gast,,gast@example.org,04-01," in listed
    ana = cast.entry(evening, "Ana Lucía")
    page = said(sven.get(f"/t/{evening.slug}/players/{ana.public_id}/link/"))
    assert "Send by e-mail" in page and "ana@example.org" not in page


def test_nor_becomes_one_of_them_by_a_link_that_they_are_shown(club: Club, evening: Tournament) -> None:
    sven = runs(evening, cast.someone_else())
    ana = cast.entry(evening, "Ana Lucía")
    shown = sven.get(f"/t/{evening.slug}/players/{ana.public_id}/link/").content.decode()
    sven.post(re.search(r"/me/[^\"'<]+/", shown)[0])
    assert "claim/" not in sven.get(f"/t/{evening.slug}/me/").content.decode()
    claim = f"/clubs/{club.slug}/players/{ana.player.public_id}/claim/"
    assert sven.post(claim).status_code == 404
    Role.objects.filter(user=cast.someone_else()).delete()
    assert sven.post(claim).status_code == 404, "this session was shown it"
    uma = Client()
    uma.force_login(cast.organiser("uma@example.org", "Uma"))
    uma.post(f"/me/{player_token(ana)}/")
    assert "claim/" in uma.get(f"/t/{evening.slug}/me/").content.decode()
    assert uma.post(claim).status_code == 302
    assert Player.objects.get(pk=ana.player_id).user.name == "Uma"


def test_nor_renames_one_and_nobody_gives_one_the_name_of_another(club: Club, evening: Tournament) -> None:
    sven = runs(evening, cast.someone_else())
    ana = cast.entry(evening, "Ana Lucía")
    page = f"/t/{evening.slug}/players/{ana.public_id}/edit/"
    assert "Only the club can change the name" in said(sven.post(page, {"name": "Anna", "club": ""}))
    olga = Client()
    olga.force_login(club.owner)
    assert "Another member is called “Zoë”" in said(olga.post(page, {"name": "Zoë", "club": ""}))
    assert Player.objects.get(pk=ana.player_id).name == "Ana Lucía"
    olga.post(page, {"name": "Anna", "club": ""})
    assert Player.objects.get(pk=ana.player_id).name == "Anna"


def test_a_casual_game_is_no_evening_of_a_club_and_stays_over(club: Club) -> None:
    nora = Client()
    deal_me_in(nora)
    table = casual_tables.Table.objects.get().round.tournament
    with pytest.raises(Conflict, match="belong to a club"):
        put_in_club(tournament=table, club=club, by=club.owner)
    Tournament.objects.filter(pk=table.pk).update(state=Tournament.State.CLOSED)
    with pytest.raises(Conflict, match="This game is over"):
        reopen_tournament(tournament=cast.again(table), reason="Once more", by=club.owner)
