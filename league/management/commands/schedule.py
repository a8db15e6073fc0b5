"""manage.py schedule: who sits where, for a table on paper or another program, without a tournament.

For individual pairs and teams it is the whole event; for a points race too, if everybody stays; for Challenge UNO the
first round, since the next ones depend on who is still in.
"""

import csv
import io
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.management.base import CommandError

from league.formats import FORMATS, NotPossible, challenge, pairs, points, teams
from league.formats.race import state_of
from league.formats.seating.meetings import repeats
from league.lib.command import SentenceCommand

CSV_HEADER = ("round", "table", "seat", "player", "partner")


@dataclass(frozen=True)
class Seating:
    """One round of players 0, 1, ...: tables by seat, and who has a bye."""

    tables: Sequence[Sequence[int]]
    byes: Sequence[int] = ()
    partners: bool = False


Schedule = Sequence[Seating]


class Command(SentenceCommand):
    uses_database = False
    help = (
        "Print the schedule of a format for players 1, 2, 3 and so on: who sits where in every round, or in the first "
        "round of a challenge."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--format", required=True, help=f"the format: {', '.join(FORMATS)}")
        parser.add_argument("--players", required=True, type=int, help="number of players; of teams: of teams")
        parser.add_argument(
            "--rounds", type=int, help="pairs, teams: number of rounds, without it all of them; points: 3 without it"
        )
        parser.add_argument(
            "--cycles", "--legs", type=int, help="pairs, teams: how often the whole design is played; once without it"
        )
        parser.add_argument(
            "--table-size",
            type=int,
            help=f"challenge, points: players at a table, up to 10; {challenge.DEFAULT_SIZE} without it",
        )
        parser.add_argument("--seed", help="challenge, points: what the draw comes from; the same seed draws the same")
        parser.add_argument("--csv", metavar="FILE", help="write CSV to this file, or to standard output for -")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["format"] not in FORMATS:
            raise CommandError(
                f"There is no format {options['format']}; the formats are {', '.join(FORMATS)}.", returncode=2
            )
        scheduled = {"challenge": _challenge, "points": _points, "teams": _teams}.get(options["format"], _pairs)
        try:
            schedule, told = scheduled(options)
        except NotPossible as error:
            raise CommandError(str(error), returncode=2) from None
        if options["csv"] is None:
            self.stdout.write(as_text(schedule))
        elif options["csv"] == "-":
            self.stdout.write(as_csv(schedule), ending="")
        else:
            _write(options["csv"], as_csv(schedule))
        # This is no error, so it has no colour of one.
        self.stderr.write(told, style_func=str)


def _pairs(options: dict[str, Any]) -> tuple[Schedule, str]:
    _refuse(options, "table_size", "seed", why="Individual pairs sit at tables of four and are not drawn by lot")
    cycles = 1 if options["cycles"] is None else options["cycles"]
    seatings = pairs.plan(options["players"], options["rounds"], cycles)
    told = report(pairs.properties(options["players"], seatings))
    return [Seating(seating.tables, seating.byes, partners=True) for seating in seatings], told


def _teams(options: dict[str, Any]) -> tuple[Schedule, str]:
    """A team's two seats become two rows with its number."""
    _refuse(options, "table_size", "seed", why="Teams sit at tables of four and are not drawn by lot")
    cycles = 1 if options["cycles"] is None else options["cycles"]
    seatings = teams.plan(options["players"], options["rounds"], cycles)
    counted = teams.properties(options["players"], seatings)
    counts = {"Times met": counted.met, "Deals first": counted.dealt_first, "Byes": counted.byes}
    told = f"{counted.teams} teams, {counted.rounds} round{'' if counted.rounds == 1 else 's'}"
    return [
        Seating([[team for team, _member in table] for table in seating.tables], seating.byes, partners=True)
        for seating in seatings
    ], "\n".join([told, *_in_lines(counts)])


def _challenge(options: dict[str, Any]) -> tuple[Schedule, str]:
    _refuse(options, "rounds", "cycles", why="Challenge UNO is drawn round by round, and this is the first")
    size = challenge.DEFAULT_SIZE if options["table_size"] is None else options["table_size"]
    settings = challenge.Settings(table_size=size)
    challenge.check_players(options["players"])
    state = state_of(target=settings.target, entrants=[str(player) for player in range(options["players"])])
    seated = challenge.next_round(settings, state, seed=options["seed"] or "")
    tables = [[int(entry) for entry in table] for table in seated]
    sizes = Counter(map(len, tables))
    told = ", ".join(f"{count} table{'' if count == 1 else 's'} of {size}" for size, count in sizes.items())
    return [Seating(tables)], f"{options['players']} players, 1 round: {told}"


def _points(options: dict[str, Any]) -> tuple[Schedule, str]:
    _refuse(options, "cycles", why="A points race has no cycles")
    size = points.DEFAULT_SIZE if options["table_size"] is None else options["table_size"]
    rounds = points.DEFAULT_ROUNDS if options["rounds"] is None else options["rounds"]
    settings = points.Settings(table_size=size, rounds=rounds)
    everybody = [str(player) for player in range(options["players"])]
    drawn: list[list[list[str]]] = []
    for _round in range(settings.rounds):
        drawn.append(points.next_round(everybody, settings.table_size, drawn, seed=options["seed"] or ""))
    again = repeats(drawn)
    told = f"{options['players']} players, {rounds} round{'' if rounds == 1 else 's'}: {again} repeated meetings"
    return [Seating([[int(player) for player in table] for table in tables]) for tables in drawn], told


def _refuse(options: dict[str, Any], *names: str, why: str) -> None:
    flags = [f"--{name.replace('_', '-')}" for name in names if options[name] is not None]
    if flags:
        raise CommandError(f"{why}: leave out {' and '.join(flags)}.", returncode=2)


def _write(path: str, text: str) -> None:
    try:
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        raise CommandError(f"The schedule cannot be written to {path}: {error.strerror}.", returncode=2) from None


def csv_rows(schedule: Schedule) -> Iterator[tuple[int | str, ...]]:
    """Rows under CSV_HEADER: rounds, tables and players from 1, seats from 0; a bye has the table `bye`, no seat."""
    for number, seating in enumerate(schedule, start=1):
        for table, players in enumerate(seating.tables, start=1):
            for seat, player in enumerate(players):
                partner = players[(seat + 2) % pairs.SEATS] + 1 if seating.partners else ""
                yield number, table, seat, player + 1, partner
        for player in seating.byes:
            yield number, "bye", "", player + 1, ""


def as_csv(schedule: Schedule) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(CSV_HEADER)
    writer.writerows(csv_rows(schedule))
    return text.getvalue()


def as_text(schedule: Schedule) -> str:
    seats = max(len(players) for seating in schedule for players in seating.tables)
    lines = ["Round  Table" + "".join(f"{f'Seat {seat}':>8}" for seat in range(seats))]
    for number, seating in enumerate(schedule, start=1):
        named = [(str(table), list(players)) for table, players in enumerate(seating.tables, start=1)]
        byes = [("bye", list(seating.byes))] if seating.byes else []
        for table, players in [*named, *byes]:
            lines.append(f"{number:5}  {table:>5}" + "".join(f"{player + 1:8}" for player in players))
    return "\n".join(lines)


def report(properties: pairs.Properties) -> str:
    """Report how even the schedule is, as fewest-most over all players or all pairs of players."""
    counts = {
        "Times partnered": properties.partnered,
        "Times opposed": properties.opposed,
        "Times in each seat": properties.in_each_seat,
        "Byes": properties.byes,
    }
    lines = [f"{properties.players} players, {properties.rounds} round{'' if properties.rounds == 1 else 's'}"]
    return "\n".join([*lines, *_in_lines(counts)])


def _in_lines(counts: Mapping[str, tuple[int, int]]) -> list[str]:
    return [f"{name + ':':20}{fewest}-{most}" for name, (fewest, most) in counts.items()]
