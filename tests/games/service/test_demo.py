"""The demo data: labelled, complete, and gone without a trace when removed."""

import stat
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import Client

from games.models import Deal, Dispute, Hand, Move
from games.service.demo import DEMO_EMAIL, MARK, PASSWORD_FILE, Demo, ensure_demo, first_demo, remove_demo
from league.day.entrants import drop_out
from league.day.substitutes import substitute
from league.ledger.race import read_race
from league.models import (
    Club,
    EntryEvent,
    HandScore,
    Player,
    RatingPoint,
    Round,
    Season,
    Team,
    TeamMember,
    Tournament,
    User,
)
from league.ratings.results import version_of
from league.seasons.table import season_table
from league.setup.create import clone_tournament
from tests import cast
from tests.games.online_table import everybody_ready, play_out, put_online

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture(scope="module")
def made(module_world: None) -> Iterator[tuple[Demo, str]]:
    """The demo, and what its file says."""
    demo = ensure_demo()
    assert demo is not None
    yield demo, demo.password_file.read_text()
    demo.password_file.unlink(missing_ok=True)


@pytest.fixture
def demo(made: tuple[Demo, str]) -> Demo:
    demo, password = made
    if not demo.password_file.exists():  # another test removed the demo, and only the database takes that back
        demo.password_file.touch(mode=0o600)
        demo.password_file.write_text(password)
    return demo


def test_two_finished_ones_two_in_round_4_and_three_to_come_add_up_in_a_season(demo: Demo) -> None:
    points, finished, challenge, running, upcoming, teams, heats = Tournament.objects.order_by("starts_on", "id")
    assert points.is_final and points.stages.get().format == "points"
    assert finished.is_final and finished.rounds.filter(state=Round.State.CLOSED).count() == 7
    assert running.rounds.get(state=Round.State.RUNNING).number == 4
    assert challenge.stages.get().format == "challenge" and challenge.rounds.get(state=Round.State.RUNNING).number == 4
    assert len(read_race(challenge, challenge.stages.get()).state.still_in) == 7
    assert upcoming.state == Tournament.State.PLANNED and upcoming.entries.count() == 13
    assert teams.stages.get().format == "teams" and Team.objects.count() == teams.entries.count() == 4
    assert heats.stages.get().format == "heats" and heats.entries.count() == 8
    assert Player.objects.count() == 13 + 4  # the same eight, by two
    assert all(one.is_demo for one in Tournament.objects.all())
    [table] = season_table(Season.objects.get()).divisions
    assert [line.rank for line in table.lines[:2]] == [1, 2] and len(table.lines) == 8
    assert ">Demo<" in Client().get("/").content.decode()
    assert ensure_demo() is None


def test_the_club_meets_on_the_weekday_of_its_evenings_and_its_members_are_rated(demo: Demo) -> None:
    club = Club.objects.get()
    days = {f"{one.starts_on:%A}" for one in Tournament.objects.all()}
    assert len(days) == 1 and club.about.startswith(f"Every {days.pop()} at ")
    client = Client()
    client.force_login(club.owner)
    page = client.get(f"/clubs/{club.slug}/ratings/").content.decode()
    assert "Ana Lucía Núñez" in page and "Zoë van der Berg" in page
    assert RatingPoint.objects.filter(club=club).values("player").distinct().count() == 8
    assert version_of(club) == club.ratings_version  # so the worker finds nothing to do


def test_the_password_opens_the_account_and_only_its_owner_can_read_it(demo: Demo) -> None:
    assert demo.password_file == settings.DATA_DIR / PASSWORD_FILE
    assert stat.S_IMODE(demo.password_file.stat().st_mode) == 0o600
    answer = Client().post("/accounts/login/", {"login": "Demo@Example.org", "password": demo.password})
    assert answer.status_code == 302


@pytest.mark.usefixtures("demo")
def test_the_button_asks_first_and_then_removes_all_of_it() -> None:
    client = Client()
    client.force_login(User.objects.get(email=DEMO_EMAIL))
    assert "Remove the demo tournaments?" in client.get("/demo/remove/").content.decode()
    assert Tournament.objects.count() == 7
    assert client.post("/demo/remove/").status_code == 302
    for model in (Tournament, Hand, HandScore, Player, Club, User):
        assert not model.objects.exists(), model
    assert not (settings.DATA_DIR / PASSWORD_FILE).exists()


@pytest.mark.usefixtures("demo")
def test_what_somebody_did_on_the_day_of_a_demo_goes_with_it() -> None:
    by = User.objects.get(email=DEMO_EMAIL)
    for name in ("Autumn Challenge", "Autumn Pairs"):
        demo = Tournament.objects.get(name=name)
        ana, zoe = (demo.entries.get(player__name__startswith=who) for who in ("Ana", "Zoë"))
        substitute(tournament=demo, entry=ana, name="Sven", by=by)
        drop_out(tournament=demo, entry=zoe, by=by)
        Dispute.objects.create(hand=Hand.objects.filter(table__round__tournament=demo).first(), player=ana, seats=[])
    remove_demo()
    for model in (Tournament, Player, EntryEvent, Dispute, Club, User):
        assert not model.objects.exists(), model


@pytest.mark.usefixtures("demo")
def test_hands_of_a_demo_that_were_played_online_go_with_it() -> None:
    table = cast.table(Tournament.objects.get(name="Autumn Pairs"), 4, 2)
    play_out(everybody_ready(put_online(table)))
    assert Deal.objects.filter(state=Deal.State.OVER).exists() and Deal.objects.filter(state="waiting").exists()
    remove_demo()
    assert not (Deal.objects.exists() or Move.objects.exists() or Tournament.objects.exists())


@pytest.mark.usefixtures("demo")
def test_what_was_made_with_the_demo_account_stays() -> None:
    mine = cast.play(cast.tournament(), rounds=1)
    copy = clone_tournament(
        tournament=Tournament.objects.get(name="Winter Warm-up"), by=User.objects.get(email=DEMO_EMAIL)
    )
    remove_demo()
    assert set(Tournament.objects.all()) == {mine, copy}
    assert copy.entries.count() == 13
    assert HandScore.objects.count() == 32


@pytest.mark.usefixtures("demo")
def test_who_plays_for_a_team_of_somebody_else_stays_with_it() -> None:
    copy = clone_tournament(tournament=Tournament.objects.get(name="Team Night"), by=cast.organiser())
    remove_demo()
    assert copy.entries.count() == 4 and TeamMember.objects.count() == 8


@pytest.fixture
def fresh_machine(demo: Demo) -> Iterator[None]:
    remove_demo()
    (settings.DATA_DIR / MARK).unlink(missing_ok=True)
    yield
    (settings.DATA_DIR / MARK).unlink(missing_ok=True)


@pytest.mark.usefixtures("fresh_machine")
def test_a_demo_that_was_removed_stays_removed() -> None:
    assert first_demo() is not None
    remove_demo()
    assert first_demo() is None


@pytest.mark.usefixtures("fresh_machine")
def test_where_somebody_has_begun_no_demo_is_made() -> None:
    cast.tournament()
    assert first_demo() is None
    assert Tournament.objects.count() == 1
