"""What the first page says, read from the value: no page is requested."""

from datetime import UTC, date, datetime

from league.access.session_links import MyTable
from league.clubs.tournament_list import Line
from league.home.page import FirstTable, HomePage, first_table, home_page, on_now, search_of, shelves_of
from league.lib.search import MOST_FOUND
from league.models import Entry, Player, Round, Seat, Stage, Table, Tournament
from league.pages.links import Button, Link
from league.pages.my_table_row import my_table_row
from league.setup.overview.card import NextStepCard

CUP = Tournament(slug="cup", name="Cup", starts_on=date(2026, 11, 24), state=Tournament.State.RUNNING)


def line(name: str = "Cup", **more: object) -> Line:
    state = more.pop("state", Tournament.State.PLANNED)
    tournament = Tournament(slug="cup", name=name, **({"starts_on": date(2026, 11, 24), "state": state} | more))  # type: ignore[misc]
    return Line(tournament, "8 players")


def mine(
    tournament: Tournament = CUP, table: Table | None = None, *, has_seat: bool = True, teams: bool = False
) -> MyTable:
    entry = Entry(public_id="ana", player=Player(name="Ana"), tournament=tournament)
    stage = Stage(tournament=tournament, format="teams" if teams else "pairs")
    seat = Seat(table=table, round=Round(number=3, stage=stage, tournament=tournament)) if has_seat else None
    return MyTable(entry, seat)


def table(mode: str = Table.Mode.OFFLINE) -> Table:
    return Table(pk=7, number=2, mode=mode)


def home(**more: object) -> HomePage:
    nothing: dict[str, object] = dict.fromkeys(("playing", "mine", "listed", "casual", "clubs"), ())
    return home_page(**(nothing | {"is_account": True, "search": search_of("", ()), "on_now": None} | more))  # type: ignore[arg-type]


def links(first: FirstTable) -> dict[str, str]:
    return {link.label: link.url for link in first.links}


def test_a_row_says_where_a_player_sits_and_leads_there() -> None:
    at_table = my_table_row(mine(table=table()))
    assert (at_table.token, at_table.title, at_table.text) == ("2", "Cup: Ana", "Round 3, table 2")
    assert at_table.url == "/t/cup/me/?player=ana" and at_table.mark.word == "Running"
    bye = my_table_row(mine())
    assert bye.is_bye and (bye.token, bye.text) == ("–", "Round 3: bye")
    assert my_table_row(mine(has_seat=False)).text == "Tuesday 24 November 2026"


def test_a_row_of_an_online_table_leads_to_it_and_of_a_team_to_the_choice_who_plays() -> None:
    online = my_table_row(mine(table=table(Table.Mode.ONLINE)))
    assert (online.text, online.url) == ("Round 3, table 2, online", "/tables/7/play/?as=ana")
    assert online.mark.word == "Play"
    assert my_table_row(mine(table=table(Table.Mode.ONLINE), teams=True)).url == "/t/cup/me/?player=ana"


def test_a_cancelled_event_is_said_to_be_off_and_offers_no_play() -> None:
    off = Tournament(slug="cup", name="Cup", starts_on=CUP.starts_on, state=CUP.state, is_called_off=True)
    row = my_table_row(mine(off, table(Table.Mode.ONLINE)))
    assert (row.text, row.mark.word) == ("Cancelled", "Cancelled")
    assert links(first_table(mine(off, table(Table.Mode.ONLINE)))) == {"Open my table": "/t/cup/me/?player=ana"}


def test_my_table_on_top_leads_to_play_or_to_my_page() -> None:
    first = first_table(mine(table=table()))
    assert first.text == "Round 3, table 2. Cup, Ana" and list(links(first)) == ["Open my table"]
    assert links(first_table(mine(table=table(Table.Mode.ONLINE)))) == {
        "Play: table 2": "/tables/7/play/?as=ana#deal",
        "My hands and rank": "/t/cup/me/?player=ana",
    }


def test_a_casual_table_has_no_number_and_leads_to_its_lobby() -> None:
    casual = Tournament(slug="cup", name="x", kind=Tournament.Kind.CASUAL, starts_on=CUP.starts_on)
    waiting = first_table(mine(casual, has_seat=False))
    assert (waiting.token, waiting.text) == ("", "Your casual table: waiting for players. Ana")
    assert list(links(waiting)) == ["Open my table"]
    assert list(links(first_table(mine(casual, table(Table.Mode.ONLINE))))) == ["Play on"]
    assert my_table_row(mine(casual, table())).text == "Your casual table: game running"


def test_what_is_over_folds_by_month_and_the_demo_apart() -> None:
    over = [line("October", state="closed", starts_on=date(2026, 10, 3)), line("Made up", is_demo=True)]
    shelves = shelves_of([line("To come"), *over])
    assert [(shelf.title, shelf.is_open) for shelf in shelves] == [
        ("", False),
        ("October 2026", False),
        ("Demo", False),
    ]
    assert [(shelf.title, shelf.is_open) for shelf in shelves_of(over)] == [("October 2026", True), ("Demo", False)]
    assert [shelf.is_open for shelf in shelves_of([line(is_demo=True)])] == [True]


def test_a_line_says_the_state_of_an_event_or_who_sees_it() -> None:
    marks = {
        "Planned": line(),
        "On now": line(state="running"),
        "Finished": line(state="closed"),
        "Cancelled": line(state="running", is_called_off=True),
        "Private": line(visibility="private"),
    }
    shown = {word: event.mark.word for word, event in marks.items()}
    assert shown["Private"] == str(Tournament.Visibility.PRIVATE.label)
    assert {word: shown[word] for word in marks if word != "Private"} == {
        word: word for word in marks if word != "Private"
    }


def test_a_visitor_chooses_what_to_begin_with() -> None:
    visitor = home(is_account=False, listed=[line()])
    assert [(way.title, way.url) for way in visitor.ways] == [
        ("Run a tournament", "/new/"),
        ("Find my table", "#find"),
        ("Play a hand", "/play/"),
    ]
    assert [way.picture for way in home(is_account=False).ways] == ["run", "play"], "nothing is on: no table to find"
    assert not visitor.can_play and not visitor.runs_first
    assert home().ways == home(is_account=False, playing=[mine(table=table())]).ways == []


def test_accounts_without_events_begin_with_the_offer_to_run_one() -> None:
    assert home().runs_first and home().can_play
    own = home(mine=[line()])
    assert not own.runs_first and own.mine.title == "Your tournaments"
    assert not home(playing=[mine(table=table())]).runs_first


def test_the_event_that_is_on_leads_to_the_next_thing_to_do() -> None:
    enter = Link("Enter scores for table 2", "/tables/7/", is_main=True)
    busy = on_now(
        Tournament(slug="cup", name="Cup", place="Lyon"),
        NextStepCard("2 hands to go in round 4", ("Then close it.",), (enter, Link("Enter scores for table 3", "/x/"))),
    )
    assert (busy.where, busy.title, busy.text) == ("On now · Lyon", "Cup · 2 hands to go in round 4", "Then close it.")
    assert [(link.label, link.is_main) for link in busy.links] == [
        ("Enter scores for table 2", True),
        ("Open the tournament", False),
    ]
    complete = on_now(CUP, NextStepCard("Round 4 is complete", (), (Button("Close round 4", "/t/cup/advance/"),)))
    assert (complete.where, complete.text) == ("On now", "")
    assert [(link.label, link.url, link.is_main) for link in complete.links] == [
        ("Open the tournament", "/t/cup/", True)
    ]


def test_where_nothing_is_listed_the_page_says_so() -> None:
    assert home().listed.empty == "No tournaments yet. Create the first one."
    own = home(mine=[line()])
    assert (own.listed.title, own.listed.empty) == ("", "")
    assert (home(listed=[line()]).listed.title, home(listed=[line()]).listed.empty) == ("Tournaments", "")


def test_the_search_is_there_while_an_event_goes_on() -> None:
    assert home(listed=[line()]).finds and not home(listed=[line(state="closed")]).finds
    stranger = home(is_account=False, listed=[line()])
    assert "find your name above" in stranger.without_account
    assert "find your name" not in home(is_account=False).without_account and not home().without_account


def test_a_search_answers_with_names_or_what_else_to_do() -> None:
    tournament = Tournament(slug="cup", name="Cup", place="Café Ludo", state="running")
    ana = Entry(public_id="ana", player=Player(name="Ana"), tournament=tournament)
    [found] = search_of("an", [ana]).found
    assert (found.name, found.text, found.url) == ("Ana", "Cup, Café Ludo", "/t/cup/players/ana/")
    many = search_of("a", [ana] * (MOST_FOUND + 2))
    assert len(many.found) == MOST_FOUND and many.more.startswith(
        f"{MOST_FOUND + 2} names match; the first {MOST_FOUND}"
    )
    assert "No “zz”" in search_of("zz", []).no_match and not search_of("", []).no_match


def test_casual_tables_are_called_by_when_they_were_opened() -> None:
    opened = Tournament(slug="deal", created_at=datetime(2026, 11, 24, 19, 15, tzinfo=UTC), time_zone="Europe/Paris")
    [casual] = home(casual=[opened]).mine.casual
    assert casual.url == "/play/deal/" and ">24 Nov, 20:15</time>" in casual.opened
