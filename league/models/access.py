"""Store rights beyond the owner's: roles, invitations, scorer links, API tokens."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from league.models.entry import Entry
from league.models.people import User
from league.models.tournament import Tournament


class Role(models.Model):
    """A person's role in a tournament. The owner has no row.

    league/access/rights.py defines the rights of each role.
    """

    class Kind(models.TextChoices):
        ORGANISER = "organiser", _("Organiser")
        DIRECTOR = "director", _("Director")
        SCORER = "scorer", _("Scorer")
        CHECK_IN = "check-in", _("Check-in")
        SCREEN = "screen", _("Screen")
        PLAYER = "player", _("Player")
        SPECTATOR = "spectator", _("Spectator")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="roles")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="roles")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    # For players: their entry.
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, null=True, blank=True, related_name="roles")
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("tournament", "user", "kind"),
                condition=Q(revoked_at__isnull=True),
                name="one_living_role_a_kind",
            ),
        )

    def __str__(self) -> str:
        return f"{self.user}: {self.kind}"


class Invitation(models.Model):
    """A link to a role. Only the hash of its secret is stored. It works once if mailed, else until revoked."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="invitations")
    kind = models.CharField(max_length=10, choices=Role.Kind.choices)
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, null=True, blank=True, related_name="invitations")
    email = models.EmailField(blank=True)
    digest = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.tournament}: {self.kind}"


class ScorerLink(models.Model):
    """A link to enter hands at one table, or at all tables, without an account.

    It is signed and not stored (league/access/signed_links.py), and exchanged for a cookie
    (league/by_link/scorer_views.py); each request checks its validity. `table`: number of the table itself, with other
    players in each round.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="scorer_links")
    table = models.PositiveSmallIntegerField(null=True, blank=True)  # empty: every table
    label = models.CharField(max_length=40, blank=True)
    # Incrementing it ends every earlier address, and the access of visitors who used one.
    generation = models.PositiveSmallIntegerField(default=1)
    # For links from before they were signed: hash of a random secret, which still opens them.
    digest = models.CharField(max_length=64, unique=True, null=True, blank=True)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        """Return the link's name in the log and the list of hands."""
        where = _now("table %(number)d") % {"number": self.table} if self.table else _now("all tables")
        return _now("Scorer link, %(where)s") % {"where": f"{where} ({self.label})" if self.label else where}

    @property
    def holds(self) -> bool:
        return self.revoked_at is None and self.expires_at > timezone.now()

    def covers(self, table: int) -> bool:
        return self.table in (None, table)


class ApiToken(models.Model):
    """A program's key to the API. Only the hash of its secret is stored; `prefix` identifies it to the owner."""

    class Scope(models.TextChoices):
        READ = "read", _("Read")
        WRITE = "write", _("Read and write")

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=80, blank=True)
    prefix = models.CharField(max_length=8)
    digest = models.CharField(max_length=64, unique=True)
    scope = models.CharField(max_length=5, choices=Scope.choices, default=Scope.WRITE)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"
