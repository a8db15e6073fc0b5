"""Store responses to requests and forms with a unique key, so that each runs once."""

from django.db import models
from django.utils import timezone

from league.models.people import User


class ApiAnswer(models.Model):
    """A key sent by an account's program: an equal key and request get the equal response, whatever happened since.

    Hands have their own keys (games.Submission), guarded by the table's lock.
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


class FormAnswer(models.Model):
    """A form that created something: sending its key again returns the visitor to the result.

    digest: of the key, the address and the content of the form. visitor, visitor_then: sender before and after, since
    a form may sign in. messages: [[level, text, tags]]. session: {key: [before, after]}. Rows are deleted after a day
    (league/erasure/sessions.py).
    """

    digest = models.CharField(max_length=64, unique=True)
    visitor = models.CharField(max_length=64)
    visitor_then = models.CharField(max_length=64, blank=True)
    location = models.CharField(max_length=500, blank=True)
    messages = models.JSONField(default=list)
    session = models.JSONField(default=dict)
    at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return self.digest
