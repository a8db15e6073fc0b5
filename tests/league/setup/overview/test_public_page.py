"""What *Now* says on top to everyone but organisers, read from the value: no page is requested."""

from dataclasses import replace

import pytest

from league.entries.places import Now
from league.entries.sign_up import Line as SignUpLine
from league.models import Entry, Player, Round, Seat, SignUpPage, Stage, Table, Tournament
from league.rounds.steps import NextStep
from league.setup.overview.facts import NowFacts
from league.setup.overview.public_page import Head, head_of
from league.setup.overview.race_now import RaceNow

THIRD = Round(number=3, state=Round.State.RUNNING)
RACE = RaceNow(("Ana", "Benoît", "Chidi"), "", goes_on=True, is_head_to_head=False, next=4, some_unfinished=False)


def facts(format: str = "pairs", *, state: str = Tournament.State.RUNNING, off: str = "", **more: object) -> NowFacts:
    tournament = Tournament(slug="cup", name="Cup", state=state, is_called_off=bool(off), pause_reason=off)
    stage = Stage(tournament=tournament, format=format)
    begun = {"latest": THIRD, "round_title": "Round 3 of 7", "step": NextStep("close-3", THIRD)}
    return NowFacts(tournament=tournament, stage=stage, **(begun | more))  # type: ignore[arg-type]


def planned(format: str = "pairs", **more: object) -> NowFacts:
    more = {"latest": None, "round_title": "", "step": NextStep("draw")} | more
    return facts(format, state=Tournament.State.PLANNED, **more)  # type: ignore[arg-type]


def head(of: NowFacts, *, plays: bool = False, seat: Seat | None = None) -> Head:
    return head_of(of, plays=plays, online_seat=seat)


def links(head: Head) -> dict[str, str]:
    return {link.label: link.url for link in head.links}


def main(head: Head) -> list[str]:
    return [link.label for link in head.links if link.is_main]


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        (planned(), "Seats appear here when round 1 is published."),
        (
            planned(player_count=1),
            "On the list: 1. Seats appear here when round 1 is published.",
        ),
        (
            planned("teams", player_count=3),
            "On the list: 3. Seats appear here when round 1 is published.",
        ),
    ],
)
def test_before_round_1_it_says_how_many_are_on_the_list(facts: NowFacts, text: str) -> None:
    shown = head(facts)
    assert (shown.title, shown.text) == ("Not started yet", text)
    assert links(shown) == {"See the players": "/t/cup/players/"} and main(shown) == ["See the players"]


def test_an_open_sign_up_comes_before_the_list_of_players() -> None:
    free = SignUpLine(SignUpPage(capacity=8), Now.OPEN, free=3, waiting=0)
    assert main(head(planned(sign_up=free))) == ["Sign up: 3 places left"]
    full = replace(free, free=0, waiting=2)
    assert main(head(planned(sign_up=full))) == ["Join the waiting list: Full, 2 waiting"]
    assert list(links(head(planned(sign_up=replace(free, state=Now.CLOSED))))) == ["See the players"]


def test_a_cancelled_event_gives_its_reason_and_keeps_its_seating() -> None:
    assert links(head(facts(off="Power cut"))) == {"Seating": "/t/cup/seating/"}
    for shown in (head(facts(off="Power cut")), head(planned(off="Power cut"))):
        assert (shown.title, shown.text) == ("Cancelled", "Power cut") and "Sign up" not in str(shown.links)


@pytest.mark.parametrize(
    ("facts", "title", "text"),
    [
        (facts(), "Round 3 of 7", "Find your name to see your table."),
        (facts("swiss"), "Round 3 of 7", "Find your name to see your table."),
        (facts(step=NextStep("finish")), "All rounds are played", "Find your name"),
        (facts(state=Tournament.State.CLOSED), "The standings are final", "Find your name"),
        (facts("challenge", race=RACE), "Round 3 of 7", "3 are still in. Find your name"),
        (
            facts("challenge", race=replace(RACE, still_in=("Ana", "Benoît"), is_head_to_head=True)),
            "Round 3 of 7: head to head",
            "Ana and Benoît play until one of them is eliminated.",
        ),
        (
            facts("challenge", race=replace(RACE, still_in=("Ana",), winner="Ana", goes_on=False)),
            "Ana has won",
            "The standings are provisional until the organiser makes them final.",
        ),
    ],
)
def test_the_title_says_where_the_event_is(facts: NowFacts, title: str, text: str) -> None:
    shown = head(facts)
    assert shown.title == title and shown.text.startswith(text)


def test_players_are_led_to_their_table_and_others_to_the_search() -> None:
    assert main(head(facts())) == ["Find my table"]
    assert main(head(facts(), plays=True)) == ["My table"]
    assert links(head(facts(state=Tournament.State.CLOSED), plays=True)) == {"Final standings": "/t/cup/standings/"}


def test_players_at_an_online_table_are_led_to_it_and_teams_choose_first_who_they_are() -> None:
    seat = Seat(table=Table(pk=7, number=2), entry=Entry(public_id="ana", player=Player(name="Ana")))
    assert links(head(facts(), seat=seat)) == {
        "Play: table 2": "/tables/7/play/?as=ana",
        "My table": "/t/cup/me/",
    }
    assert links(head(facts("teams"), seat=seat))["Play: table 2"] == "/t/cup/me/?player=ana"
