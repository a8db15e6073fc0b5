"""Store events that count together: seasons, their divisions, and the players in each."""

from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.people import Club, Player


class Season(models.Model):
    """Events of a club that count together. Its standings are computed from theirs, and stored only at its end."""

    class Counts(models.TextChoices):
        PLACES = "places", _("Points for places")
        POINTS = "points", _("Points of all tournaments")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="seasons")
    slug = models.SlugField(max_length=80)
    name = models.CharField(_("name"), max_length=80)
    counts = models.CharField(max_length=10, choices=Counts.choices, default=Counts.PLACES)
    # Points for the first place, the second, …; further places get the last value.
    place_points = models.JSONField(default=list)
    best_of = models.PositiveSmallIntegerField(null=True, blank=True)  # number of events that count; empty: all
    min_evenings = models.PositiveSmallIntegerField(default=1)  # players with fewer are listed without a place
    created_at = models.DateTimeField(default=timezone.now)
    # When the season ended, and its standings then: league/seasons/table.py writes `final`.
    closed_at = models.DateTimeField(null=True, blank=True)
    final = models.JSONField(null=True, blank=True)
    # The previous season, if this one was created by its promotions.
    before = models.OneToOneField("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="after")

    class Meta:
        ordering = ("-id",)
        constraints = (models.UniqueConstraint(fields=("club", "slug"), name="season_slug_once_a_club"),)

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("season", args=[self.club.slug, self.slug])


class Division(models.Model):
    """A part of a season with its own standings; 1 is the highest. A season without divisions has none."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="divisions")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(_("name"), max_length=40)
    up = models.PositiveSmallIntegerField(default=0)  # number promoted at the season's end
    down = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=("season", "number"), name="division_number_once"),)

    def __str__(self) -> str:
        return self.name


class DivisionPlayer(models.Model):
    """A player's division in a season."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="placed")
    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="players")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="divisions")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("season", "player"), name="one_division_a_season"),)

    def __str__(self) -> str:
        return f"{self.player}: {self.division}"
