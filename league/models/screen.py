"""Store what the hall screens present instead of their panels."""

from django.db import models
from django.utils import timezone

from league.models.round import Round
from league.models.tournament import Tournament


class ScreenShow(models.Model):
    """The draw of `round`, or the podium. A row that no longer applies is ignored (league/screen/shows.py)."""

    class Kind(models.TextChoices):
        DRAW = "draw"
        PODIUM = "podium"

    tournament = models.OneToOneField(
        Tournament, on_delete=models.CASCADE, primary_key=True, related_name="screen_show"
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    round = models.ForeignKey(Round, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    started_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.kind
