"""Events that repeat every week."""

from django.db import models

from league.models.people import User


class Series(models.Model):
    """Events on one weekday, each created from the previous one (league/setup/series). Its events point to it."""

    weekday = models.PositiveSmallIntegerField()  # 0: Monday
    starts_at = models.TimeField(null=True, blank=True)
    last_day = models.DateField()
    skipped = models.JSONField(default=list)  # days without an event, as ISO dates
    # Each event opens its own sign-up. Otherwise each starts with the previous event's players.
    takes_sign_ups = models.BooleanField(default=True)
    # When the next event is created; empty: none.
    next_at = models.DateTimeField(null=True, blank=True, db_index=True)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    def __str__(self) -> str:
        return f"{self.weekday} until {self.last_day}"
