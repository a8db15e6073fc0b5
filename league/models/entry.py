"""Store the participants of a tournament: entries, players of a stage, and pairs to keep apart."""

from django.db import models
from django.db.models import Case, CharField, F, Q, Value, When
from django.db.models.functions import Concat
from django.utils.translation import gettext_lazy as _

from league.models.people import Player, new_public_id
from league.models.tournament import Stage, Tournament


def entry_name(to_entry: str = "") -> Case:
    """Return `Entry.name` as a query expression. to_entry: lookup to the entry, such as "entry__"."""
    name, addition = f"{to_entry}player__name", f"{to_entry}addition"
    alone = When(**{addition: ""}, then=F(name))
    return Case(alone, default=Concat(name, Value(" "), addition), output_field=CharField())


class Entry(models.Model):
    """A player in one tournament. `public_id` is the `player_id` of every export.

    `status` follows from the entry's events: active or dropped. Elimination in a Challenge UNO follows from the hands
    and is never stored. A stand-in fills a seat, and is not ranked.
    """

    class Status(models.TextChoices):
        ACTIVE = "active", _("Active")
        DROPPED = "dropped", _("Withdrawn")
        OUT = "out", _("Eliminated")
        STANDIN = "standin", _("Stand-in")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    public_id = models.CharField(max_length=12, unique=True, default=new_public_id)
    number = models.PositiveIntegerField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.ACTIVE)
    checked_in_at = models.DateTimeField(null=True, blank=True)
    paid_at = models.DateTimeField(null=True, blank=True)  # when the fee was noted as paid; for helpers only
    fixed_table = models.PositiveSmallIntegerField(null=True, blank=True)  # table in future rounds
    # Part of the player's own link: incrementing it ends the previous link (league/access/signed_links.py).
    link_generation = models.PositiveSmallIntegerField(default=1)
    # Suffix of the name if two people of the tournament share it (league/ledger/same_names.py): “(SV Lokstedt)”, “2”.
    # own_addition: typed by the organiser.
    addition = models.CharField(max_length=30, blank=True)
    own_addition = models.BooleanField(default=False)
    bot = models.CharField(max_length=10, blank=True)  # which of BOTS plays, or ""

    # Number within a team, set only if needed (league/access/table_rows.py). Not a column.
    member = 0

    class Meta:
        ordering = ("number", "id")
        verbose_name_plural = "entries"

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """Return the name on every page, print and export of the tournament, unique there."""
        return f"{self.player.name} {self.addition}" if self.addition else self.player.name

    @property
    def plays_as(self) -> str:
        """Return the player's name in an online table's page: the public id, with “.1” for the second of a team."""
        return f"{self.public_id}.{self.member}" if self.member else self.public_id


class StageEntry(models.Model):
    """An entry that plays a stage with groups or a cut, or a tree, with its seed.

    order: from 1, best first; in a tree the seed. group: from 1. ladder: of heats, 2 for the second ladder.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="members")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="stages")
    order = models.PositiveSmallIntegerField()
    group = models.PositiveSmallIntegerField(default=1)
    ladder = models.PositiveSmallIntegerField(default=1)

    class Meta:
        ordering = ("order",)
        verbose_name_plural = "stage entries"
        constraints = (models.UniqueConstraint(fields=("stage", "entry"), name="once_in_a_stage"),)

    def __str__(self) -> str:
        return f"{self.entry} in {self.stage}"


class KeptApart(models.Model):
    """Two entries that must not meet in future draws. `one` has the smaller key."""

    one = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("one", "other"), name="kept_apart_once"),
            models.CheckConstraint(condition=Q(one__lt=F("other")), name="kept_apart_in_order"),
        )

    def __str__(self) -> str:
        return f"{self.one}, {self.other}"
