"""Store what belongs to the server itself: sign-up, the link of its first start, and the pause after a restore."""

from django.db import models
from django.utils import timezone


class Server(models.Model):
    """One row, made when the server is set up, or by the upgrade of one that is in use."""

    ROW = 1

    sign_up_open = models.BooleanField(default=False, db_default=False)

    class Meta:
        verbose_name_plural = "settings of the server"

    def __str__(self) -> str:
        return f"sign-up {'open' if self.sign_up_open else 'closed'}"


class FirstLink(models.Model):
    """One row: the newest link that sets up a server without an owner. Only the hash of its secret is stored.

    restoring_since: a backup is being restored. problem: why the last restore failed.
    """

    ROW = 1

    digest = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    restoring_since = models.DateTimeField(null=True, blank=True)
    problem = models.TextField(blank=True, default="", db_default="")

    def __str__(self) -> str:
        return f"{self.expires_at:%Y-%m-%d %H:%M}"


class RestorePause(models.Model):
    """One row after a restore, until the owner resumes e-mails and timed actions (league/access/restore_pause.py)."""

    ROW = 1

    restored_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.restored_at:%Y-%m-%d %H:%M}"
