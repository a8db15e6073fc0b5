"""Store warnings to players."""

from django.db import models
from django.utils import timezone

from league.models.ledger import Adjustment
from league.models.people import Player, User
from league.models.tournament import Tournament


class PlayerWarningQuerySet(models.QuerySet["PlayerWarning"]):
    def living(self) -> "PlayerWarningQuerySet":
        return self.filter(withdrawn_at__isnull=True)


class PlayerWarning(models.Model):
    """A director's warning to a person in a tournament, for directors only. A withdrawn one stays, with its reason.

    reason: why; empty after the person was erased. adjustment: the points that came with it. withdrawal: the reason for
    withdrawing it.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="warnings")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="warnings")
    reason = models.CharField(max_length=200, blank=True)
    adjustment = models.OneToOneField(
        Adjustment, on_delete=models.SET_NULL, null=True, blank=True, related_name="warning"
    )
    at = models.DateTimeField(default=timezone.now)
    by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    withdrawal = models.CharField(max_length=200, blank=True)

    objects = PlayerWarningQuerySet.as_manager()

    class Meta:
        ordering = ("at", "id")

    def __str__(self) -> str:
        return f"{self.player}, {self.tournament}"

    @property
    def points(self) -> int:
        """Return the points that came with it and count; 0 without any."""
        return self.adjustment.points if self.adjustment is not None and self.adjustment.voided_at is None else 0
