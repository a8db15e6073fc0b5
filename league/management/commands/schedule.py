"""manage.py schedule: print a seating without a tournament, for paper or another program.

Formats drawn ahead print the whole event. Formats drawn round by round print it too, as if all players stayed. Formats
whose hands decide the players print round 1 (heats with the path to the final).
"""

import csv
import io
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.core.management.base import CommandError

from league.formats import FORMATS, Chosen, Format, NotPossible, settings_by_option, settings_in
from league.formats.protocol import Draw, Seating
from league.formats.seating.meetings import repeats
from league.lib.command import SentenceCommand
from league.management.setting_options import add_setting

CSV_HEADER = ("round", "table", "seat", "player", "partner")


DECIDE_SEATS = ("rounds", "cycles", "table_size", "byes", "after_round_1")
"""The settings that affect the seating, by option."""


class Schedule(NamedTuple):
    """partners: seats 0 and 2 play against 1 and 3."""

    rounds: Sequence[Seating]
    partners: bool


class Command(SentenceCommand):
    uses_database = False
    help = (
        "Print the schedule of a format for players 1, 2, 3 and so on: who sits where in every round, or in the first "
        "round of a challenge or of heats."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--format", required=True, help=f"the format: {', '.join(FORMATS)}")
        parser.add_argument("--players", required=True, type=int, help="number of players; of teams: of teams")
        for option, having in settings_by_option().items():
            if option in DECIDE_SEATS:
                add_setting(parser, option, having)
        parser.add_argument(
            "--seed", help="what a round is drawn from, where it is by lot; the same seed draws the same"
        )
        parser.add_argument("--csv", metavar="FILE", help="write CSV to this file, or to standard output for -")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["format"] not in FORMATS:
            raise CommandError(
                f"There is no format {options['format']}; the formats are {', '.join(FORMATS)}.", returncode=2
            )
        plays, players = FORMATS[options["format"]], options["players"]
        chosen = settings_in(options)
        if refusals := plays.problems(chosen, players) or ({} if players else {"players": plays.wrong_number(players)}):
            raise CommandError(" ".join(map(str, refusals.values())), returncode=2)
        if plays.drawn_ahead and options["seed"] is not None:
            raise CommandError(f"{plays.name}: nothing is drawn by lot. Leave out --seed.", returncode=2)
        values = plays.complete(chosen)
        try:
            rounds = plays.schedule(players, values) if plays.drawn_ahead else _draw(plays, players, values, options)
        except NotPossible as error:
            raise CommandError(str(error), returncode=2) from None
        schedule, report = Schedule(rounds, plays.partners), _report(plays, players, values, rounds)
        if options["csv"] is None:
            self.stdout.write(as_text(schedule))
        elif options["csv"] == "-":
            self.stdout.write(as_csv(schedule), ending="")
        else:
            _write(options["csv"], as_csv(schedule))
        # Not an error, so without its colour.
        self.stderr.write(report, style_func=str)


def _draw(plays: Format, players: int, values: Chosen, options: dict[str, Any]) -> list[Seating]:
    """Return the rounds of a format drawn round by round, as if all players stayed."""
    all_players, drawn = [str(player) for player in range(players)], list[list[list[str]]]()
    byes, rounds = Counter[str](), list[Seating]()
    for _round in range(1 if plays.advances else plays.rounds(values, players) or 1):
        free = plays.sits_out(all_players, values) if not drawn else ()
        playing = [player for player in all_players if player not in free]
        tables = plays.draw(Draw(playing, drawn, options["seed"] or "", byes=byes), values)
        sits_out = set(all_players).difference(*tables)
        byes.update(sits_out)
        drawn.append(tables)
        places = map(plays.places, tables)
        seated = [[(int(player), member) for player, member in table] for table in places]
        rounds.append(Seating(seated, sorted(map(int, sits_out))))
    return rounds


def _report(plays: Format, players: int, values: Chosen, rounds: Sequence[Seating]) -> str:
    """Describe how even a schedule is, as fewest-most over all entries or all pairs; else how many meet again.

    For elimination formats, list the rounds from the first to the final.
    """
    if plays.advances:
        plan = plays.evening(players, values, "", plays.scorings[0]).plan
        return "\n".join(
            f"Round {number}: {sum(sizes)} players at {len(sizes)} table{'' if len(sizes) == 1 else 's'}. {after}"
            for number, (sizes, after) in enumerate(plan, start=1)
        )
    heading = f"{players} {plays.enters}, {len(rounds)} round{'' if len(rounds) == 1 else 's'}"
    if counts := plays.counts(players, rounds):
        even = plays.how_even(players, rounds)
        return "\n".join([heading, *_in_lines(counts), *([str(even)] if even else [])])
    if len(rounds) > 1:
        tables = [[[str(player) for player, at in table if not at] for table in seating.tables] for seating in rounds]
        return f"{heading}: {repeats(tables)} repeated meetings"
    sizes = Counter(map(len, rounds[0].tables))
    return f"{heading}: " + ", ".join(
        f"{count} table{'' if count == 1 else 's'} of {size}" for size, count in sizes.items()
    )


def _write(path: str, text: str) -> None:
    try:
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        raise CommandError(f"The schedule cannot be written to {path}: {error.strerror}.", returncode=2) from None


def csv_rows(schedule: Schedule) -> Iterator[tuple[int | str, ...]]:
    """Yield rows under CSV_HEADER: rounds, tables and players from 1, seats from 0; a bye has the table `bye`, no
    seat.
    """
    for number, seating in enumerate(schedule.rounds, start=1):
        for table, places in enumerate(seating.tables, start=1):
            for seat, (player, _member) in enumerate(places):
                partner = places[(seat + 2) % len(places)][0] + 1 if schedule.partners else ""
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
    seats = max(len(places) for seating in schedule.rounds for places in seating.tables)
    lines = ["Round  Table" + "".join(f"{f'Seat {seat}':>8}" for seat in range(seats))]
    for number, seating in enumerate(schedule.rounds, start=1):
        named = [
            (str(table), [player for player, _member in places]) for table, places in enumerate(seating.tables, start=1)
        ]
        byes = [("bye", list(seating.byes))] if seating.byes else []
        for table, players in [*named, *byes]:
            lines.append(f"{number:5}  {table:>5}" + "".join(f"{player + 1:8}" for player in players))
    return "\n".join(lines)


def _in_lines(counts: Mapping[str, tuple[int, int]]) -> list[str]:
    return [f"{name + ':':20}{fewest}-{most}" for name, (fewest, most) in counts.items()]
