"""Store what players say about leaving or coming late."""

from enum import StrEnum

from django.db import models
from django.db.models import Q
from django.utils import timezone

from league.models.entry import Entry
from league.models.ledger import EntryEvent
from league.models.people import User


class LeaveRequest(models.Model):
    """A player's request to leave, or their message that they come late.

    `round_number`: the round it is about; 1 before the start. `event`: the departure that followed. An accepted request
    to leave after the round has none until that round is closed. Whether a request still matters follows from the
    entry and the rounds (league/leaving/requests.py:is_over).
    """

    class Kind(StrEnum):
        NOW = "now"
        AFTER = "after-round"
        LATE = "late"

    class State(StrEnum):
        WAITING = "waiting"
        ACCEPTED = "accepted"
        REFUSED = "refused"
        WITHDRAWN = "withdrawn"

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="leave_requests")
    kind = models.CharField(max_length=12)
    round_number = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=100, blank=True)
    state = models.CharField(max_length=10, default="waiting")
    created_at = models.DateTimeField(default=timezone.now)
    answered_at = models.DateTimeField(null=True, blank=True)
    # Empty: accepted by the tournament's setting.
    answered_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    event = models.ForeignKey(EntryEvent, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(
                fields=("entry",), condition=Q(state="waiting"), name="one_waiting_leave_request_an_entry"
            ),
        )

    def __str__(self) -> str:
        return f"{self.entry}: {self.kind}"
