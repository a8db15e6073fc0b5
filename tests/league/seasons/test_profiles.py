"""A member's own page: who sees it and how they are called there, what it adds up, and whose account it is."""

import re

import pytest
from django.core import mail
from django.test import Client

from league.access.signed_links import player_token
from league.models import ClubInvitation, ClubRole, HandScore, Player
from league.roles.claims import claim
from league.roles.roles import invite_member
from league.rounds.steps import close_tournament
from league.seasons.member_evenings import compare, evenings_of, partners_of
from league.seasons.seasons import create_season, put_in_season
from league.standings import read as ledger
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def club_once(module_world):
    return cast.club(members=8)


@pytest.fixture
def club(club_once):
    return cast.again(club_once)


@pytest.fixture
def evenings(club):
    """Of four players: one that is over, one that goes on, and one of another format."""
    first = cast.play(cast.tournament(4, club=club, name="First"))
    close_tournament(tournament=first, by=club.owner)
    return [
        first,
        cast.play(cast.tournament(4, club=club, name="Second"), rounds=2),
        cast.play_challenge(cast.challenge(4, club=club), 1),
    ]


def page(club, player):
    return f"/clubs/{club.slug}/players/{player.public_id}/"


def browser(user):
    made = Client()
    made.force_login(user)
    return made


def test_places_points_and_partners_are_those_of_the_evenings(club, evenings):
    chidi = cast.member(club, "Chidi")
    seen = evenings_of(chidi, club.tournaments.all())
    assert {one.tournament for one in seen} == set(evenings)
    for one in seen:
        line = next(line for line in ledger.read(one.tournament).standings() if line.entrant.id == one.entry.public_id)
        assert (one.rank, one.standing.total) == (line.rank, line.total)
    partners = partners_of(chidi, seen)
    assert {one.player.name for one in partners} == set(cast.CAST[:4]) - {"Chidi"}
    own = HandScore.objects.living().filter(entry__player=chidi).exclude(partner=None)
    assert sum(one.hands for one in partners) == own.count() == 12 + 8
    assert sum(one.points for one in partners) == sum(own.values_list("points_for", flat=True))
    assert partners[0].share == 100 and partners[0].points == max(one.points for one in partners)


def test_two_members_beside_each_other_are_told_alike_from_both_sides(club, evenings):
    chidi, benoit = cast.member(club, "Chidi"), cast.member(club, "Benoît")
    one, other = compare(chidi, benoit, club.tournaments.all()), compare(benoit, chidi, club.tournaments.all())
    assert one.places == other.places[::-1] and one.won == other.won[::-1] and one.points == other.points[::-1]
    assert (one.hands, one.as_partners) == (other.hands, other.as_partners)
    assert sum(one.places) <= 3 == one.evenings
    # A whole cycle of pairs: once partners, twice opponents, four hands each time.
    first = compare(chidi, benoit, club.tournaments.filter(name="First"))
    assert (first.hands, first.as_partners) == (8, 4)
    rows = HandScore.objects.living().filter(table__round__tournament=evenings[0])
    met = set(rows.filter(entry__player=benoit).values_list("table", "hand"))
    mine = rows.filter(entry__player=chidi).exclude(partner__player=benoit)
    assert first.points[0] == sum(row.points_for for row in mine if (row.table_id, row.hand) in met)


def test_the_page_tells_what_was_played_and_draws_the_places(club, evenings):
    chidi = cast.member(club, "Chidi")
    olga = browser(club.owner)
    seen = olga.get(page(club, chidi), {"against": cast.member(club, "Benoît").public_id})
    text = said(seen)
    assert "3 tournaments since November 2026" in text and "Places by tournament" in text
    assert "Higher place, 3 tournaments" in text and "Won as opponents" in text and "hands as partners" in text
    assert 'class="line line-me"' in seen.content.decode()


def test_an_evening_that_the_viewer_may_not_find_is_not_told_of(club, evenings):
    hidden = evenings[0]
    hidden.visibility = "private"
    hidden.save()
    chidi = cast.member(club, "Chidi")
    Player.objects.filter(pk=chidi.pk).update(profile_is_public=True)
    stranger, olga = said(Client().get(page(club, chidi))), said(browser(club.owner).get(page(club, chidi)))
    assert "First" not in stranger.replace("First places", "") and "First" in olga.replace("First places", "")
    assert "12 of 12" not in stranger


def test_a_profile_is_for_the_clubs_own_people_until_its_person_says_otherwise(club):
    farah = claim(player=cast.member(club, "Farah"), user=cast.organiser("farah@example.org", "Farah Account"))
    Player.objects.filter(pk=farah.pk).update(name="Farah al-Sayed")
    zoe = claim(player=cast.member(club, "Zoë"), user=cast.organiser("zoe@example.org"))
    address = page(club, farah)
    assert Client().get(address).status_code == 404
    assert browser(cast.someone_else()).get(address).status_code == 404
    assert browser(zoe.user).get(address).status_code == browser(club.owner).get(address).status_code == 200

    mine = browser(farah.user)
    assert "Edit privacy" in said(mine.get(address))
    assert browser(zoe.user).post(f"{address}privacy/", {"profile_is_public": "on"}).status_code == 404
    mine.post(f"{address}privacy/", {"profile_is_public": "on", "short_name": "on", "is_rated": "on"})
    seen, listed = said(Client().get(address)), said(Client().get(f"/clubs/{club.slug}/players/"))
    for text in (seen, listed):
        assert "Farah A." in text and "al-Sayed" not in text
    assert "al-Sayed" in said(browser(zoe.user).get(f"/clubs/{club.slug}/players/"))
    log = said(browser(club.owner).get(f"/clubs/{club.slug}/log/"))
    assert "Public profile of Farah al-Sayed changed" in log and "first name and initial only" in log.lower()


def test_organisers_set_it_only_as_long_as_nobody_has_claimed_the_record(club):
    farah = cast.member(club, "Farah")
    olga = browser(club.owner)
    assert olga.post(f"{page(club, farah)}privacy/", {"short_name": "on"}).status_code == 302
    farah.refresh_from_db()
    assert farah.short_name
    claim(player=farah, user=cast.organiser("farah@example.org"))
    assert olga.post(f"{page(club, farah)}privacy/", {}).status_code == 404


def test_a_member_is_invited_by_mail_or_link_and_says_who_they_are_once(club, settings):
    settings.MAIL_GOES_OUT = True
    farah = cast.member(club, "Farah")
    olga, sven, other = browser(club.owner), browser(cast.someone_else()), browser(cast.organiser("x@example.org"))
    answer = olga.post(f"{page(club, farah)}invite/", {"days": "7"})
    [link] = re.findall(r'value="http://testserver(/join/[^"]+/)"', answer.content.decode())
    olga.post(f"{page(club, farah)}invite/", {"days": "7", "email": "sven@example.org"})
    assert other.get(link).status_code == 404  # the earlier one ended
    [link] = re.findall(r"http://testserver(/join/\S+/)", mail.outbox[0].body)
    assert "Are you Farah?" in said(sven.get(link))
    assert sven.post(link).url == f"{page(club, farah)}privacy/"
    farah.refresh_from_db()
    assert farah.user == cast.someone_else()
    assert other.post(link).status_code == 404
    assert olga.post(f"{page(club, farah)}invite/", {"days": "7"}).status_code == 409
    assert not ClubRole.objects.exists()
    assert sven.get(f"/clubs/{club.slug}/people/").status_code == 404


def test_one_account_is_one_member(club):
    sven = cast.someone_else()
    claim(player=cast.member(club, "Zoë"), user=sven)
    _invitation, secret = invite_member(player=cast.member(club, "Farah"), by=club.owner)
    answer = browser(sven).post(f"/join/{secret}/")
    assert answer.status_code == 409 and "You’re already Zoë here" in said(answer)
    assert ClubInvitation.objects.get().used_at is None


def test_who_holds_their_own_link_connects_their_account_without_an_invitation(club, evenings):
    evening = evenings[1]
    entry = cast.entry(evening, "Chidi")
    sven = browser(cast.someone_else())
    address = page(club, entry.player)
    assert sven.post(f"{address}claim/").status_code == 404
    sven.post(f"/me/{player_token(entry)}/")
    mine = sven.get(f"/t/{evening.slug}/me/").content.decode()
    assert f'action="{address}claim/"' in mine
    assert sven.post(f"{address}claim/").url == f"{address}privacy/"
    assert sven.get(f"/t/{evenings[0].slug}/me/").status_code == 200  # all evenings are theirs, without another link
    assert f'action="{address}claim/"' not in sven.get(f"/t/{evening.slug}/me/").content.decode()
    sven.post(f"{address}let-go/")
    assert sven.get(f"/t/{evenings[0].slug}/me/").status_code == 404
    assert sven.get(f"/t/{evening.slug}/me/").status_code == 200  # whose link they hold


def test_a_member_is_nobody_in_tournaments_of_others(club):
    elsewhere = cast.tournament(owner=cast.someone_else(), visibility="private")
    farah = claim(player=cast.member(club, "Farah"), user=cast.organiser("farah@example.org"))
    elsewhere.entries.filter(player__name="Farah").update(player=farah)
    assert browser(farah.user).get(f"/t/{elsewhere.slug}/").status_code == 404
    private = cast.tournament(club=club, name="Ours", visibility="private")
    assert browser(farah.user).get(f"/t/{private.slug}/").status_code == 200


def test_a_profile_tells_no_stranger_which_guest_of_a_season_they_are(club):
    ana = cast.member(club, "Ana Lucía")
    Player.objects.filter(pk=ana.pk).update(profile_is_public=True)
    for name, visibility in (("Open", "public"), ("Closed", "private")):
        season = create_season(club=club, by=club.owner, name=name)
        made = cast.play(cast.tournament(club=club, visibility=visibility), rounds=1)
        put_in_season(tournament=made, season=season, by=club.owner)
    page = f"/clubs/{club.slug}/players/{ana.public_id}/"
    assert "Open" in said(Client().get(page)) and "Closed" not in said(Client().get(page))
    olga = Client()
    olga.force_login(club.owner)
    assert "Closed" in said(olga.get(page))
