"""The hall screen, over HTTP: who may see it, what it shows over an evening, and how its address ends."""

import re
from datetime import timedelta

import pytest
from django.core.cache import caches
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format

from league.access.signed_links import screen_of, screen_token
from league.entries.sign_up import set_sign_up
from league.models import LogEntry, Role, Round, SignUpPage, Tournament
from league.rounds import clock as clock_services
from league.rounds.draw import draw
from league.rounds.steps import advance, close_tournament, start
from league.rounds.time_left import clock_of
from league.screen.panels import panels_for
from league.setup.series.repeat import Plan, repeat
from league.standings import read as ledger
from league.standings.result_in_words import winners_in_words
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_bad_links_yet():
    caches["limits"].clear()


def address(tournament, query=""):
    return f"/screen/{screen_token(tournament)}/{query}"


def look(tournament, query="", **headers):
    return Client(headers=headers).get(address(tournament, query))


def text(tournament, query=""):
    return said(look(tournament, query, host="testserver"))


def panels(tournament, only=""):
    return [(panel.kind, len(panel.lines)) for page in panels_for(tournament, only)["pages"] for panel in page.panels]


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


# ---- its address


def test_whoever_has_the_address_sees_it_and_nobody_keeps_or_lists_it():
    private = cast.tournament(visibility="private")
    answer = look(private)
    assert answer.status_code == 200
    assert answer["X-Robots-Tag"] == "noindex"
    assert {"no-store", "private"} <= {part.strip() for part in answer["Cache-Control"].split(",")}
    assert answer["Referrer-Policy"] == "strict-origin"
    assert "default-src 'self'" in answer["Content-Security-Policy"]
    assert not answer.cookies
    page = answer.content.decode()
    assert "style=" not in page and "onclick" not in page and not re.search(r"<script(?! src=)", page)
    assert Client().get(f"/t/{private.slug}/").status_code == 404


@pytest.mark.usefixtures("one_minute")
@pytest.mark.parametrize("forge", [lambda token: token[:-3] + "abc", lambda token: "1-x", lambda token: "nothing"])
def test_a_forged_address_says_what_to_do_and_counts_as_a_bad_link(forge):
    made = cast.tournament(visibility="private")
    token = forge(screen_token(made))
    answer = Client().get(f"/screen/{token}/")
    assert answer.status_code == 404
    assert "This screen is off" in said(answer) and made.name not in said(answer)
    answers = [Client().get(f"/screen/{token}/").status_code for _ in range(11)]
    assert answers[-1] == 429
    assert look(made).status_code == 200  # the right one still opens


def test_an_address_of_one_tournament_does_not_open_another():
    one, other = cast.tournament(), cast.tournament()
    mac = screen_token(one).partition("-")[2]
    assert screen_of(f"{other.pk}-{mac}") is None


def test_the_organiser_ends_the_address_once_and_a_new_one_holds():
    made = cast.tournament()
    owner, old = signed_in(made.owner), screen_token(made)
    for _press in range(2):
        owner.post(f"/t/{made.slug}/screen/end/", {"token": old})
    made.refresh_from_db()
    assert made.screen_generation == 2
    assert LogEntry.objects.filter(tournament=made, action="end-screen").count() == 1
    assert Client().get(f"/screen/{old}/").status_code == 404
    assert look(made).status_code == 200
    assert screen_token(made) in owner.get(f"/t/{made.slug}/screen/").content.decode()


def test_only_gets_are_answered():
    made = cast.tournament()
    assert Client().post(address(made)).status_code == 405
    assert Client().head(address(made)).status_code == 200


def test_the_role_screen_finds_the_address_and_cannot_end_it():
    made = cast.tournament()
    Role.objects.create(tournament=made, user=cast.someone_else(), kind=Role.Kind.SCREEN)
    client = signed_in(cast.someone_else())
    assert f"/t/{made.slug}/screen/" in client.get(f"/t/{made.slug}/more/").content.decode()
    page = client.get(f"/t/{made.slug}/screen/").content.decode()
    assert screen_token(made) in page and "Turn this link off" not in page
    assert client.post(f"/t/{made.slug}/screen/end/", {"token": screen_token(made)}).status_code == 404
    assert Client().get(f"/t/{made.slug}/screen/").status_code == 404


def test_its_stream_is_for_its_own_tournament_and_ends_with_the_address():
    private, other = cast.tournament(visibility="private"), cast.tournament(visibility="private")
    stream, token = f"/t/{private.slug}/live/", screen_token(private)
    assert Client().get(stream).status_code == 404
    assert Client().get(f"{stream}?screen={token}").status_code == 204  # without uvicorn nothing streams
    assert Client().get(f"{stream}?screen={screen_token(other)}").status_code == 404
    assert f"{stream}?screen={token}" in look(private).content.decode()
    signed_in(private.owner).post(f"/t/{private.slug}/screen/end/", {"token": token})
    assert Client().get(f"{stream}?screen={token}").status_code == 404


# ---- what it shows


def test_before_the_start_it_shows_who_plays_who_is_here_and_how_to_sign_up():
    made = cast.tournament(starts_at=timezone.now().time().replace(hour=19, minute=30))
    assert "We begin at 19:30" in text(made)
    assert "Places left" not in text(made)
    SignUpPage.objects.create(tournament=made, capacity=12)
    made.entries.filter(player__name__in=("Farah", "Zoë")).update(checked_in_at=timezone.now())
    page = text(made)
    assert "Players: 2 of 8 are here" in page
    assert "Places left of 12 4" in page
    answer = look(made, host="testserver").content.decode()
    assert f"testserver/t/{made.slug}/sign-up" in answer and "Sign up with your phone" in answer
    SignUpPage.objects.filter(tournament=made).update(closed=True)
    assert "Places left" not in text(made)


def test_a_draft_is_not_shown():
    made = cast.tournament()
    draw(tournament=made, by=made.owner)
    assert "find your table" not in text(made)
    assert "Who plays" in text(made)


def test_a_round_shows_everybody_by_name_with_table_and_partner_and_who_sits_out():
    made = cast.tournament(9)
    start(tournament=made, by=made.owner)
    lines = [line for page in panels_for(made)["pages"] for panel in page.panels for line in panel.lines]
    assert [line["name"] for line in lines] == [
        "Ana Lucía", "Benoît", "Chidi", "Đorđe", "Émilie", "Farah", "Player 9", "Xiaoming", "Zoë",
    ]  # fmt: skip
    seats = {seat.entry.player.name: seat for seat in made.rounds.get(number=1).seats.select_related("table")}
    assert {line["name"]: line["table"] for line in lines} == {
        name: seat.table.number if seat.table else None for name, seat in seats.items()
    }
    assert "has a bye" in text(made)


def test_after_the_last_round_no_next_one_is_announced():
    made = cast.tournament(rounds=2)
    start(tournament=made, by=made.owner)
    cast.play_round(made.rounds.get(number=1))
    assert "The next round follows." in text(made)
    advance(tournament=made, token="close-1", by=made.owner)
    cast.play_round(made.rounds.get(number=2))
    assert "The next round follows." not in text(made) and "That was the last round." in text(made)


def test_the_clock_and_the_tables_still_playing_stand_beside_it():
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    clock = clock_of(made.rounds.get(number=1))
    clock_services.start_clock(tournament=made, minutes=20, shown=clock.shown, by=None)
    clock_services.extra_time(tournament=made, table_number=2, minutes=5, by=None)
    cast.record(cast.table(made, 1, 1), 1)
    page = text(made)
    assert "Round 1 ends in" in page
    assert "Still playing 2 of 2" in page
    assert "Table 1 hand 2 of 4" in page
    assert re.search(r"Table 2 hand 1 of 4, \+5 min", page)
    for hand in (2, 3, 4):
        cast.record(cast.table(made, 1, 1), hand)
    assert "Still playing 1 of 2" in text(made) and "Table 1 hand" not in text(made)


def test_of_eight_players_all_fits_on_one_page_and_nothing_takes_turns():
    made = cast.play(cast.tournament(), rounds=2)
    [page] = panels_for(made)["pages"]
    assert [panel.kind for panel in page.panels] == ["seats", "standings"]
    assert 'class="hall-pages"' not in look(made).content.decode()


def test_of_43_players_the_pages_are_even_and_each_says_what_is_on_it():
    made = cast.tournament(43)
    start(tournament=made, by=made.owner)
    cast.record(cast.table(made, 1, 1), 1)
    assert panels(made) == [(kind, length) for kind in ("seats", "standings") for length in (15, 15, 13)]
    caption = [panel.caption for page in panels_for(made)["pages"] for panel in page.panels]
    assert caption[3:] == ["1 to 15 of 43", "16 to 30 of 43", "31 to 43 of 43"]
    assert caption[0].startswith("A to ") and caption[2].endswith(" to Z")
    assert max(page.rows for page in panels_for(made)["pages"]) <= 8


def test_standings_come_after_the_first_hand_with_the_places_gained_since_the_round_before():
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    assert panels(made) == [("seats", 8)]
    cast.play(made, rounds=2)
    lines = next(
        panel for page in panels_for(made)["pages"] for panel in page.panels if panel.kind == "standings"
    ).lines
    was = {row.entrant.name: row.rank for row in _ranks(made, 1)}
    assert {line["name"]: line["moved"] for line in lines} == {
        row.entrant.name: was[row.entrant.name] - row.rank for row in _ranks(made, 2)
    }


def _ranks(made, as_of_round):
    return ledger.read(made).standings(as_of_round)


def test_between_two_rounds_it_shows_standings_and_what_comes_next():
    made = cast.play(cast.tournament(), rounds=1, close=False)
    Round.objects.filter(tournament=made, number=1).update(state=Round.State.CLOSED)
    assert panels(made) == [("standings", 8)]
    assert "Round 2 comes next" in text(made)
    made.deadlines.create(kind="publish-round", round=made.rounds.get(number=2), due_at=_in(hours=1))
    assert "Round 2 is published at" in text(made)


def _in(**time):
    return timezone.now() + timedelta(**time)


def test_at_the_end_it_shows_the_winner_and_the_final_standings():
    made = cast.play(cast.tournament(rounds=3))
    cast.go_on(made)
    made.refresh_from_db()
    assert panels(made) == [("podium", 3), ("standings", 8)]
    page = text(made)
    assert "The winner" in page and "Final standings" in page and "Thank you for playing" in page


@pytest.mark.parametrize(
    ("only", "kinds"), [("seating", ["seats"]), ("standings", ["standings"]), ("timer", []), ("cats", None)]
)
def test_a_second_screen_shows_one_thing_alone(only, kinds):
    made = cast.play(cast.tournament(), rounds=1)
    page = look(made, f"?only={only}").content.decode()
    assert ("find your table" in page) == (kinds is None or "seats" in kinds)
    assert ("Standings after" in page) == (kinds is None or "standings" in kinds)
    assert "Still playing" in page


def test_the_code_leads_to_the_tournament_but_not_to_a_private_one_nor_to_this_machine_alone():
    public, private = cast.tournament(), cast.tournament(visibility="private")
    assert 'class="qr"' in look(public, host="testserver").content.decode()
    assert 'class="qr"' not in look(private, host="testserver").content.decode()
    assert 'class="qr"' not in look(public, host="localhost:8000").content.decode()
    for made in (public, private):  # where somebody can sign up, it leads there
        set_sign_up(tournament=made, capacity=12, by=made.owner)
    assert 'class="qr"' in look(public, host="testserver").content.decode()
    assert 'class="qr"' not in look(private, host="testserver").content.decode()


def test_an_empty_list_and_a_round_without_hands_have_a_sentence():
    assert "No players yet." in text(cast.tournament(0))
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    assert "They appear here after the first hand." in text(made, "?only=standings")


def test_a_name_is_text_and_nothing_else():
    made = cast.tournament()
    person = cast.entry(made, "Zoë").player
    person.name = "<script>alert(1)</script>"
    person.save()
    start(tournament=made, by=made.owner)
    page = look(made).content.decode()
    assert "<script>alert" not in page and "&lt;script&gt;alert" in page


def test_the_seats_of_a_teams_event_name_the_team():
    made = cast.teams(2)
    start(tournament=made, by=made.owner)
    assert f"{cast.CAST[0]} {cast.TEAMS[0]}, with {cast.CAST[1]}" in text(made)


def test_at_the_end_it_says_who_won_as_the_public_page_does_and_when_the_next_event_is():
    made = cast.challenge(4, name="Cup")
    start(tournament=made, by=made.owner)
    cast.go_on(cast.play_challenge(made))
    close_tournament(tournament=made, by=made.owner)
    made.refresh_from_db()
    winners = winners_in_words(ledger.read(made).standings())
    assert "last player in" in winners
    page = text(made)
    assert winners in page and "Next tournament" not in page
    assert winners in said(Client().get(f"/t/{made.slug}/"))
    plan = Plan(made.starts_on.weekday(), made.starts_at, made.starts_on + timedelta(days=7), takes_sign_ups=False)
    made.series = repeat(tournament=made, plan=plan, by=made.owner)
    following = Tournament.objects.get(series=made.series, state="planned")
    day = date_format(following.starts_on, "l j F")
    assert f"Next tournament {following.name} {day}" in text(made)
    Tournament.objects.filter(pk=following.pk).update(visibility="private")
    assert "Next tournament" not in text(made)
