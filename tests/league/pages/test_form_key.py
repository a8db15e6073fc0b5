"""Forms that are sent twice, by a double tap, a reload or the back button, create once."""

import re
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import URLResolver, get_resolver
from django.utils import timezone

from league.entries.roster.rows import RosterRow
from league.entries.sign_up import set_sign_up, withdraw
from league.erasure.erase import erase_player, erase_sign_up
from league.erasure.sessions import delete_expired
from league.models import Club, Entry, FormAnswer, Player, SignUp
from league.rounds.draw import draw
from league.rounds.steps import start
from league.seasons.seasons import close_season, create_season, set_evenings
from tests import cast
from tests.games.pages import said
from tests.served import Served

pytestmark = pytest.mark.django_db

KEY = re.compile(r'name="form_key" value="([\w-]+)"')
IN_PARTS = {"people", "club_people", "invite_member"}  # these use `creating_once`


def built():
    club = cast.club(members=8)
    planned = cast.tournament(name="Planned", club=club, players=cast.people(4))
    drawn = cast.tournament(name="Drawn", club=club)
    draw(tournament=drawn, by=drawn.owner)
    running = cast.tournament(name="Running", club=club)
    start(tournament=running, by=running.owner)
    open_one = cast.tournament(name="Open", players=0)
    set_sign_up(tournament=open_one, by=open_one.owner, capacity=8)
    guests = cast.tournament(
        name="Guests",
        club=club,
        players=[*cast.people()[3:], RosterRow(9, "Gustav"), RosterRow(10, "Hans"), RosterRow(11, "Inge")],
    )
    start(tournament=guests, by=guests.owner)
    season = create_season(club=club, name="League 2026", by=club.owner)
    over = cast.go_on(cast.play(cast.tournament(name="Over", club=club, rounds=1)))
    set_evenings(season=season, evenings=[(over, None)], by=club.owner)
    ended = create_season(club=club, name="League 2025", by=club.owner)
    older = cast.go_on(cast.play(cast.tournament(name="Older", club=club, rounds=1)))
    set_evenings(season=ended, evenings=[(older, None)], by=club.owner)
    close_season(season=ended, by=club.owner)
    long = cast.challenge(players=12, target=5000)
    start(tournament=long, by=long.owner)
    cast.play_round(long.rounds.get())
    cast.go_on(long)
    return SimpleNamespace(
        club=club, planned=planned, drawn=drawn, running=running, open=open_one, guests=guests,
        season=season, ended=ended,
        over=over, long=long, olga=cast.organiser(),
    )  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def world_once(module_world):
    return built()


@pytest.fixture
def world(world_once):
    return SimpleNamespace(**{key: cast.again(row) for key, row in vars(world_once).items()})


@pytest.fixture
def olga(client):
    client.force_login(cast.organiser())
    return client


def of(tournament, rest=""):
    return f"/t/{tournament.slug}/{rest}"


def in_club(world, rest=""):
    return f"/clubs/{world.club.slug}/{rest}"


def person(tournament, name="Chidi"):
    return cast.entry(tournament, name).public_id


TOURNAMENT = {
    "name": "Autumn Pairs", "format": "pairs", "edition": "classic", "hands_per_round": "4", "rounds": "",
    "starts_on": "2026-11-24", "starts_at": "19:00", "time_zone": "Europe/Paris", "place": "Café Ludo",
    "visibility": "public", "order": "list", "players": "Ann\nBob\nCem\nDoro",
}  # fmt: skip
SEASON = {"name": "League 2027", "counts": "places", "min_evenings": "1", "best_of": "", "place_1": "10"}
LATER = (timezone.now() + timedelta(days=3)).strftime("%Y-%m-%dT20:15")

# {name of an address: (page with the form, where it posts to or "", what is typed, given the world)}
FORMS = {
    "new": lambda w: ("/new/", "", TOURNAMENT),
    "new_club": lambda w: ("/clubs/new/", "", {"name": "Club B", "time_zone": "UTC", "visibility": "public"}),
    "new_season": lambda w: (in_club(w, "seasons/new/"), "", SEASON),
    "next_season": lambda w: (in_club(w, f"seasons/{w.ended.slug}/next/"), "", {"name": "League 2028"}),
    "close_season": lambda w: (in_club(w, f"seasons/{w.season.slug}/close/"), "", {"move_on": "1"}),
    "members": lambda w: (in_club(w, "players/"), "", {"players": "Nora\nOtto"}),
    "take_in": lambda w: (in_club(w, "players/"), in_club(w, "players/take-in/"), {"who": "all"}),
    "merge_members": lambda w: (
        in_club(w, f"players/{w.ben}/merge/?with={w.gustav}"), in_club(w, f"players/{w.ben}/merge/"),
        {"with": w.gustav},
    ),
    "invite_member": lambda w: (
        in_club(w, f"players/{w.ben}/edit/"), in_club(w, f"players/{w.ben}/invite/"), {"days": "7"}
    ),
    "club_teams": lambda w: (in_club(w, "teams/"), "", {"players": "Foxes: Ana Lucía, Chidi"}),
    "club_people": lambda w: (in_club(w, "people/"), "", {"kind": "scorer", "days": "7"}),
    "players": lambda w: (of(w.planned, "players/"), "", {"players": "Nora\nOtto"}),
    "sign_up": lambda w: (of(w.open, "sign-up/"), "", {"name": "Nora", "email": "nora@example.org"}),
    "members_ticked": lambda w: (
        in_club(w, "players/"), in_club(w, "players/ticked/"), {"do": "remove", "who": [w.ben], "sure": "yes"}
    ),
    "players_ticked": lambda w: (
        of(w.drawn, "players/"), of(w.drawn, "players/ticked/"), {"do": "here", "who": [person(w.drawn)]}
    ),
    "check_in_ticked": lambda w: (
        of(w.drawn, "check-in/"), of(w.drawn, "check-in/ticked/"), {"do": "here", "who": [person(w.drawn)]}
    ),
    "replace": lambda w: (
        of(w.drawn, f"players/{person(w.drawn)}/replace/"), "", {"walk-in": "yes", "name": "Nora"}
    ),
    "add_stage": lambda w: (of(w.running, "stages/add/heats/"), "", {"takes": "6", "hands_per_round": "2"}),
    "people": lambda w: (of(w.running, "people/"), "", {"kind": "scorer", "days": "7"}),
    "scorers": lambda w: (of(w.running, "scorers/"), "", {"table": "all", "days": "7", "label": "Red phone"}),
    "codes": lambda w: (of(w.running, "codes/"), "", {"do": "all"}),
    "day_late": lambda w: (of(w.running, "day/late/"), "", {"name": "Nora"}),
    "announce": lambda w: (of(w.running, "announce/"), "", {"text": "Break until 20:45", "until": "minutes"}),
    "person": lambda w: (
        of(w.running, f"people/{person(w.running)}/?do=substitute&name=Nora"), "", {"do": "substitute", "name": "Nora"}
    ),
    "set_time": lambda w: (of(w.drawn), of(w.drawn, "set-time/"), {"round": "1", "at": LATER}),
    "again": lambda w: (of(w.over, "series/"), of(w.over, "again/"), {}),
    "jobs": lambda w: (of(w.running, "jobs/"), "", {}),
    "better_seating": lambda w: (of(w.long, "manage/"), of(w.long, "jobs/better-seating/"), {}),
    "tokens": lambda w: ("/accounts/tokens/", "", {"name": "Laptop", "scope": "read", "days": "7"}),
    "new_table": lambda w: ("/play/", "", {"name": "Nora", "edition": "classic", "what": "friends"}),
    "practice": lambda w: ("/", "/practice/", {}),
}  # fmt: skip
ELSEWHERE = {
    "leave",  # tests/league/leaving/test_leaving_pages.py
    "extra_hand",  # tests/games/hands/test_heats_people.py
    "season_evenings_ticked",  # tests/league/seasons/test_events_list.py
    "season_players_ticked",  # tests/league/seasons/test_placing.py
    "divisions_from_list",  # tests/league/seasons: a list sent twice places the same people
    "split_by_rating",  # the second time it finds everybody where they belong
    "mail_player_link",  # tests/league/by_link/test_player_links.py
}


def creating_addresses(resolver=None):
    """The names of all addresses whose view creates something once."""
    names = set()
    for entry in (resolver or get_resolver()).url_patterns:
        if isinstance(entry, URLResolver):
            names |= creating_addresses(entry)
        elif getattr(entry.callback, "creates_once", False):
            names.add(entry.name)
    return names


def key_on(page):
    found = KEY.findall(page.content.decode())
    assert found, said(page)
    return found[-1]


def rows():
    passing = {"session", "formanswer"}
    return {
        model.__name__: model.objects.count()
        for model in apps.get_models()
        if model._meta.model_name not in passing and not model._meta.proxy
    }


def send(client, page, to, data):
    """Send a form with the key of its page; an action of the day also through its preview."""
    shown, to = client.get(page), to or page
    if "do" in data and "name" in data:  # an action of the day: the form that creates is its preview
        shown = client.post(to, data)
    data = data | {"form_key": key_on(shown)}
    first = client.post(to, data)
    if moves := hasattr(first.context and first.context.get("moves"), "digest") and first.context["moves"]:
        data |= {"shown": moves.digest, "form_key": key_on(first)}
        if plan := first.context.get("plan"):
            data["plan"] = plan
        first = client.post(to, data)
    if first.context and (step := first.context.get("step")):  # of a sheet
        data |= {"shown": step.preview.shown, "form_key": key_on(first)}
        first = client.post(to, data)
    return to, data, first


def test_every_address_that_creates_something_is_in_the_table():
    assert creating_addresses() | IN_PARTS == set(FORMS) | ELSEWHERE


@pytest.mark.parametrize("name", FORMS)
def test_a_form_that_is_sent_twice_creates_once(olga, world, name):
    world.ben = cast.member(world.club, "Chidi").public_id
    world.gustav = Player.objects.get(name="Gustav").public_id
    before = rows()
    to, data, first = send(olga, *FORMS[name](world))
    assert first.status_code in (200, 302, 303), said(first)
    after = rows()
    assert after != before, said(first)
    second = olga.post(to, data)
    assert second.status_code == 302 and rows() == after
    if first.status_code != 200:
        assert second["Location"] == first["Location"]
    assert olga.get(second["Location"], follow=True).status_code == 200


def test_the_message_is_shown_again_but_not_twice_on_one_page(olga, world):
    to, data, first = send(olga, *FORMS["members"](world))
    olga.post(to, data)  # before any page has shown the message
    assert said(olga.get(first["Location"])).count("2 members added.") == 1
    olga.post(to, data)
    assert said(olga.get(first["Location"])).count("2 members added.") == 1


def test_a_form_that_was_changed_and_sent_again_is_another_one(olga, world):
    to, data, _first = send(olga, *FORMS["members"](world))
    olga.post(to, data | {"players": "Pia"})
    assert world.club.members.filter(name__in=("Nora", "Otto", "Pia")).count() == 3


def test_a_refused_form_keeps_its_key_and_creates_when_it_is_right(olga):
    page = olga.get("/clubs/new/")
    data = {"name": "", "time_zone": "UTC", "visibility": "public", "form_key": key_on(page)}
    refused = olga.post("/clubs/new/", data)
    assert refused.status_code == 422 and key_on(refused) == data["form_key"]
    assert not FormAnswer.objects.exists()
    for _twice in range(2):
        assert olga.post("/clubs/new/", data | {"name": "Club B"}).status_code == 302
    assert Club.objects.filter(name="Club B").count() == 1


def test_a_preview_keeps_its_key_too(olga, world):
    page = of(world.planned, "players/")
    data = {"players": "Ana Lucía\nNora", "form_key": key_on(olga.get(page))}
    preview = olga.post(page, data)
    assert preview.status_code == 200 and key_on(preview) == data["form_key"]


def test_two_tabs_have_different_keys(olga):
    keys = [key_on(olga.get("/clubs/new/")) for _tab in range(2)]
    for key in keys:
        olga.post("/clubs/new/", {"name": "Club B", "time_zone": "UTC", "visibility": "public", "form_key": key})
    assert keys[0] != keys[1] and Club.objects.filter(name="Club B").count() == 2


def test_a_key_counts_for_its_visitor_and_its_address_only(olga, world):
    data = {"name": "Club B", "time_zone": "UTC", "visibility": "public"}
    data["form_key"] = key_on(olga.get("/clubs/new/"))
    olga.post("/clubs/new/", data)
    sven = Client()
    sven.force_login(cast.someone_else())
    sven.post("/clubs/new/", data)
    assert Club.objects.filter(name="Club B").count() == 2

    typed = {"players": "Nora", "form_key": "one key"}
    olga.post(of(world.planned, "players/"), typed)
    olga.post(in_club(world, "players/"), typed)
    assert Entry.objects.filter(player__name="Nora").count() == 1
    assert world.club.members.filter(name="Nora").count() == 1


@pytest.mark.parametrize("key", [None, "", "x" * 65])
def test_a_form_without_a_key_is_taken_as_it_is(olga, key):
    data = {"name": "Club B", "time_zone": "UTC", "visibility": "public"} | ({} if key is None else {"form_key": key})
    for _twice in range(2):
        assert olga.post("/clubs/new/", data).status_code == 302
    assert Club.objects.filter(name="Club B").count() == 2


def test_another_file_under_the_same_name_is_another_form(olga, world):
    page = in_club(world, "players/")
    key = key_on(olga.get(page))
    for content in (b"Nora\n", b"Otto\n", b"Otto\n"):
        olga.post(page, {"players_file": SimpleUploadedFile("list.csv", content), "form_key": key})
    assert world.club.members.filter(name__in=("Nora", "Otto")).count() == 2


def test_a_stranger_who_signs_up_twice_has_the_place_in_the_browser_either_way(world):
    nora = Client()
    page = of(world.open, "sign-up/")
    data = {"name": "Nora", "form_key": key_on(nora.get(page))}
    cookies = nora.cookies.output()
    nora.post(page, data)
    assert SignUp.objects.filter(name="Nora").count() == 1
    lost = Client()  # the first answer never came, and with it no session
    lost.cookies.load(cookies.replace("Set-Cookie: ", ""))
    assert lost.post(page, data).status_code == 302
    assert SignUp.objects.filter(name="Nora").count() == 1
    assert "Nora" in said(lost.get(page)) and lost.session["signed_up"] == nora.session["signed_up"]


def test_an_error_uses_up_no_key(olga, world):
    page, data = in_club(world, f"players/{cast.member(world.club, 'Chidi').public_id}/merge/"), {"with": "nobody"}
    assert olga.post(page, data | {"form_key": "one key"}).status_code == 302
    assert not FormAnswer.objects.exists()


def test_keys_are_deleted_after_a_day(olga):
    data = {"name": "Club B", "time_zone": "UTC", "visibility": "public", "form_key": "one key"}
    olga.post("/clubs/new/", data)
    delete_expired(timezone.now())
    assert FormAnswer.objects.count() == 1
    delete_expired(timezone.now() + timedelta(hours=25))
    assert not FormAnswer.objects.exists()


@pytest.mark.parametrize("name", ["set_time", "day_late"])
def test_a_form_whose_action_was_undone_does_it_again(olga, world, name):
    page, to, data = FORMS[name](world)
    to, data, _first = send(olga, page, to, data)
    once = rows()
    [[*_message, tags]] = FormAnswer.objects.get().messages
    undo = re.search(r"/t/\S+", tags)[0]
    shown = olga.post(undo)
    if shown.status_code == 200:  # its preview
        olga.post(undo, {"shown": shown.context["moves"].digest})
    again = olga.post(to, data)
    if again.status_code == 409:  # the preview, since the log has grown
        olga.post(to, data | {"shown": again.context["moves"].digest, "form_key": key_on(again)})
    after = rows()
    assert (after["Deadline"], after["Entry"]) == (once["Deadline"] + (name == "set_time"), once["Entry"])


def test_a_cancelled_sign_up_is_sent_again(world, settings):
    settings.MAIL_GOES_OUT = True
    nora, page = Client(), of(world.open, "sign-up/")
    data = {"name": "Nora", "email": "nora@example.org"}
    data["form_key"] = key_on(nora.get(page))
    nora.post(page, data)
    nora.post(page, {"what": "cancel"})
    nora.post(page, data)
    assert [row.state for row in SignUp.objects.filter(name="Nora").order_by("pk")][-1] == SignUp.State.PLACED


def test_erasing_a_person_deletes_the_answers_that_name_them(olga, world):
    data = {"walk-in": "yes", "name": "Zoë Ä", "form_key": "one key"}
    olga.post(of(world.drawn, f"players/{person(world.drawn)}/replace/"), data)
    assert "Zoë Ä" in str(FormAnswer.objects.get().messages)
    erase_player(player=Player.objects.get(name="Zoë Ä"), by=world.olga)
    assert not FormAnswer.objects.exists()


def test_erasing_a_sign_up_deletes_the_answers_with_its_address_in_any_spelling(world, settings):
    settings.MAIL_GOES_OUT = True
    for number, spelling in enumerate(("zoe@example.org", "Zoe@Example.org")):  # the second browser learns nothing
        data = {"name": "Zoë Ä", "email": spelling, "form_key": f"key {number}"}
        Client().post(of(world.open, "sign-up/"), data)
    assert FormAnswer.objects.count() == 2 and "xample.org" in str(FormAnswer.objects.latest("at").session)
    signed = SignUp.objects.get(name="Zoë Ä")
    withdraw(sign_up=signed, by=world.olga)
    erase_sign_up(sign_up=SignUp.objects.get(pk=signed.pk), by=world.olga)
    assert not FormAnswer.objects.exists()


AT_ONCE = """
import re, threading
from django.db import connection
from django.test import Client
from league.models import Club, FormAnswer
owner = cast.organiser()
answers, ready = [], threading.Barrier(6)

def press(cookies, data):
    client = Client()
    client.cookies = cookies
    ready.wait()
    answers.append(client.post("/clubs/new/", data, headers={"Host": "localhost"})["Location"])
    connection.close()

client = Client()
client.force_login(owner)
page = client.get("/clubs/new/", headers={"Host": "localhost"}).content.decode()
key = re.search(r'name="form_key" value="([^"]+)"', page)[1]
data = {"name": "Club B", "time_zone": "UTC", "visibility": "public", "form_key": key}
threads = [threading.Thread(target=press, args=(client.cookies, data)) for _ in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(json.dumps({"clubs": Club.objects.count(), "keys": FormAnswer.objects.count(), "answers": answers}))
"""


@pytest.mark.slow
def test_of_six_presses_at_the_same_moment_one_creates(postgres_url, tmp_path):
    found = Served(tmp_path, postgres_url).prepare([AT_ONCE])
    assert (found["clubs"], found["keys"], len(found["answers"]), len(set(found["answers"]))) == (1, 1, 6, 1)
