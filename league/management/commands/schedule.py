"""manage.py schedule: the seating of a whole event, for a table on paper or another program, without a tournament."""

import csv
import io
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from typing import Any

from django.core.management.base import CommandError

from league.formats import pairs
from league.management.sentence import SentenceCommand

CSV_HEADER = ("round", "table", "seat", "player", "partner")


class Command(SentenceCommand):
    uses_database = False
    help = "Print the schedule of a format: who sits where in every round, for players 1, 2, 3 and so on."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--format", required=True, help="the format: pairs")
        parser.add_argument("--players", required=True, type=int, help="number of players")
        parser.add_argument("--rounds", type=int, help="number of rounds; without it the whole design")
        parser.add_argument("--csv", metavar="FILE", help="write CSV to this file, or to standard output for -")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["format"] != "pairs":
            raise CommandError(f"There is no format {options['format']}; the one format is pairs.", returncode=2)
        try:
            schedule = pairs.schedule(options["players"], options["rounds"])
        except pairs.NotPossible as error:
            raise CommandError(str(error), returncode=2) from None
        if options["csv"] is None:
            self.stdout.write(as_text(schedule))
        elif options["csv"] == "-":
            self.stdout.write(as_csv(schedule), ending="")
        else:
            _write(options["csv"], as_csv(schedule))
        # Not an error, so not in the colour of one.
        self.stderr.write(report(pairs.properties(options["players"], schedule)), style_func=str)


def _write(path: str, text: str) -> None:
    try:
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        raise CommandError(f"The schedule cannot be written to {path}: {error.strerror}.", returncode=2) from None


def csv_rows(schedule: Sequence[pairs.RoundSeating]) -> Iterator[tuple[int | str, ...]]:
    """Rows under CSV_HEADER: rounds, tables and players from 1, seats from 0; a bye has the table `bye`, no seat."""
    for number, seating in enumerate(schedule, start=1):
        for table, players in enumerate(seating.tables, start=1):
            for seat, player in enumerate(players):
                yield number, table, seat, player + 1, players[(seat + 2) % pairs.SEATS] + 1
        for player in seating.byes:
            yield number, "bye", "", player + 1, ""


def as_csv(schedule: Sequence[pairs.RoundSeating]) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(CSV_HEADER)
    writer.writerows(csv_rows(schedule))
    return text.getvalue()


def as_text(schedule: Sequence[pairs.RoundSeating]) -> str:
    lines = ["Round  Table  Seat 0  Seat 1  Seat 2  Seat 3"]
    for number, seating in enumerate(schedule, start=1):
        named = [(str(table), players) for table, players in enumerate(seating.tables, start=1)]
        byes = [("bye", seating.byes)] if seating.byes else []
        for table, players in [*named, *byes]:
            lines.append(f"{number:5}  {table:>5}" + "".join(f"{player + 1:8}" for player in players))
    return "\n".join(lines)


def report(properties: pairs.Properties) -> str:
    """What the schedule is worth, as fewest-most over all players or all pairs of players."""
    counts = {
        "Times partnered": properties.partnered,
        "Times opposed": properties.opposed,
        "Times in each seat": properties.in_each_seat,
        "Byes": properties.byes,
    }
    lines = [f"{properties.players} players, {properties.rounds} round{'' if properties.rounds == 1 else 's'}"]
    lines += [f"{name + ':':20}{fewest}-{most}" for name, (fewest, most) in counts.items()]
    return "\n".join(lines)
