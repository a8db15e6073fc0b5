"""Store what an imported list created, for undo, and how its columns were read."""

from django.db import models
from django.utils import timezone

from league.models.entry import Entry
from league.models.people import Club, Player, User
from league.models.tournament import Tournament


class ListImport(models.Model):
    """A list of people or teams added to a tournament or a club. Undone at most once, never deleted."""

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, null=True, blank=True, related_name="list_imports"
    )
    club = models.ForeignKey(Club, on_delete=models.CASCADE, null=True, blank=True, related_name="list_imports")
    by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)
        constraints = (
            models.CheckConstraint(
                condition=models.Q(tournament=None) ^ models.Q(club=None), name="import_of_a_tournament_or_of_a_club"
            ),
        )

    def __str__(self) -> str:
        return f"{self.tournament or self.club}: {self.at:%Y-%m-%d %H:%M}"


class ImportedPerson(models.Model):
    """A person or team of an imported list.

    entry: in a tournament. place: name of the unnamed place that the person took. email, birth_month and birth_day:
    data that the list added to a known person. was_guest: a guest of the club who became a member. members: of an
    existing club team, the keys of its members [before, after].
    """

    list_import = models.ForeignKey(ListImport, on_delete=models.CASCADE, related_name="people")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    place = models.CharField(max_length=80, blank=True)
    email = models.EmailField(blank=True)
    birth_month = models.PositiveSmallIntegerField(null=True, blank=True)
    birth_day = models.PositiveSmallIntegerField(null=True, blank=True)
    was_guest = models.BooleanField(default=False)
    members = models.JSONField(null=True, blank=True)

    def __str__(self) -> str:
        return str(self.player)


class ColumnMemory(models.Model):
    """An organiser's choices for the columns of a list, for the club's next list with the same header.

    key: hash of the headings, or of the number of columns. uses: of each column (league/entries/roster/headers.py).
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=64)
    uses = models.JSONField()
    day_first = models.BooleanField(null=True)
    at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("club", "key"), name="one_memory_for_a_header"),)

    def __str__(self) -> str:
        return f"{self.club}: {', '.join(self.uses)}"
