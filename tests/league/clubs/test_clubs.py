"""A club: founding it, who may do what in it and in all its evenings, its log."""

import re
from datetime import date
from io import StringIO

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client

from league.access import tournaments_of
from league.accounts.close import close_account
from league.clubs.clubs import put_in_club
from league.clubs.members import add_members
from league.lib.errors import Conflict, Refused
from league.models import Club, ClubInvitation, ClubLogEntry, ClubRole, Role, Tournament
from league.roles.claims import claim
from league.roles.roles import accept, invite, take_back_role
from league.roles.scorer_links import make_scorer_links
from league.setup.call_off import call_off
from league.setup.create import clone_tournament
from tests import cast
from tests.api import Program
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return cast.club()


@pytest.fixture
def olga(client):
    """A browser in which the owner is signed in."""
    client.force_login(cast.organiser())
    return client


def browser(user):
    made = Client()
    made.force_login(user)
    return made


def with_role(club, kind, email="dora@example.org", name="Dora"):
    user = cast.organiser(email, name)
    ClubRole.objects.create(club=club, user=user, kind=kind)
    return user


def test_a_club_is_founded_gets_members_and_an_evening_with_them(olga):
    form = {"name": "Café Ludo", "place": "Lyon", "time_zone": "Europe/Paris", "visibility": "public"}
    assert olga.post("/clubs/new/", form | {"about": "Every Saturday.\n\nCome along."}).url == "/clubs/cafe-ludo/"
    assert "Add your members" in said(olga.get("/clubs/cafe-ludo/"))
    olga.post("/clubs/cafe-ludo/players/", {"players": "\n".join(cast.CAST)})
    assert "tick your members" in said(olga.get("/clubs/cafe-ludo/"))

    page = olga.get("/new/?club=cafe-ludo")
    assert [row.name for row in page.context["new"].members.people.rows] == list(cast.CAST)
    new = page.content.decode()
    assert 'value="Lyon"' in new and 'value="Europe/Paris"' in new
    assert '<option value="cafe-ludo" selected>Café Ludo</option>' in new
    form = {
        "name": "Evening 1",
        "format": "pairs",
        "edition": "classic",
        "starts_on": "2026-11-24",
        "hands_per_round": 4,
    }
    made = olga.post("/new/", form | {"time_zone": "Europe/Paris", "visibility": "public", "club": "cafe-ludo"})
    assert made.url == "/t/evening-1/players/"
    ticks = re.findall(r'name="member" value="(\w+)"', olga.get(made.url).content.decode())
    assert len(ticks) == 8
    nobody = olga.post(made.url, {"what": "ticked"})
    assert nobody.status_code == 422 and "Tick at least one name." in said(nobody)
    assert "Type at least one name" not in said(nobody)
    olga.post(made.url, {"member": ticks[:3], "what": "ticked"})
    evening = Tournament.objects.get()
    assert {one.player.club for one in evening.entries.all()} == {Club.objects.get()}
    seen = said(olga.get("/clubs/cafe-ludo/"))
    assert "Evening 1" in seen and "Add players" in seen  # three cannot be drawn: the next step says so
    assert "Every Saturday." in said(Client().get("/clubs/cafe-ludo/about/"))
    assert "Café Ludo" in said(Client().get("/t/evening-1/")) and "Café Ludo" in said(Client().get("/clubs/"))


def test_an_evening_that_is_called_off_is_passed_over_and_every_page_says_so(olga, club):
    add_members(club=club, players=cast.people(), by=club.owner)
    ana = cast.member(club, "Ana Lucía")
    off = cast.tournament(club=club, name="Off", starts_on=date(2036, 11, 4))
    call_off(tournament=off, reason="No hall", by=club.owner)
    assert olga.get(f"/clubs/{club.slug}/").context["nearest"] is None
    held = cast.tournament(club=club, name="Held", starts_on=date(2036, 11, 11))
    assert olga.get(f"/clubs/{club.slug}/").context["nearest"] == held
    at = f"/t/{off.slug}/"
    seen = said(olga.get(at))
    assert "Reinstate" in seen and "Draw the seating" not in seen
    assert "Cancelled" in said(Client().get(at)) and "The seating appears here" not in said(Client().get(at))
    for page in ("seating", "bracket", "standings", "hands", "fairness"):
        assert "Cancelled" in (seen := said(Client().get(f"{at}{page}/"))) and " here " not in seen, page
    profile = said(olga.get(f"/clubs/{club.slug}/players/{ana.public_id}/"))
    assert "Cancelled" in profile and profile.count("Not played yet") == 1
    olga.post(f"{at}call-off/", {"do": "hold"})
    assert "Draw the seating" in said(olga.get(at))


def test_what_is_on_stands_before_what_is_to_come_on_the_page_of_the_club(club):
    cast.play(cast.tournament(club=club, name="Tonight"), rounds=1)
    assert "On now 24 Nov Tonight" in said(Client().get(f"/clubs/{club.slug}/"))
    assert "Upcoming No upcoming tournaments." in said(Client().get(f"/clubs/{club.slug}/"))


def test_the_lists_of_evenings_begin_with_the_next_one_and_end_with_what_is_called_off():
    off, last, first, gone_by = (
        cast.tournament(name=f"Evening {number}", starts_on=day)
        for number, day in enumerate((date(2036, 1, 1), date(2036, 3, 1), date(2036, 2, 1), date(2020, 1, 1)))
    )
    call_off(tournament=off, reason="No hall", by=off.owner)
    on_now = cast.play(cast.tournament(name="Tonight"), rounds=1)
    (going,) = Client().get("/").context["home"].listed.shelves
    assert [line.tournament for line in going.lines] == [on_now, first, last, gone_by, off]


def test_a_role_in_the_club_is_one_in_each_of_its_evenings_and_nowhere_else(club):
    evening, other = cast.tournament(club=club), cast.tournament(name="Elsewhere")
    director = with_role(club, "director")
    dora = browser(director)
    assert dora.get(f"/t/{evening.slug}/manage/").status_code == 200
    assert dora.get(f"/t/{evening.slug}/settings/").status_code == 404
    assert dora.get(f"/t/{other.slug}/manage/").status_code == 404
    assert list(tournaments_of(director)) == [evening]
    role = ClubRole.objects.get()
    take_back_role(role=role, by=club.owner)
    assert dora.get(f"/t/{evening.slug}/manage/").status_code == 404


def test_the_owner_of_the_club_runs_an_evening_that_somebody_else_made(olga, club):
    organiser = with_role(club, "organiser")
    evening = cast.tournament(owner=organiser, club=club, visibility="private")
    assert olga.get(f"/t/{evening.slug}/people/").status_code == 200
    assert olga.post(f"/t/{evening.slug}/club/", {"club": ""}).url == "/"  # no evening of the club, so not hers
    assert olga.get(f"/t/{evening.slug}/").status_code == 404
    assert browser(organiser).get(f"/t/{evening.slug}/people/").status_code == 200
    actions = ClubLogEntry.objects.order_by("id").values_list("action", flat=True)
    assert list(actions) == ["found", "put-in-club", "leave-club"]


def test_a_tournament_becomes_an_evening_by_whoever_runs_both_alone(olga, club):
    theirs = cast.tournament(owner=cast.someone_else())
    Role.objects.create(tournament=theirs, user=club.owner, kind="organiser")
    sven = browser(cast.someone_else())
    sven.post(f"/t/{theirs.slug}/club/", {"club": club.slug})  # who holds no evenings of the club
    theirs.refresh_from_db()
    assert theirs.club is None
    olga.post(f"/t/{theirs.slug}/club/", {"club": club.slug})
    theirs.refresh_from_db()
    assert theirs.club == club
    log = said(olga.get(f"/t/{theirs.slug}/log/"))
    assert "Added to the club Café Ludo" in log


def test_leaving_the_club_takes_the_evening_out_of_its_season(club):
    season = club.seasons.create(slug="autumn", name="Autumn")
    evening = cast.tournament(club=club)
    Tournament.objects.filter(pk=evening.pk).update(season=season)
    Club.objects.update(ratings_version=3)
    put_in_club(tournament=evening, club=None, by=club.owner)
    evening.refresh_from_db()
    club.refresh_from_db()
    assert (evening.club, evening.season) == (None, None)
    assert club.ratings_version != 3  # they are to be computed anew


def test_an_organiser_is_invited_by_a_link_that_is_shown_once(olga, club):
    answer = olga.post(f"/clubs/{club.slug}/people/", {"kind": "organiser", "days": "14"})
    [link] = re.findall(r'value="http://testserver(/join/[^"]+/)"', answer.content.decode())
    assert link not in olga.get(f"/clubs/{club.slug}/people/").content.decode()
    sven = browser(cast.someone_else())
    assert "Everything in all its tournaments" in said(sven.get(link))
    assert not ClubRole.objects.exists()  # a preview changes nothing
    assert sven.post(link).url == club.get_absolute_url()
    assert sven.get(f"/clubs/{club.slug}/settings/").status_code == 200
    invitation = ClubInvitation.objects.get()
    assert olga.post(f"/clubs/{club.slug}/invitations/{invitation.pk}/revoke/").status_code == 302
    assert sven.get(link).status_code == 404
    assert "Link created for the role: Organiser" in said(olga.get(f"/clubs/{club.slug}/log/"))


def test_a_mail_invites_once_and_one_that_cannot_be_sent_leaves_nothing_open(olga, club, monkeypatch, settings):
    settings.MAIL_GOES_OUT = True
    page = f"/clubs/{club.slug}/people/"
    assert olga.post(page, {"kind": "scorer", "days": "7", "email": "Sven@Example.org"}).status_code == 302
    [sent] = mail.outbox
    assert "Café Ludo" in sent.subject and "Olga invites you to the club" in sent.body
    [link] = re.findall(r"http://testserver(/join/\S+/)", sent.body)
    sven = browser(cast.someone_else())
    assert sven.post(link).status_code == 302 and sven.post(link).status_code == 404
    again = sven.get(link)
    assert "This invitation was already used" in said(again) and f'href="/clubs/{club.slug}/"' in again.content.decode()

    def refuse(*_args, **_kwargs):
        raise OSError

    monkeypatch.setattr("league.roles.mail.send_mail", refuse)
    assert olga.post(page, {"kind": "scorer", "days": "7", "email": "x@example.org"}).status_code == 503
    assert not ClubInvitation.objects.filter(revoked_at=None, used_at=None).exists()


def test_a_link_gives_no_role_back_that_was_taken(club):
    sven = cast.someone_else()
    invitation, _secret = invite(to=club, kind="scorer", by=club.owner)
    role = accept(invitation=invitation, user=sven)
    assert accept(invitation=invitation, user=sven) == role
    assert accept(invitation=invitation, user=club.owner) is None
    take_back_role(role=role, by=club.owner)
    with pytest.raises(Conflict) as refused:
        accept(invitation=invitation, user=sven)
    assert refused.value.code == "gone"


def test_what_an_organiser_made_that_lets_others_in_ends_with_the_role(club):
    organiser = with_role(club, "organiser")
    evening, own = cast.tournament(club=club), cast.tournament(club=club, owner=organiser)
    invite(to=club, kind="scorer", by=organiser)
    for one in (evening, own):
        invite(to=one, kind="scorer", by=organiser)
        make_scorer_links(tournament=one, tables=[None], by=organiser)
    take_back_role(role=ClubRole.objects.get(), by=club.owner)
    assert not club.invitations.filter(revoked_at=None).exists()
    assert not evening.invitations.filter(revoked_at=None).exists()
    assert not evening.scorer_links.filter(revoked_at=None).exists()
    assert own.invitations.filter(revoked_at=None).exists()  # which is theirs by another right


def test_ones_own_role_is_asked_about_before_it_goes(club):
    dora = browser(with_role(club, "organiser"))
    page = f"/clubs/{club.slug}/people/{ClubRole.objects.get().pk}/take-back/"
    assert "Give up your role: Organiser?" in said(dora.post(page))
    assert dora.post(page, {"sure": "yes"}).url == "/clubs/"
    assert dora.get(f"/clubs/{club.slug}/people/").status_code == 404


def test_a_club_is_passed_on_to_one_of_its_organisers(olga, club):
    page = f"/clubs/{club.slug}/hand-over/"
    assert "Only an organiser can take over the club." in said(olga.get(f"/clubs/{club.slug}/settings/"))
    heir = with_role(club, "organiser")
    scorer = with_role(club, "scorer", "sid@example.org", "Sid")
    roles = {role.user: role.pk for role in club.roles.all()}
    assert olga.post(page, {"to": str(roles[scorer])}).status_code == 422
    assert olga.post(page, {"to": str(roles[heir])}).status_code == 302
    club.refresh_from_db()
    assert club.owner == heir
    assert olga.get(f"/clubs/{club.slug}/settings/").status_code == 200  # she is an organiser now
    assert olga.post(page, {"to": str(roles[heir])}).status_code == 404
    assert "Passed from Olga to Dora" in said(olga.get(f"/clubs/{club.slug}/log/"))


def test_a_club_that_is_public_no_longer_has_another_address_and_strangers_find_neither(olga, club):
    form = {"name": "Café Ludo", "place": "Lyon", "time_zone": "Europe/Paris", "visibility": "private"}
    evening = cast.tournament(club=club)
    assert "Café Ludo" in said(Client().get(f"/t/{evening.slug}/standings/"))
    answer = olga.post(f"/clubs/{club.slug}/settings/", form)
    club.refresh_from_db()
    assert answer.url == f"/clubs/{club.slug}/settings/" and club.slug.startswith("cafe-ludo-")
    for address in ("/clubs/cafe-ludo/", club.get_absolute_url()):
        assert Client().get(address).status_code == 404
    # Its public evenings stay public, and do not tell of it; pages that are kept in memory neither.
    assert "Café Ludo" not in said(Client().get(f"/t/{evening.slug}/standings/"))
    assert "Café Ludo" in said(olga.get(f"/t/{evening.slug}/standings/"))
    log = said(olga.get(f"/clubs/{club.slug}/log/"))
    assert "public to private" in log


def test_a_stranger_finds_public_evenings_a_member_unlisted_ones_and_who_has_a_role_all(club):
    for visibility in Tournament.Visibility.values:
        cast.tournament(club=club, name=visibility.capitalize(), visibility=visibility)
    page = club.get_absolute_url()
    farah = cast.organiser("farah@example.org", "Farah")
    claim(player=club.members.create(name="Farah"), user=farah)
    seen = {
        who: {name for name in ("Public", "Unlisted", "Private") if f">{name}<" in text}
        for who, text in {
            "stranger": Client().get(page).content.decode(),
            "member": browser(farah).get(page).content.decode(),
            "scorer": browser(with_role(club, "scorer")).get(page).content.decode(),
        }.items()
    }
    assert seen["stranger"] == {"Public"}
    assert seen["member"] == {"Public", "Unlisted"}
    assert seen["scorer"] == {"Public", "Unlisted", "Private"}


def test_a_copy_of_an_evening_is_one_of_the_same_club(club):
    evening = cast.tournament(club=club)
    assert clone_tournament(tournament=evening, by=club.owner).club == club
    assert ClubLogEntry.objects.filter(action="put-in-club").count() == 2


def test_no_club_stands_where_a_page_is():
    assert cast.club(name="New").slug != "new"
    assert cast.club(name="!").slug == "club"


def test_who_closes_their_account_passes_the_club_on_and_is_named_nowhere(club):
    with pytest.raises(Refused) as refused:
        close_account(user=club.owner)
    assert "Café Ludo" in str(refused.value)
    heir = with_role(club, "organiser")
    invitation, _secret = invite(to=club, kind="scorer", by=heir, email="olga@example.org")
    member = club.members.create(name="Somebody")
    claim(player=member, user=club.owner)
    close_account(user=club.owner)
    club.refresh_from_db()
    member.refresh_from_db()
    invitation.refresh_from_db()
    assert club.owner == heir and member.user is None and invitation.email == ""
    kept = str(list(ClubLogEntry.objects.values_list("old", "new")))
    assert "Olga" not in kept and "olga@example.org" not in kept and "Closed account" in kept


# --- over the API, and from the shell --------------------------------------------------------------------------------


def test_a_program_founds_a_club_adds_members_and_makes_an_evening():
    olga, stranger = Program(cast.organiser()), Program(None)
    made = olga.post("/api/v1/clubs/", {"name": "Café Ludo", "time_zone": "Europe/Paris"}, status=201)
    assert made["slug"] == "cafe-ludo" and (made["members"], made["tournaments"]) == (0, [])
    olga.post("/api/v1/clubs/", {"name": "X", "time_zone": "Nowhere"}, status=400)
    page = "/api/v1/clubs/cafe-ludo/players/"
    people = {"players": [{"name": name} for name in cast.CAST]}
    assert [one["name"] for one in olga.post(page, people, status=201)] == list(cast.CAST)
    assert olga.post(page, people, status=201) == []
    assert {one["name"] for one in stranger.get(page)} == set(cast.CAST)

    evening = people | {"name": "Evening 1", "format": "pairs", "club": "cafe-ludo"}
    slug = olga.post("/api/v1/tournaments/", evening, status=201)["slug"]
    Program(cast.someone_else()).post("/api/v1/tournaments/", evening, status=400)
    assert stranger.get("/api/v1/clubs/cafe-ludo/")["tournaments"] == [slug]
    cast.play(Tournament.objects.get(slug=slug), rounds=1)
    farah = next(one for one in stranger.get(page) if one["name"] == "Farah")
    stranger.get(f"{page}{farah['member_id']}/", status=404)
    told = olga.get(f"{page}{farah['member_id']}/")
    [played] = told["evenings"]
    assert (played["tournament"], played["of"], len(told["partners"])) == (slug, 8, 1)
    assert [one["slug"] for one in stranger.get("/api/v1/clubs/")["results"]] == ["cafe-ludo"]


def test_a_tournament_from_the_shell_is_an_evening_of_a_club(club, tmp_path):
    names = tmp_path / "names.txt"
    names.write_text("\n".join(cast.CAST[:4]), encoding="utf-8")
    call_command("create_tournament", name="Shell", players=str(names), club=club.slug, stdout=StringIO())
    assert Tournament.objects.get(name="Shell").club == club
    with pytest.raises(CommandError):
        call_command("create_tournament", name="Shell", players=str(names), club="nowhere", stdout=StringIO())
