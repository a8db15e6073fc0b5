"""Store calls of the director from tables, and callers whose calls are refused."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.access import ScorerLink
from league.models.entry import Entry
from league.models.people import User
from league.models.round import Round, Table
from league.models.tournament import Tournament


class CallQuerySet(models.QuerySet["Call"]):
    def waiting(self) -> "CallQuerySet":
        """Return the open calls of open rounds."""
        calls = self.filter(
            state=Call.State.OPEN,
            table__round__state__in=(Round.State.PUBLISHED, Round.State.RUNNING),
            table__round__tournament__is_called_off=False,
        )
        return calls.exclude(table__round__tournament__state=Tournament.State.CLOSED).exclude(
            table__state=Table.State.VOID
        )


class Call(models.Model):
    """A table waits for the director. A call of a closed round is over, whatever its state.

    coming: the director who answered.
    """

    class State(models.TextChoices):
        OPEN = "open", _("Open")
        DONE = "done", _("Done")
        CANCELLED = "cancelled", _("Cancelled")

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="calls")
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    opened_at = models.DateTimeField(default=timezone.now)
    coming = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    coming_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = CallQuerySet.as_manager()

    class Meta:
        ordering = ("opened_at", "id")
        constraints = (
            models.UniqueConstraint(fields=("table",), condition=Q(state="open"), name="one_open_call_a_table"),
        )

    def __str__(self) -> str:
        return f"{self.table}: {self.state}"


class Caller(models.Model):
    """The person behind a call: a player, the holder of a scorer link, or an account. The other columns are empty."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    scorer_link = models.ForeignKey(ScorerLink, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, blank=True, related_name="+")

    class Meta:
        abstract = True

    def __str__(self) -> str:
        """Return the caller's name for the pages of directors."""
        return str(self.entry or self.scorer_link or self.user)

    @property
    def caller(self) -> str:
        """Return which caller it is, such as “entry-12”."""
        if self.entry_id is not None:
            return f"entry-{self.entry_id}"
        return f"link-{self.scorer_link_id}" if self.scorer_link_id is not None else f"user-{self.user_id}"


class CallTap(Caller):
    """One tap of *Call the director*. The first one of a call opened it, those of others joined it.

    key: hash of the caller and the tap's key, so that a repeated tap is found again. tapped_at: earlier than `sent_at`
    if the phone was offline.
    """

    class Reason(models.TextChoices):
        RULES = "rules", _("Rules question")
        RESULT = "result", _("Wrong result")
        MISSING = "missing", _("Missing player")
        SLOW = "slow", _("Slow play")
        OTHER = "other", _("Something else")

    call = models.ForeignKey(Call, on_delete=models.CASCADE, related_name="taps")
    key = models.CharField(max_length=64, unique=True)
    reason = models.CharField(max_length=10, choices=Reason.choices, blank=True)
    text = models.CharField(max_length=140, blank=True)
    tapped_at = models.DateTimeField()
    sent_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("id",)


class MutedCaller(Caller):
    """A caller whose calls are refused in a tournament, until a director undoes it."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="muted_callers")
    muted_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("id",)
        constraints = tuple(
            models.UniqueConstraint(fields=("tournament", column), name=f"muted_once_as_{column}")
            for column in ("entry", "scorer_link", "user")
        )
