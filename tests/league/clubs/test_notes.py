"""Notes on a member: who reads them, and when they go."""

import json

import pytest
from django.test import Client

from league.accounts.tokens import make_token
from league.clubs.members import add_members, remove_member
from league.clubs.merge import merge, undo_merge
from league.entries.roster.rows import RosterRow
from league.erasure.erase import erase_player
from league.models import ClubLogEntry, ClubRole, LogEntry, Player
from league.remarks.notes import state_of
from league.roles.claims import claim
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db
NOTE = "Allergic to nuts, brings the blue deck"


@pytest.fixture(scope="module", autouse=True)
def club_once(module_world):
    made = cast.club(members=8)
    cast.play(cast.tournament(club=made), rounds=1)
    Player.objects.filter(pk=cast.member(made, "Chidi").pk).update(notes=NOTE)
    return made


@pytest.fixture
def club(club_once):
    return cast.again(club_once)


def pages_of(club):
    chidi = cast.member(club, "Chidi")
    base = f"/clubs/{club.slug}/"
    evening = club.tournaments.get()
    entry = cast.entry(evening, "Chidi")
    return [
        base,
        f"{base}players/",
        f"{base}players/?q=chidi",
        f"{base}players/{chidi.public_id}/",
        f"{base}players/{chidi.public_id}/edit/",
        f"{base}players.csv",
        f"{base}log/",
        f"{base}attendance.csv",
        f"/t/{evening.slug}/players/",
        f"/t/{evening.slug}/players.csv",
        f"/t/{evening.slug}/players/{entry.public_id}/",
        f"/t/{evening.slug}/check-in/",
        f"/t/{evening.slug}/people/{entry.public_id}/",
        f"/api/v1/clubs/{club.slug}/players/",
        f"/api/v1/clubs/{club.slug}/players/{chidi.public_id}/",
        f"/api/v1/tournaments/{evening.slug}/players/",
    ]


def readers(client, club):
    return [page for page in pages_of(club) if "nuts" in client.get(page).content.decode()]


def test_who_keeps_the_members_reads_notes_among_members_and_on_the_pages_of_an_event(client, club):
    client.force_login(club.owner)
    members, found, edit, *of_event = readers(client, club)
    assert members.endswith("/players/") and found.endswith("q=chidi") and edit.endswith("/edit/")
    assert [page.split("/")[3] for page in of_event] == ["players", "check-in", "people"]


def test_a_director_reads_notes_on_the_pages_of_an_event_alone_and_writes_none(client, club):
    ClubRole.objects.create(club=club, user=cast.someone_else(), kind="director", created_by=club.owner)
    client.force_login(cast.someone_else())
    assert [page.split("/")[3] for page in readers(client, club)] == ["players", "check-in", "people"]
    sheet = f"{readers(client, club)[-1]}?do=note"
    assert "Save notes" not in said(client.get(sheet))
    refused = client.post(sheet, {"do": "note", "notes": "Mine"})
    assert refused.status_code == 422 and "Only the organisers of the club write notes" in said(refused)
    assert cast.member(club, "Chidi").notes == NOTE


def test_an_organiser_writes_notes_on_the_sheet_unless_someone_else_just_did(client, club):
    client.force_login(club.owner)
    evening = club.tournaments.get()
    sheet = f"/t/{evening.slug}/people/{cast.entry(evening, 'Chidi').public_id}/?do=note"
    form = {"do": "note", "who": cast.member(club, "Chidi").public_id, "was": state_of(NOTE)}
    assert NOTE in said(client.get(sheet))
    done = client.post(sheet, form | {"notes": "Needs a table near the door\r\n"}, follow=True)
    assert "Notes on Chidi saved." in said(done) and "Needs a table near the door" in said(done)
    late = client.post(sheet, form | {"notes": "Hears badly"})
    assert late.status_code == 409 and "Stored now: Needs a table near the door" in said(late)
    assert "Hears badly" in late.content.decode() and state_of("Needs a table near the door") in late.content.decode()
    row = LogEntry.objects.filter(tournament=evening).latest("pk")
    assert row.action == "write-notes" and "door" not in json.dumps([row.old, row.new, row.reason])


def test_notes_on_a_guest_are_for_those_who_run_the_tournament_and_are_erased_with_the_guest(client, club):
    client.force_login(club.owner)
    other = cast.tournament(name="Other")
    farah = cast.entry(other, "Farah")
    sheet = f"/t/{other.slug}/people/{farah.public_id}/?do=note"
    client.post(sheet, {"do": "note", "was": state_of(""), "notes": "Comes with Zoë"})
    assert "Comes with Zoë" in said(client.get(f"/t/{other.slug}/players/"))
    assert "Comes with Zoë" not in said(Client().get(f"/t/{other.slug}/players/"))
    erased = erase_player(player=cast.entry(other, "Zoë").player, by=club.owner)
    farah.player.refresh_from_db()
    assert farah.player.notes == f"Comes with {erased.name}"
    assert erase_player(player=farah.player, by=club.owner).notes == ""


@pytest.mark.parametrize("who", ["a stranger", "another account", "the member", "a scorer"])
def test_no_one_else_reads_them(client, club, who):
    if who != "a stranger":
        account = cast.someone_else()
        client.force_login(account)
        if who == "the member":
            claim(player=cast.member(club, "Chidi"), user=account)
        elif who != "another account":
            ClubRole.objects.create(club=club, user=account, kind=who.removeprefix("a "), created_by=club.owner)
    assert readers(client, club) == []


def test_not_even_the_token_of_an_organiser_gets_them_by_the_api(club):
    token = make_token(user=club.owner, name="Script")[1]
    client = Client(headers={"Authorization": f"Bearer {token}"})
    answer = client.get(f"/api/v1/clubs/{club.slug}/players/")
    assert answer.status_code == 200 and "nuts" not in json.dumps(answer.json())


def test_notes_are_written_on_the_page_of_the_member_and_the_log_has_no_word_of_them(client, club):
    client.force_login(club.owner)
    ana = cast.member(club, "Ana Lucía")
    page = f"/clubs/{club.slug}/players/{ana.public_id}/edit/"
    assert "Only organisers and directors see notes." in said(client.get(page))
    client.post(page, {"name": ana.name, "notes": "Paid until May.\r\n\r\n Has the\tkey. "})
    ana.refresh_from_db()
    assert ana.notes == "Paid until May.\n\nHas the key."
    row = ClubLogEntry.objects.filter(club=club).first()
    assert row.action == "change-member" and "Paid" not in json.dumps([row.old, row.new])
    assert "Paid until May. Has the key." in said(client.get(f"/clubs/{club.slug}/players/"))
    too_long = client.post(page, {"name": ana.name, "notes": "x" * 4001})
    assert too_long.status_code == 422


def test_a_merge_keeps_the_notes_of_both_and_undoing_gives_each_their_own(club):
    add_members(club=club, players=[RosterRow(1, "Chiddi")], by=club.owner)
    gone, kept = cast.member(club, "Chiddi"), cast.member(club, "Chidi")
    Player.objects.filter(pk=gone.pk).update(notes="Plays on Tuesdays")
    done = merge(target=kept, source=gone, by=club.owner)
    assert Player.objects.get(pk=kept.pk).notes == f"{NOTE}\n\nPlays on Tuesdays"
    undo_merge(merge=done, by=club.owner)
    assert Player.objects.get(pk=kept.pk).notes == NOTE
    assert Player.objects.get(pk=gone.pk).notes == "Plays on Tuesdays"


def test_a_merge_into_a_record_without_notes_is_undone_too(club):
    add_members(club=club, players=[RosterRow(1, "Chiddi")], by=club.owner)
    kept, gone = cast.member(club, "Chiddi"), cast.member(club, "Chidi")
    done = merge(target=kept, source=gone, by=club.owner)
    assert Player.objects.get(pk=kept.pk).notes == NOTE
    undo_merge(merge=done, by=club.owner)
    assert [Player.objects.get(pk=one.pk).notes for one in (kept, gone)] == ["", NOTE]


def test_notes_that_were_changed_after_a_merge_stay_when_it_is_undone(club):
    add_members(club=club, players=[RosterRow(1, "Chiddi")], by=club.owner)
    gone, kept = cast.member(club, "Chiddi"), cast.member(club, "Chidi")
    Player.objects.filter(pk=gone.pk).update(notes="Plays on Tuesdays")
    done = merge(target=kept, source=gone, by=club.owner)
    Player.objects.filter(pk=kept.pk).update(notes="Plays on Tuesdays, mostly")
    undo_merge(merge=done, by=club.owner)
    assert Player.objects.get(pk=kept.pk).notes == "Plays on Tuesdays, mostly"


def test_two_records_with_the_same_note_have_it_once(club):
    add_members(club=club, players=[RosterRow(1, "Chiddi")], by=club.owner)
    gone, kept = cast.member(club, "Chiddi"), cast.member(club, "Chidi")
    Player.objects.filter(pk=gone.pk).update(notes=NOTE)
    done = merge(target=kept, source=gone, by=club.owner)
    assert Player.objects.get(pk=kept.pk).notes == NOTE
    undo_merge(merge=done, by=club.owner)
    assert Player.objects.get(pk=kept.pk).notes == NOTE


def test_erasing_takes_the_notes_of_every_record_and_the_name_out_of_the_notes_on_others(club):
    add_members(club=club, players=[RosterRow(1, "Chiddi")], by=club.owner)
    gone, kept = cast.member(club, "Chiddi"), cast.member(club, "Chidi")
    Player.objects.filter(pk=gone.pk).update(notes="Plays on Tuesdays")
    Player.objects.filter(pk=cast.member(club, "Farah").pk).update(notes="Comes with Chidi")
    merge(target=kept, source=gone, by=club.owner)
    erased = erase_player(player=kept, by=club.owner)
    assert set(Player.objects.filter(pk__in=(kept.pk, gone.pk)).values_list("notes", flat=True)) == {""}
    assert cast.member(club, "Farah").notes == f"Comes with {erased.name}"


def test_notes_go_when_the_member_leaves_the_club(club):
    chidi = cast.member(club, "Chidi")
    remove_member(player=chidi, by=club.owner)
    chidi.refresh_from_db()
    assert chidi.club is None and chidi.notes == ""
