"""The organiser's sections of *Now* next to the next step, read from the values."""

from dataclasses import replace
from datetime import UTC, datetime

from league.entries.places import Now
from league.entries.sign_up import Line as SignUpLine
from league.models import Round, SignUpPage, Stage, Table, Tournament
from league.rounds.steps import NextStep
from league.rounds.time_left import RoundClock
from league.setup.overview.facts import NowFacts
from league.setup.overview.organisers_page import public_rows, round_actions, sign_up_box
from league.setup.overview.sections import ClockControl, clock_control, tables_section
from league.standings.table_lines import TableLine

AT = datetime(2026, 11, 24, 19, 15, tzinfo=UTC)
CUP = Tournament(slug="cup", name="Cup", time_zone="Europe/Paris", state=Tournament.State.RUNNING)
THIRD = Round(number=3, state=Round.State.RUNNING, published_at=AT, tournament=CUP)
FOURTH = Round(number=4, state=Round.State.DRAFT, tournament=CUP)
FACTS = NowFacts(
    tournament=CUP,
    stage=Stage(tournament=CUP, format="pairs"),
    step=NextStep("close-3", THIRD),
    latest=THIRD,
    scored=2,
    round_title="Round 3 of 7",
)


def table(number: int, state: str = Table.State.PLAYING, **more: object) -> Table:
    return Table(pk=number, number=number, round=THIRD, state=state, **more)  # type: ignore[misc]


def test_the_public_sees_the_latest_round_and_not_the_draft() -> None:
    seating, draft, standings, found = public_rows(replace(FACTS, step=NextStep("close-3", THIRD, FOURTH)))
    assert seating.title == "Seating, round 3" and seating.text.startswith("Published <time") and seating.mark
    assert (seating.mark.word, draft.title, draft.text) == ("Visible", "Seating, round 4", "Drawn, not published")
    assert draft.mark is not None and draft.mark.word == "Draft"
    assert (standings.title, standings.text) == ("Standings after round 2", "Provisional")
    assert found.text == "Listed on the home page" and found.url == "/t/cup/settings/"


def test_before_round_1_the_public_sees_no_seating() -> None:
    hidden = Tournament(slug="cup", name="Cup", visibility=Tournament.Visibility.PRIVATE)
    rows = public_rows(replace(FACTS, tournament=hidden, latest=None, scored=0, step=NextStep("draw")))
    assert [(row.title, row.text, row.mark and row.mark.word) for row in rows[:2]] == [
        ("Seating", "Nothing yet", "Draft"),
        ("Standings", "Provisional", "Empty"),
    ]
    assert rows[2].text == "Only people with a role"


def test_a_round_that_was_only_published_can_be_undone() -> None:
    published = Round(number=3, state=Round.State.PUBLISHED)
    closed = Round(number=3, state=Round.State.CLOSED)
    labels = [
        [action.label for action in round_actions(replace(FACTS, latest=of))] for of in (published, THIRD, closed)
    ]
    usual = ["Late entry", "Announce"]
    assert labels == [[*usual, "Undo publishing round 3"], usual, []]


def test_sign_up_says_how_many_places_are_taken_and_whether_it_is_open() -> None:
    line = SignUpLine(SignUpPage(capacity=8, opens_at=AT), Now.OPEN, free=7, waiting=0)
    assert sign_up_box(line, CUP, 1).taken == "Places taken: 1 of 8"
    assert sign_up_box(line, CUP, 7).taken == "Places taken: 7 of 8" and sign_up_box(line, CUP, 7).state == "Open"
    assert sign_up_box(replace(line, state=Now.CLOSED, waiting=2), CUP, 8).state == "Closed. 2 waiting"
    later = sign_up_box(replace(line, state=Now.NOT_YET), CUP, 0).state
    assert later.startswith("Opens <time") and ">24 Nov, 20:15</time>" in later


def test_organisers_see_unfinished_tables_first_and_the_way_to_a_dispute() -> None:
    lines = [
        TableLine(table(2, Table.State.DISPUTED), unfinished=True),
        TableLine(table(1, mode=Table.Mode.ONLINE), unfinished=True, online=True),
        TableLine(table(3)),
    ]
    facts = replace(FACTS, lines=lines)
    own, others = (tables_section(facts, organises=whose, corrects=whose) for whose in (True, False))
    assert own is not None and others is not None
    assert (own.title, own.text) == ("Tables", "Round 3 of 7")
    assert (others.title, others.text) == ("Tables of round 3", "")
    assert [row.url for row in own.rows] == ["/tables/2/disputes/", "/tables/1/play/", "/tables/3/"]
    assert others.rows[0].url == "/tables/2/"
    assert tables_section(replace(FACTS, lines=lines[2:]), organises=True, corrects=True).title == "Tables of round 3"  # type: ignore[union-attr]


def test_a_clock_that_runs_is_paused_and_one_that_stands_is_resumed() -> None:
    lines = [TableLine(table(2, extra_minutes=1)), TableLine(table(1, extra_minutes=5)), TableLine(table(3))]
    runs = clock_control_of(RoundClock(3, AT, ends_at=AT.replace(hour=20)), lines)
    assert runs.mark is not None and runs.turn is not None
    assert (runs.mark.word, runs.turn.value, runs.tables) == ("Running", "pause", [1, 2, 3])
    assert runs.extra == ["Table 2: +1 min", "Table 1: +5 min"]
    stands = clock_control_of(RoundClock(3, AT, standing=60), lines)
    assert stands.mark is not None and stands.turn is not None
    assert (stands.mark.word, stands.turn.value) == ("Paused", "resume")
    up = clock_control_of(RoundClock(3, AT, ends_at=AT), lines)
    assert up.mark is not None and up.mark.word == "Time is up" and up.turn is None
    assert clock_control(FACTS, 40) is None


def clock_control_of(clock: RoundClock, lines: list[TableLine]) -> ClockControl:
    control = clock_control(replace(FACTS, clock=clock, lines=lines), 40)
    assert control is not None
    return control
