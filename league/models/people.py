"""Store accounts, clubs, players and their teams."""

import secrets
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from django.contrib.auth.base_user import BaseUserManager
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

# No vowels or look-alikes: ids can be read aloud and spell nothing.
ID_ALPHABET = "23456789bcdfghjkmnpqrstvwxz"


def new_public_id() -> str:
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(8))


class Visibility(models.TextChoices):
    PUBLIC = "public", _("Public")
    UNLISTED = "unlisted", _("Unlisted")
    PRIVATE = "private", _("Private")


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **extra: Any) -> "User":
        user = self.model(email=email.strip().lower(), **extra)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **extra: Any) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **extra)

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email=(username or "").strip().lower())


class User(AbstractUser):
    """An account. The e-mail address, stored in lower case, is the login."""

    username = None  # type: ignore[assignment]
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    email = models.EmailField(_("e-mail"), unique=True)
    name = models.CharField(_("name"), max_length=80, blank=True)
    # Set while the server's owner blocks the account; then it isn't active.
    blocked_at = models.DateTimeField(null=True, blank=True)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects = UserManager()  # type: ignore[misc, assignment]

    def __str__(self) -> str:
        return self.name or self.email

    @property
    def has_verified_address(self) -> bool:
        """Return whether the owner confirmed the address. An account that never signed in has no request yet."""
        verified = self.emailaddress_set.filter(email__iexact=self.email).values_list("verified", flat=True)
        return all(verified)


class Club(models.Model):
    """Holds events, and has members, teams, roles and seasons."""

    slug = models.SlugField(unique=True, max_length=80)
    name = models.CharField(_("name"), max_length=80)
    owner = models.ForeignKey(User, on_delete=models.PROTECT, related_name="clubs")
    about = models.CharField(_("about"), max_length=600, blank=True)
    place = models.CharField(_("place"), max_length=100, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC")
    visibility = models.CharField(max_length=10, choices=Visibility.choices, default=Visibility.PUBLIC)
    paper = models.CharField(max_length=6, choices=(("a4", _("A4")), ("letter", _("US Letter"))), default="a4")
    is_demo = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)
    # Version of the results used for ratings (league/ratings/results.py); ratings are outdated if it differs. Only the
    # worker writes it.
    ratings_version = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("club", args=[self.slug])

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)


class Player(models.Model):
    """A person, across tournaments; or a team, entered like a person (`Team.player`).

    A member of a club has `club`. Only day and month of a birthday are stored (DEAL-2 needs no more); they are never
    public.
    """

    name = models.CharField(_("name"), max_length=80)
    club_name = models.CharField(_("club"), max_length=80, blank=True)
    email = models.EmailField(_("e-mail"), blank=True)
    birth_month = models.PositiveSmallIntegerField(null=True, blank=True)
    birth_day = models.PositiveSmallIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    # Private notes, for the club's organisers and the directors of its events: in no file and no API response.
    notes = models.TextField(_("notes"), blank=True)
    # Set when a person was erased: the name is gone, the hands stay.
    erased_at = models.DateTimeField(null=True, blank=True)

    public_id = models.CharField(max_length=12, unique=True, default=new_public_id)  # in the profile's address
    club = models.ForeignKey(Club, on_delete=models.SET_NULL, null=True, blank=True, related_name="members")
    # The account that claimed this record.
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="players")
    profile_is_public = models.BooleanField(default=False)
    short_name = models.BooleanField(default=False)  # the public sees the first name and an initial
    is_rated = models.BooleanField(default=True)  # the rating is visible
    # Number of the member card that works; 0 until one is printed. Old cards have lower numbers.
    card_generation = models.PositiveSmallIntegerField(default=0, db_default=0)
    # The person's other record, which now has this one's entries (`Merge`).
    merged_into = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    def __str__(self) -> str:
        return self.name

    @property
    def birthday(self) -> tuple[int, int] | None:
        """(month, day), or None when unknown."""
        return (self.birth_month, self.birth_day) if self.birth_month and self.birth_day else None


class Merge(models.Model):
    """Two records of one person merged into one. `moved`: keys moved to `kept`, by kind."""

    kept = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="merges")
    gone = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    moved = models.JSONField(default=dict)
    at = models.DateTimeField(default=timezone.now)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    # The club of these people, also if both are guests. Empty: the club of `kept`.
    club = models.ForeignKey(Club, on_delete=models.SET_NULL, null=True, blank=True, related_name="merges")
    # Key of the form that merged them, to undo all its merges. A used key merges nothing again.
    form_key = models.CharField(max_length=32, blank=True, db_index=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.gone} → {self.kept}"


class Team(models.Model):
    """Players who enter together. `player` is entered for them, with the team's name and the captain's address."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="team")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, null=True, blank=True, related_name="teams")

    def __str__(self) -> str:
        return self.player.name


class TeamMember(models.Model):
    """A member of a team. `number` counts from 1, the captain; the first two who aren't substitutes play."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="members")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="teams")
    number = models.PositiveSmallIntegerField()
    is_substitute = models.BooleanField(default=False)

    class Meta:
        ordering = ("number", "id")
        constraints = (models.UniqueConstraint(fields=("team", "player"), name="a_member_once_a_team"),)

    def __str__(self) -> str:
        return f"{self.player} ({self.team})"


class ClubRole(models.Model):
    """A person's role in a club, and so in each of its tournaments. The owner has no row."""

    class Kind(models.TextChoices):
        ORGANISER = "organiser", _("Organiser")
        DIRECTOR = "director", _("Director")
        SCORER = "scorer", _("Scorer")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="roles")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="club_roles")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("club", "user", "kind"),
                condition=models.Q(revoked_at__isnull=True),
                name="one_living_club_role",
            ),
        )

    def __str__(self) -> str:
        return f"{self.user}: {self.kind}"


class ClubInvitation(models.Model):
    """A link to a role in a club; with `player`, accepting it claims this member.

    Only the hash of its secret is stored. It works once if mailed or for a player, else until revoked.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    kind = models.CharField(max_length=10, choices=ClubRole.Kind.choices, blank=True)  # empty: for a player
    player = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, blank=True, related_name="invitations")
    email = models.EmailField(blank=True)
    digest = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=models.Q(kind="", player__isnull=False)
                | (~models.Q(kind="") & models.Q(player__isnull=True)),
                name="invitation_to_a_role_or_for_a_player",
            ),
        )

    def __str__(self) -> str:
        return f"{self.club}: {self.kind or self.player}"


class LogBesideTournaments(models.Model):
    """A log row outside any tournament's log. Rows never change."""

    at = models.DateTimeField(default=timezone.now)
    by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    action = models.CharField(max_length=40)
    old = models.JSONField(null=True, blank=True)
    new = models.JSONField(null=True, blank=True)
    reason = models.CharField(max_length=200, blank=True)

    class Meta:
        abstract = True
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None:
            raise TypeError("A log row is never changed.")
        super().save(*args, **kwargs)


class ClubLogEntry(LogBesideTournaments):
    """An action in a club, outside its tournaments, which have their own logs."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="log")

    class Meta(LogBesideTournaments.Meta):
        verbose_name_plural = "club log entries"


class AccountLogEntry(LogBesideTournaments):
    """An action on an account, or on its deleted tournament, which no longer has a log."""

    DELETE_TOURNAMENT = "delete-tournament"
    BLOCK, UNBLOCK = "block", "unblock"

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="log")

    class Meta(LogBesideTournaments.Meta):
        verbose_name_plural = "account log entries"
