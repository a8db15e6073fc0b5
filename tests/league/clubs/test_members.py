"""Members of a club: who joins, who leaves, and whose record it is when a name comes to a tournament's list."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from league.clubs.clubs import put_in_club
from league.clubs.members import add_members, change_member, remove_member
from league.clubs.merge import merge
from league.day.entrants import enter_late
from league.day.substitutes import substitute
from league.entries.check_in import replace_no_show
from league.entries.list_order import add_entries, remove_entry
from league.entries.roster.rows import RosterRow
from league.entries.sign_up import set_sign_up, sign_up
from league.erasure.erase import erase_player
from league.lib.errors import Refused
from league.models import ClubLogEntry, LogEntry, Player, SignUp
from league.public import tables as exports
from league.public.tables import Wanted
from league.roles.claims import claim
from league.rounds.draw import draw
from league.rounds.steps import start
from league.setup.call_off import call_off
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
def olga(client):
    client.force_login(cast.organiser())
    return client


def names(club):
    return set(club.members.values_list("name", flat=True))


def evening(club, players=()):
    """Its list is not full: nothing could be drawn."""
    made = cast.tournament(club=club, players=0)
    add_entries(tournament=made, players=players, by=made.owner)
    return made


def test_a_list_is_pasted_twice_and_everybody_is_there_once(olga, club):
    page = f"/clubs/{club.slug}/players/"
    listed = "1. ana lucía\n2. Gül\n3. gül"
    answer = olga.post(page, {"players": listed})
    assert "“Gül” is on lines 2, 3 and is added once" in said(answer) and "different players" not in said(answer)
    assert "Gül" not in names(club), "a doubtful list is shown first"
    [seen] = re.findall(r'name="seen" value="(\w+)"', answer.content.decode())
    answer = olga.post(page, {"players": listed, "seen": seen}, follow=True)
    assert "1 member added. 1 was already a member." in said(answer)
    assert names(club) == {*cast.CAST, "Gül"}
    doubtful = olga.post(page, {"players": "name,email\nIda,not-an-address"})
    assert "Line 2" in said(doubtful) and "Ida" not in names(club)


def test_the_list_is_downloaded_by_who_manages_it_and_pasted_as_it_is_into_another_club(olga, club):
    cast.play(cast.tournament(club=club), rounds=1)
    path = f"/clubs/{club.slug}/players.csv"
    assert path in olga.get(f"/clubs/{club.slug}/players/").content.decode()
    text = olga.get(path).content.decode()
    ana = Player.objects.get(club=club, name="Ana Lucía")
    head, first, *others = text.splitlines()
    assert head == "name,club,email,birthday,player_id,evenings,last_evening"
    assert first == f"Ana Lucía,Café Ludo,ana@example.org,05-17,{ana.public_id},1,2026-11-24" and len(others) == 7
    assert path not in Client().get(f"/clubs/{club.slug}/players/").content.decode()
    other = cast.club(name="Elsewhere")
    assert olga.post(f"/clubs/{other.slug}/players/", {"players": text}).status_code == 302
    assert set(other.members.values_list("name", flat=True)) == set(cast.CAST)


def test_members_are_found_without_accents(olga, club):
    found = said(olga.get(f"/clubs/{club.slug}/players/", {"q": "emilie"}))
    assert "Émilie" in found and "Benoît" not in found and "1 found" in found


def test_a_name_that_a_member_has_is_that_member_in_any_case_and_only_once(club):
    chidi = cast.member(club, "Chidi")
    made = evening(club, [RosterRow(1, "CHIDI", email="chidi@example.org"), RosterRow(2, "Chidi"), RosterRow(3, "Ida")])
    first, second, third = made.entries.select_related("player").order_by("number")
    assert first.player == chidi and first.player.email == "chidi@example.org"
    assert second.player != chidi and second.player.club is None  # a namesake: nobody plays twice
    assert third.player.name == "Ida" and third.player.club is None


def test_of_two_members_with_one_name_nobody_is_guessed(club):
    club.members.create(name="chidi")
    assert evening(club, [RosterRow(1, "Chidi")]).entries.get().player.club is None


def test_members_of_one_club_are_strangers_in_another(club):
    elsewhere = cast.club(name="Elsewhere")
    assert evening(elsewhere, cast.people()).entries.filter(player__club=club).count() == 0
    assert cast.tournament().entries.filter(player__club=club).count() == 0


def test_who_comes_late_substitutes_or_walks_in_is_the_member_of_that_name(club):
    add_members(club=club, players=[RosterRow(1, "Gül"), RosterRow(2, "Ida"), RosterRow(3, "Jo")], by=club.owner)
    made = cast.play(cast.challenge(club=club), rounds=1)
    late = enter_late(tournament=made, name="gül", by=made.owner)
    assert late.entry.player == cast.member(club, "Gül")
    [seat, *_more] = substitute(tournament=made, entry=cast.entry(made, "Farah"), name="Ida", by=made.owner)
    seat.refresh_from_db()
    assert seat.substitute == cast.member(club, "Ida")

    planned = cast.tournament(club=club)
    taken = replace_no_show(entry=cast.entry(planned, "Farah"), name="Jo", by=planned.owner)
    assert taken.entry.player == cast.member(club, "Jo")
    assert not cast.member(club, "Farah").entries.filter(tournament=planned).exists()  # and a member still


def test_a_member_who_is_taken_off_a_list_stays_a_member(club):
    made = evening(club, [RosterRow(1, "Farah"), RosterRow(2, "Guest")])
    for entry in list(made.entries.all()):
        remove_entry(tournament=made, entry=entry, by=made.owner)
    assert "Farah" in names(club) and not Player.objects.filter(name="Guest").exists()


def test_signing_up_a_name_alone_makes_nobody_a_member_and_the_own_address_does(club):
    made = evening(club)
    set_sign_up(tournament=made, capacity=8, by=made.owner)
    signed, _new = sign_up(tournament=made, name="Ana Lucía", email="stranger@example.org", site="http://x/")
    assert signed.entry.player.club is None
    signed, _new = sign_up(tournament=made, name="ana lucía", email="ANA@example.org", site="http://x/")
    assert signed.entry.player == cast.member(club, "Ana Lucía")


def test_who_is_signed_in_with_the_account_of_a_member_signs_up_with_one_tap(club):
    made = evening(club)
    set_sign_up(tournament=made, capacity=8, by=made.owner)
    farah = cast.member(club, "Farah")
    farah = claim(player=farah, user=cast.organiser("farah.account@example.org", "Farah Account"))
    browser = Client()
    browser.force_login(farah.user)
    page = f"/t/{made.slug}/sign-up/"
    assert "You sign up as Farah" in said(browser.get(page))
    browser.post(page, {"as": "member"})
    signed = SignUp.objects.get()
    assert (signed.name, signed.email) == ("Farah", "farah.account@example.org")
    assert signed.entry.player == farah
    # It is their table from then on, without a link.
    assert browser.get(f"/t/{made.slug}/me/").status_code == 200
    assert Client().get(f"/t/{made.slug}/me/").status_code == 404


def test_guests_of_the_last_evenings_are_taken_in_with_one_tap(olga, club):
    made = cast.play(cast.tournament(players=8), rounds=1)
    put_in_club(tournament=made, club=club, by=club.owner)
    remove_member(player=cast.member(club, "Zoë"), by=club.owner)
    page = f"/clubs/{club.slug}/players/"
    seen = olga.get(page).content.decode()
    guests = dict(re.findall(r'name="who" value="(\w{8})">[^<]+<span class="sr"> ([^<]+)</span>', seen))
    assert set(guests.values()) == set(cast.CAST)
    zoe = next(key for key, name in guests.items() if name == "Zoë")
    olga.post(f"{page}take-in/", {"who": zoe})
    assert cast.member(club, "Zoë") == cast.entry(made, "Zoë").player
    answer = said(olga.post(f"{page}take-in/", {"who": "all"}, follow=True))
    assert "weren’t added: members have these names" in answer and "Duplicates" in answer
    assert club.members.count() == 8


def test_only_evenings_that_have_begun_count_as_played(olga, club):
    planned = evening(club, [*cast.people(), RosterRow(9, "Ida")])
    off = evening(club, cast.people())
    call_off(tournament=off, reason="No hall", by=club.owner)
    page = f"/clubs/{club.slug}/players/"
    seen = said(olga.get(page))
    assert seen.count("No tournament yet") == 8 and "Guests" not in seen
    assert all(line.endswith(",0,") for line in olga.get(f"{page[:-1]}.csv").content.decode().splitlines()[1:])
    draw(tournament=planned, by=club.owner)
    assert "No tournament yet" in said(olga.get(page))
    start(tournament=planned, by=club.owner)
    seen = said(olga.get(page))
    assert seen.count("1 tournament, ") == 8 and "Recent guests Ida" in seen


def test_exports_of_what_was_played_do_not_change_when_it_becomes_an_evening_of_a_club(club):
    made = cast.play(cast.tournament(), rounds=1)

    def tables():
        wanted = Wanted(everything=True)
        return {name: list(one.rows(made, wanted)) for name, one in exports.EXPORTS.items() if name != "log"}

    before = tables()
    put_in_club(tournament=made, club=club, by=club.owner)
    made.refresh_from_db()
    assert tables() == before


def test_a_member_is_renamed_in_all_evenings_and_in_both_logs(olga, club):
    made = evening(club, cast.people())
    farah = cast.member(club, "Farah")
    page = f"/clubs/{club.slug}/players/{farah.public_id}/edit/"
    assert olga.post(page, {"name": "Zoë"}).status_code == 422  # which another member is called
    assert olga.post(page, {"name": "Farah al-Sayed", "birth_day": "31", "birth_month": "2"}).status_code == 422
    assert olga.post(page, {"name": "Farah al-Sayed", "birth_day": "29", "birth_month": "2"}).status_code == 302
    assert cast.entry(made, "Farah al-Sayed").player.birthday == (2, 29)
    assert LogEntry.objects.filter(tournament=made, action="rename-player").exists()
    assert "Farah is now Farah al-Sayed" in said(olga.get(f"/clubs/{club.slug}/log/"))


def test_who_leaves_the_club_keeps_what_they_played(olga, club):
    made = evening(club, cast.people())
    for name, stays in (("Farah", True), ("Gül", False)):
        person = Player.objects.filter(name=name).first() or club.members.create(name=name)
        page = f"/clubs/{club.slug}/players/{person.public_id}/remove/"
        assert f"Remove {name}?" in said(olga.get(page))
        olga.post(page)
        assert name not in names(club)
        assert Player.objects.filter(pk=person.pk).exists() == stays
    assert made.entries.filter(player__name="Farah").exists()


def test_a_club_has_an_end(club, monkeypatch):
    monkeypatch.setattr("league.clubs.members.MOST_MEMBERS", 8)
    with pytest.raises(Refused):
        add_members(club=club, players=[RosterRow(1, "Gül")], by=club.owner)


def test_a_member_is_erased_from_the_club_too_and_the_standings_stay(olga, club):
    made = cast.play(evening(club, cast.people()), rounds=2)
    ana = cast.member(club, "Ana Lucía")
    change_member(player=ana, name="Ana L. Núñez", email="", club_name="", birthday=None, by=club.owner)
    team = Player.objects.create(name="Ana L. Núñez / Bo")
    crew = club.teams.create(player=team)
    crew.members.create(player=ana, number=1)

    def figures():
        called = ("player", "club", "best_partner")
        return [[row[key] for key in row if key not in called] for row in exports.standings_rows(made, Wanted())]

    before = figures()
    assert "Erase Ana L. Núñez" in said(olga.get(f"/clubs/{club.slug}/players/{ana.public_id}/erase/"))
    olga.post(f"/clubs/{club.slug}/players/{ana.public_id}/erase/", {"name": "ana l. nunez"})
    ana.refresh_from_db()
    team.refresh_from_db()
    assert figures() == before
    assert ana.name.startswith("Player ") and ana.name not in names_shown(club) and team.name == f"{ana.name} / Bo"
    kept = str([*ClubLogEntry.objects.values_list("old", "new", "reason")])
    assert "Ana" not in kept and ana.name in kept


def names_shown(club):
    return said(Client().get(f"/clubs/{club.slug}/players/"))


def test_whoever_does_not_run_all_that_somebody_played_does_not_erase_them(olga, club):
    ana = cast.member(club, "Ana Lucía")
    elsewhere = cast.tournament(owner=cast.someone_else())
    elsewhere.entries.filter(player__name="Ana Lucía").update(player=ana)
    page = f"/clubs/{club.slug}/players/{ana.public_id}/erase/"
    assert olga.post(page).status_code == 409
    erase_player(player=ana, by=None)
    ana.refresh_from_db()
    assert ana.erased_at is not None


def test_an_unknown_member_is_not_put_on_a_list(club):
    made = evening(club)
    other = cast.club(name="Elsewhere", members=1)
    assert add_entries(tournament=made, members=list(other.members.all()), by=made.owner) == []
    assert made.entries.count() == 0


# --- a name that the club knows already


def guest_of(club, name, **about):
    """A guest of one event of the club."""
    made = evening(club)
    person = Player.objects.create(name=name, **about)
    made.entries.create(player=person, number=1)
    return person


def add(client, club, names, **more):
    answer = client.post(f"/clubs/{club.slug}/players/", {"players": names, **more}, follow=True)
    return answer.content.decode()


def seen_in(page):
    [seen] = re.findall(r'name="seen" value="(\w+)"', page)
    return seen


def test_a_certain_guest_becomes_a_member_without_a_question_and_the_message_says_so(olga, club):
    ida = guest_of(club, "Ida")
    page = add(olga, club, "IDA\nNed")
    assert "2 members added. Ida was a guest before." in page
    ida.refresh_from_db()
    assert ida.club == club and names(club) == {*cast.CAST, "Ida", "Ned"}
    actions = ClubLogEntry.objects.filter(club=club).order_by("-pk").values_list("action", flat=True)
    assert set(actions[:2]) == {"add-members", "take-in"}


def test_the_organiser_may_say_in_the_preview_that_a_guest_is_another_person(olga, club):
    ida = guest_of(club, "Ida")
    page = add(olga, club, "Ida", look="again")
    assert "guest, 1 earlier tournament, last on" in page and "A new person" in page
    add(olga, club, "Ida", seen=seen_in(page), **{"who-0": "new"})
    ida.refresh_from_db()
    assert ida.club is None and cast.member(club, "Ida") != ida


@pytest.mark.parametrize(
    ("about", "listed"),
    [
        ({"email": "ida@example.org"}, "name;email\nIda;other@example.org"),
        ({"club_name": "SV Nord"}, "name;club\nIda;TSV"),
        ({"birth_month": 5, "birth_day": 1}, "name;birthday\nIda;05-02"),
        ({"name": "Ida Berg"}, "Berg Ida"),
    ],
)
def test_a_guest_who_may_be_someone_else_is_asked_about(olga, club, about, listed):
    ida = guest_of(club, **{"name": "Ida"} | about)
    page = add(olga, club, listed)
    assert names(club) == set(cast.CAST)
    add(olga, club, listed, seen=seen_in(page), **{"who-0": ida.public_id})
    ida.refresh_from_db()
    assert ida.club == club and club.members.count() == 9


def test_a_guest_who_signed_up_publicly_is_not_made_a_member_by_the_name_alone(olga, club):
    stranger = guest_of(club, "Ida")
    SignUp.objects.create(
        tournament=stranger.entries.get().tournament,
        entry=stranger.entries.get(),
        name="Ida",
        email="ida@example.org",
        language="en",
    )
    assert "guest, 1 earlier tournament" in add(olga, club, "Ida")
    add_members(club=club, players=[RosterRow(1, "Ida")], by=club.owner)
    stranger.refresh_from_db()
    assert stranger.club is None and cast.member(club, "Ida") != stranger


def test_of_two_guests_with_one_name_the_organiser_chooses(olga, club):
    guest_of(club, "Ida", club_name="SV Nord")
    other = guest_of(club, "Ida", club_name="TSV")
    page = add(olga, club, "Ida")
    assert "Ida, SV Nord" in page and "Ida, TSV" in page and names(club) == set(cast.CAST)
    add(olga, club, "Ida", seen=seen_in(page), **{"who-0": other.public_id})
    assert cast.member(club, "Ida") == other


@pytest.mark.parametrize("name", ["Ana Lucia", "Ána  Lucía", "Lucía Ana"])
def test_a_name_that_is_almost_a_members_is_that_member_unless_they_are_two_people(olga, club, name):
    page = add(olga, club, name)
    assert "already a member" in page and "Two people" in page
    ana = cast.member(club, "Ana Lucía")
    assert "1 was already a member" in add(olga, club, name, seen=seen_in(page), **{"who-0": ana.public_id})
    assert names(club) == set(cast.CAST)
    add_members(club=club, players=[RosterRow(1, name)], by=club.owner)
    assert names(club) == set(cast.CAST)
    add(olga, club, name, seen=seen_in(page), **{"who-0": "new"})
    assert club.members.count() == 9


def test_a_guest_with_a_members_name_is_taken_in_as_another_person_only_when_that_is_said(olga, club):
    zoe = guest_of(club, "Zoe")
    started = zoe.entries.get().tournament
    type(started).objects.filter(pk=started.pk).update(state="running")
    page = f"/clubs/{club.slug}/players/"
    shown = olga.get(page).content.decode()
    assert "A member has this name" in shown and f"/clubs/{club.slug}/same-people/" in shown
    answer = said(olga.post(f"{page}take-in/", {"who": zoe.public_id}, follow=True))
    assert "Zoe wasn’t added: a member has this name" in answer
    olga.post(f"{page}take-in/", {"who": zoe.public_id, "apart": "1"})
    zoe.refresh_from_db()
    assert zoe.club == club and names(club) == {*cast.CAST, "Zoe"}


def test_a_new_name_that_another_member_has_is_saved_once_they_are_two_people(olga, club):
    farah, zoe = cast.member(club, "Farah"), cast.member(club, "Zoë")
    page = f"/clubs/{club.slug}/players/{farah.public_id}/edit/"
    for name in ("Zoe", "Zoë"):
        answer = olga.post(page, {"name": name})
        assert answer.status_code == 422 and "They are two people" in said(answer)
        assert f"/{zoe.public_id}/merge/?with={farah.public_id}" in answer.content.decode()
    assert olga.post(page, {"name": "Zoë", "apart": "1"}).status_code == 302
    assert club.members.filter(name="Zoë").count() == 2


def test_undoing_a_list_gives_a_guest_back_as_a_guest(olga, club):
    ida = guest_of(club, "Ida")
    page = add(olga, club, "name;email\nIda;ida@example.org\nNed;")
    [undo] = set(re.findall(r'action="(/clubs/[^"]+/undo/)"', page))
    ida.refresh_from_db()
    assert ida.club == club and ida.email == "ida@example.org"
    olga.post(undo)
    ida.refresh_from_db()
    assert ida.club is None and not ida.email and ida.entries.count() == 1
    assert names(club) == set(cast.CAST) and not Player.objects.filter(name="Ned").exists()


def test_undoing_a_list_of_teams_gives_a_guest_back_as_a_guest(olga, club):
    ida = guest_of(club, "Ida")
    page = f"/clubs/{club.slug}/teams/"
    shown = olga.post(page, {"players": "Foxes: Ida, Zoë"}, follow=True).content.decode()
    ida.refresh_from_db()
    assert ida.club == club
    [undo] = set(re.findall(r'action="(/clubs/[^"]+/undo/)"', shown))
    olga.post(undo)
    ida.refresh_from_db()
    assert ida.club is None and ida.entries.count() == 1 and not club.teams.exists()


def test_a_list_is_not_undone_once_its_guest_has_an_account(olga, club):
    ida = guest_of(club, "Ida")
    page = add(olga, club, "Ida")
    [undo] = set(re.findall(r'action="(/clubs/[^"]+/undo/)"', page))
    ida.refresh_from_db()
    claim(player=ida, user=cast.someone_else())
    olga.post(undo)
    ida.refresh_from_db()
    assert ida.club == club


def test_a_list_is_not_undone_once_its_guest_was_joined_with_another_record(olga, club):
    ida, other = guest_of(club, "Ida"), guest_of(club, "Idda")
    add(olga, club, "Ida")
    step = club.list_imports.get()
    merge(target=ida, source=other, by=club.owner)
    answer = olga.post(f"/clubs/{club.slug}/lists/{step.pk}/undo/", follow=True)
    assert "Ida already has a history here" in said(answer)
    ida.refresh_from_db()
    assert ida.club == club


def test_a_program_gets_the_certain_guest_and_notes_on_the_rest(olga, club):
    ida, ned = guest_of(club, "Ida"), [guest_of(club, "Ned"), guest_of(club, "Ned")]
    page, listed = f"/api/v1/clubs/{club.slug}/players/", b"name\nIda\nNed\nAna Lucia\n"
    refused = olga.post(page, {"file": SimpleUploadedFile("list.csv", listed), "strict": "true"})
    assert refused.status_code == 422 and len(refused.json()["errors"]) == 2 and names(club) == set(cast.CAST)
    answer = olga.post(page, {"file": SimpleUploadedFile("list.csv", listed)})
    assert answer.status_code == 201, answer.content
    ida.refresh_from_db()
    assert ida.club == club and cast.member(club, "Ned") not in ned
    assert answer.json()["notes"][-3:] == [
        "Ida was a guest before.",
        "Added as new people, though the club has guests with these names: Ned.",
        "Not added, because members have similar names: Ana Lucia.",
    ]
