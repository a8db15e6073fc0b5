"""What a season's page says, read from the value: no page is requested and nothing is played."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from django.contrib.auth.models import AnonymousUser

from league.access import ClubAccess
from league.access.rights import InClub
from league.models import Club, Division, Player, Season, Tournament
from league.seasons.page import SeasonPage, run_of, season_page
from league.seasons.table import DivisionTable, EveningResult, SeasonEvening, SeasonLine, SeasonTable

CLUB = Club(pk=1, slug="cafe-ludo", name="Café Ludo", time_zone="Europe/Paris")
ANA, BEN, CHI, DOR = (
    Player(pk=number, public_id=name.lower(), name=name, club=CLUB)
    for number, name in enumerate(("Ana", "Ben", "Chi", "Dor"), 1)
)
STRANGER = ClubAccess(CLUB, AnonymousUser(), frozenset({"stranger"}), frozenset())
ORGANISER = ClubAccess(CLUB, AnonymousUser(), frozenset({"organiser"}), frozenset(InClub))
HIGH, LOW = Division(pk=1, number=1, name="Division A"), Division(pk=2, number=2, name="Division B")
AT = datetime(2026, 6, 1, 18, 0, tzinfo=UTC)
MISSED = None


def season_of(**more: object) -> Season:
    rules: dict[str, object] = {"slug": "league", "name": "League", "place_points": [10, 6, 3, 1]}
    return Season(pk=1, club=CLUB, **(rules | more))  # type: ignore[misc]


def evening(number: int, state: str = Tournament.State.CLOSED, division: Division | None = None) -> SeasonEvening:
    day = date(2026, 1, 3) + timedelta(weeks=number)
    made = Tournament(pk=number, slug=f"e{number}", name=f"Evening at {number}", starts_on=day, state=state)
    is_final, is_running = state == Tournament.State.CLOSED, state == Tournament.State.RUNNING
    return SeasonEvening(made, number, day, is_final, is_running, division)


def line(player: Player, *gives: int | None, rank: int | None = 1, moves: str = "", struck: int = -1) -> SeasonLine:
    """gives: of each evening; struck: the index of the one that is not counted."""
    results = [
        MISSED if points is None else EveningResult(1, points, points, counts=at != struck, running=False)
        for at, points in enumerate(gives)
    ]
    counted = [result for result in results if result is not None and result.counts]
    total, played = sum(result.gives for result in counted), sum(points is not None for points in gives)
    return SeasonLine(rank, False, player, total, tuple(results), played, moves)


def table_of(
    *lines: SeasonLine, evenings: int | list[SeasonEvening] = 1, season: Season | None = None, **more: object
) -> SeasonTable:
    listed = [evening(number) for number in range(1, evenings + 1)] if isinstance(evenings, int) else evenings
    divisions = more.pop("divisions", (DivisionTable(None, lines),))
    return SeasonTable(season or season_of(), tuple(listed), divisions, **more)  # type: ignore[arg-type]


def in_two(high: tuple[SeasonLine, ...], low: tuple[SeasonLine, ...], **more: object) -> SeasonTable:
    return table_of(divisions=(DivisionTable(HIGH, high), DivisionTable(LOW, low)), **more)  # type: ignore[arg-type]


def page(table: SeasonTable, access: ClubAccess = STRANGER, **more: object) -> SeasonPage:
    return season_page(access, table, **more)  # type: ignore[arg-type]


def cells(shown: SeasonPage) -> list[list[str]]:
    """Each row: what stands in it, words for screen readers included."""
    return [
        [
            row.no_place or str(row.rank),
            row.name,
            *(f"{cell.gives} {cell.spoken}".strip() for cell in row.cells),
            row.total,
        ]
        for row in shown.rows
    ]


def test_a_row_says_what_counts_what_is_struck_out_and_where_the_player_was_absent() -> None:
    table = table_of(
        line(ANA, 10, 6, 10, None, struck=1),
        line(BEN, 6, 10, 6, None, rank=2, struck=2),
        line(CHI, None, 3, None, None, rank=None),
        evenings=[evening(1), evening(2), evening(3), evening(4, "planned")],
        season=season_of(best_of=2, min_evenings=2),
    )
    shown = page(table)
    assert cells(shown) == [
        ["1", "Ana", "10", "6 not counted", "10", "", "20"],
        ["2", "Ben", "6", "10", "6 not counted", "", "16"],
        ["unranked", "Chi", "absent", "3", "absent", "", "3"],
    ]
    assert (shown.strikes, shown.total_label, shown.width) == (True, "Total (best 2)", 8)
    assert [row.zone and row.zone.words for row in shown.rows] == [None, None, "Unranked: fewer than 2 tournaments"]
    assert shown.rule.startswith("The best 2 tournaments count; a place needs at least 2. Place points: 10, 6, 3, 1.")
    assert shown.where == "Café Ludo. 3 of 4 tournaments played"
    assert not page(table_of(line(ANA, 10))).strikes


def test_players_are_absent_from_no_evening_that_is_played_or_that_is_of_another_division() -> None:
    played = [evening(1), evening(2, division=HIGH), evening(3, "running"), evening(4)]
    table = in_two((), (line(ANA, 10, None, None, 10), line(BEN, None, None, None, 6, rank=2)), evenings=played)
    assert cells(page(table, division="2"))[1] == ["2", "Ben", "absent", "", "", "6", "6"]


def test_an_evening_that_goes_on_counts_so_far_and_one_may_add_nothing() -> None:
    shown = page(table_of(line(ANA, 10, 6), evenings=[evening(1), evening(2, "running")]))
    assert shown.running == "Includes unfinished tournament 2." and shown.nothing == ""
    assert [column.running for column in shown.columns] == [False, True]
    less = replace(evening(1), gives_nothing=True)
    assert page(table_of(line(ANA, 0), evenings=[less])).nothing.startswith("Tournament 1 adds no points")


def test_below_the_heading_stand_the_club_its_place_the_division_and_how_far_it_is() -> None:
    assert page(table_of(evenings=0)).where == "Café Ludo. No tournaments yet"
    assert page(table_of(line(ANA, 10))).where == "Café Ludo. 1 of 1 tournament played"
    elsewhere = season_of()
    elsewhere.club = Club(pk=1, slug="cafe-ludo", name="Café Ludo", place="Lyon")
    table = in_two((line(ANA, 10),), (line(BEN, 6),), season=elsewhere)
    assert page(table, division="2").where == "Café Ludo, Lyon. Division B, 1 of 1 tournament played"
    elsewhere.club.place = "Café Ludo"
    assert page(table).where == "Café Ludo. Division A, 1 of 1 tournament played"


def test_each_division_has_its_table_with_who_goes_up_and_down() -> None:
    first = (line(ANA, 10, None, None), line(BEN, 3, None, None, rank=2, moves="down"))
    second = (line(CHI, 6, 6, None, moves="up"), line(DOR, 1, 10, None, rank=2))
    table = in_two(first, second, evenings=[evening(1), evening(2, division=LOW), evening(3, "planned")])
    high, low = page(table), page(table, division="2")
    assert [(choice.value, choice.label, choice.is_chosen) for choice in low.divisions] == [
        ("1", "Division A", False),
        ("2", "Division B", True),
    ]
    assert ([row.name for row in high.rows], [row.name for row in low.rows]) == (["Ana", "Ben"], ["Chi", "Dor"])
    zones = [row.zone for row in (*high.rows, *low.rows)]
    assert [zone and (zone.words, zone.arrow and zone.arrow.css) for zone in zones] == [
        ("Division A", None),
        ("1 relegated to Division B", "dn"),
        ("1 promoted to Division A", "up"),
        ("Division B", None),
    ]
    assert high.verdicts == ["Ana leads Ben by 7 points. One is relegated."]
    of_dor = replace(STRANGER, me=DOR)
    assert page(table, of_dor).rows == [*low.rows[:1], replace(low.rows[1], mine=True)], "one's own first"
    assert page(table, of_dor, division="1").rows == high.rows
    assert page(table_of(line(ANA, 10))).divisions == []


def test_an_evening_of_another_division_changes_nothing_between_those_who_move() -> None:
    first = (line(ANA, 10, None), line(BEN, 6, None, rank=2, moves="down"))
    others = [evening(1, division=HIGH), evening(2, "planned", LOW)]
    assert page(in_two(first, (), evenings=others)).verdicts == []
    own = [evening(1, division=HIGH), evening(2, "planned", HIGH)]
    assert page(in_two(first, (), evenings=own)).verdicts == ["Ana leads Ben by 4 points. One is relegated."]


def test_a_row_says_how_many_ranks_were_gained_and_lost_since_the_evening_before() -> None:
    table = table_of(line(BEN, 6, 10), line(ANA, 10, 3, rank=2), evenings=2)
    moved = [row.moved for row in page(table).rows]
    assert [one and (one.arrow.css, one.spoken, one.places) for one in moved] == [("up", "up", 1), ("dn", "down", 1)]
    assert [row.moved for row in page(table_of(line(ANA, 10), line(BEN, 6, rank=2))).rows] == [None, None]


def test_a_name_leads_to_the_profile_that_the_viewer_may_see() -> None:
    table = table_of(line(ANA, 10), line(Player(pk=9, public_id="guest", name="Guy"), 6, rank=2))
    assert [row.url for row in page(table, ORGANISER).rows] == ["/clubs/cafe-ludo/players/ana/", ""]
    assert [row.url for row in page(table).rows] == ["", ""]


def test_the_race_is_drawn_of_whoever_is_asked_for_and_stands_there_as_figures() -> None:
    assert page(table_of(line(ANA, 10))).race is None
    table = table_of(line(ANA, 10, 6), line(BEN, 6, 10, rank=2), evenings=2)
    race = page(table, player="ben").race
    assert race is not None and (list(race.numbers), race.division) == ([1, 2], "")
    assert race.totals == [("Ana", (10, 16)), ("Ben", (6, 16))]
    assert race.text == "Thick line: Ben."
    assert [(one.value, one.label, one.is_chosen) for one in race.choices] == [
        ("ana", "Ana", False),
        ("ben", "Ben", True),
    ]
    thick = {asked: page(table, replace(STRANGER, me=BEN), player=asked).race for asked in ("", "ana", "zoe")}
    chosen = {asked: [one.label for one in shown.choices if one.is_chosen] for asked, shown in thick.items() if shown}
    assert chosen == {"": ["Ben"], "ana": ["Ana"], "zoe": ["Ben"]}, "one's own where nobody is asked for"
    alone = page(in_two((line(ANA, 10, 6),), (), evenings=2)).race
    assert alone is not None and alone.division == "1" and alone.text.endswith("Thick line: Ana.")


def test_a_season_without_evenings_says_what_to_do() -> None:
    organisers, strangers = page(table_of(evenings=0), ORGANISER).empty, page(table_of(evenings=0)).empty
    assert organisers is not None and strangers is not None
    assert organisers.title == strangers.title == "No tournaments yet"
    assert [(link.label, link.url, link.is_main) for link in organisers.links] == [
        ("New tournament", "/new/?club=cafe-ludo&season=league", True),
        ("Choose tournaments", "/clubs/cafe-ludo/seasons/league/evenings/", False),
    ]
    assert strangers.text == "Standings will appear after the first tournament."
    assert [link.url for link in strangers.links] == ["/clubs/cafe-ludo/"]
    assert page(table_of(line(ANA, 10))).empty is None


def test_an_empty_table_says_when_players_stand_in_it() -> None:
    no_players = page(table_of()).no_players
    assert no_players is not None and no_players.title == "No players yet" and not no_players.links
    assert no_players.text == "Players will appear after the first hand."
    in_division, of_strangers = page(in_two((), ()), ORGANISER).no_players, page(in_two((), ())).no_players
    assert in_division is not None and in_division.text == "Place players in this division first."
    assert [(link.label, link.url) for link in in_division.links] == [
        ("Place players", "/clubs/cafe-ludo/seasons/league/players/")
    ]
    assert of_strangers == replace(in_division, links=[])


def test_organisers_are_told_who_is_here_twice() -> None:
    twice = page(table_of(line(ANA, 10)), same_people=2).twice
    assert twice is not None and twice[0] == "2 possible duplicates."
    assert (twice[1].label, twice[1].url) == ("Duplicates", "/clubs/cafe-ludo/same-people/?season=league")
    assert page(table_of(line(ANA, 10))).twice is None


def test_the_page_says_whether_the_table_can_still_change() -> None:
    going = page(table_of(line(ANA, 10)))
    assert (going.mark.word, going.following) == ("Provisional", None)
    assert going.status == []
    season, after = season_of(closed_at=AT), season_of(slug="next", name="League 2027")
    ended = page(table_of(line(ANA, 10), season=season, decided=True))
    assert ended.mark.word == "Final" and len(ended.status) == 1
    assert ">1 Jun 2026, 20:00</time>." in ended.status[0]
    corrected = page(table_of(line(ANA, 10), season=season, decided=True, differs=True), after=after)
    assert corrected.status[1] == "Later corrections don’t count."
    assert corrected.following is not None and corrected.following.label == "Next season: League 2027"
    assert corrected.following.url == "/clubs/cafe-ludo/seasons/next/"


def buttons(table: SeasonTable, after: Season | None = None) -> tuple[str, list[tuple[str, bool]]]:
    run = run_of(table, after)
    return run.text, [(link.label, link.is_main) for link in run.links]


def test_an_organiser_ends_a_season_whose_evenings_are_over() -> None:
    assert buttons(table_of(evenings=0)) == ("", [])
    end, new = ("End the season", True), ("New tournament", False)
    assert buttons(table_of(evenings=2)) == (
        "All tournaments have ended. Create another one, or end the season.",
        [end, new],
    )
    to_come = [evening(1), evening(2, "planned")]
    assert buttons(table_of(evenings=to_come)) == ("1 tournament isn’t final yet.", [end, new])
    running = [evening(1), evening(2, "planned"), evening(3, "running")]
    assert buttons(table_of(evenings=running)) == ("2 tournaments aren’t final yet.", [new])
    assert page(table_of(evenings=2)).run is None, "a stranger runs nothing"


def test_an_organiser_finds_what_is_set_elsewhere_while_the_season_goes_on() -> None:
    places = [(link.label, link.url.split("/")[-2]) for link in run_of(in_two((), ()), None).pages]
    assert places == [
        ("Tournaments in this season", "evenings"),
        ("Divisions", "players"),
        ("Season settings", "settings"),
    ]
    assert len(run_of(table_of(), None).pages) == 2, "without divisions nobody is in one"


def test_after_its_end_the_next_season_is_made_or_this_one_opened_again() -> None:
    ended = season_of(closed_at=AT)
    make = [("Create the next season", True)]
    assert buttons(table_of(season=ended)) == (
        "The next season has the same rules.",
        make,
    )
    text, links = buttons(in_two((), (), season=ended))
    assert text.endswith("promotions and relegations are applied.") and links == make
    run = run_of(table_of(season=ended), None)
    assert (run.reopen_url, run.pages) == ("/clubs/cafe-ludo/seasons/league/reopen/", ())
    after = season_of(slug="next", name="League 2027")
    assert buttons(table_of(season=ended), after) == (
        "“League 2027” follows this season, so it can’t be reopened.",
        [("Go to the next season", False)],
    )
    assert run_of(table_of(season=ended), after).reopen_url == ""


def test_the_page_follows_what_is_played_in_its_division() -> None:
    played = [evening(1), evening(2, "running", HIGH), evening(3, "running", LOW), evening(4, "running")]
    table = in_two((line(ANA, 10, None, None, None),), (), evenings=played)
    assert [one.slug for one in page(table).follows] == ["e2", "e4"]
    assert [one.slug for one in page(table, division="2").follows] == ["e3", "e4"]
    over = table_of(line(ANA, 10, 10), evenings=[evening(1), evening(2)])
    assert [one.slug for one in page(over).follows] == ["e2"]
    many = table_of(line(ANA, *[MISSED] * 5), evenings=[evening(number, "running") for number in range(1, 6)])
    assert [one.slug for one in page(many).follows] == ["e3", "e4", "e5"]
    assert page(table_of(evenings=0)).follows == []


def test_few_evenings_are_listed_unfolded_with_their_day_and_division() -> None:
    six, seven = (page(table_of(line(ANA, *[10] * count), evenings=count)) for count in (6, 7))
    assert (six.unfolds_evenings, seven.unfolds_evenings) == (True, False)
    first, second = page(in_two((), (), evenings=[evening(1), evening(2, division=LOW)])).columns
    assert (first.label, first.name, first.url) == ("Tournament 1, 10 January 2026", "Evening at 1", "/t/e1/standings/")
    assert second.label == "Tournament 2, 17 January 2026, Division B"
