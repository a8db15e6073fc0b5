"""What the API answered to a request with an Idempotency-Key."""

from django.db import models
from django.utils import timezone

from league.models.people import User


class ApiAnswer(models.Model):
    """A key that an account's program sent: the same key and request get the same answer, whatever happened since.

    Hands have their own keys (games.Submission), which the table's lock guards.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=100)
    digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    body = models.JSONField(null=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "key"), name="one_api_answer_a_key"),)

    def __str__(self) -> str:
        return self.key
