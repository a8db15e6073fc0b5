"""A list that was added is one step: what undoing it takes away, what stays, and until when it can be undone."""

import re

import pytest

from league.clubs.entry_person import split_entry
from league.clubs.members import add_members
from league.clubs.merge import merge, undo_merge
from league.entries.imports import add_list, imports_to_undo, undo_import
from league.entries.list_order import add_entries, rename_entry
from league.entries.roster.rows import RosterRow
from league.entries.sign_up import set_sign_up, sign_up
from league.erasure.erase import erase_player
from league.lib.errors import Conflict
from league.models import ImportedPerson, ListImport, Player, Seat, SignUp, TeamMember
from league.rounds.draw import draw
from league.rounds.steps import start
from tests import cast
from tests.games.pages import said
from tests.served import Served

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return cast.club(members=3)


@pytest.fixture
def evening(club):
    return cast.tournament(club=club, players=4)


@pytest.fixture
def olga(client):
    client.force_login(cast.organiser())
    return client


def rows(*names, **more):
    return [RosterRow(line, name, **more) for line, name in enumerate(names, 1)]


def add(tournament, *names, **more):
    return add_list(tournament=tournament, rows=rows(*names, **more), by=tournament.owner).step


def undo(step):
    return undo_import(step=step, by=step.by)


def listed(tournament):
    return [entry.player.name for entry in tournament.entries.order_by("number", "id")]


def test_a_list_is_undone_with_one_tap_and_nothing_else_goes(olga, evening):
    before, people = listed(evening), set(Player.objects.all())
    page = f"/t/{evening.slug}/players/"
    added = olga.post(page, {"players": "Nora\nOtto"}, follow=True)
    assert "Added: 2." in said(added) and "Imported lists 2 names" in said(added)
    undo_at = re.search(r'action="(/t/[^"]+/lists/\d+/undo/)"', added.content.decode())[1]
    undone = olga.post(undo_at, follow=True)
    assert "Undone: 2 removed." in said(undone) and "Imported lists" not in said(undone)
    assert listed(evening) == before and set(Player.objects.all()) == people
    assert evening.log.first().action == "undo-import"
    log = olga.get(f"/t/{evening.slug}/log/")
    assert "ndid a list: Nora, Otto removed" in said(log)


def test_a_second_press_changes_nothing(olga, evening):
    step = add(evening, "Nora")
    add(evening, "Otto")
    for words in ("Undone: 1 removed.", "This list is already undone."):
        assert words in said(olga.post(f"/t/{evening.slug}/lists/{step.pk}/undo/", follow=True))
    assert listed(evening)[4:] == ["Otto"] and evening.log.filter(action="undo-import").count() == 1


def test_a_member_and_a_guest_who_were_known_stay(club, evening):
    guest = cast.tournament(club=club, name="Earlier", players=rows("Gustav", "Hans", "Inge", "Jo"))
    member = add_members(club=club, players=rows("Nora"), by=club.owner)[0]
    step = add(evening, "Nora", "Gustav", "Otto")
    assert (
        evening.entries.get(player=member)
        and cast.entry(evening, "Gustav").player == cast.entry(guest, "Gustav").player
    )
    undo(step)
    assert set(Player.objects.filter(name__in=("Nora", "Gustav", "Otto")).values_list("name", flat=True)) == {
        "Nora", "Gustav",
    }  # fmt: skip


def test_details_that_the_list_filled_in_go_back_unless_they_were_changed(club, evening):
    nora, otto = add_members(club=club, players=rows("Nora", "Otto"), by=club.owner)
    step = add(evening, "Nora", "Otto", email="new@example.org", birthday=(2, 29))
    nora.refresh_from_db()
    assert nora.email == "new@example.org" and nora.birthday == (2, 29)
    Player.objects.filter(pk=otto.pk).update(email="own@example.org")
    undo(step)
    nora.refresh_from_db()
    otto.refresh_from_db()
    assert (nora.email, nora.birthday) == ("", None) and (otto.email, otto.birthday) == ("own@example.org", None)


def test_a_draft_is_forgotten_and_a_published_round_ends_it(evening):
    first = add(evening, "Nora", "Otto", "Pia", "Quentin")
    draw(tournament=evening, by=evening.owner)
    undo(first)
    assert not evening.rounds.exists() and len(listed(evening)) == 4
    second = add(evening, "Nora", "Otto", "Pia", "Quentin")
    start(tournament=evening, by=evening.owner)
    evening.refresh_from_db()
    assert imports_to_undo(evening) == []
    with pytest.raises(Conflict, match="has started"):
        undo(second)
    assert len(listed(evening)) == 8


def test_the_page_offers_the_latest_lists_only(olga, evening):
    for number in range(8):  # an organiser who adds one name at a time
        add(evening, f"Guest {number}")
    shown = olga.get(f"/t/{evening.slug}/players/").content.decode()
    assert len(re.findall(r"/lists/\d+/undo/", shown)) == 5


def test_the_page_says_why_a_list_stays(olga, evening):
    step = add(evening, "Nora", "Otto", "Pia", "Quentin")
    start(tournament=evening, by=evening.owner)
    answer = olga.post(f"/t/{evening.slug}/lists/{step.pk}/undo/", follow=True)
    assert "The tournament has started" in said(answer) and "Imported lists" not in said(answer)


def test_a_player_who_was_renamed_or_removed_since_does_not_stop_it(evening):
    step = add(evening, "Nora", "Otto")
    rename_entry(entry=cast.entry(evening, "Nora"), name="Norah", club="", by=evening.owner)
    cast.entry(evening, "Otto").delete()
    assert undo(step) == 1 and len(listed(evening)) == 4


def test_places_without_names_are_without_names_again(club):
    made = cast.tournament(club=club, players=rows("Player 1", "Player 2", "Player 3", "Player 4"))
    step = add(made, "Nora", "Otto", "Pia", "Quentin", "Rosa")
    assert listed(made) == ["Nora", "Otto", "Pia", "Quentin", "Rosa"]
    undo(step)
    assert listed(made) == ["Player 1", "Player 2", "Player 3", "Player 4"]
    assert not Player.objects.filter(name__in=("Nora", "Otto", "Pia", "Quentin")).exists()


def test_a_person_who_waited_waits_again():
    made = cast.tournament(players=4)
    set_sign_up(tournament=made, by=made.owner, capacity=4)
    waiting, _new = sign_up(
        tournament=made, name="Nora", email="nora@example.org", site="http://testserver", is_certain=True
    )
    step = add(made, "Nora", email="nora@example.org")
    waiting.refresh_from_db()
    assert waiting.state == SignUp.State.PLACED
    undo(step)
    waiting.refresh_from_db()
    assert waiting.state == SignUp.State.WAITING and "Nora" not in listed(made)


def test_teams_of_a_list_go_with_their_members():
    made = cast.teams()
    people = set(Player.objects.all())
    step = add_list(tournament=made, rows=[*cast.team_rows(5)[4:]], by=made.owner).step
    undo(step)
    assert len(listed(made)) == 4 and set(Player.objects.all()) == people
    assert not TeamMember.objects.exclude(team__player__in=people).exists()


def test_erasing_a_person_takes_what_a_list_filled_in_out_of_the_step(club, evening):
    [nora] = add_members(club=club, players=rows("Nora"), by=club.owner)
    add(evening, "Nora", email="nora@example.org", birthday=(2, 29))
    assert ImportedPerson.objects.get().email
    erase_player(player=nora, by=club.owner)
    left = ImportedPerson.objects.get()
    assert (left.email, left.birth_month, left.birth_day) == ("", None, None)


def test_the_same_list_is_added_again_after_it_was_undone(olga, evening):
    page, data = f"/t/{evening.slug}/players/", {"players": "Nora\nOtto", "form_key": "one key"}
    olga.post(page, data)
    olga.post(f"/t/{evening.slug}/lists/{ListImport.objects.get().pk}/undo/")
    assert len(listed(evening)) == 4
    olga.post(page, data)
    assert len(listed(evening)) == 6


def test_a_split_player_leaves_with_the_list_and_takes_the_details_of_the_list_along(club, evening):
    [nora] = add_members(club=club, players=rows("Nora"), by=club.owner)
    before = listed(evening)
    step = add(evening, "Nora", email="other@example.org", birthday=(2, 29))
    new = split_entry(entry=cast.entry(evening, "Nora"), by=club.owner)
    nora.refresh_from_db()
    assert (nora.email, nora.birthday) == ("", None)
    assert (new.email, new.birthday) == ("other@example.org", (2, 29))
    assert undo(step) == 1 and listed(evening) == before
    assert set(Player.objects.filter(name="Nora")) == {nora, new}  # the split is part of the club's history


AT_ONCE = """
import threading
from django.db import connection
from league.clubs.imports import add_member_list, undo_club_import
from league.entries.list_order import add_entries, name_places
from league.entries.roster.parse import parse
from league.lib.errors import Refused
club, answers = cast.club(), []

def act(ready, action):
    ready.wait()
    try:
        action()
    except Refused as refused:
        answers.append(refused.code)
    except Exception as error:
        answers.append(repr(error))
    connection.close()

for number in range(8):
    places = parse("Player 1\\nPlayer 2\\nPlayer 3\\nPlayer 4").rows
    made = cast.tournament(club=club, name=f"Event {number}", players=places)
    step = add_member_list(club=club, players=parse("Nora\\nOtto").rows, by=club.owner)[1]
    enter, ready = name_places if number % 2 else add_entries, threading.Barrier(2)
    nora = cast.member(club, "Nora")
    actions = (
        lambda: undo_club_import(step=step, by=club.owner),
        lambda: enter(tournament=made, players=[], members=[nora], by=club.owner),
    )
    threads = [threading.Thread(target=act, args=(ready, action)) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name in ("Nora", "Otto"):
        club.members.filter(name=name).update(club=None)
print(json.dumps(answers))
"""


@pytest.mark.slow
def test_a_list_is_undone_while_one_of_it_is_entered(postgres_url, tmp_path):
    answers = Served(tmp_path, postgres_url).prepare([AT_ONCE])
    assert set(answers) <= {"used", "gone"}, answers


class TestAClub:
    @pytest.mark.parametrize("use", ["split", "undone merge", "substitute"])
    def test_a_member_whom_the_history_names_ends_it(self, olga, club, use):
        olga.post(f"/clubs/{club.slug}/players/", {"players": "Nora\nOtto"})
        nora, otto = cast.member(club, "Nora"), cast.member(club, "Otto")
        made = cast.tournament(club=club)
        if use == "split":
            split_entry(entry=add_entries(tournament=made, members=[nora], by=club.owner)[0], by=club.owner)
        elif use == "undone merge":
            undo_merge(merge=merge(target=nora, source=otto, by=club.owner), by=club.owner)
        else:
            start(tournament=made, by=made.owner)
            Seat.objects.filter(pk=Seat.objects.first().pk).update(substitute=nora)
        assert "Imported lists" not in said(olga.get(f"/clubs/{club.slug}/players/"))
        answer = olga.post(f"/clubs/{club.slug}/lists/{ListImport.objects.get(club=club).pk}/undo/", follow=True)
        assert "Nora already has a history here" in said(answer)
        assert club.members.filter(name__in=("Nora", "Otto")).count() == 2

    def test_members_of_a_list_go_and_others_stay(self, olga, club):
        page = f"/clubs/{club.slug}/players/"
        added = olga.post(page, {"players": "Ana Lucía\nNora\nOtto"}, follow=True)
        assert "2 members added. 1 was already a member." in said(added) and "Imported lists" in said(added)
        undo_at = re.search(r'action="(/clubs/[^"]+/lists/\d+/undo/)"', added.content.decode())[1]
        assert "Undone: 2 removed." in said(olga.post(undo_at, follow=True))
        assert "This list is already undone." in said(olga.post(undo_at, follow=True))
        assert set(club.members.values_list("name", flat=True)) == {"Ana Lucía", "Benoît", "Chidi"}
        assert "Undid a list: Nora, Otto removed" in said(olga.get(f"/clubs/{club.slug}/log/"))

    def test_a_member_who_is_on_a_list_ends_it(self, olga, club):
        page = f"/clubs/{club.slug}/players/"
        olga.post(page, {"players": "Nora\nOtto"})
        cast.tournament(club=club, players=rows("Nora", "Hans", "Inge", "Jo"))
        assert "Imported lists" not in said(olga.get(page))
        answer = olga.post(f"/clubs/{club.slug}/lists/{ListImport.objects.get(club=club).pk}/undo/", follow=True)
        assert "Nora already has a history here" in said(answer)
        assert club.members.filter(name__in=("Nora", "Otto")).count() == 2

    def test_new_teams_go_and_changed_ones_are_as_before(self, olga, club):
        page = f"/clubs/{club.slug}/teams/"
        olga.post(page, {"players": "Foxes: Ana Lucía, Benoît"})
        olga.get(page)  # which shows the message
        before = said(olga.get(page))
        people = set(Player.objects.all())
        added = olga.post(page, {"players": "Foxes: Nora, Chidi\nOwls: Otto, Pia"}, follow=True)
        assert "2 teams saved." in said(added)
        step = ListImport.objects.filter(club=club).first()
        undone = olga.post(f"/clubs/{club.slug}/lists/{step.pk}/undo/", follow=True)
        assert "Undone:" in said(undone) and "Owls" not in said(undone)
        assert set(Player.objects.all()) == people
        assert said(olga.get(page)) == before
