"""Who there is: accounts, clubs, and the persons who play."""

from typing import Any, ClassVar

from django.contrib.auth.base_user import BaseUserManager
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


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
    """An account. Signs in by e-mail, which is kept in lower case."""

    username = None  # type: ignore[assignment]
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    email = models.EmailField(_("e-mail"), unique=True)
    name = models.CharField(_("name"), max_length=80, blank=True)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects = UserManager()  # type: ignore[misc, assignment]

    def __str__(self) -> str:
        return self.name or self.email


class Club(models.Model):
    """Who holds evenings. Members, roles and seasons hang on it."""

    slug = models.SlugField(unique=True, max_length=80)
    name = models.CharField(_("name"), max_length=80)
    owner = models.ForeignKey(User, on_delete=models.PROTECT, related_name="clubs")
    is_demo = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name


class Player(models.Model):
    """A person, lasting over tournaments.

    Of a birthday only day and month are kept (DEAL-2 needs no more), and they are never public.
    """

    name = models.CharField(_("name"), max_length=80)
    club_name = models.CharField(_("club"), max_length=80, blank=True)
    email = models.EmailField(_("e-mail"), blank=True)
    birth_month = models.PositiveSmallIntegerField(null=True, blank=True)
    birth_day = models.PositiveSmallIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    # Set when somebody asked to be forgotten: the name is gone, their hands stay.
    erased_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name

    @property
    def birthday(self) -> tuple[int, int] | None:
        """(month, day), or None when unknown."""
        return (self.birth_month, self.birth_day) if self.birth_month and self.birth_day else None
