"""Store the ledger: scores of hands and points adjustments, the only source of standings."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.entry import Entry
from league.models.people import Player, User
from league.models.round import Round, Table


class HandScoreQuerySet(models.QuerySet["HandScore"]):
    def living(self) -> "HandScoreQuerySet":
        return self.filter(voided_at__isnull=True)


class HandScore(models.Model):
    """One row of the ledger for each seat and hand. Only `league.ledger.scores.post_score` writes rows; they change
    only when voided.

    Points are card points. `score`: points added to the total under the stage's scoring.
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
    # When the hand was first entered. A correction copies it, so that it counts at the hand's moment (formats.race).
    counted_at = models.DateTimeField(default=timezone.now)
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
    """Points beyond hands: a penalty, a bye's value, carried points. An undone one is voided, not deleted."""

    class Kind(models.TextChoices):
        PENALTY = "penalty", _("Penalty")
        BYE = "bye", _("Bye")
        CARRIED = "carried", _("Carried")
        CARRIED_ON = "carried-on", _("From the previous stage")
        LATE = "late", _("Late")
        EXTRA_HAND = "extra-hand", _("Extra hand")

    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="adjustments")
    round = models.ForeignKey(Round, on_delete=models.PROTECT, null=True, blank=True, related_name="adjustments")
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.PENALTY)
    points = models.IntegerField()
    reason = models.CharField(max_length=200)
    recorded_at = models.DateTimeField(default=timezone.now)
    voided_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.entry}: {self.points}"


class EntryEventQuerySet(models.QuerySet["EntryEvent"]):
    def living(self) -> "EntryEventQuerySet":
        return self.filter(voided_at__isnull=True)


class EntryEvent(models.Model):
    """A late entry, departure or return. An undone event is voided; rows never change otherwise.

    `round`: the current round then; empty: before the first.
    """

    class Kind(models.TextChoices):
        LATE = "late", _("Late entry")
        DROP = "drop", _("Withdrew")
        NO_SHOW = "no-show", _("Did not come")
        RETURN = "return", _("Returned")
        REINSTATED = "reinstated", _("Reinstated")

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="events")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    round = models.ForeignKey(Round, on_delete=models.PROTECT, null=True, blank=True, related_name="events")
    reason = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField(default=timezone.now)
    by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    voided_at = models.DateTimeField(null=True, blank=True)

    objects = EntryEventQuerySet.as_manager()

    class Meta:
        ordering = ("at", "id")

    def __str__(self) -> str:
        return f"{self.entry}: {self.get_kind_display()}"
