"""Demo data: a club with a season of two finished, two running and two planned tournaments.

It is labelled as demo and removed in one step.
"""

import os
import secrets
from dataclasses import dataclass
from datetime import time, timedelta
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from games.models import Deal, Dispute, Hand, Move, Submission
from games.service.bots_play import fill_table, play
from league.clubs.members import add_members
from league.entries.roster.rows import RosterRow
from league.formats import FORMATS, Format
from league.formats.protocol import TEAMS
from league.formats.protocol import Demo as Evening
from league.models import (
    Adjustment,
    Club,
    EntryEvent,
    HandScore,
    LogEntry,
    Merge,
    Player,
    Seat,
    Server,
    Team,
    TeamMember,
    Tournament,
    User,
)
from league.ratings.compute import recompute_ratings
from league.rounds.steps import advance, close_tournament, next_step
from league.seasons.seasons import create_season, set_evenings
from league.setup.create import create_tournament
from league.setup.stages.stage_plan import PlannedStage

DEMO_EMAIL = "demo@example.org"
PASSWORD_FILE = "demo_password"
MARK = "demo_was_made"

EIGHT = (
    ("Ana Lucía Núñez", "Café Ludo"),
    ("Benoît Lefèvre", "Café Ludo"),
    ("Chidi O'Brien", "Smith, Sons & Co"),
    ("Đorđe Petrović", ""),
    ("Émilie Zoé", "Café Ludo"),
    ("Farah al-Sayed", "Smith, Sons & Co"),
    ("Wang Xiaoming", ""),
    ("Zoë van der Berg", "Café Ludo"),
)
FIVE_MORE = (
    ("Ingrid Åberg", ""),
    ("Mateus Araújo", "Café Ludo"),
    ("Oksana Шевченко", ""),
    ("Priya Raman", "Smith, Sons & Co"),
    ("Tomasz Żak", ""),
)
# English, like all demo data. The demo's tournaments are whole weeks from its day of creation.
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
TEAM_NAMES = ("Blue Foxes", "Red Owls", "Green Newts", "Yellow Bees")


@dataclass(frozen=True)
class Demo:
    email: str
    password: str
    password_file: Path


def rows_of(people: tuple[tuple[str, str], ...]) -> list[RosterRow]:
    return [RosterRow(line, name, club) for line, (name, club) in enumerate(people, 1)]


def _team_rows() -> list[RosterRow]:
    """Return the eight players in pairs, in order."""
    rows = rows_of(EIGHT)
    return [RosterRow(at + 1, team, members=tuple(rows[2 * at : 2 * at + 2])) for at, team in enumerate(TEAM_NAMES)]


def first_demo(*, with_demo: bool = True) -> Demo | None:
    """Create the demo data on the first start of this machine, if the database has no tournament.

    A mark in the data directory records that it was done or not wanted. So a removed demo stays removed, and an
    interrupted first start is repeated.
    """
    mark = settings.DATA_DIR / MARK
    if mark.exists():
        return None
    demo = ensure_demo() if with_demo and not Tournament.objects.exists() else None
    mark.touch()
    return demo


@transaction.atomic
def ensure_demo() -> Demo | None:
    """Create the demo data and its organiser; None if they exist."""
    if Tournament.objects.filter(is_demo=True).exists() or User.objects.filter(email=DEMO_EMAIL).exists():
        return None
    password = secrets.token_urlsafe(9)
    today = timezone.localdate()
    organiser = User.objects.create_user(DEMO_EMAIL, password, name="Demo organiser")
    Server.objects.get_or_create(pk=Server.ROW, defaults={"sign_up_open": True})  # try everything at once
    club = Club.objects.create(
        slug="cafe-ludo-demo",
        name="Café Ludo",
        place="Lyon",
        time_zone="Europe/Paris",
        about=f"Every {WEEKDAYS[today.weekday()]} at seven. Come early and help with the tables.",
        owner=organiser,
        is_demo=True,
    )
    add_members(club=club, players=rows_of(EIGHT), by=organiser)

    def make(plays: Format, demo: Evening) -> Tournament:
        players = _team_rows() if plays.enters == TEAMS else rows_of(EIGHT + FIVE_MORE if demo.more else EIGHT)
        made = create_tournament(
            Tournament(
                owner=organiser,
                club=club,
                name=demo.name,
                starts_on=today + timedelta(days=demo.days),
                starts_at=time(19),
                time_zone="Europe/Paris",
                place="Café Ludo, Lyon",
                is_demo=True,
            ),
            [PlannedStage(plays.key)],
            players=players,
        )
        return _play(made, demo, organiser)

    wanted = [(plays, demo) for plays in reversed(FORMATS.values()) for demo in plays.demos]
    evenings = [make(plays, demo) for plays, demo in sorted(wanted, key=lambda pair: pair[1].days)]
    season = create_season(club=club, by=organiser, name=f"Season {today.year}", best_of=5)
    set_evenings(season=season, evenings=[(evening, None) for evening in evenings], by=organiser)
    recompute_ratings(club=club)  # the worker would do it within seconds
    return Demo(DEMO_EMAIL, password, _write_password(password))


def _play(tournament: Tournament, demo: Evening, organiser: User) -> Tournament:
    """Play as far as the demo defines, always with the same result."""
    tournament.stages.update(lot_seed=demo.seed)
    if demo.rounds == 0:
        return tournament
    play(tournament, seed=demo.seed, rounds=demo.rounds, by=organiser, tell=_silent)
    advance(tournament=tournament, token=next_step(tournament).token, by=organiser)
    if demo.rounds is None:
        close_tournament(tournament=tournament, by=organiser)
        return tournament
    tables = tournament.rounds.get(number=demo.rounds + 1).tables.select_related("round__stage").order_by("number")
    for table, hands in zip(tables, demo.hands, strict=False):  # other tables have no hands
        fill_table(table, demo.seed, organiser, hands=hands)
    return tournament


def _silent(sentence: str) -> None:
    """Print nothing: `manage.py serve` reports the demo data."""


def _write_password(password: str) -> Path:
    """Write the password to a file that only the data's owner can read."""
    path = settings.DATA_DIR / PASSWORD_FILE
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(password + "\n")
    return path


@transaction.atomic
def remove_demo() -> int:
    """Delete the demo tournaments with everything that depends on them; return their number.

    Other content of the demo account stays, and so do its account and club while they are needed.
    """
    demo = Tournament.objects.filter(is_demo=True)
    number = demo.count()
    remove_with_players(demo)
    Club.objects.filter(is_demo=True, tournaments=None).delete()
    organiser = User.objects.filter(email=DEMO_EMAIL, tournaments=None, clubs=None).first()
    if organiser and not LogEntry.objects.filter(by=organiser).exists():
        organiser.delete()
        (settings.DATA_DIR / PASSWORD_FILE).unlink(missing_ok=True)
    if not User.objects.exists():
        Server.objects.all().delete()  # it is new again, and waits for its owner
    return number


@transaction.atomic
def remove_with_players(gone: QuerySet[Tournament]) -> None:
    """Delete made-up tournaments, everything that depends on them, and players who play nowhere else."""
    teams = list(Team.objects.filter(player__entries__tournament__in=gone).values_list("pk", flat=True).distinct())
    players = {
        *TeamMember.objects.filter(team__in=teams).values_list("player", flat=True),
        *Player.objects.filter(entries__tournament__in=gone).values_list("pk", flat=True),
        *Seat.objects.filter(round__tournament__in=gone).values_list("substitute", flat=True),
        *HandScore.objects.filter(entry__tournament__in=gone).values_list("played_by", flat=True),
    }
    Submission.objects.filter(table__round__tournament__in=gone).delete()
    Dispute.objects.filter(hand__table__round__tournament__in=gone).delete()
    Move.objects.filter(deal__table__round__tournament__in=gone).delete()
    Deal.objects.filter(table__round__tournament__in=gone).delete()
    hands = Hand.objects.filter(table__round__tournament__in=gone)
    hands.update(replaces=None)
    hands.delete()
    HandScore.objects.filter(table__round__tournament__in=gone).delete()
    Adjustment.objects.filter(entry__tournament__in=gone).delete()
    EntryEvent.objects.filter(entry__tournament__in=gone).delete()
    for tournament in gone:
        tournament.rounds.all().delete()
        tournament.delete()
    Team.objects.filter(pk__in=teams, player__entries=None).delete()
    # Delete made-up players only: not members of a club, account holders, or players in other history.
    made_up = Player.objects.filter(pk__in=players - {None}, entries=None, teams=None, user=None, merged_into=None)
    made_up = made_up.filter(Q(club=None) | Q(club__is_demo=True))
    for used in (
        Seat.objects.exclude(substitute=None).values("substitute"),
        HandScore.objects.exclude(played_by=None).values("played_by"),
        Merge.objects.values("kept"),
        Merge.objects.values("gone"),
        Player.objects.exclude(merged_into=None).values("merged_into"),
    ):
        made_up = made_up.exclude(pk__in=used)
    made_up.delete()
