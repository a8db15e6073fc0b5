"""Store the announcement of a tournament."""

from datetime import datetime

from django.db import models
from django.utils import timezone

from league.models.round import Round
from league.models.tournament import Tournament


class Announcement(models.Model):
    """The newest announcement of a tournament: the next one replaces its row. The log has all of them.

    `until`: how it ends without a director: at `ends_at`, with `round`, or not. `removed_at`: a director removed it.
    """

    MOST = 140  # characters

    class Until(models.TextChoices):
        MINUTES = "minutes"
        ROUND = "round"
        REMOVED = "removed"

    tournament = models.OneToOneField(
        Tournament, on_delete=models.CASCADE, primary_key=True, related_name="announcement"
    )
    text = models.CharField(max_length=MOST)
    until = models.CharField(max_length=10, choices=Until.choices)
    round = models.ForeignKey(Round, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    announced_at = models.DateTimeField(default=timezone.now)
    ends_at = models.DateTimeField(null=True, blank=True)
    removed_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.text

    @property
    def stamp(self) -> str:
        """Return a text that differs from that of an earlier announcement."""
        return f"{self.announced_at.timestamp():.6f}"

    def is_visible(self, now: datetime) -> bool:
        if self.removed_at is not None:
            return False
        if self.until == self.Until.ROUND:
            return self.round is not None and self.round.is_open
        return self.ends_at is None or now < self.ends_at
