"""That something changed at a table: counted in its row, and told to open pages after the commit."""

from django.db.models import F

from league.models import Table
from league.wakes import wake_after_commit


def tell_page(table: Table) -> None:
    """Pages that show this table fetch themselves anew. The caller holds the table's lock, and read it under it."""
    table.play_version += 1
    Table.objects.filter(pk=table.pk).update(play_version=F("play_version") + 1)
    wake_after_commit(table.round.tournament_id, table.play_version, table=table.pk)
