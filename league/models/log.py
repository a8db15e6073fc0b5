"""The audit log."""

from typing import Any

from django.db import models
from django.db.models import OuterRef, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models.entry import Entry, entry_name
from league.models.people import User
from league.models.tournament import Tournament


class LogQuerySet(models.QuerySet["LogEntry"]):
    def with_who(self) -> "LogQuerySet":
        """Read everything that `who` needs in one query."""
        names = Entry.objects.filter(public_id=OuterRef("player")).values(name=entry_name())
        return self.select_related("by", "scorer_link").annotate(player_name=Subquery(names[:1]))


class LogEntry(models.Model):
    """A row of the audit log: an action and its author, written in the same transaction. Rows never change."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="log")
    at = models.DateTimeField(default=timezone.now)
    by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    # Author without an account: a visitor with this link. RESTRICT: both are deleted with their tournament.
    scorer_link = models.ForeignKey("ScorerLink", on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    # Author by their own link: the player with this public_id; with `by`, the account's player at the table. Not a
    # foreign key, since the log outlives removed entries.
    player = models.CharField(max_length=12, blank=True)
    action = models.CharField(max_length=40)
    round = models.PositiveSmallIntegerField(null=True, blank=True)
    table = models.PositiveSmallIntegerField(null=True, blank=True)
    hand = models.PositiveSmallIntegerField(null=True, blank=True)
    old = models.JSONField(null=True, blank=True)
    new = models.JSONField(null=True, blank=True)
    reason = models.CharField(max_length=200, blank=True)

    # The chain (league/log/chain.py): entries of a tournament are numbered from 1. `previous` has the hash of the
    # previous entry, or the tournament's public id. `digest` covers old, new and reason as written, with `salt`.
    number = models.PositiveIntegerField(null=True)
    salt = models.CharField(max_length=32, blank=True)
    digest = models.CharField(max_length=64, blank=True)
    previous = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64, blank=True)

    objects = LogQuerySet.as_manager()

    class Meta:
        ordering = ("-id",)
        verbose_name_plural = "log entries"
        constraints = (models.UniqueConstraint(fields=("tournament", "number"), name="log_number_once"),)

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None:
            raise TypeError("A log row is never changed.")
        super().save(*args, **kwargs)

    @property
    def who(self) -> str:
        """Return the author in words; "" for automatic actions."""
        if self.player and self.by_id:
            return _("%(name)s, also plays here") % {"name": self.by}
        if self.player:
            return _("%(name)s, by their own link") % {"name": self._player_name() or _("A player")}
        return str(self.by or self.scorer_link or "")

    def _player_name(self) -> str | None:
        """Return the player's name; None if the entry was removed."""
        if "player_name" in self.__dict__:  # read by `with_who`
            name: str | None = self.__dict__["player_name"]
            return name
        return Entry.objects.filter(public_id=self.player).values_list(entry_name(), flat=True).first()


class LogHead(models.Model):
    """The end of a tournament's chain. Locked last in every transaction that adds to the log."""

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="log_head")
    number = models.PositiveIntegerField(default=0)
    hash = models.CharField(max_length=64, blank=True)
    # Hash of the last row that is not a recorded hand: such rows may concern every table (league/access/table_rows.py).
    beside_hands = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        return f"{self.tournament}: {self.number}"
