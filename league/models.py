"""People, tournaments, seats and the ledger of scores.

Standings are a function of living scores and adjustments (league/standings.py); no total or rank is stored anywhere.
"""

import secrets
from collections.abc import Iterable
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from django.contrib.auth.base_user import BaseUserManager
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

# No vowels and no look-alikes: an id that is read aloud stays the same and spells nothing.
ID_ALPHABET = "23456789bcdfghjkmnpqrstvwxz"


def new_public_id() -> str:
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(8))


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **extra: Any) -> "User":
        user = self.model(email=email.strip().lower(), **extra)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **extra: Any) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **extra)

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email=(username or "").strip().lower())


class User(AbstractUser):
    """An account. Signs in by e-mail, which is kept in lower case."""

    username = None  # type: ignore[assignment]
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    email = models.EmailField(_("e-mail"), unique=True)
    name = models.CharField(_("name"), max_length=80, blank=True)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects = UserManager()  # type: ignore[misc, assignment]

    def __str__(self) -> str:
        return self.name or self.email


class Club(models.Model):
    """Who holds evenings. Members, roles and seasons hang on it."""

    slug = models.SlugField(unique=True, max_length=80)
    name = models.CharField(_("name"), max_length=80)
    owner = models.ForeignKey(User, on_delete=models.PROTECT, related_name="clubs")
    is_demo = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name


class Player(models.Model):
    """A person, lasting over tournaments.

    Of a birthday only day and month are kept (DEAL-2 needs no more), and they are never public.
    """

    name = models.CharField(_("name"), max_length=80)
    club_name = models.CharField(_("club"), max_length=80, blank=True)
    email = models.EmailField(_("e-mail"), blank=True)
    birth_month = models.PositiveSmallIntegerField(null=True, blank=True)
    birth_day = models.PositiveSmallIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name

    @property
    def birthday(self) -> tuple[int, int] | None:
        """(month, day), or None when unknown."""
        return (self.birth_month, self.birth_day) if self.birth_month and self.birth_day else None


class TournamentQuerySet(models.QuerySet["Tournament"]):
    def listed(self) -> "TournamentQuerySet":
        return self.filter(visibility=Tournament.Visibility.PUBLIC)


class Tournament(models.Model):
    class Visibility(models.TextChoices):
        PUBLIC = "public", _("Public")
        UNLISTED = "unlisted", _("Unlisted")
        PRIVATE = "private", _("Private")

    class State(models.TextChoices):
        PLANNED = "planned", _("Planned")
        RUNNING = "running", _("Running")
        CLOSED = "closed", _("Closed")

    slug = models.SlugField(unique=True, max_length=120)
    name = models.CharField(_("name"), max_length=100)
    owner = models.ForeignKey(User, on_delete=models.PROTECT, related_name="tournaments")
    club = models.ForeignKey(Club, on_delete=models.PROTECT, null=True, blank=True, related_name="tournaments")
    starts_on = models.DateField(_("date"))
    starts_at = models.TimeField(_("time"), null=True, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC")
    place = models.CharField(_("place"), max_length=100, blank=True)
    visibility = models.CharField(max_length=10, choices=Visibility.choices, default=Visibility.PUBLIC)
    state = models.CharField(max_length=10, choices=State.choices, default=State.PLANNED)
    closed_at = models.DateTimeField(null=True, blank=True)
    is_demo = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)

    objects = TournamentQuerySet.as_manager()

    class Meta:
        ordering = ("-starts_on", "-id")

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournament", args=[self.slug])

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    @property
    def is_final(self) -> bool:
        return self.state == self.State.CLOSED


class Stage(models.Model):
    """One format from first to last round. Its columns are data, frozen when its first round is published."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(default=1)
    format = models.CharField(max_length=20, default="pairs")
    edition = models.CharField(max_length=40, default="classic")
    scoring = models.CharField(max_length=20, default="winner-takes")
    hands_per_round = models.PositiveSmallIntegerField(default=4)
    rounds_wanted = models.PositiveSmallIntegerField(null=True, blank=True)  # empty: the whole design
    tie_breaks = models.JSONField(default=list)
    lot_seed = models.CharField(max_length=64, blank=True)
    # Empty: seats are drawn in the order of the list. Else the list is shuffled by this seed, which is shown so that
    # anybody can repeat it.
    order_seed = models.CharField(max_length=64, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("tournament", "number"), name="stage_number_once"),)

    def __str__(self) -> str:
        return f"{self.tournament} {self.number}"


class Entry(models.Model):
    """A player in one tournament. `public_id` is the `player_id` of every export."""

    class Status(models.TextChoices):
        ACTIVE = "active", _("Active")
        DROPPED = "dropped", _("Dropped")
        OUT = "out", _("Out")
        STANDIN = "standin", _("Stand-in")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    public_id = models.CharField(max_length=12, unique=True, default=new_public_id)
    number = models.PositiveIntegerField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.ACTIVE)

    class Meta:
        ordering = ("number", "id")
        verbose_name_plural = "entries"

    def __str__(self) -> str:
        return self.player.name


class RoundQuerySet(models.QuerySet["Round"]):
    def living(self) -> "RoundQuerySet":
        return self.exclude(state=Round.State.VOID)

    def shown(self) -> "RoundQuerySet":
        """What the public may see."""
        return self.exclude(state__in=(Round.State.VOID, Round.State.DRAFT))


class Round(models.Model):
    class State(models.TextChoices):
        DRAFT = "draft", _("Draft")
        PUBLISHED = "published", _("Published")
        RUNNING = "running", _("Running")
        CLOSED = "closed", _("Closed")
        VOID = "void", _("Void")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="rounds")
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    published_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    objects = RoundQuerySet.as_manager()

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(
                fields=("tournament", "number"), condition=~Q(state="void"), name="round_number_once_among_living"
            ),
        )

    def __str__(self) -> str:
        return f"{self.tournament}, round {self.number}"

    @property
    def is_open(self) -> bool:
        return self.state in (self.State.PUBLISHED, self.State.RUNNING)


class Table(models.Model):
    """Who sits together in a round. The row that every write to its hands locks first.

    `seating_version` counts changes of who sits where; `version` counts every write and guards voids and corrections.
    """

    class Mode(models.TextChoices):
        OFFLINE = "offline", _("Offline")
        ONLINE = "online", _("Online")

    class State(models.TextChoices):
        SCHEDULED = "scheduled", _("Scheduled")
        PLAYING = "playing", _("Playing")
        REPORTED = "reported", _("Reported")
        DISPUTED = "disputed", _("Disputed")
        CONFIRMED = "confirmed", _("Confirmed")
        VOID = "void", _("Void")

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()
    mode = models.CharField(max_length=10, choices=Mode.choices, default=Mode.OFFLINE)
    state = models.CharField(max_length=10, choices=State.choices, default=State.SCHEDULED)
    seating_version = models.PositiveIntegerField(default=1)
    version = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("round__number", "number")
        constraints = (models.UniqueConstraint(fields=("round", "number"), name="table_number_once"),)

    def __str__(self) -> str:
        return f"{self.round}, table {self.number}"

    def get_absolute_url(self) -> str:
        return reverse("table", args=[self.pk])


class Seat(models.Model):
    """Who is to sit where in a round: the default occupant of the next hand. No table = a bye."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="seats")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, null=True, blank=True, related_name="seats")
    number = models.PositiveSmallIntegerField(null=True, blank=True)
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="seats")

    class Meta:
        ordering = ("table_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("round", "entry"), name="nobody_sits_twice_in_a_round"),
            models.UniqueConstraint(fields=("table", "number"), name="one_occupant_a_seat"),
            models.CheckConstraint(
                condition=Q(table__isnull=True, number__isnull=True) | Q(table__isnull=False, number__isnull=False),
                name="a_bye_has_no_seat_number",
            ),
        )

    def __str__(self) -> str:
        return f"{self.entry}"


class HandScoreQuerySet(models.QuerySet["HandScore"]):
    def living(self) -> "HandScoreQuerySet":
        return self.filter(voided_at__isnull=True)


class HandScore(models.Model):
    """The ledger: one row per seat and hand, written by `league.services.post_score` alone, changed only to be voided.

    Points are card points. `score` is what the hand adds to the total under the stage's scoring.
    """

    class Source(models.TextChoices):
        ENGINE = "engine", _("Verified by engine")
        SCORER = "scorer", _("Scorer")
        PLAYER = "player", _("Player")
        ORGANISER = "organiser", _("Organiser")
        API = "api", _("API")
        CONTINUED = "continued", _("Continued")

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="scores")
    hand = models.PositiveSmallIntegerField()
    game = models.PositiveSmallIntegerField(default=1)
    seat = models.PositiveSmallIntegerField()
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="scores")
    played_by = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    partner = models.ForeignKey(Entry, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    went_out = models.BooleanField()
    cards_left = models.PositiveSmallIntegerField(null=True, blank=True)
    points_left = models.PositiveIntegerField(null=True, blank=True)
    points_for = models.PositiveIntegerField()
    points_against = models.PositiveIntegerField()
    score = models.PositiveIntegerField()
    source = models.CharField(max_length=10, choices=Source.choices)
    recorded_at = models.DateTimeField()
    voided_at = models.DateTimeField(null=True, blank=True)

    objects = HandScoreQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("table", "hand", "seat"), condition=Q(voided_at__isnull=True), name="one_living_score_a_seat"
            ),
        )

    def __str__(self) -> str:
        return f"{self.table}, hand {self.hand}, seat {self.seat}"


class Adjustment(models.Model):
    """Points beside the hands: a penalty, a bye's value, points carried in. A taken-back one is voided, not deleted."""

    class Kind(models.TextChoices):
        PENALTY = "penalty", _("Penalty")
        BYE = "bye", _("Bye")
        CARRIED = "carried", _("Carried")
        LATE = "late", _("Late")

    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="adjustments")
    round = models.ForeignKey(Round, on_delete=models.PROTECT, null=True, blank=True, related_name="adjustments")
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.PENALTY)
    points = models.IntegerField()
    reason = models.CharField(max_length=200)
    recorded_at = models.DateTimeField(default=timezone.now)
    voided_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.entry}: {self.points}"


class LogEntry(models.Model):
    """The audit log: what was done, by whom, in the transaction that did it. Rows are added and never changed."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="log")
    at = models.DateTimeField(default=timezone.now)
    by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    action = models.CharField(max_length=40)
    round = models.PositiveSmallIntegerField(null=True, blank=True)
    table = models.PositiveSmallIntegerField(null=True, blank=True)
    hand = models.PositiveSmallIntegerField(null=True, blank=True)
    old = models.JSONField(null=True, blank=True)
    new = models.JSONField(null=True, blank=True)
    reason = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ("-id",)
        verbose_name_plural = "log entries"

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None:
            raise TypeError("A log row is never changed.")
        super().save(*args, **kwargs)


def seats_by_table(seats: Iterable[Seat]) -> dict[int, list[Seat]]:
    """Occupied seats by table id, in seat order."""
    tables: dict[int, list[Seat]] = {}
    for seat in sorted(seats, key=lambda one: one.number if one.number is not None else -1):
        if seat.table_id is not None:
            tables.setdefault(seat.table_id, []).append(seat)
    return tables
