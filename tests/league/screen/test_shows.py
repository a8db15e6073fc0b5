"""The draw and the podium on the hall screens: what they reveal, in which order, and when they end."""

import pytest
from django.test import Client

from league.access.signed_links import screen_token
from league.lib.errors import Conflict
from league.models import LogEntry, Role, Round, Tournament
from league.rounds import clock
from league.rounds.draw import draw
from league.rounds.steps import reopen_tournament, start
from league.rounds.time_left import clock_of
from league.screen.presented import ALL, presented_on, showing_of
from league.screen.shows import end_show, start_show
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db


def drawn(players=8, **settings):
    made = cast.tournament(players, **settings)
    start(tournament=made, by=made.owner)
    return show(made, "draw")


def show(tournament, kind):
    start_show(tournament=tournament, kind=kind, by=tournament.owner)
    return cast.again(tournament)


def presented(tournament, only=""):
    return presented_on(cast.again(tournament), only)


def wall(tournament, query=""):
    return said(Client().get(f"/screen/{screen_token(tournament)}/{query}"))


def test_the_draw_fills_tables_seat_by_seat_in_twenty_seconds():
    draw_ = presented(drawn(9))
    [page] = draw_.pages
    names = [name for table in page.tables for name in table.names]
    assert [table.number for table in page.tables] == [1, 2] and page.css == "draw-ring"
    assert [name.step for name in names] == list(range(1, 9)) and list(page.to_come) == names
    assert [name.place for name in page.tables[0].names] == list("nesw")
    assert (draw_.title, draw_.pace * draw_.steps) == ("Draw of round 1", ALL)
    assert draw_.byes == "Bye: Ana Lucía"


@pytest.mark.parametrize(
    ("players", "settings", "css", "pages"),
    [
        (4, {}, "draw-ring", [1]),
        (24, {}, "draw-6", [6]),
        (43, {}, "draw-9", [9, 1]),
        (30, {"format": "challenge", "table_size": 10}, "draw-4", [3]),
    ],
)
def test_any_number_of_tables_has_room_and_takes_no_longer(players, settings, css, pages):
    draw_ = presented(drawn(players, **settings))
    assert {page.css for page in draw_.pages} == {css}
    assert [len(page.tables) for page in draw_.pages] == pages
    assert ALL / 2 <= draw_.pace * draw_.steps <= ALL
    assert not any(page.to_come for page in draw_.pages) or draw_.steps <= 16


def test_a_draw_that_is_not_published_is_never_shown():
    made = cast.tournament(visibility="private")
    draw(tournament=made, by=made.owner)
    with pytest.raises(Conflict, match="once a round is published"):
        start_show(tournament=made, kind="draw", by=made.owner)
    start(tournament=made, by=made.owner)
    assert "Draw of round 1" in wall(show(made, "draw"))  # its own screen shows it, as everything else
    assert Client().get(f"/t/{made.slug}/seating/").status_code == 404
    Round.objects.filter(tournament=made, number=1).update(state="draft")
    assert presented(made) is None and "Draw" not in wall(made)


def test_the_draw_ends_when_play_begins():
    made = drawn()
    clock.start_clock(tournament=made, minutes=20, shown=clock_of(made.rounds.get(number=1)).shown, by=made.owner)
    assert presented(made) is None
    made = drawn()
    assert presented(made, "seating") and not presented(made, "standings") and not presented(made, "timer")
    cast.record(cast.table(made, 1, 1), 1)
    assert presented(made) is None and "Still playing" in wall(made)
    with pytest.raises(Conflict):
        show(made, "draw")


def test_the_podium_shows_third_second_first_once_the_standings_are_final():
    made = cast.tournament(4, format="points", rounds=1, hands_per_round=6)
    start(tournament=made, by=made.owner)
    for hand, seat in enumerate([0, 1, 2, 1, 0, 0], 1):
        cast.record(cast.table(made, 1, 1), hand, seat)
    with pytest.raises(Conflict, match="once the standings are final"):
        show(made, "podium")
    cast.go_on(cast.go_on(made))
    podium = presented(show(made, "podium")).podium
    assert [(step.rank, step.step) for step in podium] == [(2, 2), (1, 3), (3, 1)]
    assert podium[1].result.endswith("points") and podium[1].decided == "Decided in round 1, hand 5"
    assert podium[1].names[0] in wall(made) and podium[1].decided in wall(made, "?only=standings")
    reopen_tournament(tournament=cast.again(made), reason="Counted wrong", by=made.owner)
    assert presented(made) is None


def test_a_director_starts_it_from_the_page_of_the_screen_and_returns():
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    director, screen = cast.someone_else(), cast.organiser("screen@example.org", "Sam")
    Role.objects.create(tournament=made, user=director, kind=Role.Kind.DIRECTOR)
    Role.objects.create(tournament=made, user=screen, kind=Role.Kind.SCREEN)
    client, at = Client(), f"/t/{made.slug}/screen/"
    client.force_login(screen)
    assert "Show the draw" not in said(client.get(at))
    client.force_login(director)
    assert "Show the draw of round 1" in said(client.get(at))
    page = said(client.post(f"{at}show/", {"show": "draw"}, follow=True))
    assert "Back to the pages" in page and "Show the draw again" in page and "On screen now" not in page
    assert "Draw of round 1" in wall(made)
    refused = client.post(f"{at}show/", {"show": "podium"}, follow=True)
    assert "The podium can be shown once the standings are final." in said(refused)
    for _press in range(2):
        client.post(f"{at}show/", {"show": "back"})
    assert "find your table" in wall(made)
    actions = LogEntry.objects.filter(tournament=made, action__startswith="screen-").order_by("number")
    assert [row.action for row in actions] == ["screen-draw", "screen-back"]


def test_without_a_round_and_before_the_end_there_is_nothing_to_start():
    showing = showing_of(cast.tournament())
    assert not showing.buttons and showing.sentence.startswith("The draw can be shown when a round is published")
    made = drawn()
    end_show(tournament=made, by=made.owner)
    assert presented(made) is None and not Tournament.objects.filter(pk=made.pk, screen_show__isnull=False).exists()
