"""How a score came to be: hands, and the keys under which they were sent."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models import Entry, HandScore, ScorerLink, Table, User


class HandQuerySet(models.QuerySet["Hand"]):
    def living(self) -> "HandQuerySet":
        return self.filter(voided_at__isnull=True)


class Hand(models.Model):
    """One hand as it was reported. A slot is (table, number): one living hand fills it; voided ones stay beside it."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="hands")
    number = models.PositiveSmallIntegerField()
    source = models.CharField(max_length=10, choices=HandScore.Source.choices)
    went_out = models.PositiveSmallIntegerField(null=True, blank=True)
    # By seat: {"seat", "cards" (codes, sorted, or null), "cards_left", "points_left"}: what was reported, completed by
    # the engine's check.
    seats = models.JSONField()
    # False when a seat that counts gave points alone, so that the engine had nothing to check them against.
    checked = models.BooleanField()
    recorded_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    # Instead of an account: the link with which it was entered.
    scorer_link = models.ForeignKey(ScorerLink, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    # Or the player who reported it by their own link.
    player = models.ForeignKey(Entry, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    recorded_at = models.DateTimeField(default=timezone.now)
    replaces = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="replaced_by")
    voided_at = models.DateTimeField(null=True, blank=True)
    voided_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    void_reason = models.CharField(max_length=200, blank=True)

    objects = HandQuerySet.as_manager()

    class Meta:
        ordering = ("table_id", "number", "id")
        constraints = (
            models.UniqueConstraint(
                fields=("table", "number"), condition=Q(voided_at__isnull=True), name="one_living_hand_a_slot"
            ),
        )

    def __str__(self) -> str:
        return f"{self.table}, hand {self.number}"

    @property
    def who(self) -> str:
        """Who entered it, in words: “Organiser, Olga”, “Scorer link, table 2”."""
        if self.scorer_link:
            return str(self.scorer_link)
        if self.player:
            return f"{self.get_source_display()}, {self.player}"
        return f"{self.get_source_display()}, {self.recorded_by}" if self.recorded_by else self.get_source_display()


class Submission(models.Model):
    """An idempotency key that was answered: the same key and body get the same answer, whatever happened since."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="submissions")
    key = models.CharField(max_length=100)
    digest = models.CharField(max_length=64)
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="submissions")
    created = models.BooleanField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("table", "key"), name="one_answer_a_key"),)

    def __str__(self) -> str:
        return self.key


class Dispute(models.Model):
    """A player's word that a hand was another one. Both versions stand until a director decides; both stay after.

    `went_out` and `seats` are the hand as the player has it, like those of `Hand`; empty `seats`: they say only that it
    is wrong.
    """

    class State(models.TextChoices):
        OPEN = "open", _("Disputed")
        KEPT = "kept", _("The hand stands")
        TAKEN = "taken", _("Corrected as they said")
        OTHER = "other", _("Corrected in another way")
        WITHDRAWN = "withdrawn", _("Withdrawn")

    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="disputes")
    player = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+")
    went_out = models.PositiveSmallIntegerField(null=True, blank=True)
    seats = models.JSONField(default=list)
    reason = models.CharField(max_length=200, blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    made_at = models.DateTimeField(default=timezone.now)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(
                fields=("hand", "player"), condition=Q(state="open"), name="one_open_dispute_a_player_and_hand"
            ),
        )

    def __str__(self) -> str:
        return f"{self.hand}: {self.player}"
