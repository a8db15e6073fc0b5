"""Store background results that can be recomputed: ratings, forecasts."""

from django.db import models
from django.utils import timezone

from league.models.people import Club, Player
from league.models.round import Round, Table
from league.models.tournament import Tournament


class RatingPoint(models.Model):
    """A club member's rating after a table: openskill's mean and uncertainty (one sigma).

    `at`: when the table's last hand counted; ratings are ordered by (at, table).
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="rating_points")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="rating_points")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()
    mu = models.FloatField()
    sigma = models.FloatField()
    # Hash of the inputs, including all earlier tables: an equal hash means the rating is valid.
    basis = models.CharField(max_length=64)

    class Meta:
        ordering = ("at", "table_id", "id")
        constraints = (models.UniqueConstraint(fields=("player", "table"), name="one_rating_a_table"),)
        indexes = (models.Index(fields=("club", "at", "table"), name="rating_in_order"),)

    def __str__(self) -> str:
        return f"{self.player}: {self.mu:.1f} ± {self.sigma:.1f}"


class Forecast(models.Model):
    """Odds of a running tournament as of a log row, from simulated hands: a row for each chunk.

    `counts` has the fields of `league.odds.simulate.Tally`, by public_id, from `simulations`. Without `started_at` it
    waits for a worker; without `finished_at` a worker is busy with it.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="forecasts")
    round = models.ForeignKey(Round, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    log_hash = models.CharField(max_length=64)  # of the last row included
    chunk = models.PositiveSmallIntegerField()
    simulations = models.PositiveIntegerField(default=0)
    counts = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("tournament", "log_hash", "chunk"), name="forecast_chunk_once"),)

    def __str__(self) -> str:
        return f"{self.tournament}: {self.simulations}"
