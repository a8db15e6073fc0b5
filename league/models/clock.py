"""Store scheduled and background work: deadlines, jobs, frozen standings."""

from datetime import datetime
from enum import StrEnum

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.people import User
from league.models.round import Round, Table
from league.models.tournament import Tournament


class DeadlineQuerySet(models.QuerySet["Deadline"]):
    def pending(self) -> "DeadlineQuerySet":
        return self.filter(state=Deadline.State.PENDING)

    def due(self, now: datetime) -> "DeadlineQuerySet":
        return self.pending().filter(due_at__lte=now)


class Deadline(models.Model):
    """Work due at a time. A row, so that no restart loses it; claimed in a transaction, so that it runs once.

    `due_at`: the next try; a failed try moves it. `reason`: why the last try failed, if it did.
    """

    class Kind(StrEnum):
        PUBLISH = "publish-round"
        SNAPSHOT = "snapshot"
        CONFIRM = "confirm-table"
        REMIND = "remind"
        FREE = "free-places"
        ANNOUNCEMENT = "announcement"

    class State(models.TextChoices):
        PENDING = "pending", _("Waiting")
        DONE = "done", _("Done")
        FAILED = "failed", _("Failed")
        CANCELLED = "cancelled", _("Cancelled")

    kind = models.CharField(max_length=30)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="deadlines")
    round = models.ForeignKey(Round, on_delete=models.CASCADE, null=True, blank=True, related_name="deadlines")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, null=True, blank=True, related_name="deadlines")
    due_at = models.DateTimeField(db_index=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    reason = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    done_at = models.DateTimeField(null=True, blank=True)

    objects = DeadlineQuerySet.as_manager()

    class Meta:
        ordering = ("due_at", "id")

    def __str__(self) -> str:
        return f"{self.kind} {self.due_at:%Y-%m-%d %H:%M}"


class Job(models.Model):
    """Background work started by a person, who may watch it."""

    class State(models.TextChoices):
        QUEUED = "queued", _("Waiting")
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        FAILED = "failed", _("Failed")

    kind = models.CharField(max_length=30)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="jobs")
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    done = models.PositiveIntegerField(default=0)
    of = models.PositiveIntegerField(default=0)
    reason = models.CharField(max_length=300, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    result = models.BinaryField(blank=True, default=bytes)
    file_name = models.CharField(max_length=200, blank=True)
    requested_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.kind}: {self.state}"


class Snapshot(models.Model):
    """The standings as published when a round closed: an archive, never a page's source."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="snapshots")
    revision = models.PositiveSmallIntegerField(default=1)
    taken_at = models.DateTimeField(default=timezone.now)
    rules = models.JSONField()
    rows = models.JSONField()
    # The log row that records it, which the log must have for ever; empty for older records.
    log_number = models.PositiveIntegerField(null=True)
    log_hash = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ("round__number", "revision")
        constraints = (models.UniqueConstraint(fields=("round", "revision"), name="snapshot_revision_once"),)

    def __str__(self) -> str:
        return f"{self.round}, revision {self.revision}"
