"""Who has paid the fee: noted at the door, alone or together, and private."""

from datetime import date

import pytest
from django.test import Client

from league.access import club_for, tournament_for
from league.clubs.attendance.export_rows import attendance_rows, event_columns
from league.clubs.attendance.page import Cell, attendance_page
from league.clubs.attendance.who_came import attendance
from league.entries.arrivals.page import check_in_page
from league.entries.arrivals.paid import mark_paid, set_paid
from league.entries.check_in import put_back, replace_no_show
from league.lib import csv
from league.lib.errors import Conflict
from league.models import Entry, LogEntry, Role, SignUp, Tournament
from league.pages.people_list import ListFilters
from league.rounds.steps import close_tournament, start
from league.setup.create import clone_tournament
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def made_once(module_world):
    made = cast.tournament(club=cast.club(members=4), fee="5 €")
    mark_paid(tournament=made, ids=ids(made, "Ana Lucía", "Chidi"), paid=True, by=made.owner)
    return made


@pytest.fixture
def made(made_once):
    return cast.again(made_once)


def ids(made, *names):
    return [cast.entry(made, name).public_id for name in names]


def who_paid(made):
    return set(made.entries.exclude(paid_at=None).values_list("player__name", flat=True))


def browser_of(made, role):
    user = cast.organiser(f"{role}@example.org", "Maud")
    Role.objects.create(tournament=made, user=user, kind=role)
    browser = Client()
    browser.force_login(user)
    return browser


def at(made, name="", what=""):
    return f"/t/{made.slug}/" + (f"players/{cast.entry(made, name).public_id}/{what}/" if name else what)


def test_a_helper_ticks_several_who_pay_and_undoes_it(made):
    maud = browser_of(made, Role.Kind.CHECK_IN)
    form = {"do": "paid", "who": ids(made, "Chidi", "Farah", "Zoë")}
    done = maud.post(at(made, what="check-in/ticked/"), form, follow=True)
    assert "2 people have paid: Farah and Zoë. Chidi had already paid." in said(done)
    assert "0 of 8 are here, 4 of 8 paid" in said(done) and "Not paid 4" in said(done)
    (message,) = done.context["messages"]
    undone = maud.post(message.extra_tags, follow=True)
    assert "2 people have not paid: Farah and Zoë." in said(undone) and who_paid(made) == {"Ana Lucía", "Chidi"}
    rows = LogEntry.objects.filter(tournament=made, action__in=("paid", "undo-paid"))
    assert rows.count() == 6 and "€" not in str([(row.old, row.new, row.reason) for row in rows])


def test_one_tap_at_the_door_notes_it_and_another_undoes_it(made):
    maud = browser_of(made, Role.Kind.CHECK_IN)
    for _twice in range(2):
        assert "Farah has paid." in said(maud.post(at(made, "Farah", "paid"), {"paid": "yes"}, follow=True))
    assert "Farah" in who_paid(made)
    maud.post(at(made, "Farah", "paid"), {"paid": "no"})
    assert "Farah" not in who_paid(made)


def test_the_organiser_sees_payments_on_the_list_before_and_after_the_start(made, client):
    client.force_login(made.owner)
    form = {"do": "unpaid", "who": ids(made, "Chidi")}
    assert "Chidi has not paid." in said(client.post(at(made, what="players/ticked/"), form, follow=True))
    start(tournament=made, by=made.owner)
    page = client.get(at(made, what="players/"))
    assert "1 of 8 paid" in said(page)
    people = page.context["people"]
    assert [action.value for action in people.bulk.actions] == ["paid", "unpaid"]
    assert people.columns[-1] == "Fee" and people.rows[0].cells[-1] == "Paid" and people.rows[2].cells[-1] == "Not paid"


def test_the_sheet_of_a_player_has_a_button_that_acts_at_once(made, client):
    client.force_login(made.owner)
    sheet = f"/t/{made.slug}/people/{cast.entry(made, 'Farah').public_id}/"
    page = said(client.get(sheet))
    assert "Not paid" in page
    done = client.post(f"{sheet}?do=paid", {"do": "paid", "paid": "yes"}, follow=True)
    assert "Farah has paid." in said(done) and "Farah" in who_paid(made)
    (message,) = done.context["messages"]
    assert "Farah has not paid." in said(client.post(message.extra_tags, follow=True))


@pytest.mark.parametrize("role", [None, Role.Kind.SCORER, Role.Kind.PLAYER, Role.Kind.SPECTATOR])
def test_no_one_else_learns_who_has_paid(made, role):
    browser = browser_of(made, role) if role else Client()
    for path in ("players/", "", "standings/", "players.csv", "players.csv?all=1"):
        text = browser.get(at(made, what=path)).content.decode().lower()
        assert "paid" not in text and "checked_in" not in text, path
    assert browser.post(at(made, "Farah", "paid"), {"paid": "yes"}).status_code == 404
    answer = browser.get(f"/api/v1/tournaments/{made.slug}/")
    assert answer.status_code == 200 and "paid" not in answer.content.decode()


def test_the_file_of_players_says_who_is_here_and_who_paid_only_to_those_at_the_door(made):
    maud = browser_of(made, Role.Kind.CHECK_IN)
    maud.post(at(made, "Farah", "here"))
    lines = maud.get(at(made, what="players.csv")).getvalue().decode().splitlines()
    assert lines[0] == "name,club,email,birthday,team,checked_in,paid"
    assert lines[1] == "Ana Lucía,Café Ludo,,,,false,true"
    assert lines[6].startswith("Farah,") and lines[6].endswith(",true,false")
    Tournament.objects.filter(pk=made.pk).update(fee="")
    assert maud.get(at(made, what="players.csv")).getvalue().decode().splitlines()[1].endswith(",false,")


def test_a_program_checks_players_in_and_notes_payments_all_or_none(made):
    def ask(browser, **body):
        return browser.post(f"/api/v1/tournaments/{made.slug}/check-in/", body, content_type="application/json")

    maud, players = browser_of(made, Role.Kind.CHECK_IN), ids(made, "Farah", "Zoë")
    rows = {row["player"]: row for row in ask(maud, players=players, here=True, paid=True).json()}
    assert rows["Farah"]["here_since"] and rows["Farah"]["paid"] is True and rows["Benoît"]["paid"] is False
    for body in ({"players": players}, {"players": [*players, "never"], "paid": False}):
        assert ask(maud, **body).status_code == 422
    Tournament.objects.filter(pk=made.pk).update(fee="")
    refused = ask(maud, players=ids(made, "Chidi"), here=True, paid=True)
    assert refused.status_code == 409 and refused.json()["code"] == "no-fee"
    assert not cast.entry(made, "Chidi").checked_in_at and "Farah" in who_paid(made)


def test_without_a_fee_there_is_no_tick_anywhere(client):
    made = cast.tournament(name="Free")
    client.force_login(made.owner)
    for path in ("players/", "check-in/", f"people/{ids(made, 'Farah')[0]}/"):
        assert "paid" not in said(client.get(at(made, what=path))).lower(), path
    with pytest.raises(Conflict, match="has no fee"):
        mark_paid(tournament=made, ids=ids(made, "Farah"), paid=True, by=made.owner)
    saved = client.post(at(made, what="settings/"), {"form": "fee", "fee": "  5  € "}, follow=True)
    assert saved.status_code == 200 and cast.again(made).fee == "5 €"
    assert "0 of 8 paid" in said(client.get(at(made, what="players/")))
    refused = client.post(at(made, what="settings/"), {"form": "fee", "fee": "x" * 21})
    assert refused.status_code == 422 and cast.again(made).fee == "5 €"


def test_stand_ins_and_bots_owe_nothing(made):
    start(tournament=made, by=made.owner)
    Entry.objects.filter(player__name="Farah").update(status=Entry.Status.STANDIN)
    Entry.objects.filter(player__name="Zoë").update(bot="cautious")
    done = mark_paid(tournament=made, ids=ids(made, "Farah", "Zoë", "Benoît"), paid=True, by=made.owner)
    assert (done.changed, done.before) == (("Benoît",), ())
    page = check_in_page(tournament_for(made.owner, made.slug), ListFilters(), version=0)
    assert page.count.endswith("3 of 6 paid")
    assert {row.name for row in page.people.rows if not row.paid} == {"Farah", "Zoë"}


def test_a_fee_can_be_paid_after_the_final_standings(made):
    start(tournament=made, by=made.owner)
    cast.play(made)
    close_tournament(tournament=made, by=made.owner)
    maud = browser_of(made, Role.Kind.CHECK_IN)
    page = maud.get(at(made, what="check-in/"))
    assert [action.value for action in page.context["check_in"].people.bulk.actions] == ["paid", "unpaid"]
    maud.post(at(made, "Farah", "paid"))
    assert "Farah" in who_paid(made)


def test_a_player_who_gets_the_place_back_has_still_paid_and_a_copy_begins_without_payments(made):
    replace_no_show(entry=cast.entry(made, "Chidi"), by=made.owner, name="Walk In")
    assert who_paid(made) == {"Ana Lucía"}
    put_back(sign_up=SignUp.objects.get(name="Chidi"), by=made.owner)
    assert who_paid(made) == {"Ana Lucía", "Chidi"}
    copy = clone_tournament(tournament=made, by=made.owner)
    assert copy.fee == "5 €" and who_paid(copy) == set()


def test_the_attendance_of_the_club_says_who_came_without_paying(made):
    Tournament.objects.filter(pk=made.pk).update(starts_on=date.today())
    set_paid(entry=cast.entry(made, "Zoë"), paid=True, by=made.owner)
    start(tournament=made, by=made.owner)
    cast.record(cast.table(made, 1, 1), 1)
    access = club_for(made.owner, made.club.slug)
    came = attendance(access, None)
    page = attendance_page(access, came, [])
    lines = {line.name: line.cells[0] for group in page.groups for line in group.lines}
    there = {person.name for person in came.people if person.events}
    assert len(there) == 4 and lines["Ana Lucía"] == Cell(came=True)
    unpaid = there - {"Ana Lucía", "Chidi", "Zoë"}
    assert unpaid and all(lines[name] == Cell(came=True, word="not paid") for name in unpaid)
    stayed_away = {"Chidi", "Zoë"} - there
    assert all(lines[name] == Cell(came=False, word="paid") for name in stayed_away)
    assert page.columns[0].paid == f"3 of {len(there | {'Ana Lucía', 'Chidi', 'Zoë'})}"
    total = csv.text(("name", *event_columns(came)), attendance_rows(came)).splitlines()[-1]
    assert total == "total,4,3"
