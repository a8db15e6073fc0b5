"""How a season grows: what its page costs with more players, rounds and evenings, and with many hands beside it.

    .venv/bin/python -m benchmarks.growth [--seed N] [--smoke]

Evenings are written as rows (SQLite), and the season's page is asked for in this process, signed out: cold, with
nothing kept of any evening, after a correction in one of them, and warm. CPU of the process, the least of three. Then a
season of many hands, and the first season once more with the rows of that one copied around it. The last line is one
JSON object.
"""

import argparse
import json
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.pages import prepare

FIRST = datetime(2020, 1, 4, 19, tzinfo=UTC)
HANDS = 4  # a round
TIMES = 3


class Shape(NamedTuple):
    """Of a season: players of each evening, as many as the club has; rounds of each; evenings."""

    players: int = 24
    rounds: int = 6
    evenings: int = 10

    @property
    def hands(self) -> int:
        return self.players // 4 * self.rounds * HANDS * self.evenings


BASE = Shape()
GROWN = (
    *(Shape(players=players) for players in (8, 96)),
    *(Shape(rounds=rounds) for rounds in (2, 24)),
    *(Shape(evenings=evenings) for evenings in (3, 40)),
)
MANY = Shape(players=48, rounds=7, evenings=300)
COPIES = 9  # of the club with many hands: with it a million hands


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.growth", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--smoke", action="store_true", help="two small seasons: whether it runs")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wild-bench-") as folder:
        prepare(Path(folder), "", smoke=options.smoke)
        result = run(options.seed, smoke=options.smoke)
    tell(json.dumps({"benchmark": "growth", "seed": options.seed} | result))


def run(seed: int, *, smoke: bool) -> dict[str, Any]:
    base = Shape(8, 1, 2) if smoke else BASE
    seasons = [(shape, made(shape, seed)) for shape in (base, *((Shape(8, 2, 3),) if smoke else GROWN))]
    result: dict[str, Any] = {"seasons": [looked_at(shape, season) for shape, season in seasons]}
    many = Shape(8, 2, 4) if smoke else MANY
    large = made(many, seed)
    result["many"] = looked_at(many, large) | {"memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}
    result["hands_in_database"] = copy_around(large, 1 if smoke else COPIES)
    result["among_many"] = looked_at(*seasons[0])
    return result


def made(shape: Shape, seed: int) -> Any:
    """A season whose evenings are pairs and Challenge UNO in turn."""
    from benchmarks import clubs
    from league.models import Season
    from league.seasons.seasons import PLACE_POINTS

    name = "-".join(map(str, ("growth", *shape)))
    club = clubs.club(name, shape.players)
    season = Season.objects.create(club=club, slug="season", name="Season", place_points=list(PLACE_POINTS), best_of=8)
    dice, people = random.Random(f"{seed} {name}"), list(club.members.order_by("pk"))
    for number in range(shape.evenings):
        at = FIRST + timedelta(weeks=number)
        clubs.evening(club, people, shape.rounds, at, dice, challenge=number % 2 == 1)
    club.tournaments.update(season=season)
    return season


def looked_at(shape: Shape, season: Any) -> dict[str, Any]:
    """Queries and CPU of the season's page."""
    from league.lib.remembered import Remembered
    from league.log.write import note

    def correct() -> None:
        played = season.tournaments.order_by("starts_on").first()
        note(tournament=played, by=None, action="correct")

    found: dict[str, Any] = {**shape._asdict(), "hands": shape.hands}
    ask(season)  # templates and connection
    for name, before in (("cold", Remembered.forget_all), ("corrected", correct), ("warm", lambda: None)):
        found[name] = measured(season, before)
    tell(json.dumps(found))
    return found


def measured(season: Any, before: Callable[[], object]) -> dict[str, float]:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    spent = []
    for _time in range(TIMES):
        before()
        began = time.process_time()
        ask(season)
        spent.append(1000 * (time.process_time() - began))
    before()
    with CaptureQueriesContext(connection) as queries:
        ask(season)
    return {"queries": len(queries), "cpu_ms": round(min(spent), 1)}


def ask(season: Any) -> None:
    from django.test import Client

    answer = Client(SERVER_NAME="localhost").get(season.get_absolute_url())
    if answer.status_code != 200:
        raise RuntimeError(f"The season's page answered {answer.status_code}.")


def copy_around(season: Any, copies: int) -> int:
    """The evenings of a season so many times more, in no club; returns how many hands there are then."""
    from django.db import connection
    from django.db.models import Max

    from league.models import Entry, HandScore, Round, Stage, Table, Tournament

    models = (Tournament, Stage, Entry, Round, Table, HandScore)
    own = {
        Tournament: "season_id = %s",
        Stage: "tournament_id IN (SELECT id FROM league_tournament WHERE season_id = %s)",
        Entry: "tournament_id IN (SELECT id FROM league_tournament WHERE season_id = %s)",
        Round: "tournament_id IN (SELECT id FROM league_tournament WHERE season_id = %s)",
        Table: "round_id IN (SELECT r.id FROM league_round r JOIN league_tournament t ON t.id = r.tournament_id "
        "WHERE t.season_id = %s)",
        HandScore: "table_id IN (SELECT g.id FROM league_table g JOIN league_round r ON r.id = g.round_id "
        "JOIN league_tournament t ON t.id = r.tournament_id WHERE t.season_id = %s)",
    }
    last = {model: model.objects.aggregate(last=Max("pk"))["last"] for model in models}
    with connection.cursor() as cursor:
        for copy in range(1, copies + 1):
            for model in models:
                columns, values = [], []
                for field in model._meta.concrete_fields:
                    columns.append(f'"{field.column}"')
                    values.append(copied(field, copy, last))
                cursor.execute(
                    f"INSERT INTO {model._meta.db_table} ({', '.join(columns)}) "
                    f"SELECT {', '.join(values)} FROM {model._meta.db_table} WHERE {own[model]}",
                    [season.pk],
                )
        cursor.execute("ANALYZE")
    return HandScore.objects.order_by().values("table_id", "hand").distinct().count()


def copied(field: Any, copy: int, last: dict[Any, int]) -> str:
    """A column of a row's copy, in SQL."""
    if field.primary_key:
        return f"id + {copy * last[field.model]}"
    if field.name in ("club", "season", "division"):
        return "NULL"
    if field.is_relation and field.related_model in last:
        return f"{field.column} + {copy * last[field.related_model]}"
    if field.unique and not field.is_relation:
        return f"{field.column} || '-{copy}'"
    return f'"{field.column}"'


def tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
