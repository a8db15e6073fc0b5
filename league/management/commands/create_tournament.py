"""manage.py create_tournament: create a tournament from a list of players; print only its slug."""

import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.core.validators import validate_email
from django.db import transaction
from django.utils import timezone

from league.entries.certain_list import read_certain
from league.entries.forms import lines_in_words
from league.entries.roster.files import FileError
from league.entries.roster.rows import RosterRow
from league.formats import FORMATS, USUAL, settings_by_option, settings_in
from league.formats.protocol import TEAMS
from league.lib.command import SentenceCommand
from league.management.setting_options import add_setting
from league.models import Club, Tournament, User
from league.setup.create import create_tournament
from league.setup.forms import DetailsForm
from league.setup.stages.stage_plan import PlannedStage

LOCAL_ORGANISER = "organiser@localhost.localdomain"


class Command(SentenceCommand):
    help = "Make a tournament from a list of players and print its slug."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--name", required=True)
        parser.add_argument("--format", default=USUAL, help=", ".join(FORMATS))
        parser.add_argument(
            "--players",
            required=True,
            metavar="FILE",
            help="names, one a line, or a table (CSV, xlsx, ods, xls); teams: “Team: A, B” a line, or a table with a "
            "column team; - reads stdin. What is not certain is left out and reported on stderr",
        )
        parser.add_argument("--strict", action="store_true", help="refuse a list of which anything is not certain")
        parser.add_argument("--edition", default="classic")
        for option, having in settings_by_option().items():
            add_setting(parser, option, having)
        parser.add_argument("--scoring", default="", help="of formats with a choice: " + _scorings())
        parser.add_argument("--groups", type=int, default=1, help="parallel groups in the first stage")
        parser.add_argument(
            "--then",
            action="append",
            default=[],
            type=_stage,
            metavar="FORMAT[:TAKES][+others][+finalsN][+half|+all]",
            help="a stage after that: how many go on to it, whether the others play its second ladder, which of their "
            "points count on; again for another one",
        )
        parser.add_argument(
            "--owner", default=LOCAL_ORGANISER, metavar="EMAIL", help="made if there is no such account"
        )
        parser.add_argument("--club", default="", metavar="SLUG", help="whose evening it is")
        parser.add_argument("--date", help="as 2026-11-21; today without it")
        parser.add_argument("--place", default="")
        parser.add_argument("--time-zone", default=settings.TIME_ZONE)
        parser.add_argument("--visibility", default="public", choices=Tournament.Visibility.values)
        parser.add_argument("--online", default="", metavar="TABLES", help="played online: all, or numbers: 1-3,5")
        parser.add_argument("--no-odds", action="store_true", help="show nobody how likely each is to win")
        parser.add_argument("--shuffle", action="store_true", help="draw the seats in a shuffled order")

    @transaction.atomic  # a refusal leaves no new account behind
    def handle(self, *args: Any, **options: Any) -> None:
        details = DetailsForm(
            {
                "name": options["name"],
                "place": options["place"],
                "starts_on": options["date"] or timezone.localdate().isoformat(),
                "time_zone": options["time_zone"],
                "visibility": options["visibility"],
            }
        )
        if not details.is_valid():
            field, errors = next(iter(details.errors.items()))
            raise CommandError(f"--{field.replace('starts_on', 'date').replace('_', '-')}: {errors[0]}", returncode=2)
        of_teams = FORMATS[options["format"]].enters == TEAMS
        players, notes = _players(options["players"], of_teams=of_teams, strict=options["strict"])
        settings = settings_in(options)
        first = PlannedStage(options["format"], groups=options["groups"], scoring=options["scoring"], settings=settings)
        tournament = create_tournament(
            Tournament(
                owner=_owner(options["owner"]),
                club=_club(options["club"]),
                online=options["online"],
                shows_odds=not options["no_odds"],
                **details.cleaned_data,
            ),
            [first, *options["then"]],
            players=players,
            edition=options["edition"],
            shuffled=options["shuffle"],
        )
        for sentence in notes:
            self.stderr.write(sentence)
        self.stdout.write(tournament.slug)


CARRIES = {"half": 50, "all": 100}


def _stage(text: str) -> PlannedStage:
    """Parse a stage such as “heats:6+others”."""
    what, *more = text.split("+")
    format, _colon, takes = what.partition(":")
    finals = [word.removeprefix("finals") for word in more if word.startswith("finals")]
    known = {"others", *CARRIES, *(f"finals{number}" for number in finals if number.isdecimal())}
    if set(more) - known or len(finals) > 1 or (takes and not takes.isdecimal()):
        raise ArgumentTypeError(f"takes a format and number of qualifiers, such as heats:6+others, not “{text[:40]}”")
    carries = sum(CARRIES.get(word, 0) for word in more)
    number = int(finals[0]) if finals else 1
    cut_size = int(takes) if takes else None
    return PlannedStage(format, cut_size, "others" in more, carries, groups=number, by_place=bool(finals))


def _scorings() -> str:
    return "; ".join(f"{key}: {' or '.join(plays.scorings)}" for key, plays in FORMATS.items() if plays.scorings[1:])


def _players(path: str, *, of_teams: bool, strict: bool) -> tuple[tuple[RosterRow, ...], Sequence[str]]:
    """Return the rows of a list, and notes on how it was read. `strict` refuses doubtful lists."""
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as exc:
        raise CommandError(f"The list of players {path} cannot be read: {exc.strerror}.", returncode=2) from None
    try:
        listed, notes, doubts = read_certain(data, of_teams=of_teams, strict=strict)
    except FileError as error:
        raise CommandError(str(error), returncode=2) from None
    if listed.errors:
        raise CommandError(" ".join(lines_in_words(listed.errors)), returncode=2)
    if doubts:
        raise CommandError(f"--strict refuses this list. {' '.join(doubts)}", returncode=2)
    return listed.rows, notes


def _club(slug: str) -> Club | None:
    if not slug:
        return None
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        raise CommandError(f"There is no club with the address {slug}.", returncode=2)
    return club


def _owner(email: str) -> User:
    """Return the account, created without a password if missing."""
    try:
        validate_email(email)
    except ValidationError:
        raise CommandError(f"“{email}” is no e-mail address.", returncode=2) from None
    user = User.objects.filter(email=email.lower()).first()
    return user or User.objects.create_user(email, name="Organiser" if email == LOCAL_ORGANISER else "")
