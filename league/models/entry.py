"""Who plays a tournament: entries, who of them plays a stage, and who is kept apart."""

from django.db import models
from django.db.models import Case, CharField, F, Q, Value, When
from django.db.models.functions import Concat
from django.utils.translation import gettext_lazy as _

from league.models.people import Player, new_public_id
from league.models.tournament import Stage, Tournament


def entry_name(to_entry: str = "") -> Case:
    """Return `Entry.name` as an expression for a query. to_entry: the lookup that leads to the entry, as "entry__"."""
    name, addition = f"{to_entry}player__name", f"{to_entry}addition"
    alone = When(**{addition: ""}, then=F(name))
    return Case(alone, default=Concat(name, Value(" "), addition), output_field=CharField())


class Entry(models.Model):
    """A player in one tournament. `public_id` is the `player_id` of every export.

    `status` is the result of the entry's events: active or dropped. Who is out of a Challenge UNO follows from the
    hands and is never stored. A stand-in plays where somebody is missing, and is not ranked.
    """

    class Status(models.TextChoices):
        ACTIVE = "active", _("Active")
        DROPPED = "dropped", _("Dropped")
        OUT = "out", _("Eliminated")
        STANDIN = "standin", _("Stand-in")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    public_id = models.CharField(max_length=12, unique=True, default=new_public_id)
    number = models.PositiveIntegerField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.ACTIVE)
    checked_in_at = models.DateTimeField(null=True, blank=True)
    fixed_table = models.PositiveSmallIntegerField(null=True, blank=True)  # the table to sit at, in rounds to be drawn
    # Part of the player's own link: counting it up ends the link before (league/access/signed_links.py).
    link_generation = models.PositiveSmallIntegerField(default=1)
    # What follows the name where two people of the tournament have one (league/ledger/same_names.py), as it is shown:
    # “(SV Lokstedt)”, “2”. own_addition: the organiser typed it.
    addition = models.CharField(max_length=30, blank=True)
    own_addition = models.BooleanField(default=False)
    bot = models.CharField(max_length=10, blank=True)  # which of BOTS the service plays instead of a person; else empty

    # Which of a team's two somebody is, set where that matters (league/access/table_rows.py). Not a column.
    member = 0

    class Meta:
        ordering = ("number", "id")
        verbose_name_plural = "entries"

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The name that every page, print and export of the tournament shows: no other entry there has it."""
        return f"{self.player.name} {self.addition}" if self.addition else self.player.name

    @property
    def plays_as(self) -> str:
        """How the page of an online table names its player: by the public id, with “.1” for the second of a team."""
        return f"{self.public_id}.{self.member}" if self.member else self.public_id


class StageEntry(models.Model):
    """An entry that plays a stage, where groups or a cut say who does, and in a tree with its seed.

    order: from 1, the best first; in a tree the seed. group: from 1. ladder: of heats, 2 for the second ladder.
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
    """Two who must not meet in rounds that are still to be drawn. `one` has the smaller key."""

    one = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("one", "other"), name="kept_apart_once"),
            models.CheckConstraint(condition=Q(one__lt=F("other")), name="kept_apart_in_order"),
        )

    def __str__(self) -> str:
        return f"{self.one}, {self.other}"
