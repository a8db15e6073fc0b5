"""Store the seating: rounds, tables, seats."""

from collections.abc import Iterable

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.entry import Entry
from league.models.people import Player
from league.models.tournament import Stage, Tournament


class RoundQuerySet(models.QuerySet["Round"]):
    def living(self) -> "RoundQuerySet":
        return self.exclude(state=Round.State.VOID)

    def shown(self) -> "RoundQuerySet":
        """Return the public rounds."""
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
    # The round's clock, once started: runs until `ends_at`, or is paused at `seconds_left`.
    ends_at = models.DateTimeField(null=True, blank=True)
    seconds_left = models.PositiveIntegerField(null=True, blank=True)

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

    def new_table(self, number: int, hands_wanted: int | None) -> "Table":
        """Return a new unsaved table of this round."""
        return Table(round=self, number=number, mode=mode_of(self.tournament, number), hands_wanted=hands_wanted)

    @property
    def is_draft(self) -> bool:
        return self.state == Round.State.DRAFT

    @property
    def is_open(self) -> bool:
        return self.state in (self.State.PUBLISHED, self.State.RUNNING)


class Table(models.Model):
    """A table in a round. Every write to its hands locks this row first.

    `seating_version` counts changes of seats; `version` counts all writes and guards voids and corrections.
    `play_version` counts play at an online table, for its pages.
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
    # 2 in heats for players who are out after round 1; in a knockout for third place.
    ladder = models.PositiveSmallIntegerField(default=1)
    mode = models.CharField(max_length=10, choices=Mode.choices, default=Mode.OFFLINE)
    state = models.CharField(max_length=10, choices=State.choices, default=State.SCHEDULED)
    seating_version = models.PositiveIntegerField(default=1)
    version = models.PositiveIntegerField(default=0)
    play_version = models.PositiveIntegerField(default=0)
    extra_minutes = models.PositiveSmallIntegerField(default=0)  # beyond the round's clock
    hands_wanted = models.PositiveSmallIntegerField(null=True, default=4)  # in this round; empty: unlimited
    # First dealer, if no schedule sets it (league/ledger/dealer.py): {"dealer": seat, "by", "draws": rounds of [seat,
    # card], "deal": key of the online deal whose seed decided them, "seating": version at that time}
    first_deal = models.JSONField(null=True, blank=True)
    # Dealt hands that don't count, since time was up: {"3": [dealt-in seats]}. Their slots are closed and have no
    # scores; `league.ledger.progress.hands_in` adds them to those of the ledger.
    not_counted = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ("round__number", "number")
        constraints = (models.UniqueConstraint(fields=("round", "number"), name="table_number_once"),)

    def __str__(self) -> str:
        return f"{self.round}, table {self.number}"

    def get_absolute_url(self) -> str:
        return reverse("table", args=[self.pk])


class Seat(models.Model):
    """An entry's place in a round: the default player of the next hand. No table means a bye.

    A team has two seats, with `member` 0 and 1, and in `substitute` the seated team member. For other entries a
    substitute plays for the entry, which gets the points. `has_lost`: in a tree that forgives a loss, entered this
    round with one, by the results at the draw.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="seats")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, null=True, blank=True, related_name="seats")
    number = models.PositiveSmallIntegerField(null=True, blank=True)
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="seats")
    member = models.PositiveSmallIntegerField(default=0)
    substitute = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    has_lost = models.BooleanField(default=False)

    class Meta:
        ordering = ("table_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("round", "entry", "member"), name="nobody_sits_twice_in_a_round"),
            models.UniqueConstraint(fields=("table", "number"), name="one_occupant_a_seat"),
            models.CheckConstraint(
                condition=Q(table__isnull=True, number__isnull=True) | Q(table__isnull=False, number__isnull=False),
                name="a_bye_has_no_seat_number",
            ),
        )

    def __str__(self) -> str:
        return f"{self.entry}"


def mode_of(tournament: Tournament, number: int) -> Table.Mode:
    """Return how a table drawn now is played, by `Tournament.online`."""
    online = tournament.online == "all" or str(number) in tournament.online.split(",")
    return Table.Mode.ONLINE if online else Table.Mode.OFFLINE


def seats_by_table(seats: Iterable[Seat]) -> dict[int, list[Seat]]:
    """Return occupied seats by table id, in seat order."""
    tables: dict[int, list[Seat]] = {}
    for seat in sorted(seats, key=lambda seat: seat.number if seat.number is not None else -1):
        if seat.table_id is not None:
            tables.setdefault(seat.table_id, []).append(seat)
    return tables
