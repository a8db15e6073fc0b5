"""A season of ten evenings over all formats, with corrections in the past, against a computation from its exports."""

from datetime import date, timedelta
from io import StringIO

import pytest
from django.core.management import call_command

from engine.paper import SeatReport
from games.hands.correct import correct_hand
from games.hands.judge import HandInput
from games.models import Hand
from games.service.bots_play import play
from league.access.viewer import Attribution
from league.clubs.merge import merge
from league.day.substitutes import substitute
from league.entries.roster.rows import RosterRow
from league.lib import csv
from league.lib.versioned_cache import VersionedCache
from league.models import Player, RatingPoint
from league.public.tables import EXPORTS, Wanted
from league.ratings.compute import recompute_ratings
from league.rounds.steps import end_early, reopen_tournament, start
from league.seasons.next_season import roll_over
from league.seasons.seasons import DivisionWanted, close_season, create_season, place_players, put_in_season
from league.seasons.table import season_table
from tests import cast
from tests.second import season_by_hand, standings_by_hand

pytestmark = pytest.mark.slow

RULES = {"place_points": [9, 7, 5, 4, 3, 2], "best_of": 5, "min_evenings": 3}
MOVES = [("Gold", 0, 1), ("Silver", 1, 0)]
GOLD, SILVER = cast.CAST[:4], cast.CAST[4:]
GUS = "Player 9"  # a member who is in no division
DAY = date(2026, 1, 10)
PAIRS = {"format": "pairs", "rounds": 1, "hands_per_round": 2}
POINTS = {"format": "points", "hands_per_round": 2, "rounds": 2}
RACE = {"format": "challenge", "table_size": 4, "target": 90}
# What is played, by whom, and for which division.
EVENINGS = [
    (PAIRS, cast.CAST, None),
    (RACE, [*cast.CAST, GUS], None),
    (POINTS | {"scoring": "lowest-total", "table_size": 5}, [*GOLD, GUS], "Gold"),
    ({"format": "teams", "rounds": 2, "hands_per_round": 1}, None, None),
    (PAIRS, SILVER, "Silver"),
    (POINTS, cast.CAST[2:], None),
    (RACE, GOLD, "Gold"),
    ({"format": "points", "target": 60, "rounds": 1}, [*cast.CAST[:7], GUS], None),
    (PAIRS, [*cast.CAST[1:], "Ana L."], None),
    (PAIRS, cast.CAST, None),
]


def held(season, number):
    """The evening of this number, played by bots and final."""
    settings, names, division = EVENINGS[number - 1]
    people = cast.team_rows(4) if names is None else [RosterRow(line, name) for line, name in enumerate(names, 1)]
    made = cast.tournament(
        people, club=season.club, name=f"Evening {number}", starts_on=DAY + timedelta(weeks=number), **settings
    )
    of = season.divisions.get(name=division) if division else None
    put_in_season(tournament=made, season=season, division=of, by=made.owner)
    if names is None:
        start(tournament=made, by=made.owner)
        substitute(tournament=made, entry=cast.entry(made, "Blue Foxes"), name="Ingrid", by=made.owner)
    play(made, seed=number, by=made.owner, tell=lambda line: None)
    return final(made)


def final(made):
    end_early(tournament=made, reason="It is late", by=made.owner)
    made.refresh_from_db()
    return made


def correct(tournament, rounds):
    """Correct the first hand of these rounds so that somebody else went out."""
    reopen_tournament(tournament=tournament, reason="A slip was read wrong", by=tournament.owner)
    for hand in Hand.objects.living().filter(table__round__tournament=tournament, number=1, table__number=1):
        if hand.table.round.number in rounds:
            seats = [seat["seat"] for seat in hand.seats]
            out = next(seat for seat in seats if seat != hand.went_out)
            reports = [SeatReport(seat, points_left=11 + 9 * seat) for seat in seats if seat != out]
            correct_hand(
                hand_id=hand.pk,
                version=None,
                hand=HandInput(hand.number, out, reports),
                reason="Score slip",
                by=Attribution(tournament.owner),
            )
    final(tournament)


def rows(tournament, table):
    wanted = Wanted()
    return standings_by_hand.read(csv.text(EXPORTS[table].columns(wanted), EXPORTS[table].rows(tournament, wanted)))


def exported(season, table):
    out = StringIO()
    call_command("export_season", season.club.slug, season.slug, table, stdout=out)
    return standings_by_hand.read(out.getvalue())


def told(season):
    """What the season's own export says, as `season_by_hand` does."""
    found = {"Gold": [], "Silver": [], None: []}
    for row in exported(season, "standings"):
        line = standings_by_hand.number(row["rank"]), row["player"], int(row["total"]), row["moves"] or None
        found[row["division"] or None].append(line)
    return found


def by_hand(season):
    evenings = []
    for tournament in season.tournaments.order_by("starts_on"):
        stage = tournament.stages.get()
        evenings.append(
            season_by_hand.Evening(
                stage.format,
                rows(tournament, "hands"),
                rows(tournament, "adjustments"),
                rows(tournament, "events"),
                division=tournament.division.name if tournament.division else None,
                target=stage.settings.get("target"),
                lowest=stage.scoring == "lowest-total",
                stand_ins=set(tournament.entries.filter(status="standin").values_list("public_id", flat=True)),
                entrants=list(tournament.entries.order_by("number").values_list("public_id", flat=True)),
            )
        )
    ids = {one.name: one.public_id for one in Player.objects.filter(merged_into=None, team=None)}
    divisions = {one.player.name: one.division.name for one in season.placed.select_related("player", "division")}
    return season_by_hand.table(evenings, divisions=divisions, moves=MOVES, slug=season.slug, ids=ids, **RULES)


def ratings(club):
    recompute_ratings(club=club)
    return list(
        RatingPoint.objects.filter(club=club).order_by("at", "table_id", "player_id").values_list("mu", "sigma")
    )


@pytest.mark.django_db(transaction=True)
def test_ten_evenings_over_all_formats_come_to_what_their_exports_say_also_after_corrections_in_the_past(
    django_assert_num_queries,
):
    club = cast.club(members=9)
    divisions = [DivisionWanted(*one) for one in MOVES]
    season = create_season(club=club, by=club.owner, name="League", divisions=divisions, **RULES)
    gold, silver = season.divisions.order_by("number")
    places = {cast.member(club, name): gold if name in GOLD else silver for name in cast.CAST}
    place_players(season=season, places=places, by=club.owner)
    to_come = cast.tournament(club=club, starts_on=DAY + timedelta(weeks=11))
    put_in_season(tournament=to_come, season=season, by=club.owner)
    for number in range(1, 10):
        held(season, number)
        season_table(season)  # so that what was kept of each evening is older than its corrections
    with django_assert_num_queries(3):
        season_table(season)
    put_in_season(tournament=to_come, season=None, by=club.owner)
    before = told(season)
    assert before == by_hand(season)
    correct(season.tournaments.get(name="Evening 2"), rounds=(1, 2))
    assert told(season) == by_hand(season) != before
    before = told(season)
    merge(target=cast.member(club, cast.CAST[0]), source=Player.objects.get(name="Ana L."), by=club.owner)
    assert told(season) == by_hand(season) != before
    held(season, 10)
    now = told(season)
    assert now == by_hand(season)
    assert [len(lines) for lines in now.values()] == [4, 4, 2]
    # Nothing of this was remembered wrongly: from scratch everything is the same.
    VersionedCache.forget_all()
    assert told(season) == now
    rated = ratings(club)
    RatingPoint.objects.all().delete()
    assert ratings(club) == rated
    # Its end, and twice the step to the next one.
    season = close_season(season=season, by=club.owner)
    assert told(season) == now
    done = roll_over(season=season, by=club.owner)
    again = roll_over(season=season, by=club.owner)
    assert (again.season, again.up, again.down) == (done.season, done.up, done.down)
    assert club.seasons.count() == 2
    went = {
        name: {"up": "Gold", "down": "Silver", None: division or "Silver"}[moves]
        for division, lines in now.items()
        for _rank, name, _total, moves in lines
    }
    placed = done.season.placed.select_related("player", "division")
    assert {one.player.name: one.division.name for one in placed} == went
