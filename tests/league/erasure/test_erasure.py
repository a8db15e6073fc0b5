"""Erasing a person: who they were is gone, what they played is as before, and the log still proves itself."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from games.hands.correct import void_hand
from games.models import Hand
from league.access.viewer import Attribution
from league.announcements.announce import announce
from league.calls.call import Tap, call_director
from league.day.entrants import drop_out
from league.day.undo import undo_event
from league.entries.list_order import rename_entry
from league.erasure.erase import erase_player
from league.leaving.requests import ask
from league.log.audit import verify
from league.models import (
    Announcement,
    CallTap,
    Invitation,
    LeaveRequest,
    LogEntry,
    Player,
    Role,
    Seat,
    Snapshot,
    Table,
    Tournament,
)
from league.public import tables as exports
from league.public.snapshots import freeze
from league.public.tables import EXPORTS, Wanted
from league.roles.roles import accept, invite
from league.rounds.adjustments import adjust
from league.setup import create as setup
from league.setup.create import clone_tournament
from tests import cast

pytestmark = pytest.mark.django_db

OLD_NAME = "Zoë Ünal"


@pytest.fixture(scope="module", autouse=True)
def made_once(module_world):
    """A tournament after two rounds that names Zoë wherever a person can be named."""
    made = cast.tournament()
    zoe = cast.entry(made, "Zoë")
    rename_entry(entry=zoe, name=OLD_NAME, club="Café Ludo", by=made.owner)
    rename_entry(entry=zoe, name="Zoë", club="Café Ludo", by=made.owner)
    Player.objects.filter(pk=zoe.player_id).update(email="zoe@example.org", birth_month=2, birth_day=29)
    cast.play(made, rounds=1)
    farah = cast.entry(made, "Farah")
    adjust(tournament=made, entry=zoe, points=-20, reason="Late", round_number=1, by=made.owner)
    adjust(tournament=made, entry=farah, points=5, reason="Lent zoë a chair", round_number=1, by=made.owner)
    hand = cast.record(cast.table(made, 2, 1), 1).hand
    version = Table.objects.get(pk=hand.table_id).version
    void_hand(hand_id=hand.pk, version=version, reason="Typed by Zoë Ünal, alone", by=Attribution(made.owner))
    invitation, _secret = invite(to=made, kind=Role.Kind.PLAYER, by=made.owner, email="zoe.unal@example.org", entry=zoe)
    accept(invitation=invitation, user=cast.organiser("zoe.unal@example.org", "Uma"))
    invite(to=made, kind=Role.Kind.PLAYER, by=made.owner, entry=zoe)
    event = drop_out(tournament=made, entry=farah, reason="Went home with Zoë", by=made.owner)
    undo_event(tournament=made, event=event, by=made.owner)
    ask(entry=farah, kind=LeaveRequest.Kind.LATE, text="In Zoë's car", by=Attribution(player=farah))
    announce(tournament=made, text="Zoë, your taxi is here", by=made.owner)
    seat = Seat.objects.filter(round__tournament=made, round__number=2, table__isnull=False).earliest("pk")
    call_director(table=seat.table, tap=Tap("one", text="Zoë plays slowly"), by=Attribution(player=seat.entry))
    freeze(made.rounds.get(number=1))
    return made


@pytest.fixture
def made(made_once):
    return cast.again(made_once)


def everything(tournament):
    """All that is kept about a tournament, as text."""
    models = [
        LogEntry.objects.filter(tournament=tournament).values_list("old", "new", "reason"),
        Announcement.objects.filter(tournament=tournament).values_list("text"),
        Snapshot.objects.filter(round__tournament=tournament).values_list("rows", "rules"),
        Player.objects.filter(entries__tournament=tournament).values_list(),
        Invitation.objects.filter(tournament=tournament).values_list(),
        LeaveRequest.objects.filter(entry__tournament=tournament).values_list("text"),
        CallTap.objects.filter(call__table__round__tournament=tournament).values_list("text"),
        Hand.objects.filter(table__round__tournament=tournament).values_list("void_reason", "seats"),
    ]
    tables = [list(export.rows(tournament, Wanted(everything=True))) for export in EXPORTS.values()]
    return str([list(rows) for rows in models] + tables)


def test_nothing_names_the_person_any_more(made):
    before = everything(made)
    assert all(name in before for name in ("Zoë", OLD_NAME, "zoe@example.org", "zoe.unal@example.org", "Uma"))
    person = erase_player(player=cast.entry(made, "Zoë").player, by=made.owner)
    assert person.name.startswith("Player ") and len(person.name) == 11
    after = everything(made).lower()
    assert "zoë" not in after and "zoe" not in after and "ünal" not in after
    assert "Lent Player" in everything(made) and person.birthday is None and person.club_name == ""


def test_standings_are_the_same_but_for_the_name(made):
    def lines(without):
        rows = exports.standings_rows(made, Wanted())
        return [{column: value for column, value in row.items() if value != without} for row in rows]

    zoe = cast.entry(made, "Zoë")
    before = list(exports.standings_rows(made, Wanted()))
    person = erase_player(player=zoe.player, by=made.owner)
    expected = []
    for row in before:
        row = {column: person.name if value == "Zoë" else value for column, value in row.items()}
        expected.append(row | {"club": ""} if row["player_id"] == zoe.public_id else row)
    assert list(exports.standings_rows(made, Wanted())) == expected
    assert any(row["player_id"] == zoe.public_id and row["hands_played"] == 4 for row in expected)


def test_the_log_proves_itself_after_two_erasures(made):
    erase_player(player=cast.entry(made, "Zoë").player, by=made.owner)
    erase_player(player=cast.entry(made, "Farah").player, by=made.owner)
    assert verify(made)[0] == []


def test_an_anonymised_row_cannot_be_edited_afterwards_either(made):
    erase_player(player=cast.entry(made, "Zoë").player, by=made.owner)
    row = LogEntry.objects.filter(tournament=made, action="rename-player").earliest("id")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE league_logentry SET reason = 'Because' WHERE id = %s", [row.pk])
    assert [str(fault) for fault in verify(made)[0]] == [f"entry {row.number} was changed after it was written"]


def test_a_row_that_no_erasure_names_cannot_be_passed_off_as_anonymised(made):
    row = LogEntry.objects.filter(tournament=made, action="adjust").earliest("id")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE league_logentry SET reason = 'Erased', salt = 'new' WHERE id = %s", [row.pk])
    erase_player(player=cast.entry(made, "Benoît").player, by=made.owner)
    assert [fault.number for fault in verify(made)[0]] == [row.number]


def test_a_namesake_and_longer_names_stay(made):
    rename_entry(entry=cast.entry(made, "Chidi"), name="Zoëlla", club="", by=made.owner)
    rename_entry(entry=cast.entry(made, "Benoît"), name="Zoë", club="", by=made.owner)
    first = made.entries.filter(player__name="Zoë").earliest("number")
    erase_player(player=made.entries.filter(player__name="Zoë").latest("number").player, by=made.owner)
    renamed = LogEntry.objects.filter(tournament=made, action="rename-player").order_by("id")
    assert [row.new["name"] for row in renamed][-2:] == ["Zoëlla", "Zoë"]
    first.refresh_from_db()
    assert first.player.name == "Zoë"


def test_a_person_called_like_one_of_our_words_leaves_the_words_alone(made):
    change_rules = {"edition": "classic", "hands_per_round": 4, "rounds": None, "tie_breaks": ("best-round", "lot")}
    other = cast.tournament(name="Next week")
    setup.change_rules(tournament=other, by=other.owner, **change_rules)
    lot = cast.entry(other, "Zoë")
    rename_entry(entry=lot, name="Lot", club="", by=other.owner)
    cast.play(other, rounds=1)
    frozen = freeze(other.rounds.get(number=1))
    before = [(row["decided_by"], row["tb1"]) for row in frozen.rows]
    erase_player(player=Player.objects.get(pk=lot.player_id), by=other.owner)
    frozen.refresh_from_db()
    assert ("lot", 0) in [(one, 0) for one, _value in before]
    assert [(row["decided_by"], row["tb1"]) for row in frozen.rows] == before
    assert LogEntry.objects.get(tournament=other, action="rules").new["tie_breaks"] == ["best-round", "lot"]


def test_every_tournament_of_the_person_forgets_them(made):
    copy = clone_tournament(tournament=made, by=made.owner)
    erase_player(player=cast.entry(made, "Zoë").player, by=made.owner)
    assert "zoë" not in everything(copy).lower()
    assert LogEntry.objects.filter(action="erase-player").count() == 2
    assert verify(copy)[0] == []


def test_a_copy_made_after_the_erasure_leaves_the_person_out_and_says_so(made, client):
    erased = erase_player(player=cast.entry(made, "Zoë").player, by=made.owner)
    client.force_login(made.owner)
    page = client.post(f"/t/{made.slug}/again/", follow=True)
    copy = Tournament.objects.exclude(pk=made.pk).get()
    assert not copy.entries.filter(player=erased).exists()
    assert list(copy.entries.values_list("number", flat=True)) == [1, 2, 3, 4, 5, 6, 7]
    assert "7 of 8 copied" in page.content.decode()
    assert LogEntry.objects.get(tournament=copy, action="clone").new == {"from": made.slug, "players": 7, "left_out": 1}


def test_the_role_of_the_player_and_open_invitations_end(made):
    erase_player(player=cast.entry(made, "Zoë").player, by=made.owner)
    assert not Role.objects.filter(tournament=made, revoked_at=None).exists()
    assert not Invitation.objects.filter(tournament=made, used_at=None, revoked_at=None).exists()


def test_erasing_twice_is_erasing_once_and_the_name_stays_gone(made):
    zoe = cast.entry(made, "Zoë")
    person = erase_player(player=zoe.player, by=made.owner)
    assert erase_player(player=zoe.player, by=made.owner).name == person.name
    assert LogEntry.objects.filter(tournament=made, action="erase-player").count() == 1


def test_the_page_asks_for_the_name_before_it_erases(made, client):
    client.force_login(made.owner)
    zoe = cast.entry(made, "Zoë")
    url = f"/t/{made.slug}/players/{zoe.public_id}/erase/"
    asked = client.get(url).content.decode()
    assert "cannot be undone" in asked and "Type: Zoë" in asked
    button = asked.rpartition("Erase Zoë")[0].rpartition("<button")[2]
    assert "btn-main" not in button
    for name in ("", "Chidi"):
        refused = client.post(url, {"name": name})
        assert refused.status_code == 422 and "Nothing was erased." in refused.content.decode()
    assert cast.entry(made, "Zoë").player.erased_at is None
    assert client.post(url, {"name": "zoe"}).status_code == 302
    zoe.player.refresh_from_db()
    assert zoe.player.erased_at and zoe.player.name in client.get(f"/t/{made.slug}/players/").content.decode()
    edited = client.post(f"/t/{made.slug}/players/{zoe.public_id}/edit/", {"name": "Zoë", "club": ""})
    assert edited.status_code == 409
    zoe.player.refresh_from_db()
    assert zoe.player.name != "Zoë"


def test_who_does_not_run_every_tournament_of_the_person_cannot_erase_them(made, client):
    sven = cast.someone_else()
    Role.objects.create(tournament=made, user=sven, kind=Role.Kind.ORGANISER)
    clone_tournament(tournament=made, by=made.owner)
    client.force_login(sven)
    url = f"/t/{made.slug}/players/{cast.entry(made, 'Zoë').public_id}/erase/"
    assert client.post(url).status_code == 409
    assert cast.entry(made, "Zoë").player.erased_at is None


def test_the_command_erases_by_the_id_of_any_csv(made):
    zoe, said = cast.entry(made, "Zoë"), StringIO()
    call_command("erase_player", zoe.public_id, stdout=said)
    zoe.player.refresh_from_db()
    assert said.getvalue().strip() == zoe.player.name != "Zoë"
    with pytest.raises(CommandError, match="no player with the id nobody"):
        call_command("erase_player", "nobody")
